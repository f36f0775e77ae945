# SPDX-License-Identifier: MIT
"""./indium bench shaders: first pictures and steady frames of all shaders in folders, compared with
Mesa."""

import json
import os
import re
import subprocess
import tempfile

from . import bench_common
from .common import BUILD, Failure, ours, say

LIMIT = 120  # seconds for a shader, after which it counts as failed
LOWEST = 20  # rows of each table

SHADERTOY = """uniform vec3 iResolution; uniform float iTime, iTimeDelta, iFrameRate;
uniform int iFrame; uniform vec4 iMouse, iDate;
uniform sampler2D iChannel0, iChannel1, iChannel2, iChannel3; uniform vec3 iChannelResolution[4];
out vec4 shader_color;
"""
SHADERTOY_MAIN = """
void main() { mainImage(shader_color, gl_FragCoord.xy); }
"""
ISF = """uniform vec2 RENDERSIZE; uniform float TIME, TIMEDELTA; uniform int PASSINDEX, FRAMEINDEX;
uniform vec4 DATE;
varying vec2 isf_FragNormCoord;
vec4 isf_pixel(sampler2D s, vec2 p) { return texture2D(s, p / RENDERSIZE); }
#define IMG_NORM_PIXEL(s, p) texture2D(s, p)
#define IMG_PIXEL(s, p) isf_pixel(s, p)
#define IMG_THIS_NORM_PIXEL(s) texture2D(s, isf_FragNormCoord)
#define IMG_THIS_PIXEL(s) texture2D(s, isf_FragNormCoord)
#define IMG_SIZE(s) RENDERSIZE
"""
ISF_TYPES = {"image": "sampler2D", "audio": "sampler2D", "audioFFT": "sampler2D", "float": "float",
             "bool": "bool", "event": "bool", "long": "int", "point2D": "vec2", "color": "vec4"}
# An input of a fragment shader: qualifiers, type, name, array.
INPUT = re.compile(r"^[ \t]*(?:layout\s*\([^)]*\)\s*)?((?:flat|smooth|noperspective|centroid)\s+)*"
                   r"(?:varying|in)\s+(?:(?:lowp|mediump|highp)\s+)?(float|vec[234])\s+(\w+)\s*;",
                   re.M)
VERSION = re.compile(r"^[ \t]*#[ \t]*version[ \t]+(\d+)[ \t]*(\w*).*$", re.M)


def isf(text):
    """Returns the fragment shader of an ISF file, or None if its header is not JSON."""
    match = re.match(r"\s*/\*(.*?)\*/", text, re.S)
    try:
        header = json.loads(match[1]) if match else None
    except ValueError:
        return None
    if not isinstance(header, dict):
        return None
    lines = [ISF]
    for one in header.get("INPUTS", []):
        lines.append(f"uniform {ISF_TYPES.get(one.get('TYPE'), 'float')} {one.get('NAME')};\n")
    for name in (p.get("TARGET") for p in header.get("PASSES", [])):
        if name:
            lines.append(f"uniform sampler2D {name};\n")
    return "#version 120\n" + "".join(lines) + text[match.end():]


def fragment_shader(path, text):
    """Returns the text of a fragment shader, or None if the file is none."""
    if path.endswith(".fs") and (converted := isf(text)):
        return converted
    if re.search(r"\bvoid\s+mainImage\s*\(", text) and not re.search(r"\bvoid\s+main\s*\(", text):
        return "#version 330\n" + SHADERTOY + text + SHADERTOY_MAIN
    if re.search(r"\bvoid\s+main\s*\(", text) and "gl_Position" not in text:
        return text
    return None


def vertex_shader(fragment):
    """Returns a vertex shader that writes the inputs of the fragment shader."""
    version = VERSION.search(fragment)
    number = int(version[1]) if version else 100 if "precision " in fragment else 110
    modern = number >= 130 or number == 300
    head = version[0].strip() + "\n" if version else f"#version {number}\n"
    inputs = [(m[1] or "", m[2], m[3]) for m in INPUT.finditer(fragment)]
    declare = "out" if modern else "varying"
    text = head + ("in" if modern else "attribute") + " vec4 position;\n"
    for qualifiers, kind, name in inputs:
        text += f"{qualifiers}{declare} {kind} {name};\n"
    text += "void main() {\n    gl_Position = position;\n    vec4 p = position * 0.5 + 0.5;\n"
    for _, kind, name in inputs:
        swizzle = {"float": "x", "vec2": "xy", "vec3": "xyz", "vec4": "xyzw"}[kind]
        text += f"    {name} = p.{swizzle};\n"
    return text + "}\n"


