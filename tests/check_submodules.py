# SPDX-License-Identifier: MIT
"""
The submodules of a module depend on each other in one direction: each may include headers of, and
call functions in, the submodules that it is declared to depend on. Checks that

- an include of any other submodule does not compile with the submodule's flags;
- an include of its own headers, or of a submodule that it depends on, does, by itself;
- no object of a submodule refers to a symbol that only another submodule defines, unless it depends
  on that.

usage: check_submodules.py compile_commands.json MODULE SOURCES SUBMODULE[:DEPENDENCY,…]=LIBRARY[,…]…
MODULE is the prefix of includes and SOURCES the directory that it stands for.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile


def compile_flags(commands, source):
    """The compiler and the flags that the build uses for a source, without input and output."""
    for command in commands:
        if os.path.realpath(os.path.join(command["directory"], command["file"])) == source:
            words = shlex.split(command["command"])
            drop = [i for i, w in enumerate(words) if w in ("-o", "-MF", "-MQ")]
            gone = {"-c", "-MD", command["file"]}
            flags = [w for i, w in enumerate(words)
                     if w not in gone and i not in drop and i - 1 not in drop]
            return command["directory"], flags
    sys.exit(f"no compile command of {source}")


def sources_of(commands, folder):
    for command in commands:
        path = os.path.realpath(os.path.join(command["directory"], command["file"]))
        if os.path.dirname(path) == folder:
            return path
    sys.exit(f"no source in {folder}")


def compiles(directory, flags, header):
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "include.c")
        with open(source, "w", encoding="utf-8") as f:
            f.write(f'#include "{header}"\n')
        run = subprocess.run(flags + ["-fdiagnostics-color=never", "-fsyntax-only", source], cwd=directory, capture_output=True,
                             text=True, check=False)
    return run.returncode == 0, run.stderr


def symbols(libraries):
    """What libraries define, and what they refer to: symbol → members."""
    defined, used = set(), {}
    member = ""
    text = subprocess.run(["nm", *libraries], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        words = line.split()
        if line.endswith(":"):
            member = line[:-1]
        elif len(words) == 3 and words[1] in "TDBRCV":
            defined.add(words[2])
        elif len(words) == 2 and words[0] == "U":
            used.setdefault(words[1], set()).add(member)
    return defined, used


def check_includes(commands, module, root, allowed):
    """Returns a message for each include between submodules that compiles against `allowed`, or
    doesn't compile although it is allowed."""
    failures = []
    # Headers that end with _lanes are templates: their includer defines macros first.
    headers = {name: sorted(h for h in os.listdir(os.path.join(root, name))
                            if h.endswith(".h") and not h.endswith("_lanes.h"))
               for name in allowed}
    for name in allowed:
        directory, flags = compile_flags(commands, sources_of(commands, os.path.join(root, name)))
        for other in allowed:
            for header in headers[other] if other == name else headers[other][:1]:
                path = f"{module}/{other}/{header}"
                ok, message = compiles(directory, flags, path)
                if other == name or other in allowed[name]:
                    if not ok:
                        failures.append(f"{name} cannot include {path}: {message}")
                elif ok:
                    failures.append(f"{name} can include {path}")
                elif f"{path}: No such file" not in message:
                    failures.append(f"{name}: {path} fails for another reason: {message}")
    return failures


def check_symbols(allowed, libraries):
    """Returns a message for each symbol that a submodule uses against `allowed`."""
    failures = []
    defined, used = {}, {}
    for name, files in libraries.items():
        defined[name], used[name] = symbols(files)
    for name in allowed:
        for other in allowed:
            if other != name and other not in allowed[name]:
                for symbol in sorted(defined[other] & set(used[name])):
                    members = ", ".join(sorted(used[name][symbol]))
                    failures.append(f"{name} refers to {symbol} of {other}: {members}")
    return failures


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        commands = json.load(f)
    module, root = sys.argv[2], os.path.realpath(sys.argv[3])
    allowed, libraries = {}, {}
    for argument in sys.argv[4:]:
        left, files = argument.split("=")
        name, _, dependencies = left.partition(":")
        allowed[name] = set(filter(None, dependencies.split(",")))
        libraries[name] = files.split(",")
    for name, dependencies in allowed.items():
        if not dependencies < set(list(allowed)[:list(allowed).index(name) + 1]):
            sys.exit(f"{name} depends on a submodule that doesn't precede it")

    failures = check_includes(commands, module, root, allowed) + check_symbols(allowed, libraries)
    print("\n".join(failures))
    print(f"{len(allowed)} submodules, {len(failures)} failures")
    sys.exit(bool(failures))


main()
