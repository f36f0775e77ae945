/* SPDX-License-Identifier: MIT */
/*
 * Built-in variables, constants and uniforms as tables: GLSL 1.10 §7 to 4.60 §7, ESSL 1.00 §7 and
 * 3.00 §7. Geometry and tessellation stages' gl_in blocks are not among them.
 */
#include <stddef.h>

#include "glsl/glsl_builtins.h"
#include "glsl/glsl_state.h"

/* Who has a row. A condition is met by the languages' version, or by the extension. */
struct availability {
    uint16_t gl_min, gl_max; /* desktop versions, gl_min 0: none, gl_max 0: no end */
    uint16_t es_min, es_max; /* the same */
    bool compat;             /* desktop: only where deprecated features are */
    int16_t extension;       /* enum glsl_extension + 1; also there with it, in any language */
};

#define GL(v)         {.gl_min = (v)}
#define COMPAT        {.gl_min = 110, .compat = true}
#define ES(v)         {.es_min = (v)}
/* Deprecated from the start, removed from the core language in 4.20; ESSL 1.00 alone. */
#define BEFORE_420    {.gl_min = 110, .gl_max = 410, .es_min = 100, .es_max = 100}
#define COMPAT_420    {.gl_min = 420, .compat = true}
#define GL_ES(v, e)   {.gl_min = (v), .es_min = (e)}
#define EXT(name)     {.extension = GLSL_EXT_##name + 1}
#define GL_EXT(v, name)        {.gl_min = (v), .extension = GLSL_EXT_##name + 1}
#define GL_ES_EXT(v, e, name)  {.gl_min = (v), .es_min = (e), .extension = GLSL_EXT_##name + 1}

static bool is_available(const struct availability *a, const struct glsl_builtin_env *env)
{
    unsigned v = env->version;
    if (a->extension && glsl_env_ext(env, a->extension - 1))
        return true;
    if (env->es)
        return a->es_min && v >= a->es_min && (!a->es_max || v <= a->es_max);
    return a->gl_min && v >= a->gl_min && (!a->gl_max || v <= a->gl_max) &&
           (!a->compat || env->compat);
}

/* Where an array's size comes from: a field of struct glsl_limits. */
#define LIMIT(field) (uint16_t)(offsetof(struct glsl_limits, field) + 1)

static unsigned limit_value(const struct glsl_builtin_env *env, unsigned limit)
{
    unsigned value;
    memcpy(&value, (const char *)&env->options->limits + limit - 1, sizeof value);
    return value;
}

/* ------------------------------------------------------------------------- plain variables --- */

#define UNSIZED 0xffff /* an array whose size the shader says or implies */

struct variable_row {
    const char *name;
    uint8_t base, components;
    uint8_t stages;    /* bits of enum shader_stage */
    uint8_t mode;      /* enum hir_variable_mode */
    uint16_t array;    /* 0: none, LIMIT(), UNSIZED */
    int16_t location;
    struct availability who;
    uint8_t precision; /* of ES */
    uint8_t interpolation;
};

