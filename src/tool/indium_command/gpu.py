# SPDX-License-Identifier: MIT
"""./indium gpu: runs a program with an emulated Intel GPU."""

import argparse
import os
import re
import shutil
import subprocess
import tempfile

from .common import GPU_LIBRARY, Failure, Misuse, prepare


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Misuse(f"gpu: {message}")


def parse(args):
    parser = Parser(prog="./indium gpu", description="Run a program that finds an Intel GPU in "
                    "/dev/dri. Its OpenGL driver is the system's, for example Mesa's iris.")
    parser.add_argument("--chip", default="skl", help="g45, ilk, snb, ivb, hsw, bdw, skl (default), "
                        "icl, ehl, tgl or adl; none: only a display, without a GPU")
    parser.add_argument("--mode", metavar="WIDTHxHEIGHT", help="size of the display, by default "
                        "1024x768")
    parser.add_argument("--picture", metavar="FILE",
                        help="write what the display shows to a PNG file, after each change")
    parser.add_argument("--dump", metavar="DIR",
                        help="write each submitted batch to a file that indium-compile --decode reads")
    parser.add_argument("--trace", metavar="FILE",
                        help="write each packet, and the state of each draw and dispatch, to a file (skl)")
    parser.add_argument("--pixel", metavar="X,Y", help="add the history of this pixel to the trace")
    parser.add_argument("--strict", action="store_true", help="report set reserved bits, reads through caches that were "
                        "not invalidated, and of data that were not flushed, as errors (skl)")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser.parse_args(args)


def environment(options, tree):
    """Returns the variables of the program."""
    env = dict(os.environ)
    preloads = [GPU_LIBRARY, *env.get("LD_PRELOAD", "").split()]
    env["LD_PRELOAD"] = " ".join(preloads)
    env["INDIUM_GPU_CHIP"] = options.chip
    env["INDIUM_GPU_TREE"] = tree
    env["SYSTEMD_DEVICE_VERIFY_SYSFS"] = "0"  # libudev accepts files that stand for /sys
    if options.mode:
        if not re.fullmatch("[1-9][0-9]{0,3}x[1-9][0-9]{0,3}", options.mode):
            raise Misuse(f"gpu: --mode {options.mode}: expected WIDTHxHEIGHT, for example 640x480")
        env["INDIUM_GPU_MODE"] = options.mode
    if options.picture:
        env["INDIUM_GPU_PICTURE"] = os.path.realpath(options.picture)
    if options.dump:
        os.makedirs(options.dump, exist_ok=True)
        env["INDIUM_GPU_DUMP"] = os.path.realpath(options.dump)
    if options.trace:
        env["INDIUM_GPU_TRACE"] = os.path.realpath(options.trace)
    if options.pixel:
        env["INDIUM_GPU_PIXEL"] = options.pixel
    if options.strict:
        env["INDIUM_GPU_STRICT"] = "1"
    return env


def run(args):
    options = parse(args)
    prepare("gpu", targets=("gpu",))
    program = shutil.which(options.program)
    if not program:
        raise Failure(f"{options.program} was not found", 127)
    with tempfile.TemporaryDirectory(prefix=f"indium-gpu-{os.getpid()}-") as tree:
        return subprocess.run([program, *options.arguments], env=environment(options, tree)).returncode
