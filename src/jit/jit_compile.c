/* SPDX-License-Identifier: MIT */
/* Compiles a lowered kernel to object code with LLVM; helpers that emit common LLVM IR. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <talloc.h>

#include "jit/jit_guard.h"
#include "jit/jit_private.h"
#include "jit/jit_reserve.h"
#include "jit/jit_stack.h"
#include "util/check.h"
#include "util/log.h"
#include "util/memory.h"
#include "util/options.h"

LLVMTypeRef jit_int_type(struct jit_builder *jb, unsigned bit_size)
{
    switch (bit_size) {
    case 1:
        return jb->i1;
    case 8:
        return jb->i8;
    case 16:
        return jb->i16;
    case 32:
        return jb->i32;
    default:
        return jb->i64;
    }
}

LLVMTypeRef jit_float_type(struct jit_builder *jb, unsigned bit_size)
{
    return bit_size == 16 ? jb->f16 : bit_size == 64 ? jb->f64 : jb->f32;
}

LLVMTypeRef jit_type(struct jit_builder *jb, LLVMTypeRef scalar, bool divergent)
{
    return divergent ? LLVMVectorType(scalar, jb->lanes) : scalar;
}

bool jit_is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

/* Broadcasts a scalar that was extracted from a vector, possibly masked, by a shuffle of that
 * vector. This avoids the latency of moving the element to a general register and back. Returns
 * NULL for other scalars. */
static LLVMValueRef broadcast_element(struct jit_builder *jb, LLVMValueRef scalar)
{
    LLVMValueRef mask = NULL, element = scalar;
    if (LLVMIsAInstruction(scalar) && LLVMGetInstructionOpcode(scalar) == LLVMAnd) {
        mask = LLVMGetOperand(scalar, 1);
        element = LLVMGetOperand(scalar, 0);
    }
    if (!LLVMIsAExtractElementInst(element) || (mask && !LLVMIsAConstantInt(mask)) ||
        !LLVMIsAConstantInt(LLVMGetOperand(element, 1)))
        return NULL;
    LLVMValueRef vector = LLVMGetOperand(element, 0), at = LLVMGetOperand(element, 1), lane[16];
    for (unsigned i = 0; i < jb->lanes; i++)
        lane[i] = at;
    vector = LLVMBuildShuffleVector(jb->b, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                    LLVMConstVector(lane, jb->lanes), "");
    return mask ? LLVMBuildAnd(jb->b, vector, jit_broadcast(jb, mask), "") : vector;
}

LLVMValueRef jit_splat(LLVMValueRef constant, unsigned count)
{
    LLVMValueRef all[64];
    assert(count <= ARRAY_SIZE(all));
    for (unsigned i = 0; i < count; i++)
        all[i] = constant;
    return LLVMConstVector(all, count);
}

LLVMValueRef jit_broadcast(struct jit_builder *jb, LLVMValueRef scalar)
{
    if (jit_is_vector(scalar))
        return scalar;
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), jb->lanes);
    if (LLVMIsConstant(scalar))
        return jit_splat(scalar, jb->lanes);
    LLVMValueRef spread = broadcast_element(jb, scalar);
    if (spread)
        return spread;
    LLVMValueRef first = LLVMBuildInsertElement(jb->b, LLVMGetPoison(type), scalar,
                                                jit_const_int(jb, jb->i32, 0), "");
    return LLVMBuildShuffleVector(jb->b, first, LLVMGetPoison(type),
                                  LLVMConstNull(LLVMVectorType(jb->i32, jb->lanes)), "");
}

LLVMValueRef jit_src(struct jit_builder *jb, const nir_src *src, unsigned component, bool divergent)
{
    LLVMValueRef value = jb->defs[src->ssa->index][component];
    return divergent ? jit_broadcast(jb, value) : value;
}

LLVMValueRef jit_uniform_src(struct jit_builder *jb, const nir_src *src, unsigned component)
{
    LLVMValueRef value = jit_src(jb, src, component, false);
    assert(!jit_is_vector(value));
    if (!jit_is_vector(value))
        return value;
    jb->failed = true;
    return LLVMConstNull(LLVMGetElementType(LLVMTypeOf(value)));
}

