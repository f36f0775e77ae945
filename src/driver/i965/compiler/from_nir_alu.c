/* SPDX-License-Identifier: MIT */
/* ALU instructions. They are scalar by now, with 32-bit operands; booleans are 0 or ~0
 * (nir_lower_bool_to_int32). */
#include "from_nir.h"

#include "nir/nir_range_analysis.h"

enum kind {
    KIND_NONE,
    KIND_UNARY,    /* op dst, a */
    KIND_BINARY,   /* op dst, a, b */
    KIND_MINMAX,   /* sel.cmod dst, a, b */
    KIND_MATH,     /* math dst, a[, b] */
    KIND_INT_MATH, /* Like KIND_MATH, in groups of eight channels. */
    KIND_COMPARE,
    KIND_TERNARY,
};

struct rule {
    uint8_t kind, op, type, extra; /* extra: cmod, math function */
    uint8_t order[3];              /* Three sources: index of the NIR source for each operand. */
    uint8_t dst_type;              /* 0xff: the same as type */
};

#define SAME               0xff
#define UNARY(o, t)        {KIND_UNARY, EU_OPCODE_##o, EU_TYPE_##t, 0, {0}, SAME}
#define CONVERT(d, t)      {KIND_UNARY, EU_OPCODE_MOV, EU_TYPE_##t, 0, {0}, EU_TYPE_##d}
#define BINARY(o, t)       {KIND_BINARY, EU_OPCODE_##o, EU_TYPE_##t, 0, {0}, SAME}
#define MINMAX(m, t)       {KIND_MINMAX, EU_OPCODE_SEL, EU_TYPE_##t, EU_CMOD_##m, {0}, SAME}
#define MATH(f)            {KIND_MATH, EU_OPCODE_MATH, EU_TYPE_F, EU_MATH_##f, {0}, SAME}
#define INT_MATH(f, t)     {KIND_INT_MATH, EU_OPCODE_MATH, EU_TYPE_##t, EU_MATH_##f, {0}, SAME}
#define COMPARE(m, t)      {KIND_COMPARE, EU_OPCODE_CMP, EU_TYPE_##t, EU_CMOD_##m, {0}, SAME}
#define TERNARY(o, t, ...) {KIND_TERNARY, EU_OPCODE_##o, EU_TYPE_##t, 0, {__VA_ARGS__}, SAME}

static const struct rule rules[nir_num_opcodes] = {
    [nir_op_ftrunc] = UNARY(RNDZ, F),
    [nir_op_ffloor] = UNARY(RNDD, F),
    [nir_op_fround_even] = UNARY(RNDE, F),
    [nir_op_ffract] = UNARY(FRC, F),
    [nir_op_inot] = UNARY(NOT, UD),
    [nir_op_bitfield_reverse] = UNARY(BFREV, UD),
    [nir_op_bit_count] = UNARY(CBIT, UD),
    [nir_op_find_lsb] = UNARY(FBL, UD),
    [nir_op_uclz] = UNARY(LZD, UD),
    [nir_op_f2i32] = CONVERT(D, F),
    [nir_op_f2u32] = CONVERT(UD, F),
    [nir_op_i2f32] = CONVERT(F, D),
    [nir_op_u2f32] = CONVERT(F, UD),
    [nir_op_frcp] = MATH(INV),
    [nir_op_fsqrt] = MATH(SQRT),
    [nir_op_frsq] = MATH(RSQ),
    [nir_op_fexp2] = MATH(EXP),
    [nir_op_flog2] = MATH(LOG),
    [nir_op_fsin] = MATH(SIN),
    [nir_op_fcos] = MATH(COS),
    [nir_op_fpow] = MATH(POW),
    [nir_op_fadd] = BINARY(ADD, F),
    [nir_op_fmul] = BINARY(MUL, F),
    [nir_op_iadd] = BINARY(ADD, D),
    [nir_op_imul] = BINARY(MUL, D),
    [nir_op_iand] = BINARY(AND, UD),
    [nir_op_ior] = BINARY(OR, UD),
    [nir_op_ixor] = BINARY(XOR, UD),
    [nir_op_ishl] = BINARY(SHL, UD),
    [nir_op_ishr] = BINARY(ASR, D),
    [nir_op_ushr] = BINARY(SHR, UD),
    [nir_op_bfm] = BINARY(BFI1, UD),
    [nir_op_fmin] = MINMAX(L, F),
    [nir_op_fmax] = MINMAX(GE, F),
    [nir_op_imin] = MINMAX(L, D),
    [nir_op_imax] = MINMAX(GE, D),
    [nir_op_umin] = MINMAX(L, UD),
    [nir_op_umax] = MINMAX(GE, UD),
    [nir_op_idiv] = INT_MATH(INT_QUOTIENT, D),
    [nir_op_irem] = INT_MATH(INT_REMAINDER, D),
    [nir_op_udiv] = INT_MATH(INT_QUOTIENT, UD),
    [nir_op_umod] = INT_MATH(INT_REMAINDER, UD),
    [nir_op_flt32] = COMPARE(L, F),
    [nir_op_fge32] = COMPARE(GE, F),
    [nir_op_feq32] = COMPARE(Z, F),
    [nir_op_fneu32] = COMPARE(NZ, F),
    [nir_op_ilt32] = COMPARE(L, D),
    [nir_op_ige32] = COMPARE(GE, D),
    [nir_op_ieq32] = COMPARE(Z, D),
    [nir_op_ine32] = COMPARE(NZ, D),
    [nir_op_ult32] = COMPARE(L, UD),
    [nir_op_uge32] = COMPARE(GE, UD),
    [nir_op_ffma] = TERNARY(MAD, F, 2, 0, 1),
    [nir_op_flrp] = TERNARY(LRP, F, 2, 1, 0),
    [nir_op_bfi] = TERNARY(BFI2, UD, 0, 1, 2),
    [nir_op_ubfe] = TERNARY(BFE, UD, 2, 1, 0),
    [nir_op_ibfe] = TERNARY(BFE, D, 2, 1, 0),
};

