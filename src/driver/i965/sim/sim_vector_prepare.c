/* SPDX-License-Identifier: MIT */
/* Selects the instructions with a vector form and prepares their operands. */
#include "sim_vector.h"
#include "util/cpu_isa.h"
#include "util/macros.h"

static const sim_vector_op *host_table(void)
{
#ifdef SIM_HAVE_V3
    if (util_cpu_isa() >= UTIL_ISA_AVX2)
        return sim_vector_v3;
#endif
    return sim_vector_base;
}

/* --- sources --- */

static bool is_integer(enum eu_type type)
{
    return type <= EU_TYPE_Q;
}

static bool is_signed(enum eu_type type)
{
    return type == EU_TYPE_D || type == EU_TYPE_W || type == EU_TYPE_B || type == EU_TYPE_Q;
}

static bool is_float(enum eu_type type)
{
    return type == EU_TYPE_F;
}

static bool is_double(enum eu_type type)
{
    return type == EU_TYPE_DF;
}

/* Converts a source's modifiers to and, xor and add. Returns false if that is impossible. */
static bool prepare_modifiers(const struct sim_inst *inst, const struct eu_reg *reg,
                              struct sim_vector_operand *o)
{
    enum eu_opcode op = inst->eu.opcode;
    bool logic =
        op == EU_OPCODE_NOT || op == EU_OPCODE_AND || op == EU_OPCODE_OR || op == EU_OPCODE_XOR;

    o->keep = UINT64_MAX;
    o->modified = reg->negate || reg->abs;
    if (is_float(reg->type) || is_double(reg->type)) {
        uint64_t sign = is_float(reg->type) ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
        o->keep = reg->abs ? ~sign : UINT64_MAX;
        o->flip = reg->negate ? sign : 0;
        return true;
    }
    if (reg->negate) {
        o->flip = UINT64_MAX;
        o->add = !logic;
    }
    return !reg->abs;
}

static uint64_t constant(const struct eu_reg *reg)
{
    switch (reg->type) {
    case EU_TYPE_UW:
        return (uint16_t)reg->imm;
    case EU_TYPE_W:
        return (uint64_t)(int16_t)reg->imm;
    case EU_TYPE_UD:
    case EU_TYPE_F:
        return (uint32_t)reg->imm;
    case EU_TYPE_D:
        return (uint64_t)(int32_t)reg->imm;
    default:
        return reg->imm;
    }
}

/* size: bytes of the operation's elements. */
static bool prepare_source(const struct sim_inst *inst, unsigned s, unsigned size,
                           struct sim_vector_operand *o)
{
    const struct eu_reg *reg = &inst->eu.src[s];

    if (!is_float(reg->type) && !is_double(reg->type) && !is_integer(reg->type))
        return false;
    *o = (struct sim_vector_operand){.offset = inst->src[s].offset};
    o->size = (uint8_t)eu_type_size(reg->type);
    if (inst->src[s].kind == SIM_OPERAND_CONST) {
        o->kind = SIM_VECTOR_CONSTANT;
        o->value = constant(reg);
        return true;
    }
    if (reg->file != EU_FILE_GRF || reg->indirect || !prepare_modifiers(inst, reg, o))
        return false;
    if (inst->eu.align16) {
        bool contiguous = reg->swizzle == 0xe4 && (!reg->width || reg->vstride);
        o->kind = reg->replicate ? SIM_VECTOR_SCALAR : SIM_VECTOR_CONTIGUOUS;
        return o->size == size && (reg->replicate || contiguous);
    }
    if (o->size == size && inst->src[s].kind == SIM_OPERAND_SCALAR) {
        o->kind = SIM_VECTOR_SCALAR;
    } else if (o->size == size && inst->src[s].kind == SIM_OPERAND_CONTIGUOUS) {
        o->kind = SIM_VECTOR_CONTIGUOUS;
    } else {
        o->kind = SIM_VECTOR_REGION;
        o->width = MAX2(reg->width, 1);
        o->row_bytes = reg->vstride * o->size;
        o->step_bytes = reg->hstride * o->size;
        o->is_signed = is_signed(reg->type);
    }
    return true;
}

/* --- forms --- */

static bool all_of(const struct sim_inst *inst, bool (*test)(enum eu_type))
{
    for (unsigned i = 0; i < inst->sources; i++) {
        if (!test(inst->eu.src[i].type))
            return false;
    }
    return true;
}

