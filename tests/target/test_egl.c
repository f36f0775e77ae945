/* SPDX-License-Identifier: MIT */
/* libEGL on all platforms, with the fake core. */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define EGL_EGLEXT_PROTOTYPES
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <X11/Xlib.h>
#include <xcb/xcb.h>

#include "xvfb.h"

#define assert_egl(call, error)                                                                    \
    do {                                                                                           \
        assert_true((call) == 0);                                                                  \
        assert_int_equal(eglGetError(), error);                                                    \
    } while (0)

static char frames[] = "/tmp/indium-test-XXXXXX";
static char frame[64];
static void (*clear_color)(float, float, float, float);
static void (*clear)(unsigned);

static EGLDisplay surfaceless(void)
{
    EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);

    assert_true(eglInitialize(dpy, NULL, NULL));
    clear_color = (void (*)(float, float, float, float))eglGetProcAddress("glClearColor");
    clear = (void (*)(unsigned))eglGetProcAddress("glClear");
    return dpy;
}

static EGLConfig choose(EGLDisplay dpy, EGLint surface)
{
    const EGLint attribs[] = {
        EGL_SURFACE_TYPE, surface, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_DEPTH_SIZE, 16,
        EGL_NONE};
    EGLConfig config;
    EGLint n;

    assert_true(eglChooseConfig(dpy, attribs, &config, 1, &n));
    assert_int_equal(n, 1);
    return config;
}

static void test_garbage(void **state)
{
    EGLDisplay dpy, junk = (EGLDisplay)(uintptr_t)0x1230;
    EGLint value;

    assert_egl(eglInitialize(junk, NULL, NULL), EGL_BAD_DISPLAY);
    assert_egl(eglTerminate(NULL), EGL_BAD_DISPLAY);
    assert_egl(eglGetPlatformDisplay(0x7777, NULL, NULL), EGL_BAD_PARAMETER);
    assert_egl(eglQueryString(junk, EGL_VENDOR), EGL_BAD_DISPLAY);
    dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    assert_egl(eglQueryString(dpy, EGL_VENDOR), EGL_NOT_INITIALIZED);
    dpy = surfaceless();
    assert_egl(eglQueryString(dpy, 0x7777), EGL_BAD_PARAMETER);
    assert_egl(eglGetConfigAttrib(dpy, junk, EGL_RED_SIZE, &value), EGL_BAD_CONFIG);
    assert_egl(eglCreateContext(dpy, junk, NULL, NULL), EGL_BAD_CONFIG);
    assert_egl(eglCreatePbufferSurface(dpy, junk, NULL), EGL_BAD_CONFIG);
    assert_egl(eglDestroyContext(dpy, junk), EGL_BAD_CONTEXT);
    assert_egl(eglDestroySurface(dpy, junk), EGL_BAD_SURFACE);
    assert_egl(eglSwapBuffers(dpy, junk), EGL_BAD_SURFACE);
    assert_egl(eglDestroySync(dpy, junk), EGL_BAD_PARAMETER);
    assert_egl(eglMakeCurrent(dpy, NULL, NULL, junk), EGL_BAD_CONTEXT);
    assert_egl(eglBindAPI(EGL_OPENVG_API), EGL_BAD_PARAMETER);
    assert_egl(eglCreateImage(dpy, NULL, 0x7777, NULL, NULL), EGL_BAD_PARAMETER);
    assert_egl(eglCreateImage(dpy, NULL, EGL_GL_TEXTURE_2D, NULL, NULL), EGL_BAD_CONTEXT);
    assert_egl(eglDestroyImage(dpy, junk), EGL_BAD_PARAMETER);
    assert_egl(eglCreateSync(dpy, EGL_SYNC_FENCE, NULL), EGL_BAD_MATCH);
    assert_true(eglTerminate(dpy));
}

static void check_images(EGLDisplay dpy, EGLContext ctx)
{
    const EGLClientBuffer name = (EGLClientBuffer)(uintptr_t)1;
    const EGLint level[] = {EGL_GL_TEXTURE_LEVEL, 1, EGL_NONE}, none[] = {EGL_NONE};
    const EGLint kept[] = {EGL_IMAGE_PRESERVED, EGL_TRUE, EGL_NONE};
    const EGLAttrib slice[] = {EGL_GL_TEXTURE_ZOFFSET, 1, EGL_NONE}, junk[] = {0x7777, 1, EGL_NONE};
    const EGLAttrib wide = INT_MAX * (EGLAttrib)2 + 2; /* its lower half is 0 */
    const EGLAttrib far_level[] = {EGL_GL_TEXTURE_LEVEL, wide, EGL_NONE};
    const EGLAttrib far_slice[] = {EGL_GL_TEXTURE_ZOFFSET, wide + 1, EGL_NONE};
    const EGLAttrib negative[] = {EGL_GL_TEXTURE_LEVEL, -1, EGL_NONE};
    EGLImage image;

    assert_egl(eglCreateImage(dpy, ctx, EGL_GL_TEXTURE_2D, NULL, NULL), EGL_BAD_PARAMETER);
    assert_egl(eglCreateImage(dpy, ctx, EGL_GL_TEXTURE_2D, name, junk), EGL_BAD_PARAMETER);
    assert_egl(eglCreateImage(dpy, ctx, EGL_GL_TEXTURE_2D, name, slice), EGL_BAD_MATCH);
    assert_egl(eglCreateImageKHR(dpy, ctx, EGL_GL_TEXTURE_2D, name, level), EGL_BAD_MATCH);
    assert_egl(eglCreateImageKHR(dpy, ctx, EGL_GL_RENDERBUFFER, name, level), EGL_BAD_MATCH);
    assert_egl(eglCreateImage(dpy, ctx, EGL_GL_TEXTURE_2D, name, far_level), EGL_BAD_MATCH);
    assert_egl(eglCreateImage(dpy, ctx, EGL_GL_TEXTURE_2D, name, negative), EGL_BAD_MATCH);
    assert_egl(eglCreateImage(dpy, ctx, EGL_GL_TEXTURE_3D, name, far_slice), EGL_BAD_PARAMETER);
    assert_egl(
        eglCreateImage(dpy, ctx, EGL_GL_TEXTURE_2D, (EGLClientBuffer)(uintptr_t)(wide + 1), NULL),
        EGL_BAD_PARAMETER);
    image = eglCreateImageKHR(dpy, ctx, EGL_GL_TEXTURE_2D, name, kept);
    assert_non_null(image);
    assert_non_null(eglCreateImageKHR(dpy, ctx, EGL_GL_RENDERBUFFER, name, none));
    assert_non_null(eglCreateImage(dpy, ctx, EGL_GL_TEXTURE_3D, name, slice));
    assert_true(eglDestroyImageKHR(dpy, image));
    assert_egl(eglDestroyImage(dpy, image), EGL_BAD_PARAMETER);
}

