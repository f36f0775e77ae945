/* SPDX-License-Identifier: MIT */
#include "gl/context/gl_share.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gl/context/gl_context.h"

/* Waits for what the API library has set. A context that is being freed, and so isn't current,
 * doesn't wait. */
static void run_delay(struct gl_context *ctx)
{
    void (*wait)(void *data) = ctx->delay;
    if (ctx != gl_current_context)
        return;
    ctx->delay = NULL;
    wait(ctx->delay_data);
}

void gl_share_lock(struct gl_context *ctx)
{
    /* Threads in gl_share_require_lock must not wait for this command, because it takes the
     * lock. */
    __atomic_store_n(&ctx->command_running, false, __ATOMIC_RELEASE);
    if (unlikely(ctx->delay))
        run_delay(ctx);
    pthread_mutex_lock(&ctx->shared->lock);
    __atomic_store_n(&ctx->command_running, true, __ATOMIC_RELAXED);
    ctx->after_command |= GL_AFTER_UNLOCK;
}

void gl_share_release_retired(struct gl_context *ctx)
{
    while (ctx->retired.count)
        drv_resource_reference(&ctx->retired.resource[--ctx->retired.count], NULL);
    ctx->after_command &= ~GL_AFTER_RELEASE_RETIRED;
}

void gl_share_pause(struct gl_context *ctx)
{
    if (ctx->after_command & GL_AFTER_RELEASE_RETIRED)
        gl_share_release_retired(ctx);
    if (ctx->after_command & GL_AFTER_UNLOCK) {
        ctx->after_command &= ~GL_AFTER_UNLOCK;
        pthread_mutex_unlock(&ctx->shared->lock);
    }
    __atomic_store_n(&ctx->command_running, false, __ATOMIC_RELEASE);
}

void gl_share_resume(struct gl_context *ctx)
{
    gl_share_enter(ctx);
}

void gl_share_finish(struct gl_context *ctx)
{
    bool messages = ctx->after_command & GL_AFTER_MESSAGES;
    ctx->after_command &= ~GL_AFTER_MESSAGES;
    gl_share_pause(ctx);
    if (messages)
        gl_debug_send_queue(ctx);
}

/* Memory barrier on all threads of the process. It replaces the barrier that gl_share_enter
 * omits. */
static void fence_all_threads(void)
{
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) ||
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
        usleep(1000); /* long enough for pending stores to become visible */
}

void gl_share_require_lock(struct gl_context *ctx)
{
    /* Maximum number of waits of 100 µs. The wait is bounded because the command may itself wait
     * for this thread. */
    enum { POLLS = 10000 };
    pthread_mutex_lock(&ctx->shared->lock);
    if (!ctx->share_multiple) {
        __atomic_store_n(&ctx->share_multiple, true, __ATOMIC_SEQ_CST);
        fence_all_threads();
        for (unsigned i = 0; i < POLLS && ctx != gl_current_context &&
                             __atomic_load_n(&ctx->command_running, __ATOMIC_ACQUIRE);
             i++)
            usleep(100);
    }
    pthread_mutex_unlock(&ctx->shared->lock);
}

/* Only commands that take the lock test for a delay, so that the others needn't. */
void gl_share_delay(struct gl_context *ctx, void (*wait)(void *data), void *data)
{
    if (!__atomic_load_n(&ctx->share_multiple, __ATOMIC_RELAXED))
        gl_share_require_lock(ctx);
    ctx->delay = wait;
    ctx->delay_data = data;
}

void gl_share_enter_group(struct gl_context *ctx)
{
    gl_share_require_lock(ctx);
    pthread_mutex_lock(&ctx->shared->lock);
}

void gl_share_leave_group(struct gl_context *ctx)
{
    pthread_mutex_unlock(&ctx->shared->lock);
}
