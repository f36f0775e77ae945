/* SPDX-License-Identifier: MIT */
/* glBlitFramebuffer (GL 4.6 §18.3.1). */
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_format.h"
#include "gl_entry.h"
#include "util/format.h"

struct rect {
    GLint x0, y0, x1, y1;
};

/* flip: height of a framebuffer with MESA_framebuffer_flip_y; 0: rows are not flipped. */
static struct drv_blit_box box_of(const struct rect *r, const struct gl_surface *s, unsigned flip)
{
    struct drv_blit_box box = {
        r->x0, r->y0, s->drv.first_layer, (int64_t)r->x1 - r->x0, (int64_t)r->y1 - r->y0, 1};
    if (flip) {
        box.y = (int32_t)CLAMP((int64_t)flip - r->y0, INT32_MIN, INT32_MAX);
        box.height = -box.height;
    }
    return box;
}

/* Returns whether a color buffer stores components that its base format lacks. */
static bool stores_more(const struct gl_surface *s)
{
    const struct drv_format_desc *d = drv_format_desc(s->drv.format);
    const unsigned components = s->base == GL_RGB ? 3 : s->base == GL_RG ? 2 : 1;
    if (s->base != GL_RGB && s->base != GL_RG && s->base != GL_RED)
        return false;
    for (unsigned c = components; c < 4; c++)
        if (d->swizzle[c] <= DRV_SWIZZLE_W)
            return true;
    return false;
}

/* Returns the format that ignores the alpha of texels of a format; DRV_FORMAT_NONE: none. */
static enum drv_format opaque_format(enum drv_format format)
{
    static const enum drv_format pairs[][2] = {
        {DRV_FORMAT_R8G8B8A8_UNORM, DRV_FORMAT_R8G8B8X8_UNORM},
        {DRV_FORMAT_B8G8R8A8_UNORM, DRV_FORMAT_B8G8R8X8_UNORM},
        {DRV_FORMAT_R8G8B8A8_SRGB, DRV_FORMAT_R8G8B8X8_SRGB},
        {DRV_FORMAT_B8G8R8A8_SRGB, DRV_FORMAT_B8G8R8X8_SRGB},
        {DRV_FORMAT_R10G10B10A2_UNORM, DRV_FORMAT_R10G10B10X2_UNORM},
        {DRV_FORMAT_R16G16B16A16_UNORM, DRV_FORMAT_R16G16B16X16_UNORM},
        {DRV_FORMAT_R16G16B16A16_FLOAT, DRV_FORMAT_R16G16B16X16_FLOAT},
        {DRV_FORMAT_R32G32B32A32_FLOAT, DRV_FORMAT_R32G32B32X32_FLOAT},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(pairs); i++)
        if (pairs[i][0] == format)
            return pairs[i][1];
    return DRV_FORMAT_NONE;
}

/* Replaces s, a surface of the read framebuffer, by a single-sampled copy in which components that
 * the base format lacks are 0, or 1 for alpha. The caller drops the reference to s->drv.texture.
 * Returns false if out of memory. */
static bool copy_rebased(struct gl_context *ctx, struct gl_surface *s)
{
    const struct drv_resource templ = {
        .target = DRV_TEXTURE_2D,
        .format = s->drv.format,
        .width = s->width,
        .height = s->height,
        .depth = 1,
        .array_size = 1,
        .bind = s->drv.texture->bind,
        .nr_samples = 1,
    };
    struct drv_screen *screen = s->drv.texture->screen;
    const struct drv_box whole = {
        .width = (int32_t)s->width, .height = (int32_t)s->height, .depth = 1};
    struct gl_texels from = {
        .resource = s->drv.texture,
        .format = s->drv.format,
        .level = s->drv.level,
        .box = whole,
        .base = s->base,
    };
    struct gl_texels to = {.format = s->drv.format, .box = whole, .base = GL_RGBA};
    struct drv_resource *single = NULL;
    from.box.z = s->drv.first_layer;
    if (s->samples > 1) {
        const struct drv_blit_box box = {0, 0, 0, whole.width, whole.height, 1};
        struct drv_blit_info info = {
            .src = {from.resource, from.level, from.format, box},
            .dst = {NULL, 0, from.format, box},
            .mask = 1,
            .filter = DRV_FILTER_NEAREST,
        };
        single = screen->ops->resource_create(screen, &templ);
        if (!single)
            return false;
        info.src.box.z = from.box.z;
        info.dst.resource = from.resource = single;
        ctx->drv->ops->blit(ctx->drv, &info);
        from.level = 0;
        from.box.z = 0;
    }
    to.resource = screen->ops->resource_create(screen, &templ);
    const bool ok = to.resource && gl_pixels_convert(ctx, &to, &from, 0);
    drv_resource_reference(&single, NULL);
    if (!ok)
        drv_resource_reference(&to.resource, NULL);
    s->drv.texture = to.resource;
    s->drv.level = 0;
    s->drv.first_layer = s->drv.last_layer = 0;
    s->samples = 0;
    return ok;
}

