/* SPDX-License-Identifier: MIT */
/* Large stacks: deep recursion from a thread with a small stack, nested calls, lack of memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <talloc.h>

#include "util/deep_stack.h"
#include "util/memory.h"

/* Uses more than 1 KiB of stack per level. */
static unsigned recurse(unsigned depth)
{
    volatile uint8_t frame[1024];
    frame[depth % sizeof frame] = 1;
    return depth ? recurse(depth - 1) + frame[depth % sizeof frame] : 0;
}

static void run(void *data)
{
    unsigned *depth = data;
    *depth = recurse(*depth);
}

static void run_nested(void *data)
{
    assert_true(util_deep_call(run, data));
}

static void *small_thread(void *data)
{
    return util_deep_call(run_nested, data) ? data : NULL;
}

/* 100 MiB of stack from a thread that has 64 KiB. */
static void test_small_thread(void **state)
{
    assert_false(util_deep_enough(UTIL_DEEP_LEVELS)); /* large stacks from now on */
    for (unsigned i = 0; i < 3; i++) {
        unsigned depth = 90000;
        pthread_attr_t attr;
        pthread_t thread;
        void *done;
        pthread_attr_init(&attr);
        pthread_attr_setstacksize(&attr, 64 << 10);
        assert_int_equal(pthread_create(&thread, &attr, small_thread, &depth), 0);
        pthread_attr_destroy(&attr);
        pthread_join(thread, &done);
        assert_ptr_equal(done, &depth);
        assert_int_equal(depth, 90000);
    }
}

static void *run_out(void *data)
{
    assert_non_null(talloc_new(NULL));
    util_out_of_memory();
    return data;
}

static void *succeed(void *data)
{
    return data;
}

/* A failed attempt ends on its stack; the next call works. */
static void test_attempt(void **state)
{
    int value;
    assert_null(util_deep_attempt(run_out, &value));
    assert_ptr_equal(util_deep_attempt(succeed, &value), &value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_thread),
        cmocka_unit_test(test_attempt),
    };
    return cmocka_run_group_tests_name("deep stack", tests, NULL, NULL);
}
