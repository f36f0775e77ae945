/* SPDX-License-Identifier: MIT */
/*
 * Removes explicit gradients that are dFdx and dFdy of the coordinates, because fragment shader
 * texture functions compute these implicitly (GLSL 4.60 §8.9). The derivatives must be in the same
 * block; otherwise the neighboring pixels may have left.
 */
#include "nir.h"

static bool is_derivative(const nir_tex_instr *tex, nir_op op, nir_scalar gradient,
                          nir_scalar coord)
{
    nir_instr *parent = gradient.def->parent_instr;
    if (parent->type != nir_instr_type_alu || parent->block != tex->instr.block)
        return false;
    const nir_alu_instr *alu = nir_instr_as_alu(parent);
    if (alu->op != op)
        return false;
    const nir_scalar of =
        nir_scalar_resolved(alu->src[0].src.ssa, nir_alu_src_comp(&alu->src[0], gradient.comp));
    return of.def == coord.def && of.comp == coord.comp;
}

static bool use_implicit(nir_builder *b, nir_tex_instr *tex, void *data)
{
    static const struct {
        nir_tex_src_type src;
        nir_op op;
    } gradients[] = {{nir_tex_src_ddx, nir_op_fddx}, {nir_tex_src_ddy, nir_op_fddy}};
    const int coord = nir_tex_instr_src_index(tex, nir_tex_src_coord);
    if (tex->op != nir_texop_txd || nir_tex_instr_src_index(tex, nir_tex_src_projector) >= 0)
        return false;
    for (unsigned g = 0; g < ARRAY_SIZE(gradients); g++) {
        nir_def *given = tex->src[nir_tex_instr_src_index(tex, gradients[g].src)].src.ssa;
        for (unsigned c = 0; c < tex->coord_components - (unsigned)tex->is_array; c++)
            if (!is_derivative(tex, gradients[g].op, nir_scalar_resolved(given, c),
                               nir_scalar_resolved(tex->src[coord].src.ssa, c)))
                return false;
    }
    for (unsigned g = 0; g < ARRAY_SIZE(gradients); g++)
        nir_tex_instr_remove_src(tex, nir_tex_instr_src_index(tex, gradients[g].src));
    tex->op = nir_texop_tex;
    return true;
}

bool nir_opt_tex_gradients(nir_shader *shader)
{
    return shader->info.stage == SHADER_FRAGMENT &&
           nir_shader_tex_pass(shader, use_implicit, nir_metadata_all, NULL);
}
