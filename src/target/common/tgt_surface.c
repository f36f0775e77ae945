/* SPDX-License-Identifier: MIT */
#include "target/common/tgt_surface.h"

#include <string.h>

#include "util/macros.h"

/* Brings width and height up to date with what the winsys knows, or finds out with wait. */
static bool surface_follow(struct tgt_surface *s, bool wait)
{
    if (!s->native || s->kind == TGT_PBUFFER)
        return true;
    const struct winsys_ops *ws = s->native->ws->ops;
    if (s->gone)
        return false;
    if (!(wait || !ws->drawable_poll ? ws->drawable_update : ws->drawable_poll)(s->native)) {
        s->gone = true;
        return false;
    }
    s->width = s->native->width;
    s->height = s->native->height;
    return true;
}

/* The core asks with a swap and again with the next frame's first command: one of them counts, as the
 * winsys has it. */
static bool surface_get_size(void *data, int *width, int *height)
{
    struct tgt_surface *s = data;
    bool alive = !s->gone;

    if (s->phase == TGT_ASKED)
        s->phase = TGT_DRAWING;
    else if (s->phase == TGT_DRAWING)
        alive = surface_follow(s, true);
    else if (!s->native || !s->native->ws->ops->updates_late) {
        alive = surface_follow(s, false);
        s->phase = TGT_ASKED;
    }
    *width = s->width;
    *height = s->height;
    return alive;
}

static void surface_front_flushed(void *data)
{
    tgt_surface_show(data, GL_BUFFER_FRONT_LEFT, NULL, 0);
}

static const struct gl_drawable_ops native_ops = {surface_get_size, surface_front_flushed};
static const struct gl_drawable_ops pbuffer_ops = {surface_get_size, NULL};

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
    s->gl = core->drawable_create(visual, kind == TGT_PBUFFER ? &pbuffer_ops : &native_ops, s);
    if (!s->gl) {
        tgt_surface_finish(s);
        return false;
    }
    return true;
}

void tgt_surface_finish(struct tgt_surface *s)
{
    if (s->gl)
        s->core->drawable_destroy(s->gl);
    if (s->buffer)
        s->buffer->ws->ops->buffer_destroy(s->buffer);
    if (s->native)
        s->native->ws->ops->drawable_destroy(s->native);
    memset(s, 0, sizeof *s);
}

bool tgt_surface_update(struct tgt_surface *s)
{
    return surface_follow(s, true);
}

/* A buffer of the surface's present size. */
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

/* Writes what is going to be shown into the map. */
static bool surface_resolve(struct tgt_surface *s, enum gl_buffer_index buffer,
                            const struct ws_rect *rects, unsigned n_rects)
{
    const struct ws_rect all = {0, 0, s->width, s->height};
    int64_t area = 0;
    bool ok = true;

    for (unsigned i = 0; i < n_rects; i++)
        area += (int64_t)rects[i].width * rects[i].height;
    if (!s->native->ws->ops->shows_rects || !n_rects || area >= (int64_t)all.width * all.height) {
        rects = &all;
        n_rects = 1;
    }
    for (unsigned i = 0; i < n_rects && ok; i++)
        ok = s->core->drawable_resolve(s->gl, buffer, s->buffer->map, s->buffer->stride, rects[i].x,
                                       rects[i].y, MIN2(rects[i].width, s->width - rects[i].x),
                                       MIN2(rects[i].height, s->height - rects[i].y));
    return ok;
}

bool tgt_surface_show(struct tgt_surface *s, enum gl_buffer_index buffer,
                      const struct ws_rect *rects, unsigned n_rects)
{
    if (!s->native)
        return true;
    if (s->gone || !surface_reserve(s) || !surface_resolve(s, buffer, rects, n_rects))
        return false;
    if (!s->native->ws->ops->present(s->native, s->buffer, rects, n_rects, s->swap_interval)) {
        s->gone = true;
        return false;
    }
    return true;
}

void tgt_surface_exchange(struct tgt_surface *s, bool preserve)
{
    s->phase = TGT_SWAPPING;
    s->core->drawable_swap(s->gl, preserve);
    if (s->phase == TGT_SWAPPING)
        s->phase = TGT_DRAWING;
}

bool tgt_surface_swap(struct tgt_surface *s, const struct ws_rect *rects, unsigned n_rects,
                      bool preserve)
{
    bool ok = true;

    if (s->kind != TGT_WINDOW || !s->visual.double_buffered) {
        s->core->flush(false);
        return true;
    }
    ok = tgt_surface_show(s, GL_BUFFER_BACK_LEFT, rects, n_rects);
    tgt_surface_exchange(s, preserve);
    return ok;
}

bool tgt_surface_copy_back(struct tgt_surface *s, const struct ws_rect *rect)
{
    return s->core->drawable_copy_back(s->gl, rect->x, s->height - rect->y - rect->height,
                                       rect->width, rect->height) &&
           tgt_surface_show(s, GL_BUFFER_FRONT_LEFT, rect, 1);
}