static struct lir_reg alu_src(struct from_nir *c, nir_alu_instr *alu, unsigned s, enum eu_type type)
{
    return i965_src_as(c, alu->src[s].src, nir_alu_src_comp(&alu->src[s], 0), type);
}

static struct lir_reg plain_src(struct from_nir *c, nir_alu_instr *alu, unsigned s,
                                enum eu_type type)
{
    return i965_without_modifiers(c, alu_src(c, alu, s, type));
}

/* Returns r, or a copy of it if it is not a register. Math and some other operands require
 * registers. */
static struct lir_reg in_register(struct from_nir *c, struct lir_reg r)
{
    return r.file == LIR_IMM || r.region || r.stride > 1 ? i965_mov(c, r.type, r) : r;
}

static struct lir_reg emit_math(struct from_nir *c, enum eu_math function, struct lir_reg a,
                                struct lir_reg b)
{
    struct lir_reg dst = i965_temp(c, a.type);
    a = in_register(c, a);
    b = b.file == LIR_BAD ? b : in_register(c, b);
    i965_emit2(c, EU_OPCODE_MATH, dst, a, b)->math = function;
    return dst;
}

static struct lir_reg emit_int_math(struct from_nir *c, enum eu_math function, struct lir_reg a,
                                    struct lir_reg b)
{
    struct lir_reg dst = i965_temp(c, a.type);
    unsigned width = c->exec_size, group = c->group;
    a = in_register(c, i965_without_modifiers(c, a));
    b = in_register(c, i965_without_modifiers(c, b));
    c->exec_size = 8;
    for (unsigned i = 0; i < width; i += 8) {
        c->group = group + i;
        i965_emit2(c, EU_OPCODE_MATH, lir_channels(dst, i), lir_channels(a, i), lir_channels(b, i))
            ->math = function;
    }
    c->exec_size = width;
    c->group = group;
    return dst;
}

/* --- Selection --- */

/* Whether the selection reads its condition as a boolean. Other immediates than constants of NIR
 * don't matter, because i965_only_flag_uses() decides before the sources are translated. */
static bool selects_constants(const nir_alu_instr *select)
{
    return nir_src_is_const(select->src[1].src) && nir_src_is_const(select->src[2].src);
}

static struct lir_reg emit_csel(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    bool inverse;
    struct lir_reg a = alu_src(c, alu, 1, EU_TYPE_UD), b = alu_src(c, alu, 2, EU_TYPE_UD);
    bool a_first = a.file != LIR_IMM;
    /* c ? x : 0 is c & x, because a boolean is 0 or ~0. */
    if (selects_constants(alu) && (a.imm == 0 || b.imm == 0)) {
        struct lir_reg cond = plain_src(c, alu, 0, EU_TYPE_UD);
        if (a.imm == 0)
            cond = i965_alu(c, EU_OPCODE_NOT, EU_TYPE_UD, cond, lir_bad());
        return i965_alu(c, EU_OPCODE_AND, EU_TYPE_UD, cond, a.imm ? a : b);
    }
    /* Source modifiers may stay if both sources have the original type. */
    struct lir_reg ra = i965_src(c, alu->src[1].src, nir_alu_src_comp(&alu->src[1], 0));
    struct lir_reg rb = i965_src(c, alu->src[2].src, nir_alu_src_comp(&alu->src[2], 0));
    if ((ra.negate || ra.abs) && (rb.file == LIR_IMM || !(rb.negate || rb.abs))) {
        a = ra;
        b = lir_retype(rb, ra.type);
    } else if ((rb.negate || rb.abs) && (ra.file == LIR_IMM || !(ra.negate || ra.abs))) {
        b = rb;
        a = lir_retype(ra, rb.type);
    } else if ((ra.negate || ra.abs) && ra.type == rb.type) {
        a = ra;
        b = rb;
    }
    if (!a_first && b.file == LIR_IMM) {
        a = i965_mov(c, a.type, a);
        a_first = true;
    }
    i965_condition(c, alu->src[0].src, &inverse);
    struct lir_reg dst = i965_temp(c, a.type);
    struct lir_inst *sel = i965_emit2(c, EU_OPCODE_SEL, dst, a_first ? a : b, a_first ? b : a);
    sel->predicate = EU_PREDICATE_NORMAL;
    sel->predicate_inverse = a_first ? inverse : !inverse;
    return dst;
}

