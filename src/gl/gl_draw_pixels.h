/* SPDX-License-Identifier: MIT */
/* Drawing images as rectangles at the raster position, through the fragment operations. */
#ifndef GL_DRAW_PIXELS_H
#define GL_DRAW_PIXELS_H

#include "gl/gl_types.h"

struct gl_context;

enum gl_image_kind {
    GL_IMAGE_COLOR,  /* RGBA */
    GL_IMAGE_DEPTH,  /* depth in x; the color is the raster position's */
    GL_IMAGE_BITMAP, /* x is 1 where the raster color is drawn, else 0; not zoomed */
    GL_IMAGE_KINDS,
};

/* image: tight rows, lowest first. False: no memory. */
bool gl_draw_image(struct gl_context *ctx, enum gl_image_kind kind, GLsizei width, GLsizei height,
                   const float (*image)[4]);
void gl_draw_image_finish(struct gl_context *ctx);

#endif
