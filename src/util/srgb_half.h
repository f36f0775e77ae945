/* SPDX-License-Identifier: MIT */
/*
 * sRGB's decoding (GL 4.6 §8.24) of 8 bits to the 15 of a half of a word, as what vectors of bytes look up:
 * in each sixteenth of the values a parabola around its middle, whose coefficients are tables of 16
 * bytes. Off by up to 0.83 of what linear values are multiples of, a twelfth of the least step from one
 * value to the next.
 */
#ifndef UTIL_SRGB_HALF_H
#define UTIL_SRGB_HALF_H

#include <stdint.h>

#define UTIL_SRGB_HALF_ONE (255 << 7) /* what 255 becomes */

enum util_srgb_table {
    UTIL_SRGB_MIDDLE_LOW, /* the value in the middle, in two bytes */
    UTIL_SRGB_MIDDLE_HIGH,
    UTIL_SRGB_SLOPE_LOW, /* there, in 64ths, in two bytes */
    UTIL_SRGB_SLOPE_HIGH,
    UTIL_SRGB_CURVATURE, /* what the slope changes by in one step, in 64ths */
    UTIL_SRGB_FIRST,     /* to be added to the first sixteen values, which no parabola meets */
    UTIL_SRGB_TABLES
};

extern const uint8_t util_srgb_table[UTIL_SRGB_TABLES][16];

/* 0 … UTIL_SRGB_HALF_ONE. */
uint16_t util_srgb_half(uint8_t value);

#endif
