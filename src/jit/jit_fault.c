/* SPDX-License-Identifier: MIT */
/* Fault injection: makes LLVM fail in a compilation, for tests. */
#include <stdlib.h>

#include "jit/jit_private.h"

static LLVMValueRef add_function(LLVMContextRef context, LLVMModuleRef module)
{
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    return LLVMAddFunction(module, "fault", type);
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
    LLVMValueRef function = add_function(context, module);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, function, ""));
    if (fault == JIT_FAULT_FATAL)
        LLVMSetGC(function, "none"); /* an unknown garbage collector is fatal in all versions */
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
