/* SPDX-License-Identifier: MIT */
/*
 * The table of gl_Max… and gl_Min… constants (GLSL 1.10 §7.4 to 4.60 §7.3, ESSL 1.00 §7.4 to 3.20
 * §7.2).
 */
#include "glsl/glsl_builtin_vars.h"

enum constant_kind { AS_IS, VECTORS }; /* how the limit becomes the constant's value */

struct constant_row {
    const char *name;
    uint16_t limit; /* LIMIT() */
    uint16_t least; /* required minimum, used if the context lacks the stage */
    uint8_t kind;
    struct availability who;
};

#define TESS           GL_ES_EXT(400, 320, ARB_tessellation_shader)
#define TESS_ES        EXT2(EXT_tessellation_shader, OES_tessellation_shader)
#define GEOMETRY       GL_ES(150, 320)
#define GEOMETRY_ES    EXT2(EXT_geometry_shader, OES_geometry_shader)
#define IMAGES         GL_ES_EXT(420, 310, ARB_shader_image_load_store)
#define DESKTOP_IMAGES GL_EXT(420, ARB_shader_image_load_store)
#define COUNTERS       GL_ES_EXT(420, 310, ARB_shader_atomic_counters)
#define COMPUTE        GL_ES_EXT(430, 310, ARB_compute_shader)

/* A constant of tessellation or geometry shaders, available from the version or the extensions. */
#define TESS_LIMIT(name, limit, least)                                                             \
    {name, limit, least, AS_IS, TESS},                                                             \
    {                                                                                              \
        name, limit, least, AS_IS, TESS_ES                                                         \
    }
#define GEOMETRY_LIMIT(name, limit, least)                                                         \
    {name, limit, least, AS_IS, GEOMETRY},                                                         \
    {                                                                                              \
        name, limit, least, AS_IS, GEOMETRY_ES                                                     \
    }

