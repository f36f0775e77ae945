/* SPDX-License-Identifier: MIT */
/* Parameters of textures (GL 4.6 compatibility §8.10, §8.11). */
#include <math.h>

#include "gl/context/gl_context.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"

static bool valid_swizzle(GLenum e)
{
    return e == GL_RED || e == GL_GREEN || e == GL_BLUE || e == GL_ALPHA || e == GL_ZERO ||
           e == GL_ONE;
}

static void set_level(struct gl_context *ctx, struct gl_texture *t, GLint *where, double value,
                      GLenum pname, const char *call)
{
    GLint level = rint(CLAMP(value, -2147483648.0, 2147483647.0));
    if (level < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%s=%d)", call, gl_enum_name(pname), level);
        return;
    }
    bool one_level = t->index == GL_TEXTURE_INDEX_RECT || gl_texture_is_multisampled(t->index);
    if (one_level && level && pname == GL_TEXTURE_BASE_LEVEL) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s=%d)", call, gl_enum_name(pname), level);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    *where = level;
    gl_texture_update_levels(t);
    t->shows_clamped_levels |= t->immutable;
    gl_texture_changed(ctx, t);
}

static void set_swizzles(struct gl_context *ctx, struct gl_texture *t, unsigned first,
                         unsigned count, const GLint *e, const char *call)
{
    for (unsigned i = 0; i < count; i++)
        if (!valid_swizzle(e[i])) {
            gl_error(ctx, GL_INVALID_ENUM, "%s(swizzle %s)", call, gl_enum_name(e[i]));
            return;
        }
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES);
    for (unsigned i = 0; i < count; i++)
        t->swizzle[first + i] = e[i];
}

static void set_enum(struct gl_context *ctx, GLenum *where, bool valid, GLenum value, GLenum pname,
                     const char *call)
{
    if (!valid) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(%s=%s)", call, gl_enum_name(pname), gl_enum_name(value));
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM_KEY);
    *where = value;
}

/* Returns whether the context has the parameter, if it is a texture parameter at all. */
static bool has_param(const struct gl_context *ctx, GLenum pname)
{
    switch (pname) {
    case GL_TEXTURE_SWIZZLE_RGBA: /* also accepted in ES */
        return gl_enum_available(ctx, GL_TEXTURE_SWIZZLE_R);
    case GL_TEXTURE_IMMUTABLE_FORMAT: /* also accepted in ES 1 */
        return true;
    case GL_SURFACE_COMPRESSION_EXT: /* EXT_EGL_image_storage_compression only adds an attribute */
        return ctx->ext.EXT_texture_storage_compression;
    default:
        return gl_enum_available(ctx, pname);
    }
}

/* Sets a parameter of sparse textures, which takes effect when storage is allocated
 * (ARB_sparse_texture, ARB_sparse_texture2 §8.10). */
static void set_sparse(struct gl_context *ctx, struct gl_texture *t, GLenum pname, double value,
                       const char *call)
{
    const bool targets = pname == GL_TEXTURE_SPARSE_ARB && value != 0.0;
    if (t->immutable) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s of immutable texture)", call,
                 gl_enum_name(pname));
    } else if (value < 0.0 || (targets && !gl_texture_can_be_sparse(t->index))) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%s=%g)", call, gl_enum_name(pname), value);
    } else if (pname == GL_TEXTURE_SPARSE_ARB) {
        t->sparse = value != 0.0;
    } else {
        t->page_size_index = (GLint)rint(MIN2(value, 2147483647.0));
    }
}

/* Sets a parameter that only textures have, not samplers. v: values as floats; i: values of an
 * integer command, otherwise NULL. Returns false if the command doesn't accept the parameter. */
