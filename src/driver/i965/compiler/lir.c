/* SPDX-License-Identifier: MIT */
/* Registers and instructions of the low-level IR and their properties. */
#include "lir.h"

#include "util/check.h"
#include "util/macros.h"

#include <stdarg.h>
#include <string.h>

unsigned lir_type_size(unsigned type)
{
    switch (type) {
    case EU_TYPE_UB:
    case EU_TYPE_B:
        return 1;
    case EU_TYPE_UW:
    case EU_TYPE_W:
    case EU_TYPE_HF:
    case EU_TYPE_UV:
    case EU_TYPE_V:
        return 2;
    case EU_TYPE_UQ:
    case EU_TYPE_Q:
    case EU_TYPE_DF:
        return 8;
    default:
        return 4;
    }
}

struct lir_reg lir_vgrf(struct lir_program *p, unsigned regs, enum eu_type type)
{
    struct lir_vgrf v = {.size = (uint16_t)regs};
    if (!dynarray_append(&p->vgrfs, v))
        lir_fail(p, "out of memory");
    return (struct lir_reg){.file = LIR_VGRF, .nr = p->vgrfs.count - 1, .type = type, .stride = 1};
}

struct lir_reg lir_temp(struct lir_program *p, unsigned width, unsigned n, enum eu_type type)
{
    return lir_vgrf(p, DIV_ROUND_UP(width * n * lir_type_size(type), LIR_REG_SIZE), type);
}

struct lir_reg lir_imm_f(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return lir_imm(bits, EU_TYPE_F);
}

bool lir_reg_equal(const struct lir_reg *a, const struct lir_reg *b)
{
    if (a->file != b->file || a->type != b->type || a->negate != b->negate || a->abs != b->abs)
        return false;
    if (a->file == LIR_BAD)
        return true;
    if (a->file == LIR_IMM)
        return a->imm == b->imm && a->imm_high == b->imm_high;
    if (a->region != b->region || (a->region && (a->vstride != b->vstride || a->width != b->width ||
                                                 a->hstride != b->hstride)))
        return false;
    return a->stride == b->stride && a->nr == b->nr && a->offset == b->offset;
}

struct lir_inst *lir_inst_create(struct lir_program *p, unsigned op, unsigned exec_size,
                                 struct lir_reg dst, struct lir_reg src0, struct lir_reg src1,
                                 struct lir_reg src2)
{
    struct lir_inst *inst = talloc_zero(p, struct lir_inst);
    inst->op = (uint16_t)op;
    inst->exec_size = (uint8_t)exec_size;
    inst->dst = dst;
    inst->src[0] = src0;
    inst->src[1] = src1;
    inst->src[2] = src2;
    return inst;
}

struct lir_inst *lir_inst_clone(struct lir_program *p, const struct lir_inst *inst)
{
    return talloc_memdup(p, inst, sizeof *inst);
}

bool lir_is_send(const struct lir_inst *inst)
{
    return inst->op >= EU_OPCODE_SEND && inst->op <= EU_OPCODE_SENDSC;
}

/* Properties of opcodes. */
enum {
    THREE_SOURCES = 1 << 0,
    SATURATES = 1 << 1, /* Saturates floats. */
    MODIFIERS = 1 << 2, /* Negate and abs on every source, of any type. */
};

static const uint8_t traits[128] = {
    [EU_OPCODE_MOV] = SATURATES,
    [EU_OPCODE_SEL] = SATURATES,
    [EU_OPCODE_ADD] = SATURATES | MODIFIERS,
    [EU_OPCODE_MUL] = SATURATES | MODIFIERS,
    [EU_OPCODE_FRC] = SATURATES | MODIFIERS,
    [EU_OPCODE_RNDD] = SATURATES | MODIFIERS,
    [EU_OPCODE_RNDE] = SATURATES | MODIFIERS,
    [EU_OPCODE_RNDZ] = SATURATES | MODIFIERS,
    [EU_OPCODE_MAD] = THREE_SOURCES | SATURATES | MODIFIERS,
    [EU_OPCODE_LRP] = THREE_SOURCES | SATURATES | MODIFIERS,
    [EU_OPCODE_CSEL] = THREE_SOURCES,
    [EU_OPCODE_BFE] = THREE_SOURCES,
    [EU_OPCODE_BFI2] = THREE_SOURCES,
    [EU_OPCODE_MATH] = SATURATES,
    [EU_OPCODE_PLN] = SATURATES,
};

