/* SPDX-License-Identifier: MIT */
/* DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM and SETPARAM. */
#include "gpu/gpu_context_param.h"

#include <errno.h>
#include <libdrm/i915_drm.h>
#include <stddef.h>
#include <stdlib.h>

#include "gpu/gpu_context.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_extension.h"
#include "gpu/gpu_requests.h"
#include "gpu/gpu_timeline.h"
#include "gpu/gpu_user.h"
#include "gpu/gpu_vm.h"
#include "util/macros.h"

/* ----------------------------------------------------------------------------- engines --- */

/* An engine map that is being set. */
struct engine_map {
    unsigned count;
    struct gpu_timeline **timelines;
};

static void free_map(struct engine_map *map)
{
    for (unsigned i = 0; i < map->count; i++)
        gpu_timeline_unref(map->timelines[i]);
    free(map->timelines);
}

static bool is_no_engine(const struct i915_engine_class_instance *engine)
{
    return engine->engine_class == (uint16_t)I915_ENGINE_CLASS_INVALID &&
           engine->engine_instance == (uint16_t)I915_ENGINE_CLASS_INVALID_NONE;
}

/* Sets an entry of the map to a group of engines that balance their load. Batches always run on the
 * first one. */
static int balance_load(void *data, uint64_t address)
{
    struct i915_context_engines_load_balance args;
    struct i915_engine_class_instance siblings[64];
    struct engine_map *map = data;
    enum gpu_engine first = GPU_ENGINE_COUNT;

    if (gpu_read_user(&args, address, sizeof args) != 0)
        return -EFAULT;
    if (gpu_get_chip()->ver < 8)
        return -ENODEV;
    if (args.engine_index >= map->count || args.flags || args.mbz64)
        return -EINVAL;
    if (map->timelines[args.engine_index])
        return -EEXIST;
    if (!args.num_siblings)
        return 0;
    if (args.num_siblings > ARRAY_SIZE(siblings))
        return -EINVAL;
    if (gpu_read_user(siblings,
                      address + offsetof(struct i915_context_engines_load_balance, engines),
                      args.num_siblings * sizeof siblings[0]) != 0)
        return -EFAULT;
    for (unsigned i = 0; i < args.num_siblings; i++) {
        enum gpu_engine engine =
            gpu_find_engine(gpu_get_chip(), siblings[i].engine_class, siblings[i].engine_instance);

        if (engine == GPU_ENGINE_COUNT || siblings[i].engine_class != siblings[0].engine_class)
            return -EINVAL;
        first = i ? first : engine;
    }
    map->timelines[args.engine_index] = gpu_timeline_create(first, gpu_context_request_limit());
    return map->timelines[args.engine_index] ? 0 : -ENOMEM;
}

static int read_engines(struct engine_map *map, const struct drm_i915_gem_context_param *param)
{
    static const gpu_extension_handler handlers[] = {
        [I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE] = balance_load,
    };
    uint64_t engines = param->value + offsetof(struct i915_context_param_engines, engines);
    uint64_t extensions;

    if (gpu_read_user(&extensions, param->value, sizeof extensions) != 0)
        return -EFAULT;
    for (unsigned i = 0; i < map->count; i++) {
        struct i915_engine_class_instance engine;
        enum gpu_engine found;

        if (gpu_read_user(&engine, engines + i * sizeof engine, sizeof engine) != 0)
            return -EFAULT;
        if (is_no_engine(&engine))
            continue;
        found = gpu_find_engine(gpu_get_chip(), engine.engine_class, engine.engine_instance);
        if (found == GPU_ENGINE_COUNT)
            return -ENOENT;
        map->timelines[i] = gpu_timeline_create(found, gpu_context_request_limit());
        if (!map->timelines[i])
            return -ENOMEM;
    }
    return gpu_for_each_extension(extensions, handlers, ARRAY_SIZE(handlers), map);
}

static int set_engines(struct gpu_context *context, const struct drm_i915_gem_context_param *param)
{
    const size_t header = sizeof(struct i915_context_param_engines);
    const size_t element = sizeof(struct i915_engine_class_instance);
    struct engine_map map = {0};
    int error;

    if (context->is_used)
        return -EINVAL;
    if (!param->size) /* back to the legacy rings: only an unused context gets here */
        return -EINVAL;
    if (param->size < header || param->size % element)
        return -EINVAL;
    map.count = (param->size - header) / element;
    if (map.count > I915_EXEC_RING_MASK + 1)
        return -EINVAL;
    map.timelines = calloc(map.count + 1, sizeof(struct gpu_timeline *));
    if (!map.timelines)
        return -ENOMEM;
    error = read_engines(&map, param);
    if (error) {
        free_map(&map);
        return error;
    }
    free_map(&(struct engine_map){context->engine_count, context->engines});
    context->engine_count = map.count;
    context->engines = map.timelines;
    context->has_engine_map = true;
    return 0;
}

