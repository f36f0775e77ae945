# SPDX-License-Identifier: MIT
"""./indium bench hacks: xscreensaver's hacks, ours and llvmpipe alternately: until something is seen
with nothing compiled before, and a frame with all of it."""

import os
import statistics
import tempfile

from . import bench_common
from .apps import hacks
from .common import Display, Failure, ours, peer

# Text that gltext asks another program for comes with any frame, and decides how much it draws.
ARGUMENTS = {"gltext": ["-text", "Indium"]}
FIRST, LAST = 5, 45  # frames: the start ends with the first, what follows up to the last is measured


def times(command, env, cpu, limit):
    """Seconds (cpu: of processors' time) to the first frame and of one after it; None: it fails."""
    result = bench_common.windowed(command, env, (FIRST, LAST), limit)
    if not result:
        return None
    (first, last), _ = result
    return first[cpu], (last[cpu] - first[cpu]) / (LAST - FIRST)


def measure(command, env, variable, cpu, limit):
    """Seconds to the first frame without a cache, and of a frame with it; None: it fails."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**env, variable: os.path.join(folder, "cache")}
        cold = times(command, env, cpu, limit)
        warm = cold and times(command, env, cpu, limit)
    return (cold[0], warm[1]) if warm else None


def run(args):
    parser = bench_common.parser("bench hacks", "hacks", rounds=1)
    parser.add_argument("--limit", type=float, default=30, help="seconds that a run may take")
    bench_common.add_cpu(parser)
    options = bench_common.parse(parser, args)
    installed = hacks()
    if not installed:
        raise Failure("no hack is installed: ./indium apps --install")
    programs = bench_common.chosen(installed, options.names, "hack", key=lambda hack: hack[0])
    print("| hack | start, cold | ms | llvmpipe | frame, warm | ms | llvmpipe |")
    print("|---|---|---|---|---|---|---|", flush=True)
    rows = []
    with Display(dict(os.environ), always_own=True) as env:
        for name, _, command, _ in programs:
            command = [*command, "-delay", "0", *ARGUMENTS.get(name, [])]
            pairs = [(measure(command, ours(base=env), "INDIUM_CACHE_DIR", options.cpu,
                              options.limit),
                      measure(command, peer(env), "MESA_SHADER_CACHE_DIR", options.cpu,
                              options.limit)) for _ in range(options.rounds)]
            if not all(a and b for a, b in pairs):
                print(f"| {name} | did not run | | | | | |", flush=True)
                continue
            cells, ratios = [], []
            for part in range(2):
                ratios.append(statistics.median(b[part] / a[part] for a, b in pairs))
                mine, other = (1e3 * statistics.median(side[part] for side in sides)
                               for sides in zip(*pairs))
                cells.append(f"{ratios[-1]:.2f} | {mine:.1f} | {other:.1f}")
            rows.append((*ratios, name))
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
    for part, what in enumerate(("start, cold", "frame, warm")):
        if rows:
            mean = statistics.geometric_mean(row[part] for row in rows)
            slowest = ", ".join(f"{row[2]} {row[part]:.2f}"
                                for row in sorted(rows, key=lambda row: row[part])[:10])
            print(f"\n{what}: geometric mean of {len(rows)} ratios {mean:.2f}; least: {slowest}")
    return 0 if len(rows) == len(programs) else 1
