/* SPDX-License-Identifier: MIT */
/*
 * Baseline code generator for NEON (Advanced SIMD of AArch64): 4 lanes. The condition is a vector
 * whose elements have all bits set or none. Gathers, scatters and masked stores access memory lane
 * by lane. For operations without a row in `rows`, the interpreter is called.
 */
#include "jit/jit_baseline_a64.h"

enum {
    CONDITION = 4, /* vector register of the condition */
    /* Within an operation: MEMORY holds an operand from memory, the others intermediate results. */
    MEMORY,
    SCRATCH,
    SCRATCH_2,
};

/* --- vector operations --- */

/* How an operation is encoded. `op` is the last instruction. */
struct row {
    enum {
        MISSING,
        BINARY,  /* op reg, v, rm */
        UNARY,   /* op reg, rm */
        SHIFT,   /* op reg, rm, immediate */
        SPECIAL, /* a function of specials */
    } form;
    uint16_t op;   /* enum a64_op */
    uint8_t bytes; /* size of a memory operand; 0: 16 */
};

/* Operands of an operation: registers, and the immediate. rm is in a register already. */
struct operands {
    int32_t reg, v, rm, immediate;
};

static const struct row rows[VOP_COUNT] = {
    [VOP_MOVE] = {SPECIAL},
    [VOP_BROADCAST] = {SPECIAL, .bytes = 4},
    [VOP_BROADCAST_LONG] = {SPECIAL, .bytes = 8},
    [VOP_FADD] = {BINARY, A64_FADD_4S},
    [VOP_FSUB] = {BINARY, A64_FSUB_4S},
    [VOP_FMUL] = {BINARY, A64_FMUL_4S},
    [VOP_FDIV] = {BINARY, A64_FDIV_4S},
    [VOP_FMIN] = {SPECIAL},
    [VOP_FMAX] = {SPECIAL},
    [VOP_FMA] = {SPECIAL, A64_FMLA_4S},
    [VOP_FSQRT] = {UNARY, A64_FSQRT_4S},
    [VOP_TRUNC] = {UNARY, A64_FRINTZ_4S},
    [VOP_FLOOR] = {UNARY, A64_FRINTM_4S},
    [VOP_CEIL] = {UNARY, A64_FRINTP_4S},
    [VOP_ROUND_EVEN] = {UNARY, A64_FRINTN_4S},
    [VOP_INT_TO_FLOAT] = {UNARY, A64_SCVTF_4S},
    [VOP_FLOAT_TO_INT] = {SPECIAL, A64_FCVTZS_4S},
    [VOP_ROUND_TO_INT] = {SPECIAL, A64_FCVTNS_4S},
    [VOP_FADD_LONG] = {BINARY, A64_FADD_2D},
    [VOP_FSUB_LONG] = {BINARY, A64_FSUB_2D},
    [VOP_FMUL_LONG] = {BINARY, A64_FMUL_2D},
    [VOP_FDIV_LONG] = {BINARY, A64_FDIV_2D},
    [VOP_FMA_LONG] = {SPECIAL, A64_FMLA_2D},
    [VOP_TRUNC_LONG] = {UNARY, A64_FRINTZ_2D},
    [VOP_INT_TO_LONG_FLOAT] = {SPECIAL, .bytes = 8},
    [VOP_NARROW_FLOAT] = {UNARY, A64_FCVTN_2D},
    [VOP_WIDEN_FLOAT] = {UNARY, A64_FCVTL_2D, 8},
    [VOP_WIDEN_HALF_FLOAT] = {UNARY, A64_FCVTL_4S, 8},
    [VOP_ADD] = {BINARY, A64_ADD_4S},
    [VOP_SUB] = {BINARY, A64_SUB_4S},
    [VOP_MUL] = {BINARY, A64_MUL_4S},
    [VOP_AND] = {BINARY, A64_AND_16B},
    [VOP_OR] = {BINARY, A64_ORR_16B},
    [VOP_XOR] = {BINARY, A64_EOR_16B},
    [VOP_SMIN] = {BINARY, A64_SMIN_4S},
    [VOP_SMAX] = {BINARY, A64_SMAX_4S},
    [VOP_UMIN] = {BINARY, A64_UMIN_4S},
    [VOP_UMAX] = {BINARY, A64_UMAX_4S},
    [VOP_ABS] = {UNARY, A64_ABS_4S},
    [VOP_ADD_LONG] = {BINARY, A64_ADD_2D},
    [VOP_SUB_LONG] = {BINARY, A64_SUB_2D},
    [VOP_AND_LONG] = {BINARY, A64_AND_16B},
    [VOP_OR_LONG] = {BINARY, A64_ORR_16B},
    [VOP_XOR_LONG] = {BINARY, A64_EOR_16B},
    [VOP_MUL_SIGNED] = {SPECIAL, A64_SMULL_2D},
    [VOP_MUL_UNSIGNED] = {SPECIAL, A64_UMULL_2D},
    [VOP_ADD_HALVES] = {BINARY, A64_ADD_8H},
    [VOP_SUB_HALVES] = {BINARY, A64_SUB_8H},
    [VOP_MUL_HALVES] = {BINARY, A64_MUL_8H},
    [VOP_UMIN_HALVES] = {BINARY, A64_UMIN_8H},
    [VOP_MUL_ROUND_HALVES] = {SPECIAL},
    [VOP_ADD_SATURATED_BYTES] = {BINARY, A64_UQADD_16B},
    [VOP_SHIFT_LEFT] = {SHIFT, A64_SHL_4S},
    [VOP_SHIFT_RIGHT] = {SHIFT, A64_USHR_4S},
    [VOP_SHIFT_SIGNED] = {SHIFT, A64_SSHR_4S},
    [VOP_SHIFT_LEFT_LONG] = {SHIFT, A64_SHL_2D},
    [VOP_SHIFT_RIGHT_LONG] = {SHIFT, A64_USHR_2D},
    [VOP_SHIFT_SIGNED_LONG] = {SHIFT, A64_SSHR_2D},
    [VOP_SHIFT_LEFT_HALVES] = {SHIFT, A64_SHL_8H},
    [VOP_SHIFT_RIGHT_HALVES] = {SHIFT, A64_USHR_8H},
    [VOP_SHIFT_LEFT_EACH] = {BINARY, A64_USHL_4S},
    [VOP_SHIFT_RIGHT_EACH] = {SPECIAL, A64_USHL_4S},
    [VOP_SHIFT_SIGNED_EACH] = {SPECIAL, A64_SSHL_4S},
    [VOP_WIDEN_BYTES] = {SPECIAL, .bytes = 4},
    [VOP_WIDEN_HALVES] = {SPECIAL, .bytes = 8},
    [VOP_WIDEN_WORDS] = {SPECIAL, A64_USHLL_2D, 8},
    [VOP_WIDEN_SIGNED] = {SPECIAL, A64_SSHLL_2D, 8},
    [VOP_PACK_WORDS] = {SPECIAL},
    [VOP_PACK_HALVES] = {SPECIAL},
    [VOP_SHUFFLE_BYTES] = {SPECIAL},
    [VOP_PERMUTE] = {SPECIAL},
    [VOP_PERMUTE_FOUR] = {SPECIAL},
    [VOP_INSERT_HALF] = {BINARY, A64_ZIP1_2D},
};

