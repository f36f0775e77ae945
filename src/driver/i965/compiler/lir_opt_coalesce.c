/* SPDX-License-Identifier: MIT */
/*
 * Register coalescing: computes a value directly in the register it is moved to (part of a payload,
 * or a loop variable). Works within a block: nothing may access the destination between the value's
 * definition and the move, and nothing may change it afterwards while the value is still read.
 */
#include "lir.h"

struct access {
    struct lir_inst *inst;
    int src; /* Source index; -1: write. */
};

struct vgrf_accesses {
    DYNARRAY(struct access) list; /* In program order, until coalescing appends to it. */
    unsigned defs;
    struct lir_inst *def; /* The last definition found. */
};

struct coalescer {
    struct lir_program *p;
    struct lir_cfg *cfg;
    struct vgrf_accesses *vgrfs;
    unsigned *block_of; /* By ip. */
};

static void add_access(struct coalescer *c, unsigned vgrf, struct lir_inst *inst, int src)
{
    struct access a = {inst, src};
    (void)dynarray_append(&c->vgrfs[vgrf].list, a);
    if (src < 0) {
        c->vgrfs[vgrf].defs++;
        c->vgrfs[vgrf].def = inst;
    }
}

static void range_of(const struct access *a, unsigned *start, unsigned *end)
{
    const struct lir_reg *r = a->src < 0 ? &a->inst->dst : &a->inst->src[a->src];
    *start = r->offset;
    *end = r->offset +
           (a->src < 0 ? lir_size_written(a->inst) : lir_size_read(a->inst, (unsigned)a->src));
}

static bool is_plain_move(const struct lir_inst *inst)
{
    const struct lir_reg *dst = &inst->dst, *src = &inst->src[0];
    if (inst->op != EU_OPCODE_MOV || inst->predicate || inst->cmod || inst->saturate ||
        dst->file != LIR_VGRF || src->file != LIR_VGRF || dst->nr == src->nr || src->negate ||
        src->abs || src->region || src->stride != 1 || dst->stride != 1)
        return false;
    bool same = src->type == dst->type || (src->type != EU_TYPE_F && dst->type != EU_TYPE_F);
    return same && lir_type_size(src->type) == 4 && lir_type_size(dst->type) == 4 &&
           dst->offset % LIR_REG_SIZE == 0 && src->offset % LIR_REG_SIZE == 0;
}

/* Returns whether inst is one of the moves of the same value to the same destination. */
static bool is_group_move(const struct lir_inst *inst, const struct lir_inst *move)
{
    return is_plain_move(inst) && inst->src[0].nr == move->src[0].nr &&
           inst->dst.nr == move->dst.nr && inst->exec_size == move->exec_size &&
           inst->group == move->group && inst->no_mask == move->no_mask &&
           inst->dst.offset - inst->src[0].offset == move->dst.offset - move->src[0].offset;
}

struct plan {
    struct lir_inst *move, *def;
    unsigned from, to;      /* VGRF indices. */
    unsigned delta;         /* In bytes. */
    unsigned size;          /* Size of `from` in bytes. */
    unsigned last;          /* Last ip at which the destination must hold the value. */
    bitset_word moved[4];   /* Registers of `from` that are moved. */
    struct lir_inst *undef; /* UNDEF of the destination, to be moved before def. */
    bool elsewhere;         /* The value is read in other blocks. */
};

static bool check_value(struct coalescer *c, struct plan *plan)
{
    struct vgrf_accesses *from = &c->vgrfs[plan->from];
    unsigned block = c->block_of[plan->move->ip];
    plan->last = plan->move->ip;
    for (unsigned i = 0; i < from->list.count; i++) {
        const struct access *a = &from->list.data[i];
        if (a->src < 0)
            continue;
        if (lir_is_send(a->inst) && a->src < 2 && a->inst->src[!a->src].file == LIR_VGRF &&
            a->inst->src[!a->src].nr == plan->to)
            return false; /* The two payloads must not overlap. */
        if (c->block_of[a->inst->ip] != block) {
            plan->elsewhere = true;
            continue;
        }
        if (a->inst->ip <= plan->def->ip)
            return false;
        plan->last = MAX2(plan->last, a->inst->ip);
        if (is_group_move(a->inst, plan->move)) {
            unsigned first = a->inst->src[0].offset / LIR_REG_SIZE;
            for (unsigned r = 0; r * LIR_REG_SIZE < lir_size_read(a->inst, 0); r++)
                bitset_set(plan->moved, first + r);
        }
    }
    return true;
}

static bool all_moved(const struct plan *plan, unsigned start, unsigned end)
{
    for (unsigned r = start / LIR_REG_SIZE; r * LIR_REG_SIZE < end; r++) {
        if (!bitset_test(plan->moved, r))
            return false;
    }
    return true;
}

