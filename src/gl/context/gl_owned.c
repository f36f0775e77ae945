/* SPDX-License-Identifier: MIT */
#include "gl/context/gl_owned.h"

#include <stdlib.h>

#include "gl/context/gl_context.h"

static void delete_object(struct gl_context *ctx, const struct gl_owned *o)
{
    if (!o->object)
        return;
    if (o->is_shader)
        ctx->drv->ops->delete_shader(ctx->drv, o->stage, o->object);
    else
        ctx->drv->ops->delete_sampler_view(ctx->drv, o->object);
}

void gl_owned_init(struct gl_context *ctx)
{
    list_init(&ctx->program.owned.live);
    list_init(&ctx->program.owned.dead);
}

void gl_owned_delete_released(struct gl_context *ctx)
{
    if (likely(list_is_empty(&ctx->program.owned.dead)))
        return;
    pthread_mutex_lock(&ctx->shared->mutex);
    list_for_each_entry_safe (struct gl_owned, o, &ctx->program.owned.dead, node) {
        list_del(&o->node);
        delete_object(ctx, o);
        free(o);
    }
    pthread_mutex_unlock(&ctx->shared->mutex);
}

void gl_owned_finish(struct gl_context *ctx)
{
    if (!ctx->program.owned.live.next)
        return;
    gl_owned_delete_released(ctx);
    pthread_mutex_lock(&ctx->shared->mutex);
    list_for_each_entry_safe (struct gl_owned, o, &ctx->program.owned.live, node) {
        list_del(&o->node);
        delete_object(ctx, o);
        o->object = NULL;
        o->ctx = NULL;
    }
    pthread_mutex_unlock(&ctx->shared->mutex);
}

void gl_owned_add(struct gl_context *ctx, struct gl_owned *owned)
{
    owned->ctx = ctx;
    pthread_mutex_lock(&ctx->shared->mutex);
    list_addtail(&owned->node, &ctx->program.owned.live);
    pthread_mutex_unlock(&ctx->shared->mutex);
}

void gl_owned_release(struct gl_context *current, struct gl_owned *owned)
{
    if (!owned->ctx)
        return;
    pthread_mutex_t *mutex = &current->shared->mutex;
    pthread_mutex_lock(mutex);
    struct gl_context *owner = owned->ctx;
    if (owner) {
        list_del(&owned->node);
        owned->ctx = NULL;
        if (owner == current) {
            delete_object(owner, owned);
        } else {
            struct gl_owned *copy = malloc(sizeof *copy);
            if (copy) {
                *copy = *owned;
                list_addtail(&copy->node, &owner->program.owned.dead);
            }
        }
        owned->object = NULL;
    }
    pthread_mutex_unlock(mutex);
}
