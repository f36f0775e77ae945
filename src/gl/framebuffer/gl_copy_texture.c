/* SPDX-License-Identifier: MIT */
/* glCopyTexImage and glCopyTexSubImage: copies from the framebuffer to texture images (GL 4.6
 * §8.6). */
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/framebuffer/gl_drawable.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_mirror.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"
#include "util/format.h"

/* Gets the read buffer for images of that base format. DEPTH_STENCIL needs both buffers. False: an
 * error was raised. */
static bool copy_source(struct gl_context *ctx, GLenum base, struct gl_surface *s, const char *name)
{
    if (!gl_check_framebuffer(ctx, GL_READ_FRAMEBUFFER, name))
        return false;
    gl_windows_refresh(ctx);
    bool ok = true;
    if (gl_base_is_color(base))
        ok = gl_read_surface(ctx, s);
    if (gl_base_is_stencil(base))
        ok = gl_read_depth_surface(ctx, true, s);
    if (ok && gl_base_is_depth(base))
        ok = gl_read_depth_surface(ctx, false, s);
    if (!ok ||
        (ctx->framebuffer.read->name && gl_framebuffer_samples(ctx, ctx->framebuffer.read))) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(read buffer)", name);
        return false;
    }
    return true;
}

/* Copies a box to a compressed image by converting it to floats, with pixel transfer. The box
 * starts inside a block if the region starts outside the read buffer; the block's texels before it
 * are undefined. */
static bool copy_compressed(struct gl_context *ctx, const struct gl_texels *from,
                            const struct gl_texels *to)
{
    static const struct gl_pixel_store tight = {.alignment = 1};
    struct gl_pixel_spec form = {.store = &tight, .format = GL_RGBA, .type = GL_FLOAT};
    const struct drv_format_desc *d = drv_format_desc(to->format);
    const int left = to->box.x % d->block_width, top = to->box.y % d->block_height;
    struct gl_texels blocks = *to;
    struct gl_pixel_layout l, part;
    blocks.box.x -= left;
    blocks.box.y -= top;
    blocks.box.width += left;
    blocks.box.height += top;
    gl_pixel_layout(&tight, 2, blocks.box.width, blocks.box.height, 1, form.format, form.type, &l);
    part = l;
    part.skip += (uint64_t)(top * l.row_stride) + (uint64_t)left * l.pixel_bytes;
    uint8_t *pixels = calloc(1, l.size + 16);
    bool ok = pixels && gl_pixels_download(ctx, from, &form, &part, pixels);
    form.ops = gl_pixel_transfer_ops(ctx); /* applied once, at the upload */
    ok = ok && gl_pixels_upload(ctx, &blocks, &form, &l, pixels);
    free(pixels);
    return ok;
}

/* Copies a box with conversion, considering both base formats. */
static bool convert_box(struct gl_context *ctx, const struct gl_texels *from,
                        const struct gl_texels *to)
{
    return util_format_is_compressed(to->format)
               ? copy_compressed(ctx, from, to)
               : gl_pixels_convert(ctx, to, from, gl_pixel_transfer_ops(ctx));
}

/* Copies the part of the region that lies inside the read buffer to one slice. The rest of the
 * destination stays undefined. */
static void copy_image(struct gl_context *ctx, const struct gl_surface *s,
                       const struct gl_image_target *place, struct gl_image *image,
                       const struct drv_box *part, GLint x, GLint y, const char *name)
{
    int64_t x0 = MAX2(x, 0), y0 = MAX2(y, 0);
    int64_t x1 = MIN2((int64_t)x + part->width, (int64_t)s->width);
    int64_t y1 = MIN2((int64_t)y + part->height, (int64_t)s->height);
    if (x0 >= x1 || y0 >= y1)
        return;
    struct gl_surface single = *s;
    single.drv.texture = gl_surface_resolved(ctx, &single);
    const struct gl_texels from = {
        .resource = single.drv.texture,
        .format = s->drv.format,
        .level = single.drv.level,
        .box = {x0, y0, single.drv.first_layer, x1 - x0, y1 - y0, 1},
        .base = s->base,
    };
    const struct drv_box inside = {part->x + (x0 - x), part->y + (y0 - y), part->z,
                                   from.box.width,     from.box.height,    1};
    const struct drv_box box = gl_image_box(place->texture, image, &inside);
    const struct gl_texels to = gl_image_target_texels(place, image, &box);
    if (gl_has_mirror(to.resource))
        gl_mirror_draw(ctx, to.resource);
    bool plain = from.resource && to.format == from.resource->format && to.base == from.base &&
                 !to.rows_are_layers && gl_pixel_transfer_is_identity(ctx) &&
                 to.resource != from.resource;
    if (plain)
        ctx->drv->ops->copy_region(ctx->drv, to.resource, to.level, to.box.x, to.box.y, to.box.z,
                                   from.resource, from.level, &from.box);
    else if (!from.resource || !convert_box(ctx, &from, &to))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
    drv_resource_reference(&single.drv.texture, NULL);
}

