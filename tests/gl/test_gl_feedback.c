/* SPDX-License-Identifier: MIT */
/* Transform feedback: captured values, its objects, queries and errors. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

static int setup(void **state)
{
    static const struct gl_test_window window = {32, 32};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

#define VERTEX_FLOATS 3 /* floats per vertex that the program below captures in one buffer */

/* Returns a program that captures the doubled position and the vertex ID. */
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

/* Checks that the buffer holds the vertices with these IDs in order, from byte `at` on. */
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
    gl_test_delete_program(p);
    glDeleteBuffers(1, &buffer);
    glDeleteQueries(2, q);
}

/* GL 4.6 §14.6.1: with both faces culled, triangles draw nothing but lines do; queries count all of
 * them. */
static void test_both_faces_culled(void **state)
{
    GLuint p = gl_test_program("void main() { gl_Position = gl_Vertex; }",
                               "void main() { gl_FragColor = vec4(1); }");
    GLuint q[2];
    glGenQueries(2, q);
    glUseProgram(p);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT_AND_BACK);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, positions);
    for (int lines = 0; lines < 2; lines++) {
        glBeginQuery(GL_PRIMITIVES_GENERATED, q[0]);
        glBeginQuery(GL_SAMPLES_PASSED, q[1]);
        glDrawArrays(lines ? GL_LINE_STRIP : GL_TRIANGLE_STRIP, 0, 4);
        glEndQuery(GL_SAMPLES_PASSED);
        glEndQuery(GL_PRIMITIVES_GENERATED);
        assert_int_equal(result(q[0]), lines ? 3 : 2);
        assert_int_equal(result(q[1]) != 0, lines);
    }
    glDisableClientState(GL_VERTEX_ARRAY);
    glCullFace(GL_BACK);
    glDisable(GL_CULL_FACE);
    gl_test_delete_program(p);
    glDeleteQueries(2, q);
}

/* Checks that a primitive that doesn't fit is left out as a whole. */
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
    gl_test_delete_program(p);
    glDeleteBuffers(1, &buffer);
    glDeleteQueries(1, &q);
}

/* Checks a buffer without storage: each primitive overflows, and none is left from an earlier
 * capture (GL 4.6 §13.3.3, §13.5). */
static void test_empty(void **state)
{
    GLuint p = capturing_program(GL_INTERLEAVED_ATTRIBS), buffer = make_buffer(0, 1000), q[3];
    set_arrays();
    glGenQueries(3, q);
    for (int empty = 0; empty < 2; empty++) {
        glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
        glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, empty ? 0 : 1000, NULL, GL_STATIC_READ);
        glBeginQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW, q[0]);
        glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, q[1]);
        glBeginTransformFeedback(GL_TRIANGLES);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glEndTransformFeedback();
        glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
        glEndQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW);
        assert_int_equal(result(q[0]), empty);
        assert_int_equal(result(q[1]), !empty);
        glBeginQuery(GL_PRIMITIVES_GENERATED, q[2]);
        glDrawTransformFeedback(GL_POINTS, 0);
        glEndQuery(GL_PRIMITIVES_GENERATED);
        assert_int_equal(result(q[2]), empty ? 0 : 3);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
    gl_test_delete_program(p);
    glDeleteBuffers(1, &buffer);
    glDeleteQueries(3, q);
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
    gl_test_delete_program(p);
    glDeleteBuffers(2, buffer);
}

/* Checks two interleaved objects; each resumes where it was paused. */
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
    gl_test_delete_program(p);
    glDeleteBuffers(2, buffer);
}

static void test_errors(void **state)
{
    GLuint p = capturing_program(GL_INTERLEAVED_ATTRIBS), buffer, unused;
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
    glGenBuffers(1, &unused);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, unused);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    assert_false(glIsBuffer(unused));
    glDeleteBuffers(1, &unused);
    glResumeTransformFeedback();
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glEndTransformFeedback();
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer, 2, 4);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glTransformFeedbackBufferRange(0, 0, buffer, 4, 6);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glTransformFeedbackBufferRange(0, 0, 0, 0, 0);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glTransformFeedbackBufferRange(0, 0, 0, -4, 4);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0, 0, 0);
    glTransformFeedbackBufferBase(0, 0, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glUseProgram(0);
    glBeginTransformFeedback(GL_TRIANGLES); /* no program */
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDeleteProgram(p);
    glDeleteBuffers(1, &buffer);
}

/* Checks that the capture of each draw is the next draw's uniform block. */
static void test_feedback_as_uniforms(void **state)
{
    static const char *const name = "next";
    static const int zero;
    GLuint p = gl_test_program("#version 140\n"
                               "uniform Block { int k; };\n"
                               "flat out int next; flat out float shade;\n"
                               "void main() {\n"
                               "    next = k + 1; shade = float(k) / 8.0;\n"
                               "    gl_Position = vec4(float(k) / 4.0 - 0.875, 0.0, 0.0, 1.0);\n"
                               "}\n",
                               "#version 140\n"
                               "flat in float shade; out vec4 color;\n"
                               "void main() { color = vec4(1.0 - shade, shade, 1.0, 1.0); }\n");
    glTransformFeedbackVaryings(p, 1, &name, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(p);
    glUseProgram(p);
    GLuint buffer[2] = {make_buffer(0, 4), make_buffer(0, 4)};
    glBindBuffer(GL_UNIFORM_BUFFER, buffer[0]);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, 4, &zero);
    glClear(GL_COLOR_BUFFER_BIT);
    glPointSize(4);
    for (unsigned i = 0; i < 8; i++) {
        glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer[i % 2]);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer[1 - i % 2]);
        glBeginTransformFeedback(GL_POINTS);
        glDrawArrays(GL_POINTS, 0, 1);
        glEndTransformFeedback();
    }
    for (unsigned i = 0; i < 8; i++)
        expect((int)i * 4 + 1, 16, 1.0f - (float)i / 8, (float)i / 8, 1);
    glPointSize(1);
    gl_test_delete_program(p);
    glDeleteBuffers(2, buffer);
}

