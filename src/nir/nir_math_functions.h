/* SPDX-License-Identifier: MIT */
/*
 * Functions of the shading language that have no opcode. nir_math.c includes this file to compute
 * values, nir_build_math.c to build NIR. The includer defines what nir_math_opcodes.h lists, and
 * the functions negate, absolute, sign, square_root, reciprocal, maximum, both, not, exp2_of,
 * log2_of, sine_of and cosine_of.
 *
 * The inverse trigonometric functions are minimax polynomials from Abramowitz and Stegun, Handbook
 * of Mathematical Functions, §4.4, with absolute errors below 1e-5; GLSL 4.60 §4.7.1 requires only
 * inherited precision. NaN gives NaN.
 */

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

static inline value series_of(context b, value x, const double *c, unsigned count)
{
    value sum = number(b, c[count - 1]);
    for (unsigned i = count - 1; i-- > 0;)
        sum = add_number(b, mul(b, sum, x), c[i]);
    return sum;
}

/* Returns acos(|x|) = sqrt(1 - |x|) * p(|x|) (A&S 4.4.46). */
static inline value acos_of_abs(context b, value a)
{
    static const double p[] = {1.5707963050, -0.2145988016, 0.0889789874, -0.0501743046,
                               0.0308918810, -0.0170881256, 0.0066700901, -0.0012624911};
    value root = square_root(b, maximum(b, sub_from(b, 1, a), number(b, 0)));
    return mul(b, root, series_of(b, a, p, ARRAY_SIZE(p)));
}

/* Near zero, the series x + x^3/6 + … keeps the relative error small. */
static inline value function_asin(context b, value x)
{
    static const double series[] = {1, 1 / 6.0, 3 / 40.0, 15 / 336.0, 105 / 3456.0, 945 / 42240.0};
    value a = absolute(b, x);
    value big = mul(b, sign(b, x), sub_from(b, M_PI_2, acos_of_abs(b, a)));
    value x2 = mul(b, x, x);
    value small = mul(b, x, series_of(b, x2, series, ARRAY_SIZE(series)));
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
    return mul(b, x, series_of(b, mul(b, x, x), p, ARRAY_SIZE(p)));
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

/* Uses the sign bits, so that atan(-0, -1) is -pi. Equal magnitudes, including zeros and
 * infinities, must not lead to 0/0. */
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

/* Computes (e^x - e^-x) / 2, or near zero, where that cancels, the series x + x^3/6 + x^5/120. */
static inline value function_sinh(context b, value x)
{
    static const double series[] = {1, 1 / 6.0, 1 / 120.0, 1 / 5040.0};
    value big = mul_number(b, sub(b, function_exp(b, x), function_exp(b, negate(b, x))), 0.5);
    value small = mul(b, x, series_of(b, mul(b, x, x), series, ARRAY_SIZE(series)));
    return choose(b, less(b, absolute(b, x), number(b, 1)), small, big);
}

static inline value function_cosh(context b, value x)
{
    return mul_number(b, add(b, function_exp(b, x), function_exp(b, negate(b, x))), 0.5);
}

/* The input is clamped: beyond 10 the result is 1 in single precision, and e^x could overflow. */
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

static inline value function_tan(context b, value x)
{
    return divide(b, sine_of(b, x), cosine_of(b, x));
}
