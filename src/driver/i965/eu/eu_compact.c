/* SPDX-License-Identifier: MIT */
/*
 * Conversion to and from the 8-byte form (Skylake PRM, volume 7, "EU Compact Instructions"):
 * combinations of fields are replaced by indices into tables, and immediates are shortened. The
 * tables and forms of each generation are data (eu_compaction.py). An instruction has a compacted
 * form if expanding it gives the same native bits.
 */
#include <stdlib.h>
#include <string.h>

#include "driver/i965/eu.h"
#include "eu_compaction.h"
#include "eu_fields.h"
#include "util/macros.h"

/* Returns the table's native bits, shifted up, as one number. */
static uint64_t gather(const uint64_t native[2], const struct eu_compact_table *table,
                       unsigned shift)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < table->num_ranges; i++) {
        unsigned high = table->ranges[i][0] + shift, low = table->ranges[i][1] + shift;
        value = value << (high - low + 1) | eu_bits_get(native, high, low);
    }
    return value;
}

static void scatter(uint64_t native[2], const struct eu_compact_table *table, unsigned shift,
                    uint64_t value)
{
    for (unsigned i = table->num_ranges; i-- > 0;) {
        unsigned high = table->ranges[i][0] + shift, low = table->ranges[i][1] + shift;
        unsigned size = high - low + 1;
        eu_bits_or(native, high, low, value & ((UINT64_C(1) << size) - 1));
        value >>= size;
    }
}

static bool find(const struct eu_compact_table *table, uint64_t value, uint64_t *index)
{
    for (unsigned i = 0; i < table->num_rows; i++) {
        if (table->rows[i] == value) {
            *index = i;
            return true;
        }
    }
    return false;
}

static bool has_immediate(enum eu_generation gen, const uint64_t native[2])
{
    unsigned immediate = eu_generation_info[gen].file_immediate;
    return eu_field_get(gen, native, EU_FIELD_SRC0_FILE) >= immediate ||
           eu_field_get(gen, native, EU_FIELD_SRC1_FILE) >= immediate;
}

/* Finds the format of an opcode's compacted form. Returns false if it has none.
 */
static bool format_of(enum eu_generation gen, unsigned code, bool *ternary)
{
    unsigned opcode = eu_opcode_by_code[gen][code];
    unsigned format = opcode == 0xff ? EU_FORMAT_NONE : eu_opcode_info[opcode].format;

    *ternary = format == EU_FORMAT_3SRC;
    if (eu_not_compacted[gen][code / 64] >> code % 64 & 1)
        return false;
    return *ternary || format == EU_FORMAT_BASIC || format == EU_FORMAT_MATH;
}

/* Returns the type of the immediate operand. */
static enum eu_type immediate_type(enum eu_generation gen, const uint64_t native[2])
{
    bool first =
        eu_field_get(gen, native, EU_FIELD_SRC0_FILE) >= eu_generation_info[gen].file_immediate;
    uint64_t code = eu_field_get(gen, native, first ? EU_FIELD_SRC0_TYPE : EU_FIELD_SRC1_TYPE);

    for (unsigned i = 0; i < EU_TYPE_COUNT; i++) {
        if (eu_type_info[i].code[gen].imm == code)
            return (enum eu_type)i;
    }
    return EU_TYPE_COUNT;
}

/* Expands 12 bits: the upper bits of a float, the lower bits of an integer.
 * Returns 0 for types of which the assembler has no short immediates. */
static uint32_t expand_immediate(enum eu_type type, uint32_t bits)
{
    uint32_t extended = bits & 0x800 ? bits | 0xfffff000 : bits;

    switch (type) {
    case EU_TYPE_F:
        return bits << 20;
    case EU_TYPE_D:
        return extended;
    case EU_TYPE_UD:
    case EU_TYPE_V:
        return bits;
    case EU_TYPE_W:
        return (extended & 0xffff) * 0x10001u;
    case EU_TYPE_UW:
        return bits * 0x10001u;
    default:
        return 0;
    }
}

static bool compact_form(enum eu_generation gen, const uint64_t native[2],
                         const struct eu_compact_form *form, uint64_t *out)
{
    for (unsigned i = 0; i < form->count; i++) {
        const struct eu_compact_piece *p = &form->pieces[i];
        uint64_t value = 0;
        if (p->sign)
            continue;
        if (p->immediate)
            value = eu_field_get(gen, native, EU_FIELD_IMM32) >>
                        (immediate_type(gen, native) == EU_TYPE_F ? 20 : 0) &
                    0xfff;
        else if (!p->table)
            value = eu_bits_get(native, p->native_high, p->native_low);
        else if (!find(p->table, gather(native, p->table, p->shift) & p->mask, &value))
            return false;
        *out |= value << p->low;
    }
    return true;
}

/* Each index has a row (eu_tables.py). */
static void expand_form(enum eu_generation gen, uint64_t compact,
                        const struct eu_compact_form *form, uint64_t native[2])
{
    for (unsigned i = 0; i < form->count; i++) {
        const struct eu_compact_piece *p = &form->pieces[i];
        if (p->sign) {
            uint64_t sign = eu_bits_get(native, p->native_low - 1u, p->native_low - 1u);
            unsigned size = p->native_high - p->native_low + 1u;
            eu_bits_or(native, p->native_high, p->native_low, sign ? (UINT64_C(1) << size) - 1 : 0);
            continue;
        }
        uint64_t value = compact >> p->low & ((UINT64_C(1) << (p->high - p->low + 1)) - 1);
        if (p->table)
            scatter(native, p->table, p->shift, p->table->rows[value] & p->mask);
        else if (p->immediate)
            eu_field_or(gen, native, EU_FIELD_IMM32,
                        expand_immediate(immediate_type(gen, native), (uint32_t)value));
        else
            eu_bits_or(native, p->native_high, p->native_low, value);
    }
}

