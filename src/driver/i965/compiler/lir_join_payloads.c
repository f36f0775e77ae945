/* SPDX-License-Identifier: MIT */
/*
 * Lowering of split messages for devices without them. Both payloads become parts of one register:
 * the VGRF of a payload is placed there if it has no other place yet, so that nothing is copied.
 * Otherwise the payload is copied.
 */
#include "lir.h"

struct place {
    bool fixed;      /* The VGRF is part of another one. */
    unsigned vgrf;   /* The VGRF that contains it, */
    unsigned offset; /* and its offset there in bytes. */
};

/* Copies `regs` whole registers before inst, in all channels. */
static void copy_registers(struct lir_program *p, struct lir_inst *inst, struct lir_reg to,
                           struct lir_reg from, unsigned regs)
{
    for (unsigned i = 0; i < regs; i++) {
        struct lir_inst *mov =
            lir_inst_create(p, EU_OPCODE_MOV, 8, lir_byte_offset(to, i * LIR_REG_SIZE),
                            lir_byte_offset(from, i * LIR_REG_SIZE), lir_bad(), lir_bad());
        mov->no_mask = true;
        mov->comment = inst->comment;
        list_addtail(&mov->node, &inst->node);
    }
}

static struct lir_reg whole(struct lir_reg payload)
{
    payload.type = EU_TYPE_UD;
    payload.stride = 1;
    return payload;
}

static void join(struct lir_program *p, struct lir_inst *inst, struct place *places)
{
    unsigned length[2] = {inst->mlen, inst->ex_mlen}, at = 0;
    struct lir_reg payload = lir_vgrf(p, length[0] + length[1], EU_TYPE_UD);
    for (unsigned i = 0; i < 2; i++) {
        const struct lir_reg *part = &inst->src[i];
        struct place *place = part->file == LIR_VGRF ? &places[part->nr] : NULL;
        if (place && !place->fixed && !part->offset && p->vgrfs.data[part->nr].size == length[i])
            *place = (struct place){true, payload.nr, at};
        else
            copy_registers(p, inst, lir_byte_offset(payload, at), whole(*part), length[i]);
        at += length[i] * LIR_REG_SIZE;
    }
    inst->op = inst->op == EU_OPCODE_SENDS ? EU_OPCODE_SEND : EU_OPCODE_SENDC;
    inst->mlen = (uint8_t)(length[0] + length[1]);
    inst->ex_mlen = 0;
    inst->src[0] = payload;
    inst->src[1] = lir_bad();
}

static void rename_operand(const struct place *places, unsigned count, struct lir_reg *r)
{
    if (r->file != LIR_VGRF || r->nr >= count || !places[r->nr].fixed)
        return;
    r->offset += places[r->nr].offset;
    r->nr = places[r->nr].vgrf;
}

bool lir_join_payloads(struct lir_program *p)
{
    unsigned count = p->vgrfs.count; /* Joined payloads are not parts of others. */
    struct place *places = talloc_zero_array(p, struct place, count + 1);
    bool progress = false;
    lir_foreach_inst_safe(inst, p)
    {
        if (inst->op != EU_OPCODE_SENDS && inst->op != EU_OPCODE_SENDSC)
            continue;
        join(p, inst, places);
        progress = true;
    }
    lir_foreach_inst(inst, p)
    {
        rename_operand(places, count, &inst->dst);
        for (unsigned s = 0; s < 3; s++)
            rename_operand(places, count, &inst->src[s]);
    }
    talloc_free(places);
    return progress;
}
