/* SPDX-License-Identifier: MIT */
/*
 * Removes unread components at the end of results: loads from memory, inputs and uniforms,
 * constants, vectors, per-component operations and phis. Only ALU users tell which components they
 * read; other users count as reading all.
 */
#include "nir.h"

#include "nir_builder.h"

/* Returns true if loading fewer components doesn't change the first ones. */
static bool load_can_shrink(const nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_load_uniform:
    case nir_intrinsic_load_ubo:
    case nir_intrinsic_load_ssbo:
    case nir_intrinsic_load_input:
    case nir_intrinsic_load_per_vertex_input:
    case nir_intrinsic_load_interpolated_input:
    case nir_intrinsic_load_constant:
    case nir_intrinsic_load_scratch:
    case nir_intrinsic_load_shared:
    case nir_intrinsic_load_global:
    case nir_intrinsic_load_global_constant:
        return !nir_intrinsic_has_access(intr) || !(nir_intrinsic_access(intr) & ACCESS_VOLATILE);
    default:
        return false;
    }
}

/* Returns the number of components to keep: the number read, rounded up to a valid size; 0: all. */
static unsigned wanted(const nir_def *def)
{
    if (nir_def_is_unused(def) || def->num_components == 1)
        return 0;
    nir_foreach_use_including_if(src, def)
    {
        if (nir_src_is_if(src) || nir_src_parent_instr(src)->type != nir_instr_type_alu)
            return 0;
    }
    nir_component_mask_t read = nir_def_components_read(def);
    unsigned n = read ? 32 - (unsigned)__builtin_clz(read) : 0;
    if (n > 5)
        n = n > 8 ? 16 : 8;
    return n && n < def->num_components ? n : 0;
}

static bool shrink_vec(nir_builder *b, nir_alu_instr *vec, unsigned n)
{
    nir_scalar comps[NIR_MAX_VEC_COMPONENTS];
    for (unsigned c = 0; c < n; c++)
        comps[c] = nir_get_scalar(vec->src[c].src.ssa, nir_alu_src_comp(&vec->src[c], 0));
    b->cursor = nir_after_instr(&vec->instr);
    nir_def_replace(&vec->def, nir_vec_scalars(b, comps, n));
    return true;
}

static bool shrink_instr(nir_builder *b, nir_instr *instr, void *unused)
{
    nir_def *def = nir_instr_def(instr);
    unsigned n = def ? wanted(def) : 0;
    if (!n)
        return false;
    switch (instr->type) {
    case nir_instr_type_alu: {
        nir_alu_instr *alu = nir_instr_as_alu(instr);
        if (nir_op_is_vec(alu->op) && alu->op != nir_op_mov)
            return shrink_vec(b, alu, n);
        if (nir_op_infos[alu->op].output_size != 0)
            return false;
        break;
    }
    case nir_instr_type_intrinsic:
        if (!load_can_shrink(nir_instr_as_intrinsic(instr)))
            return false;
        nir_instr_as_intrinsic(instr)->num_components = n;
        break;
    case nir_instr_type_load_const:
    case nir_instr_type_undef:
        break;
    default:
        return false;
    }
    def->num_components = n;
    return true;
}

bool nir_opt_shrink_vectors(nir_shader *shader)
{
    return nir_shader_instructions_pass(shader, shrink_instr, nir_metadata_control_flow, NULL);
}
