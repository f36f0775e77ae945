/* SPDX-License-Identifier: MIT */
/*
 * The abstract syntax tree, as written in the source: names are not resolved yet. The parser
 * creates it; ast_to_hir reads it. All nodes live in the compiler's arena.
 */
#ifndef AST_H
#define AST_H

#include "glsl/glsl_compiler.h"

enum ast_op {
    AST_IDENT,
    AST_INT,
    AST_UINT,
    AST_INT64,
    AST_UINT64,
    AST_FLOAT,
    AST_DOUBLE,
    AST_BOOL,
    AST_CALL,        /* a: callee (AST_IDENT, or AST_INDEX of it for an array constructor); args */
    AST_CONSTRUCTOR, /* type, args */
    AST_AGGREGATE,   /* { args } */
    AST_SEQUENCE,    /* comma operator; at least two args */
    AST_METHOD,      /* a.name(args) */
    AST_FIELD,       /* a.name */
    AST_INDEX,       /* a[b]; b NULL: a[] */
    AST_POST_INC,
    AST_POST_DEC,
    AST_PRE_INC,
    AST_PRE_DEC,
    AST_PLUS,
    AST_NEG,
    AST_NOT,
    AST_BIT_NOT,
    AST_MUL,
    AST_DIV,
    AST_MOD,
    AST_ADD,
    AST_SUB,
    AST_SHL,
    AST_SHR,
    AST_LESS,
    AST_GREATER,
    AST_LEQUAL,
    AST_GEQUAL,
    AST_EQUAL,
    AST_NEQUAL,
    AST_BIT_AND,
    AST_BIT_XOR,
    AST_BIT_OR,
    AST_AND,
    AST_XOR,
    AST_OR,
    AST_CONDITIONAL, /* a ? b : c */
    AST_ASSIGN, /* a = b; for compound assignments, `binary` is the operation, else AST_ASSIGN */
};

struct ast_type;

struct ast_expr {
    uint8_t op;     /* enum ast_op */
    uint8_t binary; /* AST_ASSIGN: the operation of a compound assignment */
    uint16_t depth; /* depth of the tree; 1 for leaves */
    struct glsl_loc loc;
    struct ast_expr *a, *b, *c;
    union {
        struct glsl_atom *name;
        struct ast_type *type;
        nir_const_value value;
    };
    struct ast_expr **args;
    unsigned num_args;
};

/* Array dimensions, outermost first. A NULL size stands for []. */
struct ast_dims {
    struct ast_expr **size;
    unsigned count;
};

enum ast_qualifier_flag {
    AST_CONST = 1 << 0,
    AST_ATTRIBUTE = 1 << 1,
    AST_VARYING = 1 << 2,
    AST_UNIFORM = 1 << 3,
    AST_BUFFER = 1 << 4,
    AST_SHARED = 1 << 5,
    AST_IN = 1 << 6,
    AST_OUT = 1 << 7, /* with AST_IN: inout */
    AST_CENTROID = 1 << 8,
    AST_SAMPLE = 1 << 9,
    AST_PATCH = 1 << 10,
    AST_SMOOTH = 1 << 11,
    AST_FLAT = 1 << 12,
    AST_NOPERSPECTIVE = 1 << 13,
    AST_INVARIANT = 1 << 14,
    AST_PRECISE = 1 << 15,
    AST_SUBROUTINE = 1 << 16,
    AST_COHERENT = 1 << 17,
    AST_VOLATILE = 1 << 18,
    AST_RESTRICT = 1 << 19,
    AST_READONLY = 1 << 20,
    AST_WRITEONLY = 1 << 21,
};
#define AST_STORAGE                                                                                \
    (AST_CONST | AST_ATTRIBUTE | AST_VARYING | AST_UNIFORM | AST_BUFFER | AST_SHARED | AST_IN |    \
     AST_OUT)
