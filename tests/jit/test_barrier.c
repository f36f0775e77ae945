/* SPDX-License-Identifier: MIT */
/* Barriers in kernels: memory that another thread writes while the kernel runs. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "jit/jit_private.h"
#include "nir/nir.h"
#include "nir/nir_builder.h"

/* What a kernel and a thread exchange. */
static struct {
    uint32_t data, is_written; /* by the thread */
    uint32_t seen;             /* by the kernel */
} memory;

static void fence(nir_builder *b)
{
    nir_barrier(b, .execution_scope = NIR_SCOPE_NONE, .memory_scope = NIR_SCOPE_DEVICE,
                .memory_semantics = NIR_MEMORY_ACQ_REL, .memory_modes = nir_var_mem_ssbo);
}

static nir_def *load(nir_builder *b, size_t offset)
{
    return nir_load_global(b, 1, 32, nir_load_kernel_arg(b, .base = 0), nir_imm_int(b, (int)offset),
                           .align_mul = 4);
}

/* Returns a kernel that waits until is_written is set and then copies data to seen. It gives up
 * after some seconds and sets seen to 0. */
static nir_shader *build_waiting(void)
{
    static const nir_shader_compiler_options options;
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_COMPUTE, &options, "test");
    nir_variable *rounds = nir_local_variable_create(b.impl, glsl_uint_type(), "rounds");
    nir_variable *is_written = nir_local_variable_create(b.impl, glsl_bool_type(), "is_written");
    nir_store_var(&b, rounds, nir_imm_int(&b, 0), 1);
    nir_push_loop(&b);
    {
        nir_def *round = nir_load_var(&b, rounds);
        nir_store_var(&b, is_written,
                      nir_ine_imm(&b, load(&b, offsetof(typeof(memory), is_written)), 0), 1);
        fence(&b);
        nir_break_if(&b,
                     nir_ior(&b, nir_load_var(&b, is_written), nir_ieq_imm(&b, round, INT32_MAX)));
        nir_store_var(&b, rounds, nir_iadd_imm(&b, round, 1), 1);
    }
    nir_pop_loop(&b, NULL);
    nir_push_if(&b, nir_ieq_imm(&b, nir_load_subgroup_invocation(&b), 0));
    nir_store_global(&b,
                     nir_bcsel(&b, nir_load_var(&b, is_written),
                               load(&b, offsetof(typeof(memory), data)), nir_imm_int(&b, 0)),
                     nir_load_kernel_arg(&b, .base = 0),
                     nir_imm_int(&b, offsetof(typeof(memory), seen)), .write_mask = 1,
                     .align_mul = 4);
    nir_pop_if(&b, NULL);
    NIR_PASS_V(b.shader, nir_lower_vars_to_ssa);
    return b.shader;
}

static void *write_later(void *unused)
{
    usleep(200000);
    __atomic_store_n(&memory.data, 42, __ATOMIC_RELAXED);
    __atomic_store_n(&memory.is_written, 1, __ATOMIC_RELEASE);
    return NULL;
}

/* Without the barrier, LLVM moves the load of is_written out of the loop. */
static void test_barrier(void **state)
{
    enum { BY_LLVM, BY_BASELINE_CODE, BY_INTERPRETER, NUM_RUNNERS };
    for (unsigned runner = 0; runner < NUM_RUNNERS; runner++) {
        struct jit_engine *engine = jit_engine_create(4);
        assert_non_null(engine);
        engine->baseline &= runner == BY_BASELINE_CODE;
        engine->interprets = runner == BY_INTERPRETER;
        struct jit_kernel *kernel = jit_kernel_begin(engine, build_waiting(), "test");
        assert_non_null(kernel);
        struct jit_function function = jit_kernel_function(kernel);
        assert_non_null(function.run);
        memset(&memory, 0, sizeof memory);
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, write_later, NULL), 0);
        jit_run(function, (const void *[]){&memory});
        pthread_join(thread, NULL);
        assert_int_equal(memory.seen, 42);
        jit_kernel_destroy(kernel);
        jit_engine_destroy(engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_barrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
