/* SPDX-License-Identifier: MIT */
/* Shaders that read the framebuffer (EXT_shader_framebuffer_fetch) and blend in the shader
 * (KHR_blend_equation_advanced). */
#define GL_GLEXT_PROTOTYPES
#include <GLES3/gl32.h>
#include <GLES2/gl2ext.h>

#include "gl_test.h"

enum { SIZE = 16, TIMES = 5 };

#define VERTICES                                                                                   \
    "#version 310 es\n" /* any number of triangles over each other */                              \
    "void main() { int i = gl_VertexID % 3;\n"                                                     \
    "gl_Position = vec4(i / 2 * 4 - 1, i % 2 * 4 - 1, 0, 1); }"
#define FETCH "#extension GL_EXT_shader_framebuffer_fetch: require\nprecision highp float;\n"

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_ES2, &window);
}

static void use(const char *vs, const char *fs)
{
    GLuint program = gl_test_program(vs, fs);
    glUseProgram(program);
    glDeleteProgram(program);
}

static void clear(float r, float g, float b, float a)
{
    glClearColor(r, g, b, a);
    glClear(GL_COLOR_BUFFER_BIT);
}

/* Checks that fragments of one draw see those before them, in order. */
static void test_order(void **state)
{
    use(VERTICES, "#version 310 es\n" FETCH "inout vec4 color;\n"
                  "void main() { color.r = color.r * 0.5 + 0.25; color.b += 0.125; }");
    clear(0, 1, 0, 1);
    glDrawArrays(GL_TRIANGLES, 0, 3 * TIMES);
    float red = 0;
    for (unsigned i = 0; i < TIMES; i++)
        red = red * 0.5f + 0.25f;
    for (int i = 0; i < SIZE; i += 5)
        expect(i, SIZE - 1 - i, red, 1, TIMES * 0.125f);
}

/* Checks that unwritten outputs and discarded fragments keep the framebuffer. */
static void test_kept(void **state)
{
    use(VERTICES, "#version 310 es\n" FETCH "inout vec4 color;\n"
                  "void main() { if (gl_FragCoord.x < 8.0) discard;\n"
                  "if (gl_FragCoord.y < 8.0) color = color.bgra; }");
    clear(1, 0.5, 0, 1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(3, 3, 1, 0.5, 0);
    expect(12, 12, 1, 0.5, 0);
    expect(12, 3, 0, 0.5, 1);
}

/* Checks gl_LastFragData of ESSL 1.00. */
static void test_last_frag_data(void **state)
{
    use("void main() { gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 16.0; }",
        FETCH "void main() { gl_FragColor = vec4(1.0) - gl_LastFragData[0]; }");
    clear(1, 0, 0.25, 0);
    glDrawArrays(GL_POINTS, 0, 1);
    expect(8, 8, 0, 1, 0.75);
}

/* Checks that fragments read depth and stencil as earlier fragments left them, whether or not they
 * write them (ARM_shader_framebuffer_fetch_depth_stencil). */
static void test_depth_stencil(void **state)
{
    use(VERTICES, "#version 310 es\n"
                  "#extension GL_ARM_shader_framebuffer_fetch_depth_stencil: require\n"
                  "mediump float gl_LastFragDepthARM;\n"
                  "out mediump vec4 color;\n"
                  "void main() { color = vec4(gl_LastFragDepthARM, gl_LastFragStencilARM, 0, 1)\n"
                  "* vec4(1.0, 0.125, 1, 1); }");
    clear(0, 0, 0, 1);
    glClearDepthf(0.75f);
    glClearStencil(2);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 0, ~0u);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    glDepthRangef(0, 0.5f); /* the triangles' depth: 0.25 */
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(8, 8, 0.75f, 0.25f, 0);
    glDepthFunc(GL_LEQUAL);
    glDrawArrays(GL_TRIANGLES, 0, 3 * TIMES);
    expect(3, 12, 0.25f, (2 + TIMES) * 0.125f, 0);
    glDepthFunc(GL_LESS);
    glDepthRangef(0, 1);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    glClearDepthf(1);
    glClearStencil(0);
}

