/* SPDX-License-Identifier: MIT */
/*
 * Swaps and vertical blanks: GLX_OML_sync_control, GLX_SGI_video_sync and GLX_INTEL_swap_event.
 *
 * A swap at a blank waits for the blank in the calling thread, so there are never outstanding
 * swaps. Events of completed swaps are added to Xlib's queue here; the server knows nothing of
 * them.
 */
#include <limits.h>
#include <stdlib.h>

#include "target/common/tgt_sync.h"
#include "target/libGL/glx_private.h"

static Bool swap_event_from_wire(Display *dpy, XEvent *event, xEvent *wire_event)
{
    const xGLXBufferSwapComplete2 *wire = (const xGLXBufferSwapComplete2 *)wire_event;
    GLXBufferSwapComplete *e = (GLXBufferSwapComplete *)event;

    *e = (GLXBufferSwapComplete){
        .type = wire->type & 0x7f,
        .serial = _XSetLastRequestRead(dpy, (xGenericReply *)wire_event),
        .send_event = (wire->type & 0x80) != 0,
        .display = dpy,
        .drawable = wire->drawable,
        .event_type = wire->event_type,
        .ust = (int64_t)((uint64_t)wire->ust_hi << 32 | wire->ust_lo),
        .msc = (int64_t)((uint64_t)wire->msc_hi << 32 | wire->msc_lo),
        .sbc = wire->sbc,
    };
    return True;
}

void glx_sync_init(struct glx_display *display)
{
    XESetWireToEvent(display->dpy, display->event_base + GLX_BufferSwapComplete,
                     swap_event_from_wire);
}

static void send_swap_event(Display *dpy, const struct glx_drawable *d, const struct tgt_sync *now)
{
    xGLXBufferSwapComplete2 wire = {
        .type = d->display->event_base + GLX_BufferSwapComplete,
        .event_type = GLX_COPY_COMPLETE_INTEL,
        .drawable = d->id,
        .ust_hi = (uint64_t)now->ust >> 32,
        .ust_lo = (uint32_t)now->ust,
        .msc_hi = (uint64_t)now->msc >> 32,
        .msc_lo = (uint32_t)now->msc,
        .sbc = (uint32_t)now->sbc,
    };

    LockDisplay(dpy);
    wire.sequenceNumber = (uint16_t)dpy->last_request_read;
    _XEnq(dpy, (xEvent *)&wire);
    UnlockDisplay(dpy);
}

void glx_swap(Display *dpy, struct glx_drawable *d)
{
    const bool counts = d->surface.kind == TGT_WINDOW && d->surface.visual.double_buffered;

    if (tgt_surface_swap(&d->surface, NULL, 0) && counts &&
        __atomic_load_n(&d->event_mask, __ATOMIC_RELAXED) & GLX_BUFFER_SWAP_COMPLETE_INTEL_MASK) {
        const struct tgt_sync now = tgt_sync_now(&d->surface);

        send_swap_event(dpy, d, &now);
    }
}

/* Returns a reference to a drawable for a call of GLX_OML_sync_control, which requires a current
 * context. Returns NULL on failure, after raising the error. */
static struct glx_drawable *get_drawable(Display *dpy, GLXDrawable id)
{
    if (glx_thread_get()->ctx)
        return glx_drawable_get_shown(dpy, id, X_GLXVendorPrivateWithReply);
    glx_error(dpy, GLX_ERROR(GLXBadContext), 0, X_GLXVendorPrivateWithReply);
    return NULL;
}

static void store(const struct tgt_sync *now, int64_t *ust, int64_t *msc, int64_t *sbc)
{
    if (ust)
        *ust = now->ust;
    if (msc)
        *msc = now->msc;
    if (sbc)
        *sbc = now->sbc;
}

static bool wait_is_valid(int64_t target, int64_t divisor, int64_t remainder)
{
    return target >= 0 && divisor >= 0 && remainder >= 0 && (divisor == 0 || remainder < divisor);
}

