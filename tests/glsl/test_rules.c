/* SPDX-License-Identifier: MIT */
/*
 * Rules of the language by version: names and reserved words, literals, macros, qualifiers, arrays,
 * blocks. Each case is a shader and the expected message.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "glsl_test.h"

struct test_case {
    char stage; /* v, c (tess. control), e (tess. evaluation), g, f, x (compute); uppercase: ES */
    const char *text;
    const char *error; /* part of the log; NULL: compiles */
};

#define V110       "#version 110\n"
#define V130       "#version 130\n"
#define V330       "#version 330\n"
#define V430       "#version 430\n"
#define V460       "#version 460\n"
#define ES1        "#version 100\n"
#define ES3        "#version 300 es\nprecision highp float;\n"
#define ES31       "#version 310 es\nprecision highp float;\n"
#define ES32       "#version 320 es\nprecision highp float;\n"
#define M          "void main() {}\n"
#define MAIN(code) "void main() { " code " }\n"
#define GS         "layout(triangles) in; layout(points, max_vertices = 1) out;\n"
#define IMAGES     "layout(r32f) uniform highp image2D i[2];\n"
#define WRITEONLY  "writeonly buffer B { float a; vec2 v; uint u; };\n"
#define NESTED     "float[1][1][1](float[1][1](float[1](0.0)))"

