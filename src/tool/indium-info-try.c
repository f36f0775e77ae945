/* SPDX-License-Identifier: MIT */
/*
 * indium-info-try KIND LIBRARY: loads a library as a program does, by its name, draws a pixel with
 * it and checks that Indium drew. Prints the reason if something fails. Exit status: 0 if Indium
 * works, 2 if another driver drew, 1 for other failures.
 *
 * This program links none of our libraries and has no search path of its own, so that it meets what
 * a user's program meets in the same environment. indium-info runs it.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#ifndef EGL_NO_X11
#include <GL/glx.h>
#endif
#include <GL/osmesa.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/macros.h"

enum { WORKS, FAILED, OTHER_DRIVER };

static int fail(const char *why)
{
    printf("%s\n", why);
    return FAILED;
}

static void *library;

static void *look_up(const char *name)
{
    void *found = dlsym(library, name);

    if (!found) {
        printf("%s is missing\n", name);
        fflush(stdout);
        _exit(FAILED);
    }
    return found;
}

#define CALL(f) ((__typeof__(&f))look_up(#f))

/* Requires a current context. Prints renderer and version if they are another driver's. `gl` looks
 * up a gl* function. */
static int check_renderer(void *(*gl)(const char *))
{
    const uint8_t *(*get_string)(unsigned) = gl("glGetString");
    const char *renderer = get_string ? (const char *)get_string(GL_RENDERER) : NULL;

    if (!renderer)
        return fail("no renderer");
    if (strncmp(renderer, "Indium", 6) == 0)
        return WORKS;
    printf("drawn by %s, %s\n", renderer, (const char *)get_string(GL_VERSION));
    return OTHER_DRIVER;
}

/* Also draws and reads back a pixel. */
static int check_pixel(void *(*gl)(const char *))
{
    void (*clear_color)(float, float, float, float) = gl("glClearColor");
    void (*clear)(unsigned) = gl("glClear");
    void (*read_pixels)(int, int, int, int, unsigned, unsigned, void *) = gl("glReadPixels");
    uint8_t pixel[4] = {0};
    int result;

    if (!clear_color || !clear || !read_pixels)
        return fail("gl* functions are missing");
    clear_color(1, 0, 1, 1);
    clear(GL_COLOR_BUFFER_BIT);
    read_pixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    result = check_renderer(gl);
    if (pixel[0] != 255 || pixel[1] != 0 || pixel[2] != 255)
        return fail("clear and read back failed");
    return result;
}

#ifndef EGL_NO_X11
static void *gl_by_glx(const char *name)
{
    return (void *)CALL(glXGetProcAddress)((const GLubyte *)name);
}

static int try_glx(void)
{
    void *x11 = dlopen("libX11.so.6", RTLD_NOW | RTLD_GLOBAL);
    Display *(*open)(const char *) = x11 ? dlsym(x11, "XOpenDisplay") : NULL;
    const int size[] = {GLX_PBUFFER_WIDTH, 8, GLX_PBUFFER_HEIGHT, 8, None};
    const int want[] = {GLX_DRAWABLE_TYPE, GLX_PBUFFER_BIT, GLX_DOUBLEBUFFER, False, None};
    Display *dpy = open ? open(NULL) : NULL;
    GLXFBConfig *configs;
    GLXPbuffer pbuffer;
    GLXContext ctx;
    int n = 0;

    if (!dpy)
        return fail(!x11 ? dlerror() : "no X server (DISPLAY)");
    configs = CALL(glXChooseFBConfig)(dpy, 0, want, &n);
    if (!configs || n == 0)
        return fail("no framebuffer configuration");
    ctx = CALL(glXCreateNewContext)(dpy, configs[0], GLX_RGBA_TYPE, NULL, True);
    pbuffer = CALL(glXCreatePbuffer)(dpy, configs[0], size);
    if (!ctx || !CALL(glXMakeContextCurrent)(dpy, pbuffer, pbuffer, ctx))
        return fail("no context");
    return check_pixel(gl_by_glx);
}
#else
static int try_glx(void)
{
    return fail("built without X11");
}
#endif

static void *gl_by_egl(const char *name)
{
    return (void *)CALL(eglGetProcAddress)(name);
}

