/* SPDX-License-Identifier: MIT */
/* Builders for shading language functions that have no opcode. Vectors may have any size. */
#ifndef NIR_BUILD_MATH_H
#define NIR_BUILD_MATH_H

#include "nir_builder.h"

/* Return the value of the GLSL function with the same name (GLSL 4.60 §8.1 to §8.3). atan is the
 * function of one argument. is_nan and is_inf return a Boolean vector. */
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
/* Returns the angle of the vector (x, y) in radians, from -π to π. */
nir_def *nir_build_atan2(nir_builder *b, nir_def *y, nir_def *x);

/* --- Integer functions. is_signed: the operands are signed. --- */

/* Returns the index of the lowest set bit as a 32-bit integer, or the bit size of x if x is 0. */
nir_def *nir_build_count_trailing_zeros(nir_builder *b, nir_def *x);
/* Returns |x - y| as an unsigned integer. */
nir_def *nir_build_abs_difference(nir_builder *b, nir_def *x, nir_def *y, bool is_signed);
/* Returns (x + y) / 2 without overflow of the sum, rounded toward +∞ if round_up, otherwise toward
 * -∞. */
nir_def *nir_build_average(nir_builder *b, nir_def *x, nir_def *y, bool is_signed, bool round_up);
/* Returns the low 32 bits of x times the low 16 bits of y, which are sign-extended if is_signed and
 * zero-extended otherwise. */
nir_def *nir_build_mul_32x16(nir_builder *b, nir_def *x, nir_def *y, bool is_signed);

/* Packs 32 / size floats into a 32-bit word as normalized integers of `size` bits, component 0 in
 * the lowest bits. Clamps x to [-1, 1] if is_signed, otherwise to [0, 1]. Rounds to nearest, ties
 * to even. */
nir_def *nir_build_pack_norm(nir_builder *b, nir_def *x, unsigned size, bool is_signed);
/* Unpacks a 32-bit word of normalized integers of `size` bits to a vector of 32 / size floats. */
nir_def *nir_build_unpack_norm(nir_builder *b, nir_def *bits, unsigned size, bool is_signed);

/* Returns the determinant of an n × n matrix, whose columns have n components. */
nir_def *nir_build_determinant(nir_builder *b, nir_def *const *columns, unsigned n);
/* Stores the n columns of the inverse of an n × n matrix in out, which must not be `columns`. */
void nir_build_inverse(nir_builder *b, nir_def *const *columns, unsigned n, nir_def **out);

#endif
