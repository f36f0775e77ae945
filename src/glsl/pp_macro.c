/* SPDX-License-Identifier: MIT */
/*
 * Macros: definition and expansion as in C. A macro is not expanded within its own expansion; such
 * names are marked and never expanded later. Arguments are expanded in isolation before
 * substitution, unless they are operands of ##.
 */
#include "glsl/pp.h"

#include <stdio.h>

void pp_append(struct pp *pp, struct pp_tokens *list, struct glsl_token token)
{
    glsl_grow(pp->c, (void **)&list->data, &list->capacity, list->count, sizeof *list->data);
    list->data[list->count++] = token;
}

/* ---------------------------------------------------------------------------- definition --- */

static bool check_macro_name(struct pp *pp, const struct glsl_token *name, const char *what)
{
    if (name->kind != TOK_IDENT) {
        glsl_error(pp->c, name->loc, "%s without macro name", what);
        return false;
    }
    const char *text = name->atom->text;
    if (!strcmp(text, "defined")) {
        glsl_error(pp->c, name->loc, "\"defined\" cannot be used as a macro name");
        return false;
    }
    if (!strncmp(text, "GL_", 3)) {
        glsl_error(pp->c, name->loc, "macro names starting with \"GL_\" are reserved");
        return false;
    }
    const struct pp_macro *old = name->atom->macro;
    /* Desktop GLSL only reserves names that contain "__". */
    if (old && (pp->c->es ? old->kind != PP_MACRO_USER : old->kind == PP_MACRO_VALUE)) {
        glsl_error(pp->c, name->loc, "built-in macro \"%s\" cannot be redefined", text);
        return false;
    }
    if (strstr(text, "__")) /* allowed by ESSL 3.00 §3.4, and common elsewhere */
        glsl_warning(pp->c, name->loc, "macro names containing \"__\" are reserved");
    return true;
}

/* Parses the parameter list "a, b)" starting at line[*i]. */
static bool parse_params(struct pp *pp, struct pp_macro *m, const struct glsl_token *line,
                         unsigned count, unsigned *i, struct glsl_loc loc)
{
    unsigned capacity = 0;
    if (*i < count && line[*i].kind == TOK_RPAREN) {
        (*i)++;
        return true;
    }
    for (;;) {
        if (*i >= count || line[*i].kind != TOK_IDENT) {
            glsl_error(pp->c, *i < count ? line[*i].loc : loc,
                       "expected a parameter name in the macro definition");
            return false;
        }
        struct glsl_atom *param = line[*i].atom;
        if (param->param) {
            glsl_error(pp->c, line[*i].loc, "duplicate macro parameter \"%s\"", param->text);
            return false;
        }
        if (m->num_params == PP_MAX_PARAMS) {
            glsl_error(pp->c, line[*i].loc, "too many macro parameters");
            return false;
        }
        glsl_grow(pp->c, (void **)&m->params, &capacity, m->num_params, sizeof *m->params);
        m->params[m->num_params++] = param;
        param->param = m->num_params;
        (*i)++;
        if (*i < count && line[*i].kind == TOK_RPAREN) {
            (*i)++;
            return true;
        }
        if (*i >= count || line[*i].kind != TOK_COMMA) {
            glsl_error(pp->c, *i < count ? line[*i].loc : loc,
                       "expected ',' or ')' in the macro parameter list");
            return false;
        }
        (*i)++;
    }
}

static bool same_spelling(const struct glsl_token *a, const struct glsl_token *b)
{
    if (a->kind != b->kind || a->length != b->length)
        return false;
    return a->kind == TOK_IDENT ? a->atom == b->atom : !memcmp(a->text, b->text, a->length);
}

/* Returns whether two macros have the same parameters and bodies, including the positions of white
 * space. */
static bool same_macro(const struct pp_macro *a, const struct pp_macro *b)
{
    if (a->is_function != b->is_function || a->num_params != b->num_params ||
        a->body_length != b->body_length)
        return false;
    for (unsigned i = 0; i < a->num_params; i++)
        if (a->params[i] != b->params[i])
            return false;
    for (unsigned i = 0; i < a->body_length; i++) {
        const struct glsl_token *x = &a->body[i], *y = &b->body[i];
        if (!same_spelling(x, y) || (i && ((x->flags ^ y->flags) & TOKEN_SPACE_BEFORE)))
            return false;
    }
    return true;
}

