/* SPDX-License-Identifier: MIT */
/* Random packets, for tests. */
#ifndef PACKET_RANDOM_H
#define PACKET_RANDOM_H

#include "i965_batch.h"

/* Stores a packet or structure with random values in every field in `dwords`, an array of
 * I965_PACKET_MAX_DWORDS. It must exist in the generation. Returns its length in dwords. */
unsigned packet_random(enum i965_generation gen, enum i965_layout_id id, uint32_t *seed,
                       uint32_t *dwords);

#endif
