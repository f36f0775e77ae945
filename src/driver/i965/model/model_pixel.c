/* SPDX-License-Identifier: MIT */
/* Pixel state of a draw, from packets and the structures that they point to. */
#include "model_pixel.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_raster.h"
#include "model_strict.h"

#define BLEND_ENTRY_BYTES 8
#define CC_VIEWPORT_BYTES 8
#define SF_VIEWPORT_BYTES 64
#define SCISSOR_BYTES     8
#define MAX_SCRATCH_FIELD 11 /* 2 MiB */

bool model_pixel_create(struct model_context *ctx)
{
    ctx->pixel = calloc(1, sizeof *ctx->pixel);
    return ctx->pixel && model_queue_create(ctx->pixel);
}

void model_pixel_destroy(struct model_context *ctx)
{
    if (ctx->pixel) {
        model_env_finish(&ctx->pixel->env);
        model_queue_destroy(ctx->pixel);
        free(ctx->pixel->scratch);
    }
    free(ctx->pixel);
    ctx->pixel = NULL;
}

/* --------------------------------------------------------------------------------- samples --- */

static void sample_positions(const struct i965_3dstate_sample_pattern *s, unsigned samples,
                             float out[MODEL_MAX_SAMPLES][2])
{
    const float eight[8][2] = {
        {s->_8x_sample0_x_offset, s->_8x_sample0_y_offset},
        {s->_8x_sample1_x_offset, s->_8x_sample1_y_offset},
        {s->_8x_sample2_x_offset, s->_8x_sample2_y_offset},
        {s->_8x_sample3_x_offset, s->_8x_sample3_y_offset},
        {s->_8x_sample4_x_offset, s->_8x_sample4_y_offset},
        {s->_8x_sample5_x_offset, s->_8x_sample5_y_offset},
        {s->_8x_sample6_x_offset, s->_8x_sample6_y_offset},
        {s->_8x_sample7_x_offset, s->_8x_sample7_y_offset},
    };

    for (unsigned i = 0; i < samples; i++) {
        switch (samples) {
        case 1:
            out[i][0] = s->_1x_sample0_x_offset;
            out[i][1] = s->_1x_sample0_y_offset;
            break;
        case 2:
            out[i][0] = s->_2x_sample_x_offset[i];
            out[i][1] = s->_2x_sample_y_offset[i];
            break;
        case 4:
            out[i][0] = s->_4x_sample_x_offset[i];
            out[i][1] = s->_4x_sample_y_offset[i];
            break;
        case 8:
            memcpy(out[i], eight[i], sizeof eight[i]);
            break;
        default:
            out[i][0] = s->_16x_sample_x_offset[i];
            out[i][1] = s->_16x_sample_y_offset[i];
            break;
        }
    }
}

static bool prepare_samples(struct model_context *ctx)
{
    const struct i965_3dstate_multisample *m = &ctx->state.multisample;
    const struct i965_3dstate_raster *r = &ctx->state.raster;
    struct model_pixel *p = ctx->pixel;

    if (m->number_of_multisamples > 4)
        return model_error(ctx, "Number of Multisamples", "3DSTATE_MULTISAMPLE: reserved value %u",
                           (unsigned)m->number_of_multisamples);
    if (r->forced_sample_count > I965_FORCED_SAMPLE_COUNT_NUMRASTSAMPLES_16)
        return model_error(ctx, "Forced Sample Count", "3DSTATE_RASTER: reserved value %u",
                           (unsigned)r->forced_sample_count);
    p->samples = 1u << m->number_of_multisamples;
    if (r->forced_sample_count)
        p->samples = 1u << (r->forced_sample_count - 1);
    p->pattern = p->samples > 1 && r->dx_multisample_rasterization_enable;
    p->pixel_offset = m->pixel_location == I965_PIXEL_LOCATION_CENTER ? 0.5f : 0.0f;
    p->sample_mask = ctx->state.sample_mask.sample_mask;
    if (!model_seen(ctx, I965_3DSTATE_SAMPLE_MASK))
        p->sample_mask = 0xffff;
    sample_positions(&ctx->state.sample_pattern, p->samples, p->sample_position);
    return true;
}

/* ------------------------------------------------------------------------------- viewports --- */

static void intersect(struct model_window *w, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    w->x0 = MAX2(w->x0, x0);
    w->y0 = MAX2(w->y0, y0);
    w->x1 = MIN2(w->x1, x1);
    w->y1 = MIN2(w->y1, y1);
}

/* Converts the extent of a viewport to pixels. */
static int32_t to_pixel(float v)
{
    return (int32_t)fminf(fmaxf(v, -32768.0f), 32768.0f);
}

