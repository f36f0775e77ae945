# SPDX-License-Identifier: MIT
"""
The submodules of src/gl depend on each other in one direction: each may include headers of, and call
functions in, submodules that precede it in the list. Checks that

- the flags of a submodule do not find the headers of later ones;
- they find its own headers, each of which compiles by itself, and those of earlier ones;
- no object of a submodule refers to a symbol that a later one defines.

usage: check_submodules.py compile_commands.json SOURCES SUBMODULE=LIBRARY…, in the order of dependence
"""

import json
import os
import re
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


def compile_text(directory, flags, text):
    """The errors of compiling a source text with these flags."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "include.c")
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        return subprocess.run([*flags, "-fdiagnostics-color=never", "-fsyntax-only", source],
                              cwd=directory, capture_output=True, text=True, check=False).stderr


def reachable(directory, flags, paths):
    """Those of the headers that an include finds with these flags."""
    text = "".join(f'#if __has_include("{path}")\n#error found {path}\n#endif\n' for path in paths)
    found = compile_text(directory, flags, text)
    return [path for path in paths if re.search(f"#error found {re.escape(path)}$", found, re.M)]


def symbols(library):
    """What a library defines, and what it refers to: symbol → members."""
    defined, used = set(), {}
    member = ""
    text = subprocess.run(["nm", library], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        words = line.split()
        if line.endswith(":"):
            member = line[:-1]
        elif len(words) == 3 and words[1] in "TDBRCV":
            defined.add(words[2])
        elif len(words) == 2 and words[0] == "U":
            used.setdefault(words[1], set()).add(member)
    return defined, used


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        commands = json.load(f)
    root = os.path.realpath(sys.argv[2])
    libraries = dict(argument.split("=") for argument in sys.argv[3:])
    order = list(libraries)
    failures = []

    headers = {name: sorted(h for h in os.listdir(os.path.join(root, name)) if h.endswith(".h"))
               for name in order}
    for i, name in enumerate(order):
        directory, flags = compile_flags(commands, sources_of(commands, os.path.join(root, name)))
        paths = [[f"gl/{other}/{header}" for header in headers[other]] for other in order]
        found = reachable(directory, flags, sum(paths, []))
        failures += [f"{name} can include {path}" for path in sum(paths[i + 1:], []) if path in found]
        failures += [f"{name} cannot include {path}" for path in sum(paths[:i + 1], [])
                     if path not in found]
        for path in paths[i]:
            if errors := compile_text(directory, flags, f'#include "{path}"\n'):
                failures.append(f"{path} does not compile by itself: {errors}")

    defined, used = {}, {}
    for name, library in libraries.items():
        defined[name], used[name] = symbols(library)
    for i, name in enumerate(order):
        for other in order[i + 1:]:
            for symbol in sorted(defined[other] & set(used[name])):
                failures.append(f"{name} refers to {symbol} of {other}: {', '.join(used[name][symbol])}")

    print("\n".join(failures))
    print(f"{len(order)} submodules, {len(failures)} failures")
    sys.exit(bool(failures))


main()
