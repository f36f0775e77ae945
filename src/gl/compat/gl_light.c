/* SPDX-License-Identifier: MIT */
/* Lights, materials, fog, texture environment and generation, clip planes: values of the fixed
 * function (GL 4.6 compatibility §12.2, §13.7, §16.1, §17.3). */
#include <math.h>

#include "gl/api/gl_core.h"
#include "gl_entry.h"

/* Parameter vectors come as floats, integers or fixed; n: components of pname. */
typedef float params4[4];

static void from_int(params4 out, const GLint *v, unsigned n, bool normalized)
{
    for (unsigned i = 0; i < n; i++)
        out[i] = normalized ? (float)MAX2(v[i] / 2147483647.0, -1.0) : (float)v[i];
}

static void from_fixed(params4 out, const GLfixed *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        out[i] = v[i] / 65536.0f;
}

/* glMaterial and glLightModel have always taken names of vectors with a scalar too. */
static bool scalar_ok(struct gl_context *ctx, unsigned n, const char *call, GLenum pname)
{
    if (n == 1)
        return true;
    gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
    return false;
}

/* ------------------------------------------------------------------------------------ lights --- */

static unsigned light_components(GLenum pname)
{
    switch (pname) {
    case GL_AMBIENT:
    case GL_DIFFUSE:
    case GL_SPECULAR:
    case GL_POSITION:
        return 4;
    case GL_SPOT_DIRECTION:
        return 3;
    default:
        return 1;
    }
}

static bool light_is_color(GLenum pname)
{
    return pname == GL_AMBIENT || pname == GL_DIFFUSE || pname == GL_SPECULAR;
}

static void set_light(GLenum light, GLenum pname, const float *v)
{
    GL_CONTEXT(ctx);
    unsigned i = light - GL_LIGHT0;
    if (i >= (unsigned)ctx->consts.max_lights) {
        gl_error(ctx, GL_INVALID_ENUM, "glLight(light=%s)", gl_enum_name(light));
        return;
    }
    struct gl_light *l = &ctx->light.light[i];
    float *where = NULL;
    switch (pname) {
    case GL_AMBIENT:
        where = l->ambient;
        break;
    case GL_DIFFUSE:
        where = l->diffuse;
        break;
    case GL_SPECULAR:
        where = l->specular;
        break;
    case GL_POSITION:
        FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT | GL_DIRTY_PROGRAM_KEY);
        gl_matrix_transform(l->eye_position, gl_matrix_top(&ctx->modelview), v);
        return;
    case GL_SPOT_DIRECTION: {
        FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT);
        const float *m = gl_matrix_top(&ctx->modelview);
        for (unsigned r = 0; r < 3; r++)
            l->spot_eye_direction[r] = m[r] * v[0] + m[4 + r] * v[1] + m[8 + r] * v[2];
        return;
    }
    case GL_SPOT_EXPONENT:
        if (!(v[0] >= 0.0f && v[0] <= GL_MAX_EXPONENT))
            goto bad_value;
        where = &l->spot_exponent;
        break;
    case GL_SPOT_CUTOFF:
        if (!(v[0] >= 0.0f && v[0] <= 90.0f) && v[0] != 180.0f)
            goto bad_value;
        where = &l->spot_cutoff;
        break;
    case GL_CONSTANT_ATTENUATION:
        where = &l->constant_attenuation;
        break;
    case GL_LINEAR_ATTENUATION:
        where = &l->linear_attenuation;
        break;
    case GL_QUADRATIC_ATTENUATION:
        where = &l->quadratic_attenuation;
        break;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glLight(pname=%s)", gl_enum_name(pname));
        return;
    }
    unsigned n = light_components(pname);
    if (n == 1 && pname != GL_SPOT_EXPONENT && pname != GL_SPOT_CUTOFF && !(v[0] >= 0.0f))
        goto bad_value;
    FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT | (n == 1 ? GL_DIRTY_PROGRAM_KEY : 0));
    memcpy(where, v, n * sizeof *v);
    return;
bad_value:
    gl_error(ctx, GL_INVALID_VALUE, "glLight(%s=%g)", gl_enum_name(pname), v[0]);
}

void gl_Lightfv(GLenum light, GLenum pname, const GLfloat *params)
{
    set_light(light, pname, params);
}

