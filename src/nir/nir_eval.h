/* SPDX-License-Identifier: MIT */
/*
 * Interpreter for NIR: runs the entrypoint of a shader for one invocation, or for all invocations
 * of a compute workgroup with its subgroups. It is slow and simple, and serves as the reference
 * that tests compare passes and code generators with.
 *
 * It supports ALU instructions, derefs of variables (temporaries, inputs, outputs, uniforms),
 * registers, lowered I/O by base and component, scratch memory, constants, discards, control flow
 * and function calls. The callback `intrinsic` evaluates other intrinsics, such as memory accesses.
 */
#ifndef NIR_EVAL_H
#define NIR_EVAL_H

#include "nir.h"

#define NIR_EVAL_MAX_SLOTS 64 /* number of input slots, and of output slots */

/* What the shader accesses outside of its instructions. The caller initializes it and owns all
 * memory that it points to. Zero fields are valid. */
struct nir_eval {
    /* Inputs and outputs by slot (base + offset) and component, as the bits of 32-bit values. */
    uint32_t inputs[NIR_EVAL_MAX_SLOTS][4];
    uint32_t outputs[NIR_EVAL_MAX_SLOTS][4];
    /* Inputs of the primitive's vertices, [vertex][slot][component], for load_input_vertex and
     * load_per_vertex_input. A vertex index out of range reads zeros. num_vertices 0: these
     * intrinsics are not supported. */
    uint32_t (*vertices)[NIR_EVAL_MAX_SLOTS][4];
    unsigned num_vertices;
    uint32_t uniforms[1024]; /* by byte offset / 4; load_uniform reads 0 past the end */
    bool discarded;          /* set by discards, never cleared; the invocation continues */
    unsigned max_steps;      /* limit of instructions and blocks per invocation; 0: one million */
    /* Called for subgroup operations, for load_input_vertex and load_per_vertex_input, and for
     * intrinsics that the interpreter doesn't support. Reads srcs, writes dest and returns true, or
     * returns false to let the interpreter evaluate the intrinsic, if it can. May be NULL. */
    bool (*intrinsic)(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                      nir_const_value *const *srcs, nir_const_value *dest);
    void *data;                   /* for the callback */
    struct nir_eval_group *group; /* workgroup for nir_eval_invocations, otherwise NULL */
    unsigned local_index;         /* index in the workgroup; nir_eval_invocations sets it */
};

/* A compute workgroup. */
struct nir_eval_group {
    uint32_t id[3], num_groups[3], size[3]; /* index, number of groups, invocations per group */
    /* Number of consecutive invocations that form a subgroup, a power of two up to 32; 0
     * means 1. */
    uint32_t subgroup_size;
    uint8_t *shared;    /* shared variables; reads out of range are 0, writes are dropped */
    size_t shared_size; /* bytes */
};

/* Why an evaluation ended. After the last two, outputs and memory are incomplete. */
enum nir_eval_result {
    NIR_EVAL_DONE,
    NIR_EVAL_UNSUPPORTED, /* encountered an unsupported instruction */
    NIR_EVAL_ENDLESS,     /* reached max_steps */
};

/* Runs the entrypoint for one invocation. Undefined values are 0. Accesses to variables use
 * data.driver_location as the slot of an input or output and as the byte offset of a uniform.
 * Renumbers the shader's values and blocks. */
enum nir_eval_result nir_eval_shader(struct nir_eval *eval, nir_shader *shader);
/* Runs all invocations of eval->group, which must not be NULL; otherwise like nir_eval_shader().
 * Between barriers they run one after the other. A barrier doesn't wait for invocations that have
 * ended. The active invocations of a subgroup operation are those that reach it along the same
 * control flow path. Barriers and subgroup operations must be in the entrypoint. */
enum nir_eval_result nir_eval_invocations(struct nir_eval *eval, nir_shader *shader);

#endif
