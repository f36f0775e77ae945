/* SPDX-License-Identifier: MIT */
/*
 * A shader run three ways, to compare: by the NIR evaluator, by the JIT, and as EU code in the
 * simulator. It is a compute shader of one group of 16; invocation i reads struct run_data.in[i]
 * (storage block 0), writes out[i] (storage block 1) and has uniforms.
 */
#ifndef I965_RUN_H
#define I965_RUN_H

#include "driver/i965/i965_compiler.h"
#include "driver/i965/sim/eu_sim.h"
#include "nir/nir_builder.h"
#include "nir/nir_eval.h"

enum {
    RUN_CHANNELS = 16,
    RUN_SLOTS = 64,      /* vectors of an invocation */
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
