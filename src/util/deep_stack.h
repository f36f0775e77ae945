/* SPDX-License-Identifier: MIT */
/*
 * Large stacks for recursive code. The compilers recurse over expressions and statements, as deep as
 * the shader nests them, and applications call them from threads with small stacks.
 */
#ifndef UTIL_DEEP_STACK_H
#define UTIL_DEEP_STACK_H

#include <stdbool.h>

/* Calls function(data) on a stack of UTIL_DEEP_STACK_BYTES, or on the current one if that already is
 * such a stack. Returns false, without the call, if there is no memory for a stack. The function
 * must return; it must not jump (longjmp) to a caller of util_deep_call. Pages that it touched are
 * released afterwards. Sanitized builds call it on another thread. */
bool util_deep_call(void (*function)(void *data), void *data);

/* Calls function(data) with util_deep_call in an attempt (memory.h). Returns its value, or NULL if
 * memory ran out. */
void *util_deep_attempt(void *(*function)(void *data), void *data);

#define UTIL_DEEP_STACK_BYTES ((unsigned long)256 << 20)

#endif
