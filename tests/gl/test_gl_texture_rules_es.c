/* SPDX-License-Identifier: MIT */
/*
 * Rules of textures, framebuffers, copies and blits in OpenGL ES 3.2: attachments with one aspect,
 * completeness, copies to textures, blits, formats that commands accept.
 */
#define GL_GLEXT_PROTOTYPES
#include <GLES3/gl32.h>
#include <GLES2/gl2ext.h>

#include "gl_test.h"
#include "util/macros.h"

#ifndef GL_BGRA8_EXT
#define GL_BGRA8_EXT 0x93A1
#endif

enum { SIZE = 16 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_ES2, &window);
}

static GLuint make_framebuffer(void)
{
    GLuint fb;
    glGenFramebuffers(1, &fb);
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    return fb;
}

/* Creates a texture with storage, bound. */
static GLuint make_texture(GLenum internal, GLsizei size)
{
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexStorage2D(GL_TEXTURE_2D, 1, internal, size, size);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return t;
}

static GLuint make_renderbuffer(GLenum internal, GLsizei samples)
{
    GLuint rb;
    glGenRenderbuffers(1, &rb);
    glBindRenderbuffer(GL_RENDERBUFFER, rb);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, internal, SIZE, SIZE);
    return rb;
}

/* ------------------------------------------------------- attachments with one aspect --- */

static GLuint triangle(void)
{
    return gl_test_program(
        "#version 320 es\n"
        "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0,\n"
        "                                 gl_VertexID == 2 ? 3.0 : -1.0, 0.5, 1.0); }\n",
        "#version 320 es\n"
        "out lowp vec4 color;\n"
        "void main() { color = vec4(0.0, 1.0, 0.0, 1.0); }\n");
}

static GLint get_int(GLenum pname)
{
    GLint v = -1;
    glGetIntegerv(pname, &v);
    return v;
}

/* Draws with tests that fail if the buffer of the missing aspect is used, and checks the queries
 * and copies that need it. */
static void check_one_aspect(GLenum format, GLenum point)
{
    const bool has_depth = point == GL_DEPTH_ATTACHMENT;
    GLuint color = make_renderbuffer(GL_RGBA8, 0), zs = make_renderbuffer(format, 0), t;
    GLuint fb = make_framebuffer();
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, zs);
    /* contents that the missing aspect keeps */
    glClearBufferfi(GL_DEPTH_STENCIL, 0, 0.25f, 3);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER,
                              has_depth ? GL_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT,
                              GL_RENDERBUFFER, 0);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    assert_int_equal(get_int(GL_DEPTH_BITS) > 0, has_depth);
    assert_int_equal(get_int(GL_STENCIL_BITS) > 0, !has_depth);
    glClearColor(0, 0, 0, 0);
    glClearDepthf(1);
    glClearStencil(9);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);

    /* without its buffer, a test is as if disabled */
    glEnable(has_depth ? GL_STENCIL_TEST : GL_DEPTH_TEST);
    glStencilFunc(GL_NEVER, 7, 0xff);
    glStencilOp(GL_REPLACE, GL_REPLACE, GL_REPLACE);
    glDepthFunc(GL_NEVER);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(8, 8, 0, 1, 0);
    glDepthFunc(GL_ALWAYS);
    glStencilFunc(GL_ALWAYS, 7, 0xff);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);

    /* copies need both */
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_STENCIL, 0, 0, 8, 8, 0);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDeleteTextures(1, &t);

    /* the missing aspect has kept its contents */
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, zs);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glStencilFunc(GL_EQUAL, has_depth ? 3 : 7, 0xff);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(has_depth ? GL_LEQUAL : GL_GREATER); /* the triangle's depth is 0.75 */
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    expect(8, 8, 0, 1, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fb);
    glDeleteRenderbuffers(2, (GLuint[]){color, zs});
}

static void test_one_aspect(void **state)
{
    static const GLenum formats[] = {GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8};
    GLuint p = triangle();
    glUseProgram(p);
    glViewport(0, 0, SIZE, SIZE);
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        check_one_aspect(formats[i], GL_DEPTH_ATTACHMENT);
        check_one_aspect(formats[i], GL_STENCIL_ATTACHMENT);
    }
    gl_test_delete_program(p);
}

