/* SPDX-License-Identifier: MIT */
/*
 * What the EU cannot do with doubles: roots, reciprocals, rounding.
 *
 * Roots and reciprocals begin with the float instruction on a mantissa of moderate size and are
 * refined by Goldschmidt's and Newton's iterations with fused operations (Markstein, "IA-64 and Elementary
 * Functions", 2000, chapters 8 and 9); exponents are put back by multiplication. Rounding goes by the
 * sum with 2^52, beside which no fraction fits.
 */
#include "from_nir.h"

#include "nir/nir_builder.h"

static nir_def *high_word(nir_builder *b, nir_def *x)
{
    return nir_unpack_64_2x32_split_y(b, x);
}

static nir_def *with_high_word(nir_builder *b, nir_def *x, nir_def *high)
{
    return nir_pack_64_2x32_split(b, nir_unpack_64_2x32_split_x(b, x), high);
}

static nir_def *exponent(nir_builder *b, nir_def *x)
{
    nir_def *biased = nir_iand_imm(b, nir_ushr_imm(b, high_word(b, x), 20), 0x7ff);
    return nir_iadd_imm(b, biased, (uint64_t)-1023);
}

/* 2^e, e in the range of normal numbers. */
static nir_def *power_of_two(nir_builder *b, nir_def *e)
{
    nir_def *high = nir_ishl_imm(b, nir_iadd_imm(b, e, 1023), 20);
    return nir_pack_64_2x32_split(b, nir_imm_int(b, 0), high);
}

/* The mantissa (and sign) of x with another exponent. */
static nir_def *with_exponent(nir_builder *b, nir_def *x, nir_def *e)
{
    nir_def *high = nir_iand_imm(b, high_word(b, x), 0x800fffff);
    return with_high_word(b, x, nir_ior(b, high, nir_ishl_imm(b, nir_iadd_imm(b, e, 1023), 20)));
}

static nir_def *is_infinite_or_nan(nir_builder *b, nir_def *e)
{
    return nir_ieq_imm(b, e, 1024);
}

static nir_def *reciprocal(nir_builder *b, nir_def *x)
{
    nir_def *e = exponent(b, x), *m = with_exponent(b, x, nir_imm_int(b, 0));
    nir_def *one = nir_imm_double(b, 1.0);
    nir_def *y = nir_f2f64(b, nir_frcp(b, nir_f2f32(b, m)));
    for (unsigned i = 0; i < 2; i++)
        y = nir_ffma(b, y, nir_ffma(b, nir_fneg(b, m), y, one), y);
    /* In two steps, as 2^-e may be too small for a normal number. */
    nir_def *half = nir_ishr_imm(b, nir_ineg(b, e), 1);
    nir_def *rest = nir_isub(b, nir_ineg(b, e), half);
    y = nir_fmul(b, nir_fmul(b, y, power_of_two(b, half)), power_of_two(b, rest));
    nir_def *sign = nir_iand_imm(b, high_word(b, x), 0x80000000);
    nir_def *zero = nir_pack_64_2x32_split(b, nir_imm_int(b, 0), sign);
    nir_def *infinity =
        nir_pack_64_2x32_split(b, nir_imm_int(b, 0), nir_ior_imm(b, sign, 0x7ff00000));
    y = nir_bcsel(b, nir_feq(b, x, nir_imm_double(b, 0.0)), infinity, y);
    nir_def *special = nir_bcsel(b, nir_fneu(b, x, x), x, zero);
    return nir_bcsel(b, is_infinite_or_nan(b, e), special, y);
}

