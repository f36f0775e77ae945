/* SPDX-License-Identifier: MIT */
/* Builders for integers of several 32-bit words. */
#include "nir_build_words.h"

/* --- Pairs --- */

struct nir_pair nir_pair_constant(nir_builder *b, nir_def *like, uint64_t value)
{
    struct nir_pair c = {nir_imm_int(b, (int)(uint32_t)value), nir_imm_int(b, (int)(value >> 32))};
    c.lo = nir_vec_broadcast(b, c.lo, like->num_components);
    c.hi = nir_vec_broadcast(b, c.hi, like->num_components);
    return c;
}

struct nir_pair nir_pair_select(nir_builder *b, nir_def *cond, struct nir_pair x, struct nir_pair y)
{
    return (struct nir_pair){nir_bcsel(b, cond, x.lo, y.lo), nir_bcsel(b, cond, x.hi, y.hi)};
}

struct nir_pair nir_pair_add(nir_builder *b, struct nir_pair x, struct nir_pair y)
{
    nir_def *hi = nir_iadd(b, x.hi, y.hi);
    return (struct nir_pair){nir_iadd(b, x.lo, y.lo),
                             nir_iadd(b, hi, nir_uadd_carry(b, x.lo, y.lo))};
}

struct nir_pair nir_pair_sub(nir_builder *b, struct nir_pair x, struct nir_pair y)
{
    nir_def *hi = nir_isub(b, x.hi, y.hi);
    return (struct nir_pair){nir_isub(b, x.lo, y.lo),
                             nir_isub(b, hi, nir_usub_borrow(b, x.lo, y.lo))};
}

struct nir_pair nir_pair_negate(nir_builder *b, struct nir_pair x)
{
    return nir_pair_sub(b, (struct nir_pair){nir_word_zero(b, x.lo), nir_word_zero(b, x.lo)}, x);
}

struct nir_pair nir_pair_negate_if(nir_builder *b, nir_def *cond, struct nir_pair x)
{
    return nir_pair_select(b, cond, nir_pair_negate(b, x), x);
}

struct nir_pair nir_pair_magnitude(nir_builder *b, struct nir_pair x)
{
    return nir_pair_negate_if(b, nir_pair_is_negative(b, x), x);
}

struct nir_pair nir_pair_product(nir_builder *b, nir_def *x, nir_def *y)
{
    return (struct nir_pair){nir_imul(b, x, y), nir_umul_high(b, x, y)};
}

nir_def *nir_pair_is_negative(nir_builder *b, struct nir_pair x)
{
    return nir_ilt_imm(b, x.hi, 0);
}

nir_def *nir_pair_is_zero(nir_builder *b, struct nir_pair x)
{
    return nir_ieq_imm(b, nir_ior(b, x.lo, x.hi), 0);
}

nir_def *nir_pair_less(nir_builder *b, struct nir_pair x, struct nir_pair y, bool is_signed)
{
    nir_def *high = is_signed ? nir_ilt(b, x.hi, y.hi) : nir_ult(b, x.hi, y.hi);
    return nir_ior(b, high, nir_iand(b, nir_ieq(b, x.hi, y.hi), nir_ult(b, x.lo, y.lo)));
}

nir_def *nir_pair_equal(nir_builder *b, struct nir_pair x, struct nir_pair y)
{
    return nir_iand(b, nir_ieq(b, x.lo, y.lo), nir_ieq(b, x.hi, y.hi));
}

/* 32-bit shifts use only the low five bits of the count: 31 - n is ~n, and 32 + n is n. */
struct nir_pair nir_pair_shift_left(nir_builder *b, struct nir_pair x, nir_def *n)
{
    nir_def *lo = nir_ishl(b, x.lo, n), *big = nir_ine_imm(b, nir_iand_imm(b, n, 32), 0);
    nir_def *carried = nir_ushr(b, nir_ushr_imm(b, x.lo, 1), nir_inot(b, n));
    nir_def *hi = nir_ior(b, nir_ishl(b, x.hi, n), carried);
    return (struct nir_pair){nir_bcsel(b, big, nir_word_zero(b, lo), lo),
                             nir_bcsel(b, big, lo, hi)};
}

struct nir_pair nir_pair_shift_right(nir_builder *b, struct nir_pair x, nir_def *n, bool is_signed)
{
    nir_def *hi = is_signed ? nir_ishr(b, x.hi, n) : nir_ushr(b, x.hi, n);
    nir_def *carried = nir_ishl(b, nir_ishl_imm(b, x.hi, 1), nir_inot(b, n));
    nir_def *lo = nir_ior(b, nir_ushr(b, x.lo, n), carried);
    nir_def *fill = is_signed ? nir_ishr_imm(b, x.hi, 31) : nir_word_zero(b, hi);
    nir_def *big = nir_ine_imm(b, nir_iand_imm(b, n, 32), 0);
    return (struct nir_pair){nir_bcsel(b, big, hi, lo), nir_bcsel(b, big, fill, hi)};
}

