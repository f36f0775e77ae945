/* SPDX-License-Identifier: MIT */
/* Multi-instruction operations of the baseline code generator: integer products and quotients, sRGB
 * decoding. */
#include "jit/jit_baseline.h"

#include "nir/nir_math.h"
#include "util/srgb_half.h"

static void emit(struct baseline *q, enum baseline_vop op, unsigned reg, unsigned v,
                 struct code_operand rm)
{
    baseline_op(q, op, q->isa->length, reg, v, rm);
}

static void emit_imm(struct baseline *q, enum baseline_vop op, unsigned reg, unsigned v,
                     struct code_operand rm, unsigned immediate)
{
    baseline_op_imm(q, op, q->isa->length, reg, v, rm, immediate);
}

/* Truncates the 64-bit elements in reg to words and puts them into one half of `to`. Call it for
 * half 0, then for half 1. Clobbers 3. */
static void join_words(struct baseline *q, unsigned to, unsigned half, unsigned reg)
{
    q->isa->narrow(q, 32, reg, 3);
    if (half)
        emit_imm(q, VOP_INSERT_HALF, to, to, code_reg(3), 1);
    else
        emit(q, VOP_MOVE, to, 0, code_reg(3));
}

/* --- products --- */

void baseline_multiply_half(struct baseline *q, bool is_signed, unsigned to, struct code_operand x,
                            struct code_operand y, unsigned half)
{
    emit(q, VOP_WIDEN_WORDS, 1, 0, baseline_half(q, x, half, 1));
    emit(q, VOP_WIDEN_WORDS, 2, 0, baseline_half(q, y, half, 2));
    emit(q, is_signed ? VOP_MUL_SIGNED : VOP_MUL_UNSIGNED, to, 1, code_reg(2));
}

void baseline_multiply_high(struct baseline *q, bool is_signed, unsigned to, struct code_operand x,
                            struct code_operand y)
{
    for (unsigned half = 0; half < 2; half++) {
        baseline_multiply_half(q, is_signed, 1, x, y, half);
        emit_imm(q, VOP_SHIFT_RIGHT_LONG, 1, 0, code_reg(1), 32);
        join_words(q, to, half, 1);
    }
}

/* to = x * y modulo 2^64: low(x) * low(y) + ((high(x) * low(y) + high(y) * low(x)) << 32). */
static void multiply_longs(struct baseline *q, unsigned to, unsigned x, unsigned y)
{
    emit_imm(q, VOP_SHIFT_RIGHT_LONG, 3, 0, code_reg(x), 32);
    emit(q, VOP_MUL_UNSIGNED, 3, 3, code_reg(y));
    emit_imm(q, VOP_SHIFT_RIGHT_LONG, to, 0, code_reg(y), 32);
    emit(q, VOP_MUL_UNSIGNED, to, to, code_reg(x));
    emit(q, VOP_ADD_LONG, 3, 3, code_reg(to));
    emit_imm(q, VOP_SHIFT_LEFT_LONG, 3, 0, code_reg(3), 32);
    emit(q, VOP_MUL_UNSIGNED, to, x, code_reg(y));
    emit(q, VOP_ADD_LONG, to, to, code_reg(3));
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
                             x, code_reg(y));
    q->isa->blend(q, true, q->isa->length, to, first ? y : x, code_reg(first ? x : y));
}

/* --- quotients --- */

/* 2^52 + 2^51: adding an integer to it leaves the integer in the lower word of the double. */
#define INTEGER_IN_DOUBLE UINT64_C(0x4338000000000000)
#define WORD_IN_DOUBLE    UINT64_C(0x4330000000000000) /* 2^52: the lower word is an integer */

/* reg = the words of one half of the lanes as doubles. */
static void to_doubles(struct baseline *q, unsigned reg, struct code_operand words, unsigned half,
                       bool is_signed)
{
    words = baseline_half(q, words, half, reg);
    if (is_signed) {
        emit(q, VOP_INT_TO_LONG_FLOAT, reg, 0, words);
        return;
    }
    const struct code_operand two_52 = baseline_long_constant(q, WORD_IN_DOUBLE);
    emit(q, VOP_WIDEN_WORDS, reg, 0, words);
    emit(q, VOP_OR_LONG, reg, reg, two_52);
    emit(q, VOP_FSUB_LONG, reg, reg, two_52);
}

