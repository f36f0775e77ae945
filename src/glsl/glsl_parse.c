/* SPDX-License-Identifier: MIT */
/*
 * Passes the preprocessed tokens to the grammar, and reports syntax errors.
 *
 * The grammar must know whether a name at the start of a statement is a type. This needs no scopes:
 * a name that may start a declaration is a type if, after any array brackets, another name follows.
 * Nothing else in the language has two adjacent names, and all tokens are available for lookahead.
 */
#include "glsl/glsl_parser.h"

#define MAX_SYNTAX_ERRORS 10 /* maximum per shader */

void parse_fail_at(struct glsl_parser *p, const struct glsl_token *t, const char *expected)
{
    const char *kind = t->kind == TOK_RESERVED ? "reserved word " : "";
    glsl_error(p->c, t->loc, "syntax error, unexpected %s%s%s%s", kind, glsl_token_text(p->c, t),
               *expected ? ", expected " : "", expected);
    if (++p->num_errors == MAX_SYNTAX_ERRORS)
        longjmp(p->c->fatal, 1);
}

/* ------------------------------------------------------------------------------- recovery --- */

/* Returns the token that the grammar got last. */
static const struct glsl_token *last_token(const struct glsl_parser *p)
{
    return p->next->kind == TOK_EOF && p->at_end ? p->next : p->next - 1;
}

/* Returns the token after the parenthesis that closes the head of a for, or a brace before it. */
static const struct glsl_token *skip_head(const struct glsl_token *t, unsigned open)
{
    while (open && t->kind != TOK_EOF && t->kind != TOK_LBRACE && t->kind != TOK_RBRACE) {
        open += t->kind == TOK_LPAREN;
        open -= t->kind == TOK_RPAREN;
        t++;
    }
    return t;
}

/* Returns whether only names, arrays and commas come before the next `;`. */
static bool ends_declaration(const struct glsl_token *t)
{
    while (t->kind == TOK_IDENT || t->kind == TOK_COMMA || t->kind == TOK_LBRACKET ||
           t->kind == TOK_RBRACKET || t->kind == TOK_NUMBER)
        t++;
    return t->kind == TOK_SEMICOLON;
}

/* Returns the token at which to continue after an error at t: after the `;` or the body that ends
 * the statement, member or declaration, or at the `}` that ends the enclosing scope. An `else`, or
 * a name after the `}` of a member list, belongs to the skipped part. */
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
    /* No token was consumed since the last error, so parsing cannot continue. */
    if (t == p->failed_at)
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

/* Returns the token after any […] that follow t. It is only called outside brackets, so that all
 * calls together read each token once. */
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

/* Returns whether a declaration may follow a token of this kind. */
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

/* Returns whether the name before a comma is a type, as in `S, a;`: if the shader has defined a
 * struct of that name, or at global scope, where no expression can start. A variable may follow the
 * closing brace of a struct. */
static bool names_type_before_comma(const struct glsl_parser *p, const struct glsl_token *t)
{
    unsigned before = t == p->c->tokens ? TOK_SEMICOLON : t[-1].kind;
    if (before != TOK_SEMICOLON && before != TOK_LBRACE && before != TOK_RBRACE)
        return false;
    if (p->nesting.initializers)
        return false;
    return t->atom->names_struct || (p->nesting.scopes == 0 && before == TOK_SEMICOLON);
}

static bool names_type(const struct glsl_parser *p, const struct glsl_token *t)
{
    if (t[1].kind == TOK_COMMA)
        return names_type_before_comma(p, t);
    if (t[1].kind != TOK_IDENT && t[1].kind != TOK_LBRACKET)
        return false;
    return !p->nesting.brackets && (t == p->c->tokens || before_declaration(t[-1].kind)) &&
           skip_brackets(t + 1)->kind == TOK_IDENT;
}

/* Tracks the parentheses of layout(…). Returns true if the word is a layout identifier, even if it
 * is a keyword (`shared`). */
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

/* Updates the nesting counts that error recovery uses. */
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
    if (p.num_errors) /* later checks would report what was skipped */
        longjmp(c->fatal, 1);
    return p.shader;
}
