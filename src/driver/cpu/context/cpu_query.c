/* SPDX-License-Identifier: MIT */
/*
 * Queries. Tiles add to the counters of occlusion queries and of fragment shader invocations; the
 * sum does not depend on their order. A result is available when the fence of the last scene that
 * counted is signaled. The front end counts other statistics while a query of one is active. It
 * then skips no work, even if no pixel depends on it, so that the statistics describe the whole
 * pipeline.
 */
#include <stdlib.h>
#include <time.h>

#include "driver/cpu/context/cpu_context.h"
#include "util/check.h"
#include "util/refcount.h"

uint64_t cpu_timestamp(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + t.tv_nsec;
}

struct cpu_query {
    enum drv_query_type type;
    unsigned index;         /* vertex stream, or enum drv_statistic */
    uint64_t counter;       /* atomic: counter of the tiles */
    uint64_t start, result; /* for types of queries that tiles do not count */
    bool running;
    struct cpu_fence *fence; /* fence of the last scene that counts for it; NULL: none */
};

static bool counts_invocations(const struct cpu_query *q)
{
    return q->type == DRV_QUERY_STATISTIC && q->index == DRV_STAT_FS_INVOCATIONS;
}

struct cpu_counter cpu_query_counter(struct cpu_query *query)
{
    return (struct cpu_counter){&query->counter, counts_invocations(query)};
}

static bool tiles_count(const struct cpu_query *q)
{
    return q->type == DRV_QUERY_OCCLUSION_COUNTER || q->type == DRV_QUERY_OCCLUSION_PREDICATE ||
           counts_invocations(q);
}

static struct drv_query *create_query(struct drv_context *base, enum drv_query_type type,
                                      unsigned index)
{
    struct cpu_query *q = calloc(1, sizeof *q);
    if (q) {
        q->type = type;
        q->index = index;
    }
    return (struct drv_query *)q;
}

static void stop_counting(struct cpu_context *ctx, struct cpu_query *q)
{
    for (unsigned i = 0; i < ctx->num_counting; i++) {
        if (ctx->counting[i] == q) {
            ctx->counting[i] = ctx->counting[--ctx->num_counting];
            ctx->dirty |= CPU_DIRTY_FS_KEY | CPU_DIRTY_DRAW;
            return;
        }
    }
}

/* Computes the final result. Returns false if it is not available and `wait` is not set. */
static bool ready(struct cpu_context *ctx, struct cpu_query *q, bool wait)
{
    if (!q->fence)
        return true;
    if (ctx->recording && ctx->recording->fence == q->fence)
        cpu_context_submit(ctx);
    if (wait)
        thread_pool_wait(&q->fence->group);
    return thread_pool_done(&q->fence->group);
}

static void destroy_query(struct drv_context *base, struct drv_query *query)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_query *q = (struct cpu_query *)query;
    if (!q)
        return;
    stop_counting(ctx, q);
    if (q->running && q->type == DRV_QUERY_STATISTIC)
        ctx->statistics_running--;
    if (q->running && !tiles_count(q))
        ctx->num_measuring--;
    if (ctx->condition == q)
        ctx->condition = NULL;
    if (tiles_count(q) && (q->running || !ready(ctx, q, false)))
        cpu_context_finish(ctx); /* tiles may still add to the counter */
    cpu_fence_release(q->fence);
    free(q);
}

/* Makes the query wait for the recorded scene, or for the last one if none is recorded. */
static void set_fence(struct cpu_context *ctx, struct cpu_query *q)
{
    struct cpu_fence *f = ctx->recording ? ctx->recording->fence : ctx->last_fence;
    if (f)
        ref_take(&f->refcount);
    cpu_fence_release(q->fence);
    q->fence = f;
}

