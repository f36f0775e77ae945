/* SPDX-License-Identifier: MIT */
/* OpenGL ES 3.0 and later: rules that differ from desktop OpenGL's and from OpenGL ES 2.0's. */
#define GL_GLEXT_PROTOTYPES
#include <GLES3/gl32.h>
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

/* Checks that rasterizer discard draws nothing. */
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
    gl_test_delete_program(p);
}

/* Checks which buffers of the default framebuffer can be invalidated (ES 3.2 §15.2.4). */
static void test_invalidation(void **state)
{
    static const GLenum valid[] = {GL_COLOR, GL_DEPTH, GL_STENCIL};
    static const GLenum invalid[] = {GL_BACK, GL_COLOR_ATTACHMENT0, 0x400 /* GL_FRONT_LEFT */,
                                     0x402 /* GL_BACK_LEFT */, 0x409 /* GL_AUX0 */};
    glInvalidateFramebuffer(GL_FRAMEBUFFER, 3, valid);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned i = 0; i < sizeof invalid / sizeof *invalid; i++) {
        glInvalidateFramebuffer(GL_FRAMEBUFFER, 1, &invalid[i]);
        assert_int_equal(glGetError(), GL_INVALID_ENUM);
    }
}

/* Checks that attributes at one location don't link, even unused ones (ES 3.2 §11.1.1); those of
 * ESSL 1.00 do (ES 2.0 §2.10.4). */
