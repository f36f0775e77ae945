/* SPDX-License-Identifier: MIT */
/*
 * Tests of the conversion out of SSA with the classical counterexamples (Briggs et al., "Practical
 * Improvements to the Construction and Destruction of Static Single Assignment Form", 1998):
 * shaders are evaluated before and after, and copies are counted. Also tests loop analysis and loop
 * unrolling.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "nir_loop_analyze.h"
#include "nir_test.h"

enum { INPUTS = 16 };

struct results {
    uint32_t slot[INPUTS][2];
};

/* Returns the results in two output slots for several inputs. */
static struct results run(nir_shader *nir)
{
    struct results r;
    for (unsigned in = 0; in < INPUTS; in++) {
        struct nir_eval eval = {.inputs = {{in}, {100}}, .max_steps = 10000};
        test_evaluate(&eval, nir);
        for (unsigned slot = 0; slot < 2; slot++)
            r.slot[in][slot] = eval.outputs[slot][0];
    }
    return r;
}

static void check_results(nir_shader *nir, struct results want)
{
    struct results have = run(nir);
    assert_memory_equal(want.slot, have.slot, sizeof want.slot);
}

/* Converts out of SSA and compares the results. Returns the number of registers. */
static unsigned leave_and_compare(nir_builder *b)
{
    struct results want = run(b->shader);
    RUN(b, nir_convert_from_ssa, true);
    check_results(b->shader, want);
    return count_intrinsics(b->shader, nir_intrinsic_decl_reg);
}

/* while (i < n) { t = x; x = y; y = t; i++; }: the phis swap their values. */
static void test_swap(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *n = test_input(&b, 1), *x0 = nir_imm_int(&b, 1), *y0 = nir_imm_int(&b, 2);
    nir_def *zero = nir_imm_int(&b, 0);
    nir_loop *loop = nir_push_loop(&b);
    nir_phi_instr *x = head_phi(&b, loop, x0), *y = head_phi(&b, loop, y0);
    nir_phi_instr *i = head_phi(&b, loop, zero);
    nir_break_if(&b, nir_ige(&b, &i->def, n));
    nir_def *next = nir_iadd_imm(&b, &i->def, 1);
    nir_pop_loop(&b, loop);
    insert_phi(x, loop, &y->def);
    insert_phi(y, loop, &x->def);
    insert_phi(i, loop, next);
    test_output(&b, &x->def, 0);
    test_output(&b, &y->def, 1);
    leave_and_compare(&b);
    nir_shader_destroy(b.shader);
}

/* do { x = i; i = i + 1; } while (i < n); out = x: the old value is needed after the loop. */
static void test_lost_copy(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *n = test_input(&b, 1), *zero = nir_imm_int(&b, 0);
    nir_loop *loop = nir_push_loop(&b);
    nir_phi_instr *i = head_phi(&b, loop, zero);
    nir_def *next = nir_iadd_imm(&b, &i->def, 1);
    nir_break_if(&b, nir_ige(&b, next, n));
    nir_pop_loop(&b, loop);
    insert_phi(i, loop, next);
    test_output(&b, &i->def, 0);
    test_output(&b, next, 1);
    leave_and_compare(&b);
    nir_shader_destroy(b.shader);
}

/* if (c) { a, b } else { b, a }: two phis whose sources cross. */
static void test_virtual_swap(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *n = test_input(&b, 1), *p = nir_iadd_imm(&b, n, 5), *q = nir_imul_imm(&b, n, 3);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, n, 4));
    nir_pop_if(&b, nif);
    nir_def *x = nir_if_phi(&b, p, q), *y = nir_if_phi(&b, q, p);
    test_output(&b, nir_isub(&b, x, y), 0);
    test_output(&b, nir_iadd(&b, x, nir_imul_imm(&b, p, 7)), 1);
    leave_and_compare(&b);
    nir_shader_destroy(b.shader);
}

