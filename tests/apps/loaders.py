# SPDX-License-Identifier: MIT
"""Runs unmodified programs with Indium through each library and loader, selected only by
environment variables. They must report Indium as the renderer and draw the same frames as with
llvmpipe. Usage: loaders.py SHIM BUILD FOLDER [CHECK…]"""

import glob
import os
import re
import shutil
import subprocess
import sys
import time

from frames import (SCENES, Display, check_all, compare_pictures, drawn, peer, read_png,
                    read_rgba, write_png)
from indium_command import offscreen
from indium_command.common import (GPU_NONE, Failure, Weston, loader_environments, ours, tool)

TOLERANCE, SHARE = 2, 0.995
APP = 4, 0.99  # as ./indium apps
SCENES["es2"] = (["glmark2-es2", "-s", "300x200", "-b", "shading:shading=phong:duration=10"], "5")
INFO_ES2 = ["glmark2-es2", "-b", "clear:duration=0.1"]


class Unlike(Exception):
    """The check failed; the text is the reason."""


def check_renderer(loader, command, env, statuses=(0,)):
    """Runs a command, whose output must name Indium as the renderer. statuses: exit statuses that
    are allowed."""
    result = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace",
                            timeout=120)
    found = re.search(r"(?:renderer string|GL_RENDERER): +(Indium .*)", result.stdout)
    if not found or result.returncode not in statuses:
        raise Unlike(f"{command[0]} exited with {result.returncode} and does not name Indium:\n"
                     f"{result.stdout[:800]}{result.stderr[-400:]}")
    print(f"{loader}: {found[1]}", flush=True)


def mesa_opens_modules(display):
    """Returns whether the system's Mesa opens DRI modules: versions before 25 do."""
    text = subprocess.run(["glxinfo", "-B"], env=peer(display), capture_output=True, text=True,
                          errors="replace", timeout=120).stdout
    found = re.search(r"version string: .*Mesa (\d+)", text)
    return bool(found) and int(found[1]) < 25


def check_alike(name, mine, other, tolerance=TOLERANCE, share=SHARE):
    why = compare_pictures(name, zip(mine, other), tolerance, share)
    if why:
        raise Unlike(f"{name}: {why}")


def scenes(info, *names):
    """Returns a check with a program that prints the renderer, and with scenes of frames.py."""
    def check(loader, env, display, shim, build, folder):
        check_renderer(loader, info, env)
        for scene in names:
            mine = drawn(scene, loader, env, shim, folder)
            other = drawn(scene, "mesa", peer(display), shim, folder)
            check_alike(f"{loader} {scene}", mine, other)
    return check


def osmesa_picture(loader, env, display, shim, build, folder):
    """Runs a program linked to Debian's libOSMesa with our library and with Debian's."""
    program = os.path.join(build, "tests", "target", "test_osmesa")
    pictures = []
    if not glob.glob("/usr/lib/*/libOSMesa.so.8"):
        print(f"{loader}: the system has no libOSMesa to compare with", flush=True)
        return
    for who, environment in (("indium", env), ("mesa", peer(display))):
        path = os.path.join(folder, f"osmesa-{who}.rgba")
        os.makedirs(folder, exist_ok=True)
        if who == "indium":
            check_renderer(loader, [program, path], environment)
        else:
            subprocess.run([program, path], env=environment, check=True, timeout=120)
        pictures.append([read_rgba(path)])
    check_alike("osmesa", *pictures)


def platforms(loader, env, display, shim, build, folder):
    """Runs a program on EGL's platforms with our libEGL, GLVND's and, if it opens modules, Mesa's."""
    program = os.path.join(os.path.dirname(shim), "platforms")
    os.makedirs(folder, exist_ok=True)
    environments = loader_environments(build, display)
    libraries = ("platforms", "glvnd-egl") + (("dri",) if mesa_opens_modules(display) else ())
    for platform in ("x11", "xcb", "device", "surfaceless"):
        path = os.path.join(folder, f"platform-{platform}.rgba")
        subprocess.run([program, platform, path], env=peer(display), check=True, timeout=120,
                       capture_output=True)
        right = read_rgba(path)
        for by in libraries:
            check_renderer(f"{loader} {platform}, {by}", [program, platform, path], environments[by])
            check_alike(f"{loader} {platform}, {by}", [read_rgba(path)], [right])


