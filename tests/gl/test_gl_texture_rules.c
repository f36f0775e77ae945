/* SPDX-License-Identifier: MIT */
/* Rules of textures, framebuffers and labels in desktop OpenGL: views of compressed formats,
 * queries, copies between images, formats that commands accept. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"
#include "util/macros.h"

enum { SIZE = 16 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Creates and binds a framebuffer of 4x4 RGBA32F texels. Its texture remains bound to
 * GL_TEXTURE_2D. */
static void bind_float_target(GLuint *target, GLuint *fb)
{
    glGenTextures(1, target);
    glBindTexture(GL_TEXTURE_2D, *target);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, 4, 4);
    glGenFramebuffers(1, fb);
    glBindFramebuffer(GL_FRAMEBUFFER, *fb);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *target, 0);
    glViewport(0, 0, 4, 4);
}

/* Reads the 4 by 4 texels of a texture by texelFetch. */
static void fetch_texels(GLuint texture, float values[64])
{
    GLuint target, fb,
        p = gl_test_program("#version 330 compatibility\n"
                            "void main() { gl_Position = gl_Vertex; }\n",
                            "#version 330 compatibility\n"
                            "uniform sampler2D t; out vec4 color;\n"
                            "void main() {\n"
                            "    color = texelFetch(t, ivec2(gl_FragCoord.xy), 0);\n"
                            "}\n");
    bind_float_target(&target, &fb);
    glUseProgram(p);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glRectf(-1, -1, 1, 1);
    glReadPixels(0, 0, 4, 4, GL_RGBA, GL_FLOAT, values);
    gl_test_delete_program(p);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fb);
    glDeleteTextures(1, &target);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static GLuint make_blocks(GLenum internal, GLsizei bytes, const void *blocks)
{
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexStorage2D(GL_TEXTURE_2D, 1, internal, 4, 4);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, internal, bytes, blocks);
    return t;
}

/* Checks that views decode the blocks as their own format does, after uploads through either
 * texture (GL 4.6 table 8.22). */
static void check_block_view(GLenum original, GLenum as, GLsizei bytes)
{
    static const uint8_t blocks[2][16] = {
        {40, 10, 0x88, 0xc6, 0xfa, 0x88, 0xc6, 0xfa, 60, 20, 0x88, 0xc6, 0xfa, 0x88, 0xc6, 0xfa},
        {90, 30, 0x11, 0x22, 0x33, 0x88, 0xc6, 0xfa, 20, 80, 0x18, 0xc3, 0xf9, 0x81, 0xc3, 0xf2},
    };
    float want[64], got[64];
    GLuint t = make_blocks(original, bytes, blocks[0]), view, direct;
    glGenTextures(1, &view);
    glTextureView(view, GL_TEXTURE_2D, t, as, 0, 1, 0, 1);
    for (unsigned round = 0; round < 4; round++) {
        const uint8_t *now = blocks[round & 1];
        if (round) { /* by turns through the texture and the view */
            glBindTexture(GL_TEXTURE_2D, round & 1 ? t : view);
            glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, round & 1 ? original : as,
                                      bytes, now);
        }
        direct = make_blocks(as, bytes, now);
        fetch_texels(direct, want);
        fetch_texels(view, got);
        if (memcmp(want, got, sizeof want))
            fail_msg("0x%x as 0x%x, round %u: %g, not %g", original, as, round, (double)got[0],
                     (double)want[0]);
        glDeleteTextures(1, &direct);
        direct = make_blocks(original, bytes, now);
        fetch_texels(direct, want);
        fetch_texels(t, got);
        assert_memory_equal(got, want, sizeof got);
        glDeleteTextures(1, &direct);
    }
    glDeleteTextures(1, &t);
    glDeleteTextures(1, &view);
}

static void test_block_views(void **state)
{
    static const struct {
        GLenum a, b;
        GLsizei bytes;
    } pairs[] = {
        {GL_COMPRESSED_RED_RGTC1, GL_COMPRESSED_SIGNED_RED_RGTC1, 8},
        {GL_COMPRESSED_RG_RGTC2, GL_COMPRESSED_SIGNED_RG_RGTC2, 16},
        {GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, 16},
        {GL_COMPRESSED_RGBA_BPTC_UNORM, GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM, 16},
        {GL_COMPRESSED_R11_EAC, GL_COMPRESSED_SIGNED_R11_EAC, 8},
        {GL_COMPRESSED_RG11_EAC, GL_COMPRESSED_SIGNED_RG11_EAC, 16},
        {GL_COMPRESSED_RGB8_ETC2, GL_COMPRESSED_SRGB8_ETC2, 8},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(pairs); i++) {
        check_block_view(pairs[i].a, pairs[i].b, pairs[i].bytes);
        check_block_view(pairs[i].b, pairs[i].a, pairs[i].bytes);
    }
}

