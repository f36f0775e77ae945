/* SPDX-License-Identifier: MIT */
/*
 * Lowers scalar operations on doubles to operations on pairs of 32-bit words, for hardware without
 * doubles. Results are rounded once, to nearest even, as IEEE 754-2019 §4.3.1 defines; denormals
 * are kept. NaN results may have other bits than those of constant folding.
 *
 * Sums and products are computed exactly, except for a lowest bit that is set if any bit below is
 * set ("sticky"); see Ercegovac and Lang, "Digital Arithmetic" (2004), chapter 8. Quotients and
 * square roots are found in three digits (chapters 5 and 6) that 32-bit floats estimate. Remainders
 * are exact, so the result doesn't depend on the accuracy of frcp and frsq, as long as their
 * relative error is at most 2^-22.
 */
#include "nir.h"

#include "nir_build_words.h"

enum {
    MAX_EXPONENT = 0x7ff, /* Biased exponent of infinities and NaNs. */
    BIAS = 1023,
};

#define SIGN     0x80000000u
#define INFINITE 0x7ff00000u /* Upper words. */
#define NOT_A    0x7ff80000u
#define ONE      0x3ff00000u

static nir_def *word(nir_builder *b, uint32_t value)
{
    return nir_imm_int(b, (int)value);
}

static nir_def *magnitude_high(nir_builder *b, struct nir_pair x)
{
    return nir_iand_imm(b, x.hi, ~SIGN);
}

static nir_def *sign_of(nir_builder *b, struct nir_pair x)
{
    return nir_iand_imm(b, x.hi, SIGN);
}

/* Returns 0 or ~0. */
static nir_def *sign_mask(nir_builder *b, nir_def *high)
{
    return nir_ishr_imm(b, high, 31);
}

/* Returns the biased exponent, 0 for denormals. */
static nir_def *biased_exponent(nir_builder *b, struct nir_pair x)
{
    return nir_ushr_imm(b, nir_ishl_imm(b, x.hi, 1), 21);
}

static nir_def *is_nan(nir_builder *b, struct nir_pair x)
{
    nir_def *high = nir_iadd(b, magnitude_high(b, x), nir_umin_imm(b, x.lo, 1));
    return nir_ult(b, word(b, INFINITE), high);
}

static nir_def *is_any_zero(nir_builder *b, struct nir_pair x)
{
    return nir_ieq_imm(b, nir_ior(b, nir_ishl_imm(b, x.hi, 1), x.lo), 0);
}

/* Stores the significand, shifted left by `shift` bits (1 to 11). Bit 52 + shift is set except for
 * denormals, whose biased exponent is 0. */
static void significand_of(nir_builder *b, struct nir_pair x, nir_def *exponent, unsigned shift,
                           nir_def *w[2])
{
    nir_def *high = nir_ior(b, nir_ishl_imm(b, x.hi, shift), nir_ushr_imm(b, x.lo, 32 - shift));
    nir_def *leading = nir_ishl_imm(b, nir_umin_imm(b, exponent, 1), 20 + shift);
    w[1] = nir_ior(b, nir_iand_imm(b, high, BITFIELD_MASK(20 + shift)), leading);
    w[0] = nir_ishl_imm(b, x.lo, shift);
}

/* Stores the significand with bit 52 set, unless x is 0. Returns the biased exponent of that bit,
 * which is negative for small denormals. */
static nir_def *normal_significand(nir_builder *b, struct nir_pair x, nir_def *w[2])
{
    nir_def *e = biased_exponent(b, x);
    nir_def *leading = nir_ishl_imm(b, nir_umin_imm(b, e, 1), 20);
    w[1] = nir_ior(b, nir_iand_imm(b, x.hi, 0xfffff), leading);
    w[0] = x.lo;
    nir_def *shift = nir_iadd_imm(b, nir_words_uclz(b, w, 2), (uint64_t)-11);
    nir_words_shift_left(b, w, 2, shift);
    return nir_isub(b, nir_imax_imm(b, e, 1), shift);
}

/* --- Results --- */

/* Returns w * 2^(e - BIAS - 62) with the sign, rounded. Bit 62 of w is set, or e is 1. */
static struct nir_pair rounded(nir_builder *b, nir_def *sign, nir_def *e, nir_def *const w[2])
{
    nir_def *odd = nir_iand_imm(b, nir_ushr_imm(b, w[0], 10), 1);
    struct nir_pair half = {nir_iadd_imm(b, odd, 0x1ff), word(b, 0)};
    struct nir_pair sum = nir_pair_add(b, (struct nir_pair){w[0], w[1]}, half);
    nir_def *fields = nir_ishl_imm(b, nir_iadd_imm(b, e, (uint64_t)-1), 20);
    struct nir_pair value = {
        nir_ior(b, nir_ushr_imm(b, sum.lo, 10), nir_ishl_imm(b, sum.hi, 22)),
        nir_iadd(b, nir_ushr_imm(b, sum.hi, 10), fields),
    };
    nir_def *overflow = nir_ige_imm(b, e, MAX_EXPONENT);
    value = nir_pair_select(b, overflow, nir_pair_constant(b, e, (uint64_t)INFINITE << 32), value);
    value.hi = nir_ior(b, value.hi, sign);
    return value;
}

