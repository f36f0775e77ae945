//@c
#version 430
layout(local_size_x = 8, local_size_y = 4) in; shared vec4 tile[8][4]; layout(r32ui) coherent uniform uimage2D img;
buffer Out { float x; vec2 y[]; } o[2]; uniform uint n;
void main() {
    uvec3 id = gl_GlobalInvocationID; tile[gl_LocalInvocationID.x][gl_LocalInvocationID.y] = vec4(id, 1);
    memoryBarrierShared(); barrier(); uint old = imageAtomicAdd(img, ivec2(id.xy), 1u) + imageAtomicCompSwap(img, ivec2(0), 1u, 2u);
    for (uint i = 0u; i < n; i += gl_WorkGroupSize.x) o[1].y[i] = tile[i & 7u][id.y & 3u].xy + float(old); o[0].x = float(imageSize(img).x);
}
