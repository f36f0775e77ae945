# SPDX-License-Identifier: MIT
"""Compares frames that Mesa's iris draws on the emulated Skylake GPU with frames of llvmpipe from
the same Mesa, which is installed in a Debian root (INDIUM_PEER_ROOT). The programs are Wayland
clients of a weston that renders with iris; glxgears is a client of Xwayland. Writes the frames to
FOLDER as PNG files.

Rasterization is the same: iris uses the hardware's rules with 8 bits of subpixel precision, and so
does llvmpipe. Interpolation, filtering and mathematical functions differ in the last bits. So the
share SHARE of the pixels must be within TOLERANCE in each channel.

INTEL_DEBUG=noccs makes iris avoid compressed surfaces.

Usage: iris_pictures.py FRAME_SHIM GPU FOLDER [NAME…]
FRAME_SHIM is the library of frame_shim.c, GPU is libindium-gpu.so. Without names, runs PROGRAMS.
The name "all" stands for PROGRAMS and MORE."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time

from frames import far_pixels, read_rgba, write_png
from indium_command.common import PEER_ROOT, in_root

SKIP = 77
FRAMES = (2, 5)  # numbers of the compared frames, from 1
SIZE = "200x150"
TOLERANCE, SHARE = 8, 0.995  # largest difference of a channel (of 255); share of pixels within it
EMPTY = ("clear", "ideas", "pulsar")  # may draw nothing in the first frames
# (TOLERANCE, SHARE) of programs with other limits. terrain and the last four amplify differences of
# mediump calculations, for which iris uses 16-bit floats and llvmpipe 32-bit floats. terrain also
# amplifies those of 8-bit heights, from which it computes normals. refract and effect2d have edges
# where texel positions round differently.
LIMITS = {
    "refract": (8, 0.98),
    "effect2d-edge": (8, 0.98),
    "effect2d-blur": (8, 0.96),
    "terrain": (64, 0.9),
    "terrain-high": (8, 0.98),
    "conditionals": (8, 0.95),
    "function-low": (32, 0.97),
    "function-medium": (32, 0.97),
    "loop": (32, 0.97),
}
HIGH = ":vertex-precision=high,high,high,high:fragment-precision=high,high,high,high"


def scene(options):
    """Returns the command of a scene of glmark2."""
    return ["glmark2-es2-wayland", "-s", SIZE, "-b", f"{options}:duration=100"]


PROGRAMS = {
    "es2gears": ["es2gears_wayland"],
    "eglgears": ["eglgears_wayland"],
    "glxgears": ["glxgears"],
    "build": scene("build:use-vbo=true"),
    "texture-mipmap": scene("texture:texture-filter=mipmap"),
    "shading-phong": scene("shading:shading=phong"),
    "bump-height": scene("bump:bump-render=height"),
    "jellyfish": scene("jellyfish"),
    "refract": scene("refract"),
}
MORE = {
    "build-client": scene("build:use-vbo=false"),
    "texture-nearest": scene("texture:texture-filter=nearest"),
    "texture-linear": scene("texture:texture-filter=linear"),
    "shading-gouraud": scene("shading:shading=gouraud"),
    "shading-blinn": scene("shading:shading=blinn-phong-inf"),
    "shading-cel": scene("shading:shading=cel"),
    "bump-high": scene("bump:bump-render=high-poly"),
    "bump-normals": scene("bump:bump-render=normals"),
    "effect2d-edge": scene("effect2d:kernel=0,1,0;1,-4,1;0,1,0;"),
    "effect2d-blur": scene("effect2d:kernel=1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;"),
    "pulsar": scene("pulsar:light=false:quads=5:texture=false"),
    "desktop-blur": scene("desktop:blur-radius=5:effect=blur:passes=1:separable=true:windows=4"),
    "desktop-shadow": scene("desktop:effect=shadow:windows=4"),
    "buffer-map": scene("buffer:interleave=false:update-method=map"),
    "buffer-subdata": scene("buffer:interleave=false:update-method=subdata"),
    "buffer-interleave": scene("buffer:interleave=true:update-method=map"),
    "ideas": scene("ideas:speed=duration"),
    "terrain": scene("terrain"),
    "terrain-high": scene("terrain" + HIGH),
    "shadow": scene("shadow"),
    "conditionals": scene("conditionals:fragment-steps=5:vertex-steps=5"),
    "conditionals-high": scene("conditionals:fragment-steps=5:vertex-steps=5" + HIGH),
    "function-low": scene("function:fragment-complexity=low:fragment-steps=5"),
    "function-low-high": scene("function:fragment-complexity=low:fragment-steps=5" + HIGH),
    "function-medium": scene("function:fragment-complexity=medium:fragment-steps=5"),
    "function-medium-high": scene("function:fragment-complexity=medium:fragment-steps=5" + HIGH),
    "loop": scene("loop:fragment-steps=5:fragment-uniform=true:vertex-steps=5"),
    "loop-high": scene("loop:fragment-steps=5:fragment-uniform=true:vertex-steps=5" + HIGH),
    "clear": scene("clear"),
}


class Unlike(Exception):
    """A check failed. The text is the reason."""


def exists(program):
    return os.path.exists(f"{PEER_ROOT}/usr/bin/{program}")


def run(env, command):
    """Runs a command in the root env["INDIUM_ROOT"] for at most 300 s. Returns its result."""
    words, env = in_root(command, env)
    return subprocess.run(["timeout", "300", *words], env=env, capture_output=True, text=True,
                          errors="replace", check=False)


class Desktop:
    """A weston with the emulated GPU, and Xwayland on request. gpu: path of libindium-gpu.so."""

    def __init__(self, gpu, folder):
        self.folder = folder
        self.base = {"PATH": os.environ["PATH"], "HOME": folder, "XDG_RUNTIME_DIR": folder,
                     "INDIUM_ROOT": PEER_ROOT, "MESA_SHADER_CACHE_DISABLE": "true"}
        self.gpu = gpu
        self.processes = []

    def start(self, command, path, env):
        """Starts a server in the root. Waits until it has created the file `path`."""
        words, env = in_root(["/usr/bin/env", f"LD_PRELOAD={self.gpu}", *command], env)
        log = open(os.path.join(self.folder, command[0] + ".log"), "w", encoding="utf-8")
        self.processes.append(subprocess.Popen(words, env=env, stdout=log, stderr=log))
        for _ in range(600):
            if os.path.exists(path):
                return
            if self.processes[-1].poll() is not None:
                break
            time.sleep(0.1)
        raise Unlike(f"{command[0]} did not start: {open(log.name, encoding='utf-8').read()[-800:]}")

    def iris(self):
        """Returns the environment of weston and of programs that use iris."""
        return {**self.base, "INDIUM_GPU_CHIP": "skl", "INTEL_DEBUG": os.environ.get("INTEL_DEBUG", ""),
                "WAYLAND_DISPLAY": "wl-iris", "INDIUM_GPU_TREE": os.path.join(self.folder, "tree")}

    def __enter__(self):
        os.mkdir(os.path.join(self.folder, "tree"))
        self.start(["weston", "--backend=headless", "--renderer=gl", "--socket=wl-iris",
                    "--width=640", "--height=480", "--idle-time=0"],
                   os.path.join(self.folder, "wl-iris"), self.iris())
        return self

    def __exit__(self, *unused):
        while self.processes:
            self.stop()

    def stop(self):
        """Ends the server that was started last."""
        process = self.processes.pop()
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()

    @contextlib.contextmanager
    def xwayland(self):
        """Context manager that runs Xwayland. Yields the name of the X display. Meanwhile, its
        window covers those of other clients, which then get no frame callbacks."""
        display = next(f":{n}" for n in range(90, 200)
                       if not os.path.exists(f"/tmp/.X11-unix/X{n}"))
        self.start(["Xwayland", display], f"/tmp/.X11-unix/X{display[1:]}", self.iris())
        try:
            yield display
        finally:
            self.stop()

    def draw(self, name, command, who, shim, target):
        """Runs a program with the driver `who`, "iris" or "llvmpipe". Returns its frames FRAMES as
        images, and writes them to PNG files in the directory `target`."""
        preload = [shim] if who == "llvmpipe" else [self.gpu, shim]
        env = {**self.iris(), "FRAME_SHIM_FRAMES": ",".join(map(str, FRAMES)),
               "FRAME_SHIM_OUT": os.path.join(self.folder, f"{name}-{who}")}
        if who == "llvmpipe":
            env["LIBGL_ALWAYS_SOFTWARE"] = "1"
        command = ["/usr/bin/env", f"LD_PRELOAD={':'.join(preload)}", *command]
        if name == "glxgears":
            with self.xwayland() as display:
                result = run({**env, "DISPLAY": display}, command)
        else:
            result = run(env, command)
        images = []
        for frame in FRAMES:
            path = os.path.join(self.folder, f"{name}-{who}-{frame}.rgba")
            if not os.path.exists(path):
                raise Unlike(f"{name} with {who} exited with {result.returncode}: "
                             f"{(result.stdout + result.stderr)[-800:]}")
            images.append(read_rgba(path))
            write_png(os.path.join(target, f"{name}-{who}-{frame}.png"), images[-1])
        return images


def check(name, mine, other):
    """Compares frames of iris (mine) and llvmpipe (other). Raises Unlike if they differ."""
    for frame, a, b in zip(FRAMES, mine, other):
        if a[:2] != b[:2]:
            raise Unlike(f"{name}: sizes differ: {a[:2]} and {b[:2]}")
        if len({a[2][i:i + 3] for i in range(0, len(a[2]), 4)}) < 2 and name not in EMPTY:
            raise Unlike(f"{name}: frame {frame} is empty")
        pixels = a[0] * a[1]
        tolerance, share = LIMITS.get(name, (TOLERANCE, SHARE))
        close = {t: 1 - far_pixels(a[2], b[2], t) / pixels for t in (0, 2, tolerance)}
        print(f"{name} {frame}: " + ", ".join(f"{s:.3%} within {t}" for t, s in close.items()),
              flush=True)
        if close[tolerance] < share:
            raise Unlike(f"{name}: frame {frame} differs")


def main(shim, gpu, target, *names):
    if os.geteuid() or not all(map(exists, ("weston", "es2gears_wayland", "glmark2-es2-wayland"))):
        print(f"no weston, es2gears_wayland and glmark2-es2-wayland in {PEER_ROOT}, or not root")
        return SKIP
    os.makedirs(target, exist_ok=True)
    programs = {**PROGRAMS, **MORE} if names == ("all",) else \
        {n: {**PROGRAMS, **MORE}[n] for n in names or PROGRAMS}
    errors = 0
    with tempfile.TemporaryDirectory() as folder, \
            Desktop(os.path.abspath(gpu), folder) as desktop:
        for name, command in programs.items():
            if name == "glxgears" and not exists("Xwayland"):
                print("glxgears: skipped, there is no Xwayland")
                continue
            try:
                frames = [desktop.draw(name, command, who, os.path.abspath(shim), target)
                          for who in ("iris", "llvmpipe")]
                check(name, *frames)
            except Unlike as why:
                errors += 1
                print(f"FAILED {why}", flush=True)
    return 1 if errors else 0


sys.exit(main(*sys.argv[1:]))
