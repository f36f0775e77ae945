/* SPDX-License-Identifier: MIT */
/*
 * Winsys for X11 with xcb. Buffers are MIT-SHM segments if the server can attach them, else memory
 * sent with PutImage.
 *
 * The connection belongs to the application (usually Xlib), so none of our errors may reach its
 * event queue. Every request is a checked one, and its error is fetched or discarded here.
 *
 * A shared buffer has two segments. present() sends one and maps the other, so the server copies
 * while the next frame is drawn. Before a segment is mapped again, its request is waited for. A
 * frame never waits for the request that it just sent: a request with a reply follows it, so that
 * xcb needs no extra round trip when the segment is waited for. The window's size is requested with
 * one frame and read with the next. A frame with a swap interval waits for the vertical blank that
 * the previous frame requested.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include "indium/winsys.h"
#include "util/macros.h"
#include "util/options.h"
#include "winsys/common/ws_buffer.h"
#include "winsys/common/ws_socket.h"
#include "winsys/x11/ws_x11_blank.h"

struct ws_x11 {
    struct winsys base;
    const struct ws_xcb_api *xcb;
    xcb_connection_t *c;
    struct ws_socket socket; /* socket of the connection */
    xcb_screen_t *screen;
    struct ws_config *configs;
    unsigned n_configs;
    bool shm;           /* atomic: cleared when the server turns out to be remote */
    size_t max_request; /* in bytes */
};

struct ws_x11_segment {
    uint8_t *map;
    xcb_shm_seg_t seg;
    xcb_void_cookie_t put; /* last request that reads the segment */
    bool busy;             /* the result of `put` has not been checked yet */
};

struct ws_x11_drawable {
    struct ws_drawable base;
    xcb_drawable_t id;
    xcb_gcontext_t gc;
    bool is_pixmap;
    bool knows_blank;           /* whether creating `blank` was tried */
    struct ws_x11_blank *blank; /* created for the first frame with an interval; may be NULL */
    bool asked;                 /* the size was requested, its reply not fetched yet */
    xcb_get_geometry_cookie_t size;
    struct ws_x11_segment read; /* for pixels that are read; kept for pixmaps */
    size_t read_size;           /* bytes */
};

struct ws_x11_buffer {
    struct ws_buffer base;
    bool shm;
    unsigned current;                 /* index of the segment that base.map points to */
    struct ws_x11_segment segment[2]; /* [1] is created by the first present */
};

static const struct x11_format {
    enum drv_format format;
    uint8_t depth, bpp;
    uint32_t red, green, blue;
} x11_formats[] = {
    {DRV_FORMAT_B8G8R8X8_UNORM, 24, 32, 0xff0000, 0xff00, 0xff},
    {DRV_FORMAT_B8G8R8A8_UNORM, 32, 32, 0xff0000, 0xff00, 0xff},
    {DRV_FORMAT_R8G8B8X8_UNORM, 24, 32, 0xff, 0xff00, 0xff0000},
    {DRV_FORMAT_R8G8B8A8_UNORM, 32, 32, 0xff, 0xff00, 0xff0000},
    {DRV_FORMAT_B10G10R10A2_UNORM, 30, 32, 0x3ff00000, 0xffc00, 0x3ff},
    {DRV_FORMAT_R10G10B10A2_UNORM, 30, 32, 0x3ff, 0xffc00, 0x3ff00000},
    {DRV_FORMAT_B5G6R5_UNORM, 16, 16, 0xf800, 0x7e0, 0x1f},
    {DRV_FORMAT_B5G5R5X1_UNORM, 15, 16, 0x7c00, 0x3e0, 0x1f},
};

static unsigned bytes_per_pixel(uint8_t depth)
{
    return depth <= 16 ? 2 : 4;
}

/* Returns whether the server stores images of this depth with that many bits per pixel. */
static bool has_pixmap_format(struct ws_x11 *ws, uint8_t depth, uint8_t bpp)
{
    const xcb_setup_t *setup = ws->xcb->get_setup(ws->c);
    const xcb_format_t *formats = ws->xcb->setup_pixmap_formats(setup);

    for (int i = 0; i < ws->xcb->setup_pixmap_formats_length(setup); i++) {
        if (formats[i].depth == depth)
            return formats[i].bits_per_pixel == bpp && formats[i].scanline_pad <= 32;
    }
    return false;
}

