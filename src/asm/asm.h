/* SPDX-License-Identifier: MIT */
/* Compiler for ARB assembly programs (ARB_vertex_program, ARB_fragment_program). It has no global
 * state; any thread may call it. */
#ifndef ASM_H
#define ASM_H

#include "nir/nir.h"

struct asm_limits {
    /* Limits that programs must observe; those of the program's stage apply. */
    unsigned instructions, alu_instructions, tex_instructions, tex_indirections;
    unsigned temporaries, parameters, attribs, address_registers;
    unsigned env_parameters, local_parameters;
    unsigned texture_image_units, texture_coords, texture_units; /* texture_units: fixed function */
    unsigned vertex_attribs, lights, clip_planes, program_matrices, draw_buffers;
};

struct asm_options {
    struct asm_limits limits;
    bool fragment_program_shadow; /* OPTION ARB_fragment_program_shadow */
    bool draw_buffers;            /* OPTION ARB_draw_buffers, ATI_draw_buffers */
    /* OPTION ARB_fragment_coord_origin_upper_left, ARB_fragment_coord_pixel_center_integer */
    bool fragment_coord_conventions;
    const nir_shader_compiler_options *nir_options;
};

/* Resource counts of a program, as returned by glGetProgramivARB. */
struct asm_counts {
    unsigned instructions, alu_instructions, tex_instructions, tex_indirections;
    unsigned temporaries, parameters, attribs, address_registers;
};

struct asm_sampler {
    bool used, shadow;
    enum glsl_sampler_dim dim;
};

enum { ASM_MAX_SAMPLERS = 32 };

/* A compiled program. It is a talloc context that owns everything below. */
struct asm_program {
    nir_shader *nir;    /* NULL: the program is invalid */
    int error_position; /* byte offset of the error in the text; -1: no error */
    const char *error;  /* error message, or "" */
    struct asm_counts counts;
    /* Indexed by texture image unit, which is data.binding. */
    struct asm_sampler sampler[ASM_MAX_SAMPLERS];
};

/* Compiles a vertex or fragment program. On an error, the result has no `nir`. Returns NULL if
 * there is no memory. */
struct asm_program *asm_compile(void *mem_ctx, enum shader_stage stage, const char *text,
                                size_t length, const struct asm_options *options);

#endif
