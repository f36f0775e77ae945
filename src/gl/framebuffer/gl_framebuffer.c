/* SPDX-License-Identifier: MIT */
/*
 * Framebuffers for the rest of the API: draw and read surfaces, completeness, framebuffer objects,
 * and the driver's framebuffer state.
 */
#include "gl/framebuffer/gl_framebuffer.h"

#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/framebuffer/gl_drawable.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_mirror.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"
#include "util/check.h"
#include "util/format.h"
#include "util/macros.h"
#include "util/refcount.h"

/* --------------------------------------------------------------------------------- surfaces --- */

static bool is_window(const struct gl_framebuffer *fb)
{
    return fb->name == 0;
}

/* Returns the format to render with. sRGB encoding applies only if GL_FRAMEBUFFER_SRGB is
 * enabled. */
static enum drv_format render_format(const struct gl_context *ctx, enum drv_format format)
{
    return ctx->color.srgb ? format : util_format_linear(format);
}

static void resource_surface(struct gl_context *ctx, struct drv_resource *resource, GLenum base,
                             struct gl_surface *surface)
{
    memset(surface, 0, sizeof *surface);
    if (!resource)
        return;
    surface->drv.texture = resource;
    surface->drv.format = render_format(ctx, resource->format);
    surface->stored = resource->format;
    surface->base = base;
    surface->width = resource->width;
    surface->height = resource->height;
    surface->samples = resource->nr_samples > 1 ? resource->nr_samples : 0;
}

static void window_color_surface(struct gl_context *ctx, struct gl_window *w,
                                 enum gl_buffer_index buffer, struct gl_surface *surface)
{
    bool alpha = util_format_has_alpha(w->drawable->visual.color);
    resource_surface(ctx, gl_window_buffer(ctx, w, buffer), alpha ? GL_RGBA : GL_RGB, surface);
}

static void attachment_surface(struct gl_context *ctx, struct gl_attachment *a, bool depth,
                               struct gl_surface *surface)
{
    memset(surface, 0, sizeof *surface);
    if (a->type == GL_RENDERBUFFER && a->renderbuffer) {
        resource_surface(ctx, a->renderbuffer->resource, a->renderbuffer->base, surface);
    } else if (a->type == GL_TEXTURE && a->texture) {
        struct gl_image *image = &a->texture->image[a->face][a->level];
        struct drv_surface drv = {0};
        if (!image->internal || !gl_texture_renderable(a->texture, a->face, a->level, &drv))
            return;
        if (a->layered) {
            unsigned layers = drv.texture->target == DRV_TEXTURE_3D
                                  ? drv_minify(drv.texture->depth, drv.level)
                                  : gl_texture_layers(a->texture);
            drv.last_layer = drv.first_layer + layers - 1;
        } else if (a->layer || a->views) {
            drv.first_layer += a->layer;
            drv.last_layer = drv.first_layer + MAX2(a->views, 1) - 1;
        }
        surface->drv = drv;
        surface->stored = drv.format;
        if (!depth)
            surface->drv.format = render_format(ctx, drv.format);
        surface->base = image->base;
        surface->width = image->width;
        surface->height = a->texture->index == GL_TEXTURE_INDEX_1D_ARRAY ? 1 : image->height;
        surface->samples = image->samples;
    }
}

/* Gets the window's buffers that a draw buffer enumerant names. Returns their number, at most 4. */
static unsigned window_buffers(const struct gl_drawable *d, GLenum name,
                               enum gl_buffer_index out[4])
{
    bool back = d->visual.double_buffered, right = d->visual.stereo;
    unsigned n = 0;
#define ADD(when, index)                                                                           \
    if (when)                                                                                      \
    NEXT_WITHIN(out, n, 4) = index
    switch (name) {
    case GL_FRONT_LEFT:
        ADD(true, GL_BUFFER_FRONT_LEFT);
        break;
    case GL_FRONT_RIGHT:
        ADD(right, GL_BUFFER_FRONT_RIGHT);
        break;
    case GL_BACK_LEFT:
        ADD(back, GL_BUFFER_BACK_LEFT);
        break;
    case GL_BACK_RIGHT:
        ADD(back && right, GL_BUFFER_BACK_RIGHT);
        break;
    case GL_FRONT:
        ADD(true, GL_BUFFER_FRONT_LEFT);
        ADD(right, GL_BUFFER_FRONT_RIGHT);
        break;
    case GL_BACK: /* in ES, single-buffered surfaces have only this buffer */
        ADD(true, back ? GL_BUFFER_BACK_LEFT : GL_BUFFER_FRONT_LEFT);
        ADD(back && right, GL_BUFFER_BACK_RIGHT);
        break;
    case GL_LEFT:
        ADD(true, GL_BUFFER_FRONT_LEFT);
        ADD(back, GL_BUFFER_BACK_LEFT);
        break;
    case GL_RIGHT:
        ADD(right, GL_BUFFER_FRONT_RIGHT);
        ADD(back && right, GL_BUFFER_BACK_RIGHT);
        break;
    case GL_FRONT_AND_BACK:
        ADD(true, GL_BUFFER_FRONT_LEFT);
        ADD(back, GL_BUFFER_BACK_LEFT);
        ADD(right, GL_BUFFER_FRONT_RIGHT);
        ADD(back && right, GL_BUFFER_BACK_RIGHT);
        break;
    default:
        break;
    }
#undef ADD
    return n;
}

