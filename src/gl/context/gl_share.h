/* SPDX-License-Identifier: MIT */
/*
 * The lock of a share group. A command that may access shared objects runs between gl_share_enter
 * and gl_share_leave. The dispatch code calls these functions around every command, except commands
 * that only access their context (OWN_STATE in gl_dispatch.py). While a group has a single context,
 * the common case, commands take no lock; the two functions then take a few instructions.
 * Once a second context exists, the commands of a group exclude each other. If contexts change an
 * object concurrently, its contents are undefined, but memory safety is kept.
 *
 * A command needs no lock to read immutable data or objects that its context holds references to.
 *
 * A thread that takes several locks takes them in this order:
 * 1. the group's lock,
 * 2. the lock of a name map (gl_names.h),
 * 3. gl_shared.mutex,
 * 4. the loader library's surface lock (tgt_surface.h),
 * 5. the lock of the driver context for threads without a current context (gl_drawable.c),
 * 6. the drawable's mutex (gl_drawable.h),
 * 7. the driver's locks.
 * Drawing queued vertices takes the group's lock, so a loader library calls
 * indium_core.flush_vertices before it locks a surface.
 */
#ifndef GL_SHARE_H
#define GL_SHARE_H

#include "gl/context/gl_context.h"
#include "util/macros.h"

/* Work that gl_share_leave does when a command ends. */
enum gl_after_command {
    GL_AFTER_RELEASE_RETIRED = 1 << 0, /* release the window buffers in gl_context.retired */
    GL_AFTER_UNLOCK = 1 << 1,          /* release the group's lock */
    GL_AFTER_MESSAGES = 1 << 2,        /* pass the queued debug messages to the callback */
};

/* Slow path of gl_share_enter: calls the function that gl_share_delay set, if any and if ctx is
 * current, then takes the group's lock. */
void gl_share_lock(struct gl_context *ctx);
/* Slow path of gl_share_leave: does the work in after_command and ends the command. The debug
 * callback, which it calls last, may have freed ctx. */
void gl_share_finish(struct gl_context *ctx);

/* Starts a command, and takes the group's lock if the group has several contexts. Returns true for
 * the outermost of nested commands; pass the result to gl_share_leave. ctx is current to the
 * calling thread, or is being freed. */
static inline bool gl_share_enter(struct gl_context *ctx)
{
    if (ctx->command_running)
        return false;
    __atomic_store_n(&ctx->command_running, true, __ATOMIC_RELAXED);
    /* A compiler barrier is enough, because gl_share_require_lock executes a CPU fence on all
     * threads. */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (unlikely(__atomic_load_n(&ctx->share_multiple, __ATOMIC_RELAXED)))
        gl_share_lock(ctx);
    return true;
}

/* Ends a command. outermost: result of gl_share_enter. */
static inline void gl_share_leave(struct gl_context *ctx, bool outermost)
{
    if (!outermost)
        return;
    if (unlikely(ctx->after_command))
        gl_share_finish(ctx);
    else
        __atomic_store_n(&ctx->command_running, false, __ATOMIC_RELEASE);
}

/* Releases the buffers in gl_context.retired and the group's lock, before a long operation of a
 * command such as compilation. gl_share_resume takes the lock again. In between, the command may
 * only access objects that it holds references to. */
void gl_share_pause(struct gl_context *ctx);
void gl_share_resume(struct gl_context *ctx);

/* Makes ctx's commands take the group's lock from now on. Call it before another context joins the
 * group. If another thread is running a command of ctx without the lock, waits for its end, but at
 * most a second. Takes the group's lock meanwhile, so the caller must not hold it. */
void gl_share_require_lock(struct gl_context *ctx);

/* Makes the next command of ctx that takes the group's lock call wait(data) first, without a lock.
 * Replaces the function of an earlier call, if it was not called yet. Implements
 * indium_core.delay_commands, apart from the flush. Calls gl_share_require_lock if the commands of
 * ctx don't take the lock yet, so the caller must not hold the group's lock. */
void gl_share_delay(struct gl_context *ctx, void (*wait)(void *data), void *data);

/* Lock and unlock the group of ctx for a thread that accesses the group's objects while ctx may be
 * current to another thread. gl_share_enter_group first calls gl_share_require_lock. */
void gl_share_enter_group(struct gl_context *ctx);
void gl_share_leave_group(struct gl_context *ctx);

/* Releases the buffers in ctx->retired. */
void gl_share_release_retired(struct gl_context *ctx);

#endif
