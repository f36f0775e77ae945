/* SPDX-License-Identifier: MIT */
/*
 * Limits and extensions passed to the compiler, and queries of limits.
 *
 * The driver's caps bound the limits. An override of the version can add stages and resources that
 * the driver doesn't support. Their limits get at least the minimum values of GL 4.6 §23 (tables
 * 23.64 and following), so that shaders compile and link. gl_enum_available() decides which limits
 * a context can be queried for.
 */
#include <stddef.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_get_types.h"
#include "gl/program/gl_asm.h"
#include "gl/program/gl_program.h"
#include "glsl/glsl.h"

#define OFFSET(field) offsetof(struct glsl_limits, field)

static const struct {
    GLenum pname;
    unsigned offset; /* offset of an unsigned or int in glsl_limits */
} limit_names[] = {
    {GL_MAX_UNIFORM_LOCATIONS, OFFSET(max_uniform_locations)},
    {GL_MAX_COMBINED_UNIFORM_BLOCKS, OFFSET(max_combined_uniform_blocks)},
    {GL_MAX_UNIFORM_BUFFER_BINDINGS, OFFSET(max_uniform_bindings)},
    {GL_MAX_UNIFORM_BLOCK_SIZE, OFFSET(max_uniform_block_size)},
    {GL_MAX_VERTEX_UNIFORM_BLOCKS, OFFSET(max_stage_uniform_blocks[SHADER_VERTEX])},
    {GL_MAX_TESS_CONTROL_UNIFORM_BLOCKS, OFFSET(max_stage_uniform_blocks[SHADER_TESS_CTRL])},
    {GL_MAX_TESS_EVALUATION_UNIFORM_BLOCKS, OFFSET(max_stage_uniform_blocks[SHADER_TESS_EVAL])},
    {GL_MAX_GEOMETRY_UNIFORM_BLOCKS, OFFSET(max_stage_uniform_blocks[SHADER_GEOMETRY])},
    {GL_MAX_FRAGMENT_UNIFORM_BLOCKS, OFFSET(max_stage_uniform_blocks[SHADER_FRAGMENT])},
    {GL_MAX_COMPUTE_UNIFORM_BLOCKS, OFFSET(max_stage_uniform_blocks[SHADER_COMPUTE])},
    {GL_MAX_TESS_CONTROL_UNIFORM_COMPONENTS, OFFSET(max_uniform_components[SHADER_TESS_CTRL])},
    {GL_MAX_TESS_EVALUATION_UNIFORM_COMPONENTS, OFFSET(max_uniform_components[SHADER_TESS_EVAL])},
    {GL_MAX_GEOMETRY_UNIFORM_COMPONENTS, OFFSET(max_uniform_components[SHADER_GEOMETRY])},
    {GL_MAX_COMPUTE_UNIFORM_COMPONENTS, OFFSET(max_uniform_components[SHADER_COMPUTE])},
    {GL_MAX_VERTEX_OUTPUT_COMPONENTS, OFFSET(max_output_components[SHADER_VERTEX])},
    {GL_MAX_TESS_CONTROL_INPUT_COMPONENTS, OFFSET(max_input_components[SHADER_TESS_CTRL])},
    {GL_MAX_TESS_CONTROL_OUTPUT_COMPONENTS, OFFSET(max_output_components[SHADER_TESS_CTRL])},
    {GL_MAX_TESS_EVALUATION_INPUT_COMPONENTS, OFFSET(max_input_components[SHADER_TESS_EVAL])},
    {GL_MAX_TESS_EVALUATION_OUTPUT_COMPONENTS, OFFSET(max_output_components[SHADER_TESS_EVAL])},
    {GL_MAX_GEOMETRY_INPUT_COMPONENTS, OFFSET(max_input_components[SHADER_GEOMETRY])},
    {GL_MAX_GEOMETRY_OUTPUT_COMPONENTS, OFFSET(max_output_components[SHADER_GEOMETRY])},
    {GL_MAX_FRAGMENT_INPUT_COMPONENTS, OFFSET(max_input_components[SHADER_FRAGMENT])},
    {GL_MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS, OFFSET(max_stage_samplers[SHADER_TESS_CTRL])},
    {GL_MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS, OFFSET(max_stage_samplers[SHADER_TESS_EVAL])},
    {GL_MAX_GEOMETRY_TEXTURE_IMAGE_UNITS, OFFSET(max_stage_samplers[SHADER_GEOMETRY])},
    {GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS, OFFSET(max_stage_samplers[SHADER_COMPUTE])},
    {GL_MAX_VERTEX_IMAGE_UNIFORMS, OFFSET(max_stage_images[SHADER_VERTEX])},
    {GL_MAX_TESS_CONTROL_IMAGE_UNIFORMS, OFFSET(max_stage_images[SHADER_TESS_CTRL])},
    {GL_MAX_TESS_EVALUATION_IMAGE_UNIFORMS, OFFSET(max_stage_images[SHADER_TESS_EVAL])},
    {GL_MAX_GEOMETRY_IMAGE_UNIFORMS, OFFSET(max_stage_images[SHADER_GEOMETRY])},
    {GL_MAX_FRAGMENT_IMAGE_UNIFORMS, OFFSET(max_stage_images[SHADER_FRAGMENT])},
    {GL_MAX_COMPUTE_IMAGE_UNIFORMS, OFFSET(max_stage_images[SHADER_COMPUTE])},
    {GL_MAX_COMBINED_IMAGE_UNIFORMS, OFFSET(max_combined_images)},
    {GL_MAX_IMAGE_UNITS, OFFSET(max_image_units)},
    {GL_MAX_IMAGE_SAMPLES, OFFSET(max_image_samples)},
    {GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES, OFFSET(max_combined_shader_output_resources)},
    {GL_MAX_VERTEX_ATOMIC_COUNTERS, OFFSET(max_stage_atomic_counters[SHADER_VERTEX])},
    {GL_MAX_TESS_CONTROL_ATOMIC_COUNTERS, OFFSET(max_stage_atomic_counters[SHADER_TESS_CTRL])},
    {GL_MAX_TESS_EVALUATION_ATOMIC_COUNTERS, OFFSET(max_stage_atomic_counters[SHADER_TESS_EVAL])},
    {GL_MAX_GEOMETRY_ATOMIC_COUNTERS, OFFSET(max_stage_atomic_counters[SHADER_GEOMETRY])},
    {GL_MAX_FRAGMENT_ATOMIC_COUNTERS, OFFSET(max_stage_atomic_counters[SHADER_FRAGMENT])},
    {GL_MAX_COMPUTE_ATOMIC_COUNTERS, OFFSET(max_stage_atomic_counters[SHADER_COMPUTE])},
    {GL_MAX_COMBINED_ATOMIC_COUNTERS, OFFSET(max_combined_atomic_counters)},
    {GL_MAX_VERTEX_ATOMIC_COUNTER_BUFFERS, OFFSET(max_stage_atomic_buffers[SHADER_VERTEX])},
    {GL_MAX_TESS_CONTROL_ATOMIC_COUNTER_BUFFERS,
     OFFSET(max_stage_atomic_buffers[SHADER_TESS_CTRL])},
    {GL_MAX_TESS_EVALUATION_ATOMIC_COUNTER_BUFFERS,
     OFFSET(max_stage_atomic_buffers[SHADER_TESS_EVAL])},
    {GL_MAX_GEOMETRY_ATOMIC_COUNTER_BUFFERS, OFFSET(max_stage_atomic_buffers[SHADER_GEOMETRY])},
    {GL_MAX_FRAGMENT_ATOMIC_COUNTER_BUFFERS, OFFSET(max_stage_atomic_buffers[SHADER_FRAGMENT])},
    {GL_MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS, OFFSET(max_stage_atomic_buffers[SHADER_COMPUTE])},
    {GL_MAX_COMBINED_ATOMIC_COUNTER_BUFFERS, OFFSET(max_combined_atomic_buffers)},
    {GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS, OFFSET(max_atomic_bindings)},
    {GL_MAX_ATOMIC_COUNTER_BUFFER_SIZE, OFFSET(max_atomic_buffer_size)},
    {GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, OFFSET(max_stage_storage_blocks[SHADER_VERTEX])},
    {GL_MAX_TESS_CONTROL_SHADER_STORAGE_BLOCKS, OFFSET(max_stage_storage_blocks[SHADER_TESS_CTRL])},
    {GL_MAX_TESS_EVALUATION_SHADER_STORAGE_BLOCKS,
     OFFSET(max_stage_storage_blocks[SHADER_TESS_EVAL])},
    {GL_MAX_GEOMETRY_SHADER_STORAGE_BLOCKS, OFFSET(max_stage_storage_blocks[SHADER_GEOMETRY])},
    {GL_MAX_FRAGMENT_SHADER_STORAGE_BLOCKS, OFFSET(max_stage_storage_blocks[SHADER_FRAGMENT])},
    {GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, OFFSET(max_stage_storage_blocks[SHADER_COMPUTE])},
    {GL_MAX_COMBINED_SHADER_STORAGE_BLOCKS, OFFSET(max_combined_storage_blocks)},
    {GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, OFFSET(max_storage_bindings)},
    {GL_MAX_SHADER_STORAGE_BLOCK_SIZE, OFFSET(max_storage_block_size)},
    {GL_MAX_PATCH_VERTICES, OFFSET(max_patch_vertices)},
    {GL_MAX_TESS_GEN_LEVEL, OFFSET(max_tess_gen_level)},
    {GL_MAX_TESS_PATCH_COMPONENTS, OFFSET(max_patch_components)},
    {GL_MAX_TESS_CONTROL_TOTAL_OUTPUT_COMPONENTS, OFFSET(max_tess_ctrl_total_output_components)},
    {GL_MAX_GEOMETRY_OUTPUT_VERTICES, OFFSET(max_geometry_output_vertices)},
    {GL_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS, OFFSET(max_geometry_total_output_components)},
    {GL_MAX_GEOMETRY_SHADER_INVOCATIONS, OFFSET(max_geometry_invocations)},
    {GL_MAX_GEOMETRY_VARYING_COMPONENTS_ARB, OFFSET(max_output_components[SHADER_GEOMETRY])},
    {GL_MAX_VERTEX_VARYING_COMPONENTS_ARB, OFFSET(max_output_components[SHADER_VERTEX])},
    {GL_MAX_VERTEX_STREAMS, OFFSET(max_vertex_streams)},
    {GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, OFFSET(max_compute_workgroup_invocations)},
    {GL_MAX_COMPUTE_VARIABLE_GROUP_INVOCATIONS_ARB, OFFSET(max_compute_workgroup_invocations)},
    {GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, OFFSET(max_compute_shared_memory)},
    {GL_MAX_TASK_UNIFORM_BLOCKS_EXT, OFFSET(max_stage_uniform_blocks[SHADER_TASK])},
    {GL_MAX_TASK_UNIFORM_COMPONENTS_EXT, OFFSET(max_uniform_components[SHADER_TASK])},
    {GL_MAX_TASK_TEXTURE_IMAGE_UNITS_EXT, OFFSET(max_stage_samplers[SHADER_TASK])},
    {GL_MAX_TASK_IMAGE_UNIFORMS_EXT, OFFSET(max_stage_images[SHADER_TASK])},
    {GL_MAX_TASK_ATOMIC_COUNTERS_EXT, OFFSET(max_stage_atomic_counters[SHADER_TASK])},
    {GL_MAX_TASK_ATOMIC_COUNTER_BUFFERS_EXT, OFFSET(max_stage_atomic_buffers[SHADER_TASK])},
    {GL_MAX_TASK_SHADER_STORAGE_BLOCKS_EXT, OFFSET(max_stage_storage_blocks[SHADER_TASK])},
    {GL_MAX_TASK_WORK_GROUP_INVOCATIONS_EXT, OFFSET(max_compute_workgroup_invocations)},
    {GL_MAX_PREFERRED_TASK_WORK_GROUP_INVOCATIONS_EXT, OFFSET(max_compute_workgroup_invocations)},
    {GL_MAX_TASK_SHARED_MEMORY_SIZE_EXT, OFFSET(max_compute_shared_memory)},
    {GL_MAX_MESH_UNIFORM_BLOCKS_EXT, OFFSET(max_stage_uniform_blocks[SHADER_MESH])},
    {GL_MAX_MESH_UNIFORM_COMPONENTS_EXT, OFFSET(max_uniform_components[SHADER_MESH])},
    {GL_MAX_MESH_TEXTURE_IMAGE_UNITS_EXT, OFFSET(max_stage_samplers[SHADER_MESH])},
    {GL_MAX_MESH_IMAGE_UNIFORMS_EXT, OFFSET(max_stage_images[SHADER_MESH])},
    {GL_MAX_MESH_ATOMIC_COUNTERS_EXT, OFFSET(max_stage_atomic_counters[SHADER_MESH])},
    {GL_MAX_MESH_ATOMIC_COUNTER_BUFFERS_EXT, OFFSET(max_stage_atomic_buffers[SHADER_MESH])},
    {GL_MAX_MESH_SHADER_STORAGE_BLOCKS_EXT, OFFSET(max_stage_storage_blocks[SHADER_MESH])},
    {GL_MAX_MESH_WORK_GROUP_INVOCATIONS_EXT, OFFSET(max_compute_workgroup_invocations)},
    {GL_MAX_PREFERRED_MESH_WORK_GROUP_INVOCATIONS_EXT, OFFSET(max_compute_workgroup_invocations)},
    {GL_MAX_MESH_SHARED_MEMORY_SIZE_EXT, OFFSET(max_compute_shared_memory)},
    {GL_MAX_TASK_PAYLOAD_SIZE_EXT, OFFSET(max_task_payload)},
    {GL_MAX_MESH_OUTPUT_VERTICES_EXT, OFFSET(max_mesh_vertices)},
    {GL_MAX_MESH_OUTPUT_PRIMITIVES_EXT, OFFSET(max_mesh_primitives)},
    {GL_MAX_MESH_OUTPUT_COMPONENTS_EXT, OFFSET(max_output_components[SHADER_MESH])},
    {GL_MAX_SUBROUTINES, OFFSET(max_subroutines)},
    {GL_MAX_SUBROUTINE_UNIFORM_LOCATIONS, OFFSET(max_subroutine_uniform_locations)},
    {GL_MIN_PROGRAM_TEXEL_OFFSET, OFFSET(min_program_texel_offset)},
    {GL_MAX_PROGRAM_TEXEL_OFFSET, OFFSET(max_program_texel_offset)},
    {GL_MIN_PROGRAM_TEXTURE_GATHER_OFFSET, OFFSET(min_program_texture_gather_offset)},
    {GL_MAX_PROGRAM_TEXTURE_GATHER_OFFSET, OFFSET(max_program_texture_gather_offset)},
    {GL_FRAGMENT_INTERPOLATION_OFFSET_BITS, OFFSET(interpolation_offset_bits)},
    {GL_MAX_CULL_DISTANCES, OFFSET(max_cull_distances)},
    {GL_MAX_COMBINED_CLIP_AND_CULL_DISTANCES, OFFSET(max_combined_clip_and_cull_distances)},
    {GL_MAX_TRANSFORM_FEEDBACK_BUFFERS, OFFSET(max_transform_feedback_buffers)},
    {GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, OFFSET(max_transform_feedback_components)},
    {GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, OFFSET(max_transform_feedback_separate_attribs)},
    {GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS,
     OFFSET(max_transform_feedback_separate_components)},
};

