/* SPDX-License-Identifier: MIT */
/* Textures, framebuffer objects, pixel rectangles and clears, drawn by the CPU driver. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

static int setup(void **state)
{
    static const struct gl_test_window window = {64, 32};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static uint32_t pixel(int x, int y)
{
    uint8_t p[4] = {0};
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

static void quad(float x0, float y0, float x1, float y1)
{
    glBegin(GL_QUADS);
    glTexCoord2f(0, 0);
    glVertex2f(x0, y0);
    glTexCoord2f(1, 0);
    glVertex2f(x1, y0);
    glTexCoord2f(1, 1);
    glVertex2f(x1, y1);
    glTexCoord2f(0, 1);
    glVertex2f(x0, y1);
    glEnd();
}

/* Conditional rendering discards rectangles that are written without being drawn, too (GL 4.6
 * §10.9). */
static void test_conditional_rectangles(void **state)
{
    const GLubyte stencils[2] = {7, 9};
    const GLuint packed = 0x80000005;
    GLuint query;
    glClearStencil(3);
    glClearAccum(0, 0, 0, 0);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT | GL_DEPTH_BUFFER_BIT |
            GL_ACCUM_BUFFER_BIT);
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glEndQuery(GL_SAMPLES_PASSED); /* 0 */
    glWindowPos2i(9, 9);
    glDrawPixels(1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencils + 1);
    for (unsigned drawn = 0; drawn < 2; drawn++) {
        GLubyte s[3] = {0};
        float depth = 0, raster[4];
        glBeginConditionalRender(query, drawn ? GL_QUERY_WAIT_INVERTED : GL_QUERY_WAIT);
        glWindowPos2i(1, 1);
        glDrawPixels(2, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencils);
        glWindowPos2i(1, 2);
        glDrawPixels(1, 1, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, &packed);
        glWindowPos2i(1, 3);
        glCopyPixels(9, 9, 1, 1, GL_STENCIL);
        glBitmap(0, 0, 0, 0, 4, 0, NULL); /* only moves the raster position */
        glAccum(GL_RETURN, 1);
        glEndConditionalRender();
        glGetFloatv(GL_CURRENT_RASTER_POSITION, raster);
        assert_true(raster[0] == (drawn ? 5 : 1));
        for (int i = 0; i < 3; i++)
            glReadPixels(1, i + 1, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &s[i]);
        glReadPixels(1, 2, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
        assert_int_equal(s[0], drawn ? 7 : 3);
        assert_int_equal(s[1], drawn ? 5 : 3);
        assert_int_equal(s[2], drawn ? 9 : 3);
        assert_true(drawn ? fabsf(depth - 0.5f) < 1e-4f : depth == 1);
        assert_int_equal(pixel(20, 20), drawn ? 0 : 0x0000ffff);
    }
    glDeleteQueries(1, &query);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Conditional rendering discards clears of some bits of a buffer. */
static void test_conditional_clears(void **state)
{
    static const GLfloat red[4] = {1, 0, 0, 0};
    static const GLint zero = 0;
    GLuint query;
    GLubyte stencil = 0;
    glClearStencil(0xff);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glEndQuery(GL_SAMPLES_PASSED); /* 0 */
    glClearStencil(0);
    glClearColor(0, 1, 0, 0);
    glStencilMask(0x0f);
    for (unsigned drawn = 0; drawn < 2; drawn++) {
        glBeginConditionalRender(query, drawn ? GL_QUERY_WAIT_INVERTED : GL_QUERY_WAIT);
        glColorMask(0, 1, 0, 0);
        glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        glColorMask(1, 0, 0, 0);
        glClearBufferfv(GL_COLOR, 0, red);
        glStencilMask(0x10);
        glClearBufferiv(GL_STENCIL, 0, &zero);
        glStencilMask(0x0f);
        glEndConditionalRender();
        glReadPixels(3, 4, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
        assert_int_equal(stencil, drawn ? 0xe0 : 0xff);
        assert_int_equal(pixel(3, 4), drawn ? 0xffffffff : 0x0000ffff);
    }
    glColorMask(1, 1, 1, 1);
    glStencilMask(0xff);
    glDeleteQueries(1, &query);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_clear(void **state)
{
    glClearColor(1, 0.5f, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    assert_int_equal(pixel(3, 4), 0xff8000ff);
    glColorMask(0, 0, 1, 0);
    glClearColor(0, 0, 1, 0);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 4, 4);
    glClear(GL_COLOR_BUFFER_BIT);
    assert_int_equal(pixel(3, 3), 0xff80ffff);
    assert_int_equal(pixel(4, 4), 0xff8000ff);
    glStencilMask(0x0f);
    glDisable(GL_SCISSOR_TEST);
    glClearStencil(0xff);
    glClear(GL_STENCIL_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    GLubyte s = 0;
    glReadPixels(1, 1, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &s);
    assert_int_equal(s & 0x0f, 0x0f);
    float d = 0;
    glReadPixels(1, 1, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &d);
    assert_true(d == 1.0f);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void round_trip(GLenum internal, GLenum format, GLenum type, const void *data, size_t size)
{
    uint8_t out[256] = {0};
    GLuint t;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexImage2D(GL_TEXTURE_2D, 0, internal, 2, 2, 0, format, type, data);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glGetTexImage(GL_TEXTURE_2D, 0, format, type, out);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_memory_equal(out, data, size);
    glDeleteTextures(1, &t);
}

static void test_round_trips(void **state)
{
    uint8_t bytes[64];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = i * 37;
    round_trip(GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE, bytes, 16);
    round_trip(GL_RGBA8, GL_BGRA, GL_UNSIGNED_BYTE, bytes, 16);
    round_trip(GL_RGBA8, GL_ABGR_EXT, GL_UNSIGNED_BYTE, bytes, 16);
    round_trip(GL_RGBA, GL_RGBA, GL_UNSIGNED_INT_8_8_8_8, bytes, 16);
    round_trip(GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, bytes, 12);
    round_trip(GL_LUMINANCE, GL_LUMINANCE, GL_UNSIGNED_BYTE, bytes, 4);
    round_trip(GL_ALPHA, GL_ALPHA, GL_UNSIGNED_BYTE, bytes, 4);
    round_trip(GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, bytes, 8);
    round_trip(GL_INTENSITY, GL_RED, GL_UNSIGNED_BYTE, bytes, 4);
    round_trip(GL_RGB5, GL_RGB, GL_UNSIGNED_BYTE_3_3_2, bytes, 4);
    round_trip(GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, bytes, 8);
    round_trip(GL_RGB5_A1, GL_BGRA, GL_UNSIGNED_SHORT_1_5_5_5_REV, bytes, 8);
    round_trip(GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, bytes, 32);
    const float floats[16] = {0, 1, -2, 1e6f, .5f, .25f, 3, 4};
    round_trip(GL_RGBA32F, GL_RGBA, GL_FLOAT, floats, 64);
    const uint16_t depths[4] = {0, 0xffff, 0x1234, 0x8000};
    round_trip(GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, depths, 8);
    const uint32_t packed[4] = {0, 0xffffffff, 0x12345678, 0x800000ff};
    round_trip(GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, packed, 16);
}

static void test_swap_and_skip(void **state)
{
    const uint16_t wide[3 * 3] = {1, 2, 3, 4, 0x5678, 6, 7, 0x9abc, 9};
    uint16_t out[2] = {0};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 3);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 1);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 1);
    glPixelStorei(GL_UNPACK_SWAP_BYTES, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE16, 1, 2, 0, GL_LUMINANCE, GL_UNSIGNED_SHORT, wide);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_LUMINANCE, GL_UNSIGNED_SHORT, out);
    assert_int_equal(out[0], 0x7856);
    assert_int_equal(out[1], 0xbc9a);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* GL 4.6 §8.4.4.1, §8.5: images of a volume follow each other in steps of the image height, in rows
 * of the row length, each aligned; skipped ones come first. */
static void test_images_of_volumes(void **state)
{
    uint8_t from[600], texels[2][2][3];
    GLuint texture;
    for (unsigned i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)(i * 37 + i / 7);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_3D, texture);
    glPixelStorei(GL_UNPACK_SKIP_IMAGES, 2);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 1);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 3);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 11);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 5);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 8); /* rows of 16 bytes */
    glTexImage3D(GL_TEXTURE_3D, 0, GL_R8, 3, 2, 2, 0, GL_RED, GL_UNSIGNED_BYTE, from);
    glPixelStorei(GL_UNPACK_SKIP_IMAGES, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glGetTexImage(GL_TEXTURE_3D, 0, GL_RED, GL_UNSIGNED_BYTE, texels);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    for (unsigned z = 0; z < 2; z++)
        for (unsigned y = 0; y < 2; y++)
            for (unsigned x = 0; x < 3; x++)
                assert_int_equal(texels[z][y][x], from[((z + 2) * 5 + y + 1) * 16 + x + 3]);
    glDeleteTextures(1, &texture);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_errors(void **state)
{
    glTexImage2D(GL_TEXTURE_2D, 99, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glTexImage2D(GL_TEXTURE_2D, 0, 0x1234, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1 << 20, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_SHORT_5_6_5, NULL);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 100, 100, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    assert_int_not_equal(glGetError(), GL_NO_ERROR);
    glBindTexture(GL_TEXTURE_2D, 77);
    glBindTexture(GL_TEXTURE_3D, 77);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_REPEAT);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glClear(1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glTexImage2D(GL_PROXY_TEXTURE_2D, 0, GL_RGBA, 1 << 20, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    GLint w = -1;
    glGetTexLevelParameteriv(GL_PROXY_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &w);
    assert_int_equal(w, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static GLint proxy_width(GLenum internal, GLsizei size)
{
    GLint width = -1;
    glTexImage3D(GL_PROXY_TEXTURE_3D, 0, internal, size, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 NULL);
    glGetTexLevelParameteriv(GL_PROXY_TEXTURE_3D, 0, GL_TEXTURE_WIDTH, &width);
    return width;
}

/* Checks that a proxy too large has no image, and that invalid sizes are errors (GL 4.6 §8.22).
 * This includes compressed images. */
static void test_proxies(void **state)
{
    GLint max, width = -1;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &max);
    glTexImage3D(GL_PROXY_TEXTURE_3D, 0, GL_RGBA8, 4, 4, -1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glCompressedTexImage2D(GL_PROXY_TEXTURE_2D, 0, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 8, 8, 0, 32,
                           NULL);
    glGetTexLevelParameteriv(GL_PROXY_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
    assert_int_equal(width, 8);
    glCompressedTexImage2D(GL_PROXY_TEXTURE_2D, 0, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 2 * max, 4, 0,
                           2 * max / 4 * 8, NULL);
    glGetTexLevelParameteriv(GL_PROXY_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
    assert_int_equal(width, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 2 * max, 4, 0,
                           2 * max / 4 * 8, NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    /* Each level halves the maximum size. */
    glCompressedTexImage2D(GL_TEXTURE_2D, 1, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, max, 4, 0,
                           max / 4 * 8, NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
}

/* Checks that a texture can't exceed the driver's total size limit with dimensions that are each
 * valid. */
static void test_large_textures(void **state)
{
    GLint max;
    glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &max);
    assert_int_equal(proxy_width(GL_RGBA8, 256), 256);
    assert_int_equal(proxy_width(GL_RGBA32F, max), 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA32F, max, max, max, 0, GL_RGBA, GL_FLOAT, NULL);
    assert_int_equal(glGetError(), GL_OUT_OF_MEMORY);
}

static void load_checker(GLenum internal)
{
    const uint8_t texels[16] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, internal, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static void test_textured(void **state)
{
    glClear(GL_COLOR_BUFFER_BIT);
    load_checker(GL_RGBA);
    glEnable(GL_TEXTURE_2D);
    quad(-1, -1, 1, 1);
    assert_int_equal(pixel(8, 8), 0xff0000ff);
    assert_int_equal(pixel(48, 8), 0x00ff00ff);
    assert_int_equal(pixel(8, 24), 0x0000ffff);
    assert_int_equal(pixel(48, 24), 0xffffffff);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
    glColor3f(0, 1, 1);
    load_checker(GL_LUMINANCE);
    quad(-1, -1, 1, 1);
    assert_int_equal(pixel(8, 8), 0x00ffffff);
    assert_int_equal(pixel(48, 8), 0x000000ff);
    /* An incomplete texture acts as if texturing were off. */
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    quad(-1, -1, 1, 1);
    assert_int_equal(pixel(48, 8), 0x00ffffff);
    glColor3f(1, 1, 1);
    load_checker(GL_RGBA);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glGenerateMipmap(GL_TEXTURE_2D);
    quad(0, 0, 2.0f / 64, 2.0f / 32);
    uint32_t p = pixel(32, 16);
    assert_in_range(p >> 24, 0x7f, 0x80);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_framebuffer_object(void **state)
{
    GLuint fb, t, rb;
    glGenFramebuffers(1, &fb);
    glGenTextures(1, &t);
    glGenRenderbuffers(1, &rb);
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER),
                     GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    glBindRenderbuffer(GL_RENDERBUFFER, rb);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, 16, 16);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, rb);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glViewport(0, 0, 16, 16);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glColor3f(1, 1, 0);
    quad(-1, -1, 0, 1);
    assert_int_equal(pixel(2, 2), 0xffff00ff);
    assert_int_equal(pixel(12, 2), 0x0000ffff);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glViewport(0, 0, 64, 32);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBlitFramebuffer(0, 0, 16, 16, 0, 0, 32, 32, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    assert_int_equal(pixel(15, 20), 0xffff00ff);
    assert_int_equal(pixel(16, 20), 0x0000ffff);
    assert_int_equal(pixel(32, 20), 0x000000ff);
    glColor3f(1, 1, 1);
    glEnable(GL_TEXTURE_2D);
    quad(0, -1, 1, 1);
    assert_int_equal(pixel(40, 20), 0xffff00ff);
    assert_int_equal(pixel(60, 20), 0x0000ffff);
    glDeleteFramebuffers(1, &fb);
    glDeleteRenderbuffers(1, &rb);
    glDeleteTextures(1, &t);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that a filtered blit reads texels outside the source rectangle, and clamps to the buffer's
 * edge. */
static void test_filtered_blit(void **state)
{
    static const uint8_t column[4] = {80, 160, 160, 0};
    uint8_t texels[4][4];
    GLuint fb, t;
    glGenFramebuffers(1, &fb);
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    for (int i = 0; i < 16; i++)
        texels[i / 4][i % 4] = column[i % 4];
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RED, GL_UNSIGNED_BYTE, texels);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, fb);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    glBlitFramebuffer(1, 1, 3, 3, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glBlitFramebuffer(4, 0, 0, 4, 16, 0, 32, 16, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    for (int y = 0; y < 8; y++) {
        assert_in_range(pixel(0, y) >> 24, 129, 131); /* 3/8 of 80 */
        assert_int_equal(pixel(4, y) >> 24, 160);
        assert_in_range(pixel(7, y) >> 24, 99, 101); /* 3/8 of 0 */
        assert_int_equal(pixel(31, y) >> 24, 80);    /* mirrored */
    }
    glDeleteFramebuffers(1, &fb);
    glDeleteTextures(1, &t);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_draw_pixels(void **state)
{
    const uint8_t image[8] = {255, 0, 0, 255, 0, 255, 0, 255};
    glClear(GL_COLOR_BUFFER_BIT);
    glWindowPos2i(5, 6);
    glDrawPixels(2, 1, GL_RGBA, GL_UNSIGNED_BYTE, image);
    assert_int_equal(pixel(5, 6), 0xff0000ff);
    assert_int_equal(pixel(6, 6), 0x00ff00ff);
    assert_int_equal(pixel(7, 6), 0x00000000);
    glPixelZoom(2, 3);
    glWindowPos2i(10, 10);
    glCopyPixels(5, 6, 2, 1, GL_COLOR);
    assert_int_equal(pixel(11, 12), 0xff0000ff);
    assert_int_equal(pixel(12, 10), 0x00ff00ff);
    glPixelZoom(1, 1);
    glPixelTransferf(GL_RED_SCALE, 0.5f);
    glPixelTransferf(GL_BLUE_BIAS, 1.0f);
    glWindowPos2i(20, 20);
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, image);
    glPixelTransferf(GL_RED_SCALE, 1.0f);
    glPixelTransferf(GL_BLUE_BIAS, 0.0f);
    assert_int_equal(pixel(20, 20), 0x8000ffff);
    const uint8_t bits[2] = {0xa0, 0x40};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glColor3f(0, 1, 0);
    glWindowPos2i(30, 20);
    glBitmap(3, 2, 0, 0, 7, 0, bits);
    assert_int_equal(pixel(30, 20), 0x00ff00ff);
    assert_int_equal(pixel(31, 20), 0x00000000);
    assert_int_equal(pixel(31, 21), 0x00ff00ff);
    GLfloat pos[4];
    glGetFloatv(GL_CURRENT_RASTER_POSITION, pos);
    assert_true(pos[0] == 37.0f);
    const uint8_t stencils[2] = {3, 200};
    glWindowPos2i(1, 1);
    glDrawPixels(2, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencils);
    uint8_t s[2] = {0};
    glReadPixels(1, 1, 2, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, s);
    assert_memory_equal(s, stencils, 2);
    const float depths[2] = {0.25f, 0.75f};
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    glDrawPixels(2, 1, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
    float d[2] = {0};
    glReadPixels(1, 1, 2, 1, GL_DEPTH_COMPONENT, GL_FLOAT, d);
    assert_float_equal(d[0], 0.25f, 1e-6);
    assert_float_equal(d[1], 0.75f, 1e-6);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* glGetTexImage applies no pixel transfer operations (GL 4.6 compatibility §8.11.4); glTexImage2D
 * and glReadPixels do. */
static void test_read_transfer(void **state)
{
    const uint8_t image[4] = {100, 100, 100, 100};
    uint8_t texel[4];
    GLuint texture, f;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelTransferf(GL_RED_SCALE, 0.5f);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, image);
    glPixelTransferf(GL_GREEN_BIAS, 1.0f);
    glPixelTransferi(GL_MAP_COLOR, GL_TRUE); /* every initial map is {0} */
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    assert_memory_equal(texel, ((const uint8_t[]){50, 100, 100, 100}), 4);
    glGetTextureSubImage(texture, 0, 0, 0, 0, 1, 1, 1, GL_BGRA, GL_UNSIGNED_BYTE, 4, texel);
    assert_memory_equal(texel, ((const uint8_t[]){100, 100, 50, 100}), 4);
    glPixelTransferi(GL_MAP_COLOR, GL_FALSE);
    glGenFramebuffers(1, &f);
    glBindFramebuffer(GL_FRAMEBUFFER, f);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    assert_memory_equal(texel, ((const uint8_t[]){25, 255, 100, 100}), 4);
    glPixelTransferf(GL_RED_SCALE, 1.0f);
    glPixelTransferf(GL_GREEN_BIAS, 0.0f);
    glDeleteFramebuffers(1, &f);
    glDeleteTextures(1, &texture);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Stencil indices that a type can't represent are masked, not clamped (GL 4.6 §18.2.8). */
static void test_read_stencil_masks(void **state)
{
    static const uint8_t image[4] = {5, 127, 128, 200};
    uint8_t ubytes[4];
    int8_t bytes[4];
    GLushort ushorts[4];
    GLshort shorts[4];
    GLint ints[4];
    glWindowPos2i(0, 0);
    glDrawPixels(4, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, image);
    glReadPixels(0, 0, 4, 1, GL_STENCIL_INDEX, GL_BYTE, bytes);
    assert_memory_equal(bytes, ((const int8_t[]){5, 127, 0, 72}), sizeof bytes);
    glPixelTransferi(GL_INDEX_SHIFT, 1);
    glPixelTransferi(GL_INDEX_OFFSET, -12);
    glReadPixels(0, 0, 4, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, ubytes);
    assert_memory_equal(ubytes, ((const uint8_t[]){254, 242, 244, 132}), sizeof ubytes);
    glReadPixels(0, 0, 4, 1, GL_STENCIL_INDEX, GL_BYTE, bytes);
    assert_memory_equal(bytes, ((const int8_t[]){126, 114, 116, 4}), sizeof bytes);
    glReadPixels(0, 0, 4, 1, GL_STENCIL_INDEX, GL_UNSIGNED_SHORT, ushorts);
    assert_memory_equal(ushorts, ((const GLushort[]){65534, 242, 244, 388}), sizeof ushorts);
    glReadPixels(0, 0, 4, 1, GL_STENCIL_INDEX, GL_SHORT, shorts);
    assert_memory_equal(shorts, ((const GLshort[]){32766, 242, 244, 388}), sizeof shorts);
    glReadPixels(0, 0, 4, 1, GL_STENCIL_INDEX, GL_INT, ints);
    assert_memory_equal(ints, ((const GLint[]){INT32_MAX - 1, 242, 244, 388}), sizeof ints);
    glPixelTransferi(GL_INDEX_SHIFT, 0);
    glPixelTransferi(GL_INDEX_OFFSET, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Colors of a floating-point buffer are clamped to [0, 1] before they are converted to integers
 * (GL 4.6 §18.2.8), also to signed ones; those of a texture are not. */
static void test_read_clamp(void **state)
{
    static const float image[4] = {-0.5f, 2.0f, 0.5f, -2.0f};
    GLuint texture, f;
    int8_t bytes[4];
    GLint ints[4];
    float floats[4];
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, 1, 1, 0, GL_RGBA, GL_FLOAT, image);
    glGenFramebuffers(1, &f);
    glBindFramebuffer(GL_FRAMEBUFFER, f);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_BYTE, bytes);
    assert_memory_equal(bytes, ((const int8_t[]){0, 127, 64, 0}), 4);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_INT, ints);
    assert_int_equal(ints[0], 0);
    assert_int_equal(ints[1], INT32_MAX);
    assert_int_equal(ints[3], 0);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, floats);
    assert_memory_equal(floats, image, sizeof image);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_BYTE, bytes);
    assert_memory_equal(bytes, ((const int8_t[]){-64, 127, 64, -127}), 4);
    glDeleteFramebuffers(1, &f);
    glDeleteTextures(1, &texture);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Copies of rectangles that are wider and higher than a texture can be and overlap the window at
 * either end: all pixels of the window are copied, to their places. */
static void test_copy_large_rectangle(void **state)
{
    const uint8_t green[4] = {0, 255, 0, 255}, stencil = 7;
    for (unsigned end = 0; end < 2; end++) {
        const GLint first = end ? 0 : -1000000;
        glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        glWindowPos2i(5, 6);
        glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, green);
        glDrawPixels(1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
        glPixelZoom(2, 2);
        glWindowPos2i(0, 0);
        glBitmap(0, 0, 0, 0, 2 * first, 2 * first, NULL); /* moves the raster position */
        glCopyPixels(first, first, 1000100, 1000100, GL_COLOR);
        glCopyPixels(first, first, 1000100, 1000100, GL_STENCIL);
        glPixelZoom(1, 1);
        for (int y = 8; y < 18; y++)
            for (int x = 6; x < 16; x++) {
                const bool in = x / 2 == 5 && y / 2 == 6;
                GLubyte s;
                assert_int_equal(pixel(x, y), in ? 0x00ff00ff : 0);
                glReadPixels(x, y, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &s);
                assert_int_equal(s, in ? 7 : 0);
            }
        float raster[4];
        glGetFloatv(GL_CURRENT_RASTER_POSITION, raster);
        assert_true(raster[0] == 2 * first && raster[1] == 2 * first);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that texture, fog and color sum apply to the fragments of images, with the raster
 * position's attributes. */
static void test_shaded_images(void **state)
{
    const uint8_t image[4] = {255, 255, 0, 255}, texels[8] = {255, 0, 255, 255, 0, 255, 255, 255};
    const uint8_t bit = 0x80;
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glEnable(GL_TEXTURE_2D);
    glClear(GL_COLOR_BUFFER_BIT);
    glTexCoord2f(0.25f, 0);
    glWindowPos2i(4, 4);
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, image);
    expect(4, 4, 1, 0, 0);
    glTexCoord2f(0.75f, 0);
    glColor3f(1, 0.5f, 1);
    glWindowPos2f(7.999f, 4);
    glBitmap(1, 1, 0, 0, 0, 0, &bit);
    expect(8, 4, 0, 0.5f, 1);
    expect(7, 4, 0, 0, 0);
    glDisable(GL_TEXTURE_2D);
    GLuint p = gl_test_program(NULL, "void main() { gl_FragColor = gl_Color.bgra; }");
    glUseProgram(p);
    glWindowPos2i(12, 4);
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, image);
    expect(12, 4, 0, 1, 1);
    gl_test_delete_program(p);
    glDeleteTextures(1, &t);
    quad(-1, -1, 1, 1); /* primitives draw as before */
    expect(12, 4, 1, 0.5f, 1);
}

static void test_accum(void **state)
{
    glClearColor(0.5f, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_ACCUM_BUFFER_BIT);
    glAccum(GL_LOAD, 0.5f);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glAccum(GL_ACCUM, 0.5f);
    glAccum(GL_RETURN, 1.0f);
    assert_int_equal(pixel(9, 9), 0x408000ff);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_copy_texture(void **state)
{
    uint8_t out[16] = {0};
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 2, 2, 0);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 1, 0, 4, 4, 1, 1);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, out);
    const uint8_t want[16] = {0, 255, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255};
    assert_memory_equal(out, want, 16);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 4, 4, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                 NULL);
    glClearDepth(0.5);
    glClear(GL_DEPTH_BUFFER_BIT);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
    float d[16] = {0};
    glGetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, GL_FLOAT, d);
    assert_float_equal(d[5], 0.5f, 1e-6);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that a border, which is dropped, surrounds texels but not layers (GL 4.6 compatibility
 * §8.5.3). */
static void test_borders(void **state)
{
    enum { SIZE = 4, LAYERS = 3 };
    uint8_t texels[LAYERS][SIZE][SIZE][4], got[LAYERS][SIZE - 2][SIZE - 2][4];
    for (int i = 0; i < LAYERS * SIZE * SIZE; i++)
        memcpy((uint8_t *)texels + i * 4, (uint8_t[]){i, i + 100, 7, 255}, 4);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, SIZE, SIZE, LAYERS, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels);
    glGetTexImage(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
    for (int z = 0; z < LAYERS; z++)
        for (int y = 0; y < SIZE - 2; y++)
            assert_memory_equal(got[z][y], texels[z][y + 1][1], sizeof got[z][y]);

    uint8_t rows[LAYERS][SIZE - 2][4];
    glTexImage2D(GL_TEXTURE_1D_ARRAY, 0, GL_RGBA8, SIZE, LAYERS, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels);
    glGetTexImage(GL_TEXTURE_1D_ARRAY, 0, GL_RGBA, GL_UNSIGNED_BYTE, rows);
    for (int z = 0; z < LAYERS; z++)
        assert_memory_equal(rows[z], texels[0][z][1], sizeof rows[z]);

    glWindowPos2i(0, 0);
    glDrawPixels(SIZE, LAYERS, GL_RGBA, GL_UNSIGNED_BYTE, texels[1]);
    glCopyTexImage2D(GL_TEXTURE_1D_ARRAY, 0, GL_RGBA8, 0, 0, SIZE, LAYERS, 1);
    glGetTexImage(GL_TEXTURE_1D_ARRAY, 0, GL_RGBA, GL_UNSIGNED_BYTE, rows);
    for (int z = 0; z < LAYERS; z++)
        assert_memory_equal(rows[z], texels[1][z][1], sizeof rows[z]);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_cube_and_3d(void **state)
{
    const uint8_t red[4] = {255, 0, 0, 255}, blue[4] = {0, 0, 255, 255};
    glClear(GL_COLOR_BUFFER_BIT);
    for (int f = 0; f < 6; f++)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + f, 0, GL_RGBA, 1, 1, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, f == 4 ? blue : red);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glEnable(GL_TEXTURE_CUBE_MAP);
    glBegin(GL_TRIANGLES);
    glTexCoord3f(0, 0, 1);
    glVertex2f(-1, -1);
    glVertex2f(3, -1);
    glVertex2f(-1, 3);
    glEnd();
    assert_int_equal(pixel(8, 8), 0x0000ffff);
    glDisable(GL_TEXTURE_CUBE_MAP);
    uint8_t volume[32];
    for (int i = 0; i < 8; i++)
        memcpy(volume + 4 * i, i < 4 ? red : blue, 4);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA, 2, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, volume);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glEnable(GL_TEXTURE_3D);
    glBegin(GL_TRIANGLES);
    glTexCoord3f(0.5f, 0.5f, 0.25f);
    glVertex2f(-1, -1);
    glVertex2f(3, -1);
    glVertex2f(-1, 3);
    glEnd();
    assert_int_equal(pixel(8, 8), 0xff0000ff);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that compressed levels are generated from the original texels of the level before, not
 * from decoded ones. A block holds at most four collinear colors, whose mean differs. */
static void test_compressed_mipmap(void **state)
{
    static const uint8_t colors[4][3] = {{0, 255, 0}, {0, 0, 255}, {0, 255, 255}, {255, 0, 0}};
    uint8_t image[8][8][3], mean[4];
    GLuint t;
    for (unsigned y = 0; y < 8; y++)
        for (unsigned x = 0; x < 8; x++)
            memcpy(image[y][x], colors[y / 4 * 2 + x / 4], 3);
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 8, 8, 0, GL_RGB,
                 GL_UNSIGNED_BYTE, image);
    glGenerateMipmap(GL_TEXTURE_2D);
    glGetTexImage(GL_TEXTURE_2D, 3, GL_RGBA, GL_UNSIGNED_BYTE, mean);
    assert_in_range(mean[0], 58, 70);
    assert_in_range(mean[1], 122, 133);
    assert_in_range(mean[2], 122, 133);
    glDeleteTextures(1, &t);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that base and max level are clamped to the levels of an immutable texture, in any order of
 * setting them. */
static void test_immutable_levels(void **state)
{
    static const uint8_t texels[3][4] = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}};
    static const struct {
        int base, max; /* as set; -1: not set */
        int base_got, max_got;
        uint32_t shown; /* texel of the smallest level */
    } steps[] = {
        {-1, -1, 0, 1000, 0x0000ffff}, {-1, 5, 0, 2, 0x0000ffff}, {9, -1, 2, 2, 0x0000ffff},
        {1, 0, 1, 1, 0x00ff00ff},      {0, -1, 0, 0, 0xff0000ff},
    };
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexStorage2D(GL_TEXTURE_2D, 3, GL_RGBA8, 4, 4);
    for (int l = 0; l < 3; l++) {
        uint32_t image[16];
        for (unsigned i = 0; i < 16; i++)
            memcpy(&image[i], texels[l], 4);
        glTexSubImage2D(GL_TEXTURE_2D, l, 0, 0, 4 >> l, 4 >> l, GL_RGBA, GL_UNSIGNED_BYTE, image);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_LOD_BIAS, 8);
    glEnable(GL_TEXTURE_2D);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        GLint base, max;
        if (steps[i].max >= 0)
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, steps[i].max);
        if (steps[i].base >= 0)
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, steps[i].base);
        glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, &base);
        glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, &max);
        assert_int_equal(base, steps[i].base_got);
        assert_int_equal(max, steps[i].max_got);
        quad(-1, -1, 1, 1);
        assert_int_equal(pixel(8, 8), steps[i].shown);
    }
    glDeleteTextures(1, &t);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Reads pixels just drawn, which tiles copy when they finish, and reads the same pixels again. */