/* ----------------------------------------------------------------------- completeness --- */

static void expect_status(bool complete)
{
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER),
                     complete ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
}

static void level(GLenum target, GLint level, GLsizei size, GLenum internal)
{
    glTexImage2D(target, level, internal, size, size, 0, internal == GL_RGB8 ? GL_RGB : GL_RGBA,
                 GL_UNSIGNED_BYTE, NULL);
}

static void attach(GLuint texture, GLint level)
{
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, level);
}

/* Checks levels of two-dimensional textures (ES 3.2 §9.4.1). */
static void test_levels(void **state)
{
    GLuint t, fb = make_framebuffer();
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    level(GL_TEXTURE_2D, 0, 16, GL_RGBA8);
    level(GL_TEXTURE_2D, 1, 8, GL_RGBA8);
    for (GLint max = 0; max < 5; max++) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, max);
        attach(t, 0);
        expect_status(true);
        attach(t, 1);
        expect_status(max < 2);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    expect_status(true);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    expect_status(true);
    level(GL_TEXTURE_2D, 1, 8, GL_RGBA4); /* another format */
    expect_status(false);
    level(GL_TEXTURE_2D, 1, 4, GL_RGBA8); /* another size */
    expect_status(false);
    level(GL_TEXTURE_2D, 1, 8, GL_RGBA8);
    expect_status(true);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteTextures(1, &t);
    glDeleteFramebuffers(1, &fb);
}

static void cube(GLuint *t, unsigned faces, GLenum odd_format, GLsizei odd_size)
{
    glGenTextures(1, t);
    glBindTexture(GL_TEXTURE_CUBE_MAP, *t);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAX_LEVEL, 1);
    for (unsigned f = 0; f < faces; f++)
        for (GLint l = 0; l < 2; l++)
            level(GL_TEXTURE_CUBE_MAP_POSITIVE_X + f, l, (f & 1 ? odd_size : 16) >> l,
                  f & 1 ? odd_format : GL_RGBA8);
}

static void test_cubes(void **state)
{
    static const struct {
        unsigned faces;
        GLenum odd_format;
        GLsizei odd_size;
        bool complete;
    } cubes[] = {
        {6, GL_RGBA8, 16, true}, {5, GL_RGBA8, 16, false},        {1, GL_RGBA8, 16, false},
        {6, GL_RGB8, 16, false}, {6, GL_SRGB8_ALPHA8, 16, false}, {6, GL_RGBA8, 32, false},
    };
    GLuint t, fb = make_framebuffer();
    for (unsigned i = 0; i < ARRAY_SIZE(cubes); i++) {
        cube(&t, cubes[i].faces, cubes[i].odd_format, cubes[i].odd_size);
        for (GLint l = 0; l < 2; l++) {
            glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, l);
            expect_status(cubes[i].complete);
            glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                   GL_TEXTURE_CUBE_MAP_POSITIVE_X, t, l);
            expect_status(cubes[i].complete || l == 0);
        }
        glDeleteTextures(1, &t);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fb);
}

/* Checks arrays and three-dimensional textures with two of the four levels. */
static void test_array_levels(void **state)
{
    static const GLenum targets[] = {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP_ARRAY};
    GLuint t, fb = make_framebuffer();
    for (unsigned i = 0; i < ARRAY_SIZE(targets); i++) {
        const GLsizei layers = targets[i] == GL_TEXTURE_3D ? 3 : 6;
        glGenTextures(1, &t);
        glBindTexture(targets[i], t);
        glTexImage3D(targets[i], 0, GL_RGBA8, 8, 8, 6, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
        glTexImage3D(targets[i], 1, GL_RGBA8, 4, 4, layers, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
        for (unsigned layered = 0; layered < 2; layered++)
            for (GLint l = 0; l < 2; l++)
                for (GLint max = 1; max < 3; max++) {
                    glTexParameteri(targets[i], GL_TEXTURE_MAX_LEVEL, max);
                    if (layered)
                        glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, l);
                    else
                        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, l, 2);
                    expect_status(l == 0 || max == 1);
                }
        glDeleteTextures(1, &t);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fb);
}

