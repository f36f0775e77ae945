/* SPDX-License-Identifier: MIT */
/* GL_CLAMP_VERTEX_COLOR and GL_CLAMP_FRAGMENT_COLOR: clamps color outputs to 0 … 1 at the
 * stores. */
#include "nir_lower_gl_state.h"

static bool is_color(enum shader_stage stage, int location)
{
    if (stage == SHADER_FRAGMENT)
        return nir_is_color_result(location);
    return location == VARYING_SLOT_COL0 || location == VARYING_SLOT_COL1 ||
           location == VARYING_SLOT_BFC0 || location == VARYING_SLOT_BFC1;
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    struct nir_io_access io;
    if (intr->intrinsic != nir_intrinsic_store_deref ||
        !nir_get_io_access(intr, nir_var_shader_out, &io) ||
        !is_color(b->shader->info.stage, io.location) ||
        io.deref->type->base_type != GLSL_TYPE_FLOAT)
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    nir_src_rewrite(&intr->src[1], nir_fsat(b, intr->src[1].ssa));
    return true;
}

bool nir_lower_clamp_color_outputs(nir_shader *shader)
{
    return nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
