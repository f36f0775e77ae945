/* SPDX-License-Identifier: MIT */
/*
 * Shaders that are SPIR-V modules (ARB_gl_spirv). Specialization translates them to NIR. The
 * information that the linker gets from GLSL declarations comes from the NIR variables here.
 * spirv_to_nir generated the names from locations and bindings, by which such interfaces match
 * (7.4.spv); the program reports no names.
 */
#include <talloc.h>

#include "glsl/glsl_link.h"
#include "util/deep_stack.h"
#include "util/memory.h"

/* ------------------------------------------------------------------------- specialization --- */

static struct glsl_shader *specialize(void *mem_ctx, const struct glsl_options *options,
                                      const struct glsl_module *module)
{
    struct glsl_shader *shader = talloc_zero(mem_ctx, struct glsl_shader);
    struct spirv_options o = {
        .stage = module->stage,
        .entry_point = module->entry_point,
        .specializations = module->specializations,
        .num_specializations = module->num_specializations,
        .nir_options = options->nir_options[module->stage],
        .sparse = bitset_test(options->extensions, GLSL_EXT_ARB_sparse_texture2) &&
                  bitset_test(options->extensions, GLSL_EXT_ARB_sparse_texture_clamp),
        .int64_atomics = bitset_test(options->extensions, GLSL_EXT_NV_shader_atomic_int64),
    };
    char *error;
    if (!shader)
        return NULL;
    shader->stage = module->stage;
    shader->version = options->max_version;
    shader->nir = spirv_to_nir(shader, module->words, module->num_words, &o, &error);
    shader->info_log = error ? error : talloc_strdup(shader, "");
    shader->compiled = shader->nir != NULL;
    if ((!shader->nir && !error) || !shader->info_log) {
        talloc_free(shader);
        return NULL;
    }
    return shader;
}

/* The parameters of glsl_specialize. */
struct specialize_args {
    void *mem_ctx;
    const struct glsl_options *options;
    const struct glsl_module *module;
};

static void *specialize_deep(void *data)
{
    const struct specialize_args *a = data;
    return specialize(a->mem_ctx, a->options, a->module);
}

struct glsl_shader *glsl_specialize(void *mem_ctx, const struct glsl_options *options,
                                    const struct glsl_module *module)
{
    struct specialize_args args = {mem_ctx, options, module};
    struct glsl_shader *shader = util_deep_attempt(specialize_deep, &args);
    if (!shader)
        util_out_of_memory();
    return shader;
}

/* ----------------------------------------------------------------------------- declarations --- */

static struct hir_constant *constant_to_hir(struct hir_shader *sh, const nir_constant *c,
                                            const struct glsl_type *t)
{
    struct hir_constant *out = hir_const_create(sh, t);
    if (c->is_null_constant && !c->num_elements)
        return out;
    unsigned rows = t->vector_elements;
    for (unsigned i = 0; !out->elements && i < t->matrix_columns; i++) {
        const nir_constant *column = glsl_type_is_matrix(t) ? c->elements[i] : c;
        for (unsigned k = 0; k < rows && !column->is_null_constant; k++)
            out->value[i * rows + k] = column->values[k];
    }
    for (unsigned i = 0; out->elements && i < t->length; i++)
        out->elements[i] = constant_to_hir(sh, c->elements[i],
                                           glsl_type_is_array(t) ? t->element : t->fields[i].type);
    return out;
}

static enum hir_variable_mode hir_mode(const nir_variable *var)
{
    switch (var->data.mode) {
    case nir_var_shader_in:
        return HIR_VAR_SHADER_IN;
    case nir_var_shader_out:
        return HIR_VAR_SHADER_OUT;
    case nir_var_mem_ssbo:
        return HIR_VAR_BUFFER;
    default:
        return HIR_VAR_UNIFORM;
    }
}

/* Returns whether a variable is an opaque struct member, which exists in addition to the variable
 * of the struct. */
static bool is_member(const nir_variable *var)
{
    return var->data.mode == nir_var_uniform && strchr(var->name, '.');
}

static void declare_block(struct linker *ln, struct link_stage *st, struct hir_variable *decl,
                          nir_variable *var)
{
    const struct glsl_type *type = glsl_without_array(var->type);
    type =
        glsl_interface_type(ln->tmp, type->fields, type->length, type->packing, false, var->name);
    decl->interface_type = type;
    decl->interface_field = -1;
    if (link_find_block(ln, st->stage, decl))
        return;
    struct link_block *block = talloc_zero(ln->tmp, struct link_block);
    *block = (struct link_block){
        .name = var->name,
        .decl = decl,
        .type = type,
        .binding = var->data.explicit_binding ? (int)var->data.binding : -1,
    };
    hash_table_insert(ln->block_of, type, block);
}

