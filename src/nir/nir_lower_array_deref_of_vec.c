/* SPDX-License-Identifier: MIT */
/* Turns deref accesses to one component of a vector into accesses to the whole vector. */
#include "nir.h"

#include "nir_builder.h"
#include "nir_private.h"

static void lower_load(nir_builder *b, nir_intrinsic_instr *intr, nir_deref_instr *vec,
                       nir_def *index)
{
    nir_intrinsic_instr *load = nir_intrinsic_instr_create(b->shader, intr->intrinsic);
    load->num_components = vec->type->vector_elements;
    memcpy(load->const_index, intr->const_index, sizeof load->const_index);
    load->src[0] = nir_src_for_ssa(&vec->def);
    for (unsigned i = 1; i < nir_intrinsic_infos[intr->intrinsic].num_srcs; i++)
        load->src[i] = nir_src_for_ssa(intr->src[i].ssa);
    b->cursor = nir_before_instr(&intr->instr);
    nir_def_init(&load->instr, &load->def, load->num_components, intr->def.bit_size);
    nir_builder_instr_insert(b, &load->instr);
    nir_def_replace(&intr->def, nir_vector_extract(b, &load->def, index));
}

/* Lowers a store with an index that is not constant to load, insert and store. Other invocations
 * must not see the intermediate state; this holds for all modes except buffers and shared
 * memory. */
static void lower_store(nir_builder *b, nir_intrinsic_instr *intr, nir_deref_instr *vec,
                        nir_src index)
{
    nir_def *value = intr->src[1].ssa;
    unsigned n = vec->type->vector_elements, access = nir_intrinsic_access(intr);
    b->cursor = nir_before_instr(&intr->instr);
    if (nir_src_is_const(index)) {
        uint64_t c = nir_src_as_uint(index);
        if (c < n)
            nir_store_deref_with_access(b, vec, nir_vec_broadcast(b, value, n), 1u << c, access);
    } else {
        nir_def *old = nir_load_deref_with_access(b, vec, access);
        nir_def *merged = nir_vector_insert(b, old, value, index.ssa);
        nir_store_deref_with_access(b, vec, merged, ~0u, access);
    }
    nir_instr_remove(&intr->instr);
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    nir_deref_instr *deref = nir_intrinsic_value_deref(intr);
    if (!deref || !(deref->modes & *(nir_variable_mode *)data) ||
        deref->deref_type != nir_deref_type_array)
        return false;
    nir_deref_instr *vec = nir_deref_instr_parent(deref);
    if (!vec || !glsl_type_is_vector(vec->type))
        return false;
    if (intr->intrinsic == nir_intrinsic_store_deref)
        lower_store(b, intr, vec, deref->arr.index);
    else
        lower_load(b, intr, vec, deref->arr.index.ssa);
    nir_deref_instr_remove_if_unused(deref);
    return true;
}

bool nir_lower_array_deref_of_vec(nir_shader *shader, nir_variable_mode modes)
{
    return nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, &modes);
}
