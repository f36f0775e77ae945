/* SPDX-License-Identifier: MIT */
/*
 * Liveness of registers and flags, in two forms: for a single channel, as optimizations need it,
 * and for the register file, as allocation needs it.
 *
 * A register has one value per channel. While some channels run, others wait: at the else or endif
 * that ends their branch, after a loop that they left, at its end after cont, or at the halt
 * target. The values that waiting channels will read must be preserved, even if no running channel
 * reads them. The live values of the register file are therefore those of the running channels
 * plus, for each place where channels may be waiting, the values that are live there and may have
 * been written before the channels went there.
 */
#include "lir.h"

#include "util/macros.h"

/* --- Registers of operands --- */

static struct lir_span span_of(const struct lir_cfg *cfg, const struct lir_reg *r, unsigned bytes)
{
    struct lir_span span = {0, 0};
    unsigned first = r->offset / LIR_REG_SIZE, base, size;
    if (!bytes || (r->file != LIR_VGRF && r->file != LIR_GRF))
        return span;
    base = r->file == LIR_VGRF ? cfg->vgrf_base[r->nr] : cfg->grf_base;
    if (r->file == LIR_GRF) {
        first += r->nr;
        size = cfg->num_regs - base;
    } else {
        size = cfg->vgrf_base[r->nr + 1] - base;
    }
    if (first >= size)
        return span;
    span.first = base + first;
    span.count = MIN2(DIV_ROUND_UP(r->offset % LIR_REG_SIZE + bytes, LIR_REG_SIZE), size - first);
    return span;
}

struct lir_span lir_regs_read(const struct lir_cfg *cfg, const struct lir_inst *inst, unsigned src)
{
    return span_of(cfg, &inst->src[src], lir_size_read(inst, src));
}

struct lir_span lir_regs_written(const struct lir_cfg *cfg, const struct lir_inst *inst)
{
    return span_of(cfg, &inst->dst, lir_size_written(inst));
}

/* --- Liveness for a channel --- */

struct sets {
    bitset_word *use, *def; /* use: read before written. def: written completely before read. */
    bitset_word *some;      /* Written at least in part. */
    unsigned flag_use, flag_def;
};

static void scan_block(const struct lir_cfg *cfg, const struct lir_block *block, struct sets *s)
{
    lir_foreach_inst_in_block(inst, block)
    {
        for (unsigned k = 0; k < 3; k++) {
            struct lir_span read = lir_regs_read(cfg, inst, k);
            for (unsigned r = read.first; r < read.first + read.count; r++) {
                if (!bitset_test(s->def, r))
                    bitset_set(s->use, r);
            }
        }
        s->flag_use |= lir_flags_read(inst) & ~s->flag_def;
        struct lir_span written = lir_regs_written(cfg, inst);
        bool whole = !lir_is_partial_write(inst);
        for (unsigned r = written.first; r < written.first + written.count; r++) {
            if (whole && !bitset_test(s->use, r))
                bitset_set(s->def, r);
            if (inst->op != LIR_OP_UNDEF)
                bitset_set(s->some, r);
        }
        if (!inst->predicate)
            s->flag_def |= lir_flags_written(inst) & ~s->flag_use;
    }
}

/* When the inputs of a block last changed, and when the block was last visited, in steps. A sweep
 * over all blocks only visits those with new inputs: nested loops need as many sweeps as levels,
 * and most of them change few blocks. */
struct visit {
    unsigned changed, visited;
};

/* Finds the registers that may have been written at the start and the end of each block. */
static void find_written(struct lir_cfg *cfg, const struct sets *sets, unsigned words,
                         struct visit *visits)
{
    unsigned step = 1;
    for (unsigned r = cfg->grf_base; r < cfg->num_regs && cfg->num_blocks; r++)
        bitset_set(cfg->blocks[0].written_in, r);
    for (bool progress = true; progress;) {
        progress = false;
        for (unsigned b = 0; b < cfg->num_blocks; b++) {
            struct lir_block *block = &cfg->blocks[b];
            if (visits[b].visited && visits[b].changed <= visits[b].visited)
                continue;
            visits[b].visited = step++;
            for (unsigned w = 0; w < words; w++)
                block->written_out[w] = block->written_in[w] | sets[b].some[w];
            for (unsigned i = 0; i < block->num_succ; i++) {
                bitset_word *in = cfg->blocks[block->succ[i]].written_in, changed = 0;
                for (unsigned w = 0; w < words; w++) {
                    changed |= block->written_out[w] & ~in[w];
                    in[w] |= block->written_out[w];
                }
                if (changed)
                    visits[block->succ[i]].changed = step++;
                progress |= changed && block->succ[i] <= b;
            }
        }
    }
}

