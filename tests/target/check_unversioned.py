# SPDX-License-Identifier: MIT
"""Checks that a process that has loaded a library of src/target/unversioned gets it from
dlopen("libEGL.so") and finds the functions of Indium's library in it."""

import os
import subprocess
import sys

FUNCTIONS = {"libEGL.so": "eglInitialize", "libGL.so": "glXMakeCurrent", "libGLX.so": "glXMakeCurrent",
             "libOSMesa.so": "OSMesaMakeCurrent"}
SCRIPT = """
import ctypes, os, sys
path, function = sys.argv[1:]
ours, found = ctypes.CDLL(path), ctypes.CDLL(os.path.basename(path))
assert found._handle == ours._handle, "dlopen opened another library"
getattr(found, function)
maps = open("/proc/self/maps").read().split()
others = {p for p in maps if os.path.basename(p).startswith(("libEGL", "libGL", "libOpenGL", "libOSMesa"))
          and not p.startswith(os.path.dirname(os.path.dirname(path)))}
assert not others, others
"""

# meson adds the directories of the libraries to the search path of tests
env = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
for path in map(os.path.abspath, sys.argv[1:]):
    function = FUNCTIONS.get(os.path.basename(path), "glFlush")
    subprocess.run([sys.executable, "-c", SCRIPT, path, function], env=env, check=True, timeout=120)