static void test_read_while_drawn(void **state)
{
    enum { WIDTH = 201, HEIGHT = 133 };
    static const struct {
        int x, y, width, height;
        GLenum format, internal;
    } cases[] = {
        {0, 0, WIDTH, HEIGHT, GL_RGBA, GL_RGBA8}, {0, 0, WIDTH, HEIGHT, GL_BGRA, GL_RGBA8},
        {63, 62, 67, 5, GL_RGBA, GL_RGBA8},       {1, 2, 3, 4, GL_RGB, GL_RGBA8},
        {5, 60, 190, 70, GL_RGB, GL_RGBA8},       {-7, -3, 300, 200, GL_RGBA, GL_RGBA8},
        {130, 3, 71, 130, GL_RED, GL_R8},         {17, 21, 100, 66, GL_RGBA, GL_RGBA16},
    };
    static uint8_t drawn[300 * 200 * 4], again[300 * 200 * 4];
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        GLuint texture, fbo;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, cases[i].internal, WIDTH, HEIGHT, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, NULL);
        glGenFramebuffers(1, &fbo);
        glBindFramebuffer(GL_FRAMEBUFFER, fbo);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        glViewport(0, 0, WIDTH, HEIGHT);
        glClearColor(0.2f, 0.4f, 0.6f, 0.8f);
        glClear(GL_COLOR_BUFFER_BIT);
        glFlush();
        /* In the second scene, only some tiles have commands. */
        glBegin(GL_TRIANGLES);
        glColor4f(1, 0, 0, 1);
        glVertex2f(-1, -1);
        glColor4f(0, 1, 0, 0.5f);
        glVertex2f(0.3f, -0.8f);
        glColor4f(0, 0, 1, 0);
        glVertex2f(-0.6f, 0.9f);
        glEnd();
        glColor4f(1, 1, 1, 1);
        memset(drawn, 0x55, sizeof drawn);
        memset(again, 0x55, sizeof again);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(cases[i].x, cases[i].y, cases[i].width, cases[i].height, cases[i].format,
                     GL_UNSIGNED_BYTE, drawn);
        glReadPixels(cases[i].x, cases[i].y, cases[i].width, cases[i].height, cases[i].format,
                     GL_UNSIGNED_BYTE, again);
        glPixelStorei(GL_PACK_ALIGNMENT, 4);
        assert_memory_equal(drawn, again, sizeof drawn);
        assert_int_equal(pixel(WIDTH - 1, HEIGHT - 1),
                         cases[i].internal == GL_R8 ? 0x330000ff : 0x336699cc);
        assert_int_not_equal(pixel(20, 4), pixel(WIDTH - 1, HEIGHT - 1));
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &fbo);
        glDeleteTextures(1, &texture);
    }
    glViewport(0, 0, 64, 32);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Reads a frame as a loader library presents it, top row first, from a scene that is still
 * recorded. */
