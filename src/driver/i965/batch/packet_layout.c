/* SPDX-License-Identifier: MIT */
/* The tables of packets and structures, and how to find a packet in them. */
#include "packet_layout.h"

#include <string.h>

#include "util/check.h"
#include "util/macros.h"

#include "i965_packet_tables.h"

const struct i965_layout *i965_layout(enum i965_layout_id id)
{
    CHECK((unsigned)id < I965_LAYOUT_COUNT);
    return &layouts[id];
}

bool i965_generation_by_target(const char *target, enum i965_generation *gen)
{
    static const char *const names[I965_GENERATION_COUNT] = {"bdw", "skl", "icl", "tgl"};
    for (unsigned i = 0; i < I965_GENERATION_COUNT; i++) {
        if (strcmp(target, names[i]) == 0) {
            *gen = (enum i965_generation)i;
            return true;
        }
    }
    return false;
}

const char *i965_layout_name(enum i965_layout_id id)
{
    return i965_layout(id)->name;
}

bool i965_layout_exists(enum i965_layout_id id, enum i965_generation gen)
{
    return i965_layout(id)->dwords[gen] != 0;
}

unsigned i965_layout_dwords(enum i965_layout_id id, enum i965_generation gen)
{
    return i965_layout(id)->dwords[gen];
}

bool i965_field_exists(enum i965_layout_id id, const char *field, enum i965_generation gen)
{
    const struct i965_layout *l = i965_layout(id);
    for (unsigned i = 0; i < l->num_fields; i++) {
        if (!strcmp(l->fields[i].name, field) && l->fields[i].at[gen].start >= 0)
            return l->dwords[gen] != 0;
    }
    return false;
}

bool i965_layout_is_packet(enum i965_layout_id id)
{
    return i965_layout(id)->bits == 0;
}

bool i965_find_packet(enum i965_generation gen, uint32_t dword, enum i965_layout_id *id)
{
    const struct i965_layout *best = NULL;
    for (unsigned i = 0; i < I965_LAYOUT_COUNT; i++) {
        const struct i965_layout *l = &layouts[i];
        if (l->bits || !l->dwords[gen] || (dword & l->mask) != l->opcode)
            continue;
        if (!best || l->mask > best->mask)
            best = l;
    }
    if (best)
        *id = (enum i965_layout_id)(best - layouts);
    return best != NULL;
}

unsigned i965_packet_length(enum i965_layout_id id, uint32_t dword)
{
    const struct i965_layout *l = i965_layout(id);
    return l->length_bits ? (dword & ((1u << l->length_bits) - 1)) + 2 : 1;
}

unsigned i965_field_elements(const struct i965_layout *l, const struct i965_field *f,
                             enum i965_generation gen, unsigned dwords)
{
    unsigned fixed = l->dwords[gen];
    if (!f->variable)
        return f->count;
    if (dwords < fixed)
        return 0;
    unsigned fit = (dwords - fixed) * 32 / f->at[gen].stride;
    return fit < f->count ? fit : f->count;
}

uint64_t i965_read_bits(const uint32_t *dwords, unsigned start, unsigned width)
{
    uint64_t value = 0;
    for (unsigned done = 0; done < width;) {
        unsigned bit = (start + done) & 31,
                 take = 32 - bit < width - done ? 32 - bit : width - done;
        uint64_t part = (dwords[(start + done) / 32] >> bit) & (UINT32_MAX >> (32 - take));
        value |= part << done;
        done += take;
    }
    return value;
}

void i965_cover_bits(uint32_t *mask, unsigned dwords, const struct i965_layout *l,
                     enum i965_generation gen, unsigned base)
{
    for (unsigned i = 0; i < l->num_fields; i++) {
        const struct i965_field *f = &l->fields[i];
        const struct i965_place *p = &f->at[gen];
        if (p->start < 0)
            continue;
        for (unsigned n = i965_field_elements(l, f, gen, dwords), e = 0; e < n; e++) {
            unsigned start = base + (unsigned)p->start + e * p->stride;
            if (f->kind == I965_FIELD_STRUCT) {
                i965_cover_bits(mask, dwords, &layouts[f->layout], gen, start);
                continue;
            }
            for (unsigned b = start; b < start + p->width && b < dwords * 32; b++)
                mask[b / 32] |= 1u << (b & 31);
        }
    }
}
