/* SPDX-License-Identifier: MIT */
/* Requests on the state of buffers: tiling, caching, domains, use by batches. */
#include <errno.h>
#include <libdrm/i915_drm.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_requests.h"
#include "util/macros.h"

/* Row lengths that fence registers can hold, in bytes. */
enum { MAX_STRIDE_GEN7 = 0x800 * 128, MAX_STRIDE_GEN4 = 0x400 * 128 };

static bool is_tiling_valid(uint32_t tiling, uint32_t stride)
{
    uint32_t width = tiling == I915_TILING_Y ? 128 : 512;

    if (stride > (gpu_get_chip()->ver >= 7 ? MAX_STRIDE_GEN7 : MAX_STRIDE_GEN4))
        return false;
    return stride && stride % width == 0;
}

int gpu_gem_set_tiling(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_set_tiling *args = data;
    struct gpu_bo *bo = gpu_bo_get(file, args->handle);

    if (!bo)
        return -ENOENT;
    if (bo->fd < 0)
        return -ENXIO;
    if (args->tiling_mode > I915_TILING_LAST)
        return -EINVAL;
    if (args->tiling_mode != I915_TILING_NONE && !is_tiling_valid(args->tiling_mode, args->stride))
        return -EINVAL;
    if (args->tiling_mode == I915_TILING_NONE)
        args->stride = 0;
    args->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    bo->tiling = args->tiling_mode;
    bo->stride = args->stride;
    return 0;
}

int gpu_gem_get_tiling(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_get_tiling *args = data;
    struct gpu_bo *bo = gpu_bo_get(file, args->handle);

    if (!bo)
        return -ENOENT;
    args->tiling_mode = bo->tiling;
    args->swizzle_mode = args->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

int gpu_gem_set_caching(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_caching *args = data;
    struct gpu_bo *bo;

    if (args->caching > I915_CACHING_DISPLAY)
        return -EINVAL;
    if (args->caching == I915_CACHING_CACHED && !gpu_get_chip()->has_llc && gpu_get_chip()->ver < 6)
        return -ENODEV; /* without snooping */
    bo = gpu_bo_get(file, args->handle);
    if (!bo)
        return -ENOENT;
    if (bo->fd < 0)
        return args->caching == I915_CACHING_CACHED ? 0 : -ENXIO;
    bo->caching = args->caching;
    return 0;
}

int gpu_gem_get_caching(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_caching *args = data;
    struct gpu_bo *bo = gpu_bo_get(file, args->handle);

    if (!bo)
        return -ENOENT;
    args->caching = bo->caching;
    return 0;
}

int gpu_gem_set_domain(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_set_domain *args = data;
    const uint32_t known = I915_GEM_DOMAIN_CPU | I915_GEM_DOMAIN_GTT | I915_GEM_DOMAIN_WC;
    struct gpu_bo *bo;

    if ((args->write_domain | args->read_domains) & ~known)
        return -EINVAL;
    if (args->write_domain && args->read_domains != args->write_domain)
        return -EINVAL;
    if (!args->read_domains)
        return 0;
    bo = gpu_bo_get(file, args->handle);
    if (!bo)
        return -ENOENT;
    if (!gpu_bo_is_accessible(bo))
        return -EFAULT;
    gpu_bo_ref(bo);
    gpu_bo_wait(bo, args->write_domain, INT64_MAX);
    gpu_bo_unref(bo);
    return 0;
}

int gpu_gem_sw_finish(struct gpu_file *file, void *data)
{
    return gpu_bo_get(file, ((struct drm_i915_gem_sw_finish *)data)->handle) ? 0 : -ENOENT;
}

int gpu_gem_madvise(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_madvise *args = data;
    struct gpu_bo *bo;

    if (args->madv != I915_MADV_WILLNEED && args->madv != I915_MADV_DONTNEED)
        return -EINVAL;
    bo = gpu_bo_get(file, args->handle);
    if (!bo)
        return -ENOENT;
    bo->dont_need = args->madv == I915_MADV_DONTNEED;
    args->retained = 1;
    return 0;
}

int gpu_gem_busy(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_busy *args = data;
    struct gpu_bo *bo = gpu_bo_get(file, args->handle);

    if (!bo)
        return -ENOENT;
    gpu_bo_update_uses(bo);
    args->busy = 0;
    for (unsigned i = 0; i < bo->use_count; i++) {
        unsigned engine_class = gpu_engine_class(bo->uses[i].engine);

        args->busy |= 0x10000u << engine_class;
        if (bo->uses[i].writes)
            args->busy = (args->busy & 0xffff0000u) | (engine_class + 1);
    }
    return 0;
}

int gpu_gem_wait(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_wait *args = data;
    int64_t start = gpu_now();
    struct gpu_bo *bo;
    bool done;

    if (args->flags)
        return -EINVAL;
    bo = gpu_bo_get(file, args->bo_handle);
    if (!bo)
        return -ENOENT;
    gpu_bo_ref(bo);
    done = gpu_bo_wait(bo, true, gpu_deadline(args->timeout_ns));
    gpu_bo_unref(bo);
    if (args->timeout_ns > 0)
        args->timeout_ns = MAX2(args->timeout_ns - (gpu_now() - start), 0);
    return done ? 0 : -ETIME;
}
