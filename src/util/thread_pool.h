/* SPDX-License-Identifier: MIT */
/*
 * The process's worker threads. The first submission starts them; if none can be created, jobs run
 * only in threads that wait for them. fork() waits for running jobs, and the child process starts
 * its own workers.
 *
 * Any thread may submit jobs and wait for them. A job may wait for groups that were submitted
 * before its own group, but not for later ones. Jobs run with the default floating-point
 * environment (float_env.h) and outside of the attempts (memory.h) of the thread that runs them.
 */
#ifndef UTIL_THREAD_POOL_H
#define UTIL_THREAD_POOL_H

#include "util/list.h"

/* Priorities of job groups. */
enum thread_priority {
    THREAD_PRIORITY_NORMAL,
    /* For jobs that optimize code. Workers start them only if no normal job is queued, on at most
     * half of the threads (at least one). A thread that waits for them runs them at once. */
    THREAD_PRIORITY_LOW,
};

/* A batch of jobs that is waited for as a whole. Zero-initialize it. Only the pool may access the
 * fields. A group that is done may be submitted again. */
struct job_group {
    struct list_head link; /* in the queue of its priority */
    void (*function)(void *data, unsigned index);
    void *data;
    unsigned count;
    unsigned next;    /* atomic: next index to run; >= count if all have been started */
    unsigned holders; /* atomic: number of threads that run its jobs, plus 1 if queued; 0: done */
    bool low, queued; /* whether it has low priority, and whether it is in a queue */
};

/* Returns the maximum number of threads that run jobs at once. This is the number of CPUs available
 * to the process at the first call; INDIUM_THREADS replaces it if that is lower, or if
 * INDIUM_DEBUG=threads is set. If the number of CPUs is unknown, as on systems with more than 1,024
 * of them, it is INDIUM_THREADS or else 1. The number includes one thread that runs jobs while it
 * waits, so there is one worker fewer, but at least one. */
unsigned thread_pool_size(void);

/* Submits count jobs: function(data, index) for each index from 0 to count - 1, in any order, on
 * any worker or waiting thread. count is at most 2^31; with 0, does nothing. The caller owns `data`
 * and `group`, which must live until the group is done. If thread_pool_size() is 1 and the priority
 * is normal, runs the jobs before it returns. */
void thread_pool_submit(struct job_group *group, enum thread_priority priority,
                        void (*function)(void *data, unsigned index), void *data, unsigned count);

/* Waits until the group is done. The caller runs jobs of the group in the meantime. If the caller
 * is not a job itself, it does so only while fewer than thread_pool_size() threads run jobs. Also
 * waits until all workers have finished starting, unless the group is done already: a caller may
 * then restrict the process (seccomp, resource limits) without breaking their startup. */
void thread_pool_wait(struct job_group *group);

/* Submits jobs with normal priority and waits for them; does nothing if count is 0. The caller runs
 * jobs, too. */
void thread_pool_run(void (*function)(void *data, unsigned index), void *data, unsigned count);

/* Calls function(data, index) for each index from 0 to count - 1 in the calling thread, outside of
 * its attempts (memory.h) but with its floating-point environment. Uses another stack if less than
 * about 256 KiB of the thread's own are left. For jobs that are too short to distribute. */
void thread_pool_run_here(void (*function)(void *data, unsigned index), void *data, unsigned count);

/* Returns whether the group is done, that is, all its jobs have returned. If so, their writes are
 * visible to the caller. True for a group that was never submitted. */
static inline bool thread_pool_done(const struct job_group *group)
{
    return !__atomic_load_n(&group->holders, __ATOMIC_ACQUIRE);
}

/* Returns whether the calling thread is running a job. */
bool thread_pool_inside(void);

/* Starts a detached thread that calls function(NULL) and ignores what it returns. The thread blocks
 * all signals but synchronous ones such as SIGSEGV. stack_size is in bytes. Returns false on
 * failure. */
bool thread_create_internal(void *(*function)(void *), size_t stack_size);

#endif
