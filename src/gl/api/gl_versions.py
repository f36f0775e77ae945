# SPDX-License-Identifier: MIT
"""
Requirements of the OpenGL and OpenGL ES versions. gl_version.c uses the tables to compute the
version of contexts and the extensions of an overridden version; the tests check limits.

VERSIONS has, for each version (10 * major + minor): the highest shading language version, the
extensions that it includes beyond the previous version, and a condition on struct drv_caps *c for
requirements that no extension covers. Extensions are named as in gl_extensions.py; see GL 4.6
compatibility appendix E and following, and ES 3.2 appendix F. ES versions name the desktop
extension with the same functionality. LIMITS has the minimum values of limits and the version from
which they apply (GL 4.6 §23, ES 3.2 §21, and the same tables of earlier versions).

usage: gl_versions.py OUTPUT: gl_version_table.h, or gl_limit_table.h (for the tests).
"""

import os
import sys

from gl_extensions import EXTENSIONS

VERTEX, FRAGMENT, GEOMETRY = (f'c->stage[SHADER_{s}]' for s in ('VERTEX', 'FRAGMENT', 'GEOMETRY'))

VERSIONS = {
    'gl': [
        (20, 110, '', f'{VERTEX}.supported && {FRAGMENT}.supported'),
        (21, 120, 'EXT_texture_sRGB ARB_pixel_buffer_object', ''),
        (30, 130, 'EXT_gpu_shader4 NV_conditional_render ARB_map_buffer_range ARB_color_buffer_float '
         'ARB_depth_buffer_float ARB_texture_float EXT_packed_float EXT_texture_shared_exponent '
         'ARB_framebuffer_object ARB_half_float_pixel ARB_half_float_vertex EXT_texture_array '
         'EXT_texture_integer EXT_draw_buffers2 ARB_texture_compression_rgtc ARB_texture_rg '
         'EXT_transform_feedback ARB_vertex_array_object ARB_framebuffer_sRGB',
         'c->max_samples >= 4 && c->max_render_targets >= 8 && c->max_varyings >= 16 && '
         'c->max_texture_2d_size >= 1024 && c->max_texture_cube_size >= 1024 && '
         'c->max_texture_3d_size >= 256 && c->max_texture_array_layers >= 256 && '
         f'{VERTEX}.max_samplers >= 16 && {FRAGMENT}.max_samplers >= 16 && '
         'c->min_texel_offset <= -8 && c->max_texel_offset >= 7'),
        (31, 140, 'ARB_uniform_buffer_object ARB_draw_instanced ARB_copy_buffer '
         'NV_primitive_restart ARB_texture_buffer_object ARB_texture_rectangle EXT_texture_snorm',
         ''),
        (32, 150, 'ARB_vertex_array_bgra ARB_draw_elements_base_vertex '
         'ARB_fragment_coord_conventions ARB_provoking_vertex ARB_seamless_cube_map '
         'ARB_texture_multisample ARB_depth_clamp ARB_sync',
         f'{GEOMETRY}.supported && {GEOMETRY}.max_samplers >= 16 && '
         f'{GEOMETRY}.max_const_buffers > 12 && c->max_gs_output_vertices >= 256 && '
         'c->max_gs_total_output_components >= 1024'),
        (33, 330, 'ARB_shader_bit_encoding ARB_blend_func_extended ARB_explicit_attrib_location '
         'ARB_occlusion_query2 ARB_sampler_objects ARB_texture_rgb10_a2ui ARB_texture_swizzle '
         'ARB_timer_query ARB_instanced_arrays ARB_vertex_type_2_10_10_10_rev', ''),
        (40, 400, 'ARB_texture_query_lod ARB_draw_buffers_blend ARB_draw_indirect ARB_gpu_shader5 '
         'ARB_gpu_shader_fp64 ARB_sample_shading ARB_shader_subroutine ARB_tessellation_shader '
         'ARB_texture_buffer_object_rgb32 ARB_texture_cube_map_array ARB_texture_gather '
         'ARB_transform_feedback2 ARB_transform_feedback3', 'c->max_gs_invocations >= 32'),
        (41, 410, 'ARB_ES2_compatibility ARB_get_program_binary ARB_separate_shader_objects '
         'ARB_shader_precision ARB_vertex_attrib_64bit ARB_viewport_array',
         'c->max_texture_2d_size >= 16384 && c->max_texture_cube_size >= 16384 && '
         'c->max_texture_3d_size >= 2048 && c->max_texture_array_layers >= 2048'),
        (42, 420, 'ARB_texture_compression_bptc ARB_compressed_texture_pixel_storage '
         'ARB_shader_atomic_counters ARB_texture_storage ARB_transform_feedback_instanced '
         'ARB_base_instance ARB_shader_image_load_store ARB_conservative_depth '
         'ARB_shading_language_420pack ARB_shading_language_packing ARB_internalformat_query '
         'ARB_map_buffer_alignment', 'c->min_map_alignment >= 64'),
        (43, 430, 'ARB_arrays_of_arrays ARB_ES3_compatibility ARB_clear_buffer_object '
         'ARB_compute_shader ARB_copy_image KHR_debug ARB_explicit_uniform_location '
         'ARB_fragment_layer_viewport ARB_framebuffer_no_attachments ARB_internalformat_query2 '
         'ARB_invalidate_subdata ARB_multi_draw_indirect ARB_program_interface_query '
         'ARB_robust_buffer_access_behavior ARB_shader_image_size '
         'ARB_shader_storage_buffer_object ARB_stencil_texturing ARB_texture_buffer_range '
         'ARB_texture_query_levels ARB_texture_storage_multisample ARB_texture_view '
         'ARB_vertex_attrib_binding', ''),
        (44, 440, 'ARB_buffer_storage ARB_clear_texture ARB_enhanced_layouts ARB_multi_bind '
         'ARB_query_buffer_object ARB_texture_mirror_clamp_to_edge ARB_texture_stencil8 '
         'ARB_vertex_type_10f_11f_11f_rev', 'c->max_vertex_attrib_stride >= 2048'),
        (45, 450, 'ARB_clip_control ARB_conditional_render_inverted ARB_cull_distance '
         'ARB_derivative_control ARB_direct_state_access ARB_ES3_1_compatibility '
         'ARB_get_texture_sub_image ARB_shader_texture_image_samples ARB_texture_barrier '
         'KHR_context_flush_control KHR_robustness', ''),
        (46, 460, 'ARB_indirect_parameters ARB_pipeline_statistics_query ARB_polygon_offset_clamp '
         'ARB_shader_atomic_counter_ops ARB_shader_draw_parameters ARB_shader_group_vote '
         'ARB_gl_spirv ARB_spirv_extensions ARB_texture_filter_anisotropic '
         'ARB_transform_feedback_overflow_query KHR_no_error', 'c->max_anisotropy >= 16.0f'),
    ],
    'es': [
        (20, 100, '', f'{VERTEX}.supported && {FRAGMENT}.supported'),
        (30, 300, 'ARB_ES3_compatibility ARB_uniform_buffer_object EXT_transform_feedback '
         'ARB_transform_feedback2 ARB_map_buffer_range ARB_copy_buffer ARB_framebuffer_object '
         'ARB_vertex_array_object ARB_draw_instanced ARB_instanced_arrays ARB_occlusion_query2 '
         'ARB_sampler_objects ARB_sync ARB_texture_storage ARB_texture_swizzle EXT_texture_array '
         'EXT_texture_integer EXT_packed_float EXT_texture_shared_exponent EXT_texture_snorm '
         'ARB_texture_rgb10_a2ui ARB_depth_buffer_float ARB_texture_float ARB_half_float_vertex '
         'ARB_vertex_type_2_10_10_10_rev ARB_seamless_cube_map ARB_shadow '
         'ARB_internalformat_query ARB_invalidate_subdata ARB_texture_rg NV_primitive_restart '
         'EXT_blend_minmax',
         'c->max_samples >= 4 && c->max_render_targets >= 4 && c->max_varyings >= 15 && '
         'c->max_texture_2d_size >= 2048 && c->max_texture_cube_size >= 2048 && '
         'c->max_texture_3d_size >= 256 && c->max_texture_array_layers >= 256 && '
         f'{VERTEX}.max_samplers >= 16 && {FRAGMENT}.max_samplers >= 16 && '
         'c->min_texel_offset <= -8 && c->max_texel_offset >= 7'),
        (31, 310, 'ARB_arrays_of_arrays ARB_compute_shader ARB_draw_indirect '
         'ARB_explicit_uniform_location ARB_framebuffer_no_attachments ARB_program_interface_query '
         'ARB_separate_shader_objects ARB_shader_atomic_counters ARB_shader_image_load_store '
         'ARB_shader_image_size ARB_shader_storage_buffer_object ARB_shading_language_packing '
         'ARB_stencil_texturing ARB_texture_gather ARB_texture_multisample '
         'ARB_texture_storage_multisample ARB_vertex_attrib_binding',
         'c->max_vertex_attrib_stride >= 2048'),
        (32, 320, 'ARB_copy_image ARB_draw_buffers_blend ARB_draw_elements_base_vertex '
         'ARB_gpu_shader5 ARB_sample_shading ARB_tessellation_shader ARB_texture_buffer_object '
         'ARB_texture_buffer_object_rgb32 ARB_texture_buffer_range EXT_primitive_bounding_box '
         'ARB_texture_cube_map_array ARB_texture_stencil8 ARB_texture_border_clamp '
         'KHR_blend_equation_advanced KHR_debug KHR_robustness KHR_texture_compression_astc_ldr',
         f'{GEOMETRY}.supported && c->max_gs_output_vertices >= 256 && '
         'c->max_gs_total_output_components >= 1024'),
    ],
}