static void test_attachments_without_images(void **state)
{
    static const GLenum points[] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT,
                                    GL_STENCIL_ATTACHMENT};
    GLuint t, rb, fb = make_framebuffer();
    GLint v;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glGenRenderbuffers(1, &rb);
    glBindRenderbuffer(GL_RENDERBUFFER, rb);
    for (unsigned i = 0; i < 2 * ARRAY_SIZE(points); i++) {
        const GLenum point = points[i / 2];
        if (i % 2)
            glFramebufferTexture2D(GL_FRAMEBUFFER, point, GL_TEXTURE_2D, t, 0);
        else
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, point, GL_RENDERBUFFER, rb);
        v = -1;
        glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, point,
                                              GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, &v);
        assert_int_equal(v, GL_NONE);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteTextures(1, &t);
    glDeleteRenderbuffers(1, &rb);
    glDeleteFramebuffers(1, &fb);
}

/* ------------------------------------------------------------------ copies to textures --- */

/* Integer formats: components, bits per component (0: 10, 10, 10, 2) and sign. */
static const struct integer_format {
    GLenum internal;
    unsigned components, bits;
    bool is_signed;
} integer_formats[] = {
    {GL_R8UI, 1, 8, false},       {GL_RG8UI, 2, 8, false},   {GL_RGBA8UI, 4, 8, false},
    {GL_R16UI, 1, 16, false},     {GL_RG16UI, 2, 16, false}, {GL_RGBA16UI, 4, 16, false},
    {GL_R32UI, 1, 32, false},     {GL_RG32UI, 2, 32, false}, {GL_RGBA32UI, 4, 32, false},
    {GL_R8I, 1, 8, true},         {GL_RG8I, 2, 8, true},     {GL_RGBA8I, 4, 8, true},
    {GL_R16I, 1, 16, true},       {GL_RG16I, 2, 16, true},   {GL_RGBA16I, 4, 16, true},
    {GL_R32I, 1, 32, true},       {GL_RG32I, 2, 32, true},   {GL_RGBA32I, 4, 32, true},
    {GL_RGB10_A2UI, 4, 0, false},
};

static void read_integers(bool is_signed, GLuint v[4])
{
    glReadPixels(0, 0, 1, 1, GL_RGBA_INTEGER, is_signed ? GL_INT : GL_UNSIGNED_INT, v);
}

static void attach_and_check(GLuint fb, GLuint t)
{
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    attach(t, 0);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
}

/* Checks that copies between integer formats with components of one size keep the values, into a
 * new image and into part of one. Formats with other components are refused. */
static void check_integer_copy(GLuint fb, const struct integer_format *from,
                               const struct integer_format *to, bool part)
{
    const bool can = to->components <= from->components &&
                     (part || (to->bits == from->bits && to->is_signed == from->is_signed)) &&
                     to->is_signed == from->is_signed && to->bits == from->bits;
    GLuint source = make_texture(from->internal, 4), copy, want[4], got[4];
    const GLuint large[4] = {0xf1a2b3c4, 0x81234567, 0xffffffff, 0x90abcdef};
    const GLint negative[4] = {-0x70123456, 0x7fffffff, -1, -0x80};
    if (part && !can) /* whether subimages convert is up to the implementation */
        return;
    attach_and_check(fb, source);
    if (from->is_signed)
        glClearBufferiv(GL_COLOR, 0, negative);
    else
        glClearBufferuiv(GL_COLOR, 0, large);
    read_integers(from->is_signed, want);
    if (part) {
        copy = make_texture(to->internal, 4);
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
    } else {
        glGenTextures(1, &copy);
        glBindTexture(GL_TEXTURE_2D, copy);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, to->internal, 0, 0, 4, 4, 0);
    }
    assert_int_equal(glGetError(), can ? GL_NO_ERROR : GL_INVALID_OPERATION);
    if (can) {
        attach_and_check(fb, copy);
        read_integers(to->is_signed, got);
        for (unsigned c = 0; c < to->components; c++)
            if (got[c] != want[c])
                fail_msg("0x%x to 0x%x: component %u is %08x, not %08x", from->internal,
                         to->internal, c, got[c], want[c]);
    }
    glDeleteTextures(2, (GLuint[]){source, copy});
}

