/* SPDX-License-Identifier: MIT */
/* Statements and the shader as a whole, GLSL 4.60 §6, §9. */
#include "glsl/glsl_parser.h"

static struct ast_node *parse_statement(struct glsl_parser *p);

struct ast_node *parse_node(struct glsl_parser *p, enum ast_kind kind)
{
    struct ast_node *n = glsl_alloc(p->c, sizeof *n);
    n->kind = kind;
    n->loc = p->token->loc;
    return n;
}

struct ast_node *parse_block(struct glsl_parser *p)
{
    struct ast_node *n = parse_node(p, AST_BLOCK), **tail = &n->body;
    parse_expect(p, TOK_LBRACE, "'{'");
    parse_enter(p);
    while (!parse_accept(p, TOK_RBRACE)) {
        *tail = parse_statement(p);
        tail = &(*tail)->next;
    }
    parse_leave(p);
    return n;
}

static struct ast_node *expression_node(struct glsl_parser *p)
{
    struct ast_node *n = parse_node(p, AST_EXPRESSION);
    n->expr = parse_expression(p);
    return n;
}

/* Expression or declaration with a value. */
static struct ast_node *parse_condition(struct glsl_parser *p)
{
    return parse_starts_declaration(p) ? parse_condition_declaration(p) : expression_node(p);
}

static struct ast_node *parse_if(struct glsl_parser *p)
{
    struct ast_node *n = parse_node(p, AST_IF);
    parse_take(p);
    parse_expect(p, TOK_LPAREN, "'('");
    n->expr = parse_expression(p);
    parse_expect(p, TOK_RPAREN, "')'");
    n->body = parse_statement(p);
    if (parse_accept(p, TOK_ELSE))
        n->else_body = parse_statement(p);
    return n;
}

static struct ast_node *parse_for(struct glsl_parser *p)
{
    struct ast_node *n = parse_node(p, AST_FOR);
    parse_take(p);
    parse_expect(p, TOK_LPAREN, "'('");
    if (parse_accept(p, TOK_SEMICOLON)) {
        n->init = NULL;
    } else if (parse_starts_declaration(p)) {
        n->init = parse_declaration(p, false);
    } else {
        n->init = expression_node(p);
        parse_expect(p, TOK_SEMICOLON, "';'");
    }
    if (!parse_at(p, TOK_SEMICOLON))
        n->condition = parse_condition(p);
    parse_expect(p, TOK_SEMICOLON, "';'");
    if (!parse_at(p, TOK_RPAREN))
        n->expr = parse_expression(p);
    parse_expect(p, TOK_RPAREN, "')'");
    n->body = parse_statement(p);
    return n;
}

static struct ast_node *parse_while(struct glsl_parser *p)
{
    struct ast_node *n = parse_node(p, AST_WHILE);
    parse_take(p);
    parse_expect(p, TOK_LPAREN, "'('");
    n->condition = parse_condition(p);
    parse_expect(p, TOK_RPAREN, "')'");
    n->body = parse_statement(p);
    return n;
}

static struct ast_node *parse_do(struct glsl_parser *p)
{
    struct ast_node *n = parse_node(p, AST_DO);
    parse_take(p);
    n->body = parse_statement(p);
    parse_expect(p, TOK_WHILE, "while");
    parse_expect(p, TOK_LPAREN, "'('");
    n->expr = parse_expression(p);
    parse_expect(p, TOK_RPAREN, "')'");
    parse_expect(p, TOK_SEMICOLON, "';'");
    return n;
}

static struct ast_node *parse_switch(struct glsl_parser *p)
{
    struct ast_node *n = parse_node(p, AST_SWITCH);
    parse_take(p);
    parse_expect(p, TOK_LPAREN, "'('");
    n->expr = parse_expression(p);
    parse_expect(p, TOK_RPAREN, "')'");
    n->body = parse_block(p);
    return n;
}

static struct ast_node *parse_case(struct glsl_parser *p)
{
    struct ast_node *n = parse_node(p, AST_CASE);
    if (parse_take(p)->kind == TOK_CASE)
        n->expr = parse_expression(p);
    parse_expect(p, TOK_COLON, "':'");
    return n;
}

static struct ast_node *parse_return(struct glsl_parser *p)
{
    struct ast_node *n = parse_node(p, AST_RETURN);
    parse_take(p);
    if (!parse_at(p, TOK_SEMICOLON))
        n->expr = parse_expression(p);
    parse_expect(p, TOK_SEMICOLON, "';'");
    return n;
}

static struct ast_node *parse_jump(struct glsl_parser *p, enum ast_kind kind)
{
    struct ast_node *n = parse_node(p, kind);
    parse_take(p);
    parse_expect(p, TOK_SEMICOLON, "';'");
    return n;
}

static struct ast_node *parse_statement_inner(struct glsl_parser *p)
{
    struct ast_node *n;
    switch (p->token->kind) {
    case TOK_LBRACE:
        return parse_block(p);
    case TOK_SEMICOLON:
        n = parse_node(p, AST_EXPRESSION);
        parse_take(p);
        return n;
    case TOK_IF:
        return parse_if(p);
    case TOK_FOR:
        return parse_for(p);
    case TOK_WHILE:
        return parse_while(p);
    case TOK_DO:
        return parse_do(p);
    case TOK_SWITCH:
        return parse_switch(p);
    case TOK_CASE:
    case TOK_DEFAULT:
        return parse_case(p);
    case TOK_BREAK:
        return parse_jump(p, AST_BREAK);
    case TOK_CONTINUE:
        return parse_jump(p, AST_CONTINUE);
    case TOK_DISCARD:
        return parse_jump(p, AST_DISCARD);
    case TOK_DEMOTE:
        return parse_jump(p, AST_DEMOTE);
    case TOK_RETURN:
        return parse_return(p);
    default:
        if (parse_starts_declaration(p))
            return parse_declaration(p, false);
        n = expression_node(p);
        parse_expect(p, TOK_SEMICOLON, "';'");
        return n;
    }
}

static struct ast_node *parse_statement(struct glsl_parser *p)
{
    parse_enter(p);
    struct ast_node *n = parse_statement_inner(p);
    parse_leave(p);
    return n;
}

struct ast_node *glsl_parse(struct glsl_compiler *c)
{
    struct glsl_parser p = {.c = c, .token = c->tokens};
    struct ast_node *first = NULL, **tail = &first;
    while (!parse_at(&p, TOK_EOF)) {
        if (parse_accept(&p, TOK_SEMICOLON))
            continue; /* GLSL 4.60 §9; older compilers took it too */
        *tail = parse_declaration(&p, true);
        tail = &(*tail)->next;
    }
    return first;
}
