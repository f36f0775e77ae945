/* SPDX-License-Identifier: MIT */
/* Reserves: what malloc refuses comes from there, and goes back from any thread, at any time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "jit/jit_reserve.h"
#include "util/macros.h"

#define LARGE ((size_t)64 << 20) /* more than malloc has left from before */

/* No address space but what is mapped. */
static void refuse_more(bool refuse)
{
    static struct rlimit before;
    if (refuse)
        getrlimit(RLIMIT_AS, &before);
    struct rlimit limit = {refuse ? 0 : before.rlim_cur, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
}

/* Optimizers may leave out what is allocated and freed. */
static void *volatile p[200];

static void fill(unsigned i, size_t size)
{
    assert_non_null(p[i]);
    assert_int_equal((uintptr_t)p[i] % 16, 0);
    memset(p[i], (int)i, size);
}

static void check(unsigned i, size_t size)
{
    for (size_t at = 0; at < size; at += 1 + size / 1000)
        assert_int_equal(((uint8_t *)p[i])[at], (uint8_t)i);
}

static void test_pieces(void **state)
{
    struct jit_reserve *reserve = jit_reserve_open(4 * LARGE);
    assert_non_null(reserve);
    refuse_more(true);
    p[0] = malloc(LARGE);
    fill(0, LARGE);
    p[1] = calloc(LARGE / 8, 8);
    assert_non_null(p[1]);
    for (size_t i = 0; i < LARGE; i += 999)
        assert_int_equal(((uint8_t *)p[1])[i], 0);
    fill(1, LARGE);
    free(p[1]);
    p[1] = aligned_alloc(4096, LARGE); /* where the last one was, about */
    assert_int_equal((uintptr_t)p[1] % 4096, 0);
    fill(1, LARGE);
    check(0, LARGE);
    assert_null(malloc(4 * LARGE));
    jit_reserve_close(reserve);
    assert_null(malloc(LARGE));
    refuse_more(false);
    check(0, LARGE);
    check(1, LARGE);
    p[0] = realloc(p[0], LARGE + 1); /* malloc's again */
    check(0, LARGE);
    free(p[0]);
    free(p[1]);
}

/* Pieces of all sizes, freed in another order: memory that was freed is used again. */
static void test_sizes(void **state)
{
    const size_t count = ARRAY_SIZE(p), bytes = 3 << 20;
    struct jit_reserve *reserve = jit_reserve_open(bytes);
    assert_non_null(reserve);
    refuse_more(true);
    for (unsigned round = 0; round < 100; round++) {
        for (unsigned i = 0; i < count; i++) {
            p[i] = malloc(i * i / 4); /* some are malloc's own */
            fill(i, i * i / 4);
        }
        for (unsigned i = 0; i < count; i++) {
            unsigned other = (unsigned)(i * 7 % count);
            check(other, other * other / 4);
            p[other] = realloc(p[other], other * other / 2);
            check(other, other * other / 4);
            free(p[other]);
        }
    }
    refuse_more(false);
    jit_reserve_close(reserve);
}

static void test_last(void **state)
{
    refuse_more(true);
    assert_null(malloc(LARGE));
    jit_reserve_open_last();
    p[0] = realloc(NULL, 300 << 10);
    fill(0, 300 << 10);
    jit_reserve_close_last();
    refuse_more(false);
    free(p[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
