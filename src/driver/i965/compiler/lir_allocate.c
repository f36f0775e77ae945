/* SPDX-License-Identifier: MIT */
/*
 * Register allocation. VGRFs are the nodes of an interference graph, which lir_color.c colors with
 * registers. If that fails, the best candidate is spilled to scratch memory (lir_spill.c) and
 * allocation starts again. Interference is that of the register file (lir_live.c), per register.
 */
#include "lir.h"

#include <string.h>

#include "lir_color.h"
#include "util/macros.h"

/* The payload of a thread's last message must be in r112 to r127. */
enum { EOT_GRFS = 16 };

/* Live registers during the backward walk of a block, as a set that can be enumerated. */
struct live {
    unsigned *list, count;
    unsigned *position; /* By register: index in list + 1; 0 if not live. */
};

struct allocator {
    struct lir_program *p;
    struct lir_cfg *cfg;
    struct lir_color *graph;
    struct live live;
    unsigned *vgrf_of; /* By register. */
    /* By register: its first write in the block, if it has no value before. */
    struct lir_inst **first_write;
};

static void begin_life(struct live *live, unsigned reg)
{
    if (live->position[reg])
        return;
    live->list[live->count++] = reg;
    live->position[reg] = live->count;
}

static void end_life(struct live *live, unsigned reg)
{
    unsigned at = live->position[reg];
    if (!at)
        return;
    unsigned last = live->list[--live->count];
    live->list[at - 1] = last;
    live->position[last] = at;
    live->position[reg] = 0;
}

/* --- Interference --- */

/* Makes reg, which belongs to a VGRF, interfere with other, which may be a payload register. */
static void interfere(struct allocator *a, unsigned reg, unsigned other)
{
    unsigned vgrf = a->vgrf_of[reg], unit = reg - a->cfg->vgrf_base[vgrf];
    if (other >= a->cfg->grf_base) {
        lir_color_forbid(a->graph, vgrf, (int)(other - a->cfg->grf_base) - (int)unit);
        return;
    }
    unsigned vgrf2 = a->vgrf_of[other];
    if (vgrf2 != vgrf)
        lir_color_interfere(a->graph, vgrf, unit, vgrf2, other - a->cfg->vgrf_base[vgrf2]);
}

static void interfere_all(struct allocator *a, struct lir_span x, struct lir_span y)
{
    for (unsigned i = 0; i < x.count; i++) {
        for (unsigned k = 0; k < y.count; k++)
            interfere(a, x.first + i, y.first + k);
    }
}

/* Returns whether the hardware executes the instruction in halves, because it spans more than one
 * register. The first half must not overwrite what the second half reads. */
static bool has_halves(const struct lir_inst *inst)
{
    bool wide = lir_size_written(inst) > LIR_REG_SIZE;
    for (unsigned s = 0; s < 3 && inst->op != EU_OPCODE_PLN; s++)
        wide |= !inst->src[s].region && lir_size_read(inst, s) > LIR_REG_SIZE;
    return wide && inst->exec_size > 1;
}

static struct lir_span part_of(struct lir_span span, const struct lir_reg *r, unsigned start,
                               unsigned end)
{
    unsigned skip = r->offset % LIR_REG_SIZE, first = (skip + start) / LIR_REG_SIZE;
    unsigned after = MIN2(DIV_ROUND_UP(skip + end, LIR_REG_SIZE), span.count);
    return (struct lir_span){span.first + first, after > first ? after - first : 0};
}

static void add_hazards(struct allocator *a, const struct lir_inst *inst)
{
    struct lir_span src[3], dst = lir_regs_written(a->cfg, inst);
    for (unsigned s = 0; s < 3; s++)
        src[s] = lir_regs_read(a->cfg, inst, s);
    if (lir_is_send(inst)) {
        /* A result that ends in the last register must not overlap the payload. */
        if (dst.count)
            lir_color_forbid(
                a->graph, inst->dst.nr,
                (int)(a->p->dev->grf_count - inst->dst.offset / LIR_REG_SIZE - dst.count));
        /* The two payloads must not overlap, either. */
        if (inst->src[0].file == LIR_VGRF)
            interfere_all(a, src[0], src[1]);
        else if (inst->src[1].file == LIR_VGRF)
            interfere_all(a, src[1], src[0]);
        return;
    }
    if (inst->op == LIR_OP_BROADCAST || inst->op == LIR_OP_GATHER) {
        interfere_all(a, dst, src[0]);
        interfere_all(a, dst, src[1]);
        return;
    }
    if (inst->op >= LIR_OP_DO || !dst.count || !has_halves(inst))
        return;
    dst = part_of(dst, &inst->dst, 0, DIV_ROUND_UP(lir_size_written(inst), 2));
    for (unsigned s = 0; s < 3; s++) {
        const struct lir_reg *r = &inst->src[s];
        unsigned bytes = lir_size_read(inst, s), from = r->stride && !r->region ? bytes / 2 : 0;
        interfere_all(a, dst, part_of(src[s], r, from, bytes));
    }
}