static void test_contexts(void **state)
{
    EGLDisplay dpy = surfaceless();
    EGLConfig config = choose(dpy, EGL_PBUFFER_BIT);
    const EGLint es2[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
    const EGLint es9[] = {EGL_CONTEXT_MAJOR_VERSION, 9, EGL_NONE};
    const EGLint huge[] = {EGL_CONTEXT_MAJOR_VERSION, INT_MAX, EGL_CONTEXT_MINOR_VERSION, INT_MAX,
                           EGL_NONE};
    const EGLint junk[] = {0x7777, 1, EGL_NONE};
    const EGLint profile[] = {EGL_CONTEXT_OPENGL_PROFILE_MASK, 1, EGL_NONE};
    const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION,
                           3,
                           EGL_CONTEXT_MINOR_VERSION,
                           3,
                           EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE,
                           EGL_TRUE,
                           EGL_NONE};
    EGLContext ctx, gl;
    EGLSync sync;
    EGLint value;

    assert_int_equal(eglQueryAPI(), EGL_OPENGL_ES_API);
    assert_egl(eglCreateContext(dpy, config, NULL, es9), EGL_BAD_MATCH);
    assert_egl(eglCreateContext(dpy, config, NULL, junk), EGL_BAD_ATTRIBUTE);
    assert_egl(eglCreateContext(dpy, config, NULL, profile), EGL_BAD_ATTRIBUTE);
    /* the version that the context supports: the highest one, but never ES 2 for ES 1 */
    ctx = eglCreateContext(dpy, config, NULL, NULL);
    assert_true(eglQueryContext(dpy, ctx, EGL_CONTEXT_CLIENT_VERSION, &value));
    assert_int_equal(value, 1);
    assert_true(eglDestroyContext(dpy, ctx));
    ctx = eglCreateContext(dpy, config, NULL, es2);
    assert_non_null(ctx);
    assert_true(eglQueryContext(dpy, ctx, EGL_CONTEXT_CLIENT_VERSION, &value));
    assert_int_equal(value, 3);
    assert_true(eglBindAPI(EGL_OPENGL_API));
    assert_egl(eglCreateContext(dpy, config, NULL, huge), EGL_BAD_MATCH);
    gl = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, NULL, core);
    assert_non_null(gl);
    assert_true(eglMakeCurrent(dpy, NULL, NULL, ctx));
    assert_true(eglMakeCurrent(dpy, NULL, NULL, gl));
    assert_ptr_equal(eglGetCurrentContext(), gl);
    assert_ptr_equal(eglGetCurrentDisplay(), dpy);
    assert_true(eglQueryContext(dpy, gl, EGL_CONTEXT_CLIENT_TYPE, &value));
    assert_int_equal(value, EGL_OPENGL_API);
    check_images(dpy, gl);
    sync = eglCreateSync(dpy, EGL_SYNC_FENCE, NULL);
    assert_non_null(sync);
    assert_int_equal(eglClientWaitSync(dpy, sync, 0, 0), EGL_CONDITION_SATISFIED);
    assert_true(eglDestroySync(dpy, sync));
    assert_egl(eglDestroySync(dpy, sync), EGL_BAD_PARAMETER);
    assert_egl(eglClientWaitSync(dpy, sync, 0, 0), EGL_BAD_PARAMETER);
    assert_egl(eglWaitSync(dpy, sync, 0), EGL_BAD_PARAMETER);
    assert_egl(eglSwapInterval(dpy, 1), EGL_BAD_SURFACE);
    /* terminated with a current context: it stays valid until released */
    assert_true(eglTerminate(dpy));
    assert_egl(eglDestroyContext(dpy, ctx), EGL_NOT_INITIALIZED);
    assert_ptr_equal(eglGetCurrentContext(), gl);
    assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
    assert_null(eglGetCurrentContext());
    assert_true(eglReleaseThread());
}

static void test_pbuffers(void **state)
{
    EGLDisplay dpy = surfaceless();
    EGLConfig config = choose(dpy, EGL_PBUFFER_BIT);
    const EGLint es2[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 12, EGL_HEIGHT, 10, EGL_NONE};
    const EGLint negative[] = {EGL_WIDTH, -1, EGL_NONE};
    const EGLint half[] = {EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGB, EGL_NONE};
    const EGLint not_boolean[][3] = {{EGL_LARGEST_PBUFFER, 2, EGL_NONE},
                                     {EGL_MIPMAP_TEXTURE, -1, EGL_NONE}};
    const EGLint wide[] = {EGL_WIDTH, 4097, EGL_HEIGHT, 1, EGL_NONE};
    const EGLint widest[] = {EGL_WIDTH, 65535, EGL_HEIGHT, 65535, EGL_NONE};
    const EGLint largest[] = {EGL_WIDTH,           INT_MAX,  EGL_HEIGHT, 7,
                              EGL_LARGEST_PBUFFER, EGL_TRUE, EGL_NONE};
    EGLContext ctx = eglCreateContext(dpy, config, NULL, es2);
    EGLSurface s;
    EGLint value = 0;

    /* limit of the core */
    assert_true(eglGetConfigAttrib(dpy, config, EGL_MAX_PBUFFER_WIDTH, &value));
    assert_int_equal(value, 4096);
    assert_egl(eglCreatePbufferSurface(dpy, config, wide), EGL_BAD_ALLOC);
    assert_egl(eglCreatePbufferSurface(dpy, config, widest), EGL_BAD_ALLOC);
    s = eglCreatePbufferSurface(dpy, config, NULL); /* 0 × 0 */
    assert_true(eglMakeCurrent(dpy, s, s, ctx));
    clear(0x4000);
    assert_true(eglSwapBuffers(dpy, s));
    assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
    assert_true(eglDestroySurface(dpy, s));
    s = eglCreatePbufferSurface(dpy, config, largest);
    assert_true(eglQuerySurface(dpy, s, EGL_WIDTH, &value));
    assert_int_equal(value, 4096);
    assert_true(eglQuerySurface(dpy, s, EGL_HEIGHT, &value));
    assert_int_equal(value, 7);
    assert_true(eglDestroySurface(dpy, s));
    s = eglCreatePbufferSurface(dpy, config, size);
    assert_non_null(s);
    assert_egl(eglCreatePbufferSurface(dpy, config, negative), EGL_BAD_PARAMETER);
    assert_egl(eglCreatePbufferSurface(dpy, config, half), EGL_BAD_MATCH);
    assert_egl(eglCreatePbufferSurface(dpy, config, not_boolean[0]), EGL_BAD_ATTRIBUTE);
    assert_egl(eglCreatePbufferSurface(dpy, config, not_boolean[1]), EGL_BAD_ATTRIBUTE);
    assert_egl(eglCreateWindowSurface(dpy, config, 1, NULL), EGL_BAD_NATIVE_WINDOW);
    assert_true(eglQuerySurface(dpy, s, EGL_WIDTH, &value));
    assert_int_equal(value, 12);
    assert_true(eglQuerySurface(dpy, s, EGL_SWAP_BEHAVIOR, &value));
    assert_int_equal(value, EGL_BUFFER_PRESERVED);
    assert_egl(eglQuerySurface(dpy, s, 0x7777, &value), EGL_BAD_ATTRIBUTE);
    assert_egl(eglSwapBuffers(dpy, s), EGL_BAD_SURFACE);
    assert_egl(eglBindTexImage(dpy, s, EGL_BACK_BUFFER), EGL_BAD_MATCH);
    assert_egl(eglMakeCurrent(dpy, s, NULL, ctx), EGL_BAD_MATCH);
    assert_egl(eglMakeCurrent(dpy, s, s, NULL), EGL_BAD_MATCH);
    assert_true(eglMakeCurrent(dpy, s, s, ctx));
    clear_color(1, 0, 0, 1);
    clear(0x4000);
    assert_true(eglSwapBuffers(dpy, s));
    /* without windows, a swap writes a frame to INDIUM_FRAMES */
    assert_int_equal(remove(frame), 0);
    assert_true(eglDestroySurface(dpy, s));
    clear(0x4000);
    assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
    assert_true(eglTerminate(dpy));
}

