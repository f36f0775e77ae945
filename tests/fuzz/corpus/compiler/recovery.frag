#version 330
#extension GL_ARB_gpu_shader5 : warn
#extension GL_ARB_shader_image_load_store : warn
struct S { float a b; vec2 c; };
in vec2 place
layout(lcation = 1) out vec4 color;
float f(float x) { return x * ; }
void main()
{
    for (int i = 0 i < 3; i++) { color += vec4(i); }
    if (place.x > 0.5 { color = vec4(1); } else { color = vec4(bitCount(2)); }
    vec4 a[2] = { 1, , 3 };
    do color.rgb = textur(place).rgb; while 3;
}
}
void g() { int x = 1 2; }
