/* SPDX-License-Identifier: MIT */
/*
 * State of one compilation, from the text to HIR, shared by the preprocessor, the parser and
 * ast_to_hir. Everything except the HIR belongs to glsl_compiler.mem_ctx, mostly to the arena in
 * it, and is freed at the end of the compilation.
 *
 * An error does not stop the compilation, so one run can report several. After a fatal error
 * (nesting too deep, too many errors, out of memory), the compiler jumps to glsl_compiler.fatal,
 * the jmp_buf that the entry point has set.
 */
#ifndef GLSL_COMPILER_H
#define GLSL_COMPILER_H

#include <locale.h>
#include <setjmp.h>

#include "glsl/glsl.h"
#include "glsl/glsl_token.h"
#include "util/arena.h"
#include "util/deep_stack.h"
#include "util/hash_table.h"
#include "util/strbuf.h"

/* Maximum nesting of expressions and statements together. It bounds the recursion of all passes,
 * which run on a large stack (deep_stack.h). */
#define GLSL_MAX_DEPTH  UTIL_DEEP_LEVELS
#define GLSL_MAX_ERRORS 60 /* number of errors at which the compilation stops */

/* Source string number of the first included string; the next one has the next number. */
#define GLSL_INCLUDE_SOURCE (1u << 20)

/* A range of lines that are numbered consecutively, that is, without #line in between. Messages use
 * it to find the text of a line. */
struct glsl_line_run {
    uint32_t source, first_line; /* source string and number of the first line, as set by #line */
    uint32_t first_text_line;    /* number of that line in the text, from 0 */
};

/* An included string. Its source number is GLSL_INCLUDE_SOURCE plus its index in c->included. */
struct glsl_included {
    const char *location, *text; /* absolute path; contents, not NUL-terminated */
    size_t length;               /* bytes of text */
    bool renumbered; /* it contains #line, so its lines cannot be found by their numbers */
};

/* The profile that #version names. */
enum glsl_profile { GLSL_PROFILE_NONE, GLSL_PROFILE_CORE, GLSL_PROFILE_COMPATIBILITY };

/* The state. Only the thread that compiles may access it. */
struct glsl_compiler {
    const struct glsl_options *options;   /* borrowed */
    const struct glsl_includes *includes; /* NULL: #include is not available */
    enum shader_stage stage;
    unsigned version; /* set by #version, or the default */
    bool es;
    bool compat; /* deprecated features are available */
    bool pragma_invariant_all;
    BITSET_DECLARE(ext_enabled, GLSL_EXT_COUNT); /* extensions enabled at this point */
    BITSET_DECLARE(ext_warn, GLSL_EXT_COUNT);    /* extensions enabled with `warn` */
    bool warns;                                  /* some extension was ever enabled with `warn` */

    void *mem_ctx;            /* talloc context of this compilation, freed at the end */
    struct arena *arena;      /* child of mem_ctx */
    struct hash_table *atoms; /* set of struct glsl_atom, by text */
    locale_t c_locale;        /* for reading numbers, whatever the process's locale is */

    const char *text; /* the shader as passed by the API */
    size_t length;
    struct pp *pp;             /* set while the preprocessor runs, once the version is known */
    struct glsl_token *tokens; /* the preprocessed shader; ends with TOK_EOF */

    /* Diagnostics */
    struct strbuf log;
    unsigned num_errors;
    unsigned num_link_errors; /* errors (also in num_errors) that fail linking, not compilation */
    struct glsl_line_run *runs;
    unsigned num_runs, runs_capacity;
    struct glsl_included *included;
    unsigned num_included, included_capacity;
    uint32_t *line_offsets; /* byte offset of each line in the text; NULL until needed */
    unsigned num_lines;
    bool needs_stack; /* the compilation must be repeated on a larger stack (deep_stack.h) */
    jmp_buf fatal;    /* where fatal errors jump to */
};

/* --- glsl_diag.c --- */
/* Returns the included string with this source string number, or NULL if the number does not belong
 * to one. */
struct glsl_included *glsl_included_of(const struct glsl_compiler *c, uint32_t source);
/* Append a message with the source line to the log. glsl_error also counts it in c->num_errors;
 * error number GLSL_MAX_ERRORS is fatal. glsl_warning does nothing if the log is large. */
void glsl_error(struct glsl_compiler *c, struct glsl_loc loc, const char *format, ...)
    PRINTFLIKE(3, 4);
void glsl_warning(struct glsl_compiler *c, struct glsl_loc loc, const char *format, ...)
    PRINTFLIKE(3, 4);
