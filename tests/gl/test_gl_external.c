/* SPDX-License-Identifier: MIT */
/* Images in memory that others write and read, and external textures
 * (GL_OES_EGL_image_external). */
#define GL_GLEXT_PROTOTYPES
#include <GLES3/gl3.h>
#include <GLES2/gl2ext.h>
#include <stdlib.h>

#include "gl_test.h"

enum { SIZE = 16 };

static struct gl_test_window window = {SIZE, SIZE};
static uint8_t memory[SIZE * SIZE * 4];
static int owners, inside; /* images that are alive; accesses in progress */

static void begin(void *owner, bool write)
{
    inside++;
}

static void end(void *owner, bool write)
{
    inside--;
}

static void drop(void *owner)
{
    owners--;
}

static const struct gl_memory_ops ops = {begin, end, drop};

static GLuint external_program, plain_program;

static const char vertex_text[] = "attribute vec2 at;\n"
                                  "varying vec2 v;\n"
                                  "void main() {\n"
                                  "    v = at * 0.5 + 0.5;\n"
                                  "    gl_Position = vec4(at, 0.0, 1.0);\n"
                                  "}\n";

static int setup(void **state)
{
    int result = gl_test_setup(state, GL_API_ES2, &window);

    if (result)
        return result;
    external_program =
        gl_test_program(vertex_text, "#extension GL_OES_EGL_image_external : require\n"
                                     "precision mediump float;\n"
                                     "varying vec2 v;\n"
                                     "uniform samplerExternalOES t;\n"
                                     "void main() { gl_FragColor = texture2D(t, v); }\n");
    plain_program =
        gl_test_program(vertex_text, "precision mediump float;\n"
                                     "varying vec2 v;\n"
                                     "uniform sampler2D t;\n"
                                     "void main() { gl_FragColor = texture2D(t, v); }\n");
    return 0;
}

static struct gl_memory_image picture(enum drv_format format)
{
    return (struct gl_memory_image){
        .width = SIZE,
        .height = SIZE,
        .format = format,
        .opaque = format == DRV_FORMAT_B8G8R8X8_UNORM,
        .data = memory,
        .stride = SIZE * 4,
        .ops = &ops,
    };
}

static struct gl_shared_image *import(const struct gl_memory_image *m)
{
    struct gl_shared_image *image = core->image_import(m);

    assert_non_null(image);
    owners++;
    return image;
}

/* Fills the left half of the image with one word, the right half with another. */
static void fill(uint32_t left, uint32_t right)
{
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        ((uint32_t *)memory)[i] = i % SIZE < SIZE / 2 ? left : right;
}

static GLuint texture_of(GLenum target, struct gl_shared_image *image)
{
    GLuint texture;

    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glEGLImageTargetTexture2DOES(target, image);
    core->image_destroy(image); /* the texture stays valid */
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return texture;
}

static void draw(GLuint program)
{
    static const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};

    glUseProgram(program);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    assert_int_equal(inside, 0);
}

