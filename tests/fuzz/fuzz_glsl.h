/* SPDX-License-Identifier: MIT */
/*
 * What the targets that take shaders share. An input is one shader or several, each after a mark
 * that says its stage: `//@v` vertex, `//@h` tessellation control, `//@t` evaluation, `//@g`
 * geometry, `//@f` fragment, `//@c` compute. A letter more names the kind of context: `e` ES, `c`
 * core profile. Text before the first mark is a fragment shader. The mark is a comment, so a part
 * of an input is a shader that any tool takes.
 */
#ifndef FUZZ_GLSL_H
#define FUZZ_GLSL_H

#include <string.h>

#include "glsl/glsl.h"

#define FUZZ_MAX_SHADERS 4

struct fuzz_shader {
    enum shader_stage stage;
    const char *text;
    size_t length;
};

struct fuzz_input {
    struct fuzz_shader shaders[FUZZ_MAX_SHADERS];
    unsigned count;
    bool es, core;
};

static const nir_shader_compiler_options fuzz_nir_options = {.max_unroll_iterations = 32};

static enum shader_stage fuzz_stage(char letter)
{
    switch (letter) {
    case 'v':
        return SHADER_VERTEX;
    case 'h':
        return SHADER_TESS_CTRL;
    case 't':
        return SHADER_TESS_EVAL;
    case 'g':
        return SHADER_GEOMETRY;
    case 'c':
        return SHADER_COMPUTE;
    default:
        return SHADER_FRAGMENT;
    }
}

static struct fuzz_input fuzz_split(const char *text, size_t length)
{
    struct fuzz_input in = {.count = 1};
    in.shaders[0] = (struct fuzz_shader){SHADER_FRAGMENT, text, length};
    for (size_t i = 0; i + 4 <= length; i++) {
        if (memcmp(text + i, "//@", 3))
            continue;
        if (i) {
            if (in.count == FUZZ_MAX_SHADERS)
                break;
            struct fuzz_shader *last = &in.shaders[in.count - 1];
            last->length = text + i - last->text;
            in.count++;
        }
        in.shaders[in.count - 1] =
            (struct fuzz_shader){fuzz_stage(text[i + 3]), text + i, length - i};
        if (i + 4 < length) {
            in.es |= text[i + 4] == 'e';
            in.core |= text[i + 4] == 'c';
        }
    }
    return in;
}

/* Everything that the language has: limits as large as any implementation's are usual. */
static struct glsl_options fuzz_options(const struct fuzz_input *in)
{
    struct glsl_options o = {
        .es = in->es,
        .core = in->core && !in->es,
        .max_version = in->es ? 0 : 460,
        .max_es_version = 320,
        .default_version = in->es ? 100 : 110,
        .limits = {
            .max_lights = 8,
            .max_clip_planes = 8,
            .max_texture_units = 8,
            .max_texture_coords = 8,
            .max_vertex_attribs = 16,
            .max_vertex_uniform_components = 4096,
            .max_fragment_uniform_components = 4096,
            .max_varying_components = 128,
            .max_vertex_texture_image_units = 16,
            .max_texture_image_units = 16,
            .max_combined_texture_image_units = 80,
            .max_draw_buffers = 8,
            .max_dual_source_draw_buffers = 1,
            .max_clip_distances = 8,
            .max_cull_distances = 8,
            .max_combined_clip_and_cull_distances = 8,
            .max_uniform_locations = 1024,
            .max_uniform_block_size = 65536,
            .max_uniform_blocks = 14,
            .max_combined_uniform_blocks = 70,
            .max_storage_blocks = 16,
            .max_images = 8,
            .max_atomic_counters = 64,
            .max_samples = 4,
            .max_viewports = 16,
            .max_geometry_output_vertices = 256,
            .max_patch_vertices = 32,
            .max_compute_workgroup_size = {1024, 1024, 64},
            .max_compute_workgroup_invocations = 1024,
            .min_program_texel_offset = -8,
            .max_program_texel_offset = 7,
            .max_transform_feedback_buffers = 4,
            .max_transform_feedback_components = 64,
        },
    };
    for (unsigned s = 0; s < SHADER_STAGES; s++)
        o.nir_options[s] = &fuzz_nir_options;
    for (unsigned i = 0; i < GLSL_EXT_COUNT; i++)
        bitset_set(o.extensions, i);
    return o;
}

#endif