/* Returns w * 2^(e - BIAS - 32 n + 2) with the sign, rounded. The highest bit of the n words w is
 * 0. zero_sign: sign of the result if w is 0. */
static struct nir_pair normalized(nir_builder *b, nir_def *sign, nir_def *e, nir_def **w,
                                  unsigned n, nir_def *zero_sign)
{
    nir_def *shift = nir_iadd_imm(b, nir_words_uclz(b, w, n), (uint64_t)-1), *below = NULL;
    nir_words_shift_left(b, w, n, shift);
    e = nir_isub(b, e, shift);
    nir_def *top[2] = {w[n - 2], w[n - 1]};
    for (unsigned i = 0; i + 2 < n; i++)
        below = below ? nir_ior(b, below, w[i]) : w[i];
    if (below)
        top[0] = nir_ior(b, top[0], nir_umin_imm(b, below, 1));
    nir_def *zero = nir_ieq_imm(b, top[1], 0);
    nir_def *right = nir_imin_imm(b, nir_imax_imm(b, nir_isub_imm(b, 1, e), 0), 63);
    nir_words_shift_right_sticky(b, top, 2, right);
    struct nir_pair value = rounded(b, sign, nir_imax_imm(b, e, 1), top);
    value.hi = nir_bcsel(b, zero, zero_sign, value.hi);
    value.lo = nir_bcsel(b, zero, word(b, 0), value.lo);
    return value;
}

/* --- Sums and products --- */

/* The operand with the larger magnitude is a. Significands have bit 61 set, so that the sum has at
 * most 63 bits. */
static struct nir_pair sum(nir_builder *b, struct nir_pair x, struct nir_pair y)
{
    nir_def *swap = nir_pair_less(b, (struct nir_pair){x.lo, magnitude_high(b, x)},
                                  (struct nir_pair){y.lo, magnitude_high(b, y)}, false);
    struct nir_pair a = nir_pair_select(b, swap, y, x), c = nir_pair_select(b, swap, x, y);
    nir_def *ea = biased_exponent(b, a), *ec = biased_exponent(b, c), *wa[2], *wc[2];
    nir_def *mask = sign_mask(b, nir_ixor(b, a.hi, c.hi));
    significand_of(b, a, ea, 9, wa);
    significand_of(b, c, ec, 9, wc);
    nir_def *e = nir_imax_imm(b, ea, 1), *distance = nir_isub(b, e, nir_imax_imm(b, ec, 1));
    nir_words_shift_right_sticky(b, wc, 2, nir_umin_imm(b, distance, 63));
    nir_words_add_masked(b, wa, wc, 2, mask);

    nir_def *shift = nir_iadd_imm(b, nir_words_uclz(b, wa, 2), (uint64_t)-1);
    shift = nir_umin(b, shift, e);
    nir_def *zero = nir_ieq_imm(b, nir_ior(b, wa[0], wa[1]), 0);
    nir_words_shift_left(b, wa, 2, shift);
    struct nir_pair value =
        rounded(b, sign_of(b, a), nir_isub(b, nir_iadd_imm(b, e, 1), shift), wa);
    value.hi = nir_bcsel(b, zero, nir_iand_imm(b, nir_iand(b, a.hi, c.hi), SIGN), value.hi);
    /* An infinity or NaN is the result, and infinities with different signs give NaN. */
    nir_def *both = nir_ieq_imm(b, ec, MAX_EXPONENT);
    nir_def *differ = nir_bcsel(b, both, nir_iand_imm(b, mask, NOT_A), word(b, 0));
    nir_def *special = nir_ieq_imm(b, ea, MAX_EXPONENT);
    value.lo = nir_bcsel(b, special, a.lo, value.lo);
    value.hi = nir_bcsel(b, special, nir_ior(b, a.hi, differ), value.hi);
    return value;
}

static struct nir_pair difference(nir_builder *b, struct nir_pair x, struct nir_pair y)
{
    return sum(b, x, (struct nir_pair){y.lo, nir_ixor_imm(b, y.hi, SIGN)});
}

/* A product before rounding. */
struct product {
    nir_def *w[4], *sign;
    /* Biased exponent of the second-highest bit if `shift` is 11, else of the third-highest one. */
    nir_def *e;
    nir_def *special, *no_number;
};

