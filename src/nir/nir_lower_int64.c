/* SPDX-License-Identifier: MIT */
/*
 * Lowers 64-bit integer operations to operations on pairs of 32-bit values, for the groups that the
 * caller selects. The lowered code contains no further 64-bit operations of these groups, so one
 * walk is enough. nir_opt_algebraic removes the packing and unpacking in between.
 *
 * Division follows H. S. Warren, "Hacker's Delight" (2nd edition), §9-4 and §9-5. It uses 32-bit
 * divisions and no loops; corrections are selections.
 */
#include "nir.h"

#include "nir_build_words.h"

/* --- Multiplication --- */

static struct nir_pair product(nir_builder *b, struct nir_pair x, struct nir_pair y)
{
    struct nir_pair p = nir_pair_product(b, x.lo, y.lo);
    p.hi = nir_iadd(b, p.hi, nir_imul(b, x.lo, y.hi));
    p.hi = nir_iadd(b, p.hi, nir_imul(b, x.hi, y.lo));
    return p;
}

static struct nir_pair high_product(nir_builder *b, struct nir_pair x, struct nir_pair y,
                                    bool is_signed)
{
    nir_def *w[4];
    nir_words_product(b, w, x, y);
    struct nir_pair high = {w[2], w[3]};
    if (!is_signed)
        return high;
    struct nir_pair none = {nir_word_zero(b, x.lo), nir_word_zero(b, x.lo)};
    high = nir_pair_sub(b, high, nir_pair_select(b, nir_pair_is_negative(b, x), y, none));
    return nir_pair_sub(b, high, nir_pair_select(b, nir_pair_is_negative(b, y), x, none));
}

/* --- Division --- */

/* Returns a 16-bit digit of n / d, where the highest bit of d is set and n < d * 2^16. The estimate
 * from the upper half of d is at most two too large. n: upper 32 bits of the dividend; next: the 16
 * bits below. */
static nir_def *digit(nir_builder *b, nir_def *n, nir_def *next, nir_def *d)
{
    nir_def *d1 = nir_ushr_imm(b, d, 16), *d0 = nir_iand_imm(b, d, 0xffff);
    nir_def *q = nir_udiv(b, n, d1), *rest = nir_isub(b, n, nir_imul(b, q, d1));
    for (unsigned i = 0; i < 2; i++) {
        nir_def *have = nir_ior(b, nir_ishl_imm(b, rest, 16), next);
        nir_def *large =
            nir_ior(b, nir_uge_imm(b, q, 0x10000), nir_ult(b, have, nir_imul(b, q, d0)));
        nir_def *wrong = nir_iand(b, large, nir_ult_imm(b, rest, 0x10000));
        q = nir_bcsel(b, wrong, nir_iadd_imm(b, q, -1), q);
        rest = nir_bcsel(b, wrong, nir_iadd(b, rest, d1), rest);
    }
    return q;
}

/* Returns n / d for n.hi < d. */
static nir_def *quotient_64_by_32(nir_builder *b, struct nir_pair n, nir_def *d)
{
    nir_def *shift = nir_uclz(b, d);
    n = nir_pair_shift_left(b, n, shift);
    d = nir_ishl(b, d, shift);
    nir_def *n1 = nir_ushr_imm(b, n.lo, 16), *n0 = nir_iand_imm(b, n.lo, 0xffff);
    nir_def *q1 = digit(b, n.hi, n1, d);
    nir_def *rest = nir_ior(b, nir_ishl_imm(b, n.hi, 16), n1);
    rest = nir_isub(b, rest, nir_imul(b, q1, d));
    return nir_iadd(b, nir_ishl_imm(b, q1, 16), digit(b, rest, n0, d));
}

