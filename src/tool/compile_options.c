/* SPDX-License-Identifier: MIT */
/* Compiler options, files and stages for tools that compile without a GL context. */
#include "compile_options.h"

#include <stdio.h>
#include <talloc.h>

static const nir_shader_compiler_options nir_options = {.max_unroll_iterations = 32};

void compile_options_fill(struct glsl_options *o, bool es, unsigned version)
{
    *o = (struct glsl_options){
        .es = es,
        .max_version = es ? 0 : version,
        .max_es_version = es ? version : 0,
        .default_version = es ? 100 : 110,
        .limits =
            {
                .max_lights = 8,
                .max_clip_planes = 8,
                .max_texture_units = 8,
                .max_texture_coords = 8,
                .max_vertex_attribs = 16,
                .max_vertex_uniform_components = 4096,
                .max_fragment_uniform_components = 4096,
                .max_varying_components = 128,
                .max_vertex_texture_image_units = 32,
                .max_texture_image_units = 32,
                .max_combined_texture_image_units = 192,
                .max_draw_buffers = 8,
                .max_dual_source_draw_buffers = 1,
                .max_clip_distances = 8,
                .max_cull_distances = 8,
                .max_combined_clip_and_cull_distances = 8,
                .max_uniform_locations = 4096,
                .max_uniform_block_size = 65536,
                .max_uniform_blocks = 14,
                .max_combined_uniform_blocks = 84,
                .max_storage_blocks = 16,
                .max_images = 16,
                .max_atomic_counters = 4096,
                .max_samples = 4,
                .max_viewports = 16,
                .max_views = 6,
                .max_geometry_output_vertices = 1024,
                .max_patch_vertices = 32,
                .max_compute_workgroup_size = {1024, 1024, 64},
                .max_compute_workgroup_invocations = 1024,
                .min_program_texel_offset = -8,
                .max_program_texel_offset = 7,
                .min_program_texture_gather_offset = -8,
                .max_program_texture_gather_offset = 7,
                .max_transform_feedback_buffers = 4,
                .max_transform_feedback_components = 64,
                .max_combined_images = 96,
                .max_combined_storage_blocks = 96,
                .max_combined_shader_output_resources = 200,
                .max_combined_atomic_counters = 4096,
                .max_combined_atomic_buffers = 48,
                .max_atomic_bindings = 48,
                .max_atomic_buffer_size = 16384,
                .max_storage_block_size = 1 << 27,
                .max_uniform_bindings = 84,
                .max_storage_bindings = 96,
                .max_image_units = 96,
                .max_tess_gen_level = 64,
                .max_patch_components = 120,
                .max_tess_ctrl_total_output_components = 4096,
                .max_geometry_total_output_components = 4096,
                .max_geometry_invocations = 32,
                .max_vertex_streams = 4,
                .max_compute_shared_memory = 32768,
                .max_mesh_vertices = 256,
                .max_mesh_primitives = 256,
                .max_task_payload = 16384,
                .max_subroutines = 256,
                .max_subroutine_uniform_locations = 1024,
            },
    };
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        o->nir_options[s] = &nir_options;
        o->limits.max_stage_images[s] = 16;
        o->limits.max_stage_storage_blocks[s] = 16;
        o->limits.max_stage_atomic_counters[s] = 4096;
        o->limits.max_stage_atomic_buffers[s] = 8;
    }
    for (unsigned i = 0; i < GLSL_EXT_COUNT; i++) {
        bitset_set(o->extensions, i);
        bitset_set(o->es_extensions, i);
    }
}

enum shader_stage compile_stage_of(const char *file)
{
    static const struct {
        const char *ending;
        enum shader_stage stage;
    } endings[] = {
        {".vert", SHADER_VERTEX},    {".frag", SHADER_FRAGMENT},  {".geom", SHADER_GEOMETRY},
        {".tesc", SHADER_TESS_CTRL}, {".tese", SHADER_TESS_EVAL}, {".comp", SHADER_COMPUTE},
        {".task", SHADER_TASK},      {".mesh", SHADER_MESH},
    };
    size_t n = strlen(file);
    if (n > 4 && !strcmp(file + n - 4, ".spv")) /* SPIR-V: shader.frag.spv */
        n -= 4;
    for (unsigned i = 0; n >= 5 && i < ARRAY_SIZE(endings); i++) {
        if (!strncmp(file + n - 5, endings[i].ending, 5))
            return endings[i].stage;
    }
    return SHADER_STAGE_NONE;
}

char *compile_read_file(void *mem_ctx, const char *path, size_t *length)
{
    FILE *fp = fopen(path, "rb");
    char *text = talloc_size(mem_ctx, 1);
    size_t capacity = 1, n;
    *length = 0;
    if (!fp)
        return NULL;
    do {
        if (*length + 4096 > capacity) {
            capacity = capacity * 2 + 4096;
            text = talloc_realloc_size(mem_ctx, text, capacity);
        }
        n = fread(text + *length, 1, 4096, fp);
        *length += n;
    } while (n > 0);
    fclose(fp);
    return text;
}