static void test_integer_copies(void **state)
{
    GLuint fb = make_framebuffer();
    for (unsigned a = 0; a < ARRAY_SIZE(integer_formats); a++)
        for (unsigned b = 0; b < ARRAY_SIZE(integer_formats); b++)
            for (unsigned part = 0; part < 2; part++)
                check_integer_copy(fb, &integer_formats[a], &integer_formats[b], part);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fb);
}

/* Checks that copies keep the color encoding, whether or not the framebuffer encodes
 * (EXT_sRGB_write_control). */
static void test_encodings(void **state)
{
    static const GLenum formats[] = {GL_RGBA8, GL_SRGB8_ALPHA8, GL_RGB8, GL_SRGB8, GL_R8};
    GLuint fb = make_framebuffer(), t;
    uint8_t texel[4];
    for (unsigned enabled = 0; enabled < 2; enabled++)
        for (unsigned from = 0; from < 2; from++)
            for (unsigned to = 0; to < ARRAY_SIZE(formats); to++) {
                GLuint source = make_texture(formats[from], 4);
                attach_and_check(fb, source);
                glDisable(GL_FRAMEBUFFER_SRGB_EXT);
                glClearColor(0.2f, 0.4f, 0.6f, 1);
                glClear(GL_COLOR_BUFFER_BIT);
                if (enabled)
                    glEnable(GL_FRAMEBUFFER_SRGB_EXT);
                glGenTextures(1, &t);
                glBindTexture(GL_TEXTURE_2D, t);
                glCopyTexImage2D(GL_TEXTURE_2D, 0, formats[to], 0, 0, 4, 4, 0);
                const bool can = from == 1 ? to == 1 || to == 3 : to != 1 && to != 3;
                assert_int_equal(glGetError(), can ? GL_NO_ERROR : GL_INVALID_OPERATION);
                if (can && to != 3) {
                    attach_and_check(fb, t);
                    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
                    assert_int_equal(texel[0], 51);
                    assert_int_equal(texel[1], to == 4 ? 0 : 102);
                }
                glDeleteTextures(2, (GLuint[]){source, t});
            }
    glEnable(GL_FRAMEBUFFER_SRGB_EXT);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fb);
}

/* ------------------------------------------------------------------------------- blits --- */

/* Returns the coordinate of a destination pixel in the source, in texels. */
static double source_of(int i, GLint d0, GLint d1, GLint s0, GLint s1)
{
    return s0 + (i + 0.5 - d0) / ((double)d1 - d0) * ((double)s1 - s0);
}

/* Returns what a blit writes at a source coordinate of a ramp of 16 texels, 16 apart; -1:
 * nothing. */
static double ramp(double x, bool linear)
{
    if (x < 0 || x >= SIZE)
        return -1;
    return linear ? 16 * fmin(fmax(x - 0.5, 0), SIZE - 1) : 16 * floor(x);
}

static void check_blit(const GLint s[2], const GLint d[2], bool linear)
{
    uint8_t row[SIZE][4];
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBlitFramebuffer(s[0], 0, s[1], 4, d[0], 0, d[1], 4, GL_COLOR_BUFFER_BIT,
                      linear ? GL_LINEAR : GL_NEAREST);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    GLint read = get_int(GL_READ_FRAMEBUFFER_BINDING);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, get_int(GL_DRAW_FRAMEBUFFER_BINDING));
    glReadPixels(0, 0, SIZE, 1, GL_RGBA, GL_UNSIGNED_BYTE, row);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, read);
    for (int i = 0; i < SIZE; i++) {
        const bool inside = i >= (d[0] < d[1] ? d[0] : d[1]) && i < (d[0] < d[1] ? d[1] : d[0]);
        const double want = inside ? ramp(source_of(i, d[0], d[1], s[0], s[1]), linear) : -1;
        if (want < 0 ? row[i][2] != 255 : row[i][2] != 0 || fabs(row[i][0] - want) > 1.1)
            fail_msg("%d..%d to %d..%d: pixel %d is %d, not %g", s[0], s[1], d[0], d[1], i,
                     row[i][2] ? -1 : row[i][0], want);
    }
}

