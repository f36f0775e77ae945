/* SPDX-License-Identifier: MIT */
/*
 * Half floats in shaders (AMD_gpu_shader_half_float): the bits of arithmetic results, layouts of
 * blocks, uniforms, varyings, transform feedback and introspection.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <math.h>

#include "gl_test.h"

#define SIZE 16
#define EXT  "#extension GL_AMD_gpu_shader_half_float : require\n"

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* ------------------------------------------------------------------------------- reference --- */

/* Returns the bits of the half float nearest to x. */
static uint16_t half_bits(long double x)
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    x = fabsl(x);
    if (isnan(x))
        return 0x7e00;
    if (x >= 65520)
        return sign | 0x7c00;
    if (x == 0)
        return sign;
    int exponent = ilogbl(x) < -14 ? -14 : ilogbl(x);
    long mantissa = (long)rintl(ldexpl(x, 10 - exponent)); /* 1024 … 2048, or less if denormal */
    if (mantissa == 2048)
        mantissa = 1024, exponent++;
    return sign | (mantissa < 1024 ? mantissa : ((exponent + 15) << 10) + (mantissa - 1024));
}

static double half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    double x = exponent == 31  ? (mantissa ? (double)NAN : (double)INFINITY)
               : exponent == 0 ? ldexp(mantissa, -24)
                               : ldexp(1024 + mantissa, exponent - 25);
    return bits & 0x8000 ? -x : x;
}

static void expect_half(const char *what, unsigned i, uint16_t got, long double want)
{
    const uint16_t bits = half_bits(want);
    if (got == bits || (isnan(want) && isnan(half_value(got))))
        return;
    fail_msg("%s %u is %#x (%g), not %#x (%g)", what, i, got, half_value(got), bits,
             half_value(bits));
}

/* ------------------------------------------------------------------------------ arithmetic --- */

#define VALUES 1024

/* Layout of the storage block. */
struct arithmetic {
    uint16_t a[VALUES], b[VALUES], c[VALUES];
    uint16_t sum[VALUES], difference[VALUES], product[VALUES], quotient[VALUES], root[VALUES];
    uint16_t fused[VALUES], negated[VALUES], of_double[VALUES], of_int[VALUES], bumped[VALUES];
    uint32_t packed[VALUES];
    int32_t whole[VALUES];
    float wide[VALUES];
};

static const char arithmetic_text[] =
    "#version 430\n" EXT "layout(local_size_x = 64) in;\n"
    "layout(std430, binding = 0) buffer B {\n"
    "    float16_t a[1024], b[1024], c[1024];\n"
    "    float16_t sum[1024], difference[1024], product[1024], quotient[1024], root[1024];\n"
    "    float16_t fused[1024], negated[1024], of_double[1024], of_int[1024], bumped[1024];\n"
    "    uint packed_[1024]; int whole[1024]; float wide[1024];\n"
    "};\n"
    "void main() {\n"
    "    uint i = gl_GlobalInvocationID.x;\n"
    "    float16_t x = a[i], y = b[i], z = c[i];\n"
    "    sum[i] = x + y; difference[i] = x - y; product[i] = x * y; quotient[i] = x / y;\n"
    "    root[i] = sqrt(abs(x)); fused[i] = fma(x, y, z); negated[i] = -x;\n"
    "    of_double[i] = float16_t(double(x) + double(y) * 0.000030517578125lf + 1.0e-9lf);\n"
    "    of_int[i] = float16_t(int(i) * 69 - 40000);\n"
    "    x++; bumped[i] = x; x--;\n"
    "    packed_[i] = packFloat2x16(f16vec2(a[i], y));\n"
    "    f16vec2 again = unpackFloat2x16(packed_[i]);\n"
    "    whole[i] = int(again.y);\n"
    "    wide[i] = again.x;\n" /* an implicit conversion */
    "}\n";

