/* SPDX-License-Identifier: MIT */
/* Values of shaders and rasterization: special numbers, folded constants, interpolation, levels of
 * detail, coverage. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "gl_test.h"

#define SIZE 64

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static GLuint target; /* texture of the bound framebuffer */

/* A framebuffer of four floats per pixel. */
static void bind_float_target(void)
{
    GLuint framebuffer;
    glGenTextures(1, &target);
    glBindTexture(GL_TEXTURE_2D, target);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, SIZE, SIZE, 0, GL_RGBA, GL_FLOAT, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
    glViewport(0, 0, SIZE, SIZE);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
}

static void drop_target(void)
{
    GLint framebuffer;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, (GLuint *)&framebuffer);
    glDeleteTextures(1, &target);
}

#define FULL_SCREEN                                                                                \
    "#version 150\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1,\n"                  \
    "gl_VertexID == 2 ? 3 : -1, 0, 1); }"

struct number_case {
    const char *expression;
    float value;
};

/* Draws each expression of the uniforms z = 0, i = infinity, n = NaN, d (a denormal) and m (the
 * smallest normal number), and compares. */
static void check_numbers(const struct number_case *cases, unsigned count)
{
    bind_float_target();
    for (unsigned k = 0; k < count; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "#version 150\nuniform float z, i, n, d, m; out vec4 c;\n"
                 "void main() { c = vec4(%s); }",
                 cases[k].expression);
        GLuint p = gl_test_program(FULL_SCREEN, text);
        glUseProgram(p);
        glUniform1f(glGetUniformLocation(p, "i"), INFINITY);
        glUniform1f(glGetUniformLocation(p, "n"), NAN);
        glUniform1f(glGetUniformLocation(p, "d"), 1e-40f);
        glUniform1f(glGetUniformLocation(p, "m"), FLT_MIN);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        float got;
        glReadPixels(5, 5, 1, 1, GL_RED, GL_FLOAT, &got);
        if (isnan(cases[k].value) ? !isnan(got) : !(fabsf(got - cases[k].value) < 2e-7f))
            fail_msg("%s: %g, not %g", cases[k].expression, (double)got, (double)cases[k].value);
        gl_test_delete_program(p);
    }
    drop_target();
}

static void test_special_numbers(void **state)
{
    static const struct number_case cases[] = {{"z / z", NAN},
                                               {"z * (1.0 / z)", NAN},
                                               {"(z * 2.0) / (z * 2.0)", NAN},
                                               {"i / i", NAN},
                                               {"n / n", NAN},
                                               {"0.0 / z", NAN},
                                               {"0.0 / n", NAN},
                                               {"mod(z, z)", NAN},
                                               {"mod(i, i)", NAN},
                                               {"i - i", NAN},
                                               {"n - n", NAN},
                                               {"i + -i", NAN},
                                               {"fract(floor(i))", NAN},
                                               {"tanh(n)", NAN},
                                               {"atan(n, 1.0)", NAN},
                                               {"sqrt(1.0 / -z)", NAN},
                                               {"exp2(log2(-1.0 - z))", NAN},
                                               {"max(min(n, 1.0), 0.0)", 1},
                                               {"float(z / z == 1.0)", 0},
                                               {"float(isnan(i / i))", 1},
                                               {"z / z > 0.0 ? 1.0 : 2.0", 2},
                                               {"(z + 3.0) / (z + 3.0)", 1},
                                               {"sin(z + 1e22)", -0.73408154f},
                                               {"cos(z + 16777216.0)", 0.62632298f}};
    check_numbers(cases, sizeof cases / sizeof *cases);
}

