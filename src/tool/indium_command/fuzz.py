# SPDX-License-Identifier: MIT
"""./indium fuzz: runs the libFuzzer targets in tests/fuzz and the fuzzer of GL calls. Also used by
./indium test."""

import glob
import os
import re
import signal
import subprocess
import time

from . import common
from .common import ROOT, Misuse, build, clean_env, say

SANITIZED = os.path.join(ROOT, "build-sanitized")
THREADS = os.path.join(ROOT, "build-threads")
FUZZ = os.path.join(ROOT, "build-fuzz")
SEEDS = os.path.join(ROOT, "tests", "fuzz", "corpus")

# Limits per input: 10 seconds, 2 GiB. Inputs have at most 6 KiB, so exceeding a limit is a bug.
LIMITS = ["-timeout=10", "-malloc_limit_mb=2048", "-rss_limit_mb=2048", "-max_len=6144"]


# Exit status of a target that a signal ended.
LIBFUZZER_INTERRUPTED = 72


def target_names():
    """Returns the names of all targets. Each is one source file."""
    return sorted(os.path.basename(source)[5:-2]
                  for source in glob.glob(os.path.join(ROOT, "tests", "fuzz", "fuzz_*.c")))


def build_targets():
    """Builds all targets with clang's ASan and UBSan. Returns their names."""
    build(FUZZ, ("-Dbuildtype=debugoptimized", "-Db_ndebug=false", "-Db_lundef=false",
                 "-Db_sanitize=address,undefined", "-Dfuzz=true"),
          targets=("fuzz",), env={"CC": "ccache clang-19"})
    programs = glob.glob(os.path.join(FUZZ, "tests", "fuzz", "fuzz-*"))
    return sorted(os.path.basename(p)[5:] for p in programs if os.access(p, os.X_OK)
                  and os.path.isfile(p))


def folder(*parts):
    path = os.path.join(FUZZ, *parts)
    os.makedirs(path, exist_ok=True)
    return path


class Target:
    """A running target. New inputs are kept in build-fuzz/corpus for the next run."""

    def __init__(self, name, seconds, seed=0):
        self.name = name
        self.log = os.path.join(folder("logs"), f"{name}.log")
        found = folder("corpus", name)
        seeds = [d for d in (os.path.join(SEEDS, name),) if os.path.isdir(d)]
        command = [os.path.join(FUZZ, "tests", "fuzz", f"fuzz-{name}"), *LIMITS,
                   f"-max_total_time={seconds}", f"-seed={seed}", "-print_final_stats=1",
                   f"-dict={os.path.join(FUZZ, 'tests', 'fuzz', 'fuzz.dict')}",
                   f"-artifact_prefix={folder('artifacts')}/{name}-", found, *seeds]
        env = {**clean_env(), "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
               "ASAN_OPTIONS": "detect_leaks=1"}
        with open(self.log, "w", encoding="utf-8") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=out, env=env,
                                            stdin=subprocess.DEVNULL)

    def wait(self):
        """Waits for the end, prints a summary, and returns whether no bug was found."""
        status = self.process.wait()
        if common.time_is_up.is_set() and status in (LIBFUZZER_INTERRUPTED, -signal.SIGTERM, -signal.SIGKILL):
            say(f"fuzz-{self.name}: ended early, no bug found")
            return True
        with open(self.log, encoding="utf-8", errors="replace") as text:
            lines = text.read().splitlines()
        if status:
            keep = [line for line in lines if not re.match(r"#\d+\s", line)]
            print("\n".join(keep[-60:]), flush=True)
        runs = [line.split()[-1] for line in lines if "number_of_executed_units" in line]
        say(f"fuzz-{self.name}: {runs[0] if runs else '?'} inputs, "
            f"{'no bug found' if status == 0 else 'FAILED, see ' + self.log}")
        return status == 0


def run_targets(names, seconds, seed=0):
    """Runs targets in parallel. Returns (name, ok) for each. seed: libFuzzer's seed; 0: random."""
    targets = []
    try:
        targets = [Target(name, seconds, seed) for name in names]
        return [(t.name, t.wait()) for t in targets]
    finally:
        for t in targets:
            if t.process.poll() is None:
                t.process.terminate()
                t.process.wait()


# --- sequences of GL calls (tests/fuzz/gl) ------------------------------------------------------

TSAN_SUPPRESSIONS = "suppressions=" + os.path.join(ROOT, "tests", "threads.supp")
GL_APIS = ("compat", "core", "es1", "es2", "es3")
WINDOW_APIS = ("egl", "glx")  # window-system APIs; GLX needs a display


