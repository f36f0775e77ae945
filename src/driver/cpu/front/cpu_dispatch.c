/* SPDX-License-Identifier: MIT */
/*
 * Compute dispatches. Each dispatch is a scene without a framebuffer. It starts when the previous
 * scene has finished, and the application continues while it runs. The scene lists the memory that
 * the dispatch reads and writes, so that maps, copies and draws of the same memory wait for it.
 *
 * One job runs a workgroup from start to end, so shared memory and values that live across barriers
 * are private memory of a thread. Jobs take chunks of workgroups from an atomic counter. Once the
 * watchdog has stopped the scene, jobs start no more workgroups.
 */
#include "driver/cpu/context/cpu_context.h"
#include "driver/cpu/front/cpu_front_ops.h"
#include "driver/cpu/kernel/cpu_external.h"
#include "driver/cpu/resource/cpu_resource.h"
#include "jit/jit.h"
#include "util/macros.h"
#include "util/os_memory.h"
#include "util/thread_pool.h"

#define MIN_CHUNKS_PER_JOB 8 /* minimum number of chunks per job, for an even finish */
#define MAX_CHUNK          1024
#define MAX_MEMORY         ((size_t)1 << 30) /* maximum bytes for all concurrent groups */

struct cpu_dispatch {
    const struct cpu_cs_variant *cs;
    const struct cpu_stage_state *state;
    struct cpu_task task;
    uint32_t grid[3], block[3];
    uint64_t next;   /* atomic: index of the first group that no job has taken, x fastest */
    uint32_t chunk;  /* groups that a job takes at a time */
    unsigned jobs;   /* number of jobs submitted */
    uint8_t *memory; /* memory_stride bytes per job: shared memory, then barrier spill frames */
    size_t memory_stride, frames_offset;
};

static uint64_t count_groups(const struct cpu_dispatch *d)
{
    return (uint64_t)d->grid[0] * d->grid[1] * d->grid[2];
}

static void run_groups(const struct cpu_dispatch *d, struct cpu_cs_args *args, uint8_t *shared,
                       uint64_t first, uint64_t end)
{
    const void *const arguments[] = {args, watchdog_progress()};
    while (first < end && !watchdog_stopped(d->task.watchdog.stop)) {
        uint64_t row = first / d->grid[0];
        args->group[0] = (uint32_t)(first % d->grid[0]);
        args->group[1] = (uint32_t)(row % d->grid[1]);
        args->group[2] = (uint32_t)(row / d->grid[1]);
        args->count = (uint32_t)MIN2(end - first, d->grid[0] - args->group[0]);
        if (d->cs->shared_bytes) { /* shared memory is 0 at the start of each group */
            args->count = 1;
            memset(shared, 0, d->cs->shared_bytes);
        }
        if (d->cs->clear_frames) {
            args->count = 1;
            os_memory_zero(args->frames, d->memory_stride - d->frames_offset);
        }
        if (d->cs->kernel)
            jit_run(jit_kernel_function(d->cs->kernel), arguments);
        else
            d->cs->runner->cs_run(d->cs->external, args);
        first += args->count;
        watchdog_progress();
    }
}

/* Runs one job of the dispatch, on any thread. */
static void run_job(void *data, unsigned job)
{
    struct cpu_dispatch *d = data;
    uint64_t total = count_groups(d), first;
    uint8_t *memory = d->memory + job * d->memory_stride;
    struct cpu_cs_args args = {
        .state = d->state, .shared = memory, .frames = memory + d->frames_offset};

    /* Contents are undefined to the shader, but must not leak another context's data. */
    os_memory_zero(memory, d->memory_stride);
    memcpy(args.num_groups, d->grid, sizeof args.num_groups);
    memcpy(args.group_size, d->block, sizeof args.group_size);
    struct watchdog_task *outer = watchdog_enter(&d->task.watchdog);
    while (!watchdog_stopped(d->task.watchdog.stop) &&
           (first = __atomic_fetch_add(&d->next, d->chunk, __ATOMIC_RELAXED)) < total)
        run_groups(d, &args, memory, first, MIN2(first + d->chunk, total));
    watchdog_leave(outer);
}

/* --- recording --- */

