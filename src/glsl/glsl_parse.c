/* SPDX-License-Identifier: MIT */
/*
 * Gives the preprocessed tokens to the grammar, and its errors to the user.
 *
 * The grammar has to know whether a name at the start of a statement is a type. It needs no scopes
 * for that: the tokens are all there, and a name that may start a declaration is a type exactly if,
 * array brackets skipped, another name follows. Nothing else in the language puts two names side
 * by side.
 */
#include "glsl/glsl_parser.h"

#define MAX_SYNTAX_ERRORS 10 /* of a shader */

void parse_fail_at(struct glsl_parser *p, const struct glsl_token *t, const char *expected)
{
    const char *kind = t->kind == TOK_RESERVED ? "reserved word " : "";
    glsl_error(p->c, t->loc, "syntax error, unexpected %s%s%s%s", kind, glsl_token_text(p->c, t),
               *expected ? ", expected " : "", expected);
    if (++p->num_errors == MAX_SYNTAX_ERRORS)
        longjmp(p->c->fatal, 1);
}

/* ------------------------------------------------------------------------------- recovery --- */

/* The token that the grammar got last. */
static const struct glsl_token *last_token(const struct glsl_parser *p)
{
    return p->next->kind == TOK_EOF && p->at_end ? p->next : p->next - 1;
}

/* The token behind the parenthesis that ends the head of a for, or a brace before it. */
static const struct glsl_token *skip_head(const struct glsl_token *t, unsigned open)
{
    while (open && t->kind != TOK_EOF && t->kind != TOK_LBRACE && t->kind != TOK_RBRACE) {
        open += t->kind == TOK_LPAREN;
        open -= t->kind == TOK_RPAREN;
        t++;
    }
    return t;
}

/* Whether nothing but names, arrays and commas comes before the next `;`. */
static bool ends_declaration(const struct glsl_token *t)
{
    while (t->kind == TOK_IDENT || t->kind == TOK_COMMA || t->kind == TOK_LBRACKET ||
           t->kind == TOK_RBRACKET || t->kind == TOK_NUMBER)
        t++;
    return t->kind == TOK_SEMICOLON;
}

/* Where to go on after an error at t: behind the `;` or the body that ends the statement, member or
 * declaration, or at the `}` that ends what it stands in. `else` goes on with it, and so does a name
 * after `}` which ends a list of members. */
static const struct glsl_token *skip_broken(const struct glsl_token *t,
                                            const struct parse_nesting *at)
{
    unsigned open = at->initializers;
    for (t = skip_head(t, at->for_parens); t->kind != TOK_EOF; t++) {
        if (t->kind == TOK_LBRACE) {
            open++;
        } else if (t->kind == TOK_RBRACE && open == 0) {
            return at->scopes ? t : t + 1;
        } else if (t->kind == TOK_RBRACE) {
            unsigned next = t[1].kind;
            if (--open == 0 && next != TOK_SEMICOLON && next != TOK_ELSE && next != TOK_WHILE &&
                next != TOK_COMMA && (next != TOK_IDENT || !ends_declaration(t + 1)))
                return t + 1;
        } else if (t->kind == TOK_SEMICOLON && open == 0 && t[1].kind != TOK_ELSE) {
            return t + 1;
        }
    }
    return t;
}

void parse_fail(struct glsl_parser *p, const char *expected)
{
    const struct glsl_token *t = last_token(p);
    parse_fail_at(p, t, expected);
    if (t == p->failed_at) /* nothing was read since: no place to go on from */
        longjmp(p->c->fatal, 1);
    p->failed_at = t;
    p->next = skip_broken(t, &p->before);
    p->at_end = false;
    p->nesting = (struct parse_nesting){.scopes = p->before.scopes};
    p->recovering = true;
}

void glsl_grammar_error(struct glsl_loc *loc, struct glsl_parser *p, const char *text)
{
    glsl_fatal(p->c, *loc, "the shader is nested too deeply here");
}

/* The token after any […] that follow t. Called outside of brackets only, so that all calls
 * together read each token once. */
