/* SPDX-License-Identifier: MIT */
/*
 * The diagonals that split quads. GL leaves them undefined, but they determine the colors between
 * the corners, which programs depend on. The expected results were observed with llvmpipe.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdlib.h>

#include "gl_test.h"

enum { SIZE = 96 };

/* The corners that the diagonal connects, as the color component that it has. */
enum diagonal { FIRST_THIRD, SECOND_FOURTH };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static void corner(float x, float y, float r, float g, float b)
{
    glColor3f(r, g, b);
    glTexCoord3f(r, g, b);
    glVertex2f(x, y);
}

/* Draws a quad whose first and third corners are red and whose others are green. */
static void quad(float x, float y, float half)
{
    corner(x - half, y - half, 1, 0, 0);
    corner(x + half, y - half, 0, 1, 0);
    corner(x + half, y + half, 1, 0, 0);
    corner(x - half, y + half, 0, 1, 0);
}

/* Checks the center of a quad, where the color is that of the diagonal. */
static void expect_divided(float x, float y, enum diagonal d)
{
    uint8_t p[4] = {0};
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glReadPixels((int)((x + 1) * SIZE / 2), (int)((y + 1) * SIZE / 2), 1, 1, GL_RGBA,
                 GL_UNSIGNED_BYTE, p);
    assert_in_range(p[d], 240, 255);
    assert_in_range(p[!d], 0, 15);
}

/* Draws a quad with glBegin in the current state and checks its diagonal. */
static void expect_one(enum diagonal d)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_QUADS);
    quad(0, 0, 0.5f);
    glEnd();
    expect_divided(0, 0, d);
}

static void test_state(void **state)
{
    static const GLubyte all[128] = {[0 ... 127] = 0xff};
    const GLdouble keeps[4] = {0, 0, 0, 1}, cuts[4] = {1, 0, 0, 0.25};
    expect_one(FIRST_THIRD);
    glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
    expect_one(SECOND_FOURTH);
    glProvokingVertex(GL_LAST_VERTEX_CONVENTION);
    glPolygonStipple(all);
    glEnable(GL_POLYGON_STIPPLE);
    expect_one(SECOND_FOURTH);
    glDisable(GL_POLYGON_STIPPLE);
    glPolygonMode(GL_BACK, GL_LINE);
    expect_one(SECOND_FOURTH);
    glPolygonMode(GL_BACK, GL_FILL);
    glEnable(GL_CLIP_PLANE0);
    glClipPlane(GL_CLIP_PLANE0, keeps);
    expect_one(FIRST_THIRD);
    glClipPlane(GL_CLIP_PLANE0, cuts);
    expect_one(SECOND_FOURTH);
    glDisable(GL_CLIP_PLANE0);
    expect_one(FIRST_THIRD);
}

/* Checks that one quad outside the view volume changes the diagonal of all (of the next 64) in any
 * draw. */
static void test_clipped(void **state)
{
    for (int last = 0; last < 2; last++) {
        glClear(GL_COLOR_BUFFER_BIT);
        glBegin(GL_QUADS);
        if (!last)
            quad(0.9f, 0.9f, 0.2f);
        quad(-0.5f, -0.5f, 0.25f);
        if (last)
            quad(0.9f, 0.9f, 0.2f);
        glEnd();
        expect_divided(-0.5f, -0.5f, SECOND_FOURTH);
        expect_divided(0.9f, 0.9f, SECOND_FOURTH);
    }
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_QUADS);
    quad(0, 0, 1);
    glEnd();
    expect_divided(0, 0, FIRST_THIRD);
    glBegin(GL_QUADS);
    quad(0, 0, 0.5f);
    glEnd();
    glBegin(GL_TRIANGLES); /* a separate draw */
    corner(0.9f, 0, 0, 0, 1);
    corner(1.5f, 0, 0, 0, 1);
    corner(1.5f, 1, 0, 0, 1);
    glEnd();
    expect_divided(0, 0, FIRST_THIRD);
}

