/* SPDX-License-Identifier: MIT */
/*
 * ALU instructions of the baseline code generator, one component at a time. Uniform values use the
 * same instructions with a shorter vector length. Results are the same as those of jit_alu.c.
 */
#include "jit/jit_baseline.h"

#include "nir/nir_range_analysis.h"

/* One component of an instruction; for pairs, one half of the lanes. */
struct op {
    struct baseline *q;
    const nir_alu_instr *alu;
    unsigned component, half;
    bool wide; /* 64-bit elements */
    enum code_length length;
    const struct baseline_value *value;
    unsigned target; /* register of the result */
};

#define ONE       0x3f800000u
#define MINUS_ONE 0xbf800000u

static struct code_operand source(const struct op *o, unsigned i)
{
    const nir_alu_src *src = &o->alu->src[i];
    return baseline_operand(o->q, &src->src, nir_alu_src_comp(src, o->component), o->half);
}

static struct code_operand source_mask(const struct op *o, unsigned i)
{
    const nir_alu_src *src = &o->alu->src[i];
    return baseline_mask(o->q, &src->src, nir_alu_src_comp(src, o->component));
}

static unsigned source_bits(const struct op *o, unsigned i)
{
    return nir_src_bit_size(o->alu->src[i].src);
}

static unsigned in_register(const struct op *o, struct code_operand operand, unsigned scratch)
{
    return baseline_in_register(o->q, operand, scratch, o->wide);
}

/* Emits an instruction with the component's vector length. */
static void emit(const struct op *o, enum baseline_vop op, unsigned reg, unsigned v,
                 struct code_operand rm)
{
    baseline_op(o->q, op, o->length, reg, v, rm);
}

static void emit_imm(const struct op *o, enum baseline_vop op, unsigned reg, unsigned v,
                     struct code_operand rm, unsigned immediate)
{
    baseline_op_imm(o->q, op, o->length, reg, v, rm, immediate);
}

/* target = condition ? word : (zero ? 0 : target). */
static void choose_word(const struct op *o, uint32_t word, bool zero)
{
    o->q->isa->choose(o->q, o->length, o->target, baseline_constant(o->q, word), zero);
}

/* Sets the condition to a comparison of floats. */
static void compare_floats(const struct op *o, unsigned x, struct code_operand y,
                           enum baseline_float_comparison comparison)
{
    o->q->isa->compare_floats(o->q, comparison, o->wide, x, y);
}

static void clear(const struct op *o, unsigned reg)
{
    baseline_op(o->q, VOP_XOR, o->q->isa->length, reg, reg, code_reg(reg));
}

/* --- operations that are one instruction --- */

static const struct simple {
    nir_op op;
    enum baseline_vop words, longs;
    bool commutes; /* swapping the operands gives the same bits, also for NaN */
    bool late;     /* the 64-bit instruction exists only if baseline_isa.longs */
} binary_table[] = {
    {nir_op_fadd, VOP_FADD, VOP_FADD_LONG, false},
    {nir_op_fsub, VOP_FSUB, VOP_FSUB_LONG, false},
    {nir_op_fmul, VOP_FMUL, VOP_FMUL_LONG, false},
    {nir_op_fdiv, VOP_FDIV, VOP_FDIV_LONG, false},
    {nir_op_iadd, VOP_ADD, VOP_ADD_LONG, true},
    {nir_op_isub, VOP_SUB, VOP_SUB_LONG, false},
    {nir_op_imul, VOP_MUL, VOP_MUL_LONG, true, true},
    {nir_op_iand, VOP_AND, VOP_AND_LONG, true},
    {nir_op_ior, VOP_OR, VOP_OR_LONG, true},
    {nir_op_ixor, VOP_XOR, VOP_XOR_LONG, true},
    {nir_op_imin, VOP_SMIN, VOP_SMIN_LONG, true, true},
    {nir_op_imax, VOP_SMAX, VOP_SMAX_LONG, true, true},
    {nir_op_umin, VOP_UMIN, VOP_UMIN_LONG, true, true},
    {nir_op_umax, VOP_UMAX, VOP_UMAX_LONG, true, true},
};