static unsigned window_draw_surfaces(struct gl_context *ctx, struct gl_framebuffer *fb,
                                     struct gl_surface surfaces[DRV_MAX_COLOR_BUFS],
                                     uint8_t draw_of[DRV_MAX_COLOR_BUFS])
{
    struct gl_window *w = gl_draw_window(ctx);
    unsigned count = 0;
    if (!w)
        return 0;
    for (unsigned i = 0; i < fb->num_draw_buffers; i++) {
        enum gl_buffer_index buffers[4];
        unsigned n = window_buffers(w->drawable, fb->draw_buffer[i], buffers);
        if (!n && count < DRV_MAX_COLOR_BUFS && fb->num_draw_buffers > 1) {
            memset(&surfaces[count], 0, sizeof surfaces[count]);
            NEXT_WITHIN(draw_of, count, DRV_MAX_COLOR_BUFS) = i;
        }
        for (unsigned k = 0; k < n && count < DRV_MAX_COLOR_BUFS; k++) {
            window_color_surface(ctx, w, buffers[k], &surfaces[count]);
            NEXT_WITHIN(draw_of, count, DRV_MAX_COLOR_BUFS) = i;
            if (gl_buffer_is_front(buffers[k]))
                w->front_drawn = true;
        }
    }
    return count;
}

static bool names_front(const struct gl_drawable *d, GLenum name)
{
    enum gl_buffer_index buffers[4];
    unsigned n = window_buffers(d, name, buffers);
    bool any = false;
    for (unsigned i = 0; i < n; i++)
        any |= gl_buffer_is_front(buffers[i]);
    return any;
}

/* Prepares the window for drawing. */
static void settle_window(struct gl_context *ctx)
{
    const struct gl_framebuffer *draw = ctx->framebuffer.draw, *read = ctx->framebuffer.read;
    struct gl_window *w = is_window(draw) ? gl_draw_window(ctx) : NULL;
    if (!w)
        return;
    bool front =
        is_window(read) && gl_read_window(ctx) == w && names_front(w->drawable, read->read_buffer);
    for (unsigned i = 0; i < draw->num_draw_buffers; i++)
        front |= names_front(w->drawable, draw->draw_buffer[i]);
    gl_window_resolve_front(ctx, w, front);
}

unsigned gl_draw_surfaces(struct gl_context *ctx, struct gl_surface surfaces[DRV_MAX_COLOR_BUFS],
                          uint8_t draw_of[DRV_MAX_COLOR_BUFS])
{
    struct gl_framebuffer *fb = ctx->framebuffer.draw;
    if (is_window(fb))
        return window_draw_surfaces(ctx, fb, surfaces, draw_of);
    unsigned count = fb->num_draw_buffers;
    for (unsigned i = 0; i < count; i++) {
        unsigned n = fb->draw_buffer[i] - GL_COLOR_ATTACHMENT0;
        draw_of[i] = i;
        if (fb->draw_buffer[i] != GL_NONE && n < DRV_MAX_COLOR_BUFS)
            attachment_surface(ctx, &fb->attachment[n], false, &surfaces[i]);
        else
            memset(&surfaces[i], 0, sizeof surfaces[i]);
    }
    while (count && !surfaces[count - 1].drv.texture)
        count--;
    return count;
}

/* Computes the size of a framebuffer object: the smallest one of its attachments (GL 4.6 §14.1), or
 * the default size if there are none. */
static void attached_size(struct gl_context *ctx, struct gl_framebuffer *fb, unsigned *width,
                          unsigned *height)
{
    bool any = false;
    for (unsigned i = 0; i < GL_ATTACH_COUNT; i++) {
        struct gl_surface surface;
        attachment_surface(ctx, &fb->attachment[i], i >= DRV_MAX_COLOR_BUFS, &surface);
        if (!surface.drv.texture)
            continue;
        *width = any ? MIN2(*width, surface.width) : surface.width;
        *height = any ? MIN2(*height, surface.height) : surface.height;
        any = true;
    }
    if (!any) {
        *width = fb->default_width;
        *height = fb->default_height;
    }
}

/* If rows are flipped, y = 0 is at the framebuffer's height: cuts images off there. Returns whether
 * there is an image. */
static bool cut_flipped(struct gl_context *ctx, struct gl_framebuffer *fb,
                        struct gl_surface *surface)
{
    unsigned width = 0, height = 0;
    if (fb->flip_y && surface->drv.texture) {
        attached_size(ctx, fb, &width, &height);
        surface->height = MIN2(surface->height, height);
    }
    return surface->drv.texture != NULL;
}

bool gl_read_surface(struct gl_context *ctx, struct gl_surface *surface)
{
    struct gl_framebuffer *fb = ctx->framebuffer.read;
    memset(surface, 0, sizeof *surface);
    if (is_window(fb)) {
        enum gl_buffer_index buffers[4];
        struct gl_window *w = gl_read_window(ctx);
        if (w && window_buffers(w->drawable, fb->read_buffer, buffers))
            window_color_surface(ctx, w, buffers[0], surface);
    } else if (fb->read_buffer != GL_NONE) {
        unsigned n = fb->read_buffer - GL_COLOR_ATTACHMENT0;
        if (n < DRV_MAX_COLOR_BUFS)
            attachment_surface(ctx, &fb->attachment[n], false, surface);
        if (surface->drv.texture && gl_has_mirror(surface->drv.texture))
            gl_mirror_read(ctx, surface->drv.texture);
    }
    return cut_flipped(ctx, fb, surface);
}

