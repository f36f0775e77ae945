/* SPDX-License-Identifier: MIT */
/* Function prototypes and definitions (GLSL 4.60 §6.1). */
#include "glsl/ast_to_hir.h"

#include "util/check.h"

#define MAX_PARAMS 1024

static enum hir_variable_mode param_mode(const struct ast_qualifier *q)
{
    if ((q->flags & AST_IN) && (q->flags & AST_OUT))
        return HIR_VAR_FUNCTION_INOUT;
    if (q->flags & AST_OUT)
        return HIR_VAR_FUNCTION_OUT;
    return q->flags & AST_CONST ? HIR_VAR_CONST_IN : HIR_VAR_FUNCTION_IN;
}

static struct hir_variable *make_param(struct ast_state *st, const struct ast_param *p)
{
    const struct ast_qualifier *q = &p->qualifier;
    const struct glsl_type *type = ast_resolve_type(st, p->type, &p->dims);
    if (q->flags & ~(AST_CONST | AST_IN | AST_OUT | AST_PRECISE | AST_MEMORY) || q->layout)
        glsl_error(st->c, p->loc, "qualifier not allowed on a parameter");
    if (p->type->structure)
        glsl_error(st->c, p->loc, "a struct cannot be defined in a parameter list");
    if (glsl_type_is_void(type)) {
        glsl_error(st->c, p->loc, "a parameter cannot be void");
        type = glsl_error_type();
    }
    if (lacks_size(type)) {
        glsl_error(st->c, p->loc, "an array parameter must have a size");
        type = glsl_error_type();
    }
    if (q->flags & AST_MEMORY && !glsl_type_is_image(glsl_without_array(type)))
        glsl_error(st->c, p->loc, "memory qualifiers are only allowed on image parameters");
    if (glsl_type_contains(type, GLSL_TYPE_SUBROUTINE))
        glsl_error(st->c, p->loc, "parameters cannot be subroutines");
    if ((q->flags & AST_OUT) && type_is_no_value(st, type))
        glsl_error(st->c, p->loc, "parameters of type %s cannot be \"out\" or \"inout\"",
                   type->name);
    if ((q->flags & AST_OUT) && glsl_type_is_array(type) && !st_has(st, 120, 100))
        glsl_error(st->c, p->loc, "array \"out\" parameters require GLSL 1.20");
    if ((q->flags & AST_CONST) && (q->flags & AST_OUT))
        glsl_error(st->c, p->loc, "const parameters cannot be \"out\" or \"inout\"");
    if (p->name)
        check_declarable(st, p->name, p->loc);
    struct hir_variable *var =
        hir_variable_create(st->sh, type, p->name ? p->name->text : "", param_mode(q));
    var->node.loc = p->loc;
    var->read_only = q->flags & AST_CONST;
    var->precise = q->flags & AST_PRECISE;
    st->sh->has_precise |= var->precise;
    var->access = qualifier_access(q);
    var->precision = resolve_precision(st, q, type, p->loc);
    return var;
}

static struct hir_signature *make_signature(struct ast_state *st, struct ast_node *n)
{
    struct hir_signature *sig = hir_alloc(st->sh, sizeof *sig);
    list_init(&sig->body);
    sig->loc = n->loc;
    sig->return_type = ast_resolve_type(st, n->type, NULL);
    bool subroutine = n->qualifier.flags & AST_SUBROUTINE;
    if (n->qualifier.flags & ~(AST_PRECISE | AST_SUBROUTINE) ||
        (n->qualifier.layout && !subroutine))
        glsl_error(st->c, n->loc, "qualifier not allowed on a function's return type");
    if (n->type->structure)
        glsl_error(st->c, n->loc, "a struct cannot be defined in a function's return type");
    if (lacks_size(sig->return_type))
        glsl_error(st->c, n->loc, "an array return type must have a size");
    if (!array_is_value(st, sig->return_type))
        glsl_error(st->c, n->loc, "functions that return arrays require GLSL 1.20 or GLSL ES 3.00");
    if (type_is_no_value(st, sig->return_type) ||
        glsl_type_contains(sig->return_type, GLSL_TYPE_SUBROUTINE))
        glsl_error(st->c, n->loc, "functions cannot return values of type %s",
                   sig->return_type->name);
    sig->return_precision = resolve_precision(st, &n->qualifier, sig->return_type, n->loc);
    unsigned count = 0;
    for (struct ast_param *p = n->params; p; p = p->next)
        count++;
    if (count > MAX_PARAMS)
        glsl_fatal(st->c, n->loc, "too many parameters");
    sig->params = hir_alloc(st->sh, MAX2(count, 1) * sizeof *sig->params);
    for (struct ast_param *p = n->params; p; p = p->next)
        NEXT_WITHIN(sig->params, sig->num_params, count) = make_param(st, p);
    return sig;
}

