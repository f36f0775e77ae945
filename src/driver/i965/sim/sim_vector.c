/* SPDX-License-Identifier: MIT */
/*
 * Operations on whole registers. Compiled once per host instruction set (meson.build), with the
 * table's name in SIM_VECTOR_TABLE. Floating-point contraction is disabled, so that the results do
 * not depend on the instruction set.
 */
#include <math.h>
#include <string.h>

#include "sim_vector.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* CHUNK: bytes per vector. LANES, WIDE: 32-bit and 64-bit elements per vector. */
enum { CHUNK = 32, LANES = CHUNK / 4, WIDE = CHUNK / 8, CHUNKS = 2 };

typedef float floats __attribute__((vector_size(CHUNK)));
typedef int32_t ints __attribute__((vector_size(CHUNK)));
typedef uint32_t words __attribute__((vector_size(CHUNK)));
typedef double doubles __attribute__((vector_size(CHUNK)));
typedef int64_t longs __attribute__((vector_size(CHUNK)));
typedef uint64_t quads __attribute__((vector_size(CHUNK)));
/* Unaligned, as in the register file. */
typedef words any_words __attribute__((aligned(1), may_alias));

union lanes {
    float f[LANES];
    int32_t i[LANES];
    uint32_t u[LANES];
    double d[WIDE];
    int64_t l[WIDE];
    uint64_t q[WIDE];
    floats vf;
    ints vi;
    words vu;
    doubles vd;
    longs vl;
    quads vq;
};

#define INLINE static inline __attribute__((always_inline))

/* ------------------------------------------------------------------------------- registers --- */

/* Returns the number of chunks of an instruction with elements of that many bytes. */
INLINE unsigned count_chunks(const struct sim_inst *inst, unsigned size)
{
    return inst->eu.exec_size * size > CHUNK ? CHUNKS : 1;
}

/* Loads an element of 1, 2, 4 or 8 bytes with its type's sign; may read past it, into the tail of
 * the register file. */
INLINE uint64_t load_element(const uint8_t *p, const struct sim_vector_operand *o)
{
    unsigned unused = 64 - 8u * o->size;
    uint64_t bits;

    memcpy(&bits, p, 8);
    return o->is_signed ? (uint64_t)((int64_t)(bits << unused) >> unused)
                        : bits << unused >> unused;
}

/* Loads a general region into v, as elements of `size` bytes. */
INLINE void load_region(const struct sim_thread *t, const struct sim_vector_operand *o, unsigned n,
                        unsigned size, union lanes v[CHUNKS])
{
    const uint8_t *row = t->grf + o->offset;
    uint8_t *to = (uint8_t *)v;

    for (unsigned i = 0; i < n; row += o->row_bytes) {
        const uint8_t *p = row;
        for (unsigned k = 0; k < o->width && i < n; k++, i++, p += o->step_bytes, to += size) {
            uint64_t bits = load_element(p, o);
            memcpy(to, &bits, size);
        }
    }
}

/* Loads all elements of a source, 4 or 8 bytes each; elements past the last are undefined. */
INLINE void load_elements(const struct sim_thread *t, const struct sim_inst *inst, unsigned s,
                          unsigned size, union lanes v[CHUNKS])
{
    const struct sim_vector_operand *o = &inst->vector.src[s];
    unsigned chunks = count_chunks(inst, size);
    uint64_t one = o->value;

    switch (o->kind) {
    case SIM_VECTOR_CONTIGUOUS:
        for (unsigned c = 0; c < chunks; c++)
            v[c].vu = *(const any_words *)(t->grf + o->offset + c * CHUNK);
        break;
    case SIM_VECTOR_SCALAR:
        memcpy(&one, t->grf + o->offset, 8);
        /* fallthrough */
    case SIM_VECTOR_CONSTANT:
        for (unsigned c = 0; c < chunks; c++) {
            if (size == 4)
                v[c].vu = (words){} + (uint32_t)one;
            else
                v[c].vq = (quads){} + one;
        }
        break;
    default:
        for (unsigned c = 0; c < chunks; c++)
            v[c].vu = (words){};
        load_region(t, o, inst->eu.exec_size, size, v);
        break;
    }
    for (unsigned c = 0; o->modified && c < chunks; c++) {
        if (size == 4)
            v[c].vu = ((v[c].vu & (uint32_t)o->keep) ^ (uint32_t)o->flip) + (uint32_t)o->add;
        else
            v[c].vq = ((v[c].vq & o->keep) ^ o->flip) + o->add;
    }
}

