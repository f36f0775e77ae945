/* SPDX-License-Identifier: MIT */
/* Cross-lane intrinsics of the interpreter. See jit_mem.c; inactive lanes can be read, too. */
#include <time.h>

#include "jit/jit_interpret.h"
#include "util/macros.h"

static void set_all(struct jit_machine *m, const struct jit_step *step, unsigned component,
                    nir_const_value value)
{
    for (unsigned lane = 0; lane < step->count; lane++)
        jit_dest(m, step, component)[lane] = value;
}

static uint32_t true_lanes(const struct jit_machine *m, struct jit_operand condition)
{
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < m->lanes; lane++)
        lanes |= (uint32_t)jit_get(m, condition, lane).b << lane;
    return lanes;
}

static void run_vote(struct jit_machine *m, const struct jit_step *step)
{
    const struct jit_operand condition = step->src[0][0];
    const uint32_t lanes = true_lanes(m, condition);
    bool yes = step->op == nir_intrinsic_vote_any ? (lanes & m->exec) != 0 : !(~lanes & m->exec);
    if (!condition.stride)
        yes = lanes != 0;
    set_all(m, step, 0, (nir_const_value){.u64 = yes});
}

static void run_ballot(struct jit_machine *m, const struct jit_step *step)
{
    for (unsigned c = 0; c < step->components; c++)
        set_all(m, step, c,
                (nir_const_value){.u64 = c ? 0 : true_lanes(m, step->src[0][0]) & m->exec});
}

static void run_lane_number(struct jit_machine *m, const struct jit_step *step)
{
    for (unsigned lane = 0; lane < step->count; lane++)
        jit_dest(m, step, 0)[lane].u64 = lane;
}

static void run_lane_count(struct jit_machine *m, const struct jit_step *step)
{
    set_all(m, step, 0, (nir_const_value){.u64 = m->lanes});
}

static void run_read_first(struct jit_machine *m, const struct jit_step *step)
{
    const unsigned lane = m->exec ? (unsigned)__builtin_ctz(m->exec) : 0;
    for (unsigned c = 0; c < step->components; c++)
        set_all(m, step, c, jit_get(m, step->src[0][c], lane));
}

/* Returns the lane that `lane` reads from: itself if a shuffle by xor, up or down has no source. */
static unsigned lane_read(const struct jit_machine *m, const struct jit_step *step, unsigned lane)
{
    const uint32_t by = step->src[1] ? jit_get(m, step->src[1][0], lane).u32 : 0;
    uint32_t from;
    switch (step->op) {
    case nir_intrinsic_quad_broadcast:
        return (lane & ~3u) + (by & 3);
    case nir_intrinsic_quad_swap_horizontal:
        return lane ^ 1;
    case nir_intrinsic_quad_swap_vertical:
        return lane ^ 2;
    case nir_intrinsic_quad_swap_diagonal:
        return lane ^ 3;
    case nir_intrinsic_shuffle_xor:
        from = lane ^ by;
        break;
    case nir_intrinsic_shuffle_up:
        from = lane - by;
        break;
    case nir_intrinsic_shuffle_down:
        from = lane + by;
        break;
    default:
        return by & (m->lanes - 1);
    }
    return from < m->lanes ? from : lane;
}

static void run_read_lanes(struct jit_machine *m, const struct jit_step *step)
{
    for (unsigned c = 0; c < step->components; c++)
        for (unsigned lane = 0; lane < step->count; lane++)
            jit_dest(m, step, c)[lane] = jit_get(m, step->src[0][c], lane_read(m, step, lane));
}

static void run_select_quad(struct jit_machine *m, const struct jit_step *step)
{
    for (unsigned lane = 0; lane < step->count; lane++)
        jit_dest(m, step, 0)[lane] = jit_get(m, step->src[0][lane / 4], 0);
}

static void run_lookup(struct jit_machine *m, const struct jit_step *step)
{
    for (unsigned lane = 0; lane < step->count; lane++) {
        uint32_t index = jit_get(m, step->src[1][0], lane).u32;
        index &= step->src_components * m->lanes - 1;
        jit_dest(m, step, 0)[lane] = jit_get(m, step->src[0][index / m->lanes], index % m->lanes);
    }
}

static void run_rows_of_blocks(struct jit_machine *m, const struct jit_step *step)
{
    const uint32_t first = jit_get(m, step->src[1][0], 0).u32;
    for (unsigned lane = 0; lane < step->count; lane++) {
        unsigned texel = jit_row_texel(first, lane);
        jit_dest(m, step, 0)[lane] = jit_get(m, step->src[0][texel / 16], texel % 16);
    }
}

static void run_min_halves(struct jit_machine *m, const struct jit_step *step)
{
    const struct jit_operand src = step->src[0][0];
    uint32_t low = 0xffff, high = 0xffff;
    for (unsigned lane = 0; lane < m->lanes; lane++) {
        uint32_t value = jit_get(m, src, lane).u32;
        if (src.stride && !jit_is_active(m, lane))
            continue;
        low = MIN2(low, value & 0xffff);
        high = MIN2(high, value >> 16);
    }
    const bool any = !src.stride || m->exec;
    set_all(m, step, 0, (nir_const_value){.u64 = any ? low | high << 16 : 0});
}

static void run_clock(struct jit_machine *m, const struct jit_step *step)
{
#if defined(__x86_64__)
    const uint64_t now = __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t now;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const uint64_t now = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
#endif
    for (unsigned c = 0; c < step->components; c++)
        set_all(m, step, c, (nir_const_value){.u64 = (uint32_t)(now >> 32 * c)});
}

jit_step_fn *jit_lanes_step(nir_intrinsic_op op)
{
    static jit_step_fn *const table[nir_num_intrinsics] = {
        [nir_intrinsic_vote_any] = run_vote,
        [nir_intrinsic_vote_all] = run_vote,
        [nir_intrinsic_ballot] = run_ballot,
        [nir_intrinsic_quad_broadcast] = run_read_lanes,
        [nir_intrinsic_quad_swap_horizontal] = run_read_lanes,
        [nir_intrinsic_quad_swap_vertical] = run_read_lanes,
        [nir_intrinsic_quad_swap_diagonal] = run_read_lanes,
        [nir_intrinsic_read_first_invocation] = run_read_first,
        [nir_intrinsic_read_invocation] = run_read_lanes,
        [nir_intrinsic_shuffle] = run_read_lanes,
        [nir_intrinsic_shuffle_xor] = run_read_lanes,
        [nir_intrinsic_shuffle_up] = run_read_lanes,
        [nir_intrinsic_shuffle_down] = run_read_lanes,
        [nir_intrinsic_select_quad] = run_select_quad,
        [nir_intrinsic_lookup_lanes] = run_lookup,
        [nir_intrinsic_rows_of_blocks] = run_rows_of_blocks,
        [nir_intrinsic_min_2x16] = run_min_halves,
        [nir_intrinsic_shader_clock] = run_clock,
        [nir_intrinsic_load_subgroup_invocation] = run_lane_number,
        [nir_intrinsic_load_subgroup_size] = run_lane_count,
    };
    return table[op];
}
