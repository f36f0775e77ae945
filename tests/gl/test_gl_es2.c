/* SPDX-License-Identifier: MIT */
/* OpenGL ES 2.0: what its contexts have that others don't. */
#define GL_GLEXT_PROTOTYPES
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include "gl_test.h"

enum { SIZE = 16, POSITION = 3 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_ES2, &window);
}

static void draw_square(void)
{
    static const float square[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glClear(GL_COLOR_BUFFER_BIT);
    glEnableVertexAttribArray(POSITION);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, square);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* APPLE_clip_distance: half-spaces that the vertex shader gives, sized by a declaration or by the
 * largest index. */
static void test_clip_distance(void **state)
{
    static const char *const declarations[] = {"", "varying highp float gl_ClipDistance[4];\n"};
    static const char body[] = "attribute vec4 weight;\n"
                               "void main() {\n"
                               "    gl_Position = weight;\n"
                               "    gl_ClipDistance[0] = weight.x;\n"
                               "    gl_ClipDistance[3] = 0.5 - weight.y;\n"
                               "}\n";
    GLint most = 0;
    glGetIntegerv(GL_MAX_CLIP_DISTANCES_APPLE, &most);
    assert_int_equal(most, 8);
    for (int i = 0; i < 8; i++)
        assert_false(glIsEnabled(GL_CLIP_DISTANCE0_APPLE + i));
    for (unsigned i = 0; i < 2; i++) {
        char vs[500];
        snprintf(vs, sizeof vs, "#extension GL_APPLE_clip_distance : require\n%s%s",
                 declarations[i], body);
        GLuint program = gl_test_program(vs, "void main() { gl_FragColor = vec4(1); }");
        glUseProgram(program);
        draw_square();
        expect(1, 1, 1, 1, 1);
        expect(14, 14, 1, 1, 1);
        glEnable(GL_CLIP_DISTANCE0_APPLE);
        draw_square();
        expect(1, 1, 0, 0, 0);
        expect(14, 14, 1, 1, 1);
        glEnable(GL_CLIP_DISTANCE3_APPLE);
        draw_square();
        expect(14, 14, 0, 0, 0);
        expect(14, 10, 1, 1, 1);
        glDisable(GL_CLIP_DISTANCE0_APPLE);
        draw_square();
        expect(1, 1, 1, 1, 1);
        glDisable(GL_CLIP_DISTANCE3_APPLE);
        glUseProgram(0);
        glDeleteProgram(program);
    }
    glEnable(GL_CLIP_DISTANCE7_APPLE + 1);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
}

/* What OpenGL ES 2.0 leaves out of its commands (§2.10.4, §4.4.3). */
static void test_missing_arguments(void **state)
{
    static const float matrix[16];
    GLuint texture, framebuffer;
    GLuint program = gl_test_program("attribute vec4 weight; uniform mat4 m;\n"
                                     "void main() { gl_Position = m * weight; }",
                                     "void main() { gl_FragColor = vec4(1); }");
    glUseProgram(program);
    GLint m = glGetUniformLocation(program, "m");
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glUniformMatrix4fv(m, 1, GL_TRUE, matrix);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glUniformMatrix4fv(-1, 1, GL_TRUE, matrix);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glUniformMatrix4fv(-1, 1, GL_FALSE, matrix);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glUseProgram(0);
    glDeleteProgram(program);

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
}

/* OES_texture_float makes no color buffers (its issue 5), half floats are with
 * EXT_color_buffer_half_float; pixels of EXT_texture_format_BGRA8888 are bytes. */
static void test_float_textures(void **state)
{
    static const GLenum types[] = {GL_UNSIGNED_BYTE, GL_FLOAT, GL_HALF_FLOAT_OES};
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    for (unsigned i = 0; i < 3; i++) {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, types[i], NULL);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE,
                         i != 1);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_BGRA_EXT, 4, 4, 0, GL_BGRA_EXT, types[i], NULL);
        assert_int_equal(glGetError(), i ? GL_INVALID_OPERATION : GL_NO_ERROR);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &texture);
        assert_int_equal(glGetError(), i ? GL_NO_ERROR : GL_INVALID_OPERATION);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
}

/* EXT_draw_buffers: one buffer of the window; of others as many as glGet and the language say. */
static void test_draw_buffers(void **state)
{
    static const GLenum back[2] = {GL_BACK, GL_NONE}, color = GL_COLOR_ATTACHMENT0_EXT;
    static const char text[] = "void main() {\n"
                               "    gl_FragColor = vec4(gl_MaxDrawBuffers == %d ? 1.0 : 0.0);\n"
                               "}\n";
    char fs[sizeof text + 20];
    GLint most;
    glDrawBuffersEXT(0, back);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDrawBuffersEXT(2, back);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDrawBuffersEXT(1, &color);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDrawBuffersEXT(1, back);
    glGetIntegerv(GL_MAX_DRAW_BUFFERS_EXT, &most);
    snprintf(fs, sizeof fs, text, most);
    GLuint p = gl_test_program("attribute vec4 weight; void main() { gl_Position = weight; }", fs);
    glUseProgram(p);
    draw_square();
    expect(8, 8, 1, 1, 1);
    glUseProgram(0);
    glDeleteProgram(p);
}

static void draw_point(float x, float y, float z)
{
    const float place[] = {x, y, z};
    glClear(GL_COLOR_BUFFER_BIT);
    glEnableVertexAttribArray(POSITION);
    glVertexAttribPointer(POSITION, 3, GL_FLOAT, GL_FALSE, 0, place);
    glDrawArrays(GL_POINTS, 0, 1);
}

/* Points are drawn as far as their squares reach into the viewport, if they lie between the near and
 * far planes (OpenGL ES 2.0 §2.13). */
static void test_points(void **state)
{
    GLuint p = gl_test_program("attribute vec4 weight;\n"
                               "void main() { gl_Position = weight; gl_PointSize = 8.0; }",
                               "void main() { gl_FragColor = vec4(1); }");
    glUseProgram(p);
    glViewport(4, 4, 8, 8);
    draw_point(0.5f, 0, 0); /* 6 … 13, of which the viewport has 6 … 11 */
    expect(5, 8, 0, 0, 0);
    expect(6, 8, 1, 1, 1);
    expect(11, 8, 1, 1, 1);
    expect(12, 8, 0, 0, 0);
    draw_point(1.5f, 0, 0); /* 10 … 17 */
    expect(9, 8, 0, 0, 0);
    expect(10, 8, 1, 1, 1);
    expect(11, 8, 1, 1, 1);
    expect(12, 8, 0, 0, 0);
    draw_point(-1.75f, 1.5f, 0); /* up to 4; from 10 */
    expect(4, 10, 1, 1, 1);
    expect(4, 9, 0, 0, 0);
    expect(5, 10, 0, 0, 0);
    expect(4, 12, 0, 0, 0);
    draw_point(-2.25f, 0, 0);
    expect(4, 8, 0, 0, 0);
    draw_point(0, 0, 1.5f);
    expect(8, 8, 0, 0, 0);
    glUseProgram(0);
    glDeleteProgram(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_clip_distance, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_missing_arguments, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_float_textures, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_draw_buffers, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_points, setup, gl_test_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
