/* SPDX-License-Identifier: MIT */
/* Large stacks: deep recursion and jobs in a thread with a small stack, nested calls, lack of
 * memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <pthread.h>
#include <talloc.h>

#include "util/deep_stack.h"
#include "util/memory.h"
#include "util/sanitize.h"
#include "util/thread_pool.h"

/* The smallest stack of a thread in bytes: 64 KiB, or what the system requires (128 KiB on
 * AArch64). */
#define LITTLE MAX2(64 << 10, PTHREAD_STACK_MIN)

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
        assert_int_equal(pthread_attr_setstacksize(&attr, LITTLE), 0);
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

/* --- calls that use the current stack if it is large enough --- */

static uintptr_t used; /* an address in the frame of note_stack */

static void note_stack(void *depth)
{
    used = (uintptr_t)__builtin_frame_address(0);
    run(depth);
}

static void *call_roomy(void *depth)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    util_roomy_call(note_stack, depth);
    return (void *)(uintptr_t)(here - used < 4096 ? 1 : 2); /* the same stack, or another one */
}

/* Returns what call_roomy returns in a thread with such a stack. */
static uintptr_t roomy_in_thread(size_t bytes, unsigned depth)
{
    pthread_attr_t attr;
    pthread_t thread;
    void *which;
    pthread_attr_init(&attr);
    assert_int_equal(pthread_attr_setstacksize(&attr, bytes), 0);
    assert_int_equal(pthread_create(&thread, &attr, call_roomy, &depth), 0);
    pthread_attr_destroy(&attr);
    pthread_join(thread, &which);
    return (uintptr_t)which;
}

static void test_roomy(void **state)
{
    unsigned depth = 200;                            /* more than 200 KiB */
    assert_ptr_equal(call_roomy(&depth), (void *)1); /* the main thread */
    assert_int_equal(roomy_in_thread(1 << 20, 200), 1);
#if !SANITIZED_ADDRESS && !SANITIZED_THREAD
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(roomy_in_thread(LITTLE, 200), 2);
#endif
}

#if !SANITIZED_ADDRESS && !SANITIZED_THREAD

static void deep_job(void *data, unsigned index)
{
    unsigned *depth = data;
    depth[index] = recurse(depth[index]);
}

static void *run_jobs(void *data)
{
    thread_pool_run(deep_job, data, 4);
    thread_pool_run_here(deep_job, data, 4);
    return data;
}

/* A thread with a small stack runs jobs of the pool that need more. */
static void test_jobs(void **state)
{
    unsigned depth[] = {200, 200, 200, 200};
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    assert_int_equal(pthread_attr_setstacksize(&attr, LITTLE), 0);
    assert_int_equal(pthread_create(&thread, &attr, run_jobs, depth), 0);
    pthread_attr_destroy(&attr);
    pthread_join(thread, NULL);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(depth[i], 200);
}

#else
static void test_jobs(void **state)
{
    skip();
}
#endif

int main(void)
{
    setenv("INDIUM_THREADS", "1", 1); /* jobs run in the thread that waits for them */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roomy),
        cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_small_thread),
        cmocka_unit_test(test_attempt),
    };
    return cmocka_run_group_tests_name("deep stack", tests, NULL, NULL);
}
