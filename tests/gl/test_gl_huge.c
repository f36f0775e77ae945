/* SPDX-License-Identifier: MIT */
/*
 * Shaders of many thousand statements draw the right color.
 *
 * usage: test_gl_huge [SHAPE | all [COUNT]]
 * For manual runs: draws with COUNT (default 100,000) statements of the shape and with a tenth of
 * them, and prints both CPU times. They should differ by about a factor of 10.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gl_test.h"

#define STATEMENTS           100000 /* statements of the largest shader */
#define MAX_STATEMENT_LENGTH 128    /* bytes of a statement */

static const struct gl_test_window window = {16, 16};
static char text[STATEMENTS * MAX_STATEMENT_LENGTH + 1000];

static int setup(void **state)
{
    static const uint8_t quarter[4] = {64, 64, 64, 64};
    if (gl_test_setup(state, GL_API_COMPAT, &window))
        return -1;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, quarter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    return 0;
}

static const char pass_vs[] =
    "#version 430\nout vec4 v; void main() { v = vec4(0.5 + float(gl_VertexID) * 1e-9);\n"
    "gl_Position = vec4(float(gl_VertexID / 2) * 4.0 - 1.0, float(gl_VertexID % 2) * 4.0 - 1.0,\n"
    "0.0, 1.0); }";
static const char pass_fs[] = "#version 430\nin vec4 color; out vec4 o; void main() { o = color; }";

/* Where the statements are. `v` is 0.5 and comes from an attribute, a varying or a buffer. */
enum place { FRAGMENT, VERTEX, COMPUTE, PROGRAM, PLACES };

/* Text around head, statements and tail. The last part takes the condition of success. */
static const struct {
    const char *before, *after;
} places[PLACES] = {
    [FRAGMENT] = {"#version 430\nuniform float u, c; uniform int k; uniform sampler2D t;\n"
                  "in vec4 v; out vec4 o;\n",
                  "o = %s ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }"},
    [VERTEX] = {"#version 430\nuniform float u, c; uniform int k; uniform sampler2D t;\n"
                "layout(location = 3) in vec4 v; out vec4 color;\n",
                "color = %s ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1);\n"
                "gl_Position = vec4(float(gl_VertexID / 2) * 4.0 - 1.0,\n"
                "float(gl_VertexID %% 2) * 4.0 - 1.0, 0.0, 1.0); }"},
    [COMPUTE] =
        {"#version 430\nlayout(local_size_x = 8) in;\n"
         "uniform float u, c; uniform int k; uniform sampler2D t;\n"
         "layout(std430, binding = 0) buffer B { vec4 o, v; float b[]; };\n"
         "shared float s[64];\n",
         "if (gl_LocalInvocationID.x == 5u) o = %s ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }"},
    [PROGRAM] = {"!!ARBfp1.0\nPARAM u = {0.75, 0.75, 0.75, 0.75};\n"
                 "PARAM c = {0.25, 0.25, 0.25, 0.25};\n"
                 "TEMP x, y;\n",
                 "%s END"},
};

/* Statements, as C formats of their index. `right` is the resulting x, where u is 0.75, c is 0.25,
 * k is 1 and the texture is 0.25. `declaration`, if any, is repeated before the head. */
struct shape {
    const char *name;
    enum place place;
    const char *declaration, *head, *statement, *tail, *right;
    unsigned most; /* statements in the test, which also draws with a tenth of them */
};