static bool set_own(struct gl_context *ctx, struct gl_texture *t, GLenum pname, const float *v,
                    const GLint *i, bool vector, const char *call)
{
    /* converted to double so that 32-bit integers stay exact */
    double value = i ? (double)i[0] : (double)v[0];
    GLint e[4] = {(GLint)CLAMP(value, -2147483648.0, 2147483647.0)};
    switch (pname) {
    case GL_TEXTURE_BASE_LEVEL:
        set_level(ctx, t, &t->set_base_level, value, pname, call);
        return true;
    case GL_TEXTURE_MAX_LEVEL:
        set_level(ctx, t, &t->set_max_level, value, pname, call);
        return true;
    case GL_GENERATE_MIPMAP:
        /* OES_EGL_image_external, changes to OpenGL ES 1.1 §3.7.5 */
        if (t->index == GL_TEXTURE_INDEX_EXTERNAL && value != 0.0)
            gl_error(ctx, GL_INVALID_ENUM, "%s(GL_GENERATE_MIPMAP of an external texture)", call);
        else
            t->generate_mipmap = value != 0.0;
        return true;
    case GL_TEXTURE_SPARSE_ARB:
    case GL_VIRTUAL_PAGE_SIZE_INDEX_ARB:
        set_sparse(ctx, t, pname, value, call);
        return true;
    case GL_TEXTURE_CROP_RECT_OES:
        for (unsigned c = 0; c < 4 && vector; c++)
            t->crop[c] = i ? i[c] : (GLint)CLAMP(v[c], -2147483520.0f, 2147483520.0f);
        return vector;
    case GL_TEXTURE_PRIORITY:
        t->priority = CLAMP(value, 0.0, 1.0);
        return true;
    case GL_DEPTH_TEXTURE_MODE:
        set_enum(ctx, &t->depth_mode,
                 e[0] == GL_LUMINANCE || e[0] == GL_INTENSITY || e[0] == GL_ALPHA || e[0] == GL_RED,
                 e[0], pname, call);
        return true;
    case GL_DEPTH_STENCIL_TEXTURE_MODE:
        set_enum(ctx, &t->stencil_mode, e[0] == GL_DEPTH_COMPONENT || e[0] == GL_STENCIL_INDEX,
                 e[0], pname, call);
        return true;
    case GL_TEXTURE_SWIZZLE_R:
    case GL_TEXTURE_SWIZZLE_G:
    case GL_TEXTURE_SWIZZLE_B:
    case GL_TEXTURE_SWIZZLE_A:
        set_swizzles(ctx, t, pname - GL_TEXTURE_SWIZZLE_R, 1, e, call);
        return true;
    case GL_TEXTURE_SWIZZLE_RGBA:
        for (unsigned c = 0; c < 4 && vector; c++)
            e[c] = i ? i[c] : (GLint)v[c];
        if (vector)
            set_swizzles(ctx, t, 0, 4, e, call);
        return vector;
    default:
        return false;
    }
}

static void set_param(struct gl_context *ctx, struct gl_texture *t, GLenum pname, const float *v,
                      const GLint *i, bool vector, bool pure, GLenum samples_error,
                      const char *call)
{
    /* Multisample textures have no sampling parameters (GL 4.6 §8.10). */
    bool samples = gl_texture_is_multisampled(t->index);
    double unused[4];
    if (t->num_handles) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture %u has handles)", call, t->name);
        return;
    }
    if (samples && gl_sampler_param_get(ctx, &t->params, pname, unused))
        gl_error(ctx, samples_error, "%s(pname=%s of samples)", call, gl_enum_name(pname));
    else if (!samples &&
             gl_sampler_param_set(ctx, &t->params, t->index, pname, v, i, vector, pure, call))
        return;
    else if (!has_param(ctx, pname) || !set_own(ctx, t, pname, v, i, vector, call))
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
}

void gl_tex_parameter_i(struct gl_context *ctx, struct gl_texture *t, GLenum pname, GLint param,
                        GLenum samples_error, const char *call)
{
    set_param(ctx, t, pname, NULL, &param, false, false, samples_error, call);
}

void gl_tex_parameter_f(struct gl_context *ctx, struct gl_texture *t, GLenum pname, GLfloat param,
                        GLenum samples_error, const char *call)
{
    set_param(ctx, t, pname, &param, NULL, false, false, samples_error, call);
}

void gl_tex_parameter_iv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                         const GLint *params, GLenum samples_error, const char *call)
{
    set_param(ctx, t, pname, NULL, params, true, false, samples_error, call);
}

void gl_tex_parameter_fv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                         const GLfloat *params, GLenum samples_error, const char *call)
{
    set_param(ctx, t, pname, params, NULL, true, false, samples_error, call);
}

void gl_tex_parameter_Iiv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                          const GLint *params, GLenum samples_error, const char *call)
{
    set_param(ctx, t, pname, NULL, params, true, true, samples_error, call);
}

void gl_tex_parameter_Iuiv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                           const GLuint *params, GLenum samples_error, const char *call)
{
    set_param(ctx, t, pname, NULL, (const GLint *)params, true, true, samples_error, call);
}

void gl_TexParameterx(GLenum target, GLenum pname, GLfixed param)
{
    if (pname == GL_TEXTURE_MAX_ANISOTROPY_EXT)
        gl_TexParameterf(target, pname, param / 65536.0f);
    else
        gl_TexParameteri(target, pname, param);
}

void gl_TexParameterxv(GLenum target, GLenum pname, const GLfixed *params)
{
    if (pname == GL_TEXTURE_CROP_RECT_OES)
        gl_TexParameteriv(target, pname, params); /* integers in texels, not fixed-point numbers */
    else
        gl_TexParameterx(target, pname, params[0]);
}

/* Gets a parameter that only textures have. Returns the number of values; 0: not such a
 * parameter. */
