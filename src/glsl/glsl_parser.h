/* SPDX-License-Identifier: MIT */
/*
 * Internal interface of the parser: the functions that the grammar (glsl_parse.y) calls.
 *
 *   glsl_parse.c       the grammar's lexer, syntax errors, entry point
 *   glsl_parse_expr.c  expressions and literals
 *   glsl_parse_decl.c  qualifiers, types, declarations
 *   glsl_parse_stmt.c  statements
 *
 * YYMAXDEPTH limits the stack of the grammar, GLSL_MAX_DEPTH the depth of the trees.
 */
#ifndef GLSL_PARSER_H
#define GLSL_PARSER_H

#include "glsl/ast.h"

/* Lists. Each parse_add_* function appends an element and returns the list. */
struct parse_nodes {
    struct ast_node *first, *last;
};
struct parse_members {
    struct ast_member *first, *last;
};
struct parse_layouts {
    struct ast_layout *first, *last;
};
struct parse_params {
    struct ast_param *first, *last;
};
struct parse_declarators {
    struct ast_declarator *first, *last;
};
struct parse_args {
    struct ast_expr **data;
    unsigned count, capacity;
};

/* The qualifiers of a declaration while they are parsed. */
struct parse_qualifiers {
    struct ast_qualifier q;
    struct ast_layout *last_layout;
    unsigned last_rank;
};

/* The semantic value of a symbol on the parser stack. */
union glsl_parse_value {
    const struct glsl_token *token;
    struct ast_expr *expr;
    struct ast_type *type;
    struct ast_struct *structure;
    struct ast_layout *layout;
    struct ast_param *param;
    struct ast_declarator *declarator;
    struct ast_node *node;
    struct parse_qualifiers *qualifier;
    struct parse_args args;
    struct parse_nodes nodes;
    struct parse_members members;
    struct parse_layouts layouts;
    struct parse_params params;
    struct parse_declarators declarators, names;
};

/* What the lexer knows about the enclosing brackets. */
struct parse_nesting {
    unsigned brackets;      /* number of open [ */
    unsigned layout_parens; /* number of open ( since `layout`; 0: not in a layout */
    unsigned for_parens;    /* number of open ( since `for`; 0: not in a for head */
    unsigned scopes;        /* number of open { of bodies and member lists */
    unsigned initializers;  /* number of open { of initializers inside those */
};

struct glsl_parser {
    struct glsl_compiler *c;
    const struct glsl_token *next;        /* next token for the grammar */
    bool at_end;                          /* the end of the input was returned */
    struct parse_nesting nesting, before; /* before: state before the last token */
    unsigned structs;                     /* number of open structs */
    unsigned num_errors;
    bool recovering;                    /* after an error: the next token is SKIPPED */
    const struct glsl_token *failed_at; /* last token that caused an error, or NULL */
    struct ast_node *shader;            /* the result */
};

/* --- glsl_parse.c --- */
int glsl_grammar_lex(union glsl_parse_value *value, struct glsl_loc *loc, struct glsl_parser *p);
/* Called by the grammar when its stack is full. */
_Noreturn void glsl_grammar_error(struct glsl_loc *loc, struct glsl_parser *p, const char *text);
/* Reports that the last token is not what the grammar expects; the grammar then recovers. */
void parse_fail(struct glsl_parser *p, const char *expected);
/* Does the same for another token, in input that the grammar itself accepts. */
void parse_fail_at(struct glsl_parser *p, const struct glsl_token *t, const char *expected);

/* --- glsl_parse_expr.c --- */
static const struct parse_args parse_no_args = {0};
struct parse_args parse_one_arg(struct glsl_parser *p, struct ast_expr *arg);
struct parse_args parse_add_arg(struct glsl_parser *p, struct parse_args list,
                                struct ast_expr *arg);
struct ast_expr *parse_expr(struct glsl_parser *p, enum ast_op op, struct glsl_loc loc,
                            struct ast_expr *a, struct ast_expr *b, struct ast_expr *c);
struct ast_expr *parse_assign(struct glsl_parser *p, enum ast_op binary, struct glsl_loc loc,
                              struct ast_expr *a, struct ast_expr *b);
struct ast_expr *parse_name(struct glsl_parser *p, const struct glsl_token *t);
struct ast_expr *parse_number(struct glsl_parser *p, const struct glsl_token *t);
struct ast_expr *parse_bool(struct glsl_parser *p, struct glsl_loc loc, bool value);
struct ast_expr *parse_constructor(struct glsl_parser *p, struct ast_type *type,
                                   struct parse_args args);
/* start: position of the callee expression; it tells a name in parentheses from a plain name. */
struct ast_expr *parse_call(struct glsl_parser *p, struct glsl_loc start, struct ast_expr *callee,
                            const struct glsl_token *paren, struct parse_args args);
struct ast_expr *parse_field(struct glsl_parser *p, struct ast_expr *a,
                             const struct glsl_token *name);
struct ast_expr *parse_method(struct glsl_parser *p, struct ast_expr *a,
                              const struct glsl_token *name, struct parse_args args);
struct ast_expr *parse_sequence(struct glsl_parser *p, struct glsl_loc loc, struct parse_args args);
struct ast_expr *parse_aggregate(struct glsl_parser *p, struct glsl_loc loc,
                                 struct parse_args args);

/* --- glsl_parse_decl.c --- */
struct parse_args parse_add_dim(struct glsl_parser *p, struct parse_args dims,
                                struct ast_expr *size, struct glsl_loc loc);
