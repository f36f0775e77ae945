/* SPDX-License-Identifier: MIT */
/* Shaders that never end, and draws that would take forever. The draw ends, the context reports a
 * reset and is lost, and other contexts keep working. Runs with INDIUM_TIMEOUT=1. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test_reset.h"
#include "util/macros.h"

static const struct gl_test_window window = {64, 64};
static struct gl_context *context;

static int setup(void **state)
{
    return gl_test_setup_robust(state, &context, &window);
}

static int teardown(void **state)
{
    return gl_test_teardown((void **)&context);
}

static const char vs[] = "void main() { gl_Position = gl_Vertex; }";

/* Draws a full-window rectangle with the program, sets its uniform n, and deletes the program. */
static void draw(GLuint program, int n)
{
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "n"), n);
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-1, -1, 1, 1);
    glFinish();
    gl_test_delete_program(program);
}

static void expect_reset(void)
{
    while (glGetError() != GL_NO_ERROR)
        ;
    assert_int_equal(glGetGraphicsResetStatus(), GL_GUILTY_CONTEXT_RESET);
    assert_int_equal(glGetGraphicsResetStatus(), GL_NO_ERROR);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glClear(GL_COLOR_BUFFER_BIT);
    assert_int_equal(glGetError(), GL_CONTEXT_LOST);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    gl_test_replace_context(&context);
}

/* Draws with a loop that ends, which the shader's text doesn't show. */
static void expect_drawing_works(void)
{
    draw(gl_test_program(vs, "#version 120\nuniform int n; void main() { int i = 0;\n"
                             "while (i < n) i++; gl_FragColor = vec4(i == n, 1, 0, 1); }"),
         100000);
    expect(32, 32, 1, 1, 0);
    assert_int_equal(glGetGraphicsResetStatus(), GL_NO_ERROR);
}

static void test_fragment(void **state)
{
    draw(gl_test_program(vs, "uniform int n; void main() { float f = 0.0;\n"
                             "while (n > 0) f += 0.5; gl_FragColor = vec4(f); }"),
         1);
    expect_reset();
    expect_drawing_works();
}

/* Checks loops in which a continue skips the change of the counter, or the test of it. */
static void test_continue(void **state)
{
    static const char *const loops[] = {
        "while (i < 10) { if (n > 0) continue; i++; }",
        "while (i < 10) { if (n > 0) { f += 0.5; } else { i++; continue; } f *= 0.5; }",
        "while (true) { i++; if (n > 0) continue; if (i > 10) break; }",
    };
    for (unsigned i = 0; i < ARRAY_SIZE(loops); i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "uniform int n; void main() { int i = 0; float f = 0.0;\n%s\n"
                 "gl_FragColor = vec4(float(i) + f); }",
                 loops[i]);
        draw(gl_test_program(vs, text), 1);
        expect_reset();
    }
    expect_drawing_works();
}

/* Checks that an endless loop of only discarded fragments ends, because these have left the
 * shader. */
static void test_discarded(void **state)
{
    draw(gl_test_program(vs,
                         "uniform int n; void main() {\n"
                         "float step = abs(gl_FragCoord.x - 20.5) + abs(gl_FragCoord.y - 30.5);\n"
                         "if (step < 0.5) discard;\n"
                         "gl_FragColor = vec4(0, 1, float(n - 1), 1);\n"
                         "for (float f = 0.0; f < 1.5; f += step) gl_FragColor.r += 0.5; }"),
         1);
    expect(20, 30, 0, 0, 0);
    expect(21, 30, 1, 1, 0);
    expect(22, 30, 0.5f, 1, 0);
    assert_int_equal(glGetGraphicsResetStatus(), GL_NO_ERROR);
}

static void test_divergent(void **state)
{
    draw(gl_test_program(vs, "uniform int n; void main() { float f = gl_FragCoord.x;\n"
                             "while (f > 7.0) { if (n == 0) break; f *= 1.5; }\n"
                             "gl_FragColor = vec4(f); }"),
         1);
    expect_reset();
    expect_drawing_works();
}

