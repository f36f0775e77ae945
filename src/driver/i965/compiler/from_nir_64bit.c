/* SPDX-License-Identifier: MIT */
/*
 * 64-bit values. Component c is at byte c * 8 * width. An operand may span two registers, so
 * instructions have at most eight channels. Results that are narrower than the execution type are
 * written with a stride and then packed.
 */
#include "from_nir.h"

static struct lir_reg wide_temp(struct from_nir *c, enum eu_type type)
{
    struct lir_reg r = lir_temp(c->p, c->exec_size, 1, type);
    i965_undef(c, r);
    return r;
}

/* Emits op for each group of eight channels. */
struct each {
    unsigned op, cmod, predicate;
    bool inverse, saturate;
};

static void emit_each(struct from_nir *c, const struct each *e, struct lir_reg dst,
                      struct lir_reg a, struct lir_reg b, struct lir_reg d)
{
    unsigned width = c->exec_size, group = c->group;
    c->exec_size = 8;
    for (unsigned i = 0; i < width; i += 8) {
        c->group = group + i;
        struct lir_inst *inst =
            i965_emit(c, e->op, lir_is_null(&dst) ? dst : lir_channels(dst, i), lir_channels(a, i),
                      lir_channels(b, i), lir_channels(d, i));
        inst->cmod = (uint8_t)e->cmod;
        inst->predicate = (uint8_t)e->predicate;
        inst->predicate_inverse = e->inverse;
        inst->saturate = e->saturate;
    }
    c->exec_size = width;
    c->group = group;
}

static struct lir_reg emit_wide(struct from_nir *c, unsigned op, enum eu_type type,
                                struct lir_reg a, struct lir_reg b, struct lir_reg d)
{
    struct lir_reg dst = wide_temp(c, type);
    emit_each(c, &(struct each){.op = op}, dst, a, b, d);
    return dst;
}

void i965_move_64(struct from_nir *c, struct lir_reg dst, struct lir_reg src)
{
    if (src.type == EU_TYPE_UD) /* An undefined value. */
        src = i965_pack_64(c, src, src);
    dst.type = src.type;
    emit_each(c, &(struct each){.op = EU_OPCODE_MOV}, dst, src, lir_bad(), lir_bad());
}

/* Returns whether the two dwords are adjacent and uniform, so that they can be read as one
 * scalar. */
static bool is_wide_scalar(const struct lir_reg *low, const struct lir_reg *high)
{
    return (low->file == LIR_GRF || low->file == LIR_VGRF) && high->file == low->file &&
           high->nr == low->nr && high->offset == low->offset + 4 && low->offset % 8 == 0 &&
           !low->stride && !high->stride && !low->region && !high->region && !low->negate &&
           !low->abs && !high->negate && !high->abs;
}

/* Emitted at the start of the program, where it dominates all uses. */
static struct lir_reg wide_constant(struct from_nir *c, uint32_t low, uint32_t high)
{
    struct i965_wide_constant constant = {.value = (uint64_t)high << 32 | low};
    unsigned n = c->wide_constants.count;
    for (unsigned i = 0; i < n; i++) {
        if (c->wide_constants.data[i].value == constant.value)
            return c->wide_constants.data[i].place;
    }
    if (n % 4)
        constant.place = lir_byte_offset(c->wide_constants.data[n - 1].place, 8);
    else
        constant.place = lir_scalar(lir_vgrf(c->p, 1, EU_TYPE_UQ), 0);
    const uint32_t dwords[] = {low, high};
    for (unsigned i = 0; i < 2; i++) {
        struct lir_reg dst = lir_byte_offset(lir_retype(constant.place, EU_TYPE_UD), 4 * i);
        struct lir_inst *mov = lir_inst_create(c->p, EU_OPCODE_MOV, 1, dst, lir_imm_ud(dwords[i]),
                                               lir_bad(), lir_bad());
        mov->no_mask = true;
        list_add(&mov->node, &c->p->insts);
    }
    (void)dynarray_append(&c->wide_constants, constant);
    return constant.place;
}

