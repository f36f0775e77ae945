# SPDX-License-Identifier: MIT
"""./indium test: runs the CI steps and prints a count of passed and failed tests."""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from . import arm64, common, fuzz, peer_root, piglit, syntax
from .common import BUILD, ROOT, Display, Failure, Misuse, build, clean_env, ours, say, tool


# Profiles, and regular expressions of the tests to run in CI. ./indium piglit runs whole profiles.
CONFORMANCE = [
    ("sanity", []),
    ("linker", []),
    ("glslparser", []),
    ("quick_shader", [r"^shaders@", r"glsl-1\.[1-5]0@", r"glsl-3\.30@", r"glsl-es-[13]\.00@",
                      r"^spec@arb_arrays_of_arrays@", r"^spec@arb_separate_shader_objects@"]),
    ("quick_gl", [r"^spec@!opengl 1\.[0-5]@", r"^spec@!opengl 2\.[01]@",
                  r"^spec@!opengl 3\.[0-3]@", r"^spec@!opengl es 2\.0@",
                  r"^spec@arb_separate_shader_objects@"]),
]


# Versions format differently; Debian 12, 13 and sid have this one.
CLANG_FORMAT = "clang-format-19"

# Tests that at-isa (tests/isa) runs below the host's level end in the level and the lanes.
LEVEL_TEST = re.compile(r"-(sse4\.1|avx2|avx512)-(\d+)$")
UNIT_SUITES = ["--suite", "unit", "--suite", "glsl", "--suite", "gl"]
# All tests that are not in the step short-tests.
MORE_SUITES = [word for suite in ("long", "i965", "winsys", "target", "apps") for word in ("--suite", suite)]


# A timeout only ends what hangs: on a slow or busy machine a test takes many times as long as on an
# idle one.
TIMEOUTS = 8


class Counts:
    """Tests that passed, names of those that failed, and names of steps that the time limit cut."""

    def __init__(self):
        self.passed, self.failed, self.unfinished = 0, [], []

    def add(self, name, ok):
        if ok:
            self.passed += 1
        else:
            self.failed.append(name)

    def merge(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.unfinished += other.unfinished


def meson_tests(directory, suite, counts, label, jobs, env=None, timeouts=TIMEOUTS):
    """Runs the meson tests of a build directory, `jobs` at a time, and counts each one. timeouts:
    factor of the timeouts."""
    command = [tool("meson"), "test", "-C", directory, "--no-rebuild", "--print-errorlogs",
               "--num-processes", str(jobs), f"--timeout-multiplier={timeouts}", *suite]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors="replace", env={**clean_env(), **(env or {})})
    # a dict, because meson's summary repeats the failures
    lines = dict(re.findall(r"^\s*\d+/\d+ (\S.*?)\s+(OK|FAIL|TIMEOUT|ERROR|SKIP|EXPECTEDFAIL)\b",
                            result.stdout, re.M))
    for name, status in lines.items():
        if status != "SKIP":
            counts.add(f"{label}: {name}", status == "OK")
    say_levels(lines)
    if common.time_is_up.is_set():
        print("\n".join(result.stdout.splitlines()[-40:]))
        return
    if not lines or (result.returncode and all(s in ("OK", "SKIP") for s in lines.values())):
        counts.add(f"{label}: meson test", False)
    if result.returncode:
        print(result.stdout[-12000:])


def cpu_model():
    """The processor's name, or its architecture where /proc/cpuinfo has none."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as text:
            if found := re.search(r"^model name\s*:\s*(.+)$", text.read(), re.M):
                return found[1]
    except OSError:
        pass
    return os.uname().machine


def say_levels(lines):
    """Reports the instruction set levels of meson's tests: name → status."""
    tested, skipped = {}, set()
    for name, status in lines.items():
        if found := LEVEL_TEST.search(name):
            level = f"{found[1]} with {found[2]} lanes"
            if status == "SKIP":
                skipped.add(level)
            else:
                tested[level] = tested.get(level, 0) + 1
    if tested or skipped:
        say("levels below the CPU's: "
            + (", ".join(f"{level} ({count} tests)" for level, count in sorted(tested.items())) or "none")
            + (f"; not below it: {', '.join(sorted(skipped))}" if skipped else ""))


