/* SPDX-License-Identifier: MIT */
/* The scenes of a context: one is recorded while the previous one runs. Waits for scenes that use a
 * storage, and replaces storages so that no thread has to wait. */
#include "driver/cpu/context/cpu_context.h"

#include <inttypes.h>
#include <stdio.h>

#include "driver/cpu/resource/cpu_resource.h"
#include "util/check.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/options.h"
#include "util/refcount.h"

void cpu_context_init_task(const struct cpu_context *ctx, struct cpu_task *task,
                           enum shader_stage stage, struct watchdog_stop *stop)
{
    *task = (struct cpu_task){
        .watchdog = {.stop = stop, .commands = ctx->base.limits_commands},
        .command = ctx->base.command.name,
        .program = ctx->base.command.program[stage],
        .stage = stage,
        .first = ctx->commands,
        .last = ctx->commands,
    };
}

/* Writes what was stopped, for example "glDrawArrays (command 7 of the context, program 3)". */
static int describe_task(char *text, size_t size, const struct cpu_task *task)
{
    char number[64];
    if (task->first == task->last)
        snprintf(number, sizeof number, "command %" PRIu64, task->last);
    else
        snprintf(number, sizeof number, "commands %" PRIu64 " to %" PRIu64, task->first,
                 task->last);
    const char *name = task->command ? task->command : "a draw";
    return task->program ? snprintf(text, size, "%s (%s of the context, program %u)", name, number,
                                    task->program)
                         : snprintf(text, size, "%s (%s of the context)", name, number);
}

void cpu_context_report_stop(struct cpu_context *ctx, const struct watchdog_stop *stop)
{
    char *text = ctx->base.stop_message;
    const size_t size = sizeof ctx->base.stop_message;
    const struct cpu_task *task = (const struct cpu_task *)stop->task;
    ctx->base.stopped = true;
    if (!task) { /* the shader's runner has logged the reason */
        snprintf(text, size, "a draw or dispatch (a shader failed)");
        return;
    }
    const char *shader = task->stage == SHADER_FRAGMENT  ? "fragment shader"
                         : task->stage == SHADER_COMPUTE ? "compute shader"
                                                         : "shaders before rasterization";
    const int timeout = util_get_options()->timeout;
    const int n = describe_task(text, size, task);
    if (stop->flag == WATCHDOG_TOTAL)
        snprintf(text + n, size - n, ": stopped after %d s of CPU time (INDIUM_TIMEOUT)", timeout);
    else
        snprintf(text + n, size - n,
                 ": stopped because a call of its %s took %d s of CPU time (INDIUM_TIMEOUT)",
                 shader, timeout);
    log_warning("%s", text);
}

/* Invalidates derived state that points into the arenas of the recorded scene. */
static void new_scene(struct cpu_context *ctx)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        ctx->stage[s].state = NULL;
        memset(ctx->stage[s].texture, 0, sizeof ctx->stage[s].texture);
        ctx->stage[s].state_dirty = true;
    }
    ctx->handles.table = NULL;
    ctx->fs_state = NULL;
    ctx->draw = NULL;
    ctx->dirty |= CPU_DIRTY_FS_STATE | CPU_DIRTY_DRAW | CPU_DIRTY_FRONT;
}

static void put_idle(struct cpu_context *ctx, struct cpu_scene *scene)
{
    CHECK(!scene->fence && scene != ctx->recording);
    for (unsigned i = 0; i < ARRAY_SIZE(ctx->idle); i++) {
        if (!ctx->idle[i]) {
            ctx->idle[i] = scene;
            return;
        }
    }
    cpu_scene_destroy(scene);
}

/* Waits for a scene and keeps it for reuse; NULL does nothing. */
static void retire(struct cpu_context *ctx, struct cpu_scene *scene)
{
    if (!scene)
        return;
    thread_pool_wait(&scene->fence->group);
    if (watchdog_stopped(&scene->stop)) {
        cpu_context_report_stop(ctx, &scene->stop);
        ctx->draw_dropped |= scene->command == ctx->commands;
    }
    cpu_scene_finish(scene);
    put_idle(ctx, scene);
}

static void retire_running(struct cpu_context *ctx)
{
    retire(ctx, ctx->running);
    ctx->running = NULL;
}

