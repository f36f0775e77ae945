# SPDX-License-Identifier: MIT
"""Draws the fixed scenes at each SIMD width, number of threads and instruction set level. All frames
and captured buffers must have the same bytes. Usage: same_bytes.py SHIM BUILD FOLDER [SCENE…]"""

import os
import sys

from frames import SCENES, STAGES, Missing, check_all, draw, early_frames, ours

# Level, lanes, threads. The widths select a level themselves; 16 lanes on AVX2 need to be asked for.
VARIANTS = [*(("avx512", lanes, threads) for lanes in (4, 8, 16) for threads in (1, 2, 4)),
            ("avx2", 16, 1), ("avx2", 16, 2)]


def main(shim, build, folder, *names):
    os.makedirs(folder, exist_ok=True)

    def check(name, display):
        first = None
        for isa, lanes, threads in VARIANTS:
            env = {**ours(build, display), "INDIUM_ISA": isa, "INDIUM_LANES": str(lanes),
                   "INDIUM_THREADS": str(threads), "INDIUM_DEBUG": "threads"}
            if threads == 2:  # also use quad kernels from the first frame on
                env["INDIUM_DEBUG"] = "eager,threads"
            try:
                frames = draw(name, env, shim, folder, early_frames(name))
            except Missing as missing:
                return f"{isa}, {lanes} lanes, {threads} threads: {missing}"
            if first is None:
                first = frames
            elif frames != first:
                return f"{isa}, {lanes} lanes, {threads} threads: bytes differ from {VARIANTS[0]}"
        return None

    return check_all(names or [*SCENES, *STAGES], check, "the same bytes")


sys.exit(main(*sys.argv[1:]))
