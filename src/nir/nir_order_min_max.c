/* SPDX-License-Identifier: MIT */
/*
 * Orders the sources of fmin and fmax: if one is known to be a number, it comes second. The minimum
 * of the x86 instruction is the second source if one source is NaN, so code generators need a test
 * for NaN only if the second source may be NaN.
 *
 * If both sources are zeros, the order decides which one is the result. So exact instructions keep
 * their order, and the pass is for shaders, not for kernels: what is known about a value of a kernel
 * depends on the width.
 */
#include "nir.h"

#include "nir_range_analysis.h"

static bool is_number(const nir_alu_instr *alu, unsigned s)
{
    for (unsigned c = 0; c < alu->def.num_components; c++)
        if (!(nir_analyze_float(alu->src[s].src.ssa, nir_alu_src_comp(&alu->src[s], c)) &
              NIR_FLOAT_NUMBER))
            return false;
    return true;
}

static bool order(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    if ((alu->op != nir_op_fmin && alu->op != nir_op_fmax) || alu->exact || is_number(alu, 1) ||
        !is_number(alu, 0))
        return false;
    nir_alu_src *x = &alu->src[0], *y = &alu->src[1];
    nir_def *first = x->src.ssa;
    const uint64_t swizzle = x->swizzle;
    nir_src_rewrite(&x->src, y->src.ssa);
    nir_src_rewrite(&y->src, first);
    x->swizzle = y->swizzle;
    y->swizzle = swizzle;
    return true;
}

bool nir_order_min_max(nir_shader *shader)
{
    return nir_shader_alu_pass(shader, order, nir_metadata_control_flow, NULL);
}