#define VS (1 << SHADER_VERTEX)
#define FS (1 << SHADER_FRAGMENT)
#define IN HIR_VAR_SHADER_IN
#define OUT HIR_VAR_SHADER_OUT
#define SV HIR_VAR_SYSTEM_VALUE
#define F GLSL_TYPE_FLOAT
#define I GLSL_TYPE_INT
#define B GLSL_TYPE_BOOL
#define HIGH GLSL_PRECISION_HIGH
#define MEDIUM GLSL_PRECISION_MEDIUM
#define MULTITEX(i)                                                                                \
    {"gl_MultiTexCoord" #i, F, 4, VS, IN, 0, VERT_ATTRIB_TEX(i), COMPAT}

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
     GL_ES_EXT(140, 300, EXT_gpu_shader4), HIGH},
    {"gl_InstanceIDARB", I, 1, VS, SV, 0, SYSTEM_VALUE_INSTANCE_ID, EXT(ARB_draw_instanced)},
    {"gl_InstanceIDEXT", I, 1, VS, SV, 0, SYSTEM_VALUE_INSTANCE_ID, EXT(EXT_draw_instanced), HIGH},
    {"gl_BaseVertexARB", I, 1, VS, SV, 0, SYSTEM_VALUE_BASE_VERTEX, EXT(ARB_shader_draw_parameters)},
    {"gl_BaseInstanceARB", I, 1, VS, SV, 0, SYSTEM_VALUE_BASE_INSTANCE,
     EXT(ARB_shader_draw_parameters)},
    {"gl_DrawIDARB", I, 1, VS, SV, 0, SYSTEM_VALUE_DRAW_ID, EXT(ARB_shader_draw_parameters)},
    {"gl_BaseVertex", I, 1, VS, SV, 0, SYSTEM_VALUE_BASE_VERTEX, GL(460)},
    {"gl_BaseInstance", I, 1, VS, SV, 0, SYSTEM_VALUE_BASE_INSTANCE, GL(460)},
    {"gl_DrawID", I, 1, VS, SV, 0, SYSTEM_VALUE_DRAW_ID, GL(460)},

    /* out of the vertex shader */
    {"gl_Position", F, 4, VS, OUT, 0, VARYING_SLOT_POS, GL_ES(110, 100), HIGH},
    {"gl_PointSize", F, 1, VS, OUT, 0, VARYING_SLOT_PSIZ, GL_ES(110, 100), MEDIUM},
    {"gl_ClipVertex", F, 4, VS, OUT, 0, VARYING_SLOT_CLIP_VERTEX, COMPAT},
    {"gl_ClipDistance", F, 1, VS, OUT, UNSIZED, VARYING_SLOT_CLIP_DIST0,
     GL_EXT(130, EXT_clip_cull_distance), HIGH},
    {"gl_FrontColor", F, 4, VS, OUT, 0, VARYING_SLOT_COL0, COMPAT},
    {"gl_BackColor", F, 4, VS, OUT, 0, VARYING_SLOT_BFC0, COMPAT},
    {"gl_FrontSecondaryColor", F, 4, VS, OUT, 0, VARYING_SLOT_COL1, COMPAT},
    {"gl_BackSecondaryColor", F, 4, VS, OUT, 0, VARYING_SLOT_BFC1, COMPAT},
    {"gl_TexCoord", F, 4, VS, OUT, UNSIZED, VARYING_SLOT_TEX0, COMPAT},
    {"gl_FogFragCoord", F, 1, VS, OUT, 0, VARYING_SLOT_FOGC, COMPAT},

    /* into the fragment shader */
    {"gl_FragCoord", F, 4, FS, SV, 0, SYSTEM_VALUE_FRAG_COORD, GL_ES(110, 100), MEDIUM},
    {"gl_FrontFacing", B, 1, FS, SV, 0, SYSTEM_VALUE_FRONT_FACE, GL_ES(110, 100)},
    {"gl_PointCoord", F, 2, FS, SV, 0, SYSTEM_VALUE_POINT_COORD, GL_ES(120, 100), MEDIUM},
    {"gl_Color", F, 4, FS, IN, 0, VARYING_SLOT_COL0, COMPAT},
    {"gl_SecondaryColor", F, 4, FS, IN, 0, VARYING_SLOT_COL1, COMPAT},
    {"gl_TexCoord", F, 4, FS, IN, UNSIZED, VARYING_SLOT_TEX0, COMPAT},
    {"gl_FogFragCoord", F, 1, FS, IN, 0, VARYING_SLOT_FOGC, COMPAT},
    {"gl_ClipDistance", F, 1, FS, IN, UNSIZED, VARYING_SLOT_CLIP_DIST0,
     GL_EXT(130, EXT_clip_cull_distance), HIGH},
    {"gl_PrimitiveID", I, 1, FS, IN, 0, VARYING_SLOT_PRIMITIVE_ID,
     GL_ES_EXT(150, 320, EXT_gpu_shader4), HIGH, INTERP_MODE_FLAT},
    {"gl_SampleID", I, 1, FS, SV, 0, SYSTEM_VALUE_SAMPLE_ID, GL_ES_EXT(400, 320, ARB_sample_shading),
     GLSL_PRECISION_LOW},
    {"gl_SamplePosition", F, 2, FS, SV, 0, SYSTEM_VALUE_SAMPLE_POS,
     GL_ES_EXT(400, 320, ARB_sample_shading), MEDIUM},

    /* out of the fragment shader */
    {"gl_FragColor", F, 4, FS, OUT, 0, FRAG_RESULT_COLOR, BEFORE_420, MEDIUM},
    {"gl_FragColor", F, 4, FS, OUT, 0, FRAG_RESULT_COLOR, COMPAT_420, MEDIUM},
    {"gl_FragData", F, 4, FS, OUT, LIMIT(max_draw_buffers), FRAG_RESULT_DATA0, BEFORE_420, MEDIUM},
    {"gl_FragData", F, 4, FS, OUT, LIMIT(max_draw_buffers), FRAG_RESULT_DATA0, COMPAT_420, MEDIUM},
    {"gl_FragDepth", F, 1, FS, OUT, 0, FRAG_RESULT_DEPTH, GL_ES(110, 300), HIGH},
    {"gl_FragDepthEXT", F, 1, FS, OUT, 0, FRAG_RESULT_DEPTH, EXT(EXT_frag_depth), HIGH},
    {"gl_FragStencilRefARB", I, 1, FS, OUT, 0, FRAG_RESULT_STENCIL, EXT(ARB_shader_stencil_export)},
    {"gl_FragStencilRefAMD", I, 1, FS, OUT, 0, FRAG_RESULT_STENCIL, EXT(AMD_shader_stencil_export)},
};

