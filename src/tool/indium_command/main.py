# SPDX-License-Identifier: MIT
"""Commands of ./indium and their arguments."""

import importlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time

from .common import BUILD, Display, Failure, Misuse, end_children, ours, prepare_run, say

USAGE = """\
usage: ./indium COMMAND

  run [--screenshot F.png [--after SECONDS]] [PROGRAM ARGUMENTS…]
        Run a program with Indium. --screenshot saves an image of its largest window
        after some seconds (default 3) and ends the program. Without a program, run a
        demo that needs no display and writes indium-demo.png.
  gpu [OPTIONS] PROGRAM ARGUMENTS…
        Run a program with an emulated Intel GPU in /dev/dri and the system's own
        OpenGL driver, for example Mesa's iris. See docs/i965.md.
  test [--limit MINUTES] [--make-root] [quick | STEP…]
        Run all CI steps, with quick the part for each commit (under five minutes), or
        some steps: format, readmes, build, short-tests, more-tests, sanitized, threads,
        fuzz, i965-judges, piglit-PROFILE, syntax (whether the front ends compile for riscv64
        and i386), and three that run only if named: options (builds
        without each interface and with a shared LLVM), igt (IGT's tests on the emulated
        GPU, an hour) and arm64 (a cross build whose tests run under qemu-user).
        Once arm64 has downloaded its libraries, it is one of all steps.
        i965-judges and igt need a Debian sid in /srv/sid (INDIUM_PEER_ROOT), which
        --make-root makes.
        --limit ends the command after that time, names the steps that were not finished,
        and fails if one of them belongs to quick.
        The last line is "N passed, N failed".
  piglit PROFILE [-t REGEX] [-j N]
        Run a piglit profile (quick_gl, quick_shader, glslparser, sanity …) and compare
        it with the expected results and with llvmpipe's.
  bench [NAME…]
        Compare glmark2's scenes with Mesa's llvmpipe.
  bench swap|hacks|record|micro|transfers|scaling|start|compile|webgl [NAME…]
        Other comparisons: frames in a window, xscreensaver's hacks, instruction counts,
        microbenchmarks, pixel transfers, numbers of threads, start-up and memory, compile time, WebGL.
        See bench --help, bench swap --help and so on.
  bench --write
        Update the tables of docs/performance.md from bench/results/.
  apps [NAME…] [--install] [--write]
        Run applications with Indium and with llvmpipe and compare their frames.
        --write updates docs/applications.md.
  fuzz [TARGET…] [--seconds N]
        Fuzz the compiler's components in parallel, 60 seconds by default.
  fuzz gl [--api core|compat|es1|es2|es3|egl|glx] [--seconds N] [--seed S [--calls N]]
          [--sanitizer address|thread] [--threads N] [--minimize] [--trace]
          [--code]
        Run sequences of random and nearly valid GL calls, each in a separate process.
        --seed with --calls repeats a sequence, --minimize removes irrelevant calls,
        --code prints the calls as C.
  extensions [--write]
        List extensions that llvmpipe has and Indium lacks. --write updates
        docs/extensions.md.
  package tarball|deb|wheel
        Make an archive that works in any directory and on other systems, a Debian
        package, or a package for Python (indium_gl).
  env   Print shell code that selects Indium: eval "$(./indium env)"
  info  Print version, APIs, limits, and which libraries and loaders work here.

Each command first installs missing Debian packages and builds the tree, if needed.
Exit status: 0 on success, 1 on failure, 2 for a wrong command line. run returns the
status of the program, 127 if it does not exist, 126 if it cannot be executed.
"""


