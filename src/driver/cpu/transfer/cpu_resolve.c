/* SPDX-License-Identifier: MIT */
/*
 * Multisample resolve. The samples' planes have the layout of the single-sampled destination, so
 * runs of adjacent blocks are averaged without conversion to linear rows. Channels of 8 bits are
 * averaged as integers, others as planes of floats (util/format_planes.h). All workers take part.
 */
#include "driver/cpu/transfer/cpu_resolve.h"

#include <string.h>

#include "driver/cpu/resource/cpu_layout.h"
#include "driver/cpu/resource/cpu_sparse.h"
#include "util/format.h"
#include "util/format_planes.h"
#include "util/macros.h"
#include "util/thread_pool.h"

struct resolve {
    const struct cpu_resolve *r;
    struct util_planes_format format;
    bool bytes; /* all channels are linear 8-bit unsigned normalized */
    uint32_t texel_bytes;
};

/* Returns whether a range of texels consists of whole blocks; it may end at the level's edge,
 * because texels outside the level are unused. */
static bool whole_blocks(int at, int size, uint32_t level_size)
{
    return at % CPU_BLOCK == 0 && (size % CPU_BLOCK == 0 || (uint32_t)(at + size) == level_size);
}

/* Averages `bytes` bytes of each sample; a multiple of 16. */
static void average_bytes(uint8_t *dst, const uint8_t *src, uint64_t sample_stride,
                          unsigned log2_samples, size_t bytes)
{
    typedef uint8_t v16u8 __attribute__((vector_size(16)));
    typedef uint16_t v16u16 __attribute__((vector_size(32)));
    for (size_t i = 0; i < bytes; i += 16) {
        v16u16 sum = (v16u16){0} + (uint16_t)(1 << log2_samples >> 1);
        for (unsigned s = 0; s < 1u << log2_samples; s++) {
            v16u8 sample;
            memcpy(&sample, src + s * sample_stride + i, sizeof sample);
            sum += __builtin_convertvector(sample, v16u16);
        }
        v16u8 mean = __builtin_convertvector(sum >> log2_samples, v16u8);
        memcpy(dst + i, &mean, sizeof mean);
    }
}

/* Averages count texels of each sample; count is at most UTIL_CHUNK. The samples are added in
 * order, so that the result doesn't depend on the vector width. */
static void average_planes(const struct resolve *v, uint8_t *dst, const uint8_t *src,
                           uint64_t sample_stride, unsigned samples, unsigned count)
{
    struct util_planes sum, sample;
    util_texels_to_planes(&v->format, src, count, &sum);
    for (unsigned s = 1; s < samples; s++) {
        util_texels_to_planes(&v->format, src + s * sample_stride, count, &sample);
        for (unsigned c = 0; c < 4; c++)
            if (v->format.components >> c & 1)
                util_plane_add((float *)sum.value[c], (const float *)sample.value[c],
                               s == samples - 1 ? 1.0f / samples : 1.0f, count);
    }
    util_planes_to_texels(&v->format, dst, count, &sum);
}

/* Resolves the part of the box in one row of tiles. Blocks of a row are consecutive inside a tile.
 */
static void resolve_band(void *data, unsigned index)
{
    const struct resolve *v = data;
    const struct cpu_resolve *r = v->r;
    const struct cpu_level_layout *dl = &r->dst->level[r->dst_level],
                                  *sl = &r->src->level[r->src_level];
    uint32_t bytes = v->texel_bytes, bands = DIV_ROUND_UP(r->box.height, CPU_TILE);
    uint32_t layer = index / bands, first = index % bands * CPU_TILE;
    uint32_t end = MIN2(first + CPU_TILE, (uint32_t)r->box.height);
    uint8_t *to = cpu_resource_layer(r->dst, r->dst_level, r->box.z + layer);
    const uint8_t *from = cpu_resource_layer(r->src, r->src_level, r->src_z + layer);
    for (uint32_t y = first; y < end; y += CPU_BLOCK)
        for (uint32_t x = 0, next; x < (uint32_t)r->box.width; x = next) {
            const uint32_t dx = r->box.x + x, sx = r->src_x + x;
            const uint32_t most = CPU_TILE - MAX2(dx % CPU_TILE, sx % CPU_TILE);
            next = MIN2(x + most, ALIGN_POT((uint32_t)r->box.width, CPU_BLOCK));
            uint8_t *d = to + cpu_layout_block_offset(dl, dx, r->box.y + y, bytes);
            const uint8_t *s = from + cpu_layout_block_offset(sl, sx, r->src_y + y, bytes);
            const unsigned texels = (next - x) * CPU_BLOCK;
            if (v->bytes)
                average_bytes(d, s, sl->sample_stride, util_logbase2(sl->samples),
                              (size_t)texels * bytes);
            else
                average_planes(v, d, s, sl->sample_stride, sl->samples, texels);
        }
}

bool cpu_resolve_blocks(const struct cpu_resolve *r, enum drv_format format)
{
    const struct cpu_level_layout *dl = &r->dst->level[r->dst_level],
                                  *sl = &r->src->level[r->src_level];
    struct resolve v = {
        .r = r,
        .bytes = util_format_is_unorm8_array(format),
        .texel_bytes = r->dst->texel_bytes,
    };
    if (!util_planes_format_init(&v.format, format, true) ||
        !whole_blocks(r->box.x, r->box.width, dl->width) ||
        !whole_blocks(r->box.y, r->box.height, dl->height) ||
        !whole_blocks(r->src_x, r->box.width, sl->width) ||
        !whole_blocks(r->src_y, r->box.height, sl->height))
        return false;
    /* fast-cleared tiles are written to memory by one thread */
    cpu_resource_layer(r->dst, r->dst_level, 0);
    cpu_resource_layer(r->src, r->src_level, 0);
    thread_pool_run(resolve_band, &v, DIV_ROUND_UP(r->box.height, CPU_TILE) * r->box.depth);
    cpu_sparse_discard(r->dst, r->dst_level, &r->box);
    return true;
}
