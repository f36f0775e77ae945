/* SPDX-License-Identifier: MIT */
/*
 * Guards: calls into LLVM that can't end the process.
 *
 * LLVM reports some errors by ending the process: report_fatal_error() and failed allocations call
 * exit() or abort(). While a thread is under a guard, these functions return from the guarded call
 * instead. Memory and locks of the abandoned call are never freed and never used again; see
 * docs/design/01-llvm-fatal-errors.md.
 */
#ifndef JIT_GUARD_H
#define JIT_GUARD_H

#include <stdbool.h>

/* Result of a guarded call. */
enum jit_outcome {
    JIT_SUCCEEDED, /* the call returned true */
    JIT_FAILED,    /* the call returned false */
    JIT_ABANDONED, /* stopped: LLVM would have ended the process */
    JIT_REFUSED,   /* not called: too many earlier calls were abandoned, or one ran out of memory */
};

/* Makes fatal errors of LLVM abandon the guarded call. Call it once per process, before the first
 * jit_guard_run(). */
void jit_guard_install(void);

/* Calls function(data) under a guard. The call may allocate with talloc only within attempts
 * (util/memory.h) that begin and end inside it, and it must hold no lock of Indium while it calls
 * LLVM. Guards don't nest. */
enum jit_outcome jit_guard_run(bool (*function)(void *data), void *data);

/* Returns the error message of this thread's last abandoned call, or "" if there was none. It is
 * valid until the thread abandons another call. */
const char *jit_guard_message(void);

/* Call this if an allocation fails and can't be retried. If the thread is under a guard, abandons
 * the guarded call, and all later guarded calls of the process are refused. Otherwise does
 * nothing. */
void jit_guard_out_of_memory(void);

#endif
