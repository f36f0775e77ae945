/* SPDX-License-Identifier: MIT */
#include "gl/context/gl_share.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gl/context/gl_context.h"

void gl_share_lock(struct gl_context *ctx)
{
    /* whoever waits for commands without the lock need not wait for this one */
    __atomic_store_n(&ctx->share_busy, false, __ATOMIC_RELEASE);
    pthread_mutex_lock(&ctx->shared->lock);
    __atomic_store_n(&ctx->share_busy, true, __ATOMIC_RELAXED);
    ctx->share_after |= GL_AFTER_UNLOCK;
}

void gl_share_drop_retired(struct gl_context *ctx)
{
    while (ctx->retired.count)
        drv_resource_reference(&ctx->retired.resource[--ctx->retired.count], NULL);
    ctx->share_after &= ~GL_AFTER_DROP;
}

void gl_share_finish(struct gl_context *ctx)
{
    if (ctx->share_after & GL_AFTER_DROP)
        gl_share_drop_retired(ctx);
    if (!(ctx->share_after & GL_AFTER_UNLOCK))
        return;
    ctx->share_after = 0;
    pthread_mutex_unlock(&ctx->shared->lock);
}

/* After it every thread of the process sees what this one wrote before, and this one what they did:
 * the fence that gl_share_enter spares itself. */
static void fence_all_threads(void)
{
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) ||
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
        usleep(1000); /* stores do not wait that long */
}

void gl_share_open(struct gl_context *ctx)
{
    enum {
        POLLS = 10000
    }; /* of 100 µs: a command that waits for this thread must not wait for ever */
    pthread_mutex_lock(&ctx->shared->lock);
    if (!ctx->share_many) {
        __atomic_store_n(&ctx->share_many, true, __ATOMIC_SEQ_CST);
        fence_all_threads();
        for (unsigned i = 0; i < POLLS && ctx != gl_current_context &&
                             __atomic_load_n(&ctx->share_busy, __ATOMIC_ACQUIRE);
             i++)
            usleep(100);
    }
    pthread_mutex_unlock(&ctx->shared->lock);
}

void gl_share_enter_group(struct gl_context *ctx)
{
    gl_share_open(ctx);
    pthread_mutex_lock(&ctx->shared->lock);
}

void gl_share_leave_group(struct gl_context *ctx)
{
    pthread_mutex_unlock(&ctx->shared->lock);
}
