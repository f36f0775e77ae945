/* SPDX-License-Identifier: MIT */
/*
 * Functions that have no opcode. The inverse trigonometric functions are minimax polynomials from
 * Abramowitz and Stegun, Handbook of Mathematical Functions, §4.4, with absolute errors below 1e-5;
 * GLSL 4.60 §4.7.1 requires only inherited precision. Determinants and inverses are computed from
 * cofactors.
 */
#include "nir_build_math.h"

#include <math.h>

static nir_def *imm_like(nir_builder *b, double x, nir_def *like)
{
    return nir_vec_broadcast(b, nir_imm_floatN_t(b, x, like->bit_size), like->num_components);
}

static nir_def *polynomial(nir_builder *b, nir_def *x, const double *coefficients, unsigned count)
{
    nir_def *sum = imm_like(b, coefficients[count - 1], x);
    for (unsigned i = count - 1; i-- > 0;)
        sum = nir_fadd_imm(b, nir_fmul(b, sum, x), coefficients[i]);
    return sum;
}

/* Returns acos(|x|) = sqrt(1 - |x|) * p(|x|) (A&S 4.4.46). */
static nir_def *acos_of_abs(nir_builder *b, nir_def *a)
{
    static const double p[] = {1.5707963050, -0.2145988016, 0.0889789874, -0.0501743046,
                               0.0308918810, -0.0170881256, 0.0066700901, -0.0012624911};
    nir_def *root = nir_fsqrt(b, nir_fmax_imm(b, nir_fsub_imm(b, 1, a), 0));
    return nir_fmul(b, root, polynomial(b, a, p, ARRAY_SIZE(p)));
}

/* Near zero, the series x + x^3/6 + … keeps the relative error small. */
nir_def *nir_build_asin(nir_builder *b, nir_def *x)
{
    static const double series[] = {1, 1 / 6.0, 3 / 40.0, 15 / 336.0, 105 / 3456.0, 945 / 42240.0};
    nir_def *a = nir_fabs(b, x);
    nir_def *big = nir_fmul(b, nir_fsign(b, x), nir_fsub_imm(b, M_PI_2, acos_of_abs(b, a)));
    nir_def *x2 = nir_fmul(b, x, x);
    nir_def *small = nir_fmul(b, x, polynomial(b, x2, series, ARRAY_SIZE(series)));
    return nir_bcsel(b, nir_flt_imm(b, a, 0.5), small, big);
}

nir_def *nir_build_acos(nir_builder *b, nir_def *x)
{
    nir_def *r = acos_of_abs(b, nir_fabs(b, x));
    return nir_bcsel(b, nir_flt_imm(b, x, 0), nir_fsub_imm(b, M_PI, r), r);
}

/* Returns atan(x) for |x| <= 1 (A&S 4.4.49). */
static nir_def *atan_of_unit(nir_builder *b, nir_def *x)
{
    static const double p[] = {1.0,           -0.3333314528, 0.1999355085,
                               -0.1420889944, 0.1065626393,  -0.0752896400,
                               0.0429096138,  -0.0161657367, 0.0028662257};
    return nir_fmul(b, x, polynomial(b, nir_fmul(b, x, x), p, ARRAY_SIZE(p)));
}

nir_def *nir_build_atan(nir_builder *b, nir_def *x)
{
    nir_def *a = nir_fabs(b, x);
    nir_def *inverted = nir_flt(b, imm_like(b, 1, x), a);
    nir_def *reduced = nir_bcsel(b, inverted, nir_frcp(b, x), x);
    nir_def *r = atan_of_unit(b, reduced);
    nir_def *half_pi = nir_fmul_imm(b, nir_fsign(b, x), M_PI_2);
    return nir_bcsel(b, inverted, nir_fsub(b, half_pi, r), r);
}

/* Returns the sign bit as a boolean, so that atan(-0, -1) is -pi. */
static nir_def *sign_bit(nir_builder *b, nir_def *x)
{
    nir_def *zero = nir_imm_zero(b, x->num_components, x->bit_size);
    return nir_ilt(b, x, zero);
}

nir_def *nir_build_atan2(nir_builder *b, nir_def *y, nir_def *x)
{
    nir_def *ax = nir_fabs(b, x), *ay = nir_fabs(b, y);
    nir_def *low = nir_fmin(b, ax, ay), *high = nir_fmax(b, ax, ay);
    nir_def *one = imm_like(b, 1, x);
    /* Equal magnitudes, including zeros and infinities, must not lead to 0/0. */
    nir_def *zeros = nir_feq(b, high, imm_like(b, 0, x));
    nir_def *q = nir_fdiv(b, low, nir_bcsel(b, zeros, one, high));
    nir_def *same = nir_iand(b, nir_feq(b, low, high), nir_inot(b, zeros));
    nir_def *r = atan_of_unit(b, nir_bcsel(b, same, one, q));
    r = nir_bcsel(b, nir_flt(b, ax, ay), nir_fsub_imm(b, M_PI_2, r), r);
    r = nir_bcsel(b, sign_bit(b, x), nir_fsub_imm(b, M_PI, r), r);
    return nir_bcsel(b, sign_bit(b, y), nir_fneg(b, r), r);
}

