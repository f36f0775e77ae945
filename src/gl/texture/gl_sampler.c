/* SPDX-License-Identifier: MIT */
/* Sampling parameters and sampler objects (GL 4.6 §8.2, §8.10). */
#include <math.h>
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"
#include "util/refcount.h"

void gl_sampler_params_init(struct gl_sampler_params *p, enum gl_texture_index index)
{
    bool rect = index == GL_TEXTURE_INDEX_RECT || index == GL_TEXTURE_INDEX_EXTERNAL;
    bool samples = gl_texture_is_multisampled(index);
    GLenum wrap = rect || samples ? GL_CLAMP_TO_EDGE : GL_REPEAT;
    *p = (struct gl_sampler_params){
        .wrap_s = wrap,
        .wrap_t = wrap,
        .wrap_r = wrap,
        .min_filter = samples ? GL_NEAREST
                      : rect  ? GL_LINEAR
                              : GL_NEAREST_MIPMAP_LINEAR,
        .mag_filter = samples ? GL_NEAREST : GL_LINEAR,
        .compare_mode = GL_NONE,
        .compare_func = GL_LEQUAL,
        .srgb_decode = GL_DECODE_EXT,
        .reduction = GL_WEIGHTED_AVERAGE_ARB,
        .min_lod = -1000.0f,
        .max_lod = 1000.0f,
        .max_anisotropy = 1.0f,
    };
}

static bool valid_wrap(const struct gl_context *ctx, GLenum wrap, enum gl_texture_index index)
{
    const bool external = index == GL_TEXTURE_INDEX_EXTERNAL;
    const bool rect = index == GL_TEXTURE_INDEX_RECT || external;
    switch (wrap) {
    case GL_CLAMP_TO_EDGE:
        return true;
    case GL_CLAMP:
        return gl_is_compat(ctx);
    case GL_CLAMP_TO_BORDER:
        /* OES_EGL_image_external, changes to ES 2.0 §3.7.4 */
        return !external && (gl_is_desktop(ctx) || ctx->ext.ARB_texture_border_clamp);
    case GL_REPEAT:
        return !rect;
    case GL_MIRRORED_REPEAT:
        return !rect && (ctx->api != GL_API_ES1 || ctx->ext.OES_texture_mirrored_repeat);
    case GL_MIRROR_CLAMP_TO_EDGE:
        return !rect &&
               (ctx->ext.ARB_texture_mirror_clamp_to_edge || ctx->ext.EXT_texture_mirror_clamp ||
                ctx->ext.EXT_texture_mirror_clamp_to_edge || ctx->ext.ATI_texture_mirror_once);
    case GL_MIRROR_CLAMP_EXT:
        return !rect && gl_is_compat(ctx) &&
               (ctx->ext.EXT_texture_mirror_clamp || ctx->ext.ATI_texture_mirror_once);
    case GL_MIRROR_CLAMP_TO_BORDER_EXT:
        return !rect && gl_is_desktop(ctx) && ctx->ext.EXT_texture_mirror_clamp;
    default:
        return false;
    }
}

static bool valid_min_filter(GLenum f, bool rect)
{
    return f == GL_NEAREST || f == GL_LINEAR ||
           (!rect && f >= GL_NEAREST_MIPMAP_NEAREST && f <= GL_LINEAR_MIPMAP_LINEAR);
}

static int bad_value(struct gl_context *ctx, GLenum error, GLenum pname, double value,
                     const char *name)
{
    gl_error(ctx, error, "%s(%s=%g)", name, gl_enum_name(pname), value);
    return -1;
}

static int set_enum(struct gl_context *ctx, GLenum *where, bool valid, GLenum value, GLenum pname,
                    const char *name)
{
    if (!valid) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(%s=%s)", name, gl_enum_name(pname), gl_enum_name(value));
        return -1;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES);
    *where = value;
    return 1;
}

static int set_float(struct gl_context *ctx, float *where, float value)
{
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES);
    *where = value;
    return 1;
}

static int set_border(struct gl_context *ctx, struct gl_sampler_params *p, const float *v,
                      const GLint *i, bool pure)
{
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES);
    p->border_integer = pure;
    for (unsigned c = 0; c < 4; c++) {
        if (pure)
            p->border.i[c] = i[c];
        else
            p->border.f[c] = i ? MAX2(i[c] / 2147483647.0, -1.0) : v[c];
    }
    return 1;
}

