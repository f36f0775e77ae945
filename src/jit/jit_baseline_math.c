/* SPDX-License-Identifier: MIT */
/* Multi-instruction operations of the baseline code generator: integer products and quotients, sRGB
 * decoding. */
#include "jit/jit_baseline.h"

#include "nir/nir_math.h"
#include "util/srgb_half.h"

static void emit(struct baseline *q, uint32_t op, unsigned reg, unsigned v, struct x86_operand rm)
{
    baseline_op(q, op, q->isa->length, reg, v, rm);
}

static void emit_imm(struct baseline *q, uint32_t op, unsigned reg, unsigned v,
                     struct x86_operand rm, unsigned immediate)
{
    baseline_op_imm(q, op, q->isa->length, reg, v, rm, immediate);
}

/* Truncates the 64-bit elements in reg to words and puts them into one half of `to`. Call it for
 * half 0, then for half 1. Clobbers 3. */
static void join_words(struct baseline *q, unsigned to, unsigned half, unsigned reg)
{
    q->isa->narrow(q, 32, reg, 3);
    if (half)
        emit_imm(q, q->isa->insert_half, to, to, x86_reg(3), 1);
    else
        emit(q, BASELINE_MOVE, to, 0, x86_reg(3));
}

/* --- products --- */

#define VPMULUDQ X86_OP(1, 1, 1, 0xf4)
#define VPMULDQ  X86_OP(2, 1, 1, 0x28)

void baseline_multiply_half(struct baseline *q, bool is_signed, unsigned to, struct x86_operand x,
                            struct x86_operand y, unsigned half)
{
    const uint32_t vpmovzxdq = X86_OP(2, 1, 0, 0x35); /* products ignore the upper words */
    emit(q, vpmovzxdq, 1, 0, baseline_half(q, x, half, 1));
    emit(q, vpmovzxdq, 2, 0, baseline_half(q, y, half, 2));
    emit(q, is_signed ? VPMULDQ : VPMULUDQ, to, 1, x86_reg(2));
}

#define LONG_SHIFT X86_OP(1, 1, 1, 0x73) /* reg: 2 right, 6 left */

void baseline_multiply_high(struct baseline *q, bool is_signed, unsigned to, struct x86_operand x,
                            struct x86_operand y)
{
    for (unsigned half = 0; half < 2; half++) {
        baseline_multiply_half(q, is_signed, 1, x, y, half);
        emit_imm(q, LONG_SHIFT, 2, 1, x86_reg(1), 32);
        join_words(q, to, half, 1);
    }
}

/* to = x * y modulo 2^64: low(x) * low(y) + ((high(x) * low(y) + high(y) * low(x)) << 32). */
static void multiply_longs(struct baseline *q, unsigned to, unsigned x, unsigned y)
{
    const uint32_t vpaddq = X86_OP(1, 1, 1, 0xd4);
    emit_imm(q, LONG_SHIFT, 2, 3, x86_reg(x), 32);
    emit(q, VPMULUDQ, 3, 3, x86_reg(y));
    emit_imm(q, LONG_SHIFT, 2, to, x86_reg(y), 32);
    emit(q, VPMULUDQ, to, to, x86_reg(x));
    emit(q, vpaddq, 3, 3, x86_reg(to));
    emit_imm(q, LONG_SHIFT, 6, 3, x86_reg(3), 32);
    emit(q, VPMULUDQ, to, x, x86_reg(y));
    emit(q, vpaddq, to, to, x86_reg(3));
}

void baseline_long_binary(struct baseline *q, nir_op op, unsigned to, unsigned x, unsigned y)
{
    const bool is_signed = op == nir_op_imin || op == nir_op_imax;
    if (op == nir_op_imul) {
        multiply_longs(q, to, x, y);
        return;
    }
    bool first = op == nir_op_imin || op == nir_op_umin; /* if x < y: the result is x (or y) */
    first ^= q->isa->compare(q, is_signed ? BASELINE_LESS | BASELINE_SIGNED : BASELINE_LESS, true,
                             x, x86_reg(y));
    q->isa->blend(q, true, q->isa->length, to, first ? y : x, x86_reg(first ? x : y));
}

/* --- quotients --- */

