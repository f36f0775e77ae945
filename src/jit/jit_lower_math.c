/* SPDX-License-Identifier: MIT */
/*
 * Functions that no IEEE operation computes, as polynomials over operations that have the same
 * bits everywhere. Scalars of 32 bits; the coefficients are those of the Taylor series, whose
 * truncation errors are given at each (the ranges are small enough that a minimax fit gains nothing
 * over 24 bits). Rounding adds about one unit in the last place.
 */
#include <math.h>

#include "jit/jit_private.h"
#include "nir/nir_builder.h"

static nir_def *imm(nir_builder *b, double value)
{
    return nir_imm_float(b, (float)value);
}

/* c[0] + x (c[1] + x (c[2] + …)) */
static nir_def *polynomial(nir_builder *b, nir_def *x, const double *c, unsigned count)
{
    nir_def *sum = imm(b, c[count - 1]);
    for (int i = count - 2; i >= 0; i--)
        sum = nir_fadd(b, nir_fmul(b, sum, x), imm(b, c[i]));
    return sum;
}

/* 2^i for an integer i with -126 <= i <= 127. */
static nir_def *exp2_int(nir_builder *b, nir_def *i)
{
    return nir_ishl(b, nir_iadd(b, i, nir_imm_int(b, 127)), nir_imm_int(b, 23));
}

/* x = i + f, |f| <= 1/2: 2^f by eight terms (error 5e-9), times 2^i in two steps so that the ends
 * of the range, denormals included, round once. NaN stays NaN. */
static nir_def *lower_fexp2(nir_builder *b, nir_def *x)
{
    static const double c[] = {1.0,
                               0.69314718055994531,
                               0.24022650695910071,
                               0.055504108664821580,
                               0.0096181291076284772,
                               0.0013333558146428443,
                               0.00015403530393381608,
                               0.000015252733804059841};
    nir_def *clamped = nir_fmin(b, nir_fmax(b, x, imm(b, -160.0)), imm(b, 160.0));
    nir_def *whole = nir_fround_even(b, clamped);
    nir_def *power = polynomial(b, nir_fsub(b, clamped, whole), c, ARRAY_SIZE(c));
    nir_def *i = nir_f2i32(b, whole);
    nir_def *half = nir_ishr(b, i, nir_imm_int(b, 1));
    nir_def *result =
        nir_fmul(b, nir_fmul(b, power, exp2_int(b, half)), exp2_int(b, nir_isub(b, i, half)));
    return nir_bcsel(b, nir_fneu(b, x, x), x, result);
}

/* x = m 2^e, m in [sqrt(1/2), sqrt(2)): log2(m) = 2/ln 2 * artanh(t), t = (m - 1) / (m + 1), by
 * five terms (relative error 2e-9). Exact for powers of two. */
static nir_def *lower_flog2(nir_builder *b, nir_def *x)
{
    static const double c[] = {2.8853900817779268, 0.96179669392597560, 0.57707801635558536,
                               0.41219858311113240, 0.32059889797532520};
    nir_def *denormal = nir_flt(b, x, imm(b, 0x1p-126));
    nir_def *scaled = nir_bcsel(b, denormal, nir_fmul(b, x, imm(b, 0x1p24)), x);
    /* Shifts the exponent's boundary from 1 to sqrt(1/2). */
    nir_def *bits = nir_isub(b, scaled, nir_imm_int(b, 0x3f3504f3));
    nir_def *e = nir_ishr(b, bits, nir_imm_int(b, 23));
    nir_def *m =
        nir_iadd(b, nir_iand(b, bits, nir_imm_int(b, 0x7fffff)), nir_imm_int(b, 0x3f3504f3));
    nir_def *t = nir_fdiv(b, nir_fsub(b, m, imm(b, 1.0)), nir_fadd(b, m, imm(b, 1.0)));
    nir_def *log_m = nir_fmul(b, t, polynomial(b, nir_fmul(b, t, t), c, ARRAY_SIZE(c)));
    nir_def *exponent =
        nir_fsub(b, nir_i2f32(b, e), nir_bcsel(b, denormal, imm(b, 24.0), imm(b, 0.0)));
    nir_def *result = nir_fadd(b, exponent, log_m);
    /* log2(0) = -inf, of negatives NaN, of +inf and NaN themselves */
    result = nir_bcsel(b, nir_feq(b, x, imm(b, 0.0)), imm(b, -INFINITY), result);
    result = nir_bcsel(b, nir_flt(b, x, imm(b, 0.0)), imm(b, NAN), result);
    nir_def *finite = nir_flt(b, x, imm(b, INFINITY));
    return nir_bcsel(b, nir_iand(b, nir_inot(b, finite), nir_inot(b, nir_flt(b, x, imm(b, 0.0)))),
                     x, result);
}

/* x = k pi/2 + r, |r| <= pi/4, subtracting pi/2 in three parts (Cody and Waite) of which the first
 * two give exact products for |k| < 2^16. Then sine by five terms (error 2e-9) or cosine by six
 * (error 1e-10), chosen and signed by k mod 4. */
