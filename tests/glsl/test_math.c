/* SPDX-License-Identifier: MIT */
/*
 * Functions that hir_to_nir_math.c builds from NIR operations, evaluated by constant folding and
 * compared with the C library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <talloc.h>

#include "glsl/hir_to_nir.h"

static const nir_shader_compiler_options nir_options = {.max_unroll_iterations = 32};

/* Folds what `build` creates and returns the value, as stored to a variable. */
static float evaluate(nir_def *(*build)(nir_builder *b, const float *x, unsigned op),
                      const float *x, unsigned op)
{
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_FRAGMENT, &nir_options, "math");
    nir_variable *out = nir_variable_create(b.shader, nir_var_shader_out, glsl_float_type(), "out");
    nir_store_var(&b, out, build(&b, x, op), 1);
    nir_validate_shader(b.shader, "built");
    for (unsigned i = 0; i < 4; i++) {
        nir_copy_prop(b.shader);
        nir_opt_constant_folding(b.shader);
    }
    float result = NAN;
    bool found = false;
    nir_foreach_block (block, b.impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
                continue;
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
            if (intr->intrinsic == nir_intrinsic_store_deref && nir_src_is_const(intr->src[1])) {
                result = (float)nir_src_as_float(intr->src[1]);
                found = true;
            }
        }
    }
    nir_shader_destroy(b.shader);
    assert_true(found);
    return result;
}

static nir_def *build_function(nir_builder *b, const float *x, unsigned op)
{
    return h2n_build_math(b, op, false, nir_imm_float(b, x[0]), nir_imm_float(b, x[1]));
}

static void check(enum hir_op op, float x, float y, double expected, double relative,
                  double absolute)
{
    float v = evaluate(build_function, (const float[]){x, y}, op);
    if (isnan(expected)
            ? !isnan(v)
            : !(fabs(v - expected) <= fabs(expected) * relative + absolute) && v != (float)expected)
        fail_msg("%s(%g, %g) gives %.9g, not %.9g", hir_op_infos[op].name, x, y, v, expected);
}

static void test_range(enum hir_op op, double (*reference)(double x), double low, double high,
                       double relative, double absolute)
{
    for (unsigned i = 0; i <= 100; i++) {
        float x = (float)(low + (high - low) * i / 100);
        check(op, x, 0, reference(x), relative, absolute);
    }
}

static void test_functions(void **state)
{
    test_range(HIR_OP_ASIN, asin, -1, 1, 4e-6, 1e-6);
    test_range(HIR_OP_ACOS, acos, -1, 1, 4e-6, 1e-6);
    test_range(HIR_OP_ATAN, atan, -20, 20, 2e-6, 1e-7);
    test_range(HIR_OP_ATAN, atan, -1, 1, 2e-6, 1e-7);
    test_range(HIR_OP_TAN, tan, -1.5, 1.5, 2e-6, 1e-6);
    test_range(HIR_OP_EXP, exp, -20, 20, 2e-6, 0);
    test_range(HIR_OP_LOG, log, 0.01, 100, 2e-6, 1e-6);
    test_range(HIR_OP_SINH, sinh, -10, 10, 4e-6, 0);
    test_range(HIR_OP_COSH, cosh, -10, 10, 4e-6, 0);
    test_range(HIR_OP_TANH, tanh, -40, 40, 4e-6, 0);
    test_range(HIR_OP_ASINH, asinh, -100, 100, 1e-4, 0);
    test_range(HIR_OP_ACOSH, acosh, 1, 100, 1e-4, 1e-4);
    test_range(HIR_OP_ATANH, atanh, -0.99, 0.99, 1e-4, 0);
    test_range(HIR_OP_CEIL, ceil, -3, 3, 0, 0);
}

static void test_atan2(void **state)
{
    static const float values[] = {-3, -1, -0.5f, -0.0f, 0.0f, 0.25f, 1, 2, 1e20f};
    for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
        for (unsigned k = 0; k < ARRAY_SIZE(values); k++)
            check(HIR_OP_ATAN2, values[i], values[k], atan2(values[i], values[k]), 2e-6, 1e-6);
    }
}

static nir_def *build_determinant(nir_builder *b, const float *x, unsigned n)
{
    struct h2n_value m = {.n = n};
    for (unsigned c = 0; c < n; c++) {
        nir_def *comps[4];
        for (unsigned r = 0; r < n; r++)
            comps[r] = nir_imm_float(b, x[c * n + r]);
        m.c[c] = nir_vec(b, comps, n);
    }
    if (x[16] < 0)
        return h2n_determinant(b, &m);
    struct h2n_value inverse = h2n_inverse(b, &m);
    return nir_channel(b, inverse.c[(unsigned)x[16] / n], (unsigned)x[16] % n);
}

static void test_matrices(void **state)
{
    float m[17] = {2, 1, 0, 3, 0, 1, 4, 1, 5, 0, 1, 1, 1, 2, 0, 1};
    m[16] = -1;
    assert_true(fabsf(evaluate(build_determinant, m, 4) + 92) < 1e-4f);
    /* The inverse times m is the identity. */
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned r = 0; r < 4; r++) {
            float sum = 0;
            for (unsigned k = 0; k < 4; k++) {
                float x[17];
                memcpy(x, m, sizeof x);
                x[16] = k * 4 + r;
                sum += evaluate(build_determinant, x, 4) * m[c * 4 + k];
            }
            assert_true(fabsf(sum - (c == r)) < 1e-5f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_atan2),
        cmocka_unit_test(test_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
