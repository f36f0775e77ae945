/* SPDX-License-Identifier: MIT */
/*
 * Folds saturation and conditions into the instruction that computes the value, and removes
 * comparisons whose result is already in the flag. Works within a block, searching backwards from
 * the user.
 */
#include "lir.h"

static struct lir_inst *previous(struct lir_program *p, struct lir_inst *inst)
{
    if (inst->node.prev == &p->insts)
        return NULL;
    struct lir_inst *prev = list_entry(inst->node.prev, struct lir_inst, node);
    return lir_is_control_flow(prev) ? NULL : prev;
}

static unsigned *count_uses(struct lir_program *p, unsigned **defs)
{
    unsigned *uses = talloc_zero_array(p, unsigned, p->vgrfs.count + 1);
    *defs = talloc_zero_array(uses, unsigned, p->vgrfs.count + 1);
    lir_foreach_inst(inst, p)
    {
        for (unsigned s = 0; s < 3; s++) {
            if (inst->src[s].file == LIR_VGRF)
                uses[inst->src[s].nr]++;
        }
        if (inst->dst.file == LIR_VGRF)
            (*defs)[inst->dst.nr]++;
    }
    return uses;
}

static bool is_same_place(const struct lir_inst *def, const struct lir_inst *use)
{
    return def->dst.file == LIR_VGRF && use->src[0].file == LIR_VGRF &&
           def->dst.nr == use->src[0].nr && def->dst.offset == use->src[0].offset &&
           def->dst.stride == use->src[0].stride && !use->src[0].region &&
           def->exec_size == use->exec_size && def->group == use->group &&
           def->no_mask == use->no_mask;
}

/* Folds mov.sat d, x into the instruction that computes x, if the move is the only use of x. */
bool lir_opt_saturate(struct lir_program *p)
{
    unsigned *defs, *uses = count_uses(p, &defs);
    bool progress = false;
    lir_foreach_inst(inst, p)
    {
        const struct lir_reg *src = &inst->src[0];
        if (inst->op != EU_OPCODE_MOV || !inst->saturate || inst->predicate || inst->cmod ||
            src->file != LIR_VGRF || src->abs || src->negate || src->type != EU_TYPE_F ||
            inst->dst.type != EU_TYPE_F || uses[src->nr] != 1 || defs[src->nr] != 1)
            continue;
        struct lir_inst *def = previous(p, inst);
        while (def && !(def->dst.file == LIR_VGRF && def->dst.nr == src->nr))
            def = previous(p, def);
        if (!def || !is_same_place(def, inst) || !lir_can_saturate(def) || def->cmod ||
            lir_is_partial_write(def))
            continue;
        def->saturate = true;
        inst->saturate = false;
        progress = true;
    }
    talloc_free(uses);
    return progress;
}

/* Returns whether inst compares src[0] with zero; *cmod is the condition. */
static bool is_zero_test(const struct lir_inst *inst, enum eu_cmod *cmod)
{
    *cmod = inst->cmod;
    if (!inst->cmod || inst->predicate || inst->saturate || !lir_is_null(&inst->dst) ||
        inst->dst.file == LIR_BAD || inst->src[0].file != LIR_VGRF || inst->src[0].abs ||
        inst->src[0].negate)
        return false;
    if (inst->op == EU_OPCODE_MOV)
        return inst->dst.type == inst->src[0].type;
    return inst->op == EU_OPCODE_CMP && inst->src[1].file == LIR_IMM && inst->src[1].imm == 0;
}

static bool takes_cmod(const struct lir_inst *def, const struct lir_inst *test, enum eu_cmod cmod)
{
    bool equality = cmod == EU_CMOD_Z || cmod == EU_CMOD_NZ;
    bool is_float = def->dst.type == EU_TYPE_F;
    if (def->cmod || def->predicate || def->saturate ||
        (test->src[0].type == EU_TYPE_F) != is_float)
        return false;
    switch (def->op) {
    case EU_OPCODE_AND:
    case EU_OPCODE_OR:
    case EU_OPCODE_XOR:
    case EU_OPCODE_NOT:
        return equality;
    case EU_OPCODE_ADD:
    case EU_OPCODE_SHR:
    case EU_OPCODE_SHL:
    case EU_OPCODE_ASR:
        return is_float || equality;
    case EU_OPCODE_MUL:
    case EU_OPCODE_MAD:
    case EU_OPCODE_FRC:
    case EU_OPCODE_RNDD:
    case EU_OPCODE_RNDE:
    case EU_OPCODE_RNDZ:
        return is_float;
    default:
        return false;
    }
}

