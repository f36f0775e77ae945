/* SPDX-License-Identifier: MIT */
#include "gl/framebuffer/gl_drawable.h"

#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_current.h"
#include "gl/context/gl_share.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "util/check.h"
#include "util/format.h"
#include "util/macros.h"
#include "util/refcount.h"

static unsigned stamp_of(const struct gl_drawable *d)
{
    return __atomic_load_n(&d->stamp, __ATOMIC_RELAXED);
}

static void raise_stamp(struct gl_drawable *d)
{
    __atomic_store_n(&d->stamp, d->stamp + 1, __ATOMIC_RELAXED);
}

static void drop_buffers(struct gl_drawable *d)
{
    for (unsigned i = 0; i < GL_BUFFERS; i++)
        drv_resource_reference(&d->buffers.resource[i], NULL);
    d->shown = d->front_used = false;
    __atomic_store_n(&d->front_stale, false, __ATOMIC_RELAXED);
    raise_stamp(d);
}

static void drawable_reference(struct gl_drawable **dst, struct gl_drawable *src)
{
    struct gl_drawable *dead = REF_REPLACE(dst, src);
    if (dead) {
        drop_buffers(dead);
        pthread_mutex_destroy(&dead->mutex);
        free(dead);
    }
}

enum drv_format gl_visual_format(const struct gl_visual *visual)
{
    return visual->srgb_capable ? util_format_srgb(visual->color) : visual->color;
}

/* What a buffer is like, but for its size; format NONE: the visual has none. */
static struct drv_resource buffer_like(const struct gl_visual *v, unsigned buffer)
{
    struct drv_resource r = {
        .target = DRV_TEXTURE_2D,
        .depth = 1,
        .array_size = 1,
        .nr_samples = v->samples,
        /* no lock keeps the contexts of several groups apart: the storage must not be exchanged */
        .map_flags = DRV_MAP_PERSISTENT,
    };
    bool back = buffer == GL_BUFFER_BACK_LEFT || buffer == GL_BUFFER_BACK_RIGHT;
    bool right = buffer == GL_BUFFER_FRONT_RIGHT || buffer == GL_BUFFER_BACK_RIGHT;
    if (buffer == GL_BUFFER_DEPTH_STENCIL) {
        r.format = v->depth_stencil;
        r.bind = DRV_BIND_DEPTH_STENCIL;
    } else if (buffer == GL_BUFFER_ACCUM) {
        r.format = v->accum_bits ? DRV_FORMAT_R32G32B32A32_FLOAT : DRV_FORMAT_NONE;
        r.bind = DRV_BIND_SAMPLER_VIEW;
        r.nr_samples = 0;
    } else if (v->color != DRV_FORMAT_NONE && (!back || v->double_buffered) &&
               (!right || v->stereo)) {
        r.format = gl_visual_format(v);
        r.bind = DRV_BIND_RENDER_TARGET | DRV_BIND_SAMPLER_VIEW | DRV_BIND_DISPLAY;
    }
    return r;
}

static struct drv_resource *make_buffer(const struct gl_visual *visual, unsigned buffer, int width,
                                        int height)
{
    struct drv_screen *screen = gl_screen();
    struct drv_resource templ = buffer_like(visual, buffer);
    templ.width = MAX2(width, 1);
    templ.height = MAX2(height, 1);
    return templ.format != DRV_FORMAT_NONE ? screen->ops->resource_create(screen, &templ) : NULL;
}

/* The drawable's own, made if there is none yet; the drawable is locked. */
static struct drv_resource *locked_buffer(struct gl_drawable *d, unsigned buffer)
{
    struct drv_resource **r = &d->buffers.resource[buffer];
    if (!*r) {
        *r = make_buffer(&d->visual, buffer, d->buffers.width, d->buffers.height);
        if (*r)
            raise_stamp(d);
    }
    return *r;
}