def vendor_files(loader, env, display, shim, build, folder):
    """Invalid GLVND vendor files, alone and before a valid one: no crash, and that one is used."""
    glvnd = os.path.join(build, "src", "target", "glvnd")
    good = os.path.join(glvnd, "60_indium.json")

    def vendor(library):
        return '{"file_format_version": "1.0.0", "ICD": {"library_path": %s}}' % library

    bad = {
        "empty": "", "garbage": "\0\xff}{][", "cut": vendor('"libEGL_indium.so.0"')[:-5],
        "list": "[]", "number": "1e999",
        "no-library": '{"file_format_version": "1.0.0", "ICD": {}}',
        "no-version": '{"ICD": {"library_path": "libEGL_indium.so.0"}}',
        "version": vendor('"libEGL_indium.so.0"').replace("1.0.0", "77"),
        "type": vendor("77"), "list-library": vendor("[[]]"), "null": vendor("null"),
        "missing": vendor('"/nowhere/libEGL_indium.so.0"'), "empty-name": vendor('""'),
        "folder": vendor('"/"'), "no-elf": vendor(f'"{good}"'),
        "other-library": vendor(f'"{glvnd}/libGLX_indium.so.0"'),
        "deep": "[" * 100000, "closed-deep": vendor("[" * 5000 + "]" * 5000),
        "long": vendor('"%s"' % ("x" * 100000)), "huge": '"%s"' % ("x" * (16 << 20)),
    }
    os.makedirs(folder, exist_ok=True)
    paths = [os.path.join(folder, "nowhere.json"), folder]
    for name, text in bad.items():
        paths.append(os.path.join(folder, name + ".json"))
        with open(paths[-1], "w", encoding="latin-1") as file:
            file.write(text)
    picture = os.path.join(folder, "picture.rgba")
    program = [os.path.join(os.path.dirname(shim), "platforms"), "surfaceless", picture]
    for path in paths:
        alone = {**env, "__EGL_VENDOR_LIBRARY_FILENAMES": path}
        result = subprocess.run(program, env=alone, capture_output=True, text=True, timeout=60)
        if result.returncode != 1:
            raise Unlike(f"with only {path}, the program exited with {result.returncode}: "
                         f"{result.stdout}{result.stderr}")
    among = {**env, "__EGL_VENDOR_LIBRARY_FILENAMES": ":".join([*paths, good])}
    check_renderer(loader, program, among)


def offscreen_program(name):
    """Returns a check with a program of ./indium apps that writes an image, if it is installed."""
    def check(loader, env, display, shim, build, folder):
        found = [p for p in offscreen.available() if p[0] == name]
        if not found or not shutil.which(found[0][3][0]):
            print(f"{loader}: skipped, {name} is not installed", flush=True)
            return
        pictures = {}
        for who, environment in (("indium", env), ("mesa", peer(display))):
            pictures[who], _, said = offscreen.draw(found[0][3], environment)
            if not pictures[who]:
                raise Unlike(f"{name} with {who} wrote no image:\n{said[-800:]}")
            renderer = re.search(r"renderer string: +(.*)", said)
            if not renderer or renderer[1].startswith("Indium") != (who == "indium"):
                raise Unlike(f"{name} with {who} used another renderer:\n{said[-800:]}")
            print(f"{loader}: {renderer[1]}", flush=True)
        check_alike(loader, [pictures["indium"]], [pictures["mesa"]], *APP)
    return check


# Scenes with Indium and with Mesa, whose import of NV12 renders differently: it draws another one.
KMS_SCENES = (("colors", "colors"), ("external", "external"), ("render", "render"),
              ("nv12", "converted"))


def kms_picture(scene, who, env, shim, folder):
    """Returns what the display of the emulated device shows after a scene of kms.c."""
    here = os.path.dirname(shim)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"kms-{scene}-{who}.png")
    if os.path.exists(path):
        os.unlink(path)
    env = {**env, **GPU_NONE, "INDIUM_GPU_MODE": "320x240", "INDIUM_GPU_PICTURE": path}
    result = subprocess.run([os.path.join(here, "kms"), scene], env=env, capture_output=True,
                            text=True, errors="replace", timeout=120)
    found = re.search(r"GL_RENDERER: (.*)", result.stdout)
    if result.returncode or not found or found[1].startswith("Indium") != (who == "indium"):
        raise Unlike(f"kms {scene} with {who} exited with {result.returncode}: {result.stdout}"
                     f"{result.stderr[-800:]}")
    print(f"kms {scene}: {found[1]}", flush=True)
    return [read_png(path)]


