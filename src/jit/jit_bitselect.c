/* SPDX-License-Identifier: MIT */
/*
 * LLVM 19 miscompiles for AVX-512 a select between (a & ~K) | (b & K), K constant, and a or b: it
 * becomes one masked vpternlog whose table is that of another order of its operands. An empty piece
 * of assembly around the bits keeps the two apart.
 */
#include "jit/jit_private.h"

static bool is_complement(LLVMValueRef a, LLVMValueRef b)
{
    return LLVMIsConstant(a) && LLVMIsConstant(b) && LLVMConstNot(a) == b;
}

/* (a & K) | (b & ~K), in any order. */
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

/* One register's worth of integers; i1 are masks. */
static bool fits_register(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
        LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMIntegerTypeKind)
        return false;
    unsigned bits = LLVMGetIntTypeWidth(LLVMGetElementType(type));
    unsigned size = LLVMGetVectorSize(type) * bits;
    return bits >= 8 && size >= 128 && size <= 512;
}

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

void jit_guard_bit_selects(LLVMContextRef context, LLVMModuleRef module)
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
