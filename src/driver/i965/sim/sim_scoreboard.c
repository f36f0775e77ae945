/* SPDX-License-Identifier: MIT */
/*
 * Checks software scoreboard information: an instruction that accesses a register that an earlier
 * one may still read or write is an error, however long ago that was. Real hardware would usually
 * have finished by then, so only this model finds missing waits.
 */
#include <string.h>

#include "sim_internal.h"
#include "util/macros.h"

/* Returns the first register of an indirectly addressed row. */
static unsigned addressed(const struct sim_thread *t, const struct eu_reg *reg, unsigned channel)
{
    uint16_t address;
    memcpy(&address, t->address + (reg->address_subnr + channel) % 16 * 2, 2);
    return (unsigned)(address + reg->address_offset) / 32 % 128;
}

static void add_indirect(const struct sim_thread *t, const struct eu_inst *eu,
                         struct eu_access *access)
{
    const struct eu_reg *reg = &eu->src[0];
    unsigned low = 127, high = 0,
             n = reg->vstride == EU_VSTRIDE_ONE_DIMENSIONAL ? eu->exec_size : 1;

    for (unsigned i = 0; i < n; i++) {
        unsigned r = addressed(t, reg, i);
        low = MIN2(low, r);
        high = MAX2(high, r);
    }
    eu_access_read(access, low, high - low + 1);
}

bool sim_check_scoreboard(struct sim_thread *t, const struct sim_inst *inst)
{
    struct eu_access access = eu_access(&inst->eu);
    unsigned token;

    if (inst->eu.src[0].indirect && inst->eu.src[0].file == EU_FILE_GRF)
        add_indirect(t, &inst->eu, &access);
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
