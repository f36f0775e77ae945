/* SPDX-License-Identifier: MIT */
/* libgbm and EGL on GBM, with the fake core: invalid arguments and calls in the wrong order. The
 * device is not a DRM device, so buffers are plain memory. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <gbm.h>

#define assert_errno(call, error)                                                                  \
    do {                                                                                           \
        errno = 0;                                                                                 \
        assert_true((call) == 0);                                                                  \
        assert_int_equal(errno, error);                                                            \
    } while (0)
#define assert_egl(call, error)                                                                    \
    do {                                                                                           \
        assert_true((call) == 0);                                                                  \
        assert_int_equal(eglGetError(), error);                                                    \
    } while (0)

enum { XRGB = GBM_FORMAT_XRGB8888, SIDE = 16 };

static int file = -1;
static struct gbm_device *device;

static int open_device(void **state)
{
    file = open("/dev/null", O_RDWR | O_CLOEXEC);
    device = gbm_create_device(file);
    return !device;
}

static int close_file(void **state)
{
    return close(file);
}

static void test_buffers(void **state)
{
    const uint64_t tiled[] = {1, 2}; /* modifiers of some vendor */
    struct gbm_bo *bo;
    uint32_t stride;
    void *data = NULL;

    assert_errno(gbm_create_device(-1), EINVAL);
    assert_errno(gbm_bo_create(device, SIDE, SIDE, 0x12345678, 0), EINVAL);
    assert_errno(gbm_bo_create(device, SIDE, SIDE, GBM_FORMAT_NV12, 0), EINVAL);
    assert_errno(gbm_bo_create(device, SIDE, SIDE, XRGB, GBM_BO_USE_CURSOR), EINVAL);
    assert_errno(gbm_bo_create(device, 0, SIDE, XRGB, 0), ENOMEM);
    assert_errno(gbm_bo_create(device, SIDE, 65537, XRGB, 0), ENOMEM);
    assert_errno(gbm_bo_create(device, UINT32_MAX, UINT32_MAX, XRGB, 0), ENOMEM);
    assert_errno(gbm_bo_create_with_modifiers(device, SIDE, SIDE, XRGB, tiled, 2), EINVAL);
    bo = gbm_bo_create(device, SIDE, SIDE, XRGB, 0);
    assert_non_null(bo);
    assert_errno(gbm_bo_map(bo, 0, 0, SIDE + 1, 1, 0, &stride, &data), EINVAL);
    assert_errno(gbm_bo_map(bo, 1, UINT32_MAX, 1, 1, 0, &stride, &data), EINVAL);
    assert_errno(gbm_bo_map(bo, UINT32_MAX, 0, 2, 1, 0, &stride, &data), EINVAL);
    assert_errno(gbm_bo_map(bo, 0, 0, 0, 1, 0, &stride, &data), EINVAL);
    assert_int_equal(gbm_bo_write(bo, &data, SIZE_MAX), -1);
    assert_int_equal(gbm_bo_get_fd_for_plane(bo, 1), -1);
    assert_int_equal(gbm_bo_get_handle_for_plane(bo, -1).s64, -1);
    assert_int_equal(gbm_bo_get_stride_for_plane(bo, 7), 0);
    assert_int_equal(gbm_bo_get_offset(bo, 7), 0);
    gbm_bo_destroy(bo);
}

