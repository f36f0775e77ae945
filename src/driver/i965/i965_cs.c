/* SPDX-License-Identifier: MIT */
/*
 * Compute threads: a group's threads run one after the other, each until its end or a barrier; when
 * all wait, they go on.
 */
#include <stdlib.h>
#include <string.h>

#include "i965_driver.h"
#include "util/macros.h"

struct i965_cs {
    struct i965_stage stage; /* first */
    struct cpu_cs_key key;
};

void *i965_cs_create(const struct cpu_external *external, struct cpu_screen *screen,
                     struct cpu_shader *shader, const struct cpu_cs_key *key,
                     struct cpu_cs_variant *variant)
{
    const struct i965_key no_key = {0};
    struct i965_cs *cs = i965_stage_create(sizeof *cs, shader, &no_key, 32);

    if (!cs)
        return NULL;
    cs->key = *key;
    i965_samplers_init(&cs->stage.samplers, screen->jit, shader->nir, cs->key.sampler,
                       cs->key.num_samplers, false);
    return cs;
}

void i965_cs_run(void *data, const struct cpu_cs_args *args)
{
    struct i965_cs *cs = data;

    /* as after a loop without an end: the rest of the dispatch is left out, a reset is reported */
    if (!i965_groups_run(&cs->stage.run, args, &cs->stage.samplers))
        __atomic_store_n(args->state->overrun, 1, __ATOMIC_RELAXED);
}

/* ------------------------------------------------------------------------------- dispatch --- */

struct group {
    struct i965_runnable *run;
    const struct cpu_cs_args *args;
    const struct i965_prog_data *data;
    struct i965_env env;
    struct sim_thread *thread;
    bool *ended;
    uint8_t *scratch; /* of all threads */
    unsigned threads, invocations, width;
};

static bool allocate(struct group *g)
{
    const uint16_t *fixed = g->data->cs.local_size;
    const uint32_t *given = g->args->group_size;

    g->width = g->run->kernel->width;
    g->invocations = g->data->cs.variable_size ? given[0] * given[1] * given[2]
                                               : (unsigned)fixed[0] * fixed[1] * fixed[2];
    g->invocations = MAX2(g->invocations, 1);
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
    if (1u + g->data->curb_read_length < 128) {
        uint32_t *own = sim_grf(t, 1u + g->data->curb_read_length);
        own[0] = i;
        memcpy(own + 1, g->args->group_size, sizeof g->args->group_size);
    }
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
        switch (i965_advance_thread(g->run, &g->thread[i], "compute")) {
        case SIM_DONE:
            g->ended[i] = true;
            break;
        case SIM_BARRIER:
            waiting++;
            break;
        case SIM_FAULT:
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

bool i965_groups_run(struct i965_runnable *run, const struct cpu_cs_args *args,
                     struct i965_samplers *samplers)
{
    struct group g = {.run = run, .args = args, .data = &run->program->data};
    bool ok = i965_env_init(&g.env, g.data, args->state, samplers);
    uint32_t id[3] = {args->group[0], args->group[1], args->group[2]};

    free(g.env.base.scratch); /* a thread has its own */
    g.env.base.scratch = NULL;
    g.env.num_work_groups = args->num_groups;
    ok = ok && allocate(&g);
    for (uint32_t i = 0; i < args->count && ok; i++, id[0]++)
        ok = run_group(&g, id);
    free(g.thread);
    free(g.ended);
    free(g.scratch);
    free(g.env.shared);
    return ok;
}