static GLint parameter(GLenum target, GLenum pname)
{
    GLint v = -1;
    glGetTexParameteriv(target, pname, &v);
    return v;
}

/* Checks that immutable storage doesn't change GL_TEXTURE_MAX_LEVEL, but clamps later values. */
static void test_levels(void **state)
{
    GLuint t[4];
    glGenTextures(4, t);
    glBindTexture(GL_TEXTURE_2D, t[0]);
    glTexStorage2D(GL_TEXTURE_2D, 3, GL_RGBA8, 8, 8);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL), 1000);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 7);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 5);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL), 2);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL), 2);
    glBindTexture(GL_TEXTURE_2D, t[1]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 7);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 5);
    glTexStorage2D(GL_TEXTURE_2D, 3, GL_RGBA8, 8, 8);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL), 7);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL), 5);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, t[2]);
    glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, 8, 8, GL_TRUE);
    assert_int_equal(parameter(GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_MAX_LEVEL), 1000);
    glTextureView(t[3], GL_TEXTURE_2D, t[0], GL_RGBA8, 1, 1, 0, 1);
    glBindTexture(GL_TEXTURE_2D, t[3]);
    assert_int_equal(parameter(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL), 1000);
    glDeleteTextures(4, t);
    expect_error(GL_NO_ERROR);
}

/* Checks the sizes of buffer textures without a buffer and with an empty one. */
static void test_buffer_texture_sizes(void **state)
{
    static const GLenum names[] = {GL_TEXTURE_WIDTH, GL_TEXTURE_HEIGHT, GL_TEXTURE_DEPTH,
                                   GL_TEXTURE_RED_SIZE};
    static const GLint want[3][4] = {{0, 0, 0, 0}, {0, 1, 1, 8}, {16, 1, 1, 8}};
    GLuint t, buffer;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_BUFFER, t);
    glGenBuffers(1, &buffer);
    for (unsigned i = 0; i < 3; i++) {
        if (i == 1) {
            glBindBuffer(GL_TEXTURE_BUFFER, buffer);
            glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, buffer);
        }
        if (i == 2)
            glBufferData(GL_TEXTURE_BUFFER, 64, NULL, GL_STATIC_DRAW);
        for (unsigned k = 0; k < ARRAY_SIZE(names); k++) {
            GLint v = -1;
            glGetTexLevelParameteriv(GL_TEXTURE_BUFFER, 0, names[k], &v);
            assert_int_equal(v, want[i][k]);
        }
    }
    glDeleteTextures(1, &t);
    glDeleteBuffers(1, &buffer);
    expect_error(GL_NO_ERROR);
}

/* Checks that copies between images need textures that are complete with their own filter (GL 4.6
 * §18.3.2), on either side. */
static void test_copy_completeness(void **state)
{
    static const GLenum filters[] = {GL_NEAREST, GL_LINEAR, GL_NEAREST_MIPMAP_LINEAR};
    for (unsigned i = 0; i < 2 * ARRAY_SIZE(filters); i++)
        for (GLint levels = 1; levels <= 4; levels++)
            for (GLint level = 0; level < 2; level++) {
                const bool mipmaps = i / 2 == 2;
                GLuint t[2];
                glGenTextures(2, t);
                glBindTexture(GL_TEXTURE_2D, t[1]);
                glTexStorage2D(GL_TEXTURE_2D, 4, GL_RGBA8, 8, 8);
                glBindTexture(GL_TEXTURE_2D, t[0]);
                glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filters[i / 2]);
                for (GLint l = 0; l < levels; l++)
                    glTexImage2D(GL_TEXTURE_2D, l, GL_RGBA8, 8 >> l, 8 >> l, 0, GL_RGBA,
                                 GL_UNSIGNED_BYTE, NULL);
                glCopyImageSubData(t[i & 1], GL_TEXTURE_2D, i & 1 ? 0 : level, 0, 0, 0, t[!(i & 1)],
                                   GL_TEXTURE_2D, i & 1 ? level : 0, 0, 0, 0, 1, 1, 1);
                expect_error(mipmaps && levels < 4 ? GL_INVALID_OPERATION
                             : level >= levels     ? GL_INVALID_VALUE
                                                   : GL_NO_ERROR);
                glDeleteTextures(2, t);
            }
}

/* Checks that depth and stencil are read as one of the two packed types only (§18.2.2), and
 * copied only if both are attached. */
