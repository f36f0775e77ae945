/* SPDX-License-Identifier: MIT */
/*
 * Direct writes of pixel rectangles (GL 4.6 compatibility §18.1). Pixels are picked from the source
 * according to the pixel zoom, a band of rows at a time, and the driver converts each band. If the
 * zoom picks adjacent pixels, the driver reads them directly from the source.
 *
 * A write waits until all scenes that use the buffer have ended; drawing doesn't. Small rectangles
 * are therefore drawn unless the buffer is idle.
 */
#include "gl/draw/gl_write_pixels.h"

#include <math.h>
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/draw/gl_query.h"
#include "gl/fixed/gl_ff.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/program/gl_asm.h"
#include "gl/program/gl_program.h"
#include "gl/texture/gl_mirror.h"
#include "util/format.h"
#include "util/pixel_moves.h"

/* The smallest rectangle that is worth a wait for the buffer, in pixels: shading it takes longer
 * than ending a scene. */
#define WAIT_PIXELS (256 * 256)

/* --------------------------------------------------------------------------------- geometry --- */

/* Returns the first of `size` pixels whose center is not left of an edge, which may be any float; 0
 * for NaN. */
static int first_pixel(float edge, unsigned size)
{
    return (int)MIN2(MAX2(ceilf(edge - 0.5f), 0.0f), (float)size);
}

bool gl_write_box(const struct gl_context *ctx, const struct gl_surface *s, GLsizei width,
                  GLsizei height, struct drv_box *box)
{
    const float *pos = ctx->current_attribs.raster_pos;
    float ex = pos[0] + ctx->pixel.zoom_x * width, ey = pos[1] + ctx->pixel.zoom_y * height;
    int x0 = first_pixel(MIN2(pos[0], ex), s->width), y0 = first_pixel(MIN2(pos[1], ey), s->height);
    int x1 = first_pixel(MAX2(pos[0], ex), s->width), y1 = first_pixel(MAX2(pos[1], ey), s->height);
    *box = (struct drv_box){x0, y0, s->drv.first_layer, x1 - x0, y1 - y0, 1};
    if (ctx->framebuffer.flips)
        box->y = (int)ctx->framebuffer.height - y1;
    return gl_scissor_intersect(ctx, box);
}

/* Returns the source column or row that is drawn at a pixel. */
static int source_of(int pixel, float start, float zoom, GLsizei size)
{
    return (int)MIN2(MAX2(floorf((pixel + 0.5f - start) / zoom), 0.0f), (float)(size - 1));
}

/* Source columns and rows of a box. */
struct pick {
    const struct gl_write_source *source;
    uint32_t *column;  /* [i]: of the box's column i; owned */
    bool adjacent;     /* column[i] is column[0] + i */
    int y;             /* first row of the box */
    int mirror;        /* GL's y of buffer row i is mirror - i in a flipped framebuffer; else -1 */
    float start, zoom; /* start and zoom of rows, see source_of */
    unsigned bytes;    /* size of a pixel */
    /* Columns with equal distances (zooms 1/2, 1/3 …), or a column for `repeats` adjacent ones (2,
     * 3 …): their pixels are picked by moving bytes. repeats: 0 if neither is the case. */
    int repeats;
    struct util_pixel_moves moves;
};

#define MOST_MOVED 16 /* bytes of a texel of util_pixel_moves */

/* Initializes the moves of bytes that pick the columns, if there are any. */
static void init_moves(struct pick *p, int width)
{
    const uint32_t *c = p->column;
    if (width < 4 || p->adjacent || !p->bytes)
        return;
    const uint32_t step = c[1] - c[0];
    int repeats = 1;
    while (repeats < width && c[repeats] == c[0])
        repeats++;
    for (int x = 0; x < width; x++)
        if (c[x] - c[0] != (repeats > 1 ? (uint32_t)(x / repeats) : x * step))
            return;
    if (repeats * p->bytes > MOST_MOVED || (repeats == 1 && (step > 8 || p->bytes > MOST_MOVED)))
        return;
    p->repeats = repeats;
    util_pixel_moves_clear(&p->moves, repeats * p->bytes, (repeats > 1 ? 1 : step) * p->bytes);
    for (unsigned b = 0; b < repeats * p->bytes; b++)
        p->moves.from[b] = b % p->bytes;
    util_pixel_moves_prepare(&p->moves);
}

