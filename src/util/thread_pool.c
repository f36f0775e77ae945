/* SPDX-License-Identifier: MIT */
/*
 * Two queues of groups under one mutex. A thread takes the mutex to enter a group and to leave it;
 * between the two it takes indices with an atomic addition, until none is left. Whether a group is
 * done is read without the mutex: what it says last is that nobody refers to the group any more.
 *
 * Workers are woken one by one, each by the one that has found work before it and sees more: a
 * few jobs wake a few workers, however many there are. Whoever has nothing left to do looks for what comes
 * next for about as long as going to sleep and being woken takes, with the mutex free.
 */
#include "util/thread_pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "util/float_env.h"
#include "util/kernel_clock.h"
#include "util/memory.h"
#include "util/options.h"
#include "util/thread_heap.h"

#define LOOK_TIME  50000             /* nanoseconds */
#define SMALL_HEAP ((size_t)4 << 20) /* bytes that a worker may keep */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    struct list_head queue[2]; /* by priority: groups that may have indices left */
    unsigned started, begun;   /* workers */
    unsigned submitted;        /* atomic: groups so far */
    unsigned looking;          /* workers that wait for it to change */
    unsigned sleeping;         /* workers that do */
    unsigned called;           /* of them, those that were woken and are on their way */
    unsigned waiting;          /* threads that sleep until a group is done */
    unsigned running;          /* threads that run jobs */
    unsigned low_running;      /* of them, jobs of low priority */
    unsigned forking;          /* threads that wait for running to be 0 */
    unsigned looks;            /* pauses that take LOOK_TIME */
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .work = PTHREAD_COND_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
};
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool inside; /* this thread runs a job */

/* More threads than there are processors would take these from each other: where all wait for the last, it
 * is the one that does not run. */
static unsigned find_size(void)
{
    const unsigned wanted = (unsigned)util_get_options()->threads;
    cpu_set_t set;
    if ((wanted && util_debug(DEBUG_THREADS)) || sched_getaffinity(0, sizeof set, &set))
        return MAX2(wanted, 1);
    const unsigned processors = (unsigned)MAX2(CPU_COUNT(&set), 1);
    return wanted ? MIN2(wanted, processors) : processors;
}

unsigned thread_pool_size(void)
{
    static unsigned size;
    unsigned found = __atomic_load_n(&size, __ATOMIC_RELAXED);
    if (unlikely(!found)) {
        found = find_size();
        __atomic_store_n(&size, found, __ATOMIC_RELAXED);
    }
    return found;
}

bool thread_pool_inside(void)
{
    return inside;
}

/* --- with the lock held --- */

static bool has_work(const struct job_group *group)
{
    return __atomic_load_n(&group->next, __ATOMIC_RELAXED) < group->count;
}

/* A group that the calling thread may work on; NULL: none has work, or enough threads run. */
static struct job_group *find_work(void)
{
    if (pool.forking || pool.running >= thread_pool_size())
        return NULL;
    bool low = pool.low_running < MAX2(thread_pool_size() / 2, 1u);
    for (unsigned p = 0; p <= (low ? 1u : 0u); p++)
        list_for_each_entry (struct job_group, group, &pool.queue[p], link)
            if (has_work(group))
                return group;
    return NULL;
}

/* Whether a worker is to be woken, who counts as called then: there is work for one more thread. Those that are
 * on their way or look for some find it as well, and call others: there are to be no more of them than half of
 * those that run, or one. */
static bool calls_worker(void)
{
    const bool calls = pool.sleeping > pool.called &&
                       pool.called + pool.looking <= pool.running / 2 && find_work();
    pool.called += calls;
    return calls;
}

static void call_worker(void)
{
    if (calls_worker())
        pthread_cond_signal(&pool.work);
}

/* The same behind the lock: waking takes 10 µs in a virtual machine, and others would sleep until it is free. */
static void unlock_and_call(void)
{
    const bool calls = calls_worker();
    pthread_mutex_unlock(&pool.lock);
    if (calls)
        pthread_cond_signal(&pool.work);
}