/* Comparisons with a constant 0 treat denormals as 0; nothing else does. */
static void test_compared_denormals(void **state)
{
    static const struct number_case cases[] = {
        {"float(d > 0.0)", 0},
        {"float(0.0 < d)", 0},
        {"float(-d < 0.0)", 0},
        {"float(d >= 0.0)", 1},
        {"float(-d >= 0.0)", 1},
        {"float(d <= 0.0)", 1},
        {"float(0.0 >= d)", 1},
        {"float(d == 0.0)", 1},
        {"float(d != -0.0)", 0},
        {"bool(d) ? 1.0 : 2.0", 2},
        {"float(m > 0.0)", 1},
        {"float(m <= 0.0)", 0},
        {"float(-m < 0.0)", 1},
        {"float(-m >= 0.0)", 0},
        {"float(m == 0.0)", 0},
        {"float(-m != 0.0)", 1},
        {"float(m * 0.5 > 0.0)", 0},
        {"float(m * 0.5 + m * 0.5 > 0.0)", 1},
        {"float(z >= 0.0)", 1},
        {"float(z < 0.0)", 0},
        {"float(n > 0.0)", 0},
        {"float(n <= 0.0)", 0},
        {"float(n == 0.0)", 0},
        {"float(n != 0.0)", 1},
        {"float(i > 0.0)", 1},
        {"float(-i >= 0.0)", 0},
        {"float(vec2(d, -d) == vec2(0.0))", 1},
        {"float(vec3(d, -d, z) != vec3(0.0))", 0},
        {"float(vec4(d, d, m, d) != vec4(0.0))", 1},
        {"float(vec2(z, n) == vec2(0.0))", 0},
        {"float(vec2(z, n) != vec2(0.0))", 1},
        {"float(vec2(d, 1.0).yx == vec2(1.0, 0.0))", 0},
        {"float(all(equal(vec2(d, z), vec2(0.0))))", 1},
        {"float(any(notEqual(vec2(d, z), vec2(0.0))))", 0},
        {"float(any(greaterThan(vec2(-i, d), vec2(0.0))))", 0},
        {"d * 8388608.0 * 1e32 > 0.01 ? 1.0 : 2.0", 1},
        {"float(d > d * 0.5)", 1}};
    check_numbers(cases, sizeof cases / sizeof *cases);
}

/* i965 uses multiply-adds, which round once; folding rounds products and sums. */
static void skip_if_fused(void)
{
    const char *driver = getenv("INDIUM_DRIVER");
    if (driver && !strcmp(driver, "i965"))
        skip();
}

#define FOLDED 48 /* arguments of each function */

/* Constant expressions have the bits that kernels compute. */
static void check_folded(const char *function, bool binary)
{
    static char text[FOLDED * 200 + 400];
    static const GLuint special[7] = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                      0x7f800000, 0xff800000, 0x7fc00000};
    GLuint x[FOLDED], results[2][FOLDED], buffers[2], noise = 5;
    int at = snprintf(text, sizeof text,
                      "#version 430\nlayout(local_size_x = 1) in;\n"
                      "layout(std430, binding = 0) buffer In { float x[]; };\n"
                      "layout(std430, binding = 1) buffer Out { float r[]; };\nvoid main() {\n");
    for (int i = 0; i < FOLDED; i++) {
        const float value = (float)((noise = noise * 1103515245u + 12345u) >> 8) * 0x1p-21f - 4.0f;
        memcpy(&x[i], &value, sizeof value);
        if (i % 3 == 0)
            x[i] = noise & 0xff7fffff; /* any finite number */
        if (i < 7)
            x[i] = special[i];
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "{ const float x0 = uintBitsToFloat(%uu); const float c = %s(x0%s);\n"
                       "r[%d] = c; r[%d] = %s(x[%d]%s); }\n",
                       x[i], function, binary ? ", 1.7" : "", i, FOLDED + i, function, i,
                       binary ? ", 1.7" : "");
    }
    snprintf(text + at, sizeof text - (size_t)at, "}");
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_COMPUTE_SHADER, text);
    gl_test_use(p);
    glGenBuffers(2, buffers);
    for (GLuint b = 0; b < 2; b++) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, b, buffers[b]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, b ? sizeof results : sizeof x, b ? NULL : x,
                     GL_STATIC_DRAW);
    }
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof results, results);
    for (unsigned i = 0; i < FOLDED; i++) {
        float value[2];
        memcpy(&value[0], &results[0][i], 4);
        memcpy(&value[1], &results[1][i], 4);
        if (results[0][i] != results[1][i] && !(isnan(value[0]) && isnan(value[1])))
            fail_msg("%s(0x%08x): %a folded, %a computed", function, x[i], (double)value[0],
                     (double)value[1]);
    }
    glDeleteBuffers(2, buffers);
    gl_test_delete_program(p);
}

static void test_folded_constants(void **state)
{
    static const char *const functions[] = {
        "sin",   "cos",   "tan", "asin", "acos", "atan", "sinh",        "cosh", "tanh",  "asinh",
        "acosh", "atanh", "exp", "log",  "exp2", "log2", "inversesqrt", "sqrt", "fract", "sign"};
    static const char *const binary[] = {"pow", "atan", "min", "max", "mod"};
    skip_if_fused();
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        check_folded(functions[i], false);
    for (unsigned i = 0; i < sizeof binary / sizeof *binary; i++)
        check_folded(binary[i], true);
}