/* 2^52 + 2^51: adding an integer to it leaves the integer in the lower word of the double. */
#define INTEGER_IN_DOUBLE UINT64_C(0x4338000000000000)
#define WORD_IN_DOUBLE    UINT64_C(0x4330000000000000) /* 2^52: the lower word is an integer */

/* reg = the words of one half of the lanes as doubles. */
static void to_doubles(struct baseline *q, unsigned reg, struct x86_operand words, unsigned half,
                       bool is_signed)
{
    const uint32_t vcvtdq2pd = X86_OP(1, 2, 0, 0xe6), vpmovzxdq = X86_OP(2, 1, 0, 0x35);
    const uint32_t vporq = X86_OP(1, 1, 1, 0xeb), vsubpd = X86_OP(1, 1, 1, 0x5c);
    words = baseline_half(q, words, half, reg);
    if (is_signed) {
        emit(q, vcvtdq2pd, reg, 0, words);
        return;
    }
    const struct x86_operand two_52 = baseline_long_constant(q, WORD_IN_DOUBLE);
    emit(q, vpmovzxdq, reg, 0, words);
    emit(q, vporq, reg, reg, two_52);
    emit(q, vsubpd, reg, reg, two_52);
}

/* Divides as doubles, in which the integer part of the quotient is exact. */
static void divide(struct baseline *q, unsigned to, struct x86_operand x, struct x86_operand y,
                   bool is_signed)
{
    const uint32_t vdivpd = X86_OP(1, 1, 1, 0x5e), vroundpd = X86_OP(3, 1, 1, 0x09),
                   vaddpd = X86_OP(1, 1, 1, 0x58);
    const unsigned toward_zero = 0x0b;
    for (unsigned half = 0; half < 2; half++) {
        to_doubles(q, 2, x, half, is_signed);
        to_doubles(q, 3, y, half, is_signed);
        emit(q, vdivpd, 2, 2, x86_reg(3));
        emit_imm(q, vroundpd, 2, 0, x86_reg(2), toward_zero);
        emit(q, vaddpd, 2, 2, baseline_long_constant(q, INTEGER_IN_DOUBLE));
        join_words(q, to, half, 2);
    }
}

/* to = condition ? 0 : to. */
static void clear_chosen(struct baseline *q, unsigned to)
{
    q->isa->choose(q, q->isa->length, to, baseline_constant(q, 0), false);
}

void baseline_divide(struct baseline *q, nir_op op, unsigned to, struct x86_operand x,
                     struct x86_operand y)
{
    const uint32_t vpmulld = X86_OP(2, 1, 0, 0x40), vpsubd = X86_OP(1, 1, 0, 0xfa),
                   vpaddd = X86_OP(1, 1, 0, 0xfe);
    const struct x86_operand zero = baseline_constant(q, 0);
    const bool remainder = op != nir_op_idiv && op != nir_op_udiv;
    divide(q, to, x, y, op != nir_op_udiv && op != nir_op_umod);
    unsigned by = baseline_in_register(q, y, 2, false);
    if (remainder) {
        emit(q, vpmulld, to, to, x86_reg(by));
        emit(q, vpsubd, to, baseline_in_register(q, x, 1, false), x86_reg(to));
    }
    if (op == nir_op_imod) { /* the result has y's sign */
        emit(q, BASELINE_BIT_XOR, 3, to, x86_reg(by));
        emit_imm(q, BASELINE_SHIFT, 4, 3, x86_reg(3), 31);
        emit(q, BASELINE_BIT_AND, 3, 3, x86_reg(by));
        (void)q->isa->compare(q, BASELINE_EQUAL, false, to, zero);
        clear_chosen(q, 3);
        emit(q, vpaddd, to, to, x86_reg(3));
    }
    (void)q->isa->compare(q, BASELINE_EQUAL, false, by, zero);
    clear_chosen(q, to);
}

/* --- reduction of large angles, by a function of nir_math.h --- */

/* Moves an operand to frame offset `to`. Clobbers 3. */
static void store_operand(struct baseline *q, struct x86_operand from, int32_t to)
{
    const unsigned reg = baseline_in_register(q, from, 3, false);
    emit(q, BASELINE_MOVE_BACK, reg, 0, x86_mem(RSP, to));
}

