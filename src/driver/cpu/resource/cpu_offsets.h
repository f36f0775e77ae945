/* SPDX-License-Identifier: MIT */
/*
 * Where rows and columns of a level's texels begin, as tables: kernels that fetch texels by rows or blocks
 * look them up, since a handful of instructions for each row would be a third of what a texel takes.
 */
#ifndef CPU_OFFSETS_H
#define CPU_OFFSETS_H

#include "driver/cpu/resource/cpu_layout.h"
#include "driver/cpu/resource/cpu_storage.h"

/* Kernels read so many entries behind the last, and then use none of the texels there. */
#define CPU_OFFSETS_BEHIND 4

/* Of one level, in bytes from the start of a layer's plane. Entries behind the last are like it. */
struct cpu_level_offsets {
    const uint32_t *rows;    /* of each row its first texel */
    const uint32_t *columns; /* of each fourth column, which begins a block, its first texel */
};

/* Fills tables of as many entries as the level has rows, or blocks beside each other, and CPU_OFFSETS_BEHIND. */
void cpu_offsets_fill(const struct cpu_level_layout *level, uint32_t texel_bytes, uint32_t *rows,
                      uint32_t *columns);

/* Those of the storage's levels 0 … last, of which layout[] tells; always the same for a storage. They live as
 * long as it does. NULL: no memory. Any thread. */
const struct cpu_level_offsets *cpu_offsets_get(struct cpu_storage *storage,
                                                const struct cpu_level_layout *layout,
                                                unsigned last, uint32_t texel_bytes);
void cpu_offsets_destroy(struct cpu_storage *storage);

#endif
