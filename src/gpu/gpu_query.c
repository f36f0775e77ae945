/* SPDX-License-Identifier: MIT */
/* Requests for properties of the GPU: GETPARAM, QUERY, registers, the aperture. */
#include <errno.h>
#include <libdrm/i915_drm.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "gpu/gpu_device.h"
#include "gpu/gpu_fence.h"
#include "gpu/gpu_requests.h"
#include "gpu/gpu_user.h"
#include "util/macros.h"

uint64_t gpu_memory_size(void)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* ---------------------------------------------------------------------------- getparam --- */

static bool has_engine(const struct gpu_chip *chip, enum gpu_engine engine)
{
    return chip->engines & BITFIELD_BIT(engine);
}

/* Returns a mask of the engine classes whose state is part of contexts. */
static int engine_classes(const struct gpu_chip *chip)
{
    int classes = 0;

    for (unsigned i = 0; i < GPU_ENGINE_COUNT; i++) {
        if (has_engine(chip, i) && (i == GPU_RENDER || chip->ver >= 8))
            classes |= BITFIELD_BIT(gpu_engine_class(i));
    }
    return classes;
}

static int scheduler_caps(const struct gpu_chip *chip)
{
    if (chip->ver < 8)
        return 0;
    return I915_SCHEDULER_CAP_ENABLED | I915_SCHEDULER_CAP_PRIORITY |
           I915_SCHEDULER_CAP_PREEMPTION | I915_SCHEDULER_CAP_SEMAPHORES |
           I915_SCHEDULER_CAP_ENGINE_BUSY_STATS;
}

/* Returns the value of a parameter that depends on the chip, or a negative errno: -EINVAL if
 * `param` isn't one. */
static int chip_param(const struct gpu_chip *chip, int param)
{
    switch (param) {
    case I915_PARAM_CHIPSET_ID:
        return chip->pci_id;
    case I915_PARAM_REVISION:
        return chip->revision;
    case I915_PARAM_NUM_FENCES_AVAIL:
        return chip->fences;
    case I915_PARAM_HAS_BSD:
        return has_engine(chip, GPU_VIDEO);
    case I915_PARAM_HAS_BSD2:
        return has_engine(chip, GPU_VIDEO2);
    case I915_PARAM_HAS_BLT:
        return has_engine(chip, GPU_COPY);
    case I915_PARAM_HAS_VEBOX:
        return has_engine(chip, GPU_VIDEO_ENHANCE);
    case I915_PARAM_HAS_LLC:
        return chip->has_llc;
    case I915_PARAM_HAS_ALIASING_PPGTT:
        return chip->ppgtt;
    case I915_PARAM_CMD_PARSER_VERSION:
        return chip->ver == 7 ? 10 : 0;
    case I915_PARAM_SUBSLICE_TOTAL:
        return chip->ver >= 7 ? chip->subslices : -ENODEV;
    case I915_PARAM_EU_TOTAL:
        return chip->ver >= 7 ? chip->subslices * chip->eus_per_subslice : -ENODEV;
    case I915_PARAM_SLICE_MASK:
        return chip->ver >= 7 ? 1 : -ENODEV;
    case I915_PARAM_SUBSLICE_MASK:
        return chip->ver >= 7 ? (int)BITFIELD_MASK(chip->subslices) : -ENODEV;
    case I915_PARAM_HAS_GPU_RESET:
        return chip->ver >= 8 ? 2 : 1; /* 2: single engines can be reset */
    case I915_PARAM_HAS_SCHEDULER:
        return scheduler_caps(chip);
    case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
        return (int)chip->timestamp_hz;
    case I915_PARAM_HAS_CONTEXT_ISOLATION:
        return engine_classes(chip);
    case I915_PARAM_MMAP_GTT_COHERENT:
        return chip->ver < 9; /* later chips buffer writes through the aperture */
    case I915_PARAM_HAS_SECURE_BATCHES:
        return 0;
    case I915_PARAM_HAS_EXEC_SUBMIT_FENCE:
        return chip->ver >= 8;
    default:
        return -EINVAL;
    }
}

