/* SPDX-License-Identifier: MIT */
/*
 * Blocks, edges and liveness.
 *
 * Edges are those of one channel. A register that is written under a mask keeps the other channels'
 * values, which another block may have made; that its place is not given away meanwhile is seen to
 * in lir_allocate, whose live intervals are contiguous.
 */
#include "lir.h"

#include <string.h>

struct builder {
    struct lir_program *p;
    struct lir_cfg *cfg;
    unsigned capacity;
    DYNARRAY(unsigned) ifs;    /* pairs: block that ends in if, block that ends in else or ~0 */
    DYNARRAY(unsigned) loops;  /* head blocks */
    DYNARRAY(unsigned) exits;  /* triples: block, loop depth, break, cont or halt */
};

static unsigned new_block(struct builder *b, void *mem_ctx)
{
    struct lir_cfg *cfg = b->cfg;
    if (cfg->num_blocks == b->capacity) {
        b->capacity = b->capacity * 2 + 16;
        cfg->blocks = talloc_realloc(mem_ctx, cfg->blocks, struct lir_block, b->capacity);
    }
    cfg->blocks[cfg->num_blocks] = (struct lir_block){.loop_depth = b->loops.count};
    return cfg->num_blocks++;
}

static void add_edge(struct lir_cfg *cfg, unsigned from, unsigned to)
{
    struct lir_block *block = &cfg->blocks[from];
    for (unsigned i = 0; i < block->num_succ; i++) {
        if (block->succ[i] == to)
            return;
    }
    if (block->num_succ < 2)
        block->succ[block->num_succ++] = to;
}

/* Which of the instructions that leave a loop (or the program) go to the block `to`. */
static void resolve_exits(struct builder *b, unsigned depth, unsigned op, unsigned to)
{
    for (unsigned i = 0; i < b->exits.count; i += 3) {
        if (b->exits.data[i + 1] == depth && b->exits.data[i + 2] == op)
            add_edge(b->cfg, b->exits.data[i], to);
    }
}

static void drop_exits(struct builder *b, unsigned depth)
{
    unsigned n = 0;
    for (unsigned i = 0; i < b->exits.count; i += 3) {
        if (b->exits.data[i + 1] == depth)
            continue;
        memmove(&b->exits.data[n], &b->exits.data[i], 3 * sizeof(unsigned));
        n += 3;
    }
    b->exits.count = n;
}

/* Ends the block `current` with inst; returns the next. */
static unsigned end_block(struct builder *b, void *mem_ctx, unsigned current,
                          struct lir_inst *inst)
{
    struct lir_cfg *cfg = b->cfg;
    unsigned next = new_block(b, mem_ctx), head;
    switch (inst->op) {
    case EU_OPCODE_IF:
        add_edge(cfg, current, next);
        (void)dynarray_append(&b->ifs, current);
        (void)dynarray_append(&b->ifs, ~0u);
        break;
    case EU_OPCODE_ELSE:
        add_edge(cfg, b->ifs.data[b->ifs.count - 2], next);
        b->ifs.data[b->ifs.count - 1] = current;
        break;
    case EU_OPCODE_BREAK:
    case EU_OPCODE_CONT:
        (void)dynarray_append(&b->exits, current);
        (void)dynarray_append(&b->exits, b->loops.count);
        (void)dynarray_append(&b->exits, inst->op);
        if (inst->predicate)
            add_edge(cfg, current, next);
        break;
    case EU_OPCODE_HALT:
        (void)dynarray_append(&b->exits, current);
        (void)dynarray_append(&b->exits, ~0u);
        (void)dynarray_append(&b->exits, inst->op);
        add_edge(cfg, current, next);
        break;
    case EU_OPCODE_WHILE:
        head = b->loops.data[--b->loops.count];
        cfg->blocks[next].loop_depth = b->loops.count;
        add_edge(cfg, current, head);
        if (inst->predicate)
            add_edge(cfg, current, next);
        resolve_exits(b, b->loops.count + 1, EU_OPCODE_BREAK, next);
        resolve_exits(b, b->loops.count + 1, EU_OPCODE_CONT, head);
        drop_exits(b, b->loops.count + 1);
        cfg->loops = talloc_realloc(cfg, cfg->loops, struct lir_loop, cfg->num_loops + 1);
        cfg->loops[cfg->num_loops++] =
            (struct lir_loop){cfg->blocks[head].start, inst->ip};
        break;
    default:
        add_edge(cfg, current, next);
        break;
    }
    return next;
}

struct lir_cfg *lir_cfg_build(struct lir_program *p, void *mem_ctx)
{
    struct lir_cfg *cfg = talloc_zero(mem_ctx, struct lir_cfg);
    struct builder b = {.p = p, .cfg = cfg};
    unsigned current = new_block(&b, cfg);
    bool fallthrough_dead = false;

