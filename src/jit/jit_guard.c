/* SPDX-License-Identifier: MIT */
/*
 * Guarded calls: LLVM's fatal error handler and wrappers of abort() and exit() that return from the
 * guarded call by longjmp. The linker option --wrap (meson.build) substitutes the wrappers in
 * everything that is linked with LLVM.
 */
#include "jit/jit_guard.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/ErrorHandling.h>

#include "util/memory.h"

/* Number of abandoned calls after which LLVM is no longer called. Each leaks some megabytes. */
#define MAX_ABANDONED 16

struct guard {
    jmp_buf start;
    struct util_attempt *attempt; /* the thread's attempt outside the guard */
};

static _Thread_local struct guard *current __attribute__((tls_model("initial-exec")));
static _Thread_local char message[256];
static unsigned num_abandoned; /* atomic */

/* Abandons the guarded call; returns only if the thread isn't under a guard. */
static void leave(const char *reason)
{
    struct guard *guard = current;
    if (!guard)
        return;
    current = NULL;
    strncpy(message, reason, sizeof message - 1);
    longjmp(guard->start, 1);
}

static void take_fatal_error(const char *reason)
{
    leave(reason);
}

void jit_guard_install(void)
{
    LLVMInstallFatalErrorHandler(take_fatal_error);
}

const char *jit_guard_message(void)
{
    return message;
}

/* LLVM may hold locks or be in a one-time initialization when an allocation fails, so it must not
 * be called again. */
void jit_guard_out_of_memory(void)
{
    if (!current)
        return;
    __atomic_store_n(&num_abandoned, MAX_ABANDONED, __ATOMIC_RELAXED);
    leave("out of memory");
}

enum jit_outcome jit_guard_run(bool (*function)(void *data), void *data)
{
    struct guard guard;
    if (__atomic_load_n(&num_abandoned, __ATOMIC_RELAXED) >= MAX_ABANDONED)
        return JIT_REFUSED;
    guard.attempt = util_attempt_suspend();
    if (setjmp(guard.start)) {
        __atomic_add_fetch(&num_abandoned, 1, __ATOMIC_RELAXED);
        util_attempt_resume(guard.attempt);
        return JIT_ABANDONED;
    }
    current = &guard;
    bool done = function(data);
    current = NULL;
    util_attempt_resume(guard.attempt);
    return done ? JIT_SUCCEEDED : JIT_FAILED;
}

/* --- the C library's functions (--wrap) --- */

_Noreturn void __real_abort(void);
_Noreturn void __real_exit(int status);
_Noreturn void __wrap_abort(void);
_Noreturn void __wrap_exit(int status);

void __wrap_abort(void)
{
    leave("abort");
    __real_abort();
}

void __wrap_exit(int status)
{
    leave("exit");
    __real_exit(status);
}
