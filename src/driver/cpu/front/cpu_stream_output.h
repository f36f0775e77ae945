/* SPDX-License-Identifier: MIT */
/* Transform feedback of one draw. */
#ifndef CPU_STREAM_OUTPUT_H
#define CPU_STREAM_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "indium/driver.h"

struct cpu_batch_prim;
struct cpu_context;

struct cpu_stream_output {
    const struct drv_stream_output *desc;
    bool first_provokes;
    int8_t index[DRV_MAX_SO_OUTPUTS];  /* of each output among the stage's; -1: not written */
    uint8_t *base[DRV_MAX_SO_BUFFERS]; /* NULL: no buffer, nothing is captured */
    uint64_t size[DRV_MAX_SO_BUFFERS];
    uint32_t position[DRV_MAX_SO_BUFFERS];
    uint32_t used[DRV_MAX_VERTEX_STREAMS]; /* bit per buffer that the stream goes to */
    uint64_t emitted[DRV_MAX_VERTEX_STREAMS], overflows[DRV_MAX_VERTEX_STREAMS]; /* primitives */
};

/* Before the draw, after validation. False: nothing is captured. */
bool cpu_stream_output_begin(struct cpu_context *ctx, struct cpu_stream_output *so);
void cpu_stream_output_end(struct cpu_context *ctx, const struct cpu_stream_output *so);
/* One primitive of n vertices of the batch with these outputs, on a vertex stream. */
void cpu_stream_output_prim(struct cpu_stream_output *so, const float *out,
                            const struct cpu_batch_prim *prim, unsigned n, unsigned stream);

#endif
