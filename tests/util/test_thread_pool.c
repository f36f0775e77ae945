/* SPDX-License-Identifier: MIT */
/* Jobs run once each, in both priorities; those of low priority leave workers to the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_run),
        cmocka_unit_test(test_low_leaves_room),
    };
    return cmocka_run_group_tests_name("thread pool", tests, NULL, NULL);
}
