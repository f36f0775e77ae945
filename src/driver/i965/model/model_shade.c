/* SPDX-License-Identifier: MIT */
/*
 * Pixel shader dispatch: collects quads of a primitive into threads, tests depth and stencil early
 * if the state allows it, builds the payload from 3DSTATE_PS, 3DSTATE_PS_EXTRA and 3DSTATE_WM, and
 * runs the threads. Source: Sandy Bridge PRM, volume 2 part 1, "PS Thread Payload for Normal
 * Dispatch"; Skylake PRM, volume 2a, "3DSTATE_PS".
 */
#include <math.h>
#include <string.h>

#include "model_raster.h"
#include "model_trace.h"

enum { BARYCENTRIC_MODES = 6, PAYLOAD_END = 128 };

/* Where a channel's values are interpolated, in pixels from its upper left corner. */
struct channel_positions {
    float pixel[2], centroid[2], sample[2];
};

/* Writer of consecutive payload registers. */
struct payload {
    struct sim_thread *t;
    unsigned reg;
};

static void put_register(struct payload *p, const void *values)
{
    if (p->reg < PAYLOAD_END)
        memcpy(sim_grf(p->t, p->reg), values, 32);
    p->reg++;
}

/* ------------------------------------------------------------------------------ positions --- */

/* The centroid: the pixel location if all samples are covered, otherwise the first covered one. */
static void channel_positions(const struct model_fragments *f, unsigned channel,
                              struct channel_positions *out)
{
    const struct model_pixel *p = f->ctx->pixel;
    const struct model_slot *slot = &f->slot[channel / 4];
    const uint32_t mask = slot->quad.mask[channel % 4], all = (1u << p->samples) - 1;
    const unsigned sample = slot->sample < 0 ? 0 : (unsigned)slot->sample;

    for (unsigned c = 0; c < 2; c++) {
        out->pixel[c] = out->centroid[c] = p->pixel_offset;
        out->sample[c] =
            p->samples > 1 || slot->sample > 0 ? p->sample_position[sample][c] : p->pixel_offset;
        if (p->pattern && mask && mask != all)
            out->centroid[c] = p->sample_position[__builtin_ctz(mask)][c];
    }
}

static void weights_of(const struct model_fragments *f, unsigned channel, const float position[2],
                       struct model_weights *w)
{
    const struct model_quad *q = &f->slot[channel / 4].quad;

    model_weights_at(f->setup, (double)(q->x + (int32_t)(channel & 1)) + (double)position[0],
                     (double)(q->y + (int32_t)(channel >> 1 & 1)) + (double)position[1], w);
}

/* --------------------------------------------------------------------------------- payload --- */

static void put_header(const struct model_fragments *f, struct payload *p)
{
    const struct model_state *state = &f->ctx->state;
    const struct model_setup *s = f->setup;
    uint32_t r0[8] = {0};

    r0[0] = f->ctx->pixel->env.base.render_parts;
    r0[0] |= s->topology & 31u;
    r0[0] |= (s->viewport & 15) << 27 | (s->layer & 0x7ff) << 16 | (s->front ? 0 : 1u << 15);
    if (f->slot[0].sample > 0)
        r0[0] |= ((unsigned)f->slot[0].sample / 2 & 15) << 6;
    r0[3] = (uint32_t)state->samplers_ps.pointer_to_ps_sampler_state |
            state->ps.per_thread_scratch_space;
    r0[4] = (uint32_t)state->bindings_ps.pointer_to_ps_binding_table;
    r0[5] = (uint32_t)state->ps.scratch_space_base_pointer;
    put_register(p, r0);
}

