/* SPDX-License-Identifier: MIT */
/*
 * Runs kernels as C code, baseline code, LLVM's code and by the interpreter, for counting their
 * instructions (qemu_count.c). For each, prints a line "KERNEL RUNNER ELEMENTS", then makes a system
 * call MARKER before and after a run; the second count after the line is that of the run. Needs
 * INDIUM_THREADS=1, because instructions of other threads are counted, too. Fails if results differ.
 */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "jit_test.h"
#include "nir/nir_math.h"

#define LANES  4
#define MARKER 100000 /* also in qemu_count.c */

/* --- kernels: NIR, and the same in C --- */

/* A polynomial of degree 8 in x. */
static nir_def *body_polynomial(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *sum = q;
    for (unsigned i = 0; i < 8; i++)
        sum = nir_fadd(b, nir_fmul(b, sum, p), nir_imm_float(b, 0.25f * (float)(i + 1)));
    return sum;
}

static uint32_t c_polynomial(uint32_t p, uint32_t q)
{
    float sum = uif(q);
    for (unsigned i = 0; i < 8; i++)
        sum = sum * uif(p) + 0.25f * (float)(i + 1);
    return fui(sum);
}

/* Rounds of an integer hash function. */
static nir_def *body_hash(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *h = p;
    for (unsigned i = 0; i < 4; i++) {
        h = nir_imul(b, nir_ixor(b, h, q), nir_imm_int(b, (int)0x9e3779b1u));
        h = nir_ixor(b, h, nir_ushr_imm(b, h, 15));
    }
    return h;
}

static uint32_t c_hash(uint32_t p, uint32_t q)
{
    uint32_t h = p;
    for (unsigned i = 0; i < 4; i++) {
        h = (h ^ q) * 0x9e3779b1u;
        h ^= h >> 15;
    }
    return h;
}

static nir_def *body_exp2(nir_builder *b, nir_def *p, nir_def *q)
{
    return nir_fexp2(b, p);
}

static uint32_t c_exp2(uint32_t p, uint32_t q)
{
    return fui(nir_math_exp2(uif(p)));
}

static nir_def *body_sin(nir_builder *b, nir_def *p, nir_def *q)
{
    return nir_fsin(b, p);
}

static uint32_t c_sin(uint32_t p, uint32_t q)
{
    return fui(nir_math_sin(uif(p)));
}

/* Steps until z = z² + p + qi leaves a circle, at most 32, with a divergent loop. */
static nir_def *body_escape(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_variable *re = nir_local_variable_create(b->impl, glsl_float_type(), "re");
    nir_variable *im = nir_local_variable_create(b->impl, glsl_float_type(), "im");
    nir_variable *step = nir_local_variable_create(b->impl, glsl_uint_type(), "step");
    nir_store_var(b, re, nir_imm_float(b, 0), 1);
    nir_store_var(b, im, nir_imm_float(b, 0), 1);
    nir_store_var(b, step, nir_imm_int(b, 0), 1);
    nir_push_loop(b);
    {
        nir_def *u = nir_load_var(b, re), *v = nir_load_var(b, im), *n = nir_load_var(b, step);
        nir_def *uu = nir_fmul(b, u, u), *vv = nir_fmul(b, v, v);
        nir_break_if(b, nir_ior(b, nir_uge(b, n, nir_imm_int(b, 32)),
                                nir_flt(b, nir_imm_float(b, 4), nir_fadd(b, uu, vv))));
        nir_store_var(b, im, nir_fadd(b, nir_fmul(b, nir_fmul(b, u, v), nir_imm_float(b, 2)), q),
                      1);
        nir_store_var(b, re, nir_fadd(b, nir_fsub(b, uu, vv), p), 1);
        nir_store_var(b, step, nir_iadd_imm(b, n, 1), 1);
    }
    nir_pop_loop(b, NULL);
    return nir_load_var(b, step);
}

static uint32_t c_escape(uint32_t p, uint32_t q)
{
    float u = 0, v = 0;
    uint32_t n = 0;
    while (n < 32 && !(4.0f < u * u + v * v)) {
        const float uu = u * u, vv = v * v;
        v = u * v * 2.0f + uif(q);
        u = uu - vv + uif(p);
        n++;
    }
    return n;
}

/* Reads x[y & 1023]. */
static nir_def *body_gather(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *offset = nir_ishl_imm(b, nir_iand_imm(b, q, COUNT - 1), 2);
    return nir_load_global(b, 1, 32, nir_load_kernel_arg(b, .base = 1), offset, .align_mul = 4);
}

static uint32_t c_gather(uint32_t p, uint32_t q)
{
    return x[q & (COUNT - 1)];
}

#define KERNEL(name)                                                                               \
    static void all_##name(uint32_t *to)                                                           \
    {                                                                                              \
        for (unsigned i = 0; i < COUNT; i++)                                                       \
            to[i] = c_##name(x[i], y[i]);                                                          \
    }
KERNEL(polynomial)
KERNEL(hash)
KERNEL(exp2)
KERNEL(sin)
KERNEL(escape)
KERNEL(gather)

static const struct {
    const char *name;
    body_fn body;
    void (*c)(uint32_t *to);
    bool integers; /* whether the arguments are random integers */
} kernels[] = {
    {"polynomial", body_polynomial, all_polynomial, false},
    {"hash", body_hash, all_hash, true},
    {"exp2", body_exp2, all_exp2, false},
    {"sin", body_sin, all_sin, false},
    {"escape", body_escape, all_escape, false},
    {"gather", body_gather, all_gather, true},
};

/* --- runs --- */

static void print_line(const char *kernel, const char *runner)
{
    printf("%s %s %u\n", kernel, runner, COUNT);
    fflush(stdout);
}

static void mark(void)
{
    syscall(MARKER);
}

/* Runs the kernel twice, the second time between two markers. Leaves its results in `out`. */
static void count_kernel(const char *name, const char *runner, body_fn body, enum runner by)
{
    struct jit_engine *engine = engine_of(LANES, by);
    struct jit_kernel *kernel = jit_kernel_begin(engine, build(body), name);
    assert_non_null(kernel);
    const struct jit_function function = jit_kernel_function(kernel);
    const void *const arguments[] = {out, x, y};
    assert_non_null(function.run);
    jit_run(function, arguments);
    print_line(name, runner);
    mark();
    jit_run(function, arguments);
    mark();
    jit_kernel_destroy(kernel);
    jit_engine_destroy(engine);
}

static void count_c(const char *name, void (*c)(uint32_t *to), uint32_t *to)
{
    print_line(name, "C");
    mark();
    c(to);
    mark();
}

static void test_count(void **state)
{
    static const struct {
        const char *name;
        enum runner by;
    } runners[] = {
        {"baseline", BY_BASELINE_CODE}, {"LLVM", BY_LLVM}, {"interpreter", BY_INTERPRETER}};
    static uint32_t expected[COUNT];
    for (unsigned n = 0; n < ARRAY_SIZE(kernels); n++) {
        if (kernels[n].integers)
            fill_integers();
        else
            fill_floats(-2, 2);
        count_c(kernels[n].name, kernels[n].c, expected);
        for (unsigned r = 0; r < ARRAY_SIZE(runners); r++) {
            memset(out, 0x55, sizeof out);
            count_kernel(kernels[n].name, runners[r].name, kernels[n].body, runners[r].by);
            assert_memory_equal(out, expected, sizeof out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
