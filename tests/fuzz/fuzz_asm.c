/* SPDX-License-Identifier: MIT */
/* Fuzzes the assembler of ARB programs. The program's header determines the stage. */
#include <string.h>

#include <talloc.h>

#include "asm/asm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const nir_shader_compiler_options nir_options;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    bool fragment = size > 7 && !memcmp(text, "!!ARBfp", 7);
    const struct asm_options options = {
        .limits = {.instructions = 1024,
                   .alu_instructions = 1024,
                   .tex_instructions = 1024,
                   .tex_indirections = 1024,
                   .temporaries = 64,
                   .parameters = 256,
                   .attribs = 16,
                   .address_registers = !fragment,
                   .env_parameters = 256,
                   .local_parameters = 256,
                   .texture_image_units = 16,
                   .texture_coords = 8,
                   .texture_units = 8,
                   .vertex_attribs = 16,
                   .lights = 8,
                   .clip_planes = 6,
                   .program_matrices = 8,
                   .draw_buffers = 8},
        .fragment_program_shadow = true,
        .draw_buffers = true,
        .fragment_coord_conventions = true,
        .nir_options = &nir_options,
    };
    struct asm_program *p =
        asm_compile(NULL, fragment ? SHADER_FRAGMENT : SHADER_VERTEX, text, size, &options);
    if (p && p->nir)
        nir_validate_shader(p->nir, "after compiling a program");
    talloc_free(p);
    return 0;
}
