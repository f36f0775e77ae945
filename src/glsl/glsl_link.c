/* SPDX-License-Identifier: MIT */
/*
 * The linker: creates a program from compiled shaders (GL 4.6 §7.3, GLSL 4.60 §4, §9). glsl_link.h
 * describes the steps.
 */
#include "glsl/glsl_link.h"

#include <talloc.h>

#include "util/options.h"
#include "util/deep_stack.h"
#include "util/memory.h"

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

const char *link_stage_name(enum shader_stage stage)
{
    static const char *const names[SHADER_STAGE_COUNT] = {
        "vertex",
        "tessellation control",
        "tessellation evaluation",
        "geometry",
        "fragment",
        "compute",
        "task",
        "mesh",
    };
    return names[stage];
}

struct link_var *link_find_var(const struct link_stage *st, const char *name)
{
    uintptr_t index = (uintptr_t)hash_table_get(st->table, name);
    return index ? &st->vars.data[index - 1] : NULL;
}

struct link_var *link_var_of(const struct link_stage *st, const struct hir_variable *var)
{
    uintptr_t index = (uintptr_t)hash_table_get(st->declared, var);
    return index ? &st->vars.data[index - 1] : NULL;
}

/* ------------------------------------------------------------------------ shaders per stage --- */

static struct link_stage *stage_of(struct linker *ln, enum shader_stage stage)
{
    if (!ln->stages[stage]) {
        struct link_stage *st = talloc_zero(ln->tmp, struct link_stage);
        st->stage = stage;
        st->shaders.mem_ctx = st->vars.mem_ctx = st->unresolved.mem_ctx = st->subroutines.mem_ctx =
            st;
        st->table = hash_table_create_string(st);
        st->declared = hash_table_create_pointer(st);
        ln->stages[stage] = st;
    }
    return ln->stages[stage];
}

/* GLSL 4.60 §3.3, ESSL 3.00 §3.3: which language versions can be linked together. */
static void check_versions(struct linker *ln)
{
    const struct glsl_link_input *in = ln->input;
    ln->es = in->shaders[0]->es;
    for (unsigned i = 0; i < in->num_shaders; i++) {
        const struct glsl_shader *sh = in->shaders[i];
        if (sh->es != ln->es || (ln->es && sh->version != in->shaders[0]->version)) {
            link_error(ln, "all shaders of a program must use the same GLSL version");
            return;
        }
        ln->version = MAX2(ln->version, sh->version);
    }
}

/* Replaces a geometry shader that was compiled for each input primitive (ARB_geometry_shader4) by
 * the result for the program's. Returns the input for the linker. */
static struct glsl_link_input select_shaders(struct linker *ln, const struct glsl_link_input *input)
{
    struct glsl_link_input selected = *input;
    const unsigned vertices = link_primitive_vertices(input->geometry_input);
    struct glsl_shader **shaders =
        talloc_array(ln->tmp, struct glsl_shader *, MAX2(input->num_shaders, 1));
    for (unsigned i = 0; i < input->num_shaders; i++) {
        struct glsl_shader *other = input->shaders[i]->for_vertices[vertices];
        shaders[i] = other ? other : input->shaders[i];
        const char *errors = shaders[i]->link_errors;
        if (!errors && other && !other->compiled)
            errors = other->info_log;
        if (!errors)
            continue;
        strbuf_append(&ln->log, errors);
        ln->failed = true;
    }
    selected.shaders = shaders;
    return selected;
}