static uint64_t current_value(struct cpu_context *ctx, const struct cpu_query *q)
{
    switch (q->type) {
    case DRV_QUERY_TIME_ELAPSED:
        cpu_context_finish(ctx);
        return cpu_timestamp();
    case DRV_QUERY_PRIMITIVES_GENERATED:
        return ctx->primitives_generated[q->index];
    case DRV_QUERY_PRIMITIVES_EMITTED:
        return ctx->primitives_emitted[q->index];
    case DRV_QUERY_SO_OVERFLOW:
        return ctx->so_overflows[q->index];
    case DRV_QUERY_SO_OVERFLOW_ANY: {
        uint64_t sum = 0;
        for (unsigned i = 0; i < DRV_MAX_VERTEX_STREAMS; i++)
            sum += ctx->so_overflows[i];
        return sum;
    }
    case DRV_QUERY_STATISTIC:
        return ctx->statistics[q->index];
    default:
        return 0;
    }
}

static bool begin_query(struct drv_context *base, struct drv_query *query)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_query *q = (struct cpu_query *)query;
    if (tiles_count(q)) {
        if (q->fence) {
            cpu_context_finish(ctx); /* the counter is reused */
            cpu_fence_release(q->fence);
            q->fence = NULL;
        }
        stop_counting(ctx, q);
        if (ctx->num_counting == CPU_MAX_COUNTERS)
            return false;
        q->counter = 0;
        NEXT_OF(ctx->counting, ctx->num_counting) = q;
        ctx->dirty |= CPU_DIRTY_FS_KEY | CPU_DIRTY_DRAW;
    } else {
        q->start = current_value(ctx, q);
        ctx->num_measuring++;
    }
    ctx->statistics_running += q->type == DRV_QUERY_STATISTIC;
    q->running = true;
    return true;
}

static void end_query(struct drv_context *base, struct drv_query *query)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_query *q = (struct cpu_query *)query;
    if (tiles_count(q)) {
        stop_counting(ctx, q);
        set_fence(ctx, q);
    } else if (q->type == DRV_QUERY_TIMESTAMP) {
        cpu_context_finish(ctx);
        q->result = cpu_timestamp();
    } else {
        q->result = current_value(ctx, q) - q->start;
        ctx->num_measuring -= q->running;
    }
    ctx->statistics_running -= q->type == DRV_QUERY_STATISTIC;
    q->running = false;
}

static bool get_query_result(struct drv_context *base, struct drv_query *query, bool wait,
                             union drv_query_result *result)
{
    struct cpu_query *q = (struct cpu_query *)query;
    if (!ready(cpu_context(base), q, wait))
        return false;
    memset(result, 0, sizeof *result);
    if (!tiles_count(q)) {
        result->u64 = q->result;
        if (q->type == DRV_QUERY_SO_OVERFLOW || q->type == DRV_QUERY_SO_OVERFLOW_ANY)
            result->b = q->result != 0;
        return true;
    }
    uint64_t samples = __atomic_load_n(&q->counter, __ATOMIC_ACQUIRE);
    if (q->type == DRV_QUERY_OCCLUSION_PREDICATE)
        result->b = samples != 0;
    else
        result->u64 = samples;
    return true;
}

static void render_condition(struct drv_context *base, struct drv_query *query, bool condition,
                             bool wait)
{
    struct cpu_context *ctx = cpu_context(base);
    ctx->condition = (struct cpu_query *)query;
    ctx->condition_inverted = condition;
}

bool cpu_context_condition(struct cpu_context *ctx)
{
    struct cpu_query *q = ctx->condition;
    if (!q)
        return true;
    /* Always waits, although GL 4.6 §10.9 allows to execute the command if the result is not
     * available: that would make the picture depend on the machine's load. */
    (void)ready(ctx, q, true);
    uint64_t value = tiles_count(q) ? __atomic_load_n(&q->counter, __ATOMIC_ACQUIRE) : q->result;
    return (value != 0) != ctx->condition_inverted;
}

static bool condition_passes(struct drv_context *base)
{
    return cpu_context_condition(cpu_context(base));
}

void cpu_query_init(struct drv_context_ops *ops)
{
    ops->create_query = create_query;
    ops->destroy_query = destroy_query;
    ops->begin_query = begin_query;
    ops->end_query = end_query;
    ops->get_query_result = get_query_result;
    ops->render_condition = render_condition;
    ops->condition_passes = condition_passes;
}