static bool has_trait(const struct lir_inst *inst, unsigned trait)
{
    return inst->op < ARRAY_SIZE(traits) && traits[inst->op] & trait;
}

bool lir_is_3src(const struct lir_inst *inst)
{
    return has_trait(inst, THREE_SOURCES);
}

unsigned lir_num_srcs(const struct lir_inst *inst)
{
    unsigned n = 3;
    while (n && inst->src[n - 1].file == LIR_BAD)
        n--;
    return n;
}

bool lir_is_control_flow(const struct lir_inst *inst)
{
    switch (inst->op) {
    case EU_OPCODE_IF:
    case EU_OPCODE_ELSE:
    case EU_OPCODE_ENDIF:
    case EU_OPCODE_WHILE:
    case EU_OPCODE_BREAK:
    case EU_OPCODE_CONT:
    case EU_OPCODE_HALT:
    case LIR_OP_DO:
    case LIR_OP_HALT_TARGET:
        return true;
    default:
        return false;
    }
}

bool lir_has_side_effects(const struct lir_inst *inst)
{
    if (lir_is_control_flow(inst) || inst->op == EU_OPCODE_WAIT)
        return true;
    if (inst->src[0].file == LIR_ARF &&
        inst->src[0].nr == EU_ARF_TIMESTAMP) /* The time of the read matters. */
        return true;
    if (lir_is_send(inst))
        return inst->eot || inst->side_effects;
    return inst->dst.file == LIR_ARF && inst->dst.nr != EU_ARF_NULL &&
           (inst->dst.nr & 0xf0) != EU_ARF_FLAG;
}

unsigned lir_size_written(const struct lir_inst *inst)
{
    if (inst->dst.file == LIR_BAD || lir_is_null(&inst->dst))
        return 0;
    if (lir_is_send(inst))
        return inst->rlen * LIR_REG_SIZE;
    if (inst->op == LIR_OP_UNDEF)
        return inst->rlen * LIR_REG_SIZE;
    if (inst->op == LIR_OP_BROADCAST)
        return lir_type_size(inst->dst.type);
    unsigned size = lir_type_size(inst->dst.type), stride = MAX2(inst->dst.stride, 1);
    return (inst->exec_size - 1) * stride * size + size;
}

unsigned lir_size_read(const struct lir_inst *inst, unsigned s)
{
    const struct lir_reg *src = &inst->src[s];
    if (src->file == LIR_BAD || src->file == LIR_IMM || lir_is_null(src))
        return 0;
    if (lir_is_send(inst) && s < 2)
        return (s ? inst->ex_mlen : inst->mlen) * LIR_REG_SIZE;
    unsigned size = lir_type_size(src->type);
    if (inst->op == LIR_OP_GATHER && s == 0)
        return inst->rlen * LIR_REG_SIZE;
    if (inst->op == LIR_OP_BROADCAST && s == 0)
        return inst->exec_size * size;
    if (src->region) { /* At most the size of a contiguous region with the same number of rows. */
        unsigned rows = DIV_ROUND_UP(inst->exec_size, src->width);
        return ((rows - 1) * src->vstride + (src->width - 1) * src->hstride + 1) * size;
    }
    if (inst->op == EU_OPCODE_PLN)
        return s ? 2 * inst->exec_size * size : 4 * size;
    return (inst->exec_size - 1) * src->stride * size + size;
}

bool lir_is_partial_write(const struct lir_inst *inst)
{
    if (inst->keeps_disabled_channels)
        return true;
    if (inst->op == LIR_OP_UNDEF || lir_is_send(inst))
        return inst->predicate != EU_PREDICATE_NONE;
    if (inst->predicate && inst->op != EU_OPCODE_SEL)
        return true;
    if (inst->dst.stride > 1)
        return true;
    return lir_size_written(inst) % LIR_REG_SIZE || inst->dst.offset % LIR_REG_SIZE;
}

