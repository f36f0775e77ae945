/* SPDX-License-Identifier: MIT */
/*
 * Tables of built-in variables of the stages (GLSL 1.10 §7 to 4.60 §7.1, ESSL 1.00 §7 to 3.20 §7.1,
 * and extensions).
 *
 * Outputs of a single vertex are plain variables, as in the language before it had blocks.
 * Interfaces with several vertices are the blocks gl_in[] and gl_out[] of type gl_PerVertex; the
 * locations of its fields are varying slots.
 */
#include "glsl/glsl_builtin_vars.h"
#include "util/check.h"
#include "util/stage_bits.h"

bool glsl_builtin_available(const struct availability *a, const struct glsl_builtin_env *env)
{
    unsigned v = env->version;
    if ((a->extension && glsl_env_ext(env, a->extension - 1)) ||
        (a->extension2 && glsl_env_ext(env, a->extension2 - 1)))
        return true;
    if (env->es)
        return a->es_min && v >= a->es_min && (!a->es_max || v <= a->es_max);
    return a->gl_min && v >= a->gl_min && (!a->gl_max || v <= a->gl_max) &&
           (!a->compat || env->compat);
}

unsigned glsl_builtin_limit(const struct glsl_builtin_env *env, unsigned limit)
{
    unsigned value;
    if (limit & 0x8000)
        return limit & 0x7fff;
    memcpy(&value, (const char *)&env->options->limits + limit - 1, sizeof value);
    return value;
}

const struct glsl_type *glsl_builtin_array(struct hir_shader *sh,
                                           const struct glsl_builtin_env *env,
                                           const struct glsl_type *element, unsigned array)
{
    if (!array)
        return element;
    return glsl_array_type(sh, element, array == UNSIZED ? 0 : glsl_builtin_limit(env, array), 0);
}

/* ------------------------------------------------------------------------- plain variables --- */

struct variable_row {
    const char *name;
    uint8_t base, components;
    uint8_t stages; /* mask of enum shader_stage */
    uint8_t mode;   /* enum hir_variable_mode */
    uint16_t array; /* 0: not an array; else LIMIT(), FIXED() or UNSIZED */
    int16_t location;
    struct availability who;
    uint8_t precision; /* in ES */
    uint8_t interpolation;
    uint8_t index; /* fragment outputs: 1 is the second source of dual-source blending */
    bool patch, per_primitive;
};

#define GROUPS      (CS | TS | MS)
#define VTG         (VS | TES | GS) /* stages that write one vertex at a time */
#define IN          HIR_VAR_SHADER_IN
#define OUT         HIR_VAR_SHADER_OUT
#define SV          HIR_VAR_SYSTEM_VALUE
#define F           GLSL_TYPE_FLOAT
#define I           GLSL_TYPE_INT
#define U           GLSL_TYPE_UINT
#define U64         GLSL_TYPE_UINT64
#define B           GLSL_TYPE_BOOL
#define LOW         GLSL_PRECISION_LOW
#define HIGH        GLSL_PRECISION_HIGH
#define MEDIUM      GLSL_PRECISION_MEDIUM
#define TESS        GL_ES(110, 310)           /* the stage implies the version */
#define GEOMETRY4   EXT(ARB_geometry_shader4) /* and glsl_has_vertices_in() */
#define MULTITEX(i) {"gl_MultiTexCoord" #i, F, 4, VS, IN, 0, VERT_ATTRIB_TEX(i), COMPAT}
#define SUBGROUP_MASK(name, value)                                                                 \
    {"gl_SubGroup" name "MaskARB", U64, 1, ANY, SV, 0, value, EXT(ARB_shader_ballot)},             \
    {                                                                                              \
        "gl_Subgroup" name "Mask", U, 4, ANY, SV, 0, value, EXT(KHR_shader_subgroup_ballot), HIGH  \
    }

