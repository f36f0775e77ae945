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

void parse_fail_at(struct glsl_parser *p, const struct glsl_token *t, const char *expected)
{
    const char *kind = t->kind == TOK_RESERVED ? "reserved word " : "";
    glsl_fatal(p->c, t->loc, "syntax error, unexpected %s%s%s%s", kind, glsl_token_text(p->c, t),
               *expected ? ", expected " : "", expected);
}

void parse_fail(struct glsl_parser *p, const char *expected)
{
    /* The end is given out again and again. */
    parse_fail_at(p, p->next->kind == TOK_EOF && p->at_end ? p->next : p->next - 1, expected);
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
    return !p->brackets && (t == p->c->tokens || before_declaration(t[-1].kind)) &&
           skip_brackets(t + 1)->kind == TOK_IDENT;
}

/* Counts parentheses of layout(…); true for a word that is a name there, even a keyword
 * (`shared`). */
static bool in_layout(struct glsl_parser *p, const struct glsl_token *t)
{
    if (t->kind == TOK_LPAREN &&
        (p->layout_parens || (t > p->c->tokens && t[-1].kind == TOK_LAYOUT)))
        p->layout_parens++;
    else if (t->kind == TOK_RPAREN && p->layout_parens)
        p->layout_parens--;
    return p->layout_parens == 1 && t->kind > TOK_TYPE &&
           (t[-1].kind == TOK_LPAREN || t[-1].kind == TOK_COMMA);
}

int glsl_grammar_lex(union glsl_parse_value *value, struct glsl_loc *loc, struct glsl_parser *p)
{
    const struct glsl_token *t = p->next;
    value->token = t;
    *loc = t->loc;
    if (t->kind == TOK_EOF) {
        p->at_end = true;
        return TOK_EOF;
    }
    p->next++;
    if (t->kind == TOK_IDENT)
        return names_type(p, t) ? TOK_TYPE_NAME : TOK_IDENT;
    if (t->kind == TOK_LBRACKET)
        p->brackets++;
    else if (t->kind == TOK_RBRACKET)
        p->brackets -= p->brackets > 0;
    else if (in_layout(p, t))
        return TOK_IDENT;
    return is_qualifier(t->kind) ? TOK_QUALIFIER : t->kind;
}

struct ast_node *glsl_parse(struct glsl_compiler *c)
{
    struct glsl_parser p = {.c = c, .next = c->tokens};
    glsl_grammar_parse(&p);
    return p.shader;
}
