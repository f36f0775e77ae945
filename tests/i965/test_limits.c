/* SPDX-License-Identifier: MIT */
/* Programs that the hardware cannot hold do not link, and the log says which limit it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "indium/core.h"

static const struct indium_core *core;
static struct gl_drawable *drawable;

static bool get_size(void *data, int *width, int *height)
{
    *width = *height = 64;
    return true;
}

static const struct gl_drawable_ops ops = {.get_size = get_size};
static const struct gl_visual visual = {
    .color = DRV_FORMAT_B8G8R8A8_UNORM,
    .depth_stencil = DRV_FORMAT_Z24S8_UNORM,
    .double_buffered = true,
};

static int setup(void **state)
{
    enum gl_create_error error;
    core = indium_core_interface();
    *state = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_COMPAT, .major = 1, .visual = &visual}, &error);
    drawable = core->drawable_create(&visual, &ops, NULL);
    return *state && drawable && core->make_current(*state, drawable, drawable) ? 0 : -1;
}

static int teardown(void **state)
{
    core->make_current(NULL, NULL, NULL);
    core->context_destroy(*state);
    core->drawable_destroy(drawable);
    return 0;
}

static void attach(GLuint program, GLenum type, const char *text)
{
    GLuint shader = glCreateShader(type);
    GLint ok;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok) {
        char log[1000];
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        print_error("%s", log);
    }
    assert_true(ok);
    glAttachShader(program, shader);
    glDeleteShader(shader);
}

/* The status; the log goes to where `log` is, of 1,000 bytes. */
static bool links(const char *fs, char *log)
{
    GLuint program = glCreateProgram();
    GLint ok;
    attach(program, GL_VERTEX_SHADER, "void main() { gl_Position = gl_Vertex; }");
    attach(program, GL_FRAGMENT_SHADER, fs);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    glGetProgramInfoLog(program, 1000, NULL, log);
    glUseProgram(program);
    assert_int_equal(glGetError(), ok ? GL_NO_ERROR : GL_INVALID_OPERATION);
    glUseProgram(0);
    glDeleteProgram(program);
    return ok;
}

#define ARRAYS(SIZE)                                                                               \
    "uniform int n; void main() { float a[" SIZE "], b[" SIZE "];\n"                               \
    "for (int i = 0; i < " SIZE "; i++) { a[i] = float(i); b[i] = float(n + i); }\n"               \
    "gl_FragColor = vec4(a[n], b[n], 0, 1); }\n"

static void test_scratch(void **state)
{
    char log[1000];
    assert_true(links(ARRAYS("4000"), log));
    assert_string_equal(log, "");
    assert_false(links(ARRAYS("60000"), log));
    assert_non_null(strstr(log, "fragment shader: arrays take 3840000 bytes of a thread's scratch memory"));
    assert_non_null(strstr(log, "of 2097152"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scratch)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
