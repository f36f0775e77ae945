/* SPDX-License-Identifier: MIT */
/* Interpretation of subgroup operations, for nir_eval.c. */
#ifndef NIR_EVAL_SUBGROUP_H
#define NIR_EVAL_SUBGROUP_H

#include "nir.h"

#define NIR_EVAL_MAX_LANES 32

/* Operands of one lane; borrowed. */
struct nir_eval_subgroup_lane {
    nir_const_value *src[2]; /* values of the instruction's sources */
    nir_const_value *dest;   /* receives the result; NULL: the lane is inactive */
};

/* Returns true for the subgroup operations of KHR_shader_subgroup, but not for the internal ones
 * such as min_2x16. */
bool nir_eval_is_subgroup_op(nir_intrinsic_op op);
/* Evaluates the operation for a subgroup of `count` lanes, a power of two up to NIR_EVAL_MAX_LANES.
 * At least one lane must be active. Values read from inactive lanes are 0. */
void nir_eval_subgroup_op(const nir_intrinsic_instr *intr,
                          const struct nir_eval_subgroup_lane *lanes, unsigned count);

#endif
