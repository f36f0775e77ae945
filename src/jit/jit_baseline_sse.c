/* SPDX-License-Identifier: MIT */
/*
 * Baseline code generator for SSE4.1: 4 lanes. The condition is a vector as with AVX2. Instructions
 * have two operands, of which the first is also the result, so those with three need a copy. There
 * are no gathers, scatters, masked stores, half floats, fused multiply-adds or shifts by vectors.
 * Gathers, scatters and masked stores are loops over the lanes; for the others, the interpreter is
 * called.
 */
#include "jit/jit_baseline_x86.h"

enum {
    CONDITION = 4,  /* vector register of the condition */
    ASSEMBLER = 15, /* holds an operand within an instruction; never a value */
    IMPLICIT = 0,   /* register that blends take the condition from */
};

#define VPCMPEQD   X86_OP(1, 1, 0, 0x76)
#define PSHUFD     X86_OP(1, 1, 0, 0x70)
#define MOVD       X86_OP(1, 1, 0, 0x6e) /* from a general register or 32 bits of memory */
#define MOVD_TO    X86_OP(1, 1, 0, 0x7e) /* to a general register or 32 bits of memory */
#define MOVMSKPS   X86_OP(1, 0, 0, 0x50) /* to a general register */
#define PUNPCKLQDQ X86_OP(1, 1, 0, 0x6c)

/* Operations of struct baseline_isa that stand for several instructions, by opcodes of AVX2 that
 * SSE4.1 lacks. */
#define INSERT_HALF  X86_OP(3, 1, 0, 0x38) /* with immediate 1: the upper half of v becomes rm's */
#define EXTRACT_HALF X86_OP(3, 1, 0, 0x39) /* rm = half of reg */
#define SPREAD_LONG  X86_OP(2, 1, 0, 0x59)

/* --- encoding --- */

/* Returns the register's number in the encoding: the condition is where blends expect it. */
static unsigned encoded(unsigned reg)
{
    return reg == CONDITION ? IMPLICIT : reg == IMPLICIT ? CONDITION : reg;
}

static struct code_operand encoded_operand(struct code_operand rm)
{
    if (rm.kind == CODE_REG)
        rm.reg = (uint8_t)encoded(rm.reg);
    return rm;
}

static void encode(struct code_buffer *code, uint32_t op, unsigned reg, struct code_operand rm)
{
    x86_sse(code, op, encoded(reg), encoded_operand(rm));
}

static void move(struct code_buffer *code, unsigned reg, struct code_operand rm)
{
    if (rm.kind != CODE_REG || rm.reg != reg)
        encode(code, X86_MOVE, reg, rm);
}

static bool is_shift_by_immediate(uint32_t op)
{
    return op >> 16 == 1 && (op & 0xff) >= 0x71 && (op & 0xff) <= 0x73;
}

/* Returns whether the instruction has no operand v. */
static bool has_two_operands(uint32_t op)
{
    const unsigned byte = op & 0xff;
    switch (op >> 16) {
    case 1:
        return byte == 0x51 || byte == 0x5a || byte == 0x5b || byte == 0xe6 || byte == 0x70 ||
               byte == 0x6f;
    case 2:
        return (byte >= 0x1c && byte <= 0x1e) || (byte >= 0x20 && byte <= 0x25) ||
               (byte >= 0x30 && byte <= 0x35);
    default:
        return byte == 0x08 || byte == 0x09;
    }
}

/* Returns whether SSE4.1 lacks the instruction. */
static bool is_missing(uint32_t op)
{
    switch (op >> 16) {
    case 1:
        return false;
    case 2: /* vpermd, gathers, masked moves, shifts, conversion of half floats, FMA, broadcasts,
               comparisons of 64 bits */
        return (op & 0xff) == 0x36 || (op & 0xff) == 0x37 || (op & 0xff) == 0x13 ||
               (op & 0xff) >= 0x44;
    default:
        return (op & 0xff) != 0x08 && (op & 0xff) != 0x09 && (op & 0xff) != 0x14;
    }
}

/* Emits instructions that move data to or from the vector register reg and have no operand v.
 * Returns false for others. */
