# SPDX-License-Identifier: MIT
"""Checks that contexts of Indium have each extension of the newer llvmpipe (extensions.newer_peer),
unless extensions.ABSENT has a reason. Skips where that llvmpipe is missing. Usage:
extensions_newer.py BUILD"""

import os
import sys

from frames import Display, ours
from indium_command import extensions
from indium_command.common import peer

SKIP = 77


def main():
    with Display(peer(), always_own=True) as env:
        inside = extensions.newer_peer(env)
        if not inside or os.geteuid():
            print("there is no other system with a newer llvmpipe, or not the right to enter it")
            return SKIP
        newer = extensions.lists(inside)
        own = extensions.lists(ours(sys.argv[1], base=env))
    for kind in ("core", "compatibility", "es2"):
        for name, side in (("Indium", own), ("llvmpipe", newer)):
            if not side[kind][1]:
                print(f"{name} has no context of kind {kind}")
                return 1
    wrong = extensions.unexplained(own, newer)
    print("\n".join(wrong) or "no extension is missing")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
