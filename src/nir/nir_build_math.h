/* SPDX-License-Identifier: MIT */
/* Functions of shading languages that NIR has no opcode for, of any number of components. */
#ifndef NIR_BUILD_MATH_H
#define NIR_BUILD_MATH_H

#include "nir_builder.h"

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
nir_def *nir_build_atan2(nir_builder *b, nir_def *y, nir_def *x);

/* Of integers; signs matter to both operands. The least bit that is set, the number of bits if none
 * is; |x - y| without a sign; (x + y) / 2, rounded down or up, without overflow; x times the low word of
 * y. */
nir_def *nir_build_count_trailing_zeros(nir_builder *b, nir_def *x);
nir_def *nir_build_abs_difference(nir_builder *b, nir_def *x, nir_def *y, bool is_signed);
nir_def *nir_build_average(nir_builder *b, nir_def *x, nir_def *y, bool is_signed, bool round_up);
nir_def *nir_build_mul_32x16(nir_builder *b, nir_def *x, nir_def *y, bool is_signed);

/* A vector of 32 / size components as normalized integers of size bits, in one word. */
nir_def *nir_build_pack_norm(nir_builder *b, nir_def *x, unsigned size, bool is_signed);
nir_def *nir_build_unpack_norm(nir_builder *b, nir_def *bits, unsigned size, bool is_signed);

/* Of n columns with n components each. out: n columns. */
nir_def *nir_build_determinant(nir_builder *b, nir_def *const *columns, unsigned n);
void nir_build_inverse(nir_builder *b, nir_def *const *columns, unsigned n, nir_def **out);

#endif
