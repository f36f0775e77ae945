/* SPDX-License-Identifier: MIT */
/*
 * Copy propagation: users of a moved value read its source instead, with the source's modifiers,
 * region or immediate, where the instruction allows it. A data-flow analysis finds the copies that
 * are available at the start of each block (Muchnick 1997, §12.5).
 */
#include <string.h>

#include "lir.h"

struct copy {
    struct lir_reg dst, src;
    unsigned bytes; /* Bytes that the move writes. */
    bool no_mask;
    uint8_t exec_size, group;
};

struct copies {
    struct lir_program *p;
    struct lir_cfg *cfg;
    DYNARRAY(struct copy) list;
    unsigned words;
    bitset_word *gen, *kill, *in, *out;
    bitset_word *scalars; /* Copies of a scalar that are made in a loop. */
    /* By VGRF: copies that read or write it, and are invalidated by a write. */
    DYNARRAY(unsigned) * by_vgrf;
};

static bool is_copy(const struct lir_inst *inst)
{
    const struct lir_reg *dst = &inst->dst, *src = &inst->src[0];
    if (inst->op != EU_OPCODE_MOV || inst->predicate || inst->cmod || inst->saturate ||
        dst->file != LIR_VGRF || dst->stride > 1)
        return false;
    if (src->file != LIR_VGRF && src->file != LIR_GRF && src->file != LIR_IMM)
        return false;
    if (src->file == LIR_IMM)
        return lir_type_size(src->type) == lir_type_size(dst->type) && src->type != EU_TYPE_V &&
               src->type != EU_TYPE_VF &&
               (src->type == dst->type || (src->type != EU_TYPE_F && dst->type != EU_TYPE_F));
    if (src->file == LIR_VGRF && src->nr == dst->nr)
        return false;
    if (lir_is_partial_write(inst) && inst->exec_size != 1)
        return false;
    if (inst->exec_size == 1 && dst->stride)
        return false;
    /* The move copies bits without conversion. */
    bool ints = (src->type == EU_TYPE_D || src->type == EU_TYPE_UD) &&
                (dst->type == EU_TYPE_D || dst->type == EU_TYPE_UD);
    if (src->type != dst->type && !ints)
        return false;
    /* 64-bit scalars are copied for instructions that cannot read them as scalars. */
    bool wide = lir_type_size(src->type) == 8 && src->stride == 1 && dst->stride == 1 &&
                !src->negate && !src->abs;
    return (lir_type_size(src->type) == 4 || wide) && !src->region;
}

static bool overlaps(const struct lir_reg *a, unsigned bytes_a, const struct lir_reg *b,
                     unsigned bytes_b)
{
    return a->file == LIR_VGRF && b->file == LIR_VGRF && a->nr == b->nr &&
           a->offset < b->offset + bytes_b && b->offset < a->offset + bytes_a;
}

static unsigned copy_bytes_read(const struct copy *c)
{
    return c->src.stride ? c->bytes * c->src.stride : 4;
}

static bool ends_copy(const struct lir_inst *inst, const struct copy *c)
{
    unsigned written = lir_size_written(inst);
    return written && (overlaps(&inst->dst, written, &c->dst, c->bytes) ||
                       overlaps(&inst->dst, written, &c->src, copy_bytes_read(c)));
}

/* --- Replacing uses --- */

static bool reads_within(const struct lir_inst *inst, unsigned s, const struct copy *c)
{
    const struct lir_reg *src = &inst->src[s];
    return src->file == LIR_VGRF && src->nr == c->dst.nr && src->offset >= c->dst.offset &&
           src->offset + lir_size_read(inst, s) <= c->dst.offset + c->bytes;
}

static bool takes_immediate(const struct lir_inst *inst, unsigned s)
{
    switch (inst->op) {
    case EU_OPCODE_MOV:
        return s == 0;
    case EU_OPCODE_SEL:
    case EU_OPCODE_CMP:
    case EU_OPCODE_ADD:
    case EU_OPCODE_MUL:
    case EU_OPCODE_AND:
    case EU_OPCODE_OR:
    case EU_OPCODE_XOR:
    case EU_OPCODE_SHL:
    case EU_OPCODE_SHR:
    case EU_OPCODE_ASR:
        return s == 1 && inst->src[0].file != LIR_IMM;
    case EU_OPCODE_MAD:
    case EU_OPCODE_LRP:
        return true; /* lir_lower_constants() handles it. */
    default:
        return false;
    }
}

