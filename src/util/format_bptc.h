/* SPDX-License-Identifier: MIT */
/* Decoders of BPTC blocks. A block has 4×4 texels, unpacked in row-major order. */
#ifndef UTIL_FORMAT_BPTC_H
#define UTIL_FORMAT_BPTC_H

#include <stdbool.h>
#include <stdint.h>

/* Decodes a block to RGBA bytes. A block with a reserved mode becomes all zeros, including
 * alpha. */
void util_bptc_decode_unorm(uint8_t dst[16][4], const uint8_t src[16]);
/* Decodes a block to RGBA floats with alpha 1. A block with a reserved mode becomes black.
 * is_signed selects the format with signed floats. */
void util_bptc_decode_float(float dst[16][4], const uint8_t src[16], bool is_signed);

#endif
