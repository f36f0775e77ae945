/* SPDX-License-Identifier: MIT */
/*
 * Register allocation: live intervals of whole VGRFs over the program's order, colored in the order
 * of their starts, lowest fit first (Poletto and Sarkar, TOPLAS 1999, for values of several
 * registers); when one does not fit, the cheapest interval there goes to scratch memory and all
 * starts again.
 *
 * Intervals are contiguous, and one that lives into a loop or out of one covers all of it: so a
 * register that is written under a mask keeps what other channels have in it, whatever else runs
 * meanwhile, writes without a mask included.
 *
 * Points: instruction ip reads at 2·ip and writes at 2·ip + 1.
 */
#include "lir.h"

#include <stdlib.h>

/* Payloads of a thread's last message are in the last registers: r112 … r127. */
enum { EOT_GRFS = 16 };

struct interval {
    int start, end; /* empty if end < start */
    float cost;     /* accesses, weighted by loops */
    unsigned vgrf;
    bool eot;
};

struct allocator {
    struct lir_program *p;
    struct lir_cfg *cfg;
    void *mem_ctx;
    struct interval *intervals;
    int *grf_end; /* last point at which a payload register is read, -1: never */
};

static void extend(struct interval *in, int point)
{
    in->start = MIN2(in->start, point);
    in->end = MAX2(in->end, point);
}

/* Whether the destination's first register may be written while the source is yet to be read. */
static bool source_outlives(const struct lir_inst *inst, unsigned s)
{
    const struct lir_reg *src = &inst->src[s];
    if (inst->op == LIR_OP_BROADCAST)
        return true;
    if (lir_is_send(inst) || lir_size_written(inst) <= LIR_REG_SIZE)
        return false;
    unsigned written = lir_size_written(inst);
    return src->file == LIR_GRF || src->region || lir_size_read(inst, s) != written ||
           inst->dst.offset % 64 || src->offset % 64;
}

static void visit(struct allocator *a, const struct lir_inst *inst, float weight)
{
    int ip = (int)inst->ip;
    for (unsigned s = 0; s < 3; s++) {
        const struct lir_reg *src = &inst->src[s];
        int point = 2 * ip + (source_outlives(inst, s) ? 2 : 0);
        if (src->file == LIR_VGRF) {
            struct interval *in = &a->intervals[src->nr];
            extend(in, point);
            in->cost += weight;
            in->eot |= inst->eot && s < 2;
        } else if (src->file == LIR_GRF) {
            unsigned first = src->nr + src->offset / LIR_REG_SIZE;
            unsigned bytes = src->offset % LIR_REG_SIZE + lir_size_read(inst, s);
            for (unsigned r = 0; r * LIR_REG_SIZE < bytes && first + r < a->p->dev->grf_count; r++)
                a->grf_end[first + r] = MAX2(a->grf_end[first + r], point);
        }
    }
    if (inst->dst.file == LIR_VGRF) {
        extend(&a->intervals[inst->dst.nr], 2 * ip + 1);
        if (inst->op != LIR_OP_UNDEF)
            a->intervals[inst->dst.nr].cost += weight;
    }
}

static void extend_live(struct allocator *a, const bitset_word *live, int point)
{
    for (unsigned v = 0; v < a->p->vgrfs.count; v++) {
        for (unsigned r = 0; r < a->p->vgrfs.data[v].size; r++) {
            if (bitset_test(live, a->cfg->vgrf_base[v] + r)) {
                extend(&a->intervals[v], point);
                break;
            }
        }
    }
}

static void cover_loops(struct allocator *a)
{
    for (unsigned l = 0; l < a->cfg->num_loops; l++) {
        int start = 2 * (int)a->cfg->loops[l].start, end = 2 * (int)a->cfg->loops[l].end + 1;
        for (unsigned v = 0; v < a->p->vgrfs.count; v++) {
            struct interval *in = &a->intervals[v];
            if (in->end < start || in->start > end || (in->start >= start && in->end <= end))
                continue;
            extend(in, start);
            extend(in, end);
        }
        for (unsigned r = 0; r < a->p->dev->grf_count; r++) {
            if (a->grf_end[r] >= start && a->grf_end[r] < end)
                a->grf_end[r] = end;
        }
    }
}