def step(name, jobs):
    """Runs a step with up to `jobs` processes at a time and returns its counts."""
    start = time.monotonic()
    say(f"{name} …")
    counts = Counts()
    try:
        if not common.time_is_up.is_set():
            STEPS[name](counts, jobs)
    except Failure as failure:
        say(str(failure))
        if not common.time_is_up.is_set():
            counts.add(name, False)
    if common.time_is_up.is_set():
        counts.unfinished.append(name)
    say(f"{name}: {counts.passed} passed, {len(counts.failed)} failed in "
        f"{time.monotonic() - start:.0f} s")
    return counts


def run_in_pairs(names):
    """Runs the steps in two threads, each step with half of the CPUs, so that links, tests that run
    alone and the last test of a step leave no CPU idle. Returns the counts of each step."""
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        try:
            return list(threads.map(lambda name: step(name, common.half_of_cpus()), names))
        finally:
            threads.shutdown(cancel_futures=True)


def build_steps(counts, jobs):
    build(options=("-Dbuildtype=debugoptimized", "-Db_ndebug=true", "-Dwerror=true"))
    counts.add("build", True)


def demo_picture(directory):
    """Returns the PNG that the demo draws with the libraries of a build directory."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "demo.png")
        demo = [os.path.join(directory, "src", "tool", "indium-demo"), path]
        if subprocess.run(demo, env=ours(directory), stdout=subprocess.DEVNULL).returncode:
            raise Failure("indium-demo failed")
        with open(path, "rb") as picture:
            return picture.read()


def attempt(counts, name, function, *arguments):
    """Counts a function that raises Failure as failed, otherwise as passed."""
    try:
        function(*arguments)
        counts.add(name, True)
    except Failure as failure:
        say(str(failure))
        counts.add(name, False)


def build_without(directory, interfaces, targets):
    build(directory, ("-Dbuildtype=debug", "-Dwerror=true",
                      *(f"-D{name}=disabled" for name in interfaces)), targets)


def check_headless(directory, interfaces):
    """Builds the libraries without these interfaces and draws with them."""
    build_without(directory, interfaces, ("run",))
    demo_picture(directory)


def check_shared_llvm(directory):
    """Links LLVM dynamically in a build directory and compares the demo's picture."""
    expected = demo_picture(directory)
    common.run_logged([tool("meson"), "configure", directory, "-Dllvm=shared"],
                      os.path.join(directory, "reconfigure.log"), "configuring")
    build(directory, targets=("run",))
    if demo_picture(directory) != expected:
        raise Failure("with LLVM linked dynamically, the demo's picture differs")


def options_steps(counts, jobs):
    """Without each optional interface, configures and compiles what depends on it. Builds the
    headless libraries with LLVM linked statically and dynamically, and draws with them."""
    interfaces = ("x11", "wayland", "gbm", "osmesa", "dri", "tests")
    folder = os.path.join(ROOT, "build-options")
    shutil.rmtree(folder, ignore_errors=True)
    for name in interfaces:
        attempt(counts, f"without {name}", build_without, os.path.join(folder, name), (name,),
                ("src/target/libtarget_egl.a", "src/tool/indium-info-try"))
    headless = os.path.join(folder, "headless")
    attempt(counts, f"without {', '.join(interfaces)}", check_headless, headless, interfaces)
    attempt(counts, "with a shared LLVM", check_shared_llvm, headless)


def format_steps(counts, jobs):
    """Checks that CLANG_FORMAT would not change any C file."""
    files = subprocess.run(["git", "ls-files", "*.c", "*.h"], cwd=ROOT, capture_output=True,
                           text=True, check=True).stdout.split()
    result = subprocess.run([tool(CLANG_FORMAT), "--dry-run", "-Werror", *files], cwd=ROOT,
                            capture_output=True, text=True)
    counts.add("format", result.returncode == 0)
    for line in sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", result.stderr, re.M))):
        print(f"not formatted: {line}")