static void test_lists(void **state)
{
    const GLuint list = glGenLists(1);
    glNewList(list, GL_COMPILE_AND_EXECUTE);
    glBegin(GL_QUADS);
    quad(-0.5f, 0, 0.25f);
    glEnd();
    glEndList();
    expect_divided(-0.5f, 0, FIRST_THIRD);
    glClear(GL_COLOR_BUFFER_BIT);
    glCallList(list);
    expect_divided(-0.5f, 0, SECOND_FOURTH);
    /* Immediate draws next to it don't count as part of the list. */
    glBegin(GL_QUADS);
    quad(0.5f, -0.5f, 0.25f);
    glEnd();
    glCallList(list);
    glBegin(GL_QUADS);
    quad(0.5f, 0.5f, 0.25f);
    glEnd();
    expect_divided(0.5f, -0.5f, FIRST_THIRD);
    expect_divided(-0.5f, 0, SECOND_FOURTH);
    expect_divided(0.5f, 0.5f, FIRST_THIRD);
    glNewList(list, GL_COMPILE);
    quad(-0.5f, 0, 0.25f);
    glEndList();
    glBegin(GL_QUADS);
    glCallList(list);
    glEnd();
    expect_divided(-0.5f, 0, FIRST_THIRD);
    glDeleteLists(list, 1);
}

static const GLfloat square[4][2] = {{-0.5f, -0.5f}, {0.5f, -0.5f}, {0.5f, 0.5f}, {-0.5f, 0.5f}};
static const GLfloat colors[4][3] = {{1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}};

static void test_arrays(void **state)
{
    const GLuint list = glGenLists(1);
    const GLubyte index[4] = {0, 1, 2, 3};
    glVertexPointer(2, GL_FLOAT, 0, square);
    glColorPointer(3, GL_FLOAT, 0, colors);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    glDrawArrays(GL_QUADS, 0, 4);
    expect_divided(0, 0, FIRST_THIRD);
    glDrawElements(GL_QUADS, 4, GL_UNSIGNED_BYTE, index);
    expect_divided(0, 0, SECOND_FOURTH);
    glDrawArraysInstanced(GL_QUADS, 0, 4, 2);
    expect_divided(0, 0, FIRST_THIRD);
    glNewList(list, GL_COMPILE);
    glDrawArrays(GL_QUADS, 0, 4);
    glEndList();
    glCallList(list);
    expect_divided(0, 0, SECOND_FOURTH);
    glDeleteLists(list, 1);
    glDisableClientState(GL_COLOR_ARRAY);
    glDisableClientState(GL_VERTEX_ARRAY);
}

/* Checks that strips and polygons are always split the same way. */
static void test_strips(void **state)
{
    for (int first = 0; first < 2; first++) {
        glProvokingVertex(first ? GL_FIRST_VERTEX_CONVENTION : GL_LAST_VERTEX_CONVENTION);
        glBegin(GL_QUAD_STRIP);
        corner(-0.5f, -0.5f, 1, 0, 0);
        corner(0.5f, -0.5f, 0, 1, 0);
        corner(-0.5f, 0.5f, 0, 1, 0);
        corner(0.5f, 0.5f, 1, 0, 0);
        glEnd();
        expect_divided(0, 0, FIRST_THIRD);
        glBegin(GL_POLYGON);
        quad(0, 0, 0.5f);
        glEnd();
        expect_divided(0, 0, FIRST_THIRD);
    }
    glProvokingVertex(GL_LAST_VERTEX_CONVENTION);
}