static unsigned back_of(unsigned front)
{
    return front == GL_BUFFER_FRONT_LEFT ? GL_BUFFER_BACK_LEFT : GL_BUFFER_BACK_RIGHT;
}

/* Whether it is a buffer that swaps give the back buffer's picture to. */
static bool takes_swaps(const struct gl_drawable *d, unsigned buffer)
{
    return d->visual.double_buffered && gl_buffer_is_front(buffer);
}

/* The buffer with that one's contents, referenced for the caller; NULL also for a front buffer that the
 * window alone has. */
static struct drv_resource *take_buffer(struct gl_drawable *d, unsigned buffer)
{
    struct drv_resource *r = NULL;
    pthread_mutex_lock(&d->mutex);
    if (takes_swaps(d, buffer) && d->front_stale)
        buffer = back_of(buffer);
    if (!takes_swaps(d, buffer) || d->buffers.resource[buffer])
        drv_resource_reference(&r, locked_buffer(d, buffer));
    pthread_mutex_unlock(&d->mutex);
    return r;
}

struct drv_resource *gl_drawable_take_color(struct gl_drawable *d, enum gl_buffer_index buffer)
{
    return take_buffer(d, buffer);
}

/* A driver context for drawables without a current GL context (atomic: once made it stays), and who may
 * use it. */
static struct drv_context *lone_context;
static pthread_mutex_t lone_mutex = PTHREAD_MUTEX_INITIALIZER;

static struct drv_context *acquire_context(void)
{
    struct gl_context *ctx = gl_current_context;
    if (ctx) {
        FLUSH_VERTICES(ctx, 0);
        return ctx->drv;
    }
    pthread_mutex_lock(&lone_mutex);
    struct drv_context *lone = lone_context;
    if (!lone) {
        lone = gl_screen()->ops->context_create(gl_screen());
        __atomic_store_n(&lone_context, lone, __ATOMIC_RELAXED);
    }
    if (!lone)
        pthread_mutex_unlock(&lone_mutex);
    return lone;
}

static bool is_lone(const struct drv_context *drv)
{
    return drv && drv == __atomic_load_n(&lone_context, __ATOMIC_RELAXED);
}

static void release_context(const struct drv_context *drv)
{
    if (is_lone(drv))
        pthread_mutex_unlock(&lone_mutex);
}

/* ------------------------------------------------------------------------------ front buffers --- */

/* A swap leaves the back buffer as it is, and what the front buffer has to hold is there until the back
 * buffer is drawn to. Then it is copied for those who want it, or dropped: the window shows it. The
 * drawable is locked. */
static void settle_front(struct gl_drawable *d, struct drv_context *drv, bool wanted)
{
    static const unsigned fronts[] = {GL_BUFFER_FRONT_LEFT, GL_BUFFER_FRONT_RIGHT};
    if (!d->front_stale)
        return;
    for (unsigned i = 0; i < ARRAY_SIZE(fronts); i++) {
        struct drv_resource **front = &d->buffers.resource[fronts[i]];
        struct drv_resource *back = d->buffers.resource[back_of(fronts[i])];
        if (back && (wanted || d->front_used) && locked_buffer(d, fronts[i])) {
            struct drv_box box = {0, 0, 0, (int)back->width, (int)back->height, 1};
            drv->ops->copy_region(drv, *front, 0, 0, 0, 0, back, 0, &box);
        } else if (*front) {
            drv_resource_reference(front, NULL);
            raise_stamp(d);
        }
    }
    d->front_used = false;
    __atomic_store_n(&d->front_stale, false, __ATOMIC_RELAXED);
}

