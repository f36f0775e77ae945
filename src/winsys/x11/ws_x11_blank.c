/* SPDX-License-Identifier: MIT */
/*
 * The events arrive in a special event queue of xcb, so the application does not see them.
 * Whichever thread reads the connection fills the queue.
 */
#include "winsys/x11/ws_x11_blank.h"

#include <poll.h>
#include <stdlib.h>

#define PATIENCE_MS 250 /* timeout, plus the duration of the interval at 50 Hz */
#define ALIVE_MS    100 /* how often a waiting frame checks that the window exists */
#define LOOK_MS     4   /* poll interval; another thread may read the event */

struct ws_x11_blank {
    const struct ws_xcb_api *xcb;
    xcb_connection_t *const *c; /* owned by the winsys */
    xcb_window_t window;
    uint32_t events; /* id of the event selection */
    xcb_special_event_t *queue;
    uint32_t serial; /* of the last request */
    uint64_t count;  /* blank count at the last event; 0: none yet */
    unsigned interval;
    bool asked; /* an event is pending */
};

static bool check(const struct ws_xcb_api *xcb, xcb_connection_t *c, xcb_void_cookie_t cookie)
{
    xcb_generic_error_t *error = xcb->request_check(c, cookie);

    free(error);
    return !error && !xcb->connection_has_error(c);
}

static bool has_present(const struct ws_xcb_api *xcb, xcb_connection_t *c)
{
    const xcb_query_extension_reply_t *ext =
        xcb->present.extension ? xcb->get_extension_data(c, xcb->present.extension) : NULL;
    xcb_present_query_version_reply_t *version;

    if (!ext || !ext->present)
        return false;
    version = xcb->present.query_version_reply(c, xcb->present.query_version(c, 1, 0), NULL);
    free(version);
    return version != NULL;
}

struct ws_x11_blank *ws_x11_blank_create(const struct ws_xcb_api *xcb,
                                         xcb_connection_t *const *connection, xcb_window_t window)
{
    xcb_connection_t *c = *connection;
    struct ws_x11_blank *b = has_present(xcb, c) ? calloc(1, sizeof *b) : NULL;

    if (!b)
        return NULL;
    *b = (struct ws_x11_blank){.xcb = xcb, .c = connection, .window = window};
    b->events = xcb->generate_id(c);
    b->queue = xcb->register_for_special_xge(c, xcb->present.extension, b->events, NULL);
    if (!b->queue || !check(xcb, c,
                            xcb->present.select_input_checked(
                                c, b->events, window, XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY))) {
        ws_x11_blank_destroy(b);
        return NULL;
    }
    return b;
}

void ws_x11_blank_destroy(struct ws_x11_blank *b)
{
    if (!b)
        return;
    if (b->queue) {
        /* the server deletes the selection with the window and then reports an error, which is ours
         * to drop */
        b->xcb->discard_reply(
            *b->c, b->xcb->present.select_input_checked(*b->c, b->events, b->window, 0).sequence);
        b->xcb->unregister_for_special_event(*b->c, b->queue);
    }
    free(b);
}

void ws_x11_blank_request(struct ws_x11_blank *b, unsigned interval)
{
    xcb_void_cookie_t cookie;

    if (b->asked)
        return;
    /* a blank in the past is reported immediately */
    cookie = b->xcb->present.notify_msc_checked(*b->c, b->window, ++b->serial,
                                                b->count ? b->count + interval : 0, 0, 0);
    b->xcb->discard_reply(*b->c, cookie.sequence);
    b->interval = interval;
    b->asked = true;
}

static void take_events(struct ws_x11_blank *b)
{
    xcb_generic_event_t *event;

    while ((event = b->xcb->poll_for_special_event(*b->c, b->queue))) {
        const xcb_present_complete_notify_event_t *e = (const void *)event;

        if (e->event_type == XCB_PRESENT_COMPLETE_NOTIFY && e->serial == b->serial) {
            b->count = e->msc;
            b->asked = false;
        }
        free(event);
    }
}

static bool window_exists(struct ws_x11_blank *b)
{
    xcb_generic_error_t *error = NULL;
    xcb_get_geometry_reply_t *reply =
        b->xcb->get_geometry_reply(*b->c, b->xcb->get_geometry(*b->c, b->window), &error);

    free(reply);
    free(error);
    return reply != NULL;
}

bool ws_x11_blank_wait(struct ws_x11_blank *b)
{
    struct pollfd fd = {.fd = b->xcb->get_file_descriptor(*b->c), .events = POLLIN};
    unsigned waited = 0, seen = 0; /* summed poll timeouts: a preloaded clock may stand still */

    for (;;) {
        take_events(b);
        if (!b->asked || b->xcb->connection_has_error(*b->c))
            break;
        if (waited > PATIENCE_MS + 20ull * b->interval) {
            b->asked = false; /* a late event has an older serial */
            b->count = 0;
            break;
        }
        if (waited - seen > ALIVE_MS) {
            if (!window_exists(b))
                return false;
            seen = waited;
        }
        /* only a reply can be waited for reliably; reading it fills the queue */
        if (poll(&fd, 1, LOOK_MS) > 0)
            free(b->xcb->get_input_focus_reply(*b->c, b->xcb->get_input_focus(*b->c), NULL));
        else
            waited += LOOK_MS;
    }
    return !b->xcb->connection_has_error(*b->c);
}
