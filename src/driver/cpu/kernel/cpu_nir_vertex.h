/* SPDX-License-Identifier: MIT */
/*
 * The end of vertex-processing stages: stores the outputs for the next stage. The last stage before
 * rasterization also transforms positions to window coordinates and computes clip codes.
 */
#ifndef CPU_NIR_VERTEX_H
#define CPU_NIR_VERTEX_H

#include "driver/cpu/kernel/cpu_nir_io.h"

/* Destination of a vector of vertices; the addresses are those of struct cpu_vs_args. */
struct cpu_vertex_results {
    const struct cpu_finish_vertices_key *key;
    nir_def *first; /* index of the vector's first vertex in the batch */
    nir_def *out, *window, *clip_code, *viewport;
};

/* Assigns an index to each output that has a variable, and stores the outputs in `slots`, a mask of
 * bits of enum varying_slot. */
void cpu_nir_store_outputs(nir_builder *b, const struct cpu_outputs *outputs, uint64_t slots,
                           const struct cpu_vertex_results *results,
                           struct cpu_stage_outputs *numbers);

/* Stores window coordinates and clip codes. Does nothing unless this is the last stage. */
void cpu_nir_finish_vertices(struct cpu_kernel_builder *kb, const struct cpu_outputs *outputs,
                             const struct cpu_vertex_results *results);

#endif
