/* SPDX-License-Identifier: MIT */
/* Converts fragment shaders for framebuffers whose rows are flipped (MESA_framebuffer_flip_y). */
#ifndef GL_LOWER_FLIP_H
#define GL_LOWER_FLIP_H

#include "nir/nir.h"

/* Converts a fragment shader that drivers run in a coordinate system with y inverted: flips the
 * origin of gl_FragCoord, derivatives in y, gl_SamplePosition, and offsets of interpolateAtOffset.
 * gl_PointCoord depends on rasterizer state instead. Returns true. */
bool gl_lower_flip(nir_shader *nir);

#endif
