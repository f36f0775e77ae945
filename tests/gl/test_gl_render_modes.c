/* SPDX-License-Identifier: MIT */
/* Long draws in the render modes GL_SELECT and GL_FEEDBACK: they report the same as one draw for
 * each primitive, whatever arrays contain the vertices. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

enum { VERTICES = 1009, FLOATS = 200000 };

static float positions[VERTICES][4], colors[VERTICES][3];
static GLfloat expected[FLOATS], actual[FLOATS];

static float noise(unsigned i)
{
    i = (i ^ 61) * 0x27d4eb2d;
    i = (i ^ i >> 15) * 0x85ebca6b;
    return (float)((i ^ i >> 13) >> 8) / (1 << 24);
}

static int setup(void **state)
{
    static const struct gl_test_window window = {64, 32};
    for (unsigned i = 0; i < VERTICES; i++) {
        for (unsigned c = 0; c < 3; c++) {
            positions[i][c] = noise(8 * i + c) * 2.8f - 1.4f;
            colors[i][c] = noise(8 * i + 3 + c);
        }
        positions[i][3] = 1.0f;
    }
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Draws a primitive of n vertices with the given indices. */
static void draw_primitive(GLenum mode, const GLuint *index, unsigned n)
{
    glDrawElements(mode, (GLsizei)n, GL_UNSIGNED_INT, index);
}

/* Draws all primitives of a draw of n vertices on their own. */
static void draw_each(GLenum mode, unsigned n)
{
    for (GLuint i = 0; i < n; i++) {
        if (mode == GL_POINTS)
            draw_primitive(GL_POINTS, (GLuint[]){i}, 1);
        else if ((mode == GL_LINES && i % 2 == 0 && i + 1 < n) ||
                 ((mode == GL_LINE_STRIP || mode == GL_LINE_LOOP) && i + 1 < n))
            draw_primitive(GL_LINES, (GLuint[]){i, i + 1}, 2);
        else if (mode == GL_LINE_LOOP)
            draw_primitive(GL_LINES, (GLuint[]){i, 0}, 2);
        else if (mode == GL_TRIANGLES && i % 3 == 0 && i + 2 < n)
            draw_primitive(GL_TRIANGLES, (GLuint[]){i, i + 1, i + 2}, 3);
        else if (mode == GL_TRIANGLE_STRIP && i + 2 < n)
            draw_primitive(GL_TRIANGLES, (GLuint[]){i + (i & 1), i + !(i & 1), i + 2}, 3);
        else if (mode == GL_TRIANGLE_FAN && i && i + 1 < n)
            draw_primitive(GL_TRIANGLES, (GLuint[]){0, i, i + 1}, 3);
        else if (mode == GL_QUADS && i % 4 == 0 && i + 3 < n)
            draw_primitive(GL_QUADS, (GLuint[]){i, i + 1, i + 2, i + 3}, 4);
        else if (mode == GL_QUAD_STRIP && i % 2 == 0 && i + 3 < n)
            draw_primitive(GL_QUADS, (GLuint[]){i, i + 1, i + 3, i + 2}, 4);
    }
}

static GLint feedback(GLenum mode, unsigned n, bool each, GLfloat *values)
{
    glFeedbackBuffer(FLOATS, GL_3D_COLOR, values);
    glRenderMode(GL_FEEDBACK);
    if (each)
        draw_each(mode, n);
    else
        glDrawArrays(mode, 0, (GLsizei)n);
    return glRenderMode(GL_RENDER);
}

static void check_feedback(GLenum mode, unsigned n)
{
    const GLint count = feedback(mode, n, true, expected);
    assert_true(count > 0 || n < 100);
    assert_int_equal(feedback(mode, n, false, actual), count);
    const bool strip = mode == GL_LINE_STRIP || mode == GL_LINE_LOOP;
    for (GLint i = 0; i < count; i++) {
        /* Only the first segment of a strip resets line stipple, and it may be invisible. */
        if (strip && i % 15 == 0)
            assert_true(actual[i] == GL_LINE_TOKEN || (!i && actual[i] == GL_LINE_RESET_TOKEN));
        else
            assert_true(actual[i] == expected[i]);
    }
}

static void enable_arrays(void)
{
    glVertexPointer(3, GL_FLOAT, sizeof positions[0], positions);
    glColorPointer(3, GL_FLOAT, 0, colors);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
}

