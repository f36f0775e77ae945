/* SPDX-License-Identifier: MIT */
/* The table of GPUs. PCI ids, EUs and engines are from Intel's PRMs ("Configurations"); address
 * spaces and relocations are those of the i915 driver. */
#include "gpu/gpu_chip.h"

#include <libdrm/i915_drm.h>
#include <string.h>

#include "util/macros.h"

#define RENDER        BITFIELD_BIT(GPU_RENDER)
#define COPY          BITFIELD_BIT(GPU_COPY)
#define VIDEO         BITFIELD_BIT(GPU_VIDEO)
#define VIDEO2        BITFIELD_BIT(GPU_VIDEO2)
#define VIDEO_ENHANCE BITFIELD_BIT(GPU_VIDEO_ENHANCE)

static const struct gpu_chip chips[] = {
    {
        .name = "none",
        .address_bits = 32,
    },
    {
        .name = "g45",
        .pci_id = 0x2e22,
        .revision = 3,
        .ver = 4,
        .subslices = 1,
        .eus_per_subslice = 10,
        .engines = RENDER | VIDEO,
        .address_bits = 29,
        .ppgtt = GPU_PPGTT_NONE,
        .fences = 16,
        .has_relocations = true,
        .timestamp_hz = 12500000,
    },
    {
        .name = "ilk",
        .pci_id = 0x0046,
        .revision = 2,
        .ver = 5,
        .subslices = 1,
        .eus_per_subslice = 12,
        .engines = RENDER | VIDEO,
        .address_bits = 31,
        .ppgtt = GPU_PPGTT_NONE,
        .fences = 16,
        .has_relocations = true,
        .timestamp_hz = 12500000,
    },
    {
        .name = "snb",
        .pci_id = 0x0126,
        .revision = 9,
        .ver = 6,
        .subslices = 1,
        .eus_per_subslice = 12,
        .engines = RENDER | VIDEO | COPY,
        .address_bits = 31,
        .ppgtt = GPU_PPGTT_ALIASED,
        .fences = 16,
        .has_llc = true,
        .has_relocations = true,
        .timestamp_hz = 12500000,
    },
    {
        .name = "ivb",
        .pci_id = 0x0166,
        .revision = 9,
        .ver = 7,
        .subslices = 2,
        .eus_per_subslice = 8,
        .engines = RENDER | VIDEO | COPY,
        .address_bits = 31,
        .ppgtt = GPU_PPGTT_ALIASED,
        .fences = 32,
        .has_llc = true,
        .has_relocations = true,
        .timestamp_hz = 12500000,
    },
    {
        .name = "hsw",
        .pci_id = 0x0412,
        .revision = 6,
        .ver = 7,
        .subslices = 2,
        .eus_per_subslice = 10,
        .engines = RENDER | VIDEO | COPY | VIDEO_ENHANCE,
        .address_bits = 31,
        .ppgtt = GPU_PPGTT_ALIASED,
        .fences = 32,
        .has_llc = true,
        .has_relocations = true,
        .timestamp_hz = 12500000,
    },
    {
        .name = "bdw",
        .pci_id = 0x1616,
        .revision = 9,
        .ver = 8,
        .subslices = 3,
        .eus_per_subslice = 8,
        .engines = RENDER | VIDEO | COPY | VIDEO_ENHANCE,
        .address_bits = 48,
        .ppgtt = GPU_PPGTT_FULL,
        .fences = 32,
        .has_llc = true,
        .has_relocations = true,
        .timestamp_hz = 12500000,
    },
    {
        .name = "skl",
        .i965_device = "skl",
        .pci_id = 0x1912,
        .revision = 6,
        .ver = 9,
        .subslices = 3,
        .eus_per_subslice = 8,
        .engines = RENDER | VIDEO | COPY | VIDEO_ENHANCE,
        .address_bits = 48,
        .ppgtt = GPU_PPGTT_FULL,
        .fences = 32,
        .has_llc = true,
        .has_relocations = true,
        .timestamp_hz = 12000000,
    },
    {
        .name = "icl",
        .pci_id = 0x8a52,
        .revision = 7,
        .ver = 11,
        .subslices = 8,
        .eus_per_subslice = 8,
        .engines = RENDER | VIDEO | VIDEO2 | COPY | VIDEO_ENHANCE,
        .address_bits = 48,
        .ppgtt = GPU_PPGTT_FULL,
        .fences = 32,
        .has_llc = true,
        .has_relocations = true,
        .timestamp_hz = 12000000,
    },
    {
        .name = "ehl",
        .pci_id = 0x4571,
        .revision = 1,
        .ver = 11,
        .subslices = 4,
        .eus_per_subslice = 8,
        .engines = RENDER | VIDEO | COPY | VIDEO_ENHANCE,
        .address_bits = 36,
        .ppgtt = GPU_PPGTT_FULL,
        .fences = 32,
        .has_relocations = true,
        .timestamp_hz = 12000000,
    },
    {
        .name = "tgl",
        .pci_id = 0x9a49,
        .revision = 1,
        .ver = 12,
        .subslices = 6,
        .eus_per_subslice = 16,
        .engines = RENDER | VIDEO | VIDEO2 | COPY | VIDEO_ENHANCE,
        .address_bits = 48,
        .ppgtt = GPU_PPGTT_FULL,
        .fences = 32,
        .has_llc = true,
        .has_relocations = true,
        .timestamp_hz = 19200000,
    },
    {
        .name = "adl",
        .pci_id = 0x46a6,
        .revision = 12,
        .ver = 12,
        .subslices = 6,
        .eus_per_subslice = 16,
        .engines = RENDER | VIDEO | VIDEO2 | COPY | VIDEO_ENHANCE,
        .address_bits = 48,
        .ppgtt = GPU_PPGTT_FULL,
        .fences = 32,
        .has_llc = true,
        .timestamp_hz = 19200000,
    },
};

const struct gpu_chip *gpu_chip_by_name(const char *name)
{
    for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
        if (strcmp(chips[i].name, name) == 0)
            return &chips[i];
    }
    return NULL;
}

const struct gpu_chip *gpu_chip_by_index(unsigned i)
{
    return i < ARRAY_SIZE(chips) ? &chips[i] : NULL;
}

static const struct {
    uint8_t engine_class, instance;
} engines[GPU_ENGINE_COUNT] = {
    [GPU_RENDER] = {I915_ENGINE_CLASS_RENDER, 0},
    [GPU_COPY] = {I915_ENGINE_CLASS_COPY, 0},
    [GPU_VIDEO] = {I915_ENGINE_CLASS_VIDEO, 0},
    [GPU_VIDEO2] = {I915_ENGINE_CLASS_VIDEO, 1},
    [GPU_VIDEO_ENHANCE] = {I915_ENGINE_CLASS_VIDEO_ENHANCE, 0},
};

unsigned gpu_engine_class(enum gpu_engine engine)
{
    return engines[engine].engine_class;
}

unsigned gpu_engine_instance(enum gpu_engine engine)
{
    return engines[engine].instance;
}

enum gpu_engine gpu_find_engine(const struct gpu_chip *chip, unsigned engine_class,
                                unsigned instance)
{
    for (unsigned i = 0; i < GPU_ENGINE_COUNT; i++) {
        if (chip->engines & BITFIELD_BIT(i) && engines[i].engine_class == engine_class &&
            engines[i].instance == instance)
            return i;
    }
    return GPU_ENGINE_COUNT;
}
