# SPDX-License-Identifier: MIT
"""./indium bench webgl: WebGL frames in Chromium, compared with llvmpipe, interleaved."""

import os
import re

from . import bench_common, webgl
from .common import ROOT

PAGE = os.path.join(ROOT, "bench", "webgl", "scenes.html")


def names():
    """Returns the names of the page's scenes."""
    with open(PAGE, encoding="utf-8") as page:
        scenes = page.read().partition("const scenes = {")[2]
    return re.findall(r"^    (\w+)\(\) {$", scenes, re.MULTILINE)


def run(args):
    parser = bench_common.parser("bench webgl", seconds=1)
    parser.add_argument("--backend", default="gles-egl", choices=webgl.BACKENDS,
                        help="backend of ANGLE")
    bench_common.add_against(parser)
    bench_common.add_record(parser)
    options = bench_common.parse(parser, args)
    sides = bench_common.sides(options, dict(os.environ))
    rounds = [[webgl.load(f"{PAGE}#{options.seconds}", options.backend, env) or {}
               for env in sides] for _ in range(options.rounds)]
    for mine, other in rounds[:1]:
        print(f"{mine.get('renderer')}\n{other.get('renderer')}\n")
    table = bench_common.Table("webgl", options)
    for name in names():
        table.add(name, [(a.get(name), b.get(name)) for a, b in rounds])
    return table.finish(len(names()))
