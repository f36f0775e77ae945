/* SPDX-License-Identifier: MIT */
/*
 * Heaps for the driver's own threads.
 *
 * glibc reserves an arena of 64 MB of address space for each thread that allocates or frees, and
 * 128 MB while it aligns the arena. A process limited to a few hundred MB of address space cannot
 * afford that. The driver's threads therefore allocate from these heaps, which grow on demand. When
 * they free a block of the C library's heap, it is queued for another thread to free. The linker
 * redirects calls of malloc and related functions in everything that it links into the driver
 * (jit_reserve.c).
 *
 * Any thread may use and free blocks of any heap. A block freed by another thread returns to its
 * heap for reuse. A block over 256 KiB is unmapped when it is freed; thread_heap_trim returns other
 * unused memory to the system.
 */
#ifndef UTIL_THREAD_HEAP_H
#define UTIL_THREAD_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_heap;

/* Heap of the calling thread; NULL if it has none. */
extern _Thread_local struct thread_heap *thread_heap __attribute__((tls_model("initial-exec")));

/* Creates a heap for the calling thread, which must never exit. Does nothing if out of memory or if
 * 4,096 heaps exist already. Does nothing under ASan or TSan either, because their allocators must
 * see all allocations. */
void thread_heap_begin(void);

/* Returns whether the calling thread has a heap. */
static inline bool thread_heap_is_used(void)
{
    return __builtin_expect(thread_heap != NULL, false);
}

/* Two-level bitmap of the addresses that belong to heaps. A bit stands for a granule of 64 KiB, a
 * leaf for 4 GiB. */
#define THREAD_HEAP_ADDRESS_BITS 48 /* mmap returns addresses below 2^48 unless asked otherwise */
#define THREAD_HEAP_GRANULE_BITS 16
#define THREAD_HEAP_LEAF_BITS    16
#define THREAD_HEAP_LEAVES                                                                         \
    (1u << (THREAD_HEAP_ADDRESS_BITS - THREAD_HEAP_GRANULE_BITS - THREAD_HEAP_LEAF_BITS))
/* Atomic pointers to the leaves; NULL for a leaf without heap memory so far. */
extern uint64_t *thread_heap_leaves[THREAD_HEAP_LEAVES];

/* Returns whether p points into memory of any thread's heap. */
static inline bool thread_heap_contains(const void *p)
{
    uint64_t granule = (uint64_t)(uintptr_t)p >> THREAD_HEAP_GRANULE_BITS;
    if (granule >> (THREAD_HEAP_ADDRESS_BITS - THREAD_HEAP_GRANULE_BITS))
        return false;
    const uint64_t *leaf =
        __atomic_load_n(&thread_heap_leaves[granule >> THREAD_HEAP_LEAF_BITS], __ATOMIC_ACQUIRE);
    unsigned bit = granule & ((1u << THREAD_HEAP_LEAF_BITS) - 1);
    return leaf && __atomic_load_n(&leaf[bit / 64], __ATOMIC_RELAXED) >> bit % 64 & 1;
}

/* Allocates a block from the calling thread's heap, aligned to max(16, align) bytes; align is a
 * power of two, at most 2 MiB. Returns NULL if out of memory or if the thread has no heap. */
void *thread_heap_alloc(size_t size, size_t align);
/* Returns the usable size in bytes of a block of any thread's heap. */
size_t thread_heap_usable_size(const void *p);
/* Frees a block of any thread's heap; p is not NULL. */
void thread_heap_free(void *p);

/* Returns the number of bytes mapped for the calling thread's heap, without blocks over 256 KiB and
 * without pages that thread_heap_trim has released. Returns 0 if the thread has no heap. */
size_t thread_heap_bytes(void);
/* Returns unused memory of the calling thread's heap to the system. Unmaps segments without used
 * blocks, except the first one and the one that new blocks are cut from. In the remaining segments,
 * releases runs of at least 12 KiB of pages without used blocks (MADV_DONTNEED). These pages keep
 * their addresses. Takes time proportional to the number of segments and free blocks. */
void thread_heap_trim(void);

/* Queues a block of the C library's heap, at least 16 bytes, for a thread without a heap to free.
 * Called by threads with a heap. */
void thread_heap_defer_free(void *p);
/* Empties the queue of thread_heap_defer_free and returns its first block, or NULL if it was empty.
 * Each block begins with a pointer to the next one, NULL in the last block. The caller, a thread
 * without a heap, must free all blocks. */
void *thread_heap_take_deferred(void);

#endif
