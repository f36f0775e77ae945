/* SPDX-License-Identifier: MIT */
/* Buffer textures on the CPU driver; needs a context of OpenGL 3.1. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

enum { SIZE = 16 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Creates and binds a buffer with data and a buffer texture. */
static void make(GLuint names[2], GLsizeiptr size, const void *data)
{
    glGenBuffers(1, &names[0]);
    glBindBuffer(GL_TEXTURE_BUFFER, names[0]);
    glBufferData(GL_TEXTURE_BUFFER, size, data, GL_STATIC_DRAW);
    glGenTextures(1, &names[1]);
    glBindTexture(GL_TEXTURE_BUFFER, names[1]);
}

static void destroy(const GLuint names[2])
{
    glDeleteTextures(1, &names[1]);
    glDeleteBuffers(1, &names[0]);
}

/* Returns a program in which each column shows the texel of its index. */
static GLuint columns_program(void)
{
    GLuint p = gl_test_program("#version 140\n"
                               "in vec4 weight;\n"
                               "void main() { gl_Position = weight; }",
                               "#version 140\n"
                               "uniform samplerBuffer texels;\n"
                               "out vec4 color;\n"
                               "void main() {\n"
                               "    int i = int(gl_FragCoord.x);\n"
                               "    color = i < textureSize(texels) ? texelFetch(texels, i)\n"
                               "                                    : vec4(0, 0, 1, 1);\n"
                               "}");
    glUseProgram(p);
    return p;
}

static void draw(void)
{
    static const float corners[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(3, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(3);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableVertexAttribArray(3);
}

static void test_fetch(void **state)
{
    static const GLubyte texels[32][4] = {
        {255, 0, 0, 255}, {0, 255, 0, 255}, [4] = {255, 255, 0, 255}};
    static const GLubyte white[4] = {255, 255, 255, 255};
    static const float floats[6] = {1, 0, 0.5f, 0, 1, 0.25f};
    GLuint names[2], p = columns_program();
    make(names, sizeof texels, texels);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, names[0]);
    draw();
    expect(0, 8, 1, 0, 0);
    expect(1, 8, 0, 1, 0);
    expect(4, 8, 1, 1, 0);
    expect(5, 8, 0, 0, 0);

    /* Contents change between draws. */
    glBufferSubData(GL_TEXTURE_BUFFER, 4, 4, white);
    draw();
    expect(1, 8, 1, 1, 1);

    /* A range that ends before the window does. */
    glTexBufferRange(GL_TEXTURE_BUFFER, GL_RGBA8, names[0], 16, 11);
    draw();
    expect(0, 8, 1, 1, 0);
    expect(1, 8, 0, 0, 0);
    expect(2, 8, 0, 0, 1);

    /* New storage with three components; the whole buffer at its current size. */
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGB32F, names[0]);
    glBufferData(GL_TEXTURE_BUFFER, sizeof floats, floats, GL_STREAM_DRAW);
    draw();
    expect(0, 8, 1, 0, 0.5f);
    expect(1, 8, 0, 1, 0.25f);
    expect(2, 8, 0, 0, 1);

    /* One component, then a format that only the compatibility profile has. */
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, names[0]);
    draw();
    expect(2, 8, 0.5f, 0, 0);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_LUMINANCE32F_ARB, names[0]);
    draw();
    expect(2, 8, 0.5f, 0.5f, 0.5f);

    /* Without a buffer, results are undefined, but nothing crashes. */
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, 0);
    draw();
    assert_int_equal(glGetError(), GL_NO_ERROR);
    gl_test_delete_program(p);
    destroy(names);
}

static void expect_level(GLenum pname, GLint value)
{
    GLint got = -1;
    glGetTexLevelParameteriv(GL_TEXTURE_BUFFER, 0, pname, &got);
    assert_int_equal(got, value);
}

static void test_queries(void **state)
{
    GLuint names[2];
    GLint value, alignment;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &value);
    assert_true(value >= 65536);
    glGetIntegerv(GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT, &alignment);
    assert_true(alignment >= 1 && alignment <= 256);
    make(names, 1024, NULL);
    expect_level(GL_TEXTURE_WIDTH, 0);
    expect_level(GL_TEXTURE_BUFFER_DATA_STORE_BINDING, 0);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RG16, names[0]);
    expect_level(GL_TEXTURE_WIDTH, 256);
    expect_level(GL_TEXTURE_INTERNAL_FORMAT, GL_RG16);
    expect_level(GL_TEXTURE_BUFFER_DATA_STORE_BINDING, names[0]);
    expect_level(GL_TEXTURE_BUFFER_SIZE, 1024);
    glTexBufferRange(GL_TEXTURE_BUFFER, GL_RGBA32F, names[0], alignment, 100);
    expect_level(GL_TEXTURE_WIDTH, 6);
    expect_level(GL_TEXTURE_BUFFER_OFFSET, alignment);
    expect_level(GL_TEXTURE_BUFFER_SIZE, 100);
    glGetIntegerv(GL_TEXTURE_BINDING_BUFFER, &value);
    assert_int_equal(value, names[1]);
    glGetIntegerv(GL_TEXTURE_BUFFER, &value);
    assert_int_equal(value, names[0]);
    glGetIntegerv(GL_TEXTURE_BUFFER_FORMAT_ARB, &value);
    assert_int_equal(value, GL_RGBA32F);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    destroy(names);
}

static void test_errors(void **state)
{
    GLuint names[2];
    make(names, 1024, NULL);
    glTexBuffer(GL_TEXTURE_2D, GL_RGBA8, names[0]);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGB8, names[0]);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, 12345);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    static const GLintptr bad[][2] = {{-16, 16}, {0, 0}, {0, -1}, {0, 1025}, {1024, 16}, {1, 16}};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        glTexBufferRange(GL_TEXTURE_BUFFER, GL_RGBA8, names[0], bad[i][0], bad[i][1]);
        assert_int_equal(glGetError(), GL_INVALID_VALUE);
    }
    expect_level(GL_TEXTURE_BUFFER_DATA_STORE_BINDING, 0);
    /* GL 4.6 §8.20: level 0 can be invalidated. */
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, names[0]);
    glInvalidateTexImage(names[1], 0);
    glInvalidateTexSubImage(names[1], 0, 128, 0, 0, 128, 1, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glInvalidateTexImage(names[1], 1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glInvalidateTexSubImage(names[1], 0, 128, 0, 0, 129, 1, 1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glClearTexImage(names[1], 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    /* The target has no images and parameters. */
    glTexParameteri(GL_TEXTURE_BUFFER, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glTexImage1D(GL_TEXTURE_BUFFER, 0, GL_RGBA8, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glGetTexImage(GL_TEXTURE_BUFFER, 0, GL_RGBA, GL_UNSIGNED_BYTE, names);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glGenerateMipmap(GL_TEXTURE_BUFFER);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    destroy(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fetch),
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