/* The counter and the sum need one register each and no copy. */
static void test_coalescing(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *n = test_input(&b, 1), *zero = nir_iadd_imm(&b, n, 0), *one = nir_iadd_imm(&b, n, 1);
    nir_loop *loop = nir_push_loop(&b);
    nir_phi_instr *i = head_phi(&b, loop, zero), *sum = head_phi(&b, loop, one);
    nir_break_if(&b, nir_ige_imm(&b, &i->def, 20));
    nir_def *next_i = nir_iadd_imm(&b, &i->def, 1);
    nir_def *next_sum = nir_imul(&b, &sum->def, next_i);
    nir_pop_loop(&b, loop);
    insert_phi(i, loop, next_i);
    insert_phi(sum, loop, next_sum);
    test_output(&b, &sum->def, 0);
    assert_int_equal(leave_and_compare(&b), 2);
    /* Each value is stored once, after its definition. */
    assert_int_equal(count_intrinsics(b.shader, nir_intrinsic_store_reg), 4);
    nir_shader_destroy(b.shader);
}

/* Three values in a cycle need one temporary and three moves. */
static void test_rotation(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *n = test_input(&b, 1), *init[3], *zero = nir_imm_int(&b, 0);
    for (unsigned k = 0; k < 3; k++)
        init[k] = nir_iadd_imm(&b, n, k);
    nir_loop *loop = nir_push_loop(&b);
    nir_phi_instr *x[3], *i = head_phi(&b, loop, zero);
    for (unsigned k = 0; k < 3; k++)
        x[k] = head_phi(&b, loop, init[k]);
    nir_break_if(&b, nir_ige(&b, &i->def, n));
    nir_def *next = nir_iadd_imm(&b, &i->def, 1);
    nir_pop_loop(&b, loop);
    insert_phi(i, loop, next);
    for (unsigned k = 0; k < 3; k++)
        insert_phi(x[k], loop, &x[(k + 1) % 3]->def);
    test_output(&b, &x[0]->def, 0);
    test_output(&b, nir_iadd(&b, &x[1]->def, nir_imul_imm(&b, &x[2]->def, 16)), 1);
    leave_and_compare(&b);
    nir_shader_destroy(b.shader);
}

/* A value that is live up to the if and in the only branch that reads it. */
static void test_live_ranges(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *n = test_input(&b, 1), *a = nir_iadd_imm(&b, n, 5);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, n, 4));
    test_output(&b, n, 1);
    nir_push_else(&b, nif);
    test_output(&b, a, 0);
    nir_pop_if(&b, nif);
    nir_metadata_require(b.impl, nir_metadata_live_defs);

    unsigned count;
    const struct nir_live_range *r = nir_live_ranges_of(a, &count);
    nir_block *else_block = nir_if_first_else_block(nif);
    assert_int_equal(count, 2);
    assert_int_equal(r[0].first, a->parent_instr->index);
    assert_int_equal(r[0].end, nir_start_block(b.impl)->end_ip + 1);
    assert_int_equal(r[1].first, else_block->start_ip);
    assert_true(r[1].end > r[1].first && r[1].end <= else_block->end_ip);
    nir_shader_destroy(b.shader);
}

/* ----------------------------------------------------------------------------------- loops --- */

static nir_loop *first_loop(nir_shader *nir)
{
    nir_foreach_cf_node(node, &nir_shader_get_entrypoint(nir)->body)
    {
        if (node->type == nir_cf_node_loop)
            return nir_cf_node_as_loop(node);
    }
    return NULL;
}

/* for (i = start; i < 10; i += 3) { if (sum == input) break; sum += i; } */
static nir_shader *counting_shader(bool second_exit)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *in = test_input(&b, 1);
    nir_variable *i = nir_local_variable_create(b.impl, glsl_int_type(), "i");
    nir_variable *sum = nir_local_variable_create(b.impl, glsl_int_type(), "sum");
    nir_store_var(&b, i, nir_imm_int(&b, 1), 1);
    nir_store_var(&b, sum, nir_imm_int(&b, 0), 1);
    nir_loop *loop = nir_push_loop(&b);
    nir_break_if(&b, nir_ige_imm(&b, nir_load_var(&b, i), 10));
    if (second_exit)
        nir_break_if(&b, nir_ieq(&b, nir_load_var(&b, sum), in));
    nir_store_var(&b, sum, nir_iadd(&b, nir_load_var(&b, sum), nir_load_var(&b, i)), 1);
    nir_store_var(&b, i, nir_iadd_imm(&b, nir_load_var(&b, i), 3), 1);
    nir_pop_loop(&b, loop);
    test_output(&b, nir_load_var(&b, sum), 0);
    test_output(&b, nir_load_var(&b, i), 1);
    nir_lower_vars_to_ssa(b.shader);
    return b.shader;
}