static void collect_stages(struct linker *ln)
{
    const struct glsl_link_input *in = ln->input;
    if (in->num_shaders == 0) {
        link_error(ln, "no shaders are attached to the program");
        return;
    }
    for (unsigned i = 0; i < in->num_shaders; i++) {
        if (!in->shaders[i]->compiled) {
            link_error(ln, "cannot link an uncompiled %s shader",
                       link_stage_name(in->shaders[i]->stage));
            return;
        }
        dynarray_append(&stage_of(ln, in->shaders[i]->stage)->shaders, in->shaders[i]);
    }
    check_versions(ln);
    link_check_stages(ln);
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

bool link_constants_equal(const struct hir_constant *a, const struct hir_constant *b)
{
    const struct glsl_type *t = a->base.type;
    if (!glsl_type_equal(t, b->base.type))
        return false;
    for (unsigned i = 0; a->elements && i < t->length; i++) {
        if (!link_constants_equal(a->elements[i], b->elements[i]))
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
    if (lv->initializer && !link_constants_equal(lv->initializer, init))
        link_error(ln, "%s `%s' has different initializers in different declarations",
                   mode_name(var), var->name);
    lv->initializer = init;
}

static void merge_location(struct linker *ln, struct link_var *lv, const struct hir_variable *var)
{
    if (var->explicit_location || var->builtin) {
        if (lv->location >= 0 && lv->location != var->location)
            link_error(ln, "%s `%s' has different explicit locations in different declarations",
                       mode_name(var), var->name);
        lv->location = var->location;
    }
    if (var->explicit_binding) {
        if (lv->binding >= 0 && lv->binding != var->binding)
            link_error(ln, "%s `%s' has different explicit bindings in different declarations",
                       mode_name(var), var->name);
        lv->binding = var->binding;
    }
    if (var->explicit_component) {
        if (lv->component >= 0 && lv->component != var->component)
            link_error(ln, "%s `%s' has different explicit components in different declarations",
                       mode_name(var), var->name);
        lv->component = var->component;
    }
    if (var->explicit_offset) {
        if (lv->offset >= 0 && lv->offset != var->offset)
            link_error(ln, "%s `%s' has different explicit offsets in different declarations",
                       mode_name(var), var->name);
        lv->offset = var->offset;
    }
}

/* GLSL 4.60 §4.4.2.3: redeclarations of gl_FragDepth must agree in all shaders that use it. */
static void merge_depth_layout(struct linker *ln, struct link_var *lv,
                               const struct hir_variable *var)
{
    bool both = (lv->used || lv->assigned) && (var->used || var->assigned);
    if (lv->depth_layout != var->depth_layout && both)
        link_error(ln, "redeclarations of `%s' must have the same depth layout", var->name);
    if (!lv->depth_layout)
        lv->depth_layout = var->depth_layout;
}

static void merge_declaration(struct linker *ln, struct link_var *lv, struct hir_variable *var)
{
    struct hir_variable *first = lv->decl;
    const struct glsl_type *type = link_merge_types(lv->type, var->type);
    if (first->mode != var->mode) {
        link_error(ln, "`%s' is declared as both %s and %s", var->name, mode_name(first),
                   mode_name(var));
        return;
    }
    if (!type && first->interface_type && var->interface_type &&
        !strcmp(first->interface_type->name, var->interface_type->name))
        type = lv->type; /* compared by link_collect_blocks */
    if (!type) {
        link_error(ln, "%s `%s' is declared as both type `%s' and type `%s'", mode_name(var),
                   var->name, lv->type->name, var->type->name);
        return;
    }
    lv->type = type;
    if (first->invariant != var->invariant && !var->builtin)
        link_error(ln, "declarations of %s `%s' have mismatched invariant qualifiers",
                   mode_name(var), var->name);
    if (first->centroid != var->centroid)
        link_error(ln, "declarations of %s `%s' have mismatched centroid qualifiers",
                   mode_name(var), var->name);
    if (first->per_primitive != var->per_primitive || first->payload != var->payload)
        link_error(ln, "declarations of %s `%s' have mismatched %s qualifiers", mode_name(var),
                   var->name, first->payload != var->payload ? "payload" : "perprimitiveEXT");
    if (first->interpolation != var->interpolation && !var->builtin)
        link_error(ln, "declarations of %s `%s' have mismatched interpolation qualifiers",
                   mode_name(var), var->name);
    if (var->builtin && var->interpolation)
        first = lv->decl = var;
    merge_depth_layout(ln, lv, var);
    lv->used |= var->used;
    lv->assigned |= var->assigned;
    lv->max_access = MAX2(lv->max_access, var->max_array_access);
    merge_initializer(ln, lv, var);
    merge_location(ln, lv, var);
}

/* Returns the key of a variable in link_stage.table. Instances of a block have the same key,
 * whatever their names (GLSL 4.60 §4.3.9). The space keeps it apart from names. */
static const char *table_key(struct linker *ln, const struct hir_variable *var)
{
    const bool instance = var->interface_type && var->interface_field < 0 && !var->builtin;
    return instance ? talloc_asprintf(ln->tmp, "%u %s", var->mode, var->interface_type->name)
                    : var->name;
}

static void add_variable(struct linker *ln, struct link_stage *st, struct hir_variable *var)
{
    const char *key = table_key(ln, var);
    struct link_var *lv = link_find_var(st, key);
    if (lv) {
        hash_table_insert(st->declared, var, (void *)(uintptr_t)(lv - st->vars.data + 1));
        merge_declaration(ln, lv, var);
        return;
    }
    struct link_var added = {
        .name = var->name,
        .decl = var,
        .type = var->type,
        .location = -1,
        .binding = -1,
        .component = -1,
        .offset = -1,
        .max_access = var->max_array_access,
        .depth_layout = var->depth_layout,
        .used = var->used,
        .assigned = var->assigned,
    };
    if (!dynarray_append(&st->vars, added))
        return;
    hash_table_insert(st->table, key, (void *)(uintptr_t)st->vars.count);
    hash_table_insert(st->declared, var, (void *)(uintptr_t)st->vars.count);
    merge_initializer(ln, &st->vars.data[st->vars.count - 1], var);
    merge_location(ln, &st->vars.data[st->vars.count - 1], var);
}

/* GLSL 1.20 §4.3: if a variable has several initializers, they must be equal constants.
 * Non-constant initializers have become assignments. */
static void record_assignment(struct linker *ln, struct link_stage *st,
                              const struct hir_assign *assign)
{
    struct hir_variable *var = hir_variable_referenced(assign->lhs);
    struct link_var *lv = var ? link_var_of(st, var) : NULL;
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
                record_assignment(ln, st, (struct hir_assign *)node);
        }
    }
}

