/* SPDX-License-Identifier: MIT */
/*
 * The gl_Max… and gl_Min… constants as a table: GLSL 1.10 §7.4 to 4.60 §7.3, ESSL 1.00 §7.4 to 3.20
 * §7.2. Limits that the implementation does not vary stand there as numbers.
 */
#include "glsl/glsl_builtin_vars.h"

enum constant_kind { AS_IS, VECTORS }; /* how the limit becomes the constant */

struct constant_row {
    const char *name;
    uint16_t limit;    /* LIMIT(), FIXED() for a number */
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

/* One that both ways into tessellation or geometry shaders bring. */
#define TESS_LIMIT(name, value)                                                                    \
    {name, value, AS_IS, TESS}, {name, value, AS_IS, TESS_ES}
#define GEOMETRY_LIMIT(name, value)                                                                \
    {name, value, AS_IS, GEOMETRY}, {name, value, AS_IS, GEOMETRY_ES}

static const struct constant_row constants[] = {
    {"gl_MaxLights", LIMIT(max_lights), AS_IS, COMPAT},
    {"gl_MaxClipPlanes", LIMIT(max_clip_planes), AS_IS, COMPAT},
    {"gl_MaxTextureUnits", LIMIT(max_texture_units), AS_IS, COMPAT},
    {"gl_MaxTextureCoords", LIMIT(max_texture_coords), AS_IS, COMPAT},
    {"gl_MaxVertexAttribs", LIMIT(max_vertex_attribs), AS_IS, GL_ES(110, 100)},
    {"gl_MaxVertexUniformComponents", LIMIT(max_vertex_uniform_components), AS_IS, GL(110)},
    {"gl_MaxVertexUniformVectors", LIMIT(max_vertex_uniform_components), VECTORS, GL_ES(410, 100)},
    {"gl_MaxVaryingFloats", LIMIT(max_varying_components), AS_IS, {.gl_min = 110, .gl_max = 410}},
    {"gl_MaxVaryingFloats", LIMIT(max_varying_components), AS_IS, COMPAT_420},
    {"gl_MaxVaryingComponents", LIMIT(max_varying_components), AS_IS, GL(130)},
    {"gl_MaxVaryingVectors", LIMIT(max_varying_components), VECTORS,
     {.gl_min = 410, .es_min = 100, .es_max = 100}},
    {"gl_MaxVertexOutputVectors", LIMIT(max_varying_components), VECTORS, ES(300)},
    {"gl_MaxFragmentInputVectors", LIMIT(max_varying_components), VECTORS, ES(300)},
    {"gl_MaxVertexOutputComponents", LIMIT(max_varying_components), AS_IS, GL(150)},
    {"gl_MaxFragmentInputComponents", LIMIT(max_varying_components), AS_IS, GL(150)},
    {"gl_MaxVertexTextureImageUnits", LIMIT(max_vertex_texture_image_units), AS_IS,
     GL_ES(110, 100)},
    {"gl_MaxCombinedTextureImageUnits", LIMIT(max_combined_texture_image_units), AS_IS,
     GL_ES(110, 100)},
    {"gl_MaxTextureImageUnits", LIMIT(max_texture_image_units), AS_IS, GL_ES(110, 100)},
    {"gl_MaxFragmentUniformComponents", LIMIT(max_fragment_uniform_components), AS_IS, GL(110)},
    {"gl_MaxFragmentUniformVectors", LIMIT(max_fragment_uniform_components), VECTORS,
     GL_ES(410, 100)},
    {"gl_MaxDrawBuffers", LIMIT(max_draw_buffers), AS_IS, GL_ES(110, 100)},
    {"gl_MaxDualSourceDrawBuffersEXT", LIMIT(max_dual_source_draw_buffers), AS_IS,
     EXT(EXT_blend_func_extended)},
    {"gl_MaxClipDistances", LIMIT(max_clip_distances), AS_IS, GL_EXT(130, EXT_clip_cull_distance)},
    {"gl_MaxCullDistances", LIMIT(max_cull_distances), AS_IS,
     GL_EXT2(450, ARB_cull_distance, EXT_clip_cull_distance)},
    {"gl_MaxCombinedClipAndCullDistances", LIMIT(max_combined_clip_and_cull_distances), AS_IS,
     GL_EXT2(450, ARB_cull_distance, EXT_clip_cull_distance)},
    {"gl_MinProgramTexelOffset", LIMIT(min_program_texel_offset), AS_IS, GL_ES(420, 300)},
    {"gl_MaxProgramTexelOffset", LIMIT(max_program_texel_offset), AS_IS, GL_ES(420, 300)},
    {"gl_MaxViewports", LIMIT(max_viewports), AS_IS, GL_EXT2(410, ARB_viewport_array, OES_viewport_array)},
    {"gl_MaxSamples", LIMIT(max_samples), AS_IS, GL_ES_EXT2(450, 320, ARB_ES3_1_compatibility, OES_sample_variables)},
    {"gl_MaxTransformFeedbackBuffers", LIMIT(max_transform_feedback_buffers), AS_IS,
     GL_EXT(440, ARB_enhanced_layouts)},
    {"gl_MaxTransformFeedbackInterleavedComponents", LIMIT(max_transform_feedback_components), AS_IS,
     GL_EXT(440, ARB_enhanced_layouts)},

    GEOMETRY_LIMIT("gl_MaxGeometryInputComponents", FIXED(64)),
    GEOMETRY_LIMIT("gl_MaxGeometryOutputComponents", FIXED(128)),
    GEOMETRY_LIMIT("gl_MaxGeometryTextureImageUnits", LIMIT(max_texture_image_units)),
    GEOMETRY_LIMIT("gl_MaxGeometryOutputVertices", FIXED(256)),
    GEOMETRY_LIMIT("gl_MaxGeometryTotalOutputComponents", FIXED(1024)),
    GEOMETRY_LIMIT("gl_MaxGeometryUniformComponents", FIXED(1024)),
    {"gl_MaxGeometryVaryingComponents", FIXED(64), AS_IS, GL_EXT(150, ARB_geometry_shader4)},
    {"gl_MaxGeometryVaryingComponentsARB", FIXED(64), AS_IS, EXT(ARB_geometry_shader4)},
    {"gl_MaxGeometryTextureImageUnitsARB", LIMIT(max_texture_image_units), AS_IS, EXT(ARB_geometry_shader4)},
    {"gl_MaxGeometryUniformComponentsARB", FIXED(1024), AS_IS, EXT(ARB_geometry_shader4)},
    {"gl_MaxVertexVaryingComponentsARB", FIXED(64), AS_IS, EXT(ARB_geometry_shader4)},

    TESS_LIMIT("gl_MaxTessPatchComponents", FIXED(120)),
    TESS_LIMIT("gl_MaxPatchVertices", FIXED(32)),
    TESS_LIMIT("gl_MaxTessGenLevel", FIXED(64)),
    TESS_LIMIT("gl_MaxTessControlInputComponents", FIXED(128)),
    TESS_LIMIT("gl_MaxTessControlOutputComponents", FIXED(128)),
    TESS_LIMIT("gl_MaxTessControlTextureImageUnits", LIMIT(max_texture_image_units)),
    TESS_LIMIT("gl_MaxTessControlUniformComponents", FIXED(1024)),
    TESS_LIMIT("gl_MaxTessControlTotalOutputComponents", FIXED(4096)),
    TESS_LIMIT("gl_MaxTessEvaluationInputComponents", FIXED(128)),
    TESS_LIMIT("gl_MaxTessEvaluationOutputComponents", FIXED(128)),
    TESS_LIMIT("gl_MaxTessEvaluationTextureImageUnits", LIMIT(max_texture_image_units)),
    TESS_LIMIT("gl_MaxTessEvaluationUniformComponents", FIXED(1024)),

    {"gl_MaxImageUnits", FIXED(8), AS_IS, IMAGES},
    {"gl_MaxCombinedImageUnitsAndFragmentOutputs", FIXED(16), AS_IS, DESKTOP_IMAGES},
    {"gl_MaxCombinedShaderOutputResources", FIXED(16), AS_IS,
     GL_ES_EXT(430, 310, ARB_shader_storage_buffer_object)},
    {"gl_MaxImageSamples", FIXED(0), AS_IS, DESKTOP_IMAGES},
    {"gl_MaxVertexImageUniforms", FIXED(0), AS_IS, IMAGES},
    {"gl_MaxFragmentImageUniforms", FIXED(8), AS_IS, IMAGES},
    {"gl_MaxCombinedImageUniforms", FIXED(48), AS_IS, IMAGES},
    {"gl_MaxTessControlImageUniforms", FIXED(0), AS_IS, DESKTOP_IMAGES},
    {"gl_MaxTessEvaluationImageUniforms", FIXED(0), AS_IS, DESKTOP_IMAGES},
    {"gl_MaxGeometryImageUniforms", FIXED(0), AS_IS, DESKTOP_IMAGES},
    {"gl_MaxTessControlImageUniforms", FIXED(0), AS_IS,
     ES_EXT2(320, EXT_tessellation_shader, OES_tessellation_shader)},
    {"gl_MaxTessEvaluationImageUniforms", FIXED(0), AS_IS,
     ES_EXT2(320, EXT_tessellation_shader, OES_tessellation_shader)},
    {"gl_MaxGeometryImageUniforms", FIXED(0), AS_IS,
     ES_EXT2(320, EXT_geometry_shader, OES_geometry_shader)},

    {"gl_MaxVertexAtomicCounters", FIXED(0), AS_IS, COUNTERS},
    {"gl_MaxFragmentAtomicCounters", FIXED(8), AS_IS, COUNTERS},
    {"gl_MaxCombinedAtomicCounters", FIXED(8), AS_IS, COUNTERS},
    {"gl_MaxAtomicCounterBindings", FIXED(1), AS_IS, COUNTERS},
    {"gl_MaxVertexAtomicCounterBuffers", FIXED(0), AS_IS, COUNTERS},
    {"gl_MaxFragmentAtomicCounterBuffers", FIXED(1), AS_IS, COUNTERS},
    {"gl_MaxCombinedAtomicCounterBuffers", FIXED(1), AS_IS, COUNTERS},
    {"gl_MaxAtomicCounterBufferSize", FIXED(32), AS_IS, COUNTERS},
    {"gl_MaxGeometryAtomicCounters", FIXED(0), AS_IS, GL_EXT(420, ARB_shader_atomic_counters)},
    {"gl_MaxTessControlAtomicCounters", FIXED(0), AS_IS, GL_EXT(420, ARB_shader_atomic_counters)},
    {"gl_MaxTessEvaluationAtomicCounters", FIXED(0), AS_IS, GL_EXT(420, ARB_shader_atomic_counters)},
    {"gl_MaxGeometryAtomicCounterBuffers", FIXED(0), AS_IS, GL_EXT(420, ARB_shader_atomic_counters)},
    {"gl_MaxTessControlAtomicCounterBuffers", FIXED(0), AS_IS, GL_EXT(420, ARB_shader_atomic_counters)},
    {"gl_MaxTessEvaluationAtomicCounterBuffers", FIXED(0), AS_IS, GL_EXT(420, ARB_shader_atomic_counters)},
    {"gl_MaxGeometryAtomicCounters", FIXED(0), AS_IS,
     ES_EXT2(320, EXT_geometry_shader, OES_geometry_shader)},
    {"gl_MaxGeometryAtomicCounterBuffers", FIXED(0), AS_IS,
     ES_EXT2(320, EXT_geometry_shader, OES_geometry_shader)},
    {"gl_MaxTessControlAtomicCounters", FIXED(0), AS_IS,
     ES_EXT2(320, EXT_tessellation_shader, OES_tessellation_shader)},
    {"gl_MaxTessControlAtomicCounterBuffers", FIXED(0), AS_IS,
     ES_EXT2(320, EXT_tessellation_shader, OES_tessellation_shader)},
    {"gl_MaxTessEvaluationAtomicCounters", FIXED(0), AS_IS,
     ES_EXT2(320, EXT_tessellation_shader, OES_tessellation_shader)},
    {"gl_MaxTessEvaluationAtomicCounterBuffers", FIXED(0), AS_IS,
     ES_EXT2(320, EXT_tessellation_shader, OES_tessellation_shader)},

    {"gl_MaxComputeUniformComponents", FIXED(1024), AS_IS, COMPUTE},
    {"gl_MaxComputeTextureImageUnits", LIMIT(max_texture_image_units), AS_IS, COMPUTE},
    {"gl_MaxComputeImageUniforms", FIXED(8), AS_IS, COMPUTE},
    {"gl_MaxComputeAtomicCounters", FIXED(8), AS_IS, COMPUTE},
    {"gl_MaxComputeAtomicCounterBuffers", FIXED(8), AS_IS, COMPUTE},
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
                            void (*add)(void *data, struct hir_variable *var), void *data)
{
    const char *last = "";
    static const struct availability compute = COMPUTE;
    static const unsigned most_groups[3] = {65535, 65535, 65535};
    for (unsigned i = 0; i < ARRAY_SIZE(constants); i++) {
        if (!strcmp(constants[i].name, last) || !glsl_builtin_available(&constants[i].who, env))
            continue;
        struct hir_variable *var = make_constant(sh, env, &constants[i]);
        if (var)
            add(data, var);
        last = constants[i].name;
    }
    if (!glsl_builtin_available(&compute, env))
        return;
    static const unsigned least_size[3] = {1024, 1024, 64};
    const unsigned *size = env->options->limits.max_compute_workgroup_size;
    struct hir_variable *vars[] = {
        make_ivec3(sh, env, "gl_MaxComputeWorkGroupCount", most_groups),
        make_ivec3(sh, env, "gl_MaxComputeWorkGroupSize", size[0] ? size : least_size),
    };
    for (unsigned i = 0; i < ARRAY_SIZE(vars); i++) {
        if (vars[i])
            add(data, vars[i]);
    }
}
