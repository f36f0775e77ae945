/* SPDX-License-Identifier: MIT */
/*
 * Half floats (AMD_gpu_shader_half_float). HIR computes with floats and converts each result to
 * half precision, so the only operation on half floats is this conversion. Single precision has
 * more than twice the bits of half precision plus two, so + - * / and sqrt are rounded correctly.
 */
#include "glsl/hir_to_nir.h"

unsigned h2n_bit_size(const struct glsl_type *t)
{
    return glsl_type_is_16bit(t) ? 32 : glsl_bit_size(t);
}

/* Rounds doubles to floats such that rounding these to fewer bits gives the same as rounding the
 * doubles: an inexact result gets an odd mantissa ("rounding to odd"). */
static nir_def *round_to_odd(nir_builder *b, nir_def *x)
{
    nir_def *near = nir_f2f32(b, x), *rest = nir_fsub(b, x, nir_f2f64(b, near));
    nir_def *zero = nir_imm_zero(b, x->num_components, 64);
    nir_def *inexact = nir_flt(b, zero, nir_fabs(b, rest)); /* false if x is infinite or NaN */
    nir_def *even = nir_ieq_imm(b, nir_iand_imm(b, near, 1), 0);
    nir_def *signs = nir_ixor(b, near, nir_unpack_64_2x32_split_y(b, rest));
    nir_def *away = nir_ige(b, signs, nir_imm_zero(b, x->num_components, 32));
    nir_def *odd = nir_bcsel(b, away, nir_iadd_imm(b, near, 1), nir_iadd_imm(b, near, -1));
    return nir_bcsel(b, nir_iand(b, inexact, even), odd, near);
}

nir_def *h2n_round_to_half(nir_builder *b, nir_def *x)
{
    const bool exact = b->exact;
    nir_def *comps[4];
    b->exact = true;
    if (x->bit_size == 64)
        x = round_to_odd(b, x);
    for (unsigned i = 0; i < x->num_components; i++) {
        nir_def *word = nir_pack_half_2x16_split(b, nir_channel(b, x, i), nir_imm_float(b, 0));
        comps[i] = nir_unpack_half_2x16_split_x(b, word);
    }
    b->exact = exact;
    return nir_vec(b, comps, x->num_components);
}

/* Unlike f2f32, unpacking is never merged with a following conversion. */
nir_def *h2n_from_memory(nir_builder *b, nir_def *halves)
{
    nir_def *comps[4];
    for (unsigned i = 0; i < halves->num_components; i++)
        comps[i] = nir_unpack_half_2x16_split_x(b, nir_u2u32(b, nir_channel(b, halves, i)));
    return nir_vec(b, comps, halves->num_components);
}

/* Returns the declared type of a deref of an input. */
static const struct glsl_type *declared_type(const nir_deref_instr *deref)
{
    if (deref->deref_type == nir_deref_type_var)
        return link_declared_type(deref->var);
    const struct glsl_type *parent = declared_type(nir_deref_instr_parent(deref));
    return deref->deref_type == nir_deref_type_struct ? parent->fields[deref->strct.index].type
                                                      : glsl_element_of(parent);
}

bool h2n_is_unrounded_input(const struct h2n *h, const nir_deref_instr *deref)
{
    if (!(deref->modes & nir_var_shader_in) ||
        (h->st->stage != SHADER_VERTEX && h->st->stage != SHADER_FRAGMENT))
        return false;
    const nir_variable *var = nir_deref_instr_get_variable(deref);
    return var && var->declared_type && glsl_type_contains(declared_type(deref), GLSL_TYPE_FLOAT16);
}
