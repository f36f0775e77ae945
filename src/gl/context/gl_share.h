/* SPDX-License-Identifier: MIT */
/*
 * The lock of a share group. A command that may touch shared objects runs between gl_share_enter and
 * gl_share_leave: the dispatch does that for all commands but those that gl_dispatch.py knows to touch
 * only their context. Groups of one context, which most are, lock nothing: a command then costs two
 * stores and three tests. From the second context on commands of a group exclude each other;
 * contents of objects that contexts change at once are undefined, memory is not.
 *
 * Nothing here is needed to read what a context holds references to and what never changes. Locks are
 * taken in this order: the group's, those of names (gl_names.h), gl_shared.mutex, the face's of a
 * surface (tgt_surface.h), that of the context for drawables without one (gl_drawable.c), a drawable's
 * (gl_drawable.h), the driver's. So a face has indium_core.flush_vertices called before it locks a
 * surface: what is held back is drawn with the group's lock.
 */
#ifndef GL_SHARE_H
#define GL_SHARE_H

#include "gl/context/gl_context.h"
#include "util/macros.h"

enum gl_share_after {
    GL_AFTER_DROP = 1 << 0,   /* the window's buffers that the command may have used */
    GL_AFTER_UNLOCK = 1 << 1, /* the command has the group's lock */
};

/* What gl_share_enter does when the group has several contexts, and gl_share_leave as share_after says. */
void gl_share_lock(struct gl_context *ctx);
void gl_share_finish(struct gl_context *ctx);

/* Whether this is the outermost of commands that run each other, which gl_share_leave is told. ctx is
 * current, or about to be freed. No value goes from one command's stores to the next one's loads. */
static inline bool gl_share_enter(struct gl_context *ctx)
{
    if (ctx->share_busy)
        return false;
    __atomic_store_n(&ctx->share_busy, true, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* the processor's part: gl_share_open */
    if (unlikely(__atomic_load_n(&ctx->share_many, __ATOMIC_RELAXED)))
        gl_share_lock(ctx);
    return true;
}

static inline void gl_share_leave(struct gl_context *ctx, bool outermost)
{
    if (!outermost)
        return;
    if (unlikely(ctx->share_after))
        gl_share_finish(ctx);
    __atomic_store_n(&ctx->share_busy, false, __ATOMIC_RELEASE);
}

/* Lets other contexts go on while a command does long work on what it holds references to. */
static inline void gl_share_pause(struct gl_context *ctx)
{
    gl_share_leave(ctx, true);
}

static inline void gl_share_resume(struct gl_context *ctx)
{
    gl_share_enter(ctx);
}

/* Before another context joins ctx's group: from now on ctx's commands lock. Waits for one that another
 * thread runs without. */
void gl_share_open(struct gl_context *ctx);

/* Around what a thread does with objects of ctx's group without ctx, which may be current to another. */
void gl_share_enter_group(struct gl_context *ctx);
void gl_share_leave_group(struct gl_context *ctx);

/* Releases the buffers that the context's windows no longer have (struct gl_retired). */
void gl_share_drop_retired(struct gl_context *ctx);

#endif
