//@vc
#version 460 core
struct S { int i; dvec2 d; };
layout(std140, binding = 1, row_major) uniform B { mat3 m; vec3 a[2]; S s; } b[2];
layout(std430) restrict buffer D { uint n; readonly vec4 data[]; };
layout(binding = 0, offset = 4) uniform atomic_uint counter;
layout(rgba32f, binding = 2) writeonly uniform image2D img;
layout(location = 0) in vec4 a; layout(location = 1) in mat2x3 m[2];
layout(location = 3, component = 1) flat out ivec2 v; out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; };
out block { centroid vec3 n; noperspective float f[2][3]; } o;
layout(xfb_buffer = 1, xfb_offset = 16, xfb_stride = 64) out vec4 cap;
void main() {
    uint k = atomicCounterIncrement(counter) + atomicAdd(n, 2u);
    imageStore(img, ivec2(k, gl_VertexID), data[k] + b[1].a[k].xyzz);
    o.n = b[0].m * a.xyz; o.f[1] = float[](1., 2., 3.); v = ivec2(b[0].s.i, data.length());
    double d = b[0].s.d.x * 2.0lf; cap = vec4(float(d)); gl_ClipDistance[0] = m[0][1].z; gl_Position = a;
}
