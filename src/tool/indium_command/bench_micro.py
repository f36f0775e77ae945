# SPDX-License-Identifier: MIT
"""./indium bench micro: what single kinds of work cost, ours and llvmpipe alternately."""

import argparse
import os
import statistics
import subprocess

from .common import BUILD, Failure, ours, peer

PROGRAM = os.path.join(BUILD, "bench", "micro", "micro-bench")
DOUBLINGS = 4


def milliseconds(command, env, cpu=False):
    """Of a frame (cpu: of processors' time), as the program prints them; None if it fails."""
    try:
        result = subprocess.run(command, env=env, text=True, errors="replace", timeout=120,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    return float(result.stdout.split()[cpu]) if result.returncode == 0 else None


def print_row(name, pairs, last=""):
    """A row of the table from pairs of ours and the other's; the median ratio, None without."""
    if not all(a and b for a, b in pairs):
        print(f"| {name} | did not run | | | |{last}", flush=True)
        return None
    ratios = [b / a for a, b in pairs]
    mine, other = (statistics.median(side) for side in zip(*pairs))
    ratio = statistics.median(ratios)
    print(f"| {name} | {ratio:.2f} | {min(ratios):.2f}–{max(ratios):.2f} "
          f"| {mine:.3f} | {other:.3f} |{last}", flush=True)
    return ratio


def workload(name, doublings, seconds):
    return [PROGRAM, name, str(doublings), str(seconds)]


def slope(name, seconds, env):
    """The mean factor of time when the work doubles."""
    times = [milliseconds(workload(name, d, seconds), env) for d in (0, DOUBLINGS)]
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
    # new-programs compiles: neither side has kernels on disk
    env_ours = {**ours(), "INDIUM_CACHE_DIR": ""}
    env_peer = {**peer(), "MESA_SHADER_CACHE_DISABLE": "true", "INDIUM_CACHE_DIR": ""}
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
        command = workload(name, 0, options.seconds)
        pairs = [(milliseconds(command, env_ours, options.cpu),
                  milliseconds(command, env_peer, options.cpu)) for _ in range(options.rounds)]
        growth = None if options.no_slopes else slope(name, options.seconds, env_ours)
        ratio = print_row(name, pairs, f" {growth:.2f} |" if growth else " |")
        if ratio:
            medians.append(ratio)
    if medians:
        print(f"\ngeometric mean of {len(medians)} ratios: "
              f"{statistics.geometric_mean(medians):.2f}")
    memset = milliseconds(workload("memset", 0, options.seconds), env_ours)
    if memset:
        print(f"memset of a target by one core: {memset:.3f} ms")
    return 0 if len(medians) == len(names) else 1
