/* SPDX-License-Identifier: MIT */
/*
 * Functions of the shading language that have no opcode in NIR. nir_math.c includes this file to
 * compute values, nir_build_math.c to build NIR. The includer defines the types and functions that
 * nir_math_opcodes.h lists, and the functions divide, negate, absolute, sign, square_root, maximum,
 * both, not, is_negative, exp2_of and log2_of.
 *
 * The inverse trigonometric functions are minimax polynomials from Abramowitz and Stegun, Handbook
 * of Mathematical Functions, §4.4, with absolute errors below 1e-5; GLSL 4.60 §4.7.1 requires only
 * inherited precision. NaN gives NaN.
 *
 * function_exp(b, x) is GLSL's exp(x), and so on; atan is the function of one argument.
 */

#include "nir_math_series.h"

static inline value add_number(context b, value x, double y)
{
    return add(b, x, number(b, y));
}

static inline value mul_number(context b, value x, double y)
{
    return mul(b, x, number(b, y));
}

static inline value sub_from(context b, double x, value y)
{
    return sub(b, number(b, x), y);
}

/* Returns acos(|x|) = sqrt(1 - |x|) * p(|x|) (A&S 4.4.46). */
static inline value acos_of_abs(context b, value a)
{
    static const double p[] = {1.5707963050, -0.2145988016, 0.0889789874, -0.0501743046,
                               0.0308918810, -0.0170881256, 0.0066700901, -0.0012624911};
    value root = square_root(b, maximum(b, sub_from(b, 1, a), number(b, 0)));
    return mul(b, root, power_series(b, a, p, ARRAY_SIZE(p)));
}

/* Returns asin(x). Near zero, the series x + x^3/6 + … keeps the relative error small. */
static inline value function_asin(context b, value x)
{
    static const double series[] = {1, 1 / 6.0, 3 / 40.0, 15 / 336.0, 105 / 3456.0, 945 / 42240.0};
    value a = absolute(b, x);
    value big = mul(b, sign(b, x), sub_from(b, M_PI_2, acos_of_abs(b, a)));
    value x2 = mul(b, x, x);
    value small = mul(b, x, power_series(b, x2, series, ARRAY_SIZE(series)));
    return choose(b, less(b, a, number(b, 0.5)), small, big);
}

static inline value function_acos(context b, value x)
{
    value r = acos_of_abs(b, absolute(b, x));
    return choose(b, less(b, x, number(b, 0)), sub_from(b, M_PI, r), r);
}

/* Returns atan(x) for |x| <= 1 (A&S 4.4.49). */
static inline value atan_of_unit(context b, value x)
{
    static const double p[] = {1.0,           -0.3333314528, 0.1999355085,
                               -0.1420889944, 0.1065626393,  -0.0752896400,
                               0.0429096138,  -0.0161657367, 0.0028662257};
    return mul(b, x, power_series(b, mul(b, x, x), p, ARRAY_SIZE(p)));
}

static inline value function_atan(context b, value x)
{
    value a = absolute(b, x);
    condition inverted = less(b, number(b, 1), a);
    value reduced = choose(b, inverted, reciprocal(b, x), x);
    value r = atan_of_unit(b, reduced);
    value half_pi = mul_number(b, sign(b, x), M_PI_2);
    return choose(b, inverted, sub(b, half_pi, r), r);
}

/* Returns GLSL's atan(y, x). Uses the sign bits of both operands, so that atan(-0, -1) is -π. If
 * they have equal magnitudes, the quotient is replaced by 1, because infinities give NaN. For two
 * zeros, the quotient is 0. */
static inline value function_atan2(context b, value y, value x)
{
    value ax = absolute(b, x), ay = absolute(b, y);
    condition steep = less(b, ax, ay);
    value low = choose(b, steep, ax, ay), high = choose(b, steep, ay, ax);
    value one = number(b, 1);
    condition zeros = equal(b, high, number(b, 0));
    value q = divide(b, low, choose(b, zeros, one, high));
    condition same = both(b, equal(b, low, high), not(b, zeros));
    value r = atan_of_unit(b, choose(b, same, one, q));
    r = choose(b, steep, sub_from(b, M_PI_2, r), r);
    r = choose(b, is_negative(b, x), sub_from(b, M_PI, r), r);
    return choose(b, is_negative(b, y), negate(b, r), r);
}

static inline value function_exp(context b, value x)
{
    return exp2_of(b, mul_number(b, x, M_LOG2E));
}

static inline value function_log(context b, value x)
{
    return mul_number(b, log2_of(b, x), M_LN2);
}

/* Returns sinh(x): (e^x - e^-x) / 2; for |x| < 1, where that cancels, x + x^3/6 + x^5/120 +
 * x^7/5040. */
static inline value function_sinh(context b, value x)
{
    static const double series[] = {1, 1 / 6.0, 1 / 120.0, 1 / 5040.0};
    value big = mul_number(b, sub(b, function_exp(b, x), function_exp(b, negate(b, x))), 0.5);
    value small = mul(b, x, power_series(b, mul(b, x, x), series, ARRAY_SIZE(series)));
    return choose(b, less(b, absolute(b, x), number(b, 1)), small, big);
}

