/* SPDX-License-Identifier: MIT */
/*
 * glGenerateMipmap. A linear filter samples the previous level at the center of each new texel: the
 * mean of 2×2 texels where the size halves exactly; at odd sizes the weights vary, so that all
 * columns and rows contribute. Texels with 8-bit channels are filtered as samplers do
 * (cpu_nir_filter.c), others as floats.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cpu/context/cpu_context.h"
#include "driver/cpu/resource/cpu_resource.h"
#include "driver/cpu/transfer/cpu_transfer.h"
#include "util/format.h"
#include "util/macros.h"

/* The two source texels of a new texel along an axis. */
struct tap {
    uint32_t at[2];
    uint32_t weight; /* weight of at[1] in 1/256 */
};

/* A row of blocks as linear texels, which are fast to read and write. */
struct strip {
    uint8_t *texels; /* four rows of texels */
    size_t stride;
    unsigned z, first; /* slice and first row; empty if `first` is not a multiple of 4 */
};

struct halving {
    struct cpu_resource *r;
    enum drv_format format;
    bool bytes; /* texels are 32-bit words of up to four 8-bit channels */
    bool depth;
    bool is_3d;
    unsigned level;         /* the level that is generated from level - 1 */
    struct strip source[2]; /* one per source slice */
    struct strip target;
    float (*row[4])[4]; /* filtered rows */
    float (*unpacked)[4];
    struct tap *column;
};

static struct tap find_tap(uint32_t i, uint32_t new_size, uint32_t old_size)
{
    double x = (i + 0.5) * old_size / new_size - 0.5, base = floor(x);
    uint32_t at = base < 0 ? 0 : (uint32_t)base;
    return (struct tap){{MIN2(at, old_size - 1), MIN2(at + 1, old_size - 1)},
                        base < 0 ? 0 : (uint32_t)((x - base) * 256.0 + 0.5)};
}

/* --- words of 8-bit channels --- */

/* Returns the mean of each byte, with halves rounded up. */
static inline uint32_t mean_bytes(uint32_t x, uint32_t y)
{
    return (x | y) - ((x ^ y) >> 1 & 0x7f7f7f7f);
}

static inline uint32_t lerp_bytes(uint32_t x, uint32_t y, uint32_t weight)
{
    const uint32_t mask = 0x00ff00ff;
    uint32_t x0 = x & mask, x1 = x >> 8 & mask, y0 = y & mask, y1 = y >> 8 & mask;
    uint32_t even = ((x0 << 8) + (y0 - x0) * weight + 0x00800080) >> 8 & mask;
    uint32_t odd = ((x1 << 8) + (y1 - x1) * weight + 0x00800080) & ~mask;
    return even | odd;
}

/* Returns row y of source slice z, the k-th of the new slice (0 or 1). */
static const uint8_t *read_row(struct halving *h, unsigned y, unsigned k, unsigned z)
{
    const struct cpu_level_layout *l = &h->r->level[h->level - 1];
    struct strip *s = &h->source[k];

    if (s->first != (y & ~3u) || s->z != z) {
        s->first = y & ~3u;
        s->z = z;
        cpu_layout_read(l, cpu_resource_layer(h->r, h->level - 1, z), h->r->texel_bytes, 0,
                        s->first, l->width, MIN2(4, l->height - s->first), s->texels, s->stride);
    }
    return s->texels + (y & 3) * s->stride;
}

/* Returns the memory for row y of the new level; write_row() stores the row. Rows come in order. */
static uint8_t *target_row(const struct halving *h, unsigned y)
{
    return h->target.texels + (y & 3) * h->target.stride;
}

static void write_row(const struct halving *h, unsigned y, unsigned z)
{
    const struct cpu_level_layout *l = &h->r->level[h->level];

    if ((y & 3) == 3 || y == l->height - 1)
        cpu_layout_write(l, cpu_resource_layer(h->r, h->level, z), h->r->texel_bytes, 0, y & ~3u,
                         l->width, (y & 3) + 1, h->target.texels, h->target.stride);
}