void baseline_reduce(struct baseline *q, nir_op op, unsigned to, struct x86_operand x,
                     struct x86_operand small)
{
    const uint32_t vcmpps = X86_OP(1, 0, 0, 0xc2);
    const unsigned greater_or_equal = 13, is_zero = 4, cosine = op == nir_op_freduce_cos;
    uint32_t limit;
    memcpy(&limit, &(float){NIR_MATH_LARGE_ANGLE}, sizeof limit);
    emit(q, BASELINE_BIT_AND, 3, baseline_in_register(q, x, 1, false),
         baseline_constant(q, 0x7fffffff));
    emit_imm(q, vcmpps, q->isa->condition, 3, baseline_constant(q, limit), greater_or_equal);
    q->isa->get_condition(q, false, RAX);
    x86_registers(&q->code, false, 0x85, RAX, RAX); /* test eax, eax */
    const unsigned to_small = x86_jump(&q->code, is_zero, 0);
    for (unsigned i = 0; i < 2; i++) {
        if (!q->angles[i])
            q->angles[i] = baseline_take_frame(q, 64);
        store_operand(q, i ? small : x, q->angles[i]);
    }
    q->reductions[cosine] = x86_call(&q->code, q->reductions[cosine]);
    emit(q, BASELINE_MOVE, to, 0, x86_mem(RSP, q->angles[1]));
    const unsigned to_end = x86_jump(&q->code, X86_ALWAYS, 0);
    x86_patch_jumps(&q->code, to_small);
    emit(q, BASELINE_MOVE, to, 0, x86_reg(baseline_in_register(q, small, 2, false)));
    x86_patch_jumps(&q->code, to_end);
}

static void emit_bytes(struct baseline *q, const uint8_t *bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        x86_byte(&q->code, bytes[i]);
}

/* Emits a function that calls the helper and preserves the vector registers that hold values, and
 * RDI. saved is the frame offset to store the registers at. */
static void emit_reduction(struct baseline *q, bool cosine, int32_t saved)
{
    static const uint8_t push_rdi[] = {0x57}, vzeroupper[] = {0xc5, 0xf8, 0x77},
                         mov_rax[] = {0x48, 0xb8}, call_rax[] = {0xff, 0xd0}, mov_edx[] = {0xba},
                         pop_rdi_ret[] = {0x5f, 0xc3};
    const struct baseline_isa *isa = q->isa;
    const int32_t pushed = 16, bytes = 4 * (int32_t)isa->lanes; /* return address and RDI */
    const uint64_t helper = (uintptr_t)(cosine ? nir_math_reduce_cosines : nir_math_reduce_sines);
    x86_patch_jumps(&q->code, q->reductions[cosine]);
    emit_bytes(q, push_rdi, sizeof push_rdi);
    for (unsigned r = isa->first_reg; r < isa->num_regs; r++)
        emit(q, BASELINE_MOVE_BACK, r, 0, x86_mem(RSP, pushed + saved + (int32_t)r * bytes));
    if (!isa->legacy)
        emit_bytes(q, vzeroupper, sizeof vzeroupper);
    x86_memory(&q->code, true, 0x8d, RDI, RSP, pushed + q->angles[0]); /* lea */
    x86_memory(&q->code, true, 0x8d, RSI, RSP, pushed + q->angles[1]);
    emit_bytes(q, mov_edx, sizeof mov_edx);
    x86_word(&q->code, isa->lanes);
    emit_bytes(q, mov_rax, sizeof mov_rax);
    x86_word(&q->code, (uint32_t)helper);
    x86_word(&q->code, (uint32_t)(helper >> 32));
    emit_bytes(q, call_rax, sizeof call_rax);
    for (unsigned r = isa->first_reg; r < isa->num_regs; r++)
        emit(q, BASELINE_MOVE, r, 0, x86_mem(RSP, pushed + saved + (int32_t)r * bytes));
    emit_bytes(q, pop_rdi_ret, sizeof pop_rdi_ret);
}

