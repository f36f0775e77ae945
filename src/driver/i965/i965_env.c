/* SPDX-License-Identifier: MIT */
/* Resources of threads of all stages: constant and storage buffers, textures, scratch memory. */
#include <stdlib.h>
#include <string.h>

#include "i965_driver.h"
#include "util/log.h"
#include "util/macros.h"

static struct i965_env *i965_env(struct sim_env *env)
{
    return (struct i965_env *)env;
}

static bool find_compute_surface(const struct i965_env *env, unsigned index,
                                 struct sim_surface *surface)
{
    if (!env->num_work_groups)
        return false;
    if (index == I965_BTI_SLM)
        *surface = (struct sim_surface){env->shared, env->shared_size, false};
    else if (index == env->data->binding_table.num_work_groups)
        *surface = (struct sim_surface){(uint8_t *)(uintptr_t)env->num_work_groups, 12, true};
    else
        return false;
    return true;
}

/* Finds a surface by its section of the binding table (i965_abi.h). */
static bool find_surface(struct sim_env *base, unsigned index, struct sim_surface *surface)
{
    const struct i965_env *env = i965_env(base);
    const struct i965_prog_data *d = env->data;
    const struct cpu_buffer *buffer;

    if (index >= d->binding_table.uniform_blocks && index < d->binding_table.storage_blocks) {
        index -= d->binding_table.uniform_blocks;
        if (index >= DRV_MAX_CONSTANT_BUFFERS)
            return false;
        buffer = &env->state->constant[index];
        surface->read_only = true;
    } else if (index >= d->binding_table.storage_blocks && index < d->binding_table.images) {
        index -= d->binding_table.storage_blocks;
        if (index >= DRV_MAX_STORAGE_BUFFERS)
            return false;
        buffer = &env->state->storage[index];
    } else if (d->constant_size && index == d->binding_table.constants) {
        *surface = (struct sim_surface){(uint8_t *)(uintptr_t)d->constants, d->constant_size, true};
        return true;
    } else {
        return find_compute_surface(env, index, surface);
    }
    surface->base = (uint8_t *)(uintptr_t)buffer->base;
    surface->size = buffer->size;
    return true;
}

/* Answers resinfo and sampleinfo for an image, or returns the size of a buffer in bytes. */
static bool surface_size(struct i965_env *env, struct sim_sample *s)
{
    const struct cpu_image *image = i965_env_image(env, s->surface);
    struct sim_surface surface = {0};

    if (s->type == SIM_RESINFO && image) {
        i965_image_size(image, s);
        return true;
    }
    if (s->type == SIM_SAMPLEINFO && image) {
        for (unsigned i = 0; i < s->channels; i++)
            s->result[0][i] = image->num_samples;
        return true;
    }
    if (s->type != SIM_RESINFO || !find_surface(&env->base, s->surface, &surface))
        return false;
    for (unsigned i = 0; i < s->channels; i++)
        s->result[0][i] = (uint32_t)MIN2(surface.size, UINT32_MAX);
    return true;
}

static bool sample(struct sim_env *base, struct sim_sample *s)
{
    struct i965_env *env = i965_env(base);
    unsigned first = env->data->binding_table.textures;

    if (s->surface < first || s->surface >= env->data->binding_table.uniform_blocks)
        return surface_size(env, s);
    return i965_samplers_run(env->samplers, env->state, s->surface - first, s);
}

bool i965_env_init(struct i965_env *env, const struct i965_prog_data *data,
                   const struct cpu_stage_state *state, struct i965_samplers *samplers)
{
    *env = (struct i965_env){
        .base = {.surface = find_surface, .sample = sample, .typed = i965_typed_access},
        .data = data,
        .state = state,
        .samplers = samplers,
    };
    env->base.stop = &state->stop->flag;
    if (!data->scratch_size)
        return true;
    env->base.scratch = calloc(1, data->scratch_size);
    env->base.scratch_size = data->scratch_size;
    return env->base.scratch;
}

void i965_env_finish(struct i965_env *env)
{
    free(env->base.scratch);
}

