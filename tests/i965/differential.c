/* SPDX-License-Identifier: MIT */
/*
 * Differential test: runs shaders in the NIR evaluator, in both code generators of the JIT at all
 * widths, and in the EU simulator, and requires identical bits.
 *
 *     i965_differential --seed=S [--count=N]   random shaders of the NIR fuzzer
 *     i965_differential FILE.nir…              shaders that a program used (INDIUM_SHADERS)
 *     i965_differential --math                 error of each math function in units in the last
 *                                              place (ulp)
 *     i965_differential --modifiers            integer operations on negated and absolute values,
 *                                              without the JIT
 *
 * --target=NAME before these compiles for that device instead of skl.
 * Only floats computed from math functions may differ, by a number of ulps of the largest value of
 * their vector; any two NaNs are equal. --verbose prints the shader and its code, --trace the first
 * instruction whose value differs and the shader with a store after it. Exit code 1: something
 * differs or does not compile.
 */
#include "differential.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "driver/cpu/kernel/cpu_lower.h"
#include "i965_run.h"
#include "jit/jit.h"
#include "jit/jit_private.h"

enum { MATH_SHADER_ULPS = 4096, WRITTEN_SLOTS = 40 };

/* JIT configurations. The baseline JIT falls back to LLVM for instructions that it does not
 * support. */
static const struct way {
    const char *name;
    unsigned lanes;
    bool quick;
} ways[] = {
    {"JIT, 4 lanes", 4},
    {"JIT, 8 lanes", 8},
    {"JIT, 16 lanes", 16},
    {"JIT, quick, 8 lanes", 8, .quick = true},
    {"JIT, quick, 16 lanes", 16, .quick = true},
};

struct differential {
    struct jit_engine *jit[ARRAY_SIZE(ways)];
    const struct i965_device *dev;
    bool verbose, trace;
    unsigned shaders, bad, not_compiled, endless, with_math, quick;
};

/* ------------------------------------------------------------------------------------- runs --- */

/* Makes blocks and uniforms kernel arguments 0, 1 and 2. The group is executed in runs of the
 * engine's number of lanes; argument 3 is the index of the run's first invocation. */
static bool to_kernel(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    nir_def *value;

    (void)unused;
    b->cursor = nir_before_instr(&intr->instr);
    switch (intr->intrinsic) {
    case nir_intrinsic_load_local_invocation_index:
        value = nir_iadd(b, nir_load_subgroup_invocation(b),
                         nir_u2u32(b, nir_load_kernel_arg(b, .base = 3)));
        break;
    case nir_intrinsic_load_ssbo:
        value = nir_load_global(b, intr->def.num_components, intr->def.bit_size,
                                nir_load_kernel_arg(b, .base = (int)nir_src_as_uint(intr->src[0])),
                                intr->src[1].ssa, .align_mul = 4);
        break;
    case nir_intrinsic_load_uniform:
        value = nir_load_global(
            b, intr->def.num_components, intr->def.bit_size, nir_load_kernel_arg(b, .base = 2),
            nir_iadd_imm(b, intr->src[0].ssa, (uint64_t)nir_intrinsic_base(intr)), .align_mul = 4);
        break;
    case nir_intrinsic_store_ssbo:
        nir_store_global(
            b, intr->src[0].ssa, nir_load_kernel_arg(b, .base = (int)nir_src_as_uint(intr->src[1])),
            intr->src[2].ssa, .write_mask = nir_intrinsic_write_mask(intr), .align_mul = 4);
        nir_instr_remove(&intr->instr);
        return true;
    default:
        return false;
    }
    nir_def_replace(&intr->def, value);
    return true;
}

static nir_shader *lower(const struct jit_engine *jit, const nir_shader *nir)
{
    nir_shader *copy = nir_shader_clone(NULL, nir);

    NIR_PASS_V(copy, nir_lower_alu);
    cpu_lower_shader(copy, jit_engine_lanes(jit));
    NIR_PASS_V(copy, nir_shader_intrinsics_pass, to_kernel, nir_metadata_control_flow, NULL);
    return copy;
}

