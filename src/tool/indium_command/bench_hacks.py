# SPDX-License-Identifier: MIT
"""./indium bench hacks: xscreensaver's hacks, interleaved with llvmpipe: the time to the first
frames with an empty cache, and a frame with a warm cache."""

import os
import statistics
import tempfile

from . import bench_common
from .apps import hacks
from .bench_results import result_row
from .common import Display, Failure, ours, peer

# By default gltext shows the output of another program, which arrives at a random frame.
ARGUMENTS = {"gltext": ["-text", "Indium"]}
FIRST, LAST = 5, 45  # frame that ends the start; end of the measured frames


def times(command, env, cpu, limit):
    """Returns (CPU) seconds to frame FIRST and per frame after it, or None on failure."""
    result = bench_common.windowed(command, env, (FIRST, LAST), limit)
    if not result:
        return None
    (first, last), _ = result
    return first[cpu], (last[cpu] - first[cpu]) / (LAST - FIRST)


def measure(command, env, variable, cpu, limit):
    """Returns seconds to frame FIRST without a cache and per frame with one, or None on failure."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**env, variable: os.path.join(folder, "cache")}
        cold = times(command, env, cpu, limit)
        warm = cold and times(command, env, cpu, limit)
    return (cold[0], warm[1]) if warm else None


def run(args):
    parser = bench_common.parser("bench hacks", "hacks", rounds=1)
    parser.add_argument("--limit", type=float, default=30, help="time limit of a run in seconds")
    bench_common.add_cpu(parser)
    bench_common.add_record(parser)
    options = bench_common.parse(parser, args)
    installed = hacks()
    if not installed:
        raise Failure("no hack is installed; run ./indium apps --install")
    programs = bench_common.chosen(installed, options.names, "hack", key=lambda hack: hack[0])
    print("| hack | start, cold | ms | llvmpipe | frame, warm | ms | llvmpipe |")
    print("|---|---|---|---|---|---|---|", flush=True)
    results = {"hacks-start": {}, "hacks-frame": {}}
    with Display(dict(os.environ), always_own=True) as env:
        for name, _, command, _ in programs:
            command = [*command, "-delay", "0", *ARGUMENTS.get(name, [])]
            pairs = [(measure(command, ours(base=env), "INDIUM_CACHE_DIR", options.cpu,
                              options.limit),
                      measure(command, peer(env), "MESA_SHADER_CACHE_DIR", options.cpu,
                              options.limit)) for _ in range(options.rounds)]
            if not all(a and b for a, b in pairs):
                print(f"| {name} | failed | | | | | |", flush=True)
                continue
            cells = []
            for bench, rows in results.items():
                part = list(results).index(bench)
                row = rows[name] = result_row([(1e3 * a[part], 1e3 * b[part]) for a, b in pairs])
                cells.append(f"{row['ratio']:.2f} | {row['indium']:.1f} | {row['peer']:.1f}")
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
    for bench, rows in results.items():
        if rows:
            mean = statistics.geometric_mean(row["ratio"] for row in rows.values())
            slowest = sorted((row["ratio"], name) for name, row in rows.items())[:10]
            lowest = ", ".join(f"{name} {ratio:.2f}" for ratio, name in slowest)
            print(f"\n{bench}: geometric mean of {len(rows)} ratios {mean:.2f}; lowest: {lowest}")
            bench_common.record(bench, options, rows)
    return 0 if all(len(rows) == len(programs) for rows in results.values()) else 1
