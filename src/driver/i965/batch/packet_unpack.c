/* SPDX-License-Identifier: MIT */
/* Conversion of packets and structures to C structs. */
#include <math.h>
#include <string.h>

#include "packet_layout.h"
#include "util/check.h"

/* Returns the number that a fixed-point field of width bits holds. */
static float from_fixed(const struct i965_field *f, unsigned width, uint64_t bits)
{
    int64_t value = (int64_t)bits;
    if (f->kind == I965_FIELD_SFIXED && bits >> (width - 1))
        value -= (int64_t)1 << width;
    return (float)ldexp((double)value, -f->fraction);
}

/* Stores the bits of one element in its member. */
static void from_bits(const struct i965_field *f, const struct i965_place *at, uint64_t bits,
                      void *member)
{
    float real;
    int32_t integer;
    uint32_t word = (uint32_t)bits;

    switch ((enum i965_field_kind)f->kind) {
    case I965_FIELD_BOOL:
        *(bool *)member = bits != 0;
        break;
    case I965_FIELD_UFIXED:
    case I965_FIELD_SFIXED:
        real = from_fixed(f, at->width, bits);
        memcpy(member, &real, sizeof real);
        break;
    case I965_FIELD_INT:
        integer = (int32_t)(word << (32 - at->width)) >> (32 - at->width);
        memcpy(member, &integer, sizeof integer);
        break;
    case I965_FIELD_ADDRESS:
        bits <<= at->start & 31;
        memcpy(member, &bits, sizeof bits);
        break;
    default:
        memcpy(member, f->size == 8 ? (const void *)&bits : (const void *)&word, f->size);
        break;
    }
}

static void unpack_fields(enum i965_generation gen, const struct i965_layout *l,
                          const uint32_t *dwords, unsigned count, unsigned base, char *values)
{
    for (unsigned i = 0; i < l->num_fields; i++) {
        const struct i965_field *f = &l->fields[i];
        const struct i965_place *at = &f->at[gen];
        if (at->start < 0)
            continue;
        uint32_t elements = i965_field_elements(l, f, gen, count);
        if (f->variable)
            memcpy(values + f->count_offset, &elements, sizeof elements);
        for (unsigned e = 0; e < elements; e++) {
            unsigned start = base + (unsigned)at->start + e * at->stride;
            char *member = values + f->offset + (size_t)e * f->size;
            if (f->kind == I965_FIELD_STRUCT)
                unpack_fields(gen, i965_layout(f->layout), dwords, count, start, member);
            else
                from_bits(f, at, i965_read_bits(dwords, start, at->width), member);
        }
    }
}

/* Checks the opcode and length of a packet. Returns its length in dwords, or 0 after storing an
 * error. */
static unsigned check_header(enum i965_generation gen, enum i965_layout_id id,
                             const uint32_t *dwords, unsigned count,
                             struct i965_packet_error *error)
{
    const struct i965_layout *l = i965_layout(id);
    unsigned expected = l->dwords[gen], length = expected;
    if (!expected) {
        snprintf(error->text, sizeof error->text, "%s: does not exist in this generation", l->name);
        return 0;
    }
    if (!l->bits) {
        if (!count || (dwords[0] & l->mask) != l->opcode) {
            snprintf(error->text, sizeof error->text, "%s: has another opcode", l->name);
            return 0;
        }
        length = i965_packet_length(id, dwords[0]);
        if (length < expected ||
            (l->unit ? (length - expected) % l->unit != 0 : length != expected)) {
            snprintf(error->text, sizeof error->text, "%s: the length is %u dwords instead of %u%s",
                     l->name, length, expected, l->unit ? " or more" : "");
            return 0;
        }
    }
    if (count < length) {
        snprintf(error->text, sizeof error->text, "%s: truncated, %u of %u dwords", l->name, count,
                 length);
        return 0;
    }
    return length;
}

/* Reports the first dword with a bit that belongs to no field. */
static bool check_reserved(enum i965_generation gen, const struct i965_layout *l,
                           const uint32_t *dwords, unsigned length, struct i965_packet_error *error)
{
    uint32_t covered[I965_PACKET_MAX_DWORDS] = {0};
    unsigned checked = length < I965_PACKET_MAX_DWORDS ? length : I965_PACKET_MAX_DWORDS;
    i965_cover_bits(covered, checked, l, gen, 0);
    if (!l->bits)
        covered[0] |= l->mask | ((1u << l->length_bits) - 1);
    if (l->bits && l->bits < 32)
        covered[0] |= UINT32_MAX << l->bits;
    for (unsigned i = 0; i < checked; i++) {
        uint32_t reserved = dwords[i] & ~covered[i];
        if (reserved) {
            snprintf(error->text, sizeof error->text, "%s: dword %u: reserved bits %#x are set",
                     l->name, i, reserved);
            return false;
        }
    }
    return true;
}

bool i965_check_packet(enum i965_generation gen, enum i965_layout_id id, const uint32_t *dwords,
                       unsigned count, struct i965_packet_error *error)
{
    CHECK((unsigned)gen < I965_GENERATION_COUNT);
    unsigned length = check_header(gen, id, dwords, count, error);
    return length && check_reserved(gen, i965_layout(id), dwords, length, error);
}

bool i965_check_length(enum i965_generation gen, enum i965_layout_id id, const uint32_t *dwords,
                       unsigned count, struct i965_packet_error *error)
{
    CHECK((unsigned)gen < I965_GENERATION_COUNT);
    return check_header(gen, id, dwords, count, error) != 0;
}

bool i965_unpack(enum i965_generation gen, enum i965_layout_id id, const uint32_t *dwords,
                 unsigned count, void *values, struct i965_packet_error *error)
{
    const struct i965_layout *l = i965_layout(id);
    CHECK((unsigned)gen < I965_GENERATION_COUNT);
    memset(values, 0, l->struct_size);
    unsigned length = check_header(gen, id, dwords, count, error);
    if (!length)
        return false;
    unpack_fields(gen, l, dwords, length, 0, values);
    return check_reserved(gen, l, dwords, length, error);
}
