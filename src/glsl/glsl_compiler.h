/* SPDX-License-Identifier: MIT */
/*
 * State of one compilation, from the bytes to the HIR: what all parts of the front half share.
 * Everything that is made lives in the arena and goes with it, except the HIR itself.
 *
 * Errors do not stop the compilation, so that one run reports several; what cannot be continued
 * (nesting beyond the limits, too many errors, no memory) leaves through glsl_fatal, which returns
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

/* Nesting of expressions and statements, together: bounds the recursion of every pass. */
#define GLSL_MAX_DEPTH  1000
#define GLSL_MAX_ERRORS 60

/* Source numbers of included strings start here. */
#define GLSL_INCLUDE_SOURCE (1u << 20)

/* A run of lines whose numbers #line did not disturb; messages find the text of a line by it. */
struct glsl_line_run {
    uint32_t source, first_line; /* as numbered */
    uint32_t first_text_line;    /* counted from 0 in the text */
};

/* An included string: source number GLSL_INCLUDE_SOURCE and on, as they are in c->included. */
struct glsl_included {
    const char *location, *text;
    size_t length;
    bool renumbered; /* by #line: its lines are not known by their numbers */
};

enum glsl_profile { GLSL_PROFILE_NONE, GLSL_PROFILE_CORE, GLSL_PROFILE_COMPATIBILITY };

struct glsl_compiler {
    const struct glsl_options *options;
    const struct glsl_includes *includes; /* NULL: there is nothing to include */
    enum shader_stage stage;
    unsigned version; /* of #version, or the default */
    bool es;
    bool compat; /* deprecated features are there */
    bool pragma_invariant_all;
    BITSET_DECLARE(ext_enabled, GLSL_EXT_COUNT);
    BITSET_DECLARE(ext_warn, GLSL_EXT_COUNT); /* enabled by `warn`: uses are reported */
    bool warns;                               /* some extension was */

    void *mem_ctx; /* of this compilation; freed at its end */
    struct arena *arena;
    struct hash_table *atoms;
    locale_t c_locale; /* numbers are read in it, whatever the process has set */

    const char *text;
    size_t length;
    struct pp *pp;             /* while it runs, from where the version is known */
    struct glsl_token *tokens; /* the preprocessed shader, ends with TOK_EOF */
    unsigned num_tokens;

    /* Diagnostics */
    struct strbuf log;
    unsigned num_errors;
    struct glsl_line_run *runs;
    unsigned num_runs, runs_capacity;
    struct glsl_included *included;
    unsigned num_included, included_capacity;
    uint32_t *line_offsets; /* of each line of the text, made for the first message */
    unsigned num_lines;
    jmp_buf fatal;
};

/* --- glsl_diag.c --- */
/* The string that a source number stands for; NULL: the shader's own text. */
struct glsl_included *glsl_included_of(const struct glsl_compiler *c, uint32_t source);
void glsl_error(struct glsl_compiler *c, struct glsl_loc loc, const char *format, ...)
    PRINTFLIKE(3, 4);
void glsl_warning(struct glsl_compiler *c, struct glsl_loc loc, const char *format, ...)
    PRINTFLIKE(3, 4);
_Noreturn void glsl_fatal(struct glsl_compiler *c, struct glsl_loc loc, const char *format, ...)
    PRINTFLIKE(3, 4);
_Noreturn void glsl_no_memory(struct glsl_compiler *c);
/* Says that from line text_line of the text on, lines count from line of source. */
void glsl_start_line_run(struct glsl_compiler *c, uint32_t text_line, uint32_t source,
                         uint32_t line);

/* Warns of `what` if it is there only by an extension that `warn` has enabled. has: whether it is
 * there with these extensions. Call it only if c->warns. */
void glsl_warn_use(struct glsl_compiler *c, struct glsl_loc loc, const char *what,
                   bool (*has)(void *data, const bitset_word *extensions), void *data);

/* The name that is most like a wrong one, of all that were considered. */
struct glsl_suggestion {
    const char *wrong;
    const char *best; /* NULL: none is alike */
    unsigned distance, compared;
};
void glsl_suggest(struct glsl_suggestion *s, const char *name);
/* `, did you mean "best"?`, or nothing. */
const char *glsl_suggestion_text(struct glsl_compiler *c, const struct glsl_suggestion *s);

/* --- glsl_compile.c --- */
void *glsl_alloc(struct glsl_compiler *c, size_t size); /* zeroed, never NULL, in the arena */
char *glsl_arena_strndup(struct glsl_compiler *c, const char *text, size_t length);
struct glsl_atom *glsl_atom_get(struct glsl_compiler *c, const char *text, size_t length);
/* NULL if the shader has no such word. */
struct glsl_atom *glsl_atom_find(struct glsl_compiler *c, const char *text, size_t length);

/* Sets *array to one with room for another element; count is the elements in use. */
void glsl_grow(struct glsl_compiler *c, void **array, unsigned *capacity, unsigned count,
               size_t element);

static inline bool glsl_has_ext(const struct glsl_compiler *c, enum glsl_extension ext)
{
    return bitset_test(c->ext_enabled, ext);
}

/* Whether the language version is at least that of its kind; 0: never in that kind. */
static inline bool glsl_is_version(const struct glsl_compiler *c, unsigned gl, unsigned es)
{
    unsigned least = c->es ? es : gl;
    return least && c->version >= least;
}

/* --- glsl_keywords.c --- */
/* Row of the keyword table for a word, 0: none. */
unsigned glsl_keyword_row(const char *text, size_t length);
/* What a word is here and now (version, extensions enabled): TOK_IDENT, TOK_TYPE, TOK_RESERVED or a
 * keyword. */
glsl_token_kind glsl_keyword_kind(const struct glsl_compiler *c, const struct glsl_atom *atom);
/* The same with other extensions. */
glsl_token_kind glsl_keyword_kind_with(const struct glsl_compiler *c, const struct glsl_atom *atom,
                                       const bitset_word *extensions);
void glsl_suggest_types(const struct glsl_compiler *c, struct glsl_suggestion *s);

/* --- pp.c --- */
/* Fills c->tokens. out: NULL, or takes the preprocessed text. */
void glsl_pp_run(struct glsl_compiler *c, struct strbuf *out);

/* The spelling of a token for messages. */
const char *glsl_token_text(struct glsl_compiler *c, const struct glsl_token *token);

#endif
