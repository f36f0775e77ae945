/* SPDX-License-Identifier: MIT */
/* Transform feedback: what is captured, its objects, its queries and its errors. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

static int setup(void **state)
{
    static const struct gl_test_window window = {32, 32};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

#define VERTEX_FLOATS 3 /* of what the program below captures in one buffer */

/* Captures twice the position and the number of the vertex. */
static GLuint capturing_program(GLenum mode)
{
    static const char *const names[] = {"twice", "number"};
    GLuint p = gl_test_program("#version 120\n"
                               "attribute float weight; varying vec2 twice; varying float number;\n"
                               "void main() {\n"
                               "    twice = 2.0 * gl_Vertex.xy; number = weight;\n"
                               "    gl_Position = gl_Vertex; gl_FrontColor = vec4(1.0);\n"
                               "}\n",
                               "void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }\n");
    glTransformFeedbackVaryings(p, 2, names, mode);
    glLinkProgram(p);
    glUseProgram(p);
    return p;
}

static GLuint make_buffer(GLuint index, GLsizeiptr size)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, index, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, size, NULL, GL_STATIC_READ);
    return buffer;
}

static const float positions[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};

static void set_arrays(void)
{
    static const float numbers[4] = {0, 1, 2, 3};
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexPointer(2, GL_FLOAT, 0, positions);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexAttribPointer(3, 1, GL_FLOAT, GL_FALSE, 0, numbers);
    glEnableVertexAttribArray(3);
}

/* The vertices with these numbers, one after the other from a byte of the buffer on. */
static void expect_captured(GLuint buffer, unsigned at, const uint8_t *numbers, unsigned count)
{
    float v[16][VERTEX_FLOATS];
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glGetBufferSubData(GL_ARRAY_BUFFER, at, (GLsizeiptr)(count * sizeof v[0]), v);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned i = 0; i < count; i++) {
        assert_float_equal(v[i][0], 2 * positions[numbers[i]][0], 0);
        assert_float_equal(v[i][1], 2 * positions[numbers[i]][1], 0);
        assert_float_equal(v[i][2], numbers[i], 0);
    }
}

static GLuint result(GLuint query)
{
    GLuint value;
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &value);
    return value;
}

static void test_strip(void **state)
{
    static const uint8_t order[] = {0, 1, 2, 2, 1, 3}; /* triangles keep their orientation */
    GLuint p = capturing_program(GL_INTERLEAVED_ATTRIBS), buffer = make_buffer(0, 1000), q[2];
    set_arrays();
    glGenQueries(2, q);
    glBeginQuery(GL_PRIMITIVES_GENERATED, q[0]);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, q[1]);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glEndQuery(GL_PRIMITIVES_GENERATED);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    expect_captured(buffer, 0, order, 6);
    assert_int_equal(result(q[0]), 2);
    assert_int_equal(result(q[1]), 2);
    glUseProgram(0);
    glDeleteProgram(p);
    glDeleteBuffers(1, &buffer);
    glDeleteQueries(2, q);
}

/* A primitive that does not fit is left out as a whole. */
static void test_overflow(void **state)
{
    static const uint8_t order[] = {0, 1, 2};
    GLuint p = capturing_program(GL_INTERLEAVED_ATTRIBS), buffer = make_buffer(0, 256), q;
    set_arrays();
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer, 16, 5 * VERTEX_FLOATS * 4);
    glGenQueries(1, &q);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, q);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    expect_captured(buffer, 16, order, 3);
    assert_int_equal(result(q), 1);
    glUseProgram(0);
    glDeleteProgram(p);
    glDeleteBuffers(1, &buffer);
    glDeleteQueries(1, &q);
}

static void test_separate(void **state)
{
    GLuint p = capturing_program(GL_SEPARATE_ATTRIBS), buffer[2];
    float v[2][2], n[2];
    buffer[0] = make_buffer(0, 1000);
    buffer[1] = make_buffer(1, 1000);
    set_arrays();
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 1, 2);
    glEndTransformFeedback();
    glBindBuffer(GL_ARRAY_BUFFER, buffer[0]);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof v, v);
    glBindBuffer(GL_ARRAY_BUFFER, buffer[1]);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof n, n);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned i = 0; i < 2; i++) {
        assert_float_equal(v[i][0], 2 * positions[i + 1][0], 0);
        assert_float_equal(n[i], i + 1, 0);
    }
    glUseProgram(0);
    glDeleteProgram(p);
    glDeleteBuffers(2, buffer);
}

/* Two objects take turns; each goes on where it was paused. */
static void test_objects(void **state)
{
    static const uint8_t first[] = {0, 3}, second[] = {1, 2};
    GLuint p = capturing_program(GL_INTERLEAVED_ATTRIBS), buffer[2], xfb[2];
    GLint value;
    set_arrays();
    glGenTransformFeedbacks(2, xfb);
    assert_false(glIsTransformFeedback(xfb[0]));
    for (unsigned i = 0; i < 2; i++) {
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, xfb[i]);
        buffer[i] = make_buffer(0, 1000);
        glBeginTransformFeedback(GL_POINTS);
        glDrawArrays(GL_POINTS, (GLint)i, 1);
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
        assert_int_equal(glGetError(), GL_INVALID_OPERATION);
        glPauseTransformFeedback();
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_BINDING, &value);
    assert_int_equal(value, xfb[1]);
    glGetIntegeri_v(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, 0, &value);
    assert_int_equal(value, buffer[1]);
    for (int i = 1; i >= 0; i--) {
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, xfb[i]);
        glResumeTransformFeedback();
        glDrawArrays(GL_POINTS, 3 - i, 1);
        glEndTransformFeedback();
    }
    expect_captured(buffer[0], 0, first, 2);
    expect_captured(buffer[1], 0, second, 2);
    glDrawTransformFeedback(GL_LINES, xfb[0]);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteTransformFeedbacks(2, xfb);
    glDrawTransformFeedback(GL_LINES, xfb[0]);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glUseProgram(0);
    glDeleteProgram(p);
    glDeleteBuffers(2, buffer);
}

static void test_errors(void **state)
{
    GLuint p = capturing_program(GL_INTERLEAVED_ATTRIBS), buffer;
    GLboolean active;
    set_arrays();
    glEndTransformFeedback();
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glBeginTransformFeedback(GL_TRIANGLE_STRIP);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glBeginTransformFeedback(GL_TRIANGLES); /* no buffer */
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    buffer = make_buffer(0, 1000);
    glBeginTransformFeedback(GL_TRIANGLES);
    glGetBooleanv(GL_TRANSFORM_FEEDBACK_ACTIVE, &active);
    assert_true(active);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDrawArrays(GL_LINES, 0, 2);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glUseProgram(0);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glLinkProgram(p);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glResumeTransformFeedback();
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glEndTransformFeedback();
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer, 2, 4);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glUseProgram(0);
    glBeginTransformFeedback(GL_TRIANGLES); /* no program */
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDeleteProgram(p);
    glDeleteBuffers(1, &buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strip),    cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_separate), cmocka_unit_test(test_objects),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
