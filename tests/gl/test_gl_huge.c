/* SPDX-License-Identifier: MIT */
/*
 * Shaders of many thousand statements: they draw, and ten times as many take about ten times as long.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "gl_test.h"

#define STATEMENTS  100000 /* of the largest shader */
#define MOST_LENGTH 64     /* bytes of a statement */
#define MAX_RATIO   20     /* of the times; 10 is linear, the rest is what other programs disturb */
#define LEAST_TIME  0.25   /* seconds: times below are not compared */

static const struct gl_test_window window = {16, 16};
static char text[STATEMENTS * MOST_LENGTH + 1000];

static int setup(void **state)
{
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Statements are C formats of their number. What they make of x is in `right`, where u is 0.75 and
 * c is 0.25. */
struct shape {
    const char *name, *head, *statement, *tail;
    const char *right;
};

static const char vs[] =
    "#version 330\nout vec4 v; void main() { v = vec4(0.5);\n"
    "gl_Position = vec4(float(gl_VertexID / 2) * 4.0 - 1.0, float(gl_VertexID % 2) * 4.0 - 1.0,\n"
    "0.0, 1.0); }";

/* Writes at `at`; the end of that. */
static char *append(char *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(at, (size_t)(text + sizeof text - at), format, args);
    va_end(args);
    return at + length;
}

static void write_text(const struct shape *s, unsigned statements)
{
    char *at = append(text, "#version 330\nuniform float u, c; uniform int k; in vec4 v;\n"
                            "out vec4 o;\n");
    at = append(at, s->head, statements, statements);
    for (unsigned i = 0; i < statements; i++)
        at = append(at, s->statement, i, i, i);
    append(at, "%s o = %s ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }", s->tail, s->right);
}

/* Processor time from the text to the pixels. */
static double draw(const struct shape *s, unsigned statements)
{
    write_text(s, statements);
    clock_t start = clock();
    GLuint program = gl_test_program(vs, text);
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "u"), 0.75f);
    glUniform1f(glGetUniformLocation(program, "c"), 0.25f);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(3, 3, 0, 1, 0);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    glUseProgram(0);
    glDeleteProgram(program);
    return seconds;
}

static void compare(const struct shape *s, unsigned few, unsigned many)
{
    double first = draw(s, few), second = draw(s, many);
    print_message("%s: %u in %.2f s, %u in %.2f s\n", s->name, few, first, many, second);
#ifdef NDEBUG /* else NIR is validated after each pass, which is not linear */
    if (second > MAX_RATIO * (first > LEAST_TIME / 10 ? first : LEAST_TIME / 10))
        fail_msg("%s: %g times as long", s->name, second / first);
#endif
}

static void test_statements(void **state)
{
    static const struct shape sums = {"assignments", "void main() { float x = v.x;\n",
                                      "x = x * u + c;\n", "", "abs(x - 1.0) < 0.01"};
    static const struct shape values = {"variables", "void main() { float a = v.x, x = 0.0;\n",
                                        "float a%u = a * u + c; x += a%u; a = a%u;\n", "",
                                        "x > 1000.0"};
    compare(&sums, STATEMENTS / 10, STATEMENTS);
    compare(&values, STATEMENTS / 20, STATEMENTS / 2);
}

static void test_flow(void **state)
{
    static const struct shape ifs = {"ifs", "void main() { float x = v.x;\n",
                                     "if (x > %u.25) x = sin(x * u); else x = x * u + c;\n", "",
                                     "abs(x - 1.0) < 0.01"};
    static const struct shape cases = {"cases", "void main() { float x = v.x; switch (k) {\n",
                                       "case %u: x += %u.5; break;\n", "}", "x == 1.0"};
    compare(&ifs, 400, 4000);
    compare(&cases, 400, 4000);
}

/* Arrays that are written by constants and read by variables. */
static void test_arrays(void **state)
{
    static const struct shape written = {"elements", "void main() { float a[%u];\n",
                                         "a[%u] = u * %u.0;\n", "float x = a[int(v.x * 6.0)];",
                                         "x == 2.25"};
    compare(&written, 1000, 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statements),
        cmocka_unit_test(test_flow),
        cmocka_unit_test(test_arrays),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
