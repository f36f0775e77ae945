/* SPDX-License-Identifier: MIT */
/* Operations of HIR without a NIR opcode; nir_build_math.h builds them. */
#include "glsl/hir_to_nir.h"
#include "nir/nir_build_math.h"

nir_def *h2n_build_math(nir_builder *b, enum hir_op op, bool is_signed, nir_def *x, nir_def *y)
{
    switch (op) {
    case HIR_OP_COUNT_TRAILING_ZEROS:
        return nir_build_count_trailing_zeros(b, x);
    case HIR_OP_ABS_DIFFERENCE:
        return nir_build_abs_difference(b, x, y, is_signed);
    case HIR_OP_AVERAGE:
    case HIR_OP_AVERAGE_ROUNDED:
        return nir_build_average(b, x, y, is_signed, op == HIR_OP_AVERAGE_ROUNDED);
    case HIR_OP_MUL_32X16:
        return nir_build_mul_32x16(b, x, y, is_signed);
    case HIR_OP_EXP:
        return nir_build_exp(b, x);
    case HIR_OP_LOG:
        return nir_build_log(b, x);
    case HIR_OP_TAN:
        return nir_build_tan(b, x);
    case HIR_OP_ASIN:
        return nir_build_asin(b, x);
    case HIR_OP_ACOS:
        return nir_build_acos(b, x);
    case HIR_OP_ATAN:
        return nir_build_atan(b, x);
    case HIR_OP_ATAN2:
        return nir_build_atan2(b, x, y);
    case HIR_OP_SINH:
        return nir_build_sinh(b, x);
    case HIR_OP_COSH:
        return nir_build_cosh(b, x);
    case HIR_OP_TANH:
        return nir_build_tanh(b, x);
    case HIR_OP_ASINH:
        return nir_build_asinh(b, x);
    case HIR_OP_ACOSH:
        return nir_build_acosh(b, x);
    case HIR_OP_ATANH:
        return nir_build_atanh(b, x);
    case HIR_OP_CEIL:
        return nir_build_ceil(b, x);
    case HIR_OP_IS_NAN:
        return nir_build_is_nan(b, x);
    case HIR_OP_IS_INF:
        return nir_build_is_inf(b, x);
    default:
        assert(!"operation without a builder");
        return x;
    }
}

nir_def *h2n_pack(nir_builder *b, enum hir_op op, nir_def *x)
{
    switch (op) {
    case HIR_OP_PACK_UNORM_2X16:
        return nir_build_pack_norm(b, x, 16, false);
    case HIR_OP_PACK_SNORM_2X16:
        return nir_build_pack_norm(b, x, 16, true);
    case HIR_OP_PACK_UNORM_4X8:
        return nir_build_pack_norm(b, x, 8, false);
    case HIR_OP_PACK_SNORM_4X8:
        return nir_build_pack_norm(b, x, 8, true);
    case HIR_OP_UNPACK_UNORM_2X16:
        return nir_build_unpack_norm(b, x, 16, false);
    case HIR_OP_UNPACK_SNORM_2X16:
        return nir_build_unpack_norm(b, x, 16, true);
    case HIR_OP_UNPACK_UNORM_4X8:
        return nir_build_unpack_norm(b, x, 8, false);
    case HIR_OP_UNPACK_SNORM_4X8:
        return nir_build_unpack_norm(b, x, 8, true);
    case HIR_OP_PACK_HALF_2X16:
        return nir_pack_half_2x16(b, x);
    case HIR_OP_UNPACK_HALF_2X16:
        return nir_unpack_half_2x16(b, x);
    case HIR_OP_PACK_64_2X32:
        return nir_pack_64_2x32(b, x);
    default:
        return nir_unpack_64_2x32(b, x);
    }
}

nir_def *h2n_determinant(nir_builder *b, const struct h2n_value *m)
{
    return nir_build_determinant(b, m->c, m->n);
}

struct h2n_value h2n_inverse(nir_builder *b, const struct h2n_value *m)
{
    struct h2n_value out = {.n = m->n};
    nir_build_inverse(b, m->c, m->n, out.c);
    return out;
}
