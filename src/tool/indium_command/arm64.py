# SPDX-License-Identifier: MIT
"""Cross builds for AArch64 and runs tests under qemu-user."""

import glob
import hashlib
import os
import re
import shutil
import subprocess

from . import common
from .common import BUILD, ROOT, Failure, say, tool

BUILD_ARM64 = os.path.join(ROOT, "build-arm64")
# The headers and libraries of the target, and apt's state for them.
SYSROOT = os.path.join(ROOT, "build-arm64-root")
GCC = "aarch64-linux-gnu-gcc"
QEMU = "qemu-aarch64"

# Tests that run code of the JIT, or code with vectors, without a window. jit-reserve is not among
# them, because qemu-user ignores RLIMIT_AS; neither are util-thread-pool, since qemu-user 7.2 fails
# when a program with threads forks, and tests that compile for minutes under qemu.
TESTS = ["util-arena", "util-deep-stack", "util-format", "util-pixel-moves", "util-format-convert-4",
         "util-secret", "nir-core", "nir-math", "nir-opt", "glsl-builtins",
         "glsl-math", "glsl-rules", "spirv", "asm", "jit-functions", "jit-link", "jit-cache",
         "cpu-layout-4", "cpu-storage", "cpu-pipeline-4", "cpu-draw"]
# Scenes of tests/apps/stages.c and numbers of lanes to draw them with.
SCENES = [*((scene, 4) for scene in ("geometry", "feedback", "memory", "smooth", "tessellation",
                                     "compute", "images")),
          ("geometry", 8), ("compute", 16)]

CROSS_FILE = """\
[binaries]
c = [{ccache}'{gcc}', '--sysroot={sysroot}']
ar = 'aarch64-linux-gnu-gcc-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
llvm-config = ['{qemu}', '-L', '{sysroot}', '{llvm_config}']
exe_wrapper = ['{qemu}', '-L', '{sysroot}']

[properties]
sys_root = '{sysroot}'
pkg_config_libdir = ['{sysroot}/usr/lib/aarch64-linux-gnu/pkgconfig', '{sysroot}/usr/share/pkgconfig']

[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
"""


def target_packages():
    """Returns the packages of the target: those with headers, libraries and data for building."""
    names = [common.choose(name) if "|" in name else name
             for name in common.packages(("build", "test"))]
    return [name for name in names
            if name in ("khronos-api", "spirv-headers", "mesa-common-dev")
            or re.fullmatch(r"(lib(?!clang).*|llvm.*|zlib1g)-dev", name)]


def apt_settings():
    """Returns apt's options for packages of arm64 from the system's sources, in its own state."""
    state = os.path.join(SYSROOT, ".apt")
    for folder in ("lists/partial", "archives/partial"):
        os.makedirs(os.path.join(state, folder), exist_ok=True)
    status = os.path.join(state, "status")
    with open(status, "a", encoding="ascii"):
        pass
    values = {
        "APT::Architecture": "arm64", "APT::Architectures": "arm64", "Dir::State": state,
        "Dir::State::status": status, "Dir::State::Lists": os.path.join(state, "lists"),
        "Dir::Cache": state, "Dir::Cache::Archives": os.path.join(state, "archives"),
        "APT::Install-Recommends": "0", "APT::Sandbox::User": "root", "Debug::NoLocking": "1",
    }
    return [word for name, value in values.items() for word in ("-o", f"{name}={value}")]


