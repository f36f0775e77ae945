# SPDX-License-Identifier: MIT
"""./indium bench micro: microbenchmarks compared with llvmpipe, interleaved."""

import os

from . import bench_common
from .bench_common import milliseconds
from .common import BUILD

PROGRAM = os.path.join(BUILD, "bench", "micro", "micro-bench")
DOUBLINGS = 4


def workload(name, doublings, seconds):
    return [PROGRAM, name, str(doublings), str(seconds)]


def slope(name, seconds, env, cpu):
    """Returns the mean factor by which the time grows when the work doubles. cpu: take CPU time
    instead of wall-clock time."""
    times = [milliseconds(workload(name, d, seconds), env, cpu) for d in (0, DOUBLINGS)]
    return (times[1] / times[0]) ** (1 / DOUBLINGS) if all(times) else None


def run(args):
    parser = bench_common.parser("bench micro", "workloads", seconds=0.5)
    parser.add_argument("--no-slopes", action="store_true",
                        help="don't measure how the time grows with the work")
    bench_common.add_against(parser)
    bench_common.add_peer(parser)
    bench_common.add_cpu(parser)
    bench_common.add_record(parser)
    options = bench_common.parse(parser, args)
    names = bench_common.chosen(bench_common.listed(PROGRAM), options.names, "workload")
    # new-programs measures compilation, so both sides run without a cache on disk
    env_ours, env_peer = bench_common.sides(
        options, {**os.environ, "INDIUM_CACHE_DIR": "", "MESA_SHADER_CACHE_DISABLE": "true"})

    table = bench_common.Table("micro", options, " slope |")
    for name in names:
        command = workload(name, 0, options.seconds)
        pairs = [(milliseconds(command, env_ours, options.cpu),
                  milliseconds(command, env_peer, options.cpu)) for _ in range(options.rounds)]
        growth = (None if options.no_slopes else
                  slope(name, options.seconds, env_ours, options.cpu))
        table.add(name, pairs, last=f" {growth:.2f} |" if growth else " |")
    status = table.finish(len(names))
    memset = milliseconds(workload("memset", 0, options.seconds), env_ours)
    if memset:
        print(f"memset of a render target on one core: {memset:.3f} ms")
    return status
