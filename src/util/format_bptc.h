/* SPDX-License-Identifier: MIT */
/* Decoders and encoders of BPTC blocks, 4×4 texels each, in row-major order. */
#ifndef UTIL_FORMAT_BPTC_H
#define UTIL_FORMAT_BPTC_H

#include <stdbool.h>
#include <stdint.h>

/* Decodes to RGBA. Blocks with a reserved mode become zeros. */
void util_bptc_decode_unorm(uint8_t dst[16][4], const uint8_t src[16]);
/* Decodes to RGB with alpha 1. Blocks with a reserved mode become black. */
void util_bptc_decode_float(float dst[16][4], const uint8_t src[16], bool is_signed);

/* Encode a block. Components are clamped to the range of the format. */
void util_bptc_encode_unorm(uint8_t dst[16], const float src[16][4]);
void util_bptc_encode_float(uint8_t dst[16], const float src[16][4], bool is_signed);

#endif