static void test_aliases(void **state)
{
    static const char *const vs[] = {
        "#version 300 es\nin float a; in float b; void main() { gl_Position = vec4(0.0); }",
        "#version 300 es\nin mat2 a; in float b; void main() { gl_Position = vec4(a[0][0]); }",
        ("attribute float a; attribute float b; uniform bool u;\n"
         "void main() { if (u) gl_Position = vec4(a); else gl_Position = vec4(b); }"),
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

/* Checks that two shaders' declarations of one variable must match in precision (ESSL 3.00 §9.2)
 * and location (ES 3.2 §7.4.1). */
static void test_agreement(void **state)
{
    static const struct {
        const char *vs, *fs;
        bool linked;
    } cases[] = {
        {"struct S { mediump float a; }; uniform S u; void main() { gl_Position = vec4(u.a); }",
         "struct S { mediump float a; }; uniform S u; out lowp vec4 c; void main() { c = "
         "vec4(u.a); }",
         true},
        {"struct S { float a; }; uniform S u; void main() { gl_Position = vec4(u.a); }",
         "struct S { mediump float a; }; uniform S u; out lowp vec4 c; void main() { c = "
         "vec4(u.a); }",
         false},
        {"layout(location = 1) out vec2 v; void main() { v = vec2(1); }",
         "layout(location = 1) in mediump vec2 w; out lowp vec4 c; void main() { c = w.xyxy; }",
         true},
        {"layout(location = 1) out vec2 v; void main() { v = vec2(1); }",
         "in mediump vec2 v; out lowp vec4 c; void main() { c = v.xyxy; }", false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char vs[200], fs[200];
        GLint ok;
        snprintf(vs, sizeof vs, "#version 310 es\n%s\n", cases[i].vs);
        snprintf(fs, sizeof fs, "#version 310 es\n%s\n", cases[i].fs);
        GLuint p = glCreateProgram();
        gl_test_attach(p, GL_VERTEX_SHADER, vs);
        gl_test_attach(p, GL_FRAGMENT_SHADER, fs);
        glLinkProgram(p);
        glGetProgramiv(p, GL_LINK_STATUS, &ok);
        if (ok != cases[i].linked)
            fail_msg("case %u", i);
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
        {GL_RED, GL_RED, GL_FLOAT, true}, /* EXT_texture_rg */
        {GL_RG, GL_RG, GL_HALF_FLOAT_OES, true},
        {GL_RED, GL_RED, GL_SHORT, false},
        {GL_RED, GL_RGB, GL_UNSIGNED_BYTE, false},
        {GL_RG, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, false},
        {GL_RGBA, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, true}, /* of its extension */
        {GL_RGB, GL_RGB, GL_UNSIGNED_INT_2_10_10_10_REV, true},
        {GL_RGB10_EXT, GL_RGB, GL_UNSIGNED_INT_2_10_10_10_REV, true},
        {GL_RGB16F, GL_RGB, GL_UNSIGNED_INT_2_10_10_10_REV, false},
        {GL_DEPTH_COMPONENT32_OES, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, true},
        {GL_DEPTH_COMPONENT32_OES, GL_DEPTH_COMPONENT, GL_UNSIGNED_BYTE, false},
        {GL_STENCIL_INDEX8, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, true},
        {GL_STENCIL_INDEX8, GL_STENCIL_INDEX, GL_UNSIGNED_INT, false},
        {GL_COMPRESSED_RED_RGTC1_EXT, GL_RED, GL_UNSIGNED_BYTE, true},
        {GL_COMPRESSED_RED_RGTC1_EXT, GL_RED, GL_FLOAT, false},
        {GL_COMPRESSED_RED_RGTC1_EXT, GL_RGBA, GL_UNSIGNED_BYTE, false},
        {GL_SRGB_ALPHA_EXT, GL_RGBA, GL_UNSIGNED_BYTE, false},
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

/* Binds a framebuffer with a renderbuffer of that format. Returns the names of both. */
static void bind_renderbuffer(GLenum internal, GLuint names[2])
{
    glGenFramebuffers(1, &names[0]);
    glGenRenderbuffers(1, &names[1]);
    glBindFramebuffer(GL_FRAMEBUFFER, names[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, names[1]);
    glRenderbufferStorage(GL_RENDERBUFFER, internal, 4, 4);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, names[1]);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
}

static void delete_renderbuffer(const GLuint names[2])
{
    glDeleteFramebuffers(1, &names[0]);
    glDeleteRenderbuffers(1, &names[1]);
}

/* Checks that unsized formats keep the precision of their pixels: floats above 1 (EXT_texture_rg),
 * ten bits, and no fourth component (EXT_texture_type_2_10_10_10_REV). */
static void test_unsized(void **state)
{
    static const uint32_t word = 0x40000000u | 1023u << 20 | 513u << 10 | 2u;
    static const GLfloat red[2] = {2.5f, -3};
    static const uint16_t half[2] = {0x4100, 0xc200};
    static const struct {
        GLenum format, type;
        const void *pixels;
        float want[4];
    } cases[] = {
        {GL_RED, GL_FLOAT, red, {2.5f, 0, 0, 1}},
        {GL_RG, GL_FLOAT, red, {2.5f, -3, 0, 1}},
        {GL_RED, GL_HALF_FLOAT_OES, half, {2.5f, 0, 0, 1}},
        {GL_RG, GL_HALF_FLOAT_OES, half, {2.5f, -3, 0, 1}},
        {GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, &word, {2 / 1023.0f, 513 / 1023.0f, 1, 1 / 3.0f}},
        {GL_RGB, GL_UNSIGNED_INT_2_10_10_10_REV, &word, {2 / 1023.0f, 513 / 1023.0f, 1, 1}},
    };
    GLuint texture, names[2];
    GLuint p = gl_test_program("#version 300 es\n"
                               "void main() { gl_Position = vec4(gl_VertexID / 2 * 4 - 1, "
                               "gl_VertexID % 2 * 4 - 1, 0, 1); }",
                               "#version 300 es\n"
                               "uniform highp sampler2D s; out highp vec4 color;\n"
                               "void main() { color = texelFetch(s, ivec2(0), 0); }");
    bind_renderbuffer(GL_RGBA32F, names);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glUseProgram(p);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        GLfloat got[4];
        glTexImage2D(GL_TEXTURE_2D, 0, cases[i].format, 1, 1, 0, cases[i].format, cases[i].type,
                     cases[i].pixels);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, got);
        for (unsigned c = 0; c < 4; c++)
            if (fabsf(got[c] - cases[i].want[c]) > 1e-4f)
                fail_msg("case %u: component %u is %g", i, c, (double)got[c]);
        if (cases[i].type == GL_UNSIGNED_INT_2_10_10_10_REV)
            glGenerateMipmap(GL_TEXTURE_2D);
        assert_int_equal(glGetError(), GL_NO_ERROR);
    }
    gl_test_delete_program(p);
    glDeleteTextures(1, &texture);
    delete_renderbuffer(names);
}

/* ES 3.2 table 8.10; earlier versions have the floating-point formats by EXT_color_buffer_float. */
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

/* Checks the read formats of ES 3.2 §16.1.2: one pair per kind of buffer, and the implementation's
 * pair for each buffer. */
static void test_read_pairs(void **state)
{
    static const struct {
        GLenum internal, format, type, own_format, own_type, refused_format, refused_type;
    } cases[] = {
        {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, GL_RGBA, GL_UNSIGNED_BYTE, GL_RGBA, GL_FLOAT},
        {GL_R8, GL_RGBA, GL_UNSIGNED_BYTE, GL_RED, GL_UNSIGNED_BYTE, GL_RG, GL_UNSIGNED_BYTE},
        {GL_RGB565, GL_RGBA, GL_UNSIGNED_BYTE, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, GL_RGBA,
         GL_UNSIGNED_SHORT_5_5_5_1},
        {GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_BYTE, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, GL_RGBA,
         GL_UNSIGNED_SHORT},
        {GL_RG16UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, GL_RG_INTEGER, GL_UNSIGNED_SHORT,
         GL_RGBA_INTEGER, GL_INT},
        {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, GL_RGBA_INTEGER, GL_INT, GL_RGBA, GL_UNSIGNED_BYTE},
        {GL_RGBA16F, GL_RGBA, GL_FLOAT, GL_RGBA, GL_HALF_FLOAT, GL_RGBA, GL_UNSIGNED_BYTE},
        {GL_R11F_G11F_B10F, GL_RGBA, GL_FLOAT, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, GL_RGB,
         GL_FLOAT},
    };
    static const GLenum pnames[] = {GL_IMPLEMENTATION_COLOR_READ_FORMAT,
                                    GL_IMPLEMENTATION_COLOR_READ_TYPE};
    char pixel[16];
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        GLuint names[2];
        GLint own[2];
        bind_renderbuffer(cases[i].internal, names);
        glGetIntegerv(pnames[0], &own[0]);
        glGetIntegerv(pnames[1], &own[1]);
        assert_int_equal(own[0], cases[i].own_format);
        assert_int_equal(own[1], cases[i].own_type);
        glReadPixels(0, 0, 1, 1, own[0], own[1], pixel);
        glReadPixels(0, 0, 1, 1, cases[i].format, cases[i].type, pixel);
        expect_error(GL_NO_ERROR);
        glReadPixels(0, 0, 1, 1, cases[i].refused_format, cases[i].refused_type, pixel);
        expect_error(GL_INVALID_OPERATION);
        glReadBuffer(GL_NONE);
        for (unsigned k = 0; k < 2; k++) {
            glGetIntegerv(pnames[k], own);
            expect_error(GL_INVALID_OPERATION);
        }
        delete_renderbuffer(names);
    }
}

/* Checks that copies may drop components but convert nothing (ES 3.2 §8.6, tables 8.13 to 8.16). */
static void test_copied_formats(void **state)
{
    static const struct {
        GLenum from, to;
        bool ok;
    } cases[] = {
        {GL_RGBA8, GL_RGB8, true},      {GL_RGBA8, GL_LUMINANCE_ALPHA, true},
        {GL_RG8, GL_RED, true},         {GL_RG8, GL_LUMINANCE, true},
        {GL_R8, GL_LUMINANCE, true},    {GL_RGBA16F, GL_R16F, true},
        {GL_RGBA8UI, GL_RG8UI, true},   {GL_SRGB8_ALPHA8, GL_SRGB8_ALPHA8, true},
        {GL_R8, GL_RG8, false},         {GL_RGBA8, GL_RGB565, false},
        {GL_RGBA8, GL_RGBA16F, false},  {GL_RGBA8, GL_RGB9_E5, false},
        {GL_RGBA8UI, GL_RGBA8I, false}, {GL_RGBA8, GL_SRGB8_ALPHA8, false},
        {GL_RGB10_A2, GL_RGBA, false},  {GL_RGBA16F, GL_RGBA, false},
    };
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        GLuint names[2];
        bind_renderbuffer(cases[i].from, names);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, cases[i].to, 0, 0, 4, 4, 0);
        GLenum error = glGetError();
        if (error != (cases[i].ok ? GL_NO_ERROR : GL_INVALID_OPERATION))
            fail_msg("case %u: 0x%x", i, error);
        delete_renderbuffer(names);
    }
    glDeleteTextures(1, &texture);
}