/* Takes ownership of the kernel. */
static bool run_kernel(const struct jit_engine *jit, struct jit_kernel *kernel, struct run_data *d)
{
    struct jit_function function = jit_kernel_function(kernel);

    for (uintptr_t first = 0; function.run && first < RUN_CHANNELS;
         first += jit_engine_lanes(jit)) {
        const void *args[] = {d->in, d->out, d->uniforms, (const void *)first};
        jit_run(function, args);
    }
    jit_kernel_destroy(kernel);
    return function.run;
}

bool differential_run_jit(struct jit_engine *jit, const nir_shader *nir, struct run_data *d)
{
    nir_shader *copy = lower(jit, nir);
    struct jit_kernel *kernel = jit_kernel_create(jit, copy, "differential");

    nir_shader_destroy(copy);
    return run_kernel(jit, kernel, d);
}

/* Runs baseline code, as applications do at first. */
static bool run_quick(struct differential *diff, struct jit_engine *jit, const nir_shader *nir,
                      struct run_data *d)
{
    struct jit_kernel *kernel = jit_kernel_begin(jit, lower(jit, nir), "differential");

    diff->quick += kernel && jit_kernel_function(kernel).run && jit_kernel_is_baseline(kernel);
    return run_kernel(jit, kernel, d);
}

/* ------------------------------------------------------------------------------- comparison --- */

static float as_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

/* Returns whether two values differ by at most `ulps` units in the last place of the largest number
 * of the vector. */
static bool is_near(const uint32_t *got, const uint32_t *want, unsigned c, unsigned ulps)
{
    float x = as_float(got[c]), y = as_float(want[c]), largest = fabsf(y);

    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    for (unsigned i = 0; i < 4; i++) {
        if (isfinite(as_float(want[i])))
            largest = fmaxf(largest, fabsf(as_float(want[i])));
    }
    if (!isfinite(largest))
        return x == y;
    return fabsf(x - y) <= (float)ulps * fmaxf(largest, 0x1p-100f) * 0x1p-23f;
}

/* Returns the number of differences between the results of all invocations. */
static unsigned compare(const struct differential *diff, const struct form *form,
                        const struct run_data *want, const struct run_data *got, const char *who)
{
    unsigned differences = 0;

    for (unsigned i = 0; i < RUN_CHANNELS * WRITTEN_SLOTS * 4; i++) {
        unsigned channel = i / (WRITTEN_SLOTS * 4), slot = i / 4 % WRITTEN_SLOTS, c = i % 4;
        const uint32_t *a = got->out[channel][slot], *b = want->out[channel][slot];
        bool integer = form->integer_slots >> slot & 1;
        if (form->ignored_slots >> slot & 1)
            continue;
        if (a[c] == b[c] || (!integer && is_near(a, b, c, form->ulps)))
            continue;
        if (diff->verbose || !differences)
            printf("%s: %s: channel %u slot %u.%u: %08x, the evaluator says %08x\n", form->name,
                   who, channel, slot, c, a[c], b[c]);
        differences++;
    }
    return differences;
}

static void clear(struct run_data *d)
{
    memset(d->out, 0, sizeof d->out);
}

static unsigned simulate(const struct differential *diff, const struct form *form,
                         const nir_shader *nir, const struct run_data *want, struct run_data *d,
                         bool *compiled)
{
    void *mem_ctx = talloc_new(NULL);
    nir_shader *copy = nir_shader_clone(mem_ctx, nir);
    const struct i965_key key = {0};
    const char *error = NULL;
    struct i965_program *program =
        i965_compile(mem_ctx, diff->dev, copy, &key, I965_COMPILE_VALIDATE, &error);
    unsigned differences = 0;

    *compiled = program;
    if (!program)
        printf("%s: %s\n", form->name, error);
    for (unsigned i = 0; program && i < 3; i++) {
        const struct i965_kernel *k = &program->kernels[i];
        if (!k->width)
            continue;
        if (diff->verbose)
            eu_disassemble(diff->dev, k->code, k->code_size, NULL, 0, stdout);
        clear(d);
        if (!run_simulator(program, k, d))
            differences++;
        else
            differences += compare(diff, form, want, d,
                                   k->width == 8    ? "SIMD8"
                                   : k->width == 16 ? "SIMD16"
                                                    : "SIMD32");
    }
    talloc_free(mem_ctx);
    return differences;
}

