/* SPDX-License-Identifier: MIT */
/*
 * The process's worker threads. Started by the first job, not before; a forked child starts anew.
 * Any thread may submit. Jobs must not block on jobs submitted later.
 */
#ifndef UTIL_THREAD_POOL_H
#define UTIL_THREAD_POOL_H

#include "util/macros.h"

enum thread_priority {
    THREAD_PRIORITY_NORMAL,
    THREAD_PRIORITY_LOW, /* only when nothing normal waits: optimizing code. At most half of the
                            workers have such jobs, or one. A process that exits does not wait */
};

/* A job group; several jobs may be added, then waited for together. Zero-initialized is ready. */
struct job_group {
    int pending; /* internal */
};

/* Workers that run beside the caller; INDIUM_THREADS or the number of CPUs, minus none. */
unsigned thread_pool_size(void);

/* Runs function(data, index) for index 0 … count-1, in any order on any worker; data stays the
 * caller's and must live until the group is done. */
void thread_pool_submit(struct job_group *group, enum thread_priority priority,
                        void (*function)(void *data, unsigned index), void *data, unsigned count);

/* Returns once all of the group's jobs have returned; the caller works on them meanwhile. */
void thread_pool_wait(struct job_group *group);

/* Starts a thread of the driver's own, detached, to which the application's signals do not go. */
bool thread_create_own(void *(*function)(void *), size_t stack_size);

/* Whether all of the group's jobs have returned. */
bool thread_pool_done(struct job_group *group);

#endif
