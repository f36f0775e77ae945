/* SPDX-License-Identifier: MIT */
/*
 * Every call is replaced by the body of its callee, callees first. Functions have no returns
 * (nir_lower_returns). Parameters that are derefs take the place of the casts of load_param.
 * Recursion, which GLSL forbids, is cut: the call is dropped.
 */
#include "nir.h"

#include <talloc.h>

#include "nir_builder.h"
#include "nir_private.h"

#include "util/hash_table.h"

enum { UNSEEN, ACTIVE, DONE };

struct state {
    struct hash_table *functions; /* nir_function → state + 1 */
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

/* The copies that remap has of the callee's loads of parameters. The caller may have its own. */
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

/* The callee's body in front of the call, which stays. */
static void inline_call(nir_function_impl *caller, nir_call_instr *call)
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
    /* The list is only read. */
    body.list.next = callee->body.next;
    body.list.prev = callee->body.prev;
    callee->body.next->prev = &body.list;
    callee->body.prev->next = &body.list;
    nir_cf_list_clone(&copy, &body, &caller->cf_node, remap);
    callee->body.next->prev = &callee->body;
    callee->body.prev->next = &callee->body;
    nir_cf_reinsert(&copy, nir_before_instr(&call->instr));
    replace_params(callee, remap, call);
    hash_table_destroy(remap);
}

static bool inline_in(struct state *s, nir_function *function);

static void replace_call(struct state *s, nir_function_impl *caller, nir_call_instr *call)
{
    nir_function *callee = call->callee;
    uintptr_t seen = (uintptr_t)hash_table_get(s->functions, callee);
    if (callee->impl && seen == UNSEEN)
        inline_in(s, callee);
    if (callee->impl && seen != ACTIVE)
        inline_call(caller, call);
}

/* Bodies come in front of their calls, from where the walk goes on. */
static bool inline_in(struct state *s, nir_function *function)
{
    bool progress = false;
    nir_block *block = nir_start_block(function->impl);
    struct list_head *node = block->instr_list.next;
    hash_table_insert(s->functions, function, (void *)(uintptr_t)ACTIVE);
    while (block) {
        if (node == &block->instr_list) {
            block = nir_block_cf_tree_next(block);
            node = block ? block->instr_list.next : NULL;
            continue;
        }
        nir_instr *instr = list_entry(node, nir_instr, node);
        if (instr->type == nir_instr_type_call) {
            replace_call(s, function->impl, nir_instr_as_call(instr));
            block = instr->block;
            node = instr->node.next;
            nir_instr_remove(instr);
            progress = true;
        } else {
            node = node->next;
        }
    }
    hash_table_insert(s->functions, function, (void *)(uintptr_t)DONE);
    if (progress)
        nir_index_ssa_defs(function->impl);
    return nir_progress(progress, function->impl, nir_metadata_none);
}

bool nir_inline_functions(nir_shader *shader)
{
    bool progress = false;
    struct state s = {.functions = hash_table_create_pointer(NULL)};
    nir_foreach_function (function, shader) {
        if (function->is_entrypoint && function->impl)
            progress |= inline_in(&s, function);
    }
    hash_table_destroy(s.functions);
    if (progress)
        nir_fixup_deref_modes(shader); /* of what became of parameters */
    list_for_each_entry_safe (nir_function, function, &shader->functions, node) {
        if (!function->is_entrypoint) {
            list_del(&function->node);
            progress = true;
        }
    }
    return progress;
}
