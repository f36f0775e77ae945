/* SPDX-License-Identifier: MIT */
/*
 * Draws of many vertices, whose ranges are assembled by several threads, and whose vertices may be
 * shaded in two steps. The result is the same as with many small draws, including primitive IDs.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdlib.h>

#include "gl_test.h"

enum { SIZE = 64, COUNT = 12240, PIECE = 360 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static float place[COUNT][4];

/* Generates groups of close vertices; some are behind the viewer or outside the view. */
static void make_vertices(unsigned group)
{
    uint32_t seed = 1;
    for (unsigned i = 0; i < COUNT; i++) {
        for (unsigned c = 0; c < 4; c++) {
            seed = seed * 1664525 + 1013904223;
            float r = (float)(seed >> 8) / (1 << 24) - 0.5f;
            if (c == 3)
                place[i][c] = i % 97 ? 1 + r : r;
            else
                place[i][c] = i % group ? place[i - 1][c] + r * 0.4f : r * 2.6f;
        }
    }
}

static void read_pixels(uint8_t pixels[SIZE * SIZE][4])
{
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static const struct {
    GLenum mode;
    unsigned overlap, per_id;
} modes[] = {{GL_POINTS, 0, 1},    {GL_LINES, 0, 2},          {GL_LINE_STRIP, 1, 1},
             {GL_TRIANGLES, 0, 3}, {GL_TRIANGLE_STRIP, 2, 1}, {GL_QUADS, 0, 4},
             {GL_QUAD_STRIP, 2, 2}};

static GLint number;

/* size: bytes per index; 0: not indexed. */
static void draw(GLenum mode, unsigned size, unsigned first, unsigned count)
{
    static const GLenum types[] = {0, GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, 0, GL_UNSIGNED_INT};
    if (size)
        glDrawElements(mode, (GLsizei)count, types[size], (const void *)((uintptr_t)first * size));
    else
        glDrawArrays(mode, (GLint)first, (GLsizei)count);
}

static void draw_pieces(unsigned m, unsigned size)
{
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    for (unsigned i = 0; i < COUNT; i += PIECE) {
        glUniform1i(number, (GLint)(i / modes[m].per_id));
        draw(modes[m].mode, size, i, i + PIECE < COUNT ? PIECE + modes[m].overlap : PIECE);
    }
    glUniform1i(number, 0);
}

/* Compares both ways in all modes, and checks that something was drawn. */
static void compare_modes(unsigned size)
{
    static uint8_t whole[SIZE * SIZE][4], pieces[SIZE * SIZE][4];
    for (unsigned m = 0; m < sizeof modes / sizeof *modes; m++) {
        draw_pieces(m, size);
        read_pixels(pieces);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        draw(modes[m].mode, size, 0, COUNT);
        read_pixels(whole);
        unsigned drawn = 0;
        for (unsigned i = 0; i < SIZE * SIZE; i++)
            drawn += whole[i][3] != 0;
        assert_in_range(drawn, 64, SIZE * SIZE);
        assert_memory_equal(whole, pieces, sizeof whole);
    }
}

static void test_ranges(void **state)
{
    GLuint buffer[2];
    GLuint program = gl_test_program(
        "#version 150 compatibility\nin vec4 weight; out vec4 v; flat out vec3 f; void main() {\n"
        "gl_Position = weight; v = weight.yzxw * 0.5 + 0.5; f = sin(weight.xyz * 9.0); }",
        "#version 150 compatibility\nin vec4 v; flat in vec3 f; uniform int number;\n"
        "void main() { int id = gl_PrimitiveID + number;\n"
        "gl_FragColor = vec4(float(id & 255) / 255.0, float(id >> 8) / 255.0,\n"
        "fract(v.x + v.y + f.x + f.z), 1.0); }");
    glUseProgram(program);
    number = glGetUniformLocation(program, "number");
    glGenBuffers(2, buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer[0]);
    glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(3);
    glEnable(GL_DEPTH_TEST);
    for (unsigned pass = 0; pass < 4; pass++) {
        make_vertices(pass & 1 ? 3 : 12);
        glBufferData(GL_ARRAY_BUFFER, sizeof place, place, GL_STATIC_DRAW);
        if (pass & 2)
            glEnable(GL_CULL_FACE);
        compare_modes(0);
    }
    glDisable(GL_CULL_FACE);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer[1]);
    for (unsigned size = 1; size <= 4; size *= 2) {
        static uint8_t indices[COUNT * 4];
        for (unsigned i = 0; i < COUNT; i++) {
            uint32_t index = (i / 2 + i % 5) % (size == 1 ? 250 : COUNT);
            memcpy(indices + i * size, &index, size);
        }
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, COUNT * size, indices, GL_STATIC_DRAW);
        compare_modes(size);
        /* First an index that doesn't occur, then one in the middle. */
        glEnable(GL_PRIMITIVE_RESTART);
        glPrimitiveRestartIndex(size == 1 ? 255 : 65535);
        compare_modes(size);
        glDisable(GL_PRIMITIVE_RESTART);
    }
    glDeleteBuffers(2, buffer);
    glDisable(GL_DEPTH_TEST);
    gl_test_delete_program(program);
}

