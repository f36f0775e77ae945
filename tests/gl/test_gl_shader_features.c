/* SPDX-License-Identifier: MIT */
/*
 * Extensions of the shading language: critical sections of fragment shaders, derivatives in compute
 * shaders, 64-bit integer atomics, comparison of a texel's samples, several viewports per
 * primitive.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

#define SIZE 100 /* several tiles, the last one partial */

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static bool has(const char *extension)
{
    return strstr((const char *)glGetString(GL_EXTENSIONS), extension);
}

static GLuint make_buffer(GLuint binding, const void *data, size_t bytes)
{
    GLuint b;
    glGenBuffers(1, &b);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, b);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes, data, GL_DYNAMIC_DRAW);
    return b;
}

static void read_buffer(GLuint b, void *data, size_t bytes)
{
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, b);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes, data);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static GLuint compute_program(const char *text)
{
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_COMPUTE_SHADER, text);
    gl_test_link(p);
    return p;
}

/* Draws the whole window by a triangle per instance. */
#define COVER                                                                                      \
    "#version 430\n"                                                                               \
    "flat out uint id;\n"                                                                          \
    "void main() {\n"                                                                              \
    "    id = uint(gl_InstanceID);\n"                                                              \
    "    gl_Position = vec4(gl_VertexID / 2 * 4 - 1, gl_VertexID % 2 * 4 - 1, 0, 1);\n"            \
    "}\n"

/* ------------------------------------------------------------------------ critical sections --- */

#define LAYERS 17

/* Applies a function that doesn't commute to each pixel of an image, once per layer. Pixels of odd
 * columns skip every third layer by a discard before the section. */
static void check_interlock(const char *extension, const char *layout, const char *begin,
                            const char *end)
{
    char text[1500];
    static uint32_t pixels[SIZE][SIZE];
    snprintf(text, sizeof text,
             "#version 430\n"
             "#extension GL_%s: require\n"
             "%s"
             "layout(binding = 0, r32ui) coherent uniform uimage2D image;\n"
             "flat in uint id;\n"
             "void main() {\n"
             "    ivec2 p = ivec2(gl_FragCoord.xy);\n"
             "    if (p.x %% 2 == 1 && id %% 3u == 1u)\n"
             "        discard;\n"
             "    %s;\n"
             "    imageStore(image, p, uvec4(imageLoad(image, p).x * 5u + id + 1u));\n"
             "    %s;\n"
             "}\n",
             extension, layout, begin, end);
    GLuint p = gl_test_program(COVER, text), texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, SIZE, SIZE);
    glClearTexImage(texture, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
    glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    glUseProgram(p);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 3, LAYERS);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 2);
    glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, pixels);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned y = 0; y < SIZE; y++) {
        for (unsigned x = 0; x < SIZE; x++) {
            uint32_t want = 0;
            for (unsigned i = 0; i < LAYERS + 2; i++) {
                unsigned id = i % LAYERS;
                if (x % 2 == 0 || id % 3 != 1)
                    want = want * 5 + id + 1;
            }
            if (pixels[y][x] != want)
                fail_msg("%s: pixel %u,%u is %#x, not %#x", layout, x, y, pixels[y][x], want);
        }
    }
    glDeleteTextures(1, &texture);
    gl_test_delete_program(p);
}

static void test_interlock(void **state)
{
    assert_true(has("GL_ARB_fragment_shader_interlock"));
    assert_true(has("GL_NV_fragment_shader_interlock"));
    assert_true(has("GL_INTEL_fragment_shader_ordering"));
    static const char *const layouts[] = {"", "layout(pixel_interlock_unordered) in;\n",
                                          "layout(sample_interlock_ordered) in;\n",
                                          "layout(sample_interlock_unordered) in;\n"};
    for (unsigned i = 0; i < 4; i++)
        check_interlock("ARB_fragment_shader_interlock", layouts[i],
                        "beginInvocationInterlockARB()", "endInvocationInterlockARB()");
    check_interlock("NV_fragment_shader_interlock",
                    "layout(early_fragment_tests, pixel_interlock_ordered) in;\n",
                    "beginInvocationInterlockNV()", "endInvocationInterlockNV()");
    check_interlock("INTEL_fragment_shader_ordering", "",
                    "if (id > 0u) beginFragmentShaderOrderingINTEL()", "");
}

