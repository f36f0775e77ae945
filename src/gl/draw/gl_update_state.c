/* SPDX-License-Identifier: MIT */
/* The atoms that translate dirty GL state to driver state, in the order of their dependencies. */
#include "gl/draw/gl_update_state.h"

#include <math.h>

#include "gl/context/gl_context.h"
#include "gl/framebuffer/gl_drawable.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_cso.h"
#include "gl/texture/gl_texture.h"
#include "util/check.h"
#include "util/format.h"

/* --------------------------------------------------------------------------------- blending --- */

static uint8_t blend_factor(GLenum f)
{
    switch (f) {
    case GL_ONE:
        return DRV_FACTOR_ONE;
    case GL_SRC_COLOR:
        return DRV_FACTOR_SRC_COLOR;
    case GL_ONE_MINUS_SRC_COLOR:
        return DRV_FACTOR_INV_SRC_COLOR;
    case GL_SRC_ALPHA:
        return DRV_FACTOR_SRC_ALPHA;
    case GL_ONE_MINUS_SRC_ALPHA:
        return DRV_FACTOR_INV_SRC_ALPHA;
    case GL_DST_COLOR:
        return DRV_FACTOR_DST_COLOR;
    case GL_ONE_MINUS_DST_COLOR:
        return DRV_FACTOR_INV_DST_COLOR;
    case GL_DST_ALPHA:
        return DRV_FACTOR_DST_ALPHA;
    case GL_ONE_MINUS_DST_ALPHA:
        return DRV_FACTOR_INV_DST_ALPHA;
    case GL_CONSTANT_COLOR:
        return DRV_FACTOR_CONST_COLOR;
    case GL_ONE_MINUS_CONSTANT_COLOR:
        return DRV_FACTOR_INV_CONST_COLOR;
    case GL_CONSTANT_ALPHA:
        return DRV_FACTOR_CONST_ALPHA;
    case GL_ONE_MINUS_CONSTANT_ALPHA:
        return DRV_FACTOR_INV_CONST_ALPHA;
    case GL_SRC_ALPHA_SATURATE:
        return DRV_FACTOR_SRC_ALPHA_SATURATE;
    case GL_SRC1_COLOR:
        return DRV_FACTOR_SRC1_COLOR;
    case GL_ONE_MINUS_SRC1_COLOR:
        return DRV_FACTOR_INV_SRC1_COLOR;
    case GL_SRC1_ALPHA:
        return DRV_FACTOR_SRC1_ALPHA;
    case GL_ONE_MINUS_SRC1_ALPHA:
        return DRV_FACTOR_INV_SRC1_ALPHA;
    default:
        return DRV_FACTOR_ZERO;
    }
}

static uint8_t blend_func(GLenum equation)
{
    switch (equation) {
    case GL_FUNC_SUBTRACT:
        return DRV_BLEND_SUBTRACT;
    case GL_FUNC_REVERSE_SUBTRACT:
        return DRV_BLEND_REVERSE_SUBTRACT;
    case GL_MIN:
        return DRV_BLEND_MIN;
    case GL_MAX:
        return DRV_BLEND_MAX;
    default:
        return DRV_BLEND_ADD;
    }
}

