/* SPDX-License-Identifier: MIT */
/* Decoder and encoders of FXT1 blocks: 8×4 texels in 16 bytes (3DFX_texture_compression_FXT1,
 * appendix). */
#ifndef UTIL_FORMAT_FXT1_H
#define UTIL_FORMAT_FXT1_H

#include <stdint.h>

/* Decodes a block to 32 RGBA texels in row-major order. Any 16 bytes are a valid block. */
void util_fxt1_decode(uint8_t dst[][4], const uint8_t src[16]);
/* Builds a CC_MIXED block from two four-color DXT1 blocks: dxt1[0] is the left half, dxt1[1] the
 * right half. */
void util_fxt1_join(uint8_t dst[16], const uint8_t dxt1[2][8]);
/* Encodes 32 RGBA texels in row-major order, with components from 0 to 1, as a CC_ALPHA block. */
void util_fxt1_encode_alpha(uint8_t dst[16], const float texel[32][4]);

#endif