static bool prepare_window(struct model_context *ctx, unsigned i)
{
    struct model_window *w = &ctx->pixel->window[i];
    const struct i965_3dstate_drawing_rectangle *d = &ctx->state.drawing_rectangle;
    const struct i965_sf_clip_viewport *v = &ctx->pixel->viewport[i];
    struct i965_scissor_rect s;

    *w = (struct model_window){0, 0, 16384, 16384};
    if (model_seen(ctx, I965_3DSTATE_DRAWING_RECTANGLE))
        intersect(w, (int32_t)d->clipped_drawing_rectangle_x_min,
                  (int32_t)d->clipped_drawing_rectangle_y_min,
                  (int32_t)d->clipped_drawing_rectangle_x_max + 1,
                  (int32_t)d->clipped_drawing_rectangle_y_max + 1);
    if (ctx->state.sf.viewport_transform_enable && ctx->state.clip.viewport_xy_clip_test_enable)
        intersect(w, to_pixel(floorf(v->x_min_viewport)), to_pixel(floorf(v->y_min_viewport)),
                  to_pixel(floorf(v->x_max_viewport)) + 1, to_pixel(floorf(v->y_max_viewport)) + 1);
    if (!ctx->state.raster.scissor_rectangle_enable)
        return true;
    if (!model_read_struct(ctx, "Scissor Rect Pointer", I965_SCISSOR_RECT,
                           ctx->state.dynamic.address +
                               ctx->state.scissor_pointer.scissor_rect_pointer + i * SCISSOR_BYTES,
                           &s))
        return false;
    intersect(w, (int32_t)s.scissor_rectangle_x_min, (int32_t)s.scissor_rectangle_y_min,
              (int32_t)s.scissor_rectangle_x_max + 1, (int32_t)s.scissor_rectangle_y_max + 1);
    return true;
}

static bool prepare_viewports(struct model_context *ctx)
{
    struct model_pixel *p = ctx->pixel;
    const uint64_t sf =
        ctx->state.dynamic.address + ctx->state.viewport_sf_clip.sf_clip_viewport_pointer;
    const uint64_t cc = ctx->state.dynamic.address + ctx->state.viewport_cc.cc_viewport_pointer;

    p->num_viewports = MIN2(ctx->state.clip.maximum_vp_index + 1, MODEL_VIEWPORTS);
    for (unsigned i = 0; i < p->num_viewports; i++) {
        p->depth_range[i] = (struct i965_cc_viewport){0.0f, 1.0f};
        if (ctx->state.sf.viewport_transform_enable &&
            !model_read_struct(ctx, "SF Clip Viewport Pointer", I965_SF_CLIP_VIEWPORT,
                               sf + i * SF_VIEWPORT_BYTES, &p->viewport[i]))
            return false;
        if (model_seen(ctx, I965_3DSTATE_VIEWPORT_STATE_POINTERS_CC) &&
            !model_read_struct(ctx, "CC Viewport Pointer", I965_CC_VIEWPORT,
                               cc + i * CC_VIEWPORT_BYTES, &p->depth_range[i]))
            return false;
        if (!prepare_window(ctx, i))
            return false;
    }
    for (unsigned i = p->num_viewports; i < MODEL_VIEWPORTS; i++) {
        p->viewport[i] = p->viewport[0];
        p->depth_range[i] = p->depth_range[0];
        p->window[i] = p->window[0];
    }
    return true;
}

/* --------------------------------------------------------------------------------- merging --- */

static bool prepare_depth(struct model_context *ctx)
{
    const struct i965_3dstate_wm_depth_stencil *d = &ctx->state.wm_depth_stencil;
    struct model_pixel *p = ctx->pixel;

    if (!model_depth_surface_init(&p->depth, ctx) || !model_stencil_surface_init(&p->stencil, ctx))
        return false;
    model_hiz_surface_init(&p->hiz, &p->depth);
    const bool depth = p->depth.type != I965_SURFACE_TYPE_SURFTYPE_NULL;
    const bool stencil = p->stencil.type != I965_SURFACE_TYPE_SURFTYPE_NULL;
    p->depth_test = d->depth_test_enable && depth;
    p->depth_write =
        d->depth_buffer_write_enable && depth && ctx->state.depth_buffer.depth_write_enable;
    p->stencil_test = d->stencil_test_enable && stencil;
    p->stencil_write = p->stencil_test && d->stencil_buffer_write_enable &&
                       ctx->state.depth_buffer.stencil_write_enable;
    return true;
}

