# SPDX-License-Identifier: MIT
"""./indium bench start: what it takes until something is seen, and the memory that programs need, ours and
llvmpipe alternately."""

import os
import tempfile

from . import bench_common
from .common import Display

FRAMES = (1, 200)  # of glxgears: until something is seen, and until its memory no longer grows
GEARS = ["glxgears"]
STATES = ("nothing on disk", "kernels on disk")  # the second is what the first leaves
PARTS = ("first frame, ms", "first frame, processors' ms", "peak of memory, MB")


def gears(env):
    """Milliseconds to the first frame, those of processors, MB; None if it fails."""
    result = bench_common.windowed(GEARS, env, FRAMES)
    if not result:
        return None
    ((wall, used), _), peak = result
    return wall * 1e3, used * 1e3, peak


def scene(seconds, env):
    """MB of the scene that needs most."""
    command = ["glmark2", "--off-screen", "-b", f"terrain:duration={seconds}"]
    return bench_common.peak_memory(command, env, seconds * 10 + 60)


def run(args):
    parser = bench_common.parser("bench start", rounds=5, seconds=10)
    bench_common.add_against(parser)
    options = bench_common.parse(parser, args)
    gear_pairs, scene_pairs = {}, {}
    with Display(dict(os.environ), always_own=True) as display:
        for number in range(options.rounds):
            for env in bench_common.sides(options, display):
                with tempfile.TemporaryDirectory() as cache:
                    env = {**env, "INDIUM_CACHE_DIR": cache, "MESA_SHADER_CACHE_DIR": cache}
                    for state in STATES:
                        gear_pairs.setdefault((state, number), []).append(gears(env))
                    for state in STATES if number == 0 else ():
                        scene_pairs.setdefault(state, []).append(scene(options.seconds, env))
    bench_common.print_head("what", "Indium", options)
    rows = []
    for state in STATES:
        for i, part in enumerate(PARTS):
            pairs = [[side and side[i] for side in gear_pairs[state, number]]
                     for number in range(options.rounds)]
            rows.append(bench_common.print_row(f"glxgears, {state}: {part}", pairs, digits=1))
    for state in STATES:
        rows.append(bench_common.print_row(f"terrain, {state}: {PARTS[-1]}", [scene_pairs[state]],
                                           digits=1))
    return 0 if all(rows) else 1
