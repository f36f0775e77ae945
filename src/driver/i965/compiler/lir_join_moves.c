/* SPDX-License-Identifier: MIT */
/*
 * Joins pairs of moves:
 * - In SIMD8 kernels, two moves of eight channels to consecutive registers become one of 16
 *   channels if their sources are equal or consecutive, too. It also writes channels that are
 *   disabled, so the destination must be a VGRF that is only live within one block, like most
 *   payloads.
 * - Two constant dwords of a scalar become one move of a 64-bit immediate.
 */
#include "lir.h"

#include "driver/i965/i965_device.h"

enum { WIDTH = 8 };

struct joiner {
    struct lir_program *p;
    struct lir_cfg *cfg;
    /* By VGRF: the only block that accesses it plus 1; ~0 if there are several. */
    unsigned *home;
};

static void visit_operand(struct joiner *j, const struct lir_reg *r, unsigned block)
{
    if (r->file != LIR_VGRF)
        return;
    unsigned *home = &j->home[r->nr];
    *home = !*home || *home == block + 1 ? block + 1 : ~0u;
}

/* VGRFs that a loop carries around into their only block are not local to it. */
static bool is_local(const struct joiner *j, unsigned vgrf)
{
    if (!j->home[vgrf] || j->home[vgrf] == ~0u)
        return false;
    const bitset_word *live_in = j->cfg->blocks[j->home[vgrf] - 1].live_in;
    for (unsigned r = j->cfg->vgrf_base[vgrf]; r < j->cfg->vgrf_base[vgrf + 1]; r++) {
        if (bitset_test(live_in, r))
            return false;
    }
    return true;
}

static bool is_plain_move(const struct lir_inst *inst)
{
    return inst->op == EU_OPCODE_MOV && !inst->predicate && !inst->cmod && !inst->saturate &&
           !inst->keeps_disabled_channels && inst->dst.file == LIR_VGRF;
}

static bool is_dword_immediate(const struct lir_reg *r)
{
    return r->file == LIR_IMM &&
           (r->type == EU_TYPE_UD || r->type == EU_TYPE_D || r->type == EU_TYPE_F);
}

/* Returns whether inst moves a dword in each of eight channels, and may as well do so in disabled
 * ones. */
static bool moves_channels(const struct joiner *j, const struct lir_inst *inst)
{
    const struct lir_reg *dst = &inst->dst, *src = &inst->src[0];
    return j->p->width == WIDTH && is_plain_move(inst) && inst->exec_size == WIDTH &&
           !inst->group && dst->stride == 1 && dst->offset % LIR_REG_SIZE == 0 &&
           lir_type_size(dst->type) == 4 && src->file != LIR_ARF && src->stride <= 1 &&
           !src->region &&
           (src->file == LIR_IMM ? is_dword_immediate(src) : lir_type_size(src->type) == 4) &&
           (inst->no_mask || is_local(j, dst->nr));
}

/* Returns whether inst sets a scalar dword to a constant. */
static bool sets_scalar(const struct joiner *j, const struct lir_inst *inst)
{
    const struct lir_reg *dst = &inst->dst, *src = &inst->src[0];
    return j->p->dev->has_64bit_types && is_plain_move(inst) && inst->exec_size == 1 &&
           inst->no_mask && lir_type_size(dst->type) == 4 && is_dword_immediate(src) &&
           (src->type == EU_TYPE_F) == (dst->type == EU_TYPE_F);
}

static unsigned position(const struct lir_reg *r)
{
    return r->offset + (r->file == LIR_GRF ? r->nr * LIR_REG_SIZE : 0);
}

/* Returns in *joined the source of one move of 16 channels that does both. */
static bool join_sources(const struct lir_reg *low, const struct lir_reg *high,
                         struct lir_reg *joined)
{
    *joined = *low;
    if (low->file != high->file || low->type != high->type)
        return false;
    if (low->file == LIR_IMM)
        return low->imm == high->imm;
    if (low->stride != high->stride || low->negate != high->negate || low->abs != high->abs ||
        (low->file == LIR_VGRF && low->nr != high->nr))
        return false;
    unsigned from = position(low), to = position(high);
    if (low->stride)
        return low->offset % LIR_REG_SIZE == 0 && to == from + LIR_REG_SIZE;
    if (from == to)
        return true;
    /* The first eight channels read a scalar, the others the next one. */
    joined->region = true;
    joined->vstride = 1;
    joined->width = WIDTH;
    joined->hstride = 0;
    return to == from + 4 && from / LIR_REG_SIZE == to / LIR_REG_SIZE;
}

