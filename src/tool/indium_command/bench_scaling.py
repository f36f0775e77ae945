# SPDX-License-Identifier: MIT
"""./indium bench scaling: microbenchmarks with one thread, one per core, and many more."""

import os
import statistics

from . import bench_common
from .bench_micro import PROGRAM, workload
from .bench_results import result_row
from .common import ours

NAMES = ["clear", "flat-fill", "small-triangles", "lit-vertices", "alu", "bilinear"]


def cell(ratios):
    return f"{statistics.median(ratios):.2f} | {min(ratios):.2f}–{max(ratios):.2f}"


def run(args):
    parser = bench_common.parser("bench scaling", "workloads", rounds=5, seconds=0.5)
    parser.add_argument("--threads", type=int, nargs=3, default=[1, 2, 32],
                        help="three numbers of threads: one, as many as cores, many more")
    bench_common.add_record(parser)
    options = bench_common.parse(parser, args)
    every = bench_common.listed(PROGRAM) if options.names else NAMES
    names = bench_common.chosen(every, options.names, "workload")
    one, two, many = options.threads
    envs = [{**ours(), "INDIUM_CACHE_DIR": "", "INDIUM_THREADS": str(n)} for n in options.threads]
    print(f"| workload | ms, {one} | ms, {two} | gain | spread | CPU time | spread "
          f"| ms, {many} | gain over {two} | spread | CPU time | spread |")
    print("|" + "---|" * 12, flush=True)
    failed, results = 0, {"scaling": {}, "scaling-many": {}}
    for name in names:
        command = workload(name, 0, options.seconds)
        rounds = [[bench_common.costs(command, env) for env in envs]
                  for _ in range(options.rounds)]
        if not all(map(all, rounds)):
            print(f"| {name} | failed |" + " |" * 10, flush=True)
            failed = 1
            continue
        for i, rows in enumerate(results.values()):
            rows[name] = result_row([(r[i + 1][0], r[i][0]) for r in rounds])
        walls = [statistics.median(r[i][0] for r in rounds) for i in range(3)]
        gain = [a[0] / b[0] for a, b, _ in rounds]
        spent = [b[1] / a[1] for a, b, _ in rounds]
        more = [b[0] / c[0] for _, b, c in rounds]
        spent_more = [c[1] / b[1] for _, b, c in rounds]
        print(f"| {name} | {walls[0]:.3f} | {walls[1]:.3f} | {cell(gain)} | {cell(spent)} "
              f"| {walls[2]:.3f} | {cell(more)} | {cell(spent_more)} |", flush=True)
    if not failed:
        for bench, base in (("scaling", one), ("scaling-many", two)):
            threads = f"{base} thread" + "s" * (base != 1)
            bench_common.record(bench, options, results[bench], f"Indium with {threads}")
    return failed