/* Divides as doubles, in which the integer part of the quotient is exact. */
static void divide(struct baseline *q, unsigned to, struct code_operand x, struct code_operand y,
                   bool is_signed)
{
    for (unsigned half = 0; half < 2; half++) {
        to_doubles(q, 2, x, half, is_signed);
        to_doubles(q, 3, y, half, is_signed);
        emit(q, VOP_FDIV_LONG, 2, 2, code_reg(3));
        emit(q, VOP_TRUNC_LONG, 2, 0, code_reg(2));
        emit(q, VOP_FADD_LONG, 2, 2, baseline_long_constant(q, INTEGER_IN_DOUBLE));
        join_words(q, to, half, 2);
    }
}

/* to = condition ? 0 : to. */
static void clear_chosen(struct baseline *q, unsigned to)
{
    q->isa->choose(q, q->isa->length, to, baseline_constant(q, 0), false);
}

void baseline_divide(struct baseline *q, nir_op op, unsigned to, struct code_operand x,
                     struct code_operand y)
{
    const struct code_operand zero = baseline_constant(q, 0);
    const bool remainder = op != nir_op_idiv && op != nir_op_udiv;
    divide(q, to, x, y, op != nir_op_udiv && op != nir_op_umod);
    unsigned by = baseline_in_register(q, y, 2, false);
    if (remainder) {
        emit(q, VOP_MUL, to, to, code_reg(by));
        emit(q, VOP_SUB, to, baseline_in_register(q, x, 1, false), code_reg(to));
    }
    if (op == nir_op_imod) { /* the result has y's sign */
        emit(q, VOP_XOR, 3, to, code_reg(by));
        emit_imm(q, VOP_SHIFT_SIGNED, 3, 0, code_reg(3), 31);
        emit(q, VOP_AND, 3, 3, code_reg(by));
        (void)q->isa->compare(q, BASELINE_EQUAL, false, to, zero);
        clear_chosen(q, 3);
        emit(q, VOP_ADD, to, to, code_reg(3));
    }
    (void)q->isa->compare(q, BASELINE_EQUAL, false, by, zero);
    clear_chosen(q, to);
}

/* --- reduction of large angles, by a function of nir_math.h --- */

/* Moves an operand to frame offset `to`. Clobbers 3. */
static void store_operand(struct baseline *q, struct code_operand from, int32_t to)
{
    const unsigned reg = baseline_in_register(q, from, 3, false);
    emit(q, VOP_STORE, reg, 0, code_mem(REG_FRAME, to));
}

void baseline_reduce(struct baseline *q, nir_op op, unsigned to, struct code_operand x,
                     struct code_operand small)
{
    const unsigned cosine = op == nir_op_freduce_cos;
    uint32_t limit;
    memcpy(&limit, &(float){NIR_MATH_LARGE_ANGLE}, sizeof limit);
    emit(q, VOP_AND, 3, baseline_in_register(q, x, 1, false), baseline_constant(q, 0x7fffffff));
    q->isa->compare_floats(q, BASELINE_FLOAT_GE, false, 3, baseline_constant(q, limit));
    q->isa->get_condition(q, false, REG_VALUE);
    const unsigned to_small = q->machine->jump_if(q, REG_VALUE, true, 0);
    for (unsigned i = 0; i < 2; i++) {
        if (!q->angles[i])
            q->angles[i] = baseline_take_frame(q, 64);
        store_operand(q, i ? small : x, q->angles[i]);
    }
    q->reductions[cosine] = q->machine->call(q, q->reductions[cosine]);
    emit(q, VOP_MOVE, to, 0, code_mem(REG_FRAME, q->angles[1]));
    const unsigned to_end = q->machine->jump(q, 0);
    q->machine->patch(q, to_small);
    emit(q, VOP_MOVE, to, 0, code_reg(baseline_in_register(q, small, 2, false)));
    q->machine->patch(q, to_end);
}