static void test_arithmetic(void **state)
{
    static const uint16_t special[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,
                                       0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
                                       0x3555, 0x3c01, 0x6800, 0x83ff};
    static struct arithmetic s;
    uint32_t random = 12345;
    for (unsigned i = 0; i < VALUES; i++) {
        uint16_t *in[3] = {s.a, s.b, s.c};
        for (unsigned k = 0; k < 3; k++) {
            random = random * 1664525 + 1013904223;
            in[k][i] = (uint16_t)(random >> 16);
            if ((in[k][i] & 0x7c00) == 0x7c00) /* no NaN */
                in[k][i] &= 0xfc00;
        }
        if (i < 256)
            s.a[i] = special[i / 16], s.b[i] = special[i % 16];
        else if (i < 640) /* similar magnitudes */
            s.b[i] = (s.b[i] & 0x83ff) | (s.a[i] & 0x7c00), s.c[i] &= 0xbfff;
        if ((s.b[i] & 0x7c00) == 0x7c00 && s.b[i] & 0x3ff)
            s.b[i] &= 0xfc00;
    }
    GLuint buffer, p = glCreateProgram();
    gl_test_attach(p, GL_COMPUTE_SHADER, arithmetic_text);
    gl_test_link(p);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof s, &s, GL_DYNAMIC_DRAW);
    glUseProgram(p);
    glDispatchCompute(VALUES / 64, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof s, &s);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned i = 0; i < VALUES; i++) {
        const long double x = half_value(s.a[i]), y = half_value(s.b[i]), z = half_value(s.c[i]);
        expect_half("sum", i, s.sum[i], x + y);
        expect_half("difference", i, s.difference[i], x - y);
        expect_half("product", i, s.product[i], x * y);
        expect_half("quotient", i, s.quotient[i], x / y);
        expect_half("root", i, s.root[i], sqrtl(fabsl(x)));
        expect_half("fma", i, s.fused[i], x * y + z);
        expect_half("negated", i, s.negated[i], -x);
        expect_half("of_double", i, s.of_double[i],
                    (double)x + (double)y * 0.000030517578125 + 1.0e-9);
        expect_half("of_int", i, s.of_int[i], (int)i * 69 - 40000);
        expect_half("bumped", i, s.bumped[i], x + 1);
        assert_int_equal(s.packed[i], s.a[i] | (uint32_t)s.b[i] << 16);
        if (isfinite((double)y))
            assert_int_equal(s.whole[i], (int)y);
        assert_true(s.wide[i] == (float)x);
    }
    gl_test_delete_program(p);
    glDeleteBuffers(1, &buffer);
}

/* ---------------------------------------------------------------------------------- blocks --- */

/* The example of issue 4 of the extension. */
#define MEMBERS                                                                                    \
    "struct S { float16_t x; f16vec2 y; f16vec3 z; };\n"                                           \
    "layout(column_major, std140, binding = 0) uniform B1 {\n"                                     \
    "    float16_t a; f16vec2 b; f16vec3 c; float16_t d[2]; f16mat2x3 e; f16mat2x3 f[2];\n"        \
    "    S g; S h[2];\n"                                                                           \
    "};\n"                                                                                         \
    "layout(row_major, std430, binding = 1) buffer B2 {\n"                                         \
    "    float16_t o; f16vec2 p; f16vec3 q; float16_t r[2]; f16mat2x3 s; f16mat2x3 t[2];\n"        \
    "    S u; S v[2];\n"                                                                           \
    "};\n"

static const struct {
    const char *name;
    GLenum interface, type;
    GLint offset, array_stride, matrix_stride;
} members[] = {
    {"a", GL_UNIFORM, GL_FLOAT16_NV, 0, 0, 0},
    {"b", GL_UNIFORM, GL_FLOAT16_VEC2_NV, 4, 0, 0},
    {"c", GL_UNIFORM, GL_FLOAT16_VEC3_NV, 8, 0, 0},
    {"d[0]", GL_UNIFORM, GL_FLOAT16_NV, 16, 16, 0},
    {"e", GL_UNIFORM, GL_FLOAT16_MAT2x3_AMD, 48, 0, 16},
    {"f[0]", GL_UNIFORM, GL_FLOAT16_MAT2x3_AMD, 80, 32, 16},
    {"g.y", GL_UNIFORM, GL_FLOAT16_VEC2_NV, 148, 0, 0},
    {"h[1].z", GL_UNIFORM, GL_FLOAT16_VEC3_NV, 184, 0, 0},
    {"o", GL_BUFFER_VARIABLE, GL_FLOAT16_NV, 0, 0, 0},
    {"p", GL_BUFFER_VARIABLE, GL_FLOAT16_VEC2_NV, 4, 0, 0},
    {"q", GL_BUFFER_VARIABLE, GL_FLOAT16_VEC3_NV, 8, 0, 0},
    {"r[0]", GL_BUFFER_VARIABLE, GL_FLOAT16_NV, 14, 2, 0},
    {"s", GL_BUFFER_VARIABLE, GL_FLOAT16_MAT2x3_AMD, 20, 0, 4},
    {"t[0]", GL_BUFFER_VARIABLE, GL_FLOAT16_MAT2x3_AMD, 32, 12, 4},
    {"u.z", GL_BUFFER_VARIABLE, GL_FLOAT16_VEC3_NV, 64, 0, 0},
    {"v[0].x", GL_BUFFER_VARIABLE, GL_FLOAT16_NV, 72, 0, 0},
};

