/* SPDX-License-Identifier: MIT */
/* The accumulation buffer (GL 4.6 compatibility §17.4.4): a float image in addition to the window's
 * buffers. The CPU executes its operations. */
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/framebuffer/gl_drawable.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/pixel/gl_pixel.h"
#include "gl_entry.h"
#include "util/format.h"

void gl_ClearAccum(GLfloat r, GLfloat g, GLfloat b, GLfloat a)
{
    GL_CONTEXT(ctx);
    const float v[4] = {r, g, b, a};
    for (unsigned c = 0; c < 4; c++)
        ctx->accum.clear[c] = CLAMP(v[c], -1.0f, 1.0f);
}

/* Returns the accumulation buffer, created on first use. NULL: out of memory, or the drawable has
 * none. */
static struct drv_resource *accum_buffer(struct gl_context *ctx)
{
    struct gl_window *w = ctx->framebuffer.draw->name ? NULL : gl_draw_window(ctx);
    return w ? gl_window_buffer(ctx, w, GL_BUFFER_ACCUM) : NULL;
}

static bool scissored(const struct gl_context *ctx, const struct drv_resource *r,
                      struct drv_box *box)
{
    *box = (struct drv_box){.width = r->width, .height = r->height, .depth = 1};
    return gl_scissor_intersect(ctx, box);
}

void gl_clear_accum(struct gl_context *ctx)
{
    struct drv_resource *accum = accum_buffer(ctx);
    struct drv_box box;
    struct drv_transfer *t;
    if (!accum || !scissored(ctx, accum, &box) || !ctx->drv->ops->condition_passes(ctx->drv))
        return;
    uint8_t *map =
        ctx->drv->ops->map(ctx->drv, accum, 0, DRV_MAP_WRITE | DRV_MAP_DISCARD_RANGE, &box, &t);
    for (int y = 0; map && y < box.height; y++)
        for (int x = 0; x < box.width; x++)
            memcpy(map + (size_t)y * t->stride + 16 * x, ctx->accum.clear, 16);
    if (map)
        ctx->drv->ops->unmap(ctx->drv, t);
}

/* Computes acc = scale * acc + factor * color + bias. Colors come from the read buffer; read is
 * NULL if factor is 0. */
static bool accumulate(struct gl_context *ctx, struct drv_resource *accum,
                       const struct drv_box *area, const struct gl_surface *read, float scale,
                       float factor, float bias)
{
    struct drv_transfer *ta, *tr;
    struct drv_box box = *area;
    if (read) {
        box.width = MIN2(box.width, (int)read->width - box.x);
        box.height = MIN2(box.height, (int)read->height - box.y);
        if (box.width <= 0 || box.height <= 0)
            return true;
    }
    float(*row)[4] = calloc(box.width, sizeof *row);
    uint8_t *acc =
        row ? ctx->drv->ops->map(ctx->drv, accum, 0, DRV_MAP_READ | DRV_MAP_WRITE, &box, &ta)
            : NULL;
    uint8_t *src = acc && read ? ctx->drv->ops->map(ctx->drv, read->drv.texture, read->drv.level,
                                                    DRV_MAP_READ, &box, &tr)
                               : NULL;
    bool ok = acc && (src || !read);
    for (int y = 0; ok && y < box.height; y++) {
        float *a = (float *)(acc + (size_t)y * ta->stride);
        if (src) {
            util_format_unpack_float(read->drv.format, row, src + (size_t)y * tr->stride,
                                     box.width);
            gl_pixels_rebase(read->base, row, box.width, false);
        }
        for (int i = 0; i < 4 * box.width; i++)
            a[i] = scale * a[i] + factor * row[i / 4][i % 4] + bias;
    }
    if (src)
        ctx->drv->ops->unmap(ctx->drv, tr);
    if (acc)
        ctx->drv->ops->unmap(ctx->drv, ta);
    free(row);
    return ok;
}

