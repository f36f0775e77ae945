/* SPDX-License-Identifier: MIT */
/*
 * Checks the resources of a linked program against the limits (GL 4.6 §7.6, §7.7, §7.8, §11.1.2.1,
 * §11.1.3, §11.2.1.2, §11.3.4.5, §15.2, §19.1). For combined limits, a resource counts once per
 * stage that uses it. A limit of 0 means that the context lacks the feature, so the compiler has
 * rejected it already, or that there is no limit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <talloc.h>

#include "glsl/glsl_link.h"

#include "util/check.h"

/* Resources that one stage uses. */
struct usage {
    unsigned uniform_components, samplers, images, uniform_blocks, storage_blocks;
    unsigned counters, counter_buffers;
};

static void check(struct linker *ln, const char *stage, const char *what, unsigned used,
                  unsigned max, const char *limit)
{
    if (max && used > max)
        link_error(ln, "too many %s %s (%u > %u, %s)", stage, what, used, max, limit);
}

/* -------------------------------------------------------------------------------- resources --- */

/* Uniforms that may be set to handles have slots only as far as any are left, and don't count
 * against limits (ARB_bindless_texture §2.14.7, issue 16). */
static void discount_handles(struct usage *use, const struct glsl_uniform *u, unsigned s)
{
    unsigned *used = glsl_type_is_image(u->type) ? &use->images : &use->samplers;
    if (u->bindless && u->opaque_index[s] >= 0)
        *used -= MIN2(*used, MAX2(u->array_size, 1));
}

/* Counts the resources that a stage uses. */
static struct usage count_stage(const struct glsl_program *p, unsigned s)
{
    const nir_shader_info *info = &p->nir[s]->info;
    struct usage use = {
        .samplers = info->num_textures,
        .images = info->num_images,
        .uniform_blocks = info->num_ubos,
        .storage_blocks = info->num_ssbos,
        .counter_buffers = info->num_abos,
    };
    for (unsigned i = 0; i < p->num_uniforms; i++) {
        const struct glsl_uniform *u = &p->uniforms[i];
        unsigned count = MAX2(u->array_size, 1);
        if (!(u->stages >> s & 1) || u->builtin || u->block_index >= 0)
            continue;
        if (u->atomic_buffer >= 0)
            use.counters += count;
        else if (u->opaque)
            discount_handles(&use, u, s);
        else
            use.uniform_components += count * (glsl_packed_size(u->type) / 4);
    }
    return use;
}

/* Returns the limits of a stage. Older versions define them only for vertex and fragment
 * shaders. */
static struct usage stage_limits(const struct glsl_limits *l, unsigned s)
{
    struct usage max = {
        .uniform_components = l->max_uniform_components[s],
        .samplers = l->max_stage_samplers[s],
        .images = l->max_stage_images[s],
        .uniform_blocks = l->max_stage_uniform_blocks[s],
        .storage_blocks = l->max_stage_storage_blocks[s],
        .counters = l->max_stage_atomic_counters[s],
        .counter_buffers = l->max_stage_atomic_buffers[s],
    };
    if (!max.uniform_components)
        max.uniform_components = s == SHADER_FRAGMENT ? l->max_fragment_uniform_components
                                                      : l->max_vertex_uniform_components;
    if (!max.samplers)
        max.samplers =
            s == SHADER_VERTEX ? l->max_vertex_texture_image_units : l->max_texture_image_units;
    if (!max.uniform_blocks)
        max.uniform_blocks = l->max_uniform_blocks;
    max.samplers = MIN2(max.samplers, DRV_MAX_SAMPLERS);
    return max;
}