static enum drv_format visual_format(struct ws_x11 *ws, uint8_t depth, const xcb_visualtype_t *v)
{
    if (v->_class != XCB_VISUAL_CLASS_TRUE_COLOR && v->_class != XCB_VISUAL_CLASS_DIRECT_COLOR)
        return DRV_FORMAT_NONE;
    for (unsigned i = 0; i < ARRAY_SIZE(x11_formats); i++) {
        if (x11_formats[i].depth == depth && x11_formats[i].red == v->red_mask &&
            x11_formats[i].green == v->green_mask && x11_formats[i].blue == v->blue_mask &&
            has_pixmap_format(ws, depth, x11_formats[i].bpp))
            return x11_formats[i].format;
    }
    return DRV_FORMAT_NONE;
}

static bool list_configs(struct ws_x11 *ws)
{
    const struct ws_xcb_api *xcb = ws->xcb;
    unsigned capacity = 0;

    for (xcb_depth_iterator_t d = xcb->screen_allowed_depths_iterator(ws->screen); d.rem;
         xcb->depth_next(&d))
        capacity += xcb->depth_visuals_length(d.data);
    ws->configs = calloc(MAX2(capacity, 1), sizeof *ws->configs);
    if (!ws->configs)
        return false;
    for (xcb_depth_iterator_t d = xcb->screen_allowed_depths_iterator(ws->screen); d.rem;
         xcb->depth_next(&d)) {
        const xcb_visualtype_t *visuals = xcb->depth_visuals(d.data);

        for (int i = 0; i < xcb->depth_visuals_length(d.data); i++) {
            enum drv_format format = visual_format(ws, d.data->depth, &visuals[i]);

            if (format == DRV_FORMAT_NONE)
                continue;
            ws->configs[ws->n_configs++] = (struct ws_config){
                .format = format,
                .native_id = visuals[i].visual_id,
                .depth = d.data->depth,
                .can_window = true,
                .can_pixmap = true,
            };
        }
    }
    return true;
}

static bool query_shm(struct ws_x11 *ws)
{
    const xcb_query_extension_reply_t *ext;
    xcb_shm_query_version_reply_t *version;

    if (!ws->xcb->shm.extension)
        return false;
    ext = ws->xcb->get_extension_data(ws->c, ws->xcb->shm.extension);
    if (!ext || !ext->present)
        return false;
    version = ws->xcb->shm.query_version_reply(ws->c, ws->xcb->shm.query_version(ws->c), NULL);
    free(version);
    return version != NULL;
}

/* Returns the winsys for an operation that uses the server. If the application has closed its
 * connection, replaces it with one on which every request fails. */
static struct ws_x11 *ws_x11_of(struct winsys *base)
{
    struct ws_x11 *ws = (struct ws_x11 *)base;

    if (!ws_socket_is_open(&ws->socket))
        ws->c = ws->xcb->connect(":", NULL); /* an invalid display name */
    return ws;
}

/* Waits for a request. Returns false if it failed. */
static bool check(struct ws_x11 *ws, xcb_void_cookie_t cookie)
{
    xcb_generic_error_t *error = ws->xcb->request_check(ws->c, cookie);

    free(error);
    return !error && !ws->xcb->connection_has_error(ws->c);
}

static void x11_destroy(struct winsys *base)
{
    struct ws_x11 *ws = (struct ws_x11 *)base;

    if (!ws)
        return;
    free(ws->configs);
    free(ws);
}

static const struct ws_config *x11_get_configs(struct winsys *base, unsigned *count)
{
    struct ws_x11 *ws = (struct ws_x11 *)base;

    *count = ws->n_configs;
    return ws->configs;
}

static const struct ws_config *find_visual(struct ws_x11 *ws, uint32_t id)
{
    for (unsigned i = 0; i < ws->n_configs; i++) {
        if (ws->configs[i].native_id == id)
            return &ws->configs[i];
    }
    return NULL;
}

/* Returns the first config of a depth; a pixmap has a depth but no visual. */
static const struct ws_config *find_depth(struct ws_x11 *ws, uint8_t depth)
{
    for (unsigned i = 0; i < ws->n_configs; i++) {
        if (ws->configs[i].depth == depth)
            return &ws->configs[i];
    }
    return NULL;
}

