/* SPDX-License-Identifier: MIT */
/*
 * Code at the end of the kernels of vertex-processing stages. It stores the outputs for the next
 * stage. In the last stage before rasterization, it also transforms positions to window coordinates
 * and computes clip codes.
 */
#ifndef CPU_NIR_VERTEX_H
#define CPU_NIR_VERTEX_H

#include "driver/cpu/kernel/cpu_nir_io.h"

/* Where the results of a vector of vertices are stored. */
struct cpu_vertex_results {
    const struct cpu_finish_vertices_key *key;
    nir_def *first; /* index of the vector's first vertex in the batch */
    /* Addresses, as in struct cpu_vs_args. `window`, `clip_code` and `viewport` are only needed by
     * cpu_nir_finish_vertices in the last stage; otherwise they may be NULL. */
    nir_def *out, *window, *clip_code, *viewport;
};

/* Numbers the outputs that have a variable, in the order of their slots, and fills in *numbers,
 * which the caller has zeroed, with these numbers and the shader's viewport flags. Emits stores of
 * those outputs whose bit (enum varying_slot) is set in `slots` to results->out. */
void cpu_nir_store_outputs(nir_builder *b, const struct cpu_outputs *outputs, uint64_t slots,
                           const struct cpu_vertex_results *results,
                           struct cpu_stage_outputs *numbers);

/* Emits code that computes and stores window coordinates and clip codes. Does nothing unless the
 * key says that this is the last stage. */
void cpu_nir_finish_vertices(struct cpu_kernel_builder *kb, const struct cpu_outputs *outputs,
                             const struct cpu_vertex_results *results);

#endif