/* Imports an image of width × height pixels in a descriptor's memory. */
static EGLImage import(EGLDisplay dpy, int fd, EGLint width, EGLint height, EGLint fourcc,
                       EGLint offset, EGLint pitch)
{
    const EGLint attribs[] = {EGL_WIDTH,
                              width,
                              EGL_HEIGHT,
                              height,
                              EGL_LINUX_DRM_FOURCC_EXT,
                              fourcc,
                              EGL_DMA_BUF_PLANE0_FD_EXT,
                              fd,
                              EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                              offset,
                              EGL_DMA_BUF_PLANE0_PITCH_EXT,
                              pitch,
                              EGL_NONE};

    return eglCreateImageKHR(dpy, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, attribs);
}

/* Values of an EGLAttrib that don't fit into 32 bits, although their lower halves are valid. */
static void check_wide_memory(EGLDisplay dpy, int fd)
{
    static const EGLint errors[] = {EGL_BAD_PARAMETER, EGL_BAD_PARAMETER, EGL_BAD_MATCH,
                                    EGL_BAD_PARAMETER, EGL_BAD_ACCESS,    EGL_BAD_ACCESS,
                                    EGL_BAD_MATCH,     EGL_BAD_MATCH};
    EGLAttrib list[] = {EGL_WIDTH,
                        16,
                        EGL_HEIGHT,
                        16,
                        EGL_LINUX_DRM_FOURCC_EXT,
                        0x34325258,
                        EGL_DMA_BUF_PLANE0_FD_EXT,
                        fd,
                        EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                        0,
                        EGL_DMA_BUF_PLANE0_PITCH_EXT,
                        64,
                        EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT,
                        0,
                        EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT,
                        0,
                        EGL_NONE};
    EGLImage image = eglCreateImage(dpy, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, list);

    assert_non_null(image);
    assert_true(eglDestroyImage(dpy, image));
    for (unsigned i = 0; i < 8; i++) {
        const EGLAttrib value = list[2 * i + 1];

        list[2 * i + 1] += INT_MAX * (EGLAttrib)2 + 2;
        assert_egl(eglCreateImage(dpy, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, list),
                   errors[i]);
        list[2 * i + 1] = value;
    }
}

