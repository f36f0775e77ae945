# SPDX-License-Identifier: MIT
"""Draws the fixed scenes at each vector width and number of threads: all bytes must be equal.
Usage: same_bytes.py SHIM BUILD FOLDER [SCENE…]"""

import os
import sys

from frames import SCENES, Display, Missing, draw, ours

# All widths, then all numbers of threads at the widest.
VARIANTS = [(4, 2), (8, 2), (16, 1), (16, 2), (16, 4)]


def check(name, shim, build, folder, display):
    first = None
    for lanes, threads in VARIANTS:
        env = {**ours(build, display), "INDIUM_LANES": str(lanes), "INDIUM_THREADS": str(threads)}
        try:
            frames = draw(name, env, shim, folder)
        except Missing as missing:
            return f"{lanes} lanes, {threads} threads: {missing}"
        if first is None:
            first = frames
        elif frames != first:
            return f"{lanes} lanes and {threads} threads give other bytes than {VARIANTS[0]}"
    return None


def main(shim, build, folder, *names):
    os.makedirs(folder, exist_ok=True)
    failed = False
    with Display(dict(os.environ), always_own=True) as display:
        for name in names or SCENES:
            why = check(name, shim, build, folder, display)
            print(f"{name}: {why or 'the same bytes'}", flush=True)
            failed |= why is not None
    return failed


sys.exit(main(*sys.argv[1:]))
