/* SPDX-License-Identifier: MIT */
/*
 * The process's worker threads. The first job starts them. fork() waits for running jobs, and the
 * child starts its own workers.
 *
 * Any thread may submit jobs. A job may wait for groups submitted before it, but not for later
 * ones.
 */
#ifndef UTIL_THREAD_POOL_H
#define UTIL_THREAD_POOL_H

#include "util/list.h"

enum thread_priority {
    THREAD_PRIORITY_NORMAL,
    /* for jobs that optimize code: run only if no normal job waits, by at most half of the threads
     * (at least one); process exit doesn't wait for them */
    THREAD_PRIORITY_LOW,
};

/* A batch of jobs that is waited for as a whole. Zero-initialize it. It belongs to the pool from
 * submission until it is done; it may then be submitted again. */
struct job_group {
    struct list_head link;
    void (*function)(void *data, unsigned index);
    void *data;
    unsigned count;
    unsigned next;    /* atomic: the next index to run */
    unsigned holders; /* atomic: threads that run its jobs, plus one while queued; 0: done */
    bool low, queued;
};

/* Returns the number of threads that run jobs at once, including waiting threads that help. This is
 * the number of CPUs available to the process at the first call, or INDIUM_THREADS if that is
 * lower. There is one worker fewer, but at least one. */
unsigned thread_pool_size(void);

/* Runs function(data, index) for each index from 0 to count - 1 (count <= 2^31), in any order, on
 * any worker. The caller keeps ownership of `data` and `group`; both must live until the group is
 * done. If thread_pool_size() is 1 and the priority is normal, the caller runs the jobs before this
 * returns. */
void thread_pool_submit(struct job_group *group, enum thread_priority priority,
                        void (*function)(void *data, unsigned index), void *data, unsigned count);

/* Returns once all jobs of the group have returned. The caller runs jobs in the meantime, unless
 * thread_pool_size() threads already do. */
void thread_pool_wait(struct job_group *group);

/* Submits jobs with normal priority and waits for them. The caller takes the first one. */
void thread_pool_run(void (*function)(void *data, unsigned index), void *data, unsigned count);

/* Returns whether all jobs of the group have returned. If so, their writes are visible to the
 * caller. */
static inline bool thread_pool_done(const struct job_group *group)
{
    return !__atomic_load_n(&group->holders, __ATOMIC_ACQUIRE);
}

/* Returns whether the calling thread is running a job. */
bool thread_pool_inside(void);

/* Starts a detached driver thread that blocks the application's signals. Returns false on
 * failure. */
bool thread_create_internal(void *(*function)(void *), size_t stack_size);

#endif