static const struct {
    GLenum pname;
    uint8_t stage;
} combined_names[] = {
    {GL_MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS, SHADER_VERTEX},
    {GL_MAX_COMBINED_TESS_CONTROL_UNIFORM_COMPONENTS, SHADER_TESS_CTRL},
    {GL_MAX_COMBINED_TESS_EVALUATION_UNIFORM_COMPONENTS, SHADER_TESS_EVAL},
    {GL_MAX_COMBINED_GEOMETRY_UNIFORM_COMPONENTS, SHADER_GEOMETRY},
    {GL_MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS, SHADER_FRAGMENT},
    {GL_MAX_COMBINED_COMPUTE_UNIFORM_COMPONENTS, SHADER_COMPUTE},
    {GL_MAX_COMBINED_TASK_UNIFORM_COMPONENTS_EXT, SHADER_TASK},
    {GL_MAX_COMBINED_MESH_UNIFORM_COMPONENTS_EXT, SHADER_MESH},
};

static unsigned get_limit(struct gl_context *ctx, GLenum pname, double *v)
{
    const struct glsl_limits *l = &ctx->consts.glsl->limits;
    for (unsigned i = 0; i < ARRAY_SIZE(limit_names); i++) {
        if (limit_names[i].pname == pname) {
            v[0] = *(const int *)((const char *)l + limit_names[i].offset);
            return 1;
        }
    }
    for (unsigned i = 0; i < ARRAY_SIZE(combined_names); i++) {
        unsigned s = combined_names[i].stage;
        if (combined_names[i].pname == pname) {
            v[0] = l->max_uniform_components[s] +
                   (double)l->max_stage_uniform_blocks[s] * (l->max_uniform_block_size / 4);
            return 1;
        }
    }
    return 0;
}

