/* SPDX-License-Identifier: MIT */
/*
 * Checks the invariants of LIR that lir.h and the passes promise: operands, types, flags, messages,
 * control flow, definitions before uses, and allocated registers. The hardware's other restrictions
 * are checked on the final code (eu_validate.c).
 */
#include "lir.h"

#include <stdlib.h>
#include <string.h>

#include "eu_tables.h"
#include "util/macros.h"

enum {
    MAX_CHANNELS = 32,
    MAX_ALU_CHANNELS = 16,
    MAX_PAYLOAD = 15, /* Registers per message. */
    MAX_ANSWER = 16,
    MAX_STRIDE = 16, /* Largest encodable stride of a source, in bytes and elements. */
    EOT_REGISTERS = 16,
    SCRATCH_SLOT_BITS = 12,
};

struct validator {
    struct lir_program *p;
    enum lir_phase phase;
    const struct lir_inst *inst;
    const char *rule; /* The first violated rule; NULL if none. */
};

/* Records rule as violated unless `holds`, if it is the first one. */
static void demand(struct validator *v, bool holds, const char *rule)
{
    if (!holds && !v->rule)
        v->rule = rule;
}

/* --- Operands --- */

static bool is_gather(const struct lir_inst *inst)
{
    return inst->op == LIR_OP_GATHER || inst->op == LIR_OP_BROADCAST;
}

static unsigned registers_touched(const struct lir_reg *r, unsigned bytes)
{
    return DIV_ROUND_UP(r->offset % LIR_REG_SIZE + bytes, LIR_REG_SIZE);
}

static void check_place(struct validator *v, const struct lir_reg *r, unsigned bytes)
{
    const struct lir_program *p = v->p;
    if (r->file == LIR_VGRF) {
        demand(v, r->nr < p->vgrfs.count, "the VGRF exists");
        demand(v,
               v->rule || r->offset + bytes <= p->vgrfs.data[r->nr].size * (unsigned)LIR_REG_SIZE,
               "the operand lies within its VGRF");
    } else if (r->file == LIR_GRF) {
        demand(v,
               r->nr * (unsigned)LIR_REG_SIZE + r->offset + bytes <=
                   p->payload_regs * (unsigned)LIR_REG_SIZE,
               "the operand lies within the payload");
    }
}

static void check_source_region(struct validator *v, const struct lir_reg *r)
{
    if (!r->region) {
        demand(v, r->stride <= 4 && (!r->stride || util_is_power_of_two(r->stride)),
               "a source's stride is 0, 1, 2 or 4");
        return;
    }
    demand(v, util_is_power_of_two(r->width) && r->width <= MAX_STRIDE,
           "a region's width is a power of two");
    demand(v, r->hstride <= 4 && (!r->hstride || util_is_power_of_two(r->hstride)),
           "a region's horizontal stride is 0, 1, 2 or 4");
    demand(v, !r->vstride || util_is_power_of_two(r->vstride),
           "a region's vertical stride is 0 or a power of two");
}

static void check_source(struct validator *v, unsigned s)
{
    const struct lir_inst *inst = v->inst;
    const struct lir_reg *r = &inst->src[s];
    const bool payload = lir_is_send(inst) && s < 2;
    demand(v, r->file <= LIR_IMM && r->type < EU_TYPE_COUNT, "operands have a file and a type");
    if (r->file == LIR_BAD || v->rule)
        return;
    if (r->file == LIR_IMM) {
        demand(v, r->type != EU_TYPE_UB && r->type != EU_TYPE_B, "immediates have no bytes");
        demand(v,
               lir_type_size(r->type) <= 4 ||
                   (inst->op == EU_OPCODE_MOV && v->p->dev->has_64bit_types),
               "only moves have immediates of 64 bits");
        demand(v, !r->negate && !r->abs, "immediates have no modifiers");
        return;
    }
    check_place(v, r, lir_size_read(inst, s));
    if (payload) {
        demand(v, r->offset % LIR_REG_SIZE == 0, "payloads begin with a register");
        return;
    }
    demand(v, r->offset % lir_type_size(r->type) == 0, "operands are aligned to their types");
    check_source_region(v, r);
    if (v->phase >= LIR_PHASE_DIVIDED && !is_gather(inst) && inst->op != EU_OPCODE_PLN &&
        r->file != LIR_ARF && !r->region)
        demand(v, registers_touched(r, lir_size_read(inst, s)) <= 2,
               "a source lies in at most two registers");
}