/* Descriptors that are not memory, memory that may shrink, and images that don't fit. */
static void test_foreign_memory(void **state)
{
    enum { BYTES = 16 * 64, XRGB = 0x34325258, NV12 = 0x3231564e };
    const EGLint no_fd[] = {EGL_WIDTH, 16,      EGL_HEIGHT, 16, EGL_LINUX_DRM_FOURCC_EXT,
                            XRGB,      EGL_NONE};
    const EGLint junk[] = {0x7777, 1, EGL_NONE};
    EGLDisplay dpy = surfaceless();
    int ends[2], none = open("/dev/null", O_RDWR | O_CLOEXEC);
    int loose = memfd_create("loose", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int firm = memfd_create("firm", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    EGLImage image;

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(ftruncate(loose, BYTES), 0);
    assert_int_equal(ftruncate(firm, BYTES), 0);
    assert_int_equal(fcntl(firm, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    check_wide_memory(dpy, firm);
    image = import(dpy, firm, 16, 16, XRGB, 0, 64);
    assert_non_null(image);
    assert_true(eglDestroyImageKHR(dpy, image));
    assert_egl(eglDestroyImageKHR(dpy, image), EGL_BAD_PARAMETER);
    for (unsigned i = 0; i < 5; i++) {
        const int foreign[5] = {-1, 9999, none, ends[0], loose};

        assert_egl(import(dpy, foreign[i], 16, 16, XRGB, 0, 64), EGL_BAD_PARAMETER);
    }
    assert_egl(import(dpy, firm, 0, 16, XRGB, 0, 64), EGL_BAD_PARAMETER);
    assert_egl(import(dpy, firm, 16, -1, XRGB, 0, 64), EGL_BAD_PARAMETER);
    assert_egl(import(dpy, firm, 16, 16, 0x12345678, 0, 64), EGL_BAD_MATCH);
    /* one plane instead of two */
    assert_egl(import(dpy, firm, 16, 16, NV12, 0, 16), EGL_BAD_PARAMETER);
    for (unsigned i = 0; i < 8; i++) {
        static const EGLint beyond[8][4] = {
            {16, 17, 0, 64},       {16, 16, 4, 64},
            {17, 16, 0, 64},       {16, 16, -64, 64},
            {16, 16, 0, 0},        {16, 16, 0, INT_MAX},
            {16, 16, INT_MAX, 64}, {65535, 65535, 0, 4 * 65535},
        };

        assert_egl(import(dpy, firm, beyond[i][0], beyond[i][1], XRGB, beyond[i][2], beyond[i][3]),
                   EGL_BAD_ACCESS);
    }
    /* two pixels of Y'CbCr are four bytes, whichever component comes last */
    for (unsigned i = 0; i < 4; i++) {
        static const EGLint packed[4] = {0x56595559, 0x55595659, 0x59565955, 0x59555956};

        image = import(dpy, firm, 2, 1, packed[i], BYTES - 4, 4);
        assert_non_null(image);
        assert_true(eglDestroyImageKHR(dpy, image));
        for (EGLint missing = 1; missing < 4; missing++)
            assert_egl(import(dpy, firm, 2, 1, packed[i], BYTES - 4 + missing, 4), EGL_BAD_ACCESS);
    }
    assert_egl(eglCreateImageKHR(dpy, NULL, EGL_LINUX_DMA_BUF_EXT, NULL, no_fd), EGL_BAD_PARAMETER);
    assert_egl(eglCreateImageKHR(dpy, NULL, EGL_LINUX_DMA_BUF_EXT, NULL, junk), EGL_BAD_PARAMETER);
    for (unsigned i = 0; i < 2; i++)
        close(ends[i]);
    close(none);
    close(loose);
    close(firm);
    assert_true(eglTerminate(dpy));
}

/* Objects of another display. */
static void check_other_display(EGLDisplay dpy)
{
    const EGLint es2[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
    EGLDisplay other = surfaceless();
    EGLContext ctx = eglCreateContext(other, choose(other, EGL_PBUFFER_BIT), NULL, es2);

    assert_non_null(ctx);
    assert_egl(eglCreateContext(dpy, choose(dpy, EGL_PBUFFER_BIT), ctx, es2), EGL_BAD_MATCH);
    assert_egl(eglMakeCurrent(dpy, NULL, NULL, ctx), EGL_BAD_CONTEXT);
    assert_egl(eglDestroyContext(dpy, ctx), EGL_BAD_CONTEXT);
    assert_true(eglDestroyContext(other, ctx));
    assert_egl(eglCreateContext(dpy, choose(dpy, EGL_PBUFFER_BIT), ctx, es2), EGL_BAD_CONTEXT);
    assert_true(eglTerminate(other));
}

static void test_device(void **state)
{
    EGLDeviceEXT device = NULL;
    EGLDisplay dpy;
    EGLAttrib value;
    EGLint n = 0;

    assert_true(eglQueryDevicesEXT(0, NULL, &n));
    assert_int_equal(n, 1);
    assert_egl(eglQueryDevicesEXT(0, &device, &n), EGL_BAD_PARAMETER);
    assert_true(eglQueryDevicesEXT(1, &device, &n));
    assert_string_equal(eglQueryDeviceStringEXT(device, EGL_EXTENSIONS),
                        "EGL_EXT_device_drm_render_node EGL_MESA_device_software");
    assert_egl(eglQueryDeviceStringEXT(NULL, EGL_EXTENSIONS), EGL_BAD_DEVICE_EXT);
    assert_egl(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, NULL, NULL), EGL_BAD_PARAMETER);
    dpy = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, NULL);
    assert_true(eglInitialize(dpy, NULL, NULL));
    assert_true(eglQueryDisplayAttribEXT(dpy, EGL_DEVICE_EXT, &value));
    assert_ptr_equal(value, device);
    check_other_display(dpy);
    assert_true(eglTerminate(dpy));
}

/* Without a server, the default display needs none. */
static void test_default_without_server(void **state)
{
    EGLDisplay dpy;

    unsetenv("DISPLAY");
    dpy = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    assert_true(eglInitialize(dpy, NULL, NULL));
    choose(dpy, EGL_PBUFFER_BIT);
    assert_true(eglTerminate(dpy));
}

/* Unreachable servers, and invalid native displays. */
static void test_wrong_displays(void **state)
{
    static const EGLenum platforms[] = {EGL_PLATFORM_X11_KHR, EGL_PLATFORM_XCB_EXT,
                                        EGL_PLATFORM_WAYLAND_KHR, EGL_PLATFORM_GBM_KHR};
    void *const none[] = {NULL, (void *)(uintptr_t)8, (void *)-(uintptr_t)8};
    EGLint value;

    for (unsigned i = 0; i < 2; i++) {
        const EGLAttrib screens[] = {-1, INT_MAX * (EGLAttrib)2 + 2}; /* beyond 32 bits */
        const EGLAttrib x11[] = {EGL_PLATFORM_X11_SCREEN_KHR, screens[i], EGL_NONE};
        const EGLAttrib xcb[] = {EGL_PLATFORM_XCB_SCREEN_EXT, screens[i], EGL_NONE};

        assert_egl(eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, NULL, x11), EGL_BAD_ATTRIBUTE);
        assert_egl(eglGetPlatformDisplay(EGL_PLATFORM_XCB_EXT, NULL, xcb), EGL_BAD_ATTRIBUTE);
    }
    setenv("DISPLAY", "nowhere:65000", 1);
    setenv("WAYLAND_DISPLAY", "/nowhere/wayland", 1);
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < 3; j++) {
            EGLDisplay dpy = eglGetPlatformDisplay(platforms[i], none[j], NULL);

            assert_non_null(dpy);
            assert_egl(eglInitialize(dpy, NULL, NULL), EGL_NOT_INITIALIZED);
            assert_egl(eglGetConfigs(dpy, NULL, 0, &value), EGL_NOT_INITIALIZED);
            assert_true(eglTerminate(dpy));
        }
    }
    assert_egl(eglInitialize(eglGetDisplay(none[1]), NULL, NULL), EGL_NOT_INITIALIZED);
    setenv("EGL_PLATFORM", "x11", 1);
    assert_egl(eglInitialize(eglGetDisplay(EGL_DEFAULT_DISPLAY), NULL, NULL), EGL_NOT_INITIALIZED);
    unsetenv("EGL_PLATFORM");
    unsetenv("WAYLAND_DISPLAY");
    unsetenv("DISPLAY");
}