static void update_blend(struct gl_context *ctx)
{
    const struct gl_color_state *c = &ctx->color;
    struct drv_blend_state s;
    memset(&s, 0, sizeof s);
    s.independent = true;
    s.logicop_enable = c->logic_op_enabled;
    s.logicop_func = c->logic_op_enabled ? c->logic_op - GL_CLEAR : 0;
    /* GL 4.6 §17.3.1: integer color buffers ignore alpha operations. */
    const struct gl_framebuffer_state *fb = &ctx->framebuffer;
    bool by_alpha = ctx->multisample.enabled &&
                    !(fb->bound.nr_cbufs && !fb->draw_of_cbuf[0] && fb->bound.cbufs[0].texture &&
                      util_format_is_pure_integer(fb->bound.cbufs[0].format));
    s.alpha_to_coverage = by_alpha && ctx->multisample.alpha_to_coverage;
    s.alpha_to_coverage_dither = s.alpha_to_coverage && ctx->multisample.alpha_dither ==
                                                            GL_ALPHA_TO_COVERAGE_DITHER_ENABLE_NV;
    s.alpha_to_one = by_alpha && ctx->multisample.alpha_to_one;
    for (unsigned i = 0; i < DRV_MAX_COLOR_BUFS; i++) {
        struct drv_rt_blend *rt = &s.rt[i];
        /* Several color buffers may belong to draw buffer 0 (GL_FRONT_AND_BACK). */
        const unsigned draw = i < fb->nr_cbufs ? fb->draw_of_cbuf[i] : i;
        const struct gl_blend_func *b = &c->blend[draw];
        rt->colormask = c->mask[draw];
        /* GL 4.6 §17.3.6.2: logical operations replace blending. */
        if (!((c->blend_enabled & ~c->advanced) >> draw & 1) || c->logic_op_enabled)
            continue;
        rt->blend_enable = true;
        rt->rgb_func = blend_func(b->equation_rgb);
        rt->alpha_func = blend_func(b->equation_alpha);
        rt->rgb_src_factor = blend_factor(b->src_rgb);
        rt->rgb_dst_factor = blend_factor(b->dst_rgb);
        rt->alpha_src_factor = blend_factor(b->src_alpha);
        rt->alpha_dst_factor = blend_factor(b->dst_alpha);
    }
    gl_cso_bind_blend(ctx, &s);
}

/* --------------------------------------------------------------------------- depth, stencil --- */

static uint8_t stencil_op(GLenum op)
{
    switch (op) {
    case GL_ZERO:
        return DRV_STENCIL_ZERO;
    case GL_REPLACE:
        return DRV_STENCIL_REPLACE;
    case GL_INCR:
        return DRV_STENCIL_INCR;
    case GL_DECR:
        return DRV_STENCIL_DECR;
    case GL_INVERT:
        return DRV_STENCIL_INVERT;
    case GL_INCR_WRAP:
        return DRV_STENCIL_INCR_WRAP;
    case GL_DECR_WRAP:
        return DRV_STENCIL_DECR_WRAP;
    default:
        return DRV_STENCIL_KEEP;
    }
}

static void update_depth_stencil(struct gl_context *ctx)
{
    const struct gl_depth_state *d = &ctx->depth;
    const struct gl_stencil_state *st = &ctx->stencil;
    struct drv_depth_stencil_state s;
    memset(&s, 0, sizeof s);
    s.depth_enabled = d->test && ctx->framebuffer.has_depth;
    s.depth_writemask = s.depth_enabled && d->mask;
    s.depth_func = s.depth_enabled ? d->func - GL_NEVER : 0;
    s.depth_bounds_test = d->bounds_test && ctx->framebuffer.has_depth;
    s.depth_bounds_min = s.depth_bounds_test ? (float)d->bounds[0] : 0.0f;
    s.depth_bounds_max = s.depth_bounds_test ? (float)d->bounds[1] : 0.0f;
    const unsigned back = st->two_side ? 2 : 1;
    for (unsigned i = 0; i < 2 && st->enabled && ctx->framebuffer.has_stencil; i++) {
        unsigned face = i ? back : 0;
        s.stencil[i].enabled = true;
        s.stencil[i].func = st->func[face] - GL_NEVER;
        s.stencil[i].fail_op = stencil_op(st->fail[face]);
        s.stencil[i].zfail_op = stencil_op(st->zfail[face]);
        s.stencil[i].zpass_op = stencil_op(st->zpass[face]);
        s.stencil[i].valuemask = st->value_mask[face];
        s.stencil[i].writemask = st->write_mask[face];
    }
    gl_cso_bind_depth_stencil(ctx, &s);
    ctx->drv->ops->set_stencil_ref(ctx->drv, CLAMP(st->ref[0], 0, GL_STENCIL_MAX),
                                   CLAMP(st->ref[back], 0, GL_STENCIL_MAX));
}

/* ---------------------------------------------------------------------------- rasterization --- */

static uint8_t polygon_mode(GLenum mode)
{
    return mode == GL_LINE    ? DRV_POLYGON_LINE
           : mode == GL_POINT ? DRV_POLYGON_POINT
                              : DRV_POLYGON_FILL;
}