static bool use_immediate(struct lir_inst *inst, unsigned s, const struct copy *c)
{
    struct lir_reg *src = &inst->src[s], value = c->src;
    if (lir_type_size(src->type) != 4 || src->region)
        return false;
    if (lir_is_3src(inst) && src->type != EU_TYPE_F)
        return false;
    value.type = src->type;
    if (src->abs || src->negate) {
        bool is_float = src->type == EU_TYPE_F;
        if (!lir_can_do_modifiers(inst, s, src->type) ||
            (src->type != EU_TYPE_F && src->type != EU_TYPE_D))
            return false;
        if (src->abs)
            value.imm = is_float                 ? value.imm & 0x7fffffff
                        : (int32_t)value.imm < 0 ? -value.imm
                                                 : value.imm;
        if (src->negate)
            value.imm = is_float ? value.imm ^ 0x80000000 : -value.imm;
    }
    if (takes_immediate(inst, s)) {
        *src = value;
        return true;
    }
    /* Commutative operations (a + #, a * # …) take the immediate as second source. */
    bool commutes =
        inst->op == EU_OPCODE_ADD || inst->op == EU_OPCODE_MUL || inst->op == EU_OPCODE_AND ||
        inst->op == EU_OPCODE_OR || inst->op == EU_OPCODE_XOR ||
        (inst->op == EU_OPCODE_SEL && (inst->cmod == EU_CMOD_L || inst->cmod == EU_CMOD_GE));
    if (s == 0 && commutes && inst->src[1].file != LIR_IMM) {
        inst->src[0] = inst->src[1];
        inst->src[1] = value;
        return true;
    }
    if (s == 0 && inst->op == EU_OPCODE_SEL && inst->predicate && inst->src[1].file != LIR_IMM) {
        inst->src[0] = inst->src[1];
        inst->src[1] = value;
        inst->predicate_inverse = !inst->predicate_inverse;
        return true;
    }
    return false;
}

static bool source_is_fine(const struct lir_inst *inst, unsigned s, const struct lir_reg *value)
{
    if (lir_is_3src(inst) && (value->stride > 1 || value->region))
        return false;
    if (inst->op == EU_OPCODE_MATH && inst->math >= EU_MATH_INT_DIV_BOTH &&
        (value->negate || value->abs))
        return false;
    return (!value->negate && !value->abs) || lir_can_do_modifiers(inst, s, value->type);
}

/* Replaces the payload of a message by the copy's source registers. */
static bool use_payload(struct lir_inst *inst, unsigned s, const struct copy *c)
{
    struct lir_reg *src = &inst->src[s], value = c->src;
    unsigned bytes = lir_size_read(inst, s), other_bytes = lir_size_read(inst, !s);
    if (value.file == LIR_GRF || value.stride != 1 || value.negate || value.abs ||
        src->offset != c->dst.offset || bytes > c->bytes || value.offset % LIR_REG_SIZE ||
        inst->eot)
        return false;
    /* The two payloads must not overlap. */
    if (overlaps(&value, bytes, &inst->src[!s], other_bytes))
        return false;
    value.type = src->type;
    *src = value;
    return true;
}

/* Returns whether a source can read its part of the copy from the copy's own source. */
static bool can_see_through(const struct lir_inst *inst, const struct lir_reg *src,
                            const struct copy *c)
{
    const struct lir_reg *value = &c->src;
    bool modified = value->negate || value->abs;
    unsigned size = lir_type_size(src->type);
    /* The copy must have written all channels that are read. */
    if (c->dst.stride && !c->no_mask && inst->no_mask)
        return false;
    if (modified) {
        bool same = src->type == c->dst.type ||
                    (value->type == EU_TYPE_D && src->type == EU_TYPE_D && !value->abs);
        if (!same || value->type == EU_TYPE_UD)
            return false;
    }
    if (src->region && value->file == LIR_GRF)
        return false;
    if (size != 4) /* A different element size would see other bits of a strided source or copy. */
        return value->stride == 1 && !modified;
    return value->stride == 1 ||
           (!src->region && src->stride <= 1 && (src->offset - c->dst.offset) % 4 == 0);
}