static const struct variable_row variables[] = {
    /* attributes */
    {"gl_Vertex", F, 4, VS, IN, 0, VERT_ATTRIB_POS, COMPAT},
    {"gl_Normal", F, 3, VS, IN, 0, VERT_ATTRIB_NORMAL, COMPAT},
    {"gl_Color", F, 4, VS, IN, 0, VERT_ATTRIB_COLOR0, COMPAT},
    {"gl_SecondaryColor", F, 4, VS, IN, 0, VERT_ATTRIB_COLOR1, COMPAT},
    MULTITEX(0),
    MULTITEX(1),
    MULTITEX(2),
    MULTITEX(3),
    MULTITEX(4),
    MULTITEX(5),
    MULTITEX(6),
    MULTITEX(7),
    {"gl_FogCoord", F, 1, VS, IN, 0, VERT_ATTRIB_FOG, COMPAT},
    {"gl_VertexID", I, 1, VS, SV, 0, SYSTEM_VALUE_VERTEX_ID, GL_ES_EXT(130, 300, EXT_gpu_shader4),
     HIGH},
    {"gl_InstanceID", I, 1, VS, SV, 0, SYSTEM_VALUE_INSTANCE_ID,
     GL_ES_EXT2(140, 300, ARB_draw_instanced, EXT_gpu_shader4), HIGH},
    {"gl_InstanceIDARB", I, 1, VS, SV, 0, SYSTEM_VALUE_INSTANCE_ID, EXT(ARB_draw_instanced)},
    {"gl_InstanceIDEXT", I, 1, VS, SV, 0, SYSTEM_VALUE_INSTANCE_ID, EXT(EXT_draw_instanced), HIGH},
    {"gl_BaseVertexARB", I, 1, VS, SV, 0, SYSTEM_VALUE_BASE_VERTEX,
     EXT(ARB_shader_draw_parameters)},
    {"gl_BaseInstanceARB", I, 1, VS, SV, 0, SYSTEM_VALUE_BASE_INSTANCE,
     EXT(ARB_shader_draw_parameters)},
    {"gl_DrawIDARB", I, 1, VS | TS | MS, SV, 0, SYSTEM_VALUE_DRAW_ID,
     EXT(ARB_shader_draw_parameters)},
    {"gl_BaseVertex", I, 1, VS, SV, 0, SYSTEM_VALUE_BASE_VERTEX, GL(460)},
    {"gl_BaseInstance", I, 1, VS, SV, 0, SYSTEM_VALUE_BASE_INSTANCE, GL(460)},
    {"gl_DrawID", I, 1, VS | TS | MS, SV, 0, SYSTEM_VALUE_DRAW_ID, GL(460)},
    {"gl_ViewID_OVR", U, 1, VS | FS, SV, 0, SYSTEM_VALUE_VIEW_INDEX, EXT(OVR_multiview), MEDIUM},
    {"gl_ViewID_OVR", U, 1, TCS | TES | GS, SV, 0, SYSTEM_VALUE_VIEW_INDEX,
     EXT(EXT_multiview_tessellation_geometry_shader), MEDIUM},

    /* Outputs of the stages that write one vertex at a time. */
    {"gl_Position", F, 4, VTG, OUT, 0, VARYING_SLOT_POS, GL_ES(110, 100), HIGH},
    {"gl_PointSize", F, 1, VS, OUT, 0, VARYING_SLOT_PSIZ, {.es_min = 100, .es_max = 100}, MEDIUM},
    {"gl_PointSize", F, 1, VS, OUT, 0, VARYING_SLOT_PSIZ, GL_ES(110, 300), HIGH},
    {"gl_PointSize", F, 1, TES, OUT, 0, VARYING_SLOT_PSIZ,
     GL_EXT2(110, EXT_tessellation_point_size, OES_tessellation_point_size), HIGH},
    {"gl_PointSize", F, 1, GS, OUT, 0, VARYING_SLOT_PSIZ,
     GL_EXT2(110, EXT_geometry_point_size, OES_geometry_point_size), HIGH},
    {"gl_ClipVertex", F, 4, VTG, OUT, 0, VARYING_SLOT_CLIP_VERTEX, COMPAT},
    {"gl_ClipDistance", F, 1, VTG, OUT, UNSIZED, VARYING_SLOT_CLIP_DIST0,
     GL_EXT2(130, EXT_clip_cull_distance, ARB_cull_distance), HIGH},
    {"gl_ClipDistance", F, 1, VS, OUT, UNSIZED, VARYING_SLOT_CLIP_DIST0, EXT(APPLE_clip_distance),
     HIGH},
    {"gl_CullDistance", F, 1, VTG, OUT, UNSIZED, VARYING_SLOT_CULL_DIST0,
     GL_EXT2(450, EXT_clip_cull_distance, ARB_cull_distance), HIGH},
    {"gl_FrontColor", F, 4, VTG, OUT, 0, VARYING_SLOT_COL0, COMPAT},
    {"gl_BackColor", F, 4, VTG, OUT, 0, VARYING_SLOT_BFC0, COMPAT},
    {"gl_FrontSecondaryColor", F, 4, VTG, OUT, 0, VARYING_SLOT_COL1, COMPAT},
    {"gl_BackSecondaryColor", F, 4, VTG, OUT, 0, VARYING_SLOT_BFC1, COMPAT},
    {"gl_TexCoord", F, 4, VTG, OUT, UNSIZED, VARYING_SLOT_TEX0, COMPAT},
    {"gl_FogFragCoord", F, 1, VTG, OUT, 0, VARYING_SLOT_FOGC, COMPAT},
    {"gl_Layer", I, 1, GS, OUT, 0, VARYING_SLOT_LAYER, GL_ES(110, 310), HIGH},
    {"gl_Layer", I, 1, VS | TES, OUT, 0, VARYING_SLOT_LAYER,
     EXT2(AMD_vertex_shader_layer, ARB_shader_viewport_layer_array)},
    {"gl_Layer", I, 1, VTG, OUT, 0, VARYING_SLOT_LAYER, EXT(NV_viewport_array2), HIGH},
    {"gl_ViewportIndex", I, 1, GS, OUT, 0, VARYING_SLOT_VIEWPORT,
     GL_EXT2(410, ARB_viewport_array, OES_viewport_array), HIGH},
    {"gl_ViewportIndex", I, 1, VS | TES, OUT, 0, VARYING_SLOT_VIEWPORT,
     EXT2(AMD_vertex_shader_viewport_index, ARB_shader_viewport_layer_array)},
    {"gl_ViewportIndex", I, 1, VTG, OUT, 0, VARYING_SLOT_VIEWPORT, EXT(NV_viewport_array2), HIGH},
    {"gl_ViewportMask", I, 1, VTG, OUT, FIXED(1), VARYING_SLOT_VIEWPORT, EXT(NV_viewport_array2),
     HIGH},

    /* Tessellation and geometry shaders. */
    {"gl_PatchVerticesIn", I, 1, TCS | TES, SV, 0, SYSTEM_VALUE_PATCH_VERTICES_IN, TESS, HIGH},
    {"gl_PrimitiveID", I, 1, TCS | TES, SV, 0, SYSTEM_VALUE_PRIMITIVE_ID, TESS, HIGH},
    {"gl_InvocationID", I, 1, TCS, SV, 0, SYSTEM_VALUE_INVOCATION_ID, TESS, HIGH},
    {"gl_InvocationID", I, 1, GS, SV, 0, SYSTEM_VALUE_INVOCATION_ID,
     GL_ES_EXT(400, 310, ARB_gpu_shader5), HIGH},
    {"gl_TessCoord", F, 3, TES, SV, 0, SYSTEM_VALUE_TESS_COORD, TESS, HIGH},
    {"gl_TessLevelOuter", F, 1, TCS, OUT, FIXED(4), VARYING_SLOT_TESS_LEVEL_OUTER, TESS, HIGH,
     .patch = true},
    {"gl_TessLevelInner", F, 1, TCS, OUT, FIXED(2), VARYING_SLOT_TESS_LEVEL_INNER, TESS, HIGH,
     .patch = true},
    {"gl_TessLevelOuter", F, 1, TES, IN, FIXED(4), VARYING_SLOT_TESS_LEVEL_OUTER, TESS, HIGH,
     .patch = true},
    {"gl_TessLevelInner", F, 1, TES, IN, FIXED(2), VARYING_SLOT_TESS_LEVEL_INNER, TESS, HIGH,
     .patch = true},
    {"gl_BoundingBox", F, 4, TCS, OUT, FIXED(2), VARYING_SLOT_BOUNDING_BOX0, ES(320), HIGH,
     .patch = true},
    {"gl_BoundingBoxEXT", F, 4, TCS, OUT, FIXED(2), VARYING_SLOT_BOUNDING_BOX0,
     EXT(EXT_primitive_bounding_box), HIGH, .patch = true},
    {"gl_BoundingBoxOES", F, 4, TCS, OUT, FIXED(2), VARYING_SLOT_BOUNDING_BOX0,
     EXT(OES_primitive_bounding_box), HIGH, .patch = true},
    {"gl_PositionIn", F, 4, GS, IN, 0, VARYING_SLOT_POS, GEOMETRY4},
    {"gl_PointSizeIn", F, 1, GS, IN, 0, VARYING_SLOT_PSIZ, GEOMETRY4},
    {"gl_ClipVertexIn", F, 4, GS, IN, 0, VARYING_SLOT_CLIP_VERTEX, GEOMETRY4},
    {"gl_ClipDistanceIn", F, 1, GS, IN, LIMIT(max_clip_distances), VARYING_SLOT_CLIP_DIST0,
     GL(130)},
    {"gl_FrontColorIn", F, 4, GS, IN, 0, VARYING_SLOT_COL0, GEOMETRY4},
    {"gl_BackColorIn", F, 4, GS, IN, 0, VARYING_SLOT_BFC0, GEOMETRY4},
    {"gl_FrontSecondaryColorIn", F, 4, GS, IN, 0, VARYING_SLOT_COL1, GEOMETRY4},
    {"gl_BackSecondaryColorIn", F, 4, GS, IN, 0, VARYING_SLOT_BFC1, GEOMETRY4},
    {"gl_TexCoordIn", F, 4, GS, IN, LIMIT(max_texture_coords), VARYING_SLOT_TEX0, GEOMETRY4},
    {"gl_FogFragCoordIn", F, 1, GS, IN, 0, VARYING_SLOT_FOGC, GEOMETRY4},
    {"gl_PrimitiveIDIn", I, 1, GS, SV, 0, SYSTEM_VALUE_PRIMITIVE_ID, GL_ES(110, 310), HIGH},
    {"gl_PrimitiveID", I, 1, GS, OUT, 0, VARYING_SLOT_PRIMITIVE_ID, GL_ES(110, 310), HIGH},

    /* Inputs of the fragment shader. */
    {"gl_FragCoord",
     F,
     4,
     FS,
     SV,
     0,
     SYSTEM_VALUE_FRAG_COORD,
     {.es_min = 100, .es_max = 100},
     MEDIUM},
    {"gl_FragCoord", F, 4, FS, SV, 0, SYSTEM_VALUE_FRAG_COORD, GL_ES(110, 300), HIGH},
    {"gl_FrontFacing", B, 1, FS, SV, 0, SYSTEM_VALUE_FRONT_FACE, GL_ES(110, 100)},
    {"gl_PointCoord", F, 2, FS, SV, 0, SYSTEM_VALUE_POINT_COORD, GL_ES(120, 100), MEDIUM},
    {"gl_Color", F, 4, FS, IN, 0, VARYING_SLOT_COL0, COMPAT},
    {"gl_SecondaryColor", F, 4, FS, IN, 0, VARYING_SLOT_COL1, COMPAT},
    {"gl_TexCoord", F, 4, FS, IN, UNSIZED, VARYING_SLOT_TEX0, COMPAT},
    {"gl_FogFragCoord", F, 1, FS, IN, 0, VARYING_SLOT_FOGC, COMPAT},
    {"gl_ClipDistance", F, 1, FS, IN, UNSIZED, VARYING_SLOT_CLIP_DIST0,
     GL_EXT2(130, EXT_clip_cull_distance, ARB_cull_distance), HIGH},
    {"gl_CullDistance", F, 1, FS, IN, UNSIZED, VARYING_SLOT_CULL_DIST0,
     GL_EXT2(450, EXT_clip_cull_distance, ARB_cull_distance), HIGH},
    {"gl_PrimitiveID", I, 1, FS, IN, 0, VARYING_SLOT_PRIMITIVE_ID,
     GL_ES_EXT2(150, 320, EXT_gpu_shader4, ARB_geometry_shader4), HIGH, INTERP_MODE_FLAT},
    {"gl_PrimitiveID", I, 1, FS, IN, 0, VARYING_SLOT_PRIMITIVE_ID,
     EXT2(EXT_geometry_shader, OES_geometry_shader), HIGH, INTERP_MODE_FLAT},
    {"gl_Layer", I, 1, FS, IN, 0, VARYING_SLOT_LAYER,
     GL_ES_EXT(430, 320, ARB_fragment_layer_viewport), HIGH, INTERP_MODE_FLAT},
    {"gl_Layer", I, 1, FS, IN, 0, VARYING_SLOT_LAYER,
     EXT2(EXT_geometry_shader, OES_geometry_shader), HIGH, INTERP_MODE_FLAT},
    {"gl_ViewportIndex", I, 1, FS, IN, 0, VARYING_SLOT_VIEWPORT,
     GL_EXT2(430, ARB_fragment_layer_viewport, OES_viewport_array), HIGH, INTERP_MODE_FLAT},
    {"gl_SampleID", I, 1, FS, SV, 0, SYSTEM_VALUE_SAMPLE_ID,
     GL_ES_EXT2(400, 320, ARB_sample_shading, OES_sample_variables), LOW},
    {"gl_SamplePosition", F, 2, FS, SV, 0, SYSTEM_VALUE_SAMPLE_POS,
     GL_ES_EXT2(400, 320, ARB_sample_shading, OES_sample_variables), MEDIUM},
    {"gl_SampleMaskIn", I, 1, FS, SV, FIXED(1), SYSTEM_VALUE_SAMPLE_MASK_IN,
     GL_ES_EXT2(400, 320, ARB_gpu_shader5, OES_sample_variables), HIGH},
    {"gl_BaryCoordNV", F, 3, FS, IN, 0, VARYING_SLOT_BARY_COORD,
     EXT(NV_fragment_shader_barycentric), HIGH},
    {"gl_BaryCoordNoPerspNV", F, 3, FS, IN, 0, VARYING_SLOT_BARY_COORD_LINEAR,
     EXT(NV_fragment_shader_barycentric), HIGH, INTERP_MODE_NOPERSPECTIVE},
    {"gl_HelperInvocation", B, 1, FS, SV, 0, SYSTEM_VALUE_HELPER_INVOCATION, GL_ES(450, 310)},
    {"gl_LastFragData",
     F,
     4,
     FS,
     SV,
     LIMIT(max_draw_buffers),
     SYSTEM_VALUE_LAST_FRAG_DATA,
     {.es_max = 100,
      .extension = GLSL_EXT_EXT_shader_framebuffer_fetch + 1,
      .extension2 = GLSL_EXT_EXT_shader_framebuffer_fetch_non_coherent + 1},
     MEDIUM},
    {"gl_LastFragDepthARM", F, 1, FS, SV, 0, SYSTEM_VALUE_LAST_FRAG_DEPTH,
     EXT(ARM_shader_framebuffer_fetch_depth_stencil), HIGH},
    {"gl_LastFragStencilARM", I, 1, FS, SV, 0, SYSTEM_VALUE_LAST_FRAG_STENCIL,
     EXT(ARM_shader_framebuffer_fetch_depth_stencil), LOW},

    /* Outputs of the fragment shader. */
    {"gl_FragColor", F, 4, FS, OUT, 0, FRAG_RESULT_COLOR, BEFORE_420, MEDIUM},
    {"gl_FragColor", F, 4, FS, OUT, 0, FRAG_RESULT_COLOR, COMPAT_420, MEDIUM},
    {"gl_FragData", F, 4, FS, OUT, LIMIT(max_draw_buffers), FRAG_RESULT_DATA0, BEFORE_420, MEDIUM},
    {"gl_FragData", F, 4, FS, OUT, LIMIT(max_draw_buffers), FRAG_RESULT_DATA0, COMPAT_420, MEDIUM},
    {"gl_SecondaryFragColorEXT",
     F,
     4,
     FS,
     OUT,
     0,
     FRAG_RESULT_COLOR,
     {.es_max = 100, .extension = GLSL_EXT_EXT_blend_func_extended + 1},
     MEDIUM,
     .index = 1},
    {"gl_SecondaryFragDataEXT",
     F,
     4,
     FS,
     OUT,
     LIMIT(max_dual_source_draw_buffers),
     FRAG_RESULT_DATA0,
     {.es_max = 100, .extension = GLSL_EXT_EXT_blend_func_extended + 1},
     MEDIUM,
     .index = 1},
    {"gl_FragDepth", F, 1, FS, OUT, 0, FRAG_RESULT_DEPTH, GL_ES(110, 300), HIGH},
    {"gl_FragDepthEXT", F, 1, FS, OUT, 0, FRAG_RESULT_DEPTH, EXT(EXT_frag_depth), HIGH},
    {"gl_SampleMask", I, 1, FS, OUT, FIXED(1), FRAG_RESULT_SAMPLE_MASK,
     GL_ES_EXT2(400, 320, ARB_sample_shading, OES_sample_variables), HIGH},
    {"gl_FragStencilRefARB", I, 1, FS, OUT, 0, FRAG_RESULT_STENCIL, EXT(ARB_shader_stencil_export)},
    {"gl_FragStencilRefAMD", I, 1, FS, OUT, 0, FRAG_RESULT_STENCIL, EXT(AMD_shader_stencil_export)},

    /* Compute shaders. */
    {"gl_NumWorkGroups", U, 3, GROUPS, SV, 0, SYSTEM_VALUE_NUM_WORKGROUPS, GL_ES(110, 310), HIGH},
    {"gl_WorkGroupSize", U, 3, GROUPS, SV, 0, SYSTEM_VALUE_WORKGROUP_SIZE, GL_ES(110, 310), HIGH},
    {"gl_LocalGroupSizeARB", U, 3, CS, SV, 0, SYSTEM_VALUE_WORKGROUP_SIZE,
     EXT(ARB_compute_variable_group_size)},
    {"gl_WorkGroupID", U, 3, GROUPS, SV, 0, SYSTEM_VALUE_WORKGROUP_ID, GL_ES(110, 310), HIGH},
    {"gl_LocalInvocationID", U, 3, GROUPS, SV, 0, SYSTEM_VALUE_LOCAL_INVOCATION_ID, GL_ES(110, 310),
     HIGH},
    {"gl_GlobalInvocationID", U, 3, GROUPS, SV, 0, SYSTEM_VALUE_GLOBAL_INVOCATION_ID,
     GL_ES(110, 310), HIGH},
    {"gl_LocalInvocationIndex", U, 1, GROUPS, SV, 0, SYSTEM_VALUE_LOCAL_INVOCATION_INDEX,
     GL_ES(110, 310), HIGH},

    /* Mesh shaders. */
    {"gl_PrimitivePointIndicesEXT", U, 1, MS, OUT, UNSIZED, VARYING_SLOT_PRIMITIVE_INDICES,
     EXT(EXT_mesh_shader), HIGH, .per_primitive = true},
    {"gl_PrimitiveLineIndicesEXT", U, 2, MS, OUT, UNSIZED, VARYING_SLOT_PRIMITIVE_INDICES,
     EXT(EXT_mesh_shader), HIGH, .per_primitive = true},
    {"gl_PrimitiveTriangleIndicesEXT", U, 3, MS, OUT, UNSIZED, VARYING_SLOT_PRIMITIVE_INDICES,
     EXT(EXT_mesh_shader), HIGH, .per_primitive = true},

    /* Communication between invocations. */
    {"gl_SubGroupSizeARB", U, 1, ANY, SV, 0, SYSTEM_VALUE_SUBGROUP_SIZE, EXT(ARB_shader_ballot)},
    {"gl_SubGroupInvocationARB", U, 1, ANY, SV, 0, SYSTEM_VALUE_SUBGROUP_INVOCATION,
     EXT(ARB_shader_ballot)},
    {"gl_NumSubgroups", U, 1, GROUPS, SV, 0, SYSTEM_VALUE_NUM_SUBGROUPS,
     EXT(KHR_shader_subgroup_basic), HIGH},
    {"gl_SubgroupID", U, 1, GROUPS, SV, 0, SYSTEM_VALUE_SUBGROUP_ID, EXT(KHR_shader_subgroup_basic),
     HIGH},
    {"gl_SubgroupSize", U, 1, ANY, SV, 0, SYSTEM_VALUE_SUBGROUP_SIZE,
     EXT(KHR_shader_subgroup_basic), MEDIUM},
    {"gl_SubgroupInvocationID", U, 1, ANY, SV, 0, SYSTEM_VALUE_SUBGROUP_INVOCATION,
     EXT(KHR_shader_subgroup_basic), MEDIUM},
    SUBGROUP_MASK("Eq", SYSTEM_VALUE_SUBGROUP_EQ_MASK),
    SUBGROUP_MASK("Ge", SYSTEM_VALUE_SUBGROUP_GE_MASK),
    SUBGROUP_MASK("Gt", SYSTEM_VALUE_SUBGROUP_GT_MASK),
    SUBGROUP_MASK("Le", SYSTEM_VALUE_SUBGROUP_LE_MASK),
    SUBGROUP_MASK("Lt", SYSTEM_VALUE_SUBGROUP_LT_MASK),
};

