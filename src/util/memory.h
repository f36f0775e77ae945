/* SPDX-License-Identifier: MIT */
/*
 * Work that ends as a whole where there is no memory.
 *
 * Compilers build graphs of many small pieces, and hardly any of their functions could go on without
 * one. So whoever calls them makes an attempt: within it, talloc's functions and arenas never return
 * NULL for want of memory, but leave for the attempt's start, which frees what was made meanwhile.
 * The link does that (`--wrap`, memory_talloc.c): whatever links this room has it. Without an attempt
 * they return NULL as ever.
 *
 * What an attempt may do:
 *  - allocate with talloc, below any context or NULL; in the end what is below NULL still belongs to
 *    whoever has it, after a failure it is freed;
 *  - change what existed before only if the caller gives that up after a failure;
 *  - allocate by other means, hold locks, call what is not of this project: only where no talloc
 *    function comes between this and its end.
 */
#ifndef UTIL_MEMORY_H
#define UTIL_MEMORY_H

#include <setjmp.h>
#include <stdbool.h>

struct util_attempt {
    jmp_buf start;
    void *made; /* talloc context: what is allocated below NULL */
    struct util_attempt *outer;
};

/* This thread's; they nest. Begin returns false if there is no memory; then there is no end. */
bool util_attempt_begin(struct util_attempt *attempt);
void util_attempt_end(struct util_attempt *attempt);

/* Leaves this thread's innermost attempt, if there is one: it is over, and has failed. */
void util_out_of_memory(void);

/* Moves a context below NULL, where no attempt of this thread frees it. */
void util_attempt_keep(void *context);

/* Around work that is not part of this thread's attempts, other threads' jobs. */
struct util_attempt *util_attempt_suspend(void);
void util_attempt_resume(struct util_attempt *attempt);

/* What stands for the context NULL just now. */
void *util_attempt_root(void);

/* The value of a call, a pointer or whether it did well; NULL or false if it ran out of memory, too.
 * Locals of the function around it must not change within. */
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