static const struct glsl_type *array_of(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                        const struct glsl_type *element, unsigned array)
{
    if (!array)
        return element;
    return glsl_array_type(sh, element, array == UNSIZED ? 0 : limit_value(env, array), 0);
}

static struct hir_variable *make_variable(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                          const struct variable_row *row)
{
    const struct glsl_type *type =
        array_of(sh, env, glsl_simple_type(row->base, row->components, 1), row->array);
    struct hir_variable *var = type ? hir_variable_create(sh, type, row->name, row->mode) : NULL;
    if (!var)
        return NULL;
    var->builtin = true;
    var->location = row->location;
    var->implicit_sized = row->array == UNSIZED;
    var->read_only = row->mode != OUT;
    var->interpolation = row->interpolation;
    if (env->es)
        var->precision = row->precision;
    return var;
}

/* ------------------------------------------------------------------------------- constants --- */

enum constant_kind { AS_IS, VECTORS }; /* how the limit becomes the constant */

struct constant_row {
    const char *name;
    uint16_t limit;
    uint8_t kind;
    struct availability who;
};

static const struct constant_row constants[] = {
    {"gl_MaxLights", LIMIT(max_lights), AS_IS, COMPAT},
    {"gl_MaxClipPlanes", LIMIT(max_clip_planes), AS_IS, COMPAT},
    {"gl_MaxTextureUnits", LIMIT(max_texture_units), AS_IS, COMPAT},
    {"gl_MaxTextureCoords", LIMIT(max_texture_coords), AS_IS, COMPAT},
    {"gl_MaxVertexAttribs", LIMIT(max_vertex_attribs), AS_IS, GL_ES(110, 100)},
    {"gl_MaxVertexUniformComponents", LIMIT(max_vertex_uniform_components), AS_IS, GL(110)},
    {"gl_MaxVertexUniformVectors", LIMIT(max_vertex_uniform_components), VECTORS, GL_ES(410, 100)},
    {"gl_MaxVaryingFloats", LIMIT(max_varying_components), AS_IS, {.gl_min = 110, .gl_max = 410}},
    {"gl_MaxVaryingFloats", LIMIT(max_varying_components), AS_IS, {.gl_min = 420, .compat = true}},
    {"gl_MaxVaryingComponents", LIMIT(max_varying_components), AS_IS, GL(130)},
    {"gl_MaxVaryingVectors", LIMIT(max_varying_components), VECTORS, {.gl_min = 410, .es_min = 100, .es_max = 100}},
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
    {"gl_MinProgramTexelOffset", LIMIT(min_program_texel_offset), AS_IS, GL_ES(420, 300)},
    {"gl_MaxProgramTexelOffset", LIMIT(max_program_texel_offset), AS_IS, GL_ES(420, 300)},
    {"gl_MaxViewports", LIMIT(max_viewports), AS_IS, GL(410)},
    {"gl_MaxSamples", LIMIT(max_samples), AS_IS, GL_ES(450, 320)},
};