static const struct test_case cases[] = {
    /* Literals (GLSL 4.60 §4.1.4): without a point, a float needs an exponent. */
    {'f', V110 MAIN("float x = 1f;"), "malformed number \"1f\""},
    {'f', V460 MAIN("float x = 0f;"), "malformed number \"0f\""},
    {'F', ES3 MAIN("float x = 10F;"), "malformed number \"10F\""},
    {'F', ES1 MAIN("int x = int(00f);"), "malformed number \"00f\""},
    {'f', V460 MAIN("double x = 1lf;"), "malformed number \"1lf\""},
    {'F', ES3 MAIN("float x = 1.f + 1e3f + .5F + float(0x1F);"), NULL},
    {'f', V460 MAIN("double x = 1.lf + 1e3LF;"), NULL},
    /* Macros: ESSL 3.20 §3.5 protects all built-in ones, desktop GLSL names that start with GL_. */
    {'f', V330 "#undef __VERSION__\n#ifdef __VERSION__\n#error\n#endif\n" M, NULL},
    {'f', V110 "#undef __LINE__\n#undef __FILE__\n" M, NULL},
    {'f', V460 "#define __LINE__ 3\n" M, NULL},
    {'f', V460 "#define __VERSION__ 3\n" M, "cannot be redefined"},
    {'F', ES3 "#undef __VERSION__\n" M, "cannot be undefined"},
    {'F', ES1 "#undef __LINE__\n" M, "cannot be undefined"},
    {'F', ES32 "#define __FILE__ 3\n" M, "cannot be redefined"},
    {'F', ES32 "#undef GL_ES\n" M, "cannot be undefined"},
    {'f', V460 "#undef defined\n" M, "cannot be undefined"},
    {'f', V460 "#undef not_a_macro\n" M, NULL},
    /* A declaration may start with a type and a comma (GLSL 4.60 §9). */
    {'f', V330 MAIN("int ,a; a = 1;"), NULL},
    {'f', V110 "uniform float ,a, b[2];" MAIN("float ,x = a + b[1]; x += 1.0;"), NULL},
    {'F', ES3 "const highp int ,a = 1;" MAIN("highp int ,b = a;"), NULL},
    {'f', V330 MAIN("struct S { float a; } ,s; s.a = 1.0; S ,t = s;"), NULL},
    {'f', V330 "struct S { float a; }; S ,s;" MAIN("s.a = 1.0; S ,t = s;"), NULL},
    {'f', V330 "struct S { float a; } s, t;" MAIN("s.a = t.a; s, t;"), NULL},
    {'f', V330 MAIN("int i, j; i, j = 3; i, j;"), NULL},
    {'f', V330 MAIN("int ,;"), "syntax error"},
    {'f', V330 MAIN("int a,;"), "syntax error"},
    {'f', V330 MAIN("int a,,b;"), "syntax error"},
    /* Members of structs have precision qualifiers only (GLSL 4.60 §4.1.8). */
    {'v', V460 "struct S { coherent vec4 a; };" M, "not allowed on struct members"},
    {'v', V460 "struct S { volatile vec4 a; };" M, "not allowed on struct members"},
    {'V', ES32 "struct S { restrict vec4 a; };" M, "not allowed on struct members"},
    {'V', ES31 "struct S { readonly vec4 a; };" M, "not allowed on struct members"},
    {'V', ES32 "struct S { writeonly vec4 a; };" M, "not allowed on struct members"},
    {'V', ES32 "struct S { precise vec4 a; };" M, "not allowed on struct members"},
    {'V', ES32 "struct S { highp vec4 a; };" M, NULL},
    {'V', ES32 "buffer B { readonly coherent vec4 a; };" M, NULL},
    {'v', V460 "invariant vec4 f() { return vec4(0.0); }" M, "return type"},
    /* A block needs a name; a struct without one is no block. */
    {'v', V460 "buffer struct { vec4 a; };" M, "must be members of a block"},
    {'V', ES32 "buffer struct S { vec4 a; };" M, "must be members of a block"},
    {'v', V460 "buffer vec4;" M, "must be members of a block"},
    {'v', V460 "uniform struct { vec4 a; };" M, "must have a name"},
    {'V', ES32 "out struct { vec4 a; };" M, "must have a name"},
    {'f', V460 "in struct { vec4 a; };" M, "must have a name"},
    {'v', V460 "inout struct S { vec4 a; };" M, "only allowed on parameters"},
    {'V', ES32 "varying struct S { vec4 a; };" M, "varying"},
    {'v', V460 "uniform struct S { vec4 a; };" M, NULL},
    {'v', V460 "const struct S { vec4 a; };" M, NULL},
    {'v', V460 "uniform struct { vec4 a; } u;" M, NULL},
    {'v', V460 "uniform while { vec4 a; };" M, "syntax error"},
    {'v', V460 "buffer class { vec4 a; };" M, "syntax error"},
    /* Qualifiers of whole blocks (§4.3.9). Interpolation of inputs and outputs is common. */
    {'V', ES32 "uniform highp B { vec4 a; };" M, "precision qualifiers are not allowed for blocks"},
    {'V', ES32 "mediump buffer B { vec4 a; } b;" M,
     "precision qualifiers are not allowed for blocks"},
    {'v', V460 "out highp B { vec4 a; };" M, "precision qualifiers are not allowed for blocks"},
    {'V', ES32 "uniform B { highp vec4 a; };" M, NULL},
    {'v', V460 "flat uniform B { vec4 a; };" M, "qualifier not allowed"},
    {'V', ES32 "centroid buffer B { vec4 a; };" M, "qualifier not allowed"},
    {'v', V460 "invariant uniform B { vec4 a; };" M, "only outputs can be invariant"},
    {'v', V460 "invariant buffer B { vec4 a; };" M, "only outputs can be invariant"},
    {'v', V460 "out vec4 a; precise invariant a;" M, NULL},
    {'v', V460 "vec4 a; precise a;" M, NULL},
    {'v', V460 "vec4 a; precise invariant a;" M, "cannot be declared invariant"},
    {'v', V460 "flat out B { vec4 a; }; centroid out C { vec4 c; };" M, NULL},
    {'f', V460 "flat in B { ivec4 a; };" M, NULL},
    /* Arrays of blocks (GLSL 4.60 §4.3.9, ESSL 3.20 §4.3.9). */
    {'V', ES32 "buffer B { vec4 a; } b[2][2];" M, "arrays of arrays of blocks"},
    {'F', ES31 "uniform B { vec4 a; } b[2][2];" M, "arrays of arrays of blocks"},
    {'V', ES32 "out B { vec4 a; } b[2][2];" M, "arrays of arrays of blocks"},
    {'V', ES32 "buffer B { vec4 a; } b[2];" M, NULL},
    {'G', ES32 GS "in B { vec4 a; } b[3][2];" M, NULL},
    {'G', ES32 GS "in B { vec4 a; } b[3][2][2];" M, "arrays of arrays of blocks"},
    {'v', V460 "buffer B { vec4 a; } b[2][2];" M, NULL},
    {'v', V460 "out B { vec4 a; } b[];" M, "must have a size"},
    {'v', V460 "out B { vec4 a; } b[2][];" M, "must have a size"},
    {'f', V460 "in B { vec4 a; } b[];" M, "must have a size"},
    {'g', V460 GS "in B { vec4 a; } b[];" M, NULL},
    {'g', V460 GS "in B { vec4 a; } b[][2];" M, NULL},
    /* Per-vertex arrays: the layout that sizes them may follow (ESSL 3.20 §4.3.6, §4.4.2.1). */
    {'C',
     ES32 "in vec4 a[]; out vec4 b[]; layout(vertices = 3) out;" MAIN(
         "b[gl_InvocationID] = a[gl_InvocationID];"),
     NULL},
    {'C',
     ES32 "in I { vec4 a; } i[]; out O { vec4 b; } o[]; layout(vertices = 3) out;" MAIN(
         "o[gl_InvocationID].b = i[gl_InvocationID].a;"),
     NULL},
    {'G',
     ES32 "in vec4 a[]; layout(triangles) in; layout(points, max_vertices = 1) out;" MAIN(
         "gl_Position = a[2];"),
     NULL},
    {'C', ES32 "layout(vertices = 3) out; patch out vec4 p[];" M, "must have a size"},
    {'V', ES32 "out vec4 b[];" M, "must have a size"},
    {'V', ES32 MAIN("vec4 b[];"), "must have a size"},
    /* An initializer gives an array its missing sizes (GLSL 4.60 §4.1.9). */
    {'v', V430 MAIN("float x[1][1][] = " NESTED "; x[0][0][0] = 1.0;"), NULL},
    {'v', V430 MAIN("float x[1][][1] = " NESTED "; x[0][0][0] = 1.0;"), NULL},
    {'v', V460 MAIN("float x[][1][] = " NESTED "; x[0][0][0] = 1.0;"), NULL},
    {'V', ES31 MAIN("float x[][][] = " NESTED "; x[0][0][0] = 1.0;"), NULL},
    {'v', V460 "const float x[1][1][] = " NESTED ";" MAIN("float y[x[0].length()];"), NULL},
    {'v', V460 MAIN("float x[1][2][] = " NESTED ";"), "cannot initialize"},
    {'v', V460 MAIN("float x[1][1][];"), "only the outermost"},
    /* Only the outermost size of a variable or block member may be missing (§4.1.9). */
    {'v', V430 "struct S { float a[2][]; };" M, "must have a size"},
    {'v', V430 "void f(float a[2][]) {}" M, "must have a size"},
    {'v', V430 "float[2][] f();" M, "must have a size"},
    {'v', V430 "buffer B { float a[2][]; };" M, "only the outermost"},
    {'V', ES31 "buffer B { float a[][]; };" M, "only the outermost"},
    {'v', V430 "uniform B { vec4 a[3][]; } b;" M, "only the outermost"},
    {'v', V430 "buffer B { float a[][2]; };" M, NULL},
    {'V', ES31 "buffer B { float a[][2]; };" M, NULL},
    /* The elements of a constructor give an array only the sizes that it lacks (§5.4.4). */
    {'v', V430 MAIN("float x[2][2] = float[2][3](float[2](1.0, 2.0), float[2](3.0, 4.0));"),
     "cannot initialize"},
    {'V', ES31 MAIN("float x[1][1] = float[1][1][1](float[1](0.0));"), "cannot initialize"},
    {'v', V430 MAIN("float x[1][2] = float[1][2](int[2](1, 2));"), "cannot initialize"},
    {'v', V460 MAIN("float x[2][2] = float[][](float[2](1.0, 2.0), float[3](3.0, 4.0, 5.0));"),
     "cannot initialize"},
    {'v', V460 MAIN("float x[][2] = float[][](float[2](1.0, 2.0), float[2](3.0, 4.0));"), NULL},
    {'v', V460 MAIN("float x[2][1] = { float[1](1.0), { 2.0 } };"), NULL},
    /* An array without a size can only be indexed, and have its length taken (§4.1.9). */
    {'x', V430 "buffer B { float a[]; };" MAIN("float x[] = a;"), "cannot be an initializer"},
    {'X', ES31 "buffer B { float a[]; } b;" MAIN("float x[] = b.a;"), "cannot be an initializer"},
    {'f', V330 "float g[];" MAIN("float x[] = g; g[2] = x[0];"), "cannot be an initializer"},
    {'x', V430 "buffer B { float a[]; };" MAIN("bool b = a == a;"), "cannot be compared"},
    {'x', V430 "buffer B { float a[]; };" MAIN("float x = (a[0] > 0.0 ? a : a)[1];"), "?:"},
    {'x', V430 "buffer B { float a[]; };" MAIN("float x = float[][](a, a)[0][0];"),
     "cannot be an element"},
    {'x', V430 "buffer B { float a[]; };" MAIN("a; a[1] = a[0] + float(a.length());"), NULL},
    /* Atomic counters: default offsets (GLSL 4.60 §4.4.6.1), precision (ESSL 3.20 §4.7.3). */
    {'x',
     V460 "layout(binding = 2, offset = 4) uniform atomic_uint; layout(binding = 2) uniform "
          "atomic_uint a; layout(binding = 2, offset = 0) uniform atomic_uint b;" M,
     NULL},
    {'x',
     V460 "layout(binding = 2, offset = 4) uniform atomic_uint; layout(binding = 2) uniform "
          "atomic_uint a; layout(binding = 2, offset = 4) uniform atomic_uint b;" M,
     "overlaps"},
    {'X', ES31 "layout(binding = 0, offset = 1) uniform atomic_uint;" M, "multiple of 4"},
    {'X', ES31 "layout(offset = 4) uniform atomic_uint;" M, "requires layout(binding)"},
    {'X', ES31 "layout(binding = 0) uniform lowp atomic_uint a;" M, "can only be highp"},
    {'X', ES32 "layout(binding = 0) uniform mediump atomic_uint a;" M, "can only be highp"},
    {'X', ES32 "precision mediump atomic_uint; layout(binding = 0) uniform atomic_uint a;" M,
     "can only be highp"},
    {'X', ES32 "layout(binding = 0) uniform highp atomic_uint a;" M, NULL},
    {'v', V460 "layout(binding = 0) uniform atomic_uint a[];" M, "must have a size"},
    {'v', V460 "layout(binding = 0) uniform atomic_uint a[][2], b[2];" M, "must have a size"},
    /* Interpolation functions (ESSL 3.20 §8.14.2): no member of a struct or block instance. */
    {'F', ES32 "struct S { vec4 a; }; in S s; out vec4 c;" MAIN("c = interpolateAtCentroid(s.a);"),
     "a member"},
    {'F', ES32 "in B { vec4 m[2]; } b; out vec4 c;" MAIN("c = interpolateAtSample(b.m[1], 0);"),
     "a member"},
    {'F', ES32 "in B { vec4 m[2]; }; out vec4 c;" MAIN("c = interpolateAtOffset(m[1], vec2(0));"),
     NULL},
    {'f', V460 "struct S { vec4 a; }; in S s; out vec4 c;" MAIN("c = interpolateAtCentroid(s.a);"),
     NULL},
    /* gl_SampleMask has any index, outputs of the shader only constant ones. */
    {'F', ES32 MAIN("for (int i = 0; i < gl_SampleMask.length(); ++i) gl_SampleMask[i] = i;"),
     NULL},
    {'F',
     ES32 "out vec4 c; void main() { int m = 0; for (int i = 0; i < gl_SampleMaskIn.length();"
          "++i) m += gl_SampleMaskIn[i]; c = vec4(m); }",
     NULL},
    {'F', ES31 "out vec4 c[2];" MAIN("for (int i = 0; i < 2; i++) c[i] = vec4(i);"),
     "constant expressions"},
    /* Ranking of conversions (§6.1); those of out parameters are from the parameter's type. */
    {'v', V430 "void f(out float x); void f(out int x);" MAIN("double d; f(d);"), NULL},
    {'v', V430 "void f(out float x, int y); void f(out int x, int y);" MAIN("double d; f(d, 1);"),
     NULL},
    {'v', V430 "void f(out uint x); void f(out int x);" MAIN("float d; f(d);"), "ambiguous"},
    {'v', V430 "void f(out float x, uint y); void f(out int x, int y);" MAIN("double d; f(d, 1);"),
     "ambiguous"},
    {'v', V430 "void f(float x); void f(double x);" MAIN("f(1);"), NULL},
    /* An out parameter only writes its argument (§4.10, §6.1.1). */
    {'x', V430 WRITEONLY "void f(out float x) { x = 1.0; }" MAIN("f(a); f(v.y); f(v[1]);"), NULL},
    {'X', ES31 WRITEONLY MAIN("float x = modf(1.5, a);"), NULL},
    {'x', V430 WRITEONLY "void f(inout float x) { x = 1.0; }" MAIN("f(a);"), "writeonly"},
    {'x', V430 WRITEONLY "void f(float x) {}" MAIN("f(v.x);"), "writeonly"},
    {'x', V430 WRITEONLY MAIN("float x = sin(a);"), "writeonly"},
    {'X', ES31 WRITEONLY MAIN("atomicAdd(u, 1u);"), "writeonly"},
    /* All qualifiers of parameters match in all declarations (§6.1). */
    {'f', V430 "void f(image2D i); void f(readonly image2D i) {}" M, "different qualifiers"},
    {'F', ES32 "void f(highp image2D i); void f(coherent highp image2D i) {}" M,
     "different qualifiers"},
    {'f', V430 "void f(coherent restrict image2D i); void f(restrict coherent image2D j) {}" M,
     NULL},
    /* A member of a block cannot be redeclared, not even to give it a size (§4.1.9). */
    {'v', V430 "uniform B { float a[]; }; uniform float a[3];" M, "already declared"},
    {'v', V430 "out B { float a[]; }; out float a[3];" M, "already declared"},
    {'v', V430 "uniform float a[]; uniform float a[3]; out float gl_ClipDistance[2];" M, NULL},
    /* Vertex outputs with integers (ESSL 3.00 §4.3.6, ESSL 3.20 §4.3.6). */
    {'V', ES3 "out int a;" MAIN("a = 1;"), "must be declared flat"},
    {'V', ES31 "struct S { uvec2 a; }; out S s;" M, "must be declared flat"},
    {'V', ES32 "struct S { uvec2 a; }; out S s; out int i;" MAIN("i = 1;"), NULL},
    {'F', ES32 "in int a;" M, "must be declared flat"},
    /* Patch variables are not interpolated (GLSL 4.60 §4.5, ESSL 3.20 §4.5). */
    {'C', ES32 "flat patch out vec4 p;" M, "not allowed with \"patch\""},
    {'e', V460 "patch smooth in vec4 p;" M, "not allowed with \"patch\""},
    {'c', V460 "patch out B { noperspective vec4 p; };" M, "not allowed with \"patch\""},
    {'c', V460 "patch out B { vec4 p; }; patch out ivec2 q;" M, NULL},
    /* Formats of atomic image functions (GLSL 4.60 §8.12). */
    {'f', V460 "layout(rgba8ui) uniform uimage2D i;" MAIN("imageAtomicAdd(i, ivec2(0), 1u);"),
     "r32ui, r32i or r32f"},
    {'f', V460 "layout(r16i) uniform iimage2D i[2];" MAIN("imageAtomicMin(i[1], ivec2(0), 1);"),
     "r32ui, r32i or r32f"},
    {'f', V460 "layout(r16f) uniform image2D i;" MAIN("imageAtomicExchange(i, ivec2(0), 1.0);"),
     "r32ui, r32i or r32f"},
    {'f', V460 "layout(r32f) uniform image2D i;" MAIN("imageAtomicExchange(i, ivec2(0), 1.0);"),
     NULL},
    {'f',
     V460
     "void f(iimage2D i) { imageAtomicOr(i, ivec2(0), 1); } layout(r32i) uniform iimage2D i;" MAIN(
         "f(i);"),
     NULL},
    /* Arrays of images and of storage blocks (ESSL 3.20 §4.1.7, §4.3.9). */
    {'X', ES32 IMAGES MAIN("for (int n = 0; n < 2; n++) imageStore(i[n], ivec2(0), vec4(0));"),
     "arrays of images"},
    {'X',
     "#version 310 es\n#extension GL_EXT_gpu_shader5 : require\n" IMAGES MAIN(
         "for (int n = 0; n < 2; n++) imageStore(i[n], ivec2(0), vec4(0));"),
     "arrays of images"},
    {'X', ES32 IMAGES MAIN("const int n = 1; imageStore(i[n], ivec2(0), vec4(0));"), NULL},
    {'x', V430 IMAGES MAIN("for (int n = 0; n < 2; n++) imageStore(i[n], ivec2(0), vec4(0));"),
     NULL},
    {'X', ES32 "buffer B { float a; } b[2];" MAIN("for (int n = 0; n < 2; n++) b[n].a = 0.0;"),
     "arrays of blocks"},
    {'X',
     ES32 "uniform U { float a; } u[2]; buffer B { float a; };" MAIN(
         "for (int n = 0; n < 2; n++) a = u[n].a;"),
     NULL},
    {'x', V430 "buffer B { float a; } b[2];" MAIN("for (int n = 0; n < 2; n++) b[n].a = 0.0;"),
     NULL},
    /* Primitives, spacings and vertex orders exclude each other (§4.4.1, §4.4.2). */
    {'g', V460 "layout(points) in; layout(points, triangle_strip, max_vertices = 1) out;" M,
     "contradicts an earlier one"},
    {'G', ES32 "layout(points) in; layout(line_strip, points, max_vertices = 1) out;" M,
     "contradicts an earlier one"},
    {'g', V460 "layout(lines, triangles) in;" M, "contradicts an earlier one"},
    {'g', V460 "layout(lines) layout(triangles) in;" M, "contradicts an earlier one"},
    {'g', V460 "layout(lines, lines) in; layout(points, points, max_vertices = 1) out;" M, NULL},
    {'e', V460 "layout(quads, triangles) in;" M, "contradicts an earlier one"},
    {'e', V460 "layout(quads, equal_spacing, fractional_odd_spacing) in;" M,
     "contradicts an earlier one"},
    {'e', V460 "layout(quads, cw, ccw) in;" M, "contradicts an earlier one"},
    {'e', V460 "layout(quads, equal_spacing, cw, cw, equal_spacing) in;" M, NULL},
    /* Locations of members; qualifiers of GL_EXT_gpu_shader4. */
    {'V', ES32 "layout(location = 4) out B { vec4 a; layout(location = 3) vec4 b; vec4 c; };" M,
     "location 4 of \"c\" overlaps \"a\""},
    {'V', ES32 "layout(location = 4) out B { vec4 a; layout(location = 2) vec4 b; vec4 c; };" M,
     NULL},
    {'f',
     V110 "#extension GL_EXT_gpu_shader4 : require\ncentroid noperspective varying vec2 a;\n"
          "noperspective centroid varying vec2 b;" M,
     NULL},
    {'f', V130 "noperspective centroid in vec2 a;" M, NULL},
    {'f', V130 "centroid noperspective in vec2 a;" M, "out of order"},
    /* ESSL 3.00 has vertex and fragment shaders only. */
    {'X', ES3 M, "this stage requires GLSL ES 3.10"},
    {'G', ES3 M, "this stage requires GLSL ES 3.10"},
    {'C', ES1 M, "this stage requires GLSL ES 3.10"},
    {'X', ES31 "layout(local_size_x = 1) in;" M, NULL},
    /* Extensions. */
    {'F',
     "#version 300 es\n#extension GL_EXT_conservative_depth : require\n"
     "layout(depth_any) out highp float gl_FragDepth;" MAIN("gl_FragDepth = 1.0;"),
     NULL},
    {'F', ES3 "layout(depth_any) out highp float gl_FragDepth;" MAIN("gl_FragDepth = 1.0;"),
     "depth"},
    {'v',
     V110
     "#extension GL_EXT_draw_instanced : require\n" MAIN("gl_Position = vec4(gl_InstanceIDEXT);"),
     NULL},
    {'v', V130 "#extension GL_ARB_gpu_shader_fp64 : require\n" MAIN("double d = 1.0lf;"), NULL},
};

