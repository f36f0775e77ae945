/* SPDX-License-Identifier: MIT */
/* The pixel interpolator (Skylake PRM, volume 7, "Pixel Interpolator"): barycentrics on request. */
#include <string.h>

#include "sim_message.h"
#include "util/macros.h"

enum { AT_ONE_OFFSET = 0, AT_SAMPLE = 1, AT_CENTROID = 2, AT_OFFSETS = 3 };

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
        .at_centroid = type == AT_CENTROID,
        .sample = sim_bits(m->desc, 7, 4),
        .first = m->inst->eu.group,
        .channels = sim_bits(m->desc, 16, 16) ? 16 : 8,
    };

    for (unsigned i = 0; i < at.channels && type == AT_ONE_OFFSET; i++) {
        at.offset[0][i] = offset_of(sim_bits(m->desc, 3, 0));
        at.offset[1][i] = offset_of(sim_bits(m->desc, 7, 4));
    }
    for (unsigned i = 0; i < at.channels && type == AT_OFFSETS; i++) {
        for (unsigned c = 0; c < 2; c++)
            at.offset[c][i] = offset_of(sim_data(m, c * (at.channels / 8) + i / 8)[i % 8]);
    }
    if (!m->t->env->interpolate || !m->t->env->interpolate(m->t->env, &at))
        return sim_fault(m->t, m->inst, "field sfid: nothing to interpolate here");
    for (unsigned i = 0; i < at.channels; i++) { /* i, then j of each eight channels. */
        for (unsigned c = 0; c < 2 && i / 8 * 2 + c < m->response && m->mask >> i & 1; c++)
            memcpy(&m->answer[i / 8 * 2 + c][i % 8], &at.result[c][i], 4);
    }
    return true;
}