/* Gets limits of task and mesh shaders that follow from others (EXT_mesh_shader, tables 23.53,
 * 23.63 and 23.64). Returns the number of values; 0: unknown. */
static unsigned get_mesh_limit(const struct gl_context *ctx, GLenum pname, enum gl_get_type *type,
                               double *v)
{
    const struct glsl_limits *l = &ctx->consts.glsl->limits;
    const double output = 4.0 * l->max_output_components[SHADER_MESH] *
                          (l->max_mesh_vertices + l->max_mesh_primitives);
    switch (pname) {
    case GL_MAX_TASK_WORK_GROUP_TOTAL_COUNT_EXT:
    case GL_MAX_MESH_WORK_GROUP_TOTAL_COUNT_EXT:
        v[0] = GL_MESH_MAX_GROUPS;
        return 1;
    case GL_MAX_TASK_PAYLOAD_AND_SHARED_MEMORY_SIZE_EXT:
    case GL_MAX_MESH_PAYLOAD_AND_SHARED_MEMORY_SIZE_EXT:
        v[0] = l->max_task_payload + l->max_compute_shared_memory;
        return 1;
    case GL_MAX_MESH_OUTPUT_MEMORY_SIZE_EXT:
        v[0] = output;
        return 1;
    case GL_MAX_MESH_PAYLOAD_AND_OUTPUT_MEMORY_SIZE_EXT:
        v[0] = l->max_task_payload + output;
        return 1;
    case GL_MAX_MESH_OUTPUT_LAYERS_EXT:
        v[0] = ctx->consts.max_array_texture_layers;
        return 1;
    case GL_MAX_MESH_MULTIVIEW_VIEW_COUNT_EXT:
    case GL_MESH_OUTPUT_PER_VERTEX_GRANULARITY_EXT:
    case GL_MESH_OUTPUT_PER_PRIMITIVE_GRANULARITY_EXT:
        v[0] = 1;
        return 1;
    case GL_MESH_PREFERS_LOCAL_INVOCATION_VERTEX_OUTPUT_EXT:
    case GL_MESH_PREFERS_LOCAL_INVOCATION_PRIMITIVE_OUTPUT_EXT:
        *type = GL_GET_BOOL;
        v[0] = 0;
        return 1;
    case GL_MESH_PREFERS_COMPACT_VERTEX_OUTPUT_EXT:
    case GL_MESH_PREFERS_COMPACT_PRIMITIVE_OUTPUT_EXT:
        *type = GL_GET_BOOL;
        v[0] = 1;
        return 1;
    default:
        return 0;
    }
}

