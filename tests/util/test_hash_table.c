/* SPDX-License-Identifier: MIT */
/* Hash tables: insertion, lookup, removal, clearing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/hash_table.h"

#define COUNT 100000

static const void *key(uintptr_t number)
{
    return (const void *)(number + 1);
}

static void fill(struct hash_table *ht, uintptr_t count)
{
    for (uintptr_t i = 0; i < count; i++)
        assert_non_null(hash_table_insert(ht, key(i), (void *)i));
}

static void test_entries(void **state)
{
    struct hash_table *ht = hash_table_create_pointer(NULL);
    fill(ht, COUNT);
    for (uintptr_t i = 0; i < COUNT; i += 2)
        hash_table_remove_key(ht, key(i));
    assert_int_equal(ht->entries, COUNT / 2);
    for (uintptr_t i = 0; i < COUNT; i++) {
        const struct hash_entry *e = hash_table_search(ht, key(i));
        assert_true(i % 2 ? e && e->data == (void *)i : !e);
    }
    hash_table_destroy(ht);
}

/* A table that was large once shrinks when cleared with few entries, so repeated clearing stays
 * cheap. */
static void test_clear(void **state)
{
    struct hash_table *ht = hash_table_create_pointer(NULL);
    fill(ht, COUNT);
    for (unsigned round = 0; round < 3; round++) {
        hash_table_clear(ht);
        assert_int_equal(ht->entries, 0);
        for (uintptr_t i = 0; i < COUNT; i++)
            assert_null(hash_table_search(ht, key(i)));
        fill(ht, 100);
        for (uintptr_t i = 0; i < 100; i++)
            assert_ptr_equal(hash_table_search(ht, key(i))->data, (void *)i);
    }
    hash_table_clear(ht);
    assert_in_range(ht->size, 1, 1000);
    hash_table_destroy(ht);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
