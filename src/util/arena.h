/* SPDX-License-Identifier: MIT */
/*
 * Bump allocator. An arena grows in chunks; allocations are not freed individually. An arena with a
 * talloc parent is destroyed with that parent. Not thread-safe.
 *
 * Several arenas that are each filled and reset often can share a pool of chunks. Pools are
 * thread-safe and use huge pages where the system has them.
 */
#ifndef UTIL_ARENA_H
#define UTIL_ARENA_H

#include "util/macros.h"

struct arena;
struct arena_pool;

/* Creates or destroys a pool. arena_pool_create returns NULL if memory runs out. A pool must
 * outlive its arenas. */
struct arena_pool *arena_pool_create(void);
void arena_pool_destroy(struct arena_pool *pool); /* may be NULL */

/* Creates an arena under a talloc context. Its chunks come from `pool`, or from malloc if `pool` is
 * NULL. Returns NULL if memory runs out. */
struct arena *arena_create_in(void *mem_ctx, struct arena_pool *pool);
void arena_destroy(struct arena *a);
/* Discards all allocations. The chunks are kept for reuse, in the pool if there is one. */
void arena_reset(struct arena *a);
/* Allocates uninitialized memory (arena_alloc_aligned) or zeroed memory (arena_zalloc). align is a
 * power of two, at most 64. Both return NULL if memory runs out. */
void *arena_alloc_aligned(struct arena *a, size_t size, size_t align);
void *arena_zalloc(struct arena *a, size_t size);
/* Returns the number of bytes allocated since creation or the last reset. */
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
