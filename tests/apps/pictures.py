# SPDX-License-Identifier: MIT
"""Draws the fixed scenes with Indium and with Mesa's llvmpipe. At least 99.5% of the pixels must
match within 2/255. Excludes the multisampled window, whose edges differ. Writes PNGs to FOLDER.
Usage: pictures.py SHIM BUILD FOLDER [SCENE…]"""

import sys

from frames import SCENES, check_all, compare_pictures, drawn, ours, peer

TOLERANCE, SHARE = 2, 0.995


def main(shim, build, folder, *names):
    def check(name, display):
        mine = drawn(name, "indium", ours(build, display), shim, folder)
        other = drawn(name, "mesa", peer(display), shim, folder)
        return compare_pictures(name, zip(mine, other), TOLERANCE, SHARE, name == "clear")

    return check_all(names or [name for name in SCENES if name != "samples"], check)


sys.exit(main(*sys.argv[1:]))
