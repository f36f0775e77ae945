/* SPDX-License-Identifier: MIT */
/* Final lowering of a kernel's NIR, to the instructions that all code generators support. */
#include "jit/jit.h"
#include "jit/jit_private.h"

/* In LCSSA, code after a loop uses a value of the loop through a phi, which holds for each lane the
 * value at the time the lane left. Hoisting loop invariants first keeps them out of such phis. They
 * stay uniform, which addresses of blocks must be. */
void jit_lower_nir(nir_shader *nir)
{
    bool progress = false;
    NIR_PASS(progress, nir, nir_lower_alu_to_scalar);
    NIR_PASS(progress, nir, nir_canonicalize_nans);
    NIR_PASS(progress, nir, nir_lower_math);
    NIR_PASS(progress, nir, nir_lower_phis_to_scalar);
    do {
        progress = false;
        NIR_PASS(progress, nir, nir_copy_prop);
        NIR_PASS(progress, nir, nir_opt_constant_folding);
        NIR_PASS(progress, nir, nir_opt_algebraic);
        NIR_PASS(progress, nir, nir_opt_cse);
        NIR_PASS(progress, nir, nir_opt_dce);
    } while (progress);
    NIR_PASS_V(nir, nir_opt_remove_phis);
    NIR_PASS_V(nir, nir_opt_hoist_invariants);
    NIR_PASS_V(nir, nir_convert_to_lcssa);
    nir_divergence_analysis(nir);
}