static struct cpu_scene *begin_scene(struct cpu_context *ctx, const struct drv_framebuffer *fb)
{
    struct cpu_scene *scene = NULL;
    CHECK(!ctx->recording);
    for (unsigned i = 0; i < ARRAY_SIZE(ctx->idle) && !scene; i++) {
        scene = ctx->idle[i];
        ctx->idle[i] = NULL;
    }
    if (!scene)
        scene = cpu_scene_create(ctx->scene_memory);
    if (!scene)
        return NULL;
    if (!cpu_scene_begin(scene, fb)) {
        put_idle(ctx, scene);
        return NULL;
    }
    ctx->recording = scene;
    new_scene(ctx);
    return scene;
}

struct cpu_scene *cpu_context_scene(struct cpu_context *ctx)
{
    return ctx->recording ? ctx->recording : begin_scene(ctx, &ctx->fb);
}

struct cpu_scene *cpu_context_dispatch_scene(struct cpu_context *ctx)
{
    static const struct drv_framebuffer none;
    return begin_scene(ctx, &none);
}

/* Does as little as possible between the end of the previous scene and the start of this one,
 * because the workers are idle then. */
bool cpu_context_submit(struct cpu_context *ctx)
{
    struct cpu_scene *scene = ctx->recording, *before = ctx->running;
    if (!scene)
        return true;
    CHECK(scene->fence && scene != before);
    ctx->recording = NULL;
    ctx->rename_copy_bytes = ctx->self_submitted_bytes = 0;
    new_scene(ctx);
    cpu_fence_release(ctx->last_fence);
    ctx->last_fence = scene->fence;
    ref_take(&scene->fence->refcount);
    if (!cpu_scene_await_kernels(scene)) {
        ctx->fs = NULL; /* so that the next draw tries again */
        ctx->base.out_of_memory = true;
    }
    if (cpu_scene_lost(scene))
        ctx->base.out_of_memory = true;
    const bool gathered = cpu_scene_gather(scene);
    if (before)
        thread_pool_wait(&before->fence->group);
    ctx->running = scene;
    if (gathered)
        cpu_scene_submit(scene);
    else
        ctx->base.out_of_memory = true;
    retire(ctx, before);
    return gathered;
}

bool cpu_context_idle(struct cpu_context *ctx)
{
    if (ctx->running && thread_pool_done(&ctx->running->fence->group))
        retire_running(ctx);
    return !ctx->running;
}

void cpu_context_finish(struct cpu_context *ctx)
{
    cpu_context_submit(ctx);
    retire_running(ctx);
}

bool cpu_context_wait(struct cpu_context *ctx, const struct cpu_storage *storage, bool write,
                      bool dont_block)
{
    if (ctx->recording && cpu_scene_uses(ctx->recording, storage, !write)) {
        if (dont_block && ctx->running && !thread_pool_done(&ctx->running->fence->group))
            return false;
        cpu_context_submit(ctx);
        if (dont_block && !thread_pool_done(&ctx->running->fence->group))
            return false;
    }
    if (ctx->running && cpu_scene_uses(ctx->running, storage, !write)) {
        if (dont_block && !thread_pool_done(&ctx->running->fence->group))
            return false;
        retire_running(ctx);
    }
    return cpu_order_wait(storage, write, dont_block);
}

void cpu_context_sync(struct cpu_context *ctx, struct cpu_storage *storage, bool write)
{
    cpu_context_wait(ctx, storage, write, false);
    cpu_storage_resolve(storage, write);
}

bool cpu_context_read(struct cpu_context *ctx, const struct cpu_copy *copy)
{
    struct cpu_scene *scene = ctx->recording;
    if (!scene || !cpu_scene_read(scene, copy) || !cpu_context_submit(ctx))
        return false;
    retire_running(ctx);
    return true;
}

static bool has_constants(const struct cpu_stage *stage, const struct drv_resource *r)
{
    uint32_t bound = stage->bound_constants;
    while (bound)
        if (stage->constant[u_bit_scan(&bound)].buffer == r)
            return true;
    return false;
}

/* Returns whether the stage's state, except constant buffers, points into the resource. */
static bool has_pointers(const struct cpu_stage *stage, const struct drv_resource *r)
{
    const struct cpu_shader *shader = stage->shader->shader;
    uint64_t samplers = shader->samplers_used;
    uint32_t images = shader->images_used;
    while (samplers) {
        const struct cpu_sampler_view *v = stage->view[u_bit_scan64(&samplers)];
        if (v && v->view.texture == r)
            return true;
    }
    while (images)
        if (stage->image[u_bit_scan(&images)].resource == r)
            return true;
    for (unsigned i = 0; i < shader->num_storage; i++)
        if (stage->storage[i].buffer == r)
            return true;
    return false;
}