/* Operations on 32-bit elements. */
static const struct unary {
    nir_op op;
    enum baseline_vop words;
} unary_table[] = {
    {nir_op_fsqrt, VOP_FSQRT},
    {nir_op_ftrunc, VOP_TRUNC},
    {nir_op_ffloor, VOP_FLOOR},
    {nir_op_fceil, VOP_CEIL},
    {nir_op_fround_even, VOP_ROUND_EVEN},
    {nir_op_iabs, VOP_ABS},
    {nir_op_i2f32, VOP_INT_TO_FLOAT},
    {nir_op_f2i32_in_range, VOP_FLOAT_TO_INT},
    {nir_op_f2i32_rtne_in_range, VOP_ROUND_TO_INT},
};

static const struct comparison {
    nir_op op;
    enum { OF_FLOATS, OF_SIGNED, OF_UNSIGNED, OF_ANY } of;
    unsigned predicate; /* for floats FLOAT_*, otherwise enum baseline_comparison */
} comparison_table[] = {
    {nir_op_flt, OF_FLOATS, BASELINE_FLOAT_LT},
    {nir_op_fge, OF_FLOATS, BASELINE_FLOAT_GE},
    {nir_op_feq, OF_FLOATS, BASELINE_FLOAT_EQ},
    {nir_op_fneu, OF_FLOATS, BASELINE_FLOAT_NE},
    {nir_op_ilt, OF_SIGNED, BASELINE_SIGNED | BASELINE_LESS},
    {nir_op_ige, OF_SIGNED, BASELINE_SIGNED | BASELINE_LESS | BASELINE_NOT},
    {nir_op_ieq, OF_ANY, BASELINE_EQUAL},
    {nir_op_ine, OF_ANY, BASELINE_EQUAL | BASELINE_NOT},
    {nir_op_ult, OF_UNSIGNED, BASELINE_LESS},
    {nir_op_uge, OF_UNSIGNED, BASELINE_LESS | BASELINE_NOT},
};

static bool emit_binary(const struct op *o)
{
    for (unsigned i = 0; i < ARRAY_SIZE(binary_table); i++) {
        const struct simple *row = &binary_table[i];
        if (row->op != o->alu->op)
            continue;
        if (!o->wide && o->alu->def.bit_size != 32)
            return false;
        struct code_operand x = source(o, 0), y = source(o, 1);
        if (row->commutes && x.kind != CODE_REG && y.kind == CODE_REG) {
            struct code_operand other = x;
            x = y;
            y = other;
        }
        unsigned first = in_register(o, x, 1);
        if (o->wide && row->late && !o->q->isa->longs)
            baseline_long_binary(o->q, row->op, o->target, first, in_register(o, y, 2));
        else
            emit(o, o->wide ? row->longs : row->words, o->target, first, y);
        return true;
    }
    return false;
}

static bool emit_unary(const struct op *o)
{
    for (unsigned i = 0; i < ARRAY_SIZE(unary_table); i++) {
        const struct unary *row = &unary_table[i];
        if (row->op != o->alu->op)
            continue;
        unsigned from = source_bits(o, 0);
        if (o->wide || o->alu->def.bit_size != 32 || from != 32)
            return false;
        emit(o, row->words, o->target, 0, source(o, 0));
        return true;
    }
    return false;
}

/* --- masks --- */

/* Emits REG_VALUE = mask of the elements for which the comparison is true. */
static void compare_elements(const struct op *o, const struct comparison *row)
{
    struct baseline *q = o->q;
    unsigned x = in_register(o, source(o, 0), 1);
    bool negated = false;
    if (row->of == OF_FLOATS)
        compare_floats(o, x, source(o, 1), row->predicate);
    else
        negated = q->isa->compare(q, row->predicate, o->wide, x, source(o, 1));
    q->isa->get_condition(q, o->wide, REG_VALUE);
    if (negated) {
        struct code_operand ones = baseline_constant(q, (1u << (q->isa->lanes >> o->wide)) - 1);
        baseline_memory(q, false, BASELINE_XOR, REG_VALUE, ones.reg, ones.disp);
    }
}

/* Emits a comparison. 64-bit elements take two steps, the second half of the lanes first; both
 * halves of a uniform value are equal. */
