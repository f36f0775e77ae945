# SPDX-License-Identifier: MIT
"""./indium bench swap: what frames cost that are shown in a window, ours and llvmpipe alternately."""

import argparse
import os
import subprocess

from .bench_micro import milliseconds, print_row
from .common import BUILD, Display, ours, peer

PROGRAM = os.path.join(BUILD, "bench", "swap", "swap-bench")
SIZE = ("1920", "1080")


def run(args):
    parser = argparse.ArgumentParser(prog="./indium bench swap")
    parser.add_argument("names", nargs="*", help="kinds of frames whose name contains one of these")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--against", metavar="DIR",
                        help="the libraries of another build of Indium instead of llvmpipe")
    parser.add_argument("--cpu", action="store_true", help="compare the process's time on processors")
    options = parser.parse_args(args)
    kinds = subprocess.run([PROGRAM], stdout=subprocess.PIPE, text=True).stdout.split()
    print(f"| frame | ratio | spread | ms | {options.against or 'llvmpipe'} |")
    print("|---|---|---|---|---|", flush=True)
    complete = True
    with Display(dict(os.environ), always_own=True, size="x".join(SIZE) + "x24") as env:
        env_peer = peer(env)
        if options.against:
            env_peer["LD_LIBRARY_PATH"] = os.path.abspath(options.against)
        for kind in kinds:
            if options.names and not any(n in kind for n in options.names):
                continue
            command = [PROGRAM, kind, *SIZE, str(options.seconds)]
            pairs = [(milliseconds(command, ours(base=env), options.cpu),
                      milliseconds(command, env_peer, options.cpu))
                     for _ in range(options.rounds)]
            complete &= print_row(kind, pairs) is not None
    return 0 if complete else 1