/* GL 4.6 §11.1.2.1: pseudo-names require interleaved capture; separate capture limits the
 * buffers. */
static void test_pseudo_names(void **state)
{
    static const char *const names[] = {"twice", "gl_NextBuffer", "a", "gl_NextBuffer",
                                        "b",     "gl_NextBuffer", "c", "gl_NextBuffer",
                                        "d"};
    static const char *const skip[] = {"gl_SkipComponents2", "twice"};
    GLuint p = glCreateProgram();
    glTransformFeedbackVaryings(p, 2, names, GL_SEPARATE_ATTRIBS);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glTransformFeedbackVaryings(p, 2, skip, GL_SEPARATE_ATTRIBS);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glTransformFeedbackVaryings(p, 9, names, GL_INTERLEAVED_ATTRIBS);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glTransformFeedbackVaryings(p, 7, names, GL_INTERLEAVED_ATTRIBS);
    glTransformFeedbackVaryings(p, 2, skip, GL_INTERLEAVED_ATTRIBS);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteProgram(p);
}

/* GLSL 1.50 §4.3.7: members are named by their block, with an index in arrays of blocks. */
static void test_block_names(void **state)
{
    static const struct {
        const char *name;
        bool ok;
    } cases[] = {
        {"plain", true},         {"One.a", true},        {"Many[1].a", true},
        {"Many[1].b[2]", true},  {"Many[0].b", true},    {"Many[1].unused", true},
        {"one.a", false},        {"Many.a", false},      {"Many[2].a", false},
        {"many[1].a", false},    {"One[0].a", false},    {"Many[1].b[3]", false},
        {"Many[1][0].a", false}, {"Plain.plain", false},
    };
    GLuint p = glCreateProgram();
    GLuint vs = gl_test_compile(GL_VERTEX_SHADER,
                                "#version 150\n"
                                "out Plain { float plain; };\n"
                                "out One { vec2 a; } one;\n"
                                "out Many { float a; float b[3]; vec2 unused; } many[2];\n"
                                "in float weight;\n"
                                "void main() {\n"
                                "    gl_Position = vec4(0); plain = weight; one.a = vec2(weight);\n"
                                "    many[0].a = many[1].a = weight;\n"
                                "    many[1].b[2] = many[0].b[0] = weight;\n"
                                "}\n");
    GLint ok;
    glAttachShader(p, vs);
    glDeleteShader(vs);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        glTransformFeedbackVaryings(p, 1, &cases[i].name, GL_INTERLEAVED_ATTRIBS);
        glLinkProgram(p);
        glGetProgramiv(p, GL_LINK_STATUS, &ok);
        if (ok != cases[i].ok)
            fail_msg("%s: link status %d", cases[i].name, ok);
    }
    glDeleteProgram(p);
}

/* GLSL 4.60 §4.4.2: consecutive instances of a block go to consecutive buffers. */
static void test_block_array(void **state)
{
    static const char *const names[] = {"Block[0].a", "Block[1].a", "Block[0].b", "Block[1].b"};
    GLuint p = glCreateProgram(), buffer[2] = {make_buffer(0, 64), make_buffer(1, 64)};
    gl_test_attach(p, GL_VERTEX_SHADER,
                   "#version 430\n#extension GL_ARB_enhanced_layouts : require\n"
                   "layout(xfb_buffer = 0, xfb_offset = 0) out Block { float a; vec2 b; } x[2];"
                   "void main() { x[0].a = 1.0; x[0].b = vec2(2.0, 3.0);"
                   "x[1].a = 4.0; x[1].b = vec2(5.0, 6.0); gl_Position = vec4(0.0); }\n");
    gl_test_link(p);
    for (GLuint i = 0; i < 4; i++) {
        char name[32];
        GLsizei size;
        GLenum type;
        glGetTransformFeedbackVarying(p, i, sizeof name, NULL, &size, &type, name);
        assert_string_equal(name, names[i]);
    }
    glUseProgram(p);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 1);
    glEndTransformFeedback();
    glUseProgram(0);
    for (unsigned i = 0; i < 2; i++) {
        float v[3];
        glBindBuffer(GL_ARRAY_BUFFER, buffer[i]);
        glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof v, v);
        for (unsigned k = 0; k < 3; k++)
            assert_float_equal(v[k], 3 * i + k + 1, 0);
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDeleteBuffers(2, buffer);
    glDeleteProgram(p);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strip),
        cmocka_unit_test(test_block_array),
        cmocka_unit_test(test_both_faces_culled),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_separate),
        cmocka_unit_test(test_objects),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_feedback_as_uniforms),
        cmocka_unit_test(test_pseudo_names),
        cmocka_unit_test(test_block_names),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