/* Returns whether the context has the parameter, if it is a sampling parameter at all. */
static bool has_param(const struct gl_context *ctx, GLenum pname)
{
    switch (pname) {
    case GL_TEXTURE_LOD_BIAS: /* in ES 1, it belongs to texture units */
        return gl_is_desktop(ctx);
    case GL_TEXTURE_CUBE_MAP_SEAMLESS: /* otherwise it is a state of the context */
        return ctx->ext.AMD_seamless_cubemap_per_texture;
    default:
        return gl_enum_available(ctx, pname);
    }
}

int gl_sampler_param_set(struct gl_context *ctx, struct gl_sampler_params *p,
                         enum gl_texture_index index, GLenum pname, const float *v, const GLint *i,
                         bool vector, bool pure, const char *name)
{
    bool rect = index == GL_TEXTURE_INDEX_RECT || index == GL_TEXTURE_INDEX_EXTERNAL;
    GLenum e = UINT32_MAX; /* invalid enumerant, used if the float is not in range */
    if (i)
        e = i[0];
    else if (v[0] >= 0.0f && v[0] < 4294967040.0f)
        e = v[0];
    float f = i ? (float)i[0] : v[0];
    if (!has_param(ctx, pname))
        return 0;
    switch (pname) {
    case GL_TEXTURE_WRAP_S:
        return set_enum(ctx, &p->wrap_s, valid_wrap(ctx, e, index), e, pname, name);
    case GL_TEXTURE_WRAP_T:
        return set_enum(ctx, &p->wrap_t, valid_wrap(ctx, e, index), e, pname, name);
    case GL_TEXTURE_WRAP_R:
        return set_enum(ctx, &p->wrap_r, valid_wrap(ctx, e, index), e, pname, name);
    case GL_TEXTURE_MIN_FILTER:
        return set_enum(ctx, &p->min_filter, valid_min_filter(e, rect), e, pname, name);
    case GL_TEXTURE_MAG_FILTER:
        return set_enum(ctx, &p->mag_filter, e == GL_NEAREST || e == GL_LINEAR, e, pname, name);
    case GL_TEXTURE_MIN_LOD:
        return set_float(ctx, &p->min_lod, f);
    case GL_TEXTURE_MAX_LOD:
        return set_float(ctx, &p->max_lod, f);
    case GL_TEXTURE_LOD_BIAS:
        return set_float(ctx, &p->lod_bias, f);
    case GL_TEXTURE_MAX_ANISOTROPY_EXT:
        if (!(f >= 1.0f))
            return bad_value(ctx, GL_INVALID_VALUE, pname, f, name);
        return set_float(ctx, &p->max_anisotropy, MIN2(f, ctx->consts.max_anisotropy));
    case GL_TEXTURE_COMPARE_MODE:
        FLUSH_VERTICES(ctx, GL_DIRTY_PROGRAM_KEY);
        return set_enum(ctx, &p->compare_mode, e == GL_NONE || e == GL_COMPARE_REF_TO_TEXTURE, e,
                        pname, name);
    case GL_TEXTURE_COMPARE_FUNC:
        return set_enum(ctx, &p->compare_func, e >= GL_NEVER && e <= GL_ALWAYS, e, pname, name);
    case GL_TEXTURE_SRGB_DECODE_EXT:
        return set_enum(ctx, &p->srgb_decode, e == GL_DECODE_EXT || e == GL_SKIP_DECODE_EXT, e,
                        pname, name);
    case GL_TEXTURE_REDUCTION_MODE_ARB:
        return set_enum(ctx, &p->reduction,
                        e == GL_WEIGHTED_AVERAGE_ARB || e == GL_MIN || e == GL_MAX, e, pname, name);
    case GL_TEXTURE_CUBE_MAP_SEAMLESS:
        if (e != GL_TRUE && e != GL_FALSE)
            return bad_value(ctx, GL_INVALID_VALUE, pname, f, name);
        FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES);
        p->seamless = e;
        return 1;
    case GL_TEXTURE_BORDER_COLOR:
        if (!vector) {
            gl_error(ctx, GL_INVALID_ENUM, "%s(GL_TEXTURE_BORDER_COLOR)", name);
            return -1;
        }
        return set_border(ctx, p, v, i, pure);
    default:
        return 0;
    }
}

