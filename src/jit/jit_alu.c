/* SPDX-License-Identifier: MIT */
/*
 * LLVM IR for ALU instructions, one component at a time. Uniform instructions operate on scalars,
 * divergent ones on vectors. The code is the same for both, since LLVM's operations accept either.
 */
#include <math.h>

#include <talloc.h>

#include "jit/jit_private.h"
#include "nir/nir_math.h"
#include "nir/nir_range_analysis.h"

/* One component of an instruction. */
struct op {
    struct jit_builder *jb;
    LLVMBuilderRef b;
    const nir_alu_instr *alu;
    unsigned component;
    nir_op op;
    bool divergent;
    unsigned src_bits, dst_bits;
    LLVMValueRef src[4]; /* source values as integers */
    LLVMTypeRef src_int, src_float, dst_int, dst_float;
};

static LLVMValueRef as_float(struct op *o, unsigned i)
{
    return LLVMBuildBitCast(o->b, o->src[i], o->src_float, "");
}

static LLVMValueRef from_float(struct op *o, LLVMValueRef value)
{
    return LLVMBuildBitCast(o->b, value, o->dst_int, "");
}

static LLVMValueRef const_float(struct op *o, LLVMTypeRef type, double value)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return LLVMConstReal(type, value);
    return jit_splat(LLVMConstReal(LLVMGetElementType(type), value), LLVMGetVectorSize(type));
}

static LLVMValueRef const_int(struct op *o, LLVMTypeRef type, uint64_t value)
{
    return jit_const_int(o->jb, type, value);
}

static LLVMValueRef intrinsic(struct op *o, const char *name, LLVMTypeRef type, unsigned count,
                              LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
    return jit_call(o->jb, name, &type, 1, (LLVMValueRef[]){a, b, c}, count);
}

static LLVMValueRef select_(struct op *o, LLVMValueRef c, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildSelect(o->b, c, a, b, "");
}

/* Selects one of two floats, by a comparison of the two. If one of them is a constant, LLVM may
 * emit AArch64's fminnm or fmaxnm, which return NaN if the other one is a signaling NaN. The fence
 * hides an operand from LLVM, which prevents that. */
static LLVMValueRef select_float(struct op *o, LLVMValueRef c, LLVMValueRef a, LLVMValueRef b)
{
#if !defined(__x86_64__)
    LLVMValueRef *hidden = LLVMIsConstant(a) ? &b : &a;
    *hidden = intrinsic(o, "llvm.arithmetic.fence", LLVMTypeOf(*hidden), 1, *hidden, NULL, NULL);
#endif
    return select_(o, c, a, b);
}

/* Returns whether the sources are vectors of 32-bit elements that fill one or two x86 registers
 * exactly. */
static bool fills_registers(const struct op *o)
{
#if defined(__x86_64__)
    const unsigned registers = o->jb->lanes / o->jb->engine->register_lanes;
    return o->divergent && o->src_bits == 32 && (registers == 1 || registers == 2);
#else
    return false;
#endif
}

/* Returns `count` lanes of a vector or of two vectors, from lane `first` on. */
static LLVMValueRef lanes_from(struct op *o, LLVMValueRef x, LLVMValueRef y, unsigned first,
                               unsigned count)
{
    LLVMValueRef index[16];
    for (unsigned i = 0; i < count; i++)
        index[i] = const_int(o, o->jb->i32, first + i);
    return LLVMBuildShuffleVector(o->b, x, y, LLVMConstVector(index, count), "");
}

/* Calls the x86 intrinsic for the width of registers, once for each register that the sources fill.
 * With 16 lanes, sources fill one register, and the intrinsic has an additional rounding argument.
 * With fewer lanes, all arguments are vectors, at most two. args has room for one more. */
static LLVMValueRef by_width(struct op *o, const char *const names[3], LLVMValueRef *args,
                             unsigned count)
{
    const unsigned lanes = o->jb->engine->register_lanes;
    const unsigned width = lanes == 4 ? 0 : lanes == 8 ? 1 : 2;
    LLVMValueRef half[2], part[2];
    if (width == 2)
        args[count++] = jit_const_int(o->jb, o->jb->i32, 4); /* current rounding mode */
    if (o->jb->lanes == lanes)
        return jit_call(o->jb, names[width], NULL, 0, args, count);
    for (unsigned h = 0; h < 2; h++) {
        for (unsigned i = 0; i < count; i++)
            part[i] = lanes_from(o, args[i], LLVMGetPoison(LLVMTypeOf(args[i])), h * lanes, lanes);
        half[h] = jit_call(o->jb, names[width], NULL, 0, part, count);
    }
    return lanes_from(o, half[0], half[1], 0, 2 * lanes);
}

/* --- floats --- */

/* Returns x < y ? x : y, or x > y ? x : y if max; y for NaN and equal operands. This is one x86
 * instruction, which LLVM doesn't always recognize in a comparison and a select. */
static LLVMValueRef pick(struct op *o, LLVMValueRef x, LLVMValueRef y, bool max)
{
    static const char *const names[2][3] = {
        {"llvm.x86.sse.min.ps", "llvm.x86.avx.min.ps.256", "llvm.x86.avx512.min.ps.512"},
        {"llvm.x86.sse.max.ps", "llvm.x86.avx.max.ps.256", "llvm.x86.avx512.max.ps.512"}};
    if (fills_registers(o))
        return by_width(o, names[max], (LLVMValueRef[3]){x, y}, 2);
    return select_float(o, LLVMBuildFCmp(o->b, max ? LLVMRealOGT : LLVMRealOLT, x, y, ""), x, y);
}

static LLVMValueRef emit_float_unop(struct op *o)
{
    LLVMValueRef x = as_float(o, 0);
    LLVMTypeRef t = o->src_float;
    LLVMValueRef zero = LLVMConstNull(t), one = const_float(o, t, 1.0);
    switch (o->op) {
    case nir_op_fneg:
        return LLVMBuildFNeg(o->b, x, "");
    case nir_op_fabs:
        return intrinsic(o, "llvm.fabs", t, 1, x, NULL, NULL);
    case nir_op_fsat: /* 0 for NaN */
        return pick(o, pick(o, x, zero, true), one, false);
    case nir_op_frcp:
        return LLVMBuildFDiv(o->b, one, x, "");
    case nir_op_fsqrt:
        return intrinsic(o, "llvm.sqrt", t, 1, x, NULL, NULL);
    case nir_op_frsq:
        return LLVMBuildFDiv(o->b, one, intrinsic(o, "llvm.sqrt", t, 1, x, NULL, NULL), "");
    case nir_op_ftrunc:
        return intrinsic(o, "llvm.trunc", t, 1, x, NULL, NULL);
    case nir_op_ffloor:
        return intrinsic(o, "llvm.floor", t, 1, x, NULL, NULL);
    case nir_op_fceil:
        return intrinsic(o, "llvm.ceil", t, 1, x, NULL, NULL);
    case nir_op_fround_even:
        return intrinsic(o, "llvm.roundeven", t, 1, x, NULL, NULL);
    case nir_op_ffract:
        return LLVMBuildFSub(o->b, x, intrinsic(o, "llvm.floor", t, 1, x, NULL, NULL), "");
    case nir_op_fsign: {
        LLVMValueRef minus = const_float(o, t, -1.0);
        LLVMValueRef negative =
            select_(o, LLVMBuildFCmp(o->b, LLVMRealOLT, x, zero, ""), minus, zero);
        return select_(o, LLVMBuildFCmp(o->b, LLVMRealOGT, x, zero, ""), one, negative);
    }
    default:
        return NULL;
    }
}