/* `window` is the window of fb if that is the default framebuffer. */
static bool depth_surface(struct gl_context *ctx, struct gl_framebuffer *fb,
                          struct gl_window *window, bool stencil, struct gl_surface *surface)
{
    memset(surface, 0, sizeof *surface);
    if (is_window(fb)) {
        struct drv_resource *resource =
            window ? gl_window_buffer(ctx, window, GL_BUFFER_DEPTH_STENCIL) : NULL;
        if (resource && (stencil ? util_format_has_stencil(resource->format)
                                 : util_format_has_depth(resource->format)))
            resource_surface(ctx, resource,
                             util_format_has_stencil(resource->format) ? GL_DEPTH_STENCIL
                                                                       : GL_DEPTH_COMPONENT,
                             surface);
    } else {
        attachment_surface(ctx, &fb->attachment[stencil ? GL_ATTACH_STENCIL : GL_ATTACH_DEPTH],
                           true, surface);
    }
    return cut_flipped(ctx, fb, surface);
}

bool gl_draw_depth_surface(struct gl_context *ctx, bool stencil, struct gl_surface *surface)
{
    return depth_surface(ctx, ctx->framebuffer.draw, gl_draw_window(ctx), stencil, surface);
}

bool gl_read_depth_surface(struct gl_context *ctx, bool stencil, struct gl_surface *surface)
{
    return depth_surface(ctx, ctx->framebuffer.read, gl_read_window(ctx), stencil, surface);
}

/* ----------------------------------------------------------------------------- completeness --- */

static bool attachment_is_empty(const struct gl_attachment *a)
{
    return a->type == GL_NONE;
}

/* Returns whether the attached texture is as complete as the attachment requires (GL 4.6 §9.4.1):
 * mipmap complete for levels after the base level, base complete if layered. Like Mesa, it allows
 * levels before the base level and after the maximum level. */
static bool texture_complete(const struct gl_attachment *a)
{
    const struct gl_texture *t = a->texture;
    bool mipmaps = (GLint)a->level > t->base_level;
    if (t->immutable || t->sibling || (!mipmaps && !a->layered))
        return true;
    return gl_texture_is_complete(
        t, &(struct gl_sampler_params){
               .min_filter = mipmaps ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST,
               .mag_filter = GL_NEAREST,
           });
}

/* Checks the size, layer and renderability of an attachment (GL 4.6 §9.4.1). Returns false if it is
 * incomplete. */
static bool attachment_complete(struct gl_context *ctx, struct gl_attachment *a, unsigned index,
                                struct gl_surface *surface)
{
    attachment_surface(ctx, a, index >= DRV_MAX_COLOR_BUFS, surface);
    if (!surface->drv.texture || !surface->width || !surface->height)
        return false;
    if (a->type == GL_TEXTURE) {
        const struct gl_texture *t = a->texture;
        if (t->immutable && a->level >= t->immutable_levels)
            return false;
        unsigned depth = t->image[a->face][a->level].depth;
        unsigned layers = t->index == GL_TEXTURE_INDEX_1D_ARRAY
                              ? (unsigned)t->image[a->face][a->level].height
                              : depth;
        if (((a->layer || a->views) && a->layer + MAX2(a->views, 1) > layers) ||
            !texture_complete(a))
            return false;
    }
    if (index == GL_ATTACH_DEPTH)
        return gl_base_is_depth(surface->base);
    if (index == GL_ATTACH_STENCIL)
        return gl_base_is_stencil(surface->base);
    return gl_base_is_color(surface->base) &&
           ctx->screen->ops->is_format_supported(
               ctx->screen, surface->drv.format, surface->drv.texture->target,
               surface->drv.texture->nr_samples, DRV_BIND_RENDER_TARGET);
}

/* Returns whether the API allows rendering to the base format. Luminance, alpha and intensity are
 * renderable only in the compatibility profile, where ARB_framebuffer_object made that optional. ES
 * has a list of renderable formats. */
static bool is_renderable(const struct gl_context *ctx, const struct gl_attachment *a,
                          unsigned index, GLenum base)
{
    if (gl_is_es(ctx) && index < DRV_MAX_COLOR_BUFS && a->type == GL_TEXTURE)
        return gl_es_color_renderable(ctx, base, a->texture->image[a->face][a->level].format);
    switch (base) {
    case GL_ALPHA:
    case GL_LUMINANCE:
    case GL_LUMINANCE_ALPHA:
    case GL_INTENSITY:
        return gl_is_compat(ctx);
    default:
        return true;
    }
}

/* Either all attachments are layered or none; layered color attachments must have the same target
 * (GL 4.6 §9.4.2). */
