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

/* Nothing has to be known to compute a value. */
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

#define exp2_of   opcode_exp2
#define log2_of   opcode_log2
#define sine_of   opcode_sin
#define cosine_of opcode_cos

#include "nir_math_functions.h"

/* --- reduction of large angles (Payne and Hanek, "Radian Reduction for Trigonometric Functions",
 * 1983) --- */

/* Bits of 1/π, the highest first; the first word is in front of the binary point. */
static const uint32_t inverse_pi[] = {0,          0x517cc1b7, 0x27220a94, 0xfe13abe8,
                                      0xfa9a6ee0, 0x6db14acc, 0x9e21c820, 0xff28b1d5};

/* Returns 96 bits of 1/π * 2^exponent, of which the highest is the lowest bit of the integer part. */
static unsigned __int128 inverse_pi_bits(int exponent)
{
    const unsigned at = (unsigned)(exponent + 31), first = at / 32;
    unsigned __int128 bits = 0;
    for (unsigned i = 0; i < 4; i++)
        bits = bits << 32 | inverse_pi[first + i];
    return bits << at % 32 >> 32;
}

/* x = m 2^e with an integer m of 24 bits. The product of m with 96 bits of 2^e / π is x / π modulo
 * 2, with an error below 2^-71. The float closest to a multiple of π / 2 differs by more than 2^-34
 * from it, so 64 bits of the product suffice. */
float nir_math_reduce_angle(float x, float small, bool cosine)
{
    const float magnitude = fabsf(x);
    if (!(magnitude >= NIR_MATH_LARGE_ANGLE) || magnitude > 0x1.fffffep127f)
        return small;
    const uint32_t bits = from_float(magnitude).bits;
    const unsigned __int128 product =
        inverse_pi_bits((int)(bits >> 23) - 150) * ((bits & 0x7fffff) | 0x800000);
    uint64_t turns = (uint64_t)(product >> 32); /* units of 2^-63 half turns, modulo 2 half turns */
    if (cosine)
        turns += UINT64_C(1) << 62;
    const bool odd = (turns + (UINT64_C(1) << 62)) >> 63;
    const double r = (double)(int64_t)(turns << 1) * (0x1.921fb54442d18p+1 * 0x1p-64);
    return (float)((x < 0 && !cosine) != odd ? -r : r);
}

static void reduce_angles(const float *x, float *result, unsigned count, bool cosine)
{
    for (unsigned i = 0; i < count; i++)
        result[i] = nir_math_reduce_angle(x[i], result[i], cosine);
}

void nir_math_reduce_sines(const float *x, float *result, unsigned count)
{
    reduce_angles(x, result, count, false);
}

void nir_math_reduce_cosines(const float *x, float *result, unsigned count)
{
    reduce_angles(x, result, count, true);
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