static void check_stage(struct linker *ln, unsigned s, const struct usage *use)
{
    const struct usage max = stage_limits(&ln->options->limits, s);
    char name[64];
    snprintf(name, sizeof name, "%s shader", link_stage_name(s));
    check(ln, name, "default uniform block components", use->uniform_components,
          max.uniform_components, "MAX_*_UNIFORM_COMPONENTS");
    if (use->samplers > max.samplers) /* a limit of 0 applies, too */
        link_error(ln, "too many %s texture samplers (%u > %u, MAX_*_TEXTURE_IMAGE_UNITS)", name,
                   use->samplers, max.samplers);
    check(ln, name, "image uniforms", use->images, max.images, "MAX_*_IMAGE_UNIFORMS");
    check(ln, name, "uniform blocks", use->uniform_blocks, max.uniform_blocks,
          "MAX_*_UNIFORM_BLOCKS");
    check(ln, name, "storage blocks", use->storage_blocks, max.storage_blocks,
          "MAX_*_SHADER_STORAGE_BLOCKS");
    check(ln, name, "atomic counters", use->counters, max.counters, "MAX_*_ATOMIC_COUNTERS");
    check(ln, name, "atomic counter buffers", use->counter_buffers, max.counter_buffers,
          "MAX_*_ATOMIC_COUNTER_BUFFERS");
}

static void check_combined(struct linker *ln, const struct usage *all)
{
    const struct glsl_limits *l = &ln->options->limits;
    unsigned blocks = 0, outputs = ln->stages[SHADER_FRAGMENT] ? ln->program->num_outputs : 0;
    for (unsigned i = 0; i < ln->program->num_blocks; i++)
        blocks += ln->program->blocks[i].is_storage;
    check(ln, "combined", "texture samplers", all->samplers, l->max_combined_texture_image_units,
          "MAX_COMBINED_TEXTURE_IMAGE_UNITS");
    check(ln, "combined", "image uniforms", all->images, l->max_combined_images,
          "MAX_COMBINED_IMAGE_UNIFORMS");
    check(ln, "combined", "uniform blocks", all->uniform_blocks, l->max_combined_uniform_blocks,
          "MAX_COMBINED_UNIFORM_BLOCKS");
    check(ln, "combined", "storage blocks", all->storage_blocks, l->max_combined_storage_blocks,
          "MAX_COMBINED_SHADER_STORAGE_BLOCKS");
    check(ln, "combined", "atomic counters", all->counters, l->max_combined_atomic_counters,
          "MAX_COMBINED_ATOMIC_COUNTERS");
    check(ln, "combined", "atomic counter buffers", all->counter_buffers,
          l->max_combined_atomic_buffers, "MAX_COMBINED_ATOMIC_COUNTER_BUFFERS");
    if (all->images || blocks)
        check(ln, "combined", "images, storage blocks and fragment outputs",
              all->images + blocks + outputs, l->max_combined_shader_output_resources,
              "MAX_COMBINED_SHADER_OUTPUT_RESOURCES");
}

static int compare_counters(const void *a, const void *b)
{
    const struct glsl_uniform *x = *(const struct glsl_uniform *const *)a;
    const struct glsl_uniform *y = *(const struct glsl_uniform *const *)b;
    int order = x->atomic_buffer - y->atomic_buffer;
    return order ? order : (x->offset > y->offset) - (x->offset < y->offset);
}

/* GLSL 4.60 §4.4.7: counters must not overlap, and buffers have a maximum size. */
static void check_counters(struct linker *ln)
{
    const struct glsl_program *p = ln->program;
    const struct glsl_uniform **list =
        talloc_array(ln->tmp, const struct glsl_uniform *, p->num_uniforms + 1);
    unsigned count = 0, max = ln->options->limits.max_atomic_buffer_size;
    for (unsigned i = 0; i < p->num_uniforms; i++)
        if (p->uniforms[i].atomic_buffer >= 0)
            NEXT_WITHIN(list, count, p->num_uniforms) = &p->uniforms[i];
    if (count)
        qsort(list, count, sizeof *list, compare_counters);
    for (unsigned i = 1; i < count; i++) {
        const struct glsl_uniform *a = list[i - 1], *b = list[i];
        if (a->atomic_buffer == b->atomic_buffer &&
            b->offset < a->offset + 4 * (int64_t)MAX2(a->array_size, 1))
            link_error(ln, "atomic counters `%s' and `%s' overlap at offset %d of binding %d",
                       a->name, b->name, b->offset, b->binding);
    }
    for (unsigned i = 0; i < p->num_atomic_buffers; i++)
        check(ln, "bytes of", "atomic counters in one buffer", p->atomic_buffers[i].size, max,
              "MAX_ATOMIC_COUNTER_BUFFER_SIZE");
}

