/* SPDX-License-Identifier: MIT */
/*
 * Replaces 32-bit integer division by a constant with multiplication and shifts, after Granlund and
 * Montgomery, "Division by Invariant Integers using Multiplication" (PLDI 1994), §4 and §5.
 * Remainders are computed from the quotient. Algebraic rules handle unsigned powers of two and the
 * divisors 0, 1 and -1.
 */
#include "nir.h"

#include "nir_builder.h"

static unsigned ceil_log2(uint32_t d)
{
    return d <= 1 ? 0 : 32 - (unsigned)__builtin_clz(d - 1);
}

/* d must not be a power of two. */
static nir_def *udiv(nir_builder *b, nir_def *n, uint32_t d)
{
    unsigned l = ceil_log2(d);
    /* Search for a 32-bit multiplier m with 2^(32+s) <= m d <= 2^(32+s) + 2^s. */
    for (unsigned s = 0; s < l; s++) {
        uint64_t power = 1ull << (32 + s), m = power / d + 1;
        if (m < 1ull << 32 && m * d - power <= 1ull << s)
            return nir_ushr_imm(b, nir_umul_high(b, n, nir_imm_int(b, (int)(uint32_t)m)), s);
    }
    /* Otherwise use a 33-bit multiplier; m lacks its highest bit. */
    uint64_t m = (((1ull << l) - d) << 32) / d + 1;
    nir_def *t = nir_umul_high(b, n, nir_imm_int(b, (int)(uint32_t)m));
    nir_def *half = nir_ushr_imm(b, nir_isub(b, n, t), 1);
    return nir_ushr_imm(b, nir_iadd(b, half, t), l - 1);
}

/* Requires |d| > 1. */
static nir_def *idiv(nir_builder *b, nir_def *n, int32_t d)
{
    uint32_t magnitude = d < 0 ? -(uint32_t)d : (uint32_t)d;
    unsigned l = ceil_log2(magnitude);
    nir_def *sign = nir_ishr_imm(b, n, 31), *q;
    if (util_is_power_of_two(magnitude)) {
        nir_def *bias = nir_ushr_imm(b, sign, 32 - l);
        q = nir_ishr_imm(b, nir_iadd(b, n, bias), l);
    } else {
        uint64_t m = (1ull << (31 + l)) / magnitude + 1; /* 2^31 < m < 2^32 */
        nir_def *high = nir_imul_high(b, n, nir_imm_int(b, (int)(uint32_t)m));
        q = nir_isub(b, nir_ishr_imm(b, nir_iadd(b, n, high), l - 1), sign);
    }
    return d < 0 ? nir_ineg(b, q) : q;
}

static nir_def *remainder_of(nir_builder *b, nir_def *n, nir_def *q, uint32_t d)
{
    return nir_isub(b, n, nir_imul_imm(b, q, d));
}

/* Returns the remainder with the sign of the divisor. */
static nir_def *imod(nir_builder *b, nir_def *n, int32_t d)
{
    nir_def *r = remainder_of(b, n, idiv(b, n, d), (uint32_t)d);
    nir_def *zero = nir_imm_int(b, 0);
    nir_def *differs = d > 0 ? nir_ilt(b, r, zero) : nir_ilt(b, zero, r);
    return nir_bcsel(b, differs, nir_iadd_imm(b, r, (uint32_t)d), r);
}

/* Returns NULL if the divisor is not supported. */
static nir_def *divide(nir_builder *b, nir_op op, nir_def *n, uint32_t d)
{
    bool is_unsigned = op == nir_op_udiv || op == nir_op_umod;
    if (d == 0 || d == 1 || (is_unsigned ? util_is_power_of_two(d) : d == UINT32_MAX))
        return NULL;
    switch (op) {
    case nir_op_udiv:
        return udiv(b, n, d);
    case nir_op_umod:
        return remainder_of(b, n, udiv(b, n, d), d);
    case nir_op_idiv:
        return idiv(b, n, (int32_t)d);
    case nir_op_irem:
        return remainder_of(b, n, idiv(b, n, (int32_t)d), d);
    default:
        return imod(b, n, (int32_t)d);
    }
}

static bool opt_alu(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    nir_def *comps[NIR_MAX_VEC_COMPONENTS];
    switch (alu->op) {
    case nir_op_udiv:
    case nir_op_umod:
    case nir_op_idiv:
    case nir_op_irem:
    case nir_op_imod:
        break;
    default:
        return false;
    }
    if (alu->def.bit_size != 32 || !nir_src_is_const(alu->src[1].src))
        return false;
    b->cursor = nir_before_instr(&alu->instr);
    for (unsigned c = 0; c < alu->def.num_components; c++) {
        uint32_t d =
            (uint32_t)nir_src_comp_as_uint(alu->src[1].src, nir_alu_src_comp(&alu->src[1], c));
        nir_def *n = nir_channel(b, alu->src[0].src.ssa, nir_alu_src_comp(&alu->src[0], c));
        comps[c] = divide(b, alu->op, n, d);
        if (!comps[c])
            return false; /* DCE removes the components built so far */
    }
    nir_def_replace(&alu->def, nir_vec(b, comps, alu->def.num_components));
    return true;
}

bool nir_opt_idiv_const(nir_shader *shader)
{
    return nir_shader_alu_pass(shader, opt_alu, nir_metadata_control_flow, NULL);
}
