/* SPDX-License-Identifier: MIT */
/*
 * Removes control flow without effect: ifs with a constant condition, empty ifs, loops without side
 * effects and used values, loops that run once, and code after jumps.
 */
#include "nir.h"

struct state {
    nir_function_impl *impl;
    bool progress;
};

static void dead_cf_list(struct state *s, struct list_head *list);

static nir_block *following_node(nir_cf_node *node)
{
    return nir_cf_node_as_block(nir_cf_node_next(node));
}

/* Replaces the phis after the if by the values from the branch that is always taken. */
static void resolve_phis(nir_block *following, nir_block *pred)
{
    nir_foreach_instr_safe (instr, following) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        nir_foreach_phi_src (src, phi) {
            if (src->pred == pred) {
                nir_def_replace(&phi->def, src->src.ssa);
                break;
            }
        }
    }
}

static void take_branch(nir_if *nif, bool taken)
{
    nir_block *last = taken ? nir_if_last_then_block(nif) : nir_if_last_else_block(nif);
    nir_block *first = taken ? nir_if_first_then_block(nif) : nir_if_first_else_block(nif);
    resolve_phis(following_node(&nif->cf_node), last);

    nir_cf_list kept;
    nir_cf_extract(&kept, nir_before_block(first), nir_after_block(last));
    nir_cf_reinsert(&kept, nir_before_cf_node(&nif->cf_node));
    nir_cf_node_remove(&nif->cf_node);
}

static bool block_has_phis(nir_block *block)
{
    nir_instr *first = nir_block_first_instr(block);
    return first && first->type == nir_instr_type_phi;
}

static bool if_is_empty(nir_if *nif)
{
    nir_block *then_block = nir_if_first_then_block(nif);
    nir_block *else_block = nir_if_first_else_block(nif);
    return then_block == nir_if_last_then_block(nif) && list_is_empty(&then_block->instr_list) &&
           else_block == nir_if_last_else_block(nif) && list_is_empty(&else_block->instr_list) &&
           !block_has_phis(following_node(&nif->cf_node));
}

static bool instr_has_effect(nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_call:
        return true;
    case nir_instr_type_jump:
        /* Breaks and continues stay inside, because inner loops are part of the loop. */
        return nir_instr_as_jump(instr)->type == nir_jump_return ||
               nir_instr_as_jump(instr)->type == nir_jump_halt;
    case nir_instr_type_intrinsic: {
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        return !(nir_intrinsic_infos[intr->intrinsic].flags & NIR_INTRINSIC_CAN_ELIMINATE);
    }
    default:
        return false;
    }
}

/* Uses the order of blocks as long as the pass hasn't changed anything, because walking up the tree
 * from each use takes long in deeply nested code. */
static bool is_inside(const struct state *s, const nir_block *block, nir_loop *loop)
{
    if (s->impl->valid_metadata & nir_metadata_block_index)
        return block->index >= nir_loop_first_block(loop)->index &&
               block->index < following_node(&loop->cf_node)->index;
    const nir_cf_node *node = &block->cf_node;
    while (node && node != &loop->cf_node)
        node = node->parent;
    return node != NULL;
}

static bool def_is_used_outside(const struct state *s, nir_def *def, nir_loop *loop)
{
    nir_foreach_use_including_if(src, def)
    {
        const nir_block *user =
            nir_src_is_if(src)
                ? nir_cf_node_as_block(nir_cf_node_prev(&nir_src_parent_if(src)->cf_node))
                : nir_src_parent_instr(src)->block;
        if (!is_inside(s, user, loop))
            return true;
    }
    return false;
}

static bool loop_is_dead(const struct state *s, nir_loop *loop)
{
    nir_block *following = following_node(&loop->cf_node);
    if (block_has_phis(following) || !following->num_predecessors)
        return false;
    for (nir_block *block = nir_loop_first_block(loop); block != following;
         block = nir_block_cf_tree_next(block)) {
        nir_foreach_instr (instr, block) {
            nir_def *def = nir_instr_def(instr);
            if (instr_has_effect(instr) || (def && def_is_used_outside(s, def, loop)))
                return false;
        }
    }
    return true;
}

