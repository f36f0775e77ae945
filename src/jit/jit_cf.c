/* SPDX-License-Identifier: MIT */
/*
 * LLVM IR for blocks, ifs, loops and phis.
 *
 * Uniform control flow becomes branches. Inside a divergent if, `exec` holds the active lanes; a
 * side that no lane takes is skipped. A divergent loop keeps the mask of lanes still in the loop in
 * an alloca and ends when it is empty. A phi is an alloca, too: predecessors store their values for
 * the active lanes, and the phi's block loads it. LLVM's SROA turns both into SSA form, so one
 * mechanism covers all control flow. Code after a loop uses values of the loop only through phis
 * (LCSSA).
 */
#include <talloc.h>

#include "jit/jit_private.h"

static void emit_cf_list(struct jit_builder *jb, struct list_head *list);

static LLVMBasicBlockRef append_block(struct jit_builder *jb)
{
    return LLVMAppendBasicBlockInContext(jb->context, jb->function, "");
}

static LLVMValueRef mask_load(struct jit_builder *jb, LLVMValueRef slot)
{
    return LLVMBuildLoad2(jb->b, LLVMVectorType(jb->i1, jb->lanes), slot, "");
}

static void mask_clear(struct jit_builder *jb, LLVMValueRef slot, LLVMValueRef lanes)
{
    LLVMValueRef left =
        LLVMBuildAnd(jb->b, mask_load(jb, slot), LLVMBuildNot(jb->b, lanes, ""), "");
    LLVMBuildStore(jb->b, left, slot);
}

/* --- phis --- */

static LLVMValueRef *phi_slots(struct jit_builder *jb, nir_phi_instr *phi)
{
    LLVMValueRef **slots = &jb->phis[phi->def.index];
    if (!*slots) {
        *slots = talloc_array(jb->mem_ctx, LLVMValueRef, phi->def.num_components);
        LLVMTypeRef type = jit_type(jb, jit_int_type(jb, phi->def.bit_size), phi->def.divergent);
        for (unsigned c = 0; c < phi->def.num_components; c++)
            (*slots)[c] = jit_alloca(jb, type);
    }
    return *slots;
}

/* Stores the values that block pred gives to the phis of its successor. */
static void store_phis(struct jit_builder *jb, nir_block *pred, nir_block *succ)
{
    nir_foreach_instr (instr, succ) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        LLVMValueRef *slots = phi_slots(jb, phi);
        nir_foreach_phi_src (src, phi) {
            if (src->pred != pred || nir_src_is_undef(src->src))
                continue;
            for (unsigned c = 0; c < phi->def.num_components; c++) {
                LLVMValueRef value = phi->def.divergent ? jit_src(jb, &src->src, c, true)
                                                        : jit_uniform_src(jb, &src->src, c);
                if (phi->def.divergent && jb->exec) {
                    LLVMValueRef old = LLVMBuildLoad2(jb->b, LLVMTypeOf(value), slots[c], "");
                    value = LLVMBuildSelect(jb->b, jb->exec, value, old, "");
                }
                LLVMBuildStore(jb->b, value, slots[c]);
            }
        }
    }
}

static void emit_phi(struct jit_builder *jb, nir_phi_instr *phi)
{
    LLVMValueRef *slots = phi_slots(jb, phi);
    LLVMTypeRef type = jit_type(jb, jit_int_type(jb, phi->def.bit_size), phi->def.divergent);
    LLVMValueRef *values = talloc_array(jb->mem_ctx, LLVMValueRef, phi->def.num_components);
    for (unsigned c = 0; c < phi->def.num_components; c++)
        values[c] = LLVMBuildLoad2(jb->b, type, slots[c], "");
    jb->defs[phi->def.index] = values;
}

/* --- instructions --- */

static void emit_load_const(struct jit_builder *jb, nir_load_const_instr *load)
{
    LLVMValueRef *values = talloc_array(jb->mem_ctx, LLVMValueRef, load->def.num_components);
    for (unsigned c = 0; c < load->def.num_components; c++)
        values[c] =
            LLVMConstInt(jit_int_type(jb, load->def.bit_size),
                         nir_const_value_as_uint(load->value[c], load->def.bit_size), false);
    jb->defs[load->def.index] = values;
}

