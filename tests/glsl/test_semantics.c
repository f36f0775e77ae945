/* SPDX-License-Identifier: MIT */
/*
 * Semantic rules of later versions: layout qualifiers, blocks, stages, subroutines, overloads,
 * images. Each case is a shader and the expected message.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <talloc.h>

#include "glsl_test.h"
#include "glsl/hir.h"
#include "util/hash_table.h"

struct test_case {
    char stage; /* v, c (tess. control), e (tess. evaluation), g, f, x (compute); uppercase: ES */
    const char *text;
    const char *error; /* part of the log; NULL: compiles */
};

#define V150           "#version 150\n"
#define V330           "#version 330\n"
#define V400           "#version 400\n"
#define V430           "#version 430\n"
#define V440           "#version 440\n"
#define V460           "#version 460\n"
#define ES31           "#version 310 es\nprecision highp float;\n"
#define ES32           "#version 320 es\nprecision highp float;\n"
#define M              "void main() {}\n"
#define MAIN(code)     "void main() { " code " }\n"
#define LOCK           "#version 420\n#extension GL_ARB_fragment_shader_interlock : require\n"
#define ORDERING       "#version 430\n#extension GL_INTEL_fragment_shader_ordering : require\n"
#define VIEWPORTS      "#version 430\n#extension GL_NV_viewport_array2 : require\n"
#define DERIV          "#version 450\n#extension GL_NV_compute_shader_derivatives : require\n"
#define BEGIN          "beginInvocationInterlockARB(); "
#define END            "endInvocationInterlockARB(); "
#define SUBGROUP(name) "#version 450\n#extension GL_KHR_shader_subgroup_" name " : require\n"

