/* SPDX-License-Identifier: MIT */
/* Attempts: which allocations they free and keep, and nesting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <talloc.h>

#include "util/arena.h"
#include "util/memory.h"

#define TOO_MUCH ((size_t)1 << 60)

static unsigned freed;

static int count_freed(void *block)
{
    freed++;
    return 0;
}

static int *make(void *context)
{
    int *object = talloc(context, int);
    talloc_set_destructor(object, count_freed);
    return object;
}

static void *others[2]; /* allocations of the last build under NULL */

/* Allocates under NULL, under another allocation, and under an existing one. */
static int *build(void *given, size_t size)
{
    int *first = make(NULL);
    make(first);
    others[0] = talloc_new(NULL);
    others[1] = arena_create(NULL);
    make(others[0]);
    make(given);
    arena_alloc(others[1], size);
    return first;
}

static void test_success(void **state)
{
    void *given = talloc_new(NULL);
    freed = 0;
    int *built = UTIL_ATTEMPT(build(given, 100));
    assert_non_null(built);
    assert_int_equal(freed, 0);
    assert_null(talloc_parent(built));
    talloc_free(built);
    assert_int_equal(freed, 2);
    talloc_free(others[0]);
    assert_int_equal(freed, 3);
    talloc_free(others[1]);
    talloc_free(given);
    assert_int_equal(freed, 4);
}

static void test_failure(void **state)
{
    void *given = talloc_new(NULL);
    freed = 0;
    assert_null(UTIL_ATTEMPT(build(given, TOO_MUCH)));
    assert_int_equal(freed, 3);
    assert_int_equal(talloc_total_blocks(given), 2);
    talloc_free(given);
    assert_int_equal(freed, 4);
}

static void *kept;

static bool build_what_stays(void)
{
    kept = make(NULL);
    util_attempt_keep(kept);
    return build(NULL, TOO_MUCH);
}

/* util_attempt_keep, and work during which attempts are suspended. */
static void test_outside(void **state)
{
    freed = 0;
    assert_false(UTIL_ATTEMPT(build_what_stays()));
    assert_int_equal(freed, 4); /* allocations of build */
    talloc_free(kept);
    assert_int_equal(freed, 5);

    struct util_attempt attempt;
    assert_true(util_attempt_begin(&attempt));
    struct util_attempt *suspended = util_attempt_suspend();
    assert_ptr_equal(suspended, &attempt);
    assert_null(talloc_size(NULL, TOO_MUCH));
    util_attempt_resume(suspended);
    util_attempt_end(&attempt);
}

static bool build_within(size_t inner, size_t outer)
{
    int *first = make(NULL);
    void *built = UTIL_ATTEMPT(build(first, inner));
    if (!built) {
        talloc_free(first);
        return false;
    }
    talloc_steal(NULL, first);
    return talloc_size(NULL, outer);
}

static void test_nesting(void **state)
{
    freed = 0;
    assert_false(UTIL_ATTEMPT(build_within(100, TOO_MUCH)));
    assert_int_equal(freed, 5);
    freed = 0;
    assert_false(UTIL_ATTEMPT(build_within(TOO_MUCH, 100)));
    /* the outer attempt has not failed, so the caller frees its allocations */
    assert_int_equal(freed, 5);
}

/* Calls that return NULL although memory is available. */
static bool get_nulls(void)
{
    assert_null(talloc_strdup(NULL, NULL));
    assert_null(talloc_realloc_size(NULL, talloc_size(NULL, 5), 0));
    return true;
}

static void test_nulls(void **state)
{
    assert_true(UTIL_ATTEMPT(get_nulls()));
    assert_null(talloc_size(NULL, TOO_MUCH)); /* outside of an attempt */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_success), cmocka_unit_test(test_failure),
        cmocka_unit_test(test_nesting), cmocka_unit_test(test_outside),
        cmocka_unit_test(test_nulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
