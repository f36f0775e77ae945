/* SPDX-License-Identifier: MIT */
#include "gl/framebuffer/gl_drawable.h"

#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_current.h"
#include "gl/context/gl_share.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "util/check.h"
#include "util/fork_lock.h"
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

/* Returns the resource template of a buffer, without its size. The format is DRV_FORMAT_NONE if the
 * visual doesn't have the buffer. */
static struct drv_resource buffer_like(const struct gl_visual *v, unsigned buffer)
{
    struct drv_resource r = {
        .target = DRV_TEXTURE_2D,
        .depth = 1,
        .array_size = 1,
        .nr_samples = v->samples,
        /* Contexts of several share groups may use it without a common lock, so its storage must
         * not be replaced. */
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

/* Returns the drawable's buffer, created if needed. The drawable is locked. */
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

/* Returns whether a swap changes the contents of the buffer. */
static bool takes_swaps(const struct gl_drawable *d, unsigned buffer)
{
    return d->visual.double_buffered && gl_buffer_is_front(buffer);
}

/* Returns a reference to the resource with the contents of a buffer. NULL also for a front buffer
 * whose contents only the window system has. */
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

struct drv_resource *gl_drawable_reference_color(struct gl_drawable *d, enum gl_buffer_index buffer)
{
    return take_buffer(d, buffer);
}

/* Driver context for operations on drawables without a current GL context, and its lock. The
 * pointer is atomic and never changes after creation, except in the child of a fork. */
static struct drv_context *lone_context;
static pthread_mutex_t lone_mutex = PTHREAD_MUTEX_INITIALIZER;

/* In the child of a fork, another context replaces one that another thread was using. */
static void reset_lone_context(void)
{
    if (util_fork_free_lock(&lone_mutex))
        __atomic_store_n(&lone_context, NULL, __ATOMIC_RELAXED);
}

UTIL_AFTER_FORK(reset_lone_context);

struct drv_context *gl_acquire_driver_context(void)
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

void gl_release_driver_context(const struct drv_context *drv)
{
    if (is_lone(drv))
        pthread_mutex_unlock(&lone_mutex);
}

/* ---------------------------------------------------------------------------- front buffers --- */

/* Resolves a stale front buffer. A swap doesn't copy: until the back buffer is drawn to, it also
 * holds the front buffer's contents. Then this function copies them to the front buffer if it is in
 * use; otherwise the front buffer is dropped, because the window shows its contents. The drawable
 * is locked. */
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

/* Writes rows of the window, top row first, to the front buffer. The drawable is locked. */
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
    const struct drv_blit_box whole = {0, 0, 0, image->width, image->height, 1};
    if (image != front)
        drv->ops->blit(drv, &(struct drv_blit_info){
                                .src = {image, 0, image->format, whole},
                                .dst = {front, 0, front->format, whole},
                                .mask = 1,
                                .filter = DRV_FILTER_NEAREST,
                            });
    drv_resource_reference(&image, NULL);
}

/* Makes the front buffer valid: from the back buffer after a swap, or from the window if the loader
 * library can read it. */
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
    /* Release the lone context first: read_front takes locks that its owner also holds when it
     * acquires the lone context. */
    gl_release_driver_context(drv);
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

/* ------------------------------------------------------------------------------------ views --- */

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

/* Takes over the caller's reference until the command ends. */
static void retire(struct gl_context *ctx, struct drv_resource *r)
{
    if (!r)
        return;
    NEXT_OF(ctx->retired.resource, ctx->retired.count) = r;
    ctx->after_command |= GL_AFTER_RELEASE_RETIRED;
}

/* Updates a view. If too many buffers were retired during this command (a display list may contain
 * many commands), the view keeps its buffers. */
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
    gl_share_release_retired(ctx);
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

/* After a swap or resize, the framebuffer must be updated. At the first command of a frame, the
 * loader library may know a newer size than at the swap. */
void gl_windows_update(struct gl_context *ctx)
{
    struct gl_drawable *d = ctx->draw_drawable;
    bool ask = ctx->window_size_pending && ctx->framebuffer.draw == &ctx->framebuffer.window;
    if (d && (ask || __atomic_load_n(&d->stamp, __ATOMIC_RELAXED) != ctx->draw_stamp)) {
        if (ask)
            ctx->window_size_pending = false;
        gl_drawable_update(ctx, d);
        ctx->draw_stamp = ctx->window[0].stamp;
        ctx->dirty |= GL_DIRTY_FRAMEBUFFER;
    }
    if (ctx->read_drawable != d)
        gl_windows_refresh(ctx);
}

void gl_window_resolve_front(struct gl_context *ctx, struct gl_window *w, bool front)
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
        /* The drawable was resized meanwhile. Use a temporary buffer with the size that the command
         * started with. */
        *r = make_buffer(&d->visual, buffer, w->buffers.width, w->buffers.height);
    }
    pthread_mutex_unlock(&d->mutex);
    return *r;
}

/* --------------------------------------------------------------------------- core interface --- */

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
    struct drv_context *drv = gl_acquire_driver_context();
    if (!drv)
        return false;
    bool ok = false;
    struct drv_resource *color = gl_drawable_reference_color(d, buffer);
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
    /* The top row of the picture is the last row of the resource. */
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
    gl_release_driver_context(drv);
    return ok;
}

bool gl_drawable_read_depth(struct gl_drawable *d, uint32_t *dst, uint32_t stride, int width,
                            int height)
{
    struct drv_context *drv = gl_acquire_driver_context();
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
    gl_release_driver_context(drv);
    return ok;
}

void gl_drawable_swap(struct gl_drawable *d)
{
    struct drv_context *drv = gl_acquire_driver_context();
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
    gl_release_driver_context(drv);
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
    struct drv_context *drv = gl_acquire_driver_context();
    if (!drv)
        return false;
    struct drv_resource *back = NULL, *front = NULL;
    want_front(d, drv);
    pthread_mutex_lock(&d->mutex); /* lock once, so that both buffers have the same size */
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
    gl_release_driver_context(drv);
    return ok;
}
