/* SPDX-License-Identifier: MIT */
/*
 * List scheduling of each block (Muchnick 1997, §17.1.2), before and after allocation, and the
 * cycle estimate of the current order.
 *
 * The EU issues in order, and an instruction waits for its operands. Long operations should
 * therefore start early and their users come late. Before allocation, register pressure limits
 * this: when many registers are live, instructions that end more live values than they start come
 * first. After allocation, accesses to the same register keep their order; this pass then separates
 * fills from their users, and instructions that allocation made dependent.
 */
#include "lir.h"

#include <string.h>

#include "util/check.h"
#include "util/macros.h"

static unsigned issue_cycles(const struct lir_inst *inst)
{
    unsigned cycles = inst->exec_size > 8 ? 4 : 2;
    if (inst->op >= LIR_OP_DO && inst->op != LIR_OP_BROADCAST && inst->op != LIR_OP_GATHER)
        return 0;
    return inst->op == EU_OPCODE_MATH ? 4 * cycles : cycles;
}

static unsigned latency(const struct i965_latencies *cycles, const struct lir_inst *inst)
{
    if (lir_is_send(inst)) {
        switch (inst->sfid) {
        case EU_SFID_SAMPLER:
            return cycles->sampler;
        case EU_SFID_DATA_CONSTANT_CACHE:
            return cycles->constant;
        default:
            return inst->rlen ? cycles->memory : 2;
        }
    }
    if (inst->op == EU_OPCODE_MATH)
        return inst->math >= EU_MATH_FDIV ? cycles->math_slow : cycles->math;
    return inst->op == LIR_OP_UNDEF ? 0 : cycles->alu;
}

/* --- Dependencies --- */

struct edge {
    unsigned to, delay;
};

struct node {
    struct lir_inst *inst;
    DYNARRAY(struct edge) edges;
    unsigned num_preds;
    unsigned height; /* Cycles from its issue to the end of the block. */
    unsigned ready;  /* Earliest issue once all predecessors have issued. */
};

/* Dependencies other than registers. */
enum { RES_FLAG = 0, RES_MEMORY = LIR_FLAG_PARTS, RES_SCRATCH, RES_COUNT };

struct resource {
    int writer;                 /* Node index; -1 if none. */
    DYNARRAY(unsigned) readers; /* Nodes that have read it since. */
};

struct scheduler {
    struct lir_program *p;
    struct lir_cfg *cfg;
    void *mem_ctx;
    enum lir_schedule_mode mode;
    struct node *nodes;
    unsigned num_nodes;
    /* RES_* first, followed by registers: virtual ones, or hardware registers after allocation. */
    struct resource *resources;
    DYNARRAY(unsigned) touched;
    unsigned *uses_left; /* By cfg register index: uses left in the block. */
    const bitset_word *live_out;
    bitset_word *live;
    int pressure, max_pressure;
};

static void add_edge(struct scheduler *s, unsigned from, unsigned to, unsigned delay)
{
    struct edge e = {to, delay};
    if (from == to)
        return;
    (void)dynarray_append(&s->nodes[from].edges, e);
    s->nodes[to].num_preds++;
}

static struct resource *touch(struct scheduler *s, unsigned r)
{
    struct resource *res = &s->resources[r];
    if (res->writer < 0 && !res->readers.count)
        (void)dynarray_append(&s->touched, r);
    return res;
}

static void reads(struct scheduler *s, unsigned n, unsigned r)
{
    struct resource *res = touch(s, r);
    if (res->writer >= 0)
        add_edge(s, (unsigned)res->writer, n,
                 latency(s->p->dev->latencies, s->nodes[res->writer].inst));
    (void)dynarray_append(&res->readers, n);
}

static void writes(struct scheduler *s, unsigned n, unsigned r)
{
    struct resource *res = touch(s, r);
    for (unsigned i = 0; i < res->readers.count; i++)
        add_edge(s, res->readers.data[i], n, 0);
    if (res->writer >= 0)
        add_edge(s, (unsigned)res->writer, n, 0);
    res->writer = (int)n;
    res->readers.count = 0;
}