void gl_Lightiv(GLenum light, GLenum pname, const GLint *params)
{
    params4 v;
    from_int(v, params, light_components(pname), light_is_color(pname));
    set_light(light, pname, v);
}

void gl_Lightxv(GLenum light, GLenum pname, const GLfixed *params)
{
    params4 v;
    from_fixed(v, params, light_components(pname));
    set_light(light, pname, v);
}

void gl_Lightf(GLenum light, GLenum pname, GLfloat param)
{
    GL_CONTEXT(ctx);
    if (scalar_ok(ctx, light_components(pname), "glLightf", pname))
        set_light(light, pname, &param);
}

void gl_Lighti(GLenum light, GLenum pname, GLint param)
{
    gl_Lightf(light, pname, param);
}

void gl_Lightx(GLenum light, GLenum pname, GLfixed param)
{
    gl_Lightf(light, pname, param / 65536.0f);
}

/* Values of a light's parameter; their number, 0: error raised. */
static unsigned get_light(struct gl_context *ctx, GLenum light, GLenum pname, float *v)
{
    unsigned i = light - GL_LIGHT0;
    const struct gl_light *l = &ctx->light.light[i & 7];
    const float *where = NULL;
    switch (i < (unsigned)ctx->consts.max_lights ? pname : 0) {
    case GL_AMBIENT:
        where = l->ambient;
        break;
    case GL_DIFFUSE:
        where = l->diffuse;
        break;
    case GL_SPECULAR:
        where = l->specular;
        break;
    case GL_POSITION:
        where = l->eye_position;
        break;
    case GL_SPOT_DIRECTION:
        where = l->spot_eye_direction;
        break;
    case GL_SPOT_EXPONENT:
        where = &l->spot_exponent;
        break;
    case GL_SPOT_CUTOFF:
        where = &l->spot_cutoff;
        break;
    case GL_CONSTANT_ATTENUATION:
        where = &l->constant_attenuation;
        break;
    case GL_LINEAR_ATTENUATION:
        where = &l->linear_attenuation;
        break;
    case GL_QUADRATIC_ATTENUATION:
        where = &l->quadratic_attenuation;
        break;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glGetLight(light=%s, pname=%s)", gl_enum_name(light),
                 gl_enum_name(pname));
        return 0;
    }
    unsigned n = light_components(pname);
    memcpy(v, where, n * sizeof *v);
    return n;
}

static GLint to_int(float f, bool normalized)
{
    double d = normalized ? f * 2147483647.0 : (double)f;
    return CLAMP(lrint(d), INT32_MIN, INT32_MAX);
}

static void to_ints(GLint *params, const float *v, unsigned n, bool normalized)
{
    for (unsigned i = 0; i < n; i++)
        params[i] = to_int(v[i], normalized);
}

static void to_fixed(GLfixed *params, const float *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        params[i] = to_int(v[i] * 65536.0f, false);
}

void gl_GetLightfv(GLenum light, GLenum pname, GLfloat *params)
{
    GL_CONTEXT(ctx);
    params4 v;
    memcpy(params, v, get_light(ctx, light, pname, v) * sizeof *v);
}

void gl_GetLightiv(GLenum light, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    params4 v;
    to_ints(params, v, get_light(ctx, light, pname, v), light_is_color(pname));
}

void gl_GetLightxv(GLenum light, GLenum pname, GLfixed *params)
{
    GL_CONTEXT(ctx);
    params4 v;
    to_fixed(params, v, get_light(ctx, light, pname, v));
}

/* ------------------------------------------------------------------------------- light model --- */