static unsigned flag_bits(const struct lir_reg *r, unsigned exec_size)
{
    if (r->file != LIR_ARF || (r->nr & 0xf0) != EU_ARF_FLAG)
        return 0;
    unsigned word = (r->nr & 1) * 2 + r->offset / 2;
    unsigned bytes = exec_size * lir_type_size(r->type);
    return bytes > 2 ? 0xfu << (word & 2) * 2 : 3u << word * 2;
}

/* Returns the parts of the flags that hold bits of the instruction's channels. */
static unsigned condition_flags(const struct lir_inst *inst)
{
    if (inst->predicate == EU_PREDICATE_ANY32H || inst->predicate == EU_PREDICATE_ALL32H)
        return 0xfu << (inst->flag & 2) * 2;
    bool half = inst->predicate == EU_PREDICATE_ANY16H || inst->predicate == EU_PREDICATE_ALL16H;
    unsigned parts = MAX2(inst->exec_size / LIR_FLAG_CHANNELS, half ? 2 : 1);
    return ((1u << parts) - 1) << (inst->flag * 2 + inst->group / LIR_FLAG_CHANNELS);
}

unsigned lir_flags_written(const struct lir_inst *inst)
{
    unsigned flags = flag_bits(&inst->dst, inst->exec_size);
    if (inst->cmod && inst->op != EU_OPCODE_SEL && inst->op != EU_OPCODE_CSEL)
        flags |= condition_flags(inst);
    return flags;
}

unsigned lir_flags_read(const struct lir_inst *inst)
{
    unsigned flags = 0;
    for (unsigned i = 0; i < 3; i++)
        flags |= flag_bits(&inst->src[i], 1);
    if (inst->predicate || (inst->cmod && inst->side_effects && !lir_is_send(inst)))
        flags |= condition_flags(inst);
    return flags;
}

bool lir_can_saturate(const struct lir_inst *inst)
{
    return has_trait(inst, SATURATES) && inst->dst.type == EU_TYPE_F;
}

bool lir_can_do_modifiers(const struct lir_inst *inst, unsigned src, enum eu_type type)
{
    bool is_float = type == EU_TYPE_F || type == EU_TYPE_HF || type == EU_TYPE_DF;
    bool float_result =
        inst->dst.type == EU_TYPE_F || inst->dst.type == EU_TYPE_HF || inst->dst.type == EU_TYPE_DF;
    bool wraps =
        !inst->saturate && !float_result && lir_type_size(inst->dst.type) <= lir_type_size(type);

    switch (inst->op) {
    case EU_OPCODE_MOV:
        return is_float || wraps;
    case EU_OPCODE_SEL:
        return is_float || (wraps && !inst->cmod);
    case EU_OPCODE_CMP:
        return is_float;
    case EU_OPCODE_ASR:
    case EU_OPCODE_SHR:
        return src == 1;
    case EU_OPCODE_SHL:
        return src == 1 || wraps;
    case EU_OPCODE_MATH:
        return inst->math < EU_MATH_INT_DIV_BOTH;
    default:
        return has_trait(inst, MODIFIERS) && (is_float || wraps);
    }
}

unsigned lir_number(struct lir_program *p)
{
    unsigned ip = 0;
    lir_foreach_inst(inst, p) inst->ip = ip++;
    return ip;
}

void lir_fail(struct lir_program *p, const char *message, ...)
{
    va_list args;
    if (p->failure)
        return;
    va_start(args, message);
    p->failure = talloc_vasprintf(p, message, args);
    va_end(args);
}

struct lir_order {
    unsigned count;
    struct lir_inst *insts[];
};

struct lir_order *lir_save_order(struct lir_program *p)
{
    unsigned n = lir_number(p);
    struct lir_order *order = talloc_size(p, sizeof *order + n * sizeof order->insts[0]);
    order->count = 0;
    lir_foreach_inst(inst, p) NEXT_WITHIN(order->insts, order->count, n) = inst;
    return order;
}

void lir_restore_order(struct lir_program *p, struct lir_order *order)
{
    list_init(&p->insts);
    for (unsigned i = 0; i < order->count; i++)
        list_addtail(&order->insts[i]->node, &p->insts);
}