/* Checks that integers of all sizes and packed ones convert to floats (ES 3.2 table 10.2). */
static void test_attrib_types(void **state)
{
    static const GLint ints[4] = {0, INT32_MAX, INT32_MAX, 0};
    static const GLuint uints[4] = {UINT32_MAX, 0, UINT32_MAX, 0};
    static const GLuint packed = 1023u << 10 | 3u << 30, packed_signed = 511u | 1u << 30;
    static const struct {
        GLenum type;
        const void *data;
        float color[3];
    } cases[] = {
        {GL_INT, ints, {0, 1, 1}},
        {GL_UNSIGNED_INT, uints, {1, 0, 1}},
        {GL_UNSIGNED_INT_2_10_10_10_REV, &packed, {0, 1, 0}},
        {GL_INT_2_10_10_10_REV, &packed_signed, {1, 0, 0}},
    };
    GLuint p = gl_test_program("#version 300 es\n"
                               "layout(location = 0) in vec4 a; out vec4 v;\n"
                               "void main() {\n"
                               "    gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 16.0; v = a;\n"
                               "}\n",
                               "#version 300 es\n"
                               "in lowp vec4 v; out lowp vec4 color;\n"
                               "void main() { color = v; }\n");
    glUseProgram(p);
    glEnableVertexAttribArray(0);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        glVertexAttribPointer(0, 4, cases[i].type, GL_TRUE, 0, cases[i].data);
        glDrawArrays(GL_POINTS, 0, 1);
        expect(8, 8, cases[i].color[0], cases[i].color[1], cases[i].color[2]);
    }
    GLint current[4];
    glVertexAttrib4f(1, 1.6f, -1.6f, 3e9f, 0.4f);
    glGetVertexAttribiv(1, GL_CURRENT_VERTEX_ATTRIB, current);
    assert_true(current[0] == 2 && current[1] == -2 && current[2] == INT32_MAX && current[3] == 0);
    glVertexAttribPointer(0, 3, GL_INT_2_10_10_10_REV, GL_TRUE, 0, &packed);
    expect_error(GL_INVALID_OPERATION);
    glDisableVertexAttribArray(0);
    glDeleteProgram(p);
}

