# SPDX-License-Identifier: MIT
"""./indium piglit: a profile through our libraries, against expectations and the peer."""

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

from .common import BUILD, ROOT, Display, Failure, Weston, ours, peer, prepare, say

PROFILES = os.path.join(ROOT, "piglit-profiles")
SHARED_PROCESS = ("glslparser", "quick_shader", "shader")  # their tests run many to a process
TIMEOUT = 180        # seconds that a test may take; some draw with hundreds of states, a kernel each
GROUP_TIMEOUT = 300  # and a group of tests that share a process
SIMULATED = {"i965": 4}  # drivers whose shaders a simulator runs: so many times as long
# Profiles of the front end, which is ahead of what is advertised: tests that compile and link run
# with all versions and extensions. NAME → piglit's profile, the tests in it
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


def peer_results(profile):
    """Of llvmpipe, named as read_results() names them: NAME → result, and NAME → test for subtests.
    Empty for a profile that was not recorded."""
    path = os.path.join(PROFILES, "llvmpipe-22.3.6", f"{profile}.txt.xz")
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
    """Our results of the names in the peer's record, as far as they were run. wholes: of tests with
    subtests. A test that is recorded as a whole has ours as a whole: that of its worst subtest. A
    subtest that did not come has the result of its test if that skipped as a whole, and is "notrun"
    else."""
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
    """NAME → result, tests with subtests give one entry for each; and NAME → result of these tests
    as wholes."""
    for name, opener in (("results.json.bz2", bz2.open), ("results.json", open)):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with opener(path, "rt", encoding="utf-8") as text:
                tests = json.load(text)["tests"]
            break
    else:
        raise Failure(f"piglit left no results in {os.path.relpath(folder, ROOT)}")
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


def run_piglit(profile, folder, env, include=(), jobs=2, extra=()):
    """Runs piglit's own command; returns what read_results() does."""
    if not shutil.which("piglit"):
        raise Failure("piglit is not installed")
    shutil.rmtree(folder, ignore_errors=True)
    timeout = GROUP_TIMEOUT if profile in SHARED_PROCESS else TIMEOUT
    timeout *= SIMULATED.get(env.get("INDIUM_DRIVER"), 1)
    command = ["piglit", "run", "--timeout", str(timeout), "-j", str(jobs), "-l", "quiet", *extra]
    if profile in SHARED_PROCESS:
        command += ["--process-isolation", "false"]
    for regex in include:
        command += ["-t", regex]
    for regex in read_lines(os.path.join(PROFILES, "indium-skips.txt")):
        command += ["-x", regex]
    env = {**env, "PIGLIT_NO_WINDOW": "1"}
    for name in ("PYTHONPATH", "PYTHONHOME"):
        env.pop(name, None)
    result = subprocess.run([*command, profile, folder], env=env, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors="replace")
    if result.returncode:
        raise Failure(f"piglit ended with status {result.returncode}:\n{result.stdout[-2000:]}")
    return read_results(folder)


@contextlib.contextmanager
def platform_env(platform, base):
    """The environment of a platform's tests: an X display, a device of DRM that is not there
    (tests/apps/drm_shim.c), a Wayland compositor without a screen."""
    if platform == "wayland":
        with Weston(base) as weston:
            yield weston.env
        return
    with Display(base, always_own=True) as env:
        if platform == "gbm":
            env = {**env, "LD_PRELOAD": os.path.join(BUILD, "tests", "apps", "drm-shim.so"),
                   "WAFFLE_GBM_DEVICE": "/dev/dri/card0"}
        yield env


def front_end(name):
    """Of a name that ./indium piglit takes: piglit's profile, its tests (none: all), overrides."""
    profile, tests = FRONT_END.get(name, (name, ()))
    return profile, tests, OVERRIDES if name in FRONT_END else {}


def expected_fails():
    return set(read_lines(os.path.join(PROFILES, "indium-fails.txt")))


def compare(results, expected_fails, same, peers):
    """What there is to report: four lists of names. same: on_the_same(), beside the peer's."""
    failing = sorted(n for n, r in results.items() if r in BAD)
    return {
        "crashes and time-outs": [n for n in failing if results[n] != "fail"],
        "unexpected failures": [n for n in failing
                                if results[n] == "fail" and n not in expected_fails],
        "listed failures that pass": sorted(n for n in expected_fails
                                            if results.get(n) in GOOD),
        "passing with llvmpipe and not here": sorted(
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
                        help="only tests whose name matches")
    parser.add_argument("-j", dest="jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--peer", action="store_true", help="run Mesa's llvmpipe instead")
    parser.add_argument("-p", dest="platform", choices=PLATFORMS,
                        help="as piglit's; results are compared with those of --peer before")
    parser.add_argument("--overrides", action=argparse.BooleanOptionalAction,
                        help="with all versions and extensions; default for "
                             f"{' and '.join(FRONT_END)}")
    parser.add_argument("--list", type=int, default=40, help="names to print in a list")
    options = parser.parse_args(args)
    prepare("run", "test")

    driver = os.environ.get("INDIUM_DRIVER", "cpu")
    on = f"-{options.platform}" if options.platform else ""
    suffix = "-peer" if options.peer else f"-{driver}" if driver != "cpu" else ""
    folder = os.path.join(ROOT, "results", options.profile + on + suffix)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    profile, tests, overrides = front_end(options.profile)
    if options.overrides is not None:
        overrides = OVERRIDES if options.overrides else {}
    with platform_env(options.platform, peer() if options.peer else ours()) as env:
        if not options.peer:
            env = {**overrides, **env}
        results, wholes = run_piglit(profile, folder, env, options.include or tests, options.jobs,
                                     ("-p", options.platform) if options.platform else ())
    peers = os.path.join(ROOT, "results", f"{options.profile}{on}-peer")
    if not options.platform:
        reference = peer_results(profile)
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
        print(f"of those in llvmpipe's record: {count_line(same)}")
        print(f"llvmpipe on the same tests: {count_line({n: reference[0][n] for n in same})}")
    say(f"results are in {os.path.relpath(folder, ROOT)}; `piglit summary html DIR` shows them")
    return 1 if report["crashes and time-outs"] or report["unexpected failures"] else 0