static const struct glsl_token *skip_brackets(const struct glsl_token *t)
{
    while (t->kind == TOK_LBRACKET) {
        unsigned depth = 0;
        do {
            depth += t->kind == TOK_LBRACKET;
            depth -= t->kind == TOK_RBRACKET;
            if (t->kind == TOK_EOF || t->kind == TOK_SEMICOLON)
                return t;
            t++;
        } while (depth);
    }
    return t;
}

static bool is_qualifier(unsigned kind)
{
    return kind >= TOK_LOWP && kind <= TOK_WRITEONLY;
}

/* Whether a declaration may start after a token. */
static bool before_declaration(unsigned kind)
{
    switch (kind) {
    case TOK_SEMICOLON:
    case TOK_LBRACE:
    case TOK_RBRACE:
    case TOK_LPAREN:
    case TOK_RPAREN:
    case TOK_COMMA:
    case TOK_COLON:
    case TOK_ELSE:
    case TOK_DO:
    case TOK_SUBROUTINE:
        return true;
    default:
        return is_qualifier(kind);
    }
}

static bool names_type(const struct glsl_parser *p, const struct glsl_token *t)
{
    if (t[1].kind != TOK_IDENT && t[1].kind != TOK_LBRACKET)
        return false;
    return !p->nesting.brackets && (t == p->c->tokens || before_declaration(t[-1].kind)) &&
           skip_brackets(t + 1)->kind == TOK_IDENT;
}

/* Counts parentheses of layout(…); true for a word that is a name there, even a keyword
 * (`shared`). */
static bool in_layout(struct glsl_parser *p, const struct glsl_token *t)
{
    unsigned *parens = &p->nesting.layout_parens;
    if (t->kind == TOK_LPAREN && (*parens || (t > p->c->tokens && t[-1].kind == TOK_LAYOUT)))
        ++*parens;
    else if (t->kind == TOK_RPAREN && *parens)
        --*parens;
    return *parens == 1 && t->kind > TOK_TYPE &&
           (t[-1].kind == TOK_LPAREN || t[-1].kind == TOK_COMMA);
}

/* Counts what recovery needs to know. */
static void count_nesting(struct glsl_parser *p, const struct glsl_token *t)
{
    struct parse_nesting *n = &p->nesting;
    unsigned before = t > p->c->tokens ? t[-1].kind : TOK_EOF;
    switch (t->kind) {
    case TOK_LPAREN:
        n->for_parens += n->for_parens || before == TOK_FOR;
        break;
    case TOK_RPAREN:
        n->for_parens -= n->for_parens > 0;
        break;
    case TOK_LBRACE:
        if (n->initializers || before == TOK_ASSIGN)
            n->initializers++;
        else
            n->scopes++;
        break;
    case TOK_RBRACE:
        if (n->initializers)
            n->initializers--;
        else
            n->scopes -= n->scopes > 0;
        break;
    case TOK_LBRACKET:
        n->brackets++;
        break;
    case TOK_RBRACKET:
        n->brackets -= n->brackets > 0;
        break;
    default:
        break;
    }
}

int glsl_grammar_lex(union glsl_parse_value *value, struct glsl_loc *loc, struct glsl_parser *p)
{
    const struct glsl_token *t = p->next;
    value->token = t;
    *loc = t->loc;
    if (p->recovering) {
        p->recovering = false;
        return TOK_SKIPPED;
    }
    if (t->kind == TOK_EOF) {
        p->before = p->nesting;
        p->at_end = true;
        return TOK_EOF;
    }
    p->next++;
    p->before = p->nesting;
    if (t->kind == TOK_IDENT)
        return names_type(p, t) ? TOK_TYPE_NAME : TOK_IDENT;
    bool layout_name = in_layout(p, t);
    count_nesting(p, t);
    if (layout_name)
        return TOK_IDENT;
    return is_qualifier(t->kind) ? TOK_QUALIFIER : t->kind;
}

struct ast_node *glsl_parse(struct glsl_compiler *c)
{
    struct glsl_parser p = {.c = c, .next = c->tokens};
    glsl_grammar_parse(&p);
    if (p.num_errors) /* what was left out would be missed by what follows */
        longjmp(c->fatal, 1);
    return p.shader;
}
