# SPDX-License-Identifier: MIT
"""./indium package: makes packages to install elsewhere."""

import glob
import os
import re
import subprocess
import tempfile

from .common import BUILD, ROOT, Misuse, clean_env, install, prepare_run, run_logged, say, tool

USAGE = "package: tarball (a relocatable archive) or deb (a Debian package)"


def version():
    """Returns the project's version from meson.build."""
    with open(os.path.join(ROOT, "meson.build"), encoding="utf-8") as text:
        return re.search(r"version: '([^']+)'", text.read())[1]


def tarball():
    """Installs a stripped copy of the build and archives it. Nothing in the archive depends on the
    directory in which it is unpacked: libraries find each other by $ORIGIN."""
    prepare_run("package")
    name = f"indium-{version()}-{os.uname().machine}"
    path = os.path.join(BUILD, name + ".tar.zst")
    with tempfile.TemporaryDirectory() as folder:
        run_logged([tool("meson"), "install", "-C", BUILD, "--no-rebuild", "--strip", "--destdir",
                    folder], os.path.join(BUILD, "install.log"), "installing")
        command = glob.glob(os.path.join(folder, "**", "bin", "indium"), recursive=True)[0]
        prefix = os.path.dirname(os.path.dirname(command))
        subprocess.run(["tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner",
                        "-I", "zstd -12 -T0", "-C", prefix, f"--transform=s,^[.],{name},",
                        "-cf", path, "."], check=True, env=clean_env())
    say(f"wrote {os.path.relpath(path)}: unpack it anywhere and start programs with "
        f"{name}/bin/indium run PROGRAM")


def debian_package():
    """Builds the Debian package of this tree for the release that runs."""
    install(("build", "package"))
    run_logged(["dpkg-buildpackage", "-b", "-us", "-uc", "-d"],
               os.path.join(BUILD, "package.log"), "building the package")
    say(f"wrote the package into {os.path.dirname(ROOT)}")


KINDS = {"tarball": tarball, "deb": debian_package}


def run(args):
    if len(args) != 1 or args[0] not in KINDS:
        raise Misuse(USAGE)
    KINDS[args[0]]()
    return 0
