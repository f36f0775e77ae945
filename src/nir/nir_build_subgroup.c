/* SPDX-License-Identifier: MIT */
#include "nir_build_subgroup.h"

#include <math.h>

#include "util/macros.h"

static nir_def *all_invocations(nir_builder *b)
{
    nir_def *others = nir_isub(b, nir_imm_int(b, 32), nir_load_subgroup_size(b));
    return nir_ushr(b, nir_imm_int(b, -1), others);
}

static nir_def *mask_word(nir_builder *b, enum system_value value)
{
    nir_def *self = nir_ishl(b, nir_imm_int(b, 1), nir_load_subgroup_invocation(b));
    nir_def *below = nir_iadd_imm(b, self, -1);
    switch (value) {
    case SYSTEM_VALUE_SUBGROUP_EQ_MASK:
        return self;
    case SYSTEM_VALUE_SUBGROUP_GE_MASK:
        return nir_iand(b, all_invocations(b), nir_inot(b, below));
    case SYSTEM_VALUE_SUBGROUP_GT_MASK:
        return nir_iand(b, all_invocations(b), nir_inot(b, nir_ior(b, below, self)));
    case SYSTEM_VALUE_SUBGROUP_LE_MASK:
        return nir_ior(b, below, self);
    default:
        return below;
    }
}

nir_def *nir_build_subgroup_mask(nir_builder *b, enum system_value value)
{
    nir_def *zero = nir_imm_int(b, 0);
    return nir_vec4(b, mask_word(b, value), zero, zero, zero);
}

nir_def *nir_build_ballot_bit_extract(nir_builder *b, nir_def *ballot, nir_def *index)
{
    nir_def *shifted = nir_ushr(b, nir_channel(b, ballot, 0), index);
    return nir_ine_imm(b, nir_iand_imm(b, shifted, 1), 0);
}

nir_def *nir_build_inverse_ballot(nir_builder *b, nir_def *ballot)
{
    return nir_build_ballot_bit_extract(b, ballot, nir_load_subgroup_invocation(b));
}

/* Returns the first word without the bits of invocations that don't exist, which must be
 * ignored. */
static nir_def *word_of(nir_builder *b, nir_def *ballot)
{
    return nir_iand(b, nir_channel(b, ballot, 0), all_invocations(b));
}

nir_def *nir_build_ballot_bit_count(nir_builder *b, nir_def *ballot)
{
    return nir_bit_count(b, word_of(b, ballot));
}

nir_def *nir_build_ballot_masked_bit_count(nir_builder *b, nir_def *ballot, enum system_value mask)
{
    return nir_bit_count(b, nir_iand(b, word_of(b, ballot), mask_word(b, mask)));
}

nir_def *nir_build_ballot_find_lsb(nir_builder *b, nir_def *ballot)
{
    return nir_find_lsb(b, word_of(b, ballot));
}

nir_def *nir_build_ballot_find_msb(nir_builder *b, nir_def *ballot)
{
    return nir_ufind_msb(b, word_of(b, ballot));
}

nir_const_value nir_reduction_identity(nir_op op, unsigned bit_size)
{
    uint64_t ones = BITFIELD64_MASK(bit_size), sign = 1ull << (bit_size - 1);
    switch (op) {
    case nir_op_fmul:
        return nir_const_value_for_float(1.0, bit_size);
    case nir_op_fmin:
        return nir_const_value_for_float(INFINITY, bit_size);
    case nir_op_fmax:
        return nir_const_value_for_float(-INFINITY, bit_size);
    case nir_op_imul:
        return nir_const_value_for_uint(1, bit_size);
    case nir_op_imin:
        return nir_const_value_for_uint(ones >> 1, bit_size);
    case nir_op_imax:
        return nir_const_value_for_uint(sign, bit_size);
    case nir_op_umin:
    case nir_op_iand:
        return nir_const_value_for_uint(ones, bit_size);
    default: /* sum, umax, ior, ixor */
        return nir_const_value_for_uint(0, bit_size);
    }
}
