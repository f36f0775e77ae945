/* SPDX-License-Identifier: MIT */
#include "util/srgb_half.h"

const uint8_t util_srgb_table[UTIL_SRGB_TABLES][16] = {
    [UTIL_SRGB_MIDDLE_LOW] = {77, 42, 181, 11, 67, 113, 166, 243, 100, 9, 237, 29, 164, 141, 227,
                              175},
    [UTIL_SRGB_MIDDLE_HIGH] = {0, 1, 2, 5, 8, 12, 17, 23, 31, 40, 49, 61, 73, 87, 102, 119},
    [UTIL_SRGB_SLOPE_LOW] = {149, 183, 177, 14, 193, 187, 253, 111, 36, 8, 35, 105, 220, 117, 60,
                             42},
    [UTIL_SRGB_SLOPE_HIGH] = {2, 4, 7, 11, 14, 18, 22, 27, 32, 37, 42, 47, 52, 58, 64, 70},
    [UTIL_SRGB_CURVATURE] = {6, 22, 25, 28, 31, 33, 36, 36, 38, 39, 41, 43, 44, 46, 46, 48},
    [UTIL_SRGB_FIRST] = {0, 1, 2, 2, 3, 3, 2, 2, 2, 2, 1, 0, 0, 0, 1, 2},
};

uint16_t util_srgb_half(uint8_t value)
{
    const uint8_t(*table)[16] = util_srgb_table;
    int part = value >> 4, from_middle = (value & 15) - 8;
    int middle = table[UTIL_SRGB_MIDDLE_LOW][part] | table[UTIL_SRGB_MIDDLE_HIGH][part] << 8;
    int slope = table[UTIL_SRGB_SLOPE_LOW][part] | table[UTIL_SRGB_SLOPE_HIGH][part] << 8;
    slope += from_middle * table[UTIL_SRGB_CURVATURE][part];
    int first = part ? 0 : table[UTIL_SRGB_FIRST][value];
    return (uint16_t)(middle + ((from_middle * slope + 32) >> 6) + first);
}