static void test_nested(void **state)
{
    draw(gl_test_program(vs, "uniform int n; void main() { float f = 1.0;\n"
                             "while (n > 0) { while (f > 0.0) f += 0.5; f *= 0.5; }\n"
                             "gl_FragColor = vec4(f); }"),
         1);
    expect_reset();
    expect_drawing_works();
}

/* Checks a loop whose result is used after it. */
static void test_value_behind(void **state)
{
    GLuint p =
        gl_test_program(vs, "uniform int n;\n"
                            "float f() { float x = 0.0; while (true) { x += 0.25;\n"
                            "if (n != 1) return x; if (x > 1e4 + gl_FragCoord.x) return -x; } }\n"
                            "void main() { gl_FragColor = vec4(f(), 1, 0, 1); }");
    glUseProgram(p);
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-1, -1, 1, 1);
    expect(32, 32, 0.25f, 1, 0);
    draw(p, 1);
    expect(32, 32, 0, 1, 0);
    assert_int_equal(glGetGraphicsResetStatus(), GL_NO_ERROR);
}

static void test_vertex(void **state)
{
    draw(gl_test_program("uniform int n; void main() { gl_Position = gl_Vertex;\n"
                         "while (n > 0) gl_Position.x += gl_Vertex.x; }",
                         NULL),
         1);
    expect_reset();
    expect_drawing_works();
}

/* Checks short loops within many: no loop of an invocation is endless, but all of them are. */
static void test_nested_products(void **state)
{
    static const char *const loops[] = {
        "for (int i = 0; i < 3000; i++) for (int j = 0; j < 3000; j++)\n"
        "for (int k = 0; k < 3000; k++) f += 0.5 * f + float(n);",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) f = f * f + 0.5;",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (gl_FragCoord.x + float(j) < "
        "5e5)"
        " f += 0.25; else break;",
        "for (int a = 0; a < 30; a++) for (int b = 0; b < 30; b++) for (int c = 0; c < 30; c++)\n"
        "for (int d = 0; d < 30; d++) for (int e = 0; e < 30; e++) for (int g = 0; g < 30; g++)\n"
        "f = f * f + float(n + g);",
    };
    for (unsigned i = 0; i < sizeof loops / sizeof loops[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "#version 120\nuniform int n; void main() { float f = 1.0; %s\n"
                 "gl_FragColor = vec4(f); }",
                 loops[i]);
        draw(gl_test_program(vs, text), 1000000);
        expect_reset();
        expect_drawing_works();
    }
}

/* --- too much work without long loops --- */

#define LONG_LOOP "float f = 0.0; for (int i = 0; i < n; i++) f = f * f + 0.5;\n"

/* Draws many primitives that each take long, but not too long. */
static void test_long_scene(void **state)
{
    GLuint p = gl_test_program(vs, "#version 120\nuniform int n; void main() { " LONG_LOOP
                                   "gl_FragColor = vec4(f); }");
    glUseProgram(p);
    glUniform1i(glGetUniformLocation(p, "n"), 20000);
    glBegin(GL_TRIANGLES);
    for (unsigned i = 0; i < 3000; i++) {
        glVertex2f(-1, -1);
        glVertex2f(3, -1);
        glVertex2f(-1, 3);
    }
    glEnd();
    glFinish();
    expect_reset();
    expect_drawing_works();
}

/* Checks a draw that never reaches the tiles because its points are outside. */
static void test_long_draw(void **state)
{
    GLuint p = gl_test_program("uniform int n; void main() { " LONG_LOOP
                               "gl_Position = gl_Vertex + vec4(2.0 + min(f, 1.0), 0, 0, 0); }",
                               NULL);
    glUseProgram(p);
    glUniform1i(glGetUniformLocation(p, "n"), 2000);
    static const float points[1000][2];
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, points);
    glDrawArraysInstanced(GL_POINTS, 0, 1000, 0x7fffffff);
    glFinish();
    expect_reset();
    expect_drawing_works();
}

