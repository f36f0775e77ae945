/* SPDX-License-Identifier: MIT */
/*
 * Random compute shaders with shared memory, barriers and subgroup operations in uniform and
 * divergent control flow. Groups run in the NIR evaluator, in CPU driver kernels at 4, 8 and 16
 * lanes, as threads in the simulator, and in the evaluator after random passes. All must leave
 * identical words in memory.
 *
 * Usage: i965_test_groups [COUNT [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "groups_run.h"
#include "nir/nir_builder.h"
#include "nir_fuzz.h"

#define MAX_GROUP GROUPS_MAX_INVOCATIONS
#define LANES     4 /* Variables per invocation. */
#define UNIFORMS  2 /* Variables per group. */
#define WORDS     (LANES + UNIFORMS)

struct generator {
    struct fuzz_rng rng;
    nir_builder b;
    nir_variable *lane[LANES], *uniform[UNIFORMS];
    nir_def *index;
    /* Number of invocations. Words 0 … n-1 of shared memory are theirs; two words of the group
     * follow. */
    unsigned n;
};

/* ---------------------------------------------------------------------------------- shaders --- */

static void barrier(struct generator *g)
{
    nir_barrier(&g->b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP,
                .memory_semantics = NIR_MEMORY_ACQ_REL, .memory_modes = nir_var_mem_shared);
}

static nir_def *uniform_value(struct generator *g)
{
    nir_builder *b = &g->b;
    switch (fuzz_random(&g->rng, 4)) {
    case 0:
        return nir_imm_int(b, (int)fuzz_random(&g->rng, 9));
    case 1:
        return nir_channel(b, nir_load_workgroup_id(b), 0);
    default:
        return nir_load_var(b, g->uniform[fuzz_random(&g->rng, UNIFORMS)]);
    }
}

static nir_def *lane_value(struct generator *g)
{
    switch (fuzz_random(&g->rng, 6)) {
    case 0:
        return uniform_value(g);
    case 1:
        return g->index;
    case 2:
        return nir_channel(&g->b, nir_load_local_invocation_id(&g->b), fuzz_random(&g->rng, 3));
    default:
        return nir_load_var(&g->b, g->lane[fuzz_random(&g->rng, LANES)]);
    }
}

static nir_def *combine(struct generator *g, nir_def *x, nir_def *y)
{
    nir_builder *b = &g->b;
    switch (fuzz_random(&g->rng, 6)) {
    case 0:
        return nir_imul(b, x, y);
    case 1:
        return nir_ixor(b, x, y);
    case 2:
        return nir_umin(b, x, y);
    case 3:
        return nir_ishl(b, x, nir_iand_imm(b, y, 7));
    case 4:
        return nir_bcsel(b, nir_ult(b, x, y), nir_isub(b, x, y), y);
    default:
        return nir_iadd(b, x, y);
    }
}

static void set(struct generator *g, nir_variable *var, nir_def *value)
{
    nir_store_var(&g->b, var, value, 1);
}

static nir_variable *any_lane(struct generator *g)
{
    return g->lane[fuzz_random(&g->rng, LANES)];
}

/* Invocations exchange values. */
static void exchange(struct generator *g)
{
    nir_builder *b = &g->b;
    nir_def *other = nir_iadd_imm(b, g->index, fuzz_random(&g->rng, g->n));
    other = nir_umod_imm(b, other, g->n);
    nir_store_shared(b, lane_value(g), nir_ishl_imm(b, g->index, 2), .write_mask = 1,
                     .align_mul = 4);
    barrier(g);
    set(g, any_lane(g), nir_load_shared(b, 1, 32, nir_ishl_imm(b, other, 2), .align_mul = 4));
    barrier(g);
}

/* The first invocation broadcasts a value, or all add to a sum. */
static void gather(struct generator *g, bool sum)
{
    nir_builder *b = &g->b;
    nir_def *place = nir_imm_int(b, (int)(g->n + sum) * 4);
    nir_push_if(b, nir_ieq_imm(b, g->index, 0));
    nir_store_shared(b, sum ? nir_imm_int(b, 0) : lane_value(g), place, .write_mask = 1,
                     .align_mul = 4);
    nir_pop_if(b, NULL);
    barrier(g);
    if (sum) {
        nir_shared_atomic(b, 32, place, lane_value(g), .atomic_op = nir_atomic_op_iadd);
        barrier(g);
    }
    nir_def *value = nir_load_shared(b, 1, 32, place, .align_mul = 4);
    set(g, g->uniform[fuzz_random(&g->rng, UNIFORMS)], value);
    barrier(g);
}

