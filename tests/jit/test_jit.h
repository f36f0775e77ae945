/* SPDX-License-Identifier: MIT */
/* Tests that test_jit.c runs. */
#ifndef TEST_JIT_H
#define TEST_JIT_H

void test_barrier(void **state); /* test_barrier.c */

#endif