bool i965_is_comparison(const nir_alu_instr *alu)
{
    unsigned bits = alu->src[0].src.ssa->bit_size;
    return rules[alu->op].kind == KIND_COMPARE && (bits == 32 || bits == 64) &&
           alu->def.bit_size == 32 && alu->def.num_components == 1;
}

bool i965_is_wide_comparison(const nir_alu_instr *alu)
{
    return i965_is_comparison(alu) && alu->src[0].src.ssa->bit_size == 64;
}

void i965_emit_comparison(struct from_nir *c, nir_alu_instr *alu, struct lir_reg dst)
{
    const struct rule *rule = &rules[alu->op];
    if (i965_is_wide_comparison(alu)) {
        i965_compare_64(c, alu);
        return;
    }
    struct lir_reg a = alu_src(c, alu, 0, rule->type), b = alu_src(c, alu, 1, rule->type);
    if (rule->type != EU_TYPE_F) { /* See lir_can_do_modifiers(). */
        a = i965_without_modifiers(c, a);
        b = i965_without_modifiers(c, b);
    }
    i965_cmp(c, lir_retype(dst, rule->type), a, b, rule->extra);
}

bool i965_only_flag_uses(nir_alu_instr *alu)
{
    nir_foreach_use_including_if(src, &alu->def)
    {
        if (nir_src_is_if(src))
            continue;
        nir_instr *user = nir_src_parent_instr(src);
        if (user->type == nir_instr_type_intrinsic) {
            nir_intrinsic_op op = nir_instr_as_intrinsic(user)->intrinsic;
            if (op != nir_intrinsic_discard_if && op != nir_intrinsic_demote_if &&
                op != nir_intrinsic_terminate_if)
                return false;
            continue;
        }
        if (user->type != nir_instr_type_alu)
            return false;
        nir_alu_instr *select = nir_instr_as_alu(user);
        if (select->op != nir_op_b32csel || src != &select->src[0].src || selects_constants(select))
            return false;
    }
    return true;
}

/* --- Operations that take several instructions --- */

static struct lir_reg emit_sign(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    struct lir_reg x = alu_src(c, alu, 0, EU_TYPE_F), dst = i965_temp(c, EU_TYPE_UD);
    struct lir_reg bits = lir_retype(i965_without_modifiers(c, x), EU_TYPE_UD);
    i965_emit2(c, EU_OPCODE_AND, dst, bits, lir_imm_ud(0x80000000));
    x.abs = true; /* |x| > 0 is false for zeros and NaN. */
    x.negate = false;
    i965_cmp(c, lir_null(EU_TYPE_F), x, lir_imm_f(0), EU_CMOD_G);
    struct lir_inst *one = i965_emit2(c, EU_OPCODE_OR, dst, dst, lir_imm_ud(0x3f800000));
    one->predicate = EU_PREDICATE_NORMAL;
    return lir_retype(dst, EU_TYPE_F);
}

/* Emits 31 - (distance of the first bit that differs from the sign bit), or -1. */
static struct lir_reg emit_ifind_msb(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    struct lir_reg x = plain_src(c, alu, 0, EU_TYPE_D);
    struct lir_reg sign = i965_alu(c, EU_OPCODE_ASR, EU_TYPE_D, x, lir_imm_ud(31));
    struct lir_reg bits = i965_alu(c, EU_OPCODE_XOR, EU_TYPE_UD, lir_retype(x, EU_TYPE_UD),
                                   lir_retype(sign, EU_TYPE_UD));
    struct lir_reg lead =
        lir_retype(i965_alu(c, EU_OPCODE_LZD, EU_TYPE_UD, bits, lir_bad()), EU_TYPE_D);
    lead.negate = true;
    return i965_alu(c, EU_OPCODE_ADD, EU_TYPE_D, lead, lir_imm_d(31));
}

static struct lir_reg emit_ufind_msb(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    struct lir_reg x = plain_src(c, alu, 0, EU_TYPE_UD);
    struct lir_reg lead =
        lir_retype(i965_alu(c, EU_OPCODE_LZD, EU_TYPE_UD, x, lir_bad()), EU_TYPE_D);
    lead.negate = true;
    return i965_alu(c, EU_OPCODE_ADD, EU_TYPE_D, lead, lir_imm_d(31));
}

static struct lir_reg emit_isign(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    struct lir_reg x = plain_src(c, alu, 0, EU_TYPE_D), a = i965_temp(c, EU_TYPE_D);
    struct lir_reg dst = i965_temp(c, EU_TYPE_D);
    i965_emit2(c, EU_OPCODE_SEL, a, in_register(c, x), lir_imm_d(1))->cmod = EU_CMOD_L;
    i965_emit2(c, EU_OPCODE_SEL, dst, a, lir_imm_d(-1))->cmod = EU_CMOD_GE;
    return dst;
}

