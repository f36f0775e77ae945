# SPDX-License-Identifier: MIT
"""
Extensions that can be advertised. Each line: name without GL_, the APIs whose contexts have it
(C compat, D core, 1 ES 1, 2 ES 2 and later), the condition on struct drv_caps *c and other
extensions e->NAME of lines before, and the least version (10 * major + minor) of these APIs that can
have it, if not all. That its commands exist is asked at run time. UNFINISHED has those that only
INDIUM_EXTENSION_OVERRIDE, or a version that another override forces, turns on: not all of what is
asked of this side works.

usage: gl_extensions.py gl.xml OUTPUT: gl_ext.h (struct gl_extensions) or gl_ext_table.h (the table).
"""

import os
import sys

from gl_registry import IMAGING, Registry

EXTENSIONS = [
    # name, APIs, condition
    ('ARB_multitexture', 'C', '1'),
    ('ARB_transpose_matrix', 'C', '1'),
    ('ARB_window_pos', 'C', '1'),
    ('ARB_point_parameters', 'C', '1'),
    ('ARB_point_sprite', 'C', 'c->point_sprite'),
    ('ARB_vertex_buffer_object', 'C', '1'),
    ('ARB_occlusion_query', 'C', 'c->occlusion_query'),
    ('ARB_occlusion_query2', 'CD', 'c->occlusion_query'),
    ('EXT_occlusion_query_boolean', '2', 'c->occlusion_query'),
    ('ARB_timer_query', 'CD', 'c->timer_query'),
    ('EXT_timer_query', 'C', 'c->timer_query'),
    ('ARB_pipeline_statistics_query', 'CD', 'c->statistics_query'),
    ('ARB_vertex_array_object', 'CD', '1'),
    ('ARB_vertex_array_bgra', 'CD', '1'),
    ('EXT_vertex_array_bgra', 'CD', '1'),
    ('ARB_map_buffer_range', 'CD', '1'),
    ('ARB_copy_buffer', 'CD', '1'),
    ('ARB_half_float_vertex', 'CD', '1'),
    ('ARB_draw_elements_base_vertex', 'CD', '1'),
    ('EXT_draw_elements_base_vertex', '2', '1'),
    ('OES_draw_elements_base_vertex', '2', '1'),
    ('ARB_draw_instanced', 'CD', '1'),
    ('EXT_draw_instanced', 'CD2', '1'),
    ('ARB_instanced_arrays', 'CD', 'c->instance_divisor'),
    ('ARB_base_instance', 'CD', 'c->base_instance'),
    ('EXT_base_instance', '2', 'c->base_instance', 30),
    ('NV_primitive_restart', 'C', 'c->primitive_restart'),
    ('ARB_uniform_buffer_object', 'CD', 'c->stage[SHADER_FRAGMENT].max_const_buffers > 12'),
    ('ARB_provoking_vertex', 'CD', 'c->flatshade_first'),
    ('EXT_provoking_vertex', 'CD', 'c->flatshade_first'),
    ('ARB_depth_clamp', 'CD', 'c->depth_clamp'),
    ('ARB_sync', 'CD', '1'),
    ('ARB_debug_output', 'CD', '1'),
    ('KHR_debug', 'CD12', '1'),
    ('KHR_parallel_shader_compile', 'CD2', '1'),
    ('KHR_no_error', 'CD2', '1'),
    ('KHR_context_flush_control', 'CD2', '1'),
    ('ARB_robust_buffer_access_behavior', 'CD', '1'),
    ('ARB_robustness', 'CD', '1'),
    ('KHR_robustness', 'CD2', '1'),
    ('EXT_robustness', '2', '1'),
    ('EXT_abgr', 'C', '1'),
    ('EXT_bgra', 'C', '1'),
    ('EXT_blend_color', 'C', '1'),
    ('EXT_blend_minmax', 'C12', 'c->blend_minmax'),
    ('EXT_blend_subtract', 'C', '1'),
    ('EXT_blend_func_separate', 'C', '1'),
    ('EXT_blend_equation_separate', 'C', '1'),
    ('EXT_draw_range_elements', 'C', '1'),
    ('EXT_fog_coord', 'C', '1'),
    ('EXT_multi_draw_arrays', 'C12', '1'),
    ('EXT_polygon_offset', 'C', '1'),
    ('EXT_rescale_normal', 'C', '1'),
    ('EXT_secondary_color', 'C', '1'),
    ('EXT_separate_specular_color', 'C', '1'),
    ('EXT_stencil_wrap', 'C', '1'),
    ('EXT_vertex_array', 'C', '1'),
    ('EXT_compiled_vertex_array', 'C', '1'),
    ('OES_element_index_uint', '12', '1'),
    ('OES_mapbuffer', '12', '1'),
    ('OES_vertex_array_object', '12', '1'),
    ('EXT_map_buffer_range', '12', '1'),
    ('OES_vertex_half_float', '2', '1'),
    ('ARB_texture_cube_map', 'C', '1'),
    ('ARB_texture_border_clamp', 'C', '1'),
    ('ARB_texture_compression', 'C', '1'),
    ('ARB_texture_env_add', 'C', '1'),
    ('ARB_texture_env_combine', 'C', '1'),
    ('ARB_texture_env_crossbar', 'C', '1'),
    ('ARB_texture_env_dot3', 'C', '1'),
    ('ARB_texture_mirrored_repeat', 'C', '1'),
    ('ARB_texture_mirror_clamp_to_edge', 'CD', '1'),
    ('EXT_texture_mirror_clamp', 'CD', '1'),
    ('EXT_texture_mirror_clamp_to_edge', '2', '1'),
    ('ATI_texture_mirror_once', 'CD', '1'),
    ('ARB_texture_non_power_of_two', 'CD', '1'),
    ('ARB_texture_rectangle', 'CD', 'c->texture_rect'),
    ('ARB_texture_rg', 'CD', '1'),
    ('ARB_texture_float', 'CD', '1'),
    ('ARB_texture_storage', 'CD', '1'),
    ('ARB_texture_buffer_object', 'CD', 'c->texture_buffer_objects', 31),
    ('ARB_texture_buffer_object_rgb32', 'CD', 'c->texture_buffer_objects', 31),
    ('ARB_texture_buffer_range', 'CD', 'c->texture_buffer_objects', 31),
    ('ARB_texture_swizzle', 'CD', 'c->texture_swizzle'),
    ('ARB_depth_texture', 'C', '1'),
    ('ARB_shadow', 'C', 'c->texture_shadow'),
    ('ARB_seamless_cube_map', 'CD', 'c->seamless_cube_map'),
    ('AMD_seamless_cubemap_per_texture', 'CD', 'c->seamless_cube_map'),
    ('ARB_seamless_cubemap_per_texture', 'CD', 'c->seamless_cube_map'),
    ('ARB_sampler_objects', 'CD', '1'),
    ('ARB_pixel_buffer_object', 'CD', '1'),
    ('ARB_framebuffer_object', 'CD', '1'),
    ('ARB_framebuffer_sRGB', 'CD', '1'),
    ('ARB_draw_buffers', 'CD', '1'),
    ('ATI_draw_buffers', 'C', '1'),
    ('ARB_ES2_compatibility', 'CD', '1'),
    ('ARB_explicit_attrib_location', 'CD', '1'),
    ('ARB_fragment_coord_conventions', 'CD', '1'),
    ('ARB_shader_texture_lod', 'CD', '1'),
    ('ARB_separate_shader_objects', 'CD', '1'),
    ('OES_standard_derivatives', '2', '1'),
    ('APPLE_clip_distance', '2', '1'),
    ('EXT_frag_depth', '2', '1'),
    ('EXT_shader_texture_lod', '2', '1'),
    ('ARB_shader_objects', 'C', '1'),
    ('ARB_vertex_shader', 'C', '1'),
    ('ARB_vertex_program', 'C', '1'),
    ('ARB_fragment_program', 'C', '1'),
    ('ARB_fragment_program_shadow', 'C', '1'),
    ('EXT_gpu_program_parameters', 'C', '1'),
    ('ARB_fragment_shader', 'C', '1'),
    ('ARB_shading_language_100', 'C', '1'),
    ('ARB_compatibility', 'C', '1', 31),
    ('ARB_texture_compression_rgtc', 'CD', '1'),
    ('EXT_framebuffer_object', 'C', '1'),
    ('EXT_framebuffer_blit', 'C', '1'),
    ('ARB_multisample', 'C', '1'),
    ('EXT_framebuffer_multisample', 'C', 'c->max_samples > 1'),
    ('EXT_framebuffer_multisample_blit_scaled', 'CD', 'c->max_samples > 1'),
    ('ARB_texture_storage_multisample', 'CD', 'c->texture_multisample'),
    ('ARB_internalformat_query', 'CD', '1'),
    ('ARB_internalformat_query2', 'CD', '1'),
    ('EXT_packed_depth_stencil', 'CD', '1'),
    ('EXT_packed_pixels', 'C', '1'),
    ('EXT_pixel_buffer_object', 'CD', '1'),
    ('EXT_texture', 'C', '1'),
    ('EXT_texture3D', 'C', '1'),
    ('EXT_texture_array', 'CD', '1'),
    ('EXT_texture_compression_s3tc', 'CD2', '1'),
    ('ARB_texture_compression_bptc', 'CD', '1'),
    ('EXT_texture_compression_bptc', '2', '1', 30),
    ('EXT_texture_compression_s3tc_srgb', '2', '1'),
    ('EXT_texture_compression_latc', 'C', '1'),
    ('EXT_texture_compression_rgtc', 'CD2', '1', 30),
    ('EXT_texture_cube_map', 'C', '1'),
    ('EXT_texture_edge_clamp', 'C', '1'),
    ('EXT_texture_env_add', 'C', '1'),
    ('EXT_texture_env_combine', 'C', '1'),
    ('EXT_texture_env_dot3', 'C', '1'),
    ('EXT_texture_filter_anisotropic', 'CD12', 'c->max_anisotropy > 1.0f'),
    ('EXT_texture_lod_bias', 'C1', '1'),
    ('EXT_texture_object', 'C', '1'),
    ('EXT_texture_rectangle', 'C', 'c->texture_rect'),
    ('EXT_texture_sRGB', 'CD', '1'),
    ('EXT_texture_sRGB_decode', 'CD2', '1'),
    ('EXT_texture_snorm', 'CD', '1'),
    ('EXT_texture_swizzle', 'CD', 'c->texture_swizzle'),
    ('EXT_shadow_funcs', 'C', 'c->texture_shadow'),
    ('SGIS_generate_mipmap', 'C', '1'),
    ('SGIS_texture_border_clamp', 'C', '1'),
    ('SGIS_texture_edge_clamp', 'C', '1'),
    ('SGIS_texture_lod', 'C', '1'),
    ('IBM_texture_mirrored_repeat', 'C', '1'),
    ('NV_blend_square', 'C', '1'),
    ('EXT_point_parameters', 'C', '1'),
    ('SUN_multi_draw_arrays', 'C', '1'),
    ('EXT_copy_texture', 'C', '1'),
    ('EXT_subtexture', 'C', '1'),
    ('ATI_blend_equation_separate', 'CD', '1'),
    ('ATI_texture_float', 'CD', '1'),
    ('NV_depth_clamp', 'CD', 'c->depth_clamp'),
    ('NV_packed_depth_stencil', 'CD', '1'),
    ('AMD_draw_buffers_blend', 'CD', 'c->indep_blend_func'),
    ('AMD_multi_draw_indirect', 'CD', '1'),
    ('NV_texture_rectangle', 'C', 'c->texture_rect'),
    ('EXT_texture_integer', 'CD', '1'),
    ('ARB_texture_rgb10_a2ui', 'CD', '1'),
    ('EXT_packed_float', 'CD', '1'),
    ('EXT_texture_shared_exponent', 'CD', '1'),
    ('ARB_depth_buffer_float', 'CD', '1'),
    ('ARB_color_buffer_float', 'C', '1'),
    ('ARB_half_float_pixel', 'CD', '1'),
    ('NV_conditional_render', 'CD', 'c->conditional_render'),
    ('NV_fog_distance', 'C', '1'),
    ('EXT_discard_framebuffer', '12', '1'),
    ('EXT_draw_buffers', '2', '1'),
    ('EXT_draw_buffers2', 'CD', 'c->indep_blend_enable'),
    ('EXT_gpu_shader4', 'C', '1'),
    ('EXT_transform_feedback', 'CD', 'c->max_stream_output_buffers > 0'),
    ('ARB_transform_feedback2', 'CD', 'c->stream_output_pause'),
    ('ARB_transform_feedback3', 'CD', 'c->stream_output_pause && c->max_stream_output_buffers > 1'),
    ('ARB_transform_feedback_overflow_query', 'CD', 'c->max_stream_output_buffers > 0'),
    ('OES_byte_coordinates', '1', '1'),
    ('OES_draw_texture', '1', '1'),
    ('OES_fixed_point', '1', '1'),
    ('OES_point_size_array', '1', '1'),
    ('OES_point_sprite', '1', 'c->point_sprite'),
    ('OES_read_format', 'C1', '1'),
    ('OES_single_precision', '1', '1'),
    ('OES_framebuffer_object', '1', '1'),
    ('OES_rgb8_rgba8', '12', '1'),
    ('OES_depth24', '12', '1'),
    ('OES_depth_texture', '2', '1'),
    ('OES_packed_depth_stencil', '12', '1'),
    ('EXT_color_buffer_float', '2', '1', 30),
    ('OES_texture_float', '2', '1'),
    ('OES_texture_float_linear', '2', '1'),
    ('OES_texture_half_float', '2', '1'),
    ('OES_texture_half_float_linear', '2', '1'),
    ('OES_texture_npot', '12', '1'),
    ('OES_texture_cube_map', '1', '1'),
    ('OES_texture_env_crossbar', '1', '1'),
    ('OES_texture_mirrored_repeat', '1', '1'),
    ('OES_compressed_ETC1_RGB8_texture', '12', '1'),
    ('OES_compressed_paletted_texture', '1', '1'),
    ('OES_matrix_get', '1', '1'),
    ('EXT_texture_format_BGRA8888', '12', '1'),
    ('EXT_read_format_bgra', '12', '1'),
    ('EXT_unpack_subimage', '2', '1'),
    ('ARB_vertex_type_2_10_10_10_rev', 'CD', '1'),
    ('ARB_vertex_type_10f_11f_11f_rev', 'CD', '1'),
    ('ARB_shader_bit_encoding', 'CD', '1'),
    ('ARB_draw_buffers_blend', 'CD', 'c->indep_blend_func'),
    ('ARB_clip_control', 'CD', 'c->clip_halfz'),
    ('ARB_polygon_offset_clamp', 'CD', 'c->polygon_offset_clamp'),
    ('EXT_polygon_offset_clamp', 'CD2', 'c->polygon_offset_clamp'),
    ('ARB_map_buffer_alignment', 'CD', 'c->min_map_alignment >= 64'),
    ('ARB_texture_filter_anisotropic', 'CD', 'c->max_anisotropy >= 16.0f'),
    ('ARB_ES3_compatibility', 'CD', 'c->primitive_restart && c->occlusion_query'),
    # of the shading language alone
    ('AMD_conservative_depth', 'CD', '1'),
    ('ARB_conservative_depth', 'CD', '1'),
    ('AMD_shader_trinary_minmax', 'CD', '1'),
    ('ARB_arrays_of_arrays', 'CD', '1', 30),
    ('ARB_derivative_control', 'CD', '1', 30),
    ('ARB_explicit_uniform_location', 'CD', '1', 30),
    ('ARB_parallel_shader_compile', 'CD', '1'),
    ('ARB_program_interface_query', 'CD', '1', 30),
    ('ARB_shading_language_420pack', 'CD', '1', 30),
    ('ARB_shading_language_packing', 'CD', '1', 30),
    ('ARB_texture_query_levels', 'CD', '1', 30),
    ('EXT_shader_integer_mix', 'CD2', '1', 30),
    ('MESA_shader_integer_functions', 'CD2', '1', 30),
    ('AMD_shader_stencil_export', 'CD', '1'),
    ('ARB_cull_distance', 'CD', '1', 30),
    ('ARB_enhanced_layouts', 'CD', '1', 31),
    ('ARB_shader_ballot', 'CD', 'c->int64', 31),
    ('ARB_shader_clock', 'CD', '1', 31),
    ('ARB_shader_draw_parameters', 'CD', 'c->base_instance', 31),
    ('ARB_shader_group_vote', 'CD', '1', 31),
    ('ARB_shader_precision', 'CD', '1', 31),
    ('ARB_shader_stencil_export', 'CD', '1'),
    ('ARB_shader_subroutine', 'CD', '1', 31),
    ('ARB_shader_texture_image_samples', 'CD', 'c->texture_multisample', 31),
    ('EXT_demote_to_helper_invocation', 'CD2', '1', 30),
    ('EXT_shader_group_vote', '2', '1', 30),
    # what the driver may lack
    ('ARB_blend_func_extended', 'CD', 'c->dual_source_blend'),
    ('EXT_blend_func_extended', '2', 'c->dual_source_blend'),
    ('ARB_compute_shader', 'CD', 'c->compute && c->shader_images && c->shader_storage'),
    ('ARB_compute_variable_group_size', 'CD', 'e->ARB_compute_shader'),
    ('ARB_get_program_binary', 'CD', '1'),
    ('OES_get_program_binary', '2', '1'),
    ('ARB_gpu_shader_fp64', 'CD', 'c->doubles', 32),
    ('ARB_vertex_attrib_64bit', 'CD', 'c->doubles', 32),
    ('EXT_vertex_attrib_64bit', 'CD', 'c->doubles', 32),
    ('ARB_gpu_shader_int64', 'CD', 'c->int64', 40),
    ('ARB_sample_shading', 'CD', 'c->sample_shading'),
    ('OES_sample_variables', '2', 'c->sample_shading', 30),
    ('OES_shader_multisample_interpolation', '2', 'c->sample_shading', 30),
    ('ARB_texture_multisample', 'CD', 'c->texture_multisample && c->max_samples > 1'),
    ('OES_texture_storage_multisample_2d_array', '2', 'e->ARB_texture_multisample', 31),
    ('ARB_texture_cube_map_array', 'CD', 'c->cube_map_array'),
    ('EXT_texture_cube_map_array', '2',
     'c->cube_map_array && c->stage[SHADER_GEOMETRY].supported', 31),
    ('OES_texture_cube_map_array', '2',
     'c->cube_map_array && c->stage[SHADER_GEOMETRY].supported', 31),
    ('ARB_texture_gather', 'CD', 'c->texture_gather'),
    ('AMD_texture_texture4', 'CD', 'c->texture_gather'),
    ('ARB_texture_query_lod', 'CD', 'c->texture_query_lod'),
    ('EXT_texture_query_lod', '2', 'c->texture_query_lod', 30),
    ('EXT_geometry_shader', '2', 'c->stage[SHADER_GEOMETRY].supported', 31),
    ('EXT_geometry_point_size', '2', 'c->stage[SHADER_GEOMETRY].supported', 31),
    ('OES_geometry_shader', '2', 'c->stage[SHADER_GEOMETRY].supported', 31),
    ('OES_geometry_point_size', '2', 'c->stage[SHADER_GEOMETRY].supported', 31),
    ('ARB_tessellation_shader', 'CD', 'c->stage[SHADER_TESS_EVAL].supported'),
    ('EXT_tessellation_shader', '2', 'c->stage[SHADER_TESS_EVAL].supported', 31),
    ('EXT_tessellation_point_size', '2', 'c->stage[SHADER_TESS_EVAL].supported', 31),
    ('OES_tessellation_shader', '2', 'c->stage[SHADER_TESS_EVAL].supported', 31),
    ('OES_tessellation_point_size', '2', 'c->stage[SHADER_TESS_EVAL].supported', 31),
    ('ARB_gpu_shader5', 'CD',
     'c->texture_gather && c->sample_shading && c->stage[SHADER_GEOMETRY].supported && c->max_gs_invocations >= 32'),
    ('EXT_gpu_shader5', '2', 'e->ARB_gpu_shader5', 31),
    ('OES_gpu_shader5', '2', 'e->ARB_gpu_shader5', 31),
    ('ARB_viewport_array', 'CD', 'c->max_viewports >= 16 && c->stage[SHADER_GEOMETRY].supported'),
    ('ARB_fragment_layer_viewport', 'CD',
     'c->max_viewports >= 16 && c->stage[SHADER_GEOMETRY].supported'),
    ('OES_viewport_array', '2',
     'c->max_viewports >= 16 && c->stage[SHADER_GEOMETRY].supported', 31),
    ('AMD_vertex_shader_layer', 'CD', 'c->vertex_shader_layer_viewport'),
    ('AMD_vertex_shader_viewport_index', 'CD',
     'c->vertex_shader_layer_viewport && c->max_viewports > 1'),
    ('ARB_shader_viewport_layer_array', 'CD',
     'c->vertex_shader_layer_viewport && c->max_viewports > 1'),
    ('ARB_shader_image_load_store', 'CD', 'c->shader_images'),
    ('ARB_shader_image_size', 'CD', 'c->shader_images'),
    ('NV_image_formats', '2', 'c->shader_images', 31),
    ('OES_shader_image_atomic', '2', 'c->shader_images', 31),
    ('ARB_shader_atomic_counters', 'CD', 'c->shader_storage'),
    ('ARB_shader_atomic_counter_ops', 'CD', 'c->shader_storage'),
    ('ARB_shader_storage_buffer_object', 'CD', 'c->shader_storage'),
    ('NV_shader_atomic_float', 'CD', 'c->shader_storage && c->shader_images'),
    ('INTEL_shader_atomic_float_minmax', 'CD2', 'c->shader_storage', 31),
    ('ARB_buffer_storage', 'CD', '1'),
    ('ARB_clear_buffer_object', 'CD', '1'),
    ('ARB_copy_image', 'CD', '1'),
    ('ARB_direct_state_access', 'CD', '1'),
    ('ARB_draw_indirect', 'CD', '1'),
    ('ARB_get_texture_sub_image', 'CD', '1'),
    ('ARB_clear_texture', 'CD', '1'),
    ('ARB_compressed_texture_pixel_storage', 'CD', '1'),
    ('ARB_framebuffer_no_attachments', 'CD', '1'),
    ('ARB_query_buffer_object', 'CD', '1'),
    ('ARB_indirect_parameters', 'CD', '1'),
    ('ARB_conditional_render_inverted', 'CD', 'c->conditional_render'),
    ('ARB_transform_feedback_instanced', 'CD', 'c->stream_output_pause'),
    ('ARB_texture_view', 'CD', '1'),
    ('OES_texture_view', '2', '1', 31),
    ('EXT_texture_view', '2', '1', 31),
    ('ARB_stencil_texturing', 'CD', '1'),
    ('ARB_texture_stencil8', 'CD', '1'),
    ('OES_texture_stencil8', '2', '1', 31),
    ('ARB_invalidate_subdata', 'CD', '1'),
    ('ARB_multi_draw_indirect', 'CD', '1'),
    ('ARB_texture_barrier', 'CD', '1'),
    ('NV_texture_barrier', 'CD', '1'),
    ('ARB_vertex_attrib_binding', 'CD', '1'),
    ('ARB_multi_bind', 'CD', '1'),
    # of OpenGL ES: what the desktop has, too (IMPLIED), and of the desktop: what OpenGL ES has
    ('ARB_ES3_1_compatibility', 'CD', 'e->ARB_ES3_compatibility && e->ARB_compute_shader', 44),
    ('ARB_ES3_2_compatibility', 'CD',
     'e->ARB_ES3_1_compatibility && c->stage[SHADER_TESS_EVAL].supported', 45),
    ('EXT_clip_cull_distance', '2', '1', 30),
    ('EXT_copy_image', '2', '1', 30),
    ('OES_copy_image', '2', '1', 30),
    ('EXT_draw_buffers_indexed', '2', 'c->indep_blend_func', 30),
    ('OES_draw_buffers_indexed', '2', 'c->indep_blend_func', 30),
    ('NV_draw_buffers', '2', '1'),
    ('EXT_primitive_bounding_box', '2', '1', 31),
    ('OES_primitive_bounding_box', '2', '1', 31),
    ('OES_sample_shading', '2', 'c->sample_shading', 30),
    ('EXT_separate_shader_objects', '2', '1'),
    ('EXT_shader_implicit_conversions', '2', '1', 31),
    ('EXT_shader_io_blocks', '2', '1', 31),
    ('OES_shader_io_blocks', '2', '1', 31),
    ('EXT_shadow_samplers', '2', 'c->texture_shadow'),
    ('OES_texture_3D', '2', '1'),
    ('EXT_texture_border_clamp', '2', '1'),
    ('OES_texture_border_clamp', '2', '1'),
    ('EXT_texture_buffer', '2', 'c->texture_buffer_objects', 31),
    ('OES_texture_buffer', '2', 'c->texture_buffer_objects', 31),
    ('EXT_texture_buffer_object', 'C', 'c->texture_buffer_objects', 31),
    ('EXT_texture_norm16', '2', '1', 31),
    ('EXT_texture_shadow_lod', 'CD2', '1', 30),
    ('NV_shader_noperspective_interpolation', '2', '1', 30),
    ('EXT_shader_framebuffer_fetch', 'CD2', 'c->framebuffer_fetch'),
    ('EXT_shader_framebuffer_fetch_non_coherent', 'CD2', 'c->framebuffer_fetch'),
    ('KHR_blend_equation_advanced', 'CD2', 'c->framebuffer_fetch'),
    ('KHR_blend_equation_advanced_coherent', 'CD2', 'c->framebuffer_fetch'),
    ('KHR_texture_compression_astc_ldr', 'CD2', '1'),
    ('KHR_texture_compression_astc_sliced_3d', 'CD2', '1'),
]

