/* SPDX-License-Identifier: MIT */
/* Waiting for vertical blanks of a window, which the X server's Present extension counts. */
#ifndef WS_X11_BLANK_H
#define WS_X11_BLANK_H

#include "indium/winsys.h"
#include "winsys/x11/ws_x11_xcb.h"

struct ws_x11_blank;

/* Creates the state for a window. *connection is the winsys's current connection, which may change;
 * the pointer must stay valid as long as the state. Returns NULL if the server lacks Present, the
 * window is gone, or when out of memory. */
struct ws_x11_blank *ws_x11_blank_create(const struct ws_xcb_api *xcb,
                                         xcb_connection_t *const *connection, xcb_window_t window);
void ws_x11_blank_destroy(struct ws_x11_blank *b); /* may be NULL */

/* Requests an event at the vertical blank that is `interval` blanks after the blank of the last
 * requested event. The event comes at once if that blank has passed, or if no event has arrived
 * since the state was created or ws_x11_blank_wait last timed out. Does nothing if a requested
 * event is still pending. Doesn't block. */
void ws_x11_blank_request(struct ws_x11_blank *b, unsigned interval);
/* Waits for the event of ws_x11_blank_request if one is pending, and doesn't wait otherwise. Times
 * out after 250 ms plus 20 ms for each blank of the requested interval, because hidden windows may
 * have no blanks; the event is then no longer pending. Returns false if the window or connection is
 * gone, else true, also after a timeout. */
bool ws_x11_blank_wait(struct ws_x11_blank *b);

/* Asks the server for the last vertical blank and stores it. Doesn't affect a pending request of
 * ws_x11_blank_request. Returns false if the window or connection is gone, or the server doesn't
 * answer within 250 ms; *blank is then unchanged. */
bool ws_x11_blank_get(struct ws_x11_blank *b, struct ws_blank *blank);

/* Stores the refresh rate, in Hz as a reduced fraction, of the first active monitor of the screen
 * with the root window `root`. Returns false, with the fraction undefined, if the server lacks
 * RandR 1.3, no monitor is active, or the monitor's mode has no timings. */
bool ws_x11_blank_rate(const struct ws_xcb_api *xcb, xcb_connection_t *c, xcb_window_t root,
                       uint32_t *numerator, uint32_t *denominator);

#endif
