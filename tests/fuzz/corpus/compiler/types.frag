//@f
#version 420
uniform double d; uniform dmat3x4 dm; uniform dvec3 dv; uniform mat4x2 m42; uniform ivec4 i4; uniform bvec2 b2;
out vec4 c;
struct I { float x; }; struct A { I inner[2]; } as[2];
void main() {
    dmat4x3 t = transpose(dm); dvec4 r = dv * t; double det = determinant(dmat2(1, 2, 3, 4)) + length(dv) + sqrt(d);
    mat2x4 o = outerProduct(vec4(1), vec2(2)) / 3.; mat2 sq = inverse(mat2(m42)); sq++; --sq[1];
    ivec4 s = i4 << 2 & ~i4 | i4 % 3 ^ -i4; s *= 2, s /= ivec4(3), s -= 1, s >>= 1, s &= 7, s ^= 1; vec3 q = vec3(b2, s.x).zyx;
    c = vec4(q, float(det)) + o[1] + vec4(sq) + vec4(r); c.xz = c.zx; int e; float f = frexp(c.x, e) + modf(c.y, c.z) + ldexp(1., e);
    c = all(greaterThanEqual(c, vec4(f))) ? unpackUnorm4x8(uint(e)) : intBitsToFloat(floatBitsToInt(c)); c *= packDouble2x32(uvec2(1)) > 0 ? 1. : isnan(f) ? 2 : 3;
}
