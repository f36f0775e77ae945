/* SPDX-License-Identifier: MIT */
/* Checks that fail end the process with a report; checks that hold cost no more than a
 * comparison. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/check.h"
#include "util/refcount.h"

/* Runs the function in a child process that it must abort. Returns what the child printed. */
static const char *abort_message(void (*function)(void))
{
    static char text[1000];
    int ends[2], status;
    size_t length = 0;
    ssize_t n;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_int_not_equal(child, -1);
    if (!child) {
        dup2(ends[1], STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        function();
        _exit(0);
    }
    close(ends[1]);
    while ((n = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)n;
    text[length] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    return text;
}

static volatile unsigned two = 2;

static void fail_check(void)
{
    CHECK(two + two == 5);
}

static void test_report(void **state)
{
    const char *text = abort_message(fail_check);
    assert_non_null(strstr(text, "test_check.c:"));
    assert_non_null(strstr(text, "two + two == 5"));
    assert_non_null(strstr(text, "Please report"));
}

static void overrun_array(void)
{
    int array[2];
    unsigned n = two;
    NEXT_OF(array, n) = 1;
}

static void overrun_memory(void)
{
    int array[4];
    unsigned n = two;
    NEXT_WITHIN(&array[0], n, two) = 1;
}

static void test_next(void **state)
{
    int array[2] = {0};
    unsigned n = 0;
    NEXT_OF(array, n) = 5;
    NEXT_WITHIN(&array[0], n, 2) = 6;
    assert_int_equal(n, 2);
    assert_int_equal(array[0], 5);
    assert_int_equal(array[1], 6);
    assert_non_null(strstr(abort_message(overrun_array), "check failed"));
    assert_non_null(strstr(abort_message(overrun_memory), "check failed"));
}

static void take_dead(void)
{
    int refcount = 0;
    ref_take(&refcount);
}

static void drop_dead(void)
{
    int refcount = 0;
    ref_drop(&refcount);
}

static void test_references(void **state)
{
    int refcount = 1;
    ref_take(&refcount);
    assert_false(ref_drop(&refcount));
    assert_true(ref_drop(&refcount));
    assert_non_null(strstr(abort_message(take_dead), "refcount.h"));
    assert_non_null(strstr(abort_message(drop_dead), "refcount.h"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_next),
        cmocka_unit_test(test_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
