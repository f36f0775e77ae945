# SPDX-License-Identifier: MIT
"""./indium bench micro: what single kinds of work cost, ours and llvmpipe alternately."""

import os

from . import bench_common
from .bench_common import milliseconds
from .common import BUILD

PROGRAM = os.path.join(BUILD, "bench", "micro", "micro-bench")
DOUBLINGS = 4


def workload(name, doublings, seconds):
    return [PROGRAM, name, str(doublings), str(seconds)]


def slope(name, seconds, env):
    """The mean factor of time when the work doubles."""
    times = [milliseconds(workload(name, d, seconds), env) for d in (0, DOUBLINGS)]
    return (times[1] / times[0]) ** (1 / DOUBLINGS) if all(times) else None


def run(args):
    parser = bench_common.parser("bench micro", "workloads", seconds=0.5)
    parser.add_argument("--no-slopes", action="store_true",
                        help="leave out how times grow with the work")
    bench_common.add_against(parser)
    bench_common.add_cpu(parser)
    options = bench_common.parse(parser, args)
    names = bench_common.chosen(bench_common.listed(PROGRAM), options.names, "workload")
    # new-programs compiles: neither side has kernels on disk
    env_ours, env_peer = bench_common.sides(
        options, {**os.environ, "INDIUM_CACHE_DIR": "", "MESA_SHADER_CACHE_DISABLE": "true"})

    bench_common.print_head("workload", "ms", options, " slope |")
    ratios = []
    for name in names:
        command = workload(name, 0, options.seconds)
        pairs = [(milliseconds(command, env_ours, options.cpu),
                  milliseconds(command, env_peer, options.cpu)) for _ in range(options.rounds)]
        growth = None if options.no_slopes else slope(name, options.seconds, env_ours)
        ratios.append(bench_common.print_row(name, pairs,
                                             last=f" {growth:.2f} |" if growth else " |"))
    status = bench_common.finish(ratios, len(names))
    memset = milliseconds(workload("memset", 0, options.seconds), env_ours)
    if memset:
        print(f"memset of a target by one core: {memset:.3f} ms")
    return status