static void compute_intervals(struct allocator *a)
{
    struct lir_program *p = a->p;
    for (unsigned v = 0; v < p->vgrfs.count; v++)
        a->intervals[v] = (struct interval){.start = INT32_MAX, .end = -1, .vgrf = v};
    for (unsigned r = 0; r < p->dev->grf_count; r++)
        a->grf_end[r] = -1;
    for (unsigned b = 0; b < a->cfg->num_blocks; b++) {
        const struct lir_block *block = &a->cfg->blocks[b];
        float weight = 1;
        for (unsigned d = 0; d < block->loop_depth && d < 8; d++)
            weight *= 10;
        for (struct lir_inst *inst = block->first; inst;
             inst = inst == block->last ? NULL : list_entry(inst->node.next, struct lir_inst, node))
            visit(a, inst, weight);
        extend_live(a, block->live_in, 2 * (int)block->start);
        extend_live(a, block->live_out, 2 * (int)block->end + 1);
    }
    cover_loops(a);
}

static int compare_start(const void *x, const void *y)
{
    const struct interval *a = *(struct interval *const *)x, *b = *(struct interval *const *)y;
    if (a->eot != b->eot)
        return a->eot ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->vgrf < b->vgrf ? -1 : 1;
}

struct place {
    int busy_until;    /* point of the last use by what was placed there, in order of starts */
    int reserved_from; /* start of the payload of the last message */
};

static bool fits(const struct place *places, unsigned at, unsigned size, const struct interval *in)
{
    for (unsigned r = 0; r < size; r++) {
        if (places[at + r].busy_until >= in->start || places[at + r].reserved_from <= in->end)
            return false;
    }
    return true;
}

/* Even places for values of two registers a component: then halves of instructions do not meet. */
static unsigned alignment(const struct lir_program *p, unsigned size)
{
    return p->width == 16 && size % 2 == 0 ? 2 : 1;
}

static bool place_interval(struct allocator *a, struct place *places, struct interval *in,
                           unsigned *eot_end)
{
    struct lir_program *p = a->p;
    unsigned size = p->vgrfs.data[in->vgrf].size, grfs = p->dev->grf_count;
    unsigned align = alignment(p, size), at = 0;
    if (in->eot) {
        if (*eot_end < size || *eot_end - size < grfs - EOT_GRFS)
            return false;
        at = *eot_end -= size;
        if (!fits(places, at, size, in))
            return false;
        for (unsigned r = 0; r < size; r++)
            places[at + r].reserved_from = in->start;
        p->vgrfs.data[in->vgrf].hw = (uint16_t)at;
        return true;
    }
    for (at = 0; at + size <= grfs; at += align) {
        if (!fits(places, at, size, in))
            continue;
        for (unsigned r = 0; r < size; r++)
            places[at + r].busy_until = in->end;
        p->vgrfs.data[in->vgrf].hw = (uint16_t)at;
        return true;
    }
    return false;
}

/* The cheapest interval that is alive where one did not fit: accesses per length and size. */
static struct interval *choose_spill(struct allocator *a, const struct interval *failed)
{
    struct interval *best = NULL;
    float best_score = 0;
    for (unsigned v = 0; v < a->p->vgrfs.count; v++) {
        struct interval *in = &a->intervals[v];
        if (a->p->vgrfs.data[v].no_spill || in->eot || in->end < in->start ||
            in->end < failed->start || in->start > failed->start)
            continue;
        float score = (float)(in->end - in->start) * (float)a->p->vgrfs.data[v].size / (in->cost + 1);
        if (!best || score > best_score) {
            best = in;
            best_score = score;
        }
    }
    return best;
}

