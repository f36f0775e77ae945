# SPDX-License-Identifier: MIT
"""The commands and their arguments."""

import os
import shlex
import signal
import subprocess
import sys
import time

from .common import BUILD, ROOT, Display, Failure, build, install, ours, say

USAGE = """\
usage: ./indium COMMAND

  run [--screenshot F.png [--after SECONDS]] [PROGRAM ARGUMENTS…]
        run a program through Indium; with --screenshot take a picture of what it
        shows (after 3 seconds unless told) and end it. Without a program: a demo
        that needs no display and writes indium-demo.png.
  test  everything that CI runs; the last line is "N passed, N failed"
  piglit PROFILE [-t REGEX] [-j N]
        a piglit profile (quick_gl, quick_shader, glslparser, sanity …) through
        Indium, compared with what is expected and with llvmpipe
  bench [NAME…]
        speed, as ratios to llvmpipe measured in the same run
  apps [NAME…] [--install] [--write]
        programs that people run, through Indium and through llvmpipe: their frames
        are compared; --write writes docs/applications.md
  fuzz [TARGET…] [--seconds N]
        hostile bytes for the compiler's parts, side by side, a minute unless told
  fuzz gl [--api core|compat|es1|es2|es3] [--seconds N] [--seed S [--calls N]]
          [--sanitizer address|thread] [--threads N] [--minimize] [--trace]
        sequences of random and nearly valid GL calls, each in a process of its own;
        --seed with --calls repeats one, --minimize leaves out calls that do not matter
  extensions [--write]
        what llvmpipe lists and we do not; --write writes docs/extensions.md
  env   lines for a shell: eval "$(./indium env)"
  info  version, APIs, limits, and for each way in whether it works here, or why not

Missing Debian packages are installed and the tree is built first, each only if needed.
"""


def prepare(groups=("build",)):
    install(groups)
    build()


def parse_run(args):
    picture, after = None, None
    while args and args[0].startswith("--"):
        option = args.pop(0)
        if option == "--":
            break
        if option not in ("--screenshot", "--after") or not args:
            raise Failure(f"run: what is {option}?\n{USAGE}")
        if option == "--screenshot":
            picture = args.pop(0)
        else:
            try:
                after = float(args.pop(0))
            except ValueError:
                raise Failure("run: --after takes seconds") from None
    if after is not None and not picture:
        raise Failure("run: --after goes with --screenshot")
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
    prepare(("build", "run"))
    env = ours()
    try:
        if not needs_display and not picture:
            os.execvpe(command[0], command, env)
        with Display(env) as env:
            if picture:
                return take_picture(command, env, picture, after)
            return subprocess.run(command, env=env).returncode
    except FileNotFoundError:
        raise Failure(f"there is no program {command[0]}") from None


def command_env(args):
    prepare()
    path = ours()["LD_LIBRARY_PATH"]
    print(f"export LD_LIBRARY_PATH={shlex.quote(path)}")
    return 0


def command_apps(args):
    prepare(("build", "run", "test"))
    from . import apps
    return apps.run(args)


def command_info(args):
    prepare()
    return subprocess.run([os.path.join(BUILD, "src", "tool", "indium-info")]).returncode


def command_test(args):
    install(("build", "run", "test"))
    from . import test
    return test.run(args)


def command_piglit(args):
    prepare(("build", "run", "test"))
    from . import piglit
    return piglit.run(args)


def command_bench(args):
    prepare(("build", "run", "test"))
    from . import bench
    return bench.run(args)


def command_extensions(args):
    prepare(("build", "run", "test"))
    from . import extensions
    return extensions.run(args)


def command_fuzz(args):
    install(("build", "test"))
    from . import fuzz
    return fuzz.run(args)


COMMANDS = {"run": command_run, "test": command_test, "piglit": command_piglit,
            "bench": command_bench, "fuzz": command_fuzz, "env": command_env, "info": command_info,
            "apps": command_apps, "extensions": command_extensions}


def main(args):
    if not args or args[0] in ("help", "--help", "-h"):
        print(USAGE, end="")
        return 0 if args else 2
    command = COMMANDS.get(args[0])
    if not command:
        print(f"indium: there is no command {args[0]}\n\n{USAGE}", end="", file=sys.stderr)
        return 2
    try:
        return command(args[1:])
    except Failure as failure:
        say(str(failure))
        return 1
    except KeyboardInterrupt:
        return 130