/* Returns the value of a parameter that depends on the kernel's driver, or a negative errno. */
static int driver_param(int param)
{
    switch (param) {
    case I915_PARAM_HAS_GEM:
    case I915_PARAM_HAS_PAGEFLIPPING:
    case I915_PARAM_HAS_EXECBUF2:
    case I915_PARAM_HAS_RELAXED_FENCING:
    case I915_PARAM_HAS_COHERENT_RINGS:
    case I915_PARAM_HAS_RELAXED_DELTA:
    case I915_PARAM_HAS_GEN7_SOL_RESET:
    case I915_PARAM_HAS_WAIT_TIMEOUT:
    case I915_PARAM_HAS_PRIME_VMAP_FLUSH:
    case I915_PARAM_HAS_PINNED_BATCHES:
    case I915_PARAM_HAS_EXEC_NO_RELOC:
    case I915_PARAM_HAS_EXEC_HANDLE_LUT:
    case I915_PARAM_HAS_COHERENT_PHYS_GTT:
    case I915_PARAM_HAS_EXEC_SOFTPIN:
    case I915_PARAM_HAS_EXEC_ASYNC:
    case I915_PARAM_HAS_EXEC_FENCE:
    case I915_PARAM_HAS_EXEC_CAPTURE:
    case I915_PARAM_HAS_EXEC_BATCH_FIRST:
    case I915_PARAM_HAS_EXEC_FENCE_ARRAY:
    case I915_PARAM_HAS_EXEC_TIMELINE_FENCES:
    case I915_PARAM_HAS_USERPTR_PROBE:
    case I915_PARAM_MMAP_VERSION:
        return 1;
    case I915_PARAM_HAS_SEMAPHORES:
    case I915_PARAM_HAS_OVERLAY:
    case I915_PARAM_HAS_WT:
    case I915_PARAM_HAS_RESOURCE_STREAMER:
    case I915_PARAM_HAS_POOLED_EU:
    case I915_PARAM_MIN_EU_IN_POOL:
    case I915_PARAM_PERF_REVISION:
        return 0;
    case I915_PARAM_MMAP_GTT_VERSION:
        return 4; /* DRM_IOCTL_I915_GEM_MMAP_OFFSET */
    case I915_PARAM_HUC_STATUS:
    case I915_PARAM_IRQ_ACTIVE:
    case I915_PARAM_ALLOW_BATCHBUFFER:
    case I915_PARAM_LAST_DISPATCH:
    case I915_PARAM_HAS_EXEC_CONSTANTS:
        return -ENODEV;
    default:
        return -EINVAL;
    }
}

int gpu_getparam(struct gpu_file *file, void *data)
{
    struct drm_i915_getparam *args = data;
    int value = chip_param(gpu_get_chip(), args->param);

    if (value == -EINVAL)
        value = driver_param(args->param);
    if (value < 0)
        return value;
    return gpu_write_user((uintptr_t)args->value, &value, sizeof value);
}

/* ------------------------------------------------------------------------------- query --- */

/* The kernel's structures of answers end with flexible array members. In C, such a structure can be
 * a member of a union, but not of a structure, so unions with arrays of bytes provide the
 * memory. */

/* Stores an answer of `size` bytes, unless the program only asks for the size. Returns the size or
 * a negative errno. */
static int answer(const struct drm_i915_query_item *item, const void *data, size_t size)
{
    if (!item->length)
        return (int)size;
    if (item->length < 0 || (size_t)item->length < size)
        return -EINVAL;
    return gpu_write_user(item->data_ptr, data, size) ? -EFAULT : (int)size;
}

static int query_topology(const struct drm_i915_query_item *item)
{
    const struct gpu_chip *chip = gpu_get_chip();
    union {
        uint8_t bytes[sizeof(struct drm_i915_query_topology_info) + 64];
        struct drm_i915_query_topology_info info;
    } topology = {.bytes = {0}};
    struct drm_i915_query_topology_info *info = &topology.info;
    uint8_t *data = info->data;
    unsigned subslice_stride = DIV_ROUND_UP(chip->subslices, 8);
    unsigned eu_stride = DIV_ROUND_UP(chip->eus_per_subslice, 8);
    struct drm_i915_query_topology_info given;
    uint8_t *eus;

    if (item->flags)
        return -EINVAL;
    if (chip->ver < 8)
        return -ENODEV;
    info->max_slices = 1;
    info->max_subslices = chip->subslices;
    info->max_eus_per_subslice = chip->eus_per_subslice;
    info->subslice_offset = 1;
    info->subslice_stride = subslice_stride;
    info->eu_offset = 1 + subslice_stride;
    info->eu_stride = eu_stride;
    data[0] = 1;
    for (unsigned i = 0; i < chip->subslices; i++)
        data[1 + i / 8] |= 1 << i % 8;
    eus = data + 1 + subslice_stride;
    for (unsigned i = 0; i < chip->subslices; i++) {
        for (unsigned k = 0; k < chip->eus_per_subslice; k++)
            eus[i * eu_stride + k / 8] |= 1 << k % 8;
    }
    if (item->length > 0 && (size_t)item->length >= sizeof given) {
        if (gpu_read_user(&given, item->data_ptr, sizeof given) != 0)
            return -EFAULT;
        if (given.flags)
            return -EINVAL;
    }
    return answer(item, info, sizeof *info + 1 + subslice_stride + chip->subslices * eu_stride);
}

