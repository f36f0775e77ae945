/* SPDX-License-Identifier: MIT */
/*
 * Memory for LLVM where malloc has none.
 *
 * LLVM ends the process when an allocation fails, and what it has half built cannot be left behind:
 * operator new and malloc must not fail within it. So before it is called, address space is mapped for
 * all that it may need, which costs no memory until it is used. While a thread has such a reserve,
 * allocations that malloc, or the thread's own heap (thread_heap.h), refuses are taken from there. The
 * link puts that between malloc and all that is linked together with LLVM (`--wrap`, meson.build); free
 * and realloc know the pieces, on any thread, also when the reserve has been closed: its last piece
 * unmaps it.
 */
#ifndef JIT_RESERVE_H
#define JIT_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

/* For this thread, until it is closed; they nest, the innermost counts. NULL: no memory. */
struct jit_reserve *jit_reserve_open(size_t bytes);
void jit_reserve_close(struct jit_reserve *reserve);

/* For calls that give memory back and must not fail: a small reserve that is always there. */
void jit_reserve_open_last(void);
void jit_reserve_close_last(void);

#endif