static struct lir_reg see_through(const struct lir_reg *src, const struct copy *c)
{
    const struct lir_reg *value = &c->src;
    struct lir_reg out = *src;
    unsigned delta = src->offset - c->dst.offset;
    out.file = value->file;
    out.nr = value->nr;
    out.offset = value->offset + delta;
    if (lir_type_size(src->type) == 4 && !src->region) {
        out.offset = value->offset + delta / 4 * value->stride * 4;
        out.stride = (uint8_t)(src->stride * value->stride);
    }
    if (value->negate || value->abs) {
        out.type = value->type;
        if (!src->abs) {
            out.abs = value->abs;
            out.negate = src->negate != value->negate;
        }
    }
    return out;
}

static bool use_register(struct lir_inst *inst, unsigned s, const struct copy *c)
{
    if (lir_is_send(inst) && s < 2)
        return use_payload(inst, s, c);
    if ((inst->op == LIR_OP_BROADCAST && s == 0) || inst->op == LIR_OP_GATHER ||
        inst->op == EU_OPCODE_PLN || !can_see_through(inst, &inst->src[s], c))
        return false;
    struct lir_reg out = see_through(&inst->src[s], c);
    if (!source_is_fine(inst, s, &out))
        return false;
    inst->src[s] = out;
    return true;
}

static bool use_copy(struct lir_inst *inst, const struct copy *c)
{
    bool progress = false;
    for (unsigned s = 0; s < 3; s++) {
        if (!reads_within(inst, s, c))
            continue;
        if (c->src.file == LIR_IMM ? use_immediate(inst, s, c) : use_register(inst, s, c))
            progress = true;
    }
    return progress;
}

/* --- Analysis --- */

static void kill_copies(const struct copies *a, const struct lir_inst *inst, bitset_word *live,
                        bitset_word *killed)
{
    if (inst->dst.file != LIR_VGRF)
        return;
    unsigned nr = inst->dst.nr;
    for (unsigned i = 0; i < a->by_vgrf[nr].count; i++) {
        unsigned c = a->by_vgrf[nr].data[i];
        if (ends_copy(inst, &a->list.data[c])) {
            bitset_clear(live, c);
            if (killed)
                bitset_set(killed, c);
        }
    }
}

static void collect(struct copies *a)
{
    lir_foreach_inst(inst, a->p)
    {
        if (!is_copy(inst))
            continue;
        struct copy c = {.dst = inst->dst,
                         .src = inst->src[0],
                         .bytes = lir_size_written(inst),
                         .no_mask = inst->no_mask,
                         .exec_size = inst->exec_size,
                         .group = inst->group};
        unsigned n = a->list.count;
        (void)dynarray_append(&a->list, c);
        (void)dynarray_append(&a->by_vgrf[c.dst.nr], n);
        if (c.src.file == LIR_VGRF)
            (void)dynarray_append(&a->by_vgrf[c.src.nr], n);
    }
}

static void mark_scalars_of_loops(struct copies *a, void *mem_ctx)
{
    bool *in_loop = talloc_zero_array(mem_ctx, bool, a->p->vgrfs.count + 1);
    for (unsigned b = 0; b < a->cfg->num_blocks; b++) {
        if (!a->cfg->blocks[b].loop_depth)
            continue;
        lir_foreach_inst_in_block(inst, &a->cfg->blocks[b])
        {
            if (inst->dst.file == LIR_VGRF)
                in_loop[inst->dst.nr] = true;
        }
    }
    for (unsigned i = 0; i < a->list.count; i++) {
        const struct lir_reg *src = &a->list.data[i].src;
        if (src->file == LIR_VGRF && !src->stride && in_loop[src->nr])
            bitset_set(a->scalars, i);
    }
}

/* Scalars are written for all channels, including those that have left the loop. */
static void keep_in_loop(struct copies *a, unsigned b)
{
    for (unsigned w = 0; w < a->words && a->cfg->blocks[b].loop_depth; w++) {
        a->gen[b * a->words + w] &= ~a->scalars[w];
        a->kill[b * a->words + w] |= a->scalars[w];
    }
}

