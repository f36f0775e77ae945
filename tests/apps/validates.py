# SPDX-License-Identifier: MIT
"""Draws the fixed scenes with NIR validated after every pass and LLVM's modules verified; what is
invalid ends the program. Usage: validates.py SHIM BUILD FOLDER [SCENE…]"""

import os
import sys

from frames import SCENES, STAGES, Display, Missing, draw, early_frames, ours


def check(name, shim, env, folder):
    try:
        draw(name, env, shim, folder, early_frames(name))
    except Missing as missing:
        return str(missing)
    return None


def main(shim, build, folder, *names):
    os.makedirs(folder, exist_ok=True)
    failed = False
    with Display(dict(os.environ), always_own=True) as display:
        env = {**ours(build, display), "INDIUM_DEBUG": "validate"}
        for name in names or [*SCENES, *STAGES]:
            why = check(name, shim, env, folder)
            print(f"{name}: {why or 'valid'}", flush=True)
            failed |= why is not None
    return failed


sys.exit(main(*sys.argv[1:]))
