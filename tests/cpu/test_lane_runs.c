/* SPDX-License-Identifier: MIT */
/* Which accesses of compute kernels use consecutive memory (cpu_nir_lane_runs.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver/cpu/kernel/cpu_nir.h"

/* Emits a loop that computes the byte offset 64 * i + 4 * lane in iteration i, and that a lane
 * leaves in an iteration that is uniform or not. Returns whether a store at the offset, in the loop
 * or after it, uses consecutive memory. */
static bool uses_run(bool divergent, bool in_loop)
{
    nir_shader *shader = nir_shader_create(NULL, SHADER_COMPUTE, NULL);
    nir_function *function = nir_function_create(shader, "main");
    function->is_entrypoint = true;
    nir_function_impl *impl = nir_function_impl_create(function);
    nir_builder builder = nir_builder_at(nir_before_impl(impl)), *b = &builder;
    nir_variable *var = nir_local_variable_create(impl, glsl_uint_type(), "i");
    nir_def *lane = nir_load_subgroup_invocation(b), *base = nir_load_kernel_arg(b);
    nir_def *limit = nir_load_global(b, 1, 32, base, nir_imm_int(b, 0), .align_mul = 4);

    nir_store_var(b, var, nir_imm_int(b, 0), 1);
    nir_loop *loop = nir_push_loop(b);
    nir_def *i = nir_load_var(b, var);
    nir_def *offset = nir_iadd(b, nir_ishl_imm(b, i, 6), nir_ishl_imm(b, lane, 2));
    if (in_loop)
        nir_store_global(b, i, base, offset, .write_mask = 1, .align_mul = 4);
    nir_push_if(b, nir_uge(b, i, divergent ? nir_iadd(b, limit, lane) : limit));
    nir_jump(b, nir_jump_break);
    nir_pop_if(b, NULL);
    nir_store_var(b, var, nir_iadd_imm(b, i, 1), 1);
    nir_pop_loop(b, loop);
    if (!in_loop)
        nir_store_global(b, limit, base, offset, .write_mask = 1, .align_mul = 4);
    nir_lower_vars_to_ssa(shader);
    nir_validate_shader(shader, "making a loop");

    const bool used = cpu_nir_use_lane_runs(shader, 8);
    nir_validate_shader(shader, "using runs");
    nir_shader_destroy(shader);
    return used;
}

/* The offsets of lanes that have left a loop in different iterations are not consecutive. */
static void test_loops(void **state)
{
    assert_true(uses_run(false, false));
    assert_true(uses_run(false, true));
    assert_true(uses_run(true, true));
    assert_false(uses_run(true, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
