/* SPDX-License-Identifier: MIT */
/* Creation and destruction of contexts. Each submodule sets its entries of the function table. */
#include <stdlib.h>

#include "driver/cpu/context/cpu_context.h"
#include "driver/cpu/front/cpu_batch.h"
#include "driver/cpu/front/cpu_front_ops.h"
#include "driver/cpu/screen/cpu_screen_create.h"
#include "driver/cpu/transfer/cpu_transfer.h"

/* A context and its function table, allocated together. */
struct context_and_ops {
    struct cpu_context ctx;
    struct drv_context_ops ops;
};

static void destroy(struct drv_context *base)
{
    struct cpu_context *ctx = cpu_context(base);
    cpu_context_deinit(ctx);
    cpu_assembly_destroy(ctx->assembly);
    free(ctx->indices);
    free(ctx->staging);
    free(ctx->idle_transfer);
    free(ctx);
}

static void init_ops(struct drv_context_ops *ops)
{
    ops->destroy = destroy;
    cpu_context_init_ops(ops);
    cpu_state_init(ops);
    cpu_query_init(ops);
    cpu_handle_init(ops);
    cpu_transfer_init_ops(ops);
    cpu_draw_init(ops);
    cpu_dispatch_init(ops);
    cpu_clear_init(ops);
    cpu_stream_output_init(ops);
}

struct drv_context *cpu_context_create(struct drv_screen *screen)
{
    struct context_and_ops *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    init_ops(&c->ops);
    if (!cpu_context_init(&c->ctx, cpu_screen(screen), &c->ops)) {
        free(c);
        return NULL;
    }
    return &c->ctx.base;
}
