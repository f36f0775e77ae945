/* SPDX-License-Identifier: MIT */
/*
 * The preprocessor, GLSL 4.60 §3.3 and ESSL 3.20 §3.5. It works on tokens, not text, so each token
 * that reaches the parser knows its own line and column: a macro's tokens have the place of its
 * invocation, its arguments keep their own.
 *
 *   pp_lex.l        bytes → raw tokens; comments, continued lines, line numbers
 *   pp_directive.c  #-lines, skipped groups; gives the other tokens on
 *   pp_macro.c      macro expansion
 *   pp_include.c    #include, by names that the API knows
 *   pp_expr.y       expressions of #if, #elif and #line
 *   pp.c            the driver and the predefined macros
 */
#ifndef PP_H
#define PP_H

#include "glsl/glsl_compiler.h"

#define PP_MAX_EXPANDED (1u << 20) /* tokens that all expansions of a shader may make */
#define PP_MAX_NESTING  200 /* macro calls in arguments of macro calls, #if in #if, ( in #if */
#define PP_MAX_PARAMS   1000

enum pp_macro_kind { PP_MACRO_USER, PP_MACRO_LINE, PP_MACRO_FILE, PP_MACRO_VALUE };

struct pp_macro {
    struct glsl_atom *name;
    uint8_t kind; /* enum pp_macro_kind */
    bool is_function;
    bool active; /* its expansion is on the stack */
    unsigned num_params;
    struct glsl_atom **params;
    struct glsl_token *body;
    unsigned body_length;
    unsigned value; /* of PP_MACRO_VALUE */
};

struct pp_tokens { /* growing, in the arena */
    struct glsl_token *data;
    unsigned count, capacity;
};

/* A list of tokens that is being read. */
struct pp_context {
    struct pp_context *below;
    const struct glsl_token *tokens;
    unsigned position, count;
    struct pp_macro *macro; /* whose expansion this is, or NULL */
    bool barrier;           /* reading stops at its end */
};

struct pp_condition { /* an open #if */
    struct pp_condition *outer;
    struct glsl_loc loc;
    bool active; /* this group is compiled */
    bool taken;  /* a group was */
    bool outer_active;
    bool has_else;
};

struct pp {
    struct glsl_compiler *c;
    /* The text being lexed, continued lines joined; two NUL bytes follow. */
    char *text;
    size_t length, position; /* position: after the last token */
    void *scanner;           /* flex's */
    bool space;              /* white space or a comment stood before the token */
    bool at_end;
    struct glsl_loc comment; /* where the open comment starts */
    const uint32_t *splices; /* offsets where a continued line was joined, ascending */
    unsigned num_splices, next_splice;
    size_t line_start;     /* offset of the current line */
    uint32_t text_line;    /* counted from 0 */
    uint32_t line, source; /* as numbered by #line */
    bool line_begins;      /* nothing but white space on this line so far */

    struct pp_context *contexts;
    unsigned expanded, nesting;
    struct pp_condition *conditions;
    struct pp_condition *outer_conditions; /* those that are the including text's, or NULL */
    unsigned num_conditions;
    bool version_allowed;       /* nothing but white space and comments yet */
    bool seen_token;            /* a token that is no directive */
    unsigned braces;            /* open { in the text so far */
    struct pp_include *include; /* innermost included string being read, or NULL */
    unsigned num_included;
    size_t included_text; /* bytes */
    struct strbuf *out;   /* preprocessed text, or NULL */
    uint32_t out_line;
};

/* --- pp_lex.l --- */
/* Joins continued lines; sets text, splices. */
void pp_lex_init(struct pp *pp, const char *text, size_t length);
/* The next raw token, TOK_NEWLINE at each line's end, TOK_EOF for good at the end. */
struct glsl_token pp_lex(struct pp *pp);
/* The rest of the line as text, trimmed, comments kept. */
const char *pp_lex_rest_of_line(struct pp *pp, size_t *length);
/* Lexes a string that must be one token, which then points into it; two NUL bytes follow it. */
bool pp_lex_string(struct pp *pp, char *text, size_t length, struct glsl_token *token);

/* --- pp_directive.c --- */
/* The next token outside of directives and skipped groups. */
struct glsl_token pp_next_text(struct pp *pp);
/* Gives the atom of an extension's name, when it is new, the macro that says it is there. */
void pp_extension_macro(struct pp *pp, struct glsl_atom *atom);
void pp_check_conditions(struct pp *pp); /* at the end of a text; closes what it left open */

/* --- pp_include.c --- */
/* Reads on in the string that an #include with this rest of its line means. */
void pp_include(struct pp *pp, const char *line, size_t length, struct glsl_loc loc);
/* At the end of an included string: back to what included it. False: it is the shader's end. */
bool pp_leave_include(struct pp *pp);

/* --- pp_macro.c --- */
void pp_append(struct pp *pp, struct pp_tokens *list, struct glsl_token token);
/* #define after the word itself; line: the rest of the line without newline. */
void pp_define(struct pp *pp, const struct glsl_token *line, unsigned count, struct glsl_loc loc);
void pp_predefine(struct pp *pp, const char *name, enum pp_macro_kind kind, unsigned value);
void pp_predefine_atom(struct pp *pp, struct glsl_atom *name, enum pp_macro_kind kind,
                       unsigned value);
/* The next token after expansion; no newlines. */
struct glsl_token pp_next(struct pp *pp);
/* Appends the expansion of tokens alone. */
void pp_expand_list(struct pp *pp, const struct glsl_token *tokens, unsigned count,
                    struct pp_tokens *out);

/* --- pp_expr.y --- */
/* Value of the expression that tokens are, without newlines. False after an error. */
bool pp_evaluate(struct pp *pp, const struct glsl_token *tokens, unsigned count,
                 struct glsl_loc loc, int64_t *value);
/* Values of the one or two expressions of #line; source is left alone if there is one. */
bool pp_evaluate_line(struct pp *pp, const struct glsl_token *tokens, unsigned count,
                      struct glsl_loc loc, int64_t *number, int64_t *source);

#endif