/* Expressions of data, an array of 16 uints that are bits of floats, with values of type uint. */
static const char *const folded_expressions[] = {
    "bits(dot(v(0), v(1)))",
    "bits(dot(v(2).xyz, v(3).xyz))",
    "bits(dot(v(2).xy, v(3).xy))",
    "bits(length(v(1)))",
    "bits(normalize(v(1)).y)",
    "bits(distance(v(2), v(0)))",
    "bits(reflect(v(0), v(3)).z)",
    "bits(refract(v(0), v(3), 0.7).z)",
    "bits(faceforward(v(0), v(3), v(1)).z)",
    "bits(cross(v(0).xyz, v(3).xyz).y)",
    "bits(mix(v(0), v(2), v(1)).w)",
    "bits(smoothstep(v(0), v(2), v(1)).x)",
    "bits((m() * m())[2][1])",
    "bits((m() * v(3)).y)",
    "bits((v(3) * m()).z)",
    "bits((mat3(m()) * mat3x2(m()[1].xy, m()[2].zw, m()[3].xw)[1].xyx).y)",
    "bits((mat2x3(m()) * mat3x2(m()))[2][1])",
    "bits((m() / 3.0)[1].y)",
    "bits((m() + v(2).x)[1].y)",
    "bits(matrixCompMult(m(), transpose(m()))[0][3])",
    "bits(outerProduct(v(0), v(1))[1][2])",
    "bits(determinant(m()))",
    "bits(determinant(mat3(m())))",
    "bits(determinant(mat2(m())))",
    "bits(inverse(m())[0][0])",
    "bits(inverse(m())[1][2])",
    "bits(inverse(m())[3][0])",
    "bits(inverse(mat3(m()))[1][2])",
    "bits(inverse(mat2(m()))[1][0])",
    "unpackDouble2x32(dot(dvec3(v(0).xyz), dvec3(v(1).xyz))).x",
    "unpackDouble2x32(determinant(dmat3(m()))).x",
    "unpackDouble2x32(inverse(dmat2(m()))[1][0]).x",
    "unpackDouble2x32((dmat4(m()) * dvec4(v(2))).x).x",
    "bits(float(packUint2x32(uvec2(data[0], data[1]))))",
    "bits(float(packInt2x32(ivec2(data[2], data[3]))))",
    "bits(float(packUint2x32(uvec2(0x80000001u, 0xff000000u))))",
    "bits(float(packUint2x32(uvec2(0x00000001u, 0x80000080u))))",
    "bits(float(packInt2x32(ivec2(0x00000001u, 0x40000040u))))",
    "bits(float(data[4])) + bits(float(int(data[5])))",
    "bits(float(packDouble2x32(uvec2(data[4], 0x3ff00000u | data[5] >> 12))))",
    "uint(v(1).x) + uint(int(v(1).y))",
    "packUnorm4x8(v(0)) ^ packSnorm4x8(v(1))",
    "packUnorm2x16(v(2).xy) ^ packSnorm2x16(v(3).zw)",
    "packHalf2x16(v(0).zw)",
    "bits(unpackUnorm4x8(data[7]).y) ^ bits(unpackSnorm4x8(data[7]).z)",
    "bits(unpackUnorm2x16(data[8]).y) ^ bits(unpackSnorm2x16(data[8]).x)",
    "bits(unpackHalf2x16(data[8] & 0x7bff7bffu).y)",
    "bits(ldexp(v(0).x, int(data[9] & 255u) - 127)) ^ bits(ldexp(v(0).y, -140))",
    "bits(roundEven(v(1).x)) ^ bits(round(v(1).y)) ^ bits(ceil(v(1).z)) ^ bits(trunc(v(1).w))",
    "bits(fract(v(2).x * 3.0)) ^ bits(fma(v(2).x, v(2).y, v(2).z))",
    "bits(radians(v(0).x)) ^ bits(degrees(v(0).y)) ^ bits(clamp(v(0).z, -1.0, 1.0))",
    "uint(int(data[6]) / int(data[7])) + data[6] / data[7] + data[6] % data[7]",
};

#define NUM_FOLDED (sizeof folded_expressions / sizeof *folded_expressions)

