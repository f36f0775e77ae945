/* SPDX-License-Identifier: MIT */
/*
 * Turns a small if without side effects into selections: the code of both branches runs, and each
 * phi becomes a bcsel. limit: maximum number of ALU instructions and loads in both branches
 * together.
 */
#include "nir.h"

#include "nir_builder.h"

/* Returns true for loads that cannot fault and may therefore run even if the branch is not
 * taken. */
static bool load_is_speculatable(nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_load_deref: {
        nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
        nir_variable_mode modes = nir_var_uniform | nir_var_shader_in | nir_var_system_value;
        return deref && !(deref->modes & ~modes) && !nir_deref_instr_has_indirect(deref);
    }
    case nir_intrinsic_load_uniform:
    case nir_intrinsic_load_input:
    case nir_intrinsic_load_interpolated_input:
    case nir_intrinsic_load_front_face:
    case nir_intrinsic_load_frag_coord:
    case nir_intrinsic_load_kernel_arg:
        return true;
    default:
        return false;
    }
}

static bool block_is_movable(nir_block *block, unsigned *count, unsigned limit)
{
    nir_foreach_instr (instr, block) {
        if (*count > limit)
            return false;
        switch (instr->type) {
        case nir_instr_type_alu: {
            nir_op op = nir_instr_as_alu(instr)->op;
            if (nir_op_infos[op].algebraic_properties & NIR_OP_IS_DERIVATIVE)
                return false;
            if (op != nir_op_mov && !nir_op_is_vec(op))
                (*count)++;
            break;
        }
        case nir_instr_type_load_const:
        case nir_instr_type_undef:
        case nir_instr_type_deref:
            break;
        case nir_instr_type_intrinsic:
            if (!load_is_speculatable(nir_instr_as_intrinsic(instr)))
                return false;
            (*count)++;
            break;
        default:
            return false;
        }
    }
    return true;
}

static void move_instrs(nir_block *from, nir_block *to)
{
    nir_foreach_instr_safe (instr, from)
        nir_instr_move(nir_after_block(to), instr);
}

static void phis_to_selects(nir_builder *b, nir_if *nif, nir_block *then_block,
                            nir_block *following)
{
    nir_foreach_instr_safe (instr, following) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        nir_def *values[2] = {NULL, NULL};
        nir_foreach_phi_src (src, phi)
            values[src->pred == then_block ? 0 : 1] = src->src.ssa;
        nir_def *select = nir_select(b, nif->condition.ssa, values[0], values[1]);
        nir_def_replace(&phi->def, select);
    }
}

static bool try_if(nir_builder *b, nir_if *nif, unsigned limit)
{
    nir_block *then_block = nir_if_first_then_block(nif),
              *else_block = nir_if_first_else_block(nif);
    nir_block *before = nir_cf_node_as_block(nir_cf_node_prev(&nif->cf_node));
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
    unsigned count = 0;
    if (then_block != nir_if_last_then_block(nif) || else_block != nir_if_last_else_block(nif) ||
        !block_is_movable(then_block, &count, limit) ||
        !block_is_movable(else_block, &count, limit) || count > limit)
        return false;
    nir_foreach_instr (instr, following) {
        if (instr->type != nir_instr_type_phi)
            break;
        /* Derefs cannot be selected. */
        nir_foreach_phi_src (src, nir_instr_as_phi(instr)) {
            if (nir_src_as_deref(src->src))
                return false;
        }
    }
    move_instrs(then_block, before);
    move_instrs(else_block, before);
    b->cursor = nir_after_block(before);
    phis_to_selects(b, nif, then_block, following);
    nir_cf_node_remove(&nif->cf_node);
    return true;
}

/* The if is merged into the block before it, where the walk continues. */
static bool opt_list(nir_builder *b, struct list_head *list, unsigned limit)
{
    bool progress = false;
    for (struct list_head *link = list->next; link != list; link = link->next) {
        nir_cf_node *node = list_entry(link, nir_cf_node, node);
        if (node->type == nir_cf_node_if) {
            nir_if *nif = nir_cf_node_as_if(node);
            struct list_head *before = link->prev;
            progress |= opt_list(b, &nif->then_list, limit);
            progress |= opt_list(b, &nif->else_list, limit);
            if (try_if(b, nif, limit)) {
                progress = true;
                link = before;
            }
        } else if (node->type == nir_cf_node_loop) {
            progress |= opt_list(b, &nir_cf_node_as_loop(node)->body, limit);
        }
    }
    return progress;
}

bool nir_opt_peephole_select(nir_shader *shader, unsigned limit)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        nir_builder b = nir_builder_create(impl);
        progress |= nir_progress(opt_list(&b, &impl->body, limit), impl, nir_metadata_none);
    }
    return progress;
}
