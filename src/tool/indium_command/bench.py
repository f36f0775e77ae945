# SPDX-License-Identifier: MIT
"""./indium bench: glmark2's scenes off-screen, interleaved with llvmpipe or another build."""

import importlib
import os
import re
import subprocess
import threading
import time

from . import bench_common, bench_results
from .common import Display, Misuse

# Length of the runs before the rounds, which fill the caches on disk: compiling terrain's kernels
# takes longer than a round. They end when a run is hardly faster than the one before. `start` and
# `hacks` measure first frames.
WARM_SECONDS = 3
WARM_RUNS = 4
FASTER = 1.15

# One scene of each family of glmark2's default run, with the options that change the workload most.
SCENES = ["build:use-vbo=false", "build:use-vbo=true", "texture:texture-filter=nearest",
          "texture:texture-filter=linear", "texture:texture-filter=mipmap",
          "shading:shading=gouraud", "shading:shading=blinn-phong-inf", "shading:shading=phong",
          "shading:shading=cel", "bump:bump-render=high-poly", "bump:bump-render=normals",
          "bump:bump-render=height", "effect2d:kernel=0,1,0;1,-4,1;0,1,0;",
          "pulsar:light=false:quads=5:texture=false", "desktop:blur-radius=5:effect=blur:"
          "passes=1:separable=true:windows=4", "desktop:effect=shadow:windows=4",
          "buffer:columns=200:interleave=false:update-dispersion=0.9:update-fraction=0.5:"
          "update-method=map", "ideas:speed=duration", "jellyfish", "terrain", "shadow",
          "refract", "conditionals:fragment-steps=5:vertex-steps=0",
          "function:fragment-complexity=medium:fragment-steps=5",
          "loop:fragment-loop=true:fragment-steps=5:vertex-steps=5"]

COMMANDS = ("compile", "hacks", "memory", "micro", "record", "scaling", "shaders", "start", "swap",
            "transfers", "webgl")


def process_clock(pid):
    """Returns the clock of the CPU time of a process, as clock_getcpuclockid(3) makes it."""
    return ~pid << 3 | 2


def frames_per_second(program, scene, seconds, env, cpu=False):
    """Runs a scene once. Returns frames per second, or with cpu, frames per second of CPU time.
    Returns None if the scene is unsupported or fails."""
    command = [program, "--off-screen", "-b", f"{scene}:duration={seconds}"]
    command, env = bench_common.in_root(command, env)
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, errors="replace")
    end = threading.Timer(seconds * 10 + 60, process.kill)
    end.start()
    # glmark2 prints the scene's options, followed by ':', when it is set up, and appends the
    # result when the scene ends.
    text, marks = "", []
    while chunk := os.read(process.stdout.fileno(), 4096).decode(errors="replace"):
        text += chunk
        for mark in ("\n[", " FPS: "):
            if mark in text and len(marks) == (mark == " FPS: "):
                marks.append((time.monotonic(), time.clock_gettime(process_clock(process.pid))))
    process.stdout.close()
    status = process.wait()
    end.cancel()
    match = re.search(r"FPS: (\d+) FrameTime: ([\d.]+) ms", text)
    if status or not match or len(marks) != 2:
        return None
    # FrameTime is more precise than FPS for long frames.
    rate = 1000 / float(match[2]) if float(match[2]) > 20 else float(match[1])
    (wall, used), (wall_end, used_end) = marks
    return rate * (wall_end - wall) / (used_end - used) if cpu else rate


def warm_up(program, scene, env, cpu):
    before = 0
    for _ in range(WARM_RUNS):
        rate = frames_per_second(program, scene, WARM_SECONDS, env, cpu)
        if not rate or rate < before * FASTER:
            break
        before = rate


def run(args):
    if args and args[0] in COMMANDS:
        return importlib.import_module(f".bench_{args[0]}", __package__).run(args[1:])
    if "--write" in args:
        if args != ["--write"]:
            raise Misuse("bench: --write takes no other arguments")
        return bench_results.write()
    parser = bench_common.parser("bench", "scenes", seconds=1)
    parser.epilog = (f"Other benchmarks: ./indium bench {'|'.join(COMMANDS)}, see their --help. "
                     "./indium bench --write updates docs/performance.md.")
    parser.add_argument("--program", default="glmark2", choices=["glmark2", "glmark2-es2"])
    bench_common.add_against(parser)
    bench_common.add_peer(parser)
    bench_common.add_cpu(parser)
    bench_common.add_record(parser)
    options = bench_common.parse(parser, args, SCENES, "scene")
    table = bench_common.Table("glmark2", options)
    with Display(dict(os.environ), always_own=True) as display:
        env_ours, env_peer = bench_common.sides(options, display)
        for scene in options.names:
            pairs = []
            for env in (env_ours, env_peer):
                warm_up(options.program, scene, env, options.cpu)
            for _ in range(options.rounds):
                pairs.append([frames_per_second(options.program, scene, options.seconds, env,
                                                options.cpu) for env in (env_ours, env_peer)])
                if not all(pairs[-1]):
                    break
            table.add(scene, pairs)
    return table.finish(len(options.names))
