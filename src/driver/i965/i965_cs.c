/* SPDX-License-Identifier: MIT */
/* Compute threads: the threads of a group share its memory and synchronize at barriers. */
#include <stdlib.h>
#include <string.h>

#include "i965_driver.h"
#include "util/macros.h"

void *i965_cs_create(const struct cpu_external *external, struct cpu_screen *screen,
                     struct cpu_shader *shader, const struct cpu_cs_key *key,
                     struct cpu_cs_variant *variant)
{
    return i965_stage_create(sizeof(struct i965_stage), screen, shader, NULL, &key->units, 32);
}

void i965_cs_run(void *data, const struct cpu_cs_args *args)
{
    struct i965_stage *cs = data;

    /* As after an infinite loop: drop the rest of the dispatch and report a reset. */
    if (!i965_groups_run(&cs->run, args, &cs->samplers))
        watchdog_stop(args->state->stop);
}

/* ------------------------------------------------------------------------------- dispatch --- */

struct group {
    const struct cpu_cs_args *args;
    const struct i965_prog_data *data;
    struct i965_env env;
    struct i965_threads threads;
    unsigned invocations, width;
};

/* Returns false if out of memory; group_finish() must be called even then. */
static bool group_init(struct group *g, struct i965_runnable *run)
{
    const uint16_t *fixed = g->data->cs.local_size;
    const uint32_t *given = g->args->group_size;

    g->width = run->kernel->width;
    g->invocations = g->data->cs.variable_size ? given[0] * given[1] * given[2]
                                               : (unsigned)fixed[0] * fixed[1] * fixed[2];
    g->invocations = MAX2(g->invocations, 1);
    g->env.shared_size = g->data->cs.shared_size;
    g->env.shared = calloc(1, ALIGN_POT(MAX2(g->env.shared_size, 4), 16));
    return i965_threads_init(&g->threads, run, &g->env, DIV_ROUND_UP(g->invocations, g->width)) &&
           g->env.shared;
}

static void group_finish(struct group *g)
{
    i965_threads_finish(&g->threads);
    free(g->env.shared);
    i965_env_finish(&g->env);
}

static void start_thread(struct group *g, unsigned i, const uint32_t id[3])
{
    unsigned channels = MIN2(g->invocations - i * g->width, g->width);
    struct sim_thread *t = i965_threads_start(&g->threads, i, BITFIELD_MASK(channels));
    uint32_t *r0 = sim_grf(t, 0);

    r0[1] = id[0];
    r0[6] = id[1];
    r0[7] = id[2];
    i965_push_constants(g->data, g->env.state, t, 1);
    if (1u + g->data->curb_read_length < 128) {
        uint32_t *own = sim_grf(t, 1u + g->data->curb_read_length);
        own[0] = i;
        memcpy(own + 1, g->args->group_size, sizeof g->args->group_size);
    }
}

static bool run_group(struct group *g, const uint32_t id[3])
{
    memset(g->env.shared, 0, g->env.shared_size);
    for (unsigned i = 0; i < g->threads.count; i++)
        start_thread(g, i, id);
    return i965_threads_run(&g->threads, "compute");
}

bool i965_groups_run(struct i965_runnable *run, const struct cpu_cs_args *args,
                     struct i965_samplers *samplers)
{
    struct group g = {.args = args, .data = &run->program->data};
    bool ok = i965_env_init(&g.env, g.data, args->state, samplers);
    uint32_t id[3] = {args->group[0], args->group[1], args->group[2]};

    g.env.num_work_groups = args->num_groups;
    ok = group_init(&g, run) && ok;
    for (uint32_t i = 0; i < args->count && ok; i++, id[0]++)
        ok = run_group(&g, id);
    group_finish(&g);
    return ok;
}
