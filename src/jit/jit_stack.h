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

#define JIT_STACK_BYTES ((size_t)64 << 20) /* address space; memory is taken as it is touched */

/* False: there is not one stack, and no memory for it. */
bool jit_stack_prepare(void);
/* The upper end of a stack, aligned to 64 bytes. Where there is no memory for one more, waits until
 * another kernel has ended: one must have been prepared. */
void *jit_stack_take(void);
void jit_stack_give(void *top);

#endif
