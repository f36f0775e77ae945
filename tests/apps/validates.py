# SPDX-License-Identifier: MIT
"""Draws the fixed scenes with NIR validated after every pass and LLVM modules verified. Invalid
code aborts the program. Usage: validates.py SHIM BUILD FOLDER [SCENE…]"""

import os
import sys

from frames import SCENES, STAGES, check_all, draw, early_frames, ours


def main(shim, build, folder, *names):
    os.makedirs(folder, exist_ok=True)

    def check(name, display):
        env = {**ours(build, display), "INDIUM_DEBUG": "validate"}
        draw(name, env, shim, folder, early_frames(name))

    return check_all(names or [*SCENES, *STAGES], check, "valid")


sys.exit(main(*sys.argv[1:]))
