/* SPDX-License-Identifier: MIT */
/*
 * List scheduling of each block before allocation (Muchnick 1997, §17.1.2), and the model's cycles
 * of the finished code.
 *
 * The EU issues in order: an instruction waits for its operands. So long operations are to begin
 * early and their users to come late, as far as registers go: when many values are alive, an
 * instruction that ends more of them than it begins goes first.
 *
 * Latencies are what measurements of Skylake in the literature give, rounded; memory ones vary.
 */
#include "lir.h"

#include <string.h>

enum {
    LATENCY_ALU = 14,
    LATENCY_MATH = 22,
    LATENCY_MATH_SLOW = 40, /* powers, division of integers */
    LATENCY_SAMPLER = 200,
    LATENCY_MEMORY = 150,
    LATENCY_CONSTANT = 100,
    MAX_PRESSURE = 90, /* registers alive beyond which their number counts more than latency */
};

static unsigned issue_cycles(const struct lir_inst *inst)
{
    unsigned cycles = inst->exec_size > 8 ? 4 : 2;
    if (inst->op >= LIR_OP_DO && inst->op != LIR_OP_BROADCAST)
        return 0;
    return inst->op == EU_OPCODE_MATH ? 4 * cycles : cycles;
}

static unsigned latency(const struct lir_inst *inst)
{
    if (lir_is_send(inst)) {
        switch (inst->sfid) {
        case EU_SFID_SAMPLER:
            return LATENCY_SAMPLER;
        case EU_SFID_DATA_CONSTANT_CACHE:
            return LATENCY_CONSTANT;
        default:
            return inst->rlen ? LATENCY_MEMORY : 2;
        }
    }
    if (inst->op == EU_OPCODE_MATH)
        return inst->math >= EU_MATH_FDIV ? LATENCY_MATH_SLOW : LATENCY_MATH;
    return inst->op == LIR_OP_UNDEF ? 0 : LATENCY_ALU;
}

/* --- Dependencies --- */

struct edge {
    unsigned to, delay;
};

struct node {
    struct lir_inst *inst;
    DYNARRAY(struct edge) edges;
    unsigned num_preds;
    unsigned height; /* cycles from its issue to the block's end */
    unsigned ready;  /* earliest issue, once all preds are done */
};

/* Resources beside registers of VGRFs. */
enum { RES_FLAG = 0, RES_ADDRESS = 4, RES_MEMORY, RES_COUNT };

struct resource {
    int writer;              /* node, -1: none */
    DYNARRAY(unsigned) readers; /* since then */
};

struct scheduler {
    struct lir_program *p;
    struct lir_cfg *cfg;
    void *mem_ctx;
    struct node *nodes;
    unsigned num_nodes;
    struct resource *resources; /* RES_…, then registers */
    DYNARRAY(unsigned) touched;
    /* pressure */
    unsigned *uses_left; /* per register, within the block */
    const bitset_word *live_out;
    bitset_word *live;
    int pressure;
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
        add_edge(s, (unsigned)res->writer, n, latency(s->nodes[res->writer].inst));
    (void)dynarray_append(&res->readers, n);
}

static void writes(struct scheduler *s, unsigned n, unsigned r)
{
    struct resource *res = touch(s, r);
    for (unsigned i = 0; i < res->readers.count; i++)
        add_edge(s, res->readers.data[i], n, 0);
    if (res->writer >= 0 && !res->readers.count)
        add_edge(s, (unsigned)res->writer, n, 0);
    else if (res->writer >= 0)
        add_edge(s, (unsigned)res->writer, n, 0);
    res->writer = (int)n;
    res->readers.count = 0;
}

static unsigned first_register(const struct scheduler *s, const struct lir_reg *r)
{
    return RES_COUNT + s->cfg->vgrf_base[r->nr] + r->offset / LIR_REG_SIZE;
}