/* Sets all bits of lane i to bit i of the mask. */
INLINE void expand(uint32_t mask, unsigned size, union lanes *v)
{
    const words bit = {1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80};
    const quads wide_bit = {1, 2, 4, 8};

    if (size == 4)
        v->vi = (((words){} + mask) & bit) == bit;
    else
        v->vl = (((quads){} + mask) & wide_bit) == wide_bit;
}

/* Returns the sign of lane i in bit i. */
INLINE uint32_t collect(const union lanes *v, unsigned size)
{
#ifdef __AVX2__
    return size == 4 ? (uint32_t)_mm256_movemask_ps(_mm256_loadu_ps(v->f))
                     : (uint32_t)_mm256_movemask_pd(_mm256_loadu_pd(v->d));
#else
    uint32_t bits = 0;
    for (unsigned i = 0; i < CHUNK / size; i++)
        bits |= (size == 4 ? v->u[i] >> 31 : (uint32_t)(v->q[i] >> 63)) << i;
    return bits;
#endif
}

/* Stores element by element: fewer than 8 elements, or a strided destination. */
INLINE void store_each(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask,
                       unsigned size, const union lanes v[CHUNKS])
{
    uint8_t *p = t->grf + inst->vector.dst;
    const uint8_t *from = (const uint8_t *)v;

    if (mask == 0xff && inst->eu.exec_size == 8) {
        for (unsigned i = 0; i < 8; i++)
            memcpy(p + i * inst->vector.dst_stride, from + i * size, size);
        return;
    }
    for (unsigned i = 0; i < inst->eu.exec_size; i++, p += inst->vector.dst_stride, from += size) {
        if (mask >> i & 1)
            memcpy(p, from, size);
    }
}

INLINE void store(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask, unsigned size,
                  const union lanes v[CHUNKS])
{
    const uint32_t all = (1u << CHUNK / size) - 1;

    if (inst->vector.strided_store) {
        store_each(t, inst, mask, size, v);
        return;
    }
    for (unsigned c = 0; c < count_chunks(inst, size); c++, mask >>= CHUNK / size) {
        uint8_t *p = t->grf + inst->vector.dst + c * CHUNK;
        words result = v[c].vu;
        if ((mask & all) != all) {
            union lanes on;
            expand(mask, size, &on);
            result = (result & on.vu) | (*(const any_words *)p & ~on.vu);
        }
        *(any_words *)p = result;
    }
}

/* Sets the lanes of `into` to all ones where the comparison is true. */
#define CONDITION(cmod, x, y, into)                                                                \
    switch (cmod) {                                                                                \
    case EU_CMOD_Z:                                                                                \
        (into) = (x) == (y);                                                                       \
        break;                                                                                     \
    case EU_CMOD_NZ:                                                                               \
        (into) = (x) != (y);                                                                       \
        break;                                                                                     \
    case EU_CMOD_G:                                                                                \
        (into) = (x) > (y);                                                                        \
        break;                                                                                     \
    case EU_CMOD_GE:                                                                               \
        (into) = (x) >= (y);                                                                       \
        break;                                                                                     \
    case EU_CMOD_L:                                                                                \
        (into) = (x) < (y);                                                                        \
        break;                                                                                     \
    case EU_CMOD_LE:                                                                               \
        (into) = (x) <= (y);                                                                       \
        break;                                                                                     \
    case EU_CMOD_U:                                                                                \
        (into) = ((x) != (x)) | ((y) != (y));                                                      \
        break;                                                                                     \
    default:                                                                                       \
        (into) = (x) < (x);                                                                        \
        break;                                                                                     \
    }

/* Sets flags by comparing the result with 0, then stores the result. */
#define WRITE(name, size, member, condition)                                                       \
    INLINE void write_##name(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask,     \
                             union lanes v[CHUNKS])                                                \
    {                                                                                              \
        uint32_t bits = 0;                                                                         \
        for (unsigned i = 0; inst->vector.cmod && i < count_chunks(inst, size); i++) {             \
            union lanes c, zero = {};                                                              \
            CONDITION(inst->vector.cmod, v[i].member, zero.member, c.condition)                    \
            bits |= collect(&c, size) << i * (CHUNK / size);                                       \
        }                                                                                          \
        if (inst->vector.cmod)                                                                     \
            sim_write_flags(t, &inst->eu, bits, mask);                                             \
        if (!inst->vector.null)                                                                    \
            store(t, inst, mask, size, v);                                                         \
    }

