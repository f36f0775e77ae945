/* SPDX-License-Identifier: MIT */
/* Blocks of 4×4 texels compressed as BPTC; rows of four from the first texel on. */
#ifndef UTIL_FORMAT_BPTC_H
#define UTIL_FORMAT_BPTC_H

#include <stdbool.h>
#include <stdint.h>

/* RGBA; reserved modes give zeros. */
void util_bptc_decode_unorm(uint8_t dst[16][4], const uint8_t src[16]);
/* RGB1; reserved modes give black. */
void util_bptc_decode_float(float dst[16][4], const uint8_t src[16], bool is_signed);

/* Components are clamped to what the format holds. */
void util_bptc_encode_unorm(uint8_t dst[16], const float src[16][4]);
void util_bptc_encode_float(uint8_t dst[16], const float src[16][4], bool is_signed);

#endif