/* -------------------------------------------------------------------------------- subgroups --- */

static nir_def *reduced(struct generator *g, nir_def *x, nir_op op)
{
    nir_builder *b = &g->b;
    switch (fuzz_random(&g->rng, 4)) {
    case 0:
        return nir_inclusive_scan(b, x, .reduction_op = op);
    case 1:
        return nir_exclusive_scan(b, x, .reduction_op = op);
    case 2:
        return nir_reduce(b, x, .reduction_op = op, .cluster_size = 1u << fuzz_random(&g->rng, 5));
    default:
        return nir_reduce(b, x, .reduction_op = op);
    }
}

/* Generates reductions of each type; the order of float sums is specified. */
static nir_def *reduction(struct generator *g)
{
    static const nir_op ops[] = {nir_op_iadd, nir_op_imul, nir_op_imin, nir_op_umin, nir_op_imax,
                                 nir_op_umax, nir_op_iand, nir_op_ior,  nir_op_ixor};
    static const nir_op float_ops[] = {nir_op_fadd, nir_op_fmul, nir_op_fmin, nir_op_fmax};
    nir_builder *b = &g->b;
    nir_def *x = lane_value(g), *y;
    switch (fuzz_random(&g->rng, 4)) {
    case 0:
        x = nir_fadd_imm(b, nir_u2f32(b, nir_iand_imm(b, x, 0xffff)), 0.1);
        return reduced(g, x, float_ops[fuzz_random(&g->rng, ARRAY_SIZE(float_ops))]);
    case 1:
        y = reduced(g, nir_pack_64_2x32_split(b, x, lane_value(g)),
                    fuzz_random(&g->rng, 2) ? nir_op_iadd : nir_op_umax);
        return nir_ixor(b, nir_unpack_64_2x32_split_x(b, y), nir_unpack_64_2x32_split_y(b, y));
    case 2:
        y = reduced(g, nir_ult(b, x, lane_value(g)), nir_op_iand);
        return nir_b2i32(b, y);
    default:
        return reduced(g, x, ops[fuzz_random(&g->rng, ARRAY_SIZE(ops))]);
    }
}

/* Reads another invocation's value if it is active, otherwise the own value. */
static nir_def *other_lane(struct generator *g)
{
    nir_builder *b = &g->b;
    nir_def *x = lane_value(g), *lane = nir_load_subgroup_invocation(b), *from, *value;
    nir_def *by = nir_imm_int(b, (int)fuzz_random(&g->rng, 4));
    by = fuzz_random(&g->rng, 2) ? by : nir_iand_imm(b, lane_value(g), 15);
    switch (fuzz_random(&g->rng, 7)) {
    case 0:
        value = nir_shuffle_xor(b, x, by);
        from = nir_ixor(b, lane, by);
        break;
    case 1:
        value = nir_shuffle_up(b, x, by);
        from = nir_isub(b, lane, by);
        break;
    case 2:
        value = nir_shuffle_down(b, x, by);
        from = nir_iadd(b, lane, by);
        break;
    case 3:
        from = nir_iand_imm(b, nir_load_var(b, g->uniform[0]), 3);
        value = nir_read_invocation(b, x, from);
        break;
    case 4:
        by = nir_iand_imm(b, by, 3);
        value = nir_quad_broadcast(b, x, by);
        from = nir_ior(b, nir_iand_imm(b, lane, ~3u), by);
        break;
    case 5:
        value = nir_quad_swap_diagonal(b, x);
        from = nir_ixor(b, lane, nir_imm_int(b, 3));
        break;
    default:
        value = nir_shuffle(b, x, by);
        from = by;
    }
    nir_def *active = nir_ushr(b, nir_ballot(b, 1, 32, nir_imm_true(b)), nir_umin_imm(b, from, 31));
    active = nir_ine_imm(b, nir_iand_imm(b, active, 1), 0);
    return nir_bcsel(b, active, value, x);
}

static nir_def *vote(struct generator *g)
{
    nir_builder *b = &g->b;
    nir_def *bit = nir_ult(b, lane_value(g), lane_value(g));
    switch (fuzz_random(&g->rng, 7)) {
    case 0:
        return nir_b2i32(b, nir_vote_any(b, bit));
    case 1:
        return nir_b2i32(b, nir_vote_all(b, bit));
    case 2:
        return nir_b2i32(b, nir_vote_ieq(b, nir_iand_imm(b, lane_value(g), 1)));
    case 3:
        return nir_b2i32(b, nir_elect(b));
    case 4:
        return nir_first_invocation(b);
    case 5:
        return nir_read_first_invocation(b, lane_value(g));
    default:
        return nir_ballot(b, 1, 32, bit);
    }
}