/* Checks state that ES 3.2 adds (tables 21.8, 21.40, 21.42), and values too large for an
 * integer. */
static void test_values(void **state)
{
    GLint v[4] = {0};
    GLint64 large;
    GLfloat f = -1;
    GLboolean b = 7;
    glGetFloatv(GL_MIN_SAMPLE_SHADING_VALUE, &f);
    assert_true(f == 0.0f);
    glGetBooleanv(GL_PRIMITIVE_RESTART_FOR_PATCHES_SUPPORTED, &b);
    assert_int_equal(b, GL_TRUE);
    glGetIntegerv(GL_LAYER_PROVOKING_VERTEX, v);
    assert_int_equal(v[0], GL_LAST_VERTEX_CONVENTION);
    glGetIntegerv(GL_MAX_ELEMENT_INDEX, v);
    glGetInteger64v(GL_MAX_ELEMENT_INDEX, &large);
    assert_int_equal(v[0], INT32_MAX);
    assert_true(large == UINT32_MAX);
    expect_error(GL_NO_ERROR);
}

/* Checks that queries of objects don't accept names of desktop GL (ES 3.2 §4.2.1), and that they
 * return nothing after an error. */
static void test_query_names(void **state)
{
    static const GLenum desktop[] = {0x82EA /* GL_QUERY_TARGET */,
                                     0x9194 /* GL_QUERY_RESULT_NO_WAIT */};
    GLuint query, v = 7;
    GLint value = 7;
    GLsizei length = 7;
    glGenQueries(1, &query);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    for (unsigned i = 0; i < sizeof desktop / sizeof *desktop; i++) {
        glGetQueryObjectuiv(query, desktop[i], &v);
        expect_error(GL_INVALID_ENUM);
        assert_int_equal(v, 7);
    }
    glDeleteQueries(1, &query);
    GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glGetSynciv(sync, GL_BUFFER_SIZE, 1, &length, &value);
    expect_error(GL_INVALID_ENUM);
    assert_int_equal(length, 7);
    assert_int_equal(value, 7);
    glDeleteSync(sync);
}

