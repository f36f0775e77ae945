/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "util/macros.h"
#include "util/os_memory.h"

#define SIZE ((size_t)3 << 20)

/* Zeroes parts of any size and alignment, and no more, also of memory that stays in place. */
static void test_zero(void **state)
{
    static const size_t parts[][2] = {{0, SIZE},          {1, SIZE - 2},    {4000, 2 << 20},
                                      {4097, 300 << 10},  {8192, 1 << 20},  {12345, 100},
                                      {70000, 256 << 10}, {4095, 260 << 10}};
    uint8_t *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    for (unsigned i = 0; i < 2 * ARRAY_SIZE(parts); i++) {
        const size_t start = parts[i / 2][0], bytes = parts[i / 2][1];
        size_t wrong = 0;
        memset(memory, 0xa5, SIZE);
        const bool locked = i % 2 && !mlock(memory, SIZE);
        os_memory_zero(memory + start, bytes);
        for (size_t k = 0; k < SIZE; k++)
            wrong += memory[k] != (k >= start && k - start < bytes ? 0 : 0xa5);
        assert_int_equal(wrong, 0);
        if (locked)
            munlock(memory, SIZE);
    }
    munmap(memory, SIZE);
}

static void test_sizes(void **state)
{
    const struct os_memory m = os_memory_get();
    assert_true(m.total >= (uint64_t)16 << 20);
    assert_true(m.available && m.available <= m.total);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zero),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
