# SPDX-License-Identifier: MIT
"""
Extensions that can be advertised. Each line: name without GL_, the APIs whose contexts have it
(C compat, D core, 1 ES 1, 2 ES 2 and later) and the condition on struct drv_caps *c, the API version
v (10 * major + minor) and other extensions e->NAME of lines before. One line per extension; only
what works is listed. UNFINISHED has those that only INDIUM_EXTENSION_OVERRIDE turns on: their
shading language is compiled and linked, but not all of them draws.

usage: gl_extensions.py OUTPUT: gl_ext.h (struct gl_extensions) or gl_ext_table.h (the table).
"""

import os
import sys

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
    ('ARB_timer_query', 'CD', 'c->timer_query'),
    ('EXT_timer_query', 'C', 'c->timer_query'),
    ('ARB_vertex_array_object', 'CD', '1'),
    ('ARB_vertex_array_bgra', 'CD', '1'),
    ('EXT_vertex_array_bgra', 'C', '1'),
    ('ARB_map_buffer_range', 'CD', '1'),
    ('ARB_copy_buffer', 'CD', '1'),
    ('ARB_half_float_vertex', 'CD', '1'),
    ('ARB_draw_elements_base_vertex', 'CD', '1'),
    ('ARB_provoking_vertex', 'CD', 'c->flatshade_first'),
    ('EXT_provoking_vertex', 'CD', 'c->flatshade_first'),
    ('ARB_depth_clamp', 'CD', 'c->depth_clamp'),
    ('ARB_sync', 'CD', '1'),
    ('ARB_debug_output', 'CD', '1'),
    ('KHR_debug', 'CD12', '1'),
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
    ('ARB_texture_non_power_of_two', 'CD', '1'),
    ('ARB_texture_rectangle', 'CD', 'c->texture_rect'),
    ('ARB_texture_rg', 'CD', '1'),
    ('ARB_texture_float', 'CD', '1'),
    ('ARB_texture_storage', 'CD', '1'),
    ('ARB_texture_swizzle', 'CD', 'c->texture_swizzle'),
    ('ARB_depth_texture', 'C', '1'),
    ('ARB_shadow', 'C', 'c->texture_shadow'),
    ('ARB_seamless_cube_map', 'CD', 'c->seamless_cube_map'),
    ('ARB_sampler_objects', 'CD', '1'),
    ('ARB_pixel_buffer_object', 'CD', '1'),
    ('ARB_framebuffer_object', 'CD', '1'),
    ('ARB_draw_buffers', 'CD', '1'),
    ('ARB_ES2_compatibility', 'CD', '1'),
    ('ARB_explicit_attrib_location', 'CD', '1'),
    ('ARB_fragment_coord_conventions', 'CD', '1'),
    ('ARB_shader_texture_lod', 'CD', '1'),
    ('OES_standard_derivatives', '2', '1'),
    ('EXT_frag_depth', '2', '1'),
    ('EXT_shader_texture_lod', '2', '1'),
    ('ARB_shader_objects', 'C', '1'),
    ('ARB_vertex_shader', 'C', '1'),
    ('ARB_fragment_shader', 'C', '1'),
    ('ARB_shading_language_100', 'C', '1'),
    ('ARB_compatibility', 'C', 'v >= 31'),
    ('ARB_texture_compression_rgtc', 'CD', '1'),
    ('EXT_framebuffer_object', 'C', '1'),
    ('EXT_framebuffer_blit', 'C', '1'),
    ('EXT_packed_depth_stencil', 'C', '1'),
    ('EXT_packed_pixels', 'C', '1'),
    ('EXT_pixel_buffer_object', 'C', '1'),
    ('EXT_texture', 'C', '1'),
    ('EXT_texture3D', 'C', '1'),
    ('EXT_texture_array', 'C', '1'),
    ('EXT_texture_compression_s3tc', 'CD2', '1'),
    ('EXT_texture_compression_latc', 'C', '1'),
    ('EXT_texture_compression_rgtc', 'C', '1'),
    ('EXT_texture_cube_map', 'C', '1'),
    ('EXT_texture_edge_clamp', 'C', '1'),
    ('EXT_texture_env_add', 'C', '1'),
    ('EXT_texture_env_combine', 'C', '1'),
    ('EXT_texture_env_dot3', 'C', '1'),
    ('EXT_texture_filter_anisotropic', 'CD12', 'c->max_anisotropy > 1.0f'),
    ('EXT_texture_lod_bias', 'C1', '1'),
    ('EXT_texture_object', 'C', '1'),
    ('EXT_texture_rectangle', 'C', 'c->texture_rect'),
    ('EXT_texture_sRGB', 'C', '1'),
    ('EXT_texture_swizzle', 'C', 'c->texture_swizzle'),
    ('EXT_shadow_funcs', 'C', 'c->texture_shadow'),
    ('SGIS_generate_mipmap', 'C', '1'),
    ('SGIS_texture_border_clamp', 'C', '1'),
    ('SGIS_texture_edge_clamp', 'C', '1'),
    ('SGIS_texture_lod', 'C', '1'),
    ('NV_texture_rectangle', 'C', 'c->texture_rect'),
    ('OES_framebuffer_object', '1', '1'),
    ('OES_rgb8_rgba8', '12', '1'),
    ('OES_depth24', '12', '1'),
    ('OES_depth_texture', '2', '1'),
    ('OES_packed_depth_stencil', '12', '1'),
    ('OES_texture_npot', '12', '1'),
    ('OES_texture_cube_map', '1', '1'),
    ('OES_texture_env_crossbar', '1', '1'),
    ('OES_texture_mirrored_repeat', '1', '1'),
    ('OES_compressed_ETC1_RGB8_texture', '12', '1'),
    ('EXT_texture_format_BGRA8888', '12', '1'),
    ('EXT_read_format_bgra', '12', '1'),
]