/* Emits reg = from. */
static void move(struct baseline *q, int32_t reg, int32_t from)
{
    if (reg != from)
        A64_EMIT(q, ORR_16B, reg, from, from);
}

/* Loads or stores a vector register, or its first `bytes` bytes: 4, 8 or 16. */
static void access_memory(struct baseline *q, bool store, unsigned bytes, int32_t reg,
                          struct code_operand at)
{
    const struct a64_address a =
        baseline_a64_address(q, baseline_a64_register(at.reg), at.disp, (int32_t)bytes);
    const enum a64_op op = bytes == 4   ? (store ? A64_STR_VS : A64_LDR_VS)
                           : bytes == 8 ? (store ? A64_STR_VD : A64_LDR_VD)
                                        : (store ? A64_STR_VQ : A64_LDR_VQ);
    baseline_a64_emit(q, op, (const int32_t[]){reg, a.base, a.offset});
}

static void load_pool(struct baseline *q, int32_t reg, struct code_operand constant)
{
    access_memory(q, false, 16, reg, constant);
}

/* Returns the register of an operand; loads it to `scratch` first if it is in memory. */
static int32_t in_register(struct baseline *q, struct code_operand operand, unsigned bytes,
                           int32_t scratch)
{
    if (operand.kind == CODE_REG)
        return operand.reg;
    access_memory(q, false, bytes, scratch, operand);
    return scratch;
}

