/* SPDX-License-Identifier: MIT */
/*
 * Lowers functions that aren't IEEE operations to operations that give the same bits everywhere.
 * Functions of 32-bit floats become the operations that nir_math.c computes values with.
 */
#include "nir.h"

#include "nir_math_builder.h"

#include "nir_math_opcodes.h"
#include "nir_math_reduce.h"

/* Lowers mod: x - y * floor(x / y), GLSL 4.60 §8.3. */
static nir_def *lower_fmod(nir_builder *b, nir_def *x, nir_def *y)
{
    return nir_fsub(b, x, nir_fmul(b, y, nir_ffloor(b, nir_fdiv(b, x, y))));
}

static nir_def *lower_frem(nir_builder *b, nir_def *x, nir_def *y)
{
    return nir_fsub(b, x, nir_fmul(b, y, nir_ftrunc(b, nir_fdiv(b, x, y))));
}

static nir_def *lower_flrp(nir_builder *b, nir_def *x, nir_def *y, nir_def *a)
{
    nir_def *one = nir_imm_floatN_t(b, 1.0, x->bit_size);
    return nir_fadd(b, nir_fmul(b, x, nir_fsub(b, one, a)), nir_fmul(b, y, a));
}

static nir_def *lower(nir_builder *b, nir_alu_instr *alu)
{
    nir_def *src[3] = {0};
    for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs && i < 3; i++)
        src[i] = nir_channel(b, alu->src[i].src.ssa, nir_alu_src_comp(&alu->src[i], 0));
    const struct math_context c = {b, 1, 32};
    switch (alu->op) {
    case nir_op_fexp2:
        return opcode_exp2(&c, src[0]);
    case nir_op_flog2:
        return opcode_log2(&c, src[0]);
    case nir_op_fpow:
        return opcode_pow(&c, src[0], src[1]);
    case nir_op_fsin:
        return opcode_sin(&c, src[0]);
    case nir_op_fcos:
        return opcode_cos(&c, src[0]);
    case nir_op_fmod:
        return lower_fmod(b, src[0], src[1]);
    case nir_op_frem:
        return lower_frem(b, src[0], src[1]);
    case nir_op_flrp:
        return lower_flrp(b, src[0], src[1], src[2]);
    default:
        return NULL;
    }
}

static bool lower_instr(nir_builder *b, nir_alu_instr *alu, void *data)
{
    switch (alu->op) {
    case nir_op_fexp2:
    case nir_op_flog2:
    case nir_op_fpow:
    case nir_op_fsin:
    case nir_op_fcos:
    case nir_op_fmod:
    case nir_op_frem:
    case nir_op_flrp:
        break;
    default:
        return false;
    }
    b->cursor = nir_before_instr(&alu->instr);
    b->exact = alu->exact;
    nir_def *result = lower(b, alu);
    if (!result)
        return false;
    nir_def_replace(&alu->def, result);
    return true;
}

bool nir_lower_math(nir_shader *nir)
{
    return nir_shader_alu_pass(nir, lower_instr, nir_metadata_control_flow, NULL);
}

/* Emits the reductions, of about 40 and 80 operations, inside of ifs, because angles are rarely
 * large. */
static void lower_reduction(nir_builder *b, nir_alu_instr *alu)
{
    const struct math_context c = {b, 1, 32};
    b->cursor = nir_before_instr(&alu->instr);
    nir_def *x = nir_channel(b, alu->src[0].src.ssa, nir_alu_src_comp(&alu->src[0], 0));
    nir_def *small = nir_channel(b, alu->src[1].src.ssa, nir_alu_src_comp(&alu->src[1], 0));
    const bool cosine = alu->op == nir_op_freduce_cos, exact = b->exact;
    nir_if *nif = nir_push_if(b, is_large_angle(&c, nir_fabs(b, x)));
    nir_if *huge = nir_push_if(b, is_huge_angle(&c, nir_fabs(b, x)));
    nir_def *large = reduce_large(&c, x, cosine);
    nir_push_else(b, huge);
    b->exact = true; /* reduce_medium computes rounding errors and adds them */
    nir_def *medium = reduce_medium(&c, x, cosine);
    b->exact = exact;
    nir_pop_if(b, huge);
    nir_def *reduced = nir_if_phi(b, large, medium);
    nir_pop_if(b, nif);
    nir_def_replace(&alu->def, nir_if_phi(b, reduced, small));
}

static bool is_reduction(const nir_instr *instr)
{
    if (instr->type != nir_instr_type_alu)
        return false;
    const nir_op op = nir_instr_as_alu(instr)->op;
    return op == nir_op_freduce_sin || op == nir_op_freduce_cos;
}

/* An if splits the block, so the walk continues in the block of the next instruction. */
static bool lower_reductions(nir_function_impl *impl)
{
    nir_builder b = nir_builder_create(impl);
    bool progress = false;
    for (nir_block *block = nir_start_block(impl); block; block = nir_block_cf_tree_next(block)) {
        nir_instr *next;
        for (nir_instr *instr = nir_block_first_instr(block); instr; instr = next) {
            next = instr->node.next == &block->instr_list
                       ? NULL
                       : list_entry(instr->node.next, nir_instr, node);
            if (!is_reduction(instr))
                continue;
            lower_reduction(&b, nir_instr_as_alu(instr));
            progress = true;
            if (next)
                block = next->block;
        }
    }
    return nir_progress(progress, impl, nir_metadata_none);
}

bool nir_lower_large_angles(nir_shader *nir)
{
    bool progress = false;
    nir_foreach_function_impl (impl, nir)
        progress |= lower_reductions(impl);
    return progress;
}
