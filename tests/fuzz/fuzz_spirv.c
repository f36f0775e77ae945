/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the SPIR-V reader: any words must give valid NIR that can be linked, or an error message.
 * The module's first entry point determines the stage.
 */
#include <string.h>

#include <talloc.h>

#include "glsl/glsl.h"
#include "tool/compile_options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void link_shader(void *mem_ctx, const struct glsl_options *options,
                        struct glsl_shader *shader)
{
    struct glsl_link_input input = {.shaders = &shader, .num_shaders = 1, .separable = true};
    glsl_link(mem_ctx, options, &input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct glsl_options options;
    if (!options.max_version)
        compile_options_fill(&options, false, 460);
    void *mem_ctx = talloc_new(NULL);
    size_t count = size / 4;
    uint32_t *words = talloc_array(mem_ctx, uint32_t, count); /* copy with word alignment */
    memcpy(words, data, count * 4);
    static const struct spirv_specialization specializations[] = {{0, 3}, {1, 1}};
    for (enum shader_stage stage = SHADER_VERTEX; stage < SHADER_STAGE_COUNT; stage++) {
        struct glsl_module module = {
            .stage = stage,
            .words = words,
            .num_words = count,
            .entry_point = "main",
            .specializations = specializations,
            .num_specializations = 2,
        };
        if (spirv_find_entry_point(words, count, "main", stage) != SPIRV_HAS_ENTRY)
            continue;
        struct glsl_shader *shader = glsl_specialize(mem_ctx, &options, &module);
        if (!shader || !shader->compiled)
            continue;
        nir_validate_shader(shader->nir, "after spirv_to_nir");
        link_shader(mem_ctx, &options, shader);
    }
    talloc_free(mem_ctx);
    return 0;
}