static void drop_texture(GLuint texture)
{
    glDeleteTextures(1, &texture);
    glFinish();
    assert_int_equal(owners, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void test_sampling(void **state)
{
    const struct gl_memory_image m = picture(DRV_FORMAT_B8G8R8X8_UNORM);
    GLuint texture;
    GLint value = 0;

    fill(0x00ff0000, 0x0000ff00);
    texture = texture_of(GL_TEXTURE_EXTERNAL_OES, import(&m));
    draw(external_program);
    expect(2, 5, 1, 0, 0);
    expect(12, 5, 0, 1, 0);
    /* Binding again shows what was written meanwhile. */
    fill(0x000000ff, 0x00ffffff);
    glBindTexture(GL_TEXTURE_EXTERNAL_OES, texture);
    draw(external_program);
    expect(2, 5, 0, 0, 1);
    expect(12, 5, 1, 1, 1);
    /* So does a flush. */
    fill(0x00ff00ff, 0);
    glFlush();
    draw(external_program);
    expect(2, 5, 1, 0, 1);
    expect(12, 5, 0, 0, 0);
    glGetIntegerv(GL_TEXTURE_BINDING_EXTERNAL_OES, &value);
    assert_int_equal(value, texture);
    glGetTexParameteriv(GL_TEXTURE_EXTERNAL_OES, GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES, &value);
    assert_int_equal(value, 1);
    drop_texture(texture);
    /* Without an image, lookups return 0, 0, 0, 1. */
    draw(external_program);
    expect(2, 5, 0, 0, 0);
}

/* Checks that drawing into the image is in memory after glFlush, on top of the old contents. */
static void test_drawing(void **state)
{
    const struct gl_memory_image m = picture(DRV_FORMAT_B8G8R8A8_UNORM);
    GLuint texture, fbo;

    fill(0xff00ff00, 0xff0000ff);
    texture = texture_of(GL_TEXTURE_2D, import(&m));
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    for (unsigned frame = 0; frame < 3; frame++) {
        fill(0xff00ff00, 0xff0000ff);
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, 0, SIZE, 4);
        glClearColor(1, 0, frame == 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glDisable(GL_SCISSOR_TEST);
        glFlush();
        for (unsigned i = 0; i < SIZE * SIZE; i++)
            assert_int_equal(((uint32_t *)memory)[i], i < SIZE * 4
                                                          ? (frame == 1 ? 0xffff00ff : 0xffff0000)
                                                      : i % SIZE < SIZE / 2 ? 0xff00ff00
                                                                            : 0xff0000ff);
    }
    /* Draw buffers before it may be GL_NONE. */
    const GLenum second[] = {GL_NONE, GL_COLOR_ATTACHMENT1};
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, texture, 0);
    glDrawBuffers(2, second);
    glClearColor(0, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glFlush();
    assert_int_equal(((uint32_t *)memory)[SIZE * SIZE - 1], 0xff00ffff);
    /* Drawn and sampled without a flush in between. */
    glClearColor(1, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    draw(plain_program);
    expect(5, 5, 1, 1, 0);
    glDeleteFramebuffers(1, &fbo);
    drop_texture(texture);
}

/* A framebuffer may have more images than were drawn to before: all of them are written back. */
static void test_many_drawn(void **state)
{
    enum { COUNT = 9 };
    static uint8_t memories[COUNT][SIZE * SIZE * 4];
    GLuint texture[COUNT], fbo[2];
    GLenum buffers[COUNT - 1];

    glGenFramebuffers(2, fbo);
    for (unsigned i = 0; i < COUNT; i++) {
        struct gl_memory_image m = picture(DRV_FORMAT_B8G8R8A8_UNORM);
        m.data = memories[i];
        texture[i] = texture_of(GL_TEXTURE_2D, import(&m));
        glBindFramebuffer(GL_FRAMEBUFFER, fbo[i < COUNT - 1]);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i % (COUNT - 1),
                               GL_TEXTURE_2D, texture[i], 0);
    }
    for (unsigned i = 0; i < COUNT - 1; i++)
        buffers[i] = GL_COLOR_ATTACHMENT0 + i;
    glBindFramebuffer(GL_FRAMEBUFFER, fbo[0]); /* the last image */
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo[1]);
    glDrawBuffers(COUNT - 1, buffers);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glFlush();
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned p = 0; p < SIZE * SIZE; p++)
            assert_int_equal(((uint32_t *)memories[i])[p],
                             i == COUNT - 1 ? 0xffff0000 : 0xff00ff00);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glClear(GL_COLOR_BUFFER_BIT); /* the driver drops the attachments that it had last */
    glDeleteFramebuffers(2, fbo);
    glDeleteTextures(COUNT - 1, texture);
    drop_texture(texture[COUNT - 1]);
}

