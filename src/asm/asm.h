/* SPDX-License-Identifier: MIT */
/* Compiles ARB assembly programs (ARB_vertex_program, ARB_fragment_program) to NIR. Thread-safe:
 * there is no state outside the talloc contexts that the caller passes. */
#ifndef ASM_H
#define ASM_H

#include "nir/nir.h"

/* Limits for a program; exceeding one is an error. They are the MAX_PROGRAM_*_ARB values of
 * ARB_vertex_program and ARB_fragment_program, and numbers of units, lights and so on, which bound
 * the indices in bindings. The caller sets the values for the program's stage. */
struct asm_limits {
    /* alu_instructions, tex_instructions and tex_indirections apply to fragment programs only. */
    unsigned instructions, alu_instructions, tex_instructions, tex_indirections;
    unsigned temporaries, parameters, attribs, address_registers;
    unsigned env_parameters, local_parameters;
    /* texture_units is the number of fixed-function units, for state.texgen and state.texenv. */
    unsigned texture_image_units, texture_coords, texture_units;
    unsigned vertex_attribs, lights, clip_planes, program_matrices, draw_buffers;
};

/* The context for which programs are compiled. The flags say which OPTIONs are supported. */
struct asm_options {
    struct asm_limits limits;
    bool fragment_program_shadow; /* ARB_fragment_program_shadow */
    bool draw_buffers;            /* ARB_draw_buffers and ATI_draw_buffers */
    /* ARB_fragment_coord_origin_upper_left and ARB_fragment_coord_pixel_center_integer */
    bool fragment_coord_conventions;
    const nir_shader_compiler_options *nir_options; /* options of the NIR shader to create */
};

/* Resource counts of a program, as returned by glGetProgramivARB. */
struct asm_counts {
    /* alu_instructions, tex_instructions and tex_indirections are 0 for vertex programs. */
    unsigned instructions, alu_instructions, tex_instructions, tex_indirections;
    unsigned temporaries, parameters, attribs, address_registers;
};

/* How a program uses a texture image unit. */
struct asm_sampler {
    /* used: an instruction uses the unit. shadow: its texture target is a SHADOW target. */
    bool used, shadow;
    enum glsl_sampler_dim dim; /* texture target */
};

/* Maximum number of texture image units, whatever the limits say. */
enum { ASM_MAX_SAMPLERS = 32 };

/* A compiled program. Everything it points to belongs to its talloc context. */
struct asm_program {
    nir_shader *nir;    /* NULL: there was an error */
    int error_position; /* byte offset of the error in the text; -1: no error */
    const char *error;  /* message of the first error, or "" */
    struct asm_counts counts;
    /* Indexed by texture image unit. The unit is also the data.binding of the sampler in NIR. */
    struct asm_sampler sampler[ASM_MAX_SAMPLERS];
};

/* Compiles a vertex or fragment program. The text has `length` bytes. Returns a program, a talloc
 * child of mem_ctx, even if the text has an error; `nir` is then NULL. Must run within an attempt
 * (util/memory.h), because it builds NIR. A failed allocation that doesn't abort the attempt makes
 * it return NULL or a program with the error "out of memory". */
struct asm_program *asm_compile(void *mem_ctx, enum shader_stage stage, const char *text,
                                size_t length, const struct asm_options *options);

#endif
