# SPDX-License-Identifier: MIT
"""./indium bench swap: what frames cost that are shown in a window, ours and llvmpipe alternately."""

import os

from . import bench_common
from .bench_common import milliseconds
from .common import BUILD, Display

PROGRAM = os.path.join(BUILD, "bench", "swap", "swap-bench")
SIZE = ("1920", "1080")


def run(args):
    parser = bench_common.parser("bench swap", "kinds of frames", rounds=5, seconds=1)
    bench_common.add_against(parser)
    bench_common.add_cpu(parser)
    options = bench_common.parse(parser, args)
    kinds = bench_common.chosen(bench_common.listed(PROGRAM), options.names, "kind of frame")
    bench_common.print_head("frame", "ms", options)
    ratios = []
    with Display(dict(os.environ), always_own=True, size="x".join(SIZE) + "x24") as display:
        env_ours, env_peer = bench_common.sides(options, display)
        for kind in kinds:
            command = [PROGRAM, kind, *SIZE, str(options.seconds)]
            pairs = [(milliseconds(command, env_ours, options.cpu),
                      milliseconds(command, env_peer, options.cpu))
                     for _ in range(options.rounds)]
            ratios.append(bench_common.print_row(kind, pairs))
    return bench_common.finish(ratios, len(kinds))
