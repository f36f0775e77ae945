/* SPDX-License-Identifier: MIT */
/* A message from a thread to a shared function. */
#ifndef SIM_MESSAGE_H
#define SIM_MESSAGE_H

#include "sim_internal.h"

/* Lives for the execution of one send instruction. */
struct sim_message {
    struct sim_thread *t;
    const struct sim_inst *inst;
    enum eu_sfid sfid;
    uint32_t desc; /* Message descriptor, also if the instruction has it in a0.0. */
    uint32_t mask; /* Active channels; bit 0 is the instruction's first. */
    /* Lengths in registers: of the first payload, the second payload, and the answer. */
    unsigned length, ex_length, response;
    bool header;             /* The payload starts with a header of one register. */
    uint32_t payload[32][8]; /* Both payloads, concatenated. */
    uint32_t answer[16][8];  /* Written back to dst; initialized with dst's contents. */
};

/* Models of the shared functions. Return false if the thread faults. */
bool sim_message_sampler(struct sim_message *m);
bool sim_message_interpolator(struct sim_message *m);
bool sim_message_render_cache(struct sim_message *m);
bool sim_message_data_cache(struct sim_message *m); /* Both data caches and the constant cache. */

/* Returns bits high:low of word. */
static inline uint32_t sim_bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((2u << (high - low)) - 1);
}

/* Returns payload register i, not counting the header. Registers that were not sent are 0. */
static inline const uint32_t *sim_data(const struct sim_message *m, unsigned i)
{
    i += m->header;
    return m->payload[i < 31 ? i : 31];
}

/* Returns the payload length in registers, not counting the header. A message may claim to have a
 * header although it has no payload. */
static inline unsigned sim_data_length(const struct sim_message *m)
{
    unsigned length = m->length + m->ex_length;

    return length > m->header ? length - m->header : 0;
}

#endif