/* Stores the quotient and the remainder; both are 0 if y is 0. */
static void divide(nir_builder *b, struct nir_pair x, struct nir_pair y, struct nir_pair *quotient,
                   struct nir_pair *remainder)
{
    nir_def *none = nir_word_zero(b, x.lo), *wide = nir_ine_imm(b, y.hi, 0),
            *by_zero = nir_pair_is_zero(b, y);
    /* A 32-bit divisor: two steps of long division. */
    nir_def *high = nir_udiv(b, x.hi, y.lo);
    struct nir_pair rest = {x.lo, nir_isub(b, x.hi, nir_imul(b, high, y.lo))};
    /* A longer divisor: x / 2 divided by its upper 32 bits gives the quotient or one more. */
    nir_def *shift = nir_uclz(b, y.hi);
    struct nir_pair half = nir_pair_shift_right(b, x, nir_iadd_imm(b, none, 1), false);
    struct nir_pair n = nir_pair_select(b, wide, half, rest);
    nir_def *d = nir_bcsel(b, wide, nir_pair_shift_left(b, y, shift).hi, y.lo);
    nir_def *q = quotient_64_by_32(b, n, d);
    nir_def *estimate = nir_ushr(b, q, nir_inot(b, shift));
    estimate = nir_bcsel(b, nir_ieq_imm(b, estimate, 0), estimate, nir_iadd_imm(b, estimate, -1));
    struct nir_pair result = {nir_bcsel(b, wide, estimate, q), nir_bcsel(b, wide, none, high)};
    struct nir_pair left = nir_pair_sub(b, x, product(b, result, y));
    nir_def *short_by_one = nir_inot(b, nir_pair_less(b, left, y, false));
    result = nir_pair_select(
        b, short_by_one, nir_pair_add(b, result, (struct nir_pair){nir_iadd_imm(b, none, 1), none}),
        result);
    left = nir_pair_select(b, short_by_one, nir_pair_sub(b, left, y), left);
    *quotient = nir_pair_select(b, by_zero, (struct nir_pair){none, none}, result);
    *remainder = nir_pair_select(b, by_zero, (struct nir_pair){none, none}, left);
}

static struct nir_pair division(nir_builder *b, nir_op op, struct nir_pair x, struct nir_pair y)
{
    struct nir_pair q, r;
    if (op == nir_op_udiv || op == nir_op_umod) {
        divide(b, x, y, &q, &r);
        return op == nir_op_udiv ? q : r;
    }
    nir_def *differ = nir_ilt_imm(b, nir_ixor(b, x.hi, y.hi), 0);
    divide(b, nir_pair_magnitude(b, x), nir_pair_magnitude(b, y), &q, &r);
    if (op == nir_op_idiv)
        return nir_pair_negate_if(b, differ, q);
    r = nir_pair_negate_if(b, nir_pair_is_negative(b, x), r);
    if (op == nir_op_irem)
        return r;
    nir_def *fix = nir_iand(b, differ, nir_inot(b, nir_pair_is_zero(b, r)));
    return nir_pair_select(b, fix, nir_pair_add(b, r, y), r);
}

/* --- Bit operations --- */

static nir_def *unsigned_msb(nir_builder *b, struct nir_pair x)
{
    nir_def *high = nir_iadd_imm(b, nir_ufind_msb(b, x.hi), 32);
    return nir_bcsel(b, nir_ine_imm(b, x.hi, 0), high, nir_ufind_msb(b, x.lo));
}

static nir_def *signed_msb(nir_builder *b, struct nir_pair x)
{
    nir_def *sign = nir_ishr_imm(b, x.hi, 31);
    return unsigned_msb(b, (struct nir_pair){nir_ixor(b, x.lo, sign), nir_ixor(b, x.hi, sign)});
}

static nir_def *lsb(nir_builder *b, struct nir_pair x)
{
    nir_def *high = nir_find_lsb(b, x.hi);
    high = nir_bcsel(b, nir_ilt_imm(b, high, 0), high, nir_iadd_imm(b, high, 32));
    return nir_bcsel(b, nir_ine_imm(b, x.lo, 0), nir_find_lsb(b, x.lo), high);
}