unsigned gl_sampler_param_get(const struct gl_context *ctx, const struct gl_sampler_params *p,
                              GLenum pname, double *v)
{
    if (!has_param(ctx, pname))
        return 0;
    switch (pname) {
    case GL_TEXTURE_WRAP_S:
        *v = p->wrap_s;
        return 1;
    case GL_TEXTURE_WRAP_T:
        *v = p->wrap_t;
        return 1;
    case GL_TEXTURE_WRAP_R:
        *v = p->wrap_r;
        return 1;
    case GL_TEXTURE_MIN_FILTER:
        *v = p->min_filter;
        return 1;
    case GL_TEXTURE_MAG_FILTER:
        *v = p->mag_filter;
        return 1;
    case GL_TEXTURE_COMPARE_MODE:
        *v = p->compare_mode;
        return 1;
    case GL_TEXTURE_COMPARE_FUNC:
        *v = p->compare_func;
        return 1;
    case GL_TEXTURE_SRGB_DECODE_EXT:
        *v = p->srgb_decode;
        return 1;
    case GL_TEXTURE_REDUCTION_MODE_ARB:
        *v = p->reduction;
        return 1;
    case GL_TEXTURE_CUBE_MAP_SEAMLESS:
        *v = p->seamless;
        return 1;
    case GL_TEXTURE_MIN_LOD:
        *v = p->min_lod;
        return 1;
    case GL_TEXTURE_MAX_LOD:
        *v = p->max_lod;
        return 1;
    case GL_TEXTURE_LOD_BIAS:
        *v = p->lod_bias;
        return 1;
    case GL_TEXTURE_MAX_ANISOTROPY_EXT:
        *v = p->max_anisotropy;
        return 1;
    case GL_TEXTURE_BORDER_COLOR:
        for (unsigned c = 0; c < 4; c++)
            v[c] = p->border_integer ? (double)p->border.i[c] : (double)p->border.f[c];
        return 4;
    default:
        return 0;
    }
}

GLint gl_sampler_param_to_int(GLenum pname, double value)
{
    if (pname == GL_TEXTURE_BORDER_COLOR || pname == GL_TEXTURE_PRIORITY)
        return (GLint)rint(CLAMP(value, -1.0, 1.0) * 2147483647.0);
    return (GLint)rint(CLAMP(value, INT32_MIN, INT32_MAX));
}

/* -------------------------------------------------------------------------- sampler objects --- */

void gl_sampler_reference(struct gl_sampler **dst, struct gl_sampler *src)
{
    struct gl_sampler *dead = REF_REPLACE(dst, src);
    if (dead) {
        gl_sampler_free_handles(dead);
        free(dead->label);
        free(dead);
    }
}

static void free_sampler(GLuint name, void *object, void *data)
{
    struct gl_sampler *s = object;
    gl_sampler_reference(&s, NULL);
}

void gl_samplers_finish_shared(struct gl_shared *shared)
{
    gl_names_foreach(&shared->samplers, free_sampler, NULL);
}

static bool make_sampler(struct gl_context *ctx, GLuint name, GLenum target)
{
    struct gl_sampler *s = calloc(1, sizeof *s);
    if (!s || !gl_names_insert(&ctx->shared->samplers, name, s)) {
        free(s);
        return false;
    }
    s->refcount = 1;
    s->name = name;
    list_init(&s->handles);
    gl_sampler_params_init(&s->params, GL_TEXTURE_INDEX_2D);
    return true;
}

/* Names of samplers have an object immediately (GL 4.6 §8.2). */
void gl_GenSamplers(GLsizei n, GLuint *names)
{
    GL_CONTEXT(ctx);
    gl_names_create(ctx, &ctx->shared->samplers, n, names, make_sampler, 0, gl_DeleteSamplers,
                    "glGenSamplers");
}

void gl_CreateSamplers(GLsizei n, GLuint *names)
{
    GL_CONTEXT(ctx);
    gl_names_create(ctx, &ctx->shared->samplers, n, names, make_sampler, 0, gl_DeleteSamplers,
                    "glCreateSamplers");
}

void gl_DeleteSamplers(GLsizei n, const GLuint *names)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteSamplers(n=%d)", n);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES);
    for (GLsizei i = 0; i < n; i++) {
        struct gl_sampler *s = gl_names_remove(&ctx->shared->samplers, names[i]);
        if (!s)
            continue;
        for (unsigned u = 0; u < GL_MAX_UNITS; u++)
            if (ctx->texture.unit[u].sampler == s)
                gl_sampler_reference(&ctx->texture.unit[u].sampler, NULL);
        gl_sampler_reference(&s, NULL);
    }
}

GLboolean gl_IsSampler(GLuint name)
{
    GL_CONTEXT(ctx);
    return gl_names_lookup(&ctx->shared->samplers, name) != NULL;
}

