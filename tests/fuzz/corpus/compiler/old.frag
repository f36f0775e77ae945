//@f
#version 120
#extension GL_ARB_texture_rectangle : enable
uniform sampler2D t; uniform sampler2DRect r; uniform sampler1DShadow s;
uniform struct light { vec4 position; float k[3]; } lights[2];
varying vec4 color; varying mat3 m; const float pi = 3.14159, two = 2.;
invariant varying vec2 v;
float f(in float x, out vec2 y, inout int z) { y = vec2(x); z++; return x * pi; }
void main() {
    vec2 o; int n = 4; bool b = n > 3 && !(n == 5) || n != 2 ^^ true;
    float a[3]; float q = f(1.5, o, n);
    for (int i = 0; i < 3; i++) { a[i] = float(i); if (i == 2) break; else continue; }
    while (n-- > 0) { q += a[n]; if (q > 10.) discard; }
    do { q *= 0.5; } while (q > 1.0);
    vec4 c = texture2D(t, v) + texture2DRect(r, v * 16.) + shadow1D(s, vec3(v, 1.)) + color.bgra;
    c.xy = o.yx; c[2] = b ? lights[n].position.x : lights[1].k[1];
    mat2 mm = mat2(1., 2., 3., 4.) * mat2(2.); c.zw *= mm[0]; c += gl_FragCoord; c.x = dot(m[0], m[1]);
    gl_FragColor = gl_FrontFacing ? c : vec4(pow(c.x, two), mod(c.y, 2.), -c.z, +c.w);
}
