/* SPDX-License-Identifier: MIT */
/* Removes a continue at a place where the loop body ends anyway. */
#include "nir.h"

static bool opt_list(struct list_head *list);

/* Handles a list whose end is the end of a loop body. */
static bool opt_tail(struct list_head *list)
{
    nir_block *last = nir_cf_node_as_block(list_last_entry(list, nir_cf_node, node));
    if (nir_block_ends_in_jump(last)) {
        nir_jump_instr *jump = nir_instr_as_jump(nir_block_last_instr(last));
        if (jump->type != nir_jump_continue)
            return false;
        /* Removing the edge would remove the phi sources for it, so these continues stay. */
        nir_block *head = last->successors[0];
        nir_instr *first = nir_block_first_instr(head);
        if (first && first->type == nir_instr_type_phi &&
            last->cf_node.parent->type != nir_cf_node_loop)
            return false;
        nir_instr_remove(&jump->instr);
        return true;
    }
    nir_cf_node *prev = nir_cf_node_prev(&last->cf_node);
    if (!prev || prev->type != nir_cf_node_if || !list_is_empty(&last->instr_list))
        return false;
    nir_if *nif = nir_cf_node_as_if(prev);
    const bool progress = opt_tail(&nif->then_list);
    return opt_tail(&nif->else_list) || progress;
}

static bool opt_list(struct list_head *list)
{
    bool progress = false;
    nir_foreach_cf_node_safe(node, list)
    {
        if (node->type == nir_cf_node_if) {
            progress |= opt_list(&nir_cf_node_as_if(node)->then_list);
            progress |= opt_list(&nir_cf_node_as_if(node)->else_list);
        } else if (node->type == nir_cf_node_loop) {
            progress |= opt_list(&nir_cf_node_as_loop(node)->body);
            progress |= opt_tail(&nir_cf_node_as_loop(node)->body);
        }
    }
    return progress;
}

bool nir_opt_trivial_continues(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader)
        progress |= nir_progress(opt_list(&impl->body), impl, nir_metadata_none);
    return progress;
}
