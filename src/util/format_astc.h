/* SPDX-License-Identifier: MIT */
/* Blocks of up to 12×12 texels compressed as ASTC, low dynamic range. */
#ifndef UTIL_FORMAT_ASTC_H
#define UTIL_FORMAT_ASTC_H

#include <stdint.h>

#define UTIL_ASTC_TEXELS 144 /* of the largest block */

/* The width × height texels of a block as RGBA, row by row, of a size that there is (GL 4.6 table
 * 8.19 with KHR_texture_compression_astc_ldr). The same for linear and sRGB formats. Blocks and
 * texels that are of no valid or of a high-range encoding are magenta. */
void util_astc_decode(uint8_t dst[UTIL_ASTC_TEXELS][4], const uint8_t src[16], unsigned width,
                      unsigned height);

#endif
