/* SPDX-License-Identifier: MIT */
/*
 * Internal interface of the parser: the functions that the actions of the grammar (glsl_parse.y)
 * call. Most of them create a node of the syntax tree. They never return NULL, and they report
 * errors through struct glsl_compiler.
 *
 *   glsl_parse.c       lexer of the grammar, syntax errors, entry point
 *   glsl_parse_expr.c  expressions and literals
 *   glsl_parse_decl.c  qualifiers, types, declarations
 *   glsl_parse_stmt.c  statements
 *
 * YYMAXDEPTH limits the depth of the parser stack. GLSL_MAX_DEPTH limits the depth of the trees.
 */
#ifndef GLSL_PARSER_H
#define GLSL_PARSER_H

#include "glsl/ast.h"

/* Lists under construction. Each parse_add_* function appends an element and returns the new list.
 * parse_add_layout, parse_add_param and parse_add_declarator require a list that is not empty. */
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
    struct ast_layout *last_layout; /* end of the list q.layout */
    unsigned last_rank; /* highest rank so far in the order that older versions require */
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
    unsigned initializers;  /* number of open { of initializer lists inside those scopes */
};

/* State of the parser. */
struct glsl_parser {
    struct glsl_compiler *c;
    const struct glsl_token *next;        /* next token for the grammar */
    bool at_end;                          /* the grammar has received TOK_EOF */
    struct parse_nesting nesting, before; /* nesting after and before the last token */
    unsigned structs;                     /* number of open structs */
    unsigned num_errors;                  /* syntax errors */
    bool recovering; /* an error was reported; the grammar's next token is SKIPPED */
    const struct glsl_token *failed_at; /* last token that caused an error, or NULL */
    struct ast_node *shader;            /* the result: first global declaration, or NULL */
};

/* --- glsl_parse.c --- */
/* The lexer of the grammar. Returns the kind of the next token and sets *value and *loc. */
int glsl_grammar_lex(union glsl_parse_value *value, struct glsl_loc *loc, struct glsl_parser *p);
/* Reports a fatal error. The grammar calls it when its stack is full. */
_Noreturn void glsl_grammar_error(struct glsl_loc *loc, struct glsl_parser *p, const char *text);
/* Reports a syntax error at the last token, and skips the rest of the statement, member or
 * declaration. `expected` describes what the grammar expects there, or is "". If the parser has
 * consumed no token since the last error, jumps to c->fatal. */
void parse_fail(struct glsl_parser *p, const char *expected);
/* Reports a syntax error at token t and skips nothing. For actions that detect errors which the
 * grammar allows. After too many syntax errors, this function and parse_fail don't return but jump
 * to c->fatal. */
void parse_fail_at(struct glsl_parser *p, const struct glsl_token *t, const char *expected);

/* --- glsl_parse_expr.c --- */
/* Argument lists: an empty one; one with one argument; `list` with `arg` appended. */
static const struct parse_args parse_no_args = {0};
struct parse_args parse_one_arg(struct glsl_parser *p, struct ast_expr *arg);
struct parse_args parse_add_arg(struct glsl_parser *p, struct parse_args list,
                                struct ast_expr *arg);
/* Creates an expression with operands a, b and c, of which unused ones are NULL. */
struct ast_expr *parse_expr(struct glsl_parser *p, enum ast_op op, struct glsl_loc loc,
                            struct ast_expr *a, struct ast_expr *b, struct ast_expr *c);
/* Creates a = b, or a compound assignment with the operator `binary`. */
struct ast_expr *parse_assign(struct glsl_parser *p, enum ast_op binary, struct glsl_loc loc,
                              struct ast_expr *a, struct ast_expr *b);
/* Create an identifier and literals. */
struct ast_expr *parse_name(struct glsl_parser *p, const struct glsl_token *t);
struct ast_expr *parse_number(struct glsl_parser *p, const struct glsl_token *t);
struct ast_expr *parse_bool(struct glsl_parser *p, struct glsl_loc loc, bool value);
/* Creates the constructor call type(args). */
struct ast_expr *parse_constructor(struct glsl_parser *p, struct ast_type *type,
                                   struct parse_args args);
