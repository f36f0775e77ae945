/* SPDX-License-Identifier: MIT */
/*
 * Fast clears and resolves: rectangles that change the control surface of render target 0 instead
 * of running pixel shaders (3DSTATE_PS). A pixel of the rectangle stands for 8×8 blocks of a
 * surface with one sample per pixel, and for the pixels of 8 bytes by 2 rows of a multisample
 * control surface.
 *
 * Memory always has the values of all texels, so a resolve only changes marks (model_control.c).
 */
#include <string.h>

#include "model_raster.h"
#include "model_strict.h"

/* Returns the texels of the target's level that a rectangle's pixels stand for. */
static struct model_region scale(const struct model_surface *s, const struct model_window *w)
{
    const uint32_t columns = model_minify(s->width, s->lod);
    const uint32_t rows = model_minify(s->height, s->lod);
    uint32_t width, height;

    model_control_scale(s, &width, &height);
    return (struct model_region){
        .x0 = MIN2((uint32_t)MAX2(w->x0, 0) * width, columns),
        .y0 = MIN2((uint32_t)MAX2(w->y0, 0) * height, rows),
        .x1 = MIN2((uint32_t)MAX2(w->x1, 0) * width, columns),
        .y1 = MIN2((uint32_t)MAX2(w->y1, 0) * height, rows),
    };
}

/* Writes the clear color to the texels of a region, and marks its blocks as cleared. */
static bool fast_clear(struct model_context *ctx, const struct model_surface *s, uint32_t layer,
                       const struct model_region *r)
{
    const uint32_t slice = s->min_element + (layer < s->extent ? layer : 0);
    uint8_t bytes[16];

    if (s->format.compressed ||
        (s->format.kind != MODEL_TEXEL_FLOAT && s->format.kind != MODEL_TEXEL_INTEGER))
        return model_error(ctx, "Surface Format",
                           "RENDER_SURFACE_STATE: the format has no fast clear");
    if (s->format.bytes > sizeof bytes || r->x0 >= r->x1 || r->y0 >= r->y1)
        return true;
    if (!model_spend(ctx, MODEL_WORK_TEXEL * (uint64_t)(r->x1 - r->x0) * (r->y1 - r->y0)
                              << s->samples_log2))
        return false;
    model_texel_pack(&s->format, bytes, s->clear);
    for (uint32_t y = r->y0; y < r->y1; y++) {
        for (uint32_t x = r->x0; x < r->x1; x++) {
            for (unsigned i = 0; i < 1u << s->samples_log2; i++) {
                uint8_t *texel = model_surface_texel(s, s->lod, x, y, slice, i);
                if (!texel)
                    continue;
                model_surface_writes(s, MODEL_CACHE_RENDER, texel);
                memcpy(texel, bytes, s->format.bytes);
            }
        }
    }
    return model_spend(ctx, model_surface_mark_clear(s, r));
}

bool model_clear_primitive(struct model_context *ctx, const struct model_primitive *primitive)
{
    const struct i965_3dstate_ps *ps = &ctx->state.ps;
    const struct model_surface *s = model_env_surface(&ctx->pixel->env, 0);
    struct model_window window;

    if (!s || s->type == I965_SURFACE_TYPE_SURFTYPE_NULL)
        return s;
    if (primitive->kind != MODEL_RECTANGLE)
        return model_error(ctx, "Primitive Topology Type",
                           "fast clears and resolves are only possible with RECTLIST");
    if (!model_setup_window(ctx, primitive, &window))
        return true;
    const struct model_region region = scale(s, &window);
    if (ps->render_target_fast_clear_enable)
        return fast_clear(ctx, s, primitive->layer, &region);
    return model_spend(ctx, ps->render_target_resolve_type ==
                                    I965_RENDER_TARGET_RESOLVE_TYPE_RESOLVE_FULL
                                ? model_surface_unmark(s, &region)
                                : model_surface_unmark_clear(s, &region));
}
