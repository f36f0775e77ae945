/* SPDX-License-Identifier: MIT */
/*
 * The winsys contract: getting displayable memory and showing it.
 *
 * A winsys makes linear buffers that can be shown (ws_buffer) and knows drawables that show them
 * (ws_drawable). It knows nothing of GL or drivers: src/target renders through the core into a
 * ws_buffer's CPU mapping and asks the winsys to show it.
 *
 * A winsys object may be used by any thread, one at a time per drawable; implementations lock
 * where their connection requires it. Functions that return a pointer return NULL on failure and
 * have then changed nothing; the caller maps that to its own error code.
 */
#ifndef INDIUM_WINSYS_H
#define INDIUM_WINSYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/format.h"

struct ws_rect {
    int x, y;          /* pixels, origin at the top left */
    int width, height; /* pixels, > 0 */
};

/* What a drawable looks like; sizes in bits. */
struct ws_config {
    enum drv_format format; /* color format of its buffers */
    uint32_t native_id;     /* the platform's name: X visual id, wl_shm format, 0 headless */
    uint8_t depth;          /* the platform's depth (X: bits per pixel that are significant) */
    bool can_window, can_pixmap;
};

/* One linear image that can be shown. Owned by its creator, freed with buffer_destroy. */
struct ws_buffer {
    struct winsys *ws;
    int width, height; /* pixels */
    enum drv_format format;
    uint32_t stride; /* bytes from one row to the next, multiple of 64 */
    uint8_t *map;    /* row 0 is the top row; writable while the buffer is not being shown */
};

struct ws_drawable {
    struct winsys *ws;
    struct ws_config config;
    int width, height; /* as of the last drawable_update */
};

struct winsys_ops {
    const char *name; /* "x11", "headless" */

    void (*destroy)(struct winsys *ws);

    /* The configurations of drawables; *count of them, owned by the winsys, constant. */
    const struct ws_config *(*get_configs)(struct winsys *ws, unsigned *count);

    /* Wraps a native window or pixmap, which stays the caller's; headless: native is ignored and
     * width and height count. NULL: there is none such, or no memory, and errno is ENOMEM. */
    struct ws_drawable *(*drawable_create)(struct winsys *ws, uintptr_t native, bool is_pixmap,
                                           int width, int height);
    void (*drawable_destroy)(struct ws_drawable *d);

    /* Brings width and height up to date with the native object. False: it is gone (the size
     * stays as it was). May be called often; cheap when nothing changed. */
    bool (*drawable_update)(struct ws_drawable *d);
    /* It may not be called between a present and the first command of the next frame. */
    bool updates_late;
    /* The same without waiting: may tell of a new size some presents late. NULL: drawable_update
     * does not wait. */
    bool (*drawable_poll)(struct ws_drawable *d);

    struct ws_buffer *(*buffer_create)(struct winsys *ws, struct ws_drawable *d, int width,
                                       int height);
    void (*buffer_destroy)(struct ws_buffer *b); /* waits until it is not being shown */

    /* Present reads no more of the buffer than the rectangles that it shows. */
    bool shows_rects;
    /* Shows the rectangles (all of it when n_rects is 0) of b. Returns once map may be written
     * again. interval: least number of frames between two presents, 0 for none; a winsys without
     * vertical blank ignores it. What there is no memory for is not shown. False: the drawable is
     * gone. */
    bool (*present)(struct ws_drawable *d, struct ws_buffer *b, const struct ws_rect *rects,
                    unsigned n_rects, int interval);

    /* Copies what is shown into b (for pixmaps and front-buffer reads). False: not possible. */
    bool (*read_back)(struct ws_drawable *d, struct ws_buffer *b);
};

struct winsys {
    const struct winsys_ops *ops;
};

/* Writes frames as PNG into directory dir (created if missing) if it is not NULL, one file per
 * present: frame-00000.png and so on. Needs no server and no device. */
struct winsys *ws_headless_create(const char *dir);

/* connection: an xcb_connection_t *, which stays the caller's and must outlive the winsys. Uses MIT-SHM
 * where the server has it and shares memory with us, else PutImage. NULL: there is nothing to draw on, or
 * no memory, and errno is ENOMEM. */
struct winsys *ws_x11_create(void *connection, int screen);

/* display: a struct wl_display *, which stays the caller's and must outlive the winsys, or NULL: a
 * connection of its own to the default one. Native windows are struct wl_egl_window *, whose
 * drawables take the format that the caller writes into their config. NULL where there is no
 * compositor or no libwayland-client. */
struct winsys *ws_wayland_create(void *display);

#endif
