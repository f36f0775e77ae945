//@fe
#version 320 es
precision highp float; precision mediump int; precision lowp sampler2DArray;
layout(std140) uniform U { lowp vec4 a; highp mat4 m[2]; }; uniform mediump sampler3D t; uniform sampler2DArray q;
in vec2 v; flat in int i; layout(location = 0) out vec4 c; struct S { vec2 a; mediump int b[2]; };
highp vec4 f(const in S s, lowp float x) { return vec4(s.a, x, s.b[1]); }
void main() {
    S s = S(v, int[2](1, i)); bool same = s == S(vec2(0.), int[](1, 2)); c = f(s, 1.) + m[1] * a;
    for (int k = 0, n = 3; k < n; ++k) c += texture(t, vec3(v, k)) * textureGrad(q, vec3(v, 1), v, v);
    if (same) { c = mix(c, a, bvec4(true, false, true, true)); return; } c.rgb = vec3(uvec3(1u) << uvec3(2));
}