/* Returns fmin or fmax: the operand that isn't NaN if only one is; y if they are equal. */
static LLVMValueRef emit_min_max(struct op *o, bool max)
{
    LLVMValueRef x = as_float(o, 0), y = as_float(o, 1), result = pick(o, x, y, max);
    if (nir_analyze_float(o->alu->src[1].src.ssa, nir_alu_src_comp(&o->alu->src[1], o->component)) &
        NIR_FLOAT_NUMBER)
        return result;
    return select_(o, LLVMBuildFCmp(o->b, LLVMRealUNO, y, y, ""), x, result);
}

static LLVMValueRef emit_float_binop(struct op *o)
{
    LLVMValueRef x = as_float(o, 0), y = as_float(o, 1);
    switch (o->op) {
    case nir_op_fadd:
        return LLVMBuildFAdd(o->b, x, y, "");
    case nir_op_fsub:
        return LLVMBuildFSub(o->b, x, y, "");
    case nir_op_fmul:
        return LLVMBuildFMul(o->b, x, y, "");
    case nir_op_fdiv:
        return LLVMBuildFDiv(o->b, x, y, "");
    case nir_op_fmin:
        return emit_min_max(o, false);
    case nir_op_fmax:
        return emit_min_max(o, true);
    default:
        return NULL;
    }
}

static LLVMValueRef emit_compare(struct op *o)
{
    static const struct {
        nir_op op;
        bool is_float;
        int predicate;
    } table[] = {
        {nir_op_flt, true, LLVMRealOLT}, {nir_op_fge, true, LLVMRealOGE},
        {nir_op_feq, true, LLVMRealOEQ}, {nir_op_fneu, true, LLVMRealUNE},
        {nir_op_ilt, false, LLVMIntSLT}, {nir_op_ige, false, LLVMIntSGE},
        {nir_op_ieq, false, LLVMIntEQ},  {nir_op_ine, false, LLVMIntNE},
        {nir_op_ult, false, LLVMIntULT}, {nir_op_uge, false, LLVMIntUGE},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(table); i++) {
        if (table[i].op != o->op)
            continue;
        if (table[i].is_float)
            return LLVMBuildFCmp(o->b, table[i].predicate, as_float(o, 0), as_float(o, 1), "");
        return LLVMBuildICmp(o->b, table[i].predicate, o->src[0], o->src[1], "");
    }
    return NULL;
}

/* --- integers --- */

/* Emits integer division and remainder. The CPU traps on division by zero and on overflow (-2^31 /
 * -1); here the results are those that nir_opcodes.py defines. */
static LLVMValueRef emit_division(struct op *o)
{
    bool is_signed = o->op != nir_op_udiv && o->op != nir_op_umod;
    LLVMTypeRef t = o->src_int;
    LLVMValueRef zero = LLVMConstNull(t), one = const_int(o, t, 1);
    LLVMValueRef x = o->src[0], y = o->src[1];
    LLVMValueRef bad = LLVMBuildICmp(o->b, LLVMIntEQ, y, zero, "");
    LLVMValueRef minus_one = NULL;
    LLVMValueRef safe = select_(o, bad, one, y);
    if (is_signed) {
        minus_one = LLVMBuildICmp(o->b, LLVMIntEQ, y, LLVMConstAllOnes(t), "");
        safe = select_(o, minus_one, one, safe);
    }
    LLVMValueRef quotient;
    if (o->src_bits <= 32) { /* exact as doubles, which have vector instructions everywhere */
        LLVMTypeRef f64 = jit_type(o->jb, o->jb->f64, o->divergent);
        LLVMValueRef fx =
            is_signed ? LLVMBuildSIToFP(o->b, x, f64, "") : LLVMBuildUIToFP(o->b, x, f64, "");
        LLVMValueRef fy =
            is_signed ? LLVMBuildSIToFP(o->b, safe, f64, "") : LLVMBuildUIToFP(o->b, safe, f64, "");
        LLVMValueRef fq = LLVMBuildFDiv(o->b, fx, fy, "");
        quotient = is_signed ? LLVMBuildFPToSI(o->b, fq, t, "") : LLVMBuildFPToUI(o->b, fq, t, "");
    } else {
        quotient = is_signed ? LLVMBuildSDiv(o->b, x, safe, "") : LLVMBuildUDiv(o->b, x, safe, "");
    }
    if (o->op == nir_op_idiv)
        quotient = select_(o, minus_one, LLVMBuildNeg(o->b, x, ""), quotient);
    if (o->op == nir_op_idiv || o->op == nir_op_udiv)
        return select_(o, bad, zero, quotient);

    LLVMValueRef rest = LLVMBuildSub(o->b, x, LLVMBuildMul(o->b, quotient, safe, ""), "");
    if (o->op == nir_op_imod) { /* the result has y's sign */
        LLVMValueRef differ =
            LLVMBuildICmp(o->b, LLVMIntSLT, LLVMBuildXor(o->b, rest, y, ""), zero, "");
        LLVMValueRef some = LLVMBuildICmp(o->b, LLVMIntNE, rest, zero, "");
        rest =
            select_(o, LLVMBuildAnd(o->b, differ, some, ""), LLVMBuildAdd(o->b, rest, y, ""), rest);
    }
    if (minus_one)
        bad = LLVMBuildOr(o->b, bad, minus_one, "");
    return select_(o, bad, zero, rest);
}