/* Declares the xfb_stride of a variable; each instance of a block has a separate buffer. */
static void declare_stride(struct link_stage *st, const nir_variable *var)
{
    unsigned count = var->interface_type ? glsl_aoa_size(var->interface_type) : 1;
    unsigned first = var->data.xfb.buffer, end = first + MIN2(count, 4 - first);
    for (unsigned b = first; b < end; b++)
        st->xfb_stride[b] = var->data.xfb.stride;
}

static void declare(struct linker *ln, struct link_stage *st, struct hir_shader *sh,
                    nir_variable *var)
{
    /* A uniform with booleans, which memory stores as integers, has its declared type in
     * interface_type. */
    const struct glsl_type *type =
        var->data.mode == nir_var_uniform && var->interface_type ? var->interface_type : var->type;
    struct hir_variable *decl = hir_variable_create(sh, type, var->name, hir_mode(var));
    decl->builtin = !strncmp(var->name, "gl_", 3);
    decl->patch = var->data.patch;
    decl->used = decl->assigned = true;
    decl->interpolation = var->data.interpolation;
    decl->stream = var->data.stream;
    decl->explicit_xfb_offset = var->data.xfb.explicit_offset;
    decl->xfb_buffer = var->data.xfb.buffer;
    decl->xfb_offset = var->data.offset;
    bool counter = glsl_type_contains(var->type, GLSL_TYPE_ATOMIC_UINT);
    decl->explicit_offset = counter;
    decl->offset = (int)var->data.offset;
    if (var->data.xfb.explicit_stride)
        declare_stride(st, var);
    if (var->data.mode & (nir_var_mem_ubo | nir_var_mem_ssbo))
        declare_block(ln, st, decl, var);
    struct link_var lv = {
        .name = decl->name,
        .decl = decl,
        .type = type,
        .location = var->data.location,
        .binding = var->data.explicit_binding ? (int)var->data.binding : -1,
        .component = var->data.explicit_component ? var->data.location_frac : -1,
        .offset = counter ? (int)var->data.offset : -1,
        .max_access = -1,
        .used = true,
        .assigned = true,
        .whole = true,
        .nir = var,
    };
    if (var->data.mode == nir_var_uniform && var->constant_initializer)
        lv.initializer = constant_to_hir(sh, var->constant_initializer, type);
    if (dynarray_append(&st->vars, lv))
        hash_table_insert(st->table, decl->name, (void *)(uintptr_t)st->vars.count);
}

/* ----------------------------------------------------------------------------------- checks --- */

/* Renames blocks that have the same binding as a block of another type, because they are different
 * blocks. */
static void rename_conflicts(struct linker *ln, struct link_stage *st)
{
    nir_foreach_variable_with_modes (var, st->nir, nir_var_mem_ubo | nir_var_mem_ssbo) {
        for (unsigned s = 0; s < st->stage; s++) {
            const struct link_var *other =
                ln->stages[s] ? link_find_var(ln->stages[s], var->name) : NULL;
            if (other && !glsl_type_equal(other->type, var->type)) {
                var->name = talloc_asprintf(var, "%s@%u", var->name, st->stage);
                break;
            }
        }
    }
}

static void check_uniforms(struct linker *ln, const struct link_stage *st)
{
    for (unsigned i = 0; i < st->vars.count; i++) {
        const struct link_var *lv = &st->vars.data[i];
        for (unsigned s = 0; s < st->stage && lv->decl->mode == HIR_VAR_UNIFORM; s++) {
            const struct link_var *other =
                ln->stages[s] ? link_find_var(ln->stages[s], lv->name) : NULL;
            if (other && !glsl_type_equal(other->type, lv->type) && !lv->decl->interface_type)
                link_error(ln,
                           "uniforms at location %d have different types in the %s and %s shaders",
                           lv->location, link_stage_name(s), link_stage_name(st->stage));
        }
    }
}

/* Returns whether types match (7.4.spv): an input may be a vector with fewer components than the
 * output. */
static bool types_match(const struct glsl_type *out, const struct glsl_type *in)
{
    if (glsl_type_equal(out, in))
        return true;
    return glsl_type_is_vector_or_scalar(out) && glsl_type_is_vector_or_scalar(in) &&
           out->base_type == in->base_type && !glsl_type_is_64bit(out) &&
           out->vector_elements >= in->vector_elements;
}

static void check_interface(struct linker *ln, const struct link_stage *producer,
                            const struct link_stage *consumer)
{
    nir_foreach_shader_in_variable(in, consumer->nir)
    {
        const nir_variable *out = link_partner(consumer, producer, in, nir_var_shader_out);
        if (!out || !in->data.explicit_location)
            continue;
        const struct glsl_type *from = link_vertex_type(producer->stage, out);
        const struct glsl_type *to = link_vertex_type(consumer->stage, in);
        if (!types_match(from, to))
            link_error(ln,
                       "the type of the %s shader input at location %d does not match the output",
                       link_stage_name(consumer->stage), in->data.location);
        ln->narrowed_inputs |= !glsl_type_equal(from, to);
    }
}