/* Checks that other commands may access all of a buffer but its mapped part (ES 3.2 §6.2), and that
 * the application's pointer stays valid across draws. */
static void test_partly_mapped(void **state)
{
    static const char data[16];
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 64, NULL, GL_STATIC_DRAW);
    char *p = glMapBufferRange(GL_ARRAY_BUFFER, 16, 16, GL_MAP_WRITE_BIT);
    glBufferSubData(GL_ARRAY_BUFFER, 0, 16, data);
    glBufferSubData(GL_ARRAY_BUFFER, 32, 16, data);
    expect_error(GL_NO_ERROR);
    glBufferSubData(GL_ARRAY_BUFFER, 8, 16, data);
    expect_error(GL_INVALID_OPERATION);
    memset(p, 5, 16);
    assert_true(glUnmapBuffer(GL_ARRAY_BUFFER));
    p = glMapBufferRange(GL_ARRAY_BUFFER, 0, 64, GL_MAP_READ_BIT);
    assert_int_equal(p[15], 0);
    assert_int_equal(p[16], 5);
    assert_int_equal(p[31], 5);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    glDeleteBuffers(1, &buffer);
}

/* Checks errors of commands on textures and framebuffers. */
static void test_object_errors(void **state)
{
    static const struct {
        GLenum internal, format, type;
        bool ok;
    } mipmaps[] = {
        {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, true},
        {GL_LUMINANCE, GL_LUMINANCE, GL_UNSIGNED_BYTE, true},
        {GL_SRGB8, GL_RGB, GL_UNSIGNED_BYTE, false},
        {GL_RGB9_E5, GL_RGB, GL_FLOAT, false},
    };
    GLuint texture, framebuffer, buffer;
    GLint v;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (unsigned i = 0; i < sizeof mipmaps / sizeof *mipmaps; i++) {
        glTexImage2D(GL_TEXTURE_2D, 0, mipmaps[i].internal, 4, 4, 0, mipmaps[i].format,
                     mipmaps[i].type, NULL);
        glGenerateMipmap(GL_TEXTURE_2D);
        expect_error(mipmaps[i].ok ? GL_NO_ERROR : GL_INVALID_OPERATION);
    }
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, &v);
    expect_error(GL_NO_ERROR);
    glGetTexParameteriv(GL_TEXTURE_2D, 0x8501 /* GL_TEXTURE_LOD_BIAS */, &v);
    expect_error(GL_INVALID_ENUM);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, 64, NULL, GL_STATIC_DRAW);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, 2, 2, 0, GL_RGBA, GL_HALF_FLOAT, (void *)2);
    expect_error(GL_NO_ERROR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, 2, 2, 0, GL_RGBA, GL_HALF_FLOAT, (void *)1);
    expect_error(GL_INVALID_OPERATION);
    glDeleteBuffers(1, &buffer);
    glDeleteTextures(1, &texture);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_3D, texture);
    glTexStorage3D(GL_TEXTURE_3D, 1, GL_COMPRESSED_RGB8_ETC2, 4, 4, 4);
    expect_error(GL_INVALID_OPERATION);
    glDeleteTextures(1, &texture);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &v);
    assert_int_equal(v, 0);
    expect_error(GL_NO_ERROR);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE, &v);
    expect_error(GL_INVALID_OPERATION);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT,
                                          GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, &v);
    expect_error(GL_INVALID_OPERATION);
    glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, 9999, 0);
    expect_error(GL_INVALID_VALUE);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glBlitFramebuffer(0, 0, 4, 4, 8, 8, 12, 12, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    expect_error(GL_INVALID_OPERATION);
}

