/* SPDX-License-Identifier: MIT */
#include "driver/noop/noop.h"

#include <stdlib.h>
#include <talloc.h>
#include <time.h>

#include "util/macros.h"
#include "util/refcount.h"

enum { MAP_ALIGNMENT = 64 };

struct noop_resource {
    struct drv_resource base;
    uint8_t *data; /* aligned to MAP_ALIGNMENT, unless it is in `memory` */
    /* One of these contains `data`; the other is NULL. */
    void *allocation;
    struct drv_memory *memory; /* referenced */
    uint64_t level_offset[DRV_MAX_TEXTURE_LEVELS];
    uint32_t stride[DRV_MAX_TEXTURE_LEVELS];
    uint64_t layer_stride[DRV_MAX_TEXTURE_LEVELS];
};

struct noop_query {
    enum drv_query_type type;
    uint64_t begin, end;
};

struct drv_fence {
    int refcount; /* atomic */
};

/* --------------------------------------------------------------------------------- screen --- */

static uint64_t noop_get_timestamp(struct drv_screen *screen)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static void noop_sample_position(struct drv_screen *screen, unsigned samples, unsigned index,
                                 bool window, float xy[2])
{
    xy[0] = xy[1] = 0.5f;
}

static void noop_screen_destroy(struct drv_screen *screen)
{
    free(screen);
}

static const struct drv_caps caps = {
    .stage[SHADER_VERTEX] = {.supported = true,
                             .max_const_buffers = 16,
                             .max_const_buffer_size = 65536,
                             .max_samplers = DRV_MAX_SAMPLERS},
    .stage[SHADER_FRAGMENT] = {.supported = true,
                               .max_const_buffers = 16,
                               .max_const_buffer_size = 65536,
                               .max_samplers = DRV_MAX_SAMPLERS},
    .max_texture_2d_size = 16384,
    .max_texture_3d_size = 2048,
    .max_texture_cube_size = 16384,
    .max_texture_array_layers = 2048,
    .max_texture_buffer_texels = 1 << 27,
    .max_buffer_size = INT32_MAX,
    .max_render_targets = 8,
    .max_dual_source_render_targets = 1,
    .max_viewports = 16,
    .max_samples = 8,
    .stencil_export = true,
    .max_varyings = 32,
    .max_vertex_attrib_stride = 2048,
    .max_point_size = 255.0f,
    .max_line_width = 255.0f,
    .max_anisotropy = 16.0f,
    .max_lod_bias = 16.0f,
    .subpixel_bits = 8,
    .min_texel_offset = -8,
    .max_texel_offset = 7,
    .min_gather_offset = -8,
    .max_gather_offset = 7,
    .max_stream_output_buffers = DRV_MAX_SO_BUFFERS,
    .max_stream_output_components = 4 * DRV_MAX_VARYINGS,
    .stream_output_pause = true,
    .constant_buffer_offset_alignment = 16,
    .storage_buffer_offset_alignment = 16,
    .texture_buffer_offset_alignment = 16,
    .min_map_alignment = MAP_ALIGNMENT,
    .primitive_restart = true,
    .instance_divisor = true,
    .base_instance = true,
    .depth_clamp = true,
    .polygon_offset_clamp = true,
    .clip_halfz = true,
    .indep_blend_enable = true,
    .indep_blend_func = true,
    .blend_minmax = true,
    .dual_source_blend = true,
    .seamless_cube_map = true,
    .texture_swizzle = true,
    .texture_shadow = true,
    .texture_rect = true,
    .texture_buffer_objects = true,
    .occlusion_query = true,
    .timer_query = true,
    .statistics_query = true,
    .conditional_render = true,
    .flatshade_first = true,
    .point_sprite = true,
};

static bool noop_is_format_supported(struct drv_screen *screen, enum drv_format format,
                                     enum drv_target target, unsigned samples, unsigned bind)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    if (!d->block_bytes || samples > caps.max_samples)
        return false;
    if (d->layout == DRV_LAYOUT_COMPRESSED || d->layout == DRV_LAYOUT_RGB9E5)
        return !(bind & ~(DRV_BIND_SAMPLER_VIEW | DRV_BIND_FILTERABLE));
    if (d->colorspace == DRV_COLORSPACE_ZS)
        return !(bind & (DRV_BIND_RENDER_TARGET | DRV_BIND_BLENDABLE));
    return !(bind & DRV_BIND_DEPTH_STENCIL);
}