static void set_light_model(GLenum pname, const float *v)
{
    GL_CONTEXT(ctx);
    struct gl_light_state *s = &ctx->light;
    switch (pname) {
    case GL_LIGHT_MODEL_AMBIENT:
        FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT);
        memcpy(s->model_ambient, v, sizeof s->model_ambient);
        return;
    case GL_LIGHT_MODEL_TWO_SIDE:
        FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT | GL_DIRTY_PROGRAM_KEY | GL_DIRTY_RASTERIZER);
        s->two_side = v[0] != 0.0f;
        return;
    case GL_LIGHT_MODEL_LOCAL_VIEWER:
        if (ctx->api == GL_API_ES1)
            break;
        FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT | GL_DIRTY_PROGRAM_KEY);
        s->local_viewer = v[0] != 0.0f;
        return;
    case GL_LIGHT_MODEL_COLOR_CONTROL:
        if (ctx->api == GL_API_ES1)
            break;
        if (v[0] != GL_SINGLE_COLOR && v[0] != GL_SEPARATE_SPECULAR_COLOR) {
            gl_error(ctx, GL_INVALID_ENUM, "glLightModel(color control %s)", gl_enum_name(v[0]));
            return;
        }
        FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT | GL_DIRTY_PROGRAM_KEY);
        s->color_control = v[0];
        return;
    }
    gl_error(ctx, GL_INVALID_ENUM, "glLightModel(pname=%s)", gl_enum_name(pname));
}

static unsigned light_model_components(GLenum pname)
{
    return pname == GL_LIGHT_MODEL_AMBIENT ? 4 : 1;
}

void gl_LightModelfv(GLenum pname, const GLfloat *params)
{
    set_light_model(pname, params);
}

void gl_LightModeliv(GLenum pname, const GLint *params)
{
    params4 v;
    from_int(v, params, light_model_components(pname), pname == GL_LIGHT_MODEL_AMBIENT);
    set_light_model(pname, v);
}

void gl_LightModelxv(GLenum pname, const GLfixed *params)
{
    params4 v;
    from_fixed(v, params, light_model_components(pname));
    set_light_model(pname, v);
}

void gl_LightModelf(GLenum pname, GLfloat param)
{
    set_light_model(pname, (params4){param});
}

void gl_LightModeli(GLenum pname, GLint param)
{
    gl_LightModelf(pname, param);
}

void gl_LightModelx(GLenum pname, GLfixed param)
{
    gl_LightModelf(pname, param / 65536.0f);
}

/* --------------------------------------------------------------------------------- materials --- */

static unsigned material_components(GLenum pname)
{
    switch (pname) {
    case GL_AMBIENT:
    case GL_DIFFUSE:
    case GL_SPECULAR:
    case GL_EMISSION:
    case GL_AMBIENT_AND_DIFFUSE:
        return 4;
    case GL_COLOR_INDEXES:
        return 3;
    default:
        return 1;
    }
}

/* Bits of the properties that follow the color (GL 4.6 compatibility §12.2.3): 1 ambient,
 * 2 diffuse, 4 specular, 8 emission. */
static unsigned material_bits(GLenum pname)
{
    switch (pname) {
    case GL_AMBIENT:
        return 1;
    case GL_DIFFUSE:
        return 2;
    case GL_AMBIENT_AND_DIFFUSE:
        return 3;
    case GL_SPECULAR:
        return 4;
    case GL_EMISSION:
        return 8;
    default:
        return 0;
    }
}

/* Sets n values; whether they were others. */
static bool store_values(float *where, const float *v, unsigned n)
{
    bool change = memcmp(where, v, n * sizeof *v);
    memcpy(where, v, n * sizeof *v);
    return change;
}

static bool store_material(struct gl_material *m, unsigned bits, const float v[4])
{
    float *const where[4] = {m->ambient, m->diffuse, m->specular, m->emission};
    bool change = false;
    for (unsigned i = 0; i < 4; i++)
        if (bits >> i & 1)
            change |= store_values(where[i], v, 4);
    return change;
}

static unsigned face_bits(GLenum face)
{
    return face == GL_FRONT ? 1 : face == GL_BACK ? 2 : face == GL_FRONT_AND_BACK ? 3 : 0;
}

/* Where a material property goes now. Under a vertex shader changes may wait for glEnd (GL 4.6
 * compatibility §12.2.3), and do, so that the primitive stays whole. */
static struct gl_material *materials_to_set(struct gl_context *ctx)
{
    struct gl_light_state *s = &ctx->light;
    if (!ctx->inside_begin_end || !gl_stage_executable(ctx, SHADER_VERTEX)) {
        FLUSH_VERTICES(ctx, GL_DIRTY_MATERIAL);
        return s->material;
    }
    if (!s->material_waits)
        memcpy(s->next_material, s->material, sizeof s->material);
    s->material_waits = true;
    return s->next_material;
}

