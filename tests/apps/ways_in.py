# SPDX-License-Identifier: MIT
"""Each way in: programs of Debian's, told by nothing but variables to draw with Indium, name it as
their renderer and show what llvmpipe shows. Usage: ways_in.py SHIM BUILD FOLDER [WAY…]"""

import os
import re
import subprocess
import sys

from frames import SCENES, Display, Missing, compare_pictures, drawn, peer
from indium_command.common import ways_in

TOLERANCE, SHARE = 2, 0.995
SCENES["es2"] = (["glmark2-es2", "-s", "300x200", "-b", "shading:shading=phong:duration=10"], "5")

# way: the program that tells the renderer, and the scenes.
CHECKS = {
    "glvnd-glx": (["glxinfo", "-B"], ["gears", "texture"]),
    "glvnd-egl": (["glmark2-es2", "-b", "clear:duration=0.1"], ["es2"]),
}


def check(way, display, shim, build, folder):
    info, scenes = CHECKS[way]
    env = ways_in(build, display)[way]
    text = subprocess.run(info, env=env, capture_output=True, text=True, errors="replace",
                          timeout=120).stdout
    found = re.search(r"(?:renderer string|GL_RENDERER): +(Indium .*)", text)
    if not found:
        return f"{info[0]} does not name Indium:\n{text[:800]}"
    print(f"{way}: {found[1]}", flush=True)
    for scene in scenes:
        mine = drawn(scene, way, env, shim, folder)
        other = drawn(scene, "mesa", peer(display), shim, folder)
        why = compare_pictures(f"{way} {scene}", zip(mine, other), TOLERANCE, SHARE)
        if why:
            return f"{scene}: {why}"
    return None


def main(shim, build, folder, *names):
    failed = False
    with Display(dict(os.environ), always_own=True) as display:
        for way in names or CHECKS:
            try:
                why = check(way, display, shim, build, folder)
            except (Missing, subprocess.TimeoutExpired) as missing:
                why = str(missing)
            if why:
                print(f"FAILED {way}: {why}")
            failed |= why is not None
    return failed


sys.exit(main(*sys.argv[1:]))