static void read_target(struct model_context *ctx, uint64_t address, unsigned i)
{
    struct model_pixel *p = ctx->pixel;
    uint32_t dwords[BLEND_ENTRY_BYTES / 4];

    p->target_error[i].text[0] = '\0';
    if (!model_read(ctx, address, dwords, sizeof dwords))
        snprintf(p->target_error[i].text, sizeof p->target_error[i].text, "no memory");
    else
        i965_unpack(ctx->generation, I965_BLEND_STATE_ENTRY, dwords, ARRAY_SIZE(dwords),
                    &p->target[i], &p->target_error[i]);
}

static bool prepare_blending(struct model_context *ctx)
{
    struct model_pixel *p = ctx->pixel;
    const uint64_t blend =
        ctx->state.dynamic.address + ctx->state.blend_pointer.blend_state_pointer;
    const uint64_t cc = ctx->state.dynamic.address + ctx->state.cc_pointer.color_calc_state_pointer;

    memset(&p->blend, 0, sizeof p->blend);
    memset(p->target, 0, sizeof p->target);
    memset(p->target_error, 0, sizeof p->target_error);
    memset(&p->color_calc, 0, sizeof p->color_calc);
    if (ctx->state.blend_pointer.blend_state_pointer_valid) {
        if (!model_read_struct(ctx, "Blend State Pointer", I965_BLEND_STATE, blend, &p->blend))
            return false;
        for (unsigned i = 0; i < MODEL_MAX_TARGETS; i++)
            read_target(ctx, blend + 4 + i * BLEND_ENTRY_BYTES, i);
    }
    return !ctx->state.cc_pointer.color_calc_state_pointer_valid ||
           model_read_struct(ctx, "Color Calc State Pointer", I965_COLOR_CALC_STATE, cc,
                             &p->color_calc);
}

/* ---------------------------------------------------------------------------- pixel shader --- */

/* Finds the kernels of the enabled widths: if only one is enabled, it is kernel 0; otherwise SIMD8
 * is kernel 0, SIMD32 kernel 1 and SIMD16 kernel 2. */
static bool prepare_kernels(struct model_context *ctx)
{
    const struct i965_3dstate_ps *ps = &ctx->state.ps;
    const bool enabled[3] = {ps->_8_pixel_dispatch_enable, ps->_16_pixel_dispatch_enable,
                             ps->_32_pixel_dispatch_enable};
    const uint64_t pointer[3] = {ps->kernel_start_pointer_0, ps->kernel_start_pointer_1,
                                 ps->kernel_start_pointer_2};
    const unsigned start[3] = {ps->dispatch_grf_start_register_for_constant_setup_data_0,
                               ps->dispatch_grf_start_register_for_constant_setup_data_1,
                               ps->dispatch_grf_start_register_for_constant_setup_data_2};
    static const uint8_t other[3] = {0, 2, 1};
    const bool one = enabled[0] + enabled[1] + enabled[2] == 1;
    struct model_kernel kernel;

    memset(ctx->pixel->kernel, 0, sizeof ctx->pixel->kernel);
    ctx->pixel->keeps_denormals = ps->single_precision_denormal_mode;
    if (!enabled[0] && !enabled[1] && !enabled[2])
        return model_error(ctx, "8 Pixel Dispatch Enable", "3DSTATE_PS: no width is enabled");
    for (unsigned i = 0; i < 3; i++) {
        const unsigned k = one ? 0 : other[i];
        if (!enabled[i])
            continue;
        ctx->pixel->kernel[i].grf_start = start[k];
        ctx->pixel->kernel[i].program =
            model_program(ctx, "Kernel Start Pointer", pointer[k], &kernel);
        if (!ctx->pixel->kernel[i].program)
            return false;
        ctx->pixel->parallel &= kernel.access == MODEL_ACCESS_READ;
        ctx->pixel->keeps_denormals |= kernel.writes_control;
    }
    return true;
}

/* Gives threads scratch memory outside of the GPU's memory. The threads of a worker run one after
 * another and share it. */
static bool init_scratch(struct model_context *ctx)
{
    const struct i965_3dstate_ps *ps = &ctx->state.ps;
    struct model_pixel *p = ctx->pixel;
    const uint64_t address = ctx->state.general.address + ps->scratch_space_base_pointer;

    if (!p->shades || (!ps->per_thread_scratch_space && !ps->scratch_space_base_pointer))
        return true;
    if (!model_pointer(ctx, address, 1))
        return model_error(ctx, "Scratch Space Base Pointer", "3DSTATE_PS: no memory at %#" PRIx64,
                           address);
    if (ps->per_thread_scratch_space > MAX_SCRATCH_FIELD)
        return model_error(ctx, "Per Thread Scratch Space", "3DSTATE_PS: %u is reserved",
                           (unsigned)ps->per_thread_scratch_space);
    if (!p->scratch)
        p->scratch = calloc(1, (size_t)1024 << MAX_SCRATCH_FIELD);
    p->env.base.scratch = p->scratch;
    p->env.base.scratch_size = (size_t)1024 << ps->per_thread_scratch_space;
    return p->scratch || model_error(ctx, "3DSTATE_PS", "memory is exhausted");
}

