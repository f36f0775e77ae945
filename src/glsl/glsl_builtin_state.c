/* SPDX-License-Identifier: MIT */
/*
 * Tables of built-in uniforms that mirror GL state (GLSL 4.60 §7.4, ESSL 1.00 §7.5).
 * nir_state_tokens.h defines the state slots of the uniforms.
 */
#include "glsl/glsl_builtin_vars.h"
#include "nir/nir_state_tokens.h"

/* --------------------------------------------------------------------------- state structs --- */

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
    {"emission", 4, STATE_MATERIAL_EMISSION},   {"ambient", 4, STATE_MATERIAL_AMBIENT},
    {"diffuse", 4, STATE_MATERIAL_DIFFUSE},     {"specular", 4, STATE_MATERIAL_SPECULAR},
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
    {"color", 4, STATE_FOG_COLOR}, {"density", 1, STATE_FOG_DENSITY}, {"start", 1, STATE_FOG_START},
    {"end", 1, STATE_FOG_END},     {"scale", 1, STATE_FOG_SCALE},
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

static const struct glsl_type *
make_struct(struct hir_shader *sh, const struct glsl_builtin_env *env, const struct state_struct *s)
{
    struct glsl_struct_field fields[16];
    for (unsigned i = 0; i < s->count; i++) {
        fields[i] = (struct glsl_struct_field){
            .type = glsl_vec_type(s->fields[i].components),
            .name = s->fields[i].name,
            .location = -1,
            .component = -1,
            .offset = -1,
            .precision = env->es ? GLSL_PRECISION_HIGH : GLSL_PRECISION_NONE,
        };
    }
    return glsl_struct_type(sh, fields, s->count, s->name);
}

/* -------------------------------------------------------------------------- state uniforms --- */

enum state_kind {
    MATRIX4,
    MATRIX3,
    SCALAR,
    INTEGER,
    VECTOR,         /* tokens: [1] = element, [2] = property */
    STRUCTURE,      /* tokens: [1] = element, [2] = property of the field */
    FACE_STRUCTURE, /* tokens: [1] = face, [2] = property of the field */
    PRODUCTS,       /* tokens: [1] = face, [2] = element, [3] = property of the field */
};

struct state_row {
    const char *name;
    uint8_t kind, token;
    uint8_t detail;    /* matrices: modifier; vectors: property; structs: face */
    uint8_t structure; /* index into state_structs */
    uint16_t array;    /* 0: not an array; else LIMIT() */
    struct availability who;
};

#define MATRIX(name, token, kind, array)                                                           \
    {name, kind, token, STATE_MATRIX_PLAIN, 0, array, COMPAT},                                     \
        {name "Inverse", kind, token, STATE_MATRIX_INVERSE, 0, array, COMPAT},                     \
        {name "Transpose", kind, token, STATE_MATRIX_TRANSPOSE, 0, array, COMPAT},                 \
    {                                                                                              \
        name "InverseTranspose", kind, token, STATE_MATRIX_INVTRANS, 0, array, COMPAT              \
    }
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
    {"gl_FrontLightProduct", PRODUCTS, STATE_LIGHTPROD, 0, LIGHT_PRODUCTS_STRUCT, LIMIT(max_lights),
     COMPAT},
    {"gl_BackLightProduct", PRODUCTS, STATE_LIGHTPROD, 1, LIGHT_PRODUCTS_STRUCT, LIMIT(max_lights),
     COMPAT},
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
    {"gl_NumSamples", INTEGER, STATE_NUM_SAMPLES, 0, 0, 0, GL_ES_EXT(420, 320, ARB_sample_shading)},
    {"gl_NumSamples", INTEGER, STATE_NUM_SAMPLES, 0, 0, 0, EXT(OES_sample_variables)},
};

static struct hir_variable *make_state(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                       const struct state_row *row,
                                       const struct glsl_type *const *structs)
{
    const struct glsl_type *type;
    switch (row->kind) {
    case MATRIX4:
        type = glsl_simple_type(GLSL_TYPE_FLOAT, 4, 4);
        break;
    case MATRIX3:
        type = glsl_simple_type(GLSL_TYPE_FLOAT, 3, 3);
        break;
    case SCALAR:
        type = glsl_float_type();
        break;
    case INTEGER:
        type = glsl_int_type();
        break;
    case VECTOR:
        type = glsl_vec4_type();
        break;
    default:
        type = structs[row->structure];
    }
    type = glsl_builtin_array(sh, env, type, row->array);
    struct hir_variable *var =
        type ? hir_variable_create(sh, type, row->name, HIR_VAR_UNIFORM) : NULL;
    if (var) {
        var->builtin = var->read_only = true;
        var->precision = env->es ? GLSL_PRECISION_HIGH : GLSL_PRECISION_NONE;
    }
    return var;
}

/* Writes the state slots of one array element; returns their number. */
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
    if (row->kind == SCALAR || row->kind == INTEGER || row->kind == VECTOR) {
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

void glsl_builtin_state(struct hir_shader *sh, const struct glsl_builtin_env *env,
                        const struct glsl_builtin_sink *sink)
{
    bool wanted[ARRAY_SIZE(state_rows)], needed[NUM_STATE_STRUCTS] = {0};
    for (unsigned i = 0; i < ARRAY_SIZE(state_rows); i++) {
        const struct state_row *row = &state_rows[i];
        wanted[i] = glsl_builtin_available(&row->who, env) && glsl_builtin_wanted(sink, row->name);
        if (row->kind >= STRUCTURE && wanted[i])
            needed[row->structure] = true;
    }
    const struct glsl_type *structs[NUM_STATE_STRUCTS] = {0};
    for (unsigned i = 0; i < NUM_STATE_STRUCTS; i++) {
        const struct state_struct *st = &state_structs[i];
        if (!glsl_builtin_available(&st->who, env) ||
            (!needed[i] && !glsl_builtin_wanted(sink, st->name)))
            continue;
        structs[i] = make_struct(sh, env, st);
        if (!structs[i])
            return;
        sink->add_type(sink->data, st->name, structs[i]);
    }
    for (unsigned i = 0; i < ARRAY_SIZE(state_rows); i++) {
        struct hir_variable *var = wanted[i] ? make_state(sh, env, &state_rows[i], structs) : NULL;
        if (var)
            sink->add(sink->data, var);
    }
}
