/* SPDX-License-Identifier: MIT */
/*
 * Bump allocator. Memory comes in chunks that grow; nothing is freed singly. An arena that hangs
 * under a talloc context goes with it. Not thread-safe.
 *
 * Arenas that are filled and emptied in turns, of which each holds little, may share a pool: it is
 * thread-safe, and its pages are huge where the system has such.
 */
#ifndef UTIL_ARENA_H
#define UTIL_ARENA_H

#include "util/macros.h"

struct arena;
struct arena_pool;

/* NULL on no memory. A pool outlives its arenas. */
struct arena_pool *arena_pool_create(void);
void arena_pool_destroy(struct arena_pool *pool); /* NULL is fine */

/* pool: where chunks come from, or NULL. NULL on no memory. */
struct arena *arena_create_in(void *mem_ctx, struct arena_pool *pool);
void arena_destroy(struct arena *a);
/* Makes all memory free again and keeps the chunks for reuse, in the pool if there is one. */
void arena_reset(struct arena *a);
/* align: a power of two, at most 64. NULL on no memory. Uninitialized / zeroed. */
void *arena_alloc_aligned(struct arena *a, size_t size, size_t align);
void *arena_zalloc(struct arena *a, size_t size);
/* Bytes handed out since creation or reset. */
size_t arena_used(const struct arena *a);

static inline struct arena *arena_create(void *mem_ctx)
{
    return arena_create_in(mem_ctx, NULL);
}

static inline void *arena_alloc(struct arena *a, size_t size)
{
    return arena_alloc_aligned(a, size, 16);
}

#endif
