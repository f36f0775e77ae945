# SPDX-License-Identifier: MIT
"""check_kernels.py INDIUM_COMPILE EU_KERNELS [--target=T] [--every=N] [--list=FILE] [--jobs=N]:
compares the
kernels of whole programs with iga64, Intel's assembler.

Compiles all kernels of piglit's .shader_test files (every Nth), or of the files listed in FILE: GLSL,
SPIR-V modules and assembly programs. It is an error if one does not compile, or links although the test
says that it must not, unless the test requires an unsupported feature. For each kernel, our validator
must report nothing. iga64 must disassemble the emitted bytes without an error or warning to the text of
our disassembler, know each message, and assemble our text to the uncompacted program. Compacting that program must give
the emitted bytes. Exit code 77: iga64 or piglit is not installed.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from iga import assemble, compare, iga, lines, same_bytes

PIGLIT = pathlib.Path("/usr/lib/x86_64-linux-gnu/piglit")
KNOWN_FAILS = pathlib.Path(__file__).parents[2] / "piglit-profiles" / "indium-fails.txt"
PROGRAMS = 500  # programs per batch


def check(program, target, kernels, folder):
    """Compares all kernels of a batch; returns the numbers of kernels, instructions and compacted ones."""
    result = subprocess.run([program, target, folder / "all"], input="".join(f"{k}\n" for k in kernels),
                            stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode:
        sys.exit(f"{program}: {result.stdout}")
    text = lines((folder / "all.asm").read_text())
    theirs = iga(target, "-d", folder / "all.bin")
    compare("kernels", text, lines(theirs))
    unknown = [line for line in theirs.splitlines() if "unknown" in line.partition("//")[2]]
    if unknown:
        sys.exit(f"kernels: {len(unknown)} unknown messages\n" + "\n".join(unknown[:8]))
    native, source = (folder / "all.native.bin").read_bytes(), (folder / "all.native.asm").read_text()
    same_bytes("kernels", native, assemble(target, source, len(native), folder), lines(source))
    return [int(n) for n in result.stdout.split()[:3]]


def batch(options, files, scratch):
    """Compiles programs and checks their kernels. Returns the number of programs by outcome, the
    messages, the number of kernels per stage, and the counts of check()."""
    with tempfile.TemporaryDirectory(dir=scratch) as name:
        folder = pathlib.Path(name)
        (folder / "list").write_text("".join(f"{f}\n" for f in files))
        (folder / "kernels").mkdir()
        result = subprocess.run([options.compiler, f"--target={options.target}", "--quiet", "--expect",
                                 "--timeout=120",
                                 f"--output={folder / 'kernels'}/", f"--list={folder / 'list'}"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                check=False)
        summary = re.findall(r"^\d+ programs:.*$", result.stdout, re.M)
        if not summary:
            sys.exit(f"{options.compiler}: {result.stderr}")
        outcome = {what: int(n) for n, what in
                   re.findall(r" (\d+) ([a-z ]+?)(?= \d|$)", summary[0].split(":")[1])}
        kernels = sorted((folder / "kernels").iterdir())
        counts = check(options.checker, options.target, kernels, folder) if kernels else [0, 0, 0]
        stages = collections.Counter(k.name.split(".")[-2].rstrip("0123456789") for k in kernels)
        return outcome, result.stderr.splitlines(), stages, counts


def report(messages):
    """Prints each reason for a failed compilation, the number of kernels and an example program."""
    reasons = {}
    for line in messages:
        name, _, reason = line.partition(": ")
        reason = re.sub(r">= \d+", "more", reason or line)
        reasons.setdefault(reason, []).append(name)
    for reason, names in sorted(reasons.items()):
        print(f"{len(names)} {reason}: {names[0].replace(str(PIGLIT) + '/', '')}")


def fails_in_piglit(message):
    """Returns whether the driver's expected failures of piglit list the program of a message."""
    name = message.partition(".shader_test: ")[0].rpartition("tests/")[2].replace("/", "@")
    return name in KNOWN_FAILS.read_text().split()


def corpus(options):
    if options.list:
        return pathlib.Path(options.list).read_text().split()
    return sorted(map(str, PIGLIT.rglob("*.shader_test")))[::options.every]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("compiler")
    parser.add_argument("checker")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--target", default="skl")
    parser.add_argument("--list")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    files = corpus(options)
    if not shutil.which("iga64") or not files:
        sys.exit(77)
    outcome, messages, stages, totals = {}, [], collections.Counter(), [0, 0, 0]
    parts = [files[i:i + PROGRAMS] for i in range(0, len(files), PROGRAMS)]
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = [pool.submit(batch, options, part, scratch) for part in parts]
        for number, job in enumerate(concurrent.futures.as_completed(work)):
            results, said, seen, counts = job.result()
            for what, n in results.items():
                outcome[what] = outcome.get(what, 0) + n
            messages += said
            stages += seen
            totals = [a + b for a, b in zip(totals, counts)]
            if os.isatty(1) or len(parts) > 4:
                print(f"{number + 1} of {len(parts)}: {totals[0]} kernels", flush=True)
    report(messages)
    print(f"{len(files)} programs:", ", ".join(f"{n} {what}" for what, n in outcome.items()))
    print("kernels:", ", ".join(f"{n} {stage}" for stage, n in sorted(stages.items())))
    print(f"{totals[0]} kernels of {totals[1]} instructions agree, {totals[2]} compacted")
    # The program needs a message or a type that the target lacks, or handles.
    refused = sum(bool(re.search("this hardware |handles are not supported", line)) for line in messages)
    known = sum(map(fails_in_piglit, messages))
    print(f"{refused} shaders refused, {known} fail in piglit, too")
    broken = sum(outcome.get(what, 0) for what in ("crashed", "too slow", "unreadable",
                                                     "unexpected", "skipped", "broken"))
    sys.exit(1 if broken > refused + known or not totals[0] else 0)


main()
