# SPDX-License-Identifier: MIT
"""Draws fixed scenes with the i965 driver, whose shaders run in the EU simulator, and with the CPU
driver: at least 99.9% of the pixels within 2/255. Usage: i965_pictures.py SHIM BUILD FOLDER
[SCENE…]; leaves PNGs there."""

import os
import sys

from frames import Display, Missing, draw, far_pixels, ours, write_png

SCENES = ("gears", "build", "texture", "shading", "bump", "pulsar", "conditionals", "shadow",
          "effect2d")
TOLERANCE, SHARE = 2, 0.999


def pictures(name, driver, shim, build, folder, display):
    env = {**ours(build, display), "INDIUM_DRIVER": driver}
    frames = draw(name, env, shim, os.path.join(folder, driver))
    for number, frame in enumerate(frames):
        write_png(os.path.join(folder, f"{name}-{number}-{driver}.png"), frame)
    return frames


def check(name, *where):
    """What is wrong with a scene, or None."""
    try:
        pairs = zip(pictures(name, "i965", *where), pictures(name, "cpu", *where))
    except Missing as missing:
        return str(missing)
    for number, (a, b) in enumerate(pairs):
        if a[:2] != b[:2]:
            return f"sizes differ: {a[:2]} and {b[:2]}"
        if len(set(b[2][i:i + 4] for i in range(0, len(b[2]), 4))) < 2:
            return "the picture is of one color: nothing was compared"
        share = 1 - far_pixels(a[2], b[2], TOLERANCE) / (a[0] * a[1])
        print(f"{name} {number}: {100 * share:.3f}% within {TOLERANCE}/255", flush=True)
        if share < SHARE:
            return f"frame {number}: only {100 * share:.2f}% of the pixels are alike"
    return None


def main(shim, build, folder, *names):
    for driver in ("i965", "cpu"):
        os.makedirs(os.path.join(folder, driver), exist_ok=True)
    bad = {}
    with Display(dict(os.environ), always_own=True) as display:
        for name in names or SCENES:
            bad[name] = check(name, shim, build, folder, display)
    for name, why in bad.items():
        if why:
            print(f"FAILED {name}: {why}")
    return any(bad.values())


sys.exit(main(*sys.argv[1:]))