/* Returns byte or 16-bit word n. */
static struct nir_pair extract(nir_builder *b, nir_op op, struct nir_pair x, nir_def *n)
{
    bool is_byte = op == nir_op_extract_u8 || op == nir_op_extract_i8;
    bool is_signed = op == nir_op_extract_i8 || op == nir_op_extract_i16;
    nir_def *upper = nir_ine_imm(b, nir_iand_imm(b, n, is_byte ? 4 : 2), 0);
    nir_def *srcs[2] = {nir_bcsel(b, upper, x.hi, x.lo), n};
    nir_def *field = nir_build_alu(b, op, srcs);
    return (struct nir_pair){field,
                             is_signed ? nir_ishr_imm(b, field, 31) : nir_word_zero(b, field)};
}

/* --- Saturation --- */

static struct nir_pair saturated_sum(nir_builder *b, nir_op op, struct nir_pair x,
                                     struct nir_pair y)
{
    bool is_sum = op == nir_op_iadd_sat;
    struct nir_pair s = is_sum ? nir_pair_add(b, x, y) : nir_pair_sub(b, x, y);
    /* The sum overflowed if its sign differs from the sign that both operands have. */
    nir_def *changed = nir_ixor(b, x.hi, s.hi), *others = nir_ixor(b, x.hi, y.hi);
    if (is_sum)
        others = nir_inot(b, others);
    nir_def *overflow = nir_ilt_imm(b, nir_iand(b, changed, others), 0);
    nir_def *sign = nir_ishr_imm(b, x.hi, 31);
    struct nir_pair limit = {nir_inot(b, sign), nir_ixor_imm(b, sign, 0x7fffffff)};
    return nir_pair_select(b, overflow, limit, s);
}

static struct nir_pair saturating(nir_builder *b, nir_op op, struct nir_pair x, struct nir_pair y)
{
    struct nir_pair s;
    switch (op) {
    case nir_op_uadd_sat:
        s = nir_pair_add(b, x, y);
        return nir_pair_select(b, nir_pair_less(b, s, x, false),
                               nir_pair_constant(b, x.lo, UINT64_MAX), s);
    case nir_op_usub_sat:
        return nir_pair_select(b, nir_pair_less(b, x, y, false), nir_pair_constant(b, x.lo, 0),
                               nir_pair_sub(b, x, y));
    case nir_op_uadd_carry:
        return (struct nir_pair){nir_b2i32(b, nir_pair_less(b, nir_pair_add(b, x, y), x, false)),
                                 nir_word_zero(b, x.lo)};
    case nir_op_usub_borrow:
        return (struct nir_pair){nir_b2i32(b, nir_pair_less(b, x, y, false)),
                                 nir_word_zero(b, x.lo)};
    default:
        return saturated_sum(b, op, x, y);
    }
}

static struct nir_pair sign(nir_builder *b, struct nir_pair x)
{
    nir_def *negative = nir_ishr_imm(b, x.hi, 31);
    nir_def *positive = nir_b2i32(b, nir_inot(b, nir_pair_is_zero(b, x)));
    return (struct nir_pair){nir_ior(b, negative, positive), negative};
}

/* --- Conversions --- */

static struct nir_pair extended(nir_builder *b, nir_def *x, bool is_signed)
{
    if (x->bit_size == 1)
        x = nir_b2i32(b, x);
    else if (x->bit_size < 32)
        x = is_signed ? nir_i2iN(b, x, 32) : nir_u2uN(b, x, 32);
    return (struct nir_pair){x, is_signed ? nir_ishr_imm(b, x, 31) : nir_word_zero(b, x)};
}

/* Converts the 32 highest significant bits, with the lowest bit set if any bit below is set.
 * Rounding this once rounds x correctly. Then scales by a power of two. */
