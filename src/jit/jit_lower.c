/* SPDX-License-Identifier: MIT */
/* The last lowering of a kernel's NIR, to what jit_emit_* understand. Needs no LLVM. */
#include "jit/jit.h"
#include "jit/jit_private.h"

/* In LCSSA a value that leaves a loop goes through a phi, which holds for each lane the value at
 * the time it left. Values that are the same in all iterations are computed before the loop: they
 * stay uniform, as addresses of blocks must. */
void jit_lower_nir(nir_shader *nir)
{
    bool progress = false;
    NIR_PASS(progress, nir, nir_lower_alu_to_scalar);
    NIR_PASS(progress, nir, jit_lower_math);
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