/* The subspans of 16 channels: positions, samples, and the pixels that are lit. */
static void put_subspans(const struct model_fragments *f, struct payload *p, unsigned half)
{
    uint32_t r1[8] = {0};

    for (unsigned i = 0; i < 4 && half * 4 + i < f->count; i++) {
        const struct model_slot *slot = &f->slot[half * 4 + i];
        r1[2 + i] = ((uint32_t)slot->quad.x & 0xffff) | (uint32_t)slot->quad.y << 16;
        if (slot->sample > 0)
            r1[0] |= (uint32_t)slot->sample << 4 * i;
        for (unsigned c = 0; c < 4; c++) {
            const uint32_t mask = slot->quad.mask[c];
            if (slot->sample < 0 ? mask != 0 : mask >> slot->sample & 1)
                r1[7] |= 1u << (4 * i + c);
        }
    }
    r1[7] |= r1[7] << 16;
    put_register(p, r1);
}

/* Puts the values of eight channels from `first` on that follow from positions. */
struct interpolated {
    float barycentric[BARYCENTRIC_MODES][2][8];
    uint32_t depth[8], w[8], coverage[8];
    uint8_t offset[8][2];
};

static const float *select_position(const struct channel_positions *at, unsigned mode)
{
    return mode == 0 ? at->pixel : mode == 1 ? at->centroid : at->sample;
}

static void interpolate_channels(const struct model_fragments *f, unsigned first,
                                 struct interpolated *out)
{
    const struct model_state *state = &f->ctx->state;
    const bool has_depth = state->ps_extra.pixel_shader_uses_source_depth;
    const bool has_w = state->ps_extra.pixel_shader_uses_source_w;
    /* INTERP_PIXEL, _CENTROID, _SAMPLE; POSOFFSET_CENTROID, _SAMPLE. */
    const unsigned zw = state->wm.position_zw_interpolation_mode;
    const unsigned offset = state->ps.position_xy_offset_select;
    const uint32_t modes = state->wm.barycentric_interpolation_mode;

    for (unsigned i = 0; i < 8; i++) {
        struct channel_positions at;
        struct model_weights w;
        channel_positions(f, first + i, &at);
        for (unsigned place = 0; place < 3; place++) {
            if (!(modes >> place & 9))
                continue;
            weights_of(f, first + i, select_position(&at, place), &w);
            for (unsigned c = 0; c < 2; c++) {
                out->barycentric[place][c][i] = w.perspective[c];
                out->barycentric[3 + place][c][i] = w.linear[c];
            }
        }
        const struct model_quad *q = &f->slot[(first + i) / 4].quad;
        const float *location = select_position(&at, zw ? zw - 1 : 0);
        const double x = (double)(q->x + (int32_t)(i & 1)) + (double)location[0];
        const double y = (double)(q->y + (int32_t)(i >> 1 & 1)) + (double)location[1];
        out->depth[i] = has_depth ? fui(model_depth_at(f->setup, x, y)) : 0;
        out->w[i] = has_w ? fui(model_w_at(f->setup, x, y)) : 0;
        out->coverage[i] = f->slot[(first + i) / 4].quad.mask[i % 4];
        const float *xy = select_position(&at, offset ? offset - 1 : 0);
        for (unsigned c = 0; c < 2; c++)
            out->offset[i][c] = (uint8_t)(int)(xy[c] * 16.0f);
    }
}

/* Puts what is delivered for each group of 16 channels, or for 8 if the thread has no more. */
static void put_interpolated(const struct model_fragments *f, struct payload *p, unsigned first,
                             unsigned groups)
{
    const struct model_state *state = &f->ctx->state;
    const struct i965_3dstate_ps_extra *extra = &state->ps_extra;
    struct interpolated g[2];
    uint8_t offsets[32] = {0};

    for (unsigned i = 0; i < groups; i++) {
        interpolate_channels(f, first + 8 * i, &g[i]);
        memcpy(offsets + 16 * i, g[i].offset, 16);
    }
    for (unsigned mode = 0; mode < BARYCENTRIC_MODES; mode++) {
        if (!(state->wm.barycentric_interpolation_mode >> mode & 1))
            continue;
        for (unsigned i = 0; i < groups; i++) {
            put_register(p, g[i].barycentric[mode][0]);
            put_register(p, g[i].barycentric[mode][1]);
        }
    }
    for (unsigned i = 0; i < groups && extra->pixel_shader_uses_source_depth; i++)
        put_register(p, g[i].depth);
    for (unsigned i = 0; i < groups && extra->pixel_shader_uses_source_w; i++)
        put_register(p, g[i].w);
    if (state->ps.position_xy_offset_select != I965_POSITION_XY_OFFSET_SELECT_POSOFFSET_NONE)
        put_register(p, offsets);
    for (unsigned i = 0; i < groups && extra->input_coverage_mask_state; i++)
        put_register(p, g[i].coverage);
}