/* The remainder has the sign of the divisor. */
static struct lir_reg emit_imod(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    struct lir_reg a = plain_src(c, alu, 0, EU_TYPE_D), b = plain_src(c, alu, 1, EU_TYPE_D);
    struct lir_reg r = emit_int_math(c, EU_MATH_INT_REMAINDER, a, b);
    struct lir_reg differ = i965_alu(c, EU_OPCODE_XOR, EU_TYPE_D, r, b);
    struct lir_reg fixed = i965_alu(c, EU_OPCODE_ADD, EU_TYPE_D, r, b),
                   dst = i965_temp(c, EU_TYPE_D);
    i965_cmp(c, lir_null(EU_TYPE_D), differ, lir_imm_d(0), EU_CMOD_L);
    struct lir_inst *nonzero = i965_cmp(c, lir_null(EU_TYPE_D), r, lir_imm_d(0), EU_CMOD_NZ);
    nonzero->predicate = EU_PREDICATE_NORMAL;
    i965_emit2(c, EU_OPCODE_SEL, dst, fixed, r)->predicate = EU_PREDICATE_NORMAL;
    return dst;
}

static bool is_word(const nir_alu_instr *alu, unsigned s)
{
    const nir_alu_src *src = &alu->src[s];
    return nir_unsigned_upper_bound(src->src.ssa, nir_alu_src_comp(src, 0)) <= UINT16_MAX;
}

/* Emits a 32-bit product without 32-bit multiplication: one instruction if a factor has 16 bits. */
static struct lir_reg emit_product(struct from_nir *c, nir_alu_instr *alu)
{
    struct lir_reg a = plain_src(c, alu, 0, EU_TYPE_D), b = plain_src(c, alu, 1, EU_TYPE_D);
    if (is_word(alu, 1))
        return i965_multiply_word(c, a, b);
    return is_word(alu, 0) ? i965_multiply_word(c, b, a) : i965_multiply(c, a, b);
}

/* Emits the high half of a product: a 64-bit multiplication of eight channels at a time. */
static struct lir_reg emit_mul_high(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    if (!c->p->dev->has_64bit_types)
        return i965_multiply_high(c, type, plain_src(c, alu, 0, type), plain_src(c, alu, 1, type));
    struct lir_reg a = in_register(c, plain_src(c, alu, 0, type));
    struct lir_reg b = in_register(c, plain_src(c, alu, 1, type)), dst = i965_temp(c, type);
    unsigned width = c->exec_size, group = c->group;
    c->exec_size = 8;
    for (unsigned i = 0; i < width; i += 8) {
        struct lir_reg wide = lir_vgrf(c->p, 2, type == EU_TYPE_D ? EU_TYPE_Q : EU_TYPE_UQ), high;
        c->group = group + i;
        i965_emit2(c, EU_OPCODE_MUL, wide, lir_channels(a, i), lir_channels(b, i));
        high = lir_byte_offset(lir_retype(wide, type), 4);
        high.stride = 2;
        i965_emit1(c, EU_OPCODE_MOV, lir_channels(dst, i), high);
    }
    c->exec_size = width;
    c->group = group;
    return dst;
}

/* Converts a comparison's 0 or ~0 to 0 or 1. */
static struct lir_reg comparison_as_one(struct from_nir *c, struct lir_reg a, struct lir_reg b,
                                        enum eu_cmod cmod)
{
    struct lir_reg dst = i965_temp(c, EU_TYPE_UD);
    i965_cmp(c, dst, a, b, cmod);
    dst.type = EU_TYPE_D;
    dst.negate = true;
    return dst;
}

static struct lir_reg emit_carry(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    struct lir_reg a = plain_src(c, alu, 0, EU_TYPE_UD), b = plain_src(c, alu, 1, EU_TYPE_UD);
    struct lir_reg sum = i965_alu(c, EU_OPCODE_ADD, EU_TYPE_UD, a, b);
    return comparison_as_one(c, sum, a, EU_CMOD_L);
}

static struct lir_reg emit_borrow(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    return comparison_as_one(c, plain_src(c, alu, 0, type), plain_src(c, alu, 1, type), EU_CMOD_L);
}

static struct lir_reg saturating_add(struct from_nir *c, struct lir_reg a, struct lir_reg b)
{
    struct lir_reg dst = i965_temp(c, EU_TYPE_D);
    i965_emit2(c, EU_OPCODE_ADD, dst, in_register(c, a), b)->saturate = true;
    return dst;
}

static struct lir_reg emit_iadd_sat(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    return saturating_add(c, plain_src(c, alu, 0, EU_TYPE_D), plain_src(c, alu, 1, EU_TYPE_D));
}

/* Emits ~(~a + b). Unlike -b, ~a is representable for every a. */
static struct lir_reg emit_isub_sat(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    struct lir_reg a = plain_src(c, alu, 0, EU_TYPE_D), b = plain_src(c, alu, 1, EU_TYPE_D);
    a = i965_alu(c, EU_OPCODE_NOT, EU_TYPE_D, a, lir_bad());
    return i965_alu(c, EU_OPCODE_NOT, EU_TYPE_D, saturating_add(c, a, b), lir_bad());
}

/* Emits min(a, ~b) + b, which cannot overflow. */
static struct lir_reg emit_uadd_sat(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    struct lir_reg a = plain_src(c, alu, 0, EU_TYPE_UD), b = plain_src(c, alu, 1, EU_TYPE_UD);
    struct lir_reg room = i965_alu(c, EU_OPCODE_NOT, EU_TYPE_UD, b, lir_bad());
    struct lir_reg less = i965_temp(c, EU_TYPE_UD);
    i965_emit2(c, EU_OPCODE_SEL, less, in_register(c, a), room)->cmod = EU_CMOD_L;
    return i965_alu(c, EU_OPCODE_ADD, EU_TYPE_UD, less, b);
}