def api_of(fragment):
    version = VERSION.search(fragment)
    if version and (version[2] == "es" or version[1] in ("100", "300")):
        return "es"
    if not version and "precision " in fragment:
        return "es"
    return "core" if version and int(version[1]) >= 150 and version[2] != "compatibility" else \
        "compat"


def collect(folders, scratch):
    """Writes the shaders below the folders to scratch. Returns a dict from the line for
    shaders-bench to the path of the original."""
    jobs = {}
    for top in folders:
        for folder, _, names in sorted(os.walk(top)):
            for name in sorted(names):
                if not name.endswith((".frag", ".fsh", ".glsl", ".fs", ".txt", ".shadertoy")):
                    continue
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8", errors="replace") as source:
                    fragment = fragment_shader(path, source.read())
                if not fragment:
                    continue
                stem = os.path.join(scratch, str(len(jobs)))
                siblings = [os.path.splitext(path)[0] + end for end in (".vert", ".vsh")]
                vertex = next(filter(os.path.isfile, siblings), None)
                if not vertex:
                    vertex = stem + ".vert"
                    with open(vertex, "w", encoding="utf-8") as out:
                        out.write(vertex_shader(fragment))
                with open(stem + ".frag", "w", encoding="utf-8") as out:
                    out.write(fragment)
                jobs[f"{api_of(fragment)}\t{vertex}\t{stem}.frag"] = path
    return jobs


def measure(side, job, seconds):
    """Returns CPU milliseconds of the first picture and of a frame, or None. Each shader has its own
    process, so that nothing is warm but the libraries' files."""
    env, words = side
    program = os.path.join(BUILD, "bench", "shaders", "shaders-bench")
    try:
        result = subprocess.run([*words, program, str(seconds)], env=env, input=job + "\n",
                                text=True, errors="replace", stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    words = result.stdout.split()
    return (float(words[0]), float(words[1])) if len(words) > 2 and words[2] == "drawn" else None


def print_table(title, rows, paths):
    """rows: (ratio, milliseconds of Indium, of the peer, job)"""
    print(f"\n| {title} | ratio | Indium ms | peer ms |\n|---|---|---|---|")
    for ratio, mine, other, job in sorted(rows)[:LOWEST]:
        print(f"| {paths[job]} | {ratio:.2f} | {mine:.1f} | {other:.1f} |")
    mine, other = sum(r[1] for r in rows), sum(r[2] for r in rows)
    slower = sum(r[1] > r[2] + 20 for r in rows)
    print(f"\n{len(rows)} shaders: {mine:.0f} ms, peer {other:.0f} ms, ratio of the sums "
          f"{other / max(mine, 1e-3):.2f}; {slower} slower by more than 20 ms", flush=True)


def run(args):
    parser = bench_common.parser("bench shaders", rounds=None, seconds=1)
    parser.add_argument("folders", nargs="+", metavar="DIR", help="folders with shaders")
    parser.add_argument("--peer", choices=["sid", "system"],
                        default="sid" if os.path.isdir("/srv/sid/usr") else "system",
                        help="Mesa of the root of Debian sid, or the system's")
    parser.add_argument("--root", default="/srv/sid", help="folder of the root of Debian sid")
    options = bench_common.parse(parser, args)
    sides = ({**ours(), "INDIUM_CACHE_DIR": ""}, []), bench_common.loaded_peer(options, options.root)
    first, steady, alone = [], [], [0, 0]
    with tempfile.TemporaryDirectory() as scratch:
        paths = collect(options.folders, scratch)
        if not paths:
            raise Failure("the folders contain no fragment shader")
        for number, job in enumerate(paths):
            both = [measure(side, job, options.seconds) for side in sides]
            if all(both):
                (a, b), (x, y) = both
                first.append((x / max(a, 1e-3), a, x, job))
                if options.seconds > 0:
                    steady.append((y / max(b, 1e-3), b, y, job))
            for i in range(2):
                alone[i] += both[i] is not None and both[1 - i] is None
            if (number + 1) % 50 == 0:
                say(f"{number + 1} of {len(paths)} shaders")
        if first:
            print_table("first picture", first, paths)
        if steady:
            print_table("steady frame", steady, paths)
    print(f"{len(first)} of {len(paths)} shaders are drawn by both, {alone[0]} by Indium only, "
          f"{alone[1]} by the peer only")
    return 0 if first else 1
