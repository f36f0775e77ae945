/* SPDX-License-Identifier: MIT */
/* Blocks of FXT1 (3DFX_texture_compression_FXT1, appendix): 8×4 texels in 16 bytes. */
#ifndef UTIL_FORMAT_FXT1_H
#define UTIL_FORMAT_FXT1_H

#include <stdint.h>

/* Row by row; any 16 bytes are a block. */
void util_fxt1_decode(uint8_t dst[][4], const uint8_t src[16]);
/* A CC_MIXED block whose halves, the left one first, have the colors of DXT1 blocks of four colors. */
void util_fxt1_join(uint8_t dst[16], const uint8_t dxt1[2][8]);
/* A CC_ALPHA block. */
void util_fxt1_encode_alpha(uint8_t dst[16], const float texel[32][4]);

#endif
