/* SPDX-License-Identifier: MIT */
/*
 * The linker: several compiled shaders become a program (GL 4.6 §7.3, GLSL 4.60 §4, §9).
 * glsl_link.h says in what order.
 */
#include "glsl/glsl_link.h"

#include <talloc.h>

#include "util/options.h"

/* -------------------------------------------------------------------------------- messages --- */

static void append_message(struct linker *ln, const char *kind, const char *format, va_list args)
{
    strbuf_append(&ln->log, kind);
    strbuf_vprintf(&ln->log, format, args);
    strbuf_append_char(&ln->log, '\n');
}

void link_error(struct linker *ln, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append_message(ln, "error: ", format, args);
    va_end(args);
    ln->failed = true;
}

void link_warning(struct linker *ln, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append_message(ln, "warning: ", format, args);
    va_end(args);
}

const char *link_stage_name(enum shader_stage stage)
{
    static const char *const names[SHADER_STAGES] = {
        "vertex",  "tessellation control", "tessellation evaluation", "geometry", "fragment",
        "compute",
    };
    return names[stage];
}

struct link_var *link_find_var(const struct link_stage *st, const char *name)
{
    uintptr_t index = (uintptr_t)hash_table_get(st->table, name);
    return index ? &st->vars.data[index - 1] : NULL;
}

/* ------------------------------------------------------------------------- shaders per stage ---
 */

static struct link_stage *stage_of(struct linker *ln, enum shader_stage stage)
{
    if (!ln->stages[stage]) {
        struct link_stage *st = talloc_zero(ln->tmp, struct link_stage);
        st->stage = stage;
        st->shaders.mem_ctx = st->vars.mem_ctx = st->unresolved.mem_ctx = st;
        st->table = hash_table_create_string(st);
        ln->stages[stage] = st;
    }
    return ln->stages[stage];
}

/* GLSL 4.60 §3.3, ESSL 3.00 §3.3: which versions go together. */
static void check_versions(struct linker *ln)
{
    const struct glsl_link_input *in = ln->input;
    ln->es = in->shaders[0]->es;
    for (unsigned i = 0; i < in->num_shaders; i++) {
        const struct glsl_shader *sh = in->shaders[i];
        if (sh->es != ln->es || (ln->es && sh->version != in->shaders[0]->version)) {
            link_error(ln, "all shaders must use the same shading language version");
            return;
        }
        ln->version = MAX2(ln->version, sh->version);
    }
}

static void collect_stages(struct linker *ln)
{
    const struct glsl_link_input *in = ln->input;
    if (in->num_shaders == 0) {
        link_error(ln, "no shaders attached to the program");
        return;
    }
    for (unsigned i = 0; i < in->num_shaders; i++) {
        if (!in->shaders[i]->compiled) {
            link_error(ln, "linking with an uncompiled %s shader",
                       link_stage_name(in->shaders[i]->stage));
            return;
        }
        dynarray_append(&stage_of(ln, in->shaders[i]->stage)->shaders, in->shaders[i]);
    }
    check_versions(ln);
    bool graphics = ln->stages[SHADER_VERTEX] || ln->stages[SHADER_FRAGMENT] ||
                    ln->stages[SHADER_GEOMETRY] || ln->stages[SHADER_TESS_CTRL] ||
                    ln->stages[SHADER_TESS_EVAL];
    if (ln->stages[SHADER_COMPUTE] && graphics)
        link_error(ln, "compute shaders may not be linked with any other type of shader");
    if (ln->es && graphics && !in->separable) {
        if (!ln->stages[SHADER_VERTEX])
            link_error(ln, "program lacks a vertex shader");
        if (!ln->stages[SHADER_FRAGMENT])
            link_error(ln, "program lacks a fragment shader");
    }
}

/* ------------------------------------------------------------------------ global variables --- */

static const char *mode_name(const struct hir_variable *var)
{
    switch (var->mode) {
    case HIR_VAR_UNIFORM:
        return "uniform";
    case HIR_VAR_SHADER_IN:
        return "shader input";
    case HIR_VAR_SHADER_OUT:
        return "shader output";
    case HIR_VAR_BUFFER:
        return "buffer variable";
    default:
        return "global variable";
    }
}