/* --- operations of several instructions --- */

/* Emits the minimum or the maximum as x86 does: rm if either is NaN or both are zeros. */
static void least(struct baseline *q, int32_t less, int32_t greater, const struct operands *o)
{
    A64_EMIT(q, FCMGT_4S, SCRATCH, greater, less);
    A64_EMIT(q, BSL_16B, SCRATCH, o->v, o->rm);
    move(q, o->reg, SCRATCH);
}

/* The instructions saturate, and convert NaN to 0. The operations return 0x80000000 for NaN and for
 * numbers that are too large. */
static void convert(struct baseline *q, enum a64_op op, const struct operands *o)
{
    load_pool(q, SCRATCH, baseline_constant(q, 0x4f000000)); /* 2147483648.0 */
    A64_EMIT(q, FCMGT_4S, SCRATCH, SCRATCH, o->rm);
    baseline_a64_emit(q, op, (const int32_t[]){SCRATCH_2, o->rm});
    load_pool(q, MEMORY, baseline_constant(q, 0x80000000));
    A64_EMIT(q, BSL_16B, SCRATCH, SCRATCH_2, MEMORY);
    move(q, o->reg, SCRATCH);
}

/* SQRDMULH differs for the product of two -32768, which it saturates. */
static void multiply_rounded(struct baseline *q, const struct operands *o)
{
    load_pool(q, SCRATCH, baseline_constant(q, 0x80008000));
    A64_EMIT(q, CMEQ_8H, SCRATCH, SCRATCH, o->v);
    A64_EMIT(q, CMEQ_8H, SCRATCH_2, o->v, o->rm);
    A64_EMIT(q, AND_16B, SCRATCH, SCRATCH, SCRATCH_2);
    A64_EMIT(q, SQRDMULH_8H, o->reg, o->v, o->rm);
    A64_EMIT(q, EOR_16B, o->reg, o->reg, SCRATCH); /* 32767 to -32768 */
}

/* SCRATCH = byte indices for the word indices in `words`, which are taken modulo `count`. Clobbers
 * SCRATCH_2. */
static void byte_indices(struct baseline *q, int32_t words, unsigned count)
{
    load_pool(q, SCRATCH_2, baseline_constant(q, count - 1));
    A64_EMIT(q, AND_16B, SCRATCH, words, SCRATCH_2);
    load_pool(q, SCRATCH_2, baseline_constant(q, 0x04040404));
    A64_EMIT(q, MUL_4S, SCRATCH, SCRATCH, SCRATCH_2);
    load_pool(q, SCRATCH_2, baseline_constant(q, 0x03020100));
    A64_EMIT(q, ADD_4S, SCRATCH, SCRATCH, SCRATCH_2);
}

