/* SPDX-License-Identifier: MIT */
/*
 * Removes return instructions. The code after a possible return is skipped: it moves into the other
 * branch of the if that returns, or under a test of a flag. Returns in loops become breaks. If phis
 * after moved code use its values, these get phis at the end of the new branch.
 */
#include "nir.h"

#include "nir_builder.h"

struct state {
    nir_function_impl *impl;
    nir_builder b;
    nir_variable *flag; /* true once the function has returned; created on demand */
};

/* Returns true if control may reach the end of the list after a return; the flag is then set. Never
 * the case inside loops. */
static bool lower_list(struct state *s, struct list_head *list, nir_loop *loop);

static nir_variable *flag(struct state *s)
{
    if (!s->flag) {
        s->flag = nir_local_variable_create(s->impl, glsl_bool_type(), "return_flag");
        nir_builder b = nir_builder_at(nir_before_impl(s->impl));
        nir_store_var(&b, s->flag, nir_imm_false(&b), 1);
    }
    return s->flag;
}

static nir_block *last_block(struct list_head *list)
{
    return nir_cf_node_as_block(list_last_entry(list, nir_cf_node, node));
}

static bool ends_in_return(nir_block *block)
{
    return nir_block_ends_in_jump(block) &&
           nir_instr_as_jump(nir_block_last_instr(block))->type == nir_jump_return;
}

static void delete_behind(nir_block *block, struct list_head *list)
{
    nir_cf_list dead;
    if (last_block(list) == block)
        return;
    nir_cf_extract(&dead, nir_after_block(block), nir_after_block(last_block(list)));
    nir_cf_delete(&dead);
}

/* Makes the code after `node` in its list run only if the function has not returned. */
static void guard_rest(struct state *s, nir_cf_node *node, struct list_head *list, nir_loop *loop)
{
    nir_builder *b = &s->b;
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(node));
    if (loop) {
        b->cursor = nir_after_phis(following);
        nir_break_if(b, nir_load_var(b, flag(s)));
        return;
    }
    if (following == last_block(list) && list_is_empty(&following->instr_list))
        return;
    nir_cf_list rest;
    nir_cf_extract(&rest, nir_after_cf_node(node), nir_after_block(last_block(list)));
    b->cursor = nir_after_cf_node(node);
    nir_if *nif = nir_push_if(b, nir_load_var(b, flag(s)));
    nir_push_else(b, nif);
    nir_cf_reinsert(&rest, b->cursor);
    nir_pop_if(b, nif);
}

/* Turns if (c) { …; return; } rest into if (c) { … } else { rest }. */
static bool move_rest_into_other_branch(nir_if *nif, struct list_head *list)
{
    bool then_returns = ends_in_return(nir_if_last_then_block(nif));
    bool else_returns = ends_in_return(nir_if_last_else_block(nif));
    if (then_returns == else_returns)
        return false;
    nir_block *other = then_returns ? nir_if_last_else_block(nif) : nir_if_last_then_block(nif);
    if (nir_block_ends_in_jump(other))
        return false;
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
    nir_instr *first = nir_block_first_instr(following);
    if (first && first->type == nir_instr_type_phi)
        return false;
    if (following == last_block(list) && !first)
        return false;
    nir_cf_list rest;
    nir_cf_extract(&rest, nir_after_cf_node(&nif->cf_node), nir_after_block(last_block(list)));
    nir_cf_reinsert(&rest, nir_after_block(other));
    return true;
}

/* Removes the return at the end of the block, which becomes the last one of its list. */
static void lower_return(struct state *s, nir_block *block, struct list_head *list, nir_loop *loop)
{
    delete_behind(block, list);
    nir_instr_remove(nir_block_last_instr(block));
    s->b.cursor = nir_after_block(block);
    nir_store_var(&s->b, flag(s), nir_imm_true(&s->b), 1);
    if (loop)
        nir_jump(&s->b, nir_jump_break);
}

static bool list_has_return(struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_block) {
            if (ends_in_return(nir_cf_node_as_block(node)))
                return true;
        } else if (node->type == nir_cf_node_if) {
            if (list_has_return(&nir_cf_node_as_if(node)->then_list) ||
                list_has_return(&nir_cf_node_as_if(node)->else_list))
                return true;
        } else if (list_has_return(&nir_cf_node_as_loop(node)->body)) {
            return true;
        }
    }
    return false;
}

/* A guard inserted after a node is the next if, so the loop below also visits the guarded code. */
static bool lower_list(struct state *s, struct list_head *list, nir_loop *loop)
{
    bool may_have_returned = false;
    for (struct list_head *link = list->next; link != list; link = link->next) {
        nir_cf_node *node = list_entry(link, nir_cf_node, node);
        if (node->type == nir_cf_node_block) {
            if (!ends_in_return(nir_cf_node_as_block(node)))
                continue;
            lower_return(s, nir_cf_node_as_block(node), list, loop);
            return !loop;
        }
        if (node->type == nir_cf_node_if) {
            nir_if *nif = nir_cf_node_as_if(node);
            bool moved = !loop && move_rest_into_other_branch(nif, list);
            bool returned = lower_list(s, &nif->then_list, loop);
            returned |= lower_list(s, &nif->else_list, loop);
            may_have_returned |= returned;
            if (returned && !moved)
                guard_rest(s, node, list, loop);
            continue;
        }
        nir_loop *inner = nir_cf_node_as_loop(node);
        if (!list_has_return(&inner->body))
            continue;
        lower_list(s, &inner->body, inner);
        guard_rest(s, node, list, loop);
        may_have_returned |= !loop;
    }
    return may_have_returned;
}

static bool lower_returns_impl(nir_function_impl *impl)
{
    struct state s = {.impl = impl, .b = nir_builder_create(impl)};
    if (!list_has_return(&impl->body))
        return nir_progress(false, impl, nir_metadata_none);
    /* The common case: a single return at the very end. */
    nir_block *last = nir_impl_last_block(impl);
    if (ends_in_return(last))
        nir_instr_remove(nir_block_last_instr(last));
    lower_list(&s, &impl->body, NULL);
    return nir_progress(true, impl, nir_metadata_none);
}

bool nir_lower_returns(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader)
        progress |= lower_returns_impl(impl);
    if (progress)
        nir_repair_ssa(shader);
    return progress;
}