static bool emit_comparison(struct op *o)
{
    const struct comparison *row = NULL;
    struct baseline *q = o->q;
    for (unsigned i = 0; i < ARRAY_SIZE(comparison_table); i++)
        if (comparison_table[i].op == o->alu->op)
            row = &comparison_table[i];
    unsigned bits = source_bits(o, 0);
    if (!row || bits == 1 || (bits < 32 && (row->of == OF_FLOATS || row->of == OF_SIGNED)))
        return false;
    o->wide = bits == 64;
    o->half = o->wide;
    compare_elements(o, row);
    if (o->wide) {
        q->machine->shift_left(q, REG_VALUE, q->isa->lanes / 2);
        baseline_registers(q, false, BASELINE_LOAD, REG_OTHER, REG_VALUE);
        o->half = 0;
        compare_elements(o, row);
        baseline_registers(q, false, BASELINE_OR, REG_VALUE, REG_OTHER);
    }
    baseline_settle_mask(q, o->value);
    return true;
}

/* Emits a logic operation on booleans, which are masks. */
static bool emit_logic(const struct op *o)
{
    struct baseline *q = o->q;
    struct code_operand x = source_mask(o, 0);
    unsigned inputs = nir_op_infos[o->alu->op].num_inputs;
    bool negated = o->alu->op == nir_op_inot || o->alu->op == nir_op_ieq;
    unsigned opcode = 0;
    switch (o->alu->op) {
    case nir_op_mov:
    case nir_op_inot:
        break;
    case nir_op_iand:
        opcode = BASELINE_AND;
        break;
    case nir_op_ior:
        opcode = BASELINE_OR;
        break;
    case nir_op_ixor:
    case nir_op_ine:
    case nir_op_ieq:
        opcode = BASELINE_XOR;
        break;
    case nir_op_bcsel: /* (y ^ z) & x ^ z */
        baseline_general(q, false, BASELINE_LOAD, REG_VALUE, source_mask(o, 1));
        baseline_general(q, false, BASELINE_XOR, REG_VALUE, source_mask(o, 2));
        baseline_general(q, false, BASELINE_AND, REG_VALUE, x);
        baseline_general(q, false, BASELINE_XOR, REG_VALUE, source_mask(o, 2));
        baseline_memory(q, false, BASELINE_STORE, REG_VALUE, REG_FRAME, o->value->place);
        return true;
    default:
        return false;
    }
    baseline_general(q, false, BASELINE_LOAD, REG_VALUE, x);
    if (inputs == 2)
        baseline_general(q, false, opcode, REG_VALUE, source_mask(o, 1));
    if (negated)
        baseline_general(q, false, BASELINE_XOR, REG_VALUE, baseline_all_lanes(q));
    baseline_memory(q, false, BASELINE_STORE, REG_VALUE, REG_FRAME, o->value->place);
    return true;
}

/* --- operations that take several instructions --- */

static void emit_choice(const struct op *o)
{
    baseline_load_condition(o->q, o->wide, o->half, source_mask(o, 0));
    unsigned other = in_register(o, source(o, 2), 1);
    o->q->isa->blend(o->q, o->wide, o->length, o->target, other, source(o, 1));
}

/* Emits fmin or fmax: the operand that isn't NaN if only one is; y if the operands are equal. */
static void emit_min_max(const struct op *o)
{
    const enum baseline_vop op = o->alu->op == nir_op_fmax ? VOP_FMAX : VOP_FMIN;
    const nir_alu_src *second = &o->alu->src[1];
    struct code_operand x = source(o, 0);
    unsigned y;
    if (nir_analyze_float(second->src.ssa, nir_alu_src_comp(second, o->component)) &
        NIR_FLOAT_NUMBER) {
        emit(o, op, o->target, in_register(o, x, 1), source(o, 1));
        return;
    }
    unsigned first = in_register(o, x, 1);
    y = in_register(o, source(o, 1), 2);
    emit(o, op, o->target, first, code_reg(y));
    compare_floats(o, y, code_reg(y), BASELINE_FLOAT_UNORD);
    o->q->isa->choose(o->q, o->length, o->target, code_reg(first), false);
}

static void emit_saturate(const struct op *o)
{
    unsigned x = in_register(o, source(o, 0), 1);
    emit(o, VOP_FMAX, o->target, x, baseline_constant(o->q, 0));
    emit(o, VOP_FMIN, o->target, o->target, baseline_constant(o->q, ONE));
}

