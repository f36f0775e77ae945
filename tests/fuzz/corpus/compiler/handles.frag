//@f
#version 450
#extension GL_ARB_bindless_texture : require
layout(bindless_sampler, bound_image) uniform; struct S { vec2 p; sampler2D s[2]; layout(r32ui) coherent uimage2D i; };
layout(std140) uniform B { S b; layout(rgba8) image3D v[3]; } u; uniform S d; flat in samplerCube c[2]; out vec4 o;
layout(bindless_image, r32f, binding = 1) uniform image2D w; uniform uvec2 k; layout(bound_sampler) uniform sampler2DShadow z;
sampler2D f(inout sampler2D x, S y, sampler2D q) { if (y.p.x > k.x) x = y.s[k.y & 1u]; q = x; return q; }
void main() {
    sampler2D a = sampler2D(uvec2(d.s[1]) + k), e[3]; S l = u.b, m = d; e[k.x % 3u] = f(a, l, m.s[0]); sampler2DShadow t = z;
    o = texture(e[1], l.p) + texture(c[k.y & 1u], vec3(1)) + imageLoad(u.v[k.x % 3u], ivec3(k, 1)) + texture(t, o.xyz);
    for (int n = 0; n < 3; n++) { m.i = l.i; o += vec4(imageAtomicMax(m.i, ivec2(n), k.x)) + textureSize(e[n], 0).xyxy; }
    image2D r = w; imageStore(r, ivec2(uvec2(r)), o);
}
