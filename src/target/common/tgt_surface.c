/* SPDX-License-Identifier: MIT */
#include "target/common/tgt_surface.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

struct ws_drawable *tgt_native_open(struct winsys *ws, uintptr_t native, bool is_pixmap,
                                    bool *no_memory)
{
    struct ws_drawable *d;

    errno = 0;
    d = ws->ops->drawable_create(ws, native, is_pixmap, 0, 0);
    *no_memory = !d && errno == ENOMEM;
    return d;
}

bool tgt_surface_is_gone(const struct tgt_surface *s)
{
    return __atomic_load_n(&s->gone, __ATOMIC_RELAXED);
}

static void surface_lose(struct tgt_surface *s)
{
    __atomic_store_n(&s->gone, true, __ATOMIC_RELAXED);
}

/* Updates width and height. With `wait`, queries the window system; otherwise uses what the winsys
 * already knows. Requires the mutex. */
static bool surface_follow(struct tgt_surface *s, bool wait)
{
    if (s->gone)
        return false;
    if (!s->native || s->kind == TGT_PBUFFER)
        return true;
    const struct winsys_ops *ws = s->native->ws->ops;
    if (!(wait || !ws->drawable_poll ? ws->drawable_update : ws->drawable_poll)(s->native)) {
        surface_lose(s);
        return false;
    }
    s->width = s->native->width;
    s->height = s->native->height;
    return true;
}

/* Core callback. The core calls it during a swap and again at the first command of the next frame.
 * Only one of the two calls updates the size: the second one if defers_update_after_present is set,
 * otherwise the first. */
static bool surface_get_size(void *data, int *width, int *height)
{
    struct tgt_surface *s = data;
    bool alive;

    pthread_mutex_lock(&s->mutex);
    alive = !s->gone;
    if (s->phase == TGT_SWAPPING_SIZE_KNOWN)
        s->phase = TGT_DRAWING;
    else if (s->phase == TGT_DRAWING)
        alive = surface_follow(s, true);
    else if (!s->native || !s->native->ws->ops->defers_update_after_present) {
        alive = surface_follow(s, false);
        s->phase = TGT_SWAPPING_SIZE_KNOWN;
    }
    *width = s->width;
    *height = s->height;
    pthread_mutex_unlock(&s->mutex);
    return alive;
}

static void surface_front_flushed(void *data)
{
    tgt_surface_show(data, GL_BUFFER_FRONT_LEFT, NULL, 0);
}

static bool surface_read_front(void *data, void *dst, uint32_t stride, int width, int height)
{
    struct ws_buffer *b = tgt_surface_read_back(data);

    if (!b)
        return false;
    for (int y = 0; y < MIN2(height, b->height); y++)
        memcpy((uint8_t *)dst + (size_t)y * stride, b->map + (size_t)y * b->stride,
               MIN2(stride, b->stride));
    b->ws->ops->buffer_destroy(b);
    return true;
}

static const struct gl_drawable_ops native_ops = {surface_get_size, surface_front_flushed,
                                                  surface_read_front};
static const struct gl_drawable_ops pbuffer_ops = {surface_get_size};

bool tgt_surface_init(struct tgt_surface *s, const struct indium_core *core,
                      enum tgt_surface_kind kind, const struct gl_visual *visual,
                      struct ws_drawable *native, int width, int height)
{
    *s = (struct tgt_surface){
        .core = core,
        .native = native,
        .kind = kind,
        .visual = *visual,
        .width = native ? native->width : width,
        .height = native ? native->height : height,
        .swap_interval = 1,
    };
    pthread_mutex_init(&s->mutex, NULL);
    s->gl = core->drawable_create(visual, kind == TGT_PBUFFER ? &pbuffer_ops : &native_ops, s);
    if (!s->gl) {
        tgt_surface_finish(s);
        return false;
    }
    return true;
}

/* Requires the mutex, or exclusive access. */
static void surface_close(struct tgt_surface *s)
{
    if (s->buffer)
        s->buffer->ws->ops->buffer_destroy(s->buffer);
    if (s->native)
        s->native->ws->ops->drawable_destroy(s->native);
    s->buffer = NULL;
    s->native = NULL;
    surface_lose(s);
}

void tgt_surface_finish(struct tgt_surface *s)
{
    if (s->gl)
        s->core->drawable_destroy(s->gl);
    if (s->core)
        pthread_mutex_destroy(&s->mutex);
    surface_close(s);
    memset(s, 0, sizeof *s);
}

void tgt_surface_detach(struct tgt_surface *s)
{
    pthread_mutex_lock(&s->mutex);
    surface_close(s);
    pthread_mutex_unlock(&s->mutex);
}

bool tgt_surface_update(struct tgt_surface *s)
{
    bool alive;

    pthread_mutex_lock(&s->mutex);
    alive = surface_follow(s, true);
    pthread_mutex_unlock(&s->mutex);
    return alive;
}

