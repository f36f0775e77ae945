/* SPDX-License-Identifier: MIT */
/* The operations that nir_math_opcodes.h, nir_math_reduce.h and nir_math_functions.h need, as
 * builders of NIR. Each function without a comment builds the opcode in its body. A value is a
 * float or an integer of its bits; a condition is a boolean. */
#ifndef NIR_MATH_BUILDER_H
#define NIR_MATH_BUILDER_H

#include <math.h>

#include "nir_builder.h"
#include "nir_math.h"

typedef nir_def *value, *condition;

/* Where to build, and the shape of all values. */
typedef const struct math_context {
    nir_builder *b;
    unsigned components, bits;
} *context;

/* Returns the float x in all components. */
static inline value number(context c, double x)
{
    return nir_vec_broadcast(c->b, nir_imm_floatN_t(c->b, x, c->bits), c->components);
}

/* Returns these 32 bits in all components. */
static inline value word(context c, uint32_t bits)
{
    return nir_vec_broadcast(c->b, nir_imm_int(c->b, (int)bits), c->components);
}

static inline value add(context c, value x, value y)
{
    return nir_fadd(c->b, x, y);
}

static inline value sub(context c, value x, value y)
{
    return nir_fsub(c->b, x, y);
}

static inline value mul(context c, value x, value y)
{
    return nir_fmul(c->b, x, y);
}

static inline value divide(context c, value x, value y)
{
    return nir_fdiv(c->b, x, y);
}

static inline value maximum(context c, value x, value y)
{
    return nir_fmax(c->b, x, y);
}

static inline value int_add(context c, value x, value y)
{
    return nir_iadd(c->b, x, y);
}

static inline value int_sub(context c, value x, value y)
{
    return nir_isub(c->b, x, y);
}

static inline value int_and(context c, value x, value y)
{
    return nir_iand(c->b, x, y);
}

static inline value int_xor(context c, value x, value y)
{
    return nir_ixor(c->b, x, y);
}

static inline value int_mul(context c, value x, value y)
{
    return nir_imul(c->b, x, y);
}

static inline value high_mul(context c, value x, value y)
{
    return nir_umul_high(c->b, x, y);
}

static inline condition unsigned_less(context c, value x, value y)
{
    return nir_ult(c->b, x, y);
}

static inline condition equal_words(context c, value x, value y)
{
    return nir_ieq(c->b, x, y);
}

static inline value shift_left_by(context c, value x, value count)
{
    return nir_ishl(c->b, x, count);
}

static inline value unsigned_shift_right_by(context c, value x, value count)
{
    return nir_ushr(c->b, x, count);
}

static inline value highest_bit(context c, value x)
{
    return nir_ufind_msb(c->b, x);
}

static inline value unsigned_to_float(context c, value x)
{
    return nir_u2f32(c->b, x);
}

static inline value reciprocal(context c, value x)
{
    return nir_frcp(c->b, x);
}

static inline value square_root(context c, value x)
{
    return nir_fsqrt(c->b, x);
}

static inline value negate(context c, value x)
{
    return nir_fneg(c->b, x);
}

static inline value absolute(context c, value x)
{
    return nir_fabs(c->b, x);
}

static inline value sign(context c, value x)
{
    return nir_fsign(c->b, x);
}

static inline value int_to_float(context c, value x)
{
    return nir_i2f32(c->b, x);
}

static inline condition less(context c, value x, value y)
{
    return nir_flt(c->b, x, y);
}

static inline condition equal(context c, value x, value y)
{
    return nir_feq(c->b, x, y);
}

/* Returns whether the sign bit of x is set. */
static inline condition is_negative(context c, value x)
{
    return nir_ilt(c->b, x, nir_imm_zero(c->b, x->num_components, x->bit_size));
}

static inline condition both(context c, condition x, condition y)
{
    return nir_iand(c->b, x, y);
}

static inline condition not(context c, condition x)
{
    return nir_inot(c->b, x);
}

static inline value choose(context c, condition which, value x, value y)
{
    return nir_bcsel(c->b, which, x, y);
}

static inline value shift_left(context c, value x, unsigned count)
{
    return nir_ishl_imm(c->b, x, count);
}

static inline value shift_right(context c, value x, unsigned count)
{
    return nir_ishr_imm(c->b, x, count);
}

static inline value reduce_sin(context c, value x, value small)
{
    return nir_freduce_sin(c->b, x, small);
}

static inline value reduce_cos(context c, value x, value small)
{
    return nir_freduce_cos(c->b, x, small);
}

#endif
