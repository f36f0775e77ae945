/* SPDX-License-Identifier: MIT */
/*
 * Two queues of job groups under one mutex. A thread takes the mutex to start and to finish work on
 * a group. In between it claims indices with an atomic increment until none is left.
 * thread_pool_done() needs no mutex: the last access to a group stores holders == 0.
 *
 * Each worker that finds work and sees more wakes one other worker, so a few jobs wake a few
 * workers, however many there are. A worker without work spins, with the mutex released, for about
 * as long as a sleep and a wakeup take.
 */
#include "util/check.h"
#include "util/thread_pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "util/blob_cache.h"
#include "util/deep_stack.h"
#include "util/float_env.h"
#include "util/os_clock.h"
#include "util/memory.h"
#include "util/options.h"
#include "util/thread_heap.h"
#include "util/watchdog.h"

#define SPIN_TIME    50000             /* nanoseconds */
#define WORKER_STACK (8u << 20)        /* LLVM's optimizer recurses deeply */
#define SMALL_HEAP   ((size_t)4 << 20) /* bytes that an idle worker's heap may keep */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    struct list_head queue[2]; /* by priority: groups that may have unclaimed indices */
    unsigned started, begun;   /* number of workers created, and of workers running */
    unsigned submitted;        /* atomic: number of groups submitted */
    unsigned spinning;         /* workers that spin until `submitted` changes */
    unsigned sleeping;         /* workers that sleep */
    unsigned woken;            /* sleeping workers that were signaled but have not woken yet */
    unsigned waiting;          /* threads that sleep until a group is done */
    unsigned running;          /* threads that run jobs */
    unsigned low_running;      /* threads that run low-priority jobs */
    unsigned forking;          /* threads in fork() that wait until `running` is 0 */
    unsigned spins;            /* number of pauses that take SPIN_TIME */
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
};
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool inside;    /* whether this thread runs a job */
static _Thread_local bool is_worker; /* and has a stack of WORKER_STACK bytes */

/* Returns the number of CPUs that this process may use; 0: unknown. */
static unsigned count_cpus(void)
{
    int count = 0;

    /* sched_getaffinity() fails with EINVAL if the set is too small for the system's CPUs. */
    for (unsigned n = CPU_SETSIZE; !count && n <= 1u << 20; n *= 2) {
        cpu_set_t *set = CPU_ALLOC(n);
        if (!set)
            return 0;
        if (!sched_getaffinity(0, CPU_ALLOC_SIZE(n), set))
            count = CPU_COUNT_S(CPU_ALLOC_SIZE(n), set);
        CPU_FREE(set);
    }
    return (unsigned)count;
}

/* Returns the number of threads. More threads than CPUs would preempt each other, and a group would
 * wait for the preempted one. */
static unsigned find_size(void)
{
    const unsigned wanted = (unsigned)util_get_options()->threads;
    if (wanted && util_debug(DEBUG_THREADS))
        return wanted;
    const unsigned cpus = count_cpus();
    if (!cpus)
        return MAX2(wanted, 1);
    return wanted ? MIN2(wanted, cpus) : cpus;
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

/* --- These functions require the lock. --- */

static bool has_work(const struct job_group *group)
{
    return __atomic_load_n(&group->next, __ATOMIC_RELAXED) < group->count;
}

/* Returns a group that the calling thread may work on, or NULL if none has work or enough threads
 * run. */
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

/* Returns whether to wake a worker, and counts it as woken: there is work for one more thread.
 * Workers that are waking or spinning find work too and wake others, so there need be at most half
 * as many of them as running threads, or one. */
static bool should_wake_worker(void)
{
    const bool wake =
        pool.sleeping > pool.woken && pool.woken + pool.spinning <= pool.running / 2 && find_work();
    pool.woken += wake;
    return wake;
}

static void wake_worker(void)
{
    if (should_wake_worker())
        pthread_cond_signal(&pool.work);
}

/* Unlocks, then wakes a worker if needed. Signaling takes 10 µs in a virtual machine; with the lock
 * held, other threads would wait for it. */
static void unlock_and_wake(void)
{
    const bool wake = should_wake_worker();
    pthread_mutex_unlock(&pool.lock);
    if (wake)
        pthread_cond_signal(&pool.work);
}

/* Discards instructions that the CPU has fetched, which may be older than code that the thread has
 * learned the address of by taking the lock (jit_code_fence in jit_code.h). x86 needs nothing. */
static inline void synchronize_instructions(void)
{
#if defined(__aarch64__)
    __asm__ volatile("isb" : : : "memory");
#endif
}

static inline void pause_thread(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    synchronize_instructions(); /* on AArch64, YIELD does nothing on most CPUs */
#endif
}

/* Returns the number of pause instructions in SPIN_TIME. One takes 10 to 140 cycles, depending on
 * the CPU. Takes the minimum of several tries because the thread may be interrupted. */
static unsigned calibrate_spins(void)
{
    enum { TRIES = 4, PAUSES = 256 };
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < TRIES; i++) {
        const uint64_t start = os_clock();
        for (unsigned k = 0; k < PAUSES; k++)
            pause_thread();
        least = MIN2(least, os_clock() - start);
    }
    return SPIN_TIME * PAUSES / MAX2(least, PAUSES);
}

