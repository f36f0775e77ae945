/* SPDX-License-Identifier: MIT */
/*
 * Conversion to and from the 8-byte form (Skylake PRM, volume 7, "EU Compact Instructions"):
 * combinations of fields are replaced by indices into the tables of eu_compaction.py, immediates by
 * 13 bits.
 */
#include <stdlib.h>
#include <string.h>

#include "driver/i965/eu.h"
#include "eu_fields.h"
#include "util/macros.h"

static uint64_t bits(uint64_t word, unsigned high, unsigned low)
{
    return word >> low & ((UINT64_C(1) << (high - low + 1)) - 1);
}

typedef const uint8_t pieces_t[2];

/* Gathers the pieces of a native instruction, shifted up by `shift` bits, into one number. */
static uint64_t gather(const uint64_t native[2], pieces_t *pieces, unsigned count, unsigned shift)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < count; i++) {
        unsigned high = pieces[i][0] + shift, low = pieces[i][1] + shift;
        value = value << (high - low + 1) | eu_bits_get(native, high, low);
    }
    return value;
}

static void scatter(uint64_t native[2], pieces_t *pieces, unsigned count, unsigned shift,
                    uint64_t value)
{
    for (unsigned i = count; i-- > 0;) {
        unsigned high = pieces[i][0] + shift, low = pieces[i][1] + shift, size = high - low + 1;
        eu_bits_or(native, high, low, value & ((UINT64_C(1) << size) - 1));
        value >>= size;
    }
}

