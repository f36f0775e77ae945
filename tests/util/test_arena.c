/* SPDX-License-Identifier: MIT */
/* Arenas: alignment, growth past the size of a huge page, large allocations, reuse, pools. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <talloc.h>

#include "util/arena.h"

/* Replaces the heap's function: some applications' heaps (browsers') refuse alignments above 1 MiB
 * or abort. */
__attribute__((visibility("default"))) void *aligned_alloc(size_t align, size_t size)
{
    assert_true(align <= 1u << 20);
    return memalign(align, size);
}

static void test_alignment(void **state)
{
    struct arena *a = arena_create(NULL);
    for (unsigned i = 0; i < 1000; i++) {
        size_t align = (size_t)1 << i % 7;
        uint8_t *p = arena_alloc_aligned(a, i % 13, align);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p & (align - 1), 0);
        memset(p, 0xff, i % 13);
    }
    arena_destroy(a);
}

/* All allocations keep their contents, however many chunks there are. */
static void test_growth(void **state)
{
    enum { COUNT = 200000, SIZE = 40 };
    struct arena *a = arena_create(NULL);
    uint32_t **pieces = talloc_array(NULL, uint32_t *, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        pieces[i] = arena_zalloc(a, SIZE);
        for (unsigned k = 0; k < SIZE / 4; k++) {
            assert_int_equal(pieces[i][k], 0);
            pieces[i][k] = i;
        }
    }
    assert_true(arena_used(a) >= (size_t)COUNT * SIZE);
    for (unsigned i = 0; i < COUNT; i++)
        assert_true(pieces[i][0] == i && pieces[i][SIZE / 4 - 1] == i);
    arena_destroy(a);
    talloc_free(pieces);
}

static void test_large_pieces(void **state)
{
    struct arena *a = arena_create(NULL);
    for (size_t size = 1; size < 64u << 20; size *= 3) {
        uint8_t *p = arena_alloc(a, size), *after = arena_alloc(a, 1);
        assert_true(p && after);
        memset(p, 0xff, size);
        *after = 0;
        assert_int_equal(p[size - 1], 0xff);
    }
    assert_null(arena_alloc(a, SIZE_MAX - 8));
    arena_destroy(a);
}

/* Marks allocations of a new arena, then destroys it. Returns how many already had a mark. */
static unsigned marked_before(void)
{
    enum { COUNT = 500, PIECE = 1 << 16 };
    struct arena *a = arena_create(NULL);
    unsigned marked = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        uint8_t *p = arena_alloc(a, PIECE);
        marked += p[PIECE - 1] == 0x5a;
        p[PIECE - 1] = 0x5a;
    }
    arena_destroy(a);
    return marked;
}

/* If much memory is in use, another arena reuses freed pages; otherwise they are unmapped. */
static void test_kept_pages(void **state)
{
    const size_t piece = 1u << 16;
    struct arena *used = arena_create(NULL);
    for (size_t i = 0; i < (100u << 20) / piece; i++)
        assert_non_null(arena_alloc(used, piece));
    marked_before();
    assert_in_range(marked_before(), 300, 500);
    arena_destroy(used);
    marked_before();
    assert_in_range(marked_before(), 0, 100);
}

static void test_reset(void **state)
{
    struct arena *a = arena_create(NULL);
    void *first = arena_alloc(a, 100);
    (void)arena_alloc(a, 5u << 20);
    arena_reset(a);
    assert_int_equal(arena_used(a), 0);
    assert_ptr_equal(arena_alloc(a, 100), first);
    assert_non_null(arena_alloc(a, 5u << 20));
    arena_destroy(a);
}

/* Two arenas of a pool, with allocations that fit into its chunks and larger ones. */
static void test_pool(void **state)
{
    enum { COUNT = 3000 };
    struct arena_pool *pool = arena_pool_create();
    struct arena *arena[2] = {arena_create_in(NULL, pool), arena_create_in(NULL, pool)};
    uint32_t *pieces[COUNT];
    for (unsigned round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            size_t size = i % 500 == 7 ? 300000 : 4 + i;
            pieces[i] = arena_alloc_aligned(arena[i % 2], size, 64);
            assert_int_equal((uintptr_t)pieces[i] & 63, 0);
            memset(pieces[i], 0xff, size);
            pieces[i][0] = i;
        }
        for (uint32_t i = 0; i < COUNT; i++)
            assert_int_equal(pieces[i][0], i);
        arena_reset(arena[round % 2]);
        assert_int_equal(arena_used(arena[round % 2]), 0);
    }
    arena_destroy(arena[0]);
    arena_destroy(arena[1]);
    arena_pool_destroy(pool);
}

/* Arenas of a pool reuse each other's chunks. */
static void test_pool_reuse(void **state)
{
    struct arena_pool *pool = arena_pool_create();
    struct arena *a = arena_create_in(NULL, pool), *b = arena_create_in(NULL, pool);
    void *first = arena_alloc(a, 100);
    assert_ptr_not_equal(arena_alloc(b, 100), first);
    arena_reset(a);
    arena_reset(b);
    (void)arena_alloc(a, 100); /* uses the last chunk released, which was b's */
    assert_ptr_equal(arena_alloc(b, 100), first);
    arena_destroy(b);
    arena_reset(a);
    arena_destroy(a);
    arena_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alignment),    cmocka_unit_test(test_growth),
        cmocka_unit_test(test_large_pieces), cmocka_unit_test(test_kept_pages),
        cmocka_unit_test(test_reset),        cmocka_unit_test(test_pool),
        cmocka_unit_test(test_pool_reuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