    lir_number(p);
    lir_foreach_inst(inst, p) {
        /* These begin a block: what jumps there jumps to the instruction itself. */
        bool begins = inst->op == LIR_OP_DO || inst->op == EU_OPCODE_ENDIF ||
                      inst->op == LIR_OP_HALT_TARGET;
        if (begins && (cfg->blocks[current].first || inst->op != LIR_OP_DO)) {
            unsigned next = new_block(&b, cfg);
            if (!fallthrough_dead)
                add_edge(cfg, current, next);
            current = next;
        }
        fallthrough_dead = false;
        if (inst->op == EU_OPCODE_ENDIF && b.ifs.count >= 2) {
            unsigned if_block = b.ifs.data[b.ifs.count - 2];
            unsigned else_block = b.ifs.data[b.ifs.count - 1];
            add_edge(cfg, else_block == ~0u ? if_block : else_block, current);
            b.ifs.count -= 2;
        }
        if (inst->op == LIR_OP_HALT_TARGET)
            resolve_exits(&b, ~0u, EU_OPCODE_HALT, current);
        if (inst->op == LIR_OP_DO) {
            (void)dynarray_append(&b.loops, current);
            cfg->blocks[current].loop_depth = b.loops.count;
        }
        struct lir_block *block = &cfg->blocks[current];
        if (!block->first) {
            block->first = inst;
            block->start = inst->ip;
        }
        block->last = inst;
        block->end = inst->ip;
        if (lir_is_control_flow(inst) && !begins) {
            bool jumps = (inst->op == EU_OPCODE_BREAK || inst->op == EU_OPCODE_CONT ||
                          inst->op == EU_OPCODE_WHILE) && !inst->predicate;
            current = end_block(&b, cfg, current, inst);
            cfg->blocks[current].start = cfg->blocks[current].end = inst->ip + 1;
            fallthrough_dead = jumps;
            /* Behind a while the exits arrive: the block is alive. */
            if (inst->op == EU_OPCODE_WHILE || inst->op == EU_OPCODE_ELSE)
                fallthrough_dead = false;
        }
    }
    dynarray_finish(&b.ifs);
    dynarray_finish(&b.loops);
    dynarray_finish(&b.exits);
    return cfg;
}

static void mark_uses(const struct lir_cfg *cfg, const struct lir_inst *inst, bitset_word *use,
                      const bitset_word *def)
{
    for (unsigned s = 0; s < 3; s++) {
        if (inst->src[s].file != LIR_VGRF)
            continue;
        unsigned first = cfg->vgrf_base[inst->src[s].nr] + inst->src[s].offset / LIR_REG_SIZE;
        unsigned end = inst->src[s].offset % LIR_REG_SIZE + lir_size_read(inst, s);
        for (unsigned r = 0; r * LIR_REG_SIZE < end; r++) {
            if (!bitset_test(def, first + r))
                bitset_set(use, first + r);
        }
    }
}

void lir_liveness(struct lir_program *p, struct lir_cfg *cfg, void *mem_ctx)
{
    cfg->vgrf_base = talloc_array(mem_ctx, unsigned, p->vgrfs.count + 1);
    cfg->num_regs = 0;
    for (unsigned i = 0; i < p->vgrfs.count; i++) {
        cfg->vgrf_base[i] = cfg->num_regs;
        cfg->num_regs += p->vgrfs.data[i].size;
    }
    unsigned words = BITSET_WORDS(MAX2(cfg->num_regs, 1)), n = cfg->num_blocks;
    bitset_word *bits = talloc_zero_array(mem_ctx, bitset_word, 4 * words * n);
    unsigned *flag_use = talloc_zero_array(mem_ctx, unsigned, 2 * n), *flag_def = flag_use + n;

    for (unsigned i = 0; i < n; i++) {
        struct lir_block *block = &cfg->blocks[i];
        bitset_word *use = bits + i * words, *def = bits + (n + i) * words;
        block->live_in = bits + (2 * n + i) * words;
        block->live_out = bits + (3 * n + i) * words;
        for (struct lir_inst *inst = block->first; inst;
             inst = inst == block->last ? NULL : list_entry(inst->node.next, struct lir_inst, node)) {
            mark_uses(cfg, inst, use, def);
            flag_use[i] |= lir_flags_read(inst) & ~flag_def[i];
            if (inst->dst.file == LIR_VGRF && !lir_is_partial_write(inst)) {
                unsigned first = cfg->vgrf_base[inst->dst.nr] + inst->dst.offset / LIR_REG_SIZE;
                for (unsigned r = 0; r * LIR_REG_SIZE < lir_size_written(inst); r++) {
                    if (!bitset_test(use, first + r))
                        bitset_set(def, first + r);
                }
            }
            if (!inst->predicate)
                flag_def[i] |= lir_flags_written(inst) & ~flag_use[i];
        }
    }
    for (bool progress = true; progress;) {
        progress = false;
        for (unsigned i = n; i-- > 0;) {
            struct lir_block *block = &cfg->blocks[i];
            bitset_word *use = bits + i * words, *def = bits + (n + i) * words;
            for (unsigned s = 0; s < block->num_succ; s++) {
                const struct lir_block *succ = &cfg->blocks[block->succ[s]];
                for (unsigned w = 0; w < words; w++)
                    block->live_out[w] |= succ->live_in[w];
                block->flags_out |= succ->flags_in;
            }
            for (unsigned w = 0; w < words; w++) {
                bitset_word in = use[w] | (block->live_out[w] & ~def[w]);
                progress |= in != block->live_in[w];
                block->live_in[w] = in;
            }
            unsigned flags = flag_use[i] | (block->flags_out & ~flag_def[i]);
            progress |= flags != block->flags_in;
            block->flags_in = flags;
        }
    }
}
