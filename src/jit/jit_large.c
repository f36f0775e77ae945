/* SPDX-License-Identifier: MIT */
/*
 * Large kernels. The time of LLVM's scheduler and register allocator is quadratic in the length of
 * blocks and in the number of values that cross blocks: seconds for 16,000 instructions, hours for
 * what an application may submit. LLVM's non-optimizing code generator is linear in both if blocks
 * are small, since it selects instructions and allocates registers per block. It also needs few
 * constants, and stack variables must not have been promoted to values. Results have the same bits.
 */
#include "jit/jit_private.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

#define MAX_OPTIMIZED 16384     /* instructions of a kernel for the optimizing code generator */
#define MAX_BRANCHED  1024      /* blocks of a kernel for the optimizing code generator */
#define MAX_EVEN      49152     /* like MAX_OPTIMIZED, for a kernel without long blocks */
#define MAX_EVEN_SIZE (3 << 24) /* instructions times blocks of a kernel without long blocks */
#define LONG_BLOCK    2048      /* instructions of a block that counts as long */
#define MAX_COMBINED  65536     /* instructions of a kernel for instcombine */
#define MAX_BLOCK     256       /* instructions of a block for the non-optimizing code generator */
#define MAX_CONSTANTS 1024      /* constants of a kernel for the non-optimizing code generator */
#define MAX_PAIRS     (1 << 19) /* pairs of memory accesses in a block, one of them a write */
#define MAX_USES      1024      /* uses of a stack variable for instcombine */
#define MAX_VISITS    (1 << 22) /* stack variables times blocks for sroa */

/* Returns whether the module has more than `limit` instructions; stops counting there. */
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

/* Returns whether an alloca has many uses. Each time instcombine removes a use, it visits all
 * others again. */
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

/* Returns whether sroa would take too long: for each stack variable, it visits all blocks after the
 * first one that writes it. */
static bool has_many_variables(LLVMModuleRef module)
{
    uint64_t variables = 0, blocks = 0;
    LLVMValueRef f = LLVMGetFirstFunction(module);
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
         i && LLVMIsAAllocaInst(i); i = LLVMGetNextInstruction(i))
        variables++;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        blocks++;
    return variables * blocks > MAX_VISITS;
}

const char *jit_passes(LLVMModuleRef module)
{
    if (has_many_variables(module))
        return "early-cse";
    if (has_more_than(module, MAX_COMBINED) || has_many_uses(module))
        return "sroa,early-cse";
    return "sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm),early-cse,"
           "instcombine<no-verify-fixpoint>";
}

/* Returns whether the block has more than MAX_BLOCK instructions. */
static bool is_long(LLVMBasicBlockRef block)
{
    unsigned count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && count <= MAX_BLOCK; count++)
        i = LLVMGetNextInstruction(i);
    return count > MAX_BLOCK;
}

/* Redirects edges to a block that has a head to the head. */
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

/* Splits a block: moves its first MAX_BLOCK instructions to its head and the following ones to new
 * blocks between the two. The block itself keeps its terminator, because phis of its successors
 * refer to it. */
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

static void divide_function(LLVMContextRef context, LLVMBuilderRef b, LLVMValueRef function)
{
    struct hash_table *heads = hash_table_create_pointer(NULL);
    DYNARRAY(LLVMBasicBlockRef) blocks = {0};

    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at;
         at = LLVMGetNextBasicBlock(at))
        if (is_long(at) && dynarray_append(&blocks, at))
            hash_table_insert(heads, at, LLVMInsertBasicBlockInContext(context, at, ""));
    redirect_edges(function, heads);
    for (unsigned i = 0; i < blocks.count; i++)
        divide_block(context, b, hash_table_get(heads, blocks.data[i]), blocks.data[i]);
    dynarray_finish(&blocks);
    hash_table_destroy(heads);
}

/* --- constants --- */

/* Moves constants to memory. LLVM searches linearly for each constant that isn't an immediate among
 * all previous ones. Here such constants become loads of elements of one global structure. */
struct constants {
    LLVMModuleRef module;
    LLVMBuilderRef b;
    struct hash_table *indices; /* constant to its index in `values`, plus 1 */
    DYNARRAY(LLVMValueRef) values;
    LLVMTypeRef type; /* type of the structure; NULL in the pass that counts constants */
    LLVMValueRef global;
};