static void find_first_writes(struct allocator *a, const struct lir_block *block)
{
    lir_foreach_inst_in_block(inst, block)
    {
        struct lir_span dst = lir_regs_written(a->cfg, inst);
        for (unsigned r = dst.first; r < dst.first + dst.count && inst->op != LIR_OP_UNDEF; r++) {
            if (!a->first_write[r] && !bitset_test(block->written_in, r))
                a->first_write[r] = inst;
        }
    }
}

static void add_write(struct allocator *a, const struct lir_inst *inst, const bitset_word *waiting)
{
    struct lir_span dst = lir_regs_written(a->cfg, inst);
    bool whole = !lir_is_partial_write(inst);
    for (unsigned i = 0; i < dst.count && inst->op != LIR_OP_UNDEF; i++) {
        for (unsigned k = 0; k < a->live.count; k++)
            interfere(a, dst.first + i, a->live.list[k]);
    }
    for (unsigned r = dst.first; r < dst.first + dst.count; r++) {
        bool begins = whole || a->first_write[r] == inst;
        if (begins && (!waiting || !bitset_test(waiting, r)))
            end_life(&a->live, r);
    }
}

static void visit_block(struct allocator *a, const struct lir_block *block)
{
    memset(a->first_write, 0, a->cfg->num_regs * sizeof *a->first_write);
    while (a->live.count)
        end_life(&a->live, a->live.list[a->live.count - 1]);
    find_first_writes(a, block);
    bitset_foreach_set (r, block->live_out, a->cfg->num_regs)
        begin_life(&a->live, r);
    if (block->waiting) {
        bitset_foreach_set (r, block->waiting, a->cfg->num_regs)
            begin_life(&a->live, r);
    }
    for (struct lir_inst *inst = block->last; inst;
         inst = inst == block->first ? NULL : list_entry(inst->node.prev, struct lir_inst, node)) {
        add_hazards(a, inst);
        add_write(a, inst, block->waiting);
        for (unsigned s = 0; s < 3; s++) {
            struct lir_span src = lir_regs_read(a->cfg, inst, s);
            for (unsigned r = src.first; r < src.first + src.count; r++)
                begin_life(&a->live, r);
        }
    }
}

/* --- Nodes --- */

static void add_access(float *cost, const struct lir_reg *r, float messages)
{
    if (r->file == LIR_VGRF)
        cost[r->nr] += messages;
}

/* Returns the number of messages that spilling each node would take, weighted by loop depth;
 * negative if it is never used. */
static float *estimate_costs(struct allocator *a, void *mem_ctx)
{
    unsigned n = a->p->vgrfs.count;
    float *cost = talloc_array(mem_ctx, float, n + 1);
    for (unsigned v = 0; v < n; v++)
        cost[v] = -1;
    for (unsigned b = 0; b < a->cfg->num_blocks; b++) {
        const struct lir_block *block = &a->cfg->blocks[b];
        float weight = 1;
        for (unsigned d = 0; d < block->loop_depth && d < 8; d++)
            weight *= 10;
        lir_foreach_inst_in_block(inst, block)
        {
            const struct lir_reg *all[] = {&inst->dst, &inst->src[0], &inst->src[1], &inst->src[2]};
            for (unsigned i = 0; i < ARRAY_SIZE(all); i++) {
                if (all[i]->file == LIR_VGRF)
                    cost[all[i]->nr] = MAX2(cost[all[i]->nr], 0);
            }
            if (inst->op != LIR_OP_UNDEF)
                add_access(cost, &inst->dst, lir_is_partial_write(inst) ? 2 * weight : weight);
            for (unsigned s = 0; s < 3; s++)
                add_access(cost, &inst->src[s],
                           weight * (float)DIV_ROUND_UP(lir_size_read(inst, s), 128));
        }
    }
    return cost;
}

