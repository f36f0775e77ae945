/* SPDX-License-Identifier: MIT */
/*
 * Helpers of the JIT's tests: kernels of one element per lane, run at every width with every code
 * generator and the interpreter. Include in one source file per program.
 */
#ifndef JIT_TEST_H
#define JIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "jit/jit_private.h"
#include "nir/nir.h"
#include "nir/nir_builder.h"
#include "util/macros.h"

#ifndef COUNT
#define COUNT 1024 /* elements of kernels' arrays; a multiple of all widths */
#endif

static const unsigned widths[] = {4, 8, 16};

/* Builds the body of a kernel: returns the result for inputs x and y of each lane. */
typedef nir_def *(*body_fn)(nir_builder *b, nir_def *x, nir_def *y);

static unsigned baseline_kernels; /* number of kernels run as baseline code */
static unsigned elements = COUNT; /* number of elements that kernels compute, at most COUNT */

/* Returns a kernel that computes out[i] = body(x[i], y[i]) for all i < elements in a loop. */
static inline nir_shader *build(body_fn body)
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
        nir_break_if(&b, nir_uge(&b, i, nir_imm_int(&b, (int)elements)));
        nir_def *offset = nir_ishl(&b, i, nir_imm_int(&b, 2));
        nir_def *x = nir_load_global_block(&b, 1, 32, arg[1], offset);
        nir_def *y = nir_load_global_block(&b, 1, 32, arg[2], offset);
        nir_store_global_block(&b, body(&b, x, y), arg[0], offset, nir_imm_true(&b));
        nir_store_var(&b, index, nir_iadd(&b, i, nir_load_subgroup_size(&b)), 1);
    }
    nir_pop_loop(&b, NULL);
    NIR_PASS_V(b.shader, nir_lower_vars_to_ssa);
    return b.shader;
}

/* Runs a kernel with the engine and destroys the engine. Returns false if the kernel can't be
 * compiled. */
static inline bool try_with(struct jit_engine *engine, body_fn body, uint32_t *out,
                            const uint32_t *x, const uint32_t *y)
{
    struct jit_kernel *kernel = jit_kernel_begin(engine, build(body), "test");
    assert_non_null(kernel);
    const void *args[] = {out, x, y};
    struct jit_function function = jit_kernel_function(kernel);
    baseline_kernels += jit_kernel_is_baseline(kernel);
    if (function.run)
        jit_run(function, args);
    jit_kernel_destroy(kernel);
    jit_engine_destroy(engine);
    return function.run;
}

/* Runs a kernel, which must compile, with the engine and destroys the engine. */
static inline void run_with(struct jit_engine *engine, body_fn body, uint32_t *out,
                            const uint32_t *x, const uint32_t *y)
{
    assert_true(try_with(engine, body, out, x, y));
}

/* Ways to run a kernel. */
enum runner { BY_LLVM, BY_BASELINE_CODE /* see has_runner() */, BY_INTERPRETER, NUM_RUNNERS };

/* Returns whether the runner exists at this width. Without baseline code, LLVM would take its
 * place. */
static inline bool has_runner(unsigned lanes, enum runner runner)
{
    static struct {
        bool known, has_baseline;
    } cache[17]; /* index: lanes */
    if (runner != BY_BASELINE_CODE)
        return true;
    if (!cache[lanes].known) {
        struct jit_engine *engine = jit_engine_create(lanes);
        assert_non_null(engine);
        cache[lanes].has_baseline = engine->has_baseline;
        cache[lanes].known = true;
        jit_engine_destroy(engine);
    }
    return cache[lanes].has_baseline;
}

/* Returns an engine that runs kernels in one way only. */
static inline struct jit_engine *engine_of(unsigned lanes, enum runner runner)
{
    struct jit_engine *engine = jit_engine_create(lanes);
    assert_non_null(engine);
    engine->baseline &= runner == BY_BASELINE_CODE;
    engine->interprets = runner == BY_INTERPRETER;
    return engine;
}

/* Like run_with, with a new engine of this width. */
static inline void run(unsigned lanes, enum runner runner, body_fn body, uint32_t *out,
                       const uint32_t *x, const uint32_t *y)
{
    run_with(engine_of(lanes, runner), body, out, x, y);
}

/* Runs a kernel at all widths with both code generators and the interpreter, and checks that their
 * results agree. Stores the results in out. */
static inline void run_all(body_fn body, uint32_t out[COUNT], const uint32_t x[COUNT],
                           const uint32_t y[COUNT])
{
    static uint32_t other[COUNT];
    run(widths[0], BY_LLVM, body, out, x, y);
    for (unsigned w = 1; w < NUM_RUNNERS * ARRAY_SIZE(widths); w++) {
        if (!has_runner(widths[w / NUM_RUNNERS], w % NUM_RUNNERS))
            continue;
        memset(other, 0x55, sizeof other);
        run(widths[w / NUM_RUNNERS], w % NUM_RUNNERS, body, other, x, y);
        assert_memory_equal(out, other, sizeof other);
    }
}

/* Returns a pseudorandom number. */
static inline uint32_t random_word(void)
{
    static uint64_t state = 88172645463325252ull; /* xorshift64 */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 16;
}

static uint32_t x[COUNT], y[COUNT], out[COUNT]; /* arguments of kernels, for the tests */

/* Fills x and y with random integers, many of them small, and operands of special divisions. */
static inline void fill_integers(void)
{
    for (unsigned i = 0; i < COUNT; i++) {
        x[i] = i & 1 ? random_word() : random_word() & 0xff;
        y[i] = i & 2 ? random_word() : random_word() & 0x7;
    }
    x[0] = 0x80000000;
    y[0] = 0xffffffff;
    y[1] = 0;
}

/* Fills x with random floats from least to most, and y from -8 to 8. */
static inline void fill_floats(float least, float most)
{
    for (unsigned i = 0; i < COUNT; i++) {
        float t = (random_word() & 0xffffff) / 16777216.0f;
        x[i] = fui(least + (most - least) * t);
        y[i] = fui((random_word() & 0xffffff) / 1048576.0f - 8);
    }
}

#endif