/* Checks two buffers, one with integers. */
static void test_buffers(void **state)
{
    GLuint fbo, texture[2];
    GLint read[4] = {0};
    const GLint start[4] = {3, -4, 5, 6};
    const GLenum buffers[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glGenTextures(2, texture);
    for (unsigned i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, texture[i]);
        glTexStorage2D(GL_TEXTURE_2D, 1, i ? GL_RGBA16I : GL_RGBA8, SIZE, SIZE);
        glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, texture[i], 0);
    }
    glDrawBuffers(2, buffers);
    glClearBufferfv(GL_COLOR, 0, (const GLfloat[]){0, 1, 0, 1});
    glClearBufferiv(GL_COLOR, 1, start);
    use(VERTICES, "#version 310 es\n" FETCH "precision highp int;\n"
                  "layout(location = 1) inout ivec4 numbers;\n"
                  "layout(location = 0) inout vec4 color;\n"
                  "void main() { numbers *= ivec4(10, 10, 1, color.g);\n"
                  "color.rg = color.gr; }");
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(8, 8, 1, 0, 0);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glReadPixels(8, 8, 1, 1, GL_RGBA_INTEGER, GL_INT, read);
    const GLint want[4] = {30, -40, 5, 6};
    assert_memory_equal(read, want, sizeof read);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(2, texture);
}

/* Checks that every sample sees its own color. */
static void test_samples(void **state)
{
    GLuint fbo, renderbuffer;
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, SIZE, SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    clear(0, 0, 0, 1);
    glEnable(GL_SAMPLE_MASK);
    glSampleMaski(0, 3); /* half of the samples become red */
    use(VERTICES,
        "#version 310 es\nout lowp vec4 color; void main() { color = vec4(1, 0, 0, 1); }");
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_SAMPLE_MASK);
    use(VERTICES, "#version 310 es\n" FETCH "inout vec4 color;\n"
                  "void main() { color = color.r > 0.9 ? vec4(0, 1, 0, 1)\n"
                  "                  : color.r < 0.1 ? vec4(0, 0, 1, 1) : vec4(1); }");
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    expect(8, 8, 0, 0.5, 0.5);
    glDeleteFramebuffers(1, &fbo);
    glDeleteRenderbuffers(1, &renderbuffer);
}

/* --- cleared tiles, which may be stored as clear values until they are read --- */

enum { WIDE = 150, HIGH = 140, TARGETS = 3 }; /* full and partial tiles */

static GLuint make_renderbuffer(GLsizei samples)
{
    GLuint renderbuffer;
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, WIDE, HIGH);
    return renderbuffer;
}

/* Checks all pixels of a buffer of fbo, resolved into the other framebuffer. */
static void expect_all(GLuint fbo, GLuint resolved, unsigned buffer, float r, float g, float b)
{
    static const int at[][2] = {{3, 3}, {60, 70}, {127, 127}, {128, 5}, {WIDE - 1, HIGH - 1}};
    glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved);
    glReadBuffer(GL_COLOR_ATTACHMENT0 + buffer);
    glBlitFramebuffer(0, 0, WIDE, HIGH, 0, 0, WIDE, HIGH, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, resolved);
    for (unsigned i = 0; i < sizeof at / sizeof *at; i++)
        expect(at[i][0], at[i][1], r, g, b);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
}

static GLuint fetching_program(bool coherent)
{
    char fs[600];
    const char *layout = coherent ? "" : "noncoherent, ";
    snprintf(fs, sizeof fs,
             "#version 310 es\n#extension GL_EXT_shader_framebuffer_fetch%s: require\n"
             "precision highp float;\n"
             "layout(%slocation = 0) inout vec4 first;\n"
             "layout(%slocation = 1) inout vec4 second;\n"
             "layout(location = 2) out vec4 third;\n"
             "void main() { vec4 was = first; first = second.gbra; second.r = was.r + 0.25;\n"
             "third = vec4(0, 1, was.b, 1); }",
             coherent ? "" : "_non_coherent", layout, layout);
    return gl_test_program(VERTICES, fs);
}

