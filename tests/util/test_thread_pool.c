/* SPDX-License-Identifier: MIT */
/* Each job runs once, with both priorities and not too many at a time. Low-priority jobs leave
 * workers free. The child of a fork doesn't wait for the parent's workers, and the parent waits for
 * its jobs. */
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/blob_cache.h"
#include "util/fork_lock.h"
#include "util/thread_pool.h"

enum { COUNT = 200 };
static int failures; /* failures found by threads other than cmocka's */

struct counts {
    int runs[COUNT], now, most; /* now: jobs running; most: maximum of now */
};

static void count(void *data, unsigned index)
{
    struct counts *c = data;
    int now = __atomic_add_fetch(&c->now, 1, __ATOMIC_SEQ_CST);
    int most = __atomic_load_n(&c->most, __ATOMIC_SEQ_CST);
    while (now > most && !__atomic_compare_exchange_n(&c->most, &most, now, false, __ATOMIC_SEQ_CST,
                                                      __ATOMIC_SEQ_CST))
        ;
    __atomic_add_fetch(&c->runs[index], 1, __ATOMIC_SEQ_CST);
    __atomic_sub_fetch(&c->now, 1, __ATOMIC_SEQ_CST);
}

static void test_all_run(void **state)
{
    for (unsigned priority = THREAD_PRIORITY_NORMAL; priority <= THREAD_PRIORITY_LOW; priority++) {
        struct counts c = {{0}};
        struct job_group group = {0};
        thread_pool_submit(&group, priority, count, &c, COUNT);
        thread_pool_wait(&group);
        assert_true(thread_pool_done(&group));
        assert_true(c.most <= (int)thread_pool_size());
        for (unsigned i = 0; i < COUNT; i++)
            assert_int_equal(c.runs[i], 1);
    }
}

static void note_thread(void *data, unsigned index)
{
    *(pthread_t *)data = pthread_self();
}

/* With one thread, jobs run in the submitting thread. */
static void test_at_once(void **state)
{
    pthread_t thread = 0;
    struct job_group group = {0};
    if (thread_pool_size() != 1)
        skip();
    thread_pool_submit(&group, THREAD_PRIORITY_NORMAL, note_thread, &thread, 1);
    assert_true(thread_pool_done(&group));
    assert_true(pthread_equal(thread, pthread_self()));
}

/* No thread waits for the group, so only workers run it, half of them. */
static void test_low_priority_leaves_workers(void **state)
{
    struct counts c = {{0}};
    struct job_group group = {0};
    unsigned most_workers = thread_pool_size() / 2;
    thread_pool_submit(&group, THREAD_PRIORITY_LOW, count, &c, COUNT);
    while (!thread_pool_done(&group))
        usleep(1000);
    assert_true(c.most <= (int)(most_workers ? most_workers : 1));
}

static void check(const struct counts *c, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        __atomic_add_fetch(&failures, c->runs[i] != 1, __ATOMIC_SEQ_CST);
}

/* A job that waits for other jobs. */
static void wait_inside(void *data, unsigned index)
{
    struct counts *c = data;
    bool inside = thread_pool_inside();
    if (index % 2) {
        thread_pool_run(count, &c[index], COUNT);
    } else {
        struct job_group group = {0};
        thread_pool_submit(&group, THREAD_PRIORITY_NORMAL, count, &c[index], COUNT);
        thread_pool_wait(&group);
    }
    check(&c[index], COUNT);
    __atomic_add_fetch(&failures, !inside, __ATOMIC_SEQ_CST);
}

/* There are more such jobs than threads; they must not block each other. */
static void test_nested(void **state)
{
    static struct counts c[20];
    struct job_group group = {0};
    thread_pool_submit(&group, THREAD_PRIORITY_NORMAL, wait_inside, c, 20);
    thread_pool_wait(&group);
    assert_false(thread_pool_inside());
    assert_int_equal(failures, 0);
}

static void *submit_often(void *unused)
{
    for (unsigned round = 0; round < 300; round++) {
        struct counts c = {{0}};
        if (round % 3 == 2) {
            thread_pool_run(count, &c, 1 + round % 7);
        } else {
            struct job_group group = {0};
            thread_pool_submit(&group, round % 3, count, &c, 1 + round % 7);
            thread_pool_wait(&group);
        }
        check(&c, 1 + round % 7);
    }
    return NULL;
}

/* Several threads submit groups and free them as soon as they are done. */
static void test_several_threads(void **state)
{
    pthread_t thread[4];
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, submit_often, NULL), 0);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    assert_int_equal(failures, 0);
}

struct surroundings {
    int signals; /* jobs that the application's signals could interrupt */
    int rounding;
};

static void look_around(void *data, unsigned index)
{
    struct surroundings *s = data;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (!sigismember(&blocked, SIGUSR1) || !sigismember(&blocked, SIGTERM) ||
        !sigismember(&blocked, SIGALRM) || sigismember(&blocked, SIGSEGV))
        __atomic_add_fetch(&s->signals, 1, __ATOMIC_SEQ_CST);
    volatile float zero = 0.0f, one = 1.0f, three = 3.0f, sink = one / zero;
    if (sink - sink == 0.0f || one / three < 1.0f / 3)
        __atomic_add_fetch(&s->rounding, 1, __ATOMIC_SEQ_CST);
    usleep(100);
}

/* Workers block signals, and a waiting thread runs jobs with the pool's floating-point
 * environment. */