static void check_destination(struct validator *v)
{
    const struct lir_inst *inst = v->inst;
    const struct lir_reg *r = &inst->dst;
    demand(v, r->file != LIR_GRF && r->file != LIR_IMM,
           "the payload and immediates aren't written");
    demand(v, r->file <= LIR_IMM && r->type < EU_TYPE_COUNT, "operands have a file and a type");
    if (r->file == LIR_BAD || v->rule)
        return;
    demand(v, !r->negate && !r->abs && !r->region, "destinations have no modifiers and no region");
    check_place(v, r, lir_size_written(inst));
    if (lir_is_null(r))
        return;
    if (lir_is_send(inst) || inst->op == LIR_OP_UNDEF) {
        demand(v, r->offset % LIR_REG_SIZE == 0, "answers begin with a register");
        return;
    }
    demand(v, r->offset % lir_type_size(r->type) == 0, "operands are aligned to their types");
    demand(v, r->stride <= 4 && (!r->stride || util_is_power_of_two(r->stride)),
           "a destination's stride is 1, 2 or 4");
    if (v->phase >= LIR_PHASE_DIVIDED && r->file == LIR_VGRF)
        demand(v, registers_touched(r, lir_size_written(inst)) <= 2,
               "a result lies in at most two registers");
}

/* --- Instructions --- */

static void check_channels(struct validator *v)
{
    const struct lir_inst *inst = v->inst;
    demand(v, util_is_power_of_two(inst->exec_size) && inst->exec_size <= MAX_CHANNELS,
           "the execution size is a power of two up to 32");
    demand(v,
           inst->group % MAX2(MIN2(inst->exec_size, 8), 4) == 0 &&
               inst->group + inst->exec_size <= MAX_CHANNELS,
           "the group of channels fits the execution size");
    if (v->phase >= LIR_PHASE_DIVIDED && !lir_is_control_flow(inst) && inst->op < LIR_OP_DO)
        demand(v, inst->exec_size <= MAX_ALU_CHANNELS || v->p->width <= MAX_ALU_CHANNELS,
               "instructions have at most 16 channels");
}

static void check_flags(struct validator *v)
{
    const struct lir_inst *inst = v->inst;
    const bool used = inst->predicate || (inst->cmod && inst->op != EU_OPCODE_SEL);
    const unsigned words = inst->exec_size > 16 ? 2 : 1;
    demand(v, inst->predicate <= EU_PREDICATE_ALL32H, "the predicate exists");
    demand(v, inst->cmod <= EU_CMOD_U && inst->cmod != 7, "the condition exists");
    demand(v, !used || inst->flag % 2 + inst->group / 16 + words <= 2 || inst->op >= LIR_OP_DO,
           "the channels' flag bits are in one flag register");
    demand(v, inst->flag < 4, "the flag exists");
}

static bool is_float(unsigned type)
{
    return type == EU_TYPE_F || type == EU_TYPE_HF || type == EU_TYPE_DF || type == EU_TYPE_VF;
}

static void check_types(struct validator *v, unsigned sources, uint16_t types)
{
    const struct lir_inst *inst = v->inst;
    bool floats = false, integers = false;
    for (unsigned s = 0; s < sources; s++) {
        const struct lir_reg *r = &inst->src[s];
        demand(v, r->type >= EU_TYPE_UV || types >> r->type & 1,
               "the instruction takes sources of the type");
        floats |= is_float(r->type);
        integers |= !is_float(r->type);
    }
    demand(v, !floats || !integers, "sources are integers or floats");
}

