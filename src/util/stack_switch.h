/* SPDX-License-Identifier: MIT */
#ifndef UTIL_STACK_SWITCH_H
#define UTIL_STACK_SWITCH_H

/* Calls function(data) on another stack. `top` is the stack's upper end, aligned to 16 bytes. The
 * function must return normally, not by longjmp. On architectures other than x86-64 and AArch64,
 * calls the function on the current stack. swapcontext is not used, because it makes a system call,
 * which a sandbox may forbid. */
void util_call_on_stack(void *top, void (*function)(void *data), void *data);

#endif