/* Invalidates derived state that points to the resource's old storage. Recorded commands keep using
 * it. */
static void forget_pointers(struct cpu_context *ctx, const struct cpu_resource *r)
{
    bool has_handle = ctx->handles.count && cpu_handles_refer_to(ctx, &r->base);
    if (has_handle) {
        ctx->handles.table = NULL;
        ctx->handles.synced = ctx->handles.unfenced_scene = 0;
    }
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        struct cpu_stage *stage = &ctx->stage[s];
        stage->constants_dirty |= has_constants(stage, &r->base);
        stage->state_dirty |= !stage->shader || has_pointers(stage, &r->base) ||
                              (has_handle && stage->shader->shader->uses_handles);
    }
}

void cpu_context_rename(struct cpu_context *ctx, struct cpu_resource *r)
{
    if (!__atomic_load_n(&r->storage->users, __ATOMIC_ACQUIRE))
        return;
    if (ctx->recording && cpu_scene_uses(ctx->recording, r->storage, true))
        cpu_context_submit(ctx); /* it renders to the old storage */
    if (cpu_resource_rename(r, false))
        forget_pointers(ctx, r);
    else
        cpu_context_wait(ctx, r->storage, true, false);
}

bool cpu_context_rename_copy(struct cpu_context *ctx, struct cpu_resource *r)
{
    struct cpu_storage *old = r->storage;
    if (!__atomic_load_n(&old->users, __ATOMIC_ACQUIRE))
        return true;
    if ((ctx->recording && cpu_scene_uses(ctx->recording, old, true)) ||
        (ctx->running && cpu_scene_uses(ctx->running, old, true)) ||
        !cpu_order_wait(old, false, true) || !cpu_resource_rename(r, true))
        return false;
    ctx->rename_copy_bytes += old->size;
    forget_pointers(ctx, r);
    return true;
}

bool cpu_context_init(struct cpu_context *ctx, struct cpu_screen *screen,
                      const struct drv_context_ops *ops)
{
    ctx->scene_memory = arena_pool_create();
    if (!ctx->scene_memory)
        return false;
    ctx->base = (struct drv_context){.ops = ops, .screen = &screen->base};
    ctx->screen = screen;
    ctx->dirty = CPU_DIRTY_ALL;
    ctx->front_task.watchdog.stop = &ctx->front_stop;
    ctx->sample_mask = ~0u;
    new_scene(ctx);
    return true;
}

void cpu_context_deinit(struct cpu_context *ctx)
{
    cpu_context_finish(ctx);
    cpu_state_finish(ctx);
    cpu_fence_release(ctx->last_fence);
    for (unsigned i = 0; i < ARRAY_SIZE(ctx->idle); i++)
        cpu_scene_destroy(ctx->idle[i]);
    arena_pool_destroy(ctx->scene_memory);
}

static void flush(struct drv_context *base, struct drv_fence **fence)
{
    struct cpu_context *ctx = cpu_context(base);
    cpu_context_submit(ctx);
    if (!fence)
        return;
    struct cpu_fence *f = ctx->last_fence;
    if (f)
        ref_take(&f->refcount);
    else
        f = cpu_fence_create(); /* nothing was ever recorded: already signaled */
    *fence = (struct drv_fence *)f;
}

static void memory_barrier(struct drv_context *base)
{
    struct cpu_context *ctx = cpu_context(base);
    if (ctx->recording)
        cpu_scene_fence(ctx->recording);
}

static void texture_barrier(struct drv_context *base)
{
    cpu_context_submit(cpu_context(base));
}

/* Reports a stopped scene once. */
static enum drv_reset_status reset_status(struct drv_context *base)
{
    struct cpu_context *ctx = cpu_context(base);
    cpu_context_idle(ctx);
    const bool stopped = base->stopped;
    base->stopped = false;
    return stopped ? DRV_GUILTY_RESET : DRV_NO_RESET;
}

void cpu_context_init_ops(struct drv_context_ops *ops)
{
    ops->flush = flush;
    ops->memory_barrier = memory_barrier;
    ops->texture_barrier = texture_barrier;
    ops->reset_status = reset_status;
}