unsigned gl_get_programs(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v)
{
    const struct glsl_limits *l = &ctx->consts.glsl->limits;
    *type = GL_GET_INT;
    switch (pname) {
    case GL_CURRENT_PROGRAM:
        v[0] = ctx->program.current ? ctx->program.current->name : 0;
        return 1;
    case GL_PROGRAM_PIPELINE_BINDING:
        v[0] = gl_pipeline_name(ctx);
        return 1;
    /* only in ARB_texture_gather, not in GL 4.0 */
    case GL_MAX_PROGRAM_TEXTURE_GATHER_COMPONENTS_ARB:
        v[0] = 4;
        return ctx->ext.ARB_texture_gather;
    case GL_PATCH_VERTICES:
        v[0] = ctx->program.patch_vertices;
        return 1;
    case GL_PATCH_DEFAULT_OUTER_LEVEL:
    case GL_PATCH_DEFAULT_INNER_LEVEL:
        *type = GL_GET_FLOAT;
        for (unsigned i = 0; i < 4; i++)
            v[i] = pname == GL_PATCH_DEFAULT_OUTER_LEVEL ? ctx->program.patch_outer[i]
                                                         : ctx->program.patch_inner[i & 1];
        /* ES has them, too, although only desktop GL defines them */
        return !gl_enum_available(ctx, GL_PATCH_VERTICES) ? 0
               : pname == GL_PATCH_DEFAULT_OUTER_LEVEL    ? 4
                                                          : 2;
    case GL_SHADER_BINARY_FORMATS:
        *type = GL_GET_ENUM;
        v[0] = GL_SHADER_BINARY_FORMAT_SPIR_V;
        return ctx->ext.ARB_gl_spirv;
    case GL_NUM_PROGRAM_BINARY_FORMATS:
        v[0] = 1;
        return 1;
    case GL_PROGRAM_BINARY_FORMATS:
        *type = GL_GET_ENUM;
        v[0] = GL_PROGRAM_BINARY_FORMAT_INDIUM;
        return 1;
    case GL_MIN_FRAGMENT_INTERPOLATION_OFFSET:
    case GL_MAX_FRAGMENT_INTERPOLATION_OFFSET:
        *type = GL_GET_FLOAT;
        v[0] = pname == GL_MIN_FRAGMENT_INTERPOLATION_OFFSET ? l->min_interpolation_offset
                                                             : l->max_interpolation_offset;
        return 1;
    default: {
        unsigned n = get_limit(ctx, pname, v);
        n = n ? n : get_mesh_limit(ctx, pname, type, v);
        return n ? n : gl_asm_get(ctx, pname, type, v);
    }
    }
}

