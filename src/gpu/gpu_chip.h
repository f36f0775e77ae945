/* SPDX-License-Identifier: MIT */
/* The GPUs that can be emulated: what Linux's i915 driver reports for one model of each. */
#ifndef GPU_CHIP_H
#define GPU_CHIP_H

#include <stdbool.h>
#include <stdint.h>

/* Engines of a GPU. The order is that of I915_QUERY_ENGINE_INFO. */
enum gpu_engine {
    GPU_RENDER,
    GPU_COPY,
    GPU_VIDEO,
    GPU_VIDEO2,
    GPU_VIDEO_ENHANCE,
    GPU_ENGINE_COUNT,
};

/* How GPU addresses are translated. The values are those of I915_PARAM_HAS_ALIASING_PPGTT. */
enum gpu_ppgtt {
    GPU_PPGTT_NONE,    /* one address space, the global one, for everything */
    GPU_PPGTT_ALIASED, /* one address space; batches access it through separate page tables */
    GPU_PPGTT_FULL,    /* an address space for each context */
};

struct gpu_chip {
    const char *name;        /* Argument of `indium gpu --chip`, e.g. "skl"; "none": no GPU. */
    const char *i965_device; /* Name of the modeled i965_device; NULL: batches aren't executed. */
    uint16_t pci_id;
    uint8_t revision;
    uint8_t ver; /* Generation, e.g. 9; 0: a display without a GPU. */
    uint8_t subslices, eus_per_subslice;
    uint8_t engines;      /* Bit mask of enum gpu_engine. */
    uint8_t address_bits; /* An address space has 2^address_bits bytes. */
    enum gpu_ppgtt ppgtt;
    uint8_t fences;        /* Number of fence registers, which detile accesses of the CPU. */
    bool has_llc;          /* CPU and GPU share the last-level cache. */
    bool has_relocations;  /* The driver performs relocations. */
    uint32_t timestamp_hz; /* Frequency of the command streamer's timestamp. */
};

/* Returns the chip with that name, or NULL if the name is unknown. */
const struct gpu_chip *gpu_chip_by_name(const char *name);
/* Returns chip i, or NULL if there are no more. Chip 0 is "none"; the others follow, oldest
 * first. */
const struct gpu_chip *gpu_chip_by_index(unsigned i);

/* Returns the I915_ENGINE_CLASS_* of an engine. */
unsigned gpu_engine_class(enum gpu_engine engine);
/* Returns the instance of an engine within its class. */
unsigned gpu_engine_instance(enum gpu_engine engine);
/* Returns the engine of a class and instance, or GPU_ENGINE_COUNT if the chip lacks it. */
enum gpu_engine gpu_find_engine(const struct gpu_chip *chip, unsigned engine_class,
                                unsigned instance);

#endif
