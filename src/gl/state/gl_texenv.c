/* SPDX-License-Identifier: MIT */
/* Texture units: selection, environments and coordinate generation (GL 4.6 compatibility §12.1.3,
 * §16.1). */
#include "gl/state/gl_texenv.h"

#include <math.h>

#include "gl/context/gl_context.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/state/gl_matrix.h"
#include "gl/state/gl_params.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"

bool gl_use_unit(struct gl_context *ctx, GLenum texture, const char *call)
{
    unsigned unit = texture - GL_TEXTURE0;
    if (unit >= gl_texture_unit_limit(ctx)) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(texture=%s)", call, gl_enum_name(texture));
        return false;
    }
    ctx->texenv.active = unit;
    return true;
}

void gl_ActiveTexture(GLenum texture)
{
    GL_CONTEXT(ctx);
    gl_use_unit(ctx, texture, "glActiveTexture");
}

/* ------------------------------------------------------------------------------ environment --- */

static bool valid_source(const struct gl_context *ctx, GLenum e)
{
    return e == GL_TEXTURE || e == GL_CONSTANT || e == GL_PRIMARY_COLOR || e == GL_PREVIOUS ||
           (gl_is_compat(ctx) && e >= GL_TEXTURE0 &&
            e < GL_TEXTURE0 + (unsigned)ctx->consts.max_texture_units) ||
           (e == GL_ZERO &&
            (ctx->ext.ATI_texture_env_combine3 || ctx->ext.NV_texture_env_combine4)) ||
           (e == GL_ONE && ctx->ext.ATI_texture_env_combine3);
}

static bool valid_combine(const struct gl_context *ctx, GLenum e, bool alpha)
{
    switch (e) {
    case GL_REPLACE:
    case GL_MODULATE:
    case GL_ADD:
    case GL_ADD_SIGNED:
    case GL_INTERPOLATE:
    case GL_SUBTRACT:
        return true;
    case GL_DOT3_RGB:
    case GL_DOT3_RGBA:
        return !alpha;
    case GL_DOT3_RGB_EXT:
    case GL_DOT3_RGBA_EXT:
        return !alpha && ctx->ext.EXT_texture_env_dot3;
    case GL_MODULATE_ADD_ATI:
    case GL_MODULATE_SIGNED_ADD_ATI:
    case GL_MODULATE_SUBTRACT_ATI:
        return ctx->ext.ATI_texture_env_combine3;
    default:
        return false;
    }
}

/* The fourth arguments belong to NV_texture_env_combine4. */
static bool is_argument(const struct gl_context *ctx, GLenum pname, GLenum first, unsigned *i)
{
    *i = pname - first;
    return *i < 3 || (*i == 3 && ctx->ext.NV_texture_env_combine4);
}

/* Returns the location of a combiner source or operand; NULL if pname is not one. */
static GLenum *env_argument(const struct gl_context *ctx, struct gl_texenv_unit *u, GLenum pname)
{
    unsigned i;
    return is_argument(ctx, pname, GL_SRC0_RGB, &i)         ? &u->source_rgb[i]
           : is_argument(ctx, pname, GL_SRC0_ALPHA, &i)     ? &u->source_alpha[i]
           : is_argument(ctx, pname, GL_OPERAND0_RGB, &i)   ? &u->operand_rgb[i]
           : is_argument(ctx, pname, GL_OPERAND0_ALPHA, &i) ? &u->operand_alpha[i]
                                                            : NULL;
}

static bool valid_argument(const struct gl_context *ctx, GLenum pname, GLenum e)
{
    unsigned i;
    if (is_argument(ctx, pname, GL_SRC0_RGB, &i) || is_argument(ctx, pname, GL_SRC0_ALPHA, &i))
        return valid_source(ctx, e);
    bool color = is_argument(ctx, pname, GL_OPERAND0_RGB, &i) &&
                 (e == GL_SRC_COLOR || e == GL_ONE_MINUS_SRC_COLOR);
    return color || e == GL_SRC_ALPHA || e == GL_ONE_MINUS_SRC_ALPHA;
}

/* Returns the location of an environment parameter that takes an enumerant. NULL: an error was
 * raised. */
