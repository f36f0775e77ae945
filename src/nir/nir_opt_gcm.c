/* SPDX-License-Identifier: MIT */
/*
 * Global code motion after Click, "Global Code Motion, Global Value Numbering" (PLDI 1995): moves
 * code to where it runs least often, that is, out of loops and down to the only branch that uses
 * it. Moves only instructions without side effects that don't read writable memory and don't depend
 * on the set of active lanes. Constants stay, because moving them gains nothing.
 *
 * Nothing moves down out of a loop, because lanes may leave it at different times.
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

/* --- Hoisting --- */

static bool is_outside(nir_src *src, void *loop)
{
    return !is_inside(&src->ssa->parent_instr->block->cf_node, loop);
}

/* Called in program order, so that the sources of an instruction have moved already. */
static bool hoist(nir_instr *instr)
{
    nir_block *target = NULL;
    nir_loop *loop = loop_around(&instr->block->cf_node);
    for (; loop && nir_foreach_src(instr, is_outside, loop); loop = loop_around(&loop->cf_node))
        target = nir_cf_node_as_block(nir_cf_node_prev(&loop->cf_node));
    return target && nir_instr_move(nir_after_block(target), instr);
}

/* --- Sinking --- */

/* Returns true for users that read other lanes: all lanes active before must have computed the
 * value. */
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

/* Returns the lowest block that dominates all uses; NULL if the value must not move. */
static nir_block *lowest(nir_def *def)
{
    nir_block *lca = NULL;
    nir_foreach_use_including_if(src, def)
    {
        if (!nir_src_is_if(src) && is_read_across_lanes(nir_src_parent_instr(src)))
            return NULL;
        nir_block *block = nir_cursor_current_block(nir_before_src(src));
        lca = lca ? nir_dominance_lca(lca, block) : block;
        if (!lca) /* unreachable code */
            return NULL;
    }
    return lca;
}

/* Called in reverse program order, so that the users have moved already. Never moves an instruction
 * into or out of a loop. */
static bool sink(nir_instr *instr)
{
    nir_block *target = lowest(nir_instr_def(instr));
    nir_loop *loop = loop_around(&instr->block->cf_node);
    while (target && target != instr->block && loop_around(&target->cf_node) != loop)
        target = target->imm_dom;
    if (!target || target == instr->block)
        return false;
    /* Code after an if always runs, so moving there gains nothing. */
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
