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
    const struct drv_stream_output *desc; /* of the shader of the last vertex-processing stage */
    bool first_provokes; /* the first vertex of a primitive is the provoking vertex */
    /* For each element of desc's outputs: index in the stage's vec4 outputs; -1: not written. */
    int8_t index[DRV_MAX_SO_OUTPUTS];
    uint8_t *base[DRV_MAX_SO_BUFFERS];     /* start of the bound range; NULL: no buffer */
    uint64_t size[DRV_MAX_SO_BUFFERS];     /* bytes in the bound range */
    uint32_t position[DRV_MAX_SO_BUFFERS]; /* bytes from base to where the next vertex is written */
    uint32_t used[DRV_MAX_VERTEX_STREAMS]; /* mask of the buffers that each stream writes */
    /* Per stream: primitives that were captured, and primitives that did not fit. */
    uint64_t emitted[DRV_MAX_VERTEX_STREAMS], overflows[DRV_MAX_VERTEX_STREAMS];
};

/* Starts the capture of a draw, after cpu_validate(). Initializes *so, which borrows the shader's
 * description and the buffers' memory until the draw ends. Returns false, and leaves *so alone, if
 * the draw captures nothing. */
bool cpu_stream_output_begin(struct cpu_context *ctx, struct cpu_stream_output *so);
/* Ends the capture of a draw. Stores the positions in the context, and adds the numbers of
 * primitives to its counters. */
void cpu_stream_output_end(struct cpu_context *ctx, const struct cpu_stream_output *so);
/* Captures a primitive of n vertices on a vertex stream, or counts it in overflows if it doesn't
 * fit in all buffers of the stream. Does nothing if the stream has no outputs. `out` has the
 * outputs of the batch's vertices (CPU_BATCH_VERTICES describes the layout). Triangles are rotated
 * so that a draw of the captured vertices has the same provoking vertex. */
void cpu_stream_output_prim(struct cpu_stream_output *so, const float *out,
                            const struct cpu_batch_prim *prim, unsigned n, unsigned stream);

#endif
