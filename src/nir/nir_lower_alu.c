/* SPDX-License-Identifier: MIT */
/*
 * Lowers opcodes that few drivers support, as the options ask: ldexp and frexp to operations on the
 * fields of IEEE 754 numbers (32 and 64 bits), signed division to unsigned division.
 */
#include "nir.h"

#include "nir_builder.h"

struct fields {
    unsigned mantissa_bits, bias;
    uint64_t exponent_mask; /* at its position in the number */
};

static struct fields fields_of(unsigned bit_size)
{
    if (bit_size == 64)
        return (struct fields){52, 1023, 0x7ffull << 52};
    return (struct fields){23, 127, 0xffull << 23};
}

/* Returns 2^e for e in the range of normal numbers. */
static nir_def *power_of_two(nir_builder *b, nir_def *e, unsigned bit_size)
{
    struct fields f = fields_of(bit_size);
    nir_def *biased = nir_i2iN(b, nir_iadd_imm(b, e, f.bias), bit_size);
    return nir_ishl_imm(b, biased, f.mantissa_bits);
}

/* Multiplies x by 2^(e/4) four times: each factor is normal even if the result is denormal. Only
 * the product that leaves the range of normal numbers rounds. */
static nir_def *ldexp_by_products(nir_builder *b, nir_def *x, nir_def *e)
{
    struct fields f = fields_of(x->bit_size);
    int limit = 2 * f.bias + f.mantissa_bits + 2;
    e = nir_imax_imm(b, nir_imin_imm(b, e, limit), -limit);
    nir_def *half = nir_ishr_imm(b, e, 1);
    nir_def *rest = nir_isub(b, e, half);
    nir_def *a = nir_ishr_imm(b, half, 1), *c = nir_ishr_imm(b, rest, 1);
    x = nir_fmul(b, x, power_of_two(b, a, x->bit_size));
    x = nir_fmul(b, x, power_of_two(b, c, x->bit_size));
    x = nir_fmul(b, x, power_of_two(b, nir_isub(b, half, a), x->bit_size));
    x = nir_fmul(b, x, power_of_two(b, nir_isub(b, rest, c), x->bit_size));
    if (x->bit_size != 32)
        return x;
    nir_def *denormal = nir_flt_imm(b, nir_fabs(b, x), 0x1p-126);
    return nir_bcsel(b, denormal, nir_iand_imm(b, x, 0x80000000), x);
}

/* Returns x with denormals scaled to normal numbers. *special: x is zero, infinite or NaN. */
static nir_def *normalized(nir_builder *b, nir_def *x, nir_def **special, nir_def **is_denormal)
{
    struct fields f = fields_of(x->bit_size);
    nir_def *exponent = nir_iand_imm(b, x, f.exponent_mask);
    nir_def *infinite = nir_ieq_imm(b, exponent, f.exponent_mask);
    *special = nir_ior(b, infinite, nir_feq_imm(b, x, 0.0));
    *is_denormal = nir_ieq_imm(b, exponent, 0);
    double scale = x->bit_size == 64 ? 0x1p54 : 0x1p25;
    return nir_bcsel(b, *is_denormal, nir_fmul_imm(b, x, scale), x);
}

static nir_def *frexp_exp(nir_builder *b, nir_def *x)
{
    struct fields f = fields_of(x->bit_size);
    nir_def *special, *denormal, *n = normalized(b, x, &special, &denormal);
    nir_def *e = nir_ushr_imm(b, nir_iand_imm(b, n, f.exponent_mask), f.mantissa_bits);
    e = nir_iadd_imm(b, nir_u2uN(b, e, 32), -(int64_t)(f.bias - 1));
    e = nir_bcsel(b, denormal, nir_iadd_imm(b, e, x->bit_size == 64 ? -54 : -25), e);
    return nir_bcsel(b, special, nir_imm_zero(b, e->num_components, 32), e);
}

static nir_def *frexp_sig(nir_builder *b, nir_def *x)
{
    struct fields f = fields_of(x->bit_size);
    nir_def *special, *denormal, *n = normalized(b, x, &special, &denormal);
    uint64_t half = (uint64_t)(f.bias - 1) << f.mantissa_bits;
    nir_def *sig = nir_ior_imm(b, nir_iand_imm(b, n, ~f.exponent_mask), half);
    return nir_bcsel(b, special, x, sig);
}

/* Computes signed division from the quotient of the magnitudes. GLSL leaves the sign of remainders
 * undefined. */
static nir_def *signed_division(nir_builder *b, nir_op op, nir_def *x, nir_def *y)
{
    nir_def *ux = nir_iabs(b, x), *uy = nir_iabs(b, y);
    if (op == nir_op_idiv) {
        nir_def *q = nir_udiv(b, ux, uy);
        nir_def *negative = nir_ilt_imm(b, nir_ixor(b, x, y), 0);
        return nir_bcsel(b, negative, nir_ineg(b, q), q);
    }
    nir_def *r = nir_umod(b, ux, uy);
    r = nir_bcsel(b, nir_ilt_imm(b, x, 0), nir_ineg(b, r), r);
    if (op == nir_op_irem)
        return r;
    nir_def *differ = nir_ilt_imm(b, nir_ixor(b, x, y), 0);
    nir_def *fix = nir_iand(b, differ, nir_ine_imm(b, r, 0));
    return nir_bcsel(b, fix, nir_iadd(b, r, y), r);
}

static nir_def *lower(nir_builder *b, nir_alu_instr *alu,
                      const nir_shader_compiler_options *options)
{
    bool wide = alu->src[0].src.ssa->bit_size >= 32;
    switch (alu->op) {
    case nir_op_ldexp:
        if (!options->lower_ldexp || !wide)
            return NULL;
        return ldexp_by_products(b, nir_alu_src_def(b, alu, 0), nir_alu_src_def(b, alu, 1));
    case nir_op_frexp_exp:
        return options->lower_frexp && wide ? frexp_exp(b, nir_alu_src_def(b, alu, 0)) : NULL;
    case nir_op_frexp_sig:
        return options->lower_frexp && wide ? frexp_sig(b, nir_alu_src_def(b, alu, 0)) : NULL;
    case nir_op_idiv:
    case nir_op_irem:
    case nir_op_imod:
        if (!options->lower_idiv)
            return NULL;
        return signed_division(b, alu->op, nir_alu_src_def(b, alu, 0), nir_alu_src_def(b, alu, 1));
    default:
        return NULL;
    }
}

static bool lower_instr(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    if (!b->shader->options)
        return false;
    b->cursor = nir_before_instr(&alu->instr);
    b->exact = true; /* the lowered code must not be rewritten */
    nir_def *def = lower(b, alu, b->shader->options);
    if (def)
        nir_def_replace(&alu->def, def);
    return def != NULL;
}

bool nir_lower_alu(nir_shader *shader)
{
    return nir_shader_alu_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
