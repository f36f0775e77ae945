/* SPDX-License-Identifier: MIT */
/*
 * The abstract syntax tree. It represents the source as written: names are not resolved and
 * expressions have no types. The parser (glsl_parse*.c) creates it, and ast_to_hir translates it to
 * HIR. All nodes live in the compiler's arena.
 */
#ifndef AST_H
#define AST_H

#include "glsl/glsl_compiler.h"

/* Kinds of expressions. The comments name the fields of struct ast_expr that hold the operands.
 * Literals use `value`, unary operators use `a`, and binary operators use `a` and `b`. */
enum ast_op {
    AST_IDENT, /* name */
    AST_INT,
    AST_UINT,
    AST_INT64,
    AST_UINT64,
    AST_FLOAT,
    AST_FLOAT16, /* `value` is a float */
    AST_DOUBLE,
    AST_BOOL,
    AST_CALL,        /* a(args); a is an identifier, or S[2] or S[] for an array constructor */
    AST_CONSTRUCTOR, /* type(args) */
    AST_AGGREGATE,   /* initializer list { args } */
    AST_SEQUENCE,    /* comma operator; args holds at least two operands */
    AST_METHOD,      /* a.name(args) */
    AST_FIELD,       /* a.name */
    AST_INDEX,       /* a[b]; b is NULL for a[] */
    AST_POST_INC,
    AST_POST_DEC,
    AST_PRE_INC,
    AST_PRE_DEC,
    AST_PLUS, /* unary + */
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
    AST_ASSIGN,      /* a = b, or a compound assignment such as a += b */
};

struct ast_type;

/* An expression; ast_op says which fields are in use. */
struct ast_expr {
    uint8_t op;     /* enum ast_op */
    uint8_t binary; /* AST_ASSIGN only: the operator (AST_ADD for +=), or AST_ASSIGN for = */
    uint16_t depth; /* depth of this tree in nodes; 1 for a leaf */
    struct glsl_loc loc;
    struct ast_expr *a, *b, *c; /* operands; NULL if unused */
    union {
        struct glsl_atom *name; /* AST_IDENT, AST_FIELD, AST_METHOD */
        struct ast_type *type;  /* AST_CONSTRUCTOR */
        nir_const_value value;  /* literals */
    };
    struct ast_expr **args;
    unsigned num_args;
};

/* Array dimensions, outermost first. A NULL size stands for []. */
struct ast_dims {
    struct ast_expr **size;
    unsigned count;
};

/* Qualifiers that are single words. */
enum ast_qualifier_flag {
    AST_CONST = 1 << 0,
    AST_ATTRIBUTE = 1 << 1,
    AST_VARYING = 1 << 2,
    AST_UNIFORM = 1 << 3,
    AST_BUFFER = 1 << 4,
    AST_SHARED = 1 << 5,
    AST_IN = 1 << 6,
    AST_OUT = 1 << 7, /* inout sets both AST_IN and AST_OUT */
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
    AST_PERVERTEX = 1 << 22,
    AST_PERPRIMITIVE = 1 << 23,
    AST_TASK_PAYLOAD = 1 << 24, /* taskPayloadSharedEXT */
};
/* Masks of the storage, interpolation, auxiliary storage and memory qualifiers (GLSL 4.60 §4.3,
 * §4.5, §4.10). */
#define AST_STORAGE                                                                                \
    (AST_CONST | AST_ATTRIBUTE | AST_VARYING | AST_UNIFORM | AST_BUFFER | AST_SHARED | AST_IN |    \
     AST_OUT | AST_TASK_PAYLOAD)
#define AST_INTERPOLATION (AST_SMOOTH | AST_FLAT | AST_NOPERSPECTIVE | AST_PERVERTEX)
#define AST_AUXILIARY     (AST_CENTROID | AST_SAMPLE | AST_PATCH | AST_PERPRIMITIVE)
#define AST_MEMORY        (AST_COHERENT | AST_VOLATILE | AST_RESTRICT | AST_READONLY | AST_WRITEONLY)

/* One identifier in layout(…), with its value. */
struct ast_layout {
    struct ast_layout *next;
    struct glsl_loc loc;
    struct glsl_atom *name;
    struct ast_expr *value; /* expression after the =, or NULL */
};

