/* SPDX-License-Identifier: MIT */
/*
 * Functions that have no opcode. nir_math_functions.h defines those on floats. Determinants and
 * inverses are computed from cofactors.
 */
#include "nir_build_math.h"

#include "nir_math_builder.h"

/* Values have the shape of x. */
static struct math_context like(nir_builder *b, const nir_def *x)
{
    return (struct math_context){b, x->num_components, x->bit_size};
}

static inline value exp2_of(context c, value x)
{
    return nir_fexp2(c->b, x);
}

static inline value log2_of(context c, value x)
{
    return nir_flog2(c->b, x);
}

#include "nir_math_functions.h"

nir_def *nir_build_tan(nir_builder *b, nir_def *x)
{
    const struct math_context c = like(b, x);
    const bool exact = b->exact;
    b->exact = true; /* its rounding errors are part of the sum */
    nir_def *result = function_tan(&c, x);
    b->exact = exact;
    return result;
}

nir_def *nir_build_asin(nir_builder *b, nir_def *x)
{
    const struct math_context c = like(b, x);
    return function_asin(&c, x);
}

nir_def *nir_build_acos(nir_builder *b, nir_def *x)
{
    const struct math_context c = like(b, x);
    return function_acos(&c, x);
}

nir_def *nir_build_atan(nir_builder *b, nir_def *x)
{
    const struct math_context c = like(b, x);
    return function_atan(&c, x);
}

nir_def *nir_build_exp(nir_builder *b, nir_def *x)
{
    const struct math_context c = like(b, x);
    return function_exp(&c, x);
}

nir_def *nir_build_log(nir_builder *b, nir_def *x)
{
    const struct math_context c = like(b, x);
    return function_log(&c, x);
}

nir_def *nir_build_sinh(nir_builder *b, nir_def *x)
{
    const struct math_context c = like(b, x);
    return function_sinh(&c, x);
}

nir_def *nir_build_cosh(nir_builder *b, nir_def *x)
{
    const struct math_context c = like(b, x);
    return function_cosh(&c, x);
}

nir_def *nir_build_tanh(nir_builder *b, nir_def *x)
{
    const struct math_context c = like(b, x);
    return function_tanh(&c, x);
}

nir_def *nir_build_asinh(nir_builder *b, nir_def *x)
{
    const struct math_context c = like(b, x);
    return function_asinh(&c, x);
}

nir_def *nir_build_acosh(nir_builder *b, nir_def *x)
{
    const struct math_context c = like(b, x);
    return function_acosh(&c, x);
}

nir_def *nir_build_atanh(nir_builder *b, nir_def *x)
{
    const struct math_context c = like(b, x);
    return function_atanh(&c, x);
}

nir_def *nir_build_atan2(nir_builder *b, nir_def *y, nir_def *x)
{
    const struct math_context c = like(b, x);
    return function_atan2(&c, y, x);
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
