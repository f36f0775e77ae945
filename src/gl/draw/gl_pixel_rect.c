/* SPDX-License-Identifier: MIT */
/*
 * Pixel rectangles (GL 4.6 compatibility §18): glDrawPixels, glCopyPixels and glBitmap. Colors and
 * depths are drawn as a textured rectangle through the fragment operations, unless
 * gl_write_pixels.c can write them directly. Stencil values are always written directly.
 */
#include <math.h>
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/draw/gl_draw.h"
#include "gl/draw/gl_draw_pixels.h"
#include "gl/draw/gl_feedback.h"
#include "gl/draw/gl_write_pixels.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/program/gl_lower_image.h"
#include "gl_entry.h"
#include "util/format.h"

static const struct gl_pixel_store tight = {.alignment = 1};

/* ------------------------------------------------------------- values that bypass fragments --- */

/* Writes packed stencil indices or depths to all samples of a box, under the stencil write mask.
 * old: memory for as many values, or NULL if all bits are written. */
static bool write_box(struct gl_context *ctx, const struct gl_surface *s, bool stencil,
                      struct drv_box box, uint8_t *values, uint8_t *old)
{
    const enum drv_format format = s->drv.format,
                          packed = stencil ? DRV_FORMAT_R8_UINT : DRV_FORMAT_R32_FLOAT;
    const struct drv_context_ops *ops = ctx->drv->ops;
    struct util_conversion write, read;
    struct util_conversion_desc d = {
        .dst = format,
        .src = packed,
        .aspects = stencil ? UTIL_CONVERT_STENCIL : UTIL_CONVERT_DEPTH,
        .client_dst = true, /* depths are rounded */
    };
    const size_t count = (size_t)box.width * box.height;
    const unsigned mask = ctx->stencil.write_mask[0];
    struct drv_pixels pixels = {
        .conversion = &read, .data = old, .stride = box.width * (stencil ? 1 : 4)};
    bool ok = util_conversion_init(&write, &d);
    d.dst = packed;
    d.src = format;
    ok = ok && util_conversion_init(&read, &d);
    const int samples = MAX2(s->samples, 1);
    box.z *= samples;
    box.depth = 1;
    for (int i = 0; ok && i < samples; i++, box.z++) {
        if (old) {
            ok = ops->image_read(ctx->drv, s->drv.texture, format, s->drv.level, &box, &pixels);
            for (size_t k = 0; k < count; k++)
                old[k] = (old[k] & ~mask) | (values[k] & mask);
        }
        struct drv_pixels all = pixels;
        all.conversion = &write;
        all.data = old ? old : values;
        ok = ok && ops->image_write(ctx->drv, s->drv.texture, format, s->drv.level, &box, &all);
    }
    return ok;
}

/* Writes stencil indices (uint8_t) or depths (float) at the raster position, under their write
 * masks (GL 4.6 compatibility §18.1.4). Returns false if out of memory. */
static bool write_values(struct gl_context *ctx, bool stencil, const void *values, GLsizei width,
                         GLsizei height)
{
    const size_t bytes = stencil ? sizeof(uint8_t) : sizeof(float);
    const bool masked = stencil && (ctx->stencil.write_mask[0] & 0xff) != 0xff;
    struct gl_surface s;
    struct drv_box box;
    const struct gl_write_source source = {width, height, values, (ptrdiff_t)(width * bytes),
                                           bytes};
    if (!gl_draw_depth_surface(ctx, stencil, &s) || !gl_write_box(ctx, &s, width, height, &box) ||
        (!stencil && !ctx->depth.mask))
        return true;
    const size_t size = (size_t)box.width * box.height * bytes;
    uint8_t *picked = malloc(size), *old = masked ? malloc(size) : NULL;
    bool ok = picked && (old || !masked) && gl_write_pick(ctx, &box, &source, picked) &&
              write_box(ctx, &s, stencil, box, picked, old);
    free(picked);
    free(old);
    return ok;
}

/* Returns an image of packed pixels of a format, whose texels have this format, too. */
static struct gl_draw_source packed_source(const void *image, enum drv_format format, GLsizei width,
                                           GLsizei height)
{
    const unsigned bytes = drv_format_desc(format)->block_bytes;
    return (struct gl_draw_source){
        .width = width,
        .height = height,
        .texels = format,
        .pixels = {.format = format,
                   .swizzle = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
                   .data = (void *)image,
                   .stride = (ptrdiff_t)width * bytes},
        .pixel_bytes = bytes,
    };
}

