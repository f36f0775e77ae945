/* SPDX-License-Identifier: MIT */
/* Statements (GLSL 4.60 §6). */
#include "glsl/glsl_parser.h"

struct ast_node *parse_node(struct glsl_parser *p, enum ast_kind kind, struct glsl_loc loc)
{
    struct ast_node *n = glsl_alloc(p->c, sizeof *n);
    n->kind = kind;
    n->loc = loc;
    n->depth = 1;
    return n;
}

static unsigned depth_of_list(const struct ast_node *n)
{
    unsigned depth = 0;
    for (; n; n = n->next)
        depth = MAX2(depth, n->depth);
    return depth;
}

void parse_set_depth(struct glsl_parser *p, struct ast_node *n)
{
    unsigned depth = depth_of_list(n->body);
    if (n->expr)
        depth = MAX2(depth, n->expr->depth);
    if (n->init)
        depth = MAX2(depth, n->init->depth);
    if (n->condition)
        depth = MAX2(depth, n->condition->depth);
    if (n->else_body)
        depth = MAX2(depth, n->else_body->depth);
    if (depth >= GLSL_MAX_DEPTH)
        glsl_fatal(p->c, n->loc, "the shader is nested too deeply here");
    glsl_need_levels(p->c, depth + 1);
    n->depth = depth + 1;
}

struct parse_nodes parse_add_node(struct parse_nodes list, struct ast_node *n)
{
    if (!list.first)
        return (struct parse_nodes){n, n};
    list.last->next = n;
    return (struct parse_nodes){list.first, n};
}

struct ast_node *parse_block(struct glsl_parser *p, struct glsl_loc loc, struct parse_nodes body)
{
    struct ast_node *n = parse_node(p, AST_BLOCK, loc);
    n->body = body.first;
    parse_set_depth(p, n);
    return n;
}

struct ast_node *parse_expression_statement(struct glsl_parser *p, struct glsl_loc loc,
                                            struct ast_expr *e)
{
    struct ast_node *n = parse_node(p, AST_EXPRESSION, loc);
    n->expr = e;
    parse_set_depth(p, n);
    return n;
}

struct ast_node *parse_if(struct glsl_parser *p, struct glsl_loc loc, struct ast_expr *condition,
                          struct ast_node *then_body, struct ast_node *else_body)
{
    struct ast_node *n = parse_node(p, AST_IF, loc);
    n->expr = condition;
    n->body = then_body;
    n->else_body = else_body;
    parse_set_depth(p, n);
    return n;
}

struct ast_node *parse_switch(struct glsl_parser *p, struct glsl_loc loc, struct ast_expr *e,
                              struct ast_node *body)
{
    struct ast_node *n = parse_node(p, AST_SWITCH, loc);
    n->expr = e;
    n->body = body;
    parse_set_depth(p, n);
    return n;
}

struct ast_node *parse_loop(struct glsl_parser *p, enum ast_kind kind, struct glsl_loc loc,
                            struct ast_node *condition, struct ast_expr *e, struct ast_node *body)
{
    struct ast_node *n = parse_node(p, kind, loc);
    n->condition = condition;
    n->expr = e;
    n->body = body;
    parse_set_depth(p, n);
    return n;
}

struct ast_node *parse_for(struct glsl_parser *p, struct ast_node *init, struct ast_node *loop)
{
    loop->init = init;
    parse_set_depth(p, loop);
    return loop;
}

struct ast_node *parse_jump(struct glsl_parser *p, enum ast_kind kind, struct glsl_loc loc,
                            struct ast_expr *e)
{
    struct ast_node *n = parse_node(p, kind, loc);
    n->expr = e;
    parse_set_depth(p, n);
    return n;
}