struct lir_reg i965_pack_64(struct from_nir *c, struct lir_reg low, struct lir_reg high)
{
    if (is_wide_scalar(&low, &high))
        return lir_retype(low, EU_TYPE_UQ);
    if (low.file == LIR_IMM && high.file == LIR_IMM)
        return wide_constant(c, low.imm, high.imm);
    struct lir_reg dst = wide_temp(c, EU_TYPE_UQ), half = lir_retype(dst, EU_TYPE_UD);
    half.stride = 2;
    emit_each(c, &(struct each){.op = EU_OPCODE_MOV}, half, lir_retype(low, EU_TYPE_UD), lir_bad(),
              lir_bad());
    emit_each(c, &(struct each){.op = EU_OPCODE_MOV}, lir_byte_offset(half, 4),
              lir_retype(high, EU_TYPE_UD), lir_bad(), lir_bad());
    return dst;
}

static struct lir_reg resolved(struct from_nir *c, struct lir_reg r)
{
    if (!r.negate && !r.abs)
        return r;
    return emit_wide(c, EU_OPCODE_MOV, r.type, r, lir_bad(), lir_bad());
}

/* Returns dword 0 or 1 of each value. */
struct lir_reg i965_unpack_64(struct from_nir *c, struct lir_reg r, unsigned dword)
{
    r = resolved(c, r);
    struct lir_reg dst = i965_temp(c, EU_TYPE_UD),
                   half = lir_byte_offset(lir_retype(r, EU_TYPE_UD), 4 * dword);
    half.stride = (uint8_t)(r.stride * 2);
    emit_each(c, &(struct each){.op = EU_OPCODE_MOV}, dst, half, lir_bad(), lir_bad());
    return dst;
}

/* Converts to a 32-bit type: writes with a stride, then packs the result. */
static struct lir_reg narrow(struct from_nir *c, enum eu_type type, struct lir_reg r)
{
    struct lir_reg spread = wide_temp(c, EU_TYPE_UQ), half = lir_retype(spread, type);
    half.stride = 2;
    emit_each(c, &(struct each){.op = EU_OPCODE_MOV}, half, r, lir_bad(), lir_bad());
    return lir_retype(i965_unpack_64(c, spread, 0), type);
}

/* Three-source instructions cannot read a double as a scalar; returns a copy in all channels. */
static struct lir_reg of_channels(struct from_nir *c, struct lir_reg r)
{
    return r.stride ? r : emit_wide(c, EU_OPCODE_MOV, r.type, r, lir_bad(), lir_bad());
}

static struct lir_reg source(struct from_nir *c, const nir_alu_instr *alu, unsigned s,
                             enum eu_type type)
{
    struct lir_reg r = i965_src(c, alu->src[s].src, nir_alu_src_comp(&alu->src[s], 0));
    bool is_float = type == EU_TYPE_F || type == EU_TYPE_DF;
    if (lir_type_size(r.type) == 8)
        r = r.type != type ? resolved(c, r) : r;
    else if (!is_float) /* -(-2³¹) is -2³¹ in 32 bits. */
        r = i965_without_modifiers(c, r);
    if (r.file == LIR_IMM)
        r = i965_mov(c, r.type, r);
    return lir_retype(r, type);
}

/* Like source(), for instructions that would see -(-2⁶³) as 2⁶³. */
static struct lir_reg plain_source(struct from_nir *c, const nir_alu_instr *alu, unsigned s,
                                   enum eu_type type)
{
    struct lir_reg r = source(c, alu, s, type);
    return type == EU_TYPE_DF || type == EU_TYPE_F ? r : resolved(c, r);
}