/* Emits the permutation of four words with the 2-bit indices of the immediate. */
static void permute_four(struct baseline *q, const struct operands *o)
{
    uint32_t bytes[4];
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = 0x03020100 + 0x04040404 * ((uint32_t)o->immediate >> 2 * i & 3);
    load_pool(q, SCRATCH, baseline_lanes_constant(q, bytes));
    A64_EMIT(q, TBL1, o->reg, o->rm, SCRATCH);
}

static void pack(struct baseline *q, bool words, const struct operands *o)
{
    if (words) {
        A64_EMIT(q, SQXTUN_4S, SCRATCH, o->v);
        A64_EMIT(q, SQXTUN2_4S, SCRATCH, o->rm);
    } else {
        A64_EMIT(q, SQXTUN_8H, SCRATCH, o->v);
        A64_EMIT(q, SQXTUN2_8H, SCRATCH, o->rm);
    }
    move(q, o->reg, SCRATCH);
}

static void emit_special(struct baseline *q, enum baseline_vop op, const struct operands *o)
{
    const enum a64_op last = rows[op].op;
    switch (op) {
    case VOP_MOVE:
        move(q, o->reg, o->rm);
        break;
    case VOP_BROADCAST:
        A64_EMIT(q, DUP_ELEMENT_S, o->reg, o->rm, 0);
        break;
    case VOP_BROADCAST_LONG:
        A64_EMIT(q, DUP_ELEMENT_D, o->reg, o->rm, 0);
        break;
    case VOP_FMIN:
        least(q, o->v, o->rm, o);
        break;
    case VOP_FMAX:
        least(q, o->rm, o->v, o);
        break;
    case VOP_FMA:
    case VOP_FMA_LONG: /* the instruction's result is the addend */
        move(q, SCRATCH, o->rm);
        baseline_a64_emit(q, last, (const int32_t[]){SCRATCH, o->v, o->reg});
        move(q, o->reg, SCRATCH);
        break;
    case VOP_FLOAT_TO_INT:
    case VOP_ROUND_TO_INT:
        convert(q, last, o);
        break;
    case VOP_INT_TO_LONG_FLOAT:
        A64_EMIT(q, SSHLL_2D, SCRATCH, o->rm, 0);
        A64_EMIT(q, SCVTF_2D, o->reg, SCRATCH);
        break;
    case VOP_MUL_SIGNED:
    case VOP_MUL_UNSIGNED:
        A64_EMIT(q, XTN_2D, SCRATCH, o->v);
        A64_EMIT(q, XTN_2D, SCRATCH_2, o->rm);
        baseline_a64_emit(q, last, (const int32_t[]){o->reg, SCRATCH, SCRATCH_2});
        break;
    case VOP_MUL_ROUND_HALVES:
        multiply_rounded(q, o);
        break;
    case VOP_SHIFT_RIGHT_EACH:
    case VOP_SHIFT_SIGNED_EACH: /* left by a negative number */
        A64_EMIT(q, NEG_4S, SCRATCH, o->rm);
        baseline_a64_emit(q, last, (const int32_t[]){o->reg, o->v, SCRATCH});
        break;
    case VOP_WIDEN_BYTES:
        A64_EMIT(q, USHLL_8H, SCRATCH, o->rm);
        A64_EMIT(q, USHLL_4S, o->reg, SCRATCH, 0);
        break;
    case VOP_WIDEN_HALVES:
        A64_EMIT(q, USHLL_4S, o->reg, o->rm, 0);
        break;
    case VOP_WIDEN_WORDS:
    case VOP_WIDEN_SIGNED:
        baseline_a64_emit(q, last, (const int32_t[]){o->reg, o->rm, 0});
        break;
    case VOP_PACK_WORDS:
    case VOP_PACK_HALVES:
        pack(q, op == VOP_PACK_WORDS, o);
        break;
    case VOP_SHUFFLE_BYTES: /* indices are modulo 16 unless bit 7 is set */
        load_pool(q, SCRATCH, baseline_constant(q, 0x8f8f8f8f));
        A64_EMIT(q, AND_16B, SCRATCH, SCRATCH, o->rm);
        A64_EMIT(q, TBL1, o->reg, o->v, SCRATCH);
        break;
    case VOP_PERMUTE:
        byte_indices(q, o->v, 4);
        A64_EMIT(q, TBL1, o->reg, o->rm, SCRATCH);
        break;
    default:
        assert(op == VOP_PERMUTE_FOUR);
        permute_four(q, o);
        break;
    }
}

