/* SPDX-License-Identifier: MIT */
/*
 * EGL without memory, on a display without windows. Each call either succeeds, or fails with
 * EGL_BAD_ALLOC and leaks nothing. The arguments are those of test_gl_compile_memory.
 */
#define GL_GLEXT_PROTOTYPES
#define EGL_EGLEXT_PROTOTYPES
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test_memory.h"

static EGLDisplay dpy, other;
static EGLConfig config;
static EGLContext context;
static EGLSurface surface;
static EGLenum wrong; /* unexpected error of a call */
static bool done;

static bool needs_memory(bool ok)
{
    EGLint error = eglGetError();
    if (ok ? error != EGL_SUCCESS : error != EGL_BAD_ALLOC || !refused)
        wrong = error;
    return ok;
}

static void forget(void)
{
    wrong = 0;
    done = false;
}

/* Returns whether the call succeeded or failed cleanly. An EGL error raises no GL error. */
static bool done_or_refused(void)
{
    return !wrong && (done || refused);
}

static const EGLint es2[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
static const EGLint size[] = {EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE};

static void run_context(void)
{
    EGLContext made = eglCreateContext(dpy, config, context, es2);
    done = needs_memory(made != EGL_NO_CONTEXT);
    if (made)
        eglDestroyContext(dpy, made);
}

static void run_pbuffer(void)
{
    EGLSurface made = eglCreatePbufferSurface(dpy, config, size);
    if (!needs_memory(made != EGL_NO_SURFACE))
        return;
    if (needs_memory(eglMakeCurrent(dpy, made, made, context))) {
        glClearColor(0, 1, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        eglSwapBuffers(dpy, made);
        done = true;
        if (!eglMakeCurrent(dpy, surface, surface, context))
            wrong = EGL_BAD_ALLOC; /* the context was current before */
    }
    eglDestroySurface(dpy, made);
}

static GLuint texture;

static void run_image(void)
{
    EGLImage image =
        eglCreateImage(dpy, context, EGL_GL_TEXTURE_2D, (EGLClientBuffer)(uintptr_t)texture, NULL);
    done = needs_memory(image != EGL_NO_IMAGE);
    if (image)
        eglDestroyImage(dpy, image);
}

static void run_sync(void)
{
    EGLSync sync = eglCreateSync(dpy, EGL_SYNC_FENCE, NULL);
    done = needs_memory(sync != EGL_NO_SYNC);
    if (sync) {
        eglClientWaitSync(dpy, sync, EGL_SYNC_FLUSH_COMMANDS_BIT, EGL_FOREVER);
        eglDestroySync(dpy, sync);
    }
}

static void run_display(void)
{
    done = eglInitialize(other, NULL, NULL);
    if (done)
        eglTerminate(other);
    else if (eglGetError() != EGL_NOT_INITIALIZED || !refused)
        wrong = EGL_NOT_INITIALIZED;
}

static void test_calls(void **state)
{
    static const struct scene scenes[] = {
        {"a context", forget, run_context, done_or_refused, true},
        {"a pbuffer", forget, run_pbuffer, done_or_refused, true},
        {"an image", forget, run_image, done_or_refused, true},
        {"a sync", forget, run_sync, done_or_refused, true},
        {"a display", forget, run_display, done_or_refused, true},
    };
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    RUN_SCENES(scenes);
    glDeleteTextures(1, &texture);
}

static int setup(void **state)
{
    static const EGLint attribs[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                     EGL_OPENGL_ES2_BIT, EGL_NONE};
    EGLDeviceEXT device;
    EGLint n;
    dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    if (!eglQueryDevicesEXT(1, &device, &n) || !n)
        return -1;
    other = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, NULL);
    if (!eglInitialize(dpy, NULL, NULL) || !eglChooseConfig(dpy, attribs, &config, 1, &n) || !n)
        return -1;
    context = eglCreateContext(dpy, config, EGL_NO_CONTEXT, es2);
    surface = eglCreatePbufferSurface(dpy, config, size);
    return eglMakeCurrent(dpy, surface, surface, context) ? 0 : -1;
}

static int teardown(void **state)
{
    return eglTerminate(dpy) && eglReleaseThread() ? 0 : -1;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls)};
    memory_arguments(argc, argv, 0);
    return cmocka_run_group_tests(tests, setup, teardown);
}