/* Writes each expression of an array. */
static int put_expressions(char *text, size_t size, const char *array, const char *format)
{
    int at = snprintf(text, size,
                      "#define data %s\n"
                      "#define v(i) uintBitsToFloat(uvec4(data[i * 4], data[i * 4 + 1], "
                      "data[i * 4 + 2], data[i * 4 + 3]))\n",
                      array);
    for (unsigned i = 0; i < NUM_FOLDED; i++)
        at += snprintf(text + at, size - (size_t)at, format, i, folded_expressions[i]);
    return at + snprintf(text + at, size - (size_t)at, "#undef data\n#undef v\n");
}

static void check_folded_expressions(const GLuint bits[16])
{
    static char text[65536];
    GLuint results[2][NUM_FOLDED], buffers[2];
    int at = snprintf(text, sizeof text,
                      "#version 460\n#extension GL_ARB_gpu_shader_int64 : require\n"
                      "layout(local_size_x = 1) in;\n"
                      "layout(std430, binding = 0) buffer In { uint xs[16]; };\n"
                      "layout(std430, binding = 1) buffer Out { uint r[]; };\n"
                      "#define bits floatBitsToUint\n"
                      "#define m() mat4(v(0), v(1), v(2), v(3))\n"
                      "const uint x0[16] = uint[16](%uu",
                      bits[0]);
    for (unsigned i = 1; i < 16; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, ", %uu", bits[i]);
    at += snprintf(text + at, sizeof text - (size_t)at, ");\n");
    at += put_expressions(text + at, sizeof text - (size_t)at, "x0", "const uint c%u = %s;\n");
    at += snprintf(text + at, sizeof text - (size_t)at, "void main() {\n");
    for (unsigned i = 0; i < NUM_FOLDED; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "r[%u] = c%u;\n",
                       (unsigned)NUM_FOLDED + i, i);
    at += put_expressions(text + at, sizeof text - (size_t)at, "xs", "r[%u] = %s;\n");
    snprintf(text + at, sizeof text - (size_t)at, "}");
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_COMPUTE_SHADER, text);
    gl_test_use(p);
    glGenBuffers(2, buffers);
    for (GLuint b = 0; b < 2; b++) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, b, buffers[b]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, b ? sizeof results : 64, b ? NULL : bits,
                     GL_STATIC_DRAW);
    }
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof results, results);
    for (unsigned i = 0; i < NUM_FOLDED; i++) {
        float value[2];
        memcpy(&value[0], &results[1][i], 4);
        memcpy(&value[1], &results[0][i], 4);
        if (results[0][i] != results[1][i] && !(isnan(value[0]) && isnan(value[1])))
            fail_msg("%s: 0x%08x folded, 0x%08x computed", folded_expressions[i], results[1][i],
                     results[0][i]);
    }
    glDeleteBuffers(2, buffers);
    gl_test_delete_program(p);
}

/* Matrices, conversions and packing, of values near 1 and of special values. */
static void test_folded_expressions(void **state)
{
    static const GLuint special[] = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                     0x7f800000, 0xff800000, 0x7f7fffff, 0x00800000,
                                     0x3effffff, 0x4effffff, 0xc0490fdb, 0x34000000};
    GLuint noise = 11, bits[16];
    skip_if_fused();
    for (unsigned run = 0; run < 6; run++) {
        for (unsigned i = 0; i < 16; i++) {
            noise = noise * 1103515245u + 12345u;
            const float value = (float)(noise >> 8) * 0x1p-21f - 4.0f;
            memcpy(&bits[i], &value, sizeof value);
            if (run >= 3 && noise >> 16 & 1)
                bits[i] = special[(noise >> 17) % 12];
        }
        check_folded_expressions(bits);
    }
}