/* --- Spilling --- */

enum {
    SCRATCH_CATEGORY = 1 << 18,
    SCRATCH_WRITE = 1 << 17,
};

struct spill {
    struct lir_program *p;
    unsigned vgrf, slot; /* first register of its place in scratch memory */
};

static struct lir_inst *scratch_message(struct spill *s, struct lir_inst *at, struct lir_reg data,
                                        unsigned reg, unsigned count, bool write)
{
    uint32_t desc = SCRATCH_CATEGORY | (write ? SCRATCH_WRITE : 0) |
                    (uint32_t)__builtin_ctz(count) << 12 | (s->slot + reg);
    struct lir_reg r0 = lir_grf(0, EU_TYPE_UD);
    struct lir_inst *inst =
        lir_inst_create(s->p, write ? EU_OPCODE_SENDS : EU_OPCODE_SEND, 16,
                        write ? lir_null(EU_TYPE_UD) : data, r0, write ? data : lir_bad(), lir_bad());
    inst->no_mask = true;
    inst->header = true;
    inst->sfid = EU_SFID_DATA_CACHE0;
    inst->desc = desc;
    inst->mlen = 1;
    inst->ex_mlen = write ? (uint8_t)count : 0;
    inst->rlen = write ? 0 : (uint8_t)count;
    inst->side_effects = true;
    if (write) {
        list_add(&inst->node, &at->node);
        s->p->spills++;
    } else {
        list_addtail(&inst->node, &at->node);
        s->p->fills++;
    }
    return inst;
}

/* Registers first … first + count of the VGRF to or from `temp`, in pieces the messages have. */
static struct lir_inst *move_scratch(struct spill *s, struct lir_inst *at, struct lir_reg temp,
                                     unsigned first, unsigned count, bool write)
{
    struct lir_inst *last = at;
    for (unsigned done = 0; done < count;) {
        unsigned n = count - done >= 4 ? 4 : count - done >= 2 ? 2 : 1;
        struct lir_inst *inst = scratch_message(s, write ? last : at,
                                                lir_byte_offset(temp, done * LIR_REG_SIZE),
                                                first + done, n, write);
        if (write)
            last = inst;
        done += n;
    }
    return last;
}

static void spill_sources(struct spill *s, struct lir_inst *inst)
{
    for (unsigned i = 0; i < 3; i++) {
        struct lir_reg *src = &inst->src[i];
        if (src->file != LIR_VGRF || src->nr != s->vgrf)
            continue;
        unsigned first = src->offset / LIR_REG_SIZE;
        unsigned bytes = src->offset % LIR_REG_SIZE + lir_size_read(inst, i);
        unsigned count = DIV_ROUND_UP(bytes, LIR_REG_SIZE);
        struct lir_reg temp = lir_vgrf(s->p, count, EU_TYPE_UD);
        s->p->vgrfs.data[temp.nr].no_spill = true;
        move_scratch(s, inst, temp, first, count, false);
        src->nr = temp.nr;
        src->offset %= LIR_REG_SIZE;
        for (unsigned k = i + 1; k < 3; k++) { /* the same operand again */
            struct lir_reg *other = &inst->src[k];
            if (other->file == LIR_VGRF && other->nr == s->vgrf &&
                other->offset / LIR_REG_SIZE >= first &&
                other->offset % LIR_REG_SIZE + lir_size_read(inst, k) +
                        (other->offset / LIR_REG_SIZE - first) * LIR_REG_SIZE <= count * LIR_REG_SIZE) {
                other->offset -= first * LIR_REG_SIZE;
                other->nr = temp.nr;
            }
        }
    }
}

