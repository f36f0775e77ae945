/* SPDX-License-Identifier: MIT */
/* Requests of the DRM core, and dumb buffers. */
#include <errno.h>
#include <libdrm/drm.h>
#include <string.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_requests.h"
#include "gpu/gpu_user.h"
#include "util/macros.h"

/* Stores as much of a string as fits, without the terminating null, and its full length. */
static int store(uint64_t to, __kernel_size_t *length, const char *text)
{
    size_t size = strlen(text), copied = MIN2(*length, size);

    *length = size;
    return to && copied ? gpu_write_user(to, text, copied) : 0;
}

static int get_version(struct gpu_file *file, void *data)
{
    struct drm_version *args = data;
    bool is_i915 = gpu_get_chip()->ver != 0;
    int error;

    args->version_major = 1;
    args->version_minor = 6;
    args->version_patchlevel = 0;
    error = store((uintptr_t)args->name, &args->name_len, is_i915 ? "i915" : "indium-display");
    if (!error)
        error = store((uintptr_t)args->date, &args->date_len, "20230929");
    if (!error)
        error = store((uintptr_t)args->desc, &args->desc_len,
                      is_i915 ? "Indium's model of Intel Graphics" : "Indium's display");
    return error;
}

static int get_unique(struct gpu_file *file, void *data)
{
    struct drm_unique *args = data;

    return store((uintptr_t)args->unique, &args->unique_len,
                 gpu_get_chip()->ver ? "pci:0000:00:02.0" : "indium");
}

static int set_version(struct gpu_file *file, void *data)
{
    struct drm_set_version *args = data;
    bool is_valid =
        (args->drm_di_major == -1 || (args->drm_di_major == 1 && args->drm_di_minor <= 4)) &&
        (args->drm_dd_major == -1 || (args->drm_dd_major == 1 && args->drm_dd_minor <= 6));

    args->drm_di_major = 1;
    args->drm_di_minor = 4;
    args->drm_dd_major = 1;
    args->drm_dd_minor = 6;
    return is_valid ? 0 : -EINVAL;
}

static int get_cap(struct gpu_file *file, void *data)
{
    struct drm_get_cap *args = data;

    switch (args->capability) {
    case DRM_CAP_DUMB_BUFFER:
    case DRM_CAP_TIMESTAMP_MONOTONIC:
    case DRM_CAP_SYNCOBJ:
    case DRM_CAP_SYNCOBJ_TIMELINE:
    case DRM_CAP_ADDFB2_MODIFIERS:
    case DRM_CAP_CRTC_IN_VBLANK_EVENT:
        args->value = 1;
        return 0;
    case DRM_CAP_PRIME:
        args->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
        return 0;
    case DRM_CAP_DUMB_PREFERRED_DEPTH:
        args->value = 24;
        return 0;
    case DRM_CAP_CURSOR_WIDTH:
    case DRM_CAP_CURSOR_HEIGHT:
        args->value = 64;
        return 0;
    case DRM_CAP_VBLANK_HIGH_CRTC:
    case DRM_CAP_DUMB_PREFER_SHADOW:
    case DRM_CAP_ASYNC_PAGE_FLIP:
    case DRM_CAP_PAGE_FLIP_TARGET:
        args->value = 0;
        return 0;
    default:
        return -EINVAL;
    }
}

static int set_client_cap(struct gpu_file *file, void *data)
{
    const struct drm_set_client_cap *args = data;

    switch (args->capability) {
    case DRM_CLIENT_CAP_STEREO_3D:
    case DRM_CLIENT_CAP_ASPECT_RATIO:
        return args->value <= 1 ? 0 : -EINVAL;
    case DRM_CLIENT_CAP_UNIVERSAL_PLANES:
        if (args->value > 1)
            return -EINVAL;
        file->has_universal_planes = args->value;
        return 0;
    case DRM_CLIENT_CAP_ATOMIC:
        if (args->value > 2)
            return -EINVAL;
        file->is_atomic = file->has_universal_planes = args->value;
        return 0;
    case DRM_CLIENT_CAP_WRITEBACK_CONNECTORS:
        return file->is_atomic && args->value <= 1 ? 0 : -EINVAL; /* there are none */
    default:
        return -EINVAL;
    }
}

