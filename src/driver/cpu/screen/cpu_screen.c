/* SPDX-License-Identifier: MIT */
/* The screen: supported formats, capabilities and fences. */
#include "driver/cpu/screen/cpu_screen_create.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "driver/cpu/context/cpu_context.h"
#include "driver/cpu/front/cpu_front_ops.h"
#include "driver/cpu/kernel/cpu_external.h"
#include "driver/cpu/kernel/cpu_variant.h"
#include "driver/cpu/resource/cpu_resource.h"
#include "driver/cpu/resource/cpu_sparse.h"
#include "jit/jit.h"
#include "util/format.h"
#include "util/macros.h"
#include "util/refcount.h"

static void screen_destroy(struct drv_screen *base)
{
    struct cpu_screen *screen = cpu_screen(base);
    jit_engine_destroy(screen->jit);
    cpu_storage_cache_finish(&screen->storage_cache);
    pthread_mutex_destroy(&screen->handle_classes->mutex);
    free(screen->handle_classes);
    free(screen);
}

static bool is_depth_stencil(enum drv_format format)
{
    return drv_format_desc(format)->colorspace == DRV_COLORSPACE_ZS;
}

static bool can_multisample(enum drv_format format, enum drv_target target, unsigned samples,
                            unsigned bind)
{
    return util_is_power_of_two(samples) && samples <= CPU_MAX_SAMPLES &&
           (target == DRV_TEXTURE_2D || target == DRV_TEXTURE_2D_ARRAY) &&
           drv_format_desc(format)->layout != DRV_LAYOUT_COMPRESSED &&
           bind & (DRV_BIND_RENDER_TARGET | DRV_BIND_DEPTH_STENCIL | DRV_BIND_SAMPLER_VIEW);
}

bool cpu_is_format_supported(struct drv_screen *screen, enum drv_format format,
                             enum drv_target target, unsigned samples, unsigned bind)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    if (format == DRV_FORMAT_NONE ||
        (samples > 1 && !can_multisample(format, target, samples, bind)))
        return false;
    if (target == DRV_BUFFER) {
        const unsigned buffers = DRV_BIND_VERTEX_BUFFER | DRV_BIND_INDEX_BUFFER |
                                 DRV_BIND_CONSTANT_BUFFER | DRV_BIND_STREAM_OUTPUT |
                                 DRV_BIND_INDIRECT | DRV_BIND_STORAGE_BUFFER |
                                 DRV_BIND_SAMPLER_VIEW | DRV_BIND_IMAGE;
        if (bind & ~buffers)
            return false;
        if (bind & DRV_BIND_IMAGE && (is_depth_stencil(format) || !cpu_format_can_render(format)))
            return false;
        if (bind & DRV_BIND_SAMPLER_VIEW &&
            (d->layout == DRV_LAYOUT_COMPRESSED || !cpu_format_can_sample(format)))
            return false;
        return !(bind & DRV_BIND_VERTEX_BUFFER) || cpu_format_can_fetch(format);
    }
    bool compressed = d->layout == DRV_LAYOUT_COMPRESSED;
    if (compressed && target == DRV_TEXTURE_1D)
        return false;
    if (bind & (DRV_BIND_SAMPLER_VIEW | DRV_BIND_FILTERABLE)) {
        enum drv_format store = cpu_store_format(format);
        if (!cpu_format_can_sample(store))
            return false;
        uint8_t block[16] = {0}, texel[16 * 16 * 2];
        if (compressed && !util_format_decompress_rgba8(format, texel, 32, block, 16, 1, 1) &&
            !util_format_decompress_float(format, (float *)texel, 128, block, 16, 1, 1))
            return false;
        if (bind & DRV_BIND_FILTERABLE && util_format_is_pure_integer(format))
            return false;
    }
    if (bind & (DRV_BIND_RENDER_TARGET | DRV_BIND_DISPLAY | DRV_BIND_BLENDABLE)) {
        if (compressed || is_depth_stencil(format) || !cpu_format_can_render(format))
            return false;
        if (bind & DRV_BIND_BLENDABLE && util_format_is_pure_integer(format))
            return false;
    }
    if (bind & DRV_BIND_DEPTH_STENCIL &&
        (!is_depth_stencil(format) || !cpu_format_can_render(format)))
        return false;
    return !(bind & DRV_BIND_IMAGE) ||
           (!compressed && !is_depth_stencil(format) && cpu_format_can_render(format));
}