def readme_steps(counts, jobs):
    """Checks that the READMEs of these modules name every file. Naming a header suffices for its
    .c."""
    for module in ("src/asm", "src/driver/cpu", "src/gl", "src/gpu", "src/jit", "src/spirv", "src/target",
                   "src/util", "src/winsys"):
        with open(os.path.join(ROOT, module, "README.md"), encoding="utf-8") as text:
            named = set(re.findall(r"\w+\.(?:c|h|py)\b", text.read()))
        files = {name for _, _, names in os.walk(os.path.join(ROOT, module)) for name in names
                 if name.endswith((".c", ".h", ".py"))}
        headers = {n[:-2] + ".c" for n in named if n.endswith(".h")}
        sources = {n for n in files if n[:-2] + ".c" not in files or not n.endswith(".h")}
        missing = sorted(sources - named - headers)
        counts.add(f"{module}/README.md", not missing)
        for name in missing:
            print(f"{module}/README.md does not name {name}")


def sanitized_steps(counts, jobs):
    """Runs the suites unit, glsl and gl with assertions, ASan (including leaks) and UBSan, except the
    suite "unsanitized" (tests/meson.build)."""
    fuzz.build_sanitized()
    counts.add("sanitized build", True)
    meson_tests(fuzz.SANITIZED, [*UNIT_SUITES, "--no-suite", "unsanitized"], counts, "sanitized", jobs,
                {"ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
                 "UBSAN_OPTIONS": "halt_on_error=1"})


def threads_steps(counts, jobs):
    """Runs the suite threads with TSan. JIT-compiled code is not instrumented, so races inside
    kernels are not detected."""
    wrapper = fuzz.build_threads()
    counts.add("thread sanitizer build", True)
    suite = ["--suite", "threads"]
    if wrapper:
        suite.append(f"--wrapper={' '.join(wrapper)}")
    meson_tests(fuzz.THREADS, suite, counts, "threads", jobs,
                {"TSAN_OPTIONS": "halt_on_error=1:die_after_fork=0:" + fuzz.TSAN_SUPPRESSIONS,
                 "INDIUM_THREADS": "4", "INDIUM_DEBUG": "threads"}, 2 * TIMEOUTS)


def fuzz_steps(counts, jobs):
    """Fuzzes all targets in parallel for a minute, then sequences of API calls."""
    names = fuzz.build_targets()
    counts.add("fuzz build", bool(names))
    for name, ok in fuzz.run_targets(names, 60, seed=1):
        counts.add(f"fuzz {name}", ok)
    for api, ok in fuzz.run_gl(fuzz.GL_APIS, 40, seed=1):
        counts.add(f"fuzz gl {api}", ok)
    for api_name in fuzz.WINDOW_APIS:
        for api, ok in fuzz.run_gl((api_name,), 20, seed=1, more=("--threads", "2")):
            counts.add(f"fuzz gl {api}", ok)
    for api, ok in fuzz.run_gl(("compat", "core"), 20, "thread", seed=1):
        counts.add(f"fuzz gl {api}, threads", ok)


def conformance_steps(counts, jobs, profile, include):
    """Counts each test of the subset that ran, except expected failures."""
    folder = os.path.join(ROOT, "results", f"test-{profile}")
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    profile, tests, overrides = piglit.front_end(profile)
    with Display(ours(), always_own=True) as env:
        results, _ = piglit.run_piglit(profile, folder, {**overrides, **env}, include or tests,
                                       jobs)
    expected = piglit.expected_fails()
    for name, result in results.items():
        if result in piglit.GOOD:
            counts.add(f"piglit {name}", True)
        elif result in piglit.BAD and not (result == "fail" and name in expected):
            counts.add(f"piglit {name} ({result})", False)


def judge_steps(counts, jobs):
    """Compares images of GPU memory with the batch decoder of Mesa's iris, which runs in the root of
    Debian sid on the emulated GPU."""
    if not peer_root.exists():
        say(f"i965-judges: skipped, because {peer_root.missing()}")
        return
    targets = re.findall(r"^(\w+) +Intel GPU, generation", subprocess.run(
        [os.path.join(BUILD, "src/tool/indium-compile"), "--target=list"], capture_output=True, text=True,
        check=True).stdout, re.M)
    result = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "tests/i965/check_images.py"),
                             f"--judge={os.path.join(BUILD, 'tests/gpu/decode-image')}",
                             os.path.join(BUILD, "src/tool/indium-compile"), *targets])
    counts.add("i965-judges", result.returncode == 0)


