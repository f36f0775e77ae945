# SPDX-License-Identifier: MIT
"""./indium bench transfers: CPU time of pixel transfers, interleaved with llvmpipe."""

import os
import random
import statistics
import subprocess

from . import bench_common
from .common import BUILD

PROGRAM = os.path.join(BUILD, "bench", "transfers", "transfers-bench")
GROUP = 20  # transfers that one process measures


def measure(names, seconds, env):
    """Returns a dict NAME → CPU milliseconds of the transfers that the driver accepts."""
    command, env = bench_common.in_root([PROGRAM, str(seconds), *names], env)
    result = subprocess.run(command, env=env, text=True, errors="replace", timeout=600,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    times = {}
    for line in result.stdout.splitlines():
        words = line.split(" ", 2)
        if len(words) == 3 and float(words[1]) > 0:
            times[words[2]] = float(words[1])
    return times


def sample(names, count):
    """Returns `count` names, of each kind and size about equally many, always the same ones."""
    groups = {}
    for name in names:
        groups.setdefault(tuple(name.split(":")[:2]), []).append(name)
    source = random.Random(1)
    for group in groups.values():
        source.shuffle(group)
    chosen = set()
    while len(chosen) < min(count, len(names)):
        for group in groups.values():
            if group and len(chosen) < count:
                chosen.add(group.pop())
    return [name for name in names if name in chosen]


def by_kind(ratios):
    """Returns a dict (KIND, WIDTH) → list of (ratio, name)."""
    kinds = {}
    for name, ratio in ratios.items():
        kinds.setdefault(tuple(name.split(":")[:2]), []).append((ratio, name))
    return kinds


def record(options, ratios):
    """Records the means, lowest and highest ratios of the kinds."""
    rows = {}
    for (kind, width), pairs in by_kind(ratios).items():
        values = [ratio for ratio, _ in pairs]
        rows[f"{kind}, {width}"] = {"ratio": statistics.geometric_mean(values),
                                    "min": min(values), "max": max(values)}
    below = sum(ratio < 1 for ratio in ratios.values())
    mean = statistics.geometric_mean(ratios.values())
    bench_common.record("transfers", options, rows,
                        note=f"{len(ratios)} transfers with mean {mean:.2f}, {below} below 1")


def print_kinds(ratios):
    """Prints a row per kind and size. ratios: dict NAME → ratio."""
    kinds = by_kind(ratios)
    print("| kind | width | transfers | mean ratio | below 1 | lowest | of |")
    print("|---|---|---|---|---|---|---|")
    for (kind, width), rows in kinds.items():
        mean = statistics.geometric_mean(ratio for ratio, _ in rows)
        below = sum(ratio < 1 for ratio, _ in rows)
        lowest, name = min(rows)
        print(f"| {kind} | {width} | {len(rows)} | {mean:.2f} | {below} | {lowest:.2f} | {name} |")
    mean = statistics.geometric_mean(ratios.values())
    print(f"\ngeometric mean of {len(ratios)} ratios: {mean:.2f}")


def run(args):
    parser = bench_common.parser("bench transfers", "transfers", rounds=2, seconds=0.05)
    parser.add_argument("--all", action="store_true", help="measure the whole matrix")
    parser.add_argument("--count", type=int, default=300, help="size of the sample (300)")
    parser.add_argument("-v", dest="verbose", action="store_true",
                        help="list all transfers, the lowest ratio first")
    bench_common.add_against(parser)
    bench_common.add_record(parser)
    bench_common.add_peer(parser)
    options = bench_common.parse(parser, args)
    names = bench_common.chosen(bench_common.listed(PROGRAM), options.names, "transfer")
    if not options.all:
        names = sample(names, options.count)
    base = {**os.environ, "EGL_PLATFORM": "surfaceless"}
    env_ours, env_peer = bench_common.sides(options, base)
    best = ({}, {})
    for start in range(0, len(names), GROUP):
        for _ in range(options.rounds):
            for times, env in zip(best, (env_ours, env_peer)):
                found = measure(names[start:start + GROUP], options.seconds, env)
                for name, time in found.items():
                    times[name] = min(time, times.get(name, time))
    both = [name for name in names if name in best[0] and name in best[1]]
    if not both:
        return 1
    ratios = {name: best[1][name] / best[0][name] for name in both}
    if options.verbose:
        for name in sorted(both, key=ratios.get):
            print(f"{ratios[name]:8.2f} {best[0][name]:10.4f} {best[1][name]:10.4f} ms  {name}")
    print_kinds(ratios)
    record(options, ratios)
    only = [name for name in names if name in best[1] and name not in best[0]]
    if only:
        print(f"only the peer accepts {len(only)} transfers: {' '.join(only[:10])}")
    return 0