/* Draws depths as fragments. Depths that come with stencil indices are written directly. */
static bool draw_depths(struct gl_context *ctx, const float *depths, GLsizei width, GLsizei height,
                        bool with_stencil)
{
    if (!depths || with_stencil)
        return depths && write_values(ctx, false, depths, width, height);
    const struct gl_draw_source source = packed_source(depths, DRV_FORMAT_R32_FLOAT, width, height);
    return gl_draw_image(ctx, GL_IMAGE_DEPTH, &source);
}

/* ----------------------------------------------------------------------------- glDrawPixels --- */

/* Draws RGBA floats. */
static bool draw_floats(struct gl_context *ctx, const float (*image)[4], GLsizei width,
                        GLsizei height)
{
    const struct gl_draw_source source =
        packed_source(image, DRV_FORMAT_R32G32B32A32_FLOAT, width, height);
    return gl_draw_image(ctx, GL_IMAGE_COLOR, &source);
}

/* Returns the smallest texture format that holds the colors of client pixels exactly. */
static enum drv_format color_format(const struct gl_context *ctx, GLenum type)
{
    if (!gl_pixel_transfer_is_identity(ctx))
        return DRV_FORMAT_R32G32B32A32_FLOAT;
    switch (type) {
    case GL_UNSIGNED_BYTE:
    case GL_UNSIGNED_INT_8_8_8_8:
    case GL_UNSIGNED_INT_8_8_8_8_REV:
        return DRV_FORMAT_R8G8B8A8_UNORM;
    case GL_UNSIGNED_SHORT:
        return DRV_FORMAT_R16G16B16A16_UNORM;
    case GL_HALF_FLOAT:
        return DRV_FORMAT_R16G16B16A16_FLOAT;
    default:
        return DRV_FORMAT_R32G32B32A32_FLOAT;
    }
}

static bool draw_colors(struct gl_context *ctx, GLsizei width, GLsizei height,
                        const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                        const uint8_t *src)
{
    struct gl_client_pixels client;
    enum gl_write_result written = gl_write_colors(ctx, width, height, form, l, src);
    if (written != GL_WRITE_UNSUITABLE)
        return written == GL_WRITE_DONE;
    struct gl_draw_source source = {
        .width = width,
        .height = height,
        .texels = color_format(ctx, form->type),
        .pixel_bytes = l->pixel_bytes,
    };
    if (gl_pixels_describe(ctx, &client, source.texels, form, l, src)) {
        source.pixels = client.pixels;
        return gl_draw_image(ctx, GL_IMAGE_COLOR, &source);
    }
    float(*image)[4] = malloc((size_t)width * height * sizeof *image);
    for (GLsizei y = 0; image && y < height; y++)
        gl_unpack_color_row(ctx, form, src + l->skip + y * l->row_stride,
                            form->store->skip_pixels % 8, width, image + (size_t)y * width);
    bool ok = image && draw_floats(ctx, (const float(*)[4])image, width, height);
    free(image);
    return ok;
}

static bool draw_client_depths(struct gl_context *ctx, GLsizei width, GLsizei height,
                               const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                               const uint8_t *src)
{
    struct gl_client_pixels client;
    struct gl_draw_source source = {
        .width = width,
        .height = height,
        .texels = DRV_FORMAT_R32_FLOAT,
        .pixel_bytes = l->pixel_bytes,
    };
    if (form->format == GL_DEPTH_COMPONENT &&
        gl_pixels_describe(ctx, &client, source.texels, form, l, src)) {
        source.pixels = client.pixels;
        return gl_draw_image(ctx, GL_IMAGE_DEPTH, &source);
    }
    float *depths = malloc((size_t)width * height * sizeof *depths);
    for (GLsizei y = 0; depths && y < height; y++)
        gl_unpack_depth_row(ctx, form, src + l->skip + y * l->row_stride, width,
                            depths + (size_t)y * width);
    bool ok = draw_depths(ctx, depths, width, height, form->format == GL_DEPTH_STENCIL);
    free(depths);
    return ok;
}

