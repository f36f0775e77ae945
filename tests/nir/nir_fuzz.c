/* SPDX-License-Identifier: MIT */
/*
 * The fuzzer: random shaders, random sequences of passes, validation and evaluation after each.
 *
 *     nir-fuzz --seconds=60          seeds from the current time; seeds run in child processes
 *     nir-fuzz --seed=S [--count=N]  N seeds from S on
 *     nir-fuzz --seed=S --verbose    prints the shader before and after the faulty pass
 *
 * Prints the seed and the pass of each finding. Exits with 1 if there was one.
 */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <talloc.h>
#include <time.h>
#include <unistd.h>

#include "nir_fuzz.h"

#define NUM_RUNS  4
#define MAX_STEPS 100000

struct results {
    enum nir_eval_result status[NUM_RUNS];
    bool discarded[NUM_RUNS];
    uint32_t outputs[NUM_RUNS][2 * FUZZ_VECTORS][4];
};

/* All NaNs are considered equal. */
static uint32_t canonical(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
}

static void fill_inputs(struct nir_eval *eval, unsigned run)
{
    static const float floats[] = {0.0f,     1.0f,   -1.0f,  0.5f, -0.0f, 3.25f, 1e9f,     -7.0f,
                                   INFINITY, 1e-39f, 100.0f, NAN,  2.0f,  -2.5f, 65504.0f, 0.1f};
    static const uint32_t words[] = {0,          1,  ~0u, 2,      7, 0x80000000,
                                     0x7fffffff, 33, 100, 0xff00, 5, 0xfffffff0};
    for (unsigned i = 0; i < FUZZ_VECTORS * 4; i++)
        eval->inputs[i / 4][i % 4] = fui(floats[(i * (run * 2 + 1) + run * 5) % 16]);
    for (unsigned i = 0; i < FUZZ_WORDS; i++)
        eval->uniforms[i] = words[(i * (run + 1) + run * 3) % ARRAY_SIZE(words)];
}

static void evaluate(nir_shader *shader, struct results *r)
{
    memset(r, 0, sizeof *r);
    for (unsigned i = 0; i < NUM_RUNS; i++) {
        struct nir_eval *eval = talloc_zero(NULL, struct nir_eval);
        eval->max_steps = MAX_STEPS;
        fill_inputs(eval, i);
        r->status[i] = nir_eval_shader(eval, shader);
        r->discarded[i] = eval->discarded;
        for (unsigned s = 0; s < 2 * FUZZ_VECTORS; s++) {
            for (unsigned c = 0; c < 4; c++) {
                uint32_t bits = eval->outputs[s][c];
                r->outputs[i][s][c] = s < FUZZ_VECTORS ? canonical(bits) : bits;
            }
        }
        talloc_free(eval);
    }
}