nir_def *nir_build_exp(nir_builder *b, nir_def *x)
{
    return nir_fexp2(b, nir_fmul_imm(b, x, M_LOG2E));
}

nir_def *nir_build_log(nir_builder *b, nir_def *x)
{
    return nir_fmul_imm(b, nir_flog2(b, x), M_LN2);
}

/* Computes (e^x - e^-x) / 2, or near zero, where that cancels, the series x + x^3/6 + x^5/120. */
nir_def *nir_build_sinh(nir_builder *b, nir_def *x)
{
    static const double series[] = {1, 1 / 6.0, 1 / 120.0, 1 / 5040.0};
    nir_def *big =
        nir_fmul_imm(b, nir_fsub(b, nir_build_exp(b, x), nir_build_exp(b, nir_fneg(b, x))), 0.5);
    nir_def *small = nir_fmul(b, x, polynomial(b, nir_fmul(b, x, x), series, ARRAY_SIZE(series)));
    return nir_bcsel(b, nir_flt_imm(b, nir_fabs(b, x), 1), small, big);
}

nir_def *nir_build_cosh(nir_builder *b, nir_def *x)
{
    return nir_fmul_imm(b, nir_fadd(b, nir_build_exp(b, x), nir_build_exp(b, nir_fneg(b, x))), 0.5);
}

/* The input is clamped: beyond 10 the result is 1 in single precision, and e^x could overflow. */
nir_def *nir_build_tanh(nir_builder *b, nir_def *x)
{
    nir_def *c = nir_fmin_imm(b, nir_fmax_imm(b, x, -10), 10);
    return nir_fdiv(b, nir_build_sinh(b, c), nir_build_cosh(b, c));
}

nir_def *nir_build_asinh(nir_builder *b, nir_def *x)
{
    nir_def *a = nir_fabs(b, x);
    nir_def *root = nir_fsqrt(b, nir_fadd_imm(b, nir_fmul(b, a, a), 1));
    nir_def *r = nir_fmul(b, nir_fsign(b, x), nir_build_log(b, nir_fadd(b, a, root)));
    return nir_bcsel(b, nir_flt_imm(b, a, 0.001), x, r);
}

nir_def *nir_build_acosh(nir_builder *b, nir_def *x)
{
    nir_def *root = nir_fsqrt(b, nir_fadd_imm(b, nir_fmul(b, x, x), -1));
    return nir_build_log(b, nir_fadd(b, x, root));
}

nir_def *nir_build_atanh(nir_builder *b, nir_def *x)
{
    nir_def *q = nir_fdiv(b, nir_fadd_imm(b, x, 1), nir_fsub_imm(b, 1, x));
    nir_def *r = nir_fmul_imm(b, nir_build_log(b, q), 0.5);
    return nir_bcsel(b, nir_flt_imm(b, nir_fabs(b, x), 0.001), x, r);
}

nir_def *nir_build_tan(nir_builder *b, nir_def *x)
{
    return nir_fdiv(b, nir_fsin(b, x), nir_fcos(b, x));
}

nir_def *nir_build_ceil(nir_builder *b, nir_def *x)
{
    return nir_fneg(b, nir_ffloor(b, nir_fneg(b, x)));
}

nir_def *nir_build_is_nan(nir_builder *b, nir_def *x)
{
    bool exact = b->exact;
    b->exact = true;
    nir_def *r = nir_fneu(b, x, x);
    b->exact = exact;
    return r;
}

nir_def *nir_build_is_inf(nir_builder *b, nir_def *x)
{
    return nir_feq_imm(b, nir_fabs(b, x), INFINITY);
}

/* ------------------------------------------------------------------------------- integers --- */

nir_def *nir_build_count_trailing_zeros(nir_builder *b, nir_def *x)
{
    return nir_umin_imm(b, nir_find_lsb(b, x), x->bit_size); /* find_lsb(0) is -1 */
}

nir_def *nir_build_abs_difference(nir_builder *b, nir_def *x, nir_def *y, bool is_signed)
{
    return is_signed ? nir_isub(b, nir_imax(b, x, y), nir_imin(b, x, y))
                     : nir_isub(b, nir_umax(b, x, y), nir_umin(b, x, y));
}

