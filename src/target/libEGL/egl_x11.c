/* SPDX-License-Identifier: MIT */
/* X11 platform; opens libxcb at run time. */
#include <dlfcn.h>
#include <stdlib.h>

#include "target/libEGL/egl_private.h"
#include "winsys/x11/ws_x11_xcb.h"

#include <X11/Xlib.h>

bool egl_x11_is_display(const void *native)
{
    const _XPrivDisplay dpy = (_XPrivDisplay)native;
    Dl_info info;

    return egl_is_mapped(&dpy->resource_alloc) && dladdr((void *)dpy->resource_alloc, &info);
}

/* Returns the xcb connection of the native display. Sets *owned if it was opened here. */
static xcb_connection_t *connection_of(const struct ws_xcb_api *xcb, const struct egl_display *d,
                                       int *screen, bool *owned)
{
    xcb_connection_t *c;

    *owned = d->handle == NULL;
    if (d->handle)
        return d->platform == EGL_ON_XCB ? d->handle
               : xcb->get_xcb_connection ? xcb->get_xcb_connection(d->handle)
                                         : NULL;
    c = xcb->connect(NULL, screen);
    if (c && xcb->connection_has_error(c)) {
        xcb->disconnect(c);
        c = NULL;
    }
    return c;
}

static xcb_screen_t *find_screen(const struct ws_xcb_api *xcb, xcb_connection_t *c, int number)
{
    xcb_screen_iterator_t it = xcb->setup_roots_iterator(xcb->get_setup(c));

    while (it.rem && number-- > 0)
        xcb->screen_next(&it);
    return it.rem ? it.data : NULL;
}

struct egl_native *egl_x11_open(struct egl_display *d, uint32_t *root_visual)
{
    const struct ws_xcb_api *xcb = ws_xcb_load();
    struct egl_native *native = xcb ? calloc(1, sizeof *native) : NULL;
    int screen = 0;
    bool owned = false;
    xcb_connection_t *c = native ? connection_of(xcb, d, &screen, &owned) : NULL;

    if (d->screen >= 0)
        screen = d->screen;
    if (c)
        native->ws = ws_x11_create(c, screen);
    if (!native || !native->ws) {
        if (c && owned)
            xcb->disconnect(c);
        free(native);
        return NULL;
    }
    native->refs = 1;
    native->owned_connection = owned ? c : NULL;
    *root_visual = find_screen(xcb, c, screen)->root_visual;
    return native;
}

void egl_x11_close(void *connection)
{
    ws_xcb_load()->disconnect(connection);
}
