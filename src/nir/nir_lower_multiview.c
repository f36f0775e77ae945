/* SPDX-License-Identifier: MIT */
/*
 * Multiview rendering (OVR_multiview): a draw is repeated for each view, and view i is layer i of
 * the framebuffer. The vertex shader writes the index of its view to gl_Layer. The later stages
 * read gl_ViewID_OVR from there; tessellation and geometry shaders also pass it on
 * (EXT_multiview_tessellation_geometry_shader).
 */
#include "nir_lower_gl_state.h"

struct state {
    unsigned num_views;
    nir_variable *in, *out; /* gl_Layer; NULL before its first use */
};

/* Returns gl_Layer. length: number of vertices if the interface is an array of vertices, or 0. */
static nir_variable *layer_variable(nir_shader *shader, nir_variable_mode mode, unsigned length)
{
    nir_variable *var = nir_find_variable_with_location(shader, mode, VARYING_SLOT_LAYER);
    if (var)
        return var;
    const struct glsl_type *type = glsl_int_type();
    if (length)
        type = glsl_array_type(shader, type, length, 0);
    var = nir_variable_create(shader, mode, type, "gl_Layer");
    var->data.location = VARYING_SLOT_LAYER;
    var->data.interpolation = INTERP_MODE_FLAT;
    return var;
}

/* Returns the index of the view. In tessellation and geometry shaders, it is the layer of the first
 * input vertex: all vertices of a primitive belong to the same view. */
static nir_def *load_view(nir_builder *b, struct state *s)
{
    const enum shader_stage stage = b->shader->info.stage;
    const bool arrayed = stage != SHADER_VERTEX && stage != SHADER_FRAGMENT;
    if (s->num_views <= 1)
        return nir_imm_int(b, 0);
    if (stage == SHADER_VERTEX)
        return nir_load_view_index(b);
    if (!s->in)
        s->in = layer_variable(b->shader, nir_var_shader_in, arrayed);
    if (!arrayed)
        return nir_load_var(b, s->in);
    return nir_load_deref(b, nir_build_deref_array_imm(b, nir_build_deref_var(b, s->in), 0));
}

static bool lower_view_index(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    if (intr->intrinsic != nir_intrinsic_load_deref)
        return false;
    nir_variable *var = nir_deref_instr_get_variable(nir_src_as_deref(intr->src[0]));
    if (!var || var->data.mode != nir_var_system_value ||
        var->data.location != SYSTEM_VALUE_VIEW_INDEX)
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    nir_def_replace(&intr->def, load_view(b, data));
    return true;
}

static void write_layer(nir_builder *b, struct state *s)
{
    const bool control = b->shader->info.stage == SHADER_TESS_CTRL;
    nir_def *view = load_view(b, s);
    if (!s->out)
        s->out = layer_variable(b->shader, nir_var_shader_out,
                                control ? MAX2(b->shader->info.tess.vertices_out, 1) : 0);
    nir_deref_instr *deref = nir_build_deref_var(b, s->out);
    if (control)
        deref = nir_build_deref_array(b, deref, nir_load_invocation_id(b));
    nir_store_deref(b, deref, view, 1);
}

/* Writes the layer of the vertex that is emitted. */
static bool write_emitted(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    if (intr->intrinsic != nir_intrinsic_emit_vertex)
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    write_layer(b, data);
    return true;
}

bool nir_lower_multiview(nir_shader *shader, unsigned num_views)
{
    const enum shader_stage stage = shader->info.stage;
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    struct state s = {.num_views = num_views};
    bool progress =
        nir_shader_intrinsics_pass(shader, lower_view_index, nir_metadata_control_flow, &s);
    if (num_views <= 1 || stage >= SHADER_FRAGMENT)
        return progress;
    if (stage == SHADER_GEOMETRY)
        return nir_shader_intrinsics_pass(shader, write_emitted, nir_metadata_control_flow, &s) ||
               progress;
    nir_builder b = nir_builder_at(nir_after_impl(impl));
    write_layer(&b, &s);
    return nir_progress(true, impl, nir_metadata_control_flow);
}