static void test_blocks(void **state)
{
    static uint16_t in[96], out[64];
    GLuint buffers[2], p = glCreateProgram();
    gl_test_attach(p, GL_COMPUTE_SHADER,
                   "#version 430\n" EXT "layout(local_size_x = 1) in;\n" MEMBERS
                   "uniform int one;\n"
                   "void main() {\n"
                   "    o = a; p = b.yx; q[one] = c.z; r[one] = d[one]; s = e; t[one] = f[one];\n"
                   "    u = g; v[one] = h[1 - one]; v[0].y[one] = t[1][1][2]; p.x += 1.0hf;\n"
                   "}\n");
    gl_test_link(p);
    for (unsigned i = 0; i < sizeof members / sizeof *members; i++) {
        static const GLenum props[] = {GL_TYPE, GL_OFFSET, GL_ARRAY_STRIDE, GL_MATRIX_STRIDE};
        GLint v[4] = {0};
        GLuint index = glGetProgramResourceIndex(p, members[i].interface, members[i].name);
        glGetProgramResourceiv(p, members[i].interface, index, 4, props, 4, NULL, v);
        if ((GLenum)v[0] != members[i].type || v[1] != members[i].offset ||
            v[2] != members[i].array_stride || v[3] != members[i].matrix_stride)
            fail_msg("%s: type %#x, offset %d, strides %d, %d", members[i].name, v[0], v[1], v[2],
                     v[3]);
    }
    for (unsigned i = 0; i < 96; i++)
        in[i] = 0x3c00 + i;
    memset(out, 0xff, sizeof out);
    glGenBuffers(2, buffers);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffers[0]);
    glBufferData(GL_UNIFORM_BUFFER, sizeof in, in, GL_STATIC_DRAW);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffers[1]);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof out, out, GL_STATIC_READ);
    glUseProgram(p);
    glUniform1i(glGetUniformLocation(p, "one"), 1);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof out, out);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    /* Indices are byte offsets / 2. */
    uint16_t want[64];
    memset(want, 0xff, sizeof want);
    want[0] = in[0];
    want[2] = half_bits(half_value(in[3]) + 1), want[3] = in[2];
    want[5] = in[6];
    want[8] = in[16];
    for (unsigned row = 0; row < 3; row++)
        for (unsigned column = 0; column < 2; column++) {
            want[10 + 2 * row + column] = in[24 + 8 * column + row];
            want[22 + 2 * row + column] = in[56 + 8 * column + row];
        }
    want[28] = in[72], want[30] = in[74], want[31] = in[75];
    for (unsigned i = 0; i < 3; i++)
        want[32 + i] = in[76 + i], want[48 + i] = in[84 + i];
    want[44] = in[80], want[46] = in[82], want[47] = in[83];
    want[39] = want[22 + 2 * 2 + 1];
    for (unsigned i = 0; i < 64; i++)
        if (out[i] != want[i])
            fail_msg("byte %u: %#x, not %#x", 2 * i, out[i], want[i]);
    gl_test_delete_program(p);
    glDeleteBuffers(2, buffers);
}

