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
#include <talloc.h>

#include "jit/jit_private.h"
#include "nir/nir.h"
#include "nir/nir_build_math.h"
#include "nir/nir_builder.h"
#include "nir/nir_math.h"

#define COUNT 10000 /* arguments of each function; a multiple of all widths */

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

static const unsigned widths[] = {4, 8, 16};

enum runner { BY_LLVM, BY_BASELINE_CODE /* if supported */, BY_INTERPRETER, NUM_RUNNERS };
static const char *const runners[] = {"LLVM", "baseline code", "the interpreter"};

static uint32_t x[COUNT], y[COUNT], out[COUNT];

static uint32_t random_word(void)
{
    static uint64_t state = 88172645463325252ull; /* xorshift64 */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

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

/* Returns a kernel that computes out[i] = f(x[i], y[i]); its arguments are out, x, and y. */
static nir_shader *build(const struct function *f)
{
    static const nir_shader_compiler_options options;
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_COMPUTE, &options, "test");
    nir_def *arg[3];
    for (unsigned i = 0; i < 3; i++)
        arg[i] = nir_load_kernel_arg(&b, .base = i);
    nir_variable *index = nir_local_variable_create(b.impl, glsl_uint_type(), "i");
    nir_store_var(&b, index, nir_imm_int(&b, 0), 1);
    nir_push_loop(&b);
    {
        nir_def *i = nir_load_var(&b, index);
        nir_break_if(&b, nir_uge(&b, i, nir_imm_int(&b, COUNT)));
        nir_def *offset = nir_ishl_imm(&b, i, 2);
        nir_def *p = nir_load_global_block(&b, 1, 32, arg[1], offset);
        nir_def *q = f->build2 ? nir_load_global_block(&b, 1, 32, arg[2], offset) : NULL;
        nir_def *value = f->build2 ? f->build2(&b, p, q) : f->build(&b, p);
        nir_store_global_block(&b, value, arg[0], offset, nir_imm_true(&b));
        nir_store_var(&b, index, nir_iadd(&b, i, nir_load_subgroup_size(&b)), 1);
    }
    nir_pop_loop(&b, NULL);
    NIR_PASS_V(b.shader, nir_lower_vars_to_ssa);
    return b.shader;
}

static void run(unsigned lanes, enum runner runner, const struct function *f)
{
    struct jit_engine *engine = jit_engine_create(lanes);
    assert_non_null(engine);
    engine->baseline &= runner == BY_BASELINE_CODE;
    engine->interprets = runner == BY_INTERPRETER;
    struct jit_kernel *kernel = jit_kernel_begin(engine, build(f), f->name);
    assert_non_null(kernel);
    const void *args[] = {out, x, y};
    const struct jit_function function = jit_kernel_function(kernel);
    assert_non_null(function.run);
    memset(out, 0x55, sizeof out);
    jit_run(function, args);
    jit_kernel_destroy(kernel);
    jit_engine_destroy(engine);
}

/* The bits are those of the C function, except those of NaN. */
static void test_functions(void **state)
{
    for (unsigned n = 0; n < ARRAY_SIZE(functions); n++) {
        const struct function *f = &functions[n];
        for (unsigned i = 0; i < COUNT; i++) {
            x[i] = fui(argument(i));
            y[i] = fui(argument(i < 144 ? i / 12 : i));
        }
        for (unsigned k = 0; k < NUM_RUNNERS * ARRAY_SIZE(widths); k++) {
            run(widths[k / NUM_RUNNERS], k % NUM_RUNNERS, f);
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
