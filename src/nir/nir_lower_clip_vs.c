/* SPDX-License-Identifier: MIT */
/*
 * User clip planes (GL 4.6 compatibility §13.7): writes the distance of gl_ClipVertex (gl_Position
 * if the shader doesn't write it) from each enabled plane as a clip distance. Distances of disabled
 * planes are 0, which clips nothing. Works on derefs, before nir_lower_io. Doesn't change shaders
 * that write clip distances themselves.
 */
#include "nir_lower_gl_state.h"

struct state {
    nir_variable *source; /* output whose stores are tracked */
    nir_variable *value;  /* copy of the stored value */
};

static bool track_store(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    struct state *s = data;
    struct nir_io_access io;
    if (intr->intrinsic != nir_intrinsic_store_deref ||
        !nir_get_io_access(intr, nir_var_shader_out, &io) || io.var != s->source)
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    nir_deref_instr *deref = nir_build_deref_var(b, s->value);
    if (io.deref->deref_type == nir_deref_type_array)
        deref = nir_build_deref_array(b, deref, io.deref->arr.index.ssa);
    nir_store_deref(b, deref, intr->src[1].ssa, nir_intrinsic_write_mask(intr));
    return true;
}

static void write_distances(nir_builder *b, struct state *s, nir_variable *distances,
                            unsigned plane_mask, const int16_t tokens[NIR_STATE_LENGTH])
{
    nir_def *vertex = nir_load_var(b, s->value);
    for (unsigned i = 0; i < glsl_length_of(distances->type); i++) {
        nir_def *distance = nir_imm_float(b, 0.0f);
        if (plane_mask & (1u << i)) {
            int16_t plane_tokens[NIR_STATE_LENGTH];
            memcpy(plane_tokens, tokens, sizeof plane_tokens);
            plane_tokens[1] += i;
            nir_variable *plane =
                nir_get_state_uniform(b->shader, glsl_vec4_type(), plane_tokens, "clip_plane");
            distance = nir_fdot4(b, vertex, nir_load_var(b, plane));
        }
        nir_deref_instr *element =
            nir_build_deref_array_imm(b, nir_build_deref_var(b, distances), i);
        nir_store_deref(b, element, distance, 1);
    }
}

/* Turns gl_ClipVertex, which drivers don't support, into a temporary. */
static void hide_clip_vertex(nir_shader *shader, nir_variable *var)
{
    var->data.mode = nir_var_shader_temp;
    var->data.location = -1;
    nir_fixup_deref_modes(shader);
}

static bool is_emit(nir_instr *instr)
{
    return instr->type == nir_instr_type_intrinsic &&
           nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_emit_vertex;
}

bool nir_lower_clip_vs(nir_shader *shader, unsigned plane_mask,
                       const int16_t tokens[NIR_STATE_LENGTH])
{
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    plane_mask &= 0xff;
    if (!impl || !plane_mask ||
        nir_find_variable_with_location(shader, nir_var_shader_out, VARYING_SLOT_CLIP_DIST0))
        return false;
    nir_variable *clip_vertex =
        nir_find_variable_with_location(shader, nir_var_shader_out, VARYING_SLOT_CLIP_VERTEX);
    struct state s = {.source = clip_vertex};
    if (!s.source)
        s.source = nir_find_variable_with_location(shader, nir_var_shader_out, VARYING_SLOT_POS);
    if (!s.source)
        return false;
    s.value = nir_local_variable_create(impl, glsl_vec4_type(), "clip_vertex");
    nir_shader_intrinsics_pass(shader, track_store, nir_metadata_control_flow, &s);

    unsigned count = util_logbase2(plane_mask) + 1;
    const struct glsl_type *type = glsl_array_type(shader, glsl_float_type(), count, 0);
    nir_variable *distances =
        nir_variable_create(shader, nir_var_shader_out, type, "gl_ClipDistance");
    distances->data.location = VARYING_SLOT_CLIP_DIST0;
    distances->data.compact = true;
    shader->info.clip_distance_array_size = count;

    if (shader->info.stage == SHADER_GEOMETRY) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr_safe (instr, block) {
                nir_builder b = nir_builder_at(nir_before_instr(instr));
                if (is_emit(instr))
                    write_distances(&b, &s, distances, plane_mask, tokens);
            }
        }
    } else {
        nir_builder b = nir_builder_at(nir_after_impl(impl));
        write_distances(&b, &s, distances, plane_mask, tokens);
    }
    if (clip_vertex)
        hide_clip_vertex(shader, clip_vertex);
    nir_lower_vars_to_ssa(shader);
    return true;
}
