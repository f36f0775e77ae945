# SPDX-License-Identifier: MIT
"""
Extensions that can be advertised. Each line: name without GL_, the APIs whose contexts have it
(C compat, D core, 1 ES 1, 2 ES 2 and later) and the condition on struct drv_caps *c, the API version
v (10 * major + minor) and other extensions e->NAME of lines before. One line per extension; only
what works is listed.

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

API_BIT = {'C': 1, 'D': 2, '1': 4, '2': 8}


def main():
    with open(sys.argv[1], 'w') as f:
        f.write('/* Generated by gl_extensions.py. */\n')
        if os.path.basename(sys.argv[1]) == 'gl_ext.h':
            f.write('#ifndef GL_EXT_H\n#define GL_EXT_H\n\n#include <stdbool.h>\n\n'
                    'struct gl_extensions {\n')
            for name, _, _ in EXTENSIONS:
                f.write(f'    bool {name if not name[0].isdigit() else "_" + name};\n')
            f.write('};\n\n#endif\n')
            return
        f.write('static void compute_extensions(struct gl_extensions *e, const struct drv_caps *c,'
                '\n                               enum gl_api api, unsigned v)\n{\n'
                '    (void)c;\n    (void)v;\n')
        for name, apis, condition in EXTENSIONS:
            mask = sum(API_BIT[a] for a in apis)
            f.write(f'    e->{name} = ({mask} >> api & 1) && ({condition});\n')
        f.write('}\n\nstatic const struct {\n    const char *name;\n    size_t offset;\n'
                '} extension_table[] = {\n')
        for name, _, _ in EXTENSIONS:
            f.write(f'    {{"GL_{name}", offsetof(struct gl_extensions, {name})}},\n')
        f.write('};\n')


main()
