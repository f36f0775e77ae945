/* SPDX-License-Identifier: MIT */
/*
 * The window system interface: allocates displayable memory and presents it.
 *
 * A winsys creates linear buffers (ws_buffer) and drawables that present them (ws_drawable). It
 * knows nothing about GL or drivers: src/target renders through the core into the CPU mapping of a
 * ws_buffer and asks the winsys to present it.
 *
 * Threads: any thread may use a winsys, but only one at a time per drawable. Implementations lock
 * where their connection requires it. A function that returns a pointer returns NULL on failure and
 * has then changed nothing; the caller translates that into the error code of its API.
 */
#ifndef INDIUM_WINSYS_H
#define INDIUM_WINSYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/format.h"

/* A rectangle in pixels; the origin is at the top left. */
struct ws_rect {
    int x, y;
    int width, height; /* > 0 */
};

/* A configuration of drawables. */
struct ws_config {
    enum drv_format format; /* color format of the buffers */
    uint32_t native_id;     /* X visual ID or wl_shm format; headless: 0 */
    uint8_t depth;          /* the platform's depth in bits (X: significant bits per pixel) */
    bool can_window, can_pixmap;
};

/* A linear image that can be presented. Its creator owns it and frees it with buffer_destroy. */
struct ws_buffer {
    struct winsys *ws;
    int width, height; /* pixels */
    enum drv_format format;
    uint32_t stride; /* bytes between rows, a multiple of 64 */
    uint8_t *map;    /* row 0 is the top row; writable while the buffer is not being presented */
};

/* A window, pixmap or offscreen surface. */
struct ws_drawable {
    struct winsys *ws;
    struct ws_config config;
    int width, height; /* pixels, as of the last drawable_update */
};

struct winsys_ops {
    const char *name; /* "x11", "wayland", "headless" */

    void (*destroy)(struct winsys *ws);

    /* Returns the configurations of drawables and their number in *count. The winsys owns the
     * array, which never changes. */
    const struct ws_config *(*get_configs)(struct winsys *ws, unsigned *count);

    /* Wraps a native window or pixmap, which remains the caller's. A headless winsys ignores
     * `native`; only it uses width and height. Returns NULL if the native object does not exist, or
     * with errno ENOMEM if there is no memory. */
    struct ws_drawable *(*drawable_create)(struct winsys *ws, uintptr_t native, bool is_pixmap,
                                           int width, int height);
    void (*drawable_destroy)(struct ws_drawable *d);

    /* Updates width and height from the native object. Returns false if the object no longer
     * exists; the size is then unchanged. May be called often; it is cheap if nothing changed. */
    bool (*drawable_update)(struct ws_drawable *d);
    /* True: drawable_update must not be called between a present and the first command of the next
     * frame. */
    bool defers_update_after_present;
    /* Like drawable_update, but never waits; it may report a new size some presents late. NULL if
     * drawable_update never waits. */
    bool (*drawable_poll)(struct ws_drawable *d);

    struct ws_buffer *(*buffer_create)(struct winsys *ws, struct ws_drawable *d, int width,
                                       int height);
    void (*buffer_destroy)(struct ws_buffer *b); /* waits until it is no longer being presented */

    /* True: `present` reads only the given rectangles of the buffer. */
    bool presents_damage_only;
    /* Presents the given rectangles of b, or all of it if n_rects is 0. Returns when b->map may be
     * written again. `interval` is the minimum number of frames between two presents, 0 for none;
     * ignored by a winsys without vertical blank. Rectangles for which there is no memory are
     * dropped. Returns false if the drawable no longer exists. */
    bool (*present)(struct ws_drawable *d, struct ws_buffer *b, const struct ws_rect *rects,
                    unsigned n_rects, int interval);

    /* Copies the displayed pixels to b, for pixmaps and front-buffer reads. Returns false if they
     * cannot be read. */
    bool (*read_back)(struct ws_drawable *d, struct ws_buffer *b);
};

struct winsys {
    const struct winsys_ops *ops;
};

/* Creates a winsys that needs no server and no device. If dir is not NULL, it writes one PNG file
 * per present to that directory (created if missing): frame-00000.png and so on. */
struct winsys *ws_headless_create(const char *dir);

/* Creates a winsys on an xcb_connection_t *, which remains the caller's and must outlive the
 * winsys. It uses MIT-SHM if the server supports it and shares memory with this process, else
 * PutImage. Returns NULL if the screen has no usable visual, or with errno ENOMEM if there is no
 * memory. */
struct winsys *ws_x11_create(void *connection, int screen);

/* Creates a winsys on a struct wl_display *, which remains the caller's and must outlive the
 * winsys. NULL opens a separate connection to the default display. Native windows are struct
 * wl_egl_window *; the caller writes the format of a drawable to its config. Returns NULL if there
 * is no compositor or no libwayland-client. */
struct winsys *ws_wayland_create(void *display);

#endif
