/* SPDX-License-Identifier: MIT */
/*
 * Render target writes and reads: alpha test, late depth and stencil tests, blending, logic
 * operations (BLEND_STATE, COLOR_CALC_STATE).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model_raster.h"
#include "model_strict.h"
#include "model_trace.h"
#include "util/float_env.h"
#include "util/format.h"

typedef union {
    float f[4];
    uint32_t u[4];
} color_value;

/* -------------------------------------------------------------------------------- blending --- */

struct blend_inputs {
    const float *source, *source1, *destination, *constant;
};

static float blend_factor(unsigned factor, const struct blend_inputs *in, unsigned c)
{
    switch ((enum i965_blend_factor)factor) {
    case I965_BLEND_FACTOR_ONE:
        return 1.0f;
    case I965_BLEND_FACTOR_SRC_COLOR:
        return in->source[c];
    case I965_BLEND_FACTOR_SRC_ALPHA:
        return in->source[3];
    case I965_BLEND_FACTOR_DST_ALPHA:
        return in->destination[3];
    case I965_BLEND_FACTOR_DST_COLOR:
        return in->destination[c];
    case I965_BLEND_FACTOR_SRC_ALPHA_SATURATE:
        return c == 3 ? 1.0f : fminf(in->source[3], 1.0f - in->destination[3]);
    case I965_BLEND_FACTOR_CONST_COLOR:
        return in->constant[c];
    case I965_BLEND_FACTOR_CONST_ALPHA:
        return in->constant[3];
    case I965_BLEND_FACTOR_SRC1_COLOR:
        return in->source1[c];
    case I965_BLEND_FACTOR_SRC1_ALPHA:
        return in->source1[3];
    case I965_BLEND_FACTOR_INV_SRC_COLOR:
        return 1.0f - in->source[c];
    case I965_BLEND_FACTOR_INV_SRC_ALPHA:
        return 1.0f - in->source[3];
    case I965_BLEND_FACTOR_INV_DST_ALPHA:
        return 1.0f - in->destination[3];
    case I965_BLEND_FACTOR_INV_DST_COLOR:
        return 1.0f - in->destination[c];
    case I965_BLEND_FACTOR_INV_CONST_COLOR:
        return 1.0f - in->constant[c];
    case I965_BLEND_FACTOR_INV_CONST_ALPHA:
        return 1.0f - in->constant[3];
    case I965_BLEND_FACTOR_INV_SRC1_COLOR:
        return 1.0f - in->source1[c];
    case I965_BLEND_FACTOR_INV_SRC1_ALPHA:
        return 1.0f - in->source1[3];
    default:
        return 0.0f;
    }
}

static float blend_function(unsigned function, float s, float sf, float d, float df)
{
    switch ((enum i965_blend_function)function) {
    case I965_BLEND_FUNCTION_SUBTRACT:
        return s * sf - d * df;
    case I965_BLEND_FUNCTION_REVERSE_SUBTRACT:
        return d * df - s * sf;
    case I965_BLEND_FUNCTION_MIN:
        return fminf(s, d);
    case I965_BLEND_FUNCTION_MAX:
        return fmaxf(s, d);
    default:
        return s * sf + d * df;
    }
}

static void blend(struct model_context *ctx, const struct i965_blend_state_entry *e,
                  const struct blend_inputs *in, float out[4])
{
    const bool separate = ctx->pixel->blend.independent_alpha_blend_enable;

    for (unsigned c = 0; c < 4; c++) {
        const bool alpha = c == 3 && separate;
        const float sf =
            blend_factor(alpha ? e->source_alpha_blend_factor : e->source_blend_factor, in, c);
        const float df = blend_factor(
            alpha ? e->destination_alpha_blend_factor : e->destination_blend_factor, in, c);
        out[c] = blend_function(alpha ? e->alpha_blend_function : e->color_blend_function,
                                in->source[c], sf, in->destination[c], df);
    }
}

/* Returns the lower end of the range to which the state clamps colors of the target's format, whose
 * upper end is 1. Returns a NaN if it doesn't clamp them. */