/* Checks a full-window draw to cleared buffers. masked: the first buffer keeps its contents. */
static void check_cleared(GLuint fbo, GLuint resolved, bool flush, bool masked, float red)
{
    glClearBufferfv(GL_COLOR, 0, (const GLfloat[]){red, 0, 0.5f, 1});
    glClearBufferfv(GL_COLOR, 1, (const GLfloat[]){0, 0.5f, red, 1});
    glClearBufferfv(GL_COLOR, 2, (const GLfloat[]){1, 1, 1, 1});
    if (flush)
        glFlush();
    glColorMaski(0, !masked, !masked, !masked, !masked);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glColorMaski(0, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    if (masked)
        expect_all(fbo, resolved, 0, red, 0, 0.5f);
    else
        expect_all(fbo, resolved, 0, 0.5f, red, 0);
    expect_all(fbo, resolved, 1, red + 0.25f, 0.5f, red);
    expect_all(fbo, resolved, 2, 0, 1, 0.5f);
}

static void test_cleared(void **state)
{
    static const GLenum buffers[TARGETS] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1,
                                            GL_COLOR_ATTACHMENT2};
    GLuint fbo[2], renderbuffer[TARGETS], single = make_renderbuffer(0);
    glGenFramebuffers(2, fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo[1]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, buffers[0], GL_RENDERBUFFER, single);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo[0]);
    glDrawBuffers(TARGETS, buffers);
    glViewport(0, 0, WIDE, HIGH);
    for (unsigned k = 0; k < 4; k++) {
        const bool coherent = k & 1;
        for (unsigned i = 0; i < TARGETS; i++) {
            renderbuffer[i] = make_renderbuffer(k & 2 ? 4 : 0);
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, buffers[i], GL_RENDERBUFFER, renderbuffer[i]);
        }
        GLuint program = fetching_program(coherent);
        glUseProgram(program);
        for (unsigned i = 0; i < 8; i++)
            check_cleared(fbo[0], fbo[1], i & 1, i & 2, (float)i / 16);
        glDeleteProgram(program);
        glDeleteRenderbuffers(TARGETS, renderbuffer);
    }
    glViewport(0, 0, SIZE, SIZE);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(2, fbo);
    glDeleteRenderbuffers(1, &single);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* --- the equations of KHR_blend_equation_advanced, as in its specification --- */

static double lum(const double *c)
{
    return 0.30 * c[0] + 0.59 * c[1] + 0.11 * c[2];
}

static double min3(const double *c)
{
    return fmin(fmin(c[0], c[1]), c[2]);
}

static double max3(const double *c)
{
    return fmax(fmax(c[0], c[1]), c[2]);
}

static void set_lum(const double *base, const double *luminosity, double *out)
{
    for (unsigned i = 0; i < 3; i++)
        out[i] = base[i] + lum(luminosity) - lum(base);
    double l = lum(out), low = min3(out), high = max3(out);
    for (unsigned i = 0; i < 3 && low < 0; i++)
        out[i] = l + (out[i] - l) * l / (l - low);
    for (unsigned i = 0; i < 3 && high > 1; i++)
        out[i] = l + (out[i] - l) * (1 - l) / (high - l);
}

static void set_lum_sat(const double *base, const double *saturation, const double *luminosity,
                        double *out)
{
    double color[3] = {0}, had = max3(base) - min3(base);
    for (unsigned i = 0; i < 3 && had > 0; i++)
        color[i] = (base[i] - min3(base)) * (max3(saturation) - min3(saturation)) / had;
    set_lum(color, luminosity, out);
}

static double light(double s, double d, double decides)
{
    return decides <= 0.5 ? 2 * s * d : 1 - 2 * (1 - s) * (1 - d);
}

static double component(GLenum equation, double s, double d)
{
    switch (equation) {
    case GL_MULTIPLY:
        return s * d;
    case GL_SCREEN:
        return s + d - s * d;
    case GL_OVERLAY:
        return light(s, d, d);
    case GL_DARKEN:
        return fmin(s, d);
    case GL_LIGHTEN:
        return fmax(s, d);
    case GL_COLORDODGE:
        return d <= 0 ? 0 : s < 1 ? fmin(1, d / (1 - s)) : 1;
    case GL_COLORBURN:
        return d >= 1 ? 1 : s > 0 ? 1 - fmin(1, (1 - d) / s) : 0;
    case GL_HARDLIGHT:
        return light(s, d, s);
    case GL_SOFTLIGHT:
        return s <= 0.5    ? d - (1 - 2 * s) * d * (1 - d)
               : d <= 0.25 ? d + (2 * s - 1) * d * ((16 * d - 12) * d + 3)
                           : d + (2 * s - 1) * (sqrt(d) - d);
    case GL_DIFFERENCE:
        return fabs(d - s);
    default:
        return s + d - 2 * s * d;
    }
}

static void blend(GLenum equation, const float *src, const float *dst, double *out)
{
    double s[3], d[3], f[3], as = (double)src[3], ad = (double)dst[3];
    for (unsigned i = 0; i < 3; i++) {
        s[i] = as > 0 ? (double)src[i] / as : 0;
        d[i] = ad > 0 ? (double)dst[i] / ad : 0;
        f[i] = component(equation, s[i], d[i]);
    }
    if (equation == GL_HSL_HUE)
        set_lum_sat(s, d, d, f);
    else if (equation == GL_HSL_SATURATION)
        set_lum_sat(d, s, d, f);
    else if (equation == GL_HSL_COLOR)
        set_lum(s, d, f);
    else if (equation == GL_HSL_LUMINOSITY)
        set_lum(d, s, f);
    for (unsigned i = 0; i < 3; i++)
        out[i] = f[i] * as * ad + s[i] * as * (1 - ad) + d[i] * ad * (1 - as);
    out[3] = as * ad + as * (1 - ad) + ad * (1 - as);
}

