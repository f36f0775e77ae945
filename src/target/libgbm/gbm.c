/* SPDX-License-Identifier: MIT */
/*
 * libgbm.so.1, as declared in gbm.h. Buffers are linear: dumb buffers of the device, memfds if it
 * cannot create them, or imported.
 * A surface has up to MOST_BUFFERS buffers, which libEGL draws to in rotation.
 */
#include "target/libgbm/gbm_private.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "target/common/tgt_memory.h"
#include "util/macros.h"
#include "util/refcount.h"
#include "winsys/linear/ws_drm.h"

struct gbm_device {
    struct gbm_device *(*maker)(int); /* identifies the libgbm to libEGL */
    int fd;
    int refcount; /* held by the program and by surfaces */
};

struct gbm_bo {
    struct gbm_device *device;
    struct tgt_picture picture;
    void *user_data;
    void (*destroy_user_data)(struct gbm_bo *, void *);
};

enum { MOST_BUFFERS = 8 };

struct gbm_surface {
    struct gbm_device *device; /* NULL once the program has destroyed the surface */
    int refcount;
    uint32_t width, height, format;
    pthread_mutex_t lock;
    struct gbm_bo *buffers[MOST_BUFFERS]; /* filled on demand, NULL at the end */
    bool held[MOST_BUFFERS];              /* locked by the program */
    int back, front;                      /* indices into buffers; -1: none */
};

static void *fail(int error)
{
    errno = error;
    return NULL;
}

/* --------------------------------------------------------------------------------- devices --- */

PUBLIC struct gbm_device *gbm_create_device(int fd)
{
    struct gbm_device *device = fd >= 0 ? calloc(1, sizeof *device) : fail(EINVAL);

    if (device) {
        device->maker = gbm_create_device;
        device->fd = fd;
        device->refcount = 1;
    }
    return device;
}

PUBLIC void gbm_device_destroy(struct gbm_device *device)
{
    if (ref_drop(&device->refcount))
        free(device);
}

PUBLIC int gbm_device_get_fd(struct gbm_device *device)
{
    return device->fd;
}

PUBLIC const char *gbm_device_get_backend_name(struct gbm_device *device)
{
    return GBM_BACKEND_NAME;
}

/* Accepts the two legacy GBM_BO_FORMAT numbers, too. */
static const struct tgt_fourcc *find_format(uint32_t format)
{
    const struct tgt_fourcc *f =
        tgt_fourcc_find(format == GBM_BO_FORMAT_XRGB8888   ? DRM_FORMAT_XRGB8888
                        : format == GBM_BO_FORMAT_ARGB8888 ? DRM_FORMAT_ARGB8888
                                                           : format);

    return f && f->format ? f : NULL;
}

PUBLIC int gbm_device_is_format_supported(struct gbm_device *device, uint32_t format,
                                          uint32_t flags)
{
    const struct tgt_fourcc *f = find_format(format);

    return f && !(flags & GBM_BO_USE_PROTECTED) &&
           (!(flags & GBM_BO_USE_CURSOR) || f->code == DRM_FORMAT_ARGB8888);
}

PUBLIC int gbm_device_get_format_modifier_plane_count(struct gbm_device *device, uint32_t format,
                                                      uint64_t modifier)
{
    const struct tgt_fourcc *f = tgt_fourcc_find(format);

    return f && modifier == DRM_FORMAT_MOD_LINEAR ? f->planes : -1;
}

PUBLIC char *gbm_format_get_name(uint32_t format, struct gbm_format_name_desc *desc)
{
    const struct tgt_fourcc *f = find_format(format);
    uint32_t code = f ? f->code : format;

    for (unsigned i = 0; i < 4; i++)
        desc->name[i] = (char)(code >> i * 8);
    desc->name[4] = '\0';
    return desc->name;
}

/* --------------------------------------------------------------------------------- buffers --- */

static struct gbm_bo *alloc_bo(struct gbm_device *device)
{
    struct gbm_bo *bo = calloc(1, sizeof *bo);

    if (bo)
        bo->device = device;
    return bo;
}

