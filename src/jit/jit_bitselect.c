/* SPDX-License-Identifier: MIT */
/*
 * Workaround for a miscompilation in LLVM 19 for AVX-512: a select between (a & ~K) | (b & K), with
 * constant K, and a or b becomes one masked vpternlog whose truth table belongs to another order of
 * its operands. Passing the bitwise select through empty inline assembly prevents the combination.
 */
#include "jit/jit_private.h"

static bool is_complement(LLVMValueRef a, LLVMValueRef b)
{
    return LLVMIsConstant(a) && LLVMIsConstant(b) && LLVMConstNot(a) == b;
}

/* Returns whether the value is (a & K) | (b & ~K), with operands in any order. */
static bool selects_bits(LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMOr)
        return false;
    LLVMValueRef masks[2][2];
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef side = LLVMGetOperand(value, i);
        if (!LLVMIsAInstruction(side) || LLVMGetInstructionOpcode(side) != LLVMAnd)
            return false;
        masks[i][0] = LLVMGetOperand(side, 0);
        masks[i][1] = LLVMGetOperand(side, 1);
    }
    for (unsigned i = 0; i < 4; i++)
        if (is_complement(masks[0][i & 1], masks[1][i >> 1]))
            return true;
    return false;
}

/* Returns whether the type is a vector of integers that fits a register; i1 vectors are masks. */
static bool fits_register(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
        LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMIntegerTypeKind)
        return false;
    unsigned bits = LLVMGetIntTypeWidth(LLVMGetElementType(type));
    unsigned size = LLVMGetVectorSize(type) * bits;
    return bits >= 8 && size >= 128 && size <= 512;
}

/* Returns the value, passed through empty inline assembly. */
static LLVMValueRef hide(LLVMBuilderRef b, LLVMValueRef value)
{
    static const char constraints[] = "=v,0";
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeRef function = LLVMFunctionType(type, &type, 1, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(function, "", 0, constraints, sizeof constraints - 1,
                                            false, false, LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(b, function, nothing, &value, 1, "");
}

static void guard_select(LLVMBuilderRef b, LLVMValueRef select)
{
    for (unsigned i = 1; i < 3; i++) {
        LLVMValueRef value = LLVMGetOperand(select, i);
        if (!fits_register(LLVMTypeOf(value)) || !selects_bits(value))
            continue;
        LLVMPositionBuilderBefore(b, select);
        LLVMSetOperand(select, i, hide(b, value));
    }
}

void jit_protect_bit_selects(LLVMContextRef context, LLVMModuleRef module)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                if (LLVMGetInstructionOpcode(i) == LLVMSelect)
                    guard_select(b, i);
    LLVMDisposeBuilder(b);
}
