/* SPDX-License-Identifier: MIT */
/* Jobs run once each, in both priorities; a process that exits ends what was begun in the background. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/thread_pool.h"

enum { COUNT = 200 };

struct counts {
    int runs[COUNT], now, most; /* now: that run at this time */
};

static void count(void *data, unsigned index)
{
    struct counts *c = data;
    int now = __atomic_add_fetch(&c->now, 1, __ATOMIC_SEQ_CST);
    if (now > c->most)
        c->most = now;
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
        for (unsigned i = 0; i < COUNT; i++)
            assert_int_equal(c.runs[i], 1);
    }
}

/* Nobody waits for the group: workers alone run it, half of them. */
static void test_low_leaves_room(void **state)
{
    struct counts c = {{0}};
    struct job_group group = {0};
    unsigned room = thread_pool_size() / 2;
    thread_pool_submit(&group, THREAD_PRIORITY_LOW, count, &c, COUNT);
    while (!thread_pool_done(&group))
        usleep(1000);
    assert_true(c.most <= (int)(room ? room : 1));
}

static int pipe_ends[2];

static void slow(void *data, unsigned index)
{
    char byte = 'b';
    if (write(pipe_ends[1], &byte, 1) != 1)
        abort();
    usleep(50000);
    byte = 'e';
    if (write(pipe_ends[1], &byte, 1) != 1)
        abort();
}

/* As many ends as beginnings, however many were begun. */
static void test_exit(void **state)
{
    assert_int_equal(pipe(pipe_ends), 0);
    pid_t child = fork();
    if (!child) {
        static struct job_group group;
        thread_pool_submit(&group, THREAD_PRIORITY_LOW, slow, NULL, 20);
        usleep(20000);
        exit(0);
    }
    close(pipe_ends[1]);
    int balance = 0, status;
    char byte;
    while (read(pipe_ends[0], &byte, 1) == 1)
        balance += byte == 'b' ? 1 : -1;
    close(pipe_ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(balance, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_run),
        cmocka_unit_test(test_low_leaves_room),
        cmocka_unit_test(test_exit),
    };
    return cmocka_run_group_tests_name("thread pool", tests, NULL, NULL);
}