static GLenum *env_enum(struct gl_context *ctx, struct gl_texenv_unit *u, GLenum pname, GLenum e)
{
    bool ok = false;
    GLenum *where = NULL;
    switch (pname) {
    case GL_TEXTURE_ENV_MODE:
        where = &u->mode;
        ok = e == GL_MODULATE || e == GL_DECAL || e == GL_BLEND || e == GL_REPLACE || e == GL_ADD ||
             e == GL_COMBINE || (e == GL_COMBINE4_NV && ctx->ext.NV_texture_env_combine4);
        break;
    case GL_COMBINE_RGB:
        where = &u->combine_rgb;
        ok = valid_combine(ctx, e, false);
        break;
    case GL_COMBINE_ALPHA:
        where = &u->combine_alpha;
        ok = valid_combine(ctx, e, true);
        break;
    default:
        where = env_argument(ctx, u, pname);
        if (!where) {
            gl_error(ctx, GL_INVALID_ENUM, "glTexEnv(pname=%s)", gl_enum_name(pname));
            return NULL;
        }
        ok = valid_argument(ctx, pname, e);
    }
    if (!ok)
        gl_error(ctx, GL_INVALID_ENUM, "glTexEnv(%s=%s)", gl_enum_name(pname), gl_enum_name(e));
    return ok ? where : NULL;
}

static void set_scale(struct gl_context *ctx, float *where, GLenum pname, float v)
{
    if (v != 1.0f && v != 2.0f && v != 4.0f) {
        gl_error(ctx, GL_INVALID_VALUE, "glTexEnv(%s=%g)", gl_enum_name(pname), v);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_KEY);
    *where = v;
}

static void set_point_sprite(struct gl_context *ctx, GLenum pname, float v)
{
    unsigned unit = ctx->texenv.active;
    if (pname != GL_COORD_REPLACE) {
        gl_error(ctx, GL_INVALID_ENUM, "glTexEnv(pname=%s)", gl_enum_name(pname));
        return;
    }
    if (v != 0.0f && v != 1.0f) {
        gl_error(ctx, GL_INVALID_VALUE, "glTexEnv(GL_COORD_REPLACE=%g)", v);
        return;
    }
    if (unit >= GL_MAX_TEXTURE_COORD_UNITS) {
        gl_error(ctx, GL_INVALID_OPERATION, "glTexEnv(unit %u has no coordinates)", unit);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_KEY | GL_DIRTY_RASTERIZER);
    ctx->point.coord_replace &= ~(1u << unit);
    if (v != 0.0f)
        ctx->point.coord_replace |= 1u << unit;
}

static void set_env(GLenum target, GLenum pname, const float *v)
{
    GL_CONTEXT(ctx);
    if (target == GL_POINT_SPRITE) {
        set_point_sprite(ctx, pname, v[0]);
        return;
    }
    if (target != GL_TEXTURE_ENV &&
        !(target == GL_TEXTURE_FILTER_CONTROL && pname == GL_TEXTURE_LOD_BIAS)) {
        gl_error(ctx, GL_INVALID_ENUM, "glTexEnv(target=%s, pname=%s)", gl_enum_name(target),
                 gl_enum_name(pname));
        return;
    }
    if (target == GL_TEXTURE_FILTER_CONTROL) {
        FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES);
        ctx->texenv.lod_bias[ctx->texenv.active] = v[0];
        return;
    }
    if (ctx->texenv.active >= GL_MAX_TEXTURE_COORD_UNITS) {
        gl_error(ctx, GL_INVALID_OPERATION, "glTexEnv(unit %u)", ctx->texenv.active);
        return;
    }
    struct gl_texenv_unit *u = &ctx->texenv.unit[ctx->texenv.active];
    if (pname == GL_TEXTURE_ENV_COLOR) {
        FLUSH_VERTICES(ctx, GL_DIRTY_TEXENV);
        memcpy(u->color, v, sizeof u->color);
    } else if (pname == GL_RGB_SCALE) {
        set_scale(ctx, &u->rgb_scale, pname, v[0]);
    } else if (pname == GL_ALPHA_SCALE) {
        set_scale(ctx, &u->alpha_scale, pname, v[0]);
    } else {
        GLenum *where = env_enum(ctx, u, pname, v[0]);
        if (where) {
            FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_KEY);
            *where = v[0];
        }
    }
}