static bool draw_stencil(struct gl_context *ctx, GLsizei width, GLsizei height,
                         const struct gl_pixel_spec *form, const struct gl_pixel_layout *l,
                         const uint8_t *src)
{
    uint8_t *values = malloc((size_t)width * height);
    for (GLsizei y = 0; values && y < height; y++)
        gl_unpack_stencil_row(ctx, form, src + l->skip + y * l->row_stride,
                              form->store->skip_pixels % 8, width, values + (size_t)y * width);
    bool ok = values && write_values(ctx, true, values, width, height);
    free(values);
    return ok;
}

/* Checks for the errors of GL 4.6 compatibility §18.3.1. */
static bool draw_pixels_ok(struct gl_context *ctx, GLsizei width, GLsizei height, GLenum format,
                           GLenum type)
{
    struct gl_surface s;
    if (width < 0 || height < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDrawPixels(%d × %d)", width, height);
        return false;
    }
    GLenum error = gl_pixel_format_error(ctx, format, type);
    bool depth = format == GL_DEPTH_COMPONENT || format == GL_DEPTH_STENCIL;
    bool stencil = format == GL_STENCIL_INDEX || format == GL_DEPTH_STENCIL;
    if (gl_pixel_format_is_integer(format)) /* integer formats of any type (GL 4.6 §18.1) */
        error = GL_INVALID_OPERATION;
    if (error) {
        gl_error(ctx, error, "glDrawPixels(format=%s, type=%s)", gl_enum_name(format),
                 gl_enum_name(type));
        return false;
    }
    gl_update_framebuffer_state(ctx);
    if (!gl_check_framebuffer(ctx, GL_DRAW_FRAMEBUFFER, "glDrawPixels"))
        return false;
    if ((depth && !gl_draw_depth_surface(ctx, false, &s)) ||
        (stencil && !gl_draw_depth_surface(ctx, true, &s))) {
        gl_error(ctx, GL_INVALID_OPERATION, "glDrawPixels(no such buffer)");
        return false;
    }
    return depth || stencil || gl_validate_fragments(ctx, "glDrawPixels");
}

/* Returns whether conditional rendering discards the rectangle (GL 4.6 §10.9). The command has no
 * effect then: it doesn't move the raster position either. */
static bool discarded(struct gl_context *ctx)
{
    return !ctx->drv->ops->condition_passes(ctx->drv);
}

/* Returns whether the rectangle must be rendered. Selection and feedback instead process it as one
 * token at the raster position. */
static bool rendered(struct gl_context *ctx)
{
    return ctx->render_mode == GL_RENDER && !ctx->transform.rasterizer_discard;
}

void gl_DrawPixels(GLsizei width, GLsizei height, GLenum format, GLenum type, const void *pixels)
{
    GL_CONTEXT(ctx);
    struct gl_pixel_layout l;
    struct gl_pixel_mapping m;
    FLUSH_VERTICES(ctx, 0);
    if (!draw_pixels_ok(ctx, width, height, format, type) || !ctx->current_attribs.raster_valid ||
        discarded(ctx))
        return;
    gl_pixel_layout(&ctx->unpack, 2, width, height, 1, format, type, &l);
    if (!rendered(ctx)) {
        gl_feedback_token(ctx, GL_DRAW_PIXEL_TOKEN);
        return;
    }
    if (!width || !height ||
        !gl_pixel_map_client(ctx, &ctx->unpack, &l, pixels, false, -1, "glDrawPixels", &m) ||
        !m.pointer)
        return;
    bool depth = format == GL_DEPTH_COMPONENT || format == GL_DEPTH_STENCIL;
    bool stencil = format == GL_STENCIL_INDEX || format == GL_DEPTH_STENCIL;
    const struct gl_pixel_spec form = {&ctx->unpack, format, type, GL_PIXEL_TRANSFER};
    enum gl_write_result written = GL_WRITE_UNSUITABLE;
    if (stencil)
        written = gl_write_depth_stencil(ctx, width, height, &form, &l, m.pointer);
    bool ok = written != GL_WRITE_NO_MEMORY;
    if (written == GL_WRITE_UNSUITABLE) {
        if (stencil)
            ok = draw_stencil(ctx, width, height, &form, &l, m.pointer);
        if (depth)
            ok &= draw_client_depths(ctx, width, height, &form, &l, m.pointer);
        else if (!stencil)
            ok &= draw_colors(ctx, width, height, &form, &l, m.pointer);
    }
    if (!ok)
        gl_error(ctx, GL_OUT_OF_MEMORY, "glDrawPixels");
    gl_pixel_unmap_client(ctx, &m);
}