static void mark_params(struct pp_macro *m)
{
    for (unsigned i = 0; i < m->body_length && m->num_params; i++)
        if (m->body[i].kind == TOK_IDENT)
            m->body[i].param = m->body[i].atom->param;
}

static void forget_params(struct pp_macro *m)
{
    for (unsigned i = 0; i < m->num_params; i++)
        m->params[i]->param = 0;
}

static bool check_operators(struct pp *pp, const struct pp_macro *m)
{
    for (unsigned i = 0; i < m->body_length; i++) {
        if (m->body[i].kind == TOK_HASH && m->is_function) {
            glsl_error(pp->c, m->body[i].loc,
                       "the stringification operator (#) is not supported in GLSL");
            return false;
        }
        if (m->body[i].kind != TOK_PASTE)
            continue;
        if (pp->c->es) { /* ESSL 1.00 §3.4, 3.00 §3.4: no # and ## operators */
            glsl_error(pp->c, m->body[i].loc,
                       "the token pasting operator (##) is not supported in GLSL ES");
            return false;
        }
        if (i == 0 || i + 1 == m->body_length) {
            glsl_error(pp->c, m->body[i].loc,
                       "'##' cannot appear at either end of a macro expansion");
            return false;
        }
    }
    return true;
}

/* Parses the rest of a definition after the name: parameters and body. */
static bool define_macro(struct pp *pp, struct pp_macro *m, const struct glsl_token *line,
                         unsigned count, struct glsl_loc loc)
{
    unsigned i = 1;
    if (i < count && line[i].kind == TOK_LPAREN && !(line[i].flags & TOKEN_SPACE_BEFORE)) {
        m->is_function = true;
        i++;
        if (!parse_params(pp, m, line, count, &i, loc))
            return false;
    }
    m->body_length = count - i;
    m->body = glsl_alloc(pp->c, (m->body_length + 1) * sizeof *m->body);
    memcpy(m->body, line + i, m->body_length * sizeof *m->body);
    mark_params(m);
    return check_operators(pp, m);
}

void pp_define(struct pp *pp, const struct glsl_token *line, unsigned count, struct glsl_loc loc)
{
    struct glsl_token none = {.kind = TOK_NEWLINE, .loc = loc};
    if (!check_macro_name(pp, count ? &line[0] : &none, "#define"))
        return;
    struct pp_macro *m = glsl_alloc(pp->c, sizeof *m);
    m->name = line[0].atom;
    bool ok = define_macro(pp, m, line, count, loc);
    forget_params(m);
    if (!ok)
        return;
    const struct pp_macro *old = m->name->macro;
    if (old && old->kind == PP_MACRO_USER && !same_macro(old, m)) {
        glsl_error(pp->c, line[0].loc, "redefinition of macro \"%s\"", m->name->text);
        return;
    }
    m->name->macro = m;
}

void pp_predefine_atom(struct pp *pp, struct glsl_atom *name, enum pp_macro_kind kind,
                       unsigned value)
{
    struct pp_macro *m = glsl_alloc(pp->c, sizeof *m);
    m->name = name;
    m->kind = kind;
    m->value = value;
    name->macro = m;
}

void pp_predefine(struct pp *pp, const char *name, enum pp_macro_kind kind, unsigned value)
{
    pp_predefine_atom(pp, glsl_atom_get(pp->c, name, strlen(name)), kind, value);
}

/* ----------------------------------------------------------------------------- expansion --- */

static void push_context(struct pp *pp, const struct glsl_token *tokens, unsigned count,
                         struct pp_macro *macro, bool barrier)
{
    struct pp_context *ctx = glsl_alloc(pp->c, sizeof *ctx);
    *ctx = (struct pp_context){pp->contexts, tokens, 0, count, macro, barrier};
    pp->contexts = ctx;
    if (macro)
        macro->active = true;
}

static void pop_context(struct pp *pp)
{
    if (pp->contexts->macro)
        pp->contexts->macro->active = false;
    pp->contexts = pp->contexts->below;
}