/* Spins for at most SPIN_TIME, with the lock released, until *value is no longer `old`. */
static void spin_while(const unsigned *value, unsigned old)
{
    pthread_mutex_unlock(&pool.lock);
    for (unsigned i = 0; i < pool.spins && __atomic_load_n(value, __ATOMIC_RELAXED) == old; i++)
        pause_thread();
    pthread_mutex_lock(&pool.lock);
}

/* Adds or removes a user of the group (a thread or the queue). release() may be the last access to
 * the group: a thread that sees it done may free it. */
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

struct claim {
    struct job_group *group;
    unsigned index;
};

/* Runs the claimed job and others of the group until none is left; of a low-priority group only
 * this one, because more urgent work may have come. */
static void run_jobs(void *data)
{
    const struct claim *claim = data;
    struct job_group *group = claim->group;
    const bool low = group->low;
    float_env env = float_env_enter();
    struct util_attempt *attempt = util_attempt_suspend();
    synchronize_instructions();
    for (unsigned index = claim->index; index < group->count;
         index = __atomic_fetch_add(&group->next, 1, __ATOMIC_RELAXED)) {
        group->function(group->data, index);
        if (low)
            break;
    }
    util_attempt_resume(attempt);
    float_env_leave(env);
}

/* Runs jobs of the group. Releases the lock in the meantime. */
static void work_on(struct job_group *group)
{
    const bool nested = inside, low = group->low;
    struct claim claim = {group, __atomic_fetch_add(&group->next, 1, __ATOMIC_RELAXED)};
    hold(group);
    /* a job that waits for a group runs that group's jobs in its own place */
    pool.running += !nested;
    pool.low_running += low;
    unlock_and_wake();
    inside = true;
    if (nested || is_worker)
        run_jobs(&claim);
    else
        util_roomy_call(run_jobs, &claim); /* the application's threads may have small stacks */
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

/* Sleeps until woken, or until the OS clock reaches `end` nanoseconds; 0: no limit. Requires the
 * lock. */
static void sleep_until_woken(uint64_t end)
{
    const struct timespec t = os_clock_timespec(end);
    pool.sleeping++;
    if (end)
        pthread_cond_timedwait(&pool.work, &pool.lock, &t);
    else
        pthread_cond_wait(&pool.work, &pool.lock);
    pool.sleeping--;
    pool.woken -= pool.woken != 0; /* spurious wakeups exist */
}

/* State for trimming a worker's heap: memory left over from compiling is returned to the system
 * once the worker has been idle for a second. */
struct trimming {
    size_t kept;  /* heap size in bytes up to which no trim is needed */
    uint64_t due; /* time of the next trim in nanoseconds; 0: none */
};

/* Trims the heap if it is time. Returns when to call again, or 0. Requires the lock. */
static uint64_t trim_heap(struct trimming *t)
{
    if (thread_heap_bytes() <= t->kept)
        return 0;
    const uint64_t time = os_clock();
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
    is_worker = true;
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
            pool.spinning++;
            spin_while(&pool.submitted, pool.submitted);
            pool.spinning--;
            continue;
        }
        uint64_t due = trim_heap(&trimming);
        if (!find_work())
            sleep_until_woken(due);
    }
    return NULL;
}