/* X displays passed to several calls that claim another type. */
static void test_native_displays(void **state)
{
    EGLDisplay dpy;
    xcb_connection_t *c;
    Display *x;

    if (!xvfb_start("24", "GLX"))
        skip();
    c = xcb_connect(NULL, NULL);
    x = XOpenDisplay(NULL);
    for (int named = 0; named < 2; named++) {
        /* a connection cannot be recognized */
        dpy = eglGetDisplay((EGLNativeDisplayType)c);
        if (named) {
            assert_true(eglInitialize(dpy, NULL, NULL));
            assert_ptr_equal(dpy, eglGetPlatformDisplay(EGL_PLATFORM_XCB_EXT, c, NULL));
            choose(dpy, EGL_WINDOW_BIT);
            assert_true(eglTerminate(dpy));
        } else {
            assert_egl(eglInitialize(dpy, NULL, NULL), EGL_NOT_INITIALIZED);
        }
        dpy = eglGetDisplay((EGLNativeDisplayType)x);
        assert_true(eglInitialize(dpy, NULL, NULL));
        assert_ptr_equal(dpy, eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, x, NULL));
        choose(dpy, EGL_WINDOW_BIT);
        assert_true(eglTerminate(dpy));
        setenv("EGL_PLATFORM", "xcb", 1);
    }
    dpy = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    assert_ptr_equal(dpy, eglGetPlatformDisplay(EGL_PLATFORM_XCB_EXT, NULL, NULL));
    assert_true(eglInitialize(dpy, NULL, NULL));
    assert_true(eglTerminate(dpy));
    unsetenv("EGL_PLATFORM");
    assert_egl(eglInitialize(eglGetPlatformDisplay(EGL_PLATFORM_XCB_EXT, x, NULL), NULL, NULL),
               EGL_NOT_INITIALIZED);
    assert_egl(eglInitialize(eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, c, NULL), NULL, NULL),
               EGL_NOT_INITIALIZED);
    XCloseDisplay(x);
    xcb_disconnect(c);
    xvfb_stop();
}

static uint32_t pixel(xcb_connection_t *c, xcb_drawable_t d, int x, int y)
{
    xcb_get_image_reply_t *r = xcb_get_image_reply(
        c, xcb_get_image(c, XCB_IMAGE_FORMAT_Z_PIXMAP, d, x, y, 1, 1, ~0u), NULL);
    uint32_t p;

    assert_non_null(r);
    memcpy(&p, xcb_get_image_data(r), 4);
    free(r);
    return p & 0xffffff;
}

/* EGL_EXT_buffer_age and EGL_KHR_partial_update. The surface is current and was never swapped. */
static void check_partial_updates(EGLDisplay dpy, EGLSurface s)
{
    EGLint rect[] = {0, 0, 4, 4}, age = -1;

    /* the age was not queried */
    assert_egl(eglSetDamageRegionKHR(dpy, s, rect, 1), EGL_BAD_ACCESS);
    assert_true(eglQuerySurface(dpy, s, EGL_BUFFER_AGE_EXT, &age));
    assert_int_equal(age, 0);
    assert_egl(eglSetDamageRegionKHR(dpy, s, NULL, 1), EGL_BAD_PARAMETER);
    assert_egl(eglSetDamageRegionKHR(dpy, s, rect, -1), EGL_BAD_PARAMETER);
    assert_true(eglSetDamageRegionKHR(dpy, s, rect, 1));
    assert_egl(eglSetDamageRegionKHR(dpy, s, rect, 1), EGL_BAD_ACCESS); /* twice in a frame */
    assert_true(eglSwapBuffers(dpy, s));
    assert_egl(eglSetDamageRegionKHR(dpy, s, rect, 1), EGL_BAD_ACCESS);
    assert_true(eglSwapBuffers(dpy, s));
    assert_true(eglQuerySurface(dpy, s, EGL_BUFFER_AGE_KHR, &age));
    assert_int_equal(age, 1);
    assert_true(eglSetDamageRegionKHR(dpy, s, NULL, 0));
    assert_true(eglSurfaceAttrib(dpy, s, EGL_SWAP_BEHAVIOR, EGL_BUFFER_PRESERVED));
    assert_true(eglSwapBuffers(dpy, s));
    assert_true(eglQuerySurface(dpy, s, EGL_BUFFER_AGE_EXT, &age));
    assert_int_equal(age, 1);
    assert_egl(eglSetDamageRegionKHR(dpy, s, rect, 1), EGL_BAD_MATCH);
    assert_true(eglSurfaceAttrib(dpy, s, EGL_SWAP_BEHAVIOR, EGL_BUFFER_DESTROYED));
}

/* Damage rectangles with arbitrary values; pixels outside of them are unchanged. */
static void check_damage(EGLDisplay dpy, EGLSurface s, xcb_connection_t *c, xcb_window_t w)
{
    EGLint out_of_range[] = {INT_MIN, INT_MIN, INT_MAX, INT_MAX, INT_MAX, 0, INT_MAX, 1,  5,   5,
                             0,       9,       -2,      -2,      5,       5, 26,      18, 100, 100};
    EGLint width;

    clear_color(0, 0, 1, 1);
    clear(0x4000);
    assert_true(eglSwapBuffers(dpy, s));
    for (int i = 0; i < 3; i++) { /* covers both shared segments */
        clear_color(1, i / 255.0f, 0, 1);
        clear(0x4000);
        assert_true(eglSwapBuffersWithDamageKHR(dpy, s, out_of_range, 5));
        /* the surface has another connection, which waits for the server here */
        assert_true(eglQuerySurface(dpy, s, EGL_WIDTH, &width));
        assert_int_equal(pixel(c, w, 2, 17), 0xff0000 | i << 8);
        assert_int_equal(pixel(c, w, 3, 17), 0x0000ff);
        assert_int_equal(pixel(c, w, 2, 16), 0x0000ff);
        assert_int_equal(pixel(c, w, 26, 1), 0xff0000 | i << 8);
        assert_int_equal(pixel(c, w, 25, 1), 0x0000ff);
        assert_int_equal(pixel(c, w, 29, 2), 0x0000ff);
    }
    assert_egl(eglSwapBuffersWithDamageEXT(dpy, s, NULL, 1), EGL_BAD_PARAMETER);
    assert_egl(eglSwapBuffersWithDamageEXT(dpy, s, out_of_range, -1), EGL_BAD_PARAMETER);
}

/* Creates and maps a window. */
static xcb_window_t map_window(xcb_connection_t *c, const xcb_screen_t *screen, uint16_t width,
                               uint16_t height)
{
    xcb_window_t w = xcb_generate_id(c);
    xcb_create_window(c, screen->root_depth, w, screen->root, 0, 0, width, height, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, NULL);
    xcb_map_window(c, w);
    return w;
}

