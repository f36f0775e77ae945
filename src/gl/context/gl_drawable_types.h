/* SPDX-License-Identifier: MIT */
/*
 * A context's view of a window-system drawable (framebuffer/gl_drawable.h).
 */
#ifndef GL_DRAWABLE_TYPES_H
#define GL_DRAWABLE_TYPES_H

#include "indium/core.h"
#include "indium/driver.h"

struct gl_drawable;

/* Indices of a drawable's buffers: enum gl_buffer_index (color), followed by two more. Color, depth
 * and stencil buffers have the visual's number of samples; the accumulation buffer has one. */
enum { GL_BUFFER_DEPTH_STENCIL = GL_BUFFER_COUNT, GL_BUFFER_ACCUM, GL_BUFFERS };
/* Size and buffers of a drawable. */
struct gl_buffers {
    int width, height;                         /* in pixels */
    struct drv_resource *resource[GL_BUFFERS]; /* referenced; NULL: not created yet */
};

/* A context's view of a drawable. */
struct gl_window {
    struct gl_drawable *drawable; /* referenced; NULL: none */
    unsigned stamp;               /* gl_drawable.stamp when `buffers` was copied from it */
    struct gl_buffers buffers;    /* a resource may be NULL until this context needs it */
    /* A front buffer is or was a draw buffer, so flushes call the loader library's front_flushed.
     * Set by gl_draw_surfaces; cleared when the drawable is replaced. */
    bool front_drawn;
};

/* Maximum number of retired buffers: those of four updates of a view. A view that would exceed it
 * keeps its old buffers until the command ends. */
enum { GL_RETIRED_BUFFERS = 4 * GL_BUFFERS };
/* References to buffers that a view has replaced. The running command may still use the buffers, so
 * they are released when it ends. */
struct gl_retired {
    struct drv_resource *resource[GL_RETIRED_BUFFERS];
    unsigned count;
};

#endif