static void check_alu(struct validator *v)
{
    const struct lir_inst *inst = v->inst;
    const struct eu_opcode_info *info = &eu_opcode_info[inst->op];
    const bool math = inst->op == EU_OPCODE_MATH;
    demand(v, !math || (inst->math < ARRAY_SIZE(eu_math_info) && eu_math_info[inst->math].name),
           "the math function exists");
    if (v->rule)
        return;
    const unsigned sources = math ? eu_math_info[inst->math].sources : info->sources;
    demand(v, lir_num_srcs(inst) == sources, "the instruction has its number of sources");
    demand(v, inst->dst.file != LIR_BAD, "the instruction has a destination");
    check_types(v, sources, math ? eu_math_info[inst->math].types : info->types);
    demand(v, !inst->cmod || info->flags & EU_FLAG_CMOD, "the instruction can have a condition");
    demand(v, !inst->saturate || lir_can_saturate(inst) || info->flags & EU_FLAG_SAT,
           "the instruction saturates");
    demand(v,
           inst->cmod || (inst->op != EU_OPCODE_CMP && inst->op != EU_OPCODE_CMPN &&
                          inst->op != EU_OPCODE_CSEL),
           "a comparison has a condition");
    demand(v, inst->op != EU_OPCODE_SEL || !inst->cmod != !inst->predicate,
           "sel has a condition or a predicate");
    for (unsigned s = 0; s < sources; s++) {
        const bool immediate = inst->src[s].file == LIR_IMM;
        demand(v, !immediate || !lir_is_3src(inst) || v->phase < LIR_PHASE_LOWERED,
               "three-source instructions have no immediates");
        demand(v, !immediate || lir_is_3src(inst) || s + 1 == sources,
               "an immediate is the last source");
    }
    demand(v, !lir_is_3src(inst) || !lir_is_null(&inst->dst),
           "three-source instructions write a register");
    demand(v, !lir_is_3src(inst) || inst->predicate <= EU_PREDICATE_NORMAL,
           "three-source instructions have plain predicates");
}

/* --- Messages --- */

static void check_scratch(struct validator *v, bool split)
{
    const struct lir_inst *inst = v->inst;
    const unsigned slot = inst->desc & ((1u << SCRATCH_SLOT_BITS) - 1);
    const unsigned count = split ? inst->ex_mlen : inst->rlen ? inst->rlen : inst->mlen - 1u;
    demand(v, inst->sfid == EU_SFID_DATA_CACHE0 && inst->header && inst->no_mask,
           "spills and fills move whole registers of the thread");
    demand(v, util_is_power_of_two(count) && count == 1u << (inst->desc >> SCRATCH_SLOT_BITS & 3),
           "spills and fills say how many registers they move");
    demand(v, (slot + count) * LIR_REG_SIZE <= v->p->scratch_size,
           "spills and fills stay within scratch memory");
}

static void check_send(struct validator *v)
{
    const struct lir_inst *inst = v->inst;
    const bool split = inst->op == EU_OPCODE_SENDS || inst->op == EU_OPCODE_SENDSC;
    demand(v, inst->sfid != EU_SFID_NULL, "a message has a shared function");
    demand(v, inst->exec_size <= MAX_ALU_CHANNELS, "messages have at most 16 channels");
    demand(v, inst->mlen && inst->mlen <= MAX_PAYLOAD, "a payload has 1 to 15 registers");
    demand(v, inst->ex_mlen <= MAX_PAYLOAD && (split || !inst->ex_mlen),
           "only split messages have a second payload");
    demand(v, inst->rlen <= MAX_ANSWER, "an answer has at most 16 registers");
    demand(v, !inst->rlen || inst->dst.file == LIR_VGRF, "an answer goes to a VGRF");
    demand(v, inst->rlen || lir_is_null(&inst->dst), "without an answer the destination is null");
    demand(v, !inst->eot || !inst->rlen, "a thread's last message has no answer");
    demand(v, inst->src[0].file == LIR_VGRF || inst->src[0].file == LIR_GRF,
           "a payload lies in registers");
    demand(v, !inst->ex_mlen || inst->src[1].file == LIR_VGRF || inst->src[1].file == LIR_GRF,
           "a payload lies in registers");
    demand(v, inst->src[2].file == LIR_BAD || !inst->src[2].stride || inst->exec_size == 1,
           "what is added to the descriptor is a scalar");
    demand(v, !inst->cmod && !inst->saturate, "messages have no condition and don't saturate");
    demand(v, inst->desc >> 19 == 0, "lengths and header are no part of desc");
    if (inst->scratch)
        check_scratch(v, split);
}