/* Emits operations whose result is rm. Returns false for others. */
static bool emit_back(struct baseline *q, enum baseline_vop op, int32_t reg, struct code_operand rm,
                      unsigned immediate)
{
    switch (op) {
    case VOP_STORE:
        access_memory(q, true, 16, reg, rm);
        return true;
    case VOP_STORE_WORD:
        access_memory(q, true, 4, reg, rm);
        return true;
    case VOP_STORE_LONG:
        access_memory(q, true, 8, reg, rm);
        return true;
    case VOP_NARROW_TO_HALF_FLOAT:
        A64_EMIT(q, FCVTN_4S, rm.reg, reg);
        return true;
    case VOP_EXTRACT_HALF:
        A64_EMIT(q, DUP_ELEMENT_D, rm.reg, reg, (int32_t)immediate);
        return true;
    case VOP_EXTRACT_FOUR:
        move(q, rm.reg, reg);
        return true;
    default:
        return false;
    }
}

static void emit_op_imm(struct baseline *q, enum baseline_vop op, enum code_length length,
                        unsigned reg, unsigned v, struct code_operand rm, unsigned immediate)
{
    const struct row *row = &rows[op];
    struct operands o = {(int32_t)reg, (int32_t)v, 0, (int32_t)immediate};
    if (emit_back(q, op, o.reg, rm, immediate))
        return;
    if (row->form == MISSING) {
        q->code.unsupported = true;
        return;
    }
    if (op == VOP_MOVE && rm.kind != CODE_REG) {
        load_pool(q, o.reg, rm);
        return;
    }
    o.rm = in_register(q, rm, row->bytes ? row->bytes : 16, MEMORY);
    if (row->form == BINARY)
        baseline_a64_emit(q, row->op, (const int32_t[]){o.reg, o.v, o.rm});
    else if (row->form == UNARY)
        baseline_a64_emit(q, row->op, (const int32_t[]){o.reg, o.rm});
    else if (row->form == SPECIAL)
        emit_special(q, op, &o);
    else if (immediate)
        baseline_a64_emit(q, row->op, (const int32_t[]){o.reg, o.rm, o.immediate});
    else /* right shifts by 0 have no encoding */
        move(q, o.reg, o.rm);
}

static void emit_op(struct baseline *q, enum baseline_vop op, enum code_length length, unsigned reg,
                    unsigned v, struct code_operand rm)
{
    emit_op_imm(q, op, length, reg, v, rm, 0);
}

static void broadcast_general(struct baseline *q, bool wide, unsigned reg, unsigned from)
{
    if (wide)
        A64_EMIT(q, DUP_D, (int32_t)reg, baseline_a64_register(from));
    else
        A64_EMIT(q, DUP_S, (int32_t)reg, baseline_a64_register(from));
}

/* --- the condition --- */

/* Turns a mask that has been broadcast to all words of CONDITION into the condition. Both words of
 * a 64-bit element have the bit of its lane. */
static void condition_of_bits(struct baseline *q, bool wide)
{
    uint32_t bits[4];
    for (unsigned i = 0; i < ARRAY_SIZE(bits); i++)
        bits[i] = 1u << (i >> wide);
    load_pool(q, SCRATCH, baseline_lanes_constant(q, bits));
    A64_EMIT(q, CMTST_4S, CONDITION, CONDITION, SCRATCH);
}

static void load_condition(struct baseline *q, bool wide, struct code_operand from)
{
    emit_op(q, VOP_BROADCAST, CODE_128, CONDITION, 0, from);
    condition_of_bits(q, wide);
}