# Extensions of OpenGL ES that are the desktop's by another name: with them a context has the features
# of those, without their names.
IMPLIED = {
    'EXT_copy_image OES_copy_image': 'ARB_copy_image',
    'EXT_draw_buffers_indexed OES_draw_buffers_indexed': 'ARB_draw_buffers_blend',
    'EXT_gpu_shader5 OES_gpu_shader5': 'ARB_gpu_shader5',
    'EXT_separate_shader_objects': 'ARB_separate_shader_objects',
    'EXT_tessellation_shader OES_tessellation_shader': 'ARB_tessellation_shader',
    'EXT_texture_border_clamp OES_texture_border_clamp': 'ARB_texture_border_clamp',
    'EXT_texture_buffer OES_texture_buffer':
        'ARB_texture_buffer_object ARB_texture_buffer_object_rgb32 ARB_texture_buffer_range',
    'EXT_texture_cube_map_array OES_texture_cube_map_array': 'ARB_texture_cube_map_array',
    'EXT_texture_view OES_texture_view': 'ARB_texture_view',
    'OES_sample_shading': 'ARB_sample_shading',
    'OES_texture_stencil8': 'ARB_texture_stencil8',
    'OES_viewport_array': 'ARB_viewport_array',
}

UNFINISHED = [
    # name, APIs
    ('ARB_gl_spirv', 'CD'),
    ('ARB_shading_language_include', 'CD'),
    ('ARB_spirv_extensions', 'CD'),
    ('EXT_direct_state_access', 'C'),
    ('OES_EGL_image_external', '2'),
    ('OES_EGL_image_external_essl3', '2'),
]