static void test_depth_stencil_errors(void **state)
{
    static const GLenum types[] = {GL_UNSIGNED_BYTE,
                                   GL_FLOAT,
                                   GL_UNSIGNED_BYTE_3_3_2,
                                   GL_UNSIGNED_SHORT_5_6_5,
                                   GL_UNSIGNED_INT_8_8_8_8,
                                   GL_UNSIGNED_INT_2_10_10_10_REV,
                                   GL_UNSIGNED_INT_10F_11F_11F_REV,
                                   GL_UNSIGNED_INT_5_9_9_9_REV};
    static const GLenum points[] = {GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH_ATTACHMENT,
                                    GL_STENCIL_ATTACHMENT};
    static uint8_t pixels[4096];
    GLuint t[2], fb;
    glGenTextures(2, t);
    glBindTexture(GL_TEXTURE_2D, t[0]);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH24_STENCIL8, 8, 8);
    for (unsigned p = 0; p < ARRAY_SIZE(points); p++) {
        glGenFramebuffers(1, &fb);
        glBindFramebuffer(GL_FRAMEBUFFER, fb);
        glFramebufferTexture2D(GL_FRAMEBUFFER, points[p], GL_TEXTURE_2D, t[0], 0);
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
        for (unsigned i = 0; i < ARRAY_SIZE(types); i++) {
            glReadPixels(0, 0, 8, 8, GL_DEPTH_STENCIL, types[i], pixels);
            expect_error(GL_INVALID_ENUM);
        }
        glReadPixels(0, 0, 8, 8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, pixels);
        expect_error(p ? GL_INVALID_OPERATION : GL_NO_ERROR);
        glReadPixels(0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_INT_24_8, pixels);
        expect_error(GL_INVALID_OPERATION);
        glBindTexture(GL_TEXTURE_2D, t[1]);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_STENCIL, 0, 0, 8, 8, 0);
        expect_error(p ? GL_INVALID_OPERATION : GL_NO_ERROR);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 0, 0, 8, 8, 0);
        expect_error(p == 2 ? GL_INVALID_OPERATION : GL_NO_ERROR);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &fb);
    }
    glDeleteTextures(2, t);
}

/* Checks that copies keep float depths, which are more precise near 0. */
static void test_depth_copies(void **state)
{
    float got = 0, depth = 1e-12f;
    GLuint t[2], fb;
    glGenTextures(2, t);
    glBindTexture(GL_TEXTURE_2D, t[0]);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH32F_STENCIL8, 4, 4);
    glGenFramebuffers(1, &fb);
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D, t[0], 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    glClearBufferfi(GL_DEPTH_STENCIL, 0, depth, 0);
    glBindTexture(GL_TEXTURE_2D, t[1]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, 0, 0, 1, 1, 0);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, GL_FLOAT, &got);
    expect_error(GL_NO_ERROR);
    assert_memory_equal(&got, &depth, sizeof got);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fb);
    glDeleteTextures(2, t);
}

/* Checks that signed normalized buffers clamp colors, but not blend factors. */
static void test_signed_blending(void **state)
{
    static const GLenum formats[] = {GL_RGBA8_SNORM, GL_RGBA16_SNORM, GL_RGBA16F};
    static const float quarter[4] = {0.25f, 0.25f, 0.25f, 0.25f};
    GLuint t, fb,
        p = gl_test_program("#version 330 compatibility\n"
                            "void main() { gl_Position = gl_Vertex; }\n",
                            "#version 330 compatibility\n"
                            "out vec4 color; void main() { color = vec4(-2.0); }\n");
    glUseProgram(p);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    glBlendFunc(GL_ZERO, GL_ONE_MINUS_SRC_COLOR);
    glViewport(0, 0, 4, 4);
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        float got[4] = {0};
        glGenTextures(1, &t);
        glBindTexture(GL_TEXTURE_2D, t);
        glTexStorage2D(GL_TEXTURE_2D, 1, formats[i], 4, 4);
        glGenFramebuffers(1, &fb);
        glBindFramebuffer(GL_FRAMEBUFFER, fb);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
        glClearBufferfv(GL_COLOR, 0, quarter);
        glEnable(GL_BLEND);
        glRectf(-1, -1, 1, 1);
        glDisable(GL_BLEND);
        glReadPixels(1, 1, 1, 1, GL_RGBA, GL_FLOAT, got);
        expect_error(GL_NO_ERROR);
        assert_true(fabsf(got[0] - (i == 2 ? 0.75f : 0.5f)) < 0.01f);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &fb);
        glDeleteTextures(1, &t);
    }
    glBlendFunc(GL_ONE, GL_ZERO);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FIXED_ONLY);
    gl_test_delete_program(p);
}

/* Checks that a blit is limited to the buffers that it writes, but not to others (GL 4.6
 * §18.3.2). */
