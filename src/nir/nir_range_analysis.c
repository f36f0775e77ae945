/* SPDX-License-Identifier: MIT */
/* Facts about floats and upper bounds of integers, derived from the instructions that compute
 * them. */
#include "nir_range_analysis.h"

#include <math.h>

/* Limit of the instruction chain to look at; selections look at two sources each. */
#define MAX_DEPTH 5

static nir_alu_instr *alu_of(const nir_def *def)
{
    return def->parent_instr->type == nir_instr_type_alu ? nir_instr_as_alu(def->parent_instr)
                                                         : NULL;
}

/* ----------------------------------------------------------------------------------- floats --- */

static unsigned float_facts(nir_def *def, unsigned comp, unsigned depth);

static unsigned src_facts(const nir_alu_instr *alu, unsigned s, unsigned comp, unsigned depth)
{
    return float_facts(alu->src[s].src.ssa, nir_alu_src_comp(&alu->src[s], comp), depth);
}

static unsigned constant_facts(const nir_load_const_instr *load, unsigned comp)
{
    if (load->def.bit_size < 16)
        return 0;
    double x = nir_const_value_as_float(load->value[comp], load->def.bit_size);
    unsigned facts = 0;
    if (isnan(x))
        return 0;
    facts |= signbit(x) ? 0 : NIR_FLOAT_NOT_NEGATIVE;
    facts |= isfinite(x) ? NIR_FLOAT_FINITE : 0;
    facts |= fabs(x) <= 1.0 ? NIR_FLOAT_AT_MOST_ONE : 0;
    facts |= floor(x) == x ? NIR_FLOAT_INTEGRAL : 0;
    return facts | NIR_FLOAT_NUMBER;
}

#define NUMBER (NIR_FLOAT_NUMBER | NIR_FLOAT_FINITE)
#define UNIT   (NUMBER | NIR_FLOAT_NOT_NEGATIVE | NIR_FLOAT_AT_MOST_ONE)

/* fmin and fmax: a number takes precedence over NaN; either of two zeros of different sign may
 * result. */
static unsigned min_max_facts(const nir_alu_instr *alu, unsigned comp, unsigned depth)
{
    unsigned a = src_facts(alu, 0, comp, depth), b = src_facts(alu, 1, comp, depth);
    unsigned both = a & b, facts = both & (NIR_FLOAT_FINITE | NIR_FLOAT_INTEGRAL);
    facts |= (a | b) & NIR_FLOAT_NUMBER;
    if (both & NIR_FLOAT_NUMBER)
        facts |= both & (NIR_FLOAT_NOT_NEGATIVE | NIR_FLOAT_AT_MOST_ONE);
    return facts;
}

/* Returns the bound of an integer below 2^24 that is converted to float, and thus exact; otherwise
 * 0. */
static uint64_t converted_bound(const nir_alu_instr *alu, unsigned s, unsigned comp)
{
    const nir_alu_instr *from = alu_of(alu->src[s].src.ssa);
    if (!from || (from->op != nir_op_i2f32 && from->op != nir_op_u2f32) ||
        from->src[0].src.ssa->bit_size != 32)
        return 0;
    unsigned c = nir_alu_src_comp(&from->src[0], nir_alu_src_comp(&alu->src[s], comp));
    uint64_t bound = nir_unsigned_upper_bound(from->src[0].src.ssa, c);
    return bound < 1 << 24 ? bound : 0;
}

/* Returns true for the product of a bounded integer and a constant that is at most 1, as in the
 * conversion of normalized integers to floats. */
static bool scales_to_unit(const nir_alu_instr *alu, unsigned comp)
{
    const nir_src *factor = &alu->src[1].src;
    if (!nir_src_is_const(*factor) || alu->def.bit_size != 32)
        return false;
    float scale = (float)nir_src_comp_as_float(*factor, nir_alu_src_comp(&alu->src[1], comp));
    uint64_t bound = converted_bound(alu, 0, comp);
    return bound && scale >= 0 && (float)bound * scale <= 1.0f;
}

static unsigned mul_facts(const nir_alu_instr *alu, unsigned comp, unsigned depth)
{
    unsigned a = src_facts(alu, 0, comp, depth), b = src_facts(alu, 1, comp, depth);
    bool square = alu->src[0].src.ssa == alu->src[1].src.ssa &&
                  nir_alu_src_comp(&alu->src[0], comp) == nir_alu_src_comp(&alu->src[1], comp);
    unsigned facts = a & b & (NIR_FLOAT_NOT_NEGATIVE | NIR_FLOAT_AT_MOST_ONE);
    if (scales_to_unit(alu, comp))
        return UNIT;
    if (square)
        facts |= NIR_FLOAT_NOT_NEGATIVE;
    /* Only zero times infinity gives NaN for operands that are numbers. */
    if (a & b & NIR_FLOAT_FINITE)
        facts |= NIR_FLOAT_NUMBER;
    /* The absolute value of the product is at most that of the other factor. */
    if ((a & b & NIR_FLOAT_FINITE) && ((a | b) & NIR_FLOAT_AT_MOST_ONE))
        facts |= NIR_FLOAT_FINITE;
    return facts;
}

