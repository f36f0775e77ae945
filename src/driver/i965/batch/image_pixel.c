/* SPDX-License-Identifier: MIT */
/* Packets of clipping, rasterization, the fragment shader and targets, and the dispatch of compute
 * shaders. */
#include <string.h>

#include "image_private.h"
#include "util/macros.h"

#define MAX_PS_THREADS 64u /* Per pixel shader dispatcher. */
#define MAX_CS_THREADS 56u /* Of a subslice. */
#define SUBSLICES      3u

#define EMIT(b, id, ...)             image_pack(b, IMAGE_BATCH, id, &(__VA_ARGS__), 4)
#define STATE(b, id, alignment, ...) image_pack(b, IMAGE_DYNAMIC, id, &(__VA_ARGS__), alignment)

/* Returns the shader before the rasterizer. */
static const struct i965_prog_data *last_vertex_stage(const struct image_builder *b)
{
    static const unsigned order[] = {SHADER_GEOMETRY, SHADER_TESS_EVAL, SHADER_VERTEX};
    for (unsigned i = 0; i < ARRAY_SIZE(order); i++) {
        if (b->programs[order[i]])
            return &b->programs[order[i]]->data;
    }
    return NULL;
}

/* The viewport covers the targets. y increases upwards, as the kernels expect (i965_abi.h): the
 * first row in memory is the lowest. */
static void emit_viewport(struct image_builder *b)
{
    const float width = (float)b->options->width, height = (float)b->options->height;
    uint32_t clip = STATE(b, I965_SF_CLIP_VIEWPORT, 64,
                          (struct i965_sf_clip_viewport){
                              .viewport_matrix_element_m00 = width / 2,
                              .viewport_matrix_element_m11 = height / 2,
                              .viewport_matrix_element_m22 = 0.5f,
                              .viewport_matrix_element_m30 = width / 2,
                              .viewport_matrix_element_m31 = height / 2,
                              .viewport_matrix_element_m32 = 0.5f,
                              .x_min_clip_guardband = -8,
                              .x_max_clip_guardband = 8,
                              .y_min_clip_guardband = -8,
                              .y_max_clip_guardband = 8,
                              .x_max_viewport = width - 1,
                              .y_max_viewport = height - 1,
                          });
    uint32_t cc = STATE(b, I965_CC_VIEWPORT, 32, (struct i965_cc_viewport){.maximum_depth = 1});
    EMIT(b, I965_3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP,
         (struct i965_3dstate_viewport_state_pointers_sf_clip){clip});
    EMIT(b, I965_3DSTATE_VIEWPORT_STATE_POINTERS_CC,
         (struct i965_3dstate_viewport_state_pointers_cc){cc});
    EMIT(b, I965_3DSTATE_DRAWING_RECTANGLE,
         (struct i965_3dstate_drawing_rectangle){
             .clipped_drawing_rectangle_x_max = b->options->width - 1,
             .clipped_drawing_rectangle_y_max = b->options->height - 1});
}

static void emit_rasterizer(struct image_builder *b)
{
    const struct i965_prog_data *fs = &b->programs[SHADER_FRAGMENT]->data;
    const bool two_planes =
        image_has_field(b, I965_3DSTATE_RASTER, "Viewport Z Near Clip Test Enable");
    EMIT(b, I965_3DSTATE_CLIP,
         (struct i965_3dstate_clip){
             .clip_enable = true,
             .statistics_enable = true,
             .guardband_clip_test_enable = true,
             .viewport_xy_clip_test_enable = true,
             .clip_mode = I965_CLIP_MODE_CLIPMODE_NORMAL,
             .triangle_fan_provoking_vertex_select = 2,
             .line_strip_list_provoking_vertex_select = 1,
             .triangle_strip_list_provoking_vertex_select = 2,
             .non_perspective_barycentric_enable =
                 fs->fs.barycentric_modes >> I965_BARYCENTRIC_NONPERSPECTIVE_PIXEL,
             .minimum_point_width = 0.125f,
             .maximum_point_width = 255.875f,
         });
    EMIT(b, I965_3DSTATE_SF,
         (struct i965_3dstate_sf){
             .viewport_transform_enable = true,
             .statistics_enable = true,
             .line_width = 1,
             .point_width = 1,
             .point_width_source = 1,
             .triangle_fan_provoking_vertex_select = 2,
             .line_strip_list_provoking_vertex_select = 1,
             .triangle_strip_list_provoking_vertex_select = 2,
         });
    EMIT(
        b, I965_3DSTATE_RASTER,
        (struct i965_3dstate_raster){
            .cull_mode = I965_CULL_MODE_NONE,
            /* Row 0 is the bottom one, so what the hardware calls clockwise is counterclockwise. */
            .front_winding = I965_FRONT_WINDING_CLOCKWISE,
            .viewport_z_clip_test_enable = !two_planes,
            .viewport_z_near_clip_test_enable = two_planes,
            .viewport_z_far_clip_test_enable = two_planes,
        });
}

