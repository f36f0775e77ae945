/* SPDX-License-Identifier: MIT */
/*
 * Memory intrinsics of the interpreter; see jit_mem.c. An address is a 64-bit base plus a 32-bit
 * offset below 2 GiB. Inactive lanes don't access memory; they load zero.
 */
#include <math.h>
#include <string.h>

#include "jit/jit_interpret.h"
#include "util/half.h"
#include "util/macros.h"
#include "util/os_memory.h"

static uint8_t *address(const struct jit_machine *m, struct jit_operand base,
                        struct jit_operand offset, unsigned lane)
{
    return (uint8_t *)(uintptr_t)jit_get(m, base, lane).u64 + jit_get(m, offset, lane).i32;
}

/* Loads a whole word at once, since other threads may write it concurrently. */
static nir_const_value load(const void *from, unsigned bytes)
{
    nir_const_value value = {0};
    if (bytes == 4)
        memcpy(&value, from, 4);
    else if (bytes == 8)
        memcpy(&value, from, 8);
    else
        memcpy(&value, from, bytes);
    return value;
}

static void store(void *to, nir_const_value value, unsigned bytes)
{
    if (bytes == 4)
        memcpy(to, &value, 4);
    else if (bytes == 8)
        memcpy(to, &value, 8);
    else
        memcpy(to, &value, bytes);
}

static void run_kernel_arg(struct jit_machine *m, const struct jit_step *step)
{
    jit_dest(m, step, 0)->u64 = (uintptr_t)m->args[step->base];
}

static void run_load_global(struct jit_machine *m, const struct jit_step *step)
{
    const struct jit_operand base = step->src[0][0], offset = step->src[1][0];
    const bool uniform = !base.stride && !offset.stride;
    const unsigned bytes = step->bits / 8;
    for (unsigned c = 0; c < step->components; c++) {
        nir_const_value *dest = jit_dest(m, step, c);
        for (unsigned lane = 0; lane < step->count; lane++)
            dest[lane] = uniform || jit_is_active(m, lane)
                             ? load(address(m, base, offset, lane) + c * bytes, bytes)
                             : (nir_const_value){0};
    }
}

static void run_store_global(struct jit_machine *m, const struct jit_step *step)
{
    const unsigned bytes = step->src_bits / 8;
    for (unsigned c = 0; c < step->src_components; c++)
        for (unsigned lane = 0; lane < m->lanes; lane++)
            if (step->write_mask >> c & 1 && jit_is_active(m, lane))
                store(address(m, step->src[1][0], step->src[2][0], lane) + c * bytes,
                      jit_get(m, step->src[0][c], lane), bytes);
}

/* --- blocks: each lane's components are consecutive, and so are the lanes --- */

static void load_lanes(struct jit_machine *m, const struct jit_step *step, const uint8_t *from,
                       unsigned first, unsigned end)
{
    const unsigned bytes = step->bits / 8;
    for (unsigned lane = first; lane < end; lane++)
        for (unsigned c = 0; c < step->components; c++, from += bytes)
            jit_dest(m, step, c)[lane] = load(from, bytes);
}

static void store_lanes(struct jit_machine *m, const struct jit_step *step, uint8_t *to,
                        struct jit_operand mask, unsigned first, unsigned end)
{
    const unsigned bytes = step->src_bits / 8;
    for (unsigned lane = first; lane < end; lane++)
        for (unsigned c = 0; c < step->src_components; c++, to += bytes)
            if (jit_is_active(m, lane) && jit_get(m, mask, lane).b)
                store(to, jit_get(m, step->src[0][c], lane), bytes);
}

static void run_load_block(struct jit_machine *m, const struct jit_step *step)
{
    load_lanes(m, step, address(m, step->src[0][0], step->src[1][0], 0), 0, m->lanes);
}

static void run_store_block(struct jit_machine *m, const struct jit_step *step)
{
    store_lanes(m, step, address(m, step->src[1][0], step->src[2][0], 0), step->src[3][0], 0,
                m->lanes);
}

static void run_load_quads(struct jit_machine *m, const struct jit_step *step)
{
    for (unsigned q = 0; q < m->lanes / 4; q++)
        load_lanes(m, step, (const uint8_t *)(uintptr_t)jit_get(m, step->src[0][q], 0).u64, 4 * q,
                   4 * q + 4);
}