/* One type of two declarations, where arrays may lack the outermost size; NULL if they differ. */
static const struct glsl_type *merge_types(const struct glsl_type *a, const struct glsl_type *b)
{
    if (glsl_type_equal(a, b))
        return a;
    if (glsl_type_is_array(a) && glsl_type_is_array(b) && glsl_type_equal(a->element, b->element)) {
        if (a->length == 0)
            return b;
        if (b->length == 0)
            return a;
    }
    return NULL;
}

static bool constants_equal(const struct hir_constant *a, const struct hir_constant *b)
{
    const struct glsl_type *t = a->base.type;
    if (!glsl_type_equal(t, b->base.type))
        return false;
    for (unsigned i = 0; a->elements && i < t->length; i++) {
        if (!constants_equal(a->elements[i], b->elements[i]))
            return false;
    }
    for (unsigned i = 0; !a->elements && i < glsl_component_count(t); i++) {
        bool same = glsl_type_is_64bit(t)            ? a->value[i].u64 == b->value[i].u64
                    : t->base_type == GLSL_TYPE_BOOL ? a->value[i].b == b->value[i].b
                                                     : a->value[i].u32 == b->value[i].u32;
        if (!same)
            return false;
    }
    return true;
}

static void merge_initializer(struct linker *ln, struct link_var *lv,
                              const struct hir_variable *var)
{
    struct hir_constant *init =
        var->constant_initializer ? var->constant_initializer : var->constant_value;
    if (!init)
        return;
    if (lv->initializer && !constants_equal(lv->initializer, init))
        link_error(ln, "initializers for %s `%s' have differing values", mode_name(var), var->name);
    lv->initializer = init;
}

static void merge_location(struct linker *ln, struct link_var *lv, const struct hir_variable *var)
{
    if (var->explicit_location || var->builtin) {
        if (lv->location >= 0 && lv->location != var->location)
            link_error(ln, "explicit locations for %s `%s' have differing values", mode_name(var),
                       var->name);
        lv->location = var->location;
    }
    if (var->explicit_binding) {
        if (lv->binding >= 0 && lv->binding != var->binding)
            link_error(ln, "explicit bindings for %s `%s' have differing values", mode_name(var),
                       var->name);
        lv->binding = var->binding;
    }
}

static void merge_declaration(struct linker *ln, struct link_var *lv, struct hir_variable *var)
{
    struct hir_variable *first = lv->decl;
    const struct glsl_type *type = merge_types(lv->type, var->type);
    if (first->mode != var->mode) {
        link_error(ln, "`%s' declared as %s and %s", var->name, mode_name(first), mode_name(var));
        return;
    }
    if (!type) {
        link_error(ln, "%s `%s' declared as type `%s' and type `%s'", mode_name(var), var->name,
                   lv->type->name, var->type->name);
        return;
    }
    lv->type = type;
    if (first->invariant != var->invariant && !var->builtin)
        link_error(ln, "declarations for %s `%s' have mismatching invariant qualifiers",
                   mode_name(var), var->name);
    if (first->centroid != var->centroid)
        link_error(ln, "declarations for %s `%s' have mismatching centroid qualifiers",
                   mode_name(var), var->name);
    if (first->interpolation != var->interpolation && !var->builtin)
        link_error(ln, "declarations for %s `%s' have mismatching interpolation qualifiers",
                   mode_name(var), var->name);
    if (var->builtin && var->interpolation)
        first = lv->decl = var;
    lv->used |= var->used;
    lv->assigned |= var->assigned;
    merge_initializer(ln, lv, var);
    merge_location(ln, lv, var);
}

