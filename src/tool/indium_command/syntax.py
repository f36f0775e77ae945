# SPDX-License-Identifier: MIT
"""Checks that the front ends compile for CPUs that Indium isn't built for."""

import concurrent.futures
import json
import os
import re
import shlex
import subprocess

from . import common
from .common import BUILD, ROOT, tool

CLANG = "clang-19"
# Target of clang → headers of the C library for it.
TARGETS = {"riscv64-linux-gnu": "/usr/riscv64-linux-gnu/include",
           "i686-linux-gnu": "/usr/i686-linux-gnu/include"}
MODULES = ("asm", "glsl", "nir", "spirv", "util")
# What to build so that the generated files exist.
LIBRARIES = [f"src/{name}/lib{name}.a" for name in MODULES]


def sources():
    """Returns the C files of MODULES, including generated ones: path → options of the preprocessor
    and the version of C."""
    with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    found = {}
    for command in commands:
        path = os.path.normpath(os.path.join(BUILD, command["file"]))
        inside = os.path.relpath(path, BUILD if path.startswith(BUILD + os.sep) else ROOT)
        if re.match(rf"src/({'|'.join(MODULES)})/.*\.c$", inside) and path not in found:
            found[path] = [word for word in shlex.split(command["command"])
                           if re.match(r"-(D|I|isystem|std=|include)", word)]
    return found


def check(path, options, target):
    """Returns clang's messages about a file, "" if it compiles. Other headers than the C library's
    come from this system."""
    command = [tool(CLANG), f"--target={target}", "-fsyntax-only", "-Werror", "-nostdlibinc",
               "-isystem", TARGETS[target], *options, "-idirafter", "/usr/include", path]
    result = subprocess.run(command, cwd=BUILD, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, errors="replace", env=common.clean_env())
    return result.stdout if result.returncode else ""


def run(counts, jobs):
    """Checks each file for each target, `jobs` at a time."""
    common.build(targets=LIBRARIES)
    files = sources()
    for target in TARGETS:
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            messages = list(pool.map(lambda file: check(*file, target), files.items()))
        for message in filter(None, messages):
            print(message[:4000])
        counts.add(f"syntax: {len(files)} files for {target}", bool(files) and not any(messages))
