/* SPDX-License-Identifier: MIT */
/*
 * Stacks for kernels whose frames may not fit on the stack of an application's thread: shaders with
 * large private arrays, and huge shaders whose values are spilled to memory. The process has a pool
 * of stacks of each kind. Stacks are never unmapped, so a pool grows to the largest number of
 * stacks in use at once. Any thread may call these functions.
 */
#ifndef JIT_STACK_H
#define JIT_STACK_H

#include <stdbool.h>
#include <stddef.h>

/* Stack that a kernel's frame is on. */
enum jit_stack {
    JIT_STACK_CALLERS, /* the calling thread's stack, which may have only 128 KB */
    JIT_STACK_SMALL,   /* 4 MB: suffices for most kernels and spares address space */
    JIT_STACK_LARGE,   /* 64 MB */
};
#define JIT_STACK_COUNT (JIT_STACK_LARGE + 1)

/* Returns the maximum size of a kernel's frame on that stack in bytes. */
size_t jit_stack_frame(enum jit_stack which);

/* Makes sure that the process has at least one stack of kind `which`, which must not be
 * JIT_STACK_CALLERS. Returns false if memory is exhausted. */
bool jit_stack_prepare(enum jit_stack which);
/* Takes a small stack from the pool and returns its upper end, aligned to 64 bytes. If no stack can
 * be mapped, waits until a kernel releases one. jit_stack_prepare must have succeeded. */
void *jit_stack_take_small(void);
/* Takes a large stack; otherwise like jit_stack_take_small. */
void *jit_stack_take_large(void);
/* Returns a small stack to the pool, given its upper end. */
void jit_stack_release_small(void *top);
/* Returns a large stack to the pool, given its upper end. */
void jit_stack_release_large(void *top);
/* Takes a small stack, calls body(args) on it, and releases it. Waits and requires
 * jit_stack_prepare, like jit_stack_take_small. */
void jit_stack_call_small(void (*body)(void *args), void *args);
/* Calls body(args) on a large stack; otherwise like jit_stack_call_small. */
void jit_stack_call_large(void (*body)(void *args), void *args);

#endif