def gbm(loader, env, display, shim, build, folder):
    """A display without a window system: libgbm buffers are drawn to, imported and flipped."""
    for scene, same in KMS_SCENES:
        mine = kms_picture(scene, "indium", env, shim, folder)
        check_alike(f"{loader} {scene}", mine, kms_picture(same, "mesa", peer(display), shim, folder))


def indirect(loader, env, display, shim, build, folder):
    """An X server whose GLX uses our DRI module and the gl* functions of our libGL."""
    server_env = {**ours(build, os.environ), "LIBGL_DRIVERS_PATH": os.path.join(
        build, "src", "target", "dri")}
    with Display(env, always_own=True, server_env=server_env, indirect=True) as inside:
        # glxinfo destroys its window before it makes another context current. X servers of Debian 13
        # and later answer this with GLXBadCurrentWindow (GLX 1.4 section 3.3.7), after the output.
        check_renderer(loader, ["glxinfo", "-B"], inside, (0, 1))
        mine = drawn("gears", loader, inside, shim, folder)
    check_alike("indirect gears", mine, drawn("gears", "mesa", peer(display), shim, folder))


def info(loader, env, display, shim, build, folder):
    """indium-info reports that all of them work, except modules that Mesa does not open."""
    text = subprocess.run([os.path.join(build, "src", "tool", "indium-info")], env=env,
                          capture_output=True, text=True, timeout=300).stdout
    print(text[text.find("Libraries and loaders"):], flush=True)
    missing = re.findall(r"^  (.*) no: ", text, re.M)
    working = re.findall(r"^  (\S.*)  works$", text, re.M)
    if not mesa_opens_modules(display):
        if any("DRI module" in name for name in working):
            raise Unlike(f"Mesa opens no modules, but:\n{text}")
        missing = [name for name in missing if "DRI module" not in name]
    if (len(working) < (10 if mesa_opens_modules(display) else 7) or
            any("on Wayland" not in name and "on GBM" not in name for name in missing)):
        raise Unlike(text)


def installed(loader, env, display, shim, build, folder):
    """Installed files work in another directory than meson's prefix: the command, the vendor
    libraries, the DRI module, and what indium info reports of them."""
    root = os.path.join(folder, "root")
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run([tool("meson"), "install", "-C", build, "--no-rebuild", "--quiet", "--destdir",
                    root], check=True, capture_output=True, timeout=120)
    command, = glob.glob(f"{root}/**/bin/indium", recursive=True)
    vendor, = glob.glob(f"{root}/**/libGLX_indium.so.0", recursive=True)
    module, = glob.glob(f"{root}/**/indium/dri", recursive=True)
    page = glob.glob(f"{root}/**/man1/indium.1", recursive=True)
    vendor_file = glob.glob(f"{root}/**/egl_vendor.d/60_indium.json", recursive=True)
    if not page or not vendor_file:
        raise Unlike("the manual page or the vendor file is not installed")
    check_renderer(loader, [command, "run", "glxinfo", "-B"], env)
    check_renderer(loader, ["glxinfo", "-B"], {**env, "__GLX_VENDOR_LIBRARY_NAME": "indium",
                                            "LD_LIBRARY_PATH": os.path.dirname(vendor)})
    if mesa_opens_modules(display):
        check_renderer(loader, ["glxinfo", "-B"], {**env, "LIBGL_DRIVERS_PATH": module})
    text = subprocess.run([command, "info"], env=env, capture_output=True, text=True,
                          timeout=300).stdout
    working = re.findall(r"^  (GLVND's .*?)  +works$", text, re.M)
    if len(working) != 3:
        raise Unlike(f"indium info in {root}:\n{text[text.find('Libraries and loaders'):]}")