static struct glsl_options options(bool es)
{
    struct glsl_options o = test_options(es);
    o.max_version = es ? 0 : 460;
    o.max_es_version = es ? 320 : 0;
    o.core = !es;
    o.limits.max_patch_vertices = 32;
    o.limits.max_geometry_output_vertices = 256;
    return o;
}

static enum shader_stage stage_of(char stage)
{
    switch (stage | 32) {
    case 'v':
        return SHADER_VERTEX;
    case 'c':
        return SHADER_TESS_CTRL;
    case 'e':
        return SHADER_TESS_EVAL;
    case 'g':
        return SHADER_GEOMETRY;
    case 'f':
        return SHADER_FRAGMENT;
    default:
        return SHADER_COMPUTE;
    }
}

static void test_cases(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct test_case *t = &cases[i];
        void *mem_ctx = talloc_new(NULL);
        struct glsl_options o = options(t->stage < 'a');
        struct glsl_shader *s =
            glsl_compile(mem_ctx, &o, stage_of(t->stage), t->text, strlen(t->text));
        bool good = t->error ? !s->compiled && strstr(s->info_log, t->error) : s->compiled;
        if (!good)
            fail_msg("case %u:\n%s\nexpected %s, got:\n%s", i, t->text,
                     t->error ? t->error : "success", s->info_log);
        talloc_free(mem_ctx);
    }
}