static const struct ws_config *window_config(struct ws_x11 *ws, xcb_window_t window)
{
    xcb_get_window_attributes_reply_t *attributes;
    xcb_generic_error_t *error = NULL;
    const struct ws_config *config = NULL;

    attributes = ws->xcb->get_window_attributes_reply(
        ws->c, ws->xcb->get_window_attributes(ws->c, window), &error);
    if (attributes && attributes->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT)
        config = find_visual(ws, attributes->visual);
    free(attributes);
    free(error);
    return config;
}

/* Fetches the geometry. Returns NULL if the drawable does not exist. */
static xcb_get_geometry_reply_t *geometry(struct ws_x11 *ws, xcb_drawable_t id)
{
    xcb_generic_error_t *error = NULL;
    xcb_get_geometry_reply_t *reply =
        ws->xcb->get_geometry_reply(ws->c, ws->xcb->get_geometry(ws->c, id), &error);

    free(error);
    return reply;
}

static struct ws_drawable *x11_drawable_create(struct winsys *base, uintptr_t native,
                                               bool is_pixmap, int width, int height)
{
    struct ws_x11 *ws = ws_x11_of(base);
    const struct ws_config *config;
    struct ws_x11_drawable *d = NULL;
    xcb_get_geometry_reply_t *geo = NULL;
    const uint32_t no_exposures = 0;
    int error = 0;

    if (!native || native > UINT32_MAX)
        goto fail;
    geo = geometry(ws, native);
    if (!geo || geo->root != ws->screen->root)
        goto fail;
    config = is_pixmap ? find_depth(ws, geo->depth) : window_config(ws, native);
    if (!config)
        goto fail;
    d = calloc(1, sizeof *d);
    if (!d) {
        error = ENOMEM;
        goto fail;
    }
    d->base = (struct ws_drawable){&ws->base, *config, geo->width, geo->height};
    d->id = native;
    d->is_pixmap = is_pixmap;
    d->gc = ws->xcb->generate_id(ws->c);
    if (!check(ws, ws->xcb->create_gc_checked(ws->c, d->gc, d->id, XCB_GC_GRAPHICS_EXPOSURES,
                                              &no_exposures)))
        goto fail;
    free(geo);
    return &d->base;

fail:
    free(geo);
    free(d);
    errno = error; /* restore, because requests changed it */
    return NULL;
}

static void forget_size(struct ws_x11 *ws, struct ws_x11_drawable *d)
{
    if (d->asked)
        ws->xcb->discard_reply(ws->c, d->size.sequence);
    d->asked = false;
}

static void segment_destroy(struct ws_x11 *ws, struct ws_x11_segment *s);

static void x11_drawable_destroy(struct ws_drawable *base)
{
    struct ws_x11_drawable *d = (struct ws_x11_drawable *)base;
    struct ws_x11 *ws;

    if (!d)
        return;
    ws = ws_x11_of(base->ws);
    forget_size(ws, d);
    ws_x11_blank_destroy(d->blank);
    segment_destroy(ws, &d->read);
    ws->xcb->discard_reply(ws->c, ws->xcb->free_gc_checked(ws->c, d->gc).sequence);
    free(d);
}

/* Applies a reply and frees it. Returns false if geo is NULL (no such drawable). */
static bool take_size(struct ws_drawable *base, xcb_get_geometry_reply_t *geo)
{
    if (!geo)
        return false;
    base->width = geo->width;
    base->height = geo->height;
    free(geo);
    return true;
}

static bool x11_drawable_update(struct ws_drawable *base)
{
    struct ws_x11 *ws = ws_x11_of(base->ws);
    struct ws_x11_drawable *d = (struct ws_x11_drawable *)base;

    forget_size(ws, d); /* it may predate the window's last change */
    return take_size(base, geometry(ws, d->id));
}

static bool x11_drawable_poll(struct ws_drawable *base)
{
    struct ws_x11 *ws = ws_x11_of(base->ws);
    struct ws_x11_drawable *d = (struct ws_x11_drawable *)base;
    xcb_generic_error_t *error = NULL;
    void *reply = NULL;

    if (!d->asked || !ws->xcb->poll_for_reply(ws->c, d->size.sequence, &reply, &error))
        return true;
    d->asked = false;
    free(error);
    return take_size(base, reply);
}

static void ask_size(struct ws_x11 *ws, struct ws_x11_drawable *d)
{
    if (d->asked)
        return;
    d->size = ws->xcb->get_geometry(ws->c, d->id);
    d->asked = true;
}