static struct hir_variable *make_constant(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                          const struct constant_row *row)
{
    struct hir_variable *var =
        hir_variable_create(sh, glsl_int_type(), row->name, HIR_VAR_GLOBAL);
    if (!var)
        return NULL;
    int value = (int)limit_value(env, row->limit);
    var->constant_value = hir_const_int(sh, row->kind == VECTORS ? value / 4 : value);
    var->builtin = var->read_only = true;
    if (env->es)
        var->precision = MEDIUM;
    return var->constant_value ? var : NULL;
}

/* ---------------------------------------------------------------------- structures of state --- */

struct state_field {
    const char *name;
    uint8_t components, property;
};

struct state_struct {
    const char *name;
    struct availability who;
    const struct state_field *fields;
    unsigned count;
};

static const struct state_field depth_range_fields[] = {
    {"near", 1, STATE_DEPTH_RANGE_NEAR},
    {"far", 1, STATE_DEPTH_RANGE_FAR},
    {"diff", 1, STATE_DEPTH_RANGE_DIFF},
};
static const struct state_field point_fields[] = {
    {"size", 1, STATE_POINT_SIZE},
    {"sizeMin", 1, STATE_POINT_SIZE_MIN},
    {"sizeMax", 1, STATE_POINT_SIZE_MAX},
    {"fadeThresholdSize", 1, STATE_POINT_FADE_THRESHOLD},
    {"distanceConstantAttenuation", 1, STATE_POINT_CONSTANT_ATTENUATION},
    {"distanceLinearAttenuation", 1, STATE_POINT_LINEAR_ATTENUATION},
    {"distanceQuadraticAttenuation", 1, STATE_POINT_QUADRATIC_ATTENUATION},
};
static const struct state_field material_fields[] = {
    {"emission", 4, STATE_MATERIAL_EMISSION},
    {"ambient", 4, STATE_MATERIAL_AMBIENT},
    {"diffuse", 4, STATE_MATERIAL_DIFFUSE},
    {"specular", 4, STATE_MATERIAL_SPECULAR},
    {"shininess", 1, STATE_MATERIAL_SHININESS},
};
static const struct state_field light_fields[] = {
    {"ambient", 4, STATE_LIGHT_AMBIENT},
    {"diffuse", 4, STATE_LIGHT_DIFFUSE},
    {"specular", 4, STATE_LIGHT_SPECULAR},
    {"position", 4, STATE_LIGHT_POSITION},
    {"halfVector", 4, STATE_LIGHT_HALF_VECTOR},
    {"spotDirection", 3, STATE_LIGHT_SPOT_DIRECTION},
    {"spotExponent", 1, STATE_LIGHT_SPOT_EXPONENT},
    {"spotCutoff", 1, STATE_LIGHT_SPOT_CUTOFF},
    {"spotCosCutoff", 1, STATE_LIGHT_SPOT_COS_CUTOFF},
    {"constantAttenuation", 1, STATE_LIGHT_CONSTANT_ATTENUATION},
    {"linearAttenuation", 1, STATE_LIGHT_LINEAR_ATTENUATION},
    {"quadraticAttenuation", 1, STATE_LIGHT_QUADRATIC_ATTENUATION},
};
static const struct state_field ambient_fields[] = {{"ambient", 4, 0}};
static const struct state_field scene_color_fields[] = {{"sceneColor", 4, 0}};
static const struct state_field product_fields[] = {
    {"ambient", 4, STATE_MATERIAL_AMBIENT},
    {"diffuse", 4, STATE_MATERIAL_DIFFUSE},
    {"specular", 4, STATE_MATERIAL_SPECULAR},
};
static const struct state_field fog_fields[] = {
    {"color", 4, STATE_FOG_COLOR}, {"density", 1, STATE_FOG_DENSITY},
    {"start", 1, STATE_FOG_START}, {"end", 1, STATE_FOG_END},
    {"scale", 1, STATE_FOG_SCALE},
};

