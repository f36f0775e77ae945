/* SPDX-License-Identifier: MIT */
/*
 * Compute threads: a group's threads run one after the other, each until its end or a barrier; when
 * all wait, they go on.
 */
#include <stdlib.h>
#include <string.h>

#include "i965_driver.h"
#include "util/log.h"
#include "util/macros.h"

struct group {
    const struct i965_runnable *run;
    const struct i965_prog_data *data;
    struct i965_env env;
    struct sim_thread *thread;
    bool *ended;
    uint8_t *scratch; /* of all threads */
    unsigned threads, invocations, width;
};

static bool allocate(struct group *g)
{
    const uint16_t *size = g->data->cs.local_size;

    g->width = g->run->kernel->width;
    g->invocations = MAX2((unsigned)size[0] * size[1] * size[2], 1);
    g->threads = DIV_ROUND_UP(g->invocations, g->width);
    g->thread = aligned_alloc(64, g->threads * ALIGN_POT(sizeof *g->thread, 64));
    g->ended = calloc(g->threads, sizeof *g->ended);
    g->scratch = calloc(g->threads, MAX2(g->data->scratch_size, 1));
    g->env.shared_size = g->data->cs.shared_size;
    g->env.shared = calloc(1, ALIGN_POT(MAX2(g->env.shared_size, 4), 16));
    return g->thread && g->ended && g->scratch && g->env.shared;
}

static void start_thread(struct group *g, unsigned i, const uint32_t id[3])
{
    struct sim_thread *t = &g->thread[i];
    unsigned channels = MIN2(g->invocations - i * g->width, g->width);
    uint32_t *r0;

    sim_thread_init(t, g->run->code, &g->env.base,
                    channels >= 32 ? UINT32_MAX : (1u << channels) - 1);
    r0 = sim_grf(t, 0);
    r0[1] = id[0];
    r0[6] = id[1];
    r0[7] = id[2];
    i965_push_constants(g->data, g->env.state, t, 1);
    if (1u + g->data->curb_read_length < 128)
        sim_grf(t, 1u + g->data->curb_read_length)[0] = i;
    g->ended[i] = false;
}

/* Runs every thread up to a barrier or its end; returns how many wait, or -1 after a fault. */
static int run_phase(struct group *g)
{
    int waiting = 0;

    for (unsigned i = 0; i < g->threads; i++) {
        if (g->ended[i])
            continue;
        g->env.base.scratch = g->scratch + (size_t)i * g->data->scratch_size;
        switch (sim_thread_run(&g->thread[i])) {
        case SIM_DONE:
            g->ended[i] = true;
            break;
        case SIM_BARRIER:
            waiting++;
            break;
        case SIM_FAULT:
            log_warning("i965: a compute thread stops: %s", g->thread[i].error);
            return -1;
        }
    }
    return waiting;
}

static bool run_group(struct group *g, const uint32_t id[3])
{
    int waiting;

    memset(g->env.shared, 0, g->env.shared_size);
    for (unsigned i = 0; i < g->threads; i++)
        start_thread(g, i, id);
    while ((waiting = run_phase(g)) > 0)
        ;
    return waiting == 0;
}

bool i965_grid_run(const struct i965_runnable *run, const struct cpu_stage_state *state,
                   struct i965_samplers *samplers, const uint32_t size[3])
{
    struct group g = {.run = run, .data = &run->program->data};
    bool ok = i965_env_init(&g.env, g.data, state, samplers);
    uint32_t id[3];

    free(g.env.base.scratch); /* a thread has its own */
    g.env.base.scratch = NULL;
    g.env.num_work_groups = size;
    ok = ok && allocate(&g);
    for (id[2] = 0; id[2] < size[2] && ok; id[2]++) {
        for (id[1] = 0; id[1] < size[1] && ok; id[1]++) {
            for (id[0] = 0; id[0] < size[0] && ok; id[0]++)
                ok = run_group(&g, id);
        }
    }
    free(g.thread);
    free(g.ended);
    free(g.scratch);
    free(g.env.shared);
    return ok;
}