/* In ES, copies can't add components (GL ES 2.0 table 3.9). */
static bool components_ok(const struct gl_context *ctx, GLenum from, GLenum to)
{
    if (!gl_is_es(ctx) || from == GL_RGBA)
        return true;
    switch (from) {
    case GL_RGB:
        return to == GL_RGB || to == GL_LUMINANCE || to == GL_RG || to == GL_RED;
    case GL_RG:
        return to == GL_RG || to == GL_LUMINANCE || to == GL_RED;
    case GL_RED:
        return to == GL_LUMINANCE || to == GL_RED;
    default:
        return to == from;
    }
}

/* Since ES 3.0, copies don't convert (ES 3.2 §8.6). Sized formats must have the source's component
 * types, sizes and encoding. Unsized formats are allowed for sources with up to 8 linear bits per
 * component. */
static bool copy_keeps_texels(const struct gl_context *ctx, const struct gl_surface *from,
                              GLint internal, GLenum base, enum drv_format format)
{
    if (!gl_is_es(ctx) || ctx->consts.version < 30 || !gl_base_is_color(base))
        return true;
    if (format == DRV_FORMAT_R9G9B9E5_FLOAT ||
        util_format_is_srgb(format) != util_format_is_srgb(from->stored))
        return false;
    const bool sized = !gl_format_is_unsized(internal);
    for (unsigned c = 0; c < 4; c++) {
        const unsigned bits = gl_format_bits(from->base, from->drv.format, c);
        const GLenum type = gl_format_component_type(from->base, from->drv.format, c);
        if (!sized && bits && (type != GL_UNSIGNED_NORMALIZED || bits == 10))
            return false;
        if (sized && bits && gl_format_bits(base, format, c) &&
            (bits != gl_format_bits(base, format, c) ||
             type != gl_format_component_type(base, format, c)))
            return false;
    }
    return true;
}

void gl_copy_tex_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                       GLenum internal, GLint x, GLint y, GLsizei width, GLsizei height,
                       GLint border, const char *name)
{
    struct gl_texture *t = place->texture;
    enum gl_texture_index index = place->index;
    if (internal <= 4) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(internalformat=%s)", name, gl_enum_name(internal));
        return;
    }
    struct gl_surface s;
    GLenum base = gl_image_base_format(ctx, internal);
    if (!gl_image_check(ctx, index, level, border, width, height, 1, name))
        return;
    if (!base) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(internalformat=%s)", name, gl_enum_name(internal));
        return;
    }
    if (!gl_image_size_ok(ctx, index, level, width, height, 1, border)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%d × %d)", name, width, height);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    if (!copy_source(ctx, base, &s, name))
        return;
    enum drv_format drv = gl_image_format(ctx, index, internal, base, 0, 0);
    if (gl_texture_is_fixed(t) || drv == DRV_FORMAT_NONE || gl_format_is_astc(internal) ||
        !components_ok(ctx, s.base, base) || !copy_keeps_texels(ctx, &s, internal, base, drv) ||
        util_format_is_pure_integer(drv) != util_format_is_pure_integer(s.drv.format)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(internalformat=%s)", name, gl_enum_name(internal));
        return;
    }
    const struct gl_image_shape shape = {
        .internal = internal,
        .format = drv,
        .width = width - 2 * border,
        .height = gl_image_border_dims(index) > 1 ? height - 2 * border : height,
        .depth = 1,
    };
    struct drv_resource *hold = NULL; /* the read buffer may be the image that is replaced */
    drv_resource_reference(&hold, s.drv.texture);
    struct gl_image *image = gl_define_image(ctx, t, place->face, level, &shape);
    if (!image) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
    } else if (image->resource) {
        const struct drv_box whole = gl_image_whole(image);
        copy_image(ctx, &s, place, image, &whole, x + border,
                   gl_image_border_dims(index) > 1 ? y + border : y, name);
    }
    drv_resource_reference(&hold, NULL);
    gl_texture_changed(ctx, t);
    gl_image_generate_mipmap(ctx, t, level);
}

void gl_copy_tex_sub_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                           GLint dx, GLint dy, GLint dz, GLint x, GLint y, GLsizei width,
                           GLsizei height, const char *name)
{
    struct drv_box part = {dx, dy, dz, width, height, 1};
    struct gl_surface s;
    struct gl_image *image = gl_sub_image_check(ctx, place, level, &part, name);
    if (!image)
        return;
    FLUSH_VERTICES(ctx, 0);
    if (!copy_source(ctx, image->base, &s, name))
        return;
    bool es_compressed = gl_is_es(ctx) && util_format_is_compressed(image->format);
    bool es_shared = gl_is_es(ctx) && image->format == DRV_FORMAT_R9G9B9E5_FLOAT; /* ES 3.2 §8.6 */
    if (es_compressed || es_shared || !gl_image_can_change(image, &part) ||
        !components_ok(ctx, s.base, image->base) ||
        util_format_is_pure_integer(image->format) != util_format_is_pure_integer(s.drv.format)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(formats)", name);
        return;
    }
    if (place->all_faces) {
        image = gl_image_target_image(place, level, dz);
        part.z = 0;
    }
    if (image->resource)
        copy_image(ctx, &s, place, image, &part, x, y, name);
    gl_image_generate_mipmap(ctx, place->texture, level);
}
