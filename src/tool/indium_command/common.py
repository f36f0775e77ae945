# SPDX-License-Identifier: MIT
"""Code shared by all commands: installing packages, building, displays."""

import collections
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
BUILD = os.path.join(ROOT, "build")
# Root directory of a system with a newer Mesa and piglit: Debian sid.
# The library of the emulated GPU, and variables that give a program a display without a GPU.
GPU_LIBRARY = os.path.join(BUILD, "src", "gpu", "libindium-gpu.so")
GPU_NONE = {"LD_PRELOAD": GPU_LIBRARY, "INDIUM_GPU_CHIP": "none"}
PEER_ROOT = os.environ.get("INDIUM_PEER_ROOT", "/srv/sid")


class Failure(Exception):
    """Ends the command with a message and an exit status."""

    def __init__(self, text, status=1):
        super().__init__(text)
        self.status = status


class Misuse(Failure):
    """Wrong command line. Raised before anything is installed or built."""

    def __init__(self, text):
        super().__init__(text, 2)


def say(text):
    print(f"indium: {text}", file=sys.stderr, flush=True)


# --- time limit -------------------------------------------------------------------------------


# Set when the command's time limit has passed and its child processes are being ended.
time_is_up = threading.Event()


def end_children(number=signal.SIGTERM):
    """Sends a signal to the child processes of all threads, also ones just started."""
    for thread in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{thread}/children", encoding="ascii") as children:
                for child in children.read().split():
                    os.kill(int(child), number)
        except (FileNotFoundError, ProcessLookupError):
            pass  # the thread or the child has ended


def limit_time(seconds):
    """Ends the child processes after this wall-clock time, and those started later. They get
    SIGTERM, and SIGKILL if they run a minute later."""
    def run():
        time.sleep(seconds)
        time_is_up.set()
        for second in itertools.count():
            end_children(signal.SIGKILL if second >= 60 else signal.SIGTERM)
            time.sleep(1)
    threading.Thread(target=run, daemon=True).start()


# --- packages ---------------------------------------------------------------------------------


def release(path="/etc/os-release"):
    """Returns the name of the Debian release for packages.txt: "sid" for those after trixie."""
    try:
        with open(path, encoding="utf-8") as lines:
            name = re.search(r"^VERSION_CODENAME=\"?(\w+)", lines.read(), re.M)
    except OSError:
        name = None
    return name[1] if name and name[1] in ("bookworm", "trixie") else "sid"


def packages(groups, of_release=None):
    """Returns the packages of these groups in a release, by default this system's. "A|B" stands for
    either package."""
    of_release = of_release or release()
    with open(os.path.join(ROOT, "packages.txt"), encoding="utf-8") as lines:
        rows = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return [name for group, name, *releases in rows
            if group in groups and (not releases or of_release in releases)]


def installed():
    """Returns the names of all installed packages, or None if this is not Debian. Reads dpkg's
    status file, which is faster than dpkg-query."""
    names, name = set(), None
    try:
        with open("/var/lib/dpkg/status", encoding="utf-8", errors="replace") as status:
            for line in status:
                if line.startswith("Package: "):
                    name = line[9:].strip()
                elif line.startswith("Status: ") and line.rstrip().endswith(" installed"):
                    names.add(name)
    except OSError:
        return None
    return names


class InstallProgress:
    """Progress of apt-get: one updated line on a terminal, else a line every 15 seconds."""

    STEPS = (("Get:", "downloaded"), ("Unpacking ", "unpacked"), ("Setting up ", "set up"))

    def __init__(self):
        self.counts = {word: 0 for _, word in self.STEPS}
        self.total = "?"
        self.terminal = sys.stderr.isatty()
        self.shown = time.monotonic()

    def line(self, text):
        if match := re.search(r"(\d+) newly installed", text):
            self.total = match[1]
        elif text.startswith(("Need to get ", "After this operation, ")):
            say(text.strip())
        for start, word in self.STEPS:
            if text.startswith(start):
                self.counts[word] += 1
                self.show()

    def show(self, last=False):
        now = time.monotonic()
        if not last and now - self.shown < (0.1 if self.terminal else 15):
            return
        self.shown = now
        text = ", ".join(f"{count} {word}" for word, count in self.counts.items())
        text = f"  of {self.total} packages {text}"
        if self.terminal:
            print(f"\r{text}", end="\n" if last else "", file=sys.stderr, flush=True)
        else:
            say(text.strip())