static void update_rasterizer(struct gl_context *ctx)
{
    const struct gl_polygon_state *p = &ctx->polygon;
    const struct gl_constants *k = &ctx->consts;
    struct drv_rasterizer_state s;
    memset(&s, 0, sizeof s);
    const bool flips = ctx->framebuffer.flips;
    s.front_ccw =
        (p->front_face == GL_CCW) == ((ctx->viewport.clip_origin == GL_LOWER_LEFT) != flips);
    s.cull_front = p->cull && p->cull_mode != GL_BACK;
    s.cull_back = p->cull && p->cull_mode != GL_FRONT;
    s.fill_front = polygon_mode(p->front_mode);
    s.fill_back = polygon_mode(p->back_mode);
    s.offset_point = p->offset_point;
    s.offset_line = p->offset_line;
    s.offset_tri = p->offset_fill;
    if (p->offset_point || p->offset_line || p->offset_fill) {
        s.offset_units = p->offset_units;
        s.offset_scale = p->offset_factor;
        s.offset_clamp = p->offset_clamp;
    }
    s.scissor = ctx->scissor.enabled & BITFIELD_MASK(ctx->consts.max_viewports);
    s.flatshade_first = ctx->light.provoking_vertex == GL_FIRST_VERTEX_CONVENTION;
    s.multisample = ctx->multisample.enabled;
    s.line_smooth = ctx->line.smooth;
    s.point_smooth = ctx->point.smooth && !ctx->point.sprite;
    s.poly_smooth = p->smooth;
    s.poly_stipple_enable = p->stipple;
    s.line_stipple_enable = ctx->line.stipple;
    if (s.line_stipple_enable) {
        s.line_stipple_pattern = ctx->line.stipple_pattern;
        s.line_stipple_factor = ctx->line.stipple_factor; /* at most 256 */
    }
    /* GL 4.6 §14.5.2: widths of aliased lines are rounded. */
    float width = CLAMP(ctx->line.width, k->line_width_range[0], k->line_width_range[1]);
    bool aliased = !ctx->line.smooth && !ctx->conservative.nv &&
                   !(s.multisample && ctx->framebuffer.bound.samples);
    s.line_width = aliased ? MAX2(1.0f, floorf(width + 0.5f)) : width;
    float size = ctx->point.size;
    if (gl_has_fixed_function(ctx))
        size = CLAMP(size, ctx->point.min, MAX2(ctx->point.max, ctx->point.min));
    s.point_size = CLAMP(size, k->point_size_range[0], k->point_size_range[1]);
    s.point_size_per_vertex = ctx->vs_writes_point_size;
    s.point_quad_rasterization = ctx->point.sprite || !gl_has_fixed_function(ctx);
    s.point_sprite_origin_upper_left = (ctx->point.sprite_origin == GL_UPPER_LEFT) != flips;
    /* OpenGL ES 2.0 §2.13, ES 3.2 §12.5: only the near and far planes clip points; Mesa cuts them
     * to the viewport. ES 1.1 §2.11 and GL 4.6 §13.7 discard points whose center is outside. */
    s.point_clip_to_viewport = gl_is_es(ctx) && !gl_has_fixed_function(ctx);
    s.conservative_expand = ctx->conservative.intel;
    s.conservative = s.conservative_expand || ctx->conservative.nv;
    if (ctx->conservative.nv) /* GL_CONSERVATIVE_RASTERIZATION_INTEL has no bias */
        memcpy(s.subpixel_bias, ctx->viewport.subpixel_bias, sizeof s.subpixel_bias);
    s.depth_clip_near = !ctx->transform.depth_clamp_near;
    s.depth_clip_far = !ctx->transform.depth_clamp_far;
    s.clip_halfz = ctx->viewport.clip_depth == GL_ZERO_TO_ONE;
    s.clip_plane_enable = ctx->transform.clip_enabled & ctx->vs_clip_distances;
    s.rasterizer_discard = ctx->transform.rasterizer_discard;
    gl_cso_bind_rasterizer(ctx, &s);
}

