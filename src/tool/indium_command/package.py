# SPDX-License-Identifier: MIT
"""./indium package: makes packages to install elsewhere."""

import base64
import contextlib
import glob
import hashlib
import os
import re
import subprocess
import tempfile
import zipfile

from .common import (
    BUILD, ROOT, Misuse, clean_env, install, library_dir, prepare, run_logged, say, tool)

USAGE = "package: tarball (a relocatable archive), deb (a Debian package) or wheel (for Python)"


def version():
    """Returns the project's version from meson.build."""
    with open(os.path.join(ROOT, "meson.build"), encoding="utf-8") as text:
        return re.search(r"version: '([^']+)'", text.read())[1]


@contextlib.contextmanager
def installed_copy(directory=BUILD):
    """Installs a stripped copy of a build and yields its prefix. Nothing in it depends on its
    directory: libraries find each other by $ORIGIN."""
    with tempfile.TemporaryDirectory() as folder:
        run_logged([tool("meson"), "install", "-C", directory, "--no-rebuild", "--strip", "--destdir",
                    folder], os.path.join(directory, "install.log"), "installing")
        command = glob.glob(os.path.join(folder, "**", "bin", "indium"), recursive=True)[0]
        yield os.path.dirname(os.path.dirname(command))


def write_tarball(directory, machine):
    """Archives the installed files of a build for a machine. Returns the path of the archive,
    DIRECTORY/NAME.tar.zst; its files are in a folder NAME."""
    name = f"indium-{version()}-{machine}"
    path = os.path.join(directory, name + ".tar.zst")
    with installed_copy(directory) as prefix:
        subprocess.run(["tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner",
                        "-I", "zstd -12 -T0", "-C", prefix, f"--transform=s,^[.],{name},",
                        "-cf", path, "."], check=True, env=clean_env())
    return path


def tarball():
    """Archives the installed files."""
    prepare("package", targets=("installed",))
    path = write_tarball(BUILD, os.uname().machine)
    name = os.path.basename(path).removesuffix(".tar.zst")
    say(f"wrote {os.path.relpath(path)}: unpack it anywhere and start programs with "
        f"{name}/bin/indium run PROGRAM")


def wheel_files(prefix, unversioned):
    """Returns the files of the wheel: (name in the wheel, path). Wheels have no symbolic links. Of
    the names of a library, libGL.so.1 is kept; the libraries in the directory `unversioned` replace
    links such as libGL.so."""
    files = []
    for folder, _, names in os.walk(prefix):
        linked = {os.path.realpath(path) for name in names
                  if os.path.islink(path := os.path.join(folder, name))}
        for name in names:
            path = os.path.join(folder, name)
            is_link = os.path.islink(path)
            inside = os.path.relpath(path, prefix)
            if inside.endswith("/libindium.so"):
                files += [(f"indium_gl/{os.path.dirname(inside)}/{os.path.basename(library)}", library)
                          for library in glob.glob(os.path.join(unversioned, "lib*.so"))]
            # libGL.so.1.7.0 is what libGL.so.1 points to
            if (is_link and name.endswith(".so")) or (not is_link and path in linked) or (
                    inside.startswith("share/man") or inside.endswith(".pc")):
                continue
            files.append((f"indium_gl/{inside}", os.path.realpath(path)))
    package = os.path.join(ROOT, "src", "tool", "indium_gl")
    files += [(f"indium_gl/{name}", os.path.join(package, name))
              for name in ("__init__.py", "__main__.py")]
    return sorted(files)


def write_wheel(prefix, unversioned, folder):
    """Writes the wheel of an installation and of libraries in `unversioned` into a folder, and
    returns its path (PyPA's binary distribution format)."""
    tag = f"py3-none-manylinux_2_34_{os.uname().machine}"
    path = os.path.join(folder, f"indium_gl-{version()}-{tag}.whl")
    info = f"indium_gl-{version()}.dist-info"
    texts = {
        "METADATA": "Metadata-Version: 2.1\nName: indium_gl\n"
                    f"Version: {version()}\nLicense: MIT\nRequires-Python: >=3.8\n"
                    "Summary: OpenGL, OpenGL ES and EGL on the CPU\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: indium\nRoot-Is-Purelib: false\n"
                 f"Tag: {tag}\n",
    }
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, data, mode):
            entry = zipfile.ZipInfo(name)  # with a fixed date
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
            record.append(f"{name},sha256={digest.decode()},{len(data)}\n")

        for name, file in wheel_files(prefix, unversioned):
            with open(file, "rb") as data:
                add(name, data.read(), os.stat(file).st_mode & 0o755)
        for name, text in texts.items():
            add(f"{info}/{name}", text.encode(), 0o644)
        record.append(f"{info}/RECORD,,\n")
        archive.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "".join(record))
    return path


def wheel():
    """Makes a package for Python from the installed files."""
    prepare("package", targets=("installed",))
    with installed_copy() as prefix:
        path = write_wheel(prefix, os.path.join(library_dir(), "unversioned"), BUILD)
    say(f"wrote {os.path.relpath(path)}: install it with pip install --no-index and import "
        "indium_gl, or run python -m indium_gl PROGRAM")


def debian_package():
    """Builds the Debian package of this tree for the release that runs."""
    install(("build", "package"))
    run_logged(["dpkg-buildpackage", "-b", "-us", "-uc", "-d"],
               os.path.join(BUILD, "package.log"), "building the package")
    say(f"wrote the package into {os.path.dirname(ROOT)}")


KINDS = {"tarball": tarball, "deb": debian_package, "wheel": wheel}


def run(args):
    if len(args) != 1 or args[0] not in KINDS:
        raise Misuse(USAGE)
    KINDS[args[0]]()
    return 0
