/* SPDX-License-Identifier: MIT */
/* The pixel interpolator (Skylake PRM, volume 7, "Pixel Interpolator"): barycentrics on request. */
#include <string.h>

#include "sim_message.h"
#include "util/macros.h"

enum { AT_SAMPLE = 1, AT_OFFSETS = 3 };

/* Decodes an offset: sixteenths of a pixel in the low four bits. */
static float offset_of(uint32_t word)
{
    int sixteenths = (int)(word & 15);

    return (float)(sixteenths >= 8 ? sixteenths - 16 : sixteenths) / 16.0f;
}

bool sim_message_interpolator(struct sim_message *m)
{
    unsigned type = sim_bits(m->desc, 13, 12);
    struct sim_interpolation at = {
        .linear = sim_bits(m->desc, 14, 14),
        .at_sample = type == AT_SAMPLE,
        .sample = sim_bits(m->desc, 7, 4),
        .channels = sim_bits(m->desc, 16, 16) ? 16 : 8,
    };

    if (type != AT_SAMPLE && type != AT_OFFSETS)
        return sim_fault(m->t, m->inst, "field desc: kind of interpolation not supported");
    for (unsigned i = 0; i < at.channels && type == AT_OFFSETS; i++) {
        for (unsigned c = 0; c < 2; c++)
            at.offset[c][i] = offset_of(sim_data(m, c * (at.channels / 8) + i / 8)[i % 8]);
    }
    if (!m->t->env->interpolate || !m->t->env->interpolate(m->t->env, &at))
        return sim_fault(m->t, m->inst, "field sfid: nothing to interpolate here");
    for (unsigned i = 0; i < at.channels; i++) { /* i, then j of each eight channels. */
        for (unsigned c = 0; c < 2 && i / 8 * 2 + c < m->response; c++)
            memcpy(&m->answer[i / 8 * 2 + c][i % 8], &at.result[c][i], 4);
    }
    return true;
}