static bool pick_init(struct pick *p, const struct gl_context *ctx, const struct drv_box *box,
                      const struct gl_write_source *source)
{
    const float *pos = ctx->current_attribs.raster_pos;
    *p = (struct pick){
        .source = source,
        .column = malloc(box->width * sizeof *p->column),
        .adjacent = true,
        .y = box->y,
        .mirror = ctx->framebuffer.flips ? (int)ctx->framebuffer.height - 1 : -1,
        .start = pos[1],
        .zoom = ctx->pixel.zoom_y,
        .bytes = source->pixel_bytes,
    };
    for (int x = 0; p->column && x < box->width; x++) {
        p->column[x] = source_of(box->x + x, pos[0], ctx->pixel.zoom_x, source->width);
        p->adjacent = p->adjacent && p->column[x] == p->column[0] + x;
    }
    if (p->column)
        init_moves(p, box->width);
    return p->column;
}

/* Returns the source row of row y of the box. */
static const uint8_t *row_of(const struct pick *p, int y)
{
    int at = p->mirror < 0 ? p->y + y : p->mirror - p->y - y;
    return p->source->data +
           source_of(at, p->start, p->zoom, p->source->height) * p->source->stride;
}

/* Returns whether the box's rows are `step` bytes apart in the source. */
static bool is_even(const struct pick *p, int rows, ptrdiff_t *step)
{
    *step = rows > 1 ? row_of(p, 1) - row_of(p, 0) : 0;
    for (int y = 2; y < rows; y++)
        if (row_of(p, y) - row_of(p, y - 1) != *step)
            return false;
    return true;
}

static inline __attribute__((always_inline)) void
pick_n(uint8_t *dst, const uint8_t *src, const uint32_t *column, size_t width, size_t bytes)
{
    for (size_t x = 0; x < width; x++)
        memcpy(dst + x * bytes, src + column[x] * bytes, bytes);
}

/* Copies the pixels of a row. */
static void pick_row(const struct pick *p, uint8_t *dst, const uint8_t *src, size_t width)
{
    if (p->repeats) {
        const size_t whole = width / p->repeats, done = whole * p->repeats;
        /* fewer by one: the last texel may end before the pixels between it and the next one */
        util_pixel_moves_row(&p->moves, dst, src + p->column[0] * p->bytes, (uint32_t)whole - 1);
        for (size_t x = done - p->repeats; x < width; x++)
            memcpy(dst + x * p->bytes, src + p->column[x] * p->bytes, p->bytes);
        return;
    }
    switch (p->bytes) {
    case 1:
        pick_n(dst, src, p->column, width, 1);
        break;
    case 2:
        pick_n(dst, src, p->column, width, 2);
        break;
    case 4:
        pick_n(dst, src, p->column, width, 4);
        break;
    case 8:
        pick_n(dst, src, p->column, width, 8);
        break;
    case 16:
        pick_n(dst, src, p->column, width, 16);
        break;
    default:
        pick_n(dst, src, p->column, width, p->bytes);
    }
}

#define BAND_BYTES (256u << 10) /* picked pixels per band, to stay in the cache */

/* Copies the pixels of rows y to end - 1 of the box. Rows of the same source row are copied. */
static void pick_rows(const struct pick *p, int y, int end, size_t width, uint8_t *picked)
{
    const size_t bytes = width * p->bytes;
    const uint8_t *last = NULL;
    for (; y < end; y++, picked += bytes) {
        const uint8_t *from = row_of(p, y);
        if (from == last)
            memcpy(picked, picked - bytes, bytes);
        else
            pick_row(p, picked, from, width);
        last = from;
    }
}

bool gl_write_pick(const struct gl_context *ctx, const struct drv_box *box,
                   const struct gl_write_source *source, uint8_t *picked)
{
    struct pick pick;
    bool ok = pick_init(&pick, ctx, box, source);
    if (ok)
        pick_rows(&pick, 0, box->height, box->width, picked);
    free(pick.column);
    return ok;
}

/* Writes the box from picked pixels. */
static bool write_picked(struct gl_context *ctx, const struct gl_surface *s, struct drv_box box,
                         const struct pick *p, struct drv_pixels *pixels)
{
    const size_t row = (size_t)box.width * p->bytes;
    const int rows = MIN2((int)MAX2(BAND_BYTES / row & ~3u, 4u), box.height), end = box.height;
    uint8_t *picked = malloc(row * rows);
    bool ok = picked;
    pixels->data = picked;
    pixels->stride = (ptrdiff_t)row;
    for (int y = 0; ok && y < end; y += rows) {
        box.y = p->y + y;
        box.height = MIN2(rows, end - y);
        pick_rows(p, y, y + box.height, box.width, picked);
        ok = ctx->drv->ops->image_write(ctx->drv, s->drv.texture, s->drv.format, s->drv.level, &box,
                                        pixels);
    }
    free(picked);
    return ok;
}