static void blit_one(struct gl_context *ctx, const struct gl_surface *src,
                     const struct gl_surface *dst, const struct rect *from, const struct rect *to,
                     const struct drv_scissor *scissor, unsigned mask, GLenum filter)
{
    struct drv_blit_info info = {
        .src = {src->drv.texture, src->drv.level, src->drv.format,
                box_of(from, src, ctx->framebuffer.read->flip_y ? src->height : 0)},
        .dst = {dst->drv.texture, dst->drv.level, dst->drv.format,
                box_of(to, dst, ctx->framebuffer.flips ? ctx->framebuffer.height : 0)},
        .mask = mask,
        .filter = filter == GL_NEAREST ? DRV_FILTER_NEAREST : DRV_FILTER_LINEAR,
        .scissor_enable = true,
        .scissor = *scissor,
    };
    ctx->drv->ops->blit(ctx->drv, &info);
}

/* Blits the read color buffer to a draw buffer. Components that its base format lacks are 0, or 1
 * for alpha, whatever is stored. Returns false if out of memory. */
static bool blit_color(struct gl_context *ctx, const struct gl_surface *src,
                       const struct gl_surface *dst, const struct rect *from, const struct rect *to,
                       const struct drv_scissor *scissor, GLenum filter)
{
    const enum drv_format opaque = opaque_format(src->drv.format);
    struct gl_surface seen = *src;
    if (!stores_more(src) || dst->base == src->base) {
        blit_one(ctx, src, dst, from, to, scissor, 1, filter);
        return true;
    }
    if (src->base == GL_RGB && opaque) {
        seen.drv.format = opaque;
        blit_one(ctx, &seen, dst, from, to, scissor, 1, filter);
        return true;
    }
    if (dst->samples > 1) { /* sample by sample; the copy would have only one */
        blit_one(ctx, src, dst, from, to, scissor, 1, filter);
        return true;
    }
    if (!copy_rebased(ctx, &seen))
        return false;
    blit_one(ctx, &seen, dst, from, to, scissor, 1, filter);
    drv_resource_reference(&seen.drv.texture, NULL);
    return true;
}

static bool same_kind(enum drv_format a, enum drv_format b)
{
    return util_format_is_pure_sint(a) == util_format_is_pure_sint(b) &&
           util_format_is_pure_uint(a) == util_format_is_pure_uint(b);
}

/* Compares the depth components only; stencil bits may differ. */
static bool same_depth(enum drv_format a, enum drv_format b)
{
    return util_format_depth_bits(a) == util_format_depth_bits(b) &&
           util_format_is_float(a) == util_format_is_float(b);
}

/* Compares the stencil components, and the depth components if both formats have them. */
static bool same_stencil(enum drv_format a, enum drv_format b)
{
    return util_format_stencil_bits(a) == util_format_stencil_bits(b) &&
           (!util_format_has_depth(a) || !util_format_has_depth(b) || same_depth(a, b));
}

/* Returns whether both buffers have the same components. The order in which they are stored and
 * the color encoding may differ, as in Mesa. */
static bool same_components(const struct gl_surface *a, const struct gl_surface *b)
{
    for (unsigned c = 0; c < 4; c++)
        if (gl_format_bits(a->base, a->stored, c) != gl_format_bits(b->base, b->stored, c) ||
            gl_format_component_type(a->base, a->stored, c) !=
                gl_format_component_type(b->base, b->stored, c))
            return false;
    return true;
}

/* EXT_framebuffer_multisample_blit_scaled: both filters resolve first and then filter linearly. */
static bool is_scaled(GLenum filter)
{
    return filter == GL_SCALED_RESOLVE_FASTEST_EXT || filter == GL_SCALED_RESOLVE_NICEST_EXT;
}