static inline value function_cosh(context b, value x)
{
    return mul_number(b, add(b, function_exp(b, x), function_exp(b, negate(b, x))), 0.5);
}

/* Returns tanh(x). Clamps x to [-10, 10]: outside, the result is ±1 in single precision, and e^x
 * could overflow. */
static inline value function_tanh(context b, value x)
{
    value c = choose(b, less(b, x, number(b, -10)), number(b, -10), x);
    c = choose(b, less(b, number(b, 10), c), number(b, 10), c);
    return divide(b, function_sinh(b, c), function_cosh(b, c));
}

static inline value function_asinh(context b, value x)
{
    value a = absolute(b, x);
    value root = square_root(b, add_number(b, mul(b, a, a), 1));
    value r = mul(b, sign(b, x), function_log(b, add(b, a, root)));
    return choose(b, less(b, a, number(b, 0.001)), x, r);
}

static inline value function_acosh(context b, value x)
{
    value root = square_root(b, add_number(b, mul(b, x, x), -1));
    return function_log(b, add(b, x, root));
}

static inline value function_atanh(context b, value x)
{
    value q = divide(b, add_number(b, x, 1), sub_from(b, 1, x));
    value r = mul_number(b, function_log(b, q), 0.5);
    return choose(b, less(b, absolute(b, x), number(b, 0.001)), x, r);
}

/* Adds a part to *sum and returns the rounding error. */
static inline value add_part(context b, value *sum, value part)
{
    value old = *sum;
    *sum = add(b, old, part);
    return add(b, sub(b, old, *sum), part);
}

/* Reduces x, with |x| < NIR_MATH_LARGE_ANGLE, by k π/2, where k is the integer nearest to x / (π/2).
 * Stores x - k π/2 as the unevaluated sum *hi + *lo. |*hi| is at most π/4 + 0.01, because k is
 * rounded from an inexact product. Returns a value whose lowest bit is that of k.
 *
 * k π/2 is subtracted in six parts (Cody and Waite); small_parts holds the last four, negated. The
 * first five parts have at most 8 significant bits, so their products with k fit into 24 bits and
 * are exact. *lo is the sum of the rounding errors (Dekker, "A Floating-Point Technique for
 * Extending the Available Precision", 1971). */
static inline value reduce_to_octants(context b, value x, value *hi, value *lo)
{
    static const double small_parts[] = {0x1.58p-21, -0x1.1p-30, -0x1.68p-39, -0x1.84698ap-48};
    value rounded = add_number(b, mul_number(b, x, M_2_PI), NIR_MATH_ROUNDING);
    value k = add_number(b, rounded, -NIR_MATH_ROUNDING);
    value r = sub(b, x, mul_number(b, k, 0x1.92p+0));
    r = sub(b, r, mul_number(b, k, 0x1.fcp-12));
    *lo = add_part(b, &r, mul_number(b, k, small_parts[0]));
    for (unsigned i = 1; i < ARRAY_SIZE(small_parts); i++)
        *lo = add(b, *lo, add_part(b, &r, mul_number(b, k, small_parts[i])));
    *hi = r;
    return rounded;
}

/* Returns tan(x) with an error of at most 2e-7 max(1, |tan(x)|). With x = k π/2 + r and |r| <= π/4,
 * tan(x) is tan(r) if k is even, and -1/tan(r) if k is odd. tan(r) is computed as r + r^3 p(r^2),
 * where p has six terms (error 2.4e-8).
 *
 * freduce_sin and freduce_cos reduce large angles to s and c with sin(s) = sin(x) and sin(c) =
 * cos(x), so |s| + |c| = π/2. The one of smaller magnitude is ±r, and tan(x) has the sign of s c.
 * For smaller angles, these opcodes return their second sources: r and 2, or 2 and -r if k is
 * odd. */
static inline value function_tan(context b, value x)
{
    static const double p[] = {0.33333104310776551,  0.13340167075116998,   0.053297709975844198,
                               0.024836046599542390, 0.0024686258742741295, 0.0097706549982207493};
    value hi, lo;
    value odd_bit = shift_left(b, reduce_to_octants(b, x, &hi, &lo), 31);
    condition odd = is_negative(b, odd_bit),
              large = less(b, number(b, 0x1.fefffep+16), absolute(b, x));
    value s = reduce_sin(b, x, choose(b, odd, number(b, 2), hi));
    value c = reduce_cos(b, x, choose(b, odd, negate(b, hi), number(b, 2)));
    value e = choose(b, large, number(b, 0), int_xor(b, lo, odd_bit));
    condition inverse = less(b, absolute(b, c), absolute(b, s));
    value sign_of_other = int_and(b, choose(b, inverse, s, c), word(b, 0x80000000u));
    value r = int_xor(b, choose(b, inverse, c, s), sign_of_other);
    value r2 = mul(b, r, r);
    value rest = mul(b, r, mul(b, r2, power_series(b, r2, p, ARRAY_SIZE(p))));
    /* tan(r + e) = tan(r) + e (1 + tan(r)^2) + … */
    value tangent = add(b, r, add(b, rest, add(b, e, mul(b, e, r2))));
    return choose(b, inverse, reciprocal(b, tangent), tangent);
}
