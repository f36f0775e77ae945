# SPDX-License-Identifier: MIT
"""./indium piglit: runs a profile and compares it with the expected results and with llvmpipe."""

import argparse
import bz2
import collections
import contextlib
import json
import lzma
import os
import re
import shutil
import subprocess

from .common import (GPU_NONE, PEER_ROOT, ROOT, Display, Failure, Weston, in_root, ours, peer,
                     prepare, say)

PROFILES = os.path.join(ROOT, "piglit-profiles")
RECORDS = {False: "llvmpipe-22.3.6", True: "llvmpipe-26.2.6"}  # by --sid
SHARED_PROCESS = ("glslparser", "quick_shader", "shader")  # run many tests per process
TIMEOUT = 180        # seconds per test; some compile hundreds of kernels
GROUP_TIMEOUT = 300  # seconds per group of tests that share a process
SIMULATED = {"i965": 4}  # timeout factors of drivers that simulate shaders
# Profiles of the shader compiler, run with overrides because it supports more than the driver
# advertises. Name → piglit profile and substrings of test names (none: all tests).
FRONT_END = {"glslparser": ("glslparser", ()),
             "linker": ("quick_shader", ("@linker", "@compiler", "@preprocessor"))}
OVERRIDES = {"INDIUM_GL_VERSION_OVERRIDE": "4.6COMPAT", "INDIUM_GLES_VERSION_OVERRIDE": "3.2",
             "INDIUM_GLSL_VERSION_OVERRIDE": "460",
             "INDIUM_EXTENSION_OVERRIDE": "+all"}
PLATFORMS = ("glx", "x11_egl", "mixed_glx_egl", "gbm", "surfaceless_egl", "wayland")
GOOD = {"pass", "warn"}
BAD = {"fail", "crash", "timeout", "incomplete", "dmesg-fail", "dmesg-warn"}


def read_lines(path):
    try:
        with open(path, encoding="utf-8") as lines:
            return [s for s in (line.strip() for line in lines) if s and not s.startswith("#")]
    except FileNotFoundError:
        return []


def peer_results(profile, record=RECORDS[False]):
    """Returns llvmpipe's results of a record, a folder of PROFILES: a dict NAME → result with names as in read_results(),
    and a dict NAME → test for subtests. Both are empty if the profile was not recorded."""
    path = os.path.join(PROFILES, record, f"{profile}.txt.xz")
    results, tests = {}, {}
    if not os.path.exists(path):
        return results, tests
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            *name, result = line.rstrip("\n").split("\t")
            results["@".join(name)] = result
            if len(name) > 1:
                tests["@".join(name)] = name[0]
    return results, tests


def on_the_same(results, wholes, reference):
    """Returns our results for the names in the peer's record, as far as they were run. wholes holds
    the overall results of tests with subtests. A test recorded as a whole gets our overall result,
    that of its worst subtest. A missing subtest gets the result of its test if that was skipped as
    a whole, else "notrun"."""
    names, tests = reference
    ran = {tests[n] for n in results if n in tests}
    same = {}
    for name in names:
        test = tests.get(name)
        result = results.get(name) or wholes.get(name) or results.get(test)
        if result or test in ran:
            same[name] = result or "notrun"
    return same


def read_results(folder):
    """Returns two dicts NAME → result: one with an entry per test, or per subtest if a test has
    several; and one with the overall results of the latter tests."""
    for name, opener in (("results.json.bz2", bz2.open), ("results.json", open)):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with opener(path, "rt", encoding="utf-8") as text:
                tests = json.load(text)["tests"]
            break
    else:
        raise Failure(f"piglit wrote no results to {os.path.relpath(folder, ROOT)}")
    results, wholes = {}, {}
    for name, test in tests.items():
        subtests = test.get("subtests") or {}
        if len(subtests) > 1:
            results.update({f"{name}@{sub}": result for sub, result in subtests.items()
                            if sub != "__type__"})
            wholes[name] = test["result"]
        else:
            results[name] = test["result"]
    return results, wholes


def run_piglit(profile, folder, env, include=(), jobs=2, extra=(), isolate=False):
    """Runs the piglit command. Returns the result of read_results(). isolate: each test has its own
    process, also in profiles of SHARED_PROCESS."""
    if not shutil.which("piglit", path=env.get("INDIUM_ROOT", "") + "/usr/bin"):
        raise Failure("piglit is not installed")
    shutil.rmtree(folder, ignore_errors=True)
    shared = profile in SHARED_PROCESS and not isolate
    timeout = GROUP_TIMEOUT if shared else TIMEOUT
    timeout *= SIMULATED.get(env.get("INDIUM_DRIVER"), 1)
    command = ["piglit", "run", "--timeout", str(timeout), "-j", str(jobs), "-l", "quiet", *extra]
    if shared:
        command += ["--process-isolation", "false"]
    for regex in include:
        command += ["-t", regex]
    for regex in read_lines(os.path.join(PROFILES, "indium-skips.txt")):
        command += ["-x", regex]
    # without the latter, piglit of 2026 skips tests of glslparser that name an extension
    env = {**env, "PIGLIT_NO_WINDOW": "1", "PIGLIT_NO_FAST_SKIP": "1"}
    for name in ("PYTHONPATH", "PYTHONHOME"):
        env.pop(name, None)
    command, env = in_root([*command, profile, folder], env)
    result = subprocess.run(command, env=env, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors="replace")
    if result.returncode:
        raise Failure(f"piglit exited with status {result.returncode}:\n{result.stdout[-2000:]}")
    return read_results(folder)


