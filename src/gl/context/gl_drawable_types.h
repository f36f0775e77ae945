/* SPDX-License-Identifier: MIT */
/*
 * A context's view of a window-system drawable (framebuffer/gl_drawable.h).
 */
#ifndef GL_DRAWABLE_TYPES_H
#define GL_DRAWABLE_TYPES_H

#include "indium/core.h"
#include "indium/driver.h"

struct gl_drawable;

/* NULL until needed. Color buffers, depth and stencil are multisampled if the visual says so. */
enum { GL_BUFFER_DEPTH_STENCIL = GL_BUFFER_COUNT, GL_BUFFER_ACCUM, GL_BUFFERS };
struct gl_buffers {
    int width, height;
    struct drv_resource *resource[GL_BUFFERS]; /* by enum gl_buffer_index; then the two others */
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

#endif
