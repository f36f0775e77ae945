/* SPDX-License-Identifier: MIT */
/*
 * Out-of-memory handling for code that builds large graphs of small allocations.
 *
 * The compilers allocate in nearly every function, and few of those functions could continue after
 * a failed allocation. Their callers therefore open an attempt. Within an attempt, talloc functions
 * and arenas never return NULL for lack of memory. Instead, they free everything that the attempt
 * has allocated under NULL and jump back (longjmp) to its start, where the attempt fails. Outside
 * of an attempt, they return NULL as usual.
 *
 * Rules for code inside an attempt:
 *
 * - It may allocate with talloc under any context, including NULL. If the attempt succeeds,
 *   allocations under NULL belong to the caller; if it fails, they are freed.
 * - It may modify objects that existed before only if the caller discards them after a failure.
 * - It must not call talloc functions while it holds a lock or memory of another allocator, or from
 *   a callback of third-party code: the jump would skip the release.
 */
#ifndef UTIL_MEMORY_H
#define UTIL_MEMORY_H

#include <setjmp.h>
#include <stdbool.h>

/* State of an attempt, on the stack of the function that begins it. */
struct util_attempt {
    jmp_buf start; /* where a failure jumps to */
    void *made;    /* talloc parent of everything allocated under NULL in this attempt */
    struct util_attempt *outer; /* enclosing attempt of the thread, or NULL */
};

/* Begins an attempt of the calling thread; attempts nest. The caller must call
 * setjmp(attempt->start) next, as UTIL_ATTEMPT does. Returns false if out of memory; there is then
 * no attempt to end. */
bool util_attempt_begin(struct util_attempt *attempt);
/* Ends the thread's innermost attempt successfully. Allocations under NULL move to the outer
 * attempt, or to NULL. */
void util_attempt_end(struct util_attempt *attempt);

/* Fails the calling thread's innermost attempt and jumps to its start. Returns only if there is no
 * attempt. */
void util_out_of_memory(void);

/* Moves a talloc context out of the calling thread's attempts, so that none of them frees it. */
void util_attempt_keep(void *context);

/* Suspends the calling thread's attempts for unrelated work, such as jobs of other threads: talloc
 * functions return NULL again if out of memory. Returns the value to pass to
 * util_attempt_resume. */
struct util_attempt *util_attempt_suspend(void);
/* Resumes the attempts that util_attempt_suspend suspended. */
void util_attempt_resume(struct util_attempt *attempt);

/* Returns the talloc context that replaces NULL in the calling thread's innermost attempt. Returns
 * NULL outside of attempts. */
void *util_attempt_root(void);

/* Evaluates `call`, which returns a pointer or a success flag, in an attempt. Evaluates to its
 * value, or to NULL or false if out of memory. `call` must not modify locals of the enclosing
 * function. */
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
