# SPDX-License-Identifier: MIT
"""./indium bench swap: frames presented in a window, compared with llvmpipe, interleaved."""

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
    bench_common.add_record(parser)
    options = bench_common.parse(parser, args)
    kinds = bench_common.chosen(bench_common.listed(PROGRAM), options.names, "kind of frame")
    table = bench_common.Table("swap", options)
    with Display(dict(os.environ), always_own=True, size="x".join(SIZE) + "x24") as display:
        env_ours, env_peer = bench_common.sides(options, display)
        for kind in kinds:
            command = [PROGRAM, kind, *SIZE, str(options.seconds)]
            pairs = [(milliseconds(command, env_ours, options.cpu),
                      milliseconds(command, env_peer, options.cpu))
                     for _ in range(options.rounds)]
            table.add(kind, pairs)
    return table.finish(len(kinds))