static void emit_reciprocal(const struct op *o)
{
    struct code_operand x = source(o, 0);
    if (o->alu->op == nir_op_frsq) {
        emit(o, VOP_FSQRT, 2, 0, x);
        x = code_reg(2);
    }
    unsigned one = in_register(o, baseline_constant(o->q, ONE), 1);
    emit(o, VOP_FDIV, o->target, one, x);
}

static void emit_sign(const struct op *o)
{
    unsigned x = in_register(o, source(o, 0), 1);
    compare_floats(o, x, baseline_constant(o->q, 0), BASELINE_FLOAT_LT);
    choose_word(o, MINUS_ONE, true);
    compare_floats(o, x, baseline_constant(o->q, 0), BASELINE_FLOAT_GT);
    choose_word(o, ONE, false);
}

static void emit_fraction(const struct op *o)
{
    unsigned x = in_register(o, source(o, 0), 1);
    emit(o, VOP_FLOOR, 2, 0, code_reg(x));
    emit(o, VOP_FSUB, o->target, x, code_reg(2));
}

/* Converts with saturation; NaN gives 0. See float_to_int in jit_alu.c. */
static void emit_float_to_int(const struct op *o)
{
    const struct baseline_isa *isa = o->q->isa;
    unsigned x = in_register(o, source(o, 0), 1);
    bool is_signed = o->alu->op == nir_op_f2i32;
    if (is_signed)
        emit(o, VOP_FLOAT_TO_INT, o->target, 0, code_reg(x));
    else
        isa->float_to_unsigned(o->q, o->length, o->target, x);
    compare_floats(o, x, baseline_constant(o->q, is_signed ? 0x4f000000 : 0x4f800000),
                   BASELINE_FLOAT_GE);
    choose_word(o, is_signed ? 0x7fffffff : 0xffffffff, false);
    if (is_signed) {
        compare_floats(o, x, code_reg(x), BASELINE_FLOAT_UNORD);
        choose_word(o, 0, false);
    } else {
        compare_floats(o, x, baseline_constant(o->q, 0), BASELINE_FLOAT_GT);
        isa->choose(o->q, o->length, o->target, code_reg(o->target), true);
    }
}

/* Converts unsigned integers to floats. Those below 32 bits fit signed words. */
static bool emit_unsigned_to_float(const struct op *o)
{
    unsigned from = source_bits(o, 0);
    if (o->wide || o->alu->def.bit_size != 32 || from > 32)
        return false;
    unsigned x = in_register(o, source(o, 0), 1);
    if (from < 32)
        emit(o, VOP_INT_TO_FLOAT, o->target, 0, code_reg(x));
    else
        o->q->isa->unsigned_to_float(o->q, o->length, o->target, x);
    return true;
}

/* Emits a shift; one instruction if the count is constant. */
static bool emit_shift(const struct op *o)
{
    const nir_alu_src *count = &o->alu->src[1];
    const bool left = o->alu->op == nir_op_ishl, is_signed = o->alu->op == nir_op_ishr;
    if (nir_src_is_const(count->src)) {
        unsigned by =
            (unsigned)nir_src_comp_as_uint(count->src, nir_alu_src_comp(count, o->component));
        if (is_signed && o->wide && !o->q->isa->shifts_longs)
            return false;
        enum baseline_vop op = left        ? (o->wide ? VOP_SHIFT_LEFT_LONG : VOP_SHIFT_LEFT)
                               : is_signed ? (o->wide ? VOP_SHIFT_SIGNED_LONG : VOP_SHIFT_SIGNED)
                                           : (o->wide ? VOP_SHIFT_RIGHT_LONG : VOP_SHIFT_RIGHT);
        emit_imm(o, op, o->target, 0, source(o, 0), by & (o->wide ? 63 : 31));
        return true;
    }
    if (o->wide)
        return false;
    unsigned by = in_register(o, source(o, 1), 2);
    emit(o, VOP_AND, 2, by, baseline_constant(o->q, 31));
    unsigned x = in_register(o, source(o, 0), 1);
    emit(o,
         left        ? VOP_SHIFT_LEFT_EACH
         : is_signed ? VOP_SHIFT_SIGNED_EACH
                     : VOP_SHIFT_RIGHT_EACH,
         o->target, x, code_reg(2));
    return true;
}

