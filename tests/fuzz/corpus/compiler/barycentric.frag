//@f
#version 450
#extension GL_NV_fragment_shader_barycentric : require
pervertexNV in vec4 v[];
in pervertexNV Block { vec2 a[2]; } block[3];
uniform int i;
out vec4 color;
void main()
{
    vec3 b = interpolateAtOffset(gl_BaryCoordNV, vec2(0.25)) + gl_BaryCoordNoPerspNV;
    color = b.x * v[0] + b.y * v[i] + b.z * block[i].a[1].xyxy;
}
