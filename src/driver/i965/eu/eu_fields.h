/* SPDX-License-Identifier: MIT */
/* Access to the bits and fields of a native instruction. words[0] holds bits 63:0, words[1] bits
 * 127:64. */
#ifndef EU_FIELDS_H
#define EU_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "eu_opcodes.h"
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

/* Returns a field; 0 if the generation has no such field. */
static inline uint64_t eu_field_get(enum eu_generation gen, const uint64_t words[2],
                                    enum eu_field field)
{
    const struct eu_field_info *info = &eu_field_info[gen][field];
    uint64_t value = 0;
    if (info->count == 1)
        return eu_bits_get(words, info->range[0].high, info->range[0].low);
    for (unsigned i = 0; i < info->count; i++) {
        unsigned high = info->range[i].high, low = info->range[i].low;
        value = value << (high - low + 1) | eu_bits_get(words, high, low);
    }
    return value;
}

/* Returns whether the field can represent the value. */
static inline bool eu_field_fits(enum eu_generation gen, enum eu_field field, uint64_t value)
{
    unsigned size = eu_field_info[gen][field].size;
    return size >= 64 || !(value >> size);
}

/* Sets a field, which must be zero, to a value that it can represent. */
static inline void eu_field_or(enum eu_generation gen, uint64_t words[2], enum eu_field field,
                               uint64_t value)
{
    const struct eu_field_info *info = &eu_field_info[gen][field];
    for (unsigned i = info->count; i-- > 0;) {
        unsigned high = info->range[i].high, low = info->range[i].low, size = high - low + 1;
        uint64_t mask = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;
        eu_bits_or(words, high, low, value & mask);
        value = size == 64 ? 0 : value >> size;
    }
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

/* Fields of sources 0 and 1 in align16 instructions with one or two sources. The others are where
 * align1 instructions have them. `row` is bit 4 of the byte offset. */
static const struct eu_source_align16_fields {
    enum eu_field swizzle_xy, swizzle_zw, row;
} eu_source_align16_fields[2] __attribute__((unused)) = {
    {EU_FIELD_SRC0_SWIZZLE_XY, EU_FIELD_SRC0_SWIZZLE_ZW, EU_FIELD_SRC0_ROW},
    {EU_FIELD_SRC1_SWIZZLE_XY, EU_FIELD_SRC1_SWIZZLE_ZW, EU_FIELD_SRC1_ROW},
};

/* Fields of the sources of align16 three-source instructions. For 16-bit types, `word` holds bit 1
 * of the byte offset, which is below the bits in `subnr`. */
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

/* Bit of eu_type_info.code.align1 that is encoded in the field float_3src1, which all operands of
 * an instruction share. The lower bits are encoded in the operand's type field. */
enum { EU_3SRC1_FLOAT = 8 };

/* Fields of the sources of align1 three-source instructions. Source 2 has no vertical stride, and
 * source 1 cannot be an immediate; their entries are EU_FIELD_COUNT. */
static const struct eu_source_3src1_fields {
    enum eu_field abs, negate, file, type, vstride, hstride, subnr, nr, immediate, imm16;
} eu_source_3src1_fields[3] __attribute__((unused)) = {
    {EU_FIELD_SRC0_ABS_3SRC, EU_FIELD_SRC0_NEGATE_3SRC, EU_FIELD_SRC0_FILE_3SRC1,
     EU_FIELD_SRC0_TYPE_3SRC1, EU_FIELD_SRC0_VSTRIDE_3SRC1, EU_FIELD_SRC0_HSTRIDE_3SRC1,
     EU_FIELD_SRC0_SUBNR_3SRC1, EU_FIELD_SRC0_NR_3SRC, EU_FIELD_SRC0_IMMEDIATE_3SRC1,
     EU_FIELD_SRC0_IMM16_3SRC1},
    {EU_FIELD_SRC1_ABS_3SRC, EU_FIELD_SRC1_NEGATE_3SRC, EU_FIELD_SRC1_FILE_3SRC1,
     EU_FIELD_SRC1_TYPE_3SRC1, EU_FIELD_SRC1_VSTRIDE_3SRC1, EU_FIELD_SRC1_HSTRIDE_3SRC1,
     EU_FIELD_SRC1_SUBNR_3SRC1, EU_FIELD_SRC1_NR_3SRC, EU_FIELD_COUNT, EU_FIELD_COUNT},
    {EU_FIELD_SRC2_ABS_3SRC, EU_FIELD_SRC2_NEGATE_3SRC, EU_FIELD_SRC2_FILE_3SRC1,
     EU_FIELD_SRC2_TYPE_3SRC1, EU_FIELD_COUNT, EU_FIELD_SRC2_HSTRIDE_3SRC1,
     EU_FIELD_SRC2_SUBNR_3SRC1, EU_FIELD_SRC2_NR_3SRC, EU_FIELD_SRC2_IMMEDIATE_3SRC1,
     EU_FIELD_SRC2_IMM16_3SRC1},
};

#endif
