/* SPDX-License-Identifier: MIT */
/* Shared by the tests of kernels: an engine for each vector width up to INDIUM_LANES, and image
 * layout. Include after cmocka.h, once per program. */
#ifndef KERNEL_TEST_H
#define KERNEL_TEST_H

#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/resource/cpu_offsets.h"
#include "util/options.h"

static struct jit_engine *engines[3]; /* in order of width */
static unsigned num_engines;

/* Group setup and teardown for cmocka. The setup fails if an engine can't be created. */
static int create_engines(void **state)
{
    const unsigned most = util_get_options()->lanes ? util_get_options()->lanes : 16;

    for (unsigned lanes = 4; lanes <= most; lanes *= 2) {
        struct jit_engine *engine = jit_engine_create(lanes);
        if (!engine || jit_engine_lanes(engine) != lanes)
            return -1;
        engines[num_engines++] = engine;
    }
    return 0;
}

static int destroy_engines(void **state)
{
    for (unsigned i = 0; i < num_engines; i++)
        jit_engine_destroy(engines[i]);
    return 0;
}

/* Returns the index of a texel in an image that is tile_w blocks wide. */
static inline unsigned texel_index(unsigned x, unsigned y, unsigned tile_w)
{
    unsigned block = (y >> 2) * tile_w + (x >> 2);
    return block * 16 + (y >> 1 & 1) * 8 + (x >> 1 & 1) * 4 + (y & 1) * 2 + (x & 1);
}

/* Offset tables of a level of up to 80×80 texels. */
struct test_offsets {
    uint32_t rows[80 + CPU_OFFSETS_PADDING], columns[20 + CPU_OFFSETS_PADDING];
};

/* Returns a level with one layer at `base`. Stores its tables in *offsets. */
static inline struct cpu_level test_level(const void *base, unsigned width, unsigned height,
                                          unsigned texel_bytes, struct test_offsets *offsets)
{
    struct cpu_level_layout layout;
    uint64_t offset = 0;
    cpu_layout_init(&layout, width, height, 1, 1, texel_bytes, &offset);
    cpu_offsets_fill(&layout, texel_bytes, offsets->rows, offsets->columns);
    return (struct cpu_level){.base = base,
                              .width = width,
                              .height = height,
                              .depth = 1,
                              .tile_w = layout.tile_w,
                              .tiles_x = layout.tiles_x,
                              .scale = {256.0f * (float)width, 256.0f * (float)height},
                              .rows = offsets->rows,
                              .columns = offsets->columns};
}

#endif