static void disable_arrays(void)
{
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisableClientState(GL_COLOR_ARRAY);
    glColor3f(1, 1, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static const GLenum modes[] = {GL_POINTS,       GL_LINES,     GL_LINE_STRIP,
                               GL_LINE_LOOP,    GL_TRIANGLES, GL_TRIANGLE_STRIP,
                               GL_TRIANGLE_FAN, GL_QUADS,     GL_QUAD_STRIP};

static void test_feedback(void **state)
{
    static const unsigned counts[] = {7, 252, 253, 254, 255, VERTICES};
    enable_arrays();
    for (unsigned m = 0; m < sizeof modes / sizeof *modes; m++)
        for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
            check_feedback(modes[m], counts[i]);
    disable_arrays();
}

/* Culling, flat shading, lines of polygons, clip planes and lighting. */
static void test_feedback_states(void **state)
{
    static const GLdouble plane[4] = {1, 0.5, 0, 0.25};
    enable_arrays();
    for (unsigned s = 1; s < 64; s++) {
        glPushAttrib(GL_ALL_ATTRIB_BITS);
        if (s & 1)
            glEnable(GL_CULL_FACE);
        glShadeModel(s & 2 ? GL_FLAT : GL_SMOOTH);
        glPolygonMode(GL_FRONT, s & 4 ? GL_LINE : GL_FILL);
        glPolygonMode(GL_BACK, s & 8 ? GL_POINT : GL_FILL);
        glClipPlane(GL_CLIP_PLANE0, plane);
        if (s & 16)
            glEnable(GL_CLIP_PLANE0);
        if (s & 32) {
            glEnable(GL_LIGHTING);
            glEnable(GL_LIGHT0);
            glEnable(GL_COLOR_MATERIAL);
        }
        check_feedback(GL_TRIANGLES, VERTICES);
        check_feedback(GL_TRIANGLE_STRIP, VERTICES);
        check_feedback(GL_LINE_STRIP, VERTICES);
        glPopAttrib();
    }
    disable_arrays();
}

/* A large polygon reports its vertices in order, with the color of the first if it is flat. */
static void test_polygon(void **state)
{
    glShadeModel(GL_FLAT);
    glFeedbackBuffer(FLOATS, GL_3D_COLOR, actual);
    glRenderMode(GL_FEEDBACK);
    glBegin(GL_POLYGON);
    for (unsigned i = 0; i < 1000; i++) {
        glColor3f((float)i / 1024, 0, 0);
        glVertex3f((float)i / 1024, (float)i * (float)i / (1 << 20), 0);
    }
    glEnd();
    assert_int_equal(glRenderMode(GL_RENDER), 2 + 7 * 1000);
    assert_true(actual[0] == GL_POLYGON_TOKEN && actual[1] == 1000);
    for (unsigned i = 0; i < 1000; i++) {
        assert_true(actual[2 + 7 * i] == 32 + (float)i / 32);
        assert_true(actual[2 + 7 * i + 3] == 0);
    }
    glShadeModel(GL_SMOOTH);
    glColor3f(1, 1, 1);
}

/* A plane can replace each second vertex of a concave polygon by two. Each vertex inside is between
 * the middles of its edges. */
static void test_concave_polygon(void **state)
{
    enum { N = 1000 };
    glFeedbackBuffer(FLOATS, GL_2D, actual);
    glRenderMode(GL_FEEDBACK);
    glBegin(GL_POLYGON);
    for (unsigned i = 0; i < N; i++)
        glVertex2f(i & 1 ? 2 : 0, (float)i / 1024);
    glEnd();
    assert_int_equal(glRenderMode(GL_RENDER), 2 + 2 * (N / 2 * 3));
    assert_true(actual[0] == GL_POLYGON_TOKEN && actual[1] == N / 2 * 3);
    for (unsigned i = 0; i < N; i += 2) {
        const GLfloat *v = actual + 2 + 3 * i;
        const float after = i + 2 < N ? (float)i + 1.5f : (float)(N - 1) / 2;
        assert_true(v[0] == 32 && v[1] == 16 + (float)i / 64);
        assert_true(v[2] == 64 && v[3] == 16 + ((float)i + 0.5f) / 64);
        assert_true(v[4] == 64 && v[5] == 16 + after / 64);
    }
}

static GLint select_triangles(GLuint record[4], unsigned first, unsigned n)
{
    glSelectBuffer(4, record);
    glRenderMode(GL_SELECT);
    glInitNames();
    glPushName(5);
    glDrawArrays(GL_TRIANGLES, (GLint)first, (GLsizei)n);
    return glRenderMode(GL_RENDER);
}

/* The hit record of a draw contains the depths of the records of its triangles. */
static void test_selection(void **state)
{
    for (unsigned cull = 0; cull < 2; cull++) {
        GLuint min = ~0u, max = 0, record[4];
        enable_arrays();
        if (cull)
            glEnable(GL_CULL_FACE);
        for (unsigned i = 0; i + 2 < VERTICES; i += 3) {
            if (!select_triangles(record, i, 3))
                continue;
            min = record[1] < min ? record[1] : min;
            max = record[2] > max ? record[2] : max;
        }
        assert_int_equal(select_triangles(record, 0, VERTICES), 1);
        assert_true(record[0] == 1 && record[1] == min && record[2] == max && record[3] == 5);
        assert_true(min < max);
        glDisable(GL_CULL_FACE);
        disable_arrays();
    }
}

/* Positions of all sizes and of several types, in client memory and in a buffer that ends with the
 * last one. */
static void test_arrays(void **state)
{
    static const struct {
        GLenum type;
        unsigned size, stride;
    } rows[] = {{GL_FLOAT, 2, 8},  {GL_FLOAT, 3, 12},  {GL_FLOAT, 4, 16}, {GL_FLOAT, 2, 20},
                {GL_FLOAT, 3, 16}, {GL_DOUBLE, 3, 24}, {GL_SHORT, 2, 4},  {GL_SHORT, 4, 8}};
    enum { COUNT = 300 };
    static uint8_t data[COUNT * 24];
    for (unsigned r = 0; r < 2 * sizeof rows / sizeof *rows; r++) {
        const unsigned size = rows[r / 2].size, stride = rows[r / 2].stride;
        const GLenum type = rows[r / 2].type;
        GLuint buffer = 0;
        for (unsigned i = 0; i < COUNT * size; i++) {
            uint8_t *p = data + i / size * stride;
            const short s = i % size == 3 ? 1 : (short)(i % 3) - 1;
            const float f = i % size == 3 ? 1 : noise(i) * 2 - 1;
            if (type == GL_FLOAT)
                memcpy(p + 4 * (i % size), &f, sizeof f);
            else if (type == GL_DOUBLE)
                memcpy(p + 8 * (i % size), &(double){f}, sizeof(double));
            else
                memcpy(p + 2 * (i % size), &s, sizeof s);
        }
        if (r & 1) {
            const unsigned element = size * (type == GL_DOUBLE ? 8 : type == GL_FLOAT ? 4 : 2);
            glGenBuffers(1, &buffer);
            glBindBuffer(GL_ARRAY_BUFFER, buffer);
            glBufferData(GL_ARRAY_BUFFER, (COUNT - 1) * stride + element, data, GL_STATIC_DRAW);
        }
        glVertexPointer((GLint)size, type, (GLsizei)stride, buffer ? NULL : data);
        glEnableClientState(GL_VERTEX_ARRAY);
        glFeedbackBuffer(FLOATS, GL_3D, actual);
        glRenderMode(GL_FEEDBACK);
        glDrawArrays(GL_POINTS, 0, COUNT);
        assert_int_equal(glRenderMode(GL_RENDER), 4 * COUNT);
        for (unsigned i = 0; i < COUNT; i++) {
            float v[3] = {0};
            for (unsigned c = 0; c < size && c < 3; c++) {
                const unsigned k = i * size + c;
                v[c] = type == GL_SHORT ? (float)(k % 3) - 1 : noise(k) * 2 - 1;
            }
            assert_true(actual[4 * i + 1] == 64 * (v[0] + 1) / 2);
            assert_true(actual[4 * i + 2] == 32 * (v[1] + 1) / 2);
            assert_true(actual[4 * i + 3] == (float)((double)v[2] / 2 + 0.5));
        }
        glDisableClientState(GL_VERTEX_ARRAY);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        glDeleteBuffers(1, &buffer);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_feedback),  cmocka_unit_test(test_feedback_states),
        cmocka_unit_test(test_polygon),   cmocka_unit_test(test_concave_polygon),
        cmocka_unit_test(test_selection), cmocka_unit_test(test_arrays),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
