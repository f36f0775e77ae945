# SPDX-License-Identifier: MIT
"""./indium bench start: time to the first frame and peak memory, interleaved with llvmpipe."""

import os
import tempfile

from . import bench_common
from .common import Display

FRAMES = (1, 200)  # frames of glxgears: the first one, and one by which its memory no longer grows
GEARS = ["glxgears"]
STATES = ("cold cache", "warm cache")  # the first run fills the cache for the second
PARTS = ("first frame, ms", "first frame, CPU ms", "peak memory, MB")


def gears(env):
    """Returns wall-clock and CPU milliseconds to the first frame and the peak MB, or None."""
    result = bench_common.windowed(GEARS, env, FRAMES)
    if not result:
        return None
    ((wall, used), _), peak = result
    return wall * 1e3, used * 1e3, peak


def scene(seconds, env):
    """Returns the peak MB of the scene that needs the most memory."""
    command = ["glmark2", "--off-screen", "-b", f"terrain:duration={seconds}"]
    return bench_common.peak_memory(command, env, seconds * 10 + 60)


def run(args):
    parser = bench_common.parser("bench start", rounds=5, seconds=10)
    bench_common.add_against(parser)
    bench_common.add_record(parser)
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
    table = bench_common.Table("start", options)
    for state in STATES:
        for i, part in enumerate(PARTS):
            pairs = [[side and side[i] for side in gear_pairs[state, number]]
                     for number in range(options.rounds)]
            table.add(f"glxgears, {state}: {part}", pairs)
    for state in STATES:
        table.add(f"terrain, {state}: {PARTS[-1]}", [scene_pairs[state]])
    return table.finish(len(STATES) * (len(PARTS) + 1))