LLVMValueRef jit_const_int(struct jit_builder *jb, LLVMTypeRef type, uint64_t value)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return LLVMConstInt(type, value, false);
    return jit_splat(LLVMConstInt(LLVMGetElementType(type), value, false), LLVMGetVectorSize(type));
}

LLVMValueRef jit_alloca(struct jit_builder *jb, LLVMTypeRef type)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jb->b);
    LLVMValueRef first = LLVMGetFirstInstruction(jb->entry);
    if (first)
        LLVMPositionBuilderBefore(jb->b, first);
    else
        LLVMPositionBuilderAtEnd(jb->b, jb->entry);
    LLVMValueRef alloca = LLVMBuildAlloca(jb->b, type, "");
    LLVMPositionBuilderAtEnd(jb->b, here);
    return alloca;
}

LLVMValueRef jit_exec_mask(struct jit_builder *jb)
{
    return jb->exec ? jb->exec : LLVMConstAllOnes(LLVMVectorType(jb->i1, jb->lanes));
}

LLVMValueRef jit_any(struct jit_builder *jb, LLVMValueRef mask)
{
    LLVMTypeRef bits = LLVMIntTypeInContext(jb->context, jb->lanes);
    return LLVMBuildICmp(jb->b, LLVMIntNE, LLVMBuildBitCast(jb->b, mask, bits, ""),
                         LLVMConstNull(bits), "");
}

LLVMValueRef jit_quad_shuffle(struct jit_builder *jb, LLVMValueRef value, const unsigned pattern[4])
{
    LLVMValueRef lanes[16];
    for (unsigned i = 0; i < jb->lanes; i++)
        lanes[i] = LLVMConstInt(jb->i32, (i & ~3u) + pattern[i & 3], false);
    return LLVMBuildShuffleVector(jb->b, value, LLVMGetPoison(LLVMTypeOf(value)),
                                  LLVMConstVector(lanes, jb->lanes), "");
}

LLVMValueRef jit_call(struct jit_builder *jb, const char *intrinsic, LLVMTypeRef *types,
                      unsigned num_types, LLVMValueRef *args, unsigned num_args)
{
    unsigned id = LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic));
    assert(id);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(jb->module, id, types, num_types);
    return LLVMBuildCall2(jb->b, LLVMGlobalGetValueType(function), function, args, num_args, "");
}

/* Maximum number of values in a kernel; with more, a bounded compilation gives up. Even the
 * non-optimizing code generator takes about 10 s for this number. */
#define MAX_VALUES 65536

/* State of one compilation. drop() frees LLVM's objects at whatever stage it ends. */
struct compilation {
    struct jit_engine *engine;
    nir_shader *nir;
    unsigned lanes;
    const char *symbol;
    bool bounded;         /* give up on large kernels */
    enum jit_stack stack; /* stack that the kernel runs on */
    bool too_large;       /* the frame exceeds that stack's limit */
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMValueRef body; /* function with the kernel's code */
    LLVMBuilderRef builder;
    LLVMTargetMachineRef machine;
    bool shares_machine; /* return machine to the engine for the next compilation */
    char *message;
    LLVMMemoryBufferRef object; /* result */
    bool has_errors;            /* LLVM reported an error as a diagnostic */
    struct jit_failure *failure;
};

/* Sets the failure and returns false. */
static bool fail(struct compilation *c, const char *reason)
{
    jit_fail(c->failure, reason);
    return false;
}

static bool fail_by_size(struct compilation *c)
{
    fail(c, "too large");
    c->failure->by_size = true;
    return false;
}

static LLVMTargetMachineRef create_target_machine(struct jit_engine *engine,
                                                  LLVMCodeGenOptLevel level)
{
    return LLVMCreateTargetMachine(engine->target, engine->triple, engine->cpu, engine->features,
                                   level, LLVMRelocPIC, LLVMCodeModelSmall);
}

/* Returns an idle optimizing target machine or a new one. Compilations reuse them, because setting
 * one up takes a few percent of the time to compile a small kernel. */
static LLVMTargetMachineRef take_target_machine(struct jit_engine *engine)
{
    pthread_mutex_lock(&engine->lock);
    LLVMTargetMachineRef machine = engine->num_idle ? engine->idle[--engine->num_idle] : NULL;
    pthread_mutex_unlock(&engine->lock);
    return machine ? machine : create_target_machine(engine, LLVMCodeGenLevelDefault);
}

