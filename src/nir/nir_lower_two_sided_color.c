/* SPDX-License-Identifier: MIT */
/* Two-sided lighting (GL 4.6 compatibility §12.5.1): back-facing primitives read the back
 * colors. */
#include "nir_lower_gl_state.h"

static nir_variable *back_color(nir_shader *shader, const nir_variable *front)
{
    bool secondary = front->data.location == VARYING_SLOT_COL1;
    int location = secondary ? VARYING_SLOT_BFC1 : VARYING_SLOT_BFC0;
    nir_variable *var = nir_find_variable_with_location(shader, nir_var_shader_in, location);
    if (var)
        return var;
    var = nir_variable_clone(front, shader);
    var->data.location = location;
    list_addtail(&var->node, &shader->variables);
    return var;
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    struct nir_io_access io;
    if (intr->intrinsic != nir_intrinsic_load_deref ||
        !nir_get_io_access(intr, nir_var_shader_in, &io) ||
        (io.location != VARYING_SLOT_COL0 && io.location != VARYING_SLOT_COL1))
        return false;

    b->cursor = nir_after_instr(&intr->instr);
    nir_deref_instr *back = nir_build_deref_var(b, back_color(b->shader, io.var));
    if (io.deref->deref_type == nir_deref_type_array)
        back = nir_build_deref_array(b, back, io.deref->arr.index.ssa);
    nir_def *value = nir_load_deref(b, back);
    nir_def *selected = nir_select(b, nir_load_front_face(b), &intr->def, value);
    nir_def_rewrite_uses_after(&intr->def, selected, selected->parent_instr);
    return true;
}

bool nir_lower_two_sided_color(nir_shader *shader)
{
    if (shader->info.stage != SHADER_FRAGMENT)
        return false;
    return nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