def igt_steps(counts, jobs):
    """Runs IGT, the tests of Linux's i915 driver, on the emulated GPU. Takes an hour."""
    result = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "tests/gpu/igt.py"),
                             f"--jobs={jobs}", common.GPU_LIBRARY,
                             os.path.join(BUILD, "tests/gpu/igt-preload.so"),
                             os.path.join(ROOT, "results", "igt")])
    if result.returncode == 77:
        say("igt: skipped")
    else:
        counts.add("igt", result.returncode == 0)


def arm64_steps(counts, jobs):
    """Cross builds for AArch64, runs tests under qemu-user, and compares frames with this
    machine's. An emulated program takes about ten times as long."""
    arm64.build()
    counts.add("arm64 build", True)
    meson_tests(arm64.BUILD_ARM64, arm64.TESTS, counts, "arm64", jobs, timeouts=10 * TIMEOUTS)
    arm64.compare_frames(counts, jobs)
    arm64.count_instructions(counts)


# The steps of `./indium test`; long ones come first.
STEPS = {
    "format": format_steps,
    "readmes": readme_steps,
    "build": build_steps,
    "options": options_steps,
    "arm64": arm64_steps,
    "short-tests": lambda counts, jobs: meson_tests(BUILD, [*UNIT_SUITES, "--no-suite", "long"],
                                                    counts, "tests", jobs),
    "more-tests": lambda counts, jobs: meson_tests(BUILD, MORE_SUITES, counts, "tests", jobs),
    "sanitized": sanitized_steps,
    "fuzz": fuzz_steps,
    **{f"piglit-{profile}": lambda counts, jobs, p=profile, i=include:
       conformance_steps(counts, jobs, p, i) for profile, include in reversed(CONFORMANCE)},
    "threads": threads_steps,
    "syntax": syntax.run,
    "i965-judges": judge_steps,
    "igt": igt_steps,
}
# Steps that use another build directory or none.
WITHOUT_BUILD = ("options", "format", "readmes", "sanitized", "threads", "fuzz")
# The part for each commit. These run before the others, one at a time with all CPUs.
QUICK = ("format", "readmes", "build", "short-tests", "piglit-sanity", "piglit-linker")


def chosen(args):
    """Returns the names of the steps to run, in order, with the build if one of them needs it."""
    unknown = [name for name in args if name not in STEPS]
    if args == ["quick"]:
        args = QUICK
    elif unknown:
        raise Misuse(f"test: unknown step {unknown[0]}, steps are quick, {', '.join(STEPS)}")
    names = set(args) or set(STEPS) - {"options", "igt"} - (set() if arm64.has_sysroot() else {"arm64"})
    if not names <= set(WITHOUT_BUILD):
        names.add("build")
    return [name for name in STEPS if name in names]


def run(args):
    parser = argparse.ArgumentParser(prog="./indium test")
    parser.add_argument("--limit", type=float, metavar="MINUTES",
                        help="end after this time; names the steps that were not finished, and fails "
                             "if one of them is of `quick`")
    parser.add_argument("--make-root", action="store_true",
                        help=f"make the Debian sid in {common.PEER_ROOT} (INDIUM_PEER_ROOT) that "
                             "i965-judges and igt need, if it is missing")
    parser.add_argument("steps", nargs="*", metavar="STEP", help=f"quick, {', '.join(STEPS)}")
    options = parser.parse_args(args)
    names = chosen(options.steps)
    if options.limit:
        common.limit_time(60 * options.limit)
    common.install(("build", "run", "test"))
    if options.make_root:
        peer_root.make()
    say(f"CPU: {cpu_model()}")
    counts = Counts()
    for name in names:
        if name in QUICK and "build" not in counts.failed:
            counts.merge(step(name, os.cpu_count() or 1))
    rest = [name for name in names if name not in QUICK]
    if "build" not in counts.failed:
        for more in run_in_pairs(rest) if len(rest) > 1 else map(step, rest, [os.cpu_count() or 1]):
            counts.merge(more)
    for name in counts.failed:
        print(f"FAILED {name}")
    for name in counts.unfinished:
        print(f"NOT FINISHED in {options.limit:g} minutes: {name}")
    print(f"{counts.passed} passed, {len(counts.failed)} failed"
          + (f", steps not finished: {len(counts.unfinished)}" if counts.unfinished else ""), flush=True)
    return 1 if counts.failed or not set(QUICK).isdisjoint(counts.unfinished) else 0