static bool noop_resource_fits(struct drv_screen *screen, const struct drv_resource *templ)
{
    return true;
}

/* Computes the offsets of all levels. Returns the total size in bytes. */
static uint64_t init_levels(struct noop_resource *r, const struct drv_resource *templ)
{
    const struct drv_format_desc *d = drv_format_desc(templ->format);
    uint64_t size = 0;
    for (unsigned l = 0; l <= templ->last_level; l++) {
        uint32_t width = DIV_ROUND_UP(drv_minify(templ->width, l), d->block_width);
        uint32_t height = DIV_ROUND_UP(drv_minify(templ->height, l), d->block_height);
        uint32_t depth = templ->target == DRV_TEXTURE_3D ? drv_minify(templ->depth, l)
                                                         : MAX2(templ->array_size, 1);
        r->level_offset[l] = size;
        r->stride[l] = ALIGN_POT(width * d->block_bytes, 16);
        r->layer_stride[l] = (uint64_t)r->stride[l] * height;
        size += r->layer_stride[l] * depth;
    }
    return size * MAX2(templ->nr_samples, 1);
}

static struct noop_resource *describe(struct drv_screen *screen, const struct drv_resource *templ,
                                      uint64_t *size)
{
    struct noop_resource *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    *size = init_levels(r, templ);
    r->base = *templ;
    r->base.refcount = 1;
    r->base.screen = screen;
    return r;
}

static struct drv_resource *noop_resource_create(struct drv_screen *screen,
                                                 const struct drv_resource *templ)
{
    uint64_t size;
    struct noop_resource *r = describe(screen, templ, &size);
    if (!r)
        return NULL;
    r->allocation = size < (1ull << 40) ? calloc(1, size + 64 + MAP_ALIGNMENT) : NULL;
    if (!r->allocation) {
        free(r);
        return NULL;
    }
    r->data = (uint8_t *)ALIGN_POT((uintptr_t)r->allocation, MAP_ALIGNMENT);
    return &r->base;
}

static uint64_t noop_resource_bytes(struct drv_screen *screen, const struct drv_resource *templ)
{
    struct noop_resource r;
    return init_levels(&r, templ);
}

static struct drv_resource *noop_resource_create_in(struct drv_screen *screen,
                                                    const struct drv_resource *templ,
                                                    struct drv_memory *memory, uint64_t offset)
{
    uint64_t size;
    struct noop_resource *r = describe(screen, templ, &size);
    if (!r)
        return NULL;
    r->data = memory->data + offset;
    drv_memory_reference(&r->memory, memory);
    return &r->base;
}

static void noop_resource_destroy(struct drv_screen *screen, struct drv_resource *resource)
{
    struct noop_resource *r = container_of(resource, struct noop_resource, base);
    free(r->allocation);
    drv_memory_reference(&r->memory, NULL);
    free(r);
}

static bool noop_fence_finish(struct drv_screen *screen, struct drv_fence *fence,
                              uint64_t timeout_ns)
{
    return true;
}

static void noop_fence_reference(struct drv_screen *screen, struct drv_fence **dst,
                                 struct drv_fence *src)
{
    struct drv_fence *dead = REF_REPLACE(dst, src);
    if (dead)
        free(dead);
}

/* -------------------------------------------------------------------------------- context --- */

static void noop_context_destroy(struct drv_context *ctx)
{
    free(ctx);
}

/* Each state object is one byte of memory, so that allocation failures and leaks show up in
 * tests. */
#define NOOP_STATE(name, desc)                                                                     \
    static void *noop_create_##name(struct drv_context *ctx, const struct desc *state)             \
    {                                                                                              \
        return malloc(1);                                                                          \
    }                                                                                              \
    static void noop_delete_##name(struct drv_context *ctx, void *state)                           \
    {                                                                                              \
        free(state);                                                                               \
    }
#define NOOP_BIND(name)                                                                            \
    static void noop_bind_##name(struct drv_context *ctx, void *state)                             \
    {                                                                                              \
    }
NOOP_STATE(blend_state, drv_blend_state)
NOOP_BIND(blend_state)
NOOP_STATE(rasterizer_state, drv_rasterizer_state)
NOOP_BIND(rasterizer_state)
NOOP_STATE(depth_stencil_state, drv_depth_stencil_state)
NOOP_BIND(depth_stencil_state)
NOOP_STATE(sampler_state, drv_sampler_state)
NOOP_BIND(vertex_elements)

