/* SPDX-License-Identifier: MIT */
#include "target/common/tgt_surface.h"

#include <string.h>

#include "util/macros.h"

static const struct {
    enum drv_format format;
    struct tgt_format_bits bits;
} tgt_formats[] = {
    {DRV_FORMAT_B8G8R8A8_UNORM, {8, 8, 8, 8}},
    {DRV_FORMAT_B8G8R8X8_UNORM, {8, 8, 8}},
    {DRV_FORMAT_R8G8B8A8_UNORM, {8, 8, 8, 8}},
    {DRV_FORMAT_R8G8B8X8_UNORM, {8, 8, 8}},
    {DRV_FORMAT_B10G10R10A2_UNORM, {10, 10, 10, 2}},
    {DRV_FORMAT_R10G10B10A2_UNORM, {10, 10, 10, 2}},
    {DRV_FORMAT_B5G6R5_UNORM, {5, 6, 5}},
    {DRV_FORMAT_B5G5R5X1_UNORM, {5, 5, 5}},
    {DRV_FORMAT_B5G5R5A1_UNORM, {5, 5, 5, 1}},
    {DRV_FORMAT_Z24S8_UNORM, {.depth = 24, .stencil = 8}},
    {DRV_FORMAT_S8Z24_UNORM, {.depth = 24, .stencil = 8}},
    {DRV_FORMAT_Z24X8_UNORM, {.depth = 24}},
    {DRV_FORMAT_X8Z24_UNORM, {.depth = 24}},
    {DRV_FORMAT_Z16_UNORM, {.depth = 16}},
};

struct tgt_format_bits tgt_format_bits(enum drv_format format)
{
    for (unsigned i = 0; i < ARRAY_SIZE(tgt_formats); i++) {
        if (tgt_formats[i].format == format)
            return tgt_formats[i].bits;
    }
    return (struct tgt_format_bits){0};
}

unsigned tgt_depth_stencil_formats(const struct indium_core *core, const struct gl_visual *visual,
                                   enum drv_format out[TGT_MAX_DEPTH_STENCIL])
{
    static const enum drv_format candidates[] = {
        DRV_FORMAT_Z24S8_UNORM, DRV_FORMAT_S8Z24_UNORM, DRV_FORMAT_NONE,
        DRV_FORMAT_Z24X8_UNORM, DRV_FORMAT_X8Z24_UNORM, DRV_FORMAT_Z16_UNORM,
    };
    unsigned n = 0;

    for (unsigned i = 0; i < ARRAY_SIZE(candidates) && n < TGT_MAX_DEPTH_STENCIL; i++) {
        struct tgt_format_bits bits = tgt_format_bits(candidates[i]);
        struct gl_visual v = *visual;
        bool known = false;

        for (unsigned j = 0; j < n; j++) {
            struct tgt_format_bits other = tgt_format_bits(out[j]);

            known |= other.depth == bits.depth && other.stencil == bits.stencil;
        }
        v.depth_stencil = candidates[i];
        if (!known && core->visual_supported(&v))
            out[n++] = candidates[i];
    }
    return n;
}

enum drv_format tgt_format_with_alpha(enum drv_format format)
{
    switch (format) {
    case DRV_FORMAT_B8G8R8X8_UNORM:
        return DRV_FORMAT_B8G8R8A8_UNORM;
    case DRV_FORMAT_R8G8B8X8_UNORM:
        return DRV_FORMAT_R8G8B8A8_UNORM;
    case DRV_FORMAT_B5G5R5X1_UNORM:
        return DRV_FORMAT_B5G5R5A1_UNORM;
    default:
        return DRV_FORMAT_NONE;
    }
}

static bool surface_get_size(void *data, int *width, int *height)
{
    struct tgt_surface *s = data;
    bool alive = tgt_surface_update(s);

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
    if (!s->native || s->kind == TGT_PBUFFER)
        return true;
    if (s->gone)
        return false;
    if (!s->native->ws->ops->drawable_update(s->native)) {
        s->gone = true;
        return false;
    }
    s->width = s->native->width;
    s->height = s->native->height;
    return true;
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

bool tgt_surface_show(struct tgt_surface *s, enum gl_buffer_index buffer,
                      const struct ws_rect *rects, unsigned n_rects)
{
    if (!s->native)
        return true;
    if (s->gone || !surface_reserve(s) ||
        !s->core->drawable_resolve(s->gl, buffer, s->buffer->map, s->buffer->stride, s->width,
                                   s->height))
        return false;
    if (!s->native->ws->ops->present(s->native, s->buffer, rects, n_rects, s->swap_interval)) {
        s->gone = true;
        return false;
    }
    return true;
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
    s->core->drawable_swap(s->gl, preserve);
    return ok;
}

bool tgt_surface_copy_back(struct tgt_surface *s, const struct ws_rect *rect)
{
    return s->core->drawable_copy_back(s->gl, rect->x, s->height - rect->y - rect->height,
                                       rect->width, rect->height) &&
           tgt_surface_show(s, GL_BUFFER_FRONT_LEFT, rect, 1);
}
