/* SPDX-License-Identifier: MIT */
/*
 * Sends: gathers the payload, calls a model of the shared function, and writes the answer back.
 * Also contains the models of simple functions: URB, gateway, thread spawner.
 */
#include <string.h>

#include "sim_message.h"
#include "util/macros.h"

/* ----------------------------------------------------------------------------------- urb --- */

/* Returns dword c of a channel's entry. */
static uint32_t *urb_word(struct sim_message *m, unsigned channel, unsigned c)
{
    struct sim_env *env = m->t->env;
    uint64_t owords = sim_bits(m->desc, 14, 4);

    if (sim_bits(m->desc, 17, 17))
        owords += m->payload[1][channel];
    uint64_t at = (uint64_t)(m->payload[0][channel] & 0xffff) * 64 + owords * 16 + c * 4u;
    return at + 4 <= env->urb_size ? (uint32_t *)(void *)(env->urb + at) : NULL;
}

/* SIMD8 write and read. Register 0 has the handles, followed by offsets and channel masks if the
 * descriptor has them, then one register per dword. */
static bool message_urb(struct sim_message *m)
{
    unsigned opcode = sim_bits(m->desc, 3, 0);
    unsigned data = 1 + sim_bits(m->desc, 17, 17), elements;
    bool masked = sim_bits(m->desc, 15, 15);
    const uint32_t *masks = m->payload[data];

    if (opcode != 7 && opcode != 8)
        return sim_fault(m->t, m->inst, "field desc: not a SIMD8 URB message");
    data += masked;
    elements = opcode == 7 ? m->length + m->ex_length : m->response;
    if (opcode == 7)
        elements = elements > data ? elements - data : 0;
    for (unsigned c = 0; c < elements; c++) {
        for (unsigned i = 0; i < 8; i++) {
            if (!(m->mask >> i & 1) || (masked && !(masks[i] >> (16 + c % 8) & 1)))
                continue;
            uint32_t *word = urb_word(m, i, c);
            if (!word)
                return sim_fault(m->t, m->inst, "field desc: an access leaves the URB");
            if (opcode == 7)
                *word = m->payload[data + c][i];
            else
                m->answer[c][i] = *word;
        }
    }
    return true;
}

/* ---------------------------------------------------------------------------------- send --- */

static bool gather_payload(struct sim_message *m)
{
    const struct eu_inst *eu = &m->inst->eu;
    unsigned split = eu->opcode == EU_OPCODE_SENDS || eu->opcode == EU_OPCODE_SENDSC;

    if (m->length > 15 || m->ex_length > 15 || eu->src[0].nr + m->length > 128 ||
        (split && eu->src[1].nr + m->ex_length > 128))
        return sim_fault(m->t, m->inst, "field desc: the payload leaves the register file");
    memset(m->payload + m->length, 0, sizeof m->payload - m->length * 32);
    memcpy(m->payload, m->t->grf + eu->src[0].nr * 32, m->length * 32);
    if (m->ex_length && eu->src[1].file == EU_FILE_GRF)
        memcpy(m->payload[m->length], m->t->grf + eu->src[1].nr * 32, m->ex_length * 32);
    return true;
}

static void scatter_answer(struct sim_message *m)
{
    const struct eu_reg *dst = &m->inst->eu.dst;

    if (m->response && dst->file == EU_FILE_GRF)
        memcpy(m->t->grf + dst->nr * 32, m->answer, m->response * 32);
}

/* Initializes the answer with the current register contents, because models fill in only the active
 * channels. */
static bool load_answer(struct sim_message *m)
{
    const struct eu_reg *dst = &m->inst->eu.dst;

    if (m->response > 16)
        return sim_fault(m->t, m->inst, "field desc: the answer has more than 16 registers");
    if (!m->response || dst->file != EU_FILE_GRF)
        return true;
    if (dst->nr + m->response > 128)
        return sim_fault(m->t, m->inst, "field desc: the answer leaves the register file");
    memcpy(m->answer, m->t->grf + dst->nr * 32, m->response * 32);
    return true;
}

static uint32_t address_dword(const struct sim_thread *t, unsigned word)
{
    uint32_t value;
    memcpy(&value, t->address + (word & 14) * 2, 4);
    return value;
}

/* Gateway: supports only the barrier message; the thread then waits for n0. */
static bool run_gateway(struct sim_message *m)
{
    if (sim_bits(m->desc, 2, 0) != 4)
        return sim_fault(m->t, m->inst, "field desc: not a barrier");
    m->t->barrier_pending = true;
    return true;
}

static bool deliver(struct sim_message *m)
{
    switch (m->sfid) {
    case EU_SFID_URB:
        return message_urb(m);
    case EU_SFID_SAMPLER:
        return sim_message_sampler(m);
    case EU_SFID_PIXEL_INTERPOLATOR:
        return sim_message_interpolator(m);
    case EU_SFID_RENDER_CACHE:
        return sim_message_render_cache(m);
    case EU_SFID_DATA_CONSTANT_CACHE:
    case EU_SFID_DATA_CACHE0:
    case EU_SFID_DATA_CACHE1:
        return sim_message_data_cache(m);
    case EU_SFID_GATEWAY:
        return run_gateway(m);
    case EU_SFID_THREAD_SPAWNER:
    case EU_SFID_NULL:
        return true;
    default:
        return sim_fault(m->t, m->inst, "field sfid: no such shared function here");
    }
}

bool sim_execute_send(struct sim_thread *t, const struct sim_inst *inst)
{
    const struct eu_inst *eu = &inst->eu;
    bool split = eu->opcode == EU_OPCODE_SENDS || eu->opcode == EU_OPCODE_SENDSC;
    uint32_t ex_desc = eu->ex_desc;
    struct sim_message m;

    m.t = t;
    m.inst = inst;
    m.sfid = eu->sfid;
    m.desc = eu->desc_indirect ? address_dword(t, 0) : eu->desc;
    if (eu->ex_desc_indirect) {
        ex_desc = address_dword(t, eu->src[1].address_subnr);
        m.sfid = (enum eu_sfid)(ex_desc & 15);
    }
    m.mask = sim_execution_mask(t, inst);
    m.length = sim_bits(m.desc, 28, 25);
    m.response = sim_bits(m.desc, 24, 20);
    m.header = sim_bits(m.desc, 19, 19);
    m.ex_length = split ? sim_bits(ex_desc, 9, 6) : 0;
    if (!gather_payload(&m) || !load_answer(&m) || !deliver(&m))
        return false;
    scatter_answer(&m);
    return true;
}