static void add_variable(struct linker *ln, struct link_stage *st, struct hir_variable *var)
{
    struct link_var *lv = link_find_var(st, var->name);
    if (lv) {
        merge_declaration(ln, lv, var);
        return;
    }
    struct link_var added = {
        .name = var->name,
        .decl = var,
        .type = var->type,
        .location = -1,
        .binding = -1,
        .used = var->used,
        .assigned = var->assigned,
    };
    if (!dynarray_append(&st->vars, added))
        return;
    hash_table_insert(st->table, var->name, (void *)(uintptr_t)st->vars.count);
    merge_initializer(ln, &st->vars.data[st->vars.count - 1], var);
    merge_location(ln, &st->vars.data[st->vars.count - 1], var);
}

/* GLSL 1.20 §4.3: several initializers of one variable must be equal constants. Those that are no
 * constants have become assignments. */
static void note_assignment(struct linker *ln, struct link_stage *st,
                            const struct hir_assign *assign)
{
    struct hir_variable *var = hir_variable_referenced(assign->lhs);
    struct link_var *lv = var ? link_find_var(st, var->name) : NULL;
    if (!lv || var->mode != HIR_VAR_GLOBAL)
        return;
    if (lv->initializer || (lv->initialized && lv->initialized != var))
        link_error(ln, "shared global variable `%s' has multiple non-constant initializers",
                   var->name);
    lv->initialized = var;
}

static void collect_variables(struct linker *ln, struct link_stage *st)
{
    for (unsigned i = 0; i < st->shaders.count; i++) {
        list_for_each_entry (struct hir_node, node, &st->shaders.data[i]->hir->instructions, link) {
            struct hir_variable *var = (struct hir_variable *)node;
            if (node->kind == HIR_VARIABLE && var->mode != HIR_VAR_TEMPORARY &&
                var->mode != HIR_VAR_AUTO)
                add_variable(ln, st, var);
            else if (node->kind == HIR_ASSIGN)
                note_assignment(ln, st, (struct hir_assign *)node);
        }
    }
}

/* The highest constant index by which any shader of the stage uses the array. */
static int max_access(const struct link_stage *st, const char *name)
{
    int max = -1;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        list_for_each_entry (struct hir_node, node, &st->shaders.data[i]->hir->instructions, link) {
            const struct hir_variable *var = (const struct hir_variable *)node;
            if (node->kind == HIR_VARIABLE && !strcmp(var->name, name))
                max = MAX2(max, var->max_array_access);
        }
    }
    return max;
}

/* GLSL 1.20 §4.1.9: an array without a size has the one that its indices need; one with a size in
 * another shader must not be exceeded. Uniforms and varyings have one size in all stages. */
static void size_arrays(struct linker *ln)
{
    for (unsigned s = 0; s < SHADER_STAGES; s++) {
        struct link_stage *st = ln->stages[s];
        for (unsigned i = 0; st && i < st->vars.count; i++) {
            struct link_var *lv = &st->vars.data[i];
            if (!glsl_type_is_array(lv->type))
                continue;
            bool shared = lv->decl->mode == HIR_VAR_UNIFORM ||
                          (!lv->decl->builtin && (lv->decl->mode == HIR_VAR_SHADER_IN ||
                                                  lv->decl->mode == HIR_VAR_SHADER_OUT));
            int max = max_access(st, lv->name);
            const struct glsl_type *type = lv->type;
            for (unsigned o = 0; shared && o < SHADER_STAGES; o++) {
                struct link_var *other =
                    ln->stages[o] ? link_find_var(ln->stages[o], lv->name) : NULL;
                const struct glsl_type *merged = other ? merge_types(type, other->type) : NULL;
                if (!merged)
                    continue;
                type = merged;
                max = MAX2(max, max_access(ln->stages[o], lv->name));
            }
            if (type->length == 0 && lv->decl->mode != HIR_VAR_BUFFER)
                type = glsl_array_type(ln->tmp, type->element, MAX2(max + 1, 1), 0);
            else if (type->length && max >= (int)type->length)
                link_error(
                    ln,
                    "%s `%s' declared as type `%s' but outermost dimension has an index of `%i'",
                    mode_name(lv->decl), lv->name, type->name, max);
            lv->type = type;
        }
    }
}

/* ----------------------------------------------------------------------------- stage rules --- */

