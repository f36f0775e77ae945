# SPDX-License-Identifier: MIT
"""./indium bench micro: what single kinds of work cost, ours and llvmpipe alternately."""

import argparse
import os
import statistics
import subprocess

from .common import BUILD, Failure, ours, peer

PROGRAM = os.path.join(BUILD, "bench", "micro", "micro-bench")
DOUBLINGS = 4


def milliseconds(name, doublings, seconds, env, cpu=False):
    """Of a frame (cpu: of processors' time); None if the workload does not run."""
    try:
        result = subprocess.run([PROGRAM, name, str(doublings), str(seconds)], env=env, text=True,
                                errors="replace", timeout=120, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    return float(result.stdout.split()[cpu]) if result.returncode == 0 else None


def slope(name, seconds, env):
    """The mean factor of time when the work doubles."""
    times = [milliseconds(name, d, seconds, env) for d in (0, DOUBLINGS)]
    return (times[1] / times[0]) ** (1 / DOUBLINGS) if all(times) else None


def run(args):
    parser = argparse.ArgumentParser(prog="./indium bench micro")
    parser.add_argument("names", nargs="*", help="workloads whose name contains one of these")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-slopes", action="store_true")
    parser.add_argument("--against", metavar="DIR",
                        help="the libraries of another build of Indium instead of llvmpipe")
    parser.add_argument("--cpu", action="store_true",
                        help="compare the processors' time: what a loaded machine can tell")
    options = parser.parse_args(args)
    env_ours, env_peer = ours(), {**peer(), "MESA_SHADER_CACHE_DISABLE": "true"}
    if options.against:
        env_peer["LD_LIBRARY_PATH"] = os.path.abspath(options.against)
    every = subprocess.run([PROGRAM], stdout=subprocess.PIPE, text=True).stdout.split()
    names = [n for n in every if not options.names or any(o in n for o in options.names)]
    if not names:
        raise Failure("no workload has such a name; all are:\n  " + "\n  ".join(every))

    print(f"| workload | ratio | spread | ms | {options.against or 'llvmpipe'} | slope |")
    print("|---|---|---|---|---|---|", flush=True)
    medians = []
    for name in names:
        pairs = [(milliseconds(name, 0, options.seconds, env_ours, options.cpu),
                  milliseconds(name, 0, options.seconds, env_peer, options.cpu))
                 for _ in range(options.rounds)]
        if not all(a and b for a, b in pairs):
            print(f"| {name} | did not run | | | | |", flush=True)
            continue
        ratios = [b / a for a, b in pairs]
        mine, other = (statistics.median(side) for side in zip(*pairs))
        growth = None if options.no_slopes else slope(name, options.seconds, env_ours)
        medians.append(statistics.median(ratios))
        print(f"| {name} | {medians[-1]:.2f} | {min(ratios):.2f}–{max(ratios):.2f} "
              f"| {mine:.3f} | {other:.3f} | {f'{growth:.2f}' if growth else ''} |", flush=True)
    if medians:
        print(f"\ngeometric mean of {len(medians)} ratios: "
              f"{statistics.geometric_mean(medians):.2f}")
    memset = milliseconds("memset", 0, options.seconds, env_ours)
    if memset:
        print(f"memset of a target by one core: {memset:.3f} ms")
    return 0 if len(medians) == len(names) else 1
