/* SPDX-License-Identifier: MIT */
/*
 * Common part of GLX and EGL drawables: a core drawable (where GL draws) connected to a winsys
 * drawable (where the result is shown), or to none for a pbuffer.
 *
 * Several threads may draw to a surface, query its size and present it at once. Lock order: share
 * group lock (held by the core while it asks for a size, gl_share.h), then the surface's mutex.
 */
#ifndef TGT_SURFACE_H
#define TGT_SURFACE_H

#include <pthread.h>

#include "target/common/tgt_config.h"

enum tgt_surface_kind { TGT_WINDOW, TGT_PIXMAP, TGT_PBUFFER };

struct tgt_surface {
    const struct indium_core *core;
    struct gl_drawable *gl;
    enum tgt_surface_kind kind;
    struct gl_visual visual;
    int swap_interval;          /* atomic */
    pthread_mutex_t mutex;      /* protects all fields below and the winsys drawable */
    struct ws_drawable *native; /* owned; NULL after a detach, usually NULL for pbuffers */
    struct ws_buffer *buffer;   /* last presented buffer; may be NULL or have an old size */
    int width, height;          /* size in pixels last reported to the core */
    bool gone;                  /* the native object was destroyed; read atomically */
    enum {
        TGT_DRAWING,
        TGT_SWAPPING,
        TGT_SWAPPING_SIZE_KNOWN, /* the core's next request gets the known size, without a query */
    } phase;
};

/* Opens the winsys drawable of a native window or pixmap. Returns NULL if the native object is
 * invalid or, if *no_memory is set, because memory ran out. */
struct ws_drawable *tgt_native_open(struct winsys *ws, uintptr_t native, bool is_pixmap,
                                    bool *no_memory);

/* Initializes s and takes ownership of `native`, which may be NULL for a pbuffer. width and height
 * are the size if native is NULL. Returns false on failure, after destroying native. s must not
 * move in memory afterwards. */
bool tgt_surface_init(struct tgt_surface *s, const struct indium_core *core,
                      enum tgt_surface_kind kind, const struct gl_visual *visual,
                      struct ws_drawable *native, int width, int height);
/* Releases the surface, which must not be current. A zeroed surface is allowed. */
void tgt_surface_finish(struct tgt_surface *s);

/* Updates width and height from the native object. Returns false if it is gone. */
bool tgt_surface_update(struct tgt_surface *s);
/* Returns the size in pixels last reported to the core. */
void tgt_surface_size(struct tgt_surface *s, int *width, int *height);
/* Whether the native object has been found to be destroyed. */
bool tgt_surface_is_gone(const struct tgt_surface *s);
/* Disconnects the native object from a surface that may still be current. The surface then counts
 * as gone. */
void tgt_surface_detach(struct tgt_surface *s);

/* Presents a core buffer: n_rects rectangles with y from the top, or everything if n_rects is 0.
 * Returns false if the native object is gone or memory runs out. */
bool tgt_surface_show(struct tgt_surface *s, enum gl_buffer_index buffer,
                      const struct ws_rect *rects, unsigned n_rects);

/* Copies a rectangle (y from the top) of the back buffer to the front buffer and presents it.
 * Returns false on the same errors. */
bool tgt_surface_copy_back(struct tgt_surface *s, const struct ws_rect *rect);

/* Returns a copy of the native object's pixels, which the caller must destroy. Returns NULL if the
 * object is gone or unreadable, or memory runs out. */
struct ws_buffer *tgt_surface_read_back(struct tgt_surface *s);

/* Defines the base level of the texture bound to `target` (a GL enum) from the native object's
 * pixels, top row first. The current context must be desktop GL because ES lacks the formats. rgba:
 * include alpha. Returns false if the object is gone or unreadable, or memory runs out. */
bool tgt_surface_to_texture(struct tgt_surface *s, unsigned target, bool rgba);

/* Presents the back buffer of a double-buffered window, preserving its contents, and ends the
 * frame. For other surfaces, flushes. Returns false on the same errors as tgt_surface_show. */
bool tgt_surface_swap(struct tgt_surface *s, const struct ws_rect *rects, unsigned n_rects);

/* Queries the size, before a context is made current again with the same draw surface. Returns true
 * if the surface is a window whose size is unchanged. The frame's first command then need not query
 * the size again. */
bool tgt_surface_is_unchanged(struct tgt_surface *s);

/* Tells the core that the back buffer was presented (drawable_swap), and starts the next frame. */
void tgt_surface_end_frame(struct tgt_surface *s);

#endif
