/* SPDX-License-Identifier: MIT */
/*
 * Memory of the threads that are the driver's own.
 *
 * The C library gives each thread that allocates, or frees, 64 MB of address space (glibc's arenas, and
 * 128 while it aligns them), which a process with a limit of some hundred does not have. So these threads
 * have heaps that take what they need, and what belongs to the C library waits until another thread
 * frees it. The link puts them between malloc and what is linked together (jit_reserve.c).
 *
 * A heap's pieces may be used and freed by any thread. Whoever frees another's hands it back for its
 * owner to use again; only what is large is given to the system at once, the rest by thread_heap_trim.
 */
#ifndef UTIL_THREAD_HEAP_H
#define UTIL_THREAD_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_heap;
extern _Thread_local struct thread_heap *thread_heap __attribute__((tls_model("initial-exec")));

/* Gives the calling thread a heap. The thread must not end. Without memory for it, or under a sanitizer,
 * whose allocators are to see everything, it has none and allocates as others do. */
void thread_heap_begin(void);

/* Whether the calling thread has a heap. */
static inline bool thread_heap_is_used(void)
{
    return __builtin_expect(thread_heap != NULL, false);
}

/* The map of heaps: each 64 KB of address space that are theirs have a bit, in leaves of 4 GB. */
#define THREAD_HEAP_ADDRESS_BITS 48 /* of what mmap returns unless asked for more */
#define THREAD_HEAP_GRANULE_BITS 16
#define THREAD_HEAP_LEAF_BITS    16
#define THREAD_HEAP_LEAVES                                                                         \
    (1u << (THREAD_HEAP_ADDRESS_BITS - THREAD_HEAP_GRANULE_BITS - THREAD_HEAP_LEAF_BITS))
extern uint64_t *thread_heap_leaves[THREAD_HEAP_LEAVES]; /* atomic pointers, or NULL */

/* Whether p is a piece of any thread's heap. */
static inline bool thread_heap_has(const void *p)
{
    uintptr_t granule = (uintptr_t)p >> THREAD_HEAP_GRANULE_BITS;
    if (granule >> (THREAD_HEAP_ADDRESS_BITS - THREAD_HEAP_GRANULE_BITS))
        return false;
    const uint64_t *leaf =
        __atomic_load_n(&thread_heap_leaves[granule >> THREAD_HEAP_LEAF_BITS], __ATOMIC_ACQUIRE);
    unsigned bit = granule & ((1u << THREAD_HEAP_LEAF_BITS) - 1);
    return leaf && __atomic_load_n(&leaf[bit / 64], __ATOMIC_RELAXED) >> bit % 64 & 1;
}

/* A piece of the calling thread's heap, aligned to 16 bytes or `align`, a power of two. NULL: no
 * memory. */
void *thread_heap_alloc(size_t size, size_t align);
/* Bytes at p, a piece of any thread's heap. */
size_t thread_heap_room(const void *p);
void thread_heap_free(void *p);

/* What the calling thread's heap has for its pieces, but for large ones; 0: it has no heap. */
size_t thread_heap_bytes(void);
/* Gives the system the parts of the calling thread's heap in which no piece is: a walk over all that were
 * freed. */
void thread_heap_trim(void);

/* What a thread with a heap does with memory of the C library: leave it to others. At least 16 bytes. */
void thread_heap_leave(void *p);
/* A list of what was left, each with the next one's address in its first bytes; NULL: nothing. For a
 * thread without a heap, which is to free them. */
void *thread_heap_left(void);

#endif