/* Multiplies significands that are shifted left by `shift` and by 10 bits. */
static void multiply(nir_builder *b, struct product *p, struct nir_pair x, struct nir_pair y,
                     unsigned shift)
{
    nir_def *ex = biased_exponent(b, x), *ey = biased_exponent(b, y), *wx[2], *wy[2];
    significand_of(b, x, ex, shift, wx);
    significand_of(b, y, ey, 10, wy);
    nir_words_product(b, p->w, (struct nir_pair){wx[0], wx[1]}, (struct nir_pair){wy[0], wy[1]});
    p->sign = nir_iand_imm(b, nir_ixor(b, x.hi, y.hi), SIGN);
    p->e = nir_iadd(b, nir_imax_imm(b, ex, 1), nir_imax_imm(b, ey, 1));
    p->e = nir_iadd_imm(b, p->e, (uint64_t)(1 - BIAS));
    p->special = nir_ieq_imm(b, nir_umax(b, ex, ey), MAX_EXPONENT);
    /* Zero times infinity gives NaN. no_number is not used if both numbers are finite. */
    nir_def *zero = nir_ior(b, is_any_zero(b, x), is_any_zero(b, y));
    p->no_number = nir_ior(b, zero, nir_ior(b, is_nan(b, x), is_nan(b, y)));
}

static struct nir_pair product(nir_builder *b, struct nir_pair x, struct nir_pair y)
{
    struct product p;
    multiply(b, &p, x, y, 11);
    struct nir_pair value = normalized(b, p.sign, p.e, p.w, 4, p.sign);
    nir_def *other = nir_bcsel(b, p.no_number, word(b, NOT_A), word(b, INFINITE));
    value.hi = nir_bcsel(b, p.special, nir_ior(b, other, p.sign), value.hi);
    value.lo = nir_bcsel(b, p.special, word(b, 0), value.lo);
    return value;
}

/* Aligns the 106 bits of the product and the 53 bits of z in 128 bits, with one bit for the sum and
 * one for its sign. A sticky bit is enough below, since only numbers with almost the same exponent
 * cancel, and then no bit is lost. */
static struct nir_pair multiply_add(nir_builder *b, struct nir_pair x, struct nir_pair y,
                                    struct nir_pair z)
{
    struct product p;
    multiply(b, &p, x, y, 10);
    nir_def *ez = biased_exponent(b, z), *zero = word(b, 0), *top[2];
    nir_def *special = nir_ieq_imm(b, ez, MAX_EXPONENT);
    significand_of(b, z, ez, 9, top);
    nir_def *w[4] = {zero, zero, top[0], top[1]};
    nir_def *sign = sign_of(b, z), *mask = sign_mask(b, nir_ixor(b, sign, p.sign));
    /* The exponent of a product that is 0 is meaningless. */
    nir_def *no_product = nir_ieq_imm(b, nir_ior(b, p.w[3], p.w[2]), 0);
    nir_def *ep = nir_bcsel(b, no_product, word(b, (uint32_t)-4096), p.e);
    ez = nir_imax_imm(b, ez, 1);
    nir_def *e = nir_imax(b, ep, ez);
    nir_words_shift_right_sticky(b, p.w, 4, nir_umin_imm(b, nir_isub(b, e, ep), 127));
    nir_words_shift_right_sticky(b, w, 4, nir_umin_imm(b, nir_isub(b, e, ez), 127));
    nir_words_add_masked(b, p.w, w, 4, mask);
    nir_def *negative = nir_iand(b, mask, sign_mask(b, p.w[3]));
    for (unsigned i = 0; i < 4; i++)
        w[i] = zero;
    nir_words_add_masked(b, w, p.w, 4, negative);
    nir_def *result_sign = nir_ixor(b, p.sign, nir_iand_imm(b, negative, SIGN));
    struct nir_pair value =
        normalized(b, result_sign, nir_iadd_imm(b, e, 1), w, 4, nir_iand(b, p.sign, sign));

    nir_def *differ = nir_iand(b, special, nir_ine_imm(b, mask, 0));
    nir_def *no_number = nir_iand(b, p.special, nir_ior(b, p.no_number, differ));
    no_number = nir_ior(b, no_number, is_nan(b, z));
    nir_def *other = nir_ior(b, nir_bcsel(b, p.special, p.sign, sign),
                             nir_bcsel(b, no_number, word(b, NOT_A), word(b, INFINITE)));
    special = nir_ior(b, special, p.special);
    value.hi = nir_bcsel(b, special, other, value.hi);
    value.lo = nir_bcsel(b, special, zero, value.lo);
    return value;
}

/* --- Quotients and roots --- */

/* Returns d * x modulo 2^64, where d is signed. */
static struct nir_pair signed_product(nir_builder *b, nir_def *d, struct nir_pair x)
{
    struct nir_pair p = nir_pair_product(b, d, x.lo);
    nir_def *correction = nir_iand(b, sign_mask(b, d), x.lo);
    p.hi = nir_iadd(b, p.hi, nir_isub(b, nir_imul(b, d, x.hi), correction));
    return p;
}

static struct nir_pair shifted_left(nir_builder *b, struct nir_pair x, unsigned n)
{
    if (n >= 32)
        return (struct nir_pair){word(b, 0), nir_ishl_imm(b, x.lo, n - 32)};
    return (struct nir_pair){
        nir_ishl_imm(b, x.lo, n),
        nir_ior(b, nir_ishl_imm(b, x.hi, n), nir_ushr_imm(b, x.lo, 32 - n)),
    };
}

