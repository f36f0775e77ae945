/* SPDX-License-Identifier: MIT */
/*
 * Bump allocator. An arena grows in chunks; allocations are not freed individually. An arena with a
 * talloc parent is destroyed with that parent. An arena is not thread-safe. Within an attempt
 * (util/memory.h), a failed allocation makes the attempt fail instead of returning NULL.
 *
 * Several arenas that are each filled and reset often can share a pool of chunks. A pool is
 * thread-safe; it uses huge pages where the system has them.
 */
#ifndef UTIL_ARENA_H
#define UTIL_ARENA_H

#include "util/macros.h"

struct arena;
struct arena_pool;

/* Creates a pool, which must outlive its arenas. Returns NULL if out of memory. */
struct arena_pool *arena_pool_create(void);
void arena_pool_destroy(struct arena_pool *pool); /* may be NULL */

/* Creates an arena under a talloc context. Its chunks come from `pool`; if pool is NULL, or for
 * allocations over about 136 KiB, they come from the system. Returns NULL if out of memory. */
struct arena *arena_create_in(void *mem_ctx, struct arena_pool *pool);
void arena_destroy(struct arena *a); /* frees all allocations, too; a may be NULL */
/* Discards all allocations; their memory must not be used afterwards. Chunks from the pool return
 * to it; the arena keeps other chunks for reuse. */
void arena_reset(struct arena *a);
/* Allocates `size` bytes, uninitialized. align is in bytes: a power of two, at most 64. Returns
 * NULL if out of memory. */
void *arena_alloc_aligned(struct arena *a, size_t size, size_t align);
/* Allocates `size` bytes, zeroed and aligned to 16 bytes. Returns NULL if out of memory. */
void *arena_zalloc(struct arena *a, size_t size);
/* Returns the number of bytes allocated since creation or the last reset, with padding. */
size_t arena_used(const struct arena *a);

/* Creates an arena without a pool. Returns NULL if out of memory. */
static inline struct arena *arena_create(void *mem_ctx)
{
    return arena_create_in(mem_ctx, NULL);
}

/* Allocates `size` bytes, uninitialized and aligned to 16 bytes. Returns NULL if out of memory. */
static inline void *arena_alloc(struct arena *a, size_t size)
{
    return arena_alloc_aligned(a, size, 16);
}

#endif
