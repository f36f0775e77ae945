/* SPDX-License-Identifier: MIT */
/*
 * Tests of fatal errors in LLVM: the kernel runs without LLVM's code, with the same results, and
 * other kernels are compiled as before. Each case runs in a child process, since after some of them
 * LLVM is never called again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "jit/jit_private.h"
#include "nir/nir_builder.h"
#include "util/thread_pool.h"

#define COUNT 64

static const unsigned widths[] = {4, 8, 16};
static uint32_t out[COUNT];

/* Returns a kernel that computes out[i] = i * factor for each lane i. */
static nir_shader *build(uint32_t factor)
{
    static const nir_shader_compiler_options options;
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_COMPUTE, &options, "test");
    nir_def *lane = nir_load_subgroup_invocation(&b);
    nir_def *value = nir_imul(&b, lane, nir_imm_int(&b, (int)factor));
    nir_store_global_block(&b, value, nir_load_kernel_arg(&b, .base = 0), nir_imm_int(&b, 0),
                           nir_imm_true(&b));
    return b.shader;
}

/* Returns whether the kernel can run and its results are right. */
static bool runs(struct jit_engine *engine, struct jit_kernel *kernel, uint32_t factor)
{
    struct jit_function function = jit_kernel_function(kernel);
    if (!function.run)
        return false;
    memset(out, 0x55, sizeof out);
    jit_run(function, (const void *[]){out});
    for (unsigned i = 0; i < jit_engine_lanes(engine); i++)
        if (out[i] != i * factor)
            return false;
    return true;
}

/* Creates a kernel on this thread or, if by_worker, on a worker of the thread pool. */
static struct jit_kernel *make(struct jit_engine *engine, uint32_t factor, bool by_worker)
{
    return by_worker ? jit_kernel_begin(engine, build(factor), "test")
                     : jit_kernel_create(engine, build(factor), "test");
}

static bool is_by_llvm(const struct jit_kernel *kernel, struct jit_function function)
{
    return !function.self && !jit_kernel_is_baseline(kernel);
}

struct fault_case {
    enum jit_fault fault;
    bool by_worker;
    bool last; /* LLVM isn't called again after this fault */
};

/* Checks one fault. Returns 0 on success, otherwise a number that identifies the failed check. */
static int check_fault(const struct fault_case *c, unsigned lanes)
{
    struct jit_engine *engine = jit_engine_create(lanes);
    if (!engine)
        return 1;
    engine->baseline = false;
    engine->fault = c->fault;
    for (unsigned again = 0; again < 2; again++) {
        struct jit_kernel *kernel = make(engine, 3, c->by_worker);
        if (!kernel || !runs(engine, kernel, 3))
            return 2;
        if (is_by_llvm(kernel, jit_kernel_function(kernel)))
            return 3;
        if (jit_kernel_is_baseline(kernel) != engine->has_baseline)
            return 4;
        jit_kernel_destroy(kernel);
        if (engine->num_refused != 1) /* LLVM must not be tried again */
            return 5;
        engine->fault = JIT_FAULT_NONE;
    }
    struct jit_kernel *other = make(engine, 5, c->by_worker);
    if (!other || !runs(engine, other, 5))
        return 6;
    if (is_by_llvm(other, jit_kernel_function(other)) == c->last)
        return 7;
    jit_kernel_destroy(other);
    jit_engine_destroy(engine);
    return 0;
}

/* Runs the function in a child process and checks that it returns 0. */
static void in_child(int (*function)(const struct fault_case *c, unsigned lanes),
                     const struct fault_case *c, unsigned lanes)
{
    int status;
    pid_t child = fork();
    if (!child)
        _exit(function(c, lanes));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_faults(void **state)
{
    static const struct fault_case cases[] = {
        {JIT_FAULT_FATAL},
        {JIT_FAULT_FATAL, .by_worker = true},
        {JIT_FAULT_INVALID},
        {JIT_FAULT_INVALID, .by_worker = true},
        {JIT_FAULT_ERROR},
        {JIT_FAULT_ERROR, .by_worker = true},
        {JIT_FAULT_ABORT},
        {JIT_FAULT_ABORT, .by_worker = true},
        {JIT_FAULT_NO_MEMORY, .last = true},
        {JIT_FAULT_NO_MEMORY, .by_worker = true, .last = true},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++)
        for (unsigned w = 0; w < ARRAY_SIZE(widths); w++)
            in_child(check_fault, &cases[i], widths[w]);
}

/* Checks that LLVM isn't called again after many faults. Returns 0 on success. */
static int fail_often(const struct fault_case *unused, unsigned lanes)
{
    struct jit_engine *engine = jit_engine_create(lanes);
    if (!engine)
        return 1;
    engine->fault = JIT_FAULT_FATAL;
    for (uint32_t i = 1; i < 100; i++) {
        struct jit_kernel *kernel = jit_kernel_create(engine, build(i), "test");
        if (!kernel || !runs(engine, kernel, i))
            return 2;
        jit_kernel_destroy(kernel);
    }
    engine->fault = JIT_FAULT_NONE;
    struct jit_kernel *kernel = jit_kernel_create(engine, build(1000), "test");
    if (!kernel || !runs(engine, kernel, 1000) || is_by_llvm(kernel, jit_kernel_function(kernel)))
        return 3;
    jit_kernel_destroy(kernel);
    jit_engine_destroy(engine);
    return 0;
}

static void test_many_faults(void **state)
{
    in_child(fail_often, NULL, 4);
}

/* Checks that baseline code remains if LLVM can't compile its replacement. Returns 0 on success. */
static int improve(const struct fault_case *unused, unsigned lanes)
{
    struct jit_engine *engine = jit_engine_create(lanes);
    if (!engine)
        return 1;
    engine->fault = JIT_FAULT_FATAL;
    struct jit_kernel *kernel = jit_kernel_begin(engine, build(7), "test");
    const jit_kernel_fn first = jit_kernel_function(kernel).run;
    while (engine->baseline && !engine->num_refused)
        if (!runs(engine, kernel, 7))
            return 2;
    if (!runs(engine, kernel, 7) || jit_kernel_function(kernel).run != first)
        return 3;
    jit_kernel_destroy(kernel);
    jit_engine_destroy(engine);
    return 0;
}

static void test_improvement(void **state)
{
    in_child(improve, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_many_faults),
        cmocka_unit_test(test_improvement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