/* Creates the call callee(args). `start` is the location where the callee begins in the source. It
 * differs from callee->loc if the name is in parentheses, which is an error. `paren` is the token of
 * the parenthesis before the arguments; that error is reported there. */
struct ast_expr *parse_call(struct glsl_parser *p, struct glsl_loc start, struct ast_expr *callee,
                            const struct glsl_token *paren, struct parse_args args);
/* Create a.name, a.name(args), the comma expression of args, and the list { args }. */
struct ast_expr *parse_field(struct glsl_parser *p, struct ast_expr *a,
                             const struct glsl_token *name);
struct ast_expr *parse_method(struct glsl_parser *p, struct ast_expr *a,
                              const struct glsl_token *name, struct parse_args args);
struct ast_expr *parse_sequence(struct glsl_parser *p, struct glsl_loc loc, struct parse_args args);
struct ast_expr *parse_aggregate(struct glsl_parser *p, struct glsl_loc loc,
                                 struct parse_args args);

/* --- glsl_parse_decl.c --- */
/* Appends an array dimension; size NULL stands for []. Reports a fatal error at loc if there are
 * too many. */
struct parse_args parse_add_dim(struct glsl_parser *p, struct parse_args dims,
                                struct ast_expr *size, struct glsl_loc loc);
/* Create types with array dimensions: a built-in type, `unsigned int`, a type name, and a struct.
 * parse_unsigned_type reports an error if `name`, the word after `unsigned`, is not `int`. */
struct ast_type *parse_builtin_type(struct glsl_parser *p, const struct glsl_token *name,
                                    struct parse_args dims);
struct ast_type *parse_unsigned_type(struct glsl_parser *p, struct glsl_loc loc,
                                     const struct glsl_token *name, struct parse_args dims);
struct ast_type *parse_named_type(struct glsl_parser *p, const struct glsl_token *name,
                                  struct parse_args dims);
struct ast_type *parse_struct_type(struct glsl_parser *p, struct ast_struct *s,
                                   struct parse_args dims);
/* Called at the { of a struct. Reports a fatal error if structs are nested too deeply. */
void parse_enter_struct(struct glsl_parser *p, struct glsl_loc loc);
/* Creates a struct. name is NULL if it has no name. */
struct ast_struct *parse_struct(struct glsl_parser *p, struct glsl_loc loc,
                                const struct glsl_token *name, struct parse_members members);
struct parse_members parse_add_member(struct parse_members list, struct ast_member *m);
/* Creates a member declaration of a struct or block. q: its qualifiers, or NULL. */
struct ast_member *parse_member(struct glsl_parser *p, const struct parse_qualifiers *q,
                                struct ast_type *type, struct parse_declarators declarators);
struct parse_declarators parse_add_declarator(struct parse_declarators list,
                                              struct ast_declarator *d);
/* Creates a declarator. init: the initializer, or NULL. */
struct ast_declarator *parse_declarator(struct glsl_parser *p, const struct glsl_token *name,
                                        struct parse_args dims, struct ast_expr *init);
/* Returns a list with one name, without dimensions and initializer. */
struct parse_declarators parse_one_name(struct glsl_parser *p, const struct glsl_token *name);

/* Returns an empty set of qualifiers. The next three functions add to it and return it. */
struct parse_qualifiers *parse_qualifiers(struct glsl_parser *p, struct glsl_loc loc);
/* Adds the qualifier `word`; reports one that is repeated, conflicting or out of order. */
struct parse_qualifiers *parse_qualifier(struct glsl_parser *p, struct parse_qualifiers *q,
                                         const struct glsl_token *word);
/* Adds subroutine(types); `word` is the token `subroutine`. */
struct parse_qualifiers *parse_subroutine(struct glsl_parser *p, struct parse_qualifiers *q,
                                          const struct glsl_token *word,
                                          struct parse_declarators types);
