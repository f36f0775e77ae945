/* SPDX-License-Identifier: MIT */
/* Decoder of 2D ASTC blocks with low dynamic range (LDR). */
#ifndef UTIL_FORMAT_ASTC_H
#define UTIL_FORMAT_ASTC_H

#include <stdint.h>

#define UTIL_ASTC_TEXELS 144 /* texels of the largest block */

/* Decodes a block of width × height texels to RGBA bytes in row-major order. The size must be an
 * ASTC block size (KHR_texture_compression_astc_ldr). sRGB values stay encoded. Invalid blocks and
 * texels with high dynamic range become opaque magenta. */
void util_astc_decode(uint8_t dst[UTIL_ASTC_TEXELS][4], const uint8_t src[16], unsigned width,
                      unsigned height);

#endif