/* Only ESSL 1.00 has built-in names for what 3.00 declares as outputs: EXT_blend_func_extended and
 * EXT_shader_framebuffer_fetch. */
static bool is_there(const struct variable_row *row, const struct glsl_builtin_env *env)
{
    if (!(row->stages & 1 << env->stage))
        return false;
    if (env->stage == SHADER_GEOMETRY && row->mode == IN && !glsl_has_vertices_in(env))
        return false;
    if (row->who.es_max == 100 && row->who.extension)
        return env->es && env->version == 100 &&
               (glsl_env_ext(env, row->who.extension - 1) ||
                (row->who.extension2 && glsl_env_ext(env, row->who.extension2 - 1)));
    return glsl_builtin_available(&row->who, env);
}

static struct hir_variable *make_variable(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                          const struct variable_row *row)
{
    const struct glsl_type *type =
        glsl_builtin_array(sh, env, glsl_simple_type(row->base, row->components, 1), row->array);
    if (type && env->stage == SHADER_GEOMETRY && row->mode == IN)
        type = glsl_array_type(sh, type, glsl_vertices_in(env), 0);
    struct hir_variable *var = type ? hir_variable_create(sh, type, row->name, row->mode) : NULL;
    if (!var)
        return NULL;
    var->builtin = true;
    var->location = row->location;
    var->implicit_sized = row->array == UNSIZED;
    var->read_only = row->mode != OUT;
    var->interpolation = row->interpolation;
    var->index = row->index;
    var->patch = row->patch;
    var->per_primitive = row->per_primitive;
    if (env->es)
        var->precision = row->precision;
    return var;
}

