/* SPDX-License-Identifier: MIT */
/*
 * Builders for integers of several 32-bit words: pairs for 64-bit values, and arrays of two or four
 * words, the lowest first. Words are 32-bit values with any number of components.
 */
#ifndef NIR_BUILD_WORDS_H
#define NIR_BUILD_WORDS_H

#include "nir_builder.h"

/* The halves of a 64-bit value. */
struct nir_pair {
    nir_def *lo, *hi;
};

/* Returns zeros with as many components as `like`. */
static inline nir_def *nir_word_zero(nir_builder *b, nir_def *like)
{
    return nir_imm_zero(b, like->num_components, 32);
}

/* Convert between 64-bit values and pairs. */
static inline struct nir_pair nir_pair_split(nir_builder *b, nir_def *x)
{
    return (struct nir_pair){nir_unpack_64_2x32_split_x(b, x), nir_unpack_64_2x32_split_y(b, x)};
}

static inline nir_def *nir_pair_join(nir_builder *b, struct nir_pair x)
{
    return nir_pack_64_2x32_split(b, x.lo, x.hi);
}

/* Returns a constant with as many components as `like`. */
struct nir_pair nir_pair_constant(nir_builder *b, nir_def *like, uint64_t value);
/* Returns x where the boolean is true, otherwise y. */
struct nir_pair nir_pair_select(nir_builder *b, nir_def *cond, struct nir_pair x,
                                struct nir_pair y);

/* Return x + y, x - y and -x, which wrap around. nir_pair_negate_if returns -x where the boolean is
 * true, otherwise x. */
struct nir_pair nir_pair_add(nir_builder *b, struct nir_pair x, struct nir_pair y);
struct nir_pair nir_pair_sub(nir_builder *b, struct nir_pair x, struct nir_pair y);
struct nir_pair nir_pair_negate(nir_builder *b, struct nir_pair x);
struct nir_pair nir_pair_negate_if(nir_builder *b, nir_def *cond, struct nir_pair x);
/* Returns the absolute value of a signed integer. */
struct nir_pair nir_pair_magnitude(nir_builder *b, struct nir_pair x);
/* Returns the 64-bit product of two unsigned words. */
struct nir_pair nir_pair_product(nir_builder *b, nir_def *x, nir_def *y);

/* Tests and comparisons (x < y, x == y). Return booleans. */
nir_def *nir_pair_is_negative(nir_builder *b, struct nir_pair x);
nir_def *nir_pair_is_zero(nir_builder *b, struct nir_pair x);
nir_def *nir_pair_less(nir_builder *b, struct nir_pair x, struct nir_pair y, bool is_signed);
nir_def *nir_pair_equal(nir_builder *b, struct nir_pair x, struct nir_pair y);

/* Shift by the 32-bit count n modulo 64. Shifts right copy the sign bit if is_signed, and otherwise
 * shift in zeros. */
struct nir_pair nir_pair_shift_left(nir_builder *b, struct nir_pair x, nir_def *n);
struct nir_pair nir_pair_shift_right(nir_builder *b, struct nir_pair x, nir_def *n, bool is_signed);

/* --- Arrays of n words; n is 2 or 4 --- */

/* Returns the number of leading zeros; 32 * n if all words are 0. */
nir_def *nir_words_uclz(nir_builder *b, nir_def *const *w, unsigned n);
/* Shifts w left in place by s < 32 * n bits. */
void nir_words_shift_left(nir_builder *b, nir_def **w, unsigned n, nir_def *s);
/* Shifts w right in place by s < 32 * n bits. Sets the lowest bit of the result if any bit that is
 * shifted out was set. */
void nir_words_shift_right_sticky(nir_builder *b, nir_def **w, unsigned n, nir_def *s);
/* Stores the four words of the product of two unsigned 64-bit values. */
void nir_words_product(nir_builder *b, nir_def *w[4], struct nir_pair x, struct nir_pair y);
/* Adds y to x in place if the mask is 0, and subtracts y if the mask is ~0. */
void nir_words_add_masked(nir_builder *b, nir_def **x, nir_def *const *y, unsigned n,
                          nir_def *mask);

#endif
