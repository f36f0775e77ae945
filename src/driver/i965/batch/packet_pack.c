/* SPDX-License-Identifier: MIT */
/* Conversion of C structs to packets and structures. */
#include <math.h>
#include <string.h>

#include "packet_layout.h"
#include "util/check.h"
#include "util/macros.h"

/* A packet while it is packed. */
struct packer {
    const struct i965_layout *layout; /* The packet, for messages. */
    enum i965_generation gen;
    uint32_t *dwords;
    unsigned count;
    uint32_t used[I965_PACKET_MAX_DWORDS]; /* Bits of fields that are not zero. */
    struct i965_packet_error *error;
};

static bool fail(struct packer *p, const struct i965_field *f, const char *problem)
{
    snprintf(p->error->text, sizeof p->error->text, "%s: '%s' %s", p->layout->name, f->name,
             problem);
    return false;
}

static bool is_zero(const void *member, size_t size)
{
    const unsigned char *bytes = member;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i])
            return false;
    }
    return true;
}

/* Converts a member to a fixed-point number of width bits. Returns false if it is out of range. */
static bool to_fixed(const struct i965_field *f, unsigned width, float value, uint64_t *bits)
{
    double scaled = nearbyint(ldexp((double)value, f->fraction));
    double low = f->kind == I965_FIELD_SFIXED ? -ldexp(1, (int)width - 1) : 0;
    double high = ldexp(1, (int)width - (f->kind == I965_FIELD_SFIXED)) - 1;
    if (!(scaled >= low && scaled <= high))
        return false;
    *bits = (uint64_t)(int64_t)scaled & (UINT64_MAX >> (64 - width));
    return true;
}

/* Reads an unsigned member of 1, 4 or 8 bytes. */
static uint64_t read_member(const void *member, unsigned size)
{
    uint64_t wide;
    uint32_t word;
    if (size == 1)
        return *(const bool *)member;
    if (size == 8) {
        memcpy(&wide, member, 8);
        return wide;
    }
    memcpy(&word, member, 4);
    return word;
}

/* Converts an address to the bits start & 31 and up of its dwords. */
static bool to_address(const struct i965_place *at, uint64_t value, uint64_t *bits,
                       const char **problem)
{
    unsigned low = (unsigned)at->start & 31, end = low + at->width;
    if (value & ((1ull << low) - 1)) {
        *problem = "is not aligned";
        return false;
    }
    if (end < 64) {
        /* A canonical address repeats bit 47 above it. */
        bool negative = end >= 48 && value >> 47 == UINT64_MAX >> 47;
        if (value >> end && !negative) {
            *problem = "is out of range";
            return false;
        }
        value &= UINT64_MAX >> (64 - end);
    }
    *bits = value >> low;
    return true;
}

/* Converts one element to the bits of the field. */
static bool to_bits(struct packer *p, const struct i965_field *f, const void *member,
                    uint64_t *bits)
{
    const struct i965_place *at = &f->at[p->gen];
    unsigned width = at->width;
    const char *problem = NULL;
    float real;
    int32_t integer;

    switch ((enum i965_field_kind)f->kind) {
    case I965_FIELD_FLOAT:
        *bits = read_member(member, 4);
        return true;
    case I965_FIELD_UFIXED:
    case I965_FIELD_SFIXED:
        memcpy(&real, member, 4);
        return to_fixed(f, width, real, bits) || fail(p, f, "is out of range");
    case I965_FIELD_INT:
        memcpy(&integer, member, 4);
        if (width < 32 && (integer < -(1 << (width - 1)) || integer >= 1 << (width - 1)))
            return fail(p, f, "is out of range");
        *bits = (uint64_t)(int64_t)integer & (UINT64_MAX >> (64 - width));
        return true;
    case I965_FIELD_ADDRESS:
        return to_address(at, read_member(member, 8), bits, &problem) || fail(p, f, problem);
    default:
        *bits = read_member(member, f->size);
        return width >= 64 || !(*bits >> width) || fail(p, f, "is out of range");
    }
}

/* Sets width bits of an array of dwords from bit start on. */
static void set_bits(uint32_t *dwords, unsigned start, unsigned width, uint64_t bits)
{
    for (unsigned done = 0; done < width;) {
        unsigned bit = (start + done) & 31, take = MIN2(32 - bit, width - done);
        dwords[(start + done) / 32] |= (uint32_t)(bits >> done & (UINT32_MAX >> (32 - take)))
                                       << bit;
        done += take;
    }
}