/* -------------------------------------------------------------------------------- sseu --- */

static int read_sseu(const struct gpu_context *context,
                     const struct drm_i915_gem_context_param *param,
                     struct drm_i915_gem_context_param_sseu *sseu, bool *is_render)
{
    bool by_index;

    if (param->size < sizeof *sseu)
        return -EINVAL;
    if (gpu_read_user(sseu, param->value, sizeof *sseu) != 0)
        return -EFAULT;
    if (sseu->rsvd || sseu->flags & ~I915_CONTEXT_SSEU_FLAG_ENGINE_INDEX)
        return -EINVAL;
    by_index = sseu->flags & I915_CONTEXT_SSEU_FLAG_ENGINE_INDEX;
    if (by_index != context->has_engine_map)
        return -EINVAL;
    if (by_index) {
        unsigned index = sseu->engine.engine_instance;

        if (index >= context->engine_count || !context->engines[index])
            return -EINVAL;
        *is_render = gpu_timeline_engine(context->engines[index]) == GPU_RENDER;
    } else {
        enum gpu_engine engine = gpu_find_engine(gpu_get_chip(), sseu->engine.engine_class,
                                                 sseu->engine.engine_instance);

        if (engine == GPU_ENGINE_COUNT)
            return -EINVAL;
        *is_render = engine == GPU_RENDER;
    }
    return 0;
}

static int get_sseu(const struct gpu_context *context, struct drm_i915_gem_context_param *param)
{
    struct drm_i915_gem_context_param_sseu sseu;
    bool is_render;
    int error;

    if (!param->size) {
        param->size = sizeof sseu;
        return 0;
    }
    error = read_sseu(context, param, &sseu, &is_render);
    if (error)
        return error;
    sseu.slice_mask = 1;
    sseu.subslice_mask = context->subslice_mask;
    sseu.min_eus_per_subslice = sseu.max_eus_per_subslice = gpu_get_chip()->eus_per_subslice;
    if (gpu_write_user(param->value, &sseu, sizeof sseu) != 0)
        return -EFAULT;
    param->size = sizeof sseu;
    return 0;
}

/* Gen11 can disable half of the subslices of the render engine. */
static int set_sseu(struct gpu_context *context, const struct drm_i915_gem_context_param *param)
{
    const struct gpu_chip *chip = gpu_get_chip();
    struct drm_i915_gem_context_param_sseu sseu;
    uint64_t all = BITFIELD64_MASK(chip->subslices);
    bool is_render;
    int error;

    if (param->size < sizeof sseu)
        return -EINVAL;
    if (chip->ver != 11)
        return -ENODEV;
    error = read_sseu(context, param, &sseu, &is_render);
    if (error)
        return error;
    if (!is_render)
        return -ENODEV;
    if (sseu.slice_mask != 1 || !sseu.subslice_mask || sseu.subslice_mask & ~all ||
        sseu.max_eus_per_subslice != chip->eus_per_subslice ||
        sseu.min_eus_per_subslice != chip->eus_per_subslice)
        return -EINVAL;
    if (sseu.subslice_mask != all &&
        __builtin_popcountll(sseu.subslice_mask) != chip->subslices / 2)
        return -EINVAL;
    context->subslice_mask = sseu.subslice_mask;
    return 0;
}

/* ------------------------------------------------------------------------------ others --- */

static int set_vm(struct gpu_file *file, struct gpu_context *context,
                  const struct drm_i915_gem_context_param *param)
{
    struct gpu_vm *vm;

    if (context->is_used || param->size)
        return -EINVAL;
    if (gpu_get_chip()->ppgtt != GPU_PPGTT_FULL)
        return -ENODEV;
    if (param->value > UINT32_MAX)
        return -ENOENT;
    vm = gpu_table_get(&file->vms, (uint32_t)param->value);
    if (!vm)
        return -ENOENT;
    gpu_vm_ref(vm);
    gpu_vm_unref(context->vm);
    context->vm = vm;
    return 0;
}