static bool is_narrow(enum eu_type type)
{
    return type <= EU_TYPE_B;
}

/* fits_signed() and fits_unsigned(): whether int32_t or uint32_t represents all values of the
 * type. */
static bool fits_signed(enum eu_type type)
{
    return is_narrow(type) && type != EU_TYPE_UD;
}

static bool fits_unsigned(enum eu_type type)
{
    return is_narrow(type) && !is_signed(type);
}

static bool is_q(enum eu_type type)
{
    return type == EU_TYPE_Q;
}

static bool is_uq(enum eu_type type)
{
    return type == EU_TYPE_UQ;
}

static bool has_modifiers(const struct sim_inst *inst)
{
    for (unsigned i = 0; i < inst->sources; i++) {
        if (inst->eu.src[i].negate || inst->eu.src[i].abs)
            return true;
    }
    return false;
}

static enum sim_vector_form form_of_math(enum eu_math function)
{
    switch (function) {
    case EU_MATH_INV:
        return SIM_VECTOR_INV_F;
    case EU_MATH_SQRT:
        return SIM_VECTOR_SQRT_F;
    case EU_MATH_RSQ:
        return SIM_VECTOR_RSQ_F;
    default:
        return SIM_VECTOR_NONE;
    }
}

/* Opcodes with one form per kind of number; missing forms are SIM_VECTOR_NONE. */
struct forms {
    /* bits, q: only the low 32 or 64 bits matter, whatever the types are. */
    uint8_t f, df, bits, q;
};

static const struct forms forms[128] = {
    [EU_OPCODE_MOV] = {SIM_VECTOR_MOVE_F, SIM_VECTOR_MOVE_DF, SIM_VECTOR_MOVE, SIM_VECTOR_MOVE_Q},
    [EU_OPCODE_ADD] = {SIM_VECTOR_ADD_F, SIM_VECTOR_ADD_DF, SIM_VECTOR_ADD, SIM_VECTOR_ADD_Q},
    [EU_OPCODE_MUL] = {SIM_VECTOR_MUL_F, SIM_VECTOR_MUL_DF, SIM_VECTOR_MUL, 0},
    [EU_OPCODE_MAD] = {SIM_VECTOR_MAD_F, SIM_VECTOR_MAD_DF, 0, 0},
    [EU_OPCODE_FRC] = {SIM_VECTOR_FRC_F, SIM_VECTOR_FRC_DF, 0, 0},
    [EU_OPCODE_RNDU] = {SIM_VECTOR_RNDU_F, SIM_VECTOR_RNDU_DF, 0, 0},
    [EU_OPCODE_RNDD] = {SIM_VECTOR_RNDD_F, SIM_VECTOR_RNDD_DF, 0, 0},
    [EU_OPCODE_RNDE] = {SIM_VECTOR_RNDE_F, SIM_VECTOR_RNDE_DF, 0, 0},
    [EU_OPCODE_RNDZ] = {SIM_VECTOR_RNDZ_F, SIM_VECTOR_RNDZ_DF, 0, 0},
    [EU_OPCODE_NOT] = {0, 0, SIM_VECTOR_NOT, SIM_VECTOR_NOT_Q},
    [EU_OPCODE_AND] = {0, 0, SIM_VECTOR_AND, SIM_VECTOR_AND_Q},
    [EU_OPCODE_OR] = {0, 0, SIM_VECTOR_OR, SIM_VECTOR_OR_Q},
    [EU_OPCODE_XOR] = {0, 0, SIM_VECTOR_XOR, SIM_VECTOR_XOR_Q},
    [EU_OPCODE_SHL] = {0, 0, SIM_VECTOR_SHL, 0},
};

static enum sim_vector_form form_of_comparison(const struct sim_inst *inst, unsigned size)
{
    bool select = inst->eu.opcode == EU_OPCODE_SEL;

