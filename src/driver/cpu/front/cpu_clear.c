/* SPDX-License-Identifier: MIT */
/* Clears: values of the whole framebuffer at the start of a scene, or commands in the bins of
 * tiles. */
#include "driver/cpu/context/cpu_context.h"
#include "driver/cpu/front/cpu_front_ops.h"
#include "util/format.h"
#include "util/macros.h"

static void pack_color(enum drv_format format, uint8_t texel[16], const union drv_color *color)
{
    if (util_format_is_pure_integer(format))
        util_format_pack_int(format, texel, (const uint32_t(*)[4])color->u,
                             util_format_is_pure_sint(format), 1);
    else
        util_format_pack_float(format, texel, (const float(*)[4])color->f, 1);
}

/* Computes the texel value of a depth-stencil clear and the mask of its bits that are cleared. */
static void pack_zs(enum drv_format format, struct cpu_clear *c, double depth, unsigned stencil)
{
    if (c->buffers & DRV_CLEAR_DEPTH && util_format_has_depth(format)) {
        if (util_format_is_float(format)) {
            float z = depth;
            util_format_pack_depth(format, c->zs, &z, 1);
        } else {
            unsigned bits = util_format_depth_bits(format);
            uint32_t z = depth * (double)((1ull << bits) - 1) + 0.5;
            uint32_t wide = z << (32 - bits) | (bits < 32 ? z >> (2 * bits - 32) : 0);
            util_format_pack_depth_u32(format, c->zs, &wide, 1);
        }
        uint32_t ones = ~0u;
        float all = 1.0f;
        if (util_format_is_float(format)) {
            util_format_pack_depth(format, c->zs_mask, &all, 1);
            memset(c->zs_mask, 0xff, 4); /* all bits of a float, not only those set in 1.0 */
        } else {
            util_format_pack_depth_u32(format, c->zs_mask, &ones, 1);
        }
        if (!util_format_has_stencil(format)) /* bits next to depth are unused */
            memset(c->zs_mask, 0xff, sizeof c->zs_mask);
    }
    if (c->buffers & DRV_CLEAR_STENCIL && util_format_has_stencil(format)) {
        uint8_t s = stencil, all = 0xff;
        util_format_pack_stencil(format, c->zs, &s, 1);
        util_format_pack_stencil(format, c->zs_mask, &all, 1);
    }
}

static struct cpu_rect clear_rect(const struct cpu_scene *scene, const struct drv_scissor *scissor)
{
    struct cpu_rect r = {0, 0, (int)scene->width - 1, (int)scene->height - 1};
    if (scissor) {
        r.x0 = MAX2(r.x0, scissor->minx);
        r.y0 = MAX2(r.y0, scissor->miny);
        r.x1 = MIN2(r.x1, (int)scissor->maxx - 1);
        r.y1 = MIN2(r.y1, (int)scissor->maxy - 1);
    }
    return r;
}

static bool covers_scene(const struct cpu_scene *scene, const struct cpu_rect *box)
{
    return box->x0 == 0 && box->y0 == 0 && box->x1 == (int)scene->width - 1 &&
           box->y1 == (int)scene->height - 1;
}

/* Merges a clear of all pixels with the clear at the start of the scene. */
static void add_first_clear(struct cpu_clear *first, const struct cpu_clear *c)
{
    if (!first->buffers)
        *first = (struct cpu_clear){.box = c->box};
    for (unsigned i = 0; i < DRV_MAX_COLOR_BUFS; i++)
        if (c->buffers & DRV_CLEAR_COLOR0 << i)
            memcpy(first->color[i], c->color[i], sizeof c->color[i]);
    for (unsigned i = 0; i < sizeof c->zs_mask; i++) {
        first->zs[i] = (first->zs[i] & ~c->zs_mask[i]) | (c->zs[i] & c->zs_mask[i]);
        first->zs_mask[i] |= c->zs_mask[i];
    }
    first->buffers |= c->buffers;
}

/* Appends the clear to the bins. Returns false if out of memory. */
static bool bin_clear(struct cpu_scene *scene, const struct cpu_clear *c)
{
    struct cpu_segment *segment = cpu_scene_segment(scene);
    struct cpu_clear *copy = segment ? arena_alloc(segment->arena, sizeof *copy) : NULL;
    if (!copy)
        return false;
    *copy = *c;
    cpu_bin_clear(scene, segment, copy);
    return true;
}

static void clear(struct drv_context *base, unsigned buffers, const struct drv_scissor *scissor,
                  const union drv_color *color, double depth, unsigned stencil)
{
    struct cpu_context *ctx = cpu_context(base);
    if (!cpu_context_condition(ctx))
        return;
    struct cpu_scene *scene = cpu_context_scene(ctx);
    if (!scene) {
        ctx->base.out_of_memory = true;
        return;
    }
    struct cpu_clear c = {.box = clear_rect(scene, scissor), .buffers = buffers};
    if (c.box.x0 > c.box.x1 || c.box.y0 > c.box.y1)
        return;
    for (unsigned i = 0; i < scene->nr_cbufs; i++)
        if (buffers & DRV_CLEAR_COLOR0 << i && scene->color[i].base)
            pack_color(scene->color[i].format, c.color[i], color);
    if (buffers & (DRV_CLEAR_DEPTH | DRV_CLEAR_STENCIL) && scene->zs.base)
        pack_zs(scene->zs.format, &c, depth, stencil);
    if (covers_scene(scene, &c.box) && cpu_scene_has_no_commands(scene))
        add_first_clear(&scene->clear, &c);
    else if (!bin_clear(scene, &c) || cpu_scene_lost(scene))
        ctx->base.out_of_memory = true;
}

void cpu_clear_init(struct drv_context_ops *ops)
{
    ops->clear = clear;
}