/* All qualifiers of a declaration. */
struct ast_qualifier {
    uint32_t flags;                 /* mask of enum ast_qualifier_flag */
    uint8_t precision;              /* enum glsl_precision */
    struct ast_layout *layout;      /* identifiers of all layout(…), in source order */
    struct glsl_atom **subroutines; /* type names in subroutine(a, b) */
    unsigned num_subroutines;
    struct glsl_loc loc;
};

/* One name in a declaration, with the array sizes and the initializer that follow the name. */
struct ast_declarator {
    struct ast_declarator *next;
    struct glsl_loc loc;
    struct glsl_atom *name;
    struct ast_dims dims;
    struct ast_expr *init; /* NULL: no initializer */
};

/* One member declaration of a struct or block; it may declare several names. */
struct ast_member {
    struct ast_member *next;
    struct ast_qualifier qualifier;
    struct ast_type *type;
    struct ast_declarator *declarators;
};

/* A struct definition. */
struct ast_struct {
    struct glsl_loc loc;
    struct glsl_atom *name; /* NULL: a struct without a name */
    struct ast_member *members;
};

/* A type as written. Exactly one of builtin, name and structure is set; dims holds the array sizes
 * that follow it. */
struct ast_type {
    struct glsl_loc loc;
    const struct glsl_type *builtin;
    struct glsl_atom *name;
    struct ast_struct *structure;
    struct ast_dims dims;
};

/* A parameter of a function. */
struct ast_param {
    struct ast_param *next;
    struct glsl_loc loc;
    struct ast_qualifier qualifier;
    struct ast_type *type;
    struct glsl_atom *name; /* NULL: a parameter without a name */
    struct ast_dims dims;   /* array sizes after the name */
};

/* Kinds of statements and declarations. The comments list the fields of struct ast_node in use. */
enum ast_kind {
    /* statements */
    AST_EXPRESSION, /* expr; NULL for an empty statement */
    AST_BLOCK,      /* body: list of statements */
    AST_IF,         /* expr: condition; body; else_body, or NULL */
    AST_FOR,        /* init; condition; expr: step; body (all but body may be NULL) */
    AST_WHILE,      /* condition, body */
    AST_DO,         /* body; expr: condition */
    AST_SWITCH,     /* expr: selector; body */
    AST_CASE,       /* expr; NULL for `default` */
    AST_BREAK,
    AST_CONTINUE,
    AST_RETURN, /* expr; NULL without a value */
    AST_DISCARD,
    AST_DEMOTE,
    /* declarations */
    AST_VARIABLES, /* qualifier, type, declarators (NULL if there are no names) */
    AST_FUNCTION,  /* qualifier, type (returned), name, params, body (NULL in a prototype) */
    AST_PRECISION, /* qualifier.precision, type */
    AST_REQUALIFY, /* `invariant a, b;` or `precise a;`: qualifier, declarators */
    AST_INTERFACE, /* block: qualifier, name, members, declarators (the instance, or NULL) */
    AST_DEFAULT_QUALIFIER, /* `layout(…) in;`: qualifier */
};

/* A statement or declaration. Unused pointers are NULL. */
struct ast_node {
    struct ast_node *next; /* next statement or declaration of the list, or NULL */
    uint8_t kind;          /* enum ast_kind */
    uint16_t depth;        /* depth of this tree, counting statements and expressions */
    struct glsl_loc loc;
    struct ast_qualifier qualifier;
    struct ast_type *type;
    struct glsl_atom *name;
    struct ast_declarator *declarators;
    struct ast_param *params;
    struct ast_member *members;
    struct ast_expr *expr;
    struct ast_node *init, *condition; /* each an AST_VARIABLES or an AST_EXPRESSION */
    /* AST_BLOCK: the first of its statements. AST_FUNCTION and AST_SWITCH: an AST_BLOCK. Others: a
     * statement of any kind. */
    struct ast_node *body;
    struct ast_node *else_body;
};

/* Parses c->tokens. Returns the first of the shader's global declarations, or NULL if it has none.
 * After a syntax error, it does not return but jumps to c->fatal. */
struct ast_node *glsl_parse(struct glsl_compiler *c);
/* Appends a text form of the tree to `out`, for tools and tests. */
void ast_print(const struct ast_node *shader, struct strbuf *out);

#endif