/* A buffer whose last half float is not in a whole word; accesses past it are ignored. */
static void test_bounds(void **state)
{
    uint16_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    GLuint buffer, p = glCreateProgram();
    gl_test_attach(p, GL_COMPUTE_SHADER,
                   "#version 430\n" EXT "layout(local_size_x = 8) in;\n"
                   "layout(std430, binding = 0) buffer B { float16_t x[]; };\n"
                   "void main() {\n"
                   "    uint i = gl_LocalInvocationIndex;\n"
                   "    x[i] = x[i] + float16_t(x.length());\n"
                   "}\n");
    gl_test_link(p);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof bytes, bytes, GL_DYNAMIC_DRAW);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, buffer, 0, 10);
    glUseProgram(p);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof bytes, bytes);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(bytes[i], i < 5 ? half_bits(half_value(i + 1) + 5) : i + 1);
    gl_test_delete_program(p);
    glDeleteBuffers(1, &buffer);
}

/* -------------------------------------------------------------------------------- uniforms --- */

static void test_uniforms(void **state)
{
    GLuint p = gl_test_program(
        "#version 430 compatibility\n" EXT
        "layout(location = 0) uniform float16_t h; layout(location = 1) uniform f16vec3 v[2];\n"
        "layout(location = 3) uniform f16mat2x3 m; layout(location = 4) uniform f16vec2 i =\n"
        "    f16vec2(0.1hf, 3);\n"
        "out float result;\n"
        "void main() {\n"
        "    gl_Position = gl_Vertex;\n"
        "    bool good = h == 0.1HF && v[1] == f16vec3(1, 0.2hf, 100000) &&\n"
        "        m == f16mat2x3(0.3hf, 2, 3, 4, 5, 0.7hf) && i == f16vec2(0.1hf, 3);\n"
        "    result = good ? 1.0 : 0.0;\n"
        "}\n",
        "#version 430 compatibility\nin float result;\nvoid main() { gl_FragColor = vec4(result); "
        "}\n");
    static const GLfloat vectors[] = {7, 8, 9, 1, 0.2f, 100000},
                         matrix[] = {0.3f, 4, 2, 5, 3, 0.7f};
    GLfloat got[6];
    glUseProgram(p);
    glGetUniformfv(p, 4, got);
    assert_true(got[0] == (float)half_value(half_bits(0.1L)) && got[1] == 3);
    glUniform1f(0, 0.1f);
    glUniform3fv(1, 2, vectors);
    glUniformMatrix2x3fv(3, 1, GL_TRUE, matrix);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glGetUniformfv(p, 0, got);
    assert_true(got[0] == (float)half_value(half_bits(0.1f)));
    glGetUniformfv(p, 2, got);
    assert_true(got[0] == 1 && got[1] == (float)half_value(half_bits(0.2f)) && isinf(got[2]));
    glGetUniformfv(p, 3, got);
    for (unsigned i = 0; i < 6; i++)
        assert_true(got[i] == (float)half_value(half_bits(matrix[i % 3 * 2 + i / 3])));
    glUniform1d(0, 1);
    expect_error(GL_INVALID_OPERATION);
    glUniform1i(0, 1);
    expect_error(GL_INVALID_OPERATION);
    glUniform2f(0, 1, 1);
    expect_error(GL_INVALID_OPERATION);
    glUniformMatrix3x2fv(3, 1, GL_FALSE, matrix);
    expect_error(GL_INVALID_OPERATION);
    GLenum type;
    GLint size;
    char name[16];
    const GLchar *m = "m";
    GLuint index;
    glGetUniformIndices(p, 1, &m, &index);
    glGetActiveUniform(p, index, sizeof name, NULL, &size, &type, name);
    assert_int_equal(type, GL_FLOAT16_MAT2x3_AMD);
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-1, -1, 1, 1);
    expect(SIZE / 2, SIZE / 2, 1, 1, 1);
    gl_test_delete_program(p);
}

/* -------------------------------------------------------------------------------- varyings --- */

static const char vertex_text[] =
    "#version 430 compatibility\n" EXT "struct S { float16_t h; float f; f16vec2 v[2]; };\n"
    "layout(location = 1) in f16vec3 attribute_;\n"
    "out f16vec3 three; out float one; out S s;\n"
    "out Block { f16mat2 m; float16_t h; } block;\n"
    "flat out f16vec2 constant;\n"
    "void main() {\n"
    "    gl_Position = gl_Vertex;\n"
    "    three = attribute_; one = 0.1;\n"
    "    s.h = attribute_.x; s.f = float(attribute_.y);\n"
    "    s.v[0] = attribute_.yz; s.v[1] = f16vec2(gl_Vertex.xy);\n"
    "    block.m = f16mat2(1, 2, 3, 4); block.h = attribute_.z;\n"
    "    constant = attribute_.xy;\n"
    "}\n";

