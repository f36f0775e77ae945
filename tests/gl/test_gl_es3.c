/* SPDX-License-Identifier: MIT */
/* OpenGL ES 3.0 and later: rules that differ from desktop OpenGL's and from OpenGL ES 2.0's. */
#define GL_GLEXT_PROTOTYPES
#include <GLES3/gl3.h>
#include <GLES2/gl2ext.h>

#include "gl_test.h"

enum { SIZE = 16 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_ES2, &window);
}

static void test_enables(void **state)
{
    static const GLenum caps[] = {GL_RASTERIZER_DISCARD, GL_PRIMITIVE_RESTART_FIXED_INDEX};
    for (unsigned i = 0; i < sizeof caps / sizeof *caps; i++) {
        assert_false(glIsEnabled(caps[i]));
        glEnable(caps[i]);
        assert_true(glIsEnabled(caps[i]));
        glDisable(caps[i]);
        assert_int_equal(glGetError(), GL_NO_ERROR);
    }
}

/* Draws nothing while primitives are discarded. */
static void test_discard(void **state)
{
    GLuint p = gl_test_program("#version 300 es\n"
                               "void main() {\n"
                               "    gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 16.0;\n"
                               "}\n",
                               "#version 300 es\n"
                               "out lowp vec4 color;\n"
                               "void main() { color = vec4(0, 1, 0, 1); }\n");
    glUseProgram(p);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_RASTERIZER_DISCARD);
    glDrawArrays(GL_POINTS, 0, 1);
    expect(8, 8, 0, 0, 0);
    glDisable(GL_RASTERIZER_DISCARD);
    glDrawArrays(GL_POINTS, 0, 1);
    expect(8, 8, 0, 1, 0);
    gl_test_drop(p);
}

/* ES 3.2 §11.1.1: attributes at one location do not link, be they used or not; those of ESSL 1.00 do
 * (ES 2.0 §2.10.4). */
static void test_aliases(void **state)
{
    static const char *const vs[] = {
        "#version 300 es\nin float a; in float b; void main() { gl_Position = vec4(0.0); }",
        "#version 300 es\nin mat2 a; in float b; void main() { gl_Position = vec4(a[0][0]); }",
        "attribute float a; attribute float b; uniform bool u;\n"
        "void main() { if (u) gl_Position = vec4(a); else gl_Position = vec4(b); }",
    };
    static const char *const fs[] = {
        "#version 300 es\nout lowp vec4 c; void main() { c = vec4(0.0); }",
        "#version 300 es\nout lowp vec4 c; void main() { c = vec4(0.0); }",
        "void main() { gl_FragColor = vec4(0.0); }",
    };
    for (unsigned i = 0; i < 3; i++) {
        GLuint p = gl_test_program(vs[i], fs[i]);
        GLint ok;
        glBindAttribLocation(p, 2, "a");
        glBindAttribLocation(p, i == 1 ? 3 : 2, "b");
        glLinkProgram(p);
        glGetProgramiv(p, GL_LINK_STATUS, &ok);
        assert_int_equal(ok, i == 2);
        glDeleteProgram(p);
    }
}

/* ES 3.2 tables 8.2 and 8.3, EXT_texture_format_BGRA8888, MESA_bgra. */
static void test_pixel_combinations(void **state)
{
    static const struct {
        GLint internal;
        GLenum format, type;
        bool ok;
    } cases[] = {
        {GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE, true},
        {GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, true},
        {GL_RGBA16F, GL_RGBA, GL_FLOAT, true},
        {GL_RGBA, GL_RGBA, GL_FLOAT, true}, /* OES_texture_float */
        {GL_BGRA_EXT, GL_BGRA_EXT, GL_UNSIGNED_BYTE, true},
        {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, true},
        {GL_RGBA8, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, false},
        {GL_RGBA8, GL_RGB, GL_UNSIGNED_BYTE, false},
        {GL_R32F, GL_RED, GL_HALF_FLOAT, false},
        {GL_RGBA, GL_RGB, GL_UNSIGNED_BYTE, false},
        {GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, false},
        {GL_BGRA_EXT, GL_RGBA, GL_UNSIGNED_BYTE, false},
        {GL_BGRA_EXT, GL_BGRA_EXT, GL_FLOAT, false},
        {GL_RGBA, GL_BGRA_EXT, GL_UNSIGNED_BYTE, true}, /* MESA_bgra */
        {GL_RGB8, 0x80e0 /* GL_BGR */, GL_UNSIGNED_BYTE, true},
        {GL_RGBA, 0x80e0, GL_UNSIGNED_BYTE, false},
        {GL_RGBA4, GL_BGRA_EXT, GL_UNSIGNED_BYTE, false},
        {GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, false},
    };
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        glTexImage2D(GL_TEXTURE_2D, 0, cases[i].internal, 4, 4, 0, cases[i].format, cases[i].type,
                     NULL);
        GLenum error = glGetError();
        if ((error == GL_NO_ERROR) != cases[i].ok || (error && error != GL_INVALID_OPERATION))
            fail_msg("case %u: 0x%x", i, error);
    }
    glDeleteTextures(1, &texture);
}

/* ES 3.2 table 8.10; the floating-point ones by EXT_color_buffer_float before it. */
static void test_renderable(void **state)
{
    static const struct {
        GLint internal;
        GLenum format, type;
        bool ok;
    } cases[] = {
        {GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE, true},
        {GL_RGB, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, true},
        {GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, true},
        {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, true},
        {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, true},
        {GL_RGBA32F, GL_RGBA, GL_FLOAT, true},
        {GL_R11F_G11F_B10F, GL_RGB, GL_FLOAT, true},
        {GL_SRGB8, GL_RGB, GL_UNSIGNED_BYTE, false},
        {GL_RGB8UI, GL_RGB_INTEGER, GL_UNSIGNED_BYTE, false},
        {GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, true}, /* EXT_render_snorm */
        {GL_RGB16F, GL_RGB, GL_FLOAT, true},      /* EXT_color_buffer_half_float */
        {GL_RGB32F, GL_RGB, GL_FLOAT, false},
        {GL_RGB9_E5, GL_RGB, GL_FLOAT, false},
        {GL_LUMINANCE, GL_LUMINANCE, GL_UNSIGNED_BYTE, false},
        {GL_ALPHA, GL_ALPHA, GL_UNSIGNED_BYTE, false},
    };
    GLuint texture, framebuffer, renderbuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        glTexImage2D(GL_TEXTURE_2D, 0, cases[i].internal, 4, 4, 0, cases[i].format, cases[i].type,
                     NULL);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
        bool unsized = cases[i].internal == (GLint)cases[i].format;
        glRenderbufferStorage(GL_RENDERBUFFER, cases[i].internal, 4, 4);
        GLenum error = glGetError();
        if ((status == GL_FRAMEBUFFER_COMPLETE) != cases[i].ok ||
            error != (cases[i].ok && !unsized ? GL_NO_ERROR : GL_INVALID_ENUM))
            fail_msg("case %u: 0x%x, 0x%x", i, status, error);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &renderbuffer);
    glDeleteTextures(1, &texture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enables),    cmocka_unit_test(test_discard),
        cmocka_unit_test(test_aliases),    cmocka_unit_test(test_pixel_combinations),
        cmocka_unit_test(test_renderable),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