static LLVMValueRef emit_mul_wide(struct op *o, bool is_signed, unsigned shift)
{
    LLVMTypeRef wide =
        jit_type(o->jb, LLVMIntTypeInContext(o->jb->context, o->src_bits * 2), o->divergent);
    LLVMValueRef x = is_signed ? LLVMBuildSExt(o->b, o->src[0], wide, "")
                               : LLVMBuildZExt(o->b, o->src[0], wide, "");
    LLVMValueRef y = is_signed ? LLVMBuildSExt(o->b, o->src[1], wide, "")
                               : LLVMBuildZExt(o->b, o->src[1], wide, "");
    LLVMValueRef product = LLVMBuildMul(o->b, x, y, "");
    if (!shift)
        return product;
    return LLVMBuildTrunc(o->b, LLVMBuildLShr(o->b, product, const_int(o, wide, shift), ""),
                          o->src_int, "");
}

/* Returns the 32-bit shift count modulo the operand's bit size, as the operand's type. */
static LLVMValueRef shift_count(struct op *o)
{
    LLVMValueRef count = o->src[1];
    LLVMTypeRef t = o->src_int;
    if (LLVMTypeOf(count) != t)
        count = o->src_bits > 32 ? LLVMBuildZExt(o->b, count, t, "")
                                 : LLVMBuildTrunc(o->b, count, t, "");
    return LLVMBuildAnd(o->b, count, const_int(o, t, o->src_bits - 1), "");
}

static LLVMValueRef emit_int_binop(struct op *o)
{
    LLVMTypeRef t = o->src_int;
    LLVMValueRef x = o->src[0], y = o->src[1];
    switch (o->op) {
    case nir_op_iadd:
        return LLVMBuildAdd(o->b, x, y, "");
    case nir_op_isub:
        return LLVMBuildSub(o->b, x, y, "");
    case nir_op_imul:
        return LLVMBuildMul(o->b, x, y, "");
    case nir_op_imul_high:
        return emit_mul_wide(o, true, o->src_bits);
    case nir_op_umul_high:
        return emit_mul_wide(o, false, o->src_bits);
    case nir_op_imul_2x32_64:
        return emit_mul_wide(o, true, 0);
    case nir_op_umul_2x32_64:
        return emit_mul_wide(o, false, 0);
    case nir_op_idiv:
    case nir_op_udiv:
    case nir_op_irem:
    case nir_op_imod:
    case nir_op_umod:
        return emit_division(o);
    case nir_op_iand:
        return LLVMBuildAnd(o->b, x, y, "");
    case nir_op_ior:
        return LLVMBuildOr(o->b, x, y, "");
    case nir_op_ixor:
        return LLVMBuildXor(o->b, x, y, "");
    case nir_op_ishl:
        return LLVMBuildShl(o->b, x, shift_count(o), "");
    case nir_op_ishr:
        return LLVMBuildAShr(o->b, x, shift_count(o), "");
    case nir_op_ushr:
        return LLVMBuildLShr(o->b, x, shift_count(o), "");
    case nir_op_imin:
        return intrinsic(o, "llvm.smin", t, 2, x, y, NULL);
    case nir_op_imax:
        return intrinsic(o, "llvm.smax", t, 2, x, y, NULL);
    case nir_op_umin:
        return intrinsic(o, "llvm.umin", t, 2, x, y, NULL);
    case nir_op_umax:
        return intrinsic(o, "llvm.umax", t, 2, x, y, NULL);
    case nir_op_uadd_sat:
        return intrinsic(o, "llvm.uadd.sat", t, 2, x, y, NULL);
    case nir_op_usub_sat:
        return intrinsic(o, "llvm.usub.sat", t, 2, x, y, NULL);
    case nir_op_iadd_sat:
        return intrinsic(o, "llvm.sadd.sat", t, 2, x, y, NULL);
    case nir_op_isub_sat:
        return intrinsic(o, "llvm.ssub.sat", t, 2, x, y, NULL);
    case nir_op_uadd_carry: {
        LLVMValueRef sum = LLVMBuildAdd(o->b, x, y, "");
        return LLVMBuildZExt(o->b, LLVMBuildICmp(o->b, LLVMIntULT, sum, x, ""), t, "");
    }
    case nir_op_usub_borrow:
        return LLVMBuildZExt(o->b, LLVMBuildICmp(o->b, LLVMIntULT, x, y, ""), t, "");
    default:
        return NULL;
    }
}

/* Returns the index of the highest or lowest set bit, or -1. */
static LLVMValueRef emit_find_bit(struct op *o)
{
    LLVMTypeRef t = o->src_int;
    LLVMValueRef x = o->src[0], i1_false = LLVMConstNull(o->jb->i1);
    if (o->op == nir_op_ifind_msb)
        x = LLVMBuildXor(o->b, x, LLVMBuildAShr(o->b, x, const_int(o, t, o->src_bits - 1), ""), "");
    LLVMValueRef index;
    if (o->op == nir_op_find_lsb) {
        index = intrinsic(o, "llvm.cttz", t, 2, x, i1_false, NULL);
    } else {
        LLVMValueRef count = intrinsic(o, "llvm.ctlz", t, 2, x, i1_false, NULL);
        index = LLVMBuildSub(o->b, const_int(o, t, o->src_bits - 1), count, "");
    }
    LLVMValueRef none = LLVMBuildICmp(o->b, LLVMIntEQ, x, LLVMConstNull(t), "");
    index = select_(o, none, LLVMConstAllOnes(t), index);
    return LLVMBuildIntCast2(o->b, index, o->dst_int, true, "");
}

static LLVMValueRef emit_int_unop(struct op *o)
{
    LLVMTypeRef t = o->src_int;
    LLVMValueRef x = o->src[0];
    switch (o->op) {
    case nir_op_ineg:
        return LLVMBuildNeg(o->b, x, "");
    case nir_op_iabs:
        return intrinsic(o, "llvm.abs", t, 2, x, LLVMConstNull(o->jb->i1), NULL);
    case nir_op_inot:
        return LLVMBuildNot(o->b, x, "");
    case nir_op_srgb_even_2x16:
    case nir_op_srgb_odd_2x16:
        return jit_decode_srgb(o->jb, x, o->op == nir_op_srgb_odd_2x16);
    case nir_op_isign:
        return intrinsic(o, "llvm.smin", t, 2,
                         intrinsic(o, "llvm.smax", t, 2, x, LLVMConstAllOnes(t), NULL),
                         const_int(o, t, 1), NULL);
    case nir_op_bitfield_reverse:
        return intrinsic(o, "llvm.bitreverse", t, 1, x, NULL, NULL);
    case nir_op_bit_count:
        return LLVMBuildIntCast2(o->b, intrinsic(o, "llvm.ctpop", t, 1, x, NULL, NULL), o->dst_int,
                                 false, "");
    case nir_op_uclz:
        return intrinsic(o, "llvm.ctlz", t, 2, x, LLVMConstNull(o->jb->i1), NULL);
    case nir_op_ufind_msb:
    case nir_op_ifind_msb:
    case nir_op_find_lsb:
        return emit_find_bit(o);
    default:
        return NULL;
    }
}