enum {
    DEPTH_RANGE_STRUCT,
    POINT_STRUCT,
    MATERIAL_STRUCT,
    LIGHT_STRUCT,
    LIGHT_MODEL_STRUCT,
    LIGHT_MODEL_PRODUCTS_STRUCT,
    LIGHT_PRODUCTS_STRUCT,
    FOG_STRUCT,
    NUM_STATE_STRUCTS,
};

#define STRUCT(name, who, fields) {name, who, fields, ARRAY_SIZE(fields)}
static const struct state_struct state_structs[NUM_STATE_STRUCTS] = {
    [DEPTH_RANGE_STRUCT] = STRUCT("gl_DepthRangeParameters", GL_ES(110, 100), depth_range_fields),
    [POINT_STRUCT] = STRUCT("gl_PointParameters", COMPAT, point_fields),
    [MATERIAL_STRUCT] = STRUCT("gl_MaterialParameters", COMPAT, material_fields),
    [LIGHT_STRUCT] = STRUCT("gl_LightSourceParameters", COMPAT, light_fields),
    [LIGHT_MODEL_STRUCT] = STRUCT("gl_LightModelParameters", COMPAT, ambient_fields),
    [LIGHT_MODEL_PRODUCTS_STRUCT] = STRUCT("gl_LightModelProducts", COMPAT, scene_color_fields),
    [LIGHT_PRODUCTS_STRUCT] = STRUCT("gl_LightProducts", COMPAT, product_fields),
    [FOG_STRUCT] = STRUCT("gl_FogParameters", COMPAT, fog_fields),
};

static const struct glsl_type *make_struct(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                           const struct state_struct *s)
{
    struct glsl_struct_field fields[16];
    for (unsigned i = 0; i < s->count; i++) {
        fields[i] = (struct glsl_struct_field){
            .type = glsl_vec_type(s->fields[i].components),
            .name = s->fields[i].name,
            .location = -1,
            .component = -1,
            .offset = -1,
            .precision = env->es ? HIGH : GLSL_PRECISION_NONE,
        };
    }
    return glsl_struct_type(sh, fields, s->count, s->name);
}

/* ------------------------------------------------------------------------ uniforms of state --- */

enum state_kind {
    MATRIX4,
    MATRIX3,
    SCALAR,
    VECTOR,        /* [1] = element, [2] = property */
    STRUCTURE,     /* [1] = element, [2] = the field's */
    FACE_STRUCTURE, /* [1] = face, [2] = the field's */
    PRODUCTS,      /* [1] = face, [2] = element, [3] = the field's */
};

struct state_row {
    const char *name;
    uint8_t kind, token;
    uint8_t detail;     /* matrices: modifier; vectors: property; structures: face */
    uint8_t structure;  /* index in state_structs */
    uint16_t array;     /* 0 or LIMIT() */
    struct availability who;
};

#define MATRIX(name, token, kind, array)                                                           \
    {name, kind, token, STATE_MATRIX_PLAIN, 0, array, COMPAT},                                     \
        {name "Inverse", kind, token, STATE_MATRIX_INVERSE, 0, array, COMPAT},                     \
        {name "Transpose", kind, token, STATE_MATRIX_TRANSPOSE, 0, array, COMPAT},                 \
        {name "InverseTranspose", kind, token, STATE_MATRIX_INVTRANS, 0, array, COMPAT}
#define TEXGEN(name, property)                                                                     \
    {name, VECTOR, STATE_TEXGEN, property, 0, LIMIT(max_texture_coords), COMPAT}