static void emit_with_constant(const struct op *o, enum baseline_vop op, uint32_t word)
{
    emit(o, op, o->target, in_register(o, source(o, 0), 1), baseline_constant(o->q, word));
}

/* Emits 0 - x. */
static void emit_negation(const struct op *o)
{
    clear(o, 1);
    emit(o, o->wide ? VOP_SUB_LONG : VOP_SUB, o->target, 1, source(o, 0));
}

/* Extracts a byte or 16 bits, with a constant index, from words. */
static void emit_extract(const struct op *o)
{
    bool is_signed = o->alu->op == nir_op_extract_i8 || o->alu->op == nir_op_extract_i16;
    unsigned bits = o->alu->op == nir_op_extract_u8 || o->alu->op == nir_op_extract_i8 ? 8 : 16;
    const nir_alu_src *index = &o->alu->src[1];
    if (!nir_src_is_const(index->src)) {
        o->q->failed = true;
        return;
    }
    unsigned at = (unsigned)nir_src_comp_as_uint(index->src, nir_alu_src_comp(index, o->component));
    unsigned up = 32 - bits - (at * bits & 31);
    emit_imm(o, VOP_SHIFT_LEFT, 1, 0, source(o, 0), up);
    emit_imm(o, is_signed ? VOP_SHIFT_SIGNED : VOP_SHIFT_RIGHT, o->target, 0, code_reg(1),
             32 - bits);
}

static void emit_lerp_halves(const struct op *o)
{
    struct baseline *q = o->q;
    unsigned x = in_register(o, source(o, 0), 1), y = in_register(o, source(o, 1), 2);
    emit(o, VOP_SUB_HALVES, 2, y, code_reg(x));
    emit(o, VOP_MUL_ROUND_HALVES, 2, 2, baseline_whole(q, source(o, 2), 3));
    emit(o, VOP_ADD_HALVES, o->target, 2, code_reg(x));
}

static void emit_share(const struct op *o)
{
    emit_imm(o, VOP_SHIFT_LEFT, 1, 0, source(o, 0), 24);
    emit_imm(o, VOP_SHIFT_RIGHT, 2, 0, code_reg(1), 16);
    emit(o, VOP_OR, 1, 1, code_reg(2));
    emit_imm(o, VOP_SHIFT_RIGHT_HALVES, o->target, 0, code_reg(1), 1);
}

static void emit_halves(const struct op *o)
{
    const enum baseline_vop add = VOP_ADD_HALVES, min = VOP_UMIN_HALVES;
    unsigned x = in_register(o, baseline_whole(o->q, source(o, 0), 1), 1);
    emit(o, o->alu->op == nir_op_iadd_2x16 ? add : min, o->target, x,
         baseline_whole(o->q, source(o, 1), 3));
}

/* Emits derivatives; see emit_derivative in jit_alu.c. */
static void emit_derivative(const struct op *o)
{
    static const uint8_t low[4] = {0x00, 0xa0, 0x00, 0x44}, high[4] = {0x55, 0xf5, 0xaa, 0xee};
    nir_op op = o->alu->op;
    bool y = op == nir_op_fddy || op == nir_op_fddy_fine || op == nir_op_fddy_coarse;
    bool fine = op != nir_op_fddx_coarse && op != nir_op_fddy_coarse;
    const enum baseline_vop permute = VOP_PERMUTE_FOUR;
    if (!o->alu->def.divergent) {
        clear(o, o->target);
        return;
    }
    struct code_operand x = source(o, 0);
    emit_imm(o, permute, 1, 0, x, high[y * 2 + fine]);
    emit_imm(o, permute, 2, 0, x, low[y * 2 + fine]);
    emit(o, VOP_FSUB, o->target, 1, code_reg(2));
}

static void emit_fma(const struct op *o)
{
    unsigned x = in_register(o, source(o, 0), 1), y = in_register(o, source(o, 1), 2);
    emit(o, VOP_MOVE, 3, 0, code_reg(x));
    emit(o, o->wide ? VOP_FMA_LONG : VOP_FMA, 3, y, source(o, 2));
    emit(o, VOP_MOVE, o->target, 0, code_reg(3));
}

static void emit_divide(const struct op *o)
{
    baseline_divide(o->q, o->alu->op, o->target, source(o, 0), source(o, 1));
}