/* Maps the inputs of the fragment shader to slots of the vertex entry, read from slot 2 on. */
static void emit_setup(struct image_builder *b)
{
    const struct i965_prog_data *fs = &b->programs[SHADER_FRAGMENT]->data;
    const struct i965_vue_map *map = &last_vertex_stage(b)->vue_map;
    struct i965_3dstate_sbe sbe = {
        .attribute_swizzle_enable = true,
        .number_of_sf_output_attributes = fs->fs.num_inputs,
        .constant_interpolation_enable = fs->fs.flat_inputs,
        .force_vertex_urb_entry_read_offset = true,
        .force_vertex_urb_entry_read_length = true,
        .vertex_urb_entry_read_offset = 1,
        .vertex_urb_entry_read_length = MAX2((map->num_slots - 1) / 2, 1),
    };
    struct i965_3dstate_sbe_swiz swizzle = {0};
    bool components = image_has_field(b, I965_3DSTATE_SBE, "Attribute Active Component Format");
    for (unsigned i = 0; components && i < ARRAY_SIZE(sbe.attribute_active_component_format); i++)
        sbe.attribute_active_component_format[i] = I965_ATTRIBUTE_ACTIVE_COMPONENT_FORMAT_XYZW;
    for (unsigned i = 0; i < fs->fs.num_inputs; i++) {
        int slot = map->slot[fs->fs.inputs[i]];
        if (i >= ARRAY_SIZE(swizzle.attribute))
            continue; /* Attributes above 15 keep their order. */
        if (slot >= 2)
            swizzle.attribute[i].source_attribute = (uint32_t)slot - 2;
        else /* not written: 0 */
            swizzle.attribute[i] =
                (struct i965_sf_output_attribute_detail){.component_override_x = true,
                                                         .component_override_y = true,
                                                         .component_override_z = true,
                                                         .component_override_w = true};
    }
    EMIT(b, I965_3DSTATE_SBE, sbe);
    EMIT(b, I965_3DSTATE_SBE_SWIZ, swizzle);
}

