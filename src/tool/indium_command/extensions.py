# SPDX-License-Identifier: MIT
"""./indium extensions: compares the extension lists of Indium and of two versions of llvmpipe for
each kind of context; --write writes docs/extensions.md. The newer llvmpipe is that of another system
(PEER_ROOT of common.py). If that is missing, the page keeps what it says about it.
window_extensions.py does this for GLX and EGL. Each list is queried in a separate process, in the
environment of the libraries:

    python3 extensions.py KIND      prints the version, then the extensions of such a context
"""

import ctypes
import os
import subprocess
import sys

if __package__:
    from . import window_extensions

KINDS = {  # kind → its title, EGL_OPENGL(_ES)_API, attributes of the context
    "core": ("core", 0x30A2, (0x3098, 3, 0x30FB, 2, 0x30FD, 1)),
    "compatibility": ("compatibility", 0x30A2, (0x30FD, 2)),
    "es1": ("ES 1", 0x30A0, (0x3098, 1)),
    "es2": ("ES 2, 3", 0x30A0, (0x3098, 2)),
}
GL_VERSION, GL_EXTENSIONS, GL_NUM_EXTENSIONS = 0x1F02, 0x1F03, 0x821D
EGL_NONE, EGL_RENDERABLE_TYPE = 0x3038, 0x3040
RENDERABLE = {"core": 8, "compatibility": 8, "es1": 1, "es2": 4}

# Extensions that only llvmpipe has: kinds of contexts, and the reason. No other may be missing.
ABSENT = {}

HEAD = """\
# Extensions

The table shows the extensions that contexts list: contexts of Indium (**I**), and of llvmpipe in Mesa 22.3.6
(**m**) and 26.2.6 (**M**). Debian builds Mesa 26.2.6 without ES 1. `./indium extensions --write` writes this
page. Versions of Indium's contexts, and in parentheses those of Mesa 22.3.6: {versions}.

| extension | {titles} |
|---|{dashes}
"""

TAIL = """
Extensions of llvmpipe that Indium lacks:

"""

INTEROP = """
With the i965 driver, contexts lack some of Indium's extensions ([i965](i965.md) has the reasons): AMD_gpu_shader_half_float,
ARB_bindless_texture, ARB_sparse_texture, ARB_sparse_texture2, ARB_sparse_texture_clamp, EXT_mesh_shader,
NV_fragment_shader_barycentric, NV_shader_atomic_int64 and NV_viewport_array2.

Indium deliberately lacks EGL_KHR_cl_event2, EGL_MESA_gl_interop and GLX_MESA_gl_interop. They share objects
with an OpenCL implementation, and Indium has none.
"""


def ints(*values):
    return (ctypes.c_int * len(values))(*values)


def ask(kind):
    """Returns the version and the extensions of a context, with the libraries of this process."""
    _, api, attributes = KINDS[kind]
    egl = ctypes.CDLL("libEGL.so.1")
    for name in ("eglGetDisplay", "eglCreateContext", "eglGetProcAddress"):
        getattr(egl, name).restype = ctypes.c_void_p
    display = ctypes.c_void_p(egl.eglGetDisplay(None))
    config, count = ctypes.c_void_p(), ctypes.c_int()
    if not egl.eglInitialize(display, None, None) or not egl.eglBindAPI(api) or \
            not egl.eglChooseConfig(display, ints(EGL_RENDERABLE_TYPE, RENDERABLE[kind], EGL_NONE),
                                    ctypes.byref(config), 1, ctypes.byref(count)) or not count.value:
        return None
    context = egl.eglCreateContext(display, config, None, ints(*attributes, EGL_NONE))
    if not context or not egl.eglMakeCurrent(display, None, None, ctypes.c_void_p(context)):
        return None

    def command(name, *types):
        return ctypes.CFUNCTYPE(*types)(egl.eglGetProcAddress(name.encode()))

    get_string = command("glGetString", ctypes.c_char_p, ctypes.c_uint)
    version = get_string(GL_VERSION).decode()
    if kind != "core":
        return [version, *get_string(GL_EXTENSIONS).decode().split()]
    get_integer = command("glGetIntegerv", None, ctypes.c_uint, ctypes.POINTER(ctypes.c_int))
    get_stringi = command("glGetStringi", ctypes.c_char_p, ctypes.c_uint, ctypes.c_uint)
    get_integer(GL_NUM_EXTENSIONS, ctypes.byref(count))
    return [version, *(get_stringi(GL_EXTENSIONS, i).decode() for i in range(count.value))]


def newer_peer(env):
    """Returns an environment in which lists() asks the newer llvmpipe; None: it is missing."""
    from .common import PEER_ROOT
    if not os.path.exists(os.path.join(PEER_ROOT, "usr/lib/x86_64-linux-gnu/libEGL.so.1")):
        return None
    kept = {name: env[name] for name in ("DISPLAY", "LIBGL_ALWAYS_SOFTWARE", "GALLIUM_DRIVER")
            if name in env}
    return {**kept, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
            "INDIUM_ROOT": PEER_ROOT}


