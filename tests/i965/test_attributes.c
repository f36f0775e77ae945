/* SPDX-License-Identifier: MIT */
/*
 * Rendering with more vertex attributes than the payload of a vertex thread holds, with either
 * driver (INDIUM_DRIVER): sixteen of four doubles, which have 128 registers, and the vertex id.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

enum { SIZE = 16, ATTRIBUTES = 16, VERTICES = 10 };

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Attribute k of vertex v is (v + k, k, v, 1). Their sum, weighted with k + 1, has the components
 * 136 v + 1360, 1360, 136 v, 136. */
static const char *const vs =
    "#version 410\n"
    "layout(location = 0) in dvec4 a[16]; out vec3 color;\n"
    "void main() {\n"
    "    dvec4 sum = dvec4(0);\n"
    "    for (int i = 0; i < 16; i++)\n"
    "        sum += a[i] * double(i + 1);\n"
    "    color = vec3(sum.xyz * a[15].w / 4000.0LF);\n"
    "    gl_Position = vec4((float(gl_VertexID) + 0.5) / 8.0 - 1.0, sum.w / 136.0LF - 1.0, 0, 1);\n"
    "}\n";

static const char *const fs = "#version 410\n"
                              "in vec3 color; out vec4 result;\n"
                              "void main() { result = vec4(color, 1); }\n";

static void test_many_doubles(void **state)
{
    static double values[VERTICES][ATTRIBUTES][4];
    GLuint program = glCreateProgram();
    gl_test_attach(program, GL_VERTEX_SHADER, vs);
    gl_test_attach(program, GL_FRAGMENT_SHADER, fs);
    gl_test_link(program);
    glUseProgram(program);
    for (unsigned v = 0; v < VERTICES; v++) {
        for (unsigned k = 0; k < ATTRIBUTES; k++) {
            values[v][k][0] = v + k;
            values[v][k][1] = k;
            values[v][k][2] = v;
            values[v][k][3] = 1;
        }
    }
    for (unsigned k = 0; k < ATTRIBUTES; k++) {
        glVertexAttribLPointer(k, 4, GL_DOUBLE, sizeof values[0], values[0][k]);
        glEnableVertexAttribArray(k);
    }
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_POINTS, 0, VERTICES);
    for (int v = 0; v < VERTICES; v++)
        expect(v, SIZE / 2, (136.0f * (float)v + 1360.0f) / 4000.0f, 1360.0f / 4000.0f,
               136.0f * (float)v / 4000.0f);
    expect(VERTICES, SIZE / 2, 0, 0, 0);
    glDeleteProgram(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_doubles)};
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
