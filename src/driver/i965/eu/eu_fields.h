/* SPDX-License-Identifier: MIT */
/* Access to the bits and fields of a native instruction. words[0] holds bits 63:0, words[1] bits
 * 127:64. */
#ifndef EU_FIELDS_H
#define EU_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "eu_tables.h"

/* Returns bits high:low, at most 64 bits. */
static inline uint64_t eu_bits_get(const uint64_t words[2], unsigned high, unsigned low)
{
    unsigned size = high - low + 1;
    uint64_t mask = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;

    if (low >= 64)
        return words[1] >> (low - 64) & mask;
    uint64_t value = words[0] >> low;
    if (high >= 64)
        value |= words[1] << (64 - low);
    return value & mask;
}

/* Sets bits high:low, which must be zero, to value, which must fit. */
static inline void eu_bits_or(uint64_t words[2], unsigned high, unsigned low, uint64_t value)
{
    if (low >= 64) {
        words[1] |= value << (low - 64);
        return;
    }
    words[0] |= value << low;
    if (high >= 64)
        words[1] |= value >> (64 - low);
}

static inline uint64_t eu_field_get(const uint64_t words[2], enum eu_field field)
{
    return eu_bits_get(words, eu_field_info[field].high, eu_field_info[field].low);
}

static inline bool eu_field_fits(enum eu_field field, uint64_t value)
{
    unsigned size = eu_field_info[field].high - eu_field_info[field].low + 1;
    return size == 64 || !(value >> size);
}

static inline void eu_field_or(uint64_t words[2], enum eu_field field, uint64_t value)
{
    eu_bits_or(words, eu_field_info[field].high, eu_field_info[field].low, value);
}

/* Fields of sources 0 and 1 in one- and two-source instructions. */
static const struct eu_src01_fields {
    enum eu_field file, type, subnr, nr, abs, negate, address_mode, hstride, width, vstride,
        address_offset, address_offset_high, address_subnr;
} eu_src01_fields[2] __attribute__((unused)) = {
    {EU_FIELD_SRC0_FILE, EU_FIELD_SRC0_TYPE, EU_FIELD_SRC0_SUBNR, EU_FIELD_SRC0_NR,
     EU_FIELD_SRC0_ABS, EU_FIELD_SRC0_NEGATE, EU_FIELD_SRC0_ADDRESS_MODE, EU_FIELD_SRC0_HSTRIDE,
     EU_FIELD_SRC0_WIDTH, EU_FIELD_SRC0_VSTRIDE, EU_FIELD_SRC0_ADDRESS_OFFSET,
     EU_FIELD_SRC0_ADDRESS_OFFSET_HIGH, EU_FIELD_SRC0_ADDRESS_SUBNR},
    {EU_FIELD_SRC1_FILE, EU_FIELD_SRC1_TYPE, EU_FIELD_SRC1_SUBNR, EU_FIELD_SRC1_NR,
     EU_FIELD_SRC1_ABS, EU_FIELD_SRC1_NEGATE, EU_FIELD_SRC1_ADDRESS_MODE, EU_FIELD_SRC1_HSTRIDE,
     EU_FIELD_SRC1_WIDTH, EU_FIELD_SRC1_VSTRIDE, EU_FIELD_SRC1_ADDRESS_OFFSET,
     EU_FIELD_SRC1_ADDRESS_OFFSET_HIGH, EU_FIELD_SRC1_ADDRESS_SUBNR},
};

/* Fields of the sources of three-source instructions. word is the low bit of subnr for 16-bit
 * types. */
static const struct eu_source_3src_fields {
    enum eu_field abs, negate, replicate, swizzle, subnr, nr, word;
} eu_source_3src_fields[3] __attribute__((unused)) = {
    {EU_FIELD_SRC0_ABS_3SRC, EU_FIELD_SRC0_NEGATE_3SRC, EU_FIELD_SRC0_REPLICATE_3SRC,
     EU_FIELD_SRC0_SWIZZLE_3SRC, EU_FIELD_SRC0_SUBNR_3SRC, EU_FIELD_SRC0_NR_3SRC,
     EU_FIELD_SRC0_WORD_3SRC},
    {EU_FIELD_SRC1_ABS_3SRC, EU_FIELD_SRC1_NEGATE_3SRC, EU_FIELD_SRC1_REPLICATE_3SRC,
     EU_FIELD_SRC1_SWIZZLE_3SRC, EU_FIELD_SRC1_SUBNR_3SRC, EU_FIELD_SRC1_NR_3SRC,
     EU_FIELD_SRC1_WORD_3SRC},
    {EU_FIELD_SRC2_ABS_3SRC, EU_FIELD_SRC2_NEGATE_3SRC, EU_FIELD_SRC2_REPLICATE_3SRC,
     EU_FIELD_SRC2_SWIZZLE_3SRC, EU_FIELD_SRC2_SUBNR_3SRC, EU_FIELD_SRC2_NR_3SRC,
     EU_FIELD_SRC2_WORD_3SRC},
};

#endif