/* Returns the range of resources of an operand's registers. */
static struct lir_span resources_of(const struct scheduler *s, const struct lir_reg *r,
                                    struct lir_span regs)
{
    if (s->mode != LIR_SCHEDULE_ALLOCATED)
        regs.first += RES_COUNT;
    else if (regs.count && r->file == LIR_VGRF)
        regs.first =
            RES_COUNT + s->p->vgrfs.data[r->nr].hw + (regs.first - s->cfg->vgrf_base[r->nr]);
    else
        regs.first = RES_COUNT + (regs.first - s->cfg->grf_base);
    return regs;
}

static void add_dependencies(struct scheduler *s, unsigned n)
{
    const struct lir_inst *inst = s->nodes[n].inst;
    unsigned flags_read = lir_flags_read(inst), flags_written = lir_flags_written(inst);
    if (s->mode == LIR_SCHEDULE_ALLOCATED && inst->op == LIR_OP_UNDEF)
        return; /* The register holds a different value. */
    for (unsigned k = 0; k < 3; k++) {
        struct lir_span src = resources_of(s, &inst->src[k], lir_regs_read(s->cfg, inst, k));
        for (unsigned i = 0; i < src.count; i++)
            reads(s, n, src.first + i);
    }
    for (unsigned f = 0; f < LIR_FLAG_PARTS; f++) {
        if (flags_read >> f & 1)
            reads(s, n, RES_FLAG + f);
    }
    for (unsigned f = 0; f < LIR_FLAG_PARTS; f++) {
        if (flags_written >> f & 1)
            writes(s, n, RES_FLAG + f);
    }
    if (inst->scratch && inst->rlen)
        reads(s, n, RES_SCRATCH);
    else if (inst->scratch)
        writes(s, n, RES_SCRATCH);
    else if (lir_has_side_effects(inst))
        writes(s, n, RES_MEMORY);
    struct lir_span dst = resources_of(s, &inst->dst, lir_regs_written(s->cfg, inst));
    for (unsigned i = 0; i < dst.count; i++)
        writes(s, n, dst.first + i);
}

static void reset_resources(struct scheduler *s)
{
    for (unsigned i = 0; i < s->touched.count; i++) {
        s->resources[s->touched.data[i]].writer = -1;
        s->resources[s->touched.data[i]].readers.count = 0;
    }
    s->touched.count = 0;
}

/* --- Pressure --- */

/* Returns how many fewer registers are live after inst; negative if more. */
static int relief(const struct scheduler *s, const struct lir_inst *inst)
{
    int freed = 0;
    for (unsigned k = 0; k < 3; k++) {
        struct lir_span src = lir_regs_read(s->cfg, inst, k);
        for (unsigned r = src.first; r < src.first + src.count; r++)
            freed += s->uses_left[r] == 1 && !bitset_test(s->live_out, r);
    }
    struct lir_span dst = lir_regs_written(s->cfg, inst);
    for (unsigned r = dst.first; r < dst.first + dst.count; r++)
        freed -= !bitset_test(s->live, r);
    return freed;
}

static void count_uses(struct scheduler *s, const struct lir_inst *inst)
{
    for (unsigned k = 0; k < 3; k++) {
        struct lir_span src = lir_regs_read(s->cfg, inst, k);
        for (unsigned r = src.first; r < src.first + src.count; r++)
            s->uses_left[r]++;
    }
}

static void end_values(struct scheduler *s, const struct lir_inst *inst)
{
    for (unsigned k = 0; k < 3; k++) {
        struct lir_span src = lir_regs_read(s->cfg, inst, k);
        for (unsigned r = src.first; r < src.first + src.count; r++) {
            if (--s->uses_left[r] || bitset_test(s->live_out, r) || !bitset_test(s->live, r))
                continue;
            bitset_clear(s->live, r);
            s->pressure--;
        }
    }
}

