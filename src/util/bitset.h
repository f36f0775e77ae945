/* SPDX-License-Identifier: MIT */
/* Sets of small integers as arrays of 32-bit words. `bits` is the number of possible elements,
 * 0 to bits - 1. The functions don't check that elements are in this range. Not thread-safe. */
#ifndef UTIL_BITSET_H
#define UTIL_BITSET_H

#include "util/macros.h"

typedef uint32_t bitset_word;

/* BITSET_WORDBITS: bits of a word. BITSET_WORDS: number of words of a set of `bits` elements, for
 * example 2 for 33 elements. BITSET_DECLARE: declares the variable or member `name`, a set of
 * `bits` elements, which is not initialized. */
#define BITSET_WORDBITS            32
#define BITSET_WORDS(bits)         (((bits) + BITSET_WORDBITS - 1) / BITSET_WORDBITS)
#define BITSET_DECLARE(name, bits) bitset_word name[BITSET_WORDS(bits)]

/* Returns whether i is in the set. */
static inline bool bitset_test(const bitset_word *set, unsigned i)
{
    return set[i / BITSET_WORDBITS] >> (i % BITSET_WORDBITS) & 1;
}

/* Adds i to the set. */
static inline void bitset_set(bitset_word *set, unsigned i)
{
    set[i / BITSET_WORDBITS] |= 1u << (i % BITSET_WORDBITS);
}

/* Removes i from the set, if it is there. */
static inline void bitset_clear(bitset_word *set, unsigned i)
{
    set[i / BITSET_WORDBITS] &= ~(1u << (i % BITSET_WORDBITS));
}

/* Returns the smallest element >= from, or `bits` if there is none. */
static inline unsigned bitset_next_set(const bitset_word *set, unsigned from, unsigned bits)
{
    while (from < bits) {
        bitset_word w = set[from / BITSET_WORDBITS] >> (from % BITSET_WORDBITS);
        if (w) {
            from += __builtin_ctz(w);
            return from < bits ? from : bits;
        }
        from = (from / BITSET_WORDBITS + 1) * BITSET_WORDBITS;
    }
    return bits;
}

/* Loops over the elements in ascending order. Declares i, the element. The body may remove i. */
#define bitset_foreach_set(i, set, bits)                                                           \
    for (unsigned i = bitset_next_set(set, 0, bits); i < (bits);                                   \
         i = bitset_next_set(set, i + 1, bits))

#endif
