/* SPDX-License-Identifier: MIT */
/* Drawing images as rectangles at the raster position, through the fragment operations. */
#ifndef GL_DRAW_PIXELS_H
#define GL_DRAW_PIXELS_H

#include "gl/gl_types.h"
#include "nir/nir.h"

struct gl_context;

enum gl_image_kind {
    GL_IMAGE_NONE,
    GL_IMAGE_COLOR,  /* RGBA: the fragments' primary color */
    GL_IMAGE_DEPTH,  /* depth in x; the color is the raster position's */
    GL_IMAGE_BITMAP, /* x is 1 where the raster color is drawn, else 0; not zoomed */
};

/* image: tight rows, lowest first. False: no memory. */
bool gl_draw_image(struct gl_context *ctx, enum gl_image_kind kind, GLsizei width, GLsizei height,
                   const float (*image)[4]);
/* Makes a fragment shader one that shades an image, which gl_draw_image binds. */
bool gl_lower_image(nir_shader *nir, enum gl_image_kind kind);

#endif