/* Two shader objects of a stage must not declare different modes. */
static void test_interlock_modes(void **state)
{
    static const char *const texts[] = {
        "#version 430\n#extension GL_ARB_fragment_shader_interlock: require\n"
        "layout(pixel_interlock_ordered) in;\nvoid main() {}\n",
        "#version 430\n#extension GL_ARB_fragment_shader_interlock: require\n"
        "layout(sample_interlock_ordered) in;\nvoid f() {}\n"};
    GLuint p = glCreateProgram();
    GLint ok;
    char log[1000];
    for (unsigned i = 0; i < 2; i++)
        gl_test_attach(p, GL_FRAGMENT_SHADER, texts[i]);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    assert_false(ok);
    glGetProgramInfoLog(p, sizeof log, NULL, log);
    assert_non_null(strstr(log, "conflicting interlock modes"));
    glDeleteProgram(p);
}

/* ----------------------------------------------------------- derivatives in compute shaders --- */

#define DERIVATIVES "#version 450\n#extension GL_NV_compute_shader_derivatives: require\n"

enum { WIDE = 6, HIGH = 4, DEEP = 3, COUNT = WIDE * HIGH * DEEP };

static const char *const body =
    "layout(std430, binding = 0) buffer A { float value[]; };\n"
    "layout(std430, binding = 1) buffer B { float result[][6]; };\n"
    "void main() {\n"
    "    uvec3 id = gl_LocalInvocationID, size = gl_WorkGroupSize;\n"
    "    uint i = gl_LocalInvocationIndex;\n"
    "    bool good = i == (id.z * size.y + id.y) * size.x + id.x && id == gl_GlobalInvocationID;\n"
    "    float x = good ? value[i] : -1e9;\n"
    "    result[i] = float[6](dFdx(x), dFdy(x), dFdxFine(x), dFdyFine(x), dFdxCoarse(x),\n"
    "                         dFdyCoarse(x));\n"
    "}\n";

/* Returns the local index of invocation `corner` in the quad of invocation i. */
static unsigned in_quad(bool quads, unsigned i, unsigned corner)
{
    if (!quads)
        return (i & ~3u) + corner;
    unsigned x = i % WIDE, y = i / WIDE; /* HIGH is even, so slices can be ignored */
    return ((y & ~1u) + corner / 2) * WIDE + (x & ~1u) + corner % 2;
}

static void check_derivatives(const char *layout, bool quads, bool any)
{
    static float value[COUNT], result[COUNT][6];
    char text[1500];
    for (unsigned i = 0; i < COUNT; i++)
        value[i] = (float)(i * i % 61u);
    snprintf(text, sizeof text,
             DERIVATIVES "layout(local_size_x = %d, local_size_y = %d, local_size_z = %d) in;\n"
                         "%s%s",
             WIDE, HIGH, DEEP, layout, body);
    GLuint p = compute_program(text), a = make_buffer(0, value, sizeof value);
    GLuint b = make_buffer(1, NULL, sizeof result);
    glUseProgram(p);
    glDispatchCompute(1, 1, 1);
    read_buffer(b, result, sizeof result);
    for (unsigned i = 0; i < COUNT; i++) {
        float v[4], dx[2], dy[2];
        for (unsigned k = 0; k < 4; k++)
            v[k] = value[in_quad(quads, i, k)];
        unsigned column = quads ? i % WIDE % 2 : i % 2, row = quads ? i / WIDE % 2 : i / 2 % 2;
        for (unsigned k = 0; k < 2; k++) {
            dx[k] = any ? v[2 * k + 1] - v[2 * k] : 0.0f;
            dy[k] = any ? v[2 + k] - v[k] : 0.0f;
        }
        assert_float_equal(result[i][2], dx[row], 0.0f);
        assert_float_equal(result[i][3], dy[column], 0.0f);
        /* The others may take any row or column of the quad. */
        assert_true(result[i][0] == dx[0] || result[i][0] == dx[1]);
        assert_true(result[i][1] == dy[0] || result[i][1] == dy[1]);
        assert_true(result[i][4] == dx[0] || result[i][4] == dx[1]);
        assert_true(result[i][5] == dy[0] || result[i][5] == dy[1]);
    }
    glDeleteBuffers(1, &a);
    glDeleteBuffers(1, &b);
    gl_test_delete_program(p);
}

