/* SPDX-License-Identifier: MIT */
/* The backend of Mesa's libgbm, called as Mesa's libgbm does. The device is not a DRM device, so
 * buffers are plain memory. The test `loaders` draws through Mesa's libgbm. */
#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "target/libgbm/gbm_backend.h"

#if __has_include(<gbm_backend_abi.h>)
#include <gbm_backend_abi.h>

#define SAME(ours, mine, theirs, other)                                                            \
    _Static_assert(offsetof(struct ours, mine) == offsetof(struct theirs, other) &&                \
                       sizeof((struct ours){0}.mine) == sizeof((struct theirs){0}.other),          \
                   #ours "." #mine)
#define DEVICE(field) SAME(backend_device, field, gbm_device, v0.field)
SAME(backend_device, maker, gbm_device, dummy);
SAME(backend_device, description, gbm_device, v0.backend_desc);
SAME(backend_device, version, gbm_device, v0.backend_version);
DEVICE(fd);
DEVICE(name);
DEVICE(destroy);
DEVICE(is_format_supported);
DEVICE(get_format_modifier_plane_count);
DEVICE(bo_create);
DEVICE(bo_import);
DEVICE(bo_map);
DEVICE(bo_unmap);
DEVICE(bo_write);
DEVICE(bo_get_fd);
DEVICE(bo_get_planes);
DEVICE(bo_get_handle);
DEVICE(bo_get_plane_fd);
DEVICE(bo_get_stride);
DEVICE(bo_get_offset);
DEVICE(bo_get_modifier);
DEVICE(bo_destroy);
DEVICE(surface_create);
DEVICE(surface_lock_front_buffer);
DEVICE(surface_release_buffer);
DEVICE(surface_has_free_buffers);
DEVICE(surface_destroy);
SAME(backend_bo, device, gbm_bo, gbm);
SAME(backend_bo, width, gbm_bo, v0.width);
SAME(backend_bo, height, gbm_bo, v0.height);
SAME(backend_bo, stride, gbm_bo, v0.stride);
SAME(backend_bo, format, gbm_bo, v0.format);
SAME(backend_bo, handle, gbm_bo, v0.handle);
SAME(backend_bo, user_data, gbm_bo, v0.user_data);
SAME(backend_bo, destroy_user_data, gbm_bo, v0.destroy_user_data);
SAME(backend_surface, device, gbm_surface, gbm);
SAME(backend_surface, width, gbm_surface, v0.width);
SAME(backend_surface, height, gbm_surface, v0.height);
SAME(backend_surface, format, gbm_surface, v0.format);
SAME(backend_surface, flags, gbm_surface, v0.flags);
SAME(backend_surface, modifiers, gbm_surface, v0.modifiers);
SAME(backend_surface, count, gbm_surface, v0.count);
SAME(backend, version, gbm_backend, v0.backend_version);
SAME(backend, name, gbm_backend, v0.backend_name);
SAME(backend, create_device, gbm_backend, v0.create_device);
#endif

/* Of libEGL's interface (gbm_private.h), which needs headers of winsys. */
struct interface {
    unsigned version;
    void (*surface_size)(const void *surface, uint32_t *width, uint32_t *height, uint32_t *format);
    void (*surface_ref)(void *surface);
    void (*surface_unref)(void *surface);
    void *(*surface_next)(void *surface, uint32_t *stride);
    void (*surface_show)(void *surface);
};

enum { XRGB = GBM_FORMAT_XRGB8888, SIDE = 16 };

static const struct interface *egl;
static struct backend_device *device;

static int open_device(void **state)
{
    void *library = dlopen(BACKEND, RTLD_NOW);
    const struct backend *(*get_backend)(const void *) =
        library ? dlsym(library, "gbmint_get_backend") : NULL;
    const struct backend *backend = get_backend ? get_backend(NULL) : NULL;

    if (!backend || backend->version != 0 || strcmp(backend->name, "indium") != 0)
        return 1;
    egl = dlsym(library, "indium_gbm_backend_interface");
    device = backend->create_device(open("/dev/null", O_RDWR | O_CLOEXEC), 0);
    return !egl || !device;
}

static int close_device(void **state)
{
    int fd = device->fd;

    device->destroy(device);
    return close(fd);
}

static void count_destroyed(struct backend_bo *bo, void *data)
{
    ++*(unsigned *)data;
}

static void test_buffers(void **state)
{
    const uint64_t tiled = 1, linear = 0;
    uint32_t stride = 0;
    unsigned destroyed = 0;
    void *data = NULL;

    assert_string_equal(device->name, "indium");
    assert_true(device->is_format_supported(device, XRGB, GBM_BO_USE_SCANOUT));
    assert_int_equal(device->get_format_modifier_plane_count(device, GBM_FORMAT_NV12, 0), 2);
    assert_null(device->bo_create(device, SIDE, SIDE, 0x12345678, 0, NULL, 0));
    assert_null(device->bo_create(device, SIDE, SIDE, XRGB, 0, &tiled, 1));
    struct backend_bo *bo = device->bo_create(device, SIDE, SIDE + 1, XRGB, 0, &linear, 1);
    assert_non_null(bo);
    assert_ptr_equal(bo->device, device);
    assert_int_equal(bo->width, SIDE);
    assert_int_equal(bo->height, SIDE + 1);
    assert_int_equal(bo->format, XRGB);
    assert_in_range(bo->stride, SIDE * 4, SIDE * 4 + 4096);
    assert_int_equal(device->bo_get_stride(bo, 0), bo->stride);
    assert_int_equal(device->bo_get_offset(bo, 0), 0);
    assert_int_equal(device->bo_get_planes(bo), 1);
    assert_int_equal(device->bo_get_modifier(bo), 0);
    uint32_t *texels =
        device->bo_map(bo, 0, 0, SIDE, 1, GBM_BO_TRANSFER_READ_WRITE, &stride, &data);
    assert_non_null(texels);
    assert_int_equal(stride, bo->stride);
    device->bo_unmap(bo, data);
    assert_int_equal(device->bo_write(bo, &(uint32_t){0x123456}, 4), 0);
    assert_int_equal(texels[0], 0x123456);
    bo->user_data = &destroyed;
    bo->destroy_user_data = count_destroyed;
    device->bo_destroy(bo);
    assert_int_equal(destroyed, 0); /* Mesa's libgbm calls it */
}

static void test_surfaces(void **state)
{
    uint32_t width, height, format, stride = 0;
    unsigned destroyed = 0;

    assert_null(device->surface_create(device, 0, SIDE, XRGB, 0, NULL, 0));
    struct backend_surface *s = device->surface_create(device, SIDE, SIDE, XRGB, 0, NULL, 0);
    assert_non_null(s);
    assert_null(device->surface_lock_front_buffer(s)); /* nothing was drawn */
    egl->surface_ref(s);
    egl->surface_size(s, &width, &height, &format);
    assert_int_equal(width, SIDE);
    assert_int_equal(height, SIDE);
    assert_int_equal(format, XRGB);

    struct backend_bo *shown[3];
    for (unsigned i = 0; i < 3; i++) {
        assert_true(device->surface_has_free_buffers(s));
        assert_non_null(egl->surface_next(s, &stride));
        egl->surface_show(s);
        shown[i] = device->surface_lock_front_buffer(s);
        assert_non_null(shown[i]);
        assert_int_equal(shown[i]->stride, stride);
    }
    assert_ptr_not_equal(shown[0], shown[1]);
    shown[0]->user_data = &destroyed;
    shown[0]->destroy_user_data = count_destroyed;
    device->surface_release_buffer(s, shown[0]);
    assert_non_null(egl->surface_next(s, &stride));
    egl->surface_show(s);
    assert_ptr_equal(device->surface_lock_front_buffer(s), shown[0]);
    device->surface_destroy(s); /* libEGL still refers to it */
    assert_int_equal(destroyed, 1);
    assert_null(egl->surface_next(s, &stride));
    egl->surface_unref(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_surfaces),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