/* Words, the versions in which they can name a variable, and those in which they cannot. */
static const struct {
    const char *words;
    const char *free, *taken; /* lists of versions; "e300" is ESSL 3.00 */
} words[] = {
    {"image1DShadow image2DShadow image1DArrayShadow image2DArrayShadow",
     "110 120 e100 e300 e310 e320", "130 330"},
    {"samplerCubeArray samplerCubeArrayShadow isamplerCubeArray usamplerCubeArray",
     "110 330 e100 e300", "400 460 e310 e320"},
    {"isamplerBuffer usamplerBuffer", "110 130 e100", "140 460 e300 e320"},
    {"samplerBuffer", "110 120 e100", "130 460 e300 e320"},
    {"dmat2 dmat3x4", "110 130 330 e100 e300", "400 460 e310 e320"},
    {"double dvec2", "", "110 130 330 460 e100 e300 e320"},
    {"image2D imageBuffer uimageCube", "110 120 e100", "130 330 460 e300 e320"},
    {"resource", "110 330 e100", "420 460 e300 e320"},
    {"subroutine", "110 330 e100", "400 460 e300 e320"},
    {"sampler2DMS", "110 140 e100", "150 460 e300 e320"},
    {"half goto", "", "110 330 460 e100 e300 e320"},
    {"superp", "110 120", "130 460 e100 e320"},
    {"common partition active filter", "110 120 e100", "130 460 e300 e320"},
    {"precise", "110 330 e100 e300", "400 460 e310 e320"},
    {"patch sample", "110 330 e100", "400 460 e300 e320"},
    {"centroid", "110 e100", "120 460 e300 e320"},
    {"smooth", "110 120 e100", "130 460 e300 e320"},
    {"buffer shared", "110 420 e100 e300", "430 460 e310 e320"},
    {"uint mat2x3", "110 e100", "130 460 e300 e320"},
};

