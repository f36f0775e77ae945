/* SPDX-License-Identifier: MIT */
/*
 * Baseline code generator for AVX2: 8 lanes. The condition is a vector whose elements have all bits
 * set or none. A mask from memory is expanded to such a vector.
 */
#include "jit/jit_baseline_x86.h"

enum { CONDITION = 4 }; /* vector register of the condition */

#define SIGN 0x80000000u

#define SPREAD_LONG  X86_OP(2, 1, 0, 0x59) /* vpbroadcastq */
#define VPERMQ       X86_OP(3, 1, 1, 0x00)
#define VPCMPEQD     X86_OP(1, 1, 0, 0x76)
#define VINSERTI128  X86_OP(3, 1, 0, 0x38)
#define VEXTRACTI128 X86_OP(3, 1, 0, 0x39)

static void op8(struct baseline *q, uint32_t op, unsigned reg, unsigned v, struct code_operand rm)
{
    baseline_x86_op(q, op, CODE_256, reg, v, rm);
}

static void op8_imm(struct baseline *q, uint32_t op, unsigned reg, unsigned v,
                    struct code_operand rm, unsigned immediate)
{
    baseline_x86_op_imm(q, op, CODE_256, reg, v, rm, immediate);
}

static bool is_shift_by_immediate(uint32_t op)
{
    return op >> 16 == 1 && (op & 0xff) >= 0x71 && (op & 0xff) <= 0x73;
}

static void emit_op(struct code_buffer *code, uint32_t op, enum code_length length, unsigned reg,
                    unsigned v, struct code_operand rm)
{
    if (is_shift_by_immediate(op) && rm.kind != CODE_REG) {
        x86_vex(code, X86_MOVE, length, v, 0, rm);
        rm = code_reg(v);
    }
    x86_vex(code, op, length, reg, v, rm);
}

static void broadcast_general(struct baseline *q, bool wide, unsigned reg, unsigned from)
{
    const uint32_t vmov = X86_OP(1, 1, (uint32_t)wide, 0x6e);
    baseline_x86_op(q, vmov, CODE_128, reg, 0, code_reg(from));
    op8(q, wide ? SPREAD_LONG : X86_BROADCAST, reg, 0, code_reg(reg));
}

/* --- the condition --- */

/* Returns a constant vector in which each 32-bit or 64-bit element has the bit of its lane set. In
 * a 64-bit element, both words have this bit set. */
static struct code_operand lane_bits(struct baseline *q, bool wide)
{
    uint32_t bits[8];
    for (unsigned i = 0; i < ARRAY_SIZE(bits); i++)
        bits[i] = 1u << (i >> wide);
    return baseline_lanes_constant(q, bits);
}

/* Turns a mask that has been broadcast to all words of CONDITION into the condition. */
static void condition_of_bits(struct baseline *q, bool wide)
{
    const struct code_operand bits = lane_bits(q, wide);
    op8(q, X86_BIT_AND, CONDITION, CONDITION, bits);
    op8(q, wide ? X86_OP(2, 1, 0, 0x29) : VPCMPEQD, CONDITION, CONDITION, bits);
}

static void load_condition(struct baseline *q, bool wide, struct code_operand from)
{
    op8(q, X86_BROADCAST, CONDITION, 0, from);
    condition_of_bits(q, wide);
}

static void set_condition(struct baseline *q, bool wide, unsigned bits)
{
    broadcast_general(q, false, CONDITION, bits);
    condition_of_bits(q, wide);
}

static void get_condition(struct baseline *q, bool wide, unsigned bits)
{
    const uint32_t vmovmsk = X86_OP(1, (uint32_t)wide, 0, 0x50);
    op8(q, vmovmsk, bits, 0, code_reg(CONDITION));
}

static void test_bit(struct baseline *q, unsigned words, unsigned bit)
{
    op8_imm(q, X86_SHIFT, 6, CONDITION, code_reg(words), 31 - bit);
}

