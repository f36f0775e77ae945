# SPDX-License-Identifier: MIT
"""Frames of fixed scenes: drawing, reading, comparing, and writing them as PNG."""

import os
import struct
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "src", "tool"))

from indium_command.common import Display, library_dir, ours, peer  # noqa: E402,F401

# Name: (program and arguments, frames to keep). The gears at three angles, also in a multisampled
# window, and one scene of each family of glmark2's default benchmarks.
SCENES = {"gears": (["glxgears", "-geometry", "300x300"], "2,10,25"),
          "samples": (["glxgears", "-geometry", "300x300", "-samples", "4"], "2,10")}
for scene in ("build:use-vbo=true", "texture:texture-filter=linear", "shading:shading=phong",
              "bump:bump-render=high-poly", "effect2d:kernel=0,1,0;1,-4,1;0,1,0;",
              "pulsar:light=false:quads=5:texture=false",
              "desktop:blur-radius=5:effect=blur:passes=1:separable=true:windows=4",
              "buffer:columns=200:interleave=false:update-dispersion=0.9:update-fraction=0.5:"
              "update-method=map", "ideas:speed=duration", "jellyfish", "terrain", "shadow",
              "refract", "conditionals:fragment-steps=5:vertex-steps=0",
              "function:fragment-complexity=medium:fragment-steps=5",
              "loop:fragment-loop=true:fragment-steps=5:vertex-steps=5", "clear"):
    SCENES[scene.split(":")[0]] = (["glmark2", "-s", "300x200", "-b", f"{scene}:duration=10"],
                                   "60" if scene.startswith("ideas") else "5")
# Scenes of stages.c, whose program is in the directory of the shim: images, and buffers of some.
STAGES = {"geometry": (["stages", "geometry"], "1,2,3,4,5"),
          "feedback": (["stages", "feedback"], "1,2,3,4,5,6,7,8"),
          "memory": (["stages", "memory"], "1,2,3,4,5,6"),
          "smooth": (["stages", "smooth"], "1,2,3"),
          "tessellation": (["stages", "tessellation"], "1,2,3,4,5,6,7"),
          "compute": (["stages", "compute"], "1,2,3,4,5"),
          "images": (["stages", "images"], ",".join(str(i) for i in range(1, 19)))}


class Missing(Exception):
    """A program drew no frame; the text contains its output."""


def early_frames(name):
    """Returns early frames that are not empty, for tests that draw a scene many times."""
    if name in STAGES:
        return STAGES[name][1]
    return SCENES[name][1] if name == "ideas" else "2"


