/* SPDX-License-Identifier: MIT */
/* Dead-code elimination: removes instructions that write only registers and flags that are never
 * read. */
#include "lir.h"

static bool any_live(const struct lir_cfg *cfg, const bitset_word *live,
                     const struct lir_inst *inst)
{
    struct lir_span dst = lir_regs_written(cfg, inst);
    for (unsigned r = dst.first; r < dst.first + dst.count; r++) {
        if (bitset_test(live, r))
            return true;
    }
    return false;
}

static void step_back(const struct lir_cfg *cfg, const struct lir_inst *inst, bitset_word *live,
                      unsigned *flags)
{
    struct lir_span dst = lir_regs_written(cfg, inst);
    for (unsigned r = dst.first; r < dst.first + dst.count && !lir_is_partial_write(inst); r++)
        bitset_clear(live, r);
    if (!inst->predicate)
        *flags &= ~lir_flags_written(inst);
    for (unsigned s = 0; s < 3; s++) {
        struct lir_span src = lir_regs_read(cfg, inst, s);
        for (unsigned r = src.first; r < src.first + src.count; r++)
            bitset_set(live, r);
    }
    *flags |= lir_flags_read(inst);
}

bool lir_opt_dead_code(struct lir_program *p)
{
    void *mem_ctx = talloc_new(p);
    struct lir_cfg *cfg = lir_cfg_build(p, mem_ctx);
    bool progress = false;
    lir_liveness(p, cfg, mem_ctx);
    for (unsigned b = 0; b < cfg->num_blocks; b++) {
        struct lir_block *block = &cfg->blocks[b];
        bitset_word *live = block->live_out;
        unsigned flags = block->flags_out;
        struct lir_inst *first = block->first;
        for (struct lir_inst *inst = block->last, *prev; inst; inst = prev) {
            prev = inst == first ? NULL : list_entry(inst->node.prev, struct lir_inst, node);
            bool writes_live = any_live(cfg, live, inst);
            bool flags_live = lir_flags_written(inst) & flags;
            if (!lir_has_side_effects(inst) && !writes_live && !flags_live) {
                list_del(&inst->node);
                progress = true;
                continue;
            }
            if (inst->dst.file == LIR_VGRF && !writes_live && !lir_is_send(inst) &&
                inst->op != LIR_OP_BROADCAST && !lir_is_3src(inst) && flags_live) {
                inst->dst = lir_null(inst->dst.type);
                progress = true;
            }
            if (inst->cmod && !flags_live && inst->op != EU_OPCODE_CMP &&
                inst->op != EU_OPCODE_SEL && inst->op != EU_OPCODE_CSEL) {
                inst->cmod = EU_CMOD_NONE;
                progress = true;
            }
            step_back(cfg, inst, live, &flags);
        }
    }
    talloc_free(mem_ctx);
    return progress;
}