def wayland(loader, env, display, shim, build, folder):
    """Wayland windows; a program that closes its connection while EGL uses it; killing the
    compositor ends a program without a crash."""
    command = ["glmark2-es2-wayland", *SCENES["es2"][0][1:]]
    SCENES["es2-wayland"] = (command, SCENES["es2"][1])
    with Weston(env) as weston:
        check_renderer(loader, ["glmark2-es2-wayland", "-b", "clear:duration=0.1"], weston.env)
        mine = drawn("es2-wayland", loader, weston.env, shim, folder)
        check_alike("es2-wayland", mine, drawn("es2", "mesa", peer(display), shim, folder))
        check_renderer(loader, [os.path.join(os.path.dirname(shim), "wayland-closed")], weston.env)
        client = subprocess.Popen(command, env=weston.env, stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.DEVNULL)
        for line in client.stdout:
            if "GL_RENDERER" in line:
                break
        time.sleep(0.5)
        weston.server.kill()
        try:
            status = client.wait(timeout=20)
        except subprocess.TimeoutExpired:
            client.kill()
            client.wait()
            raise Unlike("the program still runs after the compositor was killed") from None
        if status < 0:
            raise Unlike(f"after the compositor was killed, the program died of signal {-status}")


def desktop(weston, folder, who):
    """Returns a screenshot once two successive ones are equal and have several colors."""
    last, deadline = None, time.monotonic() + 60
    while time.monotonic() < deadline:
        subprocess.run(["weston-screenshooter"], env=weston.env, cwd=weston.folder.name, timeout=60,
                       check=True, capture_output=True)
        path, = glob.glob(weston.path("wayland-screenshot-*.png"))
        picture = read_png(path)
        os.unlink(path)
        if last == picture and len(set(picture[2][i:i + 4] for i in range(0, 400000, 4))) > 1:
            write_png(os.path.join(folder, f"weston-{who}.png"), picture)
            return picture
        last = picture
        time.sleep(0.5)
    raise Unlike(f"the desktop of weston with {who} keeps changing")


def compositor(loader, env, display, shim, build, folder):
    """Weston's GL renderer, headless and as a client of another weston, shows the same desktop as
    pixman; a program runs on it."""
    os.makedirs(folder, exist_ok=True)
    with Weston(peer(display)) as outer:
        right = desktop(outer, folder, "pixman")
        nested = {**env, "WAYLAND_DISPLAY": outer.env["WAYLAND_DISPLAY"]}
        for who, base, options in (
                ("headless", env, ("--backend=headless-backend.so", "--use-gl")),
                ("nested", nested, ("--backend=wayland-backend.so", "--width=1024",
                                    "--height=640"))):
            with Weston(base, *options) as weston:
                mine = desktop(weston, folder, who)
                found = re.search(r"GL renderer: (Indium.*)", weston.said())
                if not found:
                    raise Unlike(f"weston, {who}, does not use Indium:\n{weston.said()}")
                print(f"{loader} {who}: {found[1]}", flush=True)
                check_alike(f"{loader} {who}", [mine], [right])
                check_renderer(loader, ["glmark2-es2-wayland", "-b", "clear:duration=0.1"],
                               weston.env)


CHECKS = {
    "compositor": compositor,
    "wayland": wayland,
    "installed": installed,
    "info": info,
    "glvnd-glx": scenes(["glxinfo", "-B"], "gears", "texture"),
    "glvnd-egl": scenes(INFO_ES2, "es2"),
    "vendor-files": vendor_files,
    "platforms": platforms,
    "osmesa": osmesa_picture,
    "vtk": offscreen_program("VTK"),
    "mpi": offscreen_program("pvbatch, 2 ranks"),
    "dri": lambda *args: [check(*args) for check in (scenes(["glxinfo", "-B"], "gears", "texture"),
                                                     scenes(INFO_ES2, "es2"))],
    "gbm": gbm,
    "gbm-default": gbm,
    "gbm-backend": gbm,
    "gbm-dri": gbm,
    "gbm-dri-override": gbm,
    "indirect": indirect,
}


# Checks of the modules for the loaders of Mesa before 25. X servers open them in later systems, too.
WITH_MODULES = ("dri", "gbm-dri", "gbm-dri-override")


def main(shim, build, folder, *names):
    def check(loader, display):
        try:
            if loader in WITH_MODULES and not mesa_opens_modules(display):
                print(f"{loader}: this Mesa opens no modules", flush=True)
                return None
            CHECKS[loader](loader, loader_environments(build, display)[loader], display, shim, build,
                        os.path.join(folder, loader))
        except (Failure, Unlike, subprocess.SubprocessError) as why:
            return str(why)
        return None

    return check_all(names or CHECKS, check)


sys.exit(main(*sys.argv[1:]))