static void reset_workers(void)
{
    pool.started = pool.begun = pool.spinning = pool.sleeping = pool.woken = pool.waiting = 0;
}

static void init(void)
{
    list_init(&pool.queue[0]);
    list_init(&pool.queue[1]);
    reset_workers();
    pool.running = pool.low_running = 0;
}

/* Waits for running jobs: in the child, no thread would finish them. Jobs that are only queued run
 * in both processes. A job that forks cannot wait for itself. */
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
    unlock_and_wake();
}

/* Makes the OS clock that of sleep_until_woken. pthread_cond_clockwait is not in POSIX.1-2017. */
static void init_work_condition(void)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&pool.work, &attr);
    pthread_condattr_destroy(&attr);
}

/* In the child, only the calling thread exists. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    init_work_condition();
    pthread_cond_init(&pool.done, NULL);
    pool.forking = 0;
    reset_workers();
    if (pool.running) /* a job forked: other jobs are the parent's */
        init();
}

static void init_once(void)
{
    init_work_condition();
    init();
    pool.spins = calibrate_spins();
    util_blob_cache_handle_fork(); /* first: see there */
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* Blocks all signals but the synchronous ones: the application's signals must not run on driver
 * threads, but a crash handler must still see their faults. */
static void block_signals(sigset_t *old)
{
    static const int synchronous[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
    sigset_t all;
    sigfillset(&all);
    for (unsigned i = 0; i < ARRAY_SIZE(synchronous); i++)
        sigdelset(&all, synchronous[i]);
    pthread_sigmask(SIG_SETMASK, &all, old);
}

bool thread_create_internal(void *(*function)(void *), size_t stack_size)
{
    pthread_t thread;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, stack_size);
    sigset_t signals;
    block_signals(&signals); /* the new thread inherits the mask */
    bool created = pthread_create(&thread, &attr, function, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
    pthread_attr_destroy(&attr);
    return created;
}

/* Starts one worker fewer than thread_pool_size(). The application's thread is the last one: a
 * worker in its place would compete with it while it records, and when it waits it runs jobs
 * itself. Requires the lock. */
static void start_workers(void)
{
    watchdog_start();
    while (pool.started < MAX2(thread_pool_size() - 1, 1u)) {
        if (!thread_create_internal(worker, WORKER_STACK))
            break; /* waiting threads do the work */
        pool.started++;
    }
}

/* Queues the group. Requires the lock. */
static void enter(struct job_group *group, enum thread_priority priority,
                  void (*function)(void *data, unsigned index), void *data, unsigned count)
{
    CHECK(!group->holders);
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

/* Runs jobs of the group until it is done. Requires the lock. */
static void wait_for(struct job_group *group)
{
    unsigned spun_for = 0;
    while (group->holders) {
        if (has_work(group) && (inside || pool.running < thread_pool_size())) {
            work_on(group);
            continue;
        }
        wake_worker(); /* in place of this thread */
        if (spun_for != group->holders) {
            spun_for = group->holders;
            spin_while(&group->holders, spun_for);
            continue;
        }
        pool.waiting++;
        pthread_cond_wait(&pool.done, &pool.lock);
        pool.waiting--;
    }
    /* A caller that confines itself (seccomp, limits) after a draw must not break their startup. */
    while (pool.begun < pool.started)
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
    unlock_and_wake();
}

void thread_pool_wait(struct job_group *group)
{
    if (thread_pool_done(group))
        return;
    pthread_mutex_lock(&pool.lock);
    wait_for(group);
    unlock_and_wake();
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
    unlock_and_wake();
}

struct calls {
    void (*function)(void *data, unsigned index);
    void *data;
    unsigned count;
};

static void run_calls(void *data)
{
    const struct calls *calls = data;
    struct util_attempt *attempt = util_attempt_suspend();
    for (unsigned i = 0; i < calls->count; i++)
        calls->function(calls->data, i);
    util_attempt_resume(attempt);
}

void thread_pool_run_here(void (*function)(void *data, unsigned index), void *data, unsigned count)
{
    struct calls calls = {function, data, count};
    if (inside || is_worker)
        run_calls(&calls);
    else
        util_roomy_call(run_calls, &calls);
}
