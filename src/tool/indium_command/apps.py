# SPDX-License-Identifier: MIT
"""./indium apps: runs applications with Indium and with llvmpipe and compares their frames. A
preloaded clock advances with the frames, so both sides draw the same ones."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

from . import offscreen, webgl
from .common import (BUILD, ROOT, Display, Weston, Failure, Misuse, apt_install, installed, ours,
                     peer, prepare, say)

sys.path.insert(0, os.path.join(ROOT, "tests", "apps"))

SDL_TESTS = "/usr/libexec/installed-tests/SDL2/"
QT5_EXAMPLES = "/usr/lib/x86_64-linux-gnu/qt5/examples/opengl/"

# Program, package, command, frame to compare.
PROGRAMS = [
    ("glxgears", "mesa-utils", ["glxgears"], 25),
    ("glxheads", "mesa-utils-bin", ["glxheads"], 10),
    ("glmark2 build", "glmark2-x11", ["glmark2", "-b", "build:duration=10"], 10),
    ("glmark2 terrain", "glmark2-x11", ["glmark2", "-b", "terrain:duration=10"], 5),
    ("glmark2-es2 refract", "glmark2-es2-x11", ["glmark2-es2", "-b", "refract:duration=10"], 5),
    ("es2gears", "mesa-utils-bin", ["es2gears_x11"], 10),
    ("SDL testgl2", "libsdl2-tests", [SDL_TESTS + "testgl2"], 10),
    ("SDL testgles2", "libsdl2-tests", [SDL_TESTS + "testgles2"], 10),
    ("Qt 5 hellogl2", "qtbase5-examples", [QT5_EXAMPLES + "hellogl2/hellogl2"], 2),
    ("Qt 5 hellogles3", "qtbase5-examples", [QT5_EXAMPLES + "hellogles3/hellogles3"], 5),
    ("Qt 5 computegles31", "qtbase5-examples", [QT5_EXAMPLES + "computegles31/computegles31"], 5),
    ("Qt 5 cube", "qtbase5-examples", [QT5_EXAMPLES + "cube/cube"], 1),
    ("Qt 5 textures", "qtbase5-examples", [QT5_EXAMPLES + "textures/textures"], 1),
    ("Qt 5 2dpainting", "qtbase5-examples", [QT5_EXAMPLES + "2dpainting/2dpainting"], 5),
    ("GTK 4 gears", "gtk-4-examples", ["env", "GSK_RENDERER=gl", "gtk4-demo", "--run=gears"], 3),
    ("GTK 4 widget factory", "gtk-4-examples",
     ["env", "GSK_RENDERER=gl", "gtk4-widget-factory"], 3),
    ("kitty", "kitty", ["kitty", "--config", "NONE", "-o", "cursor_blink_interval=0", "sh", "-c",
                        "seq 40; sleep 60"], 3),
    ("Qt 6 Quick", "qml-qt6", ["env", "QSG_RENDER_LOOP=basic", "/usr/lib/qt6/bin/qml",
                               offscreen.scene("quick.qml")], 3),
    ("mpv --vo=gpu", "mpv",  # --gpu-sw: accept software renderers
     ["mpv", "--no-config", "--vo=gpu", "--gpu-sw", "--ao=null", "--no-osc",
      "av://lavfi:smptehdbars=duration=5"], 3),
    ("godot", "godot3-runner", ["godot3-runner", "--path", offscreen.scene("godot"),
                                "--audio-driver", "Dummy"], 5),
    ("alacritty", "alacritty",  # compares getpid() with its thread id
     ["env", "FRAME_SHIM_PID=", "alacritty", "-e", "sh", "-c", "seq 40; sleep 60"], 2),
    ("torcs", "torcs", ["torcs"], 1),
    ("supertuxkart", "supertuxkart", ["supertuxkart", "--windowed"], 5),
    ("warzone2100", "warzone2100", ["warzone2100", "--window"], 5),
    ("meshlab", "meshlab", ["meshlab", offscreen.scene("solid.obj")], 2),
    ("neverball", "neverball", ["neverball"], 10),
    ("supertux", "supertux", ["supertux2"], 10),
    ("extremetuxracer", "extremetuxracer", ["etr"], 10),
    ("foobillardplus", "foobillardplus",  # requires USER
     ["env", "USER=player", "foobillardplus"], 10),
    ("chromium-bsu", "chromium-bsu", ["chromium-bsu", "--window"], 10),
    ("billard-gl", "billard-gl", ["billard-gl"], 10),
    ("gltron", "gltron", ["gltron", "-w"], 10),
    ("armagetronad", "armagetronad", ["armagetronad"], 10),
    ("gl-117", "gl-117", ["gl-117"], 10),
    ("openarena", "openarena", ["openarena", "+set", "r_mode", "3", "+set", "r_fullscreen", "0"],
     20),
    ("endless-sky", "endless-sky", ["endless-sky"], 5),
    ("dreamchess", "dreamchess", ["dreamchess"], 10),
    ("brutalchess", "brutalchess", ["brutalchess"], 80),  # earlier frames show the loading screen
    ("crack-attack", "crack-attack", ["crack-attack", "--solo"], 10),
    ("minetest", "minetest", ["minetest"], 10),
    ("pyglet", "python3-pyglet", [offscreen.PYTHON, offscreen.scene("pyglet_scene.py")], 5),
    ("stellarium", "stellarium", ["stellarium"], 2),
]
# Programs that use Wayland.
WAYLAND = [
    ("glmark2-es2-wayland refract", "glmark2-es2-wayland",
     ["glmark2-es2-wayland", "-b", "refract:duration=10"], 5),
    ("GTK 4 gears, Wayland", "gtk-4-examples",
     ["env", "GDK_BACKEND=wayland", "GSK_RENDERER=gl", "gtk4-demo", "--run=gears"], 3),
    ("Qt 5 hellogles3, Wayland", "qtwayland5",
     ["env", "QT_QPA_PLATFORM=wayland", QT5_EXAMPLES + "hellogles3/hellogles3"], 2),
]
# Chromium: name, (page, ANGLE backend).
WEBGL = [(f"chromium {page[:-5]}, {backend}", (page, backend))
         for page in ("webgl1.html", "webgl2.html") for backend in webgl.BACKENDS]
SCREENSAVERS = ("xscreensaver-gl", "xscreensaver-gl-extra")
SCREENSAVER_FOLDER = "/usr/libexec/xscreensaver/"
SCREENSAVER_FRAME = 12
# Packages that programs of these lists need but don't depend on.
HELPERS = ("chromium", "openmpi-bin", "qml6-module-qtquick-shapes", "qml6-module-qtquick-window",
           *SCREENSAVERS)
PATH = os.environ.get("PATH", os.defpath) + ":/usr/games"  # not in root's PATH
TOLERANCE = 4
TIMEOUT = 180  # seconds; stellarium needs 90 with llvmpipe
PAGE = os.path.join(ROOT, "docs", "applications.md")

# Known reasons why frames differ.
ANISOTROPY = ("anisotropic filtering, whose sample positions EXT_texture_filter_anisotropic leaves "
              "undefined; without it the frames are equal")
SMOOTH_LINES = ("smooth lines in perspective. llvmpipe interpolates their coverage with "
                "perspective correction, so the coverage is uneven if the end points differ in depth. "
                "It also clips the lines at the window's edge. Other smooth lines differ by at most "
                "1/255")
REFRACTION = ("specular highlights with exponent 100 and refracted background lookups amplify "
              "small errors. The median error of interpolated positions is 0.035 pixels with llvmpipe "
              "(maximum 0.13) and 0.00001 pixels with Indium")
NOTES = {
    "flipscreen3d": ANISOTROPY,
    "foobillardplus": "a display list draws the cushions without a texture coordinate array, after "
                      "draws that have one. Indium uses the current coordinates, which glDrawArrays "
                      "doesn't change; llvmpipe uses those of the previous vertex in the list",
    "glblur": "it accumulates enlarged copies of a 128x128 image of its scene; a few edge pixels "
              "of that image differ",
    "glmark2-es2 refract": REFRACTION,
    "glmark2-es2-wayland refract": REFRACTION,
    "glschool": "its specular exponent is 0, so a vertex has the full highlight or none, depending "
                "on the sign of a dot product; a few fish are highlighted by one driver only",
    "glsnake": "it passes three of the four components of a light position; the fourth is "
               "undefined memory. Replaying the same calls gives equal frames",
    "gravitywell": "smooth lines, see handsy",
    "handsy": SMOOTH_LINES,
    "mapscroller": "it downloads its maps; without a network it draws nothing",
    "neverball": ANISOTROPY,
    "splitflap": "it requests a multisample visual; Indium has some, Mesa with this X server has "
                 "only multisample FBConfigs without a visual",
    "starwars": "smooth points, which llvmpipe draws without partially covered pixels",
    "vigilance": "smooth lines, see handsy",
    "winduprobot": "smooth lines, see handsy",
}

HEAD = """\
# Applications

