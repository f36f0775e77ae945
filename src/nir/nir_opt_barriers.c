/* SPDX-License-Identifier: MIT */
/*
 * Merges barriers without any ordered operation between them into one with their combined effects.
 * Shaders typically contain memoryBarrierShared(); barrier(); (GLSL 4.60 §8.16, §8.17), and the
 * i965 compiler sends a message for each fence.
 */
#include "nir.h"

/* Returns true for instructions whose order relative to a barrier matters. */
static bool is_ordered(const nir_instr *instr)
{
    if (instr->type == nir_instr_type_call)
        return true;
    if (instr->type != nir_instr_type_intrinsic)
        return false;
    const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
    unsigned flags = nir_intrinsic_infos[intr->intrinsic].flags;
    return !(flags & NIR_INTRINSIC_CAN_ELIMINATE) || (flags & NIR_INTRINSIC_CROSS_LANE) ||
           !nir_intrinsic_can_reorder(intr);
}

static void include(nir_intrinsic_instr *barrier, const nir_intrinsic_instr *other)
{
    nir_intrinsic_set_execution_scope(barrier, MAX2(nir_intrinsic_execution_scope(barrier),
                                                    nir_intrinsic_execution_scope(other)));
    nir_intrinsic_set_memory_scope(
        barrier, MAX2(nir_intrinsic_memory_scope(barrier), nir_intrinsic_memory_scope(other)));
    nir_intrinsic_set_memory_semantics(barrier, nir_intrinsic_memory_semantics(barrier) |
                                                    nir_intrinsic_memory_semantics(other));
    nir_intrinsic_set_memory_modes(barrier, nir_intrinsic_memory_modes(barrier) |
                                                nir_intrinsic_memory_modes(other));
}

static bool opt_block(nir_block *block)
{
    nir_intrinsic_instr *last = NULL;
    bool progress = false;
    nir_foreach_instr_safe (instr, block) {
        bool is_barrier = instr->type == nir_instr_type_intrinsic &&
                          nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_barrier;
        if (is_barrier && last) {
            include(last, nir_instr_as_intrinsic(instr));
            nir_instr_remove(instr);
            progress = true;
        } else if (is_barrier) {
            last = nir_instr_as_intrinsic(instr);
        } else if (is_ordered(instr)) {
            last = NULL;
        }
    }
    return progress;
}

bool nir_opt_barriers(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        bool impl_progress = false;
        nir_foreach_block (block, impl)
            impl_progress |= opt_block(block);
        progress |= nir_progress(impl_progress, impl, nir_metadata_all);
    }
    return progress;
}
