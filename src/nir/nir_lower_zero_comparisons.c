/* SPDX-License-Identifier: MIT */
/*
 * Makes comparisons of 32-bit floats with a constant 0 treat denormals as 0, which GLSL 4.60 §4.7.1
 * allows: x > 0 becomes x >= FLT_MIN. Other operations keep denormals. GPUs flush them, so
 * applications rely on x != 0 to exclude an infinite 1 / x. The new comparisons need no CPU mode,
 * cost at most one fabs and have the same result on all CPUs.
 */
#include "nir.h"

#include <float.h>

#include "nir_builder.h"

static unsigned source_components(const nir_alu_instr *alu, unsigned s)
{
    const unsigned fixed = nir_op_infos[alu->op].input_sizes[s];
    return fixed ? fixed : alu->def.num_components;
}

/* Returns whether all components that the source reads are 0.0 or -0.0. */
static bool is_zero(const nir_alu_instr *alu, unsigned s)
{
    const nir_alu_src *src = &alu->src[s];
    if (!nir_src_is_const(src->src))
        return false;
    for (unsigned c = 0; c < source_components(alu, s); c++)
        if (nir_src_comp_as_float(src->src, nir_alu_src_comp(src, c)) != 0)
            return false;
    return true;
}

/* Returns the components that the source reads. */
static nir_def *source(nir_builder *b, const nir_alu_instr *alu, unsigned s)
{
    const unsigned components = source_components(alu, s);
    unsigned swizzle[NIR_MAX_VEC_COMPONENTS];
    for (unsigned c = 0; c < components; c++)
        swizzle[c] = nir_alu_src_comp(&alu->src[s], c);
    return nir_swizzle(b, alu->src[s].src.ssa, swizzle, components);
}

/* Returns x == 0.0, by component. */
static nir_def *equals_zero(nir_builder *b, nir_def *x)
{
    return nir_flt_imm(b, nir_fabs(b, x), FLT_MIN);
}

/* Returns 0.0 <op> x if zero_first, x <op> 0.0 if not, for a vector or scalar x. */
static nir_def *compare(nir_builder *b, nir_op op, nir_def *x, bool zero_first)
{
    switch (op) {
    case nir_op_feq:
        return equals_zero(b, x);
    case nir_op_fneu:
        return nir_inot(b, equals_zero(b, x));
    case nir_op_flt:
        return zero_first ? nir_fge_imm(b, x, FLT_MIN) : nir_fge_imm(b, nir_fneg(b, x), FLT_MIN);
    case nir_op_fge:
        return zero_first ? nir_flt_imm(b, x, FLT_MIN) : nir_flt_imm(b, nir_fneg(b, x), FLT_MIN);
    case nir_op_ball_fequal2:
    case nir_op_ball_fequal3:
    case nir_op_ball_fequal4:
        return nir_ball(b, equals_zero(b, x));
    case nir_op_bany_fnequal2:
    case nir_op_bany_fnequal3:
    case nir_op_bany_fnequal4:
        return nir_inot(b, nir_ball(b, equals_zero(b, x)));
    default:
        return NULL;
    }
}

static bool lower_alu(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    if (info->num_inputs != 2 || nir_src_bit_size(alu->src[0].src) != 32 ||
        nir_alu_type_get_base_type(info->input_types[0]) != nir_type_float ||
        nir_alu_type_get_base_type(info->output_type) != nir_type_bool)
        return false;
    const bool zero_first = is_zero(alu, 0);
    if (!zero_first && !is_zero(alu, 1))
        return false;
    b->cursor = nir_before_instr(&alu->instr);
    nir_def *result = compare(b, alu->op, source(b, alu, zero_first), zero_first);
    if (result)
        nir_def_replace(&alu->def, result);
    return result != NULL;
}

bool nir_lower_zero_comparisons(nir_shader *shader)
{
    return nir_shader_alu_pass(shader, lower_alu, nir_metadata_control_flow, NULL);
}
