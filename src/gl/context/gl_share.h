/* SPDX-License-Identifier: MIT */
/*
 * The lock of a share group. A command that may access shared objects runs between gl_share_enter
 * and gl_share_leave. The dispatch code calls them for all commands except those that
 * gl_dispatch.py lists as accessing only their context. A group with a single context, the common
 * case, takes no lock: a command then costs two stores and three tests. Once a second context
 * exists, the commands of a group exclude each other. If contexts change an object concurrently,
 * its contents are undefined, but memory safety is kept.
 *
 * A command needs no lock to read immutable data or objects that its context holds references to.
 *
 * Locks are taken in this order: the group's lock, the names' (gl_names.h), gl_shared.mutex, the
 * loader library's surface lock (tgt_surface.h), the lock of the context for drawables without one
 * (gl_drawable.c), the drawable's (gl_drawable.h), the driver's. A loader library therefore calls
 * indium_core.flush_vertices before it locks a surface, because drawing queued vertices takes the
 * group's lock.
 */
#ifndef GL_SHARE_H
#define GL_SHARE_H

#include "gl/context/gl_context.h"
#include "util/macros.h"

/* Work that gl_share_leave does when a command ends. */
enum gl_after_command {
    GL_AFTER_RELEASE_RETIRED =
        1 << 0,               /* release retired window buffers, which the command may have used */
    GL_AFTER_UNLOCK = 1 << 1, /* release the group's lock */
};

/* Slow paths: gl_share_lock runs in gl_share_enter if the group has several contexts,
 * gl_share_finish in gl_share_leave if after_command is not 0. */
void gl_share_lock(struct gl_context *ctx);
void gl_share_finish(struct gl_context *ctx);

/* Starts a command. Returns true for the outermost of nested commands; pass the result to
 * gl_share_leave. ctx is current or about to be freed. The fence keeps the compiler from forwarding
 * values between commands. */
static inline bool gl_share_enter(struct gl_context *ctx)
{
    if (ctx->command_running)
        return false;
    __atomic_store_n(&ctx->command_running, true, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* gl_share_require_lock has the matching CPU fence */
    if (unlikely(__atomic_load_n(&ctx->share_multiple, __ATOMIC_RELAXED)))
        gl_share_lock(ctx);
    return true;
}

static inline void gl_share_leave(struct gl_context *ctx, bool outermost)
{
    if (!outermost)
        return;
    if (unlikely(ctx->after_command))
        gl_share_finish(ctx);
    __atomic_store_n(&ctx->command_running, false, __ATOMIC_RELEASE);
}

/* Lets other contexts run while a command does long work on objects that it holds references to.
 * gl_share_resume ends this. */
static inline void gl_share_pause(struct gl_context *ctx)
{
    gl_share_leave(ctx, true);
}

static inline void gl_share_resume(struct gl_context *ctx)
{
    gl_share_enter(ctx);
}

/* Makes ctx's commands take the group's lock from now on. Call it before another context joins the
 * group. Waits for a command that another thread is running without the lock. */
void gl_share_require_lock(struct gl_context *ctx);

/* Lock and unlock the group for a thread that accesses its objects without using ctx, which may be
 * current to another thread. */
void gl_share_enter_group(struct gl_context *ctx);
void gl_share_leave_group(struct gl_context *ctx);

/* Releases the buffers in ctx->retired. */
void gl_share_release_retired(struct gl_context *ctx);

#endif
