/* SPDX-License-Identifier: MIT */
/* Subgroup operations (SPIR-V 1.3 §3.32.24, KHR_shader_subgroup). */
#include "nir/nir_build_subgroup.h"
#include "spirv/spirv_private.h"

/* Returns an operand that is a scalar or vector. */
static struct spv_ssa operand(struct spv *p, uint32_t id)
{
    struct spv_ssa v = spv_use(p, id);
    spv_fail_if(p, !spv_is_vector(v.type), "the operand must be a scalar or vector");
    return v;
}

static nir_def *mask(struct spv *p, uint32_t id)
{
    struct spv_ssa v = operand(p, id);
    spv_fail_if(p, spv_components(v.type) != 4 || spv_bits(v.type) != 32,
                "the ballot must be a vector of four 32-bit integers");
    return v.c[0];
}

static nir_def *condition(struct spv *p, uint32_t id)
{
    struct spv_ssa v = operand(p, id);
    spv_fail_if(p, v.type->op != SpvOpTypeBool, "the operand must be boolean");
    return v.c[0];
}

static nir_def *bit_count(struct spv *p, const struct spv_instr *in)
{
    nir_def *ballot = mask(p, in->w[5]);
    switch (in->w[4]) {
    case SpvGroupOperationReduce:
        return nir_build_ballot_bit_count(&p->b, ballot);
    case SpvGroupOperationInclusiveScan:
        return nir_build_ballot_masked_bit_count(&p->b, ballot, SYSTEM_VALUE_SUBGROUP_LE_MASK);
    case SpvGroupOperationExclusiveScan:
        return nir_build_ballot_masked_bit_count(&p->b, ballot, SYSTEM_VALUE_SUBGROUP_LT_MASK);
    default:
        spv_fail(p, "group operation %u is not supported for bit counts", in->w[4]);
    }
}

/* Emits an instruction on conditions and ballots; returns NULL for other instructions. */
static nir_def *vote(struct spv *p, const struct spv_instr *in)
{
    nir_builder *b = &p->b;
    struct spv_ssa v;
    switch (in->op) {
    case SpvOpGroupNonUniformElect:
        return nir_elect(b);
    case SpvOpGroupNonUniformAll:
        return nir_vote_all(b, condition(p, in->w[4]));
    case SpvOpGroupNonUniformAny:
        return nir_vote_any(b, condition(p, in->w[4]));
    case SpvOpGroupNonUniformAllEqual:
        v = operand(p, in->w[4]);
        return spv_scalar_of(v.type)->op == SpvOpTypeFloat ? nir_vote_feq(b, v.c[0])
                                                           : nir_vote_ieq(b, v.c[0]);
    case SpvOpGroupNonUniformBallot:
        return nir_ballot(b, 4, 32, condition(p, in->w[4]));
    case SpvOpGroupNonUniformInverseBallot:
        return nir_build_inverse_ballot(b, mask(p, in->w[4]));
    case SpvOpGroupNonUniformBallotBitExtract:
        return nir_build_ballot_bit_extract(b, mask(p, in->w[4]), spv_use_int(p, in->w[5]));
    case SpvOpGroupNonUniformBallotBitCount:
        return bit_count(p, in);
    case SpvOpGroupNonUniformBallotFindLSB:
        return nir_build_ballot_find_lsb(b, mask(p, in->w[4]));
    case SpvOpGroupNonUniformBallotFindMSB:
        return nir_build_ballot_find_msb(b, mask(p, in->w[4]));
    default:
        return NULL;
    }
}

static nir_def *swap_in_quad(struct spv *p, nir_def *value, uint32_t direction)
{
    switch (spv_constant_u32(p, direction)) {
    case 0:
        return nir_quad_swap_horizontal(&p->b, value);
    case 1:
        return nir_quad_swap_vertical(&p->b, value);
    case 2:
        return nir_quad_swap_diagonal(&p->b, value);
    default:
        spv_fail(p, "the direction must be 0, 1 or 2");
    }
}

/* Emits an instruction that reads the value of another invocation. */
static nir_def *read(struct spv *p, const struct spv_instr *in, nir_def *value)
{
    nir_builder *b = &p->b;
    if (in->op == SpvOpGroupNonUniformBroadcastFirst)
        return nir_read_first_invocation(b, value);
    if (in->op == SpvOpGroupNonUniformQuadSwap)
        return swap_in_quad(p, value, in->w[5]);
    nir_def *by = spv_use_int(p, in->w[5]);
    spv_fail_if(p, by->bit_size != 32, "the invocation index must be a 32-bit integer");
    switch (in->op) {
    case SpvOpGroupNonUniformBroadcast:
        return nir_read_invocation(b, value, by);
    case SpvOpGroupNonUniformShuffle:
        return nir_shuffle(b, value, by);
    case SpvOpGroupNonUniformShuffleXor:
        return nir_shuffle_xor(b, value, by);
    case SpvOpGroupNonUniformShuffleUp:
        return nir_shuffle_up(b, value, by);
    case SpvOpGroupNonUniformShuffleDown:
        return nir_shuffle_down(b, value, by);
    default:
        return nir_quad_broadcast(b, value, by);
    }
}

