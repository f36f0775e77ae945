# SPDX-License-Identifier: MIT
"""Instances, a uniform block and a multisampled framebuffer with moderngl, without a window. Usage:
moderngl_scene.py OUT.png [egl]"""

import math
import os
import struct
import sys

import moderngl

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from frames import write_png  # noqa: E402

VERTEX = """#version 330
in vec2 corner;
in vec3 place;
layout(std140) uniform Frame { mat4 turn; vec4 tint; };
out vec3 color;
void main() {
    gl_Position = turn * vec4(corner * 0.2 + place.xy, place.z, 1);
    color = tint.rgb * (0.5 + 0.5 * sin(place * 7));
}"""
FRAGMENT = """#version 330
in vec3 color;
out vec4 result;
void main() { result = vec4(color * (0.7 + 0.3 * sin(gl_FragCoord.x * 0.2)), 1); }"""


def main(out):
    size = 400, 300
    context = moderngl.create_standalone_context(require=330, **(
        {"backend": sys.argv[2]} if len(sys.argv) > 2 else {}))
    print("renderer string:", context.info["GL_RENDERER"])
    program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    corners = context.buffer(struct.pack("6f", -1, -1, 1, -1, 0, 1))
    places = context.buffer(b"".join(
        struct.pack("3f", math.cos(i) * i / 40, math.sin(i) * i / 40, i / 40 - 0.5)
        for i in range(40)))
    c, s = math.cos(0.4), math.sin(0.4)
    block = context.buffer(struct.pack("20f", c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                                       1, 0.8, 0.6, 1))
    block.bind_to_uniform_block(0)
    array = context.vertex_array(program, [(corners, "2f", "corner"), (places, "3f/i", "place")])
    samples = context.framebuffer([context.renderbuffer(size, samples=4)],
                                  context.depth_renderbuffer(size, samples=4))
    target = context.simple_framebuffer(size)
    context.enable(moderngl.DEPTH_TEST)
    samples.use()
    samples.clear(0.1, 0.1, 0.2, 1)
    array.render(instances=40)
    context.copy_framebuffer(target, samples)
    write_png(out, (*size, target.read(components=4)))


main(sys.argv[1])