static const struct shape shapes[] = {
    {"assignments", FRAGMENT, NULL, "void main() { float x = v.x;\n", "x = x * u + c;\n", "",
     "abs(x - 1.0) < 0.01", 100000},
    {"variables", FRAGMENT, NULL, "void main() { float a = v.x, x = 0.0;\n",
     "float a%u = a * u + c; x += a%u; a = a%u;\n", "", "x > 100.0", 20000},
    {"globals", FRAGMENT, "float g%u;\n", "void main() { float x = v.x;\n",
     "g%u = x; x = g%u * u + c;\n", "", "abs(x - 1.0) < 0.01", 5000},
    {"functions", FRAGMENT, "float f%u(float x) { return x * u + c; }\n",
     "void main() { float x = v.x;\n", "x = f%u(x);\n", "", "abs(x - 1.0) < 0.01", 5000},
    {"calls", FRAGMENT, NULL,
     "float f(float x) { if (x > 0.5) return x * u + c; return x + 0.25; }\n"
     "void main() { float x = v.x;\n",
     "x = f(x);\n", "", "abs(x - 1.0) < 0.01", 5000},
    {"choices", FRAGMENT, NULL, "void main() { float x = v.x;\n",
     "if (x > %u.25) x = sin(x * u); else x = x * u + c;\n", "", "abs(x - 1.0) < 0.01", 2000},
    {"ifs", FRAGMENT, NULL, "void main() { float a[4], x = v.x; int n = int(v.x * 6.0);\n",
     "if (x > %u.75) a[n] = x; else x = x * u + c;\n", "", "abs(x - 1.0) < 0.01", 5000},
    {"uniform ifs", FRAGMENT, NULL, "void main() { float a[4], x = v.x; int n = int(v.x * 6.0);\n",
     "if (k > %u) a[n] = x; else x = x * u + c;\n", "", "abs(x - 1.0) < 0.01", 5000},
    {"cases", FRAGMENT, NULL, "void main() { float x = v.x; switch (k) {\n",
     "case %u: x += %u.5; break;\n", "}", "x == 2.0", 4000},
    {"loops", FRAGMENT, NULL, "void main() { float x = v.x;\n",
     "for (int i = 0; i < k; i++) x = x * u + c;\n", "", "abs(x - 1.0) < 0.01", 2000},
    {"divergent loops", FRAGMENT, NULL, "void main() { float x = v.x, i;\n",
     "for (i = 0.0; i < v.y; i++) x = x * u + c;\n", "", "abs(x - 1.0) < 0.01", 1000},
    {"counted loops", FRAGMENT, NULL, "void main() { float x = v.x;\n",
     "for (int i = 0; i < 3; i++) x = x * u + c;\n", "", "abs(x - 1.0) < 0.01", 4000},
    {"elements", FRAGMENT, NULL, "void main() { float a[%u];\n", "a[%u] = u * %u.0;\n",
     "float x = a[int(v.x * 6.0)];", "x == 2.25", 10000},
    {"indices", FRAGMENT, NULL, "void main() { float a[16]; int n = int(v.x * 6.0);\n",
     "a[n + %u %% 8] = a[n + %u %% 5] + v.x;\n", "float x = a[n];", "x > 0.0", 2000},
    {"fetches", FRAGMENT, NULL, "void main() { float x = v.x;\n",
     "x = x * u + texture(t, vec2(x)).x;\n", "", "abs(x - 1.0) < 0.01", 200},
    {"texels", FRAGMENT, NULL, "void main() { float x = v.x;\n",
     "x = x * u + texelFetch(t, ivec2(int(x) - 1), 0).x;\n", "", "true", 10000},
    {"discards", FRAGMENT, NULL, "void main() { float x = v.x;\n",
     "x = x * u + c; if (x == %u.125) discard;\n", "", "abs(x - 1.0) < 0.01", 2000},
    {"vertex assignments", VERTEX, NULL, "void main() { float x = v.x;\n", "x = x * u + c;\n", "",
     "abs(x - 1.0) < 0.01", 10000},
    {"vertex ifs", VERTEX, NULL, "void main() { float x = v.x;\n",
     "if (x > %u.25) x = sin(x * u); else x = x * u + c;\n", "", "abs(x - 1.0) < 0.01", 1000},
    {"vertex loops", VERTEX, NULL, "void main() { float x = v.x;\n",
     "for (int i = 0; i < k; i++) x = x * u + c;\n", "", "abs(x - 1.0) < 0.01", 1000},
    {"compute assignments", COMPUTE, NULL, "void main() { float x = v.x;\n", "x = x * u + c;\n", "",
     "abs(x - 1.0) < 0.01", 10000},
    {"stores", COMPUTE, NULL, "void main() { float x = v.x;\n", "b[%u] = x; x = b[%u] * u + c;\n",
     "", "abs(x - 1.0) < 0.01", 1000},
    {"shared", COMPUTE, NULL, "void main() { float x = v.x; uint n = gl_LocalInvocationID.x;\n",
     "s[n + %u %% 56] = x; x = s[n + %u %% 56] * u + c;\n", "", "abs(x - 1.0) < 0.01", 10000},
    {"barriers", COMPUTE, NULL, "void main() { float x = v.x;\n", "x = x * u + c; barrier();\n", "",
     "abs(x - 1.0) < 0.01", 2000},
    {"instructions", PROGRAM, NULL, "MOV x, fragment.texcoord[0];\n", "MAD x, x, u, c;\n", "",
     "SUB y, x, 1.0; ABS y, y; SLT y, y, 0.01; MUL result.color, y.x, {0, 1, 0, 1};", 10000},
};