static int get_client(struct gpu_file *file, void *data)
{
    struct drm_client *args = data;

    if (args->idx)
        return -EINVAL;
    args->auth = file->is_authenticated;
    args->pid = 0;
    args->uid = 0;
    args->magic = 0;
    args->iocs = 0;
    return 0;
}

static int get_stats(struct gpu_file *file, void *data)
{
    memset(data, 0, sizeof(struct drm_stats));
    return 0;
}

static int dumb_create(struct gpu_file *file, void *data)
{
    struct drm_mode_create_dumb *args = data;
    uint64_t pitch, size;
    int error;

    if (!args->width || !args->height || !args->bpp || args->bpp > 128)
        return -EINVAL;
    pitch = ALIGN_POT((uint64_t)args->width * DIV_ROUND_UP(args->bpp, 8), 64);
    if (pitch > UINT32_MAX)
        return -EINVAL;
    size = pitch * args->height;
    error = gpu_create_handle(file, &size, &args->handle);
    if (error)
        return error;
    args->pitch = (uint32_t)pitch;
    args->size = size;
    return 0;
}

static int dumb_destroy(struct gpu_file *file, void *data)
{
    return gpu_bo_close_handle(file, ((struct drm_mode_destroy_dumb *)data)->handle);
}

#define RENDER GPU_REQUEST_RENDER
#define AUTH   GPU_REQUEST_AUTH
#define MASTER GPU_REQUEST_MASTER
#define DUMB   GPU_REQUEST_DUMB