PUBLIC struct gbm_bo *gbm_bo_create(struct gbm_device *device, uint32_t width, uint32_t height,
                                    uint32_t format, uint32_t flags)
{
    const struct tgt_fourcc *f = find_format(format);
    struct ws_linear *memory;
    struct gbm_bo *bo;

    if (!gbm_device_is_format_supported(device, format, flags))
        return fail(EINVAL);
    bo = alloc_bo(device);
    memory = bo ? ws_linear_create(device->fd, width, height, tgt_fourcc_bits(f)) : NULL;
    if (!memory) {
        free(bo);
        return fail(ENOMEM);
    }
    bo->picture = (struct tgt_picture){
        .fourcc = f, .width = width, .height = height, .plane = {{memory, memory->stride, 0}}};
    return bo;
}

/* Returns whether the list contains the linear modifier, the only supported one. */
static bool has_linear(const uint64_t *modifiers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (modifiers[i] == DRM_FORMAT_MOD_LINEAR || modifiers[i] == DRM_FORMAT_MOD_INVALID)
            return true;
    }
    return count == 0;
}

PUBLIC struct gbm_bo *gbm_bo_create_with_modifiers2(struct gbm_device *device, uint32_t width,
                                                    uint32_t height, uint32_t format,
                                                    const uint64_t *modifiers, const unsigned count,
                                                    uint32_t flags)
{
    return has_linear(modifiers, count) ? gbm_bo_create(device, width, height, format, flags)
                                        : fail(EINVAL);
}

PUBLIC struct gbm_bo *gbm_bo_create_with_modifiers(struct gbm_device *device, uint32_t width,
                                                   uint32_t height, uint32_t format,
                                                   const uint64_t *modifiers, const unsigned count)
{
    return gbm_bo_create_with_modifiers2(device, width, height, format, modifiers, count, 0);
}

static struct gbm_bo *import(struct gbm_device *device, const struct gbm_import_fd_modifier_data *d)
{
    struct tgt_planes planes = {.count = MIN2(d->num_fds, TGT_MAX_PLANES)};
    struct gbm_bo *bo;

    if (d->modifier != DRM_FORMAT_MOD_LINEAR && d->modifier != DRM_FORMAT_MOD_INVALID)
        return fail(EINVAL);
    for (unsigned i = 0; i < planes.count; i++) {
        planes.fds[i] = d->fds[i];
        planes.strides[i] = d->strides[i];
        planes.offsets[i] = d->offsets[i];
    }
    bo = alloc_bo(device);
    if (!bo)
        return fail(ENOMEM);
    if (tgt_picture_import(&bo->picture, device->fd, d->format, (int)MIN2(d->width, INT32_MAX),
                           (int)MIN2(d->height, INT32_MAX), &planes) == TGT_PICTURE_OK)
        return bo;
    free(bo);
    return fail(EINVAL);
}

/* Buffers of wl_drm and EGL images are not supported because their memory is not accessible. */
PUBLIC struct gbm_bo *gbm_bo_import(struct gbm_device *device, uint32_t type, void *buffer,
                                    uint32_t flags)
{
    const struct gbm_import_fd_data *one = buffer;

    if (type == GBM_BO_IMPORT_FD_MODIFIER)
        return import(device, buffer);
    if (type == GBM_BO_IMPORT_FD)
        return import(device, &(struct gbm_import_fd_modifier_data){
                                  .width = one->width,
                                  .height = one->height,
                                  .format = one->format,
                                  .num_fds = 1,
                                  .fds = {one->fd},
                                  .strides = {(int)one->stride},
                              });
    return fail(ENOSYS);
}

PUBLIC void gbm_bo_destroy(struct gbm_bo *bo)
{
    if (bo->destroy_user_data)
        bo->destroy_user_data(bo, bo->user_data);
    tgt_picture_finish(&bo->picture);
    free(bo);
}

PUBLIC void *gbm_bo_map(struct gbm_bo *bo, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                        uint32_t flags, uint32_t *stride, void **map_data)
{
    const struct tgt_picture *p = &bo->picture;
    const bool write = flags & GBM_BO_TRANSFER_WRITE;

    if (!p->fourcc->format || width == 0 || height == 0 || x > (uint32_t)p->width ||
        width > (uint32_t)p->width - x || y > (uint32_t)p->height ||
        height > (uint32_t)p->height - y)
        return fail(EINVAL);
    ws_linear_begin(p->plane[0].memory, write);
    *map_data = bo; /* programs take non-NULL as success */
    *stride = p->plane[0].stride;
    return p->plane[0].memory->map + p->plane[0].offset + (size_t)y * p->plane[0].stride +
           (size_t)x * tgt_fourcc_bits(p->fourcc) / 8;
}

PUBLIC void gbm_bo_unmap(struct gbm_bo *bo, void *map_data)
{
    ws_linear_end(bo->picture.plane[0].memory, true);
}