/* Reads the workgroup counts, for indirect dispatches from the buffer. Returns false if there is
 * nothing to run: a count is zero or above the limit. */
static bool read_grid(struct cpu_context *ctx, const struct drv_grid_info *info, uint32_t grid[3])
{
    memcpy(grid, info->grid, 3 * sizeof *grid);
    if (info->indirect) {
        struct cpu_storage *s = cpu_resource(info->indirect)->storage;
        cpu_context_sync(ctx, s, false);
        memcpy(grid, s->data + info->indirect_offset, 3 * sizeof *grid);
    }
    for (unsigned i = 0; i < 3; i++)
        if (!grid[i] || grid[i] > CPU_MAX_GROUPS)
            return false;
    return true;
}

/* Chooses the number of jobs and the chunk size, and allocates the jobs' memory. Returns false if
 * out of memory. */
static bool plan(struct cpu_dispatch *d, struct cpu_segment *segment)
{
    uint64_t total = count_groups(d), most = thread_pool_size();
    uint64_t invocations = (uint64_t)d->block[0] * d->block[1] * d->block[2];
    uint64_t vectors = d->cs->lanes ? DIV_ROUND_UP(invocations, d->cs->lanes) : 0;

    d->chunk = (uint32_t)CLAMP(total / (most * MIN_CHUNKS_PER_JOB), 1, MAX_CHUNK);
    d->jobs = (unsigned)MIN2(most, DIV_ROUND_UP(total, d->chunk));
    d->frames_offset = ALIGN_POT(d->cs->shared_bytes, 64);
    d->memory_stride = MAX2(d->frames_offset + vectors * d->cs->frame_bytes, 64);
    if (d->memory_stride > MAX_MEMORY / d->jobs)
        return false;
    d->memory = arena_alloc_aligned(segment->arena, d->jobs * d->memory_stride, 64);
    return d->memory;
}

static bool record(struct cpu_context *ctx, const struct drv_grid_info *info,
                   const uint32_t grid[3])
{
    struct cpu_scene *scene = cpu_context_dispatch_scene(ctx);
    struct cpu_segment *segment = scene ? cpu_scene_segment(scene) : NULL;
    struct cpu_dispatch *d = segment ? arena_zalloc(segment->arena, sizeof *d) : NULL;
    if (!d || !(d->cs = cpu_validate_compute(ctx, scene, segment)))
        return false;
    d->state = ctx->stage[SHADER_COMPUTE].state;
    cpu_context_init_task(ctx, &d->task, SHADER_COMPUTE, &scene->stop);
    scene->command = ctx->commands;
    memcpy(d->grid, grid, sizeof d->grid);
    memcpy(d->block, info->block, sizeof d->block);
    if (!plan(d, segment))
        return false;
    scene->work.data = d;
    scene->work.count = d->jobs;
    scene->work.run = run_job;
    return true;
}

static bool run_grid(struct cpu_context *ctx, const struct drv_grid_info *info,
                     const uint32_t grid[3])
{
    cpu_context_submit(ctx);
    bool recorded = record(ctx, info, grid);
    if (!recorded) {
        ctx->base.out_of_memory = true;
    }
    cpu_context_submit(ctx);
    return recorded;
}

static void launch_grid(struct drv_context *base, const struct drv_grid_info *info)
{
    struct cpu_context *ctx = cpu_context(base);
    const struct cpu_shader_object *shader = ctx->stage[SHADER_COMPUTE].shader;
    uint32_t grid[3];
    ctx->commands++;
    if (!shader || !cpu_context_condition(ctx) || !read_grid(ctx, info, grid))
        return;
    /* A dispatch that writes no memory has no visible effect, so it is skipped. */
    if (shader->shader->writes_memory && !run_grid(ctx, info, grid))
        return;
    if (ctx->statistics_running)
        ctx->statistics[info->statistic ? info->statistic : DRV_STAT_CS_INVOCATIONS] +=
            (uint64_t)info->block[0] * info->block[1] * info->block[2] * grid[0] * grid[1] *
            grid[2];
}

void cpu_dispatch_init(struct drv_context_ops *ops)
{
    ops->launch_grid = launch_grid;
}