struct blit {
    struct gl_surface color, depth, stencil; /* source buffers */
    struct gl_surface draw[DRV_MAX_COLOR_BUFS], draw_depth, draw_stencil;
    unsigned num_draw;
};

static bool same_image(const struct gl_surface *a, const struct gl_surface *b)
{
    return a->drv.texture == b->drv.texture && a->drv.level == b->drv.level &&
           a->drv.first_layer == b->drv.first_layer;
}

/* Intersects a box with a surface, if that has an image. */
static void limit_to(struct drv_box *box, const struct gl_surface *s)
{
    if (!s->drv.texture)
        return;
    box->width = MIN2(box->width, (int32_t)s->width);
    box->height = MIN2(box->height, (int32_t)s->height);
}

/* Gets the area that may be written: the intersection of the buffers that the blit writes, whatever
 * the sizes of other attachments (GL 4.6 §18.3.2), and the scissor rectangle. Returns false if it
 * is empty. */
static bool written_area(const struct gl_context *ctx, const struct blit *b, GLbitfield mask,
                         struct drv_scissor *area)
{
    struct drv_box box = {.width = UINT16_MAX, .height = UINT16_MAX};
    for (unsigned i = 0; mask & GL_COLOR_BUFFER_BIT && i < b->num_draw; i++)
        limit_to(&box, &b->draw[i]);
    if (mask & GL_DEPTH_BUFFER_BIT)
        limit_to(&box, &b->draw_depth);
    if (mask & GL_STENCIL_BUFFER_BIT)
        limit_to(&box, &b->draw_stencil);
    if (ctx->framebuffer.flips) /* y = 0 is at the framebuffer's height */
        box.height = MIN2(box.height, (int32_t)ctx->framebuffer.height);
    if (!gl_scissor_intersect(ctx, &box))
        return false;
    *area = (struct drv_scissor){box.x, box.y, box.x + box.width, box.y + box.height};
    return true;
}

/* Removes the pixels at both ends of [*min, *max) whose center maps outside [0, limit) of the
 * source. Scale and offset are those of the whole rectangles. */
static void clip_axis(unsigned *min, unsigned *max, int64_t dst_at, int64_t dst_size,
                      int64_t src_at, int64_t src_size, unsigned limit)
{
    const double scale = (double)src_size / (double)dst_size;
    const double offset = (double)src_at - scale * (double)dst_at;
    double at;
    while (*min < *max && ((at = scale * (*min + 0.5) + offset) < 0.0 || at >= limit))
        ++*min;
    while (*min < *max && ((at = scale * (*max - 0.5) + offset) < 0.0 || at >= limit))
        --*max;
}

/* Limits the area to pixels that all buffers to be read have (GL 4.6 §18.3.2). The driver does so
 * for each buffer alone. Returns false if the area becomes empty. */
static bool limit_to_sources(const struct gl_context *ctx, const struct blit *b, GLbitfield mask,
                             const struct rect *from, const struct rect *to,
                             struct drv_scissor *area)
{
    const struct gl_surface *read[] = {
        mask & GL_COLOR_BUFFER_BIT ? &b->color : NULL,
        mask & GL_DEPTH_BUFFER_BIT ? &b->depth : NULL,
        mask & GL_STENCIL_BUFFER_BIT ? &b->stencil : NULL,
    };
    unsigned width = UINT16_MAX, height = UINT16_MAX, most_wide = 0, most_high = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(read); i++) {
        if (!read[i])
            continue;
        width = MIN2(width, read[i]->width);
        height = MIN2(height, read[i]->height);
        most_wide = MAX2(most_wide, read[i]->width);
        most_high = MAX2(most_high, read[i]->height);
    }
    if (width >= most_wide && height >= most_high)
        return true;
    const struct drv_blit_box dst =
        box_of(to, &b->color, ctx->framebuffer.flips ? ctx->framebuffer.height : 0);
    unsigned x0 = area->minx, x1 = area->maxx, y0 = area->miny, y1 = area->maxy;
    clip_axis(&x0, &x1, dst.x, dst.width, from->x0, (int64_t)from->x1 - from->x0, width);
    clip_axis(&y0, &y1, dst.y, dst.height, from->y0, (int64_t)from->y1 - from->y0, height);
    *area = (struct drv_scissor){x0, y0, x1, y1};
    return x0 < x1 && y0 < y1;
}