/* Checks that scale and offset of blits come from the whole rectangles (§16.2.1), with either
 * filter, mirrored, and with rectangles of more than 2^31 pixels. */
static void test_blit_scale(void **state)
{
    static const GLint sources[][2] = {{0, 16},    {-5, 16},    {-5, 21}, {3, 40},
                                       {-100, 16}, {-100, 500}, {13, 16}, {-3, 2}};
    static const GLint targets[][2] = {{0, 16}, {3, 11}, {-7, 9}, {-30, 50}, {5, 100}, {0, 7}};
    GLuint source = make_texture(GL_RGBA8, SIZE), fb[2];
    uint8_t texels[SIZE][SIZE][4];
    for (unsigned y = 0; y < SIZE; y++)
        for (unsigned x = 0; x < SIZE; x++) {
            const uint8_t texel[4] = {16 * x, 0, 0, 255};
            memcpy(texels[y][x], texel, 4);
        }
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    fb[0] = make_framebuffer();
    attach(source, 0);
    GLuint target = make_texture(GL_RGBA8, SIZE);
    fb[1] = make_framebuffer();
    attach(target, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, fb[0]);
    for (unsigned i = 0; i < ARRAY_SIZE(sources); i++)
        for (unsigned k = 0; k < ARRAY_SIZE(targets); k++)
            for (unsigned linear = 0; linear < 2; linear++) {
                /* blits without scaling are not filtered */
                const GLint back[2] = {targets[k][1], targets[k][0]};
                const bool same = sources[i][1] - sources[i][0] == targets[k][1] - targets[k][0];
                if (linear && same)
                    continue;
                check_blit(sources[i], targets[k], linear);
                check_blit(sources[i], back, linear);
            }
    check_blit((GLint[]){0, SIZE}, (GLint[]){INT32_MIN, INT32_MAX}, false);
    check_blit((GLint[]){INT32_MIN, INT32_MAX}, (GLint[]){0, SIZE}, false);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteTextures(2, (GLuint[]){source, target});
    glDeleteFramebuffers(2, fb);
}

/* Checks which formats a multisample buffer resolves to (§16.2.1). */
static void test_resolve_formats(void **state)
{
    static const GLenum formats[] = {GL_RGBA8,    GL_RGB8,    GL_RGBA4, GL_RGB5_A1, GL_RGB565,
                                     GL_RGB10_A2, GL_RGBA16F, GL_R8,    GL_RG8,     GL_RGBA32F};
    for (unsigned a = 0; a < ARRAY_SIZE(formats); a++)
        for (unsigned b = 0; b < ARRAY_SIZE(formats); b++) {
            GLuint many = make_renderbuffer(formats[a], 4), fb[2];
            fb[0] = make_framebuffer();
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, many);
            GLuint one = make_renderbuffer(formats[b], 0);
            fb[1] = make_framebuffer();
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, one);
            glBindFramebuffer(GL_READ_FRAMEBUFFER, fb[0]);
            glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
            assert_int_equal(glGetError(), a == b ? GL_NO_ERROR : GL_INVALID_OPERATION);
            glDeleteFramebuffers(2, fb);
            glDeleteRenderbuffers(2, (GLuint[]){many, one});
        }
    /* the window may store blue first */
    GLuint many = make_renderbuffer(GL_RGBA8, 4), fb = make_framebuffer();
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, many);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    expect_error(GL_NO_ERROR);
    glDeleteFramebuffers(1, &fb);
    glDeleteRenderbuffers(1, &many);
}

/* ----------------------------------------------------------------------------- formats --- */