static bool layers_agree(const struct gl_framebuffer *fb)
{
    const struct gl_attachment *any = NULL, *color = NULL;
    for (unsigned i = 0; i < GL_ATTACH_COUNT; i++) {
        const struct gl_attachment *a = &fb->attachment[i];
        if (attachment_is_empty(a))
            continue;
        if (any && a->layered != any->layered)
            return false;
        if (color && i < DRV_MAX_COLOR_BUFS && a->layered &&
            a->texture->target != color->texture->target)
            return false;
        any = a;
        color = i < DRV_MAX_COLOR_BUFS ? a : color;
    }
    return true;
}

/* OVR_multiview, 9.4.2: all attachments have the same number of views. */
static bool views_agree(const struct gl_framebuffer *fb)
{
    for (unsigned i = 0; i < GL_ATTACH_COUNT; i++)
        if (!attachment_is_empty(&fb->attachment[i]) && fb->attachment[i].views != fb->views)
            return false;
    return true;
}

/* Returns whether a renderbuffer has a size, but the driver can't render to its format. */
static bool has_no_format(const struct gl_renderbuffer *rb)
{
    return rb->width && rb->height && rb->format == DRV_FORMAT_NONE;
}

static GLenum user_status(struct gl_context *ctx, struct gl_framebuffer *fb)
{
    struct gl_surface first = {0};
    unsigned attached = 0;
    bool first_fixed = true;
    for (unsigned i = 0; i < GL_ATTACH_COUNT; i++) {
        struct gl_attachment *a = &fb->attachment[i];
        struct gl_surface surface;
        if (attachment_is_empty(a))
            continue;
        if (a->type == GL_RENDERBUFFER && has_no_format(a->renderbuffer))
            return GL_FRAMEBUFFER_UNSUPPORTED;
        if (!attachment_complete(ctx, a, i, &surface) || !is_renderable(ctx, a, i, surface.base))
            return GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
        /* Renderbuffers have fixed sample locations (GL 4.6 §9.4.2). */
        bool fixed = a->type != GL_TEXTURE || !surface.samples ||
                     a->texture->image[a->face][a->level].fixed_samples;
        if (attached++ == 0) {
            first = surface;
            first_fixed = fixed;
        } else {
            if (surface.samples != first.samples || fixed != first_fixed)
                return GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE;
            /* ES 2.0 §4.4.5 and EXT_framebuffer_object require equal sizes; GL 3.0 does not. */
            if (ctx->api >= GL_API_ES1 && ctx->consts.version < 30 &&
                (surface.width != first.width || surface.height != first.height))
                return GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS;
        }
    }
    if (!layers_agree(fb))
        return GL_FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS;
    if (!views_agree(fb))
        return GL_FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR;
    if (!attached && !(fb->default_width && fb->default_height))
        return GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT;
    /* Draw and read buffers without an image don't matter; before GL 4.1 they did (GL 4.6 §9.4.2).
     * Depth and stencil must be the same image for the driver. */
    const struct gl_attachment *d = &fb->attachment[GL_ATTACH_DEPTH],
                               *s = &fb->attachment[GL_ATTACH_STENCIL];
    if (!attachment_is_empty(d) && !attachment_is_empty(s) &&
        (d->texture != s->texture || d->renderbuffer != s->renderbuffer || d->level != s->level ||
         d->face != s->face || d->layer != s->layer || d->views != s->views))
        return GL_FRAMEBUFFER_UNSUPPORTED;
    return GL_FRAMEBUFFER_COMPLETE;
}

/* read: returns the status as the read framebuffer. The default framebuffer may have different
 * drawables. */
static GLenum status_of(struct gl_context *ctx, struct gl_framebuffer *fb, bool read)
{
    const struct gl_drawable *d = read ? ctx->read_drawable : ctx->draw_drawable;
    if (is_window(fb))
        return d ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_UNDEFINED;
    return user_status(ctx, fb);
}

GLenum gl_framebuffer_status(struct gl_context *ctx, GLenum target)
{
    struct gl_framebuffer_state *state = &ctx->framebuffer;
    /* An object's status does not depend on the target. */
    if (target == GL_READ_FRAMEBUFFER && (state->read != state->draw || is_window(state->read)))
        return status_of(ctx, state->read, true);
    /* Attachment changes by other contexts set no dirty bit in this context. */
    bool knows = !(ctx->dirty & GL_DIRTY_FRAMEBUFFER) &&
                 !__atomic_load_n(&ctx->share_multiple, __ATOMIC_RELAXED);
    if (knows && state->complete)
        return GL_FRAMEBUFFER_COMPLETE;
    if (state->changes != state->draw->changes)
        ctx->dirty |= GL_DIRTY_FRAMEBUFFER;
    GLenum status = status_of(ctx, state->draw, false);
    state->complete = knows && status == GL_FRAMEBUFFER_COMPLETE;
    return status;
}

bool gl_check_framebuffer(struct gl_context *ctx, GLenum target, const char *name)
{
    GLenum status = gl_framebuffer_status(ctx, target);
    if (target == GL_READ_FRAMEBUFFER && status == GL_FRAMEBUFFER_COMPLETE &&
        ctx->framebuffer.read->views > 1) {
        gl_error(ctx, GL_INVALID_FRAMEBUFFER_OPERATION, "%s(framebuffer with several views)", name);
        return false;
    }
    if (status == GL_FRAMEBUFFER_COMPLETE)
        return true;
    gl_error(ctx, GL_INVALID_FRAMEBUFFER_OPERATION, "%s(framebuffer: %s)", name,
             gl_enum_name(status));
    return false;
}

