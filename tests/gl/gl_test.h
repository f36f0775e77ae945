/* SPDX-License-Identifier: MIT */
/*
 * Helpers of the GL tests: a current context of one API with its own drawable, and checks of what
 * was drawn. Include after the API's GL header, in one source file per program.
 */
#ifndef GL_TEST_H
#define GL_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "indium/core.h"

/* Size of the test's drawable in pixels. */
struct gl_test_window {
    int width, height;
};

static const struct indium_core *core;
static struct gl_drawable *drawable; /* current drawable, created by gl_test_setup() */

static const struct gl_visual visual = {
    .color = DRV_FORMAT_B8G8R8A8_UNORM,
    .depth_stencil = DRV_FORMAT_Z24S8_UNORM,
    .double_buffered = true,
    .accum_bits = 16,
};

/* gl_drawable_ops.get_size. data: a struct gl_test_window. */
static inline bool gl_test_get_size(void *data, int *width, int *height)
{
    const struct gl_test_window *window = data;
    *width = window->width;
    *height = window->height;
    return true;
}

/* Creates a context and a drawable and makes them current. Requests the API's lowest version, for
 * which the core creates the highest compatible one. Returns 0, or -1 on failure, like cmocka's
 * setup functions. *state becomes the context. window must outlive the drawable. */
static inline int gl_test_setup(void **state, enum gl_api api, const struct gl_test_window *window)
{
    static const struct gl_drawable_ops ops = {.get_size = gl_test_get_size};
    enum gl_create_error error;
    core = indium_core_interface();
    if (!core->visual_supported(&visual))
        return -1;
    *state = core->context_create(&(struct gl_context_attribs){.api = api,
                                                               .major = api == GL_API_ES2 ? 2 : 1,
                                                               .visual = &visual},
                                  &error);
    drawable = core->drawable_create(&visual, &ops, (void *)window);
    return *state && drawable && core->make_current(*state, drawable, drawable) ? 0 : -1;
}

/* Destroys what gl_test_setup() created. */
static inline int gl_test_teardown(void **state)
{
    core->make_current(NULL, NULL, NULL);
    core->context_destroy(*state);
    core->drawable_destroy(drawable);
    return 0;
}

/* Checks that `error` is pending and that no other error is. GL_NO_ERROR: none is pending. */
static inline void expect_error(GLenum error)
{
    assert_int_equal(glGetError(), error);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that pixel (x, y), counted from the lower left, has this color within 2/255, and that no
 * error is pending. */
static inline void expect(int x, int y, float r, float g, float b)
{
    uint8_t p[4] = {0};
    const float want[3] = {r, g, b};
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    for (unsigned c = 0; c < 3; c++)
        if (fabsf((float)p[c] - want[c] * 255.0f) > 2.0f)
            fail_msg("pixel %d,%d is %d %d %d, not %g %g %g", x, y, p[0], p[1], p[2],
                     (double)r * 255, (double)g * 255, (double)b * 255);
}

#ifdef GL_VERTEX_SHADER /* not in OpenGL ES 1 */

/* Returns a shader object; compilation must succeed. */
static inline GLuint gl_test_compile(GLenum type, const char *text)
{
    GLuint shader = glCreateShader(type);
    GLint ok;
    char log[1000];
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!ok)
        fail_msg("%s", log);
    return shader;
}

/* Compiles a shader, which must succeed, and attaches it to the program; does nothing if text is
 * NULL. */
static inline void gl_test_attach(GLuint program, GLenum type, const char *text)
{
    if (!text)
        return;
    GLuint shader = gl_test_compile(type, text);
    glAttachShader(program, shader);
    glDeleteShader(shader);
}

/* Links the program, which must succeed. */
static inline void gl_test_link(GLuint program)
{
    GLint ok;
    char log[1000];
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (!ok)
        fail_msg("%s", log);
}

/* Links the program, which must succeed, and makes it current. */
static inline void gl_test_use(GLuint program)
{
    gl_test_link(program);
    glUseProgram(program);
}

/* Makes no program current and deletes this one. */
static inline void gl_test_delete_program(GLuint program)
{
    glUseProgram(0);
    glDeleteProgram(program);
}

/* Returns a program of a vertex and a fragment shader; linking must succeed. A stage whose text is
 * NULL uses fixed functions. The vertex shader's input "weight", if it exists, is attribute 3. */
static inline GLuint gl_test_program(const char *vs, const char *fs)
{
    GLuint program = glCreateProgram();
    gl_test_attach(program, GL_VERTEX_SHADER, vs);
    gl_test_attach(program, GL_FRAGMENT_SHADER, fs);
    glBindAttribLocation(program, 3, "weight");
    gl_test_link(program);
    return program;
}

#endif
#endif