/* Rows of the window, the top one first, become the front buffer's; the drawable is locked. */
static void write_front(struct gl_drawable *d, struct drv_context *drv, uint8_t *rows,
                        size_t stride)
{
    struct gl_visual single = d->visual;
    single.samples = 0;
    struct drv_resource *front = locked_buffer(d, GL_BUFFER_FRONT_LEFT), *image = NULL;
    if (front && front->nr_samples > 1)
        image = make_buffer(&single, GL_BUFFER_FRONT_LEFT, front->width, front->height);
    else
        drv_resource_reference(&image, front);
    if (!image)
        return;
    const struct drv_box box = {0, 0, 0, (int)image->width, (int)image->height, 1};
    const struct drv_pixels pixels = {
        .format = image->format,
        .swizzle = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
        .data = rows + (image->height - 1) * stride,
        .stride = -(ptrdiff_t)stride,
    };
    drv->ops->image_write(drv, image, image->format, 0, &box, &pixels);
    if (image != front)
        drv->ops->blit(drv, &(struct drv_blit_info){
                                .src = {image, 0, image->format, box},
                                .dst = {front, 0, front->format, box},
                                .mask = 1,
                                .filter = DRV_FILTER_NEAREST,
                            });
    drv_resource_reference(&image, NULL);
}

/* Has a front buffer hold what the window shows, as far as that can be found out. */
static void want_front(struct gl_drawable *d, struct drv_context *drv)
{
    pthread_mutex_lock(&d->mutex);
    settle_front(d, drv, true);
    d->front_used = true;
    const int width = d->buffers.width, height = d->buffers.height;
    const bool lost = !d->buffers.resource[GL_BUFFER_FRONT_LEFT];
    pthread_mutex_unlock(&d->mutex);
    const struct gl_drawable_ops *ops = d->ops;
    if (!lost || !ops || !ops->read_front)
        return;
    const size_t stride =
        (size_t)width * drv_format_desc(gl_visual_format(&d->visual))->block_bytes;
    uint8_t *rows = calloc(height, stride);
    /* its owner has locks here that it also has where it asks for the lone context */
    release_context(drv);
    const bool ok = rows && ops->read_front(d->data, rows, stride, width, height);
    if (is_lone(drv))
        pthread_mutex_lock(&lone_mutex);
    if (ok) {
        pthread_mutex_lock(&d->mutex);
        if (width == d->buffers.width && height == d->buffers.height &&
            !d->buffers.resource[GL_BUFFER_FRONT_LEFT])
            write_front(d, drv, rows, stride);
        pthread_mutex_unlock(&d->mutex);
    }
    free(rows);
}

/* ------------------------------------------------------------------------------------- views --- */

struct gl_window *gl_draw_window(struct gl_context *ctx)
{
    return ctx->draw_drawable ? &ctx->window[0] : NULL;
}

struct gl_window *gl_read_window(struct gl_context *ctx)
{
    if (!ctx->read_drawable)
        return NULL;
    return &ctx->window[ctx->read_drawable != ctx->draw_drawable];
}

/* Takes the reference. */
static void retire(struct gl_context *ctx, struct drv_resource *r)
{
    if (!r)
        return;
    NEXT_OF(ctx->retired.resource, ctx->retired.count) = r;
    ctx->share_after |= GL_AFTER_DROP;
}

/* A list of commands may have seen so many changes that no more can be kept: it goes on with what it
 * has. */
static void refresh(struct gl_context *ctx, struct gl_window *w)
{
    struct gl_drawable *d = w->drawable;
    struct gl_buffers old = w->buffers;
    if (w->stamp == stamp_of(d) || ctx->retired.count + GL_BUFFERS > GL_RETIRED_BUFFERS)
        return;
    pthread_mutex_lock(&d->mutex);
    w->buffers = d->buffers;
    w->stamp = d->stamp;
    for (unsigned i = 0; i < GL_BUFFERS; i++) {
        w->buffers.resource[i] = NULL;
        drv_resource_reference(&w->buffers.resource[i], d->buffers.resource[i]);
    }
    pthread_mutex_unlock(&d->mutex);
    for (unsigned i = 0; i < GL_BUFFERS; i++)
        retire(ctx, old.resource[i]);
    ctx->dirty |= GL_DIRTY_FRAMEBUFFER;
    if (w->buffers.width != old.width || w->buffers.height != old.height)
        ctx->dirty |= GL_DIRTY_VIEWPORT | GL_DIRTY_SCISSOR;
}