/* Emits max(a, b) - b. */
static struct lir_reg emit_usub_sat(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    struct lir_reg a = plain_src(c, alu, 0, EU_TYPE_UD), b = plain_src(c, alu, 1, EU_TYPE_UD);
    struct lir_reg more = i965_temp(c, EU_TYPE_UD);
    i965_emit2(c, EU_OPCODE_SEL, more, in_register(c, a), b)->cmod = EU_CMOD_GE;
    b = lir_retype(b, EU_TYPE_D);
    if (b.file == LIR_IMM)
        b.imm = -b.imm;
    else
        b.negate = true;
    return i965_alu(c, EU_OPCODE_ADD, EU_TYPE_D, lir_retype(more, EU_TYPE_D), b);
}

/* GLSL 4.60 §8.8: the field may have 32 bits; the instruction treats that width as 0. */
static struct lir_reg full_field(struct from_nir *c, struct lir_reg bits, struct lir_reg whole,
                                 struct lir_reg field)
{
    struct lir_reg dst = i965_temp(c, EU_TYPE_UD);
    if (bits.file == LIR_IMM)
        return bits.imm > 31 ? whole : field;
    i965_cmp(c, lir_null(EU_TYPE_UD), lir_retype(bits, EU_TYPE_UD), lir_imm_ud(31), EU_CMOD_G);
    struct lir_inst *sel = i965_emit2(c, EU_OPCODE_SEL, dst, lir_retype(field, EU_TYPE_UD),
                                      lir_retype(whole, EU_TYPE_UD));
    sel->predicate = EU_PREDICATE_NORMAL;
    sel->predicate_inverse = true;
    return dst;
}

static struct lir_reg emit_bitfield_extract(struct from_nir *c, nir_alu_instr *alu,
                                            enum eu_type type)
{
    struct lir_reg base = plain_src(c, alu, 0, type), offset = plain_src(c, alu, 1, type);
    struct lir_reg bits = plain_src(c, alu, 2, type), dst = i965_temp(c, type);
    i965_emit(c, EU_OPCODE_BFE, dst, bits, offset, base);
    return full_field(c, bits, base, dst);
}

static struct lir_reg emit_bitfield_insert(struct from_nir *c, nir_alu_instr *alu,
                                           enum eu_type type)
{
    struct lir_reg base = plain_src(c, alu, 0, EU_TYPE_UD),
                   insert = plain_src(c, alu, 1, EU_TYPE_UD);
    struct lir_reg offset = plain_src(c, alu, 2, EU_TYPE_UD),
                   bits = plain_src(c, alu, 3, EU_TYPE_UD);
    struct lir_reg dst = i965_temp(c, EU_TYPE_UD);
    struct lir_reg mask = i965_alu(c, EU_OPCODE_BFI1, EU_TYPE_UD, bits, offset);
    i965_emit(c, EU_OPCODE_BFI2, dst, mask, insert, base);
    return full_field(c, bits, insert, dst);
}

/* --- Small types --- */

static struct lir_reg emit_pack_half(struct from_nir *c, struct lir_reg x, struct lir_reg y)
{
    struct lir_reg dst = i965_temp(c, EU_TYPE_UD), half = lir_retype(dst, EU_TYPE_HF);
    half.stride = 2;
    i965_undef(c, dst);
    i965_emit1(c, EU_OPCODE_MOV, half, in_register(c, y));
    i965_emit2(c, EU_OPCODE_SHL, dst, dst, lir_imm_ud(16));
    i965_emit1(c, EU_OPCODE_MOV, half, in_register(c, x));
    return dst;
}

static struct lir_reg emit_unpack_half(struct from_nir *c, struct lir_reg x, unsigned half)
{
    struct lir_reg src = in_register(c, x), dst = i965_temp(c, EU_TYPE_F);
    src = lir_byte_offset(lir_retype(src, EU_TYPE_HF), 2 * half);
    src.stride *= 2;
    i965_emit1(c, EU_OPCODE_MOV, dst, src);
    return dst;
}

static struct lir_reg emit_pack_half_split(struct from_nir *c, nir_alu_instr *alu,
                                           enum eu_type type)
{
    return emit_pack_half(c, alu_src(c, alu, 0, type), alu_src(c, alu, 1, type));
}

static struct lir_reg emit_unpack_half_split(struct from_nir *c, nir_alu_instr *alu,
                                             enum eu_type type)
{
    return emit_unpack_half(c, plain_src(c, alu, 0, type),
                            alu->op == nir_op_unpack_half_2x16_split_y);
}

static struct lir_reg emit_quantize(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    return emit_unpack_half(c, emit_pack_half(c, alu_src(c, alu, 0, type), lir_imm_f(0)), 0);
}