static void update_viewport(struct gl_context *ctx)
{
    struct drv_viewport out[DRV_MAX_VIEWPORTS];
    bool halfz = ctx->viewport.clip_depth == GL_ZERO_TO_ONE;
    bool upper = ctx->viewport.clip_origin == GL_UPPER_LEFT;
    for (int i = 0; i < ctx->consts.max_viewports; i++) {
        const struct gl_viewport *v = &ctx->viewport.vp[i];
        out[i].scale[0] = v->width / 2;
        out[i].scale[1] = (upper ? -v->height : v->height) / 2;
        out[i].translate[0] = v->x + v->width / 2;
        out[i].translate[1] = v->y + v->height / 2;
        if (ctx->framebuffer.flips) {
            out[i].scale[1] = -out[i].scale[1];
            out[i].translate[1] = (float)ctx->framebuffer.height - out[i].translate[1];
        }
        out[i].scale[2] = halfz ? v->far_val - v->near_val : (v->far_val - v->near_val) / 2;
        out[i].translate[2] = halfz ? v->near_val : (v->far_val + v->near_val) / 2;
    }
    ctx->drv->ops->set_viewports(ctx->drv, 0, ctx->consts.max_viewports, out);
}

static void update_scissor(struct gl_context *ctx)
{
    struct drv_scissor out[DRV_MAX_VIEWPORTS];
    for (int i = 0; i < ctx->consts.max_viewports; i++) {
        const struct gl_scissor *r = &ctx->scissor.rect[i];
        out[i].minx = CLAMP(r->x, 0, 65535);
        out[i].maxx = CLAMP((int64_t)r->x + r->width, 0, 65535);
        const int64_t y =
            ctx->framebuffer.flips ? (int64_t)ctx->framebuffer.height - r->y - r->height : r->y;
        out[i].miny = CLAMP(y, 0, 65535);
        out[i].maxy = CLAMP(y + r->height, 0, 65535);
    }
    ctx->drv->ops->set_scissors(ctx->drv, 0, ctx->consts.max_viewports, out);
}

static void update_stipple(struct gl_context *ctx)
{
    uint32_t flipped[32];
    for (unsigned y = 0; ctx->framebuffer.flips && y < 32; y++)
        flipped[y] = ctx->polygon_stipple[(ctx->framebuffer.height - 1 - y) % 32];
    ctx->drv->ops->set_polygon_stipple(ctx->drv,
                                       ctx->framebuffer.flips ? flipped : ctx->polygon_stipple);
}

/* Sets the sample mask; coverage is a mask of the first samples (GL 4.6 §17.3.3). */
static void update_sample_mask(struct gl_context *ctx)
{
    const struct gl_multisample_state *m = &ctx->multisample;
    uint32_t mask = ~0u;
    unsigned samples = ctx->framebuffer.bound.samples;
    if (m->enabled && samples > 1) {
        if (m->sample_coverage) {
            mask = BITFIELD_MASK((unsigned)lrintf(m->coverage_value * samples));
            if (m->coverage_invert)
                mask = ~mask;
        }
        if (m->sample_mask_enabled)
            mask &= m->sample_mask;
    }
    ctx->drv->ops->set_sample_mask(ctx->drv, mask);
}

/* Sets the minimum number of samples of a pixel that are shaded separately (GL 4.6 §14.3.1.1). */
static void update_min_samples(struct gl_context *ctx)
{
    const struct gl_multisample_state *m = &ctx->multisample;
    float share = m->enabled && m->sample_shading ? m->min_sample_shading : 0.0f;
    unsigned samples = (unsigned)ceilf(share * ctx->framebuffer.bound.samples);
    ctx->drv->ops->set_min_samples(ctx->drv, MAX2(samples, 1));
}

static void update_sample_locations(struct gl_context *ctx)
{
    int8_t locations[DRV_MAX_SAMPLES][2];
    if (!ctx->screen->caps.sample_locations)
        return;
    bool set = gl_framebuffer_locations(ctx->framebuffer.draw, locations);
    ctx->drv->ops->set_sample_locations(ctx->drv, set ? locations : NULL);
}

/* ----------------------------------------------------------------------------- state update --- */

