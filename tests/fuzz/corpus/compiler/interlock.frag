//@f
#version 450
#extension GL_ARB_fragment_shader_interlock : require
#extension GL_EXT_shader_samples_identical : enable
#extension GL_ARB_gpu_shader_int64 : enable
#extension GL_NV_shader_atomic_int64 : enable
layout(sample_interlock_unordered, early_fragment_tests) in; layout(r32ui) coherent uniform uimage2D img;
uniform sampler2DMS ms; uniform isampler2DMSArray layers; buffer B { int64_t n; uint64_t u[]; }; out vec4 c;
void main() {
    ivec2 p = ivec2(gl_FragCoord); if (p.x == 3) discard;
    beginInvocationInterlockARB(); imageStore(img, p, imageLoad(img, p) * 3u + 1u); endInvocationInterlockARB();
    c = vec4(textureSamplesIdenticalEXT(ms, p), textureSamplesIdenticalEXT(layers, ivec3(p, 1)), 0, 1);
    atomicMin(n, 5L); atomicCompSwap(n, 1L, atomicAdd(n, 2L)); atomicXor(u[p.y], 7UL);
}
