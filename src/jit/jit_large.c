/* SPDX-License-Identifier: MIT */
/*
 * Large kernels. LLVM's scheduler and its register allocator take time by the square of a block's
 * length and of how many values cross blocks: seconds for what 16,000 instructions are, hours for what
 * an application may hand over. Its code generator without optimization is linear in both, if blocks
 * are small: it selects instructions by the block, and allocates registers within one. Results have
 * the same bits.
 */
#include "jit/jit_private.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

#define MAX_OPTIMIZED 16384 /* instructions of a kernel */
#define MAX_COMBINED  65536 /* the same, before LLVM's passes */
#define MAX_BLOCK     256   /* instructions of a block in one that is larger */
#define MAX_USES      1024  /* of memory on the stack, before LLVM's passes */

/* Whether there are more instructions; looks at no more of them than that. */
static bool has_more_than(LLVMModuleRef module, unsigned limit)
{
    unsigned count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (++count > limit)
                    return true;
    return false;
}

/* Of allocas in the entry block; each use that goes has instcombine look at all that are left. */
static bool has_many_uses(LLVMModuleRef module)
{
    LLVMValueRef f = LLVMGetFirstFunction(module);
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
         i && LLVMIsAAllocaInst(i); i = LLVMGetNextInstruction(i)) {
        unsigned count = 0;
        for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use))
            if (++count > MAX_USES)
                return true;
    }
    return false;
}

bool jit_is_huge(LLVMModuleRef module)
{
    return has_more_than(module, MAX_COMBINED) || has_many_uses(module);
}

static bool is_long(LLVMBasicBlockRef block)
{
    unsigned count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && count <= MAX_BLOCK; count++)
        i = LLVMGetNextInstruction(i);
    return count > MAX_BLOCK;
}

/* Edges to a block that has a head lead there. */
static void redirect_edges(LLVMValueRef function, struct hash_table *heads)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef head = hash_table_get(heads, LLVMGetSuccessor(end, i));
            if (head)
                LLVMSetSuccessor(end, i, head);
        }
    }
}

/* Moves the first instructions of a block into its head and what follows into blocks between them,
 * a number in each. The block keeps its end, which the phis of its successors name. */
static void divide_block(LLVMContextRef context, LLVMBuilderRef b, LLVMBasicBlockRef head,
                         LLVMBasicBlockRef block)
{
    LLVMPositionBuilderAtEnd(b, head);
    LLVMValueRef instr = LLVMGetFirstInstruction(block), next;
    for (unsigned count = 1; (next = LLVMGetNextInstruction(instr)); count++, instr = next) {
        LLVMInstructionRemoveFromParent(instr);
        LLVMInsertIntoBuilder(b, instr);
        if (count < MAX_BLOCK || LLVMIsAPHINode(next) || LLVMIsAAllocaInst(next) ||
            !LLVMGetNextInstruction(next))
            continue;
        LLVMBasicBlockRef piece = LLVMInsertBasicBlockInContext(context, block, "");
        LLVMBuildBr(b, piece);
        LLVMPositionBuilderAtEnd(b, piece);
        count = 0;
    }
    LLVMBuildBr(b, block);
}

static void divide_function(LLVMContextRef context, LLVMValueRef function)
{
    struct hash_table *heads = hash_table_create_pointer(NULL);
    DYNARRAY(LLVMBasicBlockRef) blocks = {0};
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);

    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at;
         at = LLVMGetNextBasicBlock(at))
        if (is_long(at) && dynarray_append(&blocks, at))
            hash_table_insert(heads, at, LLVMInsertBasicBlockInContext(context, at, ""));
    redirect_edges(function, heads);
    for (unsigned i = 0; i < blocks.count; i++)
        divide_block(context, b, hash_table_get(heads, blocks.data[i]), blocks.data[i]);
    LLVMDisposeBuilder(b);
    dynarray_finish(&blocks);
    hash_table_destroy(heads);
}

bool jit_divide_large(LLVMContextRef context, LLVMModuleRef module)
{
    if (!has_more_than(module, MAX_OPTIMIZED))
        return false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        divide_function(context, f);
    return true;
}
