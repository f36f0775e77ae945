/* SPDX-License-Identifier: MIT */
/* Loop-closed SSA: adds a phi after a loop for each value of the loop that is used outside. */
#include "nir.h"

#include "nir_private.h"

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
            for (nir_block *block = nir_loop_first_block(loop); block != following;
                 block = nir_block_cf_tree_next(block)) {
                nir_foreach_instr_safe (instr, block) {
                    nir_def *def = nir_instr_def(instr);
                    if (def && following->num_predecessors)
                        progress |= close_def(loop, following, def);
                }
            }
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