static int query_engines(const struct drm_i915_query_item *item)
{
    const struct gpu_chip *chip = gpu_get_chip();
    union {
        uint8_t bytes[sizeof(struct drm_i915_query_engine_info) +
                      GPU_ENGINE_COUNT * sizeof(struct drm_i915_engine_info)];
        struct drm_i915_query_engine_info info;
    } engines = {.bytes = {0}};
    struct drm_i915_query_engine_info *list = &engines.info;
    size_t size =
        sizeof *list + (size_t)__builtin_popcount(chip->engines) * sizeof list->engines[0];
    struct drm_i915_query_engine_info given;

    if (item->flags)
        return -EINVAL;
    if (item->length > 0 && (size_t)item->length >= size) {
        if (gpu_read_user(&given, item->data_ptr, sizeof given) != 0)
            return -EFAULT;
        if (given.num_engines || given.rsvd[0] || given.rsvd[1] || given.rsvd[2])
            return -EINVAL;
    }
    for (unsigned i = 0; i < GPU_ENGINE_COUNT; i++) {
        struct drm_i915_engine_info *info = &list->engines[list->num_engines];

        if (!has_engine(chip, i))
            continue;
        info->engine.engine_class = gpu_engine_class(i);
        info->engine.engine_instance = gpu_engine_instance(i);
        info->logical_instance = gpu_engine_instance(i);
        info->flags = I915_ENGINE_INFO_HAS_LOGICAL_INSTANCE;
        if (chip->ver >= 11 && i == GPU_VIDEO)
            info->capabilities |= I915_VIDEO_CLASS_CAPABILITY_HEVC;
        if (chip->ver >= 9 && (i == GPU_VIDEO || i == GPU_VIDEO_ENHANCE))
            info->capabilities |= I915_VIDEO_AND_ENHANCE_CLASS_CAPABILITY_SFC;
        list->num_engines++;
    }
    return answer(item, list, size);
}

static int query_regions(const struct drm_i915_query_item *item)
{
    union {
        uint8_t bytes[sizeof(struct drm_i915_query_memory_regions) +
                      sizeof(struct drm_i915_memory_region_info)];
        struct drm_i915_query_memory_regions info;
    } regions = {.bytes = {0}};
    struct drm_i915_query_memory_regions *list = &regions.info;
    struct drm_i915_memory_region_info *region = list->regions;
    struct drm_i915_query_memory_regions given;

    list->num_regions = 1;
    region->region.memory_class = I915_MEMORY_CLASS_SYSTEM;
    region->probed_size = region->unallocated_size = gpu_memory_size();
    /* probed_cpu_visible_size and unallocated_cpu_visible_size, since Linux 6.0 */
    region->rsvd1[0] = region->rsvd1[1] = gpu_memory_size();
    if (item->flags)
        return -EINVAL;
    if (item->length > 0 && (size_t)item->length >= sizeof regions) {
        if (gpu_read_user(&given, item->data_ptr, sizeof given) != 0)
            return -EFAULT;
        if (given.num_regions || given.rsvd[0] || given.rsvd[1] || given.rsvd[2])
            return -EINVAL;
    }
    return answer(item, list, sizeof regions);
}

static int query_item(const struct drm_i915_query_item *item)
{
    switch (item->query_id) {
    case DRM_I915_QUERY_TOPOLOGY_INFO:
        return query_topology(item);
    case DRM_I915_QUERY_ENGINE_INFO:
        return query_engines(item);
    case DRM_I915_QUERY_MEMORY_REGIONS:
        return query_regions(item);
    case DRM_I915_QUERY_PERF_CONFIG:
    case DRM_I915_QUERY_HWCONFIG_BLOB:      /* for GPUs whose firmware schedules batches */
    case DRM_I915_QUERY_GEOMETRY_SUBSLICES: /* for Xe HP */
        return -ENODEV;
    default:
        return -EINVAL;
    }
}

int gpu_query(struct gpu_file *file, void *data)
{
    const struct drm_i915_query *args = data;

    if (args->flags)
        return -EINVAL;
    for (uint32_t i = 0; i < args->num_items; i++) {
        uint64_t address = args->items_ptr + (uint64_t)i * sizeof(struct drm_i915_query_item);
        struct drm_i915_query_item item;
        int32_t length;

        if (gpu_read_user(&item, address, sizeof item) != 0)
            return -EFAULT;
        if (!item.query_id)
            return -EINVAL;
        length = query_item(&item);
        if (gpu_write_user(address + offsetof(struct drm_i915_query_item, length), &length,
                           sizeof length) != 0)
            return -EFAULT;
    }
    return 0;
}

/* ------------------------------------------------------------------------------ others --- */

/* The timestamp of the render engine is the only register that programs may read. */
int gpu_reg_read(struct gpu_file *file, void *data)
{
    enum { TIMESTAMP = 0x2358, FLAGS = I915_REG_READ_8B_WA };
    struct drm_i915_reg_read *args = data;
    const struct gpu_chip *chip = gpu_get_chip();
    uint64_t offset = args->offset & ~(uint64_t)FLAGS;

    if (chip->ver < 4 || offset != TIMESTAMP)
        return -EINVAL;
    args->val = (uint64_t)((unsigned __int128)gpu_now() * chip->timestamp_hz / 1000000000u) &
                BITFIELD64_MASK(36);
    return 0;
}

int gpu_gem_get_aperture(struct gpu_file *file, void *data)
{
    struct drm_i915_gem_get_aperture *args = data;
    unsigned bits = MIN2(gpu_get_chip()->address_bits, 32);

    args->aper_size = args->aper_available_size = 1ull << bits;
    return 0;
}
