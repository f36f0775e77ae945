/* SPDX-License-Identifier: MIT */
/* Replaces loads of system value variables by intrinsics and computes the values that follow from
 * others. */
#include "nir.h"

#include "nir_build_subgroup.h"

static nir_def *workgroup_size(nir_builder *b)
{
    const nir_shader_info *info = &b->shader->info;
    if (info->stage != SHADER_COMPUTE || info->cs.workgroup_size_variable)
        return nir_load_workgroup_size(b);
    return nir_imm_ivec3(b, info->cs.workgroup_size[0], info->cs.workgroup_size[1],
                         info->cs.workgroup_size[2]);
}

static nir_def *vertex_id(nir_builder *b)
{
    if (b->shader->options && b->shader->options->vertex_id_zero_based)
        return nir_iadd(b, nir_load_vertex_id_zero_base(b), nir_load_first_vertex(b));
    return nir_load_vertex_id(b);
}

/* Returns the local id of the invocation at a lane position in the workgroup if consecutive groups
 * of four positions are the quads of NV_compute_shader_derivatives. */
static nir_def *quad_invocation_id(nir_builder *b)
{
    nir_def *position = nir_load_local_invocation_index(b), *size = workgroup_size(b);
    nir_def *width = nir_ushr_imm(b, nir_channel(b, size, 0), 1);
    nir_def *height = nir_ushr_imm(b, nir_channel(b, size, 1), 1);
    nir_def *quad = nir_ushr_imm(b, position, 2), *row = nir_udiv(b, quad, width);
    nir_def *x = nir_ishl_imm(b, nir_umod(b, quad, width), 1);
    nir_def *y = nir_ishl_imm(b, nir_umod(b, row, height), 1);
    return nir_vec3(b, nir_ior(b, x, nir_iand_imm(b, position, 1)),
                    nir_ior(b, y, nir_iand_imm(b, nir_ushr_imm(b, position, 1), 1)),
                    nir_udiv(b, row, height));
}

static bool has_quads(const nir_builder *b)
{
    const nir_shader_info *info = &b->shader->info;
    return info->stage == SHADER_COMPUTE && info->cs.derivative_group == nir_derivative_group_quads;
}

static nir_def *local_invocation_id(nir_builder *b)
{
    return has_quads(b) ? quad_invocation_id(b) : nir_load_local_invocation_id(b);
}

/* GLSL 4.60 §7.1.7 */
static nir_def *local_invocation_index(nir_builder *b)
{
    nir_def *id = local_invocation_id(b), *size = workgroup_size(b);
    nir_def *row = nir_imul(b, nir_channel(b, id, 2), nir_channel(b, size, 1));
    row = nir_iadd(b, row, nir_channel(b, id, 1));
    return nir_iadd(b, nir_imul(b, row, nir_channel(b, size, 0)), nir_channel(b, id, 0));
}

static nir_def *global_invocation_id(nir_builder *b)
{
    nir_def *group = nir_imul(b, nir_load_workgroup_id(b), workgroup_size(b));
    return nir_iadd(b, group, local_invocation_id(b));
}

static nir_def *num_subgroups(nir_builder *b)
{
    nir_def *size = workgroup_size(b), *subgroup = nir_load_subgroup_size(b);
    nir_def *all = nir_imul(b, nir_channel(b, size, 0), nir_channel(b, size, 1));
    all = nir_iadd(b, nir_imul(b, all, nir_channel(b, size, 2)), nir_iadd_imm(b, subgroup, -1));
    return nir_udiv(b, all, subgroup);
}