GLX_EXPORT Bool glXGetSyncValuesOML(Display *dpy, GLXDrawable id, int64_t *ust, int64_t *msc,
                                    int64_t *sbc)
{
    struct glx_drawable *d = get_drawable(dpy, id);

    if (!d)
        return False;
    const struct tgt_sync now = tgt_sync_now(&d->surface);
    glx_drawable_unref(d);
    store(&now, ust, msc, sbc);
    return True;
}

GLX_EXPORT Bool glXGetMscRateOML(Display *dpy, GLXDrawable id, int32_t *numerator,
                                 int32_t *denominator)
{
    struct glx_drawable *d = get_drawable(dpy, id);
    int32_t n, m;

    if (!d)
        return False;
    tgt_sync_rate(&d->surface, &n, &m);
    glx_drawable_unref(d);
    if (numerator)
        *numerator = n;
    if (denominator)
        *denominator = m;
    return True;
}

GLX_EXPORT int64_t glXSwapBuffersMscOML(Display *dpy, GLXDrawable id, int64_t target,
                                        int64_t divisor, int64_t remainder)
{
    struct glx_drawable *d = get_drawable(dpy, id);
    int64_t result = 0;

    if (!d)
        return -1;
    if (!wait_is_valid(target, divisor, remainder)) {
        glx_error(dpy, BadValue, 0, X_GLXVendorPrivateWithReply);
        result = -1;
    } else if (d->surface.kind == TGT_WINDOW && d->surface.visual.double_buffered) {
        d->surface.core->flush(false); /* drawing continues while this thread waits */
        if (target || divisor)
            tgt_sync_wait_msc(&d->surface, target, divisor, remainder);
        glx_swap(dpy, d);
        pthread_mutex_lock(&d->surface.mutex);
        result = d->surface.swaps;
        pthread_mutex_unlock(&d->surface.mutex);
    }
    glx_drawable_unref(d);
    return result;
}

GLX_EXPORT Bool glXWaitForMscOML(Display *dpy, GLXDrawable id, int64_t target, int64_t divisor,
                                 int64_t remainder, int64_t *ust, int64_t *msc, int64_t *sbc)
{
    struct glx_drawable *d = get_drawable(dpy, id);
    const bool valid = wait_is_valid(target, divisor, remainder);

    if (d && valid) {
        const struct tgt_sync now = tgt_sync_wait_msc(&d->surface, target, divisor, remainder);

        store(&now, ust, msc, sbc);
    } else if (d) {
        glx_error(dpy, BadValue, 0, X_GLXVendorPrivateWithReply);
    }
    glx_drawable_unref(d);
    return d && valid;
}

GLX_EXPORT Bool glXWaitForSbcOML(Display *dpy, GLXDrawable id, int64_t target, int64_t *ust,
                                 int64_t *msc, int64_t *sbc)
{
    struct glx_drawable *d = get_drawable(dpy, id);
    const bool valid = target >= 0;

    if (d && valid) {
        const struct tgt_sync now = tgt_sync_wait_sbc(&d->surface, target);

        store(&now, ust, msc, sbc);
    } else if (d) {
        glx_error(dpy, BadValue, 0, X_GLXVendorPrivateWithReply);
    }
    glx_drawable_unref(d);
    return d && valid;
}

/* GLX_SGI_video_sync. The counter is that of the current drawable's screen. */
GLX_EXPORT int glXGetVideoSyncSGI(unsigned *count)
{
    const struct glx_thread *t = glx_thread_get();

    if (!t->ctx || !t->draw)
        return GLX_BAD_CONTEXT;
    if (count)
        *count = (unsigned)tgt_sync_now(&t->draw->surface).msc;
    return 0;
}

GLX_EXPORT int glXWaitVideoSyncSGI(int divisor, int remainder, unsigned *count)
{
    const struct glx_thread *t = glx_thread_get();

    if (divisor <= 0 || remainder < 0)
        return GLX_BAD_VALUE;
    if (!t->ctx || !t->draw)
        return GLX_BAD_CONTEXT;
    /* a remainder that the counter never has would wait forever */
    const struct tgt_sync now =
        tgt_sync_wait_msc(&t->draw->surface, 0, divisor, remainder % divisor);
    if (count)
        *count = (unsigned)now.msc;
    return 0;
}
