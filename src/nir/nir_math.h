/* SPDX-License-Identifier: MIT */
/*
 * Evaluates GLSL's built-in functions on 32-bit floats (GLSL 4.60 §8.1, §8.2). Constant folding,
 * the interpreter and the EU simulator call these functions; nir_lower_math and nir_build_math.h
 * build the same operations as NIR. The result therefore has the same bits everywhere. Nothing here
 * calls a function of libm whose result isn't exact.
 */
#ifndef NIR_MATH_H
#define NIR_MATH_H

#include <stdbool.h>

/* exp2, log2, pow, sin and cos are also opcodes. Angles are in radians. log2 of a positive denormal
 * is -infinity, like log2 of zero; exp2 returns zero in place of denormal results. */
float nir_math_exp2(float x);
float nir_math_log2(float x);
float nir_math_pow(float x, float y);
float nir_math_sin(float x);
float nir_math_cos(float x);
float nir_math_tan(float x);
float nir_math_asin(float x);
float nir_math_acos(float x);
float nir_math_atan(float x);
/* Returns the angle of the vector (x, y) in radians, from -π to π. */
float nir_math_atan2(float y, float x);
/* e^x, and the logarithm to base e. */
float nir_math_exp(float x);
float nir_math_log(float x);
float nir_math_sinh(float x);
float nir_math_cosh(float x);
float nir_math_tanh(float x);
float nir_math_asinh(float x);
float nir_math_acosh(float x);
float nir_math_atanh(float x);

/* Adding this constant to a float of much smaller magnitude rounds the float to an integer, which
 * is then in the low bits of the sum. */
#define NIR_MATH_ROUNDING 0x1.8p23

/* Arguments of sin, cos and tan whose magnitude is at least this need nir_math_reduce_angle.
 * Smaller ones are reduced by subtracting a multiple of π/2. The constant is split into several
 * parts (Cody and Waite), so that all products but the last are exact. */
#define NIR_MATH_LARGE_ANGLE 0x1.ffp16f

/* For finite x with a magnitude of at least NIR_MATH_LARGE_ANGLE, returns an angle whose sine is
 * sin(x), or cos(x) if `cosine` is true. The angle is in [-π/2, π/2], except that rounding may
 * exceed these bounds slightly. Returns `small` for other x. */
float nir_math_reduce_angle(float x, float small, bool cosine);
/* Replace result[i] by nir_math_reduce_angle(x[i], result[i], cosine) for i < count, where cosine
 * is false for _sines and true for _cosines. The arrays need no alignment and must not overlap. */
void nir_math_reduce_sines(const float *x, float *result, unsigned count);
void nir_math_reduce_cosines(const float *x, float *result, unsigned count);

#endif
