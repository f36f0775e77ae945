/* SPDX-License-Identifier: MIT */
/* What the tests of the GLSL room share: options of a capable implementation. */
#ifndef GLSL_TEST_H
#define GLSL_TEST_H

#include "glsl/glsl.h"

static const nir_shader_compiler_options test_nir_options = {.max_unroll_iterations = 32};

static inline struct glsl_options test_options(bool es)
{
    struct glsl_options o = {
        .es = es,
        .max_version = es ? 0 : 130,
        .max_es_version = es ? 300 : 0,
        .default_version = es ? 100 : 110,
        .limits = {
            .max_lights = 8,
            .max_clip_planes = 8,
            .max_texture_units = 8,
            .max_texture_coords = 8,
            .max_vertex_attribs = 16,
            .max_vertex_uniform_components = 4096,
            .max_fragment_uniform_components = 4096,
            .max_varying_components = 64,
            .max_vertex_texture_image_units = 16,
            .max_texture_image_units = 16,
            .max_combined_texture_image_units = 32,
            .max_draw_buffers = 8,
            .max_dual_source_draw_buffers = 1,
            .max_clip_distances = 8,
            .max_cull_distances = 8,
            .max_combined_clip_and_cull_distances = 8,
            .max_uniform_block_size = 65536,
            .max_uniform_blocks = 14,
            .max_combined_uniform_blocks = 28,
            .max_uniform_locations = 1024,
            .min_program_texel_offset = -8,
            .max_program_texel_offset = 7,
            .min_program_texture_gather_offset = -8,
            .max_program_texture_gather_offset = 7,
        },
    };
    for (unsigned s = 0; s < SHADER_STAGES; s++)
        o.nir_options[s] = &test_nir_options;
    for (unsigned i = 0; i < GLSL_EXT_COUNT; i++)
        bitset_set(o.extensions, i);
    return o;
}

#endif
