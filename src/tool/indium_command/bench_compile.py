# SPDX-License-Identifier: MIT
"""./indium bench compile: compiling and linking piglit's largest programs, compared with Mesa."""

import os
import re
import subprocess

from . import bench_common
from .common import BUILD, Failure, ours, say
from .piglit import OVERRIDES

PIGLIT = "/usr/lib/x86_64-linux-gnu/piglit"
SECTION = re.compile(r"^\[[a-z ]* shader\]\n(.*?)(?=^\[|\Z)", re.M | re.S)
MESA = {"MESA_GL_VERSION_OVERRIDE": "4.6COMPAT", "MESA_GLES_VERSION_OVERRIDE": "3.2",
        "MESA_GLSL_VERSION_OVERRIDE": "460"}


def largest_programs(count):
    """Returns the paths of the .shader_test files with the most shader text."""
    sizes = []
    for top in ("tests", "generated_tests"):
        for folder, _, names in os.walk(os.path.join(PIGLIT, top)):
            for name in names:
                if not name.endswith(".shader_test"):
                    continue
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8", errors="replace") as text:
                    sizes.append((sum(map(len, SECTION.findall(text.read()))), path))
    sizes.sort(key=lambda s: (-s[0], s[1]))
    return [path for _, path in sizes[:count]]


def measure(side, paths, rounds, name):
    """side: environment, and words before the program's path. Returns a dict PATH → (microseconds
    to compile, microseconds to link, whether it links)."""
    env, words = side
    results = {}
    left, crashes = paths, 0
    while left:
        run = subprocess.run([*words, os.path.join(BUILD, "bench", "compile", "compile-bench"),
                              str(rounds)], env=env, input="\n".join(left) + "\n", text=True,
                             errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for line in run.stdout.splitlines():
            compile_time, link_time, state, path = line.split(" ", 3)
            results[path] = (float(compile_time), float(link_time), state == "linked")
        rest = [p for p in left if p not in results]
        if run.returncode:
            crashes += 1
            say(f"{name} crashed in {rest[0]}" if rest else f"{name} crashed at exit")
            rest = rest[1:]
        if len(rest) == len(left) or crashes > 100:
            raise Failure(f"compile-bench fails with {name}:\n{run.stderr[-1000:]}")
        left = rest
    return results


def run(args):
    parser = bench_common.parser("bench compile", rounds=2)
    parser.add_argument("--count", type=int, default=5000, help="number of the largest programs")
    bench_common.add_record(parser)
    bench_common.add_peer(parser)
    parser.add_argument("-v", dest="verbose", action="store_true",
                        help="list the programs that only Mesa links, and the slowest ones")
    options = bench_common.parse(parser, args)
    if not os.path.isdir(PIGLIT):
        raise Failure("piglit is not installed")
    paths = largest_programs(options.count)
    env_peer, words = bench_common.loaded_peer(options)
    a = measure(({**ours(), **OVERRIDES}, []), paths, options.rounds, "Indium")
    b = measure(({**env_peer, **MESA}, words), paths, options.rounds, "Mesa")
    both = [p for p in paths if p in a and p in b and a[p][2] and b[p][2]]
    if not both:
        raise Failure("no program links with both drivers")
    print("| | Indium | Mesa | Mesa / Indium |\n|---|---|---|---|")
    rows = {}
    for name, time in (("compile", lambda r: r[0]), ("link", lambda r: r[1]),
                       ("both", lambda r: r[0] + r[1])):
        x, y = (sum(time(r[p]) for p in both) / 1e6 for r in (a, b))
        rows[name] = {"ratio": y / x, "indium": x, "peer": y}
        print(f"| {name} | {x:.2f} s | {y:.2f} s | {y / x:.2f} |")
    bench_common.record("compile", options, rows)
    only = [p for p in paths if b.get(p, (0, 0, False))[2] and p not in both]
    print(f"{len(both)} of {len(paths)} programs link with both, {len(only)} with Mesa only")
    if options.verbose:
        for path in only:
            print(f"  Mesa only: {os.path.relpath(path, PIGLIT)}")
        slow = sorted(both, key=lambda p: sum(b[p][:2]) - sum(a[p][:2]))[:40]
        for path in slow:
            print(f"  {sum(a[path][:2]):.0f} µs, {sum(b[path][:2]):.0f} with Mesa: "
                  f"{os.path.relpath(path, PIGLIT)}")
    return 0
