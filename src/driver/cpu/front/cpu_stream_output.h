/* SPDX-License-Identifier: MIT */
/* Transform feedback of a draw. */
#ifndef CPU_STREAM_OUTPUT_H
#define CPU_STREAM_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "indium/driver.h"

struct cpu_batch_prim;
struct cpu_context;

/* State of transform feedback during a draw. */
struct cpu_stream_output {
    const struct drv_stream_output *desc;
    bool first_provokes; /* the first vertex of a primitive is the provoking vertex */
    /* For each element of desc's outputs: index in the stage's vec4 outputs; -1: not written. */
    int8_t index[DRV_MAX_SO_OUTPUTS];
    uint8_t *base[DRV_MAX_SO_BUFFERS];     /* first byte of the bound part; NULL: no buffer */
    uint64_t size[DRV_MAX_SO_BUFFERS];     /* bytes of the bound part */
    uint32_t position[DRV_MAX_SO_BUFFERS]; /* bytes from base to where the next vertex is written */
    uint32_t used[DRV_MAX_VERTEX_STREAMS]; /* mask of the buffers that each stream writes */
    /* Per stream: primitives that were captured, and primitives that did not fit. */
    uint64_t emitted[DRV_MAX_VERTEX_STREAMS], overflows[DRV_MAX_VERTEX_STREAMS];
};

/* Starts the capture of a draw, after cpu_validate(). Returns false if the draw captures
 * nothing. */
bool cpu_stream_output_begin(struct cpu_context *ctx, struct cpu_stream_output *so);
/* Ends the capture of a draw: stores positions and counters in the context. */
void cpu_stream_output_end(struct cpu_context *ctx, const struct cpu_stream_output *so);
/* Captures a primitive of n vertices on a vertex stream. `out` has the outputs of the batch's
 * vertices (CPU_BATCH_VERTICES describes the layout). If the primitive doesn't fit, counts it in
 * overflows and captures nothing. */
void cpu_stream_output_prim(struct cpu_stream_output *so, const float *out,
                            const struct cpu_batch_prim *prim, unsigned n, unsigned stream);

#endif
