/* SPDX-License-Identifier: MIT */
/*
 * Lowers double operations that the hardware lacks to fadd, fmul and ffma: division, reciprocal and
 * square roots with correct rounding; rounding to integers, sign and mix without any change of
 * bits.
 *
 * Quotients and roots start with the 32-bit float instruction on mantissas and are refined by
 * Newton and Goldschmidt iterations with fused operations (Markstein, "IA-64 and Elementary
 * Functions", 2000, chapters 8 and 9). The result is within one unit in the last place; the exact
 * remainder then determines which neighbor is nearest. Rounding to an integer adds 2^52, since
 * doubles of that size have no fraction bits.
 */
#include "nir.h"

#include <math.h>

#include "nir_builder.h"

static nir_def *high_word(nir_builder *b, nir_def *x)
{
    return nir_unpack_64_2x32_split_y(b, x);
}

static nir_def *with_high_word(nir_builder *b, nir_def *x, nir_def *high)
{
    return nir_pack_64_2x32_split(b, nir_unpack_64_2x32_split_x(b, x), high);
}

static nir_def *sign_bit(nir_builder *b, nir_def *high)
{
    return nir_iand_imm(b, high, 0x80000000);
}

/* Returns x, whose sign bit must be clear, with that sign bit. */
static nir_def *with_sign(nir_builder *b, nir_def *x, nir_def *sign)
{
    return with_high_word(b, x, nir_ior(b, high_word(b, x), sign));
}

static nir_def *double_like(nir_builder *b, nir_def *x, double value)
{
    return nir_vec_broadcast(b, nir_imm_double(b, value), x->num_components);
}

/* Returns 2^e for e in the range of normal numbers. */
static nir_def *power_of_two(nir_builder *b, nir_def *e)
{
    nir_def *high = nir_ishl_imm(b, nir_iadd_imm(b, e, 1023), 20);
    return nir_pack_64_2x32_split(b, nir_imm_zero(b, e->num_components, 32), high);
}

static nir_def *biased_exponent(nir_builder *b, nir_def *x)
{
    return nir_iand_imm(b, nir_ushr_imm(b, high_word(b, x), 20), 0x7ff);
}

/* |x| = mantissa * 2^exponent with mantissa in [1, 2), for nonzero numbers. */
struct parts {
    nir_def *mantissa, *exponent;
};

static struct parts parts_of(nir_builder *b, nir_def *x)
{
    nir_def *denormal = nir_ieq_imm(b, biased_exponent(b, x), 0);
    x = nir_bcsel(b, denormal, nir_fmul_imm(b, x, 0x1p54), x);
    nir_def *e = nir_iadd_imm(b, biased_exponent(b, x), (uint64_t)-1023);
    nir_def *high = nir_iand_imm(b, high_word(b, x), 0xfffff);
    return (struct parts){
        .mantissa = with_high_word(b, x, nir_ior_imm(b, high, 1023 << 20)),
        .exponent = nir_bcsel(b, denormal, nir_iadd_imm(b, e, (uint64_t)-54), e),
    };
}

/* Returns q * 2^e rounded once, where q in [1, 2] is already rounded. rest has the sign of that
 * rounding error; it decides ties between two denormals. */
static nir_def *scaled(nir_builder *b, nir_def *q, nir_def *rest, nir_def *e)
{
    e = nir_imax_imm(b, nir_imin_imm(b, e, 1100), -1100);
    nir_def *half = nir_ishr_imm(b, e, 1), *other = nir_isub(b, e, half);
    nir_def *s = nir_fmul(b, nir_fmul(b, q, power_of_two(b, half)), power_of_two(b, other));
    nir_def *back = nir_fmul(b, s, power_of_two(b, nir_ineg(b, other)));
    back = nir_fmul(b, back, power_of_two(b, nir_ineg(b, half)));
    nir_def *lost = nir_fsub(b, q, back);
    /* Half the distance between denormals, relative to q. */
    nir_def *middle = power_of_two(b, nir_imax_imm(b, nir_isub_imm(b, (uint64_t)-1075, e), -1022));
    nir_def *positive = nir_flt(b, double_like(b, rest, 0.0), rest);
    nir_def *up = nir_iand(b, nir_feq(b, lost, middle), positive);
    nir_def *down = nir_iand(b, nir_feq(b, lost, nir_fneg(b, middle)), nir_flt_imm(b, rest, 0.0));
    s = nir_bcsel(b, up, nir_fadd_imm(b, s, 0x1p-1074), s);
    return nir_bcsel(b, down, nir_fadd_imm(b, s, -0x1p-1074), s);
}