static struct lir_reg emit_extract(struct from_nir *c, nir_alu_instr *alu, enum eu_type small)
{
    unsigned size = lir_type_size(small);
    bool is_signed = small == EU_TYPE_B || small == EU_TYPE_W;
    struct lir_reg x = in_register(c, plain_src(c, alu, 0, EU_TYPE_UD));
    struct lir_reg dst = i965_temp(c, is_signed ? EU_TYPE_D : EU_TYPE_UD);
    struct lir_reg n = plain_src(c, alu, 1, EU_TYPE_UD);
    if (n.file != LIR_IMM) {
        n = i965_alu(c, EU_OPCODE_SHL, EU_TYPE_UD, n, lir_imm_ud(size == 1 ? 3 : 4));
        x = i965_alu(c, EU_OPCODE_SHR, EU_TYPE_UD, x, n);
        n = lir_imm_ud(0);
    }
    x = lir_byte_offset(lir_retype(x, small), (n.imm * size) & 3);
    x.stride = (uint8_t)(x.stride * 4 / size);
    i965_emit1(c, EU_OPCODE_MOV, dst, x);
    return dst;
}

/* --- Derivatives: differences within a quad, whose pixels are (0,0), (1,0), (0,1), (1,1). Coarse
 * derivatives are computed as fine ones, because GL_FRAGMENT_SHADER_DERIVATIVE_HINT is not known
 * here. --- */

static struct lir_reg with_region(struct lir_reg r, unsigned element, unsigned vstride,
                                  unsigned width, unsigned hstride)
{
    r = lir_byte_offset(r, element * lir_type_size(r.type));
    r.region = true;
    r.vstride = (uint8_t)vstride;
    r.width = (uint8_t)width;
    r.hstride = (uint8_t)hstride;
    return r;
}

static struct lir_reg emit_derivative(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    bool axis =
        alu->op == nir_op_fddy || alu->op == nir_op_fddy_coarse || alu->op == nir_op_fddy_fine;
    bool fine = alu->op != nir_op_fddx_coarse && alu->op != nir_op_fddy_coarse;
    struct lir_reg x = alu_src(c, alu, 0, type), dst = i965_temp(c, type);
    if (x.file == LIR_IMM || !x.stride)
        return lir_imm_f(0);
    x = in_register(c, i965_without_modifiers(c, x));
    if (x.file != LIR_VGRF)
        x = i965_mov(c, EU_TYPE_F, x);
    if (fine && axis) {
        unsigned width = c->exec_size, group = c->group;
        c->exec_size = 4;
        for (unsigned i = 0; i < width; i += 4) {
            struct lir_reg upper = with_region(lir_channels(x, i), 2, 0, 2, 1);
            struct lir_reg lower = with_region(lir_channels(x, i), 0, 0, 2, 1);
            lower.negate = true;
            c->group = group + i;
            i965_emit2(c, EU_OPCODE_ADD, lir_channels(dst, i), upper, lower);
        }
        c->exec_size = width;
        c->group = group;
        return dst;
    }
    unsigned row = fine ? 2 : 4;
    struct lir_reg far = with_region(x, axis ? 2 : 1, row, row, 0);
    struct lir_reg near = with_region(x, 0, row, row, 0);
    near.negate = true;
    i965_emit2(c, EU_OPCODE_ADD, dst, far, near);
    return dst;
}

/* --- Dispatch --- */

static struct lir_reg emit_rule(struct from_nir *c, nir_alu_instr *alu, const struct rule *rule)
{
    enum eu_type type = rule->type, dst_type = rule->dst_type == SAME ? type : rule->dst_type;
    struct lir_reg src[3], dst;
    unsigned n = nir_op_infos[alu->op].num_inputs;
    for (unsigned i = 0; i < n && i < 3; i++)
        src[i] = alu_src(c, alu, i, type);
    struct lir_inst probe = {.op = rule->op,
                             .math = rule->extra,
                             .dst = {.type = dst_type},
                             .cmod = rule->kind == KIND_MINMAX ? rule->extra : EU_CMOD_NONE};
    for (unsigned i = 0; i < n && i < 3; i++) {
        if (!lir_can_do_modifiers(&probe, rule->kind == KIND_UNARY ? 0 : i, src[i].type))
            src[i] = i965_without_modifiers(c, src[i]);
    }
    switch (rule->kind) {
    case KIND_UNARY:
        dst = i965_temp(c, dst_type);
        i965_emit1(c, rule->op, dst, in_register(c, src[0]));
        return dst;
    case KIND_BINARY:
        return i965_alu(c, rule->op, type, src[0], src[1]);
    case KIND_MINMAX:
        if (src[0].file == LIR_IMM) {
            struct lir_reg t = src[0];
            src[0] = src[1];
            src[1] = t;
        }
        dst = i965_temp(c, type);
        i965_emit2(c, EU_OPCODE_SEL, dst, in_register(c, src[0]), src[1])->cmod = rule->extra;
        return dst;
    case KIND_MATH:
        return emit_math(c, rule->extra, src[0], n > 1 ? src[1] : lir_bad());
    case KIND_INT_MATH:
        return emit_int_math(c, rule->extra, src[0], src[1]);
    case KIND_COMPARE:
        dst = i965_temp(c, EU_TYPE_UD);
        if (i965_only_flag_uses(alu))
            return dst;
        i965_emit_comparison(c, alu, dst);
        return dst;
    default:
        dst = i965_temp(c, type);
        i965_emit(c, rule->op, dst, src[rule->order[0]], src[rule->order[1]], src[rule->order[2]]);
        return dst;
    }
}

