/* SPDX-License-Identifier: MIT */
#include "util/watchdog.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "util/os_clock.h"
#include "util/options.h"
#include "util/thread_pool.h"

#define CHECKS 8 /* checks per timeout */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t watched; /* signaled when the thread is idle and a watch begins */
    struct list_head watches;
    unsigned process; /* number of forks plus 1: the parent's watches are not in the child's list */
    bool started, idle;
} watchdog = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_once_t once = PTHREAD_ONCE_INIT;

uint64_t watchdog_timeout(void)
{
    return (uint64_t)util_get_options()->timeout * 1000000000u;
}

uint64_t watchdog_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void init(void)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&watchdog.watched, &attr);
    pthread_condattr_destroy(&attr);
    list_init(&watchdog.watches);
    watchdog.process++;
    watchdog.started = watchdog.idle = false;
}

static void after_fork_in_child(void)
{
    pthread_mutex_init(&watchdog.lock, NULL);
    init();
}

static void init_once(void)
{
    init();
    pthread_atfork(NULL, NULL, after_fork_in_child);
}

static void check_watches(uint64_t now)
{
    list_for_each_entry (struct watchdog_watch, w, &watchdog.watches, link) {
        if (!__atomic_load_n(w->running, __ATOMIC_RELAXED))
            continue;
        if (!w->since)
            w->since = now;
        if (now - w->since >= watchdog_timeout())
            __atomic_store_n(w->stop, WATCHDOG_STOP, __ATOMIC_RELAXED);
    }
}

/* Sleeps for one check interval, then checks. It blocks on the condition only if there was no watch
 * at the last check, so short work wakes it no more often than that. */
static void *run(void *unused)
{
    pthread_mutex_lock(&watchdog.lock);
    for (;;) {
        watchdog.idle = list_is_empty(&watchdog.watches);
        while (watchdog.idle)
            pthread_cond_wait(&watchdog.watched, &watchdog.lock);
        struct timespec t = os_clock_timespec(os_clock() + watchdog_timeout() / CHECKS);
        while (pthread_cond_timedwait(&watchdog.watched, &watchdog.lock, &t) != ETIMEDOUT)
            ;
        check_watches(os_clock());
    }
    return NULL;
}

void watchdog_begin(struct watchdog_watch *watch, const unsigned *running, uint32_t *stop)
{
    if (!watchdog_timeout())
        return;
    pthread_once(&once, init_once);
    pthread_mutex_lock(&watchdog.lock);
    watch->process = watchdog.process;
    watch->since = 0;
    watch->running = running;
    watch->stop = stop;
    list_addtail(&watch->link, &watchdog.watches);
    if (!watchdog.started)
        watchdog.started = thread_create_internal(run, 64u << 10);
    if (watchdog.idle) {
        watchdog.idle = false;
        pthread_cond_signal(&watchdog.watched);
    }
    pthread_mutex_unlock(&watchdog.lock);
}

void watchdog_end(struct watchdog_watch *watch)
{
    if (!watch->process)
        return;
    pthread_mutex_lock(&watchdog.lock);
    if (watch->process == watchdog.process)
        list_del(&watch->link);
    watch->process = 0;
    pthread_mutex_unlock(&watchdog.lock);
}
