/* SPDX-License-Identifier: MIT */
/* The compiler of ARB assembly programs. No state between calls; any thread. */
#ifndef ASM_H
#define ASM_H

#include "nir/nir.h"

struct asm_limits {
    unsigned instructions, alu_instructions, tex_instructions, tex_indirections;
    unsigned temporaries, parameters, attribs, address_registers;
    unsigned env_parameters, local_parameters;
    unsigned texture_image_units, texture_coords, texture_units; /* of fixed function: the last */
    unsigned vertex_attribs, lights, clip_planes, program_matrices, draw_buffers;
};

struct asm_options {
    struct asm_limits limits;
    bool fragment_program_shadow;    /* OPTION ARB_fragment_program_shadow */
    bool draw_buffers;               /* OPTION ARB_draw_buffers, ATI_draw_buffers */
    bool fragment_coord_conventions; /* OPTION ARB_fragment_coord_origin_upper_left,
                                        ARB_fragment_coord_pixel_center_integer */
    const nir_shader_compiler_options *nir_options;
};

struct asm_counts { /* what GetProgramivARB answers */
    unsigned instructions, alu_instructions, tex_instructions, tex_indirections;
    unsigned temporaries, parameters, attribs, address_registers;
};

struct asm_sampler {
    bool used, shadow;
    enum glsl_sampler_dim dim;
};

enum { ASM_MAX_SAMPLERS = 32 };

struct asm_program {    /* a talloc context: all below hangs on it */
    nir_shader *nir;    /* NULL: the text is no valid program */
    int error_position; /* bytes from its start; -1: no error */
    const char *error;  /* message; "" if none */
    struct asm_counts counts;
    struct asm_sampler sampler[ASM_MAX_SAMPLERS]; /* by texture image unit = data.binding */
};

/* stage: vertex or fragment. NULL: no memory. */
struct asm_program *asm_compile(void *mem_ctx, enum shader_stage stage, const char *text,
                                size_t length, const struct asm_options *options);

#endif