static unsigned get_own(const struct gl_context *ctx, const struct gl_texture *t, GLenum pname,
                        double *v)
{
    switch (pname) {
    case GL_TEXTURE_BASE_LEVEL:
        *v = t->shows_clamped_levels ? t->base_level : t->set_base_level;
        return 1;
    case GL_TEXTURE_MAX_LEVEL:
        *v = t->shows_clamped_levels ? t->max_level : t->set_max_level;
        return 1;
    case GL_GENERATE_MIPMAP:
        *v = t->generate_mipmap;
        return 1;
    case GL_TEXTURE_SPARSE_ARB:
        *v = t->sparse;
        return 1;
    case GL_VIRTUAL_PAGE_SIZE_INDEX_ARB:
        *v = t->page_size_index;
        return 1;
    case GL_NUM_SPARSE_LEVELS_ARB:
        *v = gl_texture_sparse_levels(t);
        return 1;
    case GL_TEXTURE_CROP_RECT_OES:
        for (unsigned c = 0; c < 4; c++)
            v[c] = t->crop[c];
        return 4;
    case GL_TEXTURE_PRIORITY:
        *v = t->priority;
        return 1;
    case GL_TEXTURE_RESIDENT:
    case GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES:
        *v = 1;
        return 1;
    case GL_DEPTH_TEXTURE_MODE:
        *v = t->depth_mode;
        return 1;
    case GL_DEPTH_STENCIL_TEXTURE_MODE:
        *v = t->stencil_mode;
        return 1;
    case GL_TEXTURE_VIEW_MIN_LEVEL:
        *v = t->part.first_level;
        return 1;
    case GL_TEXTURE_VIEW_NUM_LEVELS:
        *v = t->part.levels;
        return 1;
    case GL_TEXTURE_VIEW_MIN_LAYER:
        *v = t->part.first_layer;
        return 1;
    case GL_TEXTURE_VIEW_NUM_LAYERS:
        *v = t->part.layers;
        return 1;
    case GL_TEXTURE_SWIZZLE_R:
    case GL_TEXTURE_SWIZZLE_G:
    case GL_TEXTURE_SWIZZLE_B:
    case GL_TEXTURE_SWIZZLE_A:
        *v = t->swizzle[pname - GL_TEXTURE_SWIZZLE_R];
        return 1;
    case GL_TEXTURE_SWIZZLE_RGBA:
        for (unsigned c = 0; c < 4; c++)
            v[c] = t->swizzle[c];
        return 4;
    case GL_TEXTURE_IMMUTABLE_FORMAT:
        *v = t->immutable;
        return 1;
    case GL_TEXTURE_IMMUTABLE_LEVELS:
        *v = t->immutable_levels;
        return 1;
    case GL_IMAGE_FORMAT_COMPATIBILITY_TYPE:
        *v = GL_IMAGE_FORMAT_COMPATIBILITY_BY_SIZE;
        return 1;
    case GL_TEXTURE_TARGET:
        *v = t->target;
        return 1;
    case GL_SURFACE_COMPRESSION_EXT:
        *v = GL_SURFACE_COMPRESSION_FIXED_RATE_NONE_EXT;
        return 1;
    default:
        return 0;
    }
}

static unsigned get_param(struct gl_context *ctx, const struct gl_texture *t, GLenum pname,
                          double *v, const char *call)
{
    unsigned n = gl_sampler_param_get(ctx, &t->params, pname, v);
    if (pname == GL_TEXTURE_BORDER_COLOR && !t->params.border_integer &&
        ctx->hooks.get_clamps_colors(ctx))
        for (unsigned c = 0; c < n; c++)
            v[c] = CLAMP(v[c], 0.0, 1.0);
    if (!n && has_param(ctx, pname))
        n = get_own(ctx, t, pname, v);
    if (!n)
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
    return n;
}

void gl_get_tex_parameter_fv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                             GLfloat *params, const char *call)
{
    double v[4];
    unsigned n = get_param(ctx, t, pname, v, call);
    for (unsigned i = 0; i < n; i++)
        params[i] = v[i];
}

void gl_get_tex_parameter_iv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                             GLint *params, const char *call)
{
    double v[4];
    unsigned n = get_param(ctx, t, pname, v, call);
    for (unsigned i = 0; i < n; i++)
        params[i] = gl_sampler_param_to_int(pname, v[i]);
}

void gl_get_tex_parameter_Iiv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                              GLint *params, const char *call)
{
    double v[4];
    unsigned n = get_param(ctx, t, pname, v, call);
    for (unsigned i = 0; i < n; i++)
        params[i] = rint(v[i]);
}

void gl_get_tex_parameter_Iuiv(struct gl_context *ctx, struct gl_texture *t, GLenum pname,
                               GLuint *params, const char *call)
{
    gl_get_tex_parameter_Iiv(ctx, t, pname, (GLint *)params, call);
}

void gl_GetTexParameterxv(GLenum target, GLenum pname, GLfixed *params)
{
    gl_GetTexParameteriv(target, pname, params);
}