static bool emit_transfer(struct code_buffer *code, uint32_t op, unsigned reg,
                          struct code_operand rm)
{
    switch (op & ~0x100u) {
    case X86_MOVE_BACK:
    case X86_OP(1, 1, 0, 0xd6): /* movq to memory */
        x86_sse(code, op, encoded(reg), rm);
        return true;
    case MOVD:
    case MOVD_TO:
        x86_sse(code, op, encoded(reg), rm);
        return true;
    case MOVMSKPS:
    case X86_OP(1, 1, 0, 0x50): /* movmskpd */
        x86_sse(code, op, reg, encoded_operand(rm));
        return true;
    case X86_BROADCAST:
        if (rm.kind != CODE_REG)
            encode(code, MOVD, reg, rm);
        encode(code, PSHUFD, reg, rm.kind == CODE_REG ? rm : code_reg(reg));
        code_byte(code, 0);
        return true;
    case SPREAD_LONG:
        if (rm.kind != CODE_REG)
            encode(code, X86_OP(1, 2, 0, 0x7e), reg, rm); /* movq */
        encode(code, PSHUFD, reg, rm.kind == CODE_REG ? rm : code_reg(reg));
        code_byte(code, 0x44);
        return true;
    default:
        return false;
    }
}

/* Emits the instruction after copying v to reg. */
static void emit_op(struct code_buffer *code, uint32_t op, enum code_length length, unsigned reg,
                    unsigned v, struct code_operand rm)
{
    if (emit_transfer(code, op, reg, rm))
        return;
    if (is_missing(op)) {
        code->unsupported = true;
        return;
    }
    if (is_shift_by_immediate(op)) { /* v is the result, reg a part of the opcode */
        move(code, v, rm);
        x86_sse(code, op, reg, encoded_operand(code_reg(v)));
        return;
    }
    if (!has_two_operands(op) && v != reg) {
        if (rm.kind == CODE_REG && rm.reg == reg) {
            move(code, ASSEMBLER, rm);
            rm = code_reg(ASSEMBLER);
        }
        move(code, reg, code_reg(v));
    }
    encode(code, op, reg, rm);
}

/* Emits an instruction with an immediate. Comparisons for greater swap the operands. */
static void emit_op_imm(struct code_buffer *code, uint32_t op, enum code_length length,
                        unsigned reg, unsigned v, struct code_operand rm, unsigned immediate)
{
    if (op == INSERT_HALF) {
        emit_op(code, PUNPCKLQDQ, length, reg, v, rm);
    } else if (op == EXTRACT_HALF && immediate == 0) {
        move(code, rm.reg, code_reg(reg));
    } else if (op == EXTRACT_HALF) {
        encode(code, PSHUFD, rm.reg, code_reg(reg));
        code_byte(code, 0xee);
    } else if (is_shift_by_immediate(op)) {
        emit_op(code, op, length, reg, v, rm);
        code_byte(code, immediate);
    } else if (op >> 16 == 1 && (op & 0xff) == 0xc2 && immediate >= 8) { /* comparisons */
        unsigned y = rm.kind == CODE_REG ? rm.reg : ASSEMBLER;
        if (rm.kind != CODE_REG || y == reg) {
            move(code, ASSEMBLER, rm);
            y = ASSEMBLER;
        }
        if (v == reg) {
            code->unsupported = true;
            return;
        }
        move(code, reg, code_reg(y));
        encode(code, op, reg, code_reg(v));
        code_byte(code, immediate == 13 ? 2 : 1);
    } else {
        emit_op(code, op, length, reg, v, rm);
        code_byte(code, immediate);
    }
}

static void op4(struct baseline *q, uint32_t op, unsigned reg, unsigned v, struct code_operand rm)
{
    emit_op(&q->code, op, CODE_128, reg, v, rm);
}

static void broadcast_general(struct baseline *q, bool wide, unsigned reg, unsigned from)
{
    op4(q, MOVD | (uint32_t)wide << 8, reg, 0, code_reg(from));
    op4(q, wide ? SPREAD_LONG : X86_BROADCAST, reg, 0, code_reg(reg));
}

/* --- the condition --- */

/* Returns a constant vector in which each 32-bit or 64-bit element has the bit of its lane set. In
 * a 64-bit element, both words have this bit set. */
