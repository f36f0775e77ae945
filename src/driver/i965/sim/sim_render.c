/* SPDX-License-Identifier: MIT */
/*
 * The render cache (Skylake PRM, volume 7, "Render Target Write", "Render Target Read"). The
 * payload of a write has its parts in a fixed order; a read returns four values per channel.
 */
#include <string.h>

#include "sim_message.h"
#include "util/macros.h"

struct reader {
    const struct sim_message *m;
    unsigned at, channels;
};

/* Takes the next value of each channel from the payload. */
static void take(struct reader *r, uint32_t value[16])
{
    for (unsigned i = 0; i < r->channels; i += 8)
        memcpy(value + i, sim_data(r->m, r->at++), 32);
}

/* Sample masks are words: one register holds 16. */
static void take_sample_mask(struct reader *r, struct sim_render_write *w)
{
    const uint32_t *words = sim_data(r->m, r->at++);

    for (unsigned i = 0; i < r->channels; i++)
        w->sample_mask[i] = words[i / 2] >> i % 2 * 16 & 0xffff;
}

static void take_stencil(struct reader *r, struct sim_render_write *w)
{
    const uint32_t *words = sim_data(r->m, r->at++);

    for (unsigned i = 0; i < r->channels; i++)
        w->stencil[i] = words[i / 4] >> i % 4 * 8 & 0xff;
}

static void read_payload(const struct sim_message *m, struct sim_render_write *w, uint32_t parts)
{
    struct reader r = {.m = m, .channels = w->channels};

    w->has_alpha0 = parts & SIM_RENDER_ALPHA0;
    w->has_sample_mask = parts & SIM_RENDER_SAMPLE_MASK;
    w->has_depth = parts & SIM_RENDER_DEPTH;
    w->has_stencil = parts & SIM_RENDER_STENCIL;
    if (w->has_alpha0)
        take(&r, w->alpha0);
    if (w->has_sample_mask)
        take_sample_mask(&r, w);
    for (unsigned c = 0; c < 4; c++)
        take(&r, w->color[c]);
    for (unsigned c = 0; c < 4 && w->dual_source; c++)
        take(&r, w->color1[c]);
    if (w->has_depth)
        take(&r, w->depth);
    if (w->has_stencil)
        take_stencil(&r, w);
}

/* One color for all channels, in the first four dwords. */
static void read_replicated(const struct sim_message *m, struct sim_render_write *w)
{
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned i = 0; i < w->channels; i++)
            w->color[c][i] = sim_data(m, 0)[c];
    }
    w->has_alpha0 = w->has_sample_mask = w->has_depth = w->has_stencil = false;
}

static bool read_target(struct sim_message *m)
{
    /* 0: SIMD16; 1: SIMD8. */
    unsigned control = sim_bits(m->desc, 10, 8), regs = control ? 1 : 2;
    struct sim_render_read r = {
        .target = sim_bits(m->desc, 7, 0),
        .first = m->inst->eu.group,
        .channels = 8 * regs,
        .mask = m->mask & ((1u << 8 * regs) - 1),
    };

    if (control > 1 || !m->header || m->response != 4 * regs)
        return sim_fault(m->t, m->inst, "field desc: kind of render target read not supported");
    if (!m->t->env->render_read || !m->t->env->render_read(m->t->env, &r))
        return sim_fault(m->t, m->inst, "field desc: no such render target");
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned i = 0; i < r.channels; i++) {
            if (r.mask >> i & 1)
                m->answer[c * regs + i / 8][i % 8] = r.color[c][i];
        }
    }
    return true;
}

static bool write_target(struct sim_message *m)
{
    unsigned control = sim_bits(m->desc, 10, 8);
    struct sim_render_write w;

    if (control > 4)
        return sim_fault(m->t, m->inst, "field desc: kind of render target write not supported");
    w.target = sim_bits(m->desc, 7, 0);
    w.last = sim_bits(m->desc, 12, 12);
    w.index = 0;
    w.channels = control <= 1 ? 16 : 8;
    w.first = control == 3 ? 8 : m->inst->eu.group;
    w.dual_source = control == 2 || control == 3;
    w.mask = m->mask & ((1u << w.channels) - 1);
    if (m->header) {
        /* The header has two registers; the last dword of the second is the pixel mask. */
        w.mask &= m->payload[1][7] >> w.first % 16;
        w.index = m->payload[0][2] & 7;
        m->header = false;
        uint32_t parts = m->payload[0][0];
        memmove(m->payload, m->payload + 2, sizeof m->payload - 2 * sizeof m->payload[0]);
        if (control == 1)
            read_replicated(m, &w);
        else
            read_payload(m, &w, parts);
    } else if (control == 1) {
        read_replicated(m, &w);
    } else {
        read_payload(m, &w, m->t->env->render_parts);
    }
    if (!m->t->env->render_write || !m->t->env->render_write(m->t->env, &w))
        return sim_fault(m->t, m->inst, "field desc: no such render target");
    return true;
}

bool sim_message_render_cache(struct sim_message *m)
{
    enum { WRITE = 12, READ = 13 };

    switch (sim_bits(m->desc, 17, 14)) {
    case WRITE:
        return write_target(m);
    case READ:
        return read_target(m);
    default:
        return sim_fault(m->t, m->inst, "field desc: neither render target write nor read");
    }
}