/* AVX2 has only comparisons for equal and for signed greater. */
static bool compare(struct baseline *q, enum baseline_comparison comparison, bool wide, unsigned x,
                    struct code_operand y)
{
    const uint32_t equal = wide ? X86_OP(2, 1, 0, 0x29) : VPCMPEQD;
    const uint32_t greater = wide ? X86_OP(2, 1, 0, 0x37) : X86_OP(1, 1, 0, 0x66);
    const uint32_t vpmaxud = X86_OP(2, 1, 0, 0x3f);
    const bool negated = comparison & BASELINE_NOT;
    if (!(comparison & BASELINE_LESS)) {
        op8(q, equal, CONDITION, x, y);
        return negated;
    }
    if (!wide && !(comparison & BASELINE_SIGNED)) { /* x >= y, as max(x, y) == x */
        op8(q, vpmaxud, CONDITION, x, y);
        op8(q, VPCMPEQD, CONDITION, CONDITION, code_reg(x));
        return !negated;
    }
    op8(q, X86_MOVE, CONDITION, 0, y);
    if (!(comparison & BASELINE_SIGNED)) {
        const struct code_operand sign = baseline_long_constant(q, (uint64_t)SIGN << 32);
        op8(q, X86_BIT_XOR, 3, x, sign);
        op8(q, X86_BIT_XOR, CONDITION, CONDITION, sign);
        x = 3;
    }
    op8(q, greater, CONDITION, CONDITION, code_reg(x));
    return negated;
}

/* Emits vblendvps or vblendvpd. */
static void blend(struct baseline *q, bool wide, enum code_length length, unsigned reg,
                  unsigned other, struct code_operand rm)
{
    baseline_x86_op_imm(q, X86_OP(3, 1, 0, wide ? 0x4bu : 0x4au), length, reg, other, rm,
                        CONDITION << 4);
}

static void choose(struct baseline *q, enum code_length length, unsigned reg,
                   struct code_operand rm, bool zero)
{
    if (zero)
        baseline_x86_op(q, X86_BIT_AND, length, reg, CONDITION, rm);
    else
        blend(q, false, length, reg, reg, rm);
}

/* --- memory --- */

static void store(struct baseline *q, bool wide, enum code_length length, unsigned reg,
                  struct code_operand to)
{
    const uint32_t vpmaskmov = X86_OP(2, 1, (uint32_t)wide, 0x8e);
    baseline_x86_op(q, vpmaskmov, length, reg, CONDITION, to);
}

static void gather(struct baseline *q, bool far, unsigned reg, struct code_operand from)
{
    op8(q, far ? X86_GATHER_FAR : X86_GATHER, reg, CONDITION, from);
}

static int32_t temporary(struct baseline *q, unsigned i)
{
    return baseline_temporary(q, BASELINE_ISA_TEMPORARY + i);
}

/* Emits a loop over the lanes; their offsets and words are stored to the frame first. */
static void scatter(struct baseline *q, unsigned reg, struct code_operand to)
{
    struct code_buffer *code = &q->code;
    const int32_t offsets = temporary(q, 0), words = temporary(q, 1), mask = temporary(q, 2);
    op8(q, X86_MOVE_BACK, to.index, 0, code_mem(RSP, offsets));
    op8(q, X86_MOVE_BACK, reg, 0, code_mem(RSP, words));
    x86_memory(code, false, X86_STORE, RDX, RSP, mask);
    x86_registers(code, false, 0x85, RDX, RDX); /* test edx, edx */
    unsigned skip = x86_jump(code, 4, 0);
    unsigned head = code->bytes.count;
    x86_registers(code, false, 0x1bc, RCX, RDX); /* bsf ecx, edx */
    x86_registers(code, false, 0x1b3, RCX, RDX); /* btr edx, ecx */
    x86_registers(code, false, 0xc1, 4, RCX);    /* shl ecx, 2 */
    code_byte(code, 2);
    x86_general(code, true, X86_LOAD_SIGNED, RSI,
                (struct code_operand){CODE_INDEXED, RSP, RCX, offsets});
    x86_general(code, false, X86_LOAD, RCX, (struct code_operand){CODE_INDEXED, RSP, RCX, words});
    x86_general(code, false, X86_STORE, RCX,
                (struct code_operand){CODE_INDEXED, to.reg, RSI, to.disp});
    x86_registers(code, false, 0x85, RDX, RDX);
    x86_jump_back(code, 5, head);
    x86_patch_jumps(code, skip);
    x86_memory(code, false, X86_LOAD, RDX, RSP, mask);
}

