/* SPDX-License-Identifier: MIT */
/* Integers in the pipeline: attributes, textures, color buffers, clear values. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

#define SIZE 8

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static GLuint make_texture(GLenum internal, GLenum format, GLenum type, const void *data)
{
    GLuint t;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)internal, SIZE, SIZE, 0, format, type, data);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return t;
}

/* Creates a framebuffer with one or two new textures and draws to all of them. */
static GLuint make_framebuffer(const GLenum *internal, unsigned count)
{
    static const GLenum buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    GLuint f;
    glGenFramebuffers(1, &f);
    glBindFramebuffer(GL_FRAMEBUFFER, f);
    for (unsigned i = 0; i < count; i++)
        glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D,
                               make_texture(internal[i], GL_RGBA_INTEGER, GL_INT, NULL), 0);
    glDrawBuffers((GLsizei)count, buffers);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    return f;
}

static void expect_integers(GLenum buffer, int r, int g, int b, int a)
{
    const int want[4] = {r, g, b, a};
    int v[4];
    glReadBuffer(buffer);
    glReadPixels(SIZE / 2, SIZE / 2, 1, 1, GL_RGBA_INTEGER, GL_INT, v);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned c = 0; c < 4; c++)
        assert_int_equal(v[c], want[c]);
}

static void test_clear(void **state)
{
    static const GLenum formats[] = {GL_RGBA32I, GL_RGBA8UI};
    static const GLint values[] = {-5, 300000005, 7, 1};
    static const GLuint more[] = {1, 2, 3, 400};
    GLint got[4];
    GLboolean integer;
    GLuint f = make_framebuffer(formats, 2);
    glGetBooleanv(GL_RGBA_INTEGER_MODE_EXT, &integer);
    assert_true(integer);
    glClearColorIiEXT(-1, 300000005, 3, 4);
    glGetIntegerv(GL_COLOR_CLEAR_VALUE, got);
    assert_int_equal(got[1], 300000005);
    glDrawBuffer(GL_COLOR_ATTACHMENT0);
    glClear(GL_COLOR_BUFFER_BIT);
    expect_integers(GL_COLOR_ATTACHMENT0, -1, 300000005, 3, 4);
    glDrawBuffers(2, (const GLenum[]){GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1});
    glColorMaski(0, GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
    glClearBufferiv(GL_COLOR, 0, values);
    glClearBufferuiv(GL_COLOR, 1, more);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    expect_integers(GL_COLOR_ATTACHMENT0, -5, 300000005, 7, 1);
    expect_integers(GL_COLOR_ATTACHMENT1, 1, 2, 3, 255);
    glClearBufferiv(GL_DEPTH, 0, values);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &f);
    glClearColor(0, 0, 0, 0);
}

/* Checks that integer attributes and textures stay integers, and that blending leaves them
 * unchanged. */
static void test_draw(void **state)
{
    static const GLenum format = GL_RGBA32I;
    static const GLint where[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    GLint texels[SIZE * SIZE];
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        texels[i] = 1 << 30 | 1;
    GLuint p = gl_test_program("#version 120\n"
                               "#extension GL_EXT_gpu_shader4: enable\n"
                               "attribute ivec4 weight; flat varying ivec4 number;\n"
                               "void main() { number = weight; gl_Position = gl_Vertex; }\n",
                               "#version 120\n"
                               "#extension GL_EXT_gpu_shader4: enable\n"
                               "flat varying ivec4 number; uniform isampler2D image;\n"
                               "varying out ivec4 result;\n"
                               "void main() {\n"
                               "    result = number + texelFetch2D(image, ivec2(1), 0);\n"
                               "}\n");
    GLuint f = make_framebuffer(&format, 1);
    GLuint t = make_texture(GL_LUMINANCE32I_EXT, GL_LUMINANCE_INTEGER_EXT, GL_INT, texels);
    glUseProgram(p);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ZERO, GL_ZERO);
    glVertexPointer(2, GL_INT, 0, where);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexAttribI4i(3, 1, -2, 1 << 24 | 1, 5);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_BLEND);
    glUseProgram(0);
    expect_integers(GL_COLOR_ATTACHMENT0, (1 << 30) + 2, (1 << 30) - 1, (1 << 30) + (1 << 24) + 2,
                    6);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &f);
    glDeleteTextures(1, &t);
    glDeleteProgram(p);
}

static void test_errors(void **state)
{
    GLint border[4] = {1 << 24 | 1, -2, 3, INT32_MIN}, got[4];
    GLuint t = make_texture(GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, NULL);
    glTexParameterIiv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
    glGetTexParameterIiv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, got);
    assert_memory_equal(got, border, sizeof got);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8UI, 1, 1, 0, GL_RGBA_INTEGER, GL_FLOAT, NULL);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8UI, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, NULL);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glReadPixels(0, 0, 1, 1, GL_RGBA_INTEGER, GL_INT, got); /* from the window */
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDeleteTextures(1, &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_draw),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