static bool is_assigned(const struct link_stage *st, const char *name)
{
    const struct link_var *lv = link_find_var(st, name);
    return lv && lv->assigned;
}

static void check_vertex(struct linker *ln, struct link_stage *st)
{
    /* GLSL 1.20 §7.1: a well-formed shader must write it; from 1.40 on it merely is undefined */
    if (!ln->es && ln->version < 140 && !is_assigned(st, "gl_Position"))
        link_error(ln, "vertex shader does not write to `gl_Position'");
    if (is_assigned(st, "gl_ClipVertex") && is_assigned(st, "gl_ClipDistance"))
        link_error(ln, "vertex shader writes to both `gl_ClipVertex' and `gl_ClipDistance'");
    const struct link_var *clip = link_find_var(st, "gl_ClipDistance");
    if (clip && clip->assigned && clip->type->length > ln->options->limits.max_clip_distances)
        link_error(ln, "`gl_ClipDistance' has more than %u elements",
                   ln->options->limits.max_clip_distances);
}

/* GLSL 1.50 §4.3.8.1: shaders that use gl_FragCoord agree on its conventions. */
static void check_frag_coord(struct linker *ln, struct link_stage *st)
{
    const struct hir_shader *first = NULL;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        const struct hir_shader *sh = st->shaders.data[i]->hir;
        bool relevant = sh->fs_origin_upper_left || sh->fs_pixel_center_integer;
        list_for_each_entry (struct hir_node, node, &sh->instructions, link) {
            const struct hir_variable *var = (const struct hir_variable *)node;
            if (node->kind == HIR_VARIABLE && var->used && !strcmp(var->name, "gl_FragCoord"))
                relevant = true;
        }
        if (!relevant)
            continue;
        if (first && (first->fs_origin_upper_left != sh->fs_origin_upper_left ||
                      first->fs_pixel_center_integer != sh->fs_pixel_center_integer))
            link_error(ln,
                       "fragment shaders declare `gl_FragCoord' with different layout qualifiers");
        first = sh;
    }
}

static void check_fragment(struct linker *ln, struct link_stage *st)
{
    bool color = is_assigned(st, "gl_FragColor"), data = is_assigned(st, "gl_FragData");
    if (color && data)
        link_error(ln, "fragment shader writes to both `gl_FragColor' and `gl_FragData'");
    for (unsigned i = 0; i < st->vars.count; i++) {
        const struct link_var *lv = &st->vars.data[i];
        if (lv->decl->mode == HIR_VAR_SHADER_OUT && !lv->decl->builtin && lv->assigned &&
            (color || data))
            link_error(ln, "fragment shader writes to both `%s' and `%s'",
                       color ? "gl_FragColor" : "gl_FragData", lv->name);
    }
}

/* ------------------------------------------------------------------------------------- NIR --- */

/* What the HIR of a stage's shaders says beside code. */
static void merge_info(struct link_stage *st)
{
    nir_shader *nir = st->nir;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        const struct hir_shader *sh = st->shaders.data[i]->hir;
        if (st->stage == SHADER_FRAGMENT) {
            nir->info.fs.origin_upper_left |= sh->fs_origin_upper_left;
            nir->info.fs.pixel_center_integer |= sh->fs_pixel_center_integer;
            nir->info.fs.early_fragment_tests |= sh->fs_early_fragment_tests;
            nir->info.fs.uses_discard |= sh->uses_discard;
            const struct link_var *depth = link_find_var(st, "gl_FragDepth");
            if (depth)
                nir->info.fs.depth_layout = depth->decl->depth_layout;
        } else if (st->stage != SHADER_VERTEX) {
            nir->info = sh->info;
        }
    }
    nir->info.stage = st->stage;
}

