/* SPDX-License-Identifier: MIT */
/* Values of functions, computed from the definitions that NIR is built from. */
#include "nir_math.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "util/macros.h"

/* A 32-bit value, like a component of a NIR value. */
typedef struct {
    uint32_t bits;
} value;

typedef bool condition;

/* Computing a value needs no context. */
typedef const void *context;

static inline float as_float(value x)
{
    float f;
    memcpy(&f, &x.bits, sizeof f);
    return f;
}

static inline value from_float(float f)
{
    value x;
    memcpy(&x.bits, &f, sizeof f);
    return x;
}

static inline value word(context b, uint32_t bits)
{
    return (value){bits};
}

static inline value number(context b, double x)
{
    return from_float((float)x);
}

static inline value add(context b, value x, value y)
{
    return from_float(as_float(x) + as_float(y));
}

static inline value sub(context b, value x, value y)
{
    return from_float(as_float(x) - as_float(y));
}

static inline value mul(context b, value x, value y)
{
    return from_float(as_float(x) * as_float(y));
}

static inline value divide(context b, value x, value y)
{
    return from_float(as_float(x) / as_float(y));
}

static inline value reciprocal(context b, value x)
{
    return from_float(1 / as_float(x));
}

static inline value square_root(context b, value x)
{
    return from_float(sqrtf(as_float(x)));
}

static inline value negate(context b, value x)
{
    return word(b, x.bits ^ 0x80000000u);
}

static inline value absolute(context b, value x)
{
    return word(b, x.bits & 0x7fffffffu);
}

static inline value sign(context b, value x)
{
    return number(b, as_float(x) > 0 ? 1 : as_float(x) < 0 ? -1 : 0);
}

/* The same as nir_op_fmax. */
static inline value maximum(context b, value x, value y)
{
    return as_float(x) > as_float(y) || as_float(y) != as_float(y) ? x : y;
}

static inline condition less(context b, value x, value y)
{
    return as_float(x) < as_float(y);
}

static inline condition equal(context b, value x, value y)
{
    return as_float(x) == as_float(y);
}

static inline condition is_negative(context b, value x)
{
    return x.bits >> 31;
}

static inline condition both(context b, condition x, condition y)
{
    return x && y;
}

static inline condition not(context b, condition x)
{
    return !x;
}

static inline value choose(context b, condition which, value x, value y)
{
    return which ? x : y;
}

static inline value int_add(context b, value x, value y)
{
    return word(b, x.bits + y.bits);
}

static inline value int_sub(context b, value x, value y)
{
    return word(b, x.bits - y.bits);
}

static inline value int_and(context b, value x, value y)
{
    return word(b, x.bits & y.bits);
}

static inline value int_xor(context b, value x, value y)
{
    return word(b, x.bits ^ y.bits);
}

static inline value shift_left(context b, value x, unsigned count)
{
    return word(b, x.bits << count);
}

static inline value shift_right(context b, value x, unsigned count)
{
    return word(b, (uint32_t)((int32_t)x.bits >> count));
}

static inline value int_mul(context b, value x, value y)
{
    return word(b, x.bits * y.bits);
}

/* Returns the upper half of the product of unsigned numbers. */
static inline value high_mul(context b, value x, value y)
{
    return word(b, (uint32_t)((uint64_t)x.bits * y.bits >> 32));
}

static inline condition unsigned_less(context b, value x, value y)
{
    return x.bits < y.bits;
}

static inline condition equal_words(context b, value x, value y)
{
    return x.bits == y.bits;
}

/* Shift counts are taken modulo 32. */
static inline value shift_left_by(context b, value x, value count)
{
    return word(b, x.bits << (count.bits & 31));
}

static inline value unsigned_shift_right_by(context b, value x, value count)
{
    return word(b, x.bits >> (count.bits & 31));
}

/* Returns the number of the highest bit that is set in x, which isn't 0. */
static inline value highest_bit(context b, value x)
{
    return word(b, 31 - (uint32_t)__builtin_clz(x.bits));
}

static inline value unsigned_to_float(context b, value x)
{
    return from_float((float)x.bits);
}

static inline value int_to_float(context b, value x)
{
    return from_float((float)(int32_t)x.bits);
}

static inline value reduce_sin(context b, value x, value small)
{
    return from_float(nir_math_reduce_angle(as_float(x), as_float(small), false));
}

static inline value reduce_cos(context b, value x, value small)
{
    return from_float(nir_math_reduce_angle(as_float(x), as_float(small), true));
}

#include "nir_math_opcodes.h"

#define exp2_of opcode_exp2
#define log2_of opcode_log2

#include "nir_math_functions.h"
#include "nir_math_reduce.h"

/* --- reduction of large angles --- */

float nir_math_reduce_angle(float x, float small, bool cosine)
{
    const value angle = from_float(x), magnitude = absolute(NULL, angle);
    if (!is_large_angle(NULL, magnitude))
        return small;
    return as_float(is_huge_angle(NULL, magnitude) ? reduce_large(NULL, angle, cosine)
                                                   : reduce_medium(NULL, angle, cosine));
}

/* --- functions --- */

float nir_math_exp2(float x)
{
    return as_float(opcode_exp2(NULL, from_float(x)));
}

float nir_math_log2(float x)
{
    return as_float(opcode_log2(NULL, from_float(x)));
}

float nir_math_sin(float x)
{
    return as_float(opcode_sin(NULL, from_float(x)));
}

float nir_math_cos(float x)
{
    return as_float(opcode_cos(NULL, from_float(x)));
}

float nir_math_tan(float x)
{
    return as_float(function_tan(NULL, from_float(x)));
}

float nir_math_asin(float x)
{
    return as_float(function_asin(NULL, from_float(x)));
}

float nir_math_acos(float x)
{
    return as_float(function_acos(NULL, from_float(x)));
}

float nir_math_atan(float x)
{
    return as_float(function_atan(NULL, from_float(x)));
}

float nir_math_exp(float x)
{
    return as_float(function_exp(NULL, from_float(x)));
}

float nir_math_log(float x)
{
    return as_float(function_log(NULL, from_float(x)));
}

float nir_math_sinh(float x)
{
    return as_float(function_sinh(NULL, from_float(x)));
}

float nir_math_cosh(float x)
{
    return as_float(function_cosh(NULL, from_float(x)));
}

float nir_math_tanh(float x)
{
    return as_float(function_tanh(NULL, from_float(x)));
}

float nir_math_asinh(float x)
{
    return as_float(function_asinh(NULL, from_float(x)));
}

float nir_math_acosh(float x)
{
    return as_float(function_acosh(NULL, from_float(x)));
}

float nir_math_atanh(float x)
{
    return as_float(function_atanh(NULL, from_float(x)));
}

float nir_math_pow(float x, float y)
{
    return as_float(opcode_pow(NULL, from_float(x), from_float(y)));
}

float nir_math_atan2(float y, float x)
{
    return as_float(function_atan2(NULL, from_float(y), from_float(x)));
}
