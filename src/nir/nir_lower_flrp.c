/* SPDX-License-Identifier: MIT */
/* flrp(a, b, c) → a * (1 - c) + b * c, GLSL 4.60 §8.3 mix. */
#include "nir.h"

#include "nir_builder.h"

static bool lower_instr(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    if (alu->op != nir_op_flrp)
        return false;
    b->cursor = nir_before_instr(&alu->instr);
    b->exact = alu->exact;
    nir_def *x = nir_alu_src_def(b, alu, 0), *y = nir_alu_src_def(b, alu, 1), *t = nir_alu_src_def(b, alu, 2);
    nir_def *rest = nir_fsub_imm(b, 1.0, t);
    nir_def_replace(&alu->def, nir_fadd(b, nir_fmul(b, x, rest), nir_fmul(b, y, t)));
    return true;
}

bool nir_lower_flrp(nir_shader *shader)
{
    return nir_shader_alu_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