static const GLenum equations[] = {
    GL_MULTIPLY,   GL_SCREEN,    GL_OVERLAY,   GL_DARKEN,         GL_LIGHTEN,
    GL_COLORDODGE, GL_COLORBURN, GL_HARDLIGHT, GL_SOFTLIGHT,      GL_DIFFERENCE,
    GL_EXCLUSION,  GL_HSL_HUE,   GL_HSL_COLOR, GL_HSL_SATURATION, GL_HSL_LUMINOSITY,
};

#define BLEND_FS(support)                                                                          \
    "#version 310 es\n"                                                                            \
    "#extension GL_KHR_blend_equation_advanced: require\n"                                         \
    "precision highp float;\n" support "uniform vec4 source; out vec4 color;\n"                    \
    "void main() { color = source; }"

static void test_equations(void **state)
{
    static const float colors[][4] = {
        {0.2f, 0.7f, 0.5f, 1}, {0.9f, 0.1f, 0.4f, 1},    {0, 0, 0, 1},
        {1, 1, 1, 1},          {0.3f, 0.2f, 0.1f, 0.5f}, {0, 0, 0, 0},
    };
    enum { COUNT = sizeof colors / sizeof *colors };
    use(VERTICES, BLEND_FS("layout(blend_support_all_equations) out;\n"));
    GLint program, place;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    place = glGetUniformLocation((GLuint)program, "source");
    glEnable(GL_BLEND);
    for (unsigned e = 0; e < sizeof equations / sizeof *equations; e++) {
        glBlendEquation(equations[e]);
        for (unsigned i = 0; i < COUNT * COUNT; i++) {
            const float *src = colors[i % COUNT], *dst = colors[i / COUNT];
            double want[4];
            uint8_t got[4];
            clear(dst[0], dst[1], dst[2], dst[3]);
            glUniform4fv(place, 1, src);
            glDrawArrays(GL_TRIANGLES, 0, 3);
            glReadPixels(5, 9, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, got);
            blend(equations[e], src, dst, want);
            for (unsigned c = 0; c < 4; c++)
                if (fabs(got[c] - want[c] * 255) > 4)
                    fail_msg("equation 0x%x, colors %u: component %u is %u, not %g", equations[e],
                             i, c, got[c], want[c] * 255);
        }
    }
    glDisable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that triangles of one draw blend in order, and that disabled blending has no effect. */
static void test_blend_state(void **state)
{
    use(VERTICES, BLEND_FS("layout(blend_support_multiply, blend_support_screen) out;\n"));
    GLint program, equation;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glUniform4f(glGetUniformLocation((GLuint)program, "source"), 0.5f, 1, 0, 1);
    glBlendEquation(GL_MULTIPLY);
    glGetIntegerv(GL_BLEND_EQUATION_ALPHA, &equation);
    assert_int_equal(equation, GL_MULTIPLY);
    assert_true(glIsEnabled(GL_BLEND_ADVANCED_COHERENT_KHR));
    clear(1, 1, 1, 1);
    glEnable(GL_BLEND);
    glDrawArrays(GL_TRIANGLES, 0, 9);
    glBlendBarrier();
    expect(8, 8, 0.125, 1, 0);
    glDisable(GL_BLEND);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(8, 8, 0.5, 1, 0);
    glEnable(GL_BLEND);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(8, 8, 0.25, 1, 0);
    glBlendEquation(GL_FUNC_ADD);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(8, 8, 0.5, 1, 0);
    glDisable(GL_BLEND);
}

static void test_blend_errors(void **state)
{
    const GLenum two[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    GLuint fbo, texture;
    use(VERTICES, BLEND_FS("layout(blend_support_multiply) out;\n"));
    glBlendEquationSeparate(GL_MULTIPLY, GL_MULTIPLY);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glBlendEquation(GL_SCREEN);
    glDrawArrays(GL_TRIANGLES, 0, 3); /* blending is not enabled */
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glEnable(GL_BLEND);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glBlendEquation(GL_MULTIPLY);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIZE, SIZE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDrawBuffers(2, two);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDisable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
    glDeleteTextures(1, &texture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),          cmocka_unit_test(test_kept),
        cmocka_unit_test(test_last_frag_data), cmocka_unit_test(test_depth_stencil),
        cmocka_unit_test(test_buffers),        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_cleared),        cmocka_unit_test(test_equations),
        cmocka_unit_test(test_blend_state),    cmocka_unit_test(test_blend_errors),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