/* Returns whether a variable of stage o is the same array as variable lv of stage s: a uniform with
 * its name, or the varying that it passes to or receives from the adjacent stage. */
static bool is_shared(const struct linker *ln, unsigned s, const struct link_var *lv, unsigned o,
                      const struct link_var *other)
{
    const enum hir_variable_mode mode = lv->decl->mode, other_mode = other->decl->mode;
    if (other->decl->interface_type || link_is_per_vertex(o, other->decl))
        return false;
    if (mode == HIR_VAR_SHADER_OUT && other_mode == HIR_VAR_SHADER_IN)
        return link_stage_after(ln, s) == ln->stages[o];
    if (mode == HIR_VAR_SHADER_IN && other_mode == HIR_VAR_SHADER_OUT)
        return link_stage_after(ln, o) == ln->stages[s];
    return mode == HIR_VAR_UNIFORM && other_mode == HIR_VAR_UNIFORM;
}

/* Returns the type of an array of stage s with the size that any stage declares, and the highest
 * index in *max. */
static const struct glsl_type *shared_array(const struct linker *ln, unsigned s,
                                            const struct link_var *lv, int *max)
{
    const struct glsl_type *type = lv->type;
    for (unsigned o = 0; o < SHADER_STAGE_COUNT; o++) {
        const struct link_var *other =
            ln->stages[o] ? link_find_var(ln->stages[o], lv->name) : NULL;
        const struct glsl_type *merged =
            other && is_shared(ln, s, lv, o, other) ? link_merge_types(type, other->type) : NULL;
        if (!merged)
            continue;
        type = merged;
        *max = MAX2(*max, other->max_access);
    }
    return type;
}

/* GLSL 1.50 §4.3.8.1, 4.60 §4.3.6: per-vertex interfaces have the size of the primitive or
 * patch. */
