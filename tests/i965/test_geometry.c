/* SPDX-License-Identifier: MIT */
/*
 * Rendering with geometry shaders, with either driver (INDIUM_DRIVER): EndPrimitive in a loop of
 * unknown length, invocations, ids, outputs of vertex shaders.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

enum { SIZE = 64, CELL = 16 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static const char *const vs = "#version 150\n"
                              "in vec4 weight; out vec2 shade;\n"
                              "void main() { gl_Position = vec4(weight.xy, 0, 1);\n"
                              "              shade = weight.zw; }\n";

/* Each invocation draws `rows` squares of half a cell, one per cell, upwards. */
static const char *const gs =
    "#version 150\n"
    "#extension GL_ARB_gpu_shader5 : require\n"
    "layout(points, invocations = 2) in;\n"
    "layout(triangle_strip, max_vertices = 40) out;\n"
    "in vec2 shade[]; out vec3 color; uniform int rows;\n"
    "void main() {\n"
    "    for (int row = 0; row < rows; row++) {\n"
    "        for (int i = 0; i < 4; i++) {\n"
    "            vec2 corner = 4.0 + 8.0 * vec2(i & 1, i >> 1);\n"
    "            vec2 at = gl_in[0].gl_Position.xy + corner + 16.0 * vec2(gl_InvocationID, row);\n"
    "            gl_Position = vec4(at / 32.0 - 1.0, 0.0, 1.0);\n"
    "            color = vec3(shade[0].x, float(gl_PrimitiveIDIn), float(row) * shade[0].y);\n"
    "            EmitVertex();\n"
    "        }\n"
    "        EndPrimitive();\n"
    "    }\n"
    "}\n";

static const char *const fs = "#version 150\n"
                              "in vec3 color; out vec4 result;\n"
                              "void main() { result = vec4(color, 1); }\n";

static GLuint make_program(void)
{
    const char *texts[] = {vs, gs, fs};
    const GLenum stages[] = {GL_VERTEX_SHADER, GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER};
    GLuint program = glCreateProgram();
    GLint ok;
    for (unsigned i = 0; i < 3; i++) {
        GLuint shader = gl_test_compile(stages[i], texts[i]);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glBindAttribLocation(program, 3, "weight");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    assert_true(ok);
    return program;
}

/* Checks a column of cells: `rows` squares with gaps between them, and nothing above. */
static void expect_column(int column, int rows, float red, float green, float blue)
{
    int x = column * CELL + CELL / 2;
    for (int row = 0; row < SIZE / CELL; row++) {
        bool there = row < rows;
        expect(x, row * CELL + CELL / 2, there ? red : 0, there ? green : 0,
               there ? (float)row * blue : 0);
        expect(x, row * CELL + 1, 0, 0, 0);
        expect(column * CELL + 1, row * CELL + CELL / 2, 0, 0, 0);
    }
}

static void test_strips(void **state)
{
    /* Position in pixels; red and blue of a row. */
    static const float points[2][4] = {{0, 0, 0.5f, 0.25f}, {2 * CELL, 0, 0.25f, 0.5f}};
    GLuint program = make_program();
    glUseProgram(program);
    glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, 0, points);
    glEnableVertexAttribArray(3);
    for (int rows = 0; rows <= 3; rows++) {
        glClear(GL_COLOR_BUFFER_BIT);
        glUniform1i(glGetUniformLocation(program, "rows"), rows);
        glDrawArrays(GL_POINTS, 0, 2);
        for (int column = 0; column < 4; column++) {
            int point = column / 2;
            expect_column(column, rows, points[point][2], (float)point, points[point][3]);
        }
    }
    glDeleteProgram(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_strips)};
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