/* Writes a box of the surface. Each pixel is converted from the pixel of the source that is drawn
 * there. pixels: format or conversion of the source; its data and strides are ignored. Returns
 * false if out of memory. */
static bool write_image(struct gl_context *ctx, const struct gl_surface *s,
                        const struct drv_box *box, const struct gl_write_source *source,
                        const struct drv_pixels *pixels)
{
    struct drv_pixels p = *pixels;
    struct pick pick;
    if (gl_has_mirror(s->drv.texture))
        gl_mirror_draw(ctx, s->drv.texture);
    bool ok = pick_init(&pick, ctx, box, source);
    if (ok && pick.adjacent && is_even(&pick, box->height, &p.stride)) {
        p.data = (uint8_t *)row_of(&pick, 0) + (size_t)pick.column[0] * pick.bytes;
        ok = ctx->drv->ops->image_write(ctx->drv, s->drv.texture, s->drv.format, s->drv.level, box,
                                        &p);
    } else if (ok) {
        ok = write_picked(ctx, s, *box, &pick, &p);
    }
    free(pick.column);
    return ok;
}

/* ------------------------------------------------------------------------------------ state --- */

/* Returns whether fragments reach the buffers' color write with the colors of the pixels: no
 * program, test or operation changes, discards or counts them. */
static bool keeps_fragments(struct gl_context *ctx)
{
    const struct gl_multisample_state *m = &ctx->multisample;
    return !ctx->color.alpha_enabled && !ctx->color.blend_enabled && !ctx->color.logic_op_enabled &&
           !ctx->depth.test && !ctx->depth.bounds_test && !ctx->stencil.enabled &&
           !m->alpha_to_coverage && !m->alpha_to_one && !m->sample_coverage &&
           !m->sample_mask_enabled && !gl_queries_observe_draws(ctx) &&
           !gl_stage_executable(ctx, SHADER_FRAGMENT) && !gl_asm_executable(ctx, SHADER_FRAGMENT) &&
           gl_ff_keeps_colors(ctx);
}

/* Returns whether a box of the surface may be written now. */
static bool may_write(const struct gl_context *ctx, const struct gl_surface *s,
                      const struct drv_box *box)
{
    return (int64_t)box->width * box->height >= WAIT_PIXELS ||
           ctx->drv->ops->image_is_idle(ctx->drv, s->drv.texture);
}

/* The surfaces that a rectangle of colors is written to, and its box in them. */
struct targets {
    struct gl_surface surface[DRV_MAX_COLOR_BUFS];
    unsigned count;
    struct drv_box box; /* empty if it has no width; z differs by surface */
};

/* Returns whether colors can be written to a surface directly. */
static bool takes_colors(const struct gl_context *ctx, const struct gl_surface *s, unsigned draw)
{
    const bool base =
        s->base == GL_RED || s->base == GL_RG || s->base == GL_RGB || s->base == GL_RGBA;
    return s->samples <= 1 && base && (ctx->color.mask[draw] & 0xf) == 0xf &&
           !util_format_is_pure_integer(s->drv.format);
}

/* Finds the surfaces for a rectangle at the raster position, or for t->box if width is 0. Returns
 * false if colors can't be written to one of them directly. */
static bool find_targets(struct gl_context *ctx, GLsizei width, GLsizei height, struct targets *t)
{
    uint8_t draw_of[DRV_MAX_COLOR_BUFS];
    t->count = gl_draw_surfaces(ctx, t->surface, draw_of);
    bool any = false;
    for (unsigned i = 0; i < t->count; i++) {
        struct gl_surface *s = &t->surface[i];
        if (!s->drv.texture)
            continue;
        if (!takes_colors(ctx, s, draw_of[i]))
            return false;
        s->width = MIN2(s->width, ctx->framebuffer.width);
        s->height = MIN2(s->height, ctx->framebuffer.height);
        if (!any && !(width ? gl_write_box(ctx, s, width, height, &t->box)
                            : gl_scissor_intersect(ctx, &t->box))) {
            t->count = 0;
            return true;
        }
        /* Another context may have made an image smaller than this context knows. */
        t->box.width = MIN2(t->box.width, (int)s->width - t->box.x);
        t->box.height = MIN2(t->box.height, (int)s->height - t->box.y);
        if (t->box.width <= 0 || t->box.height <= 0) {
            t->count = 0;
            return true;
        }
        any = true;
        if (!may_write(ctx, s, &t->box))
            return false;
    }
    return true;
}

