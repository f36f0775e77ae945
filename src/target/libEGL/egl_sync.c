/* SPDX-License-Identifier: MIT */
/*
 * Syncs. Creating a fence finishes the context, because the core has no object that another thread
 * could wait for. A fence is therefore always signaled. Reusable syncs (EGL_KHR_reusable_sync) are
 * signaled by the application.
 *
 * A server wait (eglWaitSync) returns at once. The context notes it, and its next GL command that
 * draws or may access shared objects blocks until all noted waits are over (EGL 1.5 §3.8.1.3: the
 * server may wait in the CPU). So the thread itself may signal the sync before that command. The
 * creation of a fence, which comes after the wait in the command stream, blocks like these
 * commands.
 */
#include <stdlib.h>

#include "target/libEGL/egl_private.h"
#include "util/os_clock.h"

struct egl_sync {
    struct tgt_object object; /* first */
    EGLenum type;
    /* Protected by egl_lock. */
    bool signaled;
    unsigned signals; /* number of times that it was signaled or destroyed */
    EGLLabelKHR debug_label;
};

/* A server wait of a context. Only the thread to which the context is current accesses it. */
struct egl_wait {
    struct egl_wait *next;
    struct egl_sync *sync; /* a reference */
    unsigned signals;      /* the sync's value when the wait began */
};

static const struct tgt_object_kind sync_kind = {&egl_lock, free};

/* Signaled with egl_lock held when any reusable sync becomes signaled or is destroyed. The first
 * sync initializes it with the clock of os_clock(); pthread_cond_clockwait is not in
 * POSIX.1-2017. */
static pthread_cond_t signaled;
static pthread_once_t signaled_once = PTHREAD_ONCE_INIT;

static void init_signaled(void)
{
    pthread_condattr_t attr;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&signaled, &attr);
    pthread_condattr_destroy(&attr);
}

void egl_syncs_reset(void)
{
    init_signaled();
}

/* Releases the threads that wait for the sync. Requires egl_lock. */
static void signal_locked(struct egl_sync *s)
{
    s->signaled = true;
    s->signals++;
    pthread_cond_broadcast(&signaled);
}

void egl_syncs_close(struct egl_display *d)
{
    pthread_mutex_lock(&egl_lock);
    list_for_each_entry (struct egl_sync, s, &d->syncs, object.link)
        signal_locked(s);
    pthread_mutex_unlock(&egl_lock);
    tgt_objects_close(&sync_kind, &d->syncs);
}

/* Returns a new reference to a sync of the display, or NULL with the error set. */
static struct egl_sync *sync_for(EGLDisplay dpy, EGLSync handle)
{
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct egl_sync *s = d ? tgt_object_ref(&sync_kind, &d->syncs, handle) : NULL;

    if (d && !s)
        egl_fail(EGL_BAD_PARAMETER);
    egl_thread_get()->object_label = s ? __atomic_load_n(&s->debug_label, __ATOMIC_RELAXED) : NULL;
    return s;
}

bool egl_sync_label(struct egl_display *d, EGLSync handle, EGLLabelKHR label)
{
    struct egl_sync *s = tgt_object_ref(&sync_kind, &d->syncs, handle);

    if (!s)
        return false;
    pthread_mutex_lock(&egl_lock);
    __atomic_store_n(&s->debug_label, label, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&egl_lock);
    tgt_object_unref(&sync_kind, s);
    return true;
}

static void sync_unref(struct egl_sync *s)
{
    tgt_object_unref(&sync_kind, s);
}

static EGLSync create_sync(EGLDisplay dpy, EGLenum type, bool no_attribs, EGLint bad_type)
{
    const bool fence = type == EGL_SYNC_FENCE;

    if (fence)
        egl_waits_finish();

    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct egl_thread *t = egl_thread_get();
    struct egl_sync *s;

    if (!d)
        return EGL_NO_SYNC;
    if (!fence && type != EGL_SYNC_REUSABLE_KHR) {
        egl_fail(bad_type);
        return EGL_NO_SYNC;
    }
    if (!no_attribs) {
        egl_fail(EGL_BAD_ATTRIBUTE);
        return EGL_NO_SYNC;
    }
    if (fence && (!t->ctx || t->ctx->display != d)) {
        egl_fail(EGL_BAD_MATCH);
        return EGL_NO_SYNC;
    }
    s = calloc(1, sizeof *s);
    if (!s) {
        egl_fail(EGL_BAD_ALLOC);
        return EGL_NO_SYNC;
    }
    pthread_once(&signaled_once, init_signaled);
    s->type = type;
    s->signaled = fence;
    if (fence)
        indium_core_interface()->flush(true);
    tgt_object_list(&sync_kind, &d->syncs, s, 1);
    egl_ok();
    return s;
}

