/* SPDX-License-Identifier: MIT */
/*
 * precise (GLSL 4.60 §4.9): values computed for a precise variable within a function are precise,
 * too. This pass marks the variables that such values flow through; operations assigned to a
 * precise variable must be executed as written. Invariant outputs are treated as precise, so that
 * the context of an expression cannot change its value (§4.8.1). hir_to_nir makes the other
 * functions of these shaders exact, too, because invariant outputs may be computed from their
 * results.
 */
#include "glsl/hir.h"

/* Passes over a function before all its variables are considered precise. */
#define MAX_PASSES 16

struct precise {
    bool all; /* mark every assigned variable */
    bool changed;
};

static void mark_list(struct precise *p, const struct list_head *list);

/* Inputs, uniforms and buffers have no operations that precise could affect. */
static bool is_computed(const struct hir_variable *var)
{
    switch (var->mode) {
    case HIR_VAR_AUTO:
    case HIR_VAR_GLOBAL:
    case HIR_VAR_TEMPORARY:
    case HIR_VAR_SHARED:
    case HIR_VAR_SHADER_OUT:
    case HIR_VAR_FUNCTION_IN:
    case HIR_VAR_FUNCTION_OUT:
    case HIR_VAR_FUNCTION_INOUT:
        return true;
    default:
        return false;
    }
}

static void mark_value(struct precise *p, const struct hir_value *v)
{
    if (!v)
        return;
    switch (v->node.kind) {
    case HIR_EXPRESSION: {
        const struct hir_expression *e = (const struct hir_expression *)v;
        for (unsigned i = 0; i < e->num_operands; i++)
            mark_value(p, e->operands[i]);
        break;
    }
    case HIR_SWIZZLE:
        mark_value(p, ((const struct hir_swizzle *)v)->value);
        break;
    case HIR_DEREF_ARRAY:
        mark_value(p, ((const struct hir_deref_array *)v)->value);
        break;
    case HIR_DEREF_RECORD:
        mark_value(p, ((const struct hir_deref_record *)v)->value);
        break;
    case HIR_DEREF_VARIABLE: {
        struct hir_variable *var = ((const struct hir_deref_variable *)v)->var;
        if (!var->precise && is_computed(var))
            var->precise = p->changed = true;
        break;
    }
    default:
        break;
    }
}

static void mark_node(struct precise *p, struct hir_node *node)
{
    if (node->kind == HIR_ASSIGN) {
        struct hir_assign *a = (struct hir_assign *)node;
        struct hir_variable *var = hir_variable_referenced(a->lhs);
        if (var && p->all)
            var->precise = true;
        if (var && var->precise)
            mark_value(p, a->rhs);
    } else if (node->kind == HIR_IF) {
        mark_list(p, &((struct hir_if *)node)->else_list);
        mark_list(p, &((struct hir_if *)node)->then_list);
    } else if (node->kind == HIR_LOOP) {
        mark_list(p, &((struct hir_loop *)node)->continue_list);
        mark_list(p, &((struct hir_loop *)node)->body);
    }
}

/* Walks backward, so that chains of assignments need a single pass. */
static void mark_list(struct precise *p, const struct list_head *list)
{
    for (struct list_head *at = list->prev; at != list; at = at->prev)
        mark_node(p, container_of(at, struct hir_node, link));
}

static void mark_function(const struct list_head *body)
{
    struct precise p = {0};
    unsigned passes = 0;
    do {
        p.changed = false;
        p.all = passes++ == MAX_PASSES;
        mark_list(&p, body);
    } while (p.changed && !p.all);
}

void hir_mark_precise(struct hir_shader *sh)
{
    if (!sh->has_precise && !sh->invariant_all)
        return;
    list_for_each_entry (struct hir_node, node, &sh->instructions, link) {
        struct hir_variable *var = (struct hir_variable *)node;
        if (node->kind == HIR_VARIABLE && var->mode == HIR_VAR_SHADER_OUT &&
            (var->invariant || sh->invariant_all))
            var->precise = true;
    }
    mark_function(&sh->instructions);
    list_for_each_entry (struct hir_function, f, &sh->functions, link) {
        list_for_each_entry (struct hir_signature, sig, &f->signatures, link)
            mark_function(&sig->body);
    }
}
