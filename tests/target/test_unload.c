/* SPDX-License-Identifier: MIT */
/* Closes the libraries in every order while objects exist and workers draw. Forks between creating
 * a context and drawing with it, without a display and in an X window. */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glx.h>
#include <GL/osmesa.h>

#include "xvfb.h"

static const char *const names[] = {
    "libEGL.so.1",
    "libGL.so.1",
    "libGLESv2.so.2",
    "libOSMesa.so.8",
    "libGLESv1_CM.so.1",
    "libOpenGL.so.0",
    "libGLX.so.0",
    "libgbm.so.1",
    TARGET_DIRECTORY "/glvnd/libGLX_indium.so.0",
    TARGET_DIRECTORY "/glvnd/libEGL_indium.so.0",
    TARGET_DIRECTORY "/dri/swrast_dri.so",
    TARGET_DIRECTORY "/dri/kms_swrast_dri.so",
    TARGET_DIRECTORY "/dri/indium_dri.so",
};
/* the first ones create contexts and draw */
enum { DRAWING = 4, COUNT = sizeof names / sizeof *names };

static void *libraries[COUNT];

static void *open_library(unsigned i)
{
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);

    if (!library)
        fail_msg("%s", dlerror());
    return library;
}

/* Makes an EGL context current without a display, with a square surface. */
static void make_current(void *egl, EGLint side)
{
#define CALL(f) ((__typeof__(&f))dlsym(egl, #f))
    EGLDisplay dpy =
        CALL(eglGetPlatformDisplay)(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, side, EGL_HEIGHT, side, EGL_NONE};
    EGLConfig config;
    EGLint n;
    EGLContext ctx;
    EGLSurface surface;

    assert_true(CALL(eglInitialize)(dpy, NULL, NULL));
    assert_true(CALL(eglBindAPI)(EGL_OPENGL_API));
    assert_true(CALL(eglChooseConfig)(dpy, want, &config, 1, &n));
    surface = CALL(eglCreatePbufferSurface)(dpy, config, size);
    ctx = CALL(eglCreateContext)(dpy, config, NULL, NULL);
    assert_true(CALL(eglMakeCurrent)(dpy, surface, surface, ctx));
}

