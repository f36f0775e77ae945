/* SPDX-License-Identifier: MIT */
/*
 * indium_gbm.so, a backend of Mesa's libgbm, which opens it if GBM_BACKEND=indium is set. It
 * contains our libgbm (gbm.c), hidden; the objects that Mesa's libgbm and programs get refer to
 * ours.
 */
#include "target/libgbm/gbm_backend.h"

#include <stdlib.h>

#include "target/libgbm/gbm_private.h"
#include "util/macros.h"
#include "util/refcount.h"

struct device {
    struct backend_device base;
    struct gbm_device *own;
};

struct bo {
    struct backend_bo base;
    struct gbm_bo *own; /* its user data is this struct */
};

struct surface {
    struct backend_surface base;
    struct gbm_surface *own;
    int refcount; /* held by the program and by libEGL */
};

static struct gbm_device *own_device(struct backend_device *device)
{
    return ((struct device *)device)->own;
}

static struct gbm_bo *own_bo(struct backend_bo *bo)
{
    return ((struct bo *)bo)->own;
}

static struct gbm_surface *own_surface(struct backend_surface *surface)
{
    return ((struct surface *)surface)->own;
}

/* --------------------------------------------------------------------------------- buffers --- */

/* Called when our buffer is destroyed. */
static void free_bo(struct gbm_bo *own, void *data)
{
    struct bo *bo = data;

    if (bo->base.destroy_user_data)
        bo->base.destroy_user_data(&bo->base, bo->base.user_data);
    free(bo);
}

/* Returns the struct of our buffer, which is created the first time. NULL if out of memory. */
static struct bo *wrap(struct backend_device *device, struct gbm_bo *own)
{
    struct bo *bo = gbm_bo_get_user_data(own);

    if (bo)
        return bo;
    bo = calloc(1, sizeof *bo);
    if (!bo)
        return NULL;
    bo->own = own;
    bo->base = (struct backend_bo){
        .device = device,
        .width = gbm_bo_get_width(own),
        .height = gbm_bo_get_height(own),
        .stride = gbm_bo_get_stride(own),
        .format = gbm_bo_get_format(own),
        .handle = gbm_bo_get_handle(own),
    };
    gbm_bo_set_user_data(own, bo, free_bo);
    return bo;
}

/* The same for a new buffer, which is destroyed if out of memory. */
static struct backend_bo *wrap_new(struct backend_device *device, struct gbm_bo *own)
{
    struct bo *bo = own ? wrap(device, own) : NULL;

    if (own && !bo)
        gbm_bo_destroy(own);
    return bo ? &bo->base : NULL;
}

static struct backend_bo *bo_create(struct backend_device *device, uint32_t width, uint32_t height,
                                    uint32_t format, uint32_t usage, const uint64_t *modifiers,
                                    const unsigned count)
{
    return wrap_new(device, gbm_bo_create_with_modifiers2(own_device(device), width, height, format,
                                                          modifiers, count, usage));
}

static struct backend_bo *bo_import(struct backend_device *device, uint32_t type, void *buffer,
                                    uint32_t usage)
{
    return wrap_new(device, gbm_bo_import(own_device(device), type, buffer, usage));
}

static void *bo_map(struct backend_bo *bo, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                    uint32_t flags, uint32_t *stride, void **map_data)
{
    return gbm_bo_map(own_bo(bo), x, y, width, height, flags, stride, map_data);
}

static void bo_unmap(struct backend_bo *bo, void *map_data)
{
    gbm_bo_unmap(own_bo(bo), map_data);
}

static int bo_write(struct backend_bo *bo, const void *data, size_t count)
{
    return gbm_bo_write(own_bo(bo), data, count);
}

static int bo_get_fd(struct backend_bo *bo)
{
    return gbm_bo_get_fd(own_bo(bo));
}

static int bo_get_planes(struct backend_bo *bo)
{
    return gbm_bo_get_plane_count(own_bo(bo));
}

static union gbm_bo_handle bo_get_handle(struct backend_bo *bo, int plane)
{
    return gbm_bo_get_handle_for_plane(own_bo(bo), plane);
}

static int bo_get_plane_fd(struct backend_bo *bo, int plane)
{
    return gbm_bo_get_fd_for_plane(own_bo(bo), plane);
}

static uint32_t bo_get_stride(struct backend_bo *bo, int plane)
{
    return gbm_bo_get_stride_for_plane(own_bo(bo), plane);
}

static uint32_t bo_get_offset(struct backend_bo *bo, int plane)
{
    return gbm_bo_get_offset(own_bo(bo), plane);
}

static uint64_t bo_get_modifier(struct backend_bo *bo)
{
    return gbm_bo_get_modifier(own_bo(bo));
}

/* Mesa has called destroy_user_data. */
static void bo_destroy(struct backend_bo *bo)
{
    bo->destroy_user_data = NULL;
    gbm_bo_destroy(own_bo(bo));
}

/* -------------------------------------------------------------------------------- surfaces --- */

