/* SPDX-License-Identifier: MIT */
/* The usual loop over the optimizations, until none finds anything. */
#include "nir.h"

/* Every pass shrinks or simplifies; the bound is against two that undo each other's work. */
#define MAX_ROUNDS 64

bool nir_optimize(nir_shader *shader)
{
    bool any = false, progress = true;
    for (unsigned round = 0; progress && round < MAX_ROUNDS; round++) {
        progress = false;
        NIR_PASS(progress, shader, nir_lower_vars_to_ssa);
        NIR_PASS(progress, shader, nir_opt_copy_prop_vars);
        NIR_PASS(progress, shader, nir_opt_dead_write_vars);
        NIR_PASS(progress, shader, nir_copy_prop);
        NIR_PASS(progress, shader, nir_opt_remove_phis);
        NIR_PASS(progress, shader, nir_opt_dce);
        NIR_PASS(progress, shader, nir_opt_trivial_continues);
        NIR_PASS(progress, shader, nir_opt_if);
        NIR_PASS(progress, shader, nir_opt_dead_cf);
        NIR_PASS(progress, shader, nir_opt_cse);
        NIR_PASS(progress, shader, nir_opt_peephole_select, 8);
        NIR_PASS(progress, shader, nir_opt_algebraic);
        NIR_PASS(progress, shader, nir_opt_constant_folding);
        NIR_PASS(progress, shader, nir_opt_undef);
        if (!progress)
            NIR_PASS(progress, shader, nir_opt_loop_unroll);
        any |= progress;
    }
    return any;
}