WRITE(signed, 4, vi, vi)
WRITE(unsigned, 4, vu, vi)
WRITE(signed_quads, 8, vl, vl)
WRITE(unsigned_quads, 8, vq, vl)
WRITE(numbers, 4, vf, vi)
WRITE(wide_numbers, 8, vd, vl)

INLINE void write_words(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask,
                        union lanes v[CHUNKS])
{
    if (inst->vector.is_unsigned)
        write_unsigned(t, inst, mask, v);
    else
        write_signed(t, inst, mask, v);
}

INLINE void write_quads(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask,
                        union lanes v[CHUNKS])
{
    if (inst->vector.is_unsigned)
        write_unsigned_quads(t, inst, mask, v);
    else
        write_signed_quads(t, inst, mask, v);
}

/* Saturates; NaN becomes 0. */
INLINE void write_floats(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask,
                         union lanes v[CHUNKS])
{
    for (unsigned c = 0; inst->eu.saturate && c < count_chunks(inst, 4); c++) {
        for (unsigned i = 0; i < LANES; i++)
            v[c].f[i] = v[c].f[i] >= 1.0f ? 1.0f : v[c].f[i] > 0.0f ? v[c].f[i] : 0.0f;
    }
    write_numbers(t, inst, mask, v);
}

INLINE void write_doubles(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask,
                          union lanes v[CHUNKS])
{
    for (unsigned c = 0; inst->eu.saturate && c < count_chunks(inst, 8); c++) {
        for (unsigned i = 0; i < WIDE; i++)
            v[c].d[i] = v[c].d[i] >= 1.0 ? 1.0 : v[c].d[i] > 0.0 ? v[c].d[i] : 0.0;
    }
    write_wide_numbers(t, inst, mask, v);
}

/* ------------------------------------------------------------------------------- operations --- */

/* Defines an operation. x, y, z: a chunk of each source, with elements of `size` bytes; r: the
 * result. */
#define OP(name, sources, size, write, ...)                                                        \
    static void run_##name(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask)       \
    {                                                                                              \
        union lanes src[3][CHUNKS], dst[CHUNKS];                                                   \
        for (unsigned s = 0; s < sources; s++)                                                     \
            load_elements(t, inst, s, size, src[s]);                                               \
        for (unsigned c = 0; c < count_chunks(inst, size); c++) {                                  \
            const union lanes *x = &src[0][c], *y = &src[1][c], *z = &src[2][c];                   \
            union lanes *r = &dst[c];                                                              \
            __VA_ARGS__;                                                                           \
            (void)y, (void)z;                                                                      \
        }                                                                                          \
        write(t, inst, mask, dst);                                                                 \
    }

#define EACH(statement)                                                                            \
    for (unsigned i = 0; i < LANES; i++)                                                           \
    statement
#define EACH_WIDE(statement)                                                                       \
    for (unsigned i = 0; i < WIDE; i++)                                                            \
    statement

INLINE int32_t to_int(double v)
{
    return v != v ? 0 : v <= INT32_MIN ? INT32_MIN : v >= INT32_MAX ? INT32_MAX : (int32_t)v;
}

INLINE uint32_t to_uint(double v)
{
    return !(v > 0.0) ? 0 : v >= UINT32_MAX ? UINT32_MAX : (uint32_t)(int64_t)v;
}

OP(move, 1, 4, write_words, r->vu = x->vu)
OP(move_f, 1, 4, write_floats, r->vu = x->vu)
OP(f_from_d, 1, 4, write_floats, EACH(r->f[i] = (float)x->i[i]))
OP(f_from_ud, 1, 4, write_floats, EACH(r->f[i] = (float)(int64_t)x->u[i]))
OP(d_from_f, 1, 4, write_words, EACH(r->i[i] = to_int(x->f[i])))
OP(ud_from_f, 1, 4, write_words, EACH(r->u[i] = to_uint(x->f[i])))

