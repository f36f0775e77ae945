/* SPDX-License-Identifier: MIT */
/*
 * The preprocessor (GLSL 4.60 §3.3 and ESSL 3.20 §3.5). It works on tokens, not text, so each token
 * that reaches the parser has a line and column. Tokens from the body of a macro get the location
 * of the macro's invocation. Tokens of its arguments keep their own locations.
 *
 *   pp_lex.l        bytes → raw tokens; comments, line continuations, line numbers
 *   pp_directive.c  raw tokens → tokens outside of directives and skipped groups
 *   pp_macro.c      macro expansion
 *   pp_include.c    #include of named strings
 *   pp_expr.y       expressions of #if, #elif and #line
 *   pp.c            entry point and predefined macros
 */
#ifndef PP_H
#define PP_H

#include "glsl/glsl_compiler.h"

/* Limits. Exceeding one is an error. */
#define PP_MAX_EXPANDED (1u << 20) /* tokens that macro expansion creates in a shader */
#define PP_MAX_NESTING  200        /* levels of macro calls in arguments of macro calls */
#define PP_MAX_OPEN_IFS 10000      /* levels of #if */
#define PP_MAX_PARAMS   1000       /* parameters of a macro */

/* A macro of the shader, __LINE__, __FILE__, or a predefined macro with a constant value. */
enum pp_macro_kind { PP_MACRO_USER, PP_MACRO_LINE, PP_MACRO_FILE, PP_MACRO_VALUE };

/* The definition of a macro. */
struct pp_macro {
    struct glsl_atom *name;
    uint8_t kind; /* enum pp_macro_kind */
    bool is_function;
    bool active; /* its expansion is being read, so it is not expanded again */
    unsigned num_params;
    struct glsl_atom **params;
    struct glsl_token *body;
    unsigned body_length;
    unsigned value; /* PP_MACRO_VALUE only: the integer that it expands to */
};

/* A growing array of tokens in the arena. */
struct pp_tokens {
    struct glsl_token *data;
    unsigned count, capacity;
};

/* A token list that pp_next reads, such as the expansion of a macro. The lists form a stack; when
 * the top one ends, the one below it continues. */
struct pp_context {
    struct pp_context *below;
    const struct glsl_token *tokens;
    unsigned position, count; /* index of the next token; number of tokens */
    struct pp_macro *macro;   /* macro that the list is the expansion of, or NULL */
    bool barrier;             /* at the end of the list, pp_next returns TOK_EOF */
};

/* An open #if. */
struct pp_condition {
    struct pp_condition *outer;
    struct glsl_loc loc;
    bool active;       /* the current group is compiled, not skipped */
    bool taken;        /* the condition of this or a preceding group was true */
    bool outer_active; /* the group that contains the #if is compiled */
    bool has_else;     /* #else was seen */
};

/* State of the preprocessor. */
struct pp {
    struct glsl_compiler *c;
    /* The text being scanned (shader or included string), with continued lines joined. Two NUL
     * bytes follow it. */
    char *text;
    size_t length, position; /* bytes; position is the offset of the end of the last token */
    void *scanner;           /* flex scanner */
    bool space;              /* white space or a comment precedes the token being scanned */
    bool at_end;             /* the end of the text was reached */
    struct glsl_loc comment; /* start of the last comment; used if the text ends in it */
    const uint32_t *splices; /* offsets in `text` where lines were joined, ascending */
    unsigned num_splices, next_splice; /* next_splice: index of the first one not yet passed */
    size_t line_start;                 /* offset of the current line */
    uint32_t text_line;                /* number of the current line in the text, from 0 */
    uint32_t line, source;             /* its line and source string number; #line sets them */
    bool line_begins;                  /* only white space on this line so far */