/* --- sizes of elements --- */

/* Returns the vpshufb indices that pack the low 8 or 16 bits of the words in each 128-bit half. */
static struct code_operand low_bytes(struct baseline *q, unsigned bits)
{
    uint32_t pick[8];
    for (unsigned i = 0; i < 8; i++)
        pick[i] = bits == 8      ? (i & 3 ? 0x80808080 : 0x0c080400)
                  : (i & 3) == 0 ? 0x05040100
                  : (i & 3) == 1 ? 0x0d0c0908
                                 : 0x80808080;
    return baseline_lanes_constant(q, pick);
}

static void narrow(struct baseline *q, unsigned bits, unsigned reg, unsigned to)
{
    const uint32_t vpshufb = X86_OP(2, 1, 0, 0x00), vpshufd = X86_OP(1, 1, 0, 0x70),
                   vpunpckldq = X86_OP(1, 1, 0, 0x62);
    if (bits == 32)
        op8_imm(q, vpshufd, to, 0, code_reg(reg), 0x88);
    else
        op8(q, vpshufb, to, reg, low_bytes(q, bits));
    if (bits == 8) {
        op8_imm(q, VEXTRACTI128, to, 0, code_reg(CONDITION), 1);
        baseline_x86_op(q, vpunpckldq, CODE_128, to, to, code_reg(CONDITION));
    } else {
        op8_imm(q, VPERMQ, to, 0, code_reg(to), 0x08);
    }
}

static void store_narrow(struct baseline *q, unsigned bits, unsigned reg, struct code_operand to)
{
    const uint32_t widen = X86_OP(2, 1, 0, bits == 8 ? 0x31u : 0x33u); /* vpmovzx */
    const uint32_t eight_bytes = X86_OP(1, 1, 0, 0xd6);
    op8(q, widen, 3, 0, to);
    blend(q, false, CODE_256, 3, 3, code_reg(reg));
    narrow(q, bits, 3, 3);
    baseline_x86_op(q, bits == 8 ? eight_bytes : X86_MOVE_BACK, CODE_128, 3, 0, to);
}

/* --- lanes --- */

static void first_active(struct baseline *q, unsigned reg)
{
    if (q->exec == BASELINE_ALL_LANES) {
        op8(q, X86_MOVE, 1, 0, code_reg(reg));
        return;
    }
    x86_memory(&q->code, false, X86_LOAD, RAX, RSP, q->exec);
    code_byte(&q->code, 0xf3);
    x86_registers(&q->code, false, 0x1bc, RAX, RAX); /* tzcnt eax, eax: 32 for 0, taken as 0 */
    baseline_x86_op(q, X86_OP(1, 1, 0, 0x6e), CODE_128, 1, 0, code_reg(RAX));
    op8(q, X86_PERMUTE, 1, 1, code_reg(reg));
}

static void look_up_two(struct baseline *q, unsigned reg, unsigned index, struct code_operand low,
                        struct code_operand high)
{
    op8(q, X86_PERMUTE, reg, index, low);
    op8(q, X86_PERMUTE, 2, index, high);
    test_bit(q, index, 3);
    blend(q, false, CODE_256, reg, reg, code_reg(2));
}

/* --- unsigned words --- */