static void test_derivatives(void **state)
{
    assert_true(has("GL_NV_compute_shader_derivatives"));
    check_derivatives("layout(derivative_group_quadsNV) in;\n", true, true);
    check_derivatives("layout(derivative_group_linearNV) in;\n", false, true);
    check_derivatives("", false, false);
}

/* Reads a texture whose texels are the number of their level, at coordinates that step by four
 * texels, with implicit level of detail. */
static void check_implicit_lod(const char *layout, const float want[4])
{
    enum { LEVELS = 6, GROUP = 16 };
    static float texels[32 * 32], result[GROUP][4];
    char text[1500];
    GLuint texture;
    snprintf(text, sizeof text,
             DERIVATIVES
             "layout(local_size_x = 4, local_size_y = 4) in;\n"
             "%s"
             "layout(std430, binding = 0) buffer B { vec4 result[]; };\n"
             "layout(binding = 0) uniform sampler2D s;\n"
             "void main() {\n"
             "    vec2 at = vec2(gl_LocalInvocationID.xy) * 4.0 / 32.0;\n"
             "    uint i = gl_LocalInvocationIndex;\n"
             "    if (i >= 16u) return;\n"
             "    result[i] = vec4(texture(s, at).x, texture(s, at, 1.0).x,\n"
             "                     textureQueryLod(s, at).x, textureLod(s, at, 3.0).x);\n"
             "}\n",
             layout);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, LEVELS, GL_R32F, 32, 32);
    for (int level = 0; level < LEVELS; level++) {
        for (unsigned i = 0; i < 32 * 32; i++)
            texels[i] = (float)level;
        glTexSubImage2D(GL_TEXTURE_2D, level, 0, 0, 32 >> level, 32 >> level, GL_RED, GL_FLOAT,
                        texels);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    GLuint p = compute_program(text), b = make_buffer(0, NULL, sizeof result);
    glUseProgram(p);
    glDispatchCompute(1, 1, 1);
    read_buffer(b, result, sizeof result);
    for (unsigned i = 0; i < GROUP; i++)
        for (unsigned k = 0; k < 4; k++)
            if (result[i][k] != want[k])
                fail_msg("%s: invocation %u, lookup %u: %g, not %g", layout, i, k,
                         (double)result[i][k], (double)want[k]);
    glDeleteBuffers(1, &b);
    glDeleteTextures(1, &texture);
    gl_test_delete_program(p);
}

static void test_implicit_lod(void **state)
{
    check_implicit_lod("layout(derivative_group_quadsNV) in;\n", (const float[]){2, 3, 2, 3});
    /* The coordinates of four consecutive invocations differ only in x by 4, 8 and 12 texels. */
    check_implicit_lod("layout(derivative_group_linearNV) in;\n", (const float[]){3, 4, 3, 3});
    check_implicit_lod("", (const float[]){0, 0, 0, 3});
}