static void add_dependencies(struct scheduler *s, unsigned n)
{
    const struct lir_inst *inst = s->nodes[n].inst;
    unsigned flags_read = lir_flags_read(inst), flags_written = lir_flags_written(inst);
    bool address = inst->op == LIR_OP_BROADCAST || (lir_is_send(inst) && inst->src[2].file != LIR_BAD);
    for (unsigned k = 0; k < 3; k++) {
        const struct lir_reg *r = &inst->src[k];
        unsigned bytes = r->offset % LIR_REG_SIZE + lir_size_read(inst, k);
        for (unsigned i = 0; r->file == LIR_VGRF && i * LIR_REG_SIZE < bytes; i++)
            reads(s, n, first_register(s, r) + i);
    }
    for (unsigned f = 0; f < 4; f++) {
        if (flags_read >> f & 1)
            reads(s, n, RES_FLAG + f);
    }
    for (unsigned f = 0; f < 4; f++) {
        if (flags_written >> f & 1)
            writes(s, n, RES_FLAG + f);
    }
    if (address)
        writes(s, n, RES_ADDRESS);
    if (lir_has_side_effects(inst))
        writes(s, n, RES_MEMORY);
    unsigned bytes = inst->dst.offset % LIR_REG_SIZE + lir_size_written(inst);
    for (unsigned i = 0; inst->dst.file == LIR_VGRF && i * LIR_REG_SIZE < bytes; i++)
        writes(s, n, first_register(s, &inst->dst) + i);
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

/* Registers that fewer will be alive after inst; negative: more. */
static int relief(const struct scheduler *s, const struct lir_inst *inst)
{
    int freed = 0;
    for (unsigned k = 0; k < 3; k++) {
        const struct lir_reg *r = &inst->src[k];
        unsigned bytes = r->offset % LIR_REG_SIZE + lir_size_read(inst, k);
        for (unsigned i = 0; r->file == LIR_VGRF && i * LIR_REG_SIZE < bytes; i++) {
            unsigned reg = first_register(s, r) - RES_COUNT + i;
            freed += s->uses_left[reg] == 1 && !bitset_test(s->live_out, reg);
        }
    }
    unsigned bytes = inst->dst.offset % LIR_REG_SIZE + lir_size_written(inst);
    for (unsigned i = 0; inst->dst.file == LIR_VGRF && i * LIR_REG_SIZE < bytes; i++)
        freed -= !bitset_test(s->live, first_register(s, &inst->dst) - RES_COUNT + i);
    return freed;
}

static void count_uses(struct scheduler *s, const struct lir_inst *inst, int by)
{
    for (unsigned k = 0; k < 3; k++) {
        const struct lir_reg *r = &inst->src[k];
        unsigned bytes = r->offset % LIR_REG_SIZE + lir_size_read(inst, k);
        for (unsigned i = 0; r->file == LIR_VGRF && i * LIR_REG_SIZE < bytes; i++) {
            unsigned reg = first_register(s, r) - RES_COUNT + i;
            s->uses_left[reg] += (unsigned)by;
            if (by < 0 && !s->uses_left[reg] && !bitset_test(s->live_out, reg) && bitset_test(s->live, reg)) {
                bitset_clear(s->live, reg);
                s->pressure--;
            }
        }
    }
}

static void begin_values(struct scheduler *s, const struct lir_inst *inst)
{
    unsigned bytes = inst->dst.offset % LIR_REG_SIZE + lir_size_written(inst);
    for (unsigned i = 0; inst->dst.file == LIR_VGRF && i * LIR_REG_SIZE < bytes; i++) {
        unsigned reg = first_register(s, &inst->dst) - RES_COUNT + i;
        if (!bitset_test(s->live, reg)) {
            bitset_set(s->live, reg);
            s->pressure++;
        }
    }
}

/* --- A block --- */

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
            node->height = MAX2(node->height,
                                node->edges.data[i].delay + s->nodes[node->edges.data[i].to].height);
    }
}

static void schedule_nodes(struct scheduler *s, struct lir_inst *before, enum lir_schedule_mode mode)
{
    unsigned *list = talloc_array(s->mem_ctx, unsigned, s->num_nodes + 1), count = 0, now = 0;
    for (unsigned n = 0; n < s->num_nodes; n++) {
        if (!s->nodes[n].num_preds)
            list[count++] = n;
    }
    while (count) {
        bool tight = mode == LIR_SCHEDULE_PRESSURE || s->pressure > MAX_PRESSURE;
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
        count_uses(s, node->inst, -1);
        begin_values(s, node->inst);
        for (unsigned i = 0; i < node->edges.count; i++) {
            struct node *to = &s->nodes[node->edges.data[i].to];
            to->ready = MAX2(to->ready, start + node->edges.data[i].delay);
            if (!--to->num_preds)
                list[count++] = node->edges.data[i].to;
        }
    }
    talloc_free(list);
}

static bool stays_in_place(const struct lir_inst *inst)
{
    return lir_is_control_flow(inst) || inst->eot;
}

