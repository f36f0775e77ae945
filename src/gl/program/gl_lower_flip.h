/* SPDX-License-Identifier: MIT */
/* Lowering of fragment shaders for framebuffers with flipped rows (MESA_framebuffer_flip_y). Runs
 * in an attempt (util/memory.h). */
#ifndef GL_LOWER_FLIP_H
#define GL_LOWER_FLIP_H

#include "nir/nir.h"

/* Adapts a fragment shader to a driver framebuffer in which y is inverted: flips the origin of
 * gl_FragCoord, derivatives in y, gl_SamplePosition, and the offsets of interpolateAtOffset.
 * Doesn't change gl_PointCoord, which rasterizer state flips. Always returns true. */
bool gl_lower_flip(nir_shader *nir);

#endif
