/* SPDX-License-Identifier: MIT */
/*
 * Stacks for kernels whose frames are larger than what an application's thread may have left: shaders
 * with large private arrays, and huge ones, whose values lie in memory. They are as many as such
 * kernels ran at once, belong to the process and stay. Any thread.
 */
#ifndef JIT_STACK_H
#define JIT_STACK_H

#include <stdbool.h>
#include <stddef.h>

/* Where a kernel has its frame. */
enum jit_stack {
    JIT_STACK_CALLERS, /* of whoever runs the kernel: a thread may have 128 KB */
    JIT_STACK_SMALL,   /* 4 MB: most, and a process may not have much address space */
    JIT_STACK_LARGE,   /* 64 MB */
};
#define JIT_STACKS (JIT_STACK_LARGE + 1)

/* Bytes that a kernel's frame may have there. */
size_t jit_stack_frame(enum jit_stack which);

/* Not of JIT_STACK_CALLERS. False: there is not one such stack, and no memory for it. */
bool jit_stack_prepare(enum jit_stack which);
/* The upper end of a stack, aligned to 64 bytes. Where there is no memory for one more, waits until
 * another kernel has ended: one must have been prepared. */
void *jit_stack_take_small(void);
void *jit_stack_take_large(void);
void jit_stack_give_small(void *top);
void jit_stack_give_large(void *top);

#endif
