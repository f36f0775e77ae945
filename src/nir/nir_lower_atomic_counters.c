/* SPDX-License-Identifier: MIT */
/* Lowers atomic counters to 32-bit words in storage blocks, whose indices follow those of the
 * shader's own blocks. Runs after nir_lower_samplers. */
#include "nir.h"

#include "nir_builder.h"

/* Returns false if op is not an atomic operation on a counter. */
static bool operation(const nir_intrinsic_instr *intr, nir_atomic_op *op)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_atomic_counter_inc:
    case nir_intrinsic_atomic_counter_pre_dec:
    case nir_intrinsic_atomic_counter_add:
        *op = nir_atomic_op_iadd;
        return true;
    case nir_intrinsic_atomic_counter_min:
        *op = nir_atomic_op_umin;
        return true;
    case nir_intrinsic_atomic_counter_max:
        *op = nir_atomic_op_umax;
        return true;
    case nir_intrinsic_atomic_counter_and:
        *op = nir_atomic_op_iand;
        return true;
    case nir_intrinsic_atomic_counter_or:
        *op = nir_atomic_op_ior;
        return true;
    case nir_intrinsic_atomic_counter_xor:
        *op = nir_atomic_op_ixor;
        return true;
    case nir_intrinsic_atomic_counter_exchange:
        *op = nir_atomic_op_xchg;
        return true;
    case nir_intrinsic_atomic_counter_comp_swap:
        *op = nir_atomic_op_cmpxchg;
        return true;
    default:
        return false;
    }
}

/* Counters are coherent: reads must not be merged with earlier ones
 * (GL_ARB_shader_atomic_counters). */
static bool lower_counter(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    bool read = intr->intrinsic == nir_intrinsic_atomic_counter_read;
    bool decrement = intr->intrinsic == nir_intrinsic_atomic_counter_pre_dec;
    nir_atomic_op op = nir_atomic_op_iadd;
    if (!read && !operation(intr, &op))
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    nir_def *block = nir_imm_int(b, b->shader->info.num_ssbos + nir_intrinsic_base(intr));
    nir_def *offset = intr->src[0].ssa, *result;
    if (read)
        result = nir_load_ssbo(b, 1, 32, block, offset, .access = ACCESS_COHERENT, .align_mul = 4);
    else if (decrement || intr->intrinsic == nir_intrinsic_atomic_counter_inc)
        result = nir_ssbo_atomic(b, 32, block, offset, nir_imm_int(b, decrement ? -1 : 1),
                                 .access = ACCESS_COHERENT, .atomic_op = op);
    else if (op == nir_atomic_op_cmpxchg)
        result = nir_ssbo_atomic_swap(b, 32, block, offset, intr->src[1].ssa, intr->src[2].ssa,
                                      .access = ACCESS_COHERENT, .atomic_op = op);
    else
        result = nir_ssbo_atomic(b, 32, block, offset, intr->src[1].ssa, .access = ACCESS_COHERENT,
                                 .atomic_op = op);
    if (decrement) /* returns the new value */
        result = nir_iadd_imm(b, result, (uint64_t)-1);
    nir_def_replace(&intr->def, result);
    return true;
}

bool nir_lower_atomic_counters(nir_shader *nir)
{
    return nir_shader_intrinsics_pass(nir, lower_counter, nir_metadata_control_flow, NULL);
}
