/* SPDX-License-Identifier: MIT */
/*
 * The usual loop over the optimizations. It ends when each pass has run without finding anything
 * since the last one that did, which is often in the middle of a round. Loops are unrolled only
 * when nothing else is left to do: their bodies are as small as they get.
 */
#include "nir.h"

/* Every pass shrinks or simplifies; the bound is against two that undo each other's work. */
#define MAX_ROUNDS 64
#define NUM_STEPS  15

bool nir_optimize(nir_shader *shader)
{
    bool any = false;
    unsigned quiet = 0; /* passes since the last progress */
#define STEP(...)                                                                                  \
    do {                                                                                           \
        bool progress = false;                                                                     \
        if (quiet < NUM_STEPS)                                                                     \
            NIR_PASS(progress, shader, __VA_ARGS__);                                               \
        quiet = progress ? 0 : quiet + 1;                                                          \
        any |= progress;                                                                           \
    } while (0)
    for (unsigned round = 0; round < MAX_ROUNDS; round++) {
        STEP(nir_lower_vars_to_ssa);
        STEP(nir_opt_copy_prop_vars);
        STEP(nir_opt_dead_write_vars);
        STEP(nir_copy_prop);
        STEP(nir_opt_remove_phis);
        STEP(nir_opt_dce);
        STEP(nir_opt_trivial_continues);
        STEP(nir_opt_conditional_discard);
        STEP(nir_opt_if);
        STEP(nir_opt_dead_cf);
        STEP(nir_opt_cse);
        STEP(nir_opt_peephole_select, 8);
        STEP(nir_opt_algebraic);
        STEP(nir_opt_constant_folding);
        STEP(nir_opt_undef);
        if (quiet < NUM_STEPS)
            continue;
        bool unrolled = false;
        NIR_PASS(unrolled, shader, nir_opt_loop_unroll);
        if (!unrolled)
            break;
        any = true;
        quiet = 0;
    }
#undef STEP
    return any;
}