static void noop_bind_sampler_states(struct drv_context *ctx, enum shader_stage stage,
                                     unsigned first, unsigned count, void *const *states)
{
}

static void *noop_create_vertex_elements(struct drv_context *ctx, unsigned count,
                                         const struct drv_vertex_element *elements)
{
    return malloc(1);
}

static void noop_delete_vertex_elements(struct drv_context *ctx, void *state)
{
    free(state);
}

static void *noop_create_sampler_view(struct drv_context *ctx, const struct drv_sampler_view *view)
{
    struct drv_resource **v = calloc(1, sizeof *v);
    if (v)
        drv_resource_reference(v, view->texture);
    return v;
}

static void noop_set_sampler_views(struct drv_context *ctx, enum shader_stage stage, unsigned first,
                                   unsigned count, void *const *views)
{
}

static void noop_delete_sampler_view(struct drv_context *ctx, void *view)
{
    if (view)
        drv_resource_reference(view, NULL);
    free(view);
}

static void *noop_create_shader(struct drv_context *ctx, const struct drv_shader_desc *desc)
{
    talloc_free(desc->nir);
    return malloc(1);
}

static void noop_bind_shader(struct drv_context *ctx, enum shader_stage stage, void *shader)
{
}

static void noop_delete_shader(struct drv_context *ctx, enum shader_stage stage, void *shader)
{
    free(shader);
}

static void noop_set_framebuffer(struct drv_context *ctx, const struct drv_framebuffer *fb)
{
}

static void noop_set_viewports(struct drv_context *ctx, unsigned first, unsigned count,
                               const struct drv_viewport *viewports)
{
}

static void noop_set_scissors(struct drv_context *ctx, unsigned first, unsigned count,
                              const struct drv_scissor *scissors)
{
}

static void noop_set_vertex_buffers(struct drv_context *ctx, unsigned count,
                                    const struct drv_vertex_buffer *buffers)
{
}

static void noop_set_constant_buffer(struct drv_context *ctx, enum shader_stage stage,
                                     unsigned index, const struct drv_constant_buffer *buffer)
{
}

static void noop_set_storage_buffers(struct drv_context *ctx, enum shader_stage stage,
                                     unsigned first, unsigned count,
                                     const struct drv_storage_buffer *buffers)
{
}

static void noop_set_images(struct drv_context *ctx, enum shader_stage stage, unsigned first,
                            unsigned count, const struct drv_image_view *images)
{
}

static void noop_set_blend_color(struct drv_context *ctx, const float color[4])
{
}

static void noop_set_stencil_ref(struct drv_context *ctx, uint8_t front, uint8_t back)
{
}

static void noop_set_sample_mask(struct drv_context *ctx, uint32_t mask)
{
}

static void noop_set_min_samples(struct drv_context *ctx, unsigned samples)
{
}

static void noop_set_sample_locations(struct drv_context *ctx, const int8_t (*locations)[2])
{
}

static void noop_set_polygon_stipple(struct drv_context *ctx, const uint32_t pattern[32])
{
}

static void noop_set_stream_output_targets(struct drv_context *ctx, unsigned count,
                                           const struct drv_storage_buffer *targets,
                                           const uint32_t *offsets)
{
}

static void noop_get_stream_output_offsets(struct drv_context *ctx,
                                           uint32_t offsets[DRV_MAX_SO_BUFFERS])
{
    memset(offsets, 0, DRV_MAX_SO_BUFFERS * sizeof *offsets);
}

static void noop_set_patch_levels(struct drv_context *ctx, const float outer[4],
                                  const float inner[2])
{
}

static void noop_draw(struct drv_context *ctx, const struct drv_draw_info *info,
                      const struct drv_draw_range *draws, unsigned num_draws)
{
}

static void noop_launch_grid(struct drv_context *ctx, const struct drv_grid_info *info)
{
}

static void noop_clear(struct drv_context *ctx, unsigned buffers, const struct drv_scissor *scissor,
                       const union drv_color *color, double depth, unsigned stencil)
{
}

static uint8_t *texel_address(struct noop_resource *r, unsigned level, int x, int y, int z)
{
    const struct drv_format_desc *d = drv_format_desc(r->base.format);
    return r->data + r->level_offset[level] + z * r->layer_stride[level] +
           (uint64_t)(y / d->block_height) * r->stride[level] +
           (uint64_t)(x / d->block_width) * d->block_bytes;
}