static void analyze(struct copies *a, void *mem_ctx)
{
    unsigned n = a->cfg->num_blocks, words = a->words, next = 0;
    bitset_word *bits = talloc_zero_array(mem_ctx, bitset_word, (4 * n + 1) * words);
    a->gen = bits;
    a->kill = bits + n * words;
    a->in = bits + 2 * n * words;
    a->out = bits + 3 * n * words;
    a->scalars = bits + 4 * n * words;
    mark_scalars_of_loops(a, mem_ctx);
    for (unsigned b = 0; b < n; b++) {
        const struct lir_block *block = &a->cfg->blocks[b];
        lir_foreach_inst_in_block(inst, block)
        {
            kill_copies(a, inst, a->gen + b * words, a->kill + b * words);
            if (is_copy(inst)) {
                bitset_set(a->gen + b * words, next);
                bitset_clear(a->kill + b * words, next);
                next++;
            }
        }
        keep_in_loop(a, b);
    }
    bool *reached = talloc_zero_array(mem_ctx, bool, n + 1);
    memset(a->in + words, 0xff, (n - 1) * words * sizeof(bitset_word));
    reached[0] = true;
    for (unsigned b = 0; b < n; b++) {
        for (unsigned s = 0; s < a->cfg->blocks[b].num_succ; s++)
            reached[a->cfg->blocks[b].succ[s]] = true;
    }
    for (bool progress = true; progress;) {
        progress = false;
        for (unsigned b = 0; b < n; b++) {
            const struct lir_block *block = &a->cfg->blocks[b];
            for (unsigned w = 0; w < words; w++)
                a->out[b * words + w] =
                    a->gen[b * words + w] | (a->in[b * words + w] & ~a->kill[b * words + w]);
            for (unsigned s = 0; s < block->num_succ; s++) {
                bitset_word *in = a->in + block->succ[s] * words;
                for (unsigned w = 0; w < words; w++) {
                    bitset_word now = in[w] & a->out[b * words + w];
                    progress |= now != in[w];
                    in[w] = now;
                }
            }
        }
    }
    for (unsigned b = 0; b < n; b++) {
        if (!reached[b])
            memset(a->in + b * words, 0, words * sizeof(bitset_word));
    }
}

static bool propagate_block(struct copies *a, unsigned b, unsigned *next)
{
    const struct lir_block *block = &a->cfg->blocks[b];
    bitset_word *live = a->in + b * a->words;
    bool progress = false;
    lir_foreach_inst_in_block(inst, block)
    {
        unsigned own = is_copy(inst) ? *next : ~0u;
        for (unsigned s = 0; s < 3; s++) {
            if (inst->src[s].file != LIR_VGRF)
                continue;
            unsigned nr = inst->src[s].nr;
            for (unsigned i = 0; i < a->by_vgrf[nr].count && inst->src[s].file == LIR_VGRF; i++) {
                unsigned c = a->by_vgrf[nr].data[i];
                if (c != own && bitset_test(live, c) && a->list.data[c].dst.nr == nr &&
                    reads_within(inst, s, &a->list.data[c]) && use_copy(inst, &a->list.data[c])) {
                    progress = true;
                    break;
                }
            }
        }
        kill_copies(a, inst, live, NULL);
        if (own != ~0u) {
            /* Use the current operands: the source may have been replaced. */
            if (is_copy(inst) && inst->src[0].nr == a->list.data[own].src.nr &&
                inst->src[0].file == a->list.data[own].src.file)
                bitset_set(live, own);
            else
                bitset_clear(live, own);
            (*next)++;
        }
    }
    return progress;
}

bool lir_opt_copy_propagation(struct lir_program *p)
{
    void *mem_ctx = talloc_new(p);
    struct copies a = {.p = p};
    bool progress = false;
    unsigned next = 0;
    a.cfg = lir_cfg_build(p, mem_ctx);
    a.list.mem_ctx = mem_ctx;
    a.by_vgrf = talloc_zero_size(mem_ctx, (p->vgrfs.count + 1) * sizeof *a.by_vgrf);
    for (unsigned i = 0; i < p->vgrfs.count; i++)
        a.by_vgrf[i].mem_ctx = mem_ctx;
    collect(&a);
    a.words = BITSET_WORDS(a.list.count);
    if (a.list.count) {
        analyze(&a, mem_ctx);
        for (unsigned b = 0; b < a.cfg->num_blocks; b++)
            progress |= propagate_block(&a, b, &next);
    }
    talloc_free(mem_ctx);
    return progress;
}