/* Undefined values are zero rather than LLVM's undef, for equal results at every width. */
static void emit_undef(struct jit_builder *jb, nir_undef_instr *undef)
{
    LLVMValueRef *values = talloc_array(jb->mem_ctx, LLVMValueRef, undef->def.num_components);
    for (unsigned c = 0; c < undef->def.num_components; c++)
        values[c] = LLVMConstNull(jit_int_type(jb, undef->def.bit_size));
    jb->defs[undef->def.index] = values;
}

static void emit_jump(struct jit_builder *jb, nir_jump_instr *jump)
{
    struct jit_loop *loop = jb->loop;
    bool is_break = jump->type == nir_jump_break;
    if (!loop || (!is_break && jump->type != nir_jump_continue)) {
        jb->failed = true;
        return;
    }
    if (!loop->divergent) {
        assert(jb->exec == loop->exec); /* all active lanes of the loop jump */
        LLVMBuildBr(jb->b, is_break ? loop->exit : loop->head);
        LLVMPositionBuilderAtEnd(
            jb->b, append_block(jb)); /* unreachable block for the code that follows */
        return;
    }
    LLVMValueRef lanes = jit_exec_mask(jb);
    mask_clear(jb, loop->running, lanes);
    if (is_break)
        mask_clear(jb, loop->live, lanes);
    jb->exec = LLVMConstNull(LLVMTypeOf(lanes));
}

static void emit_instr(struct jit_builder *jb, nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_alu:
        jit_emit_alu(jb, nir_instr_as_alu(instr));
        break;
    case nir_instr_type_intrinsic:
        jit_emit_intrinsic(jb, nir_instr_as_intrinsic(instr));
        break;
    case nir_instr_type_load_const:
        emit_load_const(jb, nir_instr_as_load_const(instr));
        break;
    case nir_instr_type_undef:
        emit_undef(jb, nir_instr_as_undef(instr));
        break;
    case nir_instr_type_phi:
        emit_phi(jb, nir_instr_as_phi(instr));
        break;
    case nir_instr_type_jump:
        emit_jump(jb, nir_instr_as_jump(instr));
        break;
    default:
        jb->failed = true;
        break;
    }
}

static void emit_block(struct jit_builder *jb, nir_block *block)
{
    nir_foreach_instr (instr, block) {
        if (instr->type == nir_instr_type_jump) {
            store_phis(jb, block, block->successors[0]);
            emit_instr(jb, instr);
            return;
        }
        if (jit_is_angle_reduction(instr))
            instr = jit_emit_angles(jb, instr);
        else
            emit_instr(jb, instr);
        if (jb->failed)
            return;
    }
    for (unsigned i = 0; i < 2; i++)
        if (block->successors[i])
            store_phis(jb, block, block->successors[i]);
}

/* --- ifs --- */

/* Emits one side of a divergent if; skips it at run time if no lane takes it. */
static void emit_masked(struct jit_builder *jb, struct list_head *list, LLVMValueRef mask)
{
    LLVMBasicBlockRef side = append_block(jb), after = append_block(jb);
    LLVMBuildCondBr(jb->b, jit_any(jb, mask), side, after);
    LLVMPositionBuilderAtEnd(jb->b, side);
    jb->exec = mask;
    emit_cf_list(jb, list);
    LLVMBuildBr(jb->b, after);
    LLVMPositionBuilderAtEnd(jb->b, after);
}

static bool list_is_one_empty_block(struct list_head *list, nir_block *next)
{
    nir_block *block = nir_cf_node_as_block(list_first_entry(list, nir_cf_node, node));
    if (!list_is_singular(list) || !list_is_empty(&block->instr_list))
        return false;
    nir_instr *first = nir_block_first_instr(next);
    return !first || first->type != nir_instr_type_phi;
}