bool tgt_surface_is_unchanged(struct tgt_surface *s)
{
    pthread_mutex_lock(&s->mutex);
    const int width = s->width, height = s->height;
    bool same = s->kind == TGT_WINDOW && surface_follow(s, true) && s->width == width &&
                s->height == height;
    if (same && s->native && !s->native->ws->ops->defers_update_after_present)
        s->phase = TGT_SWAPPING_SIZE_KNOWN;
    pthread_mutex_unlock(&s->mutex);
    return same;
}

void tgt_surface_size(struct tgt_surface *s, int *width, int *height)
{
    pthread_mutex_lock(&s->mutex);
    *width = s->width;
    *height = s->height;
    pthread_mutex_unlock(&s->mutex);
}

/* Ensures a buffer of the current size. Returns false if out of memory. */
static bool surface_reserve(struct tgt_surface *s)
{
    const struct winsys_ops *ws = s->native->ws->ops;

    if (s->buffer && s->buffer->width == s->width && s->buffer->height == s->height)
        return true;
    if (s->buffer)
        ws->buffer_destroy(s->buffer);
    s->buffer = ws->buffer_create(s->native->ws, s->native, s->width, s->height);
    return s->buffer != NULL;
}

/* Resolves the rectangles to present into the buffer's map. */
static bool surface_resolve(struct tgt_surface *s, enum gl_buffer_index buffer,
                            const struct ws_rect *rects, unsigned n_rects)
{
    const struct ws_rect all = {0, 0, s->width, s->height};
    int64_t area = 0;
    bool ok = true;

    for (unsigned i = 0; i < n_rects; i++)
        area += (int64_t)rects[i].width * rects[i].height;
    if (!s->native->ws->ops->presents_damage_only || !n_rects ||
        area >= (int64_t)all.width * all.height) {
        rects = &all;
        n_rects = 1;
    }
    for (unsigned i = 0; i < n_rects && ok; i++)
        ok = s->core->drawable_resolve(s->gl, buffer, s->buffer->map, s->buffer->stride, rects[i].x,
                                       rects[i].y, MIN2(rects[i].width, s->width - rects[i].x),
                                       MIN2(rects[i].height, s->height - rects[i].y));
    return ok;
}

static bool surface_show(struct tgt_surface *s, enum gl_buffer_index buffer,
                         const struct ws_rect *rects, unsigned n_rects)
{
    int interval = __atomic_load_n(&s->swap_interval, __ATOMIC_RELAXED);

    if (s->gone)
        return false;
    if (!s->native)
        return true;
    if (!surface_reserve(s) || !surface_resolve(s, buffer, rects, n_rects))
        return false;
    if (!s->native->ws->ops->present(s->native, s->buffer, rects, n_rects, abs(interval)))
        surface_lose(s);
    return !s->gone;
}

bool tgt_surface_show(struct tgt_surface *s, enum gl_buffer_index buffer,
                      const struct ws_rect *rects, unsigned n_rects)
{
    bool ok;

    s->core->flush_vertices();
    pthread_mutex_lock(&s->mutex);
    ok = surface_show(s, buffer, rects, n_rects);
    pthread_mutex_unlock(&s->mutex);
    return ok;
}

void tgt_surface_end_frame(struct tgt_surface *s)
{
    pthread_mutex_lock(&s->mutex);
    s->phase = TGT_SWAPPING;
    s->swaps++;
    pthread_mutex_unlock(&s->mutex);
    s->core->drawable_swap(s->gl);
    pthread_mutex_lock(&s->mutex);
    if (s->phase == TGT_SWAPPING)
        s->phase = TGT_DRAWING;
    pthread_mutex_unlock(&s->mutex);
}

bool tgt_surface_swap(struct tgt_surface *s, const struct ws_rect *rects, unsigned n_rects)
{
    bool ok = true;

    if (s->kind != TGT_WINDOW || !s->visual.double_buffered) {
        s->core->flush(false);
        return true;
    }
    ok = tgt_surface_show(s, GL_BUFFER_BACK_LEFT, rects, n_rects);
    tgt_surface_end_frame(s);
    return ok;
}

struct ws_buffer *tgt_surface_read_back(struct tgt_surface *s)
{
    struct ws_buffer *b = NULL;

    pthread_mutex_lock(&s->mutex);
    if (surface_follow(s, true) && s->native) {
        const struct winsys_ops *ws = s->native->ws->ops;

        b = ws->buffer_create(s->native->ws, s->native, s->width, s->height);
        if (b && !ws->read_back(s->native, b)) {
            ws->buffer_destroy(b);
            b = NULL;
        }
    }
    pthread_mutex_unlock(&s->mutex);
    return b;
}

bool tgt_surface_copy_back(struct tgt_surface *s, const struct ws_rect *rect)
{
    int width, height;

    tgt_surface_size(s, &width, &height);
    return s->core->drawable_copy_back(s->gl, rect->x, height - rect->y - rect->height, rect->width,
                                       rect->height) &&
           tgt_surface_show(s, GL_BUFFER_FRONT_LEFT, rect, 1);
}