/* Fills in the payload. Returns false after model_error(). */
static bool put_payload(const struct model_fragments *f, struct sim_thread *t, unsigned width,
                        unsigned grf_start)
{
    struct payload p = {t, 0};
    unsigned setup = grf_start;

    put_header(f, &p);
    put_subspans(f, &p, 0);
    if (width == 32)
        put_subspans(f, &p, 1);
    for (unsigned first = 0; first < width; first += 16)
        put_interpolated(f, &p, first, width == 8 ? 1 : 2);
    if (f->ctx->state.ps.push_constant_enable &&
        !model_push_constants(f->ctx, &f->ctx->pixel->constants, t, grf_start, &setup))
        return false;
    p.reg = setup;
    if (f->ctx->state.ps_extra.attribute_enable) {
        if (p.reg + f->setup->num_attributes * 2 > PAYLOAD_END)
            return model_error(f->ctx, "Number of SF Output Attributes",
                               "3DSTATE_SBE: the setup data end past r127");
        for (unsigned i = 0; i < f->setup->num_attributes * 2; i++)
            put_register(&p, f->setup->attribute[2 * i]);
    }
    return true;
}

/* ---------------------------------------------------------------------------- interpolator --- */

static bool interpolate(struct sim_env *base, struct sim_interpolation *at)
{
    const struct model_fragments *f = ((struct model_env *)base)->pixel;
    const struct model_pixel *p = f->ctx->pixel;

    if (at->first + at->channels > MODEL_MAX_SLOTS * 4)
        return false;
    for (unsigned i = 0; i < at->channels; i++) {
        const unsigned sample = at->sample % MODEL_MAX_SAMPLES;
        struct channel_positions positions;
        struct model_weights w;
        float xy[2];
        channel_positions(f, at->first + i, &positions);
        for (unsigned c = 0; c < 2; c++)
            xy[c] = at->at_centroid  ? positions.centroid[c]
                    : !at->at_sample ? p->pixel_offset + at->offset[c][i]
                    : p->samples > 1 ? p->sample_position[sample][c]
                                     : p->pixel_offset;
        weights_of(f, at->first + i, xy, &w);
        for (unsigned c = 0; c < 2; c++)
            at->result[c][i] = at->linear ? w.linear[c] : w.perspective[c];
    }
    return true;
}

/* -------------------------------------------------------------------------------- dispatch --- */

/* Returns the lit pixels, or all pixels of their quads. */
static uint32_t channel_mask(const struct model_fragments *f, bool quads)
{
    uint32_t mask = 0;

    for (unsigned i = 0; i < f->count; i++) {
        const struct model_slot *slot = &f->slot[i];
        uint32_t lit = 0;
        for (unsigned c = 0; c < 4; c++) {
            const uint32_t samples = slot->quad.mask[c];
            if (slot->sample < 0 ? samples != 0 : samples >> slot->sample & 1)
                lit |= 1u << c;
        }
        mask |= (quads && lit ? 15 : lit) << 4 * i;
    }
    return mask;
}

/* Returns the narrowest kernel for the number of slots, or the widest one. */
static unsigned select_kernel(const struct model_pixel *p, unsigned slots)
{
    unsigned best = 3;

    for (unsigned i = 3; i-- > 0;) {
        if (p->kernel[i].program && (best == 3 || 2u << i >= slots))
            best = i;
    }
    return best;
}

/* Returns how many slots the widest kernel has. */
static unsigned most_slots(const struct model_pixel *p)
{
    return p->kernel[2].program ? 8 : p->kernel[1].program ? 4 : 2;
}

