/* SPDX-License-Identifier: MIT */
/*
 * The tiled layout of image levels, and copies between it and linear rows.
 *
 * A level is stored in tiles of 64×64 texels, which follow each other row by row. A tile holds
 * blocks of 4×4 texels, row by row; a block holds its four 2×2 quads, and a quad its four texels.
 * The index of a texel in its block is (y>>1&1)*8 + (x>>1&1)*4 + (y&1)*2 + (x&1). Levels narrower
 * than 64 texels have narrower tiles:
 *     tile_w   = min(16, ceil(width / 4))                      blocks in a row of a tile
 *     block    = ((y>>6) * tiles_x + (x>>6)) * 16 * tile_w + (y>>2 & 15) * tile_w + (x>>2 & 15)
 *     address  = base + layer * layer_stride + sample * sample_stride
 *              + (block * 16 + index) * bytes per texel
 * Levels less than 64 texels high end after their last row of blocks. Row 0 is y = 0. Images of
 * block-compressed formats are stored twice: decoded in this layout, and as linear rows of blocks
 * (cpu_resource.h).
 *
 * A multisampled layer has one plane per sample, and each plane is laid out like a single-sampled
 * image. Code for single-sampled images (kernel loads and stores, clears, copies) therefore handles
 * sample s by adding s * sample_stride to the base address.
 */
#ifndef CPU_LAYOUT_H
#define CPU_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct util_pixel_moves;

#define CPU_TILE        64 /* width and height of a tile in texels or pixels */
#define CPU_TILE_BLOCKS 16 /* width and height of a tile in blocks */
#define CPU_BLOCK       4  /* width and height of a block in texels or pixels */

/* Where one level lies in a storage. */
struct cpu_level_layout {
    uint64_t offset;           /* bytes from the start of the storage */
    uint64_t layer_stride;     /* bytes from one layer or slice to the next */
    uint64_t sample_stride;    /* bytes from one sample's plane of a layer to the next sample's */
    uint32_t width, height;    /* texels */
    uint32_t layers;           /* array layers, or slices of 3D */
    uint32_t samples;          /* at least 1 */
    uint32_t tile_w;           /* blocks in a row of a tile */
    uint32_t tiles_x, tiles_y; /* tiles in a row and in a column of the level */
};

/* Initializes *l for a level that starts at *offset bytes, a multiple of 64, and advances *offset
 * past the level. width and height are in texels. No size may be 0. */
void cpu_layout_init(struct cpu_level_layout *l, uint32_t width, uint32_t height, uint32_t layers,
                     uint32_t samples, uint32_t texel_bytes, uint64_t *offset);

/* Returns the byte offset, from the start of a plane, of the block that contains texel x, y. */
static inline uint64_t cpu_layout_block_offset(const struct cpu_level_layout *l, uint32_t x,
                                               uint32_t y, uint32_t texel_bytes)
{
    uint64_t tile = (uint64_t)(y >> 6) * l->tiles_x + (x >> 6);
    uint64_t block = tile * 16 * l->tile_w + (y >> 2 & 15) * l->tile_w + (x >> 2 & 15);
    return block * 16 * texel_bytes;
}

/* Returns the index of texel x, y in its block, 0 to 15. */
static inline uint32_t cpu_layout_texel_index(uint32_t x, uint32_t y)
{
    return (y & 2) << 2 | (x & 2) << 1 | (y & 1) << 1 | (x & 1);
}

/* Copy a rectangle of texels from a plane to linear memory (read) or from linear memory to a plane
 * (write). The rectangle must lie in the level. `layer` points to the plane's first byte, `linear`
 * to the rectangle's first texel in linear memory. stride: bytes from one linear row to the next;
 * it may be negative. */
void cpu_layout_read(const struct cpu_level_layout *l, const uint8_t *layer, uint32_t texel_bytes,
                     uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint8_t *linear,
                     ptrdiff_t stride);
void cpu_layout_write(const struct cpu_level_layout *l, uint8_t *layer, uint32_t texel_bytes,
                      uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                      const uint8_t *linear, ptrdiff_t stride);
/* Like cpu_layout_read(), and prefetches the blocks below those that are read, for callers that read
 * a large rectangle piece by piece to a buffer that stays in the caches. */
void cpu_layout_fetch(const struct cpu_level_layout *l, const uint8_t *layer, uint32_t texel_bytes,
                      uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint8_t *linear,
                      ptrdiff_t stride);
/* Like cpu_layout_read(), with stores that bypass the caches for rows that are aligned to 16 bytes. */
void cpu_layout_stream_read(const struct cpu_level_layout *l, const uint8_t *layer,
                            uint32_t texel_bytes, uint32_t x, uint32_t y, uint32_t width,
                            uint32_t height, uint8_t *linear, ptrdiff_t stride);
/* Returns whether all stores of cpu_layout_stream_read() bypass the caches, except at the edges of a
 * rectangle whose first texel's column is a multiple of 4. */
bool cpu_layout_can_stream_read(uint32_t texel_bytes, const uint8_t *linear, ptrdiff_t stride);
/* Like cpu_layout_write(), with stores that bypass the caches, for writes that are larger than the
 * caches. */
void cpu_layout_stream(const struct cpu_level_layout *l, uint8_t *layer, uint32_t texel_bytes,
                       uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                       const uint8_t *linear, ptrdiff_t stride);

/* A conversion that only moves bytes (util/pixel_moves.h), combined with a copy between tiles and
 * linear memory. Texels are not larger in linear memory than in tiles. A unit is a number of
 * texels: those that fill 16 bytes in tiles. The arrays describe a vector of units, up to 64
 * bytes. */
struct cpu_layout_moves {
    uint8_t unit;     /* bytes of a unit in linear memory, a multiple of 4; 0: no conversion */
    uint8_t from[64]; /* [i]: source of byte i, as an index in its unit, or UTIL_MOVES_NO_BYTE */
    uint8_t fill[64]; /* [i]: value of byte i if it is not moved; otherwise 0 */
    /* at[i]: index of a 32-bit word. When reading, the word of the vector that is stored as word i
     * of linear memory. When writing, the word of linear memory that is loaded as word i of the
     * vector. mask[i]: ~0 if word i of linear memory belongs to the units, otherwise 0. */
    uint32_t at[16], mask[16];
};

/* Returns m as moves for cpu_layout_move(). texel_bytes: size of a texel in tiles. read: from tiles
 * to linear memory, otherwise the reverse. `unit` is 0 if cpu_layout_move() can't do the
 * conversion, or if the CPU lacks the instructions. */
struct cpu_layout_moves cpu_layout_moves_of(const struct util_pixel_moves *m, uint32_t texel_bytes,
                                            bool read);
/* Copies like cpu_layout_read(), cpu_layout_write() or (stream) cpu_layout_stream() and converts
 * texels by m, whose unit must not be 0. Copies only the leftmost columns of the rectangle that fill
 * whole vectors, and returns how many columns (texels) these are. Returns 0 if x, y or height is not
 * a multiple of 4, or if the rectangle is in more than one row of tiles. */
uint32_t cpu_layout_move(const struct cpu_level_layout *l, uint8_t *layer, uint32_t texel_bytes,
                         uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint8_t *linear,
                         ptrdiff_t stride, bool read, bool stream,
                         const struct cpu_layout_moves *m);

#endif