    if (select && !inst->eu.cmod) {
        if (size == 8)
            return all_of(inst, is_double) || all_of(inst, is_integer) ? SIM_VECTOR_SEL_Q
                                                                       : SIM_VECTOR_NONE;
        return all_of(inst, is_float) || all_of(inst, is_integer) ? SIM_VECTOR_SEL
                                                                  : SIM_VECTOR_NONE;
    }
    if (all_of(inst, is_double))
        return select ? SIM_VECTOR_SEL_DF : SIM_VECTOR_CMP_DF;
    if (all_of(inst, is_float))
        return select ? SIM_VECTOR_SEL_F : SIM_VECTOR_CMP_F;
    if (has_modifiers(inst))
        return SIM_VECTOR_NONE;
    if (all_of(inst, is_q))
        return select ? SIM_VECTOR_NONE : SIM_VECTOR_CMP_Q;
    if (all_of(inst, is_uq))
        return select ? SIM_VECTOR_NONE : SIM_VECTOR_CMP_UQ;
    if (all_of(inst, fits_signed))
        return select ? SIM_VECTOR_SEL_D : SIM_VECTOR_CMP_D;
    if (all_of(inst, fits_unsigned))
        return select ? SIM_VECTOR_SEL_UD : SIM_VECTOR_CMP_UD;
    return SIM_VECTOR_NONE;
}

static enum sim_vector_form form_of_shift(const struct sim_inst *inst)
{
    enum eu_type type = inst->eu.src[0].type;

    if (has_modifiers(inst) || (type != EU_TYPE_D && type != EU_TYPE_UD))
        return SIM_VECTOR_NONE;
    return inst->eu.opcode == EU_OPCODE_ASR && type == EU_TYPE_D ? SIM_VECTOR_ASR : SIM_VECTOR_SHR;
}

static enum sim_vector_form form_from_integer(const struct eu_reg *src, bool to_double)
{
    if (src->negate || src->abs || !is_narrow(src->type))
        return SIM_VECTOR_NONE;
    if (src->type == EU_TYPE_UD)
        return to_double ? SIM_VECTOR_DF_FROM_UD : SIM_VECTOR_F_FROM_UD;
    return to_double ? SIM_VECTOR_DF_FROM_D : SIM_VECTOR_F_FROM_D;
}

/* Returns the form of a move between types. */
static enum sim_vector_form form_of_conversion(const struct eu_inst *eu)
{
    enum eu_type to = eu->dst.type, from = eu->src[0].type;

    if (is_float(to))
        return is_double(from) ? SIM_VECTOR_F_FROM_DF : form_from_integer(&eu->src[0], false);
    if (is_double(to))
        return is_float(from) ? SIM_VECTOR_DF_FROM_F : form_from_integer(&eu->src[0], true);
    if (eu->saturate || !is_narrow(to))
        return SIM_VECTOR_NONE;
    if (is_double(from))
        return to == EU_TYPE_D ? SIM_VECTOR_D_FROM_DF : SIM_VECTOR_UD_FROM_DF;
    return to == EU_TYPE_D ? SIM_VECTOR_D_FROM_F : SIM_VECTOR_UD_FROM_F;
}

/* Prepares the operands of pln, which are read in place. */
static bool prepare_plane(struct sim_inst *inst)
{
    const struct eu_reg *plane = &inst->eu.src[0], *uv = &inst->eu.src[1];
    uint32_t at = plane->nr * 32u + (plane->subnr & ~15u), weights = uv->nr * 32u;

    if (plane->file != EU_FILE_GRF || uv->file != EU_FILE_GRF || plane->indirect || uv->indirect ||
        plane->negate || uv->negate || inst->eu.exec_size < 8 || at + 16 > SIM_GRF_BYTES ||
        weights + inst->eu.exec_size / 8 * 64u > SIM_GRF_BYTES)
        return false;
    inst->vector.src[0].offset = at;
    inst->vector.src[1].offset = weights;
    return true;
}

static enum sim_vector_form form_of_move(const struct eu_inst *eu)
{
    const struct forms *row = &forms[EU_OPCODE_MOV];
    enum eu_type from = eu->src[0].type;
    bool numbers = eu->saturate || eu->cmod;

    if (is_float(eu->dst.type) && is_float(from))
        return numbers ? row->f : row->bits;
    if (is_double(eu->dst.type) && is_double(from))
        return numbers ? row->df : row->q;
    if (is_integer(eu->dst.type) && is_integer(from))
        return eu->saturate                      ? SIM_VECTOR_NONE
               : eu_type_size(eu->dst.type) == 8 ? row->q
                                                 : row->bits;
    return form_of_conversion(eu);
}

/* size: bytes of the result. */
static enum sim_vector_form find_form(struct sim_inst *inst, unsigned size)
{
    const struct eu_inst *eu = &inst->eu;

