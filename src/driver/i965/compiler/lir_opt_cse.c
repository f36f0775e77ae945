/* SPDX-License-Identifier: MIT */
/*
 * Common subexpression elimination within a block. The second computation becomes a move, which
 * copy propagation removes. A comparison that is the opposite of an earlier one becomes the inverse
 * of its result. Operands must not have changed in between, so only VGRFs that are written once
 * qualify.
 */
#include <string.h>

#include "lir.h"

enum { BUCKETS = 256 };

/* The computations of a block that others may repeat. */
struct computations {
    struct computation {
        struct lir_inst *inst;
        unsigned next; /* Index plus 1 of an earlier one in the same bucket; 0: none. */
    } *list;
    unsigned count;
    unsigned buckets[BUCKETS]; /* Index plus 1 of the last one; 0: none. */
};

static unsigned *count_defs(struct lir_program *p, void *mem_ctx)
{
    unsigned *defs = talloc_zero_array(mem_ctx, unsigned, p->vgrfs.count + 1);
    lir_foreach_inst(inst, p)
    {
        if (inst->dst.file == LIR_VGRF && inst->op != LIR_OP_UNDEF)
            defs[inst->dst.nr]++;
    }
    return defs;
}

static bool is_candidate(const struct lir_inst *inst, const unsigned *defs)
{
    bool virtual_op = inst->op >= LIR_OP_DO && inst->op != LIR_OP_GATHER;
    if (lir_is_control_flow(inst) || lir_is_send(inst) || virtual_op || inst->predicate ||
        inst->cmod || inst->op == EU_OPCODE_WAIT || inst->dst.file != LIR_VGRF ||
        defs[inst->dst.nr] != 1 || lir_is_partial_write(inst) || inst->dst.offset)
        return false;
    /* Copy propagation removes plain moves, but not those of a 64-bit scalar to each channel. */
    bool spreads = lir_type_size(inst->src[0].type) == 8 && !inst->src[0].stride;
    if (inst->op == EU_OPCODE_MOV && inst->src[0].file != LIR_IMM &&
        inst->src[0].type == inst->dst.type && !inst->saturate && !spreads)
        return false;
    for (unsigned s = 0; s < 3; s++) {
        const struct lir_reg *src = &inst->src[s];
        if (src->file == LIR_ARF || (src->file == LIR_VGRF && defs[src->nr] != 1))
            return false;
    }
    return true;
}

static bool is_sel_candidate(const struct lir_inst *inst, const unsigned *defs)
{
    struct lir_inst plain = *inst;
    if (inst->op != EU_OPCODE_SEL || inst->predicate)
        return false;
    plain.cmod = EU_CMOD_NONE;
    return is_candidate(&plain, defs);
}

/* Returns whether nothing reads the flag that inst sets. */
static bool is_flag_dead(const struct lir_block *block, const struct lir_inst *inst)
{
    unsigned flags = lir_flags_written(inst);
    while (inst != block->last) {
        inst = list_entry(inst->node.next, struct lir_inst, node);
        if (lir_flags_read(inst) & flags)
            return false;
        flags &= inst->predicate ? ~0u : ~lir_flags_written(inst);
        if (!flags)
            return true;
    }
    return !(flags & block->flags_out);
}

static bool is_comparison_candidate(const struct lir_inst *inst, const unsigned *defs)
{
    struct lir_inst plain = *inst;
    plain.cmod = EU_CMOD_NONE;
    return inst->op == EU_OPCODE_CMP && is_candidate(&plain, defs);
}

static enum eu_cmod opposite(const struct lir_inst *inst)
{
    enum eu_type type = inst->src[0].type;
    bool is_float = type == EU_TYPE_F || type == EU_TYPE_HF || type == EU_TYPE_DF;
    switch (inst->cmod) {
    case EU_CMOD_Z:
        return EU_CMOD_NZ;
    case EU_CMOD_NZ:
        return EU_CMOD_Z;
    case EU_CMOD_L: /* All comparisons but != are false for NaN. */
        return is_float ? EU_CMOD_NONE : EU_CMOD_GE;
    case EU_CMOD_GE:
        return is_float ? EU_CMOD_NONE : EU_CMOD_L;
    case EU_CMOD_G:
        return is_float ? EU_CMOD_NONE : EU_CMOD_LE;
    case EU_CMOD_LE:
        return is_float ? EU_CMOD_NONE : EU_CMOD_G;
    default:
        return EU_CMOD_NONE;
    }
}

