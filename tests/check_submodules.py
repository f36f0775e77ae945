# SPDX-License-Identifier: MIT
"""
The submodules of a module depend on each other in one direction: each may include headers of, and
call functions in, the submodules that it is declared to depend on. Checks that

- the submodule's flags do not find the headers of any other submodule;
- they find its own headers, each of which compiles by itself, and those of its dependencies;
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


def compile_flags(command):
    """The compiler and the flags of a compile command, without input and output."""
    words = shlex.split(command["command"])
    drop = [i for i, w in enumerate(words) if w in ("-o", "-MF", "-MQ")]
    gone = {"-c", "-MD", command["file"]}
    return command["directory"], [w for i, w in enumerate(words)
                                  if w not in gone and i not in drop and i - 1 not in drop]


def find_command(commands, folder, libraries):
    """The compile command of a source in the folder, from the first library that has one."""
    for library in libraries:
        for command in commands:
            path = os.path.realpath(os.path.join(command["directory"], command["file"]))
            output = os.path.join(command["directory"], command.get("output", ""))
            if os.path.dirname(path) == folder and output.startswith(library + ".p/"):
                return command
    sys.exit(f"no source in {folder}")


def compile_text(directory, flags, text):
    """Compiles a source text with these flags. Returns the output and the errors."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "include.c")
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        result = subprocess.run([*flags, "-fdiagnostics-color=never", source], cwd=directory,
                                capture_output=True, text=True, check=False)
        return result.stdout, result.stderr


def reachable(directory, flags, paths):
    """Those of the headers that an include finds with these flags."""
    text = "".join(f'#if __has_include("{path}")\n{path}\n#endif\n' for path in paths)
    found = compile_text(directory, [*flags, "-E", "-P"], text)[0].splitlines()
    return [path for path in paths if path in found]


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


def check_includes(commands, module, root, allowed, libraries):
    """Returns a message for each include between submodules that compiles against `allowed`, or
    doesn't compile although it is allowed."""
    failures = []
    # Headers that end with _lanes are templates: their includer defines macros first.
    headers = {name: sorted(h for h in os.listdir(os.path.join(root, name))
                            if h.endswith(".h") and not h.endswith("_lanes.h"))
               for name in allowed}
    for name in allowed:
        directory, flags = compile_flags(
            find_command(commands, os.path.join(root, name), libraries[name]))
        paths = {other: [f"{module}/{other}/{header}" for header in headers[other]]
                 for other in allowed}
        all_paths = [path for other in allowed for path in paths[other]]
        wanted = [path for other in allowed if other == name or other in allowed[name]
                  for path in paths[other]]
        found = reachable(directory, flags, all_paths)
        failures += [f"{name} can include {path}" for path in found if path not in wanted]
        failures += [f"{name} cannot include {path}" for path in wanted if path not in found]
        for path in paths[name]:
            if errors := compile_text(directory, [*flags, "-fsyntax-only"],
                                      f'#include "{path}"\n')[1]:
                failures.append(f"{path} does not compile by itself: {errors}")
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

    failures = check_includes(commands, module, root, allowed, libraries)
    failures += check_symbols(allowed, libraries)
    print("\n".join(failures))
    print(f"{len(allowed)} submodules, {len(failures)} failures")
    sys.exit(bool(failures))


main()
