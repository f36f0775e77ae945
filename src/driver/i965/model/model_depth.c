/* SPDX-License-Identifier: MIT */
/*
 * Depth and stencil tests (3DSTATE_WM_DEPTH_STENCIL), and clears (3DSTATE_WM_HZ_OP). The
 * hierarchical depth buffer only records which blocks still have the clear value. The values of
 * other blocks are in the depth buffer, as after a resolve.
 */
#include <math.h>
#include <string.h>

#include "model_raster.h"
#include "model_strict.h"
#include "model_trace.h"
#include "util/format.h"

/* Returns a depth as the buffer's format stores it: an integer, or the bits of a float. */
static uint32_t encode_depth(unsigned format, float depth)
{
    uint32_t bits;

    switch (format) {
    case I965_DEPTH_FORMAT_D16_UNORM:
        return (uint32_t)rint((double)fminf(fmaxf(depth, 0.0f), 1.0f) * 65535.0);
    case I965_DEPTH_FORMAT_D24_UNORM_X8_UINT:
        return (uint32_t)rint((double)fminf(fmaxf(depth, 0.0f), 1.0f) * 16777215.0);
    default:
        memcpy(&bits, &depth, sizeof bits);
        return bits;
    }
}

static uint32_t load_depth(unsigned format, const uint8_t *texel)
{
    uint32_t value = 0;

    memcpy(&value, texel, format == I965_DEPTH_FORMAT_D16_UNORM ? 2 : 4);
    return format == I965_DEPTH_FORMAT_D24_UNORM_X8_UINT ? value & 0xffffff : value;
}

static void store_depth(unsigned format, uint8_t *texel, uint32_t value)
{
    if (format == I965_DEPTH_FORMAT_D24_UNORM_X8_UINT)
        memcpy(texel, &value, 3);
    else
        memcpy(texel, &value, format == I965_DEPTH_FORMAT_D16_UNORM ? 2 : 4);
}

/* Returns whether `a function b` holds. */
static bool compare(unsigned function, double a, double b)
{
    switch ((enum i965_compare_function)function) {
    case I965_COMPARE_FUNCTION_ALWAYS:
        return true;
    case I965_COMPARE_FUNCTION_NEVER:
        return false;
    case I965_COMPARE_FUNCTION_LESS:
        return a < b;
    case I965_COMPARE_FUNCTION_EQUAL:
        return a == b;
    case I965_COMPARE_FUNCTION_LEQUAL:
        return a <= b;
    case I965_COMPARE_FUNCTION_GREATER:
        return a > b;
    case I965_COMPARE_FUNCTION_NOTEQUAL:
        return a != b;
    case I965_COMPARE_FUNCTION_GEQUAL:
        return a >= b;
    }
    return true;
}

static double depth_number(unsigned format, uint32_t value)
{
    float f;

    if (format != I965_DEPTH_FORMAT_D32_FLOAT)
        return value;
    memcpy(&f, &value, sizeof f);
    return (double)f;
}

static uint8_t stencil_operation(unsigned operation, uint8_t value, unsigned reference)
{
    switch ((enum i965_stencil_op)operation) {
    case I965_STENCIL_OP_ZERO:
        return 0;
    case I965_STENCIL_OP_REPLACE:
        return (uint8_t)reference;
    case I965_STENCIL_OP_INCRSAT:
        return value == 255 ? 255 : value + 1;
    case I965_STENCIL_OP_DECRSAT:
        return value == 0 ? 0 : value - 1;
    case I965_STENCIL_OP_INCR:
        return value + 1;
    case I965_STENCIL_OP_DECR:
        return value - 1;
    case I965_STENCIL_OP_INVERT:
        return (uint8_t)~value;
    default:
        return value;
    }
}

/* Stencil state of the side that a primitive shows. */
struct stencil_side {
    unsigned function, test_mask, write_mask, fail, depth_fail, pass;
};

