/* SPDX-License-Identifier: MIT */
/*
 * Bump allocator. Memory comes in chunks that grow; nothing is freed singly. An arena that hangs
 * under a talloc context goes with it. Not thread-safe.
 */
#ifndef UTIL_ARENA_H
#define UTIL_ARENA_H

#include "util/macros.h"

struct arena;

/* NULL on no memory. */
struct arena *arena_create(void *mem_ctx);
void arena_destroy(struct arena *a);
/* Makes all memory free again and keeps the chunks for reuse. */
void arena_reset(struct arena *a);
/* align: a power of two, at most 64. NULL on no memory. Uninitialized / zeroed. */
void *arena_alloc_aligned(struct arena *a, size_t size, size_t align);
void *arena_zalloc(struct arena *a, size_t size);
/* Bytes handed out since creation or reset. */
size_t arena_used(const struct arena *a);

static inline void *arena_alloc(struct arena *a, size_t size)
{
    return arena_alloc_aligned(a, size, 16);
}

#endif
