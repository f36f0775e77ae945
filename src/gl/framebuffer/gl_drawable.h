/* SPDX-License-Identifier: MIT */
/*
 * Window-system drawables: the buffers of the default framebuffer. Buffers are created when first
 * needed, with the size that the loader library reports. Row 0 is the bottom row.
 *
 * GLX lets several threads draw to a drawable and swap it concurrently; only the application
 * synchronizes them (GLX 1.4 §2.7). So each context works with its own view of the drawable (struct
 * gl_window), which has references to the buffers. The view is updated only when a command starts
 * to use the framebuffer, so sizes and buffers don't change during a command.
 */
#ifndef GL_DRAWABLE_H
#define GL_DRAWABLE_H

#include <pthread.h>

#include "gl/context/gl_drawable_types.h"
#include "indium/core.h"
#include "indium/driver.h"

struct gl_context;

/* Returns whether a buffer (enum gl_buffer_index) is a front buffer. */
static inline bool gl_buffer_is_front(unsigned buffer)
{
    return buffer == GL_BUFFER_FRONT_LEFT || buffer == GL_BUFFER_FRONT_RIGHT;
}

/* A window-system drawable. Several threads may use it. */
struct gl_drawable {
    int refcount; /* atomic: one of the loader library, and one per view */
    struct gl_visual visual;
    const struct gl_drawable_ops *ops; /* NULL after the loader library has destroyed it */
    void *data;                        /* passed to the ops */
    /* guards the fields below; not held during calls to the loader library */
    pthread_mutex_t mutex;
    struct gl_buffers buffers;
    /* Incremented when a buffer is created or replaced, and by each swap, so that views are
     * updated. Read atomically without the mutex. */
    unsigned stamp;
    bool shown; /* there was a swap since the last change of size */
    /* Set by a swap, until the back buffer is drawn to or the front buffer is accessed. Until then,
     * the back buffer has the contents that the front buffer must have. Read atomically without the
     * mutex. */
    bool front_stale;
    /* The front buffer was accessed since front_stale was last cleared, so its contents are kept up
     * to date. */
    bool front_used;
};

/* Sets the drawables of the context and creates the views, which hold references. Both drawables
 * may be NULL. Also releases the buffers in ctx->retired, and sets the dirty bits of framebuffer,
 * viewport and scissor. */
void gl_windows_bind(struct gl_context *ctx, struct gl_drawable *draw, struct gl_drawable *read);
/* Updates the context's views if their drawables' stamps changed, without asking the loader library
 * for the size. Retires the replaced buffers and sets GL_DIRTY_FRAMEBUFFER; if the size changed,
 * also GL_DIRTY_VIEWPORT and GL_DIRTY_SCISSOR. Call it only when a command starts to use the
 * framebuffer. */
void gl_windows_refresh(struct gl_context *ctx);

/* Return the context's view of the drawable for drawing or for reading, which is part of the
 * context; NULL if there is no drawable. If one drawable is used for both, it has a single view. */
struct gl_window *gl_draw_window(struct gl_context *ctx);
struct gl_window *gl_read_window(struct gl_context *ctx);

/* Asks the loader library for the size of d, one of the context's drawables, and drops d's buffers
 * if the size changed. Then updates the context's views (gl_windows_refresh). */
void gl_drawable_update(struct gl_context *ctx, struct gl_drawable *d);
/* Call before drawing to the window's buffers. If the drawable's front_stale is set, clears it, and
 * copies the back buffer to the front buffer if `front` (the context draws to the front buffer or
 * reads it) or if front_used is set; otherwise drops the front buffer. Then updates the view *w. If
 * front_stale is not set, does nothing. */
void gl_window_resolve_front(struct gl_context *ctx, struct gl_window *w, bool front);
/* Returns a buffer (index into gl_buffers.resource) of the window, and creates it if needed. A
 * front buffer is updated from the back buffer after a swap, or by read_front if only the window
 * has its contents. The caller gets no reference; the resource stays valid until the command ends.
 * Returns NULL if out of memory, or if the visual doesn't have the buffer. */
struct drv_resource *gl_window_buffer(struct gl_context *ctx, struct gl_window *w, unsigned buffer);
/* Returns a new reference to the resource that has the contents of a color buffer. For a front
 * buffer after a swap, that is the back buffer. Returns NULL if the visual doesn't have the buffer,
 * if out of memory, or if only the window system has the front buffer's contents. */
struct drv_resource *gl_drawable_reference_color(struct gl_drawable *d,
                                                 enum gl_buffer_index buffer);

/* Returns the driver format of a visual's color buffers: an sRGB format for sRGB visuals. */
enum drv_format gl_visual_format(const struct gl_visual *visual);

/* Implementations of entries of struct indium_core (core.h), which documents them. In this order,
 * the entries are visual_supported, max_drawable_size, drawable_create, drawable_destroy,
 * drawable_read_depth, drawable_resolve, drawable_swap, drawable_age and drawable_copy_back. */
bool gl_visual_supported(const struct gl_visual *visual);
unsigned gl_drawable_max_size(void);
struct gl_drawable *gl_drawable_new(const struct gl_visual *visual,
                                    const struct gl_drawable_ops *ops, void *data);
void gl_drawable_free(struct gl_drawable *d);
bool gl_drawable_read_depth(struct gl_drawable *d, uint32_t *dst, uint32_t stride, int width,
                            int height);
bool gl_drawable_read(struct gl_drawable *d, enum gl_buffer_index buffer, void *dst,
                      uint32_t stride, int x, int y, int width, int height);
void gl_drawable_swap(struct gl_drawable *d);
int gl_drawable_age(struct gl_drawable *d);
bool gl_drawable_copy_back(struct gl_drawable *d, int x, int y, int width, int height);

/* Updates the views. First asks the loader library for the size of the draw drawable if its stamp
 * changed, or if ctx->window_size_pending is set and the default framebuffer is bound for drawing;
 * in the second case, clears window_size_pending. Sets GL_DIRTY_FRAMEBUFFER if it asked, or if a
 * view changed. Call it before a command uses the framebuffer. */
void gl_windows_update(struct gl_context *ctx);

/* Returns the driver context of the calling thread's current context, after drawing its buffered
 * vertices. Without a current context, locks and returns a driver context that all such threads
 * share. Returns NULL, with nothing locked, if out of memory. The caller must release the driver
 * context with gl_release_driver_context. There must be a screen. */
struct drv_context *gl_acquire_driver_context(void);
/* Unlocks the driver context that gl_acquire_driver_context has returned, if that function locked
 * it. drv may be NULL. */
void gl_release_driver_context(const struct drv_context *drv);

#endif