static void noop_copy_region(struct drv_context *ctx, struct drv_resource *dst, unsigned dst_level,
                             unsigned dst_x, unsigned dst_y, unsigned dst_z,
                             struct drv_resource *src, unsigned src_level,
                             const struct drv_box *box)
{
    struct noop_resource *d = container_of(dst, struct noop_resource, base);
    struct noop_resource *s = container_of(src, struct noop_resource, base);
    const struct drv_format_desc *desc = drv_format_desc(src->format);
    size_t bytes = DIV_ROUND_UP(box->width, desc->block_width) * desc->block_bytes;
    for (int z = 0; z < box->depth; z++)
        for (int y = 0; y < box->height; y += desc->block_height)
            memmove(texel_address(d, dst_level, dst_x, dst_y + y, dst_z + z),
                    texel_address(s, src_level, box->x, box->y + y, box->z + z), bytes);
}

static void noop_blit(struct drv_context *ctx, const struct drv_blit_info *info)
{
}

static void noop_generate_mipmap(struct drv_context *ctx, struct drv_resource *resource,
                                 enum drv_format format, unsigned first_level, unsigned last_level,
                                 unsigned first_layer, unsigned last_layer)
{
}

static void *noop_map(struct drv_context *ctx, struct drv_resource *resource, unsigned level,
                      unsigned flags, const struct drv_box *box, struct drv_transfer **transfer)
{
    struct noop_resource *r = container_of(resource, struct noop_resource, base);
    struct drv_transfer *t = calloc(1, sizeof *t);
    *transfer = t;
    if (!t)
        return NULL;
    drv_resource_reference(&t->resource, resource);
    t->level = level;
    t->flags = flags;
    t->box = *box;
    t->stride = r->stride[level];
    t->layer_stride = r->layer_stride[level];
    return texel_address(r, level, box->x, box->y, box->z);
}

static void noop_flush_region(struct drv_context *ctx, struct drv_transfer *transfer,
                              const struct drv_box *box)
{
}

static void noop_unmap(struct drv_context *ctx, struct drv_transfer *transfer)
{
    drv_resource_reference(&transfer->resource, NULL);
    free(transfer);
}

/* Moves nothing, as draws draw nothing. */
static bool noop_image_move(struct drv_context *ctx, struct drv_resource *resource,
                            enum drv_format view, unsigned level, const struct drv_box *box,
                            const struct drv_pixels *pixels)
{
    return true;
}

static bool noop_image_fill(struct drv_context *ctx, struct drv_resource *resource, unsigned level,
                            const struct drv_box *box, const uint8_t *texel)
{
    return true;
}

static bool noop_image_is_idle(struct drv_context *ctx, const struct drv_resource *resource)
{
    return true;
}

static void noop_barrier(struct drv_context *ctx)
{
}

static struct drv_query *noop_create_query(struct drv_context *ctx, enum drv_query_type type,
                                           unsigned index)
{
    struct noop_query *q = calloc(1, sizeof *q);
    if (q)
        q->type = type;
    return (struct drv_query *)q;
}

static void noop_destroy_query(struct drv_context *ctx, struct drv_query *query)
{
    free(query);
}

static bool noop_begin_query(struct drv_context *ctx, struct drv_query *query)
{
    ((struct noop_query *)query)->begin = noop_get_timestamp(ctx->screen);
    return true;
}

static void noop_end_query(struct drv_context *ctx, struct drv_query *query)
{
    ((struct noop_query *)query)->end = noop_get_timestamp(ctx->screen);
}

static bool noop_get_query_result(struct drv_context *ctx, struct drv_query *query, bool wait,
                                  union drv_query_result *result)
{
    const struct noop_query *q = (const struct noop_query *)query;
    memset(result, 0, sizeof *result);
    if (q->type == DRV_QUERY_TIMESTAMP)
        result->u64 = q->end;
    else if (q->type == DRV_QUERY_TIME_ELAPSED)
        result->u64 = q->end - q->begin;
    return true;
}

static void noop_render_condition(struct drv_context *ctx, struct drv_query *query, bool condition,
                                  bool wait)
{
}

static bool noop_condition_passes(struct drv_context *ctx)
{
    return true;
}

static void noop_flush(struct drv_context *ctx, struct drv_fence **fence)
{
    if (!fence)
        return;
    struct drv_fence *f = calloc(1, sizeof *f);
    if (f)
        f->refcount = 1;
    *fence = f;
}