static const struct test_case cases[] = {
    /* Layout identifiers: availability and context. */
    {'v', V460 "layout(nonsense) uniform B { vec4 a; };" M, "unknown layout qualifier"},
    {'v', V150 "layout(location = 1) in vec4 a;" M, "requires a later language version"},
    {'v', V330 "layout(LOCATION = 1) in vec4 a;" M, NULL},
    {'V', ES31 "layout(LOCATION = 1) in vec4 a;" M, "unknown layout qualifier"},
    {'v', V460 "layout(triangles) in;" M, "is not allowed here"},
    {'v', V330 "layout(location = 0 + 1) in vec4 a;" M, "must be an integer literal"},
    {'v', V440 "layout(location = 0 + 1) in vec4 a;" M, NULL},
    {'v', V460 "layout(std140 = 1) uniform B { vec4 a; };" M, "does not take a value"},
    {'v', V460 "layout(binding) uniform sampler2D s;" M, "requires a value"},
    {'f', V330 "layout(location = 0, location = 1) out vec4 c;" M, "given twice"},
    /* KHR_shader_subgroup: each feature includes the basic one, but no other. */
    {'v', SUBGROUP("basic") MAIN("gl_Position = vec4(subgroupElect());"), NULL},
    {'v', SUBGROUP("vote") MAIN("gl_Position = vec4(gl_SubgroupSize, subgroupElect(), 0, 0);"),
     NULL},
    {'v', SUBGROUP("basic") MAIN("gl_Position = vec4(subgroupAny(true));"), "subgroupAny"},
    {'v', SUBGROUP("basic") MAIN("gl_Position = vec4(gl_SubgroupEqMask);"), "gl_SubgroupEqMask"},
    {'v', SUBGROUP("ballot") MAIN("gl_Position = vec4(gl_SubgroupEqMask);"), NULL},
    {'v', SUBGROUP("basic") MAIN("gl_Position = vec4(gl_SubgroupID);"), "gl_SubgroupID"},
    {'v', SUBGROUP("basic") MAIN("subgroupMemoryBarrierShared();"), "subgroupMemoryBarrierShared"},
    {'v', SUBGROUP("basic") MAIN("subgroupBarrier(); subgroupMemoryBarrierImage();"), NULL},
    {'v', SUBGROUP("arithmetic") MAIN("gl_Position = vec4(subgroupAdd(bvec2(true)), 0, 0);"),
     "subgroupAdd"},
    {'v', SUBGROUP("arithmetic") MAIN("double d = subgroupExclusiveMul(2.0lf);"), NULL},
    {'v', SUBGROUP("clustered") MAIN("gl_Position = subgroupClusteredMax(vec4(1), 4u);"), NULL},
    {'v', SUBGROUP("clustered") MAIN("gl_Position = subgroupClusteredMax(vec4(1), 6u);"),
     "must be a power of two"},
    {'v', SUBGROUP("clustered") MAIN("gl_Position = subgroupClusteredMax(vec4(1), 0u);"),
     "must be a power of two"},
    {'v',
     SUBGROUP("clustered") "uniform uint n;" MAIN(
         "gl_Position = subgroupClusteredMax(vec4(1), n);"),
     "must be a constant expression"},
    {'v', "#version 130\n#extension GL_KHR_shader_subgroup_basic : require\n" M, "not supported"},
    {'F',
     "#version 310 es\n#extension GL_KHR_shader_subgroup_quad : require\nprecision highp float;\n"
     "out vec4 c;" MAIN("c = subgroupQuadBroadcast(vec4(1), 3u) * float(gl_SubgroupInvocationID);"),
     NULL},
    /* Components. */
    {'v', V440 "layout(component = 1) out vec2 a;" M, "requires layout(location)"},
    {'v', V440 "layout(location = 0, component = 3) out vec2 a;" M, "does not fit"},
    {'v', V440 "layout(location = 0, component = 1) out double a;" M, "cannot start at component"},
    {'v', V440 "layout(location = 0, component = 2) out double a;" M, NULL},
    {'v', V440 "layout(location = 0, component = 0) out dvec3 a;" M, "not allowed for type"},
    {'v', V440 "layout(location = 0, component = 0) out mat2 a;" M, "not allowed for type"},
    {'v', V440 "layout(location = 0) out vec2 a; layout(location = 0, component = 2) out vec2 b;" M,
     NULL},
    /* Blocks. */
    {'v', V440 "layout(std140) uniform B { layout(offset = 8) vec4 a; };" M, "multiple of 16"},
    {'v', V440 "layout(std140) uniform B { vec4 a; layout(offset = 8) vec2 b; };" M,
     "preceding member"},
    {'v', V440 "layout(std140) uniform B { float a; layout(offset = 8) vec2 b; };" M, NULL},
    {'v', V440 "layout(std140, align = 3) uniform B { float a; };" M, "power of two"},
    {'v', V440 "layout(shared) uniform B { layout(offset = 0) float a; };" M, "std140 or std430"},
    {'v', V430 "layout(std430) uniform B { float a; };" M, "only allowed for buffer"},
    {'v', V440 "out B { layout(location = 1) vec4 a; vec4 b; };" M, "either all members"},
    {'v', V440 "layout(location = 1) out B { vec4 a; layout(location = 5) vec4 b; vec4 c; };" M,
     NULL},
    {'v', V440 "out B { layout(location = 1) vec4 a; } b[2];" M, "array of blocks"},
    {'v', V430 "buffer B { float a; float b[]; };" M, NULL},
    {'v', V430 "buffer B { shared float a; float b; };" M, NULL},
    {'v', V430 "buffer B { out float a; };" M, "must match its block"},
    {'v', V430 "buffer B { readonly float a; }; void main() { a = 1.0; }", "read-only"},
    {'v', V430 "buffer B { writeonly float a; }; void main() { float x = a; }", "writeonly"},
    {'v', V430 "writeonly buffer B { float a; } b; void main() { b.a = 1.0; }", NULL},
    {'v', V430 "uniform B { smooth vec4 a; };" M, "not allowed in this block"},
    {'v', V150 "uniform B { vec4 a; }; uniform B { vec4 b; };" M, "already declared"},
    {'v', V150 "out gl_PerVertex { vec4 gl_Position; }; void main() { gl_PointSize = 1.0; }",
     "undeclared"},
    {'v', V150 "out gl_PerVertex { vec3 gl_Position; };" M, "is not a built-in member"},
    {'v', V430 "void main() { float a[]; int i = 0; a[i] = 1.0; }", "unsized array"},
    {'V', "struct S { float a[2]; }; void main() { S a, b; a = b; }", "cannot be assigned"},
    /* Transform feedback. */
    {'v', V440 "layout(xfb_offset = 2) out float a;" M, "multiple of 4"},
    {'v', V440 "layout(xfb_offset = 4) out double a;" M, "multiple of 8"},
    {'v', V440 "layout(xfb_offset = 0) out vec4 a; layout(xfb_offset = 8) out vec4 b;" M,
     "overlap"},
    {'v', V440 "layout(xfb_stride = 16) out; layout(xfb_offset = 8) out vec4 b;" M,
     "extends past the xfb_stride"},
    {'v', V440 "layout(xfb_stride = 16) out; layout(xfb_stride = 32) out;" M,
     "a different xfb_stride"},
    {'v', V440 "layout(xfb_buffer = 4) out;" M, "out of range"},
    /* Geometry shaders. */
    {'g', V150 "layout(points) in; layout(lines) in;" M, "already declared with a different value"},
    {'g', V150 "in vec4 a;" M, "must be declared as an array"},
    {'g', V150 "in vec4 a[]; int f() { return a.length(); }" M, "unsized array"},
    {'g', V150 "layout(triangles) in; in vec4 a[]; float x[a.length() == 3 ? 1 : -1];" M, NULL},
    {'g', V150 "in vec4 a[2]; in vec4 b[3];" M, "another per-vertex array"},
    {'g', V150 "in vec4 a[2]; layout(triangles) in;" M, "must have 3"},
    {'g', V150 "in B { vec4 a; };" M, "must be declared as an array"},
    {'g', V400 "layout(invocations = 0) in;" M, "out of range"},
    {'g', V400 "layout(stream = 9) out vec4 a;" M, "out of range"},
    /* Tessellation shaders. */
    {'c', V400 "layout(vertices = 0) out;" M, "out of range"},
    {'c', V400 "layout(vertices = 3) out; out vec4 a[]; void main() { a[0] = vec4(0.0); }",
     "gl_InvocationID"},
    {'c',
     V400 "layout(vertices = 3) out; out vec4 a[];"
          "void main() { a[gl_InvocationID] = vec4(0.0); }",
     NULL},
    {'c', V400 "layout(vertices = 3) out; patch out vec4 a; void main() { a = vec4(0.0); }", NULL},
    {'c', V400 "layout(vertices = 3) out; void main() { if (gl_InvocationID == 0) barrier(); }",
     "control flow"},
    {'c', V400 "layout(vertices = 3) out; void main() { return; barrier(); }", "after a return"},
    {'e', V400 "layout(quads, ccw, point_mode, fractional_odd_spacing) in;" M, NULL},
    {'v', V400 "patch out vec4 a;" M, "\"patch\" is only"},
    /* Compute shaders. */
    {'x', V430 "layout(local_size_x = 0) in;" M, "out of range"},
    {'x', V430 "layout(local_size_x = 2) in; layout(local_size_x = 3) in;" M, "a different value"},
    {'x', V430 "layout(local_size_x = 2) in; int a[gl_WorkGroupSize.x == 2u ? 1 : -1];" M, NULL},
    {'x', V430 "void main() { uvec3 s = gl_WorkGroupSize; }", "a fixed local size"},
    {'x', V430 "in vec4 a;" M, "cannot have user-defined inputs and outputs"},
    {'v', V430 "shared float a;" M, "only allowed in compute"},
    /* Subroutines. */
    {'v',
     V400 "subroutine float T(float x); subroutine(T) float f(float x) { return x; }"
          "subroutine uniform T u; void main() { gl_Position = vec4(u(1.0)); }",
     NULL},
    {'v',
     V400 "subroutine float T(float x); subroutine uniform T u[2];"
          "void main() { gl_Position = vec4(u[1](1)); }",
     NULL},
    {'v', V400 "subroutine float T(float x); subroutine(T) float f(int x) { return 1.0; }" M,
     "does not match"},
    {'v', V400 "subroutine float T(float x); subroutine(T) float f(float x);" M,
     "must have a body"},
    {'v', V400 "subroutine float T(float x); uniform T u;" M, "must be a subroutine uniform"},
    {'v', V400 "subroutine float T(float x); void main() { T u; }", "must be a subroutine uniform"},
    {'v', V400 "subroutine uniform float u;" M, "does not have a subroutine type"},
    /* Images and counters. */
    {'f', V430 "uniform image2D i;" M, "must be writeonly"},
    {'f', V430 "writeonly uniform image2D i;" M, NULL},
    {'f',
     V430 "\n#extension GL_EXT_shader_image_load_formatted : require\n"
          "uniform image2D i; void main() { imageStore(i, ivec2(0), imageLoad(i, ivec2(1))); }",
     NULL},
    {'f',
     V430 "\n#extension GL_EXT_shader_image_load_formatted : require\n"
          "uniform uimage2D i[2]; void main() { imageAtomicAdd(i[1], ivec2(0), 1u); }",
     "requires an image with a format"},
    {'f',
     V430 "\n#extension GL_EXT_shader_image_load_formatted : require\n"
          "writeonly uniform image2D i; void main() { imageLoad(i, ivec2(1)); }",
     "reads its argument"},
    {'f',
     V430 "\n#extension GL_EXT_shader_clock : require\n"
          "out uvec2 c; void main() { c = clock2x32EXT(); }",
     NULL},
    {'f', V430 "out uvec2 c; void main() { c = clock2x32EXT(); }", "clock2x32EXT"},
    {'f',
     V430 "\n#extension GL_EXT_shader_clock : require\n"
          "out uvec2 c; void main() { c = clock2x32ARB(); }",
     "clock2x32ARB"},
    {'F',
     "#version 310 es\n#extension GL_EXT_shader_clock : require\n"
     "out highp uvec2 c; void main() { c = clock2x32EXT(); }",
     NULL},
    {'f', V430 "layout(r32ui) uniform image2D i;" M, "does not match type"},
    {'F', ES31 "layout(rgba8) uniform highp image2D i;" M, "readonly or writeonly"},
    {'F', ES31 "layout(r32f) uniform highp image2D i;" M, NULL},
    {'F', ES31 "layout(rg8) readonly uniform highp image2D i;" M,
     "requires a later language version"},
    {'f', V430 "readonly uniform sampler2D s;" M, "memory qualifiers"},
    {'f',
     V430 "layout(r32f) coherent uniform image2D i; void f(image2D p) {}"
          "void main() { f(i); }",
     "the parameter lacks"},
    {'f', V430 "uniform atomic_uint a;" M, "requires layout(binding)"},
    {'f',
     V430 "layout(binding = 0, offset = 4) uniform atomic_uint a;"
          "layout(binding = 0) uniform atomic_uint b;" M,
     NULL},
    {'f',
     V430 "layout(binding = 0) uniform atomic_uint a;"
          "layout(binding = 0, offset = 0) uniform atomic_uint b;" M,
     "overlaps another atomic counter"},
    /* Overloads (GLSL 4.00 §6.1). */
    {'v', V330 "void f(vec4 a) {} void f(uvec4 a) {} void main() { f(ivec4(0)); }", NULL},
    {'v', V400 "void f(float a) {} void f(double a) {} void main() { f(1); }", NULL},
    {'v', V400 "void f(uint a) {} void f(float a) {} void main() { f(1); }", "ambiguous"},
    {'v', V400 "void f(float a, double b) {} void f(double a, float b) {} void main() { f(1, 1); }",
     "ambiguous"},
    {'v',
     V400 "void f(double a, double b) {} void f(float a, double b) {}"
          "void f(float a, float b) {} void main() { f(1, 1); }",
     NULL},
    {'v', V330 "void f(float a, int b) {} void f(int a, float b) {} void main() { f(1, 1); }",
     "ambiguous"},
    {'v', V330 "void f(float a, float b) {} void f(int a, float b) {} void main() { f(1, 1); }",
     "ambiguous"},
    {'v',
     V330 "void f(vec2 a, float b) {} void f(vec2 a, vec2 b) {} void main() { f(ivec2(1), 1); }",
     NULL},
    {'v', V400 "void f(float a, float b) {} void f(int a, float b) {} void main() { f(1, 1); }",
     NULL},
    {'v', V400 "void f(float a, int b) {} void f(int a, float b) {} void main() { f(1, 1); }",
     "ambiguous"},
    /* better than the second, but not than the third, in each order */
    {'v',
     V400 "void f(int a, float b) {} void f(float a, float b) {} void f(float a, int b) {}"
          "void main() { f(1, 1); }",
     "ambiguous"},
    {'v',
     V400 "void f(float a, int b) {} void f(int a, float b) {} void f(float a, float b) {}"
          "void main() { f(1, 1); }",
     "ambiguous"},
    {'v',
     V400 "void f(float a, float b) {} void f(float a, int b) {} void f(int a, float b) {}"
          "void main() { f(1, 1); }",
     "ambiguous"},
    {'v', V400 "void f(uint a, float b) {} void f(float a, uint b) {} void main() { f(1, 1); }",
     "ambiguous"},
    /* better than the first, but not than the second, which is not better than the first */
    {'v',
     V400 "void f(float a, float b) {} void f(double a, int b) {} void f(int a, float b) {}"
          "void main() { f(1, 1); }",
     "ambiguous"},
    /* which one is called: the type that it returns */
    {'v', V400 "vec2 f(float a); vec3 f(double a); void main() { vec2 a = f(1); }", NULL},
    {'v', V400 "vec3 f(double a); vec2 f(float a); void main() { vec2 a = f(1); }", NULL},
    {'v', V400 "vec2 f(float a); vec3 f(double a); void main() { vec3 a = f(1); }", "vec"},
    {'v', V400 "vec2 f(int a); vec3 f(float a); void main() { vec2 a = f(1); vec3 b = f(1.0); }",
     NULL},
    {'v', V400 "vec2 f(uint a); vec3 f(vec2 a); void main() { vec2 a = f(1); }", NULL},
    /* arguments that come back are converted in the other direction */
    {'v', V400 "void f(out float a) { a = 1.0; } void main() { int a; f(a); }", "no matching"},
    {'v', V400 "void f(out int a) { a = 1; } void main() { float a; f(a); }", NULL},
    {'v', V400 "void f(inout int a) {} void main() { float a = 1.0; f(a); }", "no matching"},
    /* Fragment shaders. */
    {'f', V150 "layout(origin_upper_left) in vec4 gl_FragCoord; in vec4 gl_FragCoord;" M,
     "different layout qualifiers"},
    {'f',
     V430 "layout(depth_less) out float gl_FragDepth; layout(depth_any) out float"
          " gl_FragDepth;" M,
     "a different depth layout"},
    {'f', V430 "layout(early_fragment_tests) in;" M, NULL},
    /* ARB_fragment_shader_interlock */
    {'f', LOCK MAIN(BEGIN END), NULL},
    {'f', LOCK "layout(sample_interlock_unordered) in;" MAIN("discard; " BEGIN END), NULL},
    {'f', V430 MAIN(BEGIN END), "beginInvocationInterlockARB"},
    {'v', LOCK MAIN(BEGIN END), "beginInvocationInterlockARB"},
    {'f', V430 "layout(pixel_interlock_ordered) in;" M, "requires"},
    {'f', LOCK MAIN(BEGIN), "the critical section that begins here has no end"},
    {'f', LOCK MAIN(END BEGIN), "must follow the call that begins the critical section"},
    {'f', LOCK MAIN(BEGIN END END), "may only be called once"},
    {'f', LOCK MAIN(BEGIN BEGIN END), "may only be called once"},
    {'f', LOCK MAIN(BEGIN "if (true) " END), "is not allowed in control flow"},
    {'f', LOCK MAIN("return; " BEGIN END), "after a return"},
    {'f', LOCK "void f() { " BEGIN END "}" MAIN("f();"), "is only allowed in main()"},
    {'f', LOCK "layout(pixel_interlock_ordered) in; layout(sample_interlock_ordered) in;" M,
     "the interlock mode is already declared with a different value"},
    {'f', LOCK "layout(pixel_interlock_ordered, pixel_interlock_unordered) in;" M,
     "contradicts an earlier one"},
    {'f', LOCK "layout(pixel_interlock_ordered) in vec4 a;" M, "is not allowed here"},
    /* NV_viewport_array2 */
    {'v',
     VIEWPORTS "layout(viewport_relative) out highp int gl_Layer;" MAIN(
         "gl_ViewportMask[0] = 3; gl_Layer = 1;"),
     NULL},
    {'c',
     VIEWPORTS "layout(vertices = 3) out;" MAIN(
         "gl_out[gl_InvocationID].gl_ViewportMask[0] = 3;"
         "gl_out[gl_InvocationID].gl_Layer = 1; gl_out[gl_InvocationID].gl_ViewportIndex = 1;"),
     NULL},
    {'c', VIEWPORTS "layout(vertices = 3) out;" MAIN("gl_ViewportMask[0] = 3;"), "gl_ViewportMask"},
    {'c', V430 "layout(vertices = 3) out;" MAIN("gl_out[gl_InvocationID].gl_Layer = 1;"),
     "gl_Layer"},
    {'e', VIEWPORTS "layout(quads) in;" MAIN("gl_ViewportMask[0] = 3;"), NULL},
    {'v', V430 MAIN("gl_ViewportMask[0] = 3;"), "gl_ViewportMask"},
    {'v', VIEWPORTS MAIN("gl_ViewportMask[1] = 3;"), "1"},
    {'v', VIEWPORTS "layout(viewport_relative) out int layer;" M, "is not allowed here"},
    {'v', VIEWPORTS "out int gl_Layer; layout(viewport_relative) out int gl_Layer;" M,
     "redeclared with a different layout qualifier"},
    {'v', "#version 150\nout int gl_Layer;" M, "gl_"},
    /* INTEL_fragment_shader_ordering */
    {'f', ORDERING "void f() { beginFragmentShaderOrderingINTEL(); }" MAIN("if (true) f(); f();"),
     NULL},
    {'v', ORDERING MAIN("beginFragmentShaderOrderingINTEL();"), "beginFragmentShaderOrderingINTEL"},
    {'f', V430 MAIN("beginFragmentShaderOrderingINTEL();"), "beginFragmentShaderOrderingINTEL"},
    /* NV_compute_shader_derivatives */
    {'x',
     DERIV "layout(local_size_x = 2, local_size_y = 6) in;"
           "layout(derivative_group_quadsNV) in; void main() { float x = dFdx(1.0); }",
     NULL},
    {'x', DERIV "layout(derivative_group_quadsNV) in; layout(local_size_x = 4) in;" M,
     "a local width and height that are multiples of 2"},
    {'x', DERIV "layout(local_size_x = 6) in; layout(derivative_group_linearNV) in;" M,
     "a local size that is a multiple of 4"},
    {'x', DERIV "layout(derivative_group_linearNV) in; layout(derivative_group_quadsNV) in;" M,
     "the derivative group is already declared"},
    {'x', "#version 450\nlayout(local_size_x = 4) in;" MAIN("float x = dFdx(1.0);"), "dFdx"},
    {'x', "#version 450\nlayout(derivative_group_linearNV) in;" M, "requires"},
    {'f', V430 "sample out vec4 a;" M, "\"sample\" is not allowed"},
    {'f', V430 "inout vec4 a;" M, "\"inout\" is only allowed"},
    {'f',
     V430 "#extension GL_EXT_shader_framebuffer_fetch : enable\n"
          "inout vec4 a; void main() { a += vec4(1.0); }",
     NULL},
    {'v', V400 "in dvec4 a;" M, "vertex shader inputs"},
    {'v', V430 "in dvec4 a;" M, NULL},
    {'F', ES31 "out vec4 a; out vec4 b;" M, NULL},
    {'F', ES32 "in I { vec4 a; } i; out vec4 c; void main() { c = i.a; }", NULL},
    /* In ES, varyings may be nested one level deep. */
    {'F', ES31 "in vec4 a[2];" M, NULL},
    {'F', ES31 "in vec4 a[2][2];" M, "not allowed in GLSL ES"},
    {'F', ES31 "struct S { vec4 a; }; in S a;" M, NULL},
    {'F', ES31 "struct S { vec4 a; }; in S a[2];" M, "not allowed in GLSL ES"},
    {'F', ES31 "struct S { vec4 a[2]; }; in S a;" M, "not allowed in GLSL ES"},
    {'V', ES32 "struct T { vec4 a; }; struct S { T a; }; out S a;" M, "not allowed in GLSL ES"},
    {'V', ES32 "out vec4 a[2][2];" M, "not allowed in GLSL ES"},
    {'F', ES32 "in I { vec4 a[2][2]; } i;" M, NULL},
    {'v', V430 "out vec4 a[2][2];" M, NULL},
};

