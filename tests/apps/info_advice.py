# SPDX-License-Identifier: MIT
"""Tests that `indium info` names the Debian package of a library that a program doesn't find.

Usage: info_advice.py NO_LIBRARY INDIUM_INFO
"""

import os
import re
import subprocess
import sys

PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libgbm.so.1": "libgbm1",
}


def main(shim, info):
    failed = False
    for library, package in PACKAGES.items():
        env = {**os.environ, "LD_PRELOAD": shim, "NO_LIBRARY": library}
        text = subprocess.run([info], env=env, capture_output=True, text=True, timeout=100).stdout
        lines = re.findall(rf"no: {re.escape(library)}: cannot open .*\n(.*)\n", text)
        wrong = [line for line in lines if line.strip() != f"apt-get install {package}"]
        print(f"{library}: {len(lines)} interfaces need it, {len(wrong)} with another package")
        if not lines or wrong:
            print(text)
            failed = True
    return failed


sys.exit(main(*sys.argv[1:]))