static nir_def *unsigned_to_float(nir_builder *b, struct nir_pair x)
{
    nir_def *n = nir_iadd_imm(b, nir_ufind_msb(b, x.hi), 1);
    struct nir_pair lost = nir_pair_shift_left(b, x, nir_isub_imm(b, 64, n));
    nir_def *sticky = nir_iand(b, nir_ine_imm(b, n, 0), nir_inot(b, nir_pair_is_zero(b, lost)));
    nir_def *top = nir_ior(b, nir_pair_shift_right(b, x, n, false).lo, nir_b2i32(b, sticky));
    nir_def *power = nir_ishl_imm(b, nir_iadd_imm(b, n, 127), 23);
    return nir_fmul(b, nir_u2f32(b, top), power);
}

static nir_def *to_float(nir_builder *b, struct nir_pair x, unsigned bit_size, bool is_signed)
{
    if (bit_size == 64) {
        nir_def *hi = is_signed ? nir_i2f64(b, x.hi) : nir_u2f64(b, x.hi);
        return nir_fadd(b, nir_fmul_imm(b, hi, 0x1p32), nir_u2f64(b, x.lo));
    }
    nir_def *f = unsigned_to_float(b, is_signed ? nir_pair_magnitude(b, x) : x);
    if (is_signed)
        f = nir_bcsel(b, nir_pair_is_negative(b, x), nir_fneg(b, f), f);
    return bit_size == 16 ? nir_f2f16(b, f) : f;
}

/* Converts with saturation; NaN gives 0. */
static struct nir_pair from_float(nir_builder *b, nir_def *f, bool is_signed)
{
    if (f->bit_size == 16)
        f = nir_f2f32(b, f);
    nir_def *x = is_signed ? nir_fabs(b, f) : f;
    nir_def *hi = nir_f2u32(b, nir_fmul_imm(b, x, 0x1p-32));
    nir_def *upper =
        nir_fmul_imm(b, f->bit_size == 64 ? nir_u2f64(b, hi) : nir_u2f32(b, hi), 0x1p32);
    struct nir_pair value = {nir_f2u32(b, nir_fsub(b, x, upper)), hi};
    nir_def *large = nir_fge_imm(b, x, is_signed ? 0x1p63 : 0x1p64);
    if (!is_signed)
        return nir_pair_select(b, large, nir_pair_constant(b, hi, UINT64_MAX), value);
    nir_def *negative = nir_flt_imm(b, f, 0.0);
    struct nir_pair limit = nir_pair_select(b, negative, nir_pair_constant(b, hi, 1ull << 63),
                                            nir_pair_constant(b, hi, INT64_MAX));
    return nir_pair_select(b, large, limit, nir_pair_negate_if(b, negative, value));
}

/* --- Dispatch --- */

static nir_def *lower_add(nir_builder *b, nir_op op, struct nir_pair x, struct nir_pair y)
{
    switch (op) {
    case nir_op_iadd:
        return nir_pair_join(b, nir_pair_add(b, x, y));
    case nir_op_isub:
        return nir_pair_join(b, nir_pair_sub(b, x, y));
    case nir_op_ineg:
        return nir_pair_join(b, nir_pair_negate(b, x));
    case nir_op_iabs:
        return nir_pair_join(b, nir_pair_magnitude(b, x));
    case nir_op_inot:
        return nir_pair_join(b, (struct nir_pair){nir_inot(b, x.lo), nir_inot(b, x.hi)});
    case nir_op_iand:
        return nir_pair_join(b,
                             (struct nir_pair){nir_iand(b, x.lo, y.lo), nir_iand(b, x.hi, y.hi)});
    case nir_op_ior:
        return nir_pair_join(b, (struct nir_pair){nir_ior(b, x.lo, y.lo), nir_ior(b, x.hi, y.hi)});
    case nir_op_ixor:
        return nir_pair_join(b,
                             (struct nir_pair){nir_ixor(b, x.lo, y.lo), nir_ixor(b, x.hi, y.hi)});
    case nir_op_imin:
    case nir_op_umin:
        return nir_pair_join(b,
                             nir_pair_select(b, nir_pair_less(b, x, y, op == nir_op_imin), x, y));
    case nir_op_imax:
    case nir_op_umax:
        return nir_pair_join(b,
                             nir_pair_select(b, nir_pair_less(b, x, y, op == nir_op_imax), y, x));
    case nir_op_ieq:
        return nir_pair_equal(b, x, y);
    case nir_op_ine:
        return nir_inot(b, nir_pair_equal(b, x, y));
    case nir_op_ilt:
    case nir_op_ult:
        return nir_pair_less(b, x, y, op == nir_op_ilt);
    case nir_op_ige:
    case nir_op_uge:
        return nir_inot(b, nir_pair_less(b, x, y, op == nir_op_ige));
    default:
        return NULL;
    }
}