/* Returns x / y for x and y in [1, 2). */
static nir_def *mantissa_quotient(nir_builder *b, nir_def *x, nir_def *y, nir_def **rest)
{
    nir_def *minus_y = nir_fneg(b, y), *r = nir_f2f64(b, nir_frcp(b, nir_f2f32(b, y)));
    for (unsigned i = 0; i < 2; i++)
        r = nir_ffma(b, r, nir_ffma(b, minus_y, r, double_like(b, y, 1.0)), r);
    nir_def *q = nir_fmul(b, x, r);
    q = nir_fmax_imm(b, nir_ffma(b, nir_ffma(b, minus_y, q, x), r, q), 1.0);
    nir_def *twice = nir_fmul_imm(b, nir_ffma(b, minus_y, q, x), 0x1p53);
    nir_def *up = nir_flt(b, y, twice), *down = nir_flt(b, twice, minus_y);
    q = nir_bcsel(b, up, nir_fadd_imm(b, q, 0x1p-52), q);
    q = nir_bcsel(b, down, nir_fadd_imm(b, q, -0x1p-52), q);
    *rest = nir_ffma(b, minus_y, q, x);
    return q;
}

static nir_def *quotient(nir_builder *b, nir_def *x, nir_def *y)
{
    struct parts px = parts_of(b, x), py = parts_of(b, y);
    nir_def *less = nir_flt(b, px.mantissa, py.mantissa), *rest;
    nir_def *mx = nir_bcsel(b, less, nir_fmul_imm(b, px.mantissa, 2.0), px.mantissa);
    nir_def *e = nir_isub(b, nir_isub(b, px.exponent, py.exponent), nir_b2i32(b, less));
    nir_def *q = mantissa_quotient(b, mx, py.mantissa, &rest);
    q = scaled(b, q, rest, e);

    nir_def *infinity = double_like(b, x, INFINITY);
    nir_def *gives_zero = nir_ior(b, nir_feq_imm(b, x, 0.0), nir_feq(b, nir_fabs(b, y), infinity));
    nir_def *gives_infinity =
        nir_ior(b, nir_feq_imm(b, y, 0.0), nir_feq(b, nir_fabs(b, x), infinity));
    nir_def *no_number = nir_ior(b, nir_fneu(b, x, x), nir_fneu(b, y, y));
    no_number = nir_ior(b, no_number, nir_iand(b, gives_zero, gives_infinity));
    q = nir_bcsel(b, gives_zero, double_like(b, x, 0.0), q);
    q = nir_bcsel(b, gives_infinity, infinity, q);
    q = with_sign(b, q, sign_bit(b, nir_ixor(b, high_word(b, x), high_word(b, y))));
    return nir_bcsel(b, no_number, double_like(b, x, NAN), q);
}

static nir_def *reciprocal(nir_builder *b, nir_def *x)
{
    return quotient(b, double_like(b, x, 1.0), x);
}

/* Scales x to m in [1, 4) by an even power of two, and refines both the root and half its
 * reciprocal. */
static nir_def *square_root(nir_builder *b, nir_def *x)
{
    struct parts p = parts_of(b, x);
    nir_def *odd = nir_iand_imm(b, p.exponent, 1), *half = double_like(b, x, 0.5);
    nir_def *m = nir_bcsel(b, nir_ine_imm(b, odd, 0), nir_fmul_imm(b, p.mantissa, 2.0), p.mantissa);
    nir_def *y = nir_f2f64(b, nir_frsq(b, nir_f2f32(b, m)));
    nir_def *g = nir_fmul(b, m, y), *h = nir_fmul(b, half, y);
    for (unsigned i = 0; i < 2; i++) {
        nir_def *r = nir_ffma(b, nir_fneg(b, h), g, half);
        g = nir_ffma(b, g, r, g);
        h = nir_ffma(b, h, r, h);
    }
    g = nir_fmax_imm(b, nir_ffma(b, nir_ffma(b, nir_fneg(b, g), g, m), h, g), 1.0);
    /* The root exceeds g + 2^-53 if m - g^2 > 2^-52 g, because both are multiples of 2^-104. */
    nir_def *rest = nir_ffma(b, nir_fneg(b, g), g, m), *limit = nir_fmul_imm(b, g, 0x1p-52);
    nir_def *up = nir_flt(b, limit, rest), *down = nir_fge(b, nir_fneg(b, limit), rest);
    nir_def *root = nir_bcsel(b, up, nir_fadd_imm(b, g, 0x1p-52), g);
    root = nir_bcsel(b, down, nir_fadd_imm(b, g, -0x1p-52), root);
    root = nir_fmul(b, root, power_of_two(b, nir_ishr_imm(b, p.exponent, 1)));

    nir_def *infinite = nir_feq(b, x, double_like(b, x, INFINITY));
    nir_def *itself = nir_ior(b, nir_feq_imm(b, x, 0.0), nir_ior(b, infinite, nir_fneu(b, x, x)));
    root = nir_bcsel(b, itself, x, root);
    return nir_bcsel(b, nir_flt_imm(b, x, 0.0), double_like(b, x, NAN), root);
}

