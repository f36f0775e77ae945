/* SPDX-License-Identifier: MIT */
/* The libraries are closed in every order while objects of theirs live, and a process forks between
 * making a context and drawing with it. */
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
#include <GL/osmesa.h>

static const char *const names[] = {
    "libEGL.so.1",
    "libGL.so.1",
    "libGLESv2.so.2",
    "libOSMesa.so.8",
};
enum { COUNT = sizeof names / sizeof *names };

static void *libraries[COUNT];

static void *open_library(unsigned i)
{
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);

    if (!library)
        fail_msg("%s", dlerror());
    return library;
}

/* A context of EGL without a display, current. */
static void make_current(void *egl)
{
#define CALL(f) ((__typeof__(&f))dlsym(egl, #f))
    EGLDisplay dpy =
        CALL(eglGetPlatformDisplay)(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
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

/* Whether a triangle over all of it is drawn. */
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

/* Opens all, draws, and closes them in the order of the permutation of that number. */
static void close_in_order(unsigned number)
{
    static uint8_t buffer[16 * 16 * 4];
    unsigned left[COUNT], n = COUNT;

    for (unsigned i = 0; i < COUNT; i++) {
        libraries[i] = open_library(i);
        left[i] = i;
    }
    make_current(libraries[0]);
    assert_true(draws(libraries[1]));
    __typeof__(&OSMesaCreateContext) create = dlsym(libraries[3], "OSMesaCreateContext");
    __typeof__(&OSMesaMakeCurrent) current = dlsym(libraries[3], "OSMesaMakeCurrent");
    assert_true(current(create(OSMESA_RGBA, NULL), buffer, GL_UNSIGNED_BYTE, 16, 16));
    assert_true(draws(libraries[3]));
    while (n > 0) {
        unsigned pick = number % n;

        number /= n;
        assert_int_equal(dlclose(libraries[left[pick]]), 0);
        left[pick] = left[--n];
    }
}

static void test_every_order(void **state)
{
    for (unsigned number = 0; number < 24; number++)
        close_in_order(number);
}

static void test_fork(void **state)
{
    void *egl = open_library(0), *gl = open_library(1);
    pid_t child;
    int status;

    for (int drawn = 0; drawn < 2; drawn++) {
        make_current(egl);
        if (drawn)
            assert_true(draws(gl)); /* with threads that the child will not have */
        child = fork();
        if (child == 0) {
            alarm(30);
            _exit(draws(gl) ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        assert_true(draws(gl));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_order),
        cmocka_unit_test(test_fork),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