def lists(env):
    """Returns a dict kind → (version, set of extensions) for the libraries of an environment."""
    answers = {}
    for kind in KINDS:
        command = [sys.executable, os.path.abspath(__file__), kind]
        if "INDIUM_ROOT" in env:
            from .common import in_root
            command, env_inside = in_root(["python3", "-B", *command[1:]], env)
        else:
            env_inside = env
        run = subprocess.run(command, env=env_inside, capture_output=True, text=True, check=False)
        lines = run.stdout.split("\n")
        answers[kind] = (lines[0], {n for n in lines[1:] if n})
    return answers


def number(version):
    """Returns the number in a GL_VERSION, such as 3.2 for "OpenGL ES 3.2 …"."""
    return next((word for word in version.split() if word[0].isdigit()), "none")


def page(own, other, newer):
    """Returns the page's text, and a dict from extensions that we lack to the kinds of contexts.
    newer: a dict kind → set of extensions of the newer llvmpipe."""
    everything = sorted(set().union(*(names for side in (own, other) for _, names in side.values()),
                                    *newer.values()))
    versions = "; ".join(f"{KINDS[k][0]}: {number(own[k][0])} ({number(other[k][0])})" for k in KINDS)
    rows, missing = [], {}
    for name in everything:
        cells = []
        for kind in KINDS:
            here, there = name in own[kind][1], name in other[kind][1]
            now = name in newer[kind]
            cells.append(" ".join(["I"] * here + ["m"] * there + ["M"] * now))
            if (there or now) and not here:
                missing.setdefault(name, []).append(kind)
        rows.append(f"| {name[3:]} | {' | '.join(cells)} |\n")
    head = HEAD.format(versions=versions, titles=" | ".join(k[0] for k in KINDS.values()),
                       dashes="---|" * len(KINDS))
    tail = "".join(f"- {name[3:]} ({', '.join(KINDS[k][0] for k in kinds)}): {reason}\n"
                   for name, (kinds, reason) in ABSENT.items())
    return head + "".join(rows) + (TAIL + tail if tail else "") + INTEROP, missing


def rows_of(text):
    """Parses a page. Returns a dict name → kind → letters of the cell."""
    text, _, _ = text.partition(window_extensions.TITLE)
    lines = [line.strip("|").split("|") for line in text.split("\n") if line.startswith("| ")][1:]
    return {"GL_" + name.strip(): dict(zip(KINDS, (cell.split() for cell in cells)))
            for name, *cells in lines}


def differences(text, own):
    """Returns the errors in a page's text and in ABSENT. own: result of lists()."""
    rows, wrong = rows_of(text), []
    for kind, (_, names) in own.items():
        listed = {name for name, cells in rows.items() if "I" in cells[kind]}
        wrong += [f"{kind} has {name}, which is not on the page" for name in sorted(names - listed)]
        wrong += [f"{kind} lacks {name}, which is on the page" for name in sorted(listed - names)]
        lacks = {name for name, cells in rows.items() if cells[kind] and "I" not in cells[kind]}
        argued = {name for name, (kinds, _) in ABSENT.items() if kind in kinds}
        wrong += [f"{kind} lacks {name}, but ABSENT has no reason" for name in sorted(lacks - argued)]
        wrong += [f"{kind} has {name}, but ABSENT lists it" for name in sorted(argued - lacks)]
    return wrong


def unexplained(own, newer):
    """Returns an error for each extension that only the newer llvmpipe has and ABSENT doesn't list.
    Both are results of lists()."""
    return [f"{kind} lacks {name}" for kind, (_, names) in newer.items()
            for name in sorted(names - own[kind][1])
            if kind not in ABSENT.get(name, ((),))[0]]


def run(args):
    from .common import ROOT, Display, Misuse, Weston, ours, peer, prepare, say
    if set(args) - {"--write"}:
        raise Misuse("extensions: the only option is --write")
    prepare("run", "test")
    with Display(peer(), always_own=True) as env:
        other = lists(env)
        own = lists(ours(base=env))
        with Weston(ours(base=env)) as weston:
            both = {**weston.env, "DISPLAY": env["DISPLAY"]}
            own_windows = window_extensions.lists(both)
            mesa_windows = window_extensions.mesa_lists(both)
        inside = newer_peer(env)
        newer = {kind: names for kind, (_, names) in lists(inside).items()} if inside else None
    target = os.path.join(ROOT, "docs", "extensions.md")
    if not newer:
        say("llvmpipe's newer version is missing; its column stays as it is")
        with open(target, encoding="utf-8") as old:
            rows = rows_of(old.read())
        newer = {kind: {name for name, cells in rows.items() if "M" in cells[kind]}
                 for kind in KINDS}
    text, missing = page(own, other, newer)
    for name, kinds in missing.items():
        print(f"{name}: {', '.join(kinds)}")
    for line in window_extensions.missing(own_windows, mesa_windows) if mesa_windows else ():
        print(line)
    if "--write" in args:
        if mesa_windows:
            text += window_extensions.section(own_windows, mesa_windows)
        else:  # keep the section
            with open(target, encoding="utf-8") as old:
                text += "\n" + "".join(old.read().partition(window_extensions.TITLE)[1:])
        with open(target, "w", encoding="utf-8") as out:
            out.write(text)
        say("wrote docs/extensions.md")
    return 0


if __name__ == "__main__":
    print("\n".join(ask(sys.argv[1]) or [""]))