/* ------------------------------------------------------------------------------- interfaces --- */

/* Returns the number of 32-bit components of a stage's inputs or outputs for one vertex. */
static unsigned count_components(const struct link_stage *st, nir_variable_mode mode, bool patch,
                                 bool builtin)
{
    unsigned n = 0;
    nir_foreach_variable_with_modes (var, st->nir, mode) {
        bool is_builtin = !strncmp(var->name, "gl_", 3);
        const struct glsl_type *type = link_vertex_type(st->stage, var);
        if (var->data.patch == patch && (builtin || !is_builtin))
            n +=
                glsl_component_count(type) * (glsl_type_is_64bit(glsl_without_array(type)) ? 2 : 1);
    }
    return n;
}

/* Returns the components of all outputs of a geometry shader. Outputs that are not interpolated
 * don't count with ARB_geometry_shader4, which limits varying variables (issue 26). */
static unsigned count_geometry_outputs(const struct link_stage *st)
{
    unsigned n = count_components(st, nir_var_shader_out, false, true);
    if (!link_has_program_geometry(st))
        return n;
    nir_foreach_variable_with_modes (var, st->nir, nir_var_shader_out) {
        switch (var->data.location) {
        case VARYING_SLOT_POS:
        case VARYING_SLOT_PSIZ:
        case VARYING_SLOT_CLIP_VERTEX:
        case VARYING_SLOT_LAYER:
            n -= glsl_component_count(var->type);
            break;
        default:
            break;
        }
    }
    return n;
}

void link_count_components(struct linker *ln)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        struct link_stage *st = ln->stages[s];
        if (!st)
            continue;
        st->components = (struct link_components){
            .in = count_components(st, nir_var_shader_in, false, false),
            .out = count_components(st, nir_var_shader_out, false, false),
            .patch = count_components(st, nir_var_shader_out, true, false),
            .all_out = count_geometry_outputs(st),
        };
    }
}

static void check_interfaces(struct linker *ln, const struct link_stage *st)
{
    const struct glsl_limits *l = &ln->options->limits;
    const unsigned in = st->components.in, out = st->components.out, patch = st->components.patch;
    const char *name = link_stage_name(st->stage);
    if (st->stage != SHADER_VERTEX)
        check(ln, name, "shader input components", in, l->max_input_components[st->stage],
              "MAX_*_INPUT_COMPONENTS");
    if (st->stage != SHADER_FRAGMENT)
        check(ln, name, "shader output components", out, l->max_output_components[st->stage],
              "MAX_*_OUTPUT_COMPONENTS");
    if (st->stage == SHADER_TESS_CTRL) {
        check(ln, name, "components of patch outputs", patch, l->max_patch_components,
              "MAX_TESS_PATCH_COMPONENTS");
        check(ln, name, "components of all outputs", out * st->info.tess.vertices_out + patch,
              l->max_tess_ctrl_total_output_components, "MAX_TESS_CONTROL_TOTAL_OUTPUT_COMPONENTS");
    }
    if (st->stage == SHADER_GEOMETRY)
        check(ln, name, "components of all vertices",
              st->components.all_out * st->info.gs.vertices_out,
              l->max_geometry_total_output_components, "MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS");
}

/* Returns the size in bytes without alignment, saturated at 2^32, so that it cannot overflow. */
static uint64_t least_bytes(const struct glsl_type *t)
{
    const uint64_t most = 1ull << 32;
    uint64_t bytes = 0;
    if (glsl_type_is_array(t))
        return MIN2(t->length * least_bytes(t->element), most);
    if (!glsl_type_is_struct(t))
        return glsl_component_count(t) * (glsl_type_is_64bit(t) ? 8ull : 4ull);
    for (unsigned i = 0; i < t->length; i++)
        bytes += least_bytes(t->fields[i].type);
    return MIN2(bytes, most);
}

