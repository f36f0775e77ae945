/* SPDX-License-Identifier: MIT */
/* Entry points of the compiler, its memory, and atoms. */
#include <talloc.h>

#include "glsl/ast_to_hir.h"
#include "glsl/pp.h"
#include "util/deep_stack.h"
#include "util/memory.h"
#include "util/options.h"

#define MAX_TEXT (64u << 20) /* bytes of a shader */

/* -------------------------------------------------------------------------------- memory --- */

void *glsl_alloc(struct glsl_compiler *c, size_t size)
{
    void *p = arena_zalloc(c->arena, size);
    if (!p)
        glsl_no_memory(c);
    return p;
}

char *glsl_arena_strndup(struct glsl_compiler *c, const char *text, size_t length)
{
    char *copy = arena_alloc_aligned(c->arena, length + 1, 1);
    if (!copy)
        glsl_no_memory(c);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void glsl_grow(struct glsl_compiler *c, void **array, unsigned *capacity, unsigned count,
               size_t element)
{
    if (count < *capacity)
        return;
    if (count > UINT32_MAX / 4)
        glsl_no_memory(c);
    unsigned n = MAX2(4, count * 2);
    void *p = arena_alloc(c->arena, n * element);
    if (!p)
        glsl_no_memory(c);
    if (count)
        memcpy(p, *array, count * element);
    *array = p;
    *capacity = n;
}

/* --------------------------------------------------------------------------------- atoms --- */

static uint32_t atom_hash(const void *key)
{
    return ((const struct glsl_atom *)key)->hash;
}

static bool atom_equal(const void *a, const void *b)
{
    const struct glsl_atom *x = a, *y = b;
    return x->length == y->length && !memcmp(x->text, y->text, x->length);
}

struct glsl_atom *glsl_atom_find(struct glsl_compiler *c, const char *text, size_t length)
{
    struct glsl_atom key = {.text = text, .length = length, .hash = hash_data(text, length)};
    struct hash_entry *entry = hash_table_search(c->atoms, &key);
    return entry ? entry->data : NULL;
}

struct glsl_atom *glsl_atom_get(struct glsl_compiler *c, const char *text, size_t length)
{
    struct glsl_atom key = {.text = text, .length = length, .hash = hash_data(text, length)};
    struct hash_entry *entry = hash_table_search(c->atoms, &key);
    if (entry)
        return entry->data;
    struct glsl_atom *atom = glsl_alloc(c, sizeof *atom);
    *atom = key;
    atom->text = glsl_arena_strndup(c, text, length);
    atom->keyword = glsl_keyword_row(text, length);
    if (!hash_table_insert(c->atoms, atom, atom))
        glsl_no_memory(c);
    if (c->pp && !strncmp(atom->text, "GL_", 3))
        pp_extension_macro(c->pp, atom);
    return atom;
}

const char *glsl_token_text(struct glsl_compiler *c, const struct glsl_token *token)
{
    if (token->kind == TOK_EOF)
        return "end of the shader";
    bool named = token->kind == TOK_IDENT || token->kind >= TOK_FIRST_KEYWORD;
    const char *text = named ? token->atom->text : token->text;
    struct strbuf sb = STRBUF_INIT(c->mem_ctx);
    strbuf_printf(&sb, "\"%.*s\"", (int)MIN2(token->length, 100), text);
    return strbuf_str(&sb);
}

void glsl_need_levels(struct glsl_compiler *c, unsigned levels)
{
    if (util_deep_enough(levels))
        return;
    c->needs_stack = true;
    longjmp(c->fatal, 1);
}

/* --------------------------------------------------------------------------- entry points --- */

static bool init(struct glsl_compiler *c, void *mem_ctx, const struct glsl_options *options,
                 enum shader_stage stage, const char *text, size_t length)
{
    c->mem_ctx = talloc_new(mem_ctx);
    c->log.mem_ctx = c->mem_ctx;
    c->options = options;
    c->stage = stage;
    c->text = text;
    c->length = length;
    c->version = options->default_version;
    c->es = options->default_version == 100;
    if (!c->mem_ctx)
        return false;
    c->arena = arena_create(c->mem_ctx);
    c->atoms = hash_table_create(c->mem_ctx, atom_hash, atom_equal);
    c->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return c->arena && c->atoms && c->c_locale;
}

static void finish(struct glsl_compiler *c)
{
    if (c->c_locale)
        freelocale(c->c_locale);
    talloc_free(c->mem_ctx);
}

static void check_size(struct glsl_compiler *c)
{
    if (c->length > MAX_TEXT)
        glsl_fatal(c, (struct glsl_loc){0, 1, 0}, "the shader is too large");
}

/* ESSL 3.00 and older have vertex and fragment shaders only. */
static void check_stage(struct glsl_compiler *c)
{
    if (c->es && c->version < 310 && c->stage != SHADER_VERTEX && c->stage != SHADER_FRAGMENT)
        glsl_error(c, (struct glsl_loc){0, 1, 0}, "this stage requires GLSL ES 3.10");
}

/* Runs all steps that may call glsl_fatal. */
static void compile(struct glsl_compiler *c, struct hir_shader *hir)
{
    if (setjmp(c->fatal))
        return;
    check_size(c);
    glsl_pp_run(c, NULL);
    check_stage(c);
    struct ast_node *shader = glsl_parse(c);
    glsl_ast_to_hir(c, hir, shader);
}

/* The parameters of glsl_compile_with, and results. */
struct compile_args {
    void *mem_ctx;
    const struct glsl_options *options;
    const struct glsl_includes *includes;
    enum shader_stage stage;
    const char *text;
    size_t length;
    bool needs_stack;     /* the compilation must be repeated on a larger stack */
    bool has_vertices_in; /* the shader depends on options->vertices_in */
};

/* Compiles a shader on the current stack. Returns NULL if out of memory. */
static struct glsl_shader *compile_once(struct compile_args *a)
{
    struct glsl_shader *shader = talloc_zero(a->mem_ctx, struct glsl_shader);
    if (!shader)
        return NULL;
    shader->stage = a->stage;
    shader->info_log = "";
    struct glsl_compiler c = {.includes = a->includes};
    struct hir_shader *hir = hir_shader_create(shader, a->stage);
    if (!hir || !init(&c, shader, a->options, a->stage, a->text, a->length)) {
        finish(&c);
        talloc_free(shader);
        return NULL;
    }
    compile(&c, hir);
    a->needs_stack = c.needs_stack;
    a->has_vertices_in = hir->has_program_geometry && c.version < 150;
    shader->version = c.version;
    shader->es = c.es;
    shader->compiled = c.num_errors == c.num_link_errors;
    char *log = talloc_strdup(shader, strbuf_str(&c.log));
    finish(&c);
    if (!log) {
        talloc_free(shader);
        return NULL;
    }
    if (c.num_errors && shader->compiled)
        shader->link_errors = log;
    else
        shader->info_log = log;
    if (c.num_errors) {
        talloc_free(hir);
        return shader;
    }
    shader->hir = hir;
    if (util_debug(DEBUG_HIR))
        hir_print(hir, stderr);
    hir_validate(hir);
    return shader;
}

static void *compile_deep(void *data)
{
    return compile_once(data);
}

/* Compiles a shader; again if it needs a larger stack. Returns NULL if out of memory. */
static struct glsl_shader *compile_on_stack(struct compile_args *a)
{
    struct glsl_shader *shader = util_deep_attempt(compile_deep, a);
    if (shader && a->needs_stack) {
        talloc_free(shader);
        shader = util_deep_attempt(compile_deep, a);
    }
    return shader;
}

/* Compiles a geometry shader of ARB_geometry_shader4, which was compiled for the most vertices, for
 * all other input primitives, too. Returns the first result that has no errors except for the
 * linker, or else `most`. It owns the others. If only one primitive is possible, because an array
 * has a literal size, its errors for the linker are errors of the compilation. Returns NULL, and
 * frees all, if out of memory. */
static struct glsl_shader *compile_for_primitives(const struct compile_args *a,
                                                  struct glsl_shader *most)
{
    static const uint8_t counts[] = {3, 2, 4, 1};
    struct glsl_options options = *a->options;
    struct compile_args args = *a;
    struct glsl_shader *all[GLSL_MAX_VERTICES_IN + 1] = {[GLSL_MAX_VERTICES_IN] = most};
    struct glsl_shader *best = most;
    unsigned num_compiled = most->compiled;
    bool complete = true;
    args.options = &options;
    for (unsigned i = 0; complete && i < ARRAY_SIZE(counts); i++) {
        options.vertices_in = counts[i];
        struct glsl_shader *shader = all[counts[i]] = compile_on_stack(&args);
        complete = shader != NULL;
        num_compiled += complete && shader->compiled;
        if (complete && !best->compiled && shader->compiled)
            best = shader;
    }
    for (unsigned i = 0; i < ARRAY_SIZE(all); i++) {
        if (!complete)
            talloc_free(all[i]);
        else if (all[i] && all[i] != best)
            talloc_steal(best, all[i]);
    }
    if (!complete)
        return NULL;
    if (num_compiled == 1 && best->link_errors) {
        best->compiled = false;
        best->info_log = best->link_errors;
        best->link_errors = NULL;
    }
    memcpy(best->for_vertices, all, sizeof all);
    return best;
}

struct glsl_shader *glsl_compile_with(void *mem_ctx, const struct glsl_options *options,
                                      const struct glsl_includes *includes, enum shader_stage stage,
                                      const char *text, size_t length)
{
    struct compile_args args = {mem_ctx, options, includes, stage, text, length, false, false};
    struct glsl_shader *shader = compile_on_stack(&args);
    if (shader && args.has_vertices_in && !options->vertices_in)
        shader = compile_for_primitives(&args, shader);
    if (!shader)
        util_out_of_memory();
    return shader;
}

struct glsl_shader *glsl_compile(void *mem_ctx, const struct glsl_options *options,
                                 enum shader_stage stage, const char *text, size_t length)
{
    return glsl_compile_with(mem_ctx, options, NULL, stage, text, length);
}

static bool print_tokens(struct glsl_compiler *c, struct strbuf *out)
{
    if (setjmp(c->fatal))
        return false;
    check_size(c);
    glsl_pp_run(c, out);
    return c->num_errors == 0;
}

static bool print_ast(struct glsl_compiler *c, struct strbuf *out)
{
    if (setjmp(c->fatal))
        return false;
    check_size(c);
    glsl_pp_run(c, NULL);
    ast_print(glsl_parse(c), out);
    return c->num_errors == 0;
}

/* Returns the output of one step of the compilation. */
static char *print_step(void *mem_ctx, const struct glsl_options *options, enum shader_stage stage,
                        const char *text, size_t length, char **info_log,
                        bool (*step)(struct glsl_compiler *c, struct strbuf *out))
{
    struct glsl_compiler c = {0};
    char *result = NULL;
    *info_log = NULL;
    if (init(&c, mem_ctx, options, stage, text, length)) {
        struct strbuf out = STRBUF_INIT(c.mem_ctx);
        if (step(&c, &out))
            result = talloc_strdup(mem_ctx, strbuf_str(&out));
        *info_log = talloc_strdup(mem_ctx, strbuf_str(&c.log));
    }
    finish(&c);
    return result;
}

char *glsl_preprocess(void *mem_ctx, const struct glsl_options *options, enum shader_stage stage,
                      const char *text, size_t length, char **info_log)
{
    return print_step(mem_ctx, options, stage, text, length, info_log, print_tokens);
}

char *glsl_print_ast(void *mem_ctx, const struct glsl_options *options, enum shader_stage stage,
                     const char *text, size_t length, char **info_log)
{
    return print_step(mem_ctx, options, stage, text, length, info_log, print_ast);
}