static struct lir_reg negated(struct lir_reg r)
{
    if (r.file == LIR_IMM) {
        r.imm = r.type == EU_TYPE_F ? r.imm ^ 0x80000000 : -r.imm;
        return r;
    }
    if (r.type == EU_TYPE_UD)
        r.type = EU_TYPE_D;
    r.negate = !r.negate;
    return r;
}

/* Emits a · (1 - c) + b · c, rounded like LRP. */
static struct lir_reg emit_lerp(struct from_nir *c, nir_alu_instr *alu)
{
    struct lir_reg a = alu_src(c, alu, 0, EU_TYPE_F), b = alu_src(c, alu, 1, EU_TYPE_F);
    struct lir_reg x = alu_src(c, alu, 2, EU_TYPE_F);
    struct lir_reg rest = i965_alu(c, EU_OPCODE_ADD, EU_TYPE_F, negated(x), lir_imm_f(1.0f));
    struct lir_reg first = i965_alu(c, EU_OPCODE_MUL, EU_TYPE_F, rest, a);
    struct lir_reg second = i965_alu(c, EU_OPCODE_MUL, EU_TYPE_F, x, b);
    return i965_alu(c, EU_OPCODE_ADD, EU_TYPE_F, second, first);
}

/* Emits exp2(log2(a) · b). */
static struct lir_reg emit_power(struct from_nir *c, nir_alu_instr *alu)
{
    struct lir_reg log = emit_math(c, EU_MATH_LOG, alu_src(c, alu, 0, EU_TYPE_F), lir_bad());
    struct lir_reg product =
        i965_alu(c, EU_OPCODE_MUL, EU_TYPE_F, log, alu_src(c, alu, 1, EU_TYPE_F));
    return emit_math(c, EU_MATH_EXP, product, lir_bad());
}

typedef struct lir_reg (*emit_function)(struct from_nir *c, nir_alu_instr *alu, enum eu_type type);

static struct lir_reg emit_negation(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    return negated(alu_src(c, alu, 0, type));
}

static struct lir_reg emit_absolute(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    struct lir_reg r = alu_src(c, alu, 0, type);
    if (r.file == LIR_IMM)
        r = i965_mov(c, type, r);
    r.abs = true;
    r.negate = false;
    return r;
}

static struct lir_reg emit_saturation(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    struct lir_reg dst = i965_temp(c, type);
    i965_emit1(c, EU_OPCODE_MOV, dst, alu_src(c, alu, 0, type))->saturate = true;
    return dst;
}

static struct lir_reg emit_difference(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    struct lir_reg minus = negated(alu_src(c, alu, 1, type));
    return i965_alu(c, EU_OPCODE_ADD, type, alu_src(c, alu, 0, type), minus);
}

/* Emits -floor(-a). */
static struct lir_reg emit_ceil(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    struct lir_reg minus = negated(in_register(c, alu_src(c, alu, 0, type)));
    return negated(i965_alu(c, EU_OPCODE_RNDD, type, minus, lir_bad()));
}

static struct lir_reg emit_same(struct from_nir *c, nir_alu_instr *alu, enum eu_type type)
{
    return i965_src(c, alu->src[0].src, nir_alu_src_comp(&alu->src[0], 0));
}

