/* SPDX-License-Identifier: MIT */
/* Builders for shading language functions that have no opcode. Vectors may have any size. */
#ifndef NIR_BUILD_MATH_H
#define NIR_BUILD_MATH_H

#include "nir_builder.h"

/* Natural exponential and logarithm, trigonometric and hyperbolic functions (GLSL 4.60 §8.1,
 * §8.2). */
nir_def *nir_build_exp(nir_builder *b, nir_def *x);
nir_def *nir_build_log(nir_builder *b, nir_def *x);
nir_def *nir_build_tan(nir_builder *b, nir_def *x);
nir_def *nir_build_asin(nir_builder *b, nir_def *x);
nir_def *nir_build_acos(nir_builder *b, nir_def *x);
nir_def *nir_build_atan(nir_builder *b, nir_def *x);
nir_def *nir_build_sinh(nir_builder *b, nir_def *x);
nir_def *nir_build_cosh(nir_builder *b, nir_def *x);
nir_def *nir_build_tanh(nir_builder *b, nir_def *x);
nir_def *nir_build_asinh(nir_builder *b, nir_def *x);
nir_def *nir_build_acosh(nir_builder *b, nir_def *x);
nir_def *nir_build_atanh(nir_builder *b, nir_def *x);
nir_def *nir_build_ceil(nir_builder *b, nir_def *x);
nir_def *nir_build_is_nan(nir_builder *b, nir_def *x);
nir_def *nir_build_is_inf(nir_builder *b, nir_def *x);
/* Returns the angle of the vector (x, y), from -π to π. */
nir_def *nir_build_atan2(nir_builder *b, nir_def *y, nir_def *x);

/* --- Integer functions; is_signed applies to both operands. --- */

/* Returns the index of the lowest set bit, or the bit size if x is 0. */
nir_def *nir_build_count_trailing_zeros(nir_builder *b, nir_def *x);
/* Returns |x - y| as an unsigned integer. */
nir_def *nir_build_abs_difference(nir_builder *b, nir_def *x, nir_def *y, bool is_signed);
/* Returns (x + y) / 2 without overflow, rounded up or down. */
nir_def *nir_build_average(nir_builder *b, nir_def *x, nir_def *y, bool is_signed, bool round_up);
/* Returns x times the low 16 bits of y. */
nir_def *nir_build_mul_32x16(nir_builder *b, nir_def *x, nir_def *y, bool is_signed);

/* Convert a vector of 32 / size components to and from normalized integers of `size` bits in a
 * word. */
nir_def *nir_build_pack_norm(nir_builder *b, nir_def *x, unsigned size, bool is_signed);
nir_def *nir_build_unpack_norm(nir_builder *b, nir_def *bits, unsigned size, bool is_signed);

/* Determinant and inverse of an n × n matrix. out: n columns. */
nir_def *nir_build_determinant(nir_builder *b, nir_def *const *columns, unsigned n);
void nir_build_inverse(nir_builder *b, nir_def *const *columns, unsigned n, nir_def **out);

#endif
