/* SPDX-License-Identifier: MIT */
/*
 * Conversion between pixel formats by moving bytes. The channels of the formats may differ in order
 * and number. Unsigned channels may also become wider: 8-bit to 16-bit normalized integers, and
 * pure integers.
 */
#ifndef UTIL_PIXEL_MOVES_H
#define UTIL_PIXEL_MOVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/format.h"

#define UTIL_MOVES_NO_BYTE 0x80 /* an index for which pshufb and TBL store 0 */

/* Conversion of a texel: the origin of each destination byte. */
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

/* Adds byte swapping to a conversion: in every dst_unit bytes of the destination and in every
 * src_unit bytes of the source, the bytes are in reverse order. Units are 2, 4, or 0 for no
 * swapping. Returns false if the texels are larger than 16 bytes. */
bool util_pixel_moves_swap(struct util_pixel_moves *m, unsigned dst_unit, unsigned src_unit);

/* Converts count texels. The rows must not overlap. They need no alignment. */
void util_pixel_moves_row(const struct util_pixel_moves *m, uint8_t *dst, const uint8_t *src,
                          uint32_t count);

/* Copies bytes with stores that bypass the caches, where the CPU has such stores. This is faster if
 * the destination is larger than the caches, because a normal store first reads the cache line.
 * Call util_stream_end() before other threads may read the destination. */
void util_stream_copy(void *dst, const void *src, size_t size);
/* Orders the stores of util_stream_copy() before later stores. */
void util_stream_end(void);

/* Fills `size` bytes, a multiple of texel_bytes, with copies of a texel. texel_bytes is 1 to 64. */
void util_fill_texels(void *dst, size_t size, const void *texel, unsigned texel_bytes);

#endif
