/* SPDX-License-Identifier: MIT */
/* Tests of optimizations: a few lines of IR, the pass, and the expected result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

#include "nir_range_analysis.h"
#include "nir_test.h"

static void test_conditional_discard(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_if *nif = nir_push_if(&b, nir_flt_imm(&b, test_input(&b, 1), 0));
    nir_push_else(&b, nif);
    nir_discard(&b);
    nir_pop_if(&b, nif);
    RUN(&b, nir_opt_conditional_discard);
    assert_null(find_intrinsic(b.shader, nir_intrinsic_discard));
    nir_intrinsic_instr *discard = find_intrinsic(b.shader, nir_intrinsic_discard_if);
    assert_non_null(discard);
    /* The discard is in the else branch, so the condition is inverted. */
    assert_int_equal(nir_instr_as_alu(discard->src[0].ssa->parent_instr)->op, nir_op_inot);
    assert_false(nir_opt_conditional_discard(b.shader));
    nir_shader_destroy(b.shader);
}

static void test_large_constants(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    const struct glsl_type *type = glsl_array_type(b.shader, glsl_vec_type(2), 5, 0);
    nir_variable *table = nir_local_variable_create(b.impl, type, "table");
    for (unsigned i = 0; i < 5; i++) {
        nir_deref_instr *d = nir_build_deref_array_imm(&b, nir_build_deref_var(&b, table), i);
        nir_store_deref(&b, d, nir_imm_vec2(&b, i, 10 * i), 3);
    }
    nir_deref_instr *d =
        nir_build_deref_array(&b, nir_build_deref_var(&b, table), test_input(&b, 1));
    nir_def *value = nir_load_deref(&b, d);
    nir_store_output(&b, nir_fadd(&b, nir_channel(&b, value, 0), nir_channel(&b, value, 1)),
                     nir_imm_int(&b, 0));
    RUN(&b, nir_opt_large_constants, 16);
    assert_int_equal(b.shader->constant_data_size, 40);
    assert_null(find_intrinsic(b.shader, nir_intrinsic_store_deref));
    for (unsigned i = 0; i < 7; i++)
        check(b.shader, i, 0, fui(11.0f * MIN2(i, 4))); /* indices are clamped */
    nir_shader_destroy(b.shader);
}

/* A table that is written twice, or with a variable value, is not constant. */
static void test_no_large_constants(void **state)
{
    for (unsigned kind = 0; kind < 2; kind++) {
        nir_builder b = test_shader(SHADER_FRAGMENT);
        const struct glsl_type *type = glsl_array_type(b.shader, glsl_int_type(), 8, 0);
        nir_variable *table = nir_local_variable_create(b.impl, type, "table");
        nir_def *in = test_input(&b, 1);
        nir_deref_instr *first = nir_build_deref_array_imm(&b, nir_build_deref_var(&b, table), 0);
        nir_store_deref(&b, first, kind ? in : nir_imm_int(&b, 3), 1);
        nir_deref_instr *d = nir_build_deref_array(&b, nir_build_deref_var(&b, table), in);
        nir_store_output(&b, nir_load_deref(&b, d), nir_imm_int(&b, 0));
        nir_deref_instr *again = nir_build_deref_array_imm(&b, nir_build_deref_var(&b, table), 1);
        nir_store_deref(&b, again, nir_imm_int(&b, 4), 1);
        assert_false(nir_opt_large_constants(b.shader, 4));
        nir_shader_destroy(b.shader);
    }
}

static void test_shrink_vectors(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *v = test_input(&b, 4);
    nir_def *sum = nir_fadd(&b, v, nir_imm_vec4(&b, 1, 2, 3, 4));
    nir_store_output(&b, nir_fmul(&b, nir_channel(&b, sum, 0), nir_channel(&b, sum, 1)),
                     nir_imm_int(&b, 0));
    RUN(&b, nir_opt_shrink_vectors);
    while (nir_opt_shrink_vectors(b.shader))
        ;
    nir_validate_shader(b.shader, "after nir_opt_shrink_vectors");
    assert_int_equal(find_intrinsic(b.shader, nir_intrinsic_load_input)->num_components, 2);
    nir_shader_destroy(b.shader);
}