/* Returns bits n to n + 31 of x. */
static nir_def *field(nir_builder *b, struct nir_pair x, unsigned n)
{
    return nir_ior(b, nir_ushr_imm(b, x.lo, n), nir_ishl_imm(b, x.hi, 32 - n));
}

/* Returns the sign-extended word, shifted left by n < 32 bits. */
static struct nir_pair extended(nir_builder *b, nir_def *x, unsigned n)
{
    return (struct nir_pair){n ? nir_ishl_imm(b, x, n) : x, nir_ishr_imm(b, x, MIN2(32 - n, 31))};
}

/* Returns the integer nearest to rest * factor, where rest is bits n to n + 31 of a signed pair. */
static nir_def *next_digit(nir_builder *b, struct nir_pair rest, unsigned n, nir_def *factor)
{
    nir_def *estimate = nir_fmul(b, nir_i2f32(b, field(b, rest, n)), factor);
    return nir_f2i32(b, nir_fround_even(b, estimate));
}

/* Subtracts 1 from the value if its remainder is negative, shifts it left by n bits, and sets the
 * lowest bit if the remainder isn't 0. */
static void with_remainder(nir_builder *b, struct nir_pair value, struct nir_pair rest, unsigned n,
                           nir_def *w[2])
{
    nir_def *mask = sign_mask(b, rest.hi);
    value = shifted_left(b, nir_pair_add(b, value, (struct nir_pair){mask, mask}), n);
    w[0] = nir_ior(b, value.lo, nir_umin_imm(b, nir_ior(b, rest.lo, rest.hi), 1));
    w[1] = value.hi;
}

static struct nir_pair quotient(nir_builder *b, struct nir_pair x, struct nir_pair y)
{
    nir_def *wx[2], *wy[2], *w[2];
    nir_def *ex = normal_significand(b, x, wx), *ey = normal_significand(b, y, wy);
    struct nir_pair divisor = {wy[0], wy[1]}, rest = {wx[0], wx[1]}, q = {word(b, 0), word(b, 0)};
    /* Each digit has 19 bits and a sign, so that remainders are smaller than the divisor. */
    nir_def *factor = nir_fmul_imm(b, nir_frcp(b, nir_u2f32(b, field(b, divisor, 22))), 0x1p19);
    for (unsigned i = 0; i < 3; i++) {
        nir_def *digit = next_digit(b, rest, 22, factor);
        rest = nir_pair_sub(b, shifted_left(b, rest, 19), signed_product(b, digit, divisor));
        q = nir_pair_add(b, shifted_left(b, q, 19), extended(b, digit, 0));
    }
    with_remainder(b, q, rest, 4, w);
    nir_def *sign = nir_iand_imm(b, nir_ixor(b, x.hi, y.hi), SIGN);
    nir_def *e = nir_iadd_imm(b, nir_isub(b, ex, ey), BIAS + 1);
    struct nir_pair value = normalized(b, sign, e, w, 2, sign);

    nir_def *x_special = nir_ieq_imm(b, biased_exponent(b, x), MAX_EXPONENT);
    nir_def *y_special = nir_ieq_imm(b, biased_exponent(b, y), MAX_EXPONENT);
    nir_def *gives_infinity = nir_ior(b, x_special, is_any_zero(b, y));
    nir_def *gives_zero = nir_ior(b, is_any_zero(b, x), y_special);
    nir_def *no_number =
        nir_ior(b, nir_iand(b, gives_infinity, gives_zero), nir_ior(b, is_nan(b, x), is_nan(b, y)));
    value.hi = nir_bcsel(b, gives_zero, sign, value.hi);
    value.hi = nir_bcsel(b, gives_infinity, nir_ior_imm(b, sign, INFINITE), value.hi);
    value.hi = nir_bcsel(b, no_number, word(b, NOT_A), value.hi);
    value.lo = nir_bcsel(b, nir_ior(b, gives_zero, gives_infinity), word(b, 0), value.lo);
    return value;
}

static struct nir_pair reciprocal(nir_builder *b, struct nir_pair x)
{
    return quotient(b, (struct nir_pair){word(b, 0), word(b, ONE)}, x);
}

/* With m in [1, 4), s = sqrt(m) * 2^19, and then in steps of 18 bits: if rest = m - s^2,
 * m - (s + d)^2 = rest - d (2 s + d). */