static void subgroup(struct generator *g)
{
    unsigned kind = fuzz_random(&g->rng, 3);
    set(g, any_lane(g), kind == 0 ? reduction(g) : kind == 1 ? other_lane(g) : vote(g));
}

/* ------------------------------------------------------------------------------- statements --- */

static void statements(struct generator *g, unsigned depth, bool together);

static void conditional(struct generator *g, unsigned depth, bool together)
{
    nir_builder *b = &g->b;
    nir_def *condition = together ? nir_ult(b, uniform_value(g), uniform_value(g))
                                  : nir_ult(b, lane_value(g), lane_value(g));
    nir_push_if(b, condition);
    statements(g, depth, together);
    nir_push_else(b, NULL);
    statements(g, depth, together);
    nir_pop_if(b, NULL);
}

/* Generates a loop of at most four iterations, some of which exit early. */
static void repeat(struct generator *g, unsigned depth, bool together)
{
    nir_builder *b = &g->b;
    nir_variable *i = nir_local_variable_create(b->impl, glsl_uint_type(), "i");
    nir_def *trips = together ? uniform_value(g) : lane_value(g);
    trips = nir_iand_imm(b, trips, 3);
    set(g, i, nir_imm_int(b, 0));
    nir_loop *loop = nir_push_loop(b);
    nir_break_if(b, nir_uge(b, nir_load_var(b, i), trips));
    set(g, i, nir_iadd_imm(b, nir_load_var(b, i), 1));
    statements(g, depth, together);
    if (fuzz_random(&g->rng, 2)) {
        nir_def *x = together ? uniform_value(g) : lane_value(g);
        nir_break_if(b, nir_ieq_imm(b, nir_iand_imm(b, x, 7), 5));
        statements(g, depth, together);
    }
    nir_pop_loop(b, loop);
}

/* together: all invocations that have not exited execute the statement. */
static void statement(struct generator *g, unsigned depth, bool together)
{
    unsigned kind = fuzz_random(&g->rng, together ? 12 : 6);
    if (kind < 3)
        set(g, any_lane(g), combine(g, lane_value(g), lane_value(g)));
    else if (kind == 3)
        subgroup(g);
    else if (kind == 4 && depth)
        conditional(g, depth - 1, false);
    else if (kind == 5 && depth)
        repeat(g, depth - 1, false);
    else if (kind == 6)
        exchange(g);
    else if (kind == 7)
        gather(g, fuzz_random(&g->rng, 2));
    else if (kind == 8)
        set(g, g->uniform[fuzz_random(&g->rng, UNIFORMS)],
            combine(g, uniform_value(g), uniform_value(g)));
    else if (kind == 9 && depth)
        conditional(g, depth - 1, true);
    else if (kind >= 10 && depth)
        repeat(g, depth - 1, true);
}

static void statements(struct generator *g, unsigned depth, bool together)
{
    for (unsigned i = 1 + fuzz_random(&g->rng, 4); i--;)
        statement(g, depth, together);
}

static nir_shader *make_shader(const struct nir_shader_compiler_options *options, uint64_t seed,
                               const uint32_t size[3])
{
    struct generator gen = {.rng = {seed}}, *g = &gen;
    nir_builder *b = &g->b;
    *b = nir_builder_init_simple_shader(NULL, SHADER_COMPUTE, options, "groups");
    g->n = size[0] * size[1] * size[2];
    for (unsigned i = 0; i < 3; i++)
        b->shader->info.cs.workgroup_size[i] = (uint16_t)size[i];
    b->shader->info.cs.shared_size = (g->n + 2) * 4;
    g->index = nir_load_local_invocation_index(b);
    for (unsigned i = 0; i < LANES; i++) {
        g->lane[i] = nir_local_variable_create(b->impl, glsl_uint_type(), "lane");
        set(g, g->lane[i], nir_imul_imm(b, g->index, 2654435761u * (i + 1)));
    }
    for (unsigned i = 0; i < UNIFORMS; i++) {
        g->uniform[i] = nir_local_variable_create(b->impl, glsl_uint_type(), "uniform");
        set(g, g->uniform[i], nir_imm_int(b, (int)i + 2));
    }
    statements(g, 2, true);
    bool some_end = fuzz_random(&g->rng, 3) == 0;
    if (some_end)
        nir_push_if(b, nir_ult(b, g->index, nir_imm_int(b, (int)(1 + fuzz_random(&g->rng, g->n)))));
    statements(g, 2, true);
    if (some_end)
        nir_pop_if(b, NULL);
    for (unsigned i = 0; i < WORDS; i++) {
        nir_def *value = nir_load_var(b, i < LANES ? g->lane[i] : g->uniform[i - LANES]);
        nir_def *at = nir_iadd_imm(b, nir_imul_imm(b, g->index, WORDS * 4), i * 4);
        nir_store_ssbo(b, value, nir_imm_int(b, 0), at, .write_mask = 1, .align_mul = 4);
    }
    b->shader->info.num_ssbos = 1;
    nir_shader_gather_info(b->shader);
    return b->shader;
}

