//@ve
#ifdef GL_ES
precision mediump float;
#endif
attribute vec4 a; attribute mat2 m; uniform vec4 u[4]; varying lowp vec2 v; uniform bool b; uniform bvec3 d;
const vec2 k = vec2(1, 2); void g(inout vec4 p); void main() { vec4 p = a; g(p); v = m * k; gl_Position = any(d) ? p : u[2]; gl_PointSize = 1.0; }
void g(inout vec4 p) { for (int i = 0; i < 4; i++) { if (b) p += u[i]; else p.xyz -= float(i); } }