static struct nir_pair square_root(nir_builder *b, struct nir_pair x)
{
    nir_def *w[2], *e = normal_significand(b, x, w);
    nir_def *odd = nir_iand_imm(b, nir_inot(b, e), 1); /* The bias is odd. */
    nir_words_shift_left(b, w, 2, odd);
    struct nir_pair m = {w[0], w[1]};
    nir_def *f = nir_u2f32(b, field(b, m, 22)), *inverse = nir_frsq(b, f);
    nir_def *root = nir_fmul_imm(b, nir_fmul(b, f, inverse), 0x1p4);
    nir_def *first = nir_f2i32(b, nir_fround_even(b, root));
    struct nir_pair s = {first, word(b, 0)};
    struct nir_pair rest =
        nir_pair_sub(b, m, shifted_left(b, nir_pair_product(b, first, first), 14));
    static const struct {
        unsigned field, shift;
        double scale;
    } steps[] = {{8, 22, 0x1p7}, {10, 36, 0x1p5}};
    for (unsigned i = 0; i < 2; i++) {
        nir_def *factor = nir_fmul_imm(b, inverse, steps[i].scale);
        nir_def *digit = next_digit(b, rest, steps[i].field, factor);
        struct nir_pair d = extended(b, digit, 0);
        struct nir_pair twice = nir_pair_add(b, shifted_left(b, s, 19), d);
        rest =
            nir_pair_sub(b, shifted_left(b, rest, steps[i].shift), signed_product(b, digit, twice));
        s = nir_pair_add(b, shifted_left(b, s, 18), d);
    }
    with_remainder(b, s, rest, 7, w);
    nir_def *half = nir_ishr_imm(b, nir_isub(b, nir_iadd_imm(b, e, (uint64_t)-BIAS), odd), 1);
    struct nir_pair value = rounded(b, word(b, 0), nir_iadd_imm(b, half, BIAS), w);

    nir_def *special = nir_ieq_imm(b, biased_exponent(b, x), MAX_EXPONENT);
    nir_def *itself = nir_ior(b, is_any_zero(b, x), special);
    nir_def *no_number = nir_iand(b, nir_ilt_imm(b, x.hi, 0), nir_inot(b, is_any_zero(b, x)));
    value = nir_pair_select(b, itself, x, value);
    value.hi = nir_bcsel(b, no_number, word(b, NOT_A), value.hi);
    return value;
}

/* --- Comparisons --- */

/* Returns a signed integer with the order of doubles that are not NaN. */
static struct nir_pair ordered(nir_builder *b, struct nir_pair x)
{
    struct nir_pair magnitude = {x.lo, magnitude_high(b, x)};
    return nir_pair_negate_if(b, nir_ilt_imm(b, x.hi, 0), magnitude);
}

static nir_def *are_numbers(nir_builder *b, struct nir_pair x, struct nir_pair y)
{
    return nir_inot(b, nir_ior(b, is_nan(b, x), is_nan(b, y)));
}

static nir_def *less(nir_builder *b, struct nir_pair x, struct nir_pair y)
{
    nir_def *below = nir_pair_less(b, ordered(b, x), ordered(b, y), true);
    return nir_iand(b, below, are_numbers(b, x, y));
}

static nir_def *at_least(nir_builder *b, struct nir_pair x, struct nir_pair y)
{
    nir_def *below = nir_pair_less(b, ordered(b, x), ordered(b, y), true);
    return nir_iand(b, nir_inot(b, below), are_numbers(b, x, y));
}

static nir_def *equal(nir_builder *b, struct nir_pair x, struct nir_pair y)
{
    nir_def *magnitudes = nir_ishl_imm(b, nir_ior(b, x.hi, y.hi), 1);
    nir_def *zeros = nir_ieq_imm(b, nir_ior(b, magnitudes, nir_ior(b, x.lo, y.lo)), 0);
    nir_def *same = nir_iand(b, nir_pair_equal(b, x, y), nir_inot(b, is_nan(b, x)));
    return nir_ior(b, same, zeros);
}

static struct nir_pair minimum(nir_builder *b, struct nir_pair x, struct nir_pair y, bool maximum)
{
    nir_def *first = maximum ? less(b, y, x) : less(b, x, y);
    return nir_pair_select(b, nir_ior(b, first, is_nan(b, y)), x, y);
}

/* --- Rounding to integers --- */

enum rounding { TO_ZERO, DOWN, UP, TO_EVEN };

/* Adds to the magnitude, which may carry into the exponent, and clears the fraction. */
static struct nir_pair integral(nir_builder *b, struct nir_pair x, enum rounding rounding)
{
    nir_def *e = biased_exponent(b, x), *all = word(b, ~0u), *zero = word(b, 0);
    nir_def *bits = nir_imax_imm(b, nir_isub_imm(b, BIAS + 52, e), 0); /* Of the fraction. */
    bits = nir_imin_imm(b, bits, 52);
    struct nir_pair kept = nir_pair_shift_left(b, (struct nir_pair){all, all}, bits);
    struct nir_pair fraction = {nir_inot(b, kept.lo), nir_inot(b, kept.hi)}, value = x;
    nir_def *sign = sign_of(b, x), *negative = sign_mask(b, x.hi), *away = NULL;
    struct nir_pair magnitude = {x.lo, magnitude_high(b, x)};
    if (rounding == TO_EVEN) {
        /* Half of the lowest kept bit, minus 1 if that bit is 0. */
        struct nir_pair half = nir_pair_shift_right(b, fraction, word(b, 1), false);
        nir_def *odd = nir_iand_imm(b, nir_pair_shift_right(b, x, bits, false).lo, 1);
        odd = nir_iand(b, odd, nir_umin_imm(b, bits, 1));
        value = nir_pair_add(b, x, nir_pair_add(b, half, (struct nir_pair){odd, zero}));
        away =
            nir_pair_less(b, (struct nir_pair){zero, word(b, ONE - (1 << 20))}, magnitude, false);
    } else if (rounding != TO_ZERO) {
        nir_def *selects = rounding == DOWN ? negative : nir_inot(b, negative);
        fraction.lo = nir_iand(b, fraction.lo, selects);
        fraction.hi = nir_iand(b, fraction.hi, selects);
        value = nir_pair_add(b, x, fraction);
        away = nir_iand(b, nir_ine_imm(b, selects, 0), nir_inot(b, is_any_zero(b, x)));
    }
    value.lo = nir_iand(b, value.lo, kept.lo);
    value.hi = nir_iand(b, value.hi, kept.hi);
    /* Numbers smaller than 1 become 0 or 1. */
    nir_def *small = nir_ilt_imm(b, e, BIAS);
    nir_def *high = away ? nir_bcsel(b, away, nir_ior_imm(b, sign, ONE), sign) : sign;
    return nir_pair_select(b, small, (struct nir_pair){zero, high}, value);
}

