# SPDX-License-Identifier: MIT
"""Draws fixed scenes with the i965 driver, whose shaders run in the EU simulator, and with the CPU
driver. At least 99.9% of the pixels must match within 2/255. Writes PNGs to FOLDER. Usage:
i965_pictures.py SHIM BUILD FOLDER [SCENE…]"""

import sys

from frames import SCENES, check_all, compare_pictures, drawn, ours

TOLERANCE, SHARE = 2, 0.999


def main(shim, build, folder, *names):
    def check(name, display):
        pairs = zip(*(drawn(name, driver, {**ours(build, display), "INDIUM_DRIVER": driver}, shim,
                            folder) for driver in ("i965", "cpu")))
        return compare_pictures(name, pairs, TOLERANCE, SHARE, name == "clear")

    return check_all(names or (*SCENES, "geometry"), check)


sys.exit(main(*sys.argv[1:]))
