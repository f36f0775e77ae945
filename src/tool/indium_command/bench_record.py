# SPDX-License-Identifier: MIT
"""./indium bench record: instructions per frame under callgrind, compared with a record."""

import json
import os
import re
import shutil
import subprocess
import tempfile

from . import bench_common
from .bench_micro import PROGRAM
from .common import ROOT, Failure, ours

RECORD = os.path.join(ROOT, "bench", "instructions.json")
# Frames of a short and of a long run; their difference excludes the start-up.
WORKLOADS = {"draws": (4, 12), "uniform-buffer": (4, 12), "small-triangles": (2, 6),
             "bilinear": (2, 6), "immediate": (4, 12), "list": (4, 12)}
WORSE = 1.05  # ratio above which the command fails


def instructions(name, frames, env):
    """Returns the instructions of a process that draws `frames` frames."""
    with tempfile.NamedTemporaryFile() as out:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}",
                   PROGRAM, name, "0", f"frames={frames}"]
        result = subprocess.run(command, env=env, text=True, errors="replace",
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with open(out.name, encoding="utf-8") as text:
            total = re.search(r"^(?:totals|summary): (\d+)", text.read(), re.M)
    if result.returncode or not total:
        raise Failure(f"{name} failed under valgrind:\n{result.stderr[-1000:]}")
    return int(total[1])


def per_frame(name, env):
    short, long = WORKLOADS[name]
    # fills the cache, also with kernels that workers compile in the background
    subprocess.run([PROGRAM, name, "0", "1"], env=env, stdout=subprocess.DEVNULL)
    return (instructions(name, long, env) - instructions(name, short, env)) / (long - short)


def run(args):
    parser = bench_common.parser("bench record", "workloads", rounds=None)
    parser.add_argument("--write", action="store_true", help="update bench/instructions.json")
    options = bench_common.parse(parser, args, WORKLOADS, "workload on record")
    if not shutil.which("valgrind"):
        raise Failure("valgrind is not installed")
    with open(RECORD, encoding="utf-8") as text:
        record = json.load(text)
    worse = []
    print("| workload | thousand instructions | recorded | ratio |\n|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as cache:
        # valgrind supports AVX2; the other settings make the run deterministic.
        env = {**ours(), "INDIUM_LANES": "8", "INDIUM_THREADS": "1", "INDIUM_DEBUG": "eager",
               "INDIUM_CACHE_DIR": cache, "INDIUM_TIMEOUT": "0"}
        for name in options.names:
            now, before = round(per_frame(name, env) / 1000), record.get(name)
            ratio = f"{now / before:.3f}" if before else ""
            print(f"| {name} | {now} | {before or ''} | {ratio} |", flush=True)
            if before and now > before * WORSE:
                worse.append(name)
            record[name] = now
    if options.write:
        with open(RECORD, "w", encoding="utf-8") as text:
            json.dump(record, text, indent=4)
            text.write("\n")
    elif worse:
        print(f"\nmore than {(WORSE - 1) * 100:.0f}% above the recorded value: {', '.join(worse)}")
    return 1 if worse and not options.write else 0
