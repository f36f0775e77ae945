/* SPDX-License-Identifier: MIT */
/*
 * Conversion between pixel formats whose channels differ only in order and number: channels are
 * moved without converting their values.
 */
#ifndef UTIL_PIXEL_MOVES_H
#define UTIL_PIXEL_MOVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/format.h"

/* How the bytes of a destination texel are made from those of the source texel. */
struct util_pixel_moves {
    uint8_t src_bytes, dst_bytes; /* size of a texel */
    bool same;                    /* texels are copied unchanged */
    uint8_t from[16]; /* [i]: source byte that destination byte i is copied from; 0x80: none */
    uint8_t fill[16]; /* [i]: value of destination byte i if from[i] is 0x80 */
};

/* Initializes *m to convert from format src to format dst, such that component c (0 to 3: R to A)
 * of the result is component swizzle[c] (enum drv_swizzle) of the source. Returns false unless that
 * is a copy, or a rearrangement of whole bytes in texels of at most 16 bytes. */
bool util_pixel_moves_init(struct util_pixel_moves *m, enum drv_format dst, enum drv_format src,
                           const uint8_t swizzle[4]);

/* Converts count texels. The rows must not overlap; they need no alignment. */
void util_pixel_moves_row(const struct util_pixel_moves *m, uint8_t *dst, const uint8_t *src,
                          uint32_t count);

/* Fills `size` bytes, a multiple of texel_bytes, with copies of a texel. texel_bytes is 1 to 64. */
void util_fill_texels(void *dst, size_t size, const void *texel, unsigned texel_bytes);

#endif