/* --- Arrays --- */

nir_def *nir_words_uclz(nir_builder *b, nir_def *const *w, unsigned n)
{
    nir_def *zeros = nir_iadd_imm(b, nir_uclz(b, w[0]), 32 * (n - 1));
    for (unsigned i = 1; i < n; i++) {
        nir_def *above = nir_iadd_imm(b, nir_uclz(b, w[i]), 32 * (n - 1 - i));
        zeros = nir_bcsel(b, nir_ine_imm(b, w[i], 0), above, zeros);
    }
    return zeros;
}

void nir_words_shift_left(nir_builder *b, nir_def **w, unsigned n, nir_def *s)
{
    nir_def *zero = nir_word_zero(b, w[0]), *rest = nir_inot(b, s);
    for (unsigned step = n / 2; step; step /= 2) {
        nir_def *moves = nir_ine_imm(b, nir_iand_imm(b, s, 32 * step), 0);
        for (unsigned i = n; i-- > 0;)
            w[i] = nir_bcsel(b, moves, i >= step ? w[i - step] : zero, w[i]);
    }
    for (unsigned i = n; i-- > 1;) {
        nir_def *carried = nir_ushr(b, nir_ushr_imm(b, w[i - 1], 1), rest);
        w[i] = nir_ior(b, nir_ishl(b, w[i], s), carried);
    }
    w[0] = nir_ishl(b, w[0], s);
}

void nir_words_shift_right_sticky(nir_builder *b, nir_def **w, unsigned n, nir_def *s)
{
    nir_def *zero = nir_word_zero(b, w[0]), *rest = nir_inot(b, s), *lost = zero;
    for (unsigned step = n / 2; step; step /= 2) {
        nir_def *moves = nir_ine_imm(b, nir_iand_imm(b, s, 32 * step), 0), *low = lost;
        for (unsigned i = 0; i < step; i++)
            low = nir_ior(b, low, w[i]);
        lost = nir_bcsel(b, moves, low, lost);
        for (unsigned i = 0; i < n; i++)
            w[i] = nir_bcsel(b, moves, i + step < n ? w[i + step] : zero, w[i]);
    }
    lost = nir_ior(b, lost, nir_ishl(b, nir_ishl_imm(b, w[0], 1), rest));
    for (unsigned i = 0; i + 1 < n; i++) {
        nir_def *carried = nir_ishl(b, nir_ishl_imm(b, w[i + 1], 1), rest);
        w[i] = nir_ior(b, nir_ushr(b, w[i], s), carried);
    }
    w[n - 1] = nir_ushr(b, w[n - 1], s);
    w[0] = nir_ior(b, w[0], nir_umin_imm(b, lost, 1));
}

/* Returns x * y + z, which fits in 64 bits. */
static struct nir_pair product_plus(nir_builder *b, nir_def *x, nir_def *y, nir_def *z)
{
    return nir_pair_add(b, nir_pair_product(b, x, y), (struct nir_pair){z, nir_word_zero(b, z)});
}

void nir_words_product(nir_builder *b, nir_def *w[4], struct nir_pair x, struct nir_pair y)
{
    struct nir_pair low = nir_pair_product(b, x.lo, y.lo);
    struct nir_pair t = product_plus(b, x.lo, y.hi, low.hi);
    struct nir_pair u = product_plus(b, x.hi, y.lo, t.lo);
    struct nir_pair high = nir_pair_add(b, product_plus(b, x.hi, y.hi, t.hi),
                                        (struct nir_pair){u.hi, nir_word_zero(b, u.hi)});
    w[0] = low.lo;
    w[1] = u.lo;
    w[2] = high.lo;
    w[3] = high.hi;
}

void nir_words_add_masked(nir_builder *b, nir_def **x, nir_def *const *y, unsigned n, nir_def *mask)
{
    nir_def *carry = nir_ineg(b, mask);
    for (unsigned i = 0; i < n; i++) {
        nir_def *term = nir_ixor(b, y[i], mask), *sum = nir_iadd(b, x[i], term), *out = NULL;
        if (i + 1 < n)
            out = nir_iadd(b, nir_uadd_carry(b, x[i], term), nir_uadd_carry(b, sum, carry));
        x[i] = nir_iadd(b, sum, carry);
        carry = out;
    }
}
