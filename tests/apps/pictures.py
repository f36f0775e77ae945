# SPDX-License-Identifier: MIT
"""Draws the fixed scenes with Indium and with Mesa's llvmpipe. At least 99.5% of the pixels must
match within 2/255 (of two scenes with mipmaps, within more). Excludes the multisampled window, whose edges differ. Writes PNGs to FOLDER.
Usage: pictures.py SHIM BUILD FOLDER [SCENE…]"""

import sys

from frames import SCENES, check_all, compare_pictures, drawn, ours, peer

TOLERANCE, SHARE = 2, 0.995
# Scenes whose lighting amplifies the values of deep mipmap levels. The peer's glGenerateMipmap rounds up at
# each level, which makes the levels brighter; ours rounds to nearest, as Mesa 26.2.6's.
MIPMAPPED = {"terrain": 28, "refract": 16}


def main(shim, build, folder, *names):
    def check(name, display):
        mine = drawn(name, "indium", ours(build, display), shim, folder)
        other = drawn(name, "mesa", peer(display), shim, folder)
        return compare_pictures(name, zip(mine, other), MIPMAPPED.get(name, TOLERANCE), SHARE,
                                name == "clear")

    return check_all(names or [name for name in SCENES if name != "samples"], check)


sys.exit(main(*sys.argv[1:]))
