/* SPDX-License-Identifier: MIT */
/* Vertical blanks of a window, as counted by the X server's Present extension. */
#ifndef WS_X11_BLANK_H
#define WS_X11_BLANK_H

#include "winsys/x11/ws_x11_xcb.h"

struct ws_x11_blank;

/* Creates the state of a window. Returns NULL if the server has no Present, the window is gone, or
 * memory runs out. *connection is the winsys's current connection; it may change. */
struct ws_x11_blank *ws_x11_blank_create(const struct ws_xcb_api *xcb,
                                         xcb_connection_t *const *connection, xcb_window_t window);
void ws_x11_blank_destroy(struct ws_x11_blank *b); /* may be NULL */

/* Requests an event at the interval-th blank after the last one waited for. Doesn't block. */
void ws_x11_blank_request(struct ws_x11_blank *b, unsigned interval);
/* Waits for the requested blank, if any, with a timeout because hidden windows may have no blanks.
 * Returns false if the window or connection is gone. */
bool ws_x11_blank_wait(struct ws_x11_blank *b);

#endif
