/* SPDX-License-Identifier: MIT */
/*
 * Out-of-memory handling for code that builds large graphs of small allocations.
 *
 * The compilers allocate in nearly every function, and few of those functions could continue after
 * a failed allocation. Their callers therefore open an attempt. Within an attempt, talloc functions
 * and arenas never return NULL for lack of memory. Instead they jump back (longjmp) to the start of
 * the attempt, which fails and frees everything allocated in the meantime. The linker option
 * `--wrap` (memory_talloc.c) redirects the talloc functions in everything that links this module.
 * Outside of an attempt, they return NULL as usual.
 *
 * Rules for code inside an attempt:
 *
 * - It may allocate with talloc under any context, including NULL. If the attempt succeeds,
 *   allocations under NULL belong to the caller; if it fails, they are freed.
 * - It may modify objects that existed before only if the caller discards them after a failure.
 * - It may allocate by other means, hold locks or call third-party code only if no talloc function
 *   runs before the matching release.
 */
#ifndef UTIL_MEMORY_H
#define UTIL_MEMORY_H

#include <setjmp.h>
#include <stdbool.h>

struct util_attempt {
    jmp_buf start;
    void *made; /* talloc parent of everything allocated under NULL in this attempt */
    struct util_attempt *outer;
};

/* Begins or ends an attempt of the calling thread. Attempts nest. If util_attempt_begin returns
 * false, memory ran out; don't call util_attempt_end then. */
bool util_attempt_begin(struct util_attempt *attempt);
void util_attempt_end(struct util_attempt *attempt);

/* Aborts the calling thread's innermost attempt, if there is one, and jumps to its start. */
void util_out_of_memory(void);

/* Reparents a talloc context to NULL so that no attempt of this thread frees it. */
void util_attempt_keep(void *context);

/* Suspends and resumes the calling thread's attempts around unrelated work, such as other threads'
 * jobs. util_attempt_suspend returns the value to pass to util_attempt_resume. */
struct util_attempt *util_attempt_suspend(void);
void util_attempt_resume(struct util_attempt *attempt);

/* Returns the talloc context that replaces NULL in the current attempt; NULL outside of
 * attempts. */
void *util_attempt_root(void);

/* Evaluates `call` in an attempt and returns its value, a pointer or a success flag. Returns NULL
 * or false if memory runs out. `call` must not modify locals of the enclosing function. */
#define UTIL_ATTEMPT(call)                                                                         \
    ({                                                                                             \
        struct util_attempt attempt_;                                                              \
        volatile __typeof__(call) result_ = 0;                                                     \
        if (util_attempt_begin(&attempt_) && !setjmp(attempt_.start)) {                            \
            result_ = (call);                                                                      \
            util_attempt_end(&attempt_);                                                           \
        }                                                                                          \
        result_;                                                                                   \
    })

#endif