/* Writes accumulated colors to a draw buffer, subject to its write mask. */
static bool give_back(struct gl_context *ctx, struct drv_resource *accum, const struct drv_box *box,
                      const struct gl_surface *s, uint8_t mask, float scale)
{
    struct drv_transfer *ta, *td;
    float(*row)[4] = malloc(box->width * sizeof *row);
    uint8_t *acc = row ? ctx->drv->ops->map(ctx->drv, accum, 0, DRV_MAP_READ, box, &ta) : NULL;
    uint8_t *dst = acc ? ctx->drv->ops->map(ctx->drv, s->drv.texture, s->drv.level,
                                            DRV_MAP_READ | DRV_MAP_WRITE, box, &td)
                       : NULL;
    for (int y = 0; dst && y < box->height; y++) {
        const float *a = (const float *)(acc + (size_t)y * ta->stride);
        uint8_t *p = dst + (size_t)y * td->stride;
        util_format_unpack_float(s->drv.format, row, p, box->width);
        for (int i = 0; i < 4 * box->width; i++)
            if (mask & 1 << i % 4)
                row[i / 4][i % 4] = CLAMP(a[i] * scale, 0.0f, 1.0f);
        util_format_pack_float(s->drv.format, p, (const float(*)[4])row, box->width);
    }
    if (dst)
        ctx->drv->ops->unmap(ctx->drv, td);
    if (acc)
        ctx->drv->ops->unmap(ctx->drv, ta);
    free(row);
    return dst;
}

static bool run(struct gl_context *ctx, GLenum op, GLfloat value, struct drv_resource *accum,
                const struct drv_box *box)
{
    struct gl_surface read, draw[DRV_MAX_COLOR_BUFS];
    uint8_t of[DRV_MAX_COLOR_BUFS];
    bool ok = true;
    switch (op) {
    case GL_ADD:
        return accumulate(ctx, accum, box, NULL, 1.0f, 0.0f, value);
    case GL_MULT:
        return accumulate(ctx, accum, box, NULL, value, 0.0f, 0.0f);
    case GL_ACCUM:
    case GL_LOAD:
        if (!gl_read_surface(ctx, &read))
            return true;
        return accumulate(ctx, accum, box, &read, op == GL_ACCUM ? 1.0f : 0.0f, value, 0.0f);
    default: {
        unsigned n = gl_draw_surfaces(ctx, draw, of);
        for (unsigned i = 0; i < n; i++)
            if (draw[i].drv.texture)
                ok &= give_back(ctx, accum, box, &draw[i], ctx->color.mask[of[i]], value);
        return ok;
    }
    }
}

void gl_Accum(GLenum op, GLfloat value)
{
    GL_CONTEXT(ctx);
    struct drv_box box;
    if (op != GL_ACCUM && op != GL_LOAD && op != GL_ADD && op != GL_MULT && op != GL_RETURN) {
        gl_error(ctx, GL_INVALID_ENUM, "glAccum(op=%s)", gl_enum_name(op));
        return;
    }
    bool window = !ctx->framebuffer.draw->name && !ctx->framebuffer.read->name;
    const struct gl_visual *v = ctx->draw_drawable ? &ctx->draw_drawable->visual : &ctx->visual;
    FLUSH_VERTICES(ctx, 0);
    if (!window || !v->accum_bits) {
        gl_error(ctx, GL_INVALID_OPERATION, "glAccum(no accumulation buffer)");
        return;
    }
    gl_update_framebuffer_state(ctx);
    if (!gl_check_framebuffer(ctx, GL_DRAW_FRAMEBUFFER, "glAccum") ||
        ctx->render_mode != GL_RENDER ||
        !ctx->drv->ops->condition_passes(ctx->drv)) /* GL 4.6 §10.9 */
        return;
    struct drv_resource *accum = accum_buffer(ctx);
    if (!accum)
        gl_error(ctx, GL_OUT_OF_MEMORY, "glAccum");
    else if (scissored(ctx, accum, &box) && !run(ctx, op, value, accum, &box))
        gl_error(ctx, GL_OUT_OF_MEMORY, "glAccum");
}
