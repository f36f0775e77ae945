/* SPDX-License-Identifier: MIT */
/* Fault injection: makes LLVM fail in a compilation, for tests. */
#include <stdlib.h>

#include "jit/jit_private.h"

static LLVMBasicBlockRef add_function(LLVMContextRef context, LLVMModuleRef module)
{
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    return LLVMAppendBasicBlockInContext(context, LLVMAddFunction(module, "fault", type), "");
}

/* Emits a read of a nonexistent register, a fatal error in LLVM's instruction selection. */
static void read_unknown_register(LLVMContextRef context, LLVMBuilderRef b, LLVMModuleRef module)
{
    static const char name[] = "llvm.read_volatile_register";
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    LLVMMetadataRef text = LLVMMDStringInContext2(context, "none", 4);
    LLVMValueRef arg = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, &text, 1));
    LLVMValueRef function =
        LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, sizeof name - 1), &i64, 1);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, &arg, 1, "");
}

static void write_unknown_assembly(LLVMContextRef context, LLVMBuilderRef b)
{
    static const char text[] = "no such instruction";
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    LLVMValueRef call = LLVMGetInlineAsm(type, text, sizeof text - 1, "", 0, true, false,
                                         LLVMInlineAsmDialectATT, false);
    LLVMBuildCall2(b, type, call, NULL, 0, "");
}

static void build_fault(enum jit_fault fault, LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(b, add_function(context, module));
    if (fault == JIT_FAULT_FATAL)
        read_unknown_register(context, b, module);
    if (fault == JIT_FAULT_ERROR)
        write_unknown_assembly(context, b);
    if (fault != JIT_FAULT_INVALID)
        LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
}

void jit_inject_fault(enum jit_fault fault, LLVMModuleRef module)
{
    const size_t too_much = SIZE_MAX / 2;
    void *volatile memory; /* volatile, so that the compiler keeps the allocation */
    switch (fault) {
    case JIT_FAULT_FATAL:
    case JIT_FAULT_INVALID:
    case JIT_FAULT_ERROR:
        build_fault(fault, module);
        break;
    case JIT_FAULT_ABORT:
        abort();
    case JIT_FAULT_NO_MEMORY:
        memory = malloc(too_much);
        free(memory);
        break;
    default:
        break;
    }
}