unsigned gl_framebuffer_samples(struct gl_context *ctx, struct gl_framebuffer *fb)
{
    if (is_window(fb)) {
        struct gl_drawable *d = fb == ctx->framebuffer.read && fb != ctx->framebuffer.draw
                                    ? ctx->read_drawable
                                    : ctx->draw_drawable;
        return d && d->visual.samples > 1 ? d->visual.samples : 0;
    }
    for (unsigned i = 0; i < GL_ATTACH_COUNT; i++) {
        struct gl_surface surface;
        attachment_surface(ctx, &fb->attachment[i], i >= DRV_MAX_COLOR_BUFS, &surface);
        if (surface.drv.texture)
            return surface.samples;
    }
    /* Without attachments, the default sample count rounded up to a supported one (§9.2.1). */
    return gl_choose_samples(ctx, GL_RGBA8, DRV_TEXTURE_2D, fb->default_samples,
                             DRV_BIND_RENDER_TARGET);
}

void gl_framebuffer_size(struct gl_context *ctx, unsigned *width, unsigned *height)
{
    struct gl_framebuffer *fb = ctx->framebuffer.draw;
    *width = *height = 0;
    if (is_window(fb)) {
        const struct gl_window *w = gl_draw_window(ctx);
        if (w) {
            *width = w->buffers.width;
            *height = w->buffers.height;
        }
        return;
    }
    attached_size(ctx, fb, width, height);
}

/* ----------------------------------------------------------------------------- driver state --- */

static void reference_surface(struct drv_surface *dst, const struct drv_surface *src)
{
    struct drv_resource *texture = dst->texture;
    drv_resource_reference(&texture, src->texture);
    *dst = *src;
    dst->texture = texture;
}

/* Passes fb to the driver and keeps references, so a window's buffer outlives its replacement. */
static void bind_framebuffer(struct gl_context *ctx, const struct drv_framebuffer *fb)
{
    struct drv_framebuffer *bound = &ctx->framebuffer.bound;
    ctx->drv->ops->set_framebuffer(ctx->drv, fb);
    for (unsigned i = 0; i < DRV_MAX_COLOR_BUFS; i++)
        reference_surface(&bound->cbufs[i], &fb->cbufs[i]);
    reference_surface(&bound->zsbuf, &fb->zsbuf);
    bound->width = fb->width;
    bound->height = fb->height;
    bound->layers = fb->layers;
    bound->samples = fb->samples;
    bound->window = fb->window;
    bound->nr_cbufs = fb->nr_cbufs;
}

static bool surfaces_equal(const struct drv_surface *a, const struct drv_surface *b)
{
    return a->texture == b->texture && a->format == b->format && a->level == b->level &&
           a->first_layer == b->first_layer && a->last_layer == b->last_layer;
}

static bool framebuffers_equal(const struct drv_framebuffer *a, const struct drv_framebuffer *b)
{
    if (a->width != b->width || a->height != b->height || a->layers != b->layers ||
        a->samples != b->samples || a->window != b->window || a->nr_cbufs != b->nr_cbufs ||
        !surfaces_equal(&a->zsbuf, &b->zsbuf))
        return false;
    for (unsigned i = 0; i < DRV_MAX_COLOR_BUFS; i++)
        if (!surfaces_equal(&a->cbufs[i], &b->cbufs[i]))
            return false;
    return true;
}

/* Evaluates a glClampColor setting for the current color buffers. */
static bool clamps(const struct gl_context *ctx, GLenum clamp)
{
    return gl_has_fixed_function(ctx) &&
           (clamp == GL_TRUE || (clamp == GL_FIXED_ONLY && ctx->framebuffer.fixed_point));
}

bool gl_clamps_fragments(const struct gl_context *ctx)
{
    return clamps(ctx, ctx->color.clamp_fragment);
}

bool gl_clamps_vertices(const struct gl_context *ctx)
{
    return clamps(ctx, ctx->light.clamp_vertex);
}

bool gl_get_clamps_colors(struct gl_context *ctx)
{
    gl_update_framebuffer_state(ctx);
    return gl_clamps_fragments(ctx);
}