#define AST_INTERPOLATION (AST_SMOOTH | AST_FLAT | AST_NOPERSPECTIVE)
#define AST_AUXILIARY     (AST_CENTROID | AST_SAMPLE | AST_PATCH)
#define AST_MEMORY        (AST_COHERENT | AST_VOLATILE | AST_RESTRICT | AST_READONLY | AST_WRITEONLY)

/* One identifier in layout(…). */
struct ast_layout {
    struct ast_layout *next;
    struct glsl_loc loc;
    struct glsl_atom *name;
    struct ast_expr *value; /* NULL: none */
};

struct ast_qualifier {
    uint32_t flags;    /* enum ast_qualifier_flag */
    uint8_t precision; /* enum glsl_precision */
    struct ast_layout *layout;
    struct glsl_atom **subroutines; /* type names in subroutine(a, b) */
    unsigned num_subroutines;
    struct glsl_loc loc;
};

struct ast_declarator {
    struct ast_declarator *next;
    struct glsl_loc loc;
    struct glsl_atom *name;
    struct ast_dims dims;
    struct ast_expr *init;
};

/* One member declaration of a struct or block; it may declare several names. */
struct ast_member {
    struct ast_member *next;
    struct ast_qualifier qualifier;
    struct ast_type *type;
    struct ast_declarator *declarators;
};

struct ast_struct {
    struct glsl_loc loc;
    struct glsl_atom *name; /* NULL: none */
    struct ast_member *members;
};

/* A type. Exactly one of builtin, name and structure is set. */
struct ast_type {
    struct glsl_loc loc;
    const struct glsl_type *builtin;
    struct glsl_atom *name;
    struct ast_struct *structure;
    struct ast_dims dims;
};

struct ast_param {
    struct ast_param *next;
    struct glsl_loc loc;
    struct ast_qualifier qualifier;
    struct ast_type *type;
    struct glsl_atom *name; /* NULL: none */
    struct ast_dims dims;
};

enum ast_kind {
    /* statements */
    AST_EXPRESSION, /* expr; NULL: empty statement */
    AST_BLOCK,      /* body */
    AST_IF,         /* expr, then_body, else_body */
    AST_FOR,        /* init, condition (declaration or expression), expr: step, body */
    AST_WHILE,      /* condition, body */
    AST_DO,         /* body, expr */
    AST_SWITCH,     /* expr, body */
    AST_CASE,       /* expr; NULL: default */
    AST_BREAK,
    AST_CONTINUE,
    AST_RETURN, /* expr; NULL: no value */
    AST_DISCARD,
    AST_DEMOTE,
    /* declarations */
    AST_VARIABLES,         /* qualifier, type, declarators (NULL: declares only a struct) */
    AST_FUNCTION,          /* qualifier, type: return type, name, params, body or NULL */
    AST_PRECISION,         /* qualifier.precision, type */
    AST_REQUALIFY,         /* qualifier, declarators: `invariant a, b;` */
    AST_INTERFACE,         /* qualifier, name, members, declarators: the instance, or NULL */
    AST_DEFAULT_QUALIFIER, /* qualifier: `layout(…) in;` */
};

struct ast_node {
    struct ast_node *next; /* next node of the list */
    uint8_t kind;          /* enum ast_kind */
    uint16_t depth; /* depth of the tree of statements and expressions below, including itself */
    struct glsl_loc loc;
    struct ast_qualifier qualifier;
    struct ast_type *type;
    struct glsl_atom *name;
    struct ast_declarator *declarators;
    struct ast_param *params;
    struct ast_member *members;
    struct ast_expr *expr;
    struct ast_node *init, *condition;
    struct ast_node *body; /* AST_FUNCTION: an AST_BLOCK; AST_BLOCK: the first statement */
    struct ast_node *else_body;
};

/* Returns the declarations of the shader. Returns only if there are no syntax errors, else calls
 * glsl_fatal. */
struct ast_node *glsl_parse(struct glsl_compiler *c);
void ast_print(const struct ast_node *shader, struct strbuf *out);

#endif