/* ---------------------------------------------------------------------- per-vertex blocks --- */

struct member_row {
    const char *name;
    uint8_t components;
    uint16_t array;
    uint8_t location;
    struct availability who;
    bool integer; /* an int, and only a member of outputs; the others are floats */
};

static const struct member_row members[] = {
    {"gl_Position", 4, 0, VARYING_SLOT_POS, GL_ES(110, 310)},
    {"gl_PointSize", 1, 0, VARYING_SLOT_PSIZ, GL(110)},
    {"gl_ClipDistance", 1, LIMIT(max_clip_distances), VARYING_SLOT_CLIP_DIST0,
     GL_EXT2(110, EXT_clip_cull_distance, ARB_cull_distance)},
    {"gl_CullDistance", 1, LIMIT(max_cull_distances), VARYING_SLOT_CULL_DIST0,
     GL_EXT2(450, EXT_clip_cull_distance, ARB_cull_distance)},
    {"gl_ClipVertex", 4, 0, VARYING_SLOT_CLIP_VERTEX, COMPAT},
    {"gl_FrontColor", 4, 0, VARYING_SLOT_COL0, COMPAT},
    {"gl_BackColor", 4, 0, VARYING_SLOT_BFC0, COMPAT},
    {"gl_FrontSecondaryColor", 4, 0, VARYING_SLOT_COL1, COMPAT},
    {"gl_BackSecondaryColor", 4, 0, VARYING_SLOT_BFC1, COMPAT},
    {"gl_TexCoord", 4, LIMIT(max_texture_coords), VARYING_SLOT_TEX0, COMPAT},
    {"gl_FogFragCoord", 1, 0, VARYING_SLOT_FOGC, COMPAT},
    {"gl_Layer", 1, 0, VARYING_SLOT_LAYER, EXT(NV_viewport_array2), true},
    {"gl_ViewportIndex", 1, 0, VARYING_SLOT_VIEWPORT, EXT(NV_viewport_array2), true},
    {"gl_ViewportMask", 1, FIXED(1), VARYING_SLOT_VIEWPORT, EXT(NV_viewport_array2), true},
};