/* Returns whether a triangle that covers everything is drawn. */
static bool draws(void *gl)
{
#undef CALL
#define CALL(f) ((__typeof__(&f))dlsym(gl, #f))
    uint8_t pixels[16 * 16 * 4] = {0};

    CALL(glViewport)(0, 0, 16, 16);
    CALL(glColor3f)(0, 1, 0);
    CALL(glBegin)(GL_TRIANGLES);
    CALL(glVertex2f)(-1, -1);
    CALL(glVertex2f)(3, -1);
    CALL(glVertex2f)(-1, 3);
    CALL(glEnd)();
    CALL(glReadPixels)(0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (unsigned i = 0; i < sizeof pixels; i += 4) {
        if (pixels[i] != 0 || pixels[i + 1] != 255 || pixels[i + 2] != 0)
            return false;
    }
    return true;
}

static void make_osmesa_current(void *osmesa)
{
#undef CALL
#define CALL(f) ((__typeof__(&f))dlsym(osmesa, #f))
    static uint8_t buffer[16 * 16 * 4];

    assert_true(CALL(OSMesaMakeCurrent)(CALL(OSMesaCreateContext)(OSMESA_RGBA, NULL), buffer,
                                        GL_UNSIGNED_BYTE, 16, 16));
}

static void open_first(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        libraries[i] = open_library(i);
}

/* Closes libraries in the order of a permutation. */
static void close_in_order(unsigned count, unsigned number)
{
    unsigned left[COUNT];

    for (unsigned i = 0; i < count; i++)
        left[i] = i;
    for (unsigned n = count; n > 0;) {
        unsigned pick = number % n;

        number /= n;
        assert_int_equal(dlclose(libraries[left[pick]]), 0);
        left[pick] = left[--n];
    }
}

static void test_every_order(void **state)
{
    for (unsigned number = 0; number < 24; number++) {
        open_first(DRAWING);
        make_current(libraries[0], 16);
        assert_true(draws(libraries[1]));
        make_osmesa_current(libraries[3]);
        assert_true(draws(libraries[3]));
        close_in_order(DRAWING, number);
    }
}

static void expect_success(pid_t child)
{
    int status;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Submits much work without waiting for it. */
static void draw_much(void *gl)
{
#undef CALL
#define CALL(f) ((__typeof__(&f))dlsym(gl, #f))
    for (int i = 0; i < 50; i++) {
        CALL(glBegin)(GL_TRIANGLES);
        CALL(glColor3f)(0, 1, 0);
        CALL(glVertex2f)(-1, -1);
        CALL(glVertex2f)(3, -1);
        CALL(glColor3f)(1, 0, 0);
        CALL(glVertex2f)(-1, 3);
        CALL(glEnd)();
    }
    CALL(glFlush)();
}

/* Loads all libraries in a process that runs all destructors at exit, in four states: no objects, a
 * current context, workers drawing, or everything closed, opened and drawn with again. */
static void close_all(unsigned state, unsigned number)
{
    enum { NOTHING, CURRENT, DRAWING_ON, AGAIN };

    open_first(COUNT);
    if (state != NOTHING)
        make_current(libraries[0], state == DRAWING_ON ? 1024 : 16);
    if (state == DRAWING_ON)
        draw_much(libraries[1]);
    close_in_order(COUNT, number);
    if (state == AGAIN) {
        open_first(DRAWING);
        assert_true(draws(libraries[1]));
        make_osmesa_current(libraries[3]);
        assert_true(draws(libraries[3]));
    }
}

static void test_all_libraries(void **state)
{
    for (unsigned i = 0; i < 32; i++) {
        pid_t child = fork();

        if (child == 0) {
            alarm(120);
            close_all(i % 4, i * 194867); /* a prime: yields different permutations */
            exit(0);
        }
        expect_success(child);
    }
}

/* Loading and drawing don't advance the program's random sequence. */
static void test_random(void **state)
{
    pid_t child = fork();

    if (child == 0) {
        int want[2];

        alarm(120);
        srand(7);
        want[0] = rand();
        want[1] = rand();
        srand(7);
        open_first(COUNT);
        assert_int_equal(rand(), want[0]);
        make_current(libraries[0], 16);
        assert_true(draws(libraries[1]));
        assert_int_equal(rand(), want[1]);
        exit(0);
    }
    expect_success(child);
}

/* Draws in a child process, then in this one. */
static void draw_in_both(void *gl)
{
    pid_t child = fork();

    if (child == 0) {
        alarm(30);
        _exit(draws(gl) ? 0 : 1);
    }
    expect_success(child);
    assert_true(draws(gl));
}

static void test_fork(void **state)
{
    open_first(DRAWING);
    for (int drawn = 0; drawn < 2; drawn++) {
        make_current(libraries[0], 16);
        if (drawn)
            assert_true(draws(libraries[1])); /* starts threads, which the child lacks */
        draw_in_both(libraries[1]);
    }
    make_current(libraries[0], 1024);
    draw_much(libraries[1]); /* queued in the child, too, which has no workers */
    draw_in_both(libraries[1]);
    make_osmesa_current(libraries[3]);
    draw_in_both(libraries[3]);
}

/* Opens a window with a current context. */
static Display *open_window(void *gl, Window *window)
{
#undef CALL
#define CALL(f) ((__typeof__(&f))dlsym(gl, #f))
    int attribs[] = {GLX_RGBA, GLX_DOUBLEBUFFER, None};
    Display *dpy = XOpenDisplay(NULL);
    XSetWindowAttributes set = {.border_pixel = 0};
    XVisualInfo *info;

    assert_non_null(dpy);
    info = CALL(glXChooseVisual)(dpy, DefaultScreen(dpy), attribs);
    assert_non_null(info);
    set.colormap = XCreateColormap(dpy, DefaultRootWindow(dpy), info->visual, AllocNone);
    *window = XCreateWindow(dpy, DefaultRootWindow(dpy), 0, 0, 16, 16, 0, info->depth, InputOutput,
                            info->visual, CWColormap | CWBorderPixel, &set);
    XMapWindow(dpy, *window);
    XSync(dpy, False);
    assert_true(CALL(glXMakeCurrent)(dpy, *window, CALL(glXCreateContext)(dpy, info, NULL, True)));
    XFree(info);
    return dpy;
}

static void check_window(void *gl, Display *dpy, Window window)
{
    XImage *image;

    assert_true(draws(gl));
    CALL(glXSwapBuffers)(dpy, window);
    image = XGetImage(dpy, window, 8, 8, 1, 1, AllPlanes, ZPixmap);
    assert_non_null(image);
    assert_int_equal(XGetPixel(image, 0, 0) & 0xffffff, 0x00ff00);
    XDestroyImage(image);
}

/* The child takes over the connection, like a program that daemonizes. */
static void fork_with_window(bool drawn)
{
    Window window;
    Display *dpy;
    pid_t child;

    open_first(DRAWING);
    dpy = open_window(libraries[1], &window);
    if (drawn)
        check_window(libraries[1], dpy, window);
    child = fork();
    if (child == 0) {
        alarm(30);
        check_window(libraries[1], dpy, window);
        XCloseDisplay(dpy);
        exit(0);
    }
    expect_success(child);
}

static void unload_with_window(bool drawn)
{
    Window window;
    Display *dpy;

    open_first(COUNT);
    dpy = open_window(libraries[1], &window);
    if (drawn)
        check_window(libraries[1], dpy, window);
    close_in_order(COUNT, 194867);
    XCloseDisplay(dpy);
}

static void test_window(void **state)
{
    static void (*const tests[])(bool) = {fork_with_window, unload_with_window};

    if (!xvfb_start("24", NULL))
        skip();
    for (unsigned i = 0; i < 4; i++) {
        pid_t child = fork();

        if (child == 0) {
            alarm(120);
            tests[i / 2](i % 2);
            exit(0);
        }
        expect_success(child);
    }
    xvfb_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),        /* before the libraries are loaded in this process */
        cmocka_unit_test(test_all_libraries), /* forks before threads exist */
        cmocka_unit_test(test_window),        /* forks before threads exist */
        cmocka_unit_test(test_every_order),   cmocka_unit_test(test_fork),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