/* Replaces a loop by its body if only a break at the end of the first iteration leaves it. */
static bool inline_single_iteration(nir_loop *loop)
{
    nir_block *first = nir_loop_first_block(loop), *last = nir_loop_last_block(loop);
    nir_block *following = following_node(&loop->cf_node);
    nir_instr *jump = nir_block_last_instr(last);
    if (first->num_predecessors != 1 || following->num_predecessors != 1 ||
        !nir_block_ends_in_jump(last) || nir_instr_as_jump(jump)->type != nir_jump_break)
        return false;
    resolve_phis(first, nir_cf_node_as_block(nir_cf_node_prev(&loop->cf_node)));
    resolve_phis(following, last);
    nir_instr_remove(jump);

    nir_cf_list body;
    nir_cf_extract(&body, nir_before_block(first), nir_after_block(last));
    nir_cf_reinsert(&body, nir_before_cf_node(&loop->cf_node));
    nir_cf_node_remove(&loop->cf_node);
    return true;
}

/* Removes the code after a block that ends in a jump, within its list. */
static bool remove_behind_jump(nir_block *block, struct list_head *list)
{
    if (!nir_block_ends_in_jump(block) || block->cf_node.node.next == list)
        return false;
    nir_cf_list dead;
    nir_cf_extract(&dead, nir_after_block(block),
                   nir_after_block(nir_cf_node_as_block(list_last_entry(list, nir_cf_node, node))));
    nir_cf_delete(&dead);
    return true;
}

/* Removes the unreachable code after a loop that nothing leaves. Removes only instructions, because
 * the control flow tree requires a block there. */
static bool remove_behind_endless_loop(nir_loop *loop, struct list_head *list)
{
    nir_block *following = following_node(&loop->cf_node);
    nir_block *last = nir_cf_node_as_block(list_last_entry(list, nir_cf_node, node));
    if (following->num_predecessors || (following == last && list_is_empty(&following->instr_list)))
        return false;
    if (following == last && nir_block_ends_in_jump(last) && list_is_singular(&last->instr_list))
        return false;
    nir_cf_list dead;
    nir_cf_extract(&dead, nir_after_cf_node(&loop->cf_node), nir_after_cf_list(list));
    bool progress = !list_is_empty(&dead.list);
    nir_cf_delete(&dead);
    return progress;
}

/* Returns whether the list changed at the node; changes inside of it are only noted. */
static bool dead_cf_node(struct state *s, nir_cf_node *node, struct list_head *list)
{
    if (node->type == nir_cf_node_block)
        return remove_behind_jump(nir_cf_node_as_block(node), list);
    if (node->type == nir_cf_node_if) {
        nir_if *nif = nir_cf_node_as_if(node);
        if (nir_src_is_const(nif->condition)) {
            take_branch(nif, nir_src_as_bool(nif->condition));
            return true;
        }
        dead_cf_list(s, &nif->then_list);
        dead_cf_list(s, &nif->else_list);
        if (!if_is_empty(nif))
            return false;
        nir_def *condition = nif->condition.ssa;
        nir_cf_node_remove(node);
        nir_def_remove_if_unused(condition);
        return true;
    }
    nir_loop *loop = nir_cf_node_as_loop(node);
    if (loop_is_dead(s, loop)) {
        nir_cf_node_remove(node);
        return true;
    }
    dead_cf_list(s, &loop->body);
    return inline_single_iteration(loop) || remove_behind_endless_loop(loop, list);
}

/* After a change, the walk continues at the block before it, into which the code after it was
 * merged. */
static void dead_cf_list(struct state *s, struct list_head *list)
{
    struct list_head *link = list->next;
    while (link != list) {
        nir_cf_node *node = list_entry(link, nir_cf_node, node);
        struct list_head *before = node->type == nir_cf_node_block ? link : link->prev;
        if (dead_cf_node(s, node, list)) {
            s->progress = true;
            link = before;
        } else {
            link = link->next;
        }
    }
}

bool nir_opt_dead_cf(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        struct state s = {.impl = impl};
        nir_metadata_require(impl, nir_metadata_block_index);
        dead_cf_list(&s, &impl->body);
        progress |= nir_progress(s.progress, impl, nir_metadata_none);
    }
    return progress;
}