static void add_nodes(struct allocator *a, void *mem_ctx)
{
    struct lir_program *p = a->p;
    float *cost = estimate_costs(a, mem_ctx);
    bool *constant = lir_find_constants(p, mem_ctx);
    const struct lir_selection *selection = lir_find_selections(p, constant, mem_ctx);
    for (unsigned v = 0; v < p->vgrfs.count; v++) {
        if (cost[v] < 0)
            continue;
        if (p->vgrfs.data[v].no_spill)
            cost[v] = -1;
        else if (constant[v])
            cost[v] *= 0.2f; /* Rematerialized where it is read. */
        else if (selection[v].select)
            cost[v] *= 0.5f;
        lir_color_set_node(a->graph, v, p->vgrfs.data[v].size, cost[v]);
    }
    lir_foreach_inst(inst, p)
    {
        for (unsigned s = 0; s < 2 && inst->eot; s++) {
            for (unsigned r = 0; inst->src[s].file == LIR_VGRF && r + EOT_GRFS < p->dev->grf_count;
                 r++)
                lir_color_forbid(a->graph, inst->src[s].nr, (int)r);
        }
    }
}

static void find_owners(struct allocator *a, void *mem_ctx)
{
    a->vgrf_of = talloc_array(mem_ctx, unsigned, a->cfg->num_regs + 1);
    for (unsigned v = 0; v < a->p->vgrfs.count; v++) {
        for (unsigned r = a->cfg->vgrf_base[v]; r < a->cfg->vgrf_base[v + 1]; r++)
            a->vgrf_of[r] = v;
    }
}

/* --- Allocation --- */

enum { MAX_SPILLS = 16 };

/* VGRFs to spill before the next attempt. */
struct victims {
    unsigned vgrf[MAX_SPILLS], count, wanted;
};

static bool try_allocate(struct lir_program *p, struct victims *victims)
{
    void *mem_ctx = talloc_new(p);
    struct allocator a = {.p = p, .cfg = lir_cfg_build(p, mem_ctx)};
    lir_liveness(p, a.cfg, mem_ctx);
    lir_find_waiting(a.cfg, mem_ctx);
    a.graph = lir_color_create(mem_ctx, p->vgrfs.count, p->dev->grf_count);
    a.live.list = talloc_array(mem_ctx, unsigned, a.cfg->num_regs + 1);
    a.first_write = talloc_array(mem_ctx, struct lir_inst *, a.cfg->num_regs + 1);
    a.live.position = talloc_zero_array(mem_ctx, unsigned, a.cfg->num_regs + 1);
    find_owners(&a, mem_ctx);
    add_nodes(&a, mem_ctx);
    for (unsigned b = 0; b < a.cfg->num_blocks; b++)
        visit_block(&a, &a.cfg->blocks[b]);
    bool done = lir_color_solve(a.graph);
    for (victims->count = 0; !done && victims->count < victims->wanted; victims->count++) {
        unsigned vgrf = lir_color_choose_spill(a.graph);
        if (vgrf == LIR_COLOR_NONE)
            break;
        victims->vgrf[victims->count] = vgrf;
    }
    for (unsigned v = 0; done && v < p->vgrfs.count; v++) {
        unsigned place = lir_color_place(a.graph, v);
        p->vgrfs.data[v].hw = (uint16_t)(place == LIR_COLOR_NONE ? 0 : place);
    }
    talloc_free(mem_ctx);
    return done;
}

/* Spills something. A payload that takes most of the registers is spilled first, because it leaves
 * too few for anything else. */
static bool spill_something(struct lir_program *p, const struct victims *victims)
{
    bool ok = true;
    if (p->payload_regs > p->dev->grf_count * 2 / 3 && lir_spill_payload(p))
        return true;
    for (unsigned i = 0; i < victims->count; i++)
        ok &= lir_spill(p, victims->vgrf[i]);
    return victims->count ? ok : lir_spill_payload(p);
}

/* The number of VGRFs spilled per attempt grows with the number of attempts: careful at first, fast
 * later. */
bool lir_allocate(struct lir_program *p, bool may_spill)
{
    struct victims victims;
    for (unsigned round = 0;; round++) {
        victims.wanted = MIN2(1 + round / 8, MAX_SPILLS);
        if (try_allocate(p, &victims))
            return true;
        if (!may_spill || !spill_something(p, &victims))
            break;
        lir_check(p, LIR_PHASE_LOWERED, "a spill");
    }
    lir_fail(p, "more registers are needed than the %u that a thread has", p->dev->grf_count);
    return false;
}
