/* SPDX-License-Identifier: MIT */
/* DRM_IOCTL_I915_GEM_EXECBUFFER2: validates the list of buffers, assigns addresses, relocates, and
 * submits a request. The steps and their errors are in the kernel's order. */
#include "gpu/gpu_exec.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_context.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_dump.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_requests.h"
#include "gpu/gpu_shadow.h"
#include "gpu/gpu_timeline.h"
#include "gpu/gpu_user.h"
#include "gpu/gpu_vm.h"
#include "util/macros.h"

#define UNKNOWN_FLAGS                                                                              \
    (__I915_EXEC_UNKNOWN_FLAGS | I915_EXEC_CONSTANTS_MASK | I915_EXEC_RESOURCE_STREAMER)

static const uint64_t address_mask = (1ull << 48) - 1;

uint64_t gpu_canonical(uint64_t address)
{
    return (uint64_t)((int64_t)(address << 16) >> 16);
}

/* -------------------------------------------------------------------------- validation --- */

static int check_args(struct drm_i915_gem_execbuffer2 *args)
{
    if (args->flags & UNKNOWN_FLAGS)
        return -EINVAL;
    if (!(args->flags & (I915_EXEC_FENCE_ARRAY | I915_EXEC_USE_EXTENSIONS)) &&
        (args->num_cliprects || args->cliprects_ptr))
        return -EINVAL;
    if (args->DR4 == 0xffffffff)
        args->DR4 = 0; /* an old X server sends garbage */
    if (args->DR1 || args->DR4 || (args->batch_start_offset | args->batch_len) & 7)
        return -EINVAL;
    if (args->buffer_count < 1 || args->buffer_count > INT_MAX)
        return -EINVAL;
    if (args->flags & I915_EXEC_SECURE) {
        if (gpu_get_chip()->ver >= 11)
            return -ENODEV;
        return -EPERM; /* there are no privileged batches */
    }
    return 0;
}

static int find_buffers(struct gpu_exec *exec)
{
    for (unsigned i = 0; i < exec->count; i++) {
        struct gpu_bo *bo = gpu_bo_get(exec->file, exec->objects[i].handle);

        if (!bo)
            return -ENOENT;
        exec->buffers[i].bo = gpu_bo_ref(bo);
    }
    return 0;
}

static int check_object(struct gpu_exec *exec, unsigned i)
{
    struct drm_i915_gem_exec_object2 *object = &exec->objects[i];
    uint64_t size = exec->buffers[i].bo->size;

    if (object->flags & __EXEC_OBJECT_UNKNOWN_FLAGS)
        return -EINVAL;
    if (object->relocation_count && !gpu_get_chip()->has_relocations)
        return -EINVAL;
    if (object->alignment && !util_is_power_of_two(object->alignment))
        return -EINVAL;
    if (object->flags & EXEC_OBJECT_PINNED &&
        object->offset != gpu_canonical(object->offset & ~(uint64_t)(GPU_PAGE - 1)))
        return -EINVAL;
    if (object->flags & EXEC_OBJECT_PAD_TO_SIZE) {
        if (object->pad_to_size & (GPU_PAGE - 1))
            return -EINVAL;
        size = MAX2(size, object->pad_to_size);
    }
    exec->buffers[i].size = size;
    return 0;
}

static int check_batch(struct gpu_exec *exec)
{
    const struct drm_i915_gem_execbuffer2 *args = exec->args;
    uint64_t size = exec->buffers[exec->batch].bo->size;

    if (exec->objects[exec->batch].flags & EXEC_OBJECT_WRITE)
        return -EINVAL;
    if (args->batch_start_offset > size || args->batch_len > size - args->batch_start_offset)
        return -EINVAL;
    exec->batch_size = args->batch_len ? args->batch_len : size - args->batch_start_offset;
    return exec->batch_size ? 0 : -EINVAL;
}

/* --------------------------------------------------------------------------- addresses --- */

static uint64_t limit_of(const struct gpu_exec *exec, unsigned i)
{
    uint64_t size = exec->context->vm->size;

    if (!(exec->objects[i].flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS))
        size = MIN2(size, (1ull << 32) - GPU_PAGE);
    return size;
}