static void spill_destination(struct spill *s, struct lir_inst *inst, bool divergent)
{
    struct lir_reg *dst = &inst->dst;
    if (dst->file != LIR_VGRF || dst->nr != s->vgrf || inst->op == LIR_OP_UNDEF)
        return;
    unsigned first = dst->offset / LIR_REG_SIZE;
    unsigned count = DIV_ROUND_UP(dst->offset % LIR_REG_SIZE + lir_size_written(inst), LIR_REG_SIZE);
    struct lir_reg temp = lir_vgrf(s->p, count, EU_TYPE_UD);
    s->p->vgrfs.data[temp.nr].no_spill = true;
    /* What is not written has to come back as it was. */
    if (lir_is_partial_write(inst) || (divergent && !inst->no_mask))
        move_scratch(s, inst, temp, first, count, false);
    dst->nr = temp.nr;
    dst->offset %= LIR_REG_SIZE;
    move_scratch(s, inst, temp, first, count, true);
}

static void spill_vgrf(struct lir_program *p, unsigned vgrf)
{
    struct spill s = {.p = p, .vgrf = vgrf, .slot = DIV_ROUND_UP(p->scratch_size, LIR_REG_SIZE)};
    unsigned depth = 0;
    p->scratch_size = (s.slot + p->vgrfs.data[vgrf].size) * LIR_REG_SIZE;
    lir_foreach_inst_safe(inst, p) {
        depth += inst->op == EU_OPCODE_IF || inst->op == LIR_OP_DO;
        depth -= inst->op == EU_OPCODE_ENDIF || inst->op == EU_OPCODE_WHILE;
        if (inst->op == LIR_OP_UNDEF && inst->dst.nr == vgrf) {
            list_del(&inst->node);
            continue;
        }
        spill_sources(&s, inst);
        spill_destination(&s, inst, depth > 0);
    }
}

/* --- All --- */

/* NULL: everything has its place. Else what did not fit. */
static struct interval *try_allocate(struct allocator *a)
{
    struct lir_program *p = a->p;
    struct interval **order = talloc_array(a->mem_ctx, struct interval *, p->vgrfs.count + 1);
    struct place *places = talloc_array(a->mem_ctx, struct place, p->dev->grf_count);
    unsigned n = 0, eot_end = p->dev->grf_count;
    compute_intervals(a);
    for (unsigned r = 0; r < p->dev->grf_count; r++)
        places[r] = (struct place){.busy_until = a->grf_end[r], .reserved_from = INT32_MAX};
    for (unsigned v = 0; v < p->vgrfs.count; v++) {
        if (a->intervals[v].end >= a->intervals[v].start)
            order[n++] = &a->intervals[v];
    }
    qsort(order, n, sizeof *order, compare_start);
    for (unsigned i = 0; i < n; i++) {
        if (!place_interval(a, places, order[i], &eot_end))
            return order[i];
    }
    return NULL;
}

bool lir_allocate(struct lir_program *p, bool may_spill)
{
    enum { MAX_SPILLS = 400 };
    for (unsigned round = 0; round < MAX_SPILLS; round++) {
        void *mem_ctx = talloc_new(p);
        struct allocator a = {.p = p, .mem_ctx = mem_ctx};
        a.cfg = lir_cfg_build(p, mem_ctx);
        lir_liveness(p, a.cfg, mem_ctx);
        a.intervals = talloc_array(mem_ctx, struct interval, p->vgrfs.count + 1);
        a.grf_end = talloc_array(mem_ctx, int, p->dev->grf_count);
        struct interval *failed = try_allocate(&a), *victim = NULL;
        if (failed && may_spill)
            victim = choose_spill(&a, failed);
        unsigned vgrf = victim ? victim->vgrf : 0;
        bool done = !failed;
        talloc_free(mem_ctx);
        if (done)
            return true;
        if (!victim)
            break;
        spill_vgrf(p, vgrf);
        if (p->scratch_size > p->dev->max_scratch)
            break;
    }
    lir_fail(p, "more registers are needed than the %u that a thread has", p->dev->grf_count);
    return false;
}