static void test_loop_analysis(void **state)
{
    for (unsigned second = 0; second < 2; second++) {
        nir_shader *nir = counting_shader(second);
        nir_metadata_require(nir_shader_get_entrypoint(nir), nir_metadata_loop_analysis);
        const struct nir_loop_info *info = first_loop(nir)->info;
        assert_non_null(info);
        assert_false(info->complex);
        assert_int_equal(info->num_terminators, 1 + second);
        assert_int_equal(info->max_trips, 3);
        assert_int_equal(info->exact_trips, !second);
        assert_ptr_equal(info->limiting, &info->terminators[0]);
        assert_int_equal(info->num_inductions, 2);
        unsigned steps = 0;
        for (unsigned k = 0; k < 2; k++) {
            if (info->inductions[k].has_step) {
                assert_int_equal(info->inductions[k].step, 3);
                steps++;
            }
        }
        assert_int_equal(steps, 1);
        nir_shader_destroy(nir);
    }
}

static void test_unroll(void **state)
{
    for (unsigned second = 0; second < 2; second++) {
        nir_shader *nir = counting_shader(second);
        struct results want = run(nir);
        assert_true(nir_opt_loop_unroll(nir));
        nir_validate_shader(nir, "after nir_opt_loop_unroll");
        assert_null(first_loop(nir));
        nir_optimize(nir);
        check_results(nir, want);
        nir_shader_destroy(nir);
    }
}

/* A deref created in the loop and used after it cannot become a register. */
static void test_unroll_deref(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *n = test_input(&b, 1);
    nir_variable *i = nir_local_variable_create(b.impl, glsl_int_type(), "i");
    nir_variable *a =
        nir_local_variable_create(b.impl, glsl_array_type(b.shader, glsl_int_type(), 2, 0), "a");
    nir_store_var(&b, i, nir_imm_int(&b, 0), 1);
    nir_loop *loop = nir_push_loop(&b);
    nir_deref_instr *d =
        nir_build_deref_array(&b, nir_build_deref_var(&b, a), nir_umin_imm(&b, n, 1));
    nir_break_if(&b, nir_ige_imm(&b, nir_load_var(&b, i), 3));
    nir_store_var(&b, i, nir_iadd_imm(&b, nir_load_var(&b, i), 1), 1);
    nir_pop_loop(&b, loop);
    nir_store_deref(&b, d, nir_iadd(&b, n, nir_load_var(&b, i)), 1);
    test_output(&b, nir_load_deref(&b, d), 0);
    nir_lower_vars_to_ssa(b.shader);
    RUN(&b, nir_opt_loop_unroll);
    for (unsigned k = 0; k < 4; k++)
        check(b.shader, k, 0, k + 3);
    nir_shader_destroy(b.shader);
}

/* Builds a loop of that many iterations with `work` additions of an unknown value, `known` of a
 * constant to the counter, and an access to a local array if `indexed`. */