    switch (eu->opcode) {
    case EU_OPCODE_PLN:
        return is_float(eu->dst.type) && all_of(inst, is_float) && prepare_plane(inst)
                   ? SIM_VECTOR_PLN_F
                   : SIM_VECTOR_NONE;
    case EU_OPCODE_CMP:
        return form_of_comparison(inst, size);
    case EU_OPCODE_SEL:
        return eu->saturate || is_float(eu->dst.type) != is_float(eu->src[0].type) ||
                       is_double(eu->dst.type) != is_double(eu->src[0].type)
                   ? SIM_VECTOR_NONE
                   : form_of_comparison(inst, size);
    case EU_OPCODE_MOV:
        return form_of_move(eu);
    case EU_OPCODE_MATH:
        return is_float(eu->dst.type) && all_of(inst, is_float) ? form_of_math(eu->math)
                                                                : SIM_VECTOR_NONE;
    default:
        break;
    }
    if (is_float(eu->dst.type))
        return all_of(inst, is_float) ? forms[eu->opcode].f : SIM_VECTOR_NONE;
    if (is_double(eu->dst.type))
        return all_of(inst, is_double) ? forms[eu->opcode].df : SIM_VECTOR_NONE;
    if (!all_of(inst, is_integer) || eu->saturate)
        return SIM_VECTOR_NONE;
    if (size == 8)
        return forms[eu->opcode].q;
    if (eu->opcode == EU_OPCODE_SHR || eu->opcode == EU_OPCODE_ASR)
        return form_of_shift(inst);
    if (eu->opcode == EU_OPCODE_SHL && !is_narrow(eu->src[0].type))
        return SIM_VECTOR_NONE; /* Shift counts have six bits. */
    return forms[eu->opcode].bits;
}

/* Returns the size of the form's source elements in bytes. */
static unsigned source_size(enum sim_vector_form form)
{
    switch (form) {
    case SIM_VECTOR_DF_FROM_F:
    case SIM_VECTOR_DF_FROM_D:
    case SIM_VECTOR_DF_FROM_UD:
        return 4;
    default:
        return form >= SIM_VECTOR_WIDE ? 8 : 4;
    }
}

/* Returns the size of the form's results in bytes. */
static unsigned result_size(enum sim_vector_form form)
{
    switch (form) {
    case SIM_VECTOR_F_FROM_DF:
    case SIM_VECTOR_D_FROM_DF:
    case SIM_VECTOR_UD_FROM_DF:
        return 4;
    default:
        return form >= SIM_VECTOR_WIDE ? 8 : 4;
    }
}

/* --- destinations --- */

static bool prepare_destination(struct sim_inst *inst, unsigned size)
{
    const struct eu_reg *dst = &inst->eu.dst;

    inst->vector.null = dst->file == EU_FILE_ARF && (dst->nr & 0xf0) == EU_ARF_NULL;
    if (inst->vector.null)
        return inst->eu.opcode != EU_OPCODE_SEL;
    if (dst->file != EU_FILE_GRF || dst->indirect || eu_type_size(dst->type) != size)
        return false;
    inst->vector.dst = dst->nr * 32u + dst->subnr;
    inst->vector.dst_stride = inst->eu.align16 ? size : dst->hstride * size;
    inst->vector.strided_store = inst->vector.dst_stride != size || inst->eu.exec_size < 8;
    return !inst->eu.align16 || dst->writemask == 15;
}

void sim_vector_prepare(struct sim_inst *inst)
{
    const struct eu_inst *eu = &inst->eu;
    unsigned dst_size = eu_type_size(eu->dst.type);

    if (eu->exec_size > 16 || eu->acc_write || (dst_size != 4 && dst_size != 8))
        return;
    enum sim_vector_form form = find_form(inst, dst_size);
    unsigned size = source_size(form);
    if (!form || (form >= SIM_VECTOR_WIDE && eu->exec_size > 8) ||
        !prepare_destination(inst, result_size(form)))
        return;
    for (unsigned s = 0; s < inst->sources; s++) {
        if (form != SIM_VECTOR_PLN_F && !prepare_source(inst, s, size, &inst->vector.src[s]))
            return;
    }
    inst->vector.is_unsigned = eu->dst.type == EU_TYPE_UD || eu->dst.type == EU_TYPE_UQ;
    inst->vector.cmod = eu->cmod;
    inst->vector.channels = (1u << eu->exec_size) - 1;
    inst->vector.always = eu->no_mask ? UINT32_MAX : 0;
    inst->vector.predicated = eu->predicate && eu->opcode != EU_OPCODE_SEL;
    inst->vector.run = host_table()[form];
}
