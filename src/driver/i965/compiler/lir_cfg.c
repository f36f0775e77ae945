/* SPDX-License-Identifier: MIT */
/*
 * Basic blocks and edges. The edges are those that a single channel can take; lir_live.c determines
 * which channels wait meanwhile, and where.
 */
#include "lir.h"

#include "util/check.h"

#include <string.h>

struct builder {
    struct lir_program *p;
    struct lir_cfg *cfg;
    unsigned capacity;
    DYNARRAY(unsigned) ifs;   /* Pairs: block that ends in if; block that ends in else, or ~0. */
    DYNARRAY(unsigned) loops; /* First blocks of the open loops. */
    DYNARRAY(unsigned) exits; /* Triples: block; loop depth; break, cont or halt. */
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
        NEXT_OF(block->succ, block->num_succ) = to;
}

/* Adds edges to block `to` for the instructions that leave a loop or the program. */
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

/* Ends the block `current` with inst. Returns the index of the next block. */
static unsigned end_block(struct builder *b, void *mem_ctx, unsigned current, struct lir_inst *inst)
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
        cfg->loops[cfg->num_loops++] = (struct lir_loop){cfg->blocks[head].start, inst->ip};
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
    lir_foreach_inst(inst, p)
    {
        /* These instructions begin a block, because jumps target the instruction itself. */
        bool begins =
            inst->op == LIR_OP_DO || inst->op == EU_OPCODE_ENDIF || inst->op == LIR_OP_HALT_TARGET;
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
                          inst->op == EU_OPCODE_WHILE) &&
                         !inst->predicate;
            current = end_block(&b, cfg, current, inst);
            cfg->blocks[current].start = cfg->blocks[current].end = inst->ip + 1;
            fallthrough_dead = jumps;
            /* The code after a while is reachable through breaks. */
            if (inst->op == EU_OPCODE_WHILE || inst->op == EU_OPCODE_ELSE)
                fallthrough_dead = false;
        }
    }
    dynarray_finish(&b.ifs);
    dynarray_finish(&b.loops);
    dynarray_finish(&b.exits);
    return cfg;
}