/* Returns the lowest address for buffer i. Relocations in old batches have negative deltas, so the
 * kernel keeps such batches away from 0. */
static uint64_t lowest_of(const struct gpu_exec *exec, unsigned i)
{
    return i == exec->batch && exec->objects[i].relocation_count ? 256 << 10 : 0;
}

/* Returns whether a binding meets the program's demands for buffer i. */
static bool is_placed(const struct gpu_exec *exec, unsigned i, const struct gpu_binding *binding)
{
    const struct drm_i915_gem_exec_object2 *object = &exec->objects[i];

    if (binding->size < exec->buffers[i].size)
        return false;
    if (object->flags & EXEC_OBJECT_PINNED && binding->address != (object->offset & address_mask))
        return false;
    if (object->alignment && binding->address & (object->alignment - 1))
        return false;
    return (object->flags & EXEC_OBJECT_PINNED || binding->address >= lowest_of(exec, i)) &&
           binding->address + binding->size <= limit_of(exec, i);
}

static int bind_pinned(struct gpu_exec *exec, unsigned i)
{
    uint64_t address = exec->objects[i].offset & address_mask;
    uint64_t size = exec->buffers[i].size, limit = limit_of(exec, i);

    if (size > limit || address > limit - size ||
        (exec->objects[i].alignment && address & (exec->objects[i].alignment - 1)))
        return -EINVAL;
    return gpu_vm_bind_at(exec->context->vm, exec->buffers[i].bo, address, size, exec->number);
}

/* Binds buffer i where the program expects it. Returns -ENOSPC if that isn't free. The kernel tries
 * this first. */
static int bind_expected(struct gpu_exec *exec, unsigned i, uint64_t alignment)
{
    uint64_t address = exec->objects[i].offset & address_mask;
    uint64_t size = exec->buffers[i].size, limit = limit_of(exec, i);

    if (address < lowest_of(exec, i) || address & (alignment - 1) || size > limit ||
        address > limit - size || !gpu_vm_is_free(exec->context->vm, address, size))
        return -ENOSPC;
    return gpu_vm_bind_at(exec->context->vm, exec->buffers[i].bo, address, size, exec->number);
}

static int bind(struct gpu_exec *exec, unsigned i)
{
    const struct drm_i915_gem_exec_object2 *object = &exec->objects[i];
    uint64_t alignment = MAX2(object->alignment, GPU_PAGE);
    int error;

    if (object->flags & EXEC_OBJECT_PINNED)
        return bind_pinned(exec, i);
    error = bind_expected(exec, i, alignment);
    if (error != -ENOSPC)
        return error;
    return gpu_vm_bind(exec->context->vm, exec->buffers[i].bo, exec->buffers[i].size, alignment,
                       limit_of(exec, i), exec->number);
}

/* Binds a buffer at the address that the program demands, after unbinding the buffers of the list
 * without EXEC_OBJECT_PINNED. */
static int evict_unpinned(struct gpu_exec *exec, unsigned pinned)
{
    struct gpu_vm *vm = exec->context->vm;

    for (unsigned i = 0; i < exec->count; i++) {
        struct gpu_binding *binding = gpu_vm_find(vm, exec->buffers[i].bo);

        if (binding && !(exec->objects[i].flags & EXEC_OBJECT_PINNED))
            gpu_vm_unbind(binding);
    }
    return bind_pinned(exec, pinned);
}

/* Gives all buffers addresses: keeps bindings that meet the demands, then binds pinned buffers,
 * then others. */