/* With a variable group size, the command checks the size. */
static void test_variable_groups(void **state)
{
    static const char *const layouts[] = {"quads", "linear"};
    for (unsigned i = 0; i < 2; i++) {
        char text[600];
        uint32_t count = 0;
        snprintf(text, sizeof text,
                 DERIVATIVES "#extension GL_ARB_compute_variable_group_size: require\n"
                             "layout(local_size_variable) in;\n"
                             "layout(derivative_group_%sNV) in;\n"
                             "layout(std430, binding = 0) buffer B { uint count; };\n"
                             "void main() {\n"
                             "    float step = dFdx(float(gl_LocalInvocationID.x));\n"
                             "    if (step == 1.0) atomicAdd(count, 1u);\n"
                             "}\n",
                 layouts[i]);
        GLuint p = compute_program(text), b = make_buffer(0, &count, sizeof count);
        glUseProgram(p);
        glDispatchComputeGroupSizeARB(1, 1, 1, 6, 2, 1);
        expect_error(GL_NO_ERROR);
        glDispatchComputeGroupSizeARB(1, 1, 1, 3, 2, 1);
        expect_error(GL_INVALID_VALUE);
        glDispatchComputeGroupSizeARB(1, 1, 1, 4, 3, 1);
        expect_error(i == 0 ? GL_INVALID_VALUE : GL_NO_ERROR);
        read_buffer(b, &count, sizeof count);
        assert_int_equal(count, i == 0 ? 12 : 24);
        glDeleteBuffers(1, &b);
        gl_test_delete_program(p);
    }
}

/* ------------------------------------------------------------------- 64-bit integer atomics --- */

#define INT64                                                                                      \
    "#version 450\n"                                                                               \
    "#extension GL_ARB_gpu_shader_int64: require\n"                                                \
    "#extension GL_NV_shader_atomic_int64: require\n"

/* Each invocation contributes i * 2^31 + i. In storage: */
static const char *const storage = INT64
    "layout(local_size_x = 40) in;\n"
    "layout(std430, binding = 0) buffer B {\n"
    "    int64_t add, low, high, both, any, odd, last, swapped;\n"
    "    uint64_t ulow, uhigh, uboth, uany, uodd; uint64_t old[40];\n"
    "};\n"
    "void main() {\n"
    "    uint i = gl_LocalInvocationIndex;\n"
    "    int64_t x = int64_t(i) * 0x80000001L; uint64_t u = uint64_t(x);\n"
    "    old[i] = uint64_t(atomicAdd(add, x));\n"
    "    atomicMin(low, -x); atomicMax(high, -x); atomicAnd(both, ~x); atomicOr(any, x);\n"
    "    atomicXor(odd, x); atomicExchange(last, 5L << 40);\n"
    "    atomicCompSwap(swapped, int64_t(i) << 33, int64_t(i + 1u) << 33);\n"
    "    atomicMin(ulow, ~u); atomicMax(uhigh, ~u); atomicAnd(uboth, ~u); atomicOr(uany, u);\n"
    "    atomicXor(uodd, u);\n"
    "}\n";

/* In shared memory: */
static const char *const shared =
    INT64 "layout(local_size_x = 40) in;\n"
          "layout(std430, binding = 0) buffer B { int64_t result[8]; };\n"
          "shared int64_t m[8];\n"
          "void main() {\n"
          "    uint i = gl_LocalInvocationIndex;\n"
          "    int64_t x = int64_t(i) * 0x80000001L;\n"
          "    if (i < 8u) m[i] = i == 3u ? -1L : 0L;\n"
          "    barrier();\n"
          "    atomicAdd(m[0], x); atomicMin(m[1], -x); atomicMax(m[2], x); atomicAnd(m[3], ~x);\n"
          "    atomicOr(m[4], x); atomicXor(m[5], x); atomicExchange(m[6], 5L << 40);\n"
          "    atomicCompSwap(m[7], int64_t(i) << 33, int64_t(i + 1u) << 33);\n"
          "    barrier();\n"
          "    if (i < 8u) result[i] = m[i];\n"
          "}\n";