static struct code_operand lane_bits(struct baseline *q, bool wide)
{
    uint32_t bits[4];
    for (unsigned i = 0; i < ARRAY_SIZE(bits); i++)
        bits[i] = 1u << (i >> wide);
    return baseline_lanes_constant(q, bits);
}

/* Turns a mask that has been broadcast to all words of CONDITION into the condition. */
static void condition_of_bits(struct baseline *q, bool wide)
{
    const struct code_operand bits = lane_bits(q, wide);
    op4(q, X86_BIT_AND, CONDITION, CONDITION, bits);
    op4(q, VPCMPEQD, CONDITION, CONDITION, bits);
}

static void load_condition(struct baseline *q, bool wide, struct code_operand from)
{
    op4(q, X86_BROADCAST, CONDITION, 0, from);
    condition_of_bits(q, wide);
}

static void set_condition(struct baseline *q, bool wide, unsigned bits)
{
    broadcast_general(q, false, CONDITION, bits);
    condition_of_bits(q, wide);
}

static void get_condition(struct baseline *q, bool wide, unsigned bits)
{
    op4(q, wide ? X86_OP(1, 1, 0, 0x50) : MOVMSKPS, bits, 0, code_reg(CONDITION));
}

static void test_bit(struct baseline *q, unsigned words, unsigned bit)
{
    emit_op_imm(&q->code, X86_SHIFT, CODE_128, 6, CONDITION, code_reg(words), 31 - bit);
}

/* SSE4.1 has comparisons for equal and for signed greater, and the latter only of words. */
static bool compare(struct baseline *q, enum baseline_comparison comparison, bool wide, unsigned x,
                    struct code_operand y)
{
    const uint32_t equal = wide ? X86_OP(2, 1, 0, 0x29) : VPCMPEQD;
    const uint32_t greater = X86_OP(1, 1, 0, 0x66), pmaxud = X86_OP(2, 1, 0, 0x3f);
    const bool negated = comparison & BASELINE_NOT;
    if (!(comparison & BASELINE_LESS)) {
        op4(q, equal, CONDITION, x, y);
        return negated;
    }
    q->failed |= wide;
    if (!(comparison & BASELINE_SIGNED)) { /* x >= y, as max(x, y) == x */
        op4(q, pmaxud, CONDITION, x, y);
        op4(q, VPCMPEQD, CONDITION, CONDITION, code_reg(x));
        return !negated;
    }
    op4(q, X86_MOVE, CONDITION, 0, y);
    op4(q, greater, CONDITION, CONDITION, code_reg(x));
    return negated;
}

/* Emits blendvps or blendvpd. */
static void blend(struct baseline *q, bool wide, enum code_length length, unsigned reg,
                  unsigned other, struct code_operand rm)
{
    const uint32_t blendv = X86_OP(2, 1, 0, wide ? 0x15u : 0x14u);
    if (other != reg && rm.kind == CODE_REG && rm.reg == reg) {
        move(&q->code, ASSEMBLER, rm);
        rm = code_reg(ASSEMBLER);
    }
    move(&q->code, reg, code_reg(other));
    encode(&q->code, blendv, reg, rm);
}

static void choose(struct baseline *q, enum code_length length, unsigned reg,
                   struct code_operand rm, bool zero)
{
    if (zero)
        op4(q, X86_BIT_AND, reg, CONDITION, rm);
    else
        blend(q, false, length, reg, reg, rm);
}

/* --- memory --- */

/* Emits the start of a loop over the elements in the mask EDX: ECX = bytes × index. The mask isn't
 * zero. Returns the code offset of the loop. */
static unsigned begin_lanes(struct baseline *q, unsigned shift)
{
    struct code_buffer *code = &q->code;
    unsigned head = code->bytes.count;
    x86_registers(code, false, 0x1bc, RCX, RDX); /* bsf ecx, edx */
    x86_registers(code, false, 0x1b3, RCX, RDX); /* btr edx, ecx */
    x86_registers(code, false, 0xc1, 4, RCX);    /* shl ecx, shift */
    code_byte(code, shift);
    return head;
}