API_BIT = {'C': 1, 'D': 2, '1': 4, '2': 8}


def mask(apis):
    return sum(API_BIT[a] for a in apis)


def write_struct(f, names):
    f.write('#ifndef GL_EXT_H\n#define GL_EXT_H\n\n#include <stdbool.h>\n\n'
            'struct gl_extensions {\n')
    f.writelines(f'    bool {name};\n' for name in names)
    f.write('};\n\n#endif\n')


def commands_of(registry, name, apis):
    """
    Slots that an extension needs, GL_SLOT_COUNT behind them. Not those of ES 1, whose extensions
    bring the desktop's immediate mode too.
    """
    slots = set(registry.extension_slots.get(name, ()) if apis != '1' else ()) - IMAGING
    return ', '.join([f'GL_SLOT_{slot[2:]}' for slot in sorted(slots)] + ['GL_SLOT_COUNT'])


def write_table(f, registry):
    f.write('static void compute_extensions(struct gl_extensions *e, const struct drv_caps *c)\n{\n'
            '    (void)c;\n')
    for name, _, condition, *_ in EXTENSIONS:
        f.write(f'    e->{name} = {condition};\n')
    f.write('}\n\n')
    table = [(e[0], e[1], e[3] if len(e) > 3 else 0) for e in EXTENSIONS]
    table += [(name, apis, 0) for name, apis in UNFINISHED]
    f.write('static const struct gl_extension_row extension_table[] = {\n')
    for name, apis, least in table:
        f.write(f'    {{"GL_{name}", offsetof(struct gl_extensions, {name}), {mask(apis)}, {least},\n'
                f'     (const uint16_t[]){{{commands_of(registry, name, apis)}}}}},\n')
    f.write('};\n\n'
            '/* The second is the first by the name of another API. */\n'
            'static const uint16_t implied_extensions[][2] = {\n')
    for names, features in IMPLIED.items():
        for name in names.split():
            f.writelines(f'    {{offsetof(struct gl_extensions, {name}),\n'
                         f'     offsetof(struct gl_extensions, {feature})}},\n'
                         for feature in features.split())
    f.write('};\n')


def main():
    names = [e[0] for e in EXTENSIONS + UNFINISHED]
    twice = {n for n in names if names.count(n) > 1}
    if twice:
        sys.exit(f'gl_extensions.py: listed twice: {twice}')
    with open(sys.argv[2], 'w') as f:
        f.write('/* Generated by gl_extensions.py. */\n')
        if os.path.basename(sys.argv[2]) == 'gl_ext.h':
            write_struct(f, names)
        else:
            write_table(f, Registry(sys.argv[1]))


if __name__ == '__main__':
    main()
