/* SPDX-License-Identifier: MIT */
/*
 * Checks of a strict model: reads of memory that was never written, or whose last write may still
 * be in another cache. On hardware, such a write may be visible to the read or not, depending on
 * what the caches happen to hold. Linux flushes and invalidates all caches between batches, so only
 * accesses of one execution matter. Memory is tracked in lines of 64 bytes, and only the first 2^18
 * pages of 4096 bytes that an execution accesses. A strict model runs on one thread.
 *
 * Caches are tracked by the unit that accesses memory. Data port accesses of a kernel count as
 * those of the data cache, also reads of constants.
 * Source: Skylake PRM, volume 2a, "PIPE_CONTROL"; volume 5, "Memory Views".
 */
#ifndef MODEL_STRICT_H
#define MODEL_STRICT_H

#include "model_surface.h"

/* The unit that accesses memory. */
enum model_cache {
    MODEL_CACHE_COMMAND, /* The command streamer, which has no cache. */
    /* Caches that hold writes until PIPE_CONTROL flushes them. */
    MODEL_CACHE_RENDER,
    MODEL_CACHE_DEPTH,
    MODEL_CACHE_DATA,
    MODEL_CACHE_STREAM, /* Stream output. */
    /* Caches that hold what they read until PIPE_CONTROL invalidates them. */
    MODEL_CACHE_TEXTURE,
    MODEL_CACHE_CONSTANT,
    MODEL_CACHE_STATE,
    MODEL_CACHE_VERTEX,
    MODEL_CACHE_INSTRUCTION,
    MODEL_CACHES,
};

/* Allocate and free ctx->strict. Returns false if memory is exhausted. */
bool model_strict_create(struct model_context *ctx);
void model_strict_destroy(struct model_context *ctx);
/* Forgets all accesses at the start of an execution. The model must be strict. */
void model_strict_start(struct model_context *ctx);
/* Records that a PIPE_CONTROL flushes and invalidates the caches that its fields name. A stall of
 * the command streamer flushes stream output, too. The model must be strict. */
void model_strict_pipe_control(struct model_context *ctx, const struct i965_pipe_control *pc);
/* Record an access of a unit to `bytes` bytes, and check reads. Errors are stored with
 * model_error() for the field "memory". The model must be strict: call the inline functions below
 * instead. */
void model_strict_read(struct model_context *ctx, enum model_cache cache, uint64_t address,
                       uint64_t bytes);
void model_strict_write(struct model_context *ctx, enum model_cache cache, uint64_t address,
                        uint64_t bytes);

/* Record an access if the model is strict. */
static inline void model_reads(struct model_context *ctx, enum model_cache cache, uint64_t address,
                               uint64_t bytes)
{
    if (__builtin_expect(ctx->strict != NULL, false))
        model_strict_read(ctx, cache, address, bytes);
}

static inline void model_writes(struct model_context *ctx, enum model_cache cache, uint64_t address,
                                uint64_t bytes)
{
    if (__builtin_expect(ctx->strict != NULL, false))
        model_strict_write(ctx, cache, address, bytes);
}

/* Record an access to an element of a surface if the model is strict. texel: the element's memory.
 * Elements outside of s->bytes are not tracked. */
static inline void model_surface_reads(const struct model_surface *s, enum model_cache cache,
                                       const uint8_t *texel)
{
    if (__builtin_expect(s->ctx->strict != NULL, false) && texel >= s->bytes &&
        texel < s->bytes + s->mapped)
        model_strict_read(s->ctx, cache, s->address + (uint64_t)(texel - s->bytes),
                          s->format.bytes);
}

static inline void model_surface_writes(const struct model_surface *s, enum model_cache cache,
                                        const uint8_t *texel)
{
    if (__builtin_expect(s->ctx->strict != NULL, false) && texel >= s->bytes &&
        texel < s->bytes + s->mapped)
        model_strict_write(s->ctx, cache, s->address + (uint64_t)(texel - s->bytes),
                           s->format.bytes);
}

#endif