static void test_atomic_int64(void **state)
{
    enum { N = 40 };
    int64_t all[13 + N] = {[3] = -1, [8] = -1, [10] = -1}, group[8], sum = 0, any = 0, odd = 0;
    if (!has("GL_NV_shader_atomic_int64")) /* i965: atomic messages are 32 bits wide */
        return;
    for (int64_t i = 0; i < N; i++) {
        int64_t x = i * 0x80000001ll;
        sum += x;
        any |= x;
        odd ^= x;
    }
    const int64_t most = (N - 1) * 0x80000001ll;
    GLuint p = compute_program(storage), b = make_buffer(0, all, sizeof all);
    glUseProgram(p);
    glDispatchCompute(1, 1, 1);
    read_buffer(b, all, sizeof all);
    const int64_t want[13] = {sum,   -most, 0,    ~any, any, odd, 5ll << 40, (int64_t)N << 33,
                              ~most, -1,    ~any, any,  odd};
    for (unsigned i = 0; i < 13; i++)
        if (all[i] != want[i])
            fail_msg("atomic %u: %#llx, not %#llx", i, (long long)all[i], (long long)want[i]);
    int64_t before = 0; /* invocations of a workgroup add in ascending order */
    for (int64_t i = 0; i < N; i++) {
        assert_true(all[13 + i] == before);
        before += i * 0x80000001ll;
    }
    glDeleteBuffers(1, &b);
    gl_test_delete_program(p);

    p = compute_program(shared);
    b = make_buffer(0, NULL, sizeof group);
    glUseProgram(p);
    glDispatchCompute(1, 1, 1);
    read_buffer(b, group, sizeof group);
    const int64_t want_group[8] = {sum, -most, most, ~any, any, odd, 5ll << 40, (int64_t)N << 33};
    assert_memory_equal(group, want_group, sizeof group);
    glDeleteBuffers(1, &b);
    gl_test_delete_program(p);
}

/* Atomics whose last byte is past the end of the buffer return 0 and write nothing. */
static void test_atomic_int64_bounds(void **state)
{
    if (!has("GL_NV_shader_atomic_int64"))
        return;
    int64_t words[4] = {-1, -1, -1, -1};
    GLuint p = compute_program(INT64 "layout(local_size_x = 8) in;\n"
                                     "layout(std430, binding = 0) buffer A { uint64_t data[]; };\n"
                                     "layout(std430, binding = 1) buffer B { uint64_t old[8]; };\n"
                                     "void main() {\n"
                                     "    uint i = gl_LocalInvocationIndex;\n"
                                     "    old[i] = atomicAnd(data[i], 1UL << (i + 32u));\n"
                                     "}\n");
    uint64_t old[8];
    GLuint a = make_buffer(0, words, sizeof words), b = make_buffer(1, NULL, sizeof old);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, a, 0, 20); /* two and a half */
    glUseProgram(p);
    glDispatchCompute(1, 1, 1);
    read_buffer(b, old, sizeof old);
    read_buffer(a, words, sizeof words);
    for (unsigned i = 0; i < 8; i++)
        assert_true(old[i] == (i < 2 ? UINT64_MAX : 0));
    for (unsigned i = 0; i < 4; i++)
        assert_true(words[i] == (i < 2 ? (int64_t)1 << (i + 32) : -1));
    glDeleteBuffers(1, &a);
    glDeleteBuffers(1, &b);
    gl_test_delete_program(p);
}

/* ------------------------------------------------------------------------ several viewports --- */

#define VIEWPORTS "#version 430\n#extension GL_NV_viewport_array2: require\n"
#define CORNERS   "vec4(gl_VertexID / 2 * 4 - 1, gl_VertexID % 2 * 4 - 1, 0, 1)"

/* Four viewports of 20 by 20 pixels in a row, and three that are much larger than the window. */
static void set_viewports(void)
{
    for (GLuint i = 0; i < 4; i++)
        glViewportIndexedf(i, 20.0f * (float)i, 0, 20, 20);
    glViewportIndexedf(4, -8000, 30, 16000, 20);
    glViewportIndexedf(5, 0, 60, 30, 30);
    glViewportIndexedf(15, 50, 60, 30, 30);
}

static const char *const show_viewport =
    "#version 430\n"
    "out vec4 c;\n"
    "void main() { c = vec4(gl_ViewportIndex / 16.0, gl_Layer / 4.0, 1, 1); }\n";

static void expect_view(int x, int y, int viewport)
{
    if (viewport < 0)
        expect(x, y, 0.0f, 0.0f, 0.0f);
    else
        expect(x, y, (float)viewport / 16.0f, 0.0f, 1.0f);
}

