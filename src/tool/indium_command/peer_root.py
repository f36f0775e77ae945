# SPDX-License-Identifier: MIT
"""The root directory of Debian sid, whose Mesa and IGT tests use."""

import glob
import os
import re
import subprocess

from . import common
from .common import PEER_ROOT, Failure, in_root, packages, say

DRIVERS = "usr/lib/x86_64-linux-gnu/libEGL.so.1"


def exists():
    """Returns whether there is a root whose programs this process can run."""
    return os.geteuid() == 0 and os.path.exists(os.path.join(PEER_ROOT, DRIVERS))


def missing():
    """Returns why exists() is false."""
    if os.geteuid() != 0:
        return "only root can run programs in another root directory"
    return f"{PEER_ROOT} (INDIUM_PEER_ROOT) has no Debian sid; --make-root makes it"


def mirror(apt="/etc/apt"):
    """Returns this system's mirror of Debian."""
    names = [f"{apt}/sources.list", *sorted(glob.glob(f"{apt}/sources.list.d/*"))]
    for name in filter(os.path.isfile, names):
        with open(name, encoding="utf-8", errors="replace") as lines:
            found = re.search(r"^(?:URIs:|deb(?: \[.*?\])?) *(https?://\S+/debian)/?(?:\s|$)", lines.read(), re.M)
        if found:
            return found[1]
    return "http://deb.debian.org/debian"


def run(command):
    """Runs a command in the root."""
    inside, env = in_root(command, {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
                                    "DEBIAN_FRONTEND": "noninteractive", "INDIUM_ROOT": PEER_ROOT})
    if subprocess.run(inside, env=env, stdin=subprocess.DEVNULL).returncode:
        raise Failure(f"{command[0]} failed in {PEER_ROOT}")


def make():
    """Makes the root, or installs the packages that it lacks. Takes four minutes and 600 MB."""
    if os.geteuid() != 0:
        raise Failure("--make-root: only root can make a root directory")
    common.install(("test",))
    if not os.path.exists(os.path.join(PEER_ROOT, "usr/bin/apt-get")):
        say(f"making a Debian sid in {PEER_ROOT}")
        part = PEER_ROOT + ".part"
        subprocess.run(["rm", "-rf", "--one-file-system", part], check=True)
        os.makedirs(part)
        if subprocess.run(["debootstrap", "--variant=minbase", "--include=ca-certificates", "sid", part,
                           mirror()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode:
            raise Failure(f"debootstrap failed; see {part}/debootstrap/debootstrap.log")
        if os.path.isdir(PEER_ROOT):
            os.rmdir(PEER_ROOT)  # fails unless it is empty
        os.rename(part, PEER_ROOT)
    # Copies of a mirror may be old.
    run(["apt-get", "-q", "-o", "Acquire::Check-Valid-Until=false", "update"])
    run(["apt-get", "-q", "install", "-y", "--no-install-recommends", *packages(("peer",), "sid")])
    run(["apt-get", "clean"])
