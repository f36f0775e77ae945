/* SPDX-License-Identifier: MIT */
/* Requests on the memory of buffers: creation, mappings, copies. */
#include <errno.h>
#include <libdrm/i915_drm.h>
#include <limits.h>
#include <string.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_extension.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_requests.h"
#include "gpu/gpu_system.h"
#include "gpu/gpu_user.h"
#include "util/macros.h"

/* Returns whether offset and size are in the buffer. */
static bool is_inside(const struct gpu_bo *bo, uint64_t offset, uint64_t size)
{
    return offset <= bo->size && size <= bo->size - offset;
}

/* ---------------------------------------------------------------------------- creation --- */

int gpu_create_handle(struct gpu_file *file, uint64_t *size, uint32_t *handle)
{
    uint64_t rounded = ALIGN_POT(*size, GPU_PAGE);
    struct gpu_bo *bo;

    if (!rounded)
        return -EINVAL; /* zero, or an overflow */
    if (rounded > INT64_MAX || rounded > gpu_memory_size())
        return -E2BIG;
    bo = gpu_bo_create(rounded);
    if (!bo)
        return -ENOMEM;
    *handle = gpu_bo_add_handle(file, bo);
    gpu_bo_unref(bo);
    if (!*handle)
        return -ENOMEM;
    *size = rounded;
    return 0;
}

int gpu_gem_create(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_create *args = data;
    uint64_t size = args->size;
    int error = gpu_create_handle(file, &size, &args->handle);

    if (!error)
        args->size = size;
    return error;
}

static int set_regions(void *data, uint64_t address)
{
    struct drm_i915_gem_create_ext_memory_regions args;
    struct drm_i915_gem_memory_class_instance region;
    bool *has_regions = data;

    if (gpu_read_user(&args, address, sizeof args) != 0)
        return -EFAULT;
    if (args.pad || !args.num_regions || *has_regions)
        return -EINVAL;
    if (args.num_regions > 1) /* there is only one, and regions must differ */
        return -EINVAL;
    if (gpu_read_user(&region, args.regions, sizeof region) != 0)
        return -EFAULT;
    if (region.memory_class != I915_MEMORY_CLASS_SYSTEM || region.memory_instance)
        return -EINVAL;
    *has_regions = true;
    return 0;
}

static int set_protected(void *data, uint64_t address)
{
    struct drm_i915_gem_create_ext_protected_content args;

    if (gpu_read_user(&args, address, sizeof args) != 0)
        return -EFAULT;
    return args.flags ? -EINVAL : -ENODEV;
}

int gpu_gem_create_ext(struct gpu_file *file, void *data)
{
    static const gpu_extension_handler handlers[] = {
        [I915_GEM_CREATE_EXT_MEMORY_REGIONS] = set_regions,
        [I915_GEM_CREATE_EXT_PROTECTED_CONTENT] = set_protected,
    };
    struct drm_i915_gem_create_ext *args = data;
    uint64_t size = args->size;
    bool has_regions = false;
    int error;

    if (args->flags)
        return -EINVAL;
    error = gpu_for_each_extension(args->extensions, handlers, ARRAY_SIZE(handlers), &has_regions);
    if (!error)
        error = gpu_create_handle(file, &size, &args->handle);
    if (!error)
        args->size = size;
    return error;
}

int gpu_gem_userptr(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_userptr *args = data;
    struct gpu_bo *bo;
    uint8_t byte;

    if (args->flags & ~(I915_USERPTR_READ_ONLY | I915_USERPTR_UNSYNCHRONIZED | I915_USERPTR_PROBE))
        return -EINVAL;
    if (args->user_size > (uint64_t)UINT32_MAX * GPU_PAGE)
        return -E2BIG;
    if (!args->user_size || (args->user_ptr | args->user_size) & (GPU_PAGE - 1))
        return -EINVAL;
    if (args->user_ptr >= 1ull << 47 || args->user_size > (1ull << 47) - args->user_ptr)
        return -EFAULT;
    if (args->flags & I915_USERPTR_UNSYNCHRONIZED)
        return -ENODEV;
    if (args->flags & I915_USERPTR_READ_ONLY && gpu_get_chip()->ver < 8)
        return -ENODEV;
    if (args->flags & I915_USERPTR_PROBE) {
        if (gpu_user_maps_buffer(args->user_ptr, args->user_size))
            return -EFAULT;
        for (uint64_t offset = 0; offset < args->user_size; offset += GPU_PAGE) {
            if (gpu_read_user(&byte, args->user_ptr + offset, 1) != 0)
                return -EFAULT;
        }
    }
    bo = gpu_bo_create_user(args->user_ptr, args->user_size, args->flags & I915_USERPTR_READ_ONLY);
    if (!bo)
        return -ENOMEM;
    args->handle = gpu_bo_add_handle(file, bo);
    gpu_bo_unref(bo);
    return args->handle ? 0 : -ENOMEM;
}

int gpu_gem_close(struct gpu_file *file, void *data)
{
    return gpu_bo_close_handle(file, ((struct drm_gem_close *)data)->handle);
}

/* ------------------------------------------------------------------------------ copies --- */

/* Copies between a buffer and memory of the program after the batches that use the buffer. writes:
 * to the buffer. */
