/* SPDX-License-Identifier: MIT */
#include "model_worker.h"

#include <string.h>

#include "model_trace.h"
#include "util/thread_pool.h"

unsigned model_worker_count(const struct model_context *ctx)
{
    return model_traces(ctx) || ctx->strict ? 1 : MIN2(thread_pool_size(), MODEL_MAX_WORKERS);
}

void model_worker_begin(struct model_worker *worker, const struct model_context *ctx)
{
    memcpy(&worker->ctx, ctx, sizeof *ctx);
    memset(&worker->ctx.counters, 0, sizeof worker->ctx.counters);
    worker->ctx.pixel = NULL;
    worker->ctx.error = worker->error;
    worker->ctx.error_size = sizeof worker->error;
    worker->error[0] = '\0';
    worker->left = ctx->instructions_left;
    worker->failed = false;
    worker->at = 0;
}

static void add_counters(struct model_counters *to, const struct model_counters *from)
{
    uint64_t *sum = (uint64_t *)(void *)to;
    const uint64_t *value = (const uint64_t *)(const void *)from;

    for (unsigned i = 0; i < sizeof *to / sizeof *sum; i++)
        sum[i] += value[i];
}

bool model_workers_end(struct model_context *ctx, struct model_worker *const *workers,
                       unsigned count)
{
    const struct model_worker *first = NULL;

    for (unsigned i = 0; i < count; i++) {
        const struct model_worker *w = workers[i];
        add_counters(&ctx->counters, &w->ctx.counters);
        if (w->failed && (!first || w->at < first->at))
            first = w;
    }
    for (unsigned i = 0; i < count && !first; i++) {
        if (!model_spend(ctx, workers[i]->left - workers[i]->ctx.instructions_left))
            return false;
    }
    if (first && !ctx->error[0]) {
        const size_t size = MIN2(ctx->error_size, sizeof first->error);
        memcpy(ctx->error, first->error, size);
        ctx->error[size - 1] = '\0';
    }
    return !first;
}
