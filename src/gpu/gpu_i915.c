/* SPDX-License-Identifier: MIT */
/* The table of i915's requests. */
#include <errno.h>
#include <libdrm/i915_drm.h>

#include "gpu/gpu_device.h"
#include "gpu/gpu_requests.h"

/* Does nothing, successfully. */
static int do_nothing(struct gpu_file *file, void *data)
{
    return 0;
}

/* Refuses requests of old interfaces and for hardware that the device lacks. */
static int not_supported(struct gpu_file *file, void *data)
{
    return -ENODEV;
}

#define RENDER GPU_REQUEST_RENDER

const struct gpu_request_info gpu_i915_requests[] = {
    {DRM_IOCTL_I915_GETPARAM, RENDER, gpu_getparam},
    {DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, RENDER, gpu_gem_execbuffer2},
    {DRM_IOCTL_I915_GEM_BUSY, RENDER, gpu_gem_busy},
    {DRM_IOCTL_I915_GEM_SET_CACHING, RENDER, gpu_gem_set_caching},
    {DRM_IOCTL_I915_GEM_GET_CACHING, RENDER, gpu_gem_get_caching},
    {DRM_IOCTL_I915_GEM_THROTTLE, RENDER, do_nothing},
    {DRM_IOCTL_I915_GEM_CREATE, RENDER, gpu_gem_create},
    {DRM_IOCTL_I915_GEM_CREATE_EXT, RENDER, gpu_gem_create_ext},
    {DRM_IOCTL_I915_GEM_PREAD, RENDER, gpu_gem_pread},
    {DRM_IOCTL_I915_GEM_PWRITE, RENDER, gpu_gem_pwrite},
    {DRM_IOCTL_I915_GEM_MMAP, RENDER, gpu_gem_mmap},
    {DRM_IOCTL_I915_GEM_MMAP_OFFSET, RENDER, gpu_gem_mmap_offset},
    {DRM_IOCTL_I915_GEM_SET_DOMAIN, RENDER, gpu_gem_set_domain},
    {DRM_IOCTL_I915_GEM_SW_FINISH, RENDER, gpu_gem_sw_finish},
    {DRM_IOCTL_I915_GEM_SET_TILING, RENDER, gpu_gem_set_tiling},
    {DRM_IOCTL_I915_GEM_GET_TILING, RENDER, gpu_gem_get_tiling},
    {DRM_IOCTL_I915_GEM_GET_APERTURE, RENDER, gpu_gem_get_aperture},
    {DRM_IOCTL_I915_GEM_MADVISE, RENDER, gpu_gem_madvise},
    {DRM_IOCTL_I915_GEM_WAIT, RENDER, gpu_gem_wait},
    {DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, RENDER, gpu_gem_context_create},
    {DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, RENDER, gpu_gem_context_destroy},
    {DRM_IOCTL_I915_REG_READ, RENDER, gpu_reg_read},
    {DRM_IOCTL_I915_GET_RESET_STATS, RENDER, gpu_get_reset_stats},
    {DRM_IOCTL_I915_GEM_USERPTR, RENDER, gpu_gem_userptr},
    {DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, RENDER, gpu_gem_context_getparam},
    {DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, RENDER, gpu_gem_context_setparam},
    {DRM_IOCTL_I915_PERF_OPEN, RENDER, not_supported},
    {DRM_IOCTL_I915_PERF_ADD_CONFIG, RENDER, not_supported},
    {DRM_IOCTL_I915_PERF_REMOVE_CONFIG, RENDER, not_supported},
    {DRM_IOCTL_I915_QUERY, RENDER, gpu_query},
    {DRM_IOCTL_I915_GEM_VM_CREATE, RENDER, gpu_gem_vm_create},
    {DRM_IOCTL_I915_GEM_VM_DESTROY, RENDER, gpu_gem_vm_destroy},
    {DRM_IOCTL_I915_GEM_EXECBUFFER, 0, not_supported},
    {DRM_IOCTL_I915_GEM_PIN, GPU_REQUEST_AUTH | GPU_REQUEST_ROOT, not_supported},
    {DRM_IOCTL_I915_GEM_UNPIN, GPU_REQUEST_AUTH | GPU_REQUEST_ROOT, not_supported},
    {DRM_IOCTL_I915_GET_PIPE_FROM_CRTC_ID, 0, not_supported},
    {DRM_IOCTL_I915_OVERLAY_PUT_IMAGE, GPU_REQUEST_MASTER, not_supported},
    {DRM_IOCTL_I915_OVERLAY_ATTRS, GPU_REQUEST_MASTER, not_supported},
    {DRM_IOCTL_I915_SETPARAM, GPU_REQUEST_AUTH | GPU_REQUEST_MASTER | GPU_REQUEST_ROOT, do_nothing},
    {0},
};
