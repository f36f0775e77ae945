/* SPDX-License-Identifier: MIT */
/* Lowers a fragment shader to read an image from a dedicated sampler, see gl_lower_image.h. */
#include "gl/program/gl_lower_image.h"

#include "nir/nir_builder.h"
#include "nir/nir_lower_gl_state.h"

static nir_variable *variable(nir_builder *b, nir_variable_mode mode, int location,
                              unsigned components)
{
    nir_variable *v = nir_variable_create(b->shader, mode, glsl_vec_type(components), NULL);
    v->data.location = location;
    return v;
}

static nir_def *fetch_image(nir_builder *b)
{
    nir_variable *sampler = nir_variable_create(
        b->shader, nir_var_uniform,
        glsl_sampler_type(GLSL_SAMPLER_DIM_2D, false, false, GLSL_TYPE_FLOAT), NULL);
    sampler->data.binding = GL_IMAGE_SAMPLER;
    nir_variable *in = variable(b, nir_var_shader_in, GL_IMAGE_COORD, 4);
    nir_def *coord = nir_trim_vector(b, nir_load_var(b, in), 2);
    nir_deref_instr *deref = nir_build_deref_var(b, sampler);
    nir_tex_instr *tex = nir_tex_instr_create(b->shader, 3);
    tex->op = nir_texop_tex;
    tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
    tex->dest_type = nir_type_float32;
    tex->coord_components = 2;
    tex->src[0] = (nir_tex_src){nir_src_for_ssa(&deref->def), nir_tex_src_texture_deref};
    tex->src[1] = (nir_tex_src){nir_src_for_ssa(&deref->def), nir_tex_src_sampler_deref};
    tex->src[2] = (nir_tex_src){nir_src_for_ssa(coord), nir_tex_src_coord};
    nir_def_init(&tex->instr, &tex->def, 4, 32);
    nir_builder_instr_insert(b, &tex->instr);
    return &tex->def;
}

static bool replace_color(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    struct nir_io_access io;
    if (intr->intrinsic != nir_intrinsic_load_deref ||
        !nir_get_io_access(intr, nir_var_shader_in, &io) || io.location != VARYING_SLOT_COL0)
        return false;
    b->cursor = nir_after_instr(&intr->instr);
    nir_def *color = data;
    nir_deref_instr *parent = nir_deref_instr_parent(io.deref);
    if (parent && glsl_type_is_vector(parent->type))
        color = nir_vector_extract(b, color, io.deref->arr.index.ssa);
    nir_def_replace(&intr->def, nir_trim_vector(b, color, intr->def.num_components));
    return true;
}

bool gl_lower_image(nir_shader *nir, enum gl_image_kind kind)
{
    nir_builder b = nir_builder_at(nir_before_impl(nir_shader_get_entrypoint(nir)));
    nir_def *texel = fetch_image(&b);
    if (kind == GL_IMAGE_COLOR) {
        nir_shader_intrinsics_pass(nir, replace_color, nir_metadata_control_flow, texel);
    } else if (kind == GL_IMAGE_BITMAP) {
        nir_discard_if(&b, nir_flt_imm(&b, nir_channel(&b, texel, 0), 0.5));
        nir->info.fs.uses_discard = true;
    } else if (!(nir->info.outputs_written & BITFIELD64_BIT(FRAG_RESULT_DEPTH))) {
        nir_store_var(&b, variable(&b, nir_var_shader_out, FRAG_RESULT_DEPTH, 1),
                      nir_channel(&b, texel, 0), 1);
    }
    return true;
}