static struct lir_reg emit_comparison(struct from_nir *c, nir_alu_instr *alu, enum eu_cmod cmod,
                                      enum eu_type type)
{
    if (i965_only_flag_uses(alu))
        return lir_imm_ud(0);
    struct lir_reg wide = wide_temp(c, type);
    emit_each(c, &(struct each){.op = EU_OPCODE_CMP, .cmod = cmod}, wide,
              plain_source(c, alu, 0, type), plain_source(c, alu, 1, type), lir_bad());
    return i965_unpack_64(c, wide, 0);
}

static struct lir_reg emit_select(struct from_nir *c, nir_alu_instr *alu)
{
    struct lir_reg a = source(c, alu, 1, EU_TYPE_UQ), b = source(c, alu, 2, EU_TYPE_UQ);
    struct lir_reg dst = wide_temp(c, EU_TYPE_UQ);
    bool inverse;
    i965_condition(c, alu->src[0].src, &inverse);
    emit_each(
        c,
        &(struct each){.op = EU_OPCODE_SEL, .predicate = EU_PREDICATE_NORMAL, .inverse = inverse},
        dst, a, b, lir_bad());
    return dst;
}

static struct lir_reg emit_minmax(struct from_nir *c, const nir_alu_instr *alu, enum eu_cmod cmod,
                                  enum eu_type type)
{
    struct lir_reg dst = wide_temp(c, type);
    emit_each(c, &(struct each){.op = EU_OPCODE_SEL, .cmod = cmod}, dst,
              plain_source(c, alu, 0, type), plain_source(c, alu, 1, type), lir_bad());
    return dst;
}

static struct lir_reg emit_binary(struct from_nir *c, const nir_alu_instr *alu, unsigned op,
                                  enum eu_type type, bool negate)
{
    struct lir_reg a = source(c, alu, 0, type), b = source(c, alu, 1, type);
    if (type == EU_TYPE_UQ) { /* Unsigned sources cannot have modifiers. */
        a = resolved(c, a);
        b = resolved(c, b);
    }
    b.negate = b.negate != negate;
    return emit_wide(c, op, type, a, b, lir_bad());
}

static struct lir_reg emit_shift(struct from_nir *c, const nir_alu_instr *alu, unsigned op,
                                 enum eu_type type)
{
    struct lir_reg count = i965_without_modifiers(c, source(c, alu, 1, EU_TYPE_UD));
    return emit_wide(c, op, type, resolved(c, source(c, alu, 0, type)), count, lir_bad());
}

static struct lir_reg emit_conversion(struct from_nir *c, const nir_alu_instr *alu, enum eu_type to,
                                      enum eu_type from)
{
    struct lir_reg r = plain_source(c, alu, 0, from);
    if (lir_type_size(to) == 4)
        return narrow(c, to, r);
    return emit_wide(c, EU_OPCODE_MOV, to, r, lir_bad(), lir_bad());
}

static struct lir_reg with_sign(struct lir_reg r, bool absolute)
{
    r.negate = !absolute && !r.negate;
    r.abs |= absolute;
    return r;
}

/* --- Operations described by one rule --- */

enum {
    KIND_NONE,
    KIND_BINARY,
    KIND_DIFFERENCE,
    KIND_SHIFT,
    KIND_MINMAX,
    KIND_COMPARE,
    KIND_CONVERT
};

struct rule {
    /* what: opcode; conditional modifier for KIND_MINMAX and KIND_COMPARE; result type for
     * KIND_CONVERT. */
    uint8_t kind, what;
    uint8_t type;      /* Source type; for KIND_CONVERT, of 32-bit sources. */
    uint8_t wide_type; /* KIND_CONVERT: type of 64-bit sources. */
};