static int copy(struct gpu_file *file, const struct drm_i915_gem_pwrite *args, bool writes)
{
    void *data = (void *)(uintptr_t)args->data_ptr;
    struct gpu_bo *bo;
    int error;

    if (!args->size)
        return 0;
    if (args->data_ptr >= 1ull << 47 || args->size > (1ull << 47) - args->data_ptr)
        return -EFAULT;
    bo = gpu_bo_get(file, args->handle);
    if (!bo)
        return -ENOENT;
    if (!is_inside(bo, args->offset, args->size) || (writes && bo->is_read_only) || bo->fd < 0)
        return -EINVAL;
    gpu_bo_ref(bo);
    gpu_bo_wait(bo, writes, INT64_MAX);
    error = writes ? gpu_bo_write(bo, args->offset, data, args->size)
                   : gpu_bo_read(bo, args->offset, data, args->size);
    gpu_bo_unref(bo);
    return error;
}

int gpu_gem_pread(struct gpu_file *file, void *data)
{
    const struct drm_i915_gem_pread *args = data;

    return copy(file,
                &(struct drm_i915_gem_pwrite){.handle = args->handle,
                                              .offset = args->offset,
                                              .size = args->size,
                                              .data_ptr = args->data_ptr},
                false);
}

int gpu_gem_pwrite(struct gpu_file *file, void *data)
{
    return copy(file, data, true);
}

/* ---------------------------------------------------------------------------- mappings --- */

/* Offsets for mmap() are multiples of 2^38, one for each buffer and kind of mapping. */
enum { MMAP_SHIFT = 38, MAX_MMAPS = 1 << (63 - MMAP_SHIFT) };

static struct gpu_table mmaps; /* struct gpu_bo */

static int add_mmap(struct gpu_bo *bo, unsigned kind, uint64_t *offset)
{
    if (bo->size > 1ull << MMAP_SHIFT)
        return -E2BIG;
    if (!mmaps.first)
        gpu_table_init(&mmaps, 1);
    if (!bo->mmap_ids[kind])
        bo->mmap_ids[kind] = gpu_table_add(&mmaps, bo);
    if (!bo->mmap_ids[kind] || bo->mmap_ids[kind] >= MAX_MMAPS)
        return -ENOMEM;
    *offset = (uint64_t)bo->mmap_ids[kind] << MMAP_SHIFT;
    return 0;
}

void gpu_bo_forget_mmaps(struct gpu_bo *bo)
{
    for (unsigned i = 0; i < ARRAY_SIZE(bo->mmap_ids); i++) {
        if (bo->mmap_ids[i])
            gpu_table_remove(&mmaps, bo->mmap_ids[i]);
    }
}

int64_t gpu_bo_mmap(struct gpu_file *file, void *address, uint64_t size, int protection, int flags,
                    uint64_t offset)
{
    struct gpu_bo *bo = gpu_table_get(&mmaps, (uint32_t)(offset >> MMAP_SHIFT));
    void *map;

    offset &= BITFIELD64_MASK(MMAP_SHIFT);
    if (!bo || !is_inside(bo, offset, ALIGN_POT(size, GPU_PAGE)))
        return -EINVAL;
    if (!gpu_bo_find_handle(file, bo))
        return -EACCES;
    if ((flags & MAP_TYPE) == MAP_PRIVATE)
        return -EINVAL;
    if (bo->fd < 0)
        return bo->is_read_only && protection & PROT_WRITE ? -EINVAL : -ENODEV;
    if (protection & PROT_WRITE)
        protection |=
            PROT_READ; /* page tables can't express less, but copies of the kernel check */
    map = gpu_sys_mmap(address, size, protection, flags, bo->fd, (int64_t)offset);
    return map == MAP_FAILED ? -errno : (int64_t)(intptr_t)map;
}

int gpu_dumb_map(struct gpu_file *file, void *data)
{
    struct drm_mode_map_dumb *args = data;
    struct gpu_bo *bo = gpu_bo_get(file, args->handle);
    uint64_t offset;
    int error;

    if (!bo)
        return -ENOENT;
    error = add_mmap(bo, I915_MMAP_OFFSET_WC, &offset);
    if (!error)
        args->offset = offset;
    return error;
}

int gpu_gem_mmap_offset(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_mmap_offset *args = data;
    struct gpu_bo *bo;
    uint64_t offset;
    int error;

    error = gpu_for_each_extension(args->extensions, NULL, 0, NULL);
    if (error)
        return error;
    if (args->flags == I915_MMAP_OFFSET_FIXED)
        return -ENODEV; /* for discrete GPUs */
    if (args->flags > I915_MMAP_OFFSET_FIXED)
        return -EINVAL;
    bo = gpu_bo_get(file, args->handle);
    if (!bo)
        return -ENOENT;
    if (bo->fd < 0 || (bo->is_import && args->flags != I915_MMAP_OFFSET_GTT))
        return -ENODEV;
    error = add_mmap(bo, (unsigned)args->flags, &offset);
    if (!error)
        args->offset = offset;
    return error;
}

int gpu_gem_mmap(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_mmap *args = data;
    struct gpu_bo *bo;
    void *map;

    if (args->flags & ~(uint64_t)I915_MMAP_WC)
        return -EINVAL;
    bo = gpu_bo_get(file, args->handle);
    if (!bo)
        return -ENOENT;
    if (bo->fd < 0 || bo->is_import)
        return -ENXIO;
    if (!is_inside(bo, args->offset, args->size))
        return -EINVAL;
    map = gpu_sys_mmap(NULL, args->size, PROT_READ | PROT_WRITE, MAP_SHARED, bo->fd,
                       (int64_t)args->offset);
    if (map == MAP_FAILED)
        return -errno;
    args->addr_ptr = (uintptr_t)map;
    return 0;
}
