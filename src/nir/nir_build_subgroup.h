/* SPDX-License-Identifier: MIT */
/*
 * Functions on ballots: a bit for each invocation of a subgroup, in four words
 * (KHR_shader_subgroup). Subgroups have up to 32 invocations here, so the first word has them all.
 */
#ifndef NIR_BUILD_SUBGROUP_H
#define NIR_BUILD_SUBGROUP_H

#include "nir_builder.h"

/* SYSTEM_VALUE_SUBGROUP_EQ_MASK … LT_MASK. */
nir_def *nir_build_subgroup_mask(nir_builder *b, enum system_value value);
nir_def *nir_build_ballot_bit_extract(nir_builder *b, nir_def *ballot, nir_def *index);
nir_def *nir_build_inverse_ballot(nir_builder *b, nir_def *ballot);
/* Of all, or of those that the mask GE … LT says. */
nir_def *nir_build_ballot_bit_count(nir_builder *b, nir_def *ballot);
nir_def *nir_build_ballot_masked_bit_count(nir_builder *b, nir_def *ballot, enum system_value mask);
nir_def *nir_build_ballot_find_lsb(nir_builder *b, nir_def *ballot);
nir_def *nir_build_ballot_find_msb(nir_builder *b, nir_def *ballot);

/* What an inactive lane contributes to a reduction (KHR_shader_subgroup, the table of I()). */
nir_const_value nir_reduction_identity(nir_op op, unsigned bit_size);

#endif
