/* SPDX-License-Identifier: MIT */
/*
 * The reduction of large angles. Those below HUGE_ANGLE need two dozen float operations; others
 * need integer arithmetic (Payne and Hanek, "Radian Reduction for Trigonometric Functions", 1983).
 * nir_math.c includes this file to compute values, nir_lower_math.c to build NIR.
 *
 * nir_math_lanes.h includes it for each vector width. The includer defines what nir_math_opcodes.h
 * lists, and the functions int_mul, high_mul, unsigned_less, equal_words, shift_left_by,
 * unsigned_shift_right_by, highest_bit and unsigned_to_float. It may define REDUCE_FUNCTION, the
 * specifiers of the functions, and HAS_SELECT_WORDS if it defines select_words.
 */
#ifndef REDUCE_FUNCTION
#define REDUCE_FUNCTION static inline
#endif

#define HUGE_ANGLE 0x1p24f /* radians; from here on, reduce_large is needed */

/* Returns whether a positive float is at least `first`. Returns false for infinities and NaN. */
REDUCE_FUNCTION condition is_finite_from(context b, value magnitude, float first)
{
    value limit = number(b, first);
    return unsigned_less(b, int_sub(b, magnitude, limit), int_sub(b, number(b, INFINITY), limit));
}

/* Returns whether a positive float must be reduced. */
REDUCE_FUNCTION condition is_large_angle(context b, value magnitude)
{
    return is_finite_from(b, magnitude, NIR_MATH_LARGE_ANGLE);
}

/* Returns whether reduce_large, instead of reduce_medium, must reduce a positive float. */
REDUCE_FUNCTION condition is_huge_angle(context b, value magnitude)
{
    return is_finite_from(b, magnitude, HUGE_ANGLE);
}

/* Returns an angle in about [-π/2, π/2] whose sine is sin(x), or cos(x) if cosine, for |x| below
 * HUGE_ANGLE. Its relative error is below 2^-23.9, about that of a single rounding.
 *
 * 355 is close to 113 π. So x = 355 h + rest is 113 h π + rest + h d, where d = 355 - 113 π is
 * small. The result is r = rest + h d - k π, where k is an integer, or an integer minus 1/2 for
 * cosines; it is negated if h + k is odd (h + k + 1/2 for cosines). d and π are split so that all
 * products but the last are exact. h has 16 bits, 2 k has 7. If r is small, the sums are exact,
 * too. If they aren't, their rounding errors are computed and added at the end (Dekker). */
REDUCE_FUNCTION value reduce_medium(context b, value x, bool cosine)
{
    value rounding = number(b, NIR_MATH_ROUNDING);
    value h_bits = add(b, mul(b, x, number(b, 1 / 355.0)), rounding);
    value h = sub(b, h_bits, rounding);
    value rest = sub(b, x, mul(b, h, number(b, 355)));
    value shift = mul(b, h, number(b, 0x1.f8p-16));
    value turns = mul(b, add(b, rest, shift), number(b, 0.31830988618379067));
    if (cosine)
        turns = add(b, turns, number(b, 0.5));
    value k_bits = add(b, turns, rounding);
    value k = sub(b, k_bits, rounding);
    if (cosine)
        k = sub(b, k, number(b, 0.5));
    value r = add(b, sub(b, rest, mul(b, k, number(b, 0x1.921ep+1))), shift);
    value part = sub(b, mul(b, h, number(b, 0x1.bcp-24)), mul(b, k, number(b, 0x1.b544p-15)));
    value sum = add(b, r, part);
    part = add(b, sub(b, part, sub(b, sum, r)), mul(b, h, number(b, 0x1.02p-32)));
    r = add(b, sum, part);
    value error = sub(b, part, sub(b, r, sum));
    part = sub(b, mul(b, h, number(b, 0x1.091ad4p-40)), mul(b, k, number(b, 0x1.0b4612p-33)));
    r = add(b, r, add(b, error, part));
    return int_xor(b, r, shift_left(b, int_xor(b, h_bits, k_bits), 31));
}

/* Returns the upper word of the 64-bit value high:low after a left shift by count & 31 bits. */
REDUCE_FUNCTION value shift_pair_left(context b, value high, value low, value count)
{
    value rest = unsigned_shift_right_by(b, unsigned_shift_right_by(b, low, word(b, 1)),
                                         int_xor(b, count, word(b, 31)));
    return int_xor(b, shift_left_by(b, high, count), rest);
}

