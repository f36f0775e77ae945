# SPDX-License-Identifier: MIT
"""./indium bench: glmark2's scenes off-screen, ours and llvmpipe (or another
build) alternately, as ratios."""

import argparse
import importlib
import os
import re
import statistics
import subprocess

from .common import Display, Failure, ours, peer

# One of each family of glmark2's default run, and the options that its families differ in.
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


def frames_per_second(program, scene, seconds, env):
    """One run; None if the scene is not supported or the program fails."""
    command = [program, "--off-screen", "-b", f"{scene}:duration={seconds}"]
    try:
        result = subprocess.run(command, env=env, capture_output=True, text=True,
                                errors="replace", timeout=seconds * 10 + 60)
    except subprocess.TimeoutExpired:
        return None
    # FrameTime has more digits than FPS when frames take long.
    match = re.search(r"FPS: (\d+) FrameTime: ([\d.]+) ms", result.stdout)
    if result.returncode or not match:
        return None
    return 1000 / float(match[2]) if float(match[2]) > 20 else float(match[1])


def measure(program, scene, seconds, rounds, env_ours, env_peer):
    """Ratios of each round, ours to the peer's, and the medians of both."""
    pairs = []
    for _ in range(rounds):
        a = frames_per_second(program, scene, seconds, env_ours)
        b = frames_per_second(program, scene, seconds, env_peer)
        if not a or not b:
            return None
        pairs.append((a, b))
    return ([a / b for a, b in pairs], statistics.median(a for a, _ in pairs),
            statistics.median(b for _, b in pairs))


def run(args):
    if args and args[0] in ("compile", "hacks", "micro", "record", "swap"):
        return importlib.import_module(f".bench_{args[0]}", __package__).run(args[1:])
    parser = argparse.ArgumentParser(prog="./indium bench")
    parser.add_argument("names", nargs="*", help="scenes whose text contains one of these")
    parser.add_argument("--program", default="glmark2", choices=["glmark2", "glmark2-es2"])
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--against", metavar="DIR",
                        help="the libraries of another build of Indium instead of llvmpipe")
    options = parser.parse_args(args)
    scenes = [s for s in SCENES if not options.names or any(n in s for n in options.names)]
    if not scenes:
        raise Failure("no scene has such a name; all are:\n  " + "\n  ".join(SCENES))

    print(f"| scene | ratio | spread | frames/s | {options.against or 'llvmpipe'} |")
    print("|---|---|---|---|---|", flush=True)
    medians = []
    with Display(dict(os.environ), always_own=True) as display:
        env_ours = {**ours(), "DISPLAY": display["DISPLAY"]}
        env_peer = {**peer(), "DISPLAY": display["DISPLAY"]}
        if options.against:
            env_peer["LD_LIBRARY_PATH"] = os.path.abspath(options.against)
        for scene in scenes:
            result = measure(options.program, scene, options.seconds, options.rounds, env_ours,
                             env_peer)
            if not result:
                print(f"| {scene} | did not run | | | |", flush=True)
                continue
            ratios, fps, fps_peer = result
            medians.append(statistics.median(ratios))
            print(f"| {scene} | {medians[-1]:.2f} | {min(ratios):.2f}–{max(ratios):.2f} "
                  f"| {fps:.0f} | {fps_peer:.0f} |", flush=True)
    if medians:
        print(f"\ngeometric mean of {len(medians)} ratios: "
              f"{statistics.geometric_mean(medians):.2f}")
    return 0 if len(medians) == len(scenes) else 1