const struct gpu_request_info gpu_drm_requests[] = {
    {DRM_IOCTL_VERSION, RENDER, get_version},
    {DRM_IOCTL_GET_UNIQUE, 0, get_unique},
    {DRM_IOCTL_GET_MAGIC, 0, gpu_get_magic},
    {DRM_IOCTL_GET_CLIENT, 0, get_client},
    {DRM_IOCTL_GET_STATS, 0, get_stats},
    {DRM_IOCTL_GET_CAP, RENDER, get_cap},
    {DRM_IOCTL_SET_CLIENT_CAP, 0, set_client_cap},
    {DRM_IOCTL_SET_VERSION, MASTER, set_version},
    {DRM_IOCTL_AUTH_MAGIC, MASTER, gpu_auth_magic},
    {DRM_IOCTL_SET_MASTER, 0, gpu_set_master},
    {DRM_IOCTL_DROP_MASTER, 0, gpu_drop_master},
    {DRM_IOCTL_GEM_CLOSE, RENDER, gpu_gem_close},
    {DRM_IOCTL_GEM_FLINK, AUTH, gpu_gem_flink},
    {DRM_IOCTL_GEM_OPEN, AUTH, gpu_gem_open},
    {DRM_IOCTL_PRIME_HANDLE_TO_FD, RENDER, gpu_prime_handle_to_fd},
    {DRM_IOCTL_PRIME_FD_TO_HANDLE, RENDER, gpu_prime_fd_to_handle},
    {DRM_IOCTL_MODE_CREATE_DUMB, DUMB, dumb_create},
    {DRM_IOCTL_MODE_MAP_DUMB, DUMB, gpu_dumb_map},
    {DRM_IOCTL_MODE_DESTROY_DUMB, DUMB, dumb_destroy},
    {DRM_IOCTL_MODE_GETRESOURCES, 0, gpu_mode_getresources},
    {DRM_IOCTL_MODE_SETCRTC, MASTER, gpu_mode_setcrtc},
    {DRM_IOCTL_MODE_GETCRTC, 0, gpu_mode_getcrtc},
    {DRM_IOCTL_MODE_CURSOR, MASTER, gpu_mode_cursor},
    {DRM_IOCTL_MODE_CURSOR2, MASTER, gpu_mode_cursor2},
    {DRM_IOCTL_MODE_SETGAMMA, MASTER, gpu_mode_setgamma},
    {DRM_IOCTL_MODE_GETENCODER, 0, gpu_mode_getencoder},
    {DRM_IOCTL_MODE_GETCONNECTOR, 0, gpu_mode_getconnector},
    {DRM_IOCTL_MODE_GETPLANERESOURCES, 0, gpu_mode_getplaneresources},
    {DRM_IOCTL_MODE_GETPLANE, 0, gpu_mode_getplane},
    {DRM_IOCTL_MODE_SETPLANE, MASTER, gpu_mode_setplane},
    {DRM_IOCTL_MODE_ADDFB, 0, gpu_mode_addfb},
    {DRM_IOCTL_MODE_ADDFB2, 0, gpu_mode_addfb2},
    {DRM_IOCTL_MODE_RMFB, 0, gpu_mode_rmfb},
    {GPU_IOCTL_MODE_CLOSEFB, 0, gpu_mode_closefb},
    {DRM_IOCTL_MODE_GETFB, 0, gpu_mode_getfb},
    {DRM_IOCTL_MODE_GETFB2, 0, gpu_mode_getfb2},
    {DRM_IOCTL_MODE_DIRTYFB, MASTER, gpu_mode_dirtyfb},
    {DRM_IOCTL_MODE_PAGE_FLIP, MASTER, gpu_mode_page_flip},
    {DRM_IOCTL_MODE_GETPROPERTY, 0, gpu_mode_getproperty},
    {DRM_IOCTL_MODE_SETPROPERTY, MASTER, gpu_mode_setproperty},
    {DRM_IOCTL_MODE_GETPROPBLOB, 0, gpu_mode_getpropblob},
    {DRM_IOCTL_MODE_CREATEPROPBLOB, 0, gpu_mode_createpropblob},
    {DRM_IOCTL_MODE_DESTROYPROPBLOB, 0, gpu_mode_destroypropblob},
    {DRM_IOCTL_MODE_OBJ_GETPROPERTIES, 0, gpu_mode_obj_getproperties},
    {DRM_IOCTL_MODE_OBJ_SETPROPERTY, MASTER, gpu_mode_obj_setproperty},
    {DRM_IOCTL_MODE_ATOMIC, MASTER, gpu_mode_atomic},
    {DRM_IOCTL_WAIT_VBLANK, 0, gpu_wait_vblank},
    {DRM_IOCTL_CRTC_GET_SEQUENCE, 0, gpu_crtc_get_sequence},
    {DRM_IOCTL_CRTC_QUEUE_SEQUENCE, 0, gpu_crtc_queue_sequence},
    {DRM_IOCTL_SYNCOBJ_CREATE, RENDER, gpu_syncobj_create},
    {DRM_IOCTL_SYNCOBJ_DESTROY, RENDER, gpu_syncobj_destroy},
    {DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, RENDER, gpu_syncobj_handle_to_fd},
    {DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, RENDER, gpu_syncobj_fd_to_handle},
    {DRM_IOCTL_SYNCOBJ_TRANSFER, RENDER, gpu_syncobj_transfer},
    {DRM_IOCTL_SYNCOBJ_WAIT, RENDER, gpu_syncobj_wait},
    {DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, RENDER, gpu_syncobj_timeline_wait},
    {DRM_IOCTL_SYNCOBJ_RESET, RENDER, gpu_syncobj_reset},
    {DRM_IOCTL_SYNCOBJ_SIGNAL, RENDER, gpu_syncobj_signal},
    {DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, RENDER, gpu_syncobj_timeline_signal},
    {DRM_IOCTL_SYNCOBJ_QUERY, RENDER, gpu_syncobj_query},
    {0},
};