/* Bits of 1/π, the highest first; the first word is in front of the binary point. */
#define INVERSE_PI                                                                                 \
    {0, 0x517cc1b7, 0x27220a94, 0xfe13abe8, 0xfa9a6ee0, 0x6db14acc, 0x9e21c820, 0xff28b1d5}

#ifndef HAS_SELECT_WORDS
/* Stores words i to i + 3 of INVERSE_PI, where i = at / 32 is at most 4. */
REDUCE_FUNCTION void select_words(context b, value at, value result[4])
{
    static const uint32_t inverse_pi[] = INVERSE_PI;
    value words[8];
    for (unsigned i = 0; i < 8; i++)
        words[i] = word(b, inverse_pi[i]);
    for (unsigned skip = 4, count = 8; skip; skip /= 2) {
        condition none = equal_words(b, int_and(b, at, word(b, 32 * skip)), word(b, 0));
        for (unsigned i = 0; i + skip < count; i++)
            words[i] = choose(b, none, words[i], words[i + skip]);
    }
    for (unsigned i = 0; i < 4; i++)
        result[i] = words[i];
}
#endif

/* Computes 96 bits of 1/π * 2^exponent, most significant word first. The highest of them is the
 * lowest bit of the integer part. at = exponent + 31 is in [24, 135]. */
REDUCE_FUNCTION void inverse_pi_bits(context b, value at, value bits[3])
{
    value words[4];
    select_words(b, at, words);
    for (unsigned i = 0; i < 3; i++)
        bits[i] = shift_pair_left(b, words[i], words[i + 1], at);
}

/* Returns an angle in [-π/2, π/2] whose sine is sin(x), or cos(x) if cosine, for huge x.
 *
 * x = m 2^e with an integer m of 24 bits. The product of m with 96 bits of 2^e / π is x / π modulo
 * 2, with an error below 2^-71. No huge float is closer than 2^-34 to a multiple of π / 2, so 64
 * bits of the product suffice. */
REDUCE_FUNCTION value reduce_large(context b, value x, bool cosine)
{
    value magnitude = int_and(b, x, word(b, 0x7fffffff));
    value exponent = unsigned_shift_right_by(b, magnitude, word(b, 23));
    value m = int_add(b, int_and(b, magnitude, word(b, 0x7fffff)), word(b, 0x800000));
    value factor[3];
    inverse_pi_bits(b, int_sub(b, exponent, word(b, 150 - 31)), factor);

    /* Units of 2^-63 half turns, modulo 2 half turns. */
    value carry_in = high_mul(b, factor[2], m);
    value low = int_add(b, int_mul(b, factor[1], m), carry_in);
    value carry = choose(b, unsigned_less(b, low, carry_in), word(b, 1), word(b, 0));
    value high = int_add(b, int_mul(b, factor[0], m), high_mul(b, factor[1], m));
    high = int_add(b, high, carry);
    if (cosine)
        high = int_add(b, high, word(b, 1u << 30));

    /* The distance from the closest half turn, in units of 2^-64; negate it for odd half turns. Its
     * last bit doesn't matter, so the complement replaces the negative. */
    value negative = int_add(b, high, word(b, 1u << 30));
    if (!cosine)
        negative = int_xor(b, negative, x);
    high = shift_pair_left(b, high, low, word(b, 1));
    low = shift_left(b, low, 1);
    value complement = shift_right(b, high, 31);
    high = int_xor(b, high, complement);
    low = int_xor(b, low, complement);

    /* Multiply the highest 32 bits by π. */
    condition is_low = equal_words(b, high, word(b, 0));
    value first = choose(b, is_low, low, high), second = choose(b, is_low, word(b, 0), low);
    value zeros = int_sub(b, word(b, 31), highest_bit(b, first));
    value angle = high_mul(b, shift_pair_left(b, first, second, zeros), word(b, 0xc90fdaa2));
    value scale = int_add(b, zeros, choose(b, is_low, word(b, 62), word(b, 30)));
    angle = int_sub(b, unsigned_to_float(b, angle), shift_left(b, scale, 23));
    value sign = int_xor(b, negative, complement);
    return int_xor(b, angle, int_and(b, sign, word(b, 0x80000000u)));
}