static struct nir_pair saturate(nir_builder *b, struct nir_pair x)
{
    struct nir_pair zero = nir_pair_constant(b, x.lo, 0);
    struct nir_pair one = nir_pair_constant(b, x.lo, (uint64_t)ONE << 32);
    nir_def *none = nir_ior(b, nir_ilt_imm(b, x.hi, 0), is_nan(b, x));
    x = nir_pair_select(b, nir_ult_imm(b, x.hi, ONE), x, one);
    return nir_pair_select(b, none, zero, x);
}

static struct nir_pair sign(nir_builder *b, struct nir_pair x)
{
    nir_def *none = nir_ior(b, is_any_zero(b, x), is_nan(b, x));
    nir_def *one = nir_ior_imm(b, sign_of(b, x), ONE);
    return (struct nir_pair){word(b, 0), nir_bcsel(b, none, word(b, 0), one)};
}

/* GLSL 4.60 §8.3, mix */
static struct nir_pair mix(nir_builder *b, struct nir_pair x, struct nir_pair y, struct nir_pair t)
{
    struct nir_pair one = nir_pair_constant(b, t.lo, (uint64_t)ONE << 32);
    return sum(b, product(b, x, difference(b, one, t)), product(b, y, t));
}

/* --- Conversions --- */

/* From an integer of 32 bits, which is exact. */
static struct nir_pair from_word(nir_builder *b, nir_def *x, bool is_signed)
{
    nir_def *sign = is_signed ? nir_iand_imm(b, x, SIGN) : word(b, 0);
    nir_def *magnitude = is_signed ? nir_iabs(b, x) : x, *zeros = nir_uclz(b, magnitude);
    nir_def *m = nir_ishl(b, magnitude, zeros); /* Bit 31 is added to the exponent field. */
    nir_def *e = nir_ishl_imm(b, nir_isub_imm(b, BIAS + 30, zeros), 20);
    nir_def *high = nir_ior(b, nir_iadd(b, e, nir_ushr_imm(b, m, 11)), sign);
    high = nir_bcsel(b, nir_ieq_imm(b, x, 0), word(b, 0), high);
    return (struct nir_pair){nir_ishl_imm(b, m, 21), high};
}

static struct nir_pair from_integer(nir_builder *b, nir_def *x, bool is_signed)
{
    if (x->bit_size < 32)
        x = is_signed ? nir_i2iN(b, x, 32) : nir_u2uN(b, x, 32);
    if (x->bit_size == 32)
        return from_word(b, x, is_signed);
    struct nir_pair p = nir_pair_split(b, x);
    nir_def *sign = is_signed ? sign_of(b, p) : word(b, 0);
    if (is_signed)
        p = nir_pair_magnitude(b, p);
    nir_def *w[2] = {p.lo, p.hi}, *zeros = nir_words_uclz(b, w, 2);
    nir_words_shift_left(b, w, 2, nir_iand_imm(b, zeros, 63));
    nir_words_shift_right_sticky(b, w, 2, word(b, 1));
    struct nir_pair value = rounded(b, sign, nir_isub_imm(b, BIAS + 63, zeros), w);
    nir_def *none = nir_pair_is_zero(b, p);
    return nir_pair_select(b, none, nir_pair_constant(b, value.lo, 0), value);
}

static struct nir_pair from_float(nir_builder *b, nir_def *x)
{
    nir_def *e = nir_ushr_imm(b, nir_ishl_imm(b, x, 1), 24), *m = nir_iand_imm(b, x, 0x7fffff);
    /* A denormal: its highest bit becomes bit 23. */
    nir_def *shift = nir_iadd_imm(b, nir_uclz(b, m), (uint64_t)-8);
    nir_def *denormal = nir_ieq_imm(b, e, 0);
    m = nir_bcsel(b, denormal, nir_iand_imm(b, nir_ishl(b, m, shift), 0x7fffff), m);
    e = nir_bcsel(b, denormal, nir_isub_imm(b, 1, shift), e);
    e = nir_iadd_imm(b, e, BIAS - 127);
    nir_def *magnitude = nir_ishl_imm(b, x, 1);
    e = nir_bcsel(b, nir_ult(b, word(b, 0xfeffffff), magnitude), word(b, MAX_EXPONENT), e);
    e = nir_bcsel(b, nir_ieq_imm(b, magnitude, 0), word(b, 0), e);
    nir_def *high = nir_ior(b, nir_iand_imm(b, x, SIGN), nir_ishl_imm(b, e, 20));
    return (struct nir_pair){nir_ishl_imm(b, m, 29), nir_ior(b, high, nir_ushr_imm(b, m, 3))};
}