void link_optimize(nir_shader *nir)
{
    const nir_variable_mode temporaries = nir_var_shader_temp | nir_var_function_temp;
    NIR_PASS_V(nir, nir_lower_global_vars_to_local);
    NIR_PASS_V(nir, nir_split_var_copies);
    NIR_PASS_V(nir, nir_lower_var_copies);
    NIR_PASS_V(nir, nir_split_struct_vars, nir_var_function_temp);
    NIR_PASS_V(nir, nir_lower_vars_to_ssa);
    NIR_PASS_V(nir, nir_optimize);
    NIR_PASS_V(nir, nir_remove_dead_variables, temporaries); /* and what only wrote to them */
    NIR_PASS_V(nir, nir_opt_dce);
    NIR_PASS_V(nir, nir_remove_dead_variables,
               temporaries | nir_var_uniform | nir_var_shader_in | nir_var_shader_out |
                   nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_system_value);
}

static void lower_stage(nir_shader *nir)
{
    NIR_PASS_V(nir, nir_lower_variable_initializers, nir_var_shader_temp | nir_var_function_temp);
    NIR_PASS_V(nir, nir_lower_returns);
    NIR_PASS_V(nir, nir_inline_functions);
    NIR_PASS_V(nir, nir_lower_io_to_temporaries, true, false);
    link_optimize(nir);
}

static void make_nir(struct linker *ln)
{
    for (unsigned s = 0; s < SHADER_STAGES; s++) {
        struct link_stage *st = ln->stages[s];
        if (!st)
            continue;
        st->nir = ln->program->nir[s] = hir_to_nir(ln, st);
        merge_info(st);
        if (nir_should_validate())
            nir_validate_shader(st->nir, "after hir_to_nir");
        lower_stage(st->nir);
        link_check_resolved(ln, st);
    }
}

static void finish_nir(struct linker *ln)
{
    for (unsigned s = 0; s < SHADER_STAGES; s++) {
        struct link_stage *st = ln->stages[s];
        if (!st)
            continue;
        nir_shader_gather_info(st->nir);
        if (util_debug(DEBUG_HIR))
            nir_print_shader(st->nir, stderr);
    }
}

/* ---------------------------------------------------------------------------------- linking --- */

static void each_stage(struct linker *ln, void (*fn)(struct linker *ln, struct link_stage *st))
{
    for (unsigned s = 0; s < SHADER_STAGES; s++) {
        if (ln->stages[s])
            fn(ln, ln->stages[s]);
    }
}

static void check(struct linker *ln)
{
    collect_stages(ln);
    if (ln->failed)
        return;
    each_stage(ln, collect_variables);
    if (ln->failed)
        return;
    size_arrays(ln);
    if (ln->stages[SHADER_VERTEX])
        check_vertex(ln, ln->stages[SHADER_VERTEX]);
    if (ln->stages[SHADER_FRAGMENT])
        check_fragment(ln, ln->stages[SHADER_FRAGMENT]);
    if (ln->stages[SHADER_FRAGMENT])
        check_frag_coord(ln, ln->stages[SHADER_FRAGMENT]);
    link_check_blocks(ln);
    link_check_uniforms(ln);
    link_check_varyings(ln);
    if (!ln->failed)
        each_stage(ln, link_functions);
}

static void generate(struct linker *ln)
{
    make_nir(ln);
    if (!ln->failed)
        link_keep_captured(ln);
    if (ln->failed)
        return;
    link_assign_varyings(ln);
    link_assign_attributes(ln);
    link_transform_feedback(ln);
    if (ln->failed)
        return;
    link_uniforms(ln);
    finish_nir(ln);
}

struct glsl_program *glsl_link(void *mem_ctx, const struct glsl_options *options,
                               const struct glsl_link_input *input)
{
    struct glsl_program *program = talloc_zero(mem_ctx, struct glsl_program);
    if (!program)
        return NULL;
    struct linker ln = {
        .options = options,
        .input = input,
        .program = program,
        .tmp = talloc_new(program),
    };
    ln.log = (struct strbuf)STRBUF_INIT(ln.tmp);
    check(&ln);
    if (!ln.failed)
        generate(&ln);
    program->info_log = talloc_strdup(program, strbuf_str(&ln.log));
    program->version = ln.version;
    program->es = ln.es;
    program->linked = !ln.failed;
    talloc_free(ln.tmp);
    return program;
}