static void emit_ps(struct image_builder *b)
{
    const struct i965_program *p = b->programs[SHADER_FRAGMENT];
    const struct i965_prog_data *d = &p->data;
    const struct i965_kernel *simd8 = &p->kernels[0], *simd16 = &p->kernels[1];
    const uint32_t *kernel = b->kernel[SHADER_FRAGMENT];
    uint32_t scratch = 0;
    while ((1024u << scratch) < d->scratch_size)
        scratch++;
    struct i965_3dstate_ps ps = {
        .binding_table_entry_count = d->binding_table.size,
        .sampler_count = MIN2((d->sampler_count + 3u) / 4, 4),
        .per_thread_scratch_space = scratch,
        .push_constant_enable = d->num_push_ranges > 0,
        .vector_mask_enable = true,
        .position_xy_offset_select = d->fs.uses_position_offsets ? 3 : 0,
        .maximum_number_of_threads_per_psd = MAX_PS_THREADS - 1,
        ._8_pixel_dispatch_enable = simd8->width != 0,
        ._16_pixel_dispatch_enable = simd16->width != 0,
    };
    /* Kernel 0 is the narrowest; with two widths, SIMD16 is kernel 2. */
    if (simd8->width) {
        ps.kernel_start_pointer_0 = kernel[0];
        ps.dispatch_grf_start_register_for_constant_setup_data_0 = simd8->dispatch_grf_start;
        if (simd16->width) {
            ps.kernel_start_pointer_2 = kernel[1];
            ps.dispatch_grf_start_register_for_constant_setup_data_2 = simd16->dispatch_grf_start;
        }
    } else {
        ps.kernel_start_pointer_0 = kernel[1];
        ps.dispatch_grf_start_register_for_constant_setup_data_0 = simd16->dispatch_grf_start;
    }
    EMIT(b, I965_3DSTATE_PS, ps);
    EMIT(b, I965_3DSTATE_PS_EXTRA,
         (struct i965_3dstate_ps_extra){
             .pixel_shader_valid = true,
             .attribute_enable = d->fs.num_inputs > 0,
             .pixel_shader_kills_pixel = d->fs.uses_discard,
             .pixel_shader_is_per_sample = d->fs.persample,
             .pixel_shader_has_uav = d->fs.uses_side_effects,
             .pixel_shader_pulls_bary = d->fs.pulls_barycentrics,
             .pixel_shader_uses_source_depth = d->fs.uses_source_depth,
             .pixel_shader_uses_source_w = d->fs.uses_source_w,
             .pixel_shader_computes_stencil = d->fs.writes_stencil,
             .omask_present_to_render_target = d->fs.writes_sample_mask,
             .input_coverage_mask_state = d->fs.uses_sample_mask,
             .pixel_shader_computed_depth_mode = d->fs.writes_depth,
         });
    EMIT(b, I965_3DSTATE_WM,
         (struct i965_3dstate_wm){
             .statistics_enable = true,
             .barycentric_interpolation_mode = d->fs.barycentric_modes,
             .early_depth_stencil_control = d->fs.early_fragment_tests
                                                ? I965_EARLY_DEPTH_STENCIL_CONTROL_EDSC_PREPS
                                                : I965_EARLY_DEPTH_STENCIL_CONTROL_EDSC_NORMAL,
         });
}

static void emit_blending(struct image_builder *b)
{
    const struct i965_prog_data *fs = &b->programs[SHADER_FRAGMENT]->data;
    const bool blend = b->options->blend;
    uint32_t at = STATE(b, I965_BLEND_STATE, 64, (struct i965_blend_state){0});
    for (unsigned i = 0; i < 8; i++) {
        STATE(b, I965_BLEND_STATE_ENTRY, 4,
              (struct i965_blend_state_entry){
                  .color_buffer_blend_enable = blend,
                  .source_blend_factor = I965_BLEND_FACTOR_SRC_ALPHA,
                  .source_alpha_blend_factor = I965_BLEND_FACTOR_SRC_ALPHA,
                  .destination_blend_factor = I965_BLEND_FACTOR_INV_SRC_ALPHA,
                  .destination_alpha_blend_factor = I965_BLEND_FACTOR_INV_SRC_ALPHA,
                  .pre_blend_color_clamp_enable = true,
                  .post_blend_color_clamp_enable = true,
                  .color_clamp_range = I965_COLOR_CLAMP_RANGE_COLORCLAMP_RTFORMAT,
              });
    }
    EMIT(b, I965_3DSTATE_BLEND_STATE_POINTERS,
         (struct i965_3dstate_blend_state_pointers){true, at});
    EMIT(b, I965_3DSTATE_PS_BLEND,
         (struct i965_3dstate_ps_blend){
             .has_writeable_rt = fs->fs.num_color_outputs > 0,
             .color_buffer_blend_enable = blend,
             .source_blend_factor = I965_BLEND_FACTOR_SRC_ALPHA,
             .source_alpha_blend_factor = I965_BLEND_FACTOR_SRC_ALPHA,
             .destination_blend_factor = I965_BLEND_FACTOR_INV_SRC_ALPHA,
             .destination_alpha_blend_factor = I965_BLEND_FACTOR_INV_SRC_ALPHA,
         });
    uint32_t cc = STATE(b, I965_COLOR_CALC_STATE, 64,
                        (struct i965_color_calc_state){
                            .stencil_reference_value =
                                b->options->depth && image_has_field(b, I965_COLOR_CALC_STATE,
                                                                     "Stencil Reference Value")});
    EMIT(b, I965_3DSTATE_CC_STATE_POINTERS, (struct i965_3dstate_cc_state_pointers){true, cc});
}

