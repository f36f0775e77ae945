/* SPDX-License-Identifier: MIT */
/*
 * Tests of the functions in nir_math.h: the error of sines, tangents and powers of two, and that
 * lowered code, folded constants and the C functions give the same bits.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <talloc.h>

#include "nir_build_math.h"
#include "nir_math.h"
#include "nir_test.h"
#include "util/angle.h"

#define VALUES 10000 /* arguments of each function */

static const struct function {
    const char *name;
    float (*value)(float x);
    nir_def *(*build)(nir_builder *b, nir_def *x);
    float (*value2)(float x, float y); /* if it has two arguments */
    nir_def *(*build2)(nir_builder *b, nir_def *x, nir_def *y);
} functions[] = {
    {"exp2", nir_math_exp2, nir_fexp2},
    {"log2", nir_math_log2, nir_flog2},
    {"exp", nir_math_exp, nir_build_exp},
    {"log", nir_math_log, nir_build_log},
    {"sin", nir_math_sin, nir_fsin},
    {"cos", nir_math_cos, nir_fcos},
    {"tan", nir_math_tan, nir_build_tan},
    {"asin", nir_math_asin, nir_build_asin},
    {"acos", nir_math_acos, nir_build_acos},
    {"atan", nir_math_atan, nir_build_atan},
    {"sinh", nir_math_sinh, nir_build_sinh},
    {"cosh", nir_math_cosh, nir_build_cosh},
    {"tanh", nir_math_tanh, nir_build_tanh},
    {"asinh", nir_math_asinh, nir_build_asinh},
    {"acosh", nir_math_acosh, nir_build_acosh},
    {"atanh", nir_math_atanh, nir_build_atanh},
    {"pow", NULL, NULL, nir_math_pow, nir_fpow},
    {"atan", NULL, NULL, nir_math_atan2, nir_build_atan2},
};

static uint32_t random_word(void)
{
    static uint64_t state = 88172645463325252ull; /* xorshift64 */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

/* Special values first, then values in [-8, 8) and any bits in turn. */
static float argument(unsigned i)
{
    static const float special[] = {0.0f,     -0.0f,     1.0f, -1.0f,  0.5f,   -0.5f,
                                    INFINITY, -INFINITY, NAN,  1e-40f, 1e-30f, 131008.0f};
    const uint32_t word = random_word();
    if (i < 144)
        return special[i / 12 % 12];
    return i & 1 ? uif(word) : (float)(word >> 8) * 0x1p-20f - 8.0f;
}

static nir_def *build(nir_builder *b, const struct function *f, nir_def *x, nir_def *y)
{
    return f->build ? f->build(b, x) : f->build2(b, x, y);
}

/* Opcodes, opcodes lowered, and large angles lowered, too. */
#define LEVELS 3

/* Returns NULL if this level of lowering changes nothing. */
static nir_shader *code_of(const struct function *f, unsigned level)
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    test_output(&b, build(&b, f, test_input(&b, 1), test_input_at(&b, 1, 1)), 0);
    bool progress = level == 0;
    if (level > 0) {
        const bool lowered = nir_lower_math(b.shader);
        progress = level == 1 ? lowered : nir_lower_large_angles(b.shader);
        nir_validate_shader(b.shader, "lowering");
    }
    if (progress)
        return b.shader;
    nir_shader_destroy(b.shader);
    return NULL;
}

static bool same(uint32_t bits, float value)
{
    return bits == fui(value) || (isnan(uif(bits)) && isnan(value));
}

/* Opcodes and lowered code, in the evaluator. */
static void test_code(void **state)
{
    unsigned lowered[LEVELS] = {0};
    for (unsigned n = 0; n < LEVELS * ARRAY_SIZE(functions); n++) {
        const struct function *f = &functions[n / LEVELS];
        nir_shader *code = code_of(f, n % LEVELS);
        if (!code)
            continue;
        lowered[n % LEVELS]++;
        for (unsigned i = 0; i < VALUES; i++) {
            const float x = argument(i), y = argument(i * 7 % VALUES);
            struct nir_eval eval = {.inputs = {{fui(x)}, {fui(y)}}};
            assert_int_equal(nir_eval_shader(&eval, code), NIR_EVAL_DONE);
            const float value = f->value ? f->value(x) : f->value2(x, y);
            if (!same(eval.outputs[0][0], value))
                fail_msg("%s(%a, %a): %a, not %a", f->name, x, y, uif(eval.outputs[0][0]), value);
        }
        nir_shader_destroy(code);
    }
    assert_int_equal(lowered[0], ARRAY_SIZE(functions));
    assert_int_equal(lowered[1], ARRAY_SIZE(functions) - 5); /* asin, acos, tan, two atan */
    assert_int_equal(lowered[2], 3);                         /* sin, cos, tan */
}

