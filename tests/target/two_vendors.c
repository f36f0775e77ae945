/* SPDX-License-Identifier: MIT */
/*
 * Mesa and Indium in one process, through GLVND's libGL and libEGL: GLX on two displays, EGL on two
 * devices. Both draw the same triangle, and the frames are compared. The environment tells GLVND
 * where to find Indium.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define EGL_EGLEXT_PROTOTYPES
#define GLX_GLXEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glx.h>

#include "xvfb.h"

enum { SIDE = 64, BYTES = SIDE * SIDE * 4 };

static unsigned errors;

static int count_error(Display *dpy, XErrorEvent *event)
{
    errors++;
    return 0;
}

/* Draws to the current drawable. angle in degrees. */
static void draw(uint8_t pixels[BYTES], float angle)
{
    glViewport(0, 0, SIDE, SIDE);
    glClearColor(0.25f, 0.5f, 0.75f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glRotatef(angle, 0, 0, 1);
    glBegin(GL_TRIANGLES);
    glColor3f(1, 0, 0);
    glVertex2f(-0.8f, -0.8f);
    glColor3f(0, 1, 0);
    glVertex2f(0.8f, -0.6f);
    glColor3f(0, 0, 1);
    glVertex2f(0.0f, 0.9f);
    glEnd();
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Asserts that at least 99% of the pixels match within 2/255, and that there is more than one
 * color. */
static void assert_alike(const uint8_t a[BYTES], const uint8_t b[BYTES])
{
    unsigned far = 0, colors = 0;

    for (unsigned i = 0; i < BYTES; i += 4) {
        bool near = true;

        for (unsigned c = 0; c < 3; c++)
            near &= abs(a[i + c] - b[i + c]) <= 2;
        far += !near;
        colors += memcmp(&a[i], a, 4) != 0;
    }
    assert_in_range(colors, SIDE * SIDE / 10, SIDE * SIDE);
    assert_in_range(far, 0, SIDE * SIDE / 100);
}

static bool is_indium(void)
{
    const char *renderer = (const char *)glGetString(GL_RENDERER);

    assert_non_null(renderer);
    print_message("renderer: %s\n", renderer);
    return strstr(renderer, "Indium") != NULL;
}

struct window {
    Display *dpy;
    Window id;
    GLXContext ctx;
};

static struct window open_window(const char *vendor)
{
    int attribs[] = {GLX_RGBA, GLX_DOUBLEBUFFER, GLX_DEPTH_SIZE, 16, None};
    struct window w;
    XSetWindowAttributes set = {0};
    XVisualInfo *info;

    /* GLVND reads it once per display and screen */
    setenv("__GLX_VENDOR_LIBRARY_NAME", vendor, 1);
    w.dpy = XOpenDisplay(NULL);
    assert_non_null(w.dpy);
    info = glXChooseVisual(w.dpy, DefaultScreen(w.dpy), attribs);
    assert_non_null(info);
    set.colormap = XCreateColormap(w.dpy, DefaultRootWindow(w.dpy), info->visual, AllocNone);
    w.id = XCreateWindow(w.dpy, DefaultRootWindow(w.dpy), 0, 0, SIDE, SIDE, 0, info->depth,
                         InputOutput, info->visual, CWColormap | CWBorderPixel, &set);
    XMapWindow(w.dpy, w.id);
    XSync(w.dpy, False);
    w.ctx = glXCreateContext(w.dpy, info, NULL, True);
    assert_non_null(w.ctx);
    XFree(info);
    return w;
}

static void test_two_displays(void **state)
{
    static uint8_t theirs[BYTES], ours[BYTES];
    struct window mesa, indium;

    unsetenv("LD_LIBRARY_PATH"); /* no longer needed; processes that Mesa starts must not see it */
    mesa = open_window("mesa");
    indium = open_window("indium");
    for (int turn = 0; turn < 3; turn++) {
        assert_true(glXMakeCurrent(mesa.dpy, mesa.id, mesa.ctx));
        assert_false(is_indium());
        draw(theirs, turn * 25);
        glXSwapBuffers(mesa.dpy, mesa.id);
        assert_true(glXMakeCurrent(indium.dpy, indium.id, indium.ctx));
        assert_true(is_indium());
        assert_ptr_equal(glXGetCurrentContext(), indium.ctx);
        draw(ours, turn * 25);
        glXSwapBuffers(indium.dpy, indium.id);
        assert_alike(ours, theirs);
    }
    assert_string_equal(glXGetClientString(indium.dpy, GLX_VENDOR), "Indium");
    /* closed while its context is current; the other one continues */
    XCloseDisplay(indium.dpy);
    assert_true(glXMakeCurrent(mesa.dpy, mesa.id, mesa.ctx));
    draw(theirs, 50);
    assert_alike(theirs, ours);
    glXMakeCurrent(mesa.dpy, None, NULL);
    glXDestroyContext(mesa.dpy, mesa.ctx);
    XCloseDisplay(mesa.dpy);
}

/* Extension functions, which our stubs dispatch. */
static void test_glx_stubs(void **state)
{
    PFNGLXSWAPINTERVALEXTPROC swap_interval;
    PFNGLXQUERYRENDERERSTRINGMESAPROC renderer_string;
    PFNGLXQUERYCURRENTRENDERERINTEGERMESAPROC renderer_integer;
    PFNGLXSWAPINTERVALSGIPROC swap_interval_sgi;
    PFNGLXMAKECURRENTREADSGIPROC make_current_read;
    PFNGLXCHOOSEFBCONFIGSGIXPROC choose;
    PFNGLXGETFBCONFIGATTRIBSGIXPROC attrib;
    PFNGLXCREATECONTEXTATTRIBSARBPROC create;
    PFNGLXCREATEGLXPBUFFERSGIXPROC create_pbuffer;
    PFNGLXDESTROYGLXPBUFFERSGIXPROC destroy_pbuffer;
    const int version[] = {GLX_CONTEXT_MAJOR_VERSION_ARB, 2, None};
    const int none[] = {GLX_CONTEXT_MAJOR_VERSION_ARB, 2, GLX_SCREEN, 77, None};
    static uint8_t pixels[BYTES];
    struct window w = open_window("indium");
    int (*old_handler)(Display *, XErrorEvent *) = XSetErrorHandler(count_error);
    GLXFBConfigSGIX *configs;
    GLXPbufferSGIX pbuffer;
    GLXContext ctx;
    unsigned value[3] = {0};
    int n = 0, bits = 0;

#define LOOK_UP(variable, name)                                                                    \
    variable = (__typeof__(variable))glXGetProcAddress((const GLubyte *)name);                     \
    assert_non_null(variable)
    LOOK_UP(swap_interval, "glXSwapIntervalEXT");
    LOOK_UP(swap_interval_sgi, "glXSwapIntervalSGI");
    LOOK_UP(renderer_string, "glXQueryRendererStringMESA");
    LOOK_UP(renderer_integer, "glXQueryCurrentRendererIntegerMESA");
    LOOK_UP(make_current_read, "glXMakeCurrentReadSGI");
    LOOK_UP(choose, "glXChooseFBConfigSGIX");
    LOOK_UP(attrib, "glXGetFBConfigAttribSGIX");
    LOOK_UP(create, "glXCreateContextAttribsARB");
    LOOK_UP(create_pbuffer, "glXCreateGLXPbufferSGIX");
    LOOK_UP(destroy_pbuffer, "glXDestroyGLXPbufferSGIX");
    /* nothing is current yet */
    assert_int_not_equal(swap_interval_sgi(1), 0);
    assert_false(renderer_integer(GLX_RENDERER_VERSION_MESA, value));
    assert_non_null(strstr(renderer_string(w.dpy, 0, 0, GLX_RENDERER_DEVICE_ID_MESA), "Indium"));
    assert_null(renderer_string(w.dpy, 99, 0, GLX_RENDERER_DEVICE_ID_MESA));
    configs = choose(w.dpy, 0, NULL, &n);
    assert_non_null(configs);
    assert_true(n > 10);
    assert_int_equal(attrib(w.dpy, configs[n - 1], GLX_RED_SIZE, &bits), Success);
    assert_in_range(bits, 5, 10);
    assert_null(create(w.dpy, NULL, NULL, True, none));
    ctx = create(w.dpy, configs[0], NULL, True, version);
    assert_non_null(ctx);
    pbuffer = create_pbuffer(w.dpy, configs[0], SIDE, SIDE, NULL);
    assert_true(make_current_read(w.dpy, pbuffer, pbuffer, ctx));
    assert_true(is_indium());
    draw(pixels, 0);
    assert_true(renderer_integer(GLX_RENDERER_VERSION_MESA, value));
    errors = 0;
    swap_interval(w.dpy, 0x7777777, 1);
    swap_interval(w.dpy, pbuffer, 1);
    glXMakeCurrent(w.dpy, None, NULL);
    destroy_pbuffer(w.dpy, pbuffer);
    destroy_pbuffer(w.dpy, 0x7777777);
    glXDestroyContext(w.dpy, ctx);
    glXSwapBuffers(w.dpy, 0x7777777);
    XFree(configs);
    XCloseDisplay(w.dpy);
    assert_true(errors > 0);
    XSetErrorHandler(old_handler);
}

static EGLContext open_device(EGLDeviceEXT device, EGLDisplay *dpy)
{
    const EGLint attribs[] = {EGL_RENDERABLE_TYPE,
                              EGL_OPENGL_BIT,
                              EGL_SURFACE_TYPE,
                              EGL_PBUFFER_BIT,
                              EGL_RED_SIZE,
                              8,
                              EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, SIDE, EGL_HEIGHT, SIDE, EGL_NONE};
    EGLConfig config;
    EGLSurface surface;
    EGLContext ctx;
    EGLint n = 0;

    *dpy = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, NULL);
    if (!*dpy || !eglInitialize(*dpy, NULL, NULL))
        return NULL;
    assert_true(eglBindAPI(EGL_OPENGL_API));
    assert_true(eglChooseConfig(*dpy, attribs, &config, 1, &n));
    assert_int_equal(n, 1);
    surface = eglCreatePbufferSurface(*dpy, config, size);
    ctx = eglCreateContext(*dpy, config, NULL, NULL);
    assert_true(eglMakeCurrent(*dpy, surface, surface, ctx));
    return ctx;
}

static void test_two_devices(void **state)
{
    PFNEGLQUERYDEVICESEXTPROC query = (void *)eglGetProcAddress("eglQueryDevicesEXT");
    PFNEGLCREATESYNCKHRPROC create_sync = (void *)eglGetProcAddress("eglCreateSyncKHR");
    PFNEGLCLIENTWAITSYNCKHRPROC wait = (void *)eglGetProcAddress("eglClientWaitSyncKHR");
    PFNEGLDESTROYSYNCKHRPROC destroy_sync = (void *)eglGetProcAddress("eglDestroySyncKHR");
    PFNEGLGETDISPLAYDRIVERNAMEPROC driver = (void *)eglGetProcAddress("eglGetDisplayDriverName");
    PFNEGLQUERYDEVICESTRINGEXTPROC device_string =
        (void *)eglGetProcAddress("eglQueryDeviceStringEXT");
    static uint8_t pixels[2][BYTES];
    EGLDeviceEXT devices[16];
    EGLDisplay dpy[16];
    EGLint n = 0;
    unsigned seen[2] = {0};

    assert_non_null(driver);
    assert_true(query(16, devices, &n));
    assert_true(n >= 2);
    for (EGLint i = 0; i < n; i++) {
        EGLSyncKHR sync;
        bool ours;

        assert_non_null(device_string(devices[i], EGL_EXTENSIONS));
        if (!open_device(devices[i], &dpy[i]))
            continue; /* Mesa also lists hardware that may not open */
        ours = is_indium();
        draw(pixels[ours], 40);
        seen[ours]++;
        sync = create_sync(dpy[i], EGL_SYNC_FENCE_KHR, NULL);
        assert_int_equal(wait(dpy[i], sync, EGL_SYNC_FLUSH_COMMANDS_BIT_KHR, EGL_FOREVER_KHR),
                         EGL_CONDITION_SATISFIED_KHR);
        assert_true(destroy_sync(dpy[i], sync));
        assert_true(!ours || !strcmp(driver(dpy[i]), "indium"));
    }
    assert_true(seen[0] && seen[1]);
    assert_alike(pixels[1], pixels[0]);
    /* invalid display: the stub reports it */
    assert_null(create_sync((EGLDisplay)(uintptr_t)0x1230, EGL_SYNC_FENCE_KHR, NULL));
    assert_int_equal(eglGetError(), EGL_BAD_DISPLAY);
    assert_null(device_string((EGLDeviceEXT)(uintptr_t)0x1230, EGL_EXTENSIONS));
    assert_int_equal(eglGetError(), EGL_BAD_DEVICE_EXT);
    for (EGLint i = 0; i < n; i++)
        eglTerminate(dpy[i]);
    eglReleaseThread();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_displays),
        cmocka_unit_test(test_glx_stubs),
        cmocka_unit_test(test_two_devices),
    };
    int failed;

    if (!xvfb_start("24", NULL))
        return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    xvfb_stop();
    return failed;
}