def draw(name, env, shim, folder, frames=None):
    """Runs a scene. Returns its usual frames, or the given ones, as (width, height, RGBA bytes)."""
    command, usual_frames = {**SCENES, **STAGES}[name]
    if name in STAGES:
        command = [os.path.join(os.path.dirname(shim), command[0]), *command[1:]]
    frames = frames or usual_frames
    prefix = os.path.join(folder, name)
    paths = [f"{prefix}-{frame}.rgba" for frame in frames.split(",")]
    for path in paths:
        if os.path.exists(path):
            os.unlink(path)
    env = {**env, "LD_PRELOAD": shim, "FRAME_SHIM_OUT": prefix, "FRAME_SHIM_FRAMES": frames,
           "vblank_mode": "0"}
    try:
        result = subprocess.run(command, env=env, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace", timeout=300)
        said = f"{command[0]} exited with status {result.returncode}: {result.stdout[-800:]}"
    except subprocess.TimeoutExpired:
        said = f"{command[0]}: timeout"
    if not all(os.path.exists(path) for path in paths):
        raise Missing(said)
    return [read_rgba(path) for path in paths]


def read_rgba(path):
    """Reads an image in the format of the shims and their programs."""
    with open(path, "rb") as file:
        width, height = struct.unpack("<II", file.read(8))
        return width, height, file.read()


def far_pixels(a, b, tolerance):
    """Counts pixels with a color that differs by more than the tolerance. Ignores alpha, which only
    one of the windows may have."""
    count = 0
    for i in range(0, len(a), 4):
        if a[i:i + 3] != b[i:i + 3] and any(
                abs(a[i + c] - b[i + c]) > tolerance for c in range(3)):
            count += 1
    return count


def compare_pictures(name, pairs, tolerance, share, one_color=False):
    """Compares pairs of frames, the second of which is the reference. Returns None if at least that
    share of the pixels is within the tolerance, else the reason. one_color: allow empty frames."""
    for number, (a, b) in enumerate(pairs):
        if a[:2] != b[:2]:
            return f"sizes differ: {a[:2]} and {b[:2]}"
        if len(set(b[2][i:i + 4] for i in range(0, len(b[2]), 4))) < 2 and not one_color:
            return "the frame has only one color"
        alike = 1 - far_pixels(a[2], b[2], tolerance) / (a[0] * a[1])
        print(f"{name} {number}: {100 * alike:.3f}% within {tolerance}/255", flush=True)
        if alike < share:
            return f"frame {number}: only {100 * alike:.2f}% of the pixels match"
    return None


def drawn(name, who, env, shim, folder):
    """Draws a scene, and writes its frames as PNGs named after the driver. Returns the frames."""
    os.makedirs(os.path.join(folder, who), exist_ok=True)
    frames = draw(name, env, shim, os.path.join(folder, who))
    for number, frame in enumerate(frames):
        write_png(os.path.join(folder, f"{name}-{number}-{who}.png"), frame)
    return frames


def check_all(names, check, good="ok"):
    """Runs check(name, display) for each name, one per CPU at a time. It returns the reason of a
    failure, or raises Missing. Prints the results. Returns the exit status."""
    def why_not(name):
        try:
            return check(name, display)
        except Missing as missing:
            return str(missing)

    failed = False
    with Display(dict(os.environ), always_own=True) as display, \
            ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, why in zip(names, pool.map(why_not, names)):
            print(f"FAILED {name}: {why}" if why else f"{name}: {good}", flush=True)
            failed |= why is not None
    return failed


def write_png(path, picture):
    width, height, rgba = picture
    rows = b"".join(b"\0" + bytes(v for i in range(y * width, (y + 1) * width)
                                  for v in rgba[i * 4:i * 4 + 3])
                    for y in range(height - 1, -1, -1))

    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" +
                   chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def unfilter(kind, line, above, size):
    """Undoes the filter of a row in place (PNG 1.2 section 6). size: bytes per pixel."""
    for i in range(len(line)):
        left = line[i - size] if i >= size else 0
        up = above[i]
        corner = above[i - size] if i >= size else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            guess = min((left, up, corner), key=lambda v: abs(left + up - corner - v))
        line[i] = (line[i] + guess) & 255


def read_png(path):
    """Reads an 8-bit RGB or RGBA PNG. Returns (width, height, RGBA rows from the bottom up) or
    None."""
    with open(path, "rb") as file:
        data = file.read()
    header = data[16:29]
    if data[:8] != b"\x89PNG\r\n\x1a\n" or header[8] != 8 or header[9] not in (2, 6) or header[12]:
        return None
    width, height = int.from_bytes(header[:4], "big"), int.from_bytes(header[4:8], "big")
    packed, at = b"", 8
    while at < len(data):
        length, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    raw, size = zlib.decompress(packed), 3 if header[9] == 2 else 4
    rows, above = [], bytes(width * size)
    for y in range(height):
        start = y * (width * size + 1)
        line = bytearray(raw[start + 1:start + 1 + width * size])
        if raw[start]:
            unfilter(raw[start], line, above, size)
        above = line
        rgba = bytearray(b"\xff" * (width * 4))
        for channel in range(size):
            rgba[channel::4] = line[channel::size]
        rows.insert(0, bytes(rgba))
    return width, height, b"".join(rows)
