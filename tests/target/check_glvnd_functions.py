# SPDX-License-Identifier: MIT
"""Checks that GLVND's libEGL finds all functions of Indium's libEGL when Indium is its only vendor.
Usage: check_glvnd_functions.py EGL_PROC.C VENDOR.json"""

import ctypes
import os
import re
import sys

with open(sys.argv[1], encoding="utf-8") as source:
    names = ["egl" + name for name in re.findall(r"^ +ENTRY\((\w+)\)", source.read(), re.M)]
assert len(names) > 50, names
os.environ["__EGL_VENDOR_LIBRARY_FILENAMES"] = sys.argv[2]
find = ctypes.CDLL("libEGL.so.1").eglGetProcAddress
find.restype = ctypes.c_void_p
missing = [name for name in names if not find(name.encode())]
assert not missing, f"GLVND's libEGL does not find {missing}"
print(f"GLVND's libEGL finds {len(names)} functions")