/* Adds layout(ids). */
struct parse_qualifiers *parse_layout(struct glsl_parser *p, struct parse_qualifiers *q,
                                      struct glsl_loc loc, struct parse_layouts ids);
/* Creates an identifier in layout(…). value: the expression after the =, or NULL. */
struct ast_layout *parse_layout_id(struct glsl_parser *p, const struct glsl_token *name,
                                   struct ast_expr *value);
struct parse_layouts parse_add_layout(struct parse_layouts list, struct ast_layout *l);

/* Creates a declaration from its qualifiers (or NULL) and type. parse_variables or parse_prototype
 * then completes it and returns it. */
struct ast_node *parse_typed(struct glsl_parser *p, struct glsl_loc loc,
                             const struct parse_qualifiers *q, struct ast_type *type);
struct ast_node *parse_variables(struct ast_node *typed, struct ast_declarator *declarators);
struct ast_node *parse_prototype(struct ast_node *typed, const struct glsl_token *name,
                                 struct ast_param *params);
struct parse_params parse_add_param(struct parse_params list, struct ast_param *param);
/* Returns the complete parameter list: an empty one if the only parameter is `void`, else `list`,
 * which must not be empty. */
struct parse_params parse_params_end(struct parse_params list);
/* Creates a parameter. q and name may be NULL. */
struct ast_param *parse_param(struct glsl_parser *p, const struct parse_qualifiers *q,
                              struct ast_type *type, const struct glsl_token *name,
                              struct parse_args dims);
/* Adds the body to a function. Returns the function. */
struct ast_node *parse_body(struct glsl_parser *p, struct ast_node *prototype,
                            struct ast_node *body);
/* Like parse_body, but reports that functions cannot be defined inside functions. */
struct ast_node *parse_nested_function(struct glsl_parser *p, struct ast_node *prototype,
                                       struct ast_node *body);
/* Create nodes of kind AST_PRECISION, AST_DEFAULT_QUALIFIER, AST_REQUALIFY and AST_INTERFACE.
 * instance is NULL for a block without an instance name. */
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
/* Creates a node without parts. */
struct ast_node *parse_node(struct glsl_parser *p, enum ast_kind kind, struct glsl_loc loc);
struct parse_nodes parse_add_node(struct parse_nodes list, struct ast_node *n);
/* Create statements. Optional parts may be NULL. */
struct ast_node *parse_block(struct glsl_parser *p, struct glsl_loc loc, struct parse_nodes body);
struct ast_node *parse_expression_statement(struct glsl_parser *p, struct glsl_loc loc,
                                            struct ast_expr *e);
struct ast_node *parse_if(struct glsl_parser *p, struct glsl_loc loc, struct ast_expr *condition,
                          struct ast_node *then_body, struct ast_node *else_body);
struct ast_node *parse_switch(struct glsl_parser *p, struct glsl_loc loc, struct ast_expr *e,
                              struct ast_node *body);
/* Creates a loop. condition: the condition of AST_FOR or AST_WHILE. e: the step of AST_FOR or the
 * condition of AST_DO. Parts that the loop lacks are NULL. */
struct ast_node *parse_loop(struct glsl_parser *p, enum ast_kind kind, struct glsl_loc loc,
                            struct ast_node *condition, struct ast_expr *e, struct ast_node *body);
/* Adds the initialization (or NULL) to an AST_FOR loop. Returns the loop. */
struct ast_node *parse_for(struct glsl_parser *p, struct ast_node *init, struct ast_node *loop);
/* Creates a case, break, continue, return, discard or demote. e is its expression, or NULL. */
struct ast_node *parse_jump(struct glsl_parser *p, enum ast_kind kind, struct glsl_loc loc,
                            struct ast_expr *e);
/* Sets the depth of a node from the depths of its parts. Reports a fatal error if it exceeds
 * GLSL_MAX_DEPTH. */
void parse_set_depth(struct glsl_parser *p, struct ast_node *n);

#endif