static void emit_multiply_high(const struct op *o)
{
    baseline_multiply_high(o->q, o->alu->op == nir_op_imul_high, o->target, source(o, 0),
                           source(o, 1));
}

static void emit_reduction(const struct op *o)
{
    baseline_reduce(o->q, o->alu->op, o->target, source(o, 0), source(o, 1));
}

static void emit_srgb(const struct op *o)
{
    baseline_decode_srgb(o->q, o->target, source(o, 0), o->alu->op == nir_op_srgb_odd_2x16);
}

/* Converts one of the two half floats of a word to a float. */
static void emit_unpack_half(const struct op *o)
{
    unsigned x = in_register(o, source(o, 0), 1);
    if (o->alu->op == nir_op_unpack_half_2x16_split_y) {
        emit_imm(o, VOP_SHIFT_RIGHT, 2, 0, code_reg(x), 16);
        x = 2;
    }
    o->q->isa->narrow(o->q, 16, x, 3);
    baseline_op(o->q, VOP_WIDEN_HALF_FLOAT, o->q->isa->length, o->target, 0, code_reg(3));
}

/* reg = source i as half floats, zero-extended to words. */
static void pack_half(const struct op *o, unsigned i, unsigned reg)
{
    unsigned x = in_register(o, source(o, i), reg);
    const enum code_length length = o->q->isa->length;
    baseline_op(o->q, VOP_NARROW_TO_HALF_FLOAT, length, x, 0, code_reg(3));
    baseline_op(o->q, VOP_WIDEN_HALVES, length, reg, 0, code_reg(3));
}

static void emit_pack_half(const struct op *o)
{
    pack_half(o, 0, 1);
    pack_half(o, 1, 2);
    emit_imm(o, VOP_SHIFT_LEFT, 2, 0, code_reg(2), 16);
    emit(o, VOP_OR, o->target, 1, code_reg(2));
}

/* --- conversions between sizes --- */

/* Widens 32-bit elements of one half of the lanes to 64 bits. */
static void emit_widen(const struct op *o, uint32_t op)
{
    emit(o, op, o->target, 0, baseline_half(o->q, source(o, 0), o->half, 1));
}

/* Narrows 64-bit elements of both halves of the lanes to one vector of 32-bit elements: by
 * truncation, or from doubles to floats. */
static void emit_narrow(struct op *o, bool floats)
{
    const struct baseline_isa *isa = o->q->isa;
    bool pair = baseline_is_pair(o->alu->src[0].src.ssa);
    o->wide = true;
    for (unsigned half = 0; half <= pair; half++) {
        o->half = half;
        unsigned x = in_register(o, source(o, 0), 3);
        if (floats)
            baseline_op(o->q, VOP_NARROW_FLOAT, isa->length, half + 1, 0, code_reg(x));
        else
            isa->narrow(o->q, 32, x, half + 1);
    }
    o->wide = false;
    if (pair)
        baseline_op_imm(o->q, VOP_INSERT_HALF, isa->length, o->target, 1, code_reg(2), 1);
    else
        emit(o, VOP_BROADCAST, o->target, 0, code_reg(1));
}

/* Returns the instruction that widens 32 to 64 bits, or VOP_NONE for other operations. */
static enum baseline_vop widening(nir_op op)
{
    switch (op) {
    case nir_op_u2u64:
        return VOP_WIDEN_WORDS;
    case nir_op_i2i64:
        return VOP_WIDEN_SIGNED;
    case nir_op_f2f64:
        return VOP_WIDEN_FLOAT;
    default:
        return VOP_NONE;
    }
}

