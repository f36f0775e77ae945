/* SPDX-License-Identifier: MIT */
/*
 * How vertex-processing stages end: the outputs are stored for the stage behind, and the last stage
 * before rasterization transforms positions to the window and finds clip codes.
 */
#ifndef CPU_NIR_VERTEX_H
#define CPU_NIR_VERTEX_H

#include "driver/cpu/kernel/cpu_nir_io.h"

/* Where a vector of vertices goes; addresses as in struct cpu_vs_args. */
struct cpu_results {
    const struct cpu_tail_key *key;
    nir_def *first; /* number of the vector's first vertex in the batch */
    nir_def *out, *window, *clip_code, *viewport;
};

/* Numbers the outputs that were written, and stores those of some slots. */
void cpu_nir_store_outputs(nir_builder *b, const struct cpu_outputs *outputs, uint64_t slots,
                           const struct cpu_results *results, struct cpu_stage_outputs *numbers);

/* Stores window coordinates and clip codes; nothing if another stage follows. */
void cpu_nir_tail(struct cpu_kernel_builder *kb, const struct cpu_outputs *outputs,
                  const struct cpu_results *results);

#endif