/* Opcodes that take several instructions. */
static const struct {
    emit_function emit;
    enum eu_type type;
} functions[nir_num_opcodes] = {
    [nir_op_fneg] = {emit_negation, EU_TYPE_F},
    [nir_op_ineg] = {emit_negation, EU_TYPE_D},
    [nir_op_fabs] = {emit_absolute, EU_TYPE_F},
    [nir_op_iabs] = {emit_absolute, EU_TYPE_D},
    [nir_op_fsat] = {emit_saturation, EU_TYPE_F},
    [nir_op_fsub] = {emit_difference, EU_TYPE_F},
    [nir_op_isub] = {emit_difference, EU_TYPE_D},
    [nir_op_fceil] = {emit_ceil, EU_TYPE_F},
    [nir_op_fsign] = {emit_sign, EU_TYPE_F},
    [nir_op_isign] = {emit_isign, EU_TYPE_D},
    [nir_op_b32csel] = {emit_csel, EU_TYPE_UD},
    [nir_op_imod] = {emit_imod, EU_TYPE_D},
    [nir_op_imul_high] = {emit_mul_high, EU_TYPE_D},
    [nir_op_umul_high] = {emit_mul_high, EU_TYPE_UD},
    [nir_op_uadd_carry] = {emit_carry, EU_TYPE_UD},
    [nir_op_usub_borrow] = {emit_borrow, EU_TYPE_UD},
    [nir_op_iadd_sat] = {emit_iadd_sat, EU_TYPE_D},
    [nir_op_isub_sat] = {emit_isub_sat, EU_TYPE_D},
    [nir_op_uadd_sat] = {emit_uadd_sat, EU_TYPE_UD},
    [nir_op_usub_sat] = {emit_usub_sat, EU_TYPE_UD},
    [nir_op_ufind_msb] = {emit_ufind_msb, EU_TYPE_UD},
    [nir_op_ifind_msb] = {emit_ifind_msb, EU_TYPE_D},
    [nir_op_ubitfield_extract] = {emit_bitfield_extract, EU_TYPE_UD},
    [nir_op_ibitfield_extract] = {emit_bitfield_extract, EU_TYPE_D},
    [nir_op_bitfield_insert] = {emit_bitfield_insert, EU_TYPE_UD},
    [nir_op_pack_half_2x16_split] = {emit_pack_half_split, EU_TYPE_F},
    [nir_op_unpack_half_2x16_split_x] = {emit_unpack_half_split, EU_TYPE_UD},
    [nir_op_unpack_half_2x16_split_y] = {emit_unpack_half_split, EU_TYPE_UD},
    [nir_op_fquantize2f16] = {emit_quantize, EU_TYPE_F},
    [nir_op_extract_u8] = {emit_extract, EU_TYPE_UB},
    [nir_op_extract_i8] = {emit_extract, EU_TYPE_B},
    [nir_op_extract_u16] = {emit_extract, EU_TYPE_UW},
    [nir_op_extract_i16] = {emit_extract, EU_TYPE_W},
    [nir_op_fddx] = {emit_derivative, EU_TYPE_F},
    [nir_op_fddx_coarse] = {emit_derivative, EU_TYPE_F},
    [nir_op_fddx_fine] = {emit_derivative, EU_TYPE_F},
    [nir_op_fddy] = {emit_derivative, EU_TYPE_F},
    [nir_op_fddy_coarse] = {emit_derivative, EU_TYPE_F},
    [nir_op_fddy_fine] = {emit_derivative, EU_TYPE_F},
    [nir_op_i2i32] = {emit_same, EU_TYPE_UD},
    [nir_op_u2u32] = {emit_same, EU_TYPE_UD},
    [nir_op_f2f32] = {emit_same, EU_TYPE_UD},
    [nir_op_b2b32] = {emit_same, EU_TYPE_UD},
};

static struct lir_reg emit_other(struct from_nir *c, nir_alu_instr *alu)
{
    if (functions[alu->op].emit)
        return functions[alu->op].emit(c, alu, functions[alu->op].type);
    lir_fail(c->p, "operation %s of %u bits is not supported", nir_op_infos[alu->op].name,
             alu->def.bit_size);
    return lir_imm_ud(0);
}

static bool is_32_bit(const nir_alu_instr *alu)
{
    if (alu->def.bit_size != 32)
        return false;
    for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
        if (alu->src[i].src.ssa->bit_size != 32 && alu->op != nir_op_b2b32)
            return false;
    }
    return true;
}

void i965_from_alu(struct from_nir *c, nir_alu_instr *alu)
{
    struct lir_reg *value = i965_new_value(c, &alu->def);
    if (alu->op == nir_op_mov || nir_op_is_vec(alu->op)) {
        for (unsigned i = 0; i < alu->def.num_components; i++) {
            const nir_alu_src *src = &alu->src[alu->op == nir_op_mov ? 0 : i];
            value[i] = i965_src(c, src->src, nir_alu_src_comp(src, alu->op == nir_op_mov ? i : 0));
        }
        return;
    }
    if (alu->def.num_components == 2 && alu->op == nir_op_unpack_half_2x16) {
        for (unsigned i = 0; i < 2; i++)
            value[i] = emit_unpack_half(c, plain_src(c, alu, 0, EU_TYPE_UD), i);
        return;
    }
    if (alu->op == nir_op_pack_half_2x16) {
        value[0] = emit_pack_half(
            c, i965_src_as(c, alu->src[0].src, nir_alu_src_comp(&alu->src[0], 0), EU_TYPE_F),
            i965_src_as(c, alu->src[0].src, nir_alu_src_comp(&alu->src[0], 1), EU_TYPE_F));
        return;
    }
    if (alu->op == nir_op_b2b1) { /* An intrinsic that uses the boolean as an integer. */
        value[0] = i965_src(c, alu->src[0].src, nir_alu_src_comp(&alu->src[0], 0));
        return;
    }
    if (i965_from_chain(c, alu, value) || i965_from_64bit_alu(c, alu, value))
        return;
    if (!is_32_bit(alu) || alu->def.num_components != 1) {
        lir_fail(c->p, "operation %s of %u components of %u bits is not supported",
                 nir_op_infos[alu->op].name, alu->def.num_components, alu->def.bit_size);
        for (unsigned i = 0; i < alu->def.num_components; i++)
            value[i] = lir_imm_ud(0);
        return;
    }
    const struct rule *rule = &rules[alu->op];
    if (alu->op == nir_op_imul && !c->p->dev->has_dword_multiply)
        value[0] = emit_product(c, alu);
    else if (alu->op == nir_op_fpow && !eu_has_math(c->p->dev, EU_MATH_POW))
        value[0] = emit_power(c, alu);
    else if (alu->op == nir_op_flrp && !eu_has_opcode(c->p->dev, EU_OPCODE_LRP))
        value[0] = emit_lerp(c, alu);
    else
        value[0] = rule->kind == KIND_NONE ? emit_other(c, alu) : emit_rule(c, alu, rule);
}