static void end_lanes(struct baseline *q, unsigned head)
{
    x86_registers(&q->code, false, 0x85, RDX, RDX);
    x86_jump_back(&q->code, 5, head);
}

static struct code_operand element(enum x86_register base, enum x86_register index, int32_t disp)
{
    return (struct code_operand){CODE_INDEXED, (uint8_t)base, (uint8_t)index, disp};
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
    op4(q, X86_MOVE_BACK, to.index, 0, code_mem(RSP, offsets));
    op4(q, X86_MOVE_BACK, reg, 0, code_mem(RSP, words));
    x86_memory(code, false, X86_STORE, RDX, RSP, mask);
    x86_registers(code, false, 0x85, RDX, RDX); /* test edx, edx */
    unsigned skip = x86_jump(code, 4, 0);
    unsigned head = begin_lanes(q, 2);
    x86_general(code, true, X86_LOAD_SIGNED, RSI, element(RSP, RCX, offsets));
    x86_general(code, false, X86_LOAD, RCX, element(RSP, RCX, words));
    x86_general(code, false, X86_STORE, RCX, element((enum x86_register)to.reg, RSI, to.disp));
    end_lanes(q, head);
    x86_patch_jumps(code, skip);
    x86_memory(code, false, X86_LOAD, RDX, RSP, mask);
}

/* Stores to the frame by a blend; elsewhere only the lanes of the condition may be accessed. */
static void store(struct baseline *q, bool wide, enum code_length length, unsigned reg,
                  struct code_operand to)
{
    if (to.reg == RSP) {
        move(&q->code, ASSEMBLER, to);
        encode(&q->code, X86_OP(2, 1, 0, wide ? 0x15u : 0x14u), ASSEMBLER, code_reg(reg));
        op4(q, X86_MOVE_BACK, ASSEMBLER, 0, to);
        return;
    }
    struct code_buffer *code = &q->code;
    const int32_t words = temporary(q, 0), mask = temporary(q, 1);
    if (to.reg == RCX) { /* the address of the only quad, after which RAX isn't used */
        x86_registers(code, true, X86_LOAD, RAX, RCX);
        to.reg = RAX;
    }
    op4(q, X86_MOVE_BACK, reg, 0, code_mem(RSP, words));
    x86_memory(code, true, X86_STORE, RDX, RSP, mask);
    get_condition(q, wide, RDX);
    x86_registers(code, false, 0x85, RDX, RDX);
    unsigned skip = x86_jump(code, 4, 0);
    unsigned head = begin_lanes(q, wide ? 3 : 2);
    x86_general(code, wide, X86_LOAD, RSI, element(RSP, RCX, words));
    x86_general(code, wide, X86_STORE, RSI, element((enum x86_register)to.reg, RCX, to.disp));
    end_lanes(q, head);
    x86_patch_jumps(code, skip);
    x86_memory(code, true, X86_LOAD, RDX, RSP, mask);
}

/* Emits a loop over the lanes of the condition. */
static void gather(struct baseline *q, bool far, unsigned reg, struct code_operand from)
{
    struct code_buffer *code = &q->code;
    const int32_t indices = temporary(q, 0), words = temporary(q, 1);
    op4(q, X86_MOVE_BACK, from.index, 0, code_mem(RSP, indices));
    op4(q, X86_MOVE_BACK, reg, 0, code_mem(RSP, words));
    get_condition(q, false, RDX);
    if (far) {                                    /* the words of two lanes */
        x86_registers(code, false, 0x83, 4, RDX); /* and edx, 3 */
        code_byte(code, 3);
    }
    x86_registers(code, false, 0x85, RDX, RDX);
    unsigned skip = x86_jump(code, 4, 0);
    unsigned head = begin_lanes(q, far ? 3 : 2);
    x86_general(code, true, far ? X86_LOAD : X86_LOAD_SIGNED, RSI, element(RSP, RCX, indices));
    if (far) {
        x86_registers(code, false, 0xc1, 5, RCX); /* shr ecx, 1 */
        code_byte(code, 1);
    }
    x86_general(code, false, X86_LOAD, RSI, element((enum x86_register)from.reg, RSI, from.disp));
    x86_general(code, false, X86_STORE, RSI, element(RSP, RCX, words));
    end_lanes(q, head);
    x86_patch_jumps(code, skip);
    op4(q, X86_MOVE, reg, 0, code_mem(RSP, words));
}

