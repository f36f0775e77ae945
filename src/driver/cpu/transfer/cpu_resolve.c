/* SPDX-License-Identifier: MIT */
/*
 * Multisample resolve of formats with 8-bit channels. The samples' planes have the layout of the
 * single-sampled destination, so whole blocks are averaged without conversion to linear rows. All
 * workers take part.
 */
#include "driver/cpu/transfer/cpu_resolve.h"

#include "driver/cpu/resource/cpu_layout.h"
#include "util/format.h"
#include "util/macros.h"
#include "util/thread_pool.h"

/* Returns whether all channels are linear 8-bit unsigned normalized. */
static bool is_bytes(enum drv_format format)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    bool bytes = d->layout == DRV_LAYOUT_PLAIN && d->colorspace == DRV_COLORSPACE_RGB;
    for (unsigned i = 0; i < d->nr_channels; i++) {
        const struct drv_format_channel *c = &d->channel[i];
        bool unused = c->type == DRV_CHANNEL_VOID;
        bytes =
            bytes && c->bits == 8 && (unused || (c->normalized && c->type == DRV_CHANNEL_UNSIGNED));
    }
    return bytes;
}

/* Returns whether a range of texels consists of whole blocks; it may end at the level's edge,
 * because texels outside the level are unused. */
static bool whole_blocks(int at, int size, uint32_t level_size)
{
    return at % CPU_BLOCK == 0 && (size % CPU_BLOCK == 0 || (uint32_t)(at + size) == level_size);
}

/* Averages `bytes` bytes of each sample; a multiple of 16. */
static void average(uint8_t *dst, const uint8_t *src, uint64_t sample_stride, unsigned log2_samples,
                    size_t bytes)
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

/* Resolves the part of the box in one row of tiles. Blocks of a row are consecutive inside a tile.
 * */
static void resolve_band(void *data, unsigned index)
{
    const struct cpu_resolve *r = data;
    const struct cpu_level_layout *dl = &r->dst->level[r->dst_level],
                                  *sl = &r->src->level[r->src_level];
    uint32_t bytes = r->dst->texel_bytes, bands = DIV_ROUND_UP(r->box.height, CPU_TILE);
    uint32_t layer = index / bands, first = index % bands * CPU_TILE;
    uint32_t end = MIN2(first + CPU_TILE, (uint32_t)r->box.height);
    uint8_t *to = cpu_resource_layer(r->dst, r->dst_level, r->box.z + layer);
    const uint8_t *from = cpu_resource_layer(r->src, r->src_level, r->src_z + layer);
    for (uint32_t y = first; y < end; y += CPU_BLOCK) {
        for (uint32_t x = 0; x < (uint32_t)r->box.width; x += CPU_BLOCK)
            average(to + cpu_layout_block_offset(dl, r->box.x + x, r->box.y + y, bytes),
                    from + cpu_layout_block_offset(sl, r->src_x + x, r->src_y + y, bytes),
                    sl->sample_stride, util_logbase2(sl->samples), 16 * (size_t)bytes);
    }
}

bool cpu_resolve_blocks(const struct cpu_resolve *r, enum drv_format format)
{
    const struct cpu_level_layout *dl = &r->dst->level[r->dst_level],
                                  *sl = &r->src->level[r->src_level];
    if (!is_bytes(format) || !whole_blocks(r->box.x, r->box.width, dl->width) ||
        !whole_blocks(r->box.y, r->box.height, dl->height) ||
        !whole_blocks(r->src_x, r->box.width, sl->width) ||
        !whole_blocks(r->src_y, r->box.height, sl->height))
        return false;
    thread_pool_run(resolve_band, (void *)r, DIV_ROUND_UP(r->box.height, CPU_TILE) * r->box.depth);
    return true;
}