static bool emit_size_conversion(struct op *o)
{
    unsigned from = source_bits(o, 0), to = o->alu->def.bit_size;
    const enum baseline_vop widen = widening(o->alu->op);
    if (widen) {
        if (from == 32)
            emit_widen(o, widen);
        return from == 32;
    }
    switch (o->alu->op) {
    case nir_op_f2f32:
        if (from == 64)
            emit_narrow(o, true);
        else
            emit_unpack_half(o);
        return true;
    case nir_op_f2f16:
    case nir_op_f2f16_rtne:
        if (from == 32)
            pack_half(o, 0, o->target);
        return from == 32;
    case nir_op_imul_2x32_64:
    case nir_op_umul_2x32_64:
        baseline_multiply_half(o->q, o->alu->op == nir_op_imul_2x32_64, o->target, source(o, 0),
                               source(o, 1), o->half);
        return true;
    case nir_op_unpack_64_2x32_split_x:
        emit_narrow(o, false);
        return true;
    case nir_op_i2i32:
        if (from < 32) { /* sign extension by two shifts */
            emit_imm(o, VOP_SHIFT_LEFT, 1, 0, source(o, 0), 32 - from);
            emit_imm(o, VOP_SHIFT_SIGNED, o->target, 0, code_reg(1), 32 - from);
            return true;
        }
        /* fall through */
    case nir_op_u2u8:
    case nir_op_u2u16:
    case nir_op_u2u32:
    case nir_op_i2i8:
    case nir_op_i2i16:
        if (from == 64)
            emit_narrow(o, false);
        if (from < to && o->alu->op != nir_op_u2u16 && o->alu->op != nir_op_u2u32)
            return false;
        if (from == 64 && to < 32)
            return false;
        if (from <= 32 && to < from)
            emit_with_constant(o, VOP_AND, (1u << to) - 1);
        else if (from <= 32)
            emit(o, VOP_MOVE, o->target, 0, code_reg(in_register(o, source(o, 0), 1)));
        return true;
    default:
        return false;
    }
}

static bool emit_of_boolean(const struct op *o)
{
    uint32_t word;
    switch (o->alu->op) {
    case nir_op_b2f32:
        word = ONE;
        break;
    case nir_op_b2i8:
    case nir_op_b2i16:
    case nir_op_b2i32:
        word = 1;
        break;
    case nir_op_b2b32:
        word = 0xffffffff;
        break;
    default:
        return false;
    }
    baseline_load_condition(o->q, false, 0, source_mask(o, 0));
    choose_word(o, word, true);
    return true;
}

static void emit_leading_zeros(const struct op *o)
{
    unsigned x = in_register(o, source(o, 0), 1);
    o->q->isa->count_leading_zeros(o->q, o->length, o->target, x);
}

static void emit_float_negation(const struct op *o)
{
    emit_with_constant(o, VOP_XOR, 0x80000000);
}

static void emit_absolute(const struct op *o)
{
    emit_with_constant(o, VOP_AND, 0x7fffffff);
}

static void emit_not(const struct op *o)
{
    emit_with_constant(o, VOP_XOR, 0xffffffff);
}

/* Emits an operation on 32-bit elements. Returns false if it isn't supported. */
static bool emit_word_op(const struct op *o)
{
    static void (*const emitters[nir_num_opcodes])(const struct op *o) = {
        [nir_op_fneg] = emit_float_negation,
        [nir_op_fabs] = emit_absolute,
        [nir_op_inot] = emit_not,
        [nir_op_fsat] = emit_saturate,
        [nir_op_frcp] = emit_reciprocal,
        [nir_op_frsq] = emit_reciprocal,
        [nir_op_fsign] = emit_sign,
        [nir_op_ffract] = emit_fraction,
        [nir_op_f2i32] = emit_float_to_int,
        [nir_op_f2u32] = emit_float_to_int,
        [nir_op_fmin] = emit_min_max,
        [nir_op_fmax] = emit_min_max,
        [nir_op_ffma] = emit_fma,
        [nir_op_freduce_sin] = emit_reduction,
        [nir_op_freduce_cos] = emit_reduction,
        [nir_op_lerp_2x16] = emit_lerp_halves,
        [nir_op_iadd_2x16] = emit_halves,
        [nir_op_share_2x16] = emit_share,
        [nir_op_umin_2x16] = emit_halves,
        [nir_op_pack_half_2x16_split] = emit_pack_half,
        [nir_op_unpack_half_2x16_split_x] = emit_unpack_half,
        [nir_op_unpack_half_2x16_split_y] = emit_unpack_half,
        [nir_op_fddx] = emit_derivative,
        [nir_op_fddy] = emit_derivative,
        [nir_op_fddx_fine] = emit_derivative,
        [nir_op_fddy_fine] = emit_derivative,
        [nir_op_fddx_coarse] = emit_derivative,
        [nir_op_fddy_coarse] = emit_derivative,
        [nir_op_extract_u8] = emit_extract,
        [nir_op_extract_i8] = emit_extract,
        [nir_op_extract_u16] = emit_extract,
        [nir_op_extract_i16] = emit_extract,
        [nir_op_uclz] = emit_leading_zeros,
        [nir_op_imul_high] = emit_multiply_high,
        [nir_op_umul_high] = emit_multiply_high,
        [nir_op_idiv] = emit_divide,
        [nir_op_udiv] = emit_divide,
        [nir_op_irem] = emit_divide,
        [nir_op_imod] = emit_divide,
        [nir_op_umod] = emit_divide,
        [nir_op_srgb_even_2x16] = emit_srgb,
        [nir_op_srgb_odd_2x16] = emit_srgb,
    };
    if (!emitters[o->alu->op])
        return false;
    emitters[o->alu->op](o);
    return true;
}

