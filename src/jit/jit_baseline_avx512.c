/* SPDX-License-Identifier: MIT */
/* Baseline code generator for AVX-512: 16 lanes. The condition is in mask register 1. */
#include "jit/jit_baseline_x86.h"

enum { CONDITION = 1 };

#define SPREAD_LONG X86_OP(2, 1, 1, 0x59) /* vpbroadcastq */

static void emit_op(struct code_buffer *code, uint32_t op, enum code_length length, unsigned reg,
                    unsigned v, struct code_operand rm)
{
    x86_evex(code, op, length, reg, v, rm, 0, false);
}

/* Emits an instruction that writes only the lanes of the condition; zero clears the others. */
static void emit_masked(struct baseline *q, uint32_t op, enum code_length length, unsigned reg,
                        unsigned v, struct code_operand rm, bool zero)
{
    x86_evex(&q->code, op, length, reg, v, rm, CONDITION, zero);
}

static void broadcast_general(struct baseline *q, bool wide, unsigned reg, unsigned from)
{
    baseline_x86_op(q, X86_OP(2, 1, (uint32_t)wide, 0x7c), CODE_512, reg, 0, code_reg(from));
}

static void load_condition(struct baseline *q, bool wide, struct code_operand from)
{
    x86_load_mask(&q->code, CONDITION, from.reg, from.disp);
}

static void set_condition(struct baseline *q, bool wide, unsigned bits)
{
    x86_register_to_mask(&q->code, CONDITION, bits);
}

static void get_condition(struct baseline *q, bool wide, unsigned bits)
{
    x86_mask_to_register(&q->code, bits, CONDITION);
}

static void test_bit(struct baseline *q, unsigned words, unsigned bit)
{
    const uint32_t vptestmd = X86_OP(2, 1, 0, 0x27);
    baseline_x86_op(q, vptestmd, CODE_512, CONDITION, words, baseline_constant(q, 1u << bit));
}

static bool compare(struct baseline *q, enum baseline_comparison comparison, bool wide, unsigned x,
                    struct code_operand y)
{
    const bool is_signed = comparison & BASELINE_SIGNED;
    const uint32_t op = X86_OP(3, 1, (uint32_t)wide, is_signed ? 0x1f : 0x1e);
    baseline_x86_op_imm(q, op, CODE_512, CONDITION, x, y, comparison & ~(unsigned)BASELINE_SIGNED);
    return false;
}

static void choose(struct baseline *q, enum code_length length, unsigned reg,
                   struct code_operand rm, bool zero)
{
    const uint32_t op = rm.kind == CODE_BROADCAST ? X86_BROADCAST : X86_MOVE;
    rm.kind = rm.kind == CODE_BROADCAST ? CODE_MEM : rm.kind;
    emit_masked(q, op, length, reg, 0, rm, zero);
}

static void blend(struct baseline *q, bool wide, enum code_length length, unsigned reg,
                  unsigned other, struct code_operand rm)
{
    emit_masked(q, X86_OP(2, 1, (uint32_t)wide, 0x64), length, reg, other, rm, false);
}

static void store(struct baseline *q, bool wide, enum code_length length, unsigned reg,
                  struct code_operand to)
{
    emit_masked(q, X86_OP(1, 2, (uint32_t)wide, 0x7f), length, reg, 0, to, false);
}

static void gather(struct baseline *q, bool far, unsigned reg, struct code_operand from)
{
    emit_masked(q, far ? X86_GATHER_FAR : X86_GATHER, CODE_512, reg, 0, from, false);
}

static void scatter(struct baseline *q, unsigned reg, struct code_operand to)
{
    const uint32_t vpscatterdd = X86_OP(2, 1, 0, 0xa0);
    set_condition(q, false, RDX);
    emit_masked(q, vpscatterdd, CODE_512, reg, 0, to, false);
}

/* Returns vpmovdb, vpmovdw or vpmovqd. */
static uint32_t narrowing(unsigned bits)
{
    return X86_OP(2, 2, 0, bits == 8 ? 0x31u : bits == 16 ? 0x33u : 0x35u);
}

static void narrow(struct baseline *q, unsigned bits, unsigned reg, unsigned to)
{
    baseline_x86_op(q, narrowing(bits), CODE_512, reg, 0, code_reg(to));
}

static void store_narrow(struct baseline *q, unsigned bits, unsigned reg, struct code_operand to)
{
    emit_masked(q, narrowing(bits), CODE_512, reg, 0, to, false);
}

static void first_active(struct baseline *q, unsigned reg)
{
    const uint32_t vpcompressd = X86_OP(2, 1, 0, 0x8b);
    baseline_x86_op(q, X86_MOVE, CODE_512, 1, 0, code_reg(reg));
    baseline_load_exec(q, false, 0);
    emit_masked(q, vpcompressd, CODE_512, reg, 0, code_reg(1), false);
}

static void look_up_two(struct baseline *q, unsigned reg, unsigned index, struct code_operand low,
                        struct code_operand high)
{
    const uint32_t vpermi2d = X86_OP(2, 1, 0, 0x76);
    unsigned first = baseline_in_register(q, low, 2, false);
    baseline_x86_op(q, X86_MOVE, CODE_512, reg, 0, code_reg(index));
    baseline_x86_op(q, vpermi2d, CODE_512, reg, first, high);
}

static void unsigned_to_float(struct baseline *q, enum code_length length, unsigned reg, unsigned x)
{
    const uint32_t vcvtudq2ps = X86_OP(1, 3, 0, 0x7a);
    baseline_x86_op(q, vcvtudq2ps, length, reg, 0, code_reg(x));
}

static void float_to_unsigned(struct baseline *q, enum code_length length, unsigned reg, unsigned x)
{
    const uint32_t vcvttps2udq = X86_OP(1, 0, 0, 0x78);
    baseline_x86_op(q, vcvttps2udq, length, reg, 0, code_reg(x));
}

static void count_leading_zeros(struct baseline *q, enum code_length length, unsigned reg,
                                unsigned x)
{
    const uint32_t vplzcntd = X86_OP(2, 1, 0, 0x44);
    baseline_x86_op(q, vplzcntd, length, reg, 0, code_reg(x));
}

static const struct baseline_x86 encodings = {
    .encode = emit_op,
    .broadcast_long = SPREAD_LONG,
    .insert_half = X86_OP(3, 1, 1, 0x3a), /* vinserti64x4 */
    .extract_half = X86_OP(3, 1, 1, 0x3b),
    .condition = CONDITION,
};

const struct baseline_isa baseline_avx512 = {
    .lanes = 16,
    .first_reg = 4,
    .num_regs = 32,
    .machine = &baseline_x86_machine,
    .length = CODE_512,
    .spreads = true,
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
    .longs = true,
    .shifts_longs = true,
};
