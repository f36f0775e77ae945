/* SPDX-License-Identifier: MIT */
/* Accuracy of the math functions in the evaluator, the JIT and the simulator. */
#include <math.h>
#include <talloc.h>

#include "differential.h"
#include "i965_run.h"

enum { VALUES_PER_RUN = RUN_CHANNELS, RUNS = 200 };

static double reciprocal(double x, double y)
{
    return 1 / x;
}

static double reciprocal_root(double x, double y)
{
    return 1 / sqrt(x);
}

#define UNARY(name)                                                                                \
    static double real_##name(double x, double y)                                                  \
    {                                                                                              \
        return name(x);                                                                            \
    }
UNARY(sqrt)
UNARY(exp2)
UNARY(log2)
UNARY(sin)
UNARY(cos)

static const struct function {
    const char *name;
    nir_op op;
    double (*truth)(double x, double y);
    float least, most; /* Range of x. */
    /* The error is in units in the last place of 1, because the result may be near 0. */
    bool absolute;
    double ulps; /* Maximum error of each implementation. */
} functions[] = {
    {"1/x", nir_op_frcp, reciprocal, 0x1p-60f, 0x1p60f, false, 1},
    {"1/sqrt(x)", nir_op_frsq, reciprocal_root, 0x1p-60f, 0x1p60f, false, 2},
    {"sqrt(x)", nir_op_fsqrt, real_sqrt, 0x1p-60f, 0x1p60f, false, 1},
    {"exp2(x)", nir_op_fexp2, real_exp2, -100, 100, false, 2},
    {"log2(x)", nir_op_flog2, real_log2, 0x1p-60f, 0x1p60f, true, 2},
    {"pow(x, y)", nir_op_fpow, pow, 0x1p-8f, 0x1p8f, false, 16},
    {"sin(x)", nir_op_fsin, real_sin, -100, 100, true, 1.1},
    {"cos(x)", nir_op_fcos, real_cos, -100, 100, true, 1.1},
    {"sin(any x)", nir_op_fsin, real_sin, 0x1p-20f, 0x1p100f, true, 1.1},
    {"cos(any x)", nir_op_fcos, real_cos, 0x1p-20f, 0x1p100f, true, 1.1},
};

static nir_shader *single_function(const struct function *f, const struct i965_device *dev)
{
    /* The JIT divides; with the compiler's options it would multiply by the reciprocal. */
    static nir_shader_compiler_options options;
    options = i965_nir_options;
    options.lower_fdiv = false;
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_COMPUTE, &options, "%s", f->name);
    nir_def *in[2], *result;

    b.exact = true;
    run_set_group(b.shader);
    for (unsigned i = 0; i < 2; i++)
        in[i] = nir_load_ssbo(&b, 1, 32, nir_imm_int(&b, 0),
                              nir_iadd_imm(&b, run_slot_address(&b, 0), 4 * i), .align_mul = 4);
    result = nir_build_alu(&b, f->op, in);
    nir_store_ssbo(&b, result, nir_imm_int(&b, 1), run_slot_address(&b, 0), .write_mask = 1,
                   .align_mul = 4);
    nir_shader_gather_info(b.shader);
    return b.shader;
}

/* Returns the i-th argument. All exponents are equally likely if the range is positive. */
static float pick(const struct function *f, unsigned i)
{
    float t = (float)i / (float)(RUNS * VALUES_PER_RUN);

    if (f->least > 0)
        return f->least * exp2f(t * log2f(f->most / f->least));
    return f->least + t * (f->most - f->least);
}

static double error_of(const struct function *f, float got, float x, float y)
{
    double want = f->truth(x, y), scale = fabs(want);

    if (f->absolute && scale < 1)
        scale = 1;
    return fabs(got - want) / (exp2(floor(log2(scale))) * 0x1p-23);
}

/* The evaluator, the JIT and the simulator compute the same operations. */
static bool same_results(const struct run_data *d, const uint32_t want[RUN_CHANNELS])
{
    for (unsigned c = 0; c < RUN_CHANNELS; c++)
        if (d->out[c][0][0] != want[c] && !(isnan(uif(d->out[c][0][0])) && isnan(uif(want[c]))))
            return false;
    return true;
}

static void measure(const struct function *f, const struct run_data *d, double *worst)
{
    for (unsigned c = 0; c < RUN_CHANNELS; c++)
        *worst = fmax(*worst,
                      error_of(f, uif(d->out[c][0][0]), uif(d->in[c][0][0]), uif(d->in[c][0][1])));
}

static bool check_function(const struct function *f, struct jit_engine *jit,
                           const struct i965_device *dev)
{
    void *mem_ctx = talloc_new(NULL);
    struct run_data *d = talloc_zero(mem_ctx, struct run_data);
    nir_shader *nir = single_function(f, dev);
    const struct i965_key key = {0};
    const char *error = NULL;
    struct i965_program *program =
        i965_compile(mem_ctx, dev, nir_shader_clone(mem_ctx, nir), &key, 0, &error);
    double worst[3] = {0, 0, 0};
    bool ok = program;

    for (unsigned run = 0; run < RUNS && ok; run++) {
        for (unsigned c = 0; c < RUN_CHANNELS; c++) {
            d->in[c][0][0] = fui(pick(f, run * RUN_CHANNELS + c));
            d->in[c][0][1] = fui((float)((run * 7 + c) % 64) / 16.0f - 2.0f);
        }
        uint32_t want[RUN_CHANNELS];
        ok = run_evaluator(nir, d);
        measure(f, d, &worst[0]);
        for (unsigned c = 0; c < RUN_CHANNELS; c++)
            want[c] = d->out[c][0][0];
        ok = ok && differential_run_jit(jit, nir, d) && same_results(d, want);
        measure(f, d, &worst[1]);
        ok = ok && run_simulator(program, &program->kernels[0], d) && same_results(d, want);
        measure(f, d, &worst[2]);
    }
    printf("%-10s evaluator %.2f, JIT %.2f, simulator %.2f ulp, at most %g%s\n", f->name, worst[0],
           worst[1], worst[2], f->ulps, ok ? "" : ": does not run, or other results");
    nir_shader_destroy(nir);
    talloc_free(mem_ctx);
    return ok && fmax(fmax(worst[0], worst[1]), worst[2]) <= f->ulps;
}

bool differential_math(struct jit_engine *jit, const struct i965_device *dev)
{
    bool ok = true;

    for (unsigned i = 0; i < ARRAY_SIZE(functions); i++)
        ok = check_function(&functions[i], jit, dev) && ok;
    return ok;
}