/* Returns whether a parameter with one value is a number, which fixed-point commands scale. */
static bool env_is_number(GLenum pname)
{
    return pname == GL_RGB_SCALE || pname == GL_ALPHA_SCALE || pname == GL_TEXTURE_LOD_BIAS;
}

void gl_TexEnvfv(GLenum target, GLenum pname, const GLfloat *params)
{
    set_env(target, pname, params);
}

void gl_TexEnviv(GLenum target, GLenum pname, const GLint *params)
{
    float v[4] = {params[0]};
    for (unsigned i = 0; pname == GL_TEXTURE_ENV_COLOR && i < 4; i++)
        v[i] = MAX2(params[i] / 2147483647.0, -1.0);
    set_env(target, pname, v);
}

void gl_TexEnvxv(GLenum target, GLenum pname, const GLfixed *params)
{
    bool color = pname == GL_TEXTURE_ENV_COLOR;
    float v[4] = {env_is_number(pname) ? params[0] / 65536.0f : params[0]};
    for (unsigned i = 0; color && i < 4; i++)
        v[i] = params[i] / 65536.0f;
    set_env(target, pname, v);
}

void gl_TexEnvf(GLenum target, GLenum pname, GLfloat param)
{
    GL_CONTEXT(ctx);
    if (pname == GL_TEXTURE_ENV_COLOR)
        gl_error(ctx, GL_INVALID_ENUM, "glTexEnvf(GL_TEXTURE_ENV_COLOR)");
    else
        set_env(target, pname, &param);
}

void gl_TexEnvi(GLenum target, GLenum pname, GLint param)
{
    gl_TexEnvf(target, pname, param);
}

void gl_TexEnvx(GLenum target, GLenum pname, GLfixed param)
{
    gl_TexEnvf(target, pname, env_is_number(pname) ? param / 65536.0f : (float)param);
}

/* Gets an environment parameter. Returns the number of values; 0: an error was raised. */
static unsigned get_env(GLenum target, GLenum pname, float *v)
{
    GL_CONTEXT(ctx);
    struct gl_texenv_unit *u =
        &ctx->texenv.unit[MIN2(ctx->texenv.active, GL_MAX_TEXTURE_COORD_UNITS - 1)];
    if (target == GL_POINT_SPRITE && pname == GL_COORD_REPLACE) {
        v[0] = ctx->texenv.active < 32 && ctx->point.coord_replace >> ctx->texenv.active & 1;
        return 1;
    }
    if (target == GL_TEXTURE_FILTER_CONTROL && pname == GL_TEXTURE_LOD_BIAS) {
        v[0] = ctx->texenv.lod_bias[ctx->texenv.active];
        return 1;
    }
    if (ctx->texenv.active >= GL_MAX_TEXTURE_COORD_UNITS) {
        gl_error(ctx, GL_INVALID_OPERATION, "glGetTexEnv(unit %u)", ctx->texenv.active);
        return 0;
    }
    if (target != GL_TEXTURE_ENV)
        goto bad;
    switch (pname) {
    case GL_TEXTURE_ENV_COLOR:
        for (unsigned i = 0; i < 4; i++)
            v[i] = gl_get_clamps_colors(ctx) ? CLAMP(u->color[i], 0.0f, 1.0f) : u->color[i];
        return 4;
    case GL_RGB_SCALE:
        v[0] = u->rgb_scale;
        return 1;
    case GL_ALPHA_SCALE:
        v[0] = u->alpha_scale;
        return 1;
    case GL_TEXTURE_ENV_MODE:
        v[0] = u->mode;
        return 1;
    case GL_COMBINE_RGB:
        v[0] = u->combine_rgb;
        return 1;
    case GL_COMBINE_ALPHA:
        v[0] = u->combine_alpha;
        return 1;
    }
    const GLenum *where = env_argument(ctx, u, pname);
    if (where) {
        v[0] = *where;
        return 1;
    }
bad:
    gl_error(ctx, GL_INVALID_ENUM, "glGetTexEnv(target=%s, pname=%s)", gl_enum_name(target),
             gl_enum_name(pname));
    return 0;
}

