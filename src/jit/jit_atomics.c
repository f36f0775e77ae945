/* SPDX-License-Identifier: MIT */
/*
 * LLVM IR for atomic operations of one lane. The machines' NaNs differ, so operations on floats
 * store the NaN of nir_canonicalize_nans; without an instruction for that, they are loops.
 */
#include <math.h>

#include "jit/jit_private.h"

/* An operation on integers: its atomic form, and how to compute it without one, by an opcode or, if
 * `intrinsic` is not NULL, by an intrinsic. */
struct operation {
    LLVMAtomicRMWBinOp atomic;
    LLVMOpcode opcode;
    const char *intrinsic;
};

static const struct operation integer_operations[] = {
    [nir_atomic_op_iadd] = {LLVMAtomicRMWBinOpAdd, LLVMAdd, NULL},
    [nir_atomic_op_imin] = {LLVMAtomicRMWBinOpMin, 0, "llvm.smin"},
    [nir_atomic_op_umin] = {LLVMAtomicRMWBinOpUMin, 0, "llvm.umin"},
    [nir_atomic_op_imax] = {LLVMAtomicRMWBinOpMax, 0, "llvm.smax"},
    [nir_atomic_op_umax] = {LLVMAtomicRMWBinOpUMax, 0, "llvm.umax"},
    [nir_atomic_op_iand] = {LLVMAtomicRMWBinOpAnd, LLVMAnd, NULL},
    [nir_atomic_op_ior] = {LLVMAtomicRMWBinOpOr, LLVMOr, NULL},
    [nir_atomic_op_ixor] = {LLVMAtomicRMWBinOpXor, LLVMXor, NULL},
};

/* Returns an integer as the float with the same bits. */
static LLVMValueRef as_float(struct jit_builder *jb, LLVMValueRef x)
{
    LLVMTypeRef type = LLVMGetIntTypeWidth(LLVMTypeOf(x)) == 64
                           ? LLVMDoubleTypeInContext(jb->context)
                           : LLVMFloatTypeInContext(jb->context);
    return LLVMBuildBitCast(jb->b, x, type, "");
}

static LLVMValueRef are_equal(struct jit_builder *jb, LLVMValueRef x, LLVMValueRef y,
                              bool as_floats)
{
    return as_floats ? LLVMBuildFCmp(jb->b, LLVMRealOEQ, as_float(jb, x), as_float(jb, y), "")
                     : LLVMBuildICmp(jb->b, LLVMIntEQ, x, y, "");
}

static LLVMValueRef is_nan(struct jit_builder *jb, LLVMValueRef x)
{
    return LLVMBuildFCmp(jb->b, LLVMRealUNO, x, x, "");
}

/* Returns the sum, minimum or maximum of old and operand. A minimum or maximum with a NaN is the
 * other value. The comparison isn't that of llvm.minnum, which on AArch64 returns NaN for a
 * signaling NaN. */
static LLVMValueRef modified_float(struct jit_builder *jb, nir_atomic_op op, LLVMValueRef old,
                                   LLVMValueRef operand)
{
    LLVMValueRef x = as_float(jb, old), y = as_float(jb, operand), result;
    if (op == nir_atomic_op_fadd) {
        result = LLVMBuildFAdd(jb->b, x, y, "");
    } else {
        LLVMRealPredicate predicate = op == nir_atomic_op_fmin ? LLVMRealOLT : LLVMRealOGT;
        LLVMValueRef beyond = LLVMBuildFCmp(jb->b, predicate, y, x, "");
        LLVMValueRef takes_y = LLVMBuildOr(jb->b, beyond, is_nan(jb, x), "");
        result = LLVMBuildSelect(jb->b, takes_y, y, x, "");
    }
    LLVMValueRef nan = LLVMConstReal(LLVMTypeOf(x), (double)NAN);
    result = LLVMBuildSelect(jb->b, is_nan(jb, result), nan, result, "");
    return LLVMBuildBitCast(jb->b, result, LLVMTypeOf(old), "");
}

static bool is_float_operation(nir_atomic_op op)
{
    return op == nir_atomic_op_fadd || op == nir_atomic_op_fmin || op == nir_atomic_op_fmax;
}

/* --- in memory that no other thread accesses --- */