/* Creates a segment attached by both sides. It is marked for removal at once, so it goes away with
 * its last user in any case. */
static bool segment_create(struct ws_x11 *ws, struct ws_x11_segment *s, size_t size)
{
    int id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
    void *map;
    bool attached;

    if (id < 0)
        return false;
    map = shmat(id, NULL, 0);
    if (map == (void *)-1) {
        shmctl(id, IPC_RMID, NULL);
        return false;
    }
    s->seg = ws->xcb->generate_id(ws->c);
    attached = check(ws, ws->xcb->shm.attach_checked(ws->c, s->seg, id, false));
    shmctl(id, IPC_RMID, NULL);
    if (!attached) {
        shmdt(map);
        return false;
    }
    s->map = map;
    return true;
}

/* Waits until the server has read the segment. Returns false if its request failed. */
static bool segment_wait(struct ws_x11 *ws, struct ws_x11_segment *s)
{
    if (!s->busy)
        return true;
    s->busy = false;
    return check(ws, s->put);
}

static void segment_destroy(struct ws_x11 *ws, struct ws_x11_segment *s)
{
    if (!s->map)
        return;
    segment_wait(ws, s);
    ws->xcb->discard_reply(ws->c, ws->xcb->shm.detach_checked(ws->c, s->seg).sequence);
    shmdt(s->map);
}

static bool uses_shm(const struct ws_x11 *ws)
{
    return __atomic_load_n(&ws->shm, __ATOMIC_RELAXED);
}

static struct ws_buffer *x11_buffer_create(struct winsys *base, struct ws_drawable *d, int width,
                                           int height)
{
    struct ws_x11 *ws = ws_x11_of(base);
    struct ws_x11_buffer *b = ws_buffer_new(sizeof *b, d, width, height, INT16_MAX, 64);

    if (!b)
        return NULL;
    if (uses_shm(ws)) {
        b->shm = segment_create(ws, &b->segment[0], (size_t)b->base.stride * height);
        if (!b->shm)
            __atomic_store_n(&ws->shm, false, __ATOMIC_RELAXED);
    }
    if (b->shm)
        b->base.map = b->segment[0].map;
    if (b->base.map || ws_buffer_alloc(&b->base))
        return &b->base;
    free(b);
    return NULL;
}

static void x11_buffer_destroy(struct ws_buffer *base)
{
    struct ws_x11_buffer *b = (struct ws_x11_buffer *)base;
    struct ws_x11 *ws;

    if (!b)
        return;
    ws = ws_x11_of(base->ws);
    if (!b->shm)
        free(b->base.map);
    segment_destroy(ws, &b->segment[0]);
    segment_destroy(ws, &b->segment[1]);
    free(b);
}

/* Sends a rectangle with PutImage, in bands that fit into a request. Sends nothing if out of
 * memory. */
static bool put_pixels(struct ws_x11 *ws, struct ws_x11_drawable *d, const struct ws_buffer *b,
                       const struct ws_rect *r)
{
    unsigned bpp = bytes_per_pixel(d->base.config.depth);
    size_t row = ALIGN_POT((size_t)r->width * bpp, 4);
    size_t max_bytes = ws->max_request - sizeof(xcb_put_image_request_t) - 8;
    int rows = CLAMP((int)MIN2(max_bytes / row, INT_MAX), 1, r->height);
    uint8_t *staging = malloc(row * rows);
    bool ok = true;

    for (int y = 0; staging && ok && y < r->height; y += rows) {
        int n = MIN2(rows, r->height - y);

        for (int i = 0; i < n; i++)
            memcpy(staging + i * row,
                   b->map + (size_t)(r->y + y + i) * b->stride + (size_t)r->x * bpp,
                   r->width * bpp);
        ok = check(ws, ws->xcb->put_image_checked(ws->c, XCB_IMAGE_FORMAT_Z_PIXMAP, d->id, d->gc,
                                                  r->width, n, r->x, r->y + y, 0,
                                                  d->base.config.depth, n * row, staging));
    }
    free(staging);
    return ok;
}

