/* SPDX-License-Identifier: MIT */
/*
 * Y'CbCr images (MESA_ycbcr_texture). They are stored as given, in pairs of texels, and converted
 * to RGB when sampled. Pixel transfer doesn't apply. Each texel has its own luminance. Texels with
 * even x contain Cb, those with odd x contain Cr.
 */
#include "gl/context/gl_context.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"

/* Returns the error that the extension specifies for these arguments; 0: none. */
static GLenum image_error(const struct gl_context *ctx, enum gl_texture_index index, GLint internal,
                          GLint border, GLenum format, GLenum type)
{
    bool flat = index == GL_TEXTURE_INDEX_2D || index == GL_TEXTURE_INDEX_RECT;
    if (!ctx->ext.MESA_ycbcr_texture || !flat || internal != GL_YCBCR_MESA ||
        format != GL_YCBCR_MESA || !gl_is_ycbcr_type(type))
        return GL_INVALID_ENUM;
    return border ? GL_INVALID_VALUE : 0;
}

/* Uploads client texels. Blocks at the left and right edges keep the texels outside the box.
 * Returns false if out of memory. */
static bool upload(struct gl_context *ctx, struct gl_texture *t, const struct gl_image *image,
                   const struct drv_box *part, GLenum type, const struct gl_pixel_layout *l,
                   const uint8_t *src)
{
    GLint first = part->x & ~1, end = MIN2((part->x + part->width + 1) & ~1, image->width);
    const struct drv_box pairs = {first, part->y, 0, end - first, part->height, 1};
    const struct drv_box box = gl_image_box(t, image, &pairs);
    struct drv_transfer *transfer;
    if (!part->width || !part->height)
        return true;
    uint8_t *map = ctx->drv->ops->map(ctx->drv, image->resource, image->level,
                                      DRV_MAP_READ | DRV_MAP_WRITE, &box, &transfer);
    if (!map)
        return false;
    /* index of luminance in the two bytes of an element */
    unsigned luminance = (type == GL_UNSIGNED_SHORT_8_8_MESA) != ctx->unpack.swap_bytes;
    for (GLsizei r = 0; r < part->height; r++) {
        const uint8_t *from = src + l->skip + r * l->row_stride;
        uint8_t *to = map + (size_t)r * transfer->stride + 2 * (part->x - first);
        for (GLsizei i = 0; i < part->width; i++, from += 2, to += 2) {
            to[0] = from[luminance];
            to[1] = from[!luminance];
        }
    }
    ctx->drv->ops->unmap(ctx->drv, transfer);
    return true;
}

bool gl_ycbcr_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                    GLint internal, GLsizei width, GLsizei height, GLint border, GLenum format,
                    GLenum type, const void *pixels, const char *name)
{
    struct gl_texture *t = place->texture;
    if (internal != GL_YCBCR_MESA && format != GL_YCBCR_MESA)
        return false;
    GLenum error = image_error(ctx, place->index, internal, border, format, type);
    if (error) {
        gl_error(ctx, error, "%s(internalformat=%s, format=%s, type=%s, border=%d)", name,
                 gl_enum_name(internal), gl_enum_name(format), gl_enum_name(type), border);
        return true;
    }
    bool ok = gl_image_size_ok(ctx, place->index, level, width, height, 1, 0);
    const struct gl_image_shape shape = {internal, DRV_FORMAT_YCBCR, width, height, 1};
    const struct drv_box whole = {0, 0, 0, width, height, 1};
    if (place->proxy) {
        gl_define_proxy(
            ctx, place->index, level, &shape,
            ok && gl_texture_fits(ctx, place->index, DRV_FORMAT_YCBCR, width, height, 1, 0));
        return true;
    }
    if (!ok || gl_texture_is_fixed(t)) {
        gl_error(ctx, ok ? GL_INVALID_OPERATION : GL_INVALID_VALUE, "%s(%d × %d%s)", name, width,
                 height, gl_texture_is_fixed(t) ? ", immutable texture" : "");
        return true;
    }
    struct gl_pixel_layout l;
    struct gl_pixel_mapping m;
    gl_pixel_layout(&ctx->unpack, 2, width, height, 1, format, type, &l);
    FLUSH_VERTICES(ctx, 0);
    if (!gl_pixel_map_client(ctx, &ctx->unpack, &l, pixels, false, -1, name, &m))
        return true;
    struct gl_image *image = gl_define_image(ctx, t, place->face, level, &shape);
    if (!image || (m.pointer && !upload(ctx, t, image, &whole, type, &l, m.pointer)))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
    gl_pixel_unmap_client(ctx, &m);
    gl_texture_changed(ctx, t);
    return true;
}

bool gl_ycbcr_sub_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                        const struct drv_box *part, GLenum format, GLenum type, const void *pixels,
                        const char *name)
{
    if (format != GL_YCBCR_MESA || !ctx->ext.MESA_ycbcr_texture)
        return false;
    const struct gl_image *image = gl_sub_image_check(ctx, place, level, part, name);
    if (!image)
        return true;
    if (!gl_is_ycbcr_type(type) || image->internal != GL_YCBCR_MESA) {
        gl_error(ctx, gl_is_ycbcr_type(type) ? GL_INVALID_OPERATION : GL_INVALID_ENUM,
                 "%s(format=%s, type=%s)", name, gl_enum_name(format), gl_enum_name(type));
        return true;
    }
    struct gl_pixel_layout l;
    struct gl_pixel_mapping m;
    gl_pixel_layout(&ctx->unpack, 2, part->width, part->height, 1, format, type, &l);
    FLUSH_VERTICES(ctx, 0);
    if (!gl_pixel_map_client(ctx, &ctx->unpack, &l, pixels, false, -1, name, &m))
        return true;
    if (m.pointer && !upload(ctx, place->texture, image, part, type, &l, m.pointer))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
    gl_pixel_unmap_client(ctx, &m);
    return true;
}
