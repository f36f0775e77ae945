/* SPDX-License-Identifier: MIT */
/*
 * Subroutines (GLSL 4.60 §6.1.2). `subroutine T name(…);` declares a type. `subroutine(name)` makes
 * a function compatible with it. `subroutine uniform name u;` declares a variable that selects one
 * of the functions and is called by its name.
 */
#include "glsl/ast_layout.h"

#define MAX_INDEX 256 /* required minimum of GL_MAX_SUBROUTINES */

struct hir_subroutine_type *find_subroutine(const struct ast_state *st,
                                            const struct glsl_type *type)
{
    list_for_each_entry (struct hir_subroutine_type, t, &st->sh->subroutine_types, link)
        if (glsl_type_equal(t->type, type))
            return t;
    return NULL;
}

void declare_subroutine_type(struct ast_state *st, struct ast_node *n, struct hir_signature *sig)
{
    bool taken = symbol_in_scope(st, n->name) ||
                 hash_table_get(st->sh->function_table, n->name->text) != NULL;
    if (n->body) {
        glsl_error(st->c, n->loc, "a subroutine function must name its subroutine types");
        return;
    }
    if (n->qualifier.layout)
        glsl_error(st->c, n->loc, "layout qualifiers are not allowed on subroutine types");
    if (taken) {
        glsl_error(st->c, n->loc, "\"%s\" is already declared", n->name->text);
        return;
    }
    struct hir_function *f = hir_alloc(st->sh, sizeof *f);
    f->name = atom_name(st, n->name);
    list_init(&f->signatures);
    list_addtail(&sig->link, &f->signatures);
    sig->function = f;
    struct hir_subroutine_type *t = hir_alloc(st->sh, sizeof *t);
    t->type = glsl_subroutine_type(st->sh, n->name->text);
    t->prototype = sig;
    list_addtail(&t->link, &st->sh->subroutine_types);
    symbol_add(st, n->name, SYMBOL_TYPE)->type = t->type;
}

/* GLSL 4.60 §6.1.2: arguments and return type must match exactly. */
static bool same_signature(const struct hir_signature *a, const struct hir_signature *b)
{
    if (a->num_params != b->num_params || !glsl_type_equal(a->return_type, b->return_type))
        return false;
    for (unsigned i = 0; i < a->num_params; i++)
        if (!glsl_type_equal(a->params[i]->type, b->params[i]->type) ||
            a->params[i]->mode != b->params[i]->mode)
            return false;
    return true;
}

static void take_index(struct ast_state *st, const struct ast_node *n, struct hir_signature *sig)
{
    struct layout l;
    layout_read(st, &n->qualifier, LAYOUT_OF_SUBROUTINE, &l);
    unsigned most = st->c->options->limits.max_subroutines;
    if (!layout_has(&l, LAYOUT_INDEX))
        return;
    unsigned index = l.value[LAYOUT_INDEX];
    if (index >= (most ? most : MAX_INDEX)) {
        glsl_error(st->c, l.loc[LAYOUT_INDEX], "subroutine index %u is out of range", index);
        return;
    }
    list_for_each_entry (struct hir_function, f, &st->sh->functions, link) {
        list_for_each_entry (struct hir_signature, other, &f->signatures, link)
            if (other != sig && other->num_subroutine_types &&
                other->subroutine_index == (int)index)
                glsl_error(st->c, l.loc[LAYOUT_INDEX], "subroutine index %u is already used",
                           index);
    }
    sig->subroutine_index = index;
}

void apply_subroutine_types(struct ast_state *st, struct ast_node *n, struct hir_signature *sig)
{
    const struct ast_qualifier *q = &n->qualifier;
    sig->subroutine_index = -1;
    if (!n->body) {
        glsl_error(st->c, n->loc, "a function with subroutine types must have a body");
        return;
    }
    sig->subroutine_types = hir_alloc(st->sh, q->num_subroutines * sizeof *sig->subroutine_types);
    for (unsigned i = 0; i < q->num_subroutines; i++) {
        const struct glsl_type *type = find_type(q->subroutines[i]);
        struct hir_subroutine_type *t = type ? find_subroutine(st, type) : NULL;
        if (!t)
            glsl_error(st->c, q->loc, "\"%s\" is not a subroutine type", q->subroutines[i]->text);
        else if (!same_signature(t->prototype, sig))
            glsl_error(st->c, n->loc, "function \"%s\" does not match subroutine type %s",
                       n->name->text, type->name);
        else
            sig->subroutine_types[sig->num_subroutine_types++] = t;
    }
    take_index(st, n, sig);
}

void check_subroutine_variable(struct ast_state *st, const struct hir_variable *var,
                               const struct ast_qualifier *q, struct glsl_loc loc)
{
    bool is_type = glsl_without_array(var->type)->base_type == GLSL_TYPE_SUBROUTINE;
    bool qualified = q->flags & AST_SUBROUTINE;
    if (!is_type && !qualified)
        return;
    if (q->num_subroutines)
        glsl_error(st->c, loc, "subroutine types in parentheses are only allowed on functions");
    else if (!is_type)
        glsl_error(st->c, loc,
                   "\"%s\" is declared as subroutine, but does not have a subroutine type",
                   var->name);
    else if (!qualified || !(q->flags & AST_UNIFORM) || st->sig)
        glsl_error(st->c, loc, "\"%s\" must be a subroutine uniform", var->name);
}