static void test_blit_sizes(void **state)
{
    GLuint fb, rb[2];
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glGenRenderbuffers(2, rb);
    glGenFramebuffers(1, &fb);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fb);
    for (unsigned i = 0; i < 2; i++) {
        const GLsizei size = i ? SIZE / 2 : SIZE;
        glBindRenderbuffer(GL_RENDERBUFFER, rb[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, i ? GL_DEPTH24_STENCIL8 : GL_RGBA8, size, size);
        glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER,
                                  i ? GL_DEPTH_STENCIL_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                                  GL_RENDERBUFFER, rb[i]);
        if (!i) {
            glClearColor(1, 0, 0, 1);
            glClear(GL_COLOR_BUFFER_BIT);
        }
    }
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, fb);
    expect(SIZE / 2 - 1, SIZE / 2 - 1, 0, 1, 0);
    expect(SIZE / 2, SIZE / 2, 1, 0, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    expect(SIZE - 1, SIZE - 1, 0, 1, 0);
    /* It is also limited to the buffers that it reads. */
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBlitFramebuffer(0, 0, SIZE, SIZE, SIZE, 0, 0, SIZE, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    expect(SIZE / 2, SIZE / 2 - 1, 0, 1, 0);
    expect(SIZE / 2 - 1, SIZE / 2 - 1, 0, 0, 1);
    expect(SIZE / 2, SIZE / 2, 0, 0, 1);
    glDeleteFramebuffers(1, &fb);
    glDeleteRenderbuffers(2, rb);
}

/* Checks that a blit from a format without alpha writes an alpha of 1, even if the format is stored
 * with alpha. */
static void test_blit_opaque(void **state)
{
    static const struct {
        GLenum from, to, format;
    } cases[] = {
        {GL_RGB32F, GL_RGBA32F, GL_RGBA},
        {GL_RGB32UI, GL_RGBA32UI, GL_RGBA_INTEGER},
        {GL_RGB16UI, GL_RGBA32UI, GL_RGBA_INTEGER},
    };
    static const GLfloat floats[4] = {2, 3, 4, 5};
    static const GLuint integers[4] = {2, 3, 4, 5};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool integer = cases[i].format == GL_RGBA_INTEGER;
        GLuint fb[2], rb[2], got[4] = {0};
        GLfloat seen[4] = {0};
        glGenRenderbuffers(2, rb);
        glGenFramebuffers(2, fb);
        for (unsigned k = 0; k < 2; k++) {
            const GLenum target = k ? GL_DRAW_FRAMEBUFFER : GL_READ_FRAMEBUFFER;
            glBindFramebuffer(target, fb[k]);
            glBindRenderbuffer(GL_RENDERBUFFER, rb[k]);
            glRenderbufferStorage(GL_RENDERBUFFER, k ? cases[i].to : cases[i].from, 8, 8);
            glFramebufferRenderbuffer(target, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb[k]);
            assert_int_equal(glCheckFramebufferStatus(target), GL_FRAMEBUFFER_COMPLETE);
        }
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fb[0]);
        if (integer)
            glClearBufferuiv(GL_COLOR, 0, integers);
        else
            glClearBufferfv(GL_COLOR, 0, floats);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fb[1]);
        glBlitFramebuffer(0, 0, 4, 8, 8, 0, 0, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, fb[1]);
        if (integer)
            glReadPixels(3, 3, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, got);
        else
            glReadPixels(3, 3, 1, 1, GL_RGBA, GL_FLOAT, seen);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(integer ? got[c] : (GLuint)seen[c], c == 3 ? 1 : c + 2);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(2, fb);
        glDeleteRenderbuffers(2, rb);
    }
}

/* Checks formats that are not renderable. EXT_texture_shared_exponent allows GL_RGB9_E5 for
 * renderbuffers of EXT_framebuffer_object (issue 8), which only the compatibility profile has. */
static void test_renderbuffer_formats(void **state)
{
    enum gl_create_error error;
    GLuint rb, fb;
    GLint v = 0;
    glGenRenderbuffers(1, &rb);
    glGenFramebuffers(1, &fb);
    glBindRenderbuffer(GL_RENDERBUFFER, rb);
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB9_E5, 8, 8);
    expect_error(GL_NO_ERROR);
    glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_INTERNAL_FORMAT, &v);
    assert_int_equal(v, GL_RGB9_E5);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_UNSUPPORTED);
    glClear(GL_COLOR_BUFFER_BIT);
    expect_error(GL_INVALID_FRAMEBUFFER_OPERATION);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB8, 4, 4);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 8, 8);
    expect_error(GL_INVALID_ENUM);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fb);
    glDeleteRenderbuffers(1, &rb);
    struct gl_context *other = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_CORE, .major = 3, .minor = 2, .visual = &visual},
        &error);
    assert_true(other && core->make_current(other, drawable, drawable));
    glGenRenderbuffers(1, &rb);
    glBindRenderbuffer(GL_RENDERBUFFER, rb);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB8, 4, 4);
    expect_error(GL_NO_ERROR);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB9_E5, 8, 8);
    expect_error(GL_INVALID_ENUM);
    glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_INTERNAL_FORMAT, &v);
    assert_int_equal(v, GL_RGB8);
    glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, &v);
    assert_int_equal(v, 4);
    assert_true(core->make_current(*state, drawable, drawable));
    core->context_destroy(other);
}