/* Converts client pixels to texels of a surface. Returns false if there is no conversion. */
static bool describe(const struct gl_context *ctx, struct gl_client_pixels *client,
                     const struct gl_surface *s, const struct gl_pixel_spec *form,
                     const struct gl_pixel_layout *l, const uint8_t *src)
{
    struct gl_pixel_spec clamped = *form;
    if (gl_clamps_fragments(ctx) && !ctx->framebuffer.clamps)
        clamped.ops |= GL_PIXEL_CLAMP;
    return gl_pixels_describe(ctx, client, s->drv.format, &clamped, l, src);
}

enum gl_write_result gl_write_colors(struct gl_context *ctx, GLsizei width, GLsizei height,
                                     const struct gl_pixel_spec *form,
                                     const struct gl_pixel_layout *l, const uint8_t *src)
{
    const struct gl_write_source source = {width, height, src + l->skip, l->row_stride,
                                           l->pixel_bytes};
    struct gl_client_pixels client;
    struct targets t;
    if (!keeps_fragments(ctx) || !find_targets(ctx, width, height, &t))
        return GL_WRITE_UNSUITABLE;
    /* no surface is written if there is no conversion for a later one */
    for (unsigned i = 1; i < t.count; i++)
        if (t.surface[i].drv.texture && !describe(ctx, &client, &t.surface[i], form, l, src))
            return GL_WRITE_UNSUITABLE;
    for (unsigned i = 0; i < t.count; i++) {
        const struct gl_surface *s = &t.surface[i];
        if (!s->drv.texture)
            continue;
        t.box.z = (int)s->drv.first_layer;
        if (!describe(ctx, &client, s, form, l, src))
            return GL_WRITE_UNSUITABLE;
        if (!write_image(ctx, s, &t.box, &source, &client.pixels))
            return GL_WRITE_NO_MEMORY;
    }
    return GL_WRITE_DONE;
}

enum gl_write_result gl_write_texels(struct gl_context *ctx, const struct gl_write_source *source,
                                     enum drv_format format)
{
    const struct drv_pixels pixels = {
        .format = format,
        .swizzle = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
    };
    struct targets t;
    if (!keeps_fragments(ctx) || (gl_clamps_fragments(ctx) && !ctx->framebuffer.clamps) ||
        !find_targets(ctx, source->width, source->height, &t))
        return GL_WRITE_UNSUITABLE;
    for (unsigned i = 0; i < t.count; i++)
        if (util_format_is_srgb(t.surface[i].drv.format)) /* image_write doesn't encode */
            return GL_WRITE_UNSUITABLE;
    for (unsigned i = 0; i < t.count; i++) {
        const struct gl_surface *s = &t.surface[i];
        t.box.z = (int)s->drv.first_layer;
        if (s->drv.texture && !write_image(ctx, s, &t.box, source, &pixels))
            return GL_WRITE_NO_MEMORY;
    }
    return GL_WRITE_DONE;
}

/* ---------------------------------------------------------------------------------- bitmaps --- */

/* The smallest bitmap that is written directly, in pixels. Smaller ones, which are glyphs, are
 * drawn in one scene. */
#define BITMAP_PIXELS 1024

/* Stores a texel where bits are set, starting with bit `skip`. */
static void set_texels(uint8_t *row, int width, const uint8_t *bits, unsigned skip, bool lsb_first,
                       const uint8_t *texel, unsigned bytes)
{
    for (int x = 0; x < width;) {
        const unsigned bit = skip + x, count = MIN2(8 - bit % 8, (unsigned)(width - x));
        unsigned byte = bits[bit / 8];
        byte = lsb_first ? byte >> bit % 8 : byte << bit % 8;
        for (unsigned i = 0; i < count && byte & 0xff; i++) {
            if (byte & (lsb_first ? 1 : 0x80))
                memcpy(row + (size_t)(x + i) * bytes, texel, bytes);
            byte = lsb_first ? byte >> 1 : byte << 1;
        }
        x += (int)count;
    }
}

/* Computes the raster color as a texel. Returns false if there is no conversion. */
static bool color_texel(const struct gl_context *ctx, enum drv_format format, uint8_t texel[16])
{
    const struct util_conversion_desc d = {
        .dst = format,
        .src = DRV_FORMAT_R32G32B32A32_FLOAT,
        .in = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
        .out = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
        .clamp = gl_clamps_fragments(ctx) && !ctx->framebuffer.clamps,
    };
    struct util_conversion v;
    if (!util_conversion_init(&v, &d))
        return false;
    util_convert_row(&v, texel, ctx->current_attribs.raster_color, 1);
    return true;
}