static void check_folded(const struct function *f, const float x[4], const float y[4])
{
    nir_builder b = test_shader(SHADER_FRAGMENT);
    nir_def *args[2];
    for (unsigned a = 0; a < 2; a++) {
        const float *from = a ? y : x;
        args[a] = nir_imm_vec4(&b, from[0], from[1], from[2], from[3]);
    }
    test_output(&b, build(&b, f, args[0], args[1]), 0);
    RUN(&b, nir_opt_constant_folding);
    nir_intrinsic_instr *store = find_intrinsic(b.shader, nir_intrinsic_store_output);
    nir_const_value *folded = nir_src_as_const_value(store->src[0]);
    assert_non_null(folded);
    for (unsigned c = 0; c < 4; c++) {
        const float value = f->value ? f->value(x[c]) : f->value2(x[c], y[c]);
        if (!same(folded[c].u32, value))
            fail_msg("%s(%a, %a): %a, not %a", f->name, x[c], y[c], folded[c].f32, value);
    }
    nir_shader_destroy(b.shader);
}

/* Constants, which are vectors. */
static void test_folding(void **state)
{
    for (unsigned n = 0; n < ARRAY_SIZE(functions); n++) {
        for (unsigned i = 0; i < VALUES; i += 4) {
            float x[4], y[4];
            for (unsigned c = 0; c < 4; c++) {
                x[c] = argument(i + c);
                y[c] = argument((i + c) * 7 % VALUES);
            }
            check_folded(&functions[n], x, y);
        }
    }
}

/* The error of sin and cos is at most 1.4e-7 for all floats, and no result exceeds 1. Near
 * multiples of π / 2 the relative error is small, too. */
static void test_sines(void **state)
{
    static const float near_zero[] = {16367173.0f * 0x1p72f, 0x1.921fb6p+1f, 0x1.f9cbe2p+7f,
                                      0x1.6cbe44p+125f, 0x1.d38accp+19f};
    for (unsigned i = 0; i < 2000000; i++) {
        const float x = uif(i < 1000 ? fui(NIR_MATH_LARGE_ANGLE) + i - 500 : random_word());
        if (!isfinite(x)) {
            assert_true(isnan(nir_math_sin(x)) && isnan(nir_math_cos(x)));
            continue;
        }
        const float sine = nir_math_sin(x), cosine = nir_math_cos(x);
        if (!(fabs(sine - sin(x)) <= 1.4e-7) || !(fabs(cosine - cos(x)) <= 1.4e-7))
            fail_msg("of %a: %.9g, %.9g", x, sine, cosine);
        assert_true(fabsf(sine) <= 1 && fabsf(cosine) <= 1);
        assert_true(nir_math_sin(-x) == -sine);
    }
    for (unsigned i = 0; i < ARRAY_SIZE(near_zero); i++) {
        const double x = near_zero[i];
        assert_true(fabs(nir_math_sin(near_zero[i]) - sin(x)) <= 3e-7 * fabs(sin(x)));
        if (x >= (double)NIR_MATH_LARGE_ANGLE)
            assert_true(fabs(nir_math_cos(near_zero[i]) - cos(x)) <= 3e-7 * fabs(cos(x)));
    }
    assert_true(nir_math_cos(0) == 1 && nir_math_sin(0) == 0);
}

/* Angles around multiples of π / 2 from NIR_MATH_LARGE_ANGLE to beyond 2^24, where two methods of
 * reduction meet: the relative error is small. */
static void test_reduced_sines(void **state)
{
    for (unsigned n = 83440; n < 12000000; n += 1 + n / 50000) {
        const float around = (float)(n * M_PI_2);
        const float angles[] = {around, nextafterf(around, 0), nextafterf(around, INFINITY)};
        for (unsigned i = 0; i < ARRAY_SIZE(angles); i++) {
            const float x = angles[i];
            const double sine = sin((double)x), cosine = cos((double)x);
            if (!(fabs(nir_math_sin(x) - sine) <= 2e-7 * fabs(sine)) ||
                !(fabs(nir_math_cos(x) - cosine) <= 2e-7 * fabs(cosine)))
                fail_msg("of %a: %.9g, %.9g", x, nir_math_sin(x), nir_math_cos(x));
        }
    }
}

