/* SPDX-License-Identifier: MIT */
/*
 * Multiview rendering (OVR_multiview): a draw is repeated for each view, and view i is layer i of
 * the framebuffer. The vertex shader writes the index of its view to gl_Layer, and the fragment
 * shader reads gl_ViewID_OVR from there.
 */
#include "nir_lower_gl_state.h"

static nir_variable *layer_variable(nir_shader *shader, nir_variable_mode mode)
{
    nir_variable *var = nir_find_variable_with_location(shader, mode, VARYING_SLOT_LAYER);
    if (var)
        return var;
    var = nir_variable_create(shader, mode, glsl_int_type(), "gl_Layer");
    var->data.location = VARYING_SLOT_LAYER;
    var->data.interpolation = INTERP_MODE_FLAT;
    return var;
}

struct state {
    unsigned num_views;
    nir_variable *layer; /* fragment shaders: the input; NULL before its first use */
};

static bool lower_view_index(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    struct state *s = data;
    if (intr->intrinsic != nir_intrinsic_load_deref)
        return false;
    nir_variable *var = nir_deref_instr_get_variable(nir_src_as_deref(intr->src[0]));
    if (!var || var->data.mode != nir_var_system_value ||
        var->data.location != SYSTEM_VALUE_VIEW_INDEX)
        return false;
    const bool constant = s->num_views <= 1;
    if (!constant && b->shader->info.stage != SHADER_FRAGMENT)
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    if (!constant && !s->layer)
        s->layer = layer_variable(b->shader, nir_var_shader_in);
    nir_def_replace(&intr->def, constant ? nir_imm_int(b, 0) : nir_load_var(b, s->layer));
    return true;
}

bool nir_lower_multiview(nir_shader *shader, unsigned num_views)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    struct state s = {num_views, NULL};
    bool progress =
        nir_shader_intrinsics_pass(shader, lower_view_index, nir_metadata_control_flow, &s);
    if (num_views <= 1 || shader->info.stage != SHADER_VERTEX)
        return progress;
    nir_builder b = nir_builder_at(nir_after_impl(impl));
    nir_store_var(&b, layer_variable(shader, nir_var_shader_out), nir_load_view_index(&b), 1);
    return nir_progress(true, impl, nir_metadata_control_flow);
}
