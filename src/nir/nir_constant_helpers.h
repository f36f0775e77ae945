/* SPDX-License-Identifier: MIT */
/* Functions called by the constant expressions of nir_opcodes.py. None has undefined behavior. */
#ifndef NIR_CONSTANT_HELPERS_H
#define NIR_CONSTANT_HELPERS_H

#include <math.h>

#include "nir_math.h"

#include "util/half.h"
#include "util/macros.h"
#include "util/srgb_half.h"

/* Returns x. If x is NaN, returns the NaN of nir_canonicalize_nans: positive and quiet, with a
 * payload of 0. */
static inline double canonical_nan(double x)
{
    return isnan(x) ? (double)NAN : x;
}

/* Returns f rounded toward zero and saturated to a signed integer of `bits` bits; 0 for NaN. */
static inline int64_t float_to_int(double f, unsigned bits)
{
    double limit = ldexp(1.0, bits - 1);
    int64_t max = bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
    if (f != f)
        return 0;
    return f >= limit ? max : f < -limit ? -max - 1 : (int64_t)f;
}

/* Like float_to_int(), for an unsigned integer; negative values become 0. */
static inline uint64_t float_to_uint(double f, unsigned bits)
{
    uint64_t max = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    if (!(f > 0))
        return 0;
    return f >= ldexp(1.0, bits) ? max : (uint64_t)f;
}

/* Returns x + y, saturated to a signed integer of `bits` bits. */
static inline int64_t add_saturated(int64_t x, int64_t y, unsigned bits)
{
    int64_t sum, max = INT64_MAX >> (64 - bits);
    if (__builtin_add_overflow(x, y, &sum))
        return x < 0 ? INT64_MIN : INT64_MAX;
    return CLAMP(sum, -max - 1, max);
}

/* Returns x - y, saturated to a signed integer of `bits` bits. */
static inline int64_t subtract_saturated(int64_t x, int64_t y, unsigned bits)
{
    int64_t difference, max = INT64_MAX >> (64 - bits);
    if (__builtin_sub_overflow(x, y, &difference))
        return x < 0 ? INT64_MIN : INT64_MAX;
    return CLAMP(difference, -max - 1, max);
}

/* Returns the high half of the product of two unsigned integers of `bits` bits. Not all CPUs have
 * integers of 128 bits, so the product of 64-bit integers is computed from products of halves. */
static inline uint64_t multiply_high_uint(uint64_t x, uint64_t y, unsigned bits)
{
    if (bits < 64)
        return x * y >> bits;
    uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
    uint64_t middle = x1 * y0 + (x0 * y0 >> 32);
    return x1 * y1 + (middle >> 32) + ((x0 * y1 + (uint32_t)middle) >> 32);
}

/* Like multiply_high_uint(), for signed integers. */
static inline int64_t multiply_high_int(int64_t x, int64_t y, unsigned bits)
{
    if (bits < 64)
        return x * y >> bits;
    uint64_t high = multiply_high_uint((uint64_t)x, (uint64_t)y, bits);
    return (int64_t)(high - (x < 0 ? (uint64_t)y : 0) - (y < 0 ? (uint64_t)x : 0));
}

/* Rounds to the nearest half (as packHalf2x16 does) and back; denormal halves become zero. */
static inline float quantize_to_half(float f)
{
    uint16_t h = util_float_to_half(f);
    return (h & 0x7c00) ? util_half_to_float(h) : copysignf(0.0f, f);
}

/* Rounds f toward zero to a half and returns the half's value as a float. */
static inline float round_to_half_toward_zero(double f)
{
    float nearest = util_half_to_float(util_float_to_half((float)f));
    if (f != f || fabs((double)nearest) <= fabs(f))
        return nearest;
    return util_half_to_float(util_float_to_half((float)f) - 1);
}

/* Returns x + (y - x) * share / 2^15 modulo 2^16. y - x and share are signed 16-bit values; the
 * product is rounded to nearest, ties up. */
static inline uint16_t lerp_half(uint16_t x, uint16_t y, uint16_t share)
{
    int difference = (int16_t)(uint16_t)(y - x), product = difference * (int16_t)share;
    return (uint16_t)(x + ((product + 0x4000) >> 15));
}

/* Returns the exponent that GLSL's frexp returns; 0 for infinity and NaN. */
static inline int frexp_exponent(double f)
{
    int exponent = 0;
    if (isfinite(f))
        (void)frexp(f, &exponent);
    return exponent;
}

/* Returns the significand that GLSL's frexp returns; infinity and NaN unchanged. */
static inline double frexp_significand(double f)
{
    int exponent;
    return isfinite(f) ? frexp(f, &exponent) : f;
}

/* Returns x with bit i moved to bit 31 - i. */
static inline uint32_t reverse_bits(uint32_t x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}

/* Returns true if GLSL defines the result of a bit field operation on these 32-bit operands. */
static inline bool bitfield_range_is_valid(int32_t offset, int32_t bits)
{
    return offset >= 0 && bits >= 0 && (int64_t)offset + bits <= 32;
}

/* Returns `bits` bits of value, from bit `offset` < 32 on, zero-extended. */
static inline uint32_t extract_bits(uint32_t value, unsigned offset, unsigned bits)
{
    if (bits == 0)
        return 0;
    value >>= offset;
    return bits < 32 ? value & ((1u << bits) - 1) : value;
}

/* Like extract_bits(), but sign-extends the result. */
static inline int32_t extract_bits_signed(int32_t value, unsigned offset, unsigned bits)
{
    if (bits == 0)
        return 0;
    if (offset + bits >= 32)
        return value >> offset;
    return (int32_t)((uint32_t)value << (32 - bits - offset)) >> (32 - bits);
}

/* Returns base with `bits` bits from bit `offset` < 32 on replaced by the low bits of insert. */
static inline uint32_t insert_bits(uint32_t base, uint32_t insert, unsigned offset, unsigned bits)
{
    if (bits == 0)
        return base;
    uint32_t mask = (bits < 32 ? (1u << bits) - 1 : ~0u) << offset;
    return (base & ~mask) | ((insert << offset) & mask);
}

/* Returns x, or zero with the sign of x if bit_size is 32 and x is a denormal 32-bit float. */
static inline double flush_float(double x, unsigned bit_size)
{
    return bit_size == 32 && fabs(x) < 0x1p-126 ? copysign(0.0, x) : x;
}

/* Converts f, clamped to [-1, 1], to a signed normalized integer in [-limit, limit]. Rounds to
 * nearest even; NaN becomes -limit. */
static inline int32_t snorm_to_int(float f, float limit)
{
    return f == f ? (int32_t)rintf(CLAMP(f, -1.0f, 1.0f) * limit) : (int32_t)-limit;
}

/* Converts f, clamped to [0, 1], to an unsigned normalized integer in [0, limit]. Rounds to nearest
 * even; NaN becomes 0. */
static inline int32_t unorm_to_int(float f, float limit)
{
    return f == f ? (int32_t)rintf(CLAMP(f, 0.0f, 1.0f) * limit) : 0;
}

/* Returns the float in [-1, 1] that a signed normalized integer with the maximum `limit` stands
 * for. */
static inline float unpack_snorm(int32_t i, float limit)
{
    return MAX2(i / limit, -1.0f);
}

#endif