static struct backend_surface *surface_create(struct backend_device *device, uint32_t width,
                                              uint32_t height, uint32_t format, uint32_t flags,
                                              const uint64_t *modifiers, const unsigned count)
{
    struct surface *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->own = gbm_surface_create_with_modifiers2(own_device(device), width, height, format,
                                                modifiers, count, flags);
    if (!s->own) {
        free(s);
        return NULL;
    }
    s->refcount = 1;
    s->base = (struct backend_surface){
        .device = device, .width = width, .height = height, .format = format, .flags = flags};
    return &s->base;
}

static struct backend_bo *surface_lock_front_buffer(struct backend_surface *surface)
{
    struct gbm_bo *own = gbm_surface_lock_front_buffer(own_surface(surface));
    struct bo *bo = own ? wrap(surface->device, own) : NULL;

    if (own && !bo)
        gbm_surface_release_buffer(own_surface(surface), own);
    return bo ? &bo->base : NULL;
}

static void surface_release_buffer(struct backend_surface *surface, struct backend_bo *bo)
{
    gbm_surface_release_buffer(own_surface(surface), bo ? own_bo(bo) : NULL);
}

static int surface_has_free_buffers(struct backend_surface *surface)
{
    return gbm_surface_has_free_buffers(own_surface(surface));
}

static void drop(struct surface *s)
{
    if (ref_drop(&s->refcount))
        free(s);
}

static void surface_destroy(struct backend_surface *surface)
{
    gbm_surface_destroy(own_surface(surface));
    drop((struct surface *)surface);
}

/* --------------------------------------------------------------------------------- devices --- */

static void destroy(struct backend_device *device)
{
    gbm_device_destroy(own_device(device));
    free(device);
}

static int is_format_supported(struct backend_device *device, uint32_t format, uint32_t usage)
{
    return gbm_device_is_format_supported(own_device(device), format, usage);
}

static int get_format_modifier_plane_count(struct backend_device *device, uint32_t format,
                                           uint64_t modifier)
{
    return gbm_device_get_format_modifier_plane_count(own_device(device), format, modifier);
}

static struct backend_device *create_device(int fd, uint32_t version)
{
    struct device *device = calloc(1, sizeof *device);

    if (!device)
        return NULL;
    device->own = gbm_create_device(fd);
    if (!device->own) {
        free(device);
        return NULL;
    }
    device->base = (struct backend_device){
        .version = version,
        .fd = fd,
        .name = GBM_BACKEND_NAME,
        .destroy = destroy,
        .is_format_supported = is_format_supported,
        .get_format_modifier_plane_count = get_format_modifier_plane_count,
        .bo_create = bo_create,
        .bo_import = bo_import,
        .bo_map = bo_map,
        .bo_unmap = bo_unmap,
        .bo_write = bo_write,
        .bo_get_fd = bo_get_fd,
        .bo_get_planes = bo_get_planes,
        .bo_get_handle = bo_get_handle,
        .bo_get_plane_fd = bo_get_plane_fd,
        .bo_get_stride = bo_get_stride,
        .bo_get_offset = bo_get_offset,
        .bo_get_modifier = bo_get_modifier,
        .bo_destroy = bo_destroy,
        .surface_create = surface_create,
        .surface_lock_front_buffer = surface_lock_front_buffer,
        .surface_release_buffer = surface_release_buffer,
        .surface_has_free_buffers = surface_has_free_buffers,
        .surface_destroy = surface_destroy,
    };
    return &device->base;
}

PUBLIC const struct backend *gbmint_get_backend(const void *core)
{
    static const struct backend backend = {
        .name = GBM_BACKEND_NAME,
        .create_device = create_device,
    };

    return &backend;
}

/* ------------------------------------------------------------------------------ for libEGL --- */

static struct surface *of_program(struct gbm_surface *s)
{
    return (struct surface *)s;
}

static void surface_size(const struct gbm_surface *s, uint32_t *width, uint32_t *height,
                         uint32_t *format)
{
    indium_gbm_interface.surface_size(((const struct surface *)s)->own, width, height, format);
}

static void surface_ref(struct gbm_surface *s)
{
    indium_gbm_interface.surface_ref(of_program(s)->own);
    ref_take(&of_program(s)->refcount);
}

static void surface_unref(struct gbm_surface *s)
{
    indium_gbm_interface.surface_unref(of_program(s)->own);
    drop(of_program(s));
}

static struct ws_linear *surface_next(struct gbm_surface *s, uint32_t *stride)
{
    return indium_gbm_interface.surface_next(of_program(s)->own, stride);
}

static void surface_show(struct gbm_surface *s)
{
    indium_gbm_interface.surface_show(of_program(s)->own);
}

/* For surfaces that the program got from Mesa's libgbm. */
PUBLIC const struct gbm_interface indium_gbm_backend_interface = {
    .version = GBM_INTERFACE_VERSION,
    .surface_size = surface_size,
    .surface_ref = surface_ref,
    .surface_unref = surface_unref,
    .surface_next = surface_next,
    .surface_show = surface_show,
};
