/* SPDX-License-Identifier: MIT */
/*
 * A process may end while workers compile in the background. The last that runs of it is a
 * destructor of the program, after every handler of exit(): by then whatever a library would take
 * down is down, and the workers still go on. So does the program, which compiles, draws and destroys
 * its context there.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gl_test.h"

static void *context;
static bool linger;
static void draw_at_the_end(void);

__attribute__((destructor)) static void wait_at_the_end(void)
{
    if (linger) {
        usleep(300000);
        draw_at_the_end();
    }
}

/* Enough small triangles that the program's kernel is wanted in its other form, which is compiled
 * in the background. Long, and of each number a kernel of its own. */
static void draw_small_triangles(int number)
{
    char fs[600];
    snprintf(fs, sizeof fs,
             "#version 120\n"
             "void main() { vec4 c = gl_FragCoord;\n"
             "for (int i = 0; i < 6; i++) c = sin(c * %d.25) + pow(abs(c.yzwx), c.wxyz);\n"
             "gl_FragColor = c; }",
             number);
    glUseProgram(gl_test_program("void main() { gl_Position = gl_Vertex; }", fs));
    glBegin(GL_TRIANGLES);
    for (int i = 0; i < 1024; i++) {
        float x = (float)(i % 32) / 16 - 1, y = (float)(i / 32) / 16 - 1;
        glVertex2f(x, y);
        glVertex2f(x + 0.04f, y);
        glVertex2f(x, y + 0.04f);
    }
    glEnd();
    glFinish();
}

/* Reports by the process's status. */
static void draw_at_the_end(void)
{
    uint8_t p[4] = {0};
    draw_small_triangles(100);
    glUseProgram(0);
    glColor3f(0, 1, 0);
    glRectf(-1, -1, 1, 1);
    glReadPixels(5, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    GLenum error = glGetError();
    gl_test_teardown(&context);
    if (error || p[0] || p[1] != 255)
        _exit(2);
}

static void exit_early(int programs)
{
    static const struct gl_test_window window = {64, 64};
    setenv("INDIUM_DEBUG", "nocache", 1); /* nothing is there already */
    if (gl_test_setup(&context, GL_API_COMPAT, &window))
        _exit(1);
    for (int i = 0; i < programs; i++)
        draw_small_triangles(i);
    linger = true;
    exit(0);
}

static void test_exit(void **state)
{
    for (int round = 0; round < 2; round++) {
        pid_t child = fork();
        int status;
        if (!child)
            exit_early(round + 1);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