static void set_condition(struct baseline *q, bool wide, unsigned bits)
{
    broadcast_general(q, false, CONDITION, bits);
    condition_of_bits(q, wide);
}

static void get_condition(struct baseline *q, bool wide, unsigned bits)
{
    static const uint32_t words[4] = {1, 2, 4, 8}, longs[4] = {1, 0, 2, 0};
    load_pool(q, SCRATCH, baseline_lanes_constant(q, wide ? longs : words));
    A64_EMIT(q, AND_16B, SCRATCH, SCRATCH, CONDITION);
    A64_EMIT(q, ADDV_4S, SCRATCH, SCRATCH);
    A64_EMIT(q, UMOV_S, baseline_a64_register(bits), SCRATCH, 0);
}

static void test_bit(struct baseline *q, unsigned words, unsigned bit)
{
    load_pool(q, SCRATCH, baseline_constant(q, 1u << bit));
    A64_EMIT(q, CMTST_4S, CONDITION, (int32_t)words, SCRATCH);
}

static bool compare(struct baseline *q, enum baseline_comparison comparison, bool wide, unsigned x,
                    struct code_operand y)
{
    const int32_t first = (int32_t)x, second = in_register(q, y, 16, MEMORY);
    if (!(comparison & BASELINE_LESS))
        baseline_a64_emit(q, wide ? A64_CMEQ_2D : A64_CMEQ_4S,
                          (const int32_t[]){CONDITION, first, second});
    else if (comparison & BASELINE_SIGNED)
        baseline_a64_emit(q, wide ? A64_CMGT_2D : A64_CMGT_4S,
                          (const int32_t[]){CONDITION, second, first});
    else
        baseline_a64_emit(q, wide ? A64_CMHI_2D : A64_CMHI_4S,
                          (const int32_t[]){CONDITION, second, first});
    return comparison & BASELINE_NOT;
}

static void compare_floats(struct baseline *q, enum baseline_float_comparison comparison, bool wide,
                           unsigned x, struct code_operand y)
{
    const enum a64_op equal = wide ? A64_FCMEQ_2D : A64_FCMEQ_4S,
                      greater = wide ? A64_FCMGT_2D : A64_FCMGT_4S,
                      not_less = wide ? A64_FCMGE_2D : A64_FCMGE_4S;
    const int32_t a = (int32_t)x, b = in_register(q, y, 16, MEMORY);
    switch (comparison) {
    case BASELINE_FLOAT_LT:
        baseline_a64_emit(q, greater, (const int32_t[]){CONDITION, b, a});
        break;
    case BASELINE_FLOAT_GT:
        baseline_a64_emit(q, greater, (const int32_t[]){CONDITION, a, b});
        break;
    case BASELINE_FLOAT_GE:
        baseline_a64_emit(q, not_less, (const int32_t[]){CONDITION, a, b});
        break;
    case BASELINE_FLOAT_UNORD: /* unless both equal themselves */
        baseline_a64_emit(q, equal, (const int32_t[]){CONDITION, a, a});
        baseline_a64_emit(q, equal, (const int32_t[]){SCRATCH, b, b});
        A64_EMIT(q, AND_16B, CONDITION, CONDITION, SCRATCH);
        A64_EMIT(q, NOT_16B, CONDITION, CONDITION);
        break;
    default:
        baseline_a64_emit(q, equal, (const int32_t[]){CONDITION, a, b});
        if (comparison == BASELINE_FLOAT_NE)
            A64_EMIT(q, NOT_16B, CONDITION, CONDITION);
        break;
    }
}

static void blend(struct baseline *q, bool wide, enum code_length length, unsigned reg,
                  unsigned other, struct code_operand rm)
{
    const int32_t to = (int32_t)reg, x = in_register(q, rm, 16, MEMORY);
    if (x == to) {
        A64_EMIT(q, BIF_16B, to, (int32_t)other, CONDITION);
    } else {
        move(q, to, (int32_t)other);
        A64_EMIT(q, BIT_16B, to, x, CONDITION);
    }
}

