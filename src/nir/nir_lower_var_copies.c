/* SPDX-License-Identifier: MIT */
/*
 * Lowering of copy_deref of aggregates. nir_split_var_copies splits them into copies of vectors and
 * scalars, with wildcards for array elements and matrix columns. nir_lower_var_copies makes loads
 * and stores of each element.
 */
#include "nir.h"

#include "nir_builder.h"

/* --- Splitting --- */

static void split_copy(nir_builder *b, nir_deref_instr *dst, nir_deref_instr *src)
{
    if (glsl_type_is_vector_or_scalar(dst->type) || dst->type->base_type > GLSL_TYPE_BOOL) {
        if (!glsl_type_is_struct_or_ifc(dst->type) && !glsl_type_is_array(dst->type)) {
            nir_copy_deref(b, dst, src);
            return;
        }
    }
    if (glsl_type_is_struct_or_ifc(dst->type)) {
        for (unsigned i = 0; i < dst->type->length; i++)
            split_copy(b, nir_build_deref_struct(b, dst, i), nir_build_deref_struct(b, src, i));
        return;
    }
    split_copy(b, nir_build_deref_array_wildcard(b, dst), nir_build_deref_array_wildcard(b, src));
}

static bool split_instr(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    if (intr->intrinsic != nir_intrinsic_copy_deref)
        return false;
    nir_deref_instr *dst = nir_src_as_deref(intr->src[0]), *src = nir_src_as_deref(intr->src[1]);
    if (glsl_type_is_vector_or_scalar(dst->type))
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    split_copy(b, dst, src);
    nir_instr_remove(&intr->instr);
    nir_deref_instr_remove_if_unused(dst);
    nir_deref_instr_remove_if_unused(src);
    return true;
}

bool nir_split_var_copies(nir_shader *shader)
{
    return nir_shader_intrinsics_pass(shader, split_instr, nir_metadata_control_flow, NULL);
}

/* --- Lowering --- */

/* Follows both paths, and loops over all elements where both have a wildcard. dst_path and src_path
 * are the remaining steps after dst and src. */
static void lower_copy(nir_builder *b, nir_deref_instr *dst, nir_deref_instr **dst_path,
                       nir_deref_instr *src, nir_deref_instr **src_path)
{
    while (*dst_path && (*dst_path)->deref_type != nir_deref_type_array_wildcard)
        dst = nir_build_deref_follower(b, dst, *dst_path++);
    while (*src_path && (*src_path)->deref_type != nir_deref_type_array_wildcard)
        src = nir_build_deref_follower(b, src, *src_path++);

    if (*dst_path || *src_path) {
        /* A wildcard on one side only corresponds to the whole array on the other side. */
        unsigned length = glsl_length_of(*dst_path ? dst->type : src->type);
        for (unsigned i = 0; i < length; i++)
            lower_copy(b, nir_build_deref_array_imm(b, dst, i), dst_path + (*dst_path != NULL),
                       nir_build_deref_array_imm(b, src, i), src_path + (*src_path != NULL));
        return;
    }
    if (glsl_type_is_struct_or_ifc(dst->type)) {
        for (unsigned i = 0; i < dst->type->length; i++)
            lower_copy(b, nir_build_deref_struct(b, dst, i), dst_path,
                       nir_build_deref_struct(b, src, i), src_path);
    } else if (glsl_type_is_array(dst->type) || glsl_type_is_matrix(dst->type)) {
        for (unsigned i = 0; i < glsl_length_of(dst->type); i++)
            lower_copy(b, nir_build_deref_array_imm(b, dst, i), dst_path,
                       nir_build_deref_array_imm(b, src, i), src_path);
    } else {
        nir_def *value = nir_load_deref(b, src);
        nir_store_deref(b, dst, value, ~0u);
    }
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    if (intr->intrinsic != nir_intrinsic_copy_deref)
        return false;
    nir_deref_instr *dst = nir_src_as_deref(intr->src[0]), *src = nir_src_as_deref(intr->src[1]);
    nir_deref_path dst_path, src_path;
    nir_deref_path_init(&dst_path, dst, NULL);
    nir_deref_path_init(&src_path, src, NULL);
    b->cursor = nir_before_instr(&intr->instr);
    lower_copy(b, dst_path.path[0], &dst_path.path[1], src_path.path[0], &src_path.path[1]);
    nir_deref_path_finish(&dst_path);
    nir_deref_path_finish(&src_path);
    nir_instr_remove(&intr->instr);
    nir_deref_instr_remove_if_unused(dst);
    nir_deref_instr_remove_if_unused(src);
    return true;
}

bool nir_lower_var_copies(nir_shader *shader)
{
    return nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