/* Appends text at `at` and returns its end. */
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
    char *at = append(text, "%s", places[s->place].before);
    for (unsigned i = 0; s->declaration && i < statements; i++)
        at = append(at, s->declaration, i);
    at = append(at, s->head, statements);
    for (unsigned i = 0; i < statements; i++)
        at = append(at, s->statement, i, i, i);
    at = append(at, "%s ", s->tail);
    append(at, places[s->place].after, s->right);
}

static void set_uniforms(GLuint program)
{
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "u"), 0.75f);
    glUniform1f(glGetUniformLocation(program, "c"), 0.25f);
    glUniform1i(glGetUniformLocation(program, "k"), 1);
}

static void draw_triangle(const char *vs, const char *fs)
{
    GLuint program = gl_test_program(vs, fs);
    set_uniforms(program);
    glVertexAttrib4f(3, 0.5f, 0.5f, 0.5f, 0.5f);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(3, 3, 0, 1, 0);
    glDeleteProgram(program);
}

static void dispatch(const char *cs, unsigned statements)
{
    static const float start[8] = {0, 0, 0, 0, 0.5f, 0.5f, 0.5f, 0.5f};
    float color[4] = {0};
    GLuint buffer, program = glCreateProgram();
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(sizeof start + statements * 4), NULL,
                 GL_STATIC_DRAW);
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof start, start);
    gl_test_attach(program, GL_COMPUTE_SHADER, cs);
    gl_test_link(program);
    set_uniforms(program);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof color, color);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_true(color[0] == 0 && color[1] == 1);
    glDeleteProgram(program);
    glDeleteBuffers(1, &buffer);
}

static void draw_program(const char *assembly)
{
    GLuint program;
    glGenProgramsARB(1, &program);
    glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, program);
    glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB,
                       (GLsizei)strlen(assembly), assembly);
    expect_error(GL_NO_ERROR);
    glEnable(GL_FRAGMENT_PROGRAM_ARB);
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-1, -1, 1, 1);
    expect(3, 3, 0, 1, 0);
    glDisable(GL_FRAGMENT_PROGRAM_ARB);
    glDeleteProgramsARB(1, &program);
}

/* Returns the CPU time from the text to the pixels, in seconds. */
static double draw(const struct shape *s, unsigned statements)
{
    write_text(s, statements);
    clock_t start = clock();
    switch (s->place) {
    case FRAGMENT:
        draw_triangle(pass_vs, text);
        break;
    case VERTEX:
        draw_triangle(text, pass_fs);
        break;
    case COMPUTE:
        dispatch(text, statements);
        break;
    default:
        draw_program(text);
        break;
    }
    glUseProgram(0);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void draw_both(const struct shape *s, unsigned many)
{
    unsigned few = many / 10;
    double first = draw(s, few), second = draw(s, many);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    print_message("%-20s %6u in %6.2f s, %6u in %6.2f s: %5.1f times, %ld MB\n", s->name, few,
                  first, many, second, second / first, usage.ru_maxrss >> 10);
}

static void test_shapes(void **state)
{
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        draw_both(&shapes[i], shapes[i].most);
}

/* Runs each shape in a separate process, to measure its memory. */
static int by_hand(const char *name, unsigned count)
{
    int failed = 0;
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        int status;
        if (strcmp(name, "all") && strcmp(name, shapes[i].name))
            continue;
        if (!fork()) {
            void *state;
            if (setup(&state))
                exit(1);
            draw_both(&shapes[i], count);
            exit(gl_test_teardown(&state));
        }
        failed |= wait(&status) < 0 || status;
    }
    return failed;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes)};
    if (argc > 1)
        return by_hand(argv[1], argc > 2 ? (unsigned)atoi(argv[2]) : STATEMENTS);
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
