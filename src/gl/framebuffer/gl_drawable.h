/* SPDX-License-Identifier: MIT */
/*
 * Window-system drawables: the buffers of the default framebuffer. Buffers are created when first
 * needed, with the size that the loader library reports. Row 0 is the bottom row.
 *
 * GLX lets several threads draw to a drawable and swap it concurrently; the application orders what
 * they draw (GLX 1.4 §2.7). A context therefore works with its own view of the drawable. The view
 * is updated only when a command starts to use the framebuffer, so sizes and buffers don't change
 * during a command.
 */
#ifndef GL_DRAWABLE_H
#define GL_DRAWABLE_H

#include <pthread.h>

#include "gl/context/gl_drawable_types.h"
#include "indium/core.h"
#include "indium/driver.h"

struct gl_context;

static inline bool gl_buffer_is_front(unsigned buffer)
{
    return buffer == GL_BUFFER_FRONT_LEFT || buffer == GL_BUFFER_FRONT_RIGHT;
}

/* A window-system drawable. Several threads may use it. */
struct gl_drawable {
    int refcount; /* atomic; contexts hold a reference while the drawable is current */
    struct gl_visual visual;
    const struct gl_drawable_ops *ops; /* NULL after the loader library has destroyed it */
    void *data;
    /* guards the fields below; not held during calls to the loader library */
    pthread_mutex_t mutex;
    struct gl_buffers buffers;
    unsigned stamp; /* incremented when a buffer is replaced; read atomically without the mutex */
    bool shown;     /* the back buffer was swapped since the last change of size */
    /* the front buffer's contents are still in the back buffer; read atomically without the
     * mutex */
    bool front_stale;
    bool front_used; /* the front buffer was used since the first drawing after a swap */
};

/* Makes the drawables current to the context, which keeps references. NULL: none. */
void gl_windows_bind(struct gl_context *ctx, struct gl_drawable *draw, struct gl_drawable *read);
/* Updates the context's views. Call it when a command starts to use them. */
void gl_windows_refresh(struct gl_context *ctx);

/* Return the view for drawing or for reading; NULL if there is no drawable. */
struct gl_window *gl_draw_window(struct gl_context *ctx);
struct gl_window *gl_read_window(struct gl_context *ctx);

/* Queries the drawable's size from the loader library and drops the buffers if it changed. d must
 * be current to the context. */
void gl_drawable_update(struct gl_context *ctx, struct gl_drawable *d);
/* Call before drawing to the window's buffers: copies the picture to the front buffer if a swap
 * left it stale and it is needed. front: this context needs it. */
void gl_window_resolve_front(struct gl_context *ctx, struct gl_window *w, bool front);
/* Returns a buffer of the window; NULL if out of memory or if the visual doesn't have it. The
 * caller gets no reference; the resource stays valid until the command ends. */
struct drv_resource *gl_window_buffer(struct gl_context *ctx, struct gl_window *w, unsigned buffer);
/* Returns a reference to the resource with the contents of a buffer. Returns NULL if there is none,
 * or if only the window system has the front buffer. */
struct drv_resource *gl_drawable_reference_color(struct gl_drawable *d,
                                                 enum gl_buffer_index buffer);

/* Returns the format of the color buffers. sRGB visuals store encoded values. */
enum drv_format gl_visual_format(const struct gl_visual *visual);

/* Implementations of entries of struct indium_core (core.h): visual_supported, max_drawable_size,
 * drawable_create, drawable_destroy, drawable_read_depth, drawable_resolve, drawable_swap,
 * drawable_age and drawable_copy_back. */
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

/* Updates the views and sets GL_DIRTY_FRAMEBUFFER if the window's buffers or size changed. Call it
 * before a command uses the framebuffer. */
void gl_windows_update(struct gl_context *ctx);

#endif
