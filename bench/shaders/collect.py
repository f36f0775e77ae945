#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Collects real shaders for ./indium bench shaders: downloads npm and Debian packages and writes the
shaders that they contain to a folder.

    bench/shaders/collect.py DIR [PACKAGE…]

Files of shaders are copied with the vertex shader of the same name. Scripts contain shaders as
template strings: each complete one becomes a file, with the includes of its library resolved. The
number of shaders by package is printed. Packages are kept in DIR/packages, so another run doesn't
download them again. Needs npm and apt-get."""

import collections
import glob
import os
import re
import shutil
import subprocess
import sys

NPM = ["three", "postprocessing", "@babylonjs/core", "@babylonjs/materials",
       "@babylonjs/post-processes", "@babylonjs/procedural-textures",
       "@babylonjs/smart-filters-blocks", "pixi-filters", "@pixi/core", "@cesium/engine",
       "maplibre-gl", "@antv/l7-layers", "phaser", "p5", "playcanvas", "ogl",
       "@luma.gl/shadertools", "@deck.gl/extensions", "@paper-design/shaders", "three-stdlib",
       "curtainsjs", "hydra-synth", "@react-three/drei", "troika-three-text", "vanta"]
DEBIAN = ["kodi-visualization-shadertoy-data", "kodi-screensaver-shadertoy", "glmark2-data",
          "supertuxkart-data"]
SUFFIXES = (".frag", ".fsh", ".glsl", ".fs", ".vert", ".vsh")
# A template or quoted string of a script that contains a complete shader.
TEMPLATE = re.compile(r"`((?:[^`\\]|\\.)*?void\s+main\s*\((?:[^`\\]|\\.)*)`", re.S)
# A piece of a library: a constant with the source text of an include.
PIECE = re.compile(r"(?:const|var|let)\s+(?:name\s*=\s*\"(\w+)\";\s*const\s+)?(\w+)\s*=\s*"
                   r"(?:/\*.*?\*/\s*)?`((?:[^`\\]|\\.)*)`", re.S)
THREE_INCLUDE = re.compile(r"^[ \t]*#include *<([\w.]+)>.*$", re.M)
THREE_PRELUDE = """#version 300 es
#define varying in
layout(location = 0) out highp vec4 pc_fragColor;
#define gl_FragColor pc_fragColor
#define glFragColor pc_fragColor
#define texture2D texture
#define textureCube texture
precision highp float;
precision highp int;
precision highp sampler3D;
precision highp sampler2DArray;
uniform mat4 viewMatrix;
uniform vec3 cameraPosition;
uniform bool isOrthographic;
#define OPAQUE
vec4 linearToOutputTexel(vec4 value) { return value; }
"""
LIMIT = 3  # levels of includes


def run(command, folder):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False, timeout=600)


def fetch_npm(name, folder):
    """Unpacks a package below the folder. Returns whether it is there."""
    if os.path.isdir(folder):
        return True
    os.makedirs(folder + ".tmp", exist_ok=True)
    packed = run(["npm", "pack", "--silent", name], folder + ".tmp").stdout.split()
    if not packed:
        shutil.rmtree(folder + ".tmp")
        return False
    path = os.path.join(folder + ".tmp", packed[-1])
    # tarfile's safe filters are missing in early versions of Python 3.11
    unpacked = run(["tar", "--extract", "--no-same-owner", "--file", path], folder + ".tmp")
    if unpacked.returncode:
        shutil.rmtree(folder + ".tmp")
        return False
    os.remove(path)
    os.rename(folder + ".tmp", folder)
    return True


def fetch_debian(name, folder):
    if os.path.isdir(folder):
        return True
    os.makedirs(folder + ".tmp", exist_ok=True)
    run(["apt-get", "download", name], folder + ".tmp")
    for path in glob.glob(os.path.join(folder + ".tmp", "*.deb")):
        run(["dpkg", "-x", path, folder + ".tmp"], folder + ".tmp")
        os.remove(path)
        os.rename(folder + ".tmp", folder)
        return True
    shutil.rmtree(folder + ".tmp")
    return False


def files_of(folder, suffixes):
    for root, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith(suffixes):
                yield os.path.join(root, name)


def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def pieces_of(folder):
    """Returns a dict NAME → text of the include files and constants of a package."""
    pieces = {}
    for path in files_of(folder, (".js",)):
        name = os.path.basename(path).split(".")[0]
        text = text_of(path)
        if len(text) > 200_000:
            continue
        for match in PIECE.finditer(text):
            pieces[match[1] or match[2]] = match[3]
            if match[2] in ("default", "shader"):
                pieces[name] = match[3]
        match = re.search(r"export default /\* glsl \*/\s*`((?:[^`\\]|\\.)*)`", text, re.S)
        if match:
            pieces[name] = match[1]
    return pieces


def expand(text, pieces):
    """Resolves includes and references to constants."""
    for _ in range(LIMIT):
        text = THREE_INCLUDE.sub(lambda m: pieces.get(m[1], ""), text)
        text = re.sub(r"\$\{\s*(?:\w+\.)*(\w+)\s*\}", lambda m: pieces.get(m[1], "1"), text)
    return text.replace("\\n", "\n").replace("\\`", "`")


def from_scripts(folder):
    """Yields the fragment shaders in the scripts of a package, with what the library adds."""
    pieces = None
    for path in files_of(folder, (".js",)):
        text = text_of(path)
        if len(text) > 400_000 or "void main" not in text:
            continue
        for match in TEMPLATE.finditer(text):
            shader = match[1]
            if "gl_Position" in shader or "@fragment" in shader or "fn main" in shader:
                continue
            pieces = pieces if pieces is not None else pieces_of(folder)
            shader = expand(shader, pieces)
            if "#version" not in shader and re.search("gl_?FragColor|pc_frag", shader):
                shader = THREE_PRELUDE + shader.replace("precision highp float;", "")
            yield os.path.splitext(os.path.basename(path))[0], shader


def collect(name, folder, target):
    """Writes the shaders of an unpacked package. Returns their number."""
    seen, count = set(), collections.Counter()
    os.makedirs(target, exist_ok=True)
    for path in files_of(folder, SUFFIXES):
        text = text_of(path)
        if "void main" not in text or text in seen:
            continue
        seen.add(text)
        base = os.path.splitext(os.path.relpath(path, folder))[0].replace(os.sep, "-")
        with open(os.path.join(target, base + os.path.splitext(path)[1]), "w",
                  encoding="utf-8") as file:
            file.write(text)
        count["files"] += "gl_Position" not in text
    for base, text in from_scripts(folder):
        if text in seen:
            continue
        seen.add(text)
        count["strings"] += 1
        with open(os.path.join(target, f"{base}-{count['strings']}.frag"), "w",
                  encoding="utf-8") as file:
            file.write(text)
    print(f"{count['files']:5} files {count['strings']:5} strings  {name}", flush=True)
    return sum(count.values())


def main(args):
    if not args:
        print(__doc__)
        return 2
    total, chosen = 0, args[1:]
    for fetch, names in ((fetch_npm, NPM), (fetch_debian, DEBIAN)):
        for name in names:
            if chosen and name not in chosen:
                continue
            short = name.replace("/", "-").lstrip("@")
            folder = os.path.join(args[0], "packages", short)
            os.makedirs(os.path.dirname(folder), exist_ok=True)
            if fetch(name, folder):
                total += collect(name, folder, os.path.join(args[0], "shaders", short))
            else:
                print(f"not found: {name}", flush=True)
    print(f"{total} shaders in {os.path.join(args[0], 'shaders')}")
    return 0 if total else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
