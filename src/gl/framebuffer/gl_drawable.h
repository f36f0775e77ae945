/* SPDX-License-Identifier: MIT */
/*
 * Window-system drawables: the buffers of the default framebuffer. Made when first needed, in the
 * size that the face tells. Row 0 is the bottom row.
 */
#ifndef GL_DRAWABLE_H
#define GL_DRAWABLE_H

#include "gl/api/gl_types.h"
#include "indium/core.h"
#include "indium/driver.h"

struct gl_context;

struct gl_drawable {
    int refcount; /* atomic; contexts hold it while it is current */
    struct gl_visual visual;
    const struct gl_drawable_ops *ops; /* NULL once the face has destroyed it */
    void *data;
    int width, height;
    unsigned
        stamp; /* raised whenever a buffer is another resource: framebuffer state is then stale */
    /* NULL until needed; multisampled if the visual says so */
    struct drv_resource *color[GL_BUFFER_COUNT];
    struct drv_resource *depth_stencil;
    struct drv_resource *accum;      /* DRV_FORMAT_R16G16B16A16_SNORM or wider; made by the user */
    uint64_t swaps;                  /* of front and back */
    uint64_t shown[GL_BUFFER_COUNT]; /* the swap at which the buffer held the frame; 0: none yet */
    bool front_drawn; /* gl_update_framebuffer: a front buffer is drawn to; flushes tell the face */
};

/* Asks the face for the size; drops the buffers when it changed (contents copied as far as they
 * overlap). */
void gl_drawable_update(struct gl_context *ctx, struct gl_drawable *d);
/* NULL: no memory, or the visual has no such buffer. Not referenced for the caller. */
struct drv_resource *gl_drawable_color(struct gl_drawable *d, enum gl_buffer_index buffer);
struct drv_resource *gl_drawable_depth_stencil(struct gl_drawable *d);

/* Of the color buffers: sRGB ones keep encoded bytes. */
enum drv_format gl_visual_format(const struct gl_visual *visual);

#endif