/* Emits extract_u8, _i8, _u16 and _i16. */
static LLVMValueRef emit_extract(struct op *o)
{
    bool is_signed = o->op == nir_op_extract_i8 || o->op == nir_op_extract_i16;
    unsigned bits = o->op == nir_op_extract_u8 || o->op == nir_op_extract_i8 ? 8 : 16;
    LLVMTypeRef t = o->src_int;
    LLVMValueRef index = o->src[1];
    if (LLVMTypeOf(index) != t)
        index = LLVMBuildIntCast2(o->b, index, t, false, "");
    LLVMValueRef amount = LLVMBuildAnd(o->b, LLVMBuildMul(o->b, index, const_int(o, t, bits), ""),
                                       const_int(o, t, o->src_bits - 1), "");
    LLVMValueRef low = LLVMBuildTrunc(o->b, LLVMBuildLShr(o->b, o->src[0], amount, ""),
                                      jit_type(o->jb, jit_int_type(o->jb, bits), o->divergent), "");
    return is_signed ? LLVMBuildSExt(o->b, low, t, "") : LLVMBuildZExt(o->b, low, t, "");
}

static LLVMValueRef low_mask(struct op *o, LLVMValueRef bits)
{
    LLVMTypeRef t = o->src_int;
    return LLVMBuildSub(o->b, LLVMBuildShl(o->b, const_int(o, t, 1), bits, ""), const_int(o, t, 1),
                        "");
}

/* Returns `bits` bits of x starting at `offset`; bits < 32. */
static LLVMValueRef extract_bits(struct op *o, LLVMValueRef x, LLVMValueRef offset,
                                 LLVMValueRef bits, bool is_signed)
{
    LLVMTypeRef t = o->src_int;
    if (!is_signed)
        return LLVMBuildAnd(o->b, LLVMBuildLShr(o->b, x, offset, ""), low_mask(o, bits), "");
    LLVMValueRef size = const_int(o, t, 32), mask31 = const_int(o, t, 31);
    LLVMValueRef rest = LLVMBuildAnd(o->b, LLVMBuildSub(o->b, size, bits, ""), mask31, "");
    LLVMValueRef up = LLVMBuildShl(o->b, LLVMBuildAShr(o->b, x, offset, ""), rest, "");
    LLVMValueRef result = LLVMBuildAShr(o->b, up, rest, "");
    return select_(o, LLVMBuildICmp(o->b, LLVMIntEQ, bits, LLVMConstNull(t), ""), LLVMConstNull(t),
                   result);
}

static LLVMValueRef emit_bitfield(struct op *o)
{
    LLVMTypeRef t = o->src_int;
    LLVMValueRef mask31 = const_int(o, t, 31), size = const_int(o, t, 32);
    switch (o->op) {
    case nir_op_bfm:
        return LLVMBuildShl(o->b, low_mask(o, LLVMBuildAnd(o->b, o->src[0], mask31, "")),
                            LLVMBuildAnd(o->b, o->src[1], mask31, ""), "");
    case nir_op_bfi: {
        LLVMValueRef shift = LLVMBuildAnd(
            o->b, intrinsic(o, "llvm.cttz", t, 2, o->src[0], LLVMConstNull(o->jb->i1), NULL),
            mask31, "");
        LLVMValueRef insert =
            LLVMBuildAnd(o->b, LLVMBuildShl(o->b, o->src[1], shift, ""), o->src[0], "");
        return LLVMBuildOr(
            o->b, insert, LLVMBuildAnd(o->b, o->src[2], LLVMBuildNot(o->b, o->src[0], ""), ""), "");
    }
    case nir_op_ubfe:
    case nir_op_ibfe:
        return extract_bits(o, o->src[0], LLVMBuildAnd(o->b, o->src[1], mask31, ""),
                            LLVMBuildAnd(o->b, o->src[2], mask31, ""), o->op == nir_op_ibfe);
    default:
        break;
    }
    /* GLSL's forms allow 32 bits; the result is 0 if the range isn't inside the word. */
    bool insert = o->op == nir_op_bitfield_insert;
    LLVMValueRef offset = o->src[insert ? 2 : 1], bits = o->src[insert ? 3 : 2];
    LLVMValueRef end = LLVMBuildAdd(o->b, offset, bits, "");
    LLVMValueRef valid =
        LLVMBuildAnd(o->b, LLVMBuildICmp(o->b, LLVMIntULE, offset, size, ""),
                     LLVMBuildAnd(o->b, LLVMBuildICmp(o->b, LLVMIntULE, bits, size, ""),
                                  LLVMBuildICmp(o->b, LLVMIntULE, end, size, ""), ""),
                     "");
    LLVMValueRef whole = LLVMBuildICmp(o->b, LLVMIntEQ, bits, size, "");
    LLVMValueRef shift = LLVMBuildAnd(o->b, offset, mask31, "");
    LLVMValueRef few = LLVMBuildAnd(o->b, bits, mask31, ""), result;
    if (insert) {
        LLVMValueRef mask = LLVMBuildShl(o->b, low_mask(o, few), shift, "");
        mask = select_(o, whole, LLVMConstAllOnes(t), mask);
        LLVMValueRef value = LLVMBuildAnd(o->b, LLVMBuildShl(o->b, o->src[1], shift, ""), mask, "");
        result = LLVMBuildOr(o->b, value,
                             LLVMBuildAnd(o->b, o->src[0], LLVMBuildNot(o->b, mask, ""), ""), "");
    } else {
        result = extract_bits(o, o->src[0], shift, few, o->op == nir_op_ibitfield_extract);
        result = select_(o, whole, o->src[0], result);
    }
    return select_(o, valid, result, LLVMConstNull(t));
}

/* --- conversions --- */

/* Converts floats to integers, truncating or, if `round`, rounding to nearest even. NaN and numbers
 * out of range give -2^31, as on x86. */