static const GLfloat vertices[3][2] = {{-1, -1}, {3, -1}, {-1, 3}};
static const GLfloat attributes[3][3] = {{0.1f, 1.0f / 3, 7}, {1e-7f, 70000, -0.2f}, {5, 6, 1e-5f}};

static void test_transform_feedback(void **state)
{
    static const char *const names[] = {"three", "one", "s.h", "Block.m", "s.v"};
    static const GLenum types[] = {GL_FLOAT16_VEC3_NV, GL_FLOAT, GL_FLOAT16_NV, GL_FLOAT16_MAT2_AMD,
                                   GL_FLOAT16_VEC2_NV};
    enum { STRIDE = 6 + 4 + 2 + 8 + 8 };
    uint8_t bytes[3 * STRIDE];
    GLuint p = glCreateProgram(), buffer;
    gl_test_attach(p, GL_VERTEX_SHADER, vertex_text);
    glTransformFeedbackVaryings(p, 5, names, GL_INTERLEAVED_ATTRIBS);
    gl_test_link(p);
    for (unsigned i = 0; i < 5; i++) {
        char name[16];
        GLsizei size;
        GLenum type;
        glGetTransformFeedbackVarying(p, i, sizeof name, NULL, &size, &type, name);
        assert_int_equal(type, types[i]);
        assert_int_equal(size, i == 4 ? 2 : 1);
    }
    static const GLenum stride_of[] = {GL_TRANSFORM_FEEDBACK_BUFFER_STRIDE};
    GLint stride;
    glGetProgramResourceiv(p, GL_TRANSFORM_FEEDBACK_BUFFER, 0, 1, stride_of, 1, NULL, &stride);
    assert_int_equal(stride, STRIDE);
    GLenum type;
    GLint size;
    char name[16];
    for (unsigned i = 0; i < 2; i++) {
        glGetActiveAttrib(p, i, sizeof name, NULL, &size, &type, name);
        assert_int_equal(type, strcmp(name, "gl_Vertex") ? GL_FLOAT16_VEC3_NV : GL_FLOAT_VEC4);
    }
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof bytes, NULL, GL_STATIC_READ);
    glUseProgram(p);
    glVertexPointer(2, GL_FLOAT, 0, vertices);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 0, attributes);
    glEnableVertexAttribArray(1);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof bytes, bytes);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned v = 0; v < 3; v++) {
        const uint8_t *at = bytes + v * STRIDE;
        const GLfloat *a = attributes[v], one = 0.1f;
        const GLfloat halves[] = {a[0], a[1], a[2],           a[0],          1, 2, 3, 4,
                                  a[1], a[2], vertices[v][0], vertices[v][1]};
        assert_memory_equal(at + 6, &one, 4);
        for (unsigned i = 0; i < 12; i++) {
            uint16_t bits;
            memcpy(&bits, at + 2 * i + (i < 3 ? 0 : 4), 2);
            expect_half("captured", 12 * v + i, bits, halves[i]);
        }
    }
    gl_test_delete_program(p);
    glDeleteBuffers(1, &buffer);
}