static struct stencil_side stencil_side(struct model_context *ctx, const struct model_setup *s)
{
    const struct i965_3dstate_wm_depth_stencil *d = &ctx->state.wm_depth_stencil;

    if (d->double_sided_stencil_enable && !s->front)
        return (struct stencil_side){
            d->backface_stencil_test_function,      d->backface_stencil_test_mask,
            d->backface_stencil_write_mask,         d->backface_stencil_fail_op,
            d->backface_stencil_pass_depth_fail_op, d->backface_stencil_pass_depth_pass_op};
    return (struct stencil_side){d->stencil_test_function,      d->stencil_test_mask,
                                 d->stencil_write_mask,         d->stencil_fail_op,
                                 d->stencil_pass_depth_fail_op, d->stencil_pass_depth_pass_op};
}

unsigned model_stencil_reference(struct model_context *ctx, const struct model_setup *s)
{
    const struct i965_3dstate_wm_depth_stencil *d = &ctx->state.wm_depth_stencil;

    return d->double_sided_stencil_enable && !s->front ? d->backface_stencil_reference_value
                                                       : d->stencil_reference_value;
}

/* Returns the memory of a sample, NULL if it is outside of the surface. */
static uint8_t *find_sample(const struct model_surface *s, int32_t x, int32_t y, uint32_t layer,
                            unsigned sample)
{
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_NULL ||
        (uint32_t)x >= model_minify(s->width, s->lod) ||
        (uint32_t)y >= model_minify(s->height, s->lod) || sample >> s->samples_log2)
        return NULL;
    if (layer >= s->extent)
        layer = 0;
    return model_surface_texel(s, s->lod, (uint32_t)x, (uint32_t)y, s->min_element + layer, sample);
}

/* If the hierarchical depth buffer says that a block of 8×4 samples is cleared, stores the clear
 * value in its samples and marks it with MODEL_HIZ_VALUES. In zeroed memory, all blocks are
 * cleared. */
static void expand_block(struct model_context *ctx, const struct model_surface *depth,
                         const struct model_surface *hiz, int32_t x, int32_t y, uint32_t layer,
                         unsigned sample)
{
    uint8_t *mark = find_sample(hiz, x, y, layer, sample);
    const unsigned format = ctx->state.depth_buffer.surface_format;
    const uint32_t value = encode_depth(format, ctx->state.clear_params.depth_clear_value);
    struct model_surface flat = *depth;
    uint32_t px = (uint32_t)x, py = (uint32_t)y;

    if (!mark || *mark == MODEL_HIZ_VALUES)
        return;
    *mark = MODEL_HIZ_VALUES;
    if (depth->interleaved)
        model_interleave(depth->samples_log2, sample, &px, &py);
    flat.interleaved = false;
    flat.samples_log2 = 0;
    if (layer >= depth->extent)
        layer = 0;
    for (unsigned i = 0; i < 32; i++) {
        uint8_t *texel = model_surface_texel(&flat, depth->lod, (px & ~7u) + i % 8,
                                             (py & ~3u) + i / 8, depth->min_element + layer, 0);
        if (texel) {
            model_surface_writes(depth, MODEL_CACHE_DEPTH, texel);
            store_depth(format, texel, value);
        }
    }
}

/* Adds the tests of a sample to the trace. z, stencil: the buffers' values; NULL if not tested. */
static void trace_tests(struct model_context *ctx, unsigned sample, const uint8_t *z,
                        uint32_t depth, const uint8_t *stencil, unsigned reference,
                        bool stencil_passes, bool depth_passes)
{
    const unsigned format = ctx->state.depth_buffer.surface_format;

    if (stencil)
        model_trace_pixel(ctx, "sample %u: stencil test %s: reference %u, result in the buffer %u",
                          sample, stencil_passes ? "passes" : "fails", reference, *stencil);
    if (z)
        model_trace_pixel(ctx, "sample %u: depth test %s: value %#x, buffer %#x", sample,
                          depth_passes ? "passes" : "fails", depth, load_depth(format, z));
}