static LLVMValueRef convert_in_range(struct op *o, LLVMValueRef x, bool round)
{
    static const char *const names[2][3] = {{"llvm.x86.sse2.cvttps2dq",
                                             "llvm.x86.avx.cvtt.ps2dq.256",
                                             "llvm.x86.avx512.mask.cvttps2dq.512"},
                                            {"llvm.x86.sse2.cvtps2dq", "llvm.x86.avx.cvt.ps2dq.256",
                                             "llvm.x86.avx512.mask.cvtps2dq.512"}};
    LLVMTypeRef t = o->dst_int;
    if (fills_registers(o)) {
        LLVMTypeRef bits = LLVMIntTypeInContext(o->jb->context, 16);
        LLVMValueRef args[4] = {x, LLVMConstNull(t), LLVMConstAllOnes(bits)};
        return by_width(o, names[round], args, o->jb->engine->register_lanes == 16 ? 3 : 1);
    }
    if (round)
        x = intrinsic(o, "llvm.rint", o->src_float, 1, x, NULL, NULL);
    LLVMValueRef low =
        LLVMBuildFCmp(o->b, LLVMRealOGE, x, const_float(o, o->src_float, -0x1p31), "");
    LLVMValueRef high =
        LLVMBuildFCmp(o->b, LLVMRealOLT, x, const_float(o, o->src_float, 0x1p31), "");
    return select_(o, LLVMBuildAnd(o->b, low, high, ""), LLVMBuildFPToSI(o->b, x, t, ""),
                   const_int(o, t, 0x80000000));
}

/* Converts with saturation; NaN gives 0. Doesn't use llvm.fptosi.sat, which LLVM expands to scalar
 * code for vectors. */
static LLVMValueRef float_to_int(struct op *o, bool is_signed)
{
    LLVMValueRef x = as_float(o, 0);
    LLVMTypeRef t = o->dst_int;
    double limit = ldexp(1.0, (int)o->dst_bits - is_signed);
    uint64_t max = ~0ull >> (64 - o->dst_bits + is_signed);
    bool sets_low = is_signed && o->dst_bits == 32 && fills_registers(o);
    LLVMValueRef value = sets_low    ? convert_in_range(o, x, false)
                         : is_signed ? LLVMBuildFPToSI(o->b, x, t, "")
                                     : LLVMBuildFPToUI(o->b, x, t, "");
    LLVMValueRef high =
        LLVMBuildFCmp(o->b, LLVMRealOGE, x, const_float(o, o->src_float, limit), "");
    value = select_(o, high, const_int(o, t, max), value);
    if (!is_signed) {
        LLVMValueRef positive =
            LLVMBuildFCmp(o->b, LLVMRealOGT, x, LLVMConstNull(o->src_float), "");
        return select_(o, positive, value, LLVMConstNull(t));
    }
    LLVMValueRef low =
        LLVMBuildFCmp(o->b, LLVMRealOLT, x, const_float(o, o->src_float, -limit), "");
    if (!sets_low)
        value = select_(o, low, const_int(o, t, max + 1), value);
    LLVMValueRef ordered = LLVMBuildFCmp(o->b, LLVMRealORD, x, x, "");
    return select_(o, ordered, value, LLVMConstNull(t));
}

static LLVMValueRef emit_conversion(struct op *o)
{
    LLVMValueRef x = o->src[0];
    switch (o->op) {
    case nir_op_f2f16:
    case nir_op_f2f16_rtne:
        if (o->src_bits == 32)
            return jit_floats_to_halves(o->jb, as_float(o, 0));
        return from_float(o, LLVMBuildFPCast(o->b, as_float(o, 0), o->dst_float, ""));
    case nir_op_f2f32:
        if (o->src_bits == 16)
            return from_float(o, jit_halves_to_floats(o->jb, x));
        return from_float(o, LLVMBuildFPCast(o->b, as_float(o, 0), o->dst_float, ""));
    case nir_op_f2f64:
        return from_float(o, LLVMBuildFPCast(o->b, as_float(o, 0), o->dst_float, ""));
    case nir_op_f2i8:
    case nir_op_f2i16:
    case nir_op_f2i32:
    case nir_op_f2i64:
        return float_to_int(o, true);
    case nir_op_f2i32_in_range:
    case nir_op_f2i32_rtne_in_range:
        return convert_in_range(o, as_float(o, 0), o->op == nir_op_f2i32_rtne_in_range);
    case nir_op_f2u8:
    case nir_op_f2u16:
    case nir_op_f2u32:
    case nir_op_f2u64:
        return float_to_int(o, false);
    case nir_op_i2f16:
    case nir_op_i2f32:
    case nir_op_i2f64:
        return from_float(o, LLVMBuildSIToFP(o->b, x, o->dst_float, ""));
    case nir_op_u2f16:
    case nir_op_u2f32:
    case nir_op_u2f64:
        return from_float(o, LLVMBuildUIToFP(o->b, x, o->dst_float, ""));
    case nir_op_i2i8:
    case nir_op_i2i16:
    case nir_op_i2i32:
    case nir_op_i2i64:
    case nir_op_b2b32:
        return LLVMBuildIntCast2(o->b, x, o->dst_int, true, "");
    case nir_op_u2u8:
    case nir_op_u2u16:
    case nir_op_u2u32:
    case nir_op_u2u64:
    case nir_op_b2i8:
    case nir_op_b2i16:
    case nir_op_b2i32:
    case nir_op_b2i64:
        return LLVMBuildIntCast2(o->b, x, o->dst_int, false, "");
    case nir_op_b2f16:
    case nir_op_b2f32:
    case nir_op_b2f64:
        return from_float(
            o, select_(o, x, const_float(o, o->dst_float, 1.0), LLVMConstNull(o->dst_float)));
    case nir_op_b2b1:
        return LLVMBuildICmp(o->b, LLVMIntNE, x, LLVMConstNull(o->src_int), "");
    default:
        return NULL;
    }
}

/* --- packing, instructions with three sources, quads --- */

/* Emits pmulhrsw if x86 has it for that vector length. */
LLVMValueRef jit_multiply_halves(struct jit_builder *jb, LLVMValueRef x, LLVMValueRef y)
{
    LLVMBuilderRef b = jb->b;
    LLVMTypeRef halves = LLVMTypeOf(x);
    unsigned count = LLVMGetVectorSize(halves);
#if defined(__x86_64__)
    const char *name = count == 32   ? "llvm.x86.avx512.pmul.hr.sw.512"
                       : count == 16 ? "llvm.x86.avx2.pmul.hr.sw"
                                     : "llvm.x86.ssse3.pmul.hr.sw.128";
    if (count >= 8 && count <= 2 * jb->engine->register_lanes)
        return jit_call(jb, name, NULL, 0, (LLVMValueRef[]){x, y}, 2);
#endif
    LLVMTypeRef words = LLVMVectorType(jb->i32, count);
    LLVMValueRef product =
        LLVMBuildMul(b, LLVMBuildSExt(b, x, words, ""), LLVMBuildSExt(b, y, words, ""), "");
    product = LLVMBuildAdd(b, product, jit_const_int(jb, words, 0x4000), "");
    product = LLVMBuildAShr(b, product, jit_const_int(jb, words, 15), "");
    return LLVMBuildTrunc(b, product, halves, "");
}