/* Returns the sample count of the read framebuffer, whose buffers are known. Its window may be
 * another one than that of the draw framebuffer. */
static unsigned read_samples(struct gl_context *ctx, const struct blit *b)
{
    const struct gl_surface *s = b->color.drv.texture   ? &b->color
                                 : b->depth.drv.texture ? &b->depth
                                                        : &b->stencil;
    return s->drv.texture ? s->samples : gl_framebuffer_samples(ctx, ctx->framebuffer.read);
}

/* Returns which rule of ES alone the blit violates (ES 3.2 §16.2.1); NULL: none. */
static const char *es_error(const struct blit *b, GLbitfield mask, const struct rect *from,
                            const struct rect *to, unsigned src_samples, unsigned dst_samples)
{
    if (dst_samples)
        return "to a multisampled framebuffer";
    if (src_samples && memcmp(to, from, sizeof *to))
        return "multisampled and moved";
    for (unsigned i = 0; mask & GL_COLOR_BUFFER_BIT && i < b->num_draw; i++) {
        if (same_image(&b->color, &b->draw[i]))
            return "from a color buffer to itself";
        if (src_samples && b->draw[i].drv.texture && !same_components(&b->color, &b->draw[i]))
            return "multisampled, and color formats differ";
    }
    if ((mask & GL_DEPTH_BUFFER_BIT && same_image(&b->depth, &b->draw_depth)) ||
        (mask & GL_STENCIL_BUFFER_BIT && same_image(&b->stencil, &b->draw_stencil)))
        return "from a depth or stencil buffer to itself";
    return NULL;
}

/* Removes buffers that either framebuffer lacks from *mask, and checks the remaining ones. False:
 * an error was raised. */
static bool check(struct gl_context *ctx, struct blit *b, GLbitfield *mask, const struct rect *from,
                  const struct rect *to, GLenum filter, const char *call)
{
    struct gl_framebuffer *draw = ctx->framebuffer.draw;
    uint8_t of[DRV_MAX_COLOR_BUFS];
    b->num_draw = gl_draw_surfaces(ctx, b->draw, of);
    if (!gl_read_surface(ctx, &b->color) || !b->num_draw)
        *mask &= ~GL_COLOR_BUFFER_BIT;
    if (!gl_read_depth_surface(ctx, false, &b->depth) ||
        !gl_draw_depth_surface(ctx, false, &b->draw_depth))
        *mask &= ~GL_DEPTH_BUFFER_BIT;
    if (!gl_read_depth_surface(ctx, true, &b->stencil) ||
        !gl_draw_depth_surface(ctx, true, &b->draw_stencil))
        *mask &= ~GL_STENCIL_BUFFER_BIT;
    const unsigned src_samples = read_samples(ctx, b);
    const char *why = NULL;
    for (unsigned i = 0; *mask & GL_COLOR_BUFFER_BIT && i < b->num_draw; i++)
        if (b->draw[i].drv.texture && !same_kind(b->color.drv.format, b->draw[i].drv.format))
            why = "integer and other colors";
    if (*mask & GL_COLOR_BUFFER_BIT && filter != GL_NEAREST &&
        util_format_is_pure_integer(b->color.drv.format))
        why = "integers are not filtered";
    if ((*mask & GL_DEPTH_BUFFER_BIT &&
         !same_depth(b->depth.drv.format, b->draw_depth.drv.format)) ||
        (*mask & GL_STENCIL_BUFFER_BIT &&
         !same_stencil(b->stencil.drv.format, b->draw_stencil.drv.format)))
        why = "depth or stencil formats differ";
    if (gl_framebuffer_samples(ctx, draw) && gl_framebuffer_samples(ctx, draw) != src_samples &&
        src_samples)
        why = "numbers of samples differ";
    bool same_size = llabs((int64_t)to->x1 - to->x0) == llabs((int64_t)from->x1 - from->x0) &&
                     llabs((int64_t)to->y1 - to->y0) == llabs((int64_t)from->y1 - from->y0);
    if ((src_samples || gl_framebuffer_samples(ctx, draw)) && !same_size && !is_scaled(filter))
        why = "multisampled and scaled";
    if (is_scaled(filter) && (!src_samples || gl_framebuffer_samples(ctx, draw)))
        why = "not from a multisampled to a single-sampled framebuffer";
    if (gl_is_es(ctx) && !why)
        why = es_error(b, *mask, from, to, src_samples, gl_framebuffer_samples(ctx, draw));
    if (why)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s)", call, why);
    return !why;
}

