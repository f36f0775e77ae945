/* SPDX-License-Identifier: MIT */
/*
 * Large stacks for recursive code and large frames. The compilers recurse over expressions and
 * statements, as deeply as the shader nests them. Jobs of the thread pool have buffers of up to 80
 * KiB in their frames. Applications call both from threads with small stacks.
 */
#ifndef UTIL_DEEP_STACK_H
#define UTIL_DEEP_STACK_H

#include <stdbool.h>

/* Calls function(data) on a stack for UTIL_SHALLOW_LEVELS levels of recursion, or UTIL_DEEP_LEVELS
 * if util_deep_enough has requested a large stack. Uses the current stack if it is already such a
 * stack of at least this size. Returns true after the call. Returns false, without the call, if
 * there is no memory for a stack. The function must return; it must not jump (longjmp) to a caller
 * of util_deep_call. Any thread may call util_deep_call, also recursively. Afterwards, most pages
 * of the stack that the function has touched return to the system. Sanitized builds call the
 * function on another thread. */
bool util_deep_call(void (*function)(void *data), void *data);

/* Calls function(data), which must return, on the current stack if about 256 KiB of it are left,
 * otherwise on another one. Uses the current stack also if there is no memory for another one, if
 * the stack's size is unknown, within util_deep_call, in the main thread and in sanitized
 * builds. */
void util_roomy_call(void (*function)(void *data), void *data);

/* Calls function(data) with util_deep_call in an attempt (memory.h). Returns its value, or NULL if
 * out of memory. */
void *util_deep_attempt(void *(*function)(void *data), void *data);

/* Returns whether the stack of the current util_deep_call suffices for `levels` levels of
 * recursion. `levels` must not exceed UTIL_DEEP_LEVELS. If the stack doesn't suffice, requests
 * large stacks for the next calls of util_deep_call in this process. The caller must then return
 * from the current util_deep_call and repeat it. */
bool util_deep_enough(unsigned levels);

/* Levels of recursion that fit the large and the small stacks, at 44 KiB per level. Few shaders
 * need large stacks, and address space may be limited (RLIMIT_AS). */
#define UTIL_DEEP_LEVELS    6000u
#define UTIL_SHALLOW_LEVELS 350u

#endif