void gl_update_framebuffer(struct gl_context *ctx)
{
    struct gl_framebuffer_state *state = &ctx->framebuffer;
    struct gl_surface surfaces[DRV_MAX_COLOR_BUFS], depth, stencil;
    struct drv_framebuffer fb = {0};

    settle_window(ctx);
    state->complete = false;
    state->changes = state->draw->changes;
    state->nr_cbufs = gl_draw_surfaces(ctx, surfaces, state->draw_of_cbuf);
    gl_framebuffer_size(ctx, &state->width, &state->height);
    fb.width = state->width;
    fb.height = state->height;
    fb.nr_cbufs = state->nr_cbufs;
    fb.samples = gl_framebuffer_samples(ctx, state->draw);
    fb.window = state->draw->name == 0;
    /* Scissors and the stipple pattern depend on the height, too, if rows are flipped. */
    if (state->flips || state->draw->flip_y)
        ctx->dirty |= GL_DIRTY_SCISSOR | GL_DIRTY_STIPPLE;
    state->flips = state->draw->flip_y;
    state->fixed_point = state->clamps = true;
    state->integers = false;
    for (unsigned i = 0; i < state->nr_cbufs; i++) {
        enum drv_format format = surfaces[i].drv.format;
        fb.cbufs[i] = surfaces[i].drv;
        if (surfaces[i].drv.texture && gl_has_mirror(surfaces[i].drv.texture))
            gl_mirror_draw(ctx, surfaces[i].drv.texture);
        state->integers |= util_format_is_pure_integer(format);
        if (util_format_is_float(format) || util_format_is_pure_integer(format))
            state->fixed_point = state->clamps = false;
        else if (util_format_is_snorm(format))
            state->clamps = false;
        if (surfaces[i].drv.last_layer > surfaces[i].drv.first_layer)
            fb.layers = surfaces[i].drv.last_layer - surfaces[i].drv.first_layer + 1;
    }
    state->has_stencil = gl_draw_depth_surface(ctx, true, &stencil);
    state->has_depth = gl_draw_depth_surface(ctx, false, &depth);
    fb.zsbuf = state->has_depth ? depth.drv : stencil.drv;
    if (!fb.zsbuf.texture && !state->nr_cbufs && !fb.window)
        fb.layers = state->draw->default_layers;
    /* gl_FragColor is written to all draw buffers. Without draw buffers, the shader still has one
     * output. */
    state->frag_colors = MAX2(state->nr_cbufs, 1u);
    if (!state->ever_current || !framebuffers_equal(&fb, &state->bound)) {
        bind_framebuffer(ctx, &fb);
        state->ever_current = true;
    }
}

void gl_update_framebuffer_state(struct gl_context *ctx)
{
    gl_windows_update(ctx);
    if (ctx->dirty & GL_DIRTY_FRAMEBUFFER) {
        gl_update_framebuffer(ctx);
        /* Programs and constants also depend on the framebuffer. */
        ctx->dirty &= ~GL_DIRTY_FRAMEBUFFER;
        ctx->dirty |= GL_DIRTY_PROGRAM_KEY | GL_DIRTY_VIEWPORT | GL_DIRTY_BY_FRAMEBUFFER;
    }
}

/* ---------------------------------------------------------------------- default framebuffer --- */

static void window_init(struct gl_framebuffer *fb, bool double_buffered)
{
    fb->draw_buffer[0] = fb->read_buffer = double_buffered ? GL_BACK : GL_FRONT;
    fb->num_draw_buffers = 1;
}

/* The first binding sets the draw and read buffers to GL_BACK if it exists, otherwise to GL_FRONT
 * (GL 4.6 §17.4.1). */
void gl_framebuffer_drawables_changed(struct gl_context *ctx)
{
    struct gl_framebuffer *fb = &ctx->framebuffer.window;
    if (!ctx->draw_drawable || fb->ever_bound)
        return;
    fb->ever_bound = true;
    window_init(fb, ctx->draw_drawable->visual.double_buffered || gl_is_es(ctx));
    ctx->dirty |= GL_DIRTY_FRAMEBUFFER;
}

/* ---------------------------------------------------------------------------------- objects --- */

void gl_attachment_set(struct gl_context *ctx, struct gl_attachment *a, GLenum type, void *object,
                       unsigned level, unsigned face, unsigned layer, bool layered)
{
    struct gl_texture *texture = type == GL_TEXTURE ? object : NULL;
    struct gl_renderbuffer *renderbuffer = type == GL_RENDERBUFFER ? object : NULL;
    gl_texture_reference(ctx, &a->texture, texture);
    gl_renderbuffer_reference(&a->renderbuffer, renderbuffer);
    a->type = object ? type : GL_NONE;
    a->level = object ? level : 0;
    a->face = object ? face : 0;
    a->layer = object ? layer : 0;
    a->layered = object && layered;
    a->views = 0;
}

/* The initial programmable locations are pixel centers (ARB_sample_locations). */
static void init_locations(struct gl_framebuffer *fb)
{
    for (unsigned i = 0; i < DRV_MAX_SAMPLES; i++)
        fb->sample_location[i][0] = fb->sample_location[i][1] = 0.5f;
}

static struct gl_framebuffer *framebuffer_create(GLuint name)
{
    struct gl_framebuffer *fb = calloc(1, sizeof *fb);
    if (!fb)
        return NULL;
    fb->refcount = 1;
    fb->name = name;
    fb->draw_buffer[0] = fb->read_buffer = GL_COLOR_ATTACHMENT0;
    fb->num_draw_buffers = 1;
    init_locations(fb);
    return fb;
}

/* src may be NULL. Otherwise, it belongs to ctx or is shared. */
static void framebuffer_reference(struct gl_context *ctx, struct gl_framebuffer **dst,
                                  struct gl_framebuffer *src)
{
    struct gl_framebuffer *dead = REF_REPLACE(dst, src);
    if (!dead)
        return;
    for (unsigned i = 0; i < GL_ATTACH_COUNT; i++)
        gl_attachment_set(ctx, &dead->attachment[i], GL_NONE, NULL, 0, 0, 0, false);
    free(dead->label);
    free(dead);
}