static int get_vm(struct gpu_file *file, struct gpu_context *context,
                  struct drm_i915_gem_context_param *param)
{
    uint32_t id;

    if (gpu_get_chip()->ppgtt != GPU_PPGTT_FULL)
        return -ENODEV;
    id = gpu_table_add(&file->vms, context->vm);
    if (!id)
        return -ENOMEM;
    gpu_vm_ref(context->vm);
    param->size = 0;
    param->value = id;
    return 0;
}

static int set_priority(struct gpu_context *context, const struct drm_i915_gem_context_param *param)
{
    int64_t priority = (int64_t)param->value;

    if (param->size)
        return -EINVAL;
    if (gpu_get_chip()->ver < 8)
        return -ENODEV;
    if (priority > I915_CONTEXT_MAX_USER_PRIORITY || priority < I915_CONTEXT_MIN_USER_PRIORITY)
        return -EINVAL;
    if (priority > I915_CONTEXT_DEFAULT_PRIORITY && !gpu_is_admin())
        return -EPERM;
    context->priority = priority;
    return 0;
}

static int set_bannable(struct gpu_context *context, const struct drm_i915_gem_context_param *param)
{
    if (param->size)
        return -EINVAL;
    if (!gpu_is_admin() && !param->value)
        return -EPERM;
    gpu_context_check(context); /* the old value applies to batches until now */
    context->is_bannable = param->value;
    return 0;
}

static int set_persistence(struct gpu_context *context,
                           const struct drm_i915_gem_context_param *param)
{
    if (param->size)
        return -EINVAL;
    if (!param->value && gpu_get_chip()->ver < 8)
        return -ENODEV; /* the kernel can't end single batches */
    context->is_persistent = param->value;
    return 0;
}

static int set_flag(bool *flag, const struct drm_i915_gem_context_param *param)
{
    if (param->size)
        return -EINVAL;
    *flag = param->value;
    return 0;
}

int gpu_context_set(struct gpu_file *file, struct gpu_context *context,
                    const struct drm_i915_gem_context_param *param)
{
    switch (param->param) {
    case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
        return set_flag(&context->no_error_capture, param);
    case I915_CONTEXT_PARAM_BANNABLE:
        return set_bannable(context, param);
    case I915_CONTEXT_PARAM_RECOVERABLE:
        return set_flag(&context->is_recoverable, param);
    case I915_CONTEXT_PARAM_PRIORITY:
        return set_priority(context, param);
    case I915_CONTEXT_PARAM_SSEU:
        return set_sseu(context, param);
    case I915_CONTEXT_PARAM_VM:
        return set_vm(file, context, param);
    case I915_CONTEXT_PARAM_ENGINES:
        return set_engines(context, param);
    case I915_CONTEXT_PARAM_PERSISTENCE:
        return set_persistence(context, param);
    case I915_CONTEXT_PARAM_PROTECTED_CONTENT:
        return param->value ? -ENODEV : -EPERM;
    default:
        return -EINVAL;
    }
}

int gpu_gem_context_setparam(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_context_param *args = data;
    struct gpu_context *context = gpu_context_lookup(file, args->ctx_id);

    return context ? gpu_context_set(file, context, args) : -ENOENT;
}

int gpu_gem_context_getparam(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_context_param *args = data;
    struct gpu_context *context = gpu_context_get(file, args->ctx_id);
    uint64_t value;

    if (!context)
        return -ENOENT;
    switch (args->param) {
    case I915_CONTEXT_PARAM_GTT_SIZE:
        value = context->vm->size;
        break;
    case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
        value = context->no_error_capture;
        break;
    case I915_CONTEXT_PARAM_BANNABLE:
        value = context->is_bannable;
        break;
    case I915_CONTEXT_PARAM_RECOVERABLE:
        value = context->is_recoverable;
        break;
    case I915_CONTEXT_PARAM_PRIORITY:
        value = (uint64_t)context->priority;
        break;
    case I915_CONTEXT_PARAM_PERSISTENCE:
        value = context->is_persistent;
        break;
    case I915_CONTEXT_PARAM_PROTECTED_CONTENT:
        value = 0;
        break;
    case I915_CONTEXT_PARAM_SSEU:
        return get_sseu(context, args);
    case I915_CONTEXT_PARAM_VM:
        return get_vm(file, context, args);
    default: /* also I915_CONTEXT_PARAM_ENGINES, since Linux 5.15 */
        return -EINVAL;
    }
    args->size = 0;
    args->value = value;
    return 0;
}
