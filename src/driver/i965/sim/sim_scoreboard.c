/* SPDX-License-Identifier: MIT */
/*
 * Checks software scoreboard information. Without a wait for an earlier instruction that conflicts,
 * an access to a register is an error, no matter how many cycles lie between the two. Real hardware
 * has usually finished the earlier one by then, so only this model finds missing waits.
 */
#include <string.h>

#include "sim_internal.h"
#include "util/macros.h"

/* Returns the address of the element of an indirect operand that a channel reads. */
static int addressed(const struct sim_thread *t, const struct eu_reg *reg, unsigned channel)
{
    bool one_dimensional = reg->vstride == EU_VSTRIDE_ONE_DIMENSIONAL;
    unsigned width = MAX2(reg->width, 1), row = channel / width, step = channel % width;
    uint16_t address;

    memcpy(&address, t->address + (reg->address_subnr + (one_dimensional ? row : 0)) % 16 * 2, 2);
    unsigned element = step * reg->hstride + (one_dimensional ? 0 : row * reg->vstride);
    return address + reg->address_offset + (int)(element * eu_type_size(reg->type));
}

/* Adds the registers that an indirect source addresses. Elements outside of the register file,
 * which are an error when they are read, are left out. */
static void add_indirect(const struct sim_thread *t, const struct eu_inst *eu,
                         const struct eu_reg *reg, struct eu_access *access)
{
    int low = SIM_GRF_BYTES, high = -1, size = (int)eu_type_size(reg->type);

    for (unsigned i = 0; i < eu->exec_size; i++) {
        int at = addressed(t, reg, i);
        if (at < 0 || at + size > SIM_GRF_BYTES)
            continue;
        low = MIN2(low, at);
        high = MAX2(high, at + size - 1);
    }
    if (high >= 0)
        eu_access_read(access, (unsigned)low / 32, (unsigned)high / 32 - (unsigned)low / 32 + 1);
}

bool sim_check_scoreboard(struct sim_thread *t, const struct sim_inst *inst)
{
    struct eu_access access = eu_access(&inst->eu);
    unsigned token;

    for (unsigned i = 0; i < inst->sources; i++) {
        const struct eu_reg *reg = &inst->eu.src[i];
        if (reg->indirect && reg->file == EU_FILE_GRF)
            add_indirect(t, &inst->eu, reg, &access);
    }
    eu_scoreboard_wait(&t->scoreboard, &inst->eu);
    struct eu_waits waits = eu_scoreboard_needs(&t->scoreboard, &access);
    if (waits.distance)
        return sim_fault(t, inst, "field software_scoreboard: an in-order instruction is not done");
    if (waits.written)
        return sim_fault(t, inst, "field software_scoreboard: a result is not written yet");
    if (waits.read)
        return sim_fault(t, inst, "field software_scoreboard: a source is not read yet");
    if (access.out_of_order && !access.waits_for_all) {
        if (!eu_scoreboard_token(&inst->eu, &token))
            return sim_fault(t, inst, "field software_scoreboard: the instruction has no token");
        if (t->scoreboard.token[token].active)
            return sim_fault(t, inst, "field software_scoreboard: the token is in use");
    }
    eu_scoreboard_issue(&t->scoreboard, &inst->eu, &access);
    return true;
}