static void run_store_quads(struct jit_machine *m, const struct jit_step *step)
{
    for (unsigned q = 0; q < m->lanes / 4; q++)
        store_lanes(m, step, (uint8_t *)(uintptr_t)jit_get(m, step->src[1][q], 0).u64,
                    step->src[2][0], 4 * q, 4 * q + 4);
}

/* --- bilinear filters of texels of four floats or half floats --- */

static void load_texel(const struct jit_step *step, const uint8_t *from, float texel[4])
{
    uint16_t half[4];
    if (!step->kind) {
        memcpy(texel, from, 4 * sizeof *texel);
        return;
    }
    memcpy(half, from, sizeof half);
    for (unsigned c = 0; c < 4; c++)
        texel[c] = util_half_to_float(half[c]);
}

static float mix(float x, float y, float weight)
{
    return x + (y - x) * weight;
}

static void filter(struct jit_machine *m, const struct jit_step *step, unsigned lane,
                   float texel[4][4], const struct jit_operand *weight)
{
    const float x = jit_get(m, weight[0], lane).f32, y = jit_get(m, weight[1], lane).f32;
    for (unsigned c = 0; c < 4; c++)
        jit_dest(m, step, c)[lane] = (nir_const_value){
            .u64 = fui(mix(mix(texel[0][c], texel[1][c], x), mix(texel[2][c], texel[3][c], x), y))};
}

static void run_load_bilinear(struct jit_machine *m, const struct jit_step *step)
{
    for (unsigned lane = 0; lane < step->count; lane++) {
        float texel[4][4] = {{0}};
        for (unsigned t = 0; t < 4; t++)
            if (step->count == 1 || jit_is_active(m, lane))
                load_texel(step, address(m, step->src[0][0], step->src[1][t], lane), texel[t]);
        filter(m, step, lane, texel, step->src[2]);
    }
}

static void run_load_bilinear_grid(struct jit_machine *m, const struct jit_step *step)
{
    const uint8_t *base = (const uint8_t *)(uintptr_t)jit_get(m, step->src[0][0], 0).u64;
    const uint8_t *rows = (const uint8_t *)(uintptr_t)jit_get(m, step->src[1][0], 0).u64;
    for (unsigned lane = 0; lane < step->count; lane++) {
        float texel[4][4];
        for (unsigned t = 0; t < 4; t++) {
            unsigned of_column = jit_grid_lane(m->lanes, 0, t & 1, lane),
                     of_row = jit_grid_lane(m->lanes, 1, t >> 1, lane);
            int32_t column = jit_get(m, step->src[2][0], of_column).i32,
                    row = load(rows + jit_get(m, step->src[2][1], of_row).i32, 4).i32;
            load_texel(step, base + row + column, texel[t]);
        }
        filter(m, step, lane, texel, step->src[3]);
    }
}

/* --- scratch and constant data; offsets are clamped --- */

static uint32_t *scratch_word(struct jit_machine *m, const struct jit_step *step,
                              struct jit_operand offset, unsigned lane, unsigned slot)
{
    uint32_t index = (jit_get(m, offset, lane).u32 + step->base) / 4 + slot;
    return &m->scratch[(size_t)MIN2(index, m->scratch_slots - 1) * m->lanes + lane];
}

static void run_load_scratch(struct jit_machine *m, const struct jit_step *step)
{
    const struct jit_operand offset = step->src[0][0];
    const unsigned slots = step->bits == 64 ? 2 : 1;
    for (unsigned c = 0; c < step->components; c++) {
        nir_const_value *dest = jit_dest(m, step, c);
        for (unsigned lane = 0; lane < step->count; lane++) {
            uint64_t value = 0;
            for (unsigned s = 0; s < slots && (!offset.stride || jit_is_active(m, lane)); s++)
                value |= (uint64_t)*scratch_word(m, step, offset, lane, c * slots + s) << 32 * s;
            dest[lane] = nir_const_value_for_uint(value & BITFIELD64_MASK(step->bits), step->bits);
        }
    }
}