/* In ES, point sizes are passed between stages only if an extension allows it. */
static bool has_member(const struct member_row *row, const struct glsl_builtin_env *env,
                       enum hir_variable_mode mode)
{
    if (row->integer && mode != OUT)
        return false;
    static const struct availability tess =
        EXT2(EXT_tessellation_point_size, OES_tessellation_point_size);
    static const struct availability geometry =
        EXT2(EXT_geometry_point_size, OES_geometry_point_size);
    if (env->es && row->location == VARYING_SLOT_PSIZ)
        return glsl_builtin_available(env->stage == SHADER_GEOMETRY ? &geometry : &tess, env);
    return glsl_builtin_available(&row->who, env);
}

static const struct glsl_type *per_vertex_type(struct hir_shader *sh,
                                               const struct glsl_builtin_env *env,
                                               enum hir_variable_mode mode)
{
    struct glsl_struct_field fields[ARRAY_SIZE(members)];
    unsigned n = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(members); i++) {
        if (!has_member(&members[i], env, mode))
            continue;
        const struct glsl_type *element =
            glsl_simple_type(members[i].integer ? I : F, members[i].components, 1);
        const struct glsl_type *type = glsl_builtin_array(sh, env, element, members[i].array);
        if (!type)
            return NULL;
        NEXT_OF(fields, n) = (struct glsl_struct_field){
            .type = type,
            .name = members[i].name,
            .location = members[i].location,
            .component = -1,
            .offset = -1,
            .precision = env->es ? HIGH : GLSL_PRECISION_NONE,
        };
    }
    return glsl_interface_type(sh, fields, n, GLSL_PACKING_NONE, false, "gl_PerVertex");
}