/* Values known before an if are known in its branches, and after it if the branches don't change
 * them. */
static void test_copy_prop_across_blocks(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    const struct glsl_type *type = glsl_array_type(b.shader, glsl_int_type(), 4, 0);
    nir_variable *kept = nir_local_variable_create(b.impl, type, "kept");
    nir_variable *written = nir_local_variable_create(b.impl, type, "written");
    nir_def *index = nir_iand_imm(&b, test_input(&b, 1), 3), *seven = nir_imm_int(&b, 7);
    nir_variable *vars[] = {kept, written};
    for (unsigned i = 0; i < 2; i++)
        nir_store_deref(&b, nir_build_deref_array(&b, nir_build_deref_var(&b, vars[i]), index),
                        seven, 1);
    nir_if *nif = nir_push_if(&b, nir_ilt_imm(&b, index, 2));
    nir_deref_instr *zeroth = nir_build_deref_array_imm(&b, nir_build_deref_var(&b, written), 0);
    nir_store_deref(&b, zeroth, nir_imm_int(&b, 1), 1);
    nir_pop_if(&b, nif);
    nir_def *loads[2];
    nir_intrinsic_instr *stores[2];
    for (unsigned i = 0; i < 2; i++) {
        loads[i] =
            nir_load_deref(&b, nir_build_deref_array(&b, nir_build_deref_var(&b, vars[i]), index));
        stores[i] = nir_store_output(&b, loads[i], nir_imm_int(&b, 0), .base = (int)i);
    }
    RUN(&b, nir_opt_copy_prop_vars);
    assert_ptr_equal(stores[0]->src[0].ssa, seven);
    assert_ptr_equal(stores[1]->src[0].ssa, loads[1]);
    nir_shader_destroy(b.shader);
}

static void test_float_range(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1);
    assert_int_equal(nir_analyze_float(x, 0), 0);
    assert_true(nir_analyze_float(nir_fabs(&b, x), 0) & NIR_FLOAT_NOT_NEGATIVE);
    assert_false(nir_analyze_float(nir_fneg(&b, nir_fabs(&b, x)), 0) & NIR_FLOAT_NOT_NEGATIVE);
    assert_false(nir_analyze_float(nir_fabs(&b, x), 0) & NIR_FLOAT_NUMBER);
    nir_def *unit = nir_fsat(&b, x);
    unsigned in_unit = NIR_FLOAT_NUMBER | NIR_FLOAT_NOT_NEGATIVE | NIR_FLOAT_AT_MOST_ONE;
    assert_int_equal(nir_analyze_float(nir_fmul(&b, unit, unit), 0) & in_unit, in_unit);
    assert_false(nir_analyze_float(nir_fadd(&b, unit, unit), 0) & NIR_FLOAT_AT_MOST_ONE);
    assert_true(nir_analyze_float(nir_fmul(&b, x, x), 0) & NIR_FLOAT_NOT_NEGATIVE);
    assert_true(nir_analyze_float(nir_u2f32(&b, x), 0) & NIR_FLOAT_INTEGRAL);
    assert_false(nir_analyze_float(nir_imm_float(&b, -0.0f), 0) & NIR_FLOAT_NOT_NEGATIVE);
    assert_int_equal(nir_analyze_float(nir_imm_float(&b, NAN), 0), 0);
    nir_shader_destroy(b.shader);
}

static bool is_number(nir_def *x)
{
    return nir_analyze_float(x, 0) & NIR_FLOAT_NUMBER;
}

