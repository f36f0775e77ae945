/* SPDX-License-Identifier: MIT */
/*
 * Scopes. A name (atom) points to its innermost declaration, so a lookup needs no search. Leaving a
 * scope removes its declarations from the names.
 */
#include "glsl/ast_to_hir.h"

void scope_push(struct ast_state *st)
{
    struct glsl_scope *scope = glsl_alloc(st->c, sizeof *scope);
    scope->outer = st->scope;
    scope->level = st->scope ? st->scope->level + 1 : 0;
    st->scope = scope;
}

/* The size of a local unsized array is determined by its indices (GLSL 4.60 §4.1.9). */
static void size_local(struct ast_state *st, struct hir_variable *var)
{
    if (var->mode != HIR_VAR_AUTO || !glsl_type_is_unsized_array(var->type))
        return;
    var->type = glsl_array_type(st->sh, var->type->element, MAX2(var->max_array_access + 1, 1), 0);
    var->implicit_sized = false;
}

void scope_pop(struct ast_state *st)
{
    for (struct glsl_symbol *s = st->scope->symbols; s; s = s->next_in_scope) {
        s->atom->symbol = s->shadowed;
        if (s->kind == SYMBOL_VARIABLE)
            size_local(st, s->var);
    }
    st->scope = st->scope->outer;
}

const char *atom_name(struct ast_state *st, struct glsl_atom *atom)
{
    if (!atom->hir_name)
        atom->hir_name = hir_strdup(st->sh, atom->text);
    return atom->hir_name;
}

struct glsl_symbol *symbol_add(struct ast_state *st, struct glsl_atom *atom, enum symbol_kind kind)
{
    struct glsl_symbol *s = glsl_alloc(st->c, sizeof *s);
    *s = (struct glsl_symbol){.kind = kind,
                              .level = st->scope->level,
                              .atom = atom,
                              .shadowed = atom->symbol,
                              .next_in_scope = st->scope->symbols};
    atom->symbol = s;
    st->scope->symbols = s;
    return s;
}

struct glsl_symbol *symbol_in_scope(const struct ast_state *st, const struct glsl_atom *atom)
{
    return atom->symbol && atom->symbol->level == st->scope->level ? atom->symbol : NULL;
}

static void suggest(void *data, const char *name)
{
    glsl_suggest(data, name);
}

const char *suggest_symbol(struct ast_state *st, const char *wrong, unsigned kinds)
{
    struct glsl_suggestion s = {.wrong = wrong};
    for (const struct glsl_scope *scope = st->scope; scope; scope = scope->outer)
        for (const struct glsl_symbol *symbol = scope->symbols; symbol;
             symbol = symbol->next_in_scope)
            if (kinds >> symbol->kind & 1)
                suggest(&s, symbol->atom->text);
    if (kinds >> SYMBOL_FUNCTION & 1)
        glsl_builtin_function_names(&st->env, suggest, &s);
    if (kinds >> SYMBOL_TYPE & 1)
        glsl_suggest_types(st->c, &s);
    return glsl_suggestion_text(st->c, &s);
}

bool check_declarable(struct ast_state *st, const struct glsl_atom *atom, struct glsl_loc loc)
{
    if (!strncmp(atom->text, "gl_", 3)) {
        glsl_error(st->c, loc, "identifier \"%s\" uses the reserved prefix \"gl_\"", atom->text);
        return false;
    }
    /* GLSL 4.60 §3.7 reserves these identifiers, but using them is not an error. */
    if (strstr(atom->text, "__"))
        glsl_warning(st->c, loc, "identifier \"%s\" contains the reserved string \"__\"",
                     atom->text);
    if (st->c->es && st->c->version >= 300 && atom->length > 1024)
        glsl_error(st->c, loc, "identifier is longer than 1024 characters"); /* ESSL 3.00 §3.9 */
    return true;
}

static void add_variable(void *data, struct hir_variable *var)
{
    struct ast_state *st = data;
    struct glsl_atom *atom = glsl_atom_get(st->c, var->name, strlen(var->name));
    atom->hir_name = var->name;
    symbol_add(st, atom, SYMBOL_VARIABLE)->var = var;
}

static void add_type(void *data, const char *name, const struct glsl_type *type)
{
    struct ast_state *st = data;
    symbol_add(st, glsl_atom_get(st->c, name, strlen(name)), SYMBOL_TYPE)->type = type;
}

/* The whole shader has been tokenized, so built-ins whose names do not occur need no
 * declaration. */
static bool is_mentioned(void *data, const char *name)
{
    struct ast_state *st = data;
    return glsl_atom_find(st->c, name, strlen(name));
}

void declare_builtins(struct ast_state *st)
{
    struct glsl_builtin_sink sink = {is_mentioned, add_variable, add_type, st};
    glsl_builtin_variables(st->sh, &st->env, &sink);
}

void use_variable(struct ast_state *st, struct hir_variable *var)
{
    var->used = true;
    if (var->builtin && !var->node.link.next)
        list_add(&var->node.link, &st->sh->instructions);
}