/* ------------------------------------------------------------------------------- extensions --- */

/* Returns the API extension for a language extension. KHR_shader_subgroup is split into features in
 * the language. */
static const char *api_extension(const char *name)
{
    static const char subgroup[] = "GL_KHR_shader_subgroup";
    return strncmp(name, subgroup, sizeof subgroup - 1) ? name : subgroup;
}

void gl_compiler_extensions(const struct gl_context *ctx, struct glsl_options *options)
{
    for (unsigned i = 0; i < GLSL_EXT_COUNT; i++) {
        const char *name = api_extension(glsl_extension_table[i].name);
        if (gl_has_extension(ctx, name))
            bitset_set(options->extensions, i);
        if (gl_has_es_extension(ctx, name))
            bitset_set(options->es_extensions, i);
    }
}

/* ----------------------------------------------------------------------------------- limits --- */

/* Storage blocks, atomic counter buffers and one internal buffer (gl_bind_capture) share the
 * driver's storage buffers. */
enum {
    MAX_ATOMIC_BUFFERS = 8,
    MAX_STORAGE_BLOCKS = DRV_MAX_STORAGE_BUFFERS - MAX_ATOMIC_BUFFERS - 1,
};

/* Returns the driver's value. If it is 0 and an override forces the feature, returns `least`. */
static unsigned either(unsigned cap, bool forced, unsigned least)
{
    return cap ? cap : forced ? least : 0;
}

