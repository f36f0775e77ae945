/* SPDX-License-Identifier: MIT */
/*
 * The window system interface: allocates displayable memory and presents it.
 *
 * A winsys creates drawables (ws_drawable) and linear buffers to present on them (ws_buffer). It
 * doesn't depend on GL or a driver: src/target renders through the core, copies the result to the
 * CPU mapping of a ws_buffer, and calls `present`.
 *
 * Threads: several threads may use a winsys at once, but only one at a time may use a drawable and
 * its buffers. A function that returns a pointer returns NULL on failure and has then changed
 * nothing; the caller translates that into the error code of its API.
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

/* A kind of drawable that a winsys supports. */
struct ws_config {
    enum drv_format format;      /* color format of the buffers */
    uint32_t native_id;          /* X visual ID, wl_shm format or GBM format; 0 if none of these */
    uint8_t depth;               /* significant bits per pixel (depth of an X visual) */
    bool can_window, can_pixmap; /* whether windows and pixmaps can have this config */
};

/* A linear image that can be presented. The caller of buffer_create owns it and must free it with
 * buffer_destroy. */
struct ws_buffer {
    struct winsys *ws;
    int width, height; /* pixels */
    enum drv_format format;
    uint32_t stride; /* bytes between rows */
    uint8_t *map;    /* address of the top left pixel; rows go down. `present` may change it. */
};

/* A vertical blank of the screen that shows a window. */
struct ws_blank {
    uint64_t count; /* number of blanks since the screen was set up */
    uint64_t time;  /* microseconds of a monotonic clock */
};

/* A window, pixmap or offscreen surface. */
struct ws_drawable {
    struct winsys *ws;
    struct ws_config config;
    int width, height; /* pixels, as of the last drawable_update or drawable_poll */
};

/* The functions of a winsys. Pointers may be NULL only where a comment says so. */
struct winsys_ops {
    const char *name; /* for example "x11", "wayland", "headless" or "gbm" */

    /* Destroys a winsys, whose drawables and buffers must be destroyed before. */
    void (*destroy)(struct winsys *ws);

    /* Returns an array of configurations and stores its length in *count. The winsys owns the
     * array, which never changes. Returns NULL and stores 0 if the winsys has no list, because its
     * caller determines the configurations (src/target/dri). */
    const struct ws_config *(*get_configs)(struct winsys *ws, unsigned *count);

    /* Creates a drawable for a native window or pixmap, which remains the caller's. The headless
     * winsys ignores `native`; the others ignore width and height (pixels). Returns NULL if the
     * native object does not exist or cannot be used. If there is no memory, returns NULL and sets
     * errno to ENOMEM; other failures may leave errno unchanged, so set it to 0 before the call. */
    struct ws_drawable *(*drawable_create)(struct winsys *ws, uintptr_t native, bool is_pixmap,
                                           int width, int height);
    /* Destroys a drawable, whose buffers must be destroyed before. The native object remains. */
    void (*drawable_destroy)(struct ws_drawable *d);

    /* Updates d->width and d->height from the native object. May wait for the window system.
     * Returns false if the object no longer exists; the size is then unchanged. A winsys that
     * cannot detect this (GBM, those of src/target/dri) returns true and keeps the size. */
    bool (*drawable_update)(struct ws_drawable *d);
    /* If true, callers must not call drawable_update between a present and the first command of the
     * next frame, because drawable_update starts the next frame. */
    bool defers_update_after_present;
    /* Like drawable_update, but never waits; a new size may be reported one or two presents late.
     * May be NULL; the caller then calls drawable_update, even if that waits (src/target/dri). */
    bool (*drawable_poll)(struct ws_drawable *d);

    /* Creates a buffer in the format of d->config; width and height are in pixels. Returns NULL if
     * the size is not supported, the connection no longer exists or there is no memory. If the
     * native window provides the memory (GBM, images of a DRI loader), the drawable has one buffer,
     * and every call returns it, or NULL if the window has no memory for the next frame. */
    struct ws_buffer *(*buffer_create)(struct winsys *ws, struct ws_drawable *d, int width,
                                       int height);
    /* Destroys a buffer. May wait until the window system has read it. */
    void (*buffer_destroy)(struct ws_buffer *b);

    /* Whether `present` reads only the given rectangles of the buffer. If false, it may read the
     * whole buffer. */
    bool presents_damage_only;
    /* Presents the given rectangles of b, clipped to b, or all of b if n_rects is 0. When it
     * returns, b->map may be written again; its address may have changed, and its contents are
     * undefined. `interval` is the minimum number of vertical blanks between two presents, or 0; a
     * winsys may ignore it. A rectangle is dropped if there is no memory to send it. Returns false
     * if the drawable or the connection no longer exists, which may be noticed one present late, or
     * if there is no memory for the next contents of b, also because the application holds all
     * buffers of the native window (GBM). */
    bool (*present)(struct ws_drawable *d, struct ws_buffer *b, const struct ws_rect *rects,
                    unsigned n_rects, int interval);

    /* Stores the last vertical blank. May wait for a reply of the window system, but doesn't wait
     * for the next blank. Returns false if there is no window, or the window system doesn't count
     * its blanks. May be NULL. */
    bool (*get_blank)(struct ws_drawable *d, struct ws_blank *blank);
    /* Stores the number of blanks per second as a reduced fraction. Returns false if it is unknown.
     * May be NULL. */
    bool (*get_blank_rate)(struct winsys *ws, uint32_t *numerator, uint32_t *denominator);

    /* Copies the current pixels of the window or pixmap to b. Pixels of b outside of the drawable
     * are unspecified. b need not come from buffer_create: any memory is accepted that has the
     * drawable's format and rows padded to a multiple of 4 bytes. Exception: with images of a DRI
     * loader, b must be the drawable's buffer, which already has the pixels. Returns false if the
     * pixels cannot be read. */
    bool (*read_back)(struct ws_drawable *d, struct ws_buffer *b);
};

/* A connection to a window system. */
struct winsys {
    const struct winsys_ops *ops;
};

/* Creates a winsys that needs no server and no device. If dir is not NULL, it writes one PNG file
 * per present to that directory: frame-00000.png and so on. Creates the directory if it is missing.
 * Returns NULL if that fails or there is no memory. */
struct winsys *ws_headless_create(const char *dir);

/* Creates a winsys on an xcb_connection_t *, which remains the caller's, and the screen with this
 * number. After the caller closes the connection, functions fail as if the native windows and
 * pixmaps no longer existed. Pixels are sent with MIT-SHM if the server can share memory with this
 * process, else with PutImage. Returns NULL with errno 0 if libxcb or the screen is missing, the
 * connection is NULL or has an error, or the server's byte order differs. If there is no memory,
 * returns NULL with errno ENOMEM. */
struct winsys *ws_x11_create(void *connection, int screen);

/* Creates a winsys on a struct wl_display *, which remains the caller's. If display is NULL, opens
 * a connection to the default display, which `destroy` closes. Native windows are struct
 * wl_egl_window *. They have no format, so the caller must set the config of a drawable after
 * drawable_create. Returns NULL if libwayland-client is missing, there is no compositor or it lacks
 * wl_shm, or when out of memory. */
struct winsys *ws_wayland_create(void *display);

#endif
