/* SPDX-License-Identifier: MIT */
/*
 * Fence syncs. Creating a fence finishes the context, because the core has no object that another
 * thread could wait for. A fence is therefore always signaled.
 */
#include <stdlib.h>

#include "target/libEGL/egl_private.h"

struct egl_sync {
    struct tgt_object object; /* first */
};

static const struct tgt_object_kind sync_kind = {&egl_lock, free};

void egl_syncs_close(struct egl_display *d)
{
    tgt_objects_close(&sync_kind, &d->syncs);
}

/* Whether the handle is a sync of the display; sets the error if not. With `destroy`, invalidates
 * the handle. */
static bool check_sync(EGLDisplay dpy, EGLSync handle, bool destroy)
{
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct egl_sync *s = d ? tgt_object_ref(&sync_kind, &d->syncs, handle) : NULL;

    if (d && !s)
        egl_fail(EGL_BAD_PARAMETER);
    if (s && destroy)
        tgt_object_forget(&sync_kind, s);
    tgt_object_unref(&sync_kind, s);
    return s;
}

static EGLSync create_sync(EGLDisplay dpy, bool fence, bool no_attribs, EGLint bad_type)
{
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct egl_thread *t = egl_thread_get();
    struct egl_sync *s;

    if (!d)
        return EGL_NO_SYNC;
    if (!fence || !no_attribs) {
        egl_fail(fence ? EGL_BAD_ATTRIBUTE : bad_type);
        return EGL_NO_SYNC;
    }
    if (!t->ctx || t->ctx->display != d) {
        egl_fail(EGL_BAD_MATCH);
        return EGL_NO_SYNC;
    }
    s = calloc(1, sizeof *s);
    if (!s) {
        egl_fail(EGL_BAD_ALLOC);
        return EGL_NO_SYNC;
    }
    indium_core_interface()->flush(true);
    tgt_object_list(&sync_kind, &d->syncs, s, 1);
    egl_ok();
    return s;
}

EGL_EXPORT EGLSync EGLAPIENTRY eglCreateSync(EGLDisplay dpy, EGLenum type, const EGLAttrib *attribs)
{
    return create_sync(dpy, type == EGL_SYNC_FENCE, !attribs || *attribs == EGL_NONE,
                       EGL_BAD_PARAMETER);
}

EGL_EXPORT EGLSyncKHR EGLAPIENTRY eglCreateSyncKHR(EGLDisplay dpy, EGLenum type,
                                                   const EGLint *attribs)
{
    return create_sync(dpy, type == EGL_SYNC_FENCE, !attribs || *attribs == EGL_NONE,
                       EGL_BAD_ATTRIBUTE);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglDestroySync(EGLDisplay dpy, EGLSync sync)
{
    return check_sync(dpy, sync, true) ? egl_ok() : EGL_FALSE;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglDestroySyncKHR(EGLDisplay dpy, EGLSyncKHR sync)
{
    return eglDestroySync(dpy, sync);
}

EGL_EXPORT EGLint EGLAPIENTRY eglClientWaitSync(EGLDisplay dpy, EGLSync sync, EGLint flags,
                                                EGLTime timeout)
{
    if (!check_sync(dpy, sync, false))
        return EGL_FALSE;
    egl_ok();
    return EGL_CONDITION_SATISFIED;
}

EGL_EXPORT EGLint EGLAPIENTRY eglClientWaitSyncKHR(EGLDisplay dpy, EGLSyncKHR sync, EGLint flags,
                                                   EGLTimeKHR timeout)
{
    return eglClientWaitSync(dpy, sync, flags, timeout);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglWaitSync(EGLDisplay dpy, EGLSync sync, EGLint flags)
{
    if (!check_sync(dpy, sync, false))
        return EGL_FALSE;
    if (!egl_thread_get()->ctx)
        return egl_fail(EGL_BAD_MATCH);
    return flags ? egl_fail(EGL_BAD_PARAMETER) : egl_ok();
}

EGL_EXPORT EGLint EGLAPIENTRY eglWaitSyncKHR(EGLDisplay dpy, EGLSyncKHR sync, EGLint flags)
{
    return eglWaitSync(dpy, sync, flags);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglGetSyncAttrib(EGLDisplay dpy, EGLSync sync, EGLint attribute,
                                                   EGLAttrib *value)
{
    EGLAttrib result;

    if (!check_sync(dpy, sync, false))
        return EGL_FALSE;
    switch (attribute) {
    case EGL_SYNC_TYPE:
        result = EGL_SYNC_FENCE;
        break;
    case EGL_SYNC_STATUS:
        result = EGL_SIGNALED;
        break;
    case EGL_SYNC_CONDITION:
        result = EGL_SYNC_PRIOR_COMMANDS_COMPLETE;
        break;
    default:
        return egl_fail(EGL_BAD_ATTRIBUTE);
    }
    if (!value)
        return egl_fail(EGL_BAD_PARAMETER);
    *value = result;
    return egl_ok();
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglGetSyncAttribKHR(EGLDisplay dpy, EGLSyncKHR sync,
                                                      EGLint attribute, EGLint *value)
{
    EGLAttrib wide;

    if (!eglGetSyncAttrib(dpy, sync, attribute, value ? &wide : NULL))
        return EGL_FALSE;
    *value = wide;
    return EGL_TRUE;
}