static void stage_limits(const struct gl_context *ctx, struct glsl_limits *l, enum shader_stage s)
{
    const struct gl_constants *k = &ctx->consts;
    const struct drv_stage_caps *stages = ctx->screen->caps.stage;
    const struct drv_stage_caps *c = &stages[stages[s].supported ? s : SHADER_FRAGMENT];
    /* Converted task and mesh shaders have one and two buffers of their own (gl_lower_mesh.h). */
    const unsigned internal = MAX_ATOMIC_BUFFERS + (s == SHADER_TASK   ? 1
                                                    : s == SHADER_MESH ? 2
                                                                       : 0);
    unsigned varyings = 4 * ctx->screen->caps.max_varyings;
    l->max_uniform_components[s] = s == SHADER_FRAGMENT ? k->max_fragment_uniform_components
                                                        : k->max_vertex_uniform_components;
    l->max_stage_samplers[s] =
        s == SHADER_VERTEX ? k->max_vertex_texture_image_units : k->max_texture_image_units;
    if (s != SHADER_COMPUTE && s != SHADER_TASK) {
        l->max_input_components[s] = s == SHADER_VERTEX ? 4 * k->max_vertex_attribs : varyings;
        l->max_output_components[s] = s == SHADER_FRAGMENT ? 4 * k->max_draw_buffers : varyings;
    }
    l->max_stage_uniform_blocks[s] = c->max_const_buffers - 1;
    l->max_stage_storage_blocks[s] =
        either(c->max_storage_buffers > internal ? c->max_storage_buffers - internal : 0,
               ctx->ext.ARB_shader_storage_buffer_object, MAX_STORAGE_BLOCKS);
    l->max_stage_images[s] =
        either(c->max_images, ctx->ext.ARB_shader_image_load_store, DRV_MAX_IMAGES);
    if (ctx->ext.ARB_shader_atomic_counters) {
        l->max_stage_atomic_counters[s] = 4096;
        l->max_stage_atomic_buffers[s] = MAX_ATOMIC_BUFFERS;
    }
}

