/* SPDX-License-Identifier: MIT */
/*
 * State of one compilation, from the text to HIR, shared by the preprocessor, the parser and
 * ast_to_hir. Everything except the HIR is allocated in the arena and freed with it.
 *
 * An error does not stop the compilation, so one run can report several. Errors after which it
 * cannot continue (nesting too deep, too many errors, out of memory) call glsl_fatal, which returns
 * to the setjmp of the entry point.
 */
#ifndef GLSL_COMPILER_H
#define GLSL_COMPILER_H

#include <locale.h>
#include <setjmp.h>

#include "glsl/glsl.h"
#include "glsl/glsl_token.h"
#include "util/arena.h"
#include "util/hash_table.h"
#include "util/strbuf.h"

/* Maximum nesting of expressions and statements together. It bounds the recursion of all passes. */
#define GLSL_MAX_DEPTH  1000
#define GLSL_MAX_ERRORS 60

/* Source string numbers of included strings start here. */
#define GLSL_INCLUDE_SOURCE (1u << 20)

/* A range of lines that are numbered consecutively, that is, without #line in between. Messages use
 * it to find the text of a line. */
struct glsl_line_run {
    uint32_t source, first_line; /* numbers set by #line */
    uint32_t first_text_line;    /* line in the text, counted from 0 */
};

/* An included string. Its source number is GLSL_INCLUDE_SOURCE plus its index in c->included. */
struct glsl_included {
    const char *location, *text;
    size_t length;
    bool renumbered; /* it contains #line, so its lines cannot be found by their numbers */
};

enum glsl_profile { GLSL_PROFILE_NONE, GLSL_PROFILE_CORE, GLSL_PROFILE_COMPATIBILITY };

struct glsl_compiler {
    const struct glsl_options *options;
    const struct glsl_includes *includes; /* NULL: #include is not available */
    enum shader_stage stage;
    unsigned version; /* set by #version, or the default */
    bool es;
    bool compat; /* deprecated features are available */
    bool pragma_invariant_all;
    BITSET_DECLARE(ext_enabled, GLSL_EXT_COUNT);
    BITSET_DECLARE(ext_warn, GLSL_EXT_COUNT); /* extensions enabled with `warn` */
    bool warns;                               /* some extension was enabled with `warn` */

    void *mem_ctx; /* of this compilation; freed at the end */
    struct arena *arena;
    struct hash_table *atoms;
    locale_t c_locale; /* for reading numbers, whatever the process's locale is */

    const char *text;
    size_t length;
    struct pp *pp;             /* set while the preprocessor runs, once the version is known */
    struct glsl_token *tokens; /* the preprocessed shader; ends with TOK_EOF */
    unsigned num_tokens;

    /* Diagnostics */
    struct strbuf log;
    unsigned num_errors;
    struct glsl_line_run *runs;
    unsigned num_runs, runs_capacity;
    struct glsl_included *included;
    unsigned num_included, included_capacity;
    uint32_t *line_offsets; /* offset of each line in the text; created for the first message */
    unsigned num_lines;
    jmp_buf fatal;
};

/* --- glsl_diag.c --- */
/* --- glsl_diag.c --- */
/* Returns the included string with a source number, or NULL for the shader's own text. */
struct glsl_included *glsl_included_of(const struct glsl_compiler *c, uint32_t source);
void glsl_error(struct glsl_compiler *c, struct glsl_loc loc, const char *format, ...)
    PRINTFLIKE(3, 4);
void glsl_warning(struct glsl_compiler *c, struct glsl_loc loc, const char *format, ...)
    PRINTFLIKE(3, 4);
_Noreturn void glsl_fatal(struct glsl_compiler *c, struct glsl_loc loc, const char *format, ...)
    PRINTFLIKE(3, 4);
_Noreturn void glsl_no_memory(struct glsl_compiler *c);
/* Records that from line text_line of the text on, lines are numbered `line` and up in string
 * `source`. */
void glsl_start_line_run(struct glsl_compiler *c, uint32_t text_line, uint32_t source,
                         uint32_t line);

/* Warns that `what` is used if only an extension enabled with `warn` makes it available. `has`
 * returns whether it is available with a set of extensions. Call this only if c->warns. */
void glsl_warn_use(struct glsl_compiler *c, struct glsl_loc loc, const char *what,
                   bool (*has)(void *data, const bitset_word *extensions), void *data);

/* The candidate that is most similar to an unknown name. */
struct glsl_suggestion {
    const char *wrong;
    const char *best; /* NULL: no candidate is similar */
    unsigned distance, compared;
};
void glsl_suggest(struct glsl_suggestion *s, const char *name);
/* Returns `, did you mean "best"?`, or "". */
const char *glsl_suggestion_text(struct glsl_compiler *c, const struct glsl_suggestion *s);

/* --- glsl_compile.c --- */
void *glsl_alloc(struct glsl_compiler *c, size_t size); /* zeroed memory in the arena; never NULL */
char *glsl_arena_strndup(struct glsl_compiler *c, const char *text, size_t length);
struct glsl_atom *glsl_atom_get(struct glsl_compiler *c, const char *text, size_t length);
/* Returns NULL if the shader does not contain the word. */
struct glsl_atom *glsl_atom_find(struct glsl_compiler *c, const char *text, size_t length);

/* Grows *array so that it has space for another element; `count` elements are in use. */
void glsl_grow(struct glsl_compiler *c, void **array, unsigned *capacity, unsigned count,
               size_t element);

static inline bool glsl_has_ext(const struct glsl_compiler *c, enum glsl_extension ext)
{
    return bitset_test(c->ext_enabled, ext);
}

/* Returns whether the language version is at least `gl` (desktop) or `es` (ES); 0: never. */
static inline bool glsl_is_version(const struct glsl_compiler *c, unsigned gl, unsigned es)
{
    unsigned least = c->es ? es : gl;
    return least && c->version >= least;
}

/* --- glsl_keywords.c --- */
/* Returns the row of a word in the keyword table; 0: none. */
unsigned glsl_keyword_row(const char *text, size_t length);
/* Returns the kind of a word at this point, for the version and the enabled extensions: TOK_IDENT,
 * TOK_TYPE, TOK_RESERVED or a keyword. */
glsl_token_kind glsl_keyword_kind(const struct glsl_compiler *c, const struct glsl_atom *atom);
/* Does the same for other extensions. */
glsl_token_kind glsl_keyword_kind_with(const struct glsl_compiler *c, const struct glsl_atom *atom,
                                       const bitset_word *extensions);
void glsl_suggest_types(const struct glsl_compiler *c, struct glsl_suggestion *s);

/* --- pp.c --- */
/* Runs the preprocessor and sets c->tokens. If out is not NULL, also appends the preprocessed
 * text. */
void glsl_pp_run(struct glsl_compiler *c, struct strbuf *out);

/* Returns the spelling of a token for messages. */
const char *glsl_token_text(struct glsl_compiler *c, const struct glsl_token *token);

#endif
