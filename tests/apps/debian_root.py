#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""Tests the Debian package on a new Debian 12: builds it from a clean copy of the last commit,
installs it in a chroot, runs programs there with only GLVND's variables set, purges it, and
compares the file system with its earlier state. Run it by hand as root, with a network and a built
tree. It takes as long as a build, and 4 GB. Usage: debian_root.py FOLDER. Existing results in
FOLDER are reused (build/*.deb, root/); delete it afterwards."""

import glob
import hashlib
import os
import re
import stat
import subprocess
import sys
import time

from frames import ROOT, Display, compare_pictures, read_png

from indium_command.common import BUILD

MIRROR = "http://deb.debian.org/debian"
# Packages installed before, so that only changes of our package differ.
BEFORE = ["mesa-utils", "gtk-4-examples", "fonts-dejavu-core", "lintian"]
VENDORS = {"__GLX_VENDOR_LIBRARY_NAME": "indium",
           "__EGL_VENDOR_LIBRARY_FILENAMES": "/usr/share/glvnd/egl_vendor.d/60_indium.json"}
# Files that apt, dpkg and ldconfig change for any package, and where programs write.
NOTES = re.compile(r"/(proc|sys|dev|run|tmp|var/log|var/tmp|var/cache|var/lib/apt|home|"
                   r"root/\.cache|var/lib/dpkg/(status|available|lock|triggers|updates)|indium\.deb)\b")


class Wrong(Exception):
    """The check failed; the text is the reason."""


def run(command, **options):
    """Runs a command and returns its output. Raises Wrong with its last lines on failure."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors="replace", **options)
    if result.returncode:
        raise Wrong(f"{' '.join(command)} exited with {result.returncode}:\n{result.stdout[-3000:]}")
    return result.stdout


def build_package(folder):
    """Builds the package from a copy of the last commit. Returns its path."""
    source = os.path.join(folder, "build", "indium")
    os.makedirs(source)
    with subprocess.Popen(["git", "-C", ROOT, "archive", "HEAD"], stdout=subprocess.PIPE) as archive:
        run(["tar", "-x", "-C", source], stdin=archive.stdout)
    run(["dpkg-buildpackage", "-b", "-us", "-uc", f"-j{os.cpu_count()}"], cwd=source)
    return built(folder)


def built(folder):
    """Returns the path of a built package, or None."""
    return next(iter(glob.glob(os.path.join(folder, "build", "indium_*.deb"))), None)


class Root:
    """A Debian system in a directory, used with chroot."""

    def __init__(self, path):
        self.path = path
        if not os.path.exists(os.path.join(path, "bin")):
            run(["debootstrap", "--variant=minbase", "bookworm", path, MIRROR])
        self.env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/home",
                    "DEBIAN_FRONTEND": "noninteractive"}

    def run(self, *command, **env):
        return run(["chroot", self.path, *command], env={**self.env, **env})

    def apt_get(self, *arguments):
        self.run("apt-get", "-qq", "-o", "APT::Sandbox::User=root", *arguments)

    def start(self, *command, **env):
        return subprocess.Popen(["chroot", self.path, *command], env={**self.env, **env},
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def files(self):
        """Returns a dict path → description of all files that packages may change."""
        found = {}
        for folder, folders, names in os.walk(self.path):
            inside = folder[len(self.path):]
            folders[:] = [name for name in folders if not NOTES.match(f"{inside}/{name}")]
            for name in folders + names:
                path = os.path.join(folder, name)
                if not NOTES.match(f"{inside}/{name}"):
                    by_content = inside.startswith(("/etc", "/var"))
                    found[f"{inside}/{name}"] = describe(path, by_content)
        return found


def describe(path, by_content):
    """Returns properties of a file for comparison. by_content: a rewritten file with the same
    content is equal."""
    status = os.lstat(path)
    content = ""
    if stat.S_ISLNK(status.st_mode):
        content = os.readlink(path)
    elif stat.S_ISREG(status.st_mode) and not by_content:
        content = f"{status.st_size} {status.st_mtime_ns}"
    elif stat.S_ISREG(status.st_mode):
        with open(path, "rb") as file:
            content = hashlib.file_digest(file, "sha1").hexdigest()
    return stat.filemode(status.st_mode), status.st_uid, status.st_gid, content


def differences(before, after):
    return sorted(path for path in before.keys() | after.keys()
                  if before.get(path) != after.get(path))


def maps(process):
    """Returns the names of the libraries that a process has mapped."""
    with open(f"/proc/{process.pid}/maps", encoding="utf-8") as lines:
        return {os.path.basename(line.split()[-1]) for line in lines if ".so" in line}


def shown(root, display, command, picture, **env):
    """Runs a program until the screen stops changing, or for 20 s. Returns its libraries and a
    screenshot."""
    shot = [os.path.join(BUILD, "src", "tool", "indium-screenshot"), picture]
    with root.start(*command, DISPLAY=display["DISPLAY"], **env) as process:
        try:
            last = None
            for _ in range(20):
                time.sleep(1)
                if process.poll() is not None:
                    raise Wrong(f"{command[0]} exited with {process.returncode}")
                run(shot, env=display)
                now = read_png(picture)
                colors = len(set(now[2][i:i + 4] for i in range(0, len(now[2]), 4)))
                if now == last and colors > 8:
                    break
                last = now
            return maps(process), now
        finally:
            process.kill()


def check_programs(root, folder):
    with Display(dict(os.environ), always_own=True) as display:
        # eglinfo fails if one of its platforms is missing
        for command in ("glxinfo -B", "eglinfo || true"):
            text = root.run("sh", "-c", command, DISPLAY=display["DISPLAY"], **VENDORS)
            found = re.search(r"(?:renderer|EGL vendor) string: (Indium.*)", text)
            if not found:
                raise Wrong(f"{command} does not name Indium:\n{text[:2000]}")
            print(f"{command}: {found[1]}", flush=True)
        for command, moves in ((["glxgears"], True), (["gtk4-widget-factory"], False)):
            pictures = {}
            for who, vendors in (("indium", VENDORS), ("mesa", {})):
                path = os.path.join(folder, f"{command[0]}-{who}.png")
                libraries, pictures[who] = shown(root, display, command, path, **vendors)
                # GLVND's libEGL loads all installed vendors to query their displays
                if {"indium": "libindium.so", "mesa": "swrast_dri.so"}[who] not in libraries or \
                        who == "indium" and "swrast_dri.so" in libraries:
                    raise Wrong(f"{command[0]} with {who} has loaded {sorted(libraries)}")
            print(f"{command[0]}: uses libindium.so", flush=True)
            why = compare_pictures(command[0], [(pictures["indium"], pictures["mesa"])], 4,
                                   0.5 if moves else 0.99)
            if why:
                raise Wrong(f"{command[0]}: {why}")


def check(folder):
    package = built(folder) or build_package(folder)
    print(f"built {os.path.basename(package)}", flush=True)
    root = Root(os.path.join(folder, "root"))
    root.apt_get("update")
    root.apt_get("install", "-y", "--no-install-recommends", *BEFORE)
    root.run("dpkg", "--purge", "indium")  # left by a failed run
    root.apt_get("autoremove", "-y", "--purge")
    before, programs = root.files(), root.run("dpkg-query", "-W")
    run(["cp", package, os.path.join(root.path, "indium.deb")])
    root.apt_get("install", "-y", "/indium.deb")
    added = differences(before, root.files())
    print(f"installed: {len(added)} files and directories differ", flush=True)
    if not any(path.endswith("/libGLX_indium.so.0") for path in added):
        raise Wrong(f"the vendor library is not installed: {added}")
    check_programs(root, folder)
    root.apt_get("purge", "-y", "--autoremove", "indium")
    left = differences(before, root.files())
    if left or root.run("dpkg-query", "-W") != programs:
        raise Wrong(f"files differ after purging: {left}")
    print("purged: no files, diversions or alternatives differ", flush=True)
    print(root.run("lintian", "--allow-root", "/indium.deb") or "lintian says nothing", flush=True)


def main(folder):
    try:
        check(os.path.abspath(folder))
    except (Wrong, FileNotFoundError) as why:
        print(f"FAILED: {why}")
        return 1
    return 0


if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
sys.exit(main(sys.argv[1]))
