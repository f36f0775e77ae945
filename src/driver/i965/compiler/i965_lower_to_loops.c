/* SPDX-License-Identifier: MIT */
/*
 * Lowers operations that the hardware lacks to loops. A float atomic add, and other float atomics
 * where the device has none, repeat compare-and-exchange until no other invocation interferes.
 * Interpolation at divergent samples takes one iteration per sample, because a message has one
 * sample index for all channels.
 */
#include "from_nir.h"
#include "nir/nir_builder.h"

static bool is_ssbo(const nir_intrinsic_instr *intr)
{
    return intr->intrinsic == nir_intrinsic_ssbo_atomic ||
           intr->intrinsic == nir_intrinsic_ssbo_atomic_swap;
}

static bool is_float_atomic(const struct i965_device *dev, const nir_intrinsic_instr *intr)
{
    if (!is_ssbo(intr) && intr->intrinsic != nir_intrinsic_shared_atomic &&
        intr->intrinsic != nir_intrinsic_shared_atomic_swap)
        return false;
    switch (nir_intrinsic_atomic_op(intr)) {
    case nir_atomic_op_fadd:
        return intr->def.bit_size == 32;
    case nir_atomic_op_fmin:
    case nir_atomic_op_fmax:
    case nir_atomic_op_fcmpxchg:
        return intr->def.bit_size == 32 && !dev->has_float_atomics;
    default:
        return false;
    }
}

static nir_def *load(nir_builder *b, const nir_intrinsic_instr *intr)
{
    if (is_ssbo(intr))
        return nir_load_ssbo(b, 1, 32, intr->src[0].ssa, intr->src[1].ssa,
                             .access = nir_intrinsic_access(intr), .align_mul = 4);
    return nir_load_shared(b, 1, 32, intr->src[0].ssa, .base = nir_intrinsic_base(intr),
                           .align_mul = 4);
}

static nir_def *exchange(nir_builder *b, const nir_intrinsic_instr *intr, nir_def *expected,
                         nir_def *value)
{
    if (is_ssbo(intr))
        return nir_ssbo_atomic_swap(b, 32, intr->src[0].ssa, intr->src[1].ssa, expected, value,
                                    .access = nir_intrinsic_access(intr),
                                    .atomic_op = nir_atomic_op_cmpxchg);
    return nir_shared_atomic_swap(b, 32, intr->src[0].ssa, expected, value,
                                  .base = nir_intrinsic_base(intr),
                                  .atomic_op = nir_atomic_op_cmpxchg);
}

/* Returns the value that the atomic stores if memory contains `expected`. */
static nir_def *new_value(nir_builder *b, const nir_intrinsic_instr *intr, nir_def *expected)
{
    const nir_src *operand = &intr->src[is_ssbo(intr) ? 2 : 1];
    switch (nir_intrinsic_atomic_op(intr)) {
    case nir_atomic_op_fmin:
        return nir_fmin(b, expected, operand[0].ssa);
    case nir_atomic_op_fmax:
        return nir_fmax(b, expected, operand[0].ssa);
    case nir_atomic_op_fcmpxchg:
        return nir_bcsel(b, nir_feq(b, expected, operand[0].ssa), operand[1].ssa, expected);
    default:
        return nir_fadd(b, expected, operand[0].ssa);
    }
}

static void lower_atomic(nir_function_impl *impl, nir_intrinsic_instr *intr)
{
    nir_builder b = nir_builder_at(nir_before_instr(&intr->instr));
    nir_variable *old = nir_local_variable_create(impl, glsl_uint_type(), "old");
    nir_store_var(&b, old, load(&b, intr), 1);
    nir_loop *loop = nir_push_loop(&b);
    nir_def *expected = nir_load_var(&b, old);
    nir_def *found = exchange(&b, intr, expected, new_value(&b, intr, expected));
    nir_store_var(&b, old, found, 1);
    nir_if *done = nir_push_if(&b, nir_ieq(&b, found, expected));
    nir_jump(&b, nir_jump_break);
    nir_pop_if(&b, done);
    nir_pop_loop(&b, loop);
    nir_def_replace(&intr->def, nir_load_var(&b, old));
}

static bool is_varying_sample(const nir_intrinsic_instr *intr)
{
    return intr->intrinsic == nir_intrinsic_load_barycentric_at_sample &&
           !nir_src_is_const(intr->src[0]);
}

static void lower_sample(nir_function_impl *impl, nir_intrinsic_instr *intr)
{
    nir_builder b = nir_builder_at(nir_before_instr(&intr->instr));
    nir_variable *found = nir_local_variable_create(impl, glsl_vec_type(2), "barycentrics");
    nir_loop *loop = nir_push_loop(&b);
    nir_def *sample = nir_read_first_invocation(&b, intr->src[0].ssa);
    nir_if *turn = nir_push_if(&b, nir_ieq(&b, sample, intr->src[0].ssa));
    nir_def *at =
        nir_load_barycentric_at_sample(&b, sample, .interp_mode = nir_intrinsic_interp_mode(intr));
    nir_store_var(&b, found, at, 3);
    nir_jump(&b, nir_jump_break);
    nir_pop_if(&b, turn);
    nir_pop_loop(&b, loop);
    nir_def_replace(&intr->def, nir_load_var(&b, found));
}

bool i965_lower_to_loops(nir_shader *nir, const struct i965_device *dev)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(nir);
    DYNARRAY(nir_intrinsic_instr *) found = {0};
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
                continue;
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
            if (is_float_atomic(dev, intr) || is_varying_sample(intr))
                (void)dynarray_append(&found, intr);
        }
    }
    for (unsigned i = 0; i < found.count; i++) {
        if (is_float_atomic(dev, found.data[i]))
            lower_atomic(impl, found.data[i]);
        else
            lower_sample(impl, found.data[i]);
    }
    bool progress = found.count != 0;
    dynarray_finish(&found);
    if (progress) {
        nir_metadata_preserve(impl, nir_metadata_none);
        nir_lower_vars_to_ssa(nir);
    }
    return progress;
}
