/* SPDX-License-Identifier: MIT */
/*
 * Decoding of 8-bit sRGB values (GL 4.6 §8.24) to 15-bit linear values, with tables small enough
 * for SIMD byte shuffles. Each group of 16 input values is approximated by a parabola around its
 * middle value. The coefficients are tables of 16 bytes. The error is at most 0.83 units of the
 * 15-bit result. The results of neighboring inputs differ by at least ten times as much.
 */
#ifndef UTIL_SRGB_HALF_H
#define UTIL_SRGB_HALF_H

#include <stdint.h>

#define UTIL_SRGB_HALF_ONE (255 << 7) /* result for input 255 */

/* Tables indexed by the group, input / 16, except UTIL_SRGB_FIRST. With d = input % 16 - 8, the
 * result is middle + d * (slope + d * curvature) / 64, rounded. */
enum util_srgb_table {
    UTIL_SRGB_MIDDLE_LOW,  /* result at the middle of the group: low byte */
    UTIL_SRGB_MIDDLE_HIGH, /* result at the middle of the group: high byte */
    UTIL_SRGB_SLOPE_LOW,   /* slope at the middle, in 64ths: low byte */
    UTIL_SRGB_SLOPE_HIGH,  /* slope at the middle, in 64ths: high byte */
    UTIL_SRGB_CURVATURE,   /* coefficient of the quadratic term, in 64ths */
    /* Added to the result of inputs 0 to 15, which no parabola fits; indexed by the input. */
    UTIL_SRGB_FIRST,
    UTIL_SRGB_TABLES /* number of tables */
};

extern const uint8_t util_srgb_table[UTIL_SRGB_TABLES][16];

/* Returns the 15-bit linear value of an sRGB byte, 0 to UTIL_SRGB_HALF_ONE. */
uint16_t util_srgb_half(uint8_t value);

#endif