static void give_target_machine(struct jit_engine *engine, LLVMTargetMachineRef machine)
{
    pthread_mutex_lock(&engine->lock);
    bool kept = engine->num_idle < ARRAY_SIZE(engine->idle);
    if (kept)
        NEXT_OF(engine->idle, engine->num_idle) = machine;
    pthread_mutex_unlock(&engine->lock);
    if (!kept)
        LLVMDisposeTargetMachine(machine);
}

void jit_drop_target_machines(struct jit_engine *engine)
{
    while (engine->num_idle)
        LLVMDisposeTargetMachine(engine->idle[--engine->num_idle]);
}

static void drop(struct compilation *c)
{
    LLVMDisposeMessage(c->message);
    if (c->machine && c->shares_machine)
        give_target_machine(c->engine, c->machine);
    else if (c->machine)
        LLVMDisposeTargetMachine(c->machine);
    if (c->builder)
        LLVMDisposeBuilder(c->builder);
    if (c->module)
        LLVMDisposeModule(c->module);
    LLVMContextDispose(c->context);
}

void jit_add_attribute(LLVMContextRef context, LLVMValueRef function, const char *name,
                       const char *value)
{
    LLVMAddAttributeAtIndex(
        function, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, name, strlen(name), value, strlen(value)));
}

void jit_add_nounwind(LLVMContextRef context, LLVMValueRef function)
{
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, nounwind, 0));
}

static bool build_module(struct compilation *c)
{
    struct jit_engine *engine = c->engine;
    LLVMContextRef context = c->context;
    nir_shader *nir = c->nir;
    void *mem_ctx = talloc_new(NULL);
    c->module = LLVMModuleCreateWithNameInContext("kernel", context);
    c->builder = LLVMCreateBuilderInContext(context);
    struct jit_builder jb = {
        .engine = engine,
        .nir = nir,
        .lanes = c->lanes,
        .context = context,
        .module = c->module,
        .b = c->builder,
        .i1 = LLVMInt1TypeInContext(context),
        .i8 = LLVMInt8TypeInContext(context),
        .i16 = LLVMInt16TypeInContext(context),
        .i32 = LLVMInt32TypeInContext(context),
        .i64 = LLVMInt64TypeInContext(context),
        .f16 = LLVMHalfTypeInContext(context),
        .f32 = LLVMFloatTypeInContext(context),
        .f64 = LLVMDoubleTypeInContext(context),
        .ptr = LLVMPointerTypeInContext(context, 0),
        .mem_ctx = mem_ctx,
    };
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(context), (LLVMTypeRef[]){jb.ptr}, 1, false);
    jb.function = LLVMAddFunction(jb.module, c->symbol, type);
    jb.args = LLVMGetParam(jb.function, 0);

    /* LLVM avoids 512-bit registers on many CPUs unless asked. */
    if (engine->register_lanes == 16) {
        jit_add_attribute(context, jb.function, "prefer-vector-width", "512");
        jit_add_attribute(context, jb.function, "min-legal-vector-width", "512");
    }
    jit_add_nounwind(context, jb.function);
    /* A stack overflow must hit the guard page and not memory below it. */
    jit_add_attribute(context, jb.function, "probe-stack", "inline-asm");
    c->body = jb.function;

    nir_function_impl *impl = nir_shader_get_entrypoint(nir);
    nir_index_ssa_defs(impl);
    jb.defs = talloc_zero_array(mem_ctx, LLVMValueRef *, impl->ssa_alloc);
    jb.phis = talloc_zero_array(mem_ctx, LLVMValueRef *, impl->ssa_alloc);
    jit_emit_function(&jb, impl);

    talloc_free(mem_ctx);
    return !jb.failed;
}

static void print_asm(LLVMTargetMachineRef machine, LLVMModuleRef module)
{
    LLVMModuleRef copy = LLVMCloneModule(module);
    LLVMMemoryBufferRef text = NULL;
    char *message = NULL;
    if (!LLVMTargetMachineEmitToMemoryBuffer(machine, copy, LLVMAssemblyFile, &message, &text)) {
        fwrite(LLVMGetBufferStart(text), 1, LLVMGetBufferSize(text), stderr);
        LLVMDisposeMemoryBuffer(text);
    }
    LLVMDisposeModule(copy);
}