static nir_shader *sized_shader(unsigned trips, unsigned work, unsigned known, bool indexed)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *in = test_input(&b, 1);
    nir_variable *i = nir_local_variable_create(b.impl, glsl_int_type(), "i");
    nir_variable *sum = nir_local_variable_create(b.impl, glsl_int_type(), "sum");
    nir_variable *a =
        nir_local_variable_create(b.impl, glsl_array_type(b.shader, glsl_int_type(), 32, 0), "a");
    nir_store_var(&b, i, nir_imm_int(&b, 0), 1);
    nir_store_var(&b, sum, in, 1);
    nir_loop *loop = nir_push_loop(&b);
    nir_def *count = nir_load_var(&b, i), *total = nir_load_var(&b, sum), *first = count;
    nir_break_if(&b, nir_ige_imm(&b, count, trips));
    for (unsigned k = 0; k < work; k++)
        total = nir_iadd(&b, nir_imul(&b, total, in), in);
    for (unsigned k = 0; k < known; k++)
        first = nir_iadd(&b, nir_imul_imm(&b, first, 3), count);
    if (indexed)
        nir_store_deref(&b, nir_build_deref_array(&b, nir_build_deref_var(&b, a), count), total, 1);
    nir_store_var(&b, sum, nir_iadd(&b, total, first), 1);
    nir_store_var(&b, i, nir_iadd_imm(&b, count, 1), 1);
    nir_pop_loop(&b, loop);
    test_output(&b, nir_load_var(&b, sum), 0);
    test_output(&b,
                nir_load_deref(
                    &b, nir_build_deref_array(&b, nir_build_deref_var(&b, a), nir_imm_int(&b, 3))),
                1);
    nir_lower_vars_to_ssa(b.shader);
    return b.shader;
}

/* Whether a loop is unrolled depends on the size of the result, not on the iterations alone. */
static void test_unroll_size(void **state)
{
    static const struct {
        unsigned trips, work, known;
        bool indexed, unrolled;
    } cases[] = {
        {32, 4, 0, false, true},   {32, 40, 0, false, false}, {4, 40, 0, false, true},
        {4, 400, 0, false, false}, {32, 4, 400, false, true}, {32, 40, 0, true, true},
        {32, 200, 0, true, false}, {1, 4000, 0, false, true}, {2, 4000, 0, false, false},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        nir_shader *nir =
            sized_shader(cases[i].trips, cases[i].work, cases[i].known, cases[i].indexed);
        assert_int_equal(nir_opt_loop_unroll(nir), cases[i].unrolled);
        assert_int_equal(first_loop(nir) == NULL, cases[i].unrolled);
        nir_shader_destroy(nir);
    }
}

/* Many loops, each small enough, don't make a shader grow without limit. */
static void test_unroll_total(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *in = test_input(&b, 1);
    unsigned left = 0;
    nir_variable *sum = nir_local_variable_create(b.impl, glsl_int_type(), "sum");
    nir_store_var(&b, sum, in, 1);
    for (unsigned n = 0; n < 100; n++) {
        nir_variable *i = nir_local_variable_create(b.impl, glsl_int_type(), "i");
        nir_store_var(&b, i, nir_imm_int(&b, 0), 1);
        nir_loop *loop = nir_push_loop(&b);
        nir_break_if(&b, nir_ige_imm(&b, nir_load_var(&b, i), 8));
        nir_def *total = nir_load_var(&b, sum);
        for (unsigned k = 0; k < 50; k++)
            total = nir_iadd(&b, nir_imul(&b, total, in), in);
        nir_store_var(&b, sum, total, 1);
        nir_store_var(&b, i, nir_iadd_imm(&b, nir_load_var(&b, i), 1), 1);
        nir_pop_loop(&b, loop);
    }
    test_output(&b, nir_load_var(&b, sum), 0);
    nir_lower_vars_to_ssa(b.shader);
    assert_true(nir_opt_loop_unroll(b.shader));
    nir_foreach_cf_node(node, &b.impl->body) left += node->type == nir_cf_node_loop;
    assert_in_range(left, 40, 80);
    nir_shader_destroy(b.shader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unroll_size),  cmocka_unit_test(test_unroll_total),
        cmocka_unit_test(test_swap),         cmocka_unit_test(test_lost_copy),
        cmocka_unit_test(test_virtual_swap), cmocka_unit_test(test_coalescing),
        cmocka_unit_test(test_rotation),     cmocka_unit_test(test_loop_analysis),
        cmocka_unit_test(test_unroll),       cmocka_unit_test(test_unroll_deref),
        cmocka_unit_test(test_live_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
