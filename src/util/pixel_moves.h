/* SPDX-License-Identifier: MIT */
/*
 * Conversions between pixel formats that only move bytes. They reorder, add or drop channels, or
 * widen unsigned channels: 8-bit normalized integers to 16 bits, pure integers to any larger size.
 */
#ifndef UTIL_PIXEL_MOVES_H
#define UTIL_PIXEL_MOVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/format.h"

#define UTIL_MOVES_NO_BYTE 0x80 /* an index for which pshufb and TBL store 0 */

/* Which source byte or constant each byte of a destination texel is. */
struct util_pixel_moves {
    uint8_t src_bytes, dst_bytes; /* size of a texel */
    bool same;                    /* texels are copied unchanged */
    uint8_t from[16]; /* [i]: source byte of destination byte i, or UTIL_MOVES_NO_BYTE */
    uint8_t fill[16]; /* [i]: value of destination byte i if from[i] is UTIL_MOVES_NO_BYTE */
};

/* Initializes *m to convert from format src to format dst. Component c (0 to 3: R to A) of the
 * result is component swizzle[c] (enum drv_swizzle) of the source. Returns false unless that is a
 * copy, or a rearrangement of whole bytes in texels of at most 16 bytes. */
bool util_pixel_moves_init(struct util_pixel_moves *m, enum drv_format dst, enum drv_format src,
                           const uint8_t swizzle[4]);

/* Changes *m to also reverse the bytes of each unit of src_unit bytes in the source and of dst_unit
 * bytes in the destination. Units have 2 or 4 bytes; 0 reverses nothing. Returns false if the
 * texels are larger than 16 bytes. */
bool util_pixel_moves_swap(struct util_pixel_moves *m, unsigned dst_unit, unsigned src_unit);

/* Converts count texels. The rows must not overlap. They need no alignment. */
void util_pixel_moves_row(const struct util_pixel_moves *m, uint8_t *dst, const uint8_t *src,
                          uint32_t count);

/* Copies bytes with stores that bypass the caches, for destinations larger than the caches: a
 * normal store would first read the cache line. util_stream_end() orders these stores before later
 * ones. */
void util_stream_copy(void *dst, const void *src, size_t size);
/* Orders the stores of util_stream_copy() before later stores. */
void util_stream_end(void);

/* Fills `size` bytes, a multiple of texel_bytes, with copies of a texel. texel_bytes is 1 to 64. */
void util_fill_texels(void *dst, size_t size, const void *texel, unsigned texel_bytes);

#endif
