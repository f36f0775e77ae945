#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""Runs IGT, the tests of Linux's i915 driver, on the emulated GPU, each subtest in its own process.
Uses the IGT of the Debian root in INDIUM_PEER_ROOT (default /srv/sid), or the system's. Compares
the results with igt_results.tsv, which has a row for each subtest that is known to fail or to
exceed the time limit: program, subtest, result, reason. Exits with 1 if other subtests fail, and
with 77 if there is no IGT.

Usage: igt.py [--limit SECONDS] [--only REGEX] [--jobs COUNT] [--table] LIBRARY
       PRELOAD FOLDER [PROGRAM…]
LIBRARY is libindium-gpu.so, PRELOAD the library of igt_preload.c. Writes results.tsv and the output of
each subtest that doesn't pass to FOLDER. --limit is the time limit of a subtest (default 200 s).
--only selects the subtests whose names match. --jobs is the number of subtests that run at once.
--table only prints the table of docs/i965.md from FOLDER/results.tsv. Subtests that fail
unexpectedly run once more, because some measure times."""

import argparse
import collections
import concurrent.futures
import ctypes
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "src", "tool"))

from indium_command.common import PEER_ROOT, end_children, in_root  # noqa: E402

SKIP = 77
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h
CLONE_NEWIPC = 0x08000000  # linux/sched.h
# Sets i915's limit of a request, which is 20 s by default: a subtest whose name contains "hang" waits
# for the limit up to ten times.
SET_LIMIT = '(echo 1000 > /sys/module/i915/parameters/request_timeout_ms) 2>/dev/null; exec "$@"'
MEMORY = 6 << 30  # limit of a process's address space, in bytes
EXPECTED = os.path.join(HERE, "igt_results.tsv")
PROGRAMS = (
    "gem_basic", "gem_create", "gem_mmap", "gem_mmap_offset", "gem_pwrite", "gem_pread",
    "gem_exec_basic", "gem_exec_params", "gem_exec_reloc", "gem_exec_fence", "gem_softpin",
    "gem_userptr_blits", "gem_ctx_create", "gem_ctx_param", "syncobj_basic", "syncobj_wait",
    "syncobj_timeline", "prime_self_import", "gem_exec_store", "gem_linear_blits",
    "gem_tiled_blits", "gem_pipe_control_store_loop", "gem_gpgpu_fill", "gem_media_fill",
    "gem_render_copy")
RESULTS = {"SUCCESS": "pass", "FAIL": "fail", "SKIP": "skip", "CRASH": "crash"}


def find_programs():
    """Returns (root, folder) of IGT's programs. The root is None if they are installed in the
    running system. Returns None if there is no IGT."""
    folder = "usr/libexec/igt-gpu-tools"
    if os.geteuid() == 0 and os.path.isdir(os.path.join(PEER_ROOT, folder)):
        return PEER_ROOT, "/" + folder
    return (None, "/" + folder) if os.path.isdir("/" + folder) else None


def isolate():
    """Limits the memory of tests that would fill all of it, so that no other program is killed. Gives
    each test its own message queues, if this process may do that: IGT's allocator uses one with a
    fixed key."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    ctypes.CDLL(None).unshare(CLONE_NEWIPC)


