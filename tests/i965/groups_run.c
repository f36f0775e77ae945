/* SPDX-License-Identifier: MIT */
/* Runs compute groups in the NIR evaluator, in CPU driver kernels, and in the simulator. */
#include "groups_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "nir_fuzz.h"

const char *const groups_kernel_names[GROUPS_WIDTHS] = {"a kernel of 4", "a kernel of 8",
                                                        "a kernel of 16"};
const unsigned groups_subgroup_sizes[GROUPS_WIDTHS] = {4, 8, 16};
static_assert(I965_SUBGROUP_SIZE == 16, "groups_subgroup_sizes");

bool groups_run_evaluator(nir_shader *nir, const struct cpu_cs_args *args, unsigned subgroup_size,
                          groups_intrinsic intrinsic, void *data)
{
    uint8_t shared[GROUPS_MAX_SHARED] = {0};
    struct nir_eval_group group = {
        .shared = shared, .shared_size = nir->info.cs.shared_size, .subgroup_size = subgroup_size};
    struct nir_eval *eval = talloc_zero(NULL, struct nir_eval);
    memcpy(group.id, args->group, sizeof group.id);
    memcpy(group.size, args->group_size, sizeof group.size);
    memcpy(group.num_groups, args->num_groups, sizeof group.num_groups);
    eval->group = &group;
    eval->intrinsic = intrinsic;
    eval->data = data;
    bool ok = nir_eval_invocations(eval, nir) == NIR_EVAL_DONE;
    talloc_free(eval);
    return ok;
}

bool groups_run_kernel(struct jit_engine *engine, const nir_shader *nir,
                       const struct cpu_cs_key *key, struct cpu_cs_args args)
{
    static uint8_t shared[GROUPS_MAX_SHARED] __attribute__((aligned(64)));
    struct cpu_shader shader = {.stage = SHADER_COMPUTE, .nir = nir_shader_clone(NULL, nir)};
    struct cpu_cs_variant variant = {0};
    cpu_lower_shader(shader.nir, jit_engine_lanes(engine));
    variant.kernel = cpu_build_cs(engine, &shader, key, &variant);
    if (variant.kernel) {
        size_t frames = (size_t)variant.frame_bytes * GROUPS_MAX_INVOCATIONS;
        memset(shared, 0, sizeof shared);
        args.shared = shared;
        args.frames = aligned_alloc(64, frames + 64);
        memset(args.frames, 0xcc, frames + 64);
        const void *const arguments[] = {&args, watchdog_progress()};
        jit_run(jit_kernel_function(variant.kernel), arguments);
        free(args.frames);
    }
    jit_kernel_destroy(variant.kernel);
    nir_shader_destroy(shader.nir);
    return variant.kernel;
}

/* Returns the device that a seed runs on. Consecutive seeds use different devices. */
static const struct i965_device *device_of(uint64_t seed)
{
    unsigned count = 0;
    while (i965_device_by_index(count))
        count++;
    return i965_device_by_index((unsigned)(seed % count));
}

bool groups_run_threads(const nir_shader *nir, const struct cpu_cs_args *args, uint64_t seed)
{
    const struct i965_device *dev = device_of(seed);
    const struct i965_key key = {0};
    struct i965_runnable run;
    if (!i965_runnable_init(&run, dev, nir, &key, 32))
        return false;
    bool ok = i965_groups_run(&run, args, NULL);
    i965_runnable_finish(&run);
    return ok;
}

struct pass_run {
    nir_shader *nir;
    uint64_t seed;
    groups_evaluate evaluate;
    void *data, *want, *have;
    size_t size;
    unsigned subgroup_size;
};

static bool run_step(struct pass_run *r, const struct fuzz_step *step)
{
    char when[96];
    snprintf(when, sizeof when, "after %s, seed %llu", step->name, (unsigned long long)r->seed);
    step->run(r->nir);
    nir_validate_shader(r->nir, when);
    if (r->evaluate(r->nir, r->subgroup_size, r->have, r->data) &&
        !memcmp(r->want, r->have, r->size))
        return true;
    printf("%s: other results, subgroups of %u\n", when, r->subgroup_size);
    return false;
}

static bool run_some(struct pass_run *r, const struct fuzz_steps *steps, struct fuzz_rng *rng,
                     unsigned count)
{
    bool ok = true;
    while (ok && count--)
        ok = run_step(r, &steps->steps[fuzz_random(rng, steps->count)]);
    return ok;
}

bool groups_run_passes(const nir_shader *nir, uint64_t seed, groups_evaluate evaluate, size_t size,
                       void *data)
{
    struct fuzz_rng rng = {seed * 7919 + 3};
    struct pass_run r = {.nir = nir_shader_clone(NULL, nir),
                         .seed = seed,
                         .evaluate = evaluate,
                         .data = data,
                         .want = calloc(1, size),
                         .have = calloc(1, size),
                         .size = size,
                         .subgroup_size = 1u << fuzz_random(&rng, 6)};
    bool ok = evaluate(r.nir, r.subgroup_size, r.want, data) &&
              run_some(&r, &fuzz_middle, &rng, 5 + fuzz_random(&rng, 20));
    for (unsigned i = 0; ok && i < fuzz_lowering.count; i++)
        ok = run_step(&r, &fuzz_lowering.steps[i]) &&
             run_some(&r, &fuzz_after, &rng, fuzz_random(&rng, 3));
    for (unsigned i = 0; ok && i < fuzz_last.count; i++)
        ok = run_step(&r, &fuzz_last.steps[i]);
    nir_shader_destroy(r.nir);
    free(r.want);
    free(r.have);
    return ok;
}

int groups_main(int argc, char **argv, uint64_t count, groups_run_seed run_seed)
{
    struct jit_engine *engines[GROUPS_WIDTHS];
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    unsigned failed = 0;
    if (argc > 1)
        count = strtoull(argv[1], NULL, 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (unsigned i = 0; i < GROUPS_WIDTHS; i++)
        engines[i] = jit_engine_create(groups_subgroup_sizes[i]);
    for (uint64_t seed = first; seed < first + count; seed++)
        failed += !run_seed(engines, seed);
    for (unsigned i = 0; i < GROUPS_WIDTHS; i++)
        jit_engine_destroy(engines[i]);
    printf("%u of %llu groups differ\n", failed, (unsigned long long)count);
    return failed != 0;
}