/* ----------------------------------------------------------------------------- glCopyPixels --- */

/* Reads a rectangle of the read framebuffer as client pixels of that format and type, after pixel
 * transfer operations. Pixels outside the surface are zero. Returns malloc'ed memory, or NULL if
 * out of memory. */
static void *fetch(struct gl_context *ctx, const struct gl_surface *s, GLint x, GLint y,
                   GLsizei width, GLsizei height, GLenum format, GLenum type)
{
    struct gl_pixel_layout l;
    gl_pixel_layout(&tight, 2, width, height, 1, format, type, &l);
    uint8_t *pixels = calloc(1, l.size + 1);
    int64_t x0 = MAX2(x, 0), y0 = MAX2(y, 0);
    int64_t x1 = MIN2((int64_t)x + width, (int64_t)s->width);
    int64_t y1 = MIN2((int64_t)y + height, (int64_t)s->height);
    if (!pixels || x0 >= x1 || y0 >= y1)
        return pixels;
    const struct gl_texels texels = {
        .resource = s->drv.texture,
        .format = s->drv.format,
        .level = s->drv.level,
        .box = {x0, y0, s->drv.first_layer, x1 - x0, y1 - y0, 1},
        .base = s->base,
    };
    const struct gl_pixel_spec form = {&tight, format, type, GL_PIXEL_TRANSFER};
    l.skip = (y0 - y) * l.row_stride + (x0 - x) * l.pixel_bytes;
    if (gl_pixels_download(ctx, &texels, &form, &l, pixels))
        return pixels;
    free(pixels);
    return NULL;
}

static bool copy_stencil(struct gl_context *ctx, const struct gl_surface *s, GLint x, GLint y,
                         GLsizei width, GLsizei height)
{
    void *values = fetch(ctx, s, x, y, width, height, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE);
    bool ok = values && write_values(ctx, true, values, width, height);
    free(values);
    return ok;
}

static bool copy_depth(struct gl_context *ctx, const struct gl_surface *s, GLint x, GLint y,
                       GLsizei width, GLsizei height, bool with_stencil)
{
    float *depths = fetch(ctx, s, x, y, width, height, GL_DEPTH_COMPONENT, GL_FLOAT);
    bool ok = draw_depths(ctx, depths, width, height, with_stencil);
    free(depths);
    return ok;
}

/* Returns the format of a texture that holds the texels of a surface, as glCopyPixels draws
 * them. */
static enum drv_format copy_format(const struct gl_context *ctx, const struct gl_surface *s)
{
    const enum drv_format linear = util_format_linear(s->drv.format);
    return gl_pixel_transfer_is_identity(ctx) && s->base == GL_RGBA &&
                   util_format_is_unorm8_array(linear)
               ? linear
               : DRV_FORMAT_R32G32B32A32_FLOAT;
}

/* Draws the texels of a box that lies in the surface. */
static bool copy_texels(struct gl_context *ctx, const struct gl_surface *s,
                        const struct drv_box *box)
{
    struct drv_transfer *t;
    const enum drv_format format = copy_format(ctx, s);
    void *map = ctx->drv->ops->map(ctx->drv, s->drv.texture, s->drv.level, DRV_MAP_READ, box, &t);
    if (!map)
        return false;
    struct gl_draw_source source = packed_source(map, format, box->width, box->height);
    source.pixels.stride = t->stride;
    const struct gl_write_source texels = {box->width, box->height, map, t->stride,
                                           source.pixel_bytes};
    enum gl_write_result written = gl_write_texels(ctx, &texels, format);
    bool ok = written == GL_WRITE_UNSUITABLE ? gl_draw_image(ctx, GL_IMAGE_COLOR, &source)
                                             : written == GL_WRITE_DONE;
    ctx->drv->ops->unmap(ctx->drv, t);
    return ok;
}