void gl_windows_refresh(struct gl_context *ctx)
{
    struct gl_window *draw = gl_draw_window(ctx), *read = gl_read_window(ctx);
    if (draw)
        refresh(ctx, draw);
    if (read && read != draw)
        refresh(ctx, read);
}

static void window_bind(struct gl_window *w, struct gl_drawable *d)
{
    if (w->drawable == d)
        return;
    for (unsigned i = 0; i < GL_BUFFERS; i++)
        drv_resource_reference(&w->buffers.resource[i], NULL);
    drawable_reference(&w->drawable, d);
    w->buffers = (struct gl_buffers){0};
    w->front_drawn = false;
    w->stamp = d ? stamp_of(d) - 1 : 0;
}

void gl_windows_bind(struct gl_context *ctx, struct gl_drawable *draw, struct gl_drawable *read)
{
    gl_share_drop_retired(ctx);
    window_bind(&ctx->window[0], draw);
    window_bind(&ctx->window[1], read != draw ? read : NULL);
    ctx->draw_drawable = draw;
    ctx->read_drawable = read;
    gl_windows_refresh(ctx);
    ctx->dirty |= GL_DIRTY_FRAMEBUFFER | GL_DIRTY_VIEWPORT | GL_DIRTY_SCISSOR;
}

void gl_drawable_update(struct gl_context *ctx, struct gl_drawable *d)
{
    int width = 0, height = 0;
    if (d->ops && d->ops->get_size && d->ops->get_size(d->data, &width, &height)) {
        width = CLAMP(width, 1, ctx->consts.max_viewport_dims[0]);
        height = CLAMP(height, 1, ctx->consts.max_viewport_dims[1]);
        pthread_mutex_lock(&d->mutex);
        if (width != d->buffers.width || height != d->buffers.height) {
            drop_buffers(d);
            d->buffers.width = width;
            d->buffers.height = height;
        }
        pthread_mutex_unlock(&d->mutex);
    }
    gl_windows_refresh(ctx);
}

/* A swap or resize of the window makes the framebuffer stale; with a frame's first command the face
 * may know more of it than when it swapped. */
void gl_windows_check(struct gl_context *ctx)
{
    struct gl_drawable *d = ctx->draw_drawable;
    bool ask = ctx->window_waits && ctx->framebuffer.draw == &ctx->framebuffer.window;
    if (d && (ask || __atomic_load_n(&d->stamp, __ATOMIC_RELAXED) != ctx->draw_stamp)) {
        if (ask)
            ctx->window_waits = false;
        gl_drawable_update(ctx, d);
        ctx->draw_stamp = ctx->window[0].stamp;
        ctx->dirty |= GL_DIRTY_FRAMEBUFFER;
    }
    if (ctx->read_drawable != d)
        gl_windows_refresh(ctx);
}

void gl_window_settle(struct gl_context *ctx, struct gl_window *w, bool front)
{
    struct gl_drawable *d = w->drawable;
    if (!__atomic_load_n(&d->front_stale, __ATOMIC_RELAXED))
        return;
    pthread_mutex_lock(&d->mutex);
    settle_front(d, ctx->drv, front);
    pthread_mutex_unlock(&d->mutex);
    refresh(ctx, w);
}