BLOCKS = {30: 12}
LIMITS = [
    # name, minimum values by OpenGL version, by OpenGL ES version; maximum values for MIN_…
    ('MAX_TEXTURE_SIZE', {20: 64, 30: 1024, 41: 16384}, {20: 64, 30: 2048}),
    ('MAX_3D_TEXTURE_SIZE', {20: 16, 30: 256, 41: 2048}, {30: 256}),
    ('MAX_CUBE_MAP_TEXTURE_SIZE', {20: 16, 30: 1024, 41: 16384}, {20: 16, 30: 2048}),
    ('MAX_ARRAY_TEXTURE_LAYERS', {30: 256, 41: 2048}, {30: 256}),
    ('MAX_RENDERBUFFER_SIZE', {30: 1024, 41: 16384}, {20: 1, 30: 2048}),
    ('MAX_RECTANGLE_TEXTURE_SIZE', {31: 1024, 41: 16384}, {}),
    ('MAX_TEXTURE_BUFFER_SIZE', {31: 65536}, {32: 65536}),
    ('MAX_TEXTURE_LOD_BIAS', {20: 2}, {30: 2}),
    ('MAX_TEXTURE_MAX_ANISOTROPY', {46: 16}, {}),
    ('SUBPIXEL_BITS', {20: 4}, {20: 4}),
    ('MAX_CLIP_DISTANCES', {20: 6, 30: 8}, {}),
    ('MAX_CULL_DISTANCES', {45: 8}, {}),
    ('MAX_COMBINED_CLIP_AND_CULL_DISTANCES', {45: 8}, {}),
    ('MAX_ELEMENT_INDEX', {43: 2 ** 32 - 2}, {30: 2 ** 24 - 1}),
    ('MAX_VIEWPORTS', {41: 16}, {}),
    ('MAX_DRAW_BUFFERS', {20: 1, 30: 8}, {30: 4}),
    ('MAX_COLOR_ATTACHMENTS', {30: 8}, {30: 4}),
    ('MAX_DUAL_SOURCE_DRAW_BUFFERS', {33: 1}, {}),
    ('MAX_SAMPLES', {30: 4}, {30: 4}),
    ('MAX_SAMPLE_MASK_WORDS', {32: 1}, {31: 1}),
    ('MAX_COLOR_TEXTURE_SAMPLES', {32: 1}, {31: 1}),
    ('MAX_DEPTH_TEXTURE_SAMPLES', {32: 1}, {31: 1}),
    ('MAX_INTEGER_SAMPLES', {32: 1}, {31: 1}),
    ('MAX_SERVER_WAIT_TIMEOUT', {32: 0}, {30: 0}),
    ('MAX_FRAMEBUFFER_WIDTH', {43: 16384}, {31: 2048}),
    ('MAX_FRAMEBUFFER_HEIGHT', {43: 16384}, {31: 2048}),
    ('MAX_FRAMEBUFFER_LAYERS', {43: 2048}, {32: 256}),
    ('MAX_FRAMEBUFFER_SAMPLES', {43: 4}, {31: 4}),
    ('MAX_VERTEX_ATTRIBS', {20: 16}, {20: 8, 30: 16}),
    ('MAX_VERTEX_ATTRIB_BINDINGS', {43: 16}, {31: 16}),
    ('MAX_VERTEX_ATTRIB_RELATIVE_OFFSET', {43: 2047}, {31: 2047}),
    ('MAX_VERTEX_ATTRIB_STRIDE', {44: 2048}, {31: 2048}),
    ('MIN_MAP_BUFFER_ALIGNMENT', {42: 64}, {}),
    # stages
    ('MAX_VERTEX_UNIFORM_COMPONENTS', {20: 512, 30: 1024}, {30: 1024}),
    ('MAX_VERTEX_UNIFORM_VECTORS', {41: 256}, {20: 128, 30: 256}),
    ('MAX_VERTEX_UNIFORM_BLOCKS', {31: 12, 43: 14}, BLOCKS),
    ('MAX_VERTEX_OUTPUT_COMPONENTS', {32: 64}, {30: 64}),
    ('MAX_VERTEX_TEXTURE_IMAGE_UNITS', {20: 0, 30: 16}, {20: 0, 30: 16}),
    ('MAX_GEOMETRY_UNIFORM_COMPONENTS', {32: 1024}, {32: 1024}),
    ('MAX_GEOMETRY_UNIFORM_BLOCKS', {32: 12, 43: 14}, {32: 12}),
    ('MAX_GEOMETRY_INPUT_COMPONENTS', {32: 64}, {32: 64}),
    ('MAX_GEOMETRY_OUTPUT_COMPONENTS', {32: 128}, {32: 64}),
    ('MAX_GEOMETRY_OUTPUT_VERTICES', {32: 256}, {32: 256}),
    ('MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS', {32: 1024}, {32: 1024}),
    ('MAX_GEOMETRY_TEXTURE_IMAGE_UNITS', {32: 16}, {32: 16}),
    ('MAX_GEOMETRY_SHADER_INVOCATIONS', {40: 32}, {32: 32}),
    ('MAX_VERTEX_STREAMS', {40: 4}, {}),
    ('MAX_FRAGMENT_UNIFORM_COMPONENTS', {20: 64, 30: 1024}, {30: 896, 31: 1024}),
    ('MAX_FRAGMENT_UNIFORM_VECTORS', {41: 256}, {20: 16, 30: 224, 31: 256}),
    ('MAX_FRAGMENT_UNIFORM_BLOCKS', {31: 12, 43: 14}, BLOCKS),
    ('MAX_FRAGMENT_INPUT_COMPONENTS', {32: 128}, {30: 60}),
    ('MAX_TEXTURE_IMAGE_UNITS', {20: 2, 30: 16}, {20: 8, 30: 16}),
    ('MAX_PROGRAM_TEXEL_OFFSET', {30: 7}, {30: 7}),
    ('MIN_PROGRAM_TEXEL_OFFSET', {30: -8}, {30: -8}),
    ('MAX_PROGRAM_TEXTURE_GATHER_OFFSET', {40: 7}, {31: 7}),
    ('MIN_PROGRAM_TEXTURE_GATHER_OFFSET', {40: -8}, {31: -8}),
    ('MAX_PATCH_VERTICES', {40: 32}, {32: 32}),
    ('MAX_TESS_GEN_LEVEL', {40: 64}, {32: 64}),
    ('MAX_TESS_CONTROL_UNIFORM_COMPONENTS', {40: 1024}, {32: 1024}),
    ('MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS', {40: 16}, {32: 16}),
    ('MAX_TESS_CONTROL_INPUT_COMPONENTS', {40: 128}, {32: 64}),
    ('MAX_TESS_CONTROL_OUTPUT_COMPONENTS', {40: 128}, {32: 64}),
    ('MAX_TESS_CONTROL_TOTAL_OUTPUT_COMPONENTS', {40: 4096}, {32: 2048}),
    ('MAX_TESS_PATCH_COMPONENTS', {40: 120}, {32: 120}),
    ('MAX_TESS_EVALUATION_UNIFORM_COMPONENTS', {40: 1024}, {32: 1024}),
    ('MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS', {40: 16}, {32: 16}),
    ('MAX_TESS_EVALUATION_INPUT_COMPONENTS', {40: 128}, {32: 64}),
    ('MAX_TESS_EVALUATION_OUTPUT_COMPONENTS', {40: 128}, {32: 64}),
    ('MAX_COMPUTE_WORK_GROUP_INVOCATIONS', {43: 1024}, {31: 128}),
    ('MAX_COMPUTE_SHARED_MEMORY_SIZE', {43: 32768}, {31: 16384}),
    ('MAX_COMPUTE_UNIFORM_BLOCKS', {43: 14}, {31: 12}),
    ('MAX_COMPUTE_TEXTURE_IMAGE_UNITS', {43: 16}, {31: 16}),
    ('MAX_COMPUTE_UNIFORM_COMPONENTS', {43: 1024}, {31: 1024}),
    ('MAX_COMPUTE_SHADER_STORAGE_BLOCKS', {43: 8}, {31: 4}),
    ('MAX_FRAGMENT_SHADER_STORAGE_BLOCKS', {43: 8}, {32: 4}),
    ('MAX_FRAGMENT_ATOMIC_COUNTERS', {42: 8}, {32: 8}),
    ('MAX_FRAGMENT_IMAGE_UNIFORMS', {42: 8}, {32: 4}),
    # combined limits of all stages
    ('MAX_COMBINED_TEXTURE_IMAGE_UNITS', {20: 2, 30: 16, 31: 32, 32: 48, 40: 80, 43: 96},
     {20: 8, 30: 32, 31: 48, 32: 96}),
    ('MAX_VARYING_COMPONENTS', {20: 32, 30: 60}, {30: 60}),
    ('MAX_VARYING_VECTORS', {41: 15}, {20: 8, 30: 15}),
    ('MAX_UNIFORM_BUFFER_BINDINGS', {31: 24, 32: 36, 40: 60, 43: 84}, {30: 24, 31: 36, 32: 72}),
    ('MAX_UNIFORM_BLOCK_SIZE', {31: 16384}, {30: 16384}),
    ('MAX_COMBINED_UNIFORM_BLOCKS', {31: 24, 32: 36, 40: 60, 43: 70}, {30: 24, 32: 60}),
    ('MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS', {31: 50176}, {30: 50176}),
    ('MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS', {31: 50176}, {30: 50048, 31: 50176}),
    ('MAX_UNIFORM_LOCATIONS', {43: 1024}, {31: 1024}),
    ('MAX_SUBROUTINES', {40: 256}, {}),
    ('MAX_SUBROUTINE_UNIFORM_LOCATIONS', {40: 1024}, {}),
    ('MAX_IMAGE_UNITS', {42: 8}, {31: 4}),
    ('MAX_SHADER_STORAGE_BUFFER_BINDINGS', {43: 8}, {31: 4}),
    ('MAX_SHADER_STORAGE_BLOCK_SIZE', {43: 2 ** 24}, {31: 2 ** 27}),
    ('MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS', {30: 64}, {30: 64}),
    ('MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS', {30: 4}, {30: 4}),
    ('MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS', {30: 4}, {30: 4}),
    ('MAX_TRANSFORM_FEEDBACK_BUFFERS', {40: 4}, {}),
    ('MAX_DEBUG_MESSAGE_LENGTH', {43: 1}, {32: 1}),
    ('MAX_DEBUG_LOGGED_MESSAGES', {43: 1}, {32: 1}),
    ('MAX_DEBUG_GROUP_STACK_DEPTH', {43: 64}, {32: 64}),
    ('MAX_LABEL_LENGTH', {43: 256}, {32: 256}),
]