/* Draws a triangle that covers all viewports of the mask. geometry: a geometry shader writes it. */
static void check_viewports(uint32_t mask, GLenum primitive, bool geometry)
{
    char vs[600], gs[800];
    snprintf(vs, sizeof vs, VIEWPORTS "void main() { %s gl_PointSize = 60.0; gl_Position = %s; }\n",
             geometry ? "" : "gl_ViewportMask[0] = MASK;",
             primitive == GL_POINTS ? "vec4(0, 0, 0, 1)" : CORNERS);
    char text[800], define[40];
    snprintf(define, sizeof define, "int(0x%xu)", mask);
    char *at = strstr(vs, "MASK;");
    if (at)
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - vs), vs, define, at + 4);
    else
        snprintf(text, sizeof text, "%s", vs);
    snprintf(gs, sizeof gs,
             VIEWPORTS "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
                       "void main() {\n"
                       "    for (int i = 0; i < 3; i++) {\n"
                       "        gl_ViewportMask[0] = %s;\n"
                       "        gl_Position = gl_in[i].gl_Position;\n"
                       "        EmitVertex();\n"
                       "    }\n"
                       "}\n",
             define);
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER, text);
    gl_test_attach(p, GL_GEOMETRY_SHADER, geometry ? gs : NULL);
    gl_test_attach(p, GL_FRAGMENT_SHADER, show_viewport);
    gl_test_use(p);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glDrawArrays(primitive, 0, primitive == GL_POINTS ? 1 : 3);
    glDisable(GL_PROGRAM_POINT_SIZE);
    if (primitive == GL_POINTS) { /* the last one of those that overlap */
        for (int i = 0; i < 4; i++)
            if (mask == 1u << i)
                expect_view(10 + 20 * i, 25, i);
    } else {
        for (int i = 0; i < 4; i++)
            expect_view(10 + 20 * i, 10, mask >> i & 1 ? i : -1);
        expect_view(70, 40, mask >> 4 & 1 ? 4 : -1);
        expect_view(15, 75, mask >> 5 & 1 ? 5 : -1);
        expect_view(65, 75, mask >> 15 & 1 ? 15 : -1);
        expect_view(90, 10, -1);
    }
    gl_test_delete_program(p);
}

static void test_viewport_mask(void **state)
{
    static const uint32_t masks[] = {0, 1, 0xf, 0xa, 0x8034, 0x803f, 0xffff0000};
    if (!has("GL_NV_viewport_array2")) /* i965: one viewport per primitive */
        return;
    glPushAttrib(GL_VIEWPORT_BIT);
    set_viewports();
    for (unsigned i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        check_viewports(masks[i], GL_TRIANGLES, false);
        check_viewports(masks[i], GL_TRIANGLES, true);
    }
    check_viewports(2, GL_POINTS, false);
    check_viewports(8, GL_POINTS, false);
    glPopAttrib();
}

/* The layer of each primitive is the viewport plus gl_Layer. Primitives are captured and counted
 * once. */
static void test_viewport_relative(void **state)
{
    GLuint texture, fbo, query;
    GLuint generated = 0;
    if (!has("GL_NV_viewport_array2"))
        return;
    GLuint p = gl_test_program(VIEWPORTS "layout(viewport_relative) out highp int gl_Layer;\n"
                                         "void main() {\n"
                                         "    gl_ViewportMask[0] = 5;\n"
                                         "    gl_Layer = 1;\n"
                                         "    gl_Position = " CORNERS ";\n"
                                         "}\n",
                               show_viewport);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 8, 8, 4);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
    glPushAttrib(GL_VIEWPORT_BIT);
    glViewport(0, 0, 8, 8);
    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(p);
    glGenQueries(1, &query);
    glBeginQuery(GL_PRIMITIVES_GENERATED, query);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndQuery(GL_PRIMITIVES_GENERATED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &generated);
    assert_int_equal(generated, 1);
    for (int layer = 0; layer < 4; layer++) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layer);
        if (layer == 1 || layer == 3) /* viewports 0 and 2 */
            expect(4, 4, (float)(layer - 1) / 16.0f, (float)layer / 4.0f, 1.0f);
        else
            expect(4, 4, 0.0f, 0.0f, 0.0f);
    }
    glPopAttrib();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &texture);
    glDeleteQueries(1, &query);
    gl_test_delete_program(p);
}

