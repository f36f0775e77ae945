/* SPDX-License-Identifier: MIT */
/*
 * Calls into LLVM that can't end the process.
 *
 * LLVM reports what it can't do by ending the process: report_fatal_error() and failed allocations call
 * exit() or abort(). While a thread is under a guard, such an end leaves the guarded call instead. What the
 * call had made or locked is abandoned, never freed and never used again: docs/design/01-llvm-fatal-errors.md.
 */
#ifndef JIT_GUARD_H
#define JIT_GUARD_H

#include <stdbool.h>

enum jit_outcome {
    JIT_SUCCEEDED,
    JIT_FAILED,    /* the call returned false */
    JIT_ABANDONED, /* LLVM would have ended the process */
    JIT_REFUSED,   /* LLVM isn't called any more: too much was abandoned before */
};

/* Installs LLVM's fatal error handler. Once per process. */
void jit_guard_install(void);

/* Calls function(data). The call may allocate with talloc only within attempts (util/memory.h) that begin and
 * end in it. It holds no lock of this project while it calls LLVM. Guards don't nest. */
enum jit_outcome jit_guard_run(bool (*function)(void *data), void *data);

/* The message of this thread's last abandoned call, valid until its next one. */
const char *jit_guard_message(void);

/* Called where malloc returns NULL for good. Doesn't return if the thread is under a guard. */
void jit_guard_out_of_memory(void);

#endif