static void test_x11_window(void **state)
{
    const EGLint es2[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
    xcb_connection_t *c;
    xcb_screen_t *screen;
    xcb_window_t w;
    xcb_pixmap_t pixmap;
    EGLDisplay dpy;
    EGLConfig config;
    EGLSurface s;
    EGLContext ctx;
    EGLint age;

    if (!xvfb_start("24", "GLX"))
        skip();
    c = xcb_connect(NULL, NULL);
    screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
    w = map_window(c, screen, 30, 20);
    pixmap = xcb_generate_id(c);
    xcb_create_pixmap(c, screen->root_depth, pixmap, screen->root, 30, 20);
    free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));

    dpy = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    assert_true(eglInitialize(dpy, NULL, NULL));
    config = choose(dpy, EGL_WINDOW_BIT);
    assert_egl(eglCreateWindowSurface(dpy, config, 0x123456, NULL), EGL_BAD_NATIVE_WINDOW);
    s = eglCreateWindowSurface(dpy, config, w, NULL);
    assert_non_null(s);
    assert_egl(eglCreateWindowSurface(dpy, config, w, NULL), EGL_BAD_ALLOC);
    ctx = eglCreateContext(dpy, config, NULL, es2);
    assert_egl(eglQuerySurface(dpy, s, EGL_BUFFER_AGE_EXT, &age), EGL_BAD_SURFACE);
    assert_egl(eglSetDamageRegionKHR(dpy, s, NULL, 0), EGL_BAD_MATCH);
    assert_egl(eglCopyBuffers(dpy, s, pixmap), EGL_BAD_SURFACE);
    assert_true(eglMakeCurrent(dpy, s, s, ctx));
    check_partial_updates(dpy, s);
    clear_color(0, 1, 0, 1);
    clear(0x4000);
    assert_egl(eglCopyBuffers(dpy, s, 0x123456), EGL_BAD_NATIVE_PIXMAP);
    assert_true(eglCopyBuffers(dpy, s, pixmap));
    assert_int_equal(pixel(c, pixmap, 29, 19), 0x00ff00);
    assert_true(eglSwapBuffers(dpy, s));
    assert_true(eglSwapBuffers(dpy, s)); /* waits for the first */
    assert_int_equal(pixel(c, w, 29, 19), 0x00ff00);
    check_damage(dpy, s, c, w);
    assert_true(eglWaitClient());
    assert_true(eglWaitNative(EGL_CORE_NATIVE_ENGINE));
    assert_egl(eglWaitNative(EGL_CORE_NATIVE_ENGINE + 1), EGL_BAD_PARAMETER);
    xcb_destroy_window(c, w);
    free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
    eglSwapBuffers(dpy, s);
    eglSwapBuffers(dpy, s);
    assert_egl(eglSwapBuffers(dpy, s), EGL_BAD_NATIVE_WINDOW);
    assert_egl(eglWaitClient(), EGL_BAD_CURRENT_SURFACE);
    assert_egl(eglWaitGL(), EGL_BAD_CURRENT_SURFACE);
    assert_egl(eglWaitNative(EGL_CORE_NATIVE_ENGINE), EGL_BAD_CURRENT_SURFACE);
    assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
    assert_true(eglWaitClient());
    assert_true(eglTerminate(dpy));
    xcb_disconnect(c);
    xvfb_stop();
}

/* Windows that are larger than any image, then smaller. */
static void test_huge_windows(void **state)
{
    static const uint16_t sizes[][2] = {{65535, 1}, {1, 65535}, {65535, 65535}};
    static const uint32_t small[] = {30, 20};
    EGLDisplay dpy;
    xcb_connection_t *c;
    xcb_screen_t *screen;
    EGLConfig config;
    EGLContext ctx;

    if (!xvfb_start("24", "GLX"))
        skip();
    c = xcb_connect(NULL, NULL);
    screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
    dpy = eglGetPlatformDisplay(EGL_PLATFORM_XCB_EXT, c, NULL);
    assert_true(eglInitialize(dpy, NULL, NULL));
    config = choose(dpy, EGL_WINDOW_BIT);
    ctx = eglCreateContext(dpy, config, NULL, NULL);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        xcb_window_t w = map_window(c, screen, sizes[i][0], sizes[i][1]);
        EGLSurface s = eglCreateWindowSurface(dpy, config, w, NULL);
        EGLint width;

        assert_non_null(s);
        assert_true(eglQuerySurface(dpy, s, EGL_WIDTH, &width));
        assert_int_equal(width, sizes[i][0]);
        assert_true(eglMakeCurrent(dpy, s, s, ctx));
        clear(0x4000);
        assert_egl(eglSwapBuffers(dpy, s), EGL_BAD_ALLOC);
        xcb_configure_window(c, w, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, small);
        assert_true(eglQuerySurface(dpy, s, EGL_WIDTH, &width));
        assert_int_equal(width, 30);
        clear_color(0, 1, 0, 1);
        clear(0x4000);
        assert_true(eglSwapBuffers(dpy, s));
        assert_int_equal(pixel(c, w, 29, 19), 0x00ff00);
        assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
        assert_true(eglDestroySurface(dpy, s));
        xcb_destroy_window(c, w);
    }
    assert_true(eglTerminate(dpy));
    xcb_disconnect(c);
    xvfb_stop();
}