/* What is between control flow: instructions [first, before). */
static void schedule_run(struct scheduler *s, struct lir_inst *first, struct lir_inst *before,
                         const struct lir_block *block, enum lir_schedule_mode mode)
{
    s->num_nodes = 0;
    memcpy(s->live, block->live_in, BITSET_WORDS(MAX2(s->cfg->num_regs, 1)) * sizeof *s->live);
    s->live_out = block->live_out;
    s->pressure = 0;
    for (unsigned w = 0; w < BITSET_WORDS(MAX2(s->cfg->num_regs, 1)); w++)
        s->pressure += __builtin_popcount(s->live[w]);
    for (struct lir_inst *inst = first; inst != before;) {
        struct lir_inst *next = list_entry(inst->node.next, struct lir_inst, node);
        struct node *node = &s->nodes[s->num_nodes];
        node->inst = inst;
        node->edges.mem_ctx = s->mem_ctx;
        node->edges.count = node->num_preds = node->ready = 0;
        count_uses(s, inst, 1);
        add_dependencies(s, s->num_nodes++);
        list_del(&inst->node);
        inst = next;
        if (&next->node == &s->p->insts)
            break;
    }
    reset_resources(s);
    compute_heights(s);
    schedule_nodes(s, before, mode);
}

/* --- Cycles --- */

/* Of the code in its order, loops taken ten times. */
static unsigned count_cycles(struct lir_program *p, struct lir_cfg *cfg, void *mem_ctx)
{
    unsigned *ready = talloc_zero_array(mem_ctx, unsigned, cfg->num_regs + 1);
    uint64_t total = 0;
    for (unsigned b = 0; b < cfg->num_blocks; b++) {
        const struct lir_block *block = &cfg->blocks[b];
        unsigned now = 0, flags = 0;
        uint64_t weight = 1;
        memset(ready, 0, cfg->num_regs * sizeof *ready);
        for (unsigned d = 0; d < block->loop_depth && d < 6; d++)
            weight *= 10;
        for (struct lir_inst *inst = block->first; inst;
             inst = inst == block->last ? NULL : list_entry(inst->node.next, struct lir_inst, node)) {
            if (lir_flags_read(inst))
                now = MAX2(now, flags);
            for (unsigned k = 0; k < 3; k++) {
                const struct lir_reg *r = &inst->src[k];
                unsigned bytes = r->offset % LIR_REG_SIZE + lir_size_read(inst, k);
                for (unsigned i = 0; r->file == LIR_VGRF && i * LIR_REG_SIZE < bytes; i++)
                    now = MAX2(now, ready[cfg->vgrf_base[r->nr] + r->offset / LIR_REG_SIZE + i]);
            }
            unsigned done = now + latency(inst);
            now += issue_cycles(inst);
            if (lir_flags_written(inst))
                flags = done;
            unsigned bytes = inst->dst.offset % LIR_REG_SIZE + lir_size_written(inst);
            for (unsigned i = 0; inst->dst.file == LIR_VGRF && i * LIR_REG_SIZE < bytes; i++)
                ready[cfg->vgrf_base[inst->dst.nr] + inst->dst.offset / LIR_REG_SIZE + i] = done;
        }
        total += now * weight;
    }
    (void)p;
    return (unsigned)MIN2(total, UINT32_MAX);
}

unsigned lir_schedule(struct lir_program *p, enum lir_schedule_mode mode)
{
    void *mem_ctx = talloc_new(p);
    struct scheduler s = {.p = p, .mem_ctx = mem_ctx};
    s.cfg = lir_cfg_build(p, mem_ctx);
    lir_liveness(p, s.cfg, mem_ctx);
    unsigned cycles;
    if (mode != LIR_SCHEDULE_POST) {
        unsigned num_insts = lir_number(p), num_resources = RES_COUNT + s.cfg->num_regs;
        s.nodes = talloc_zero_array(mem_ctx, struct node, num_insts + 1);
        s.resources = talloc_zero_array(mem_ctx, struct resource, num_resources);
        s.touched.mem_ctx = mem_ctx;
        s.uses_left = talloc_zero_array(mem_ctx, unsigned, s.cfg->num_regs + 1);
        s.live = talloc_zero_array(mem_ctx, bitset_word, BITSET_WORDS(MAX2(s.cfg->num_regs, 1)));
        for (unsigned r = 0; r < num_resources; r++) {
            s.resources[r].writer = -1;
            s.resources[r].readers.mem_ctx = mem_ctx;
        }
        for (unsigned b = 0; b < s.cfg->num_blocks; b++) {
            struct lir_block *block = &s.cfg->blocks[b];
            struct lir_inst *first = block->first, *before;
            if (!first)
                continue;
            before = list_entry(block->last->node.next, struct lir_inst, node);
            while (first != before && stays_in_place(first))
                first = list_entry(first->node.next, struct lir_inst, node);
            if (first != before && stays_in_place(block->last))
                before = block->last;
            if (first != before)
                schedule_run(&s, first, &before->node == &p->insts ? NULL : before, block, mode);
        }
        talloc_free(s.cfg);
        s.cfg = lir_cfg_build(p, mem_ctx);
        lir_liveness(p, s.cfg, mem_ctx);
    }
    cycles = count_cycles(p, s.cfg, mem_ctx);
    talloc_free(mem_ctx);
    return cycles;
}
