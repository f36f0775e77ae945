# SPDX-License-Identifier: MIT
"""Code shared by the benchmarks of ./indium bench: options, environments, running, tables."""

import argparse
import os
import statistics
import subprocess
import tempfile
import threading
import time

from . import apps, bench_results
from .common import PEER_ROOT, Failure, Misuse, in_root, ours, peer, prepare

def parser(command, names=None, rounds=3, seconds=None):
    """Returns a parser for ./indium COMMAND with the options names (a plural noun for the help
    text), rounds and seconds, each if given."""
    options = argparse.ArgumentParser(prog=f"./indium {command}")
    if names:
        options.add_argument("names", nargs="*",
                             help=f"run only {names} whose name contains one of these")
    if rounds:
        options.add_argument("--rounds", type=int, default=rounds,
                             help="number of rounds; the median counts")
    if seconds:
        options.add_argument("--seconds", type=float, default=seconds, help="seconds per round")
    return options


def add_against(options):
    options.add_argument("--against", metavar="DIR",
                         help="compare with the libraries of another build of Indium")


def add_peer(options):
    there = os.path.exists(os.path.join(PEER_ROOT, "usr/lib/x86_64-linux-gnu/libEGL.so.1"))
    options.add_argument("--peer", choices=["sid", "system"], default="sid" if there else "system",
                         help="take the peer's Mesa from the root directory of another system, "
                              f"{PEER_ROOT} (INDIUM_PEER_ROOT), or from this system")


def add_cpu(options):
    options.add_argument("--cpu", action="store_true",
                         help="compare CPU time, for use on a loaded machine")


def add_record(options):
    options.add_argument("--record", metavar="MACHINE",
                         help="write the results of a complete run to bench/results/, for the "
                              "column MACHINE of docs/performance.md")


def parse(options, args, every=None, kind=None):
    """Parses args, then installs packages and builds. every: all names, if known without the build;
    parsed.names then becomes the list of matching names."""
    parsed = options.parse_args(args)
    if getattr(parsed, "record", None) and (getattr(parsed, "names", None) or
                                            getattr(parsed, "against", None)):
        raise Misuse("bench: --record requires a complete run, without names and --against")
    if every:
        parsed.names = chosen(every, parsed.names, kind)
    prepare("run", "test")
    return parsed


def listed(program):
    """Returns the workloads of a program in bench/, which it prints when run without arguments."""
    return subprocess.run([program], stdout=subprocess.PIPE, text=True).stdout.split()


def chosen(every, names, kind, key=str):
    """Returns the elements whose key contains one of the names, or all without names."""
    found = [one for one in every if not names or any(n in key(one) for n in names)]
    if not found:
        raise Misuse(f"no {kind} has such a name; available:\n  " + "\n  ".join(map(key, every)))
    return found


def sides(options, base):
    """Returns the environments of Indium and of the peer: llvmpipe, or another build."""
    other = peer(base)
    if options.against:
        other["LD_LIBRARY_PATH"] = os.path.abspath(options.against)
    elif getattr(options, "peer", None) == "sid":
        other["INDIUM_ROOT"] = PEER_ROOT
    return ours(base=base), other


def loaded_peer(options, root=PEER_ROOT):
    """Returns the environment of the peer, without its shader cache, and the words before the path
    of a program of this build: with --peer sid, the loader of the other system, whose libraries
    the program then uses."""
    env = {**peer(), "MESA_SHADER_CACHE_DISABLE": "true"}
    if options.peer == "system":
        return env, []
    root = os.path.abspath(root)
    libraries = os.path.join(root, "usr/lib/x86_64-linux-gnu")
    loader = os.path.join(root, "lib64/ld-linux-x86-64.so.2")
    if not os.path.exists(loader):
        raise Failure(f"{root} is not the root of a system; use --peer system")
    env["__EGL_VENDOR_LIBRARY_FILENAMES"] = os.path.join(
        root, "usr/share/glvnd/egl_vendor.d/50_mesa.json")
    env["LIBGL_DRIVERS_PATH"] = os.path.join(libraries, "dri")
    return env, [loader, "--library-path", libraries]