/* Which sums, differences and products can be NaN, or infinite. */
static void test_float_numbers(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *byte = nir_u2f32(&b, nir_iand_imm(&b, x, 255));
    nir_def *unit = nir_fmul_imm(&b, byte, 1.0 / 255), *number = nir_fmax_imm(&b, x, -4.0);
    nir_def *infinity = nir_imm_float(&b, INFINITY), *product = nir_fmul(&b, unit, byte);
    assert_true(nir_analyze_float(product, 0) & NIR_FLOAT_FINITE);
    assert_false(nir_analyze_float(nir_fmul(&b, byte, byte), 0) & NIR_FLOAT_FINITE);
    assert_true(is_number(nir_fmul(&b, byte, byte)));
    assert_false(nir_analyze_float(nir_fmul(&b, unit, number), 0) & NIR_FLOAT_FINITE);
    assert_false(is_number(nir_fmul(&b, unit, number))); /* zero times infinity */
    assert_true(is_number(nir_fadd_imm(&b, product, 8388608.0)));
    assert_true(is_number(nir_fadd_imm(&b, number, 1.0)));
    assert_true(is_number(nir_fsub(&b, number, product)));
    assert_true(is_number(nir_fadd(&b, nir_fmul(&b, byte, byte), infinity)));
    assert_false(is_number(nir_fsub(&b, nir_fmul(&b, byte, byte), infinity)));
    assert_false(is_number(nir_fadd(&b, number, infinity))); /* infinities of different sign */
    assert_false(is_number(nir_fadd(&b, number, number)));
    assert_false(is_number(nir_fadd_imm(&b, x, 1.0)));
    assert_false(is_number(nir_fsub(&b, product, x)));
    nir_shader_destroy(b.shader);
}

static void test_order_min_max(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *pair = test_input(&b, 2), *x = nir_channel(&b, pair, 0);
    nir_def *number = nir_fsat(&b, nir_channel(&b, pair, 1));
    nir_def *values[] = {
        nir_fmin(&b, number, x),      nir_fmax(&b, number, nir_channel(&b, pair, 1)),
        nir_fmin(&b, x, number),      nir_fmin(&b, x, x),
        nir_fmin(&b, number, number), nir_fadd(&b, number, x),
        nir_fmax(&b, number, x),
    };
    nir_instr_as_alu(values[6]->parent_instr)->exact = true;
    for (unsigned i = 0; i < ARRAY_SIZE(values); i++)
        nir_store_output(&b, values[i], nir_imm_int(&b, 0), .base = (int)i);
    nir_shader *before = nir_shader_clone(NULL, b.shader);
    RUN(&b, nir_order_min_max);
    for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
        nir_alu_instr *alu = nir_instr_as_alu(values[i]->parent_instr);
        assert_int_equal(alu->src[1].src.ssa == number, i < 3 || i == 4);
    }
    const float inputs[][2] = {{2, 0.5f}, {-1, 3}, {NAN, 0.25f}, {0.125f, NAN}, {NAN, NAN}};
    for (unsigned i = 0; i < ARRAY_SIZE(inputs); i++) {
        struct nir_eval want = {0}, have = {0};
        memcpy(want.inputs[0], inputs[i], sizeof inputs[i]);
        memcpy(have.inputs[0], inputs[i], sizeof inputs[i]);
        assert_int_equal(nir_eval_shader(&want, before), NIR_EVAL_DONE);
        assert_int_equal(nir_eval_shader(&have, b.shader), NIR_EVAL_DONE);
        for (unsigned k = 0; k < ARRAY_SIZE(values); k++)
            assert_int_equal(want.outputs[k][0], have.outputs[k][0]);
    }
    assert_false(nir_order_min_max(b.shader));
    nir_shader_destroy(before);
    nir_shader_destroy(b.shader);
}

static void test_integer_range(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *low = nir_iand_imm(&b, x, 7);
    assert_int_equal(nir_unsigned_upper_bound(x, 0), UINT32_MAX);
    assert_int_equal(nir_unsigned_upper_bound(low, 0), 7);
    assert_int_equal(nir_unsigned_upper_bound(nir_iadd_imm(&b, low, 5), 0), 12);
    assert_int_equal(nir_unsigned_upper_bound(nir_iadd_imm(&b, low, -1), 0), UINT32_MAX);
    assert_int_equal(nir_unsigned_upper_bound(nir_imul_imm(&b, low, 4), 0), 28);
    assert_int_equal(nir_unsigned_upper_bound(nir_umod_imm(&b, x, 10), 0), 9);
    assert_int_equal(nir_unsigned_upper_bound(nir_ushr_imm(&b, x, 24), 0), 255);
    nir_def *halves = nir_umin_2x16(&b, x, nir_imm_int(&b, 0x00300500));
    assert_int_equal(nir_unsigned_upper_bound(halves, 0), 0x00300500);
    assert_int_equal(nir_unsigned_upper_bound(nir_ushr_imm(&b, halves, 16), 0), 0x30);
    assert_int_equal(nir_unsigned_upper_bound(nir_iand_imm(&b, halves, 0xffff), 0), 0x500);
    assert_int_equal(nir_unsigned_upper_bound(nir_iand_imm(&b, halves, 0xff), 0), 0xff);
    assert_int_equal(nir_unsigned_upper_bound(nir_iand_imm(&b, halves, 0x1ffff), 0), 0x1ffff);
    nir_shader_destroy(b.shader);
}