/* --- Rounding to integers --- */

/* Rounds the magnitude to nearest even, then restores the sign. */
static nir_def *round_even(nir_builder *b, nir_def *x)
{
    nir_def *a = nir_fabs(b, x);
    nir_def *r = nir_fadd_imm(b, nir_fadd_imm(b, a, 0x1p52), -0x1p52);
    r = with_sign(b, r, sign_bit(b, high_word(b, x)));
    return nir_bcsel(b, nir_flt_imm(b, a, 0x1p52), r, x);
}

static nir_def *round_down(nir_builder *b, nir_def *x)
{
    nir_def *r = round_even(b, x);
    return nir_bcsel(b, nir_flt(b, x, r), nir_fadd_imm(b, r, -1.0), r);
}

static nir_def *truncate(nir_builder *b, nir_def *x)
{
    return with_sign(b, round_down(b, nir_fabs(b, x)), sign_bit(b, high_word(b, x)));
}

static nir_def *sign(nir_builder *b, nir_def *x)
{
    nir_def *zero = double_like(b, x, 0.0);
    nir_def *s = nir_bcsel(b, nir_flt(b, x, zero), double_like(b, x, -1.0), zero);
    return nir_bcsel(b, nir_flt(b, zero, x), double_like(b, x, 1.0), s);
}

/* GLSL 4.60 §8.3, mix */
static nir_def *mix(nir_builder *b, nir_def *x, nir_def *y, nir_def *t)
{
    return nir_fadd(b, nir_fmul(b, x, nir_fsub_imm(b, 1.0, t)), nir_fmul(b, y, t));
}

static nir_def *lower(nir_builder *b, nir_alu_instr *alu)
{
    nir_def *x = nir_alu_src_def(b, alu, 0);
    switch (alu->op) {
    case nir_op_flrp:
        return mix(b, x, nir_alu_src_def(b, alu, 1), nir_alu_src_def(b, alu, 2));
    case nir_op_fdiv:
        return quotient(b, x, nir_alu_src_def(b, alu, 1));
    case nir_op_frcp:
        return reciprocal(b, x);
    case nir_op_fsqrt:
        return square_root(b, x);
    case nir_op_frsq:
        return reciprocal(b, square_root(b, x));
    case nir_op_ftrunc:
        return truncate(b, x);
    case nir_op_ffloor:
        return round_down(b, x);
    case nir_op_fceil:
        return nir_fneg(b, round_down(b, nir_fneg(b, x)));
    case nir_op_ffract:
        return nir_fsub(b, x, round_down(b, x));
    case nir_op_fround_even:
        return round_even(b, x);
    case nir_op_fsat:
        return nir_fmin_imm(b, nir_fmax_imm(b, x, 0.0), 1.0);
    case nir_op_fsign:
        return sign(b, x);
    default:
        return NULL;
    }
}

static bool lower_instr(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    if (alu->def.bit_size != 64 || alu->src[0].src.ssa->bit_size != 64 ||
        nir_op_infos[alu->op].output_size)
        return false;
    b->cursor = nir_before_instr(&alu->instr);
    b->exact = true; /* the lowered code must not be rewritten */
    nir_def *value = lower(b, alu);
    if (value)
        nir_def_replace(&alu->def, value);
    return value != NULL;
}

bool nir_lower_double_ops(nir_shader *shader)
{
    return nir_shader_alu_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