static void emit_if(struct jit_builder *jb, nir_if *nif)
{
    LLVMValueRef outer = jb->exec;
    LLVMValueRef condition = jit_src(jb, &nif->condition, 0, false);
    assert(!jit_is_vector(condition) || nif->condition.ssa->divergent);
    if (!jit_is_vector(condition)) {
        LLVMBasicBlockRef then_block = append_block(jb), else_block = append_block(jb),
                          after = append_block(jb);
        LLVMBuildCondBr(jb->b, condition, then_block, else_block);
        LLVMPositionBuilderAtEnd(jb->b, then_block);
        emit_cf_list(jb, &nif->then_list);
        LLVMBuildBr(jb->b, after);
        jb->exec = outer;
        LLVMPositionBuilderAtEnd(jb->b, else_block);
        emit_cf_list(jb, &nif->else_list);
        LLVMBuildBr(jb->b, after);
        LLVMPositionBuilderAtEnd(jb->b, after);
    } else {
        nir_block *next = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
        LLVMValueRef taken = condition, not_taken = LLVMBuildNot(jb->b, condition, "");
        if (outer) {
            taken = LLVMBuildAnd(jb->b, outer, taken, "");
            not_taken = LLVMBuildAnd(jb->b, outer, not_taken, "");
        }
        emit_masked(jb, &nif->then_list, taken);
        if (!list_is_one_empty_block(&nif->else_list, next))
            emit_masked(jb, &nif->else_list, not_taken);
    }
    jb->exec = outer;
    /* Lanes may have left a divergent loop inside the if. */
    if (jb->loop && jb->loop->divergent)
        jb->exec = mask_load(jb, jb->loop->running);
    if (jb->loop && jb->loop->divergent && outer)
        jb->exec = LLVMBuildAnd(jb->b, jb->exec, outer, "");
}

/* --- loops --- */

static void emit_loop(struct jit_builder *jb, nir_loop *nloop)
{
    LLVMValueRef outer = jb->exec;
    struct jit_loop loop = {
        .outer = jb->loop,
        .head = append_block(jb),
        .exit = append_block(jb),
        .divergent = nloop->divergent,
        .exec = outer,
    };
    if (loop.divergent) {
        LLVMTypeRef mask = LLVMVectorType(jb->i1, jb->lanes);
        loop.live = jit_alloca(jb, mask);
        loop.running = jit_alloca(jb, mask);
        LLVMBuildStore(jb->b, jit_exec_mask(jb), loop.live);
    }
    jb->loop = &loop;
    LLVMBuildBr(jb->b, loop.head);
    LLVMPositionBuilderAtEnd(jb->b, loop.head);
    if (loop.divergent) {
        jb->exec = mask_load(jb, loop.live);
        LLVMBuildStore(jb->b, jb->exec, loop.running);
    }
    emit_cf_list(jb, &nloop->body);
    if (loop.divergent)
        LLVMBuildCondBr(jb->b, jit_any(jb, mask_load(jb, loop.live)), loop.head, loop.exit);
    else
        LLVMBuildBr(jb->b, loop.head);
    LLVMPositionBuilderAtEnd(jb->b, loop.exit);
    jb->loop = loop.outer;
    jb->exec = outer;
}

static void emit_cf_list(struct jit_builder *jb, struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        if (jb->failed)
            return;
        switch (node->type) {
        case nir_cf_node_block:
            emit_block(jb, nir_cf_node_as_block(node));
            break;
        case nir_cf_node_if:
            emit_if(jb, nir_cf_node_as_if(node));
            break;
        case nir_cf_node_loop:
            emit_loop(jb, nir_cf_node_as_loop(node));
            break;
        default:
            jb->failed = true;
            break;
        }
    }
}

void jit_emit_function(struct jit_builder *jb, nir_function_impl *impl)
{
    jb->entry = append_block(jb);
    LLVMBasicBlockRef body = append_block(jb);
    LLVMPositionBuilderAtEnd(jb->b, body);
    if (jb->nir->scratch_size) {
        jb->scratch_slots = (jb->nir->scratch_size + 3) / 4;
        jb->scratch =
            jit_alloca(jb, LLVMArrayType2(LLVMVectorType(jb->i32, jb->lanes), jb->scratch_slots));
        /* Scratch read before it is written is undefined, but must not be what a kernel of another
         * context left on this thread's stack. */
        const uint64_t bytes = (uint64_t)jb->scratch_slots * jb->lanes * 4;
        LLVMValueRef size = jit_const_int(jb, jb->i64, bytes);
        if (bytes <= JIT_FEW_SCRATCH)
            LLVMBuildMemSet(jb->b, jb->scratch, LLVMConstNull(jb->i8), size, 4);
        else
            jit_zero_memory(jb, jb->scratch, size);
    }
    emit_cf_list(jb, &impl->body);
    LLVMBuildRetVoid(jb->b);
    LLVMPositionBuilderAtEnd(jb->b, jb->entry);
    LLVMBuildBr(jb->b, body);
}