OP(add_f, 2, 4, write_floats, r->vf = x->vf + y->vf)
OP(mul_f, 2, 4, write_floats, r->vf = x->vf * y->vf)
OP(mad_f, 3, 4, write_floats, EACH(r->f[i] = __builtin_fmaf(y->f[i], z->f[i], x->f[i])))
OP(frc_f, 1, 4, write_floats, EACH(r->f[i] = x->f[i] - floorf(x->f[i])))
OP(rndu_f, 1, 4, write_floats, EACH(r->f[i] = ceilf(x->f[i])))
OP(rndd_f, 1, 4, write_floats, EACH(r->f[i] = floorf(x->f[i])))
OP(rnde_f, 1, 4, write_floats, EACH(r->f[i] = rintf(x->f[i])))
OP(rndz_f, 1, 4, write_floats, EACH(r->f[i] = truncf(x->f[i])))
OP(inv_f, 1, 4, write_floats, r->vf = 1.0f / x->vf)
OP(sqrt_f, 1, 4, write_floats, EACH(r->f[i] = sqrtf(x->f[i])))
OP(rsq_f, 1, 4, write_floats, EACH(r->f[i] = 1.0f / sqrtf(x->f[i])))

OP(add, 2, 4, write_words, r->vu = x->vu + y->vu)
OP(mul, 2, 4, write_words, r->vu = x->vu * y->vu)
OP(not, 1, 4, write_words, r->vu = ~x->vu)
OP(and, 2, 4, write_words, r->vu = x->vu & y->vu)
OP(or, 2, 4, write_words, r->vu = x->vu | y->vu)
OP(xor, 2, 4, write_words, r->vu = x->vu ^ y->vu)
OP(shl, 2, 4, write_words, r->vu = x->vu << (y->vu & 31))
OP(shr, 2, 4, write_words, r->vu = x->vu >> (y->vu & 31))
OP(asr, 2, 4, write_words, r->vi = x->vi >> (y->vi & 31))

OP(move_q, 1, 8, write_quads, r->vu = x->vu)
OP(move_df, 1, 8, write_doubles, r->vu = x->vu)
OP(add_df, 2, 8, write_doubles, r->vd = x->vd + y->vd)
OP(mul_df, 2, 8, write_doubles, r->vd = x->vd * y->vd)
OP(mad_df, 3, 8, write_doubles, EACH_WIDE(r->d[i] = __builtin_fma(y->d[i], z->d[i], x->d[i])))
OP(frc_df, 1, 8, write_doubles, EACH_WIDE(r->d[i] = x->d[i] - floor(x->d[i])))
OP(rndu_df, 1, 8, write_doubles, EACH_WIDE(r->d[i] = ceil(x->d[i])))
OP(rndd_df, 1, 8, write_doubles, EACH_WIDE(r->d[i] = floor(x->d[i])))
OP(rnde_df, 1, 8, write_doubles, EACH_WIDE(r->d[i] = rint(x->d[i])))
OP(rndz_df, 1, 8, write_doubles, EACH_WIDE(r->d[i] = trunc(x->d[i])))
OP(add_q, 2, 8, write_quads, r->vq = x->vq + y->vq)
OP(not_q, 1, 8, write_quads, r->vq = ~x->vq)
OP(and_q, 2, 8, write_quads, r->vq = x->vq & y->vq)
OP(or_q, 2, 8, write_quads, r->vq = x->vq | y->vq)
OP(xor_q, 2, 8, write_quads, r->vq = x->vq ^ y->vq)

/* Defines a conversion between sizes, for 8 channels: one chunk of 4-byte elements, two of 8-byte
 * elements. */
#define CONVERT(name, from_size, write, statement)                                                 \
    static void run_##name(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask)       \
    {                                                                                              \
        union lanes src[CHUNKS], dst[CHUNKS] = {};                                                 \
        load_elements(t, inst, 0, from_size, src);                                                 \
        for (unsigned i = 0; i < inst->eu.exec_size; i++) {                                        \
            const union lanes *wide_src = &src[i / WIDE];                                          \
            union lanes *wide_dst = &dst[i / WIDE];                                                \
            statement;                                                                             \
            (void)wide_src, (void)wide_dst;                                                        \
        }                                                                                          \
        write(t, inst, mask, dst);                                                                 \
    }

