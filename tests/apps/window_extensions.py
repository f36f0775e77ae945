# SPDX-License-Identifier: MIT
"""Checks that GLX and EGL list every extension that Mesa in the root of Debian sid lists, and that
docs/extensions.md matches the built libraries. Without that root, only the latter.
Usage: window_extensions.py BUILD"""

import os
import sys

from frames import ROOT, Display, ours
from indium_command import window_extensions
from indium_command.common import PEER_ROOT
from indium_command.common import Weston


def main():
    with Display(ours(sys.argv[1]), always_own=True) as env, Weston(env) as weston:
        both = {**weston.env, "DISPLAY": env["DISPLAY"]}
        own = window_extensions.lists(both)
        mesa = window_extensions.mesa_lists(both)
    wrong = [f"no {title} extensions" for title, names in own.items() if not names]
    if mesa:
        wrong += [f"Mesa has no {title} extensions" for title, names in mesa.items() if not names]
        wrong += window_extensions.missing(own, mesa)
    else:
        print(f"not compared with Mesa, because {PEER_ROOT} is missing or the user is not root")
    with open(os.path.join(ROOT, "docs", "extensions.md"), encoding="utf-8") as page:
        wrong += window_extensions.differences(page.read(), own)
    print("\n".join(wrong) or "the lists are complete and the page is up to date")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