def apt_get(arguments, progress=None):
    """Runs apt-get as root. Prints its output only if it fails."""
    command = ["env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C", "apt-get", "-q",
               "-o", "DPkg::Lock::Timeout=600", *arguments]
    if os.geteuid() != 0:
        command.insert(0, "sudo")
    lines = []
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        for line in process.stdout:
            lines.append(line)
            if progress:
                progress.line(line)
    if process.returncode:
        print("".join(lines[-40:]), file=sys.stderr)
        raise Failure(f"apt-get {arguments[0]} failed; see its output above")


def available(name):
    """Returns whether apt can install a package."""
    policy = subprocess.run(["apt-cache", "policy", name], capture_output=True, text=True,
                            env={**os.environ, "LC_ALL": "C"})
    return bool(re.search(r"^ *Candidate: (?!\(none\))", policy.stdout, re.M))


def choose(names):
    """Returns the first of the packages "A|B|C" that apt can install."""
    return next((name for name in names.split("|") if available(name)), names.split("|")[0])


def apt_install(names, progress=None):
    """Installs packages; of "A|B", the first that the release has."""
    if os.geteuid() != 0 and not shutil.which("sudo"):
        raise Failure("sudo is missing; run as root: apt-get update && apt-get install "
                      + " ".join(name.split("|")[0] for name in names))
    apt_get(["update"])
    names = [choose(name) if "|" in name else name for name in names]
    apt_get(["install", "-y", "--no-install-recommends", *names], progress)


def install(groups):
    have = installed()
    if have is None:
        return  # not Debian: the user provides the libraries
    missing = [p for p in packages(groups) if have.isdisjoint(p.split("|"))]
    if not missing:
        return
    say(f"installing {', '.join(missing)} and dependencies; this takes a few minutes")
    start = time.monotonic()
    progress = InstallProgress()
    apt_install(missing, progress)
    progress.show(last=True)
    say(f"installed in {time.monotonic() - start:.0f} s")


# --- building ---------------------------------------------------------------------------------


def tool(name):
    """Returns the path of a program, preferring /usr/bin: another meson would use another
    Python."""
    path = os.path.join("/usr/bin", name)
    path = path if os.path.exists(path) else shutil.which(name)
    if not path:
        raise Failure(f"{name} is missing")
    return path


def clean_env():
    """Returns the environment without Python settings of a virtualenv and without our libraries."""
    env = dict(os.environ)
    for name in ("LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME"):
        env.pop(name, None)
    return env


def run_logged(command, log, what):
    with open(log, "w", encoding="utf-8") as out:
        result = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, env=clean_env())
    if result.returncode:
        with open(log, encoding="utf-8", errors="replace") as text:
            print("".join(text.readlines()[-60:]), file=sys.stderr)
        raise Failure(f"{what} failed; see the end of {os.path.relpath(log, ROOT)} above")


# One thread at a time builds in a directory.
_building = collections.defaultdict(threading.Lock)


def build(directory=BUILD, options=("-Dbuildtype=debugoptimized", "-Db_ndebug=true"),
          targets=(), env=None):
    """Configures and builds a directory. Prints messages only if there is work to do."""
    with _building[directory]:
        configure(directory, options, env)
        run_ninja(directory, targets)


def configure(directory, options, env):
    os.makedirs(directory, exist_ok=True)
    if os.path.exists(os.path.join(directory, "build.ninja")):
        return
    say(f"configuring {os.path.relpath(directory, ROOT)}/")
    setup = [tool("meson"), "setup", directory, ROOT, *options]
    with_env = ["env", *(f"{k}={v}" for k, v in (env or {}).items())]
    run_logged(with_env + setup, os.path.join(directory, "configure.log"), "configuring")