/* Adds a field's bits. Bits that another field has set already must agree. */
static bool add_bits(struct packer *p, const struct i965_field *f, unsigned start, uint64_t bits)
{
    unsigned width = f->at[p->gen].width;
    if (!bits)
        return true;
    uint64_t shared = i965_read_bits(p->used, start, width);
    if ((i965_read_bits(p->dwords, start, width) ^ bits) & shared)
        return fail(p, f, "shares bits with another field that is set, too");
    set_bits(p->dwords, start, width, bits);
    set_bits(p->used, start, width, UINT64_MAX);
    return true;
}

static bool pack_fields(struct packer *p, const struct i965_layout *l, const char *values,
                        unsigned base);

/* Packs all elements of a field of the struct at values. */
static bool pack_field(struct packer *p, const struct i965_field *f, const char *values,
                       unsigned base)
{
    const struct i965_place *at = &f->at[p->gen];
    unsigned count = f->count;
    uint32_t used;
    if (at->start < 0)
        return is_zero(values + f->offset, (size_t)f->size * f->count) ||
               fail(p, f, "does not exist in this generation");
    if (f->variable) {
        memcpy(&used, values + f->count_offset, sizeof used);
        count = used;
    }
    for (unsigned i = 0; i < count; i++) {
        const char *member = values + f->offset + (size_t)i * f->size;
        unsigned start = base + (unsigned)at->start + i * at->stride;
        uint64_t bits = 0;
        if (f->kind == I965_FIELD_STRUCT) {
            if (!pack_fields(p, i965_layout(f->layout), member, start))
                return false;
        } else if (!to_bits(p, f, member, &bits) || !add_bits(p, f, start, bits)) {
            return false;
        }
    }
    return true;
}

/* Rows with the same member describe other generations; only the row of this one is packed. */
static bool described_elsewhere(const struct i965_layout *l, const struct i965_field *f,
                                enum i965_generation gen)
{
    for (unsigned i = 0; i < l->num_fields; i++) {
        if (l->fields[i].offset == f->offset && l->fields[i].at[gen].start >= 0)
            return f->at[gen].start < 0;
    }
    return false;
}

static bool pack_fields(struct packer *p, const struct i965_layout *l, const char *values,
                        unsigned base)
{
    for (unsigned i = 0; i < l->num_fields; i++) {
        const struct i965_field *f = &l->fields[i];
        if (!described_elsewhere(l, f, p->gen) && !pack_field(p, f, values, base))
            return false;
    }
    return true;
}

/* Returns the dwords of a packet with its variable arrays, or 0 if an array has too many or too few
 * elements. */
static unsigned length(struct packer *p, const void *values)
{
    const struct i965_layout *l = p->layout;
    const struct i965_field *array = NULL;
    unsigned dwords = l->dwords[p->gen];
    for (unsigned i = 0; i < l->num_fields; i++) {
        const struct i965_field *f = &l->fields[i];
        const struct i965_place *at = &f->at[p->gen];
        uint32_t used;
        if (!f->variable || at->start < 0)
            continue;
        memcpy(&used, (const char *)values + f->count_offset, sizeof used);
        if (used > f->count) {
            fail(p, f, "has too many elements");
            return 0;
        }
        unsigned step = l->unit * 32u, extra = (used * at->stride + step - 1) / step * l->unit;
        dwords = MAX2(dwords, l->dwords[p->gen] + extra);
        array = array ? array : f;
    }
    /* The length field counts the dwords after the second. */
    if (array && dwords < 2) {
        fail(p, array, "has too few elements");
        return 0;
    }
    return dwords;
}

unsigned i965_pack(enum i965_generation gen, enum i965_layout_id id, const void *values,
                   uint32_t *dwords, unsigned capacity, struct i965_packet_error *error)
{
    const struct i965_layout *l = i965_layout(id);
    struct packer p = {.layout = l, .gen = gen, .dwords = dwords, .error = error};
    CHECK((unsigned)gen < I965_GENERATION_COUNT);
    if (!l->dwords[gen]) {
        snprintf(error->text, sizeof error->text, "%s: does not exist in this generation", l->name);
        return 0;
    }
    p.count = length(&p, values);
    if (!p.count)
        return 0;
    CHECK(p.count <= I965_PACKET_MAX_DWORDS);
    if (p.count > capacity) {
        snprintf(error->text, sizeof error->text, "%s: needs %u dwords, and there are %u", l->name,
                 p.count, capacity);
        return 0;
    }
    memset(dwords, 0, p.count * sizeof *dwords);
    if (!pack_fields(&p, l, values, 0))
        return 0;
    if (!l->bits)
        dwords[0] |= l->opcode | (l->length_bits ? p.count - 2 : 0);
    return p.count;
}