static void run_store_scratch(struct jit_machine *m, const struct jit_step *step)
{
    const unsigned slots = step->src_bits == 64 ? 2 : 1;
    for (unsigned c = 0; c < step->src_components; c++) {
        if (!(step->write_mask >> c & 1))
            continue;
        for (unsigned lane = 0; lane < m->lanes; lane++) {
            uint64_t value =
                nir_const_value_as_uint(jit_get(m, step->src[0][c], lane), step->src_bits);
            for (unsigned s = 0; s < slots && jit_is_active(m, lane); s++)
                *scratch_word(m, step, step->src[1][0], lane, c * slots + s) =
                    (uint32_t)(value >> 32 * s);
        }
    }
}

static void run_clear_scratch(struct jit_machine *m, const struct jit_step *step)
{
    const uint32_t first = (jit_get(m, step->src[0][0], 0).u32 + step->base) / 4;
    const uint32_t slots = jit_get(m, step->src[1][0], 0).u32 / 4;
    const size_t slot = MIN2(first, m->scratch_slots), row = m->lanes * sizeof *m->scratch;
    os_memory_zero(m->scratch + slot * m->lanes, MIN2(slots, m->scratch_slots - slot) * row);
}

static void run_load_constant(struct jit_machine *m, const struct jit_step *step)
{
    const struct jit_operand offset = step->src[0][0];
    const unsigned bytes = step->bits / 8;
    for (unsigned c = 0; c < step->components; c++) {
        nir_const_value *dest = jit_dest(m, step, c);
        for (unsigned lane = 0; lane < step->count; lane++) {
            uint32_t at = jit_get(m, offset, lane).u32 + step->base + c * bytes;
            dest[lane] = !offset.stride || jit_is_active(m, lane)
                             ? load(m->constant_data + MIN2(at, m->constant_size - bytes), bytes)
                             : (nir_const_value){0};
        }
    }
}

/* --- atomics: one lane at a time, in order --- */

/* Minimum and maximum of x, the value in memory, and y; for NaN and zeros like machine code. */
#define MIN_FLOAT(x, y) ((y) < (x) || (x) != (x) ? (y) : (x))
#define MAX_FLOAT(x, y) ((y) > (x) || (x) != (x) ? (y) : (x))

#define ATOMICS(name, uint, sint, real)                                                            \
    static uint name##_result(nir_atomic_op op, uint x, uint y)                                    \
    {                                                                                              \
        real a, b;                                                                                 \
        memcpy(&a, &x, sizeof a);                                                                  \
        memcpy(&b, &y, sizeof b);                                                                  \
        switch (op) {                                                                              \
        case nir_atomic_op_iadd:                                                                   \
            return x + y;                                                                          \
        case nir_atomic_op_imin:                                                                   \
            return (sint)x < (sint)y ? x : y;                                                      \
        case nir_atomic_op_imax:                                                                   \
            return (sint)x > (sint)y ? x : y;                                                      \
        case nir_atomic_op_umin:                                                                   \
            return MIN2(x, y);                                                                     \
        case nir_atomic_op_umax:                                                                   \
            return MAX2(x, y);                                                                     \
        case nir_atomic_op_iand:                                                                   \
            return x & y;                                                                          \
        case nir_atomic_op_ior:                                                                    \
            return x | y;                                                                          \
        case nir_atomic_op_ixor:                                                                   \
            return x ^ y;                                                                          \
        case nir_atomic_op_fadd:                                                                   \
            a += b;                                                                                \
            break;                                                                                 \
        case nir_atomic_op_fmin:                                                                   \
            a = MIN_FLOAT(a, b);                                                                   \
            break;                                                                                 \
        case nir_atomic_op_fmax:                                                                   \
            a = MAX_FLOAT(a, b);                                                                   \
            break;                                                                                 \
        default: /* exchange */                                                                    \
            return y;                                                                              \
        }                                                                                          \
        if (a != a)                                                                                \
            a = (real)NAN; /* of nir_canonicalize_nans */                                          \
        memcpy(&x, &a, sizeof x);                                                                  \
        return x;                                                                                  \
    }                                                                                              \
                                                                                                   \
    static uint name##_modify(nir_atomic_op op, uint *place, uint y)                               \
    {                                                                                              \
        uint old = __atomic_load_n(place, __ATOMIC_RELAXED);                                       \
        while (!__atomic_compare_exchange_n(place, &old, name##_result(op, old, y), false,         \
                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED))                   \
            ;                                                                                      \
        return old;                                                                                \
    }                                                                                              \
                                                                                                   \
    /* Compares floats as numbers (0 equals -0). If unequal, writes the old value back. */         \
    static uint name##_swap(nir_atomic_op op, uint *place, uint expected, uint y)                  \
    {                                                                                              \
        uint old = __atomic_load_n(place, __ATOMIC_RELAXED);                                       \
        bool equal;                                                                                \
        do {                                                                                       \
            real a, b;                                                                             \
            memcpy(&a, &old, sizeof a);                                                            \
            memcpy(&b, &expected, sizeof b);                                                       \
            equal = op == nir_atomic_op_fcmpxchg ? a == b : old == expected;                       \
        } while (!__atomic_compare_exchange_n(place, &old, equal ? y : old, false,                 \
                                              __ATOMIC_RELAXED, __ATOMIC_RELAXED));                \
        return old;                                                                                \
    }

