/* SPDX-License-Identifier: MIT */
/*
 * Conversion between half floats and floats. For CPUs without F16C, LLVM would call a function per
 * element; this file emits integer arithmetic instead. The results have the same bits as F16C's,
 * which keeps the upper payload bits of a NaN and makes it quiet.
 */
#include "jit/jit_private.h"

#define HALF_INFINITY  0x7c00
#define FLOAT_INFINITY 0x7f800000
#define FLOAT_QUIET    0x00400000
#define REBIAS         (112 << 23) /* exponent bias of floats minus that of halves */

static bool has_conversions(const struct jit_builder *jb)
{
#if defined(__x86_64__)
    return jb->engine->register_lanes > 4;
#else
    return true;
#endif
}

/* Returns the scalar type, or a vector type with as many elements as `like`. */
static LLVMTypeRef shape(LLVMTypeRef scalar, LLVMValueRef like)
{
    return jit_is_vector(like) ? LLVMVectorType(scalar, LLVMGetVectorSize(LLVMTypeOf(like)))
                               : scalar;
}

/* Type of the operands of the helpers below, each of which takes a value and a constant. */
struct words {
    struct jit_builder *jb;
    LLVMTypeRef type;
};

static LLVMValueRef word(const struct words *w, uint32_t value)
{
    return jit_const_int(w->jb, w->type, value);
}

static LLVMValueRef and (const struct words *w, LLVMValueRef x, uint32_t mask)
{
    return LLVMBuildAnd(w->jb->b, x, word(w, mask), "");
}

static LLVMValueRef shift_left(const struct words *w, LLVMValueRef x, unsigned by)
{
    return LLVMBuildShl(w->jb->b, x, word(w, by), "");
}

static LLVMValueRef shift_right(const struct words *w, LLVMValueRef x, unsigned by)
{
    return LLVMBuildLShr(w->jb->b, x, word(w, by), "");
}

static LLVMValueRef above(const struct words *w, LLVMValueRef x, uint32_t limit)
{
    return LLVMBuildICmp(w->jb->b, LLVMIntUGT, x, word(w, limit), "");
}

/* Returns condition ? x | bits : x. */
static LLVMValueRef or_if(const struct words *w, LLVMValueRef x, LLVMValueRef condition,
                          uint32_t bits)
{
    LLVMBuilderRef b = w->jb->b;
    return LLVMBuildOr(b, x, LLVMBuildSelect(b, condition, word(w, bits), word(w, 0), ""), "");
}

LLVMValueRef jit_halves_to_floats(struct jit_builder *jb, LLVMValueRef halves)
{
    LLVMBuilderRef b = jb->b;
    LLVMTypeRef floats = shape(LLVMFloatTypeInContext(jb->context), halves);
    if (has_conversions(jb)) {
        LLVMTypeRef type = shape(LLVMHalfTypeInContext(jb->context), halves);
        return LLVMBuildFPExt(b, LLVMBuildBitCast(b, halves, type, ""), floats, "");
    }
    const struct words w = {jb, shape(jb->i32, halves)};
    LLVMValueRef bits = LLVMBuildZExt(b, halves, w.type, ""), magnitude = and(&w, bits, 0x7fff);
    LLVMValueRef scale = LLVMBuildBitCast(b, word(&w, REBIAS + (127 << 23)), floats, "");
    /* The multiplication is right for denormal halves, too, which are normal floats. */
    LLVMValueRef number = LLVMBuildBitCast(b, shift_left(&w, magnitude, 13), floats, "");
    number = LLVMBuildBitCast(b, LLVMBuildFMul(b, number, scale, ""), w.type, "");
    number = or_if(&w, number, above(&w, magnitude, HALF_INFINITY - 1), FLOAT_INFINITY);
    number = or_if(&w, number, above(&w, magnitude, HALF_INFINITY), FLOAT_QUIET);
    LLVMValueRef sign = shift_left(&w, and(&w, bits, 0x8000), 16);
    return LLVMBuildBitCast(b, LLVMBuildOr(b, number, sign, ""), floats, "");
}

LLVMValueRef jit_floats_to_halves(struct jit_builder *jb, LLVMValueRef value)
{
    LLVMBuilderRef b = jb->b;
    LLVMTypeRef halves = shape(jb->i16, value);
    if (has_conversions(jb)) {
        LLVMTypeRef type = shape(LLVMHalfTypeInContext(jb->context), value);
        return LLVMBuildBitCast(b, LLVMBuildFPTrunc(b, value, type, ""), halves, "");
    }
    const struct words w = {jb, shape(jb->i32, value)};
    LLVMTypeRef floats = LLVMTypeOf(value);
    LLVMValueRef bits = LLVMBuildBitCast(b, value, w.type, "");
    LLVMValueRef magnitude = and(&w, bits, 0x7fffffff);
    /* The last bits of 0.5 and of a denormal half have equal weight: the addition rounds to it. */
    LLVMValueRef one_half = word(&w, 0x3f000000), tiny = LLVMBuildBitCast(b, magnitude, floats, "");
    tiny = LLVMBuildFAdd(b, tiny, LLVMBuildBitCast(b, one_half, floats, ""), "");
    tiny = LLVMBuildSub(b, LLVMBuildBitCast(b, tiny, w.type, ""), one_half, "");
    /* Round to nearest even; numbers that round to 2^16 carry into infinity. */
    LLVMValueRef odd = and(&w, shift_right(&w, magnitude, 13), 1);
    LLVMValueRef number = LLVMBuildAdd(b, magnitude, word(&w, 0xfff - REBIAS), "");
    number = shift_right(&w, LLVMBuildAdd(b, number, odd, ""), 13);
    number = LLVMBuildSelect(b, above(&w, magnitude, (113 << 23) - 1), number, tiny, "");
    LLVMValueRef huge =
        or_if(&w, word(&w, HALF_INFINITY), above(&w, magnitude, FLOAT_INFINITY), FLOAT_QUIET >> 13);
    LLVMValueRef payload = and(&w, shift_right(&w, magnitude, 13), 0x3ff);
    payload = LLVMBuildSelect(b, above(&w, magnitude, FLOAT_INFINITY), payload, word(&w, 0), "");
    huge = LLVMBuildOr(b, huge, payload, "");
    number = LLVMBuildSelect(b, above(&w, magnitude, (143 << 23) - 1), huge, number, "");
    number = LLVMBuildOr(b, number, shift_right(&w, and(&w, bits, 0x80000000), 16), "");
    return LLVMBuildTrunc(b, number, halves, "");
}
