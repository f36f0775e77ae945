# SPDX-License-Identifier: MIT
"""Draws the fixed scenes through Indium and through Mesa's llvmpipe and compares: at least 99.5%
of the pixels within 2/255. Usage: pictures.py SHIM BUILD FOLDER [SCENE…]; leaves PNGs there."""

import os
import sys

from frames import SCENES, Display, Missing, draw, far_pixels, ours, peer, write_png

TOLERANCE, SHARE = 2, 0.995


def check(name, shim, build, folder, display):
    """What is wrong with a scene, or None."""
    try:
        mine = draw(name, ours(build, display), shim, os.path.join(folder, "indium"))
        other = draw(name, peer(display), shim, os.path.join(folder, "mesa"))
    except Missing as missing:
        return str(missing)
    for number, (a, b) in enumerate(zip(mine, other)):
        write_png(os.path.join(folder, f"{name}-{number}-indium.png"), a)
        write_png(os.path.join(folder, f"{name}-{number}-mesa.png"), b)
        if a[:2] != b[:2]:
            return f"sizes differ: {a[:2]} and {b[:2]}"
        if len(set(b[2][i:i + 4] for i in range(0, len(b[2]), 4))) < 2 and name != "clear":
            return "Mesa's picture is of one color: nothing was compared"
        share = 1 - far_pixels(a[2], b[2], TOLERANCE) / (a[0] * a[1])
        print(f"{name} {number}: {100 * share:.3f}% within {TOLERANCE}/255", flush=True)
        if share < SHARE:
            return f"frame {number}: only {100 * share:.2f}% of the pixels are alike"
    return None


def main(shim, build, folder, *names):
    for part in ("indium", "mesa"):
        os.makedirs(os.path.join(folder, part), exist_ok=True)
    bad = {}
    with Display(dict(os.environ), always_own=True) as display:
        for name in names or SCENES:
            bad[name] = check(name, shim, build, folder, display)
    for name, why in bad.items():
        if why:
            print(f"FAILED {name}: {why}")
    return any(bad.values())


sys.exit(main(*sys.argv[1:]))