/* A plane of 10,000 units around the eye, at a height of 1. Colors are positions. */
static void test_plane_behind_eye(void **state)
{
    static const float corners[4][3] = {
        {-5000, 0, -5000}, {5000, 0, -5000}, {-5000, 0, 5000}, {5000, 0, 5000}};
    static float pixels[SIZE][SIZE][4];
    const double pitch = 0.15, c = cos(pitch), s = sin(pitch), near = 0.05, far = 20000;
    double worst = 0;
    bind_float_target();
    GLuint p = gl_test_program("#version 150\nin vec3 p; out vec3 at; uniform mat4 m;\n"
                               "void main() { at = p; gl_Position = m * vec4(p, 1); }",
                               "#version 150\nin vec3 at; out vec4 c;\n"
                               "void main() { c = vec4(at, 1); }");
    /* The eye is at (0, 1, 0) and looks along -z and down. */
    const double a = -(far + near) / (far - near), b = -2 * far * near / (far - near);
    const double columns[4][4] = {
        {1, 0, 0, 0}, {0, c, a * s, -s}, {0, -s, a * c, -c}, {0, -c, b - a * s, s}};
    float m[16];
    for (unsigned i = 0; i < 16; i++)
        m[i] = (float)columns[i / 4][i % 4];
    glUseProgram(p);
    glUniformMatrix4fv(glGetUniformLocation(p, "m"), 1, GL_FALSE, m);
    const GLuint position = (GLuint)glGetAttribLocation(p, "p");
    glVertexAttribPointer(position, 3, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(position);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_FLOAT, pixels);
    for (unsigned y = 0; y < SIZE / 3; y++) {
        for (unsigned x = 0; x < SIZE; x++) {
            const double nx = (x + 0.5) / SIZE * 2 - 1, ny = (y + 0.5) / SIZE * 2 - 1;
            const double distance = 1 / (s - ny * c), ahead = ny * s + c;
            if (pixels[y][x][3] != 1.0f)
                fail_msg("%u, %u: %g %g %g", x, y, (double)pixels[y][x][0], (double)pixels[y][x][2],
                         (double)pixels[y][x][3]);
            worst = fmax(worst, fabs((double)pixels[y][x][0] - distance * nx) / distance);
            worst = fmax(worst, fabs((double)pixels[y][x][2] + distance * ahead) / distance);
        }
    }
    if (!(worst < 2.5e-4))
        fail_msg("error %g", worst);
    glDisableVertexAttribArray(position);
    gl_test_delete_program(p);
    drop_target();
}

static const struct lod_target {
    GLenum target;
    unsigned dimensions; /* dimensions of an image; cube faces are separate */
    bool shadow;
    const char *sampler, *lookup;
} lod_targets[] = {
    {GL_TEXTURE_1D, 1, false, "sampler1D", "vec4(textureLod(s, 0.3, l))"},
    {GL_TEXTURE_2D, 2, false, "sampler2D", "textureLod(s, vec2(0.3), l)"},
    {GL_TEXTURE_2D, 2, false, "sampler2D",
     "textureGrad(s, vec2(0.3), vec2(exp2(l) / 8, 0), vec2(0, exp2(l) / 8))"},
    {GL_TEXTURE_1D_ARRAY, 2, false, "sampler1DArray", "textureLod(s, vec2(0.3, 0), l)"},
    {GL_TEXTURE_2D_ARRAY, 3, false, "sampler2DArray", "textureLod(s, vec3(0.3, 0.3, 1), l)"},
    {GL_TEXTURE_3D, 3, false, "sampler3D", "textureLod(s, vec3(0.3), l)"},
    {GL_TEXTURE_CUBE_MAP, 2, false, "samplerCube", "textureLod(s, vec3(1, 0.2, 0.1), l)"},
    {GL_TEXTURE_CUBE_MAP_ARRAY, 3, false, "samplerCubeArray",
     "textureLod(s, vec4(1, 0.2, 0.1, 0), l)"},
    {GL_TEXTURE_2D, 2, true, "sampler2DShadow", "vec4(textureLod(s, vec3(0.3, 0.3, 0.5), l))"},
    {GL_TEXTURE_1D, 1, true, "sampler1DShadow", "vec4(textureLod(s, vec3(0.3, 0, 0.5), l))"},
    {GL_TEXTURE_1D_ARRAY, 2, true, "sampler1DArrayShadow",
     "vec4(textureLod(s, vec3(0.3, 0, 0.5), l))"},
    {GL_TEXTURE_2D_ARRAY, 3, true, "sampler2DArrayShadow",
     "vec4(textureGrad(s, vec4(0.3, 0.3, 0, 0.5), vec2(exp2(l) / 8, 0), vec2(0, exp2(l) / 8)))"},
};