static void geometry_limits(const struct gl_context *ctx, struct glsl_limits *l)
{
    const struct drv_caps *c = &ctx->screen->caps;
    l->max_geometry_output_vertices = either(c->max_gs_output_vertices, true, 1024);
    l->max_geometry_total_output_components = either(c->max_gs_total_output_components, true, 4096);
    l->max_geometry_invocations = either(c->max_gs_invocations, true, 32);
    l->max_vertex_streams = DRV_MAX_VERTEX_STREAMS;
    l->max_patch_vertices = 32;
    l->max_tess_gen_level = 64;
    l->max_patch_components = 120;
    l->max_tess_ctrl_total_output_components = 4096;
}

static void compute_limits(const struct gl_context *ctx, struct glsl_limits *l)
{
    static const unsigned size[3] = {1024, 1024, 64};
    const struct drv_caps *c = &ctx->screen->caps;
    for (unsigned i = 0; i < 3; i++) {
        l->max_compute_workgroup_size[i] = either(c->max_compute_workgroup_size[i], true, size[i]);
        l->max_compute_workgroup_count[i] = either(c->max_compute_workgroup_count[i], true, 65535);
    }
    l->max_compute_workgroup_invocations = either(c->max_compute_workgroup_invocations, true, 1024);
    l->max_compute_shared_memory = either(c->max_compute_shared_memory, true, 32 << 10);
    l->max_mesh_vertices = l->max_mesh_primitives = 256;
    l->max_task_payload = 16 << 10;
}

static unsigned image_samples(const struct gl_context *ctx)
{
    struct drv_screen *screen = ctx->screen;
    unsigned samples = ctx->consts.max_samples;
    while (samples > 1 &&
           !screen->ops->is_format_supported(screen, DRV_FORMAT_R8G8B8A8_UNORM, DRV_TEXTURE_2D,
                                             samples, DRV_BIND_SAMPLER_VIEW | DRV_BIND_IMAGE))
        samples /= 2;
    return samples > 1 ? samples : 0;
}