static void check_pseudo(struct validator *v)
{
    const struct lir_inst *inst = v->inst;
    switch (inst->op) {
    case LIR_OP_UNDEF:
        demand(v, inst->dst.file == LIR_VGRF && inst->rlen, "undef has registers");
        break;
    case LIR_OP_BROADCAST:
        demand(v, inst->dst.file == LIR_VGRF && inst->src[0].file != LIR_IMM && !inst->predicate,
               "broadcast reads registers");
        break;
    case LIR_OP_GATHER:
        demand(v, inst->exec_size == 8 && util_is_power_of_two(inst->rlen),
               "gather has 8 channels and a power of two of registers");
        break;
    case LIR_OP_DO:
    case LIR_OP_HALT_TARGET:
        demand(v, inst->dst.file == LIR_BAD && !lir_num_srcs(inst), "a label has no operands");
        break;
    default:
        demand(v, false, "the opcode exists");
        break;
    }
}

static void check_inst(struct validator *v, const struct lir_inst *inst)
{
    v->inst = inst;
    check_channels(v);
    check_flags(v);
    if (inst->op >= LIR_OP_DO) {
        check_pseudo(v);
    } else {
        demand(v, inst->op < ARRAY_SIZE(eu_opcode_info) && eu_opcode_info[inst->op].name,
               "the opcode exists");
        /* WAIT is emitted as SYNC where the device has that instead. */
        demand(v,
               v->phase < LIR_PHASE_LOWERED || inst->op == EU_OPCODE_WAIT ||
                   eu_has_opcode(v->p->dev, inst->op),
               "the device has the opcode");
        if (v->rule)
            return;
        if (lir_is_send(inst))
            check_send(v);
        else if (!lir_is_control_flow(inst) && inst->op != EU_OPCODE_WAIT)
            check_alu(v);
    }
    check_destination(v);
    for (unsigned s = 0; s < 3; s++)
        check_source(v, s);
}

/* --- Control flow --- */

struct structure {
    DYNARRAY(uint16_t) open; /* Open if, else and do. */
    unsigned loops;          /* Number of open loops. */
    bool halted, target, ended;
};

static void close_structure(struct validator *v, struct structure *s, bool loop)
{
    const unsigned top = s->open.count ? s->open.data[s->open.count - 1] : 0;
    demand(v, s->open.count && (top == LIR_OP_DO) == loop, "if and endif, do and while nest");
    if (!v->rule)
        s->open.count--;
}

static void visit_structure(struct validator *v, struct structure *s, const struct lir_inst *inst)
{
    switch (inst->op) {
    case EU_OPCODE_IF:
    case LIR_OP_DO:
        (void)dynarray_append(&s->open, inst->op);
        s->loops += inst->op == LIR_OP_DO;
        break;
    case EU_OPCODE_ELSE:
        demand(v, s->open.count && s->open.data[s->open.count - 1] == EU_OPCODE_IF,
               "else follows an if");
        if (!v->rule)
            s->open.data[s->open.count - 1] = EU_OPCODE_ELSE;
        break;
    case EU_OPCODE_ENDIF:
        close_structure(v, s, false);
        break;
    case EU_OPCODE_WHILE:
        close_structure(v, s, true);
        s->loops--;
        break;
    case EU_OPCODE_BREAK:
    case EU_OPCODE_CONT:
        demand(v, s->loops, "break and cont are in a loop");
        break;
    case EU_OPCODE_HALT:
        demand(v, !s->target, "halted channels wait later");
        s->halted = true;
        break;
    case LIR_OP_HALT_TARGET:
        demand(v, !s->target && !s->open.count, "channels halt at one place, outside of all");
        s->target = true;
        break;
    default:
        break;
    }
}

static void check_structure(struct validator *v)
{
    struct structure s = {.open.mem_ctx = v->p};
    lir_foreach_inst(inst, v->p)
    {
        v->inst = inst;
        if (v->rule)
            break;
        demand(v, !s.ended, "nothing follows the thread's last message");
        demand(v, !inst->eot || (lir_is_send(inst) && !s.open.count),
               "a message ends the thread, outside of all");
        s.ended |= inst->eot;
        visit_structure(v, &s, inst);
    }
    demand(v, !s.halted || s.target, "halted channels have a place to wait");
    demand(v, s.ended, "the thread ends with a message");
    dynarray_finish(&s.open);
}