/* Returns whether no sum of two values with these facts is NaN. Of numbers, only infinities of
 * different sign have the sum NaN. */
static bool sum_is_number(unsigned a, unsigned b)
{
    return (a & b & NIR_FLOAT_NUMBER) &&
           ((a | b) & NIR_FLOAT_FINITE || (a & b & NIR_FLOAT_NOT_NEGATIVE));
}

static unsigned alu_facts(const nir_alu_instr *alu, unsigned comp, unsigned depth)
{
    unsigned a, b;
    switch (alu->op) {
    case nir_op_mov:
        return src_facts(alu, 0, comp, depth);
    case nir_op_fabs:
        return src_facts(alu, 0, comp, depth) | NIR_FLOAT_NOT_NEGATIVE;
    case nir_op_fneg:
        return src_facts(alu, 0, comp, depth) & ~(unsigned)NIR_FLOAT_NOT_NEGATIVE;
    case nir_op_fsat:
        return UNIT | (src_facts(alu, 0, comp, depth) & NIR_FLOAT_INTEGRAL);
    case nir_op_b2f16:
    case nir_op_b2f32:
    case nir_op_b2f64:
        return UNIT | NIR_FLOAT_INTEGRAL;
    case nir_op_u2f32:
    case nir_op_u2f64:
        return NUMBER | NIR_FLOAT_NOT_NEGATIVE | NIR_FLOAT_INTEGRAL;
    case nir_op_i2f32:
    case nir_op_i2f64:
        return NUMBER | NIR_FLOAT_INTEGRAL;
    case nir_op_fsign:
        return NUMBER | NIR_FLOAT_AT_MOST_ONE | NIR_FLOAT_INTEGRAL;
    case nir_op_ffloor:
    case nir_op_ftrunc:
    case nir_op_fround_even:
        return src_facts(alu, 0, comp, depth) | NIR_FLOAT_INTEGRAL;
    case nir_op_fceil: /* fceil of a number in (-1, 0) is -0 */
        return (src_facts(alu, 0, comp, depth) & (NUMBER | NIR_FLOAT_NOT_NEGATIVE)) |
               NIR_FLOAT_INTEGRAL;
    case nir_op_fexp2:
        return NIR_FLOAT_NOT_NEGATIVE | (src_facts(alu, 0, comp, depth) & NIR_FLOAT_NUMBER);
    case nir_op_fmin:
    case nir_op_fmax:
        return min_max_facts(alu, comp, depth);
    case nir_op_fmul:
        return mul_facts(alu, comp, depth);
    case nir_op_fadd:
        a = src_facts(alu, 0, comp, depth);
        b = src_facts(alu, 1, comp, depth);
        return (a & b & NIR_FLOAT_NOT_NEGATIVE) | (sum_is_number(a, b) ? NIR_FLOAT_NUMBER : 0);
    case nir_op_fsub:
        a = src_facts(alu, 0, comp, depth);
        b = src_facts(alu, 1, comp, depth);
        return sum_is_number(a, b & ~(unsigned)NIR_FLOAT_NOT_NEGATIVE) ? NIR_FLOAT_NUMBER : 0;
    case nir_op_bcsel:
        return src_facts(alu, 1, comp, depth) & src_facts(alu, 2, comp, depth);
    default:
        return 0;
    }
}

static unsigned float_facts(nir_def *def, unsigned comp, unsigned depth)
{
    if (def->parent_instr->type == nir_instr_type_load_const)
        return constant_facts(nir_instr_as_load_const(def->parent_instr), comp);
    nir_alu_instr *alu = alu_of(def);
    if (!alu || depth == MAX_DEPTH)
        return 0;
    if (nir_op_is_vec(alu->op) && alu->op != nir_op_mov)
        return src_facts(alu, comp, 0, depth + 1);
    if (nir_op_infos[alu->op].output_size)
        return 0;
    return alu_facts(alu, comp, depth + 1);
}

unsigned nir_analyze_float(nir_def *def, unsigned component)
{
    return float_facts(def, component, 0);
}

/* --------------------------------------------------------------------------------- integers --- */

static uint64_t upper_bound(nir_def *def, unsigned comp, unsigned depth);

static uint64_t src_bound(const nir_alu_instr *alu, unsigned s, unsigned comp, unsigned depth)
{
    return upper_bound(alu->src[s].src.ssa, nir_alu_src_comp(&alu->src[s], comp), depth);
}

static bool src_constant(const nir_alu_instr *alu, unsigned s, unsigned comp, uint64_t *value)
{
    if (!nir_src_is_const(alu->src[s].src))
        return false;
    *value = nir_src_comp_as_uint(alu->src[s].src, nir_alu_src_comp(&alu->src[s], comp));
    return true;
}