void gl_light_end(struct gl_context *ctx)
{
    struct gl_light_state *s = &ctx->light;
    if (!s->material_waits)
        return;
    FLUSH_VERTICES(ctx, GL_DIRTY_MATERIAL);
    memcpy(s->material, s->next_material, sizeof s->material);
    s->material_waits = false;
    gl_light_track_color(ctx);
}

/* Sets what glMaterial may set of the faces' materials; whether it was something else. */
static bool store_materials(const struct gl_light_state *s, struct gl_material materials[2],
                            unsigned faces, GLenum pname, const float *v)
{
    bool change = false;
    for (unsigned f = 0; f < 2; f++) {
        if (!(faces >> f & 1))
            continue;
        unsigned set = material_bits(pname);
        if (s->color_material && face_bits(s->color_material_face) >> f & 1)
            set &= ~material_bits(s->color_material_mode);
        change |= store_material(&materials[f], set, v);
        if (pname == GL_SHININESS)
            change |= store_values(&materials[f].shininess, v, 1);
        else if (pname == GL_COLOR_INDEXES)
            change |= store_values(materials[f].indexes, v, 3);
    }
    return change;
}

static void set_material(GLenum face, GLenum pname, const float *v)
{
    GL_CONTEXT(ctx);
    struct gl_light_state *s = &ctx->light;
    struct gl_material now[2];
    unsigned faces = face_bits(face), bits = material_bits(pname);
    if (!faces || (ctx->api == GL_API_ES1 && faces != 3) ||
        (!bits && pname != GL_SHININESS && pname != GL_COLOR_INDEXES)) {
        gl_error(ctx, GL_INVALID_ENUM, "glMaterial(face=%s, pname=%s)", gl_enum_name(face),
                 gl_enum_name(pname));
        return;
    }
    if (pname == GL_SHININESS && !(v[0] >= 0.0f && v[0] <= GL_MAX_EXPONENT)) {
        gl_error(ctx, GL_INVALID_VALUE, "glMaterial(shininess=%g)", v[0]);
        return;
    }
    /* many programs say the same material again for each primitive: one draw is to hold them all */
    memcpy(now, s->material_waits ? s->next_material : s->material, sizeof now);
    if (store_materials(s, now, faces, pname, v))
        store_materials(s, materials_to_set(ctx), faces, pname, v);
}

void gl_light_track_color(struct gl_context *ctx)
{
    struct gl_light_state *s = &ctx->light;
    if (!s->color_material)
        return;
    for (unsigned f = 0; f < 2; f++)
        if (face_bits(s->color_material_face) >> f & 1 &&
            store_material(&s->material[f], material_bits(s->color_material_mode),
                           ctx->current_attribs.attrib[VERT_ATTRIB_COLOR0]))
            ctx->dirty |= GL_DIRTY_MATERIAL;
}

void gl_Materialfv(GLenum face, GLenum pname, const GLfloat *params)
{
    set_material(face, pname, params);
}

void gl_Materialiv(GLenum face, GLenum pname, const GLint *params)
{
    params4 v;
    from_int(v, params, material_components(pname), material_bits(pname));
    set_material(face, pname, v);
}

void gl_Materialxv(GLenum face, GLenum pname, const GLfixed *params)
{
    params4 v;
    from_fixed(v, params, material_components(pname));
    set_material(face, pname, v);
}

void gl_Materialf(GLenum face, GLenum pname, GLfloat param)
{
    set_material(face, pname, (params4){param});
}

void gl_Materiali(GLenum face, GLenum pname, GLint param)
{
    gl_Materialf(face, pname, param);
}

void gl_Materialx(GLenum face, GLenum pname, GLfixed param)
{
    gl_Materialf(face, pname, param / 65536.0f);
}

static unsigned get_material(struct gl_context *ctx, GLenum face, GLenum pname, float *v)
{
    const struct gl_material *m = &ctx->light.material[face == GL_BACK];
    const float *where;
    FLUSH_VERTICES(ctx, 0);
    switch (face == GL_FRONT || face == GL_BACK ? pname : 0) {
    case GL_AMBIENT:
        where = m->ambient;
        break;
    case GL_DIFFUSE:
        where = m->diffuse;
        break;
    case GL_SPECULAR:
        where = m->specular;
        break;
    case GL_EMISSION:
        where = m->emission;
        break;
    case GL_SHININESS:
        where = &m->shininess;
        break;
    case GL_COLOR_INDEXES:
        where = m->indexes;
        break;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "glGetMaterial(face=%s, pname=%s)", gl_enum_name(face),
                 gl_enum_name(pname));
        return 0;
    }
    unsigned n = material_components(pname);
    memcpy(v, where, n * sizeof *v);
    return n;
}