CONVERT(df_from_f, 4, write_doubles, wide_dst->d[i % WIDE] = src[0].f[i])
CONVERT(df_from_d, 4, write_doubles, wide_dst->d[i % WIDE] = src[0].i[i])
CONVERT(df_from_ud, 4, write_doubles, wide_dst->d[i % WIDE] = src[0].u[i])
CONVERT(f_from_df, 8, write_floats, dst[0].f[i] = (float)wide_src->d[i % WIDE])
CONVERT(d_from_df, 8, write_words, dst[0].i[i] = to_int(wide_src->d[i % WIDE]))
CONVERT(ud_from_df, 8, write_words, dst[0].u[i] = to_uint(wide_src->d[i % WIDE]))

static void run_pln_f(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask)
{
    const uint8_t *uv = t->grf + inst->vector.src[1].offset;
    union lanes u, v, r[CHUNKS];
    float p[4];

    memcpy(p, t->grf + inst->vector.src[0].offset, sizeof p);
    for (unsigned c = 0; c < count_chunks(inst, 4); c++, uv += 2 * CHUNK) {
        u.vu = *(const any_words *)uv;
        v.vu = *(const any_words *)(uv + CHUNK);
        EACH(r[c].f[i] = __builtin_fmaf(p[0], u.f[i], __builtin_fmaf(p[1], v.f[i], p[3])));
    }
    write_floats(t, inst, mask, r);
}

/* Comparisons store the condition itself. */
#define COMPARE(name, size, member, condition)                                                     \
    static void run_cmp_##name(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask)   \
    {                                                                                              \
        union lanes x[CHUNKS], y[CHUNKS], r[CHUNKS];                                               \
        uint32_t bits = 0;                                                                         \
        load_elements(t, inst, 0, size, x);                                                        \
        load_elements(t, inst, 1, size, y);                                                        \
        for (unsigned c = 0; c < count_chunks(inst, size); c++) {                                  \
            CONDITION(inst->eu.cmod, x[c].member, y[c].member, r[c].condition)                     \
            bits |= collect(&r[c], size) << c * (CHUNK / size);                                    \
        }                                                                                          \
        sim_write_flags(t, &inst->eu, bits, mask);                                                 \
        if (!inst->vector.null)                                                                    \
            store(t, inst, mask, size, r);                                                         \
    }

COMPARE(f, 4, vf, vi)
COMPARE(d, 4, vi, vi)
COMPARE(ud, 4, vu, vi)
COMPARE(df, 8, vd, vl)
COMPARE(q, 8, vl, vl)
COMPARE(uq, 8, vq, vl)

/* Minimum and maximum: source 0 if the condition is true or source 1 is NaN. */
#define MIN_MAX(name, size, member, condition)                                                     \
    static void run_sel_##name(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask)   \
    {                                                                                              \
        union lanes x[CHUNKS], y[CHUNKS], first;                                                   \
        load_elements(t, inst, 0, size, x);                                                        \
        load_elements(t, inst, 1, size, y);                                                        \
        for (unsigned c = 0; c < count_chunks(inst, size); c++) {                                  \
            CONDITION(inst->eu.cmod, x[c].member, y[c].member, first.condition)                    \
            first.condition |= y[c].member != y[c].member;                                         \
            x[c].vu = (x[c].vu & first.vu) | (y[c].vu & ~first.vu);                                \
        }                                                                                          \
        store(t, inst, mask, size, x);                                                             \
    }

MIN_MAX(f, 4, vf, vi)
MIN_MAX(d, 4, vi, vi)
MIN_MAX(ud, 4, vu, vi)
MIN_MAX(df, 8, vd, vl)

INLINE void select_elements(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask,
                            unsigned size)
{
    uint32_t predicate = sim_predicate_mask(t, &inst->eu);
    union lanes x[CHUNKS], y[CHUNKS], first;

    load_elements(t, inst, 0, size, x);
    load_elements(t, inst, 1, size, y);
    for (unsigned c = 0; c < count_chunks(inst, size); c++) {
        expand(predicate >> c * (CHUNK / size), size, &first);
        x[c].vu = (x[c].vu & first.vu) | (y[c].vu & ~first.vu);
    }
    store(t, inst, mask, size, x);
}

static void run_sel(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask)
{
    select_elements(t, inst, mask, 4);
}

static void run_sel_q(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask)
{
    select_elements(t, inst, mask, 8);
}

