//@v
#version 430
#extension GL_NV_viewport_array2 : require
layout(viewport_relative) out highp int gl_Layer; in vec4 a; uniform int n[3];
void main() {
    gl_Position = a; gl_Layer = n[2] + 1; gl_ViewportMask[n[0] & 0] = n[1] | 5; gl_ViewportMask[0] ^= gl_VertexID;
}