/* Creates gl_in[] or gl_out[], a block with one instance per vertex (GLSL 4.60 §7.1.2 to
 * §7.1.4). */
static struct hir_variable *make_vertices(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                          const char *name, enum hir_variable_mode mode,
                                          unsigned length)
{
    const struct glsl_type *block = per_vertex_type(sh, env, mode);
    const struct glsl_type *type = block ? glsl_builtin_array(sh, env, block, length) : NULL;
    struct hir_variable *var = type ? hir_variable_create(sh, type, name, mode) : NULL;
    if (!var)
        return NULL;
    var->builtin = true;
    var->interface_type = block;
    var->implicit_sized = length == UNSIZED;
    var->read_only = mode == IN;
    return var;
}

/* ---------------------------------------------------------------------------- mesh blocks --- */

static const struct mesh_member_row {
    const char *name;
    uint8_t base, components; /* base: enum glsl_base_type */
    uint16_t array;
    uint8_t location;
    bool per_primitive;
} mesh_members[] = {
    {"gl_Position", F, 4, 0, VARYING_SLOT_POS, false},
    {"gl_PointSize", F, 1, 0, VARYING_SLOT_PSIZ, false},
    {"gl_ClipDistance", F, 1, LIMIT(max_clip_distances), VARYING_SLOT_CLIP_DIST0, false},
    {"gl_CullDistance", F, 1, LIMIT(max_cull_distances), VARYING_SLOT_CULL_DIST0, false},
    {"gl_PrimitiveID", I, 1, 0, VARYING_SLOT_PRIMITIVE_ID, true},
    {"gl_Layer", I, 1, 0, VARYING_SLOT_LAYER, true},
    {"gl_ViewportIndex", I, 1, 0, VARYING_SLOT_VIEWPORT, true},
    {"gl_CullPrimitiveEXT", B, 1, 0, VARYING_SLOT_CULL_PRIMITIVE, true},
};

