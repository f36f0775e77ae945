/* SPDX-License-Identifier: MIT */
/*
 * Tokens of the preprocessor and the parser, and atoms. A compilation has one atom for each
 * different identifier. Names can therefore be compared by pointer, and an atom directly holds its
 * macro, keyword and declaration.
 */
#ifndef GLSL_TOKEN_H
#define GLSL_TOKEN_H

#include "glsl/hir.h"

#include "glsl_parse.tab.h" /* generated: TOK_… */

struct pp_macro;
struct glsl_symbol;

/* An atom. It lives until the end of the compilation. */
struct glsl_atom {
    const char *text; /* NUL-terminated */
    uint32_t length, hash;
    uint16_t keyword;  /* index in the keyword table plus 1; 0: not in the table */
    uint16_t param;    /* index plus 1 in the parameters of the #define being parsed; 0: not one */
    bool names_struct; /* the parser has seen the definition of a struct of this name */
    struct pp_macro *macro;       /* macro with this name, or NULL */
    struct glsl_symbol *symbol;   /* innermost visible declaration, or NULL */
    const struct glsl_type *type; /* the built-in type with this name; looked up on first use */
    const char *hir_name; /* copy of the name in the hir_shader's arena; created on first use */
};

/* Token kinds are declared in the grammar, glsl_parse.y. Keywords come last. */
typedef enum glsl_grammar_tokentype glsl_token_kind;
#define TOK_FIRST_KEYWORD TOK_TYPE

/* Bits of glsl_token.flags. */
enum {
    TOKEN_SPACE_BEFORE = 1 << 0, /* preceded by white space or a comment */
    TOKEN_NO_EXPAND = 1 << 1,  /* its macro was being expanded, so it must not be expanded again */
    TOKEN_LINE_START = 1 << 2, /* first token of its line; a # then starts a directive */
};

/* A token of the preprocessor or the parser. */
struct glsl_token {
    uint8_t kind;    /* glsl_token_kind */
    uint8_t flags;   /* mask of TOKEN_… */
    uint16_t param;  /* parameter of the macro whose body contains it: index plus 1; else 0 */
    uint32_t length; /* bytes */
    union {
        const char *text;       /* spelling of other tokens, such as numbers; not NUL-terminated */
        struct glsl_atom *atom; /* identifiers, keywords and type names */
    };
    struct glsl_loc loc;
};

#endif