/* Draws layer 1 plus viewport 2, selected by a geometry shader's gl_ViewportIndex. */
static void test_viewport_index(void **state)
{
    GLuint texture, fbo;
    if (!has("GL_NV_viewport_array2"))
        return;
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER,
                   "#version 430\nvoid main() { gl_Position = " CORNERS "; }\n");
    gl_test_attach(p, GL_GEOMETRY_SHADER,
                   VIEWPORTS "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
                             "layout(viewport_relative) out highp int gl_Layer;\n"
                             "void main() {\n"
                             "    for (int i = 0; i < 3; i++) {\n"
                             "        gl_Layer = 1;\n"
                             "        gl_ViewportIndex = 2;\n"
                             "        gl_Position = gl_in[i].gl_Position;\n"
                             "        EmitVertex();\n"
                             "    }\n"
                             "}\n");
    gl_test_attach(p, GL_FRAGMENT_SHADER, show_viewport);
    gl_test_use(p);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 8, 8, 4);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
    glPushAttrib(GL_VIEWPORT_BIT);
    glViewport(0, 0, 8, 8);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    for (int layer = 0; layer < 4; layer++) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layer);
        if (layer == 3)
            expect(4, 4, 2 / 16.0f, 3 / 4.0f, 1.0f);
        else
            expect(4, 4, 0.0f, 0.0f, 0.0f);
    }
    glPopAttrib();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &texture);
    gl_test_delete_program(p);
}

/* Only the last stage's viewports count: not those of the control shader. */
static void test_viewport_tessellation(void **state)
{
    if (!has("GL_NV_viewport_array2"))
        return;
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER,
                   "#version 430\nvoid main() { gl_Position = " CORNERS "; }\n");
    gl_test_attach(p, GL_TESS_CONTROL_SHADER,
                   VIEWPORTS "layout(vertices = 3) out;\n"
                             "void main() {\n"
                             "    gl_out[gl_InvocationID].gl_Position =\n"
                             "        gl_in[gl_InvocationID].gl_Position;\n"
                             "    gl_out[gl_InvocationID].gl_ViewportMask[0] = 9;\n"
                             "    gl_TessLevelOuter = float[](1, 1, 1, 1);\n"
                             "    gl_TessLevelInner[0] = 1;\n"
                             "}\n");
    gl_test_attach(p, GL_TESS_EVALUATION_SHADER,
                   VIEWPORTS "layout(triangles) in;\n"
                             "void main() {\n"
                             "    gl_ViewportMask[0] = 6;\n"
                             "    gl_Position = gl_TessCoord.x * gl_in[0].gl_Position +\n"
                             "                  gl_TessCoord.y * gl_in[1].gl_Position +\n"
                             "                  gl_TessCoord.z * gl_in[2].gl_Position;\n"
                             "}\n");
    gl_test_attach(p, GL_FRAGMENT_SHADER, show_viewport);
    gl_test_use(p);
    glPushAttrib(GL_VIEWPORT_BIT);
    set_viewports();
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    glDrawArrays(GL_PATCHES, 0, 3);
    for (int i = 0; i < 4; i++)
        expect_view(10 + 20 * i, 10, i == 1 || i == 2 ? i : -1);
    glPopAttrib();
    gl_test_delete_program(p);
}

/* Checks that a vertex shader doesn't link. */
static void check_viewport_error(const char *first, const char *second, const char *message)
{
    GLuint p = glCreateProgram();
    GLint ok;
    char log[1000];
    gl_test_attach(p, GL_VERTEX_SHADER, first);
    gl_test_attach(p, GL_VERTEX_SHADER, second);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    glGetProgramInfoLog(p, sizeof log, NULL, log);
    if (ok || !strstr(log, message))
        fail_msg("expected \"%s\", got \"%s\"", message, log);
    glDeleteProgram(p);
}