static bool check_place(struct coalescer *c, struct plan *plan)
{
    struct vgrf_accesses *to = &c->vgrfs[plan->to];
    unsigned block = c->block_of[plan->move->ip];
    bool only_moves = true;
    for (unsigned i = 0; i < to->list.count; i++) {
        const struct access *a = &to->list.data[i];
        unsigned start, end, ip = a->inst->ip;
        range_of(a, &start, &end);
        if (end <= plan->delta || start >= plan->delta + plan->size)
            continue;
        if (a->src < 0 && is_group_move(a->inst, plan->move))
            continue;
        if (a->inst->op == LIR_OP_UNDEF) {
            if (c->block_of[ip] != block || ip <= plan->def->ip)
                continue;
            if (ip > plan->move->ip || plan->undef)
                return false;
            plan->undef = a->inst;
            continue;
        }
        unsigned low = MAX2(start, plan->delta) - plan->delta;
        unsigned high = MIN2(end, plan->delta + plan->size) - plan->delta;
        bool inside = all_moved(plan, low, high);
        if (a->src < 0)
            only_moves = false;
        if (!inside)
            return false;
        if (c->block_of[ip] != block)
            continue;
        if (a->src < 0 && ip > plan->def->ip && ip <= plan->last)
            return false;
        if (a->src >= 0 && ip > plan->def->ip && ip < plan->move->ip)
            return false;
        /* The definition reads what it would overwrite. */
        if (ip == plan->def->ip && a->src >= 0) {
            const struct lir_reg *r = &a->inst->src[a->src];
            if (r->region || r->stride != 1 || r->offset != plan->delta ||
                lir_size_read(a->inst, (unsigned)a->src) != plan->size)
                return false;
        }
    }
    /* If the moves form a group, reads must come after the whole group. */
    for (unsigned i = 0; i < to->list.count; i++) {
        const struct access *a = &to->list.data[i];
        unsigned start, end, ip = a->inst->ip;
        range_of(a, &start, &end);
        bool overlap = end > plan->delta && start < plan->delta + plan->size;
        if (overlap && a->src >= 0 && c->block_of[ip] == block && ip > plan->move->ip &&
            ip < plan->last && !only_moves)
            return false;
    }
    if (plan->undef) {
        for (unsigned i = 0; i < to->list.count; i++) {
            if (to->list.data[i].inst->ip < plan->undef->ip)
                return false;
        }
    }
    return !plan->elsewhere || only_moves;
}

static bool plan_move(struct coalescer *c, struct lir_inst *move, struct plan *plan)
{
    *plan = (struct plan){.move = move, .from = move->src[0].nr, .to = move->dst.nr};
    struct vgrf_accesses *from = &c->vgrfs[plan->from];
    struct lir_inst *def = plan->def = from->def;
    if (from->defs != 1 || !def || c->block_of[def->ip] != c->block_of[move->ip] ||
        def->ip >= move->ip || move->dst.offset < move->src[0].offset || def->op == LIR_OP_UNDEF ||
        def->op == LIR_OP_BROADCAST)
        return false;
    if (lir_is_partial_write(def) || def->dst.offset != 0 || def->exec_size != move->exec_size ||
        def->group != move->group || def->no_mask != move->no_mask)
        return false;
    if (!lir_is_send(def) && lir_type_size(def->dst.type) != 4)
        return false;
    plan->delta = move->dst.offset - move->src[0].offset;
    plan->size = c->p->vgrfs.data[plan->from].size * LIR_REG_SIZE;
    if (plan->delta + plan->size > c->p->vgrfs.data[plan->to].size * LIR_REG_SIZE ||
        plan->size > 128 * LIR_REG_SIZE || lir_size_written(def) != plan->size)
        return false;
    return check_value(c, plan) && check_place(c, plan);
}

static void carry_out(struct coalescer *c, const struct plan *plan)
{
    struct vgrf_accesses *from = &c->vgrfs[plan->from];
    if (plan->undef) {
        list_del(&plan->undef->node);
        list_addtail(&plan->undef->node, &plan->def->node);
        plan->undef->ip = plan->def->ip;
    }
    for (unsigned i = 0; i < from->list.count; i++) {
        struct access a = from->list.data[i];
        struct lir_reg *r = a.src < 0 ? &a.inst->dst : &a.inst->src[a.src];
        if (a.src >= 0 && c->block_of[a.inst->ip] == c->block_of[plan->move->ip] &&
            is_group_move(a.inst, plan->move)) {
            list_del(&a.inst->node);
            struct vgrf_accesses *to = &c->vgrfs[plan->to];
            for (unsigned k = 0; k < to->list.count; k++) {
                if (to->list.data[k].inst == a.inst) {
                    to->list.data[k] = to->list.data[--to->list.count];
                    to->defs--;
                    break;
                }
            }
            continue;
        }
        r->nr = plan->to;
        r->offset += plan->delta;
        add_access(c, plan->to, a.inst, a.src);
    }
    from->list.count = from->defs = 0;
}

bool lir_opt_coalesce(struct lir_program *p)
{
    void *mem_ctx = talloc_new(p);
    struct coalescer c = {.p = p, .cfg = lir_cfg_build(p, mem_ctx)};
    unsigned n = lir_number(p);
    bool progress = false;
    c.vgrfs = talloc_zero_array(mem_ctx, struct vgrf_accesses, p->vgrfs.count + 1);
    c.block_of = talloc_zero_array(mem_ctx, unsigned, n + 1);
    for (unsigned v = 0; v < p->vgrfs.count; v++)
        c.vgrfs[v].list.mem_ctx = mem_ctx;
    for (unsigned b = 0; b < c.cfg->num_blocks; b++) {
        const struct lir_block *block = &c.cfg->blocks[b];
        for (unsigned ip = block->start; block->first && ip <= block->end; ip++)
            c.block_of[ip] = b;
    }
    lir_foreach_inst(inst, p)
    {
        for (int s = 0; s < 3; s++) {
            if (inst->src[s].file == LIR_VGRF)
                add_access(&c, inst->src[s].nr, inst, s);
        }
        if (inst->dst.file == LIR_VGRF)
            add_access(&c, inst->dst.nr, inst, -1);
    }
    /* Removing a group of moves invalidates the iterator; restart at the
     * destination's definition. */
    for (struct list_head *node = p->insts.next; node != &p->insts;) {
        struct lir_inst *inst = list_entry(node, struct lir_inst, node);
        struct plan plan;
        node = node->next;
        if (!is_plain_move(inst) || !plan_move(&c, inst, &plan))
            continue;
        node = &plan.def->node;
        carry_out(&c, &plan);
        node = node->next;
        progress = true;
    }
    talloc_free(mem_ctx);
    return progress;
}