UNFINISHED = [
    # name, APIs
    ('ARB_fragment_program', 'C'),  # these: without program matrices
    ('ARB_fragment_program_shadow', 'C'),
    ('ARB_vertex_program', 'C'),
    ('EXT_gpu_program_parameters', 'C'),
    ('AMD_conservative_depth', 'CD'),
    ('AMD_shader_stencil_export', 'CD'),
    ('AMD_shader_trinary_minmax', 'CD'),
    ('AMD_texture_texture4', 'CD'),
    ('AMD_vertex_shader_layer', 'CD'),
    ('AMD_vertex_shader_viewport_index', 'CD'),
    ('ARB_ES3_compatibility', 'CD'),
    ('ARB_ES3_1_compatibility', 'CD'),
    ('ARB_ES3_2_compatibility', 'CD'),
    ('ARB_arrays_of_arrays', 'CD'),
    ('ARB_blend_func_extended', 'CD'),
    ('ARB_compute_shader', 'CD'),
    ('ARB_compute_variable_group_size', 'CD'),
    ('ARB_conservative_depth', 'CD'),
    ('ARB_cull_distance', 'CD'),
    ('ARB_derivative_control', 'CD'),
    ('ARB_draw_instanced', 'CD'),
    ('ARB_enhanced_layouts', 'CD'),
    ('ARB_explicit_uniform_location', 'CD'),
    ('ARB_fragment_layer_viewport', 'CD'),
    ('ARB_gpu_shader5', 'CD'),
    ('ARB_gpu_shader_fp64', 'CD'),
    ('ARB_gpu_shader_int64', 'CD'),
    ('ARB_program_interface_query', 'CD'),
    ('ARB_sample_shading', 'CD'),
    ('ARB_separate_shader_objects', 'CD'),
    ('ARB_shader_atomic_counter_ops', 'CD'),
    ('ARB_shader_atomic_counters', 'CD'),
    ('ARB_shader_ballot', 'CD'),
    ('ARB_shader_bit_encoding', 'CD'),
    ('ARB_shader_clock', 'CD'),
    ('ARB_shader_draw_parameters', 'CD'),
    ('ARB_shader_group_vote', 'CD'),
    ('ARB_shader_image_load_store', 'CD'),
    ('ARB_shader_image_size', 'CD'),
    ('ARB_shader_precision', 'CD'),
    ('ARB_shader_stencil_export', 'CD'),
    ('ARB_shader_storage_buffer_object', 'CD'),
    ('ARB_shader_subroutine', 'CD'),
    ('ARB_shader_texture_image_samples', 'CD'),
    ('ARB_shader_viewport_layer_array', 'CD'),
    ('ARB_shading_language_420pack', 'CD'),
    ('ARB_shading_language_include', 'CD'),
    ('ARB_shading_language_packing', 'CD'),
    ('ARB_tessellation_shader', 'CD'),
    ('ARB_texture_buffer_object', 'D'),
    ('ARB_texture_cube_map_array', 'CD'),
    ('ARB_texture_gather', 'CD'),
    ('ARB_texture_multisample', 'CD'),
    ('ARB_texture_query_levels', 'CD'),
    ('ARB_texture_query_lod', 'CD'),
    ('ARB_transform_feedback2', 'CD'),
    ('ARB_transform_feedback3', 'CD'),
    ('ARB_uniform_buffer_object', 'CD'),
    ('ARB_vertex_attrib_64bit', 'CD'),
    ('ARB_viewport_array', 'CD'),
    ('EXT_blend_func_extended', '2'),
    ('EXT_clip_cull_distance', '2'),
    ('EXT_demote_to_helper_invocation', 'CD2'),
    ('EXT_draw_buffers', '2'),
    ('EXT_draw_instanced', 'CD2'),
    ('EXT_geometry_point_size', '2'),
    ('EXT_geometry_shader', '2'),
    ('EXT_gpu_shader4', 'C'),
    ('EXT_gpu_shader5', '2'),
    ('EXT_primitive_bounding_box', '2'),
    ('EXT_separate_shader_objects', '2'),
    ('EXT_shader_framebuffer_fetch', 'CD2'),
    ('EXT_shader_framebuffer_fetch_non_coherent', 'CD2'),
    ('EXT_shader_implicit_conversions', '2'),
    ('EXT_shader_integer_mix', 'CD2'),
    ('EXT_shader_io_blocks', '2'),
    ('EXT_shadow_samplers', '2'),
    ('EXT_tessellation_point_size', '2'),
    ('EXT_tessellation_shader', '2'),
    ('EXT_texture_buffer', '2'),
    ('EXT_texture_buffer_object', 'C'),
    ('EXT_texture_cube_map_array', '2'),
    ('EXT_texture_integer', 'CD'),
    ('EXT_texture_norm16', '2'),
    ('EXT_texture_query_lod', '2'),
    ('EXT_texture_shadow_lod', 'CD2'),
    ('EXT_transform_feedback', 'CD'),
    ('INTEL_shader_atomic_float_minmax', 'CD2'),
    ('KHR_blend_equation_advanced', 'CD2'),
    ('MESA_shader_integer_functions', 'CD2'),
    ('NV_draw_buffers', '2'),
    ('NV_image_formats', '2'),
    ('NV_shader_atomic_float', 'CD'),
    ('NV_shader_noperspective_interpolation', '2'),
    ('OES_EGL_image_external', '2'),
    ('OES_EGL_image_external_essl3', '2'),
    ('OES_geometry_point_size', '2'),
    ('OES_geometry_shader', '2'),
    ('OES_gpu_shader5', '2'),
    ('OES_primitive_bounding_box', '2'),
    ('OES_sample_variables', '2'),
    ('OES_shader_image_atomic', '2'),
    ('OES_shader_io_blocks', '2'),
    ('OES_shader_multisample_interpolation', '2'),
    ('OES_tessellation_point_size', '2'),
    ('OES_tessellation_shader', '2'),
    ('OES_texture_3D', '2'),
    ('OES_texture_buffer', '2'),
    ('OES_texture_cube_map_array', '2'),
    ('OES_texture_storage_multisample_2d_array', '2'),
    ('OES_viewport_array', '2'),
]