/* The error of exp2 is at most 1.4 units in the last place, and powers of integers are exact. */
static void test_powers(void **state)
{
    for (unsigned i = 0; i < 1000000; i++) {
        const float x = (float)(int)(random_word() >> 8) * 0x1p-17f - 64;
        const double wanted = exp2((double)x), ulp = exp2(floor(x) - 23);
        if (!(fabs(nir_math_exp2(x) - wanted) <= 1.4 * ulp))
            fail_msg("of %a: %.9g, not %.9g", x, nir_math_exp2(x), wanted);
    }
    for (int i = -126; i < 128; i++)
        assert_true(nir_math_exp2((float)i) == ldexpf(1, i));
}

/* The functions on arrays give the bits of the one on a value, for all counts of a vector and more,
 * and leave small angles and those that aren't finite. */
static void test_reduced_arrays(void **state)
{
    for (unsigned i = 0; i < 20000; i++) {
        const unsigned count = i % 20;
        float x[20], sines[20], cosines[20];
        for (unsigned c = 0; c < 20; c++) {
            x[c] = i % 7 == c ? argument(c + i % 64) : uif(random_word());
            sines[c] = (float)c;
            cosines[c] = (float)-(int)c;
        }
        nir_math_reduce_sines(x, sines, count);
        nir_math_reduce_cosines(x, cosines, count);
        for (unsigned c = 0; c < 20; c++) {
            float sine = (float)c, cosine = (float)-(int)c;
            if (c < count) {
                sine = nir_math_reduce_angle(x[c], sine, false);
                cosine = nir_math_reduce_angle(x[c], cosine, true);
            }
            if (fui(sines[c]) != fui(sine) || fui(cosines[c]) != fui(cosine))
                fail_msg("of %a, number %u of %u: %a, %a", x[c], c, count, sines[c], cosines[c]);
        }
    }
}

static void check_tangent(float x)
{
    const double tangent = nir_math_tan(x), wanted = tan(x);
    if (!(fabs(tangent - wanted) <= 2e-7 * fmax(1, fabs(wanted))))
        fail_msg("tan(%a): %.9g, not %.9g", x, tangent, wanted);
    assert_true(nir_math_tan(-x) == -(float)tangent);
}

/* The error of tan is at most 2e-7 of max(1, |tan(x)|) for all floats. */
static void test_tangents(void **state)
{
    static const float near_poles[] = {16367173.0f * 0x1p72f, 0x1.921fb6p+0f, 0x1.f9cbe2p+7f,
                                       0x1.9a48dep+15f};
    for (unsigned i = 0; i < 2000000; i++) {
        const float x = uif(i < 1000 ? fui(NIR_MATH_LARGE_ANGLE) + i - 500 : random_word());
        if (isfinite(x))
            check_tangent(x);
        else
            assert_true(isnan(nir_math_tan(x)));
    }
    for (unsigned i = 0; i < 1000000; i++)
        check_tangent((float)(int)random_word() * 0x1p-26f);
    for (unsigned quarter = 1; quarter < 100000; quarter++) {
        const float x = (float)(quarter * M_PI_2);
        check_tangent(x);
        check_tangent(nextafterf(x, 0));
        check_tangent(nextafterf(x, INFINITY));
    }
    for (unsigned i = 0; i < ARRAY_SIZE(near_poles); i++)
        check_tangent(near_poles[i]);
    assert_true(nir_math_tan(0) == 0 && nir_math_tan(1e-30f) == 1e-30f);
}

static void test_degrees(void **state)
{
    static const double sines[] = {0, 1, 0, -1};
    for (int i = -9; i < 9; i++) {
        assert_true(util_sin_degrees(90.0 * i) == sines[i & 3]);
        assert_true(util_cos_degrees(90.0 * i) == sines[(i + 1) & 3]);
    }
    for (unsigned i = 0; i < VALUES; i++) {
        const double angle = (random_word() >> 8) * 0x1p-14 - 512;
        const long double radians = angle * 0x1.921fb54442d1846ap+1L / 180;
        assert_true(fabsl(util_sin_degrees(angle) - sinl(radians)) <= 3e-16L);
        assert_true(fabsl(util_cos_degrees(angle) - cosl(radians)) <= 3e-16L);
    }
    assert_true(isnan(util_sin_degrees(INFINITY)) && isnan(util_cos_degrees(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_code),     cmocka_unit_test(test_folding),
        cmocka_unit_test(test_sines),    cmocka_unit_test(test_reduced_sines),
        cmocka_unit_test(test_powers),   cmocka_unit_test(test_reduced_arrays),
        cmocka_unit_test(test_tangents), cmocka_unit_test(test_degrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
