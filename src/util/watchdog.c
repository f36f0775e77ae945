/* SPDX-License-Identifier: MIT */
/*
 * The watchdog accesses a worker's task only while `pinned` is set, and a thread that leaves a task
 * waits until it is not. Either the watchdog sees that the thread has left, or the thread sees the
 * pin. In the same way, either a thread that enters a task sees that the watchdog sleeps, or the
 * watchdog sees the task before it sleeps.
 */
#include "util/watchdog.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "util/os_clock.h"
#include "util/options.h"
#include "util/thread_pool.h"

#define CHECKS 32 /* checks per timeout */

_Thread_local struct watchdog_worker watchdog_self __attribute__((tls_model("initial-exec")));

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work; /* signaled when the watchdog shall wake up */
    pthread_key_t key;   /* its destructor removes a thread from the list */
    bool has_key, started;
    bool asleep; /* atomic: no check is planned */
    struct list_head workers;
    uint32_t round; /* number of the check */
} watchdog = {.lock = PTHREAD_MUTEX_INITIALIZER, .asleep = true};
static pthread_once_t once = PTHREAD_ONCE_INIT;

uint64_t watchdog_timeout(void)
{
    return (uint64_t)util_get_options()->timeout * 1000000000u;
}

/* Reads the CPU time of a thread in ns. It bypasses clock_gettime, as os_clock() does. Returns
 * false if the thread has ended. */
static bool read_cpu_time(const struct watchdog_worker *w, uint64_t *time)
{
    struct timespec t;
    if (syscall(SYS_clock_gettime, w->clock, &t))
        return false;
    *time = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    return true;
}

/* --- the list of workers --- */

static void init(void)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&watchdog.work, &attr);
    pthread_condattr_destroy(&attr);
    list_init(&watchdog.workers);
    watchdog.started = false;
    watchdog.asleep = true;
}

/* The child has neither the watchdog's thread nor the other workers, and this thread has another
 * clock. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&watchdog.lock, NULL);
    init();
    watchdog_self.listed = false;
    watchdog_self.pinned = 0;
}

static void thread_exit(void *worker)
{
    struct watchdog_worker *w = worker;
    pthread_mutex_lock(&watchdog.lock);
    if (w->listed)
        list_del(&w->link);
    w->listed = false;
    pthread_mutex_unlock(&watchdog.lock);
}

static void init_once(void)
{
    init();
    watchdog.has_key = !pthread_key_create(&watchdog.key, thread_exit);
    pthread_atfork(NULL, NULL, after_fork_in_child);
}

/* Adds the calling thread to the list. A thread that can't be removed when it ends isn't
 * watched. */
static void add_worker(struct watchdog_worker *w)
{
    pthread_once(&once, init_once);
    if (!watchdog.has_key || pthread_setspecific(watchdog.key, w) ||
        pthread_getcpuclockid(pthread_self(), &w->clock))
        return;
    pthread_mutex_lock(&watchdog.lock);
    w->sampled = false;
    w->listed = true;
    list_addtail(&w->link, &watchdog.workers);
    pthread_mutex_unlock(&watchdog.lock);
}

/* --- checks --- */

static void stop(const struct watchdog_task *task, enum watchdog_reason reason)
{
    struct watchdog_stop *s = __atomic_load_n(&task->stop, __ATOMIC_RELAXED);
    const uint32_t old = __atomic_load_n(&s->flag, __ATOMIC_RELAXED);
    if (old == WATCHDOG_RUN)
        s->task = task;
    if (old < reason)
        __atomic_store_n(&s->flag, reason, __ATOMIC_RELEASE);
}

void watchdog_stop(struct watchdog_stop *s)
{
    pthread_mutex_lock(&watchdog.lock);
    if (__atomic_load_n(&s->flag, __ATOMIC_RELAXED) == WATCHDOG_RUN)
        __atomic_store_n(&s->flag, WATCHDOG_STALLED, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&watchdog.lock);
}

/* Adds the CPU time that one of its workers has spent since the last check. Of all workers, the
 * time of the busiest counts. The first check counts nothing, because work began after the one
 * before. */
static void charge(struct watchdog_task *task, uint64_t time)
{
    if (task->round != watchdog.round) {
        task->charged = task->round ? 0 : UINT64_MAX;
        task->round = watchdog.round;
    }
    if (time > task->charged) {
        task->spent += time - task->charged;
        task->charged = time;
    }
}