static int bind_all(struct gpu_exec *exec)
{
    struct gpu_vm *vm = exec->context->vm;

    for (unsigned i = 0; i < exec->count; i++) {
        struct gpu_binding *binding = gpu_vm_find(vm, exec->buffers[i].bo);

        if (binding && is_placed(exec, i, binding))
            binding->batch = exec->number;
        else if (binding)
            gpu_vm_unbind(binding);
    }
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < exec->count; i++) {
            bool is_pinned = exec->objects[i].flags & EXEC_OBJECT_PINNED;
            int error;

            if (is_pinned == pass || gpu_vm_find(vm, exec->buffers[i].bo))
                continue;
            error = bind(exec, i);
            if (error == -ENOSPC && is_pinned)
                error = evict_unpinned(exec, i);
            if (error)
                return error;
        }
    }
    for (unsigned i = 0; i < exec->count; i++)
        exec->buffers[i].address = gpu_vm_find(vm, exec->buffers[i].bo)->address;
    return 0;
}

/* ---------------------------------------------------------------------------- submission --- */

static int compare_ranges(const void *a, const void *b)
{
    const struct gpu_range *left = a, *right = b;

    return left->address < right->address ? -1 : left->address > right->address;
}

static int fill_ranges(struct gpu_exec *exec)
{
    struct gpu_request *request = exec->request;

    for (unsigned i = 0; i < exec->count; i++) {
        struct gpu_bo *bo = exec->buffers[i].bo;
        struct gpu_range *range = &request->ranges[i];

        if (!gpu_bo_is_accessible(bo))
            return -EFAULT;
        if (bo->fd < 0)
            range->shadow = gpu_shadow_create(bo->user, bo->size, bo->is_read_only);
        else
            range->map = gpu_bo_pin(bo);
        if (!range->map && !range->shadow) /* the process's address space is the GPU's memory */
            return -ENOSPC;
        range->address = exec->buffers[i].address;
        range->size = bo->size;
        range->bo = gpu_bo_ref(bo);
    }
    qsort(request->ranges, exec->count, sizeof request->ranges[0], compare_ranges);
    request->batch_address = exec->buffers[exec->batch].address + exec->args->batch_start_offset;
    request->batch_size = exec->batch_size;
    return 0;
}

static int add_implicit_dependencies(struct gpu_exec *exec)
{
    for (unsigned i = 0; i < exec->count; i++) {
        struct gpu_bo *bo = exec->buffers[i].bo;
        bool writes = exec->objects[i].flags & EXEC_OBJECT_WRITE;

        gpu_bo_update_uses(bo);
        if (exec->objects[i].flags & EXEC_OBJECT_ASYNC)
            continue;
        for (unsigned k = 0; k < bo->use_count; k++) {
            if ((writes || bo->uses[k].writes) &&
                !gpu_request_add_dependency(exec->request, bo->uses[k].fence))
                return -ENOMEM;
        }
    }
    return 0;
}

static int add_uses(struct gpu_exec *exec, struct gpu_timeline *timeline)
{
    for (unsigned i = 0; i < exec->count; i++) {
        uint64_t flags = exec->objects[i].flags;
        bool writes = flags & EXEC_OBJECT_WRITE;

        if (!gpu_bo_add_use(exec->buffers[i].bo, exec->request->fence,
                            gpu_timeline_engine(timeline), writes,
                            writes && !(flags & EXEC_OBJECT_ASYNC)))
            return -ENOMEM;
    }
    return 0;
}

static int submit(struct gpu_exec *exec, struct gpu_timeline *timeline)
{
    int error = add_implicit_dependencies(exec);
    struct gpu_fence *fence = exec->request->fence;
    struct gpu_context *context = exec->context;

    if (!error && context->has_single_timeline && context->last &&
        !gpu_request_add_dependency(exec->request, context->last))
        error = -ENOMEM;
    if (!error)
        error = gpu_exec_signal_fences(exec, fence);
    if (!error)
        error = add_uses(exec, timeline);
    if (error) {
        gpu_fence_signal(fence, error); /* syncobjs and buffers may have it already */
        return error;
    }
    gpu_dump(exec);
    gpu_fence_unref(context->last);
    context->last = gpu_fence_ref(fence);
    gpu_timeline_submit(timeline, exec->request);
    exec->request = NULL;
    return 0;
}

/* ------------------------------------------------------------------------------ request --- */

