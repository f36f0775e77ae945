# SPDX-License-Identifier: MIT
"""Cross builds for AArch64 and runs tests under qemu-user."""

import concurrent.futures
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from . import common
from .common import BUILD, ROOT, Display, Failure, say, tool

sys.path.insert(0, os.path.join(ROOT, "tests", "apps"))

import frames  # noqa: E402

BUILD_ARM64 = os.path.join(ROOT, "build-arm64")
# The headers and libraries of the target, and apt's state for them.
SYSROOT = os.path.join(ROOT, "build-arm64-root")
GCC = "aarch64-linux-gnu-gcc"
QEMU = "qemu-aarch64"

# Tests that run code of the JIT, or code with vectors, without a window. jit-reserve is not among
# them, because qemu-user ignores RLIMIT_AS; neither are util-thread-pool, since qemu-user 7.2 fails
# when a program with threads forks, and tests that compile for minutes under qemu.
TESTS = ["util-arena", "util-deep-stack", "util-format", "util-pixel-moves-4", "util-format-convert-4",
         "util-secret", "nir-core", "nir-math", "nir-opt", "glsl-builtins",
         "glsl-math", "glsl-rules", "spirv", "asm", "jit-functions", "jit-baseline", "jit-link", "jit-cache",
         "cpu-layout-4", "cpu-storage", "cpu-pipeline-4", "cpu-draw"]
# Programs of the target whose frames are compared, and their packages.
PROGRAMS = {"glxgears": "mesa-utils-bin", "glmark2": "glmark2-x11"}
# Scenes of tests/apps/frames.py, numbers of lanes and of threads.
SCENES = [*((scene, 4, 2) for scene in ("geometry", "feedback", "memory", "smooth", "tessellation",
                                        "compute", "images")),
          ("geometry", 8, 1), ("compute", 16, 4), ("gears", 4, 2), ("build", 4, 1)]

SCENE_TARGETS = ("tests/apps/stages", "tests/apps/frame-shim.so")
ALL_SCENES = {**frames.SCENES, **frames.STAGES}

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
    """Returns the packages of the target: those with headers, libraries and data for building, and
    programs."""
    names = [common.choose(name) if "|" in name else name
             for name in common.packages(("build", "test"))]
    return [name for name in names
            if name in ("khronos-api", "spirv-headers", "mesa-common-dev")
            or re.fullmatch(r"(lib(?!clang).*|llvm.*|zlib1g)-dev", name)] + list(PROGRAMS.values())


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


def has_sysroot():
    """Returns whether the target's packages have been downloaded, completely."""
    return os.path.exists(os.path.join(SYSROOT, ".complete"))


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


def test_programs():
    """Returns the paths of the programs and libraries that TESTS run, relative to the build
    directory."""
    info = {}
    for kind in ("tests", "targets"):
        with open(os.path.join(BUILD_ARM64, "meson-info", f"intro-{kind}.json"),
                  encoding="utf-8") as file:
            info[kind] = json.load(file)
    files = {target["id"]: target["filename"] for target in info["targets"]}
    needed = {target for test in info["tests"] if test["name"] in TESTS for target in test["depends"]}
    return sorted(os.path.relpath(path, BUILD_ARM64) for target in needed for path in files[target])


def build():
    """Builds for AArch64 what the tests and scenes need."""
    common.install(("build", "test", "arm64"))
    make_sysroot()
    options = ("-Dbuildtype=debugoptimized", "-Db_ndebug=true", "-Dwerror=true",
               "--cross-file", write_cross_file())
    common.build(BUILD_ARM64, options, targets=("run", *SCENE_TARGETS))
    common.build(BUILD_ARM64, options, targets=test_programs())


def program_of_target(name):
    """Returns the path of a program in the target's packages. mesa-utils-bin appends the
    architecture to the names."""
    found = glob.glob(os.path.join(SYSROOT, "usr", "bin", name + "*"))
    if not found:
        raise Failure(f"the packages of arm64 contain no {name}")
    return found[0]


def scene_command(name, directory, arm64):
    """Returns the command that draws a scene with a build's libraries."""
    command, _ = ALL_SCENES[name]
    values = [f"LD_LIBRARY_PATH={common.library_dir(directory)}"]
    if name in frames.STAGES:
        program = os.path.join(directory, "tests", "apps", command[0])
    else:
        program = program_of_target(command[0]) if arm64 else tool(command[0])
        values.append("LD_PRELOAD=" + os.path.join(directory, "tests", "apps", "frame-shim.so"))
    # qemu itself must not load libraries of the target
    start = [tool(QEMU), "-L", SYSROOT] if arm64 else ["env"]
    option = ["-E"] if arm64 else []
    return [*start, *(word for value in values for word in (*option, value)), program, *command[1:]]


def frames_of(scene, display, directory, arm64):
    """Draws a scene: (name, lanes, threads). Returns its frames: file name → bytes."""
    name, lanes, threads = scene
    command, numbers = scene_command(name, directory, arm64), ALL_SCENES[name][1]
    with tempfile.TemporaryDirectory() as folder:
        env = {**common.clean_env(), **display, "INDIUM_LANES": str(lanes),
               "INDIUM_THREADS": str(threads), "INDIUM_DEBUG": "threads", "vblank_mode": "0",
               "FRAME_SHIM_FRAMES": numbers,
               "FRAME_SHIM_OUT": os.path.join(folder, name)}
        result = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, errors="replace", timeout=600)
        found = {}
        for file_name in os.listdir(folder):
            with open(os.path.join(folder, file_name), "rb") as file:
                found[file_name] = file.read()
    if result.returncode or len(found) != len(numbers.split(",")):
        raise Failure(f"{' '.join(command)} exited with status {result.returncode}: "
                      f"{result.stdout[-800:]}")
    return found


def compare_frames(counts, jobs):
    """Compares frames drawn on AArch64 with those drawn on the build machine, byte by byte. Draws
    up to `jobs` scenes at a time."""
    common.build(BUILD, targets=("run", *SCENE_TARGETS))

    def differing(scene):
        try:
            theirs, ours = (frames_of(scene, {"DISPLAY": display["DISPLAY"]}, directory, arm64)
                            for directory, arm64 in ((BUILD_ARM64, True), (BUILD, False)))
        except (Failure, subprocess.TimeoutExpired) as failure:
            say(str(failure))
            return ["all"], 0
        return sorted(name for name in ours if theirs[name] != ours[name]), len(ours)

    compared = 0
    with Display(dict(os.environ), always_own=True) as display, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (name, lanes, threads), (differ, number) in zip(SCENES, pool.map(differing, SCENES)):
            if differ:
                say(f"arm64: frames that differ from {os.uname().machine}'s: {', '.join(differ)}")
            counts.add(f"arm64: {name} with {lanes} lanes, {threads} threads", not differ)
            compared += number
    say(f"arm64: compared {compared} frames")
