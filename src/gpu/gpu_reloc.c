/* SPDX-License-Identifier: MIT */
/* Relocations: addresses of buffers that the kernel writes into others. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_exec.h"
#include "gpu/gpu_user.h"
#include "util/macros.h"

/* ------------------------------------------------------------------------ lists of ids --- */

/* An entry of the list of buffers, to sort by buffer or by handle. */
struct sorted {
    const void *key; /* the buffer */
    uint32_t handle;
    uint32_t index;
};

static int compare_keys(const void *a, const void *b)
{
    const struct sorted *left = a, *right = b;

    return left->key < right->key ? -1 : left->key > right->key;
}

static int compare_handles(const void *a, const void *b)
{
    const struct sorted *left = a, *right = b;

    return left->handle < right->handle ? -1 : left->handle > right->handle;
}

static struct sorted *sort(const struct gpu_exec *exec, int (*compare)(const void *, const void *))
{
    struct sorted *list = malloc(exec->count * sizeof *list);

    if (!list)
        return NULL;
    for (unsigned i = 0; i < exec->count; i++)
        list[i] = (struct sorted){exec->buffers[i].bo, exec->objects[i].handle, i};
    qsort(list, exec->count, sizeof *list, compare);
    return list;
}

int gpu_exec_check_duplicates(const struct gpu_exec *exec)
{
    struct sorted *list = sort(exec, compare_keys);
    bool found = false;

    if (!list)
        return -ENOMEM;
    for (unsigned i = 1; i < exec->count && !found; i++)
        found = list[i].key == list[i - 1].key;
    free(list);
    return found ? -EINVAL : 0;
}

/* ------------------------------------------------------------------------- relocations --- */

/* Returns the index of the target in the list of buffers, or -1. target: a handle if `sorted` isn't
 * NULL, otherwise an index (I915_EXEC_HANDLE_LUT). */
static int find_target(const struct gpu_exec *exec, const struct sorted *sorted, uint32_t target)
{
    const struct sorted *found, key = {.handle = target};

    if (!sorted)
        return target < exec->count ? (int)target : -1;
    found = bsearch(&key, sorted, exec->count, sizeof *sorted, compare_handles);
    return found ? (int)found->index : -1;
}

static int relocate_entry(struct gpu_exec *exec, const struct sorted *sorted, unsigned buffer,
                          struct drm_i915_gem_relocation_entry *entry)
{
    struct gpu_bo *bo = exec->buffers[buffer].bo;
    const uint32_t gpu_domains = I915_GEM_DOMAIN_RENDER | I915_GEM_DOMAIN_SAMPLER |
                                 I915_GEM_DOMAIN_COMMAND | I915_GEM_DOMAIN_INSTRUCTION |
                                 I915_GEM_DOMAIN_VERTEX;
    size_t width = gpu_get_chip()->ver >= 8 ? 8 : 4;
    int target = find_target(exec, sorted, entry->target_handle);
    uint64_t address, value;

    if (target < 0)
        return -ENOENT;
    if (entry->write_domain & (entry->write_domain - 1) ||
        (entry->write_domain | entry->read_domains) & ~gpu_domains)
        return -EINVAL;
    if (entry->write_domain)
        exec->objects[target].flags |= EXEC_OBJECT_WRITE;
    address = gpu_canonical(exec->buffers[target].address);
    if (entry->presumed_offset == address)
        return 0;
    if (entry->offset > bo->size - width || entry->offset & 3)
        return -EINVAL;
    value = gpu_canonical(address + entry->delta);
    entry->presumed_offset = address;
    gpu_bo_wait(bo, true, INT64_MAX);
    if (bo->is_created && gpu_bo_map(bo)) {
        memcpy(gpu_bo_map(bo) + entry->offset, &value, width);
        return 0;
    }
    return gpu_bo_write(bo, entry->offset, &value, width);
}

static int relocate_buffer(struct gpu_exec *exec, const struct sorted *sorted, unsigned buffer)
{
    const struct drm_i915_gem_exec_object2 *object = &exec->objects[buffer];
    const unsigned part = MIN2(object->relocation_count, 8192); /* copied by one system call */
    struct drm_i915_gem_relocation_entry *entries = malloc(part * sizeof *entries);
    int error = entries || !part ? 0 : -ENOMEM;

    for (uint64_t i = 0; i < object->relocation_count && !error; i += part) {
        size_t count = MIN2(object->relocation_count - i, part);
        uint64_t address = object->relocs_ptr + i * sizeof *entries;
        bool has_changed = false;

        error = gpu_read_user(entries, address, count * sizeof *entries);
        for (size_t k = 0; k < count && !error; k++) {
            uint64_t presumed = entries[k].presumed_offset;

            error = relocate_entry(exec, sorted, buffer, &entries[k]);
            has_changed |= entries[k].presumed_offset != presumed;
        }
        if (has_changed) /* The kernel ignores errors, too. */
            gpu_write_user(address, entries, count * sizeof *entries);
    }
    free(entries);
    return error;
}

/* Returns whether no relocations are necessary: with I915_EXEC_NO_RELOC, the program guarantees
 * that they are right if all buffers are where it expects them. */
static bool can_skip(const struct gpu_exec *exec)
{
    if (!(exec->args->flags & I915_EXEC_NO_RELOC))
        return false;
    for (unsigned i = 0; i < exec->count; i++) {
        if (exec->objects[i].offset != gpu_canonical(exec->buffers[i].address))
            return false;
    }
    return true;
}

int gpu_exec_relocate(struct gpu_exec *exec)
{
    struct sorted *sorted = NULL;
    int error = 0;

    if (can_skip(exec))
        return 0;
    if (!(exec->args->flags & I915_EXEC_HANDLE_LUT)) {
        sorted = sort(exec, compare_handles);
        if (!sorted)
            return -ENOMEM;
    }
    for (unsigned i = 0; i < exec->count && !error; i++)
        error = relocate_buffer(exec, sorted, i);
    free(sorted);
    return error;
}
