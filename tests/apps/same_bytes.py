# SPDX-License-Identifier: MIT
"""Draws the fixed scenes at each vector width and number of threads: all bytes must be equal,
those of captured buffers too.
Usage: same_bytes.py SHIM BUILD FOLDER [SCENE…]"""

import os
import sys

from frames import SCENES, STAGES, Display, Missing, draw, early_frames, ours

VARIANTS = [(lanes, threads) for lanes in (4, 8, 16) for threads in (1, 2, 4)]


def check(name, shim, build, folder, display):
    first = None
    for lanes, threads in VARIANTS:
        env = {**ours(build, display), "INDIUM_LANES": str(lanes), "INDIUM_THREADS": str(threads)}
        if threads == 2:  # with the kernels of quads from the first frame on
            env["INDIUM_DEBUG"] = "eager"
        try:
            frames = draw(name, env, shim, folder, early_frames(name))
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
        for name in names or [*SCENES, *STAGES]:
            why = check(name, shim, build, folder, display)
            print(f"{name}: {why or 'the same bytes'}", flush=True)
            failed |= why is not None
    return failed


sys.exit(main(*sys.argv[1:]))
