/* SPDX-License-Identifier: MIT */
#include "gl/framebuffer/gl_drawable.h"

#include <limits.h>
#include <stdlib.h>

#include "gl/api/gl_core.h"
#include "util/format.h"
#include "util/refcount.h"

static void drop_buffers(struct gl_drawable *d)
{
    for (unsigned i = 0; i < GL_BUFFER_COUNT; i++)
        drv_resource_reference(&d->color[i], NULL);
    memset(d->shown, 0, sizeof d->shown);
    drv_resource_reference(&d->depth_stencil, NULL);
    drv_resource_reference(&d->accum, NULL);
    d->stamp++;
}

void gl_drawable_update(struct gl_context *ctx, struct gl_drawable *d)
{
    int width = d->width, height = d->height;
    if (!d->ops || !d->ops->get_size || !d->ops->get_size(d->data, &width, &height))
        return;
    width = CLAMP(width, 1, ctx->consts.max_viewport_dims[0]);
    height = CLAMP(height, 1, ctx->consts.max_viewport_dims[1]);
    if (width == d->width && height == d->height)
        return;
    drop_buffers(d);
    d->width = width;
    d->height = height;
    ctx->dirty |= GL_DIRTY_FRAMEBUFFER | GL_DIRTY_VIEWPORT | GL_DIRTY_SCISSOR;
}

static struct drv_resource *make_buffer(struct gl_drawable *d, enum drv_format format,
                                        unsigned bind)
{
    struct drv_screen *screen = gl_screen();
    return screen->ops->resource_create(screen, &(struct drv_resource){
                                                    .target = DRV_TEXTURE_2D,
                                                    .format = format,
                                                    .width = MAX2(d->width, 1),
                                                    .height = MAX2(d->height, 1),
                                                    .depth = 1,
                                                    .array_size = 1,
                                                    .nr_samples = d->visual.samples,
                                                    .bind = bind,
                                                });
}

enum drv_format gl_visual_format(const struct gl_visual *visual)
{
    return visual->srgb_capable ? util_format_srgb(visual->color) : visual->color;
}

struct drv_resource *gl_drawable_color(struct gl_drawable *d, enum gl_buffer_index buffer)
{
    bool back = buffer == GL_BUFFER_BACK_LEFT || buffer == GL_BUFFER_BACK_RIGHT;
    bool right = buffer == GL_BUFFER_FRONT_RIGHT || buffer == GL_BUFFER_BACK_RIGHT;
    if (d->visual.color == DRV_FORMAT_NONE || (back && !d->visual.double_buffered) ||
        (right && !d->visual.stereo))
        return NULL;
    if (!d->color[buffer]) {
        d->color[buffer] =
            make_buffer(d, gl_visual_format(&d->visual),
                        DRV_BIND_RENDER_TARGET | DRV_BIND_SAMPLER_VIEW | DRV_BIND_DISPLAY);
        d->stamp++;
    }
    return d->color[buffer];
}

struct drv_resource *gl_drawable_depth_stencil(struct gl_drawable *d)
{
    if (d->visual.depth_stencil == DRV_FORMAT_NONE)
        return NULL;
    if (!d->depth_stencil) {
        d->depth_stencil = make_buffer(d, d->visual.depth_stencil, DRV_BIND_DEPTH_STENCIL);
        d->stamp++;
    }
    return d->depth_stencil;
}

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
    if (ops && ops->get_size)
        ops->get_size(data, &d->width, &d->height);
    d->width = MAX2(d->width, 1);
    d->height = MAX2(d->height, 1);
    return d;
}

void gl_drawable_reference(struct gl_drawable **dst, struct gl_drawable *src)
{
    struct gl_drawable *dead = REF_REPLACE(dst, src);
    if (dead) {
        drop_buffers(dead);
        free(dead);
    }
}

void gl_drawable_free(struct gl_drawable *d)
{
    if (!d)
        return;
    d->ops = NULL;
    gl_drawable_reference(&d, NULL);
}

/* A driver context for drawables without a current GL context, and who may use it. */
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
    if (!lone_context)
        lone_context = gl_screen()->ops->context_create(gl_screen());
    if (!lone_context)
        pthread_mutex_unlock(&lone_mutex);
    return lone_context;
}

static void release_context(const struct drv_context *drv)
{
    if (drv && drv == lone_context)
        pthread_mutex_unlock(&lone_mutex);
}

/* A single-sampled resource with the buffer's contents; referenced for the caller. */
static struct drv_resource *resolved(struct gl_drawable *d, struct drv_context *drv,
                                     struct drv_resource *color)
{
    struct drv_resource *single = NULL;
    if (color->nr_samples <= 1) {
        drv_resource_reference(&single, color);
        return single;
    }
    struct drv_resource templ = *color;
    templ.nr_samples = 1;
    single = drv->screen->ops->resource_create(drv->screen, &templ);
    if (!single)
        return NULL;
    struct drv_box box = {0, 0, 0, color->width, color->height, 1};
    drv->ops->blit(drv, &(struct drv_blit_info){
                            .src = {color, 0, color->format, box},
                            .dst = {single, 0, color->format, box},
                            .mask = 1,
                            .filter = DRV_FILTER_NEAREST,
                        });
    return single;
}

