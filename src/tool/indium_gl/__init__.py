# SPDX-License-Identifier: MIT
"""Renders with Indium, an OpenGL implementation for the CPU, in this process and its children.

    import indium_gl  # before anything that loads libEGL or libGL: moderngl, PyOpenGL, vtk, pyvista

Importing loads Indium's libraries. The dynamic linker then gives them to whatever asks for
libEGL.so.1, libGL.so.1, or the like. Without a display, it also selects off-screen rendering in the
packages that have a variable for it. `python -m indium_gl PROGRAM` runs a program with Indium.
"""

import ctypes
import glob
import os
import warnings

_HERE = os.path.dirname(os.path.abspath(__file__))
# The directory of the libraries, for LD_LIBRARY_PATH.
LIBRARIES = os.path.dirname((glob.glob(os.path.join(_HERE, "lib*", "**", "libindium.so"),
                                       recursive=True) or [os.path.join(_HERE, "lib", "none")])[0])

# The names that programs and packages load. Those that lack a library of the system, like libGL
# without libX11, are left out.
_NAMES = ("libEGL.so.1", "libGL.so.1", "libGLESv2.so.2", "libGLESv1_CM.so.1", "libOpenGL.so.0",
          "libOSMesa.so.8", "libEGL.so", "libGL.so", "libGLESv2.so", "libGLESv1_CM.so",
          "libOpenGL.so", "libOSMesa.so")

# Variables of packages that select off-screen rendering.
_OFF_SCREEN = {"EGL_PLATFORM": "surfaceless",  # what PyOpenGL's EGL_DEFAULT_DISPLAY refers to
               "PYOPENGL_PLATFORM": "egl",
               "PYVISTA_OFF_SCREEN": "true",
               "VTK_DEFAULT_OPENGL_WINDOW": "vtkEGLRenderWindow"}


def environment(base=None):
    """Returns a copy of an environment, by default this process's, in which programs use Indium."""
    env = dict(os.environ if base is None else base)
    others = [p for p in env.get("LD_LIBRARY_PATH", "").split(":") if p and p != LIBRARIES]
    env["LD_LIBRARY_PATH"] = ":".join([LIBRARIES, *others])
    return env


def _loaded_before():
    """Returns the paths of other GL libraries in this process."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        paths = {line.split(None, 5)[5].strip() for line in maps if line.count("/")}
    return sorted(path for path in paths if os.path.basename(path).startswith(
        ("libEGL.so", "libGL.so", "libOpenGL.so")) and not path.startswith(LIBRARIES))


def _enable():
    if others := _loaded_before():
        warnings.warn(f"import indium_gl first: {', '.join(others)} is in this process already",
                      RuntimeWarning, stacklevel=3)
    os.environ.update(environment())
    for variable, name in (("GLCONTEXT_LINUX_LIBEGL", "libEGL.so.1"),  # for moderngl
                           ("GLCONTEXT_LINUX_LIBGL", "libGL.so.1")):
        os.environ.setdefault(variable, os.path.join(LIBRARIES, name))
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        for variable, value in _OFF_SCREEN.items():
            os.environ.setdefault(variable, value)
    loaded = []
    for name in _NAMES:
        try:
            loaded.append(ctypes.CDLL(os.path.join(LIBRARIES, name)))
        except OSError:
            continue
    if not loaded:
        raise ImportError(f"no library in {LIBRARIES} can be loaded")
    return loaded


_loaded = _enable()