static enum drv_reset_status noop_reset_status(struct drv_context *ctx)
{
    return DRV_NO_RESET;
}

static const struct drv_context_ops context_ops = {
    .destroy = noop_context_destroy,
    .create_blend_state = noop_create_blend_state,
    .bind_blend_state = noop_bind_blend_state,
    .delete_blend_state = noop_delete_blend_state,
    .create_rasterizer_state = noop_create_rasterizer_state,
    .bind_rasterizer_state = noop_bind_rasterizer_state,
    .delete_rasterizer_state = noop_delete_rasterizer_state,
    .create_depth_stencil_state = noop_create_depth_stencil_state,
    .bind_depth_stencil_state = noop_bind_depth_stencil_state,
    .delete_depth_stencil_state = noop_delete_depth_stencil_state,
    .create_sampler_state = noop_create_sampler_state,
    .bind_sampler_states = noop_bind_sampler_states,
    .delete_sampler_state = noop_delete_sampler_state,
    .create_vertex_elements = noop_create_vertex_elements,
    .bind_vertex_elements = noop_bind_vertex_elements,
    .delete_vertex_elements = noop_delete_vertex_elements,
    .create_sampler_view = noop_create_sampler_view,
    .set_sampler_views = noop_set_sampler_views,
    .delete_sampler_view = noop_delete_sampler_view,
    .create_shader = noop_create_shader,
    .bind_shader = noop_bind_shader,
    .delete_shader = noop_delete_shader,
    .set_framebuffer = noop_set_framebuffer,
    .set_viewports = noop_set_viewports,
    .set_scissors = noop_set_scissors,
    .set_vertex_buffers = noop_set_vertex_buffers,
    .set_constant_buffer = noop_set_constant_buffer,
    .set_storage_buffers = noop_set_storage_buffers,
    .set_images = noop_set_images,
    .set_blend_color = noop_set_blend_color,
    .set_stencil_ref = noop_set_stencil_ref,
    .set_sample_mask = noop_set_sample_mask,
    .set_min_samples = noop_set_min_samples,
    .set_sample_locations = noop_set_sample_locations,
    .set_polygon_stipple = noop_set_polygon_stipple,
    .set_stream_output_targets = noop_set_stream_output_targets,
    .get_stream_output_offsets = noop_get_stream_output_offsets,
    .set_patch_levels = noop_set_patch_levels,
    .draw = noop_draw,
    .launch_grid = noop_launch_grid,
    .clear = noop_clear,
    .copy_region = noop_copy_region,
    .blit = noop_blit,
    .generate_mipmap = noop_generate_mipmap,
    .map = noop_map,
    .flush_region = noop_flush_region,
    .unmap = noop_unmap,
    .image_write = noop_image_move,
    .image_read = noop_image_move,
    .image_fill = noop_image_fill,
    .image_is_idle = noop_image_is_idle,
    .memory_barrier = noop_barrier,
    .texture_barrier = noop_barrier,
    .create_query = noop_create_query,
    .destroy_query = noop_destroy_query,
    .begin_query = noop_begin_query,
    .end_query = noop_end_query,
    .get_query_result = noop_get_query_result,
    .render_condition = noop_render_condition,
    .condition_passes = noop_condition_passes,
    .flush = noop_flush,
    .reset_status = noop_reset_status,
};

static struct drv_context *noop_context_create(struct drv_screen *screen)
{
    struct drv_context *ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return NULL;
    ctx->ops = &context_ops;
    ctx->screen = screen;
    return ctx;
}

static const struct drv_screen_ops screen_ops = {
    .destroy = noop_screen_destroy,
    .is_format_supported = noop_is_format_supported,
    .resource_fits = noop_resource_fits,
    .resource_create = noop_resource_create,
    .resource_bytes = noop_resource_bytes,
    .resource_create_in = noop_resource_create_in,
    .resource_destroy = noop_resource_destroy,
    .context_create = noop_context_create,
    .fence_finish = noop_fence_finish,
    .fence_reference = noop_fence_reference,
    .get_timestamp = noop_get_timestamp,
    .sample_position = noop_sample_position,
};

struct drv_screen *noop_screen_create(void)
{
    struct drv_screen *screen = calloc(1, sizeof *screen);
    if (!screen)
        return NULL;
    screen->ops = &screen_ops;
    screen->name = "noop";
    screen->device_id = 0x6e6f6f70;
    screen->caps = caps;
    return screen;
}