static bool copy_colors(struct gl_context *ctx, const struct gl_surface *s, GLint x, GLint y,
                        GLsizei width, GLsizei height)
{
    const struct drv_box box = {x, y, s->drv.first_layer, width, height, 1};
    if (x >= 0 && y >= 0 && (int64_t)x + width <= s->width && (int64_t)y + height <= s->height &&
        copy_format(ctx, s) != DRV_FORMAT_R32G32B32A32_FLOAT)
        return copy_texels(ctx, s, &box);
    float(*image)[4] = fetch(ctx, s, x, y, width, height, GL_RGBA, GL_FLOAT);
    bool ok = image && draw_floats(ctx, (const float(*)[4])image, width, height);
    free(image);
    return ok;
}

/* Resets pixel transfer to the identity (GL 4.6 compatibility §8.4.3). */
static void reset_pixel_transfer(struct gl_context *ctx)
{
    struct gl_pixel_state *p = &ctx->pixel;
    p->map_color = p->map_stencil = false;
    for (unsigned c = 0; c < 4; c++) {
        p->scale[c] = 1.0f;
        p->bias[c] = 0.0f;
    }
}

/* Implements NV_copy_depth_to_color: reads depth and stencil as GL_UNSIGNED_INT_24_8 and draws them
 * as colors of type GL_UNSIGNED_INT_8_8_8_8, without further pixel transfer. */
static void copy_depth_as_color(struct gl_context *ctx, GLint x, GLint y, GLsizei width,
                                GLsizei height, GLenum format)
{
    const struct gl_pixel_store pack = ctx->pack, unpack = ctx->unpack, packed = {.alignment = 4};
    const bool map_color = ctx->pixel.map_color, map_stencil = ctx->pixel.map_stencil;
    float scale[4], bias[4];
    uint32_t *pixels = calloc((size_t)width * height, sizeof *pixels);
    if (!pixels) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "glCopyPixels");
        return;
    }
    memcpy(scale, ctx->pixel.scale, sizeof scale);
    memcpy(bias, ctx->pixel.bias, sizeof bias);
    ctx->pack = ctx->unpack = packed;
    gl_ReadPixels(x, y, width, height, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, pixels);
    reset_pixel_transfer(ctx);
    gl_DrawPixels(width, height, format, GL_UNSIGNED_INT_8_8_8_8, pixels);
    memcpy(ctx->pixel.scale, scale, sizeof scale);
    memcpy(ctx->pixel.bias, bias, sizeof bias);
    ctx->pixel.map_color = map_color;
    ctx->pixel.map_stencil = map_stencil;
    ctx->pack = pack;
    ctx->unpack = unpack;
    free(pixels);
}

/* Copies a rectangle that has pixels, of at most the size of a texture. s is the color buffer, or
 * the depth or stencil buffer, that is read. */
static void copy_pixels(struct gl_context *ctx, struct gl_surface *s, GLint x, GLint y,
                        GLsizei width, GLsizei height, GLenum type)
{
    const bool both = type == GL_DEPTH_STENCIL;
    if (type == GL_DEPTH_STENCIL_TO_RGBA_NV || type == GL_DEPTH_STENCIL_TO_BGRA_NV) {
        copy_depth_as_color(ctx, x, y, width, height,
                            type == GL_DEPTH_STENCIL_TO_RGBA_NV ? GL_RGBA : GL_BGRA);
        return;
    }
    s->drv.texture = gl_surface_resolved(ctx, s);
    bool ok = s->drv.texture;
    if (ok && type == GL_COLOR)
        ok = copy_colors(ctx, s, x, y, width, height);
    if (ok && (type == GL_STENCIL || both))
        ok = copy_stencil(ctx, s, x, y, width, height);
    if (ok && (type == GL_DEPTH || both))
        ok = copy_depth(ctx, s, x, y, width, height, both);
    drv_resource_reference(&s->drv.texture, NULL);
    if (!ok)
        gl_error(ctx, GL_OUT_OF_MEMORY, "glCopyPixels");
}

/* Restricts the span [*first, *first + *size) to [0, limit), and moves the raster coordinate by
 * what is cut off at its start. */
