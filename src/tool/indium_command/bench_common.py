# SPDX-License-Identifier: MIT
"""What the commands of ./indium bench share: options, names, the other side, rows of tables."""

import argparse
import os
import statistics
import subprocess
import tempfile
import threading
import time

from . import apps
from .common import Misuse, ours, peer, prepare


def parser(command, names=None, rounds=3, seconds=None):
    """Options of ./indium COMMAND: names (what they are of), rounds, seconds, each if given."""
    options = argparse.ArgumentParser(prog=f"./indium {command}")
    if names:
        options.add_argument("names", nargs="*",
                             help=f"{names} whose name contains one of these; all without")
    if rounds:
        options.add_argument("--rounds", type=int, default=rounds, help="of which the median counts")
    if seconds:
        options.add_argument("--seconds", type=float, default=seconds, help="that a round takes")
    return options


def add_against(options):
    options.add_argument("--against", metavar="DIR",
                         help="the libraries of another build of Indium instead of llvmpipe")


def add_cpu(options):
    options.add_argument("--cpu", action="store_true",
                         help="compare the time of processors: what a loaded machine can tell")


def parse(options, args, every=None, kind=None):
    """The options of args, with packages and the build in place. every: the names there are, if
    that is known without the build; the options' names become those chosen of them."""
    parsed = options.parse_args(args)
    if every:
        parsed.names = chosen(every, parsed.names, kind)
    prepare("run", "test")
    return parsed


def listed(program):
    """The names that a program of bench/ knows: what it prints without arguments."""
    return subprocess.run([program], stdout=subprocess.PIPE, text=True).stdout.split()


def chosen(every, names, kind, key=str):
    """Those of all whose key contains one of the names; all without names."""
    found = [one for one in every if not names or any(n in key(one) for n in names)]
    if not found:
        raise Misuse(f"no {kind} has such a name; all are:\n  " + "\n  ".join(map(key, every)))
    return found


def sides(options, base):
    """Our environment and the other side's: llvmpipe's, or that of another build of ours."""
    other = peer(base)
    if options.against:
        other["LD_LIBRARY_PATH"] = os.path.abspath(options.against)
    return ours(base=base), other


def costs(command, env):
    """Milliseconds of a frame and those of processors' time, as the program prints them; None: it fails."""
    try:
        result = subprocess.run(command, env=env, text=True, errors="replace", timeout=120,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    return tuple(map(float, result.stdout.split())) if result.returncode == 0 else None


def milliseconds(command, env, cpu=False):
    """One of the two."""
    both = costs(command, env)
    return both and both[cpu]


def windowed(command, env, frames, limit=120):
    """
    A program with a window and the preloaded clock until the last of frames (numbers from 1): for each the
    seconds since the program's start and those of processors; then the peak of its memory, MB.
    None if it does not come to the last in so many seconds.
    """
    with tempfile.NamedTemporaryFile("r", encoding="ascii") as times:
        env = {**apps.preload(env, ",".join(map(str, frames))), "FRAME_SHIM_TIMES": times.name}
        start = time.monotonic()
        peak = peak_memory(command, env, limit)
        lines = [tuple(map(float, line.split()[1:])) for line in times]
    if len(lines) != len(frames):
        return None
    return [(wall - start, used) for wall, used in lines], peak


def peak_memory(command, env, limit):
    """MB that a program had resident at most, whatever its status; it is ended after limit seconds."""
    process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = threading.Timer(limit, process.kill)
    end.start()
    _, status, usage = os.wait4(process.pid, 0)
    end.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss / 1024


def print_head(kind, unit, options, more=""):
    columns = 5 + more.count("|")
    print(f"| {kind} | ratio | spread | {unit} | {options.against or 'llvmpipe'} |{more}")
    print("|" + "---|" * columns, flush=True)


def print_row(name, pairs, digits=3, higher=False, last=""):
    """
    A row of the table from pairs of ours and the other's, times or (higher) rates; the median
    ratio, above 1 where ours is faster. None where a side did not run.
    """
    if not pairs or not all(a and b for a, b in pairs):
        print(f"| {name} | did not run | | | |{last}", flush=True)
        return None
    ratios = [a / b if higher else b / a for a, b in pairs]
    mine, other = (statistics.median(side) for side in zip(*pairs))
    ratio = statistics.median(ratios)
    print(f"| {name} | {ratio:.2f} | {min(ratios):.2f}–{max(ratios):.2f} "
          f"| {mine:.{digits}f} | {other:.{digits}f} |{last}", flush=True)
    return ratio


def finish(ratios, wanted):
    """The mean of the ratios that there are, and the command's status."""
    ratios = [r for r in ratios if r]
    if ratios:
        print(f"\ngeometric mean of {len(ratios)} ratios: {statistics.geometric_mean(ratios):.2f}")
    return 0 if len(ratios) == wanted else 1
