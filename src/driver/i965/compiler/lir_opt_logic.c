/* SPDX-License-Identifier: MIT */
/*
 * Logic instructions invert sources for free: and, or and xor read the source of an earlier not and
 * invert it. Works within a block.
 */
#include "lir.h"

static bool takes_inversion(const struct lir_inst *inst)
{
    return inst->op == EU_OPCODE_AND || inst->op == EU_OPCODE_OR || inst->op == EU_OPCODE_XOR;
}

/* The last write of a VGRF. */
struct write {
    struct lir_inst *inst;
    unsigned at; /* Position of inst; 0: there is none. */
};

static bool is_inverse(const struct lir_inst *def, const struct lir_inst *user, unsigned s)
{
    const struct lir_reg *src = &user->src[s], *value = &def->src[0];
    return def->op == EU_OPCODE_NOT && !lir_is_partial_write(def) &&
           (value->file == LIR_VGRF || value->file == LIR_GRF) && !value->abs &&
           def->dst.offset == src->offset && def->dst.stride == src->stride && !src->region &&
           lir_type_size(def->dst.type) == lir_type_size(src->type) &&
           lir_type_size(value->type) == lir_type_size(src->type) &&
           def->exec_size == user->exec_size && def->group == user->group &&
           (def->no_mask || !user->no_mask);
}

/* If the source s of `user` is the result of a not, replaces it by the inverted source of the not.
 * In this block, which begins at `start`, the not must be the last write of its result, and nothing
 * after it may write its source. */
static bool invert_source(const struct write *last, unsigned start, struct lir_inst *user,
                          unsigned s)
{
    struct lir_reg *src = &user->src[s];
    const struct write *def = &last[src->nr];
    if (def->at < start || !is_inverse(def->inst, user, s))
        return false;
    struct lir_reg value = lir_retype(def->inst->src[0], src->type);
    if (value.file == LIR_VGRF && last[value.nr].at >= def->at)
        return false;
    value.negate = value.negate == src->negate;
    *src = value;
    return true;
}

bool lir_opt_logic(struct lir_program *p)
{
    struct write *last = talloc_zero_array(p, struct write, p->vgrfs.count + 1);
    unsigned at = 1, start = 1; /* positions: instruction, start of the block */
    bool progress = false;
    lir_foreach_inst(inst, p)
    {
        for (unsigned s = 0; s < 2 && takes_inversion(inst); s++) {
            if (inst->src[s].file == LIR_VGRF)
                progress |= invert_source(last, start, inst, s);
        }
        if (inst->dst.file == LIR_VGRF)
            last[inst->dst.nr] = (struct write){inst, at};
        at++;
        if (lir_is_control_flow(inst))
            start = at;
    }
    talloc_free(last);
    return progress;
}
