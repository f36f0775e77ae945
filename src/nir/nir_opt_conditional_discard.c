/* SPDX-License-Identifier: MIT */
/*
 * Turns if (c) discard; into discard_if(c); and treats demote and terminate in the same way.
 * nir_opt_dead_cf removes the empty if. Simpler control flow lets ifs around it become selections.
 */
#include "nir.h"

#include "nir_builder.h"

static nir_intrinsic_op conditional(nir_intrinsic_op op)
{
    switch (op) {
    case nir_intrinsic_discard:
        return nir_intrinsic_discard_if;
    case nir_intrinsic_demote:
        return nir_intrinsic_demote_if;
    case nir_intrinsic_terminate:
        return nir_intrinsic_terminate_if;
    default:
        return nir_num_intrinsics;
    }
}

/* Returns the discard if the branch contains nothing else except constants. */
static nir_intrinsic_instr *lone_discard(struct list_head *list)
{
    nir_intrinsic_instr *found = NULL;
    if (!list_is_singular(list))
        return NULL;
    nir_foreach_instr (instr, nir_cf_node_as_block(list_first_entry(list, nir_cf_node, node))) {
        if (instr->type == nir_instr_type_load_const)
            continue;
        if (instr->type != nir_instr_type_intrinsic || found ||
            conditional(nir_instr_as_intrinsic(instr)->intrinsic) == nir_num_intrinsics)
            return NULL;
        found = nir_instr_as_intrinsic(instr);
    }
    return found;
}

static bool opt_branch(nir_builder *b, nir_if *nif, struct list_head *branch, bool inverted)
{
    nir_intrinsic_instr *discard = lone_discard(branch);
    nir_def *condition = nif->condition.ssa;
    if (!discard || condition->bit_size != 1)
        return false;
    b->cursor = nir_before_cf_node(&nif->cf_node);
    nir_intrinsic_instr *new =
        nir_intrinsic_instr_create(b->shader, conditional(discard->intrinsic));
    new->src[0] = nir_src_for_ssa(inverted ? nir_inot(b, condition) : condition);
    nir_builder_instr_insert(b, &new->instr);
    nir_instr_remove(&discard->instr);
    return true;
}

static bool opt_if(nir_builder *b, nir_if *nif, void *unused)
{
    bool progress = opt_branch(b, nif, &nif->then_list, false);
    return opt_branch(b, nif, &nif->else_list, true) || progress;
}

bool nir_opt_conditional_discard(nir_shader *shader)
{
    return nir_shader_ifs_pass(shader, opt_if, nir_metadata_control_flow, NULL);
}