static void update_fixed_atoms(struct gl_context *ctx)
{
    uint64_t dirty = ctx->dirty;
    if (dirty & GL_DIRTY_BLEND)
        update_blend(ctx);
    if (dirty & GL_DIRTY_BLEND_COLOR)
        ctx->drv->ops->set_blend_color(ctx->drv, ctx->color.blend_color);
    if (dirty & GL_DIRTY_DEPTH_STENCIL)
        update_depth_stencil(ctx);
    /* Point sizes and clip distances depend on the programs' outputs. */
    if (dirty & (GL_DIRTY_RASTERIZER | GL_DIRTY_PROGRAM | GL_DIRTY_PROGRAM_KEY | GL_DIRTY_SCISSOR))
        update_rasterizer(ctx);
    if (dirty & GL_DIRTY_VIEWPORT)
        update_viewport(ctx);
    if (dirty & GL_DIRTY_SCISSOR)
        update_scissor(ctx);
    if (dirty & GL_DIRTY_STIPPLE)
        update_stipple(ctx);
    if (dirty & GL_DIRTY_SAMPLE_MASK) {
        update_sample_mask(ctx);
        update_min_samples(ctx);
        update_sample_locations(ctx);
    }
}

static void update_textures(struct gl_context *ctx)
{
    const uint64_t views = GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM | GL_DIRTY_PROGRAM_KEY;
    if (!(ctx->dirty & (views | GL_DIRTY_IMAGES)) || !ctx->program.usable)
        return;
    for (unsigned s = 0; s < SHADER_COMPUTE; s++) {
        if (!ctx->program.bound[s])
            continue;
        const struct gl_stage *stage = ctx->program.executable[s]->stage[s];
        if (ctx->dirty & views)
            gl_update_stage_textures(ctx, s, stage->sampler, stage->num_samplers);
        gl_update_stage_images(ctx, s, stage->image, stage->num_images);
    }
    /* Completing textures may have replaced their storage, so update attachments. */
    if (ctx->dirty & GL_DIRTY_FRAMEBUFFER)
        gl_update_framebuffer(ctx);
}

bool gl_update_state(struct gl_context *ctx)
{
    gl_windows_update(ctx);
    ctx->dirty |= ctx->draw_dirty | gl_cso_missing(ctx);
    ctx->draw_dirty = 0;
    /* Shaders do advanced blending, and the alpha test, which depends on alpha-to-one. */
    if (ctx->dirty & GL_DIRTY_BLEND && (ctx->color.advanced || ctx->color.alpha_enabled))
        ctx->dirty |= GL_DIRTY_PROGRAM_KEY;
    if (ctx->light.vertex_materials != ctx->light.program_materials) {
        ctx->light.program_materials = ctx->light.vertex_materials;
        ctx->dirty |= GL_DIRTY_PROGRAM_KEY;
    }
    const uint64_t program = GL_DIRTY_PROGRAM | GL_DIRTY_PROGRAM_KEY | GL_DIRTY_TEXTURES |
                             GL_DIRTY_FRAMEBUFFER | GL_DIRTY_TEXTURE_MATRIX | GL_DIRTY_POINT;
    if (ctx->dirty & GL_DIRTY_FRAMEBUFFER) {
        gl_update_framebuffer(ctx);
        ctx->dirty |= GL_DIRTY_BY_FRAMEBUFFER;
    }
    if (ctx->dirty & program && !gl_update_programs(ctx))
        return false;
    uint64_t dirty = ctx->dirty;
    if (dirty & (program | GL_DIRTY_IMAGES))
        update_textures(ctx);
    if (dirty & (program | GL_DIRTY_CONSTANTS | GL_DIRTY_UNIFORMS | GL_DIRTY_UNIFORM_BUFFERS |
                 GL_DIRTY_STORAGE_BUFFERS | GL_DIRTY_IMAGES))
        gl_update_constants(ctx);
    update_fixed_atoms(ctx);
    CHECK(!(ctx->dirty & ~dirty & ~GL_DIRTY_ARRAYS)); /* no atom sets a bit that is cleared here */
    ctx->compute_dirty |= ctx->dirty & GL_DIRTY_COMPUTE;
    /* The draw itself sets up vertex arrays. */
    ctx->dirty &= GL_DIRTY_ARRAYS;
    return true;
}
