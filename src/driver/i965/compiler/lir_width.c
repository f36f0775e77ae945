/* SPDX-License-Identifier: MIT */
/*
 * Splits instructions of 32 channels into two of 16, the maximum for arithmetic. Registers that are
 * then accessed separately become separate VGRFs, so that each half is a value like in a SIMD16
 * kernel.
 */
#include "lir.h"

#include "util/macros.h"

/* --- Halves --- */

static bool is_divisible(const struct lir_inst *inst)
{
    return inst->exec_size == 32 && !lir_is_control_flow(inst) && inst->op < LIR_OP_DO;
}

static void make_upper_half(struct lir_inst *inst)
{
    inst->group = 16;
    inst->dst = lir_channels(inst->dst, inst->dst.file == LIR_ARF ? 0 : 16);
    for (unsigned s = 0; s < 3; s++)
        inst->src[s] = lir_channels(inst->src[s], inst->src[s].file == LIR_ARF ? 0 : 16);
}

bool lir_lower_width(struct lir_program *p)
{
    bool progress = false;
    lir_foreach_inst_safe(inst, p)
    {
        /* In narrower kernels only pixel coordinates, two words per pixel, have 32 channels. */
        if (p->width <= 16)
            break;
        if (!is_divisible(inst))
            continue;
        if (lir_is_send(inst) || inst->src[0].region || inst->src[1].region) {
            lir_fail(p, "an instruction of 32 channels cannot be divided");
            return false;
        }
        inst->exec_size = 16;
        struct lir_inst *upper = lir_inst_clone(p, inst);
        make_upper_half(upper);
        list_add(&upper->node, &inst->node);
        progress = true;
    }
    return progress;
}

/* --- Pieces of VGRFs --- */

struct pieces {
    bool *joined;         /* By register: it belongs to the same piece as the previous register. */
    unsigned *base;       /* By VGRF: index of its first register in joined. */
    unsigned *nr, *first; /* By register: its new VGRF; the first register of its piece. */
};

static void join(struct pieces *s, const struct lir_reg *r, unsigned bytes)
{
    if (r->file != LIR_VGRF || !bytes)
        return;
    unsigned start = s->base[r->nr] + r->offset / LIR_REG_SIZE;
    unsigned end = s->base[r->nr] + (r->offset + bytes - 1) / LIR_REG_SIZE;
    for (unsigned i = start + 1; i <= end && i < s->base[r->nr + 1]; i++)
        s->joined[i] = true;
}

static void rename_operand(const struct pieces *s, struct lir_reg *r)
{
    if (r->file != LIR_VGRF)
        return;
    unsigned reg = r->offset / LIR_REG_SIZE, i = s->base[r->nr] + reg;
    if (i >= s->base[r->nr + 1])
        return;
    r->offset -= s->first[i] * LIR_REG_SIZE;
    r->nr = s->nr[i];
}

/* Emits one UNDEF per piece. */
static void divide_undef(struct lir_program *p, const struct pieces *s, struct lir_inst *inst)
{
    unsigned old = inst->dst.nr, base = s->base[old], size = s->base[old + 1] - base;
    unsigned start = inst->dst.offset / LIR_REG_SIZE, end = MIN2(start + inst->rlen, size);
    for (unsigned r = start; r < end; r++) {
        if (r > start && s->joined[base + r])
            continue;
        struct lir_inst *part = lir_inst_clone(p, inst);
        part->dst.offset = r * LIR_REG_SIZE;
        part->rlen = 1;
        while (r + part->rlen < end && s->joined[base + r + part->rlen])
            part->rlen++;
        rename_operand(s, &part->dst);
        list_addtail(&part->node, &inst->node);
    }
    list_del(&inst->node);
}

/* Turns pieces that are never accessed together into separate VGRFs; the first keeps its index. */
static bool number_pieces(struct lir_program *p, struct pieces *s)
{
    unsigned count = p->vgrfs.count;
    bool progress = false;
    for (unsigned v = 0; v < count; v++) {
        unsigned base = s->base[v], size = p->vgrfs.data[v].size, nr = v, first = 0;
        for (unsigned r = 0; r < size; r++) {
            if (r && !s->joined[base + r]) {
                p->vgrfs.data[nr].size = (uint16_t)(r - first);
                nr = lir_vgrf(p, size - r, EU_TYPE_UD).nr;
                first = r;
                progress = true;
            }
            s->nr[base + r] = nr;
            s->first[base + r] = first;
        }
    }
    return progress;
}

bool lir_split_vgrfs(struct lir_program *p)
{
    void *mem_ctx = talloc_new(p);
    unsigned count = p->vgrfs.count, total = 0;
    struct pieces s = {.base = talloc_array(mem_ctx, unsigned, count + 1)};
    for (unsigned v = 0; v < count; v++) {
        s.base[v] = total;
        total += p->vgrfs.data[v].size;
    }
    s.base[count] = total;
    s.joined = talloc_zero_array(mem_ctx, bool, total + 1);
    s.nr = talloc_array(mem_ctx, unsigned, total + 1);
    s.first = talloc_array(mem_ctx, unsigned, total + 1);
    lir_foreach_inst(inst, p)
    {
        if (inst->op != LIR_OP_UNDEF)
            join(&s, &inst->dst, lir_size_written(inst));
        for (unsigned k = 0; k < 3; k++)
            join(&s, &inst->src[k], lir_size_read(inst, k));
    }
    bool progress = number_pieces(p, &s);
    lir_foreach_inst_safe(inst, p)
    {
        if (!progress)
            break;
        if (inst->op == LIR_OP_UNDEF && inst->dst.file == LIR_VGRF) {
            divide_undef(p, &s, inst);
            continue;
        }
        rename_operand(&s, &inst->dst);
        for (unsigned k = 0; k < 3; k++)
            rename_operand(&s, &inst->src[k]);
    }
    talloc_free(mem_ctx);
    return progress;
}