static void begin_values(struct scheduler *s, const struct lir_inst *inst)
{
    struct lir_span dst = lir_regs_written(s->cfg, inst);
    for (unsigned r = dst.first; r < dst.first + dst.count; r++) {
        if (bitset_test(s->live, r))
            continue;
        bitset_set(s->live, r);
        s->pressure++;
    }
}

static void start_pressure(struct scheduler *s, const struct lir_block *block)
{
    unsigned words = BITSET_WORDS(s->cfg->num_regs);
    memcpy(s->live, block->live_in, words * sizeof *s->live);
    s->live_out = block->live_out;
    s->pressure = 0;
    for (unsigned w = 0; w < words; w++)
        s->pressure += __builtin_popcount(s->live[w] | (block->waiting ? block->waiting[w] : 0));
}

/* --- Scheduling a block --- */

static bool better(const struct scheduler *s, unsigned a, unsigned b, unsigned now, bool tight)
{
    const struct node *na = &s->nodes[a], *nb = &s->nodes[b];
    if (tight) {
        int ra = relief(s, na->inst), rb = relief(s, nb->inst);
        if (ra != rb)
            return ra > rb;
    }
    bool waits_a = na->ready > now, waits_b = nb->ready > now;
    if (waits_a != waits_b)
        return waits_b;
    if (waits_a && na->ready != nb->ready)
        return na->ready < nb->ready;
    if (na->height != nb->height)
        return na->height > nb->height;
    return a < b;
}

static void compute_heights(struct scheduler *s)
{
    for (unsigned n = s->num_nodes; n-- > 0;) {
        struct node *node = &s->nodes[n];
        node->height = issue_cycles(node->inst);
        for (unsigned i = 0; i < node->edges.count; i++)
            node->height = MAX2(node->height, node->edges.data[i].delay +
                                                  s->nodes[node->edges.data[i].to].height);
    }
}

static void schedule_nodes(struct scheduler *s, struct lir_inst *before)
{
    unsigned *list = talloc_array(s->mem_ctx, unsigned, s->num_nodes + 1), count = 0, now = 0;
    for (unsigned n = 0; n < s->num_nodes; n++) {
        if (!s->nodes[n].num_preds)
            NEXT_WITHIN(list, count, s->num_nodes) = n;
    }
    while (count) {
        bool tight = s->pressure > s->max_pressure;
        unsigned best = 0;
        for (unsigned i = 1; i < count; i++) {
            if (better(s, list[i], list[best], now, tight))
                best = i;
        }
        struct node *node = &s->nodes[list[best]];
        list[best] = list[--count];
        list_addtail(&node->inst->node, before ? &before->node : &s->p->insts);
        unsigned start = MAX2(now, node->ready);
        now = start + issue_cycles(node->inst);
        end_values(s, node->inst);
        begin_values(s, node->inst);
        for (unsigned i = 0; i < node->edges.count; i++) {
            struct node *to = &s->nodes[node->edges.data[i].to];
            to->ready = MAX2(to->ready, start + node->edges.data[i].delay);
            if (!--to->num_preds)
                NEXT_WITHIN(list, count, s->num_nodes) = node->edges.data[i].to;
        }
    }
    talloc_free(list);
}

static bool stays_in_place(const struct lir_inst *inst)
{
    return lir_is_control_flow(inst) || inst->eot;
}

/* Schedules the instructions [first, before) between control flow; if before is NULL, to the end of
 * the program. */
static void schedule_run(struct scheduler *s, struct lir_inst *first, struct lir_inst *before,
                         const struct lir_block *block)
{
    s->num_nodes = 0;
    start_pressure(s, block);
    for (struct lir_inst *inst = first; inst != before;) {
        struct lir_inst *next = list_entry(inst->node.next, struct lir_inst, node);
        struct node *node = &s->nodes[s->num_nodes];
        node->inst = inst;
        node->edges.mem_ctx = s->mem_ctx;
        node->edges.count = node->num_preds = node->ready = 0;
        count_uses(s, inst);
        add_dependencies(s, s->num_nodes++);
        list_del(&inst->node);
        if (&next->node == &s->p->insts)
            break;
        inst = next;
    }
    reset_resources(s);
    compute_heights(s);
    schedule_nodes(s, before);
}