/* Returns true if the results match. The results of runs that exceed the step limit are ignored. */
static bool same(const struct results *want, const struct results *have)
{
    for (unsigned i = 0; i < NUM_RUNS; i++) {
        if (want->status[i] == NIR_EVAL_ENDLESS || have->status[i] == NIR_EVAL_ENDLESS)
            continue;
        if (want->status[i] != have->status[i] || want->discarded[i] != have->discarded[i] ||
            memcmp(want->outputs[i], have->outputs[i], sizeof want->outputs[i]) != 0)
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------ runs --- */

struct run {
    uint64_t seed;
    struct fuzz_rng rng;
    nir_shader *shader;
    struct results want;
    const char *driver; /* driver whose passes are running */
    char *before;       /* with --verbose: the driver's shader before the pass, as text */
    bool verbose, failed;
};

static void complain(struct run *run, nir_shader *shader, const char *step, const char *before)
{
    run->failed = true;
    printf("seed %" PRIu64 ": %s changed the results\n", run->seed, step);
    if (before) {
        printf("before %s:\n%s\nafter:\n", step, before);
        nir_print_shader(shader, stdout);
    }
}

static void run_step(struct run *run, const struct fuzz_step *step)
{
    if (run->failed)
        return;
    char *before = run->verbose ? nir_shader_as_str(NULL, run->shader) : NULL;
    char when[96];
    snprintf(when, sizeof when, "after %s, seed %" PRIu64, step->name, run->seed);
    if (run->verbose)
        fprintf(stderr, "%s\n", step->name);
    step->run(run->shader);
    nir_validate_shader(run->shader, when);
    struct results have;
    evaluate(run->shader, &have);
    if (!same(&run->want, &have))
        complain(run, run->shader, step->name, before);
    talloc_free(before);
}

static void pass_begins(void *data, nir_shader *shader, const char *pass)
{
    struct run *run = data;
    if (!run->verbose || run->failed)
        return;
    talloc_free(run->before);
    run->before = nir_shader_as_str(NULL, shader);
}

/* Called after each pass of a driver; the shader is the driver's copy. */
static void pass_ends(void *data, nir_shader *shader, const char *pass, bool progress)
{
    struct run *run = data;
    char when[128];
    struct results have;
    if (run->failed)
        return;
    if (run->verbose)
        fprintf(stderr, "%s: %s\n", run->driver, pass);
    snprintf(when, sizeof when, "after %s for %s, seed %" PRIu64, pass, run->driver, run->seed);
    nir_validate_shader(shader, when);
    evaluate(shader, &have);
    if (!same(&run->want, &have) && fuzz_is_approximate(pass)) {
        run->want = have;
    } else if (!same(&run->want, &have)) {
        printf("for %s, ", run->driver);
        complain(run, shader, pass, run->before);
    }
}

static void run_driver(struct run *run, const nir_shader_compiler_options *options)
{
    const struct fuzz_driver *driver = &fuzz_drivers[fuzz_random(&run->rng, FUZZ_DRIVERS)];
    const struct nir_pass_observer observer = {pass_begins, pass_ends, run};
    nir_shader_compiler_options observed = *options;
    struct results want = run->want;
    nir_shader *copy = nir_shader_clone(NULL, run->shader);
    observed.observer = &observer;
    copy->options = &observed;
    run->driver = driver->name;
    driver->lower(copy);
    nir_shader_destroy(copy);
    talloc_free(run->before);
    run->before = NULL;
    run->want = want;
}

static void run_some(struct run *run, const struct fuzz_steps *steps, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        run_step(run, &steps->steps[fuzz_random(&run->rng, steps->count)]);
}

/* Returns true if damaged and truncated bytes fail to deserialize. */
static bool refuses_damage(struct run *run, struct blob_bytes bytes)
{
    uint8_t *damaged = &bytes.data[run->seed * 7919 % bytes.size];
    uint8_t bit = 1 << run->seed % 8;
    void *mem_ctx = talloc_new(NULL);
    *damaged ^= bit;
    bool ok = !nir_deserialize(mem_ctx, run->shader->options, bytes.data, bytes.size);
    *damaged ^= bit;
    ok &= !nir_deserialize(mem_ctx, run->shader->options, bytes.data, bytes.size / 2);
    talloc_free(mem_ctx);
    return ok;
}

/* Checks that the clone and the deserialized shader equal the original. */
static void check_copies(struct run *run)
{
    void *mem_ctx = talloc_new(NULL);
    nir_shader *copy = nir_shader_clone(mem_ctx, run->shader);
    nir_validate_shader(copy, "after nir_shader_clone");
    struct results have;
    evaluate(copy, &have);
    struct blob_bytes bytes = nir_serialize(mem_ctx, copy);
    nir_shader *read = nir_deserialize(mem_ctx, copy->options, bytes.data, bytes.size);
    if (!same(&run->want, &have)) {
        complain(run, run->shader, "nir_shader_clone", NULL);
    } else if (!read) {
        complain(run, run->shader, "nir_deserialize", NULL);
    } else {
        nir_validate_shader(read, "after nir_deserialize");
        evaluate(read, &have);
        struct blob_bytes again = nir_serialize(mem_ctx, read);
        if (!same(&run->want, &have) || bytes.size != again.size ||
            memcmp(bytes.data, again.data, bytes.size) != 0)
            complain(run, run->shader, "nir_serialize", NULL);
        if (!refuses_damage(run, bytes))
            complain(run, run->shader, "nir_deserialize of damaged bytes", NULL);
    }
    talloc_free(mem_ctx);
}

static void run_functions_away(struct run *run)
{
    for (unsigned i = 0; i < fuzz_inline_functions.count; i++)
        run_step(run, &fuzz_inline_functions.steps[i]);
}

static bool run_seed(uint64_t seed, bool verbose)
{
    struct run run = {.seed = seed, .rng = {seed * 7919 + 1}, .verbose = verbose};
    nir_shader_compiler_options options = {
        .max_unroll_iterations = 4 + fuzz_random(&run.rng, 32),
        .lower_flrp = fuzz_random(&run.rng, 2),
        .lower_fsat = fuzz_random(&run.rng, 2),
        .lower_fmod = fuzz_random(&run.rng, 2),
        .lower_ldexp = fuzz_random(&run.rng, 2),
        .lower_frexp = fuzz_random(&run.rng, 2),
        .lower_bitfield_insert = fuzz_random(&run.rng, 2),
        .lower_bitfield_extract = fuzz_random(&run.rng, 2),
        .lower_idiv = fuzz_random(&run.rng, 2),
    };
    static const unsigned sizes[] = {20, 60, 60, 150, 400};
    run.shader =
        fuzz_generate(seed, sizes[fuzz_random(&run.rng, ARRAY_SIZE(sizes))], &options, NULL);
    nir_validate_shader(run.shader, "after generation");
    evaluate(run.shader, &run.want);
    for (unsigned i = 0; i < NUM_RUNS; i++) {
        if (run.want.status[i] == NIR_EVAL_UNSUPPORTED)
            complain(&run, run.shader, "the generator", NULL);
    }
    run_some(&run, &fuzz_early, fuzz_random(&run.rng, 12));
    check_copies(&run);
    run_driver(&run, &options);
    run_functions_away(&run);
    run_some(&run, &fuzz_middle, 5 + fuzz_random(&run.rng, 40));
    check_copies(&run);
    for (unsigned i = 0; i < fuzz_lowering.count; i++) {
        run_step(&run, &fuzz_lowering.steps[i]);
        run_some(&run, &fuzz_after, fuzz_random(&run.rng, 3));
    }
    for (unsigned i = 0; i < fuzz_last.count; i++)
        run_step(&run, &fuzz_last.steps[i]);
    nir_shader_destroy(run.shader);
    return !run.failed;
}

/* ------------------------------------------------------------------------------ main loop --- */

#define SEEDS_PER_CHILD 32
#define CHILD_SECONDS   120

struct progress {
    uint64_t seeds, findings;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Runs the seeds [first, first + count) in a child process. After a crash, runs them one by one. */
static void run_range(struct progress *p, uint64_t first, unsigned count)
{
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        bool ok = true;
        alarm(CHILD_SECONDS);
        for (unsigned i = 0; i < count; i++)
            ok = run_seed(first + i, false) && ok;
        fflush(NULL);
        _exit(ok ? 0 : 1);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        perror("fork");
        exit(2);
    }
    if (WIFSIGNALED(status) && count > 1) {
        for (unsigned i = 0; i < count; i++)
            run_range(p, first + i, 1);
        return;
    }
    p->seeds += count;
    if (WIFSIGNALED(status))
        printf("seed %" PRIu64 ": %s\n", first, strsignal(WTERMSIG(status)));
    p->findings += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

int main(int argc, char **argv)
{
    double seconds = 0;
    uint64_t seed = 0, count = 0;
    bool verbose = false;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "--seconds=", 10))
            seconds = strtod(argv[i] + 10, NULL);
        else if (!strncmp(argv[i], "--seed=", 7))
            seed = strtoull(argv[i] + 7, NULL, 0);
        else if (!strncmp(argv[i], "--count=", 8))
            count = strtoull(argv[i] + 8, NULL, 0);
        else if (!strcmp(argv[i], "--verbose"))
            verbose = true;
        else
            return fprintf(stderr, "usage: nir-fuzz [--seconds=N] [--seed=S] [--count=N] "
                                   "[--verbose]\n"),
                   2;
    }
    if (verbose)
        return run_seed(seed, true) ? 0 : 1;
    if (!seed)
        seed = (uint64_t)time(NULL) * 1000;
    if (!count && seconds == 0)
        count = 1;
    struct progress p = {0};
    double start = now();
    while (count ? p.seeds < count : now() - start < seconds)
        run_range(&p, seed + p.seeds,
                  count ? (unsigned)MIN2(SEEDS_PER_CHILD, count - p.seeds) : SEEDS_PER_CHILD);
    printf("%" PRIu64 " seeds from %" PRIu64 " in %.0f s, %" PRIu64 " findings\n", p.seeds, seed,
           now() - start, p.findings);
    return p.findings ? 1 : 0;
}
