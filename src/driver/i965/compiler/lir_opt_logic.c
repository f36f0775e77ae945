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

/* Whether inst writes part of r, which `reader` reads as its source s. */
static bool writes(const struct lir_inst *inst, const struct lir_inst *reader, unsigned s)
{
    const struct lir_reg *r = &reader->src[s];
    return inst->dst.file == LIR_VGRF && r->file == LIR_VGRF && inst->dst.nr == r->nr &&
           inst->dst.offset < r->offset + lir_size_read(reader, s) &&
           r->offset < inst->dst.offset + lir_size_written(inst);
}

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

static bool invert_source(struct lir_program *p, struct lir_inst *user, unsigned s)
{
    struct lir_reg *src = &user->src[s];
    for (struct list_head *at = user->node.prev; at != &p->insts; at = at->prev) {
        struct lir_inst *def = list_entry(at, struct lir_inst, node);
        if (lir_is_control_flow(def))
            return false;
        if (!writes(def, user, s))
            continue;
        if (!is_inverse(def, user, s) || writes(def, def, 0))
            return false;
        for (at = user->node.prev; at != &def->node; at = at->prev) {
            if (writes(list_entry(at, struct lir_inst, node), def, 0))
                return false;
        }
        struct lir_reg value = lir_retype(def->src[0], src->type);
        value.negate = value.negate == src->negate;
        *src = value;
        return true;
    }
    return false;
}

bool lir_opt_logic(struct lir_program *p)
{
    bool progress = false;
    lir_foreach_inst(inst, p)
    {
        for (unsigned s = 0; s < 2 && takes_inversion(inst); s++) {
            if (inst->src[s].file == LIR_VGRF)
                progress |= invert_source(p, inst, s);
        }
    }
    return progress;
}