/* OVR_multiview: draws two views, and num_views must be a literal. */
static void test_views(void **state)
{
#define VIEWS "#version 300 es\n#extension GL_OVR_multiview2 : require\n"
    static const char *const declared[] = {"layout(num_views = 2) in;\n",
                                           "const int n = 2; layout(num_views = n) in;\n"};
    GLuint texture, fb[2], p;
    for (unsigned i = 0; i < 2; i++) {
        const char *text[] = {VIEWS, declared[i], "void main() { gl_Position = vec4(0.0); }\n"};
        GLuint shader = glCreateShader(GL_VERTEX_SHADER);
        GLint ok;
        glShaderSource(shader, 3, text, NULL);
        glCompileShader(shader);
        glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
        assert_int_equal(ok, i == 0);
        glDeleteShader(shader);
    }
    p = gl_test_program(VIEWS "layout(num_views = 2) in;\n"
                              "void main() {\n"
                              "    gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 16.0;\n"
                              "}\n",
                        VIEWS "out lowp vec4 color;\n"
                              "void main() { color = vec4(gl_ViewID_OVR, 1u, 0, 1); }\n");
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, SIZE, SIZE, 3);
    glGenFramebuffers(2, fb);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fb[0]);
    glFramebufferTextureMultiviewOVR(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, 1, 2);
    glUseProgram(p);
    glDrawArrays(GL_POINTS, 0, 1);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, fb[1]);
    for (int view = 0; view < 2; view++) {
        glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, 1 + view);
        expect(SIZE / 2, SIZE / 2, (float)view, 1, 0);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(2, fb);
    glDeleteTextures(1, &texture);
    glUseProgram(0);
    glDeleteProgram(p);
    expect_error(GL_NO_ERROR);
}

/* Checks that the default framebuffer has only GL_BACK as a color buffer (ES 3.2 §9.2.3, §15.2.1,
 * §16.1.1). */
static void test_window_buffers(void **state)
{
    static const GLenum invalid[] = {GL_FRONT, GL_FRONT_AND_BACK, 0x400 /* GL_FRONT_LEFT */,
                                     0x402 /* GL_BACK_LEFT */};
    GLuint fb;
    GLint v = -1;
    glGenFramebuffers(1, &fb);
    for (unsigned i = 0; i < 2 * sizeof invalid / sizeof *invalid; i++) {
        glBindFramebuffer(GL_FRAMEBUFFER, i % 2 ? fb : 0);
        glReadBuffer(invalid[i / 2]);
        expect_error(GL_INVALID_ENUM);
        glDrawBuffers(1, &invalid[i / 2]);
        expect_error(GL_INVALID_ENUM);
        glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, invalid[i / 2],
                                              GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &v);
        expect_error(GL_INVALID_ENUM);
    }
    glReadBuffer(GL_BACK);
    expect_error(GL_INVALID_OPERATION);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glReadBuffer(GL_BACK);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_BACK,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &v);
    expect_error(GL_NO_ERROR);
    assert_int_equal(v, GL_FRAMEBUFFER_DEFAULT);
    glDeleteFramebuffers(1, &fb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enables),        cmocka_unit_test(test_discard),
        cmocka_unit_test(test_aliases),        cmocka_unit_test(test_pixel_combinations),
        cmocka_unit_test(test_unsized),        cmocka_unit_test(test_renderable),
        cmocka_unit_test(test_read_pairs),     cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_copied_formats), cmocka_unit_test(test_attrib_types),
        cmocka_unit_test(test_values),         cmocka_unit_test(test_partly_mapped),
        cmocka_unit_test(test_object_errors),  cmocka_unit_test(test_views),
        cmocka_unit_test(test_invalidation),   cmocka_unit_test(test_query_names),
        cmocka_unit_test(test_window_buffers),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