static const struct state_row state_rows[] = {
    MATRIX("gl_ModelViewMatrix", STATE_MODELVIEW_MATRIX, MATRIX4, 0),
    MATRIX("gl_ProjectionMatrix", STATE_PROJECTION_MATRIX, MATRIX4, 0),
    MATRIX("gl_ModelViewProjectionMatrix", STATE_MVP_MATRIX, MATRIX4, 0),
    MATRIX("gl_TextureMatrix", STATE_TEXTURE_MATRIX, MATRIX4, LIMIT(max_texture_coords)),
    {"gl_NormalMatrix", MATRIX3, STATE_MODELVIEW_MATRIX, STATE_MATRIX_INVTRANS, 0, 0, COMPAT},
    {"gl_NormalScale", SCALAR, STATE_NORMAL_SCALE, 0, 0, 0, COMPAT},
    {"gl_DepthRange", STRUCTURE, STATE_DEPTH_RANGE, 0, DEPTH_RANGE_STRUCT, 0, GL_ES(110, 100)},
    {"gl_ClipPlane", VECTOR, STATE_CLIPPLANE, 0, 0, LIMIT(max_clip_planes), COMPAT},
    {"gl_Point", STRUCTURE, STATE_POINT, 0, POINT_STRUCT, 0, COMPAT},
    {"gl_FrontMaterial", FACE_STRUCTURE, STATE_MATERIAL, 0, MATERIAL_STRUCT, 0, COMPAT},
    {"gl_BackMaterial", FACE_STRUCTURE, STATE_MATERIAL, 1, MATERIAL_STRUCT, 0, COMPAT},
    {"gl_LightSource", STRUCTURE, STATE_LIGHT, 0, LIGHT_STRUCT, LIMIT(max_lights), COMPAT},
    {"gl_LightModel", STRUCTURE, STATE_LIGHTMODEL_AMBIENT, 0, LIGHT_MODEL_STRUCT, 0, COMPAT},
    {"gl_FrontLightModelProduct", FACE_STRUCTURE, STATE_LIGHTMODEL_SCENECOLOR, 0,
     LIGHT_MODEL_PRODUCTS_STRUCT, 0, COMPAT},
    {"gl_BackLightModelProduct", FACE_STRUCTURE, STATE_LIGHTMODEL_SCENECOLOR, 1,
     LIGHT_MODEL_PRODUCTS_STRUCT, 0, COMPAT},
    {"gl_FrontLightProduct", PRODUCTS, STATE_LIGHTPROD, 0, LIGHT_PRODUCTS_STRUCT,
     LIMIT(max_lights), COMPAT},
    {"gl_BackLightProduct", PRODUCTS, STATE_LIGHTPROD, 1, LIGHT_PRODUCTS_STRUCT,
     LIMIT(max_lights), COMPAT},
    {"gl_TextureEnvColor", VECTOR, STATE_TEXENV_COLOR, 0, 0, LIMIT(max_texture_units), COMPAT},
    TEXGEN("gl_EyePlaneS", STATE_TEXGEN_EYE_S),
    TEXGEN("gl_EyePlaneT", STATE_TEXGEN_EYE_T),
    TEXGEN("gl_EyePlaneR", STATE_TEXGEN_EYE_R),
    TEXGEN("gl_EyePlaneQ", STATE_TEXGEN_EYE_Q),
    TEXGEN("gl_ObjectPlaneS", STATE_TEXGEN_OBJECT_S),
    TEXGEN("gl_ObjectPlaneT", STATE_TEXGEN_OBJECT_T),
    TEXGEN("gl_ObjectPlaneR", STATE_TEXGEN_OBJECT_R),
    TEXGEN("gl_ObjectPlaneQ", STATE_TEXGEN_OBJECT_Q),
    {"gl_Fog", STRUCTURE, STATE_FOG, 0, FOG_STRUCT, 0, COMPAT},
};

