/* SPDX-License-Identifier: MIT */
/* Selection and feedback, for the pixel commands: glDrawPixels, glBitmap, glCopyPixels. */
#ifndef GL_FEEDBACK_H
#define GL_FEEDBACK_H

#include "gl/context/gl_types.h"

struct gl_context;

/* Outside of GL_RENDER mode: records a hit at the raster position (GL_SELECT), or the token
 * (GL_BITMAP_TOKEN …) with the raster position (GL_FEEDBACK). The caller then draws nothing. */
void gl_feedback_token(struct gl_context *ctx, GLenum token);

#endif
