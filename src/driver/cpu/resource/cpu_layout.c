/* SPDX-License-Identifier: MIT */
/*
 * Tiled from and to linear. A row of a block is two pairs of texels, one in each of two quads, so
 * whole blocks move as pairs; the common texel sizes get loops of their own with constant sizes.
 */
#include "driver/cpu/resource/cpu_layout.h"

#include "util/macros.h"

void cpu_layout_init(struct cpu_level_layout *l, uint32_t width, uint32_t height, uint32_t layers,
                     uint32_t samples, uint32_t texel_bytes, uint64_t *offset)
{
    *l = (struct cpu_level_layout){
        .offset = *offset,
        .width = width,
        .height = height,
        .layers = layers,
        .samples = samples,
        .tile_w = MIN2(16u, DIV_ROUND_UP(width, 4)),
        .tiles_x = DIV_ROUND_UP(width, 64),
        .tiles_y = DIV_ROUND_UP(height, 64),
    };
    uint64_t tiles = (uint64_t)l->tiles_x * l->tiles_y;
    uint64_t last_rows = height < 64 ? DIV_ROUND_UP(height, 4) : 16;
    uint64_t blocks = (tiles - 1) * 16 * l->tile_w + last_rows * l->tile_w;
    l->sample_stride = ALIGN_POT(blocks * 16 * texel_bytes, 64);
    l->layer_stride = l->sample_stride * samples;
    *offset += l->layer_stride * layers;
}

#define INLINE static inline __attribute__((always_inline))

INLINE void block_to_linear(const uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t n)
{
    for (unsigned y = 0; y < 4; y++) {
        const uint8_t *pair = block + ((y >> 1) * 8 + (y & 1) * 2) * n;
        memcpy(linear, pair, 2 * n);
        memcpy(linear + 2 * n, pair + 4 * n, 2 * n);
        linear += stride;
    }
}

INLINE void block_from_linear(uint8_t *block, const uint8_t *linear, ptrdiff_t stride, uint32_t n)
{
    for (unsigned y = 0; y < 4; y++) {
        uint8_t *pair = block + ((y >> 1) * 8 + (y & 1) * 2) * n;
        memcpy(pair, linear, 2 * n);
        memcpy(pair + 4 * n, linear + 2 * n, 2 * n);
        linear += stride;
    }
}

/* Blocks of 32-bit texels: a quad is 16 bytes, two rows of a pair each. */
typedef uint64_t v2u64 __attribute__((vector_size(16)));

static v2u64 load(const uint8_t *p)
{
    v2u64 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static void store(uint8_t *p, v2u64 v)
{
    memcpy(p, &v, sizeof v);
}

static void block4_to_linear(const uint8_t *block, uint8_t *linear, ptrdiff_t stride)
{
    for (unsigned half = 0; half < 2; half++, block += 32, linear += 2 * stride) {
        v2u64 left = load(block), right = load(block + 16);
        store(linear, (v2u64){left[0], right[0]});
        store(linear + stride, (v2u64){left[1], right[1]});
    }
}

static void block4_from_linear(uint8_t *block, const uint8_t *linear, ptrdiff_t stride)
{
    for (unsigned half = 0; half < 2; half++, block += 32, linear += 2 * stride) {
        v2u64 row0 = load(linear), row1 = load(linear + stride);
        store(block, (v2u64){row0[0], row1[0]});
        store(block + 16, (v2u64){row0[1], row1[1]});
    }
}

/* count neighboring blocks. */
INLINE void run_n(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count, bool read,
                  uint32_t n)
{
    for (uint32_t i = 0; i < count; i++) {
        if (n == 4 && read)
            block4_to_linear(block, linear, stride);
        else if (n == 4)
            block4_from_linear(block, linear, stride);
        else if (read)
            block_to_linear(block, linear, stride, n);
        else
            block_from_linear(block, linear, stride, n);
        block += 16 * n;
        linear += 4 * n;
    }
}

INLINE void run(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count, bool read,
                uint32_t n)
{
    switch (n) {
    case 1:
        run_n(block, linear, stride, count, read, 1);
        break;
    case 2:
        run_n(block, linear, stride, count, read, 2);
        break;
    case 4:
        run_n(block, linear, stride, count, read, 4);
        break;
    case 8:
        run_n(block, linear, stride, count, read, 8);
        break;
    case 16:
        run_n(block, linear, stride, count, read, 16);
        break;
    default:
        run_n(block, linear, stride, count, read, n);
    }
}

/* The texels [x0, x1) × [y0, y1) of one block; coordinates in the block. */
INLINE void partial(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t x0, uint32_t x1,
                    uint32_t y0, uint32_t y1, bool read, uint32_t n)
{
    for (uint32_t y = y0; y < y1; y++, linear += stride) {
        for (uint32_t x = x0; x < x1; x++) {
            uint8_t *texel = block + cpu_layout_texel_index(x, y) * n;
            uint8_t *l = linear + (x - x0) * n;
            if (read)
                memcpy(l, texel, n);
            else
                memcpy(texel, l, n);
        }
    }
}

INLINE void copy(const struct cpu_level_layout *l, uint8_t *layer, uint32_t n, uint32_t x,
                 uint32_t y, uint32_t width, uint32_t height, uint8_t *linear, ptrdiff_t stride,
                 bool read)
{
    uint32_t end_x = x + width, end_y = y + height;
    for (uint32_t by = y & ~3u; by < end_y; by += 4) {
        uint32_t y0 = MAX2(by, y) - by, y1 = MIN2(by + 4, end_y) - by;
        uint8_t *row = linear + (ptrdiff_t)(by + y0 - y) * stride;
        uint32_t bx = x & ~3u;
        while (bx < end_x) {
            uint32_t x0 = MAX2(bx, x) - bx, x1 = MIN2(bx + 4, end_x) - bx;
            uint8_t *block = layer + cpu_layout_block_offset(l, bx, by, n);
            uint8_t *at = row + (size_t)(bx + x0 - x) * n;
            if (y1 - y0 < 4 || x1 - x0 < 4) {
                partial(block, at, stride, x0, x1, y0, y1, read, n);
                bx += 4;
                continue;
            }
            uint32_t tile_end = MIN2((bx | 63) + 1, end_x & ~3u);
            uint32_t count = (tile_end - bx) / 4;
            run(block, at, stride, count, read, n);
            bx = tile_end;
        }
    }
}

void cpu_layout_read(const struct cpu_level_layout *l, const uint8_t *layer, uint32_t texel_bytes,
                     uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint8_t *linear,
                     ptrdiff_t stride)
{
    copy(l, (uint8_t *)layer, texel_bytes, x, y, width, height, linear, stride, true);
}

void cpu_layout_write(const struct cpu_level_layout *l, uint8_t *layer, uint32_t texel_bytes,
                      uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                      const uint8_t *linear, ptrdiff_t stride)
{
    copy(l, layer, texel_bytes, x, y, width, height, (uint8_t *)linear, stride, false);
}