/* Filters row y of source slice k along x, with one word per texel. */
static void filter_columns_bytes(struct halving *h, unsigned y, unsigned k, unsigned z,
                                 uint32_t *to)
{
    uint32_t old_width = h->r->level[h->level - 1].width, width = h->r->level[h->level].width;
    uint32_t *words = (uint32_t *)h->unpacked;
    const uint8_t *texels = read_row(h, y, k, z);

    if (h->r->texel_bytes == 4) {
        words = (uint32_t *)texels;
    } else if (h->r->texel_bytes == 2) {
        for (uint32_t x = 0; x < old_width; x++)
            words[x] = ((const uint16_t *)texels)[x];
    } else {
        for (uint32_t x = 0; x < old_width; x++)
            words[x] = texels[x];
    }
    if (old_width == 2 * width) {
        for (uint32_t x = 0; x < width; x++)
            to[x] = mean_bytes(words[2 * x], words[2 * x + 1]);
        return;
    }
    for (uint32_t x = 0; x < width; x++) {
        const struct tap *t = &h->column[x];
        to[x] = lerp_bytes(words[t->at[0]], words[t->at[1]], t->weight);
    }
}

static void lerp_rows_bytes(uint32_t *x, const uint32_t *y, uint32_t weight, uint32_t width)
{
    if (weight == 128) {
        for (uint32_t i = 0; i < width; i++)
            x[i] = mean_bytes(x[i], y[i]);
        return;
    }
    for (uint32_t i = 0; i < width; i++)
        x[i] = lerp_bytes(x[i], y[i], weight);
}

static void halve_row_bytes(struct halving *h, unsigned y, unsigned z, const struct tap *row,
                            const struct tap *slice)
{
    uint32_t width = h->r->level[h->level].width;
    uint32_t *sum[4] = {(uint32_t *)h->row[0], (uint32_t *)h->row[1], (uint32_t *)h->row[2],
                        (uint32_t *)h->row[3]};

    for (unsigned k = 0; k < (h->is_3d ? 2 : 1); k++) {
        for (unsigned i = 0; i < 2; i++)
            filter_columns_bytes(h, row->at[i], k, slice->at[k], sum[2 * k + i]);
        lerp_rows_bytes(sum[2 * k], sum[2 * k + 1], row->weight, width);
    }
    if (h->is_3d)
        lerp_rows_bytes(sum[0], sum[2], slice->weight, width);
    uint8_t *to = target_row(h, y);
    if (h->r->texel_bytes == 4) {
        memcpy(to, sum[0], width * sizeof *sum[0]);
    } else if (h->r->texel_bytes == 2) {
        for (uint32_t x = 0; x < width; x++)
            ((uint16_t *)to)[x] = sum[0][x];
    } else {
        for (uint32_t x = 0; x < width; x++)
            to[x] = sum[0][x];
    }
    write_row(h, y, z);
}

/* --- floats --- */

static void filter_columns(struct halving *h, unsigned y, unsigned k, unsigned z, float (*to)[4])
{
    uint32_t old_width = h->r->level[h->level - 1].width;
    const uint8_t *texels = read_row(h, y, k, z);

    if (h->depth) {
        float *depth = (float *)h->unpacked;
        util_format_unpack_depth(h->format, depth, texels, old_width);
        for (uint32_t x = old_width; x-- > 0;)
            h->unpacked[x][0] = depth[x];
    } else {
        util_format_unpack_float(h->format, h->unpacked, texels, old_width);
    }
    for (uint32_t x = 0; x < h->r->level[h->level].width; x++) {
        const struct tap *t = &h->column[x];
        const float *a = h->unpacked[t->at[0]], *b = h->unpacked[t->at[1]];
        float w = t->weight / 256.0f;
        for (unsigned c = 0; c < 4; c++)
            to[x][c] = a[c] * (1.0f - w) + b[c] * w;
    }
}

static void lerp_rows(float (*x)[4], float (*y)[4], uint32_t weight, uint32_t width)
{
    float w = weight / 256.0f;
    for (uint32_t i = 0; i < width; i++)
        for (unsigned c = 0; c < 4; c++)
            x[i][c] = x[i][c] * (1.0f - w) + y[i][c] * w;
}