static bool same_sources(const struct lir_inst *a, const struct lir_inst *b)
{
    bool straight = true;
    for (unsigned s = 0; s < 3; s++)
        straight = straight && lir_reg_equal(&a->src[s], &b->src[s]);
    if (straight)
        return true;
    bool commutes = a->op == EU_OPCODE_ADD || a->op == EU_OPCODE_MUL || a->op == EU_OPCODE_AND ||
                    a->op == EU_OPCODE_OR || a->op == EU_OPCODE_XOR;
    return commutes && lir_reg_equal(&a->src[0], &b->src[1]) &&
           lir_reg_equal(&a->src[1], &b->src[0]);
}

static bool same_value(const struct lir_inst *a, const struct lir_inst *b)
{
    return a->op == b->op && a->exec_size == b->exec_size && a->group == b->group &&
           a->no_mask == b->no_mask && a->saturate == b->saturate && a->math == b->math &&
           a->cmod == b->cmod && a->dst.type == b->dst.type && a->dst.stride == b->dst.stride &&
           same_sources(a, b);
}

static bool is_opposite(const struct lir_inst *a, const struct lir_inst *b)
{
    struct lir_inst plain = *b;
    plain.cmod = (uint8_t)opposite(b);
    return b->op == EU_OPCODE_CMP && lir_type_size(b->dst.type) == 4 && plain.cmod &&
           same_value(a, &plain);
}

static uint32_t hash_reg(const struct lir_reg *r)
{
    uint32_t what = r->file == LIR_BAD ? 0 : r->file == LIR_IMM ? r->imm : r->nr * 31 + r->offset;
    return (what * 31 + r->file) * 0x9e3779b1u;
}

/* Instructions that compute the same or the opposite value have the same bucket. */
static unsigned bucket_of(const struct lir_inst *inst)
{
    uint32_t hash = inst->op * 0x85ebca6bu;
    for (unsigned s = 0; s < 3; s++) /* In any order, because sources may be exchanged. */
        hash += hash_reg(&inst->src[s]);
    return (hash ^ hash >> 15) % BUCKETS;
}

/* Returns the last computation of the same or the opposite value; NULL: none. */
static struct lir_inst *find_earlier(const struct computations *c, unsigned bucket,
                                     const struct lir_inst *inst)
{
    for (unsigned i = c->buckets[bucket]; i; i = c->list[i - 1].next) {
        struct lir_inst *earlier = c->list[i - 1].inst;
        if (same_value(earlier, inst) || is_opposite(earlier, inst))
            return earlier;
    }
    return NULL;
}

static bool visit_block(const struct lir_block *block, const unsigned *defs, struct computations *c)
{
    bool progress = false;
    c->count = 0;
    memset(c->buckets, 0, sizeof c->buckets);
    lir_foreach_inst_in_block(inst, block)
    {
        bool comparison = is_comparison_candidate(inst, defs);
        if (!comparison && !is_candidate(inst, defs) && !is_sel_candidate(inst, defs))
            continue;
        unsigned bucket = bucket_of(inst);
        const struct lir_inst *earlier = find_earlier(c, bucket, inst);
        if (!earlier || (comparison && !is_flag_dead(block, inst))) {
            c->list[c->count] = (struct computation){inst, c->buckets[bucket]};
            c->buckets[bucket] = ++c->count;
            continue;
        }
        bool inverted = is_opposite(earlier, inst);
        if (inverted)
            inst->dst.type = EU_TYPE_UD;
        struct lir_reg value = lir_retype(earlier->dst, inst->dst.type);
        inst->op = inverted ? EU_OPCODE_NOT : EU_OPCODE_MOV;
        inst->saturate = false;
        inst->math = 0;
        inst->rlen = 0;
        inst->cmod = EU_CMOD_NONE;
        inst->src[0] = value;
        inst->src[1] = inst->src[2] = lir_bad();
        progress = true;
    }
    return progress;
}

bool lir_opt_cse(struct lir_program *p)
{
    void *mem_ctx = talloc_new(p);
    struct lir_cfg *cfg = lir_cfg_build(p, mem_ctx);
    unsigned *defs = count_defs(p, mem_ctx);
    struct computations *c = talloc_zero(mem_ctx, struct computations);
    bool progress = false;
    c->list = talloc_array(mem_ctx, struct computation, lir_number(p) + 1);
    lir_liveness(p, cfg, mem_ctx);
    for (unsigned b = 0; b < cfg->num_blocks; b++)
        progress |= visit_block(&cfg->blocks[b], defs, c);
    talloc_free(mem_ctx);
    return progress;
}