static void put_shared(struct ws_x11 *ws, struct ws_x11_drawable *d, struct ws_x11_buffer *b,
                       const struct ws_rect *r)
{
    struct ws_x11_segment *s = &b->segment[b->current];
    unsigned bpp = bytes_per_pixel(d->base.config.depth);

    if (s->busy)
        ws->xcb->discard_reply(ws->c, s->put.sequence);
    s->put = ws->xcb->shm.put_image_checked(
        ws->c, d->id, d->gc, b->base.stride / bpp, b->base.height, r->x, r->y, r->width, r->height,
        r->x, r->y, d->base.config.depth, XCB_IMAGE_FORMAT_Z_PIXMAP, false, s->seg, 0);
    s->busy = true;
}

/* Maps the other segment; waits for the only one if there is no memory for a second. */
static bool flip_segments(struct ws_x11 *ws, struct ws_x11_buffer *b)
{
    struct ws_x11_segment *next = &b->segment[!b->current];

    if (!next->map && !segment_create(ws, next, (size_t)b->base.stride * b->base.height))
        return segment_wait(ws, &b->segment[b->current]);
    b->current = !b->current;
    b->base.map = next->map;
    return segment_wait(ws, next);
}

/* Returns the window's blank counter, or NULL if there is none. */
static struct ws_x11_blank *counter(struct ws_x11 *ws, struct ws_x11_drawable *d)
{
    if (d->is_pixmap)
        return NULL;
    if (!d->knows_blank)
        d->blank = ws_x11_blank_create(ws->xcb, &ws->c, d->id);
    d->knows_blank = true;
    return d->blank;
}

static bool x11_get_blank(struct ws_drawable *base, struct ws_blank *blank)
{
    struct ws_x11_blank *b = counter(ws_x11_of(base->ws), (struct ws_x11_drawable *)base);

    return b && ws_x11_blank_get(b, blank);
}

static bool x11_get_blank_rate(struct winsys *base, uint32_t *numerator, uint32_t *denominator)
{
    struct ws_x11 *ws = ws_x11_of(base);

    return ws_x11_blank_rate(ws->xcb, ws->c, ws->screen->root, numerator, denominator);
}

static bool x11_present(struct ws_drawable *base, struct ws_buffer *buffer,
                        const struct ws_rect *rects, unsigned n_rects, int interval)
{
    struct ws_x11 *ws = ws_x11_of(base->ws);
    struct ws_x11_drawable *d = (struct ws_x11_drawable *)base;
    struct ws_x11_buffer *b = (struct ws_x11_buffer *)buffer;
    const struct ws_rect all = {0, 0, buffer->width, buffer->height};
    struct ws_x11_blank *blank =
        interval > 0 && !util_get_options()->no_vblank ? counter(ws, d) : NULL;
    bool ok = true;

    if (n_rects == 0) {
        rects = &all;
        n_rects = 1;
    }
    if (blank && !ws_x11_blank_wait(blank))
        return false;
    ask_size(ws, d);
    for (unsigned i = 0; i < n_rects && ok; i++) {
        const struct ws_rect *rect = &rects[i];
        int x0 = MAX2(rect->x, 0), x1 = MIN2((int64_t)rect->x + rect->width, buffer->width);
        int y0 = MAX2(rect->y, 0), y1 = MIN2((int64_t)rect->y + rect->height, buffer->height);
        const struct ws_rect r = {x0, y0, x1 - x0, y1 - y0};

        if (x0 >= x1 || y0 >= y1)
            continue;
        if (b->shm)
            put_shared(ws, d, b, &r);
        else
            ok = put_pixels(ws, d, buffer, &r);
    }
    if (blank)
        ws_x11_blank_request(blank, interval);
    if (b->shm) /* gives segment_wait a reply to wait for */
        ws->xcb->discard_reply(ws->c, ws->xcb->get_input_focus(ws->c).sequence);
    ws->xcb->flush(ws->c);
    if (b->shm)
        ok = flip_segments(ws, b);
    return ok && !ws->xcb->connection_has_error(ws->c);
}

/* Returns the drawable's segment for reads of `size` bytes, or NULL if it cannot be created. */
static struct ws_x11_segment *read_segment(struct ws_x11 *ws, struct ws_x11_drawable *d,
                                           size_t size)
{
    if (d->read.map && d->read_size >= size)
        return &d->read;
    segment_destroy(ws, &d->read);
    d->read = (struct ws_x11_segment){0};
    d->read_size = size;
    return segment_create(ws, &d->read, size) ? &d->read : NULL;
}