PUBLIC int gbm_bo_write(struct gbm_bo *bo, const void *data, size_t count)
{
    const struct tgt_picture *p = &bo->picture;

    if (count > p->plane[0].memory->size - p->plane[0].offset) {
        errno = EINVAL;
        return -1;
    }
    ws_linear_begin(p->plane[0].memory, true);
    memcpy(p->plane[0].memory->map + p->plane[0].offset, data, count);
    ws_linear_end(p->plane[0].memory, true);
    return 0;
}

/* --------------------------------------------------------------------------- what they are --- */

PUBLIC uint32_t gbm_bo_get_width(struct gbm_bo *bo)
{
    return (uint32_t)bo->picture.width;
}

PUBLIC uint32_t gbm_bo_get_height(struct gbm_bo *bo)
{
    return (uint32_t)bo->picture.height;
}

static bool plane_ok(const struct gbm_bo *bo, int plane)
{
    if (plane >= 0 && plane < bo->picture.fourcc->planes)
        return true;
    errno = EINVAL;
    return false;
}

PUBLIC uint32_t gbm_bo_get_stride_for_plane(struct gbm_bo *bo, int plane)
{
    return plane_ok(bo, plane) ? bo->picture.plane[plane].stride : 0;
}

PUBLIC uint32_t gbm_bo_get_stride(struct gbm_bo *bo)
{
    return gbm_bo_get_stride_for_plane(bo, 0);
}

PUBLIC uint32_t gbm_bo_get_offset(struct gbm_bo *bo, int plane)
{
    return plane_ok(bo, plane) ? bo->picture.plane[plane].offset : 0;
}

PUBLIC uint32_t gbm_bo_get_format(struct gbm_bo *bo)
{
    return bo->picture.fourcc->code;
}

PUBLIC uint32_t gbm_bo_get_bpp(struct gbm_bo *bo)
{
    return bo->picture.fourcc->format ? tgt_fourcc_bits(bo->picture.fourcc) : 0;
}

PUBLIC struct gbm_device *gbm_bo_get_device(struct gbm_bo *bo)
{
    return bo->device;
}

PUBLIC union gbm_bo_handle gbm_bo_get_handle_for_plane(struct gbm_bo *bo, int plane)
{
    return (union gbm_bo_handle){
        .s64 =
            plane_ok(bo, plane) ? (int64_t)ws_linear_handle(bo->picture.plane[plane].memory) : -1};
}

PUBLIC union gbm_bo_handle gbm_bo_get_handle(struct gbm_bo *bo)
{
    return gbm_bo_get_handle_for_plane(bo, 0);
}

PUBLIC int gbm_bo_get_fd_for_plane(struct gbm_bo *bo, int plane)
{
    return plane_ok(bo, plane) ? ws_linear_export(bo->picture.plane[plane].memory) : -1;
}

PUBLIC int gbm_bo_get_fd(struct gbm_bo *bo)
{
    return gbm_bo_get_fd_for_plane(bo, 0);
}

PUBLIC uint64_t gbm_bo_get_modifier(struct gbm_bo *bo)
{
    return DRM_FORMAT_MOD_LINEAR;
}

PUBLIC int gbm_bo_get_plane_count(struct gbm_bo *bo)
{
    return bo->picture.fourcc->planes;
}

PUBLIC void gbm_bo_set_user_data(struct gbm_bo *bo, void *data,
                                 void (*destroy)(struct gbm_bo *, void *))
{
    bo->user_data = data;
    bo->destroy_user_data = destroy;
}

PUBLIC void *gbm_bo_get_user_data(struct gbm_bo *bo)
{
    return bo->user_data;
}

/* -------------------------------------------------------------------------------- surfaces --- */

PUBLIC struct gbm_surface *gbm_surface_create(struct gbm_device *device, uint32_t width,
                                              uint32_t height, uint32_t format, uint32_t flags)
{
    struct gbm_surface *s;

    if (!gbm_device_is_format_supported(device, format, flags) || width == 0 || height == 0 ||
        width > 65536 || height > 65536)
        return fail(EINVAL);
    s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct gbm_surface){
        .device = device,
        .refcount = 1,
        .width = width,
        .height = height,
        .format = find_format(format)->code,
        .back = -1,
        .front = -1,
    };
    ref_take(&device->refcount);
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