`./indium apps` runs each program with Indium and with Mesa's llvmpipe on a private X server and
compares one frame. A preloaded library replaces the clock, so that both draw the same frame.
*Match* is the share of pixels whose channels differ by at most {tolerance}/255. Times are from the
start of the program to that frame, including compilation. Programs marked Wayland run on a headless
weston. For programs that write an image file, that file is compared; their scenes are in
`tests/apps/offscreen/`. Chromium draws a page that uses WebGL 1 or 2, through ANGLE on OpenGL
(`gl-egl`) or on OpenGL ES (`gles-egl`). The list below the table gives the known reasons for
differences.

`./indium apps --install` installs the programs first. ParaView conflicts with python3-vtk9 and is
only installed if named. `./indium apps --write` writes this page.

| program | package | match | Indium | llvmpipe |
|---|---|---|---|---|
"""


def find(program):
    return shutil.which(program, path=PATH)


def is_here(package, command):
    """Returns whether the program of a command is installed. A leading env is skipped. For a Python
    script, the package must be installed."""
    if command[0] == offscreen.PYTHON:
        return package in (installed() or ())
    return find(next(word for word in command if word != "env" and "=" not in word))


def hacks():
    """Returns xscreensaver's hacks in the format of PROGRAMS."""
    found = []
    for package in SCREENSAVERS:
        files = subprocess.run(["dpkg", "-L", package], capture_output=True, text=True).stdout
        found += [(os.path.basename(path), package, [path, "-geometry", "400x300"], SCREENSAVER_FRAME)
                  for path in files.split() if path.startswith(SCREENSAVER_FOLDER)
                  and not path.endswith(("-visual", ".pl"))]
    return sorted(found)


