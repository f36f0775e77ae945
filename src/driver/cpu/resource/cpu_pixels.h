/* SPDX-License-Identifier: MIT */
/*
 * Exchange of pixels between formats whose channels are the same but for order and number: rows
 * become others by moving channels, without looking at values.
 */
#ifndef CPU_PIXELS_H
#define CPU_PIXELS_H

#include <stdbool.h>
#include <stdint.h>

#include "indium/format.h"

/* How a texel becomes another's, byte by byte. */
struct cpu_pixel_moves {
    uint8_t src_bytes, dst_bytes; /* of a texel */
    bool same;                    /* texels stay as they are */
    uint8_t from[16];             /* of each byte of a texel: the byte of the source, 0x80: none */
    uint8_t fill[16];             /* and what is there then */
};

/* Component c (R … A) of dst is to be component swizzle[c] (enum drv_swizzle) of src. False: values
 * would have to be converted. */
bool cpu_pixel_moves_init(struct cpu_pixel_moves *m, enum drv_format dst, enum drv_format src,
                          const uint8_t swizzle[4]);

/* Moves count texels. The rows neither overlap nor need alignment. */
void cpu_pixel_moves_row(const struct cpu_pixel_moves *m, uint8_t *dst, const uint8_t *src,
                         uint32_t count);

#endif