/* Checks that clears of single buffers clamp depths in fixed-point buffers only (GL 4.6
 * §17.4.3.1). */
static void test_depth_clears(void **state)
{
    static const GLenum formats[] = {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT24};
    static const float depths[] = {2.0f, -1.5f};
    float values[64];
    GLuint t, fb;
    for (unsigned i = 0; i < 4; i++) {
        const bool fixed = i / 2;
        const float depth = depths[i % 2], want = !fixed ? depth : depth > 0.0f ? 1.0f : 0.0f;
        glGenTextures(1, &t);
        glBindTexture(GL_TEXTURE_2D, t);
        glTexStorage2D(GL_TEXTURE_2D, 1, formats[fixed], 4, 4);
        glGenFramebuffers(1, &fb);
        glBindFramebuffer(GL_FRAMEBUFFER, fb);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, t, 0);
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
        if (i % 2)
            glClearBufferfi(GL_DEPTH_STENCIL, 0, depth, 0);
        else
            glClearBufferfv(GL_DEPTH, 0, &depth);
        fetch_texels(t, values);
        assert_true(values[0] == want);
        glDeleteFramebuffers(1, &fb);
        glDeleteTextures(1, &t);
    }
}

/* Checks that blits and reads keep float depths outside of [0, 1], with and without stencil.
 * Integers are clamped (GL 4.6 §18.2.5). */
static void test_wide_depths(void **state)
{
    static const float depths[] = {2.0f, -1.5f, 0.25f};
    static const GLenum formats[] = {GL_DEPTH_COMPONENT32F, GL_DEPTH32F_STENCIL8};
    for (unsigned i = 0; i < 2 * ARRAY_SIZE(depths); i++) {
        const float depth = depths[i / 2];
        const GLushort fixed = depth > 1 ? 65535 : depth < 0 ? 0 : 16384;
        GLuint t[2], fb[2];
        GLushort word = 77;
        float got;
        glGenTextures(2, t);
        glGenFramebuffers(2, fb);
        for (unsigned k = 0; k < 2; k++) {
            glBindTexture(GL_TEXTURE_2D, t[k]);
            glTexStorage2D(GL_TEXTURE_2D, 1, formats[i % 2], 4, 4);
            glBindFramebuffer(GL_FRAMEBUFFER, fb[k]);
            glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, t[k], 0);
            glDrawBuffer(GL_NONE);
            glReadBuffer(GL_NONE);
        }
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fb[0]);
        glClearBufferfv(GL_DEPTH, 0, &depth);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, fb[0]);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fb[1]);
        glBlitFramebuffer(0, 0, 4, 4, 0, 0, 4, 4, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, fb[1]);
        glReadPixels(1, 1, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &got);
        assert_true(got == depth);
        glReadPixels(1, 1, 1, 1, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, &word);
        assert_int_equal(word, fixed);
        float texels[16];
        glGetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, GL_FLOAT, texels);
        assert_true(texels[5] == depth);
        expect_error(GL_NO_ERROR);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(2, fb);
        glDeleteTextures(2, t);
    }
}

/* Draws the result of an expression that reads the bound texture, and returns it in *got. */
static void sample(const char *type, const char *expression, float got[4])
{
    char text[400];
    GLuint target, fb, p;
    GLint texture;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
    snprintf(text, sizeof text,
             "#version 430 compatibility\nuniform %s t; out vec4 color;\n"
             "void main() { color = vec4(%s); }\n",
             type, expression);
    p = gl_test_program("#version 430 compatibility\nvoid main() { gl_Position = gl_Vertex; }\n",
                        text);
    bind_float_target(&target, &fb);
    glUseProgram(p);
    glBindTexture(GL_TEXTURE_2D, (GLuint)texture);
    glRectf(-1, -1, 1, 1);
    glReadPixels(1, 1, 1, 1, GL_RGBA, GL_FLOAT, got);
    gl_test_delete_program(p);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fb);
    glDeleteTextures(1, &target);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that border colors are clamped to the range of every kind of format. */