/* Reference values computed by ITU-R BT.601 and BT.709: colors, and Y', Cb, Cr in narrow range. */
static void test_yuv(void **state)
{
    static const struct {
        enum gl_yuv_space space;
        bool full;
        uint8_t y, cb, cr;
        float r, g, b;
    } colors[] = {
        {GL_YUV_BT601, false, 81, 90, 240, 1, 0, 0},
        {GL_YUV_BT601, false, 145, 54, 34, 0, 1, 0},
        {GL_YUV_BT601, false, 41, 240, 110, 0, 0, 1},
        {GL_YUV_BT709, false, 63, 102, 240, 1, 0, 0},
        {GL_YUV_BT709, false, 173, 42, 26, 0, 1, 0},
        {GL_YUV_BT2020, false, 235, 128, 128, 1, 1, 1},
        {GL_YUV_BT601, true, 76, 85, 255, 1, 0, 0},
        {GL_YUV_BT601, true, 128, 128, 128, .5f, .5f, .5f},
    };

    for (unsigned i = 0; i < sizeof colors / sizeof *colors; i++) {
        struct gl_memory_image m = picture(DRV_FORMAT_NONE);
        uint8_t *chroma = memory + SIZE * SIZE;

        /* Two planes; black above. */
        memset(memory, colors[i].y, SIZE * SIZE / 2);
        memset(memory + SIZE * SIZE / 2, colors[i].full ? 0 : 16, SIZE * SIZE / 2);
        for (unsigned c = 0; c < SIZE * SIZE / 2; c++)
            chroma[c] = c >= SIZE * SIZE / 4 ? 128 : c % 2 ? colors[i].cr : colors[i].cb;
        m.opaque = true;
        m.space = colors[i].space;
        m.full_range = colors[i].full;
        for (unsigned c = 0; c < 3; c++) {
            m.component[c].data = c ? chroma + (c - 1) : memory;
            m.component[c].stride = SIZE;
            m.component[c].step = c ? 2 : 1;
            m.component[c].x_shift = m.component[c].y_shift = c > 0;
        }
        GLuint texture = texture_of(GL_TEXTURE_EXTERNAL_OES, import(&m));
        draw(external_program);
        expect(3, 2, colors[i].r, colors[i].g, colors[i].b);
        expect(13, 6, colors[i].r, colors[i].g, colors[i].b);
        expect(3, 12, 0, 0, 0);
        drop_texture(texture);
    }
}

static void error_is(GLenum error)
{
    assert_int_equal(glGetError(), error);
}

static void test_errors(void **state)
{
    const struct gl_memory_image m = picture(DRV_FORMAT_B8G8R8A8_UNORM);
    struct gl_shared_image *image = import(&m);
    const GLenum target = GL_TEXTURE_EXTERNAL_OES;
    uint32_t pixel = 0;
    GLuint texture;
    GLint value;

    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    glEGLImageTargetTexture2DOES(GL_TEXTURE_CUBE_MAP, image);
    error_is(GL_INVALID_ENUM);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    error_is(GL_INVALID_ENUM);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_REPEAT);
    error_is(GL_INVALID_ENUM);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER_EXT);
    error_is(GL_INVALID_ENUM);
    glGetTexParameteriv(target, GL_TEXTURE_MIN_FILTER, &value);
    assert_int_equal(value, GL_LINEAR);
    glGetTexParameteriv(target, GL_TEXTURE_WRAP_T, &value);
    assert_int_equal(value, GL_CLAMP_TO_EDGE);
    glTexImage2D(target, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, &pixel);
    error_is(GL_INVALID_ENUM);
    glTexSubImage2D(target, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &pixel);
    error_is(GL_INVALID_ENUM);
    glCopyTexImage2D(target, 0, GL_RGBA, 0, 0, 1, 1, 0);
    error_is(GL_INVALID_ENUM);
    glCompressedTexImage2D(target, 0, 0x83F0, 4, 4, 0, 8, memory);
    error_is(GL_INVALID_ENUM);
    glTexStorage2D(target, 1, GL_RGBA8, 1, 1);
    error_is(GL_INVALID_ENUM);
    glGenerateMipmap(target);
    error_is(GL_INVALID_ENUM);
    core->image_destroy(image);
    assert_int_equal(owners, 0);
    glEGLImageTargetTexture2DOES(target, image); /* the image was destroyed */
    error_is(GL_INVALID_VALUE);
    glBindTexture(GL_TEXTURE_2D, texture); /* an external texture stays external */
    error_is(GL_INVALID_OPERATION);
    drop_texture(texture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sampling),   cmocka_unit_test(test_drawing),
        cmocka_unit_test(test_many_drawn), cmocka_unit_test(test_yuv),
        cmocka_unit_test(test_errors),
    };

    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