/* Specifies levels of 8, 4, 2 and 1 texels: 0 in the first, 1 in the others. */
static void make_levels(const struct lod_target *t)
{
    static float texels[8 * 8 * 8];
    const bool layers = t->target == GL_TEXTURE_2D_ARRAY || t->target == GL_TEXTURE_CUBE_MAP_ARRAY;
    const GLint format = t->shadow ? GL_DEPTH_COMPONENT32F : GL_R32F;
    const GLenum external = t->shadow ? GL_DEPTH_COMPONENT : GL_RED;
    for (unsigned i = 0; i < sizeof texels / sizeof *texels; i++)
        texels[i] = 0;
    for (GLint level = 0; level < 4; level++) {
        const GLsizei size = 8 >> level, depth = layers ? 6 : size;
        if (t->dimensions == 1)
            glTexImage1D(t->target, level, format, size, 0, external, GL_FLOAT, texels);
        for (GLenum face = 0; t->dimensions == 2 && face < 6; face++)
            if (!face || t->target == GL_TEXTURE_CUBE_MAP)
                glTexImage2D(t->target == GL_TEXTURE_CUBE_MAP
                                 ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + face
                                 : t->target,
                             level, format, size, t->target == GL_TEXTURE_1D_ARRAY ? 2 : size, 0,
                             external, GL_FLOAT, texels);
        if (t->dimensions == 3)
            glTexImage3D(t->target, level, format, size, size, depth, 0, external, GL_FLOAT,
                         texels);
        for (unsigned i = 0; i < sizeof texels / sizeof *texels; i++)
            texels[i] = 1;
    }
    if (t->shadow)
        glTexParameteri(t->target, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
}

static void check_levels(const struct lod_target *t, GLint level_at)
{
    for (unsigned k = 0; k < 16; k++) {
        const bool linear = k & 1, mip_linear = k & 2;
        const float lod = (float)(k / 4) * 0.25f + 0.125f; /* 0.125 to 0.875 */
        const GLint min = mip_linear
                              ? (linear ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST_MIPMAP_LINEAR)
                              : (linear ? GL_LINEAR_MIPMAP_NEAREST : GL_NEAREST_MIPMAP_NEAREST);
        glTexParameteri(t->target, GL_TEXTURE_MIN_FILTER, min);
        for (unsigned mag = 0; mag < 2; mag++) {
            glTexParameteri(t->target, GL_TEXTURE_MAG_FILTER, mag ? GL_LINEAR : GL_NEAREST);
            glUniform1f(level_at, lod);
            glDrawArrays(GL_TRIANGLES, 0, 3);
            float got, want = mip_linear ? lod : lod > 0.5f;
            glReadPixels(5, 5, 1, 1, GL_RED, GL_FLOAT, &got);
            if (!(fabsf(got - want) < 0.05f)) /* levels are approximate */
                fail_msg("%s, filters 0x%x %u, level %g: %g", t->lookup, min, mag, (double)lod,
                         (double)got);
        }
    }
}

/* Minification starts at level 0 for all filters. */
static void test_filter_switch(void **state)
{
    bind_float_target();
    for (unsigned i = 0; i < sizeof lod_targets / sizeof *lod_targets; i++) {
        const struct lod_target *t = &lod_targets[i];
        char text[400];
        GLuint texture;
        glGenTextures(1, &texture);
        glBindTexture(t->target, texture);
        make_levels(t);
        snprintf(text, sizeof text,
                 "#version 400\nuniform %s s; uniform float l; out vec4 c;\n"
                 "void main() { c = %s; }",
                 t->sampler, t->lookup);
        GLuint p = gl_test_program(FULL_SCREEN, text);
        glUseProgram(p);
        check_levels(t, glGetUniformLocation(p, "l"));
        gl_test_delete_program(p);
        glDeleteTextures(1, &texture);
    }
    drop_target();
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Segments that follow each other cover like one long line, also if they are short. */
static void test_smooth_segments(void **state)
{
    static const float lengths[] = {0.25f, 0.5f, 0.75f, 1, 1.25f, 1.625f, 5};
    GLubyte row[SIZE][4];
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0, SIZE, 0, SIZE, -1, 1);
    glEnable(GL_LINE_SMOOTH);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE);
    glLineWidth(3);
    glColor4f(0.5f, 0.5f, 0.5f, 1);
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        glClear(GL_COLOR_BUFFER_BIT);
        glBegin(GL_LINES);
        for (float x = 0; x < SIZE; x += lengths[i]) {
            glVertex2f(x, 9.5f);
            glVertex2f(x + lengths[i], 9.5f);
        }
        glEnd();
        glReadPixels(0, 9, SIZE, 1, GL_RGBA, GL_UNSIGNED_BYTE, row);
        for (unsigned x = 0; x < SIZE; x++)
            if (abs(row[x][0] - 127) > 4)
                fail_msg("length %g: %d at %u", (double)lengths[i], row[x][0], x);
    }
    glDisable(GL_BLEND);
    glDisable(GL_LINE_SMOOTH);
    glLoadIdentity();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_special_numbers, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_compared_denormals, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_folded_constants, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_folded_expressions, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_plane_behind_eye, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_filter_switch, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_smooth_segments, setup, gl_test_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