static nir_def *lower_bits(nir_builder *b, nir_op op, struct nir_pair x, nir_def *second)
{
    switch (op) {
    case nir_op_ufind_msb:
        return unsigned_msb(b, x);
    case nir_op_ifind_msb:
        return signed_msb(b, x);
    case nir_op_find_lsb:
        return lsb(b, x);
    case nir_op_bit_count:
        return nir_iadd(b, nir_bit_count(b, x.lo), nir_bit_count(b, x.hi));
    case nir_op_isign:
        return nir_pair_join(b, sign(b, x));
    case nir_op_extract_u8:
    case nir_op_extract_i8:
    case nir_op_extract_u16:
    case nir_op_extract_i16:
        return nir_pair_join(b, extract(b, op, x, second));
    default:
        return nir_pair_join(b, saturating(b, op, x, nir_pair_split(b, second)));
    }
}

static nir_def *lower_shift(nir_builder *b, nir_op op, struct nir_pair x, nir_def *count)
{
    if (op == nir_op_ishl)
        return nir_pair_join(b, nir_pair_shift_left(b, x, count));
    return nir_pair_join(b, nir_pair_shift_right(b, x, count, op == nir_op_ishr));
}

static nir_def *lower_mul(nir_builder *b, nir_op op, nir_def *x, nir_def *y)
{
    switch (op) {
    case nir_op_imul:
        return nir_pair_join(b, product(b, nir_pair_split(b, x), nir_pair_split(b, y)));
    case nir_op_imul_2x32_64:
        return nir_pair_join(b, (struct nir_pair){nir_imul(b, x, y), nir_imul_high(b, x, y)});
    case nir_op_umul_2x32_64:
        return nir_pair_join(b, nir_pair_product(b, x, y));
    default:
        return nir_pair_join(
            b, high_product(b, nir_pair_split(b, x), nir_pair_split(b, y), op == nir_op_imul_high));
    }
}

static bool is_int_type(nir_alu_type type)
{
    nir_alu_type base = nir_alu_type_get_base_type(type);
    return base == nir_type_int || base == nir_type_uint;
}

static nir_def *lower_conversion(nir_builder *b, nir_op op, nir_def *x, unsigned bit_size)
{
    const nir_op_info *info = &nir_op_infos[op];
    nir_alu_type from = nir_alu_type_get_base_type(info->input_types[0]);
    nir_alu_type to = nir_alu_type_get_base_type(info->output_type);
    if (from == nir_type_float)
        return nir_pair_join(b, from_float(b, x, to == nir_type_int));
    if (bit_size == 64 && is_int_type(to))
        return nir_pair_join(b, extended(b, x, from == nir_type_int));
    if (to == nir_type_float)
        return to_float(b, nir_pair_split(b, x), bit_size, from == nir_type_int);
    nir_def *low = nir_pair_split(b, x).lo;
    return bit_size == 32 ? low : nir_u2uN(b, low, bit_size);
}