/* Returns the number of differences of the JIT and the simulator from the evaluator. */
static unsigned check_all(struct differential *diff, const struct form *form, nir_shader *nir,
                          const struct run_data *want, struct run_data *got)
{
    bool compiled = true;
    unsigned differences = 0;

    for (unsigned i = 0; i < ARRAY_SIZE(ways); i++) {
        clear(got);
        if (!(ways[i].quick ? run_quick(diff, diff->jit[i], nir, got)
                            : differential_run_jit(diff->jit[i], nir, got))) {
            printf("%s: %s: it is not taken\n", form->name, ways[i].name);
            differences++;
        } else {
            differences += compare(diff, form, want, got, ways[i].name);
        }
    }
    differences += simulate(diff, form, nir, want, got, &compiled);
    diff->not_compiled += !compiled;
    return differences;
}

/* Prints the first instruction whose value differs at its last execution. */
static void trace(struct differential *diff, const struct form *form, const nir_shader *nir,
                  const struct run_data *input)
{
    struct form traced = *form;
    struct run_data *want = talloc(NULL, struct run_data), *got = talloc(want, struct run_data);
    char text[256];
    unsigned differences = 0;

    traced.ignored_slots = ~(UINT64_C(1) << TRACE_SLOT);
    for (unsigned i = 0; !differences; i++) {
        nir_shader *copy = nir_shader_clone(want, nir);
        if (!differential_trace(copy, i, text, sizeof text))
            break;
        *want = *got = *input;
        traced.name = text;
        if (run_evaluator(copy, want))
            differences = check_all(diff, &traced, copy, want, got);
        if (differences)
            nir_print_shader(copy, stdout);
        nir_shader_destroy(copy);
    }
    talloc_free(want);
}

/* Checks a shader in the form of run_set_group() with all implementations. */
static void check(struct differential *diff, const struct form *form, nir_shader *nir,
                  const struct run_data *input)
{
    struct run_data *want = talloc_memdup(NULL, input, sizeof *input);
    struct run_data *got = talloc_memdup(want, input, sizeof *input);

    diff->shaders++;
    diff->with_math += form->ulps > 0;
    if (diff->verbose)
        nir_print_shader(nir, stdout);
    if (diff->trace)
        trace(diff, form, nir, input);
    else if (run_evaluator(nir, want))
        diff->bad += check_all(diff, form, nir, want, got) > 0;
    else
        diff->endless++;
    talloc_free(want);
}

/* -------------------------------------------------------------------------------- shaders --- */

static uint32_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

/* The fuzzer's shaders expect floats of all kinds as inputs and integers as uniforms. */
static void fuzz_data(struct run_data *d, uint64_t seed)
{
    static const float floats[] = {0.0f,     1.0f,   -1.0f,  0.5f, -0.0f, 3.25f, 1e9f,     -7.0f,
                                   INFINITY, 1e-39f, 100.0f, NAN,  2.0f,  -2.5f, 65504.0f, 0.1f};
    static const uint32_t words[] = {0,          1,  ~0u, 2,      7, 0x80000000,
                                     0x7fffffff, 33, 100, 0xff00, 5, 0xfffffff0};
    uint64_t state = seed ^ 0x5eed;

    for (unsigned i = 0; i < RUN_CHANNELS * RUN_SLOTS * 4; i++)
        (&d->in[0][0][0])[i] = fui(floats[next(&state) % ARRAY_SIZE(floats)]);
    for (unsigned i = 0; i < RUN_UNIFORMS; i++)
        d->uniforms[i] = words[next(&state) % ARRAY_SIZE(words)];
}

/* Application shaders get values in the range of colors and coordinates. */
static void plain_data(struct run_data *d, uint64_t seed)
{
    uint64_t state = seed ^ 0x5eed;

    for (unsigned i = 0; i < RUN_CHANNELS * RUN_SLOTS * 4; i++)
        (&d->in[0][0][0])[i] = fui((float)(next(&state) % 1024) / 256.0f - 1.0f);
    for (unsigned i = 0; i < RUN_UNIFORMS; i++)
        d->uniforms[i] = fui((float)(next(&state) % 1024) / 256.0f - 1.0f);
}