PUBLIC struct gbm_surface *gbm_surface_create_with_modifiers2(struct gbm_device *device,
                                                              uint32_t width, uint32_t height,
                                                              uint32_t format,
                                                              const uint64_t *modifiers,
                                                              const unsigned count, uint32_t flags)
{
    return has_linear(modifiers, count) ? gbm_surface_create(device, width, height, format, flags)
                                        : fail(EINVAL);
}

PUBLIC struct gbm_surface *
gbm_surface_create_with_modifiers(struct gbm_device *device, uint32_t width, uint32_t height,
                                  uint32_t format, const uint64_t *modifiers, const unsigned count)
{
    return gbm_surface_create_with_modifiers2(device, width, height, format, modifiers, count, 0);
}

static void surface_ref(struct gbm_surface *s)
{
    ref_take(&s->refcount);
}

static void surface_unref(struct gbm_surface *s)
{
    if (!ref_drop(&s->refcount))
        return;
    pthread_mutex_destroy(&s->lock);
    free(s);
}

PUBLIC void gbm_surface_destroy(struct gbm_surface *s)
{
    struct gbm_device *device = s->device;
    struct gbm_bo *buffers[MOST_BUFFERS];

    pthread_mutex_lock(&s->lock);
    memcpy(buffers, s->buffers, sizeof buffers);
    memset(s->buffers, 0, sizeof buffers);
    s->back = s->front = -1;
    s->device = NULL;
    pthread_mutex_unlock(&s->lock);
    for (unsigned i = 0; i < MOST_BUFFERS && buffers[i]; i++)
        gbm_bo_destroy(buffers[i]);
    gbm_device_destroy(device);
    surface_unref(s);
}

/* Returns a buffer that is neither shown nor locked by the program, or -1. */
static int find_free(const struct gbm_surface *s)
{
    for (int i = 0; i < MOST_BUFFERS; i++) {
        if (!s->held[i] && i != s->front)
            return i;
    }
    return -1;
}

PUBLIC int gbm_surface_has_free_buffers(struct gbm_surface *s)
{
    bool some;

    pthread_mutex_lock(&s->lock);
    some = find_free(s) >= 0;
    pthread_mutex_unlock(&s->lock);
    return some;
}

PUBLIC struct gbm_bo *gbm_surface_lock_front_buffer(struct gbm_surface *s)
{
    struct gbm_bo *bo = NULL;

    pthread_mutex_lock(&s->lock);
    if (s->front >= 0 && !s->held[s->front]) {
        bo = s->buffers[s->front];
        s->held[s->front] = true;
    }
    pthread_mutex_unlock(&s->lock);
    return bo ? bo : fail(EBUSY);
}

PUBLIC void gbm_surface_release_buffer(struct gbm_surface *s, struct gbm_bo *bo)
{
    pthread_mutex_lock(&s->lock);
    for (unsigned i = 0; i < MOST_BUFFERS; i++) {
        if (bo && s->buffers[i] == bo)
            s->held[i] = false;
    }
    pthread_mutex_unlock(&s->lock);
}

/* ------------------------------------------------------------------------------ for libEGL --- */

static void surface_size(const struct gbm_surface *s, uint32_t *width, uint32_t *height,
                         uint32_t *format)
{
    *width = s->width;
    *height = s->height;
    *format = s->format;
}

static struct ws_linear *surface_next(struct gbm_surface *s, uint32_t *stride)
{
    const struct gbm_bo *bo = NULL;

    pthread_mutex_lock(&s->lock);
    if (s->back < 0 && s->device)
        s->back = find_free(s);
    if (s->back >= 0) {
        if (!s->buffers[s->back])
            s->buffers[s->back] = gbm_bo_create(s->device, s->width, s->height, s->format, 0);
        bo = s->buffers[s->back];
        if (!bo)
            s->back = -1;
    }
    pthread_mutex_unlock(&s->lock);
    if (bo)
        *stride = bo->picture.plane[0].stride;
    return bo ? bo->picture.plane[0].memory : NULL;
}

static void surface_show(struct gbm_surface *s)
{
    pthread_mutex_lock(&s->lock);
    s->front = s->back;
    s->back = -1;
    pthread_mutex_unlock(&s->lock);
}

PUBLIC const struct gbm_interface indium_gbm_interface = {
    .version = GBM_INTERFACE_VERSION,
    .surface_size = surface_size,
    .surface_ref = surface_ref,
    .surface_unref = surface_unref,
    .surface_next = surface_next,
    .surface_show = surface_show,
};