void gl_BindSampler(GLuint unit, GLuint name)
{
    GL_CONTEXT(ctx);
    struct gl_sampler *s = gl_names_lookup(&ctx->shared->samplers, name);
    if (unit >= (GLuint)ctx->consts.max_combined_texture_image_units) {
        gl_error(ctx, GL_INVALID_VALUE, "glBindSampler(unit=%u)", unit);
        return;
    }
    if (name && !s) {
        gl_error(ctx, GL_INVALID_OPERATION, "glBindSampler(sampler=%u)", name);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM_KEY);
    gl_sampler_reference(&ctx->texture.unit[unit].sampler, s);
}

void gl_BindSamplers(GLuint first, GLsizei count, const GLuint *names)
{
    GL_CONTEXT(ctx);
    if (count < 0 ||
        (uint64_t)first + count > (uint64_t)ctx->consts.max_combined_texture_image_units) {
        gl_error(ctx, count < 0 ? GL_INVALID_VALUE : GL_INVALID_OPERATION,
                 "glBindSamplers(first=%u, count=%d)", first, count);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM_KEY);
    for (GLsizei i = 0; i < count; i++) {
        struct gl_sampler *s = names ? gl_names_lookup(&ctx->shared->samplers, names[i]) : NULL;
        if (names && names[i] && !s)
            gl_error(ctx, GL_INVALID_OPERATION, "glBindSamplers(sampler=%u)", names[i]);
        else
            gl_sampler_reference(&ctx->texture.unit[first + i].sampler, s);
    }
}

static void set_param(GLuint name, GLenum pname, const float *v, const GLint *i, bool vector,
                      bool pure, const char *call)
{
    GL_CONTEXT(ctx);
    struct gl_sampler *s = gl_names_lookup(&ctx->shared->samplers, name);
    if (!s)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(sampler=%u)", call, name);
    else if (s->num_handles)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(sampler %u has handles)", call, name);
    else if (!gl_sampler_param_set(ctx, &s->params, GL_TEXTURE_INDEX_2D, pname, v, i, vector, pure,
                                   call))
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
}

void gl_SamplerParameteri(GLuint s, GLenum pname, GLint param)
{
    set_param(s, pname, NULL, &param, false, false, "glSamplerParameteri");
}

void gl_SamplerParameterf(GLuint s, GLenum pname, GLfloat param)
{
    set_param(s, pname, &param, NULL, false, false, "glSamplerParameterf");
}

void gl_SamplerParameteriv(GLuint s, GLenum pname, const GLint *params)
{
    set_param(s, pname, NULL, params, true, false, "glSamplerParameteriv");
}

void gl_SamplerParameterfv(GLuint s, GLenum pname, const GLfloat *params)
{
    set_param(s, pname, params, NULL, true, false, "glSamplerParameterfv");
}

void gl_SamplerParameterIiv(GLuint s, GLenum pname, const GLint *params)
{
    set_param(s, pname, NULL, params, true, true, "glSamplerParameterIiv");
}

void gl_SamplerParameterIuiv(GLuint s, GLenum pname, const GLuint *params)
{
    set_param(s, pname, NULL, (const GLint *)params, true, true, "glSamplerParameterIuiv");
}

static unsigned get_param(GLuint name, GLenum pname, double *v, const char *call)
{
    GL_CONTEXT(ctx);
    struct gl_sampler *s = gl_names_lookup(&ctx->shared->samplers, name);
    if (!s) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(sampler=%u)", call, name);
        return 0;
    }
    unsigned n = gl_sampler_param_get(ctx, &s->params, pname, v);
    if (!n)
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
    return n;
}

void gl_GetSamplerParameterfv(GLuint s, GLenum pname, GLfloat *params)
{
    double v[4];
    unsigned n = get_param(s, pname, v, "glGetSamplerParameterfv");
    for (unsigned i = 0; i < n; i++)
        params[i] = v[i];
}

void gl_GetSamplerParameteriv(GLuint s, GLenum pname, GLint *params)
{
    double v[4];
    unsigned n = get_param(s, pname, v, "glGetSamplerParameteriv");
    for (unsigned i = 0; i < n; i++)
        params[i] = gl_sampler_param_to_int(pname, v[i]);
}

void gl_GetSamplerParameterIiv(GLuint s, GLenum pname, GLint *params)
{
    double v[4];
    unsigned n = get_param(s, pname, v, "glGetSamplerParameterIiv");
    for (unsigned i = 0; i < n; i++)
        params[i] = (GLint)rint(v[i]);
}

void gl_GetSamplerParameterIuiv(GLuint s, GLenum pname, GLuint *params)
{
    gl_GetSamplerParameterIiv(s, pname, (GLint *)params);
}