static void schedule_block(struct scheduler *s, const struct lir_block *block)
{
    struct lir_inst *first = block->first, *before;
    if (!first)
        return;
    before = list_entry(block->last->node.next, struct lir_inst, node);
    while (first != before && stays_in_place(first))
        first = list_entry(first->node.next, struct lir_inst, node);
    if (first != before && stays_in_place(block->last))
        before = block->last;
    if (first != before)
        schedule_run(s, first, &before->node == &s->p->insts ? NULL : before, block);
}

void lir_schedule(struct lir_program *p, enum lir_schedule_mode mode, unsigned max_alive)
{
    void *mem_ctx = talloc_new(p);
    struct scheduler s = {.p = p, .mem_ctx = mem_ctx, .mode = mode};
    s.cfg = lir_cfg_build(p, mem_ctx);
    lir_liveness(p, s.cfg, mem_ctx);
    lir_find_waiting(s.cfg, mem_ctx);
    s.max_pressure = mode == LIR_SCHEDULE_ALLOCATED ? INT32_MAX : (int)max_alive;
    unsigned num_resources = RES_COUNT + s.cfg->num_regs;
    s.nodes = talloc_zero_array(mem_ctx, struct node, lir_number(p) + 1);
    s.resources = talloc_zero_array(mem_ctx, struct resource, num_resources);
    s.touched.mem_ctx = mem_ctx;
    s.uses_left = talloc_zero_array(mem_ctx, unsigned, s.cfg->num_regs + 1);
    s.live = talloc_zero_array(mem_ctx, bitset_word, BITSET_WORDS(s.cfg->num_regs));
    for (unsigned r = 0; r < num_resources; r++) {
        s.resources[r].writer = -1;
        s.resources[r].readers.mem_ctx = mem_ctx;
    }
    for (unsigned b = 0; b < s.cfg->num_blocks; b++)
        schedule_block(&s, &s.cfg->blocks[b]);
    talloc_free(mem_ctx);
}

/* --- Cycles --- */

static unsigned block_cycles(const struct lir_program *p, const struct lir_cfg *cfg,
                             const struct lir_block *block, unsigned *ready)
{
    unsigned now = 0, flags = 0;
    lir_foreach_inst_in_block(inst, block)
    {
        if (inst->op == LIR_OP_UNDEF)
            continue;
        if (lir_flags_read(inst))
            now = MAX2(now, flags);
        for (unsigned k = 0; k < 3; k++) {
            struct lir_span src = lir_regs_read(cfg, inst, k);
            for (unsigned i = 0; i < src.count; i++)
                now = MAX2(now, ready[src.first + i]);
        }
        unsigned done = now + latency(p->dev->latencies, inst);
        now += issue_cycles(inst);
        if (lir_flags_written(inst))
            flags = done;
        struct lir_span dst = lir_regs_written(cfg, inst);
        for (unsigned i = 0; i < dst.count; i++)
            ready[dst.first + i] = done;
    }
    return now;
}

uint64_t lir_count_cycles(struct lir_program *p)
{
    void *mem_ctx = talloc_new(p);
    struct lir_cfg *cfg = lir_cfg_build(p, mem_ctx);
    uint64_t total = 0;
    lir_liveness(p, cfg, mem_ctx);
    unsigned *ready = talloc_array(mem_ctx, unsigned, cfg->num_regs);
    for (unsigned b = 0; b < cfg->num_blocks; b++) {
        memset(ready, 0, cfg->num_regs * sizeof *ready);
        uint64_t cycles = block_cycles(p, cfg, &cfg->blocks[b], ready);
        for (unsigned d = 0; d < cfg->blocks[b].loop_depth && cycles < I965_MAX_CYCLES; d++)
            cycles *= 10;
        total = MIN2(total + MIN2(cycles, I965_MAX_CYCLES), I965_MAX_CYCLES);
    }
    talloc_free(mem_ctx);
    return total;
}