static float clamp_minimum(const struct i965_blend_state_entry *e,
                           const struct model_format *format)
{
    if (e->color_clamp_range == I965_COLOR_CLAMP_RANGE_COLORCLAMP_SNORM)
        return -1.0f;
    if (e->color_clamp_range != I965_COLOR_CLAMP_RANGE_COLORCLAMP_RTFORMAT)
        return 0.0f;
    if (util_format_is_float(format->drv))
        return NAN;
    return util_format_is_snorm(format->drv) ? -1.0f : 0.0f;
}

static void clamp_color(float low, float color[4])
{
    for (unsigned c = 0; c < 4 && low <= 0.0f; c++)
        color[c] = color[c] > low ? MIN2(color[c], 1.0f) : low;
}

static uint32_t logic_operation(unsigned function, uint32_t s, uint32_t d)
{
    /* Bit 3: both are set; 2: only s; 1: only d; 0: none. */
    return (function & 8 ? s & d : 0) | (function & 4 ? s & ~d : 0) | (function & 2 ? ~s & d : 0) |
           (function & 1 ? ~(s | d) : 0);
}

/* --------------------------------------------------------------------------------- targets --- */

/* Returns the memory of a pixel's sample, NULL if it is outside of the target. */
static uint8_t *find_sample(const struct model_surface *s, int32_t x, int32_t y, uint32_t layer,
                            unsigned sample)
{
    if ((uint32_t)x >= (s->type == I965_SURFACE_TYPE_SURFTYPE_BUFFER
                            ? s->entries
                            : model_minify(s->width, s->lod)) ||
        (uint32_t)y >= model_minify(s->height, s->lod) || sample >> s->samples_log2)
        return NULL;
    if (layer >= s->extent)
        layer = 0;
    return model_surface_texel(s, s->lod, (uint32_t)x, (uint32_t)y, s->min_element + layer, sample);
}

/* Moves shader components to the surface's components, and back. */
static void swizzle_out(const struct model_surface *s, const uint32_t in[4], uint32_t out[4])
{
    memset(out, 0, 16);
    for (unsigned c = 4; c-- > 0;) {
        if (s->swizzle[c] >= I965_SHADER_CHANNEL_SELECT_RED)
            out[s->swizzle[c] - I965_SHADER_CHANNEL_SELECT_RED] = in[c];
    }
}

static void swizzle_in(const struct model_surface *s, const uint32_t in[4], uint32_t out[4])
{
    static const float one = 1.0f;

    for (unsigned c = 0; c < 4; c++) {
        out[c] = 0;
        if (s->swizzle[c] >= I965_SHADER_CHANNEL_SELECT_RED)
            out[c] = in[s->swizzle[c] - I965_SHADER_CHANNEL_SELECT_RED];
        else if (s->swizzle[c] == I965_SHADER_CHANNEL_SELECT_ONE)
            memcpy(&out[c], &one, 4);
    }
}

static unsigned write_mask(const struct model_surface *s, const struct i965_blend_state_entry *e)
{
    const bool disabled[4] = {e->write_disable_red, e->write_disable_green, e->write_disable_blue,
                              e->write_disable_alpha};
    unsigned mask = 0;

    for (unsigned c = 0; c < 4; c++) {
        if (!disabled[c] && s->swizzle[c] >= I965_SHADER_CHANNEL_SELECT_RED)
            mask |= 1u << (s->swizzle[c] - I965_SHADER_CHANNEL_SELECT_RED);
    }
    /* If A isn't selected, and R, G and B are written, the whole texel is written. */
    return mask == 7 && !disabled[3] ? 15 : mask;
}

/* A write of one thread to one target. */
struct write {
    struct model_context *ctx;
    const struct model_surface *surface;
    const struct i965_blend_state_entry *state;
    bool blends, full;
    bool same_order; /* Components have the order of the shader's. */
    float low;       /* As clamp_minimum() returns it. */
    float constant[4];
    uint8_t bits[16]; /* Bits of a texel that are written. */
};

