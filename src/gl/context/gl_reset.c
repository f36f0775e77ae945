/* SPDX-License-Identifier: MIT */
/*
 * A reset of one context is a reset of its whole share group. Contexts without reset notification
 * keep their state, as §2.3.2 recommends, and glGetGraphicsResetStatus never reports a reset there.
 */
#include "gl/context/gl_reset.h"

#include "gl/context/gl_current.h"

void gl_check_reset(struct gl_context *ctx, bool quiet)
{
    static const GLenum names[] = {
        [DRV_GUILTY_RESET] = GL_GUILTY_CONTEXT_RESET,
        [DRV_INNOCENT_RESET] = GL_INNOCENT_CONTEXT_RESET,
        [DRV_UNKNOWN_RESET] = GL_UNKNOWN_CONTEXT_RESET,
    };
    if (ctx->lost)
        return;
    const enum drv_reset_status status = ctx->drv->ops->reset_status(ctx->drv);
    if (ctx->reset == GL_RESET_NO_NOTIFICATION) {
        if (status != DRV_NO_RESET)
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", ctx->drv->stop_message);
        return;
    }
    const char *what = "a command of another context";
    if (status != DRV_NO_RESET) {
        ctx->reset_status = names[status];
        what = ctx->drv->stop_message;
    } else if (__atomic_load_n(&ctx->shared->resets, __ATOMIC_RELAXED) != ctx->resets_seen) {
        ctx->reset_status = GL_INNOCENT_CONTEXT_RESET;
    }
    if (ctx->reset_status == GL_NO_ERROR)
        return;
    if (ctx->reset_status == GL_GUILTY_CONTEXT_RESET)
        __atomic_add_fetch(&ctx->shared->resets, 1, __ATOMIC_RELAXED);
    ctx->lost = true;
    gl_dispatch_select(ctx);
    if (quiet)
        gl_debug_message(ctx, GL_DEBUG_SOURCE_API, GL_DEBUG_TYPE_ERROR, GL_CONTEXT_LOST,
                         GL_DEBUG_SEVERITY_HIGH, "GL_CONTEXT_LOST in %s", what);
    else
        gl_error(ctx, GL_CONTEXT_LOST, "%s", what);
}