/* Interpolated inputs are rounded to half precision. The buffer gets both inputs of each pixel. */
static void test_varyings(void **state)
{
    static uint16_t got[SIZE * SIZE][8];
    static uint32_t right[SIZE * SIZE];
    GLuint p = glCreateProgram(), buffers[2];
    gl_test_attach(p, GL_VERTEX_SHADER, vertex_text);
    gl_test_attach(p, GL_FRAGMENT_SHADER,
                   "#version 440 compatibility\n" EXT
                   "struct S { float16_t h; float f; f16vec2 v[2]; };\n"
                   "in f16vec3 three; in float one; in S s; flat in f16vec2 constant;\n"
                   "in Block { f16mat2 m; float16_t h; } block;\n"
                   "struct R { f16vec3 three; float16_t h; f16vec2 v, constant; };\n"
                   "layout(std430, binding = 0) buffer B { R r[]; };\n"
                   "layout(std430, binding = 1) buffer C { uint right[]; };\n"
                   "void main() {\n"
                   "    uint i = uint(gl_FragCoord.y) * 16u + uint(gl_FragCoord.x);\n"
                   "    S copy = s;\n"
                   "    float16_t values[3] = float16_t[3](copy.h, copy.v[0].x, block.h);\n"
                   "    bool same = true;\n" /* what the registers hold is in half precision */
                   "    for (int k = 0; k < 3; k++)\n"
                   "        same = same && values[k] == unpackFloat2x16(packFloat2x16(\n"
                   "            f16vec2(values[k]))).x;\n"
                   "    f16vec3 center = interpolateAtOffset(three, f16vec2(0));\n"
                   "    same = same && center == three && interpolateAtCentroid(three).yx ==\n"
                   "        three.yx && interpolateAtCentroid(three.z) == three.z;\n"
                   "    same = same && one > 0.09 && block.m[1] == f16vec2(3, 4);\n"
                   "    r[i] = R(three, copy.h, copy.v[1], constant);\n"
                   "    right[i] = uint(same);\n"
                   "    gl_FragColor = vec4(1);\n"
                   "}\n");
    gl_test_link(p);
    glGenBuffers(2, buffers);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers[0]);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof got, NULL, GL_STATIC_READ);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffers[1]);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof right, NULL, GL_STATIC_READ);
    glUseProgram(p);
    static const GLfloat values[3][3] = {{0, 1, 2}, {1, 3, -2}, {0.5f, 9, 100}};
    glVertexPointer(2, GL_FLOAT, 0, vertices);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 0, values);
    glEnableVertexAttribArray(1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[0]);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof got, got);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[1]);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof right, right);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned i = 0; i < SIZE * SIZE; i++) {
        const double x = (i % SIZE + 0.5) / SIZE / 2, y = (i / SIZE + 0.5) / SIZE / 2;
        assert_int_equal(right[i], 1);
        for (unsigned c = 0; c < 3; c++) {
            double want = values[0][c] * (1 - x - y) + values[1][c] * x + values[2][c] * y;
            double value = half_value(got[i][c]);
            if (!(fabs(value - want) <= fabs(want) / 1500 + 1e-4))
                fail_msg("pixel %u: component %u is %g, not %g", i, c, value, want);
        }
        assert_int_equal(got[i][3], got[i][0]);
        expect_half("constant", i, got[i][6], values[2][0]);
    }
    gl_test_delete_program(p);
    glDeleteBuffers(2, buffers);
}

/* ------------------------------------------------------------------------------------ rules --- */

static void test_rules(void **state)
{
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        {"float f = 1.0hf; double d = 1.0hf; mat2 m = f16mat2(1); f += 2.0hf;", true},
        {"float16_t h = 1.0;", false},
        {"float16_t h = 1;", false},
        {"f16vec2 v = vec2(1);", false},
        {"float16_t h = 1.0hf * 2.0;", false},
        {"float16_t h = 1.0hf % 2.0hf;", false},
        {"float f = true ? 1.0hf : 2.0;", true},
        {"int i = 1.0hf;", false},
        {"f16vec3 v = f16vec3(1, 2.5, 3.0lf); v.xy *= f16mat2(1); v = -v.zyx; v--;", true},
        {"const float16_t c = 3.0hf; int a[int(c)]; a[2] = 1;", true},
        {"float16_t h = atomicAdd(1.0hf, 1.0hf);", false},
        {"float16_t h; h = h & h;", false},
        {"uint u = packFloat2x16(vec2(1));", false},
        {"uint u = packHalf2x16(f16vec2(1));", true},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        const char *pointer = text;
        GLint good;
        snprintf(text, sizeof text, "#version 430\n" EXT "void main() { %s }\n", rows[i].text);
        GLuint s = glCreateShader(GL_VERTEX_SHADER);
        glShaderSource(s, 1, &pointer, NULL);
        glCompileShader(s);
        glGetShaderiv(s, GL_COMPILE_STATUS, &good);
        if (good != rows[i].good)
            fail_msg("%s", rows[i].text);
        glDeleteShader(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_bounds),     cmocka_unit_test(test_uniforms),
        cmocka_unit_test(test_varyings),   cmocka_unit_test(test_transform_feedback),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
