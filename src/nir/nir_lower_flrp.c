/* SPDX-License-Identifier: MIT */
/* flrp(a, b, c) → a * (1 - c) + b * c, GLSL 4.60 §8.3 mix. */
#include "nir.h"

#include "nir_builder.h"

static nir_def *alu_src(nir_builder *b, nir_alu_instr *alu, unsigned s)
{
    unsigned swizzle[NIR_MAX_VEC_COMPONENTS];
    for (unsigned c = 0; c < alu->def.num_components; c++)
        swizzle[c] = alu->src[s].swizzle[c];
    return nir_swizzle(b, alu->src[s].src.ssa, swizzle, alu->def.num_components);
}

static bool lower_instr(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    if (alu->op != nir_op_flrp)
        return false;
    b->cursor = nir_before_instr(&alu->instr);
    b->exact = alu->exact;
    nir_def *x = alu_src(b, alu, 0), *y = alu_src(b, alu, 1), *t = alu_src(b, alu, 2);
    nir_def *rest = nir_fsub_imm(b, 1.0, t);
    nir_def_replace(&alu->def, nir_fadd(b, nir_fmul(b, x, rest), nir_fmul(b, y, t)));
    return true;
}

bool nir_lower_flrp(nir_shader *shader)
{
    return nir_shader_alu_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