def preload(env, frames):
    """Returns the environment with the preloaded clock, which ends the program after the last
    frame."""
    return {**env, "FRAME_SHIM_FRAMES": frames, "FRAME_SHIM_PID": "4711", "vblank_mode": "0",
            "LD_PRELOAD": os.path.join(BUILD, "tests", "apps", "frame-shim.so")}


def draw_program(command, package, frame, env, folder):
    """Runs a program until the frame. Returns (width, height, pixels) or None, and the seconds."""
    from frames import read_rgba
    out = os.path.join(folder, "frame")
    path = f"{out}-{frame}.rgba"
    if os.path.exists(path):
        os.unlink(path)
    env = {**preload(env, str(frame)), "FRAME_SHIM_OUT": out, "PATH": PATH}
    if package not in SCREENSAVERS:  # xscreensaver's hacks sleep between frames
        env["FRAME_SHIM_IDLE"] = "1"
    start = time.monotonic()
    try:
        subprocess.run([find(command[0]), *command[1:]], env=env, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        pass
    seconds = time.monotonic() - start
    return read_rgba(path) if os.path.exists(path) else None, seconds


def draw_page(page, backend, env):
    """Like draw_program() for a WebGL page; also returns the renderer string."""
    start = time.monotonic()
    report = webgl.draw(page, backend, env)
    seconds = time.monotonic() - start
    if not report:
        return None, seconds, "?"
    return (report["width"], report["height"], report["pixels"]), seconds, report["renderer"]


def compare(mine, other):
    """Returns the share of matching pixels, or a string that says what failed, which may be
    mine."""
    from frames import far_pixels
    if isinstance(mine, str):
        return mine
    if not other:
        return "neither starts" if not mine else "llvmpipe does not start"
    if not mine:
        return "does not start"
    if mine[:2] != other[:2]:
        return "sizes differ"
    return 1 - far_pixels(mine[2], other[2], TOLERANCE) / (mine[0] * mine[1])


def row(name, package, match, mine, other):
    said = match if isinstance(match, str) else f"{100 * match:.1f}%"
    return f"| {name} | {package} | {said} | {mine:.1f} s | {other:.1f} s |"


def installed_programs(names):
    """Returns the programs to run: for X, for Wayland, image writers, and WebGL pages. Empty names
    select all."""
    def wanted(programs, there=lambda program: True):
        return [p for p in programs if (not names or p[0] in names) and there(p)]

    def by_package(program):
        return is_here(*program[1:3])

    groups = (wanted(PROGRAMS + hacks(), by_package),
              wanted(WAYLAND, by_package) if find("weston") else [],
              wanted(offscreen.available()), wanted(WEBGL) if find("chromium") else [])
    if not any(groups):
        raise Failure("none of these programs is installed; run ./indium apps --install")
    return groups


def draw_all(groups, display, folder, report):
    """Calls report(name, package, our frame, seconds, llvmpipe's frame, seconds) for each
    program."""
    on_x, on_wayland, pictures, pages = groups

    def both(name, package, draw, base):
        report(name, package, *draw(ours(base=base)), *draw(peer(base)))

    def in_windows(programs, base):
        for name, package, command, frame in programs:
            both(name, package,
                 lambda env, c=command, p=package, f=frame: draw_program(c, p, f, env, folder), base)

    in_windows(on_x, display)
    if on_wayland:
        with Weston(display) as weston:
            in_windows(on_wayland, weston.env)
    for name, package, _, command in pictures:
        both(name, package, lambda env, c=command: offscreen.draw(c, env)[:2], display)
    for name, page in pages:
        mine, my_time, renderer = draw_page(*page, ours(base=display))
        other, other_time, _ = draw_page(*page, peer(display))
        report(name, "chromium", mine if "Indium" in renderer else "not on Indium", my_time, other,
               other_time)


def write_page(rows, said, names):
    with open(PAGE, "w", encoding="utf-8") as page:
        page.write(HEAD.format(tolerance=TOLERANCE) + "\n".join(rows) + "\n")
        page.write(f"\n{said}\n\n")
        page.writelines(f"- {name}: {note}.\n" for name, note in sorted(NOTES.items())
                        if not names or name in names)


def packages(names):
    """Returns the packages of the named programs, or of all except those that conflict with
    others."""
    return sorted({p[1] for p in PROGRAMS + WAYLAND + offscreen.PROGRAMS
                   if (p[0] in names if names else p[1] not in offscreen.APART)} | {*HELPERS})


def run(args):
    options = {arg for arg in args if arg.startswith("--")}
    names = [arg for arg in args if not arg.startswith("--")]
    if options - {"--install", "--write"}:
        raise Misuse("apps: unknown option; options are --install and --write")
    prepare("run", "test")
    if "--install" in options:
        apt_install(packages(names))
    groups = installed_programs(names)
    rows, good = [], 0

    def report(name, package, mine, my_time, other, other_time):
        nonlocal good
        match = compare(mine, other)
        good += not isinstance(match, str) and match >= 0.99
        rows.append(row(name, package, match, my_time, other_time))
        print(rows[-1], flush=True)

    with Display(dict(os.environ), always_own=True) as env, \
            tempfile.TemporaryDirectory() as folder:
        draw_all(groups, env, folder, report)
    say(f"{good} of {len(rows)} programs match llvmpipe (at least 99% matching pixels)")
    if "--write" in options:
        write_page(rows, f"{good} of {len(rows)} programs have at least 99% matching pixels.",
                   names)
    return 0