/* Returns whether `int WORD;` compiles in a version, such as "330" or "e300". */
static bool can_name(const char *word, size_t length, const char *version)
{
    void *mem_ctx = talloc_new(NULL);
    bool es = version[0] == 'e';
    struct glsl_options o = options(es);
    unsigned number = strtoul(version + es, NULL, 10);
    char *text = talloc_asprintf(mem_ctx, "#version %u%s\nvoid main() { int %.*s; }", number,
                                 es && number > 100 ? " es" : "", (int)length, word);
    struct glsl_shader *s = glsl_compile(mem_ctx, &o, SHADER_VERTEX, text, strlen(text));
    bool compiled = s->compiled;
    talloc_free(mem_ctx);
    return compiled;
}

static void check_versions(const char *list, const char *versions, bool is_free)
{
    for (const char *w = list; *w; w += strspn(w, " ")) {
        size_t length = strcspn(w, " ");
        for (const char *v = versions; *v; v += strspn(v, " ")) {
            if (can_name(w, length, v) != is_free)
                fail_msg("%.*s in version %.4s: %s", (int)length, w, v,
                         is_free ? "not a name" : "a name");
            v += strcspn(v, " ");
        }
        w += length;
    }
}

/* The lists of keywords and reserved words of the versions (GLSL 1.10 to 4.60 §3.6, ESSL 1.00 §3.7,
 * ESSL 3.00 §3.8, ESSL 3.20 §3.7). */
static void test_words(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ARRAY_SIZE(words); i++) {
        check_versions(words[i].words, words[i].free, true);
        check_versions(words[i].words, words[i].taken, false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
