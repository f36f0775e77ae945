/* SPDX-License-Identifier: MIT */
/*
 * A surface is what GLX and EGL drawables have in common: a core drawable (where the GL draws)
 * connected to a winsys drawable (where it is seen), or to nothing for a pbuffer.
 *
 * Threads may use a surface at once: draw to it, ask for its size and show it. Its lock comes after
 * that of the core's share groups, which hold theirs while they ask for a size (gl_share.h).
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
    pthread_mutex_t mutex;      /* of all that follows, and of the winsys's drawable */
    struct ws_drawable *native; /* owned; NULL for a pbuffer */
    struct ws_buffer *buffer;   /* what was shown last; NULL or of the size then */
    int width, height;          /* pixels, as the core was last told */
    bool gone;                  /* atomic to read: the native object was destroyed */
    enum {
        TGT_DRAWING,
        TGT_SWAPPING,
        TGT_ASKED, /* the size was asked for by the swap */
    } phase;
};

/* A native window's or pixmap's drawable. NULL: there is none such or, as *no_memory says, no memory. */
struct ws_drawable *tgt_native_open(struct winsys *ws, uintptr_t native, bool is_pixmap,
                                    bool *no_memory);

/* Fills s. Takes native (NULL for a pbuffer, which then is width x height); on failure (false) it
 * is destroyed. s must not move afterwards. */
bool tgt_surface_init(struct tgt_surface *s, const struct indium_core *core,
                      enum tgt_surface_kind kind, const struct gl_visual *visual,
                      struct ws_drawable *native, int width, int height);
/* The surface must not be current. A zeroed one is fine. */
void tgt_surface_finish(struct tgt_surface *s);

/* Brings width and height up to date. False: the native object is gone. */
bool tgt_surface_update(struct tgt_surface *s);
/* What the core was last told, in pixels. */
void tgt_surface_size(struct tgt_surface *s, int *width, int *height);
/* Whether the native object was found to be. */
bool tgt_surface_gone(const struct tgt_surface *s);
/* Takes the native object away from a surface that may still be current: it is gone from then on. */
void tgt_surface_detach(struct tgt_surface *s);

/* Shows a core buffer (n_rects rectangles of it, all if 0; y from the top). False: the native
 * object is gone or no memory. */
bool tgt_surface_show(struct tgt_surface *s, enum gl_buffer_index buffer,
                      const struct ws_rect *rects, unsigned n_rects);

/* Copies a rectangle (from the top left) of the back buffer to the front and shows it. False as
 * above. */
bool tgt_surface_copy_back(struct tgt_surface *s, const struct ws_rect *rect);

/* What the native object shows, for the caller to destroy. NULL: it is gone, cannot be read, or no
 * memory. */
struct ws_buffer *tgt_surface_read_back(struct tgt_surface *s);

/* Defines the base level of the texture bound to target (a GL enum) of the current context, which is
 * one of desktop GL (GL ES lacks the formats), from the native object's pixels, its top row first.
 * rgba: with alpha. False: the object is gone, cannot be read, or no memory. */
bool tgt_surface_to_texture(struct tgt_surface *s, unsigned target, bool rgba);

/* Shows the back buffer of a window, which keeps its contents; flushes everything else. False as
 * above. */
bool tgt_surface_swap(struct tgt_surface *s, const struct ws_rect *rects, unsigned n_rects);

/* Before a context is made current again with the surface that it draws to: whether that is a window of
 * which nothing changed. Then the frame's first command need not ask for the size. */
bool tgt_surface_stays(struct tgt_surface *s);

/* What follows showing the back buffer in a swap. */
void tgt_surface_end_frame(struct tgt_surface *s);

#endif
