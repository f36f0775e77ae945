/* SPDX-License-Identifier: MIT */
/* Decoder of ASTC blocks of up to 12×12 texels, low dynamic range. */
#ifndef UTIL_FORMAT_ASTC_H
#define UTIL_FORMAT_ASTC_H

#include <stdint.h>

#define UTIL_ASTC_TEXELS 144 /* texels of the largest block */

/* Decodes a block of width × height texels to RGBA, row by row. The size must be an ASTC block size
 * (KHR_texture_compression_astc_ldr). The result is the same for linear and sRGB formats. Invalid
 * and high-dynamic-range blocks and texels become magenta. */
void util_astc_decode(uint8_t dst[UTIL_ASTC_TEXELS][4], const uint8_t src[16], unsigned width,
                      unsigned height);

#endif
