/* SPDX-License-Identifier: MIT */
/*
 * Shared by tests that run a shader in the NIR evaluator and as EU code in the simulator. Shaders
 * have uniforms and two storage blocks; they read the first block and write the second.
 *
 * run_evaluator() and run_simulator() run the same shader with a struct run_data, for tests that
 * compare the results: a compute shader with one group of RUN_CHANNELS invocations. Invocation i
 * reads in[i] (storage block 0) and the uniforms, and writes out[i] (storage block 1).
 */
#ifndef I965_RUN_H
#define I965_RUN_H

#include "driver/i965/i965_compiler.h"
#include "driver/i965/sim/eu_sim.h"
#include "nir/nir_builder.h"
#include "nir/nir_eval.h"

/* The storage blocks and the invocation that the evaluator runs. */
struct run_place {
    uint32_t *block[2];
    unsigned block_dwords; /* Size of each block. */
    unsigned channel;      /* Index of the invocation. */
};

/* Handler for struct nir_eval, whose data is a struct run_place. Implements storage blocks, as
 * vectors of dwords, and the invocation index. Out-of-range reads return 0, out-of-range writes are
 * dropped. */
bool run_eval_memory(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                     nir_const_value *const *srcs, nir_const_value *dest);

/* A thread in the simulator and its resources. */
struct run_env {
    struct sim_env env; /* Must be first. */
    const struct i965_prog_data *prog_data;
    struct sim_surface blocks[2], uniforms;
    struct sim_thread *thread;
};

/* Initializes *e. Returns false if out of memory; call run_env_finish() in either case. The caller
 * keeps the memory of the blocks and uniforms. */
bool run_env_init(struct run_env *e, const struct i965_prog_data *prog_data,
                  const struct sim_surface blocks[2], struct sim_surface uniforms);
void run_env_finish(struct run_env *e);
/* Initializes the thread: enables `channels` channels and loads the pushed uniforms. */
void run_begin_thread(struct run_env *e, const struct sim_program *code,
                      const struct i965_kernel *k, unsigned channels);
/* Runs the thread to its end. Returns false and prints the reason if it faults, waits at a barrier,
 * or executes too many instructions. */
bool run_end_thread(struct run_env *e);
/* Runs all threads of a group with this number of invocations, one after the other; they must not
 * wait at barriers. Returns false if run_end_thread() does. */
bool run_group(struct run_env *e, const struct sim_program *code, const struct i965_kernel *k,
               unsigned invocations);

enum {
    RUN_CHANNELS = 16,
    RUN_SLOTS = 64, /* Slots (vec4s) per invocation in each storage block. */
    RUN_SLOT_BYTES = 16,
    RUN_UNIFORMS = 1024, /* Size of the uniforms in dwords. */
};

struct run_data {
    uint32_t in[RUN_CHANNELS][RUN_SLOTS][4], out[RUN_CHANNELS][RUN_SLOTS][4];
    uint32_t uniforms[RUN_UNIFORMS];
};

/* Makes the shader a compute shader with a group of RUN_CHANNELS × 1 × 1 invocations. */
void run_set_group(nir_shader *nir);
/* Emits code that computes the byte offset of a slot of the invocation in a storage block. */
nir_def *run_slot_address(nir_builder *b, unsigned slot);

/* Runs the shader in the evaluator. Returns false if the evaluator does not support an instruction
 * or the shader does not terminate. */
bool run_evaluator(nir_shader *nir, struct run_data *d);
/* Runs the kernel in the simulator. Returns false and prints the reason if run_group() fails or the
 * code is not valid. */
bool run_simulator(const struct i965_program *program, const struct i965_kernel *kernel,
                   struct run_data *d);

#endif
