/* SPDX-License-Identifier: MIT */
/* Vertical blanks where a window is shown, as the server's Present extension counts them. */
#ifndef WS_X11_BLANK_H
#define WS_X11_BLANK_H

#include "winsys/x11/ws_x11_xcb.h"

struct ws_x11_blank;

/* NULL: the server does not count them, the window is gone, or no memory. The connection is the one that
 * the winsys has at a time. */
struct ws_x11_blank *ws_x11_blank_create(const struct ws_xcb *xcb,
                                         xcb_connection_t *const *connection, xcb_window_t window);
void ws_x11_blank_destroy(struct ws_x11_blank *b); /* NULL is fine */

/* Has the server tell of the interval-th blank after the last that was waited for. Nothing waits. */
void ws_x11_blank_ask(struct ws_x11_blank *b, unsigned interval);
/* Waits for the blank that was asked for, if one was, and no longer than for one that comes: a hidden
 * window may have none. False: the window is gone, or the connection. */
bool ws_x11_blank_wait(struct ws_x11_blank *b);

#endif