struct ast_type *parse_builtin_type(struct glsl_parser *p, const struct glsl_token *name,
                                    struct parse_args dims);
struct ast_type *parse_unsigned_type(struct glsl_parser *p, struct glsl_loc loc,
                                     const struct glsl_token *name, struct parse_args dims);
struct ast_type *parse_named_type(struct glsl_parser *p, const struct glsl_token *name,
                                  struct parse_args dims);
struct ast_type *parse_struct_type(struct glsl_parser *p, struct ast_struct *s,
                                   struct parse_args dims);
void parse_enter_struct(struct glsl_parser *p, struct glsl_loc loc);
/* name: NULL for an unnamed struct. */
struct ast_struct *parse_struct(struct glsl_parser *p, struct glsl_loc loc,
                                const struct glsl_token *name, struct parse_members members);
struct parse_members parse_add_member(struct parse_members list, struct ast_member *m);
struct ast_member *parse_member(struct glsl_parser *p, const struct parse_qualifiers *q,
                                struct ast_type *type, struct parse_declarators declarators);
struct parse_declarators parse_add_declarator(struct parse_declarators list,
                                              struct ast_declarator *d);
struct ast_declarator *parse_declarator(struct glsl_parser *p, const struct glsl_token *name,
                                        struct parse_args dims, struct ast_expr *init);
struct parse_declarators parse_one_name(struct glsl_parser *p, const struct glsl_token *name);

struct parse_qualifiers *parse_qualifiers(struct glsl_parser *p, struct glsl_loc loc);
struct parse_qualifiers *parse_qualifier(struct glsl_parser *p, struct parse_qualifiers *q,
                                         const struct glsl_token *word);
struct parse_qualifiers *parse_subroutine(struct glsl_parser *p, struct parse_qualifiers *q,
                                          const struct glsl_token *word,
                                          struct parse_declarators types);
struct parse_qualifiers *parse_layout(struct glsl_parser *p, struct parse_qualifiers *q,
                                      struct glsl_loc loc, struct parse_layouts ids);
struct ast_layout *parse_layout_id(struct glsl_parser *p, const struct glsl_token *name,
                                   struct ast_expr *value);
struct parse_layouts parse_add_layout(struct parse_layouts list, struct ast_layout *l);

/* Starts a declaration from its qualifiers (or NULL) and type. */
struct ast_node *parse_typed(struct glsl_parser *p, struct glsl_loc loc,
                             const struct parse_qualifiers *q, struct ast_type *type);
struct ast_node *parse_variables(struct ast_node *typed, struct ast_declarator *declarators);
struct ast_node *parse_prototype(struct ast_node *typed, const struct glsl_token *name,
                                 struct ast_param *params);
struct parse_params parse_add_param(struct parse_params list, struct ast_param *param);
/* Removes a single `void` parameter. */
struct parse_params parse_params_end(struct parse_params list);
struct ast_param *parse_param(struct glsl_parser *p, const struct parse_qualifiers *q,
                              struct ast_type *type, const struct glsl_token *name,
                              struct parse_args dims);
struct ast_node *parse_body(struct glsl_parser *p, struct ast_node *prototype,
                            struct ast_node *body);
struct ast_node *parse_nested_function(struct glsl_parser *p, struct ast_node *prototype,
                                       struct ast_node *body);
struct ast_node *parse_precision(struct glsl_parser *p, struct glsl_loc loc,
                                 const struct glsl_token *word, struct ast_type *type);
struct ast_node *parse_default_qualifier(struct glsl_parser *p, struct glsl_loc loc,
                                         const struct parse_qualifiers *q);
struct ast_node *parse_requalification(struct glsl_parser *p, struct glsl_loc loc,
                                       const struct parse_qualifiers *q,
                                       struct parse_declarators names);
struct ast_node *parse_interface(struct glsl_parser *p, const struct parse_qualifiers *q,
                                 const struct glsl_token *name, struct parse_members members,
                                 struct ast_declarator *instance);

/* --- glsl_parse_stmt.c --- */
struct ast_node *parse_node(struct glsl_parser *p, enum ast_kind kind, struct glsl_loc loc);
struct parse_nodes parse_add_node(struct parse_nodes list, struct ast_node *n);
struct ast_node *parse_block(struct glsl_parser *p, struct glsl_loc loc, struct parse_nodes body);
struct ast_node *parse_expression_statement(struct glsl_parser *p, struct glsl_loc loc,
                                            struct ast_expr *e);
struct ast_node *parse_if(struct glsl_parser *p, struct glsl_loc loc, struct ast_expr *condition,
                          struct ast_node *then_body, struct ast_node *else_body);
struct ast_node *parse_switch(struct glsl_parser *p, struct glsl_loc loc, struct ast_expr *e,
                              struct ast_node *body);
/* e: the condition of do, the step of for, or NULL. */
struct ast_node *parse_loop(struct glsl_parser *p, enum ast_kind kind, struct glsl_loc loc,
                            struct ast_node *condition, struct ast_expr *e, struct ast_node *body);
struct ast_node *parse_for(struct glsl_parser *p, struct ast_node *init, struct ast_node *loop);
/* Creates a statement without a body: case, break, return and so on. e: NULL if it has none. */
struct ast_node *parse_jump(struct glsl_parser *p, enum ast_kind kind, struct glsl_loc loc,
                            struct ast_expr *e);
/* Sets the depth of a node from its parts, which may be NULL, and checks the limit. */
void parse_set_depth(struct glsl_parser *p, struct ast_node *n);

#endif
