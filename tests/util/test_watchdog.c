/* SPDX-License-Identifier: MIT */
/* The watchdog in a process whose clock stands still, as with some preloaded libraries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/watchdog.h"

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

static void pass_milliseconds(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static void test_sleeps_and_bites(void **state)
{
    struct watchdog_watch watch = {0};
    unsigned running = 1;
    uint32_t stop = 0;
    double begun = seconds(CLOCK_MONOTONIC), before = seconds(CLOCK_PROCESS_CPUTIME_ID);

    watchdog_begin(&watch, &running, &stop);
    pass_milliseconds(500);
    assert_true(seconds(CLOCK_PROCESS_CPUTIME_ID) - before < 0.1);
    bool early = __atomic_load_n(&stop, __ATOMIC_RELAXED);
    if (seconds(CLOCK_MONOTONIC) - begun <
        1) /* the timeout; a busy machine may have slept longer */
        assert_false(early);
    for (int i = 0; i < 600 && !__atomic_load_n(&stop, __ATOMIC_RELAXED); i++)
        pass_milliseconds(100);
    assert_int_equal(stop, WATCHDOG_STOP);
    watchdog_end(&watch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sleeps_and_bites)};

    setenv("INDIUM_TIMEOUT", "1", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