static void test_border_ranges(void **state)
{
    static const struct {
        GLenum internal;
        const char *sampler;
        float want[4]; /* of the border color 300, -300, NaN, 2 */
    } formats[] = {
        {GL_RGBA8, "sampler2D", {1, 0, 0, 1}},
        {GL_RGBA8_SNORM, "sampler2D", {1, -1, 0, 1}},
        {GL_COMPRESSED_RG_RGTC2, "sampler2D", {1, 0, 0, 1}},
        {GL_COMPRESSED_SIGNED_RG_RGTC2, "sampler2D", {1, -1, 0, 1}},
        {GL_COMPRESSED_RG11_EAC, "sampler2D", {1, 0, 0, 1}},
        {GL_COMPRESSED_SIGNED_RG11_EAC, "sampler2D", {1, -1, 0, 1}},
        {GL_SRGB8_ALPHA8, "sampler2D", {1, 0, 0, 1}},
        {GL_RG16F, "sampler2D", {300, -300, 0, 1}},
        {GL_R11F_G11F_B10F, "sampler2D", {300, 0, NAN, 1}},
        {GL_RGB9_E5, "sampler2D", {300, 0, NAN, 1}},
        {GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, "sampler2D", {300, 0, NAN, 1}},
        {GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, "sampler2D", {300, -300, NAN, 1}},
        /* the border color 300, -300, 70000, 2 */
        {GL_RGBA8I, "isampler2D", {127, -128, 127, 2}},
        {GL_RGBA8UI, "usampler2D", {255, 255, 255, 2}},
        {GL_RGBA16I, "isampler2D", {300, -300, 32767, 2}},
        {GL_RGBA16UI, "usampler2D", {300, 65535, 65535, 2}},
        {GL_RGB10_A2UI, "usampler2D", {300, 1023, 1023, 2}},
        {GL_RGBA32I, "isampler2D", {300, -300, 70000, 2}},
        {GL_STENCIL_INDEX8, "usampler2D", {255, 0, 0, 1}},
    };
    static const float border[4] = {300, -300, NAN, 2};
    static const GLint integers[4] = {300, -300, 70000, 2};
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        float got[4];
        GLuint t;
        glGenTextures(1, &t);
        glBindTexture(GL_TEXTURE_2D, t);
        glTexStorage2D(GL_TEXTURE_2D, 1, formats[i].internal, 4, 4);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
        if (formats[i].sampler[0] == 's')
            glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
        else
            glTexParameterIiv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, integers);
        sample(formats[i].sampler, "texture(t, vec2(-2))", got);
        for (unsigned c = 0; c < 4; c++)
            if (isnan(formats[i].want[c]) ? !isnan(got[c]) : got[c] != formats[i].want[c])
                fail_msg("0x%x, component %u: %g, not %g", formats[i].internal, c, (double)got[c],
                         (double)formats[i].want[c]);
        glDeleteTextures(1, &t);
    }
}

/* Checks which levels texel fetches can access without a filter that uses mipmaps: those up to the
 * first one that doesn't belong to the pyramid. */
static void test_fetched_levels(void **state)
{
    static const float texels[64 * 4];
    float fill[64], got[4];
    GLuint t;
    for (unsigned odd = 0; odd < 4; odd++) { /* first level that doesn't fit */
        glGenTextures(1, &t);
        glBindTexture(GL_TEXTURE_2D, t);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 8, 8, 0, GL_RED, GL_FLOAT, texels);
        for (GLint l = 1; l < 4; l++) {
            for (unsigned i = 0; i < 64; i++)
                fill[i] = (float)l;
            if (odd != 3 || l != 3) /* a missing level */
                glTexImage2D(GL_TEXTURE_2D, l, odd == 1 && l == 1 ? GL_R16F : GL_R32F,
                             odd == 2 && l == 2 ? 3 : 8 >> l, 8 >> l, 0, GL_RED, GL_FLOAT, fill);
        }
        const unsigned levels = odd ? odd : 4;
        sample("sampler2D",
               "vec4(textureQueryLevels(t), texelFetch(t, ivec2(0), 1).r,"
               "texelFetch(t, ivec2(0), 2).r, textureLod(t, vec2(0.5), 2.0).r)",
               got);
        assert_true(got[0] == (float)levels);
        assert_true(got[1] == (levels > 1 ? 1.0f : 0.0f));
        assert_true(got[2] == (levels > 2 ? 2.0f : 0.0f));
        assert_true(got[3] == 0);
        glDeleteTextures(1, &t);
    }
    /* levels that are specified between draws */
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    for (GLint l = 0; l < 4; l++) {
        for (unsigned i = 0; i < 64; i++)
            fill[i] = (float)(l + 1);
        glTexImage2D(GL_TEXTURE_2D, l, GL_R32F, 8 >> l, 8 >> l, 0, GL_RED, GL_FLOAT, fill);
        sample("sampler2D",
               "vec4(textureQueryLevels(t), texelFetch(t, ivec2(0), 0).r,"
               "texelFetch(t, ivec2(0), textureQueryLevels(t) - 1).r, textureSize(t, 0).x)",
               got);
        assert_true(got[0] == (float)(l + 1) && got[1] == 1 && got[2] == (float)(l + 1));
        assert_true(got[3] == 8);
    }
    glDeleteTextures(1, &t);
}

