/* SPDX-License-Identifier: MIT */
/*
 * Compares our declarations of the DRI interface with those of an installed header. The build also
 * compiles the module with that header, which compares the types.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dri_interface_values.h"

static void test_values(void **state)
{
    unsigned count = 0;

    for (; dri_our_values[count].name; count++) {
        const struct dri_value *ours = &dri_our_values[count];
        const struct dri_value *theirs = &dri_system_values[count];

        if (ours->string)
            assert_string_equal(ours->string, theirs->string);
        else if (ours->number != theirs->number)
            fail_msg("%s is %ld, should be %ld", ours->name, ours->number, theirs->number);
    }
    assert_null(dri_system_values[count].name);
    assert_true(count > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