/* Emits one value of the result. Returns false if the instruction isn't supported. */
static bool emit_value(struct op *o)
{
    unsigned from = source_bits(o, 0), bits = o->alu->def.bit_size;
    switch (o->alu->op) {
    case nir_op_ishl:
    case nir_op_ishr:
    case nir_op_ushr:
        return bits >= 32 && emit_shift(o);
    case nir_op_u2f32:
        return emit_unsigned_to_float(o);
    case nir_op_ineg:
        emit_negation(o);
        return bits >= 32;
    case nir_op_bcsel:
        emit_choice(o);
        return true;
    case nir_op_mov:
        emit(o, VOP_MOVE, o->target, 0, code_reg(in_register(o, source(o, 0), 1)));
        return true;
    default:
        break;
    }
    if (from == 1)
        return emit_of_boolean(o);
    return emit_size_conversion(o) || emit_binary(o) || emit_unary(o) ||
           (!o->wide && from == 32 && bits == 32 && emit_word_op(o));
}

static void emit_component(struct baseline *q, const nir_alu_instr *alu, unsigned component)
{
    const nir_def *def = &alu->def;
    for (unsigned half = 0; half <= baseline_is_pair(def) && !q->failed; half++) {
        struct op o = {
            .q = q,
            .alu = alu,
            .component = component,
            .half = half,
            .wide = def->bit_size == 64,
            .value = baseline_value(q, def, component, half),
        };
        o.length = o.value->vector ? q->isa->length : CODE_128;
        o.target = baseline_target(o.value);
        if (def->bit_size == 1) {
            q->failed |= !(source_bits(&o, 0) == 1 ? emit_logic(&o) : emit_comparison(&o));
        } else {
            q->failed |= !emit_value(&o);
            baseline_settle(q, o.value, def->bit_size == 64);
        }
    }
}

/* Copies the sources of a vec instruction to the components of its result. */
static void emit_vec(struct baseline *q, const nir_alu_instr *alu)
{
    for (unsigned c = 0; c < alu->def.num_components; c++) {
        const nir_alu_src *src = &alu->src[c];
        unsigned from = nir_alu_src_comp(src, 0);
        bool wide = alu->def.bit_size == 64;
        if (alu->def.bit_size == 1) {
            baseline_general(q, false, BASELINE_LOAD, REG_VALUE, baseline_mask(q, &src->src, from));
            baseline_memory(q, false, BASELINE_STORE, REG_VALUE, REG_FRAME,
                            baseline_value(q, &alu->def, c, 0)->place);
            continue;
        }
        for (unsigned half = 0; half <= baseline_is_pair(&alu->def); half++) {
            const struct baseline_value *value = baseline_value(q, &alu->def, c, half);
            unsigned reg =
                baseline_in_register(q, baseline_operand(q, &src->src, from, half), 0, wide);
            baseline_op(q, VOP_MOVE, q->isa->length, baseline_target(value), 0, code_reg(reg));
            baseline_settle(q, value, wide);
        }
    }
}

void baseline_emit_alu(struct baseline *q, nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    if (nir_op_is_vec(alu->op)) {
        emit_vec(q, alu);
        return;
    }
    if (info->output_size != 0 || info->num_inputs > 3) {
        q->failed = true;
        return;
    }
    for (unsigned c = 0; c < alu->def.num_components && !q->failed; c++)
        emit_component(q, alu, c);
}