/* Integer uniforms may be loop counts, so they are small. */
static void small_integers(struct run_data *d, nir_shader *nir)
{
    nir_foreach_uniform_variable(var, nir)
    {
        unsigned first = var->data.driver_location / 4, count = glsl_packed_size(var->type) / 4;
        if (!glsl_type_is_integer(glsl_without_array(var->type)))
            continue;
        for (unsigned i = first; i < first + count && i < RUN_UNIFORMS; i++)
            d->uniforms[i] = i % 7;
    }
}

static void check_seed(struct differential *diff, uint64_t seed)
{
    static const unsigned sizes[] = {20, 60, 60, 150, 400};
    struct run_data *d = talloc_zero(NULL, struct run_data);
    char name[40];
    struct form form = {.name = name};
    nir_shader *nir = differential_random(diff->dev, seed, sizes[seed % ARRAY_SIZE(sizes)]);

    snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
    fuzz_data(d, seed);
    differential_form(nir, &form);
    form.integer_slots = BITFIELD64_MASK(FUZZ_VECTORS) << FUZZ_VECTORS | UINT64_C(1)
                                                                             << DISCARD_SLOT;
    check(diff, &form, nir, d);
    nir_shader_destroy(nir);
    talloc_free(d);
}

static void check_file(struct differential *diff, const char *path)
{
    struct run_data *d = talloc_zero(NULL, struct run_data);
    struct form form = {.name = path};
    nir_shader *nir = differential_read(d, path, &i965_nir_options);

    if (!nir) {
        printf("%s: cannot be read\n", path);
        diff->bad++;
    } else {
        plain_data(d, 1);
        small_integers(d, nir);
        differential_form(nir, &form);
        form.integer_slots = UINT64_C(1) << DISCARD_SLOT;
        if (form.uses_math)
            form.ulps = MATH_SHADER_ULPS;
        check(diff, &form, nir, d);
    }
    talloc_free(d);
}

int main(int argc, char **argv)
{
    struct differential diff = {
        .dev = i965_device_by_name("skl"),
    };
    uint64_t seed = 0, count = 1;
    bool ok = diff.dev;

    setenv("INDIUM_CACHE_DIR", "", 1); /* The baseline JIT is only used without cached code. */
    for (unsigned i = 0; i < ARRAY_SIZE(ways); i++) {
        diff.jit[i] = jit_engine_create(ways[i].lanes);
        ok = ok && diff.jit[i];
    }

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < argc && ok; i++) {
        if (!strncmp(argv[i], "--seed=", 7))
            seed = strtoull(argv[i] + 7, NULL, 0);
        else if (!strncmp(argv[i], "--count=", 8))
            count = strtoull(argv[i] + 8, NULL, 0);
        else if (!strncmp(argv[i], "--target=", 9))
            ok = (diff.dev = i965_device_by_name(argv[i] + 9)) != NULL;
        else if (!strcmp(argv[i], "--verbose"))
            diff.verbose = true;
        else if (!strcmp(argv[i], "--trace"))
            diff.trace = true;
        else if (!strcmp(argv[i], "--math"))
            ok = differential_math(diff.jit[2], diff.dev);
        else if (!strcmp(argv[i], "--modifiers"))
            ok = differential_modifiers(diff.dev);
        else
            check_file(&diff, argv[i]);
    }
    for (uint64_t i = 0; seed && i < count; i++)
        check_seed(&diff, seed + i);
    if (diff.shaders)
        printf(
            "%u shaders (%u with math functions, %u by the baseline code generator): %u differ, %u "
            "do not "
            "compile, %u not evaluated\n",
            diff.shaders, diff.with_math, diff.quick, diff.bad, diff.not_compiled, diff.endless);
    for (unsigned i = 0; i < ARRAY_SIZE(ways); i++)
        jit_engine_destroy(diff.jit[i]);
    return !ok || diff.bad || diff.not_compiled;
}
