/* SPDX-License-Identifier: MIT */
/*
 * Builders for ballot functions (KHR_shader_subgroup). A ballot has four 32-bit words with one bit
 * for each invocation of the subgroup. Subgroups have at most 32 invocations, so only the first
 * word is used. Counts and searches ignore the bits of invocations that don't exist.
 */
#ifndef NIR_BUILD_SUBGROUP_H
#define NIR_BUILD_SUBGROUP_H

#include "nir_builder.h"

/* Returns a mask of invocations in the form of a ballot. `value` is one of
 * SYSTEM_VALUE_SUBGROUP_{EQ,GE,GT,LE,LT}_MASK, for the invocations whose index is =, >=, >, <= or <
 * that of the current one. */
nir_def *nir_build_subgroup_mask(nir_builder *b, enum system_value value);
/* Returns the ballot's bit for invocation `index` as a boolean. */
nir_def *nir_build_ballot_bit_extract(nir_builder *b, nir_def *ballot, nir_def *index);
/* Returns the ballot's bit for the current invocation as a boolean. */
nir_def *nir_build_inverse_ballot(nir_builder *b, nir_def *ballot);
/* Returns the number of bits set in the ballot. */
nir_def *nir_build_ballot_bit_count(nir_builder *b, nir_def *ballot);
/* Returns the number of bits set in both the ballot and the given SYSTEM_VALUE_SUBGROUP_*_MASK. */
nir_def *nir_build_ballot_masked_bit_count(nir_builder *b, nir_def *ballot, enum system_value mask);
/* Return the index of the lowest or highest set bit, or -1 if no bit is set. */
nir_def *nir_build_ballot_find_lsb(nir_builder *b, nir_def *ballot);
nir_def *nir_build_ballot_find_msb(nir_builder *b, nir_def *ballot);

/* Returns the identity element of a reduction with op, the value that inactive lanes contribute
 * (KHR_shader_subgroup, table of I()). */
nir_const_value nir_reduction_identity(nir_op op, unsigned bit_size);

#endif