/* Blits from the read framebuffer to the draw framebuffer. */
static void blit(struct gl_context *ctx, const struct rect *from, const struct rect *to,
                 GLbitfield mask, GLenum filter, const char *call)
{
    const GLbitfield zs = GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    struct drv_scissor area;
    struct blit b;
    FLUSH_VERTICES(ctx, 0);
    if (mask & ~(GL_COLOR_BUFFER_BIT | zs)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(mask=0x%x)", call, mask);
        return;
    }
    if (filter != GL_NEAREST && filter != GL_LINEAR &&
        !(is_scaled(filter) && ctx->ext.EXT_framebuffer_multisample_blit_scaled)) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(filter=%s)", call, gl_enum_name(filter));
        return;
    }
    if (mask & zs && filter != GL_NEAREST) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(depth or stencil, GL_LINEAR)", call);
        return;
    }
    gl_update_framebuffer_state(ctx);
    if (!gl_check_framebuffer(ctx, GL_READ_FRAMEBUFFER, call) ||
        !gl_check_framebuffer(ctx, GL_DRAW_FRAMEBUFFER, call) ||
        !check(ctx, &b, &mask, from, to, filter, call))
        return;
    if (from->x0 == from->x1 || from->y0 == from->y1 || to->x0 == to->x1 || to->y0 == to->y1 ||
        !written_area(ctx, &b, mask, &area) || !limit_to_sources(ctx, &b, mask, from, to, &area) ||
        !ctx->drv->ops->condition_passes(ctx->drv)) /* GL 4.6 §2.4, §10.9 */
        return;
    for (unsigned i = 0; mask & GL_COLOR_BUFFER_BIT && i < b.num_draw; i++)
        if (b.draw[i].drv.texture &&
            !blit_color(ctx, &b.color, &b.draw[i], from, to, &area, filter))
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    if ((mask & zs) == zs && same_image(&b.depth, &b.stencil) &&
        same_image(&b.draw_depth, &b.draw_stencil)) {
        blit_one(ctx, &b.depth, &b.draw_depth, from, to, &area, 2 | 4, GL_NEAREST);
        return;
    }
    if (mask & GL_DEPTH_BUFFER_BIT)
        blit_one(ctx, &b.depth, &b.draw_depth, from, to, &area, 2, GL_NEAREST);
    if (mask & GL_STENCIL_BUFFER_BIT)
        blit_one(ctx, &b.stencil, &b.draw_stencil, from, to, &area, 4, GL_NEAREST);
}

void gl_BlitFramebuffer(GLint sx0, GLint sy0, GLint sx1, GLint sy1, GLint dx0, GLint dy0, GLint dx1,
                        GLint dy1, GLbitfield mask, GLenum filter)
{
    GL_CONTEXT(ctx);
    blit(ctx, &(struct rect){sx0, sy0, sx1, sy1}, &(struct rect){dx0, dy0, dx1, dy1}, mask, filter,
         "glBlitFramebuffer");
}

void gl_BlitNamedFramebuffer(GLuint read, GLuint draw, GLint sx0, GLint sy0, GLint sx1, GLint sy1,
                             GLint dx0, GLint dy0, GLint dx1, GLint dy1, GLbitfield mask,
                             GLenum filter)
{
    GL_CONTEXT(ctx);
    const char *call = "glBlitNamedFramebuffer";
    struct gl_framebuffer *src = gl_named_framebuffer(ctx, read, call);
    struct gl_framebuffer *dst = src ? gl_named_framebuffer(ctx, draw, call) : NULL;
    if (!dst)
        return;
    src = gl_framebuffer_swap_binding(ctx, GL_READ_FRAMEBUFFER, src);
    dst = gl_framebuffer_swap_binding(ctx, GL_DRAW_FRAMEBUFFER, dst);
    blit(ctx, &(struct rect){sx0, sy0, sx1, sy1}, &(struct rect){dx0, dy0, dx1, dy1}, mask, filter,
         call);
    gl_framebuffer_swap_binding(ctx, GL_READ_FRAMEBUFFER, src);
    gl_framebuffer_swap_binding(ctx, GL_DRAW_FRAMEBUFFER, dst);
}