void gl_framebuffer_changed(struct gl_context *ctx, struct gl_framebuffer *fb)
{
    fb->changes++;
    fb->views = 0;
    for (unsigned i = 0; i < GL_ATTACH_COUNT; i++)
        fb->views = MAX2(fb->views, fb->attachment[i].views);
    ctx->dirty |= GL_DIRTY_FRAMEBUFFER;
}

void gl_framebuffers_detach(struct gl_context *ctx, const void *object)
{
    struct gl_framebuffer *bound[] = {ctx->framebuffer.draw, ctx->framebuffer.read};
    for (unsigned b = 0; b < ARRAY_SIZE(bound); b++) {
        for (unsigned i = 0; i < GL_ATTACH_COUNT; i++) {
            struct gl_attachment *a = &bound[b]->attachment[i];
            if (a->type == GL_NONE ||
                ((const void *)a->texture != object && (const void *)a->renderbuffer != object))
                continue;
            gl_attachment_set(ctx, a, GL_NONE, NULL, 0, 0, 0, false);
            gl_framebuffer_changed(ctx, bound[b]);
        }
    }
}

void gl_GenFramebuffers(GLsizei n, GLuint *names)
{
    GL_CONTEXT(ctx);
    if (n < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGenFramebuffers(n=%d)", n);
    else if (!gl_names_gen(ctx->framebuffer.names, n, false, names))
        gl_error(ctx, GL_OUT_OF_MEMORY, "glGenFramebuffers");
}

static bool make_framebuffer(struct gl_context *ctx, GLuint name, GLenum target)
{
    struct gl_framebuffer *fb = framebuffer_create(name);
    bool ok = fb && gl_names_insert(ctx->framebuffer.names, name, fb);
    if (!ok)
        free(fb);
    return ok;
}

void gl_CreateFramebuffers(GLsizei n, GLuint *names)
{
    GL_CONTEXT(ctx);
    gl_names_create(ctx, ctx->framebuffer.names, n, names, make_framebuffer, 0,
                    gl_DeleteFramebuffers, "glCreateFramebuffers");
}

struct gl_framebuffer *gl_named_framebuffer(struct gl_context *ctx, GLuint name, const char *call)
{
    struct gl_framebuffer *fb =
        name ? gl_names_lookup(ctx->framebuffer.names, name) : &ctx->framebuffer.window;
    if (!fb)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no framebuffer %u)", call, name);
    return fb;
}

GLboolean gl_IsFramebuffer(GLuint name)
{
    GL_CONTEXT(ctx);
    return gl_names_lookup(ctx->framebuffer.names, name) != NULL;
}

/* Returns the object of a name, created when it is first bound. any_name: accept names that
 * glGenFramebuffers did not return, as compatibility profiles do (EXT_framebuffer_object). */
static struct gl_framebuffer *framebuffer_get(struct gl_context *ctx, GLuint name, bool any_name,
                                              const char *call)
{
    struct gl_names *names = ctx->framebuffer.names;
    struct gl_framebuffer *fb = gl_names_lookup(names, name);
    if (fb)
        return fb;
    if (!any_name && !gl_names_is_used(names, name)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(framebuffer=%u is no name of glGenFramebuffers)",
                 call, name);
        return NULL;
    }
    if (!make_framebuffer(ctx, name, 0))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    return gl_names_lookup(names, name);
}

struct gl_framebuffer *gl_get_or_create_framebuffer(struct gl_context *ctx, GLuint name,
                                                    const char *call)
{
    return name ? framebuffer_get(ctx, name, gl_is_compat(ctx), call) : &ctx->framebuffer.window;
}

static void begin_bind(struct gl_context *ctx)
{
    FLUSH_VERTICES(ctx, GL_DIRTY_FRAMEBUFFER | GL_DIRTY_BLEND | GL_DIRTY_PROGRAM_KEY |
                            GL_DIRTY_RASTERIZER | GL_DIRTY_DEPTH_STENCIL | GL_DIRTY_SCISSOR |
                            GL_DIRTY_VIEWPORT | GL_DIRTY_TEXTURES);
}

static void bind(struct gl_context *ctx, GLenum target, struct gl_framebuffer *fb)
{
    begin_bind(ctx);
    if (target != GL_READ_FRAMEBUFFER)
        framebuffer_reference(ctx, &ctx->framebuffer.draw, fb);
    if (target != GL_DRAW_FRAMEBUFFER)
        framebuffer_reference(ctx, &ctx->framebuffer.read, fb);
}

/* Reference counts don't change, because the previous binding is restored later. */
struct gl_framebuffer *gl_framebuffer_swap_binding(struct gl_context *ctx, GLenum target,
                                                   struct gl_framebuffer *fb)
{
    struct gl_framebuffer **bound =
        target == GL_READ_FRAMEBUFFER ? &ctx->framebuffer.read : &ctx->framebuffer.draw;
    struct gl_framebuffer *old = *bound;
    if (fb != old)
        begin_bind(ctx);
    *bound = fb;
    return old;
}

static void bind_name(GLenum target, GLuint name, bool any_name, const char *call)
{
    GL_CONTEXT(ctx);
    if (!gl_bound_framebuffer(ctx, target, call))
        return;
    struct gl_framebuffer *fb = &ctx->framebuffer.window;
    if (name) {
        fb = framebuffer_get(ctx, name, any_name, call);
        if (!fb)
            return;
    }
    bind(ctx, target, fb);
}