void gl_GetMaterialfv(GLenum face, GLenum pname, GLfloat *params)
{
    GL_CONTEXT(ctx);
    params4 v;
    memcpy(params, v, get_material(ctx, face, pname, v) * sizeof *v);
}

void gl_GetMaterialiv(GLenum face, GLenum pname, GLint *params)
{
    GL_CONTEXT(ctx);
    params4 v;
    to_ints(params, v, get_material(ctx, face, pname, v), material_bits(pname));
}

void gl_GetMaterialxv(GLenum face, GLenum pname, GLfixed *params)
{
    GL_CONTEXT(ctx);
    params4 v;
    to_fixed(params, v, get_material(ctx, face, pname, v));
}

void gl_ColorMaterial(GLenum face, GLenum mode)
{
    GL_CONTEXT(ctx);
    if (!face_bits(face) || !material_bits(mode)) {
        gl_error(ctx, GL_INVALID_ENUM, "glColorMaterial(face=%s, mode=%s)", gl_enum_name(face),
                 gl_enum_name(mode));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_LIGHT | GL_DIRTY_PROGRAM_KEY);
    ctx->light.color_material_face = face;
    ctx->light.color_material_mode = mode;
    gl_light_track_color(ctx);
}

void gl_ShadeModel(GLenum mode)
{
    GL_CONTEXT(ctx);
    if (mode != GL_FLAT && mode != GL_SMOOTH) {
        gl_error(ctx, GL_INVALID_ENUM, "glShadeModel(mode=%s)", gl_enum_name(mode));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_KEY | GL_DIRTY_RASTERIZER);
    ctx->light.shade_model = mode;
}

void gl_ProvokingVertex(GLenum mode)
{
    GL_CONTEXT(ctx);
    if (mode != GL_FIRST_VERTEX_CONVENTION && mode != GL_LAST_VERTEX_CONVENTION) {
        gl_error(ctx, GL_INVALID_ENUM, "glProvokingVertex(mode=%s)", gl_enum_name(mode));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_RASTERIZER);
    ctx->light.provoking_vertex = mode;
}

/* --------------------------------------------------------------------------------------- fog --- */

static void set_fog(GLenum pname, const float *v)
{
    GL_CONTEXT(ctx);
    struct gl_fog_state *s = &ctx->fog;
    bool es = ctx->api == GL_API_ES1;
    GLenum e = v[0];
    switch (pname) {
    case GL_FOG_MODE:
        if (e != GL_LINEAR && e != GL_EXP && e != GL_EXP2)
            goto bad_enum;
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG | GL_DIRTY_PROGRAM_KEY);
        s->mode = e;
        return;
    case GL_FOG_DENSITY:
        if (!(v[0] >= 0.0f)) {
            gl_error(ctx, GL_INVALID_VALUE, "glFog(density=%g)", v[0]);
            return;
        }
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG);
        s->density = v[0];
        return;
    case GL_FOG_START:
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG);
        s->start = v[0];
        return;
    case GL_FOG_END:
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG);
        s->end = v[0];
        return;
    case GL_FOG_INDEX:
        if (es)
            goto bad_pname;
        s->index = v[0];
        return;
    case GL_FOG_COLOR:
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG);
        memcpy(s->color, v, sizeof s->color);
        return;
    case GL_FOG_COORD_SRC:
        if (es)
            goto bad_pname;
        if (e != GL_FOG_COORD && e != GL_FRAGMENT_DEPTH)
            goto bad_enum;
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG | GL_DIRTY_PROGRAM_KEY);
        s->coord_source = e;
        return;
    case GL_FOG_DISTANCE_MODE_NV:
        if (es || !ctx->ext.NV_fog_distance)
            goto bad_pname;
        if (e != GL_EYE_RADIAL_NV && e != GL_EYE_PLANE && e != GL_EYE_PLANE_ABSOLUTE_NV)
            goto bad_enum;
        FLUSH_VERTICES(ctx, GL_DIRTY_FOG | GL_DIRTY_PROGRAM_KEY);
        s->distance_mode = e;
        return;
    }