def parse_run(args):
    picture, after = None, None
    while args and args[0].startswith("--"):
        option = args.pop(0)
        if option == "--":
            break
        if option not in ("--screenshot", "--after"):
            raise Misuse(f"run: unknown option {option}")
        if not args:
            what = "a file name" if option == "--screenshot" else "a number of seconds"
            raise Misuse(f"run: {option} requires {what}")
        if option == "--screenshot":
            picture = args.pop(0)
        else:
            try:
                after = float(args.pop(0))
            except ValueError:
                raise Misuse("run: --after requires a number of seconds") from None
    if after is not None and not picture:
        raise Misuse("run: --after requires --screenshot")
    return picture, 3.0 if after is None else after, args


def end(process):
    """Ends a program and all processes of its session."""
    for sig in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sig)
        except ProcessLookupError:
            return
        try:
            process.wait(timeout=2)
            return
        except subprocess.TimeoutExpired:
            continue


def take_picture(command, env, picture, after):
    process = subprocess.Popen(command, env=env, start_new_session=True)
    try:
        deadline = time.monotonic() + after
        while time.monotonic() < deadline:
            if process.poll() is not None:
                raise Failure(f"{command[0]} exited with status {process.returncode} before the "
                              f"screenshot")
            time.sleep(0.05)
        shot = [os.path.join(BUILD, "src", "tool", "indium-screenshot"), picture]
        if subprocess.run(shot, env=env).returncode:
            raise Failure("taking the screenshot failed")
        say(f"wrote {picture}")
        return 0
    finally:
        end(process)


def command_run(args):
    picture, after, command = parse_run(args)
    if not command:
        prepare_run()
        command = [os.path.join(BUILD, "src", "tool", "indium-demo"), picture or "indium-demo.png"]
        return subprocess.run(command, env=ours()).returncode
    needs_display = not os.environ.get("DISPLAY")
    prepare_run("run")
    env = ours()
    program = shutil.which(command[0])
    if not program:
        found = os.path.exists(command[0])
        problem = "is not executable" if found else "was not found"
        raise Failure(f"{command[0]} {problem}",
                      126 if found else 127)
    if not needs_display and not picture:
        os.execve(program, command, env)
    with Display(env) as env:
        if picture:
            return take_picture(command, env, picture, after)
        return subprocess.run(command, env=env).returncode


def shell_status(status):
    """Returns the exit status that a shell reports; a signal N becomes 128 + N."""
    return 128 - status if status < 0 else status


def command_env(args):
    takes_nothing("env", args)
    prepare_run()
    path = ours()["LD_LIBRARY_PATH"]
    print(f"export LD_LIBRARY_PATH={shlex.quote(path)}")
    return 0


def command_info(args):
    takes_nothing("info", args)
    prepare_run()
    return subprocess.run([os.path.join(BUILD, "src", "tool", "indium-info")]).returncode


def takes_nothing(name, args):
    if args:
        raise Misuse(f"{name}: takes no arguments")


# All other commands are modules. Their run(args) checks the arguments, then installs and builds.
COMMANDS = {"run": command_run, "env": command_env, "info": command_info}
MODULES = ("test", "piglit", "bench", "apps", "fuzz", "extensions", "gpu", "package")
WITH_OWN_HELP = ("piglit", "bench", "gpu")


def find_command(name):
    if name in MODULES:
        return importlib.import_module(f".{name}", __package__).run
    if name not in COMMANDS:
        raise Misuse(f"unknown command {name}; see ./indium help")
    return COMMANDS[name]


def asks_for_help(args):
    words = ("--help", "-h")
    return args[0] in ("help", *words) or (
        len(args) == 2 and args[1] in words and args[0] not in WITH_OWN_HELP)


def end_by_signal(number, frame):
    """Signal handler: ends the child processes of all threads, also ones just started, then exits."""
    end_children()
    sys.exit(128 + number)


def main(args):
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end_by_signal)
    if not args or asks_for_help(args):
        print(USAGE, end="")
        return 0 if args else 2
    try:
        return shell_status(find_command(args[0])(args[1:]))
    except Failure as failure:
        say(str(failure))
        return failure.status
    except OSError as error:  # for example a full disk, or a tree of another user
        say(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return 1
    except KeyboardInterrupt:
        return 130
