# SPDX-License-Identifier: MIT
"""Piglit's .shader_test files that say whether their program links, through indium-compile --expect,
with every version and extension switched on; those that require more than there is do not count.

usage: piglit_links.py INDIUM-COMPILE; status 77 (skipped) without piglit
"""

import glob
import os
import re
import subprocess
import sys

SAYS = re.compile(rb"^link (error|success)$", re.M)


def says(path):
    with open(path, "rb") as text:
        return SAYS.search(text.read())


folders = glob.glob("/usr/lib/*/piglit/tests")
files = [path for folder in folders
         for path in glob.glob(f"{folder}/**/*.shader_test", recursive=True)
         if says(path)]
if not files:
    sys.exit(77)
command = [sys.argv[1], "--batch", "--expect", "--quiet", "--list=-"]
result = subprocess.run(command, input="\n".join(sorted(files)), text=True, check=False,
                        env={k: v for k, v in os.environ.items() if not k.startswith("INDIUM_")})
sys.exit(result.returncode)