#define BINARY(op, t)    {KIND_BINARY, EU_OPCODE_##op, EU_TYPE_##t, 0}
#define DIFFERENCE(t)    {KIND_DIFFERENCE, EU_OPCODE_ADD, EU_TYPE_##t, 0}
#define SHIFT(op, t)     {KIND_SHIFT, EU_OPCODE_##op, EU_TYPE_##t, 0}
#define MINMAX(cmod, t)  {KIND_MINMAX, EU_CMOD_##cmod, EU_TYPE_##t, 0}
#define COMPARE(cmod, t) {KIND_COMPARE, EU_CMOD_##cmod, EU_TYPE_##t, 0}
#define CONVERT(to, from, from_wide)                                                               \
    {KIND_CONVERT, EU_TYPE_##to, EU_TYPE_##from, EU_TYPE_##from_wide}

static const struct rule rules[nir_num_opcodes] = {
    [nir_op_fadd] = BINARY(ADD, DF),     [nir_op_fmul] = BINARY(MUL, DF),
    [nir_op_iadd] = BINARY(ADD, Q),      [nir_op_iand] = BINARY(AND, UQ),
    [nir_op_ior] = BINARY(OR, UQ),       [nir_op_ixor] = BINARY(XOR, UQ),
    [nir_op_fsub] = DIFFERENCE(DF),      [nir_op_isub] = DIFFERENCE(Q),
    [nir_op_ishl] = SHIFT(SHL, UQ),      [nir_op_ishr] = SHIFT(ASR, Q),
    [nir_op_ushr] = SHIFT(SHR, UQ),      [nir_op_fmin] = MINMAX(L, DF),
    [nir_op_fmax] = MINMAX(GE, DF),      [nir_op_imin] = MINMAX(L, Q),
    [nir_op_imax] = MINMAX(GE, Q),       [nir_op_umin] = MINMAX(L, UQ),
    [nir_op_umax] = MINMAX(GE, UQ),      [nir_op_flt32] = COMPARE(L, DF),
    [nir_op_fge32] = COMPARE(GE, DF),    [nir_op_feq32] = COMPARE(Z, DF),
    [nir_op_fneu32] = COMPARE(NZ, DF),   [nir_op_ilt32] = COMPARE(L, Q),
    [nir_op_ige32] = COMPARE(GE, Q),     [nir_op_ieq32] = COMPARE(Z, Q),
    [nir_op_ine32] = COMPARE(NZ, Q),     [nir_op_ult32] = COMPARE(L, UQ),
    [nir_op_uge32] = COMPARE(GE, UQ),    [nir_op_f2f64] = CONVERT(DF, F, DF),
    [nir_op_i2f64] = CONVERT(DF, D, Q),  [nir_op_u2f64] = CONVERT(DF, UD, UQ),
    [nir_op_f2i64] = CONVERT(Q, F, DF),  [nir_op_f2u64] = CONVERT(UQ, F, DF),
    [nir_op_i2i64] = CONVERT(Q, D, Q),   [nir_op_u2u64] = CONVERT(UQ, UD, UQ),
    [nir_op_f2f32] = CONVERT(F, F, DF),  [nir_op_f2i32] = CONVERT(D, F, DF),
    [nir_op_f2u32] = CONVERT(UD, F, DF), [nir_op_i2f32] = CONVERT(F, D, Q),
    [nir_op_u2f32] = CONVERT(F, UD, UQ),
};

static struct lir_reg emit_rule(struct from_nir *c, nir_alu_instr *alu, const struct rule *rule)
{
    switch (rule->kind) {
    case KIND_BINARY:
    case KIND_DIFFERENCE:
        return emit_binary(c, alu, rule->what, rule->type, rule->kind == KIND_DIFFERENCE);
    case KIND_SHIFT:
        return emit_shift(c, alu, rule->what, rule->type);
    case KIND_MINMAX:
        return emit_minmax(c, alu, rule->what, rule->type);
    case KIND_COMPARE:
        return emit_comparison(c, alu, rule->what, rule->type);
    default:
        return emit_conversion(c, alu, rule->what,
                               alu->src[0].src.ssa->bit_size == 64 ? rule->wide_type : rule->type);
    }
}

void i965_compare_64(struct from_nir *c, const nir_alu_instr *alu)
{
    const struct rule *rule = &rules[alu->op];
    emit_each(c, &(struct each){.op = EU_OPCODE_CMP, .cmod = rule->what}, lir_null(rule->type),
              plain_source(c, alu, 0, rule->type), plain_source(c, alu, 1, rule->type), lir_bad());
}

static struct lir_reg emit_other(struct from_nir *c, nir_alu_instr *alu)
{
    switch (alu->op) {
    case nir_op_fneg:
        return with_sign(source(c, alu, 0, EU_TYPE_DF), false);
    case nir_op_fabs:
        return with_sign(source(c, alu, 0, EU_TYPE_DF), true);
    case nir_op_ineg:
        return with_sign(source(c, alu, 0, EU_TYPE_Q), false);
    case nir_op_iabs:
        return with_sign(source(c, alu, 0, EU_TYPE_Q), true);
    case nir_op_ffma:
        return emit_wide(c, EU_OPCODE_MAD, EU_TYPE_DF,
                         of_channels(c, source(c, alu, 2, EU_TYPE_DF)),
                         of_channels(c, source(c, alu, 0, EU_TYPE_DF)),
                         of_channels(c, source(c, alu, 1, EU_TYPE_DF)));
    case nir_op_inot:
        return emit_wide(c, EU_OPCODE_NOT, EU_TYPE_UQ, resolved(c, source(c, alu, 0, EU_TYPE_UQ)),
                         lir_bad(), lir_bad());
    case nir_op_b32csel:
        return emit_select(c, alu);
    case nir_op_i2i32:
    case nir_op_u2u32:
    case nir_op_unpack_64_2x32_split_x:
        return i965_unpack_64(c, resolved(c, source(c, alu, 0, EU_TYPE_UQ)), 0);
    case nir_op_unpack_64_2x32_split_y:
        return i965_unpack_64(c, resolved(c, source(c, alu, 0, EU_TYPE_UQ)), 1);
    case nir_op_pack_64_2x32_split:
        return i965_pack_64(c, source(c, alu, 0, EU_TYPE_UD), source(c, alu, 1, EU_TYPE_UD));
    default:
        lir_fail(c->p, "operation %s of 64 bits is not supported", nir_op_infos[alu->op].name);
        return wide_temp(c, EU_TYPE_UQ);
    }
}

bool i965_from_64bit_alu(struct from_nir *c, nir_alu_instr *alu, struct lir_reg *value)
{
    bool wide = alu->def.bit_size == 64, narrow_others = true;
    for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
        unsigned bits = alu->src[i].src.ssa->bit_size;
        wide |= bits == 64;
        narrow_others = narrow_others && (bits == 64 || bits == 32);
    }
    if (!wide || !narrow_others || (alu->def.bit_size != 64 && alu->def.bit_size != 32))
        return false;
    if (alu->op == nir_op_unpack_64_2x32) {
        struct lir_reg r = resolved(c, source(c, alu, 0, EU_TYPE_UQ));
        value[0] = i965_unpack_64(c, r, 0);
        value[1] = i965_unpack_64(c, r, 1);
        return true;
    }
    if (alu->op == nir_op_pack_64_2x32) {
        struct lir_reg low =
            i965_src_as(c, alu->src[0].src, nir_alu_src_comp(&alu->src[0], 0), EU_TYPE_UD);
        struct lir_reg high =
            i965_src_as(c, alu->src[0].src, nir_alu_src_comp(&alu->src[0], 1), EU_TYPE_UD);
        value[0] = i965_pack_64(c, low, high);
        return true;
    }
    if (alu->def.num_components != 1)
        return false;
    const struct rule *rule = &rules[alu->op];
    value[0] = rule->kind == KIND_NONE ? emit_other(c, alu) : emit_rule(c, alu, rule);
    return true;
}