static nir_def *to_float(nir_builder *b, struct nir_pair x)
{
    nir_def *exponent = biased_exponent(b, x), *w[2], *lost;
    significand_of(b, x, exponent, 10,
                   w); /* Bit 30 of w[1]: seven bits below those of the result. */
    nir_def *m = nir_ior(b, w[1], nir_umin_imm(b, w[0], 1));
    nir_def *e = nir_iadd_imm(b, exponent, (uint64_t)(127 - BIAS));
    nir_def *right = nir_imin_imm(b, nir_imax_imm(b, nir_isub_imm(b, 1, e), 0), 31);
    lost = nir_ishl(b, nir_ishl_imm(b, m, 1), nir_inot(b, right));
    m = nir_ior(b, nir_ushr(b, m, right), nir_umin_imm(b, lost, 1));
    nir_def *odd = nir_iand_imm(b, nir_ushr_imm(b, m, 7), 1);
    m = nir_ushr_imm(b, nir_iadd(b, m, nir_iadd_imm(b, odd, 0x3f)), 7);
    e = nir_imax_imm(b, e, 1);
    nir_def *value = nir_iadd(b, m, nir_ishl_imm(b, nir_iadd_imm(b, e, (uint64_t)-1), 23));
    value = nir_bcsel(b, nir_ige_imm(b, e, 255), word(b, 0x7f800000), value);
    value = nir_bcsel(b, is_nan(b, x), word(b, 0x7fc00000), value);
    return nir_ior(b, value, sign_of(b, x));
}

/* Converts with saturation; NaN gives 0 (nir_opcodes.py). */
static nir_def *to_word(nir_builder *b, struct nir_pair x, bool is_signed)
{
    nir_def *e = biased_exponent(b, x), *w[2];
    significand_of(b, x, e, 11, w);
    nir_def *right = nir_isub_imm(b, BIAS + 31, e), *value = nir_ushr(b, w[1], right);
    nir_def *negative = nir_ilt_imm(b, x.hi, 0), *limit = word(b, ~0u);
    if (is_signed) {
        limit = nir_bcsel(b, negative, word(b, SIGN), word(b, INT32_MAX));
        value = nir_bcsel(b, negative, nir_ineg(b, value), value);
    }
    value = nir_bcsel(b, nir_ige_imm(b, e, BIAS + (is_signed ? 31 : 32)), limit, value);
    nir_def *none = nir_ior(b, nir_ilt_imm(b, e, BIAS), is_nan(b, x));
    if (!is_signed)
        none = nir_ior(b, none, negative);
    return nir_bcsel(b, none, word(b, 0), value);
}

static struct nir_pair to_pair(nir_builder *b, struct nir_pair x, bool is_signed)
{
    nir_def *e = biased_exponent(b, x), *w[2];
    significand_of(b, x, e, 11, w);
    struct nir_pair value = nir_pair_shift_right(b, (struct nir_pair){w[0], w[1]},
                                                 nir_isub_imm(b, BIAS + 63, e), false);
    nir_def *negative = nir_ilt_imm(b, x.hi, 0);
    struct nir_pair limit = nir_pair_constant(b, e, is_signed ? INT64_MAX : UINT64_MAX);
    if (is_signed) {
        limit = nir_pair_select(b, negative, nir_pair_constant(b, e, 1ull << 63), limit);
        value = nir_pair_negate_if(b, negative, value);
    }
    value = nir_pair_select(b, nir_ige_imm(b, e, BIAS + (is_signed ? 63 : 64)), limit, value);
    nir_def *none = nir_ior(b, nir_ilt_imm(b, e, BIAS), is_nan(b, x));
    if (!is_signed)
        none = nir_ior(b, none, negative);
    return nir_pair_select(b, none, nir_pair_constant(b, e, 0), value);
}

static nir_def *to_double(nir_builder *b, nir_def *x, nir_alu_type from)
{
    switch (from) {
    case nir_type_bool: {
        nir_def *one = nir_bcsel(b, x, word(b, ONE), word(b, 0));
        return nir_pair_join(b, (struct nir_pair){word(b, 0), one});
    }
    case nir_type_float:
        return nir_pair_join(b, from_float(b, x->bit_size == 16 ? nir_f2f32(b, x) : x));
    default:
        return nir_pair_join(b, from_integer(b, x, from == nir_type_int));
    }
}