static bool run_passes(struct compilation *c)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(c->module, jit_passes(c->module), c->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return true;
    char *text = LLVMGetErrorMessage(error);
    fail(c, text);
    LLVMDisposeErrorMessage(text);
    return false;
}

/* --- the frame --- */

static uint64_t scratch_bytes(const struct compilation *c)
{
    return (uint64_t)c->nir->scratch_size * c->lanes;
}

/* Handles LLVM's diagnostics. The frame size is known only after code generation and is reported as
 * a warning (limit_frame). Without a handler, errors would end the process. */
static void note_diagnostic(LLVMDiagnosticInfoRef info, void *data)
{
    struct compilation *c = data;
    char *text = LLVMGetDiagInfoDescription(info);
    if (strstr(text, "stack frame size"))
        c->too_large = true;
    else if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
        c->has_errors = !fail(c, text);
    LLVMDisposeMessage(text);
}

static void limit_frame(struct compilation *c)
{
    char bytes[24];
    snprintf(bytes, sizeof bytes, "%zu", jit_stack_frame(c->stack));
    jit_add_attribute(c->context, c->body, "warn-stack-size", bytes);
}

/* Adds a function with the kernel's name that calls the body on a stack of jit_stack.h. */
static void change_stack(struct compilation *c)
{
    LLVMTypeRef none = LLVMVoidTypeInContext(c->context),
                pointer = LLVMPointerTypeInContext(c->context, 0);
    LLVMTypeRef type = LLVMGlobalGetValueType(c->body);
    LLVMTypeRef call_type = LLVMFunctionType(none, (LLVMTypeRef[]){pointer, pointer}, 2, false);
    LLVMValueRef call = LLVMAddFunction(
        c->module, c->stack == JIT_STACK_LARGE ? JIT_STACK_CALL_LARGE : JIT_STACK_CALL_SMALL,
        call_type);

    LLVMSetValueName2(c->body, "body", 4);
    LLVMSetLinkage(c->body, LLVMInternalLinkage);
    LLVMValueRef function = LLVMAddFunction(c->module, c->symbol, type);
    jit_add_nounwind(c->context, function);
    LLVMPositionBuilderAtEnd(c->builder, LLVMAppendBasicBlockInContext(c->context, function, ""));
    LLVMValueRef args[] = {c->body, LLVMGetParam(function, 0)};
    LLVMBuildCall2(c->builder, call_type, call, args, 2, "");
    LLVMBuildRetVoid(c->builder);
}

/* Chooses the stack by the scratch size and builds the module and its target machine. */
static bool build(struct compilation *c)
{
    if (c->bounded && nir_shader_get_entrypoint(c->nir)->ssa_alloc > MAX_VALUES)
        return fail_by_size(c);
    while (c->stack < JIT_STACK_LARGE && scratch_bytes(c) > jit_stack_frame(c->stack) / 2)
        c->stack++;
    if (scratch_bytes(c) > jit_stack_frame(c->stack))
        return fail(c, "too much scratch memory");
    if (!build_module(c))
        return fail(c, "an unknown instruction");
    c->machine = take_target_machine(c->engine);
    c->shares_machine = true;
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(c->machine);
    LLVMSetModuleDataLayout(c->module, layout);
    LLVMSetTarget(c->module, c->engine->triple);
    LLVMDisposeTargetData(layout);
    jit_inject_fault(c->engine->fault, c->module);
    return true;
}

/* Returns whether LLVM's verifier accepts the module. It runs in builds with asserts, and in others
 * with INDIUM_VERIFY or INDIUM_DEBUG=validate. A rejected module is a bug in this code generator:
 * tests and builds with asserts abort, as for an assert; otherwise the compilation fails. */
static bool verify(struct compilation *c, const char *when)
{
    const bool provoked = c->engine->fault == JIT_FAULT_INVALID;
#ifdef NDEBUG
    const bool must_pass = util_get_options()->verify && !provoked;
    if (!must_pass && !provoked && !util_debug(DEBUG_VALIDATE))
        return true;
#else
    const bool must_pass = !provoked;
#endif
    if (LLVMVerifyModule(c->module, LLVMReturnStatusAction, &c->message)) {
        if (must_pass) {
            log_error("LLVM's verifier rejects a kernel %s: %s", when, c->message);
            check_abort();
        }
        return fail(c, c->message);
    }
    LLVMDisposeMessage(c->message);
    c->message = NULL;
    return true;
}