/* Returns whether the value is a constant that goes to memory. */
static bool is_pooled(LLVMValueRef value)
{
    return (LLVMIsAConstantDataVector(value) || LLVMIsAConstantVector(value) ||
            LLVMIsAConstantFP(value)) &&
           !LLVMIsNull(value);
}

static void count_constant(struct constants *c, LLVMValueRef value)
{
    if (!hash_table_get(c->indices, value) && dynarray_append(&c->values, value))
        hash_table_insert(c->indices, value, (void *)(uintptr_t)c->values.count);
}

/* Returns the instruction before which an operand can be loaded; NULL if there is none, because a
 * phi's predecessor has several edges. */
static LLVMValueRef place_before(LLVMValueRef instr, unsigned operand)
{
    if (!LLVMIsAPHINode(instr))
        return instr;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instr, operand));
    return LLVMGetInstructionOpcode(end) == LLVMBr ? end : NULL;
}

static void load_constant(struct constants *c, LLVMValueRef instr, unsigned operand)
{
    LLVMValueRef value = LLVMGetOperand(instr, operand), place = place_before(instr, operand);
    uintptr_t index = (uintptr_t)hash_table_get(c->indices, value);
    if (!index || !place)
        return;
    LLVMPositionBuilderBefore(c->b, place);
    LLVMValueRef at = LLVMBuildStructGEP2(c->b, c->type, c->global, (unsigned)index - 1, "");
    LLVMSetOperand(instr, operand, LLVMBuildLoad2(c->b, LLVMTypeOf(value), at, ""));
}

static void visit_constants(struct constants *c)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                for (int k = 0; k < LLVMGetNumOperands(i); k++) {
                    LLVMValueRef value = LLVMGetOperand(i, (unsigned)k);
                    if (!is_pooled(value))
                        continue;
                    if (c->type)
                        load_constant(c, i, (unsigned)k);
                    else
                        count_constant(c, value);
                }
}

static void pool_constants(LLVMContextRef context, LLVMBuilderRef b, LLVMModuleRef module)
{
    struct constants c = {
        .module = module,
        .b = b,
        .indices = hash_table_create_pointer(NULL),
    };
    visit_constants(&c);
    if (c.values.count > MAX_CONSTANTS) {
        LLVMValueRef all = LLVMConstStructInContext(context, c.values.data, c.values.count, false);
        c.type = LLVMTypeOf(all);
        c.global = LLVMAddGlobal(module, c.type, "constants");
        LLVMSetInitializer(c.global, all);
        LLVMSetGlobalConstant(c.global, true);
        LLVMSetLinkage(c.global, LLVMInternalLinkage);
        visit_constants(&c);
    }
    dynarray_finish(&c.values);
    hash_table_destroy(c.indices);
}

/* Returns whether a block has many memory accesses. LLVM's scheduler compares each write with all
 * accesses of the block. */
static bool has_many_memory_pairs(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            uint64_t writes = 0, reads = 0;
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
                bool is_void = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind;
                writes += opcode == LLVMStore || (opcode == LLVMCall && is_void);
                reads += opcode == LLVMLoad;
            }
            if (writes * (writes + reads) > MAX_PAIRS)
                return true;
        }
    return false;
}

struct size {
    uint64_t instructions, blocks, longest; /* longest: instructions of the longest block */
};

static struct size size_of(LLVMModuleRef module)
{
    struct size size = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            uint64_t count = 0;
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                count++;
            size.blocks++;
            size.instructions += count;
            size.longest = MAX2(size.longest, count);
        }
    return size;
}

/* Returns whether the optimizing code generator takes few seconds at most. The scheduler's time
 * depends on the longest block; the register allocator visits many blocks for each value that is
 * live across blocks. */
static bool can_optimize(LLVMModuleRef module)
{
    const struct size size = size_of(module);
    if (size.instructions <= MAX_OPTIMIZED && size.blocks <= MAX_BRANCHED)
        return true;
    return size.instructions <= MAX_EVEN && size.longest <= LONG_BLOCK &&
           size.instructions * size.blocks <= MAX_EVEN_SIZE;
}

bool jit_divide_large(LLVMContextRef context, LLVMBuilderRef b, LLVMModuleRef module)
{
    if (can_optimize(module) && !has_many_memory_pairs(module))
        return false;
    pool_constants(context, b, module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        divide_function(context, b, f);
    return true;
}
