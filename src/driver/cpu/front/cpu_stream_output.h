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
    bool first_provokes;
    int8_t index[DRV_MAX_SO_OUTPUTS];  /* index of each in the stage's outputs; -1: not written */
    uint8_t *base[DRV_MAX_SO_BUFFERS]; /* NULL: no buffer, nothing is captured */
    uint64_t size[DRV_MAX_SO_BUFFERS];
    uint32_t position[DRV_MAX_SO_BUFFERS];
    uint32_t used[DRV_MAX_VERTEX_STREAMS]; /* buffers that the stream writes, one bit each */
    uint64_t emitted[DRV_MAX_VERTEX_STREAMS], overflows[DRV_MAX_VERTEX_STREAMS]; /* primitives */
};

/* Starts the capture of a draw, after validation. Returns false if nothing is captured. */
bool cpu_stream_output_begin(struct cpu_context *ctx, struct cpu_stream_output *so);
/* Ends the capture of a draw: stores positions and counters in the context. */
void cpu_stream_output_end(struct cpu_context *ctx, const struct cpu_stream_output *so);
/* Captures a primitive of n vertices on a vertex stream. `out` has the outputs of the batch's
 * vertices. */
void cpu_stream_output_prim(struct cpu_stream_output *so, const float *out,
                            const struct cpu_batch_prim *prim, unsigned n, unsigned stream);

#endif