static bool is_compacted(enum eu_generation gen, uint64_t word)
{
    const uint64_t words[2] = {word, 0};
    return eu_field_get(gen, words, EU_FIELD_COMPACTED);
}

bool eu_uncompact(const struct i965_device *dev, uint64_t compact, uint64_t native[2])
{
    const struct eu_compact_form *forms = eu_compact_forms[dev->eu];
    const uint64_t words[2] = {compact, 0};
    uint64_t code = eu_field_get(dev->eu, words, EU_FIELD_OPCODE);
    bool ternary;

    native[0] = native[1] = 0;
    if (!format_of(dev->eu, (unsigned)code, &ternary) || !is_compacted(dev->eu, compact) ||
        !forms[ternary ? EU_COMPACT_TERNARY : EU_COMPACT_BASIC].count)
        return false;
    expand_form(dev->eu, compact, &forms[ternary ? EU_COMPACT_TERNARY : EU_COMPACT_BASIC], native);
    if (!ternary && has_immediate(dev->eu, native)) {
        native[0] = native[1] = 0;
        expand_form(dev->eu, compact, &forms[EU_COMPACT_IMMEDIATE], native);
    }
    eu_field_or(dev->eu, native, EU_FIELD_OPCODE, code);
    return true;
}

bool eu_compact(const struct i965_device *dev, const uint64_t native[2], uint64_t *out)
{
    const struct eu_compact_form *forms = eu_compact_forms[dev->eu];
    uint64_t words[2] = {0}, expanded[2];
    uint64_t code = eu_field_get(dev->eu, native, EU_FIELD_OPCODE);
    bool ternary;

    if (!format_of(dev->eu, (unsigned)code, &ternary) || is_compacted(dev->eu, native[0]))
        return false;
    unsigned kind = ternary                          ? EU_COMPACT_TERNARY
                    : has_immediate(dev->eu, native) ? EU_COMPACT_IMMEDIATE
                                                     : EU_COMPACT_BASIC;
    if (eu_field_get(dev->eu, native, EU_FIELD_SRC0_FILE) == 3 && !ternary &&
        eu_bits_get(native, 95, 64))
        return false; /* A 64-bit immediate. */
    eu_field_or(dev->eu, words, EU_FIELD_OPCODE, code);
    eu_field_or(dev->eu, words, EU_FIELD_COMPACTED, 1);
    *out = words[0];
    if (!forms[kind].count || !compact_form(dev->eu, native, &forms[kind], out))
        return false;
    return eu_uncompact(dev, *out, expanded) && expanded[0] == native[0] &&
           expanded[1] == native[1];
}

/* --------------------------------------------------------------------------------- programs --- */

/* Returns the new offset of the instruction that was at offset `old` of the native program: a
 * multiple of 16, or the end. */
static int32_t moved(const uint32_t *place, size_t count, int64_t old)
{
    if (old < 0)
        return 0;
    size_t index = (size_t)old / 16;
    return (int32_t)place[index < count ? index : count];
}

static void fix_jump(const struct i965_device *dev, uint64_t word[2], enum eu_field field,
                     const uint32_t *place, size_t count, size_t i, int from)
{
    const struct eu_field_info *info = &eu_field_info[dev->eu][field];
    int32_t jump = (int32_t)eu_field_get(dev->eu, word, field);
    int64_t target = (int64_t)i * 16 + from + jump;
    int32_t value = moved(place, count, target) - (int32_t)place[i] - from;
    uint64_t mask = UINT64_C(0xffffffff) << (info->range[0].low - 64);

    word[1] = (word[1] & ~mask) | (uint64_t)(uint32_t)value << (info->range[0].low - 64);
}

/* Adjusts the offsets of a branch. jmpi is relative to the next instruction before Gen12. */
static void fix_branch(const struct i965_device *dev, uint64_t word[2], const uint32_t *place,
                       size_t count, size_t i)
{
    unsigned opcode = eu_opcode_by_code[dev->eu][eu_field_get(dev->eu, word, EU_FIELD_OPCODE)];

    if (opcode == 0xff)
        return;
    const struct eu_opcode_info *info = &eu_opcode_info[opcode];
    if (info->format == EU_FORMAT_JUMP && has_immediate(dev->eu, word)) {
        fix_jump(dev, word, EU_FIELD_JIP, place, count, i, dev->has_software_scoreboard ? 0 : 16);
    } else if (info->format == EU_FORMAT_BRANCH) {
        fix_jump(dev, word, EU_FIELD_JIP, place, count, i, 0);
        if (eu_has_uip((enum eu_opcode)opcode))
            fix_jump(dev, word, EU_FIELD_UIP, place, count, i, 0);
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
            fix_branch(dev, word, place, count, i);
            memcpy(bytes + place[i], word, 16);
        }
    }
    free(place);
    return end;
}
