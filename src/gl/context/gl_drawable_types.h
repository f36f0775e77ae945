/* SPDX-License-Identifier: MIT */
/*
 * A context's view of a window-system drawable (framebuffer/gl_drawable.h).
 */
#ifndef GL_DRAWABLE_TYPES_H
#define GL_DRAWABLE_TYPES_H

#include "indium/core.h"
#include "indium/driver.h"

struct gl_drawable;

/* Buffers of a drawable: enum gl_buffer_index, followed by two more. Color, depth and stencil
 * buffers are multisampled if the visual says so. */
enum { GL_BUFFER_DEPTH_STENCIL = GL_BUFFER_COUNT, GL_BUFFER_ACCUM, GL_BUFFERS };
/* Size and buffers of a drawable. */
struct gl_buffers {
    int width, height;
    struct drv_resource *resource[GL_BUFFERS]; /* NULL until needed */
};

/* A context's view of a drawable. */
struct gl_window {
    struct gl_drawable *drawable; /* referenced; NULL: none */
    unsigned stamp;               /* stamp of the drawable when its buffers were taken */
    struct gl_buffers buffers;    /* resources are NULL until this context needs them */
    /* The draw framebuffer includes a front buffer, so flushes must notify the loader library. Set
     * by gl_update_framebuffer. */
    bool front_drawn;
};

/* Buffers that a view has dropped. They are released when the running command ends, because the
 * command may still use them. */
enum { GL_RETIRED_BUFFERS = 4 * GL_BUFFERS };
struct gl_retired {
    struct drv_resource *resource[GL_RETIRED_BUFFERS];
    unsigned count;
};

#endif