static const struct reduction {
    uint16_t op;   /* SpvOpGroupNonUniform… */
    uint16_t type; /* scalar type of the operand */
    nir_op nir;
} reductions[] = {
    {SpvOpGroupNonUniformIAdd, SpvOpTypeInt, nir_op_iadd},
    {SpvOpGroupNonUniformFAdd, SpvOpTypeFloat, nir_op_fadd},
    {SpvOpGroupNonUniformIMul, SpvOpTypeInt, nir_op_imul},
    {SpvOpGroupNonUniformFMul, SpvOpTypeFloat, nir_op_fmul},
    {SpvOpGroupNonUniformSMin, SpvOpTypeInt, nir_op_imin},
    {SpvOpGroupNonUniformUMin, SpvOpTypeInt, nir_op_umin},
    {SpvOpGroupNonUniformFMin, SpvOpTypeFloat, nir_op_fmin},
    {SpvOpGroupNonUniformSMax, SpvOpTypeInt, nir_op_imax},
    {SpvOpGroupNonUniformUMax, SpvOpTypeInt, nir_op_umax},
    {SpvOpGroupNonUniformFMax, SpvOpTypeFloat, nir_op_fmax},
    {SpvOpGroupNonUniformBitwiseAnd, SpvOpTypeInt, nir_op_iand},
    {SpvOpGroupNonUniformBitwiseOr, SpvOpTypeInt, nir_op_ior},
    {SpvOpGroupNonUniformBitwiseXor, SpvOpTypeInt, nir_op_ixor},
    {SpvOpGroupNonUniformLogicalAnd, SpvOpTypeBool, nir_op_iand},
    {SpvOpGroupNonUniformLogicalOr, SpvOpTypeBool, nir_op_ior},
    {SpvOpGroupNonUniformLogicalXor, SpvOpTypeBool, nir_op_ixor},
};

static nir_def *reduce(struct spv *p, const struct spv_instr *in, const struct reduction *r,
                       const struct spv_ssa *v)
{
    unsigned cluster = 0;
    spv_fail_if(p, spv_scalar_of(v->type)->op != r->type, "the operand has the wrong type");
    switch (in->w[4]) {
    case SpvGroupOperationClusteredReduce:
        spv_fail_if(p, in->count < 7, "the cluster size is missing");
        cluster = spv_constant_u32(p, in->w[6]);
        spv_fail_if(p, !util_is_power_of_two(cluster), "the cluster size must be a power of two");
        /* fallthrough */
    case SpvGroupOperationReduce:
        return nir_reduce(&p->b, v->c[0], .reduction_op = r->nir, .cluster_size = cluster);
    case SpvGroupOperationInclusiveScan:
        return nir_inclusive_scan(&p->b, v->c[0], .reduction_op = r->nir);
    case SpvGroupOperationExclusiveScan:
        return nir_exclusive_scan(&p->b, v->c[0], .reduction_op = r->nir);
    default:
        spv_fail(p, "group operation %u is not supported", in->w[4]);
    }
}

bool spv_emit_subgroup(struct spv *p, const struct spv_instr *in)
{
    if (in->op < SpvOpGroupNonUniformElect || in->op > SpvOpGroupNonUniformQuadSwap)
        return false;
    spv_fail_if(p, spv_constant_u32(p, in->w[3]) != SpvScopeSubgroup, "the scope must be Subgroup");
    nir_def *def = vote(p, in);
    if (def) {
        spv_set_vec(p, in, def);
        return true;
    }
    const bool reduces =
        in->op >= SpvOpGroupNonUniformIAdd && in->op <= SpvOpGroupNonUniformLogicalXor;
    struct spv_ssa v = operand(p, in->w[reduces ? 5 : 4]);
    if (!reduces)
        v.c[0] = read(p, in, v.c[0]);
    for (unsigned i = 0; reduces && i < ARRAY_SIZE(reductions); i++)
        if (reductions[i].op == in->op)
            v.c[0] = reduce(p, in, &reductions[i], &v);
    spv_set(p, in, v);
    return true;
}
