/* SPDX-License-Identifier: MIT */
/* Programs that exceed a hardware limit fail to link, and the log names the limit. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

static int setup(void **state)
{
    static const struct gl_test_window window = {64, 64};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Returns the link status; copies the log to `log`, a buffer of 1,000 bytes. */
static bool links(const char *fs, char *log)
{
    GLuint program = glCreateProgram(), shader = gl_test_compile(GL_FRAGMENT_SHADER, fs);
    GLint ok;
    glAttachShader(program, shader);
    glDeleteShader(shader);
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
    assert_non_null(
        strstr(log, "fragment shader: arrays take 3840000 bytes of a thread's scratch memory"));
    assert_non_null(strstr(log, "of 2097152"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scratch)};
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