/* Returns the parts of render target writes without a header. */
static uint32_t render_parts(const struct model_state *s)
{
    return (s->ps_extra.omask_present_to_render_target ? SIM_RENDER_SAMPLE_MASK : 0) |
           (s->ps_extra.pixel_shader_computed_depth_mode ? SIM_RENDER_DEPTH : 0) |
           (s->ps_extra.pixel_shader_computes_stencil ? SIM_RENDER_STENCIL : 0);
}

bool model_pixel_env_init(struct model_context *ctx)
{
    struct model_pixel *p = ctx->pixel;

    if (!model_env_init(&p->env, ctx, MODEL_PS, ctx->state.bindings_ps.pointer_to_ps_binding_table,
                        ctx->state.samplers_ps.pointer_to_ps_sampler_state))
        return false;
    model_shade_init_env(&p->env);
    p->env.base.render_parts = render_parts(&ctx->state);
    p->env.keeps_denormals = p->keeps_denormals;
    return init_scratch(ctx);
}

static bool prepare_shader(struct model_context *ctx)
{
    const struct model_state *s = &ctx->state;
    struct model_pixel *p = ctx->pixel;

    p->shades = s->ps_extra.pixel_shader_valid;
    p->alpha_test = p->blend.alpha_test_enable && s->ps_blend.alpha_test_enable;
    p->alpha_to_coverage = p->blend.alpha_to_coverage_enable && p->samples > 1 &&
                           !s->ps_extra.pixel_shader_disables_alpha_to_coverage;
    const bool late = s->ps_extra.pixel_shader_kills_pixel || s->ps_extra.force_computed_depth ||
                      s->ps_extra.pixel_shader_computed_depth_mode ||
                      s->ps_extra.pixel_shader_computes_stencil ||
                      s->ps_extra.omask_present_to_render_target || p->alpha_test ||
                      p->alpha_to_coverage || s->ps_extra.pixel_shader_has_uav;
    p->early = !p->shades ||
               s->wm.early_depth_stencil_control == I965_EARLY_DEPTH_STENCIL_CONTROL_EDSC_PREPS ||
               (!late &&
                s->wm.early_depth_stencil_control != I965_EARLY_DEPTH_STENCIL_CONTROL_EDSC_PSEXEC);
    p->per_sample = p->shades && s->ps_extra.pixel_shader_is_per_sample && p->samples > 1;
    p->parallel = true;
    if (!p->shades)
        return true;
    return prepare_kernels(ctx) &&
           (!s->ps.push_constant_enable || model_constants_read(ctx, MODEL_PS, &p->constants));
}

/* Returns the first slot that attributes are read from: as 3DSTATE_SBE says, or the last stage. */
static unsigned read_offset(struct model_context *ctx)
{
    const struct model_state *s = &ctx->state;

    if (s->sbe.force_vertex_urb_entry_read_offset)
        return s->sbe.vertex_urb_entry_read_offset * 2;
    if (s->gs.enable)
        return s->gs.vertex_urb_entry_output_read_offset * 2;
    if (s->ds.enable)
        return s->ds.vertex_urb_entry_output_read_offset * 2;
    return s->vs.vertex_urb_entry_output_read_offset * 2;
}

/* ------------------------------------------------------------------------------------ draws --- */

bool model_draw_begin(struct model_context *ctx)
{
    struct model_pixel *p = ctx->pixel;

    model_env_finish(&p->env);
    if (!prepare_samples(ctx) || !prepare_viewports(ctx) || !prepare_depth(ctx) ||
        !prepare_blending(ctx))
        return false;
    p->read_offset = read_offset(ctx);
    return prepare_shader(ctx) && model_pixel_env_init(ctx);
}

bool model_emit_primitive(struct model_context *ctx, const struct model_primitive *primitive)
{
    const struct i965_3dstate_ps *ps = &ctx->state.ps;

    if (ps->render_target_fast_clear_enable ||
        ps->render_target_resolve_type != I965_RENDER_TARGET_RESOLVE_TYPE_RESOLVE_DISABLED)
        return model_clear_primitive(ctx, primitive);
    return model_setup_primitive(ctx, primitive);
}

bool model_draw_end(struct model_context *ctx)
{
    const bool done = model_queue_flush(ctx);

    model_env_finish(&ctx->pixel->env);
    return done;
}
