/* SPDX-License-Identifier: MIT */
/*
 * Sampler messages (Skylake PRM, volume 2d, "Sampling Engine"). Decodes the payload to parameters
 * per channel and writes four components back. The environment samples the texture.
 */

#include "sim_message.h"
#include "util/macros.h"

static int signed_nibble(uint32_t word, unsigned low)
{
    int value = (int)(word >> low & 15);
    return value >= 8 ? value - 16 : value;
}

static void read_header(const struct sim_message *m, struct sim_sample *s, uint32_t *disabled)
{
    uint32_t word = m->payload[0][2];

    s->offset[0] = signed_nibble(word, 8);
    s->offset[1] = signed_nibble(word, 4);
    s->offset[2] = signed_nibble(word, 0);
    s->gather_component = word >> 16 & 3;
    /* Relative to the start of the sampler states. */
    s->sampler += ((m->payload[0][3] & ~15u) - (m->t->env->sampler_address & ~15u)) / 16;
    *disabled = word >> 12 & 15;
}

/* Reads the parameters: one register per parameter for 8 channels, two for 16. */
static void read_parameters(const struct sim_message *m, struct sim_sample *s)
{
    unsigned registers = s->channels / 8;

    s->num_params = MIN2(sim_data_length(m) / registers, ARRAY_SIZE(s->param));
    for (unsigned p = 0; p < s->num_params; p++) {
        for (unsigned i = 0; i < s->channels; i++)
            s->param[p][i] = sim_data(m, p * registers + i / 8)[i % 8];
    }
}

/* Writes the result. Components that the header disables take no registers. */
static void write_result(struct sim_message *m, const struct sim_sample *s, uint32_t disabled)
{
    unsigned registers = s->channels / 8, at = 0;

    for (unsigned c = 0; c < 4; c++) {
        if (disabled >> c & 1)
            continue;
        for (unsigned i = 0; i < s->channels; i++) {
            if (at + i / 8 < m->response && s->mask >> i & 1)
                m->answer[at + i / 8][i % 8] = s->result[c][i];
        }
        at += registers;
    }
}

bool sim_message_sampler(struct sim_message *m)
{
    struct sim_sample s = {
        .type = sim_bits(m->desc, 16, 12),
        .surface = sim_bits(m->desc, 7, 0),
        .sampler = sim_bits(m->desc, 11, 8),
        .channels = 8,
    };
    unsigned mode = sim_bits(m->desc, 18, 17);
    uint32_t disabled = 0;

    if (mode == 2)
        s.channels = 16;
    else if (mode != 1)
        return sim_fault(m->t, m->inst, "field desc: the SIMD mode is neither 8 nor 16");
    s.mask = m->mask & ((1u << s.channels) - 1);
    if (m->header)
        read_header(m, &s, &disabled);
    read_parameters(m, &s);
    if (!m->t->env->sample || !m->t->env->sample(m->t->env, &s))
        return sim_fault(m->t, m->inst, "field desc: no such texture, sampler or message");
    write_result(m, &s, disabled);
    return true;
}