static inline void pause_thread(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

/* How long a pause takes differs: some 35 to 140 cycles. The least of a few tries, as threads are interrupted. */
static unsigned find_looks(void)
{
    enum { TRIES = 4, PAUSES = 256 };
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < TRIES; i++) {
        const uint64_t start = kernel_clock();
        for (unsigned k = 0; k < PAUSES; k++)
            pause_thread();
        least = MIN2(least, kernel_clock() - start);
    }
    return LOOK_TIME * PAUSES / MAX2(least, PAUSES);
}

/* Waits with the lock released until the value is not that one any more, but not for long. */
static void look_at(const unsigned *value, unsigned old)
{
    pthread_mutex_unlock(&pool.lock);
    for (unsigned i = 0; i < pool.looks && __atomic_load_n(value, __ATOMIC_RELAXED) == old; i++)
        pause_thread();
    pthread_mutex_lock(&pool.lock);
}

/* Before and after somebody, or the queue, refers to the group. The last access to it: whoever sees
 * it done may free it. */
static void hold(struct job_group *group)
{
    __atomic_store_n(&group->holders, group->holders + 1, __ATOMIC_RELAXED);
}

static void release(struct job_group *group)
{
    unsigned left = group->holders - 1;
    __atomic_store_n(&group->holders, left, __ATOMIC_RELEASE);
    if (!left && pool.waiting)
        pthread_cond_broadcast(&pool.done);
}

/* Runs jobs of the group until it has none left, of low priority one: then something more urgent may
 * have come. Lets go of the lock meanwhile. */
static void work_on(struct job_group *group)
{
    const bool nested = inside, low = group->low;
    unsigned index = __atomic_fetch_add(&group->next, 1, __ATOMIC_RELAXED);
    hold(group);
    /* a job that waits for others runs them in its own stead */
    pool.running += !nested;
    pool.low_running += low;
    unlock_and_call();
    inside = true;
    float_env env = float_env_enter();
    struct util_attempt *attempt = util_attempt_suspend();
    while (index < group->count) {
        group->function(group->data, index);
        if (low)
            break;
        index = __atomic_fetch_add(&group->next, 1, __ATOMIC_RELAXED);
    }
    util_attempt_resume(attempt);
    float_env_leave(env);
    inside = nested;
    pthread_mutex_lock(&pool.lock);
    pool.running -= !nested;
    pool.low_running -= low;
    if (!pool.running && pool.forking)
        pthread_cond_broadcast(&pool.done);
    if (group->queued && !has_work(group)) {
        group->queued = false;
        list_del(&group->link);
        release(group);
    }
    release(group);
}

/* --- workers --- */

/* With the lock held. end: nanoseconds of the clock until which to sleep at most; 0: none. */
static void sleep_until_called(uint64_t end)
{
    const struct timespec t = kernel_clock_time(end);
    pool.sleeping++;
    if (end)
        pthread_cond_clockwait(&pool.work, &pool.lock, CLOCK_MONOTONIC, &t);
    else
        pthread_cond_wait(&pool.work, &pool.lock);
    pool.sleeping--;
    pool.called -= pool.called != 0; /* some wake by themselves */
}

/* What compiling leaves in a worker's heap is given back when the worker has nothing to do and a second
 * has gone by. */
struct trimming {
    size_t kept;  /* bytes of the heap that need not be looked at */
    uint64_t due; /* when to, or 0 */
};

/* Called with the lock held. Returns when to call again, or 0. */
static uint64_t trim_heap(struct trimming *t)
{
    if (thread_heap_bytes() <= t->kept)
        return 0;
    const uint64_t time = kernel_clock();
    if (!t->due)
        t->due = time + 1000000000;
    if (time < t->due)
        return t->due;
    pthread_mutex_unlock(&pool.lock);
    thread_heap_trim();
    pthread_mutex_lock(&pool.lock);
    t->kept = MAX2(thread_heap_bytes(), SMALL_HEAP);
    t->due = 0;
    return 0;
}