def build_sanitized(targets=()):
    """Builds the core, the unit tests and the API tests with assertions, ASan and UBSan."""
    build(SANITIZED, ("-Dbuildtype=debugoptimized", "-Db_ndebug=false", "-Dwerror=true",
                      "-Db_sanitize=address,undefined", "-Db_lundef=false", "-Dsanitized=true"),
          targets=targets)


def build_threads():
    """Builds the multithreaded tests with TSan. Returns the command prefix for running them."""
    build(THREADS, ("-Dbuildtype=plain", "-Doptimization=1", "-Ddebug=true", "-Db_ndebug=false",
                    "-Db_sanitize=thread", "-Db_lundef=false", "-Dsanitized=true"),
          targets=("threads",))
    # ASLR may conflict with TSan's shadow memory; some containers don't allow disabling it
    fixed = not subprocess.call(["setarch", "-R", "true"], stderr=subprocess.DEVNULL)
    return ["setarch", "-R"] if fixed else []


def run_gl(apis, seconds, sanitizer="address", seed=None, more=()):
    """Fuzzes the APIs in parallel and prints bugs. Returns (API, ok) for each."""
    if not set(apis) & set(WINDOW_APIS):
        return run_gl_on(clean_env(), apis, seconds, sanitizer, seed, more)
    with common.Display(clean_env(), always_own=True) as env:
        return run_gl_on(env, apis, seconds, sanitizer, seed, more)


def run_gl_on(env, apis, seconds, sanitizer, seed, more):
    prefix = build_threads() if sanitizer == "thread" else []
    if sanitizer == "address":
        build_sanitized(("tests/fuzz/gl/fuzz-gl",))
    program = os.path.join(THREADS if prefix or sanitizer == "thread" else SANITIZED,
                           "tests", "fuzz", "gl", "fuzz-gl")
    cache = os.path.join(os.path.dirname(program), "kernels")
    os.makedirs(cache, exist_ok=True)
    running = []
    try:
        for api in apis:
            command = [*prefix, program, "--api", api, "--seconds", str(seconds),
                       *(["--seed", str(seed)] if seed is not None else []),
                       *(["--threads", "3"] if sanitizer == "thread" else []), *more]
            running.append((api, subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                errors="replace", stdin=subprocess.DEVNULL,
                env={**env, "INDIUM_CACHE_DIR": cache, "INDIUM_TIMEOUT": "1",  # endless shaders
                     "TSAN_OPTIONS": TSAN_SUPPRESSIONS})))
        results = []
        for api, process in running:
            text = process.communicate()[0].rstrip()
            if common.time_is_up.is_set() and process.returncode in (-signal.SIGTERM, -signal.SIGKILL):
                say(f"fuzz gl {api}: ended early, no bug found")
                results.append((api, True))
                continue
            say(text.splitlines()[-1] if process.returncode == 0 and text else f"{api}:\n{text}")
            results.append((api, process.returncode == 0))
        return results
    finally:
        for _, process in running:
            if process.poll() is None:
                process.terminate()
                process.wait()


def run_gl_command(args):
    apis, seconds, seed, sanitizer, more = [], 60, None, "address", []
    while args:
        word = args.pop(0)
        if word in ("--minimize", "--trace", "--code"):
            more.append(word)
        elif not args:
            raise Misuse(f"fuzz gl: unknown option {word}")
        elif word == "--api" and args[0] in GL_APIS + WINDOW_APIS:
            apis.append(args.pop(0))
        elif word == "--sanitizer" and args[0] in ("address", "thread"):
            sanitizer = args.pop(0)
        elif word == "--seconds" and args[0].isdigit():
            seconds = int(args.pop(0))
        elif word == "--seed" and args[0].isdigit():
            seed = int(args.pop(0))
        elif word in ("--calls", "--threads") and args[0].isdigit():
            more += [word, args.pop(0)]
        else:
            raise Misuse(f"fuzz gl: invalid option {word} {args[0]}")
    common.install(("build", "test"))
    results = run_gl(apis or GL_APIS + WINDOW_APIS, seconds, sanitizer, seed, more)
    return 0 if all(ok for _, ok in results) else 1


def run(args):
    if args and args[0] == "gl":
        return run_gl_command(args[1:])
    seconds, names = 60, []
    while args:
        word = args.pop(0)
        if word == "--seconds" and args and args[0].isdigit():
            seconds = int(args.pop(0))
        elif word.startswith("-"):
            raise Misuse(f"fuzz: unknown option {word}")
        else:
            names.append(word)
    known = target_names()
    if unknown := [n for n in names if n not in known]:
        raise Misuse(f"fuzz: unknown target {unknown[0]}, targets are {', '.join(known)}")
    common.install(("build", "test"))
    built = build_targets()
    start = time.monotonic()
    results = run_targets(names or built, seconds)
    say(f"fuzzed for {time.monotonic() - start:.0f} s")
    return 0 if all(ok for _, ok in results) else 1
