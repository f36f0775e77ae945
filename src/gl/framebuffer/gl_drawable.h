/* SPDX-License-Identifier: MIT */
/*
 * Window-system drawables: the buffers of the default framebuffer. Made when first needed, in the
 * size that the face tells. Row 0 is the bottom row.
 *
 * GLX lets several threads draw to a drawable and show it at once (GLX 1.4, section 2.7, has the
 * application order what they draw). So a context works with a view of its drawable, which changes only
 * when a command begins to work with the framebuffer: sizes and buffers stay as they are until it ends,
 * whatever others do to the drawable meanwhile.
 */
#ifndef GL_DRAWABLE_H
#define GL_DRAWABLE_H

#include <pthread.h>

#include "gl/context/gl_types.h"
#include "indium/core.h"
#include "indium/driver.h"

struct gl_context;

/* NULL until needed. Color buffers, depth and stencil are multisampled if the visual says so. */
enum { GL_BUFFER_DEPTH_STENCIL = GL_BUFFER_COUNT, GL_BUFFER_ACCUM, GL_BUFFERS };
struct gl_buffers {
    int width, height;
    struct drv_resource *resource[GL_BUFFERS]; /* by enum gl_buffer_index; then the two others */
};

static inline bool gl_buffer_is_front(unsigned buffer)
{
    return buffer == GL_BUFFER_FRONT_LEFT || buffer == GL_BUFFER_FRONT_RIGHT;
}

struct gl_drawable {
    int refcount; /* atomic; contexts hold it while it is current */
    struct gl_visual visual;
    const struct gl_drawable_ops *ops; /* NULL once the face has destroyed it */
    void *data;
    pthread_mutex_t mutex; /* of all that follows; nothing of the face is called with it */
    struct gl_buffers buffers;
    unsigned stamp;   /* atomic to read: raised whenever a buffer is another resource */
    bool shown;       /* the back buffer, when it was as large as now */
    bool front_stale; /* atomic to read: what the front buffer has to hold is the back buffer's */
    bool front_used;  /* since the back buffer was drawn to first after a swap */
};

/* A context's view of a drawable. */
struct gl_window {
    struct gl_drawable *drawable; /* referenced; NULL: none */
    unsigned stamp;               /* the drawable's, when its buffers were taken */
    struct gl_buffers buffers;    /* NULL until this context needs them */
    bool front_drawn; /* gl_update_framebuffer: a front buffer is drawn to; flushes tell the face */
};

/* What a view no longer has, until the command ends that may be using it. */
enum { GL_RETIRED_BUFFERS = 4 * GL_BUFFERS };
struct gl_retired {
    struct drv_resource *resource[GL_RETIRED_BUFFERS];
    unsigned count;
};

/* Makes the drawables those of the context, which keeps references; NULL: none. */
void gl_windows_bind(struct gl_context *ctx, struct gl_drawable *draw, struct gl_drawable *read);
/* Brings the views up to date: where a command begins to use them. */
void gl_windows_refresh(struct gl_context *ctx);
/* Called when a command has ended. */
void gl_windows_drop_retired(struct gl_context *ctx);

/* The view that draws, or reads, go to; NULL: there is no drawable. */
struct gl_window *gl_draw_window(struct gl_context *ctx);
struct gl_window *gl_read_window(struct gl_context *ctx);

/* Asks the face for the size; drops the buffers when it changed. d is one of the context's. */
void gl_drawable_update(struct gl_context *ctx, struct gl_drawable *d);
/* Before the window's buffers are drawn to: a front buffer that a swap left as it was gets the picture
 * if it is wanted. front: this context wants it. */
void gl_window_settle(struct gl_context *ctx, struct gl_window *w, bool front);
/* NULL: no memory, or the visual has no such buffer. Not referenced for the caller: there until the
 * command ends. */
struct drv_resource *gl_window_buffer(struct gl_context *ctx, struct gl_window *w, unsigned buffer);
/* What has the contents of that buffer, referenced for the caller; NULL as above, and for a front buffer
 * that the window alone has. */
struct drv_resource *gl_drawable_take_color(struct gl_drawable *d, enum gl_buffer_index buffer);

/* Of the color buffers: sRGB ones keep encoded bytes. */
enum drv_format gl_visual_format(const struct gl_visual *visual);

#endif