static const struct constant_row constants[] = {
    {"gl_MaxLights", LIMIT(max_lights), 0, AS_IS, COMPAT},
    {"gl_MaxClipPlanes", LIMIT(max_clip_planes), 0, AS_IS, COMPAT},
    {"gl_MaxTextureUnits", LIMIT(max_texture_units), 0, AS_IS, COMPAT},
    {"gl_MaxTextureCoords", LIMIT(max_texture_coords), 0, AS_IS, COMPAT},
    {"gl_MaxVertexAttribs", LIMIT(max_vertex_attribs), 0, AS_IS, GL_ES(110, 100)},
    {"gl_MaxVertexUniformComponents", LIMIT(max_vertex_uniform_components), 0, AS_IS, GL(110)},
    {"gl_MaxVertexUniformVectors", LIMIT(max_vertex_uniform_components), 0, VECTORS,
     GL_ES(410, 100)},
    {"gl_MaxVaryingFloats",
     LIMIT(max_varying_components),
     0,
     AS_IS,
     {.gl_min = 110, .gl_max = 410}},
    {"gl_MaxVaryingFloats", LIMIT(max_varying_components), 0, AS_IS, COMPAT_420},
    {"gl_MaxVaryingComponents", LIMIT(max_varying_components), 0, AS_IS, GL(130)},
    {"gl_MaxVaryingVectors",
     LIMIT(max_varying_components),
     0,
     VECTORS,
     {.gl_min = 410, .es_min = 100, .es_max = 100}},
    {"gl_MaxVertexOutputVectors", LIMIT(max_varying_components), 0, VECTORS, ES(300)},
    {"gl_MaxFragmentInputVectors", LIMIT(max_varying_components), 0, VECTORS, ES(300)},
    {"gl_MaxVertexOutputComponents", LIMIT(max_varying_components), 0, AS_IS, GL(150)},
    {"gl_MaxFragmentInputComponents", LIMIT(max_varying_components), 0, AS_IS, GL(150)},
    {"gl_MaxVertexTextureImageUnits", LIMIT(max_vertex_texture_image_units), 0, AS_IS,
     GL_ES(110, 100)},
    {"gl_MaxCombinedTextureImageUnits", LIMIT(max_combined_texture_image_units), 0, AS_IS,
     GL_ES(110, 100)},
    {"gl_MaxTextureImageUnits", LIMIT(max_texture_image_units), 0, AS_IS, GL_ES(110, 100)},
    {"gl_MaxFragmentUniformComponents", LIMIT(max_fragment_uniform_components), 0, AS_IS, GL(110)},
    {"gl_MaxFragmentUniformVectors", LIMIT(max_fragment_uniform_components), 0, VECTORS,
     GL_ES(410, 100)},
    {"gl_MaxDrawBuffers", LIMIT(max_draw_buffers), 0, AS_IS, GL_ES(110, 100)},
    {"gl_MaxDualSourceDrawBuffersEXT", LIMIT(max_dual_source_draw_buffers), 0, AS_IS,
     EXT(EXT_blend_func_extended)},
    {"gl_MaxClipDistances", LIMIT(max_clip_distances), 0, AS_IS,
     GL_EXT2(130, APPLE_clip_distance, EXT_clip_cull_distance)},
    {"gl_MaxCullDistances", LIMIT(max_cull_distances), 0, AS_IS,
     GL_EXT2(450, ARB_cull_distance, EXT_clip_cull_distance)},
    {"gl_MaxCombinedClipAndCullDistances", LIMIT(max_combined_clip_and_cull_distances), 0, AS_IS,
     GL_EXT2(450, ARB_cull_distance, EXT_clip_cull_distance)},
    {"gl_MinProgramTexelOffset", LIMIT(min_program_texel_offset), 0, AS_IS,
     GL_ES_EXT(420, 300, ARB_shading_language_420pack)},
    {"gl_MaxProgramTexelOffset", LIMIT(max_program_texel_offset), 0, AS_IS,
     GL_ES_EXT(420, 300, ARB_shading_language_420pack)},
    {"gl_MaxViewports", LIMIT(max_viewports), 0, AS_IS,
     GL_EXT2(410, ARB_viewport_array, OES_viewport_array)},
    {"gl_MaxSamples", LIMIT(max_samples), 0, AS_IS,
     GL_ES_EXT2(450, 320, ARB_ES3_1_compatibility, OES_sample_variables)},
    {"gl_MaxTransformFeedbackBuffers", LIMIT(max_transform_feedback_buffers), 0, AS_IS,
     GL_EXT(440, ARB_enhanced_layouts)},
    {"gl_MaxTransformFeedbackInterleavedComponents", LIMIT(max_transform_feedback_components), 0,
     AS_IS, GL_EXT(440, ARB_enhanced_layouts)},

    GEOMETRY_LIMIT("gl_MaxGeometryInputComponents", LIMIT(max_input_components[SHADER_GEOMETRY]),
                   64),
    GEOMETRY_LIMIT("gl_MaxGeometryOutputComponents", LIMIT(max_output_components[SHADER_GEOMETRY]),
                   128),
    GEOMETRY_LIMIT("gl_MaxGeometryTextureImageUnits", LIMIT(max_stage_samplers[SHADER_GEOMETRY]),
                   16),
    GEOMETRY_LIMIT("gl_MaxGeometryOutputVertices", LIMIT(max_geometry_output_vertices), 256),
    GEOMETRY_LIMIT("gl_MaxGeometryTotalOutputComponents",
                   LIMIT(max_geometry_total_output_components), 1024),
    GEOMETRY_LIMIT("gl_MaxGeometryUniformComponents",
                   LIMIT(max_uniform_components[SHADER_GEOMETRY]), 1024),
    {"gl_MaxGeometryVaryingComponents", LIMIT(max_input_components[SHADER_GEOMETRY]), 64, AS_IS,
     GL_EXT(150, ARB_geometry_shader4)},
    {"gl_MaxGeometryVaryingComponentsARB", LIMIT(max_output_components[SHADER_GEOMETRY]), 64, AS_IS,
     EXT(ARB_geometry_shader4)},
    {"gl_MaxGeometryTextureImageUnitsARB", LIMIT(max_stage_samplers[SHADER_GEOMETRY]), 16, AS_IS,
     EXT(ARB_geometry_shader4)},
    {"gl_MaxGeometryUniformComponentsARB", LIMIT(max_uniform_components[SHADER_GEOMETRY]), 1024,
     AS_IS, EXT(ARB_geometry_shader4)},
    {"gl_MaxVertexVaryingComponentsARB", LIMIT(max_output_components[SHADER_VERTEX]), 64, AS_IS,
     EXT(ARB_geometry_shader4)},

    TESS_LIMIT("gl_MaxTessPatchComponents", LIMIT(max_patch_components), 120),
    TESS_LIMIT("gl_MaxPatchVertices", LIMIT(max_patch_vertices), 32),
    TESS_LIMIT("gl_MaxTessGenLevel", LIMIT(max_tess_gen_level), 64),
    TESS_LIMIT("gl_MaxTessControlInputComponents", LIMIT(max_input_components[SHADER_TESS_CTRL]),
               128),
    TESS_LIMIT("gl_MaxTessControlOutputComponents", LIMIT(max_output_components[SHADER_TESS_CTRL]),
               128),
    TESS_LIMIT("gl_MaxTessControlTextureImageUnits", LIMIT(max_stage_samplers[SHADER_TESS_CTRL]),
               16),
    TESS_LIMIT("gl_MaxTessControlUniformComponents",
               LIMIT(max_uniform_components[SHADER_TESS_CTRL]), 1024),
    TESS_LIMIT("gl_MaxTessControlTotalOutputComponents",
               LIMIT(max_tess_ctrl_total_output_components), 4096),
    TESS_LIMIT("gl_MaxTessEvaluationInputComponents", LIMIT(max_input_components[SHADER_TESS_EVAL]),
               128),
    TESS_LIMIT("gl_MaxTessEvaluationOutputComponents",
               LIMIT(max_output_components[SHADER_TESS_EVAL]), 128),
    TESS_LIMIT("gl_MaxTessEvaluationTextureImageUnits", LIMIT(max_stage_samplers[SHADER_TESS_EVAL]),
               16),
    TESS_LIMIT("gl_MaxTessEvaluationUniformComponents",
               LIMIT(max_uniform_components[SHADER_TESS_EVAL]), 1024),

    {"gl_MaxImageUnits", LIMIT(max_image_units), 8, AS_IS, IMAGES},
    {"gl_MaxCombinedImageUnitsAndFragmentOutputs", LIMIT(max_combined_shader_output_resources), 8,
     AS_IS, DESKTOP_IMAGES},
    {"gl_MaxCombinedShaderOutputResources", LIMIT(max_combined_shader_output_resources), 8, AS_IS,
     GL_ES_EXT(430, 310, ARB_shader_storage_buffer_object)},
    {"gl_MaxImageSamples", LIMIT(max_image_samples), 0, AS_IS, DESKTOP_IMAGES},
    {"gl_MaxVertexImageUniforms", LIMIT(max_stage_images[SHADER_VERTEX]), 0, AS_IS, IMAGES},
    {"gl_MaxFragmentImageUniforms", LIMIT(max_stage_images[SHADER_FRAGMENT]), 8, AS_IS, IMAGES},
    {"gl_MaxCombinedImageUniforms", LIMIT(max_combined_images), 8, AS_IS, IMAGES},
    {"gl_MaxTessControlImageUniforms", LIMIT(max_stage_images[SHADER_TESS_CTRL]), 0, AS_IS,
     DESKTOP_IMAGES},
    {"gl_MaxTessEvaluationImageUniforms", LIMIT(max_stage_images[SHADER_TESS_EVAL]), 0, AS_IS,
     DESKTOP_IMAGES},
    {"gl_MaxGeometryImageUniforms", LIMIT(max_stage_images[SHADER_GEOMETRY]), 0, AS_IS,
     DESKTOP_IMAGES},
    {"gl_MaxTessControlImageUniforms", LIMIT(max_stage_images[SHADER_TESS_CTRL]), 0, AS_IS,
     ES_EXT2(320, EXT_tessellation_shader, OES_tessellation_shader)},
    {"gl_MaxTessEvaluationImageUniforms", LIMIT(max_stage_images[SHADER_TESS_EVAL]), 0, AS_IS,
     ES_EXT2(320, EXT_tessellation_shader, OES_tessellation_shader)},
    {"gl_MaxGeometryImageUniforms", LIMIT(max_stage_images[SHADER_GEOMETRY]), 0, AS_IS,
     ES_EXT2(320, EXT_geometry_shader, OES_geometry_shader)},

    {"gl_MaxVertexAtomicCounters", LIMIT(max_stage_atomic_counters[SHADER_VERTEX]), 0, AS_IS,
     COUNTERS},
    {"gl_MaxFragmentAtomicCounters", LIMIT(max_stage_atomic_counters[SHADER_FRAGMENT]), 8, AS_IS,
     COUNTERS},
    {"gl_MaxCombinedAtomicCounters", LIMIT(max_combined_atomic_counters), 8, AS_IS, COUNTERS},
    {"gl_MaxAtomicCounterBindings", LIMIT(max_atomic_bindings), 1, AS_IS, COUNTERS},
    {"gl_MaxVertexAtomicCounterBuffers", LIMIT(max_stage_atomic_buffers[SHADER_VERTEX]), 0, AS_IS,
     COUNTERS},
    {"gl_MaxFragmentAtomicCounterBuffers", LIMIT(max_stage_atomic_buffers[SHADER_FRAGMENT]), 1,
     AS_IS, COUNTERS},
    {"gl_MaxCombinedAtomicCounterBuffers", LIMIT(max_combined_atomic_buffers), 1, AS_IS, COUNTERS},
    {"gl_MaxAtomicCounterBufferSize", LIMIT(max_atomic_buffer_size), 32, AS_IS, COUNTERS},
    {"gl_MaxGeometryAtomicCounters", LIMIT(max_stage_atomic_counters[SHADER_GEOMETRY]), 0, AS_IS,
     GL_EXT(420, ARB_shader_atomic_counters)},
    {"gl_MaxTessControlAtomicCounters", LIMIT(max_stage_atomic_counters[SHADER_TESS_CTRL]), 0,
     AS_IS, GL_EXT(420, ARB_shader_atomic_counters)},
    {"gl_MaxTessEvaluationAtomicCounters", LIMIT(max_stage_atomic_counters[SHADER_TESS_EVAL]), 0,
     AS_IS, GL_EXT(420, ARB_shader_atomic_counters)},
    {"gl_MaxGeometryAtomicCounterBuffers", LIMIT(max_stage_atomic_buffers[SHADER_GEOMETRY]), 0,
     AS_IS, GL_EXT(420, ARB_shader_atomic_counters)},
    {"gl_MaxTessControlAtomicCounterBuffers", LIMIT(max_stage_atomic_buffers[SHADER_TESS_CTRL]), 0,
     AS_IS, GL_EXT(420, ARB_shader_atomic_counters)},
    {"gl_MaxTessEvaluationAtomicCounterBuffers", LIMIT(max_stage_atomic_buffers[SHADER_TESS_EVAL]),
     0, AS_IS, GL_EXT(420, ARB_shader_atomic_counters)},
    {"gl_MaxGeometryAtomicCounters", LIMIT(max_stage_atomic_counters[SHADER_GEOMETRY]), 0, AS_IS,
     ES_EXT2(320, EXT_geometry_shader, OES_geometry_shader)},
    {"gl_MaxGeometryAtomicCounterBuffers", LIMIT(max_stage_atomic_buffers[SHADER_GEOMETRY]), 0,
     AS_IS, ES_EXT2(320, EXT_geometry_shader, OES_geometry_shader)},
    {"gl_MaxTessControlAtomicCounters", LIMIT(max_stage_atomic_counters[SHADER_TESS_CTRL]), 0,
     AS_IS, ES_EXT2(320, EXT_tessellation_shader, OES_tessellation_shader)},
    {"gl_MaxTessControlAtomicCounterBuffers", LIMIT(max_stage_atomic_buffers[SHADER_TESS_CTRL]), 0,
     AS_IS, ES_EXT2(320, EXT_tessellation_shader, OES_tessellation_shader)},
    {"gl_MaxTessEvaluationAtomicCounters", LIMIT(max_stage_atomic_counters[SHADER_TESS_EVAL]), 0,
     AS_IS, ES_EXT2(320, EXT_tessellation_shader, OES_tessellation_shader)},
    {"gl_MaxTessEvaluationAtomicCounterBuffers", LIMIT(max_stage_atomic_buffers[SHADER_TESS_EVAL]),
     0, AS_IS, ES_EXT2(320, EXT_tessellation_shader, OES_tessellation_shader)},

    {"gl_MaxComputeUniformComponents", LIMIT(max_uniform_components[SHADER_COMPUTE]), 1024, AS_IS,
     COMPUTE},
    {"gl_MaxComputeTextureImageUnits", LIMIT(max_stage_samplers[SHADER_COMPUTE]), 16, AS_IS,
     COMPUTE},
    {"gl_MaxComputeImageUniforms", LIMIT(max_stage_images[SHADER_COMPUTE]), 8, AS_IS, COMPUTE},
    {"gl_MaxComputeAtomicCounters", LIMIT(max_stage_atomic_counters[SHADER_COMPUTE]), 8, AS_IS,
     COMPUTE},
    {"gl_MaxComputeAtomicCounterBuffers", LIMIT(max_stage_atomic_buffers[SHADER_COMPUTE]), 8, AS_IS,
     COMPUTE},
};