/* Descriptors that are not memory, memory that may shrink, and images that don't fit. */
static void test_imports(void **state)
{
    int loose = memfd_create("loose", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int firm = memfd_create("firm", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    struct gbm_import_fd_data d = {firm, SIDE, SIDE, SIDE * 4, XRGB};
    struct gbm_import_fd_modifier_data more = {.width = SIDE, .height = SIDE, .format = XRGB};
    const int foreign[] = {-1, 9999, file, loose};
    const struct gbm_import_fd_data beyond[] = {
        {firm, SIDE, SIDE + 1, SIDE * 4, XRGB},
        {firm, SIDE + 1, SIDE, SIDE * 4, XRGB},
        {firm, 0, SIDE, SIDE * 4, XRGB},
        {firm, UINT32_MAX, 1, SIDE * 4, XRGB},
        {firm, 65535, 65535, 65535 * 4, XRGB},
        {firm, SIDE, SIDE, UINT32_MAX, XRGB},
        {firm, SIDE, SIDE, SIDE * 4, 0x12345678},
        {firm, SIDE, SIDE, 0, XRGB},
        {firm, SIDE, SIDE, SIDE * 4, GBM_FORMAT_NV12}, /* one plane instead of two */
    };
    struct gbm_bo *bo;

    assert_int_equal(ftruncate(loose, SIDE * SIDE * 4), 0);
    assert_int_equal(ftruncate(firm, SIDE * SIDE * 4), 0);
    assert_int_equal(fcntl(firm, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    bo = gbm_bo_import(device, GBM_BO_IMPORT_FD, &d, 0);
    assert_non_null(bo);
    gbm_bo_destroy(bo);
    for (unsigned i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        d.fd = foreign[i];
        assert_errno(gbm_bo_import(device, GBM_BO_IMPORT_FD, &d, 0), EINVAL);
    }
    for (unsigned i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        d = beyond[i];
        assert_errno(gbm_bo_import(device, GBM_BO_IMPORT_FD, &d, 0), EINVAL);
    }
    assert_errno(gbm_bo_import(device, GBM_BO_IMPORT_FD_MODIFIER, &more, 0),
                 EINVAL); /* no planes */
    more.num_fds = 4000;
    more.modifier = 1;
    assert_errno(gbm_bo_import(device, GBM_BO_IMPORT_FD_MODIFIER, &more, 0), EINVAL);
    assert_errno(gbm_bo_import(device, GBM_BO_IMPORT_WL_BUFFER, NULL, 0), ENOSYS);
    assert_errno(gbm_bo_import(device, 77, NULL, 0), ENOSYS);
    close(loose);
    close(firm);
}

static void count_destroyed(struct gbm_bo *bo, void *data)
{
    ++*(unsigned *)data;
}

/* Destroys everything below an EGL surface, which is then used. */
static void test_order(void **state)
{
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_ALPHA_SIZE, 0, EGL_NONE};
    const EGLint es2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    const EGLint floats[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_COLOR_COMPONENT_TYPE_EXT,
                             EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT, EGL_NONE};
    struct gbm_surface *window = gbm_surface_create(device, SIDE, SIDE, XRGB, 0), *other;
    EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, device, NULL);
    EGLConfig configs[256], config = NULL;
    EGLint n, value = 0;
    EGLSurface s;
    EGLContext ctx;
    struct gbm_bo *bo;
    unsigned destroyed = 0;

    assert_errno(gbm_surface_create(device, 0, SIDE, XRGB, 0), EINVAL);
    assert_errno(gbm_surface_create(device, SIDE, 65537, XRGB, 0), EINVAL);
    assert_errno(gbm_surface_create(device, SIDE, SIDE, 0x12345678, 0), EINVAL);
    assert_errno(gbm_surface_lock_front_buffer(window), EBUSY); /* nothing was drawn */
    assert_true(eglInitialize(dpy, NULL, NULL));
    assert_true(eglChooseConfig(dpy, want, configs, 256, &n));
    for (EGLint i = 0; i < n && value != XRGB; i++) {
        config = configs[i];
        eglGetConfigAttrib(dpy, config, EGL_NATIVE_VISUAL_ID, &value);
    }
    assert_int_equal(value, XRGB);
    assert_egl(eglCreateWindowSurface(dpy, config, 0, NULL), EGL_BAD_NATIVE_WINDOW);
    assert_egl(eglCreateWindowSurface(dpy, config, (EGLNativeWindowType)0x400001, NULL),
               EGL_BAD_NATIVE_WINDOW); /* a window of X */
    assert_egl(eglCreatePlatformPixmapSurface(dpy, config, window, NULL), EGL_BAD_PARAMETER);
    other = gbm_surface_create(device, SIDE, SIDE, GBM_FORMAT_ARGB8888, 0);
    assert_egl(eglCreatePlatformWindowSurface(dpy, config, other, NULL), EGL_BAD_MATCH);
    gbm_surface_destroy(other);
    /* configs for pbuffers only, of which one has the surface's format */
    other = gbm_surface_create(device, SIDE, SIDE, GBM_FORMAT_ABGR16161616F, 0);
    assert_non_null(other);
    assert_true(eglChooseConfig(dpy, floats, configs, 256, &n));
    for (EGLint i = 0; i < n; i++) {
        eglGetConfigAttrib(dpy, configs[i], EGL_SURFACE_TYPE, &value);
        if (!(value & EGL_WINDOW_BIT))
            assert_egl(eglCreatePlatformWindowSurface(dpy, configs[i], other, NULL), EGL_BAD_MATCH);
    }
    gbm_surface_destroy(other);
    s = eglCreatePlatformWindowSurface(dpy, config, window, NULL);
    ctx = eglCreateContext(dpy, config, EGL_NO_CONTEXT, es2);
    assert_true(eglMakeCurrent(dpy, s, s, ctx));
    assert_true(eglSwapBuffers(dpy, s));
    bo = gbm_surface_lock_front_buffer(window);
    assert_non_null(bo);
    assert_errno(gbm_surface_lock_front_buffer(window), EBUSY);
    gbm_bo_set_user_data(bo, &destroyed, count_destroyed);
    gbm_surface_release_buffer(window, NULL);
    gbm_device_destroy(device);
    assert_true(eglSwapBuffers(dpy, s)); /* creates a new buffer */
    gbm_surface_destroy(window);
    assert_int_equal(destroyed, 1);
    for (int i = 0; i < 3; i++)
        assert_egl(eglSwapBuffers(dpy, s), EGL_BAD_NATIVE_WINDOW);
    assert_true(eglDestroySurface(dpy, s));
    assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
    assert_true(eglTerminate(dpy));
}

/* A GBM device is not accepted by other platforms, nor their displays by GBM. */
static void test_platforms(void **state)
{
    static const EGLenum others[] = {EGL_PLATFORM_X11_KHR, EGL_PLATFORM_XCB_EXT,
                                     EGL_PLATFORM_WAYLAND_KHR};
    static void *const junk[] = {(void *)8, &file};

    for (unsigned i = 0; i < 3; i++) {
        assert_egl(eglInitialize(eglGetPlatformDisplay(others[i], device, NULL), NULL, NULL),
                   EGL_NOT_INITIALIZED);
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_egl(
            eglInitialize(eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, junk[i], NULL), NULL, NULL),
            EGL_NOT_INITIALIZED);
    }
    gbm_device_destroy(device);
}

/* The default display exists if a device does. */
static void test_default(void **state)
{
    const bool present = access("/dev/dri/card0", R_OK | W_OK) == 0;
    EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, EGL_DEFAULT_DISPLAY, NULL);

    assert_non_null(dpy);
    assert_int_equal(eglInitialize(dpy, NULL, NULL), present);
    assert_int_equal(eglGetError(), present ? EGL_SUCCESS : EGL_NOT_INITIALIZED);
    for (unsigned i = 0; i < 2; i++) {
        setenv("EGL_PLATFORM", i ? "drm" : "gbm", 1);
        assert_ptr_equal(eglGetDisplay(EGL_DEFAULT_DISPLAY), dpy);
    }
    unsetenv("EGL_PLATFORM");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_buffers, open_device, close_file),
        cmocka_unit_test_setup_teardown(test_imports, open_device, close_file),
        cmocka_unit_test_setup_teardown(test_order, open_device, close_file),
        cmocka_unit_test_setup_teardown(test_platforms, open_device, close_file),
        cmocka_unit_test(test_default),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