/* Returns the group of a 64-bit integer operation; 0 for all other instructions. */
static unsigned group_of(const nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    unsigned src_bits = alu->src[0].src.ssa->bit_size;
    if (info->is_conversion) {
        if (src_bits == alu->def.bit_size && is_int_type(info->input_types[0]) &&
            is_int_type(info->output_type))
            return 0;
        bool from = src_bits == 64 && is_int_type(info->input_types[0]);
        bool to = alu->def.bit_size == 64 && is_int_type(info->output_type);
        return from || to ? NIR_INT64_CONVERSIONS : 0;
    }
    switch (alu->op) {
    case nir_op_imul_2x32_64:
    case nir_op_umul_2x32_64:
        return NIR_INT64_MULTIPLY;
    case nir_op_bcsel:
        return alu->def.bit_size == 64 ? NIR_INT64_ADD_LOGIC : 0;
    default:
        break;
    }
    if (src_bits != 64)
        return 0;
    switch (alu->op) {
    case nir_op_imul:
    case nir_op_imul_high:
    case nir_op_umul_high:
        return NIR_INT64_MULTIPLY;
    case nir_op_idiv:
    case nir_op_udiv:
    case nir_op_irem:
    case nir_op_imod:
    case nir_op_umod:
        return NIR_INT64_DIVIDE;
    case nir_op_ishl:
    case nir_op_ishr:
    case nir_op_ushr:
        return NIR_INT64_SHIFTS;
    case nir_op_ufind_msb:
    case nir_op_ifind_msb:
    case nir_op_find_lsb:
    case nir_op_bit_count:
    case nir_op_isign:
    case nir_op_extract_u8:
    case nir_op_extract_i8:
    case nir_op_extract_u16:
    case nir_op_extract_i16:
    case nir_op_uadd_carry:
    case nir_op_usub_borrow:
    case nir_op_uadd_sat:
    case nir_op_usub_sat:
    case nir_op_iadd_sat:
    case nir_op_isub_sat:
        return NIR_INT64_BITS;
    default:
        return NIR_INT64_ADD_LOGIC;
    }
}

static nir_def *lower(nir_builder *b, nir_alu_instr *alu, unsigned group)
{
    nir_def *src[3] = {NULL};
    for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs && i < 3; i++)
        src[i] = nir_alu_src_def(b, alu, i);
    if (alu->op == nir_op_bcsel)
        return nir_pair_join(
            b, nir_pair_select(b, src[0], nir_pair_split(b, src[1]), nir_pair_split(b, src[2])));
    switch (group) {
    case NIR_INT64_CONVERSIONS:
        return lower_conversion(b, alu->op, src[0], alu->def.bit_size);
    case NIR_INT64_MULTIPLY:
        return lower_mul(b, alu->op, src[0], src[1]);
    case NIR_INT64_DIVIDE:
        return nir_pair_join(
            b, division(b, alu->op, nir_pair_split(b, src[0]), nir_pair_split(b, src[1])));
    case NIR_INT64_SHIFTS:
        return lower_shift(b, alu->op, nir_pair_split(b, src[0]), src[1]);
    case NIR_INT64_BITS:
        return lower_bits(b, alu->op, nir_pair_split(b, src[0]), src[1]);
    default: {
        struct nir_pair x = nir_pair_split(b, src[0]);
        return lower_add(b, alu->op, x,
                         src[1] && src[1]->bit_size == 64 ? nir_pair_split(b, src[1]) : x);
    }
    }
}

/* Returns true for operations on integers or bits, of any size. */
static bool is_for_integers(const nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    if (info->is_conversion || alu->op == nir_op_bcsel)
        return true;
    if (info->output_size || nir_op_is_vec(alu->op) || alu->op == nir_op_mov)
        return false;
    return is_int_type(info->input_types[0]) &&
           nir_alu_type_get_type_size(info->input_types[0]) != 64;
}

static bool lower_instr(nir_builder *b, nir_alu_instr *alu, void *data)
{
    unsigned group = is_for_integers(alu) ? group_of(alu) : 0;
    if (!(group & *(unsigned *)data))
        return false;
    b->cursor = nir_before_instr(&alu->instr);
    b->exact = true; /* the lowered conversions must not be rewritten */
    nir_def *def = lower(b, alu, group);
    if (def)
        nir_def_replace(&alu->def, def);
    return def != NULL;
}

bool nir_lower_int64(nir_shader *shader, unsigned groups)
{
    return nir_shader_alu_pass(shader, lower_instr, nir_metadata_control_flow, &groups);
}