bad_pname:
    gl_error(ctx, GL_INVALID_ENUM, "glFog(pname=%s)", gl_enum_name(pname));
    return;
bad_enum:
    gl_error(ctx, GL_INVALID_ENUM, "glFog(%s=%s)", gl_enum_name(pname), gl_enum_name(e));
}

static unsigned fog_components(GLenum pname)
{
    return pname == GL_FOG_COLOR ? 4 : 1;
}

void gl_Fogfv(GLenum pname, const GLfloat *params)
{
    set_fog(pname, params);
}

void gl_Fogiv(GLenum pname, const GLint *params)
{
    params4 v;
    from_int(v, params, fog_components(pname), pname == GL_FOG_COLOR);
    set_fog(pname, v);
}

void gl_Fogxv(GLenum pname, const GLfixed *params)
{
    params4 v;
    from_fixed(v, params, fog_components(pname));
    if (pname == GL_FOG_MODE)
        v[0] = params[0];
    set_fog(pname, v);
}

void gl_Fogf(GLenum pname, GLfloat param)
{
    GL_CONTEXT(ctx);
    if (scalar_ok(ctx, fog_components(pname), "glFogf", pname))
        set_fog(pname, &param);
}

void gl_Fogi(GLenum pname, GLint param)
{
    gl_Fogf(pname, param);
}

void gl_Fogx(GLenum pname, GLfixed param)
{
    gl_Fogf(pname, pname == GL_FOG_MODE ? (float)param : param / 65536.0f);
}

/* ------------------------------------------------------------------------------- clip planes --- */

static void set_clip_plane(GLenum plane, const float equation[4])
{
    GL_CONTEXT(ctx);
    unsigned i = plane - GL_CLIP_PLANE0;
    if (i >= (unsigned)ctx->consts.max_clip_planes) {
        gl_error(ctx, GL_INVALID_ENUM, "glClipPlane(plane=%s)", gl_enum_name(plane));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_CLIP);
    /* eye-space plane = equation · M⁻¹ (GL 4.6 compatibility §13.7) */
    float inverse[16], transposed[16];
    gl_matrix_invert(inverse, gl_matrix_top(&ctx->modelview));
    gl_matrix_transpose(transposed, inverse);
    gl_matrix_transform(ctx->transform.clip_plane[i], transposed, equation);
}

void gl_ClipPlane(GLenum plane, const GLdouble *equation)
{
    params4 e = {equation[0], equation[1], equation[2], equation[3]};
    set_clip_plane(plane, e);
}

void gl_ClipPlanef(GLenum p, const GLfloat *eqn)
{
    set_clip_plane(p, eqn);
}

void gl_ClipPlanex(GLenum plane, const GLfixed *equation)
{
    params4 e;
    from_fixed(e, equation, 4);
    set_clip_plane(plane, e);
}

static const float *get_clip_plane(struct gl_context *ctx, GLenum plane)
{
    unsigned i = plane - GL_CLIP_PLANE0;
    if (i < (unsigned)ctx->consts.max_clip_planes)
        return ctx->transform.clip_plane[i];
    gl_error(ctx, GL_INVALID_ENUM, "glGetClipPlane(plane=%s)", gl_enum_name(plane));
    return NULL;
}

void gl_GetClipPlane(GLenum plane, GLdouble *equation)
{
    GL_CONTEXT(ctx);
    const float *e = get_clip_plane(ctx, plane);
    for (unsigned i = 0; e && i < 4; i++)
        equation[i] = e[i];
}

void gl_GetClipPlanef(GLenum plane, GLfloat *equation)
{
    GL_CONTEXT(ctx);
    const float *e = get_clip_plane(ctx, plane);
    if (e)
        memcpy(equation, e, sizeof(params4));
}

void gl_GetClipPlanex(GLenum plane, GLfixed *equation)
{
    GL_CONTEXT(ctx);
    const float *e = get_clip_plane(ctx, plane);
    for (unsigned i = 0; e && i < 4; i++)
        equation[i] = to_int(e[i] * 65536.0f, false);
}