static bool emit_object(struct compilation *c)
{
    if (LLVMTargetMachineEmitToMemoryBuffer(c->machine, c->module, LLVMObjectFile, &c->message,
                                            &c->object)) {
        c->object = NULL;
        return fail(c, c->message);
    }
    if (!c->too_large && !c->has_errors)
        return true;
    LLVMDisposeMemoryBuffer(c->object);
    c->object = NULL;
    return c->has_errors ? false : fail(c, "too large a stack frame");
}

static bool compile(struct compilation *c)
{
    struct jit_engine *engine = c->engine;

    if (!build(c))
        return false;
    if (util_debug(DEBUG_LLVM))
        LLVMDumpModule(c->module);
    if (!verify(c, "as built") || !run_passes(c))
        return false;
    if (engine->register_lanes == 16)
        jit_protect_bit_selects(c->context, c->module);
    if (jit_divide_large(c->context, c->builder, c->module)) {
        if (c->lanes > engine->lanes) /* optimized code for one register is better */
            return fail_by_size(c);
        give_target_machine(engine, c->machine);
        c->shares_machine = false;
        c->machine = create_target_machine(engine, LLVMCodeGenLevelNone);
        /* Without optimization, all values that cross blocks are in the frame. */
        c->stack = MAX2(c->stack, JIT_STACK_SMALL);
    }
    limit_frame(c);
    if (c->stack != JIT_STACK_CALLERS)
        change_stack(c);
    if (util_debug(DEBUG_LLVM))
        LLVMDumpModule(c->module);
    if (!verify(c, "after all passes"))
        return false;
    if (util_debug(DEBUG_ASM))
        print_asm(c->machine, c->module);
    return emit_object(c);
}

/* Returns the size of the reserve for compiling a kernel. LLVM has been seen to use up to 5 KB per
 * SSA value in small kernels, and 2 KB per value in kernels of 100,000 values. */
static size_t memory_of(const nir_function_impl *impl)
{
    const size_t base = 12 << 20, each = 6 << 10, many = 8192;
    return base + impl->ssa_alloc * (each / 2) + MIN2(impl->ssa_alloc, many) * (each / 2);
}

static bool try_compile(struct compilation *c)
{
    return UTIL_ATTEMPT(compile(c));
}

static bool compile_and_drop(void *data)
{
    struct compilation *c = data;
    c->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(c->context, note_diagnostic, c);
    bool done = try_compile(c);
    drop(c);
    return done;
}

/* Compiles for *stack or a larger one. If the frame is too large for it, returns NULL and sets
 * *stack to the next larger one. */
static LLVMMemoryBufferRef compile_object(struct jit_engine *engine, nir_shader *nir,
                                          unsigned lanes, const char *symbol, bool bounded,
                                          enum jit_stack *stack, struct jit_failure *failure)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(nir);
    struct jit_reserve *reserve = jit_reserve_open(memory_of(impl));
    *failure = (struct jit_failure){.reason = "out of memory"};
    if (!reserve)
        return NULL;
    struct compilation c = {
        .engine = engine,
        .nir = nir,
        .lanes = lanes,
        .symbol = symbol,
        .bounded = bounded,
        .stack = *stack,
        .failure = failure,
    };
    enum jit_outcome outcome = jit_guard_run(compile_and_drop, &c);
    jit_reserve_close(reserve);
    if (outcome == JIT_ABANDONED || outcome == JIT_REFUSED) {
        jit_fail(failure, outcome == JIT_ABANDONED ? jit_guard_message() : "too many fatal errors");
        return NULL;
    }
    if (c.too_large && c.stack < JIT_STACK_LARGE)
        *stack = c.stack + 1;
    return c.object;
}

LLVMMemoryBufferRef jit_compile_object(struct jit_engine *engine, nir_shader *nir, unsigned lanes,
                                       const char *symbol, bool bounded,
                                       struct jit_failure *failure)
{
    enum jit_stack stack = JIT_STACK_CALLERS, last;
    LLVMMemoryBufferRef object;
    do {
        last = stack;
        object = compile_object(engine, nir, lanes, symbol, bounded, &stack, failure);
    } while (!object && stack != last);
    return object;
}
