/* SPDX-License-Identifier: MIT */
/*
 * The process's worker threads. Started by the first job, not before; a forked child starts anew, and fork
 * waits for jobs that have begun.
 * Any thread may submit. Jobs may wait for groups, but not for what is submitted later.
 */
#ifndef UTIL_THREAD_POOL_H
#define UTIL_THREAD_POOL_H

#include "util/list.h"

enum thread_priority {
    THREAD_PRIORITY_NORMAL,
    THREAD_PRIORITY_LOW, /* only when nothing normal waits: optimizing code. At most half of the
                            threads have such jobs, or one. A process that exits does not wait */
};

/* Jobs that are waited for together. Zero-initialized is ready; to be submitted again only once it is
 * done. All of it is the pool's while it is not. */
struct job_group {
    struct list_head link;
    void (*function)(void *data, unsigned index);
    void *data;
    unsigned count;
    unsigned next;    /* atomic: the first index that nobody has taken */
    unsigned holders; /* atomic: threads that work on it, and the queue; 0: done */
    bool low, queued;
};

/* Threads that run jobs at once, those that wait and help included: as many as there were CPUs for the
 * process when this was first asked, or INDIUM_THREADS if these are fewer. Workers are one fewer, or one. */
unsigned thread_pool_size(void);

/* Runs function(data, index) for index 0 … count-1 (at most 2^31), in any order on any worker; data
 * stays the caller's and must live until the group is done, as must the group. Where one thread is to
 * run jobs at once, it is the caller, now, if the priority is normal. */
void thread_pool_submit(struct job_group *group, enum thread_priority priority,
                        void (*function)(void *data, unsigned index), void *data, unsigned count);

/* Returns once all of the group's jobs have returned; the caller works on them meanwhile, unless so
 * many threads do already that it would be one too many. */
void thread_pool_wait(struct job_group *group);

/* Both at once, with normal priority: the caller takes the first job, and workers are woken for more. */
void thread_pool_run(void (*function)(void *data, unsigned index), void *data, unsigned count);

/* Whether all of the group's jobs have returned: then what they wrote is seen. */
static inline bool thread_pool_done(const struct job_group *group)
{
    return !__atomic_load_n(&group->holders, __ATOMIC_ACQUIRE);
}

/* Whether the calling thread runs a job. */
bool thread_pool_inside(void);

/* Starts a thread of the driver's own, detached, to which the application's signals do not go. */
bool thread_create_own(void *(*function)(void *), size_t stack_size);

#endif