static bool update_live(struct lir_cfg *cfg, unsigned b, const struct sets *s, unsigned words)
{
    struct lir_block *block = &cfg->blocks[b];
    bool progress = false;
    for (unsigned i = 0; i < block->num_succ; i++) {
        const struct lir_block *succ = &cfg->blocks[block->succ[i]];
        for (unsigned w = 0; w < words; w++)
            block->live_out[w] |= succ->live_in[w];
        block->flags_out |= succ->flags_in;
    }
    for (unsigned w = 0; w < words; w++) {
        bitset_word in = s->use[w] | (block->live_out[w] & ~s->def[w]);
        progress |= in != block->live_in[w];
        block->live_in[w] = in;
    }
    unsigned flags = s->flag_use | (block->flags_out & ~s->flag_def);
    progress |= flags != block->flags_in;
    block->flags_in = flags;
    return progress;
}

/* Updates the live registers of all blocks until nothing changes. */
static void find_live(struct lir_cfg *cfg, const struct sets *sets, unsigned words,
                      struct visit *visits)
{
    unsigned step = 1;
    for (bool progress = true; progress;) {
        progress = false;
        for (unsigned b = cfg->num_blocks; b-- > 0;) {
            const struct lir_block *block = &cfg->blocks[b];
            bool needed = !visits[b].visited;
            for (unsigned i = 0; i < block->num_succ; i++)
                needed |= visits[block->succ[i]].changed > visits[b].visited;
            if (!needed)
                continue;
            visits[b].visited = step++;
            if (update_live(cfg, b, &sets[b], words)) {
                visits[b].changed = step++;
                progress = true;
            }
        }
    }
}

static void number_registers(struct lir_program *p, struct lir_cfg *cfg, void *mem_ctx)
{
    cfg->vgrf_base = talloc_array(mem_ctx, unsigned, p->vgrfs.count + 1);
    cfg->num_regs = 0;
    for (unsigned i = 0; i < p->vgrfs.count; i++) {
        cfg->vgrf_base[i] = cfg->num_regs;
        cfg->num_regs += p->vgrfs.data[i].size;
    }
    cfg->vgrf_base[p->vgrfs.count] = cfg->grf_base = cfg->num_regs;
    cfg->num_regs += p->dev->grf_count;
}

void lir_liveness(struct lir_program *p, struct lir_cfg *cfg, void *mem_ctx)
{
    number_registers(p, cfg, mem_ctx);
    unsigned words = BITSET_WORDS(cfg->num_regs), n = cfg->num_blocks;
    bitset_word *bits = talloc_zero_array(mem_ctx, bitset_word, (size_t)7 * words * n);
    struct sets *sets = talloc_zero_array(mem_ctx, struct sets, n);

    for (unsigned b = 0; b < n; b++) {
        struct lir_block *block = &cfg->blocks[b];
        bitset_word **const places[] = {&sets[b].use,       &sets[b].def,     &sets[b].some,
                                        &block->live_in,    &block->live_out, &block->written_in,
                                        &block->written_out};
        for (unsigned i = 0; i < ARRAY_SIZE(places); i++, bits += words)
            *places[i] = bits;
        scan_block(cfg, block, &sets[b]);
    }
    find_written(cfg, sets, words, talloc_zero_array(mem_ctx, struct visit, n));
    find_live(cfg, sets, words, talloc_zero_array(mem_ctx, struct visit, n));
    for (unsigned b = 0; b < n; b++) {
        struct lir_block *block = &cfg->blocks[b];
        for (unsigned w = 0; w < words; w++) {
            block->live_in[w] &= block->written_in[w];
            block->live_out[w] &= block->written_out[w];
        }
    }
}

/* --- Liveness for the register file --- */

enum { NO_REGION = -1 };

/* A range of blocks during which channels may wait at one place. */
struct region {
    int outer;
    unsigned first; /* Block index. */
    bool is_loop;
    bitset_word *waiting;
};

/* Channels that go from the end of block `from` to `to` and wait there until the end of
 * the region. */
struct wait {
    unsigned region, from, to;
    bool to_behind; /* `to` is after the loop and not known before its end. */
};

struct regions {
    struct lir_cfg *cfg;
    DYNARRAY(struct region) list;
    DYNARRAY(struct wait) waits;
    int current;
    unsigned halt_first, halt_end; /* Blocks during which halted channels may wait. */
    unsigned halt_region;
};

static void open_region(struct regions *r, unsigned block, bool is_loop)
{
    struct region region = {.outer = r->current, .first = block, .is_loop = is_loop};
    (void)dynarray_append(&r->list, region);
    r->current = (int)r->list.count - 1;
}

static void close_region(struct regions *r)
{
    if (r->current != NO_REGION)
        r->current = r->list.data[r->current].outer;
}

static void add_wait(struct regions *r, int region, unsigned from, unsigned to, bool to_behind)
{
    struct wait wait = {(unsigned)region, from, to, to_behind};
    if (region != NO_REGION)
        (void)dynarray_append(&r->waits, wait);
}

/* Resolves the pending waits whose target is the end of the current region, at block `to`. */
static void resolve_waits(struct regions *r, unsigned to)
{
    for (unsigned i = 0; i < r->waits.count; i++) {
        struct wait *wait = &r->waits.data[i];
        if ((int)wait->region == r->current && wait->to_behind) {
            wait->to = to;
            wait->to_behind = false;
        }
    }
}