const sim_vector_op SIM_VECTOR_TABLE[SIM_VECTOR_COUNT] = {
    [SIM_VECTOR_MOVE] = run_move,
    [SIM_VECTOR_MOVE_F] = run_move_f,
    [SIM_VECTOR_F_FROM_D] = run_f_from_d,
    [SIM_VECTOR_F_FROM_UD] = run_f_from_ud,
    [SIM_VECTOR_D_FROM_F] = run_d_from_f,
    [SIM_VECTOR_UD_FROM_F] = run_ud_from_f,
    [SIM_VECTOR_ADD_F] = run_add_f,
    [SIM_VECTOR_MUL_F] = run_mul_f,
    [SIM_VECTOR_MAD_F] = run_mad_f,
    [SIM_VECTOR_FRC_F] = run_frc_f,
    [SIM_VECTOR_RNDU_F] = run_rndu_f,
    [SIM_VECTOR_RNDD_F] = run_rndd_f,
    [SIM_VECTOR_RNDE_F] = run_rnde_f,
    [SIM_VECTOR_RNDZ_F] = run_rndz_f,
    [SIM_VECTOR_PLN_F] = run_pln_f,
    [SIM_VECTOR_INV_F] = run_inv_f,
    [SIM_VECTOR_SQRT_F] = run_sqrt_f,
    [SIM_VECTOR_RSQ_F] = run_rsq_f,
    [SIM_VECTOR_CMP_F] = run_cmp_f,
    [SIM_VECTOR_CMP_D] = run_cmp_d,
    [SIM_VECTOR_CMP_UD] = run_cmp_ud,
    [SIM_VECTOR_SEL] = run_sel,
    [SIM_VECTOR_SEL_F] = run_sel_f,
    [SIM_VECTOR_SEL_D] = run_sel_d,
    [SIM_VECTOR_SEL_UD] = run_sel_ud,
    [SIM_VECTOR_ADD] = run_add,
    [SIM_VECTOR_MUL] = run_mul,
    [SIM_VECTOR_NOT] = run_not,
    [SIM_VECTOR_AND] = run_and,
    [SIM_VECTOR_OR] = run_or,
    [SIM_VECTOR_XOR] = run_xor,
    [SIM_VECTOR_SHL] = run_shl,
    [SIM_VECTOR_SHR] = run_shr,
    [SIM_VECTOR_ASR] = run_asr,
    [SIM_VECTOR_MOVE_Q] = run_move_q,
    [SIM_VECTOR_MOVE_DF] = run_move_df,
    [SIM_VECTOR_DF_FROM_F] = run_df_from_f,
    [SIM_VECTOR_DF_FROM_D] = run_df_from_d,
    [SIM_VECTOR_DF_FROM_UD] = run_df_from_ud,
    [SIM_VECTOR_F_FROM_DF] = run_f_from_df,
    [SIM_VECTOR_D_FROM_DF] = run_d_from_df,
    [SIM_VECTOR_UD_FROM_DF] = run_ud_from_df,
    [SIM_VECTOR_ADD_DF] = run_add_df,
    [SIM_VECTOR_MUL_DF] = run_mul_df,
    [SIM_VECTOR_MAD_DF] = run_mad_df,
    [SIM_VECTOR_FRC_DF] = run_frc_df,
    [SIM_VECTOR_RNDU_DF] = run_rndu_df,
    [SIM_VECTOR_RNDD_DF] = run_rndd_df,
    [SIM_VECTOR_RNDE_DF] = run_rnde_df,
    [SIM_VECTOR_RNDZ_DF] = run_rndz_df,
    [SIM_VECTOR_CMP_DF] = run_cmp_df,
    [SIM_VECTOR_CMP_Q] = run_cmp_q,
    [SIM_VECTOR_CMP_UQ] = run_cmp_uq,
    [SIM_VECTOR_SEL_DF] = run_sel_df,
    [SIM_VECTOR_SEL_Q] = run_sel_q,
    [SIM_VECTOR_ADD_Q] = run_add_q,
    [SIM_VECTOR_NOT_Q] = run_not_q,
    [SIM_VECTOR_AND_Q] = run_and_q,
    [SIM_VECTOR_OR_Q] = run_or_q,
    [SIM_VECTOR_XOR_Q] = run_xor_q,
};