static void check_compute(struct linker *ln, const struct link_stage *st)
{
    const struct glsl_limits *limits = &ln->options->limits;
    unsigned total = 1;
    for (unsigned k = 0; k < 3; k++) {
        unsigned size = st->info.cs.workgroup_size[k];
        total *= MIN2(size, 4096);
        if (limits->max_compute_workgroup_size[k] && size > limits->max_compute_workgroup_size[k])
            link_error(ln, "workgroup size %u is too large", size);
    }
    if (limits->max_compute_workgroup_invocations &&
        total > limits->max_compute_workgroup_invocations)
        link_error(ln, "a workgroup of %u invocations is too large", total);
}

static void check_geometry(struct linker *ln, const struct link_stage *st)
{
    const struct glsl_limits *limits = &ln->options->limits;
    if (limits->max_geometry_output_vertices &&
        st->info.gs.vertices_out > limits->max_geometry_output_vertices)
        link_error(ln, "geometry shader has too many output vertices (%u > %u)",
                   st->info.gs.vertices_out, limits->max_geometry_output_vertices);
    if (limits->max_geometry_invocations &&
        st->info.gs.invocations > limits->max_geometry_invocations)
        link_error(ln, "geometry shader has too many invocations");
}

/* GLSL 4.60 §7.1.1: the combined size of the arrays of outputs is limited. */
static void check_distances(struct linker *ln, const struct link_stage *st)
{
    unsigned max = ln->options->limits.max_combined_clip_and_cull_distances;
    if (max && st->info.clip_distance_array_size + st->info.cull_distance_array_size > max)
        link_error(ln, "gl_ClipDistance and gl_CullDistance have more than %u elements", max);
}

/* --------------------------------------------------------------------------------- linking --- */

static void collect_stage(struct linker *ln, struct link_stage *st)
{
    const nir_variable_mode modes = nir_var_shader_in | nir_var_shader_out | nir_var_uniform |
                                    nir_var_mem_ubo | nir_var_mem_ssbo;
    struct hir_shader *sh = hir_shader_create(ln->tmp, st->stage);
    if (st->shaders.count > 1) {
        link_error(ln, "there are multiple %s shaders", link_stage_name(st->stage));
        return;
    }
    st->nir = ln->program->nir[st->stage] = nir_shader_clone(ln->program, st->shaders.data[0]->nir);
    st->info = st->nir->info;
    st->streams = st->stage == SHADER_GEOMETRY ? st->info.gs.active_stream_mask : 0;
    rename_conflicts(ln, st);
    nir_foreach_variable_with_modes (var, st->nir, modes)
        if (!is_member(var))
            declare(ln, st, sh, var);
    if (st->stage == SHADER_COMPUTE)
        check_compute(ln, st);
    if (st->stage == SHADER_GEOMETRY)
        check_geometry(ln, st);
    check_distances(ln, st);
    check_uniforms(ln, st);
}

void link_spirv_collect(struct linker *ln)
{
    ln->blocks = hash_table_create_string(ln->tmp);
    ln->block_of = hash_table_create_pointer(ln->tmp);
    for (unsigned i = 0; i < ln->input->num_shaders; i++) {
        if (!ln->input->shaders[i]->nir)
            link_error(ln, "SPIR-V and GLSL shaders cannot be linked together");
    }
    for (unsigned s = 0; s < SHADER_STAGE_COUNT && !ln->failed; s++) {
        if (ln->stages[s])
            collect_stage(ln, ln->stages[s]);
    }
    for (unsigned s = 0; s < SHADER_FRAGMENT && !ln->failed; s++) {
        const struct link_stage *consumer = ln->stages[s] ? link_stage_after(ln, s) : NULL;
        if (consumer)
            check_interface(ln, ln->stages[s], consumer);
    }
}

/* ARB_gl_spirv 7.3.1: the program provides no names. */
void link_spirv_forget_names(struct glsl_program *p)
{
    for (unsigned i = 0; i < p->num_uniforms; i++)
        p->uniforms[i].name[0] = '\0';
    for (unsigned i = 0; i < p->num_inputs; i++)
        p->inputs[i].name[0] = '\0';
    for (unsigned i = 0; i < p->num_outputs; i++)
        p->outputs[i].name[0] = '\0';
    for (unsigned i = 0; i < p->num_blocks; i++)
        p->blocks[i].name[0] = '\0';
    for (unsigned i = 0; i < p->num_xfb; i++)
        p->xfb[i].name[0] = '\0';
}