/* Writes the addresses that have changed to the program's list. */
static int write_addresses(struct gpu_exec *exec)
{
    for (unsigned i = 0; i < exec->count; i++) {
        uint64_t offset = gpu_canonical(exec->buffers[i].address);

        if (exec->objects[i].offset == offset)
            continue;
        exec->objects[i].offset = offset;
        if (gpu_write_user(exec->args->buffers_ptr + i * sizeof exec->objects[0] +
                               offsetof(struct drm_i915_gem_exec_object2, offset),
                           &offset, sizeof offset) != 0)
            return -EFAULT;
    }
    return 0;
}

static int prepare(struct gpu_exec *exec)
{
    int error = find_buffers(exec);

    if (error)
        return error;
    for (unsigned i = 0; i < exec->count; i++) {
        error = check_object(exec, i);
        if (error)
            return error;
    }
    error = gpu_exec_check_duplicates(exec);
    if (!error)
        error = check_batch(exec);
    if (error)
        return error;
    error = bind_all(exec);
    if (error)
        return error;
    return gpu_exec_relocate(exec);
}

/* Waits until the ring buffer has space. Returns 0, -EINTR after a signal, or -EWOULDBLOCK if the
 * program doesn't want to wait. */
static int wait_for_ring(struct gpu_exec *exec, struct gpu_timeline *timeline)
{
    int flags = gpu_timeline_is_full(timeline) ? fcntl(exec->file->request_fd, F_GETFL) : 0;

    while (gpu_timeline_is_full(timeline)) {
        if (flags > 0 && flags & O_NONBLOCK)
            return -EWOULDBLOCK;
        if (!gpu_sleep())
            return -EINTR;
    }
    return 0;
}

static int execute(struct gpu_exec *exec)
{
    struct gpu_timeline *timeline;
    int error;

    exec->context = gpu_context_get(exec->file, (uint32_t)exec->args->rsvd1);
    if (!exec->context)
        return -ENOENT;
    gpu_context_ref(exec->context); /* other threads may destroy it during relocations */
    timeline = gpu_context_select(exec->context, exec->args->flags);
    if (!timeline)
        return -EINVAL;
    if (exec->args->flags & I915_EXEC_GEN7_SOL_RESET &&
        (gpu_get_chip()->ver != 7 || gpu_timeline_engine(timeline) != GPU_RENDER))
        return -EINVAL;
    error = wait_for_ring(exec, timeline);
    if (error)
        return error;
    if (!gpu_context_check(exec->context))
        return -EIO;
    error = prepare(exec);
    if (error)
        return error;
    exec->request = gpu_request_create(exec->count);
    if (!exec->request)
        return -ENOMEM;
    error = fill_ranges(exec);
    if (!error)
        error = gpu_exec_wait_fences(exec);
    if (!error)
        error = write_addresses(exec);
    if (!error)
        error = submit(exec, timeline);
    return error;
}

static void finish(struct gpu_exec *exec)
{
    gpu_exec_free_fences(exec);
    gpu_request_destroy(exec->request);
    gpu_context_unref(exec->context);
    for (unsigned i = 0; exec->buffers && i < exec->count; i++)
        gpu_bo_unref(exec->buffers[i].bo);
    free(exec->buffers);
    free(exec->objects);
}

int gpu_gem_execbuffer2(struct gpu_file *file, void *data)
{
    static uint64_t number; /* of the last batch */
    struct drm_i915_gem_execbuffer2 *args = data;
    struct gpu_exec exec = {.file = file, .args = args, .number = ++number};
    int error = check_args(args);

    if (error)
        return error;
    exec.count = args->buffer_count;
    exec.batch = args->flags & I915_EXEC_BATCH_FIRST ? 0 : exec.count - 1;
    error = gpu_read_user_array((void **)&exec.objects, args->buffers_ptr, exec.count,
                                sizeof exec.objects[0]);
    if (error)
        return error;
    exec.buffers = calloc(exec.count, sizeof exec.buffers[0]);
    error = exec.buffers ? gpu_exec_read_fences(&exec) : -ENOMEM;
    if (!error)
        error = execute(&exec);
    finish(&exec);
    return error;
}