static const struct egl_kind {
    const char *name;
    EGLenum platform;
    const char *variable; /* environment variable that selects the display, or NULL */
    const char *missing;  /* message if it is not set */
} egl_kinds[] = {
    {"egl", EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL},
    {"egl-x11", EGL_PLATFORM_X11_KHR, "DISPLAY", "no X server (DISPLAY)"},
    {"egl-wayland", EGL_PLATFORM_WAYLAND_KHR, "WAYLAND_DISPLAY",
     "no Wayland compositor (WAYLAND_DISPLAY)"},
};

static int try_egl(const struct egl_kind *kind)
{
    const EGLint size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                           EGL_OPENGL_ES2_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLDisplay dpy = CALL(eglGetPlatformDisplay)(kind->platform, EGL_DEFAULT_DISPLAY, NULL);
    EGLSurface surface;
    EGLContext ctx;
    EGLConfig config;
    EGLint n = 0;

    if (!dpy || !CALL(eglInitialize)(dpy, NULL, NULL))
        return fail(kind->variable && !getenv(kind->variable)
                        ? kind->missing
                        : "the library provides no display of this platform");
    if (!CALL(eglChooseConfig)(dpy, want, &config, 1, &n) || n == 0)
        return fail("no framebuffer configuration");
    surface = CALL(eglCreatePbufferSurface)(dpy, config, size);
    ctx = CALL(eglCreateContext)(dpy, config, NULL, version);
    if (!CALL(eglMakeCurrent)(dpy, surface, surface, ctx))
        return fail("no context");
    return check_pixel(gl_by_egl);
}

/* Tests a surfaceless EGL context on GBM, with the functions of libgbm (gbm.h). */
static int try_gbm(void)
{
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    void *libgbm = dlopen("libgbm.so.1", RTLD_NOW | RTLD_GLOBAL);
    void *(*create_device)(int) = libgbm ? dlsym(libgbm, "gbm_create_device") : NULL;
    int fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    void *device = fd >= 0 && create_device ? create_device(fd) : NULL;
    EGLDisplay dpy;
    EGLContext ctx;

    if (!device)
        return fail(!libgbm          ? dlerror()
                    : !create_device ? "libgbm has no gbm_create_device"
                    : fd < 0         ? "there is no /dev/dri/card0"
                                     : "libgbm rejects /dev/dri/card0");
    dpy = CALL(eglGetPlatformDisplay)(EGL_PLATFORM_GBM_KHR, device, NULL);
    if (!dpy || !CALL(eglInitialize)(dpy, NULL, NULL))
        return fail("EGL rejects the GBM device");
    ctx = CALL(eglCreateContext)(dpy, NULL, NULL, version);
    if (!CALL(eglMakeCurrent)(dpy, NULL, NULL, ctx))
        return fail("no context");
    return check_renderer(gl_by_egl);
}

static void *gl_by_osmesa(const char *name)
{
    return (void *)CALL(OSMesaGetProcAddress)(name);
}

static int try_osmesa(void)
{
    static uint8_t buffer[8 * 8 * 4];
    OSMesaContext ctx = CALL(OSMesaCreateContext)(OSMESA_RGBA, NULL);

    if (!ctx || !CALL(OSMesaMakeCurrent)(ctx, buffer, GL_UNSIGNED_BYTE, 8, 8))
        return fail("no context");
    return check_pixel(gl_by_osmesa);
}

int main(int argc, char **argv)
{
    const char *kind;

    if (argc != 3)
        return fail("usage: indium-info-try KIND LIBRARY");
    kind = argv[1];
    alarm(30); /* it may block forever */
    library = dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        return fail(dlerror());
    if (strcmp(kind, "glx") == 0)
        return try_glx();
    if (strcmp(kind, "osmesa") == 0)
        return try_osmesa();
    if (strcmp(kind, "gbm") == 0)
        return try_gbm();
    for (unsigned i = 0; i < ARRAY_SIZE(egl_kinds); i++) {
        if (strcmp(kind, egl_kinds[i].name) == 0)
            return try_egl(&egl_kinds[i]);
    }
    return fail("unknown kind");
}
