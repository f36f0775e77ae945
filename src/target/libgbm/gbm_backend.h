/* SPDX-License-Identifier: MIT */
/*
 * Interface between Mesa's libgbm.so.1 and backends, version 0, which later versions only extend.
 * Mesa 26.2 installs it as gbm_backend_abi.h, and test_gbm_backend.c compares the two.
 *
 * gbm.h's types gbm_device, gbm_bo and gbm_surface are those of our libgbm here. The structs below
 * are what programs get from Mesa's. Each function pointer implements a function of gbm.h, with the
 * same units, ownership and errors. Its name is that of the pointer after gbm_, with these
 * exceptions: destroy, is_format_supported and get_format_modifier_plane_count implement
 * gbm_device_*; bo_create and surface_create implement gbm_*_create_with_modifiers2; bo_get_handle
 * and bo_get_stride implement gbm_bo_get_*_for_plane; bo_get_plane_fd implements
 * gbm_bo_get_fd_for_plane; bo_get_planes implements gbm_bo_get_plane_count.
 */
#ifndef GBM_BACKEND_H
#define GBM_BACKEND_H

#include <gbm.h>
#include <stddef.h>
#include <stdint.h>

struct backend_device;

/* A buffer. The backend sets device, width, height, stride, format and handle; Mesa's libgbm only
 * reads them. Mesa's libgbm sets user_data and destroy_user_data. It calls destroy_user_data before
 * bo_destroy. For a buffer of a surface, the backend calls destroy_user_data when the buffer is
 * destroyed. Width and height are in pixels, stride is in bytes, and format is GBM_FORMAT_*. */
struct backend_bo {
    struct backend_device *device;
    uint32_t width, height, stride, format;
    union gbm_bo_handle handle;
    void *user_data;
    void (*destroy_user_data)(struct backend_bo *bo, void *user_data);
};

/* A surface. Width and height are in pixels, format is GBM_FORMAT_*, flags are GBM_BO_USE_*. The
 * backend leaves modifiers NULL and count 0. */
struct backend_surface {
    struct backend_device *device;
    uint32_t width, height, format, flags;
    uint64_t *modifiers;
    unsigned count;
};

/* A device. create_device allocates it, `destroy` frees it. */
struct backend_device {
    struct gbm_device *(*maker)(int); /* set by Mesa's libgbm to its gbm_create_device */
    const void *description;          /* set and used by Mesa's libgbm; opaque */
    uint32_t version;                 /* second argument of create_device */
    int fd;                           /* DRM device, which the program owns */
    const char *name;
    void (*destroy)(struct backend_device *device);
    int (*is_format_supported)(struct backend_device *device, uint32_t format, uint32_t usage);
    int (*get_format_modifier_plane_count)(struct backend_device *device, uint32_t format,
                                           uint64_t modifier);
    struct backend_bo *(*bo_create)(struct backend_device *device, uint32_t width, uint32_t height,
                                    uint32_t format, uint32_t usage, const uint64_t *modifiers,
                                    const unsigned count);
    struct backend_bo *(*bo_import)(struct backend_device *device, uint32_t type, void *buffer,
                                    uint32_t usage);
    void *(*bo_map)(struct backend_bo *bo, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                    uint32_t flags, uint32_t *stride, void **map_data);
    void (*bo_unmap)(struct backend_bo *bo, void *map_data);
    int (*bo_write)(struct backend_bo *bo, const void *data, size_t count);
    int (*bo_get_fd)(struct backend_bo *bo);
    int (*bo_get_planes)(struct backend_bo *bo);
    union gbm_bo_handle (*bo_get_handle)(struct backend_bo *bo, int plane);
    int (*bo_get_plane_fd)(struct backend_bo *bo, int plane);
    uint32_t (*bo_get_stride)(struct backend_bo *bo, int plane);
    uint32_t (*bo_get_offset)(struct backend_bo *bo, int plane);
    uint64_t (*bo_get_modifier)(struct backend_bo *bo);
    void (*bo_destroy)(struct backend_bo *bo);
    struct backend_surface *(*surface_create)(struct backend_device *device, uint32_t width,
                                              uint32_t height, uint32_t format, uint32_t flags,
                                              const uint64_t *modifiers, const unsigned count);
    struct backend_bo *(*surface_lock_front_buffer)(struct backend_surface *surface);
    void (*surface_release_buffer)(struct backend_surface *surface, struct backend_bo *bo);
    int (*surface_has_free_buffers)(struct backend_surface *surface);
    void (*surface_destroy)(struct backend_surface *surface);
};

/* The backend. create_device returns a new device for the DRM device fd, or NULL on failure. The
 * program owns fd, and must keep it open until the device is destroyed. `version` is stored in
 * backend_device.version. */
struct backend {
    uint32_t version; /* 0 */
    const char *name;
    struct backend_device *(*create_device)(int fd, uint32_t version);
};

/* Returns the backend, which is static. core: functions of Mesa's libgbm; not used. */
const struct backend *gbmint_get_backend(const void *core);

#endif