/* ------------------------------------------------------------------------------------- runs --- */

struct results {
    uint32_t word[MAX_GROUP * WORDS];
};

static bool store_ssbo(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                       nir_const_value *const *srcs, nir_const_value *dest)
{
    struct results *r = eval->data;
    if (intr->intrinsic != nir_intrinsic_store_ssbo ||
        srcs[2]->u32 + 4 * intr->num_components > sizeof r->word)
        return false;
    for (unsigned c = 0; c < intr->num_components; c++)
        if (nir_intrinsic_write_mask(intr) >> c & 1)
            r->word[srcs[2]->u32 / 4 + c] = srcs[0][c].u32;
    return true;
}

static bool evaluate(nir_shader *nir, unsigned subgroup_size, void *result, void *args)
{
    memset(result, 0, sizeof(struct results));
    return groups_run_evaluator(nir, args, subgroup_size, store_ssbo, result);
}

static bool check(const char *what, uint64_t seed, bool ran, const struct results *want,
                  const struct results *have)
{
    if (ran && !memcmp(want, have, sizeof *want))
        return true;
    unsigned i = 0;
    while (ran && want->word[i] == have->word[i])
        i++;
    printf("seed %llu: %s %s: word %u of invocation %u is %08x, not %08x\n",
           (unsigned long long)seed, what, ran ? "differs" : "does not run", i % WORDS, i / WORDS,
           have->word[i], want->word[i]);
    return false;
}

static bool run_seed(struct jit_engine *const engines[GROUPS_WIDTHS], uint64_t seed)
{
    static const uint32_t sizes[][3] = {{1, 1, 1},  {5, 1, 1},  {8, 1, 1}, {4, 4, 1},  {13, 1, 1},
                                        {24, 1, 1}, {8, 8, 1},  {5, 3, 2}, {16, 2, 4}, {100, 1, 1},
                                        {2, 3, 17}, {32, 4, 1}, {33, 1, 3}};
    const uint32_t *size = sizes[seed % ARRAY_SIZE(sizes)];
    struct results want = {{0}}, have;
    struct cpu_stage_state state = {.storage[0] = {(uint8_t *)have.word, sizeof have.word}};
    const struct cpu_cs_key key = {0};
    struct watchdog_stop stop = {0};
    struct cpu_cs_args args = {
        .state = &state, .group = {(uint32_t)seed % 5, 0, 0}, .count = 1, .num_groups = {5, 1, 1}};
    bool ok = true;
    state.stop = &stop;
    memcpy(args.group_size, size, sizeof args.group_size);
    nir_shader *nir = make_shader(&cpu_nir_options, seed, size);
    for (unsigned i = 0; i < GROUPS_WIDTHS; i++) {
        ok &= evaluate(nir, groups_subgroup_sizes[i], &want, &args);
        memset(&have, 0, sizeof have);
        bool ran = groups_run_kernel(engines[i], nir, &key, args) && !watchdog_stopped(&stop);
        ok &= check(groups_kernel_names[i], seed, ran, &want, &have);
    }
    ok &= groups_run_passes(nir, seed, evaluate, sizeof want, &args);
    nir_shader_destroy(nir);
    memset(&have, 0, sizeof have);
    nir = make_shader(&i965_nir_options, seed, size);
    ok &= check("the simulator", seed, groups_run_threads(nir, &args, seed), &want, &have);
    nir_shader_destroy(nir);
    return ok;
}

int main(int argc, char **argv)
{
    return groups_main(argc, argv, 13, run_seed);
}