/* --- sizes of elements --- */

static void narrow(struct baseline *q, unsigned bits, unsigned reg, unsigned to)
{
    const uint32_t pshufb = X86_OP(2, 1, 0, 0x00);
    if (bits == 32) {
        emit_op_imm(&q->code, PSHUFD, CODE_128, to, 0, code_reg(reg), 0x88);
        return;
    }
    const uint32_t bytes[4] = {0x0c080400, 0x80808080, 0x80808080, 0x80808080},
                   halves[4] = {0x05040100, 0x0d0c0908, 0x80808080, 0x80808080};
    op4(q, pshufb, to, reg, baseline_lanes_constant(q, bits == 8 ? bytes : halves));
}

static void store_narrow(struct baseline *q, unsigned bits, unsigned reg, struct code_operand to)
{
    const uint32_t widen = X86_OP(2, 1, 0, bits == 8 ? 0x31u : 0x33u); /* pmovzx */
    op4(q, widen, 3, 0, to);
    blend(q, false, CODE_128, 3, 3, code_reg(reg));
    narrow(q, bits, 3, 3);
    op4(q, bits == 8 ? MOVD_TO : X86_OP(1, 1, 0, 0xd6), 3, 0, to);
}

/* --- lanes --- */

static void first_active(struct baseline *q, unsigned reg)
{
    const int32_t words = temporary(q, 0);
    if (q->exec == BASELINE_ALL_LANES) {
        op4(q, X86_MOVE, 1, 0, code_reg(reg));
        return;
    }
    op4(q, X86_MOVE_BACK, reg, 0, code_mem(RSP, words));
    x86_memory(&q->code, false, X86_LOAD, RAX, RSP, q->exec);
    x86_registers(&q->code, false, 0x0b, RAX, RAX);
    unsigned none = x86_jump(&q->code, 4, 0);
    x86_registers(&q->code, false, 0x1bc, RAX, RAX); /* bsf */
    x86_patch_jumps(&q->code, none);
    x86_registers(&q->code, false, 0xc1, 4, RAX);
    code_byte(&q->code, 2);
    x86_general(&q->code, false, X86_LOAD, RAX, element(RSP, RAX, words));
    op4(q, MOVD, 1, 0, code_reg(RAX));
}

static void look_up_two(struct baseline *q, unsigned reg, unsigned index, struct code_operand low,
                        struct code_operand high)
{
    q->failed = true;
}

/* --- unsigned words: see jit_baseline_avx2.c --- */

static void unsigned_to_float(struct baseline *q, enum code_length length, unsigned reg, unsigned x)
{
    const uint32_t cvtdq2ps = X86_OP(1, 0, 0, 0x5b), mulps = X86_OP(1, 0, 0, 0x59),
                   addps = X86_OP(1, 0, 0, 0x58);
    baseline_x86_op_imm(q, X86_SHIFT, length, 2, 2, code_reg(x), 16);
    op4(q, X86_BIT_AND, 3, x, baseline_constant(q, 0xffff));
    op4(q, cvtdq2ps, 2, 0, code_reg(2));
    op4(q, cvtdq2ps, 3, 0, code_reg(3));
    op4(q, mulps, 2, 2, baseline_constant(q, 0x47800000)); /* 65536.0 */
    op4(q, addps, reg, 2, code_reg(3));
}

static void unsupported(struct baseline *q, enum code_length length, unsigned reg, unsigned x)
{
    q->failed = true;
}

static const struct baseline_x86 encodings = {
    .encode = emit_op,
    .encode_imm = emit_op_imm,
    .broadcast_long = SPREAD_LONG,
    .insert_half = INSERT_HALF,
    .extract_half = EXTRACT_HALF,
    .condition = CONDITION,
    .legacy = true,
};

const struct baseline_isa baseline_sse = {
    .lanes = 4,
    .first_reg = 5,
    .num_regs = 15,
    .machine = &baseline_x86_machine,
    .length = CODE_128,
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
    .float_to_unsigned = unsupported,
    .count_leading_zeros = unsupported,
};