    struct pp_context *contexts; /* top of the stack of token lists, or NULL */
    unsigned expanded, nesting;  /* tokens created by expansion; levels of pp_expand_list calls */
    struct pp_condition *conditions;       /* innermost open #if, or NULL */
    struct pp_condition *outer_conditions; /* value of `conditions` at the #include of this text */
    unsigned num_conditions;               /* number of open #ifs */
    bool version_allowed; /* only white space and comments so far; the version is not known yet */
    bool seen_token;      /* a token outside directives was seen */
    unsigned braces;      /* number of { that are still open */
    struct pp_include *include; /* innermost included string being read, or NULL */
    unsigned num_included;      /* number of included strings so far */
    size_t included_text;       /* their total size in bytes */
    struct strbuf *out;         /* receives the preprocessed text, or NULL */
    uint32_t out_line;          /* line of the last token in `out`; 0: at the start of a line */
};

/* --- pp_lex.l --- */
/* Starts scanning a text. Sets pp->text to a copy of it with continued lines joined. */
void pp_lex_init(struct pp *pp, const char *text, size_t length);
/* Returns the next raw token. Returns TOK_NEWLINE at the end of each line and, from the end of the
 * text on, TOK_EOF each time. */
struct glsl_token pp_lex(struct pp *pp);
/* Reads the rest of the line, including its newline. Returns its text, including comments, without
 * blanks at both ends; it points into pp->text and is not NUL-terminated. */
const char *pp_lex_rest_of_line(struct pp *pp, size_t *length);
/* Scans a string that is followed by two NUL bytes. Returns false unless it is exactly one token.
 * The token points into the string. */
bool pp_lex_string(struct pp *pp, char *text, size_t length, struct glsl_token *token);

/* --- pp_directive.c --- */
/* Returns the next token outside of directives and skipped groups, before macro expansion.
 * Processes the directives before it. Also returns TOK_NEWLINE, even in skipped groups, and TOK_EOF
 * at the end of the shader, but not of an included string. */
struct glsl_token pp_next_text(struct pp *pp);
/* If the atom is the name of an extension that the shader may enable, defines the macro of that
 * name as 1. Called for each new atom that starts with GL_. */
void pp_extension_macro(struct pp *pp, struct glsl_atom *atom);
/* Called at the end of a text. If it has open #ifs, reports the innermost one and closes all. */
void pp_check_conditions(struct pp *pp);

/* --- pp_include.c --- */
/* Handles #include. `line` is the text after it on the line, which names a string. pp_lex then
 * continues in that string. Reports an error if it does not exist. */
void pp_include(struct pp *pp, const char *line, size_t length, struct glsl_loc loc);
/* Called at the end of a text. If it is an included string, makes pp_lex continue in the text that
 * includes it, after pp_check_conditions, and returns true. Returns false for the shader itself. */
bool pp_leave_include(struct pp *pp);

/* --- pp_macro.c --- */
/* Appends a token to a list. */
void pp_append(struct pp *pp, struct pp_tokens *list, struct glsl_token token);
/* Handles #define. line: the tokens after it, without the newline. */
void pp_define(struct pp *pp, const struct glsl_token *line, unsigned count, struct glsl_loc loc);
/* Define a built-in macro. value is used for PP_MACRO_VALUE only. */
void pp_predefine(struct pp *pp, const char *name, enum pp_macro_kind kind, unsigned value);
void pp_predefine_atom(struct pp *pp, struct glsl_atom *name, enum pp_macro_kind kind,
                       unsigned value);
/* Returns the next token after macro expansion, skipping newlines. Returns TOK_EOF at the end of
 * the shader, or at the end of a token list with a barrier. */
struct glsl_token pp_next(struct pp *pp);
/* Appends to `out` the macro expansion of the given tokens. Macro arguments are only taken from
 * these tokens, not from the text that follows. */
void pp_expand_list(struct pp *pp, const struct glsl_token *tokens, unsigned count,
                    struct pp_tokens *out);

/* --- pp_expr.y --- */
/* Evaluates the expression of an #if or #elif, which consists of all the given tokens. Returns
 * false after an error. */
bool pp_evaluate(struct pp *pp, const struct glsl_token *tokens, unsigned count,
                 struct glsl_loc loc, int64_t *value);
/* Evaluates the one or two expressions of #line. *source is unchanged if there is only one. Returns
 * false after an error. */
bool pp_evaluate_line(struct pp *pp, const struct glsl_token *tokens, unsigned count,
                      struct glsl_loc loc, int64_t *number, int64_t *source);

#endif