def costs(command, env):
    """Returns wall-clock and CPU milliseconds per frame, printed by the program, or None."""
    command, env = in_root(command, env)
    try:
        result = subprocess.run(command, env=env, text=True, errors="replace", timeout=120,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    return tuple(map(float, result.stdout.split())) if result.returncode == 0 else None


def milliseconds(command, env, cpu=False):
    """Returns wall-clock or CPU milliseconds per frame, or None if the program fails."""
    both = costs(command, env)
    return both and both[cpu]


def windowed(command, env, frames, limit=120):
    """Runs a program with a window and the preloaded clock until the last of `frames` (from 1).
    Returns a list with (wall-clock, CPU) seconds since the start for each frame, and the peak
    memory in MB. Returns None if the last frame is not reached within `limit` seconds."""
    with tempfile.NamedTemporaryFile("r", encoding="ascii") as times:
        env = {**apps.preload(env, ",".join(map(str, frames))), "FRAME_SHIM_TIMES": times.name}
        start = time.monotonic()
        peak = peak_memory(command, env, limit)
        lines = [tuple(map(float, line.split()[1:])) for line in times]
    if len(lines) != len(frames):
        return None
    return [(wall - start, used) for wall, used in lines], peak


def peak_memory(command, env, limit):
    """Returns the peak resident memory of a program in MB. Ends it after `limit` seconds."""
    process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = threading.Timer(limit, process.kill)
    end.start()
    _, status, usage = os.wait4(process.pid, 0)
    end.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss / 1024


class Table:
    """Prints ratios row by row as a Markdown table, and records them with --record."""

    def __init__(self, bench, options, more=""):
        """more: titles of additional columns, each followed by '|'."""
        self.bench, self.options, self.rows = bench, options, {}
        info = self.info = bench_results.BENCHMARKS[bench]
        peer_name = getattr(options, "against", None) or "llvmpipe"
        print(f"| {info.kind} | ratio | spread | {info.unit or 'Indium'} | {peer_name} |{more}")
        print("|" + "---|" * (5 + more.count("|")), flush=True)

    def add(self, name, pairs, last=""):
        """Adds a row from pairs of values of Indium and of the peer, one pair per round. A value is
        None if that side failed. last: cells of the additional columns."""
        if not pairs or not all(mine and other for mine, other in pairs):
            print(f"| {name} | failed | | | |{last}", flush=True)
            return
        row = self.rows[name] = bench_results.result_row(pairs, self.info.higher)
        digits = self.info.digits
        print(f"| {name} | {row['ratio']:.2f} | {row['min']:.2f}–{row['max']:.2f} "
              f"| {row['indium']:.{digits}f} | {row['peer']:.{digits}f} |{last}", flush=True)

    def finish(self, wanted):
        """Prints the mean and records the result. Returns the exit status: 0 for `wanted` rows."""
        if self.rows and self.info.mean:
            mean = statistics.geometric_mean(row["ratio"] for row in self.rows.values())
            print(f"\ngeometric mean of {len(self.rows)} ratios: {mean:.2f}")
        if len(self.rows) != wanted:
            return 1
        record(self.bench, self.options, self.rows)
        return 0


def record(bench, options, rows, peer_name=None, note=None):
    """Writes the rows to bench/results/ if --record was given. note: is added to the settings."""
    if not options.record:
        return
    settings = f"{options.rounds} round" + "s" * (options.rounds != 1)
    if getattr(options, "seconds", None):
        settings += f" of {options.seconds:g} s"
    settings += ", CPU time" if getattr(options, "cpu", False) else ""
    for name in ("INDIUM_ISA", "INDIUM_LANES"):
        value = os.environ.get(name)
        settings += f", {name}={value}" if value else ""
    settings += f", {note}" if note else ""
    root = PEER_ROOT if getattr(options, "peer", None) == "sid" else ""
    peer_name = peer_name or bench_results.PEER.format(bench_results.peer_version(root))
    bench_results.save(bench, options.record, settings, rows, peer_name)