static void begin_write(struct write *w, struct model_context *ctx,
                        const struct model_surface *surface, unsigned index)
{
    const unsigned kind = surface->format.kind;

    w->ctx = ctx;
    w->surface = surface;
    w->state = &ctx->pixel->target[index & (MODEL_MAX_TARGETS - 1)];
    const struct i965_color_calc_state *cc = &ctx->pixel->color_calc;
    const float constant[4] = {cc->blend_constant_color_red, cc->blend_constant_color_green,
                               cc->blend_constant_color_blue, cc->blend_constant_color_alpha};
    memcpy(w->constant, constant, sizeof constant);
    w->low = clamp_minimum(w->state, &surface->format);
    w->same_order = true;
    for (unsigned c = 0; c < 4; c++)
        w->same_order &= surface->swizzle[c] == I965_SHADER_CHANNEL_SELECT_RED + c;
    w->blends = w->state->color_buffer_blend_enable && kind == MODEL_TEXEL_FLOAT;
    model_texel_write_mask(&surface->format, write_mask(surface, w->state), w->bits);
    w->full = true;
    for (unsigned i = 0; i < surface->format.bytes && i < 16; i++)
        w->full &= w->bits[i] == 0xff;
}

/* Stores bits of a texel after logic operation and write mask. */
static void store_texel(const struct write *w, uint8_t *texel, const uint8_t source[16])
{
    const unsigned bytes = MIN2(w->surface->format.bytes, 16);

    if (w->full && !w->state->logic_op_enable) {
        memcpy(texel, source, bytes);
        return;
    }
    for (unsigned i = 0; i < bytes; i++) {
        uint32_t value = source[i];
        if (w->state->logic_op_enable)
            value = logic_operation(w->state->logic_op_function, value, texel[i]);
        texel[i] = (uint8_t)((texel[i] & ~w->bits[i]) | (value & w->bits[i]));
    }
}

static void write_sample(const struct write *w, uint8_t *texel, const color_value *source,
                         const color_value *source1)
{
    const struct model_format *format = &w->surface->format;
    color_value color = *source, second = *source1, old, stored;
    uint8_t bytes[16] = {0}; /* Packing doesn't set all bits of depth formats. */

    if (format->kind == MODEL_TEXEL_FLOAT) {
        if (w->state->pre_blend_color_clamp_enable) {
            clamp_color(w->low, color.f);
            clamp_color(w->low, second.f);
        }
        if (w->blends) {
            uint32_t raw[4];
            model_texel_unpack(format, texel, raw);
            swizzle_in(w->surface, raw, old.u);
            const color_value blended = color;
            const struct blend_inputs in = {blended.f, second.f, old.f, w->constant};
            blend(w->ctx, w->state, &in, color.f);
        }
        if (w->state->post_blend_color_clamp_enable)
            clamp_color(w->low, color.f);
    }
    if (!w->same_order)
        swizzle_out(w->surface, color.u, stored.u);
    model_texel_pack(format, bytes, w->same_order ? color.u : stored.u);
    if (w->blends || !w->full || w->state->logic_op_enable)
        model_surface_reads(w->surface, MODEL_CACHE_RENDER, texel);
    model_surface_writes(w->surface, MODEL_CACHE_RENDER, texel);
    store_texel(w, texel, bytes);
}

/* ------------------------------------------------------------------------------ late tests --- */

static bool alpha_passes(struct model_context *ctx, float alpha)
{
    const struct model_pixel *p = ctx->pixel;
    float ref = p->color_calc.alpha_reference_value_as_float32;

    if (p->color_calc.alpha_test_format == I965_ALPHA_TEST_FORMAT_ALPHATEST_UNORM8) {
        ref = (float)(p->color_calc.alpha_reference_value_as_unorm8 & 0xff);
        alpha = rintf(fminf(fmaxf(alpha, 0.0f), 1.0f) * 255.0f);
    }
    switch ((enum i965_compare_function)p->blend.alpha_test_function) {
    case I965_COMPARE_FUNCTION_NEVER:
        return false;
    case I965_COMPARE_FUNCTION_LESS:
        return alpha < ref;
    case I965_COMPARE_FUNCTION_EQUAL:
        return alpha == ref;
    case I965_COMPARE_FUNCTION_LEQUAL:
        return alpha <= ref;
    case I965_COMPARE_FUNCTION_GREATER:
        return alpha > ref;
    case I965_COMPARE_FUNCTION_NOTEQUAL:
        return alpha != ref;
    case I965_COMPARE_FUNCTION_GEQUAL:
        return alpha >= ref;
    default:
        return true;
    }
}