static nir_def *lower_fsin_cos(nir_builder *b, nir_def *x, unsigned quarter_turns)
{
    static const double sine[] = {1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880};
    static const double cosine[] = {1.0,        -1.0 / 2,    1.0 / 24,
                                    -1.0 / 720, 1.0 / 40320, -1.0 / 3628800};
    nir_def *turns = nir_fround_even(b, nir_fmul(b, x, imm(b, 0.63661977236758134)));
    nir_def *r = nir_fsub(b, x, nir_fmul(b, turns, imm(b, 0x1.92p+0)));
    r = nir_fsub(b, r, nir_fmul(b, turns, imm(b, 0x1.fb4p-12)));
    r = nir_fsub(b, r, nir_fmul(b, turns, imm(b, 0x1.4442d2p-24)));
    /* Beyond 2^16 turns the reduction is inexact; keep the result in range. */
    r = nir_fmin(b, nir_fmax(b, r, imm(b, -0.7854)), imm(b, 0.7854));
    nir_def *r2 = nir_fmul(b, r, r);
    nir_def *s = nir_fmul(b, r, polynomial(b, r2, sine, ARRAY_SIZE(sine)));
    nir_def *c = polynomial(b, r2, cosine, ARRAY_SIZE(cosine));
    nir_def *k = nir_iadd(b, nir_f2i32(b, turns), nir_imm_int(b, quarter_turns));
    nir_def *odd = nir_ine(b, nir_iand(b, k, nir_imm_int(b, 1)), nir_imm_int(b, 0));
    nir_def *negative = nir_ishl(b, nir_iand(b, k, nir_imm_int(b, 2)), nir_imm_int(b, 30));
    nir_def *result = nir_ixor(b, nir_bcsel(b, odd, c, s), negative);
    /* Of infinities and NaN: NaN. */
    nir_def *finite = nir_flt(b, nir_fabs(b, x), imm(b, INFINITY));
    return nir_bcsel(b, finite, result, imm(b, NAN));
}

static nir_def *lower_fpow(nir_builder *b, nir_def *x, nir_def *y)
{
    return lower_fexp2(b, nir_fmul(b, lower_flog2(b, x), y));
}

/* GLSL 4.60 §8.3: x - y * floor(x / y) */
static nir_def *lower_fmod(nir_builder *b, nir_def *x, nir_def *y)
{
    return nir_fsub(b, x, nir_fmul(b, y, nir_ffloor(b, nir_fdiv(b, x, y))));
}

static nir_def *lower_frem(nir_builder *b, nir_def *x, nir_def *y)
{
    return nir_fsub(b, x, nir_fmul(b, y, nir_ftrunc(b, nir_fdiv(b, x, y))));
}

static nir_def *lower_flrp(nir_builder *b, nir_def *x, nir_def *y, nir_def *a)
{
    nir_def *one = nir_imm_floatN_t(b, 1.0, x->bit_size);
    return nir_fadd(b, nir_fmul(b, x, nir_fsub(b, one, a)), nir_fmul(b, y, a));
}

static nir_def *lower(nir_builder *b, nir_alu_instr *alu)
{
    nir_def *src[3] = {0};
    for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs && i < 3; i++)
        src[i] = nir_channel(b, alu->src[i].src.ssa, nir_alu_src_comp(&alu->src[i], 0));
    bool single = alu->def.bit_size == 32;
    switch (alu->op) {
    case nir_op_fexp2:
        return single ? lower_fexp2(b, src[0]) : NULL;
    case nir_op_flog2:
        return single ? lower_flog2(b, src[0]) : NULL;
    case nir_op_fpow:
        return single ? lower_fpow(b, src[0], src[1]) : NULL;
    case nir_op_fsin:
        return single ? lower_fsin_cos(b, src[0], 0) : NULL;
    case nir_op_fcos:
        return single ? lower_fsin_cos(b, src[0], 1) : NULL;
    case nir_op_fmod:
        return lower_fmod(b, src[0], src[1]);
    case nir_op_frem:
        return lower_frem(b, src[0], src[1]);
    case nir_op_flrp:
        return lower_flrp(b, src[0], src[1], src[2]);
    default:
        return NULL;
    }
}

static bool lower_instr(nir_builder *b, nir_alu_instr *alu, void *data)
{
    switch (alu->op) {
    case nir_op_fexp2:
    case nir_op_flog2:
    case nir_op_fpow:
    case nir_op_fsin:
    case nir_op_fcos:
    case nir_op_fmod:
    case nir_op_frem:
    case nir_op_flrp:
        break;
    default:
        return false;
    }
    b->cursor = nir_before_instr(&alu->instr);
    b->exact = alu->exact;
    nir_def *result = lower(b, alu);
    if (!result)
        return false;
    nir_def_replace(&alu->def, result);
    return true;
}

bool jit_lower_math(nir_shader *nir)
{
    return nir_shader_alu_pass(nir, lower_instr, nir_metadata_control_flow, NULL);
}