void baseline_emit_reductions(struct baseline *q)
{
    int32_t saved = 0;
    for (unsigned i = 0; i < 2; i++) {
        if (!q->reductions[i])
            continue;
        if (!saved)
            saved = baseline_take_frame(q, 4 * q->isa->lanes * BASELINE_MAX_REGS);
        q->machine->patch(q, q->reductions[i]);
        q->machine->reduction(q, i ? nir_math_reduce_cosines : nir_math_reduce_sines, saved);
    }
}

/* --- sRGB: see jit_srgb.c --- */

static struct code_operand both_halves(struct baseline *q, uint32_t half)
{
    return baseline_constant(q, half << 16 | half);
}

/* reg = bytes of the table at the indices; 0 where an index byte has its highest bit set. */
static void look_up_bytes(struct baseline *q, enum util_srgb_table table, unsigned reg,
                          struct code_operand index)
{
    uint32_t words[16];
    for (unsigned i = 0; i < 4; i++)
        memcpy(words + 4 * i, util_srgb_table[table], 16);
    emit(q, VOP_MOVE, reg, 0, baseline_lanes_constant(q, words));
    emit(q, VOP_SHUFFLE_BYTES, reg, reg, index);
}

/* Keeps the table indices in the frame, because there are too few scratch registers. */
void baseline_decode_srgb(struct baseline *q, unsigned to, struct code_operand words, bool odd)
{
    const struct code_operand low = code_mem(REG_FRAME, baseline_temporary(q, 0)),
                              high = code_mem(REG_FRAME, baseline_temporary(q, 1));
    unsigned x = baseline_in_register(q, words, 1, false);
    if (odd) {
        emit_imm(q, VOP_SHIFT_RIGHT, 1, 0, code_reg(x), 8);
        x = 1;
    }
    emit(q, VOP_AND, 1, x, both_halves(q, 0xff));
    emit(q, VOP_ADD_SATURATED_BYTES, 3, 1, baseline_whole(q, both_halves(q, 0x8070), 2));
    look_up_bytes(q, UTIL_SRGB_FIRST, to, code_reg(3));

    emit_imm(q, VOP_SHIFT_RIGHT_HALVES, 2, 0, code_reg(1), 4);
    emit(q, VOP_OR, 3, 2, both_halves(q, 0x8000));
    emit(q, VOP_STORE, 3, 0, low);
    emit_imm(q, VOP_SHIFT_LEFT_HALVES, 3, 0, code_reg(2), 8);
    emit(q, VOP_OR, 3, 3, both_halves(q, 0x0080));
    emit(q, VOP_STORE, 3, 0, high);
    emit(q, VOP_AND, 3, 1, both_halves(q, 15)); /* offset from the middle */
    emit(q, VOP_SUB_HALVES, 3, 3, baseline_whole(q, both_halves(q, 8), 2));

    look_up_bytes(q, UTIL_SRGB_MIDDLE_LOW, 1, low);
    emit(q, VOP_ADD_HALVES, to, to, code_reg(1));
    look_up_bytes(q, UTIL_SRGB_MIDDLE_HIGH, 1, high);
    emit(q, VOP_ADD_HALVES, to, to, code_reg(1));
    look_up_bytes(q, UTIL_SRGB_CURVATURE, 1, low);
    emit(q, VOP_MUL_HALVES, 1, 1, code_reg(3));
    look_up_bytes(q, UTIL_SRGB_SLOPE_LOW, 2, low);
    emit(q, VOP_ADD_HALVES, 1, 1, code_reg(2));
    look_up_bytes(q, UTIL_SRGB_SLOPE_HIGH, 2, high);
    emit(q, VOP_ADD_HALVES, 1, 1, code_reg(2));
    emit_imm(q, VOP_SHIFT_LEFT_HALVES, 3, 0, code_reg(3), 9);
    emit(q, VOP_MUL_ROUND_HALVES, 1, 1, code_reg(3));
    emit(q, VOP_ADD_HALVES, to, to, code_reg(1));
}
