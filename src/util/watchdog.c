/* SPDX-License-Identifier: MIT */
#include "util/watchdog.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "util/kernel_clock.h"
#include "util/options.h"
#include "util/thread_pool.h"

#define LOOKS 8 /* in the time that work may take */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t watched; /* signalled when the thread is idle and there is something to watch */
    struct list_head watches;
    unsigned process; /* counts forks: what the parent watched is not in the child's list */
    bool started, idle;
} dog = {.lock = PTHREAD_MUTEX_INITIALIZER};
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
    pthread_cond_init(&dog.watched, &attr);
    pthread_condattr_destroy(&attr);
    list_init(&dog.watches);
    dog.process++;
    dog.started = dog.idle = false;
}

static void after_fork_in_child(void)
{
    pthread_mutex_init(&dog.lock, NULL);
    init();
}

static void init_once(void)
{
    init();
    pthread_atfork(NULL, NULL, after_fork_in_child);
}

static void look(uint64_t now)
{
    list_for_each_entry (struct watchdog_watch, w, &dog.watches, link) {
        if (!__atomic_load_n(w->running, __ATOMIC_RELAXED))
            continue;
        if (!w->since)
            w->since = now;
        if (now - w->since >= watchdog_timeout())
            __atomic_store_n(w->stop, WATCHDOG_STOP, __ATOMIC_RELAXED);
    }
}

/* Sleeps for a look's time with something to watch or without, and until there is some if there was
 * none when it woke: work that comes and goes all the time wakes it no more often. */
static void *run(void *unused)
{
    pthread_mutex_lock(&dog.lock);
    for (;;) {
        dog.idle = list_is_empty(&dog.watches);
        while (dog.idle)
            pthread_cond_wait(&dog.watched, &dog.lock);
        struct timespec t = kernel_clock_time(kernel_clock() + watchdog_timeout() / LOOKS);
        while (pthread_cond_timedwait(&dog.watched, &dog.lock, &t) != ETIMEDOUT)
            ;
        look(kernel_clock());
    }
    return NULL;
}

void watchdog_begin(struct watchdog_watch *watch, const unsigned *running, uint32_t *stop)
{
    if (!watchdog_timeout())
        return;
    pthread_once(&once, init_once);
    pthread_mutex_lock(&dog.lock);
    watch->process = dog.process;
    watch->since = 0;
    watch->running = running;
    watch->stop = stop;
    list_addtail(&watch->link, &dog.watches);
    if (!dog.started)
        dog.started = thread_create_own(run, 64u << 10);
    if (dog.idle) {
        dog.idle = false;
        pthread_cond_signal(&dog.watched);
    }
    pthread_mutex_unlock(&dog.lock);
}

void watchdog_end(struct watchdog_watch *watch)
{
    if (!watch->process)
        return;
    pthread_mutex_lock(&dog.lock);
    if (watch->process == dog.process)
        list_del(&watch->link);
    watch->process = 0;
    pthread_mutex_unlock(&dog.lock);
}