static struct hir_variable *declare(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                    const char *name, struct hir_constant *value,
                                    enum glsl_precision precision)
{
    struct hir_variable *var =
        value ? hir_variable_create(sh, value->base.type, name, HIR_VAR_GLOBAL) : NULL;
    if (!var)
        return NULL;
    var->constant_value = value;
    var->builtin = var->read_only = true;
    if (env->es)
        var->precision = precision;
    return var;
}

static struct hir_variable *make_constant(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                          const struct constant_row *row)
{
    int value = (int)glsl_builtin_limit(env, row->limit);
    if (row->least)
        value = MAX2(value, (int)row->least);
    return declare(sh, env, row->name, hir_const_int(sh, row->kind == VECTORS ? value / 4 : value),
                   GLSL_PRECISION_MEDIUM);
}

static struct hir_variable *make_ivec3(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                       const char *name, const unsigned *size)
{
    struct hir_constant *c = hir_const_create(sh, glsl_simple_type(GLSL_TYPE_INT, 3, 1));
    for (unsigned i = 0; c && i < 3; i++)
        c->value[i].u32 = size[i];
    return declare(sh, env, name, c, GLSL_PRECISION_HIGH);
}

void glsl_builtin_constants(struct hir_shader *sh, const struct glsl_builtin_env *env,
                            const struct glsl_builtin_sink *sink)
{
    const char *last = "";
    static const struct availability compute = COMPUTE;
    static const unsigned least_count[3] = {65535, 65535, 65535};
    for (unsigned i = 0; i < ARRAY_SIZE(constants); i++) {
        if (!strcmp(constants[i].name, last) || !glsl_builtin_available(&constants[i].who, env) ||
            !glsl_builtin_wanted(sink, constants[i].name))
            continue;
        struct hir_variable *var = make_constant(sh, env, &constants[i]);
        if (var)
            sink->add(sink->data, var);
        last = constants[i].name;
    }
    if (glsl_has_vertices_in(env) && glsl_builtin_wanted(sink, "gl_VerticesIn")) {
        struct hir_variable *var =
            declare(sh, env, "gl_VerticesIn", hir_const_int(sh, (int)glsl_vertices_in(env)),
                    GLSL_PRECISION_MEDIUM);
        if (var)
            sink->add(sink->data, var);
    }
    if (!glsl_builtin_available(&compute, env))
        return;
    static const unsigned least_size[3] = {1024, 1024, 64};
    const unsigned *size = env->options->limits.max_compute_workgroup_size;
    const unsigned *count = env->options->limits.max_compute_workgroup_count;
    const struct {
        const char *name;
        const unsigned *value;
    } vectors[] = {
        {"gl_MaxComputeWorkGroupCount", count[0] ? count : least_count},
        {"gl_MaxComputeWorkGroupSize", size[0] ? size : least_size},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(vectors); i++) {
        struct hir_variable *var = glsl_builtin_wanted(sink, vectors[i].name)
                                       ? make_ivec3(sh, env, vectors[i].name, vectors[i].value)
                                       : NULL;
        if (var)
            sink->add(sink->data, var);
    }
}
