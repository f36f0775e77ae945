//@c
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 4, local_size_y = 2) in; layout(derivative_group_quadsNV) in;
uniform sampler2D s; uniform sampler2DArrayShadow sh; buffer B { vec4 x[]; };
void main() {
    vec2 p = vec2(gl_LocalInvocationID.xy) + dFdx(x[0].xy) + dFdyFine(x[1].zw) + fwidthCoarse(x[2].x);
    x[gl_LocalInvocationIndex] = texture(s, p, 1.) + textureOffset(s, p, ivec2(1)) + vec4(textureQueryLod(sh, p), texture(sh, vec4(p, 1, 1)), 0);
}