static const struct glsl_type *size_per_vertex(struct linker *ln, const struct link_stage *st,
                                               const struct link_var *lv)
{
    const struct glsl_type *type = lv->type;
    unsigned count = link_vertex_count(ln, st, lv->decl);
    const char *what = lv->decl->per_primitive ? "primitives" : "vertices";
    if (lv->max_access >= (int)count)
        link_error(ln, "%s shader accesses element %i of `%s', but there are only %u %s",
                   link_stage_name(st->stage), lv->max_access, lv->name, count, what);
    bool fixed = st->stage == SHADER_GEOMETRY || st->stage == SHADER_FRAGMENT ||
                 lv->decl->mode == HIR_VAR_SHADER_OUT;
    if (type->length && type->length != count && (fixed || !lv->decl->builtin))
        link_error(ln, "array `%s' has size %u, but the number of %s is %u", lv->name, type->length,
                   what, count);
    return type->length == count ? type : glsl_array_type(ln->tmp, type->element, count, 0);
}

/* GLSL 1.20 §4.1.9: the indices determine the size of an unsized array. If another shader declares
 * a size, the indices must not exceed it. Uniforms and varyings have the same size in all
 * stages. */
static void size_array(struct linker *ln, struct link_stage *st, struct link_var *lv)
{
    const struct hir_variable *decl = lv->decl;
    int max = lv->max_access;
    if (link_is_per_vertex(st->stage, decl)) {
        lv->type = size_per_vertex(ln, st, lv);
        return;
    }
    if (decl->interface_type)
        return;
    bool shared =
        decl->mode == HIR_VAR_UNIFORM ||
        (!decl->builtin && (decl->mode == HIR_VAR_SHADER_IN || decl->mode == HIR_VAR_SHADER_OUT));
    const struct glsl_type *type = shared ? shared_array(ln, st->stage, lv, &max) : lv->type;
    if (type->length == 0 && decl->mode != HIR_VAR_BUFFER)
        type = glsl_array_type(ln->tmp, type->element, MAX2(max + 1, 1), 0);
    else if (type->length && max >= (int)type->length)
        link_error(
            ln, "%s `%s' is declared as type `%s', but its outermost dimension is indexed with %i",
            mode_name(decl), lv->name, type->name, max);
    lv->type = type;
}

