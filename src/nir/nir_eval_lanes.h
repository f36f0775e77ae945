/* SPDX-License-Identifier: MIT */
/* What instructions between the invocations of a subgroup give: the evaluator's. */
#ifndef NIR_EVAL_LANES_H
#define NIR_EVAL_LANES_H

#include "nir.h"

#define NIR_EVAL_MAX_LANES 32

struct nir_eval_lane {
    nir_const_value *src[2]; /* of the instruction's sources */
    nir_const_value *dest;   /* NULL: the lane is not active */
};

/* Whether it is such an instruction: all of KHR_shader_subgroup, not what drivers add to it. */
bool nir_eval_is_between_lanes(nir_intrinsic_op op);
/* Lanes are a power of two, at most NIR_EVAL_MAX_LANES; one at least is active. What is read of others
 * is 0. */
void nir_eval_lanes(const nir_intrinsic_instr *intr, const struct nir_eval_lane *lanes,
                    unsigned count);

#endif
