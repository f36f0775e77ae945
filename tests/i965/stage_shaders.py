# SPDX-License-Identifier: MIT
"""Programs with shaders of each stage: file names and sources. Files of a program begin with the same letter."""

SHADERS = {
    "a.vert": """#version 450
layout(location = 0) in vec4 p; layout(location = 1) in dvec3 q; layout(location = 3) out vec2 uv;
uniform mat4 m;
void main() { gl_Position = m * p * float(q.x); uv = p.xy; }""",
    "a.frag": """#version 450
layout(location = 3) in vec2 uv; layout(location = 0) out vec4 c; uniform sampler2D s;
void main() { c = texture(s, uv); if (c.a < 0.5) discard; }""",
    "b.vert": "#version 450\nvoid main() { gl_Position = vec4(gl_VertexID); }",
    "b.tesc": """#version 450
layout(vertices = 3) out; patch out vec4 color;
void main() { color = vec4(1); gl_TessLevelOuter[gl_InvocationID] = 2; barrier(); }""",
    "b.tese": """#version 450
layout(triangles, fractional_odd_spacing, cw) in; patch in vec4 color; layout(location = 0) out vec4 c;
void main() { gl_Position = gl_TessCoord.xyzz; c = color; }""",
    "b.geom": """#version 450
layout(triangles, invocations = 2) in; layout(line_strip, max_vertices = 4) out; layout(location = 0) in vec4 c[];
layout(location = 1) out vec4 d;
void main() { for (int i = 0; i < 4; i++) { gl_Position = vec4(i); d = c[0]; EmitVertex(); if (i == 1) EndPrimitive(); } }""",
    "b.frag": """#version 450
layout(location = 1) flat in vec4 d; layout(location = 0) out vec4 c; layout(location = 1) out vec4 e;
void main() { c = d; e = gl_FragCoord; gl_FragDepth = 0.5; }""",
    "c.comp": """#version 450
layout(local_size_x = 8, local_size_y = 4) in; shared uint x[16]; layout(std430, binding = 0) buffer B { uint y[]; };
void main() { x[gl_LocalInvocationIndex & 15] = 1; barrier(); y[gl_WorkGroupID.x] = x[3] + gl_NumWorkGroups.x; }""",
    "d.vert": """#version 450
layout(location = 0) in vec4 p; layout(location = 1) in vec4 q; layout(location = 0) out vec4 c;
void main() { gl_Position = p + vec4(gl_InstanceID) * 0.1; c = q; }""",
    "d.frag": """#version 450
layout(location = 0) in vec4 c; layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;
layout(binding = 0) uniform samplerCube s; layout(binding = 1) uniform sampler2DArray t;
void main() { a = c * texture(s, c.xyz); b = texture(t, c.xyz); }""",
    "e.vert": "#version 130\nattribute vec4 p;\nvoid main() { gl_Position = p; }",
    "e.frag": "#version 130\nuniform vec4 color;\nvoid main() { gl_FragColor = gl_FrontFacing ? color : color.wzyx; }",
    "f.vert": "#version 450\nlayout(location = 0) in vec4 p;\nvoid main() { gl_Position = p; }",
    "f.geom": """#version 450
layout(triangles) in; layout(triangle_strip, max_vertices = 6) out; out vec2 at; uniform vec4 shift;
void main() { for (int k = 0; k < 2; k++) { for (int i = 0; i < 3; i++) {
    gl_Position = gl_in[i].gl_Position + float(k) * shift; at = vec2(i, k); EmitVertex(); } EndPrimitive(); } }""",
    "f.frag": "#version 450\nin vec2 at; out vec4 c;\nvoid main() { c = vec4(at, 0, 1); gl_FragDepth = at.x; }",
    "g.vert": "#version 450\nlayout(location = 0) in vec4 p;\nvoid main() { gl_Position = p; }",
    "g.tesc": """#version 450
layout(vertices = 4) out; uniform float level;
void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_TessLevelOuter[gl_InvocationID] = level; gl_TessLevelInner[gl_InvocationID & 1] = level; }""",
    "g.tese": """#version 450
layout(quads, equal_spacing, ccw) in;
void main() { gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x),
                                mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x), gl_TessCoord.y); }""",
    "g.frag": "#version 450\nout vec4 c;\nvoid main() { c = gl_FrontFacing ? vec4(1, 0, 0, 0.5) : vec4(0, 0, 1, 0.5); }",
    "h.vert": """#version 450
layout(location = 0) in vec4 p; layout(location = 2) in vec2 q; layout(location = 5) in ivec4 r; flat out ivec4 n;
void main() { gl_Position = p + vec4(q, 0, gl_InstanceID); n = r; }""",
    "h.frag": "#version 450\nflat in ivec4 n; out vec4 c;\nvoid main() { c = vec4(n) * 0.25; }",
    "i.comp": """#version 450
layout(local_size_x = 64) in; layout(std430, binding = 0) buffer B { float x[]; }; uniform float scale;
const int t[20] = int[](0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, 289, 324, 361);
void main() { uint i = gl_GlobalInvocationID.x; x[i] = sin(x[i]) * scale + float(t[i % 20]); }""",
    "j.vert": "#version 450\nlayout(location = 0) in vec4 p; out vec3 at;\nvoid main() { gl_Position = p; at = p.xyz; }",
    "j.frag": """#version 450
in vec3 at; out vec4 c; uniform sampler3D s; uniform samplerCubeArray t; uniform sampler1D u;
void main() { c = texture(s, at) + texture(t, vec4(at, 1)) + textureLod(u, at.x, 1.0); }""",
    "k.vert": """#version 450
layout(xfb_buffer = 0, xfb_stride = 32) out; layout(location = 0) in vec4 p;
layout(location = 0, xfb_buffer = 0, xfb_offset = 8) out vec3 a; layout(location = 1, xfb_buffer = 2, xfb_offset = 0) out vec4 d;
void main() { gl_Position = p; a = p.xyz; d = p.yxzw; }""",
    "k.frag": """#version 450
layout(location = 0) in vec3 a; layout(location = 1) in vec4 d; layout(location = 0) out vec4 c;
void main() { c = vec4(a, 1) + d; }""",
    "l.vert": "#version 450\nlayout(location = 0) in vec4 p;\nvoid main() { gl_Position = p; }",
    "l.geom": """#version 450
layout(triangles) in; layout(points, max_vertices = 3) out;
layout(xfb_buffer = 1) out gl_PerVertex { vec4 gl_Position; layout(xfb_offset = 0) float gl_PointSize; };
void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; gl_PointSize = float(i + 1); EmitVertex(); } }""",
    "l.frag": "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }",
    "m.vert": """#version 450
layout(location = 0) in vec4 p;
layout(location = 0, xfb_buffer = 0, xfb_offset = 16, xfb_stride = 32) out vec3 a;
layout(location = 1, xfb_buffer = 0, xfb_offset = 0) out vec3 b;
void main() { gl_Position = p; a = p.xyz; b = p.zyx; }""",
    "m.frag": """#version 450
layout(location = 0) in vec3 a; layout(location = 1) in vec3 b; layout(location = 0) out vec4 c;
void main() { c = vec4(a + b, 1); }""",
    "n.vert": "#version 450\nlayout(location = 0) in vec4 p;\nvoid main() { gl_Position = p; }",
    "n.tesc": """#version 450
layout(vertices = 3) out;
void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_TessLevelOuter[gl_InvocationID] = 2.0; gl_TessLevelInner[0] = 3.0; }""",
    "n.tese": """#version 450
layout(triangles, equal_spacing, cw) in;
void main() { gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y +
                            gl_in[2].gl_Position * gl_TessCoord.z; }""",
    "n.geom": """#version 450
layout(triangles, invocations = 4) in; layout(triangle_strip, max_vertices = 3) out; out vec2 at;
void main() { vec4 shift = vec4(gl_InvocationID & 1, gl_InvocationID >> 1, 0, 0); for (int i = 0; i < 3; i++) {
    gl_Position = gl_in[i].gl_Position * vec4(0.5, 0.5, 1, 1) + shift - vec4(0.5, 0.5, 0, 0); at = vec2(gl_InvocationID, i) * 0.25;
    EmitVertex(); } }""",
    "n.frag": "#version 450\nin vec2 at; out vec4 c;\nvoid main() { c = vec4(at, gl_FrontFacing ? 1.0 : 0.0, 1); }",
    "o.vert": """#version 450
layout(location = 0) in vec4 p; noperspective out vec2 a; out vec2 b;
void main() { float i = float(gl_VertexID); gl_Position = vec4(p.xy * (i + 1.0), i == 0.0 ? -2.5 : 0.5 * i, i + 1.0);
    a = vec2(i * 0.5, 1.0 - i * 0.5); b = a; }""",
    "o.frag": """#version 450
noperspective in vec2 a; in vec2 b; out vec4 c;
void main() { c = vec4(a, b); }""",
}
