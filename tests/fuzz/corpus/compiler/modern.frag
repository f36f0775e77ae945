//@f
#version 450
#extension GL_ARB_gpu_shader_int64 : enable
#extension GL_EXT_demote_to_helper_invocation : enable
layout(origin_upper_left, pixel_center_integer) in vec4 gl_FragCoord;
layout(early_fragment_tests) in; layout(depth_less) out float gl_FragDepth;
layout(location = 0, index = 0) out vec4 c0; layout(location = 1) out uvec4 c1; precise float p;
in V { sample vec4 v; flat int i; } inp; uniform sampler2DArrayShadow sh; uniform usamplerBuffer buf;
uniform samplerCubeArray cube[2]; uniform sampler2DMS ms; layout(location = 7) uniform float arr[2][3] = {{1, 2, 3}, {4, 5, 6}};
subroutine vec4 choose(vec4 x); subroutine(choose) vec4 one(vec4 x) { return x; }
subroutine(choose) vec4 two(vec4 x) { return x * 2; } subroutine uniform choose pick;
void main() {
    uint u = 0xffu; int s = -3; u <<= 2; u |= uint(s) >> 3u; u ^= ~u; u %= 7u;
    switch (inp.i) { case 0: case 1: c0 = pick(inp.v); break; default: demote; c0 = vec4(0); }
    vec2 g = textureGather(cube[1], vec4(1)).xy + dFdx(inp.v.xy) + texelFetch(ms, ivec2(1), 2).zw;
    float t = texture(sh, vec4(inp.v.xyz, .5)) + textureLod(cube[0], inp.v, 1.).x + fma(1., 2., arr[s][1]);
    int64_t l = int64_t(s) * 5L; ivec2 carry; uint lo, hi; umulExtended(u, 3u, hi, lo);
    c1 = texelFetch(buf, s) + uvec4(bitfieldExtract(u, 2, 3), bitCount(u), hi, lo); gl_FragDepth = t;
    float[2][3] copy = arr; const int z = 3 + 4 * 2; p = copy[1].length() + packUnorm2x16(g) + z, gl_SampleMask[0] = 1;
}