struct drv_resource *gl_window_buffer(struct gl_context *ctx, struct gl_window *w, unsigned buffer)
{
    struct drv_resource **r = &w->buffers.resource[buffer];
    struct gl_drawable *d = w->drawable;
    if (takes_swaps(d, buffer) && w->stamp == stamp_of(d)) {
        want_front(d, ctx->drv);
        refresh(ctx, w);
    }
    if (*r)
        return *r;
    pthread_mutex_lock(&d->mutex);
    if (w->stamp == d->stamp) {
        drv_resource_reference(r, locked_buffer(d, buffer));
        w->stamp = d->stamp;
    } else {
        /* the drawable is another by now: one of the size that the command knows, which nobody sees */
        *r = make_buffer(&d->visual, buffer, w->buffers.width, w->buffers.height);
    }
    pthread_mutex_unlock(&d->mutex);
    return *r;
}

/* -------------------------------------------------------------------------- for the faces --- */

bool gl_visual_supported(const struct gl_visual *visual)
{
    struct drv_screen *screen = gl_screen();
    if (!screen || visual->samples > MAX2(screen->caps.max_samples, 1) ||
        (visual->samples > 1 && visual->accum_bits))
        return false;
    if (visual->color != DRV_FORMAT_NONE &&
        !screen->ops->is_format_supported(screen, visual->color, DRV_TEXTURE_2D, visual->samples,
                                          DRV_BIND_RENDER_TARGET | DRV_BIND_DISPLAY))
        return false;
    return visual->depth_stencil == DRV_FORMAT_NONE ||
           screen->ops->is_format_supported(screen, visual->depth_stencil, DRV_TEXTURE_2D,
                                            visual->samples, DRV_BIND_DEPTH_STENCIL);
}

unsigned gl_drawable_max_size(void)
{
    const struct drv_screen *screen = gl_screen();
    return screen ? screen->caps.max_texture_2d_size : 0;
}

struct gl_drawable *gl_drawable_new(const struct gl_visual *visual,
                                    const struct gl_drawable_ops *ops, void *data)
{
    struct gl_drawable *d = gl_screen() ? calloc(1, sizeof *d) : NULL;
    if (!d)
        return NULL;
    d->refcount = 1;
    d->visual = *visual;
    d->ops = ops;
    d->data = data;
    pthread_mutex_init(&d->mutex, NULL);
    struct gl_buffers *b = &d->buffers;
    if (ops && ops->get_size)
        ops->get_size(data, &b->width, &b->height);
    b->width = MAX2(b->width, 1);
    b->height = MAX2(b->height, 1);
    return d;
}

void gl_drawable_free(struct gl_drawable *d)
{
    if (!d)
        return;
    d->ops = NULL;
    drawable_reference(&d, NULL);
}

bool gl_drawable_read(struct gl_drawable *d, enum gl_buffer_index buffer, void *dst,
                      uint32_t stride, int x, int y, int width, int height)
{
    struct drv_context *drv = acquire_context();
    if (!drv)
        return false;
    bool ok = false;
    struct drv_resource *color = gl_drawable_take_color(d, buffer);
    struct drv_resource *image = color ? gl_resource_resolved(drv, color) : NULL;
    if (!image)
        goto out;
    int x1 = MIN2((int64_t)x + width, (int)image->width);
    int y1 = MIN2((int64_t)y + height, (int)image->height);
    x = MAX2(x, 0);
    y = MAX2(y, 0);
    width = x1 - x;
    height = y1 - y;
    if (width <= 0 || height <= 0)
        goto out;
    dst = (uint8_t *)dst + (size_t)y * stride +
          (size_t)x * drv_format_desc(image->format)->block_bytes;
    /* the picture's top row is the resource's last */
    struct drv_box box = {x, (int)image->height - y1, 0, width, height, 1};
    const struct drv_pixels pixels = {
        .format = image->format,
        .swizzle = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W},
        .data = (uint8_t *)dst + (size_t)(height - 1) * stride,
        .stride = -(ptrdiff_t)stride,
    };
    ok = drv->ops->image_read(drv, image, image->format, 0, &box, &pixels);
    struct drv_transfer *transfer;
    const uint8_t *src = ok ? NULL : drv->ops->map(drv, image, 0, DRV_MAP_READ, &box, &transfer);
    if (!src)
        goto out;
    size_t bytes = (size_t)width * drv_format_desc(image->format)->block_bytes;
    for (int row = 0; row < height; row++)
        memcpy((uint8_t *)dst + (size_t)row * stride,
               src + (size_t)(height - 1 - row) * transfer->stride, bytes);
    drv->ops->unmap(drv, transfer);
    ok = true;
