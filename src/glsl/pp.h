/* SPDX-License-Identifier: MIT */
/*
 * The preprocessor (GLSL 4.60 §3.3 and ESSL 3.20 §3.5). It works on tokens, not text, so each token
 * that reaches the parser has a line and column. The tokens of a macro body have the location of
 * the macro's invocation; its arguments keep their own locations.
 *
 *   pp_lex.l        bytes → raw tokens; comments, line continuations, line numbers
 *   pp_directive.c  directives and skipped groups; passes on the other tokens
 *   pp_macro.c      macro expansion
 *   pp_include.c    #include of named strings
 *   pp_expr.y       expressions of #if, #elif and #line
 *   pp.c            entry point and predefined macros
 */
#ifndef PP_H
#define PP_H

#include "glsl/glsl_compiler.h"

#define PP_MAX_EXPANDED (1u << 20) /* total tokens that macro expansion may create */
#define PP_MAX_NESTING  200        /* nested macro calls, #ifs, and parentheses in #if */
#define PP_MAX_PARAMS   1000

enum pp_macro_kind { PP_MACRO_USER, PP_MACRO_LINE, PP_MACRO_FILE, PP_MACRO_VALUE };

struct pp_macro {
    struct glsl_atom *name;
    uint8_t kind; /* enum pp_macro_kind */
    bool is_function;
    bool active; /* currently being expanded */
    unsigned num_params;
    struct glsl_atom **params;
    struct glsl_token *body;
    unsigned body_length;
    unsigned value; /* PP_MACRO_VALUE only */
};

/* A growing array of tokens in the arena. */
struct pp_tokens {
    struct glsl_token *data;
    unsigned count, capacity;
};

/* A token list that is being read, on a stack of such lists. */
struct pp_context {
    struct pp_context *below;
    const struct glsl_token *tokens;
    unsigned position, count;
    struct pp_macro *macro; /* macro whose expansion this is, or NULL */
    bool barrier;           /* reading stops at the end of this list */
};

/* An open #if. */
struct pp_condition {
    struct pp_condition *outer;
    struct glsl_loc loc;
    bool active; /* the current group is compiled */
    bool taken;  /* some group was compiled */
    bool outer_active;
    bool has_else;
};

struct pp {
    struct glsl_compiler *c;
    /* The text being scanned, with line continuations joined, followed by two NUL bytes. */
    char *text;
    size_t length, position; /* position: offset after the last token */
    void *scanner;           /* flex scanner */
    bool space;              /* white space or a comment precedes the token */
    bool at_end;
    struct glsl_loc comment; /* start of the open comment */
    const uint32_t *splices; /* offsets where lines were joined, ascending */
    unsigned num_splices, next_splice;
    size_t line_start;     /* offset of the current line */
    uint32_t text_line;    /* line in the text, counted from 0 */
    uint32_t line, source; /* as set by #line */
    bool line_begins;      /* only white space on this line so far */

    struct pp_context *contexts;
    unsigned expanded, nesting;
    struct pp_condition *conditions;
    struct pp_condition *outer_conditions; /* open #ifs of the including text, or NULL */
    unsigned num_conditions;
    bool version_allowed;       /* only white space and comments so far */
    bool seen_token;            /* a token outside directives was seen */
    unsigned braces;            /* number of open { so far */
    struct pp_include *include; /* innermost included string being read, or NULL */
    unsigned num_included;
    size_t included_text; /* total bytes of included strings */
    struct strbuf *out;   /* receives the preprocessed text, or NULL */
    uint32_t out_line;
};

/* --- pp_lex.l --- */
/* Joins continued lines; sets text and splices. */
void pp_lex_init(struct pp *pp, const char *text, size_t length);
/* Returns the next raw token: TOK_NEWLINE at each end of a line, TOK_EOF repeatedly at the end. */
struct glsl_token pp_lex(struct pp *pp);
/* Returns the rest of the line as text, trimmed, including comments. */
const char *pp_lex_rest_of_line(struct pp *pp, size_t *length);
/* Scans a string that must be exactly one token and is followed by two NUL bytes. The token points
 * into the string. Returns false if it is not one token. */
bool pp_lex_string(struct pp *pp, char *text, size_t length, struct glsl_token *token);

/* --- pp_directive.c --- */
/* Returns the next token outside directives and skipped groups. */
struct glsl_token pp_next_text(struct pp *pp);
/* Defines the macro of an extension whose name is new to the compilation. */
void pp_extension_macro(struct pp *pp, struct glsl_atom *atom);
/* At the end of a text: reports open #ifs and closes them. */
void pp_check_conditions(struct pp *pp);

/* --- pp_include.c --- */
/* Starts reading the string that an #include with this rest of the line names. */
void pp_include(struct pp *pp, const char *line, size_t length, struct glsl_loc loc);
/* At the end of an included string, returns to the including text. Returns false at the end of the
 * shader. */
bool pp_leave_include(struct pp *pp);

/* --- pp_macro.c --- */
void pp_append(struct pp *pp, struct pp_tokens *list, struct glsl_token token);
/* Defines a macro. line: the tokens after #define, without the newline. */
void pp_define(struct pp *pp, const struct glsl_token *line, unsigned count, struct glsl_loc loc);
void pp_predefine(struct pp *pp, const char *name, enum pp_macro_kind kind, unsigned value);
void pp_predefine_atom(struct pp *pp, struct glsl_atom *name, enum pp_macro_kind kind,
                       unsigned value);
/* Returns the next token after macro expansion. Never returns a newline. */
struct glsl_token pp_next(struct pp *pp);
/* Appends the expansion of the given tokens, in isolation. */
void pp_expand_list(struct pp *pp, const struct glsl_token *tokens, unsigned count,
                    struct pp_tokens *out);

/* --- pp_expr.y --- */
/* Evaluates the expression that the tokens form; they contain no newlines. Returns false after an
 * error. */
bool pp_evaluate(struct pp *pp, const struct glsl_token *tokens, unsigned count,
                 struct glsl_loc loc, int64_t *value);
/* Evaluates the one or two expressions of #line. *source is unchanged if there is only one. */
bool pp_evaluate_line(struct pp *pp, const struct glsl_token *tokens, unsigned count,
                      struct glsl_loc loc, int64_t *number, int64_t *source);

#endif