static void choose(struct baseline *q, enum code_length length, unsigned reg,
                   struct code_operand rm, bool zero)
{
    if (zero)
        A64_EMIT(q, AND_16B, (int32_t)reg, CONDITION, in_register(q, rm, 16, MEMORY));
    else
        blend(q, false, length, reg, reg, rm);
}

/* --- memory --- */

/* Emits a branch over the next `count` instructions if the element isn't chosen by the condition.
 */
static void skip_unless(struct baseline *q, bool wide, int32_t lane, int32_t count)
{
    A64_EMIT(q, UMOV_S, A64_OTHER, CONDITION, wide ? 2 * lane : lane);
    A64_EMIT(q, CBZ_W, A64_OTHER, 4 * (count + 1));
}

/* Emits REG_INDEX = base + displacement of the memory operand `at`; ignores at.index. Returns the
 * number of REG_INDEX. */
static int32_t load_address(struct baseline *q, struct code_operand at)
{
    const int32_t address = baseline_a64_register(REG_INDEX);
    baseline_a64_add(q, address, baseline_a64_register(at.reg), at.disp);
    return address;
}

static void store(struct baseline *q, bool wide, enum code_length length, unsigned reg,
                  struct code_operand to)
{
    if (to.reg == REG_FRAME) { /* elsewhere, only the lanes of the condition may be accessed */
        access_memory(q, false, 16, MEMORY, to);
        A64_EMIT(q, BIT_16B, MEMORY, (int32_t)reg, CONDITION);
        access_memory(q, true, 16, MEMORY, to);
        return;
    }
    const int32_t address = load_address(q, to);
    for (int32_t lane = 0; lane < (wide ? 2 : 4); lane++) {
        skip_unless(q, wide, lane, 2);
        if (wide) {
            A64_EMIT(q, UMOV_D, A64_OTHER, (int32_t)reg, lane);
            A64_EMIT(q, STR_X, A64_OTHER, address, 8 * lane);
        } else {
            A64_EMIT(q, UMOV_S, A64_OTHER, (int32_t)reg, lane);
            A64_EMIT(q, STR_W, A64_OTHER, address, 4 * lane);
        }
    }
}

/* If all lanes are active, the condition is true for all. */
static void gather(struct baseline *q, bool far, unsigned reg, struct code_operand from)
{
    const int32_t address = load_address(q, from), index = from.index;
    for (int32_t lane = 0; lane < (far ? 2 : 4); lane++) {
        if (q->exec != BASELINE_ALL_LANES)
            skip_unless(q, false, lane, 4);
        if (far)
            A64_EMIT(q, UMOV_D, A64_OTHER, index, lane);
        else
            A64_EMIT(q, SMOV_S, A64_OTHER, index, lane);
        A64_EMIT(q, ADD_X, A64_OTHER, A64_OTHER, address);
        A64_EMIT(q, LDR_W, A64_OTHER, A64_OTHER, 0);
        A64_EMIT(q, INS_S, (int32_t)reg, lane, A64_OTHER);
    }
}

static void scatter(struct baseline *q, unsigned reg, struct code_operand to)
{
    const int32_t address = load_address(q, to), word = baseline_a64_register(REG_OTHER);
    set_condition(q, false, REG_LANES);
    for (int32_t lane = 0; lane < 4; lane++) {
        skip_unless(q, false, lane, 4);
        A64_EMIT(q, SMOV_S, A64_OTHER, to.index, lane);
        A64_EMIT(q, ADD_X, A64_OTHER, A64_OTHER, address);
        A64_EMIT(q, UMOV_S, word, (int32_t)reg, lane);
        A64_EMIT(q, STR_W, word, A64_OTHER, 0);
    }
}