static void *worker(void *unused)
{
    bool worked = false;
    struct trimming trimming = {.kept = SMALL_HEAP};
    thread_heap_begin();
    pthread_mutex_lock(&pool.lock);
    if (++pool.begun == pool.started)
        pthread_cond_broadcast(&pool.done);
    for (;;) {
        struct job_group *group = find_work();
        if (group) {
            work_on(group);
            worked = true;
            continue;
        }
        if (worked) {
            worked = false;
            pool.looking++;
            look_at(&pool.submitted, pool.submitted);
            pool.looking--;
            continue;
        }
        uint64_t due = trim_heap(&trimming);
        if (!find_work())
            sleep_until_called(due);
    }
    return NULL;
}

static void no_workers(void)
{
    pool.started = pool.begun = pool.looking = pool.sleeping = pool.called = pool.waiting = 0;
}

static void init(void)
{
    list_init(&pool.queue[0]);
    list_init(&pool.queue[1]);
    no_workers();
    pool.running = pool.low_running = 0;
}

/* What workers have begun nobody would finish in the child, which may wait for it: they finish it before.
 * What is only queued both processes do, each for itself. A job that forks cannot wait for itself. */
static void before_fork(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.forking++;
    while (pool.running && !inside)
        pthread_cond_wait(&pool.done, &pool.lock);
    pool.forking--;
}

static void after_fork_in_parent(void)
{
    unlock_and_call();
}

/* Only the calling thread exists. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.work, NULL);
    pthread_cond_init(&pool.done, NULL);
    pool.forking = 0;
    no_workers();
    if (pool.running) /* a job forked: others' jobs are the parent's */
        init();
}

static void init_once(void)
{
    init();
    pool.looks = find_looks();
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
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

/* One fewer than threads that are to run at once, as the application has one: while it records, a worker in its
 * place would take the processor from it, and where it waits it helps. With the lock held. */
static void start_workers(void)
{
    while (pool.started < MAX2(thread_pool_size() - 1, 1u)) {
        if (!thread_create_own(worker, 8u << 20)) /* LLVM's optimizer recurses */
            break;                                /* the waiting thread does the work */
        pool.started++;
    }
}

/* With the lock held. */
static void enter(struct job_group *group, enum thread_priority priority,
                  void (*function)(void *data, unsigned index), void *data, unsigned count)
{
    assert(!group->holders);
    group->function = function;
    group->data = data;
    group->count = count;
    group->low = priority == THREAD_PRIORITY_LOW;
    group->queued = true;
    start_workers();
    __atomic_store_n(&group->next, 0, __ATOMIC_RELAXED);
    hold(group);
    list_addtail(&group->link, &pool.queue[priority]);
    __atomic_store_n(&pool.submitted, pool.submitted + 1, __ATOMIC_RELAXED);
}

/* With the lock held. */
static void wait_for(struct job_group *group)
{
    unsigned looked_at = 0;
    while (group->holders) {
        if (has_work(group) && (inside || pool.running < thread_pool_size())) {
            work_on(group);
            continue;
        }
        call_worker(); /* in place of this thread */
        if (looked_at != group->holders) {
            looked_at = group->holders;
            look_at(&group->holders, looked_at);
            continue;
        }
        pool.waiting++;
        pthread_cond_wait(&pool.done, &pool.lock);
        pool.waiting--;
    }
    while (pool.begun <
           pool.started) /* who confines itself after a draw must not confine their start */
        pthread_cond_wait(&pool.done, &pool.lock);
}

void thread_pool_submit(struct job_group *group, enum thread_priority priority,
                        void (*function)(void *data, unsigned index), void *data, unsigned count)
{
    if (!count)
        return;
    pthread_once(&once, init_once);
    pthread_mutex_lock(&pool.lock);
    enter(group, priority, function, data, count);
    if (priority == THREAD_PRIORITY_NORMAL && thread_pool_size() == 1)
        wait_for(group);
    unlock_and_call();
}

void thread_pool_wait(struct job_group *group)
{
    if (thread_pool_done(group))
        return;
    pthread_mutex_lock(&pool.lock);
    wait_for(group);
    unlock_and_call();
}

void thread_pool_run(void (*function)(void *data, unsigned index), void *data, unsigned count)
{
    struct job_group group = {0};
    if (!count)
        return;
    pthread_once(&once, init_once);
    pthread_mutex_lock(&pool.lock);
    enter(&group, THREAD_PRIORITY_NORMAL, function, data, count);
    wait_for(&group);
    unlock_and_call();
}
