/* SPDX-License-Identifier: MIT */
/*
 * Code moves to where it runs least often (after Click, "Global Code Motion, Global Value
 * Numbering", PLDI 1995): out of loops that it does not depend on, and down to the branch that alone
 * uses it. Only what has no effect, reads nothing that may be written and does not depend on which
 * lanes are active; constants stay, because they cost nothing.
 *
 * Nothing moves down out of a loop: behind it lanes may have left at different times.
 */
#include "nir.h"

#include "nir_private.h"

static nir_loop *loop_around(const nir_cf_node *node)
{
    for (node = node->parent; node; node = node->parent) {
        if (node->type == nir_cf_node_loop)
            return nir_cf_node_as_loop(node);
    }
    return NULL;
}

static bool is_inside(const nir_cf_node *node, const nir_loop *loop)
{
    for (; node; node = node->parent) {
        if (node == &loop->cf_node)
            return true;
    }
    return false;
}

/* --- Up --- */

static bool is_outside(nir_src *src, void *loop)
{
    return !is_inside(&src->ssa->parent_instr->block->cf_node, loop);
}

/* In program order, so that what an instruction depends on has moved already. */
static bool hoist(nir_instr *instr)
{
    nir_block *target = NULL;
    nir_loop *loop = loop_around(&instr->block->cf_node);
    for (; loop && nir_foreach_src(instr, is_outside, loop); loop = loop_around(&loop->cf_node))
        target = nir_cf_node_as_block(nir_cf_node_prev(&loop->cf_node));
    return target && nir_instr_move(nir_after_block(target), instr);
}

/* --- Down --- */

/* Values of other lanes are read here: all that were active above must have computed them. */
static bool is_read_across_lanes(const nir_instr *user)
{
    if (user->type == nir_instr_type_alu)
        return nir_op_infos[nir_instr_as_alu(user)->op].algebraic_properties & NIR_OP_IS_DERIVATIVE;
    if (user->type == nir_instr_type_tex)
        return nir_tex_instr_has_implicit_derivative(nir_instr_as_tex(user));
    return user->type == nir_instr_type_intrinsic &&
           (nir_intrinsic_infos[nir_instr_as_intrinsic(user)->intrinsic].flags &
            NIR_INTRINSIC_CROSS_LANE);
}

/* The block that dominates all uses; NULL: it must not move. */
static nir_block *lowest(nir_def *def)
{
    nir_block *lca = NULL;
    nir_foreach_use_including_if(src, def)
    {
        if (!nir_src_is_if(src) && is_read_across_lanes(nir_src_parent_instr(src)))
            return NULL;
        nir_block *block = nir_cursor_current_block(nir_before_src(src));
        lca = lca ? nir_dominance_lca(lca, block) : block;
        if (!lca) /* code that cannot be reached */
            return NULL;
    }
    return lca;
}

/* Against program order, so that the users have moved already. Into no loop, out of none. */
static bool sink(nir_instr *instr)
{
    nir_block *target = lowest(nir_instr_def(instr));
    nir_loop *loop = loop_around(&instr->block->cf_node);
    while (target && target != instr->block && loop_around(&target->cf_node) != loop)
        target = target->imm_dom;
    if (!target || target == instr->block)
        return false;
    /* Behind an if, which always runs, there is nothing to gain. */
    if (target->cf_node.parent == instr->block->cf_node.parent)
        return false;
    return nir_instr_move(nir_after_phis(target), instr);
}

static bool gcm_impl(nir_function_impl *impl)
{
    bool progress = false;
    nir_metadata_require(impl, nir_metadata_control_flow);
    nir_foreach_block (block, impl) {
        nir_foreach_instr_safe (instr, block)
            progress |= nir_instr_is_movable(instr) && hoist(instr);
    }
    nir_foreach_block_reverse(block, impl)
    {
        nir_foreach_instr_reverse_safe(instr, block) progress |=
            nir_instr_is_movable(instr) && sink(instr);
    }
    return nir_progress(progress, impl, nir_metadata_control_flow);
}

bool nir_opt_gcm(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader)
        progress |= gcm_impl(impl);
    return progress;
}
