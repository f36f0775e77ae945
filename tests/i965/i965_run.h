/* SPDX-License-Identifier: MIT */
/*
 * Shared by tests that run a shader in the NIR evaluator and as EU code in the simulator. There are
 * uniforms and two storage blocks; shaders read the first and write the second.
 *
 * The second half runs a shader whose results are to be compared; the differential test also runs
 * it in the JIT. It is a compute shader of one group of 16; invocation i reads struct
 * run_data.in[i] (storage block 0), writes out[i] (storage block 1) and has uniforms.
 */
#ifndef I965_RUN_H
#define I965_RUN_H

#include "driver/i965/i965_compiler.h"
#include "driver/i965/sim/eu_sim.h"
#include "nir/nir_builder.h"
#include "nir/nir_eval.h"

/* Data of an invocation in the evaluator. */
struct run_place {
    uint32_t *block[2];
    unsigned block_dwords; /* Size of each block. */
    unsigned channel;
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

/* Returns false if out of memory; call run_env_finish() in either case. Blocks and uniforms remain
 * the caller's. */
bool run_env_init(struct run_env *e, const struct i965_prog_data *prog_data,
                  const struct sim_surface blocks[2], struct sim_surface uniforms);
void run_env_finish(struct run_env *e);
/* Prepares a thread with that many channels and the pushed uniforms. */
void run_begin_thread(struct run_env *e, const struct sim_program *code,
                      const struct i965_kernel *k, unsigned channels);
/* Runs the thread. Returns false and prints the reason if it faults or does not terminate. */
bool run_end_thread(struct run_env *e);
/* Runs all threads of a group of that many invocations, without barriers. Returns false
 * as above. */
bool run_group(struct run_env *e, const struct sim_program *code, const struct i965_kernel *k,
               unsigned invocations);

enum {
    RUN_CHANNELS = 16,
    RUN_SLOTS = 64, /* Vectors per invocation. */
    RUN_SLOT_BYTES = 16,
    RUN_UNIFORMS = 1024, /* In dwords. */
};

struct run_data {
    uint32_t in[RUN_CHANNELS][RUN_SLOTS][4], out[RUN_CHANNELS][RUN_SLOTS][4];
    uint32_t uniforms[RUN_UNIFORMS];
};

/* Converts the shader to such a compute shader. */
void run_set_group(nir_shader *nir);
/* Returns the address of a slot of the invocation, in either block. */
nir_def *run_slot_address(nir_builder *b, unsigned slot);

/* Returns false if the evaluator does not support an instruction or the shader does
 * not terminate. */
bool run_evaluator(nir_shader *nir, struct run_data *d);
/* Returns false and prints the reason if the thread faults or does not terminate. */
bool run_simulator(const struct i965_program *program, const struct i965_kernel *kernel,
                   struct run_data *d);

#endif
