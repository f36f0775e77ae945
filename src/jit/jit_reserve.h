/* SPDX-License-Identifier: MIT */
/*
 * Emergency memory for LLVM, used when malloc fails.
 *
 * LLVM ends the process when an allocation fails, and a half-finished LLVM call can't be cleaned
 * up. Allocations within LLVM must therefore succeed. Before calling LLVM, a thread opens a
 * reserve: it maps address space for everything that the call may need, which costs no memory until
 * it is touched. While the thread has an open reserve, allocations that malloc or the thread's heap
 * (thread_heap.h) refuse come from the reserve, or, if it is exhausted, from a static one.
 *
 * The linker option --wrap (meson.build) redirects the allocation functions of everything that is
 * linked with LLVM to jit_reserve.c. free and realloc accept blocks of a reserve on any thread,
 * also after the reserve was closed; freeing its last block unmaps it.
 */
#ifndef JIT_RESERVE_H
#define JIT_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

/* Opens a reserve of that many bytes for the calling thread. Reserves nest; allocations use the
 * innermost one. Returns NULL if memory is exhausted. */
struct jit_reserve *jit_reserve_open(size_t bytes);
/* Closes the calling thread's innermost reserve, which must be this one. */
void jit_reserve_close(struct jit_reserve *reserve);

/* Lets the calling thread use a small static reserve that always exists: for cleanup calls, which
 * must not fail. Calls nest. */
void jit_reserve_open_last(void);
/* Ends the use that jit_reserve_open_last began. */
void jit_reserve_close_last(void);

#endif