static void test_surroundings(void **state)
{
    struct surroundings s = {0};
    struct job_group group = {0};
    thread_pool_submit(&group, THREAD_PRIORITY_LOW, look_around, &s, 50);
    while (!thread_pool_done(&group)) /* only workers run it */
        usleep(1000);
    assert_int_equal(s.signals, 0);
    assert_int_equal(s.rounding, 0);

    fesetround(FE_DOWNWARD);
    feenableexcept(FE_DIVBYZERO);
    thread_pool_submit(&group, THREAD_PRIORITY_NORMAL, look_around, &s, 50);
    thread_pool_wait(&group);
    int rounding = fegetround(), traps = fegetexcept();
    fesetenv(FE_DFL_ENV);
    assert_int_equal(s.rounding, 0);
    assert_int_equal(rounding, FE_DOWNWARD);
    assert_int_equal(traps, FE_DIVBYZERO);
    sigset_t own;
    pthread_sigmask(SIG_SETMASK, NULL, &own);
    assert_false(sigismember(&own, SIGUSR1));
}

static void take_long(void *data, unsigned index)
{
    usleep(2000);
    __atomic_add_fetch((int *)data, 1, __ATOMIC_SEQ_CST);
}

/* Parent and child each run the jobs queued at the fork; the child has its own workers. */
static void test_fork(void **state)
{
    for (enum thread_priority p = THREAD_PRIORITY_NORMAL; p <= THREAD_PRIORITY_LOW; p++) {
        struct job_group group = {0}, more = {0};
        int runs = 0, status;

        thread_pool_submit(&group, p, take_long, &runs, 20);
        while (!__atomic_load_n(&runs, __ATOMIC_SEQ_CST)) /* a worker is running */
            sched_yield();
        pid_t child = fork();
        if (child == 0) {
            alarm(30);
            thread_pool_wait(&group);
            bool whole = runs == 20;
            thread_pool_submit(&more, p, take_long, &runs, 20);
            thread_pool_wait(&more);
            _exit(whole && runs == 40 ? 0 : 1);
        }
        thread_pool_wait(&group);
        assert_int_equal(runs, 20);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

static pthread_mutex_t leaf = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static void reset_change(void)
{
    pthread_cond_init(&change, NULL);
}

UTIL_FORK_LOCK_RESET(leaf, reset_change());

static void hold_late(void *data, unsigned index)
{
    __atomic_store_n((bool *)data, true, __ATOMIC_SEQ_CST);
    usleep(20000); /* until fork() waits for this job */
    pthread_mutex_lock(&leaf);
    pthread_mutex_unlock(&leaf);
}

/* Keeps the mutex for a while, then waits for a change. */
static void *hold(void *data)
{
    bool *state = data; /* [0]: runs; [1]: the change */
    pthread_mutex_lock(&leaf);
    __atomic_store_n(&state[0], true, __ATOMIC_SEQ_CST);
    usleep(50000);
    while (!state[1])
        pthread_cond_wait(&change, &leaf);
    pthread_mutex_unlock(&leaf);
    return NULL;
}

/* A mutex that another thread holds during a fork is free in the child. A job for which the fork
 * waits can take it. */
static void test_fork_lock(void **state)
{
    struct job_group group = {0};
    bool running = false, held[2] = {false, false};
    pthread_t thread;
    int status;

    assert_int_equal(pthread_create(&thread, NULL, hold, held), 0);
    thread_pool_submit(&group, THREAD_PRIORITY_NORMAL, hold_late, &running, 1);
    while (!__atomic_load_n(&running, __ATOMIC_SEQ_CST) ||
           !__atomic_load_n(&held[0], __ATOMIC_SEQ_CST))
        sched_yield();
    alarm(30); /* ends a fork() that waits forever */
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        pthread_mutex_lock(&leaf);
        pthread_cond_broadcast(&change);
        pthread_mutex_unlock(&leaf);
        _exit(0);
    }
    alarm(0);
    thread_pool_wait(&group);
    pthread_mutex_lock(&leaf);
    held[1] = true;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&leaf);
    pthread_join(thread, NULL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void use_cache_late(void *data, unsigned index)
{
    __atomic_store_n((bool *)data, true, __ATOMIC_SEQ_CST);
    usleep(50000); /* until fork() waits for this job */
    (void)util_blob_cache_exists();
}

/* A job that fork() waits for can use the cache of the application. */
static void test_fork_with_cache(void **state)
{
    struct job_group group = {0};
    bool running = false;
    int status;

    (void)util_blob_cache_exists(); /* registers its handlers, if the pool did not */
    thread_pool_submit(&group, THREAD_PRIORITY_NORMAL, use_cache_late, &running, 1);
    while (!__atomic_load_n(&running, __ATOMIC_SEQ_CST))
        sched_yield();
    alarm(30); /* ends a fork() that waits forever */
    pid_t child = fork();
    if (child == 0)
        _exit(util_blob_cache_exists());
    alarm(0);
    thread_pool_wait(&group);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surroundings), /* also starts the workers */
        cmocka_unit_test(test_all_run),      cmocka_unit_test(test_low_priority_leaves_workers),
        cmocka_unit_test(test_nested),       cmocka_unit_test(test_several_threads),
        cmocka_unit_test(test_fork),         cmocka_unit_test(test_fork_with_cache),
        cmocka_unit_test(test_at_once),      cmocka_unit_test(test_fork_lock),
    };
    return cmocka_run_group_tests_name("thread pool", tests, NULL, NULL);
}