/* Checks that the color of flat shading and edge flags don't depend on the diagonal. */
static void test_flat_and_edges(void **state)
{
    const char *fs = "void main() { gl_FragColor = gl_TexCoord[0]; }";
    const GLuint program = gl_test_program(NULL, fs);
    glShadeModel(GL_FLAT);
    for (int clipped = 0; clipped < 2; clipped++) {
        glClear(GL_COLOR_BUFFER_BIT);
        glBegin(GL_QUADS);
        corner(-0.5f, -0.5f, 1, 0, 0);
        corner(clipped ? 1.5f : 0.5f, -0.5f, 1, 0, 0);
        corner(clipped ? 1.5f : 0.5f, 0.5f, 1, 0, 0);
        corner(-0.5f, 0.5f, 0, 0, 1);
        glEnd();
        for (int i = 0; i < 3; i++)
            expect(SIZE / 4 + 4 + 8 * i, SIZE / 2, 0, 0, 1);
        glUseProgram(program); /* its texture coordinates are not flat */
        glBegin(GL_QUADS);
        quad(0, 0, clipped ? 1.25f : 0.5f);
        glEnd();
        expect_divided(0, 0, clipped ? SECOND_FOURTH : FIRST_THIRD);
        glUseProgram(0);
    }
    glShadeModel(GL_SMOOTH);
    glDeleteProgram(program);
    const char *vs = "#version 130\nout vec4 smoothly; flat out vec4 flatly;"
                     "void main() { gl_Position = gl_Vertex; smoothly = flatly = gl_Color; }";
    fs = "#version 130\nin vec4 smoothly; flat in vec4 flatly;"
         "void main() { gl_FragColor = smoothly * (0.999 + flatly.a * 0.001); }";
    const GLuint mixed = gl_test_program(vs, fs);
    glUseProgram(mixed);
    expect_one(SECOND_FOURTH);
    gl_test_delete_program(mixed);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glColor3f(1, 1, 1);
    for (int hidden = 0; hidden < 4; hidden++) {
        const int middle[4][2] = {{48, 24}, {72, 48}, {48, 72}, {24, 48}};
        glClear(GL_COLOR_BUFFER_BIT);
        glBegin(GL_QUADS);
        for (int i = 0; i < 4; i++) {
            glEdgeFlag(i != hidden);
            glVertex2f(square[i][0] + 0.01f, square[i][1] + 0.01f);
        }
        glEnd();
        expect(48, 48, 0, 0, 0); /* the diagonal is not an edge */
        expect(46, 50, 0, 0, 0);
        for (int i = 0; i < 4; i++)
            expect(middle[i][0], middle[i][1], i != hidden, i != hidden, i != hidden);
    }
    glEdgeFlag(GL_TRUE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

/* Checks thousands of quads shared by workers: each is split like its group of 64, for any number
 * of workers. */
static void test_many(void **state)
{
    enum { SIDE = 32, QUADS = SIDE * SIDE, CLIPPED = 700 };
    float(*position)[2] = malloc(QUADS * 4 * sizeof *position);
    float(*color)[3] = malloc(QUADS * 4 * sizeof *color);
    assert_non_null(position);
    assert_non_null(color);
    for (int i = 0; i < QUADS * 4; i++) {
        const int quad = i / 4;
        for (int k = 0; k < 2; k++) {
            const float at = (k ? quad / SIDE : quad % SIDE) + 0.5f;
            position[i][k] = (at + 0.98f * square[i % 4][k]) * 2 / SIDE - 1;
        }
        memcpy(color[i], colors[i % 4], sizeof *color);
    }
    position[CLIPPED * 4][0] = -1.25f;
    glVertexPointer(2, GL_FLOAT, 0, position);
    glColorPointer(3, GL_FLOAT, 0, color);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_QUADS, 0, QUADS * 4);
    for (int i = 0; i < QUADS; i++) {
        const int near_row = i / SIDE == CLIPPED / SIDE; /* the clipped quad may overlap it */
        uint8_t p[4];
        glReadPixels(i % SIDE * 3 + 1, i / SIDE * 3 + 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
        if (!near_row)
            assert_int_equal(p[0] < p[1], i / 64 == CLIPPED / 64);
    }
    glDisableClientState(GL_COLOR_ARRAY);
    glDisableClientState(GL_VERTEX_ARRAY);
    free(position);
    free(color);
}

/* Checks that captured quads use the other diagonal, so that the last vertex of each triangle
 * provokes. */
static void test_feedback(void **state)
{
    const char *vs = "#version 130\nout float number;"
                     "void main() { gl_Position = gl_Vertex; number = gl_Vertex.x; }";
    const char *names[] = {"number"};
    const float numbers[4] = {0, 1, 2, 3}, last[6] = {0, 1, 3, 1, 2, 3},
                first[6] = {0, 1, 2, 0, 2, 3};
    const GLuint program = glCreateProgram();
    GLuint buffer;
    gl_test_attach(program, GL_VERTEX_SHADER, vs);
    glTransformFeedbackVaryings(program, 1, names, GL_INTERLEAVED_ATTRIBS);
    gl_test_use(program);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 256, NULL, GL_STATIC_READ);
    for (int convention = 0; convention < 2; convention++) {
        float captured[6] = {0};
        glProvokingVertex(convention ? GL_FIRST_VERTEX_CONVENTION : GL_LAST_VERTEX_CONVENTION);
        glBeginTransformFeedback(GL_TRIANGLES);
        glBegin(GL_QUADS);
        for (int i = 0; i < 4; i++)
            glVertex2f(numbers[i], 0);
        glEnd();
        glEndTransformFeedback();
        glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof captured, captured);
        assert_memory_equal(captured, convention ? first : last, sizeof captured);
    }
    glProvokingVertex(GL_LAST_VERTEX_CONVENTION);
    gl_test_delete_program(program);
    glDeleteBuffers(1, &buffer);
    expect_error(GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state),  cmocka_unit_test(test_clipped),
        cmocka_unit_test(test_lists),  cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_strips), cmocka_unit_test(test_flat_and_edges),
        cmocka_unit_test(test_many),   cmocka_unit_test(test_feedback),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