/* Invalid windows and pixmaps, ones of another kind, and configurations of another display. */
static void check_strangers(EGLDisplay dpy, EGLConfig config, xcb_connection_t *c,
                            xcb_screen_t *screen, xcb_window_t w)
{
    xcb_pixmap_t pixmap = xcb_generate_id(c), shallow = xcb_generate_id(c);
    xcb_window_t input_only = xcb_generate_id(c), dead = xcb_generate_id(c);
    EGLDisplay other = surfaceless();
    EGLConfig elsewhere = choose(other, EGL_PBUFFER_BIT);

    xcb_create_pixmap(c, screen->root_depth, pixmap, screen->root, 4, 4);
    xcb_create_pixmap(c, 1, shallow, screen->root, 4, 4);
    xcb_create_window(c, 0, input_only, screen->root, 0, 0, 4, 4, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                      XCB_COPY_FROM_PARENT, 0, NULL);
    xcb_create_window(c, XCB_COPY_FROM_PARENT, dead, screen->root, 0, 0, 4, 4, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, 0, NULL);
    xcb_destroy_window(c, dead);
    free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
    assert_egl(eglCreateWindowSurface(dpy, config, 0, NULL), EGL_BAD_NATIVE_WINDOW);
    assert_egl(eglCreateWindowSurface(dpy, config, pixmap, NULL), EGL_BAD_NATIVE_WINDOW);
    assert_egl(eglCreateWindowSurface(dpy, config, input_only, NULL), EGL_BAD_NATIVE_WINDOW);
    assert_egl(eglCreateWindowSurface(dpy, config, dead, NULL), EGL_BAD_NATIVE_WINDOW);
    assert_egl(eglCreatePlatformWindowSurface(dpy, config, NULL, NULL), EGL_BAD_NATIVE_WINDOW);
    /* the window's id instead of its address */
    assert_egl(eglCreatePlatformWindowSurface(dpy, config, (void *)(uintptr_t)w, NULL),
               EGL_BAD_NATIVE_WINDOW);
    /* as in Mesa, a window is accepted as a pixmap */
    assert_true(eglDestroySurface(dpy, eglCreatePixmapSurface(dpy, config, w, NULL)));
    assert_egl(eglCreatePixmapSurface(dpy, config, 0, NULL), EGL_BAD_NATIVE_PIXMAP);
    assert_egl(eglCreatePixmapSurface(dpy, config, shallow, NULL), EGL_BAD_NATIVE_PIXMAP);
    assert_egl(eglCreateWindowSurface(dpy, elsewhere, w, NULL), EGL_BAD_CONFIG);
    assert_egl(eglCreateContext(dpy, elsewhere, NULL, NULL), EGL_BAD_CONFIG);
    assert_egl(eglCreatePbufferSurface(other, config, NULL), EGL_BAD_CONFIG);
    assert_true(eglTerminate(other));
    assert_egl(eglCreatePbufferSurface(other, elsewhere, NULL), EGL_NOT_INITIALIZED);
}

/* Handles of destroyed objects, and the loss of the display's connection. */
static void test_stale(void **state)
{
    const EGLint es2[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
    xcb_connection_t *c;
    xcb_screen_t *screen;
    xcb_window_t w;
    EGLDisplay dpy;
    EGLConfig config;
    EGLSurface s, old;
    EGLContext ctx, gone;
    EGLint value;

    if (!xvfb_start("24", "GLX"))
        skip();
    c = xcb_connect(NULL, NULL);
    screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
    w = map_window(c, screen, 30, 20);
    free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
    dpy = eglGetPlatformDisplay(EGL_PLATFORM_XCB_EXT, c, NULL);
    assert_true(eglInitialize(dpy, NULL, NULL));
    config = choose(dpy, EGL_WINDOW_BIT);
    check_strangers(dpy, config, c, screen, w);
    old = eglCreateWindowSurface(dpy, config, w, NULL);
    gone = eglCreateContext(dpy, config, NULL, es2);
    assert_true(eglDestroySurface(dpy, old));
    assert_egl(eglDestroySurface(dpy, old), EGL_BAD_SURFACE);
    assert_true(eglDestroyContext(dpy, gone));
    assert_egl(eglDestroyContext(dpy, gone), EGL_BAD_CONTEXT);
    ctx = eglCreateContext(dpy, config, NULL, es2);
    s = eglCreateWindowSurface(dpy, config, w, NULL);
    if (old != s) {
        assert_egl(eglSwapBuffers(dpy, old), EGL_BAD_SURFACE);
        assert_egl(eglQuerySurface(dpy, old, EGL_WIDTH, &value), EGL_BAD_SURFACE);
        assert_egl(eglMakeCurrent(dpy, old, old, ctx), EGL_BAD_SURFACE);
    }
    if (gone != ctx) {
        assert_egl(eglMakeCurrent(dpy, s, s, gone), EGL_BAD_CONTEXT);
        assert_egl(eglQueryContext(dpy, gone, EGL_CONFIG_ID, &value), EGL_BAD_CONTEXT);
        assert_egl(eglCreateContext(dpy, config, gone, es2), EGL_BAD_CONTEXT);
    }
    assert_true(eglMakeCurrent(dpy, s, s, ctx));
    clear_color(0, 1, 0, 1);
    clear(0x4000);
    assert_true(eglSwapBuffers(dpy, s));
    /* the connection destroys its windows; the surface remains */
    xcb_disconnect(c);
    for (int i = 0; i < 4; i++) {
        clear(0x4000);
        eglSwapBuffers(dpy, s);
        eglQuerySurface(dpy, s, EGL_WIDTH, &value);
    }
    assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
    assert_true(eglDestroySurface(dpy, s));
    assert_true(eglTerminate(dpy));
    xvfb_stop();
}

/* Calls in a thread while another one terminates and initializes the display. */
static void *use_display(void *data)
{
    EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    const EGLint size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
    const EGLint es2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};

    while (!__atomic_load_n((bool *)data, __ATOMIC_RELAXED)) {
        EGLConfig configs[64] = {NULL};
        EGLint n = 0, value;
        EGLSurface surface;
        EGLContext ctx;

        eglChooseConfig(dpy, (const EGLint[]){EGL_NONE}, configs, 64, &n);
        for (EGLint i = 0; i < n; i++)
            eglGetConfigAttrib(dpy, configs[i], EGL_CONFIG_ID, &value);
        surface = eglCreatePbufferSurface(dpy, configs[0], size);
        ctx = eglCreateContext(dpy, configs[0], NULL, es2);
        if (eglMakeCurrent(dpy, surface, surface, ctx)) {
            eglDestroySync(dpy, eglCreateSync(dpy, EGL_SYNC_FENCE, NULL));
            eglSwapBuffers(dpy, surface);
            eglCopyBuffers(dpy, surface, (EGLNativePixmapType)1);
        }
        eglMakeCurrent(dpy, NULL, NULL, NULL);
        eglDestroyContext(dpy, ctx);
        eglDestroySurface(dpy, surface);
    }
    return NULL;
}

static void test_terminate_race(void **state)
{
    EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    pthread_t thread[3];
    bool stop = false;

    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, use_display, &stop), 0);
    for (unsigned i = 0; i < 500; i++) {
        eglInitialize(dpy, NULL, NULL);
        usleep(i % 50 * 10);
        eglTerminate(dpy);
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
}

static void *query_configs(void *data)
{
    EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    EGLint n;

    while (!__atomic_load_n((bool *)data, __ATOMIC_RELAXED))
        eglChooseConfig(dpy, NULL, NULL, 0, &n);
    return NULL;
}