static void test_resolve_while_drawn(void **state)
{
    uint32_t rows[32][64];
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(3, 30, 1, 2); /* the top two rows */
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    assert_true(
        core->drawable_resolve(drawable, GL_BUFFER_BACK_LEFT, rows, sizeof rows[0], 0, 0, 64, 32));
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 64; x++)
            assert_int_equal(rows[y][x], x == 3 && y < 2 ? 0xffff0000 : 0xff0000ff);
    /* A rectangle is clipped to the drawable; nothing outside is written. */
    memset(rows, 0, sizeof rows);
    assert_true(
        core->drawable_resolve(drawable, GL_BUFFER_BACK_LEFT, rows, sizeof rows[0], 2, -1, 3, 3));
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 64; x++)
            assert_int_equal(rows[y][x], y >= 2 || x < 2 || x > 4 ? 0
                                         : x == 3                 ? 0xffff0000
                                                                  : 0xff0000ff);
}

/* Checks that depth and stencil are read from the read drawable, not from the draw drawable. */
static void test_read_drawable(void **state)
{
    static const struct gl_drawable_ops ops = {.get_size = gl_test_get_size};
    static struct gl_test_window size = {16, 16};
    struct gl_drawable *other = core->drawable_create(&visual, &ops, &size);
    const GLbitfield buffers = GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    GLfloat depth;
    GLubyte stencil;

    assert_non_null(other);
    for (unsigned i = 0; i < 2; i++) {
        struct gl_drawable *d = i ? other : drawable;
        assert_true(core->make_current(*state, d, d));
        glClearDepth(i);
        glClearStencil((GLint)i + 1);
        glClear(buffers);
    }
    assert_true(core->make_current(*state, drawable, other));
    glReadPixels(3, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
    glReadPixels(3, 3, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
    assert_true(depth == 1);
    assert_int_equal(stencil, 2);
    glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, buffers, GL_NEAREST);
    assert_true(core->make_current(*state, drawable, drawable));
    for (int x = 7; x <= 8; x++) { /* inside and next to the copied area */
        glReadPixels(x, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
        glReadPixels(x, 3, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &stencil);
        assert_true(depth == (x == 7));
        assert_int_equal(stencil, x == 7 ? 2 : 1);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    core->drawable_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_clear, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_conditional_rectangles, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_conditional_clears, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_round_trips, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_swap_and_skip, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_read_while_drawn, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_resolve_while_drawn, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_read_drawable, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_errors, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_images_of_volumes, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_proxies, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_large_textures, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_textured, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_framebuffer_object, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_filtered_blit, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_draw_pixels, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_read_transfer, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_read_stencil_masks, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_read_clamp, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_copy_large_rectangle, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_shaded_images, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_accum, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_copy_texture, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_borders, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_cube_and_3d, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_compressed_mipmap, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_immutable_levels, setup, gl_test_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
