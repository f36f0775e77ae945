/* SPDX-License-Identifier: MIT */
/*
 * Loop-closed SSA: adds a phi after a loop for each value of the loop that is used outside. Derefs
 * and barycentric coordinates can't pass through phis. The former stay, the latter are computed
 * again after the loop.
 */
#include <talloc.h>

#include "nir.h"

#include "nir_private.h"
#include "util/hash_table.h"

static bool close_def(nir_loop *loop, nir_block *following, nir_def *def)
{
    const unsigned first = nir_loop_first_block(loop)->index, end = following->index;
    nir_phi_instr *phi = NULL;
    if (def->parent_instr->type == nir_instr_type_deref)
        return false;
    nir_foreach_use_including_if_safe(src, def)
    {
        const unsigned index = nir_src_use_block(src)->index;
        if (index >= first && index < end)
            continue;
        if (phi && !nir_src_is_if(src) && nir_src_parent_instr(src) == &phi->instr)
            continue;
        if (!phi) {
            nir_function_impl *impl = nir_cf_node_get_function(&loop->cf_node);
            phi = nir_phi_instr_create(nir_impl_shader(impl));
            nir_def_init(&phi->instr, &phi->def, def->num_components, def->bit_size);
            for (unsigned i = 0; i < following->num_predecessors; i++)
                nir_phi_instr_add_src(phi, following->predecessors[i], def);
            nir_instr_insert(nir_before_block(following), &phi->instr);
        }
        nir_src_rewrite(src, &phi->def);
    }
    return phi != NULL;
}

static bool is_barycentric(const nir_instr *instr)
{
    if (instr->type != nir_instr_type_intrinsic)
        return false;
    switch (nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic) {
    case nir_intrinsic_load_barycentric_pixel:
    case nir_intrinsic_load_barycentric_centroid:
    case nir_intrinsic_load_barycentric_sample:
    case nir_intrinsic_load_barycentric_at_sample:
    case nir_intrinsic_load_barycentric_at_offset:
        return true;
    default:
        return false;
    }
}

/* Replaces barycentric coordinates in uses outside of the loop by a copy of the instruction. */
static bool copy_behind(nir_loop *loop, nir_block *following, nir_instr *instr)
{
    const unsigned first = nir_loop_first_block(loop)->index, end = following->index;
    nir_function_impl *impl = nir_cf_node_get_function(&loop->cf_node);
    nir_instr *copy = NULL;
    nir_foreach_use_including_if_safe(src, nir_instr_def(instr))
    {
        const unsigned index = nir_src_use_block(src)->index;
        if (index >= first && index < end)
            continue;
        if (!copy) {
            struct hash_table *map = hash_table_create_pointer(NULL);
            copy = nir_instr_clone(nir_impl_shader(impl), instr, map);
            talloc_free(map);
            nir_instr_insert(nir_after_phis(following), copy);
        }
        nir_src_rewrite(src, nir_instr_def(copy));
    }
    return copy != NULL;
}

/* Closes the values of a loop. Copies of barycentric coordinates come first because they may use
 * other values of the loop. */
static bool convert_loop(nir_loop *loop, nir_block *following)
{
    bool progress = false;
    for (unsigned walk = 0; walk < 2; walk++) {
        for (nir_block *block = nir_loop_first_block(loop); block != following;
             block = nir_block_cf_tree_next(block)) {
            nir_foreach_instr_safe (instr, block) {
                nir_def *def = nir_instr_def(instr);
                if (walk == 0 && is_barycentric(instr))
                    progress |= copy_behind(loop, following, instr);
                else if (walk && def)
                    progress |= close_def(loop, following, def);
            }
        }
    }
    return progress;
}

static bool convert_list(struct list_head *list)
{
    bool progress = false;
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_if) {
            progress |= convert_list(&nir_cf_node_as_if(node)->then_list);
            progress |= convert_list(&nir_cf_node_as_if(node)->else_list);
        } else if (node->type == nir_cf_node_loop) {
            nir_loop *loop = nir_cf_node_as_loop(node);
            nir_block *following = nir_cf_node_as_block(nir_cf_node_next(node));
            progress |= convert_list(&loop->body);
            if (following->num_predecessors)
                progress |= convert_loop(loop, following);
        }
    }
    return progress;
}

bool nir_convert_to_lcssa(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        nir_metadata_require(impl, nir_metadata_block_index);
        progress |= nir_progress(convert_list(&impl->body), impl, nir_metadata_control_flow);
    }
    return progress;
}
