# SPDX-License-Identifier: MIT
"""Programs that render to a PNG file instead of a window."""

import os
import shutil
import subprocess
import tempfile
import time

from .common import ROOT

SCENES = os.path.join(ROOT, "tests", "apps", "offscreen")
OUT = "OUT.png"  # placeholder for the path of the PNG in a command
PYTHON = "/usr/bin/python3"  # Debian's Python, which finds Debian's modules


def scene(name):
    return os.path.join(SCENES, name)


# Name, package, path that must exist, command.
PROGRAMS = [
    ("openscad -o", "openscad", "/usr/bin/openscad",
     ["openscad", "-o", OUT, "--preview", "--imgsize=400,300", scene("csg.scad")]),
    ("f3d --output", "f3d", "/usr/bin/f3d",
     ["f3d", "--dry-run", "--resolution=400,300", f"--output={OUT}", scene("solid.obj")]),
    ("VTK", "python3-vtk9", "/usr/lib/python3/dist-packages/vtkmodules",
     [PYTHON, scene("vtk_scene.py"), OUT]),
    ("moderngl", "python3-moderngl", "/usr/lib/python3/dist-packages/moderngl",
     [PYTHON, scene("moderngl_scene.py"), OUT]),
    ("moderngl, EGL", "python3-moderngl", "/usr/lib/python3/dist-packages/moderngl",
     [PYTHON, scene("moderngl_scene.py"), OUT, "egl"]),
    ("pvpython", "python3-paraview", "/usr/bin/pvpython",
     ["pvpython", "--force-offscreen-rendering", scene("paraview_scene.py"), OUT]),
    ("pvbatch, 2 ranks", "python3-paraview", "/usr/bin/pvbatch",
     ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", "pvbatch",
      scene("paraview_scene.py"), OUT]),
    ("blender Workbench", "blender", "/usr/bin/blender",
     ["blender", "-b", "--factory-startup", "-P", scene("blender_scene.py"), "--", OUT]),
]

# Conflicts with python3-vtk9, so it is installed only for programs named on the command line.
APART = ("python3-paraview",)


def available():
    return [p for p in PROGRAMS if os.path.exists(p[2])]


def draw(command, env):
    """Runs a program. Returns (width, height, pixels) or None, the seconds, and its output."""
    from frames import read_png
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as home:
        path = os.path.join(home, OUT)
        command = [shutil.which(command[0]) or command[0],
                   *(word.replace(OUT, path) for word in command[1:])]
        try:
            said = subprocess.run(command, env={**env, "HOME": home}, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace", timeout=180).stdout
        except subprocess.TimeoutExpired:
            said = "timeout"
        picture = read_png(path) if os.path.exists(path) else None
    return picture, time.monotonic() - start, said