API_BIT = {'C': 1, 'D': 2, '1': 4, '2': 8}




def mask(apis):
    return sum(API_BIT[a] for a in apis)


def main():
    names = [(name, apis) for name, apis, _ in EXTENSIONS] + UNFINISHED
    with open(sys.argv[1], 'w') as f:
        f.write('/* Generated by gl_extensions.py. */\n')
        if os.path.basename(sys.argv[1]) == 'gl_ext.h':
            f.write('#ifndef GL_EXT_H\n#define GL_EXT_H\n\n#include <stdbool.h>\n\n'
                    'struct gl_extensions {\n')
            for name, _ in names:
                f.write(f'    bool {name if not name[0].isdigit() else "_" + name};\n')
            f.write('};\n\n#endif\n')
            return
        f.write('static void compute_extensions(struct gl_extensions *e, const struct drv_caps *c,'
                '\n                               enum gl_api api, unsigned v)\n{\n'
                '    (void)c;\n    (void)v;\n')
        for name, apis, condition in EXTENSIONS:
            f.write(f'    e->{name} = ({mask(apis)} >> api & 1) && ({condition});\n')
        f.write('}\n\nstatic const struct {\n    const char *name;\n    size_t offset;\n'
                '    unsigned apis; /* bit of each enum gl_api that has it */\n'
                '} extension_table[] = {\n')
        for name, apis in names:
            f.write(f'    {{"GL_{name}", offsetof(struct gl_extensions, {name}), {mask(apis)}}},\n')
        f.write('};\n')


main()
