/* SPDX-License-Identifier: MIT */
/* Lowers fragment shaders to an inverted y axis, see gl_lower_flip.h. */
#include "gl/program/gl_lower_flip.h"

#include "nir/nir_builder.h"

static bool flip_derivative(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    if (alu->op != nir_op_fddy && alu->op != nir_op_fddy_coarse && alu->op != nir_op_fddy_fine)
        return false;
    b->cursor = nir_after_instr(&alu->instr);
    nir_def *value = nir_fneg(b, &alu->def);
    nir_def_rewrite_uses_after(&alu->def, value, value->parent_instr);
    return true;
}

static bool is_sample_position(const nir_intrinsic_instr *intr)
{
    if (intr->intrinsic == nir_intrinsic_load_sample_pos)
        return true;
    if (intr->intrinsic != nir_intrinsic_load_deref)
        return false;
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    const nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
    return var && var->data.mode == nir_var_system_value &&
           var->data.location == SYSTEM_VALUE_SAMPLE_POS;
}

static bool flip_position(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    if (is_sample_position(intr)) {
        b->cursor = nir_after_instr(&intr->instr);
        nir_def *y = nir_fsub(b, nir_imm_float(b, 1.0f), nir_channel(b, &intr->def, 1));
        nir_def *value = nir_vec2(b, nir_channel(b, &intr->def, 0), y);
        nir_def_rewrite_uses_after(&intr->def, value, value->parent_instr);
        return true;
    }
    if (intr->intrinsic != nir_intrinsic_interp_deref_at_offset)
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    nir_def *offset = intr->src[1].ssa;
    nir_src_rewrite(&intr->src[1],
                    nir_vec2(b, nir_channel(b, offset, 0), nir_fneg(b, nir_channel(b, offset, 1))));
    return true;
}

bool gl_lower_flip(nir_shader *nir)
{
    nir_shader_alu_pass(nir, flip_derivative, nir_metadata_control_flow, NULL);
    nir_shader_intrinsics_pass(nir, flip_position, nir_metadata_control_flow, NULL);
    nir->info.fs.origin_upper_left = !nir->info.fs.origin_upper_left;
    return true;
}