static LLVMValueRef modified_integer(struct jit_builder *jb, const struct operation *operation,
                                     LLVMValueRef old, LLVMValueRef operand)
{
    LLVMTypeRef type = LLVMTypeOf(old);
    LLVMValueRef args[] = {old, operand};
    if (operation->intrinsic)
        return jit_call(jb, operation->intrinsic, &type, 1, args, 2);
    return LLVMBuildBinOp(jb->b, operation->opcode, old, operand, "");
}

static LLVMValueRef emit_alone(struct jit_builder *jb, nir_atomic_op op, LLVMValueRef place,
                               LLVMValueRef a, LLVMValueRef value)
{
    const unsigned bytes = LLVMGetIntTypeWidth(LLVMTypeOf(a)) / 8;
    LLVMValueRef old = LLVMBuildLoad2(jb->b, LLVMTypeOf(a), place, ""), result = a;
    LLVMSetAlignment(old, bytes);
    if (value)
        result = LLVMBuildSelect(jb->b, are_equal(jb, old, a, op == nir_atomic_op_fcmpxchg), value,
                                 old, "");
    else if (is_float_operation(op))
        result = modified_float(jb, op, old, a);
    else if (op != nir_atomic_op_xchg)
        result = modified_integer(jb, &integer_operations[op], old, a);
    LLVMSetAlignment(LLVMBuildStore(jb->b, result, place), bytes);
    return old;
}

/* --- in memory that other threads access --- */

static LLVMValueRef compare_exchange(struct jit_builder *jb, LLVMValueRef place,
                                     LLVMValueRef expected, LLVMValueRef value)
{
    return LLVMBuildAtomicCmpXchg(jb->b, place, expected, value, LLVMAtomicOrderingMonotonic,
                                  LLVMAtomicOrderingMonotonic, false);
}

/* Emits a compare-and-exchange loop, which ends when no other thread has interfered. If value is
 * NULL, stores modified_float() of the old contents and `a`. Otherwise stores `value` if the old
 * contents equal `a` as floats (0 equals -0), else the old contents again. Returns the old
 * contents. */
static LLVMValueRef emit_loop(struct jit_builder *jb, nir_atomic_op op, LLVMValueRef place,
                              LLVMValueRef a, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(jb->b);
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(jb->context, jb->function, "");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(jb->context, jb->function, "");
    LLVMValueRef first = LLVMBuildLoad2(jb->b, type, place, "");
    LLVMSetOrdering(first, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(first, LLVMGetIntTypeWidth(type) / 8);
    LLVMBuildBr(jb->b, loop);
    LLVMPositionBuilderAtEnd(jb->b, loop);
    LLVMValueRef guess = LLVMBuildPhi(jb->b, type, "");
    LLVMValueRef wanted =
        value ? LLVMBuildSelect(jb->b, are_equal(jb, guess, a, true), value, guess, "")
              : modified_float(jb, op, guess, a);
    LLVMValueRef result = compare_exchange(jb, place, guess, wanted);
    LLVMValueRef old = LLVMBuildExtractValue(jb->b, result, 0, "");
    LLVMBuildCondBr(jb->b, LLVMBuildExtractValue(jb->b, result, 1, ""), done, loop);
    LLVMAddIncoming(guess, &first, &before, 1);
    LLVMAddIncoming(guess, &old, &loop, 1);
    LLVMPositionBuilderAtEnd(jb->b, done);
    return old;
}

LLVMValueRef jit_emit_atomic(struct jit_builder *jb, nir_intrinsic_instr *intr, LLVMValueRef place,
                             LLVMValueRef a, LLVMValueRef value)
{
    const nir_atomic_op op = nir_intrinsic_atomic_op(intr);
    if (nir_intrinsic_access(intr) & ACCESS_ONE_THREAD)
        return emit_alone(jb, op, place, a, value);
    if (is_float_operation(op) || op == nir_atomic_op_fcmpxchg)
        return emit_loop(jb, op, place, a, value);
    if (value)
        return LLVMBuildExtractValue(jb->b, compare_exchange(jb, place, a, value), 0, "");
    return LLVMBuildAtomicRMW(
        jb->b, op == nir_atomic_op_xchg ? LLVMAtomicRMWBinOpXchg : integer_operations[op].atomic,
        place, a, LLVMAtomicOrderingMonotonic, false);
}