/* Returns whether def is a comparison whose result is both in the register and in the flag. */
static bool is_known_boolean(const struct lir_inst *def, const struct lir_inst *test,
                             enum eu_cmod cmod)
{
    return def->op == EU_OPCODE_CMP && def->flag == test->flag &&
           (!def->predicate || def->flag_is_result) && cmod == EU_CMOD_NZ &&
           test->src[0].type != EU_TYPE_F;
}

/* Returns whether def compares its result with zero for the same flag. */
static bool sets_tested_flag(const struct lir_inst *def, const struct lir_inst *test)
{
    struct lir_inst plain = *def;
    plain.cmod = EU_CMOD_NONE;
    return def->flag == test->flag && takes_cmod(&plain, test, def->cmod);
}

static bool fold_test(struct lir_program *p, struct lir_inst *test, enum eu_cmod cmod)
{
    unsigned flag = lir_flags_written(test), between = 0;
    for (struct lir_inst *def = previous(p, test); def; def = previous(p, def)) {
        if (def->dst.file == LIR_VGRF && def->dst.nr == test->src[0].nr) {
            if (!is_same_place(def, test) || (lir_is_partial_write(def) && !def->flag_is_result))
                return false;
            if (is_known_boolean(def, test, cmod) && !(between & 2)) {
                list_del(&test->node);
                return true;
            }
            if (def->cmod == cmod && sets_tested_flag(def, test) && !(between & 2)) {
                list_del(&test->node);
                return true;
            }
            if (between || !takes_cmod(def, test, cmod))
                return false;
            def->cmod = (uint8_t)cmod;
            def->flag = test->flag;
            list_del(&test->node);
            return true;
        }
        if (lir_flags_read(def) & flag)
            between |= 1;
        if (lir_flags_written(def) & flag)
            between |= 2;
    }
    return false;
}

static bool same_test(const struct lir_inst *a, const struct lir_inst *b)
{
    return a->op == b->op && a->cmod == b->cmod && a->flag == b->flag && !a->predicate &&
           a->exec_size == b->exec_size && a->group == b->group && a->no_mask == b->no_mask &&
           lir_reg_equal(&a->src[0], &b->src[0]) && lir_reg_equal(&a->src[1], &b->src[1]);
}

static bool writes_source(const struct lir_inst *inst, const struct lir_inst *test)
{
    for (unsigned s = 0; s < 2; s++) {
        if (test->src[s].file == LIR_VGRF && inst->dst.file == LIR_VGRF &&
            test->src[s].nr == inst->dst.nr)
            return true;
    }
    return false;
}

/* Removes a test if the same test was made before and its flag and operands are unchanged. */
static bool drop_repeated(struct lir_program *p, struct lir_inst *test)
{
    if (test->predicate || test->op != EU_OPCODE_CMP || !lir_is_null(&test->dst))
        return false;
    for (struct lir_inst *prev = previous(p, test); prev; prev = previous(p, prev)) {
        if (writes_source(prev, test))
            return false;
        if (!(lir_flags_written(prev) & lir_flags_written(test)))
            continue;
        if (!same_test(prev, test))
            return false;
        list_del(&test->node);
        return true;
    }
    return false;
}

bool lir_opt_cmod(struct lir_program *p)
{
    bool progress = false;
    lir_foreach_inst_safe(inst, p)
    {
        enum eu_cmod cmod;
        if (inst->op == EU_OPCODE_CMP && drop_repeated(p, inst))
            progress = true;
        else if (is_zero_test(inst, &cmod))
            progress |= fold_test(p, inst, cmod);
    }
    return progress;
}