void gl_GetTexEnvfv(GLenum target, GLenum pname, GLfloat *params)
{
    float v[4];
    memcpy(params, v, get_env(target, pname, v) * sizeof *v);
}

void gl_GetTexEnviv(GLenum target, GLenum pname, GLint *params)
{
    float v[4];
    unsigned n = get_env(target, pname, v);
    for (unsigned i = 0; i < n; i++)
        params[i] = gl_nearest_int(n == 4 ? v[i] * 2147483647.0 : (double)v[i]);
}

void gl_GetTexEnvxv(GLenum target, GLenum pname, GLfixed *params)
{
    float v[4];
    unsigned n = get_env(target, pname, v);
    for (unsigned i = 0; i < n; i++)
        params[i] = n == 4 || env_is_number(pname) ? gl_nearest_int(v[i] * 65536.0) : (GLfixed)v[i];
}

/* ------------------------------------------------------------------------------- generation --- */

/* Returns the first of the *count generators that coord names. ES 1 has GL_TEXTURE_GEN_STR. NULL:
 * an error was raised. */
static struct gl_texgen *texgen_of(struct gl_context *ctx, GLenum coord, unsigned *count,
                                   const char *call)
{
    unsigned unit = ctx->texenv.active;
    unsigned i = coord - GL_S;
    *count = 1;
    if (ctx->api == GL_API_ES1) {
        *count = 3;
        i = coord == GL_TEXTURE_GEN_STR_OES ? 0 : 4;
    }
    if (i >= 4) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(coord=%s)", call, gl_enum_name(coord));
        return NULL;
    }
    if (unit >= GL_MAX_TEXTURE_COORD_UNITS) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(unit %u has no coordinates)", call, unit);
        return NULL;
    }
    return &ctx->texenv.unit[unit].gen[i];
}

static bool valid_gen_mode(const struct gl_context *ctx, GLenum coord, GLenum mode)
{
    switch (mode) {
    case GL_OBJECT_LINEAR:
    case GL_EYE_LINEAR:
        return ctx->api != GL_API_ES1;
    case GL_SPHERE_MAP:
        return coord == GL_S || coord == GL_T;
    case GL_REFLECTION_MAP:
    case GL_NORMAL_MAP:
        return coord != GL_Q;
    default:
        return false;
    }
}

static void set_gen(GLenum coord, GLenum pname, const float *v)
{
    GL_CONTEXT(ctx);
    unsigned count;
    struct gl_texgen *g = texgen_of(ctx, coord, &count, "glTexGen");
    if (!g)
        return;
    bool es = ctx->api == GL_API_ES1;
    if (pname == GL_TEXTURE_GEN_MODE) {
        if (!valid_gen_mode(ctx, coord, v[0])) {
            gl_error(ctx, GL_INVALID_ENUM, "glTexGen(mode=%s)", gl_enum_name(v[0]));
            return;
        }
        FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_KEY);
        for (unsigned i = 0; i < count; i++)
            g[i].mode = v[0];
    } else if (pname == GL_OBJECT_PLANE && !es) {
        FLUSH_VERTICES(ctx, GL_DIRTY_TEXENV);
        memcpy(g->object_plane, v, sizeof g->object_plane);
    } else if (pname == GL_EYE_PLANE && !es) {
        FLUSH_VERTICES(ctx, GL_DIRTY_TEXENV);
        float inverse[16], transposed[16];
        gl_matrix_invert(inverse, gl_matrix_top(&ctx->modelview));
        gl_matrix_transpose(transposed, inverse);
        gl_matrix_transform(g->eye_plane, transposed, v);
    } else {
        gl_error(ctx, GL_INVALID_ENUM, "glTexGen(pname=%s)", gl_enum_name(pname));
    }
}

static unsigned gen_components(GLenum pname)
{
    return pname == GL_OBJECT_PLANE || pname == GL_EYE_PLANE ? 4 : 1;
}

void gl_TexGenfv(GLenum coord, GLenum pname, const GLfloat *params)
{
    set_gen(coord, pname, params);
}

void gl_TexGendv(GLenum coord, GLenum pname, const GLdouble *params)
{
    float v[4];
    for (unsigned i = 0; i < gen_components(pname); i++)
        v[i] = params[i];
    set_gen(coord, pname, v);
}

