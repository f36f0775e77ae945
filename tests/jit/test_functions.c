/* SPDX-License-Identifier: MIT */
/*
 * Tests that kernels compute the values of nir_math.h, which constants are folded with: each
 * function at 10,000 arguments, at every width, with both code generators and the interpreter.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "nir/nir_build_math.h"
#include "nir/nir_builder.h"
#include "nir/nir_math.h"

#define COUNT 10000 /* arguments of each function; a multiple of all widths */

#include "jit_test.h"

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
    {"atan2", NULL, NULL, nir_math_atan2, nir_build_atan2},
};

static const char *const runners[] = {"LLVM", "baseline code", "the interpreter"};

static const struct function *tested; /* what build_tested() computes */

/* Special values first, in all pairs, then values in [-8, 8) and any bits in turn. */
static float argument(unsigned i)
{
    static const float special[] = {0.0f,     -0.0f,     1.0f, -1.0f,  0.5f,   -0.5f,
                                    INFINITY, -INFINITY, NAN,  1e-40f, 1e-30f, 131008.0f};
    const uint32_t word = random_word();
    if (i < ARRAY_SIZE(special) * ARRAY_SIZE(special))
        return special[i % ARRAY_SIZE(special)];
    return i & 1 ? uif(word) : (float)(word >> 8) * 0x1p-20f - 8.0f;
}

static nir_def *build_tested(nir_builder *b, nir_def *p, nir_def *q)
{
    return tested->build2 ? tested->build2(b, p, q) : tested->build(b, p);
}

/* The bits are those of the C function, except those of NaN. */
static void test_functions(void **state)
{
    for (unsigned n = 0; n < ARRAY_SIZE(functions); n++) {
        const struct function *f = tested = &functions[n];
        for (unsigned i = 0; i < COUNT; i++) {
            x[i] = fui(argument(i));
            y[i] = fui(argument(i < 144 ? i / 12 : i));
        }
        for (unsigned k = 0; k < NUM_RUNNERS * ARRAY_SIZE(widths); k++) {
            memset(out, 0x55, sizeof out);
            run(widths[k / NUM_RUNNERS], k % NUM_RUNNERS, build_tested, out, x, y);
            for (unsigned i = 0; i < COUNT; i++) {
                const float value =
                    f->value ? f->value(uif(x[i])) : f->value2(uif(x[i]), uif(y[i]));
                if (out[i] != fui(value) && !(isnan(value) && isnan(uif(out[i]))))
                    fail_msg("%s(%a, %a) by %s with %u lanes: %a, not %a", f->name, uif(x[i]),
                             uif(y[i]), runners[k % NUM_RUNNERS], widths[k / NUM_RUNNERS],
                             uif(out[i]), value);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