static bool fence_finish(struct drv_screen *screen, struct drv_fence *fence, uint64_t timeout_ns)
{
    struct cpu_fence *f = (struct cpu_fence *)fence;
    if (thread_pool_done(&f->group))
        return true;
    if (timeout_ns == UINT64_MAX) {
        thread_pool_wait(&f->group);
        return true;
    }
    uint64_t start = cpu_timestamp();
    while (cpu_timestamp() - start < timeout_ns) {
        struct timespec pause = {.tv_nsec = 50000};
        nanosleep(&pause, NULL);
        if (thread_pool_done(&f->group))
            return true;
    }
    return false;
}

static void fence_reference(struct drv_screen *screen, struct drv_fence **dst,
                            struct drv_fence *src)
{
    struct cpu_fence *new = (struct cpu_fence *)src, *old = (struct cpu_fence *)*dst;
    if (new)
        ref_take(&new->refcount);
    *dst = src;
    cpu_fence_release(old);
}

static uint64_t get_timestamp(struct drv_screen *screen)
{
    return cpu_timestamp();
}

static void sample_position(struct drv_screen *screen, unsigned samples, unsigned index,
                            bool window, float xy[2])
{
    const int8_t *position = cpu_sample_positions(samples, window)[samples > 1 ? index : 0];
    for (unsigned i = 0; i < 2; i++)
        xy[i] = 0.5f + position[i] / 16.0f;
}

static const struct drv_screen_ops screen_ops = {
    .destroy = screen_destroy,
    .is_format_supported = cpu_is_format_supported,
    .resource_fits = cpu_resource_fits,
    .resource_create = cpu_resource_create,
    .resource_bytes = cpu_resource_bytes,
    .resource_create_in = cpu_resource_create_in,
    .sparse_page_size = cpu_sparse_page_size,
    .resource_destroy = cpu_resource_destroy,
    .context_create = cpu_context_create,
    .fence_finish = fence_finish,
    .fence_reference = fence_reference,
    .get_timestamp = get_timestamp,
    .sample_position = sample_position,
};

static void init_caps(struct drv_caps *caps)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        caps->stage[s] = (struct drv_stage_caps){
            .supported = true,
            .max_const_buffers = DRV_MAX_CONSTANT_BUFFERS,
            .max_const_buffer_size = 64 << 10,
            .max_samplers = DRV_MAX_SAMPLERS,
            .max_storage_buffers = DRV_MAX_STORAGE_BUFFERS,
            .max_images = DRV_MAX_IMAGES,
        };
    for (unsigned i = 0; i < 3; i++) {
        caps->max_compute_workgroup_count[i] = CPU_MAX_GROUPS;
        caps->max_compute_workgroup_size[i] = CPU_MAX_INVOCATIONS;
    }
    caps->max_compute_workgroup_invocations = CPU_MAX_INVOCATIONS;
    caps->max_compute_shared_memory = CPU_MAX_SHARED;
    caps->compute = true;
    caps->max_texture_2d_size = caps->max_texture_cube_size = 16384;
    caps->max_texture_3d_size = 2048;
    caps->max_texture_array_layers = 2048;
    caps->max_texture_buffer_texels = 1 << 27;
    caps->max_buffer_size = UINT32_MAX;
    caps->max_render_targets = DRV_MAX_COLOR_BUFS;
    caps->max_viewports = DRV_MAX_VIEWPORTS;
    caps->max_samples = CPU_MAX_SAMPLES;
    caps->sample_shading = caps->texture_multisample = true;
    caps->max_gs_output_vertices = 256;
    caps->max_gs_total_output_components = 1024;
    caps->max_gs_invocations = 32;
    caps->vertex_shader_layer_viewport = true;
    caps->max_views = DRV_MAX_VIEWS;
    caps->max_varyings = DRV_MAX_VARYINGS;
    caps->max_stream_output_buffers = DRV_MAX_SO_BUFFERS;
    caps->max_stream_output_components = 4 * DRV_MAX_VARYINGS;
    caps->stream_output_pause = true;
    caps->max_vertex_attrib_stride = 2048;
    caps->max_point_size = 255.0f;
    caps->max_line_width = 255.0f;
    caps->max_anisotropy = 16.0f;
    caps->max_lod_bias = 16.0f;
    caps->subpixel_bits = 8;
    caps->max_subpixel_bias = 7;
    caps->constant_buffer_offset_alignment = 16;
    caps->storage_buffer_offset_alignment = 16;
    caps->texture_buffer_offset_alignment = 16;
    caps->min_map_alignment = 64;
    caps->min_texel_offset = -8;
    caps->max_texel_offset = 7;
    caps->min_gather_offset = -32;
    caps->max_gather_offset = 31;
    caps->primitive_restart = caps->instance_divisor = caps->base_instance = true;
    caps->depth_bounds_test = true;
    caps->depth_clamp = caps->polygon_offset_clamp = caps->clip_halfz = true;
    caps->indep_blend_enable = caps->indep_blend_func = true;
    caps->framebuffer_fetch = caps->zs_fetch = caps->fragment_interlock = true;
    caps->compute_derivatives = true;
    caps->alpha_to_coverage_dither = true;
    caps->stencil_export = true;
    caps->sampler_reduction = caps->post_depth_coverage = true;
    caps->sample_locations = true;
    caps->conservative_raster = caps->barycentrics = true;
    caps->blend_minmax = caps->dual_source_blend = true;
    caps->max_dual_source_render_targets = 1;
    caps->seamless_cube_map = caps->texture_swizzle = caps->texture_shadow = true;
    caps->cube_map_array = caps->texture_gather = caps->texture_query_lod = true;
    caps->texture_rect = caps->texture_buffer_objects = true;
    caps->occlusion_query = caps->timer_query = caps->statistics_query = true;
    caps->conditional_render = true;
    caps->flatshade_first = caps->quads_follow_provoking_vertex = true;
    caps->point_sprite = true;
    caps->doubles = caps->int64 = caps->half_floats = caps->shader_storage = caps->shader_images =
        true;
}