static void test_viewport_errors(void **state)
{
    if (!has("GL_NV_viewport_array2"))
        return;
    check_viewport_error(VIEWPORTS
                         "void main() { gl_ViewportMask[0] = 1; gl_ViewportIndex = 1; }\n",
                         NULL, "writes to both gl_ViewportIndex and gl_ViewportMask");
    check_viewport_error(VIEWPORTS "layout(viewport_relative) out int gl_Layer;\n"
                                   "void main() { gl_Layer = 1; }\n",
                         NULL, "writes neither");
    check_viewport_error(VIEWPORTS "layout(viewport_relative) out int gl_Layer; void f() {}\n",
                         VIEWPORTS "out int gl_Layer;\n"
                                   "void main() { gl_Layer = 0; gl_ViewportMask[0] = 1; }\n",
                         "conflicting viewport_relative");
}

/* ---------------------------------------------------------------------------- equal samples --- */

/* Draws a multisample texture in which the samples of some pixels differ, in one channel and one
 * sample. */
static void check_identical(GLenum format, const char *sampler, bool layers)
{
    char text[800];
    const GLenum target = layers ? GL_TEXTURE_2D_MULTISAMPLE_ARRAY : GL_TEXTURE_2D_MULTISAMPLE;
    const bool integers = format != GL_RGBA8;
    GLuint texture, fbo;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    if (layers)
        glTexImage3DMultisample(target, 4, format, SIZE, SIZE, 2, GL_TRUE);
    else
        glTexImage2DMultisample(target, 4, format, SIZE, SIZE, GL_TRUE);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    GLuint fill = gl_test_program(
        COVER, integers ? "#version 430\nout uvec4 c;\nvoid main() { c = uvec4(7, 7, 7, 9); }\n"
                        : "#version 430\nout vec4 c;\nvoid main() { c = vec4(0, 0, 0, 1); }\n");
    if (integers)
        glClearBufferuiv(GL_COLOR, 0, (const GLuint[]){7, 7, 7, 7});
    else
        glClearBufferfv(GL_COLOR, 0, (const GLfloat[]){0, 0, 0, 0});
    glUseProgram(fill);
    glEnable(GL_SAMPLE_MASK);
    glSampleMaski(0, 8);
    glEnable(GL_SCISSOR_TEST);
    glScissor(10, 20, 30, 40);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_SAMPLE_MASK);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    snprintf(text, sizeof text,
             "#version 430\n"
             "#extension GL_EXT_shader_samples_identical: require\n"
             "layout(binding = 0) uniform %s s;\n"
             "out vec4 c;\n"
             "void main() {\n"
             "    ivec2 p = ivec2(gl_FragCoord.xy);\n"
             "    c = textureSamplesIdenticalEXT(s, %s) ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1);\n"
             "}\n",
             sampler, layers ? "ivec3(p, 0)" : "p");
    GLuint p = gl_test_program(COVER, text);
    glUseProgram(p);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    for (int y = 0; y < SIZE; y += 9)
        for (int x = 0; x < SIZE; x += 9) {
            bool differ = x >= 10 && x < 40 && y >= 20 && y < 60;
            expect(x, y, differ, !differ, 0.0f);
        }
    gl_test_delete_program(p);
    glDeleteProgram(fill);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &texture);
}

static void test_samples_identical(void **state)
{
    assert_true(has("GL_EXT_shader_samples_identical"));
    check_identical(GL_RGBA8, "sampler2DMS", false);
    check_identical(GL_RGBA32UI, "usampler2DMS", false);
    check_identical(GL_RGBA16UI, "usampler2DMSArray", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interlock),
        cmocka_unit_test(test_interlock_modes),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_implicit_lod),
        cmocka_unit_test(test_variable_groups),
        cmocka_unit_test(test_atomic_int64),
        cmocka_unit_test(test_atomic_int64_bounds),
        cmocka_unit_test(test_samples_identical),
        cmocka_unit_test(test_viewport_mask),
        cmocka_unit_test(test_viewport_relative),
        cmocka_unit_test(test_viewport_errors),
        cmocka_unit_test(test_viewport_index),
        cmocka_unit_test(test_viewport_tessellation),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
