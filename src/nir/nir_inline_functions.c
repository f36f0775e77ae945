/* SPDX-License-Identifier: MIT */
/*
 * Replaces every call by the body of its callee, starting at the entrypoint. Always copies the
 * original body, once for each call that remains in the code. The walk goes backwards, so that few
 * instructions follow a call when a body with control flow moves them to another block. Functions
 * must not contain returns (nir_lower_returns). Deref parameters replace the casts of load_param.
 * GLSL forbids recursion; a recursive call is dropped.
 */
#include "nir.h"

#include "nir_private.h"

#include "util/dynarray.h"
#include "util/hash_table.h"

struct state {
    nir_function_impl *impl;   /* the entrypoint's */
    struct hash_table *active; /* set of the callees of `calls` */
    /* calls whose inlined bodies contain the current position; they are still in front of these
     * bodies */
    DYNARRAY(nir_call_instr *) calls;
};

static void replace_param(nir_intrinsic_instr *load, nir_call_instr *call)
{
    nir_def *param = call->params[nir_intrinsic_param_idx(load)].ssa;
    if (param->parent_instr->type == nir_instr_type_deref) {
        nir_foreach_use_safe (src, &load->def) {
            if (nir_src_parent_instr(src)->type != nir_instr_type_deref)
                continue;
            nir_deref_instr *cast = nir_instr_as_deref(nir_src_parent_instr(src));
            nir_def_replace(&cast->def, param);
        }
    }
    nir_def_replace(&load->def, param);
}

/* Replaces the copies of the callee's load_param instructions. The caller may have its own. */
static void replace_params(nir_function_impl *callee, struct hash_table *remap,
                           nir_call_instr *call)
{
    nir_foreach_block (block, callee) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_intrinsic ||
                nir_instr_as_intrinsic(instr)->intrinsic != nir_intrinsic_load_param)
                continue;
            nir_def *copy = hash_table_get(remap, &nir_instr_as_intrinsic(instr)->def);
            if (copy)
                replace_param(nir_instr_as_intrinsic(copy->parent_instr), call);
        }
    }
}

/* Moves the instructions of a copied block without edges. Returns the cursor after them. */
static nir_cursor move_instrs(nir_function_impl *impl, nir_block *block, nir_cursor cursor)
{
    nir_foreach_instr_safe (instr, block) {
        nir_instr_move(cursor, instr);
        nir_impl_add_instr_kind(impl, instr);
        cursor = nir_after_instr(instr);
    }
    return cursor;
}

/* Inserts the callee's body after the call, which stays. Returns the end of the body. */
static nir_cursor inline_call(nir_function_impl *caller, nir_call_instr *call)
{
    nir_function_impl *callee = call->callee->impl;
    nir_shader *shader = nir_impl_shader(caller);
    struct hash_table *remap = hash_table_create_pointer(NULL);
    nir_foreach_function_temp_variable(var, callee)
    {
        nir_variable *copy = nir_variable_clone(var, shader);
        list_addtail(&copy->node, &caller->locals);
        hash_table_insert(remap, var, copy);
    }
    nir_cf_list body = {.impl = callee}, copy;
    list_init(&body.list);
    /* Borrows the callee's list, which is only read. */
    body.list.next = callee->body.next;
    body.list.prev = callee->body.prev;
    callee->body.next->prev = &body.list;
    callee->body.prev->next = &body.list;
    nir_cf_list_clone(&copy, &body, &caller->cf_node, remap);
    callee->body.next->prev = &callee->body;
    callee->body.prev->next = &callee->body;

    /* Must come before the body moves, because the end of the body may be at a removed load. */
    replace_params(callee, remap, call);
    hash_table_destroy(remap);
    nir_cursor end = nir_after_instr(&call->instr);
    nir_block *first = nir_cf_node_as_block(list_first_entry(&copy.list, nir_cf_node, node));
    return list_is_singular(&copy.list) ? move_instrs(caller, first, end)
                                        : nir_cf_reinsert(&copy, end);
}

/* Returns true if the callee has a body and is not being inlined already. */
static bool may_inline(struct state *s, nir_call_instr *call)
{
    nir_function *callee = call->callee;
    if (!callee->impl || hash_table_get(s->active, callee) || !dynarray_append(&s->calls, call))
        return false;
    hash_table_insert(s->active, callee, callee);
    return true;
}

/* Handles a call when the walk reaches it the first time, or from its inlined body. Returns the
 * next position. */
static nir_cursor at_call(struct state *s, nir_call_instr *call)
{
    bool from_body = s->calls.count && s->calls.data[s->calls.count - 1] == call;
    if (!from_body && may_inline(s, call))
        return inline_call(s->impl, call);
    if (from_body) {
        s->calls.count--;
        hash_table_remove_key(s->active, call->callee);
    }
    nir_block *block = call->instr.block;
    struct list_head *prev = call->instr.node.prev;
    nir_instr_remove(&call->instr);
    return prev == &block->instr_list ? nir_before_block(block)
                                      : nir_after_instr(list_entry(prev, nir_instr, node));
}

static bool inline_in(struct state *s)
{
    bool progress = false;
    nir_block *block = nir_impl_last_block(s->impl);
    struct list_head *node = block->instr_list.prev;
    while (block) {
        if (node == &block->instr_list) {
            block = nir_block_cf_tree_prev(block);
            node = block ? block->instr_list.prev : NULL;
            continue;
        }
        nir_instr *instr = list_entry(node, nir_instr, node);
        node = node->prev;
        if (instr->type != nir_instr_type_call)
            continue;
        nir_cursor next = at_call(s, nir_instr_as_call(instr));
        block = nir_cursor_current_block(next);
        node = next.option == nir_cursor_after_instr ? &next.instr->node : &block->instr_list;
        progress = true;
    }
    if (progress)
        nir_index_ssa_defs(s->impl);
    return nir_progress(progress, s->impl, nir_metadata_none);
}

bool nir_inline_functions(nir_shader *shader)
{
    bool progress = false;
    struct state s = {.active = hash_table_create_pointer(NULL)};
    nir_foreach_function (function, shader) {
        if (!function->is_entrypoint || !function->impl)
            continue;
        s.impl = function->impl;
        progress |= inline_in(&s);
    }
    hash_table_destroy(s.active);
    dynarray_finish(&s.calls);
    if (progress)
        nir_fixup_deref_modes(shader); /* for the parameters that became derefs of variables */
    list_for_each_entry_safe (nir_function, function, &shader->functions, node) {
        if (!function->is_entrypoint) {
            list_del(&function->node);
            progress = true;
        }
    }
    return progress;
}
