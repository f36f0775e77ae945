/* SPDX-License-Identifier: MIT */
/*
 * Loop invariants: values of a loop that could be computed before it, and the pass that hoists
 * those used after the loop. CSE makes code after a loop use constants and addresses of the loop;
 * without this pass, LCSSA phis would turn them into values that lanes take from different
 * iterations.
 */
#include "nir.h"

#include "nir_private.h"

bool nir_instr_is_movable(const nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_alu:
        return !(nir_op_infos[nir_instr_as_alu(instr)->op].algebraic_properties &
                 NIR_OP_IS_DERIVATIVE);
    case nir_instr_type_tex:
        return !nir_tex_instr_has_implicit_derivative(nir_instr_as_tex(instr));
    case nir_instr_type_intrinsic: {
        const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        unsigned flags = nir_intrinsic_infos[intr->intrinsic].flags;
        return nir_intrinsic_infos[intr->intrinsic].has_dest &&
               (flags & NIR_INTRINSIC_CAN_ELIMINATE) && !(flags & NIR_INTRINSIC_CROSS_LANE) &&
               nir_intrinsic_can_reorder(intr);
    }
    default:
        return false;
    }
}

/* Returns true if instr may run before the loop once its sources are available there. A load under
 * an if is excluded, because its address may be valid only if the condition holds. */
static bool may_run_before(const nir_loop *loop, const nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_load_const:
    case nir_instr_type_undef:
        return true;
    case nir_instr_type_alu:
        return nir_instr_is_movable(instr);
    case nir_instr_type_intrinsic: {
        const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        return nir_instr_is_movable(instr) && (!nir_intrinsic_infos[intr->intrinsic].num_srcs ||
                                               instr->block->cf_node.parent == &loop->cf_node);
    }
    default:
        return false;
    }
}

static nir_block *block_after(const nir_loop *loop)
{
    return nir_cf_node_as_block(nir_cf_node_next(&((nir_loop *)loop)->cf_node));
}

bool nir_loop_contains(const nir_loop *loop, const nir_block *block)
{
    return block->index >= nir_loop_first_block((nir_loop *)loop)->index &&
           block->index < block_after(loop)->index;
}

bool nir_is_loop_invariant(const nir_loop *loop, const nir_def *def)
{
    return !nir_loop_contains(loop, def->parent_instr->block) || def->parent_instr->pass_flags;
}

static bool src_is_invariant(nir_src *src, void *loop)
{
    return nir_is_loop_invariant(loop, src->ssa);
}

void nir_mark_loop_invariants(nir_loop *loop)
{
    const nir_block *after = block_after(loop);
    for (nir_block *block = nir_loop_first_block(loop); block != after;
         block = nir_block_cf_tree_next(block)) {
        nir_foreach_instr (instr, block)
            instr->pass_flags =
                may_run_before(loop, instr) && nir_foreach_src(instr, src_is_invariant, loop);
    }
}

/* --- The pass --- */

/* Bits of pass_flags; INVARIANT is set by nir_mark_loop_invariants(). */
enum {
    INVARIANT = 1,
    MOVES = 2, /* will be hoisted */
};

static bool is_needed_before(const nir_loop *loop, nir_def *def)
{
    nir_foreach_use_including_if(src, def)
    {
        if (!nir_loop_contains(loop, nir_src_use_block(src)))
            return true;
        if (!nir_src_is_if(src) && nir_src_parent_instr(src)->pass_flags & MOVES)
            return true;
    }
    return false;
}

/* Walks in reverse order, because uses follow definitions and must be decided first. */
static bool choose(nir_loop *loop)
{
    bool any = false;
    const nir_block *before = nir_cf_node_as_block(nir_cf_node_prev(&loop->cf_node));
    for (nir_block *block = nir_loop_last_block(loop); block != before;
         block = nir_block_cf_tree_prev(block)) {
        nir_foreach_instr_reverse_safe(instr, block)
        {
            if (instr->pass_flags && is_needed_before(loop, nir_instr_def(instr))) {
                instr->pass_flags |= MOVES;
                any = true;
            }
        }
    }
    return any;
}

static bool hoist(nir_loop *loop)
{
    nir_block *before = nir_cf_node_as_block(nir_cf_node_prev(&loop->cf_node));
    const nir_block *after = block_after(loop);
    nir_mark_loop_invariants(loop);
    if (!choose(loop))
        return false;
    for (nir_block *block = nir_loop_first_block(loop); block != after;
         block = nir_block_cf_tree_next(block)) {
        nir_foreach_instr_safe (instr, block) {
            if (instr->pass_flags & MOVES)
                nir_instr_move(nir_after_block(before), instr);
        }
    }
    return true;
}

/* Handles inner loops first: a value hoisted out of one may be hoisted out of the outer loop,
 * too. */
static bool hoist_list(struct list_head *list)
{
    bool progress = false;
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_if) {
            progress |= hoist_list(&nir_cf_node_as_if(node)->then_list);
            progress |= hoist_list(&nir_cf_node_as_if(node)->else_list);
        } else if (node->type == nir_cf_node_loop) {
            progress |= hoist_list(&nir_cf_node_as_loop(node)->body);
            progress |= hoist(nir_cf_node_as_loop(node));
        }
    }
    return progress;
}

bool nir_opt_hoist_invariants(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        nir_metadata_require(impl, nir_metadata_block_index);
        progress |= nir_progress(hoist_list(&impl->body), impl, nir_metadata_control_flow);
    }
    return progress;
}
