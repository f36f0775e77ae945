# SPDX-License-Identifier: MIT
"""Lists of the extensions of GLX and EGL, and their comparison with those of Mesa in the root
directory of Debian sid (INDIUM_PEER_ROOT, default /srv/sid). Each set of lists is queried in a
separate process, in the environment of the libraries:

    python3 window_extensions.py    prints lines "LIST NAME"
"""

import ctypes
import os
import subprocess
import sys

EGL_NONE, EGL_EXTENSIONS, EGL_DEVICE_EXT = 0x3038, 0x3055, 0x322C
GLX_EXTENSIONS = 3
PLATFORMS = {"X11": 0x31D5, "Wayland": 0x31D8, "surfaceless": 0x31DD, "device": 0x313F}
LISTS = ("GLX", "GLX client", "GLX server", "EGL client", "EGL device string",
         *(f"EGL {platform}" for platform in PLATFORMS))

# Extensions that only Mesa has, and the reason. No other may be missing.
ABSENT = {
    "GLX_MESA_gl_interop": "shares objects with an OpenCL implementation, which Indium lacks",
    "EGL_MESA_gl_interop": "shares objects with an OpenCL implementation, which Indium lacks",
    "EGL_KHR_cl_event2": "shares events with an OpenCL implementation, which Indium lacks",
}

TITLE = "## GLX and EGL"
HEAD = f"""
{TITLE}

The table shows the extension strings of Indium (**I**) and of Mesa 26.2.6 in Debian sid (**m**).
The column GLX shows glXQueryExtensionsString, GLX client glXGetClientString, GLX server
glXQueryServerString, EGL client the client extensions, and EGL device string
eglQueryDeviceStringEXT. The other columns show EGL displays by platform.

| extension | {" | ".join(LISTS)} |
|---|{"---|" * len(LISTS)}
"""


def ask_glx():
    """Yields (list, extension string) of GLX on the default display."""
    x11, glx = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libGL.so.1")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    dpy = ctypes.c_void_p(x11.XOpenDisplay(None))
    if not dpy:
        return
    for title, function, arguments in (
            ("GLX", glx.glXQueryExtensionsString, (dpy, 0)),
            ("GLX client", glx.glXGetClientString, (dpy, GLX_EXTENSIONS)),
            ("GLX server", glx.glXQueryServerString, (dpy, 0, GLX_EXTENSIONS))):
        function.restype = ctypes.c_char_p
        yield title, function(*arguments)


def ask_egl():
    """Yields (list, extension string) of EGL on each platform."""
    egl = ctypes.CDLL("libEGL.so.1")
    egl.eglQueryString.restype = ctypes.c_char_p
    for name in ("eglGetPlatformDisplay", "eglGetProcAddress"):
        getattr(egl, name).restype = ctypes.c_void_p
    yield "EGL client", egl.eglQueryString(None, EGL_EXTENSIONS)
    devices, count = (ctypes.c_void_p * 8)(), ctypes.c_int()
    function = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    function(egl.eglGetProcAddress(b"eglQueryDevicesEXT"))(8, devices, ctypes.byref(count))
    function = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int)
    describe = function(egl.eglGetProcAddress(b"eglQueryDeviceStringEXT"))
    device = ctypes.c_void_p(devices[count.value - 1] if count.value else None)
    if device:
        yield "EGL device string", describe(device, EGL_EXTENSIONS)
    for name, platform in PLATFORMS.items():
        native = device if name == "device" else None
        dpy = ctypes.c_void_p(egl.eglGetPlatformDisplay(platform, native, None))
        if dpy and egl.eglInitialize(dpy, None, None):
            yield f"EGL {name}", egl.eglQueryString(dpy, EGL_EXTENSIONS)


def lists(env, command=None):
    """Returns a dict list → set of extensions for the libraries of an environment. command: the
    program that runs the query, if not this interpreter."""
    run = subprocess.run([*(command or [sys.executable]), os.path.abspath(__file__)], env=env,
                         capture_output=True, text=True, check=False)
    answers = {title: set() for title in LISTS}
    for line in run.stdout.splitlines():
        title, _, name = line.rpartition(" ")
        answers[title].add(name)
    return answers


def mesa_lists(env):
    """Returns the lists of Mesa in the root of Debian sid, or None without that root. Only root can
    enter it."""
    from .common import PEER_ROOT, in_root
    if os.geteuid() != 0 or \
            not os.path.exists(os.path.join(PEER_ROOT, "usr/lib/x86_64-linux-gnu/libEGL.so.1")):
        return None
    env = {**env, "INDIUM_ROOT": PEER_ROOT}
    command, env = in_root(["/usr/bin/python3"], env)
    for name in ("LD_LIBRARY_PATH", "LIBGL_DRIVERS_PATH", "__EGL_VENDOR_LIBRARY_FILENAMES"):
        env.pop(name, None)
    return lists(env, command)


def section(own, mesa):
    """Returns the text of the section of docs/extensions.md."""
    rows = []
    for name in sorted(set().union(*own.values(), *mesa.values())):
        cells = (" ".join(["I"] * (name in own[t]) + ["m"] * (name in mesa[t])) for t in LISTS)
        rows.append(f"| {name} | {' | '.join(cells)} |\n")
    absent = "".join(f"- {name}: {reason}\n" for name, reason in ABSENT.items())
    return HEAD + "".join(rows) + "\nExtensions of Mesa that Indium lacks:\n\n" + absent


def rows_of(text):
    """Parses the section of a page. Returns a dict name → list → letters of the cell."""
    _, _, text = text.partition(TITLE)
    lines = [line.strip("|").split("|") for line in text.split("\n") if line.startswith("| ")][1:]
    return {name.strip(): dict(zip(LISTS, (cell.split() for cell in cells)))
            for name, *cells in lines}


def missing(own, mesa):
    """Returns errors: extensions that only Mesa has, and rows of ABSENT that aren't needed."""
    wrong, lacks = [], set()
    for title in LISTS:
        for name in sorted(mesa[title] - own[title]):
            lacks.add(name)
            if name not in ABSENT:
                wrong.append(f"{title} lacks {name}")
    return wrong + [f"ABSENT lists {name}" for name in sorted(set(ABSENT) - lacks)]


def differences(text, own):
    """Returns the errors in the section of a page. own: result of lists()."""
    rows, wrong = rows_of(text), []
    for title, names in own.items():
        listed = {name for name, cells in rows.items() if "I" in cells[title]}
        wrong += [f"{title} has {name}, which is not on the page" for name in sorted(names - listed)]
        wrong += [f"{title} lacks {name}, which is on the page" for name in sorted(listed - names)]
    return wrong


if __name__ == "__main__":
    for ask in (ask_glx, ask_egl):
        try:
            for list_title, string in ask():
                for extension in (string or b"").decode().split():
                    print(list_title, extension)
        except OSError:  # no such library
            pass