out:
    drv_resource_reference(&image, NULL);
    drv_resource_reference(&color, NULL);
    release_context(drv);
    return ok;
}

bool gl_drawable_read_depth(struct gl_drawable *d, uint32_t *dst, uint32_t stride, int width,
                            int height)
{
    struct drv_context *drv = acquire_context();
    if (!drv)
        return false;
    bool ok = false;
    struct drv_resource *depth = take_buffer(d, GL_BUFFER_DEPTH_STENCIL);
    struct drv_box box = {0, 0, 0, width, height, 1};
    struct drv_transfer *transfer;
    const uint8_t *src = NULL;
    if (depth && depth->nr_samples <= 1 && util_format_has_depth(depth->format)) {
        box.width = MIN2(width, (int)depth->width);
        box.height = MIN2(height, (int)depth->height);
        src = drv->ops->map(drv, depth, 0, DRV_MAP_READ, &box, &transfer);
    }
    if (src) {
        for (int y = 0; y < box.height; y++)
            util_format_unpack_depth_u32(depth->format,
                                         (uint32_t *)((uint8_t *)dst + (size_t)y * stride),
                                         src + (size_t)y * transfer->stride, box.width);
        drv->ops->unmap(drv, transfer);
        ok = true;
    }
    drv_resource_reference(&depth, NULL);
    release_context(drv);
    return ok;
}

void gl_drawable_swap(struct gl_drawable *d)
{
    struct drv_context *drv = acquire_context();
    if (!drv)
        return;
    if (d->visual.double_buffered) {
        pthread_mutex_lock(&d->mutex);
        d->shown = true;
        __atomic_store_n(&d->front_stale, true, __ATOMIC_RELAXED);
        raise_stamp(d);
        pthread_mutex_unlock(&d->mutex);
    }
    drv->ops->flush(drv, NULL);
    release_context(drv);
    struct gl_context *ctx = gl_current_context;
    if (ctx && (d == ctx->draw_drawable || d == ctx->read_drawable))
        gl_drawable_update(ctx, d);
}

int gl_drawable_age(struct gl_drawable *d)
{
    pthread_mutex_lock(&d->mutex);
    int age = d->shown;
    pthread_mutex_unlock(&d->mutex);
    return age;
}

bool gl_drawable_copy_back(struct gl_drawable *d, int x, int y, int width, int height)
{
    struct drv_context *drv = acquire_context();
    if (!drv)
        return false;
    struct drv_resource *back = NULL, *front = NULL;
    want_front(d, drv);
    pthread_mutex_lock(&d->mutex); /* once: of one size */
    drv_resource_reference(&back, locked_buffer(d, GL_BUFFER_BACK_LEFT));
    drv_resource_reference(&front, locked_buffer(d, GL_BUFFER_FRONT_LEFT));
    int x1 = MIN2((int64_t)x + width, d->buffers.width);
    int y1 = MIN2((int64_t)y + height, d->buffers.height);
    pthread_mutex_unlock(&d->mutex);
    bool ok = back && front;
    x = MAX2(x, 0);
    y = MAX2(y, 0);
    if (ok && x1 > x && y1 > y) {
        struct drv_box box = {x, y, 0, x1 - x, y1 - y, 1};
        drv->ops->copy_region(drv, front, 0, x, y, 0, back, 0, &box);
        drv->ops->flush(drv, NULL);
    }
    drv_resource_reference(&back, NULL);
    drv_resource_reference(&front, NULL);
    release_context(drv);
    return ok;
}