static LLVMValueRef emit_lerp_halves(struct op *o)
{
    unsigned count = o->divergent ? 2 * o->jb->lanes : 2;
    LLVMTypeRef type = LLVMVectorType(o->jb->i16, count);
    LLVMValueRef src[3];
    for (unsigned i = 0; i < 3; i++)
        src[i] = LLVMBuildBitCast(o->b, o->src[i], type, "");
    LLVMValueRef difference = LLVMBuildSub(o->b, src[1], src[0], "");
    LLVMValueRef sum =
        LLVMBuildAdd(o->b, src[0], jit_multiply_halves(o->jb, difference, src[2]), "");
    return LLVMBuildBitCast(o->b, sum, o->dst_int, "");
}

static LLVMValueRef emit_halves(struct op *o)
{
    LLVMTypeRef type = LLVMVectorType(o->jb->i16, o->divergent ? 2 * o->jb->lanes : 2);
    LLVMValueRef x = LLVMBuildBitCast(o->b, o->src[0], type, "");
    LLVMValueRef y = LLVMBuildBitCast(o->b, o->src[1], type, "");
    LLVMValueRef result = o->op == nir_op_iadd_2x16
                              ? LLVMBuildAdd(o->b, x, y, "")
                              : intrinsic(o, "llvm.umin", type, 2, x, y, NULL);
    return LLVMBuildBitCast(o->b, result, o->dst_int, "");
}

static LLVMValueRef half_of(struct op *o, LLVMValueRef value)
{
    return LLVMBuildZExt(o->b, jit_floats_to_halves(o->jb, value), o->dst_int, "");
}

static LLVMValueRef emit_packing(struct op *o)
{
    LLVMBuilderRef b = o->b;
    switch (o->op) {
    case nir_op_pack_half_2x16_split:
        return LLVMBuildOr(
            b, half_of(o, as_float(o, 0)),
            LLVMBuildShl(b, half_of(o, as_float(o, 1)), const_int(o, o->dst_int, 16), ""), "");
    case nir_op_unpack_half_2x16_split_x:
    case nir_op_unpack_half_2x16_split_y: {
        LLVMValueRef x = o->src[0];
        if (o->op == nir_op_unpack_half_2x16_split_y)
            x = LLVMBuildLShr(b, x, const_int(o, o->src_int, 16), "");
        x = LLVMBuildTrunc(b, x, jit_type(o->jb, o->jb->i16, o->divergent), "");
        return from_float(o, jit_halves_to_floats(o->jb, x));
    }
    case nir_op_pack_64_2x32_split:
    case nir_op_pack_32_2x16_split:
        return LLVMBuildOr(b, LLVMBuildZExt(b, o->src[0], o->dst_int, ""),
                           LLVMBuildShl(b, LLVMBuildZExt(b, o->src[1], o->dst_int, ""),
                                        const_int(o, o->dst_int, o->src_bits), ""),
                           "");
    case nir_op_unpack_64_2x32_split_x:
        return LLVMBuildTrunc(b, o->src[0], o->dst_int, "");
    case nir_op_unpack_64_2x32_split_y:
        return LLVMBuildTrunc(b, LLVMBuildLShr(b, o->src[0], const_int(o, o->src_int, 32), ""),
                              o->dst_int, "");
    default:
        return NULL;
    }
}

/* Emits derivatives: differences in the quad. fddx and fddy are fine: one per row or column. */
static LLVMValueRef emit_derivative(struct op *o)
{
    static const unsigned low[4][4] = {{0, 0, 0, 0}, {0, 0, 2, 2}, {0, 0, 0, 0}, {0, 1, 0, 1}};
    static const unsigned high[4][4] = {{1, 1, 1, 1}, {1, 1, 3, 3}, {2, 2, 2, 2}, {2, 3, 2, 3}};
    if (!o->divergent)
        return LLVMConstNull(o->dst_float);
    bool y = o->op == nir_op_fddy || o->op == nir_op_fddy_fine || o->op == nir_op_fddy_coarse;
    bool fine = o->op != nir_op_fddx_coarse && o->op != nir_op_fddy_coarse;
    LLVMValueRef x = as_float(o, 0);
    unsigned kind = y * 2 + fine;
    return LLVMBuildFSub(o->b, jit_quad_shuffle(o->jb, x, high[kind]),
                         jit_quad_shuffle(o->jb, x, low[kind]), "");
}

/* Emits bcsel. After a comparison of floats it selects floats, so that LLVM can emit one
 * instruction for a minimum or maximum. */
static LLVMValueRef emit_choice(struct op *o)
{
    if (o->dst_bits < 32 || !LLVMIsAFCmpInst(o->src[0]))
        return select_(o, o->src[0], o->src[1], o->src[2]);
    LLVMValueRef choice[2];
    for (unsigned i = 0; i < 2; i++)
        choice[i] = LLVMBuildBitCast(o->b, o->src[i + 1], o->dst_float, "");
    return from_float(o, select_float(o, o->src[0], choice[0], choice[1]));
}

/* Emits share_2x16: the low byte becomes the high byte of both 16-bit halves, shifted right by 1.
 * On vectors this is a byte permutation. */
static LLVMValueRef emit_share(struct op *o)
{
    if (!o->divergent || o->jb->lanes < 8) {
        LLVMValueRef both[2],
            high = LLVMBuildShl(o->b, o->src[0], const_int(o, o->dst_int, 24), "");
        for (unsigned i = 0; i < 2; i++)
            both[i] = LLVMBuildLShr(o->b, high, const_int(o, o->dst_int, 1 + 16 * i), "");
        return LLVMBuildOr(o->b, both[0], both[1], "");
    }
    LLVMTypeRef i8 = LLVMInt8TypeInContext(o->jb->context);
    const unsigned count = 4 * o->jb->lanes;
    LLVMValueRef bytes = LLVMBuildBitCast(o->b, o->src[0], LLVMVectorType(i8, count), "");
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(bytes)), from[4 * 16];
    for (unsigned i = 0; i < count; i++)
        from[i] = jit_const_int(o->jb, o->jb->i32, i & 1 ? i & ~3u : count);
    LLVMValueRef both = LLVMBuildShuffleVector(o->b, bytes, zero, LLVMConstVector(from, count), "");
    LLVMTypeRef halves = LLVMVectorType(o->jb->i16, count / 2);
    both = LLVMBuildBitCast(o->b, both, halves, "");
    both = LLVMBuildLShr(o->b, both, const_int(o, halves, 1), "");
    return LLVMBuildBitCast(o->b, both, o->dst_int, "");
}

