/* SPDX-License-Identifier: MIT */
/* GL_COORD_REPLACE (GL 4.6 compatibility §14.4): replaces texture coordinates of points by s, t, 0,
 * 1. */
#include "nir_lower_gl_state.h"

struct state {
    unsigned mask;
    bool y_flip;
};

static nir_def *point_coord(nir_builder *b, bool y_flip)
{
    nir_def *coord = nir_load_point_coord(b);
    nir_def *x = nir_channel(b, coord, 0), *y = nir_channel(b, coord, 1);
    if (y_flip)
        y = nir_fsub_imm(b, 1.0, y);
    return nir_vec4(b, x, y, nir_imm_float(b, 0), nir_imm_float(b, 1));
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    struct state *s = data;
    struct nir_io_access io;
    if (intr->intrinsic != nir_intrinsic_load_deref ||
        !nir_get_io_access(intr, nir_var_shader_in, &io) || io.location < VARYING_SLOT_TEX0 ||
        io.location > VARYING_SLOT_TEX7)
        return false;
    unsigned mask = s->mask >> (io.location - VARYING_SLOT_TEX0);
    if (!mask || (!io.index && !(mask & 1)))
        return false;

    b->cursor = nir_after_instr(&intr->instr);
    nir_def *coord = point_coord(b, s->y_flip);
    nir_deref_instr *parent = nir_deref_instr_parent(io.deref);
    if (parent && glsl_type_is_vector(parent->type))
        coord = nir_vector_extract(b, coord, io.deref->arr.index.ssa);
    coord = nir_trim_vector(b, coord, MIN2(coord->num_components, intr->def.num_components));
    if (io.index) {
        nir_def *bit = nir_ushr(b, nir_imm_int(b, mask), nir_u2uN(b, io.index, 32));
        coord = nir_select(b, nir_ine_imm(b, nir_iand_imm(b, bit, 1), 0), coord, &intr->def);
        nir_def_rewrite_uses_after(&intr->def, coord, coord->parent_instr);
    } else {
        nir_def_replace(&intr->def, coord);
    }
    return true;
}

bool nir_lower_texcoord_replace(nir_shader *shader, unsigned mask, bool y_flip)
{
    struct state s = {mask & 0xff, y_flip};
    if (shader->info.stage != SHADER_FRAGMENT || !s.mask)
        return false;
    return nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, &s);
}
