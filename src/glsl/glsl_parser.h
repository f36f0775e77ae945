/* SPDX-License-Identifier: MIT */
/*
 * The parser: recursive descent over the array of tokens that the preprocessor made, following the
 * grammar of GLSL 4.60 §9. It needs no symbol table: a name that starts a statement is a type
 * exactly if, array brackets skipped, another name follows. Its recursion is bounded by
 * GLSL_MAX_DEPTH, as is the depth of the trees that it makes.
 */
#ifndef GLSL_PARSER_H
#define GLSL_PARSER_H

#include "glsl/ast.h"

struct glsl_parser {
    struct glsl_compiler *c;
    const struct glsl_token *token; /* the next one */
    unsigned depth;
};

static inline bool parse_at(const struct glsl_parser *p, enum glsl_token_kind kind)
{
    return p->token->kind == kind;
}

static inline const struct glsl_token *parse_take(struct glsl_parser *p)
{
    const struct glsl_token *t = p->token;
    if (t->kind != TOK_EOF)
        p->token++;
    return t;
}

static inline bool parse_accept(struct glsl_parser *p, enum glsl_token_kind kind)
{
    if (!parse_at(p, kind))
        return false;
    parse_take(p);
    return true;
}

/* --- glsl_parse_expr.c --- */
_Noreturn void parse_fail(struct glsl_parser *p, const char *expected);
const struct glsl_token *parse_expect(struct glsl_parser *p, enum glsl_token_kind kind,
                                      const char *what);
void parse_enter(struct glsl_parser *p); /* one level deeper */
static inline void parse_leave(struct glsl_parser *p)
{
    p->depth--;
}
struct ast_expr *parse_expression(struct glsl_parser *p);  /* with commas */
struct ast_expr *parse_assignment(struct glsl_parser *p);  /* without */
struct ast_expr *parse_conditional(struct glsl_parser *p); /* constant_expression */
struct ast_expr *parse_initializer(struct glsl_parser *p); /* or { … } */

/* --- glsl_parse_decl.c --- */
struct ast_dims parse_dims(struct glsl_parser *p);
/* A built-in type, a name or a struct, with array sizes. */
struct ast_type *parse_type(struct glsl_parser *p);
/* Whether a declaration starts here, not an expression. */
bool parse_starts_declaration(const struct glsl_parser *p);
struct ast_node *parse_declaration(struct glsl_parser *p, bool global);
/* `type name = value` in a loop's condition, without end. */
struct ast_node *parse_condition_declaration(struct glsl_parser *p);

/* --- glsl_parse_stmt.c --- */
struct ast_node *parse_node(struct glsl_parser *p, enum ast_kind kind);
struct ast_node *parse_block(struct glsl_parser *p);

#endif