/* Returns the next token before expansion. */
static struct glsl_token next_unexpanded(struct pp *pp)
{
    while (pp->contexts) {
        struct pp_context *ctx = pp->contexts;
        if (ctx->position < ctx->count)
            return ctx->tokens[ctx->position++];
        if (ctx->barrier)
            return (struct glsl_token){.kind = TOK_EOF, .text = ""};
        pop_context(pp);
    }
    return pp_next_text(pp);
}

/* Consumes a '(' if it is the next token, skipping newlines. */
static bool accept_paren(struct pp *pp)
{
    struct glsl_token t;
    do {
        t = next_unexpanded(pp);
    } while (t.kind == TOK_NEWLINE);
    if (t.kind == TOK_LPAREN)
        return true;
    if (t.kind != TOK_EOF) {
        struct glsl_token *back = glsl_alloc(pp->c, sizeof *back);
        *back = t;
        push_context(pp, back, 1, NULL, false);
    }
    return false;
}

struct pp_args {
    struct pp_tokens *raw, *expanded; /* expanded: data is NULL until it is needed */
    bool *is_expanded;
    unsigned count;
};

/* Collects arguments up to the closing parenthesis. */
static bool collect_args(struct pp *pp, const struct pp_macro *m, struct glsl_loc loc,
                         struct pp_args *args)
{
    unsigned most = MAX2(m->num_params, 1), depth = 0, n = 0;
    args->raw = glsl_alloc(pp->c, most * sizeof *args->raw);
    args->expanded = glsl_alloc(pp->c, most * sizeof *args->expanded);
    args->is_expanded = glsl_alloc(pp->c, most);
    bool space = false;
    for (;;) {
        struct glsl_token t = next_unexpanded(pp);
        if (t.kind == TOK_EOF) {
            glsl_error(pp->c, loc, "unterminated argument list of macro \"%s\"", m->name->text);
            return false;
        }
        if (t.kind == TOK_NEWLINE) {
            space = true;
            continue;
        }
        if (t.kind == TOK_RPAREN && depth == 0)
            break;
        if (t.kind == TOK_COMMA && depth == 0) {
            n++;
            continue;
        }
        depth += t.kind == TOK_LPAREN;
        depth -= t.kind == TOK_RPAREN;
        /* The expansion that the token belongs to may end before the arguments do. */
        if (t.kind == TOK_IDENT && t.atom->macro && t.atom->macro->active)
            t.flags |= TOKEN_NO_EXPAND;
        if (space)
            t.flags |= TOKEN_SPACE_BEFORE;
        space = false;
        if (n < most)
            pp_append(pp, &args->raw[n], t);
    }
    args->count = n + 1;
    if (m->num_params == 0 && n == 0 && args->raw[0].count == 0)
        return true;
    if (args->count != m->num_params) {
        glsl_error(pp->c, loc, "macro \"%s\" takes %u arguments, but %u were given", m->name->text,
                   m->num_params, args->count);
        return false;
    }
    return true;
}

void pp_expand_list(struct pp *pp, const struct glsl_token *tokens, unsigned count,
                    struct pp_tokens *out)
{
    if (++pp->nesting > PP_MAX_NESTING)
        glsl_fatal(pp->c, count ? tokens[0].loc : (struct glsl_loc){0},
                   "macro invocations are nested too deeply");
    push_context(pp, tokens, count, NULL, true);
    struct pp_context *barrier = pp->contexts;
    for (;;) {
        struct glsl_token t = pp_next(pp);
        if (t.kind == TOK_EOF)
            break;
        pp_append(pp, out, t);
    }
    while (pp->contexts != barrier)
        pop_context(pp);
    pop_context(pp);
    pp->nesting--;
}

static const struct pp_tokens *expanded_arg(struct pp *pp, struct pp_args *args, unsigned i)
{
    if (!args->is_expanded[i]) {
        args->is_expanded[i] = true;
        pp_expand_list(pp, args->raw[i].data, args->raw[i].count, &args->expanded[i]);
    }
    return &args->expanded[i];
}

static const char *spelling(const struct glsl_token *t)
{
    return t->kind == TOK_IDENT ? t->atom->text : t->text;
}

