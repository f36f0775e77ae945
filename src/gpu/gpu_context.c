/* SPDX-License-Identifier: MIT */
/* Contexts, and requests that create and destroy them and address spaces. */
#include "gpu/gpu_context.h"

#include <errno.h>
#include <libdrm/i915_drm.h>
#include <stdlib.h>

#include "gpu/gpu_context_param.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_extension.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_requests.h"
#include "gpu/gpu_timeline.h"
#include "gpu/gpu_tree.h"
#include "gpu/gpu_user.h"
#include "gpu/gpu_vm.h"
#include "util/macros.h"

enum { MAX_FAILED = 4 }; /* number of failed batches that bans a context */

int64_t gpu_context_request_limit(void)
{
    long ms = gpu_tree_read_number("/sys/module/i915/parameters/request_timeout_ms", 20000);

    return ms > 0 && ms < INT64_MAX / 1000000 ? ms * INT64_C(1000000) : INT64_MAX;
}

struct gpu_context *gpu_context_create(void)
{
    const struct gpu_chip *chip = gpu_get_chip();
    struct gpu_context *context = calloc(1, sizeof *context);
    int64_t limit;

    if (!context)
        return NULL;
    context->refcount = 1;
    context->is_bannable = context->is_recoverable = context->is_persistent = true;
    context->subslice_mask = BITFIELD64_MASK(chip->subslices);
    context->vm = chip->ppgtt == GPU_PPGTT_FULL ? gpu_vm_create(chip) : gpu_vm_global(chip);
    context->engines = calloc(GPU_ENGINE_COUNT, sizeof *context->engines);
    if (!context->vm || !context->engines)
        goto fail;
    context->engine_count = GPU_ENGINE_COUNT;
    limit = gpu_context_request_limit();
    for (unsigned i = 0; i < GPU_ENGINE_COUNT; i++) {
        if (!(chip->engines & BITFIELD_BIT(i)))
            continue;
        context->engines[i] = gpu_timeline_create(i, limit);
        if (!context->engines[i])
            goto fail;
    }
    return context;

fail:
    gpu_context_unref(context);
    return NULL;
}

struct gpu_context *gpu_context_ref(struct gpu_context *context)
{
    context->refcount++;
    return context;
}

void gpu_context_end(struct gpu_context *context)
{
    /* Without hang checks, batches could go on forever. */
    const bool goes_on = context->is_persistent &&
                         gpu_tree_read_flag("/sys/module/i915/parameters/enable_hangcheck", true);

    for (unsigned i = 0; i < context->engine_count; i++) {
        if (context->engines[i] && !goes_on)
            gpu_timeline_cancel(context->engines[i]);
    }
}

void gpu_context_unref(struct gpu_context *context)
{
    if (!context || --context->refcount)
        return;
    gpu_context_end(context);
    for (unsigned i = 0; i < context->engine_count; i++)
        gpu_timeline_unref(context->engines[i]);
    free(context->engines);
    gpu_vm_unref(context->vm);
    gpu_fence_unref(context->last);
    free(context);
}

/* The ids that programs use begin with 0, those of the table with 1. */
struct gpu_context *gpu_context_lookup(struct gpu_file *file, uint32_t id)
{
    return id == UINT32_MAX ? NULL : gpu_table_get(&file->contexts, id + 1);
}

struct gpu_context *gpu_context_get(struct gpu_file *file, uint32_t id)
{
    struct gpu_context *context = gpu_context_lookup(file, id);

    if (context)
        context->is_used = true;
    return context;
}

/* Returns the engine of the legacy ring number in flags, or GPU_ENGINE_COUNT. */
static enum gpu_engine legacy_engine(uint64_t flags)
{
    static const uint8_t rings[] = {
        [I915_EXEC_DEFAULT] = GPU_RENDER,      [I915_EXEC_RENDER] = GPU_RENDER,
        [I915_EXEC_BSD] = GPU_VIDEO,           [I915_EXEC_BLT] = GPU_COPY,
        [I915_EXEC_VEBOX] = GPU_VIDEO_ENHANCE,
    };
    unsigned ring = flags & I915_EXEC_RING_MASK;

    if (ring >= ARRAY_SIZE(rings) || (ring != I915_EXEC_BSD && flags & I915_EXEC_BSD_MASK))
        return GPU_ENGINE_COUNT;
    if (ring == I915_EXEC_BSD && gpu_get_chip()->engines & BITFIELD_BIT(GPU_VIDEO2)) {
        switch (flags & I915_EXEC_BSD_MASK) {
        case I915_EXEC_BSD_DEFAULT:
        case I915_EXEC_BSD_RING1:
            return GPU_VIDEO;
        case I915_EXEC_BSD_RING2:
            return GPU_VIDEO2;
        default:
            return GPU_ENGINE_COUNT;
        }
    }
    return rings[ring];
}

