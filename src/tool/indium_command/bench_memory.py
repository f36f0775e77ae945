# SPDX-License-Identifier: MIT
"""./indium bench memory: peak memory of glmark2's scenes and of many objects, beside llvmpipe."""

import os
import tempfile

from . import bench_common
from .bench import SCENES
from .bench_micro import PROGRAM
from .common import Display, in_root

# Workloads of micro-bench and the number of frames after the first two.
KEPT = ("kept-textures", "kept-vertices", "kept-programs")
FRAMES = 2
LIMIT = 600  # seconds


def command(name, seconds):
    if name in KEPT:
        return [PROGRAM, name, "0", f"frames={FRAMES}"]
    return ["glmark2", "--off-screen", "-b", f"{name}:duration={seconds:g}"]


def peak(name, seconds, env):
    """Returns the peak MB of a run with an empty cache on disk."""
    with tempfile.TemporaryDirectory() as cache:
        env = {**env, "INDIUM_CACHE_DIR": cache, "MESA_SHADER_CACHE_DIR": cache}
        return bench_common.peak_memory(*in_root(command(name, seconds), env), LIMIT)


def run(args):
    parser = bench_common.parser("bench memory", "workloads", rounds=1, seconds=2)
    bench_common.add_against(parser)
    bench_common.add_peer(parser)
    bench_common.add_record(parser)
    options = bench_common.parse(parser, args, [*KEPT, *SCENES], "workload")
    table = bench_common.Table("memory", options)
    with Display(dict(os.environ), always_own=True) as display:
        sides = bench_common.sides(options, display)
        for name in options.names:
            table.add(name, [[peak(name, options.seconds, env) for env in sides]
                             for _ in range(options.rounds)])
    return table.finish(len(options.names))