/* Tells LLVM that the conditional branch is rarely taken. */
static void mark_unlikely(struct jit_builder *jb, LLVMValueRef branch)
{
    LLVMContextRef context = jb->context;
    LLVMMetadataRef weights[3] = {
        LLVMMDStringInContext2(context, "branch_weights", 14),
        LLVMValueAsMetadata(LLVMConstInt(jb->i32, 1, false)),
        LLVMValueAsMetadata(LLVMConstInt(jb->i32, 1 << 20, false)),
    };
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context, "prof", 4),
                    LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, weights, 3)));
}

/* Emits a function that calls the helper and preserves all registers. The rare calls then don't
 * make LLVM spill registers around them. */
static LLVMValueRef emit_preserving(struct jit_builder *jb, const char *name, LLVMTypeRef type,
                                    const char *helper_name)
{
    LLVMValueRef helper = LLVMAddFunction(jb->module, helper_name, type), args[3];
    LLVMValueRef function = LLVMAddFunction(jb->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(function, LLVMPreserveAllCallConv);
    jit_add_nounwind(jb->context, function);
    jit_add_nounwind(jb->context, helper);
#if defined(__x86_64__)
    /* LLVM clears the upper halves of registers at the end of a function, restored or not. */
    const char *old = jb->engine->features;
    const char *features = talloc_asprintf(jb->mem_ctx, "%s%s-vzeroupper", old, *old ? "," : "");
    if (features)
        jit_add_attribute(jb->context, function, "target-features", features);
    else
        jb->failed = true;
#endif
    LLVMBasicBlockRef here = LLVMGetInsertBlock(jb->b);
    LLVMPositionBuilderAtEnd(jb->b, LLVMAppendBasicBlockInContext(jb->context, function, ""));
    LLVMGetParams(function, args);
    LLVMBuildCall2(jb->b, type, helper, args, 3, "");
    LLVMBuildRetVoid(jb->b);
    LLVMPositionBuilderAtEnd(jb->b, here);
    return function;
}

/* Returns the address of element `index` of jb->angles[array], which holds elements of `type`, a
 * vector or a scalar. */
static LLVMValueRef angle_slot(struct jit_builder *jb, LLVMTypeRef type, unsigned array,
                               unsigned index)
{
    if (!jb->angles[array])
        jb->angles[array] =
            jit_alloca(jb, LLVMArrayType2(jit_type(jb, jb->f32, true), JIT_MAX_ANGLES));
    LLVMValueRef at = jit_const_int(jb, jb->i32, index);
    return LLVMBuildGEP2(jb->b, type, jb->angles[array], &at, 1, "");
}

/* Emits one call of the helper for `op` (freduce_sin or freduce_cos) for all angles with this op,
 * and sets their results. Emits nothing if there are none. */
static void call_reduction(struct jit_builder *jb, nir_op op, const nir_op *ops,
                           const LLVMValueRef *angles, const LLVMValueRef *small,
                           LLVMValueRef *results, unsigned num)
{
    LLVMTypeRef element = LLVMTypeOf(angles[0]);
    const unsigned lanes = jit_is_vector(angles[0]) ? jb->lanes : 1;
    unsigned count = 0;
    for (unsigned i = 0; i < num; i++) {
        if (ops[i] != op)
            continue;
        LLVMBuildStore(jb->b, angles[i], angle_slot(jb, element, 0, count));
        LLVMBuildStore(jb->b, small[i], angle_slot(jb, element, 1, count++));
    }
    if (!count)
        return;
    LLVMTypeRef params[3] = {jb->ptr, jb->ptr, jb->i32};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(jb->context), params, 3, false);
    const bool sine = op == nir_op_freduce_sin;
    const char *name = sine ? "reduce_sines" : "reduce_cosines";
    LLVMValueRef function = LLVMGetNamedFunction(jb->module, name);
    if (!function)
        function = emit_preserving(jb, name, type, sine ? JIT_REDUCE_SINES : JIT_REDUCE_COSINES);
    LLVMValueRef args[3] = {angle_slot(jb, element, 0, 0), angle_slot(jb, element, 1, 0),
                            jit_const_int(jb, jb->i32, count * lanes)};
    LLVMValueRef call = LLVMBuildCall2(jb->b, type, function, args, 3, "");
    LLVMSetInstructionCallConv(call, LLVMPreserveAllCallConv);
    count = 0;
    for (unsigned i = 0; i < num; i++)
        if (ops[i] == op)
            results[i] = LLVMBuildLoad2(jb->b, element, angle_slot(jb, element, 1, count++), "");
}

/* Returns an i1: whether one of the angles is large, in any lane, active or not. */
static LLVMValueRef any_is_large(struct jit_builder *jb, const LLVMValueRef *angles, unsigned count)
{
    LLVMTypeRef type = LLVMTypeOf(angles[0]);
    const bool divergent = jit_is_vector(angles[0]);
    LLVMValueRef limit = LLVMConstReal(jb->f32, NIR_MATH_LARGE_ANGLE), any = NULL;
    if (divergent)
        limit = jit_splat(limit, jb->lanes);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef angle = angles[i];
        LLVMValueRef magnitude = jit_call(jb, "llvm.fabs", &type, 1, &angle, 1);
        LLVMValueRef large = LLVMBuildFCmp(jb->b, LLVMRealOGE, magnitude, limit, "");
        any = any ? LLVMBuildOr(jb->b, any, large, "") : large;
    }
    return divergent ? jit_any(jb, any) : any;
}

/* Emits results[i] = a reduction of angles[i] if any of them is large, else small[i]. */
static void emit_reductions(struct jit_builder *jb, const nir_op *ops, const LLVMValueRef *angles,
                            const LLVMValueRef *small, LLVMValueRef *results, unsigned count)
{
    LLVMBasicBlockRef block[3] = {LLVMGetInsertBlock(jb->b)};
    for (unsigned i = 1; i < 3; i++)
        block[i] = LLVMAppendBasicBlockInContext(jb->context, jb->function, "");
    LLVMValueRef any = any_is_large(jb, angles, count), reduced[JIT_MAX_ANGLES];
    mark_unlikely(jb, LLVMBuildCondBr(jb->b, any, block[1], block[2]));
    LLVMPositionBuilderAtEnd(jb->b, block[1]);
    call_reduction(jb, nir_op_freduce_sin, ops, angles, small, reduced, count);
    call_reduction(jb, nir_op_freduce_cos, ops, angles, small, reduced, count);
    LLVMBuildBr(jb->b, block[2]);
    LLVMPositionBuilderAtEnd(jb->b, block[2]);
    for (unsigned i = 0; i < count; i++) {
        results[i] = LLVMBuildPhi(jb->b, LLVMTypeOf(angles[i]), "");
        LLVMAddIncoming(results[i], (LLVMValueRef[]){small[i], reduced[i]}, block, 2);
    }
}