def repeat_alone(results, run):
    """Runs the tests that did not pass in a process that they shared again, each in its own process,
    where no other test has left state behind. Changes their results. run: a function from regular
    expressions of names to results."""
    names = [n for n, r in results.items() if r in BAD or r == "notrun"]
    if names:
        alone = run([f"^{re.escape(n)}$" for n in names])
        results.update({n: alone[n] for n in names if n in alone})


@contextlib.contextmanager
def platform_env(platform, base):
    """Context manager: the environment for a platform's tests, with an X display, an emulated DRM
    device (src/gpu) or a headless Wayland compositor."""
    if platform == "wayland":
        with Weston(base) as weston:
            yield weston.env
        return
    with Display(base, always_own=True) as env:
        if platform == "gbm":
            env = {**env, **GPU_NONE, "WAFFLE_GBM_DEVICE": "/dev/dri/card0"}
        yield env


def front_end(name):
    """Returns piglit's profile, its tests (none: all) and overrides for a profile's name."""
    profile, tests = FRONT_END.get(name, (name, ()))
    return profile, tests, OVERRIDES if name in FRONT_END else {}


def expected_fails():
    return set(read_lines(os.path.join(PROFILES, "indium-fails.txt")))


def compare(results, expected_fails, same, peers):
    """Returns a dict of lists of test names to report. same: result of on_the_same(); peers: the
    peer's results."""
    failing = sorted(n for n, r in results.items() if r in BAD)
    return {
        "crashes and timeouts": [n for n in failing if results[n] != "fail"],
        "unexpected failures": [n for n in failing
                                if results[n] == "fail" and n not in expected_fails],
        "listed failures that pass": sorted(n for n in expected_fails
                                            if results.get(n) in GOOD),
        "passing with llvmpipe only": sorted(
            n for n, r in same.items() if r not in GOOD and peers[n] in GOOD),
    }


def count_line(results):
    counts = collections.Counter(results.values())
    good = sum(counts[r] for r in GOOD)
    crash = counts["crash"] + counts["incomplete"]
    return (f"{good} pass, {counts['fail']} fail, {crash} crash, {counts['timeout']} timeout, "
            f"{counts['skip'] + counts['notrun']} skip of {len(results)}")


def run(args):
    parser = argparse.ArgumentParser(prog="./indium piglit")
    parser.add_argument("profile")
    parser.add_argument("-t", dest="include", action="append", default=[], metavar="REGEX",
                        help="run only tests whose name matches")
    parser.add_argument("-j", dest="jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--peer", action="store_true", help="run Mesa's llvmpipe instead")
    parser.add_argument("-p", dest="platform", choices=PLATFORMS,
                        help="piglit platform; compared with an earlier run with --peer")
    parser.add_argument("--overrides", action=argparse.BooleanOptionalAction,
                        help="enable all versions and extensions; default for "
                             f"{' and '.join(FRONT_END)}")
    parser.add_argument("--sid", action="store_true",
                        help=f"run piglit of Debian sid in the root directory {PEER_ROOT} "
                             "(INDIUM_PEER_ROOT), and compare with Mesa 26.2's llvmpipe")
    parser.add_argument("--alone", action="store_true",
                        help="run tests that don't pass in a process that they share with others "
                             "again, each in its own process, and count these results")
    parser.add_argument("--list", type=int, default=40, help="names to print per list, at most")
    options = parser.parse_args(args)
    prepare("run", "test")

    driver = os.environ.get("INDIUM_DRIVER", "cpu")
    on = f"-{options.platform}" if options.platform else ""
    suffix = ("-sid" if options.sid else "") + (
        "-peer" if options.peer else f"-{driver}" if driver != "cpu" else "")
    folder = os.path.join(ROOT, "results", options.profile + on + suffix)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    profile, tests, overrides = front_end(options.profile)
    if options.overrides is not None:
        overrides = OVERRIDES if options.overrides else {}
    with platform_env(options.platform, peer() if options.peer else ours()) as env:
        if not options.peer:
            env = {**overrides, **env}
        if options.sid:
            env = {**env, "INDIUM_ROOT": PEER_ROOT}
        extra = ("-p", options.platform) if options.platform else ()
        results, wholes = run_piglit(profile, folder, env, options.include or tests, options.jobs,
                                     extra)
        if options.alone and profile in SHARED_PROCESS:
            repeat_alone(results, lambda names: run_piglit(
                profile, f"{folder}-alone", env, names, options.jobs, extra, isolate=True)[0])
    peers = os.path.join(ROOT, "results",
                         f"{options.profile}{on}{'-sid' if options.sid else ''}-peer")
    if not options.platform:
        reference = peer_results(profile, RECORDS[options.sid])
    else:
        reference = read_results(peers)[0] if os.path.isdir(peers) else {}, {}
    same = on_the_same(results, wholes, reference)
    report = compare(results, expected_fails(), same, reference[0])
    for title, names in report.items():
        if names:
            print(f"{title}: {len(names)}")
            for name in names[:options.list]:
                print(f"  {name} ({same.get(name) or results.get(name)})")
            if len(names) > options.list:
                print(f"  … and {len(names) - options.list} more")
    print(f"{options.profile}: {count_line(results)}")
    if same:
        print(f"tests in llvmpipe's record: {count_line(same)}")
        print(f"llvmpipe on the same tests: {count_line({n: reference[0][n] for n in same})}")
    say(f"results are in {os.path.relpath(folder, ROOT)}; view with `piglit summary html DIR`")
    return 1 if report["crashes and timeouts"] or report["unexpected failures"] else 0