/* Children of a fork can terminate and initialize a display that other threads were using. */
static void test_fork(void **state)
{
    EGLDisplay dpy = surfaceless();
    pthread_t thread[3];
    bool stop = false;
    int status = 0;

    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, query_configs, &stop), 0);
    for (unsigned i = 0; i < 10 && status == 0; i++) {
        const pid_t child = fork();

        if (child == 0) {
            alarm(30); /* ends a child that waits forever */
            _exit(eglTerminate(dpy) && eglInitialize(dpy, NULL, NULL) ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(status, 0);
    assert_true(eglTerminate(dpy));
}

/* Fills in a list of n attributes, all but the last of which are the same. */
static void fill_list(EGLint *list, unsigned n, EGLint name, EGLint value, EGLint last)
{
    for (unsigned i = 0; i < n; i++) {
        list[2 * i] = i + 1 < n ? name : last;
        list[2 * i + 1] = value;
    }
    list[2 * n] = EGL_NONE;
}

/* The last of many attributes counts, too. */
static void test_long_lists(void **state)
{
    enum { MANY = 1000 };
    EGLint list[2 * MANY + 1];
    EGLDisplay dpy;
    EGLConfig config;
    xcb_connection_t *c;
    xcb_window_t w;
    EGLSurface s;

    if (!xvfb_start("24", NULL))
        skip();
    c = xcb_connect(NULL, NULL);
    w = map_window(c, xcb_setup_roots_iterator(xcb_get_setup(c)).data, 30, 20);
    free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
    fill_list(list, MANY, EGL_PLATFORM_XCB_SCREEN_EXT, 0, 0x7777);
    assert_egl(eglGetPlatformDisplayEXT(EGL_PLATFORM_XCB_EXT, c, list), EGL_BAD_ATTRIBUTE);
    fill_list(list, MANY, EGL_PLATFORM_XCB_SCREEN_EXT, 0, EGL_PLATFORM_XCB_SCREEN_EXT);
    dpy = eglGetPlatformDisplayEXT(EGL_PLATFORM_XCB_EXT, c, list);
    assert_true(eglInitialize(dpy, NULL, NULL));
    config = choose(dpy, EGL_WINDOW_BIT);
    fill_list(list, MANY, EGL_RENDER_BUFFER, EGL_BACK_BUFFER, 0x7777);
    assert_egl(eglCreateWindowSurface(dpy, config, w, list), EGL_BAD_ATTRIBUTE);
    assert_egl(eglCreatePlatformWindowSurfaceEXT(dpy, config, &w, list), EGL_BAD_ATTRIBUTE);
    fill_list(list, MANY, EGL_VG_COLORSPACE, EGL_VG_COLORSPACE_sRGB, 0x7777);
    assert_egl(eglCreatePixmapSurface(dpy, config, w, list), EGL_BAD_ATTRIBUTE);
    fill_list(list, MANY, EGL_RENDER_BUFFER, EGL_SINGLE_BUFFER, EGL_RENDER_BUFFER);
    s = eglCreateWindowSurface(dpy, config, w, list);
    assert_non_null(s);
    assert_true(eglDestroySurface(dpy, s));
    assert_true(eglTerminate(dpy));
    xcb_disconnect(c);
    xvfb_stop();
}

struct creator {
    EGLDisplay dpy;
    EGLConfig config;
    xcb_window_t window;
    pthread_barrier_t *barrier;
    EGLSurface surface;
    EGLint error;
};

static void *create_surface(void *data)
{
    struct creator *c = data;

    pthread_barrier_wait(c->barrier);
    c->surface = eglCreateWindowSurface(c->dpy, c->config, c->window, NULL);
    c->error = eglGetError();
    return NULL;
}

/* Threads that create surfaces for a window at the same time: one succeeds. */
static void test_creation_race(void **state)
{
    enum { THREADS = 4 };
    pthread_barrier_t barrier;
    struct creator creators[THREADS];
    pthread_t threads[THREADS];
    xcb_connection_t *c;
    xcb_window_t w;
    EGLDisplay dpy;
    EGLConfig config;

    if (!xvfb_start("24", "GLX"))
        skip();
    c = xcb_connect(NULL, NULL);
    w = map_window(c, xcb_setup_roots_iterator(xcb_get_setup(c)).data, 30, 20);
    free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
    dpy = eglGetPlatformDisplay(EGL_PLATFORM_XCB_EXT, c, NULL);
    assert_true(eglInitialize(dpy, NULL, NULL));
    config = choose(dpy, EGL_WINDOW_BIT);
    assert_int_equal(pthread_barrier_init(&barrier, NULL, THREADS), 0);
    for (unsigned i = 0; i < 20; i++) {
        unsigned made = 0;

        for (unsigned j = 0; j < THREADS; j++) {
            creators[j] = (struct creator){dpy, config, w, &barrier, NULL, 0};
            assert_int_equal(pthread_create(&threads[j], NULL, create_surface, &creators[j]), 0);
        }
        for (unsigned j = 0; j < THREADS; j++) {
            assert_int_equal(pthread_join(threads[j], NULL), 0);
            made += creators[j].surface != NULL;
            assert_int_equal(creators[j].error, creators[j].surface ? EGL_SUCCESS : EGL_BAD_ALLOC);
        }
        assert_int_equal(made, 1);
        for (unsigned j = 0; j < THREADS; j++)
            eglDestroySurface(dpy, creators[j].surface);
    }
    pthread_barrier_destroy(&barrier);
    assert_true(eglTerminate(dpy));
    xcb_disconnect(c);
    xvfb_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_garbage),        cmocka_unit_test(test_terminate_race),
        cmocka_unit_test(test_contexts),       cmocka_unit_test(test_pbuffers),
        cmocka_unit_test(test_device),         cmocka_unit_test(test_default_without_server),
        cmocka_unit_test(test_x11_window),     cmocka_unit_test(test_stale),
        cmocka_unit_test(test_foreign_memory), cmocka_unit_test(test_wrong_displays),
        cmocka_unit_test(test_huge_windows),   cmocka_unit_test(test_native_displays),
        cmocka_unit_test(test_creation_race),  cmocka_unit_test(test_long_lists),
        cmocka_unit_test(test_fork),
    };
    int result;

    if (!mkdtemp(frames))
        return 1;
    snprintf(frame, sizeof frame, "%s/frame-00000.png", frames);
    setenv("INDIUM_FRAMES", frames, 1);
    result = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(frames);
    return result;
}