/* Checks EXT_texture_format_BGRA8888. */
static void test_bgra(void **state)
{
    static const GLenum formats[] = {GL_BGRA_EXT, GL_BGRA8_EXT};
    static const uint8_t texels[4 * 4 * 4] = {10, 20, 30, 255};
    uint8_t texel[4];
    GLint v;
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        GLuint t, fb = make_framebuffer(), rb = make_renderbuffer(formats[i], 0);
        expect_error(GL_NO_ERROR);
        glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_INTERNAL_FORMAT, &v);
        assert_int_equal(v, formats[i]);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
        expect_status(true);
        glGenTextures(1, &t);
        glBindTexture(GL_TEXTURE_2D, t);
        glTexImage2D(GL_TEXTURE_2D, 0, formats[i], 4, 4, 0, GL_BGRA_EXT, GL_UNSIGNED_BYTE, texels);
        expect_error(GL_NO_ERROR);
        attach(t, 0);
        expect_status(true);
        glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
        assert_memory_equal(texel, ((uint8_t[]){30, 20, 10, 255}), 4);
        glTexImage2D(GL_TEXTURE_2D, 0, formats[i], 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        expect_error(GL_INVALID_OPERATION);
        glTexImage2D(GL_TEXTURE_2D, 0, formats[i], 4, 4, 0, GL_BGRA_EXT, GL_FLOAT, NULL);
        expect_error(GL_INVALID_OPERATION);
        glDeleteTextures(1, &t);
        glGenTextures(1, &t);
        glBindTexture(GL_TEXTURE_2D, t);
        glTexStorage2D(GL_TEXTURE_2D, 1, formats[i], 4, 4);
        expect_error(i ? GL_NO_ERROR : GL_INVALID_ENUM); /* sized formats only */
        glDeleteTextures(1, &t);
        glDeleteFramebuffers(1, &fb);
        glDeleteRenderbuffers(1, &rb);
    }
}

/* Checks the errors of commands that replace parts of compressed images. */
static void test_compressed_errors(void **state)
{
    static const GLenum others[] = {GL_RGB,
                                    GL_RGBA,
                                    GL_RGBA8,
                                    0x1234,
                                    0x84ed, /* a generic format of desktop GL */
                                    GL_COMPRESSED_R11_EAC,
                                    GL_COMPRESSED_RGBA_ASTC_4x4};
    static const uint8_t blocks[6 * 16];
    static const GLenum targets[] = {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP_ARRAY};
    GLuint t;
    for (unsigned i = 0; i < ARRAY_SIZE(targets); i++) {
        glGenTextures(1, &t);
        glBindTexture(targets[i], t);
        glCompressedTexImage3D(targets[i], 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 6, 0, 6 * 8, blocks);
        expect_error(GL_NO_ERROR);
        for (unsigned k = 0; k < ARRAY_SIZE(others); k++) {
            glCompressedTexSubImage3D(targets[i], 0, 0, 0, 0, 4, 4, 6, others[k], 6 * 8, blocks);
            expect_error(GL_INVALID_OPERATION);
        }
        /* no command makes these blocks from pixels */
        glTexSubImage3D(targets[i], 0, 0, 0, 0, 4, 4, 1, GL_RGB, GL_UNSIGNED_BYTE, blocks);
        expect_error(GL_INVALID_VALUE);
        glDeleteTextures(1, &t);
    }
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGBA_ASTC_4x4, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 NULL);
    expect_error(GL_INVALID_VALUE);
    glDeleteTextures(1, &t);
}

/* Checks that values that ES doesn't have are no formats and types, others no valid pairs. */
static void test_format_enums(void **state)
{
    static const struct {
        GLenum format, type, error;
    } pairs[] = {
        {GL_RGBA, GL_UNSIGNED_BYTE, GL_NO_ERROR},
        {GL_RGBA, GL_UNSIGNED_SHORT_5_6_5, GL_INVALID_OPERATION},
        {GL_RGBA, 0x8032 /* UNSIGNED_BYTE_3_3_2 */, GL_INVALID_ENUM},
        {GL_RGBA, 0x8035 /* UNSIGNED_INT_8_8_8_8 */, GL_INVALID_ENUM},
        {GL_RGBA, 0x8036 /* UNSIGNED_INT_10_10_10_2 */, GL_INVALID_ENUM},
        {GL_GREEN, GL_UNSIGNED_BYTE, GL_INVALID_ENUM},
        {0x1900 /* COLOR_INDEX */, GL_UNSIGNED_BYTE, GL_INVALID_ENUM},
        {0x8D96 /* BLUE_INTEGER */, GL_INT, GL_INVALID_ENUM},
        {GL_DEPTH_STENCIL, GL_UNSIGNED_BYTE, GL_INVALID_ENUM},
    };
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    for (unsigned i = 0; i < ARRAY_SIZE(pairs); i++) {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, pairs[i].format, pairs[i].type, NULL);
        expect_error(pairs[i].error);
    }
    glDeleteTextures(1, &t);
}