/* Creates gl_MeshVerticesEXT[] or gl_MeshPrimitivesEXT[] (EXT_mesh_shader, GLSL §7.1). In ES, clip
 * and cull distances require EXT_clip_cull_distance. Returns NULL if there is no memory. */
static struct hir_variable *make_mesh(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                      bool per_primitive)
{
    struct glsl_struct_field fields[ARRAY_SIZE(mesh_members)];
    const bool distances = !env->es || glsl_env_ext(env, GLSL_EXT_EXT_clip_cull_distance);
    unsigned n = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(mesh_members); i++) {
        const struct mesh_member_row *m = &mesh_members[i];
        if (m->per_primitive != per_primitive || (m->array && !distances))
            continue;
        const struct glsl_type *type =
            glsl_builtin_array(sh, env, glsl_simple_type(m->base, m->components, 1), m->array);
        if (!type)
            return NULL;
        NEXT_OF(fields, n) = (struct glsl_struct_field){
            .type = type,
            .name = m->name,
            .location = m->location,
            .component = -1,
            .offset = -1,
            .precision = env->es && m->base != B ? HIGH : GLSL_PRECISION_NONE,
        };
    }
    const struct glsl_type *block =
        glsl_interface_type(sh, fields, n, GLSL_PACKING_NONE, false,
                            per_primitive ? "gl_MeshPerPrimitiveEXT" : "gl_MeshPerVertexEXT");
    const struct glsl_type *type = block ? glsl_builtin_array(sh, env, block, UNSIZED) : NULL;
    struct hir_variable *var =
        type ? hir_variable_create(
                   sh, type, per_primitive ? "gl_MeshPrimitivesEXT" : "gl_MeshVerticesEXT", OUT)
             : NULL;
    if (!var)
        return NULL;
    var->builtin = true;
    var->interface_type = block;
    var->implicit_sized = true;
    var->per_primitive = per_primitive;
    return var;
}

