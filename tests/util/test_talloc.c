/* SPDX-License-Identifier: MIT */
/* Hierarchical memory: order of freeing, moves within the tree, sizes, strings and failures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <talloc.h>

#include "util/memory.h"

static char freed[16]; /* names of the freed blocks, in order */

static int note_freed(void *block)
{
    strncat(freed, block, 1);
    return 0;
}

/* Allocates a block with a name of one letter. */
static char *make(const void *parent, const char *name)
{
    char *block = talloc_strdup(parent, name);
    talloc_set_destructor(block, note_freed);
    return block;
}

static int reset(void **state)
{
    memset(freed, 0, sizeof freed);
    return 0;
}

static void test_freeing(void **state)
{
    char *a = make(NULL, "a"), *b = make(a, "b"), *c = make(a, "c");
    make(b, "d");
    make(b, "e");
    assert_int_equal(talloc_total_blocks(a), 5);
    talloc_free(c);
    assert_string_equal(freed, "c");
    talloc_free_children(b);
    assert_string_equal(freed, "ced");
    assert_int_equal(talloc_total_blocks(a), 2);
    talloc_free(a);
    assert_string_equal(freed, "cedab");
    talloc_free(NULL);
    talloc_free_children(NULL);
}

/* A list of a million blocks, each below the one before. */
static void test_deep(void **state)
{
    void *top = talloc_new(NULL), *block = top;
    for (unsigned i = 0; i < 1000000; i++)
        block = talloc_new(block);
    make(block, "z");
    talloc_free(top);
    assert_string_equal(freed, "z");
}

/* Whichever of three siblings leaves, the other two and its child stay where they are. */
static void test_steal(void **state)
{
    for (unsigned i = 0; i < 3; i++) {
        char *from = make(NULL, "f"), *to = make(NULL, "t"), *block[3];
        for (unsigned k = 0; k < 3; k++)
            block[k] = make(from, "k");
        char *child = make(block[i], "c");
        assert_ptr_equal(talloc_steal(to, block[i]), block[i]);
        assert_ptr_equal(talloc_parent(block[i]), to);
        assert_ptr_equal(talloc_parent(child), block[i]);
        assert_int_equal(talloc_total_blocks(from), 3);
        assert_int_equal(talloc_total_blocks(to), 3);
        reset(state);
        talloc_free(from);
        assert_string_equal(freed, "fkk");
        talloc_steal(NULL, block[i]);
        assert_null(talloc_parent(block[i]));
        talloc_free(to);
        assert_string_equal(freed, "fkkt");
        talloc_free(block[i]);
        assert_string_equal(freed, "fkktkc");
    }
    assert_null(talloc_steal(NULL, NULL));
}

static void test_move_children(void **state)
{
    char *from = make(NULL, "f"), *to = make(NULL, "t");
    char *block[3] = {make(from, "a"), make(from, "b"), make(to, "c")};
    talloc_move_children(to, from);
    assert_int_equal(talloc_total_blocks(from), 1);
    assert_int_equal(talloc_total_blocks(to), 4);
    talloc_move_children(NULL, to);
    assert_int_equal(talloc_total_blocks(to), 1);
    for (unsigned i = 0; i < 3; i++) {
        assert_null(talloc_parent(block[i]));
        talloc_free(block[i]);
    }
    talloc_free(from);
    talloc_free(to);
}

/* Whichever of three siblings moves in memory, it keeps its contents, place, children and
 * destructor. */
static void test_resizing(void **state)
{
    for (unsigned i = 0; i < 3; i++) {
        char *parent = make(NULL, "p"), *block[3];
        for (unsigned k = 0; k < 3; k++)
            block[k] = make(parent, "k");
        char *children[] = {make(block[i], "1"), make(block[i], "2")};
        block[i] = talloc_realloc(NULL, block[i], char, 1 << 22);
        assert_non_null(block[i]);
        assert_string_equal(block[i], "k");
        assert_int_equal(talloc_array_length(block[i]), 1 << 22);
        assert_ptr_equal(talloc_parent(block[i]), parent);
        assert_ptr_equal(talloc_parent(children[0]), block[i]);
        assert_ptr_equal(talloc_parent(children[1]), block[i]);
        assert_int_equal(talloc_total_blocks(parent), 6);
        reset(state);
        talloc_free(block[i]);
        assert_string_equal(freed, "k21");
        talloc_free(parent);
        assert_string_equal(freed, "k21pkk");
    }
    char *parent = make(NULL, "p"), *block = talloc_realloc(parent, NULL, char, 3);
    assert_ptr_equal(talloc_parent(block), parent);
    assert_null(talloc_realloc(parent, block, char, 0));
    assert_int_equal(talloc_total_blocks(parent), 1);
    assert_null(talloc_realloc(parent, NULL, char, 0));
    talloc_free(parent);
}