static bool run_thread(struct model_fragments *f)
{
    struct model_pixel *p = f->ctx->pixel;
    const unsigned kernel = select_kernel(p, f->count), width = 8u << kernel;
    const uint32_t lit = channel_mask(f, false), quads = channel_mask(f, true);
    const uint32_t mask = f->ctx->state.ps.vector_mask_enable ? quads : lit;
    struct sim_thread t;

    if (!mask)
        return true;
    memset(f->tested, 0, sizeof f->tested);
    p->env.pixel = f;
    sim_thread_init(&t, p->kernel[kernel].program, &p->env.base, mask);
    memcpy(t.state + SIM_STATE_DISPATCH_MASK, &lit, sizeof lit);
    memcpy(t.state + SIM_STATE_VECTOR_MASK, &quads, sizeof quads);
    if (!put_payload(f, &t, width, p->kernel[kernel].grf_start))
        return false;
    return model_run_thread(f->ctx, &t, "pixel shader", NULL);
}

bool model_shade_flush(struct model_fragments *f)
{
    const bool ok = !f->count || run_thread(f);

    f->count = 0;
    return ok;
}

/* Tests the samples of a quad before its shader runs. Returns whether any passes. */
static bool test_early(struct model_fragments *f, struct model_quad *q)
{
    struct model_context *ctx = f->ctx;
    const unsigned reference = model_stencil_reference(ctx, f->setup);
    float depth[MODEL_MAX_SAMPLES];
    uint32_t any = 0;

    for (unsigned i = 0; i < 4; i++) {
        const int32_t x = q->x + (int32_t)(i & 1), y = q->y + (int32_t)(i >> 1);
        if (!q->mask[i])
            continue;
        model_depth_interpolate(ctx, f->setup, x, y, q->mask[i], depth);
        q->mask[i] = (uint16_t)model_depth_test(ctx, f->setup, x, y, q->mask[i], depth, reference);
        any |= q->mask[i];
    }
    return any;
}

static void count_invocations(struct model_context *ctx, const struct model_quad *q)
{
    if (!ctx->state.wm.statistics_enable)
        return;
    for (unsigned i = 0; i < 4; i++) {
        if (q->mask[i])
            ctx->counters.ps_invocations +=
                ctx->pixel->per_sample ? (unsigned)__builtin_popcount(q->mask[i]) : 1;
    }
}

/* Adds to the trace that a primitive covers the traced pixel. */
static void trace_coverage(const struct model_fragments *f, const struct model_quad *q)
{
    const struct model_setup *s = f->setup;

    for (unsigned i = 0; i < 4; i++) {
        const int32_t x = q->x + (int32_t)(i & 1), y = q->y + (int32_t)(i >> 1);
        if (q->mask[i] && model_traces_pixel(f->ctx, x, y))
            model_trace_pixel(f->ctx, "covered by primitive %u (layer %u, %s-facing), samples %#x",
                              s->primitive_id, s->layer, s->front ? "front" : "back", q->mask[i]);
    }
}

bool model_shade_quad(struct model_fragments *f, const struct model_quad *quad)
{
    const struct model_pixel *p = f->ctx->pixel;
    struct model_quad q = *quad;

    const bool tests =
        p->depth_test || p->depth_write || p->stencil_test || f->ctx->state.wm.statistics_enable;

    trace_coverage(f, &q);
    if (p->early && tests && !test_early(f, &q))
        return true;
    if (!p->shades)
        return true;
    count_invocations(f->ctx, &q);
    for (unsigned i = 0; i < (p->per_sample ? p->samples : 1); i++) {
        f->slot[f->count++] = (struct model_slot){q, p->per_sample ? (int)i : -1};
        if (f->count == most_slots(p) && !model_shade_flush(f))
            return false;
    }
    return true;
}

void model_shade_init_env(struct model_env *env)
{
    env->base.render_write = model_merge_write;
    env->base.render_read = model_merge_read;
    env->base.interpolate = interpolate;
}
