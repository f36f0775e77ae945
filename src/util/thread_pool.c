/* SPDX-License-Identifier: MIT */
/*
 * One mutex, two queues of jobs with a count of indices each. Jobs are coarse (a tile, a vertex
 * batch, a compilation), so that one lock is not felt.
 */
#include "util/thread_pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/float_env.h"
#include "util/list.h"
#include "util/options.h"

struct job {
    struct list_head link;
    struct job_group *group;
    void (*function)(void *data, unsigned index);
    void *data;
    unsigned next, count;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    struct list_head queue[2]; /* by priority */
    unsigned started;
    unsigned low_running; /* jobs of low priority */
    pid_t owner;
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .work = PTHREAD_COND_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
};

unsigned thread_pool_size(void)
{
    int threads = util_get_options()->threads;
    if (threads)
        return threads;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return MAX2(CPU_COUNT(&set), 1);
    return 1;
}

static void run_here(void (*function)(void *data, unsigned index), void *data, unsigned index)
{
    float_env env = float_env_enter();
    function(data, index);
    float_env_leave(env);
}

/* Takes one index of a queued job (of group, or of any if NULL) and runs it. Called and returns
 * with the lock held. False: there was none. */
static bool run_one(struct job_group *group, bool low_too)
{
    bool low = group || (low_too && pool.low_running < MAX2(pool.started / 2, 1u));
    for (unsigned p = 0; p <= (low ? 1u : 0u); p++) {
        list_for_each_entry (struct job, job, &pool.queue[p], link) {
            if (group && job->group != group)
                continue;
            unsigned index = job->next++;
            struct job copy = *job;
            if (copy.next == copy.count) {
                list_del(&job->link);
                free(job);
            }
            pool.low_running += p;
            pthread_mutex_unlock(&pool.lock);
            run_here(copy.function, copy.data, index);
            pthread_mutex_lock(&pool.lock);
            pool.low_running -= p;
            if (--copy.group->pending == 0)
                pthread_cond_broadcast(&pool.done);
            if (p && !list_is_empty(&pool.queue[THREAD_PRIORITY_LOW]))
                pthread_cond_signal(&pool.work);
            return true;
        }
    }
    return false;
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        if (!run_one(NULL, true))
            pthread_cond_wait(&pool.work, &pool.lock);
    }
    return NULL;
}

/* After fork only the calling thread exists: jobs of the parent's workers are its own. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.work, NULL);
    pthread_cond_init(&pool.done, NULL);
    list_init(&pool.queue[0]);
    list_init(&pool.queue[1]);
    pool.started = pool.low_running = 0;
}

/* Workers are none of the application's threads: its signals are not theirs to take. Those that an
 * instruction of their own raises still reach a handler that reports crashes. */
static void block_signals(sigset_t *old)
{
    static const int synchronous[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
    sigset_t all;
    sigfillset(&all);
    for (unsigned i = 0; i < ARRAY_SIZE(synchronous); i++)
        sigdelset(&all, synchronous[i]);
    pthread_sigmask(SIG_SETMASK, &all, old);
}

bool thread_create_own(void *(*function)(void *), size_t stack_size)
{
    pthread_t thread;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, stack_size);
    sigset_t signals;
    block_signals(&signals); /* it inherits the mask */
    bool created = pthread_create(&thread, &attr, function, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
    pthread_attr_destroy(&attr);
    return created;
}

static void start_workers(void)
{
    if (pool.started >= thread_pool_size())
        return;
    if (!pool.owner) {
        pool.owner = getpid();
        list_init(&pool.queue[0]);
        list_init(&pool.queue[1]);
        pthread_atfork(NULL, NULL, after_fork_in_child);
    }
    while (pool.started < thread_pool_size()) {
        if (!thread_create_own(worker, 8u << 20)) /* LLVM's optimizer recurses */
            break;                                /* the waiting thread does the work */
        pool.started++;
    }
}

void thread_pool_submit(struct job_group *group, enum thread_priority priority,
                        void (*function)(void *data, unsigned index), void *data, unsigned count)
{
    if (!count)
        return;
    struct job *job = malloc(sizeof *job);
    if (!job) { /* no memory for the queue: do it here */
        for (unsigned i = 0; i < count; i++)
            run_here(function, data, i);
        return;
    }
    *job = (struct job){.group = group, .function = function, .data = data, .count = count};
    pthread_mutex_lock(&pool.lock);
    start_workers();
    group->pending += count;
    list_addtail(&job->link, &pool.queue[priority]);
    if (count == 1)
        pthread_cond_signal(&pool.work);
    else
        pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.lock);
}

void thread_pool_wait(struct job_group *group)
{
    pthread_mutex_lock(&pool.lock);
    while (group->pending) {
        if (!run_one(group, false))
            pthread_cond_wait(&pool.done, &pool.lock);
    }
    pthread_mutex_unlock(&pool.lock);
}

bool thread_pool_done(struct job_group *group)
{
    pthread_mutex_lock(&pool.lock);
    bool done = group->pending == 0;
    pthread_mutex_unlock(&pool.lock);
    return done;
}
