//@c
#version 450
layout(local_size_x = 4) in; shared struct { dmat3 m; uint n[5]; bool b; } s[3];
layout(r32i) coherent uniform iimageBuffer a; layout(rgba8_snorm) writeonly uniform image3D b[4]; layout(rg16ui) readonly restrict uniform uimageCubeArray c;
layout(binding = 1, offset = 4) uniform atomic_uint k[3]; layout(std140, row_major) uniform U { mat3x2 t; double d[2]; } u;
void main() {
    uint i = atomicCounterIncrement(k[gl_LocalInvocationIndex & 1u]); s[i % 3u].m[1] = dvec3(u.d[0]); groupMemoryBarrier(); barrier();
    int o = imageAtomicExchange(a, int(i), imageAtomicMin(a, 3, -1)); imageStore(b[o & 3], ivec3(i), vec4(s[0].m[2], u.t[1].x));
    s[1].n[o] = atomicCompSwap(s[2].n[i], 1u, imageLoad(c, ivec3(o)).y) + atomicXor(s[0].n[0], uint(imageSize(c).z)); s[o].b = gl_NumWorkGroups.y > i;
}
