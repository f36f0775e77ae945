/* SPDX-License-Identifier: MIT */
/* The watchdog: what it stops, and that only CPU time counts. The process's clock stands still, as
 * with some preloaded libraries. Runs with a timeout of one second. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/watchdog.h"

#define TIMEOUT 1.0
/* CPU time after which work that should be stopped ends by itself. A watchdog that a slow or busy
 * machine delays stops it later than after TIMEOUT. */
#define MOST 20.0
/* More than the watchdog's checks in 2.5 seconds, and fewer than those of one that polls. */
#define WAKEUPS 200

int clock_gettime(clockid_t clock, struct timespec *t)
{
    *t = (struct timespec){.tv_sec = 1};
    return 0;
}

/* Reads the kernel's clock, bypassing the function above. */
static double seconds(clockid_t clock)
{
    struct timespec t;
    syscall(SYS_clock_gettime, clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void sleep_milliseconds(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* Work that spins until it is stopped or has spent `most` seconds of CPU time. */
struct work {
    struct watchdog_task *shared; /* NULL: it works on `task` */
    struct watchdog_task task;
    struct watchdog_stop stop;
    bool advances;
    double most, spent;
};

static void spin(struct work *w)
{
    struct watchdog_task *outer = watchdog_enter(w->shared ? w->shared : &w->task);
    const double begun = seconds(CLOCK_THREAD_CPUTIME_ID);
    while (!watchdog_stopped(&w->stop) && w->spent < w->most) {
        if (w->advances)
            watchdog_progress();
        w->spent = seconds(CLOCK_THREAD_CPUTIME_ID) - begun;
    }
    /* the host may have delayed the thread since the last reading */
    w->spent = seconds(CLOCK_THREAD_CPUTIME_ID) - begun;
    watchdog_leave(outer);
}

static uint32_t run(bool advances, uint32_t commands, double most, double *spent)
{
    struct work w = {.advances = advances, .most = most, .task.commands = commands};
    w.task.stop = &w.stop;
    spin(&w);
    *spent = w.spent;
    assert_ptr_equal(w.stop.task, w.stop.flag ? &w.task : NULL);
    return w.stop.flag;
}

/* Checks that work is stopped after `limit` seconds of CPU time, and less than a timeout later. The
 * host may delay the watchdog, so only one of five attempts has to be in time. */
static void expect_stop(uint32_t reason, bool advances, uint32_t commands, double limit)
{
    double spent;
    unsigned attempts = 5;
    do {
        assert_true(attempts-- > 0);
        assert_int_equal(run(advances, commands, MOST, &spent), reason);
        assert_true(spent >= limit);
    } while (spent >= limit + TIMEOUT);
}

static void test_stalled(void **state)
{
    expect_stop(WATCHDOG_STALLED, false, 0, TIMEOUT);
}

/* Checks that work without a total limit may take any time as long as it advances. */
static void test_advancing(void **state)
{
    double spent;
    assert_int_equal(run(true, 0, 2.5 * TIMEOUT, &spent), WATCHDOG_RUN);
    assert_true(spent >= 2.5 * TIMEOUT);
}

static void test_total(void **state)
{
    expect_stop(WATCHDOG_TOTAL, true, 1, TIMEOUT);
    expect_stop(WATCHDOG_TOTAL, true, 3, 3 * TIMEOUT);
}

/* Checks that time in another task doesn't count, and that the outer task continues. */
static void test_nested(void **state)
{
    struct work outer = {.task.commands = 1, .most = MOST};
    double spent;
    outer.task.stop = &outer.stop;
    struct watchdog_task *none = watchdog_enter(&outer.task);
    assert_null(none);
    assert_int_equal(run(true, 0, 1.5 * TIMEOUT, &spent), WATCHDOG_RUN);
    assert_false(watchdog_stopped(&outer.stop));
    const double begun = seconds(CLOCK_THREAD_CPUTIME_ID);
    while (!watchdog_stopped(&outer.stop) && seconds(CLOCK_THREAD_CPUTIME_ID) - begun < MOST)
        ;
    watchdog_leave(none);
    assert_true(watchdog_stopped(&outer.stop));
}

/* Checks that a thread that waits spends no time, whatever the wall clock says, and that the
 * watchdog sleeps meanwhile. Wakeups are counted because on a slow machine each may take
 * milliseconds. */
static void test_waiting(void **state)
{
    struct work w = {.task.commands = 1};
    w.task.stop = &w.stop;
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    watchdog_enter(&w.task);
    sleep_milliseconds(2500);
    watchdog_leave(NULL);
    getrusage(RUSAGE_SELF, &after);
    assert_false(watchdog_stopped(&w.stop));
    assert_in_range(after.ru_nvcsw - before.ru_nvcsw, 1, WAKEUPS);
}

static void *spin_thread(void *work)
{
    spin(work);
    return NULL;
}

/* Checks that the CPU time of the busiest thread of each interval counts, not the sum. Then no more
 * than the wall-clock time counts, which is below the limit if two CPUs are free. */
static void test_threads(void **state)
{
    enum { THREADS = 8 };
    struct watchdog_stop stop = {0};
    struct watchdog_task task = {.stop = &stop, .commands = 1};
    struct work w[THREADS];
    pthread_t thread[THREADS];
    double sum = 0;
    const double begun = seconds(CLOCK_MONOTONIC);
    for (unsigned i = 0; i < THREADS; i++) {
        w[i] = (struct work){.shared = &task, .advances = true, .most = 0.2 * TIMEOUT};
        assert_int_equal(pthread_create(&thread[i], NULL, spin_thread, &w[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        sum += w[i].spent;
    }
    assert_true(sum >= THREADS * 0.2 * TIMEOUT);
    assert_true(seconds(CLOCK_MONOTONIC) - begun >= TIMEOUT || !watchdog_stopped(&stop));
}

static void test_fork(void **state)
{
    int status;
    double spent;
#ifdef __SANITIZE_THREAD__
    skip(); /* TSan lets no child start threads */
#endif
    const pid_t child = fork();
    if (!child) {
        _exit(run(false, 0, MOST, &spent) == WATCHDOG_STALLED ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    test_stalled(state);
}

/* Checks the stop for other reasons: the first reason stays. */
static void test_stop(void **state)
{
    struct watchdog_stop stop = {0};
    assert_false(watchdog_stopped(&stop));
    watchdog_stop(&stop);
    assert_int_equal(stop.flag, WATCHDOG_STALLED);
    assert_null(stop.task);
    stop.flag = WATCHDOG_TOTAL;
    watchdog_stop(&stop);
    assert_int_equal(stop.flag, WATCHDOG_TOTAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stalled), cmocka_unit_test(test_advancing),
        cmocka_unit_test(test_total),   cmocka_unit_test(test_nested),
        cmocka_unit_test(test_waiting), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_fork),    cmocka_unit_test(test_stop),
    };
    setenv("INDIUM_TIMEOUT", "1", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