static void emit_depth_stencil(struct image_builder *b)
{
    const struct i965_image_options *o = b->options;
    struct i965_3dstate_wm_depth_stencil test = {0};
    struct i965_3dstate_depth_buffer depth = {.surface_type = I965_SURFACE_TYPE_SURFTYPE_NULL,
                                              .surface_format = I965_DEPTH_FORMAT_D32_FLOAT};
    struct i965_3dstate_stencil_buffer stencil = {0};
    /* Gen12 describes the stencil buffer by itself. */
    const bool separate = image_has_field(b, I965_3DSTATE_STENCIL_BUFFER, "Surface Type");
    if (separate)
        stencil.surface_type = I965_SURFACE_TYPE_SURFTYPE_NULL;
    if (o->depth) {
        const uint32_t pitch = (o->width * 4 + 127) & ~127u;
        test = (struct i965_3dstate_wm_depth_stencil){
            .depth_test_enable = true,
            .depth_buffer_write_enable = true,
            .depth_test_function = I965_COMPARE_FUNCTION_LESS,
            .stencil_test_enable = true,
            .stencil_buffer_write_enable = true,
            .stencil_test_function = I965_COMPARE_FUNCTION_ALWAYS,
            .stencil_pass_depth_pass_op = I965_STENCIL_OP_REPLACE,
            .stencil_test_mask = 0xff,
            .stencil_write_mask = 0xff,
            .stencil_reference_value =
                image_has_field(b, I965_3DSTATE_WM_DEPTH_STENCIL, "Stencil Reference Value"),
        };
        depth = (struct i965_3dstate_depth_buffer){
            .surface_type = I965_SURFACE_TYPE_SURFTYPE_2D,
            .surface_format = I965_DEPTH_FORMAT_D32_FLOAT,
            .surface_pitch = pitch - 1,
            .depth_write_enable = true,
            .stencil_write_enable = !separate,
            .surface_base_address = image_address(b, IMAGE_DATA, b->depth),
            .width = o->width - 1,
            .height = o->height - 1,
        };
        stencil = (struct i965_3dstate_stencil_buffer){
            .stencil_buffer_enable = !separate,
            .stencil_write_enable = separate,
            .surface_type = separate ? I965_SURFACE_TYPE_SURFTYPE_2D : 0,
            .width = separate ? o->width - 1 : 0,
            .height = separate ? o->height - 1 : 0,
            .surface_pitch = 2 * ((o->width + 63) & ~63u) - 1,
            .surface_base_address = image_address(b, IMAGE_DATA, b->stencil),
        };
    }
    EMIT(b, I965_3DSTATE_WM_DEPTH_STENCIL, test);
    uint32_t at = EMIT(b, I965_3DSTATE_DEPTH_BUFFER, depth);
    if (o->depth)
        image_relocate(b, IMAGE_BATCH, at + 2 * 4, "depth buffer");
    EMIT(b, I965_3DSTATE_HIER_DEPTH_BUFFER, (struct i965_3dstate_hier_depth_buffer){0});
    at = EMIT(b, I965_3DSTATE_STENCIL_BUFFER, stencil);
    if (o->depth)
        image_relocate(b, IMAGE_BATCH, at + 2 * 4, "stencil buffer");
    EMIT(b, I965_3DSTATE_CLEAR_PARAMS,
         (struct i965_3dstate_clear_params){.depth_clear_value_valid = true});
}

static void emit_samples(struct image_builder *b)
{
    struct i965_3dstate_sample_pattern pattern = {._1x_sample0_x_offset = 0.5f,
                                                  ._1x_sample0_y_offset = 0.5f};
    EMIT(b, I965_3DSTATE_MULTISAMPLE, (struct i965_3dstate_multisample){0});
    EMIT(b, I965_3DSTATE_SAMPLE_PATTERN, pattern);
    EMIT(b, I965_3DSTATE_SAMPLE_MASK, (struct i965_3dstate_sample_mask){1});
}

