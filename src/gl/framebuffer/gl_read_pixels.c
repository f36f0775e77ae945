/* SPDX-License-Identifier: MIT */
/* glReadPixels (GL 4.6 §18.2). */
#include "gl/context/gl_context.h"
#include "gl/context/gl_get_types.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_format.h"
#include "gl_entry.h"
#include "util/format.h"

/* Returns the error for a format and type before ES 3.0; 0: none. Allowed are RGBA with bytes,
 * which is also the implementation's choice (GL ES 2.0 §4.3.1), and combinations of extensions such
 * as NV_read_depth. */
static GLenum es2_read_error(const struct gl_context *ctx, GLenum format, GLenum type)
{
    const struct gl_extensions *e = &ctx->ext;
    bool ok = false;
    unsigned packed;
    switch (format) {
    case GL_RGBA:
        ok = type == GL_UNSIGNED_BYTE ||
             (e->EXT_color_buffer_half_float && (type == GL_FLOAT || type == GL_HALF_FLOAT_OES));
        break;
    case GL_BGRA:
        ok = e->EXT_read_format_bgra && type == GL_UNSIGNED_BYTE;
        break;
    case GL_DEPTH_COMPONENT:
        ok = e->NV_read_depth &&
             (type == GL_UNSIGNED_SHORT || type == GL_UNSIGNED_INT || type == GL_FLOAT);
        break;
    case GL_STENCIL_INDEX:
        ok = e->NV_read_stencil && type == GL_UNSIGNED_BYTE;
        break;
    case GL_DEPTH_STENCIL:
        ok = e->NV_read_depth_stencil && type == GL_UNSIGNED_INT_24_8;
        break;
    }
    bool known = gl_pixel_components(format) && gl_pixel_type_bytes(type, &packed);
    return ok ? 0 : known ? GL_INVALID_OPERATION : GL_INVALID_ENUM;
}

/* Stores the implementation's preferred format and type for a buffer: those of its storage if
 * glReadPixels accepts them. */
static void implementation_pair(const struct gl_context *ctx, const struct gl_surface *s,
                                GLenum *format, GLenum *type)
{
    *format = gl_pixels_format(s->base, s->drv.format);
    *type = gl_pixels_type(s->drv.format);
    if (gl_is_es(ctx) && ctx->consts.version < 30) {
        const bool floats = util_format_is_float(s->drv.format);
        *format = GL_RGBA;
        *type = !floats ? GL_UNSIGNED_BYTE : *type == GL_HALF_FLOAT ? GL_HALF_FLOAT_OES : GL_FLOAT;
    } else if (gl_pixel_format_error(ctx, *format, *type) ||
               (*format == GL_RGB && *type == GL_UNSIGNED_INT_2_10_10_10_REV)) {
        *format = GL_RGBA; /* RGB that is stored in a 4-component packed type */
    }
}

unsigned gl_get_read_format(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v)
{
    GLenum pair[2];
    struct gl_surface s;
    if (pname != GL_IMPLEMENTATION_COLOR_READ_FORMAT && pname != GL_IMPLEMENTATION_COLOR_READ_TYPE)
        return 0;
    gl_update_framebuffer_state(ctx);
    if (gl_framebuffer_status(ctx, GL_READ_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE ||
        !gl_read_surface(ctx, &s)) {
        gl_error(ctx, GL_INVALID_OPERATION, "glGet(%s: nothing to be read)", gl_enum_name(pname));
        return 0;
    }
    implementation_pair(ctx, &s, &pair[0], &pair[1]);
    *type = GL_GET_ENUM;
    *v = pair[pname == GL_IMPLEMENTATION_COLOR_READ_TYPE];
    return 1;
}

/* Returns whether ES 3.0 and later allow reading colors with a format and type: one combination per
 * kind of buffer, the implementation's choice (ES 3.2 §16.1.2), and those of EXT_read_format_bgra,
 * EXT_texture_norm16 and EXT_render_snorm. */
static bool es3_read_allows(const struct gl_context *ctx, const struct gl_surface *s, GLenum format,
                            GLenum type)
{
    const enum drv_format f = s->drv.format;
    GLenum own_format, own_type;
    implementation_pair(ctx, s, &own_format, &own_type);
    if (format == own_format && type == own_type)
        return true;
    if (util_format_is_pure_integer(f))
        return format == GL_RGBA_INTEGER &&
               (type == (util_format_is_pure_sint(f) ? GL_INT : GL_UNSIGNED_INT) ||
                type == own_type);
    if (format == GL_BGRA)
        return ctx->ext.EXT_read_format_bgra &&
               (type == GL_UNSIGNED_BYTE || type == GL_UNSIGNED_SHORT_4_4_4_4_REV ||
                type == GL_UNSIGNED_SHORT_1_5_5_5_REV);
    if (format != GL_RGBA)
        return false;
    return util_format_is_float(f) ? type == GL_FLOAT
                                   : type == GL_UNSIGNED_BYTE ||
                                         (type == own_type && own_type != GL_UNSIGNED_SHORT_5_6_5);
}

static bool read_source(struct gl_context *ctx, GLenum format, GLenum type, struct gl_surface *s,
                        const char *name)
{
    bool depth = format == GL_DEPTH_COMPONENT || format == GL_DEPTH_STENCIL;
    bool stencil = format == GL_STENCIL_INDEX || format == GL_DEPTH_STENCIL;
    bool ok = depth || stencil ? true : gl_read_surface(ctx, s);
    if (depth)
        ok = gl_read_depth_surface(ctx, false, s);
    if (stencil && ok)
        ok = gl_read_depth_surface(ctx, true, s);
    if (ok && gl_pixel_format_is_color(format) &&
        util_format_is_pure_integer(s->drv.format) != gl_pixel_format_is_integer(format))
        ok = false;
    if (ok && gl_pixel_format_is_color(format) && gl_is_es(ctx) && ctx->consts.version >= 30)
        ok = es3_read_allows(ctx, s, format, type);
    if (!ok)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(format=%s, type=%s)", name, gl_enum_name(format),
                 gl_enum_name(type));
    return ok;
}

