# SPDX-License-Identifier: MIT
"""Checks that compositors with wlroots, sway and labwc, are drawn by Indium, with a client that
draws with EGL: without a window system, and as clients of a weston that Indium draws, to which they
pass dma-bufs. wlroots requires a render node, which GPU, libindium-gpu.so, emulates. Runs the compositors of the
system and of the root of Debian sid, as far as they exist. Writes a picture of each to FOLDER.
Usage: wlroots.py GPU BUILD FOLDER"""

import os
import shutil
import subprocess
import sys
import tempfile

from frames import ours, read_png
from indium_command.common import PEER_ROOT, Weston, in_root

SKIP = 77
NEEDED = ("grim", "weston-simple-egl")  # for the picture; the client
CLIENT = """#!/bin/sh
unset LD_PRELOAD
weston-simple-egl > {folder}/client.log 2>&1 &
client=$!
sleep 3
grim {folder}/picture.png
kill $client
"""


class Unlike(Exception):
    """The check failed; the text is the reason."""


def compositors():
    """Yields (name, command, root) of each compositor; the root is None for the system's."""
    for root in (None, PEER_ROOT):
        def exists(program, root=root):
            return os.path.exists(f"{root}/usr/bin/{program}") if root else shutil.which(program)
        # entering a root requires root; sway of Debian 12 refuses to run as root
        if bool(root) != (os.geteuid() == 0) or not all(map(exists, NEEDED)):
            continue
        if exists("sway"):
            yield "sway", ["sway", "-d", "--unsupported-gpu", "-c", "{folder}/config"], root
        if exists("labwc"):
            yield "labwc", ["labwc", "-d", "-s", "{folder}/client"], root


def check_picture(picture):
    """Checks that the client's triangle is there: its corners are red, green and blue."""
    _, _, data = picture
    pixels = {data[i:i + 3] for i in range(0, len(data), 4)}
    for channel in range(3):
        if not any(p[channel] > 200 and sum(p) - p[channel] < 60 for p in pixels):
            raise Unlike(f"no corner of the triangle has channel {channel} alone")


def run(name, command, root, env, target):
    """Runs a compositor, which starts the client, takes a picture and is stopped."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/client", "w", encoding="utf-8") as script:
            script.write(CLIENT.format(folder=folder))
        os.chmod(f"{folder}/client", 0o755)
        with open(f"{folder}/config", "w", encoding="utf-8") as config:
            config.write(f"output * bg #204060 solid_color\nexec {folder}/client\n")
        env = {**env, **({"INDIUM_ROOT": root} if root else {})}
        env.setdefault("XDG_RUNTIME_DIR", folder)
        words, env = in_root([word.format(folder=folder) for word in command], env)
        said = subprocess.run(["timeout", "-k", "5", "12", *words], env=env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
                              check=False).stdout
        if "GL renderer: Indium" not in said:
            raise Unlike(f"{name} does not use Indium: {said[-800:]}")
        if not os.path.exists(f"{folder}/picture.png"):
            raise Unlike(f"{name}: no picture: {said[-800:]}")
        shutil.copy(f"{folder}/picture.png", target)
    check_picture(read_png(target))


def main(gpu, build, folder):
    os.makedirs(folder, exist_ok=True)
    env = ours(build, {k: v for k, v in os.environ.items()
                       if k not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")})
    emulated = {"LD_PRELOAD": os.path.abspath(gpu), "WLR_RENDER_DRM_DEVICE": "/dev/dri/renderD128",
                "INDIUM_GPU_CHIP": "none", "WLR_RENDERER": "gles2", "WLR_RENDERER_ALLOW_SOFTWARE": "1",
                "WLR_LIBINPUT_NO_DEVICES": "1"}
    errors = tested = 0
    for name, command, root in compositors():
        name += "-sid" if root else ""
        with Weston(env, "--backend=headless-backend.so", "--use-gl") as weston:
            for where, base in (("headless", env), ("wayland", weston.env)):
                if where == "wayland" and not root:
                    continue  # wlroots 0.15 requires the parent's device
                title = f"{name}-{where}"
                try:
                    run(title, command, root, {**base, **emulated, "WLR_BACKENDS": where},
                        os.path.join(folder, f"{title}.png"))
                    print(f"{title}: ok", flush=True)
                except Unlike as why:
                    errors += 1
                    print(f"{title}: {why}", flush=True)
                tested += 1
    if not tested:
        print("no compositor, or no " + " or ".join(NEEDED))
    return (1 if errors else 0) if tested else SKIP


sys.exit(main(*sys.argv[1:]))