/* Replaces the last token of the list by the result of pasting t to it. */
static void paste(struct pp *pp, struct pp_tokens *list, const struct glsl_token *t,
                  struct glsl_loc loc)
{
    struct glsl_token *last = &list->data[list->count - 1];
    size_t length = (size_t)last->length + t->length;
    char *text = glsl_alloc(pp->c, length + 2);
    memcpy(text, spelling(last), last->length);
    memcpy(text + last->length, spelling(t), t->length);
    struct glsl_token joined;
    if (length > 1u << 16 || !pp_lex_string(pp, text, length, &joined)) {
        glsl_error(pp->c, loc, "pasting \"%.100s\" does not give a valid preprocessing token",
                   text);
        return;
    }
    joined.flags = last->flags & TOKEN_SPACE_BEFORE;
    joined.loc = loc;
    *last = joined;
}

/* Appends tokens. If paste_first, the first is pasted to the last token of the list. */
static void substitute(struct pp *pp, struct pp_tokens *list, const struct glsl_token *tokens,
                       unsigned count, bool paste_first, uint8_t space, struct glsl_loc loc)
{
    if (pp->expanded + count > PP_MAX_EXPANDED)
        glsl_fatal(pp->c, loc, "macro expansion produces too many tokens");
    pp->expanded += count;
    for (unsigned i = 0; i < count; i++) {
        struct glsl_token t = tokens[i];
        if (i == 0)
            t.flags = (t.flags & ~TOKEN_SPACE_BEFORE) | space;
        t.flags &= ~TOKEN_LINE_START;
        if (i == 0 && paste_first && list->count)
            paste(pp, list, &t, loc);
        else
            pp_append(pp, list, t);
    }
}

/* Pushes the expansion of m. invocation: the macro name in the text. */
static void push_expansion(struct pp *pp, struct pp_macro *m, struct pp_args *args,
                           const struct glsl_token *invocation)
{
    struct pp_tokens list = {0};
    bool pasting = false, left_empty = false;
    for (unsigned i = 0; i < m->body_length; i++) {
        struct glsl_token t = m->body[i];
        uint8_t space = (i ? t.flags : invocation->flags) & TOKEN_SPACE_BEFORE;
        if (t.kind == TOK_PASTE) {
            pasting = true;
            continue;
        }
        bool before_paste = i + 1 < m->body_length && m->body[i + 1].kind == TOK_PASTE;
        bool join = pasting && !left_empty;
        if (t.param) {
            const struct pp_tokens *arg = pasting || before_paste
                                              ? &args->raw[t.param - 1]
                                              : expanded_arg(pp, args, t.param - 1);
            substitute(pp, &list, arg->data, arg->count, join, space, invocation->loc);
            /* An empty operand of ## is ignored. */
            left_empty = arg->count == 0 && (!pasting || left_empty);
        } else {
            t.loc = invocation->loc;
            substitute(pp, &list, &t, 1, join, space, invocation->loc);
            left_empty = false;
        }
        pasting = false;
    }
    if (list.count)
        list.data[0].flags =
            (list.data[0].flags & ~TOKEN_SPACE_BEFORE) | (invocation->flags & TOKEN_SPACE_BEFORE);
    push_context(pp, list.data, list.count, m, false);
}

static struct glsl_token builtin_value(struct pp *pp, const struct pp_macro *m, struct glsl_token t)
{
    unsigned value = m->kind == PP_MACRO_LINE   ? t.loc.line
                     : m->kind == PP_MACRO_FILE ? t.loc.source
                                                : m->value;
    char *text = glsl_alloc(pp->c, 16);
    t.length = snprintf(text, 16, "%u", value);
    t.kind = TOK_NUMBER;
    t.text = text;
    return t;
}

struct glsl_token pp_next(struct pp *pp)
{
    for (;;) {
        struct glsl_token t = next_unexpanded(pp);
        if (t.kind == TOK_NEWLINE)
            continue;
        if (t.kind != TOK_IDENT || !t.atom->macro || (t.flags & TOKEN_NO_EXPAND))
            return t;
        struct pp_macro *m = t.atom->macro;
        if (m->kind != PP_MACRO_USER)
            return builtin_value(pp, m, t);
        if (m->active) {
            t.flags |= TOKEN_NO_EXPAND;
            return t;
        }
        struct pp_args args = {0};
        if (m->is_function) {
            if (!accept_paren(pp))
                return t;
            if (!collect_args(pp, m, t.loc, &args))
                continue;
        }
        push_expansion(pp, m, &args, &t);
    }
}