void image_emit_pixel_stages(struct image_builder *b)
{
    emit_viewport(b);
    emit_rasterizer(b);
    emit_setup(b);
    emit_samples(b);
    emit_ps(b);
    emit_blending(b);
    emit_depth_stencil(b);
}

/* Returns the value of the field Shared Local Memory Size: 0, then 1 for 1 KiB, 2 for 2 KiB and so
 * on. */
static uint32_t slm_field(uint32_t bytes)
{
    uint32_t field = 0;
    while (bytes && (512u << field) < bytes)
        field++;
    return bytes ? MAX2(field, 1) : 0;
}

void image_emit_compute(struct image_builder *b)
{
    const struct i965_program *p = b->programs[SHADER_COMPUTE];
    const struct i965_prog_data *d = &p->data;
    unsigned w = 0;
    while (w < ARRAY_SIZE(p->kernels) - 1 && !p->kernels[w].width)
        w++;
    const uint32_t width = p->kernels[w].width;
    const uint32_t invocations =
        (uint32_t)d->cs.local_size[0] * d->cs.local_size[1] * d->cs.local_size[2];
    const uint32_t threads = (invocations + width - 1) / width, rest = invocations % width;
    /* The push constants of all threads, then a register for each thread, whose dword 0 is its
     * index. */
    const uint32_t cross = d->curb_read_length * 32u, size = (cross + threads * 32 + 63) & ~63u;
    uint32_t curbe = image_reserve(b, IMAGE_DYNAMIC, size, 64);
    for (uint32_t i = 0; i < threads && !b->error[0]; i++)
        memcpy(image_memory(b, IMAGE_DYNAMIC, curbe + cross + i * 32), &i, sizeof i);
    uint32_t descriptor = STATE(b, I965_INTERFACE_DESCRIPTOR_DATA, 64,
                                (struct i965_interface_descriptor_data){
                                    .kernel_start_pointer = b->kernel[SHADER_COMPUTE][w],
                                    .sampler_state_pointer = b->samplers[SHADER_COMPUTE],
                                    .sampler_count = MIN2((d->sampler_count + 3u) / 4, 4),
                                    .binding_table_pointer = b->binding_table[SHADER_COMPUTE],
                                    .binding_table_entry_count = MIN2(d->binding_table.size, 31),
                                    .constant_urb_entry_read_length = 1,
                                    .cross_thread_constant_data_read_length = d->curb_read_length,
                                    .number_of_threads_in_gpgpu_thread_group = threads,
                                    .barrier_enable = d->cs.uses_barrier,
                                    .shared_local_memory_size = slm_field(d->cs.shared_size),
                                });
    EMIT(b, I965_MEDIA_VFE_STATE,
         (struct i965_media_vfe_state){
             .maximum_number_of_threads = MAX_CS_THREADS * SUBSLICES - 1,
             .number_of_urb_entries = 2,
             .urb_entry_allocation_size = 2,
             .curbe_allocation_size = (size / 32 + 1) & ~1u,
             .reset_gateway_timer = image_has_field(b, I965_MEDIA_VFE_STATE, "Reset Gateway Timer"),
         });
    EMIT(b, I965_MEDIA_CURBE_LOAD,
         (struct i965_media_curbe_load){.curbe_total_data_length = size,
                                        .curbe_data_start_address = curbe});
    EMIT(b, I965_MEDIA_INTERFACE_DESCRIPTOR_LOAD,
         (struct i965_media_interface_descriptor_load){.interface_descriptor_total_length = 32,
                                                       .interface_descriptor_data_start_address =
                                                           descriptor});
    EMIT(b, I965_GPGPU_WALKER,
         (struct i965_gpgpu_walker){
             .simd_size = width / 16,
             .thread_width_counter_maximum = threads - 1,
             .thread_group_id_x_dimension = b->options->groups[0],
             .thread_group_id_y_dimension = b->options->groups[1],
             .thread_group_id_z_dimension = b->options->groups[2],
             .right_execution_mask = rest ? (1u << rest) - 1 : UINT32_MAX >> (32 - width),
             .bottom_execution_mask = UINT32_MAX,
         });
    EMIT(b, I965_MEDIA_STATE_FLUSH, (struct i965_media_state_flush){0});
}