void baseline_emit_reductions(struct baseline *q)
{
    int32_t saved = 0;
    for (unsigned i = 0; i < 2; i++) {
        if (!q->reductions[i])
            continue;
        if (!saved)
            saved = baseline_take_frame(q, 4 * q->isa->lanes * BASELINE_MAX_REGS);
        emit_reduction(q, i, saved);
    }
}

/* --- sRGB: see jit_srgb.c --- */

#define SHIFT_HALVES X86_OP(1, 1, 0, 0x71)
#define VPOR         X86_OP(1, 1, 0, 0xeb)
#define VPSHUFB      X86_OP(2, 1, 0, 0x00)
#define VPADDW       X86_OP(1, 1, 0, 0xfd)
#define VPSUBW       X86_OP(1, 1, 0, 0xf9)
#define VPMULLW      X86_OP(1, 1, 0, 0xd5)
#define VPADDUSB     X86_OP(1, 1, 0, 0xdc)
#define VPMULHRSW    X86_OP(2, 1, 0, 0x0b)

static struct x86_operand both_halves(struct baseline *q, uint32_t half)
{
    return baseline_constant(q, half << 16 | half);
}

/* reg = bytes of the table at the indices; 0 where an index byte has its highest bit set. */
static void look_up_bytes(struct baseline *q, enum util_srgb_table table, unsigned reg,
                          struct x86_operand index)
{
    uint32_t words[16];
    for (unsigned i = 0; i < 4; i++)
        memcpy(words + 4 * i, util_srgb_table[table], 16);
    emit(q, BASELINE_MOVE, reg, 0, baseline_lanes_constant(q, words));
    emit(q, VPSHUFB, reg, reg, index);
}

/* Keeps the table indices in the frame, because there are too few scratch registers. */
void baseline_decode_srgb(struct baseline *q, unsigned to, struct x86_operand words, bool odd)
{
    const struct x86_operand low = x86_mem(RSP, baseline_temporary(q, 0)),
                             high = x86_mem(RSP, baseline_temporary(q, 1));
    unsigned x = baseline_in_register(q, words, 1, false);
    if (odd) {
        emit_imm(q, BASELINE_SHIFT, 2, 1, x86_reg(x), 8);
        x = 1;
    }
    emit(q, BASELINE_BIT_AND, 1, x, both_halves(q, 0xff));
    emit(q, VPADDUSB, 3, 1, baseline_whole(q, both_halves(q, 0x8070), 2));
    look_up_bytes(q, UTIL_SRGB_FIRST, to, x86_reg(3));

    emit_imm(q, SHIFT_HALVES, 2, 2, x86_reg(1), 4);
    emit(q, VPOR, 3, 2, both_halves(q, 0x8000));
    emit(q, BASELINE_MOVE_BACK, 3, 0, low);
    emit_imm(q, SHIFT_HALVES, 6, 3, x86_reg(2), 8);
    emit(q, VPOR, 3, 3, both_halves(q, 0x0080));
    emit(q, BASELINE_MOVE_BACK, 3, 0, high);
    emit(q, BASELINE_BIT_AND, 3, 1, both_halves(q, 15)); /* offset from the middle */
    emit(q, VPSUBW, 3, 3, baseline_whole(q, both_halves(q, 8), 2));

    look_up_bytes(q, UTIL_SRGB_MIDDLE_LOW, 1, low);
    emit(q, VPADDW, to, to, x86_reg(1));
    look_up_bytes(q, UTIL_SRGB_MIDDLE_HIGH, 1, high);
    emit(q, VPADDW, to, to, x86_reg(1));
    look_up_bytes(q, UTIL_SRGB_CURVATURE, 1, low);
    emit(q, VPMULLW, 1, 1, x86_reg(3));
    look_up_bytes(q, UTIL_SRGB_SLOPE_LOW, 2, low);
    emit(q, VPADDW, 1, 1, x86_reg(2));
    look_up_bytes(q, UTIL_SRGB_SLOPE_HIGH, 2, high);
    emit(q, VPADDW, 1, 1, x86_reg(2));
    emit_imm(q, SHIFT_HALVES, 6, 3, x86_reg(3), 9);
    emit(q, VPMULHRSW, 1, 1, x86_reg(3));
    emit(q, VPADDW, to, to, x86_reg(1));
}