/* Converts the high and low 16 bits separately, which is exact; only their sum is rounded. */
static void unsigned_to_float(struct baseline *q, enum code_length length, unsigned reg, unsigned x)
{
    const uint32_t vcvtdq2ps = X86_OP(1, 0, 0, 0x5b), vmulps = X86_OP(1, 0, 0, 0x59),
                   vaddps = X86_OP(1, 0, 0, 0x58);
    baseline_x86_op_imm(q, X86_SHIFT, length, 2, 2, code_reg(x), 16);
    baseline_x86_op(q, X86_BIT_AND, length, 3, x, baseline_constant(q, 0xffff));
    baseline_x86_op(q, vcvtdq2ps, length, 2, 0, code_reg(2));
    baseline_x86_op(q, vcvtdq2ps, length, 3, 0, code_reg(3));
    baseline_x86_op(q, vmulps, length, 2, 2, baseline_constant(q, 0x47800000)); /* 65536.0 */
    baseline_x86_op(q, vaddps, length, reg, 2, code_reg(3));
}

/* Subtracts 2^31 from numbers too large for signed words and flips bit 31 of their results. */
static void float_to_unsigned(struct baseline *q, enum code_length length, unsigned reg, unsigned x)
{
    const uint32_t vcmpps = X86_OP(1, 0, 0, 0xc2), vsubps = X86_OP(1, 0, 0, 0x5c),
                   vcvttps2dq = X86_OP(1, 2, 0, 0x5b);
    const struct code_operand limit = baseline_constant(q, 0x4f000000); /* 2147483648.0 */
    const unsigned not_less = 13;
    baseline_x86_op_imm(q, vcmpps, length, CONDITION, x, limit, not_less);
    baseline_x86_op(q, X86_BIT_AND, length, 2, CONDITION, limit);
    baseline_x86_op(q, vsubps, length, 2, x, code_reg(2));
    baseline_x86_op(q, vcvttps2dq, length, 2, 0, code_reg(2));
    baseline_x86_op_imm(q, X86_SHIFT, length, 6, 3, code_reg(CONDITION), 31);
    baseline_x86_op(q, X86_BIT_XOR, length, reg, 2, code_reg(3));
}

/* Reads the index of the highest set bit from the exponent of the word converted to a float. The
 * bit below it is cleared first, so that rounding can't carry. The result is 158 minus the
 * exponent, saturated: 0 if bit 31 is set, since the float's sign is above the exponent then; zero
 * has exponent 0, and the minimum with 32 corrects its result. */
static void count_leading_zeros(struct baseline *q, enum code_length length, unsigned reg,
                                unsigned x)
{
    const uint32_t vpandn = X86_OP(1, 1, 0, 0xdf), vcvtdq2ps = X86_OP(1, 0, 0, 0x5b),
                   vpsubusw = X86_OP(1, 1, 0, 0xd9), vpminsd = X86_OP(2, 1, 0, 0x39);
    baseline_x86_op_imm(q, X86_SHIFT, length, 2, 2, code_reg(x), 1);
    baseline_x86_op(q, vpandn, length, 2, 2, code_reg(x));
    baseline_x86_op(q, vcvtdq2ps, length, 2, 0, code_reg(2));
    baseline_x86_op_imm(q, X86_SHIFT, length, 2, 2, code_reg(2), 23);
    baseline_x86_op(q, X86_MOVE, length, 3, 0, baseline_constant(q, 158));
    baseline_x86_op(q, vpsubusw, length, 2, 3, code_reg(2));
    baseline_x86_op(q, vpminsd, length, reg, 2, baseline_constant(q, 32));
}

static const struct baseline_x86 encodings = {
    .encode = emit_op,
    .broadcast_long = SPREAD_LONG,
    .insert_half = VINSERTI128,
    .extract_half = VEXTRACTI128,
    .condition = CONDITION,
};

const struct baseline_isa baseline_avx2 = {
    .lanes = 8,
    .first_reg = 5,
    .num_regs = 16,
    .machine = &baseline_x86_machine,
    .length = CODE_256,
    .x86 = &encodings,
    .op = baseline_x86_vop,
    .op_imm = baseline_x86_vop_imm,
    .broadcast_general = broadcast_general,
    .load_condition = load_condition,
    .set_condition = set_condition,
    .get_condition = get_condition,
    .test_bit = test_bit,
    .compare = compare,
    .compare_floats = baseline_x86_compare_floats,
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
};