/* Adds the arrays of output blocks of a mesh shader. */
static void add_mesh(struct hir_shader *sh, const struct glsl_builtin_env *env,
                     const struct glsl_builtin_sink *sink)
{
    if (env->stage != SHADER_MESH || !glsl_env_ext(env, GLSL_EXT_EXT_mesh_shader))
        return;
    for (unsigned i = 0; i < 2; i++) {
        if (!glsl_builtin_wanted(sink, i ? "gl_MeshPrimitivesEXT" : "gl_MeshVerticesEXT"))
            continue;
        struct hir_variable *var = make_mesh(sh, env, i);
        if (var)
            sink->add(sink->data, var);
    }
}

/* ----------------------------------------------------------------------------- entry point --- */

void glsl_builtin_variables(struct hir_shader *sh, const struct glsl_builtin_env *env,
                            const struct glsl_builtin_sink *sink)
{
    const char *last = "";
    glsl_builtin_constants(sh, env, sink);
    for (unsigned i = 0; i < ARRAY_SIZE(variables); i++) {
        const struct variable_row *row = &variables[i];
        if (!is_there(row, env) || !strcmp(row->name, last) ||
            !glsl_builtin_wanted(sink, row->name))
            continue;
        struct hir_variable *var = make_variable(sh, env, row);
        if (var)
            sink->add(sink->data, var);
        last = row->name;
    }
    struct hir_variable *in = NULL, *out = NULL;
    bool tess = env->stage == SHADER_TESS_CTRL || env->stage == SHADER_TESS_EVAL;
    if ((tess || env->stage == SHADER_GEOMETRY) && glsl_builtin_wanted(sink, "gl_in"))
        in = make_vertices(sh, env, "gl_in", IN, tess ? LIMIT(max_patch_vertices) : UNSIZED);
    if (env->stage == SHADER_TESS_CTRL && glsl_builtin_wanted(sink, "gl_out"))
        out = make_vertices(sh, env, "gl_out", OUT, UNSIZED);
    add_mesh(sh, env, sink);
    if (in)
        sink->add(sink->data, in);
    if (out)
        sink->add(sink->data, out);
    glsl_builtin_state(sh, env, sink);
}
