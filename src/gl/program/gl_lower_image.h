/* SPDX-License-Identifier: MIT */
/* Converts fragment shaders to shade an image instead of primitives (glDrawPixels, glBitmap). */
#ifndef GL_LOWER_IMAGE_H
#define GL_LOWER_IMAGE_H

#include "gl/context/gl_types.h"
#include "nir/nir.h"

#define GL_IMAGE_SAMPLER 16 /* follows the slots of the texture image units */
#define GL_IMAGE_COORD   VARYING_SLOT_VAR31

/* Kinds of images that fragments are generated from. */
enum gl_image_kind {
    GL_IMAGE_NONE,
    GL_IMAGE_COLOR,  /* RGBA: replaces the primary color */
    GL_IMAGE_DEPTH,  /* depth in x; the color is that of the raster position */
    GL_IMAGE_BITMAP, /* x is 1 where the raster color is drawn, otherwise 0; not zoomed */
};

/* Makes a fragment shader take its input from an image: sampler GL_IMAGE_SAMPLER at the coordinates
 * in GL_IMAGE_COORD. */
bool gl_lower_image(nir_shader *nir, enum gl_image_kind kind);

#endif
