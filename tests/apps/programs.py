# SPDX-License-Identifier: MIT
"""Well-known programs: glxinfo and eglinfo name Indium as the renderer, and glmark2's validation
succeeds for all scenes for which it does with llvmpipe. Usage: programs.py BUILD [CHECK…]"""

import re
import subprocess
import sys

from frames import check_all, ours, peer


def output(command, env, timeout=600):
    result = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, errors="replace", timeout=timeout)
    return result.stdout


def check_glxinfo(mine, _):
    text = output(["glxinfo", "-B"], mine)
    if not re.search(r"OpenGL renderer string: Indium", text):
        return f"glxinfo -B does not name Indium:\n{text[-600:]}"
    return None


def check_eglinfo(mine, _):
    text = output(["eglinfo"], mine)
    sections = re.split(r"^(\w[\w ]*) platform:$", text, flags=re.M)
    named = {title: "Indium" in body for title, body in zip(sections[1::2], sections[2::2])}
    if "Device" not in named:  # devices are listed as "Device #0:" under another heading
        named["Device"] = bool(re.search(r"Device #0:.*?Indium", text, re.S))
    missing = [title for title in ("X11", "Surfaceless", "Device") if not named.get(title)]
    return f"eglinfo does not name Indium under {missing}:\n{text[:1500]}" if missing else None


def validate(program, env):
    """Returns a dict scene → Success, Failure, Unknown, Unsupported …, and the program's output."""
    text = output([program, "--validate"], env)
    return dict(re.findall(r"^(\[\w+\].*): Validation: (\w+)", text, re.M)), text


def check_validation(program, mine, other):
    ours_says, text = validate(program, mine)
    peer_says, _ = validate(program, other)
    for scene, says in ours_says.items():
        print(f"{scene}: {says}")
    missing = [scene for scene in peer_says if scene not in ours_says]
    if missing or len(peer_says) < 17 or "Unsupported" in text:
        return f"{program} --validate has no result for {missing}:\n{text[-800:]}"
    bad = {scene: says for scene, says in ours_says.items()
           if says != "Success" and not (says == "Unknown" and peer_says.get(scene) == "Unknown")}
    return f"{program} --validate: {bad}" if bad else None


CHECKS = {
    "glxinfo": check_glxinfo,
    "eglinfo": check_eglinfo,
    "glmark2": lambda mine, other: check_validation("glmark2", mine, other),
    "glmark2-es2": lambda mine, other: check_validation("glmark2-es2", mine, other),
}


def main(build, *names):
    def check(name, display):
        try:
            return CHECKS[name](ours(build, display), peer(display))
        except subprocess.TimeoutExpired:
            return "timeout"

    return check_all(names or CHECKS, check)


sys.exit(main(*sys.argv[1:]))