/* Writes a bitmap to one surface, a band of rows at a time. */
static enum gl_write_result write_bits(struct gl_context *ctx, const struct gl_surface *s,
                                       struct drv_box box, const uint8_t *bits, unsigned skip,
                                       ptrdiff_t stride)
{
    const enum drv_format raw = util_format_linear(s->drv.format);
    const unsigned bytes = drv_format_desc(raw)->block_bytes;
    const size_t row = (size_t)box.width * bytes;
    const int rows = MIN2((int)MAX2(BAND_BYTES / row & ~3u, 4u), box.height), end = box.height;
    uint8_t texel[16];
    struct drv_pixels pixels = {
        .format = raw,
        .swizzle = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
        .stride = (ptrdiff_t)row,
    };
    if (!color_texel(ctx, s->drv.format, texel))
        return GL_WRITE_UNSUITABLE;
    if (gl_has_mirror(s->drv.texture))
        gl_mirror_draw(ctx, s->drv.texture);
    uint8_t *band = malloc(row * rows);
    bool ok = band;
    pixels.data = band;
    box.z = (int)s->drv.first_layer;
    for (int y = 0; ok && y < end; y += rows, box.y += rows) {
        box.height = MIN2(rows, end - y);
        ok = ctx->drv->ops->image_read(ctx->drv, s->drv.texture, s->drv.format, s->drv.level, &box,
                                       &pixels);
        for (int i = 0; ok && i < box.height; i++, bits += stride)
            set_texels(band + i * row, box.width, bits, skip, ctx->unpack.lsb_first, texel, bytes);
        ok = ok && ctx->drv->ops->image_write(ctx->drv, s->drv.texture, s->drv.format, s->drv.level,
                                              &box, &pixels);
    }
    free(band);
    return ok ? GL_WRITE_DONE : GL_WRITE_NO_MEMORY;
}

enum gl_write_result gl_write_bitmap(struct gl_context *ctx, const struct drv_box *box,
                                     const uint8_t *bits, unsigned skip, ptrdiff_t stride)
{
    struct targets t = {.box = *box};
    enum gl_write_result result = GL_WRITE_DONE;
    if ((int64_t)box->width * box->height < BITMAP_PIXELS || ctx->framebuffer.flips ||
        !keeps_fragments(ctx) || !find_targets(ctx, 0, 0, &t))
        return GL_WRITE_UNSUITABLE;
    bits += (t.box.y - box->y) * stride;
    skip += (unsigned)(t.box.x - box->x);
    for (unsigned i = 0; result == GL_WRITE_DONE && i < t.count; i++)
        if (t.surface[i].drv.texture)
            result = write_bits(ctx, &t.surface[i], t.box, bits, skip, stride);
    return result;
}

/* ------------------------------------------------------------------------ depth and stencil --- */

enum gl_write_result gl_write_depth_stencil(struct gl_context *ctx, GLsizei width, GLsizei height,
                                            const struct gl_pixel_spec *form,
                                            const struct gl_pixel_layout *l, const uint8_t *src)
{
    const struct gl_write_source source = {width, height, src + l->skip, l->row_stride,
                                           l->pixel_bytes};
    const bool depth = form->format == GL_DEPTH_STENCIL;
    struct gl_client_pixels client;
    struct gl_surface s, other;
    struct drv_box box;
    if (!gl_draw_depth_surface(ctx, true, &s) || s.samples > 1 ||
        (ctx->stencil.write_mask[0] & GL_STENCIL_MAX) != GL_STENCIL_MAX)
        return GL_WRITE_UNSUITABLE;
    if (depth && (!ctx->depth.mask || !gl_draw_depth_surface(ctx, false, &other) ||
                  other.drv.texture != s.drv.texture || other.drv.format != s.drv.format ||
                  other.drv.level != s.drv.level || other.drv.first_layer != s.drv.first_layer))
        return GL_WRITE_UNSUITABLE;
    if (!gl_pixels_describe(ctx, &client, s.drv.format, form, l, src))
        return GL_WRITE_UNSUITABLE;
    return !gl_write_box(ctx, &s, width, height, &box) ||
                   write_image(ctx, &s, &box, &source, &client.pixels)
               ? GL_WRITE_DONE
               : GL_WRITE_NO_MEMORY;
}