struct gpu_timeline *gpu_context_select(const struct gpu_context *context, uint64_t flags)
{
    unsigned index = context->has_engine_map ? flags & I915_EXEC_RING_MASK : legacy_engine(flags);

    return index < context->engine_count ? context->engines[index] : NULL;
}

bool gpu_context_check(struct gpu_context *context)
{
    uint32_t failed = 0, added;

    for (unsigned i = 0; i < context->engine_count; i++) {
        if (!context->engines[i])
            continue;
        failed += gpu_timeline_get_state(context->engines[i])->active;
    }
    added = failed - context->failed;
    context->failed = failed;
    if (context->is_bannable) {
        context->strikes += added;
        if (context->strikes >= MAX_FAILED || (added && !context->is_recoverable))
            context->is_banned = true;
    }
    if (context->is_banned)
        return false;
    for (unsigned i = 0; i < context->engine_count && failed; i++) {
        if (context->engines[i])
            gpu_timeline_recover(context->engines[i]);
    }
    return true;
}

/* ---------------------------------------------------------------------------- requests --- */

static int set_param(void *data, uint64_t address)
{
    struct drm_i915_gem_context_create_ext_setparam args;
    struct gpu_context_creation *creation = data;

    if (gpu_read_user(&args, address, sizeof args) != 0)
        return -EFAULT;
    if (args.param.ctx_id)
        return -EINVAL;
    return gpu_context_set(creation->file, creation->context, &args.param);
}

int gpu_gem_context_create(struct gpu_file *file, void *data)
{
    static const gpu_extension_handler handlers[] = {
        [I915_CONTEXT_CREATE_EXT_SETPARAM] = set_param,
    };
    struct drm_i915_gem_context_create_ext *args = data;
    struct gpu_context_creation creation = {.file = file};
    uint32_t id;
    int error = 0;

    if (args->flags & I915_CONTEXT_CREATE_FLAGS_UNKNOWN)
        return -EINVAL;
    creation.context = gpu_context_create();
    if (!creation.context)
        return -ENOMEM;
    creation.context->has_single_timeline = args->flags & I915_CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE;
    if (args->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS) {
        error = gpu_for_each_extension(args->extensions, handlers, ARRAY_SIZE(handlers), &creation);
        creation.context->is_used = true;
    }
    id = error ? 0 : gpu_table_add(&file->contexts, creation.context);
    if (!id) {
        gpu_context_unref(creation.context);
        return error ? error : -ENOMEM;
    }
    args->ctx_id = id - 1;
    return 0;
}

int gpu_gem_context_destroy(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_context_destroy *args = data;
    struct gpu_context *context;

    if (args->pad)
        return -EINVAL;
    if (!args->ctx_id || args->ctx_id == UINT32_MAX)
        return -ENOENT;
    context = gpu_table_remove(&file->contexts, args->ctx_id + 1);
    if (!context)
        return -ENOENT;
    gpu_context_unref(context);
    return 0;
}

int gpu_get_reset_stats(struct gpu_file *file, void *data)
{
    struct drm_i915_reset_stats *args = data;
    struct gpu_context *context;

    if (args->flags || args->pad)
        return -EINVAL;
    context = gpu_context_get(file, args->ctx_id);
    if (!context)
        return -ENOENT;
    args->reset_count = gpu_is_admin() ? gpu_reset_count() : 0;
    args->batch_active = args->batch_pending = 0;
    for (unsigned i = 0; i < context->engine_count; i++) {
        if (!context->engines[i])
            continue;
        args->batch_active += gpu_timeline_get_state(context->engines[i])->active;
        args->batch_pending += gpu_timeline_get_state(context->engines[i])->pending;
    }
    return 0;
}

int gpu_gem_vm_create(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_vm_control *args = data;
    struct gpu_vm *vm;
    int error;

    if (gpu_get_chip()->ppgtt != GPU_PPGTT_FULL)
        return -ENODEV;
    if (args->flags)
        return -EINVAL;
    error = gpu_for_each_extension(args->extensions, NULL, 0, NULL);
    if (error)
        return error;
    vm = gpu_vm_create(gpu_get_chip());
    args->vm_id = vm ? gpu_table_add(&file->vms, vm) : 0;
    if (!args->vm_id) {
        gpu_vm_unref(vm);
        return -ENOMEM;
    }
    return 0;
}

int gpu_gem_vm_destroy(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_vm_control *args = data;
    struct gpu_vm *vm;

    if (args->flags || args->extensions)
        return -EINVAL;
    vm = gpu_table_remove(&file->vms, args->vm_id);
    if (!vm)
        return -ENOENT;
    gpu_vm_unref(vm);
    return 0;
}