static void settle_types(struct linker *ln, struct link_stage *st)
{
    for (unsigned i = 0; i < st->vars.count; i++) {
        struct link_var *lv = &st->vars.data[i];
        if (lv->decl->interface_type) {
            const struct glsl_type *array = lv->type;
            lv->type = link_block_member_type(ln, st->stage, lv->decl);
            if (glsl_type_is_array(array) && array->length && glsl_type_is_array(lv->type) &&
                !lv->type->length)
                lv->type = glsl_array_type(ln->tmp, lv->type->element, array->length, 0);
        }
        if (glsl_type_is_array(lv->type))
            size_array(ln, st, lv);
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
    /* GLSL 1.20 §7.1: required; from 1.40 on, and with ARB_geometry_shader4, the position is just
     * undefined */
    if (!ln->es && ln->version < 140 && !ln->stages[SHADER_GEOMETRY] &&
        !is_assigned(st, "gl_Position"))
        link_error(ln, "vertex shader does not write to `gl_Position'");
    const struct link_var *clip = link_find_var(st, "gl_ClipDistance");
    if (clip && clip->assigned && clip->type->length > ln->options->limits.max_clip_distances)
        link_error(ln, "`gl_ClipDistance' has more than %u elements",
                   ln->options->limits.max_clip_distances);
}

/* GLSL 4.60 §7.1.7: a shader writes gl_ClipVertex or the distances, not both. */
static void check_clip_vertex(struct linker *ln, struct link_stage *st)
{
    static const char *const distances[] = {"gl_ClipDistance", "gl_CullDistance"};
    if (!is_assigned(st, "gl_ClipVertex"))
        return;
    for (unsigned i = 0; i < ARRAY_SIZE(distances); i++)
        if (is_assigned(st, distances[i]))
            link_error(ln, "%s shader writes to both `gl_ClipVertex' and `%s'",
                       link_stage_name(st->stage), distances[i]);
}

/* NV_viewport_array2: a stage writes a viewport index or a mask, not both; a relative layer
 * requires one of them. */
static void check_viewports(struct linker *ln, struct link_stage *st)
{
    bool index = is_assigned(st, "gl_ViewportIndex"), mask = is_assigned(st, "gl_ViewportMask");
    if (index && mask)
        link_error(ln, "%s shader writes to both gl_ViewportIndex and gl_ViewportMask",
                   link_stage_name(st->stage));
    if (st->info.viewport_relative_layer && !index && !mask)
        link_error(ln,
                   "%s shader declares gl_Layer viewport_relative, but writes neither "
                   "gl_ViewportIndex nor gl_ViewportMask",
                   link_stage_name(st->stage));
    st->info.viewport_mask = mask;
}

/* GLSL 4.60 §7.1.1: the combined size of both arrays is limited, whether they are written or
 * not. */
static void check_distances(struct linker *ln, struct link_stage *st)
{
    const struct link_var *clip = link_find_var(st, "gl_ClipDistance");
    const struct link_var *cull = link_find_var(st, "gl_CullDistance");
    unsigned max = ln->options->limits.max_combined_clip_and_cull_distances;
    if (st->stage < SHADER_FRAGMENT && clip && cull && max &&
        clip->type->length + cull->type->length > max)
        link_error(ln, "`gl_ClipDistance' and `gl_CullDistance' have more than %u elements", max);
}

/* GLSL 1.50 §4.3.8.1: if one shader redeclares gl_FragCoord, all shaders that use it must redeclare
 * it with the same qualifiers. */
static void check_frag_coord(struct linker *ln, struct link_stage *st)
{
    const struct hir_shader *first = NULL;
    for (unsigned i = 0; i < st->shaders.count; i++) {
        const struct hir_shader *sh = st->shaders.data[i]->hir;
        bool relevant = sh->fs_redeclares_frag_coord;
        list_for_each_entry (struct hir_node, node, &sh->instructions, link) {
            const struct hir_variable *var = (const struct hir_variable *)node;
            if (node->kind == HIR_VARIABLE && var->used && !strcmp(var->name, "gl_FragCoord"))
                relevant = true;
        }
        if (!relevant)
            continue;
        if (first && (first->fs_redeclares_frag_coord != sh->fs_redeclares_frag_coord ||
                      first->fs_origin_upper_left != sh->fs_origin_upper_left ||
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

/* Sets the shader info from the shaders' declarations. */
static void set_info(struct link_stage *st)
{
    nir_shader_info *info = &st->nir->info;
    *info = st->info;
    const struct link_var *clip = link_find_var(st, "gl_ClipDistance");
    /* In SPIR-V shaders, it may be the array of inputs, and the info is complete. */
    const bool spirv = st->shaders.count && st->shaders.data[0]->nir;
    if (clip && clip->assigned && !spirv)
        info->clip_distance_array_size = clip->type->length;
    const struct link_var *depth = link_find_var(st, "gl_FragDepth");
    if (st->stage == SHADER_FRAGMENT && depth)
        info->fs.depth_layout = depth->depth_layout;
    if (st->stage == SHADER_GEOMETRY) {
        info->gs.active_stream_mask = st->streams;
        info->gs.uses_end_primitive = st->ends_primitives;
    }
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
    NIR_PASS_V(nir, nir_lower_zero_comparisons);
    /* Unused variables and the code that only writes to them. */
    NIR_PASS_V(nir, nir_remove_dead_variables, temporaries);
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
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        struct link_stage *st = ln->stages[s];
        if (!st)
            continue;
        if (!ln->spirv) {
            st->nir = ln->program->nir[s] = hir_to_nir(ln, st);
            set_info(st);
        }
        if (nir_should_validate())
            nir_validate_shader(st->nir, "after hir_to_nir");
        lower_stage(st->nir);
        link_check_resolved(ln, st);
    }
}

/* Returns the number of views that the program declares. A fragment shader that is linked alone may
 * be used with any number. */
static unsigned count_views(const struct linker *ln)
{
    for (unsigned s = SHADER_VERTEX; s < SHADER_FRAGMENT; s++)
        if (ln->stages[s])
            return ln->stages[s]->nir->info.num_views;
    return UINT8_MAX;
}

static void finish_nir(struct linker *ln)
{
    unsigned views = count_views(ln);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        struct link_stage *st = ln->stages[s];
        if (!st)
            continue;
        if (nir_lower_framebuffer_fetch(st->nir)) { /* requires that outputs have locations */
            NIR_PASS_V(st->nir, nir_lower_io_to_temporaries, true, false);
            link_optimize(st->nir);
        }
        NIR_PASS_V(st->nir, nir_lower_multiview, views);
        nir_shader_gather_info(st->nir);
        if (util_debug(DEBUG_HIR))
            nir_print_shader(st->nir, stderr);
    }
}

/* ---------------------------------------------------------------------------------- linking --- */

static void for_each_stage(struct linker *ln, void (*fn)(struct linker *ln, struct link_stage *st))
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (ln->stages[s])
            fn(ln, ln->stages[s]);
    }
}

static void check(struct linker *ln)
{
    collect_stages(ln);
    for (unsigned i = 0; i < ln->input->num_shaders; i++)
        ln->spirv |= ln->input->shaders[i]->nir != NULL;
    if (ln->spirv && !ln->failed)
        link_spirv_collect(ln);
    if (ln->spirv)
        return;
    if (!ln->failed)
        link_collect_blocks(ln);
    if (ln->failed)
        return;
    for_each_stage(ln, collect_variables);
    for_each_stage(ln, link_merge_layouts);
    link_check_views(ln);
    if (ln->failed)
        return;
    for_each_stage(ln, settle_types);
    if (ln->stages[SHADER_VERTEX])
        check_vertex(ln, ln->stages[SHADER_VERTEX]);
    for_each_stage(ln, check_clip_vertex);
    for_each_stage(ln, check_viewports);
    if (ln->stages[SHADER_FRAGMENT])
        check_fragment(ln, ln->stages[SHADER_FRAGMENT]);
    if (ln->stages[SHADER_FRAGMENT])
        check_frag_coord(ln, ln->stages[SHADER_FRAGMENT]);
    for_each_stage(ln, check_distances);
    link_check_uniforms(ln);
    link_shrink_uniforms(ln);
    link_check_interfaces(ln);
    if (!ln->failed)
        for_each_stage(ln, link_functions);
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
    if (ln->failed)
        return;
    finish_nir(ln);
    link_check_limits(ln);
}

static struct glsl_program *link_program(void *mem_ctx, const struct glsl_options *options,
                                         const struct glsl_link_input *input)
{
    struct glsl_program *program = talloc_zero(mem_ctx, struct glsl_program);
    if (!program)
        return NULL;
    struct linker ln = {
        .options = options,
        .program = program,
        .tmp = talloc_new(program),
    };
    ln.log = (struct strbuf)STRBUF_INIT(ln.tmp);
    const struct glsl_link_input selected = select_shaders(&ln, input);
    ln.input = &selected;
    if (!ln.failed)
        check(&ln);
    if (!ln.failed)
        generate(&ln);
    program->info_log = talloc_strdup(program, strbuf_str(&ln.log));
    program->version = ln.version;
    program->es = ln.es;
    program->linked = !ln.failed;
    if (ln.spirv)
        link_spirv_forget_names(program);
    talloc_free(ln.tmp);
    return program;
}

/* The parameters of glsl_link. */
struct link_args {
    void *mem_ctx;
    const struct glsl_options *options;
    const struct glsl_link_input *input;
};

static void *link_deep(void *data)
{
    const struct link_args *a = data;
    return link_program(a->mem_ctx, a->options, a->input);
}

struct glsl_program *glsl_link(void *mem_ctx, const struct glsl_options *options,
                               const struct glsl_link_input *input)
{
    struct link_args args = {mem_ctx, options, input};
    struct glsl_program *program = util_deep_attempt(link_deep, &args);
    if (!program)
        util_out_of_memory();
    return program;
}
