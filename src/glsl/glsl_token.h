/* SPDX-License-Identifier: MIT */
/*
 * Tokens of the preprocessor and of the parser, and atoms: identifiers, each kept once per
 * compilation, so that names compare by pointer and macros, keywords and declarations hang
 * directly on the name.
 */
#ifndef GLSL_TOKEN_H
#define GLSL_TOKEN_H

#include "glsl/hir.h"

#include "glsl_parse.tab.h" /* generated: TOK_… */

struct pp_macro;
struct glsl_symbol;

struct glsl_atom {
    const char *text; /* terminated */
    uint32_t length, hash;
    uint16_t keyword;       /* row of the keyword table, counted from 1; 0: none */
    uint16_t param;         /* in the #define that is being read: number of a parameter, from 1 */
    struct pp_macro *macro; /* what #define gave it, or NULL */
    struct glsl_symbol *symbol;   /* innermost visible declaration, or NULL */
    const struct glsl_type *type; /* of a built-in type's name, looked up when first needed */
    const char *hir_name;         /* copy in the hir_shader's arena, made when first needed */
};

/* Kinds of tokens are declared in the grammar, glsl_parse.y; keywords come last. */
typedef enum glsl_grammar_tokentype glsl_token_kind;
#define TOK_FIRST_KEYWORD TOK_TYPE

enum {
    TOKEN_SPACE_BEFORE = 1 << 0, /* white space or a comment stands before it */
    TOKEN_NO_EXPAND = 1 << 1,    /* its macro was being expanded: never to be expanded again */
    TOKEN_LINE_START = 1 << 2,   /* first of its line */
};

struct glsl_token {
    uint8_t kind; /* glsl_token_kind */
    uint8_t flags;
    uint16_t param; /* in a macro's body: number of the parameter it is, from 1; else 0 */
    uint32_t length;
    union {
        const char *text;       /* numbers and others: not terminated */
        struct glsl_atom *atom; /* identifiers and keywords */
    };
    struct glsl_loc loc;
};

#endif
