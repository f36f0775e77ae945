/* SPDX-License-Identifier: MIT */
/*
 * An evaluator: runs the entrypoint of a shader for one invocation, instruction by instruction, or for
 * a compute shader's group with its subgroups. It is the reference that passes and code generators are
 * compared with, slow and simple.
 *
 * Covers ALU, derefs of variables (temporaries, inputs, outputs, uniforms), registers, lowered I/O
 * by base and component, scratch, constants, discards and control flow. Textures and memory are
 * asked from callbacks.
 */
#ifndef NIR_EVAL_H
#define NIR_EVAL_H

#include "nir.h"

#define NIR_EVAL_MAX_SLOTS 64

struct nir_eval {
    /* Inputs and uniforms, outputs; by slot (base + offset) and component, 32 bits each. */
    uint32_t inputs[NIR_EVAL_MAX_SLOTS][4];
    uint32_t outputs[NIR_EVAL_MAX_SLOTS][4];
    uint32_t uniforms[1024]; /* load_uniform, by byte offset / 4 */
    bool discarded;
    unsigned max_steps; /* instructions before it gives up; 0: a million */
    /* May be NULL. Evaluates what the evaluator does not know; false: neither does this. */
    bool (*intrinsic)(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                      nir_const_value *const *srcs, nir_const_value *dest);
    void *data;
    struct nir_eval_group *group; /* of nir_eval_invocations; else NULL */
    unsigned local_index;         /* of the invocation in it */
};

/* A group of compute shader invocations. */
struct nir_eval_group {
    uint32_t id[3], num_groups[3], size[3];
    uint32_t subgroup_size; /* a power of two up to 32: invocations in a row; 0: one */
    uint8_t *shared;
    size_t shared_size; /* bytes */
};

enum nir_eval_result {
    NIR_EVAL_DONE,
    NIR_EVAL_UNSUPPORTED, /* an instruction that it does not know */
    NIR_EVAL_ENDLESS,     /* max_steps */
};

/* Undefined values are 0. Variables are addressed by driver_location (inputs, outputs) and by
 * driver_location in bytes (uniforms). */
enum nir_eval_result nir_eval_shader(struct nir_eval *eval, nir_shader *shader);
/* All invocations of eval->group, one after the other from barrier to barrier; those that have ended
 * are not waited for. What subgroups of several do together is done by those that come to it by the same
 * way. Both are in the entrypoint, not in functions that it calls. */
enum nir_eval_result nir_eval_invocations(struct nir_eval *eval, nir_shader *shader);

#endif