static bool test_sample(struct model_context *ctx, const struct model_setup *s, int32_t x,
                        int32_t y, unsigned sample, float depth, unsigned reference)
{
    const struct model_pixel *p = ctx->pixel;
    const struct i965_3dstate_wm_depth_stencil *d = &ctx->state.wm_depth_stencil;
    const unsigned format = ctx->state.depth_buffer.surface_format;
    const struct stencil_side side = stencil_side(ctx, s);
    uint8_t *z =
        p->depth_test || p->depth_write ? find_sample(&p->depth, x, y, s->layer, sample) : NULL;
    uint8_t *stencil = p->stencil_test ? find_sample(&p->stencil, x, y, s->layer, sample) : NULL;
    bool stencil_passes = true, depth_passes = true;
    if (z && p->depth_test)
        model_surface_reads(&p->depth, MODEL_CACHE_DEPTH, z);
    if (stencil)
        model_surface_reads(&p->stencil, MODEL_CACHE_DEPTH, stencil);
    if (z)
        expand_block(ctx, &p->depth, &p->hiz, x, y, s->layer, sample);
    const uint32_t new = z ? encode_depth(format, depth) : 0;

    if (stencil)
        stencil_passes =
            compare(side.function, reference & side.test_mask, *stencil & side.test_mask);
    if (z && p->depth_test)
        depth_passes = compare(d->depth_test_function, depth_number(format, new),
                               depth_number(format, load_depth(format, z)));
    if (stencil && p->stencil_write) {
        const unsigned operation = !stencil_passes ? side.fail
                                   : !depth_passes ? side.depth_fail
                                                   : side.pass;
        const uint8_t value = stencil_operation(operation, *stencil, reference);
        model_surface_writes(&p->stencil, MODEL_CACHE_DEPTH, stencil);
        *stencil = (uint8_t)((*stencil & ~side.write_mask) | (value & side.write_mask));
    }
    if (model_traces_pixel(ctx, x, y))
        trace_tests(ctx, sample, z, new, stencil, reference, stencil_passes, depth_passes);
    if (z && p->depth_write && stencil_passes && depth_passes) {
        model_surface_writes(&p->depth, MODEL_CACHE_DEPTH, z);
        store_depth(format, z, new);
    }
    return stencil_passes && depth_passes;
}

uint32_t model_depth_test(struct model_context *ctx, const struct model_setup *s, int32_t x,
                          int32_t y, uint32_t mask, const float depth[MODEL_MAX_SAMPLES],
                          unsigned reference)
{
    const struct i965_cc_viewport *range = &ctx->pixel->depth_range[s->viewport];
    uint32_t passed = 0;

    for (unsigned i = 0; i < ctx->pixel->samples; i++) {
        if (!(mask >> i & 1))
            continue;
        const float z = fminf(fmaxf(depth[i], range->minimum_depth), range->maximum_depth);
        if (test_sample(ctx, s, x, y, i, z, reference))
            passed |= 1u << i;
    }
    if (ctx->state.wm.statistics_enable)
        ctx->counters.ps_depth += (unsigned)__builtin_popcount(passed);
    return passed;
}

void model_depth_interpolate(struct model_context *ctx, const struct model_setup *s, int32_t x,
                             int32_t y, uint32_t mask, float depth[MODEL_MAX_SAMPLES])
{
    const struct model_pixel *p = ctx->pixel;

    for (unsigned i = 0; i < p->samples; i++) {
        const double dx = (double)(p->pattern ? p->sample_position[i][0] : p->pixel_offset);
        const double dy = (double)(p->pattern ? p->sample_position[i][1] : p->pixel_offset);
        if (!(mask >> i & 1))
            continue;
        depth[i] = p->depth_test || p->depth_write ? model_depth_at(s, x + dx, y + dy) : 0.0f;
    }
}

/* ------------------------------------------------------------------------------ operations --- */