#define GATHER(native, table, shift)                                                               \
    gather(native, eu_compact_##table##_pieces, ARRAY_SIZE(eu_compact_##table##_pieces), shift)
#define SCATTER(native, table, shift, value)                                                       \
    scatter(native, eu_compact_##table##_pieces, ARRAY_SIZE(eu_compact_##table##_pieces), shift,   \
            value)

static bool find(const uint64_t *rows, unsigned count, uint64_t value, uint64_t *index)
{
    for (unsigned i = 0; i < count; i++) {
        if (rows[i] == value) {
            *index = i;
            return true;
        }
    }
    return false;
}
#define FIND(table, value, index)                                                                  \
    find(eu_compact_##table, ARRAY_SIZE(eu_compact_##table), value, index)

/* The region bits of source 1 are 32 bits above those of source 0. */
#define SRC1_SHIFT 32

static bool has_immediate(const uint64_t native[2])
{
    return eu_field_get(native, EU_FIELD_SRC0_FILE) == 3 ||
           eu_field_get(native, EU_FIELD_SRC1_FILE) == 3;
}

static bool is_3src(unsigned opcode)
{
    return eu_opcode_info[opcode].name && eu_opcode_info[opcode].format == EU_FORMAT_3SRC;
}

/* Whether the tables describe the fields of the opcode's format. */
static bool is_compactable(unsigned opcode)
{
    const struct eu_opcode_info *info = &eu_opcode_info[opcode];
    return info->name && (info->format == EU_FORMAT_BASIC || info->format == EU_FORMAT_MATH ||
                          info->format == EU_FORMAT_3SRC);
}

/* ------------------------------------------------------------------- one and two sources --- */

/* Encodes an immediate as a sign-extended 13-bit value. Returns false if it does not fit. */
static bool compact_immediate(const uint64_t native[2], uint64_t *out)
{
    int32_t value = (int32_t)eu_field_get(native, EU_FIELD_IMM32);

    if (value < -4096 || value > 4095)
        return false;
    *out |= (uint64_t)(value & 0xff) << 56 | (uint64_t)(value >> 8 & 31) << 35;
    return true;
}

/* Whether bits are set that neither an index nor a field of the compact form represents. */
static bool has_other_bits(const uint64_t native[2], bool immediate)
{
    bool other =
        eu_bits_get(native, 47, 47) || eu_bits_get(native, 11, 11) || eu_bits_get(native, 95, 95);
    return other || (!immediate && eu_bits_get(native, 127, 121));
}

static bool compact_basic(const uint64_t native[2], uint64_t *out)
{
    uint64_t control, datatype, subreg, src0, src1 = 0, value;
    bool immediate = has_immediate(native);
    unsigned src0_file = (unsigned)eu_field_get(native, EU_FIELD_SRC0_FILE);

    if (has_other_bits(native, immediate))
        return false;
    value = GATHER(native, subreg, 0);
    if (immediate)
        value &= 0x3ff; /* There is no src1. */
    if (!FIND(control, GATHER(native, control, 0), &control) ||
        !FIND(datatype, GATHER(native, datatype, 0), &datatype) || !FIND(subreg, value, &subreg) ||
        !FIND(source, GATHER(native, source, 0), &src0))
        return false;
    if (src0_file == 3 && eu_bits_get(native, 95, 64))
        return false; /* A 64-bit immediate, or bits outside of the immediate. */
    *out |= control << 8 | datatype << 13 | subreg << 18 | src0 << 30;
    if (immediate) {
        if (!compact_immediate(native, out))
            return false;
    } else {
        if (!FIND(source, GATHER(native, source, SRC1_SHIFT), &src1))
            return false;
        *out |= src1 << 35 | eu_field_get(native, EU_FIELD_SRC1_NR) << 56;
    }
    *out |= eu_field_get(native, EU_FIELD_ACC_WRITE) << 23 |
            eu_field_get(native, EU_FIELD_CMOD) << 24 | eu_field_get(native, EU_FIELD_DEBUG) << 7 |
            eu_field_get(native, EU_FIELD_DST_NR) << 40 |
            eu_field_get(native, EU_FIELD_SRC0_NR) << 48;
    return true;
}

static void uncompact_basic(uint64_t compact, uint64_t native[2])
{
    SCATTER(native, control, 0, eu_compact_control[bits(compact, 12, 8)]);
    SCATTER(native, datatype, 0, eu_compact_datatype[bits(compact, 17, 13)]);
    uint64_t subreg = eu_compact_subreg[bits(compact, 22, 18)];
    bool immediate = has_immediate(native);
    SCATTER(native, subreg, 0, immediate ? subreg & 0x3ff : subreg);
    SCATTER(native, source, 0, eu_compact_source[bits(compact, 34, 30)]);
    eu_field_or(native, EU_FIELD_ACC_WRITE, bits(compact, 23, 23));
    eu_field_or(native, EU_FIELD_CMOD, bits(compact, 27, 24));
    eu_field_or(native, EU_FIELD_DEBUG, bits(compact, 7, 7));
    eu_field_or(native, EU_FIELD_DST_NR, bits(compact, 47, 40));
    eu_field_or(native, EU_FIELD_SRC0_NR, bits(compact, 55, 48));
    if (immediate) {
        uint32_t value = (uint32_t)(bits(compact, 63, 56) | bits(compact, 39, 35) << 8);
        eu_field_or(native, EU_FIELD_IMM32, value & 0x1000 ? value | 0xffffe000 : value);
    } else {
        SCATTER(native, source, SRC1_SHIFT, eu_compact_source[bits(compact, 39, 35)]);
        eu_field_or(native, EU_FIELD_SRC1_NR, bits(compact, 63, 56));
    }
}

/* -------------------------------------------------------------------------- three sources --- */

/* Maps fields of the native form to bits of the compact form. */
static const struct {
    enum eu_field field;
    uint8_t high, low;
} fields_3src[] = {
    {EU_FIELD_DST_NR_3SRC, 18, 12},
    {EU_FIELD_SRC0_REPLICATE_3SRC, 28, 28},
    {EU_FIELD_DEBUG, 30, 30},
    {EU_FIELD_SATURATE, 31, 31},
    {EU_FIELD_SRC1_REPLICATE_3SRC, 32, 32},
    {EU_FIELD_SRC2_REPLICATE_3SRC, 33, 33},
    {EU_FIELD_SRC0_SUBNR_3SRC, 36, 34},
    {EU_FIELD_SRC1_SUBNR_3SRC, 39, 37},
    {EU_FIELD_SRC2_SUBNR_3SRC, 42, 40},
    {EU_FIELD_SRC0_NR_3SRC, 49, 43},
    {EU_FIELD_SRC1_NR_3SRC, 56, 50},
    {EU_FIELD_SRC2_NR_3SRC, 63, 57},
};

static bool compact_3src(const uint64_t native[2], uint64_t *out)
{
    uint64_t control, source;

    if (!FIND(control_3src, GATHER(native, control_3src, 0), &control) ||
        !FIND(source_3src, GATHER(native, source_3src, 0), &source) ||
        eu_bits_get(native, 127, 127))
        return false;
    *out |= control << 8 | source << 10;
    for (unsigned i = 0; i < ARRAY_SIZE(fields_3src); i++) {
        uint64_t value = eu_field_get(native, fields_3src[i].field);
        if (value >> (fields_3src[i].high - fields_3src[i].low + 1))
            return false;
        *out |= value << fields_3src[i].low;
    }
    return true;
}

static void uncompact_3src(uint64_t compact, uint64_t native[2])
{
    SCATTER(native, control_3src, 0, eu_compact_control_3src[bits(compact, 9, 8)]);
    SCATTER(native, source_3src, 0, eu_compact_source_3src[bits(compact, 11, 10)]);
    for (unsigned i = 0; i < ARRAY_SIZE(fields_3src); i++)
        eu_field_or(native, fields_3src[i].field,
                    bits(compact, fields_3src[i].high, fields_3src[i].low));
}

/* ------------------------------------------------------------------------------- programs --- */

bool eu_compact(const struct i965_device *dev, const uint64_t native[2], uint64_t *out)
{
    unsigned opcode = (unsigned)eu_field_get(native, EU_FIELD_OPCODE);

    if (!is_compactable(opcode) || eu_field_get(native, EU_FIELD_COMPACTED))
        return false;
    *out = opcode | UINT64_C(1) << 29;
    if (is_3src(opcode))
        return dev->has_compaction_3src && compact_3src(native, out);
    return compact_basic(native, out);
}

bool eu_uncompact(const struct i965_device *dev, uint64_t compact, uint64_t native[2])
{
    unsigned opcode = (unsigned)bits(compact, 6, 0);

    native[0] = native[1] = 0;
    if (!is_compactable(opcode) || !bits(compact, 29, 29))
        return false;
    eu_field_or(native, EU_FIELD_OPCODE, opcode);
    if (is_3src(opcode)) {
        if (!dev->has_compaction_3src)
            return false;
        uncompact_3src(compact, native);
    } else {
        uncompact_basic(compact, native);
    }
    return true;
}

/* Returns the new offset of the instruction at old (a multiple of 16, or the end) in the native
 * program. */
static int32_t moved(const uint32_t *place, size_t count, int64_t old)
{
    if (old < 0)
        return 0;
    size_t index = (size_t)old / 16;
    return (int32_t)place[index < count ? index : count];
}

static void fix_jump(uint64_t word[2], enum eu_field field, const uint32_t *place, size_t count,
                     size_t i, int from)
{
    const struct eu_field_info *info = &eu_field_info[field];
    int32_t jump = (int32_t)eu_field_get(word, field);
    int64_t target = (int64_t)i * 16 + from + jump;
    int32_t value = moved(place, count, target) - (int32_t)place[i] - from;
    uint64_t mask = UINT64_C(0xffffffff) << (info->low - 64);

    word[1] = (word[1] & ~mask) | (uint64_t)(uint32_t)value << (info->low - 64);
}

/* Adjusts the offsets of a branch. from: jmpi is relative to the next instruction. */
static void fix_branch(uint64_t word[2], const uint32_t *place, size_t count, size_t i)
{
    unsigned opcode = (unsigned)eu_field_get(word, EU_FIELD_OPCODE);
    const struct eu_opcode_info *info = &eu_opcode_info[opcode];

    if (!info->name)
        return;
    if (info->format == EU_FORMAT_JUMP && eu_field_get(word, EU_FIELD_SRC1_FILE) == 3) {
        fix_jump(word, EU_FIELD_JIP, place, count, i, 16);
    } else if (info->format == EU_FORMAT_BRANCH) {
        fix_jump(word, EU_FIELD_JIP, place, count, i, 0);
        if (eu_field_get(word, EU_FIELD_SRC0_FILE) == 3)
            fix_jump(word, EU_FIELD_UIP, place, count, i, 0);
    }
}

size_t eu_compact_program(const struct i965_device *dev, uint8_t *bytes, size_t size)
{
    size_t count = size / 16;
    uint32_t *place = malloc((count + 1) * sizeof *place);
    uint32_t end = 0;
    uint64_t compact;

    if (!place)
        return size; /* Keep the program in native form. */
    for (size_t i = 0; i < count; i++) {
        uint64_t word[2];
        memcpy(word, bytes + i * 16, 16);
        place[i] = end;
        end += eu_compact(dev, word, &compact) ? 8 : 16;
    }
    place[count] = end;
    for (size_t i = 0; i < count; i++) {
        uint64_t word[2];
        memcpy(word, bytes + i * 16, 16);
        if (eu_compact(dev, word, &compact)) {
            memcpy(bytes + place[i], &compact, 8);
        } else {
            fix_branch(word, place, count, i);
            memcpy(bytes + place[i], word, 16);
        }
    }
    free(place);
    return end;
}