/* Checks which formats are no formats at all for parts of compressed images (§8.7). */
static void test_compressed_errors(void **state)
{
    static const uint8_t block[8];
    static const struct {
        GLenum format, error;
    } rows[] = {
        {GL_RGB, GL_INVALID_OPERATION},
        {GL_RGBA8, GL_INVALID_OPERATION},
        {0x1234, GL_INVALID_OPERATION},
        {GL_COMPRESSED_SIGNED_RED_RGTC1, GL_INVALID_OPERATION},
        {GL_COMPRESSED_RED, GL_INVALID_ENUM},
        {GL_COMPRESSED_RGB, GL_INVALID_ENUM},
        {GL_COMPRESSED_RED_RGTC1, GL_NO_ERROR},
    };
    GLuint t = make_blocks(GL_COMPRESSED_RED_RGTC1, 8, block);
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, rows[i].format, 8, block);
        expect_error(rows[i].error);
    }
    glDeleteTextures(1, &t);
}

/* Checks which compressed formats 3D textures and 2D arrays take from pixels (§8.5). */
static void test_compressed_volumes(void **state)
{
    static const struct {
        GLenum internal;
        bool volume;
    } rows[] = {
        {GL_COMPRESSED_RED_RGTC1, false},
        {GL_COMPRESSED_SIGNED_RED_RGTC1, false},
        {GL_COMPRESSED_RG_RGTC2, false},
        {GL_COMPRESSED_SIGNED_RG_RGTC2, false},
        {GL_COMPRESSED_RGBA_BPTC_UNORM, true},
        {GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, true},
        {GL_COMPRESSED_RGBA, true},
    };
    GLuint t[2];
    glGenTextures(2, t);
    glBindTexture(GL_TEXTURE_3D, t[0]);
    glBindTexture(GL_TEXTURE_2D_ARRAY, t[1]);
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, (GLint)rows[i].internal, 4, 4, 4, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, NULL);
        expect_error(GL_NO_ERROR);
        glTexImage3D(GL_TEXTURE_3D, 0, (GLint)rows[i].internal, 4, 4, 4, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, NULL);
        expect_error(rows[i].volume ? GL_NO_ERROR : GL_INVALID_OPERATION);
    }
    glDeleteTextures(2, t);
}

static void test_clear_query(void **state)
{
    static const struct {
        GLenum target, internal, support;
    } rows[] = {
        {GL_TEXTURE_2D, GL_RGBA8, GL_FULL_SUPPORT},
        {GL_TEXTURE_RECTANGLE, GL_R32UI, GL_FULL_SUPPORT},
        {GL_TEXTURE_2D, GL_COMPRESSED_RED_RGTC1, GL_NONE},
        {GL_TEXTURE_2D, GL_COMPRESSED_RGB, GL_NONE},
        {GL_TEXTURE_RECTANGLE, GL_COMPRESSED_RGB8_ETC2, GL_NONE},
        {GL_TEXTURE_BUFFER, GL_RGBA8, GL_NONE},
        {GL_RENDERBUFFER, GL_RGBA8, GL_NONE},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        GLint v = -1;
        GLint64 wide = -1;
        glGetInternalformativ(rows[i].target, rows[i].internal, GL_CLEAR_TEXTURE, 1, &v);
        glGetInternalformati64v(rows[i].target, rows[i].internal, GL_CLEAR_TEXTURE, 1, &wide);
        assert_int_equal(v, rows[i].support);
        assert_int_equal(wide, rows[i].support);
    }
    expect_error(GL_NO_ERROR);
}

/* Checks that fixed function draws no fragments to integer color buffers (EXT_texture_integer). */
static void test_integer_buffers(void **state)
{
    static const float pixel[4];
    GLuint t[2], fb;
    glGenTextures(2, t);
    glGenFramebuffers(1, &fb);
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    for (unsigned i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, t[i]);
        glTexStorage2D(GL_TEXTURE_2D, 1, i ? GL_RGBA8I : GL_RGBA8, 8, 8);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D, t[i], 0);
    }
    glBindTexture(GL_TEXTURE_2D, 0);
    for (unsigned i = 0; i < 2; i++) {
        const GLenum error = i ? GL_INVALID_OPERATION : GL_NO_ERROR;
        glDrawBuffer(GL_COLOR_ATTACHMENT0 + i);
        glRectf(-1, -1, 1, 1);
        expect_error(error);
        glDrawArrays(GL_POINTS, 0, 1);
        expect_error(error);
        glWindowPos2i(0, 0);
        glDrawPixels(1, 1, GL_RGBA, GL_FLOAT, pixel);
        expect_error(error);
        glBitmap(1, 1, 0, 0, 0, 0, (const GLubyte *)pixel);
        expect_error(error);
        glCopyPixels(0, 0, 1, 1, GL_COLOR);
        expect_error(error);
        glClear(GL_COLOR_BUFFER_BIT);
        expect_error(GL_NO_ERROR);
    }
    /* GL 4.6 compatibility §18.3.1: the read buffer must not have integers either. */
    glDrawBuffer(GL_COLOR_ATTACHMENT0);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glCopyPixels(0, 0, 1, 1, GL_COLOR);
    expect_error(GL_INVALID_OPERATION);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fb);
    glDeleteTextures(2, t);
}