/* Gives all cleared blocks of a level their values. Returns false after model_error(). */
static bool resolve_depth(struct model_context *ctx, const struct model_surface *depth)
{
    const uint32_t w = model_minify(depth->width, depth->lod);
    const uint32_t h = model_minify(depth->height, depth->lod);
    struct model_surface hiz;

    model_hiz_surface_init(&hiz, depth);
    if (hiz.type == I965_SURFACE_TYPE_SURFTYPE_NULL)
        return true;
    if (!model_spend(ctx, MODEL_WORK_TEXEL * (uint64_t)w * h << depth->samples_log2))
        return false;
    for (uint32_t y = 0; y < h; y += 2) {
        for (uint32_t x = 0; x < w; x += 2) {
            for (unsigned i = 0; i < 1u << depth->samples_log2; i++)
                expand_block(ctx, depth, &hiz, (int32_t)x, (int32_t)y, 0, i);
        }
    }
    return true;
}

/* Clears a rectangle of one level and slice of a surface to a value. Returns false after
 * model_error(). */
static bool clear_surface(struct model_context *ctx, const struct model_surface *s,
                          const struct model_window *w, unsigned format, uint32_t value,
                          bool stencil)
{
    const int32_t x1 = MIN2(w->x1, (int32_t)model_minify(s->width, s->lod));
    const int32_t y1 = MIN2(w->y1, (int32_t)model_minify(s->height, s->lod));
    const uint64_t area = (uint64_t)MAX2(x1 - w->x0, 0) * (uint64_t)MAX2(y1 - w->y0, 0);

    if (!model_spend(ctx, MODEL_WORK_TEXEL * area << s->samples_log2))
        return false;
    for (int32_t y = w->y0; y < y1; y++) {
        for (int32_t x = w->x0; x < x1; x++) {
            for (unsigned i = 0; i < 1u << s->samples_log2; i++) {
                uint8_t *texel = find_sample(s, x, y, 0, i);
                if (texel)
                    model_surface_writes(s, MODEL_CACHE_DEPTH, texel);
                if (texel && stencil)
                    *texel = (uint8_t)value;
                else if (texel)
                    store_depth(format, texel, value);
            }
        }
    }
    return true;
}

bool model_hz_op(struct model_context *ctx)
{
    const struct i965_3dstate_wm_hz_op *op = &ctx->state.wm_hz_op;
    const unsigned format = ctx->state.depth_buffer.surface_format;
    struct model_window w = {(int32_t)op->clear_rectangle_x_min, (int32_t)op->clear_rectangle_y_min,
                             (int32_t)op->clear_rectangle_x_max,
                             (int32_t)op->clear_rectangle_y_max};
    const unsigned samples = ctx->state.multisample.number_of_multisamples;
    struct model_surface s;

    if (op->full_surface_depth_and_stencil_clear)
        w = (struct model_window){0, 0, INT32_MAX, INT32_MAX};
    if (op->number_of_multisamples > 4)
        return model_error(ctx, "Number of Multisamples", "3DSTATE_WM_HZ_OP: reserved value %u",
                           (unsigned)op->number_of_multisamples);
    /* The operation has its own number of samples. */
    ctx->state.multisample.number_of_multisamples = op->number_of_multisamples;
    bool ok = true;
    if (op->depth_buffer_clear_enable || op->depth_buffer_resolve_enable ||
        op->hierarchical_depth_buffer_resolve_enable) {
        ok = model_depth_surface_init(&s, ctx);
        if (ok && s.type != I965_SURFACE_TYPE_SURFTYPE_NULL)
            ok = resolve_depth(ctx, &s);
        if (ok && op->depth_buffer_clear_enable)
            ok = clear_surface(ctx, &s, &w, format,
                               encode_depth(format, ctx->state.clear_params.depth_clear_value),
                               false);
    }
    if (ok && op->stencil_buffer_clear_enable) {
        ok = model_stencil_surface_init(&s, ctx) &&
             clear_surface(ctx, &s, &w, format, op->stencil_clear_value, true);
    }
    ctx->state.multisample.number_of_multisamples = samples;
    return ok;
}
