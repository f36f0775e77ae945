# SPDX-License-Identifier: MIT
"""The commands and their arguments."""

import importlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time

from .common import BUILD, Display, Failure, Misuse, ours, prepare, say

USAGE = """\
usage: ./indium COMMAND

  run [--screenshot F.png [--after SECONDS]] [PROGRAM ARGUMENTS…]
        run a program through Indium; with --screenshot take a picture of what it
        shows (after 3 seconds unless told) and end it. Without a program: a demo
        that needs no display and writes indium-demo.png.
  test [STEP…]
        everything that CI runs, or only format, readmes, build, tests, sanitized,
        threads, fuzz, piglit-PROFILE; the last line is "N passed, N failed"
  piglit PROFILE [-t REGEX] [-j N]
        a piglit profile (quick_gl, quick_shader, glslparser, sanity …) through
        Indium, compared with what is expected and with llvmpipe
  bench [NAME…]
  bench swap|hacks|record|micro|scaling|start|compile|webgl [NAME…]
        speed, as ratios to llvmpipe measured in the same run: glmark2's scenes; or
        frames in a window, xscreensaver's hacks, instructions on record, single
        kinds of work, these by numbers of threads, start-up and memory, compiling.
        bench --help, bench swap --help … say more
  apps [NAME…] [--install] [--write]
        programs that people run, through Indium and through llvmpipe: their frames
        are compared; --write writes docs/applications.md
  fuzz [TARGET…] [--seconds N]
        hostile bytes for the compiler's parts, side by side, a minute unless told
  fuzz gl [--api core|compat|es1|es2|es3|egl|glx] [--seconds N] [--seed S [--calls N]]
          [--sanitizer address|thread] [--threads N] [--minimize] [--trace]
          [--code]
        sequences of random and nearly valid GL calls, each in a process of its own;
        --seed with --calls repeats one, --minimize leaves out calls that do not matter,
        --code prints the calls as C
  extensions [--write]
        what llvmpipe lists and we do not; --write writes docs/extensions.md
  env   lines for a shell: eval "$(./indium env)"
  info  version, APIs, limits, and for each way in whether it works here, or why not

Missing Debian packages are installed and the tree is built first, each only if needed.
Status: 0; 1 for what failed; 2 for a wrong command line; of run the program's, or 127
where there is no such program, 126 where it is none.
"""


def parse_run(args):
    picture, after = None, None
    while args and args[0].startswith("--"):
        option = args.pop(0)
        if option == "--":
            break
        if option not in ("--screenshot", "--after"):
            raise Misuse(f"run: what is {option}?")
        if not args:
            what = "a file" if option == "--screenshot" else "seconds"
            raise Misuse(f"run: {option} takes {what}")
        if option == "--screenshot":
            picture = args.pop(0)
        else:
            try:
                after = float(args.pop(0))
            except ValueError:
                raise Misuse("run: --after takes seconds") from None
    if after is not None and not picture:
        raise Misuse("run: --after goes with --screenshot")
    return picture, 3.0 if after is None else after, args


def end(process):
    """Ends a program and what it started."""
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
                raise Failure(f"{command[0]} ended with status {process.returncode} before the "
                              f"picture was taken")
            time.sleep(0.05)
        shot = [os.path.join(BUILD, "src", "tool", "indium-screenshot"), picture]
        if subprocess.run(shot, env=env).returncode:
            raise Failure("no picture was taken")
        say(f"wrote {picture}")
        return 0
    finally:
        end(process)


def command_run(args):
    picture, after, command = parse_run(args)
    if not command:
        prepare()
        command = [os.path.join(BUILD, "src", "tool", "indium-demo"), picture or "indium-demo.png"]
        return subprocess.run(command, env=ours()).returncode
    needs_display = not os.environ.get("DISPLAY")
    prepare("run")
    env = ours()
    program = shutil.which(command[0])
    if not program:
        found = os.path.exists(command[0])
        raise Failure(f"{command[0]} is no program" if found else f"there is no program {command[0]}",
                      126 if found else 127)
    if not needs_display and not picture:
        os.execve(program, command, env)
    with Display(env) as env:
        if picture:
            return take_picture(command, env, picture, after)
        return subprocess.run(command, env=env).returncode


def shell_status(status):
    """The status that a shell gives to a program that a signal has ended."""
    return 128 - status if status < 0 else status


def command_env(args):
    takes_nothing("env", args)
    prepare()
    path = ours()["LD_LIBRARY_PATH"]
    print(f"export LD_LIBRARY_PATH={shlex.quote(path)}")
    return 0


def command_info(args):
    takes_nothing("info", args)
    prepare()
    return subprocess.run([os.path.join(BUILD, "src", "tool", "indium-info")]).returncode


def takes_nothing(name, args):
    if args:
        raise Misuse(f"{name} takes no arguments")


# The others are modules: run(args) looks at its arguments, then prepares what it needs.
COMMANDS = {"run": command_run, "env": command_env, "info": command_info}
MODULES = ("test", "piglit", "bench", "apps", "fuzz", "extensions")
WITH_OWN_HELP = ("piglit", "bench")


def find_command(name):
    if name in MODULES:
        return importlib.import_module(f".{name}", __package__).run
    if name not in COMMANDS:
        raise Misuse(f"there is no command {name}; ./indium help names them")
    return COMMANDS[name]


def asks_for_help(args):
    words = ("--help", "-h")
    return args[0] in ("help", *words) or (
        len(args) == 2 and args[1] in words and args[0] not in WITH_OWN_HELP)


def end_by_signal(number, frame):
    """Ends what was started, which may be so new that no object stands for it, then as exit does."""
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as children:
        for child in children.read().split():
            os.kill(int(child), signal.SIGTERM)
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
    except OSError as error:  # a full disk, a tree that is not ours
        say(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return 1
    except KeyboardInterrupt:
        return 130