EGL_EXPORT EGLSync EGLAPIENTRY eglCreateSync(EGLDisplay dpy, EGLenum type, const EGLAttrib *attribs)
{
    EGL_COMMAND;
    return create_sync(dpy, type, !attribs || *attribs == EGL_NONE, EGL_BAD_PARAMETER);
}

EGL_EXPORT EGLSyncKHR EGLAPIENTRY eglCreateSyncKHR(EGLDisplay dpy, EGLenum type,
                                                   const EGLint *attribs)
{
    EGL_COMMAND;
    return create_sync(dpy, type, !attribs || *attribs == EGL_NONE, EGL_BAD_ATTRIBUTE);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglDestroySync(EGLDisplay dpy, EGLSync sync)
{
    EGL_COMMAND;
    struct egl_sync *s = sync_for(dpy, sync);

    if (!s)
        return EGL_FALSE;
    pthread_mutex_lock(&egl_lock);
    signal_locked(s);
    pthread_mutex_unlock(&egl_lock);
    tgt_object_forget(&sync_kind, s);
    sync_unref(s);
    return egl_ok();
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglDestroySyncKHR(EGLDisplay dpy, EGLSyncKHR sync)
{
    EGL_COMMAND;
    return eglDestroySync(dpy, sync);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglSignalSyncKHR(EGLDisplay dpy, EGLSyncKHR sync, EGLenum mode)
{
    EGL_COMMAND;
    struct egl_sync *s = sync_for(dpy, sync);
    EGLint error = EGL_SUCCESS;

    if (!s)
        return EGL_FALSE;
    if (s->type != EGL_SYNC_REUSABLE_KHR)
        error = EGL_BAD_MATCH;
    else if (mode != EGL_SIGNALED && mode != EGL_UNSIGNALED)
        error = EGL_BAD_PARAMETER;
    if (error == EGL_SUCCESS) {
        pthread_mutex_lock(&egl_lock);
        if (mode == EGL_SIGNALED)
            signal_locked(s);
        else
            s->signaled = false;
        pthread_mutex_unlock(&egl_lock);
    }
    sync_unref(s);
    return error == EGL_SUCCESS ? egl_ok() : egl_fail(error);
}

/* Returns whether a wait is over that began when s->signals was `signals`: the sync is signaled, or
 * was since then, even if it no longer is. Requires egl_lock. */
static bool is_over(const struct egl_sync *s, unsigned signals)
{
    return s->signaled || s->signals != signals;
}

/* Waits until the wait is_over() or `timeout` nanoseconds have passed. Returns whether it is over.
 * signals: NULL if the wait begins now. */
static bool wait_for(struct egl_sync *s, const unsigned *signals, EGLTime timeout)
{
    const uint64_t now = timeout && timeout != EGL_FOREVER ? os_clock() : 0;
    /* a deadline that overflows is as good as none */
    const bool forever = timeout == EGL_FOREVER || timeout > INT64_MAX - now;
    const struct timespec end = os_clock_timespec(forever ? 0 : now + timeout);
    bool done, timed_out = timeout == 0;

    pthread_mutex_lock(&egl_lock);
    const unsigned begun = signals ? *signals : s->signals;
    while (!is_over(s, begun) && !timed_out) {
        if (forever)
            pthread_cond_wait(&signaled, &egl_lock);
        else
            timed_out = pthread_cond_timedwait(&signaled, &egl_lock, &end) != 0;
    }
    done = is_over(s, begun);
    pthread_mutex_unlock(&egl_lock);
    return done;
}

static bool is_signaled(struct egl_sync *s)
{
    return wait_for(s, NULL, 0);
}

EGL_EXPORT EGLint EGLAPIENTRY eglClientWaitSync(EGLDisplay dpy, EGLSync sync, EGLint flags,
                                                EGLTime timeout)
{
    EGL_COMMAND;
    struct egl_sync *s = sync_for(dpy, sync);
    bool done;

    if (!s)
        return EGL_FALSE;
    if (flags & EGL_SYNC_FLUSH_COMMANDS_BIT && !is_signaled(s))
        indium_core_interface()->flush(false);
    done = wait_for(s, NULL, timeout);
    sync_unref(s);
    egl_ok();
    return done ? EGL_CONDITION_SATISFIED : EGL_TIMEOUT_EXPIRED;
}

EGL_EXPORT EGLint EGLAPIENTRY eglClientWaitSyncKHR(EGLDisplay dpy, EGLSyncKHR sync, EGLint flags,
                                                   EGLTimeKHR timeout)
{
    EGL_COMMAND;
    return eglClientWaitSync(dpy, sync, flags, timeout);
}

/* --- server waits --- */

/* Ends waits and frees them. */
static void free_waits(struct egl_wait *w)
{
    while (w) {
        struct egl_wait *next = w->next;

        sync_unref(w->sync);
        free(w);
        w = next;
    }
}

void egl_waits_drop(struct egl_context *ctx)
{
    free_waits(ctx->waits);
    ctx->waits = NULL;
}

/* Blocks until the waits of a context are over. */
static void finish_waits(void *data)
{
    struct egl_context *ctx = data;

    for (const struct egl_wait *w = ctx->waits; w; w = w->next)
        wait_for(w->sync, &w->signals, EGL_FOREVER);
    egl_waits_drop(ctx);
}

void egl_waits_finish(void)
{
    struct egl_context *ctx = egl_thread_get()->ctx;

    if (ctx)
        finish_waits(ctx);
}

/* Unlinks a wait that is over, or one for the sync, from the context's list, and returns it.
 * Returns NULL if there is none. */
static struct egl_wait *take_wait(struct egl_context *ctx, const struct egl_sync *s)
{
    struct egl_wait **link = &ctx->waits, *w;

    pthread_mutex_lock(&egl_lock);
    while ((w = *link) && !is_over(w->sync, w->signals) && w->sync != s)
        link = &w->next;
    if (w)
        *link = w->next;
    pthread_mutex_unlock(&egl_lock);
    return w;
}

/* Makes the context wait for a sync. It has at most one wait for each sync, however often the
 * application waits. Returns false if out of memory. */
static bool add_wait(struct egl_context *ctx, struct egl_sync *s)
{
    struct egl_wait *w = malloc(sizeof *w), *old;

    if (!w)
        return false;
    while ((old = take_wait(ctx, s))) {
        old->next = NULL;
        free_waits(old);
    }
    pthread_mutex_lock(&egl_lock);
    *w = (struct egl_wait){ctx->waits, s, s->signals};
    s->object.refs++;
    ctx->waits = w;
    pthread_mutex_unlock(&egl_lock);
    indium_core_interface()->delay_commands(ctx->gl, finish_waits, ctx);
    return true;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglWaitSync(EGLDisplay dpy, EGLSync sync, EGLint flags)
{
    EGL_COMMAND;
    struct egl_sync *s = sync_for(dpy, sync);
    struct egl_context *ctx = egl_thread_get()->ctx;
    EGLint error = EGL_SUCCESS;

    if (!s)
        return EGL_FALSE;
    if (!ctx)
        error = EGL_BAD_MATCH;
    else if (flags)
        error = EGL_BAD_PARAMETER;
    else if (!is_signaled(s) && !add_wait(ctx, s))
        error = EGL_BAD_ALLOC;
    sync_unref(s);
    return error == EGL_SUCCESS ? egl_ok() : egl_fail(error);
}

EGL_EXPORT EGLint EGLAPIENTRY eglWaitSyncKHR(EGLDisplay dpy, EGLSyncKHR sync, EGLint flags)
{
    EGL_COMMAND;
    return eglWaitSync(dpy, sync, flags);
}

/* Queries an attribute. Returns EGL_SUCCESS or the error. */
static EGLint get_attrib(struct egl_sync *s, EGLint attribute, EGLAttrib *value)
{
    EGLAttrib result;

    switch (attribute) {
    case EGL_SYNC_TYPE:
        result = s->type;
        break;
    case EGL_SYNC_STATUS:
        result = is_signaled(s) ? EGL_SIGNALED : EGL_UNSIGNALED;
        break;
    case EGL_SYNC_CONDITION:
        if (s->type != EGL_SYNC_FENCE)
            return EGL_BAD_MATCH;
        result = EGL_SYNC_PRIOR_COMMANDS_COMPLETE;
        break;
    default:
        return EGL_BAD_ATTRIBUTE;
    }
    if (!value)
        return EGL_BAD_PARAMETER;
    *value = result;
    return EGL_SUCCESS;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglGetSyncAttrib(EGLDisplay dpy, EGLSync sync, EGLint attribute,
                                                   EGLAttrib *value)
{
    EGL_COMMAND;
    struct egl_sync *s = sync_for(dpy, sync);
    EGLint error;

    if (!s)
        return EGL_FALSE;
    error = get_attrib(s, attribute, value);
    sync_unref(s);
    return error == EGL_SUCCESS ? egl_ok() : egl_fail(error);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglGetSyncAttribKHR(EGLDisplay dpy, EGLSyncKHR sync,
                                                      EGLint attribute, EGLint *value)
{
    EGL_COMMAND;
    EGLAttrib wide;

    if (!eglGetSyncAttrib(dpy, sync, attribute, value ? &wide : NULL))
        return EGL_FALSE;
    *value = wide;
    return EGL_TRUE;
}
