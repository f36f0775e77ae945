/* SPDX-License-Identifier: MIT */
/* GPUs and contexts. */
#include <stdlib.h>
#include <string.h>

#include "model_command.h"
#include "model_geometry.h"
#include "model_pixel.h"
#include "model_strict.h"
#include "model_surface.h"
#include "model_trace.h"

#define MAX_COMMANDS     (UINT64_C(1) << 21) /* Of an execution. */
#define MAX_INSTRUCTIONS (UINT64_C(1) << 34) /* EU instructions of an execution. */

struct i965_model *i965_model_create(const struct i965_device *device)
{
    enum i965_generation generation;
    if (!i965_generation_by_target(device->name, &generation) || generation != I965_GENERATION_9)
        return NULL;
    struct i965_model *model = calloc(1, sizeof *model);
    if (!model)
        return NULL;
    model->device = device;
    model->generation = generation;
    i965_model_set_limits(model, MAX_COMMANDS, MAX_INSTRUCTIONS);
    return model;
}

void i965_model_destroy(struct i965_model *model)
{
    free(model);
}

void i965_model_set_strict(struct i965_model *model, bool strict)
{
    model->strict = strict;
}

void i965_model_set_trace(struct i965_model *model, FILE *out, int32_t x, int32_t y)
{
    model->trace = out;
    model->trace_pixel[0] = x;
    model->trace_pixel[1] = y;
}

void i965_model_set_limits(struct i965_model *model, uint64_t commands, uint64_t instructions)
{
    model->max_commands = commands;
    model->max_instructions = instructions;
}

struct i965_model_context *i965_model_context_create(struct i965_model *model)
{
    struct i965_model_context *context = calloc(1, sizeof *context);
    if (!context)
        return NULL;
    struct model_context *ctx = &context->base;
    ctx->model = model;
    ctx->device = model->device;
    ctx->generation = model->generation;
    pthread_mutex_init(&ctx->lock, NULL);
    if (model_registers_create(ctx) && model_programs_create(ctx) && model_clears_create(ctx) &&
        (!model->strict || model_strict_create(ctx)))
        return context;
    i965_model_context_destroy(context);
    return NULL;
}

void i965_model_context_destroy(struct i965_model_context *context)
{
    if (!context)
        return;
    model_strict_destroy(&context->base);
    model_pixel_destroy(&context->base);
    model_geometry_destroy(&context->base);
    model_programs_destroy(&context->base);
    model_registers_destroy(&context->base);
    model_clears_destroy(&context->base);
    pthread_mutex_destroy(&context->base.lock);
    free(context);
}

bool i965_model_execute(struct i965_model_context *context, const struct i965_model_memory *memory,
                        enum i965_ring ring, uint64_t batch_address, uint64_t batch_bytes,
                        char *error, size_t error_size)
{
    struct model_context *ctx = &context->base;
    char own_error[256]; /* An error loses the context even if nobody asks for its text. */

    pthread_mutex_lock(&ctx->lock);
    ctx->memory = memory;
    memset(ctx->mapping, 0, sizeof ctx->mapping);
    model_programs_trim(ctx);
    if (ctx->strict)
        model_strict_start(ctx);
    ctx->ring = ring;
    ctx->packet_address = batch_address;
    ctx->packet_name = "batch";
    ctx->commands_left = ctx->model->max_commands;
    ctx->idle_commands = ctx->idle_jumps = ctx->waits = 0;
    ctx->can_preempt = false;
    ctx->instructions_left = ctx->model->max_instructions;
    ctx->error = error_size ? error : own_error;
    ctx->error_size = error_size ? error_size : sizeof own_error;
    ctx->error[0] = '\0';
    if (ctx->lost)
        model_error(ctx, "context", "lost by an earlier batch");
    else
        ctx->lost = !model_run_batch(ctx, batch_address, batch_bytes) || ctx->error[0];
    if (model_traces(ctx) && ctx->error[0])
        fprintf(ctx->model->trace, "error: %s\n", ctx->error);
    bool done = !ctx->lost;
    ctx->memory = NULL;
    pthread_mutex_unlock(&ctx->lock);
    return done;
}
