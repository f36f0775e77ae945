/* SPDX-License-Identifier: MIT */
/* Windows with more than 8 bits per component, on GBM with the real core: their buffers have the
 * exact values that GL draws. The device is not a DRM device, so buffers are plain memory. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define EGL_EGLEXT_PROTOTYPES
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <gbm.h>

enum { SIDE = 16 };

static int file = -1;
static struct gbm_device *device;
static EGLDisplay dpy;

static int start(void **state)
{
    file = open("/dev/null", O_RDWR | O_CLOEXEC);
    device = gbm_create_device(file);
    dpy = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, device, NULL);
    return !device || !eglInitialize(dpy, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API);
}

static int stop_display(void **state)
{
    eglTerminate(dpy);
    gbm_device_destroy(device);
    return close(file);
}

static EGLConfig config_of(uint32_t format, EGLint samples)
{
    const EGLint attribs[] = {EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_COLOR_COMPONENT_TYPE_EXT,
                              EGL_DONT_CARE,    EGL_SAMPLES,    samples,
                              EGL_NONE};
    EGLConfig configs[256];
    EGLint n, id;

    assert_true(eglChooseConfig(dpy, attribs, configs, 256, &n));
    for (EGLint i = 0; i < n; i++) {
        assert_true(eglGetConfigAttrib(dpy, configs[i], EGL_NATIVE_VISUAL_ID, &id));
        if ((uint32_t)id == format)
            return configs[i];
    }
    return NULL;
}

/* Clears a window to (1, 0.25, 0.5, 0) and compares its pixels. */
static void check_window(uint32_t format, EGLint samples, const void *expected, size_t bytes)
{
    struct gbm_surface *window =
        gbm_surface_create(device, SIDE, SIDE, format, GBM_BO_USE_RENDERING);
    EGLConfig config = config_of(format, samples);
    EGLSurface surface;
    EGLContext ctx;
    struct gbm_bo *bo;
    uint32_t stride;
    void *data = NULL;
    EGLint value;

    assert_non_null(window);
    assert_non_null(config);
    assert_true(eglGetConfigAttrib(dpy, config, EGL_SAMPLES, &value));
    assert_true(value >= samples);
    ctx = eglCreateContext(dpy, config, NULL, NULL);
    surface = eglCreateWindowSurface(dpy, config, (EGLNativeWindowType)window, NULL);
    assert_non_null(surface);
    assert_true(eglMakeCurrent(dpy, surface, surface, ctx));
    for (int frame = 0; frame < 3; frame++) {
        glClearColor(1, 0.25f, 0.5f, 0);
        glClear(GL_COLOR_BUFFER_BIT);
        assert_true(eglSwapBuffers(dpy, surface));
        bo = gbm_surface_lock_front_buffer(window);
        assert_non_null(bo);
        const uint8_t *pixels =
            gbm_bo_map(bo, 0, 0, SIDE, SIDE, GBM_BO_TRANSFER_READ, &stride, &data);
        assert_non_null(pixels);
        for (unsigned y = 0; y < SIDE; y++) {
            for (unsigned x = 0; x < SIDE; x++)
                assert_memory_equal(pixels + y * stride + x * bytes, expected, bytes);
        }
        gbm_bo_unmap(bo, data);
        gbm_surface_release_buffer(window, bo);
    }
    assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
    assert_true(eglDestroySurface(dpy, surface));
    assert_true(eglDestroyContext(dpy, ctx));
    gbm_surface_destroy(window);
}

static void test_half_float(void **state)
{
    static const uint16_t halves[4] = {0x3c00, 0x3400, 0x3800, 0};
    EGLint type = 0;

    check_window(GBM_FORMAT_ABGR16161616F, 0, halves, sizeof halves);
    check_window(GBM_FORMAT_ABGR16161616F, 4, halves, sizeof halves);
    check_window(GBM_FORMAT_ABGR16161616F, 8, halves, sizeof halves);
    check_window(GBM_FORMAT_ABGR16161616F, 16, halves, sizeof halves);
    assert_true(eglGetConfigAttrib(dpy, config_of(GBM_FORMAT_ABGR16161616F, 0),
                                   EGL_COLOR_COMPONENT_TYPE_EXT, &type));
    assert_int_equal(type, EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT);
}

static void test_ten_bits(void **state)
{
    const uint32_t argb = 1023u << 20 | 256u << 10 | 512u, abgr = 1023u | 256u << 10 | 512u << 20;

    check_window(GBM_FORMAT_ARGB2101010, 0, &argb, sizeof argb);
    check_window(GBM_FORMAT_ARGB2101010, 8, &argb, sizeof argb);
    check_window(GBM_FORMAT_ABGR2101010, 4, &abgr, sizeof abgr);
    check_window(GBM_FORMAT_ABGR2101010, 16, &abgr, sizeof abgr);
}

/* Programs that request 8 bits get them, although the sort order prefers deeper colors. */
static void test_default(void **state)
{
    const EGLint attribs[] = {EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_NONE};
    EGLConfig config;
    EGLint n, red;

    assert_true(eglChooseConfig(dpy, attribs, &config, 1, &n));
    assert_int_equal(n, 1);
    assert_true(eglGetConfigAttrib(dpy, config, EGL_RED_SIZE, &red));
    assert_int_equal(red, 8);
}

/* Values outside of [0, 1] are kept by half floats of pbuffers, too. */
static void test_float_pbuffer(void **state)
{
    const EGLint attribs[] = {EGL_SURFACE_TYPE,
                              EGL_PBUFFER_BIT,
                              EGL_COLOR_COMPONENT_TYPE_EXT,
                              EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT,
                              EGL_RED_SIZE,
                              11,
                              EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, SIDE, EGL_HEIGHT, SIDE, EGL_NONE};
    EGLConfig configs[64];
    EGLint n, red;

    assert_true(eglChooseConfig(dpy, attribs, configs, 64, &n));
    for (EGLint i = 0; i < n; i++) {
        EGLSurface surface = eglCreatePbufferSurface(dpy, configs[i], size);
        EGLContext ctx = eglCreateContext(dpy, configs[i], NULL, NULL);
        float p[4];

        assert_non_null(surface);
        assert_true(eglMakeCurrent(dpy, surface, surface, ctx));
        assert_true(eglGetConfigAttrib(dpy, configs[i], EGL_RED_SIZE, &red));
        glClearColor(2.5f, -1, 0.5f, 3);
        glClear(GL_COLOR_BUFFER_BIT);
        glReadPixels(SIDE / 2, SIDE / 2, 1, 1, GL_RGBA, GL_FLOAT, p);
        assert_true(p[0] == 2.5f && p[2] == 0.5f);
        assert_true(p[1] == (red == 11 ? 0 : -1) && p[3] == (red == 11 ? 1 : 3));
        assert_int_equal(glGetError(), GL_NO_ERROR);
        assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
        eglDestroySurface(dpy, surface);
        eglDestroyContext(dpy, ctx);
    }
    assert_true(n >= 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_float),
        cmocka_unit_test(test_ten_bits),
        cmocka_unit_test(test_default),
        cmocka_unit_test(test_float_pbuffer),
    };

    return cmocka_run_group_tests(tests, start, stop_display);
}