/* Computes the combined limits as the sum of the stages' limits. */
static void combined_limits(const struct gl_context *ctx, struct glsl_limits *l)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        stage_limits(ctx, l, s);
        l->max_uniform_blocks = MAX2(l->max_uniform_blocks, l->max_stage_uniform_blocks[s]);
        l->max_storage_blocks = MAX2(l->max_storage_blocks, l->max_stage_storage_blocks[s]);
        l->max_images = MAX2(l->max_images, l->max_stage_images[s]);
        l->max_atomic_counters = MAX2(l->max_atomic_counters, l->max_stage_atomic_counters[s]);
        if (s > SHADER_COMPUTE) /* task and mesh shaders replace the stages before fragments */
            continue;
        l->max_combined_uniform_blocks += l->max_stage_uniform_blocks[s];
        l->max_combined_storage_blocks += l->max_stage_storage_blocks[s];
        l->max_combined_images += l->max_stage_images[s];
        l->max_combined_atomic_buffers += l->max_stage_atomic_buffers[s];
    }
    l->max_combined_atomic_counters = l->max_atomic_counters;
    l->max_atomic_bindings = l->max_combined_atomic_buffers;
    l->max_atomic_buffer_size = 4 * l->max_atomic_counters;
    l->max_image_units = l->max_combined_images;
    l->max_image_samples = l->max_images ? image_samples(ctx) : 0;
    l->max_combined_shader_output_resources =
        l->max_combined_images + l->max_combined_storage_blocks + ctx->consts.max_draw_buffers;
    l->max_uniform_bindings = 6 * DRV_MAX_CONSTANT_BUFFERS;
    l->max_storage_bindings = 6 * MAX_STORAGE_BLOCKS;
    l->max_storage_block_size = 1u << 27;
}

void gl_compiler_limits(const struct gl_context *ctx, struct glsl_limits *l)
{
    const struct gl_constants *k = &ctx->consts;
    const struct drv_caps *c = &ctx->screen->caps;
    l->max_lights = k->max_lights;
    l->max_clip_planes = k->max_clip_planes;
    l->max_texture_units = k->max_texture_units;
    l->max_texture_coords = k->max_texture_coords;
    l->max_vertex_attribs = k->max_vertex_attribs;
    l->max_vertex_uniform_components = k->max_vertex_uniform_components;
    l->max_fragment_uniform_components = k->max_fragment_uniform_components;
    l->max_varying_components = k->max_varying_floats;
    l->max_vertex_texture_image_units = k->max_vertex_texture_image_units;
    l->max_texture_image_units = k->max_texture_image_units;
    l->max_combined_texture_image_units = k->max_combined_texture_image_units;
    l->max_draw_buffers = k->max_draw_buffers;
    l->max_dual_source_draw_buffers = k->max_dual_source_draw_buffers;
    l->max_clip_distances = k->max_clip_planes;
    l->max_cull_distances = l->max_combined_clip_and_cull_distances = DRV_MAX_CLIP_PLANES;
    /* At most 65536: arrays have no more elements. */
    l->max_uniform_locations =
        2 * (k->max_vertex_uniform_components + k->max_fragment_uniform_components);
    l->max_uniform_block_size = k->max_uniform_block_size;
    l->max_samples = k->max_samples;
    l->max_viewports = k->max_viewports;
    l->max_views = k->max_views;
    l->min_program_texel_offset = c->min_texel_offset;
    l->max_program_texel_offset = c->max_texel_offset;
    l->min_program_texture_gather_offset = c->min_gather_offset;
    l->max_program_texture_gather_offset = c->max_gather_offset;
    l->max_subroutines = 256;
    l->max_subroutine_uniform_locations = 1024;
    l->min_interpolation_offset = -0.5f;
    l->max_interpolation_offset = 0.5f;
    l->interpolation_offset_bits = 4;
    l->max_transform_feedback_buffers = l->max_transform_feedback_separate_attribs =
        c->max_stream_output_buffers;
    l->max_transform_feedback_components = l->max_transform_feedback_separate_components =
        c->max_stream_output_components;
    combined_limits(ctx, l);
    geometry_limits(ctx, l);
    compute_limits(ctx, l);
}