static int innermost_loop(const struct regions *r)
{
    int at = r->current;
    while (at != NO_REGION && !r->list.data[at].is_loop)
        at = r->list.data[at].outer;
    return at;
}

static void enter_block(struct regions *r, unsigned b, const struct lir_inst *first)
{
    if (first && first->op == EU_OPCODE_ENDIF) {
        resolve_waits(r, b);
        close_region(r);
    }
    if (first && first->op == LIR_OP_DO)
        open_region(r, b, true);
}

static void leave_block(struct regions *r, unsigned b, const struct lir_inst *last)
{
    int loop = innermost_loop(r);
    switch (last ? last->op : 0) {
    case EU_OPCODE_IF: /* The other channels wait at the else or endif. */
        open_region(r, b + 1, false);
        add_wait(r, r->current, b, 0, true);
        break;
    case EU_OPCODE_ELSE:
        resolve_waits(r, b + 1);
        close_region(r);
        open_region(r, b + 1, false);
        add_wait(r, r->current, b, 0, true);
        break;
    case EU_OPCODE_BREAK:
        add_wait(r, loop, b, 0, true);
        break;
    case EU_OPCODE_CONT:
        add_wait(r, loop, b, loop == NO_REGION ? 0 : r->list.data[loop].first, false);
        break;
    case EU_OPCODE_WHILE:
        if (last->predicate)
            add_wait(r, r->current, b, 0, true);
        resolve_waits(r, b + 1);
        close_region(r);
        break;
    default:
        break;
    }
}

/* Halted channels wait from the first halt, or the start of the loop around it, to the
 * halt target. */
static void find_halts(struct regions *r, int *region_of)
{
    struct lir_cfg *cfg = r->cfg;
    unsigned first = cfg->num_blocks, target = cfg->num_blocks;
    for (unsigned b = 0; b < cfg->num_blocks; b++) {
        const struct lir_block *block = &cfg->blocks[b];
        if (block->first && block->first->op == LIR_OP_HALT_TARGET)
            target = b;
        if (block->last && block->last->op == EU_OPCODE_HALT)
            first = MIN2(first, b);
    }
    if (target == cfg->num_blocks || first > target)
        return;
    for (int at = region_of[first]; at != NO_REGION; at = r->list.data[at].outer) {
        if (r->list.data[at].is_loop)
            first = r->list.data[at].first;
    }
    r->current = NO_REGION;
    open_region(r, first, false);
    r->halt_region = (unsigned)r->current;
    r->halt_first = first;
    r->halt_end = target;
    for (unsigned b = first; b < target; b++) {
        const struct lir_block *block = &cfg->blocks[b];
        if (block->last && block->last->op == EU_OPCODE_HALT)
            add_wait(r, r->current, b, target, false);
    }
}

static void fill_waiting(struct regions *r, unsigned words)
{
    for (unsigned i = 0; i < r->waits.count; i++) {
        const struct wait *wait = &r->waits.data[i];
        const bitset_word *live = r->cfg->blocks[wait->to].live_in;
        const bitset_word *written = r->cfg->blocks[wait->from].written_out;
        for (unsigned w = 0; w < words; w++)
            r->list.data[wait->region].waiting[w] |= live[w] & written[w];
    }
    for (unsigned i = 0; i < r->list.count; i++) { /* Outer regions come first. */
        struct region *region = &r->list.data[i];
        for (unsigned w = 0; region->outer != NO_REGION && w < words; w++)
            region->waiting[w] |= r->list.data[region->outer].waiting[w];
    }
}

void lir_find_waiting(struct lir_cfg *cfg, void *mem_ctx)
{
    struct regions r = {
        .cfg = cfg, .list.mem_ctx = mem_ctx, .waits.mem_ctx = mem_ctx, .current = NO_REGION};
    unsigned words = BITSET_WORDS(cfg->num_regs);
    int *region_of = talloc_array(mem_ctx, int, cfg->num_blocks + 1);
    for (unsigned b = 0; b < cfg->num_blocks; b++) {
        enter_block(&r, b, cfg->blocks[b].first);
        region_of[b] = r.current;
        leave_block(&r, b, cfg->blocks[b].last);
    }
    find_halts(&r, region_of);
    for (unsigned i = 0; i < r.list.count; i++)
        r.list.data[i].waiting = talloc_zero_array(mem_ctx, bitset_word, words);
    fill_waiting(&r, words);
    for (unsigned b = 0; b < cfg->num_blocks; b++) {
        bitset_word *waiting = region_of[b] == NO_REGION ? NULL : r.list.data[region_of[b]].waiting;
        if (b >= r.halt_first && b < r.halt_end) {
            const bitset_word *halted = r.list.data[r.halt_region].waiting, *others = waiting;
            waiting = talloc_memdup(mem_ctx, halted, words * sizeof *halted);
            for (unsigned w = 0; others && w < words; w++)
                waiting[w] |= others[w];
        }
        cfg->blocks[b].waiting = waiting;
    }
}
