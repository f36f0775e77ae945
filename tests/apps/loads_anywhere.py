# SPDX-License-Identifier: MIT
"""Checks the dependencies and exports of libindium.so, and that it works in a process that has
loaded another LLVM and another GL. Usage: loads_anywhere.py PROGRAM LIBRARY_DIR"""

import glob
import os
import re
import subprocess
import sys

ALLOWED = r"(libc|libm|libdl|librt|libpthread|ld-linux-x86-64|libz|libzstd|libtalloc)\.so"
# glBegin …, the interface function for the API libraries, and the symbol version.
NAMES = r"(gl[A-Z][A-Za-z0-9_]*|indium_core_interface|INDIUM)$"


def readelf(*arguments):
    return subprocess.run(["readelf", "-W", *arguments], capture_output=True, text=True,
                          check=True).stdout


def check_core(core):
    problems = []
    needed = re.findall(r"\(NEEDED\).*\[(.*?)\]", readelf("-d", core))
    problems += [f"needs {name}" for name in needed if not re.match(ALLOWED, name)]
    names = []
    for line in readelf("--dyn-syms", core).splitlines():
        fields = line.split()
        if len(fields) >= 8 and fields[4] in ("GLOBAL", "WEAK") and fields[6] != "UND":
            names.append(fields[7].split("@")[0])
    if "glBegin" not in names or "indium_core_interface" not in names:
        problems.append("does not export glBegin and indium_core_interface")
    problems += [f"exports {name}" for name in names if not re.match(NAMES, name)][:20]
    return problems


def first(*patterns):
    for pattern in patterns:
        found = sorted(glob.glob(pattern))
        if found:
            return found[0]
    return None


def main(program, directory):
    problems = [f"libindium.so {p}" for p in check_core(os.path.join(directory, "libindium.so"))]
    llvm = first("/usr/lib/*/libLLVM-19.so*", "/usr/lib/*/libLLVM.so.19*",
                 "/usr/lib/llvm-19/lib/libLLVM*.so*")
    mesa = first("/usr/lib/*/dri/swrast_dri.so")
    if not llvm or not mesa:
        problems.append("LLVM's shared library or Mesa's driver is not installed")
    egl = os.path.join(directory, "libEGL.so.1")
    env = {k: v for k, v in os.environ.items() if k not in ("LD_LIBRARY_PATH", "DISPLAY")}
    for others in ([], [llvm, mesa], [mesa, llvm]):
        command = [program, *filter(None, others), egl]
        result = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
        print(" ".join(os.path.basename(c) for c in command), "→", result.returncode,
              result.stdout.strip(), result.stderr.strip())
        if result.returncode:
            names = [os.path.basename(other) for other in others if other]
            problems.append(f"does not draw together with {names}")
    for problem in problems:
        print(f"FAILED {problem}")
    return bool(problems)


sys.exit(main(*sys.argv[1:]))