def run_ninja(directory, targets):
    name = os.path.relpath(directory, ROOT)
    main_thread = threading.current_thread() is threading.main_thread()
    ninja = [tool("ninja"), "-C", directory]
    pending = subprocess.run([*ninja, "-n", *targets], capture_output=True, text=True,
                             env=clean_env())
    if "no work to do" in pending.stdout:
        return
    if not main_thread:  # another thread has work for the rest of the CPUs
        ninja.append(f"-j{half_of_cpus()}")
    steps = re.findall(r"^\[\d+/(\d+)\]", pending.stdout, re.M)
    say(f"building {name}/, {steps[-1] + ' steps ' if steps else ''}…")
    start = time.monotonic()
    if sys.stderr.isatty() and main_thread:
        result = subprocess.run([*ninja, *targets], env=clean_env())
        if result.returncode:
            raise Failure(f"building {name}/ failed; see the output above")
    else:
        run_logged([*ninja, *targets], os.path.join(directory, "build.log"), f"building {name}/")
    say(f"built in {time.monotonic() - start:.0f} s")


def half_of_cpus():
    return max(1, (os.cpu_count() or 1) // 2)


def prepare(*groups, targets=()):
    """Installs missing packages of "build" and of these groups, and builds the targets, or everything."""
    install(("build", *groups))
    build(targets=targets)


def prepare_run(*groups):
    """Prepares the libraries and what shows them; tests and benchmarks are not built."""
    prepare(*groups, targets=("run",))


# --- environments -----------------------------------------------------------------------------


def library_dir(directory=BUILD):
    return os.path.join(directory, "src", "target")


def ours(directory=BUILD, base=None):
    """Returns an environment in which programs load our libraries."""
    env = dict(base or os.environ)
    own = library_dir(directory)
    others = [p for p in env.get("LD_LIBRARY_PATH", "").split(":") if p and p != own]
    env["LD_LIBRARY_PATH"] = ":".join([own, *others])
    return env


def peer(base=None):
    """Returns an environment in which programs load Mesa's llvmpipe, with one thread per CPU."""
    env = dict(base or os.environ)
    env.pop("LD_LIBRARY_PATH", None)
    env["LIBGL_ALWAYS_SOFTWARE"] = "1"
    env["GALLIUM_DRIVER"] = "llvmpipe"
    return env


# Mounts of earlier commands may show deleted directories, so they are removed first. Both happen in a
# mount namespace that ends with the command.
ENTER_ROOT = """root=$1
for source in /proc /sys /dev /tmp "$2"; do
    while umount -l "$root$source" 2> /dev/null; do :; done
    mkdir -p "$root$source" && mount --rbind "$source" "$root$source" || exit 125
done
shift 2
exec chroot "$root" "$@"
"""


def in_root(command, env):
    """Returns the command and environment that run a command in env["INDIUM_ROOT"], the root
    directory of another system, if that is set. The command sees this system's processes, devices,
    temporary files and source tree there. Its mounts end with it."""
    root = env.get("INDIUM_ROOT")
    if not root:
        return command, env
    inside = {name: value for name, value in env.items() if name != "INDIUM_ROOT"}
    return ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", ENTER_ROOT, "sh", root, ROOT, *command], inside


def loader_environments(directory=BUILD, base=None):
    """Returns a dict from the name of a loader test to an environment in which that loader uses
    Indium. In most of them, Debian's libGL and libEGL remain in use."""
    env = dict(base or os.environ)
    env.pop("LD_LIBRARY_PATH", None)
    libraries = {**env, "LD_LIBRARY_PATH": library_dir(directory)}
    glvnd = os.path.join(library_dir(directory), "glvnd")
    dri = {**env, "LIBGL_DRIVERS_PATH": os.path.join(library_dir(directory), "dri")}
    return {
        **dict.fromkeys(("info", "installed", "vendor-files"), env),
        **dict.fromkeys(("compositor", "gbm", "mpi", "osmesa", "platforms", "vtk", "wayland"),
                        libraries),
        "glvnd-glx": {**env, "LD_LIBRARY_PATH": glvnd, "__GLX_VENDOR_LIBRARY_NAME": "indium"},
        "glvnd-egl": {**env, "__EGL_VENDOR_LIBRARY_FILENAMES":
                      os.path.join(glvnd, "60_indium.json")},
        "dri": {**dri, "LIBGL_ALWAYS_SOFTWARE": "1"},
        "gbm-default": {**libraries, "EGL_PLATFORM": "gbm"},
        "gbm-backend": {**env, "GBM_BACKEND": "indium",
                        "GBM_BACKENDS_PATH": os.path.join(library_dir(directory), "gbm"),
                        "__EGL_VENDOR_LIBRARY_FILENAMES": os.path.join(glvnd, "60_indium.json")},
        "gbm-dri": dri,
        "gbm-dri-override": {**dri, "MESA_LOADER_DRIVER_OVERRIDE": "indium"},
        "indirect": {**env, "LIBGL_ALWAYS_INDIRECT": "1"},
    }


class Display:
    """Context manager: the user's X display if there is one, else a private Xvfb. always_own forces
    a private Xvfb; indirect enables indirect GLX in it."""

    def __init__(self, env, always_own=False, size="1280x1024x24", server_env=None, indirect=False):
        self.env, self.always_own, self.size = env, always_own, size
        self.server, self.server_env, self.indirect = None, server_env, indirect

    def __enter__(self):
        if self.env.get("DISPLAY") and not self.always_own:
            return self.env
        if not shutil.which("Xvfb"):
            raise Failure("DISPLAY is not set and Xvfb is missing")
        read, write = os.pipe()
        self.log = tempfile.TemporaryFile()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", self.size, "-nolisten", "tcp",
             "-noreset", "-ac", "+iglx" if self.indirect else "-iglx"],
            pass_fds=[write], env=self.server_env, stdout=self.log, stderr=self.log,
            stdin=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            line = number.readline().strip()
        if not line:
            self.server.wait()
            self.log.seek(0)
            raise Failure("Xvfb did not start: " + self.log.read().decode(errors="replace")[-300:])
        self.env = {**self.env, "DISPLAY": f":{line}"}
        return self.env

    def __exit__(self, *unused):
        if self.server:
            self.server.terminate()
            self.server.wait()