static bool overlap(const struct lir_reg *a, unsigned bytes_a, const struct lir_reg *b,
                    unsigned bytes_b)
{
    return a->file == LIR_VGRF && b->file == LIR_VGRF && a->nr == b->nr &&
           a->offset < b->offset + bytes_b && b->offset < a->offset + bytes_a;
}

/* Returns whether `later` can be executed before inst. */
static bool can_pass(const struct lir_inst *later, const struct lir_inst *inst)
{
    unsigned written = lir_size_written(later), read = lir_size_read(later, 0);
    if (overlap(&inst->dst, lir_size_written(inst), &later->dst, written) ||
        overlap(&inst->dst, lir_size_written(inst), &later->src[0], read))
        return false;
    for (unsigned s = 0; s < 3; s++) {
        if (overlap(&inst->src[s], lir_size_read(inst, s), &later->dst, written))
            return false;
    }
    return true;
}

/* Replaces the moves of the low and the high part by one; false if that is impossible. */
static bool join_pair(struct joiner *j, const struct lir_inst *low, const struct lir_inst *high,
                      struct lir_inst *out)
{
    if (low->dst.nr != high->dst.nr)
        return false;
    *out = *low;
    if (sets_scalar(j, low)) {
        if (!sets_scalar(j, high) || low->dst.offset % 8 || high->dst.offset != low->dst.offset + 4)
            return false;
        out->dst.type = out->src[0].type = EU_TYPE_UQ;
        out->src[0].imm_high = high->src[0].imm;
        return true;
    }
    if (!moves_channels(j, high) || low->dst.type != high->dst.type ||
        high->dst.offset != low->dst.offset + LIR_REG_SIZE ||
        !join_sources(&low->src[0], &high->src[0], &out->src[0]))
        return false;
    out->exec_size = 2 * WIDTH;
    out->no_mask = true;
    return true;
}

/* Searches the other half of a pair after inst in its block. */
static bool join_with_later(struct joiner *j, struct lir_inst *inst, const struct list_head *end)
{
    for (struct list_head *at = inst->node.next; at != end; at = at->next) {
        struct lir_inst *other = list_entry(at, struct lir_inst, node), joined;
        if (other->op != EU_OPCODE_MOV || other->dst.file != LIR_VGRF ||
            (!join_pair(j, inst, other, &joined) && !join_pair(j, other, inst, &joined)))
            continue;
        bool movable = can_pass(other, inst);
        for (struct list_head *i = at->prev; i != &inst->node && movable; i = i->prev)
            movable = can_pass(other, list_entry(i, struct lir_inst, node));
        if (!movable)
            continue;
        inst->dst = joined.dst;
        inst->src[0] = joined.src[0];
        inst->exec_size = joined.exec_size;
        inst->no_mask = joined.no_mask;
        list_del(&other->node);
        return true;
    }
    return false;
}

bool lir_join_moves(struct lir_program *p)
{
    void *mem_ctx = talloc_new(p);
    struct joiner j = {.p = p, .cfg = lir_cfg_build(p, mem_ctx)};
    bool progress = false;
    lir_liveness(p, j.cfg, mem_ctx);
    j.home = talloc_zero_array(mem_ctx, unsigned, p->vgrfs.count + 1);
    for (unsigned b = 0; b < j.cfg->num_blocks; b++) {
        lir_foreach_inst_in_block(inst, &j.cfg->blocks[b])
        {
            visit_operand(&j, &inst->dst, b);
            for (unsigned s = 0; s < 3; s++)
                visit_operand(&j, &inst->src[s], b);
        }
    }
    for (unsigned b = 0; b < j.cfg->num_blocks; b++) {
        struct lir_block *block = &j.cfg->blocks[b];
        if (!block->first)
            continue;
        const struct list_head *end = block->last->node.next;
        for (struct list_head *at = &block->first->node; at != end; at = at->next) {
            struct lir_inst *inst = list_entry(at, struct lir_inst, node);
            if (moves_channels(&j, inst) || sets_scalar(&j, inst))
                progress |= join_with_later(&j, inst, end);
        }
    }
    talloc_free(mem_ctx);
    return progress;
}
