/* SPDX-License-Identifier: MIT */
/* Fixed-function lights, shading, fog and clip planes (GL 4.6 compatibility §12.2, §13.7, §17.3).
 * Materials are in gl_material.c. */
#include <string.h>

#include "gl/context/gl_context.h"
#include "gl/state/gl_matrix.h"
#include "gl/state/gl_params.h"
#include "gl_entry.h"

/* ----------------------------------------------------------------------------------- lights --- */

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

static enum gl_param_kind light_kind(GLenum pname)
{
    return pname == GL_AMBIENT || pname == GL_DIFFUSE || pname == GL_SPECULAR ? GL_PARAM_COLOR
                                                                              : GL_PARAM_PLAIN;
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

static void set_light_vector(GLenum light, GLenum pname, enum gl_param_type type,
                             const void *params)
{
    float buffer[4];
    set_light(light, pname,
              gl_params_read(buffer, type, light_kind(pname), params, light_components(pname)));
}

void gl_Lightfv(GLenum light, GLenum pname, const GLfloat *params)
{
    set_light_vector(light, pname, GL_PARAM_FLOAT, params);
}

void gl_Lightiv(GLenum light, GLenum pname, const GLint *params)
{
    set_light_vector(light, pname, GL_PARAM_INT, params);
}

void gl_Lightxv(GLenum light, GLenum pname, const GLfixed *params)
{
    set_light_vector(light, pname, GL_PARAM_FIXED, params);
}

void gl_Lightf(GLenum light, GLenum pname, GLfloat param)
{
    GL_CONTEXT(ctx);
    if (gl_params_scalar(ctx, light_components(pname), "glLightf", pname))
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

/* Gets a light's parameter. Returns the number of values; 0: an error was raised. */
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

static void get_light_vector(GLenum light, GLenum pname, enum gl_param_type type, void *params)
{
    GL_CONTEXT(ctx);
    float v[4];
    unsigned n = get_light(ctx, light, pname, v);
    gl_params_write(params, type, light_kind(pname), v, n);
}

void gl_GetLightfv(GLenum light, GLenum pname, GLfloat *params)
{
    get_light_vector(light, pname, GL_PARAM_FLOAT, params);
}

void gl_GetLightiv(GLenum light, GLenum pname, GLint *params)
{
    get_light_vector(light, pname, GL_PARAM_INT, params);
}

void gl_GetLightxv(GLenum light, GLenum pname, GLfixed *params)
{
    get_light_vector(light, pname, GL_PARAM_FIXED, params);
}

/* ------------------------------------------------------------------------------ light model --- */

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

static void set_light_model_vector(GLenum pname, enum gl_param_type type, const void *params)
{
    float buffer[4];
    const bool color = pname == GL_LIGHT_MODEL_AMBIENT;
    set_light_model(pname, gl_params_read(buffer, type, color ? GL_PARAM_COLOR : GL_PARAM_PLAIN,
                                          params, color ? 4 : 1));
}

void gl_LightModelfv(GLenum pname, const GLfloat *params)
{
    set_light_model_vector(pname, GL_PARAM_FLOAT, params);
}

void gl_LightModeliv(GLenum pname, const GLint *params)
{
    set_light_model_vector(pname, GL_PARAM_INT, params);
}

void gl_LightModelxv(GLenum pname, const GLfixed *params)
{
    set_light_model_vector(pname, GL_PARAM_FIXED, params);
}

/* glLightModelf also accepts parameters that are vectors. */
void gl_LightModelf(GLenum pname, GLfloat param)
{
    set_light_model(pname, (float[4]){param});
}

void gl_LightModeli(GLenum pname, GLint param)
{
    gl_LightModelf(pname, param);
}

void gl_LightModelx(GLenum pname, GLfixed param)
{
    gl_LightModelf(pname, param / 65536.0f);
}

/* ---------------------------------------------------------------------------------- shading --- */

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

/* -------------------------------------------------------------------------------------- fog --- */

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

static void set_fog_vector(GLenum pname, enum gl_param_type type, const void *params)
{
    float buffer[4];
    enum gl_param_kind kind = pname == GL_FOG_COLOR  ? GL_PARAM_COLOR
                              : pname == GL_FOG_MODE ? GL_PARAM_ENUM
                                                     : GL_PARAM_PLAIN;
    set_fog(pname, gl_params_read(buffer, type, kind, params, fog_components(pname)));
}

void gl_Fogfv(GLenum pname, const GLfloat *params)
{
    set_fog_vector(pname, GL_PARAM_FLOAT, params);
}

void gl_Fogiv(GLenum pname, const GLint *params)
{
    set_fog_vector(pname, GL_PARAM_INT, params);
}

void gl_Fogxv(GLenum pname, const GLfixed *params)
{
    set_fog_vector(pname, GL_PARAM_FIXED, params);
}

void gl_Fogf(GLenum pname, GLfloat param)
{
    GL_CONTEXT(ctx);
    const GLfloat params[4] = {param};
    if (gl_params_scalar(ctx, fog_components(pname), "glFogf", pname))
        set_fog(pname, params);
}

void gl_Fogi(GLenum pname, GLint param)
{
    gl_Fogf(pname, param);
}

void gl_Fogx(GLenum pname, GLfixed param)
{
    gl_Fogf(pname, pname == GL_FOG_MODE ? (float)param : param / 65536.0f);
}

/* ------------------------------------------------------------------------------ clip planes --- */

static void set_clip_plane(GLenum plane, const float equation[4])
{
    GL_CONTEXT(ctx);
    unsigned i = plane - GL_CLIP_PLANE0;
    if (i >= (unsigned)ctx->consts.max_clip_planes) {
        gl_error(ctx, GL_INVALID_ENUM, "glClipPlane(plane=%s)", gl_enum_name(plane));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_CLIP);
    /* Plane in eye space = equation · M⁻¹ (GL 4.6 compatibility §13.7). */
    float inverse[16], transposed[16];
    gl_matrix_invert(inverse, gl_matrix_top(&ctx->modelview));
    gl_matrix_transpose(transposed, inverse);
    gl_matrix_transform(ctx->transform.clip_plane[i], transposed, equation);
}

void gl_ClipPlane(GLenum plane, const GLdouble *equation)
{
    set_clip_plane(plane, (float[4]){equation[0], equation[1], equation[2], equation[3]});
}

void gl_ClipPlanef(GLenum p, const GLfloat *eqn)
{
    set_clip_plane(p, eqn);
}

void gl_ClipPlanex(GLenum plane, const GLfixed *equation)
{
    float buffer[4];
    set_clip_plane(plane, gl_params_read(buffer, GL_PARAM_FIXED, GL_PARAM_PLAIN, equation, 4));
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
        gl_params_write(equation, GL_PARAM_FLOAT, GL_PARAM_PLAIN, e, 4);
}

void gl_GetClipPlanex(GLenum plane, GLfixed *equation)
{
    GL_CONTEXT(ctx);
    const float *e = get_clip_plane(ctx, plane);
    if (e)
        gl_params_write(equation, GL_PARAM_FIXED, GL_PARAM_PLAIN, e, 4);
}
