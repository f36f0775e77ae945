/* SPDX-License-Identifier: MIT */
/*
 * The trace of an execution: packets, the state of each primitive command, surfaces, samplers and
 * kernels when they are first used, and the history of one pixel. A model that writes a trace runs
 * on one thread. The functions that print may only be called if model_traces() returns true.
 */
#ifndef MODEL_TRACE_H
#define MODEL_TRACE_H

#include "model_private.h"

/* Returns whether the model writes a trace. */
static inline bool model_traces(const struct model_context *ctx)
{
    return ctx->model && ctx->model->trace;
}

/* Returns whether the model writes a trace with the history of this pixel. */
static inline bool model_traces_pixel(const struct model_context *ctx, int32_t x, int32_t y)
{
    return model_traces(ctx) && ctx->model->trace_pixel[0] == x && ctx->model->trace_pixel[1] == y;
}

/* Prints a packet, whose address is ctx->packet_address. */
void model_trace_packet(const struct model_context *ctx, enum i965_layout_id id,
                        const uint32_t *dwords, unsigned count);
/* Prints the state that packets have set, and the viewports, scissor rectangles, blend and color
 * calculator states that it points to; of a blend state, only the first entry. Leaves out vertex
 * and stream output buffers that are not in use. */
void model_trace_state(struct model_context *ctx);
/* Prints a structure. format: printf format of its title. */
void model_trace_struct(const struct model_context *ctx, enum i965_layout_id id,
                        const uint32_t *dwords, unsigned count, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Prints the instructions of a kernel of `size` bytes. */
void model_trace_kernel(const struct model_context *ctx, uint64_t address, const uint8_t *bytes,
                        size_t size);
/* Prints a line of the traced pixel's history. format: printf format of the line. */
void model_trace_pixel(const struct model_context *ctx, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