class Weston:
    """Context manager: a Weston compositor. By default it is headless and renders with pixman. In
    the environment of another compositor it can be that compositor's client."""

    SETTINGS = "[shell]\nclock-format=none\nanimation=none\nstartup-animation=none\n"

    def __init__(self, env, *options):
        self.options = options or ("--backend=headless-backend.so", "--use-pixman")
        self.folder = tempfile.TemporaryDirectory()
        self.server_env = {**env, "XDG_RUNTIME_DIR": self.folder.name}
        self.server_env.pop("DISPLAY", None)
        self.env = {**self.server_env, "WAYLAND_DISPLAY": self.path("way-in")}

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def said(self):
        """Returns the compositor's log."""
        with open(self.path("log"), encoding="utf-8", errors="replace") as log:
            return log.read()

    def __enter__(self):
        with open(self.path("settings"), "w", encoding="utf-8") as settings:
            settings.write(self.SETTINGS)
        with open(self.path("log"), "w", encoding="utf-8") as log:
            self.server = subprocess.Popen(
                ["weston", *self.options, "--socket=way-in", "--idle-time=0", "--debug",
                 f"--config={self.path('settings')}"], env=self.server_env,
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 30
        while not os.path.exists(self.path("way-in")):
            if self.server.poll() is not None or time.monotonic() > deadline:
                raise Failure("weston did not start:\n" + self.said()[-800:])
            time.sleep(0.05)
        return self

    def __exit__(self, *unused):
        self.server.kill()
        self.server.wait()
        self.folder.cleanup()