/* Report an error and jump to c->fatal. */
_Noreturn void glsl_fatal(struct glsl_compiler *c, struct glsl_loc loc, const char *format, ...)
    PRINTFLIKE(3, 4);
_Noreturn void glsl_no_memory(struct glsl_compiler *c);
/* Jumps to c->fatal with c->needs_stack set if the stack does not suffice for that many levels of
 * nesting. */
void glsl_need_levels(struct glsl_compiler *c, unsigned levels);
/* Starts a line run: text_line (counted from 0) of the text has the number `line` in source string
 * `source`, and the following lines are numbered from there. */
void glsl_start_line_run(struct glsl_compiler *c, uint32_t text_line, uint32_t source,
                         uint32_t line);

/* Warns about a use of the feature `what` if it is available only because of an extension that was
 * enabled with `warn`. `has` returns whether the feature is available with a set of extensions. To
 * save time, callers call this only if c->warns. */
void glsl_warn_use(struct glsl_compiler *c, struct glsl_loc loc, const char *what,
                   bool (*has)(void *data, const bitset_word *extensions), void *data);

/* A search for the name that is most similar to an unknown name. */
struct glsl_suggestion {
    const char *wrong;           /* the unknown name */
    const char *best;            /* most similar name so far; NULL: none is similar enough */
    unsigned distance, compared; /* edit distance of best; number of names compared so far */
};
/* Considers another name, which must stay valid until the suggestion is used. */
void glsl_suggest(struct glsl_suggestion *s, const char *name);
/* Returns `, did you mean "best"?`, or "" if s->best is NULL. The text is in c->mem_ctx. */
const char *glsl_suggestion_text(struct glsl_compiler *c, const struct glsl_suggestion *s);

/* --- glsl_compile.c --- */
/* If there is no memory, these functions do not return but call glsl_no_memory. */
/* Returns zeroed memory in the arena. */
void *glsl_alloc(struct glsl_compiler *c, size_t size);
/* Returns a NUL-terminated copy of a text in the arena. */
char *glsl_arena_strndup(struct glsl_compiler *c, const char *text, size_t length);
/* Returns the atom of a word and creates it if necessary. */
struct glsl_atom *glsl_atom_get(struct glsl_compiler *c, const char *text, size_t length);
/* Returns the atom of a word, or NULL if it does not exist. The preprocessor creates an atom for
 * every word of the shader. */
struct glsl_atom *glsl_atom_find(struct glsl_compiler *c, const char *text, size_t length);

/* Makes sure that *array, with `count` elements in use, has space for another one. May move it to
 * new memory in the arena. `element` is the size of an element in bytes. */
void glsl_grow(struct glsl_compiler *c, void **array, unsigned *capacity, unsigned count,
               size_t element);

/* Returns whether #extension enables the extension. */
static inline bool glsl_has_ext(const struct glsl_compiler *c, enum glsl_extension ext)
{
    return bitset_test(c->ext_enabled, ext);
}

/* Returns whether the shader's version is at least `gl` if it is desktop GLSL, or at least `es` if
 * it is ESSL. A version of 0 means never. */
static inline bool glsl_is_version(const struct glsl_compiler *c, unsigned gl, unsigned es)
{
    unsigned least = c->es ? es : gl;
    return least && c->version >= least;
}

/* --- glsl_keywords.c --- */
/* Returns the index of a word in the keyword table plus 1, or 0 if it is not in the table. */
unsigned glsl_keyword_row(const char *text, size_t length);
/* Returns the token kind of a word with the version and the extensions that are enabled now:
 * TOK_IDENT, TOK_TYPE (a built-in type), TOK_RESERVED, or the kind of a keyword. */
glsl_token_kind glsl_keyword_kind(const struct glsl_compiler *c, const struct glsl_atom *atom);
/* Like glsl_keyword_kind, but with the given extensions enabled. */
glsl_token_kind glsl_keyword_kind_with(const struct glsl_compiler *c, const struct glsl_atom *atom,
                                       const bitset_word *extensions);
/* Considers the names of the available built-in types as suggestions. */
void glsl_suggest_types(const struct glsl_compiler *c, struct glsl_suggestion *s);

/* --- pp.c --- */
/* Preprocesses c->text and sets c->tokens. If `out` is not NULL, also appends the preprocessed text
 * to it. */
void glsl_pp_run(struct glsl_compiler *c, struct strbuf *out);
/* --- glsl_compile.c --- */
/* Returns up to 100 bytes of a token in quotes, for messages; for TOK_EOF, a phrase. The text is in
 * c->mem_ctx or static. */
const char *glsl_token_text(struct glsl_compiler *c, const struct glsl_token *token);

#endif