void gl_TexGeniv(GLenum coord, GLenum pname, const GLint *params)
{
    float v[4];
    for (unsigned i = 0; i < gen_components(pname); i++)
        v[i] = params[i];
    set_gen(coord, pname, v);
}

void gl_TexGenf(GLenum coord, GLenum pname, GLfloat param)
{
    set_gen(coord, pname, (const float[4]){param});
}

void gl_TexGend(GLenum coord, GLenum pname, GLdouble param)
{
    gl_TexGenf(coord, pname, param);
}

void gl_TexGeni(GLenum coord, GLenum pname, GLint param)
{
    gl_TexGenf(coord, pname, param);
}

void gl_TexGenfOES(GLenum coord, GLenum pname, GLfloat param)
{
    gl_TexGenf(coord, pname, param);
}

void gl_TexGenfvOES(GLenum coord, GLenum pname, const GLfloat *params)
{
    gl_TexGenfv(coord, pname, params);
}

void gl_TexGeniOES(GLenum coord, GLenum pname, GLint param)
{
    gl_TexGenf(coord, pname, param);
}

void gl_TexGenivOES(GLenum coord, GLenum pname, const GLint *params)
{
    gl_TexGeniv(coord, pname, params);
}

void gl_TexGenxvOES(GLenum coord, GLenum pname, const GLfixed *params)
{
    float buffer[4];
    const unsigned n = gen_components(pname);
    set_gen(
        coord, pname,
        gl_params_read(buffer, GL_PARAM_FIXED, n == 4 ? GL_PARAM_PLAIN : GL_PARAM_ENUM, params, n));
}

/* The only parameter with one value is an enumerant, which is not scaled. */
void gl_TexGenxOES(GLenum coord, GLenum pname, GLfixed param)
{
    gl_TexGenf(coord, pname, (GLfloat)param);
}

static unsigned get_gen(GLenum coord, GLenum pname, float *v)
{
    GL_CONTEXT(ctx);
    unsigned count;
    const struct gl_texgen *g = texgen_of(ctx, coord, &count, "glGetTexGen");
    if (!g)
        return 0;
    /* ES 1 has only the mode (OES_texture_cube_map). */
    switch (ctx->api != GL_API_ES1 || pname == GL_TEXTURE_GEN_MODE ? pname : 0) {
    case GL_TEXTURE_GEN_MODE:
        v[0] = g->mode;
        return 1;
    case GL_OBJECT_PLANE:
        memcpy(v, g->object_plane, sizeof g->object_plane);
        return 4;
    case GL_EYE_PLANE:
        memcpy(v, g->eye_plane, sizeof g->eye_plane);
        return 4;
    }
    gl_error(ctx, GL_INVALID_ENUM, "glGetTexGen(pname=%s)", gl_enum_name(pname));
    return 0;
}

void gl_GetTexGenfv(GLenum coord, GLenum pname, GLfloat *params)
{
    float v[4];
    memcpy(params, v, get_gen(coord, pname, v) * sizeof *v);
}

void gl_GetTexGendv(GLenum coord, GLenum pname, GLdouble *params)
{
    float v[4];
    unsigned n = get_gen(coord, pname, v);
    for (unsigned i = 0; i < n; i++)
        params[i] = v[i];
}

void gl_GetTexGeniv(GLenum coord, GLenum pname, GLint *params)
{
    float v[4];
    unsigned n = get_gen(coord, pname, v);
    for (unsigned i = 0; i < n; i++)
        params[i] = gl_nearest_int(v[i]);
}

void gl_GetTexGenfvOES(GLenum coord, GLenum pname, GLfloat *params)
{
    gl_GetTexGenfv(coord, pname, params);
}

void gl_GetTexGenivOES(GLenum coord, GLenum pname, GLint *params)
{
    gl_GetTexGeniv(coord, pname, params);
}

void gl_GetTexGenxvOES(GLenum coord, GLenum pname, GLfixed *params)
{
    float v[4];
    const unsigned n = get_gen(coord, pname, v);
    for (unsigned i = 0; i < n; i++)
        params[i] = n == 4 ? gl_nearest_int(v[i] * 65536.0) : (GLfixed)v[i];
}