/* x + y = 2 (x & y) + (x ^ y) = 2 (x | y) - (x ^ y). */
nir_def *nir_build_average(nir_builder *b, nir_def *x, nir_def *y, bool is_signed, bool round_up)
{
    nir_def *half = nir_ixor(b, x, y);
    half = is_signed ? nir_ishr_imm(b, half, 1) : nir_ushr_imm(b, half, 1);
    return round_up ? nir_isub(b, nir_ior(b, x, y), half) : nir_iadd(b, nir_iand(b, x, y), half);
}

nir_def *nir_build_mul_32x16(nir_builder *b, nir_def *x, nir_def *y, bool is_signed)
{
    y = is_signed ? nir_ishr_imm(b, nir_ishl_imm(b, y, 16), 16) : nir_iand_imm(b, y, 0xffff);
    return nir_imul(b, x, y);
}

/* -------------------------------------------------------------------------------- packing --- */

nir_def *nir_build_pack_norm(nir_builder *b, nir_def *x, unsigned size, bool is_signed)
{
    double scale = (1u << (size - is_signed)) - 1;
    nir_def *v = nir_fmin_imm(b, nir_fmax_imm(b, x, is_signed ? -1 : 0), 1);
    v = nir_f2i32(b, nir_fround_even(b, nir_fmul_imm(b, v, scale)));
    v = nir_iand_imm(b, v, BITFIELD_MASK(size));
    nir_def *bits = nir_channel(b, v, 0);
    for (unsigned i = 1; i < v->num_components; i++)
        bits = nir_ior(b, bits, nir_ishl_imm(b, nir_channel(b, v, i), i * size));
    return bits;
}

nir_def *nir_build_unpack_norm(nir_builder *b, nir_def *bits, unsigned size, bool is_signed)
{
    nir_def *comps[4];
    unsigned n = 32 / size;
    double scale = (1u << (size - is_signed)) - 1;
    for (unsigned i = 0; i < n; i++) {
        nir_def *v = nir_ishl_imm(b, bits, 32 - size * (i + 1));
        comps[i] = is_signed ? nir_i2f32(b, nir_ishr_imm(b, v, 32 - size))
                             : nir_u2f32(b, nir_ushr_imm(b, v, 32 - size));
    }
    nir_def *v = nir_fdiv_imm(b, nir_vec(b, comps, n), scale);
    return is_signed ? nir_fmax_imm(b, v, -1) : v;
}

/* ------------------------------------------------------------------------------- matrices --- */

static nir_def *element(nir_builder *b, nir_def *const *m, unsigned column, unsigned row)
{
    return nir_channel(b, m[column], row);
}

/* Returns the minor of the rows and columns in the masks, which have the same number of bits. */
static nir_def *minor(nir_builder *b, nir_def *const *m, unsigned columns, unsigned rows)
{
    unsigned c = __builtin_ctz(columns);
    if (!(columns & (columns - 1)))
        return element(b, m, c, __builtin_ctz(rows));
    nir_def *sum = NULL;
    bool negative = false;
    for (unsigned rest = rows; rest; rest &= rest - 1, negative = !negative) {
        unsigned r = __builtin_ctz(rest);
        nir_def *product =
            nir_fmul(b, element(b, m, c, r), minor(b, m, columns & ~(1u << c), rows & ~(1u << r)));
        sum = !sum ? product : negative ? nir_fsub(b, sum, product) : nir_fadd(b, sum, product);
    }
    return sum;
}

nir_def *nir_build_determinant(nir_builder *b, nir_def *const *columns, unsigned n)
{
    return minor(b, columns, BITFIELD_MASK(n), BITFIELD_MASK(n));
}

/* The inverse is the adjugate divided by the determinant. */
void nir_build_inverse(nir_builder *b, nir_def *const *columns, unsigned n, nir_def **out)
{
    unsigned all = BITFIELD_MASK(n);
    nir_def *scale = nir_frcp(b, nir_build_determinant(b, columns, n));
    for (unsigned c = 0; c < n; c++) {
        nir_def *comps[4];
        for (unsigned r = 0; r < n; r++) {
            /* Element (row r, column c) of the inverse is the cofactor of column r, row c. */
            comps[r] = minor(b, columns, all & ~(1u << r), all & ~(1u << c));
            if ((r + c) & 1)
                comps[r] = nir_fneg(b, comps[r]);
        }
        nir_def *column = nir_vec(b, comps, n);
        out[c] = nir_fmul(b, column, nir_vec_broadcast(b, scale, n));
    }
}