FAMILY = {'gl': 'GL_API_COMPAT', 'es': 'GL_API_ES2'}


def rows():
    """Yields for every version: family, number, language version, extension names, condition."""
    known = {e[0] for e in EXTENSIONS}
    for family, versions in VERSIONS.items():
        for version, language, names, condition in versions:
            unknown = set(names.split()) - known
            if unknown:
                sys.exit(f'gl_versions.py: {family} {version}: not in gl_extensions.py: {unknown}')
            yield family, version, language, names.split(), condition or 'true'


def write_versions(f):
    for family, version, _, names, condition in rows():
        f.write(f'static bool {family}_{version}(const struct drv_caps *c)\n'
                f'{{\n    (void)c;\n    return {condition};\n}}\n\n')
        f.write(f'static const uint16_t {family}_{version}_extensions[] = {{\n')
        f.writelines(f'    offsetof(struct gl_extensions, {name}),\n' for name in names)
        f.write('    GL_NO_EXTENSION,\n};\n\n')
    f.write('static const struct gl_version_row version_rows[] = {\n')
    for family, version, language, _, _ in rows():
        f.write(f'    {{{FAMILY[family]}, {version}, {language}, {family}_{version}, '
                f'{family}_{version}_extensions}},\n')
    f.write('};\n')


def write_limits(f):
    f.write('static const struct {\n    GLenum pname;\n    const char *name;\n'
            '    unsigned gl_version, es_version; /* first version with the limit; 0: other API */\n'
            '    long long least;\n} limit_table[] = {\n')
    for name, gl, es in LIMITS:
        for version, least in gl.items():
            f.write(f'    {{GL_{name}, "{name}", {version}, 0, {least}}},\n')
        for version, least in es.items():
            f.write(f'    {{GL_{name}, "{name}", 0, {version}, {least}}},\n')
    f.write('};\n')


def main():
    with open(sys.argv[1], 'w') as f:
        f.write('/* Generated by gl_versions.py. */\n')
        if os.path.basename(sys.argv[1]) == 'gl_limit_table.h':
            write_limits(f)
        else:
            write_versions(f)


if __name__ == '__main__':
    main()
