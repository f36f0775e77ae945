/* SPDX-License-Identifier: MIT */
/*
 * Groups reductions of angles, so that one branch tests all angles of a group (jit_alu.c). Each
 * branch ends a block of LLVM IR: LLVM can't overlap the code before and after it, and keeps all
 * values that are used across it in registers. A shader that computes a vector of sines, or a sine
 * and a cosine, has several independent reductions close together.
 *
 * The pass moves the reductions of a block, and the instructions that depend on them, down past
 * instructions that don't depend on them, until the group is full or an instruction that isn't an
 * ALU instruction needs a result.
 */
#include "jit/jit_private.h"
#include "util/check.h"

#define MAX_WAITING 256 /* dependent instructions that a group moves; limits live values */

/* Reductions that are being moved, and the instructions that depend on them (users). */
struct group {
    nir_block *block;
    unsigned num_angles, num_users;
    nir_instr *angle[JIT_MAX_ANGLES], *user[MAX_WAITING]; /* in program order, with pass_flags 1 */
};

bool jit_is_angle_reduction(const nir_instr *instr)
{
    if (instr->type != nir_instr_type_alu)
        return false;
    const nir_op op = nir_instr_as_alu((nir_instr *)instr)->op;
    return op == nir_op_freduce_sin || op == nir_op_freduce_cos;
}

static bool isnt_waiting(nir_src *src, void *block)
{
    const nir_instr *parent = src->ssa->parent_instr;
    return parent->block != block || !parent->pass_flags;
}

/* Returns whether an instruction depends on the group. */
static bool depends(struct group *g, nir_instr *instr)
{
    return !nir_foreach_src(instr, isnt_waiting, g->block);
}

/* Moves the group to the cursor, if it has more than one reduction, and empties it. Returns whether
 * it moved anything. */
static bool place(struct group *g, nir_cursor cursor)
{
    const bool moves = g->num_angles > 1;
    for (unsigned i = 0; i < g->num_angles; i++) {
        g->angle[i]->pass_flags = 0;
        if (moves)
            nir_instr_move(cursor, g->angle[i]);
    }
    for (unsigned i = 0; i < g->num_users; i++) {
        g->user[i]->pass_flags = 0;
        if (moves)
            nir_instr_move(cursor, g->user[i]);
    }
    g->num_angles = g->num_users = 0;
    return moves;
}

static bool group_block(nir_block *block)
{
    struct group g = {.block = block};
    bool progress = false;
    nir_foreach_instr (instr, block)
        instr->pass_flags = 0;
    nir_foreach_instr_safe (instr, block) {
        if (instr->type == nir_instr_type_phi)
            continue;
        if (instr->type == nir_instr_type_jump)
            break;
        const bool waits = depends(&g, instr), is_angle = jit_is_angle_reduction(instr);
        if (waits && (is_angle || instr->type != nir_instr_type_alu || g.num_users == MAX_WAITING))
            progress |= place(&g, nir_before_instr(instr));
        else if (waits) {
            instr->pass_flags = 1;
            NEXT_OF(g.user, g.num_users) = instr;
        }
        if (!is_angle)
            continue;
        if (g.num_angles == JIT_MAX_ANGLES)
            progress |= place(&g, nir_before_instr(instr));
        instr->pass_flags = 1;
        NEXT_OF(g.angle, g.num_angles) = instr;
    }
    return place(&g, nir_after_block_before_jump(block)) || progress;
}

bool jit_group_angles(nir_shader *nir)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(nir);
    bool progress = false;
    nir_foreach_block (block, impl)
        progress |= group_block(block);
    return nir_progress(progress, impl, nir_metadata_control_flow);
}
