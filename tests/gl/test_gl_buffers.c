/* SPDX-License-Identifier: MIT */
/* What programs read of buffers besides vertices one by one: instances, restarts, on the CPU driver. */
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

/* A buffer with data, bound to the target. */
static GLuint buffer(GLenum target, GLsizeiptr size, const void *data)
{
    GLuint name;
    glGenBuffers(1, &name);
    glBindBuffer(target, name);
    glBufferData(target, size, data, GL_STATIC_DRAW);
    return name;
}

/* ------------------------------------------------------------------------------- instances --- */

/* The lower left quarter of the window, as a strip. */
static const float quarter[4][2] = {{-1, -1}, {0, -1}, {-1, 0}, {0, 0}};

static void test_instance_id(void **state)
{
    GLuint p = gl_test_program("#version 120\n"
                               "#extension GL_ARB_draw_instanced : require\n"
                               "varying float red;\n"
                               "void main() {\n"
                               "    red = float(gl_InstanceIDARB) / 3.0;\n"
                               "    vec2 at = vec2(mod(float(gl_InstanceID), 2.0), gl_InstanceID / 2);\n"
                               "    gl_Position = vec4(gl_Vertex.xy + at, 0, 1);\n"
                               "}",
                               "varying float red;\n"
                               "void main() { gl_FragColor = vec4(red, 1, 0, 1); }");
    static const GLubyte order[] = {0, 1, 2, 3};
    glUseProgram(p);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, quarter);
    for (int indexed = 0; indexed < 2; indexed++) {
        glClear(GL_COLOR_BUFFER_BIT);
        if (indexed)
            glDrawElementsInstancedARB(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_BYTE, order, 3);
        else
            glDrawArraysInstancedARB(GL_TRIANGLE_STRIP, 0, 4, 3);
        expect(3, 3, 0, 1, 0);
        expect(12, 3, 1 / 3.0f, 1, 0);
        expect(3, 12, 2 / 3.0f, 1, 0);
        expect(12, 12, 0, 0, 0);
    }
    glDrawArraysInstancedARB(GL_TRIANGLE_STRIP, 0, 4, 0);
    glDrawArraysInstancedARB(GL_TRIANGLE_STRIP, 0, 4, -1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glDisableClientState(GL_VERTEX_ARRAY);
    glUseProgram(0);
    glDeleteProgram(p);
}

/* Attributes that advance every second instance, counted from the base instance. */
static void test_divisor(void **state)
{
    GLuint p = gl_test_program("#version 120\n"
                               "#extension GL_ARB_draw_instanced : require\n"
                               "attribute float weight;\n"
                               "varying float red;\n"
                               "void main() {\n"
                               "    red = weight;\n"
                               "    vec2 at = vec2(mod(float(gl_InstanceID), 2.0), gl_InstanceID / 2);\n"
                               "    gl_Position = vec4(gl_Vertex.xy + at, 0, 1);\n"
                               "}",
                               "varying float red;\n"
                               "void main() { gl_FragColor = vec4(red, 0, 0, 1); }");
    static const float weights[] = {0.25f, 0.5f, 1};
    GLint divisor;
    glUseProgram(p);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, quarter);
    glEnableVertexAttribArray(3);
    for (int in_buffer = 0; in_buffer < 2; in_buffer++) {
        GLuint b = in_buffer ? buffer(GL_ARRAY_BUFFER, sizeof weights, weights) : 0;
        glVertexAttribPointer(3, 1, GL_FLOAT, GL_FALSE, 0, in_buffer ? NULL : weights);
        glVertexAttribDivisorARB(3, 2);
        glGetVertexAttribiv(3, GL_VERTEX_ATTRIB_ARRAY_DIVISOR_ARB, &divisor);
        assert_int_equal(divisor, 2);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArraysInstancedARB(GL_TRIANGLE_STRIP, 0, 4, 4);
        expect(3, 3, 0.25f, 0, 0);
        expect(12, 3, 0.25f, 0, 0);
        expect(3, 12, 0.5f, 0, 0);
        expect(12, 12, 0.5f, 0, 0);
        glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, 3, 1);
        expect(12, 3, 0.5f, 0, 0);
        expect(3, 12, 1, 0, 0);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        glDeleteBuffers(1, &b);
    }
    glVertexAttribDivisorARB(99, 1);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glVertexAttribDivisorARB(3, 0);
    glDisableVertexAttribArray(3);
    glDisableClientState(GL_VERTEX_ARRAY);
    glUseProgram(0);
    glDeleteProgram(p);
}

static void test_instanced_draws_in_lists(void **state)
{
    GLuint list = glGenLists(1);
    glNewList(list, GL_COMPILE);
    glDrawArraysInstancedARB(GL_TRIANGLES, 0, 3, 2);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDrawElementsInstancedARB(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, quarter, 2);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glEndList();
    glCallList(list);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteLists(list, 1);
}

/* -------------------------------------------------------------------------------- restarts --- */

/* Lower left and upper right quarter, each a fan; 9 is no vertex. */
static const float two_quarters[8][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0},
                                         {0, 0},   {1, 0},  {1, 1}, {0, 1}};
static const GLubyte two_fans[] = {0, 1, 2, 3, 9, 4, 5, 6, 7};

static void expect_two_quarters(void)
{
    expect(3, 3, 1, 1, 1);
    expect(12, 12, 1, 1, 1);
    expect(3, 12, 0, 0, 0);
    expect(12, 3, 0, 0, 0);
}

static void test_restart(void **state)
{
    GLfloat feedback[64];
    GLint index;
    glColor3f(1, 1, 1);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, two_quarters);
    glEnableClientState(GL_PRIMITIVE_RESTART_NV);
    assert_true(glIsEnabled(GL_PRIMITIVE_RESTART_NV));
    glPrimitiveRestartIndexNV(9);
    glGetIntegerv(GL_PRIMITIVE_RESTART_INDEX_NV, &index);
    assert_int_equal(index, 9);

    glClear(GL_COLOR_BUFFER_BIT);
    glDrawElements(GL_TRIANGLE_FAN, 9, GL_UNSIGNED_BYTE, two_fans);
    expect_two_quarters();

    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_TRIANGLE_FAN);
    for (unsigned i = 0; i < 9; i++)
        glArrayElement(two_fans[i]);
    glEnd();
    expect_two_quarters();

    /* the index counts when the list is compiled */
    GLuint list = glGenLists(1);
    glNewList(list, GL_COMPILE);
    glDrawElements(GL_TRIANGLE_FAN, 9, GL_UNSIGNED_BYTE, two_fans);
    glEndList();
    glPrimitiveRestartIndexNV(0);
    glClear(GL_COLOR_BUFFER_BIT);
    glCallList(list);
    expect_two_quarters();
    glDeleteLists(list, 1);

    glPrimitiveRestartIndexNV(9);
    glFeedbackBuffer(64, GL_2D, feedback);
    glRenderMode(GL_FEEDBACK);
    glDrawElements(GL_LINE_STRIP, 9, GL_UNSIGNED_BYTE, two_fans);
    assert_int_equal(glRenderMode(GL_RENDER), 2 * 3 * 5);

    glDisableClientState(GL_PRIMITIVE_RESTART_NV);
    glPrimitiveRestartNV();
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDisableClientState(GL_VERTEX_ARRAY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instance_id),
        cmocka_unit_test(test_divisor),
        cmocka_unit_test(test_instanced_draws_in_lists),
        cmocka_unit_test(test_restart),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