ATOMICS(word, uint32_t, int32_t, float)
ATOMICS(long, uint64_t, int64_t, double)

static uint64_t modify(const struct jit_step *step, void *place, nir_const_value a,
                       nir_const_value b)
{
    const bool swap = step->op == nir_intrinsic_global_atomic_swap;
    if (step->bits == 64)
        return swap ? long_swap(step->kind, place, a.u64, b.u64)
                    : long_modify(step->kind, place, a.u64);
    return swap ? word_swap(step->kind, place, a.u32, b.u32)
                : word_modify(step->kind, place, a.u32);
}

static void run_atomic(struct jit_machine *m, const struct jit_step *step)
{
    const struct jit_operand *a = step->src[2],
                             *b = step->op == nir_intrinsic_global_atomic_swap ? step->src[3] : a;
    nir_const_value *dest = jit_dest(m, step, 0);
    for (unsigned lane = 0; lane < m->lanes; lane++) {
        uint64_t old = 0;
        if (jit_is_active(m, lane))
            old = modify(step, address(m, step->src[0][0], step->src[1][0], lane),
                         jit_get(m, a[0], lane), jit_get(m, b[0], lane));
        dest[lane].u64 = old;
    }
}

/* --- other threads --- */

static void run_poll_stop(struct jit_machine *m, const struct jit_step *step)
{
    const uint32_t *word = (const uint32_t *)(uintptr_t)jit_get(m, step->src[0][0], 0).u64;
    jit_dest(m, step, 0)->u64 = __atomic_load_n(word, __ATOMIC_RELAXED) != 0;
}

static void run_barrier(struct jit_machine *m, const struct jit_step *step)
{
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

jit_step_fn *jit_memory_step(nir_intrinsic_op op)
{
    static jit_step_fn *const table[nir_num_intrinsics] = {
        [nir_intrinsic_load_kernel_arg] = run_kernel_arg,
        [nir_intrinsic_load_global] = run_load_global,
        [nir_intrinsic_load_global_constant] = run_load_global,
        [nir_intrinsic_load_global_bilinear] = run_load_bilinear,
        [nir_intrinsic_load_global_bilinear_grid] = run_load_bilinear_grid,
        [nir_intrinsic_store_global] = run_store_global,
        [nir_intrinsic_load_global_block] = run_load_block,
        [nir_intrinsic_store_global_block] = run_store_block,
        [nir_intrinsic_load_global_quads] = run_load_quads,
        [nir_intrinsic_store_global_quads] = run_store_quads,
        [nir_intrinsic_global_atomic] = run_atomic,
        [nir_intrinsic_global_atomic_swap] = run_atomic,
        [nir_intrinsic_load_scratch] = run_load_scratch,
        [nir_intrinsic_store_scratch] = run_store_scratch,
        [nir_intrinsic_clear_scratch] = run_clear_scratch,
        [nir_intrinsic_load_constant] = run_load_constant,
        [nir_intrinsic_poll_stop] = run_poll_stop,
        [nir_intrinsic_barrier] = run_barrier,
    };
    return table[op];
}