bool gl_drawable_read(struct gl_drawable *d, enum gl_buffer_index buffer, void *dst,
                      uint32_t stride, int x, int y, int width, int height)
{
    struct drv_context *drv = acquire_context();
    if (!drv)
        return false;
    bool ok = false;
    struct drv_resource *color = gl_drawable_color(d, buffer);
    struct drv_resource *image = color ? resolved(d, drv, color) : NULL;
    int x1 = MIN2((int64_t)x + width, d->width), y1 = MIN2((int64_t)y + height, d->height);
    x = MAX2(x, 0);
    y = MAX2(y, 0);
    width = x1 - x;
    height = y1 - y;
    if (!image || width <= 0 || height <= 0)
        goto out;
    dst = (uint8_t *)dst + (size_t)y * stride +
          (size_t)x * drv_format_desc(image->format)->block_bytes;
    /* the picture's top row is the resource's last */
    struct drv_box box = {x, d->height - y1, 0, width, height, 1};
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
    struct drv_resource *depth = gl_drawable_depth_stencil(d);
    struct drv_box box = {0, 0, 0, MIN2(width, d->width), MIN2(height, d->height), 1};
    struct drv_transfer *transfer;
    const uint8_t *src = depth && depth->nr_samples <= 1 && util_format_has_depth(depth->format)
                             ? drv->ops->map(drv, depth, 0, DRV_MAP_READ, &box, &transfer)
                             : NULL;
    if (src) {
        for (int y = 0; y < box.height; y++)
            util_format_unpack_depth_u32(depth->format,
                                         (uint32_t *)((uint8_t *)dst + (size_t)y * stride),
                                         src + (size_t)y * transfer->stride, box.width);
        drv->ops->unmap(drv, transfer);
        ok = true;
    }
    release_context(drv);
    return ok;
}

static void exchange(struct gl_drawable *d, struct drv_context *drv, enum gl_buffer_index front,
                     enum gl_buffer_index back, bool preserve)
{
    struct drv_resource *shown = gl_drawable_color(d, back);
    if (!shown)
        return;
    d->color[back] = d->color[front];
    d->color[front] = shown;
    d->shown[back] = preserve ? d->swaps : d->shown[front];
    d->shown[front] = d->swaps;
    struct drv_resource *next = preserve ? gl_drawable_color(d, back) : NULL;
    if (next) {
        struct drv_box box = {0, 0, 0, d->width, d->height, 1};
        drv->ops->copy_region(drv, next, 0, 0, 0, 0, shown, 0, &box);
    }
}

void gl_drawable_exchange(struct gl_drawable *d, bool preserve)
{
    struct drv_context *drv = acquire_context();
    if (!drv)
        return;
    if (d->visual.double_buffered) {
        d->swaps++;
        exchange(d, drv, GL_BUFFER_FRONT_LEFT, GL_BUFFER_BACK_LEFT, preserve);
        if (d->visual.stereo)
            exchange(d, drv, GL_BUFFER_FRONT_RIGHT, GL_BUFFER_BACK_RIGHT, preserve);
        d->stamp++;
    }
    drv->ops->flush(drv, NULL);
    release_context(drv);
    struct gl_context *ctx = gl_current_context;
    if (ctx && (d == ctx->draw_drawable || d == ctx->read_drawable)) {
        ctx->dirty |= GL_DIRTY_FRAMEBUFFER;
        gl_drawable_update(ctx, d);
    }
}

int gl_drawable_age(const struct gl_drawable *d)
{
    uint64_t shown = d->shown[GL_BUFFER_BACK_LEFT];
    return shown ? MIN2(d->swaps - shown + 1, (uint64_t)INT_MAX) : 0;
}

bool gl_drawable_copy_back(struct gl_drawable *d, int x, int y, int width, int height)
{
    struct drv_context *drv = acquire_context();
    if (!drv)
        return false;
    struct drv_resource *back = gl_drawable_color(d, GL_BUFFER_BACK_LEFT);
    struct drv_resource *front = gl_drawable_color(d, GL_BUFFER_FRONT_LEFT);
    int x1 = MIN2(x + width, d->width), y1 = MIN2(y + height, d->height);
    x = MAX2(x, 0);
    y = MAX2(y, 0);
    if (back && front && x1 > x && y1 > y) {
        struct drv_box box = {x, y, 0, x1 - x, y1 - y, 1};
        drv->ops->copy_region(drv, front, 0, x, y, 0, back, 0, &box);
        drv->ops->flush(drv, NULL);
    }
    release_context(drv);
    return back && front;
}