struct cpu_screen *cpu_screen_create_external(const struct cpu_external *external)
{
    struct cpu_screen *screen = calloc(1, sizeof *screen);
    if (!screen)
        return NULL;
    screen->external = external;
    screen->handle_classes = calloc(1, sizeof *screen->handle_classes);
    screen->jit = screen->handle_classes ? jit_engine_create(0) : NULL;
    if (!screen->jit) {
        free(screen->handle_classes);
        free(screen);
        return NULL;
    }
    pthread_mutex_init(&screen->handle_classes->mutex, NULL);
    cpu_storage_cache_init(&screen->storage_cache);
    snprintf(screen->name, sizeof screen->name, "Indium CPU (%s)",
             jit_engine_description(screen->jit));
    screen->base = (struct drv_screen){
        .ops = &screen_ops, .name = screen->name, .device_id = 0x637075, /* "cpu" */
    };
    init_caps(&screen->base.caps);
    screen->base.caps.subgroup_size = jit_engine_lanes(screen->jit);
    /* The EU's atomic messages on surfaces are 32 bits wide, and the fixed functions of Intel GPUs
     * select one viewport per primitive. */
    screen->base.caps.atomic_int64 = screen->base.caps.viewport_mask = !external;
    /* Kernels look up in a map which texels are committed; the EU's messages don't. */
    screen->base.caps.sparse_texture = !external && cpu_sparse_is_supported();
    /* The simulator's surfaces and samplers come from binding tables only. */
    screen->base.caps.bindless_textures = !external;
    if (external && !external->gs_create)
        screen->base.caps.stage[SHADER_GEOMETRY] = (struct drv_stage_caps){0};
    if (external && !external->tes_create)
        for (unsigned s = SHADER_TESS_CTRL; s <= SHADER_TESS_EVAL; s++)
            screen->base.caps.stage[s] = (struct drv_stage_caps){0};
    if (external && !external->cs_create) {
        screen->base.caps.stage[SHADER_COMPUTE] = (struct drv_stage_caps){0};
        screen->base.caps.compute = screen->base.caps.compute_derivatives = false;
    }
    /* check_shader cannot know the compute shaders that task and mesh shaders become. */
    for (unsigned s = SHADER_TASK; external && s <= SHADER_MESH; s++)
        screen->base.caps.stage[s] = (struct drv_stage_caps){0};
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        screen->base.nir_options[s] = &cpu_nir_options;
    return screen;
}

struct drv_screen *cpu_screen_create(void)
{
    struct cpu_screen *screen = cpu_screen_create_external(NULL);
    return screen ? &screen->base : NULL;
}
