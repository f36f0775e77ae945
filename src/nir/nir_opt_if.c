/* SPDX-License-Identifier: MIT */
/*
 * Simplifies ifs: replaces uses of the condition in the branches by constants, and phis of true and
 * false by the condition; inverts ifs with an empty then branch; and moves a branch to after the if
 * when the other one ends in a jump.
 */
#include "nir.h"

#include "nir_builder.h"

/* --- Uses of the condition in the branches --- */

static bool is_in_list(nir_cf_node *node, const nir_if *nif, bool then)
{
    for (; node && node->parent; node = node->parent) {
        if (node->parent != &nif->cf_node)
            continue;
        /* Walk to the list head to find out which of the two lists contains the node. */
        const struct list_head *head = then ? &nif->then_list : &nif->else_list;
        for (struct list_head *l = head->next; l != head; l = l->next) {
            if (l == &node->node)
                return true;
        }
        return false;
    }
    return false;
}

static nir_cf_node *use_place(nir_src *src)
{
    if (nir_src_is_if(src))
        return &nir_src_parent_if(src)->cf_node;
    if (nir_src_parent_instr(src)->type == nir_instr_type_phi)
        return &container_of(src, nir_phi_src, src)->pred->cf_node;
    return &nir_src_parent_instr(src)->block->cf_node;
}

static bool opt_condition_uses(nir_builder *b, nir_if *nif)
{
    bool progress = false;
    nir_def *cond = nif->condition.ssa, *imm[2] = {NULL, NULL};
    if (cond->bit_size != 1 || nir_src_is_const(nif->condition))
        return false;
    nir_foreach_use_including_if_safe(src, cond)
    {
        if (src == &nif->condition)
            continue;
        nir_cf_node *place = use_place(src);
        for (unsigned then = 0; then < 2; then++) {
            if (!is_in_list(place, nif, then))
                continue;
            if (!imm[then]) {
                b->cursor = nir_before_cf_node(&nif->cf_node);
                imm[then] = nir_imm_bool(b, then);
                imm[then] = nir_vec_broadcast(b, imm[then], cond->num_components);
            }
            nir_src_rewrite(src, imm[then]);
            progress = true;
            break;
        }
    }
    return progress;
}

/* --- Phis of true and false --- */

static bool opt_bool_phis(nir_builder *b, nir_if *nif)
{
    bool progress = false;
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
    nir_block *then_block = nir_if_last_then_block(nif);
    nir_foreach_instr_safe (instr, following) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        if (phi->def.bit_size != 1 || phi->def.num_components != 1 ||
            following->num_predecessors != 2 || nif->condition.ssa->bit_size != 1)
            continue;
        int values[2] = {-1, -1};
        nir_foreach_phi_src (src, phi) {
            if (nir_src_is_const(src->src))
                values[src->pred != then_block] = nir_src_as_bool(src->src);
        }
        if (values[0] < 0 || values[1] < 0 || values[0] == values[1])
            continue;
        b->cursor = nir_before_cf_node(&nif->cf_node);
        nir_def *value = values[0] ? nif->condition.ssa : nir_inot(b, nif->condition.ssa);
        nir_def_replace(&phi->def, value);
        progress = true;
    }
    return progress;
}

/* --- Structure --- */

static bool list_is_one_empty_block(struct list_head *list)
{
    return list_is_singular(list) &&
           list_is_empty(
               &nir_cf_node_as_block(list_first_entry(list, nir_cf_node, node))->instr_list);
}

static nir_block *list_last(struct list_head *list)
{
    return nir_cf_node_as_block(list_last_entry(list, nir_cf_node, node));
}

/* Moves the else code into an empty then branch and inverts the condition, if no phi follows. */
static bool opt_empty_then(nir_builder *b, nir_if *nif)
{
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
    nir_instr *first = nir_block_first_instr(following);
    if (!list_is_one_empty_block(&nif->then_list) || list_is_one_empty_block(&nif->else_list) ||
        (first && first->type == nir_instr_type_phi))
        return false;
    nir_cf_list list;
    nir_cf_extract(&list, nir_before_cf_list(&nif->else_list),
                   nir_after_block(list_last(&nif->else_list)));
    nir_cf_reinsert(&list, nir_before_cf_list(&nif->then_list));
    b->cursor = nir_before_cf_node(&nif->cf_node);
    nir_src_rewrite(&nif->condition, nir_inot(b, nif->condition.ssa));
    return true;
}

/* Turns if (c) { …; jump } else { A } B into if (c) { …; jump } else {} A B. This reduces nesting
 * and leaves breaks at the top level of loops, where nir_opt_loop_unroll expects them. */
static bool opt_jump_branch(nir_if *nif)
{
    bool then_jumps = nir_block_ends_in_jump(list_last(&nif->then_list));
    bool else_jumps = nir_block_ends_in_jump(list_last(&nif->else_list));
    if (then_jumps == else_jumps)
        return false;
    struct list_head *list = then_jumps ? &nif->else_list : &nif->then_list;
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
    if (list_is_one_empty_block(list))
        return false;
    /* Only the other branch reaches the code after the if, so phis are copies. */
    nir_foreach_instr_safe (instr, following) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        nir_foreach_phi_src (src, phi) {
            nir_def_replace(&phi->def, src->src.ssa);
            break;
        }
    }
    nir_instr *first = nir_block_first_instr(following);
    if (first && first->type == nir_instr_type_phi)
        return false;
    nir_cf_list moved;
    nir_cf_extract(&moved, nir_before_cf_list(list), nir_after_block(list_last(list)));
    nir_cf_reinsert(&moved, nir_after_cf_node(&nif->cf_node));
    return true;
}

static bool opt_if(nir_builder *b, nir_if *nif, void *unused)
{
    bool progress = opt_condition_uses(b, nif);
    progress |= opt_bool_phis(b, nif);
    progress |= opt_empty_then(b, nif);
    return opt_jump_branch(nif) || progress;
}

bool nir_opt_if(nir_shader *shader)
{
    return nir_shader_ifs_pass(shader, opt_if, nir_metadata_none, NULL);
}