static void halve_row_float(struct halving *h, unsigned y, unsigned z, const struct tap *row,
                            const struct tap *slice)
{
    uint32_t width = h->r->level[h->level].width;

    for (unsigned k = 0; k < (h->is_3d ? 2 : 1); k++) {
        for (unsigned i = 0; i < 2; i++)
            filter_columns(h, row->at[i], k, slice->at[k], h->row[2 * k + i]);
        lerp_rows(h->row[2 * k], h->row[2 * k + 1], row->weight, width);
    }
    if (h->is_3d)
        lerp_rows(h->row[0], h->row[2], slice->weight, width);
    if (h->depth) {
        float *depth = (float *)h->unpacked;
        for (uint32_t x = 0; x < width; x++)
            depth[x] = h->row[0][x][0];
        memset(target_row(h, y), 0, (size_t)width * h->r->texel_bytes);
        util_format_pack_depth(h->format, target_row(h, y), depth, width);
    } else {
        util_format_pack_float(h->format, target_row(h, y), (const float(*)[4])h->row[0], width);
    }
    write_row(h, y, z);
}

/* --- exact halves of 2D images with 32-bit texels --- */

typedef uint32_t v4u32 __attribute__((vector_size(16)));

/* Returns the means of a block's four quads, which are consecutive: a quad of the new level. */
static inline v4u32 halve_block(const v4u32 *block)
{
    v4u32 a = __builtin_shufflevector(block[0], block[1], 0, 4, 1, 5);
    v4u32 b = __builtin_shufflevector(block[2], block[3], 0, 4, 1, 5);
    v4u32 c = __builtin_shufflevector(block[0], block[1], 2, 6, 3, 7);
    v4u32 d = __builtin_shufflevector(block[2], block[3], 2, 6, 3, 7);
    v4u32 row[2], texel[4] = {
                      __builtin_shufflevector(a, b, 0, 1, 4, 5),
                      __builtin_shufflevector(a, b, 2, 3, 6, 7),
                      __builtin_shufflevector(c, d, 0, 1, 4, 5),
                      __builtin_shufflevector(c, d, 2, 3, 6, 7),
                  };
    for (unsigned i = 0; i < 2; i++)
        row[i] = (texel[2 * i] | texel[2 * i + 1]) -
                 ((texel[2 * i] ^ texel[2 * i + 1]) >> 1 & 0x7f7f7f7f);
    return (row[0] | row[1]) - ((row[0] ^ row[1]) >> 1 & 0x7f7f7f7f);
}

/* Halves a layer block by block; texels of a block outside the level are unused. */
static void halve_layer_words(const struct halving *h, unsigned z)
{
    const struct cpu_level_layout *s = &h->r->level[h->level - 1], *d = &h->r->level[h->level];
    const uint8_t *from = cpu_resource_layer(h->r, h->level - 1, z);
    uint8_t *to = cpu_resource_layer(h->r, h->level, z);

    for (uint32_t y = 0; y < s->height; y += 4) {
        for (uint32_t x = 0; x < s->width; x += 4) {
            const v4u32 *block = (const v4u32 *)(from + cpu_layout_block_offset(s, x, y, 4));
            uint32_t quad = (y >> 2 & 1) * 2 + (x >> 2 & 1);
            ((v4u32 *)(to + cpu_layout_block_offset(d, x / 2, y / 2, 4)))[quad] =
                halve_block(block);
        }
    }
}

static bool halves_words(const struct halving *h)
{
    const struct cpu_level_layout *s = &h->r->level[h->level - 1], *d = &h->r->level[h->level];

    return h->bytes && h->r->texel_bytes == 4 && !h->is_3d && s->width == 2 * d->width &&
           s->height == 2 * d->height;
}

/* --- levels --- */

static void halve_level(struct halving *h, unsigned first_layer, unsigned last_layer)
{
    const struct cpu_level_layout *s = &h->r->level[h->level - 1], *d = &h->r->level[h->level];

    if (halves_words(h)) {
        for (unsigned z = first_layer; z <= last_layer; z++)
            halve_layer_words(h, z);
        return;
    }
    h->source[0].first = h->source[1].first = 1;
    if (h->is_3d) {
        first_layer = 0;
        last_layer = d->layers - 1;
    }
    for (uint32_t x = 0; x < d->width; x++)
        h->column[x] = find_tap(x, d->width, s->width);
    for (unsigned z = first_layer; z <= last_layer; z++) {
        struct tap slice = h->is_3d ? find_tap(z, d->layers, s->layers) : (struct tap){{z, z}, 0};
        for (unsigned y = 0; y < d->height; y++) {
            struct tap row = find_tap(y, d->height, s->height);
            if (h->bytes)
                halve_row_bytes(h, y, z, &row, &slice);
            else
                halve_row_float(h, y, z, &row, &slice);
        }
    }
}

