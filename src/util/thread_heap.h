/* SPDX-License-Identifier: MIT */
/*
 * Heaps for the driver's own threads.
 *
 * glibc reserves 64 MB of address space for each thread that allocates or frees (an arena; 128 MB
 * while it aligns the arena). A process with an address space limit of a few hundred MB cannot
 * afford that. The driver's threads therefore use these heaps, which grow on demand. Memory of the
 * C library that they would free is queued for another thread to free. The linker redirects malloc
 * and related functions of everything that it links into the driver (jit_reserve.c).
 *
 * Any thread may use and free blocks of any heap. A block freed by another thread returns to its
 * owner for reuse. Large blocks are unmapped at once; thread_heap_trim unmaps the rest.
 */
#ifndef UTIL_THREAD_HEAP_H
#define UTIL_THREAD_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_heap;

/* Heap of the calling thread, or NULL. */
extern _Thread_local struct thread_heap *thread_heap __attribute__((tls_model("initial-exec")));

/* Creates a heap for the calling thread, which must never exit. The thread gets none if memory runs
 * out, or under a sanitizer, whose allocator must see all allocations. */
void thread_heap_begin(void);

/* Returns whether the calling thread has a heap. */
static inline bool thread_heap_is_used(void)
{
    return __builtin_expect(thread_heap != NULL, false);
}

/* Bitmap of the address space that belongs to heaps: one bit per 64 KB, in leaves of 4 GB. */
#define THREAD_HEAP_ADDRESS_BITS 48 /* mmap returns addresses below 2^48 unless asked otherwise */
#define THREAD_HEAP_GRANULE_BITS 16
#define THREAD_HEAP_LEAF_BITS    16
#define THREAD_HEAP_LEAVES                                                                         \
    (1u << (THREAD_HEAP_ADDRESS_BITS - THREAD_HEAP_GRANULE_BITS - THREAD_HEAP_LEAF_BITS))
/* Atomic pointers to the leaves; NULL if no granule of a leaf is used. */
extern uint64_t *thread_heap_leaves[THREAD_HEAP_LEAVES];

/* Returns whether p is a block of any thread's heap. */
static inline bool thread_heap_contains(const void *p)
{
    uintptr_t granule = (uintptr_t)p >> THREAD_HEAP_GRANULE_BITS;
    if (granule >> (THREAD_HEAP_ADDRESS_BITS - THREAD_HEAP_GRANULE_BITS))
        return false;
    const uint64_t *leaf =
        __atomic_load_n(&thread_heap_leaves[granule >> THREAD_HEAP_LEAF_BITS], __ATOMIC_ACQUIRE);
    unsigned bit = granule & ((1u << THREAD_HEAP_LEAF_BITS) - 1);
    return leaf && __atomic_load_n(&leaf[bit / 64], __ATOMIC_RELAXED) >> bit % 64 & 1;
}

/* Allocates a block from the calling thread's heap, aligned to max(16, align) bytes; align is a
 * power of two. Returns NULL if memory runs out. */
void *thread_heap_alloc(size_t size, size_t align);
/* Returns the usable size in bytes of a block of any thread's heap. */
size_t thread_heap_usable_size(const void *p);
void thread_heap_free(void *p);

/* Returns the bytes mapped for the calling thread's heap without large blocks; 0 if it has no
 * heap. */
size_t thread_heap_bytes(void);
/* Unmaps the parts of the calling thread's heap that contain no used block. Walks all free
 * blocks. */
void thread_heap_trim(void);

/* Queues memory of the C library for another thread to free; called by threads with a heap. The
 * memory has at least 16 bytes. */
void thread_heap_defer_free(void *p);
/* Returns the queue of thread_heap_defer_free and empties it; NULL if it is empty. The first bytes
 * of each block point to the next one. The caller, a thread without a heap, frees them. */
void *thread_heap_take_deferred(void);

#endif
