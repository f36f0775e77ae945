/* SPDX-License-Identifier: MIT */
/* Random packets, for tests. */
#ifndef PACKET_RANDOM_H
#define PACKET_RANDOM_H

#include "i965_batch.h"

/* Fills dwords, I965_PACKET_MAX_DWORDS of them, with a packet or structure that exists in the
 * generation and has random values in every field. Returns its length in dwords. */
unsigned packet_random(enum i965_generation gen, enum i965_layout_id id, uint32_t *seed,
                       uint32_t *dwords);

#endif
