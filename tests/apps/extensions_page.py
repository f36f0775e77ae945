# SPDX-License-Identifier: MIT
"""Checks that docs/extensions.md matches the built libraries, and gives a reason for each extension
that only llvmpipe has. Usage: extensions_page.py BUILD"""

import os
import sys

from frames import ROOT, Display, ours
from indium_command import extensions


def main():
    with Display(ours(sys.argv[1]), always_own=True) as env:
        own = extensions.lists(env)
    with open(os.path.join(ROOT, "docs", "extensions.md"), encoding="utf-8") as page:
        wrong = extensions.differences(page.read(), own)
    print("\n".join(wrong) or "the page is up to date")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