static struct hir_variable *make_state(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                       const struct state_row *row,
                                       const struct glsl_type *const *structs)
{
    const struct glsl_type *type;
    switch (row->kind) {
    case MATRIX4:
        type = glsl_simple_type(F, 4, 4);
        break;
    case MATRIX3:
        type = glsl_simple_type(F, 3, 3);
        break;
    case SCALAR:
        type = glsl_float_type();
        break;
    case VECTOR:
        type = glsl_vec4_type();
        break;
    default:
        type = structs[row->structure];
    }
    type = array_of(sh, env, type, row->array);
    struct hir_variable *var =
        type ? hir_variable_create(sh, type, row->name, HIR_VAR_UNIFORM) : NULL;
    if (var) {
        var->builtin = var->read_only = true;
        var->precision = env->es ? HIGH : GLSL_PRECISION_NONE;
    }
    return var;
}

/* Slots of one element; returns how many. */
static unsigned element_slots(const struct state_row *row, int element, nir_state_slot *out)
{
    unsigned n = 0;
    int16_t t = row->token;
    if (row->kind == MATRIX4 || row->kind == MATRIX3) {
        for (int c = 0; c < (row->kind == MATRIX4 ? 4 : 3); c++, n++) {
            if (out)
                out[n] = (nir_state_slot){{t, element, c, c, row->detail}};
        }
        return n;
    }
    if (row->kind == SCALAR || row->kind == VECTOR) {
        if (out)
            out[0] = (nir_state_slot){{t, element, row->detail}};
        return 1;
    }
    const struct state_struct *s = &state_structs[row->structure];
    for (; n < s->count; n++) {
        int property = s->fields[n].property;
        if (!out)
            continue;
        if (row->kind == PRODUCTS)
            out[n] = (nir_state_slot){{t, row->detail, element, property}};
        else if (row->kind == FACE_STRUCTURE)
            out[n] = (nir_state_slot){{t, row->detail, property}};
        else
            out[n] = (nir_state_slot){{t, element, property}};
    }
    return n;
}

unsigned glsl_builtin_state_slots(const char *name, const struct glsl_type *type,
                                  nir_state_slot *slots)
{
    for (unsigned i = 0; i < ARRAY_SIZE(state_rows); i++) {
        const struct state_row *row = &state_rows[i];
        if (strcmp(row->name, name))
            continue;
        unsigned n = 0, elements = glsl_type_is_array(type) ? type->length : 1;
        for (unsigned e = 0; e < elements; e++)
            n += element_slots(row, e, slots ? slots + n : NULL);
        return n;
    }
    return 0;
}

/* ------------------------------------------------------------------------------- all of it --- */

void glsl_builtin_variables(struct hir_shader *sh, const struct glsl_builtin_env *env,
                            void (*add)(void *data, struct hir_variable *var),
                            void (*add_type)(void *data, const char *name,
                                             const struct glsl_type *type),
                            void *data)
{
    const struct glsl_type *structs[NUM_STATE_STRUCTS] = {0};
    for (unsigned i = 0; i < NUM_STATE_STRUCTS; i++) {
        if (!is_available(&state_structs[i].who, env))
            continue;
        structs[i] = make_struct(sh, env, &state_structs[i]);
        if (!structs[i])
            return;
        add_type(data, state_structs[i].name, structs[i]);
    }
    for (unsigned i = 0; i < ARRAY_SIZE(constants); i++) {
        struct hir_variable *var =
            is_available(&constants[i].who, env) ? make_constant(sh, env, &constants[i]) : NULL;
        if (var)
            add(data, var);
    }
    for (unsigned i = 0; i < ARRAY_SIZE(variables); i++) {
        const struct variable_row *row = &variables[i];
        if (!(row->stages & 1 << env->stage) || !is_available(&row->who, env))
            continue;
        struct hir_variable *var = make_variable(sh, env, row);
        if (var)
            add(data, var);
    }
    for (unsigned i = 0; i < ARRAY_SIZE(state_rows); i++) {
        struct hir_variable *var =
            is_available(&state_rows[i].who, env) ? make_state(sh, env, &state_rows[i], structs) : NULL;
        if (var)
            add(data, var);
    }
}
