/* SPDX-License-Identifier: MIT */
/* Per-display state, created on first use and freed when Xlib closes the display; X errors. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "target/libGL/glx_private.h"
#include "util/fork_lock.h"
#include "winsys/x11/ws_x11_xcb.h"

/* Codes used on servers without GLX: the highest ones, which servers assign last. */
enum { RESERVED_ERROR_BASE = 242, RESERVED_EVENT_BASE = 110, RESERVED_MAJOR_OPCODE = 255 };

pthread_mutex_t glx_lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_LOCK(glx_lock);
/* Serializes the creation of displays, because glx_lock must not be held during Xlib calls. */
static pthread_mutex_t create_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list_head glx_displays = {&glx_displays, &glx_displays};

/* Makes the lock free in the child of a fork. A display is listed once it is complete, so that the
 * child creates one that another thread was creating. */
static void free_create_lock(void)
{
    util_fork_free_lock(&create_lock);
}

UTIL_AFTER_FORK(free_create_lock);

static void display_free(struct glx_display *d)
{
    for (int i = 0; i < d->n_screens; i++) {
        glx_configs_finish(&d->screens[i]);
        if (d->screens[i].ws)
            d->screens[i].ws->ops->destroy(d->screens[i].ws);
    }
    free(d->screens);
    free(d);
}

/* Called by XCloseDisplay while the connection is still open. */
static int display_closed(Display *dpy, XExtCodes *codes)
{
    struct glx_display *closed = NULL;

    pthread_mutex_lock(&glx_lock);
    list_for_each_entry_safe (struct glx_display, d, &glx_displays, link) {
        if (d->dpy == dpy) {
            list_del(&d->link);
            closed = d;
            break;
        }
    }
    pthread_mutex_unlock(&glx_lock);
    if (closed) {
        glx_contexts_close(closed);
        glx_drawables_close(closed);
        display_free(closed);
    }
    return 0;
}

static char *error_text(Display *dpy, int code, XExtCodes *codes, char *buffer, int size)
{
    static const char *const names[] = {
        "GLXBadContext",       "GLXBadContextState", "GLXBadDrawable",
        "GLXBadPixmap",        "GLXBadContextTag",   "GLXBadCurrentWindow",
        "GLXBadRenderRequest", "GLXBadLargeRequest", "GLXUnsupportedPrivateRequest",
        "GLXBadFBConfig",      "GLXBadPbuffer",      "GLXBadCurrentDrawable",
        "GLXBadWindow",        "GLXBadProfileARB",
    };
    struct glx_display *d = glx_display_get(dpy);

    if (d && size > 0 && code >= d->error_base && code - d->error_base < (int)ARRAY_SIZE(names)) {
        strncpy(buffer, names[code - d->error_base], size - 1);
        buffer[size - 1] = 0;
    }
    return buffer;
}

static bool screens_init(struct glx_display *d, xcb_connection_t *connection)
{
    d->screens = calloc(ScreenCount(d->dpy), sizeof *d->screens);
    if (!d->screens)
        return false;
    for (int i = 0; i < ScreenCount(d->dpy); i++) {
        struct glx_screen *screen = &d->screens[d->n_screens++];

        screen->display = d;
        screen->number = i;
        screen->ws = connection ? ws_x11_create(connection, i) : NULL;
        if (connection && !screen->ws && errno == ENOMEM)
            return false;
        if (!glx_configs_init(screen))
            return false;
    }
    return true;
}

static struct glx_display *display_create(Display *dpy)
{
    const struct ws_xcb_api *xcb = ws_xcb_load();
    const struct indium_core *core = indium_core_interface();
    struct glx_display *d = core->version == INDIUM_CORE_VERSION ? calloc(1, sizeof *d) : NULL;

    if (!d)
        return NULL;
    d->dpy = dpy;
    d->core = core;
    list_init(&d->drawables);
    if (!XQueryExtension(dpy, "GLX", &d->major_opcode, &d->event_base, &d->error_base)) {
        d->major_opcode = RESERVED_MAJOR_OPCODE;
        d->event_base = RESERVED_EVENT_BASE;
        d->error_base = RESERVED_ERROR_BASE;
    }
    if (!screens_init(d, xcb && xcb->get_xcb_connection ? xcb->get_xcb_connection(dpy) : NULL)) {
        display_free(d);
        return NULL;
    }
    glx_sync_init(d);
    d->hooks = XAddExtension(dpy);
    if (d->hooks) {
        XESetCloseDisplay(dpy, d->hooks->extension, display_closed);
        XESetErrorString(dpy, d->hooks->extension, error_text);
    }
    return d;
}

static struct glx_display *display_find(Display *dpy)
{
    struct glx_display *found = NULL;

    pthread_mutex_lock(&glx_lock);
    list_for_each_entry (struct glx_display, d, &glx_displays, link) {
        if (d->dpy == dpy)
            found = d;
    }
    pthread_mutex_unlock(&glx_lock);
    return found;
}

struct glx_display *glx_display_get(Display *dpy)
{
    struct glx_display *d;

    if (!dpy)
        return NULL;
    d = display_find(dpy);
    if (d)
        return d;
    pthread_mutex_lock(&create_lock);
    d = display_find(dpy);
    if (!d && (d = display_create(dpy))) {
        pthread_mutex_lock(&glx_lock);
        list_add(&d->link, &glx_displays);
        pthread_mutex_unlock(&glx_lock);
    }
    pthread_mutex_unlock(&create_lock);
    return d;
}

struct glx_screen *glx_screen_get(Display *dpy, int screen)
{
    struct glx_display *d = glx_display_get(dpy);

    return d && screen >= 0 && screen < d->n_screens ? &d->screens[screen] : NULL;
}

bool glx_config_valid(Display *dpy, GLXFBConfig config)
{
    struct glx_display *d = glx_display_get(dpy);

    for (int i = 0; d && i < d->n_screens; i++) {
        const struct glx_screen *s = &d->screens[i];
        uintptr_t offset = (uintptr_t)config - (uintptr_t)s->configs;

        if (offset < s->n_configs * sizeof *config && offset % sizeof *config == 0)
            return true;
    }
    return false;
}

void glx_error(Display *dpy, int code, XID resource, int minor_opcode)
{
    struct glx_display *d = glx_display_get(dpy);
    xError error = {
        .type = X_Error,
        .errorCode = code,
        .resourceID = resource,
        .minorCode = minor_opcode,
    };

    if (!d)
        return;
    if (code >= GLX_ERROR(0))
        error.errorCode = d->error_base + (code & 0xff);
    error.majorCode = d->major_opcode;
    /* deliver errors of earlier requests first; this error gets the latest serial number */
    XSync(dpy, False);
    LockDisplay(dpy);
    error.sequenceNumber = dpy->request;
    _XError(dpy, &error);
    UnlockDisplay(dpy);
}