static bool read_shared(struct ws_x11 *ws, struct ws_x11_drawable *d, struct ws_buffer *b,
                        int width, int height)
{
    size_t row = ALIGN_POT((size_t)width * bytes_per_pixel(d->base.config.depth), 4);
    struct ws_x11_segment *image = read_segment(ws, d, row * height);
    xcb_shm_get_image_reply_t *reply;
    xcb_generic_error_t *error = NULL;

    if (!image)
        return false;
    reply = ws->xcb->shm.get_image_reply(ws->c,
                                         ws->xcb->shm.get_image(ws->c, d->id, 0, 0, width, height,
                                                                ~0u, XCB_IMAGE_FORMAT_Z_PIXMAP,
                                                                image->seg, 0),
                                         &error);
    for (int y = 0; reply && y < height; y++)
        memcpy(b->map + (size_t)y * b->stride, image->map + y * row, row);
    if (!d->is_pixmap) { /* the contents of windows are rarely read again */
        segment_destroy(ws, image);
        *image = (struct ws_x11_segment){0};
    }
    free(reply);
    free(error);
    return reply != NULL;
}

static bool x11_read_back(struct ws_drawable *base, struct ws_buffer *buffer)
{
    struct ws_x11 *ws = ws_x11_of(base->ws);
    struct ws_x11_drawable *d = (struct ws_x11_drawable *)base;
    int width = MIN2(buffer->width, base->width), height = MIN2(buffer->height, base->height);
    size_t row = ALIGN_POT((size_t)width * bytes_per_pixel(base->config.depth), 4);
    xcb_get_image_reply_t *reply;
    xcb_generic_error_t *error = NULL;
    bool ok;

    if (uses_shm(ws))
        return read_shared(ws, d, buffer, width, height);
    reply = ws->xcb->get_image_reply(
        ws->c,
        ws->xcb->get_image(ws->c, XCB_IMAGE_FORMAT_Z_PIXMAP, d->id, 0, 0, width, height, ~0u),
        &error);
    ok = reply && (size_t)reply->length * 4 >= row * height;
    for (int y = 0; ok && y < height; y++)
        memcpy(buffer->map + (size_t)y * buffer->stride, ws->xcb->get_image_data(reply) + y * row,
               row);
    free(reply);
    free(error);
    return ok;
}

static const struct winsys_ops x11_ops = {
    .name = "x11",
    .destroy = x11_destroy,
    .get_configs = x11_get_configs,
    .drawable_create = x11_drawable_create,
    .drawable_destroy = x11_drawable_destroy,
    .drawable_update = x11_drawable_update,
    .drawable_poll = x11_drawable_poll,
    .buffer_create = x11_buffer_create,
    .buffer_destroy = x11_buffer_destroy,
    .presents_damage_only = true,
    .present = x11_present,
    .get_blank = x11_get_blank,
    .get_blank_rate = x11_get_blank_rate,
    .read_back = x11_read_back,
};

struct winsys *ws_x11_create(void *connection, int screen)
{
    const struct ws_xcb_api *xcb = ws_xcb_load();
    const uint16_t probe = 1;
    bool little_endian = *(const uint8_t *)&probe;
    xcb_screen_iterator_t it;
    struct ws_x11 *ws;

    errno = 0;
    if (!xcb || !connection || screen < 0 || xcb->connection_has_error(connection))
        return NULL;
    ws = calloc(1, sizeof *ws);
    if (!ws)
        return NULL;
    ws->base.ops = &x11_ops;
    ws->xcb = xcb;
    ws->c = connection;
    ws->socket = ws_socket_of(xcb->get_file_descriptor(connection));
    it = xcb->setup_roots_iterator(xcb->get_setup(ws->c));
    for (int i = 0; i < screen && it.rem; i++)
        xcb->screen_next(&it);
    /* images use the server's byte order, which must be ours */
    if (!it.rem ||
        (xcb->get_setup(ws->c)->image_byte_order == XCB_IMAGE_ORDER_LSB_FIRST) != little_endian) {
        free(ws);
        errno = 0;
        return NULL;
    }
    ws->screen = it.data;
    ws->max_request = (size_t)xcb->get_maximum_request_length(ws->c) * 4;
    ws->shm = query_shm(ws);
    if (!list_configs(ws)) {
        free(ws);
        errno = ENOMEM;
        return NULL;
    }
    return &ws->base;
}