def run_apt(*arguments):
    result = subprocess.run(["apt-get", "-q", "-y", *apt_settings(), *arguments],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace")
    if result.returncode:
        print(result.stdout[-4000:])
        raise Failure(f"apt-get {arguments[0]} failed for arm64; see its output above")


def relative_links(root):
    """Makes absolute symbolic links point into the root."""
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = os.path.join(folder, name)
            if os.path.islink(path) and (target := os.readlink(path)).startswith("/"):
                os.unlink(path)
                os.symlink(os.path.relpath(root + target, folder), path)


def make_sysroot():
    """Downloads and unpacks the target's packages, unless that has been done."""
    names = target_packages()
    mark = os.path.join(SYSROOT, ".complete")
    key = hashlib.sha256(" ".join(names).encode()).hexdigest()
    if os.path.exists(mark):
        with open(mark, encoding="ascii") as file:
            if file.read() == key:
                return
    shutil.rmtree(SYSROOT, ignore_errors=True)
    say("downloading headers and libraries of arm64")
    run_apt("update")
    run_apt("install", "--download-only", "libc6-dev", *names)
    for package in glob.glob(os.path.join(SYSROOT, ".apt", "archives", "*.deb")):
        subprocess.run(["dpkg-deb", "-x", package, SYSROOT], check=True)
    shutil.rmtree(os.path.join(SYSROOT, ".apt"))
    relative_links(SYSROOT)
    with open(mark, "w", encoding="ascii") as file:
        file.write(key)


def write_cross_file():
    """Returns the path of meson's description of the target."""
    found = sorted(glob.glob(os.path.join(SYSROOT, "usr/lib/llvm-*/bin/llvm-config")))
    if not found:
        raise Failure("the packages of arm64 contain no llvm-config")
    path = os.path.join(SYSROOT, "cross.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CROSS_FILE.format(
            ccache="'ccache', " if shutil.which("ccache") else "", gcc=GCC, sysroot=SYSROOT,
            qemu=tool(QEMU), llvm_config=found[0]))
    return path


def build():
    """Builds the libraries and tests for AArch64."""
    common.install(("build", "test", "arm64"))
    make_sysroot()
    common.build(BUILD_ARM64, ("-Dbuildtype=debugoptimized", "-Db_ndebug=true", "-Dwerror=true",
                               "--cross-file", write_cross_file()))


def scene_command(scene, directory, arm64):
    """Returns the command that draws a scene of tests/apps/stages.c with a build's libraries."""
    libraries = f"LD_LIBRARY_PATH={common.library_dir(directory)}"
    command = [os.path.join(directory, "tests", "apps", "stages"), scene]
    # qemu itself must not load libraries of the target.
    return ([tool(QEMU), "-L", SYSROOT, "-E", libraries] if arm64 else ["env", libraries]) + command


def frames_of(scene, lanes, directory, arm64):
    """Draws a scene off-screen and returns its frames: file name → bytes."""
    folder = os.path.join(BUILD_ARM64, "frames")
    os.makedirs(folder, exist_ok=True)
    prefix = os.path.join(folder, scene)
    env = {**common.clean_env(), "INDIUM_LANES": str(lanes), "FRAME_SHIM_OUT": prefix}
    command = scene_command(scene, directory, arm64)
    result = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, errors="replace", timeout=600)
    frames = {}
    for path in glob.glob(f"{prefix}-*.rgba"):
        with open(path, "rb") as file:
            frames[os.path.basename(path)] = file.read()
        os.unlink(path)
    if result.returncode or not frames:
        raise Failure(f"{' '.join(command)} exited with status {result.returncode}: "
                      f"{result.stdout[-800:]}")
    return frames


def compare_frames(counts):
    """Compares frames drawn on AArch64 with those drawn on the build machine, byte by byte."""
    common.build(BUILD, targets=("run", "tests/apps/stages"))
    for scene, lanes in SCENES:
        try:
            theirs = frames_of(scene, lanes, BUILD_ARM64, True)
            ours = frames_of(scene, lanes, BUILD, False)
            differ = sorted(name for name in theirs.keys() | ours.keys()
                            if theirs.get(name) != ours.get(name))
        except (Failure, subprocess.TimeoutExpired) as failure:
            say(str(failure))
            differ = ["all"]
        if differ:
            say(f"arm64: frames that differ from {os.uname().machine}'s: {', '.join(differ)}")
        counts.add(f"arm64: {scene} with {lanes} lanes", not differ)