/* Checks that a restart index ends strips at any position. */
static void test_restart(void **state)
{
    static uint8_t whole[SIZE * SIZE][4], pieces[SIZE * SIZE][4];
    static uint16_t indices[COUNT];
    make_vertices(12);
    for (unsigned i = 0; i < COUNT; i++)
        indices[i] = i % PIECE == PIECE - 1 ? 65535 : i;
    glVertexPointer(4, GL_FLOAT, 0, place);
    glEnableClientState(GL_VERTEX_ARRAY);
    glClear(GL_COLOR_BUFFER_BIT);
    glColor3f(0, 1, 0);
    for (unsigned i = 0; i < COUNT; i += PIECE)
        glDrawArrays(GL_TRIANGLE_STRIP, (GLint)i, PIECE - 1);
    read_pixels(pieces);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_PRIMITIVE_RESTART);
    glPrimitiveRestartIndex(65535);
    glDrawElements(GL_TRIANGLE_STRIP, COUNT, GL_UNSIGNED_SHORT, indices);
    read_pixels(whole);
    assert_memory_equal(whole, pieces, sizeof whole);
    glDisable(GL_PRIMITIVE_RESTART);
    glDisableClientState(GL_VERTEX_ARRAY);
}

/* Checks batches that one thread assembles for others because a geometry shader follows. */
static void test_batches(void **state)
{
    static uint8_t whole[SIZE * SIZE][4], pieces[SIZE * SIZE][4];
    GLuint program = glCreateProgram();
    gl_test_attach(program, GL_VERTEX_SHADER,
                   "#version 150 compatibility\nout vec4 v;\n"
                   "void main() { gl_Position = gl_Vertex; v = gl_Vertex.yzxw * 0.5 + 0.5; }");
    gl_test_attach(
        program, GL_GEOMETRY_SHADER,
        "#version 150 compatibility\nlayout(triangles) in;\n"
        "layout(triangle_strip, max_vertices = 6) out; in vec4 v[]; out vec4 c;\n"
        "void main() { for (int k = 0; k < 1 + (gl_PrimitiveIDIn & 1); k++) {\n"
        "for (int i = 0; i < 3; i++) { c = v[i]; gl_PrimitiveID = gl_PrimitiveIDIn;\n"
        "gl_Position = gl_in[i].gl_Position * vec4(1.0, k == 0 ? 1.0 : -1.0, 1.0, 1.0);\n"
        "EmitVertex(); } EndPrimitive(); } }");
    gl_test_attach(program, GL_FRAGMENT_SHADER,
                   "#version 150 compatibility\nin vec4 c; uniform int number; void main() {\n"
                   "int id = gl_PrimitiveID + number; gl_FragColor = vec4(\n"
                   "float(id & 255) / 255.0, float(id >> 8) / 255.0, fract(c.x + c.y), 1.0); }");
    gl_test_use(program);
    number = glGetUniformLocation(program, "number");
    make_vertices(12);
    glVertexPointer(4, GL_FLOAT, 0, place);
    glEnableClientState(GL_VERTEX_ARRAY);
    glClear(GL_COLOR_BUFFER_BIT);
    for (unsigned i = 0; i < COUNT; i += PIECE) {
        glUniform1i(number, (GLint)(i / 3));
        glDrawArrays(GL_TRIANGLES, (GLint)i, PIECE);
    }
    glUniform1i(number, 0);
    glDrawArrays(GL_TRIANGLES, 0, PIECE);
    read_pixels(pieces);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, COUNT);
    glDrawArrays(GL_TRIANGLES, 0, PIECE); /* continues where the last batch ended */
    read_pixels(whole);
    assert_memory_equal(whole, pieces, sizeof whole);
    glDisableClientState(GL_VERTEX_ARRAY);
    gl_test_delete_program(program);
}

/* Draws with blending, which shows the order of the draws. finish: waits after every so many
 * draws. */
static void draw_blended(unsigned draws, unsigned finish, uint8_t pixels[SIZE * SIZE][4])
{
    glClear(GL_COLOR_BUFFER_BIT);
    for (unsigned i = 0; i < draws; i++) {
        const unsigned c = i * 2654435761u;
        glColor4ub((GLubyte)(c >> 8), (GLubyte)(c >> 16), (GLubyte)(c >> 24), 100);
        glDrawArrays(GL_TRIANGLES, (GLint)(i % (COUNT / 12) * 12), 12);
        if (i % finish == finish - 1)
            glFinish();
    }
    read_pixels(pixels);
}

static void test_many_draws(void **state)
{
    static uint8_t together[SIZE * SIZE][4], apart[SIZE * SIZE][4];
    const unsigned draws = 8000;
    make_vertices(12);
    glVertexPointer(4, GL_FLOAT, 0, place);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_blended(draws, draws, together);
    draw_blended(draws, 20, apart);
    assert_memory_equal(together, apart, sizeof apart);
    glDisable(GL_BLEND);
    glDisableClientState(GL_VERTEX_ARRAY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_many_draws),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
