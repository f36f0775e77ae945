/* SPDX-License-Identifier: MIT */
/* OpenGL ES 3.0 and later: rules that differ from desktop OpenGL's and from OpenGL ES 2.0's. */
#define GL_GLEXT_PROTOTYPES
#include <GLES3/gl3.h>
#include <GLES2/gl2ext.h>

#include "gl_test.h"

enum { SIZE = 16 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_ES2, &window);
}

static void test_enables(void **state)
{
    static const GLenum caps[] = {GL_RASTERIZER_DISCARD, GL_PRIMITIVE_RESTART_FIXED_INDEX};
    for (unsigned i = 0; i < sizeof caps / sizeof *caps; i++) {
        assert_false(glIsEnabled(caps[i]));
        glEnable(caps[i]);
        assert_true(glIsEnabled(caps[i]));
        glDisable(caps[i]);
        assert_int_equal(glGetError(), GL_NO_ERROR);
    }
}

/* Draws nothing while primitives are discarded. */
static void test_discard(void **state)
{
    GLuint p = gl_test_program("#version 300 es\n"
                               "void main() {\n"
                               "    gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 16.0;\n"
                               "}\n",
                               "#version 300 es\n"
                               "out lowp vec4 color;\n"
                               "void main() { color = vec4(0, 1, 0, 1); }\n");
    glUseProgram(p);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_RASTERIZER_DISCARD);
    glDrawArrays(GL_POINTS, 0, 1);
    expect(8, 8, 0, 0, 0);
    glDisable(GL_RASTERIZER_DISCARD);
    glDrawArrays(GL_POINTS, 0, 1);
    expect(8, 8, 0, 1, 0);
    glUseProgram(0);
    glDeleteProgram(p);
}

/* ES 3.2 §11.1.1: attributes at one location do not link, be they used or not; those of ESSL 1.00 do
 * (ES 2.0 §2.10.4). */
static void test_aliases(void **state)
{
    static const char *const vs[] = {
        "#version 300 es\nin float a; in float b; void main() { gl_Position = vec4(0.0); }",
        "#version 300 es\nin mat2 a; in float b; void main() { gl_Position = vec4(a[0][0]); }",
        "attribute float a; attribute float b; uniform bool u;\n"
        "void main() { if (u) gl_Position = vec4(a); else gl_Position = vec4(b); }",
    };
    static const char *const fs[] = {
        "#version 300 es\nout lowp vec4 c; void main() { c = vec4(0.0); }",
        "#version 300 es\nout lowp vec4 c; void main() { c = vec4(0.0); }",
        "void main() { gl_FragColor = vec4(0.0); }",
    };
    for (unsigned i = 0; i < 3; i++) {
        GLuint p = gl_test_program(vs[i], fs[i]);
        GLint ok;
        glBindAttribLocation(p, 2, "a");
        glBindAttribLocation(p, i == 1 ? 3 : 2, "b");
        glLinkProgram(p);
        glGetProgramiv(p, GL_LINK_STATUS, &ok);
        assert_int_equal(ok, i == 2);
        glDeleteProgram(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enables),
        cmocka_unit_test(test_discard),
        cmocka_unit_test(test_aliases),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
