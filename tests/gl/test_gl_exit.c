/* SPDX-License-Identifier: MIT */
/*
 * Process exit while workers compile in the background. The last code to run is this program's
 * destructor, after all exit() handlers. By then, everything that libraries tear down is gone, but
 * workers still run. The destructor compiles, draws and destroys the context.
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

/* Draws so many small triangles that the program's shader is also compiled as another variant, in
 * the background. The shader takes long to compile; each number gives a different one. */
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

/* Reports the result as the exit status. */
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
    setenv("INDIUM_DEBUG", "nocache", 1); /* compile everything */
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