/* --- sizes of elements --- */

static void narrow(struct baseline *q, unsigned bits, unsigned reg, unsigned to)
{
    if (bits == 32) {
        A64_EMIT(q, XTN_2D, (int32_t)to, (int32_t)reg);
        return;
    }
    A64_EMIT(q, XTN_4S, (int32_t)to, (int32_t)reg);
    if (bits == 8)
        A64_EMIT(q, XTN_8H, (int32_t)to, (int32_t)to);
}

static void store_narrow(struct baseline *q, unsigned bits, unsigned reg, struct code_operand to)
{
    emit_op(q, bits == 8 ? VOP_WIDEN_BYTES : VOP_WIDEN_HALVES, CODE_128, 3, 0, to);
    A64_EMIT(q, BIT_16B, 3, (int32_t)reg, CONDITION);
    narrow(q, bits, 3, 3);
    access_memory(q, true, bits / 2, 3, to);
}

/* --- lanes --- */

static void first_active(struct baseline *q, unsigned reg)
{
    const int32_t lane = baseline_a64_register(REG_VALUE);
    if (q->exec == BASELINE_ALL_LANES) {
        move(q, 1, (int32_t)reg);
        return;
    }
    baseline_memory(q, false, BASELINE_LOAD, REG_VALUE, REG_FRAME, q->exec);
    A64_EMIT(q, RBIT_W, lane, lane);
    A64_EMIT(q, CLZ_W, lane, lane); /* 32 for 0, taken as 0 */
    A64_EMIT(q, DUP_S, 1, lane);
    emit_op(q, VOP_PERMUTE, CODE_128, 1, 1, code_reg(reg));
}

static void look_up_two(struct baseline *q, unsigned reg, unsigned index, struct code_operand low,
                        struct code_operand high)
{
    byte_indices(q, (int32_t)index, 8);
    move(q, 2, SCRATCH);
    emit_op(q, VOP_MOVE, CODE_128, MEMORY, 0,
            low); /* the instruction's table: MEMORY and SCRATCH */
    emit_op(q, VOP_MOVE, CODE_128, SCRATCH, 0, high);
    A64_EMIT(q, TBL2_V5, (int32_t)reg, 2);
}

static_assert(MEMORY == 5 && SCRATCH == 6, "A64_TBL2_V5 has registers 5 and 6");

/* --- words --- */

static void unsigned_to_float(struct baseline *q, enum code_length length, unsigned reg, unsigned x)
{
    A64_EMIT(q, UCVTF_4S, (int32_t)reg, (int32_t)x);
}

static void float_to_unsigned(struct baseline *q, enum code_length length, unsigned reg, unsigned x)
{
    A64_EMIT(q, FCVTZU_4S, (int32_t)reg, (int32_t)x);
}

static void count_leading_zeros(struct baseline *q, enum code_length length, unsigned reg,
                                unsigned x)
{
    A64_EMIT(q, CLZ_4S, (int32_t)reg, (int32_t)x);
}

const struct baseline_isa baseline_neon = {
    .lanes = 4,
    .first_reg = 8,
    .num_regs = 32,
    .machine = &baseline_a64_machine,
    .length = CODE_128,
    .op = emit_op,
    .op_imm = emit_op_imm,
    .broadcast_general = broadcast_general,
    .load_condition = load_condition,
    .set_condition = set_condition,
    .get_condition = get_condition,
    .test_bit = test_bit,
    .compare = compare,
    .compare_floats = compare_floats,
    .choose = choose,
    .blend = blend,
    .store = store,
    .gather = gather,
    .scatter = scatter,
    .narrow = narrow,
    .store_narrow = store_narrow,
    .first_active = first_active,
    .look_up_two = look_up_two,
    .unsigned_to_float = unsigned_to_float,
    .float_to_unsigned = float_to_unsigned,
    .count_leading_zeros = count_leading_zeros,
    .shifts_longs = true,
};
