# SPDX-License-Identifier: MIT
"""Extensions that affect the shading language; generates glsl_extensions.{h,c}.

Each row has the minimum desktop version and the minimum ES version in which a shader may use the
extension; None: not available. glsl_options.extensions determines whether a context supports it.
"""

import sys

from mako.template import Template

ES1, ES3, ES31, ES32 = 100, 300, 310, 320

EXTENSIONS = [
    # name, minimum desktop version, minimum ES version
    ("AMD_conservative_depth", 110, None),
    ("AMD_gpu_shader_half_float", 400, None),
    ("AMD_gpu_shader_int64", 110, None),
    ("AMD_shader_stencil_export", 110, None),
    ("AMD_shader_trinary_minmax", 110, None),
    ("AMD_texture_texture4", 110, None),
    ("AMD_vertex_shader_layer", 110, None),
    ("AMD_vertex_shader_viewport_index", 110, None),
    ("ANDROID_extension_pack_es31a", None, ES31),
    ("APPLE_clip_distance", None, ES1),
    ("ARB_ES3_1_compatibility", 110, None),
    ("ARB_ES3_2_compatibility", 110, None),
    ("ARB_arrays_of_arrays", 110, None),
    ("ARB_bindless_texture", 110, None),
    ("ARB_blend_func_extended", 110, None),
    ("ARB_compatibility", 140, None),
    ("ARB_compute_shader", 110, None),
    ("ARB_compute_variable_group_size", 110, None),
    ("ARB_conservative_depth", 110, None),
    ("ARB_cull_distance", 110, None),
    ("ARB_derivative_control", 110, None),
    ("ARB_draw_buffers", 110, None),
    ("ARB_draw_instanced", 110, None),
    ("ARB_enhanced_layouts", 110, None),
    ("ARB_explicit_attrib_location", 110, None),
    ("ARB_explicit_uniform_location", 110, None),
    ("ARB_fragment_coord_conventions", 110, None),
    ("ARB_fragment_layer_viewport", 110, None),
    ("ARB_fragment_shader_interlock", 420, None),
    ("ARB_geometry_shader4", 110, None),
    ("ARB_gpu_shader5", 110, None),
    ("ARB_gpu_shader_fp64", 110, None),
    ("ARB_gpu_shader_int64", 110, None),
    ("ARB_post_depth_coverage", 110, None),
    ("ARB_sample_shading", 110, None),
    ("ARB_separate_shader_objects", 110, None),
    ("ARB_shader_atomic_counter_ops", 110, None),
    ("ARB_shader_atomic_counters", 110, None),
    ("ARB_shader_ballot", 110, None),
    ("ARB_shader_bit_encoding", 110, None),
    ("ARB_shader_clock", 110, None),
    ("ARB_shader_draw_parameters", 110, None),
    ("ARB_shader_group_vote", 110, None),
    ("ARB_shader_image_load_store", 110, None),
    ("ARB_shader_image_size", 110, None),
    ("ARB_shader_precision", 110, None),
    ("ARB_shader_stencil_export", 110, None),
    ("ARB_shader_storage_buffer_object", 110, None),
    ("ARB_shader_subroutine", 110, None),
    ("ARB_shader_texture_image_samples", 110, None),
    ("ARB_shader_texture_lod", 110, None),
    ("ARB_shader_viewport_layer_array", 110, None),
    ("ARB_shading_language_420pack", 110, None),
    ("ARB_shading_language_include", 110, None),
    ("ARB_shading_language_packing", 110, None),
    ("ARB_sparse_texture2", 110, None),
    ("ARB_sparse_texture_clamp", 110, None),
    ("ARB_tessellation_shader", 110, None),
    ("ARB_texture_cube_map_array", 110, None),
    ("ARB_texture_gather", 110, None),
    ("ARB_texture_multisample", 110, None),
    ("ARB_texture_query_levels", 110, None),
    ("ARB_texture_query_lod", 110, None),
    ("ARB_texture_rectangle", 110, None),
    ("ARB_uniform_buffer_object", 110, None),
    ("ARB_vertex_attrib_64bit", 110, None),
    ("ARB_viewport_array", 110, None),
    ("ARM_shader_framebuffer_fetch_depth_stencil", 110, ES1),
    ("EXT_blend_func_extended", None, ES1),
    ("EXT_clip_cull_distance", None, ES3),
    ("EXT_conservative_depth", None, ES3),
    ("EXT_demote_to_helper_invocation", 110, ES3),
    ("EXT_draw_buffers", None, ES1),
    ("EXT_draw_instanced", 110, ES1),
    ("EXT_frag_depth", None, ES1),
    ("EXT_geometry_point_size", None, ES31),
    ("EXT_geometry_shader", None, ES31),
    ("EXT_gpu_shader4", 110, None),
    ("EXT_gpu_shader5", None, ES31),
    ("EXT_mesh_shader", 450, ES31),
    ("EXT_multiview_tessellation_geometry_shader", 150, ES32),
    ("EXT_post_depth_coverage", None, ES31),
    ("EXT_primitive_bounding_box", None, ES31),
    ("EXT_separate_shader_objects", None, ES1),
    ("EXT_shader_clock", 110, ES31),
    ("EXT_shader_framebuffer_fetch", 110, ES1),
    ("EXT_shader_framebuffer_fetch_non_coherent", 110, ES1),
    ("EXT_shader_group_vote", None, ES3),
    ("EXT_shader_image_load_formatted", 110, None),
    ("EXT_shader_implicit_conversions", None, ES31),
    ("EXT_shader_integer_mix", 110, ES3),
    ("EXT_shader_io_blocks", None, ES31),
    ("EXT_shader_samples_identical", 110, ES31),
    ("EXT_shader_texture_lod", None, ES1),
    ("EXT_shadow_samplers", None, ES1),
    ("EXT_tessellation_point_size", None, ES31),
    ("EXT_tessellation_shader", None, ES31),
    ("EXT_texture_array", 110, None),
    ("EXT_texture_buffer", None, ES31),
    ("EXT_texture_cube_map_array", None, ES31),
    ("EXT_texture_norm16", None, None),  # enables image formats
    ("EXT_texture_query_lod", None, ES3),
    ("EXT_texture_shadow_lod", 110, ES3),
    ("INTEL_conservative_rasterization", 110, ES31),
    ("INTEL_fragment_shader_ordering", 110, None),
    ("INTEL_shader_atomic_float_minmax", 130, ES31),
    ("INTEL_shader_integer_functions2", 110, ES3),
    ("KHR_blend_equation_advanced", 110, ES1),
    ("KHR_shader_subgroup_arithmetic", 140, ES31),
    ("KHR_shader_subgroup_ballot", 140, ES31),
    ("KHR_shader_subgroup_basic", 140, ES31),
    ("KHR_shader_subgroup_clustered", 140, ES31),
    ("KHR_shader_subgroup_quad", 140, ES31),
    ("KHR_shader_subgroup_shuffle", 140, ES31),
    ("KHR_shader_subgroup_shuffle_relative", 140, ES31),
    ("KHR_shader_subgroup_vote", 140, ES31),
    ("MESA_shader_integer_functions", 110, ES3),
    ("NV_compute_shader_derivatives", 450, ES32),
    ("NV_draw_buffers", None, ES1),
    ("NV_fragment_shader_barycentric", 450, ES32),
    ("NV_fragment_shader_interlock", 430, ES31),
    ("NV_image_formats", None, ES31),
    ("NV_shader_atomic_float", 130, ES31),
    ("NV_shader_atomic_int64", 110, None),
    ("NV_shader_noperspective_interpolation", None, ES3),
    ("NV_viewport_array2", 110, ES31),
    ("OES_EGL_image_external", None, ES1),
    ("OES_EGL_image_external_essl3", None, ES3),
    ("OES_geometry_point_size", None, ES31),
    ("OES_geometry_shader", None, ES31),
    ("OES_gpu_shader5", None, ES31),
    ("OES_primitive_bounding_box", None, ES31),
    ("OES_sample_variables", None, ES3),
    ("OES_shader_image_atomic", None, ES31),
    ("OES_shader_io_blocks", None, ES31),
    ("OES_shader_multisample_interpolation", None, ES3),
    ("OES_standard_derivatives", None, ES1),
    ("OES_tessellation_point_size", None, ES31),
    ("OES_tessellation_shader", None, ES31),
    ("OES_texture_3D", None, ES1),
    ("OES_texture_buffer", None, ES31),
    ("OES_texture_cube_map_array", None, ES31),
    ("OES_texture_storage_multisample_2d_array", None, ES31),
    ("OES_viewport_array", None, ES31),
    ("OVR_multiview", 130, ES3),
    ("OVR_multiview2", 130, ES3),
]

HEADER = """\
/* Generated by src/glsl/glsl_extensions.py. */
#ifndef GLSL_EXTENSIONS_H
#define GLSL_EXTENSIONS_H

#include <stdint.h>

enum glsl_extension {
% for name, gl, es in extensions:
    GLSL_EXT_${name},
% endfor
    GLSL_EXT_COUNT,
};

struct glsl_extension_info {
    const char *name;      /* "GL_ARB_draw_buffers" */
    uint16_t gl_version;   /* minimum desktop language version; 0: not available */
    uint16_t es_version;   /* minimum ES language version; 0: not available */
};

extern const struct glsl_extension_info glsl_extension_table[GLSL_EXT_COUNT];

#endif
"""

SOURCE = """\
/* Generated by src/glsl/glsl_extensions.py. */
#include "glsl_extensions.h"

const struct glsl_extension_info glsl_extension_table[GLSL_EXT_COUNT] = {
% for name, gl, es in extensions:
    [GLSL_EXT_${name}] = {"GL_${name}", ${gl or 0}, ${es or 0}},
% endfor
};
"""

if __name__ == "__main__":
    template = HEADER if sys.argv[1].endswith(".h") else SOURCE
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write(Template(template).render(extensions=EXTENSIONS))