/* --- Values --- */

/* Updates `now`, the registers that may have a value. The payload of a message may be undefined. */
static void check_values_of_block(struct validator *v, const struct lir_cfg *cfg,
                                  const struct lir_block *block, const bitset_word *undef,
                                  bitset_word *now)
{
    memcpy(now, block->written_in, BITSET_WORDS(cfg->num_regs) * sizeof *now);
    lir_foreach_inst_in_block(inst, block)
    {
        for (unsigned s = lir_is_send(inst) ? 2 : 0; s < 3; s++) {
            struct lir_span read = lir_regs_read(cfg, inst, s);
            bool any = !read.count;
            for (unsigned r = read.first; r < read.first + read.count; r++)
                any |= bitset_test(now, r) || bitset_test(undef, r);
            v->inst = v->rule ? v->inst : inst;
            demand(v, any, "what is read may have been written");
        }
        struct lir_span written = lir_regs_written(cfg, inst);
        for (unsigned r = written.first; r < written.first + written.count; r++)
            bitset_set(now, r);
    }
}

static void check_values(struct validator *v, struct lir_cfg *cfg, void *mem_ctx)
{
    const unsigned words = BITSET_WORDS(cfg->num_regs);
    bitset_word *undef = talloc_zero_array(mem_ctx, bitset_word, words + 1);
    bitset_word *now = talloc_zero_array(mem_ctx, bitset_word, words + 1);
    lir_foreach_inst(inst, v->p)
    {
        struct lir_span written = lir_regs_written(cfg, inst);
        for (unsigned r = written.first; r < written.first + written.count; r++) {
            if (inst->op == LIR_OP_UNDEF)
                bitset_set(undef, r);
        }
    }
    v->inst = NULL;
    demand(v, !cfg->num_blocks || !cfg->blocks[0].flags_in,
           "flags are written before they are read");
    for (unsigned b = 0; b < cfg->num_blocks && !v->rule; b++)
        check_values_of_block(v, cfg, &cfg->blocks[b], undef, now);
}

/* --- Allocation --- */

struct places {
    const struct lir_cfg *cfg;
    unsigned *hw;    /* By register: hardware register. */
    unsigned *count; /* By hardware register: number of live registers there. */
    bitset_word *live;
    /* By register: its first write in the block, if it had no value before. */
    struct lir_inst **first;
};

static void set_live(struct places *l, unsigned r, bool live)
{
    if (!bitset_test(l->live, r) == !live)
        return;
    if (live)
        bitset_set(l->live, r);
    else
        bitset_clear(l->live, r);
    l->count[l->hw[r]] += live ? 1 : -1u;
}

static void begin_block(struct places *l, const struct lir_block *block)
{
    const struct lir_cfg *cfg = l->cfg;
    for (unsigned r = 0; r < cfg->num_regs; r++) {
        l->first[r] = NULL;
        set_live(l, r,
                 bitset_test(block->live_out, r) ||
                     (block->waiting && bitset_test(block->waiting, r)));
    }
    lir_foreach_inst_in_block(inst, block)
    {
        struct lir_span dst = lir_regs_written(cfg, inst);
        for (unsigned r = dst.first; r < dst.first + dst.count && inst->op != LIR_OP_UNDEF; r++) {
            if (!l->first[r] && !bitset_test(block->written_in, r))
                l->first[r] = inst;
        }
    }
}

/* Walks backwards; an instruction must not write to the hardware register of another
 * live register. */
static void check_places_of_block(struct validator *v, struct places *l,
                                  const struct lir_block *block)
{
    begin_block(l, block);
    for (struct lir_inst *inst = block->last; inst;
         inst = inst == block->first ? NULL : list_entry(inst->node.prev, struct lir_inst, node)) {
        struct lir_span dst = lir_regs_written(l->cfg, inst);
        const bool whole = !lir_is_partial_write(inst);
        v->inst = v->rule ? v->inst : inst;
        for (unsigned r = dst.first; r < dst.first + dst.count; r++) {
            const bool ends = whole || l->first[r] == inst;
            if (inst->op != LIR_OP_UNDEF)
                demand(v, l->count[l->hw[r]] == (bitset_test(l->live, r) ? 1 : 0),
                       "a result doesn't overwrite a live register");
            if (ends && !(block->waiting && bitset_test(block->waiting, r)))
                set_live(l, r, false);
        }
        for (unsigned s = 0; s < 3; s++) {
            struct lir_span src = lir_regs_read(l->cfg, inst, s);
            for (unsigned r = src.first; r < src.first + src.count; r++)
                set_live(l, r, true);
        }
    }
}

