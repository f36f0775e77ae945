/* SPDX-License-Identifier: MIT */
/*
 * Lowers functions that aren't IEEE operations to polynomials of operations that give the same bits
 * everywhere. All are for 32-bit scalars. Coefficients are minimax fits of the relative error,
 * which is given at each function; the first coefficient is that of the power series where the
 * function must be exact there. GLSL 4.60 §4.7.1 allows denormals to be flushed to zero.
 */
#include <math.h>

#include "jit/jit_private.h"
#include "nir/nir_builder.h"

static nir_def *imm(nir_builder *b, double value)
{
    return nir_imm_float(b, (float)value);
}

/* Returns c[0] + x (c[1] + x (c[2] + …)). */
static nir_def *polynomial(nir_builder *b, nir_def *x, const double *c, unsigned count)
{
    nir_def *sum = imm(b, c[count - 1]);
    for (int i = count - 2; i >= 0; i--)
        sum = nir_fadd(b, nir_fmul(b, sum, x), imm(b, c[i]));
    return sum;
}

/* Adding it to a much smaller number rounds that to an integer, which is then in the sum's low
 * bits. */
#define ROUNDING 0x1.8p23

/* Returns the minimum of x and a limit; NaN stays NaN. */
static nir_def *below(nir_builder *b, nir_def *x, double limit)
{
    return nir_bcsel(b, nir_flt(b, imm(b, limit), x), imm(b, limit), x);
}

static nir_def *above(nir_builder *b, nir_def *x, double limit)
{
    return nir_bcsel(b, nir_flt(b, x, imm(b, limit)), imm(b, limit), x);
}

/* Lowers exp2. x = i + f with |f| <= 1/2: computes 2^f by six terms (error 9e-8) and adds i to the
 * exponent; i = 128 gives infinity. Denormal results are 0. NaN stays NaN. The error is at most 2.3
 * units in the last place. */
static nir_def *lower_fexp2(nir_builder *b, nir_def *x)
{
    static const double c[] = {
        1.0,
        0.6931469775990309,
        0.2402224208549094,
        0.05550733743471063,
        0.00967151263221171,
        0.0013264727119383674,
    };
    nir_def *limited = below(b, x, 128.0);
    nir_def *rounded = nir_fadd(b, limited, imm(b, ROUNDING));
    nir_def *f = nir_fsub(b, limited, nir_fsub(b, rounded, imm(b, ROUNDING)));
    nir_def *power = polynomial(b, f, c, ARRAY_SIZE(c));
    nir_def *result = nir_iadd(b, power, nir_ishl(b, rounded, nir_imm_int(b, 23)));
    return nir_bcsel(b, nir_flt(b, x, imm(b, -126.0)), imm(b, 0.0), result);
}

/* Lowers log2. x = m 2^e with m in [sqrt(1/2), sqrt(2)): computes log2(m) = 2/ln 2 * artanh(t), t =
 * (m - 1) / (m + 1), by four terms (error 7e-10). Exact for powers of two. Denormals are treated as
 * 0, whose logarithm is -infinity. The error is at most 3 units in the last place. */
static nir_def *lower_flog2(nir_builder *b, nir_def *x)
{
    static const double c[] = {2.8853900797889276, 0.9617988476415188, 0.5767143839981522,
                               0.43173587803377905};
    /* Shift the boundary between exponents from 1 to sqrt(1/2). */
    nir_def *bits = nir_isub(b, x, nir_imm_int(b, 0x3f3504f3));
    nir_def *e = nir_ishr(b, bits, nir_imm_int(b, 23));
    nir_def *m =
        nir_iadd(b, nir_iand(b, bits, nir_imm_int(b, 0x7fffff)), nir_imm_int(b, 0x3f3504f3));
    nir_def *t = nir_fdiv(b, nir_fsub(b, m, imm(b, 1.0)), nir_fadd(b, m, imm(b, 1.0)));
    nir_def *log_m = nir_fmul(b, t, polynomial(b, nir_fmul(b, t, t), c, ARRAY_SIZE(c)));
    nir_def *result = nir_fadd(b, nir_i2f32(b, e), log_m);
    nir_def *none = nir_bcsel(b, nir_flt(b, x, imm(b, 0.0)), imm(b, NAN), imm(b, -INFINITY));
    result = nir_bcsel(b, nir_flt(b, x, imm(b, 0x1p-126)), none, result);
    return nir_bcsel(b, nir_flt(b, x, imm(b, INFINITY)), result, x); /* +inf, NaN */
}

/* Lowers sin and cos. x = k pi + r with |r| <= pi/2, where k is an integer, or an integer plus 1/2
 * for cosines: the result is sin(r), negated for odd k. k pi is subtracted in three parts (Cody and
 * Waite); the products of the first two are exact for |k| < 2^15. Larger arguments give inaccurate
 * results in [-1, 1]. The polynomial has five terms (error 6e-9) and never exceeds 1; cos(0) is 1.
 * Infinities and NaN give NaN. */
static nir_def *lower_fsin_cos(nir_builder *b, nir_def *x, bool cosine)
{
    static const double c[] = {-0.166666595467125, 0.00833306614234688, -0.0001980959477127509,
                               2.6057616145467115e-06};
    nir_def *turns = nir_fmul(b, x, imm(b, 0.31830988618379067));
    if (cosine)
        turns = nir_fadd(b, turns, imm(b, 0.5));
    nir_def *rounded = nir_fadd(b, turns, imm(b, ROUNDING));
    nir_def *k = nir_fsub(b, rounded, imm(b, ROUNDING));
    if (cosine)
        k = nir_fsub(b, k, imm(b, 0.5));
    nir_def *r = nir_fsub(b, x, nir_fmul(b, k, imm(b, 0x1.92p+1)));
    r = nir_fsub(b, r, nir_fmul(b, k, imm(b, 0x1.fb4p-11)));
    r = nir_fsub(b, r, nir_fmul(b, k, imm(b, 0x1.4442d2p-23)));
    r = above(b, below(b, r, 1.5708), -1.5708);
    nir_def *r2 = nir_fmul(b, r, r);
    nir_def *rest = nir_fmul(b, r2, polynomial(b, r2, c, ARRAY_SIZE(c)));
    nir_def *sine = nir_fadd(b, r, nir_fmul(b, r, rest));
    return nir_ixor(b, sine, nir_ishl(b, rounded, nir_imm_int(b, 31)));
}

static nir_def *lower_fpow(nir_builder *b, nir_def *x, nir_def *y)
{
    return lower_fexp2(b, nir_fmul(b, lower_flog2(b, x), y));
}

/* Lowers mod: x - y * floor(x / y), GLSL 4.60 §8.3. */
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
        return single ? lower_fsin_cos(b, src[0], false) : NULL;
    case nir_op_fcos:
        return single ? lower_fsin_cos(b, src[0], true) : NULL;
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