static void test_opt_range(void **state)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *x = test_input(&b, 1), *low = nir_iand_imm(&b, x, 7);
    nir_def *values[] = {
        nir_umin_imm(&b, low, 7), nir_b2i32(&b, nir_ult_imm(&b, low, 8)), nir_imin_imm(&b, low, 9),
        nir_umin_imm(&b, low, 6), /* the clamp has an effect */
    };
    for (unsigned i = 0; i < ARRAY_SIZE(values); i++)
        nir_store_output(&b, values[i], nir_imm_int(&b, 0), .base = (int)i);
    RUN(&b, nir_opt_range);
    assert_int_equal(count_ops(b.shader, nir_op_umin), 1);
    assert_int_equal(count_ops(b.shader, nir_op_imin), 0);
    assert_int_equal(count_ops(b.shader, nir_op_ult), 0);
    nir_shader_destroy(b.shader);
}

/* All kinds of division by many constants, for many values. */
static void test_idiv_const(void **state)
{
    static const nir_op ops[] = {nir_op_udiv, nir_op_umod, nir_op_idiv, nir_op_irem, nir_op_imod};
    static const uint32_t divisors[] = {
        2,          3,          5,          6,          7,          9,          10,
        11,         12,         25,         28,         100,        125,        641,
        1000,       4096,       65535,      65537,      0x7ffffffe, 0x7fffffff, 0x80000000,
        0x80000001, 0xaaaaaaab, 0xfffffffe, 0xfffffffd, 0xfffffff6, 0xffffff9c, 0xffff0000};
    uint32_t values[200];
    for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
        uint32_t d = divisors[i % ARRAY_SIZE(divisors)];
        values[i] = i < 60    ? d * (i / 28) + i % 3 - 1
                    : i < 100 ? 0xffffffff - i + 60
                    : i < 120 ? 0x80000000 + i - 110
                              : i * 2654435761u;
    }
    for (unsigned o = 0; o < ARRAY_SIZE(ops); o++) {
        for (unsigned k = 0; k < ARRAY_SIZE(divisors); k++) {
            nir_builder b = test_shader(SHADER_FRAGMENT);
            nir_def *srcs[2] = {test_input(&b, 1), nir_imm_int(&b, (int)divisors[k])};
            nir_store_output(&b, nir_build_alu(&b, ops[o], srcs), nir_imm_int(&b, 0));
            nir_shader *before = nir_shader_clone(NULL, b.shader);
            bool progress = nir_opt_idiv_const(b.shader);
            assert_true(progress || (o < 2 && util_is_power_of_two(divisors[k])));
            nir_validate_shader(b.shader, "after nir_opt_idiv_const");
            assert_int_equal(count_ops(b.shader, ops[o]), !progress);
            for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
                struct nir_eval want = {.inputs = {{values[i]}}}, have = {.inputs = {{values[i]}}};
                assert_int_equal(nir_eval_shader(&want, before), NIR_EVAL_DONE);
                assert_int_equal(nir_eval_shader(&have, b.shader), NIR_EVAL_DONE);
                assert_int_equal(want.outputs[0][0], have.outputs[0][0]);
            }
            nir_shader_destroy(before);
            nir_shader_destroy(b.shader);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditional_discard),
        cmocka_unit_test(test_large_constants),
        cmocka_unit_test(test_no_large_constants),
        cmocka_unit_test(test_shrink_vectors),
        cmocka_unit_test(test_copy_prop_across_blocks),
        cmocka_unit_test(test_float_range),
        cmocka_unit_test(test_float_numbers),
        cmocka_unit_test(test_order_min_max),
        cmocka_unit_test(test_integer_range),
        cmocka_unit_test(test_opt_range),
        cmocka_unit_test(test_idiv_const),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
