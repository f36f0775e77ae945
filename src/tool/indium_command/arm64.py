# SPDX-License-Identifier: MIT
"""Cross builds for AArch64 and runs tests under qemu-user."""

import concurrent.futures
import contextlib
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from . import common, package
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
# A scene of a program that uses libGL, which is also drawn with the libraries of the tarball.
TARBALL_SCENE = ("gears", 4, 2)
# Options that make programs print GL_RENDERER. glmark2 prints it without one.
RENDERER_OPTIONS = {"glxgears": ["-info"]}

SCENE_TARGETS = ("tests/apps/stages", "tests/apps/frame-shim.so")
# Limits of an emulated program in seconds of CPU time and of wall-clock time. LLVM compiles for
# minutes under qemu if other programs use the CPUs.
CPU_LIMIT = 600
TIME_LIMIT = 3600
# Runs kernels whose instructions a plugin of qemu counts.
COUNT_PROGRAM = "tests/jit/count-kernels"
COUNT_PLUGIN = os.path.join(ROOT, "tests", "jit", "qemu_count.c")
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
    common.install(("build", "test", "package", "arm64"))
    make_sysroot()
    options = ("-Dbuildtype=debugoptimized", "-Db_ndebug=true", "-Dwerror=true",
               "--cross-file", write_cross_file())
    common.build(BUILD_ARM64, options, targets=("installed", COUNT_PROGRAM, *SCENE_TARGETS))
    common.build(BUILD_ARM64, options, targets=test_programs())


def program_of_target(name):
    """Returns the path of a program in the target's packages. mesa-utils-bin appends the
    architecture to the names."""
    found = glob.glob(os.path.join(SYSROOT, "usr", "bin", name + "*"))
    if not found:
        raise Failure(f"the packages of arm64 contain no {name}")
    return found[0]


def scene_command(name, directory, arm64, installed=None):
    """Returns the command that draws a scene with a build's libraries, or with those of the
    unpacked tarball `installed`."""
    command, _ = ALL_SCENES[name]
    values = [] if installed else [f"LD_LIBRARY_PATH={common.library_dir(directory)}"]
    if name in frames.STAGES:
        program = os.path.join(directory, "tests", "apps", command[0])
    else:
        program = program_of_target(command[0]) if arm64 else tool(command[0])
        values.append("LD_PRELOAD=" + os.path.join(directory, "tests", "apps", "frame-shim.so"))
    # qemu itself must not preload libraries of the target
    start = [tool(QEMU), "-L", SYSROOT] if arm64 else ["env"]
    option = ["-E"] if arm64 else []
    run = [os.path.join(installed, "bin", "indium"), "run"] if installed else []
    limit = [tool("prlimit"), f"--cpu={CPU_LIMIT}"]
    return [*run, *limit, *start, *(word for value in values for word in (*option, value)), program,
            *command[1:], *RENDERER_OPTIONS.get(command[0], [])]


def frames_of(scene, display, directory, arm64, installed=None):
    """Draws a scene: (name, lanes, threads). Returns its frames: file name → bytes. For `installed`,
    see scene_command()."""
    name, lanes, threads = scene
    command, numbers = scene_command(name, directory, arm64, installed), ALL_SCENES[name][1]
    with tempfile.TemporaryDirectory() as folder:
        env = {**common.clean_env(), **display, "INDIUM_LANES": str(lanes),
               "INDIUM_THREADS": str(threads), "INDIUM_DEBUG": "threads", "vblank_mode": "0",
               "FRAME_SHIM_FRAMES": numbers,
               "FRAME_SHIM_OUT": os.path.join(folder, name)}
        result = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, errors="replace", timeout=TIME_LIMIT)
        found = {}
        for file_name in os.listdir(folder):
            with open(os.path.join(folder, file_name), "rb") as file:
                found[file_name] = file.read()
    if result.returncode or len(found) != len(numbers.split(",")):
        raise Failure(f"{' '.join(command)} exited with status {result.returncode}: "
                      f"{result.stdout[-800:]}")
    # without our libraries, programs draw with Mesa's, some the same frames
    if name not in frames.STAGES and not re.search(r"GL_RENDERER.*Indium", result.stdout):
        raise Failure(f"{' '.join(command)} didn't use our libraries: {result.stdout[-800:]}")
    return found


@contextlib.contextmanager
def unpacked_tarball():
    """Makes the tarball for AArch64 and yields the directory that it unpacks to."""
    path = package.write_tarball(BUILD_ARM64, "aarch64")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-C", folder, "-xf", path], check=True)
        yield os.path.join(folder, os.path.basename(path).removesuffix(".tar.zst"))


def compare_frames(counts, jobs):
    """Compares frames drawn on AArch64, by the build and by the tarball, with those drawn on the
    build machine, byte by byte. Draws up to `jobs` scenes at a time."""
    common.build(BUILD, targets=("run", *SCENE_TARGETS))

    def differing(row):
        scene, installed = row
        shown = {"DISPLAY": display["DISPLAY"]}
        try:
            theirs = frames_of(scene, shown, BUILD_ARM64, True, installed)
            ours = frames_of(scene, shown, BUILD, False)
        except (Failure, subprocess.TimeoutExpired) as failure:
            say(str(failure))
            return ["all"], 0
        return sorted(name for name in ours if theirs[name] != ours[name]), len(ours)

    compared = 0
    with Display(dict(os.environ), always_own=True) as display, unpacked_tarball() as prefix, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        rows = [*((scene, None) for scene in SCENES), (TARBALL_SCENE, prefix)]
        for (scene, installed), (differ, number) in zip(rows, pool.map(differing, rows)):
            name, lanes, threads = scene
            if differ:
                say(f"arm64: frames that differ from {os.uname().machine}'s: {', '.join(differ)}")
            counts.add(f"arm64: {name} with {lanes} lanes, {threads} threads"
                       f"{', from the tarball' if installed else ''}", not differ)
            compared += number
    say(f"arm64: compared {compared} frames")


def instructions_per_element(output):
    """Returns what the output of the counted program says: kernel → runner → number. A line names
    the kernel, the runner and the number of elements; the second count after it is that of the
    run."""
    table = {}
    for kernel, runner, elements, count in re.findall(r"^(\w+) (\w+) (\d+)\n\d+\n(\d+)$", output,
                                                      re.M):
        table.setdefault(kernel, {})[runner] = int(count) / int(elements)
    return table


def count_instructions(counts):
    """Prints how many instructions kernels execute per element as C code, as baseline code, as
    LLVM's code and in the interpreter."""
    plugin = os.path.join(BUILD_ARM64, "qemu-count.so")
    subprocess.run([tool("cc"), "-O2", "-shared", "-fPIC", "-o", plugin, COUNT_PLUGIN], check=True)
    result = subprocess.run(
        [tool("prlimit"), f"--cpu={CPU_LIMIT}", tool(QEMU), "-L", SYSROOT, "-plugin", plugin,
         os.path.join(BUILD_ARM64, COUNT_PROGRAM)],
        env={**common.clean_env(), "INDIUM_THREADS": "1", "INDIUM_CACHE_DIR": ""},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=TIME_LIMIT)
    table = instructions_per_element(result.stdout)
    if result.returncode or not table:
        say(f"{COUNT_PROGRAM} exited with status {result.returncode}: {result.stdout[-800:]}")
    for kernel, row in table.items():
        say(f"arm64: {kernel}, instructions per element: "
            + ", ".join(f"{runner} {number:.1f}" for runner, number in row.items()))
    counts.add("arm64: instruction counts", result.returncode == 0 and bool(table))