/* Returns the samples that alpha covers. */
static uint32_t alpha_mask(unsigned samples, float alpha)
{
    const unsigned covered = (unsigned)rintf(fminf(fmaxf(alpha, 0.0f), 1.0f) * (float)samples);

    return (1u << covered) - 1;
}

/* Performs the tests of a pixel that follow its shader, at the shader's first write. i: the pixel's
 * index in the arrays of the message. Returns the mask of the samples that pass. */
static uint32_t test_late(struct model_fragments *f, const struct sim_render_write *w, unsigned i,
                          const struct model_slot *slot, unsigned pixel, uint32_t mask)
{
    struct model_context *ctx = f->ctx;
    const struct model_pixel *p = ctx->pixel;
    const int32_t x = slot->quad.x + (int32_t)(pixel & 1), y = slot->quad.y + (int32_t)(pixel >> 1);
    const float alpha = uif(w->has_alpha0 ? w->alpha0[i] : w->color[3][i]);
    float depth[MODEL_MAX_SAMPLES] = {0};
    unsigned reference = model_stencil_reference(ctx, f->setup);

    if (w->has_sample_mask)
        mask &= w->sample_mask[i];
    if (p->alpha_to_coverage)
        mask &= alpha_mask(p->samples, alpha);
    if (p->alpha_test && !alpha_passes(ctx, alpha))
        mask = 0;
    if (p->early || !mask)
        return mask;
    if (w->has_depth) {
        for (unsigned s = 0; s < p->samples; s++)
            depth[s] = uif(w->depth[i]);
    } else {
        model_depth_interpolate(ctx, f->setup, x, y, mask, depth);
    }
    if (w->has_stencil)
        reference = w->stencil[i] & 0xff;
    return model_depth_test(ctx, f->setup, x, y, mask, depth, reference);
}

/* --------------------------------------------------------------------------------- messages --- */

static struct model_fragments *fragments_of(struct sim_env *env)
{
    return ((struct model_env *)env)->pixel;
}

/* Returns the samples that a channel may write. */
static uint32_t channel_mask(const struct model_slot *slot, unsigned pixel)
{
    const uint32_t mask = slot->quad.mask[pixel];

    return slot->sample < 0 ? mask : mask & 1u << slot->sample;
}

/* Adds the write of a sample to the trace. texel: after the write; NULL if it is outside. */
static void trace_write(const struct write *w, unsigned target, unsigned sample,
                        const color_value *source, bool lit, const uint8_t *texel)
{
    char bytes[40] = "none";

    for (unsigned i = 0; texel && i < MIN2(w->surface->format.bytes, 16); i++)
        snprintf(bytes + 2 * i, 3, "%02x", texel[i]);
    model_trace_pixel(w->ctx,
                      "sample %u of target %u: %s: shader output (%#x %#x %#x %#x), (%g %g %g %g); "
                      "bytes after the write: %s",
                      sample, target, lit ? "written" : "not written", source->u[0], source->u[1],
                      source->u[2], source->u[3], (double)source->f[0], (double)source->f[1],
                      (double)source->f[2], (double)source->f[3], bytes);
}