static nir_instr *next_instr(nir_instr *instr)
{
    struct list_head *next = instr->node.next;
    return next == &instr->block->instr_list ? NULL : list_entry(next, nir_instr, node);
}

nir_instr *jit_emit_angles(struct jit_builder *jb, nir_instr *first)
{
    const bool divergent = nir_instr_as_alu(first)->def.divergent;
    LLVMTypeRef type = jit_type(jb, jb->f32, divergent), bits = jit_type(jb, jb->i32, divergent);
    LLVMValueRef source[2][JIT_MAX_ANGLES], results[JIT_MAX_ANGLES];
    nir_op ops[JIT_MAX_ANGLES];
    unsigned indices[JIT_MAX_ANGLES], count = 0;
    nir_instr *last = first;

    assert(jit_is_angle_reduction(first));
    for (nir_instr *instr = first; instr && jit_is_angle_reduction(instr) && count < JIT_MAX_ANGLES;
         instr = next_instr(instr)) {
        nir_alu_instr *alu = nir_instr_as_alu(instr);
        if (alu->def.divergent != divergent || !jb->defs[alu->src[0].src.ssa->index] ||
            !jb->defs[alu->src[1].src.ssa->index])
            break;
        assert(alu->def.num_components == 1);
        for (unsigned i = 0; i < 2; i++) {
            LLVMValueRef value =
                jit_src(jb, &alu->src[i].src, nir_alu_src_comp(&alu->src[i], 0), divergent);
            source[i][count] = LLVMBuildBitCast(jb->b, value, type, "");
        }
        ops[count] = alu->op;
        indices[count++] = alu->def.index;
        last = instr;
    }
    emit_reductions(jb, ops, source[0], source[1], results, count);
    for (unsigned i = 0; i < count; i++) {
        jb->defs[indices[i]] = talloc_array(jb->mem_ctx, LLVMValueRef, 1);
        jb->defs[indices[i]][0] = LLVMBuildBitCast(jb->b, results[i], bits, "");
    }
    return last;
}

static LLVMValueRef emit_other(struct op *o)
{
    switch (o->op) {
    case nir_op_mov:
        return o->src[0];
    case nir_op_bcsel:
        return emit_choice(o);
    case nir_op_ffma:
        return from_float(o, intrinsic(o, "llvm.fma", o->src_float, 3, as_float(o, 0),
                                       as_float(o, 1), as_float(o, 2)));
    case nir_op_lerp_2x16:
        return emit_lerp_halves(o);
    case nir_op_iadd_2x16:
    case nir_op_umin_2x16:
        return emit_halves(o);
    case nir_op_share_2x16:
        return emit_share(o);
    case nir_op_extract_u8:
    case nir_op_extract_i8:
    case nir_op_extract_u16:
    case nir_op_extract_i16:
        return emit_extract(o);
    case nir_op_bfm:
    case nir_op_bfi:
    case nir_op_ubfe:
    case nir_op_ibfe:
    case nir_op_ubitfield_extract:
    case nir_op_ibitfield_extract:
    case nir_op_bitfield_insert:
        return emit_bitfield(o);
    case nir_op_fddx:
    case nir_op_fddy:
    case nir_op_fddx_fine:
    case nir_op_fddy_fine:
    case nir_op_fddx_coarse:
    case nir_op_fddy_coarse:
        return from_float(o, emit_derivative(o));
    default:
        return emit_packing(o);
    }
}

static LLVMValueRef emit_component(struct op *o)
{
    const nir_op_info *info = &nir_op_infos[o->op];
    nir_alu_type in = nir_alu_type_get_base_type(info->input_types[0]);
    nir_alu_type out = nir_alu_type_get_base_type(info->output_type);
    LLVMValueRef value = NULL;
    if (info->is_conversion)
        return emit_conversion(o);
    if (info->num_inputs == 2 && info->output_type == nir_type_bool1)
        return emit_compare(o);
    if (in == nir_type_float && out == nir_type_float && info->num_inputs <= 2) {
        value = info->num_inputs == 1 ? emit_float_unop(o) : emit_float_binop(o);
        if (value)
            return from_float(o, value);
    } else if (info->num_inputs <= 2) {
        value = info->num_inputs == 1 ? emit_int_unop(o) : emit_int_binop(o);
    }
    return value ? value : emit_other(o);
}

static void emit_vec(struct jit_builder *jb, nir_alu_instr *alu, LLVMValueRef *values)
{
    for (unsigned c = 0; c < alu->def.num_components; c++)
        values[c] =
            jit_src(jb, &alu->src[c].src, nir_alu_src_comp(&alu->src[c], 0), alu->def.divergent);
}

void jit_emit_alu(struct jit_builder *jb, nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    LLVMValueRef *values = talloc_array(jb->mem_ctx, LLVMValueRef, alu->def.num_components);
    jb->defs[alu->def.index] = values;
    if (nir_op_is_vec(alu->op)) {
        emit_vec(jb, alu, values);
        return;
    }
    if (info->output_size != 0 || info->num_inputs > 4) {
        jb->failed = true; /* horizontal operations are lowered */
        return;
    }
    bool div = alu->def.divergent;
    struct op o = {.jb = jb,
                   .b = jb->b,
                   .alu = alu,
                   .op = alu->op,
                   .divergent = div,
                   .src_bits = nir_src_bit_size(alu->src[0].src),
                   .dst_bits = alu->def.bit_size};
    if (info->num_inputs > 1 && alu->op == nir_op_bcsel)
        o.src_bits = nir_src_bit_size(alu->src[1].src);
    o.src_int = jit_type(jb, jit_int_type(jb, o.src_bits), div);
    o.src_float = jit_type(jb, jit_float_type(jb, o.src_bits), div);
    o.dst_int = jit_type(jb, jit_int_type(jb, o.dst_bits), div);
    o.dst_float = jit_type(jb, jit_float_type(jb, o.dst_bits), div);
    for (unsigned c = 0; c < alu->def.num_components; c++) {
        o.component = c;
        for (unsigned i = 0; i < info->num_inputs; i++)
            o.src[i] = jit_src(jb, &alu->src[i].src, nir_alu_src_comp(&alu->src[i], c), div);
        values[c] = emit_component(&o);
        if (!values[c]) {
            jb->failed = true;
            return;
        }
    }
}