/* Returns all ones up to the highest bit of x. */
static uint64_t fill(uint64_t x)
{
    return x ? ~0ull >> __builtin_clzll(x) : 0;
}

/* Returns the bound of the low half of umin_2x16 with a constant: the low half of the constant. */
static uint64_t low_half_bound(const nir_alu_instr *alu, unsigned s, unsigned comp)
{
    const nir_alu_instr *least = alu_of(alu->src[s].src.ssa);
    uint64_t limit;
    if (!least || least->op != nir_op_umin_2x16 ||
        !src_constant(least, 1, nir_alu_src_comp(&alu->src[s], comp), &limit))
        return 0xffff;
    return limit & 0xffff;
}

static uint64_t alu_bound(const nir_alu_instr *alu, unsigned comp, unsigned depth)
{
    unsigned bits = alu->def.bit_size;
    uint64_t all = bits == 64 ? ~0ull : (1ull << bits) - 1, a, b, c;
    switch (alu->op) {
    case nir_op_mov:
    case nir_op_u2u8:
    case nir_op_u2u16:
    case nir_op_u2u32:
    case nir_op_u2u64:
        a = src_bound(alu, 0, comp, depth);
        return a <= all ? a : all;
    case nir_op_b2i8:
    case nir_op_b2i16:
    case nir_op_b2i32:
    case nir_op_b2i64:
    case nir_op_uadd_carry:
    case nir_op_usub_borrow:
        return 1;
    case nir_op_bit_count:
        return 64;
    case nir_op_iand:
        a = src_bound(alu, 0, comp, depth);
        b = src_bound(alu, 1, comp, depth);
        if (src_constant(alu, 1, comp, &c) && c <= 0xffff)
            a = MIN2(a, low_half_bound(alu, 0, comp));
        return MIN2(a, b);
    case nir_op_umin:
        a = src_bound(alu, 0, comp, depth);
        b = src_bound(alu, 1, comp, depth);
        return MIN2(a, b);
    case nir_op_umin_2x16: /* if each half is bounded by that of another word, so is the word */
        return src_constant(alu, 1, comp, &c) ? c : all;
    case nir_op_umax:
        a = src_bound(alu, 0, comp, depth);
        b = src_bound(alu, 1, comp, depth);
        return MAX2(a, b);
    case nir_op_ior:
    case nir_op_ixor:
        return fill(src_bound(alu, 0, comp, depth) | src_bound(alu, 1, comp, depth));
    case nir_op_bcsel:
        a = src_bound(alu, 1, comp, depth);
        b = src_bound(alu, 2, comp, depth);
        return MAX2(a, b);
    case nir_op_ushr:
        a = src_bound(alu, 0, comp, depth);
        return src_constant(alu, 1, comp, &c) ? a >> (c & (bits - 1)) : a;
    case nir_op_udiv:
        a = src_bound(alu, 0, comp, depth);
        return src_constant(alu, 1, comp, &c) && c ? a / c : a;
    case nir_op_umod: /* modulo zero is 0 */
        a = src_bound(alu, 0, comp, depth);
        b = src_bound(alu, 1, comp, depth);
        return MIN2(a, b ? b - 1 : 0);
    case nir_op_iadd:
        a = src_bound(alu, 0, comp, depth);
        b = src_bound(alu, 1, comp, depth);
        return a <= all - b ? a + b : all;
    case nir_op_imul:
        a = src_bound(alu, 0, comp, depth);
        b = src_bound(alu, 1, comp, depth);
        return !a || b <= all / a ? a * b : all;
    case nir_op_ishl:
        a = src_bound(alu, 0, comp, depth);
        return src_constant(alu, 1, comp, &c) && a <= all >> (c & (bits - 1))
                   ? a << (c & (bits - 1))
                   : all;
    case nir_op_extract_u8:
        return 0xff;
    case nir_op_extract_u16:
        return 0xffff;
    case nir_op_ubfe:
        return src_constant(alu, 2, comp, &c) ? (1ull << (c & 31)) - 1 : all;
    default:
        return all;
    }
}

static uint64_t upper_bound(nir_def *def, unsigned comp, unsigned depth)
{
    uint64_t all = def->bit_size == 64 ? ~0ull : (1ull << def->bit_size) - 1;
    if (def->parent_instr->type == nir_instr_type_load_const)
        return nir_const_value_as_uint(nir_instr_as_load_const(def->parent_instr)->value[comp],
                                       def->bit_size);
    nir_alu_instr *alu = alu_of(def);
    if (!alu || depth == MAX_DEPTH)
        return all;
    if (nir_op_is_vec(alu->op) && alu->op != nir_op_mov)
        return src_bound(alu, comp, 0, depth + 1);
    if (nir_op_infos[alu->op].output_size)
        return all;
    return alu_bound(alu, comp, depth + 1);
}

uint64_t nir_unsigned_upper_bound(nir_def *def, unsigned component)
{
    return upper_bound(def, component, 0);
}
