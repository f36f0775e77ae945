# SPDX-License-Identifier: MIT
"""Checks that the compositing manager picom, drawn by Indium, shows windows as they change, with
each of its GL backends. Writes a picture per backend to FOLDER. Newer versions keep a window's
pixmap bound, and then show old contents if textures don't follow their pixmaps.
Usage: picom.py PAINTER BUILD FOLDER"""

import os
import re
import shutil
import subprocess
import sys
import time

from frames import Display, ours, read_rgba, write_png
from indium_command.common import PEER_ROOT, in_root

COLORS = ["ff0000", "00ff00", "0000ff"]
SKIP = 77


def programs():
    """Yields (name, command prefix, environment) of each picom: that of the system, and that of the
    root of Debian sid."""
    if shutil.which("picom"):
        yield "picom", ["picom"], {}
    if os.geteuid() == 0 and os.path.exists(os.path.join(PEER_ROOT, "usr/bin/picom")):
        yield "picom-sid", ["picom"], {"INDIUM_ROOT": PEER_ROOT}


def start(command, extra, env):
    """Starts a command, in another root if `extra` names one."""
    inside, inside_env = in_root(command, {**env, **extra})
    return subprocess.Popen(inside, env=inside_env, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def backends(command, extra, env):
    """Returns the GL backends of a picom; those since version 11 have EGL."""
    text = start([*command, "--version"], extra, env).communicate()[0]
    version = re.search(r"v(\d+)", text)
    return ["glx", "egl"] if version and int(version[1]) >= 11 else ["glx"]


def check(name, backend, command, extra, painter, build, folder):
    """Runs picom and the painter on a private X server. Returns an error, or None."""
    path = os.path.join(folder, f"{name}-{backend}")
    with Display(ours(build), always_own=True, size="400x300x24") as env:
        manager = start([*command, "--backend", backend, "--config", "/dev/null"], extra, env)
        time.sleep(1)
        try:
            painted = subprocess.run([painter, path + ".rgba", *COLORS], env=env, timeout=120,
                                     capture_output=True, text=True, check=True).stdout.split()
            running = manager.poll() is None
        finally:
            manager.terminate()
            said = manager.communicate()[0]
    write_png(path + ".png", read_rgba(path + ".rgba"))
    os.unlink(path + ".rgba")
    if not running:
        return f"{name}, {backend}: picom ended: {said[-500:]}"
    return None if painted == COLORS else f"{name}, {backend}: shows {painted} for {COLORS}"


def main(painter, build, folder):
    os.makedirs(folder, exist_ok=True)
    errors = tested = 0
    for name, command, extra in programs():
        with Display(ours(build), always_own=True) as env:
            found = backends(command, extra, env)
        for backend in found:
            error = check(name, backend, command, extra, painter, build, folder)
            print(error or f"{name}, {backend}: ok", flush=True)
            tested += 1
            errors += error is not None
    if not tested:
        print("picom is missing")
    return (1 if errors else 0) if tested else SKIP


sys.exit(main(*sys.argv[1:]))
