/* SPDX-License-Identifier: MIT */
/*
 * A thread that stops work that takes longer than INDIUM_TIMEOUT, measured in CPU time. It samples
 * the workers, the threads that work on a task, CHECKS times per timeout (watchdog.c). It sleeps
 * once there has been no worker for a whole timeout. Two limits exist:
 *
 *  - Progress: a worker must advance its progress counter before it has spent the timeout.
 *  - Total: a task with nonzero `commands` may spend the timeout once per command. If several
 *    threads work on the task, the CPU time of the busiest counts, as if all ran on idle CPUs.
 *
 * The functions are thread-safe.
 */
#ifndef UTIL_WATCHDOG_H
#define UTIL_WATCHDOG_H

#include <time.h>

#include "util/list.h"
#include "util/macros.h"

/* Values of watchdog_stop.flag. */
enum watchdog_reason {
    WATCHDOG_RUN = 0,
    WATCHDOG_STALLED = 1, /* a worker made no progress, or watchdog_stop() was called */
    WATCHDOG_TOTAL = 2,   /* a task exceeded its total limit */
};

struct watchdog_task;

/* A request to stop the work on one or several tasks. Zero-initialize it. */
struct watchdog_stop {
    uint32_t flag;                    /* atomic: enum watchdog_reason; the work polls it */
    const struct watchdog_task *task; /* first task over a limit; NULL: watchdog_stop() was first */
};

/* A task: a draw or dispatch. Zero-initialize it. It must live until no thread works on it. */
struct watchdog_task {
    struct watchdog_stop *stop; /* atomic pointer, not NULL: its flag is set to stop the task */
    uint32_t commands;          /* atomic: commands that share the total limit; 0: no total limit */
    /* Private. round: number of the last check. charged: CPU time in ns charged in that check.
     * spent: CPU time in ns charged in all checks. */
    uint32_t round;
    uint64_t charged, spent;
};

/* A thread's state. All fields but `progress` are private. */
struct watchdog_worker {
    uint32_t progress;          /* atomic: changes when the thread completes a part of its work */
    uint32_t pinned;            /* atomic: the watchdog accesses the task */
    struct watchdog_task *task; /* atomic; NULL: none */
    struct list_head link;      /* in the list of workers */
    bool listed;                /* `link` is in the list */
    bool sampled;               /* the fields below are valid */
    clockid_t clock;            /* the thread's CPU-time clock */
    /* Task and progress at the last check, and the CPU time in ns when both were first seen. */
    const struct watchdog_task *seen_task;
    uint32_t seen_progress;
    uint64_t since;
    uint64_t last; /* CPU time in ns at the last check */
};

/* State of the calling thread. */
extern _Thread_local struct watchdog_worker watchdog_self
    __attribute__((tls_model("initial-exec")));

/* Returns the timeout in nanoseconds; 0: unlimited. */
uint64_t watchdog_timeout(void);

/* Creates the watchdog's thread unless it exists or there is no limit. If that fails, a later call
 * tries again. Without this call, the first watchdog_enter() creates the thread. Call it on a
 * thread that already uses the C library's heap: on a worker, pthread_create would make the library
 * reserve 64 MB of address space for a new heap. */
void watchdog_start(void);

/* Starts work of the calling thread on a task, and reports progress. Returns the task that the
 * thread worked on before, or NULL; pass that task to watchdog_leave(). */
struct watchdog_task *watchdog_enter(struct watchdog_task *task);
/* Ends work on a task, reports progress and resumes work on `outer`, if it isn't NULL. Afterwards,
 * the watchdog doesn't access the task on behalf of this thread. */
void watchdog_leave(struct watchdog_task *outer);

/* Replaces the task of the calling thread, which must be working on one. Both tasks must stay valid
 * until its watchdog_leave(). */
static inline void watchdog_switch(struct watchdog_task *task)
{
    __atomic_store_n(&watchdog_self.task, task, __ATOMIC_RELEASE);
}

/* Reports progress of the calling thread. Returns its progress counter, which long work may
 * increment to report more. */
static inline uint32_t *watchdog_progress(void)
{
    uint32_t *progress = &watchdog_self.progress;
    __atomic_store_n(progress, *progress + 1, __ATOMIC_RELAXED);
    return progress;
}

/* Returns whether the work must stop. */
static inline bool watchdog_stopped(const struct watchdog_stop *stop)
{
    return __atomic_load_n(&stop->flag, __ATOMIC_RELAXED);
}

/* Sets flag to WATCHDOG_STALLED, for a reason other than a limit, unless flag is already set. */
void watchdog_stop(struct watchdog_stop *stop);

#endif