def prctl(operation, value):
    if ctypes.CDLL(None, use_errno=True).prctl(operation, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def adopt_orphans():
    """Makes this process the parent of descendants whose parents end. Subtests leave such processes,
    in process groups of their own."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def end_descendants():
    """Ends all descendants of this process, which must have called adopt_orphans(): when a child ends,
    its children become children of this process."""
    while True:
        end_children(signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def start_worker():
    """Prepares a process of the pool. Its descendants end with it, and it ends with the main
    process."""
    def end(*_):
        end_descendants()
        os._exit(1)
    adopt_orphans()
    signal.signal(signal.SIGTERM, end)
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Runner:
    """Runs programs of IGT with the emulated GPU, one at a time in a process."""

    def __init__(self, libraries, place, limit):
        self.preload = ":".join(map(os.path.realpath, libraries))
        self.root, self.folder = place
        self.limit = limit

    def run(self, program, *arguments, limit=None):
        """Runs a program. limit: in seconds; None: self.limit. Returns its output, whether it
        exited within the limit, and the wall-clock time in seconds. All descendants of this process
        have ended when it returns."""
        with tempfile.TemporaryDirectory(prefix=f"indium-gpu-{os.getpid()}-") as tree:
            env = {"PATH": os.environ["PATH"], "HOME": tree, "INDIUM_GPU_CHIP": "skl",
                   "INDIUM_GPU_TREE": tree, **({"INDIUM_ROOT": self.root} if self.root else {})}
            hangs = ["/bin/sh", "-c", SET_LIMIT, "sh"] if any("hang" in a for a in arguments) else []
            command, env = in_root(["/usr/bin/env", f"LD_PRELOAD={self.preload}", *hangs,
                                    f"{self.folder}/{program}", *arguments], env)
            start = time.monotonic()
            with open(os.path.join(tree, "output"), "w+b") as output:
                process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=output,
                                           stderr=subprocess.STDOUT, preexec_fn=isolate)
                try:
                    process.wait(limit or self.limit)
                    done = True
                except subprocess.TimeoutExpired:
                    done = False
                end_descendants()
                process.wait()
                output.seek(0)
                text = output.read().decode(errors="replace")
            return text, done, time.monotonic() - start

    def subtests(self, program):
        """Returns the names of a program's subtests; [None] if it has none."""
        names = self.run(program, "--list-subtests", limit=60)[0].split()
        return names or [None]

    def subtest(self, program, name):
        """Runs a subtest, or the whole program if name is None. Returns the result (a value of
        RESULTS, or "time" after the time limit), the wall-clock time in seconds, and the output."""
        text, done, seconds = self.run(program, *(["--run-subtest", name] if name else []))
        found = re.findall(rf"^Subtest {re.escape(name)}: ([A-Z]+)" if name else r"^([A-Z]+) \(",
                           text, re.M)
        if not done:
            return "time", seconds, text
        return RESULTS.get(found[-1] if found else "CRASH", "crash"), seconds, text


def read_rows(path):
    """Returns the rows of a TSV file as lists, without comments. Returns [] if there is no file."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if line[0] not in "#\n"]


def print_table(folder):
    """Prints the numbers of passed, skipped and other subtests of each program as a table."""
    counts = collections.defaultdict(collections.Counter)
    for program, _, result, _ in read_rows(os.path.join(folder, "results.tsv")):
        counts[program][result] += 1
    print("| program | pass | fail | not finished | skip |\n|---|---|---|---|---|")
    for program, c in counts.items():
        print(f"| `{program}` | {c['pass']} | {c['fail'] + c['crash']} | {c['time']} | {c['skip']} |")


def run_subtest(runner, program, name, expected):
    """Runs a subtest in a process of the pool, again if it fails unexpectedly."""
    result, seconds, text = runner.subtest(program, name)
    if result == "fail" and result != expected:
        result, seconds, text = runner.subtest(program, name)
    return result, seconds, text


def report(program, runs, options, expected, results):
    """Waits for the subtests of a program and writes rows to the file `results`. runs: dict from names
    to futures. Returns the number of unexpected results."""
    counts, wrong = collections.Counter(), 0
    for name, future in runs.items():
        result, seconds, text = future.result()
        counts[result] += 1
        print(program, name or "-", result, f"{seconds:.1f}", sep="\t", file=results, flush=True)
        if result != "pass":
            with open(os.path.join(options.folder, f"{program}.{name}.log"), "w",
                      encoding="utf-8") as log:
                log.write(text)
        if result not in ("pass", "skip", expected.get((program, name or "-"))):
            wrong += 1
            print(f"{program} {name}: {result}", flush=True)
    print(f"{program}: {', '.join(f'{n} {r}' for r, n in sorted(counts.items()))}", flush=True)
    return wrong


def run(options, place):
    """Runs the programs. Returns the number of unexpected results."""
    expected = {(row[0], row[1]): row[2] for row in read_rows(EXPECTED)}
    runner = Runner([options.library, options.preload], place, options.limit)
    programs = options.programs or PROGRAMS
    with concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=start_worker) as pool, \
            open(os.path.join(options.folder, "results.tsv"), "w", encoding="utf-8") as results:
        names = {program: [name for name in found if re.search(options.only, name or program)]
                 for program, found in zip(programs, pool.map(runner.subtests, programs))}
        runs = {program: {name: pool.submit(run_subtest, runner, program, name,
                                            expected.get((program, name or "-")))
                          for name in names[program]} for program in programs}
        return sum(report(program, runs[program], options, expected, results)
                   for program in programs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=float, default=200)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("library")
    parser.add_argument("preload")
    parser.add_argument("folder")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    if options.table:
        print_table(options.folder)
        return 0
    place = find_programs()
    if not place:
        print("no IGT: install igt-gpu-tools, or a Debian root in INDIUM_PEER_ROOT")
        return SKIP
    os.makedirs(options.folder, exist_ok=True)
    return 1 if run(options, place) else 0


if __name__ == "__main__":
    sys.exit(main())