static bool same_params(const struct hir_signature *a, const struct hir_signature *b)
{
    if (a->num_params != b->num_params)
        return false;
    for (unsigned i = 0; i < a->num_params; i++)
        if (!glsl_type_equal(a->params[i]->type, b->params[i]->type))
            return false;
    return true;
}

static void check_main(struct ast_state *st, const struct hir_signature *sig)
{
    if (!glsl_type_is_void(sig->return_type))
        glsl_error(st->c, sig->loc, "main() must return void");
    if (sig->num_params)
        glsl_error(st->c, sig->loc, "main() must not take any parameters");
}

/* Callback for built-in overloads: sets *data to NULL if the signature collides with one. */
static void builtin_collision(void *data, const struct glsl_type *return_type,
                              const struct glsl_type *const *params,
                              const enum hir_variable_mode *modes, unsigned count, unsigned id)
{
    struct hir_signature *sig = *(struct hir_signature **)data;
    if (!sig || sig->num_params != count)
        return;
    for (unsigned i = 0; i < count; i++)
        if (!glsl_type_equal(sig->params[i]->type, params[i]))
            return;
    *(struct hir_signature **)data = NULL;
}

static void check_builtin(struct ast_state *st, struct ast_node *n, struct hir_signature *sig)
{
    if (!st->c->es)
        return;
    if (st->c->version >= 300) { /* ESSL 3.00 §6.1 */
        if (glsl_builtin_function_exists(&st->env, n->name->text))
            glsl_error(st->c, n->loc, "built-in function \"%s\" cannot be redeclared",
                       n->name->text);
        return;
    }
    struct hir_signature *probe = sig; /* ESSL 1.00 §6.1: may be overloaded, but not redefined */
    glsl_builtin_signatures(&st->env, n->name->text, builtin_collision, &probe);
    if (!probe)
        glsl_error(st->c, n->loc, "built-in function \"%s\" cannot be redefined", n->name->text);
}

/* Returns the function with this name and creates it if necessary; NULL if the name is taken. */
static struct hir_function *find_function(struct ast_state *st, struct ast_node *n)
{
    struct hir_function *f = hash_table_get(st->sh->function_table, n->name->text);
    if (f)
        return f;
    struct glsl_symbol *old = n->name->symbol;
    bool apart = !st->c->es && st->c->version == 110; /* GLSL 1.10 §4.2 */
    if (old && old->level == 1 && !(apart && old->kind == SYMBOL_VARIABLE)) {
        glsl_error(st->c, n->loc, "\"%s\" is already declared", n->name->text);
        return NULL;
    }
    f = hir_alloc(st->sh, sizeof *f);
    f->name = atom_name(st, n->name);
    list_init(&f->signatures);
    list_addtail(&f->link, &st->sh->functions);
    hash_table_insert(st->sh->function_table, f->name, f);
    if (!apart)
        symbol_add(st, n->name, SYMBOL_FUNCTION)->function = f;
    return f;
}

static void check_redeclaration(struct ast_state *st, const struct hir_signature *old,
                                const struct hir_signature *sig, bool defines)
{
    if (!glsl_type_equal(old->return_type, sig->return_type))
        glsl_error(st->c, sig->loc, "function \"%s\" was declared with a different return type",
                   old->function->name);
    for (unsigned i = 0; i < sig->num_params; i++) {
        if (old->params[i]->mode != sig->params[i]->mode ||
            old->params[i]->access != sig->params[i]->access) {
            glsl_error(st->c, sig->params[i]->node.loc,
                       "parameter %u was declared with different qualifiers", i + 1);
            break;
        }
    }
    if (st->c->es && old->return_precision != sig->return_precision)
        glsl_error(st->c, sig->loc, "function \"%s\" was declared with a different precision",
                   old->function->name);
    if (!defines && st->c->es && st->c->version == 100) /* ESSL 1.00 §4.2.7 */
        glsl_error(st->c, sig->loc, "function \"%s\" is already declared", old->function->name);
    if (defines && old->defined)
        glsl_error(st->c, sig->loc, "function \"%s\" is already defined", old->function->name);
}