static void check_task(struct watchdog_worker *w, struct watchdog_task *task, uint64_t now)
{
    const uint64_t timeout = watchdog_timeout();
    const uint32_t progress = __atomic_load_n(&w->progress, __ATOMIC_RELAXED);
    const uint32_t commands = __atomic_load_n(&task->commands, __ATOMIC_RELAXED);
    if (!w->sampled || w->seen_task != task || w->seen_progress != progress) {
        w->seen_task = task;
        w->seen_progress = progress;
        w->since = now;
    } else if (now - w->since >= timeout) {
        stop(task, WATCHDOG_STALLED);
    }
    if (!commands)
        return;
    charge(task, w->sampled ? now - w->last : 0);
    if (task->spent / timeout >= commands)
        stop(task, WATCHDOG_TOTAL);
}

/* Returns whether the worker works on a task. */
static bool check_worker(struct watchdog_worker *w)
{
    uint64_t now;
    if (!read_cpu_time(w, &now))
        return false;
    __atomic_store_n(&w->pinned, 1, __ATOMIC_SEQ_CST);
    struct watchdog_task *task = __atomic_load_n(&w->task, __ATOMIC_SEQ_CST);
    if (task)
        check_task(w, task, now);
    else
        w->seen_task = NULL;
    __atomic_store_n(&w->pinned, 0, __ATOMIC_RELEASE);
    w->last = now;
    w->sampled = true;
    return task;
}

/* Returns whether any thread works on a task. */
static bool check_workers(void)
{
    bool busy = false;
    watchdog.round++;
    list_for_each_entry (struct watchdog_worker, w, &watchdog.workers, link)
        busy = check_worker(w) || busy;
    return busy;
}

static bool any_task(void)
{
    list_for_each_entry (struct watchdog_worker, w, &watchdog.workers, link)
        if (__atomic_load_n(&w->task, __ATOMIC_SEQ_CST))
            return true;
    return false;
}

/* Sleeps until a thread enters a task. The samples are then too old. */
static void sleep_until_work(void)
{
    __atomic_store_n(&watchdog.asleep, true, __ATOMIC_SEQ_CST);
    if (any_task())
        __atomic_store_n(&watchdog.asleep, false, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&watchdog.asleep, __ATOMIC_RELAXED))
        pthread_cond_wait(&watchdog.work, &watchdog.lock);
    list_for_each_entry (struct watchdog_worker, w, &watchdog.workers, link)
        w->sampled = false;
}

/* It sleeps after a whole timeout without work, so that short work rarely wakes it. */
static void *run(void *unused)
{
    unsigned idle = 0; /* number of checks without work */
    pthread_mutex_lock(&watchdog.lock);
    for (;;) {
        if (idle >= CHECKS) {
            sleep_until_work();
            idle = 0;
        }
        struct timespec t = os_clock_timespec(os_clock() + watchdog_timeout() / CHECKS);
        while (pthread_cond_timedwait(&watchdog.work, &watchdog.lock, &t) != ETIMEDOUT)
            ;
        idle = check_workers() ? 0 : idle + 1;
    }
    return NULL;
}

/* --- work --- */

/* Requires the lock. */
static void start(void)
{
    if (!watchdog.started && watchdog_timeout())
        watchdog.started = thread_create_internal(run, 64u << 10);
}

void watchdog_start(void)
{
    pthread_once(&once, init_once);
    pthread_mutex_lock(&watchdog.lock);
    start();
    pthread_mutex_unlock(&watchdog.lock);
}

static void wake(void)
{
    pthread_mutex_lock(&watchdog.lock);
    start();
    if (watchdog.started || !watchdog_timeout()) /* otherwise tries again */
        __atomic_store_n(&watchdog.asleep, false, __ATOMIC_SEQ_CST);
    pthread_cond_signal(&watchdog.work);
    pthread_mutex_unlock(&watchdog.lock);
}

struct watchdog_task *watchdog_enter(struct watchdog_task *task)
{
    struct watchdog_worker *w = &watchdog_self;
    if (!w->listed)
        add_worker(w);
    watchdog_progress();
    struct watchdog_task *outer = __atomic_exchange_n(&w->task, task, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&watchdog.asleep, __ATOMIC_SEQ_CST))
        wake();
    return outer;
}

void watchdog_leave(struct watchdog_task *outer)
{
    struct watchdog_worker *w = &watchdog_self;
    watchdog_progress();
    __atomic_store_n(&w->task, outer, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&w->pinned, __ATOMIC_SEQ_CST))
        sched_yield();
}
