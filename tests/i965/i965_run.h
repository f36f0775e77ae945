/* SPDX-License-Identifier: MIT */
/*
 * What tests share that run a shader in the NIR evaluator and as EU code in the simulator: two
 * storage blocks, of which the first is read and the second is written, and uniforms.
 *
 * Below, a shader run three ways, to compare: by the JIT too. It is a compute shader of one group
 * of 16; invocation i reads struct run_data.in[i] (storage block 0), writes out[i] (storage block
 * 1) and has uniforms.
 */
#ifndef I965_RUN_H
#define I965_RUN_H

#include "driver/i965/i965_compiler.h"
#include "driver/i965/sim/eu_sim.h"
#include "nir/nir_builder.h"
#include "nir/nir_eval.h"

/* An invocation in the evaluator. */
struct run_place {
    uint32_t *block[2];
    unsigned block_dwords; /* of each */
    unsigned channel;
};

/* A struct nir_eval's handler, whose data is a struct run_place: storage blocks, in vectors of
 * dwords, and the invocation's index. Reads outside give 0, writes there are dropped. */
bool run_eval_memory(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                     nir_const_value *const *srcs, nir_const_value *dest);

/* A thread in the simulator and what it reaches. */
struct run_env {
    struct sim_env env; /* first */
    const struct i965_prog_data *prog_data;
    struct sim_surface blocks[2], uniforms;
    struct sim_thread *thread;
};

/* False: no memory. To be finished in either case; blocks and uniforms stay the caller's. */
bool run_env_init(struct run_env *e, const struct i965_prog_data *prog_data,
                  const struct sim_surface blocks[2], struct sim_surface uniforms);
void run_env_finish(struct run_env *e);
/* The thread at its start with so many channels and the pushed uniforms. */
void run_begin_thread(struct run_env *e, const struct sim_program *code,
                      const struct i965_kernel *k, unsigned channels);
/* False, with the reason printed: a fault, or no end. */
bool run_end_thread(struct run_env *e);
/* All threads of a group without barriers, of so many invocations; false as above. */
bool run_group(struct run_env *e, const struct sim_program *code, const struct i965_kernel *k,
               unsigned invocations);

enum {
    RUN_CHANNELS = 16,
    RUN_SLOTS = 64, /* vectors of an invocation */
    RUN_SLOT_BYTES = 16,
    RUN_UNIFORMS = 1024, /* dwords */
};

struct run_data {
    uint32_t in[RUN_CHANNELS][RUN_SLOTS][4], out[RUN_CHANNELS][RUN_SLOTS][4];
    uint32_t uniforms[RUN_UNIFORMS];
};

/* Makes the shader such a compute shader. */
void run_set_group(nir_shader *nir);
/* Address of a slot of the invocation in either block. */
nir_def *run_slot_address(nir_builder *b, unsigned slot);

/* False: the evaluator does not know an instruction, or the shader does not end. */
bool run_evaluator(nir_shader *nir, struct run_data *d);
/* False, with the reason printed: a fault, or no end. */
bool run_simulator(const struct i965_program *program, const struct i965_kernel *kernel,
                   struct run_data *d);

#endif