/* Adds the signature, or finds the one declared earlier. Returns NULL after an error. */
static struct hir_signature *declare(struct ast_state *st, struct ast_node *n,
                                     struct hir_signature *sig)
{
    struct hir_function *f = find_function(st, n);
    if (!f)
        return NULL;
    list_for_each_entry (struct hir_signature, old, &f->signatures, link) {
        if (!same_params(old, sig))
            continue;
        check_redeclaration(st, old, sig, n->body != NULL);
        if (n->body && !old->defined) {
            /* The parameter names and qualifiers of the definition are used. */
            old->params = sig->params;
            old->loc = sig->loc;
        }
        return old;
    }
    bool subroutine = n->qualifier.num_subroutines != 0;
    list_for_each_entry (struct hir_signature, other, &f->signatures, link)
        subroutine |= other->num_subroutine_types != 0;
    if (subroutine && !list_is_empty(&f->signatures)) /* GLSL 4.60 §6.1.2 */
        glsl_error(st->c, sig->loc, "function \"%s\" with subroutine types cannot be overloaded",
                   f->name);
    sig->function = f;
    list_addtail(&sig->link, &f->signatures);
    return sig;
}

static void define(struct ast_state *st, struct ast_node *n, struct hir_signature *sig)
{
    struct list_head *outer = st->list;
    scope_push(st);
    unsigned i = 0;
    for (struct ast_param *p = n->params; p; p = p->next, i++) {
        if (!p->name) {
            glsl_error(st->c, p->loc, "a parameter of a function definition must have a name");
            continue;
        }
        if (symbol_in_scope(st, p->name))
            glsl_error(st->c, p->loc, "parameter \"%s\" is already declared", p->name->text);
        else
            symbol_add(st, p->name, SYMBOL_VARIABLE)->var = sig->params[i];
    }
    sig->defined = true;
    st->sig = sig;
    st->has_return = st->returned = false;
    st->list = &sig->body;
    ast_statements(st, n->body->body);
    if (!st->has_return && !glsl_type_is_void(sig->return_type) &&
        !glsl_type_is_error(sig->return_type))
        glsl_error(st->c, n->loc, "function \"%s\" of type %s has no return statement",
                   n->name->text, sig->return_type->name);
    if (st->interlock_begins > st->interlock_ends) {
        glsl_error(st->c, st->interlock_loc, "the critical section that begins here has no end");
        st->interlock_begins = st->interlock_ends;
    }
    st->list = outer;
    st->sig = NULL;
    scope_pop(st);
}

/* GLSL 1.10: a prototype inside a function declares the function for the whole shader. */
static void declare_global(struct ast_state *st, struct ast_node *n, struct hir_signature *sig)
{
    struct glsl_scope *scope = st->scope;
    while (st->scope->level > 1)
        st->scope = st->scope->outer;
    declare(st, n, sig);
    st->scope = scope;
}

void ast_function(struct ast_state *st, struct ast_node *n)
{
    bool local = st->sig != NULL;
    if (local && (n->body || st_has(st, 120, 100))) {
        if (!n->body)
            glsl_error(st->c, n->loc, "functions cannot be declared inside functions");
        return;
    }
    check_declarable(st, n->name, n->loc);
    struct hir_signature *sig = make_signature(st, n);
    if (n->qualifier.flags & AST_SUBROUTINE && !n->qualifier.num_subroutines && !local) {
        declare_subroutine_type(st, n, sig);
        return;
    }
    if (!strcmp(n->name->text, "main"))
        check_main(st, sig);
    check_builtin(st, n, sig);
    if (local) {
        declare_global(st, n, sig);
        return;
    }
    struct hir_signature *declared = declare(st, n, sig);
    if (n->qualifier.num_subroutines)
        apply_subroutine_types(st, n, declared ? declared : sig);
    if (!n->body)
        return;
    /* The body is checked even if it cannot belong to the function. */
    define(st, n, !declared || declared->defined ? sig : declared);
}