/* x in [1, 4) by an even power of two; both the root and half its reciprocal come out. */
static nir_def *square_root(nir_builder *b, nir_def *x)
{
    nir_def *e = exponent(b, x), *odd = nir_iand_imm(b, e, 1);
    nir_def *m = with_exponent(b, x, odd), *half = nir_imm_double(b, 0.5);
    nir_def *y = nir_f2f64(b, nir_frsq(b, nir_f2f32(b, m)));
    nir_def *g = nir_fmul(b, m, y), *h = nir_fmul(b, half, y);
    for (unsigned i = 0; i < 2; i++) {
        nir_def *r = nir_ffma(b, nir_fneg(b, h), g, half);
        g = nir_ffma(b, g, r, g);
        h = nir_ffma(b, h, r, h);
    }
    g = nir_ffma(b, nir_ffma(b, nir_fneg(b, g), g, m), h, g);
    g = nir_fmul(b, g, power_of_two(b, nir_ishr_imm(b, nir_isub(b, e, odd), 1)));
    nir_def *zero = nir_feq(b, x, nir_imm_double(b, 0.0));
    nir_def *itself = nir_ior(b, zero, is_infinite_or_nan(b, e));
    nir_def *negative = nir_flt(b, x, nir_imm_double(b, 0.0));
    nir_def *nan = nir_pack_64_2x32_split(b, nir_imm_int(b, 0), nir_imm_int(b, 0x7ff80000));
    return nir_bcsel(b, negative, nan, nir_bcsel(b, itself, x, g));
}

/* To the nearest even, of the magnitude; the sign is x's again. */
static nir_def *round_even(nir_builder *b, nir_def *x)
{
    nir_def *two_52 = nir_imm_double(b, 0x1p52), *a = nir_fabs(b, x);
    nir_def *r = nir_fsub(b, nir_fadd(b, a, two_52), two_52);
    nir_def *sign = nir_iand_imm(b, high_word(b, x), 0x80000000);
    r = with_high_word(b, r, nir_ior(b, high_word(b, r), sign));
    return nir_bcsel(b, nir_flt(b, a, two_52), r, x);
}

static nir_def *round_down(nir_builder *b, nir_def *x)
{
    nir_def *r = round_even(b, x);
    return nir_bcsel(b, nir_flt(b, x, r), nir_fadd(b, r, nir_imm_double(b, -1.0)), r);
}

static nir_def *truncate(nir_builder *b, nir_def *x)
{
    nir_def *r = round_down(b, nir_fabs(b, x));
    nir_def *sign = nir_iand_imm(b, high_word(b, x), 0x80000000);
    return with_high_word(b, r, nir_ior(b, high_word(b, r), sign));
}

static bool lower_double(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    nir_def *x, *value;
    (void)unused;
    if (alu->src[0].src.ssa->bit_size != 64 || alu->def.bit_size != 64 || alu->def.num_components != 1)
        return false;
    b->cursor = nir_before_instr(&alu->instr);
    b->exact = true;
    x = nir_channel(b, alu->src[0].src.ssa, alu->src[0].swizzle[0]);
    switch (alu->op) {
    case nir_op_frcp:
        value = reciprocal(b, x);
        break;
    case nir_op_fsqrt:
        value = square_root(b, x);
        break;
    case nir_op_frsq:
        value = reciprocal(b, square_root(b, x));
        break;
    case nir_op_ftrunc:
        value = truncate(b, x);
        break;
    case nir_op_ffloor:
        value = round_down(b, x);
        break;
    case nir_op_fceil:
        value = nir_fneg(b, round_down(b, nir_fneg(b, x)));
        break;
    case nir_op_ffract:
        value = nir_fsub(b, x, round_down(b, x));
        break;
    case nir_op_fround_even:
        value = round_even(b, x);
        break;
    case nir_op_fsat:
        value = nir_fmin(b, nir_fmax(b, x, nir_imm_double(b, 0.0)), nir_imm_double(b, 1.0));
        break;
    default:
        return false;
    }
    nir_def_replace(&alu->def, value);
    return true;
}

bool i965_lower_doubles(nir_shader *nir)
{
    return nir_shader_alu_pass(nir, lower_double, nir_metadata_control_flow, NULL);
}