/* Checks the total size of all shared variables, used or not, with the layout of
 * nir_lower_explicit_io (GL 4.6 §19.1; EXT_mesh_shader has the same limit for its stages). */
static void check_shared(struct linker *ln, const struct link_stage *st)
{
    unsigned max = ln->options->limits.max_compute_shared_memory;
    uint64_t bytes = 0;
    for (unsigned i = 0; i < st->vars.count; i++) {
        const struct link_var *lv = &st->vars.data[i];
        if (lv->decl->mode != HIR_VAR_SHARED || lv->decl->payload)
            continue;
        uint64_t least = least_bytes(lv->type);
        bytes = ALIGN_POT(bytes, glsl_std430_align(lv->type, false));
        bytes += least > max ? least : glsl_std430_size(lv->type, false);
    }
    check(ln, "bytes of", "shared variables", (unsigned)MIN2(bytes, UINT32_MAX), max,
          st->stage == SHADER_TASK   ? "MAX_TASK_SHARED_MEMORY_SIZE_EXT"
          : st->stage == SHADER_MESH ? "MAX_MESH_SHARED_MEMORY_SIZE_EXT"
                                     : "MAX_COMPUTE_SHARED_MEMORY_SIZE");
}

/* Returns the payload of a stage; NULL: there is none. Reports an error if its shaders declare
 * several. */
static const struct link_var *find_payload(struct linker *ln, const struct link_stage *st)
{
    const struct link_var *found = NULL;
    for (unsigned i = 0; st && i < st->vars.count; i++) {
        const struct link_var *lv = &st->vars.data[i];
        if (!lv->decl->payload)
            continue;
        if (found)
            link_error(ln, "%s shaders declare two payloads, `%s' and `%s'",
                       link_stage_name(st->stage), found->name, lv->name);
        found = lv;
    }
    return found;
}

/* EXT_mesh_shader, GLSL §2.7: checks the size of the payload, and that the task and the mesh shader
 * declare the same type. */
static void check_payload(struct linker *ln)
{
    const struct link_var *task = find_payload(ln, ln->stages[SHADER_TASK]);
    const struct link_var *mesh = find_payload(ln, ln->stages[SHADER_MESH]);
    const struct link_var *any = task ? task : mesh;
    if (task && mesh && !glsl_type_equal(task->type, mesh->type))
        link_error(ln, "the payload has type `%s' in the task shader, but `%s' in the mesh shader",
                   task->type->name, mesh->type->name);
    if (any)
        check(ln, "bytes of", "payload", (unsigned)MIN2(least_bytes(any->type), UINT32_MAX),
              ln->options->limits.max_task_payload, "MAX_TASK_PAYLOAD_SIZE_EXT");
}

/* Checks the number of varyings (GL 4.6 §11.1.2.1). */
static void check_varyings(struct linker *ln)
{
    const struct link_stage *st = link_last_geometry_stage(ln);
    if (st && ln->stages[SHADER_FRAGMENT])
        check(ln, link_stage_name(st->stage), "varying components", st->components.out,
              ln->options->limits.max_varying_components, "MAX_VARYING_COMPONENTS");
}

void link_check_limits(struct linker *ln)
{
    struct usage all = {0};
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!ln->stages[s])
            continue;
        struct usage use = count_stage(ln->program, s);
        check_stage(ln, s, &use);
        if (s <= SHADER_FRAGMENT || s == SHADER_MESH)
            check_interfaces(ln, ln->stages[s]);
        all.samplers += use.samplers;
        all.images += use.images;
        all.uniform_blocks += use.uniform_blocks;
        all.storage_blocks += use.storage_blocks;
        all.counters += use.counters;
        all.counter_buffers += use.counter_buffers;
    }
    check_combined(ln, &all);
    check_counters(ln);
    check_varyings(ln);
    for (unsigned s = SHADER_COMPUTE; s < SHADER_STAGE_COUNT; s++)
        if (ln->stages[s])
            check_shared(ln, ln->stages[s]);
    check_payload(ln);
}