static bool ends_in_last_registers(const struct validator *v, const struct lir_inst *inst)
{
    for (unsigned s = 0; s < 2 && inst->eot; s++) {
        if (inst->src[s].file == LIR_VGRF && v->p->vgrfs.data[inst->src[s].nr].hw +
                                                     inst->src[s].offset / LIR_REG_SIZE +
                                                     EOT_REGISTERS <
                                                 v->p->dev->grf_count)
            return false;
    }
    return true;
}

/* Checks that live registers do not share hardware registers. */
static void check_interference(struct validator *v, struct lir_cfg *cfg, void *mem_ctx)
{
    const struct lir_program *p = v->p;
    struct places l = {
        .cfg = cfg,
        .hw = talloc_array(mem_ctx, unsigned, cfg->num_regs + 1),
        .count = talloc_zero_array(mem_ctx, unsigned, p->dev->grf_count),
        .live = talloc_zero_array(mem_ctx, bitset_word, BITSET_WORDS(cfg->num_regs) + 1),
        .first = talloc_zero_array(mem_ctx, struct lir_inst *, cfg->num_regs + 1),
    };
    for (unsigned i = 0; i < p->vgrfs.count; i++) {
        for (unsigned r = 0; r < p->vgrfs.data[i].size; r++)
            l.hw[cfg->vgrf_base[i] + r] = p->vgrfs.data[i].hw + r;
    }
    for (unsigned r = cfg->grf_base; r < cfg->num_regs; r++)
        l.hw[r] = r - cfg->grf_base;
    lir_find_waiting(cfg, mem_ctx);
    for (unsigned b = 0; b < cfg->num_blocks && !v->rule; b++)
        check_places_of_block(v, &l, &cfg->blocks[b]);
}

static void check_places(struct validator *v)
{
    const struct lir_program *p = v->p;
    for (unsigned i = 0; i < p->vgrfs.count; i++)
        demand(v, p->vgrfs.data[i].hw + p->vgrfs.data[i].size <= p->dev->grf_count,
               "registers have a place");
    lir_foreach_inst(inst, p)
    {
        v->inst = v->rule ? v->inst : inst;
        demand(v, ends_in_last_registers(v, inst), "the last payload is in the last registers");
    }
}

/* --- Entry point --- */

const char *lir_validate(struct lir_program *p, enum lir_phase phase,
                         const struct lir_inst **broken)
{
    struct validator v = {.p = p, .phase = phase};
    lir_foreach_inst(inst, p)
    {
        if (!v.rule)
            check_inst(&v, inst);
    }
    if (!v.rule)
        check_structure(&v);
    if (!v.rule) {
        void *mem_ctx = talloc_new(p);
        struct lir_cfg *cfg = lir_cfg_build(p, mem_ctx);
        lir_liveness(p, cfg, mem_ctx);
        check_values(&v, cfg, mem_ctx);
        if (!v.rule && phase >= LIR_PHASE_ALLOCATED)
            check_places(&v);
        if (!v.rule && phase == LIR_PHASE_ALLOCATED)
            check_interference(&v, cfg, mem_ctx);
        talloc_free(mem_ctx);
    }
    *broken = v.rule ? v.inst : NULL;
    return v.rule;
}

void lir_check(struct lir_program *p, enum lir_phase phase, const char *when)
{
#ifndef NDEBUG
    const struct lir_inst *broken;
    const char *rule = p->failure ? NULL : lir_validate(p, phase, &broken);
    if (!rule)
        return;
    lir_print(p, stderr);
    fprintf(stderr, "indium: LIR is broken after %s: %s (instruction %u)\n", when, rule,
            broken ? broken->ip : 0);
    abort();
#endif
}