static void write_channel(const struct write *w, struct model_fragments *f,
                          const struct sim_render_write *m, unsigned i)
{
    const unsigned lane = m->first + i, pixel = lane % 4;
    struct model_slot *slot = &f->slot[lane / 4];
    uint32_t mask = channel_mask(slot, pixel);
    color_value source, source1;

    if (!mask)
        return;
    if (!f->tested[lane]) {
        mask = test_late(f, m, i, slot, pixel, mask);
        slot->quad.mask[pixel] = (uint16_t)mask;
        f->tested[lane] = true;
    }
    if (w->surface->type == I965_SURFACE_TYPE_SURFTYPE_NULL)
        return;
    for (unsigned c = 0; c < 4; c++) {
        source.u[c] = m->color[c][i];
        source1.u[c] = m->dual_source ? m->color1[c][i] : 0;
    }
    if (f->ctx->pixel->blend.alpha_to_one_enable)
        source.f[3] = 1.0f;
    if (f->setup->smooth)
        source.f[3] *= slot->quad.alpha[pixel];
    const int32_t x = slot->quad.x + (int32_t)(pixel & 1), y = slot->quad.y + (int32_t)(pixel >> 1);
    for (unsigned s = 0; s < f->ctx->pixel->samples; s++) {
        uint8_t *texel = mask >> s & 1 ? find_sample(w->surface, x, y, f->setup->layer, s) : NULL;
        if (texel)
            write_sample(w, texel, &source, &source1);
        if (texel && w->surface->control)
            model_surface_mark(w->surface, (uint32_t)x, (uint32_t)y);
        if (model_traces_pixel(f->ctx, x, y))
            trace_write(w, m->index, s, &source, mask >> s & 1, texel);
    }
}

static bool check_target(struct model_context *ctx, const struct model_surface *s)
{
    const unsigned kind = s->format.kind;

    if (s->type == I965_SURFACE_TYPE_SURFTYPE_NULL)
        return true;
    if (s->format.compressed ||
        (kind != MODEL_TEXEL_FLOAT && kind != MODEL_TEXEL_INTEGER && kind != MODEL_TEXEL_DEPTH) ||
        s->format.bytes > 16)
        return model_error(ctx, "Surface Format",
                           "RENDER_SURFACE_STATE: the format can't be rendered to");
    return true;
}

bool model_merge_write(struct sim_env *env, const struct sim_render_write *m)
{
    struct model_fragments *f = fragments_of(env);
    const struct model_surface *surface = model_env_surface((struct model_env *)env, m->target);
    struct write w;

    if (!surface || !check_target(f->ctx, surface) ||
        m->first + m->channels > ARRAY_SIZE(f->tested))
        return false;
    begin_write(&w, f->ctx, surface, m->index);
    const char *wrong = f->ctx->pixel->target_error[m->index & (MODEL_MAX_TARGETS - 1)].text;
    if (wrong[0])
        return model_error(f->ctx, "Blend State Pointer", "target %u: %s", m->index, wrong);
    if (!model_spend(f->ctx, MODEL_WORK_TEXEL * (uint64_t)m->channels * f->ctx->pixel->samples))
        return false;
    const float_env saved = float_env_enter();
    for (unsigned i = 0; i < m->channels; i++) {
        if (m->mask >> i & 1)
            write_channel(&w, f, m, i);
    }
    float_env_leave(saved);
    return true;
}

bool model_merge_read(struct sim_env *env, struct sim_render_read *m)
{
    struct model_fragments *f = fragments_of(env);
    const struct model_surface *surface = model_env_surface((struct model_env *)env, m->target);

    if (!surface || !check_target(f->ctx, surface) ||
        m->first + m->channels > ARRAY_SIZE(f->tested))
        return false;
    if (!model_spend(f->ctx, MODEL_WORK_TEXEL * (uint64_t)m->channels))
        return false;
    for (unsigned i = 0; i < m->channels; i++) {
        const unsigned lane = m->first + i, pixel = lane % 4;
        const struct model_slot *slot = &f->slot[lane / 4];
        uint32_t raw[4] = {0}, rgba[4] = {0};
        const uint8_t *texel = NULL;
        if (surface->type != I965_SURFACE_TYPE_SURFTYPE_NULL)
            texel = find_sample(surface, slot->quad.x + (int32_t)(pixel & 1),
                                slot->quad.y + (int32_t)(pixel >> 1), f->setup->layer,
                                slot->sample < 0 ? 0 : (unsigned)slot->sample);
        if (texel) {
            model_surface_reads(surface, MODEL_CACHE_RENDER, texel);
            model_texel_unpack(&surface->format, texel, raw);
            swizzle_in(surface, raw, rgba);
        }
        for (unsigned c = 0; c < 4; c++)
            m->color[c][i] = rgba[c];
    }
    return true;
}
