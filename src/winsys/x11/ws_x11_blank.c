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
    uint32_t serial; /* serial number of the last request of either kind */
    /* For frames: the last ws_x11_blank_request. */
    uint32_t frame_serial;
    uint64_t count; /* blank count at the last event; 0: none yet */
    unsigned interval;
    bool asked; /* an event is pending */
    /* For ws_x11_blank_get. */
    uint32_t get_serial;
    bool got; /* `last` has arrived */
    struct ws_blank last;
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
    b->frame_serial = ++b->serial;
    cookie = b->xcb->present.notify_msc_checked(*b->c, b->window, b->frame_serial,
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

        if (e->event_type == XCB_PRESENT_COMPLETE_NOTIFY && e->serial == b->frame_serial) {
            b->count = e->msc;
            b->asked = false;
        } else if (e->event_type == XCB_PRESENT_COMPLETE_NOTIFY && e->serial == b->get_serial) {
            b->last = (struct ws_blank){.count = e->msc, .time = e->ust};
            b->got = true;
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

enum wait_result { ARRIVED, TIMED_OUT, NO_WINDOW };

/* Takes events until *flag has the value `until`, for at most `patience` milliseconds. */
static enum wait_result wait_for(struct ws_x11_blank *b, const bool *flag, bool until,
                                 uint64_t patience)
{
    struct pollfd fd = {.fd = b->xcb->get_file_descriptor(*b->c), .events = POLLIN};
    unsigned waited = 0, seen = 0; /* summed poll timeouts: a preloaded clock may stand still */

    for (;;) {
        take_events(b);
        if (b->xcb->connection_has_error(*b->c))
            return NO_WINDOW;
        if (*flag == until)
            return ARRIVED;
        if (waited > patience)
            return TIMED_OUT;
        if (waited - seen > ALIVE_MS) {
            if (!window_exists(b))
                return NO_WINDOW;
            seen = waited;
        }
        /* only a reply can be waited for reliably; reading it fills the queue */
        if (poll(&fd, 1, LOOK_MS) > 0)
            free(b->xcb->get_input_focus_reply(*b->c, b->xcb->get_input_focus(*b->c), NULL));
        else
            waited += LOOK_MS;
    }
}

bool ws_x11_blank_wait(struct ws_x11_blank *b)
{
    const enum wait_result result =
        wait_for(b, &b->asked, false, PATIENCE_MS + 20ull * b->interval);

    if (result == TIMED_OUT) {
        b->asked = false; /* a late event has an older serial */
        b->count = 0;
    }
    return result != NO_WINDOW;
}

bool ws_x11_blank_get(struct ws_x11_blank *b, struct ws_blank *blank)
{
    xcb_void_cookie_t cookie;

    b->got = false;
    b->get_serial = ++b->serial;
    cookie = b->xcb->present.notify_msc_checked(*b->c, b->window, b->get_serial, 0, 0, 0);
    b->xcb->discard_reply(*b->c, cookie.sequence);
    /* the event precedes this reply, so it is usually in the queue afterwards */
    free(b->xcb->get_input_focus_reply(*b->c, b->xcb->get_input_focus(*b->c), NULL));
    if (wait_for(b, &b->got, true, PATIENCE_MS) != ARRIVED)
        return false;
    *blank = b->last;
    return true;
}

/* Returns the timings of the mode that the first active monitor shows, or NULL. */
static const xcb_randr_mode_info_t *
active_mode(const struct ws_xcb_api *xcb, xcb_connection_t *c,
            const xcb_randr_get_screen_resources_current_reply_t *resources)
{
    const xcb_randr_crtc_t *crtcs = xcb->randr.get_screen_resources_current_crtcs(resources);
    const xcb_randr_mode_info_t *modes = xcb->randr.get_screen_resources_current_modes(resources);
    xcb_randr_mode_t shown = XCB_NONE;

    for (int i = 0; i < resources->num_crtcs && shown == XCB_NONE; i++) {
        xcb_randr_get_crtc_info_reply_t *info = xcb->randr.get_crtc_info_reply(
            c, xcb->randr.get_crtc_info(c, crtcs[i], resources->config_timestamp), NULL);

        if (info)
            shown = info->mode;
        free(info);
    }
    for (int i = 0; i < resources->num_modes && shown != XCB_NONE; i++) {
        if (modes[i].id == shown)
            return &modes[i];
    }
    return NULL;
}

static bool mode_rate(const xcb_randr_mode_info_t *mode, uint32_t *numerator, uint32_t *denominator)
{
    uint64_t n = mode->dot_clock, d = (uint64_t)mode->htotal * mode->vtotal;

    if (mode->mode_flags & XCB_RANDR_MODE_FLAG_INTERLACE)
        n *= 2;
    if (mode->mode_flags & XCB_RANDR_MODE_FLAG_DOUBLE_SCAN)
        d *= 2;
    if (n == 0 || d == 0)
        return false;
    uint64_t a = n, b = d;
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    *numerator = (uint32_t)(n / a);
    *denominator = (uint32_t)(d / a);
    return n / a <= UINT32_MAX && d / a <= UINT32_MAX;
}

bool ws_x11_blank_rate(const struct ws_xcb_api *xcb, xcb_connection_t *c, xcb_window_t root,
                       uint32_t *numerator, uint32_t *denominator)
{
    const xcb_query_extension_reply_t *ext =
        xcb->randr.extension ? xcb->get_extension_data(c, xcb->randr.extension) : NULL;

    if (!ext || !ext->present)
        return false;
    xcb_randr_query_version_reply_t *version =
        xcb->randr.query_version_reply(c, xcb->randr.query_version(c, 1, 3), NULL);
    const bool recent = version && (version->major_version > 1 || version->minor_version >= 3);
    free(version);
    xcb_randr_get_screen_resources_current_reply_t *resources =
        recent ? xcb->randr.get_screen_resources_current_reply(
                     c, xcb->randr.get_screen_resources_current(c, root), NULL)
               : NULL;
    const xcb_randr_mode_info_t *mode = resources ? active_mode(xcb, c, resources) : NULL;
    const bool known = mode && mode_rate(mode, numerator, denominator);
    free(resources);
    return known;
}