static void clip_copied_span(GLint *first, GLsizei *size, unsigned limit, float zoom, float *raster)
{
    const int64_t start = MAX2((int64_t)*first, 0);
    const int64_t end = MIN2((int64_t)*first + *size, (int64_t)limit);
    *raster += (float)(start - *first) * zoom;
    *first = (GLint)start;
    *size = (GLsizei)MAX2(end - start, 0);
}

void gl_CopyPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum type)
{
    GL_CONTEXT(ctx);
    struct gl_surface s;
    bool as_color = (type == GL_DEPTH_STENCIL_TO_RGBA_NV || type == GL_DEPTH_STENCIL_TO_BGRA_NV) &&
                    ctx->ext.NV_copy_depth_to_color;
    bool depth = type == GL_DEPTH || type == GL_DEPTH_STENCIL || as_color;
    bool stencil = type == GL_STENCIL || type == GL_DEPTH_STENCIL || as_color;
    if (type != GL_COLOR && !depth && !stencil) {
        gl_error(ctx, GL_INVALID_ENUM, "glCopyPixels(type=%s)", gl_enum_name(type));
        return;
    }
    if (width < 0 || height < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glCopyPixels(%d × %d)", width, height);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    gl_update_framebuffer_state(ctx);
    if (!gl_check_framebuffer(ctx, GL_DRAW_FRAMEBUFFER, "glCopyPixels") ||
        !gl_check_framebuffer(ctx, GL_READ_FRAMEBUFFER, "glCopyPixels"))
        return;
    bool ok = (!depth || (gl_read_depth_surface(ctx, false, &s) &&
                          (as_color || gl_draw_depth_surface(ctx, false, &s)))) &&
              (!stencil || (gl_read_depth_surface(ctx, true, &s) &&
                            (as_color || gl_draw_depth_surface(ctx, true, &s)))) &&
              (depth || stencil || gl_read_surface(ctx, &s));
    if (!ok ||
        (ctx->framebuffer.read->name && gl_framebuffer_samples(ctx, ctx->framebuffer.read))) {
        gl_error(ctx, GL_INVALID_OPERATION, "glCopyPixels(buffers)");
        return;
    }
    if (!depth && !stencil && util_format_is_pure_integer(s.drv.format)) { /* §18.3.1 */
        gl_error(ctx, GL_INVALID_OPERATION, "glCopyPixels(integer read buffer)");
        return;
    }
    if (!depth && !stencil && !gl_validate_fragments(ctx, "glCopyPixels"))
        return;
    if (!ctx->current_attribs.raster_valid || discarded(ctx))
        return;
    if (!rendered(ctx)) {
        gl_feedback_token(ctx, GL_COPY_PIXEL_TOKEN);
        return;
    }
    if (depth || stencil) /* single image */
        gl_read_depth_surface(ctx, !depth, &s);
    float *raster = ctx->current_attribs.raster_pos;
    const float position[2] = {raster[0], raster[1]};
    /* Pixels outside the read buffer are undefined (GL 4.6 compatibility §18.3.2). They are zero,
     * or not drawn if the rectangle is larger than a texture can be. */
    if (width > ctx->consts.max_texture_size)
        clip_copied_span(&x, &width, s.width, ctx->pixel.zoom_x, &raster[0]);
    if (height > ctx->consts.max_texture_size)
        clip_copied_span(&y, &height, s.height, ctx->pixel.zoom_y, &raster[1]);
    if (width && height)
        copy_pixels(ctx, &s, x, y, width, height, type);
    raster[0] = position[0];
    raster[1] = position[1];
}

/* --------------------------------------------------------------------------------- glBitmap --- */

/* Clips the pixels [0, size) of an image that starts at `corner` to [0, limit). Sets *first to the
 * first visible pixel and *last to the one after the last. Returns false if there are none. */
static bool clip_span(float corner, GLsizei size, unsigned limit, GLsizei *first, GLsizei *last)
{
    double from = fmax(-(double)corner, 0.0), to = fmin((double)limit - corner, size);
    if (!(from < to))
        return false;
    *first = from;
    *last = ceil(to);
    return true;
}

/* Draws a bitmap whose lower left corner is the raster position, an integer. Unpacks only pixels
 * within the framebuffer, because bitmaps may be much larger. Returns false if out of memory. */
static bool draw_bitmap(struct gl_context *ctx, GLsizei width, GLsizei height,
                        const struct gl_pixel_layout *l, const uint8_t *src)
{
    float *corner = ctx->current_attribs.raster_pos;
    unsigned fb_width, fb_height;
    GLsizei x0, y0, x1, y1;
    gl_framebuffer_size(ctx, &fb_width, &fb_height);
    if (!clip_span(corner[0], width, fb_width, &x0, &x1) ||
        !clip_span(corner[1], height, fb_height, &y0, &y1))
        return true;
    const struct drv_box box = {
        .x = (int)corner[0] + x0, .y = (int)corner[1] + y0, .width = x1 - x0, .height = y1 - y0};
    enum gl_write_result written =
        gl_write_bitmap(ctx, &box, src + l->skip + y0 * l->row_stride,
                        ctx->unpack.skip_pixels % 8 + (unsigned)x0, l->row_stride);
    if (written != GL_WRITE_UNSUITABLE)
        return written == GL_WRITE_DONE;
    uint8_t *image = malloc((size_t)(x1 - x0) * (y1 - y0)), *pixel = image;
    if (!image)
        return false;
    for (GLsizei y = y0; y < y1; y++) {
        const uint8_t *row = src + l->skip + y * l->row_stride;
        for (GLsizei x = x0; x < x1; x++) {
            unsigned bit = ctx->unpack.skip_pixels % 8 + x, byte = row[bit / 8];
            bool set = ctx->unpack.lsb_first ? byte >> bit % 8 & 1 : byte >> (7 - bit % 8) & 1;
            *pixel++ = set ? 255 : 0;
        }
    }
    corner[0] += x0;
    corner[1] += y0;
    const struct gl_draw_source source =
        packed_source(image, DRV_FORMAT_R8_UNORM, x1 - x0, y1 - y0);
    bool ok = gl_draw_image(ctx, GL_IMAGE_BITMAP, &source);
    free(image);
    return ok;
}

/* Returns the lower left corner, rounded down (GL 4.6 compatibility §14.8). Window coordinates have
 * subpixel precision: a position less than half a subpixel below a pixel counts as that pixel. */
static float bitmap_corner(const struct gl_context *ctx, float position, float origin)
{
    float subpixels = 1 << ctx->consts.subpixel_bits;
    return floorf(rintf((position - origin) * subpixels) / subpixels);
}

void gl_Bitmap(GLsizei width, GLsizei height, GLfloat x_origin, GLfloat y_origin, GLfloat x_move,
               GLfloat y_move, const GLubyte *bitmap)
{
    GL_CONTEXT(ctx);
    struct gl_current_state *c = &ctx->current_attribs;
    struct gl_pixel_layout l;
    struct gl_pixel_mapping m;
    if (width < 0 || height < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glBitmap(%d × %d)", width, height);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    gl_update_framebuffer_state(ctx);
    if (!gl_check_framebuffer(ctx, GL_DRAW_FRAMEBUFFER, "glBitmap") ||
        !gl_validate_fragments(ctx, "glBitmap") || !c->raster_valid || discarded(ctx))
        return;
    if (!rendered(ctx)) {
        gl_feedback_token(ctx, GL_BITMAP_TOKEN);
    } else if (width && height) {
        gl_pixel_layout(&ctx->unpack, 2, width, height, 1, GL_COLOR_INDEX, GL_BITMAP, &l);
        if (!gl_pixel_map_client(ctx, &ctx->unpack, &l, bitmap, false, -1, "glBitmap", &m))
            return;
        float x = c->raster_pos[0], y = c->raster_pos[1];
        c->raster_pos[0] = bitmap_corner(ctx, x, x_origin);
        c->raster_pos[1] = bitmap_corner(ctx, y, y_origin);
        if (m.pointer && !draw_bitmap(ctx, width, height, &l, m.pointer))
            gl_error(ctx, GL_OUT_OF_MEMORY, "glBitmap");
        c->raster_pos[0] = x;
        c->raster_pos[1] = y;
        gl_pixel_unmap_client(ctx, &m);
    }
    c->raster_pos[0] += x_move;
    c->raster_pos[1] += y_move;
}
