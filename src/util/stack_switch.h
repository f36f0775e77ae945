/* SPDX-License-Identifier: MIT */
#ifndef UTIL_STACK_SWITCH_H
#define UTIL_STACK_SWITCH_H

/* Calls function(data) on another stack, whose upper end is `top`, aligned to 16 bytes. The function
 * must return; it must not jump (longjmp) out of the call. On architectures other than x86-64 and
 * AArch64, calls it on the current stack. swapcontext would make a system call, which a sandbox may
 * forbid. */
void util_call_on_stack(void *top, void (*function)(void *data), void *data);

#endif
