# SPDX-License-Identifier: MIT
"""Runs piglit's .shader_test files that say whether their program links through indium-compile
--expect, with all versions and extensions enabled. Tests with unmet requirements are not counted.

usage: piglit_links.py INDIUM-COMPILE; status 77 (skipped) without piglit
"""

import glob
import os
import re
import subprocess
import sys

LINK_RESULT = re.compile(rb"^link (error|success)$", re.M)


def has_link_result(path):
    with open(path, "rb") as text:
        return LINK_RESULT.search(text.read())


folders = glob.glob("/usr/lib/*/piglit/tests")
files = [path for folder in folders
         for path in glob.glob(f"{folder}/**/*.shader_test", recursive=True)
         if has_link_result(path)]
if not files:
    sys.exit(77)
command = [sys.argv[1], "--batch", "--expect", "--quiet", "--list=-"]
result = subprocess.run(command, input="\n".join(sorted(files)), text=True, check=False,
                        env={k: v for k, v in os.environ.items() if not k.startswith("INDIUM_")})
sys.exit(result.returncode)
