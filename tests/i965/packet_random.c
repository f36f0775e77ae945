/* SPDX-License-Identifier: MIT */
/* Random packets, for tests. */
#include "packet_random.h"

#include <string.h>

#include "packet_layout.h"

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

unsigned packet_random(enum i965_generation gen, enum i965_layout_id id, uint32_t *seed,
                       uint32_t *dwords)
{
    const struct i965_layout *l = i965_layout(id);
    uint32_t covered[I965_PACKET_MAX_DWORDS] = {0};
    unsigned count = l->dwords[gen] + l->unit * (1 + next(seed) % 3);
    i965_cover_bits(covered, count, l, gen, 0);
    for (unsigned i = 0; i < count; i++)
        dwords[i] = (next(seed) | next(seed) << 16) & covered[i];
    if (!l->bits)
        dwords[0] = (dwords[0] & ~l->mask) | l->opcode | (l->length_bits ? count - 2 : 0);
    return count;
}