/* Returns whether texels are up to four linear 8-bit channels. */
static bool is_bytes(enum drv_format format)
{
    return util_format_is_unorm8_array(format) && drv_format_desc(format)->block_bytes != 3;
}

/* --- compressed formats: the decoded texels are filtered, then encoded, then decoded again --- */

/* Encodes a layer, one row of blocks at a time. texels and floats hold four rows each. */
static void encode_layer(struct cpu_resource *r, unsigned level, unsigned z, uint8_t *texels,
                         float (*floats)[4])
{
    const struct cpu_level_layout *l = &r->level[level];
    enum drv_format raw = util_format_linear(r->store_format);
    uint8_t *blocks = r->blocks.data + r->blocks.offset[level] + z * r->blocks.layer_stride[level];

    for (uint32_t y = 0; y < l->height; y += 4, blocks += r->blocks.stride[level]) {
        uint32_t height = MIN2(4, l->height - y);
        cpu_layout_read(l, cpu_resource_layer(r, level, z), r->texel_bytes, 0, y, l->width, height,
                        texels, (ptrdiff_t)l->width * r->texel_bytes);
        util_format_unpack_float(raw, floats, texels, l->width * height);
        util_format_compress(r->base.format, blocks, r->blocks.stride[level],
                             (const float(*)[4])floats, l->width, l->width, height);
    }
}

/* Encodes the layers of a level; reuses the memory of the strips. */
static void encode_level(const struct halving *h, unsigned level, unsigned first_layer,
                         unsigned last_layer)
{
    const struct cpu_level_layout *l = &h->r->level[level];
    struct drv_box box = {
        0, 0, (int)first_layer, (int)l->width, (int)l->height, (int)(last_layer - first_layer + 1)};

    for (unsigned z = first_layer; z <= last_layer; z++)
        encode_layer(h->r, level, z, h->source[0].texels, (float(*)[4])h->source[1].texels);
    cpu_resource_decode(h->r, level, &box);
}

void cpu_generate_mipmap(struct drv_context *base, struct drv_resource *resource,
                         enum drv_format format, unsigned first_level, unsigned last_level,
                         unsigned first_layer, unsigned last_layer)
{
    struct cpu_resource *r = cpu_resource(resource);
    if (util_format_is_pure_integer(format) ||
        (r->blocks.data && !util_format_can_compress(r->base.format)))
        return;
    format = cpu_store_format(format);
    cpu_context_sync(cpu_context(base), r->storage, true);
    size_t width = r->level[first_level].width, row_bytes = width * sizeof(float[4]);
    uint8_t *memory = malloc(17 * row_bytes + width * sizeof(struct tap));
    if (!memory) {
        base->out_of_memory = true;
        return;
    }
    struct halving h = {
        .r = r,
        .format = format,
        .bytes = is_bytes(format),
        .depth = drv_format_desc(format)->colorspace == DRV_COLORSPACE_ZS,
        .is_3d = r->base.target == DRV_TEXTURE_3D,
        .source = {{.texels = memory, .stride = row_bytes},
                   {.texels = memory + 4 * row_bytes, .stride = row_bytes}},
        .target = {.texels = memory + 8 * row_bytes, .stride = row_bytes},
        .unpacked = (void *)(memory + 12 * row_bytes),
        .column = (void *)(memory + 17 * row_bytes),
    };
    for (unsigned i = 0; i < 4; i++)
        h.row[i] = (void *)(memory + (13 + i) * row_bytes);
    for (h.level = first_level + 1; h.level <= last_level; h.level++)
        halve_level(&h, first_layer, last_layer);
    /* encode after all levels are filtered, so that encoding errors do not accumulate */
    for (unsigned l = first_level + 1; r->blocks.data && l <= last_level; l++)
        encode_level(&h, l, first_layer, last_layer);
    free(memory);
}
