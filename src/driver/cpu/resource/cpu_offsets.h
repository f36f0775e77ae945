/* SPDX-License-Identifier: MIT */
/*
 * Tables of texel offsets of a level, by row and by column of blocks. Kernels that fetch whole rows
 * or blocks of texels read them instead of computing the tiled address.
 */
#ifndef CPU_OFFSETS_H
#define CPU_OFFSETS_H

#include "driver/cpu/resource/cpu_layout.h"
#include "driver/cpu/resource/cpu_storage.h"

/* Extra entries at the end of a table. Kernels may read them but use none of the texels there. */
#define CPU_OFFSETS_PADDING 4

/* Byte offsets from the start of a plane: rows[y] + columns[x / 4] is the offset of texel (x & ~3,
 * y). The padding entries repeat the last offset. */
struct cpu_level_offsets {
    const uint32_t *rows;    /* one entry per row of texels */
    const uint32_t *columns; /* one entry per column of blocks */
};

/* Fills the tables of a level. rows has an entry per row of texels, columns an entry per column of
 * blocks; both have CPU_OFFSETS_PADDING entries more. */
void cpu_offsets_fill(const struct cpu_level_layout *level, uint32_t texel_bytes, uint32_t *rows,
                      uint32_t *columns);

/* Returns the offset tables of levels 0 to `last`. The first call for a storage builds them; later
 * calls must pass the same arguments. The tables live as long as the storage. Returns NULL if out
 * of memory. Any thread. */
const struct cpu_level_offsets *cpu_offsets_get(struct cpu_storage *storage,
                                                const struct cpu_level_layout *layout,
                                                unsigned last, uint32_t texel_bytes);
/* Frees the tables; called when the storage is freed. */
void cpu_offsets_destroy(struct cpu_storage *storage);

#endif
