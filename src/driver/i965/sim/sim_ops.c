/* SPDX-License-Identifier: MIT */
/*
 * The operation of each opcode (Skylake PRM, volume 2a, "Instruction Set Reference"). Integers have
 * 64 bits here and are exact for narrower types; shifts and bit operations consider the source
 * types.
 */
#include <math.h>

#include "nir_math.h"
#include "sim_ops.h"
#include "util/macros.h"

bool sim_compare_real(enum eu_cmod cmod, double x, double y)
{
    switch (cmod) {
    case EU_CMOD_Z:
        return x == y;
    case EU_CMOD_NZ:
        return x != y;
    case EU_CMOD_G:
        return x > y;
    case EU_CMOD_GE:
        return x >= y;
    case EU_CMOD_L:
        return x < y;
    case EU_CMOD_LE:
        return x <= y;
    case EU_CMOD_U:
        return isnan(x) || isnan(y);
    default:
        return false;
    }
}

bool sim_compare_int(enum eu_cmod cmod, int64_t x, int64_t y, bool is_unsigned64)
{
    bool less = is_unsigned64 ? (uint64_t)x < (uint64_t)y : x < y;

    switch (cmod) {
    case EU_CMOD_Z:
        return x == y;
    case EU_CMOD_NZ:
        return x != y;
    case EU_CMOD_G:
        return !less && x != y;
    case EU_CMOD_GE:
        return !less;
    case EU_CMOD_L:
        return less;
    case EU_CMOD_LE:
        return less || x == y;
    default:
        return false;
    }
}

/* Define one function per class from an expression for one lane. */
#define FLOAT_OP(name, expression, double_expression)                                              \
    static void name##_float(struct sim_alu *a)                                                    \
    {                                                                                              \
        const float *x = a->src[0].f, *y = a->src[1].f, *z = a->src[2].f;                          \
        for (unsigned i = 0; i < a->n; i++)                                                        \
            a->dst.f[i] = (expression);                                                            \
        (void)y, (void)z;                                                                          \
    }                                                                                              \
    static void name##_double(struct sim_alu *a)                                                   \
    {                                                                                              \
        const double *x = a->src[0].d, *y = a->src[1].d, *z = a->src[2].d;                         \
        for (unsigned i = 0; i < a->n; i++)                                                        \
            a->dst.d[i] = (double_expression);                                                     \
        (void)y, (void)z;                                                                          \
    }

#define INT_OP(name, expression)                                                                   \
    static void name##_int(struct sim_alu *a)                                                      \
    {                                                                                              \
        for (unsigned i = 0; i < a->n; i++) {                                                      \
            uint64_t x = (uint64_t)a->src[0].i[i], y = (uint64_t)a->src[1].i[i],                   \
                     z = (uint64_t)a->src[2].i[i];                                                 \
            (void)y, (void)z;                                                                      \
            a->dst.i[i] = (int64_t)(expression);                                                   \
        }                                                                                          \
    }

/* Returns the number of bits of source 0's type. */
static unsigned type_bits(const struct sim_alu *a)
{
    return eu_type_size(a->inst->eu.src[0].type) * 8;
}

static uint64_t type_mask(const struct sim_alu *a)
{
    unsigned bits = MAX2(type_bits(a), 32);
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* Returns a shift count: five bits, or six with 64-bit operands. */
static unsigned shift_count(const struct sim_alu *a, uint64_t count)
{
    bool wide = eu_type_size(a->inst->eu.dst.type) == 8 || type_bits(a) == 64;
    return (unsigned)(count & (wide ? 63 : 31));
}

static uint32_t reverse_bits(uint32_t x)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}

/* Extracts a field of `width` bits at `offset`; the type determines sign extension. */
static int64_t extract(const struct sim_alu *a, uint32_t width, uint32_t offset, uint32_t value)
{
    width &= 31;
    offset &= 31;
    if (!width)
        return 0;
    if (offset + width > 32)
        width = 32 - offset;
    uint32_t field = value << (32 - offset - width);
    if (a->inst->eu.dst.type == EU_TYPE_D)
        return (int32_t)field >> (32 - width);
    return field >> (32 - width);
}

