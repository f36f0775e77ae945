/* SPDX-License-Identifier: MIT */
/*
 * exp2, log2, pow, sin and cos, computed by polynomials from operations that give the same bits
 * everywhere. nir_math.c includes this file to compute values, nir_lower_math.c to build NIR.
 *
 * The coefficients minimize the maximum relative error, which is given at each function. If the
 * function must be exact where the argument of the polynomial is 0, the first coefficient is that
 * of the power series. GLSL 4.60 §4.7.1 allows denormals to be flushed to zero.
 *
 * The includer defines the types `context`, `value` (32 bits) and `condition`, and the functions
 * add, sub, mul, reciprocal, less, equal, choose, int_add, int_sub, int_and, int_xor, shift_left,
 * shift_right (arithmetic), int_to_float, number, word, reduce_sin and reduce_cos.
 */

#include "nir_math_series.h"

/* Returns 2^x with an error of at most 1.4 units in the last place. Splits x into i + f with |f| <=
 * 1/2, computes 2^f by a polynomial of seven terms (error 6e-9), and adds i to the exponent.
 * Returns infinity for x >= 128, and 0 for x < -126, where the result would be denormal. */
static inline value opcode_exp2(context b, value x)
{
    static const double c[] = {
        1.0,
        0.6931471880262288,
        0.24022650760568126,
        0.05550357114219078,
        0.009618082557277852,
        0.0013390863364671234,
        0.0001545316294512069,
    };
    value limited = choose(b, less(b, number(b, 128.0), x), number(b, 128.0), x);
    value rounded = add(b, limited, number(b, NIR_MATH_ROUNDING));
    value f = sub(b, limited, sub(b, rounded, number(b, NIR_MATH_ROUNDING)));
    value power = power_series(b, f, c, ARRAY_SIZE(c));
    value result = int_add(b, power, shift_left(b, rounded, 23));
    result = choose(b, less(b, x, number(b, -126.0)), number(b, 0.0), result);
    return choose(b, equal(b, x, x), result, x); /* NaN */
}

/* Returns log2(x) with an error of at most 3 units in the last place; exact for powers of two.
 * Splits x into m 2^e with m in [sqrt(1/2), sqrt(2)). Then log2(m) = 2/ln 2 * artanh(t) with t = (m
 * - 1) / (m + 1), by four terms (error 7e-10). Returns -infinity for 0 and positive denormals, and
 * NaN for negative x. */
static inline value opcode_log2(context b, value x)
{
    static const double c[] = {2.8853900797889276, 0.9617988476415188, 0.5767143839981522,
                               0.43173587803377905};
    /* Shift the boundary between exponents from 1 to sqrt(1/2). */
    value bits = int_sub(b, x, word(b, 0x3f3504f3));
    value e = shift_right(b, bits, 23);
    value m = int_add(b, int_and(b, bits, word(b, 0x7fffff)), word(b, 0x3f3504f3));
    /* A division would not give the same bits everywhere: some drivers lower it to this product. */
    value t = mul(b, sub(b, m, number(b, 1.0)), reciprocal(b, add(b, m, number(b, 1.0))));
    value log_m = mul(b, t, power_series(b, mul(b, t, t), c, ARRAY_SIZE(c)));
    value result = add(b, int_to_float(b, e), log_m);
    value none = choose(b, less(b, x, number(b, 0.0)), number(b, NAN), number(b, -INFINITY));
    result = choose(b, less(b, x, number(b, 0x1p-126)), none, result);
    return choose(b, less(b, x, number(b, INFINITY)), result, x); /* +inf, NaN */
}

/* Returns x^y as 2^(y log2(x)). */
static inline value opcode_pow(context b, value x, value y)
{
    return opcode_exp2(b, mul(b, opcode_log2(b, x), y));
}

/* Returns the sine of an angle in about [-π/2, π/2]. The polynomial has five terms (error 6e-9) and
 * never exceeds 1. */
static inline value sine_of_reduced(context b, value r)
{
    static const double c[] = {-0.166666595467125, 0.00833306614234688, -0.0001980959477127509,
                               2.6057616145467115e-06};
    value r2 = mul(b, r, r);
    return add(b, r, mul(b, mul(b, r, r2), power_series(b, r2, c, ARRAY_SIZE(c))));
}

/* Returns r with sin(r) = sin(x), or sin(r) = cos(x) if `cosine`; NaN for infinities and NaN. |r|
 * is at most π/2 + 0.012, because k is rounded from an inexact product.
 *
 * r is x - k π, negated for odd n, where k is an integer n, or n - 1/2 for cosines. π is split into
 * four parts, whose products with k are subtracted one by one (Cody and Waite). For |x| <
 * NIR_MATH_LARGE_ANGLE, the products with the first three parts are exact: each is an integer, 2 k
 * times the significant bits of the part, below 2^24 and scaled by a power of two. reduce_sin and
 * reduce_cos reduce larger arguments by an exact product. */
static inline value reduce(context b, value x, bool cosine)
{
    value turns = mul(b, x, number(b, 0.31830988618379067));
    if (cosine)
        turns = add(b, turns, number(b, 0.5));
    value rounded = add(b, turns, number(b, NIR_MATH_ROUNDING));
    value k = sub(b, rounded, number(b, NIR_MATH_ROUNDING));
    if (cosine)
        k = sub(b, k, number(b, 0.5));
    value r = sub(b, x, mul(b, k, number(b, 0x1.92p+1)));
    r = sub(b, r, mul(b, k, number(b, 0x1.fcp-11)));
    r = add(b, r, mul(b, k, number(b, 0x1.58p-20)));
    r = sub(b, r, mul(b, k, number(b, 0x1.10b462p-29)));
    r = int_xor(b, r, shift_left(b, rounded, 31));
    return cosine ? reduce_cos(b, x, r) : reduce_sin(b, x, r);
}

/* Returns sin(x). */
static inline value opcode_sin(context b, value x)
{
    return sine_of_reduced(b, reduce(b, x, false));
}

/* Returns cos(x); cos(0) is exactly 1. */
static inline value opcode_cos(context b, value x)
{
    return sine_of_reduced(b, reduce(b, x, true));
}
