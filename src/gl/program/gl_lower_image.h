/* SPDX-License-Identifier: MIT */
/* Converts fragment shaders to draw the pixels of an image (glDrawPixels, glBitmap). Runs in an
 * attempt (util/memory.h). */
#ifndef GL_LOWER_IMAGE_H
#define GL_LOWER_IMAGE_H

#include "gl/context/gl_texture_types.h"
#include "nir/nir.h"

#define GL_IMAGE_SAMPLER GL_MAX_STAGE_UNITS /* sampler slot of the image, after those of shaders */
#define GL_IMAGE_COORD   VARYING_SLOT_VAR31 /* fragment input: normalized image coordinates in xy */

/* Kinds of images to draw. */
enum gl_image_kind {
    GL_IMAGE_NONE,
    GL_IMAGE_COLOR,  /* the RGBA value replaces the primary color */
    GL_IMAGE_DEPTH,  /* x is the fragment's depth, unless the shader writes it */
    GL_IMAGE_BITMAP, /* x is 1 where a fragment is drawn in the raster color, 0 elsewhere */
};

/* Makes a fragment shader sample the image from slot GL_IMAGE_SAMPLER at the coordinates in
 * GL_IMAGE_COORD, and use the texel according to `kind` (not GL_IMAGE_NONE). Returns true. */
bool gl_lower_image(nir_shader *nir, enum gl_image_kind kind);

#endif