static enum shader_stage stage_of(char letter)
{
    switch (letter | 0x20) {
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

static struct glsl_options options(bool es)
{
    struct glsl_options o = test_options(es);
    o.max_version = es ? 0 : 460;
    o.max_es_version = es ? 320 : 0;
    o.core = !es;
    o.limits.max_patch_vertices = 32;
    o.limits.max_geometry_output_vertices = 256;
    o.limits.max_viewports = 16;
    o.limits.max_transform_feedback_buffers = 4;
    o.limits.max_transform_feedback_components = 64;
    for (unsigned i = 0; i < 3; i++)
        o.limits.max_compute_workgroup_size[i] = 64;
    o.limits.max_compute_workgroup_invocations = 1024;
    return o;
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

/* precise applies to what a value is computed from, not to what is computed from it. */
static void test_precise(void **state)
{
    (void)state;
    static const char text[] = V400
        "in vec4 a; out vec4 p, q;\n"
        "void main() { vec4 t = a * a; precise vec4 r = t + a; vec4 u = a + a; p = r; q = u; }";
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options o = options(false);
    struct glsl_shader *s = glsl_compile(mem_ctx, &o, SHADER_VERTEX, text, strlen(text));
    assert_true(s->compiled);
    struct hir_function *f = hash_table_get(s->hir->function_table, "main");
    struct hir_signature *sig = list_first_entry(&f->signatures, struct hir_signature, link);
    unsigned seen = 0;
    list_for_each_entry (struct hir_node, node, &sig->body, link) {
        const struct hir_variable *var = (const struct hir_variable *)node;
        if (node->kind != HIR_VARIABLE || var->mode != HIR_VAR_AUTO)
            continue;
        seen++;
        assert_int_equal(var->precise, var->name[0] != 'u');
    }
    assert_int_equal(seen, 3);
    talloc_free(mem_ctx);
}

struct named {
    const char *path, *text;
};

static enum glsl_include_result find(void *data, const char *path, const char **text,
                                     size_t *length)
{
    for (const struct named *n = data; n->path; n++) {
        if (!strcmp(n->path, path)) {
            *text = n->text;
            *length = strlen(n->text);
            return GLSL_INCLUDE_FOUND;
        }
        size_t l = strlen(path);
        if (!strncmp(n->path, path, l) && n->path[l] == '/')
            return GLSL_INCLUDE_NO_STRING;
    }
    return GLSL_INCLUDE_NOT_FOUND;
}

#define INCLUDE "#version 130\n#extension GL_ARB_shading_language_include : require\n"

/* Strings are searched from the root, in search paths, and for quoted paths relative to the
 * including string. */
static void test_include(void **state)
{
    (void)state;
    static const struct named strings[] = {
        {"/lib/a", "#include \"b\"\nfloat a() { return b(); }\n"},
        {"/lib/b", "float b() { return 1.0; }\n"},
        {"/loop", "#include </loop>\n"},
        {"/open", "#if 1\n"},
        {NULL, NULL},
    };
    static const struct {
        const char *text, *error;
    } shaders[] = {
        {INCLUDE "#include </lib/a>\nvoid main() { gl_FragColor = vec4(a()); }", NULL},
        {INCLUDE "#include <x/../../lib/./a>\nvoid main() { gl_FragColor = vec4(a()); }", NULL},
        {INCLUDE "#include <b>\nvoid main() { gl_FragColor = vec4(b()); }", NULL},
        {INCLUDE "#include <a>\n#include <nothing>\nvoid main() {}", "no such named string"},
        {INCLUDE "#include </lib>\nvoid main() {}", "cannot be included"},
        {INCLUDE "#include </lib/>\nvoid main() {}", "malformed path"},
        {INCLUDE "#include /lib/a\nvoid main() {}", "requires a path"},
        {INCLUDE "#include </loop>\nvoid main() {}", "too many included strings"},
        {INCLUDE "#include </open>\nvoid main() {}", "unterminated #if"},
        {INCLUDE "#line 7 \"/some path/x\"\nvoid main() { x; }", "0:8(15)"},
        {"#version 130\n#include </lib/b>\nvoid main() {}", "requires GL_ARB"},
    };
    static const char *const search[] = {"/lib"};
    for (unsigned i = 0; i < ARRAY_SIZE(shaders); i++) {
        void *mem_ctx = talloc_new(NULL);
        struct glsl_options o = options(false);
        o.core = false;
        struct glsl_includes includes = {
            .search = search, .num_search = 1, .find = find, .data = (void *)strings};
        struct glsl_shader *s = glsl_compile_with(mem_ctx, &o, &includes, SHADER_FRAGMENT,
                                                  shaders[i].text, strlen(shaders[i].text));
        bool good =
            shaders[i].error ? !s->compiled && strstr(s->info_log, shaders[i].error) : s->compiled;
        if (!good)
            fail_msg("include case %u: got:\n%s", i, s->info_log);
        talloc_free(mem_ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_precise),
        cmocka_unit_test(test_include),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
