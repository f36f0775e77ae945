//@f
#version 330
in vec4 v; in vec4 v; flat uniform int q = 1.5; float f(int); float f(float x) { return x + true; }
struct S { S s; int a, a; }; layout(location = -1) out vec3 c; vec4 x[]; int y[-2]; const int z = q;
void f() { undefined(1); v = 3; y[7]; z.foo; c.xyq = vec3(1, 2); return 1; break; if (1) ; switch (1.0) { case 1: case 1: } }
void main(int a) { vec4 main; S.s; 1 = 2; ++3; vec2(1).xxxx.yyyyy; void n; sampler2D t; f(f); }