void gl_BindFramebuffer(GLenum target, GLuint name)
{
    bind_name(target, name, gl_is_es(gl_current_context), "glBindFramebuffer");
}

void gl_BindFramebufferEXT(GLenum target, GLuint name)
{
    bind_name(target, name, true, "glBindFramebufferEXT");
}

void gl_DeleteFramebuffers(GLsizei n, const GLuint *names)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteFramebuffers(n=%d)", n);
        return;
    }
    for (GLsizei i = 0; i < n; i++) {
        struct gl_framebuffer *fb = gl_names_lookup(ctx->framebuffer.names, names[i]);
        if (fb && ctx->framebuffer.draw == fb)
            bind(ctx, GL_DRAW_FRAMEBUFFER, &ctx->framebuffer.window);
        if (fb && ctx->framebuffer.read == fb)
            bind(ctx, GL_READ_FRAMEBUFFER, &ctx->framebuffer.window);
        gl_names_remove(ctx->framebuffer.names, names[i]);
        framebuffer_reference(ctx, &fb, NULL);
    }
}

GLenum gl_CheckFramebufferStatus(GLenum target)
{
    GL_CONTEXT(ctx);
    struct gl_framebuffer *fb = gl_bound_framebuffer(ctx, target, "glCheckFramebufferStatus");
    return fb ? status_of(ctx, fb, target == GL_READ_FRAMEBUFFER) : 0;
}

GLenum gl_framebuffer_check(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum target,
                            const char *name)
{
    return gl_bound_framebuffer(ctx, target, name)
               ? status_of(ctx, fb, target == GL_READ_FRAMEBUFFER)
               : 0;
}

/* ------------------------------------------------------------------ context and share group --- */

static void drop_name(GLuint name, void *object, void *data)
{
    struct gl_framebuffer *fb = object;
    framebuffer_reference(data, &fb, NULL);
}

bool gl_scissor_intersect(const struct gl_context *ctx, struct drv_box *box)
{
    if (ctx->scissor.enabled & 1) {
        const struct gl_scissor *s = &ctx->scissor.rect[0];
        const int64_t y0 =
            ctx->framebuffer.flips ? (int64_t)ctx->framebuffer.height - s->y - s->height : s->y;
        int64_t x1 = MIN2((int64_t)box->x + box->width, (int64_t)s->x + s->width);
        int64_t y1 = MIN2((int64_t)box->y + box->height, y0 + s->height);
        box->x = MAX2(box->x, s->x);
        box->y = (int32_t)CLAMP(y0, box->y, (int64_t)box->y + box->height);
        box->width = (int32_t)MAX2(x1 - box->x, 0);
        box->height = (int32_t)MAX2(y1 - box->y, 0);
    }
    return box->width > 0 && box->height > 0;
}

static void drop_names(struct gl_context *ctx, struct gl_names *names)
{
    gl_names_foreach(names, drop_name, ctx);
    gl_names_finish(names);
}

static void detach_texture(struct gl_context *ctx, const struct gl_texture *texture)
{
    gl_framebuffers_detach(ctx, texture);
}

bool gl_framebuffers_init(struct gl_context *ctx)
{
    struct gl_framebuffer_state *state = &ctx->framebuffer;
    if (!gl_names_init(&state->own))
        return false;
    ctx->hooks.get_clamps_colors = gl_get_clamps_colors;
    ctx->hooks.detach_texture = detach_texture;
    /* EXT_framebuffer_object shares framebuffers between contexts (issue 76).
     * ARB_framebuffer_object has the same names and objects but doesn't share objects created by
     * glBindFramebuffer. Applications rely on sharing, so compatibility profiles share all of them.
     * The core profile and ES lack EXT_framebuffer_object and share none (GL 4.6 §5, ES 3.2 §5). */
    state->names = gl_is_compat(ctx) ? &ctx->shared->framebuffers : &state->own;
    state->window.refcount = 1; /* never released */
    init_locations(&state->window);
    window_init(&state->window, ctx->has_visual ? ctx->visual.double_buffered : true);
    framebuffer_reference(ctx, &state->draw, &state->window);
    framebuffer_reference(ctx, &state->read, &state->window);
    return true;
}

void gl_framebuffers_finish(struct gl_context *ctx)
{
    struct gl_framebuffer_state *state = &ctx->framebuffer;
    const struct drv_framebuffer none = {0};
    if (!state->draw)
        return;
    bind_framebuffer(ctx, &none);
    framebuffer_reference(ctx, &state->draw, &state->window);
    framebuffer_reference(ctx, &state->read, &state->window);
    gl_renderbuffer_reference(&state->renderbuffer, NULL);
    drop_names(ctx, &state->own);
}

static void free_renderbuffer(GLuint name, void *object, void *data)
{
    struct gl_renderbuffer *rb = object;
    gl_renderbuffer_reference(&rb, NULL);
}

void gl_framebuffers_finish_shared(struct gl_context *ctx, struct gl_shared *shared)
{
    drop_names(ctx, &shared->framebuffers);
    if (shared->renderbuffers.table)
        gl_names_foreach(&shared->renderbuffers, free_renderbuffer, NULL);
}