static void test_sizes(void **state)
{
    void *top = talloc_new(NULL);
    const uint8_t bytes[] = {1, 2, 3, 4};
    for (size_t size = 0; size < 100; size++) {
        uint8_t *zeros = talloc_zero_size(top, size);
        assert_int_equal(talloc_get_size(zeros), size);
        assert_int_equal((uintptr_t)zeros % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(zeros[i], 0);
    }
    assert_int_equal(talloc_get_size(NULL), 0);
    assert_int_equal(talloc_array_length(talloc_zero_array(top, uint64_t, 7)), 7);
    assert_memory_equal(talloc_memdup(top, bytes, 4), bytes, 4);
    assert_null(talloc_memdup(top, NULL, 0));
    talloc_free(top);
}

static void test_strings(void **state)
{
    void *top = talloc_new(NULL);
    char *text = talloc_strndup(top, "abcdef", 3);
    assert_string_equal(text, "abc");
    assert_int_equal(talloc_get_size(text), 4);
    text = talloc_asprintf_append(text, "-%d-", 12);
    text = talloc_strdup_append(text, "100%s");
    assert_string_equal(text, "abc-12-100%s");
    assert_int_equal(talloc_get_size(text), strlen(text) + 1);
    assert_ptr_equal(talloc_parent(text), top);
    assert_string_equal(talloc_strndup(top, "ab", 10), "ab");
    assert_string_equal(talloc_asprintf(top, "%s %u", "x", 7u), "x 7");
    assert_null(talloc_strdup(top, NULL));
    assert_null(talloc_strndup(top, NULL, 4));
    text = talloc_strdup_append(NULL, "new");
    assert_string_equal(text, "new");
    talloc_free(text);
    talloc_free(top);
}

/* Sizes at the limit, and products that overflow. */
static void test_too_large(void **state)
{
    const size_t limit = (size_t)256 << 20;
    char *block = make(NULL, "a");
    assert_null(talloc_size(NULL, limit));
    assert_null(talloc_zero_size(NULL, SIZE_MAX));
    assert_null(talloc_array(NULL, uint64_t, SIZE_MAX / 8 + 2));
    assert_null(talloc_realloc(NULL, block, uint64_t, SIZE_MAX / 8 + 2));
    assert_null(talloc_realloc_size(NULL, block, limit));
    assert_string_equal(block, "a");
    talloc_free(block);
    block = talloc_size(NULL, limit - 1);
    assert_non_null(block);
    talloc_free(block);
}

static bool grow_too_far(char *block)
{
    make(NULL, "x");
    talloc_realloc_size(NULL, block, SIZE_MAX);
    fail_msg("the attempt did not fail");
    return true;
}

/* In an attempt, a failure frees what was allocated under NULL, and nothing else. */
static void test_attempt(void **state)
{
    char *block = make(NULL, "a");
    assert_false(UTIL_ATTEMPT(grow_too_far(block)));
    assert_string_equal(freed, "x");
    assert_string_equal(block, "a");
    talloc_free(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_freeing, reset),
        cmocka_unit_test_setup(test_deep, reset),
        cmocka_unit_test_setup(test_steal, reset),
        cmocka_unit_test_setup(test_move_children, reset),
        cmocka_unit_test_setup(test_resizing, reset),
        cmocka_unit_test_setup(test_sizes, reset),
        cmocka_unit_test_setup(test_strings, reset),
        cmocka_unit_test_setup(test_too_large, reset),
        cmocka_unit_test_setup(test_attempt, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