static nir_def *build_system_value(nir_builder *b, enum system_value value)
{
    switch (value) {
    case SYSTEM_VALUE_VERTEX_ID:
        return vertex_id(b);
    case SYSTEM_VALUE_VERTEX_ID_ZERO_BASE:
        return nir_load_vertex_id_zero_base(b);
    case SYSTEM_VALUE_INSTANCE_ID:
        return nir_load_instance_id(b);
    case SYSTEM_VALUE_BASE_VERTEX:
        return nir_load_base_vertex(b);
    case SYSTEM_VALUE_BASE_INSTANCE:
        return nir_load_base_instance(b);
    case SYSTEM_VALUE_DRAW_ID:
        return nir_load_draw_id(b);
    case SYSTEM_VALUE_VIEW_INDEX:
        return nir_load_view_index(b);
    case SYSTEM_VALUE_FRAG_COORD:
        return nir_load_frag_coord(b);
    case SYSTEM_VALUE_POINT_COORD:
        return nir_load_point_coord(b);
    case SYSTEM_VALUE_FRONT_FACE:
        return nir_load_front_face(b);
    case SYSTEM_VALUE_SAMPLE_ID:
        return nir_load_sample_id(b);
    case SYSTEM_VALUE_SAMPLE_POS:
        return nir_load_sample_pos(b);
    case SYSTEM_VALUE_SAMPLE_MASK_IN:
        return nir_load_sample_mask_in(b);
    case SYSTEM_VALUE_HELPER_INVOCATION:
        return nir_load_helper_invocation(b);
    case SYSTEM_VALUE_PRIMITIVE_ID:
        return nir_load_primitive_id(b);
    case SYSTEM_VALUE_INVOCATION_ID:
        return nir_load_invocation_id(b);
    case SYSTEM_VALUE_TESS_COORD:
        return nir_load_tess_coord(b);
    case SYSTEM_VALUE_PATCH_VERTICES_IN:
        return nir_load_patch_vertices_in(b);
    case SYSTEM_VALUE_LOCAL_INVOCATION_ID:
        return local_invocation_id(b);
    case SYSTEM_VALUE_LOCAL_INVOCATION_INDEX:
        return local_invocation_index(b);
    case SYSTEM_VALUE_WORKGROUP_ID:
        return nir_load_workgroup_id(b);
    case SYSTEM_VALUE_WORKGROUP_SIZE:
        return workgroup_size(b);
    case SYSTEM_VALUE_NUM_WORKGROUPS:
        return nir_load_num_workgroups(b);
    case SYSTEM_VALUE_GLOBAL_INVOCATION_ID:
        return global_invocation_id(b);
    case SYSTEM_VALUE_SUBGROUP_SIZE:
        return nir_load_subgroup_size(b);
    case SYSTEM_VALUE_SUBGROUP_INVOCATION:
        return nir_load_subgroup_invocation(b);
    case SYSTEM_VALUE_SUBGROUP_EQ_MASK ... SYSTEM_VALUE_SUBGROUP_LT_MASK:
        return nir_build_subgroup_mask(b, value);
    case SYSTEM_VALUE_SUBGROUP_ID:
        return nir_udiv(
            b, has_quads(b) ? nir_load_local_invocation_index(b) : local_invocation_index(b),
            nir_load_subgroup_size(b));
    case SYSTEM_VALUE_NUM_SUBGROUPS:
        return num_subgroups(b);
    case SYSTEM_VALUE_LAST_FRAG_DEPTH:
        return nir_load_last_frag_depth(b);
    case SYSTEM_VALUE_LAST_FRAG_STENCIL:
        return nir_load_last_frag_stencil(b);
    default:
        return NULL;
    }
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    if (intr->intrinsic != nir_intrinsic_load_deref)
        return false;
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
    if (!var || var->data.mode != nir_var_system_value)
        return false;

    b->cursor = nir_before_instr(&intr->instr);
    bool is_color = var->data.location == SYSTEM_VALUE_LAST_FRAG_DATA;
    nir_def *value = !is_color ? build_system_value(b, var->data.location)
                     : deref->deref_type == nir_deref_type_array
                         ? nir_load_last_frag_data(b, deref->arr.index.ssa)
                         : NULL;
    if (!value)
        return false;
    /* gl_SampleMaskIn is an array of one word; a deref may select a component of a vector. */
    if (!is_color && deref->deref_type == nir_deref_type_array && value->num_components > 1)
        value = nir_vector_extract(b, value, deref->arr.index.ssa);
    /* masks of ARB_shader_ballot have 64 bits */
    if (intr->def.bit_size == 64 && value->bit_size == 32)
        value = nir_u2u64(b, nir_channel(b, value, 0));
    value = nir_trim_vector(b, value, MIN2(value->num_components, intr->def.num_components));
    if (intr->def.bit_size == 1 && value->bit_size == 32)
        value = nir_ine_imm(b, value, 0);
    else if (intr->def.bit_size == 32 && value->bit_size == 1)
        value = nir_b2i32(b, value);
    nir_def_replace(&intr->def, value);
    nir_deref_instr_remove_if_unused(deref);
    return true;
}

bool nir_lower_system_values(nir_shader *shader)
{
    return nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
