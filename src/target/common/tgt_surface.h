/* SPDX-License-Identifier: MIT */
/*
 * Common part of the drawables of GLX, EGL and DRI: a core drawable, to which GL draws, connected
 * to a winsys drawable, which shows the result. A pbuffer has no winsys drawable, unless its frames
 * are written to files (INDIUM_FRAMES).
 *
 * Several threads may draw to a surface, query its size and present it at once. Lock order: the
 * lock of the share group (gl_share.h), which the core may hold when it calls get_size, comes
 * before the surface's mutex.
 */
#ifndef TGT_SURFACE_H
#define TGT_SURFACE_H

#include <pthread.h>

#include "target/common/tgt_config.h"

enum tgt_surface_kind { TGT_WINDOW, TGT_PIXMAP, TGT_PBUFFER };

/* A drawable. Initialized by tgt_surface_init. */
struct tgt_surface {
    const struct indium_core *core;
    struct gl_drawable *gl;
    enum tgt_surface_kind kind;
    struct gl_visual visual;
    /* atomic: the absolute value is the minimum number of vertical blanks between presents. Only
     * queries use the sign (GLX_EXT_swap_control_tear). */
    int swap_interval;
    pthread_mutex_t mutex;      /* protects the following fields and the winsys drawable */
    int64_t swaps;              /* number of swaps of a double-buffered window */
    struct ws_drawable *native; /* owned; NULL if there is none, or after tgt_surface_detach */
    struct ws_buffer *buffer;   /* owned; last one presented; may be NULL or have an old size */
    int width, height;          /* size in pixels, as of the last query */
    bool gone;                  /* atomic: the value of tgt_surface_is_gone() */
    /* Decides where the next get_size takes the size from. */
    enum {
        TGT_DRAWING, /* queries the native object (drawable_update) */
        /* In a swap: queries it without waiting (drawable_poll). If
         * winsys_ops.defers_update_after_present is set, uses width and height instead. */
        TGT_SWAPPING,
        TGT_SWAPPING_SIZE_KNOWN, /* uses width and height, once; then the phase is TGT_DRAWING */
    } phase;
};

/* Creates a winsys drawable for a native window or pixmap. Returns NULL on failure. *no_memory is
 * then true if an allocation failed, or false if the native object is invalid. */
struct ws_drawable *tgt_native_open(struct winsys *ws, uintptr_t native, bool is_pixmap,
                                    bool *no_memory);

/* Initializes s and takes ownership of the winsys drawable `native`. If native is NULL (pbuffers),
 * width and height are the size in pixels; otherwise they are ignored. If the core cannot create
 * its drawable, destroys native, zeroes s and returns false. s must not move in memory
 * afterwards. */
bool tgt_surface_init(struct tgt_surface *s, const struct indium_core *core,
                      enum tgt_surface_kind kind, const struct gl_visual *visual,
                      struct ws_drawable *native, int width, int height);
/* Destroys the core drawable and the winsys drawable, and zeroes s. The surface must not be current
 * to any thread. s may be all zero. */
void tgt_surface_finish(struct tgt_surface *s);

/* Queries the native object and updates width and height. Returns false if the object is destroyed
 * or the surface is detached. A pbuffer has no native object to query and keeps its size. */
bool tgt_surface_update(struct tgt_surface *s);
/* Stores the size in pixels as of the last query of the native object. Doesn't query it. */
void tgt_surface_size(struct tgt_surface *s, int *width, int *height);
/* Returns whether the native object has been found to be destroyed, a present has failed, also for
 * lack of memory (winsys_ops.present), or tgt_surface_detach() was called. Doesn't query the
 * object. */
bool tgt_surface_is_gone(const struct tgt_surface *s);
/* Destroys the winsys drawable of a surface that may still be current. The native object then
 * counts as destroyed. */
void tgt_surface_detach(struct tgt_surface *s);

/* Presents rectangles of a core buffer, with the origin at the top left, or all of it if n_rects is
 * 0. Each rectangle must overlap the surface. Presents nothing and returns true if the surface
 * never had a winsys drawable. Returns false if the pixels cannot be read from the core, when out
 * of memory, or if tgt_surface_is_gone() returns true before the call or because of it. */
bool tgt_surface_show(struct tgt_surface *s, enum gl_buffer_index buffer,
                      const struct ws_rect *rects, unsigned n_rects);

/* Copies a rectangle, with the origin at the top left, of the back buffer to the front buffer and
 * presents it. Returns false if the copy fails, or on the errors of tgt_surface_show. */
bool tgt_surface_copy_back(struct tgt_surface *s, const struct ws_rect *rect);

/* Returns a new buffer with the native object's pixels. The caller must destroy it with
 * buffer_destroy. Returns NULL if there is no native object, if it is destroyed or unreadable, or
 * when out of memory. */
struct ws_buffer *tgt_surface_read_back(struct tgt_surface *s);

/* Creates a core image of the native pixmap, top row first. Before GL reads the image, it gets the
 * pixmap's current contents; after GL has drawn to it, it is copied to the pixmap. The image refers
 * to s until it and all textures and renderbuffers that use it are destroyed; then `release` is
 * called with `owner`. Returns NULL, without calling `release`, if the pixmap is destroyed, the
 * core doesn't support its format or size, or when out of memory. */
struct gl_shared_image *tgt_surface_image(struct tgt_surface *s, void (*release)(void *owner),
                                          void *owner);

/* Flushes GL, and redefines level 0 of the texture bound to `target` (a GL enum) in the current
 * context with the native object's size and pixels, top row first. The format is GL_RGBA8 if `rgba`
 * is true, otherwise GL_RGB8. The context must be a desktop GL context, because ES lacks the pixel
 * formats. Returns false if the object is destroyed or unreadable, or when out of memory. */
bool tgt_surface_to_texture(struct tgt_surface *s, unsigned target, bool rgba);

/* Presents rectangles of the back buffer of a double-buffered window (all of it if n_rects is 0)
 * and ends the frame. The back buffer keeps its contents. Returns false on the errors of
 * tgt_surface_show; the frame then ends, too. For other surfaces, only flushes and returns true. */
bool tgt_surface_swap(struct tgt_surface *s, const struct ws_rect *rects, unsigned n_rects);

/* Called before the current context is made current again with the same draw surface. Updates the
 * size of a window and returns whether it is unchanged; returns false for other surfaces. If true,
 * the next get_size doesn't query the size again, unless winsys_ops.defers_update_after_present is
 * set. */
bool tgt_surface_is_unchanged(struct tgt_surface *s);

/* Ends the frame in the core (drawable_swap) after the back buffer was presented, and counts the
 * swap in s->swaps. */
void tgt_surface_end_frame(struct tgt_surface *s);

#endif