void i965_push_constants(const struct i965_prog_data *data, const struct cpu_stage_state *state,
                         struct sim_thread *t, unsigned first)
{
    for (unsigned i = 0; i < data->num_push_ranges; i++) {
        const struct i965_push_range *range = &data->push_ranges[i];
        if (range->buffer >= DRV_MAX_CONSTANT_BUFFERS || first + range->length > 128)
            return;
        const struct cpu_buffer *buffer = &state->constant[range->buffer];
        uint64_t start = range->start * 32ull, bytes = range->length * 32ull;
        uint64_t there = buffer->size > start ? MIN2(buffer->size - start, bytes) : 0;
        if (there)
            memcpy(t->grf + first * 32, buffer->base + start, there);
        first += range->length;
    }
}

/* Runs the thread until its end or a barrier. */
static enum sim_status advance_thread(struct i965_runnable *run, struct sim_thread *t,
                                      const char *stage)
{
    struct watchdog_stop *stop = i965_env(t->env)->state->stop;

    if (watchdog_stopped(stop))
        return SIM_FAULT;
    enum sim_status status = sim_thread_run(t);
    if (status == SIM_FAULT && !watchdog_stopped(stop)) {
        watchdog_stop(stop);
        if (!__atomic_exchange_n(&run->fault_logged, true, __ATOMIC_RELAXED))
            log_warning("i965: a %s thread stops: %s", stage, t->error);
    }
    return status;
}

bool i965_run_thread(struct i965_runnable *run, struct sim_thread *t, const char *stage)
{
    watchdog_progress();
    return advance_thread(run, t, stage) == SIM_DONE;
}

/* ------------------------------------------------------ threads that synchronize at
 * barriers --- */

bool i965_threads_init(struct i965_threads *t, struct i965_runnable *run, struct i965_env *env,
                       unsigned count)
{
    free(env->base.scratch);
    env->base.scratch = NULL;
    *t = (struct i965_threads){
        .run = run,
        .env = env,
        .count = count,
        .thread = aligned_alloc(64, count * ALIGN_POT(sizeof *t->thread, 64)),
        .ended = calloc(count, sizeof *t->ended),
        .scratch = calloc(count, MAX2(env->base.scratch_size, 1)),
    };
    return t->thread && t->ended && t->scratch;
}

void i965_threads_finish(struct i965_threads *t)
{
    free(t->thread);
    free(t->ended);
    free(t->scratch);
    t->env->base.scratch = NULL;
}

struct sim_thread *i965_threads_start(struct i965_threads *t, unsigned i, uint32_t channels)
{
    sim_thread_init(&t->thread[i], t->run->code, &t->env->base, channels);
    t->ended[i] = false;
    return &t->thread[i];
}

bool i965_threads_run(struct i965_threads *t, const char *stage)
{
    bool waiting;

    watchdog_progress();
    do {
        waiting = false;
        for (unsigned i = 0; i < t->count; i++) {
            if (t->ended[i])
                continue;
            t->env->base.scratch = t->scratch + i * t->env->base.scratch_size;
            enum sim_status status = advance_thread(t->run, &t->thread[i], stage);
            if (status == SIM_FAULT)
                return false;
            t->ended[i] = status == SIM_DONE;
            waiting |= status == SIM_BARRIER;
        }
    } while (waiting);
    return true;
}

/* ---------------------------------------------------------------------- vertex URB entries --- */

bool i965_vue_is_scalar(unsigned slot)
{
    return slot == VARYING_SLOT_LAYER || slot == VARYING_SLOT_VIEWPORT ||
           slot == VARYING_SLOT_PSIZ || slot == VARYING_SLOT_PRIMITIVE_ID;
}

unsigned i965_vue_dword(unsigned slot, unsigned place, unsigned component)
{
    switch (slot) {
    case VARYING_SLOT_LAYER:
        return 1;
    case VARYING_SLOT_VIEWPORT:
        return 2;
    case VARYING_SLOT_PSIZ:
        return 3;
    default:
        return place * 4 + component;
    }
}

void i965_write_vertex(const struct i965_vue_map *map, const uint8_t input_slot[64],
                       const float *in, uint32_t *entry)
{
    for (unsigned slot = 0; slot < 64; slot++) {
        int place = map->slot[slot];
        for (unsigned c = 0; place >= 0 && c < (i965_vue_is_scalar(slot) ? 1 : 4); c++) {
            float value = c == 3 ? 1.0f : 0.0f;
            if (input_slot[slot])
                value = in[((input_slot[slot] - 1) * 4 + c) * CPU_BATCH_VERTICES];
            memcpy(&entry[i965_vue_dword(slot, (unsigned)place, c)], &value, sizeof value);
        }
    }
}