/* Checks labels of EXT_debug_label: both sets of names, lengths, and names that are not bound
 * yet. */
static void test_labels(void **state)
{
    static const GLenum kinds[][2] = {{GL_BUFFER_OBJECT_EXT, GL_BUFFER},
                                      {GL_VERTEX_ARRAY_OBJECT_EXT, GL_VERTEX_ARRAY},
                                      {GL_FRAMEBUFFER, GL_FRAMEBUFFER},
                                      {GL_RENDERBUFFER, GL_RENDERBUFFER}};
    char text[16];
    GLsizei n;
    for (unsigned i = 0; i < 2 * ARRAY_SIZE(kinds); i++) {
        GLuint name;
        switch (kinds[i / 2][1]) {
        case GL_BUFFER:
            glGenBuffers(1, &name);
            break;
        case GL_VERTEX_ARRAY:
            glGenVertexArrays(1, &name);
            break;
        case GL_FRAMEBUFFER:
            glGenFramebuffers(1, &name);
            break;
        default:
            glGenRenderbuffers(1, &name);
        }
        glLabelObjectEXT(kinds[i / 2][i & 1], name, 3, "label");
        memset(text, 'x', sizeof text);
        glGetObjectLabelEXT(kinds[i / 2][!(i & 1)], name, sizeof text, &n, text);
        assert_string_equal(text, "lab");
        assert_int_equal(n, 3);
        memset(text, 'x', sizeof text);
        glGetObjectLabelEXT(kinds[i / 2][0], name, 3, &n, text);
        assert_string_equal(text, "la");
        assert_int_equal(n, 2);
        glLabelObjectEXT(kinds[i / 2][0], name, 0, NULL);
        glGetObjectLabelEXT(kinds[i / 2][0], name, sizeof text, &n, text);
        assert_string_equal(text, "");
        assert_int_equal(n, 0);
        expect_error(GL_NO_ERROR);
    }
    glLabelObjectEXT(GL_BUFFER_OBJECT_EXT, 12345, 0, "x");
    expect_error(GL_INVALID_OPERATION);
    glLabelObjectEXT(GL_ARRAY_BUFFER, 1, 0, "x");
    expect_error(GL_INVALID_ENUM);
    glLabelObjectEXT(GL_BUFFER_OBJECT_EXT, 1, -1, "x");
    expect_error(GL_INVALID_VALUE);
}

/* Checks that depth ranges have the precision of floats. */
static void test_depth_range(void **state)
{
    GLdouble v[2];
    glDepthRangeIndexed(2, 0.1, 0.7);
    glGetDoublei_v(GL_DEPTH_RANGE, 2, v);
    assert_true(v[0] == (double)0.1f && v[1] == (double)0.7f);
    glDepthRange(0.2, 0.9);
    glGetDoublev(GL_DEPTH_RANGE, v);
    assert_true(v[0] == (double)0.2f && v[1] == (double)0.9f);
    glDepthRange(0, 1);
}

/* Checks that a context has no extensions of ES alone. */
static void test_extensions(void **state)
{
    GLint n;
    glGetIntegerv(GL_NUM_EXTENSIONS, &n);
    for (GLint i = 0; i < n; i++)
        assert_string_not_equal((const char *)glGetStringi(GL_EXTENSIONS, i), "GL_OES_EGL_sync");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_views),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_buffer_texture_sizes),
        cmocka_unit_test(test_copy_completeness),
        cmocka_unit_test(test_depth_stencil_errors),
        cmocka_unit_test(test_depth_copies),
        cmocka_unit_test(test_compressed_volumes),
        cmocka_unit_test(test_compressed_errors),
        cmocka_unit_test(test_clear_query),
        cmocka_unit_test(test_integer_buffers),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_depth_range),
        cmocka_unit_test(test_extensions),
        cmocka_unit_test(test_depth_clears),
        cmocka_unit_test(test_wide_depths),
        cmocka_unit_test(test_border_ranges),
        cmocka_unit_test(test_fetched_levels),
        cmocka_unit_test(test_renderbuffer_formats),
        cmocka_unit_test(test_blit_sizes),
        cmocka_unit_test(test_blit_opaque),
        cmocka_unit_test(test_signed_blending),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