static uint32_t field_mask(uint32_t width, uint32_t offset)
{
    return ((1u << (width & 31)) - 1) << (offset & 31);
}

static uint32_t insert(uint32_t mask, uint32_t value, uint32_t base)
{
    unsigned shift = mask ? (unsigned)__builtin_ctz(mask) : 0;
    return (value << shift & mask) | (base & ~mask);
}

/* Counts from the highest bit down to the first 1, for signed numbers to the first bit that differs
 * from the sign. */
static uint32_t first_high(const struct sim_alu *a, uint32_t x)
{
    if (a->inst->eu.src[0].type == EU_TYPE_D && x >> 31)
        x = ~x;
    return x ? (uint32_t)__builtin_clz(x) : UINT32_MAX;
}

/* Computes x · y + z. Sums beyond 64 bits saturate, which suffices before saturation to 32 bits or
 * less. */
static int64_t multiply_add(const struct sim_alu *a, int64_t x, int64_t y, int64_t z)
{
    int64_t product, sum;

    if (!a->inst->eu.saturate)
        return (int64_t)((uint64_t)x * (uint64_t)y + (uint64_t)z);
    if (__builtin_mul_overflow(x, y, &product))
        return (x < 0) == (y < 0) ? INT64_MAX : INT64_MIN;
    if (__builtin_add_overflow(product, z, &sum))
        return z < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

/* Returns the value of a 64-bit word that source s has after its modifiers. */
static __int128 value64(const struct sim_alu *a, unsigned s, uint64_t word)
{
    const struct eu_reg *reg = &a->inst->eu.src[s];
    uint64_t before = reg->negate ? -word : word;
    __int128 value = reg->type == EU_TYPE_UQ || reg->abs ? (__int128)before : (int64_t)before;
    return reg->negate ? -value : value;
}

/* Computes x + y. Sums for a saturated destination of 64 bits are saturated. */
static int64_t sum(const struct sim_alu *a, uint64_t x, uint64_t y)
{
    enum eu_type type = a->inst->eu.dst.type;

    if (!a->inst->eu.saturate || (type != EU_TYPE_Q && type != EU_TYPE_UQ))
        return (int64_t)(x + y);
    __int128 exact = value64(a, 0, x) + value64(a, 1, y);
    if (type == EU_TYPE_UQ)
        return (int64_t)(uint64_t)CLAMP(exact, (__int128)0, (__int128)UINT64_MAX);
    return (int64_t)CLAMP(exact, (__int128)INT64_MIN, (__int128)INT64_MAX);
}

FLOAT_OP(add, x[i] + y[i], x[i] + y[i])
FLOAT_OP(mul, x[i] * y[i], x[i] * y[i])
FLOAT_OP(frc, x[i] - floorf(x[i]), x[i] - floor(x[i]))
FLOAT_OP(rndu, ceilf(x[i]), ceil(x[i]))
FLOAT_OP(rndd, floorf(x[i]), floor(x[i]))
FLOAT_OP(rnde, rintf(x[i]), rint(x[i]))
FLOAT_OP(rndz, truncf(x[i]), trunc(x[i]))
FLOAT_OP(mad, fmaf(y[i], z[i], x[i]), fma(y[i], z[i], x[i]))
FLOAT_OP(lrp, x[i] * y[i] + (1.0f - x[i]) * z[i], x[i] * y[i] + (1.0 - x[i]) * z[i])

INT_OP(add, sum(a, x, y))
INT_OP(mul, multiply_add(a, (int64_t)x, (int64_t)y, 0))
INT_OP(mad, multiply_add(a, (int64_t)y, (int64_t)z, (int64_t)x))
INT_OP(not, ~x)
INT_OP(and, x &y)
INT_OP(or, x | y)
INT_OP(xor, x ^ y)
INT_OP(shr, (x & type_mask(a)) >> shift_count(a, y))
INT_OP(shl, x << shift_count(a, y))
INT_OP(asr, (int64_t)x >> shift_count(a, y))
INT_OP(avg, (int64_t)(x + y + 1) >> 1)
INT_OP(bfrev, reverse_bits((uint32_t)x))
INT_OP(bfe, extract(a, (uint32_t)x, (uint32_t)y, (uint32_t)z))
INT_OP(bfi1, field_mask((uint32_t)x, (uint32_t)y))
INT_OP(bfi2, insert((uint32_t)x, (uint32_t)y, (uint32_t)z))
INT_OP(lzd, (uint32_t)x ? __builtin_clz((uint32_t)x) : 32)
INT_OP(fbh, first_high(a, (uint32_t)x))
INT_OP(fbl, (uint32_t)x ? (uint32_t)__builtin_ctz((uint32_t)x) : UINT32_MAX)
INT_OP(cbit, __builtin_popcount((uint32_t)x))

const struct sim_ops sim_ops[128] = {
    [EU_OPCODE_NOT] = {NULL, NULL, not_int},
    [EU_OPCODE_AND] = {NULL, NULL, and_int},
    [EU_OPCODE_OR] = {NULL, NULL, or_int},
    [EU_OPCODE_XOR] = {NULL, NULL, xor_int},
    [EU_OPCODE_SHR] = {NULL, NULL, shr_int},
    [EU_OPCODE_SHL] = {NULL, NULL, shl_int},
    [EU_OPCODE_ASR] = {NULL, NULL, asr_int},
    [EU_OPCODE_BFREV] = {NULL, NULL, bfrev_int},
    [EU_OPCODE_BFE] = {NULL, NULL, bfe_int},
    [EU_OPCODE_BFI1] = {NULL, NULL, bfi1_int},
    [EU_OPCODE_BFI2] = {NULL, NULL, bfi2_int},
    [EU_OPCODE_ADD] = {add_float, add_double, add_int},
    [EU_OPCODE_MUL] = {mul_float, mul_double, mul_int},
    [EU_OPCODE_AVG] = {NULL, NULL, avg_int},
    [EU_OPCODE_FRC] = {frc_float, frc_double, NULL},
    [EU_OPCODE_RNDU] = {rndu_float, rndu_double, NULL},
    [EU_OPCODE_RNDD] = {rndd_float, rndd_double, NULL},
    [EU_OPCODE_RNDE] = {rnde_float, rnde_double, NULL},
    [EU_OPCODE_RNDZ] = {rndz_float, rndz_double, NULL},
    [EU_OPCODE_LZD] = {NULL, NULL, lzd_int},
    [EU_OPCODE_FBH] = {NULL, NULL, fbh_int},
    [EU_OPCODE_FBL] = {NULL, NULL, fbl_int},
    [EU_OPCODE_CBIT] = {NULL, NULL, cbit_int},
    [EU_OPCODE_MAD] = {mad_float, mad_double, mad_int},
    [EU_OPCODE_LRP] = {lrp_float, lrp_double, NULL},
};

int64_t sim_divide(int64_t x, int64_t y, enum eu_type type, bool remainder)
{
    if (type == EU_TYPE_UD)
        x = (uint32_t)x, y = (uint32_t)y;
    else
        x = (int32_t)x, y = (int32_t)y;
    if (!y)
        return type == EU_TYPE_UD ? UINT32_MAX : -1;
    return remainder ? x % y : x / y;
}

/* The functions of nir_math.h give the values of the CPU driver. */
static float evaluate(enum eu_math function, float x, float y)
{
    switch (function) {
    case EU_MATH_INV:
        return 1.0f / x;
    case EU_MATH_LOG:
        return nir_math_log2(x);
    case EU_MATH_EXP:
        return nir_math_exp2(x);
    case EU_MATH_SQRT:
        return sqrtf(x);
    case EU_MATH_RSQ:
        return 1.0f / sqrtf(x);
    case EU_MATH_SIN:
        return nir_math_sin(x);
    case EU_MATH_COS:
        return nir_math_cos(x);
    case EU_MATH_FDIV:
        return x / y;
    default:
        return nir_math_pow(fabsf(x), y);
    }
}

bool sim_math(enum eu_math function, struct sim_alu *a)
{
    if (function < EU_MATH_INV || function > EU_MATH_POW ||
        (function > EU_MATH_COS && function < EU_MATH_FDIV))
        return false;
    for (unsigned i = 0; i < a->n; i++) {
        if (a->mask >> i & 1)
            a->dst.f[i] = evaluate(function, a->src[0].f[i], a->src[1].f[i]);
    }
    return true;
}
