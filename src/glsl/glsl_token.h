/* SPDX-License-Identifier: MIT */
/*
 * Tokens of the preprocessor and of the parser, and atoms: identifiers, each kept once per
 * compilation, so that names compare by pointer and macros, keywords and declarations hang
 * directly on the name.
 */
#ifndef GLSL_TOKEN_H
#define GLSL_TOKEN_H

#include "glsl/hir.h"

struct pp_macro;
struct glsl_symbol;

struct glsl_atom {
    const char *text; /* terminated */
    uint32_t length, hash;
    uint16_t keyword;           /* row of the keyword table, counted from 1; 0: none */
    struct pp_macro *macro;     /* what #define gave it, or NULL */
    struct glsl_symbol *symbol; /* innermost visible declaration, or NULL */
    const char *hir_name;       /* copy in the hir_shader's arena, made when first needed */
};

/* Punctuators are the same tokens for the preprocessor and the parser. */
enum glsl_token_kind {
    TOK_EOF,
    TOK_NEWLINE, /* only inside the preprocessor */
    TOK_OTHER,   /* a character that starts no token; an error when the parser gets it */
    TOK_IDENT,
    TOK_NUMBER,

    TOK_LPAREN,
    TOK_RPAREN,
    TOK_LBRACKET,
    TOK_RBRACKET,
    TOK_LBRACE,
    TOK_RBRACE,
    TOK_DOT,
    TOK_COMMA,
    TOK_COLON,
    TOK_SEMICOLON,
    TOK_QUESTION,
    TOK_HASH,
    TOK_PASTE,
    TOK_PLUS,
    TOK_MINUS,
    TOK_STAR,
    TOK_SLASH,
    TOK_PERCENT,
    TOK_INC,
    TOK_DEC,
    TOK_BANG,
    TOK_TILDE,
    TOK_LSHIFT,
    TOK_RSHIFT,
    TOK_LESS,
    TOK_GREATER,
    TOK_LEQUAL,
    TOK_GEQUAL,
    TOK_EQUAL,
    TOK_NEQUAL,
    TOK_AMPERSAND,
    TOK_BAR,
    TOK_CARET,
    TOK_ANDAND,
    TOK_OROR,
    TOK_XORXOR,
    TOK_ASSIGN,
    TOK_ADD_ASSIGN,
    TOK_SUB_ASSIGN,
    TOK_MUL_ASSIGN,
    TOK_DIV_ASSIGN,
    TOK_MOD_ASSIGN,
    TOK_SHL_ASSIGN,
    TOK_SHR_ASSIGN,
    TOK_AND_ASSIGN,
    TOK_XOR_ASSIGN,
    TOK_OR_ASSIGN,

    TOK_FIRST_KEYWORD,
    TOK_TYPE = TOK_FIRST_KEYWORD, /* a built-in type's name */
    TOK_TRUE,
    TOK_FALSE,
    TOK_IF,
    TOK_ELSE,
    TOK_FOR,
    TOK_WHILE,
    TOK_DO,
    TOK_SWITCH,
    TOK_CASE,
    TOK_DEFAULT,
    TOK_BREAK,
    TOK_CONTINUE,
    TOK_RETURN,
    TOK_DISCARD,
    TOK_DEMOTE,
    TOK_STRUCT,
    TOK_PRECISION,
    TOK_LOWP,
    TOK_MEDIUMP,
    TOK_HIGHP,
    TOK_CONST,
    TOK_ATTRIBUTE,
    TOK_VARYING,
    TOK_UNIFORM,
    TOK_BUFFER,
    TOK_SHARED,
    TOK_IN,
    TOK_OUT,
    TOK_INOUT,
    TOK_CENTROID,
    TOK_SAMPLE,
    TOK_PATCH,
    TOK_SMOOTH,
    TOK_FLAT,
    TOK_NOPERSPECTIVE,
    TOK_INVARIANT,
    TOK_PRECISE,
    TOK_LAYOUT,
    TOK_SUBROUTINE,
    TOK_COHERENT,
    TOK_VOLATILE,
    TOK_RESTRICT,
    TOK_READONLY,
    TOK_WRITEONLY,
    TOK_UNSIGNED, /* GL_EXT_gpu_shader4: `unsigned int` */
    TOK_RESERVED, /* a word that the language keeps for itself */
};

enum {
    TOKEN_SPACE_BEFORE = 1 << 0, /* white space or a comment stands before it */
    TOKEN_NO_EXPAND = 1 << 1,    /* its macro was being expanded: never to be expanded again */
    TOKEN_LINE_START = 1 << 2,   /* first of its line */
};

struct glsl_token {
    uint8_t kind; /* enum glsl_token_kind */
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