/* Checks one command with more draws than there is time for, each of which takes too long. */
static void test_long_draws(void **state)
{
    enum { DRAWS = 100 };
    GLuint commands[DRAWS][4], buffer;
    GLuint p = gl_test_program("uniform int n; void main() { " LONG_LOOP
                               "gl_Position = vec4(2.0 + min(f, 1.0), 0, 0, 1); }",
                               NULL);
    for (unsigned i = 0; i < DRAWS; i++)
        memcpy(commands[i], (const GLuint[4]){0x7fffffff, 1}, sizeof commands[i]);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer);
    glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof commands, commands, GL_STATIC_DRAW);
    glUseProgram(p);
    glUniform1i(glGetUniformLocation(p, "n"), 2000);
    glMultiDrawArraysIndirect(GL_POINTS, NULL, DRAWS, 0);
    glFinish();
    expect_reset();
    expect_drawing_works();
}

/* Dispatches nearly empty workgroups, more than there is time for. */
static void test_long_dispatch(void **state)
{
    const char *text = "#version 430\nlayout(local_size_x = 1) in; buffer B { uint word; };\n"
                       "void main() { word = 1u; }";
    GLuint p = glCreateProgram(), shader = gl_test_compile(GL_COMPUTE_SHADER, text);
    GLint ok;
    glAttachShader(p, shader);
    glDeleteShader(shader);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    assert_true(ok);
    glUseProgram(p);
    glDispatchCompute(65535, 65535, 65535);
    glFinish();
    expect_reset();
    expect_drawing_works();
}

/* Checks that contexts in the share group are lost, too, though innocent, and others are not. A
 * lost context answers polling queries at once. */
static void test_sharing(void **state)
{
    struct gl_context *sharing = gl_test_robust_context(context),
                      *other = gl_test_robust_context(NULL);
    GLuint p = gl_test_program(vs, "uniform int n; void main() { float f = 0.0;\n"
                                   "while (n > 0) f += 0.5; gl_FragColor = vec4(f); }");
    GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    draw(p, 1);
    GLint signaled = 0, length = 0;
    GLuint available = 0, result = 7;
    glGetSynciv(sync, GL_SYNC_STATUS, 1, &length, &signaled);
    assert_int_equal(signaled, GL_SIGNALED);
    assert_int_equal(glGetError(), GL_CONTEXT_LOST);
    glGetQueryObjectuiv(1, GL_QUERY_RESULT_AVAILABLE, &available);
    glGetQueryObjectuiv(1, GL_QUERY_RESULT, &result);
    assert_int_equal(available, GL_TRUE);
    assert_int_equal(result, 7);

    assert_true(core->make_current(sharing, drawable, drawable));
    assert_int_equal(glGetGraphicsResetStatus(), GL_INNOCENT_CONTEXT_RESET);
    assert_int_equal(glGetGraphicsResetStatus(), GL_NO_ERROR);
    glFlush();
    assert_int_equal(glGetError(), GL_CONTEXT_LOST);
    assert_true(core->make_current(other, drawable, drawable));
    assert_int_equal(glGetGraphicsResetStatus(), GL_NO_ERROR);
    glFlush();
    assert_int_equal(glGetError(), GL_NO_ERROR);
    struct gl_context *late = gl_test_robust_context(sharing);
    assert_true(core->make_current(late, drawable, drawable));
    expect_drawing_works();
    core->make_current(context, drawable, drawable);
    expect_reset();
    core->context_destroy(sharing);
    core->context_destroy(other);
    core->context_destroy(late);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fragment),     cmocka_unit_test(test_continue),
        cmocka_unit_test(test_discarded),    cmocka_unit_test(test_divergent),
        cmocka_unit_test(test_nested),       cmocka_unit_test(test_vertex),
        cmocka_unit_test(test_value_behind), cmocka_unit_test(test_nested_products),
        cmocka_unit_test(test_long_scene),   cmocka_unit_test(test_long_draw),
        cmocka_unit_test(test_long_draws),   cmocka_unit_test(test_long_dispatch),
        cmocka_unit_test(test_sharing),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