static GLenum read_error(const struct gl_context *ctx, GLenum format, GLenum type)
{
    if (gl_is_es(ctx) && ctx->ext.NV_read_depth_stencil && format == GL_DEPTH_COMPONENT &&
        type == GL_UNSIGNED_INT_24_8)
        return 0;
    if (gl_is_es(ctx) && ctx->consts.version < 30)
        return es2_read_error(ctx, format, type);
    GLenum error = gl_pixel_format_error(ctx, format, type);
    bool index = format == GL_COLOR_INDEX || (type == GL_BITMAP && format != GL_STENCIL_INDEX);
    return !error && index ? GL_INVALID_OPERATION : error;
}

/* Returns whether a type stores floating-point components. Colors that are converted from a
 * floating-point buffer to other types are clamped to [0, 1] (GL 4.6 §18.2.8). */
static bool is_float_type(GLenum type)
{
    return type == GL_FLOAT || type == GL_HALF_FLOAT || type == GL_HALF_FLOAT_OES ||
           type == GL_UNSIGNED_INT_10F_11F_11F_REV || type == GL_UNSIGNED_INT_5_9_9_9_REV;
}

static void read_pixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                        GLsizei size, void *pixels, const char *name)
{
    GL_CONTEXT(ctx);
    struct gl_surface s;
    struct gl_pixel_layout l;
    struct gl_pixel_mapping m;
    if (width < 0 || height < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%d × %d)", name, width, height);
        return;
    }
    GLenum error = read_error(ctx, format, type);
    if (error) {
        gl_error(ctx, error, "%s(format=%s, type=%s)", name, gl_enum_name(format),
                 gl_enum_name(type));
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    gl_update_framebuffer_state(ctx);
    if (!gl_check_framebuffer(ctx, GL_READ_FRAMEBUFFER, name) ||
        !read_source(ctx, format, type, &s, name))
        return;
    if (ctx->framebuffer.read->name && s.samples > 1) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(multisampled framebuffer)", name);
        return;
    }
    gl_pixel_layout(&ctx->pack, 2, width, height, 1, format, type, &l);
    if (!gl_pixel_map_client(ctx, &ctx->pack, &l, pixels, true, size, name, &m) || !m.pointer)
        return;
    int64_t x0 = MAX2(x, 0), y0 = MAX2(y, 0);
    int64_t x1 = MIN2((int64_t)x + width, (int64_t)s.width);
    int64_t y1 = MIN2((int64_t)y + height, (int64_t)s.height);
    const bool visible = x0 < x1 && y0 < y1;
    struct drv_resource *r = visible ? gl_surface_resolved(ctx, &s) : NULL;
    if (visible && !r)
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
    if (r) {
        const struct gl_texels texels = {
            .resource = r,
            .format = gl_base_is_color(s.base) ? s.drv.format : r->format,
            .level = s.drv.level,
            .box = {x0, y0, s.drv.first_layer, x1 - x0, y1 - y0, 1},
            .base = s.base,
        };
        struct gl_pixel_spec form = {&ctx->pack, format, type,
                                     GL_PIXEL_LUMINANCE_SUM | gl_pixel_transfer_ops(ctx)};
        l.skip += (y0 - y) * l.row_stride + (x0 - x) * l.pixel_bytes;
        /* Signed normalized colors count as fixed-point (GL 4.6 §18.2.8), but EXT_render_snorm
         * returns them unclamped. */
        bool fixed = !util_format_is_float(s.drv.format) &&
                     (gl_is_desktop(ctx) || !util_format_is_snorm(s.drv.format));
        bool clamped = ctx->color.clamp_read == GL_TRUE ||
                       (ctx->color.clamp_read != GL_FALSE && fixed) ||
                       (gl_base_is_color(s.base) && util_format_is_float(s.drv.format) &&
                        !is_float_type(type));
        if (clamped)
            form.ops |= GL_PIXEL_CLAMP;
        if (type == GL_UNSIGNED_INT_24_8) /* also from depth without stencil */
            form.format = GL_DEPTH_STENCIL;
        if (!gl_pixels_download(ctx, &texels, &form, &l, m.pointer))
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
    }
    drv_resource_reference(&r, NULL);
    gl_pixel_unmap_client(ctx, &m);
}

void gl_ReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                   void *pixels)
{
    read_pixels(x, y, width, height, format, type, -1, pixels, "glReadPixels");
}

void gl_ReadnPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                    GLsizei size, void *pixels)
{
    GL_CONTEXT(ctx);
    if (size < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glReadnPixels(bufSize=%d)", size);
    else
        read_pixels(x, y, width, height, format, type, size, pixels, "glReadnPixels");
}