/* Converts a double to `type`. Returns NULL for sizes below 32, which nir_lower_bit_size lowers. */
static nir_def *from_double(nir_builder *b, nir_def *x, nir_alu_type type, unsigned bit_size)
{
    struct nir_pair p = nir_pair_split(b, x);
    if (bit_size < 32)
        return NULL;
    if (type == nir_type_float)
        return to_float(b, p);
    if (bit_size == 32)
        return to_word(b, p, type == nir_type_int);
    return nir_pair_join(b, to_pair(b, p, type == nir_type_int));
}

/* Returns NULL if the instruction is no conversion from or to doubles. */
static nir_def *convert(nir_builder *b, nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    nir_alu_type from = nir_alu_type_get_base_type(info->input_types[0]);
    nir_alu_type to = nir_alu_type_get_base_type(info->output_type);
    nir_def *x = nir_alu_src_def(b, alu, 0);
    bool from_wide = from == nir_type_float && x->bit_size == 64;
    bool to_wide = to == nir_type_float && alu->def.bit_size == 64;
    if (from_wide && to_wide)
        return x;
    return from_wide ? from_double(b, x, to, alu->def.bit_size)
           : to_wide ? to_double(b, x, from)
                     : NULL;
}

/* --- Dispatch --- */

/* Returns a boolean for comparisons, otherwise NULL. */
static nir_def *compare(nir_builder *b, nir_op op, struct nir_pair x, struct nir_pair y)
{
    switch (op) {
    case nir_op_flt:
        return less(b, x, y);
    case nir_op_fge:
        return at_least(b, x, y);
    case nir_op_feq:
        return equal(b, x, y);
    case nir_op_fneu:
        return nir_inot(b, equal(b, x, y));
    default:
        return NULL;
    }
}

/* Stores the result of an operation on doubles; false for other operations. */
static bool calculate(nir_builder *b, nir_op op, const struct nir_pair s[3], struct nir_pair *r)
{
    switch (op) {
    case nir_op_fneg:
        *r = (struct nir_pair){s[0].lo, nir_ixor_imm(b, s[0].hi, SIGN)};
        return true;
    case nir_op_fabs:
        *r = (struct nir_pair){s[0].lo, magnitude_high(b, s[0])};
        return true;
    case nir_op_fadd:
        *r = sum(b, s[0], s[1]);
        return true;
    case nir_op_fsub:
        *r = difference(b, s[0], s[1]);
        return true;
    case nir_op_fmul:
        *r = product(b, s[0], s[1]);
        return true;
    case nir_op_ffma:
        *r = multiply_add(b, s[0], s[1], s[2]);
        return true;
    case nir_op_flrp:
        *r = mix(b, s[0], s[1], s[2]);
        return true;
    case nir_op_fdiv:
        *r = quotient(b, s[0], s[1]);
        return true;
    case nir_op_frcp:
        *r = reciprocal(b, s[0]);
        return true;
    case nir_op_fsqrt:
        *r = square_root(b, s[0]);
        return true;
    case nir_op_frsq:
        *r = reciprocal(b, square_root(b, s[0]));
        return true;
    case nir_op_fmin:
        *r = minimum(b, s[0], s[1], false);
        return true;
    case nir_op_fmax:
        *r = minimum(b, s[0], s[1], true);
        return true;
    case nir_op_ftrunc:
        *r = integral(b, s[0], TO_ZERO);
        return true;
    case nir_op_ffloor:
        *r = integral(b, s[0], DOWN);
        return true;
    case nir_op_fceil:
        *r = integral(b, s[0], UP);
        return true;
    case nir_op_fround_even:
        *r = integral(b, s[0], TO_EVEN);
        return true;
    case nir_op_ffract:
        *r = difference(b, s[0], integral(b, s[0], DOWN));
        return true;
    case nir_op_fsat:
        *r = saturate(b, s[0]);
        return true;
    case nir_op_fsign:
        *r = sign(b, s[0]);
        return true;
    default:
        return false;
    }
}

static bool is_float(nir_alu_type type)
{
    return nir_alu_type_get_base_type(type) == nir_type_float;
}

static bool lower_instr(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    nir_def *value = NULL;
    if (alu->def.num_components != 1 || info->output_size)
        return false;
    b->cursor = nir_before_instr(&alu->instr);
    b->exact = true; /* The estimates must not be rewritten. */
    if (info->is_conversion) {
        value = convert(b, alu);
    } else if (is_float(info->input_types[0]) && alu->src[0].src.ssa->bit_size == 64) {
        struct nir_pair s[3] = {{NULL}}, r = {NULL};
        for (unsigned i = 0; i < info->num_inputs; i++) {
            nir_def *x = nir_alu_src_def(b, alu, i);
            if (x->bit_size == 64)
                s[i] = nir_pair_split(b, x);
        }
        if (calculate(b, alu->op, s, &r))
            value = nir_pair_join(b, r);
        else
            value = compare(b, alu->op, s[0], s[1]);
    }
    if (value)
        nir_def_replace(&alu->def, value);
    return value != NULL;
}

bool nir_lower_doubles(nir_shader *shader)
{
    return nir_shader_alu_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