/* ------------------------------------------------------------------- borders, decoding --- */

static void draw_sampled(const char *declaration, const char *value)
{
    char fs[500];
    snprintf(fs, sizeof fs,
             "#version 320 es\nprecision highp float; precision highp sampler2DShadow;\n"
             "precision highp usampler2D; uniform %s s; out vec4 color;\n"
             "void main() { color = %s; }\n",
             declaration, value);
    GLuint p = gl_test_program(
        "#version 320 es\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0,\n"
        "gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }\n",
        fs);
    glUseProgram(p);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    gl_test_delete_program(p);
}

/* Checks border colors outside of [0, 1]: those of float depth formats are not clamped, and those
 * of integer formats keep their bits. */
static void test_borders(void **state)
{
    static const struct {
        GLenum internal;
        float passes; /* 1.25 > border, of 1.5 */
    } depths[] = {{GL_DEPTH_COMPONENT32F, 0},
                  {GL_DEPTH32F_STENCIL8, 0},
                  {GL_DEPTH_COMPONENT24, 0},
                  {GL_DEPTH24_STENCIL8, 0}};
    static const float border[4] = {1.5f, 1.5f, 1.5f, 1.5f};
    GLuint t;
    for (unsigned i = 0; i < ARRAY_SIZE(depths); i++) {
        t = make_texture(depths[i].internal, 4);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_GREATER);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
        glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
        draw_sampled("sampler2DShadow", "vec4(texture(s, vec3(-2.0, 0.5, 1.25)))");
        expect(8, 8, depths[i].passes, depths[i].passes, depths[i].passes);
        draw_sampled("sampler2DShadow", "textureGather(s, vec2(-2.0, 0.5), 1.25)");
        expect(8, 8, depths[i].passes, depths[i].passes, depths[i].passes);
        if (i < 2) {
            draw_sampled("sampler2DShadow", "vec4(texture(s, vec3(-2.0, 0.5, 1.75)))");
            expect(8, 8, 1, 1, 1);
        }
        glDeleteTextures(1, &t);
    }
    t = make_texture(GL_R32UI, 4);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
    draw_sampled("usampler2D", "vec4(texture(s, vec2(-2.0, 0.5)).x == 0x3fc00000u ? 1.0 : 0.0)");
    expect(8, 8, 1, 1, 1);
    glDeleteTextures(1, &t);
}

/* Checks that texelFetch decodes sRGB whatever the sampler says, and that other accesses in the
 * same context follow the sampler. */
static void test_fetch_decodes(void **state)
{
    static const uint8_t texels[16 * 4] = {124, 124, 124, 255};
    GLuint t = make_texture(GL_SRGB8_ALPHA8, 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    for (unsigned skip = 0; skip < 2; skip++) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT,
                        skip ? GL_SKIP_DECODE_EXT : GL_DECODE_EXT);
        draw_sampled("sampler2D", "texelFetch(s, ivec2(0), 0)");
        expect(8, 8, 0.2f, 0.2f, 0.2f);
        const float v = skip ? 124.0f / 255.0f : 0.2f;
        draw_sampled("sampler2D", "texture(s, vec2(0.01))");
        expect(8, 8, v, v, v);
    }
    glDeleteTextures(1, &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_aspect),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_cubes),
        cmocka_unit_test(test_array_levels),
        cmocka_unit_test(test_attachments_without_images),
        cmocka_unit_test(test_integer_copies),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_blit_scale),
        cmocka_unit_test(test_resolve_formats),
        cmocka_unit_test(test_bgra),
        cmocka_unit_test(test_compressed_errors),
        cmocka_unit_test(test_format_enums),
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_fetch_decodes),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
