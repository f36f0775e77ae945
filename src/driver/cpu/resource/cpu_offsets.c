/* SPDX-License-Identifier: MIT */
#include "driver/cpu/resource/cpu_offsets.h"

#include <stdlib.h>

#include "util/macros.h"

static uint32_t num_rows(const struct cpu_level_layout *level)
{
    return level->height + CPU_OFFSETS_PADDING;
}

static uint32_t num_columns(const struct cpu_level_layout *level)
{
    return DIV_ROUND_UP(level->width, 4) + CPU_OFFSETS_PADDING;
}

void cpu_offsets_fill(const struct cpu_level_layout *level, uint32_t texel_bytes, uint32_t *rows,
                      uint32_t *columns)
{
    for (uint32_t i = 0; i < num_rows(level); i++) {
        const uint32_t y = MIN2(i, level->height - 1);
        rows[i] = (uint32_t)(cpu_layout_block_offset(level, 0, y, texel_bytes) +
                             cpu_layout_texel_index(0, y) * texel_bytes);
    }
    for (uint32_t i = 0; i < num_columns(level); i++) {
        const uint32_t x = MIN2(4 * i, (level->width - 1) & ~3u);
        columns[i] = (uint32_t)cpu_layout_block_offset(level, x, 0, texel_bytes);
    }
}

/* Builds the tables of all levels in one allocation: the array of pointers, then the tables. */
static struct cpu_level_offsets *create(const struct cpu_level_layout *layout, unsigned last,
                                        uint32_t texel_bytes)
{
    struct cpu_level_offsets *offsets;
    size_t entries = 0;

    for (unsigned i = 0; i <= last; i++)
        entries += num_rows(&layout[i]) + num_columns(&layout[i]);
    offsets = malloc((last + 1) * sizeof *offsets + entries * sizeof(uint32_t));
    if (!offsets)
        return NULL;
    uint32_t *entry = (uint32_t *)(offsets + last + 1);
    for (unsigned i = 0; i <= last; i++) {
        uint32_t *columns = entry + num_rows(&layout[i]);
        cpu_offsets_fill(&layout[i], texel_bytes, entry, columns);
        offsets[i] = (struct cpu_level_offsets){entry, columns};
        entry = columns + num_columns(&layout[i]);
    }
    return offsets;
}

const struct cpu_level_offsets *cpu_offsets_get(struct cpu_storage *storage,
                                                const struct cpu_level_layout *layout,
                                                unsigned last, uint32_t texel_bytes)
{
    struct cpu_level_offsets *there = __atomic_load_n(&storage->offsets, __ATOMIC_ACQUIRE);
    if (there)
        return there;
    struct cpu_level_offsets *made = create(layout, last, texel_bytes);
    if (!made || __atomic_compare_exchange_n(&storage->offsets, &there, made, false,
                                             __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    free(made);
    return there;
}

void cpu_offsets_destroy(struct cpu_storage *storage)
{
    free(storage->offsets);
}
